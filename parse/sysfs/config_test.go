package sysfs_test

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hwcap/parse/fact"
	"hwcap/parse/pciconfig"
	"hwcap/parse/sysfs"
)

// switchPort is the configuration space of a made-up downstream port between
// buses 2 and 3: its link runs at 8 GT/s x4, with AER and ACS.
func switchPort() string {
	c := make([]byte, 4096)
	for _, r := range []struct {
		offset int
		value  uint32
	}{
		{0x00, 0x0001_1b36}, {0x04, 0x0010_0407}, {0x08, 0x0604_0002}, {0x0c, 0x0001_0000}, {0x18, 0x0003_0302}, {0x34, 0x40},
		{0x40, 0x0162_0010}, {0x44, 0x8001}, {0x48, 0x0001_000f}, {0x4c, 0x0510_0d04}, {0x50, 0x3043_0000}, {0x54, 0x0018_0040}, {0x58, 0x0040_0000},
		{0x100, 0x1401_0001}, {0x104, 0x0010_0000}, {0x110, 1},
		{0x140, 0x0001_000d}, {0x144, 0x0001_001f},
	} {
		binary.LittleEndian.PutUint32(c[r.offset:], r.value)
	}
	return string(c)
}

const portFolder = "sys/bus/pci/devices/0000:02:01.0/"

func TestConfig(t *testing.T) {
	space := switchPort()
	m := &fact.Machine{}
	tree := sysfs.New(m)
	tree.Add(portFolder+"config", strings.NewReader(space))
	tree.Add(portFolder+"vendor", strings.NewReader("0x1b36\n"))
	tree.Add(portFolder+"class", strings.NewReader("0x060400\n"))
	tree.Finish()
	d := m.Device("0000:02:01.0")
	tree.Decode(d)
	if len(m.Problems) > 0 {
		t.Fatalf("%+v", m.Problems)
	}
	if d.From != (fact.Line{File: portFolder + "vendor", Line: 1, Text: "0x1b36"}) {
		t.Errorf("the function stands at %+v", d.From)
	}
	if d.Device != "0001" || d.Bus == nil || d.Bus.Secondary != 3 || d.CapsState != fact.Present || !d.ExtCaps || d.ACS == nil || d.ACS.Ctl == nil ||
		!d.AER.CESta.Has("RxErr") || d.Express.LinkSta.Speed != 8 || d.Sysfs.ConfigBytes.V != 4096 {
		t.Errorf("%+v", d)
	}
	for _, at := range []fact.Line{d.Bus.At, d.Express.At, d.Express.LinkSta.At, d.Express.LinkCap.At, d.AER.CESta.At[0], d.AER.UESta.At[0], d.ACS.Ctl.At[0]} {
		if at.File != portFolder+"config" || at.Text == "" || at.Text != pciconfig.Text([]byte(space), int(at.Offset)) {
			t.Errorf("cites %+v, where stands %q", at, pciconfig.Text([]byte(space), int(at.Offset)))
		}
	}
}

// breakingOff is a file that cannot be read to its end.
type breakingOff struct{ r io.Reader }

func (b breakingOff) Read(p []byte) (int, error) {
	n, err := b.r.Read(p)
	if err == io.EOF {
		err = errors.New("cut off")
	}
	return n, err
}

// TestConfigThatSaysLess holds that what could not be read is unknown.
func TestConfigThatSaysLess(t *testing.T) {
	space := switchPort()
	header := fact.Device{Address: "0000:02:01.0", Vendor: "1b36", Device: "0001", Class: "0604", ProgIf: "00", Revision: "02", Header: "01", CapsState: fact.Denied,
		Bus: &fact.BusRange{Primary: 2, Secondary: 3, Subordinate: 3}, DisINTx: fact.Of(true, fact.Line{}), Sysfs: &fact.Sysfs{ConfigBytes: fact.Of(int64(64), fact.Line{})}}
	for situation, c := range map[string]struct {
		r    io.Reader
		want fact.Device
	}{
		"an ordinary user":  {strings.NewReader(space[:64]), header},
		"cut off":           {breakingOff{strings.NewReader(space[:300])}, fact.Device{Address: "0000:02:01.0", Sysfs: &fact.Sysfs{ConfigBytes: fact.Missing[int64](fact.Failed, fact.Line{})}}},
		"cut off at once":   {breakingOff{strings.NewReader("")}, fact.Device{Address: "0000:02:01.0", Sysfs: &fact.Sysfs{ConfigBytes: fact.Missing[int64](fact.Failed, fact.Line{})}}},
		"cut off behind it": {breakingOff{strings.NewReader(space)}, fact.Device{Address: "0000:02:01.0", Sysfs: &fact.Sysfs{ConfigBytes: fact.Missing[int64](fact.Failed, fact.Line{})}}},
		"empty":             {strings.NewReader(""), fact.Device{Address: "0000:02:01.0", Sysfs: &fact.Sysfs{ConfigBytes: fact.Of(int64(0), fact.Line{})}}},
		"does not answer":   {strings.NewReader(strings.Repeat("\xff", 4096)), fact.Device{Address: "0000:02:01.0", Revision: "ff", Header: "7f", Sysfs: &fact.Sysfs{ConfigBytes: fact.Of(int64(4096), fact.Line{})}}},
	} {
		t.Run(situation, func(t *testing.T) {
			m := &fact.Machine{}
			tree := sysfs.New(m)
			tree.Add(portFolder+"config", c.r)
			tree.Finish()
			got := *m.Device("0000:02:01.0")
			tree.Decode(&got)
			got.Windows = nil
			noPlaces := cmp.Transformer("noPlace", func(fact.Line) string { return "" })
			if diff := cmp.Diff(c.want, got, noPlaces); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestManyConfigs bounds what the configuration spaces of a machine with ten
// thousand functions take.
func TestManyConfigs(t *testing.T) {
	const functions, most = 10_000, 16 << 10 // bytes a function
	space := switchPort()
	used := func() uint64 {
		var s runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&s)
		return s.HeapAlloc
	}
	before := used()
	m := &fact.Machine{}
	tree := sysfs.New(m)
	for i := range functions {
		tree.Add(fmt.Sprintf("sys/bus/pci/devices/%04x:%02x:%02x.%d/config", i>>16, i>>8&0xff, i>>3&0x1f, i&7), strings.NewReader(space))
	}
	tree.Finish()
	for i := range m.PCI {
		tree.Decode(&m.PCI[i])
	}
	after := used()
	t.Logf("%d bytes a function", (after-before)/functions)
	if got := (after - before) / functions; got > most {
		t.Errorf("%d bytes a function, at most %d are meant", got, most)
	}
	if len(m.PCI) != functions || m.PCI[functions-1].AER == nil {
		t.Errorf("%d functions", len(m.PCI))
	}
	runtime.KeepAlive(m)
}

func BenchmarkConfig(b *testing.B) {
	space := switchPort()
	b.SetBytes(int64(len(space)))
	b.ReportAllocs()
	for b.Loop() {
		m := &fact.Machine{}
		tree := sysfs.New(m)
		tree.Add(portFolder+"config", strings.NewReader(space))
		tree.Finish()
		tree.Decode(&m.PCI[0])
	}
}

// TestDecodeConflicts holds that the file config tells where it says something
// else of the link than what was printed, which counts.
func TestDecodeConflicts(t *testing.T) {
	m := &fact.Machine{}
	tree := sysfs.New(m)
	tree.Add(portFolder+"config", strings.NewReader(switchPort()))
	tree.Add(portFolder+"vendor", strings.NewReader("0x1b36\n"))
	tree.Finish()
	d := m.Device("0000:02:01.0")
	printed := fact.Line{File: "cmd/lspci-vvv.txt", Line: 9, Text: "LnkSta: Speed 2.5GT/s, Width x1"}
	d.Express = &fact.Express{LinkSta: &fact.Link{Speed: 2.5, Width: 1, At: printed}}
	tree.Decode(d)
	if len(d.Conflicts) != 1 || d.Conflicts[0].Field != "express.linkSta" || !strings.HasPrefix(d.Conflicts[0].Value, "8 GT/s x") || d.Conflicts[0].At.File != portFolder+"config" {
		t.Errorf("conflicts %+v", d.Conflicts)
	}
	if d.Express.LinkSta.Speed != 2.5 || d.Express.LinkCap == nil {
		t.Errorf("link %+v", d.Express)
	}
}
