package redact

import (
	"strings"
	"testing"
)

// TestStaysBeside: what a name or a form of an identity is taken from, though it
// is evidence.
func TestStaysBeside(t *testing.T) {
	testDrawn(t, []drawn{
		{"registers of a command of ATA", dmesg, "ata1.00: ACPI cmd ef/10:06:00:00:00:00 (SET FEATURES) succeeded\n" +
			"ata1.00: ACPI cmd f5/00:00:00:00:00:00 (SECURITY FREEZE LOCK) filtered out\n" +
			"ata3.00: ACPI cmd b1/c1:00:00:00:00:a0 (DEVICE CONFIGURATION OVERLAY) filtered out\n" +
			"ata3.00: ACPI cmd ef/10:03:00:00:00:a0:00 succeeded\nrow 10 06 00 00 00 00"},
		{"version behind the name of a driver", dmesg, "[1.0] megaraid: 2.20.5.1 (Release Date: Thu Nov 16 15:32:35 EST 2006)\n" +
			"[1.0] megaraid cmm: 2.20.2.7 (Release Date: Sun Jul 16 00:01:03 EST 2006)\n[1.0] mpt2sas: 20.100.0.1 \n[1.0] foo: 2.20.5.1 loaded"},
		{"address of a file server", dmesg, "afs: Lost contact with file server «10.77.3.66» in cell"},
		{"hexadecimal serial number of a module", "cmd/dmidecode.txt", "Memory Device\n\tSerial Number: 0x«7F31B0A2»"},
		{"serial number in a text of JSON", "attach/journal.json", `{"MESSAGE":"usb 1-4: SerialNumber: «AB12CD34EF56»","_KERNEL_DEVICE":"+usb:1-4"}`},
		{"heading of vgdisplay", other, "  --- Volume group ---\n  VG Name               «tresorvg»\n  --- Logical volume ---\n  --- Physical volumes ---"},
	})
}

// TestDeviceNamesStay: a host called like a device does not take its name.
func TestDeviceNamesStay(t *testing.T) {
	for _, test := range []struct{ host, line string }{
		{"host0", "scsi host0: ahci"},
		{"nvme0", "nvme nvme0: 8/0/0 default/read/poll queues"},
		{"eth12", "eth12: link becomes ready"},
	} {
		got := redactOne(t, Key{1}, dmesg, "systemd[1]: Hostname set to <"+test.host+">.\n"+test.line)
		set, stays, _ := strings.Cut(got, "\n")
		if strings.Contains(set, test.host) || stays != test.line {
			t.Errorf("host %s: %q, %q", test.host, set, stays)
		}
	}
}
