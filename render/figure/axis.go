package figure

import (
	"math"
	"strings"
	"time"
)

// tick is a mark of a time axis, and what is written at it. Under is the line
// below: the day or the year, where it is another one than at the tick before.
type tick struct {
	at          float64
	text, under string
}

// steps are the distances of ticks in seconds.
var steps = []float64{
	0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, minute, 2 * minute, 5 * minute, 10 * minute, 15 * minute, 30 * minute,
	hour, 2 * hour, 3 * hour, 6 * hour, 12 * hour, day, 2 * day, 5 * day, 10 * day, month, 2 * month, 3 * month, 6 * month, year, 2 * year, 5 * year, 10 * year, 50 * year,
}

const (
	minute = 60.0
	hour   = 3600.0
	day    = 24 * hour
	month  = 31 * day
	year   = 366 * day
)

// mostTicks is how many an axis has at most.
const mostTicks = 8

// stepOf returns the smallest distance of ticks that keeps a span readable.
func stepOf(span float64) float64 {
	for _, s := range steps {
		if span/s <= mostTicks-1 {
			return s
		}
	}
	return steps[len(steps)-1]
}

// elapsed returns the ticks from one number of seconds to another, in the unit
// that suits the span: seconds, minutes, hours or days.
func (s *sheet) elapsed(from, to float64) []tick {
	step := stepOf(to - from)
	unit, name := 1.0, "s"
	switch {
	case step >= day:
		unit, name = day, "d"
	case step >= hour:
		unit, name = hour, "h"
	case step >= minute:
		unit, name = minute, "min"
	}
	if step >= month { // days are counted on
		step = math.Ceil((to-from)/day/(mostTicks-1)/50) * 50 * day
	}
	digits := 0
	if step < 1 {
		digits = int(math.Ceil(-math.Log10(step)))
	}
	var out []tick
	for t := math.Ceil(max(0, from)/step) * step; t <= to && len(out) < 2*mostTicks; t += step {
		out = append(out, tick{at: t, text: s.num.Num(t/unit, digits) + "\u00a0" + name})
	}
	return out
}

var monthNames = map[string][]string{
	"de": strings.Fields("Jan. Feb. März Apr. Mai Juni Juli Aug. Sept. Okt. Nov. Dez."),
	"en": strings.Fields("Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec"),
}

// dated returns the ticks between two times, seconds since 1970, as clocks in
// zone show them.
func (s *sheet) dated(from, to float64, zone *time.Location) []tick {
	step := stepOf(to - from)
	start := time.Unix(int64(math.Floor(from)), 0).In(zone)
	t := start.Truncate(time.Second)
	next := func(t time.Time) time.Time { return t.Add(time.Duration(step * float64(time.Second))) }
	midnight := time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, zone)
	switch {
	case step >= year:
		n := int(step / year)
		t = time.Date(t.Year()/n*n, 1, 1, 0, 0, 0, 0, zone)
		next = func(t time.Time) time.Time { return t.AddDate(n, 0, 0) }
	case step >= month:
		n := int(step / month)
		t = time.Date(t.Year(), t.Month()-(t.Month()-1)%time.Month(n), 1, 0, 0, 0, 0, zone)
		next = func(t time.Time) time.Time { return t.AddDate(0, n, 0) }
	case step >= day:
		t = midnight
		next = func(t time.Time) time.Time { return t.AddDate(0, 0, int(step/day)) }
	case step >= 1:
		t = midnight.Add(t.Sub(midnight).Truncate(time.Duration(step) * time.Second))
	}
	var out []tick
	before := ""
	for ; len(out) < 2*mostTicks; t = next(t) {
		at := float64(t.UnixNano()) / 1e9
		if at > to {
			return out
		}
		if at < from {
			continue
		}
		k := tick{at: at}
		month := monthNames[s.lang][t.Month()-1]
		date := strings.TrimSuffix(s.date(t), t.Format(" 2006"))
		switch {
		case step >= year:
			k.text = t.Format("2006")
		case step >= 28*day:
			k.text, k.under = month, t.Format("2006")
		case step >= day:
			k.text, k.under = date, t.Format("2006")
		case step >= minute:
			k.text, k.under = t.Format("15:04"), date+t.Format(" 2006")
		case step >= 1:
			k.text, k.under = t.Format("15:04:05"), date+t.Format(" 2006")
		default:
			k.text, k.under = strings.TrimRight(t.Format("15:04:05.00"), "0"), date+t.Format(" 2006")
		}
		if k.under == before {
			k.under = ""
		} else {
			before = k.under
		}
		out = append(out, k)
	}
	return out
}

// date writes the day: "3. Aug. 2026".
func (s *sheet) date(t time.Time) string {
	month := monthNames[s.lang][t.Month()-1]
	return s.word(t.Format("2. ")+month, t.Format("2 ")+month) + t.Format(" 2006")
}

// axis draws a time axis at the sheet's y and lines up from its ticks to top.
func (s *sheet) axis(ticks []tick, from, to, left, right, top float64) {
	s.add(Line{left, s.y, right, s.y, 0.2, Muted, false})
	at := func(t float64) float64 { return left + (t-from)/(to-from)*(right-left) }
	end, endUnder := -1.0, -1.0 // of the label before
	for _, k := range ticks {
		x := at(k.at)
		s.add(Line{x, top, x, s.y + 0.8, 0.1, Hairline, false})
		for i, text := range []string{k.text, k.under} {
			last := []*float64{&end, &endUnder}[i]
			l := Label{X: x, Y: s.y + 3.6 + 3.2*float64(i), Text: text, Size: smallest, Class: Muted, Anchor: Middle}
			half := l.Room() / 2
			l.X = min(max(l.X, half), treeWidth-half)
			if text == "" || l.X-half < *last+0.8 {
				continue
			}
			*last = l.X + half
			s.add(l)
		}
	}
	s.y += 4.2
	if endUnder >= 0 {
		s.y += 3.2
	}
}
