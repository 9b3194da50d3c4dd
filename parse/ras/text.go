package ras

import (
	"fmt"
	"io"
	"strings"

	"hwcap/parse/fact"
	"hwcap/parse/lines"
)

// text reads the lines of one output and keeps account of them.
type text struct {
	file     string
	unread   fact.Unread
	problems []fact.Problem
	rows     int // that are kept, or would be
	kept     int // bytes of them
	full     bool
}

func newText(file string) text { return text{file: file, unread: fact.Unread{File: file}} }

// lines calls each for every line without the blanks around it and the marks of
// quotation before it, with no-break spaces as blanks.
func (t *text) lines(r io.Reader, each func(line string, at fact.Line)) error {
	in := lines.New(r, t.file, maxLine)
	for in.Next() {
		t.unread.Of++
		at := in.At()
		if in.Cut() {
			t.problem(at, at.Text, fmt.Sprintf("is longer than %d bytes; the rest is not read", maxLine))
		}
		each(unquote(at.Text), at)
	}
	return in.Err()
}

// unquote drops the marks of quotation in a mail and the blanks around a line.
func unquote(line string) string {
	return strings.TrimSpace(strings.TrimLeft(strings.ReplaceAll(line, "\u00a0", " "), "> \t"))
}

// refuse counts n lines that gave no fact, and says what is wrong with the
// first.
func (t *text) refuse(at fact.Line, line string, n int, what string) {
	t.unread.Lines += n
	t.problem(at, line, what)
}

// room reports whether there is room for one more row or section of n bytes. It
// says once that there is none.
func (t *text) room(at fact.Line, n int) bool {
	t.rows++
	t.kept += n
	if t.rows <= maxRows && t.kept <= maxKept {
		return true
	}
	t.unread.Lines++
	if !t.full {
		t.full = true
		t.problem(at, at.Text, fmt.Sprintf("and what follows is beyond the %d rows that are kept, or their %d MiB", maxRows, maxKept>>20))
	}
	return false
}

func (t *text) problem(at fact.Line, line, what string) {
	if len(t.problems) >= maxProblems {
		return
	}
	const few = 120
	t.problems = append(t.problems, fact.Problem{File: t.file, Line: at.Line, Text: fmt.Sprintf("%q %s", line[:min(len(line), few)], what)})
}
