package judge

import (
	"maps"
	"slices"
	"strings"

	"hwcap/parse/diff"
	"hwcap/parse/fact"
)

// diffDrivers compares the drivers of devices that are in both captures.
var diffDrivers = Rule{
	ID: "diff-drivers", Area: Platform,
	Sources: []string{"lspci-vvv", "pci"},
	Keys:    []string{"drivers"}, // device, before, after ("" for none)
	Cases: []Case{
		{Name: "lost", Verdict: Problem, Severity: Notice, Confidence: Observed, Pair: true},
		{Name: "changed", Verdict: Problem, Severity: Info, Confidence: Observed, Pair: true},
		{Name: "same", Verdict: OK, Confidence: Observed, Pair: true},
	},
	Compare: func(p *diff.Pair) []Finding {
		lost, other := found("lost"), found("changed")
		compared := 0
		for _, m := range p.Devices {
			if !m.Old.DriverKnown || !m.New.DriverKnown {
				continue
			}
			if compared++; m.Old.Driver == m.New.Driver {
				continue
			}
			f := &other
			if m.New.Driver == "" {
				f = &lost
			}
			f.change("drivers", m.New.Address, map[string]any{"device": m.New.Address, "before": m.Old.Driver, "after": m.New.Driver})
			f.citeOld("before", lineOr(m.Old.DriverAt, m.Old.From))
			f.cite("after", lineOr(m.New.DriverAt, m.New.From))
		}
		return changesOr(compared, lost, other)
	},
}

// change adds a row to a finding on a subject.
func (f *Finding) change(table, subject string, row map[string]any) {
	rows, _ := f.Values[table].([]map[string]any)
	f.Values[table] = append(rows, row)
	f.Subjects = append(f.Subjects, subject)
	f.Count++
}

// changesOr returns the findings that have rows, or else says that compared
// things are the same.
func changesOr(compared int, findings ...Finding) []Finding {
	var out []Finding
	for _, f := range findings {
		if f.Count > 0 {
			out = append(out, f)
		}
	}
	if len(out) == 0 && compared > 0 {
		f := found("same", Machine)
		f.Count = compared
		out = append(out, f)
	}
	return out
}

func lineOr(a, b fact.Line) fact.Line {
	if a.IsZero() {
		return b
	}
	return a
}

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

// diffCrypto compares the kernel's implementations and who wins.
var diffCrypto = Rule{
	ID: "diff-crypto", Area: Crypto,
	Sources: []string{"proc-crypto", "netlink-crypto"},
	// winners is a table: algorithm, before, after, priorityBefore, priorityAfter;
	// added and removed are names of drivers, without those of built instances,
	// which come with use; priorities a table: driver, before, after.
	Keys: []string{"winners", "added", "removed", "priorities"},
	Cases: []Case{
		{Name: "winner", Verdict: Problem, Severity: Info, Confidence: Derived, Pair: true},
		{Name: "changed", Verdict: Problem, Severity: Info, Confidence: Observed, Pair: true},
		{Name: "same", Verdict: OK, Confidence: Derived, Pair: true},
	},
	Compare: compareCrypto,
}

func compareCrypto(p *diff.Pair) []Finding {
	whole := func(m *fact.Machine) bool {
		return m.Crypto.Proc == fact.Present && !interrupted(m, "proc-crypto") && len(m.Crypto.Algorithms) > 0
	}
	if !p.Identity.One() || !whole(p.Old) || !whole(p.New) {
		return nil
	}
	f := found("same")
	winners, priorities := []map[string]any{}, []map[string]any{}
	before := map[string]*contest{}
	for _, c := range contests(p.Old) {
		before[c.name+" "+c.family] = c
	}
	for _, c := range contests(p.New) {
		old := before[c.name+" "+c.family]
		if old == nil {
			continue
		}
		was, knew := old.winner(anyCaller)
		is, know := c.winner(anyCaller)
		if !knew || !know || was == nil || is == nil || was.Driver == is.Driver || instance(was) || instance(is) {
			continue
		}
		winners = append(winners, map[string]any{
			"algorithm": c.name, "before": was.Driver, "after": is.Driver, "priorityBefore": was.Priority, "priorityAfter": is.Priority,
		})
		f.Subjects = append(f.Subjects, c.name)
		f.citeOld("before", was.PriorityAt)
		f.cite("after", is.PriorityAt)
	}
	had, have := drivers(p.Old), drivers(p.New)
	for _, name := range slices.Sorted(maps.Keys(have)) {
		was, is := had[name], have[name]
		if was == nil || was.Priority == is.Priority {
			continue
		}
		priorities = append(priorities, map[string]any{"driver": is.Driver, "before": was.Priority, "after": is.Priority})
		f.citeOld("priority", was.PriorityAt)
		f.cite("priority", is.PriorityAt)
	}
	added, removed := only(have, had), only(had, have)
	for _, a := range added {
		f.cite("added", have[a].DriverAt)
	}
	for _, a := range removed {
		f.citeOld("removed", had[a].DriverAt)
	}
	switch {
	case len(winners) > 0:
		f.Case = "winner"
	case len(added)+len(removed)+len(priorities) > 0:
		f.Case = "changed"
	}
	if len(f.Subjects) == 0 {
		f.Subjects = []string{Machine}
	}
	f.Count = len(have)
	f.Values["winners"], f.Values["priorities"] = winners, priorities
	f.Values["added"], f.Values["removed"] = shortNames(added), shortNames(removed)
	return []Finding{f}
}

// instance reports whether a is a built instance of a template.
func instance(a *fact.Algorithm) bool { return strings.Contains(a.Driver, "(") }

// drivers are the implementations by driver and algorithm.
func drivers(m *fact.Machine) map[string]*fact.Algorithm {
	out := map[string]*fact.Algorithm{}
	for i := range m.Crypto.Algorithms {
		if a := &m.Crypto.Algorithms[i]; !instance(a) && !a.Internal && a.Type != "larval" {
			out[a.Driver+" "+a.Name] = a
		}
	}
	return out
}

func only(a, b map[string]*fact.Algorithm) []string {
	out := []string{}
	for _, name := range slices.Sorted(maps.Keys(a)) {
		if b[name] == nil {
			out = append(out, name)
		}
	}
	return out
}

// shortNames are the drivers of names that go on with their algorithm, each once.
func shortNames(names []string) []string {
	out := []string{}
	for _, n := range names {
		n, _, _ = strings.Cut(n, " ")
		if !slices.Contains(out, n) {
			out = append(out, n)
		}
	}
	return out
}

// diffPower compares the power states of devices.
var diffPower = Rule{
	ID: "diff-power", Area: Links,
	Sources: []string{"pci"},
	Keys:    []string{"devices"}, // device, before, after
	Cases:   changeCases,
	Compare: func(p *diff.Pair) []Finding {
		f := found("changed")
		compared := 0
		for _, m := range p.Devices {
			if m.Old.Sysfs == nil || m.New.Sysfs == nil {
				continue
			}
			row, ok := changed(p, "", m.Old.Sysfs.PowerState, m.New.Sysfs.PowerState)
			if ok {
				compared++
			}
			if row == nil {
				continue
			}
			f.change("devices", m.New.Address, map[string]any{"device": m.New.Address, "before": row["before"], "after": row["after"]})
			f.citeOld("before", m.Old.Sysfs.PowerState.At)
			f.cite("after", m.New.Sysfs.PowerState.At)
		}
		return changesOr(compared, f)
	},
}

// diffSettings compares the kernel's one-line files that are settings: the
// policy of ASPM, zswap, ...
var diffSettings = Rule{
	ID: "diff-settings", Area: Platform,
	Sources: []string{"zswap", "pcie-aspm", "proc-dmesg-restrict"},
	Keys:    []string{"settings"}, // path, before, after
	Cases:   changeCases,
	Compare: func(p *diff.Pair) []Finding {
		if !p.Identity.One() {
			return nil
		}
		f := found("changed")
		compared := 0
		for _, path := range slices.Sorted(maps.Keys(p.New.Settings)) {
			if !strings.HasPrefix(path, "sys/module/") && !strings.HasPrefix(path, "proc/sys/") {
				continue
			}
			old, new := p.Old.Setting(path), p.New.Setting(path)
			row, ok := changed(p, "", old, new)
			if ok {
				compared++
			}
			if row == nil {
				continue
			}
			f.change("settings", path, map[string]any{"path": "/" + path, "before": row["before"], "after": row["after"]})
			f.citeOld("before", old.At)
			f.cite("after", new.At)
		}
		if f.Count > 0 {
			f.Subjects = []string{Machine}
		}
		return changesOr(compared, f)
	},
}
