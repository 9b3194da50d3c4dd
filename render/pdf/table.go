package pdf

import (
	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"

	"hwcap/render/figure"
)

// The measures of a table, in millimetres.
const (
	gutter   = 4.0 // between columns
	rowPad   = 1.1 // above and below the text of a row
	wideAtom = 60  // a column is not kept wider than this for one long word
)

// cell is one cell of a table.
type cell struct {
	words []word
	align extast.Alignment
}

// table sets a table: no more than hairlines, the header row again on every
// page, no row cut that fits on a page.
func (b *builder) table(t *extast.Table, a area) {
	var rows [][]cell
	for r := t.FirstChild(); r != nil; r = r.NextSibling() {
		st := tableStyle
		if r.Kind() == extast.KindTableHeader {
			st.bold, st.class = true, figure.Muted
		}
		var row []cell
		for c := r.FirstChild(); c != nil; c = c.NextSibling() {
			spans := badge(b.inline(c, look{}))
			row = append(row, cell{st.words(spans), c.(*extast.TableCell).Alignment})
		}
		rows = append(rows, row)
	}
	if len(rows) == 0 || len(rows[0]) == 0 {
		return
	}
	cols := columns(rows, a.w)
	b.space(blockGap)
	header := row(rows[0], cols, a.x, figure.Muted)
	for i := range header {
		header[i].keep = true
		b.emit(header[i])
	}
	var again *strip
	if len(header) == 1 && header[0].height < (bottom-top)/4 {
		again = &header[0]
	}
	room := bottom - top - header[0].height
	for i, cells := range rows[1:] {
		r := row(cells, cols, a.x, figure.Hairline)
		if height(r) > room {
			again = nil // no place for both
		}
		for k := range r {
			r[k].repeat = again
			// All lines of a row that fits on a page hold together, and no
			// single row stands apart from its table.
			inner := k < len(r)-1
			r[k].keep = inner && height(r) <= room ||
				!inner && len(rows) > 3 && (i == 0 || i == len(rows)-3)
			b.emit(r[k])
		}
	}
	b.space(blockGap + 0.8)
}

func height(strips []strip) float64 {
	var sum float64
	for _, s := range strips {
		sum += s.height
	}
	return sum
}

// row sets cells as strips, one for each line, and a rule below.
func row(cells []cell, cols []float64, x float64, rule figure.Class) []strip {
	st := tableStyle
	strips := []strip{{height: st.leading + 2*rowPad}}
	at := x
	for i, c := range cells {
		width := cols[i] - gutter
		for k, l := range fill(c.words, width) {
			if k == len(strips) {
				strips[k-1].height -= rowPad
				strips = append(strips, strip{height: st.leading + rowPad})
			}
			dx, y := 0.0, 0.0
			switch c.align {
			case extast.AlignRight:
				dx = width - l.w
			case extast.AlignCenter:
				dx = (width - l.w) / 2
			}
			if k == 0 {
				y = rowPad
			}
			strips[k].ops = append(strips[k].ops, l.ops(at+dx, y, st)...)
		}
		at += cols[i]
	}
	last := &strips[len(strips)-1]
	last.ops = append(last.ops, Rule{x, last.height, at - gutter, last.height, 0.15, rule, Solid})
	return strips
}

// columns shares width out to the columns, each with its gutter. Where all fits
// on one line, every column is as wide as its text; else each gets what its
// longest word needs, and the rest goes by how much text waits.
func columns(rows [][]cell, width float64) []float64 {
	var (
		n            = len(rows[0])
		least        = make([]float64, n)
		natural      = make([]float64, n)
		leastSum     float64
		naturalSum   float64
		avail        = width + gutter // the last gutter hangs over
		narrowest    = tableStyle.size * mm * 2
		shareOfWidth = avail / float64(n)
	)
	for _, row := range rows {
		for i, c := range row {
			var lineWidth float64
			for k, w := range c.words {
				if w.hard {
					lineWidth = 0
				} else if k > 0 {
					lineWidth += w.gap.w
				}
				lineWidth += w.w
				natural[i] = max(natural[i], lineWidth)
				least[i] = max(least[i], min(w.widestAtom(), wideAtom))
			}
		}
	}
	for i := range natural {
		least[i] = max(least[i], narrowest) + gutter
		natural[i] = max(natural[i]+gutter, least[i])
		leastSum += least[i]
		naturalSum += natural[i]
	}
	switch {
	case naturalSum <= avail:
		return natural
	case leastSum <= avail:
		// A column of short values keeps them whole if that costs no more than
		// an even share; the rest is shared out by the text that waits.
		rest, waiting := avail-leastSum, naturalSum-leastSum
		for i := range least {
			if natural[i] <= shareOfWidth/2 && natural[i]-least[i] <= rest {
				rest -= natural[i] - least[i]
				waiting -= natural[i] - least[i]
				least[i] = natural[i]
			}
		}
		for i := range least {
			if waiting > 0 {
				least[i] += rest * (natural[i] - least[i]) / waiting
			}
		}
		return least
	}
	return squeeze(least, avail)
}

// squeeze cuts the widest columns down to a common width so that all fit.
// Words are then broken between letters.
func squeeze(least []float64, avail float64) []float64 {
	lo, hi := 0.0, avail
	for range 40 { // halving: far below a hundredth of a millimetre
		limit := (lo + hi) / 2
		var sum float64
		for _, w := range least {
			sum += min(w, limit)
		}
		if sum > avail {
			hi = limit
		} else {
			lo = limit
		}
	}
	for i := range least {
		least[i] = max(min(least[i], lo), gutter+1)
	}
	return least
}

// onlyChild returns n's child if there is just one.
func onlyChild(n ast.Node) ast.Node {
	if n.ChildCount() == 1 {
		return n.FirstChild()
	}
	return nil
}
