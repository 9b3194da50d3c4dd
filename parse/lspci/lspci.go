package lspci

import (
	"bytes"
	"io"

	"hwcap/parse/fact"
)

// Result is what one text says.
type Result struct {
	Devices  []fact.Device // in the order in which they are listed first
	Problems []fact.Problem
	Unread   fact.Unread
}

// maxProblems bounds the memory for problems; more are counted in Unread only.
const maxProblems = 200

// Parse reads the output of lspci from r. File is the name that the facts
// carry. Line numbers are those of the physical lines of r, from 1; the text of
// a [fact.Line] is the literal line without the blanks it starts with and
// without its line end.
//
// A device that is listed more than once becomes one [fact.Device]: the first
// listing that prints a thing counts, and Listings says how many there were.
//
// A line that cannot be read becomes a problem, and reading goes on. The error
// is that of r; the result then holds what came before.
func Parse(r io.Reader, file string) (*Result, error) {
	p := newParser(file)
	in := newLines(r)
	for in.next() {
		p.next(in)
	}
	p.end()
	return &p.result, in.err()
}

// Looks reports whether head, the beginning of a text, is lspci's: at least one
// device and a second line that speaks of it, or nothing but devices. Texts of
// lspci -t, -m and -vmm are not.
func Looks(head []byte) bool {
	if i := bytes.LastIndexByte(head, '\n'); i >= 0 {
		head = head[:i+1] // the line behind may be cut
	}
	p := newParser("")
	in := newLines(bytes.NewReader(head))
	for in.next() && p.known < 2 {
		p.next(in)
	}
	p.end()
	return p.known > 1 || p.known == 1 && p.result.Unread.Lines == 0
}
