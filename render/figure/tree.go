package figure

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"hwcap/parse/fact"
	"hwcap/parse/judge"
	"hwcap/render/device"
)

// The tree's measures, in millimetres; a row is one link.
const (
	treeWidth  = 170.0
	treeMost   = 230.0 // a scene is no higher
	treeFoot   = 3.0   // below the last row
	mostTrees  = 6     // scenes with rows
	boxHeight  = 9.6
	rowGap     = 4.0
	rootGap    = 1.0   // more between root ports
	headHeight = 8.0   // column headings
	rootLeft   = 0.3   // left edge of a root port's box: half its border would be cut off
	portRight  = 52.0  // right edge of the port's box
	lowerLeft  = 114.0 // left edge of the lower device's box
	lowerRight = 167.0
	wireInset  = 3.0 // between a box and the text at the link
	step       = 6.0 // indentation of a switch's ports
	deepest    = 5   // further levels are not indented
	smallest   = 7.0 // points
	nextLine   = 3.3 // from one line of a name to the next
)

// row is one line of the drawing.
type row struct {
	hop    *hop
	depth  int
	parent int     // row whose switch this row's port belongs to, -1 for a root port
	links  int     // that it stands for
	last   int     // last row below this one's switch; itself where there is none
	box    float64 // height of its boxes
	height float64 // with the notes below
	y      float64 // in its scene
	scene  int
}

// Tree draws the PCIe links of m: for each root port with something below, a
// row a link, with what both ends can do and what they negotiated. The
// narrowest hop of a path is thicker, and named where a finding says that it is
// a bottleneck; links with findings carry the severity's shape and lead to the
// anchor "f-N" of the N-th finding (from 1), ports with nothing behind are
// dashed, and a dashed frame holds what is on one card or behind one switch.
// Alike neighbours fold into one row, ports without a device into a list, and
// devices without a link into a count, as do links after the sixth scene.
//
// The findings must be those of the report, in its order. lang is "de" or "en",
// kind says in it what a device without a driver is.
// A scene is 170 mm wide and at most 230 mm high; a machine without PCIe links
// gives none.
func Tree(m *fact.Machine, findings []judge.Finding, lang string, kind func(*fact.Device) string) []*Scene {
	say, ok := spoken[lang]
	if !ok {
		lang, say = "en", spoken["en"]
	}
	f := grow(m, findings)
	if len(f.roots) == 0 {
		return nil
	}
	t := &tree{forest: f, say: say, lang: lang, kindOf: kind}
	if !t.draw() {
		// What has findings must not be among what finds no page.
		slices.SortStableFunc(f.roots, func(a, b *hop) int { return cmp.Compare(b.worst(), a.worst()) })
		t.draw()
	}
	t.rest()
	for i, s := range t.scenes {
		s.Title = say.title
		if len(t.scenes) > 1 {
			s.Title += ", " + fmt.Sprintf(say.of, i+1, len(t.scenes))
		}
		s.Desc = t.describe(i)
	}
	return t.scenes
}

// draw draws the rows, as far as they find a page, and reports whether all did.
func (t *tree) draw() bool {
	t.rows, t.scenes, t.left = nil, nil, 0
	for _, root := range t.roots {
		t.rows = append(t.rows, flatten(root, 0, -1, len(t.rows), 1)...)
	}
	for first := 0; first < len(t.rows); {
		if len(t.scenes) == mostTrees {
			for _, r := range t.rows[first:] {
				if r.hop.lower != nil {
					t.left += r.links
				}
			}
			t.rows = t.rows[:first]
			return false
		}
		first = t.page(first)
	}
	return true
}

// flatten returns the rows of h and of all below; at is the index of the first,
// times how often the switch above is there.
func flatten(h *hop, depth, parent, at, times int) []row {
	rows := []row{{hop: h, depth: min(depth, deepest), parent: parent, box: boxHeight, links: times * (1 + len(h.same))}}
	if h.lower != nil && len(name(h.lower, 0, 0)) > 1 {
		rows[0].box += nextLine
	}
	rows[0].height = rows[0].box
	if len(h.same) > 0 || len(h.behind) > 0 {
		rows[0].height += 3.6
	}
	for _, b := range h.below {
		rows = append(rows, flatten(b, depth+1, at, at+len(rows), rows[0].links)...)
	}
	rows[0].last = at + len(rows) - 1
	return rows
}

// tree draws the rows into scenes.
type tree struct {
	*forest
	say    phrases
	lang   string
	kindOf func(*fact.Device) string
	rows   []row
	left   int // links without a row, as there are too many
	scenes []*Scene
	scene  *Scene
}

func (t *tree) add(items ...Item) { t.scene.Items = append(t.scene.Items, items...) }

// begin starts a scene.
func (t *tree) begin() {
	t.scene = &Scene{Width: treeWidth, Height: 1}
	t.scenes = append(t.scenes, t.scene)
}

// page draws the rows from first on that fit into a scene and returns the next.
// A root port's rows stay together where a scene can hold them.
func (t *tree) page(first int) int {
	t.begin()
	y := headHeight
	end := first
	most := treeMost - treeFoot
	if len(t.scenes) == mostTrees {
		most -= 9 // for the counts, if more rows are left
	}
	for end < len(t.rows) {
		need := t.gap(end, first)
		for i := end; i <= t.rows[end].last; i++ {
			need += t.rows[i].height + rowGap
		}
		whole := t.rows[end].parent < 0 && headHeight+need <= most
		r := &t.rows[end]
		if y+t.gap(end, first)+r.height > most || whole && end > first && y+need > most+rowGap {
			break
		}
		y += t.gap(end, first)
		r.y, r.scene = y, len(t.scenes)-1
		y += r.height
		end++
	}
	if end == first { // not reached: a row is far lower than a scene
		end++
	}
	t.scene.Height = y + treeFoot
	t.heading()
	for i := first; i < end; i++ {
		t.frame(i, first, end)
	}
	for i := first; i < end; i++ {
		t.rails(i, first, end)
	}
	for i := first; i < end; i++ {
		t.row(t.rows[i])
	}
	return end
}

// gap is the space above row i on a page that begins with first.
func (t *tree) gap(i, first int) float64 {
	switch {
	case i == first:
		return 2.5
	case t.rows[i].parent < 0:
		return rowGap + rootGap
	}
	return rowGap
}

// heading names the columns.
func (t *tree) heading() {
	head := Label{Y: 3.4, Size: smallest, Class: Muted}
	for _, c := range []struct {
		x    float64
		text string
		at   Anchor
		bold bool
	}{
		{rootLeft + 2, t.say.port, Start, false},
		{portRight + wireInset, t.say.upper, Start, false},
		{(portRight + lowerLeft) / 2, t.say.now, Middle, true},
		{lowerLeft - wireInset, t.say.lower, End, false},
		{lowerLeft + 2, t.say.device, Start, false},
	} {
		head.X, head.Text, head.Anchor, head.Bold = c.x, c.text, c.at, c.bold
		t.add(head)
	}
	t.add(Line{0, 5.2, treeWidth, 5.2, 0.15, Hairline, false})
}

func (r row) portLeft() float64 { return rootLeft + float64(r.depth)*step }
func (r row) middle() float64   { return r.y + r.box/2 }

// row draws a port, its link, and what is below.
func (t *tree) row(r row) {
	h := r.hop
	to := ""
	if h.finding >= 0 {
		to = fmt.Sprintf("#f-%d", h.finding+1)
	}
	slot := Label{X: r.portLeft() + 2, Size: smallest + 0.5, Class: Ink, Text: t.slotOf(h)}
	t.box(Rect{X: r.portLeft(), Y: r.y, W: portRight - r.portLeft(), H: r.box, Dashed: h.lower == nil},
		t.address(h.upper.Address), t.kind(h.upper), []Label{slot.Fit(portRight - r.portLeft() - 3.5)})
	if h.lower == nil {
		t.add(
			Line{portRight, r.middle(), lowerLeft, r.middle(), 0.3, Muted, true},
			Rect{X: lowerLeft, Y: r.y, W: lowerRight - lowerLeft, H: r.box, Border: Muted, Stroke: 0.2, Dashed: true},
			Label{X: lowerLeft + 2, Y: r.middle() + 0.9, Text: t.vacancy(h.upper), Size: smallest + 0.5, Class: Muted},
		)
	} else {
		more := ""
		if h.also > 0 {
			more = " · " + fmt.Sprintf(t.say.functions, h.also+1)
		}
		kind := t.kind(h.lower)
		if h.lower.Driver != "" && len(h.below) == 0 {
			kind = h.lower.Driver
		}
		t.box(Rect{X: lowerLeft, Y: r.y, W: lowerRight - lowerLeft, H: r.box, Link: to},
			t.address(h.lower.Address), kind+more, name(h.lower, lowerLeft+2, 0))
	}
	t.wire(r, to)
	t.notes(r)
}

// name is what texts call d too, at x in one line or two.
func name(d *fact.Device, x, y float64) []Label {
	l := Label{X: x, Y: y, Size: smallest + 0.5, Class: Ink, Text: device.Short(d)}
	return l.Wrap(lowerRight-lowerLeft-3.5, nextLine, 2)
}

// box draws a device: address and kind, and the lines of its name below.
func (t *tree) box(border Rect, address, kind string, name []Label) {
	border.Fill, border.Border, border.Stroke = Panel, Muted, 0.2
	if border.Dashed {
		border.Fill = Paper
	}
	if name[0].Text == "" {
		name = nil
	}
	// The lines stand in the middle of the box.
	first := border.Y + (border.H-float64(len(name))*nextLine)/2 + 0.9
	if len(name) > 0 {
		first -= 0.2
	}
	a := Label{X: border.X + 2, Y: first, Text: address, Size: 8, Mono: true, Bold: true, Class: Ink}
	at := a.X + a.Room() + 2
	t.add(border, a, Label{X: at, Y: first, Text: kind, Size: smallest + 0.5, Class: Muted}.Fit(border.X+border.W-at-1.5))
	for i, l := range name {
		l.Y = first + 0.6 + float64(i+1)*nextLine
		t.add(l)
	}
}

// wire draws the link between the boxes of a row: what both ends can do near
// them, what they agreed on in the middle.
func (t *tree) wire(r row, to string) {
	h := r.hop
	now, up, low := h.negotiated(), capability(h.upper), capability(h.lower)
	if h.lower == nil {
		text := speed(up, t.lang)
		if up == nil {
			return
		}
		t.add(Label{X: portRight + wireInset, Y: r.middle() - 1.1, Text: text, Size: smallest, Class: Muted},
			Label{X: (portRight + lowerLeft) / 2, Y: r.middle() - 1.1, Text: t.untrained(h.upper, now), Size: smallest, Bold: true, Class: Ink, Anchor: Middle})
		return
	}
	line := Line{portRight, r.middle(), lowerLeft, r.middle(), 0.35, Ink, false}
	class := Ink
	switch {
	case h.bottleneck != "":
		line.Stroke, line.Class, class = 0.9, Accent, Accent
	case h.least && !t.guest:
		line.Stroke = 0.6
	}
	t.add(line)
	over := Label{Y: r.middle() - 1.3, Size: smallest, Class: Ink}
	if now == nil && up == nil && low == nil {
		over.X, over.Anchor, over.Text, over.Class = (portRight+lowerLeft)/2, Middle, t.silent(h), Muted
		t.add(over)
		return
	}
	for _, c := range []struct {
		x    float64
		link *fact.Link
		at   Anchor
	}{{portRight + wireInset, up, Start}, {(portRight + lowerLeft) / 2, now, Middle}, {lowerLeft - wireInset, low, End}} {
		l := over
		l.X, l.Anchor, l.Text = c.x, c.at, speed(c.link, t.lang)
		if l.Bold = c.at == Middle; l.Bold {
			l.Size, l.Class = 8, class
		}
		t.add(l)
	}
	under := Label{Y: r.middle() + 3.6, Size: smallest + 0.5, Bold: true}
	if h.bottleneck != "" {
		under.X, under.Text, under.Class = portRight+wireInset, t.say.narrow[h.bottleneck], Accent
		t.add(under)
	}
	if h.finding >= 0 {
		under.X, under.Anchor, under.Class, under.Link = lowerLeft-wireInset, End, h.class, to
		under.Text = h.class.Shape() + " " + t.say.marks[h.class]
		t.add(under)
	}
}

// notes says below the boxes what a row stands for besides.
func (t *tree) notes(r row) {
	note := Label{Y: r.y + r.box + 2.9, Size: smallest, Class: Muted}
	if len(r.hop.same) > 0 {
		note.X, note.Text = r.portLeft(), fmt.Sprintf(t.say.same, t.list(r.hop.same, lowerLeft-r.portLeft()-22))
		t.add(note.Fit(lowerLeft - r.portLeft() - 4))
	}
	if len(r.hop.behind) > 0 {
		var names []string
		for _, d := range r.hop.behind {
			names = append(names, d.Address)
		}
		note.X, note.Text = lowerLeft, fmt.Sprintf(t.say.also, t.list(names, lowerRight-lowerLeft-15))
		t.add(note.Fit(lowerRight - lowerLeft))
	}
}

// list writes addresses as far as width millimetres allow, and counts the rest.
func (t *tree) list(addresses []string, width float64) string {
	room := func(s string) float64 { return Label{Text: s, Size: smallest}.Room() }
	width -= room(" " + fmt.Sprintf(t.say.more, len(addresses)))
	var b strings.Builder
	for i, a := range addresses {
		next := t.address(a)
		if i > 0 {
			next = ", " + next
		}
		if width -= room(next); width < 0 && i > 0 {
			return b.String() + " " + fmt.Sprintf(t.say.more, len(addresses)-i)
		}
		b.WriteString(next)
	}
	return b.String()
}
