package pdf

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"

	"hwcap/render/figure"
	"hwcap/render/typeface"
)

// builder turns blocks of Markdown into strips.
type builder struct {
	doc      Document
	src      []byte
	anchors  map[string]bool // targets that exist
	headings []heading       // chapters and findings, in order
	strips   []strip

	gap    float64  // wanted above the next strip
	marks  []Op     // anchors and bookmarks for the top of the next strip
	titled bool     // the title block is done
	next   int      // headings seen so far
	panels []*panel // what the next strip stands on
}

// heading is a chapter (level 2) or a finding (level 3).
type heading struct {
	level  int
	spans  []span
	anchor string
}

// area is the column that a block stands in, in millimetres.
type area struct{ x, w float64 }

// text is how wide running text may be in a.
func (a area) text() float64 { return min(a.x+a.w, left+measure) - a.x }

// indented returns a without its first by millimetres. What is nested so deeply
// that no column would be left is not indented further.
func (a area) indented(by float64) area {
	if a.w-by < narrowest {
		return a
	}
	return area{a.x + by, a.w - by}
}

// narrowest is the least width of a column of text, in millimetres.
const narrowest = 60

// gaps between blocks, in millimetres.
const (
	blockGap   = 2.6
	itemGap    = 0.9
	chapterGap = 11
	findingGap = 7
	minorGap   = 4.5
	underGap   = 2.4 // below a heading
)

// markdown is CommonMark with tables: no bare addresses become links.
var markdown = goldmark.New(goldmark.WithExtensions(extension.Table))

// build reads doc's Markdown.
func build(doc Document) []strip {
	b := &builder{doc: doc, src: doc.Markdown, anchors: map[string]bool{}}
	root := markdown.Parser().Parse(text.NewReader(b.src))
	b.survey(root)
	b.blocks(root, area{left, textWidth}, bodyStyle)
	keepHeadings(b.strips)
	keepEnd(b.strips)
	needHeadings(b.strips)
	return b.strips
}

// survey collects anchors, which decide what links are live, and then headings.
func (b *builder) survey(root ast.Node) {
	var found []*ast.Heading
	_ = ast.Walk(root, func(n ast.Node, entering bool) (ast.WalkStatus, error) { // never fails: the walker does not
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.HTMLBlock:
			for _, name := range b.anchorsOf(n) {
				b.anchors[name] = true
			}
		case *ast.RawHTML:
			if name := anchorOf(string(n.Segments.Value(b.src))); name != "" {
				b.anchors[name] = true
			}
		case *ast.Heading:
			if n.Level == 2 || n.Level == 3 {
				found = append(found, n)
			}
		}
		return ast.WalkContinue, nil
	})
	for i, h := range found {
		// "§" cannot stand in an anchor of the Markdown.
		b.headings = append(b.headings, heading{h.Level, badge(b.inline(h, look{})), fmt.Sprintf("§%d", i+1)})
	}
}

// anchorsOf returns the anchors of an HTML block, one a line.
func (b *builder) anchorsOf(n *ast.HTMLBlock) []string {
	var names []string
	for line := range strings.Lines(string(n.Lines().Value(b.src))) {
		if name := anchorOf(line); name != "" {
			names = append(names, name)
		}
	}
	return names
}

// emit adds a strip below the last one.
func (b *builder) emit(s strip) {
	s.gap = max(s.gap, b.gap)
	s.panels = append([]*panel{}, b.panels...)
	s.ops = append(append([]Op{}, b.marks...), s.ops...)
	b.gap, b.marks = 0, nil
	b.strips = append(b.strips, s)
}

// space asks for a gap above the next strip; the widest wish wins.
func (b *builder) space(gap float64) { b.gap = max(b.gap, gap) }

// blocks lays out the children of n.
func (b *builder) blocks(n ast.Node, a area, st style) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		switch c := c.(type) {
		case *ast.Heading:
			b.heading(c, a)
		case *ast.Paragraph:
			b.paragraph(c, a, st)
		case *ast.TextBlock:
			b.text(b.withPages(badge(b.inline(c, look{}))), a, st)
		case *ast.List:
			b.list(c, a, st)
		case *ast.Blockquote:
			b.quote(c, a, st)
		case *ast.FencedCodeBlock:
			b.code(string(c.Lines().Value(b.src)), a)
		case *ast.CodeBlock:
			b.code(string(c.Lines().Value(b.src)), a)
		case *extast.Table:
			b.table(c, a)
		case *ast.ThematicBreak:
			b.space(blockGap + 1)
			b.emit(strip{height: 0.3, ops: []Op{Rule{a.x, 0.1, a.x + a.w, 0.1, 0.15, figure.Hairline, Solid}}})
			b.space(blockGap + 1)
		case *ast.HTMLBlock:
			if strings.TrimSpace(string(c.Lines().Value(b.src))) == "<!-- toc -->" {
				b.contents(a)
			}
			for _, name := range b.anchorsOf(c) {
				b.marks = append(b.marks, Anchor{0, name})
			}
		}
	}
}

// text sets spans as lines. A page neither ends with a paragraph's first line
// nor begins with its last.
func (b *builder) text(spans []span, a area, st style) {
	lines := fill(st.words(spans), a.text())
	for i, l := range lines {
		last := len(lines) - 1
		b.emit(strip{
			height: st.leading,
			ops:    l.ops(a.x, 0, st),
			keep:   i < last && (i == 0 || i == last-1),
		})
	}
}

func (b *builder) paragraph(p *ast.Paragraph, a area, st style) {
	spans := badge(b.inline(p, look{}))
	if plain(spans) == "" { // anchors, which belong to what comes next
		for _, s := range spans {
			if s.anchor != "" {
				b.marks = append(b.marks, Anchor{0, s.anchor})
			}
		}
		return
	}
	b.space(blockGap)
	if !b.figure(p, a) {
		first := len(b.strips)
		b.text(b.withPages(spans), a, st)
		if b.byline(p) {
			for i := first; i < len(b.strips); i++ {
				b.strips[i].keep, b.strips[i].head = true, true
			}
		}
		// What ends in a colon announces what follows and stays with it.
		if p.NextSibling() != nil && strings.HasSuffix(plain(spans), ":") {
			b.strips[len(b.strips)-1].keep = true
		}
	}
	b.space(blockGap)
}

// byline reports whether p is a line below a heading that begins with a code
// span: the rule and its subjects, which belong to the heading.
func (b *builder) byline(p *ast.Paragraph) bool {
	h, below := p.PreviousSibling().(*ast.Heading)
	return below && h.Level == 3 && p.NextSibling() != nil && p.FirstChild().Kind() == ast.KindCodeSpan
}

// heading sets a heading; the document's first "#" becomes the title block.
func (b *builder) heading(h *ast.Heading, a area) {
	if h.Level == 1 && !b.titled {
		b.titled = true
		b.title(h, a)
		return
	}
	st, gap, need := minorStyle, float64(minorGap), 0.0
	switch h.Level {
	case 1, 2:
		st, gap, need = chapterStyle, chapterGap, 45
	case 3:
		st, gap, need = findingStyle, findingGap, 25
	}
	spans := badge(b.inline(h, look{}))
	if h.Level == 2 || h.Level == 3 {
		mark := b.headings[b.next]
		b.next++
		b.marks = append(b.marks, Anchor{0, mark.anchor}, Bookmark{0, h.Level - 2, typeface.Clean(plain(spans))})
	}
	b.space(gap)
	first := len(b.strips)
	b.text(spans, a, st)
	if len(b.strips) == first {
		return // an empty heading
	}
	if h.Level <= 2 {
		b.emit(strip{height: 1.4, ops: []Op{Rule{a.x, 1.2, a.x + a.w, 1.2, 0.2, figure.Hairline, Solid}}})
	}
	for i := first; i < len(b.strips); i++ {
		b.strips[i].keep, b.strips[i].head = true, true
	}
	b.strips[first].need, b.strips[first].opens = need, h.Level <= 2
	b.space(underGap)
}

// title sets the title block: the heading, the paragraph after it, a line.
func (b *builder) title(h *ast.Heading, a area) {
	b.text(b.inline(h, look{}), a, titleStyle)
	if p, ok := h.NextSibling().(*ast.Paragraph); ok {
		b.space(1.6)
		b.text(b.inline(p, look{}), a, leadStyle)
		p.Parent().RemoveChild(p.Parent(), p)
	}
	b.space(3)
	b.emit(strip{height: 0.6, ops: []Op{Rule{a.x, 0.3, a.x + a.w, 0.3, 0.5, figure.Accent, Solid}}})
	b.space(5)
}

// quote sets a block quotation, with a bar along its side.
func (b *builder) quote(q *ast.Blockquote, a area, st style) {
	b.space(blockGap)
	b.panels = append(b.panels, &panel{x: a.x + 0.5, w: 0.7, fill: figure.Hairline})
	inner := st
	inner.class = figure.Muted
	b.flushGap(func() { b.blocks(q, a.indented(indent), inner) })
	b.panels = b.panels[:len(b.panels)-1]
	b.space(blockGap)
}

// flushGap runs f, whose first block adds no gap of its own to the one that is
// wanted already.
func (b *builder) flushGap(f func()) {
	gap, first := b.gap, len(b.strips)
	f()
	if first < len(b.strips) {
		b.strips[first].gap = gap
	}
}

func (b *builder) list(l *ast.List, a area, st style) {
	depth := 0
	for p := l.Parent(); p != nil; p = p.Parent() {
		if p.Kind() == ast.KindList {
			depth++
		}
	}
	outer := float64(blockGap)
	if depth > 0 && l.IsTight {
		outer = itemGap
	}
	between := float64(itemGap)
	if !l.IsTight {
		between = blockGap
	}
	b.space(outer)
	number := l.Start
	var starts []int // of the items
	for item := l.FirstChild(); item != nil; item = item.NextSibling() {
		marker := span{text: bullets[depth%len(bullets)], look: look{class: figure.Muted}}
		if l.IsOrdered() {
			marker.text = fmt.Sprintf("%d%c", number, l.Marker)
			number++
		}
		starts = append(starts, len(b.strips))
		b.item(item, marker, a, st)
		b.gap = 0
		b.space(between)
	}
	b.gap = 0
	b.space(outer)
	// No page begins or ends with a list's only item of one or two lines.
	const short = 2
	if n := len(starts); n > 1 {
		if starts[1]-starts[0] <= short {
			b.strips[starts[1]-1].keep = true
		}
		if last := starts[n-1]; len(b.strips)-last <= short {
			b.strips[last-1].keep = true
		}
	}
}

var bullets = []string{"•", "–", "·"}

// item sets one item of a list beside its marker. A badge or a check box takes
// the marker's place.
func (b *builder) item(item ast.Node, marker span, a area, st style) {
	by := indent
	if w := typeface.Sans.Width(marker.text+" ", st.size) + 0.8; w > by {
		by = w
	}
	first := len(b.strips)
	b.flushGap(func() {
		if head := item.FirstChild(); head != nil && (head.Kind() == ast.KindTextBlock || head.Kind() == ast.KindParagraph) {
			spans := badge(b.inline(head, look{}))
			spans, marker = instead(spans, marker)
			b.text(b.withPages(spans), a.indented(by), st)
			if head.Kind() == ast.KindParagraph {
				b.space(blockGap)
			}
			item.RemoveChild(item, head)
		}
		b.blocks(item, a.indented(by), st)
	})
	if first == len(b.strips) {
		b.emit(strip{height: st.leading})
	}
	s := &b.strips[first]
	if inner := a.indented(by); inner.x > a.x {
		s.ops = append(line{pieces: st.pieces(marker.look, marker.text)}.ops(a.x, 0, st), s.ops...)
	}
}

// instead takes a badge's shape or a check box off the start of spans, to stand
// in the margin for the marker.
func instead(spans []span, marker span) ([]span, span) {
	if len(spans) == 0 {
		return spans, marker
	}
	head := &spans[0]
	for _, box := range [...][2]string{{"[ ] ", "☐"}, {"[x] ", "☑"}, {"[X] ", "☑"}} {
		if rest, ok := strings.CutPrefix(head.text, box[0]); ok {
			head.text = rest
			return spans, span{text: box[1], look: look{class: figure.Ink}}
		}
	}
	r, n := utf8.DecodeRuneInString(head.text)
	if head.class == figure.None || figure.ShapeClass(r) != head.class {
		return spans, marker
	}
	shape := span{text: head.text[:n], look: head.look}
	head.text = strings.TrimPrefix(head.text[n:], string(nbsp))
	if head.text == "" && len(spans) > 1 {
		spans[1].text = strings.TrimPrefix(spans[1].text, " ")
	}
	return spans, shape
}
