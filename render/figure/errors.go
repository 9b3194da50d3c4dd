package figure

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"hwcap/parse/fact"
	"hwcap/render/device"
)

// The measures of the time line, in millimetres.
const (
	laneHeight = 14.0
	laneLeft   = 62.0 // left edge of the plot
	laneRight  = 168.0
	columns    = 106  // of the plot, a millimetre each
	tallest    = 7.5  // bar
	spanHeight = 3.6  // of errors of which the first and the last are known
	mostLanes  = 9    // of one clock
	mostClocks = 4    // scenes
	around     = 0.03 // of the span is left free on each side
	leastSpan  = 10   // seconds that an axis shows at least
)

// classes and signs of the severities: the bars of uncorrected errors bear the
// sign, so that they differ in grey.
var severityLooks = [severities]struct {
	class Class
	sign  string
	words [2]string // German, English
}{
	corrected: {Notice, "", [2]string{"korrigiert", "corrected"}},
	nonFatal:  {Warning, "▲", [2]string{"nicht fatal", "non-fatal"}},
	fatal:     {Critical, "■", [2]string{"fatal", "fatal"}},
}

// ErrorTimes draws when the PCIe links of m had errors: a scene for each clock,
// a lane for each link and source, worst first. The database of rasdaemon has
// each error with its time, drawn as bars; the log's messages are grouped, so
// that of more than two only the span is drawn. Errors without a time, and
// those of a machine that has none, are not drawn. lang is "de" or "en".
func ErrorTimes(m *fact.Machine, lang string) []*Scene {
	var scenes []*Scene
	all := moments(m)
	for _, t := range all[:min(mostClocks, len(all))] {
		s := newSheet(m, lang)
		title := s.word("PCIe-Fehler über die Zeit", "PCIe errors over time")
		switch {
		case t.local:
			title += s.word(", nach der Uhrzeit im Log", ", by the log's time of day")
		case !t.dated && t.boot == 0:
			title += s.word(", seit dem Start", ", since boot")
		case !t.dated:
			title += s.word(", seit einem früheren Start", ", since an earlier boot")
		}
		s.heading(title)
		scenes = append(scenes, s.times(m, t))
	}
	return scenes
}

// times draws the errors of one clock.
func (s *sheet) times(m *fact.Machine, t *timed) *Scene {
	first, last := t.from, t.to
	air := max(around*(last-first), (leastSpan-(last-first))/2)
	from, to := first-air, last+air
	shown := t.lanes[:min(mostLanes, len(t.lanes))]
	top := s.y
	axis := len(s.Items)
	most, grouped := 0, false
	for _, l := range shown {
		most = max(most, l.peak(from, to))
	}
	var words []string
	for _, l := range shown {
		s.lane(m, l)
		grouped = s.plot(l, from, to, most) || grouped
		words = append(words, s.describe(l))
		s.y += laneHeight
	}
	ticks := s.elapsed(from, to)
	if t.dated {
		ticks = s.dated(from, to, t.zone)
	}
	lanes := append([]Item{}, s.Items[axis:]...)
	s.Items = s.Items[:axis] // the lines of the axis lie below the bars
	s.axis(ticks, from, to, laneLeft, laneRight, top)
	s.add(lanes...)
	s.y += 0.6
	if n := len(t.lanes) - len(shown); n > 0 {
		sum := 0
		for _, l := range t.lanes[len(shown):] {
			sum += l.total()
		}
		more := fmt.Sprintf(s.word("Und %s mit zusammen %s.", "And %s with %s in all."),
			s.count(n, s.word("weitere Zeile", "more row"), s.word("weitere Zeilen", "more rows")), s.errors(sum))
		s.note(more)
		words = append(words, strings.TrimSuffix(more, "."))
	}
	about := s.span(m, t, first, last)
	legend := s.when(most > 1 && to-from > 2*columns, fmt.Sprintf(s.word("Ein Balken zählt die Fehler von %s.", "A bar counts the errors of %s."), s.num.Duration((to-from)/columns)))
	legend += s.when(grouped, s.word(" Schraffiert: Nur der erste und der letzte Fehler haben eine Zeit.", " Hatched: only the first and the last error have a time."))
	if legend != "" {
		s.note(strings.TrimSpace(legend))
	}
	s.note(about)
	return s.end(s.Title + ". " + strings.Join(words, "; ") + ". " + about)
}

func (s *sheet) when(ok bool, text string) string {
	if ok {
		return text
	}
	return ""
}

func (s *sheet) errors(n int) string {
	return s.count(n, s.word("Fehler", "error"), s.word("Fehlern", "errors"))
}

// span says from when to when the errors were, and how that lies to the boot
// and to the capture.
func (s *sheet) span(m *fact.Machine, t *timed, first, last float64) string {
	if !t.dated {
		return fmt.Sprintf(s.word("Der erste %s nach dem Start, der letzte nach %s.", "The first one %s after boot, the last one after %s."),
			s.num.Duration(first), s.num.Duration(last))
	}
	at := func(x float64) string {
		t := time.Unix(int64(x), 0).In(t.zone)
		return s.date(t) + t.Format(", 15:04:05")
	}
	out := fmt.Sprintf(s.word("Der erste: %s; der letzte: %s", "The first one: %s; the last one: %s"), at(first), at(last))
	if t.local {
		return out + s.word(", wie das Log sie druckt; die Zeitzone kann eine andere sein.", ", as the log prints them; the time zone may be another.")
	}
	name := t.zone.String()
	if t.zone != time.UTC {
		name = "UTC" + time.Unix(int64(first), 0).In(t.zone).Format("-07:00")
	}
	out += " (" + name + ")."
	if taken, err := time.Parse(time.RFC3339, m.Capture.Start); err == nil && seconds(taken) > last {
		out += fmt.Sprintf(s.word(" Die Erfassung folgte %s nach dem letzten.", " The capture followed %s after the last one."), s.num.Duration(seconds(taken)-last))
	}
	if boot, ok := bootTime(m); ok && boot > last {
		out += s.word(" Der Rechner ist seitdem neu gestartet.", " The machine has booted since.")
	}
	return out
}

// lane writes what a row is about.
func (s *sheet) lane(m *fact.Machine, l *lane) {
	s.add(Line{rootLeft, s.y + laneHeight - 0.7, laneRight, s.y + laneHeight - 0.7, 0.1, Hairline, false})
	width := laneLeft - rootLeft - 2
	s.add(
		Label{X: rootLeft, Y: s.y + 4, Text: s.ends(l), Size: 8, Mono: true, Bold: true, Class: Ink}.Fit(width),
		Label{X: rootLeft, Y: s.y + 7.6, Text: device.Short(m.Device(cmp.Or(l.lower, l.upper))), Size: body, Class: Ink}.Fit(width),
		Label{X: rootLeft, Y: s.y + 11.2, Text: s.sums(l), Size: smallest, Class: Muted}.Fit(width),
	)
}

// ends names the link of a lane.
func (s *sheet) ends(l *lane) string {
	switch {
	case l.upper == "":
		return s.address(l.lower)
	case l.lower == "":
		return s.address(l.upper)
	}
	return s.address(l.upper) + " – " + s.address(l.lower)
}

// sums writes the source of a lane and how many errors it has.
func (s *sheet) sums(l *lane) string {
	source := "Log"
	if l.database {
		source = s.word("Datenbank", "database")
	} else if s.lang == "en" {
		source = "log"
	}
	var counts []string
	for severity, n := range l.count {
		if n > 0 {
			look := severityLooks[severity]
			counts = append(counts, strings.TrimSpace(look.sign+" "+s.num.Num(float64(n))+"\u00a0"+s.word(look.words[0], look.words[1])))
		}
	}
	out := source + ": " + strings.Join(counts, ", ")
	if l.injected > 0 {
		out += s.word(" (erzeugt: ", " (injected: ") + s.num.Num(float64(l.injected)) + ")"
	}
	return out
}

func (s *sheet) describe(l *lane) string { return s.ends(l) + ", " + s.sums(l) }

// exact reports whether the times of all errors of i are known.
func (i incident) exact() bool { return i.n <= 2 || i.from == i.to }

// bars counts the errors with known times by column.
func (l *lane) bars(from, to float64) (bars [columns][severities]int) {
	column := func(t float64) int {
		return min(columns-1, max(0, int((t-from)/(to-from)*columns)))
	}
	for _, i := range l.incidents {
		switch {
		case !i.exact():
		case i.n == 2:
			bars[column(i.from)][i.severity]++
			bars[column(i.to)][i.severity]++
		default:
			bars[column(i.from)][i.severity] += i.n
		}
	}
	return bars
}

// peak is the highest bar of a lane.
func (l *lane) peak(from, to float64) int {
	most := 0
	for _, b := range l.bars(from, to) {
		most = max(most, b[corrected]+b[nonFatal]+b[fatal])
	}
	return most
}

// plot draws the errors of a lane: bars no higher than that of most errors, and
// hatched spans. It reports whether there is such a span.
func (s *sheet) plot(l *lane, from, to float64, most int) (grouped bool) {
	ground := s.y + laneHeight - 0.7
	var texts []Label
	// text writes above x what does not run into another text.
	text := func(x, y float64, words string) {
		t := Label{Y: y - 0.8, Text: words, Size: smallest, Class: Ink, Anchor: Middle}
		half := t.Room() / 2
		t.X = min(max(x, laneLeft+half), treeWidth-half)
		for _, other := range texts {
			if math.Abs(other.X-t.X) < half+other.Room()/2+0.5 {
				return
			}
		}
		texts = append(texts, t)
	}
	at := func(t float64) float64 { return laneLeft + (t-from)/(to-from)*(laneRight-laneLeft) }
	for _, i := range l.spans() {
		look, x, w := severityLooks[i.severity], at(i.from), max(1.5, at(i.to)-at(i.from))
		x = min(x, laneRight-w)
		s.add(Rect{X: x, Y: ground - spanHeight, W: w, H: spanHeight, Fill: Paper, Border: look.class, Stroke: 0.3})
		s.hatch(x, ground-spanHeight, w, spanHeight, 1.2, look.class)
		text(x+w/2, ground-spanHeight, strings.TrimSpace(s.num.Num(float64(i.n))+"× "+look.sign))
		grouped = true
	}
	highest, numbered := l.peak(from, to), false
	for c, b := range l.bars(from, to) {
		n := b[corrected] + b[nonFatal] + b[fatal]
		if n == 0 {
			continue
		}
		x, y := laneLeft+float64(c)*(laneRight-laneLeft)/columns, ground
		height := max(1, tallest*float64(n)/float64(most))
		sign := ""
		for severity, k := range b {
			if h := height * float64(k) / float64(n); k > 0 {
				y -= h
				s.add(Rect{X: x + 0.1, Y: y, W: 0.8, H: h, Fill: severityLooks[severity].class})
				sign = cmp.Or(severityLooks[severity].sign, sign)
			}
		}
		number := ""
		if n == highest && n > 1 && !numbered {
			number, numbered = s.num.Num(float64(n)), true
		}
		if number+sign != "" {
			text(x+0.5, y, strings.TrimSpace(number+" "+sign))
		}
	}
	for _, t := range texts {
		s.add(t)
	}
	return grouped
}

// spans are the errors of which the first and the last time are known; those
// that overlap are one.
func (l *lane) spans() (out []incident) {
	sorted := slices.Clone(l.incidents)
	slices.SortStableFunc(sorted, func(a, b incident) int {
		return cmp.Or(cmp.Compare(a.severity, b.severity), cmp.Compare(a.from, b.from))
	})
	for _, i := range sorted {
		if i.exact() {
			continue
		}
		if n := len(out) - 1; n >= 0 && out[n].severity == i.severity && i.from <= out[n].to {
			out[n].to, out[n].n = max(out[n].to, i.to), out[n].n+i.n
			continue
		}
		out = append(out, i)
	}
	return out
}
