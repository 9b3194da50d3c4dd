// Package lines reads a text line by line in bounded memory, for parsers whose
// facts cite the line that they come from.
package lines

import (
	"bufio"
	"bytes"
	"fmt"
	"io"

	"hwcap/parse/fact"
)

// Reader stands at one line of a text. As with a [bufio.Scanner], Next goes on
// and Err tells at the end why there is no more; a long line is no error.
type Reader struct {
	in   *bufio.Reader
	file string
	most int
	n    int
	line []byte
	cut  bool
	rest bool // of the line is still to be passed over
	err  error
}

// New returns a Reader that stands before the first line of r. file is the name
// of the text for places and errors. Of a line most bytes are kept; the rest of
// a longer one is passed over. Where r is a [bufio.Reader] with a buffer of more
// than most bytes, that buffer is used.
func New(r io.Reader, file string, most int) *Reader {
	return &Reader{in: bufio.NewReaderSize(r, most+1), file: file, most: most}
}

// Next goes to the next line, and reports whether there is one. The last one
// may lack its end, also where an error cut it off.
func (r *Reader) Next() bool {
	for r.rest {
		_, err := r.in.ReadSlice('\n')
		if r.rest = err == bufio.ErrBufferFull; !r.rest {
			r.err = err
		}
	}
	if r.err != nil {
		return false
	}
	line, err := r.in.ReadSlice('\n')
	if r.rest = err == bufio.ErrBufferFull; !r.rest {
		r.err = err
	}
	if len(line) == 0 {
		return false
	}
	r.n++
	line = bytes.TrimSuffix(line, []byte("\n"))
	r.cut = len(line) > r.most
	r.line = bytes.TrimRight(line[:min(len(line), r.most)], "\r")
	return true
}

// Bytes returns the line without its end, LF or CR LF. Next overwrites it.
func (r *Reader) Bytes() []byte { return r.line }

// Number returns the number of the line; the first is 1.
func (r *Reader) Number() int { return r.n }

// Cut reports whether the line is longer than what is kept of it.
func (r *Reader) Cut() bool { return r.cut }

// At returns the place of the line, with its text.
func (r *Reader) At() fact.Line {
	return fact.Line{File: r.file, Line: r.n, Text: string(r.line)}
}

// Err returns the error that ended the text, nil for [io.EOF].
func (r *Reader) Err() error {
	if r.err == nil || r.err == io.EOF {
		return nil
	}
	return fmt.Errorf("read %s: %w", r.file, r.err)
}
