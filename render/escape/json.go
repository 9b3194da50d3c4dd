package escape

import (
	"fmt"
	"io"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// Hidden reports whether r acts on a reader or a terminal instead of being
// seen: control characters, and those that change the direction of text or
// take no room.
func Hidden(r rune) bool {
	return unicode.IsControl(r) || unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp)
}

// JSON returns a writer for what encoding/json writes: hidden characters in
// strings, which JSON lets through, are escaped. Outside of strings JSON has
// none but blanks and line ends, so a value that the encoder writes at once
// can be taken as one text.
func JSON(w io.Writer) io.Writer { return &jsonWriter{w} }

type jsonWriter struct{ w io.Writer }

func (e *jsonWriter) Write(p []byte) (int, error) {
	start := 0
	for i := 0; i < len(p); {
		if p[i] < utf8.RuneSelf && p[i] != 0x7f {
			i++
			continue
		}
		r, n := utf8.DecodeRune(p[i:])
		if Hidden(r) {
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
