package klog

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// Severities of an AER report.
const (
	corrected = "corrected"
	nonfatal  = "nonfatal"
	fatal     = "fatal"
)

// The error bits by number, in the short names that the kernel uses in messages
// and in sysfs (drivers/pci/pcie/aer.c aer_correctable_error_string,
// aer_uncorrectable_error_string); they are the same in all versions since 5.0.
var (
	corBits = [32]string{0: "RxErr", 6: "BadTLP", 7: "BadDLLP", 8: "Rollover", 12: "Timeout", 13: "NonFatalErr", 14: "CorrIntErr", 15: "HeaderOF"}
	unBits  = [32]string{0: "Undefined", 4: "DLP", 5: "SDES", 12: "TLP", 13: "FCP", 14: "CmpltTO", 15: "CmpltAbrt", 16: "UnxCmplt",
		17: "RxOF", 18: "MalfTLP", 19: "ECRC", 20: "UnsupReq", 21: "ACSViol", 22: "UncorrIntErr", 23: "BlockedTLP", 24: "AtomicOpBlocked",
		25: "TLPBlockedErr", 26: "PoisonTLPBlocked", 27: "DMWrReqBlocked", 28: "IDECheck", 29: "MisIDETLP", 30: "PCRC_CHECK", 31: "TLPXlatBlocked"}
)

// aerLiterals are the words by which the finder knows the lines of a report.
func aerLiterals() []string {
	out := []string{
		"rror message received from ", "rror messages received", "rror message", "rror received: ", "Bus Error: severity=",
		"error status/mask=", "TLP Header", "of this Agent is reported first", "found no error details", "can't find device of ID",
		"status: 0x", "aer_layer=", "aer_uncor_severity: ", "(First)",
	}
	for i := range 32 {
		for _, name := range []string{corBits[i], unBits[i]} {
			if name != "" {
				out = append(out, "] "+name)
			}
		}
	}
	return out
}

// addStatus names the bits of a status register that are not masked.
func (e *report) addStatus(severity string, b bits) {
	for i := range 32 {
		if (b.status&^b.mask)&(1<<i) != 0 {
			e.kind(severity, i)
		}
	}
}

// bit reads "[12] Timeout", "[12] Timeout | Transmitter | Data Link Layer".
func (e *report) bit(text string) {
	number, rest, ok := strings.Cut(strings.TrimPrefix(text, "["), "]")
	i, err := strconv.Atoi(strings.TrimSpace(number))
	if !ok || err != nil || i < 0 || i > 31 {
		return
	}
	e.kind(e.bitSeverity(), i)
	if columns := strings.Split(rest, "|"); len(columns) == 3 && e.layer == "" {
		e.layer = strings.TrimSpace(strings.TrimSuffix(columns[2], "(First)"))
	}
}

func (e *report) kind(severity string, i int) {
	if name := bitName(severity, i); !slices.Contains(e.kinds, name) {
		e.kinds = append(e.kinds, name)
	}
}

func bitName(severity string, i int) string {
	name := unBits[i]
	if severity == corrected {
		name = corBits[i]
	}
	return cmp.Or(name, "bit "+strconv.Itoa(i))
}

// severityOf reads the words of all versions: "Corrected", "Correctable",
// "Uncorrected (Non-Fatal)", "Uncorrectable (Fatal)", ...
func severityOf(text string) string {
	switch {
	case strings.Contains(text, "Non-Fatal"):
		return nonfatal
	case strings.Contains(text, "Fatal"):
		return fatal
	}
	return corrected
}

// addressOfID turns a requester id, "00e5", into an address in the domain of the
// root port.
func addressOfID(root, id string) string {
	n, err := strconv.ParseUint(id, 16, 16)
	if err != nil {
		return ""
	}
	const digits = "0123456789abcdef"
	domain := root[:len(root)-len("00:1c.0")]
	bus, slot, function := n>>8, n>>3&0x1f, n&7
	return domain + string([]byte{digits[bus>>4], digits[bus&15], ':', digits[slot>>4], digits[slot&15], '.', digits[function]})
}

// hex32 reads up to eight hexadecimal digits at the start of s; 0 without any.
func hex32(s string) uint32 {
	s = strings.TrimPrefix(s, "0x")
	n, err := strconv.ParseUint(s[:min(8, span(s, '%'))], 16, 32)
	if err != nil {
		return 0
	}
	return uint32(n)
}
