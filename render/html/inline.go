package html

import (
	"bufio"
	"bytes"
	"fmt"
	"html"
	"strings"

	"github.com/yuin/goldmark/ast"
	gmhtml "github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/util"

	"hwcap/render/figure"
)

// inline returns the children of n as HTML.
func (p *page) inline(n ast.Node) string {
	var b strings.Builder
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		switch c := c.(type) {
		case *ast.Text:
			b.WriteString(p.text(c, c == n.FirstChild() && n.Type() == ast.TypeBlock))
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

// text returns t escaped. goldmark keeps segments of the raw source; its writer
// resolves backslash escapes and character references and escapes the result.
// What begins a block may begin with a badge.
func (p *page) text(t *ast.Text, first bool) string {
	raw := string(t.Value(p.src))
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
	w := bufio.NewWriter(&b)
	gmhtml.DefaultWriter.Write(w, []byte(raw))
	w.Flush()
	return b.String()
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
				b.WriteString(html.UnescapeString(p.text(c, false)))
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
