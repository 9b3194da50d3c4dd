package parse_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"
	"github.com/google/jsonschema-go/jsonschema"

	"hwcap/parse"
	"hwcap/parse/fact"
)

const (
	lspciText = "0000:c2:02.0 PCI bridge [0604]: Example Root Port [8086:347a] (prog-if 00 [Normal decode])\n" +
		"\tBus: primary=c2, secondary=c3, subordinate=c5, sec-latency=0\n\n" +
		"0000:c3:00.0 Co-processor [0b40]: Example Accelerator [8086:0435]\n" +
		"\tIOMMU group: 6\n\tKernel driver in use: dh895xcc\n"
	dmesgText  = "[    0.000000] Linux version 6.1.0 (builder@example.net) #1 SMP\n[    0.400000] pci 0000:c3:00.0: Adding to iommu group 6\n"
	cryptoText = "name         : cbc(aes)\ndriver       : cbc-aes-aesni\nmodule       : aesni_intel\npriority     : 400\nrefcnt       : 1\nselftest     : passed\ninternal     : no\ntype         : skcipher\nasync        : yes\nblocksize    : 16\nmin keysize  : 16\nmax keysize  : 32\nivsize       : 16\n\n"
)

// captureOf is a capture with a bit of everything, its manifest last.
func captureOf(t testing.TB) []entry {
	entries := []entry{
		{name: "cmd/lspci-vvv.txt", data: lspciText},
		{name: "cmd/dmesg.txt", data: dmesgText},
		{name: "proc/crypto", data: cryptoText},
		{name: "proc/cmdline", data: "quiet\n"},
		{name: "sys/bus/pci/devices/.list", data: "0000:c2:02.0 -> ../../../devices/pci0000:c2/0000:c2:02.0\n0000:c3:00.0 -> ../../../devices/pci0000:c2/0000:c2:02.0/0000:c3:00.0\n"},
		{name: "sys/bus/pci/devices/0000:c3:00.0/power_state", data: "D0\n"},
		{name: "sys/devices/pci0000:c2/.list", data: "firmware_node -> ../LNXSYSTM:00/LNXSYBUS:00/PNP0A08:07\n"},
		{name: "sys/kernel/iommu_groups/.list", data: "6\n"},
		{name: "sys/kernel/iommu_groups/6/type", data: "DMA-FQ\n"},
		{name: "sys/kernel/iommu_groups/6/devices/.list", data: "0000:c3:00.0 -> ../../../../devices/pci0000:c2/0000:c2:02.0/0000:c3:00.0\n"},
		{name: "sys/class/net/.list", data: "eth0 -> ../../devices/pci0000:c2/0000:c2:02.0/0000:c3:00.0/net/eth0\n"},
		{name: "samples/links.jsonl", data: `{"command":["load"]}` + "\n" + `{"t":0,"address":"0000:c3:00.0","speed":5,"width":8}` + "\n"},
		{name: "attach/notes.txt", data: "swapped the cable\n"},
		{name: "loose.txt", data: "00:00.0 Host bridge: Example\n"},
		{name: "other.txt", data: "00:00.0 Host bridge: Example\n"},
	}
	type source struct {
		Name   string     `json:"name"`
		Path   string     `json:"path"`
		State  fact.State `json:"state"`
		Why    string     `json:"why,omitempty"`
		SHA256 string     `json:"sha256,omitempty"`
	}
	sum := func(s string) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(s))) }
	rows := []source{
		{"lspci-vvv", "cmd/lspci-vvv.txt", "present", "", sum(lspciText)},
		{"dmesg", "cmd/dmesg.txt", "present", "", sum("something else")},
		{"kmsg", "dev/kmsg", "denied", "dmesg_restrict", ""},
		{"proc-crypto", "proc/crypto", "present", "", ""},
		{"proc-cmdline", "proc/cmdline", "present", "", ""},
		{"proc-version", "proc/version", "present", "", ""},
		{"proc-tainted", "proc/sys/kernel/tainted", "denied", "", ""},
		{"pci", "sys/bus/pci/devices", "present", "", ""},
		{"acpi-tables", "sys/firmware/acpi/tables", "denied", "", ""},
		{"iommu-groups", "sys/kernel/iommu_groups", "present", "", ""},
		{"iommu-units", "sys/class/iommu", "absent", "", ""},
		{"ras-summary", "cmd/ras-mc-ctl-summary.txt", "absent", "no such tool", ""},
		{"efi", "sys/firmware/efi", "absent", "", ""},
		{"links", "samples/links.jsonl", "present", "", ""},
		{"attach-notes", "attach/notes.txt", "present", "", ""},
	}
	var b strings.Builder
	b.WriteString("{\n  \"schema\": \"hwcap.capture/1\",\n  \"host\": \"example\",\n  \"uid\": 0,\n  \"sources\": [\n")
	for i, row := range rows {
		line, err := json.Marshal(row)
		if err != nil {
			t.Fatal(err)
		}
		comma := ","
		if i == len(rows)-1 {
			comma = ""
		}
		fmt.Fprintf(&b, "    %s%s\n", line, comma)
	}
	b.WriteString("  ]\n}\n")
	entries = append(entries, entry{name: "manifest.json", data: b.String()})
	for i := range entries {
		entries[i].name = "hwcap-example-20260812T211400Z/" + entries[i].name
	}
	return entries
}

func TestManifest(t *testing.T) {
	m, err := open(tarOf(t, captureOf(t)...), parse.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	states := map[string]fact.State{
		"lspci-vvv": fact.Present, "kmsg": fact.Denied, "proc-version": fact.Failed, "ras-summary": fact.Absent,
		"attach-notes": fact.Present, "edac": fact.NotAsked,
	}
	for name, want := range states {
		if got := m.Source(name); got.State != want {
			t.Errorf("%s is %s (%s), want %s", name, got.State, got.Why, want)
		}
	}
	if why := m.Source("proc-version").Why; why != "listed as present, but not in the archive" {
		t.Errorf("proc-version: %q", why)
	}
	at := m.Source("kmsg").At
	if at.File != "manifest.json" || at.Line != 8 || !strings.Contains(at.Text, `"name":"kmsg"`) {
		t.Errorf("kmsg stands at %+v %q", at, at.Text)
	}
	if got := problem(m, "cmd/dmesg.txt"); !strings.Contains(got, "checksum") {
		t.Errorf("wrong checksum: problems %v", m.Problems)
	}
	if got := problem(m, "cmd/lspci-vvv.txt"); got != "" {
		t.Errorf("right checksum: %s", got)
	}
	if m.Capture.Format != "capture" || m.Capture.Host != "example" || *m.Capture.UID != 0 {
		t.Errorf("capture %+v", m.Capture)
	}
	// What was asked and not read says why.
	for name, got := range map[string]fact.State{
		"denied tainted":      m.Platform.Tainted.State,
		"denied acpi tables":  m.Lists["sys/firmware/acpi/tables"].State,
		"absent ras summary":  m.RAS.Summary.State,
		"absent iommu units":  m.IOMMU.UnitsState,
		"present iommu state": m.IOMMU.State,
		"present log":         m.Log.State,
		"present crypto":      m.Crypto.Proc,
		"failed version":      m.Platform.Version.State,
	} {
		if want, _, _ := strings.Cut(name, " "); string(got) != want {
			t.Errorf("%s: %q", name, got)
		}
	}
	if efi := m.Platform.EFI; !efi.Known() || efi.V {
		t.Errorf("EFI %+v, want known to be absent", efi)
	}
	if s, ok := m.Samples.Get(); !ok || s.Command[0] != "load" || s.Port("0000:c3:00.0").Fastest.Speed != 5 {
		t.Errorf("samples %+v", m.Samples)
	}
	if !m.Platform.OS.IsZero() {
		t.Errorf("OS %+v, although nobody asked", m.Platform.OS)
	}
}

func TestJoin(t *testing.T) {
	m, err := open(tarOf(t, captureOf(t)...), parse.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	d := m.Device("0000:c3:00.0")
	if d == nil || d.Parent != "0000:c2:02.0" || d.Root != "PNP0A08:07" || d.Driver != "dh895xcc" || d.IOMMUGroup != "6" ||
		d.Sysfs == nil || d.Sysfs.PowerState.V != "D0" || d.Listings != 1 || d.Vendor != "8086" {
		t.Errorf("c3:00.0: %+v", d)
	}
	if len(m.PCI) != 2 || m.Net[0].Driver != "dh895xcc" {
		t.Errorf("%d functions, net %+v", len(m.PCI), m.Net)
	}
	// The capture's own lspci goes before texts that lie beside it.
	const top = "hwcap-example-20260812T211400Z/"
	if problem(m, top+"loose.txt") == "" || problem(m, top+"other.txt") == "" {
		t.Errorf("problems %v", m.Problems)
	}
}

func TestParents(t *testing.T) {
	text := "00:01.0 PCI bridge: Example\n\tBus: primary=00, secondary=01, subordinate=02, sec-latency=0\n" +
		"00:02.0 PCI bridge: Example\n\tBus: primary=00, secondary=00, subordinate=00, sec-latency=0\n" +
		"01:00.0 PCI bridge: Example\n\tBus: primary=01, secondary=02, subordinate=02, sec-latency=0\n" +
		"02:00.0 Non-Volatile memory controller: Example\n" +
		"0001:02:00.0 Non-Volatile memory controller: Example\n" +
		"03:00.0 PCI bridge: Example\n\tBus: primary=03, secondary=02, subordinate=02, sec-latency=0\n"
	m, err := open([]byte(text), parse.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, d := range m.PCI {
		got[d.Address] = d.Parent
	}
	want := map[string]string{
		"0000:00:01.0": "", "0000:00:02.0": "", "0000:01:00.0": "0000:00:01.0", "0000:02:00.0": "0000:01:00.0",
		"0001:02:00.0": "", "0000:03:00.0": "",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestCircle(t *testing.T) {
	m, err := open(tarOf(t, entry{name: "sys/bus/pci/devices/.list", data: "" +
		"0000:00:01.0 -> ../../../devices/pci0000:00/0000:00:02.0/0000:00:01.0\n" +
		"0000:00:02.0 -> ../../../devices/pci0000:00/0000:00:01.0/0000:00:02.0\n" +
		"0000:00:03.0 -> ../../../devices/pci0000:00/0000:00:03.0/0000:00:03.0\n"}), parse.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range m.PCI {
		steps := 0
		for up := &d; up != nil; up = m.Device(up.Parent) {
			if steps++; steps > len(m.PCI) {
				t.Fatalf("%s stands below itself", d.Address)
			}
		}
	}
	if len(m.Problems) != 2 {
		t.Errorf("problems %v", m.Problems)
	}
}

// TestDeepTree: no way up is longer than a domain has buses.
func TestDeepTree(t *testing.T) {
	const buses, all = 256, 1000
	var list strings.Builder
	for i := range all {
		fmt.Fprintf(&list, "%04x:01:00.0 -> ../../../devices/pci0000:00/%04x:01:00.0/%04x:01:00.0\n", i, (i+1)%all, i)
	}
	m, err := open(tarOf(t, entry{name: "sys/bus/pci/devices/.list", data: list.String()}), parse.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range m.PCI {
		steps := 0
		for up := &d; up != nil; up = m.Device(up.Parent) {
			if steps++; steps > buses {
				t.Fatalf("%s stands more than %d functions from its root", d.Address, buses)
			}
		}
	}
	if want := all/buses + 1; len(m.Problems) != want {
		t.Errorf("%d problems, want %d: %v", len(m.Problems), want, m.Problems)
	}
}

// TestSingle opens texts by what they say, not by their names.
func TestSingle(t *testing.T) {
	wide := []byte{0xff, 0xfe}
	for _, u := range utf16.Encode([]rune(lspciText)) {
		wide = append(wide, byte(u), byte(u>>8))
	}
	for name, tc := range map[string]struct {
		data           []byte
		format, source string
	}{
		"lspci":                    {[]byte(lspciText), "lspci", "lspci-vvv"},
		"lspci in UTF-16":          {wide, "lspci", "lspci-vvv"},
		"lspci, compressed":        {gzipOf(t, []byte(lspciText)), "lspci", "lspci-vvv"},
		"dmesg":                    {[]byte(dmesgText), "kernel log", "dmesg"},
		"dmesg with levels":        {[]byte("<6>[    0.000000] Linux version 6.1.0\n"), "kernel log", "dmesg"},
		"dmesg with a clock":       {[]byte("[Mon Nov 30 12:14:56 2026] Linux version 6.1.0\n"), "kernel log", "dmesg"},
		"kmsg":                     {[]byte("6,0,0,-;Linux version 6.1.0\n"), "kernel log", "dmesg"},
		"journal":                  {[]byte("Nov 30 12:14:56 host kernel: Linux version 6.1.0\n"), "kernel log", "dmesg"},
		"one line of a driver":     {[]byte("pcieport 0000:00:1c.5: AER: Corrected error message received from 0000:03:00.0\n"), "kernel log", "dmesg"},
		"/proc/crypto":             {[]byte(cryptoText), "/proc/crypto", "proc-crypto"},
		"dmidecode":                {[]byte("Handle 0x0001, DMI type 1, 27 bytes\nSystem Information\n\tManufacturer: Example\n"), "dmidecode", "dmidecode"},
		"fw_counters":              {[]byte("AE          Requests        Responses\n 0:            154181           154181\n"), "QAT debugfs", "qat"},
		"fw_counters in boxes":     {[]byte("| Firmware Requests [AE  0]:  1 |\n| Firmware Responses[AE  0]:  1 |\n"), "QAT debugfs", "qat"},
		"ras-mc-ctl without rows":  {[]byte("No PCIe AER errors.\n"), "ras-mc-ctl --summary", "ras-summary"},
		"ras-mc-ctl --errors":      {[]byte("No Memory errors.\nMCE events:\n1 2026-01-02 03:04:05 +0000 error: x\n"), "ras-mc-ctl --errors", "ras-errors"},
		"ras-mc-ctl that died":     {[]byte("DBD::SQLite::db prepare failed: no such table: mc_event at /usr/sbin/ras-mc-ctl line 1.\n"), "ras-mc-ctl --summary", "ras-summary"},
		"ras-mc-ctl --error-count": {[]byte("Label\u00a0\u00a0CE  UE\nDIMM_A1 0   0\n"), "ras-mc-ctl --error-count", "ras-error-count"},
		"untimed line of QAT":      {[]byte("    4xxx 0000:6b:00.0: Failed to start device qat_dev0\n"), "kernel log", "dmesg"},
		"quoted in a mail":         {[]byte("> [    0.000000] Linux version 6.1.0\n> [    0.100000] x\n"), "kernel log", "dmesg"},
		"byte order mark":          {[]byte("\xef\xbb\xbf" + lspciText), "lspci", "lspci-vvv"},
		"text around it":           {[]byte("$ lspci\n" + lspciText), "lspci", "lspci-vvv"},
		"carriage returns":         {[]byte(strings.ReplaceAll(lspciText, "\n", "\r\n")), "lspci", "lspci-vvv"},
		"ras-mc-ctl --summary":     {[]byte("No Memory errors.\n\nPCIe AER events summary:\n\t15 Corrected errors: Receiver Error\n\n"), "ras-mc-ctl --summary", "ras-summary"},
		"kernel log with a NUL":    {[]byte("\x00\x00[    0.000000] Linux version 6.1.0\n[    0.100000] x\n"), "kernel log", "dmesg"},
	} {
		t.Run(name, func(t *testing.T) {
			m, err := parse.Read(bytes.NewReader(tc.data), "some/where/photo.jpg", parse.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if m.Capture.Format != tc.format || m.Capture.ID != "photo.jpg" || m.Capture.CutOff {
				t.Errorf("capture %+v, want %q", m.Capture, tc.format)
			}
			s := m.Source(tc.source)
			if s.State != fact.Present || s.Path != "photo.jpg" {
				t.Errorf("source %+v", s)
			}
			if m.Source("proc-version").State != fact.NotAsked {
				t.Error("what nobody asked for is not missing")
			}
		})
	}
}

func TestCutOffText(t *testing.T) {
	data := gzipOf(t, []byte(strings.Repeat(dmesgText, 1000)))
	m, err := open(data[:len(data)-9], parse.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	if !m.Capture.CutOff || m.Source("dmesg").State != fact.Truncated || m.Log.State != fact.Truncated {
		t.Errorf("cut off %v, source %+v, log %s", m.Capture.CutOff, m.Source("dmesg"), m.Log.State)
	}
}

func TestRefused(t *testing.T) {
	good := tarOf(t, good)
	for name, tc := range map[string]struct {
		data []byte
		want error
		text string
	}{
		"nothing":                  {nil, parse.ErrEmpty, ""},
		"compressed nothing":       {gzipOf(t, nil), parse.ErrEmpty, ""},
		"archive of nothing":       {tarOf(t, entry{name: "d/", kind: '5'}), parse.ErrEmpty, ""},
		"JPEG":                     {[]byte("\xff\xd8\xff\xe0\x00\x10JFIF\x00\x01"), parse.ErrUnknown, "a JPEG image"},
		"zip cut early":            {[]byte("PK\x03\x04\x14\x00\x00\x00"), parse.ErrCutOff, "the directory of the ZIP archive"},
		"zip cut behind a text":    {[]byte("PK\x03\x04\x14\x00\x00\x00\n" + dmesgText), parse.ErrCutOff, "the directory of the ZIP archive"},
		"zip of nothing":           {[]byte("PK\x05\x06" + strings.Repeat("\x00", 18)), parse.ErrEmpty, ""},
		"7z":                       {[]byte("7z\xbc\xaf\x27\x1c\x00\x04\n" + dmesgText), parse.ErrPacked, "a 7z archive"},
		"binary":                   {[]byte("\x01\x00\x02\x00"), parse.ErrUnknown, "binary data"},
		"text about something":     {[]byte("The card is in slot 7.\n"), parse.ErrUnknown, ""},
		"archive of something":     {tarOf(t, entry{name: "x/notes.txt", data: "The card is in slot 7.\n"}), parse.ErrUnknown, ""},
		"compressed twice":         {gzipOf(t, gzipOf(t, good)), parse.ErrUnknown, "compressed twice"},
		"newer format":             {tarOf(t, entry{name: "x/manifest.json", data: `{"schema":"hwcap.capture/2"}`}), parse.ErrNewer, "hwcap.capture/2"},
		"newer format, with facts": {tarOf(t, entry{name: "x/proc/cmdline", data: "quiet\n"}, entry{name: "x/manifest.json", data: `{"schema":"hwcap.capture/2"}`}), parse.ErrNewer, ""},
		"manifest of another kind": {tarOf(t, entry{name: "manifest.json", data: `{"schema":"other/1"}`}), parse.ErrUnknown, ""},
		"gzip without its data":    {gzipOf(t, good)[:8], parse.ErrCutOff, ""},
		"gzip cut early":           {gzipOf(t, good)[:20], parse.ErrCutOff, ""},
	} {
		t.Run(name, func(t *testing.T) {
			m, err := open(tc.data, parse.Limits{})
			if !errors.Is(err, tc.want) || m != nil {
				t.Fatalf("error %v, want %v", err, tc.want)
			}
			if text := err.Error(); strings.Contains(text, "\n") || !strings.Contains(text, tc.text) {
				t.Errorf("error %q, want one line with %q", text, tc.text)
			}
		})
	}
}

func TestBadManifests(t *testing.T) {
	for name, tc := range map[string]struct{ data, want string }{
		"no JSON":               {"nonsense", "not a manifest"},
		"no schema":             {"{}", "not the manifest of a capture"},
		"version of no kind":    {`{"schema":"hwcap.capture/x"}`, "not the manifest of a capture"},
		"no sources":            {`{"schema":"hwcap.capture/1"}`, "it lists no sources"},
		"sources are no list":   {`{"schema":"hwcap.capture/1","sources":{}}`, "its sources are no list"},
		"source of no kind":     {`{"schema":"hwcap.capture/1","sources":[7]}`, "not a source"},
		"source without a name": {`{"schema":"hwcap.capture/1","sources":[{"state":"present"}]}`, "without a name"},
		"unknown state":         {`{"schema":"hwcap.capture/1","sources":[{"name":"x","state":"fine"}]}`, "unknown state"},
		"source named twice":    {`{"schema":"hwcap.capture/1","sources":[{"name":"x","state":"absent"},{"name":"x","state":"present"}]}`, "came before"},
		"header of a bad type":  {`{"schema":"hwcap.capture/1","uid":"root","sources":[]}`, "uid"},
	} {
		t.Run(name, func(t *testing.T) {
			m, err := open(tarOf(t, good, entry{name: "hwcap-host/manifest.json", data: tc.data}), parse.Limits{})
			if err != nil {
				t.Fatal(err)
			}
			if got := problem(m, "manifest.json"); !strings.Contains(got, tc.want) {
				t.Errorf("problems %v, want %q", m.Problems, tc.want)
			}
			if m.Platform.Cmdline.V != "quiet" {
				t.Error("the facts are lost with the manifest")
			}
		})
	}
}

func TestLooseTexts(t *testing.T) {
	m, err := open(tarOf(t,
		entry{name: "case/b/lspci.txt", data: lspciText},
		entry{name: "case/a/lspci-old.txt", data: "00:00.0 Host bridge: Example\n"},
		entry{name: "case/a/messages", data: dmesgText},
	), parse.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	if len(m.PCI) != 2 || m.Source("lspci-vvv").Path != "case/b/lspci.txt" || m.Source("dmesg").Path != "case/a/messages" {
		t.Errorf("%d functions, sources %+v", len(m.PCI), m.Sources)
	}
	if got := problem(m, "case/a/lspci-old.txt"); got != "a second lspci (lines: 1), not read beside case/b/lspci.txt: open it alone with hwcap report case/a/lspci-old.txt" {
		t.Errorf("problems %v", m.Problems)
	}
	// Without a manifest the functions make the list of groups.
	if len(m.IOMMU.Groups) != 1 || m.IOMMU.Groups[0].Devices[0].Name != "0000:c3:00.0" {
		t.Errorf("groups %+v", m.IOMMU.Groups)
	}
}

// factsSchema is that of hwcap facts.
func factsSchema(t *testing.T) *jsonschema.Resolved {
	t.Helper()
	text, err := os.ReadFile("../templates/schemas/facts.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	var schema jsonschema.Schema
	if err := json.Unmarshal(text, &schema); err != nil {
		t.Fatal(err)
	}
	resolved, err := schema.Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	return resolved
}

// validate holds m as hwcap facts prints it against the schema.
func validate(t *testing.T, schema *jsonschema.Resolved, name string, m *fact.Machine) {
	t.Helper()
	out, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	var value any
	if err := json.Unmarshal(out, &value); err != nil {
		t.Fatal(err)
	}
	if err := schema.Validate(value); err != nil {
		t.Errorf("%s: %v", name, err)
	}
}

// TestSchema validates what hwcap facts prints of a capture with everything in
// it.
func TestSchema(t *testing.T) {
	resolved := factsSchema(t)
	samples, err := filepath.Glob("../samples/*.tar.gz")
	if err != nil || len(samples) == 0 {
		t.Fatalf("no samples: %v", err)
	}
	machines := map[string]*fact.Machine{}
	for _, name := range samples {
		if machines[name], err = parse.Open(name, parse.Options{}); err != nil {
			t.Fatal(err)
		}
	}
	if machines["own"], err = open(tarOf(t, captureOf(t)...), parse.Limits{}); err != nil {
		t.Fatal(err)
	}
	for name, m := range machines {
		validate(t, resolved, name, m)
	}
	var broken any
	json.Unmarshal([]byte(`{"schema":"hwcap.facts/1","capture":{"id":1}}`), &broken)
	if resolved.Validate(broken) == nil {
		t.Error("the schema takes anything")
	}
}

// TestCorpus opens every dump of the corpus: it opens or fails as declared.
func TestCorpus(t *testing.T) {
	corpus := os.Getenv("HWCAP_CORPUS")
	if corpus == "" {
		t.Skip("no corpus: HWCAP_CORPUS is not set")
	}
	opened, refused := 0, 0
	schema := factsSchema(t)
	err := filepath.WalkDir(corpus, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		m, err := parse.Open(name, parse.Options{})
		switch {
		case err == nil:
			opened++
			if m.Capture.CutOff {
				t.Errorf("%s: cut off: %v", name, m.Problems)
			}
			if len(m.Sources) == 0 {
				t.Errorf("%s: no source", name)
			}
			validate(t, schema, name, m)
			row := fact.Unread{}
			for _, u := range m.Unread {
				row = u
				if u.Lines+u.Ignored > u.Of {
					t.Errorf("%s: more lines are accounted for than there are: %+v", name, u)
				}
			}
			t.Logf("%-80s %-25s unread %5d, ignored %5d of %5d", strings.TrimPrefix(name, corpus), m.Capture.Format, row.Lines, row.Ignored, row.Of)
		case errors.Is(err, parse.ErrUnknown):
			refused++
			t.Logf("%-80s refused", strings.TrimPrefix(name, corpus))
			base := filepath.Base(name)
			if strings.HasPrefix(base, "lspci-v") || strings.HasPrefix(base, "dmesg.") {
				t.Errorf("%v", err)
			}
		default:
			t.Errorf("%v", err)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d opened, %d of a kind that hwcap does not read alone", opened, refused)
}
