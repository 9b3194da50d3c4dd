package leak

import (
	"strings"
	"testing"
)

func TestBoot(t *testing.T) {
	for line, want := range map[string]string{
		"resume=/dev/disk/by-label/kestrelswap":               "kestrelswap",
		"root=/dev/disk/by-partlabel/cryptroot":               "",
		"root=zfs:tankwest/root":                              "tankwest/root",
		"root=zfs:AUTO":                                       "",
		"systemd-cryptsetup@vaultwest.service":                "vaultwest",
		"Cryptography Setup for vaultwest...":                 "vaultwest",
		"SPL: using hostid 0x1a2b3c4d":                        "1a2b3c4d",
		"SPL: using hostid 0x00000000":                        "",
		"/docker/" + strings.Repeat("9f2b7c01", 8):            strings.Repeat("9f2b7c01", 8),
		"docker-9066877" + strings.Repeat("1", 57) + ".scope": "",
	} {
		got := ""
		tell := func(_ Way, _, value string) { got = value }
		phrased(line, tell)
		inContainer(line, tell)
		if got != want {
			t.Errorf("%s: found %q, want %q", line, got, want)
		}
	}
}
