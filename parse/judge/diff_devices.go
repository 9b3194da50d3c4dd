package judge

import (
	"hwcap/parse/diff"
	"hwcap/parse/fact"
)

// diffDevices names what came, went, or is another one at the same place. A
// device counts as gone or new only where the list that lacks it is whole.
var diffDevices = Rule{
	ID: "diff-devices", Area: Links,
	Sources: []string{"lspci-vvv", "pci"},
	// devices is a table: address, upper (the port above, or ""); of replaced:
	// before, after. before are the earlier addresses of devices that look alike.
	Keys: []string{"devices", "bridges", "before", "side"},
	Cases: []Case{
		{Name: "gone", Verdict: Problem, Severity: Notice, Confidence: Derived, Pair: true},
		{Name: "replaced", Verdict: Problem, Severity: Info, Confidence: Derived, Pair: true},
		{Name: "added", Verdict: Problem, Severity: Info, Confidence: Derived, Pair: true},
		{Name: "same", Verdict: OK, Confidence: Derived, Pair: true},
		{Name: "alike", Verdict: Unknown, Confidence: Derived, Pair: true},
		{Name: "list-cut", Verdict: Unknown, Confidence: Derived, Pair: true},
	},
	Compare: compareDevices,
}

func compareDevices(p *diff.Pair) []Finding {
	if !p.Identity.One() || len(p.Old.PCI) == 0 || len(p.New.PCI) == 0 {
		return nil
	}
	var out []Finding
	if len(p.Gone) > 0 && p.Listed.New {
		out = append(out, listDevices("gone", p.Gone, (*Finding).citeOld))
	}
	if len(p.Swapped) > 0 {
		f := found("replaced")
		rows := []map[string]any{}
		for _, m := range p.Swapped {
			f.Subjects = append(f.Subjects, m.New.Address)
			rows = append(rows, map[string]any{"before": m.Old.Address, "after": m.New.Address})
			f.citeOld("device", m.Old.From)
			f.cite("device", m.New.From)
			if was, is, ok := bothRead(m.Old.Serial, m.New.Serial); ok && was != is {
				f.citeOld("device", m.Old.Serial.At)
				f.cite("device", m.New.Serial.At)
			}
		}
		f.Values["devices"], f.Count = rows, len(rows)
		out = append(out, f)
	}
	if len(p.Added) > 0 && p.Listed.Old {
		out = append(out, listDevices("added", p.Added, (*Finding).cite))
	}
	for _, a := range p.Alike {
		f := found("alike")
		before := []string{}
		for _, d := range a.Old {
			before = append(before, d.Address)
			f.citeOld("device", d.From)
		}
		for _, d := range a.New {
			f.Subjects = append(f.Subjects, d.Address)
			f.cite("device", d.From)
		}
		f.Values["before"], f.Count = before, max(len(a.Old), len(a.New))
		out = append(out, f)
	}
	for _, side := range []struct {
		name    string
		missing []*fact.Device
		listed  bool
		m       *fact.Machine
		cite    func(*Finding, string, ...fact.Line)
	}{
		{"new", p.Gone, p.Listed.New, p.New, (*Finding).cite},
		{"old", p.Added, p.Listed.Old, p.Old, (*Finding).citeOld},
	} {
		if side.listed || len(side.missing) == 0 {
			continue
		}
		f := found("list-cut", Machine)
		f.Values["side"] = side.name
		f.Count = len(side.missing)
		for _, source := range []string{"lspci-vvv", "pci"} {
			side.cite(&f, "source", side.m.Source(source).At)
		}
		out = append(out, f)
	}
	if len(out) == 0 {
		f := found("same", Machine)
		f.Count = len(p.Devices)
		out = append(out, f)
	}
	return out
}

// listDevices makes one finding of devices that came or went.
func listDevices(name string, devices []*fact.Device, cite func(*Finding, string, ...fact.Line)) Finding {
	f := found(name)
	rows := []map[string]any{}
	bridges := 0
	for _, d := range devices {
		f.Subjects = append(f.Subjects, d.Address)
		rows = append(rows, map[string]any{"address": d.Address, "upper": d.Parent})
		cite(&f, "device", d.From)
		if isBridge(d) {
			bridges++
		}
	}
	f.Values["devices"], f.Values["bridges"], f.Count = rows, bridges, len(rows)
	return f
}
