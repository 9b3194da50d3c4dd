package pdf

import (
	"cmp"
	"slices"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"

	"hwcap/render/figure"
)

// The measures of a table, in millimetres.
const (
	rowPad    = 1.1 // above and below the text of a row
	wideAtom  = 60  // a column is not kept wider than this for one long word
	emptyCell = 4.0 // a column is at least this wide
	mostCols  = 21  // of emptyCell and gutter fill the page

	shortTable = (bottom - top) / 3 // a table this low is not cut
)

// tabular is how a table is set.
type tabular struct {
	style
	gutter float64 // between columns, in millimetres
}

// A table is dense where that keeps words whole, or every cell on one line.
var (
	roomy = tabular{tableStyle, 4}
	dense = tabular{style{7.5, 3.8, figure.Ink, false}, 2.8}
)

// fit is how well text fits its columns.
type fit int

const (
	unbroken fit = iota // every cell is one line
	wrapped             // between words
	torn                // within words
)

// cell is one cell of a table.
type cell struct {
	words []word
	align extast.Alignment
}

// table sets a table: no more than hairlines, the header row again on every
// page, no row cut that fits on a page, and no short table at all.
func (b *builder) table(t *extast.Table, a area) {
	as := roomy
	rows := b.cells(t, as)
	if len(rows) == 0 || len(rows[0]) == 0 {
		return
	}
	if n := len(b.strips); n > 0 && introduces(t.PreviousSibling()) {
		b.strips[n-1].keep = true
	}
	b.space(blockGap)
	if len(rows[0]) > mostCols || a.w < textWidth/2 {
		b.rowsAsText(rows, a)
		return
	}
	cols, fit := as.columns(rows, a.w)
	if fit != unbroken {
		tight := b.cells(t, dense)
		if c, f := dense.columns(tight, a.w); fit == torn || f == unbroken {
			as, rows, cols = dense, tight, c
		}
	}
	header := stack(as.row(rows[0], cols, a.x, figure.Muted))
	header.keep = true
	first := len(b.strips)
	b.emit(header)
	var again *strip
	if header.height < (bottom-top)/4 {
		again = &header
	}
	room := bottom - top - header.height
	for i, cells := range rows[1:] {
		r := as.row(cells, cols, a.x, figure.Hairline)
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
	if body := b.strips[first:]; height(body) <= shortTable {
		for i := range body[:len(body)-1] {
			body[i].keep = true
		}
	}
	b.space(blockGap + 0.8)
}

// introduces reports whether n is a paragraph between a heading and a table,
// which stays with both.
func introduces(n ast.Node) bool {
	if n == nil || n.Kind() != ast.KindParagraph {
		return false
	}
	before := n.PreviousSibling()
	return before != nil && before.Kind() == ast.KindHeading
}

// cells reads the rows of t, the header first.
func (b *builder) cells(t *extast.Table, as tabular) [][]cell {
	var rows [][]cell
	for r := t.FirstChild(); r != nil; r = r.NextSibling() {
		st := as.style
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
	return rows
}

// rowsAsText sets a table that has more columns than a page can hold.
func (b *builder) rowsAsText(rows [][]cell, a area) {
	bar := tableStyle.words([]span{{text: " |"}})
	for _, cells := range rows {
		var all []word
		for i, c := range cells {
			if i > 0 {
				all = append(all, bar...)
				if len(c.words) > 0 {
					c.words[0].gap = bar[0].gap
				}
			}
			all = append(all, c.words...)
		}
		for _, l := range fill(all, a.w) {
			b.emit(strip{height: tableStyle.leading, ops: l.ops(a.x, 0, tableStyle)})
		}
		b.space(itemGap)
	}
	b.space(blockGap)
}

// stack joins strips into one that is never cut.
func stack(strips []strip) strip {
	var all strip
	for _, s := range strips {
		for _, op := range s.ops {
			all.ops = append(all.ops, op.shift(0, all.height))
		}
		all.height += s.height
	}
	return all
}

func height(strips []strip) float64 {
	var all float64
	for _, s := range strips {
		all += s.height
	}
	return all
}

// row sets cells as strips, one for each line, and a rule below.
func (as tabular) row(cells []cell, cols []float64, x float64, rule figure.Class) []strip {
	strips := []strip{{height: as.leading + 2*rowPad}}
	at := x
	for i, c := range cells {
		width := cols[i] - as.gutter
		for k, l := range fill(c.words, width) {
			if k == len(strips) {
				strips[k-1].height -= rowPad
				strips = append(strips, strip{height: as.leading + rowPad})
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
			strips[k].ops = append(strips[k].ops, l.ops(at+dx, y, as.style)...)
		}
		at += cols[i]
	}
	last := &strips[len(strips)-1]
	last.ops = append(last.ops, Rule{x, last.height, at - as.gutter, last.height, 0.15, rule, Solid})
	return strips
}

// columns shares width out to the columns, each with its gutter. Where all fits
// on one line, every column is as wide as its text. Else each gets what its
// longest unbroken part needs; what is left first spares narrow columns broken
// words, then broken lines (of the header last), and then goes by how much text
// waits.
func (as tabular) columns(rows [][]cell, width float64) ([]float64, fit) {
	var (
		gutter  = as.gutter
		n       = len(rows[0])
		least   = make([]float64, n) // widest part of a word
		whole   = make([]float64, n) // widest word
		body    = make([]float64, n) // widest line below the header
		natural = make([]float64, n) // widest line
		avail   = width + gutter     // the last gutter hangs over
		share   = avail / float64(n)
	)
	for r, row := range rows {
		for i, c := range row {
			var line float64
			for k, w := range c.words {
				if w.hard {
					line = 0
				} else if k > 0 {
					line += w.gap.w
				}
				line += w.w
				natural[i] = max(natural[i], line+gutter)
				if r > 0 {
					body[i] = max(body[i], line+gutter)
				}
				whole[i] = max(whole[i], w.w+gutter)
				least[i] = max(least[i], min(w.widestAtom(), wideAtom)+gutter)
			}
		}
	}
	for i := range least {
		least[i] = max(least[i], emptyCell+gutter)
		whole[i] = max(whole[i], least[i])
		body[i] = max(body[i], least[i])
		natural[i] = max(natural[i], least[i])
	}
	rest := avail - sum(least)
	switch {
	case sum(natural) <= avail:
		return natural, unbroken
	case rest <= 0:
		return squeeze(least, avail), torn
	}
	how := wrapped
	if sum(whole) > avail {
		how = torn
	}
	rest = raise(least, whole, 1.2*share, rest)
	rest = raise(least, body, share, rest)
	rest = raise(least, natural, 0.8*share, rest)
	if waiting := sum(natural) - sum(least); waiting > 0 {
		for i := range least {
			least[i] += rest * (natural[i] - least[i]) / waiting
		}
	}
	return least, how
}

// raise lifts columns to what they want, the most modest first, as long as that
// is no more than limit and takes no more than half of the rest. It returns the
// new rest.
func raise(cols, want []float64, limit, rest float64) float64 {
	order := make([]int, len(cols))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(want[a], want[b]) })
	for _, i := range order {
		if more := want[i] - cols[i]; want[i] <= limit && more <= rest/2 {
			cols[i] += more
			rest -= more
		}
	}
	return rest
}

func sum(widths []float64) float64 {
	var all float64
	for _, w := range widths {
		all += w
	}
	return all
}

// squeeze cuts the widest columns down to a common width so that all fit.
// Words are then broken between letters.
func squeeze(least []float64, avail float64) []float64 {
	lo, hi := 0.0, avail
	for range 40 { // halving: far below a hundredth of a millimetre
		limit := (lo + hi) / 2
		var all float64
		for _, w := range least {
			all += min(w, limit)
		}
		if all > avail {
			hi = limit
		} else {
			lo = limit
		}
	}
	for i := range least {
		least[i] = min(least[i], lo)
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
