package judge

import (
	"maps"
	"slices"
	"strings"

	"hwcap/parse/diff"
	"hwcap/parse/fact"
)

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
