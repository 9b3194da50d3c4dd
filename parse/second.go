package parse

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"hwcap/parse/fact"
	"hwcap/parse/klog"
)

// alternatives is how many texts of a kind are held until all have come, where
// those of one machine can be joined.
const alternatives = 4

// left is a part that is not read, since another text of its kind is.
type left struct {
	member, file, format string
	lines                int
	sections             bool // it is not all of its text
	ranked               bool // a bundle's tool printed it
}

func (p *part) leave() left {
	return left{p.member, p.text.name, p.format, p.own, len(p.text.parts) > 1, p.rank != unranked}
}

// compare puts first what is to be kept: what a better call printed, else what
// holds most.
func (p *part) compare(q *part) int {
	return cmp.Or(cmp.Compare(p.rank, q.rank), cmp.Compare(q.amount, p.amount), cmp.Compare(q.own, p.own), cmp.Compare(p.text.name, q.text.name))
}

// keepBest keeps a part among those of its member, the best one first. Which
// ones are kept does not depend on the order in which they come.
func (b *builder) keepBest(p *part) {
	kept := b.loose[p.member]
	at, _ := slices.BinarySearchFunc(kept, p, (*part).compare)
	kept = slices.Insert(kept, at, p)
	most := 1
	if p.log != nil || p.devices != nil {
		most = alternatives
	}
	if len(kept) > most {
		b.left = append(b.left, kept[most].leave())
		kept = kept[:most]
	}
	b.loose[p.member] = kept
}

// joined returns of the parts that were kept for a member those that are read
// together, the best one first. The others are left.
func (b *builder) joined(kept []*part) []*part {
	all := kept[:1:1]
	best, journal := kept[0], false
	for _, p := range kept[1:] {
		switch {
		case best.devices != nil && (b.bundle != nil || sameFunctions(best.devices, p.devices)):
			all = append(all, p)
		case best.log != nil && !journal && joinsLog(best.log, p.log):
			all = append(all, p)
			journal = true // of several klog.Join takes one
		case best.log != nil && holdsLog(best.log, p.log):
			b.skip(p.text.name, "another text of this kind holds all of it")
		default:
			b.left = append(b.left, p.leave())
		}
	}
	return all
}

// sameFunctions reports whether two listings can be of one machine: they share
// functions, and those are the same ones.
func sameFunctions(a, b []fact.Device) bool {
	at := make(map[string]*fact.Device, len(a))
	for i := range a {
		at[a[i].Address] = &a[i]
	}
	shared := 0
	for i := range b {
		x, y := at[b[i].Address], &b[i]
		if x == nil {
			continue
		}
		for _, f := range [][2]string{{x.Vendor, y.Vendor}, {x.Device, y.Device}, {x.SubVendor, y.SubVendor}, {x.SubDevice, y.SubDevice},
			{x.Name, y.Name}, {x.Serial.V, y.Serial.V}} {
			if f[0] != "" && f[1] != "" && f[0] != f[1] {
				return false
			}
		}
		shared++
	}
	return 2*shared >= min(len(a), len(b))
}

// joinsLog reports whether klog.Join makes one log of two texts without losing
// a message: one of them is the journal, of the same boot, and goes back
// further than the ring buffer.
func joinsLog(a, b *klog.Result) bool {
	journal, ring := a, b
	if isJournal(ring) {
		journal, ring = b, a
	}
	if !isJournal(journal) || isJournal(ring) || !sameBoot(journal, ring) {
		return false
	}
	if holdsLog(ring, journal) {
		return true
	}
	const apart = 5 // seconds between the two readings
	return !ring.StartsAtBoot && (journal.Last == nil || ring.Last == nil || *journal.Last <= *ring.Last+apart)
}

func isJournal(r *klog.Result) bool { return strings.HasPrefix(r.File.Format, "journal") }

// sameBoot tells by messages with the same time since boot, which no two boots
// share, or where a text has no such times by the kernel's first message.
func sameBoot(a, b *klog.Result) bool {
	version := func(r *klog.Result) string {
		for _, n := range slices.Backward(r.Notes) {
			if n.Kind == "linux-version" {
				return n.Fields["text"]
			}
		}
		return ""
	}
	va, vb := version(a), version(b)
	if va != "" && vb != "" && va != vb {
		return false
	}
	if a.First == nil || b.First == nil {
		return va != "" && va == vb
	}
	times := map[string]bool{}
	for _, n := range a.Notes {
		times[messageKey(n)] = true
	}
	return slices.ContainsFunc(b.Notes, func(n fact.Note) bool {
		return n.Time != nil && *n.Time > 0 && times[messageKey(n)] // early ones have 0 in every boot
	})
}

// holdsLog reports whether a log has all messages of another that hwcap knows.
func holdsLog(all, some *klog.Result) bool {
	times := map[string]int{}
	for _, n := range all.Notes {
		times[messageKey(n)] += n.Times()
	}
	for _, n := range some.Notes {
		times[messageKey(n)] -= n.Times()
	}
	for _, e := range all.AER {
		times[reportKey(e)] += e.Count
	}
	for _, e := range some.AER {
		times[reportKey(e)] -= e.Count
	}
	for _, n := range times {
		if n < 0 {
			return false
		}
	}
	return true
}

// messageKey names a message by what it is about and when, or where a text has
// no times by its line.
func messageKey(n fact.Note) string {
	when := cmp.Or(n.Clock, n.At.Text)
	if n.Time != nil {
		when = fmt.Sprintf("%.6f", *n.Time)
	}
	return n.Kind + "|" + n.Device + "|" + when
}

func reportKey(e fact.AEREvent) string {
	when := e.FirstClock
	if e.First != nil {
		when = fmt.Sprintf("%.6f", *e.First)
	}
	return strings.Join([]string{e.Device, e.Severity, strings.Join(e.Kinds, ","), when}, "|")
}

// tellLeft says which texts were left, and how to read them all the same. What
// a bundle has twice is there anyway.
func (b *builder) tellLeft() {
	slices.SortFunc(b.left, func(x, y left) int { return cmp.Or(cmp.Compare(x.file, y.file), cmp.Compare(x.format, y.format)) })
	said := map[string]int{} // by kind
	for _, l := range b.left {
		if b.bundle != nil || l.ranked {
			b.skip(l.file, "another text of this kind is")
			continue
		}
		beside := b.loose[l.member][0].text.name
		if source, _ := sourceOf(l.member); l.member == logMember && b.arrived[source] != nil && b.arrived[source].excerpt == "" {
			b.arrived[source].excerpt = "a second kernel log, " + l.file + ", is not read beside it"
		}
		if said[l.format]++; said[l.format] > sayEach {
			continue
		}
		what := "a second " + l.format
		if l.sections {
			what = "its " + l.format + " is a second one"
		}
		b.problem(l.file, "%s (lines: %d), not read beside %s: open it alone with hwcap report %s", what, l.lines, beside, fileArgument(l.file))
	}
	for format, n := range said {
		if n > sayEach {
			b.problem("", "%d more of the kind %s, not read beside the first: open each alone", n-sayEach, format)
		}
	}
}

// fileArgument is a name that can be typed at a shell as it stands; another one
// is left to the reader.
func fileArgument(name string) string {
	sound := func(c rune) bool {
		return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.ContainsRune("/._+:-", c)
	}
	if strings.HasPrefix(name, "-") || strings.ContainsFunc(name, func(c rune) bool { return !sound(c) }) {
		return "FILE"
	}
	return name
}
