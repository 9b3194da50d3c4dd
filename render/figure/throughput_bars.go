package figure

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"hwcap/parse/fact"
)

// decimals writes x with so many decimals at most, fewer for large numbers.
func (s *sheet) decimals(x float64, most int) string {
	for limit := 10.0; most > 0 && x >= limit; limit *= 10 {
		most--
	}
	text := s.num.Num(x, most)
	if point := s.word(",", "."); most > 0 && strings.Contains(text, point) {
		text = strings.TrimRight(strings.TrimRight(text, "0"), point)
	}
	return text
}

// bytes returns the form of all rates of a chart with a ceiling, by its highest
// one: in powers of ten, as PCIe counts.
func (s *sheet) bytes(most float64) func(float64) string {
	if most >= 1e9 {
		return func(x float64) string { return s.decimals(x/1e9, 2) + "\u00a0GB/s" }
	}
	return func(x float64) string { return s.decimals(x/1e6, 1) + "\u00a0MB/s" }
}

// binary writes a rate as the text beside the chart does.
func (s *sheet) binary(x float64) string { return s.num.Size(int64(x)) + "/s" }

func (s *sheet) perSecond(x float64) string { return s.decimals(x, 1) + "/s" }

// charts draws the charts, as many to a scene as fit.
func (s *sheet) charts(m *fact.Machine, all []chart, title, legend string) []*Scene {
	var scenes []*Scene
	for first := 0; first < len(all) && len(scenes) < mostPages; {
		s := newSheet(m, s.lang)
		s.heading(title)
		var words []string
		for begin := first; first < len(all); first++ {
			c := all[first]
			c.hidden = max(0, len(c.rows)-mostRows)
			c.rows = c.rows[:len(c.rows)-c.hidden]
			if first > begin && s.y+c.height() > treeMost-18 {
				break
			}
			s.chart(c)
			words = append(words, s.read(c))
		}
		s.y += 0.5
		if n := len(all) - first; n > 0 && len(scenes) == mostPages-1 {
			s.note(fmt.Sprintf(s.word("Und %s.", "And %s."), s.count(n, s.word("weiterer Vergleich", "more comparison"), s.word("weitere Vergleiche", "more comparisons"))))
		}
		s.note(legend)
		scenes = append(scenes, s.end(s.Title+". "+strings.Join(words, " ")))
	}
	return scenes
}

func (r measured) height() float64 { return nextBar*float64(len(r.bars)) + 1.6 }

func (c *chart) height() float64 {
	h := 5.5 + ruleRow*float64(len(c.ceilings)) + 2.5
	for _, r := range c.rows {
		h += r.height()
	}
	for _, more := range []bool{c.turn > 0, c.hidden > 0, c.foot != ""} {
		if more {
			h += ruleRow
		}
	}
	return h
}

// chart draws one comparison.
func (s *sheet) chart(c chart) {
	s.add(Line{rootLeft, s.y, treeWidth - rootLeft, s.y, 0.1, Hairline, false})
	name := Label{X: rootLeft, Y: s.y + 4, Text: c.name, Size: 8, Mono: true, Bold: true, Class: Ink, Link: c.link}.Fit(100)
	s.add(name, Label{X: treeWidth - rootLeft, Y: s.y + 4, Text: c.about, Size: smallest, Class: Muted, Anchor: End}.Fit(treeWidth-2*rootLeft-name.Room()-3))
	s.y += 5.5
	scale := plotWidth / max(c.most(), 1e-9)
	bottom := s.y + c.height() - 5.5 - 2.5
	if c.foot != "" {
		bottom -= ruleRow
	}
	if c.hidden > 0 {
		bottom -= ruleRow
	}
	slices.SortStableFunc(c.ceilings, func(a, b ceiling) int { return cmp.Compare(b.rate, a.rate) })
	var lines []Item // over the bars
	for _, l := range c.ceilings {
		x := plotLeft + scale*l.rate
		text := Label{X: x - 1.2, Y: s.y + 2.5, Text: l.text + ": " + c.unit(l.rate), Size: smallest, Bold: true, Class: Ink, Anchor: End}
		if x < plotLeft+plotWidth/2 {
			text.X, text.Anchor = x+1.2, Start
		}
		s.add(text)
		lines = append(lines, Line{x, s.y + 0.3, x, bottom, 0.5, Ink, false})
		s.y += ruleRow
	}
	s.add(Line{plotLeft, s.y, plotLeft, bottom, 0.2, Muted, false})
	for i, r := range c.rows {
		if i > 0 && i == c.turn {
			s.add(Line{rootLeft, s.y + 0.2, plotLeft + plotWidth, s.y + 0.2, 0.2, Ink, true},
				Label{X: plotLeft + plotWidth - 1.2, Y: s.y + 2.9, Text: c.turnText, Size: smallest, Class: Ink, Anchor: End})
			s.y += ruleRow
		}
		s.rates(c, r, scale)
	}
	s.add(lines...)
	if c.hidden > 0 {
		s.add(Label{X: rootLeft, Y: s.y + 2.5, Text: fmt.Sprintf(s.word("und %d weitere", "and %d more"), c.hidden), Size: smallest, Class: Muted})
		s.y += ruleRow
	}
	if c.foot != "" {
		s.add(Label{X: rootLeft, Y: s.y + 2.5, Text: c.foot, Size: smallest, Class: Ink}.Fit(treeWidth - 2*rootLeft))
		s.y += ruleRow
	}
	s.y += 2.5
}

// rates draws the bars of one row.
func (s *sheet) rates(c chart, r measured, scale float64) {
	middle := s.y + 0.5 + nextBar*float64(len(r.bars))/2 + 0.8
	s.add(Label{X: rootLeft, Y: middle, Text: r.label, Size: smallest, Class: Ink}.Fit(plotLeft - rootLeft - 2))
	for i, b := range r.bars {
		y := s.y + 0.8 + nextBar*float64(i)
		bar := Rect{X: plotLeft, Y: y, W: max(0.5, scale*b.rate), H: thick, Fill: Hairline, Border: Muted, Stroke: 0.2}
		if b.offload {
			bar.Fill, bar.Border = Paper, Accent
		}
		s.add(bar)
		if b.offload {
			s.hatch(bar.X, bar.Y, bar.W, bar.H, 1, Accent)
		}
		best := len(r.bars) > 1 && b.rate >= max(r.bars[0].rate, r.bars[1].rate)
		rate := Label{X: figures, Y: y + 2.1, Text: c.unit(b.rate), Size: smallest, Bold: best, Class: Ink}
		if beside := bar.X + bar.W + 1.2; len(c.rows)*len(r.bars) == 1 && !c.crosses(scale, beside, beside+rate.Room()+1.2) {
			rate.X = beside // a lone figure at the right would seem to be the ceiling's
		}
		s.add(rate)
	}
	if r.ratio > 0 {
		s.add(Label{X: treeWidth - rootLeft, Y: middle, Text: s.ratio(r.ratio), Size: body, Class: Ink, Anchor: End})
	}
	s.y += r.height()
}

// crosses reports whether a ceiling stands between from and to.
func (c *chart) crosses(scale, from, to float64) bool {
	return slices.ContainsFunc(c.ceilings, func(l ceiling) bool {
		x := plotLeft + scale*l.rate
		return from <= x && x <= to
	})
}

// ratio writes a ratio: "0,09×".
func (s *sheet) ratio(ratio float64) string { return s.decimals(ratio, 2) + "\u00a0×" }

// read says in words what a chart shows.
func (s *sheet) read(c chart) string {
	var rows []string
	for i, r := range c.rows {
		var bars []string
		for _, b := range r.bars {
			bars = append(bars, b.who+" "+c.unit(b.rate))
		}
		text := r.label + ": " + strings.Join(bars, ", ")
		if r.ratio > 0 {
			text += " (" + s.ratio(r.ratio) + ")"
		}
		if i > 0 && i == c.turn {
			text = c.turnText + ": " + text
		}
		rows = append(rows, text)
	}
	if c.hidden > 0 {
		rows = append(rows, fmt.Sprintf(s.word("und %d weitere", "and %d more"), c.hidden))
	}
	out := c.name + ": " + strings.Join(rows, "; ") + "."
	for _, l := range c.ceilings {
		out += " " + fmt.Sprintf(s.word("Obergrenze %s: %s.", "Ceiling, %s: %s."), l.text, c.unit(l.rate))
	}
	if c.foot != "" {
		out += " " + c.foot
	}
	return out
}
