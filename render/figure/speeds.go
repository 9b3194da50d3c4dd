package figure

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"hwcap/parse/fact"
	"hwcap/parse/judge"
	"hwcap/render/device"
)

// The measures of the links over time, in millimetres.
const (
	courseHead  = 4.6 // above the highest level of a lane
	courseFoot  = 2.4
	levelHeight = 3.2  // from one level to the next
	leastCourse = 14.0 // lane
	mostCourses = 24   // in all
	mostRuns    = 150  // drawn one by one; more are drawn as ranges
	mostTold    = 6    // states told in words
)

// course is one link over time.
type course struct {
	upper, lower string
	device       *fact.Device
	samples      *fact.PortSamples
	can          *fact.Link // what both ends can do, nil where it was not read
	finding      int        // index of the worst one on this link, -1 for none
	class        Class
}

// LinkSpeeds draws the links that were sampled over time and changed, or of
// which a finding speaks: a lane for each, steps of speed, and the width beside
// them. It draws nothing without samples, and where nothing of both was seen.
// The findings must be those of the report, in its order. lang is "de" or "en".
func LinkSpeeds(m *fact.Machine, findings []judge.Finding, lang string) []*Scene {
	all, ok := m.Samples.Get()
	if !ok || all.Duration <= 0 {
		return nil
	}
	shown, steady := courses(m, &all, findings)
	total := len(shown)
	shown = shown[:min(total, mostCourses)]
	var scenes []*Scene
	for first := 0; first < len(shown); {
		s := newSheet(m, lang)
		s.heading(s.word("Geschwindigkeit der PCIe-Links über die Zeit", "Speed of the PCIe links over time"))
		top, axis := s.y, len(s.Items)
		var words []string
		limits, lows, ranges := false, false, false
		for begin := first; first < len(shown); first++ {
			c := &shown[first]
			if first > begin && s.y+c.height() > treeMost-28 {
				break
			}
			limits = s.course(c, all.Duration) || limits
			lows, ranges = lows || c.levels()[0] == 0, ranges || len(c.points()) > mostRuns
			words = append(words, s.told(c))
		}
		lanes := slices.Clone(s.Items[axis:])
		s.Items = s.Items[:axis] // the lines of the axis lie below the lanes
		s.axis(s.elapsed(0, all.Duration), 0, all.Duration, laneLeft, laneRight, top)
		s.add(lanes...)
		s.y += 0.6
		if first == len(shown) {
			words = append(words, s.others(total-len(shown), steady)...)
		}
		load := s.load(m, &all)
		words = append(words, load)
		s.note(load)
		s.note(s.word("Zahlen links der Linien: GT/s je Lane. x8: acht Lanes; je mehr, desto dicker die Linie.", "Numbers left of the lines: GT/s of each lane. x8: eight lanes; the more, the thicker the line.") +
			s.when(lows, s.word(" –: kein Link, oder nicht bekannt, wie schnell.", " –: no link, or not known how fast.")) +
			s.when(ranges, s.word(" Balken: zwischen welchen Geschwindigkeiten ein Link wechselte.", " Bars: the speeds between which a link changed.")) +
			s.when(limits, s.word(" Gestrichelt: was beide Enden können.", " Dashed: what both ends can do.")))
		scenes = append(scenes, s.end(s.Title+". "+strings.Join(words, " ")))
	}
	return scenes
}

// courses returns the links to draw, those with the worst findings first, and
// how many others stayed as they were.
func courses(m *fact.Machine, all *fact.Samples, findings []judge.Finding) (shown []course, steady int) {
	byDevice := worst(findings)
	told := map[string]bool{} // ports whose link the device below tells of
	seen := map[string]bool{} // links
	var links []course
	for i := range all.Ports {
		p := &all.Ports[i]
		if p.Widest.Width == 0 {
			continue // nothing is there
		}
		c := course{lower: p.Address, device: m.Device(p.Address), samples: p, finding: -1}
		if d := c.device; d != nil && d.Parent != "" && !isPort(d, m.Device(d.Parent)) {
			c.upper = d.Parent
			place, _, _ := strings.Cut(p.Address, ".")
			if seen[c.upper+" "+place] {
				continue // another function of one device
			}
			seen[c.upper+" "+place] = true
			told[c.upper] = told[c.upper] || p.Fastest.Speed > 0
			c.can = common(capability(m.Device(c.upper)), capability(d))
		}
		links = append(links, c)
	}
	for _, c := range links {
		if c.upper == "" && told[c.lower] {
			continue
		}
		for _, a := range []string{c.lower, c.upper} {
			i, ok := byDevice[a]
			if ok && findings[i].Severity != judge.Info && (c.finding < 0 || findings[i].Severity.Rank() > findings[c.finding].Severity.Rank()) {
				c.finding, c.class = i, classOf[findings[i].Severity]
			}
		}
		if c.samples.Changes == 0 && c.finding < 0 {
			steady++
			continue
		}
		shown = append(shown, c)
	}
	slices.SortStableFunc(shown, func(a, b course) int { return cmp.Compare(b.class, a.class) })
	return shown, steady
}

// isPort reports whether d, below parent, is the upper end of a link and not
// the lower end of parent's.
func isPort(d, parent *fact.Device) bool {
	if d.Express == nil {
		return isBridge(d) && parent != nil && isBridge(parent) && parent.Parent != ""
	}
	return d.Express.Type == fact.RootPort || d.Express.Type == fact.DownstreamPort
}

// common is what two ends can do together, nil where one was not read.
func common(up, low *fact.Link) *fact.Link {
	if up == nil || low == nil {
		return nil
	}
	return &fact.Link{Speed: min(up.Speed, low.Speed), Width: min(up.Width, low.Width)}
}

// state is the speed that a sample is drawn at: 0 without a link, and where the
// kernel does not know its speed.
func state(p fact.Sample) float64 {
	if p.Width == 0 {
		return 0
	}
	return p.Speed
}

// points are where the link began and each change that was kept; the parser
// keeps only so many of all links.
func (c *course) points() []fact.Sample {
	if len(c.samples.Points) == 0 {
		return []fact.Sample{c.samples.First}
	}
	return c.samples.Points
}

// levels are the speeds of a lane, the lowest first.
func (c *course) levels() []float64 {
	var out []float64
	for _, p := range c.points() {
		if v := state(p); !slices.Contains(out, v) && len(out) < 10 {
			out = append(out, v)
		}
	}
	if c.limit() {
		out = append(out, c.can.Speed)
	}
	slices.Sort(out)
	return out
}

// limit reports whether the link never was as fast as both ends can be.
func (c *course) limit() bool { return c.can != nil && c.can.Speed > c.samples.Fastest.Speed }

func (c *course) height() float64 {
	return max(leastCourse, courseHead+levelHeight*float64(len(c.levels())-1)+courseFoot)
}

// run is a time during which a link was as it was.
type run struct {
	fact.Sample
	until float64
}

// runs returns the times of a lane one after the other, and how many changes
// after them were not kept.
func (c *course) runs() (out []run, lost int) {
	points := c.points()
	for i, p := range points {
		r := run{p, c.samples.Last.T}
		if i+1 < len(points) {
			r.until = points[i+1].T
		}
		out = append(out, r)
	}
	if lost = c.samples.Changes - (len(points) - 1); lost > 0 {
		out[len(out)-1].until = out[len(out)-1].T // when it ended is not known
	}
	return out, lost
}

// course draws one lane, and reports whether it has a line of what both ends
// can do.
func (s *sheet) course(c *course, duration float64) bool {
	height := c.height()
	s.add(Line{rootLeft, s.y + height, laneRight, s.y + height, 0.1, Hairline, false})
	const width = laneLeft - rootLeft - 9
	name := Label{X: rootLeft, Y: s.y + 4, Text: s.between(c), Size: body, Mono: true, Bold: true, Class: Ink}
	s.add(name.Fit(width),
		Label{X: rootLeft, Y: s.y + 7.6, Text: device.Short(c.device), Size: smallest, Class: Ink}.Fit(width))
	s.add(Label{X: rootLeft, Y: s.y + 11.2, Text: s.ability(c), Size: smallest, Class: Muted}.Fit(width))
	if c.finding >= 0 {
		at := rootLeft + Label{Text: s.ability(c), Size: smallest}.Room() + 2
		mark := Label{X: at, Y: s.y + 11.2, Text: c.class.Shape() + " " + spoken[s.lang].marks[c.class], Size: smallest, Bold: true, Class: c.class, Link: fmt.Sprintf("#f-%d", c.finding+1)}
		s.add(mark.Fit(rootLeft + width - at))
	}
	levels := c.levels()
	at := func(v float64) float64 { // the line of a speed
		i, _ := slices.BinarySearch(levels, v)
		return s.y + height - courseFoot - levelHeight*float64(i)
	}
	for _, v := range levels {
		text := "–"
		if v > 0 {
			text = s.decimals(v, 1)
		}
		s.add(Line{laneLeft, at(v), laneRight, at(v), 0.1, Hairline, false},
			Label{X: laneLeft - 1.2, Y: at(v) + 0.9, Text: text, Size: smallest, Class: Muted, Anchor: End})
	}
	if c.limit() {
		s.add(Line{laneLeft, at(c.can.Speed), laneRight, at(c.can.Speed), 0.3, Muted, true})
	}
	x := func(t float64) float64 { return laneLeft + min(1, t/duration)*(laneRight-laneLeft) }
	runs, lost := c.runs()
	if len(runs) > mostRuns {
		s.ranges(runs, x, at)
	} else {
		s.steps(runs, x, at)
	}
	if lost > 0 {
		end := x(runs[len(runs)-1].until)
		s.hatch(end, s.y+1, laneRight-end, height-2, 1.5, Hairline)
	}
	s.y += height
	return c.limit()
}

// thickness is that of a line of so many lanes.
func thickness(lanes int) float64 { return 0.35 + 0.13*math.Log2(float64(max(1, lanes))) }

// steps draws each run, with what fits of its words above it.
func (s *sheet) steps(runs []run, x, at func(float64) float64) {
	for i, r := range runs {
		from, to, y := x(r.T), x(r.until), at(state(r.Sample))
		s.add(Line{from, y, to, y, thickness(r.Width), Ink, state(r.Sample) == 0})
		if i > 0 {
			before := at(state(runs[i-1].Sample))
			if before == y { // only the width changed
				before, y = y-1, y+1
			}
			s.add(Line{from, before, from, y, 0.25, Ink, false})
		}
		l := Label{X: (from + to) / 2, Y: at(state(r.Sample)) - 0.9, Text: s.state(r.Sample), Size: smallest, Bold: true, Class: Ink, Anchor: Middle}
		if l.Room() > to-from-1 {
			l.Text = fmt.Sprintf("x%d", r.Width)
		}
		if l.Room() <= to-from-1 {
			s.add(l)
		}
	}
}

// ranges draws of each column the lowest and the highest speed.
func (s *sheet) ranges(runs []run, x, at func(float64) float64) {
	const wide = (laneRight - laneLeft) / columns
	var low, high [columns]float64 // as lengths on the page
	var seen [columns]bool
	for _, r := range runs {
		first := min(columns-1, int((x(r.T)-laneLeft)/wide))
		last := min(columns-1, int((x(r.until)-laneLeft)/wide))
		y := at(state(r.Sample))
		for c := first; c <= last; c++ {
			if !seen[c] {
				seen[c], low[c], high[c] = true, y, y
			}
			low[c], high[c] = max(low[c], y), min(high[c], y)
		}
	}
	for c := range columns {
		if seen[c] {
			s.add(Rect{X: laneLeft + float64(c)*wide, Y: high[c] - 0.2, W: wide * 0.8, H: low[c] - high[c] + 0.4, Fill: Ink})
		}
	}
}

// between names the ends of a link.
func (s *sheet) between(c *course) string {
	if c.upper == "" {
		return s.address(c.lower)
	}
	return s.address(c.upper) + " – " + s.address(c.lower)
}

// state writes how a link was: "16 GT/s x8".
func (s *sheet) state(p fact.Sample) string {
	switch {
	case p.Width == 0:
		return s.word("kein Link", "no link")
	case p.Speed == 0:
		return fmt.Sprintf("? x%d", p.Width)
	}
	return speed(&fact.Link{Speed: p.Speed, Width: p.Width}, s.lang)
}

// ability writes what both ends of a link can do.
func (s *sheet) ability(c *course) string {
	if c.can == nil {
		return s.word("was beide können: nicht gelesen", "what both can do: not read")
	}
	return s.word("können ", "can do ") + speed(c.can, s.lang)
}

// told says in words what a lane shows.
func (s *sheet) told(c *course) string {
	at := func(t float64) string { return s.decimals(t, 2) + "\u00a0s" }
	runs, lost := c.runs()
	out := s.between(c) + " (" + s.ability(c) + "): "
	if c.samples.Changes == 0 {
		return out + s.state(c.samples.First) + s.word(", unverändert.", ", unchanged.")
	}
	var parts []string
	for i, r := range runs[:min(len(runs), mostTold)] {
		text := s.state(r.Sample)
		if i > 0 {
			text = s.word("ab ", "from ") + at(r.T) + " " + text
		}
		parts = append(parts, text)
	}
	if n := len(runs) - len(parts) + max(0, lost); n > 0 {
		parts = append(parts, s.count(n, s.word("weiterer Wechsel", "more change"), s.word("weitere Wechsel", "more changes")))
	}
	return out + strings.Join(parts, ", ") + "."
}

// others counts the links that have no lane.
func (s *sheet) others(hidden, steady int) []string {
	var out []string
	if hidden > 0 {
		out = append(out, fmt.Sprintf(s.word("Nicht gezeichnet: %s, die sich änderten oder einen Befund haben.", "Not drawn: %s that changed or have a finding."),
			s.count(hidden, s.word("weiterer Link", "more link"), s.word("weitere Links", "more links"))))
	}
	switch {
	case steady == 1:
		out = append(out, s.word("Ein weiterer Link blieb, wie er war.", "One more link stayed as it was."))
	case steady > 1:
		out = append(out, fmt.Sprintf(s.word("%s weitere Links blieben, wie sie waren.", "%s more links stayed as they were."), s.num.Num(float64(steady))))
	}
	if len(out) > 0 {
		s.note(strings.Join(out, " "))
	}
	return out
}

// load says what ran meanwhile, and for how long the links were sampled.
func (s *sheet) load(m *fact.Machine, all *fact.Samples) string {
	long := s.decimals(all.Duration, 2) + "\u00a0s"
	if len(all.Command) == 0 {
		return fmt.Sprintf(s.word("%s lang gemessen, ohne dass dafür eine Last lief.", "Sampled for %s, without a load run for it."), long)
	}
	const most = 160 // runes
	command := []rune(strings.Join(all.Command, " "))
	if len(command) > most {
		command = append(command[:most], '…')
	}
	out := fmt.Sprintf(s.word("%s lang gemessen; als Last lief dabei „%s“", "Sampled for %s while “%s” ran as the load"), long, string(command))
	if exit := m.Source("links").Exit; exit != nil && *exit != 0 {
		out += fmt.Sprintf(s.word(", der mit Code %d scheiterte", ", which failed with exit code %d"), *exit)
	}
	return out + "."
}
