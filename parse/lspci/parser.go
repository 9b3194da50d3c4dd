package lspci

import (
	"bytes"
	"fmt"
	"strings"

	"hwcap/parse/fact"
)

// parser holds what is open while the lines go by: a device, in it a
// capability, in it a register.
type parser struct {
	file   string
	result Result
	index  map[string]int // position of an address in result.Devices
	listed []int          // number of the listing that last held each device
	known  int            // headers and registers read, for Looks

	clean   cleaner
	cited   *strings.Builder // lines that facts cite
	pending splice

	dev     *fact.Device // the open device, last of result.Devices; nil: none
	blank   bool         // the line before was blank
	scope   scope
	row     *row // of the open register; nil: none
	reg     register
	space   space
	listing listing
	full    bool // further devices are not kept
}

// register is a labelled line with its continuation lines. It lives until the
// next label.
type register struct {
	text  []byte // behind the label, or all without one; its lines end in \n, wrapped ones are whole again
	label []byte
	at    []fact.Line // its lines; kept only for rows with a reader

	buf    []byte // label and text
	labelN int
	lines  int
	column int // at which the label starts
	width  int // where the last line ends
}

// maxJoin is how many lines a register may have. The longest of 3.15, DevCap2,
// has 6, and a mailer may cut each in two.
const maxJoin = 32

// listing is one run of lspci: devices up to a prompt, or to an address that
// was listed before.
type listing struct {
	number  int
	devices []int // positions in result.Devices
	kernel  bool  // it prints "Kernel driver" lines (-k, or any -v)
}

// splice is a line that a message cut in two, until its second half comes.
type splice struct {
	first []byte // the half before the message
	raw   []byte // the physical line
	n     int    // its number; 0: there is none
}

func (s *splice) add(first []byte, n int, raw []byte) {
	if s.n == 0 {
		s.n, s.raw = n, bytes.Clone(raw)
	}
	if len(s.first)+len(first) <= maxLine {
		s.first = append(s.first, first...)
	}
}

func newParser(file string) *parser {
	return &parser{
		file:    file,
		cited:   new(strings.Builder),
		index:   map[string]int{},
		listing: listing{number: 1},
		result:  Result{Unread: fact.Unread{File: file}},
	}
}

// next takes the line that in stands at.
func (p *parser) next(in *lines) {
	p.result.Unread.Of++
	if in.cut {
		p.problem(in.n, "line longer than 1 MiB, read up to there")
	}
	n, raw, line := in.n, in.raw, in.raw
	if in.odd {
		if before, after, found := cutMessage(raw); found {
			if len(bytes.TrimSpace(before)) > 0 && (p.dev != nil || isHeader(before)) {
				p.pending.add(before, n, raw)
			}
			if len(bytes.TrimSpace(after)) == 0 {
				p.result.Unread.Ignored++
				return
			}
			line = after
		}
	}
	if p.pending.n > 0 {
		n, raw, line = p.pending.n, p.pending.raw, append(p.pending.first, line...)
		p.pending = splice{}
	}
	text, column := p.clean.clean(line, in.odd)
	if !in.ended && len(text) > 0 && !isHeader(text) {
		// "Width x1" may have been "Width x16".
		p.closeRegister()
		p.unread(n, "last line has no end and may be cut, so it is not read")
		return
	}
	p.line(n, raw, text, column)
}

func isHeader(text []byte) bool {
	_, _, ok := address(text)
	return ok
}

// line sorts one line: what its text is decides, then where it stands.
func (p *parser) line(n int, raw, text []byte, column int) {
	p.blank = len(text) == 0
	if p.blank {
		p.closeRegister()
		p.result.Unread.Ignored++
		return
	}
	if b := text[0]; b >= '0' && b <= '9' || b >= 'a' && b <= 'f' {
		if addr, rest, ok := address(text); ok {
			if !p.openDevice(addr, n, raw) {
				p.unread(n, "")
				return
			}
			p.open(&header, n, raw, text, len(text)-len(rest), column)
			return
		}
		if p.hexRow(n, raw, text) {
			return
		}
	}
	if p.dev != nil {
		if row, label := p.find(text); row != nil && !row.more {
			p.closeRegister()
			if row == &capability {
				p.scope = scopeOf(text[label:])
			}
			p.open(row, n, raw, text, label, column)
			return
		} else if row != nil {
			p.join(n, raw, text, column, '\n')
			return
		}
	}
	if other := isOther(text); other != nil {
		p.closeRegister()
		if other.ends {
			p.closeDevice()
			p.closeListing()
		}
		p.result.Unread.Ignored++
		return
	}
	if glue := p.continues(text, column); glue != 0 {
		p.join(n, raw, text, column, glue)
		return
	}
	p.closeRegister()
	p.unread(n, "")
}

// find looks the line up in the tables of the open capability and of the
// device. It returns the length of the label with its colon, 0 without one.
func (p *parser) find(text []byte) (*row, int) {
	inner, outer := &tables[p.scope], &tables[device]
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

// Mailers wrap at 72 to 80 columns; a longer line was not wrapped.
const (
	wrapMin = 70
	wrapMax = 80
)

// continues reports whether a line without a known label belongs to the open
// register: it stands deeper, or a mailer wrapped the line before it, since the
// first word did not fit there. A mailer indents nothing. It returns what goes
// between the two lines, 0 if it does not belong.
func (p *parser) continues(text []byte, column int) (glue byte) {
	r := &p.reg
	if p.row == nil || r.lines >= maxJoin {
		return 0
	}
	if column > r.column && !p.row.flat {
		return '\n'
	}
	if column > 0 || r.width > wrapMax || p.row == &header && !r.headerGoesOn(text) {
		return 0
	}
	if r.width+1+wordLen(text) > wrapMin || p.row == &header && r.progIfOpen() {
		return ' '
	}
	return 0
}

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
func (p *parser) open(r *row, n int, raw, text []byte, label, column int) {
	p.row = r
	p.reg.buf = append(p.reg.buf[:0], text...)
	p.reg.labelN = label
	p.reg.at = p.reg.at[:0]
	p.reg.lines = 0
	p.reg.column = column
	p.count(n, raw, column+len(text))
}

// join adds a continuation line to the open register. Without one (its head was
// edited away) there is nothing to add to.
func (p *parser) join(n int, raw, text []byte, column int, glue byte) {
	if p.row == nil || p.reg.lines >= maxJoin {
		p.unread(n, "")
		return
	}
	if p.row.read != nil {
		p.reg.buf = append(append(p.reg.buf, glue), text...)
	}
	p.count(n, raw, column+len(text))
}

func (p *parser) count(n int, raw []byte, width int) {
	p.reg.lines++
	p.reg.width = width
	if p.row.read != nil {
		p.reg.at = append(p.reg.at, p.at(n, raw))
	}
}

// at returns the place of a line. Lines that facts cite are many and short, so
// they share allocations: text already written to a strings.Builder stays.
func (p *parser) at(n int, raw []byte) fact.Line {
	const block = 8 << 10
	raw = trimLeft(raw)
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
	r := p.row
	if r == nil {
		return
	}
	p.row = nil
	if r.read == nil {
		p.result.Unread.Ignored += p.reg.lines
		return
	}
	p.reg.label = p.reg.buf[:max(p.reg.labelN-1, 0)]
	p.reg.text = trimLeft(p.reg.buf[p.reg.labelN:])
	if !r.read(p.dev, &p.reg) {
		p.result.Unread.Lines += p.reg.lines
		p.problem(p.reg.at[0].Line, fmt.Sprintf("not understood: %.120q", p.reg.buf))
		return
	}
	p.known++
}

// maxDevices is how many functions are kept of one text; a server with virtual
// functions has a few thousand.
const maxDevices = 20_000

// openDevice begins a device. It returns false, and says so once, for one too
// many: all that stands below it is unread then.
func (p *parser) openDevice(addr string, n int, raw []byte) bool {
	p.closeDevice()
	if _, again := p.index[addr]; !again && len(p.result.Devices) >= maxDevices {
		if !p.full {
			p.problem(n, fmt.Sprintf("more than %d functions; the rest is not kept", maxDevices))
		}
		p.full = true
		return false
	}
	p.result.Devices = append(p.result.Devices, fact.Device{Address: addr, Listings: 1, From: p.at(n, raw)})
	p.dev = &p.result.Devices[len(p.result.Devices)-1]
	p.scope = device
	return true
}

// closeDevice ends the open device, and merges it into the one of its address
// if that was listed before.
func (p *parser) closeDevice() {
	p.closeRegister()
	d := p.dev
	if d == nil {
		return
	}
	p.dev = nil
	preferAF(d)
	p.closeSpace(d)
	kernel := d.DriverKnown
	last := len(p.result.Devices) - 1
	i, again := p.index[d.Address]
	if again {
		if p.listed[i] == p.listing.number {
			p.closeListing()
		}
		merge(&p.result.Devices[i], d)
		p.result.Devices = p.result.Devices[:last]
	} else {
		i = last
		p.index[d.Address] = i
		p.listed = append(p.listed, 0)
	}
	p.listed[i] = p.listing.number
	p.listing.devices = append(p.listing.devices, i)
	p.listing.kernel = p.listing.kernel || kernel
}

// closeListing tells the devices of a run of lspci -k or -v that a missing
// driver is none.
func (p *parser) closeListing() {
	if p.listing.kernel {
		for _, i := range p.listing.devices {
			p.result.Devices[i].DriverKnown = true
		}
	}
	p.listing = listing{number: p.listing.number + 1}
}

// end closes what is open. A last device without the blank line behind it may
// have lost its end, and with that its driver.
func (p *parser) end() {
	if p.pending.n > 0 {
		p.result.Unread.Ignored-- // it counted as a message
		p.unread(p.pending.n, "line cut by a message, its second half is missing")
	}
	open := ""
	if p.dev != nil && !p.blank {
		open = p.dev.Address
	}
	p.closeDevice()
	p.closeListing()
	if i, ok := p.index[open]; ok && p.result.Devices[i].Driver == "" {
		p.result.Devices[i].DriverKnown = false
	}
}

func (p *parser) unread(n int, why string) {
	p.result.Unread.Lines++
	if why != "" {
		p.problem(n, why)
	}
}

func (p *parser) problem(n int, text string) {
	if len(p.result.Problems) < maxProblems {
		p.result.Problems = append(p.result.Problems, fact.Problem{File: p.file, Line: n, Text: text})
	}
}
