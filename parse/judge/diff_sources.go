package judge

import (
	"hwcap/parse/diff"
	"hwcap/parse/fact"
)

// diffSources names the sources that only one of two captures has. Of what they
// say nothing is compared. A source that is absent is an answer: the file, tool
// or hardware is not there.
var diffSources = Rule{
	ID: "diff-sources", Area: Platform,
	// sources is a table: name, before, after (states).
	Keys: []string{"sources"},
	Cases: []Case{
		{Name: "lacking", Verdict: Problem, Severity: Info, Confidence: Observed, Pair: true},
		{Name: "same", Verdict: OK, Confidence: Observed, Pair: true},
	},
	Compare: func(p *diff.Pair) []Finding {
		f := found("same", Machine)
		rows := []map[string]any{}
		compare := func(s fact.Source) {
			was, is := p.Old.Source(s.Name), p.New.Source(s.Name)
			if !read(was.State) && !read(is.State) || answered(was.State) && answered(is.State) {
				return
			}
			rows = append(rows, map[string]any{"name": s.Name, "before": string(was.State), "after": string(is.State)})
			f.citeOld("source", was.At)
			f.cite("source", is.At)
		}
		for _, s := range p.New.Sources {
			compare(s)
		}
		for _, s := range p.Old.Sources {
			if p.New.Source(s.Name).State == fact.NotAsked && p.New.Source(s.Name).Path == "" {
				compare(s)
			}
		}
		if len(rows) > 0 {
			f.Case = "lacking"
		}
		f.Values["sources"], f.Count = rows, len(rows)
		return []Finding{f}
	},
}

func read(s fact.State) bool { return s == fact.Present || s == fact.Empty }

// answered reports whether a source ended with an answer, if only that there
// is nothing.
func answered(s fact.State) bool {
	return read(s) || s == fact.Absent
}
