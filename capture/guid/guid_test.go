package guid

import "testing"

func TestWellKnown(t *testing.T) {
	const one = "2df41579-a29d-4e6f-8a1b-0c5d7e9f1a3b" // of no kind
	for name, c := range map[string]struct {
		before, uuid string
		want         bool
	}{
		"by its value":                   {"", "C12A7328-F81F-11D2-BA4B-00A0C93EC93B", true},
		"of a partition":                 {"UUID=", one, false},
		"type of a partition":            {`"parttype":"`, one, true},
		"a variable of UEFI":             {"/sys/firmware/efi/efivars/Boot0001-", one, true},
		"a client of an engine":          {"mei 0000:00:16.0-", one, true},
		"behind something like it":       {"mei 0000:00:1g.0-", one, false},
		"behind a shorter address":       {"00:16.0-", one, false},
		"method of ACPI":                 {"ACPI: _OSC (", one, true},
		"a section of a firmware report": {"section type: unknown, ", one, true},
	} {
		if got := WellKnown(c.before, c.uuid); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
