package judge

import (
	"slices"

	"hwcap/parse/fact"
)

// pathBottleneck looks at the way from the root port to an endpoint as a
// whole, where a switch stands between.
var pathBottleneck = Rule{
	ID:      "pcie-path-bottleneck",
	Area:    Links,
	Sources: []string{"lspci-vvv", "pci", "dmidecode"},
	Keys: []string{
		"upper", "pathGBs", "side", "hops", "slot", "slotted", "narrowestUpper", "narrowestLower",
		"speedGTs", "widthLanes", "firstGBs", "sharers", "sharersGBs",
	},
	Cases: []Case{
		{Name: "narrowest", Verdict: Problem, Severity: Info, Confidence: Derived},
		{Name: "even", Verdict: OK, Confidence: Derived},
		{Name: "shared", Verdict: Problem, Severity: Info, Confidence: Derived},
		{Name: "shared-enough", Verdict: OK, Confidence: Derived},
	},
	Judge: judgePathBottleneck,
}

func judgePathBottleneck(m *fact.Machine) []Finding {
	t := newTree(m)
	users := map[string][]*Link{} // links of the endpoints below each switch
	for _, l := range t.links {
		if t.kind(l.Lower) == fact.UpstreamPort || onChip(t, l.Upper) {
			continue
		}
		hops, whole := t.path(l)
		if !whole || slices.ContainsFunc(hops, (*Link).idles) {
			continue
		}
		for _, h := range hops {
			if t.kind(h.Lower) == fact.UpstreamPort && !onCard(h.Lower, upstreamSide) {
				users[h.Lower.Address] = append(users[h.Lower.Address], l)
			}
		}
	}
	var out []Finding
	for _, up := range t.judged() {
		switch below := users[up.Lower.Address]; {
		case len(below) == 0:
		case len(below) > 1 && t.forks(up.Lower):
			out = append(out, sharedUplink(up, below))
		case len(below) == 1 && !t.forks(up.Lower) && t.nearestSwitch(below[0]) == up.Lower:
			out = append(out, pathOf(t, below[0]))
		}
	}
	return out
}

// path returns the links from the root port to l that lie outside of cards,
// and whether all of them can be judged.
func (t *tree) path(l *Link) (hops []*Link, whole bool) {
	for range buses {
		if !l.Fixed {
			if l.doubt() != "" {
				return nil, false
			}
			hops = append(hops, l)
		}
		if t.kind(l.Upper) == fact.RootPort {
			slices.Reverse(hops)
			return hops, len(hops) > 0
		}
		if l = t.byLower[l.Upper.Parent]; l == nil {
			return nil, false
		}
	}
	return nil, false
}

// nearestSwitch is the upstream port of the last switch on the way to l that is
// no part of a graphics card.
func (t *tree) nearestSwitch(l *Link) *fact.Device {
	hops, _ := t.path(l)
	for _, h := range slices.Backward(hops) {
		if t.kind(h.Lower) == fact.UpstreamPort && !onCard(h.Lower, upstreamSide) {
			return h.Lower
		}
	}
	return nil
}

// forks reports whether more than one of a switch's downstream ports leads
// somewhere.
func (t *tree) forks(upstream *fact.Device) bool {
	n := 0
	for _, port := range t.children[upstream.Address] {
		if t.leads(port) {
			n++
		}
	}
	return n > 1
}

// pathOf describes the way to an endpoint that has its nearest switch for
// itself.
func pathOf(t *tree, end *Link) Finding {
	hops, _ := t.path(end)
	narrowest := slices.MinFunc(hops, func(a, b *Link) int { return compare(a.Now().GBs(), b.Now().GBs()) })
	widest := slices.MaxFunc(hops, func(a, b *Link) int { return compare(a.Now().GBs(), b.Now().GBs()) })
	f := found("narrowest", end.card().Address)
	f.Subjects = []string{end.Lower.Address}
	least := narrowest.Now().GBs()
	if least == widest.Now().GBs() {
		f.Case = "even"
	}
	anchor := anchorOf(hops)
	f.Values = map[string]any{
		"upper":          end.Upper.Address,
		"pathGBs":        least,
		"side":           sideOf(slices.Index(hops, narrowest), anchor),
		"slot":           "",
		"slotted":        anchor >= 0,
		"narrowestUpper": narrowest.Upper.Address,
		"narrowestLower": narrowest.Lower.Address,
		"speedGTs":       narrowest.Now().Speed,
		"widthLanes":     narrowest.Now().Width,
		"firstGBs":       hops[0].Now().GBs(),
		"sharers":        []string{},
		"sharersGBs":     0.0,
	}
	if anchor >= 0 {
		name, _, at := hops[anchor].slot()
		f.Values["slot"] = name
		f.cite("slot", at)
	}
	var table []map[string]any
	for _, h := range hops {
		table = append(table, map[string]any{
			"upper": h.Upper.Address, "lower": h.Lower.Address,
			"speedGTs": h.Now().Speed, "widthLanes": h.Now().Width,
			"gbs": h.Now().GBs(), "narrowest": h.Now().GBs() == least,
		})
		role := "hop"
		if h == narrowest {
			role = "narrowest"
		}
		f.cite(role, h.now().NowAt...)
	}
	f.Values["hops"] = table
	return f
}

func compare(a, b float64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// anchorOf is the index of the hop that leads into a slot, -1 where nothing
// shows one. What lies below it belongs to the card in the slot. Switch ports
// print Slot+ on cards too, so that the first one from the host counts; a
// chipset's switch stands on the board although its root port says Slot+.
func anchorOf(hops []*Link) int {
	for i, h := range hops {
		name, slotted, _ := h.slot()
		if name != "" || h.Lower.Slot != "" || slotted && h.Lower.Vendor != chipsetVendor {
			return i
		}
	}
	return -1
}

// chipsetVendor makes chipsets that are PCIe switches (AMD, Promontory).
const chipsetVendor = "1022"

// sideOf says where the narrowest hop lies, seen from the slot: on the card, in
// the slot, on the host's side; "front" or "behind" the first switch where no
// slot is known.
func sideOf(hop, anchor int) string {
	switch {
	case anchor >= 0 && hop > anchor:
		return "card"
	case anchor >= 0 && hop == anchor:
		return "slot"
	case anchor >= 0:
		return "host"
	case hop == 0:
		return "front"
	}
	return "behind"
}

// sharedUplink compares a switch's uplink with the links of those who share
// it.
func sharedUplink(up *Link, users []*Link) Finding {
	f := found("shared-enough", up.Lower.Address)
	sum := 0.0
	sharers := []string{}
	hops := []map[string]any{}
	f.cite("narrowest", up.now().NowAt...)
	for _, l := range users {
		path, _ := up.tree.path(l)
		last := path[len(path)-1] // of a graphics card with a switch, the link to its slot
		sum += last.Now().GBs()
		sharers = append(sharers, l.Lower.Address)
		hops = append(hops, map[string]any{
			"upper": last.Upper.Address, "lower": l.Lower.Address,
			"speedGTs": last.Now().Speed, "widthLanes": last.Now().Width, "gbs": last.Now().GBs(), "narrowest": false,
		})
		f.cite("hop", last.now().NowAt...)
	}
	now := up.Now()
	if sum > now.GBs() {
		f.Case = "shared"
	}
	name, slotted, at := up.slot()
	f.cite("slot", at)
	f.Values = map[string]any{
		"upper": up.Upper.Address, "pathGBs": now.GBs(), "side": "", "hops": hops, "slot": name, "slotted": slotted,
		"narrowestUpper": up.Upper.Address, "narrowestLower": up.Lower.Address,
		"speedGTs": now.Speed, "widthLanes": now.Width, "firstGBs": now.GBs(),
		"sharers": sharers, "sharersGBs": sum,
	}
	return f
}
