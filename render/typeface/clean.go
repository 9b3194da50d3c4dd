package typeface

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Clean returns s as one line that is safe to draw: valid UTF-8 within the
// Basic Multilingual Plane, no control, direction or zero-width characters. A
// tab becomes four spaces and a line end one; well-known pictographs become the
// plain sign that says the same. A character that no face draws is written by
// its number, <U+6F22>: what was captured stays legible, and U+FFFD stands for
// bytes that are no text only.
//
// gofpdf panics on truncated UTF-8 and on anything beyond U+FFFF, partly not
// before Output; direction marks could turn text of a capture around. All text
// of a PDF or a figure goes through here, once.
func Clean(s string) string {
	if plain(s) {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		i += n
		switch {
		case r >= ' ' && r <= '~':
			b.WriteByte(byte(r))
		case r == '\t':
			b.WriteString("    ")
		case r == '\n' || r == '\u2028' || r == '\u2029':
			b.WriteByte(' ')
		case dropped(r):
		case signs[r] != 0:
			b.WriteRune(signs[r])
		case Sans.Draws(r) && Mono.Draws(r):
			b.WriteRune(r)
		default:
			fmt.Fprintf(&b, "<U+%04X>", r)
		}
	}
	return b.String()
}

// plain reports whether s is printable ASCII throughout.
func plain(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] < ' ' || s[i] > '~' {
			return false
		}
	}
	return true
}

// dropped reports the runes that draw nothing: C0 and C1 controls, soft hyphen,
// zero-width and direction characters (Unicode Standard Annex 9), fillers,
// variation selectors.
func dropped(r rune) bool {
	switch {
	case r < ' ', r >= 0x7F && r < 0xA0,
		r == 0xAD, r == 0x34F, r == 0x61C, r == 0x115F, r == 0x1160, r == 0x180E,
		r >= 0x200B && r <= 0x200F,
		r >= 0x202A && r <= 0x202E,
		r >= 0x2060 && r <= 0x206F,
		r == 0x3164, r == 0xFFA0,
		r >= 0xFE00 && r <= 0xFE0F,
		r == 0xFEFF,
		r >= 0xFFF9 && r <= 0xFFFB,
		r >= 0xE0000 && r <= 0xE0FFF:
		return true
	}
	return false
}

// signs maps pictographs that tools like to print to signs that the faces draw.
var signs = map[rune]rune{
	'✅': '✓', '❌': '✗', '❎': '✗', '❗': '!', '❓': '?', '⛔': '⊘',
	'\U0001F534': '●', '\U0001F7E0': '●', '\U0001F7E1': '●', '\U0001F7E2': '●', '\U0001F535': '●',
	'\U0001F6A8': '⚠', '\U0001F6AB': '⊘', '\U0001F449': '→', '\U0001F44D': '✓',
}
