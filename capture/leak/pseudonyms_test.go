package leak

import (
	"strings"
	"testing"

	"hwcap/capture/redact"
)

// TestRedactedIsClean searches what redaction makes of texts whose pseudonyms
// are easily taken for identities.
func TestRedactedIsClean(t *testing.T) {
	for _, test := range []struct{ name, member, text string }{
		{"board serial number in dots", "cmd/dmidecode.txt", "\tSerial Number: .7ABCDE2.CNIVC0008K0012."},
		{"asset tag of a slot", "cmd/dmidecode.txt", "\tAsset Tag: P1-DIMMA1_AssetTag (date:20/33)"},
		{"placeholder", "cmd/dmidecode.txt", "\tAsset Tag: 9876543210"},
		{"root hub", "cmd/dmesg.txt", "[    1.0] usb usb1: SerialNumber: 0000:00:14.0"},
		{"root hub without an address", "cmd/dmesg.txt", "[    1.0] usb usb3: SerialNumber: xhci-hcd.1.auto"},
		{"ZFS loads", "cmd/dmesg.txt", "[    3.3] ZFS: Loaded module v2.1.11-1, ZFS pool version 5000"},
		{"named mapping", "cmd/dmesg.txt", "rd.luks.name=5e3fda33-1a2b-4c5d-8e9f-0a1b2c3d4e5f=tresorbox ro"},
		{"links by WWN", "attach/some.txt", "/dev/disk/by-id/wwn-0x5000000000123abc"},
		{"field of Mellanox", "cmd/lspci-vvv.txt", "\t\t\t[VA] Vendor specific: MLX:MN=MLNX:CSKU=V2:UUID=V3:PCI=V0:MODL=CX623106A"},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := redact.New(redact.Key{1})
			if err := r.Learn(test.member, strings.NewReader(test.text)); err != nil {
				t.Fatal(err)
			}
			var b strings.Builder
			if err := r.Rewrite(test.member, &b, strings.NewReader(test.text)); err != nil {
				t.Fatal(err)
			}
			places, err := SearchText(test.member, strings.NewReader(b.String()), nil)
			if err != nil {
				t.Fatal(err)
			}
			for _, p := range places {
				t.Errorf("%s in %s", p, b.String())
			}
		})
	}
}

// TestHarmless tells pseudonyms and blanks from what looks a little like them.
func TestHarmless(t *testing.T) {
	for value, want := range map[string]bool{
		"00-76-97-75-73-06": false, // digits alone, as the partition of a disk ends
		"00-76-97-75-7a-06": false,
		"00000000-02":       true, // a disk without a signature
		"4c5a1f0e-02":       false,
		"XXXX":              true,
	} {
		if got := harmless(value); got != want {
			t.Errorf("%s: %v", value, got)
		}
	}
}
