// Package figure draws the pictures of the report.
//
// A [Scene] is a drawing in millimetres, made of lines, rectangles and labels.
// It is written once and drawn twice: as an SVG file beside the Markdown
// ([Scene.SVG]) and as vectors in the PDF (package pdf). Colour only supports:
// every mark also differs by shape, word or thickness, so that a page printed
// in grey says the same.
package figure

import (
	"strings"

	"hwcap/render/typeface"
)

// Scene is one picture. The origin is the upper left corner, y grows downwards.
type Scene struct {
	Width, Height float64 // millimetres
	Title         string  // short name of the picture
	Desc          string  // what it shows, in words, for who cannot see it
	Items         []Item  // drawn in order
}

// Item is a [Line], a [Rect] or a [Label].
type Item interface{ item() }

// Line is a straight line, in millimetres.
type Line struct {
	X1, Y1, X2, Y2 float64
	Stroke         float64 // thickness
	Class          Class
	Dashed         bool
}

// Rect is a rectangle, in millimetres.
type Rect struct {
	X, Y, W, H float64
	Fill       Class   // None: not filled
	Border     Class   // None: no border
	Stroke     float64 // thickness of the border
	Dashed     bool
	Link       string // "#anchor" of the report, or https://; empty: none
}

// Label is one line of text. X is its start, middle or end, Y its baseline.
type Label struct {
	X, Y   float64
	Text   string
	Size   float64 // points
	Anchor Anchor
	Class  Class
	Mono   bool
	Bold   bool
	Link   string // as in Rect
}

func (Line) item()  {}
func (Rect) item()  {}
func (Label) item() {}

// Anchor tells which point of a label its X is.
type Anchor uint8

// The anchors.
const (
	Start Anchor = iota
	Middle
	End
)

// Face returns the face that the label is set in.
func (l Label) Face() typeface.Face {
	switch {
	case l.Mono && l.Bold:
		return typeface.MonoBold
	case l.Mono:
		return typeface.Mono
	case l.Bold:
		return typeface.SansBold
	}
	return typeface.Sans
}

// Width returns the width of the label in millimetres.
func (l Label) Width() float64 { return l.Face().Width(typeface.Clean(l.Text), l.Size) }

// Left returns where the label begins, in millimetres.
func (l Label) Left() float64 {
	switch l.Anchor {
	case Middle:
		return l.X - l.Width()/2
	case End:
		return l.X - l.Width()
	}
	return l.X
}

// boldest is how much wider DejaVu Sans Bold is than the regular face, which is
// the one that package typeface measures.
const boldest = 1.13

// Room returns the width that l may take, in millimetres: programs that neither
// have IBM Plex nor follow textLength, as librsvg, set an SVG's text in DejaVu.
func (l Label) Room() float64 {
	other := typeface.Fallback
	if l.Mono {
		other = typeface.MonoFallback
	}
	wide := other.Width(typeface.Clean(l.Text), l.Size)
	if l.Bold && !l.Mono {
		wide *= boldest
	}
	return max(l.Width(), wide)
}

// cut returns how many bytes of the text fit into width millimetres. It does not
// tear the spelling of a character that no face has, "<U+6DF1>".
func (l Label) cut(width float64) int {
	one := l
	for i, r := range l.Text {
		one.Text = string(r)
		if width -= one.Room(); width < 0 {
			open := strings.LastIndex(l.Text[:i], "<U+")
			if open >= 0 && i-open < len("<U+10FFFF>") && !strings.Contains(l.Text[open:i], ">") {
				return open
			}
			return i
		}
	}
	return len(l.Text)
}

// Fit returns l with its text cut to at most width millimetres of [Label.Room],
// an ellipsis in place of what had to go.
func (l Label) Fit(width float64) Label {
	l.Text = typeface.Clean(l.Text)
	if l.cut(width) == len(l.Text) {
		return l
	}
	dots := l
	dots.Text = "…"
	l.Text = strings.TrimRight(l.Text[:l.cut(width-dots.Room())], " ") + "…"
	return l
}

// Wrap returns the text of l in at most so many labels of width millimetres,
// leading millimetres from one to the next, broken at spaces where there are
// any; the last one is cut.
func (l Label) Wrap(width, leading float64, most int) []Label {
	l.Text = typeface.Clean(l.Text)
	var out []Label
	for len(out) < most-1 {
		end := l.cut(width)
		if end == len(l.Text) {
			break
		}
		if space := strings.LastIndexByte(l.Text[:end+1], ' '); space > 0 {
			end = space
		}
		if end == 0 {
			break
		}
		line := l
		line.Text, l.Text = l.Text[:end], strings.TrimLeft(l.Text[end:], " ")
		out = append(out, line)
		l.Y += leading
	}
	return append(out, l.Fit(width))
}
