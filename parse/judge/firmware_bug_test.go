package judge

import (
	"testing"

	"hwcap/parse/fact"
)

func firmwareNote(level, text string) fact.Note {
	return logNote("firmware-bug", "", "[Firmware Bug]: "+text, "level", level, "text", text)
}

func TestFirmwareBug(t *testing.T) {
	play(t, firmwareBug, []scene{
		{"nothing to complain of", server(), []string{"none machine"}},
		{"one message", server(withLog(firmwareNote("bug", "TSC_DEADLINE disabled due to Errata; please update microcode to version: 0xb2 (or later)"))), []string{"reported machine"}},
		{"a table that says two things", server(withLog(logNote("acpi-error", "", "ACPI BIOS Warning (bug): 32/64X", "level", "firmware", "text", "32/64X length mismatch in FADT/Gpe0Block: 128/32"))), []string{"reported machine"}},
		{"ASPM as the FADT wants it", server(withLog(logNote("fadt-aspm", "", "FADT indicates ASPM is unsupported, using BIOS configuration", "what", "bios"))), []string{"fadt machine"}},
		{"ASPM that is not to be switched, beside a bug", server(withLog(firmwareNote("bug", "x"), logNote("fadt-aspm", "", "ACPI FADT declares the system doesn't support PCIe ASPM", "what", "disabled"))), []string{"reported machine"}},
		{"a remark, and an error of the interpreter", server(withLog(firmwareNote("info", "something"), logNote("acpi-error", "", "ACPI Error: AE_TIME", "level", "error", "text", "AE_TIME"))), []string{"none machine"}},
		{"log denied", server(withLogState(fact.Denied)), []string{"unread machine"}},
		{"start of the log lost", server(ringWrapped), []string{"unread machine"}},
		{"a clean log alone", excerpt(), nil},
	})
}

// A message that comes on each processor is one complaint.
func TestFirmwareComplaintsCountOnce(t *testing.T) {
	m := server(withLog(
		firmwareNote("bug", "cpu 0, try to use APIC500 (LVT offset 0) for vector 0x10400"),
		firmwareNote("bug", "cpu 1, try to use APIC500 (LVT offset 0) for vector 0x10400"),
		firmwareNote("bug", "something never seen"),
	))()
	f := judgeFirmware(m)[0]
	if f.Count != 3 || f.Values["distinctCount"] != 2 {
		t.Errorf("count %d, distinct %v; want 3 and 2", f.Count, f.Values["distinctCount"])
	}
	rows := f.Values["messages"].([]map[string]any)
	if rows[0]["count"] != 2 || rows[0]["en"] == "" || rows[1]["en"] != "" {
		t.Errorf("rows are %v", rows)
	}
}
