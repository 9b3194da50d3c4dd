package parse_test

import (
	"archive/tar"
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hwcap/parse"
	"hwcap/parse/fact"
)

// sight is what the facts of a mixed text are told apart by.
type sight struct {
	Format     string
	Devices    []string // "address line", and " xN" for several listings
	Notes      []string // "kind line"
	Algorithms []string
	FromBoot   bool
	Unread     fact.Unread
	Problems   []string
}

func look(m *fact.Machine) sight {
	s := sight{Format: m.Capture.Format, FromBoot: m.Log.FromBoot.V}
	for _, d := range m.PCI {
		text := fmt.Sprintf("%s %d", d.Address, d.From.Line)
		if d.Listings > 1 {
			text += fmt.Sprintf(" x%d", d.Listings)
		}
		s.Devices = append(s.Devices, text)
	}
	for _, n := range m.Log.Notes {
		s.Notes = append(s.Notes, fmt.Sprintf("%s %d", n.Kind, n.At.Line))
	}
	for _, a := range m.Crypto.Algorithms {
		s.Algorithms = append(s.Algorithms, fmt.Sprintf("%s %d", a.Driver, a.From.Line))
	}
	for _, p := range m.Problems {
		s.Problems = append(s.Problems, fmt.Sprintf("%d: %s", p.Line, p.Text))
	}
	if len(m.Unread) > 0 {
		s.Unread = m.Unread[0]
		s.Unread.File = ""
	}
	return s
}

const (
	host   = "00:1f.0 ISA bridge: Example LPC\n\tKernel driver in use: lpc_ich\n"
	aes    = "name         : aes\ndriver       : aes-generic\nmodule       : kernel\npriority     : 100\n"
	boot   = "[    0.000000] Linux version 6.1.0 (builder@example.net) #1 SMP\n"
	iommu  = "[    0.100000] DMAR: IOMMU enabled\n"
	random = "[    1.000000] random: crng init done\n"
)

func TestSections(t *testing.T) {
	for situation, tc := range map[string]struct {
		text string
		want sight
	}{
		"lspci, then a log": {host + "\n" + boot + iommu, sight{
			Format: "lspci, kernel log", Devices: []string{"0000:00:1f.0 1"}, Notes: []string{"linux-version 4", "iommu-param 5"}, FromBoot: true,
			Unread: fact.Unread{Of: 5, Ignored: 1},
		}},
		"a log, then lspci, then more log": {boot + random + host + iommu, sight{
			Format: "kernel log, lspci", Devices: []string{"0000:00:1f.0 3"}, Notes: []string{"linux-version 1", "iommu-param 5"}, FromBoot: true,
			Unread: fact.Unread{Of: 5, Ignored: 1},
		}},
		"all three of a console": {"root@host:~# dmesg\n" + iommu + "root@host:~# lspci -k\n" + host + "\nroot@host:~# cat /proc/crypto\n" + aes, sight{
			Format: "kernel log, lspci, /proc/crypto", Devices: []string{"0000:00:1f.0 4"}, Notes: []string{"iommu-param 2"}, Algorithms: []string{"aes-generic 8"},
			Unread: fact.Unread{Of: 11, Ignored: 4},
		}},
		"a prompt tells what untimed lines are of": {"# dmesg -t | grep -i iommu\nDMAR: IOMMU enabled\n# cat /proc/meminfo\nDMAR: IOMMU enabled\n# lspci\n" + host, sight{
			Format: "kernel log, lspci", Devices: []string{"0000:00:1f.0 6"}, Notes: []string{"iommu-param 2"},
			Unread:   fact.Unread{Of: 7, Lines: 1, Ignored: 3},
			Problems: []string{"4: 1 of 7 lines were not read, this is the first: hwcap knows no text with such lines; it read 1 of lines 2 to 2 as kernel log, 3 of lines 5 to 7 as lspci"},
		}},
		"two listings and prose around a log": {"Hello,\n\n" + host + "\n" + iommu + "\nAnd again:\n" + host + "\nBye\n", sight{
			Format: "lspci, kernel log", Devices: []string{"0000:00:1f.0 3 x2"}, Notes: []string{"iommu-param 6"},
			Unread:   fact.Unread{Of: 12, Lines: 3, Ignored: 4},
			Problems: []string{"8: 1 of 12 lines were not read, this is the first: hwcap knows no text with such lines; it read 9 of lines 1 to 12 as lspci, 2 of lines 6 to 7 as kernel log"},
		}},
		"prose before a log with stamps": {"It hangs.\nThis is the log.\n" + boot + iommu, sight{
			Format: "kernel log", Notes: []string{"linux-version 3", "iommu-param 4"}, FromBoot: true,
			Unread:   fact.Unread{Of: 4, Lines: 2},
			Problems: []string{"1: 2 of 4 lines were not read, this is the first: hwcap knows no text with such lines; it read 2 of lines 3 to 4 as kernel log"},
		}},
		"a message that a mailer wrapped is no prose": {boot + "[    0.100000] DMAR:\nIOMMU\nenabled\n" + random, sight{
			Format: "kernel log", Notes: []string{"linux-version 1", "iommu-param 2"}, FromBoot: true,
			Unread: fact.Unread{Of: 5, Ignored: 1},
		}},
		"what goes on for long without a stamp is": {iommu + "one\ntwo\nthree\nfour\nfive\n" + random, sight{
			Format: "kernel log", Notes: []string{"iommu-param 1"},
			Unread:   fact.Unread{Of: 7, Lines: 2, Ignored: 1},
			Problems: []string{"5: 2 of 7 lines were not read, this is the first: hwcap knows no text with such lines; it read 5 of lines 1 to 7 as kernel log"},
		}},
		"a log without stamps keeps all": {"DMAR: IOMMU enabled\npcieport 0000:00:1c.0: PME: Signaling with IRQ 24\nx2apic enabled\n", sight{
			Format: "kernel log", Notes: []string{"iommu-param 1", "pme 2", "x2apic 3"},
		}},
		"/proc/version begins no log": {"Linux version 6.1.0 (builder@example.net) #1 SMP\n\n" + host, sight{
			Format: "kernel log, lspci", Devices: []string{"0000:00:1f.0 3"}, Notes: []string{"linux-version 1"},
			Unread: fact.Unread{Of: 4, Ignored: 1},
		}},
		"what only looks like a kind": {host + "\ngrep selftest /proc/crypto\nselftest     : passed\n", sight{
			Format: "lspci", Devices: []string{"0000:00:1f.0 1"},
			Unread:   fact.Unread{Of: 5, Lines: 2, Ignored: 1},
			Problems: []string{"5: 1 of 5 lines were not read, this is the first: hwcap knows no text with such lines; it read 4 of lines 1 to 4 as lspci"},
		}},
		"a report of amd-s2idle": {"2026-11-30 12:14:56,001 INFO:\tDebugging script\n2026-11-30 12:14:56,002 DEBUG:\tLinux version 6.1.0\n2026-11-30 12:14:56,003 DEBUG:\tDMAR: IOMMU enabled\n", sight{
			Format: "kernel log", Notes: []string{"linux-version 2", "iommu-param 3"}, FromBoot: true,
			Unread:   fact.Unread{Of: 3, Lines: 1},
			Problems: []string{"1: 1 of 3 lines were not read, this is the first: hwcap knows no text with such lines; it read 2 of lines 2 to 3 as kernel log"},
		}},
	} {
		t.Run(situation, func(t *testing.T) {
			for ends, text := range map[string]string{"LF": tc.text, "CRLF": strings.ReplaceAll(tc.text, "\n", "\r\n")} {
				m, err := open([]byte(text), parse.Limits{})
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(tc.want, look(m)); diff != "" {
					t.Errorf("with %s (-want +got):\n%s", ends, diff)
				}
				if got := len(m.Log.Files); got > 0 && m.Log.Files[0].Lines > strings.Count(text, "\n") {
					t.Errorf("log of %d lines", m.Log.Files[0].Lines)
				}
			}
		})
	}
}

// TestSectionLinesAreTrue holds that each line that a fact of a mixed text
// cites is the line of that number.
func TestSectionLinesAreTrue(t *testing.T) {
	var b strings.Builder
	for i := range 50 {
		fmt.Fprintf(&b, "%02x:00.0 Non-Volatile memory controller: Example\n\tKernel driver in use: nvme\n\n[%5d.000000] pci 0000:%02x:00.0: Adding to iommu group %d\nprose\n\n", i, i, i, i)
		fmt.Fprintf(&b, "name         : aes\ndriver       : aes-%d\npriority     : 100\n", i)
	}
	lines := strings.Split(b.String(), "\n")
	m, err := open([]byte(b.String()), parse.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	cited := 0
	holds := func(at fact.Line) {
		cited++
		if strings.TrimSpace(lines[at.Line-1]) != strings.TrimSpace(at.Text) {
			t.Errorf("line %d is %q, not %q", at.Line, lines[at.Line-1], at.Text)
		}
	}
	for _, d := range m.PCI {
		holds(d.From)
		holds(d.DriverAt)
	}
	for _, n := range m.Log.Notes {
		holds(n.At)
	}
	for _, a := range m.Crypto.Algorithms {
		holds(a.From)
		holds(a.DriverAt)
		holds(a.PriorityAt)
	}
	if cited != 50*(2+1+3) {
		t.Errorf("%d lines cited", cited)
	}
	for name, s := range map[string]fact.Source{"lspci": m.Source("lspci-vvv"), "log": m.Source("dmesg"), "crypto": m.Source("proc-crypto")} {
		if s.State != fact.Present || s.Bytes == 0 || s.Bytes >= int64(b.Len()) {
			t.Errorf("source %s: %+v", name, s)
		}
	}
}

// TestSectionsBeforeACut holds that half a line is not read, and that all
// parts say that the text broke off.
func TestSectionsBeforeACut(t *testing.T) {
	text := strings.Repeat(random, 5000) + host + "\n" + iommu
	data := gzipOf(t, []byte(text))
	m, err := open(data[:len(data)-20], parse.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	if !m.Capture.CutOff || m.Source("dmesg").State != fact.Truncated || strings.Contains(m.Log.Files[0].FirstAt.Text, "\n") {
		t.Errorf("cut off %v, source %+v", m.Capture.CutOff, m.Source("dmesg"))
	}
}

// TestPartsOfLooseTexts holds that each kind is kept from where most of it is.
func TestPartsOfLooseTexts(t *testing.T) {
	m, err := open(tarOf(t,
		entry{name: "case/report.txt", data: host + "\n" + boot + iommu},
		entry{name: "case/lspci.txt", data: "02:00.0 Host bridge: Other\n01:00.0 Network controller: Example\n01:00.1 Network controller: Example\n"},
	), parse.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	if len(m.PCI) != 3 || m.Source("lspci-vvv").Path != "case/lspci.txt" || m.Source("dmesg").Path != "case/report.txt" {
		t.Errorf("%d functions, sources %+v", len(m.PCI), m.Sources)
	}
	if got := problem(m, "case/report.txt"); got != "its lspci is a second one (lines: 3), not read beside case/lspci.txt: open it alone with hwcap report case/report.txt" {
		t.Errorf("problems %v", m.Problems)
	}
}

// TestSectionMemory holds that a mixed text takes no memory of its size.
func TestSectionMemory(t *testing.T) {
	peak := func(n int) uint64 {
		text := []byte(strings.Repeat(random+"prose\n\n"+host+"\n", n))
		runtime.GC()
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		m, err := open(text, parse.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		runtime.GC()
		runtime.ReadMemStats(&after)
		runtime.KeepAlive(m)
		runtime.KeepAlive(text)
		return max(after.HeapAlloc, before.HeapAlloc) - before.HeapAlloc
	}
	if few, many := peak(100), peak(20_000); many > few+1<<20 {
		t.Errorf("%d bytes are held of a text 200 times as long as one that takes %d", many, few)
	}
}

// FuzzSections holds that a text of any mixture is read with its own line
// numbers, and that no line is accounted for twice.
func FuzzSections(f *testing.F) {
	f.Add(host + "\n" + boot + iommu + aes)
	f.Add("$ dmesg\n" + random + "prose\n\nprose\n# lspci -t\n-[0000:00]---1f.0\n" + host)
	f.Add("Slot:\t00:1f.3\nClass:\t0600\n\n" + `00:1f.3 "Audio device" "Example" "Audio" -r02` + "\n")
	f.Add("No Memory errors.\nMCE events:\n1 2026-01-02 03:04:05 +0000 error: x\nLabel CE UE\na 0 0\n")
	f.Add("| Firmware Requests [AE  0]:  1 |\n| Firmware Responses[AE  0]:  1 |\n2026-11-30 12:14:56,002 DEBUG:\tLinux version 6.1.0\n")
	f.Add(`00:1f.3 "]]>" "[" "] [8086" -r]` + "\nJan  1 00:00:00 host kernel: ] x\nkern  :info  : ] x\n00:00.0 ]]>: ] [0600]: ]\n" + host)
	f.Fuzz(func(t *testing.T, text string) {
		m, err := open([]byte(text), parse.Limits{Total: 1 << 20})
		if err != nil || m.Capture.CutOff || m.Capture.Format == "archive" || strings.HasPrefix(text, "\xff\xfe") || strings.HasPrefix(text, "\xfe\xff") {
			return
		}
		lines := strings.Split(strings.TrimPrefix(text, "\xef\xbb\xbf"), "\n")
		for _, u := range m.Unread {
			if u.Lines+u.Ignored > u.Of || u.Of > len(lines) || u.Lines < 0 || u.Ignored < 0 {
				t.Errorf("%+v of %d lines", u, len(lines))
			}
		}
		for _, d := range m.PCI {
			if at := d.From; at.Line < 1 || at.Line > len(lines) || !strings.Contains(lines[at.Line-1], at.Text) {
				t.Errorf("%s stands at %+v %q", d.Address, at, at.Text)
			}
		}
		for _, n := range m.Log.Notes {
			if at := n.At; at.Line < 1 || at.Line > len(lines) || !strings.Contains(lines[at.Line-1], at.Text) {
				t.Errorf("%s stands at %+v %q", n.Kind, at, at.Text)
			}
		}
	})
}

// BenchmarkSections reads a text whose kind changes all the time.
func BenchmarkSections(b *testing.B) {
	text := []byte(strings.Repeat(host+"\n"+strings.Repeat(random, 20)+"prose\n\n"+aes, 1000))
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := open(text, parse.Limits{}); err != nil {
			b.Fatal(err)
		}
	}
}

// TestLogHead takes from the log what no better source says.
func TestLogHead(t *testing.T) {
	log := "[    0.000000] Linux version 6.1.0-30-amd64 (builder@example.net) #1 SMP Debian 6.1.124-1 (2026-01-12)\n" +
		"[    0.000000] Hypervisor detected: KVM\n" +
		"[    0.000000] DMI: Example Inc. Server 9000/0X1Y2Z, BIOS 2.4.2 (beta) 01/09/2026\n" +
		"[    0.000000] DMI: Memory slots populated: 2/4\n" +
		"[    0.010000] Kernel command line: quiet pcie_acs_override=downstream\n"
	values := func(m *fact.Machine) map[string]string {
		p := m.Platform
		return map[string]string{
			"kernel": p.Kernel.V, "version": p.Version.V, "cmdline": p.Cmdline.V, "product": p.Product.V, "board": p.Board.V,
			"bios": p.BIOSVersion.V, "date": p.BIOSDate.V, "hypervisor": p.Hypervisor.V, "model": p.Model.V, "capture": m.Capture.Kernel,
		}
	}
	want := map[string]string{
		"kernel": "6.1.0-30-amd64", "version": "Linux version 6.1.0-30-amd64 (builder@example.net) #1 SMP Debian 6.1.124-1 (2026-01-12)",
		"cmdline": "quiet pcie_acs_override=downstream", "product": "Example Inc. Server 9000", "board": "0X1Y2Z",
		"bios": "2.4.2 (beta)", "date": "01/09/2026", "hypervisor": "KVM", "model": "", "capture": "6.1.0-30-amd64",
	}
	m, err := open([]byte(log), parse.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, values(m)); diff != "" {
		t.Errorf("a log alone (-want +got):\n%s", diff)
	}
	if at := m.Platform.Cmdline.At; at.Line != 5 || !strings.Contains(at.Text, "Kernel command line: quiet") {
		t.Errorf("command line at %+v", at)
	}

	for situation, tc := range map[string]struct {
		rows string // of the manifest
		want string // kernel, command line, product
	}{
		"what was denied stays missing": {
			`{"name":"proc-version","path":"proc/version","state":"denied"},{"name":"proc-cmdline","path":"proc/cmdline","state":"truncated"},{"name":"dmi","path":"sys/class/dmi/id","state":"absent"},`, ",,"},
		"what nobody asked does not": {
			`{"name":"proc-version","path":"proc/version","state":"not-asked"},`, "6.1.0-30-amd64,quiet pcie_acs_override=downstream,Example Inc. Server 9000"},
	} {
		manifest := `{"schema":"hwcap.capture/1","sources":[` + tc.rows + `{"name":"dmesg","path":"cmd/dmesg.txt","state":"present"}]}`
		m, err := open(tarOf(t, entry{name: "x/cmd/dmesg.txt", data: log}, entry{name: "x/manifest.json", data: manifest}), parse.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join([]string{m.Platform.Kernel.V, m.Platform.Cmdline.V, m.Platform.Product.V}, ","); got != tc.want {
			t.Errorf("%s: %q", situation, got)
		}
	}

	// The file says it better than the log.
	m, err = open(tarOf(t, entry{name: "x/cmd/dmesg.txt", data: log}, entry{name: "x/" + cmdline, data: good.data}), parse.Limits{})
	if err != nil || m.Platform.Cmdline.At.File != cmdline || m.Platform.Kernel.V != "6.1.0-30-amd64" {
		t.Errorf("command line %+v, error %v", m.Platform.Cmdline, err)
	}
}

func TestLogHeadWords(t *testing.T) {
	for line, want := range map[string]string{
		"DMI: Maker X9DRi-LN4+/X9DR3-LN4+/X9DRi-LN4+/X9DR3-LN4+, BIOS 3.4 11/20/2019": "Maker X9DRi-LN4+/X9DR3-LN4+|X9DRi-LN4+/X9DR3-LN4+|3.4|11/20/2019|",
		"DMI: Maker A/B/C/D, BIOS 3.4 11/20/2019":                                     "Maker A/B/C/D||3.4|11/20/2019|",
		"DMI: Maker A/B/C, BIOS 3.4":                                                  "Maker A/B/C||3.4||",
		"DMI: Maker Thing, BIOS 0":                                                    "Maker Thing||0||",
		"DMI: /, BIOS ":                                                               "||||",
		"Machine model: Example Board":                                                "||||Example Board",
	} {
		m, err := open([]byte("[    0.000000] Linux version 6.1.0\n[    0.000000] "+line+"\n"), parse.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		p := m.Platform
		if got := strings.Join([]string{p.Product.V, p.Board.V, p.BIOSVersion.V, p.BIOSDate.V, p.Model.V}, "|"); got != want {
			t.Errorf("%s: %q, want %q", line, got, want)
		}
	}
	for line, want := range map[string]fact.State{
		"quiet": fact.Present, strings.Repeat("x=y ", 250): fact.Truncated, `quiet \`: fact.Truncated,
	} {
		m, err := open([]byte("[    0.000000] Linux version 6.1.0\n[    0.000000] Kernel command line: "+line+"\n"), parse.Limits{})
		if err != nil || m.Platform.Cmdline.State != want {
			t.Errorf("%.20s: %s, %v", line, m.Platform.Cmdline.State, err)
		}
	}
}

// TestOldTar opens an archive whose headers have no magic, as tar wrote them
// before POSIX.
func TestOldTar(t *testing.T) {
	data := tarOf(t, good)
	h := data[:512]
	clear(h[257:])
	clear(h[148:156])
	sum := 8 * int(' ')
	for _, c := range h {
		sum += int(c)
	}
	copy(h[148:], fmt.Sprintf("%06o\x00 ", sum))
	if next, err := tar.NewReader(bytes.NewReader(data)).Next(); err != nil || next.Format != tar.FormatUnknown {
		t.Fatalf("%+v, %v", next, err)
	}
	m, err := open(data, parse.Limits{})
	if err != nil || m.Platform.Cmdline.V != "quiet" {
		t.Fatalf("%+v, %v", m, err)
	}
}

// TestCorpusSections holds what texts of several kinds give, and that whatever
// is opened accounts for its lines.
func TestCorpusSections(t *testing.T) {
	corpus := os.Getenv("HWCAP_CORPUS")
	if corpus == "" {
		t.Skip("no corpus: HWCAP_CORPUS is not set")
	}
	type content struct{ headers, aer, algorithms, log int }
	for name, want := range map[string]content{
		"plx8748-hotplug/report.txt":                           {headers: 42, aer: 6, log: 1670},
		"rockpro64-asm1184-switch/lspci-and-dmesg-console.txt": {headers: 20, log: 359},
		"proc-crypto-v3s/v3s-crypto.txt":                       {algorithms: 25, log: 235},
		"proc-crypto-odroidc2/crypto_odroidc2.txt":             {algorithms: 60, log: 130},
		"s2idle-amd/s2idle_report_sudo.txt":                    {log: 1612},
		"qat-4xxx-init-fail/dmesg-untimed.txt":                 {log: 14},
		"insights-lspci/LSPCI_VMMKN.txt":                       {headers: 4},
		"qat-a2sdi-dmcrypt/mail.txt":                           {log: 252},
		"imx8mp-pi7c9x-hang/lspci-n-and-vv.txt":                {headers: 12},
		"tb-nvme-runtime-suspend/lspci-wrapped-unindented.txt": {headers: 5},
		"dell-t630-nn/lspci-nn.txt":                            {headers: 169},
		"ibm-x3650-unpriv/lspci_vv":                            {headers: 137},
		"sifive-unmatched-riscv/pci-xxxx-unmatched.log":        {headers: 18},
		"turris-omnia-cesa/dmesg.txt":                          {log: 1472},
		"proc-crypto-sparc/proc-crypto-after-patch.txt":        {algorithms: 62},
		"dell-icelake-hibernate-pair/lspci-post-hibernate.txt": {headers: 25},
		"pciutils-tests/PCI-X-bridges-and-domains":             {headers: 31},
		"lspci-versions/2.2.10/PCI-X-bridges-and-domains":      {headers: 31},
		"hyperv-fips-panic-crlf/kernel.message.txt":            {log: 592},
		"aer-ratelimit/dmesg-aer.txt":                          {log: 57},
		"proc-crypto-generic-only/proc_crypto":                 {algorithms: 22},
		"proc-crypto-qinglin-minimal/proc_crypto":              {algorithms: 6},
		"asus-kbl-aer-flood/error.txt":                         {log: 725},
		"kabylake-wifi-missing/02_lspci_boot_with_patch.txt":   {headers: 19},
		"rockpro64-asm1184-switch/lspci-vvxxx-console.txt":     {headers: 10},
		"nvme-edr-dpc/dmesg-wrapped.txt":                       {log: 91},
	} {
		m, err := parse.Open(filepath.Join(corpus, name), parse.Options{})
		if err != nil {
			t.Errorf("%v", err)
			continue
		}
		got := content{algorithms: len(m.Crypto.Algorithms)}
		for _, d := range m.PCI {
			got.headers += d.Listings
		}
		for _, n := range m.Log.Notes {
			if n.Kind == "aer-enabled" {
				got.aer++
			}
		}
		for _, f := range m.Log.Files {
			got.log += f.Lines
		}
		if want.aer == 0 {
			got.aer = 0
		}
		if got != want {
			t.Errorf("%s: %+v, want %+v", name, got, want)
		}
	}
}
