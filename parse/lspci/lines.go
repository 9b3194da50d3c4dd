package lspci

import (
	"bytes"
	"io"
)

const (
	readSize = 64 << 10
	// maxLine bounds the memory for one line. The longest that lspci can print
	// is a vital product data string: 32 KiB, each byte escaped as four.
	maxLine = 1 << 20
)

// lines cuts a stream into its physical lines.
type lines struct {
	r     io.Reader
	buf   []byte
	start int   // of the bytes in buf that are not yet given out
	end   int   // of the bytes in buf
	last  error // of r, once it ended

	n     int    // number of the line, from 1
	raw   []byte // the line without its end; valid until the next call of next
	ended bool   // the line had an end
	cut   bool   // the line was longer than maxLine, and is cut there
	odd   bool   // the line may hold a message or what [cleaner.restore] undoes
}

func newLines(r io.Reader) *lines {
	return &lines{r: r, buf: make([]byte, readSize)}
}

// err returns why reading stopped, nil at the end.
func (l *lines) err() error {
	if l.last == io.EOF {
		return nil
	}
	return l.last
}

// next moves to the next line and reports whether there is one.
func (l *lines) next() bool {
	l.cut = false
	seen := 0 // bytes without a line end
	for {
		if i := bytes.IndexByte(l.buf[l.start+seen:l.end], '\n'); i >= 0 {
			l.give(seen+i, true)
			return true
		}
		seen = l.end - l.start
		if l.last != nil {
			if seen == 0 {
				return false
			}
			l.give(seen, false)
			return true
		}
		if seen >= maxLine { // the rest of this line is dropped
			l.cut = true
			seen = maxLine
			l.end = l.start + maxLine
		}
		l.fill()
	}
}

// give sets the fields for the line of n bytes that comes next.
func (l *lines) give(n int, ended bool) {
	l.n++
	l.ended = ended
	l.raw = l.buf[l.start : l.start+n]
	l.start += n
	if ended {
		l.start++
	}
	if n > 0 && l.raw[n-1] == '\r' {
		l.raw = l.raw[:n-1]
	}
}

// fill reads more behind what is left. What most lines do not hold is looked
// for here, in all that is new at once.
func (l *lines) fill() {
	const overlap = 32 // longer than what is looked for
	copy(l.buf, l.buf[l.start:l.end])
	left := l.end - l.start
	l.start, l.end = 0, left
	if l.end == len(l.buf) {
		l.buf = append(l.buf, make([]byte, len(l.buf))...)
	}
	var n int
	for tries := 0; n == 0 && l.last == nil; tries++ {
		if n, l.last = l.r.Read(l.buf[l.end:]); tries > 100 {
			l.last = io.ErrNoProgress
		}
	}
	l.end += n
	fresh := l.buf[max(0, left-overlap):l.end]
	l.odd = l.odd && left > 0 || isOdd(fresh)
}
