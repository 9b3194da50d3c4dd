package pdf

import (
	"strings"
	"unicode/utf8"

	"hwcap/render/figure"
	"hwcap/render/typeface"
)

// piece is text in one face, as it is drawn.
type piece struct {
	face  typeface.Face
	size  float64
	class figure.Class
	link  string
	mono  bool   // a code span: broken without a hyphen
	page  string // an anchor: its page's number takes the place of s
	s     string
	w     float64 // millimetres
}

// word is what stays together on a line unless it is wider than the line.
type word struct {
	pieces  []piece
	w       float64
	gap     piece    // the space before it; empty where it may follow without one
	hard    bool     // begins a new line
	anchors []string // targets at this place
}

// line is a set line.
type line struct {
	pieces  []piece
	w       float64
	anchors []string
}

// words cuts spans into words.
func (st style) words(spans []span) []word {
	var (
		all []word
		cur word
	)
	flush := func() {
		if len(cur.pieces) > 0 {
			all = append(all, cur)
			cur = word{}
		}
	}
	for _, s := range spans {
		switch {
		case s.brk:
			flush()
			cur = word{hard: true, anchors: cur.anchors}
			continue
		case s.anchor != "":
			cur.anchors = append(cur.anchors, s.anchor)
			continue
		case s.pageOf != "":
			number := st.pieces(s.look, "00")[0] // as many pages as most reports have
			number.page = s.pageOf
			cur.pieces = append(cur.pieces, number)
			cur.w += number.w
			continue
		}
		text := typeface.Clean(s.text)
		if !s.mono {
			text = glue(text)
		}
		for text != "" {
			if n := len(text) - len(strings.TrimLeft(text, " ")); n > 0 {
				flush()
				if cur.gap.s == "" {
					gap := " "
					if s.mono {
						gap = text[:n]
					}
					cur.gap = st.pieces(s.look, gap)[0]
				}
				text = text[n:]
				continue
			}
			chunk, _, _ := strings.Cut(text, " ")
			text = text[len(chunk):]
			for chunk != "" {
				end := len(chunk)
				if !s.mono && !outside(s.link) {
					end = hyphenEnd(chunk)
				}
				for _, p := range st.pieces(s.look, chunk[:end]) {
					cur.pieces = append(cur.pieces, p)
					cur.w += p.w
				}
				if chunk = chunk[end:]; chunk != "" {
					flush()
				}
			}
		}
	}
	if len(cur.anchors) > 0 && len(cur.pieces) == 0 {
		cur.pieces = []piece{{}} // an anchor at the very end
	}
	flush()
	return all
}

// hyphenEnd returns how much of chunk goes on one line for sure: up to the
// first hyphen between letters, or all.
func hyphenEnd(chunk string) int {
	for from := 0; ; {
		i := strings.IndexByte(chunk[from:], '-')
		if i < 0 {
			return len(chunk)
		}
		from += i + 1
		if endsInLetters(chunk[:from-1]) && startsWithLetters(chunk[from:]) {
			return from
		}
	}
}

// endsInLetters reports whether the last three runes of s are letters.
func endsInLetters(s string) bool {
	for range 3 {
		r, n := utf8.DecodeLastRuneInString(s)
		if !isLetter(r) {
			return false
		}
		s = s[:len(s)-n]
	}
	return true
}

// startsWithLetters reports whether the first three runes of s are letters.
func startsWithLetters(s string) bool {
	for range 3 {
		r, n := utf8.DecodeRuneInString(s)
		if !isLetter(r) {
			return false
		}
		s = s[n:]
	}
	return true
}

// pieces sets text in a look. Unbreakable spaces have done their work and are
// drawn as plain ones, so that copied text can be searched.
func (st style) pieces(l look, text string) []piece {
	face, size := st.face(l)
	class := st.class
	if l.class != figure.None {
		class = l.class
	}
	text = strings.ReplaceAll(text, string(nbsp), " ")
	var all []piece
	for f, run := range face.Runs(text) {
		all = append(all, piece{f, size, class, l.link, l.mono, "", run, f.Width(run, size)})
	}
	return all
}

// epsilon forgives rounding when widths are compared, in millimetres.
const epsilon = 0.01

// fill breaks words into lines no wider than width.
func fill(words []word, width float64) []line {
	var (
		all []line
		cur line
	)
	flush := func() {
		all = append(all, cur)
		cur = line{}
	}
	for i, w := range words {
		if i > 0 && (w.hard || len(cur.pieces) > 0 && cur.w+w.gap.w+w.w > width+epsilon) {
			flush()
		}
		if len(cur.pieces) > 0 && w.gap.s != "" {
			cur.add(w.gap)
		}
		cur.anchors = append(cur.anchors, w.anchors...)
		if w.w <= width+epsilon {
			cur.add(w.pieces...)
			continue
		}
		for j, part := range cut(w, width) {
			if j > 0 {
				flush()
			}
			cur.add(part...)
		}
	}
	if len(cur.pieces) > 0 || len(cur.anchors) > 0 {
		flush()
	}
	return all
}

// add appends pieces, joining those that look the same.
func (l *line) add(pieces ...piece) {
	for _, p := range pieces {
		l.w += p.w
		if n := len(l.pieces); n > 0 {
			last := &l.pieces[n-1]
			if last.face == p.face && last.size == p.size && last.class == p.class && last.link == p.link && last.page == "" && p.page == "" {
				last.s += p.s
				last.w += p.w
				continue
			}
		}
		l.pieces = append(l.pieces, p)
	}
}

// outside reports whether a link leads out of the document.
func outside(link string) bool { return strings.HasPrefix(link, "https://") }

// runes returns the runes of a word.
func (w word) runes() []rune {
	var all []rune
	for _, p := range w.pieces {
		all = append(all, []rune(p.s)...)
	}
	return all
}

// joints tells after which of w's runes a line may break. A web address does
// not break after a hyphen, which would seem to be ours.
func (w word) joints(s []rune) []bool {
	at := joints(s)
	i := 0
	for _, p := range w.pieces {
		for _, r := range p.s {
			at[i] = at[i] && !(r == '-' && outside(p.link))
			i++
		}
	}
	return at
}

// widestAtom returns the width of the widest part of w that is not broken
// before letters are torn apart.
func (w word) widestAtom() float64 {
	var (
		s      = w.runes()
		at     = w.joints(s)
		widest float64
		part   float64
		i      int
	)
	for _, p := range w.pieces {
		for _, r := range p.s {
			part += p.face.RuneWidth(r, p.size)
			widest = max(widest, part)
			if at[i] {
				part = 0
			}
			i++
		}
	}
	return widest
}

// cut breaks a word that is wider than the line into parts that are not: after
// the last joint that fits; failing that between letters, with a hyphen unless
// it is code.
func cut(w word, width float64) [][]piece {
	var (
		s     = w.runes()
		at    = w.joints(s)
		parts [][]piece
		part  []piece
		i     int     // index of the rune in s
		start int     // where the part begins
		used  float64 // width of the part so far
		joint = -1    // last joint of the part
	)
	widths := make([]float64, 0, len(s))
	owner := make([]int, 0, len(s))
	for k, p := range w.pieces {
		for _, r := range p.s {
			widths = append(widths, p.face.RuneWidth(r, p.size))
			owner = append(owner, k)
		}
	}
	emit := func(end int, hyphen bool) {
		part = nil
		for j := start; j < end; {
			k := j
			for k < end && owner[k] == owner[j] {
				k++
			}
			p := w.pieces[owner[j]]
			p.s = string(s[j:k])
			if hyphen && k == end {
				p.s += "-"
			}
			p.w = p.face.Width(p.s, p.size)
			part = append(part, p)
			j = k
		}
		parts = append(parts, part)
		start, joint, used = end, -1, 0
	}
	for i < len(s) {
		used += widths[i]
		if used <= width+epsilon || i == start {
			if at[i] {
				joint = i
			}
			i++
			continue
		}
		if joint >= 0 {
			i = joint + 1
			emit(i, false)
			continue
		}
		end, hyphen := i, false
		p := w.pieces[owner[i-1]]
		if !p.mono && i-start > 3 && isLetter(s[i-1]) && isLetter(s[i]) {
			// Make room for the hyphen, and leave no single letter behind.
			room := width - used + widths[i] - p.face.RuneWidth('-', p.size)
			for end > start+3 && (room < 0 || len(s)-end < 3) {
				end--
				room += widths[end]
			}
			end = syllable(s, start+3, end)
			hyphen = isLetter(s[end-1]) && isLetter(s[end])
		}
		i = end
		emit(end, hyphen)
	}
	if start < len(s) {
		emit(len(s), false)
	}
	return parts
}

// syllable returns the last place in s, no later than end and at most four runes
// before it, where a syllable likely begins: a consonant before a vowel, and no
// letter group that is one sound. Without one it returns end.
func syllable(s []rune, least, end int) int {
	const vowels = "aeiouyäöüAEIOUYÄÖÜ"
	vowel := func(r rune) bool { return strings.ContainsRune(vowels, r) }
	for at := end; at >= max(least, end-4) && at > 0; at-- {
		if at+1 >= len(s) || !isLetter(s[at-1]) || !isLetter(s[at]) || vowel(s[at]) || !vowel(s[at+1]) {
			continue
		}
		if s[at] == 'h' && strings.ContainsRune("cpst", s[at-1]) || s[at] == 'k' && s[at-1] == 'c' {
			continue
		}
		return at
	}
	return end
}

// ops draws the line with its upper left corner at x, y, in style st.
func (l line) ops(x, y float64, st style) []Op {
	var ops []Op
	for _, name := range l.anchors {
		ops = append(ops, Anchor{y, name})
	}
	base := y + st.baseline()
	for _, p := range visual(l.pieces) {
		switch {
		case p.page != "":
			ops = append(ops, pageRef{X: x, Y: base, Face: p.face, Size: p.size, Class: p.class, To: p.page, Room: p.w})
		case p.s != "":
			ops = append(ops, Text{x, base, p.face, p.size, p.class, p.s})
		}
		if p.link != "" {
			ops = append(ops, Link{x, y, p.w, st.leading, p.link})
		}
		if outside(p.link) {
			ops = append(ops, Rule{x, base + 0.7, x + p.w, base + 0.7, 0.1, p.class, Solid})
		}
		x += p.w
	}
	for i, op := range ops {
		if number, ok := op.(pageRef); ok {
			number.After = len(ops) - i - 1
			ops[i] = number
		}
	}
	return ops
}
