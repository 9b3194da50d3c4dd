package pdf

import (
	"hwcap/render/figure"
	"hwcap/render/typeface"
)

// The table of contents.
const (
	contentsMost   = 90  // with more entries than this, chapters only
	contentsNumber = 9.0 // millimetres kept free for the page number
	contentsHang   = 3.0 // by which the further lines of an entry are indented
	contentsTail   = 4   // so many lines at its end stay on one page
)

var (
	contentsChapter = style{9, 4.5, figure.Ink, true}
	contentsFinding = style{8.5, 4.2, figure.Ink, false}
)

// contents sets the table of contents: chapters and findings with dotted
// leaders and page numbers, each line a link.
func (b *builder) contents(a area) {
	if len(b.headings) == 0 {
		return
	}
	b.space(chapterGap)
	first := len(b.strips)
	b.text([]span{{text: speak(b.doc.Lang).contents}}, a, chapterStyle)
	b.emit(strip{height: 1.4, ops: []Op{Rule{a.x, 1.2, a.x + a.w, 1.2, 0.2, figure.Hairline, Solid}}})
	for i := range b.strips[first:] {
		b.strips[first+i].keep, b.strips[first+i].head = true, true
	}
	for i, h := range b.headings {
		st, col := contentsChapter, a
		if h.level > 2 {
			if len(b.headings) > contentsMost {
				continue
			}
			st, col = contentsFinding, a.indented(indent)
		} else {
			b.space(1.6)
		}
		b.entry(h, col, st)
		if i+1 < len(b.headings) && h.level < b.headings[i+1].level && len(b.headings) <= contentsMost {
			b.strips[len(b.strips)-1].keep = true // a chapter and its first finding
		}
	}
	for i := max(first, len(b.strips)-contentsTail); i < len(b.strips)-1; i++ {
		b.strips[i].keep = true
	}
	b.space(chapterGap)
}

func (b *builder) entry(h heading, a area, st style) {
	right := a.x + a.w
	spans := make([]span, 0, len(h.spans))
	for _, s := range h.spans {
		if s.anchor != "" {
			continue
		}
		s.link = ""
		if s.class == figure.Accent {
			s.class = figure.None
		}
		spans = append(spans, s)
	}
	lines := fill(st.words(spans), a.w-contentsNumber-4-contentsHang)
	for i, l := range lines {
		x := a.x
		if i > 0 {
			x += contentsHang
		}
		ops := l.ops(x, 0, st)
		if i == len(lines)-1 {
			base := st.baseline()
			ops = append(ops,
				Rule{x + l.w + 1.5, base - 0.2, right - contentsNumber, base - 0.2, 0.25, figure.Hairline, Dotted},
				pageRef{X: right, Y: base, Face: typeface.Sans, Size: st.size, Class: figure.Ink, To: h.anchor})
		}
		ops = append(ops, Link{a.x, 0, a.w, st.leading, "#" + h.anchor})
		b.emit(strip{height: st.leading, ops: ops, keep: i < len(lines)-1})
	}
}
