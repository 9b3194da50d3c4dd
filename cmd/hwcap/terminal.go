package main

import (
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// hidden reports whether r acts on a terminal instead of being seen there:
// control characters, and those that change the direction of text or take no
// room.
func hidden(r rune) bool {
	return unicode.IsControl(r) || unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp)
}

// visible shows text of a capture as it is, each hidden character by its
// number.
func visible(s string) string {
	if strings.IndexFunc(s, hidden) < 0 && utf8.ValidString(s) {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		if hidden(r) {
			fmt.Fprintf(&b, `\u%04x`, r)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// bidiEscaper writes JSON with the hidden characters of its strings escaped.
// Outside of strings JSON has none but blanks and line ends, so the whole
// value that the encoder writes at once can be taken as one text.
type bidiEscaper struct{ w io.Writer }

func (e *bidiEscaper) Write(p []byte) (int, error) {
	start := 0
	for i := 0; i < len(p); {
		if p[i] < utf8.RuneSelf && p[i] != 0x7f {
			i++
			continue
		}
		r, n := utf8.DecodeRune(p[i:])
		if hidden(r) {
			if _, err := e.w.Write(p[start:i]); err != nil {
				return 0, err
			}
			for _, unit := range utf16.AppendRune(nil, r) {
				if _, err := fmt.Fprintf(e.w, `\u%04x`, unit); err != nil {
					return 0, err
				}
			}
			start = i + n
		}
		i += n
	}
	if _, err := e.w.Write(p[start:]); err != nil {
		return 0, err
	}
	return len(p), nil
}
