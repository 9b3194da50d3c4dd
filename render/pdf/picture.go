package pdf

import (
	"strings"

	"github.com/yuin/goldmark/ast"

	"hwcap/render/figure"
	"hwcap/render/typeface"
)

// tallest is how high a picture may stand: a heading and a caption fit on the
// page with it.
const tallest = bottom - top - 18

// figure draws the picture that p consists of and reports whether it did. A
// picture wider than the text or taller than a page is scaled down.
func (b *builder) figure(p *ast.Paragraph, a area) bool {
	img, ok := onlyChild(p).(*ast.Image)
	if !ok {
		return false
	}
	scene := b.doc.Figures[string(img.Destination)]
	if scene == nil || scene.Width <= 0 || scene.Height <= 0 {
		return false
	}
	scale := min(1, a.w/scene.Width, tallest/scene.Height)
	caption := strings.TrimSpace(string(img.Title))
	b.emit(strip{height: scene.Height * scale, ops: b.scene(scene, a.x, scale), keep: caption != "", figure: true})
	if caption != "" {
		b.space(1.4)
		first := len(b.strips)
		b.text([]span{{text: caption}}, a, smallStyle)
		for i := first; i < len(b.strips); i++ {
			b.strips[i].figure, b.strips[i].keep = true, i < len(b.strips)-1
		}
	}
	return true
}

// scene turns the items of s into operations, its upper left corner at x, 0.
func (b *builder) scene(s *figure.Scene, x, scale float64) []Op {
	var ops []Op
	dash := func(on bool) Dash {
		if on {
			return Dashed
		}
		return Solid
	}
	for _, item := range s.Items {
		switch i := item.(type) {
		case figure.Line:
			ops = append(ops, Rule{x + i.X1*scale, i.Y1 * scale, x + i.X2*scale, i.Y2 * scale, i.Stroke * scale, i.Class, dash(i.Dashed)})
		case figure.Rect:
			box := Box{x + i.X*scale, i.Y * scale, i.W * scale, i.H * scale, i.Fill, i.Border, i.Stroke * scale, dash(i.Dashed)}
			ops = append(ops, box)
			ops = b.live(ops, i.Link, box.X, box.Y, box.W, box.H)
		case figure.Label:
			at, size := x+i.Left()*scale, i.Size*scale
			ops = b.live(ops, i.Link, at, i.Y*scale-size*mm, i.Width()*scale, size*mm*1.2)
			var runs []piece
			for face, run := range i.Face().Runs(typeface.Clean(i.Text)) {
				runs = append(runs, piece{face: face, s: run, w: face.Width(run, size)})
			}
			for _, p := range visual(runs) {
				ops = append(ops, Text{at, i.Y * scale, p.face, size, i.Class, p.s})
				at += p.w
			}
		}
	}
	return ops
}

// live adds a link if to is one that we make live.
func (b *builder) live(ops []Op, to string, x, y, w, h float64) []Op {
	if l := b.linked(look{}, to); l.link != "" {
		return append(ops, Link{x, y, w, h, l.link})
	}
	return ops
}
