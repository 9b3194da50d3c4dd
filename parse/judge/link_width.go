package judge

import (
	"slices"

	"hwcap/parse/fact"
)

// linkWidth compares the negotiated width of each link with what both of its
// ends offer.
var linkWidth = Rule{
	ID:      "pcie-link-width",
	Area:    Links,
	Sources: []string{"lspci-vvv", "pci", "links"},
	// slowToo says that the link is also slower than both ends offer, and not at
	// idle; links is as in pcie-link-speed.
	Keys: with(slices.Concat(sampleKeys, []string{"chip", "wiredLanes", "board", "soc", "source", "splitWith", "denied", "speedToo", "slowToo", "links"})...),
	Cases: []Case{
		{Name: "full", Verdict: OK, Confidence: Derived},
		{Name: cardLimit, Verdict: Problem, Severity: Info, Confidence: Derived},
		{Name: devicesLimit, Verdict: Problem, Severity: Info, Confidence: Derived},
		{Name: portLimit, Verdict: Problem, Severity: Info, Confidence: Derived},
		{Name: reached, Verdict: OK, Confidence: Derived},
		{Name: samplesLost, Verdict: Unknown, Confidence: Observed},
		{Name: "known-wiring", Verdict: Problem, Severity: Info, Confidence: Derived, Known: true},
		{Name: "board-wiring", Verdict: Problem, Severity: Info, Confidence: Derived, Known: true},
		{Name: "board-unknown", Verdict: Problem, Severity: Notice, Confidence: Likely},
		{Name: "port-overstates", Verdict: Problem, Severity: Info, Confidence: Likely, Known: true},
		{Name: "split", Verdict: Problem, Severity: Info, Confidence: Likely},
		{Name: "narrow", Verdict: Problem, Severity: Warning, Confidence: Derived},
		{Name: "no-registers", Verdict: Unknown, Confidence: Observed},
	},
	Judge: judgeLinkWidth,
}

func judgeLinkWidth(m *fact.Machine) []Finding {
	t := newTree(m)
	if f, blind := t.noRegisters(); blind {
		return []Finding{f}
	}
	var out alike
	for _, l := range t.judged() {
		if l.claimsMore() {
			continue // the specific finding replaces this one
		}
		name := l.widthCase()
		if (name == cardLimit || name == portLimit) && l.explained() {
			continue
		}
		f := l.finding(name)
		f.Values["speedToo"], f.Values["slowToo"] = l.speedToo(name), l.slow()
		f.Values["chip"], f.Values["wiredLanes"], f.Values["board"], f.Values["soc"], f.Values["source"] = "", 0, "", "", ""
		f.Values["splitWith"] = []string{}
		if c := lookup(l.Lower, narrowChips); c != nil {
			f.Values["chip"], f.Values["wiredLanes"], f.Values["source"] = c.name, c.lanes, c.source
		}
		switch f.Case {
		case "board-wiring", "board-unknown", "port-overstates":
			l.sayBoard(&f)
		case "split":
			with := []string{}
			for _, d := range l.splitWith() {
				with = append(with, d.Address)
				f.cite("split", readEnd(d).NowAt...)
			}
			f.Values["splitWith"] = with
		}
		_, widest := l.sampled()
		l.addSamples(&f, widest)
		out.add(l, f)
	}
	return joinUnslotted(out.findings)
}

// sayBoard gives f what is known of the board, or of the chip whose root port
// is l's upper end.
func (l *Link) sayBoard(f *Finding) {
	m := l.tree.machine
	b, s := boardOf(m), socOf(l.Upper)
	f.Values["board"] = m.Platform.Model.V
	f.cite("board", m.Platform.Model.At)
	switch {
	case b != nil:
		f.Values["wiredLanes"], f.Values["source"] = b.lanes, b.source
	case s != nil:
		f.Values["wiredLanes"], f.Values["soc"], f.Values["source"] = s.lanes, s.name, s.source
	}
	if b == nil {
		f.cite("port", l.Upper.From)
	}
}

// wiredLanes is how many lanes the board is known to lead to the root port at
// l's upper end, 0 if that is not known.
func (l *Link) wiredLanes() int {
	if b := boardOf(l.tree.machine); b != nil {
		return b.lanes
	}
	if s := socOf(l.Upper); s != nil && l.tree.overstates(l.Upper) {
		return s.lanes
	}
	return 0
}

// widthCase names the case of a link that can be judged.
func (l *Link) widthCase() string {
	now, want := l.Now().Width, l.Want().Width
	up, down := l.Up.Cap.Width, l.Down.Cap.Width
	if now == want {
		switch {
		case down < up:
			return cardLimit
		case up < down:
			return portLimit
		}
		return "full"
	}
	if c := lookup(l.Lower, narrowChips); c != nil && now == min(c.lanes, want) {
		return "known-wiring"
	}
	if name := l.sampledWidth(); name != "" {
		return name
	}
	if l.tree.kind(l.Upper) == fact.RootPort {
		switch n := l.wiredLanes(); {
		case n > 0 && now == min(n, want):
			return "board-wiring"
		case l.tree.machine.Platform.Model.Known():
			return "board-unknown"
		case l.tree.overstates(l.Upper):
			return "port-overstates"
		}
	}
	if len(l.splitWith()) > 0 {
		return "split"
	}
	return "narrow"
}

// fullWidth reports whether l is as wide as it can be, for all that is known.
func (l *Link) fullWidth() bool { return l.widthCase() != "narrow" }

// splitWith returns the devices that look as if they shared sixteen lanes with
// l: below root ports on the same bus, sixteen lanes offered by both ends of
// each, eight negotiated at each. Boards split the lanes of the processor in
// this way when the second slot is used. For a port whose device is missing
// from the capture, the port itself stands.
func (l *Link) splitWith() []*fact.Device {
	t := l.tree
	half := func(x *Link) bool {
		return x.doubt() == "" && x.Want().Width == 16 && x.Now().Width == 8 && x.Upper.Parent == "" &&
			lookup(x.Lower, narrowChips) == nil
	}
	if !half(l) {
		return nil
	}
	var out []*fact.Device
	for i := range t.machine.PCI {
		port := &t.machine.PCI[i]
		if port == l.Upper || t.kind(port) != fact.RootPort || bus(port) != bus(l.Upper) {
			continue
		}
		e := readEnd(port)
		below := t.children[port.Address]
		if len(below) == 0 && t.leads(port) && e.Cap.complete() && e.Now.complete() && e.Cap.Width == 16 && e.Now.Width == 8 {
			out = append(out, port)
		}
		for _, d := range below {
			if x := t.byLower[d.Address]; x != nil && half(x) {
				out = append(out, d)
			}
		}
	}
	return out
}

// bus is domain and bus of d's address.
func bus(d *fact.Device) string { return d.Address[:max(0, len(d.Address)-len(":00.0"))] }

// noRegisters gives the one finding of a machine whose links nobody could
// read: lspci was denied the capabilities, or was not asked for them (-n, -nn)
// while it lists bridges that may be PCI Express ports. Where it printed them
// and none is of PCI Express, there are no links.
func (t *tree) noRegisters() (Finding, bool) {
	if t.virtual {
		return Finding{}, false
	}
	var first *fact.Device
	denied, printed, bridges := false, false, false
	for i := range t.machine.PCI {
		d := &t.machine.PCI[i]
		if t.kind(d) != "" {
			return Finding{}, false
		}
		printed = printed || d.CapsState == fact.Present
		bridges = bridges || bridgeClassed(d)
		if d.CapsState != fact.Present && first == nil {
			first = d
		}
		if d.CapsState == fact.Denied && !denied {
			first, denied = d, true
		}
	}
	if first == nil || !denied && (printed || !bridges) {
		return Finding{}, false
	}
	f := found("no-registers", Machine)
	f.Values["denied"] = denied
	f.cite("source", t.machine.Source("lspci-vvv").At)
	f.cite("device", first.Refused())
	return f, true
}
