package pciids

import (
	"bytes"
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/zstd"
)

var from = flag.String("from", "", "pack this pci.ids")

// TestList holds that the packed list is a whole pci.ids with its head, which
// says where it comes from and under which licences; -from packs another one.
func TestList(t *testing.T) {
	const file = "pci.ids.zst"
	if *from != "" {
		text, err := os.ReadFile(*from)
		if err != nil {
			t.Fatal(err)
		}
		z, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBestCompression), zstd.WithEncoderConcurrency(1))
		if err != nil {
			t.Fatal(err)
		}
		packed = z.EncodeAll(text, nil)
		if err := os.WriteFile(file, packed, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	text := list()
	head, _, _ := bytes.Cut(text, []byte("\n0001  "))
	for _, want := range []string{"List of PCI ID's", "Version: " + Version(), "3-clause BSD License", "Martin Mares and Albert Pool"} {
		if !bytes.Contains(head, []byte(want)) {
			t.Errorf("the head of the list lacks %q", want)
		}
	}
	const most = 512 << 10
	if len(packed) > most {
		t.Errorf("the list takes %d bytes, at most %d are meant", len(packed), most)
	}
	checkShape(t, text)
	if installed, err := os.ReadFile("/usr/share/misc/pci.ids"); err == nil && bytes.Contains(installed, []byte("Version: "+Version()+"\n")) {
		if !bytes.Equal(text, installed) {
			t.Error("the list differs from the installed one of the same version")
		}
	}
}

// checkShape holds that read knows each line: ids of the right length, sorted
// vendors, no line deeper than three.
func checkShape(t *testing.T, text []byte) {
	t.Helper()
	vendors, classes, last := 0, 0, ""
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSuffix(line, "\n")
		if line == "" || line[0] == '#' {
			continue
		}
		entry := strings.TrimLeft(line, "\t")
		depth := len(line) - len(entry)
		class := classes > 0
		if depth == 0 {
			if entry, class = strings.CutPrefix(entry, "C "); class {
				classes++
			} else if vendors++; entry < last || classes > 0 {
				t.Errorf("not in order: %q", line)
			}
			last = entry
		}
		id, name, _ := strings.Cut(entry, "  ")
		want := []int{4, 4, 9}
		if class {
			want = []int{2, 2, 2}
		}
		if depth > 2 || len(id) != want[depth] || strings.Trim(id, "0123456789abcdef ") != "" || name == "" {
			t.Errorf("not a line of the list: %q", line)
		}
	}
	if vendors < 2000 || classes < 20 {
		t.Errorf("%d vendors and %d classes: the list is not whole", vendors, classes)
	}
}

func TestLookup(t *testing.T) {
	tests := map[string]struct {
		id   ID
		want Name
	}{
		"all known": {
			ID{Class: "0200", Vendor: "8086", Device: "10c9", SubVendor: "103c", SubDevice: "323f"},
			Name{"Ethernet controller", "Intel Corporation 82576 Gigabit Network Connection", "Hewlett-Packard Company NC362i Integrated Dual port Gigabit Server Adapter"},
		},
		"subsystem known": {
			ID{Class: "0300", Vendor: "1b36", Device: "0100", SubVendor: "1af4", SubDevice: "1100"},
			Name{"VGA compatible controller", "Red Hat, Inc. QXL paravirtual graphic card", "Red Hat, Inc. QEMU Virtual Machine"},
		},
		"subsystem is the device":    {ID{Vendor: "8086", Device: "10c9", SubVendor: "8086", SubDevice: "10c9"}, Name{"", "Intel Corporation 82576 Gigabit Network Connection", "Intel Corporation 82576 Gigabit Network Connection"}},
		"device not in the list":     {ID{Class: "0600", Vendor: "8086", Device: "fffe"}, Name{"Host bridge", "Intel Corporation Device", ""}},
		"vendor not in the list":     {ID{Class: "0600", Vendor: "eeee", Device: "0001"}, Name{"Host bridge", "", ""}},
		"sub-class not in the list":  {ID{Class: "06ff"}, Name{Class: "Bridge"}},
		"class not in the list":      {ID{Class: "fe00"}, Name{}},
		"base class alone":           {ID{Class: "06"}, Name{Class: "Bridge"}},
		"subsystem of a silent read": {ID{Vendor: "8086", Device: "10c9", SubVendor: "ffff", SubDevice: "ffff"}, Name{Device: "Intel Corporation 82576 Gigabit Network Connection"}},
		"nothing known":              {ID{}, Name{}},
	}
	var ids []ID
	for name, test := range tests {
		ids = append(ids, test.id)
		if diff := cmp.Diff([]Name{test.want}, Lookup([]ID{test.id})); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	for i, got := range Lookup(ids) {
		if diff := cmp.Diff(Lookup(ids[i : i+1])[0], got); diff != "" {
			t.Errorf("%v is another one among others (-alone +together):\n%s", ids[i], diff)
		}
	}
	if got := Lookup(nil); len(got) != 0 {
		t.Errorf("no ids give %v", got)
	}
}

// FuzzRead holds that every name stands in the list behind its id.
func FuzzRead(f *testing.F) {
	f.Add([]byte("8086  Intel\n\t10c9  82576\n\t\t103c 323f  Adapter\nC 02  Network\n\t00  Ethernet\n\t\t01  x\n"), "0200", "8086", "10c9")
	f.Add([]byte("\t10c9  orphan\n#\n  \n8086\nC \nC  x\n"), "", "", "10c9")
	f.Fuzz(func(t *testing.T, text []byte, class, vendor, device string) {
		w := want([]ID{{Class: class, Vendor: vendor, Device: device}})
		w.read(text)
		for _, names := range []map[string]string{w.devices, w.classes} {
			for id, name := range names {
				if name != "" && !bytes.Contains(text, []byte("  "+name)) {
					t.Errorf("%q is called %q, which is not in the list", id, name)
				}
			}
		}
	})
}

func BenchmarkLookup(b *testing.B) {
	ids := make([]ID, 500)
	for i := range ids {
		ids[i] = ID{Class: "0200", Vendor: "8086", Device: "10c9", SubVendor: "103c", SubDevice: "323f"}
	}
	b.SetBytes(int64(len(list())))
	b.ReportAllocs()
	for b.Loop() {
		Lookup(ids)
	}
}
