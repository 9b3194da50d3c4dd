package pdf

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/jung-kurt/gofpdf"

	"hwcap/render/figure"
	"hwcap/render/typeface"
)

// canvas draws operations with gofpdf. This file is the only one that knows it,
// and it uses little of it: no cells, no page breaks, no number aliases, whose
// measuring and breaking of text are unsound for fonts in UTF-8.
type canvas struct {
	pdf   *gofpdf.Fpdf
	links map[string]int // gofpdf's number of each anchor

	// What is set already: gofpdf writes a font as often as it is told to.
	face typeface.Face
	size float64
}

// draw makes the PDF file of l. It calls at with the number of each page before
// drawing it.
func draw(l *List, doc Document, at func(page int)) ([]byte, error) {
	created := doc.Created
	if created.IsZero() {
		created = time.Unix(0, 0) // gofpdf would take the clock's
	}
	pdf := gofpdf.New("P", "mm", "A4", "")
	pdf.SetMargins(0, 0, 0)
	pdf.SetAutoPageBreak(false, 0)
	pdf.SetCompression(false) // finish does it
	pdf.SetCatalogSort(true)  // else fonts are written in the order of a map
	pdf.SetCreationDate(created.UTC())
	pdf.SetModificationDate(created.UTC())
	pdf.SetTitle(typeface.Clean(doc.Title), true)
	pdf.SetSubject(typeface.Clean(doc.Subject), true)
	pdf.SetAuthor(typeface.Clean(doc.Author), true)
	pdf.SetCreator("hwcap", true)
	pdf.SetProducer("hwcap, gofpdf", true)

	c := &canvas{pdf: pdf, links: map[string]int{}}
	c.loadFonts(l)
	anchors := l.resolve()
	for _, name := range slices.Sorted(maps.Keys(anchors)) {
		c.links[name] = pdf.AddLink()
		pdf.SetLink(c.links[name], anchors[name].y, anchors[name].page)
	}
	level := -1
	for i, p := range l.Pages {
		at(i + 1)
		pdf.AddPage()
		for _, op := range p.Ops {
			if mark, ok := op.(Bookmark); ok {
				// A level that skips its parent makes a broken tree.
				level = min(mark.Level, level+1)
				c.use(typeface.Sans, 10) // Bookmark encodes as UTF-16 only then
				pdf.Bookmark(mark.Title, level, mark.Y)
				continue
			}
			c.op(op)
		}
	}
	var out bytes.Buffer
	if err := pdf.Output(&out); err != nil {
		return nil, fmt.Errorf("make pdf: %w", err)
	}
	return finish(out.Bytes(), fmt.Sprintf("/Lang (%s)\n/ViewerPreferences <</DisplayDocTitle true>>\n", language(doc.Lang)))
}

// language returns the language tag of the document (BCP 47).
func language(lang string) string {
	if lang == "de" {
		return "de-DE"
	}
	return "en"
}

// loadFonts loads the faces that l uses, in their order. Loading is most of the
// cost of a short document.
func (c *canvas) loadFonts(l *List) {
	used := map[typeface.Face]bool{typeface.Sans: true}
	for _, p := range l.Pages {
		for _, op := range p.Ops {
			if t, ok := op.(Text); ok {
				used[t.Face] = true
			}
		}
	}
	for f := range typeface.Faces() {
		if used[f] {
			c.pdf.AddUTF8FontFromBytes(f.String(), "", f.TTF())
		}
	}
}

func (c *canvas) use(f typeface.Face, size float64) {
	if f != c.face || size != c.size {
		c.face, c.size = f, size
		c.pdf.SetFont(f.String(), "", size)
	}
}

func (c *canvas) op(op Op) {
	switch o := op.(type) {
	case Text:
		c.use(o.Face, o.Size)
		c.pdf.SetTextColor(rgb(o.Class))
		c.pdf.Text(o.X, o.Y, o.S)
	case Rule:
		c.stroke(o.Class, o.Stroke, o.Dash)
		c.pdf.Line(o.X1, o.Y1, o.X2, o.Y2)
	case Box:
		how := ""
		if o.Fill != figure.None {
			c.pdf.SetFillColor(rgb(o.Fill))
			how = "F"
		}
		if o.Border != figure.None {
			c.stroke(o.Border, o.Stroke, o.Dash)
			how += "D"
		}
		if how != "" {
			c.pdf.Rect(o.X, o.Y, o.W, o.H, how)
		}
	case Link:
		if name, inside := strings.CutPrefix(o.To, "#"); !inside {
			c.pdf.LinkString(o.X, o.Y, o.W, o.H, o.To)
		} else if id, ok := c.links[name]; ok {
			c.pdf.Link(o.X, o.Y, o.W, o.H, id)
		}
	}
}

// dashes are the patterns in millimetres on, off.
var dashes = [...][]float64{Solid: {}, Dashed: {1.2, 0.9}, Dotted: {0.25, 1.1}}

func (c *canvas) stroke(class figure.Class, width float64, d Dash) {
	c.pdf.SetDrawColor(rgb(class))
	c.pdf.SetLineWidth(width)
	c.pdf.SetDashPattern(dashes[d], 0)
}

func rgb(c figure.Class) (r, g, b int) {
	v := c.RGB()
	return int(v.R), int(v.G), int(v.B)
}
