package parse

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"path"
	"strings"
)

// member is one file while it is read. To its parser it never fails: an error
// ends it, and is kept for the opener, so that what came before is not lost.
type member struct {
	r      io.Reader
	limits Limits
	n      int64 // bytes read so far
	err    error

	// A member that unpacks to too much ends, and the archive goes on: collect
	// may have been given such a file to attach.
	packed func() int64 // bytes that n were unpacked from, nil where it is not packed
	dense  bool         // err is that

	short bool // it is compressed, and breaks off inside
}

func (m *member) Read(p []byte) (int, error) {
	if m.err != nil {
		return 0, io.EOF
	}
	n, err := m.r.Read(p)
	m.n += int64(n)
	if m.packed != nil && m.n > m.limits.RatioFrom && m.n/m.limits.Ratio > m.packed() {
		m.dense = true
		err = fmt.Errorf("%w: it unpacks to more than %d times its size", ErrTooLarge, m.limits.Ratio)
	}
	if m.n > m.limits.Member {
		m.dense = false
		err = fmt.Errorf("%w: a member of more than %s", ErrTooLarge, bytesText(m.limits.Member))
	}
	if err != nil && err != io.EOF {
		m.err, err = err, io.EOF
	}
	return n, err
}

// wholeLines passes on a member up to its end, or to the last line end before
// the place where it breaks off: half a line would pass for a value. It looks
// at every byte once, however small the pieces are in which it is read.
type wholeLines struct {
	r *bufio.Reader
	m *member
	// What the buffer begins with: whole lines, then bytes without a line end.
	whole, rest int
}

func (w *wholeLines) Read(p []byte) (int, error) {
	for w.whole == 0 {
		data, _ := w.r.Peek(w.r.Buffered())
		if i := bytes.LastIndexByte(data[w.rest:], '\n'); i >= 0 {
			w.whole = w.rest + i + 1
			w.rest = len(data) - w.whole
			break
		}
		w.rest = len(data)
		_, err := w.r.Peek(len(data) + 1)
		switch {
		case err == nil:
		case w.m.err != nil:
			w.r.Discard(len(data))
			w.rest = 0
			return 0, io.ErrUnexpectedEOF
		case len(data) > 0: // the last line, or one longer than the buffer
			w.whole, w.rest = len(data), 0
		default:
			return 0, io.EOF
		}
	}
	data, _ := w.r.Peek(w.whole)
	n, err := w.r.Discard(copy(p, data))
	w.whole -= n
	return n, err
}

// untilBreak passes on a member that has no lines. Where it breaks off it ends
// with io.ErrUnexpectedEOF.
type untilBreak struct {
	r io.Reader
	m *member
}

func (u untilBreak) Read(p []byte) (int, error) {
	n, err := u.r.Read(p)
	if err == io.EOF && u.m.err != nil {
		err = io.ErrUnexpectedEOF
	}
	return n, err
}

// isBinary reports whether a member is no text, by its name.
func isBinary(name string) bool {
	switch path.Base(name) {
	case "config", "HEST", "DMAR":
		return strings.HasPrefix(name, "sys/")
	}
	return strings.HasSuffix(name, ".pcap") || strings.HasSuffix(name, ".gz")
}

// endOf lets a member that breaks off end like one that does not: its parser
// keeps what it has, and the opener knows of the break.
type endOf struct{ r io.Reader }

func (e endOf) Read(p []byte) (int, error) {
	n, err := e.r.Read(p)
	if err != nil {
		err = io.EOF
	}
	return n, err
}
