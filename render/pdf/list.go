package pdf

import (
	"fmt"
	"strings"

	"hwcap/render/figure"
	"hwcap/render/typeface"
)

// List is a laid-out document.
type List struct{ Pages []Page }

// Page holds the operations of one page, in drawing order.
type Page struct{ Ops []Op }

// Op is one operation: [Text], [Rule], [Box], [Link], [Anchor] or [Bookmark].
// Lengths are millimetres from the page's upper left corner, y downwards; sizes
// of text are points.
type Op interface {
	fmt.Stringer
	shift(dx, dy float64) Op
}

// Text is a run of text in one face. Y is its baseline.
type Text struct {
	X, Y  float64
	Face  typeface.Face
	Size  float64
	Class figure.Class
	S     string
}

// Rule is a straight line.
type Rule struct {
	X1, Y1, X2, Y2 float64
	Stroke         float64
	Class          figure.Class
	Dash           Dash
}

// Dash is the pattern of a line.
type Dash uint8

// The patterns.
const (
	Solid  Dash = iota
	Dashed      // borders in figures
	Dotted      // leaders in the table of contents
)

// Box is a rectangle.
type Box struct {
	X, Y, W, H   float64
	Fill, Border figure.Class // None: not drawn
	Stroke       float64
	Dash         Dash
}

// Link makes an area live. To is "https://..." or "#anchor".
type Link struct {
	X, Y, W, H float64
	To         string
}

// Anchor is the target of a link within the document.
type Anchor struct {
	Y    float64
	Name string
}

// Bookmark is an entry of the outline; Level 0 is the top.
type Bookmark struct {
	Y     float64
	Level int
	Title string
}

// pageRef is the number of the page that holds an anchor. It becomes a Text when
// the pages are known: flush right at X, or, with Room, in running text.
type pageRef struct {
	X, Y  float64
	Face  typeface.Face
	Size  float64
	Class figure.Class
	To    string
	Room  float64 // what the line keeps free from X on
	After int     // so many operations stand right of it, and move if the number needs more or less
}

func (o Text) shift(dx, dy float64) Op    { o.X += dx; o.Y += dy; return o }
func (o Rule) shift(dx, dy float64) Op    { o.X1 += dx; o.Y1 += dy; o.X2 += dx; o.Y2 += dy; return o }
func (o Box) shift(dx, dy float64) Op     { o.X += dx; o.Y += dy; return o }
func (o Link) shift(dx, dy float64) Op    { o.X += dx; o.Y += dy; return o }
func (o Anchor) shift(_, dy float64) Op   { o.Y += dy; return o }
func (o Bookmark) shift(_, dy float64) Op { o.Y += dy; return o }
func (o pageRef) shift(dx, dy float64) Op { o.X += dx; o.Y += dy; return o }

func (o Text) String() string {
	return fmt.Sprintf("text %.1f %.1f %v %.1f %v %q", o.X, o.Y, o.Face, o.Size, o.Class, o.S)
}

func (o Rule) String() string {
	return fmt.Sprintf("rule %.1f %.1f to %.1f %.1f %v%v", o.X1, o.Y1, o.X2, o.Y2, o.Class, o.Dash)
}

func (o Box) String() string {
	return fmt.Sprintf("box %.1f %.1f %.1f %.1f fill %v border %v%v", o.X, o.Y, o.W, o.H, o.Fill, o.Border, o.Dash)
}

func (o Link) String() string {
	return fmt.Sprintf("link %.1f %.1f %.1f %.1f %s", o.X, o.Y, o.W, o.H, o.To)
}

func (o Anchor) String() string { return fmt.Sprintf("anchor %.1f %s", o.Y, o.Name) }

func (o Bookmark) String() string {
	return fmt.Sprintf("bookmark %.1f %d %q", o.Y, o.Level, o.Title)
}

func (o pageRef) String() string { return fmt.Sprintf("page-of %.1f %.1f %s", o.X, o.Y, o.To) }

func (d Dash) String() string { return [...]string{"", " dashed", " dotted"}[d] }

// Text prints the list, one operation a line.
func (l *List) Text() string {
	var b strings.Builder
	for i, p := range l.Pages {
		fmt.Fprintf(&b, "page %d\n", i+1)
		for _, op := range p.Ops {
			fmt.Fprintf(&b, "  %v\n", op)
		}
	}
	return b.String()
}

// resolve turns page references into numbers and returns where the anchors are.
func (l *List) resolve() map[string]place {
	anchors := map[string]place{}
	for i, p := range l.Pages {
		for _, op := range p.Ops {
			if a, ok := op.(Anchor); ok {
				if _, twice := anchors[a.Name]; !twice {
					anchors[a.Name] = place{i + 1, a.Y}
				}
			}
		}
	}
	for _, p := range l.Pages {
		for i, op := range p.Ops {
			if ref, ok := op.(pageRef); ok {
				s := fmt.Sprint(anchors[ref.To].page)
				width := ref.Face.Width(s, ref.Size)
				if ref.Room == 0 {
					ref.X -= width
				}
				p.Ops[i] = Text{ref.X, ref.Y, ref.Face, ref.Size, ref.Class, s}
				for k := range ref.After {
					p.Ops[i+1+k] = p.Ops[i+1+k].shift(width-ref.Room, 0)
				}
			}
		}
	}
	return anchors
}

// place is a point of the document: page from 1, y in millimetres.
type place struct {
	page int
	y    float64
}
