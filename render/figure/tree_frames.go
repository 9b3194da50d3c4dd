package figure

// rails connects a switch to the ports below it: from the upstream port's box
// down, back to the left, and to each port. On the pages that follow, the rail
// goes on from the upper edge.
func (t *tree) rails(i, first, end int) {
	r := t.rows[i]
	if p := r.parent; p >= 0 && p < first && (i == first || t.firstChild(i, first)) {
		x := r.portLeft() - step/2
		t.add(Line{x, headHeight - 1, x, t.lastChild(p, end), 0.3, Ink, false})
	}
	if r.parent >= 0 {
		t.add(Line{r.portLeft() - step/2, r.middle(), r.portLeft(), r.middle(), 0.3, Ink, false})
	}
	if r.last == i {
		return
	}
	x := t.rows[i+min(1, len(t.rows)-1-i)].portLeft() - step/2
	turn := r.y + r.height + rowGap/2
	t.add(
		Line{lowerLeft + 4, r.y + r.box, lowerLeft + 4, turn, 0.3, Ink, false},
		Line{lowerLeft + 4, turn, x, turn, 0.3, Ink, false},
		Line{x, turn, x, t.lastChild(i, end), 0.3, Ink, false},
	)
}

// firstChild reports whether row i is the first of its switch on the page.
func (t *tree) firstChild(i, first int) bool {
	for k := first; k < i; k++ {
		if t.rows[k].parent == t.rows[i].parent {
			return false
		}
	}
	return true
}

// lastChild is how far down the rail of switch i goes on a page that stops
// before end.
func (t *tree) lastChild(i, end int) float64 {
	y := t.rows[i].y + t.rows[i].box + rowGap/2
	for k := i + 1; k <= t.rows[i].last; k++ {
		if t.rows[k].parent != i {
			continue
		}
		if k >= end {
			return t.scene.Height
		}
		y = t.rows[k].middle()
	}
	return y
}

// frame draws the boundary of a card, or of what is behind a slot's port, around
// its switch and all below. It is not a rectangle: the switch stands at the right, its ports below at the left.
func (t *tree) frame(i, first, end int) {
	// The frame of a card that began on a page before is drawn with the first
	// row of the page.
	if i == first {
		for p := t.rows[i].parent; p >= 0; p = t.rows[p].parent {
			if t.rows[p].hop.framed != "" {
				t.outline(p, first, end)
			}
		}
	}
	if t.rows[i].hop.framed != "" {
		t.outline(i, first, end)
	}
}

func (t *tree) outline(i, first, end int) {
	const air = 1.7
	r := t.rows[i]
	l, right := rootLeft+float64(min(r.depth+1, deepest))*step-step/2-air, lowerRight+air-0.3*float64(r.depth)
	bottom := t.scene.Height
	closed := r.last < end
	if closed {
		bottom = t.rows[r.last].y + t.rows[r.last].height + air
	}
	side := func(x1, y1, x2, y2 float64) { t.add(Line{x1, y1, x2, y2, 0.25, Muted, true}) }
	if i >= first {
		up, notch := r.y-air, r.y+r.height+0.8
		side(lowerLeft-air, up, right, up)
		side(lowerLeft-air, up, lowerLeft-air, notch)
		side(l, notch, lowerLeft-air, notch)
		side(l, notch, l, bottom)
		side(right, up, right, bottom)
		t.add(Label{X: right, Y: up - 0.7, Text: t.say.framed[r.hop.framed], Size: smallest, Anchor: End, Class: Muted})
	} else {
		side(l, headHeight-1, l, bottom)
		side(right, headHeight-1, right, bottom)
	}
	if closed {
		side(l, bottom, right, bottom)
	}
}
