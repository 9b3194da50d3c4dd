package klog

import (
	"cmp"
	"slices"
	"strings"

	"hwcap/parse/fact"
)

// Join makes one log of all texts of a capture. state is that of the best
// source. Within one boot a message counts once: the text of dmesg is preferred,
// then /dev/kmsg, then the journal; of the journal only what is older than the
// first message of the others counts. Texts of earlier boots add their notes as
// they are.
func Join(state fact.State, results ...*Result) fact.Log {
	log := fact.Log{State: state}
	var ring, journal []*Result // of the boot of the capture
	var notes []fact.Note
	var events []fact.AEREvent
	for _, r := range results {
		if r == nil {
			continue
		}
		log.Files = append(log.Files, r.File)
		switch {
		case r.boot < 0:
			notes, events = append(notes, r.Notes...), append(events, r.AER...)
		case strings.HasPrefix(r.File.Format, "journal"):
			journal = append(journal, r)
		default:
			ring = append(ring, r)
		}
	}
	slices.SortStableFunc(ring, better)
	slices.SortStableFunc(journal, better)
	log.FromBoot = fromBoot(ring, journal)

	var main *Result
	switch {
	case len(ring) > 0:
		main = ring[0]
	case len(journal) > 0:
		main, journal = journal[0], nil
	default:
		log.Notes, log.AER = notes, events
		return log
	}
	if main.First != nil {
		log.First = fact.Of(*main.First, main.File.FirstAt)
		log.Last = fact.Of(*main.Last, main.File.FirstAt)
	}
	own, reports := main.Notes, main.AER
	if len(journal) > 0 && !main.StartsAtBoot {
		j := journal[0]
		own, reports = addNotes(main, j), addEvents(main, j)
		if j.First != nil && main.First != nil && *j.First < *main.First {
			log.First = fact.Of(*j.First, j.File.FirstAt)
		}
	}
	log.Notes, log.AER = append(notes, own...), append(events, reports...)
	slices.SortStableFunc(log.Notes, func(a, b fact.Note) int { return cmp.Compare(a.Boot, b.Boot) })
	slices.SortStableFunc(log.AER, func(a, b fact.AEREvent) int { return cmp.Compare(a.Boot, b.Boot) })
	return log
}

// better puts the text to rely on first: with times before without, from boot
// before cut, to the end before broken off, dmesg before kmsg, long before short.
func better(a, b *Result) int {
	const apart = 5                       // seconds between the readings of two sources
	breaksOff := func(a, b *Result) int { // 1 where a ends long before b
		if a.Last != nil && b.Last != nil && *a.Last < *b.Last-apart {
			return 1
		}
		return 0
	}
	rank := func(r *Result) int {
		n := 0
		if r.First != nil {
			n += 4
		}
		if r.StartsAtBoot {
			n += 2
		}
		return -n
	}
	text := func(r *Result) int {
		if strings.HasPrefix(r.File.Format, "dmesg") {
			return 0
		}
		return 1
	}
	return cmp.Or(cmp.Compare(rank(a), rank(b)), breaksOff(a, b)-breaksOff(b, a), cmp.Compare(text(a), text(b)), cmp.Compare(b.File.Lines, a.File.Lines))
}

// fromBoot tells whether the first messages of the boot are there, and by which
// line.
func fromBoot(ring, journal []*Result) fact.Val[bool] {
	for _, r := range slices.Concat(ring, journal) {
		if !r.StartsAtBoot {
			continue
		}
		for _, n := range slices.Backward(r.Notes) {
			if n.Kind == "linux-version" && n.Boot == r.boot {
				return fact.Of(true, n.At)
			}
		}
	}
	for _, r := range ring {
		if seq := r.File.FirstSeq; seq != nil {
			return fact.Of(*seq == 0, r.File.FirstAt)
		}
	}
	return fact.Val[bool]{}
}

// addNotes puts before the notes of main what the journal knows of older times.
// A flood that reaches over the border is taken from the journal as a whole,
// which has all of it. Without times to compare, only kinds and devices count
// that main does not know.
func addNotes(main, journal *Result) []fact.Note {
	type about struct{ kind, device string }
	known := map[about]bool{}
	for _, n := range main.Notes {
		known[about{n.Kind, n.Device}] = true
	}
	timed := main.First != nil && journal.First != nil
	whole := map[about]bool{}
	if timed {
		for _, n := range journal.Notes {
			if n.Count > 1 && n.Time != nil && *n.Time < *main.First && n.LastTime != nil && *n.LastTime >= *main.First {
				whole[about{n.Kind, n.Device}] = true
			}
		}
	}
	var out []fact.Note
	for _, n := range journal.Notes {
		key := about{n.Kind, n.Device}
		switch {
		case n.Boot != journal.boot:
			out = append(out, n)
		case timed && (whole[key] || n.Time != nil && *n.Time < *main.First), !timed && !known[key]:
			out = append(out, n)
		}
	}
	for _, n := range main.Notes {
		if !whole[about{n.Kind, n.Device}] {
			out = append(out, n)
		}
	}
	return out
}

// addEvents does the same for error reports, which are groups always.
func addEvents(main, journal *Result) []fact.AEREvent {
	key := func(e fact.AEREvent) string {
		return strings.Join([]string{e.Device, e.Severity, strings.Join(e.Kinds, ",")}, "|")
	}
	known := map[string]bool{}
	for _, e := range main.AER {
		known[key(e)] = true
	}
	timed := main.First != nil && journal.First != nil
	whole := map[string]bool{}
	var out []fact.AEREvent
	for _, e := range journal.AER {
		switch older := e.First != nil && timed && *e.First < *main.First; {
		case e.Boot != journal.boot, !timed && !known[key(e)]:
			out = append(out, e)
		case older:
			out = append(out, e)
			if e.Last != nil && *e.Last >= *main.First {
				whole[key(e)] = true
			}
		}
	}
	for _, e := range main.AER {
		if !whole[key(e)] {
			out = append(out, e)
		}
	}
	return out
}
