package parse_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"

	"hwcap/parse"
	"hwcap/parse/fact"
)

const (
	unameText = "Linux host.example.net 6.1.0-1-amd64 #1 SMP PREEMPT_DYNAMIC Mon Jan 2 03:04:05 UTC 2026 x86_64 x86_64 x86_64 GNU/Linux\n"
	dateText  = "Mon Nov 30 17:59:21 UTC 2026\n"
	mark      = "#==[ Command ]======================================#\n"
	markFile  = "#==[ Configuration File ]===========================#\n"
	markLog   = "#==[ Log File ]=====================================#\n"
)

// lspciBare is what lspci prints of the same functions without -vv.
const lspciBare = "c2:02.0 PCI bridge: Example Root Port\nc3:00.0 Co-processor: Example Accelerator\n"

// hardware is a text of supportconfig with some of its sections.
const hardware = "#==[ Verification ]=================================#\n# rpm -V hwinfo-21.82-1.1.x86_64\n# Verification Status: Passed\n\n" +
	mark + "# /usr/bin/lscpu\nArchitecture:        x86_64\n\n" +
	markFile + "# /proc/cpuinfo\nprocessor\t: 0\nmodel name\t: Example CPU\nprocessor\t: 1\nmodel name\t: Example CPU\n\n\n" +
	markFile + "# /proc/cmdline\nquiet splash\n\n\n" +
	markFile + "# /proc/ioports - File not found\n\n" +
	mark + "# /usr/sbin/hwinfo --all\n  <6>[    9.000000] pci 0000:99:00.0: not of the kernel log\n99:00.0 Host bridge: not of lspci\n\n" +
	mark + "# /usr/sbin/dmidecode\n/dev/mem: Permission denied\n\n" +
	mark + "# /sbin/lspci -nn\n" + "c2:02.0 PCI bridge [0604]: Example Root Port [8086:347a]\nc3:00.0 Co-processor [0b40]: Example Accelerator [8086:0435]\n\n" +
	mark + "# /sbin/lspci -vvv\n" + "c2:02.0 PCI bridge: Example Root Port (prog-if 00 [Normal decode])\n\tBus: primary=c2, secondary=c3, subordinate=c5, sec-latency=0\n\n" +
	"c3:00.0 Co-processor: Example Accelerator\n\tIOMMU group: 6\n\tKernel driver in use: dh895xcc\n\n" +
	mark + "# ras-mc-ctl --summary\nERROR: Command not found or not executable\n\n"

const supportconfigBoot = mark + "# /bin/uname -a\n" + unameText + "\n" +
	mark + "# /bin/date\n" + dateText + "\n" +
	mark + "# /bin/dmesg -T | grep taint\n[Mon Nov 30 12:14:56 2026] taint\n\n" +
	mark + "# /usr/bin/journalctl --no-pager --boot 0\nNov 30 12:14:56 host kernel: Linux version 6.1.0 (builder@example.net) #1 SMP\n\n" +
	mark + "# /bin/dmesg -T\n[Mon Nov 30 12:14:56 2026] Linux version 6.1.0 (builder@example.net) #1 SMP\n"

const supportconfigLog = markLog + "# /var/log/messages - Last 500 Lines\n2026-11-29T12:14:56.000000+01:00 host kernel: [    0.000000] Linux version 6.0.0 (builder@example.net) #1 SMP\n"

// bundles are made of our own texts as the tools would arrange them.
var bundles = map[string][]entry{
	"sosreport": {
		{name: "sosreport-host-2026-11-30-abcdefg/version.txt", data: "sosreport: 4.8.2\n"},
		{name: "sosreport-host-2026-11-30-abcdefg/lspci", kind: '2', link: "sos_commands/pci/lspci_-nnvv"},
		{name: "sosreport-host-2026-11-30-abcdefg/sos_commands/hardware/dmidecode", data: "# dmidecode 3.4\n/dev/mem: Permission denied\n"},
		{name: "sosreport-host-2026-11-30-abcdefg/sos_commands/kernel/dmesg", data: dmesgText},
		{name: "sosreport-host-2026-11-30-abcdefg/sos_commands/kernel/dmesg_-T", data: "[Mon Nov 30 12:14:56 2026] Linux version 6.1.0\n" + strings.Repeat("[Mon Nov 30 12:14:57 2026] x\n", 100)},
		{name: "sosreport-host-2026-11-30-abcdefg/sos_commands/kernel/uname_-a", data: unameText},
		{name: "sosreport-host-2026-11-30-abcdefg/sos_commands/date/date", data: "Mon Nov 30 18:59:21 CET 2026\n"},
		{name: "sosreport-host-2026-11-30-abcdefg/sos_commands/date/date_--utc", data: dateText},
		{name: "sosreport-host-2026-11-30-abcdefg/sos_commands/logs/journalctl_--no-pager_--boot_-1", data: "Nov 29 12:14:56 host kernel: Linux version 6.0.0 x\n"},
		{name: "sosreport-host-2026-11-30-abcdefg/sos_commands/logs/journalctl_--no-pager", data: strings.Repeat("Nov 29 12:14:56 host kernel: Linux version 6.0.0 x\n", 500)},
		{name: "sosreport-host-2026-11-30-abcdefg/sos_commands/networking/ethtool_eth0", data: "Settings for eth0:\n\tSpeed: 10000Mb/s\n"},
		{name: "sosreport-host-2026-11-30-abcdefg/sos_commands/networking/namespaces/x/ethtool_eth9", data: "Settings for eth9:\n\tSpeed: 10Mb/s\n"},
		{name: "sosreport-host-2026-11-30-abcdefg/sos_commands/pci/lspci_-nnvv", data: lspciText},
		{name: "sosreport-host-2026-11-30-abcdefg/sos_commands/pci/lspci_-tv", data: "-[0000:c2]---02.0-[c3]----00.0  Example Accelerator\n"},
		{name: "sosreport-host-2026-11-30-abcdefg/proc/cmdline", data: "quiet splash\n"},
		{name: "sosreport-host-2026-11-30-abcdefg/usr/lib/os-release", data: "PRETTY_NAME=\"Example Linux\"\n"},
		{name: "sosreport-host-2026-11-30-abcdefg/var/log/messages", data: strings.Repeat(dmesgText, 100)},
	},
	"insights": {
		{name: "insights-host-20261130175921/data/insights_commands/dmesg", data: dmesgText},
		{name: "insights-host-20261130175921/data/insights_commands/lspci_-k", data: lspciBare},
		{name: "insights-host-20261130175921/data/insights_commands/lspci_-vmmkn", data: "Slot:\tc2:02.0\nClass:\t0604\nVendor:\t8086\nDevice:\t347a\n\nSlot:\tc3:00.0\nClass:\t0b40\nVendor:\t8086\nDevice:\t0435\nDriver:\tdh895xcc\n\n"},
		{name: "insights-host-20261130175921/data/insights_commands/uname_-a", data: unameText},
		{name: "insights-host-20261130175921/data/insights_commands/date_--utc", data: dateText},
		{name: "insights-host-20261130175921/data/insights_commands/dmidecode", data: "timeout: failed to run command '/usr/sbin/dmidecode': No such file or directory\n"},
		{name: "insights-host-20261130175921/data/proc/cmdline", data: "quiet splash\n"},
		{name: "insights-host-20261130175921/meta_data/insights.specs.Specs.dmesg.json", data: "{}"},
	},
	"hw-probe": {
		{name: "hw.info/logs/dmesg", data: dmesgText},
		{name: "hw.info/logs/dmidecode", data: "/dev/mem: Permission denied\n"},
		{name: "hw.info/logs/lspci", data: "Device:\tc2:02.0\nClass:\tPCI bridge [0604]\n\nDevice:\tc3:00.0\nClass:\tCo-processor [0b40]\n\n"},
		{name: "hw.info/logs/lspci_all", data: lspciText},
		{name: "hw.info/host", data: "arch:x86_64\nkernel:6.1.0-1-amd64\nprobe_ver:1.6\n"},
		{name: "hw.info/devices", data: "pci:8086-0435;0b-40-00;detected;co-processor;dh895xcc;Example;Example\n"},
	},
	"supportconfig": {
		{name: "scc_host_261130_1859/basic-environment.txt", data: "=====\n Support Utilities - Supportconfig\n=====\n\n"},
		{name: "scc_host_261130_1859/boot.txt", data: supportconfigBoot},
		{name: "scc_host_261130_1859/hardware.txt", data: hardware},
		{name: "scc_host_261130_1859/messages.txt", data: supportconfigLog},
		{name: "scc_host_261130_1859/mpio.txt", data: mark + "# /sbin/lspci -b\n" + lspciBare},
		{name: "scc_host_261130_1859/proc.txt", data: markFile + "# /proc/cmdline\nquiet splash\n\n" + markFile + "# /proc/crypto\n" + strings.ReplaceAll(cryptoText+cryptoText, "\n\n", "\n")},
	},
}

func TestBundles(t *testing.T) {
	schema := factsSchema(t)
	type row struct {
		Path  string
		State fact.State
	}
	const present, denied, truncated, absent = fact.Present, fact.Denied, fact.Truncated, fact.Absent
	for format, want := range map[string]struct {
		sources    map[string]row
		tool, host string
		start      string
	}{
		"sosreport": {map[string]row{
			"lspci-vvv":    {"sos_commands/pci/lspci_-nnvv", present},
			"lspci-tv":     {"sos_commands/pci/lspci_-tv", present},
			"dmesg":        {"sos_commands/kernel/dmesg", present},
			"journal-k-1":  {"sos_commands/logs/journalctl_--no-pager_--boot_-1", present},
			"dmidecode":    {"sos_commands/hardware/dmidecode", denied},
			"ethtool":      {"sos_commands/networking/ethtool_eth0", present},
			"proc-cmdline": {"proc/cmdline", present},
			"os-release":   {"usr/lib/os-release", present},
		}, "sosreport 4.8.2", "host.example.net", "2026-11-30T17:59:21Z"},
		"insights": {map[string]row{
			"lspci-vvv":    {"insights_commands/lspci_-vmmkn", present},
			"dmesg":        {"insights_commands/dmesg", truncated},
			"dmidecode":    {"insights_commands/dmidecode", absent},
			"proc-cmdline": {"proc/cmdline", present},
		}, "", "host.example.net", "2026-11-30T17:59:21Z"},
		"hw-probe": {map[string]row{
			"lspci-vvv": {"hw.info/logs/lspci_all", present},
			"dmesg":     {"hw.info/logs/dmesg", present},
			"dmidecode": {"hw.info/logs/dmidecode", denied},
		}, "hw-probe 1.6", "", ""},
		"supportconfig": {map[string]row{
			"lspci-vvv":    {"scc_host_261130_1859/hardware.txt", present},
			"dmesg":        {"scc_host_261130_1859/boot.txt", present},
			"journal-k":    {"scc_host_261130_1859/boot.txt", present},
			"dmidecode":    {"scc_host_261130_1859/hardware.txt", denied},
			"lscpu":        {"scc_host_261130_1859/hardware.txt", present},
			"proc-cmdline": {"scc_host_261130_1859/hardware.txt", present},
			"proc-cpuinfo": {"scc_host_261130_1859/hardware.txt", present},
			"proc-crypto":  {"scc_host_261130_1859/proc.txt", present},
			"ras-summary":  {"scc_host_261130_1859/hardware.txt", absent},
		}, "", "host.example.net", "2026-11-30T17:59:21Z"},
	} {
		t.Run(format, func(t *testing.T) {
			m, err := open(gzipOf(t, tarOf(t, bundles[format]...)), parse.Limits{})
			if err != nil {
				t.Fatal(err)
			}
			validate(t, schema, format, m)
			got := map[string]row{}
			for _, s := range m.Sources {
				got[s.Name] = row{s.Path, s.State}
			}
			if diff := cmp.Diff(want.sources, got); diff != "" {
				t.Errorf("sources (-want +got):\n%s", diff)
			}
			c := m.Capture
			if c.Format != format || c.Tool != want.tool || c.Host != want.host || c.Start != want.start || c.Arch != "x86_64" {
				t.Errorf("capture %+v", c)
			}
			if c.Kernel != "6.1.0-1-amd64" || m.Platform.Kernel.At.IsZero() {
				t.Errorf("kernel %q, %+v", c.Kernel, m.Platform.Kernel)
			}
			d := m.Device("0000:c3:00.0")
			if len(m.PCI) != 2 || d == nil || d.Class != "0b40" || d.Vendor != "8086" && format != "hw-probe" || d.Driver != "dh895xcc" {
				t.Errorf("%d functions, %+v", len(m.PCI), d)
			}
			if want := want.sources["lspci-vvv"].Path; d != nil && d.From.File != want {
				t.Errorf("evidence in %q, want %q", d.From.File, want)
			}
			if format != "insights" && format != "hw-probe" && (m.Platform.Cmdline.V != "quiet splash" || m.Log.State != fact.Present) {
				t.Errorf("command line %+v, log %s", m.Platform.Cmdline, m.Log.State)
			}
			if format == "insights" && m.Log.State != fact.Truncated {
				t.Errorf("log %s, although insights keeps some lines only", m.Log.State)
			}
			for _, n := range m.Log.Notes {
				if n.Boot == 0 && n.Fields["release"] == "6.0.0" {
					t.Errorf("a message of an older boot: %+v", n)
				}
			}
		})
	}
}

// TestBundleOrder holds that the order of the members changes nothing.
func TestBundleOrder(t *testing.T) {
	for format, entries := range bundles {
		want, err := open(tarOf(t, entries...), parse.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		var backwards []entry
		for _, e := range entries {
			backwards = append([]entry{e}, backwards...)
		}
		got, err := open(tarOf(t, backwards...), parse.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		// Of several copies of a file the first is taken.
		got.Platform.Cmdline.At, want.Platform.Cmdline.At = fact.Line{}, fact.Line{}
		for _, m := range []*fact.Machine{got, want} {
			for i := range m.Sources {
				if s := &m.Sources[i]; s.Name == "proc-cmdline" {
					s.Path, s.Bytes = "", 0
				}
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s backwards (-want +got):\n%s", format, diff)
		}
	}
}

// TestSupportconfigLines holds that what is read of a section stands on the
// line that evidence cites.
func TestSupportconfigLines(t *testing.T) {
	m, err := open(tarOf(t, bundles["supportconfig"]...), parse.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	lines := map[string][]string{}
	for _, e := range bundles["supportconfig"] {
		lines[e.name] = strings.Split(e.data, "\n")
	}
	d := m.Device("0000:c3:00.0")
	for what, at := range map[string]fact.Line{
		"function": d.From, "driver": d.DriverAt, "command line": m.Platform.Cmdline.At, "processor": m.Platform.CPU.At,
		"kernel": m.Platform.Kernel.At, "algorithm": m.Crypto.Algorithms[0].From, "log": m.Log.Files[0].FirstAt, "journal": m.Log.Files[1].FirstAt,
	} {
		text := lines[at.File]
		if at.Line < 1 || at.Line > len(text) || strings.TrimSpace(text[at.Line-1]) != strings.TrimSpace(at.Text) || at.Text == "" {
			t.Errorf("%s: %+v stands elsewhere", what, at)
		}
	}
	if cpus := m.Platform.CPUs.V; cpus != 2 {
		t.Errorf("%d processors", cpus)
	}
	for _, u := range m.Unread {
		if u.Lines > 0 {
			t.Errorf("unread: %+v", u)
		}
	}
}

// TestSupportconfigText opens one text of supportconfig alone, whole and
// broken off inside a section.
func TestSupportconfigText(t *testing.T) {
	m, err := open([]byte(hardware), parse.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	if m.Capture.Format != "supportconfig" || len(m.PCI) != 2 || m.Platform.Cmdline.V != "quiet splash" {
		t.Errorf("capture %+v, %d functions, command line %+v", m.Capture, len(m.PCI), m.Platform.Cmdline)
	}
	packed := gzipOf(t, []byte(strings.Repeat("#==[ Note ]===#\n# x\n", 5)+markFile+"# /proc/modules\n"+strings.Repeat("xfs 1 0 - Live 0x0\n", 100_000)))
	m, err = open(packed[:len(packed)-20], parse.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	if s := m.Source("proc-modules"); s.State != fact.Truncated || m.Platform.Modules.State != fact.Truncated || !m.Capture.CutOff {
		t.Errorf("cut off %v, source %+v, modules %s", m.Capture.CutOff, s, m.Platform.Modules.State)
	}
}

// TestBundleFolder opens the folder that gives a bundle its name, and the one
// around it.
func TestBundleFolder(t *testing.T) {
	top := t.TempDir()
	for _, e := range bundles["hw-probe"] {
		name := filepath.Join(top, filepath.FromSlash(e.name))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(e.data), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, dir := range []string{top, filepath.Join(top, "hw.info")} {
		m, err := parse.Open(dir, parse.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if m.Capture.Format != "hw-probe" || m.Source("lspci-vvv").Path != "hw.info/logs/lspci_all" {
			t.Errorf("%s: capture %+v, sources %+v", dir, m.Capture, m.Sources)
		}
	}
}

// wide encodes text in UTF-16.
func wide(text string, big, marked bool) []byte {
	var out []byte
	units := utf16.Encode([]rune(text))
	if marked {
		units = append([]uint16{0xfeff}, units...)
	}
	for _, u := range units {
		if big {
			out = append(out, byte(u>>8), byte(u))
		} else {
			out = append(out, byte(u), byte(u>>8))
		}
	}
	return out
}

// TestUTF16 reads text as PowerShell writes it, alone and inside an archive,
// and in a text of supportconfig.
func TestUTF16(t *testing.T) {
	text := strings.Replace(lspciText, "Example", "Größe „x“ 𝄞", 1)
	for name, data := range map[string][]byte{
		"little-endian": wide(text, false, true), "big-endian": wide(text, true, true),
		"little-endian without a mark": wide(text, false, false), "big-endian without a mark": wide(text, true, false),
	} {
		t.Run(name, func(t *testing.T) {
			alone, err := parse.Read(bytes.NewReader(data), "lspci.txt", parse.Options{})
			if err != nil {
				t.Fatal(err)
			}
			inside, err := open(tarOf(t, entry{name: "case/lspci.txt", data: string(data)}), parse.Limits{})
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range []*fact.Machine{alone, inside} {
				d := m.Device("0000:c2:02.0")
				if d == nil || !strings.HasPrefix(d.Name, "Größe „x“ 𝄞") || d.From.Line != 1 {
					t.Errorf("device %+v", d)
				}
			}
		})
	}
}
