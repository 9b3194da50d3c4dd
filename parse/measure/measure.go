package measure

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"hwcap/parse/fact"
	"hwcap/parse/lines"
)

// Result is what one text says.
type Result struct {
	Measurements []fact.Measurement // in the order of the text
	Problems     []fact.Problem
	Unread       fact.Unread
}

const (
	maxLine     = 4 << 10 // bytes of a line that are read; compiler flags are the longest, 1 KiB
	maxKept     = 10_000  // measurements of a text
	maxProblems = 100
)

// reading says what a line was.
type reading int

const (
	unknown reading = iota // no line of the tool
	known                  // gave a fact
	ignored                // is of the tool, and no rule needs it
)

// book keeps the results of a text while it is read.
type book struct {
	Result
	full bool
}

func newBook(file string) book { return book{Result: Result{Unread: fact.Unread{File: file}}} }

// read hands each line to line, without the blanks around it and the quotes of
// a mail, and counts what it says of it.
func (b *book) read(r io.Reader, line func(text string, at fact.Line) reading) error {
	in := lines.New(r, b.Unread.File, maxLine)
	for in.Next() {
		at := in.At()
		b.count(unquoted(at.Text), at, line)
	}
	return in.Err()
}

func (b *book) count(text string, at fact.Line, line func(string, fact.Line) reading) {
	b.Unread.Of++
	if text == "" {
		b.Unread.Ignored++
		return
	}
	switch line(text, at) {
	case unknown:
		b.Unread.Lines++
	case ignored:
		b.Unread.Ignored++
	}
}

// unquoted drops what a mail puts before a line, and the blanks around it.
func unquoted(text string) string {
	text = strings.TrimSpace(text)
	for strings.HasPrefix(text, ">") {
		text = strings.TrimSpace(text[1:])
	}
	return text
}

// add keeps measurements, as far as there is room.
func (b *book) add(list ...fact.Measurement) {
	for _, m := range list {
		if len(b.Measurements) < maxKept {
			b.Measurements = append(b.Measurements, m)
		} else if !b.full {
			b.full = true
			b.problem(m.From, fmt.Sprintf("and what follows is beyond the %d figures that are kept", maxKept))
		}
	}
}

func (b *book) problem(at fact.Line, what string) {
	if len(b.Problems) < maxProblems {
		b.Problems = append(b.Problems, fact.Problem{File: at.File, Line: at.Line, Text: fmt.Sprintf("%q %s", short(at.Text), what)})
	}
}

// short is what a problem shows of a line.
func short(text string) string {
	const most = 120
	if len(text) > most {
		return text[:most]
	}
	return text
}

// decimal reads a number as printf writes one; a language may put a comma for
// the point.
func decimal(s string) (float64, bool) {
	if s == "" || len(s) > 40 {
		return 0, false
	}
	points := 0
	for i := range len(s) {
		switch c := s[i]; {
		case c == '.' || c == ',':
			points++
		case c < '0' || c > '9':
			return 0, false
		}
	}
	if points > 1 {
		return 0, false
	}
	v, err := strconv.ParseFloat(strings.Replace(s, ",", ".", 1), 64)
	return v, err == nil
}

// whole reads an unsigned number.
func whole(s string) (int64, bool) {
	v, err := strconv.ParseUint(s, 10, 62)
	return int64(v), err == nil && s[0] != '+'
}

// leading reads the number that s begins with, "256b", "256-bit".
func leading(s string) (n int, rest string) {
	end := 0
	for end < len(s) && end < 9 && s[end] >= '0' && s[end] <= '9' {
		n = 10*n + int(s[end]-'0')
		end++
	}
	return n, s[end:]
}
