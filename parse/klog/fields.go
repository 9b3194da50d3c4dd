package klog

import (
	"bytes"
	"errors"
	"io"
)

// field reads a line "KEY=value" of journalctl -o export, where a blank line
// ends an entry, or of -o verbose, where the first line of the next one does. It
// reports whether the entry before is complete.
func (r *reader) field() bool {
	line := trimLeft(trimEnd(r.rest))
	if endsEntry(line) && r.deliver() {
		return true // and the line comes once more
	}
	indented := len(r.rest) > 0 && r.rest[0] == ' '
	r.scan.line = r.lineInto(r.scan.line[:0])
	line = r.scan.line
	name, value, ok := bytes.Cut(trimLeft(line), []byte("="))
	e, k := &r.entry, key(name)
	switch {
	case ok && k == "MESSAGE":
		e.format, e.line, e.raw = formatExport, r.lines, append(e.raw[:0], line...)
		if indented {
			e.format = formatVerbose
		}
		e.set(k, value)
	case ok && k != "":
		e.set(k, value)
	case !ok && !indented && isName(name):
		r.binary(k)
	}
	return false
}

// endsEntry reports whether a line stands between entries or begins one: the
// first line of -o verbose ends in a cursor, "[s=5f...;i=1;b=...]".
func endsEntry(line []byte) bool {
	return len(line) == 0 || bytes.HasPrefix(line, []byte("__CURSOR=")) ||
		line[len(line)-1] == ']' && bytes.Contains(line, []byte(" [s="))
}

// isName reports whether a line is the name of a field alone.
func isName(line []byte) bool {
	for _, c := range line {
		if c != '_' && !isDigit(c) && (c < 'A' || c > 'Z') {
			return false
		}
	}
	return len(line) > 0
}

// binary reads the value of a field that is no text, as [BinaryLen] tells.
func (r *reader) binary(k string) {
	head, _ := r.in.Peek(sizeLen)
	left := BinaryLen(head)
	if left == 0 || !r.ended {
		return
	}
	e, at := &r.entry, r.lines+1+bytes.Count(head, []byte("\n"))
	r.lines = at
	r.in.Discard(len(head))
	value := r.scan.value[:0]
	for left -= sizeLen; left > 0; { // with the line end
		piece, err := r.in.Peek(int(min(left, maxLine)))
		r.lines += bytes.Count(piece, []byte("\n"))
		value = append(value, piece[:min(len(piece), max(0, maxLine-len(value)))]...)
		r.in.Discard(len(piece))
		left -= int64(len(piece))
		if len(piece) > 0 {
			r.ended = piece[len(piece)-1] == '\n'
		}
		if err != nil {
			if !errors.Is(err, io.EOF) {
				r.err = err
			}
			break
		}
	}
	if r.ended { // as it is, where the length is right
		r.lines--
	}
	r.scan.value = value
	if left > 1 {
		return // the text ends inside the value
	}
	value = trimEnd(value)
	if k == "MESSAGE" {
		first, _, _ := bytes.Cut(value, []byte("\n"))
		e.format, e.line, e.raw = formatExport, at, append(e.raw[:0], first...)
	}
	if k != "" {
		e.set(k, value)
	}
}
