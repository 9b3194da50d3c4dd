package judge

import (
	"slices"

	"hwcap/parse/diff"
	"hwcap/parse/fact"
)

// diffIOMMU compares who shares an IOMMU group with whom. The numbers of groups
// are handed out in order and mean nothing.
var diffIOMMU = Rule{
	ID: "diff-iommu", Area: Isolate,
	Sources: []string{"iommu-groups", "lspci-vvv", "pci"},
	// groups is a table: device, group, companionsBefore, companions (addresses,
	// the earlier ones as they are now where they are still there).
	Keys: []string{"groups", "groupsBefore", "groupsAfter"},
	Cases: []Case{
		{Name: "off", Verdict: Problem, Severity: Notice, Confidence: Observed, Pair: true},
		{Name: "on", Verdict: Problem, Severity: Info, Confidence: Observed, Pair: true},
		{Name: "together", Verdict: Problem, Severity: Notice, Confidence: Derived, Pair: true},
		{Name: "apart", Verdict: Problem, Severity: Info, Confidence: Derived, Pair: true},
		{Name: "same", Verdict: OK, Confidence: Derived, Pair: true},
	},
	Compare: compareGroups,
}

func compareGroups(p *diff.Pair) []Finding {
	if !p.Identity.One() || !groupsRead(p.Old) || !groupsRead(p.New) {
		return nil
	}
	old, new := p.Old.IOMMU.Groups, p.New.IOMMU.Groups
	if (len(old) == 0) != (len(new) == 0) {
		f := found("on", Machine)
		if len(new) == 0 {
			f.Case = "off"
		}
		f.Values["groupsBefore"], f.Values["groupsAfter"] = len(old), len(new)
		f.citeOld("before", groupLine(p.Old))
		f.cite("after", groupLine(p.New))
		return []Finding{f}
	}
	before, after := memberships(old), memberships(new)
	together, apart := found("together"), found("apart")
	compared := 0
	now := map[string]string{} // old address -> new
	for _, m := range p.Devices {
		now[m.Old.Address] = m.New.Address
	}
	for _, m := range p.Devices {
		was, is := before[m.Old.Address], after[m.New.Address]
		if was == nil || is == nil || isBridge(m.New) {
			continue
		}
		compared++
		had := companions(p.Old, was, m.Old.Address, now)
		have := companions(p.New, is, m.New.Address, nil)
		joined, left := without(have, had), without(had, have)
		f := &together
		switch {
		case len(joined) == 0 && len(left) == 0:
			continue
		case len(joined) == 0:
			f = &apart
		}
		f.change("groups", m.New.Address, map[string]any{"device": m.New.Address, "group": is.ID, "companionsBefore": had, "companions": have})
		f.citeOld("before", entryOf(was, m.Old.Address))
		f.cite("after", entryOf(is, m.New.Address))
	}
	out := changesOr(compared, together, apart)
	for i := range out {
		out[i].Values["groupsBefore"], out[i].Values["groupsAfter"] = len(old), len(new)
	}
	return out
}

func groupsRead(m *fact.Machine) bool {
	return (m.IOMMU.State == fact.Present || m.IOMMU.State == fact.Empty) && !interrupted(m, "iommu-groups")
}

func groupLine(m *fact.Machine) fact.Line {
	if len(m.IOMMU.Groups) > 0 && len(m.IOMMU.Groups[0].Devices) > 0 {
		return m.IOMMU.Groups[0].Devices[0].At
	}
	return m.Source("iommu-groups").At
}

// memberships finds the group of each address.
func memberships(groups []fact.Group) map[string]*fact.Group {
	out := map[string]*fact.Group{}
	for i := range groups {
		for _, e := range groups[i].Devices {
			out[e.Name] = &groups[i]
		}
	}
	return out
}

// companions are the other devices of a group, bridges and virtual functions
// left out. now gives those of the earlier capture their later addresses; what
// has gone since is left out too.
func companions(m *fact.Machine, g *fact.Group, self string, now map[string]string) []string {
	out := []string{}
	for _, e := range g.Devices {
		d := m.Device(e.Name)
		if e.Name == self || d != nil && (isBridge(d) || isVF(d)) {
			continue
		}
		switch {
		case now == nil:
			out = append(out, e.Name)
		case now[e.Name] != "":
			out = append(out, now[e.Name])
		}
	}
	slices.Sort(out)
	return out
}

func entryOf(g *fact.Group, address string) fact.Line {
	for _, e := range g.Devices {
		if e.Name == address {
			return e.At
		}
	}
	return fact.Line{}
}
