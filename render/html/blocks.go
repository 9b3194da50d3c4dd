package html

import (
	"fmt"
	"html"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"

	"hwcap/render/figure"
)

// page is a report on its way to HTML.
type page struct {
	doc     Document
	words   words
	src     []byte
	out     strings.Builder
	head    string          // title block
	anchors map[string]bool // targets that exist
	heads   []heading       // chapters and findings, in order

	next    int             // headings written so far
	citing  map[string]bool // ids of evidence that was cited
	open    []string        // end tags of the sections around, outermost first
	figures int             // figures written so far
}

// heading is a chapter (level 2), or a finding or another part (level 3).
type heading struct {
	level  int
	id     string
	title  string       // HTML, with the badge of a finding
	plain  string       // text
	class  figure.Class // of a finding's badge
	word   string       // of a finding's badge
	within bool         // a chapter that holds findings
	// evidence counts the numbered lines that a finding quotes.
	evidence int
}

// backSuffix makes the id of evidence that of the first citation of it.
const backSuffix = "-by"

// longest evidence that is shown unasked, in lines.
const unfolded = 6

// markdown is CommonMark with tables: no bare addresses become links.
var markdown = goldmark.New(goldmark.WithExtensions(extension.Table))

// read makes the page of doc.
func read(doc Document) *page {
	p := &page{doc: doc, words: wordsOf(doc.Lang), src: doc.Markdown, anchors: map[string]bool{}, citing: map[string]bool{}}
	root := markdown.Parser().Parse(text.NewReader(p.src))
	p.survey(root)
	p.blocks(root)
	p.closeTo(0)
	return p
}

// anchorTag is the one raw HTML of the Markdown that means something, besides
// line breaks. The end tag is missing where it is a node of its own.
var anchorTag = regexp.MustCompile(`^\s*<a id="([A-Za-z0-9_.:-]+)">\s*(?:</a>)?\s*$`)

// tocMark is where the contents go.
const tocMark = "<!-- toc -->"

// anchorOf returns the anchor that n is and nothing else, or "".
func (p *page) anchorOf(n ast.Node) string {
	var raw string
	switch n := n.(type) {
	case *ast.HTMLBlock:
		raw = string(n.Lines().Value(p.src))
	case *ast.RawHTML:
		raw = string(n.Segments.Value(p.src))
	case *ast.Paragraph:
		if first, ok := n.FirstChild().(*ast.RawHTML); ok && p.plain(n) == "" {
			return p.anchorOf(first)
		}
	}
	if m := anchorTag.FindStringSubmatch(raw); m != nil {
		return m[1]
	}
	return ""
}

// survey collects the anchors, which decide what links are live, and then the
// headings, which the contents list.
func (p *page) survey(root ast.Node) {
	var found []*ast.Heading
	var ids []string
	evidence := map[*ast.Heading]int{}
	pending := ""
	for n := root.FirstChild(); n != nil; n = n.NextSibling() {
		if name := p.anchorOf(n); name != "" {
			p.anchors[name], pending = true, name
			continue
		}
		if code, ok := n.(*ast.FencedCodeBlock); ok && len(found) > 0 {
			evidence[found[len(found)-1]] = p.numbered(code)
		}
		h, ok := n.(*ast.Heading)
		if !ok || h.Level != 2 && h.Level != 3 {
			continue
		}
		if pending == "" {
			pending = fmt.Sprintf("h-%d", len(found)+1)
		}
		found, ids, pending = append(found, h), append(ids, pending), ""
	}
	chapter := -1
	for i, h := range found {
		class, word := p.badge(h)
		p.heads = append(p.heads, heading{level: h.Level, id: ids[i], title: p.inline(h), plain: p.plain(h), class: class, word: word})
		if class != figure.None {
			p.heads[i].evidence = evidence[h]
		}
		if h.Level == 2 {
			chapter = i
		} else if class != figure.None && chapter >= 0 {
			p.heads[chapter].within = true
		}
	}
}

// numbered counts the lines of n that begin with their own number: "[1] ".
func (p *page) numbered(n *ast.FencedCodeBlock) int {
	count := 0
	for line := range strings.Lines(string(n.Lines().Value(p.src))) {
		if !strings.HasPrefix(line, fmt.Sprintf("[%d] ", count+1)) {
			break
		}
		count++
	}
	return count
}

func (p *page) writef(format string, args ...any) { fmt.Fprintf(&p.out, format, args...) }

// closeTo ends sections until depth of them are left.
func (p *page) closeTo(depth int) {
	for len(p.open) > depth {
		p.out.WriteString(p.open[len(p.open)-1])
		p.open = p.open[:len(p.open)-1]
	}
}

// blocks writes the children of n.
func (p *page) blocks(n ast.Node) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if name := p.anchorOf(c); name != "" {
			continue // it has become the id of its heading
		}
		switch c := c.(type) {
		case *ast.Heading:
			p.heading(c)
		case *ast.Paragraph:
			if p.figure(c) || p.evidence(c) {
				continue
			}
			class := ""
			if h, ok := c.PreviousSibling().(*ast.Heading); ok && h.Level == 3 && p.heads[p.next-1].class != figure.None {
				class = ` class="about"`
			}
			p.writef("<p%s>%s</p>\n", class, p.inline(c))
		case *ast.TextBlock:
			p.out.WriteString(p.inline(c))
		case *ast.List:
			p.list(c)
		case *ast.Blockquote:
			p.out.WriteString("<blockquote>\n")
			p.blocks(c)
			p.out.WriteString("</blockquote>\n")
		case *ast.FencedCodeBlock, *ast.CodeBlock:
			p.code(c)
		case *extast.Table:
			p.table(c)
		case *ast.ThematicBreak:
			p.out.WriteString("<hr>\n")
		case *ast.HTMLBlock:
			if strings.TrimSpace(string(c.Lines().Value(p.src))) == tocMark {
				p.contents()
			}
		}
	}
}

// heading writes a heading and opens what it is the heading of. The title block
// reaches from the first "#" to the first "##".
func (p *page) heading(h *ast.Heading) {
	if h.Level != 2 && h.Level != 3 || h.Parent().Kind() != ast.KindDocument {
		p.writef("<h%d>%s</h%[1]d>\n", h.Level, p.inline(h))
		return
	}
	at := p.heads[p.next]
	p.next++
	if p.next == 1 {
		p.head = p.out.String()
		p.out.Reset()
	}
	p.closeTo(h.Level - 2)
	title := at.id + "-title"
	switch {
	case at.class != figure.None:
		p.writef(`<article class="finding %s" id="%s" aria-labelledby="%s">`+"\n"+`<h3 id="%[3]s">%[4]s <a class="here" href="#%[2]s" aria-label="%[5]s">#</a></h3>`+"\n", at.class, at.id, title, at.title, p.words.Here)
		p.open = append(p.open, "</article>\n")
	case at.within:
		p.writef(`<section class="findings" id="%s" aria-labelledby="%s">`+"\n"+`<h2 id="%[2]s">%[3]s</h2>`+"\n", at.id, title, at.title)
		p.open = append(p.open, "</section>\n")
	default:
		p.writef(`<section id="%s" aria-labelledby="%s">`+"\n"+`<h%[3]d id="%[2]s">%[4]s</h%[3]d>`+"\n", at.id, title, h.Level, at.title)
		p.open = append(p.open, "</section>\n")
	}
}

func (p *page) list(l *ast.List) {
	tag := "ul"
	if l.IsOrdered() {
		tag = "ol"
		if l.Start > 1 {
			p.writef("<ol start=\"%d\">\n", l.Start)
		} else {
			p.out.WriteString("<ol>\n")
		}
	} else {
		p.out.WriteString("<ul>\n")
	}
	for item := l.FirstChild(); item != nil; item = item.NextSibling() {
		// A badge stands in the place of the bullet.
		if class, _ := p.badge(item.FirstChild()); class != figure.None {
			p.out.WriteString(`<li class="marked">`)
		} else {
			p.out.WriteString("<li>")
		}
		p.blocks(item)
		p.out.WriteString("</li>\n")
	}
	p.writef("</%s>\n", tag)
}

// code writes a block of code, a line an element, so that a line that does not
// fit is broken and its rest indented, and a line of evidence can be cited.
func (p *page) code(n ast.Node) {
	p.out.WriteString(`<pre><code>`)
	number := 0
	for line := range strings.Lines(string(n.Lines().Value(p.src))) {
		number++
		attr, text := "", codeLine(strings.TrimRight(line, "\n"))
		label := fmt.Sprintf("[%d]", number)
		if id := p.cited(strconv.Itoa(number)); id != "" && strings.HasPrefix(text, label+" ") {
			attr = ` id="` + id + `"`
			if p.citing[id] {
				text = fmt.Sprintf(`<a class="cite" href="#%s%s">%s</a>`, id, backSuffix, label) + text[len(label):]
			}
		}
		p.writef("<span%s>%s\n</span>", attr, text)
	}
	p.out.WriteString("</code></pre>\n")
}

// padding is the spaces that make a column of a table, behind its text.
var padding = regexp.MustCompile(`(\S) {3,}`)

// codeLine escapes a line of code. What does not fit on paper goes without the
// padding of its columns, and JSON may be broken between members.
func codeLine(s string) string {
	const paper = 90 // characters on a page of A4
	if utf8.RuneCountInString(s) > paper {
		s = padding.ReplaceAllString(s, "$1  ")
	}
	return strings.ReplaceAll(html.EscapeString(s), ",&#34;", ",<wbr>&#34;")
}

// evidence writes c and the block of code that it announces, folded, if c is
// nothing but bold words and the block is long.
func (p *page) evidence(c *ast.Paragraph) bool {
	bold, ok := c.FirstChild().(*ast.Emphasis)
	if !ok || bold.NextSibling() != nil {
		return false
	}
	code, ok := c.NextSibling().(*ast.FencedCodeBlock)
	if !ok || code.Lines().Len() <= unfolded {
		return false
	}
	p.writef("<details>\n<summary><strong>%s</strong> (%s)</summary>\n", strings.TrimSuffix(html.EscapeString(p.plain(bold)), ":"), fmt.Sprintf(p.words.Lines, code.Lines().Len()))
	p.code(code)
	p.out.WriteString("</details>\n")
	c.Parent().RemoveChild(c.Parent(), code)
	return true
}

// figure writes c as a picture, if it is one and there is one.
func (p *page) figure(c *ast.Paragraph) bool {
	image, ok := c.FirstChild().(*ast.Image)
	if !ok || image.NextSibling() != nil {
		return false
	}
	scene, ok := p.doc.Figures[string(image.Destination)]
	if !ok {
		return false
	}
	var svg strings.Builder
	if err := scene.SVG(&svg); err != nil {
		return false // never: a Builder takes everything
	}
	p.figures++
	id := fmt.Sprintf("figure-%d", p.figures)
	p.writef(`<figure class="scroll" tabindex="0" role="group" aria-label="%s">`+"\n%s</figure>\n", html.EscapeString(scene.Title), adopt(svg.String(), id))
	return true
}

// adopt makes the file of a figure a part of the page: its names unlike those
// of other figures, and its colours those of the scheme. Quotes inside of text
// are escaped in a figure, so that a quoted value is an attribute of ours.
func adopt(svg, id string) string {
	pairs := []string{
		` xmlns="http://www.w3.org/2000/svg"`, "",
		`aria-labelledby="title desc"`, `aria-labelledby="` + id + `-title ` + id + `-desc"`,
		`id="title"`, `id="` + id + `-title"`,
		`id="desc"`, `id="` + id + `-desc"`,
	}
	for c := figure.Ink; c <= figure.Critical; c++ {
		pairs = append(pairs, `"`+c.RGB().String()+`"`, `"var(--`+c.String()+`)"`)
	}
	return strings.NewReplacer(pairs...).Replace(svg)
}

// badge returns the class and the word of the badge that n begins with.
func (p *page) badge(n ast.Node) (figure.Class, string) {
	if n == nil || n.Type() != ast.TypeBlock {
		return figure.None, ""
	}
	first, ok := n.FirstChild().(*ast.Text)
	if !ok {
		return figure.None, ""
	}
	raw, _ := p.run(first)
	class, word, _ := cutBadge(raw)
	return class, word
}

// cutBadge cuts "▲ warning · rest" into the class of the shape, the word and
// the rest, and "✓ rest" into class and rest.
func cutBadge(s string) (class figure.Class, word, rest string) {
	shape, n := utf8.DecodeRuneInString(s)
	class = figure.ShapeClass(shape)
	rest, ok := strings.CutPrefix(s[n:], " ")
	if class == figure.None || !ok {
		return figure.None, "", s
	}
	if before, after, ok := strings.Cut(rest, " · "); ok && len(before) < 20 {
		return class, before, after
	}
	if class == figure.Unknown {
		return figure.None, "", s // a question mark is no badge without its word
	}
	return class, "", rest
}
