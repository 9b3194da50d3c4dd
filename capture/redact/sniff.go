package redact

import (
	"bytes"
	"unicode/utf8"
)

// isText reports whether a member that begins so is a text. Where a machine
// lost power, a log has a run of NUL in it.
func isText(head []byte) bool {
	if bytes.IndexByte(head, 0) < 0 {
		return true
	}
	const most = 4 // runs
	head = head[:bytes.LastIndexByte(head, '\n')+1]
	runs := 0
	for i, c := range head {
		switch {
		case c == 0:
			if i == 0 || head[i-1] != 0 {
				runs++
			}
		case c < ' ' && bytes.IndexByte([]byte("\t\n\r\f\b\x1b"), c) < 0:
			return false
		}
	}
	return len(bytes.Trim(head, "\x00\n")) > 0 && runs <= most && utf8.Valid(head)
}

// byteOrderMark begins some texts in UTF-8.
var byteOrderMark = []byte("\xef\xbb\xbf")

// colourEnd returns where the sequence of a terminal ends that begins with the
// escape at line[at], ESC [ 1 ; 31 m (ECMA-48 section 5.4).
func (t *text) colourEnd(at, end int) int {
	at++
	if at == end || t.line[at] != '[' {
		return at
	}
	for at++; at < end; at++ {
		if c := t.line[at]; c >= '@' && c <= '~' {
			return at + 1
		} else if c < ' ' {
			return at
		}
	}
	return at
}
