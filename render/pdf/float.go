package pdf

import "slices"

// A picture that would leave much of a page empty above it floats: it goes to
// the top of the next page, and the text of its chapter goes on before it. Where
// the page ends within evidence, the picture goes below that.

// leastGap is the empty rest of a page, in millimetres, that a picture may
// leave.
const leastGap = (bottom - top) / 5

// floats returns where the pictures and their captions begin and end that are
// next in strips, behind the heading that they are kept with, and whether they
// float: they do if they do not fit here, the gap would be large, and the text
// after them, without the chapters that follow, is enough to fill it.
func (p *pager) floats(strips []strip) (at, end int, ok bool) {
	n := together(strips)
	at = slices.IndexFunc(strips[:n], func(s strip) bool { return s.figure })
	if at < 0 {
		return 0, 0, false
	}
	end = at + 1
	for end < len(strips) && strips[end].figure {
		end++
	}
	room := bottom - p.y
	switch {
	case len(p.wait) > 0:
		return at, end, true // pictures keep their order
	case p.y == p.start, room < leastGap, total(strips[:n]) <= room, strips[end-1].keep:
		return 0, 0, false
	}
	text := strips[end:]
	if next := slices.IndexFunc(text, func(s strip) bool { return s.opens }); next >= 0 {
		text = text[:next]
	}
	head := total(strips[:at])
	if len(text) == 0 || head+total(text) < room {
		return 0, 0, false
	}
	first := text[:together(text)]
	return at, end, head+total(first) <= room && strips[0].gap+strips[0].need <= room
}

// float makes strips[at:end] wait and returns the strips without them.
func (p *pager) float(strips []strip, at, end int) []strip {
	p.wait = append(p.wait, strips[at:end]...)
	rest := slices.Concat(strips[:at], strips[end:])
	if at > 0 {
		rest[0].opens = false // what waits is of this chapter
	}
	return rest
}

// land puts pictures that wait on the page that begins, as many as it holds but
// one at least.
func (p *pager) land() {
	for len(p.wait) > 0 {
		n := together(p.wait)
		if p.y > top && p.y+total(p.wait[:n]) > bottom {
			break
		}
		for _, s := range p.wait[:n] {
			if p.y > top {
				p.y += s.gap
			}
			p.draw(s)
		}
		p.wait = p.wait[n:]
	}
	if p.y > top {
		p.y += findingGap
	}
	p.start = p.y
}

// settle sets pictures that wait below evidence that has ended, as many as fit.
func (p *pager) settle() {
	p.close(nil)
	for len(p.wait) > 0 {
		n := together(p.wait)
		if p.y+findingGap+total(p.wait[:n]) > bottom {
			return
		}
		p.y += findingGap
		for _, s := range p.wait[:n] {
			p.y += s.gap
			p.draw(s)
		}
		p.wait = p.wait[n:]
	}
}

// evidence reports whether strips that hold together stand on a panel, all or
// the last ones. No picture lands among such strips, nor between their label
// and the text above.
func evidence(strips []strip) bool {
	return slices.ContainsFunc(strips, func(s strip) bool { return len(s.panels) > 0 })
}

// total is the height of strips with their gaps.
func total(strips []strip) float64 {
	var all float64
	for i, s := range strips {
		all += s.gap + s.height + padding(strips, i)
	}
	return all
}
