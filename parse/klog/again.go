package klog

import (
	"fmt"
	"slices"
	"strings"

	"hwcap/parse/fact"
)

// People paste one boot twice into a text, as dmesg and as the journal print
// it. Its messages count once.

// maxSpans is how many boots of a text are compared; one with more is of no hand.
const maxSpans = 1000

// stretch is one boot of a text.
type stretch struct {
	format      string // of its first message
	line        int    // of that
	apart       bool   // the journal says that it is another boot than the one before
	starts      bool
	first, last *float64

	said    map[string]int // how often it says what
	total   int
	version string // of the kernel
}

// again drops the boots that stand in the text once more in another form, of two
// the one that says less, and returns what is to be told of it. It leaves the
// last boot as the parser's.
func (p *parser) again(events []fact.AEREvent) ([]fact.AEREvent, []fact.Problem) {
	if p.boot+1 != len(p.spans) || !slices.ContainsFunc(p.spans, func(s *stretch) bool { return s.format != p.spans[0].format }) {
		return events, nil
	}
	p.tally(events)
	var problems []fact.Problem
	dropped := make([]bool, len(p.spans))
	before := 0
	for i := 1; i < len(p.spans); i++ {
		a, b := p.spans[before], p.spans[i]
		same := !b.apart && a.format != b.format && a.version != "" && a.version == b.version
		switch {
		case same && a.holds(b) && !(b.holds(a) && b.first != nil):
			dropped[i] = true
		case same && b.holds(a):
			dropped[before] = true
			before = i
		default:
			if same && (a.first == nil || b.first == nil) {
				problems = append(problems, fact.Problem{Line: b.line, Text: "this can be the boot before once more, in another form: what both say counts twice"})
			}
			before = i
			continue
		}
		problems = append(problems, fact.Problem{Line: b.line, Text: "this is the boot before once more, in another form: what both say counts once"})
	}
	number := make([]int, len(p.spans))
	p.boot = -1
	for i, gone := range dropped {
		if !gone {
			p.boot++
			p.starts, p.first, p.prev = p.spans[i].starts, p.spans[i].first, p.spans[i].last
		}
		number[i] = p.boot
	}
	p.notes = slices.DeleteFunc(p.notes, func(n fact.Note) bool { return dropped[n.Boot] })
	for i := range p.notes {
		p.notes[i].Boot = number[p.notes[i].Boot]
	}
	events = slices.DeleteFunc(events, func(e fact.AEREvent) bool { return dropped[e.Boot] })
	for i := range events {
		events[i].Boot = number[events[i].Boot]
	}
	return events, problems
}

// tally counts what each boot says.
func (p *parser) tally(events []fact.AEREvent) {
	for _, s := range p.spans {
		s.said = map[string]int{}
	}
	for _, n := range p.notes {
		s := p.spans[n.Boot]
		s.said[strings.Join([]string{n.Kind, n.Device, fmt.Sprint(n.Fields)}, "|")] += n.Times()
		s.total += n.Times()
		if at := strings.Index(n.At.Text, "Linux version "); at >= 0 && n.Kind == "linux-version" {
			s.version = n.Fields["release"]
		}
	}
	for _, e := range events {
		s := p.spans[e.Boot]
		s.said[strings.Join([]string{e.Device, e.Severity, strings.Join(e.Kinds, ",")}, "|")] += e.Count
		s.total += e.Count
	}
}

// holds reports whether a boot says all that another does, and at the same
// time where both have times.
func (s *stretch) holds(o *stretch) bool {
	const apart = 0.001 // seconds: some forms have less digits than others
	if o.total > s.total {
		return false
	}
	if s.first != nil && o.first != nil && s.starts && o.starts && max(*s.first-*o.first, *o.first-*s.first) > apart {
		return false
	}
	for what, n := range o.said {
		if s.said[what] < n {
			return false
		}
	}
	return true
}
