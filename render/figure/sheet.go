package figure

import (
	"strings"

	"hwcap/parse/fact"
	"hwcap/render/catalogue"
)

// body is the size of a chart's text in points.
const body = 7.5

// sheet is a chart that is written from top to bottom: a title, then what the
// figure puts at y, which grows.
type sheet struct {
	*Scene
	lang      string
	num       catalogue.Numbers
	y         float64
	oneDomain bool
}

// newSheet begins a chart about m; lang is "de" or "en", English for all else.
func newSheet(m *fact.Machine, lang string) *sheet {
	if lang != "de" {
		lang = "en"
	}
	s := &sheet{Scene: &Scene{Width: treeWidth}, lang: lang, num: catalogue.Numbers{Lang: catalogue.Lang(lang)}, oneDomain: true}
	for i := range m.PCI {
		s.oneDomain = s.oneDomain && strings.HasPrefix(m.PCI[i].Address, "0000:")
	}
	return s
}

// heading writes the chart's title.
func (s *sheet) heading(title string) {
	s.Title = title
	s.add(Label{X: rootLeft, Y: 4, Text: title, Size: 9, Bold: true, Class: Ink}.Fit(treeWidth - rootLeft))
	s.y = 7
}

func (s *sheet) add(items ...Item) { s.Items = append(s.Items, items...) }

// word picks the wording of the sheet's language.
func (s *sheet) word(de, en string) string {
	if s.lang == "de" {
		return de
	}
	return en
}

// count writes a number of things: "1 Fehler", "12 Fehler".
func (s *sheet) count(n int, one, many string) string {
	if n == 1 {
		many = one
	}
	return s.num.Num(float64(n)) + "\u00a0" + many
}

// address drops the domain where the machine has only one.
func (s *sheet) address(a string) string {
	if s.oneDomain {
		return strings.TrimPrefix(a, "0000:")
	}
	return a
}

// note writes a text below what is there, over as many lines as it needs.
func (s *sheet) note(text string) {
	const leading = 3.4
	for _, l := range (Label{X: rootLeft, Size: body, Class: Muted, Text: text}).Wrap(treeWidth-rootLeft, leading, 6) {
		s.y += leading
		l.Y = s.y
		s.add(l)
	}
}

// end closes the chart below what is there.
func (s *sheet) end(desc string) *Scene {
	s.Height, s.Desc = s.y+1.5, desc
	return s.Scene
}

// hatch fills a box with slanting lines, gap millimetres from one to the next,
// so that it differs from a full and from an empty one without colour.
func (s *sheet) hatch(x, y, w, h, gap float64, c Class) {
	for d := gap / 2; d < w+h; d += gap {
		// The line from (x+d, y) down to the left, cut at the box.
		x1, y1 := x+min(d, w), y+max(0, d-w)
		x2, y2 := x+max(0, d-h), y+min(d, h)
		s.add(Line{x1, y1, x2, y2, 0.15, c, false})
	}
}
