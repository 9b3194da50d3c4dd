package lspci

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hwcap/parse/fact"
	"hwcap/parse/pciconfig"
)

// portConfig is the configuration space of a made-up root port: a link at
// 8 GT/s x4 of 16 GT/s x16 with a corrected error, AER and ACS.
func portConfig() []byte {
	c := make([]byte, configSize)
	for _, r := range []struct {
		offset, size int
		value        uint32
	}{
		{0x00, 4, 0x000c_1b36}, {0x04, 4, 0x0010_0407}, {0x08, 4, 0x0604_0002}, {0x0e, 1, 0x01}, {0x34, 1, 0x40},
		{0x18, 4, 0x00_03_02_00}, {0x20, 4, 0x0000_fff0}, {0x24, 4, 0x0001_fff1}, {0x1c, 2, 0x00f0},
		{0x40, 4, 0x0142_0010}, // Express, root port with a slot
		{0x44, 4, 0x0000_8001}, {0x48, 4, 0x0001_000f}, {0x4c, 4, 0x0510_0d04}, {0x50, 4, 0x3043_0000}, {0x54, 4, 0x0018_0040}, {0x58, 4, 0x0040_0000},
		{0x100, 4, 0x1401_0001}, {0x110, 4, 0x0000_0001},
		{0x140, 4, 0x0001_000d}, {0x144, 4, 0x0001_001f},
	} {
		var b [4]byte
		binary.LittleEndian.PutUint32(b[:], r.value)
		copy(c[r.offset:], b[:r.size])
	}
	return c
}

// dump prints rows as lspci does.
func dump(config []byte) string {
	var b strings.Builder
	for i, v := range config {
		if i%rowBytes == 0 {
			fmt.Fprintf(&b, "%02x:", i)
		}
		fmt.Fprintf(&b, " %02x", v)
		if i%rowBytes == rowBytes-1 || i == len(config)-1 {
			b.WriteByte('\n')
		}
	}
	return b.String()
}

const portHeader = "00:01.0 PCI bridge: Example\n"

func TestHexadecimalDump(t *testing.T) {
	config := portConfig()
	want, _ := pciconfig.Decode("0000:00:01.0", config, func(int, string) fact.Line { return fact.Line{} })
	want.ClassName, want.Name, want.Listings = "PCI bridge", "Example", 1
	if want.Express == nil || want.Express.LinkSta == nil || want.AER == nil || want.ACS == nil {
		t.Fatalf("the made-up port is none: %+v", want)
	}
	whole := portHeader + dump(config)
	short := func(n int) fact.Device {
		d, _ := pciconfig.Decode("0000:00:01.0", config[:n], func(int, string) fact.Line { return fact.Line{} })
		d.ClassName, d.Name, d.Listings = "PCI bridge", "Example", 1
		return d
	}
	var wrapped strings.Builder // at 40 columns, as a mail that was quoted often
	for line := range strings.Lines(whole) {
		if i := strings.LastIndexByte(line[:min(40, len(line))], ' '); len(line) > 40 {
			line = line[:i] + "\n" + line[i+1:]
		}
		wrapped.WriteString(line)
	}
	tests := []struct {
		situation, text string
		want            fact.Device
		ignored         int
	}{
		{"-xxxx, with the blank line behind", whole + "\n", want, 1},
		{"-xxxx without it", whole, want, 0},
		{"-xxx", portHeader + dump(config[:256]), short(256), 0},
		{"-x, or without root", portHeader + dump(config[:64]), short(64), 0},
		{"CRLF", strings.ReplaceAll(whole, "\n", "\r\n"), want, 0},
		{"quoted twice", "> > " + strings.ReplaceAll(strings.TrimSuffix(whole, "\n"), "\n", "\n> > ") + "\n", want, 0},
		{"indented", strings.ReplaceAll(whole, "\n", "\n    ") + "\n", want, 1},
		{"no-break spaces", strings.ReplaceAll(whole, ": ", ":\u00a0"), want, 0},
		{"upper case", portHeader + strings.ToUpper(dump(config[:160])), short(160), 0},
		{"wrapped by a mailer", wrapped.String(), want, 0},
		{"in eights", portHeader + strings.ReplaceAll(dump(config[:64]), "30: ", "30: 00 00 00 00 40 00 00 00\n38: ")[:len(dump(config[:48]))] + "30: 00 00 00 00 40 00 00 00\n38: 00 00 00 00 00 00 00 00\n", short(64), 0},
		{"a message of pcilib inside", strings.Replace(whole, "\n100:", "\npcilib: sysfs_read_vpd: read failed: Input/output error\n100:", 1), want, 1},
		{"rows twice", portHeader + dump(config) + dump(config[:256]), want, 0},
	}
	for _, test := range tests {
		t.Run(test.situation, func(t *testing.T) {
			got := parse(t, test.text)
			if len(got.Devices) != 1 {
				t.Fatalf("%d devices", len(got.Devices))
			}
			if diff := cmp.Diff(test.want, got.Devices[0], noPlaces); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if len(got.Problems) > 0 || got.Unread.Lines > 0 || got.Unread.Ignored != test.ignored {
				t.Errorf("problems %v, %+v", got.Problems, got.Unread)
			}
		})
	}
}

// TestTextAndDump holds that the text stands and the dump adds to it, each with
// its own line.
func TestTextAndDump(t *testing.T) {
	const text = `00:01.0 PCI bridge: Example
	Capabilities: [40] Express (v2) Root Port (Slot+), MSI 00
		LnkSta:	Speed 8GT/s, Width x4 (downgraded)
	Kernel driver in use: pcieport
`
	got := parse(t, text+dump(portConfig())+"\n")
	if len(got.Problems) > 0 || got.Unread.Lines > 0 {
		t.Fatalf("problems %v, %+v", got.Problems, got.Unread)
	}
	d := got.Devices[0]
	if want := (fact.Link{Speed: 8, Width: 4, Note: "downgraded", At: d.Express.LinkSta.At}); *d.Express.LinkSta != want {
		t.Errorf("LnkSta is %+v", d.Express.LinkSta)
	}
	for what, c := range map[string]struct{ got, want fact.Line }{
		"LnkSta": {d.Express.LinkSta.At, fact.Line{File: "cmd/lspci-vvv.txt", Line: 3, Text: "LnkSta:\tSpeed 8GT/s, Width x4 (downgraded)"}},
		"LnkCap": {d.Express.LinkCap.At, fact.Line{File: "cmd/lspci-vvv.txt", Line: 9, Text: "40: 10 00 42 01 01 80 00 00 0f 00 01 00 04 0d 10 05"}},
		"Bus":    {d.Bus.At, fact.Line{File: "cmd/lspci-vvv.txt", Line: 6, Text: "10: 00 00 00 00 00 00 00 00 00 02 03 00 f0 00 00 00"}},
		"CESta":  {d.AER.CESta.At[0], fact.Line{File: "cmd/lspci-vvv.txt", Line: 22, Text: "110: 01 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00"}},
		"device": {d.From, fact.Line{File: "cmd/lspci-vvv.txt", Line: 1, Text: "00:01.0 PCI bridge: Example"}},
	} {
		if diff := cmp.Diff(c.want, c.got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", what, diff)
		}
	}
	if !d.AER.CESta.Has("RxErr") || d.Vendor != "1b36" || d.Driver != "pcieport" || d.CapsState != fact.Present {
		t.Errorf("%+v", d)
	}
}

func TestDumpWithFaults(t *testing.T) {
	config := portConfig()
	rows := strings.SplitAfter(dump(config), "\n")
	problem := func(line int, text string) fact.Problem {
		return fact.Problem{File: "cmd/lspci-vvv.txt", Line: line, Text: text}
	}
	tests := []struct {
		situation, text string
		holds           func(*fact.Device) bool
		unread          int
		problems        []fact.Problem
	}{
		{"text and dump differ", "00:01.0 PCI bridge: Example\n\tBus: primary=00, secondary=07, subordinate=07, sec-latency=0\n" + dump(config),
			func(d *fact.Device) bool { return d.Bus.Secondary == 7 && d.AER != nil }, 0,
			[]fact.Problem{problem(4, "0000:00:01.0: bus is another one in the text, which counts")}},
		{"a row is missing", portHeader + strings.Join(rows[:6], "") + strings.Join(rows[7:20], ""),
			func(d *fact.Device) bool {
				return d.Express.LinkSta != nil && d.CapsState == fact.Present && d.AER == nil
			}, 13,
			[]fact.Problem{problem(8, "a row is missing before this one, so it is not read, nor are those behind it")}},
		{"the first row is missing", portHeader + strings.Join(rows[1:4], ""),
			func(d *fact.Device) bool { return d.Vendor == "" && d.Bus == nil && d.CapsState == "" }, 3, nil},
		{"denied", portHeader + "\tCapabilities: <access denied>\n" + dump(config[:64]),
			func(d *fact.Device) bool { return d.CapsState == fact.Denied && d.Express == nil }, 0, nil},
		{"a byte that is none", portHeader + strings.Join(rows[:6], "") + "60: 00 0x 00\n",
			func(d *fact.Device) bool { return d.Express.LinkSta != nil && d.AER == nil }, 1, nil},
		{"another row of the same offset", portHeader + strings.Join(rows[:16], "") + "00: ff ff ff ff\n",
			func(d *fact.Device) bool { return d.Vendor == "1b36" }, 1, []fact.Problem{problem(18, "not the bytes of an earlier row, which count")}},
		{"beyond the end", portHeader + strings.Join(rows[:16], "") + "ff8: 00 00 00 00 00 00 00 00 00\n",
			func(d *fact.Device) bool { return d.Vendor == "1b36" }, 1, nil},
		{"does not answer", "00:01.0 PCI bridge: Example (rev ff) (prog-if ff)\n\t!!! Unknown header type 7f\n" + dump(bytes.Repeat([]byte{0xff}, 64)),
			func(d *fact.Device) bool { return d.Header == "7f" && d.Vendor == "" && d.CapsState == "" }, 0, nil},
		{"cut inside the last row", strings.TrimSuffix(portHeader+dump(config[:80]), "\n"),
			func(d *fact.Device) bool { return d.Vendor == "1b36" }, 1, []fact.Problem{problem(6, "last line has no end and may be cut, so it is not read")}},
	}
	for _, test := range tests {
		t.Run(test.situation, func(t *testing.T) {
			got := parse(t, test.text)
			if !test.holds(&got.Devices[0]) {
				t.Errorf("%+v", got.Devices[0])
			}
			if got.Unread.Lines != test.unread {
				t.Errorf("%d lines unread, want %d", got.Unread.Lines, test.unread)
			}
			if test.problems == nil {
				return
			}
			if diff := cmp.Diff(test.problems, got.Problems); diff != "" {
				t.Errorf("problems (-want +got):\n%s", diff)
			}
		})
	}
	if got := parse(t, strings.Join(rows[:4], "")); len(got.Devices) > 0 || got.Unread.Lines != 4 {
		t.Errorf("rows of no device: %+v", got)
	}
}

// FuzzHexadecimalDump holds that what is printed says what the bytes say.
func FuzzHexadecimalDump(f *testing.F) {
	quotes := []string{"", "> ", ">> ", "> > ", "\t", "    ", "\u00a0"}
	f.Add(portConfig()[:400], uint8(1), uint8(15))
	f.Add(bytes.Repeat([]byte{0xff}, 64), uint8(4), uint8(7))
	f.Fuzz(func(t *testing.T, config []byte, quote, width uint8) {
		config = config[:min(len(config), configSize)]
		quote, width = quote%uint8(len(quotes)), width%rowBytes+1
		var b strings.Builder
		b.WriteString("00:01.0 Example: Example\n")
		for i := 0; i < len(config); i += int(width) {
			fmt.Fprintf(&b, "%s%02x: % x\n", quotes[quote], i, config[i:min(len(config), i+int(width))])
		}
		got := parse(t, b.String())
		want, problems := pciconfig.Decode("0000:00:01.0", config, func(int, string) fact.Line { return fact.Line{} })
		if len(config) == 0 {
			want, problems = fact.Device{Address: want.Address}, nil
		}
		want.ClassName, want.Name, want.Listings = "Example", "Example", 1
		pciconfig.PreferAF(&want)
		if diff := cmp.Diff(want, got.Devices[0], noPlaces); diff != "" || len(problems) != len(got.Problems) || got.Unread.Lines > 0 {
			t.Errorf("(-want +got):\n%s\n%v\n%v\n%+v", diff, problems, got.Problems, got.Unread)
		}
		lines := strings.Split(b.String(), "\n")
		for _, p := range got.Problems {
			if p.Line < 2 || p.Line >= len(lines) {
				t.Errorf("a problem in line %d", p.Line)
			}
		}
	})
}

// TestCorpusDumps holds that of each dump all rows are read.
func TestCorpusDumps(t *testing.T) {
	dir := corpus(t)
	for _, file := range []string{"sifive-unmatched-riscv/pci-xxxx-unmatched.log", "asus-adl-gl9755/lspci.txt", "rockpro64-asm1184-switch/lspci-vvxxx-console.txt", "pciutils-tests/*"} {
		paths, err := filepath.Glob(filepath.Join(dir, file))
		if err != nil || len(paths) == 0 {
			t.Fatalf("%s: %v", file, err)
		}
		for _, path := range paths {
			got := parseFile(t, path)
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			rows := 0
			for line := range bytes.Lines(text) {
				if offset, _, ok := cutOffset(bytes.TrimSpace(line)); ok && offset%rowBytes == 0 {
					rows++
				}
			}
			t.Logf("%s: %d devices, %d rows, %+v, %d problems", path[len(dir)+1:], len(got.Devices), rows, got.Unread, len(got.Problems))
			for _, d := range got.Devices {
				if d.Header == "" {
					t.Errorf("%s: %s was not decoded", path, d.Address)
				}
			}
			if got.Unread.Of-got.Unread.Ignored-got.Unread.Lines < rows {
				t.Errorf("%s: %d rows, %+v", path, rows, got.Unread)
			}
		}
	}
}

func BenchmarkHexadecimalDump(b *testing.B) {
	var text strings.Builder
	for bus := range 100 {
		fmt.Fprintf(&text, "%02x:00.0 PCI bridge: Example\n%s\n", bus, dump(portConfig()))
	}
	b.SetBytes(int64(text.Len()))
	b.ReportAllocs()
	for b.Loop() {
		if r, err := Parse(strings.NewReader(text.String()), "x"); err != nil || len(r.Devices) != 100 {
			b.Fatal(err)
		}
	}
}
