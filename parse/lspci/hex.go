package lspci

import (
	"bytes"
	"slices"

	"hwcap/parse/fact"
	"hwcap/parse/pciconfig"
)

// The rows of configuration space that lspci -x to -xxxx prints below a device
// (lspci.c of pciutils, show_hex_dump): an offset of two digits, three from 100,
// and 16 bytes each. They are gathered until the device ends, and package
// pciconfig reads them.

const (
	configSize = 4096 // of a PCI Express function, the largest there is
	rowBytes   = 16   // that lspci prints in a row
	maxRow     = 254  // length of a line that pcilib takes for a row (lib/dump.c, dump_init)
)

// space is what the rows of one device hold.
type space struct {
	bytes [configSize]byte
	row   [configSize]uint16 // number of the row of each byte, from 1; 0: there is none
	end   int                // behind the last byte
	rows  []hexRow
	text  []byte // of the rows, one behind the other
	last  hexRow
	data  []byte // of the row at hand
}

type hexRow struct {
	n          int       // number of the line
	start, end int       // its text, in space.text
	next       int       // offset behind its last byte
	cut        bool      // it has less than rowBytes, as if a mailer had cut it
	at         fact.Line // once a fact cites it
}

// hexRow reads a line as a row, or as the rest of the row before, which a
// mailer cut. It returns false for a line that is neither.
func (p *parser) hexRow(n int, raw, text []byte) bool {
	s := &p.space
	offset, digits, ok := cutOffset(text)
	if !ok {
		if !s.last.cut || n != s.last.n+1 {
			return false
		}
		offset, digits = s.last.next, text
	}
	if len(raw) > maxRow || !s.read(digits) || offset+len(s.data) > configSize {
		return false
	}
	p.closeRegister()
	if p.dev == nil {
		p.unread(n, "")
		return true
	}
	if !s.add(offset, n, trimLeft(raw)) {
		p.unread(n, "not the bytes of an earlier row, which count")
		return true
	}
	return true
}

// cutOffset splits "a0: 07 b0". Offsets of a time of day have no blank behind
// the colon.
func cutOffset(text []byte) (offset int, digits []byte, ok bool) {
	n := bytes.IndexByte(text[:min(len(text), len("fff:"))], ':')
	if n < 2 || !allHex(text[:n], n) || len(text) < n+4 || text[n+1] != ' ' {
		return 0, nil, false
	}
	offset, _ = number(text[:n], 16)
	return offset, text[n+2:], true
}

// read reads "07 b0", bytes of two digits with a blank between them, into
// s.data.
func (s *space) read(text []byte) bool {
	s.data = s.data[:0]
	for i := 0; i < len(text); i += 3 {
		if i+1 >= len(text) || i > 0 && !isBlank(text[i-1]) {
			return false
		}
		high, low := digit(text[i]), digit(text[i+1])
		if high < 0 || low < 0 {
			return false
		}
		s.data = append(s.data, byte(high<<4|low))
	}
	return len(text)%3 == 2
}

func digit(b byte) int {
	switch {
	case b >= '0' && b <= '9':
		return int(b - '0')
	case b >= 'a' && b <= 'f':
		return int(b-'a') + 10
	case b >= 'A' && b <= 'F':
		return int(b-'A') + 10
	}
	return -1
}

// add keeps the row in s.data. It returns false where a byte of it is known to
// be another. A row without a new byte is not kept, so that there are at most
// as many as bytes.
func (s *space) add(offset, n int, text []byte) bool {
	end, fresh := offset+len(s.data), false
	s.last = hexRow{}
	for i, b := range s.data {
		known := s.row[offset+i] > 0
		if known && s.bytes[offset+i] != b {
			return false
		}
		fresh = fresh || !known
	}
	s.last = hexRow{n: n, start: len(s.text), end: len(s.text) + len(text), next: end, cut: len(s.data) < rowBytes}
	if !fresh {
		return true
	}
	s.text = append(s.text, text...)
	s.rows = append(s.rows, s.last)
	copy(s.bytes[offset:], s.data)
	for at := offset; at < end; at++ {
		if s.row[at] == 0 {
			s.row[at] = uint16(len(s.rows))
		}
	}
	s.end = max(s.end, end)
	return true
}

// closeSpace reads the rows of the open device. What the text prints stands.
func (p *parser) closeSpace(d *fact.Device) {
	s := &p.space
	if s.end == 0 {
		return
	}
	if config := s.bytes[:p.gap()]; len(config) > 0 {
		hex, problems := pciconfig.Decode(d.Address, config, p.rowAt)
		for _, problem := range problems {
			p.problem(problem.Line, problem.Text)
		}
		differ := func(name string, at fact.Line) {
			p.problem(at.Line, d.Address+": "+name+" is another one in the text, which counts")
		}
		if hex.Header == "7f" { // all ones, where the text knows what the kernel remembers
			differ = nil
		}
		d.Fill(&hex, differ)
		pciconfig.PreferAF(d) // again, where the dump has a capability that the text left out
	}
	clear(s.row[:s.end])
	s.end, s.rows, s.text, s.last = 0, s.rows[:0], s.text[:0], hexRow{}
}

// gap returns where the first byte is missing. Rows behind are not read: what a
// capability says would depend on what is not there.
func (p *parser) gap() int {
	s := &p.space
	gap := slices.Index(s.row[:s.end], 0)
	if gap < 0 {
		return s.end
	}
	why := "a row is missing before this one, so it is not read, nor are those behind it"
	for _, row := range s.rows {
		if row.next > gap {
			p.unread(row.n, why)
			why = ""
		}
	}
	return gap
}

// rowAt is the place of the byte at offset.
func (p *parser) rowAt(offset int, _ string) fact.Line {
	s := &p.space
	row := &s.rows[s.row[offset]-1]
	if row.at.IsZero() {
		row.at = p.at(row.n, s.text[row.start:row.end])
	}
	return row.at
}
