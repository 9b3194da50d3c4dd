package figure

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"hwcap/parse/fact"
)

// The severities of errors, mildest first; a figure draws a higher one above.
const (
	corrected = iota
	nonFatal
	fatal
	severities
)

// severityOf reads the words of the log and those of rasdaemon
// (ras-aer-handler.c).
var severityOf = map[string]int{
	"corrected": corrected, "nonfatal": nonFatal, "fatal": fatal,
	"Corrected": corrected, "Uncorrected (Non-Fatal)": nonFatal, "Uncorrected (Fatal)": fatal,
}

// incident is n errors of one severity between two times. Where both are the
// same, or n is no more than two, that is when they were; else only the first
// and the last are known.
type incident struct {
	from, to float64
	n        int
	severity int
}

// lane is what one source says of the errors of one link.
type lane struct {
	upper, lower string // addresses; upper is "" where no port is known above
	database     bool   // rasdaemon's, not the log's
	injected     int
	incidents    []incident
	count        [severities]int
}

func (l *lane) total() int { return l.count[corrected] + l.count[nonFatal] + l.count[fatal] }

// clock is what times are counted by.
type clock struct {
	dated bool // seconds since 1970, else since a boot
	boot  int  // 0 for that of the capture; of dated ones always 0
	local bool // times of day as the log printed them, their zone unknown
}

// timed is all errors with a time of one clock.
type timed struct {
	clock
	lanes    []*lane
	zone     *time.Location
	from, to float64
}

// moments returns the errors of m that have a time, by clock: dates first. The
// log's seconds become dates where the capture tells when the machine booted.
func moments(m *fact.Machine) []*timed {
	byClock := map[clock]*timed{}
	type key struct {
		clock
		upper, lower string
		database     bool
	}
	byLane := map[key]*lane{}
	wires := newWiring(m)
	add := func(c clock, zone *time.Location, device string, database bool, i incident) *lane {
		t := byClock[c]
		if t == nil {
			t = &timed{clock: c, zone: time.UTC, from: i.from, to: i.to}
			byClock[c] = t
		}
		if zone != nil {
			t.zone = zone
		}
		t.from, t.to = min(t.from, i.from), max(t.to, i.to)
		upper, lower := wires.link(device)
		k := key{c, upper, lower, database}
		l := byLane[k]
		if l == nil {
			l = &lane{upper: upper, lower: lower, database: database}
			byLane[k] = l
			t.lanes = append(t.lanes, l)
		}
		l.incidents = append(l.incidents, i)
		l.count[i.severity] += i.n
		return l
	}
	boot, known := bootTime(m)
	for _, e := range m.Log.AER {
		severity, ok := severityOf[e.Severity]
		c, i := clock{boot: e.Boot}, incident{n: max(1, e.Count), severity: severity}
		var zone *time.Location
		first, firstOK := printed(e.FirstClock)
		last, lastOK := printed(e.LastClock)
		switch {
		case !ok:
			continue
		case e.First != nil && e.Last != nil:
			i.from, i.to = *e.First, *e.Last
			if known && e.Boot == 0 {
				c, i.from, i.to = clock{dated: true}, boot+i.from, boot+i.to
			}
		case firstOK && lastOK:
			c, i.from, i.to, zone = clock{dated: true, local: true}, seconds(first), seconds(last), first.Location()
		default:
			continue
		}
		if i.to < i.from {
			continue
		}
		if l := add(c, zone, e.Device, false, i); e.Injected {
			l.injected += i.n
		}
	}
	sections, _ := m.RAS.Errors.Get()
	var zone *time.Location // of the first row, so that all are told by one
	for _, s := range sections {
		if s.Name != "aer" {
			continue
		}
		for _, r := range s.Rows {
			severity, ok := severityOf[r.Severity]
			at, err := time.Parse("2006-01-02 15:04:05 -0700", strings.TrimSpace(r.Time))
			if !ok || err != nil || r.Device == "" {
				continue
			}
			if zone == nil {
				_, offset := at.Zone()
				zone = time.FixedZone("", offset)
			}
			add(clock{dated: true}, zone, r.Device, true, incident{seconds(at), seconds(at), max(1, r.Count), severity})
		}
	}
	var out []*timed
	for _, t := range byClock {
		slices.SortStableFunc(t.lanes, func(a, b *lane) int {
			return cmp.Or(cmp.Compare(b.total(), a.total()), cmp.Compare(a.lower, b.lower), cmp.Compare(a.upper, b.upper))
		})
		out = append(out, t)
	}
	slices.SortFunc(out, func(a, b *timed) int { return cmp.Compare(a.rank(), b.rank()) })
	return out
}

// rank orders clocks: dates, times of day, this boot, the boots before.
func (c clock) rank() int {
	switch {
	case c.dated && !c.local:
		return -2
	case c.dated:
		return -1
	}
	return -c.boot
}

func seconds(t time.Time) float64 { return float64(t.UnixNano()) / 1e9 }

// bootTime returns when the machine booted, in seconds since 1970.
func bootTime(m *fact.Machine) (float64, bool) {
	taken, err := time.Parse(time.RFC3339, m.Capture.Start)
	up, ok := m.Platform.Uptime.Get()
	return seconds(taken) - up, err == nil && ok && m.Platform.Uptime.State == fact.Present
}

// printed reads a time of day of the log: dmesg -T, and journalctl's short-iso
// and short-full without the name of the zone.
func printed(s string) (time.Time, bool) {
	for _, layout := range []string{
		time.ANSIC, "2006-01-02T15:04:05,999999-07:00", "2006-01-02T15:04:05-0700", "2006-01-02T15:04:05-07:00", "Mon 2006-01-02 15:04:05",
	} {
		if t, err := time.Parse(layout, s); err == nil && t.Year() > 1970 && t.Year() < 2200 {
			return t, true
		}
	}
	return time.Time{}, false
}

// wiring finds the links of functions.
type wiring struct {
	device map[string]*fact.Device
	below  map[string]string // the first function below a port
}

func newWiring(m *fact.Machine) wiring {
	w := wiring{map[string]*fact.Device{}, map[string]string{}}
	for i := range m.PCI {
		d := &m.PCI[i]
		w.device[d.Address] = d
		if _, ok := w.below[d.Parent]; !ok && d.Parent != "" {
			w.below[d.Parent] = d.Address
		}
	}
	return w
}

// link returns the ends of the link at which the function at address sees
// errors: below it for a port that leads down, above it for all else.
func (w wiring) link(address string) (upper, lower string) {
	switch d := w.device[address]; {
	case d == nil:
		return "", address
	case express(d, fact.RootPort) || express(d, fact.DownstreamPort):
		return address, w.below[address]
	case d.Parent == "":
		return "", address
	default:
		return d.Parent, cmp.Or(w.below[d.Parent], address)
	}
}
