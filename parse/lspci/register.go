package lspci

import (
	"bytes"
	"strings"

	"hwcap/parse/fact"
)

// register is a labelled line with its continuation lines. It lives until the
// next label.
type register struct {
	text  []byte // behind the label, or all without one; its lines end in \n, wrapped ones are whole again
	label []byte
	at    []fact.Line // its lines; kept only for rows with a reader
	scope scope       // the capability that it opens or belongs to

	seen seen // for registers to come

	buf    []byte // label and text
	labelN int
	lines  int
	column int // at which the label starts

	// Of the last line:
	width  int // where it ends, tabs being eight columns wide
	chars  int // its length, tabs being one
	whole  int // the same with quotes and prefix
	flowed bool
}

// maxJoin is how many lines a register may have. The longest of 3.15, the one
// of injected errors in flits, has 6, and a mailer may cut each in two.
const maxJoin = 32

// Mailers wrap between words, at 65 to 80 columns; terminals in the middle of
// one, at 80. A longer line was not wrapped.
const (
	wrapMin  = 64
	wrapMax  = 80
	terminal = 80
)

// noGlue stands between two parts of a word.
const noGlue = '\r'

// continues reports whether a line without a known label belongs to the open
// register: it stands deeper, or the line before it was wrapped. It returns what
// goes between the two lines, 0 if it does not belong.
func (p *parser) continues(l *line) (glue byte) {
	r := &p.reg
	if p.row == nil || r.lines >= maxJoin {
		return 0
	}
	if l.column > r.column && !p.row.flat { // also behind a blank line
		return '\n'
	}
	if p.apart() || l.column > 1 || p.row == &header && !r.headerGoesOn(l.text) {
		return 0
	}
	if r.flowed {
		return ' '
	}
	if r.width == terminal {
		if l.column == 1 {
			return ' '
		}
		if !p.listing.wrapped && r.endsInWord(l.text[0]) {
			return noGlue
		}
	}
	if p.fits(wordLen(l.text)) {
		p.listing.wrapped = p.listing.wrapped || r.width < terminal
		return ' '
	}
	if p.row == &header && r.progIfOpen() {
		return ' '
	}
	return 0
}

// fits reports whether the first word of the next line did not fit behind the
// last one: as wide as that is, as a mailer that counts a tab as one sees it, or
// as it was before its indentation got lost.
func (p *parser) fits(word int) bool {
	r := &p.reg
	if wraps(r.width, word) || wraps(r.chars, word) || wraps(r.whole, word) {
		return true
	}
	if !p.listing.flat || p.row == &header {
		return false
	}
	return wraps(r.width+8, word) || wraps(r.width+16, word) || wraps(r.width+24, word)
}

func wraps(width, word int) bool { return width <= wrapMax && width+1+word > wrapMin }

// endsInWord reports whether a terminal's line that next follows ends inside a
// word: at the end of one there is a blank, there or before the next.
func (r *register) endsInWord(next byte) bool {
	last := r.buf[len(r.buf)-1]
	return (isWord(last) || bytes.IndexByte([]byte("=/<>[(.:#_&"), last) >= 0) && bytes.IndexByte([]byte("#([<"), next) < 0 ||
		bytes.HasSuffix(r.buf, []byte("(prog-"))
}

func isWord(b byte) bool { return b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' }

// headerGoesOn tells whether text can be the rest of a device's first line:
// nothing follows prog-if there, and only prog-if follows the revision.
func (r *register) headerGoesOn(text []byte) bool {
	if bytes.HasSuffix(r.buf, []byte(")")) && bytes.Contains(r.buf, []byte(" (prog-if ")) {
		return false
	}
	tail := r.buf[max(0, len(r.buf)-len(" (rev 00)")):]
	return !hasPrefix(tail, " (rev ") || hasPrefix(text, "(prog-if ")
}

// progIfOpen: terminals break lines anywhere, "(prog-if 01 [A", "HCI 1.0])".
func (r *register) progIfOpen() bool {
	return bytes.Contains(r.buf, []byte(" (prog-if ")) && r.buf[len(r.buf)-1] != ')'
}

// open starts a register.
func (p *parser) open(row *row, l *line, label int) {
	p.row = row
	p.reg.buf = append(p.reg.buf[:0], l.text...)
	p.reg.labelN = label
	p.reg.at = p.reg.at[:0]
	p.reg.scope = p.scope
	p.reg.lines = 0
	p.reg.column = l.column
	if l.column <= p.base && row != &header && row != &treeRow {
		p.listing.flat = true
	}
	p.count(l)
}

// join adds a continuation line to the open register. Without one (its head was
// edited away) there is nothing to add to.
func (p *parser) join(l *line, glue byte) {
	if p.row == nil || p.reg.lines >= maxJoin {
		p.closeRegister()
		p.unread(l.n, "")
		return
	}
	if p.row.read != nil {
		if glue != noGlue {
			p.reg.buf = append(p.reg.buf, glue)
		}
		p.reg.buf = append(p.reg.buf, l.text...)
	}
	p.count(l)
}

func (p *parser) count(l *line) {
	r := &p.reg
	r.lines++
	r.chars, r.whole, r.flowed = l.chars, len(l.raw), l.flowed
	r.width = l.column + len(l.text)
	if r.width <= wrapMax { // else it was not wrapped, however wide its tabs are
		rest := l.text
		r.width = l.column
		for i := bytes.IndexByte(rest, '\t'); i >= 0; i = bytes.IndexByte(rest, '\t') {
			r.width = (r.width + i + 8) &^ 7
			rest = rest[i+1:]
		}
		r.width += len(rest)
	}
	if p.row.read != nil {
		r.at = append(r.at, p.at(l.n, l.raw))
	}
}

// maxText is how much of a line is cited. The longest that a fact comes of, a
// name, has 600 bytes.
const maxText = 4 << 10

// at returns the place of a line. Lines that facts cite are many and short, so
// they share allocations: text already written to a strings.Builder stays.
func (p *parser) at(n int, raw []byte) fact.Line {
	const block = 8 << 10
	raw = trimLeft(raw)
	raw = raw[:min(len(raw), maxText)]
	p.kept += max(len(raw), 64)
	if p.cited.Cap()-p.cited.Len() < len(raw) {
		p.cited = new(strings.Builder)
		p.cited.Grow(max(block, len(raw)))
	}
	start := p.cited.Len()
	p.cited.Write(raw)
	return fact.Line{File: p.file, Line: n, Text: p.cited.String()[start:]}
}

// closeRegister reads the open register into the open device.
func (p *parser) closeRegister() {
	row := p.row
	if row == nil {
		return
	}
	p.row = nil
	if row.read == nil {
		p.result.Unread.Ignored += p.reg.lines
		return
	}
	p.reg.label = p.reg.buf[:max(p.reg.labelN-1, 0)]
	p.reg.text = trimLeft(p.reg.buf[p.reg.labelN:])
	ok := false
	if row == &treeRow {
		ok = p.readBranch()
	} else {
		ok = row.read(p.dev, &p.reg)
	}
	if !ok {
		p.result.Unread.Lines += p.reg.lines
		p.notUnderstood(p.reg.at[0].Line, p.reg.buf)
	}
}
