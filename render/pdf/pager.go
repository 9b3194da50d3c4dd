package pdf

import (
	"slices"

	"hwcap/render/figure"
)

// strip is a piece of a page's height that is never cut. Its operations stand
// relative to its upper edge.
type strip struct {
	height float64
	gap    float64 // above it; dropped at the top of a page
	ops    []Op
	keep   bool     // no page break between this strip and the next
	head   bool     // part of a heading
	need   float64  // this much room wanted from its upper edge on, or a new page
	panels []*panel // what it stands on, outermost first
	repeat *strip   // set again when this strip begins a page: a table's header
	opens  bool     // begins a chapter
	figure bool     // a picture, or a line of its caption
}

// panel is a background that spans strips: behind evidence, or a quotation's
// bar. It is drawn once for each page that it touches.
type panel struct {
	x, w float64
	fill figure.Class
	pad  float64 // above the first and below the last strip
}

// keepHeadings makes each heading stay with what follows it, two lines of it
// where these are text.
func keepHeadings(strips []strip) {
	const low = 12 // a strip this low is a line; a picture is enough by itself
	for i := 0; i+2 < len(strips); i++ {
		if strips[i].head && !strips[i+1].head && strips[i+1].height < low && !strips[i+2].head {
			strips[i+1].keep = true
		}
	}
}

// keepEnd lets no page begin with less than the last eight lines, as far as they
// are of one section and no picture.
func keepEnd(strips []strip) {
	for i := len(strips) - 2; i >= max(0, len(strips)-8) && !strips[i].head && !strips[i].figure; i-- {
		strips[i].keep = true
	}
}

// needHeadings lets no chapter want more room than all of it takes.
func needHeadings(strips []strip) {
	for i, s := range strips {
		if !s.opens {
			continue
		}
		chapter := strips[i:]
		if next := slices.IndexFunc(chapter[1:], func(s strip) bool { return s.opens }); next >= 0 {
			chapter = chapter[:next+1]
		}
		strips[i].need = min(s.need, total(chapter)-s.gap)
	}
}

// pager deals strips out to pages.
type pager struct {
	pages []Page
	y     float64
	start float64 // where text begins on the page: at its top, or below pictures that floated
	wait  []strip // pictures that float
	hold  bool    // they do not land: what comes next is evidence
	open  []standing
	under []Op // panels of the page, drawn first
	over  []Op
}

// standing is a panel that has begun on the page and not yet ended.
type standing struct {
	*panel
	from  float64
	order int // its place among the page's panels
}

// paginate returns the pages of strips. Strips that hold together go to the
// next page together, unless they are more than a page.
func paginate(strips []strip) []Page {
	p := &pager{y: top, start: top}
	for len(strips) > 0 {
		for strips[0].opens && len(p.wait) > 0 {
			p.turn() // a picture does not leave its chapter
		}
		if at, end, ok := p.floats(strips); ok {
			strips = p.float(strips, at, end)
			continue
		}
		n := together(strips)
		p.hold = evidence(strips[:n])
		p.group(strips[:n])
		if strips = strips[n:]; p.hold && (len(strips) == 0 || len(strips[0].panels) == 0) {
			p.settle()
		}
		p.hold = false
	}
	for len(p.wait) > 0 {
		p.turn()
	}
	p.end()
	return p.pages
}

// together returns how many of the first strips hold together.
func together(strips []strip) int {
	n := 1
	for n < len(strips) && strips[n-1].keep {
		n++
	}
	return n
}

func (p *pager) group(g []strip) {
	height := 0.0
	for i, s := range g {
		height += s.height + padding(g, i)
		if i > 0 || p.y > p.start {
			height += s.gap
		}
	}
	full := height - g[0].gap
	if g[0].repeat != nil {
		full += g[0].repeat.height
	}
	fits := full <= bottom-top
	for p.y > top && (fits && p.y+height > bottom || p.y+g[0].gap+g[0].need > bottom) {
		p.turn()
	}
	for _, s := range g {
		p.strip(s)
	}
}

// padding is what the panels that end within the group add.
func padding(g []strip, i int) float64 {
	var sum float64
	for _, pan := range g[i].panels {
		if i == 0 || !has(g[i-1].panels, pan) {
			sum += pan.pad
		}
		if i == len(g)-1 || !has(g[i+1].panels, pan) {
			sum += pan.pad
		}
	}
	return sum
}

func has(panels []*panel, p *panel) bool {
	for _, q := range panels {
		if p == q {
			return true
		}
	}
	return false
}

func (p *pager) strip(s strip) {
	p.close(s.panels)
	for p.y > top && p.y+s.gap+s.height > bottom+epsilon {
		p.turn()
	}
	if p.y > p.start {
		p.y += s.gap
	}
	if p.y == p.start && s.repeat != nil {
		p.draw(*s.repeat)
	}
	for _, pan := range s.panels[len(p.open):] {
		p.open = append(p.open, standing{pan, p.y, len(p.under)})
		p.under = append(p.under, nil) // its place in the drawing order
		p.y += pan.pad
	}
	p.draw(s)
}

func (p *pager) draw(s strip) {
	for _, op := range s.ops {
		p.over = append(p.over, op.shift(0, p.y))
	}
	p.y += s.height
}

// close ends the panels that are not in keep.
func (p *pager) close(keep []*panel) {
	for n := len(p.open); n > 0; n-- {
		last := p.open[n-1]
		if n <= len(keep) && keep[n-1] == last.panel {
			return
		}
		p.y += last.pad
		p.paint(last)
		p.open = p.open[:n-1]
	}
}

func (p *pager) paint(s standing) {
	p.under[s.order] = Box{X: s.x, Y: s.from, W: s.w, H: p.y - s.from, Fill: s.fill}
}

// turn begins a new page; open panels go on there.
func (p *pager) turn() {
	open := p.open
	for n := len(open); n > 0; n-- {
		p.y += open[n-1].pad
		p.paint(open[n-1])
	}
	p.open = nil
	p.end()
	p.y, p.start = top, top
	if !p.hold {
		p.land()
	}
	// The strip that comes next opens its panels again.
}

// end finishes the page.
func (p *pager) end() {
	p.close(nil)
	p.pages = append(p.pages, Page{append(p.under, p.over...)})
	p.under, p.over = nil, nil
}
