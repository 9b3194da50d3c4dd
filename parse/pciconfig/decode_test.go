package pciconfig_test

import (
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hwcap/parse/fact"
	"hwcap/parse/pciconfig"
)

const address = "0000:c5:00.0"

// decode decodes bytes that have no problems.
func decode(t *testing.T, bytes []byte) fact.Device {
	t.Helper()
	d, problems := pciconfig.Decode(address, bytes, inFile)
	if len(problems) > 0 {
		t.Errorf("problems: %+v", problems)
	}
	return d
}

// inFile is the place of a register in a file of sysfs.
func inFile(offset int, decoded string) fact.Line {
	return fact.Line{File: "config", Offset: int64(offset), Text: decoded}
}

func at(offset int64, text string) fact.Line {
	return fact.Line{File: "config", Offset: offset, Text: text}
}

func TestHeader(t *testing.T) {
	line := fact.Of(false, at(4, "Command 0x0000: DisINTx-")) // in use
	for _, c := range []struct {
		name   string
		config []byte
		want   fact.Device
	}{
		{
			name: "endpoint with its subsystem",
			config: newConfig(0x80).put8(0x08, 0x21, 0x02). // several functions
									put16(0x2c, 0x8086, 0x35c5).bytes[:256],
			want: fact.Device{Vendor: "1234", Device: "5678", Class: "0b40", ProgIf: "02", Revision: "21", Header: "00",
				SubVendor: "8086", SubDevice: "35c5", DisINTx: line, From: at(0, "ID 0x56781234: 1234:5678")},
		},
		{
			name:   "virtual function, whose ids are those of its physical function",
			config: newConfig(0).put16(0, 0xffff, 0xffff).bytes[:256],
			want:   fact.Device{Class: "0b40", ProgIf: "00", Revision: "00", Header: "00", DisINTx: line, From: at(0, "ID 0xffffffff: ffff:ffff")},
		},
		{
			name:   "all ones",
			config: slices.Repeat([]byte{0xff}, 4096),
			want:   fact.Device{Revision: "ff", Header: "7f", From: at(0, "ID 0xffffffff: all ones, no answer")},
		},
		{
			name: "bridge with its subsystem in a capability",
			config: func() []byte {
				c := newConfig(1)
				c.put16(c.capability(0x0d, 8)+4, 0x1043, 0x8534)
				c.put16(0x20, 0xfff0).put16(0x24, 0xfff1, 0x0001).put8(0x1c, 0xf1, 0x01)
				return c.bytes[:256]
			}(),
			want: fact.Device{Vendor: "1234", Device: "5678", Class: "0b40", ProgIf: "00", Revision: "00", Header: "01",
				SubVendor: "1043", SubDevice: "8534", CapsState: fact.Present, DisINTx: line, From: at(0, "ID 0x56781234: 1234:5678"),
				Bus: &fact.BusRange{At: at(0x18, "Bus 0x000000: primary 00, secondary 00, subordinate 00")},
				Windows: []fact.Window{
					{Kind: "io", Start: "0000f000", End: "00000fff", At: at(0x1c, "I/O behind bridge 0x01f1: 0000f000-00000fff, closed")},
					{Kind: "mem", Start: "fff00000", End: "000fffff", At: at(0x20, "Memory behind bridge 0x0000fff0: fff00000-000fffff, closed")},
					{Kind: "pref", Start: "00000000fff00000", End: "00000000000fffff",
						At: at(0x24, "Prefetchable memory behind bridge 0x00000000000000000001fff1: 00000000fff00000-00000000000fffff, closed")},
				}},
		},
		{
			name: "bridge with open windows",
			config: newConfig(1).put8(0x18, 0x00, 0x05, 0x07).
				put8(0x1c, 0x20, 0x30).put16(0x20, 0xdf00, 0xdf10).
				put16(0x24, 0x0001, 0x1ff1).put32(0x28, 0x38, 0x38).bytes[:64],
			want: fact.Device{Vendor: "1234", Device: "5678", Class: "0b40", ProgIf: "00", Revision: "00", Header: "01",
				DisINTx: line, From: at(0, "ID 0x56781234: 1234:5678"),
				Bus: &fact.BusRange{Secondary: 5, Subordinate: 7, At: at(0x18, "Bus 0x070500: primary 00, secondary 05, subordinate 07")},
				Windows: []fact.Window{
					{Kind: "io", Start: "2000", End: "3fff", Open: true, At: at(0x1c, "I/O behind bridge 0x3020: 2000-3fff, open")},
					{Kind: "mem", Start: "df000000", End: "df1fffff", Open: true, At: at(0x20, "Memory behind bridge 0xdf10df00: df000000-df1fffff, open")},
					{Kind: "pref", Start: "0000003800000000", End: "000000381fffffff", Open: true,
						At: at(0x24, "Prefetchable memory behind bridge 0x00000038000000381ff10001: 0000003800000000-000000381fffffff, open")},
				}},
		},
		{
			name:   "CardBus bridge",
			config: newConfig(2).put8(0x18, 0x01, 0x02, 0x05).put16(0x40, 0x10cf, 0x133e).bytes[:128],
			want: fact.Device{Vendor: "1234", Device: "5678", Class: "0b40", ProgIf: "00", Revision: "00", Header: "02",
				SubVendor: "10cf", SubDevice: "133e", DisINTx: line, From: at(0, "ID 0x56781234: 1234:5678"),
				Bus: &fact.BusRange{Primary: 1, Secondary: 2, Subordinate: 5, At: at(0x18, "Bus 0x050201: primary 01, secondary 02, subordinate 05")}},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.want.Address = address
			if diff := cmp.Diff(c.want, decode(t, c.config)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestRegions(t *testing.T) {
	const io, memory = 1, 2
	for _, c := range []struct {
		name    string
		command uint16
		bars    [6]uint32
		rom     uint32
		want    []fact.Region
	}{
		{name: "none"},
		{name: "reads all ones", bars: [6]uint32{0xffff_ffff}, rom: 0xffff_ffff},
		{
			name: "64-bit, 32-bit and I/O", command: io | memory,
			bars: [6]uint32{0x0000_000c, 0x0000_0038, 0xdf00_0000, 0x0000_e001},
			want: []fact.Region{
				{Index: 0, Kind: "mem", Address: "3800000000", Bits: 64, Prefetch: true, At: at(0x10, "BAR0 0x000000380000000c: mem at 3800000000, 64-bit, prefetchable")},
				{Index: 2, Kind: "mem", Address: "df000000", Bits: 32, At: at(0x18, "BAR2 0xdf000000: mem at df000000, 32-bit")},
				{Index: 3, Kind: "io", Address: "e000", At: at(0x1c, "BAR3 0x0000e001: io at e000")},
			},
		},
		{
			name: "decoding off",
			bars: [6]uint32{0xdf00_0008, 0x0000_e001}, rom: 0xdf10_0001,
			want: []fact.Region{
				{Index: 0, Kind: "mem", Address: "df000000", Bits: 32, Prefetch: true, State: "disabled", At: at(0x10, "BAR0 0xdf000008: mem at df000000, 32-bit, prefetchable, disabled")},
				{Index: 1, Kind: "io", Address: "e000", State: "disabled", At: at(0x14, "BAR1 0x0000e001: io at e000, disabled")},
				{Index: 6, Kind: "mem", Address: "df100000", State: "disabled", At: at(0x30, "ROM 0xdf100001: mem at df100000, disabled")},
			},
		},
		{
			name: "nothing assigned", command: memory,
			bars: [6]uint32{0x0000_0004, 0, 0x0000_0001}, rom: 0x0000_0001,
			want: []fact.Region{
				{Index: 0, Kind: "mem", Bits: 64, State: "unassigned", At: at(0x10, "BAR0 0x0000000000000004: mem, 64-bit, unassigned")},
				{Index: 2, Kind: "io", State: "unassigned", At: at(0x18, "BAR2 0x00000001: io, unassigned")},
				{Index: 6, Kind: "mem", State: "unassigned", At: at(0x30, "ROM 0x00000001: mem, unassigned")},
			},
		},
		{
			name: "64-bit in the last place, below 1 MiB in the first", command: memory,
			bars: [6]uint32{0x000a_0002, 5: 0xdf00_0004},
			want: []fact.Region{
				{Index: 0, Kind: "mem", Address: "000a0000", At: at(0x10, "BAR0 0x000a0002: mem at 000a0000")},
				{Index: 5, Kind: "mem", Bits: 64, State: "broken", At: at(0x24, "BAR5 0xdf000004: mem, 64-bit, broken")},
			},
		},
		{
			name: "ROM off, and on", command: memory, rom: 0xdf10_0000,
			want: []fact.Region{{Index: 6, Kind: "mem", Address: "df100000", State: "disabled", At: at(0x30, "ROM 0xdf100000: mem at df100000, disabled")}},
		},
		{
			name: "ROM on", command: memory, rom: 0xdf10_0001,
			want: []fact.Region{{Index: 6, Kind: "mem", Address: "df100000", At: at(0x30, "ROM 0xdf100001: mem at df100000")}},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			config := newConfig(0).put16(4, c.command).put32(0x10, c.bars[:]...).put32(0x30, c.rom)
			if diff := cmp.Diff(c.want, decode(t, config.bytes[:64]).Regions); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestLists: what breaks a list of capabilities costs what stands behind.
func TestLists(t *testing.T) {
	type result struct {
		State    fact.State
		Ext      bool
		Power    string
		AER      bool
		ARI      bool
		Problems []string
	}
	for _, c := range []struct {
		name   string
		change func(*config)
		n      int // bytes that could be read; 0: all
		want   result
	}{
		{name: "whole", change: func(*config) {}, want: result{State: fact.Present, Ext: true, Power: "D3", AER: true, ARI: true}},
		{name: "no list", change: func(c *config) { c.put16(6, 0xffef) }, want: result{}},
		{name: "list of none", change: func(c *config) { c.put8(0x34, 0) }, want: result{}},
		{name: "not root", change: func(*config) {}, n: 64, want: result{State: fact.Denied}},
		{name: "no extended space", change: func(*config) {}, n: 256, want: result{State: fact.Present, Power: "D3"}},
		{name: "pointers with reserved bits set", change: func(c *config) { c.put8(0x34, 0x43) },
			want: result{State: fact.Present, Ext: true, Power: "D3", AER: true, ARI: true}},
		{name: "loop", change: func(c *config) { c.put8(0x41, 0x40) },
			want: result{State: fact.Present, Ext: true, AER: true, ARI: true, Problems: []string{"0000:c5:00.0: list of capabilities loops at 40"}}},
		{name: "broken", change: func(c *config) { c.put8(0x7c, 0xff) },
			want: result{State: fact.Present, Ext: true, AER: true, ARI: true, Problems: []string{"0000:c5:00.0: list of capabilities is broken at 7c"}}},
		{name: "into the header", change: func(c *config) { c.put8(0x41, 0x3c) },
			want: result{State: fact.Present, Ext: true, AER: true, ARI: true, Problems: []string{"0000:c5:00.0: list of capabilities leads into the header, to 3c"}}},
		{name: "cut off", change: func(*config) {}, n: 0x7c,
			want: result{State: fact.Present, Problems: []string{"0000:c5:00.0: list of capabilities goes on at 7c, which could not be read"}}},
		{name: "extended list of zeros", change: func(c *config) { c.put32(0x100, 0) }, want: result{State: fact.Present, Power: "D3"}},
		{name: "extended list of ones", change: func(c *config) { c.put32(0x100, 0xffff_ffff) }, want: result{State: fact.Present, Power: "D3"}},
		{name: "extended loop", change: func(c *config) { c.put32(0x148, 0x1001_000e) },
			want: result{State: fact.Present, Ext: true, Power: "D3", AER: true, ARI: true, Problems: []string{"0000:c5:00.0: list of extended capabilities loops at 100"}}},
		{name: "extended list into the other", change: func(c *config) { c.put32(0x100, 0x0401_0001) },
			want: result{State: fact.Present, Ext: true, Power: "D3", AER: true, Problems: []string{"0000:c5:00.0: list of extended capabilities leads out of them, to 040"}}},
		{name: "extended list cut off", change: func(*config) {}, n: 0x148,
			want: result{State: fact.Present, Ext: true, Power: "D3", AER: true, Problems: []string{"0000:c5:00.0: list of extended capabilities goes on at 148, which could not be read"}}},
		{name: "extended space of a conventional function", change: func(c *config) { c.put8(0x40, 0x09) },
			want: result{State: fact.Present, Power: "D3"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			config := newConfig(0)
			config.express(2, typeEndpoint)                    // 40
			config.put16(config.capability(0x01, 8)+4, 0x0003) // 7c
			config.extension(0x01, 0x48)                       // 100
			config.extension(0x0e, 8)                          // 148
			c.change(config)
			if c.n == 0 {
				c.n = 4096
			}
			d, problems := pciconfig.Decode(address, config.bytes[:c.n], inFile)
			got := result{State: d.CapsState, Ext: d.ExtCaps, Power: d.Power.V, AER: d.AER != nil, ARI: d.ARI}
			for _, p := range problems {
				got.Problems = append(got.Problems, p.Text)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestProblems(t *testing.T) {
	for _, c := range []struct {
		name   string
		config []byte
		want   string
	}{
		{"nothing", nil, "0000:c5:00.0: 0 bytes of configuration space, less than a header"},
		{"broken off", newConfig(0).bytes[:48], "0000:c5:00.0: 48 bytes of configuration space, less than a header"},
		{"unknown header", newConfig(0x05).bytes, "0000:c5:00.0: header of type 05, which is not known"},
		{"windows of unknown kind", newConfig(1).put8(0x1c, 0x01, 0x00).bytes, "0000:c5:00.0: I/O window of unknown kind 01/00"},
		{"Resizable BAR without a BAR", func() []byte {
			c := newConfig(0)
			c.express(2, typeEndpoint)
			c.extension(0x15, 12)
			return c.bytes
		}(), "0000:c5:00.0: Resizable BAR capability with 0 BARs"},
		{"Resizable BAR with more BARs than there are", func() []byte {
			c := newConfig(0)
			c.express(2, typeEndpoint)
			c.put8(c.extension(0x15, 12)+8, 0xe0)
			return c.bytes
		}(), "0000:c5:00.0: Resizable BAR capability with 7 BARs"},
		{"latency tolerance of a reserved scale", func() []byte {
			c := newConfig(0)
			c.express(2, typeEndpoint)
			c.put16(c.extension(0x18, 8)+4, 0x1001, 0x1801)
			return c.bytes
		}(), "0000:c5:00.0: latency tolerance of a scale that is not permitted"},
		{"type of function to come", func() []byte {
			c := newConfig(0)
			c.express(2, 0xf)
			return c.bytes
		}(), "0000:c5:00.0: PCI Express function of type 15, which is not known"},
	} {
		_, problems := pciconfig.Decode(address, c.config, inFile)
		if diff := cmp.Diff([]fact.Problem{{File: "config", Text: c.want}}, problems); diff != "" {
			t.Errorf("%s: %s", c.name, diff)
		}
	}
}

// TestText: a place says what stands there, and that is read again.
func TestText(t *testing.T) {
	config := server()
	for offset, want := range map[int]string{
		0x00: "ID 0x56781234: 1234:5678",
		0x42: "Express 0x0142: v2, root-port, Slot+",
		0x52: "LnkSta 0x7042: 5 GT/s, x4, DLActive+",
		0x44: "DevCap 0x00008002: MaxPayload 512 bytes",
		0x45: "",
	} {
		if got := pciconfig.Text(config, offset); got != want {
			t.Errorf("%03x: %q, want %q", offset, got, want)
		}
	}
	pciconfig.Decode(address, config, func(offset int, decoded string) fact.Line {
		if err := checkPlace(config, offset, decoded); err != nil {
			t.Error(err)
		}
		if again := pciconfig.Text(config, offset); again != decoded {
			t.Errorf("%03x: %q, and again %q", offset, decoded, again)
		}
		return fact.Line{}
	})
}

// checkPlace holds the digits of a decoded text against the bytes.
func checkPlace(config []byte, offset int, decoded string) error {
	_, digits, _ := strings.Cut(decoded, " 0x")
	digits, meaning, _ := strings.Cut(digits, ": ")
	value, err := hex.DecodeString(digits)
	slices.Reverse(value)
	if err != nil || meaning == "" || offset < 0 || offset+len(value) > len(config) || !slices.Equal(value, config[offset:offset+len(value)]) {
		return fmt.Errorf("%03x of %03x: %q", offset, len(config), decoded)
	}
	return nil
}

// server is a root port with all that this package reads of one.
func server() []byte {
	c := newConfig(1)
	c.put16(0x04, 0x0007).put8(0x18, 0, 1, 2).put8(0x1c, 0x10, 0x10).put16(0x20, 0xdf00, 0xdf10).put16(0x24, 0x0001, 0x1ff1)
	at := c.express(2, typeRootPort|0x10)
	c.put32(at+0x04, 0x0000_8002).put16(at+0x08, 0x2817, 0x0009)
	c.put32(at+0x0c, 0x0310_0c84).put16(at+0x10, 0x0043, 0x7042)
	c.put32(at+0x14, 0x0018_0044).put16(at+0x1a, 0x0040, 0x0008)
	c.put32(at+0x24, 0x0000_082f).put16(at+0x28, 0x0425).put16(at+0x30, 0x0004, 0x005e)
	c.put16(c.capability(0x05, 14)+2, 0x0081)
	c.put16(c.capability(0x01, 8)+4, 0x0000)
	c.extension(0x01, 0x48)
	c.put32(c.lastExt+4, 0x0010_0000, 0, 0x0046_2030, 0x0000_2001, 0x0000_2000)
	c.put32(c.lastExt+0x2c, 7, 0x0000_0001)
	c.put16(c.extension(0x0d, 8)+4, 0x001f, 0x001d)
	c.put32(c.extension(0x19, 0x1c)+8, 0x0000_0009)
	c.put16(c.extension(0x1d, 0x10)+4, 0x0000, 0x001a, 0x1f00)
	c.put32(c.extension(0x1e, 0x14)+4, 0x0028_1e1f, 0x0000_000f)
	return c.bytes
}

// FuzzDecode: whatever the bytes, the work is bounded and each place is one of
// them.
func FuzzDecode(f *testing.F) {
	f.Add(server())
	f.Add(server()[:256])
	f.Add(server()[:64])
	f.Add(slices.Repeat([]byte{0xff}, 256))
	f.Add(server()[:45])
	loop := newConfig(0)
	for range 48 { // capabilities and extended ones, as close as they come
		loop.capability(0x10, 4)
		if loop.next > 0xfc {
			break
		}
	}
	for range 960 {
		if loop.nextExt > 0xffc {
			break
		}
		loop.extension(0x15, 4)
	}
	f.Add(loop.bytes)
	f.Fuzz(func(t *testing.T, config []byte) {
		const (
			header           = 32 // places of the header, and problems
			registers        = 16 // of one capability
			mostCapabilities = 7 + 11
		)
		cited := 0
		last, lastText := 0, ""
		d, problems := pciconfig.Decode(address, config, func(offset int, decoded string) fact.Line {
			if cited++; decoded != "" {
				if err := checkPlace(config, offset, decoded); err != nil {
					t.Fatal(err)
				}
				last, lastText = offset, decoded
			}
			return inFile(offset, decoded)
		})
		if cited > header+registers*mostCapabilities {
			t.Errorf("%d places", cited)
		}
		if len(problems) > 8 || len(d.Regions) > 7 || len(d.Windows) > 3 || len(d.ReBAR) > 6 {
			t.Errorf("%d problems, %d regions, %d windows, %d resizable BARs", len(problems), len(d.Regions), len(d.Windows), len(d.ReBAR))
		}
		if len(config) < 256 && d.ExtCaps || d.ExtCaps && d.CapsState != fact.Present {
			t.Errorf("extended capabilities of %d bytes, state %q", len(config), d.CapsState)
		}
		if lastText != "" && pciconfig.Text(config, last) != lastText {
			t.Errorf("%03x: %q, and again %q", last, lastText, pciconfig.Text(config, last))
		}
	})
}

func BenchmarkDecode(b *testing.B) {
	config := server()
	b.SetBytes(int64(len(config)))
	b.ReportAllocs()
	for b.Loop() {
		pciconfig.Decode(address, config, inFile)
	}
}

// BenchmarkHostile decodes a list of as many capabilities as fit, of the kind
// that says most.
func BenchmarkHostile(b *testing.B) {
	config := newConfig(0)
	config.express(2, typeRootPort)
	for config.nextExt <= 0xffc {
		config.extension(0x01, 4)
	}
	binary.LittleEndian.PutUint32(config.bytes[0xffc:], 0x1_0001)
	b.SetBytes(int64(len(config.bytes)))
	b.ReportAllocs()
	for b.Loop() {
		pciconfig.Decode(address, config.bytes, inFile)
	}
}
