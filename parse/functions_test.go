package parse_test

import (
	"archive/tar"
	"encoding/binary"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"hwcap/parse"
	"hwcap/parse/fact"
	"hwcap/parse/pciconfig"
)

// configOf writes registers of 32 bits into a configuration space of 4 KiB.
func configOf(registers map[int]uint32) string {
	c := make([]byte, 4096)
	for offset, value := range registers {
		binary.LittleEndian.PutUint32(c[offset:], value)
	}
	return string(c)
}

// The two ends of a made-up link at 8 GT/s x4: a root port of bus 1 and an NVMe
// drive.
var (
	rootPort = configOf(map[int]uint32{
		0x00: 0x000c_1b36, 0x04: 0x0010_0407, 0x08: 0x0604_0002, 0x0c: 0x0001_0000, 0x18: 0x0001_0100, 0x34: 0x40,
		0x40: 0x0142_0010, 0x44: 0x8001, 0x48: 0x0001_000f, 0x4c: 0x0510_0d04, 0x50: 0x3043_0000, 0x58: 0x0040_0000,
		0x100: 0x1401_0001, 0x110: 1, 0x140: 0x0001_000d, 0x144: 0x0001_001f,
	})
	drive = configOf(map[int]uint32{
		0x00: 0x0010_1b36, 0x04: 0x0010_0407, 0x08: 0x0108_0202, 0x10: 0xfe00_0004, 0x2c: 0x1100_1af4, 0x34: 0x40,
		0x40: 0x0002_0010, 0x44: 0x1000_8001, 0x48: 0x2000, 0x4c: 0x0000_0843, 0x50: 0x1043_0000,
		0x100: 0x0001_0001,
	})
)

// TestWithoutLspci opens what a target without pciutils can give, its names as
// Windows unpacks them: the files config alone tell both ends of the link.
func TestWithoutLspci(t *testing.T) {
	m, err := open(tarOf(t,
		entry{name: "x/sys/bus/pci/devices/0000_01_00.0/config", data: drive},
		entry{name: "x/sys/bus/pci/devices/0000_00_01.0/config", data: rootPort}), parse.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	if len(m.Problems) > 0 || len(m.PCI) != 2 {
		t.Fatalf("%d functions, problems %v", len(m.PCI), m.Problems)
	}
	upper, lower := m.PCI[0], m.PCI[1]
	if upper.Express == nil || upper.AER == nil || upper.ACS == nil || lower.Express == nil || lower.AER == nil {
		t.Fatalf("%+v\n%+v", upper, lower)
	}
	type end struct {
		Address, Parent, Type, Class string
		Can, Runs                    [2]float64
		Caps                         fact.State
	}
	of := func(d fact.Device) end {
		can, runs := d.Express.LinkCap, d.Express.LinkSta
		return end{d.Address, d.Parent, d.Express.Type, d.Class, [2]float64{can.Speed, float64(can.Width)}, [2]float64{runs.Speed, float64(runs.Width)}, d.CapsState}
	}
	want := []end{
		{"0000:00:01.0", "", fact.RootPort, "0604", [2]float64{16, 16}, [2]float64{8, 4}, fact.Present},
		{"0000:01:00.0", "0000:00:01.0", fact.Endpoint, "0108", [2]float64{8, 4}, [2]float64{8, 4}, fact.Present},
	}
	if diff := cmp.Diff(want, []end{of(upper), of(lower)}); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if !upper.AER.CESta.Has("RxErr") || lower.AER.CESta.Has("RxErr") {
		t.Errorf("corrected errors: %v and %v", upper.AER.CESta, lower.AER.CESta)
	}
	if at := upper.Express.LinkSta.At; at.File != "sys/bus/pci/devices/0000:00:01.0/config" || at.Offset != 0x52 || at.Text != pciconfig.Text([]byte(rootPort), 0x52) {
		t.Errorf("the link stands at %+v", at)
	}
	names := []string{lower.Name, lower.ClassName, lower.SubName}
	if diff := cmp.Diff([]string{"Red Hat, Inc. QEMU NVM Express Controller", "Non-Volatile memory controller", "Red Hat, Inc. Device"}, names); diff != "" {
		t.Errorf("names (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"name", "className", "subName"}, lower.PCIIDs); diff != "" {
		t.Errorf("looked up (-want +got):\n%s", diff)
	}
}

// TestThreeRoads: what lspci prints stands before its hexadecimal rows, and
// these before the file config.
func TestThreeRoads(t *testing.T) {
	text := "01:00.0 Non-Volatile memory controller: Example Drive\n\tSubsystem: Board Maker Model 7\n" +
		"\tCapabilities: [40] Express (v2) Endpoint, MSI 00\n\t\tLnkSta:\tSpeed 2.5GT/s (downgraded), Width x4\n"
	for i := range 4 {
		text += fmt.Sprintf("%02x: % x\n", 16*i, drive[16*i:16*i+16])
	}
	text += "\n"
	m, err := open(tarOf(t,
		entry{name: "x/cmd/lspci-vvv.txt", data: text},
		entry{name: "x/sys/bus/pci/devices/0000:01:00.0/config", data: drive},
		entry{name: "x/sys/bus/pci/devices/0000:01:00.0/numa_node", data: "1\n"}), parse.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	d := m.Device("0000:01:00.0")
	const lspci, config = "cmd/lspci-vvv.txt", "sys/bus/pci/devices/0000:01:00.0/config"
	for what, c := range map[string]struct {
		at   fact.Line
		file string
		line int
	}{
		"printed":    {d.Express.LinkSta.At, lspci, 4},
		"in rows":    {d.Regions[0].At, lspci, 6},
		"in config":  {d.Express.LinkCap.At, config, 0},
		"capability": {d.AER.At, config, 0},
	} {
		if c.at.File != c.file || c.at.Line != c.line {
			t.Errorf("%s: %+v", what, c.at)
		}
	}
	if d.Express.LinkSta.Speed != 2.5 || d.Vendor != "1b36" || d.Name != "Example Drive" || d.SubName != "Board Maker Model 7" || d.PCIIDs != nil || *d.NUMANode != 1 || d.CapsState != fact.Present {
		t.Errorf("%+v", d)
	}
}

// TestManyConfigs opens the configuration space of ten thousand functions, in
// an archive that is never in memory as a whole.
func TestManyConfigs(t *testing.T) {
	const functions, most = 10_100, 256 << 20
	r, w := io.Pipe()
	done := make(chan struct{})
	runtime.GC()
	before := heap()
	peak := before
	look := time.NewTicker(10 * time.Millisecond)
	defer look.Stop()
	go func() {
		defer close(done)
		out := tar.NewWriter(w)
		var err error
		for i := 0; i < functions && err == nil; i++ {
			name := fmt.Sprintf("x/sys/bus/pci/devices/%04x:%02x:%02x.%d/config", i>>16, i>>8&0xff, i>>3&0x1f, i&7)
			if err = out.WriteHeader(&tar.Header{Name: name, Mode: 0o644, Size: int64(len(rootPort))}); err == nil {
				_, err = io.Copy(out, strings.NewReader(rootPort))
			}
		}
		if err == nil {
			err = out.Close()
		}
		w.CloseWithError(err)
	}()
	var m *fact.Machine
	var err error
	read := make(chan struct{})
	go func() {
		defer close(read)
		m, err = parse.Read(r, "x.tar", parse.Options{})
	}()
	for reading := true; reading; peak = max(peak, heap()) {
		select {
		case <-look.C:
		case <-read:
			reading = false
		}
	}
	if <-done; err != nil {
		t.Fatal(err)
	}
	t.Logf("the heap grew by %d MiB", (peak-before)>>20)
	if grown := peak - before; grown > most {
		t.Errorf("the heap grew by %d MiB, at most %d are allowed", grown>>20, most>>20)
	}
	if len(m.PCI) != functions || m.PCI[9_999].AER == nil || m.PCI[functions-1].AER != nil {
		t.Errorf("%d functions, the last %+v", len(m.PCI), m.PCI[functions-1])
	}
	said := 0
	for _, p := range m.Problems {
		if strings.Contains(p.Text, "more than 10000 configuration spaces") {
			said++
		}
	}
	if said != 1 {
		t.Errorf("said %d times that the rest is not read", said)
	}
}
