// Package judge turns the facts of a capture into findings.
//
// A [Rule] looks at a [fact.Machine] and names, for each subject, the [Case]
// that holds. The case decides verdict, severity and confidence, in one table
// beside the rule; its wording lives in templates/catalogue, under the same
// names. Code decides, the catalogue speaks.
//
// Adding a check costs: the rule, its line in Rules, its text block in both
// languages, and its fixtures.
package judge

import (
	"cmp"
	"fmt"
	"slices"

	"hwcap/parse/diff"
	"hwcap/parse/fact"
)

// Verdict is how a rule ends for one subject.
type Verdict string

// The verdicts. A source that is missing, denied, truncated, redacted or
// unreadable gives Unknown, never OK and never a Problem.
const (
	OK      Verdict = "ok"      // everything needed was there, and nothing is wrong
	Problem Verdict = "finding" // something to say, with a severity
	Unknown Verdict = "unknown" // cannot be told from this capture
)

// Severity grades a Problem.
type Severity string

// The severities, mildest first.
const (
	Info     Severity = "info"     // worth knowing
	Notice   Severity = "notice"   // could be better, or look at it some time
	Warning  Severity = "warning"  // likely to hurt
	Critical Severity = "critical" // data or availability at risk
)

// Rank orders severities: 0 for none, 1 for info, up to 4 for critical.
func (s Severity) Rank() int {
	return 1 + slices.Index([]Severity{Info, Notice, Warning, Critical}, s)
}

// Confidence tells how the statement was reached.
type Confidence string

// The confidences.
const (
	Observed Confidence = "observed" // the text says so
	Derived  Confidence = "derived"  // calculated or concluded from several facts
	Likely   Confidence = "likely"   // a ranked guess with rivals
)

// Area is the chapter of the report that a rule belongs to.
type Area string

// The areas, in the order of the report.
const (
	Links    Area = "links"    // PCIe links
	Errors   Area = "errors"   // errors, and who handles them
	Isolate  Area = "isolate"  // IOMMU, isolation, interrupts
	Space    Area = "space"    // address space, SR-IOV, graphics
	Crypto   Area = "crypto"   // crypto, compression, accelerators
	Platform Area = "platform" // network, platform, the capture itself
)

// Areas lists the areas in the order of the report.
var Areas = []Area{Links, Errors, Isolate, Space, Crypto, Platform}

// Case is one way in which a rule can come out. Its name is the key of the
// wording in the catalogue.
type Case struct {
	Name       string
	Verdict    Verdict
	Severity   Severity // with Problem only
	Confidence Confidence
	Known      bool // a knowledge table spoke, not the capture
	Pair       bool // of Rule.Compare only: it takes two captures to tell
}

// Rule is one row of the catalogue of findings.
type Rule struct {
	ID      string // public: reports, JSON and blog posts cite it; never renamed
	Area    Area
	Sources []string // names of the sources that the rule reads
	Keys    []string // the keys of Finding.Values that its cases give, all of them
	Cases   []Case
	Judge   func(*fact.Machine) []Finding // nil: it takes two captures
	Compare func(*diff.Pair) []Finding    // what two captures tell; nil: nothing
}

// Finding is what a rule says of one subject. A rule fills Case, Subjects,
// Values, Count and Evidence; Run adds the rest from the rule's tables.
type Finding struct {
	ID         string
	Area       Area
	Case       string
	Verdict    Verdict
	Severity   Severity
	Confidence Confidence
	Known      bool
	// Subjects are PCI addresses (a link: its lower end), root bridges
	// (PNP0A08:07), algorithm names, DIMM labels, interface names, IOMMU group
	// numbers, or "machine".
	Subjects []string
	Values   map[string]any // numbers, strings, bools, and slices or maps of these
	Count    int            // occurrences behind this one finding; 0 where counting makes no sense
	Evidence []Evidence
}

// Evidence is a line of the capture that a finding rests on.
type Evidence struct {
	fact.Line
	// Role is the name by which the wording cites the line ("cap", "sta", ...).
	Role string
	// Capture says which of two captures the line is of; "" where there is one.
	Capture Side
}

// Side is one of two captures that are compared.
type Side string

// The sides.
const (
	Old Side = "old"
	New Side = "new"
)

// Machine is the subject of what concerns the machine as a whole.
const Machine = "machine"

// found starts a finding of the given case.
func found(name string, subjects ...string) Finding {
	return Finding{Case: name, Subjects: subjects, Values: map[string]any{}}
}

// cite adds lines as evidence under role; lines that name no place are left
// out.
func (f *Finding) cite(role string, lines ...fact.Line) {
	for _, l := range lines {
		if !l.IsZero() {
			f.Evidence = append(f.Evidence, Evidence{Line: l, Role: role})
		}
	}
}

// citeOld adds lines of the earlier one of two captures as evidence; cite adds
// those of the later one.
func (f *Finding) citeOld(role string, lines ...fact.Line) {
	n := len(f.Evidence)
	f.cite(role, lines...)
	for i := range f.Evidence[n:] {
		f.Evidence[n+i].Capture = Old
	}
}

// Run applies every rule to m. The findings come worst first; within one
// severity by area, then in the order of the rules and of the subjects.
func Run(m *fact.Machine) []Finding {
	return run(func(r Rule) []Finding {
		if r.Judge == nil {
			return nil
		}
		return r.Judge(m)
	})
}

// Compare applies every rule that two captures have an answer to. The findings
// come in the order of Run.
func Compare(p *diff.Pair) []Finding {
	return run(func(r Rule) []Finding {
		if r.Compare == nil {
			return nil
		}
		findings := r.Compare(p)
		for _, f := range findings {
			for i := range f.Evidence {
				f.Evidence[i].Capture = cmp.Or(f.Evidence[i].Capture, New)
			}
		}
		return findings
	})
}

func run(judge func(Rule) []Finding) []Finding {
	var all []Finding
	order := map[string]int{}
	for i, r := range Rules {
		order[r.ID] = i
		for _, f := range judge(r) {
			all = append(all, r.complete(f))
		}
	}
	slices.SortStableFunc(all, func(a, b Finding) int {
		return cmp.Or(
			cmp.Compare(weight(b), weight(a)),
			cmp.Compare(slices.Index(Areas, a.Area), slices.Index(Areas, b.Area)),
			cmp.Compare(order[a.ID], order[b.ID]),
			slices.Compare(a.Subjects, b.Subjects),
		)
	})
	return all
}

// weight puts problems before unknowns before what is fine.
func weight(f Finding) int {
	switch f.Verdict {
	case Problem:
		return 10 + f.Severity.Rank()
	case Unknown:
		return 1
	}
	return 0
}

// complete fills in what the rule's tables say of the finding's case. A case
// that the rule does not declare is a fault of the program, which the tests
// would have met first.
func (r Rule) complete(f Finding) Finding {
	for _, c := range r.Cases {
		if c.Name == f.Case {
			f.ID, f.Area = r.ID, r.Area
			f.Verdict, f.Severity, f.Confidence, f.Known = c.Verdict, c.Severity, c.Confidence, c.Known
			return f
		}
	}
	panic(fmt.Sprintf("judge: rule %s gave the undeclared case %q", r.ID, f.Case))
}
