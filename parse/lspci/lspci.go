package lspci

import (
	"io"

	"hwcap/parse/fact"
)

// Result is what one text says.
type Result struct {
	// Devices are those that are listed, in the order in which they are first,
	// then those that only a tree shows (Listings is 0).
	Devices  []fact.Device
	Problems []fact.Problem
	Unread   fact.Unread
	// Outside are the lines of Unread that stand outside of every listing: a
	// mail's own text, other commands' output.
	Outside fact.Unread
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
