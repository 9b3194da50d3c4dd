package pdf

import (
	"regexp"
	"strings"

	"hwcap/render/figure"
	"hwcap/render/typeface"
)

// The panel behind evidence, in millimetres.
const (
	codePad  = 1.4 // above and below
	codeSide = 2.5 // at the sides
)

// carry marks the rest of a line that was too long.
const carry = "↳ "

// code sets a code block: evidence, in mono on a light panel. It may be cut
// between pages, but not so that two lines or fewer are left alone, and not
// within a line that goes on in the next row.
func (b *builder) code(text string, a area) {
	var (
		st    = codeStyle
		width = a.w - 2*codeSide
		rows  []string
	)
	for l := range strings.Lines(strings.TrimRight(text, "\n")) {
		rows = append(rows, breakCode(typeface.Clean(strings.TrimRight(l, "\r\n")), width)...)
	}
	if len(rows) == 0 {
		return
	}
	b.space(blockGap)
	b.panels = append(b.panels, &panel{x: a.x, w: a.w, fill: figure.Panel, pad: codePad})
	for i, row := range rows {
		l := line{pieces: st.pieces(look{mono: true}, row)}
		for k := range l.pieces { // at full size: no sans beside it
			p := &l.pieces[k]
			p.size = st.size
			p.w = p.face.Width(p.s, p.size)
		}
		last := len(rows) - 1
		b.emit(strip{
			height: st.leading,
			ops:    l.ops(a.x+codeSide, 0, st),
			keep:   i < last && (i < 2 || i >= last-2 || len(rows) <= 6 || strings.HasPrefix(rows[i+1], carry)),
		})
	}
	b.panels = b.panels[:len(b.panels)-1]
	b.space(blockGap)
}

// columns3 matches the spaces that make a column of a table, behind its text.
var columns3 = regexp.MustCompile(`(\S) {3,}`)

// breakCode breaks a line of code into rows no wider than width millimetres. A
// row ends, in its second half, before the bracket that would be torn, else
// after a comma or an ellipsis, else at the last space that parts no number from
// its unit and no ellipsis from its text; else after a comma without a space (a
// member of JSON), else at the last joint, unless most of the row would be empty:
// so a hash stays whole; else where it is full. What follows is marked. A
// column's padding is no reason to break: a line that is too long goes without.
func breakCode(s string, width float64) []string {
	face, size := typeface.Mono, codeStyle.size
	if face.Width(s, size) <= width {
		return []string{s}
	}
	if s = columns3.ReplaceAllString(s, "$1  "); face.Width(s, size) <= width {
		return []string{s}
	}
	var (
		runes = []rune(s)
		at    = joints(runes)
		rows  []string
		mark  string
	)
	for start := 0; start < len(runes); {
		room := width - face.Width(mark, size)
		end, used := start, 0.0
		bracket, pause, space, member, joint := -1, -1, -1, -1, -1
		for end < len(runes) {
			w := face.RuneWidth(runes[end], size)
			if used+w > room && end > start {
				break
			}
			used += w
			switch {
			case runes[end] == ' ' && used > 0.5*room && end+1 < len(runes):
				if parts(runes, end) {
					break
				}
				space = end + 1
				switch {
				case runes[end+1] == '(':
					bracket = end + 1
				case used > 0.6*room && strings.ContainsRune(",;…", runes[end-1]):
					pause = end + 1
				}
			case runes[end] == ')':
				bracket = -1
			case at[end] && used > 0.3*room:
				joint = end + 1
				if runes[end] == ',' {
					member = joint
				}
			}
			end++
		}
		if end < len(runes) {
			switch {
			case bracket >= 0:
				end = bracket
			case pause >= 0:
				end = pause
			case runes[end] == ' ' && !parts(runes, end): // the row is exactly full
			case space >= 0:
				end = space
			case member >= 0:
				end = member
			case joint >= 0:
				end = joint
			}
		}
		rows = append(rows, mark+strings.TrimRight(string(runes[start:end]), " "))
		for end < len(runes) && runes[end] == ' ' {
			end++
		}
		start, mark = end, carry
	}
	return rows
}

// parts reports whether a break at the space s[i] would part what belongs
// together.
func parts(s []rune, i int) bool {
	const far = 16
	if i+1 < len(s) && s[i+1] == '…' {
		return true
	}
	return sticks(string(s[max(0, i-far):i]), string(s[i+1:min(len(s), i+1+far)]))
}
