package redact

import "testing"

func TestSealed(t *testing.T) {
	for _, value := range []string{"EXAMPLE0042", "PF3ABC7D", "1234", "S4YNNE0R803210", "A-1/b", "ä", "x"} {
		got := testKey.sealed(kindSerial, []byte(value))
		if !isSealed(got) {
			t.Errorf("%q: %q is not sealed", value, got)
		}
		if isSealed([]byte(value)) {
			t.Errorf("%q is sealed", value)
		}
		for i := range min(len(got), len(value)) {
			if value[i] < 0x80 && alphabetOf[got[i]] != alphabetOf[value[i]] {
				t.Errorf("%q: %q has another class of characters", value, got)
			}
		}
		if again := testKey.sealed(kindSerial, []byte(value)); string(again) != string(got) {
			t.Errorf("%q: %q, then %q", value, got, again)
		}
		other := Key{9}
		if string(other.sealed(kindSerial, []byte(value))) == string(got) {
			t.Errorf("%q: the same under another key", value)
		}
	}
}

func TestSealedInPlace(t *testing.T) {
	for value, want := range map[string]string{"1234": "XXXX", "a-1": "X-X"} {
		if got := string(testKey.sealedInPlace(kindSerial, []byte(value))); got != want {
			t.Errorf("%q: %q, want %q", value, got, want)
		}
	}
}

func TestStances(t *testing.T) {
	for member, want := range map[string]stance{
		"cmd/dmesg.txt": {asText, logs | addresses},
		"sys/bus/pci/devices/0000:17:00.0/config":       {form: asConfig},
		"sys/bus/pci/devices/0000:17:00.0/aer_x":        {form: asText},
		"sys/class/dmi/id/bios_version":                 {asText, models},
		"sosreport/etc/hosts":                           {asSniffed, labels | logs | addresses | hosts},
		"cmd/ras-mc-ctl-layout.err":                     {asText, labels | logs | addresses},
		"sys/firmware/acpi/tables/HEST":                 {form: asACPI},
		"sys/firmware/acpi/tables/.list":                {form: asText},
		"var/log/messages":                              {asSniffed, labels | logs | addresses | rows},
		"sys/devices/system/cpu/cpu0/microcode/version": {form: asText},
	} {
		if got := stanceOf(member); got != want {
			t.Errorf("%s: %+v, want %+v", member, got, want)
		}
	}
}
