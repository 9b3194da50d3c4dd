package pdf

import (
	"bufio"
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/util"

	"hwcap/render/figure"
)

// look is how a stretch of text differs from its block.
type look struct {
	bold, italic, mono bool
	class              figure.Class // None: as the block
	link               string       // "https://..." or "#anchor", live; "": none
}

// span is a stretch of text in one look, a line break, an anchor, or the number
// of the page that holds an anchor.
type span struct {
	look
	text   string
	brk    bool
	anchor string
	pageOf string
}

// inline turns the children of n into spans.
func (b *builder) inline(n ast.Node, l look) []span {
	var all []span
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		switch c := c.(type) {
		case *ast.Text:
			all = append(all, span{look: l, text: b.literal(c)})
			switch {
			case c.HardLineBreak():
				all = append(all, span{brk: true})
			case c.SoftLineBreak():
				all = append(all, span{look: l, text: " "})
			}
		case *ast.String:
			all = append(all, span{look: l, text: string(c.Value)})
		case *ast.CodeSpan:
			code := l
			code.mono = true
			all = append(all, b.inline(c, code)...)
		case *ast.Emphasis:
			em := l
			em.bold, em.italic = l.bold || c.Level == 2, l.italic || c.Level == 1
			all = append(all, b.inline(c, em)...)
		case *ast.Link:
			all = append(all, b.inline(c, b.linked(l, string(c.Destination)))...)
		case *ast.AutoLink:
			all = append(all, span{look: b.linked(l, string(c.URL(b.src))), text: string(c.Label(b.src))})
		case *ast.RawHTML:
			raw := string(c.Segments.Value(b.src))
			if name := anchorOf(raw); name != "" {
				all = append(all, span{anchor: name})
			} else if strings.HasPrefix(raw, "<br") {
				all = append(all, span{brk: true})
			}
		default: // images in a line of text: their alternative text
			all = append(all, b.inline(c, l)...)
		}
	}
	return merge(all)
}

// literal returns the text of t as it is meant. goldmark keeps segments of the
// raw source; backslash escapes and character references are resolved by its
// HTML writer, whose own escaping is undone again.
func (b *builder) literal(t *ast.Text) string {
	raw := t.Value(b.src)
	if t.IsRaw() {
		return strings.ReplaceAll(string(raw), "\n", " ") // CommonMark 6.1
	}
	if bytes.IndexByte(raw, '\\') < 0 && bytes.IndexByte(raw, '&') < 0 {
		return string(raw)
	}
	var out bytes.Buffer
	w := bufio.NewWriter(&out)
	html.DefaultWriter.Write(w, raw)
	w.Flush()
	return unescape.Replace(out.String())
}

var unescape = strings.NewReplacer("&amp;", "&", "&lt;", "<", "&gt;", ">", "&quot;", `"`)

// linked returns l with the link to dest, if that is one we make live.
func (b *builder) linked(l look, dest string) look {
	switch {
	case outside(dest):
		l.link = string(util.URLEscape([]byte(dest), false))
	case strings.HasPrefix(dest, "#") && b.anchors[dest[1:]]:
		l.link = dest
	default:
		return l
	}
	l.class = figure.Accent
	return l
}

// withPages says after each link within the document on what page its target
// is: on paper there is nothing to click.
func (b *builder) withPages(spans []span) []span {
	var all []span
	for i, s := range spans {
		all = append(all, s)
		target, inside := strings.CutPrefix(s.link, "#")
		if !inside || i+1 < len(spans) && spans[i+1].link == s.link {
			continue
		}
		plain := look{bold: s.bold}
		all = append(all,
			span{look: plain, text: string(nbsp) + "(" + speak(b.doc.Lang).onPage + string(nbsp)},
			span{look: plain, pageOf: target},
			span{look: plain, text: ")"})
	}
	return all
}

// anchorOf returns the name in <a id="name"></a> (the closing tag may be
// missing: inside a line it is a node of its own), or "".
func anchorOf(raw string) string {
	rest, ok := strings.CutPrefix(strings.TrimSpace(raw), `<a id="`)
	if !ok {
		return ""
	}
	name, rest, ok := strings.Cut(rest, `">`)
	if rest = strings.TrimSpace(rest); !ok || rest != "" && rest != "</a>" {
		return ""
	}
	for i := 0; i < len(name); i++ {
		c := name[i]
		if !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte("-_.:", c) >= 0) {
			return ""
		}
	}
	return name
}

// merge joins neighbours that look the same: goldmark cuts text at every
// character that could have meant something.
func merge(spans []span) []span {
	out := spans[:0]
	for i := 0; i < len(spans); {
		j := i + 1
		if mergeable(spans[i]) {
			for j < len(spans) && mergeable(spans[j]) && spans[j].look == spans[i].look {
				j++
			}
		}
		s := spans[i]
		if j > i+1 {
			var text strings.Builder
			for _, one := range spans[i:j] {
				text.WriteString(one.text)
			}
			s.text = text.String()
		}
		out = append(out, s)
		i = j
	}
	return out
}

func mergeable(s span) bool { return !s.brk && s.anchor == "" }

// badge colours a shape that begins spans, and the word that belongs to it.
func badge(spans []span) []span {
	for i, s := range spans {
		if s.anchor != "" {
			continue
		}
		r, n := utf8.DecodeRuneInString(s.text)
		class := figure.ShapeClass(r)
		word := badgeWord(s.text[n:])
		if class == figure.None || !strings.HasPrefix(s.text[n:], " ") && s.text[n:] != "" || r == '?' && word == "" {
			return spans
		}
		mark, rest := s, s
		mark.class, mark.bold = class, true
		mark.text, rest.text = strings.ReplaceAll(s.text[:n]+word, " ", string(nbsp)), s.text[n+len(word):]
		out := append([]span{}, spans[:i]...)
		return append(append(out, mark, rest), spans[i+1:]...)
	}
	return spans
}

// badgeWord returns the badge's word that s begins with, and the space before
// it, or "".
func badgeWord(s string) string {
	for _, word := range badges {
		rest, ok := strings.CutPrefix(s, " "+word)
		if r, _ := utf8.DecodeRuneInString(rest); ok && !isLetter(r) {
			return s[:len(s)-len(rest)]
		}
	}
	return ""
}

// plain returns the text of spans without their looks.
func plain(spans []span) string {
	var b strings.Builder
	for _, s := range spans {
		b.WriteString(s.text)
	}
	return strings.Join(strings.Fields(b.String()), " ")
}
