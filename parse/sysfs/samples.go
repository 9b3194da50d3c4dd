package sysfs

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"

	"hwcap/parse/fact"
	"hwcap/parse/lines"
)

// Limits of what is kept of samples.
const (
	maxSample     = 256  // bytes of a sample's line; collect writes less than 100
	maxPorts      = 4096 // functions
	maxPoints     = 4096 // samples of all functions, for a curve
	maxBadSamples = 100  // problems that are listed
)

// ParseSamples reads samples/links.jsonl (capture/FORMAT.md, "Samples of
// links"): a first line that tells the load, then one sample a line. A line
// that is none costs only itself; without the first one no load is known.
func ParseSamples(r io.Reader, name string) (fact.Samples, []fact.Problem) {
	p := samples{file: name, port: map[string]int{}}
	for in := lines.New(r, name, maxLine); in.Next(); {
		at := in.At()
		if at.Line == 1 && p.head(at) {
			continue
		}
		if at.Text != "" {
			p.sample(at)
		}
	}
	slices.SortFunc(p.all.Ports, func(a, b fact.PortSamples) int { return CompareAddresses(a.Address, b.Address) })
	return p.all, p.problems
}

type samples struct {
	file     string
	all      fact.Samples
	port     map[string]int // index in all.Ports, by address
	points   int
	problems []fact.Problem
}

// head reads the line that tells the load; one without "command" is none.
func (p *samples) head(at fact.Line) bool {
	var load struct{ Command json.RawMessage }
	if json.Unmarshal([]byte(at.Text), &load) != nil || load.Command == nil {
		p.problem(at, "does not tell the load")
		return false
	}
	if err := json.Unmarshal(load.Command, &p.all.Command); err != nil {
		p.problem(at, "command: "+err.Error())
		p.all.Command = nil
	}
	p.all.At = at
	return true
}

func (p *samples) sample(at fact.Line) {
	var s struct {
		T       *float64
		Address string
		Speed   float64
		Width   *int
	}
	if len(at.Text) > maxSample {
		p.problem(at, "too long for a sample")
		return
	}
	err := json.Unmarshal([]byte(at.Text), &s)
	switch {
	case err != nil:
		p.problem(at, "not a sample: "+err.Error())
	case s.T == nil || s.Width == nil || *s.T < 0 || *s.Width < 0 || s.Speed < 0 || !IsAddress(s.Address):
		p.problem(at, "not a sample: t, address or width is missing or makes no sense")
	default:
		p.add(s.Address, fact.Sample{T: *s.T, Speed: s.Speed, Width: *s.Width, At: at})
	}
}

func (p *samples) add(address string, s fact.Sample) {
	i, seen := p.port[address]
	if !seen {
		if i = len(p.all.Ports); i == maxPorts {
			p.problem(s.At, fmt.Sprintf("more than %d functions", maxPorts))
			return
		}
		p.port[address] = i
		p.all.Ports = append(p.all.Ports, fact.PortSamples{
			Address: address, First: s, Last: s, Fastest: s, Slowest: s, Widest: s, Narrowest: s,
		})
	}
	p.all.Duration = max(p.all.Duration, s.T)
	port := &p.all.Ports[i]
	changed := s.Speed != port.Last.Speed || s.Width != port.Last.Width
	if changed {
		port.Changes++
	}
	if p.points < maxPoints && (changed || !seen) {
		p.points++
		port.Points = append(port.Points, s)
	}
	port.Last = s
	if s.Speed > port.Fastest.Speed {
		port.Fastest = s
	}
	if s.Speed > 0 && (s.Speed < port.Slowest.Speed || port.Slowest.Speed == 0) {
		port.Slowest = s
	}
	if s.Width > port.Widest.Width {
		port.Widest = s
	}
	if s.Width < port.Narrowest.Width {
		port.Narrowest = s
	}
}

func (p *samples) problem(at fact.Line, text string) {
	if len(p.problems) < maxBadSamples {
		p.problems = append(p.problems, fact.Problem{File: p.file, Line: at.Line, Text: text})
	}
}
