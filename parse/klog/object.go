package klog

import (
	"bytes"
	"unicode/utf16"
	"unicode/utf8"
)

// scanner reads JSON as it comes, a piece of a line at a time, and keeps no more
// than the field that it is at. It looks for objects that hold no others, as
// those of a log do, wherever they stand; what is cut off or damaged costs its
// own line.
type scanner struct {
	in    token
	line  []byte // the line so far
	value []byte // the token so far
	name  string // the key that a value is awaited for, if it is one of keys
	after bool   // a colon came: this is a value
	list  bool   // it is one of a list
	long  bool   // a message is longer than what is kept

	code, high rune // of an escape so far, and of the one before if it is half a character
	digits     int
}

type token byte

const (
	between token = iota
	quoted
	escaped // behind the backslash
	unicode // behind "\u"
	bare    // a number or word
)

// object reads on in an object and reports whether it is complete.
func (r *reader) object() bool {
	s, e := &r.scan, &r.entry
	if r.begins {
		s.line = s.line[:0]
	}
	piece := r.rest
	for i := 0; i < len(piece); i++ {
		c := piece[i]
		if s.in == quoted {
			n := bytes.IndexAny(piece[i:], "\"\\\n")
			if n < 0 {
				n = len(piece) - i
			}
			if s.put(piece[i : i+n]); i+n == len(piece) {
				break
			}
			i += n
			c = piece[i]
		}
		switch {
		case c == '\n':
			if s.in == quoted || s.in == escaped || s.in == unicode { // half a string is none
				s.in, s.name, s.after = between, "", s.list
			}
			s.end(e)
			s.keep(piece[:i])
			e.keep(s.line, r.lines)
		case s.in == quoted && c == '\\':
			s.in = escaped
		case s.in == quoted: // the quotation mark
			s.end(e)
		case s.in == escaped:
			s.escape(c)
		case s.in == unicode:
			s.hex(c)
		case s.in == bare && !(c == ',' && s.value[0] != '[') && c != '}' && c != ']':
			s.put(piece[i : i+1])
		case s.in == bare && s.value[0] == '[' && c == ']':
			s.put(piece[i : i+1])
			s.end(e)
		default:
			if s.in == bare {
				s.end(e)
			}
			switch c {
			case '"':
				s.begin(quoted)
			case ':':
				if s.name, s.after = key(s.value), true; s.name == "msg" || s.name == "MESSAGE" {
					// A message before it is of an object whose end is lost, and with
					// that whose time this is.
					e.text, e.raw, e.said = e.text[:0], e.raw[:0], false
					e.line, e.format = r.lines, formatJSON
					if s.name == "MESSAGE" {
						e.format = formatObject
					}
				}
			case ',':
				s.after = s.after && s.list
			case '[':
				if s.name == "time" && s.after {
					s.begin(bare)
					s.put(piece[i : i+1])
				} else {
					s.list = s.after
				}
			case ']':
				s.list, s.after = false, false
			case '{', '}':
				s.list, s.after = false, false
				done := i
				if c == '}' {
					done++
				}
				if e.said {
					if s.long {
						r.long, s.long = r.long+1, false
					}
					s.keep(piece[:done])
					e.keep(s.line, r.lines)
					s.line = s.line[:0]
					r.rest = piece[done:]
					return r.deliver()
				}
				e.reset()
			case ' ', '\t', '\r':
			default:
				s.begin(bare)
				s.put(piece[i : i+1])
			}
		}
	}
	if piece[len(piece)-1] != '\n' {
		s.keep(piece)
	}
	r.rest = nil
	return false
}

// begin starts a token.
func (s *scanner) begin(in token) { s.in, s.value, s.high = in, s.value[:0], 0 }

// put adds to the token.
func (s *scanner) put(b []byte) {
	most := maxLine
	if !s.after || s.name == "" { // a key, or a value that nobody reads
		most = 64
	}
	if room := most - len(s.value); len(b) > room {
		s.long = s.long || most == maxLine
		b = b[:max(0, room)]
	}
	s.value = append(s.value, b...)
}

// end completes the token that stands in the line, if there is one, and gives a
// value to the entry.
func (s *scanner) end(e *entry) {
	in := s.in
	if s.in = between; in == between || !s.after {
		return
	}
	value := s.value
	if in == bare {
		value = bytes.TrimSpace(value)
	}
	text := s.name == "msg" || s.name == "MESSAGE"
	switch n, rest := number(value); {
	case s.name == "" || in == bare && string(value) == "null":
	case in == bare && text && s.list: // a message that is no UTF-8, byte by byte
		if n >= 0 && n < 256 && len(rest) == 0 && len(e.text) < maxLine {
			e.text, e.said = append(e.text, byte(n)), true
		}
	default:
		e.set(s.name, value)
	}
	if !s.list {
		s.name, s.after = "", false
	}
}

// escape reads the byte behind a backslash.
func (s *scanner) escape(c byte) {
	s.in = quoted
	switch c {
	case 'u':
		s.in, s.code, s.digits = unicode, 0, 0
		return
	case 'b':
		c = '\b'
	case 'f':
		c = '\f'
	case 'n':
		c = '\n'
	case 'r':
		c = '\r'
	case 't':
		c = '\t'
	}
	s.put([]byte{c})
}

// hex reads a digit behind "\u".
func (s *scanner) hex(c byte) {
	if !isHex(c) {
		s.in = quoted
		return
	}
	s.code = s.code<<4 | rune(nibble(c))
	if s.digits++; s.digits < 4 {
		return
	}
	s.in = quoted
	switch {
	case utf16.IsSurrogate(s.code) && s.high == 0:
		s.high = s.code
		return
	case s.high != 0:
		s.code, s.high = utf16.DecodeRune(s.high, s.code), 0
	}
	s.put(utf8.AppendRune(nil, s.code))
}

// keep adds to the line.
func (s *scanner) keep(b []byte) {
	s.line = append(s.line, b[:min(len(b), maxLine-len(s.line))]...)
}
