package judge

import "strings"

// resetReason is what AMD's chipset says of the last reset, by a part of the
// kernel's words for it (arch/x86/kernel/cpu/amd.c, s5_reset_reason_txt; Linux
// 6.16 and later).
type resetReason struct {
	Part   string
	Fault  bool // something went wrong; else somebody asked for it
	De, En string
}

var resetReasons = []resetReason{
	{"uncorrected error caused a data fabric sync flood", true, "ein nicht korrigierbarer Fehler; der Prozessor hat alles angehalten (Sync Flood), damit falsche Daten nicht weiterlaufen", "an uncorrectable error; the processor stopped everything (sync flood) so that wrong data does not travel on"},
	{"software sync flood", true, "Software hat den Nothalt des Prozessors (Sync Flood) ausgelöst", "software triggered the processor's emergency stop (sync flood)"},
	{"parity error", true, "ein Paritätsfehler", "a parity error"},
	{"internal CPU thermal limit", true, "der Prozessor wurde zu heiß", "the processor became too hot"},
	{"BP_THERMTRIP_L", true, "der Prozessor wurde zu heiß und hat sich abgeschaltet", "the processor became too hot and switched itself off"},
	{"internal CPU shutdown event", true, "der Prozessor hat sich nach mehreren Ausnahmen hintereinander abgeschaltet (etwa Triple Fault)", "the processor shut down after several exceptions in a row (a triple fault, say)"},
	{"hardware watchdog timer expired", true, "der Hardware-Watchdog lief ab, weil ihn niemand zurücksetzte", "the hardware watchdog ran out because nobody reset it"},
	{"failed boot timer", true, "der Start dauerte der Firmware zu lange", "the boot took too long for the firmware"},
	{"failed warm reset handshake", true, "Chipsatz und Prozessor wurden sich beim Neustart nicht einig", "chipset and processor did not agree on the reset"},
	{"power button", false, "jemand hielt den Netzschalter vier Sekunden gedrückt", "somebody held the power button for four seconds"},
	{"shutdown pin", false, "die Abschaltleitung des Boards wurde ausgelöst", "the board's shutdown line was pulled"},
	{"system reset pin", false, "die Reset-Leitung des Boards wurde ausgelöst", "the board's reset line was pulled"},
	{"keyboard reset pin", false, "der Tastatur-Controller löste den Neustart aus", "the keyboard controller asked for the reset"},
	{"remote ASF", false, "ein Befehl der Fernwartung", "a command of remote management"},
	{"software", false, "Software löste den Neustart aus", "software asked for the reset"},
	{"ACPI power state transition", false, "ein gewöhnliches Ausschalten oder Aufwachen", "an ordinary power-off or wake-up"},
}

// knownReset returns what is known of the kernel's words on the last reset.
func knownReset(text string) (resetReason, bool) {
	for _, r := range resetReasons {
		if strings.Contains(text, r.Part) {
			return r, true
		}
	}
	return resetReason{}, false
}
