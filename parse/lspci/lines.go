package lspci

import (
	"bufio"
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
	r    *bufio.Reader
	long []byte // a line longer than r's buffer, put together

	n     int    // number of the line, from 1
	raw   []byte // the line without its end; valid until the next call of next
	ended bool   // the line had an end
	cut   bool   // the line was longer than maxLine, and is cut there
	err   error  // why reading stopped, if not at the end
}

func newLines(r io.Reader) *lines {
	return &lines{r: bufio.NewReaderSize(r, readSize)}
}

// next moves to the next line and reports whether there is one.
func (l *lines) next() bool {
	if l.err != nil {
		return false
	}
	raw, err := l.r.ReadSlice('\n')
	l.cut = false
	if err == bufio.ErrBufferFull {
		l.long = append(l.long[:0], raw...)
		for err == bufio.ErrBufferFull {
			raw, err = l.r.ReadSlice('\n')
			if len(l.long)+len(raw) > maxLine {
				l.cut = true
				continue
			}
			l.long = append(l.long, raw...)
		}
		raw = l.long
	}
	if err != nil && err != io.EOF {
		l.err = err
	}
	if len(raw) == 0 {
		return false
	}
	l.n++
	l.ended = err == nil
	l.raw = bytes.TrimSuffix(raw, []byte("\n"))
	l.raw = bytes.TrimSuffix(l.raw, []byte("\r"))
	return true
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

// clean returns the line's text without quotes and white space around it, and
// the column at which it starts, tabs being eight columns wide. The text is
// valid until the next call.
func (c *cleaner) clean(raw []byte) (text []byte, column int) {
	text = raw
	if bytes.IndexByte(text, '&') >= 0 || bytes.IndexByte(text, 0xc2) >= 0 || bytes.IndexByte(text, 0xef) >= 0 {
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
			return bytes.TrimRight(text[i:], " \t\r"), column
		}
	}
	return nil, 0
}

// replace writes text with the replaced spellings into the scratch buffer.
func (c *cleaner) replace(text []byte) []byte {
	c.scratch = c.scratch[:0]
next:
	for i := 0; i < len(text); {
		if b := text[i]; b == '&' || b == 0xc2 || b == 0xef {
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
