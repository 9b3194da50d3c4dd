package judge

import "strings"

// The layers of PCI Express (PCIe Base Specification 1.5).
const (
	physicalLayer    = "physical"
	dataLinkLayer    = "data-link"
	transactionLayer = "transaction"
	noLayer          = "general"
)

// aerKind is what is known of one error bit.
type aerKind struct {
	Bit   string // the kernel's short name, as in sysfs, in the log and in lspci
	Long  string // rasdaemon's name (ras-aer-handler.c)
	Layer string
	// Wire: the bit speaks of the way between two chips (signal, contact,
	// cable, power), not of what was sent over it.
	Wire   bool
	De, En string // plain meaning
}

// aerKinds are the error bits of the AER registers. Bits: the tables of
// drivers/pci/pcie/aer.c; layers and meanings: the tables of PCIe Base
// Specification 6.2.7. The kernel counts every uncorrectable bit but DLP to the
// transaction layer (AER_GET_LAYER_ERROR), Surprise Down and the internal error
// too.
var aerKinds = []aerKind{
	{"RxErr", "Receiver Error", physicalLayer, true, "Empfangsfehler", "receiver error"},
	{"BadTLP", "Bad TLP", dataLinkLayer, true, "Paket mit falscher Prüfsumme", "packet with a wrong checksum"},
	{"BadDLLP", "Bad DLLP", dataLinkLayer, true, "Link-Quittung mit falscher Prüfsumme", "link control packet with a wrong checksum"},
	{"Rollover", "RELAY_NUM Rollover", dataLinkLayer, true, "mehrfach vergeblich wiederholt", "repeated several times in vain"},
	{"Timeout", "Replay Timer Timeout", dataLinkLayer, true, "Replay-Zeitüberschreitung", "replay timeout"},
	{"NonFatalErr", "Advisory Non-Fatal", transactionLayer, false, "als harmlos eingestufter Fehler", "error classed as harmless"},
	{"CorrIntErr", "Corrected Internal Error", noLayer, false, "interner Fehler, korrigiert", "internal error, corrected"},
	{"HeaderOF", "Header Log Overflow", noLayer, false, "Überlauf des Kopf-Protokolls", "header log overflow"},

	{"DLP", "Data Link Protocol", dataLinkLayer, true, "Protokollfehler der Sicherungsschicht", "data link protocol error"},
	{"SDES", "Surprise Link Down", dataLinkLayer, true, "Link unerwartet weggebrochen", "link went down by surprise"},
	{"TLP", "Poisoned TLP", transactionLayer, false, "Paket mit als verdorben markierten Daten", "packet with data marked as bad"},
	{"FCP", "Flow Control Protocol", transactionLayer, false, "Fehler der Flusssteuerung", "flow control error"},
	{"CmpltTO", "Completion Timeout", transactionLayer, false, "Antwort blieb aus", "no answer in time"},
	{"CmpltAbrt", "Completer Abort", transactionLayer, false, "Anfrage vom Ziel abgebrochen", "request aborted by its target"},
	{"UnxCmplt", "Unexpected Completion", transactionLayer, false, "Antwort ohne Anfrage", "answer without a request"},
	{"RxOF", "Receiver Overflow", transactionLayer, false, "Überlauf des Empfängers", "receiver overflow"},
	{"MalfTLP", "Malformed TLP", transactionLayer, false, "fehlerhaft aufgebautes Paket", "malformed packet"},
	{"ECRC", "ECRC", transactionLayer, false, "falsche Ende-zu-Ende-Prüfsumme", "wrong end-to-end checksum"},
	{"UnsupReq", "Unsupported Request", transactionLayer, false, "Zugriff, den niemand annimmt", "access that nobody claims"},
	{"ACSViol", "ACS Violation", transactionLayer, false, "Verstoß gegen die Zugriffskontrolle (ACS)", "access control (ACS) violation"},
	{"UncorrIntErr", "Uncorrected Internal", noLayer, false, "interner Fehler, nicht korrigiert", "internal error, not corrected"},
	{"BlockedTLP", "MC Blocked TLP", transactionLayer, false, "gesperrtes Multicast-Paket", "blocked multicast packet"},
	{"AtomicOpBlocked", "AtomicOp Egress Blocked", transactionLayer, false, "atomare Operation nicht weitergeleitet", "atomic operation not passed on"},
	{"TLPBlockedErr", "TLP Prefix Blocked", transactionLayer, false, "Paket-Präfix nicht weitergeleitet", "packet prefix not passed on"},
	{"PoisonTLPBlocked", "Poisoned TLP Egrees Blocked", transactionLayer, false, "verdorbenes Paket zurückgehalten", "bad packet held back"},
	{"DMWrReqBlocked", "", transactionLayer, false, "Schreibanfrage (DMWr) nicht weitergeleitet", "deferrable write not passed on"},
	{"IDECheck", "", transactionLayer, false, "Prüfung der Linkverschlüsselung (IDE) fehlgeschlagen", "link encryption (IDE) check failed"},
	{"MisIDETLP", "", transactionLayer, false, "falsch zugeordnetes verschlüsseltes Paket", "misrouted encrypted packet"},
	{"PCRC_CHECK", "", transactionLayer, false, "falsche Prüfsumme eines verschlüsselten Pakets", "wrong checksum of an encrypted packet"},
	{"TLPXlatBlocked", "", transactionLayer, false, "Paket bei der Umsetzung zurückgehalten", "packet held back in translation"},
}

// knownAER returns what is known of a bit.
func knownAER(bit string) (aerKind, bool) {
	bit = kernelBit(bit)
	for _, k := range aerKinds {
		if k.Bit == bit {
			return k, true
		}
	}
	return aerKind{}, false
}

// kernelBit returns the kernel's name of a bit.
func kernelBit(bit string) string {
	switch bit {
	case "AdvNonFatalErr": // lspci's name in CESta
		return "NonFatalErr"
	case "SurpriseDown":
		return "SDES"
	}
	return bit
}

// rasKinds returns the bits that a message of rasdaemon names. It joins
// several with blanks, and the packet's header may follow.
func rasKinds(message string) []string {
	var bits []string
	for _, k := range aerKinds {
		if k.Long == "" {
			continue
		}
		at := strings.Index(message, k.Long)
		if at < 0 || k.Bit == "TLP" && strings.HasPrefix(message[at:], "Poisoned TLP Egrees") {
			continue
		}
		bits = append(bits, k.Bit)
	}
	return append(bits, unnamedKinds(message)...)
}
