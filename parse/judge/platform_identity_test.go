package judge

import (
	"strings"
	"testing"

	"hwcap/parse/fact"
)

func TestPlatformIdentity(t *testing.T) {
	play(t, platformIdentity, []scene{
		{"machine", server(), []string{"machine machine"}},
		{"virtual machine", server(inGuest), []string{"guest machine"}},
		{"board without DMI", server(onDeviceTree), []string{"machine machine"}},
		{"nothing known", func() *fact.Machine { return &fact.Machine{PCI: []fact.Device{{Address: drive}}} }, []string{"unread machine"}},
		{"a single file that says nothing", func() *fact.Machine { return &fact.Machine{} }, nil},
	})
}

func TestTaintFlags(t *testing.T) {
	for decimal, want := range map[string]string{
		"0": "", "12288": "O E", "4097": "P O", "524288": "J", "1048576": "20", "x": "", "18446744073709551616": "",
	} {
		if got := strings.Join(taintFlags(decimal), " "); got != want {
			t.Errorf("taint %s is %q, want %q", decimal, got, want)
		}
	}
}

func TestBootParameters(t *testing.T) {
	const cmdline = `root=/dev/sda1 pci=nocrs,noaer pcie_ports=compat "pcie_ports=native" quiet -- pci=nommconf`
	if v, set := bootParameter(cmdline, "pcie_ports"); v != "native" || !set {
		t.Errorf("pcie_ports is %q, want the last one, native", v)
	}
	if v, set := bootParameter(cmdline, "quiet"); v != "" || !set {
		t.Errorf("quiet: %q, %v, want set without a value", v, set)
	}
	for option, want := range map[string]bool{"noaer": true, "nocrs": true, "nommconf": false, "no": false} {
		if got := bootOption(cmdline, "pci", option); got != want {
			t.Errorf("pci=%s: %v, want %v", option, got, want)
		}
	}
}
