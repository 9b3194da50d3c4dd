package lspci

import (
	"bytes"
	"fmt"
	"strings"

	"hwcap/parse/fact"
)

// parser holds what is open while the lines go by: a listing, in it a device,
// in it a capability, in it a register.
type parser struct {
	file   string
	result Result
	index  map[string]int // position of an address in result.Devices
	listed []int          // number of the listing that last held each device

	clean   cleaner
	cited   *strings.Builder // lines that facts cite
	pending splice

	inside  bool         // a listing is open: the last line was of it
	dev     *fact.Device // the open device, last of result.Devices; nil: none
	base    int          // column of its first line
	group   group
	blanks  int  // lines since the last that is not blank
	headed  bool // nothing was known since the first line of the device
	spaced  bool // the text has a blank line behind each line
	scope   scope
	column  int  // of the line that opened the capability
	row     *row // of the open register; nil: none
	reg     register
	space   space
	tree    tree
	listing listing
	full    bool // further devices are not kept
	kept    int  // bytes of the lines that facts cite
}

// line is a line of text, put together from its pieces where it was cut.
type line struct {
	n      int    // number of the first physical line
	raw    []byte // that line
	text   []byte // without damage, and without the blanks around it
	column int    // at which text starts
	chars  int    // its length with the blanks before it, tabs being one
	flowed bool   // it goes on with the next line, says format=flowed
}

// splice is a line that a message or quoted-printable cut, until its end comes.
type splice struct {
	text []byte // what came of it
	raw  []byte // the first physical line
	n    int    // its number; 0: there is none
}

func (s *splice) add(text []byte, n int, raw []byte) {
	if s.n == 0 {
		s.n, s.raw, s.text = n, append(s.raw[:0], raw...), s.text[:0]
	}
	if len(s.text)+len(text) <= maxLine {
		s.text = append(s.text, text...)
	}
}

func newParser(file string) *parser {
	return &parser{
		file:    file,
		cited:   new(strings.Builder),
		index:   map[string]int{},
		reg:     register{seen: seen{}},
		listing: listing{number: 1},
		result:  Result{Unread: fact.Unread{File: file}, Outside: fact.Unread{File: file}},
	}
}

// next takes the line that in stands at.
func (p *parser) next(in *lines) {
	p.result.Unread.Of++
	if in.cut {
		p.problem(in.n, "line longer than 1 MiB, read up to there")
	}
	n, raw, text, goesOn := in.n, in.raw, in.raw, false
	if in.odd {
		goesOn = softBreak(raw)
		if before, after, found := cutMessage(raw); found {
			if len(bytes.TrimSpace(before)) > 0 && (p.dev != nil || begins(before)) {
				p.pending.add(before, n, raw)
			}
			if len(bytes.TrimSpace(after)) == 0 {
				p.ignore()
				return
			}
			text = after
		}
	}
	if s := &p.pending; goesOn || s.n > 0 {
		s.add(text, n, raw)
		if goesOn {
			s.text = bytes.TrimSuffix(trimRight(s.text), []byte("="))
			p.ignore()
			return
		}
		n, raw, text = s.n, s.raw, s.text
		s.n = 0
	}
	l := line{n: n, raw: raw}
	l.text, l.column = p.clean.clean(text, in.odd)
	l.chars, l.flowed = p.clean.chars, p.clean.flowed
	if !in.ended && len(l.text) > 0 && !begins(l.text) {
		// "Width x1" may have been "Width x16".
		p.closeRegister()
		p.unread(n, "last line has no end and may be cut, so it is not read")
		return
	}
	p.line(&l)
}

// line sorts one line: what its text is decides, then where it stands.
func (p *parser) line(l *line) {
	if len(l.text) == 0 {
		if p.blanks++; p.apart() {
			p.closeRegister()
			p.tree.open = p.tree.open[:0]
		}
		p.ignore()
		return
	}
	if !p.recognised(l) {
		p.other(l)
	}
	p.blanks = 0
}

// apart reports whether a blank line stands before this one that is not just
// one of those behind every line.
func (p *parser) apart() bool { return p.blanks > 1 || p.blanks > 0 && !p.spaced }

// recognised takes a line that is known by its beginning, or by standing deeper
// than the open register's.
func (p *parser) recognised(l *line) bool {
	switch b := l.text[0]; {
	case b >= '0' && b <= '9' || b >= 'a' && b <= 'f':
		if p.header(l) || p.hexRow(l.n, l.raw, l.text) {
			return true
		}
	case b >= 'A' && b <= 'F' && p.hexRow(l.n, l.raw, l.text): // an editor or a tool may print digits so
		return true
	case b == 'S' || b == 'D':
		if p.record(l) {
			return true
		}
	case b == 'I':
		if p.groupHeading(l) {
			return true
		}
	case b == '-' || b == '+' || b == '|' || b == '\\':
		if p.branch(l) {
			return true
		}
	}
	if p.dev == nil {
		return false
	}
	if p.row != nil && l.column > p.reg.column && !p.row.flat && p.reg.lines < maxJoin && !p.apart() && !hasPrefix(l.text, "Capabilities:") {
		p.join(l, '\n')
		return true
	}
	row, label := p.find(l.text, p.scope > record && l.column > p.column)
	if row == nil {
		return false
	}
	if row.more {
		p.join(l, '\n')
		return true
	}
	p.spaced = p.spaced || p.blanks == 1 && p.headed
	p.headed = false
	p.closeRegister()
	if row == &capability {
		p.column = l.column
		p.openCapability(l.text[label:])
	}
	p.open(row, l, label)
	return true
}

// other takes a line that is not known: one of another command, the rest of a
// line before, or one of a shape that nobody has seen.
func (p *parser) other(l *line) {
	if other := isOther(l.text); other != nil {
		p.closeRegister()
		if other.ends {
			p.leave()
		}
		p.ignore()
		return
	}
	if glue := p.continues(l); glue != 0 {
		p.join(l, glue)
		return
	}
	if p.clean.prefix.shape == nil {
		if rest := p.clean.prefix.learn(l.text); rest != nil {
			l.text = trimLeft(rest)
			l.column = len(rest) - len(l.text)
			p.recognised(l)
			return
		}
	}
	p.closeRegister()
	if p.apart() && l.column <= p.base {
		p.leave() // all that lspci prints behind a blank line is known
	}
	p.unread(l.n, "")
}

// find looks the line up in the tables of the open capability and, unless it
// stands deeper than that, of the device. It returns the length of the label
// with its colon, 0 without one.
func (p *parser) find(text []byte, deeper bool) (*row, int) {
	inner, outer := &tables[p.scope], &tables[device]
	if deeper {
		outer = inner
	}
	if text[0] == '[' && (p.scope == ide || p.scope == vpd) { // "[844]SelectiveIDE#0 Sta: ...", "[PN] Part number: ..."
		_, text, _ = bytes.Cut(text, []byte("]"))
		text = trimLeft(text)
	}
	if i := bytes.IndexByte(text[:min(len(text), maxLabel)], ':'); i > 0 {
		label := text[:i]
		if r := either(inner.labels, outer.labels, label); r != nil {
			return r, i + 1
		}
		if prefix, ok := trimNumber(label); ok {
			if r := either(inner.numbered, outer.numbered, prefix); r != nil {
				return r, i + 1
			}
		}
	}
	one := wordLen(text)
	if one == 0 {
		return nil, 0
	}
	if r := inner.words[string(flagName(text[:one]))]; r != nil {
		return r, 0
	}
	if i := bytes.IndexByte(text[:one], '='); i > 0 {
		if r := inner.words[string(text[:i+1])]; r != nil {
			return r, 0
		}
	}
	if prefix, ok := trimNumber(text[:one]); ok {
		if r := inner.numbered[string(prefix)]; r != nil {
			return r, 0
		}
	}
	if one < len(text) {
		two := one + 1 + wordLen(text[one+1:])
		return either(inner.words, outer.words, text[:two]), 0
	}
	return nil, 0
}

func either(inner, outer map[string]*row, key []byte) *row {
	if r := inner[string(key)]; r != nil {
		return r
	}
	return outer[string(key)]
}

// maxLabel is longer than every label in the tables.
const maxLabel = 48

// ignore counts a line that is known to say nothing.
func (p *parser) ignore() {
	p.result.Unread.Ignored++
	if !p.inside {
		p.result.Outside.Ignored++
		p.result.Outside.Of++
	}
}

func (p *parser) unread(n int, why string) {
	p.result.Unread.Lines++
	if !p.inside {
		p.result.Outside.Lines++
		p.result.Outside.Of++
	}
	if why != "" {
		p.problem(n, why)
	}
}

func (p *parser) problem(n int, text string) {
	if len(p.result.Problems) < maxProblems {
		p.result.Problems = append(p.result.Problems, fact.Problem{File: p.file, Line: n, Text: text})
	}
}

func (p *parser) notUnderstood(n int, text []byte) {
	p.problem(n, fmt.Sprintf("not understood: %.120q", text))
}
