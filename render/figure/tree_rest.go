package figure

import (
	"fmt"
	"strings"
)

// rest lists the root ports with nothing below, and counts what has no link.
func (t *tree) rest() {
	const (
		boxes = 4 // in a row
		wide  = (lowerRight - 3*3) / boxes
		high  = 9.0
		most  = 16
	)
	shown := t.empty[:min(len(t.empty), most)]
	lines := (len(shown) + boxes - 1) / boxes
	y := t.scene.Height + 1
	need := 5.0 // the counts
	if len(shown) > 0 {
		y += 2
		need += 5 + float64(lines)*(high+2) + 3.5
	}
	if y+need > treeMost {
		t.begin()
		y = 2
	}
	if len(shown) > 0 {
		t.add(Label{X: rootLeft, Y: y + 3, Text: t.say.idle, Size: smallest + 0.5, Class: Muted})
		y += 5
	}
	for i, d := range shown {
		x, top := rootLeft+float64(i%boxes)*(wide+3), y+float64(i/boxes)*(high+2)
		name := t.slotOf(&hop{upper: d})
		if name != "" {
			name += " · "
		}
		t.add(
			Rect{X: x, Y: top, W: wide, H: high, Border: Muted, Stroke: 0.2, Dashed: true},
			Label{X: x + 2, Y: top + 3.8, Text: t.address(d.Address), Size: smallest + 0.5, Mono: true, Bold: true, Class: Ink},
			Label{X: x + 2, Y: top + 7.3, Text: name + t.vacancy(d), Size: smallest, Class: Muted}.Fit(wide-3),
		)
	}
	y += float64(lines) * (high + 2)
	if n := len(t.empty) - len(shown); n > 0 {
		t.add(Label{X: rootLeft, Y: y + 2.5, Text: fmt.Sprintf(t.say.more, n), Size: smallest, Class: Muted})
		y += 3.5
	}
	var counts []string
	if t.guest {
		counts = append(counts, t.say.guest)
	}
	for _, c := range []struct {
		n    int
		text [2]string
	}{{t.inside, t.say.inside}, {t.virtual, t.say.virtual}} {
		switch {
		case c.n == 1:
			counts = append(counts, c.text[0])
		case c.n > 1:
			counts = append(counts, fmt.Sprintf(c.text[1], c.n))
		}
	}
	if t.left > 0 {
		counts = append([]string{fmt.Sprintf(t.say.left, t.left)}, counts...)
	}
	if len(counts) > 0 {
		t.add(Label{X: rootLeft, Y: y + 3.2, Text: strings.Join(counts, " "), Size: smallest + 0.5, Class: Muted}.Fit(treeWidth - rootLeft))
		y += 4.2
	}
	t.scene.Height = max(t.scene.Height, y+0.5)
}
