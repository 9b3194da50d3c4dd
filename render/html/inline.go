package html

import (
	"bufio"
	"bytes"
	"fmt"
	"html"
	"regexp"
	"strconv"
	"strings"

	"github.com/yuin/goldmark/ast"
	gmhtml "github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/util"

	"hwcap/render/figure"
)

// inline returns the children of n as HTML.
func (p *page) inline(n ast.Node) string {
	var b strings.Builder
	for child := n.FirstChild(); child != nil; child = child.NextSibling() {
		switch c := child.(type) {
		case *ast.Text:
			first := c == n.FirstChild() && n.Type() == ast.TypeBlock
			raw, c := p.run(c)
			child = c
			b.WriteString(p.text(raw, first))
			switch {
			case c.HardLineBreak():
				b.WriteString("<br>\n")
			case c.SoftLineBreak():
				b.WriteByte('\n')
			}
		case *ast.String:
			b.WriteString(html.EscapeString(string(c.Value)))
		case *ast.CodeSpan:
			fmt.Fprintf(&b, "<code>%s</code>", html.EscapeString(p.plain(c)))
		case *ast.Emphasis:
			tag := "em"
			if c.Level == 2 {
				tag = "strong"
			}
			fmt.Fprintf(&b, "<%s>%s</%[1]s>", tag, p.inline(c))
		case *ast.Link:
			b.WriteString(p.link(string(c.Destination), p.inline(c)))
		case *ast.AutoLink:
			b.WriteString(p.link(string(c.URL(p.src)), html.EscapeString(string(c.Label(p.src)))))
		case *ast.RawHTML:
			if strings.HasPrefix(string(c.Segments.Value(p.src)), "<br") {
				b.WriteString("<br>")
			}
		default: // images in a line of text: their alternative text
			b.WriteString(p.inline(c))
		}
	}
	return b.String()
}

// run returns the source of t and of the text that follows it up to the end of
// the line, and the last node of it: goldmark cuts text at every character that
// could have meant something.
func (p *page) run(t *ast.Text) (raw string, last *ast.Text) {
	raw = string(t.Value(p.src))
	for !t.SoftLineBreak() && !t.HardLineBreak() {
		next, ok := t.NextSibling().(*ast.Text)
		if !ok {
			break
		}
		t, raw = next, raw+string(next.Value(p.src))
	}
	return raw, t
}

// text returns raw source escaped; goldmark's writer resolves backslash escapes
// and character references first. What begins a block may begin with a badge.
func (p *page) text(raw string, first bool) string {
	var b bytes.Buffer
	if first {
		class, word, rest := cutBadge(raw)
		switch {
		case class == figure.None:
		case word == "":
			fmt.Fprintf(&b, `<span class="badge %s" aria-hidden="true">%s</span> `, class, class.Shape())
		default:
			fmt.Fprintf(&b, `<span class="badge %s"><span aria-hidden="true">%s</span> <span class="word">%s</span></span> `, class, class.Shape(), html.EscapeString(word))
		}
		raw = rest
	}
	at := 0
	for _, m := range citation.FindAllStringSubmatchIndex(raw, -1) {
		if m[0] > 0 && raw[m[0]-1] == '\\' {
			continue
		}
		if id := p.cited(raw[m[2]:m[3]]); id != "" {
			writeText(&b, raw[at:m[0]])
			attr := ""
			if !p.citing[id] {
				p.citing[id], attr = true, ` id="`+id+backSuffix+`"`
			}
			fmt.Fprintf(&b, `<a class="cite" href="#%s"%s>%s</a>`, id, attr, raw[m[0]:m[1]])
			at = m[1]
		}
	}
	writeText(&b, raw[at:])
	return b.String()
}

// writeText writes raw source escaped.
func writeText(b *bytes.Buffer, raw string) {
	w := bufio.NewWriter(b)
	gmhtml.DefaultWriter.Write(w, []byte(raw))
	w.Flush()
}

// citation is the number of a line of evidence, as the wording cites it. In text
// of a capture, the bracket has a backslash before it.
var citation = regexp.MustCompile(`\[([0-9]{1,3})\]`)

// cited returns the id of the numbered line among the evidence of the finding
// that is being written, or "".
func (p *page) cited(number string) string {
	if p.next == 0 {
		return ""
	}
	at := p.heads[p.next-1]
	if n, err := strconv.Atoi(number); err != nil || n < 1 || n > at.evidence {
		return ""
	}
	return at.id + "-e" + number
}

// link returns label as a link to dest, if that is one we make live: to a page
// over https, or to an anchor that exists.
func (p *page) link(dest, label string) string {
	switch {
	case strings.HasPrefix(dest, "https://"):
		return fmt.Sprintf(`<a href="%s" rel="noreferrer">%s</a>`, html.EscapeString(string(util.URLEscape([]byte(dest), false))), label)
	case strings.HasPrefix(dest, "#") && p.anchors[dest[1:]]:
		return fmt.Sprintf(`<a href="%s">%s</a>`, html.EscapeString(dest), label)
	}
	return label
}

// plain returns the text of n without its looks.
func (p *page) plain(n ast.Node) string {
	var b strings.Builder
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		switch c := c.(type) {
		case *ast.Text:
			if c.IsRaw() || n.Kind() == ast.KindCodeSpan {
				b.WriteString(strings.ReplaceAll(string(c.Value(p.src)), "\n", " ")) // CommonMark 6.1
			} else {
				var text bytes.Buffer
				writeText(&text, string(c.Value(p.src)))
				b.WriteString(html.UnescapeString(text.String()))
			}
			if c.SoftLineBreak() || c.HardLineBreak() {
				b.WriteByte(' ')
			}
		case *ast.String:
			b.Write(c.Value)
		case *ast.AutoLink:
			b.Write(c.Label(p.src))
		default:
			b.WriteString(p.plain(c))
		}
	}
	return b.String()
}
