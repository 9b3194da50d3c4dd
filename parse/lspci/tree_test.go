package lspci

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hwcap/parse/fact"
)

func TestTree(t *testing.T) {
	bus := func(primary, secondary, subordinate int) *fact.BusRange {
		return &fact.BusRange{Primary: primary, Secondary: secondary, Subordinate: subordinate}
	}
	for _, test := range []struct {
		situation string
		text      string
		want      []fact.Device
	}{
		{"nested buses, with names", `
-[0000:00]-+-00.0  Example Host
           +-01.0-[01-03]----00.0-[02-03]--+-01.0-[03]--+-00.0  Example NIC
           |                               |            \-00.1  Example NIC [8086:15b7]
           |                               \-02.0-[04]--
           \-1f.0  Example ISA
`, []fact.Device{
			{Address: "0000:00:00.0", Name: "Example Host"},
			{Address: "0000:00:01.0", Bus: bus(0, 1, 3)},
			{Address: "0000:01:00.0", Parent: "0000:00:01.0", Bus: bus(1, 2, 3)},
			{Address: "0000:02:01.0", Parent: "0000:01:00.0", Bus: bus(2, 3, 3)},
			{Address: "0000:03:00.0", Parent: "0000:02:01.0", Name: "Example NIC"},
			{Address: "0000:03:00.1", Parent: "0000:02:01.0", Name: "Example NIC", Vendor: "8086", Device: "15b7"},
			{Address: "0000:02:02.0", Parent: "0000:01:00.0", Bus: bus(2, 4, 4)},
			{Address: "0000:00:1f.0", Name: "Example ISA"},
		}},
		{"several roots in one tree, with an empty one", `
-+-[0000:00]-
 +-[0000:04]---00.0-[05]----00.0  168c:003c
 +-[0001:00]-+-02.0-[01-10]--+-01.0
 |           |               \-01.1
 |           \-02.3-[31-40]--
 \-[10002:00]---00.0
`, []fact.Device{
			{Address: "0000:04:00.0", Bus: bus(4, 5, 5)},
			{Address: "0000:05:00.0", Parent: "0000:04:00.0", Vendor: "168c", Device: "003c"},
			{Address: "0001:00:02.0", Bus: bus(0, 1, 0x10)},
			{Address: "0001:01:01.0", Parent: "0001:00:02.0"},
			{Address: "0001:01:01.1", Parent: "0001:00:02.0"},
			{Address: "0001:00:02.3", Bus: bus(0, 0x31, 0x40)},
			{Address: "10002:00:00.0"},
		}},
		{"roots of 3.10, a tree each, and inner buses of 3.1.2, with their domain", `
-[0000:00]---1f.0
-[0001:00]-+-02.0-[0001:01-10]--+-01.0
           |                    \-02.0
           \-03.0
`, []fact.Device{
			{Address: "0000:00:1f.0"},
			{Address: "0001:00:02.0", Bus: bus(0, 1, 0x10)},
			{Address: "0001:01:01.0", Parent: "0001:00:02.0"},
			{Address: "0001:01:02.0", Parent: "0001:00:02.0"},
			{Address: "0001:00:03.0"},
		}},
		{"two buses behind one bridge, and one without bus numbers", `
-[0000:00]-+-01.0-[01-02]-+-[0000:02]---00.0
           |              \-[0000:01]---00.0
           \-02.0--
`, []fact.Device{
			{Address: "0000:00:01.0", Bus: bus(0, 1, 2)},
			{Address: "0000:02:00.0", Parent: "0000:00:01.0"},
			{Address: "0000:01:00.0", Parent: "0000:00:01.0"},
			{Address: "0000:00:02.0"},
		}},
		{"in a mail, without its blanks, with a wrapped name", `
> -[0000:00]-+-00.0  Example Host
> +-01.0-[01-03]----00.0-[02-03]--+-01.0-[03]--+-00.0  Example NIC of a
> maker with a long name
> | | \-00.1  Example NIC
> | \-02.0-[04]--
> \-1f.0  Example ISA
`, []fact.Device{
			{Address: "0000:00:00.0", Name: "Example Host"},
			{Address: "0000:00:01.0", Bus: bus(0, 1, 3)},
			{Address: "0000:01:00.0", Parent: "0000:00:01.0", Bus: bus(1, 2, 3)},
			{Address: "0000:02:01.0", Parent: "0000:01:00.0", Bus: bus(2, 3, 3)},
			{Address: "0000:03:00.0", Parent: "0000:02:01.0", Name: "Example NIC of a maker with a long name"},
			{Address: "0000:03:00.1", Parent: "0000:02:01.0", Name: "Example NIC"},
			{Address: "0000:02:02.0", Parent: "0000:01:00.0", Bus: bus(2, 4, 4)},
			{Address: "0000:00:1f.0", Name: "Example ISA"},
		}},
		{"before and behind listings, which say it better", `
$ lspci -tv
-[0000:00]-+-01.0-[01]----00.0  Name of the tree
           \-02.0-[02]----00.0  Name of the tree
$ lspci -v
00:01.0 PCI bridge: Example
	Bus: primary=00, secondary=01, subordinate=05, sec-latency=0
01:00.0 Ethernet controller: Name of the listing
$ lspci -n
00:02.0 0604: 8086:0002
`, []fact.Device{
			{Address: "0000:00:01.0", Class: "0604", ClassName: "PCI bridge", Name: "Example", Bus: bus(0, 1, 5), Listings: 1},
			{Address: "0000:01:00.0", Class: "0200", ClassName: "Ethernet controller", Name: "Name of the listing", Parent: "0000:00:01.0", Listings: 1},
			{Address: "0000:00:02.0", Class: "0604", Vendor: "8086", Device: "0002", Bus: bus(0, 2, 2), Listings: 1},
			{Address: "0000:02:00.0", Parent: "0000:00:02.0", Name: "Name of the tree"},
		}},
	} {
		t.Run(test.situation, func(t *testing.T) {
			got := parse(t, test.text)
			if diff := cmp.Diff(test.want, got.Devices, noPlaces); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if len(got.Problems) > 0 || got.Unread.Lines > 0 {
				t.Errorf("problems %v, unread %+v", got.Problems, got.Unread)
			}
		})
	}
}

// TestTreeRows: a row that continues nothing, or is cut, is unread.
func TestTreeRows(t *testing.T) {
	for _, text := range []string{
		"+-01.0-[01]----00.0\n",
		"-[0000:00]-+-00.0\n           |  \\-00.0\n",
		"-[0000:00]-\n\n           +-01.0\n",
		"-[0000:00]---0x.0\n",
	} {
		if got := parse(t, text); got.Unread.Lines != 1 {
			t.Errorf("%q: unread %+v, devices %v", text, got.Unread, got.Devices)
		}
	}
	got := parse(t, "x\n-[0000:00]---1c.0-[01]--\n")
	at := fact.Line{File: "cmd/lspci-vvv.txt", Line: 2, Text: "-[0000:00]---1c.0-[01]--"}
	if d := got.Devices[0]; d.From != at || d.Bus.At != at {
		t.Errorf("device stands at %+v, its buses at %+v", d.From, d.Bus.At)
	}
}

// TestPaths: the devices of lspci -P and -PP stand behind those of their path.
func TestPaths(t *testing.T) {
	const verbose = `00:03.0 PCI bridge: Example
	Bus: primary=00, secondary=02, subordinate=05, sec-latency=0
00:03.0/00.0 PCI bridge: Example
	Bus: primary=02, secondary=03, subordinate=05, sec-latency=0
00:03.0/00.0/02.0 Ethernet controller: Example
`
	const short = "0000:00:03.0/00.0/02.0 Ethernet controller: Example\n"
	for situation, text := range map[string]string{
		"-PP":                 "00:03.0/02:00.0/03:02.0 Ethernet controller: Example\n",
		"-P -v":               verbose,
		"-P, behind a tree":   "-[0000:00]---03.0-[02-05]----00.0-[03-05]----02.0\n\n" + short,
		"-P, behind lspci -v": strings.ReplaceAll(verbose, "00:03.0/00.0 ", "02:00.0 ") + "$ lspci -P\n" + short,
	} {
		got := parse(t, text)
		i := slices.IndexFunc(got.Devices, func(d fact.Device) bool { return d.Address == "0000:03:02.0" })
		if i < 0 || got.Devices[i].Parent != "0000:02:00.0" || len(got.Problems) > 0 {
			t.Errorf("%s: devices %+v, problems %v", situation, got.Devices, got.Problems)
		}
	}
	got := parse(t, "00:03.0 PCI bridge: Example\n00:03.0/00.0 PCI bridge: Example\n")
	want := []fact.Problem{{File: "cmd/lspci-vvv.txt", Line: 2, Text: "the bus behind 0000:00:03.0 is not known; lspci -PP prints it"}}
	if diff := cmp.Diff(want, got.Problems); diff != "" || len(got.Devices) != 1 {
		t.Errorf("%d devices, problems (-want +got):\n%s", len(got.Devices), diff)
	}
}

// TestInstalledTree: the trees and paths that this machine's lspci draws of
// dumps say what its listings do.
func TestInstalledTree(t *testing.T) {
	dumps, _ := filepath.Glob(filepath.Join(corpus(t), "pciutils-tests", "*"))
	tool, err := exec.LookPath("lspci")
	if err != nil {
		t.Skip("lspci is not installed")
	}
	run := func(dump string, options ...string) *Result {
		cmd := exec.Command(tool, append([]string{"-F", dump}, options...)...)
		cmd.Env = append(os.Environ(), "LC_ALL=C")
		text, err := cmd.Output()
		if err != nil {
			t.Fatalf("%s %v: %v", dump, options, err)
		}
		r := parse(t, string(text))
		if r.Unread.Lines > 0 || len(r.Problems) > 0 {
			t.Errorf("%s %v: unread %+v, problems %v", dump, options, r.Unread, r.Problems)
		}
		return r
	}
	type seen struct{ Parent, Name, Vendor, Device string }
	compare := func(dump string, a, b *Result) {
		have := func(r *Result) map[string]seen {
			all := map[string]seen{}
			for _, d := range r.Devices {
				all[d.Address] = seen{d.Parent, d.Name, d.Vendor, d.Device}
				if d.Bus != nil { // trees name no bridges
					all[d.Address] = seen{Parent: d.Parent}
				}
			}
			return all
		}
		if diff := cmp.Diff(have(a), have(b)); diff != "" {
			t.Errorf("%s (-path +tree):\n%s", dump, diff)
		}
	}
	for _, dump := range dumps {
		path := run(dump, "-PPvnn")
		compare(dump, path, run(dump, "-tvnn"))
		compare(dump, path, run(dump, "-Pvnn"))
	}
}
