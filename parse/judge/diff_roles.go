package judge

import (
	"strings"

	"hwcap/parse/diff"
	"hwcap/parse/fact"
)

// diffRoles puts two machines beside each other, role by role.
var diffRoles = Rule{
	ID: "diff-roles", Area: Platform,
	Sources: []string{"lspci-vvv", "pci", "dmi", "proc-cpuinfo", "proc-version", "proc-cmdline"},
	// before and after are tables of devices: device, speedGTs, widthLanes (absent
	// where the link is not known), driver; rows one of the machines: what, before,
	// after.
	Keys: []string{"before", "after", "rows"},
	Cases: []Case{
		{Name: "platform", Verdict: Problem, Severity: Info, Confidence: Observed, Pair: true},
		{Name: "graphics", Verdict: Problem, Severity: Info, Confidence: Observed, Pair: true},
		{Name: "network", Verdict: Problem, Severity: Info, Confidence: Observed, Pair: true},
		{Name: "storage", Verdict: Problem, Severity: Info, Confidence: Observed, Pair: true},
		{Name: "accelerator", Verdict: Problem, Severity: Info, Confidence: Observed, Pair: true},
	},
	Compare: compareRoles,
}

// roles are what a device can be for, by its class (PCI Code and ID Assignment
// Specification, section 1).
var roles = []struct {
	name    string
	classes []string
}{
	{"graphics", []string{"03"}},
	{"network", []string{"02"}},
	{"storage", []string{"0108", "0107", "0104", "0106"}},
	{"accelerator", []string{"0b40", "12", "10"}},
}

func compareRoles(p *diff.Pair) []Finding {
	if p.Identity.One() {
		return nil
	}
	var out []Finding
	f := found("platform", Machine)
	rows := []map[string]any{}
	for _, a := range append([]aspect{
		{"machine", func(m *fact.Machine) fact.Val[string] { return m.Platform.Product }},
		{"board", func(m *fact.Machine) fact.Val[string] { return m.Platform.Board }},
	}, append(platformAspects, kernelAspects[0], kernelAspects[2], aspect{"cmdline", bootLine})...) {
		old, new := a.of(p.Old), a.of(p.New)
		if was, is, ok := bothRead(old, new); ok {
			rows = append(rows, map[string]any{"what": a.what, "before": strings.TrimSpace(was), "after": strings.TrimSpace(is)})
			f.citeOld("before", old.At)
			f.cite("after", new.At)
		}
	}
	if f.Values["rows"] = rows; len(rows) > 0 {
		out = append(out, f)
	}
	for _, role := range roles {
		f := found(role.name, Machine)
		old := roleDevices(p.Old, role.classes, func(l ...fact.Line) { f.citeOld("before", l...) })
		new := roleDevices(p.New, role.classes, func(l ...fact.Line) { f.cite("after", l...) })
		if len(old)+len(new) == 0 || len(old) == 0 && !p.Listed.Old || len(new) == 0 && !p.Listed.New {
			continue
		}
		f.Values["before"], f.Values["after"] = old, new
		out = append(out, f)
	}
	return out
}

func roleDevices(m *fact.Machine, classes []string, cite func(...fact.Line)) []map[string]any {
	out := []map[string]any{}
	tree := newTree(m)
	for i := range m.PCI {
		d := &m.PCI[i]
		fits := false
		for _, c := range classes {
			fits = fits || strings.HasPrefix(d.Class, c)
		}
		if !fits || isVF(d) {
			continue
		}
		row := map[string]any{"device": d.Address, "driver": d.Driver, "linked": false}
		if l := tree.byLower[d.Address]; l != nil && l.doubt() == "" {
			row["linked"], row["speedGTs"], row["widthLanes"] = true, l.Now().Speed, l.Now().Width
		}
		out = append(out, row)
		cite(d.From)
	}
	return out
}
