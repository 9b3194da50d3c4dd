package parse_test

import (
	"strings"
	"testing"

	"hwcap/parse"
	"hwcap/parse/fact"
)

const (
	ringText = "[    0.000000] Linux version 6.1.0 (builder@example) #1 SMP\n" +
		"[    1.204512] pcieport 0000:00:1c.0: AER: enabled with IRQ 122\n" +
		"[    9.000000] x: y\n[    9.000001] x: y\n"
	floodText = "[  812.000001] pcieport 0000:00:1c.0: AER: Corrected error message received from 0000:01:00.0\n" +
		"[  812.000013] nvme 0000:01:00.0: PCIe Bus Error: severity=Corrected, type=Physical Layer, (Receiver ID)\n" +
		"[  812.000017] nvme 0000:01:00.0:   device [144d:a808] error status/mask=00000001/00006000\n"
	ethtoolText = "Settings for eth0:\n\tSpeed: 10000Mb/s\n\tDuplex: Full\n\tLink detected: yes\n"
)

// TestSecondText holds what becomes of two texts of a kind.
func TestSecondText(t *testing.T) {
	openAll := func(t *testing.T, members ...entry) *fact.Machine {
		t.Helper()
		m, err := open(tarOf(t, members...), parse.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	t.Run("a second log with other messages", func(t *testing.T) {
		m := openAll(t, entry{name: "full-dmesg.txt", data: ringText}, entry{name: "error.txt", data: floodText})
		if got := problem(m, "error.txt"); got != "a second kernel log (lines: 3), not read beside full-dmesg.txt: open it alone with hwcap report error.txt" {
			t.Errorf("problems %v", m.Problems)
		}
		if s := m.Source("dmesg"); s.State != fact.Truncated || s.Path != "full-dmesg.txt" || s.Bytes != int64(len(ringText)) || m.Log.State != fact.Truncated {
			t.Errorf("source %+v, log %s: silence is not known", s, m.Log.State)
		}
	})
	t.Run("an excerpt of the log", func(t *testing.T) {
		m := openAll(t, entry{name: "dmesg.txt", data: ringText + floodText}, entry{name: "error.txt", data: floodText})
		if m.Log.State != fact.Present || len(m.Log.AER) != 1 || m.Log.AER[0].Count != 1 {
			t.Errorf("log %s, %+v", m.Log.State, m.Log.AER)
		}
	})
	t.Run("the journal of the same boot goes back further", func(t *testing.T) {
		journal := strings.ReplaceAll(ringText+floodText, "] ", "] host kernel: ")
		m := openAll(t, entry{name: "journal.txt", data: journal},
			entry{name: "dmesg.txt", data: "[    1.204512] pcieport 0000:00:1c.0: AER: enabled with IRQ 122\n" + floodText})
		if m.Log.State != fact.Present || len(m.Log.Files) == 0 || len(m.Log.AER) != 1 || m.Log.AER[0].Count != 1 || !m.Log.FromBoot.V {
			t.Errorf("log %s of %d files, from boot %+v, %+v, problems %v", m.Log.State, len(m.Log.Files), m.Log.FromBoot, m.Log.AER, m.Problems)
		}
	})
	t.Run("texts of several interfaces", func(t *testing.T) {
		m := openAll(t, entry{name: "ethtool_eth0.txt", data: ethtoolText},
			entry{name: "ethtool_eth1.txt", data: strings.ReplaceAll(ethtoolText, "eth0", "eth1")},
			entry{name: "ethtool-i-eth0.txt", data: "driver: ixgbe\nversion: 6.1.0\nfirmware-version: 0x80000835\nbus-info: 0000:01:00.0\n"})
		if len(m.Net) != 2 || m.Source("ethtool").Bytes != int64(len(ethtoolText)) {
			t.Errorf("%d interfaces, source %+v", len(m.Net), m.Source("ethtool"))
		}
		for _, p := range m.Problems {
			if strings.Contains(p.Text, "second") {
				t.Errorf("problem %v", p)
			}
		}
	})
	t.Run("listings of one machine", func(t *testing.T) {
		m := openAll(t, entry{name: "lspci.txt", data: "00:00.0 Host bridge: Example A\n01:00.0 Ethernet controller: Example B\n"},
			entry{name: "lspci-vv.txt", data: "01:00.0 Ethernet controller: Example B\n\tKernel driver in use: ixgbe\n"})
		if len(m.PCI) != 2 || m.PCI[1].Driver != "ixgbe" {
			t.Errorf("functions %+v, problems %v", m.PCI, m.Problems)
		}
	})
	t.Run("a rotated mcelog that was copied", func(t *testing.T) {
		check := func(n string) string {
			return "Hardware event. This is not a software error.\nMCE 0\nCPU 0 BANK 5\nTIME 1700000" + n + " Tue Nov 14 22:13:20 2023\nSTATUS 8c00004000010092 MCGSTATUS 0\n"
		}
		m := openAll(t, entry{name: "mcelog", data: check("002")}, entry{name: "mcelog.1", data: check("001")}, entry{name: "mcelog.old", data: check("001")})
		if len(m.RAS.MachineChecks.V) != 2 {
			t.Errorf("%d machine checks", len(m.RAS.MachineChecks.V))
		}
	})
	t.Run("a name that a shell would run", func(t *testing.T) {
		m := openAll(t, entry{name: "a.txt", data: ringText}, entry{name: "b;reboot", data: floodText})
		if got := problem(m, "b;reboot"); !strings.HasSuffix(got, "hwcap report FILE") {
			t.Errorf("problem %q", got)
		}
	})
}
