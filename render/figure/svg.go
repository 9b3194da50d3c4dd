package figure

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"

	"hwcap/render/typeface"
)

// pt is one point in millimetres.
const pt = 25.4 / 72

// SVG writes the scene as a file that stands alone: no script, no style sheet,
// no outside load. Fonts are named, not embedded; each label carries the width
// that it was laid out with, so that another font cannot push it over its box.
// Two calls write identical bytes.
func (s *Scene) SVG(w io.Writer) error {
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, `<svg xmlns="http://www.w3.org/2000/svg" width="%[1]smm" height="%[2]smm" viewBox="0 0 %[1]s %[2]s" role="img" aria-labelledby="title desc" font-family="IBM Plex Sans, DejaVu Sans, sans-serif">`+"\n", num(s.Width), num(s.Height))
	fmt.Fprintf(b, "<title id=\"title\">%s</title>\n<desc id=\"desc\">%s</desc>\n", text(s.Title), text(s.Desc))
	fmt.Fprintf(b, "<rect width=\"%s\" height=\"%s\" fill=\"%s\"/>\n", num(s.Width), num(s.Height), Paper.RGB())
	for _, item := range s.Items {
		switch i := item.(type) {
		case Line:
			fmt.Fprintf(b, `<line x1="%s" y1="%s" x2="%s" y2="%s" stroke="%s" stroke-width="%s"%s/>`, num(i.X1), num(i.Y1), num(i.X2), num(i.Y2), i.Class.RGB(), num(i.Stroke), dash(i.Dashed))
		case Rect:
			open, end := link(i.Link)
			fmt.Fprintf(b, `%s<rect x="%s" y="%s" width="%s" height="%s" rx="0.6" fill="%s"%s/>%s`, open, num(i.X), num(i.Y), num(i.W), num(i.H), paint(i.Fill), border(i), end)
		case Label:
			open, end := link(i.Link)
			fmt.Fprintf(b, `%s<text x="%s" y="%s" font-size="%s" fill="%s"%s>%s</text>%s`, open, num(i.X), num(i.Y), num(i.Size*pt), i.Class.RGB(), style(i), text(i.Text), end)
		}
		b.WriteByte('\n')
	}
	b.WriteString("</svg>\n")
	return b.Flush()
}

// num prints a length with two decimals at most.
func num(v float64) string {
	s := strconv.FormatFloat(v, 'f', 2, 64)
	s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	if s == "-0" {
		return "0"
	}
	return s
}

func dash(on bool) string {
	if on {
		return ` stroke-dasharray="1.2 0.9"`
	}
	return ""
}

func paint(c Class) string {
	if c == None {
		return "none"
	}
	return c.RGB().String()
}

func border(r Rect) string {
	if r.Border == None {
		return ""
	}
	return fmt.Sprintf(` stroke="%s" stroke-width="%s"%s`, r.Border.RGB(), num(r.Stroke), dash(r.Dashed))
}

// style returns the attributes of a label that differ from the plain ones.
func style(l Label) string {
	var b strings.Builder
	switch l.Anchor {
	case Middle:
		b.WriteString(` text-anchor="middle"`)
	case End:
		b.WriteString(` text-anchor="end"`)
	}
	if l.Mono {
		b.WriteString(` font-family="IBM Plex Mono, DejaVu Sans Mono, monospace"`)
	}
	if l.Bold {
		b.WriteString(` font-weight="600"`)
	}
	if width := l.Width(); width > 0 {
		fmt.Fprintf(&b, ` textLength="%s" lengthAdjust="spacingAndGlyphs"`, num(width))
	}
	return b.String()
}

// link returns the tags around a linked item. Only anchors of the report and
// https addresses become links.
func link(to string) (open, end string) {
	if !strings.HasPrefix(to, "#") && !strings.HasPrefix(to, "https://") {
		return "", ""
	}
	return `<a href="` + text(to) + `">`, "</a>"
}

var entities = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "'", "&#39;")

// text returns s cleaned and escaped, for content and attributes.
func text(s string) string { return entities.Replace(typeface.Clean(s)) }
