package measure

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"

	"hwcap/parse/fact"
)

const (
	maxDepth  = 64  // objects and arrays inside one another; iperf3 has 6
	maxNames  = 4   // names of a path; deeper ones are not handed on
	maxString = 256 // bytes of a string that are kept
	maxShown  = 256 // bytes of a line that a fact shows
)

// scanJSON hands the values of a stream of JSON objects to value, with the
// names that lead to each ("start.test_start.protocol"), but for those inside
// arrays, and calls object at the end of each object. It keeps nothing, so that
// the length of the stream does not matter, and knows the line of each value,
// which encoding/json does not. It returns the number of lines, and whether they
// end inside an object.
//
// Objects may stand in a text whose first lines went to others: what is between
// two of them is passed over, and one that begins with a name instead of a
// brace is taken as if it had it. JSON that is none ends the object.
func scanJSON(r io.Reader, file string, value func(path string, v jsonValue), object func()) (lines int, inside bool, err error) {
	s := jsonScanner{file: file, value: value, object: object}
	in := bufio.NewReaderSize(r, 64<<10)
	whole := true // the piece at hand begins a line
	for {
		piece, err := in.ReadSlice('\n')
		if len(piece) > 0 {
			if whole {
				s.line++
			}
			s.piece(piece)
			whole = piece[len(piece)-1] == '\n'
		}
		switch err {
		case nil, bufio.ErrBufferFull:
		case io.EOF:
			return s.line, len(s.open) > 0, nil
		default:
			return s.line, len(s.open) > 0, fmt.Errorf("read %s: %w", file, err)
		}
	}
}

type jsonScanner struct {
	file   string
	value  func(string, jsonValue)
	object func()

	line   int
	open   []byte // '{' and '[', innermost last
	arrays int    // of them '['
	names  []string
	quoted bool // inside a string
	escape bool // behind a backslash
	closed bool // behind a string
	token  []byte
	isName bool // the string before was a name
	name   string
}

// piece reads a line or a part of a long one.
func (s *jsonScanner) piece(b []byte) {
	for i, c := range b {
		if s.quoted {
			s.inString(c, b, i)
			continue
		}
		switch c {
		case '"':
			s.quoted = true
			s.token = s.token[:0]
		case ':':
			if !s.closed {
				continue
			}
			if len(s.open) == 0 {
				s.push('{')
			}
			s.name = string(s.token)
			s.token, s.isName = s.token[:0], true
		case '{', '[':
			s.token = s.token[:0]
			s.push(c)
		case '}', ']':
			s.literal(b, i)
			s.pop(c)
		case ',', ' ', '\t', '\r', '\n':
			s.literal(b, i)
		default:
			if len(s.open) > 0 && len(s.token) < maxString {
				s.token = append(s.token, c)
			}
		}
		s.closed = s.closed && (c == ' ' || c == '\t')
	}
}

func (s *jsonScanner) inString(c byte, b []byte, i int) {
	switch {
	case s.escape:
		s.escape = false
	case c == '\\':
		s.escape = true
	case c == '"':
		s.quoted, s.closed = false, true
		if s.isName {
			var text string
			if json.Unmarshal([]byte(`"`+string(s.token)+`"`), &text) != nil {
				text = string(s.token)
			}
			s.emit(text, b, i)
			s.token = s.token[:0]
		}
		return
	}
	if len(s.token) < maxString {
		s.token = append(s.token, c)
	}
}

// literal ends a number, true, false or null.
func (s *jsonScanner) literal(b []byte, i int) {
	if s.isName && len(s.token) > 0 {
		s.emit(string(s.token), b, i)
		s.token = s.token[:0]
	}
}

// emit hands a value on.
func (s *jsonScanner) emit(text string, b []byte, i int) {
	s.isName = false
	if s.arrays > 0 || len(s.names) >= maxNames {
		return
	}
	path := s.name
	if len(s.names) > 0 {
		path = strings.Join(s.names, ".") + "." + s.name
	}
	shown := b
	if len(b) > maxShown { // of a long line what is around the value
		shown = b[max(0, i-maxShown/2):min(len(b), i+maxShown/2)]
	}
	at := fact.Line{File: s.file, Line: s.line, Text: strings.TrimRight(strings.ToValidUTF8(string(shown), ""), "\r\n")}
	s.value(path, jsonValue{text, at})
}

func (s *jsonScanner) push(c byte) {
	if len(s.open) == maxDepth {
		s.reset()
	}
	if c == '[' {
		s.arrays++
	}
	if len(s.open) > 0 && s.arrays == 0 {
		s.names = append(s.names, s.name)
	}
	s.open = append(s.open, c)
	s.isName = false
}

func (s *jsonScanner) pop(c byte) {
	if len(s.open) == 0 {
		return
	}
	last := s.open[len(s.open)-1]
	s.open = s.open[:len(s.open)-1]
	s.isName = false
	switch {
	case (last == '{') != (c == '}'):
		s.reset()
		return
	case c == ']':
		s.arrays--
	case s.arrays == 0 && len(s.names) > 0:
		s.names = s.names[:len(s.names)-1]
	}
	if len(s.open) == 0 {
		s.object()
	}
}

// reset gives up on the object at hand.
func (s *jsonScanner) reset() {
	s.open, s.names, s.arrays, s.isName = s.open[:0], s.names[:0], 0, false
	s.object()
}

// jsonNumber reads a number of JSON; iperf3 writes large ones with an exponent.
func jsonNumber(s string) (float64, bool) {
	if !decimalStart(s) || len(s) > 40 || strings.ContainsAny(s, "xXpP_nN") {
		return 0, false
	}
	v, err := strconv.ParseFloat(s, 64)
	return v, err == nil
}
