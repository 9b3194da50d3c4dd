package judge

import (
	"slices"
	"time"

	"hwcap/parse/diff"
	"hwcap/parse/fact"
)

// aerGrowth is what came of PCIe errors on one link between two captures.
type aerGrowth struct {
	link    aerLink
	counted map[string]int // by the kernel's counters, within one boot
	dated   map[string]int // in rasdaemon's database, after the first capture
	rows    []map[string]any
	f       Finding
}

// compareAERErrors names the links whose errors have grown. Counters are
// compared within one boot only; the rows of rasdaemon's database are dated and
// outlive it.
func compareAERErrors(p *diff.Pair) []Finding {
	if !p.Identity.One() || p.Reversed {
		return nil
	}
	links := map[string]*aerGrowth{}
	of := func(address string) *aerGrowth {
		link, ok := linkOfError(p.New, address)
		if !ok {
			return nil
		}
		if links[link.lower] == nil {
			links[link.lower] = &aerGrowth{link: link, counted: map[string]int{}, dated: map[string]int{}, f: found("rising", link.lower)}
		}
		return links[link.lower]
	}
	compared := 0
	if p.Boot == diff.OneBoot {
		compared = countGrowth(p, of)
	}
	lost := datedRows(p, of)
	alone := map[string]string{} // what the later capture alone says of a link
	for _, f := range judgeAERErrors(p.New) {
		alone[f.Subjects[0]] = f.Case
	}
	var out []Finding
	for _, g := range links {
		out = append(out, g.finding(alone[g.link.lower]))
	}
	slices.SortFunc(out, func(a, b Finding) int { return slices.Compare(a.Subjects, b.Subjects) })
	switch {
	case len(lost.Subjects) > 0:
		out = append(out, lost)
	case len(out) == 0 && compared > 0:
		f := found("steady", Machine)
		f.Count = compared
		out = append(out, f)
	}
	return out
}

// countGrowth compares the counters of each device and returns of how many it
// could.
func countGrowth(p *diff.Pair, of func(string) *aerGrowth) (compared int) {
	for _, m := range p.Devices {
		a, b := m.Old.Sysfs, m.New.Sysfs
		if a == nil || b == nil {
			continue
		}
		read := false
		for i, pair := range [][2]fact.Val[fact.Counters]{
			{a.AERCorrectable, b.AERCorrectable}, {a.AERNonFatal, b.AERNonFatal}, {a.AERFatal, b.AERFatal},
		} {
			was, is, ok := bothRead(pair[0], pair[1])
			read = read || ok
			if !ok || is.Total <= was.Total {
				continue
			}
			g := of(m.New.Address)
			if g == nil {
				continue
			}
			severity := aerSeverities[i]
			g.counted[severity] += int(is.Total - was.Total)
			g.rows = append(g.rows, map[string]any{"device": m.New.Address, "severity": severity, "before": was.Total, "after": is.Total})
			g.f.citeOld("before", was.At["TOTAL"])
			g.f.cite("after", is.At["TOTAL"])
			for bit, n := range is.Counts {
				if n > was.Counts[bit] {
					g.f.cite("after", is.At[bit])
				}
			}
		}
		if read {
			compared++
		}
	}
	return compared
}

// datedRows adds the rows of the database that are younger than the first
// capture. A row from before the last start may carry an address that has
// belonged to another device since; those are the subjects of lost.
func datedRows(p *diff.Pair, of func(string) *aerGrowth) (lost Finding) {
	lost = found("rising-unplaced")
	since := captureClock(p.Old).taken
	if since.IsZero() {
		return lost
	}
	started := captureClock(p.New).boot
	for _, r := range aerRows(p.New) {
		at, ok := rasTime(r.Time)
		severity := rasSeverities[r.Severity]
		if !ok || severity == "" || !at.After(since) {
			continue
		}
		if at.Before(started) && !stays(p, r.Device) || started.IsZero() && !stays(p, r.Device) {
			if !slices.Contains(lost.Subjects, r.Device) {
				lost.Subjects = append(lost.Subjects, r.Device)
			}
			lost.Count += max(1, r.Count)
			lost.cite("row", r.At)
			continue
		}
		if g := of(r.Device); g != nil {
			g.dated[severity] += max(1, r.Count)
			g.f.cite("row", r.At)
		}
	}
	lost.Values["sinceTime"] = since.Format(time.RFC3339)
	return lost
}

// stays reports whether the address belongs to the same device in both
// captures.
func stays(p *diff.Pair, address string) bool {
	return slices.ContainsFunc(p.Devices, func(m diff.Match) bool { return m.New.Address == address && !m.Moved() })
}

// finding chooses the case. Counters that rise within one boot speak for
// themselves; of dated errors the later capture must show that they go on.
func (g *aerGrowth) finding(alone string) Finding {
	f := g.f
	count := func(severity string) int { return max(g.counted[severity], g.dated[severity]) }
	switch {
	case count("fatal") > 0:
		f.Case = "rising-fatal"
	case count("nonfatal") > 0:
		f.Case = "rising-nonfatal"
	case len(g.rows) == 0 && alone != "ongoing" && alone != "above-yardstick":
		f.Case = "risen"
	}
	for key, severity := range map[string]string{"correctedCount": "corrected", "nonFatalCount": "nonfatal", "fatalCount": "fatal"} {
		f.Values[key] = count(severity)
		f.Count += count(severity)
	}
	f.Values["upper"], f.Values["grown"], f.Values["datedCount"], f.Values["isOver"] = g.link.upper, g.rows, sum(g.dated), alone == "burst"
	return f
}
