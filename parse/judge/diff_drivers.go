package judge

import (
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
