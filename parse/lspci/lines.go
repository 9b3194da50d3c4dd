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
	odd   bool   // the line may hold a message or a spelling of [replaced]
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
	l.odd = l.odd && left > 0 || messageAt(fresh) >= 0
	for _, b := range replacedBytes {
		l.odd = l.odd || bytes.IndexByte(fresh, b) >= 0
	}
}

// cleaner undoes what mailers and web pages do to a line.
type cleaner struct {
	scratch []byte
}

// replaced are the spellings of single characters in mails and on web pages.
var replaced = []struct{ from, to string }{
	{"&lt;", "<"}, {"&gt;", ">"}, {"&amp;", "&"}, {"&quot;", `"`}, {"&#39;", "'"}, {"&nbsp;", " "},
	{"\u00a0", " "}, // no-break space
	{"\ufeff", ""},  // byte order mark
}

// replacedBytes are those that the spellings begin with.
var replacedBytes = []byte{'&', 0xc2, 0xef}

// clean returns the line's text without quotes and white space around it, and
// the column at which it starts, tabs being eight columns wide. A line that is
// not odd holds no spelling of replaced. The text is valid until the next call.
func (c *cleaner) clean(raw []byte, odd bool) (text []byte, column int) {
	text = raw
	if odd {
		text = c.replace(text)
	}
	text = unquote(text)
	for i, b := range text {
		switch b {
		case ' ':
			column++
		case '\t':
			column += 8 - column%8
		default:
			return trimRight(text[i:]), column
		}
	}
	return nil, 0
}

// replace writes text with the replaced spellings into the scratch buffer.
func (c *cleaner) replace(text []byte) []byte {
	c.scratch = c.scratch[:0]
next:
	for i := 0; i < len(text); {
		if bytes.IndexByte(replacedBytes, text[i]) >= 0 {
			for _, r := range replaced {
				if hasPrefix(text[i:], r.from) {
					c.scratch = append(c.scratch, r.to...)
					i += len(r.from)
					continue next
				}
			}
		}
		c.scratch = append(c.scratch, text[i])
		i++
	}
	return c.scratch
}

// unquote drops the "> " of quoted mails, as often as it stands there. A '>'
// that belongs to a flag (">TAbort-") stays.
func unquote(text []byte) []byte {
	for len(text) > 0 && text[0] == '>' {
		switch {
		case len(text) == 1:
			return nil
		case text[1] == ' ':
			text = text[2:]
		case text[1] == '\t' || text[1] == '>':
			text = text[1:]
		default:
			return text
		}
	}
	return text
}
