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
		{"colour behind a serial number", dmesg, "usb 1-4: SerialNumber: «AB12CD34EF56»\x1b[0m"},
		{"colour without its escape", dmesg, "[33musb 1-4[0m: SerialNumber: «AB12CD34EF56»[0m"},
		{"versions behind what they are of", dmesg, "Intel(R) QAT: 1.7.4.14\nFW: 4.16.0.0, MMP: 1.0.0.1\nFW 12.0.81.1753; ME 11.8.50.3\nBMC 1.71.11.2; CPLD 1.0.8.0\nhpsa: 3.4.20.208"},
		{"version of a boot ROM", other, `"firmware" : "8.15 0x800094fc 1.2.3.4"`},
		{"dots behind a name", dmesg, "Mounting /home/«wurzelmann»...\nStarting /dev/«gartenvg»/swap..."},
		{"client of a management engine", dmesg, "mei_hdcp 0000:00:16.0-b638ab7e-94e2-4ea2-a552-d1c54b627f04: bound 0000:00:02.0"},
		{"variables of UEFI", dmesg, "open /sys/firmware/efi/efivars/Boot0001-4c4c4544-0042-3510-8051-b7c04f4e3733"},
		{"section of an error record", dmesg, "{1}[Hardware Error]:   section type: unknown, e8ed898d-df16-43cc-8ecc-54f060ef157f"},
		{"word behind the serial number of a module", "cmd/ras-mc-ctl.txt", "fru text P1_DIMM_A1 SN:«036F2A1C» errors"},
		{"heading of vgdisplay below the table of pvs", other, "  PV         VG       Fmt  Attr\n  /dev/sda1  «tresorvg» lvm2 a--\n  --- Volume group ---"},
		{"explanation of a Device Serial Number", other, "Device Serial Number (the EUI64 of the card)"},
		{"broadcast address of IPoIB", other, "brd 00:ff:ff:ff:ff:12:40:1b:ff:ff:00:00:00:00:00:00:ff:ff:ff:ff"},
		{"UUID in braces", dmesg, "usb 1-4: SerialNumber: {«4c4c4544-0042-3510-8051-b7c04f4e3733»}"},
		{"policy of NetworkManager", other, "policy: set-hostname: set hostname to 'x' (from y)"},
	})
}

// TestDeviceNamesStay: a host called like a device does not take its name.
func TestDeviceNamesStay(t *testing.T) {
	for _, test := range []struct{ host, line string }{
		{"host0", "scsi host0: ahci"},
		{"nvme0", "nvme nvme0: 8/0/0 default/read/poll queues"},
		{"ahci", "ahci 0000:00:17.0: AHCI vers 0001.0301"},
		{"gold", "Intel(R) Xeon(R) Gold 5315Y"},
		{"eth12", "eth12: link becomes ready"},
	} {
		got := redactOne(t, Key{1}, dmesg, "systemd[1]: Hostname set to <"+test.host+">.\n"+test.line)
		set, stays, _ := strings.Cut(got, "\n")
		if strings.Contains(set, test.host) || stays != test.line {
			t.Errorf("host %s: %q, %q", test.host, set, stays)
		}
	}
}
