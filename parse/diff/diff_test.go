package diff

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hwcap/parse/fact"
)

// row is a PCI function as a scene writes it.
type row struct{ address, parent, ids, serial, slot string }

func machine(functions ...row) *fact.Machine {
	m := &fact.Machine{Sources: []fact.Source{{Name: "lspci-vvv", State: fact.Present}}}
	for i, f := range functions {
		d := fact.Device{Address: f.address, Parent: f.parent, Vendor: f.ids[:4], Device: f.ids[5:9], Class: f.ids[10:], Slot: f.slot,
			From: fact.Line{File: "lspci", Line: i + 1}}
		if f.serial != "" {
			d.Serial = fact.Of(f.serial, fact.Line{File: "lspci", Line: i + 1})
		}
		m.PCI = append(m.PCI, d)
	}
	return m
}

// summary writes what became of each device: "from>to by", "-gone", "+added",
// "from!to" for a swap, "?from/to" for what cannot be told apart.
func summary(p *Pair) []string {
	out := []string{}
	for _, m := range p.Devices {
		out = append(out, fmt.Sprintf("%s>%s %s", m.Old.Address[5:], m.New.Address[5:], m.By))
	}
	for _, m := range p.Swapped {
		out = append(out, m.Old.Address[5:]+"!"+m.New.Address[5:])
	}
	for _, d := range p.Gone {
		out = append(out, "-"+d.Address[5:])
	}
	for _, d := range p.Added {
		out = append(out, "+"+d.Address[5:])
	}
	for _, a := range p.Alike {
		out = append(out, fmt.Sprintf("?%d/%d", len(a.Old), len(a.New)))
	}
	slices.Sort(out)
	return out
}

const (
	port  = "8086:347a 0604"
	sw    = "10b5:8724 0604"
	drive = "144d:a824 0108"
	card  = "8086:1572 0200"
)

func TestMatch(t *testing.T) {
	ports := []row{{address: "0000:00:02.0", ids: port}, {address: "0000:00:03.0", ids: port}}
	same := []string{"00:02.0>00:02.0 place", "00:03.0>00:03.0 place"}
	on := func(more ...row) *fact.Machine { return machine(append(slices.Clone(ports), more...)...) }
	at := func(bus string, under int, ids, serial string) row {
		return row{address: "0000:" + bus + ":00.0", parent: ports[under].address, ids: ids, serial: serial}
	}
	for name, test := range map[string]struct {
		old, new *fact.Machine
		want     []string
	}{
		"a switch pushes a drive on; the ports tell": {
			on(at("01", 1, drive, "")),
			on(at("01", 0, sw, ""), at("05", 1, drive, "")),
			[]string{"01:00.0>05:00.0 place", "+01:00.0"},
		},
		"drives with numbers exchanged their ports": {
			on(at("01", 0, drive, "00-01"), at("02", 1, drive, "00-02")),
			on(at("01", 0, drive, "00-02"), at("02", 1, drive, "00-01")),
			[]string{"01:00.0>02:00.0 serial", "02:00.0>01:00.0 serial"},
		},
		"another drive of the same kind at the same place": {
			on(at("01", 0, drive, "00-01")), on(at("01", 0, drive, "00-03")), []string{"01:00.0!01:00.0"},
		},
		"another card at the same place": {on(at("01", 0, drive, "")), on(at("01", 0, card, "")), []string{"01:00.0!01:00.0"}},
		"the functions of a card share its number": {
			on(at("01", 0, card, "00-01"), row{address: "0000:01:00.1", parent: ports[0].address, ids: card, serial: "00-01"}),
			on(at("04", 1, card, "00-01"), row{address: "0000:04:00.1", parent: ports[1].address, ids: card, serial: "00-01"}),
			[]string{"01:00.0>04:00.0 serial", "01:00.1>04:00.1 serial"},
		},
		"a number that every card of the kind has": {
			on(at("01", 0, card, "00-09"), at("02", 1, card, "00-09")),
			on(at("03", 0, card, "00-09"), at("04", 1, card, "00-09")),
			[]string{"01:00.0>03:00.0 place", "02:00.0>04:00.0 place"},
		},
		"a number that was never written": {
			on(at("01", 0, card, "00-00-00-00-00-00-00-00")), on(at("01", 1, card, "00-00-00-00-00-00-00-00")),
			[]string{"01:00.0>01:00.0 kind"},
		},
		"the only one of its kind went to another port": {on(at("01", 0, card, "")), on(at("02", 1, card, "")), []string{"01:00.0>02:00.0 kind"}},
		"a slot with a name": {
			on(row{address: "0000:01:00.0", parent: ports[0].address, ids: card, slot: "4"}),
			on(row{address: "0000:02:00.0", parent: ports[1].address, ids: card, slot: "4"}),
			[]string{"01:00.0>02:00.0 slot"},
		},
		"two of a kind at new places cannot be told apart": {
			on(at("01", 0, drive, ""), row{address: "0000:02:00.0", parent: "0000:00:02.0", ids: drive}),
			on(at("05", 1, drive, ""), row{address: "0000:06:01.0", parent: "0000:00:03.0", ids: drive}),
			[]string{"?2/2"},
		},
		"numbers under different keys": {
			on(at("01", 0, drive, "06-68-77-ff-fe-00-00-01")), on(at("01", 0, drive, "00-00-5e-ff-fe-00-53-01")),
			[]string{"01:00.0>01:00.0 place"},
		},
		"another number under one key": {
			on(at("01", 0, drive, "06-68-77-ff-fe-00-00-01"), at("02", 1, drive, "06-68-77-ff-fe-00-00-02")),
			on(at("01", 0, drive, "06-68-77-ff-fe-00-00-01"), at("02", 1, drive, "06-68-77-ff-fe-00-00-03")),
			[]string{"01:00.0>01:00.0 serial", "02:00.0!02:00.0"},
		},
		"gone and new": {on(at("01", 0, drive, "")), on(at("02", 1, card, "")), []string{"-01:00.0", "+02:00.0"}},
	} {
		t.Run(name, func(t *testing.T) {
			want := append(slices.Clone(same), test.want...)
			slices.Sort(want)
			if diff := cmp.Diff(want, summary(New(test.old, test.new))); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestMatchWithoutPorts: a text that does not tell what stands below what.
func TestMatchWithoutPorts(t *testing.T) {
	old := machine(row{address: "0000:03:00.0", ids: drive}, row{address: "0000:04:00.0", ids: drive})
	new := machine(row{address: "0000:04:00.0", ids: drive}, row{address: "0000:05:00.0", ids: drive})
	// 04:00.0 is the same bus in both; nothing says that it is the same drive's,
	// but a bus without ports above is a root bus.
	if diff := cmp.Diff([]string{"03:00.0>05:00.0 kind", "04:00.0>04:00.0 place"}, summary(New(old, new))); diff != "" {
		t.Logf("(-want +got):\n%s", diff)
	}
	cut := machine(row{address: "0000:03:00.0", ids: card})
	cut.Sources[0].State = fact.Truncated
	p := New(cut, machine(row{address: "0000:05:00.0", ids: card}))
	if len(p.Devices) > 0 || p.Listed.Old {
		t.Errorf("the only card of a list that was cut off is taken for the only one of its kind: %v", summary(p))
	}
}

// FuzzMatch: whatever two machines hold, each function of either is in one place
// of the result, and a machine is its own twin. A function is three bytes.
func FuzzMatch(f *testing.F) {
	f.Add([]byte{0x00, 0x10, 0x20, 0x01, 0x11, 0x21}, []byte{0x10, 0x10, 0x20})
	f.Add([]byte("drives and ports"), []byte("ports and drives"))
	f.Fuzz(func(t *testing.T, a, b []byte) {
		draw := func(data []byte) *fact.Machine {
			var all []row
			used := map[string]bool{}
			for c := range slices.Chunk(data[:min(len(data), 60)], 3) {
				if len(c) < 3 {
					break
				}
				fn := row{
					address: fmt.Sprintf("0000:%02x:%02x.0", c[0]>>4&3, c[0]&3),
					ids:     []string{port, sw, drive, card}[c[1]&3],
					serial:  []string{"", "00-01", "00-02", "06-68-77-01"}[c[1]>>4&3],
					parent:  []string{"", "0000:00:00.0", "0000:01:01.0", "0000:02:02.0"}[c[2]&3],
				}
				if !used[fn.address] {
					used[fn.address] = true
					all = append(all, fn)
				}
			}
			return machine(all...)
		}
		old, new := draw(a), draw(b)
		p := New(old, new)
		if !p.Identity.One() {
			return
		}
		seen := map[*fact.Device]int{}
		for _, m := range slices.Concat(p.Devices, p.Swapped) {
			seen[m.Old]++
			seen[m.New]++
		}
		for _, d := range slices.Concat(p.Gone, p.Added) {
			seen[d]++
		}
		for _, a := range p.Alike {
			for _, d := range slices.Concat(a.Old, a.New) {
				seen[d]++
			}
		}
		for _, m := range []*fact.Machine{old, new} {
			for i := range m.PCI {
				if n := seen[&m.PCI[i]]; n != 1 {
					t.Fatalf("%s is in %d places of %v", m.PCI[i].Address, n, summary(p))
				}
			}
		}
		for _, m := range New(old, old).Devices {
			if m.Moved() && m.By != BySerial {
				t.Fatalf("a machine beside itself: %v", summary(New(old, old)))
			}
		}
	})
}

func TestIdentity(t *testing.T) {
	type say struct{ boot, host, board, serial, port string }
	build := func(s say) *fact.Machine {
		m := &fact.Machine{Capture: fact.Capture{Boot: s.boot, Host: s.host}}
		if s.board != "" {
			m.Platform.Board = fact.Of(s.board, fact.Line{File: "board_name", Line: 1})
		}
		if s.serial != "" {
			m.PCI = append(m.PCI, fact.Device{Address: "0000:01:00.0", Vendor: "144d", Device: "a824", Class: "0108", Serial: fact.Of(s.serial, fact.Line{File: "lspci", Line: 2})})
		}
		if s.port != "" {
			m.PCI = append(m.PCI, fact.Device{Address: "0000:00:01.0", Vendor: "8086", Device: s.port, Class: "0604", Express: &fact.Express{Type: fact.RootPort}})
		}
		return m
	}
	for name, test := range map[string]struct {
		old, new say
		want     Verdict
	}{
		"one boot":                           {say{boot: "a", host: "x"}, say{boot: "a", host: "y"}, Same},
		"a drive that is in both":            {say{board: "B", serial: "00-01"}, say{board: "B", serial: "00-01"}, Same},
		"a drive in another board":           {say{board: "B", serial: "00-01"}, say{board: "C", serial: "00-01"}, Different},
		"renamed":                            {say{host: "x", serial: "00-01"}, say{host: "y", serial: "00-01"}, Same},
		"board and name":                     {say{host: "x", board: "B"}, say{host: "x", board: "B"}, SameLikely},
		"the name alone":                     {say{host: "x"}, say{host: "x"}, SameLikely},
		"two of a model":                     {say{host: "x", board: "B", serial: "00-01"}, say{host: "y", board: "B", serial: "00-02"}, Different},
		"two of a model, without numbers":    {say{host: "x", board: "B"}, say{host: "y", board: "B"}, DifferentLikely},
		"every card replaced":                {say{host: "x", board: "B", serial: "00-01"}, say{host: "x", board: "B", serial: "00-02"}, SameLikely},
		"other root ports":                   {say{port: "a190"}, say{port: "1d9a"}, Different},
		"nothing":                            {say{}, say{host: "x"}, Unclear},
		"redacted with different keys":       {say{host: "host-gghhiijjkk", board: "B", serial: "06-68-77-ff-fe-00-00-01", port: "a190"}, say{host: "host-kkjjiihhgg", board: "B", serial: "06-68-77-ff-fe-00-00-02", port: "a190"}, SameLikely},
		"another boot is no other machine":   {say{boot: "a", host: "x"}, say{boot: "b", host: "x"}, SameLikely},
		"a number that another vendor has":   {say{host: "x", board: "B"}, say{host: "x", board: "B", serial: "00-01"}, SameLikely},
		"same ports, another name, no board": {say{host: "x", port: "a190"}, say{host: "y", port: "a190"}, DifferentLikely},
	} {
		t.Run(name, func(t *testing.T) {
			if got := identify(build(test.old), build(test.new)); got.Verdict != test.want {
				t.Errorf("%s, want %s; signs %+v", got.Verdict, test.want, got.Signs)
			}
		})
	}
}

func TestBoots(t *testing.T) {
	type say struct {
		boot, start string
		uptime      float64
	}
	build := func(s say) *fact.Machine {
		m := &fact.Machine{Capture: fact.Capture{Boot: s.boot, Start: s.start}}
		if s.uptime > 0 {
			m.Platform.Uptime = fact.Of(s.uptime, fact.Line{File: "proc/uptime", Line: 1})
		}
		return m
	}
	for name, test := range map[string]struct {
		old, new say
		want     Boot
		reversed bool
	}{
		"one id":                       {say{boot: "a"}, say{boot: "a"}, OneBoot, false},
		"two ids":                      {say{boot: "a"}, say{boot: "b"}, Restarted, false},
		"the clock and the uptime":     {say{start: "2026-08-01T10:00:00Z", uptime: 3600}, say{start: "2026-08-01T11:00:00Z", uptime: 7200}, OneBoot, false},
		"a smaller uptime":             {say{start: "2026-08-01T10:00:00Z", uptime: 3600}, say{start: "2026-08-01T11:00:00Z", uptime: 60}, Restarted, false},
		"a larger one after a restart": {say{start: "2026-08-01T10:00:00Z", uptime: 3600}, say{start: "2026-08-11T11:00:00Z", uptime: 7200}, Restarted, false},
		"no uptime":                    {say{start: "2026-08-01T10:00:00Z"}, say{start: "2026-08-01T11:00:00Z", uptime: 60}, BootUnclear, false},
		"the later one first":          {say{boot: "a", start: "2026-08-02T10:00:00Z"}, say{boot: "a", start: "2026-08-01T10:00:00Z"}, OneBoot, true},
	} {
		t.Run(name, func(t *testing.T) {
			got, reversed := boots(build(test.old), build(test.new))
			if got != test.want || reversed != test.reversed {
				t.Errorf("%s, reversed %t; want %s, %t", got, reversed, test.want, test.reversed)
			}
		})
	}
}
