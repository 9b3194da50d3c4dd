package lspci

import (
	"bytes"
	"strconv"
	"unicode/utf8"
)

// cleaner undoes what mailers, web pages, terminals and pagers do to a line.
type cleaner struct {
	bytes  []byte // of the line, with quoted-printable undone
	text   []byte // of the line, all undone
	prefix prefix // that stands before the lines of the listing
	chars  int    // length of the line without quotes and prefix, but with its indentation
	flowed bool   // the line ends in one blank, as format=flowed marks a line that goes on (RFC 3676)
}

// clean returns the line's text without quotes and white space around it, and
// the column at which it starts, tabs being eight columns wide. A line that is
// not odd holds nothing to restore. The text is valid until the next call.
func (c *cleaner) clean(raw []byte, odd bool) (text []byte, column int) {
	text = raw
	if odd {
		text = c.restore(text)
	}
	text = unquote(text)
	if c.prefix.shape != nil {
		text = unquote(c.prefix.cut(text))
	}
	for len(text) > 0 && text[len(text)-1] == '\r' {
		text = text[:len(text)-1]
	}
	n := len(text)
	c.flowed = n > 1 && text[n-1] == ' ' && !isBlank(text[n-2])
	text = trimRight(text)
	c.chars = len(text)
	for i, b := range text {
		switch b {
		case ' ':
			column++
		case '\t':
			column += 8 - column%8
		default:
			return text[i:], column
		}
	}
	return nil, 0
}

// unquote drops the "> " of quoted mails, as often as it stands there. That of
// a flag (">TAbort-") goes with it where a mailer wrapped the line before it;
// the registers with such flags are not needed.
func unquote(text []byte) []byte {
	for {
		quoted := trimLeft(text)
		if len(quoted) == 0 || quoted[0] != '>' || len(text)-len(quoted) > 1 {
			return text
		}
		if text = quoted[1:]; len(text) > 0 && text[0] == ' ' {
			text = text[1:]
		}
	}
}

// isOdd reports whether buf may hold a message or something to restore.
func isOdd(buf []byte) bool {
	for _, b := range []byte{'&', escape, latinBlank, 0xe2, 0xe3, 0xef} {
		if bytes.IndexByte(buf, b) >= 0 {
			return true
		}
	}
	for rest := buf; ; rest = rest[1:] {
		i := bytes.IndexByte(rest, '=')
		if i < 0 {
			return messageAt(buf) >= 0
		}
		if rest = rest[i:]; len(rest) < 2 || rest[1] == '\n' || rest[1] == '\r' || quotedLen(rest) > 0 {
			return true
		}
	}
}

const (
	escape     = 0x1b
	latinBlank = 0xa0 // no-break space of ISO 8859-1, and the second byte of that in UTF-8
)

// restore returns text without terminals' colours, and with the characters that
// quoted-printable and HTML entities stand for. All blanks of Unicode become
// plain ones.
func (c *cleaner) restore(text []byte) []byte {
	c.bytes = unquotePrintable(c.bytes[:0], text)
	out := c.text[:0]
	for rest := c.bytes; len(rest) > 0; {
		n := 1
		switch b := rest[0]; {
		case b == escape:
			n = sequenceLen(rest)
		case b == latinBlank:
			out = append(out, ' ')
		case b == '&':
			var r rune
			if r, n = entity(rest); n == 0 {
				r, n = '&', 1
			}
			out = appendRune(out, r)
		case b < utf8.RuneSelf:
			out = append(out, b)
		default:
			var r rune
			if r, n = utf8.DecodeRune(rest); n > 1 {
				out = appendRune(out, r)
			} else {
				out = append(out, b) // of a name that lspci cut, or of vital product data
			}
		}
		rest = rest[n:]
	}
	c.text = out
	return out
}

// appendRune appends r, a plain blank for every other one, and nothing for what
// has no width.
func appendRune(out []byte, r rune) []byte {
	switch {
	case r == 0xa0, r >= 0x2000 && r <= 0x200a, r == 0x202f, r == 0x205f, r == 0x3000:
		return append(out, ' ')
	case r >= 0x200b && r <= 0x200f, r == 0x2060, r == 0xfeff: // the last is the byte order mark
		return out
	}
	return utf8.AppendRune(out, r)
}

// maxTitle is how long a title that a prompt sets can be, in bytes.
const maxTitle = 256

// sequenceLen is the length of the escape sequence that text begins with
// (ECMA-48): of colours, "[01;31m", and of the title that prompts set.
func sequenceLen(text []byte) int {
	if len(text) < 2 {
		return 1
	}
	switch text[1] {
	case '[':
		for i, b := range text[2:] {
			if b >= 0x40 && b <= 0x7e {
				return i + 3
			}
		}
		return 1
	case ']':
		title := text[2:min(len(text), maxTitle)]
		for i, b := range title {
			switch {
			case b == '\a':
				return i + 3
			case b == 0x1b && i+1 < len(title) && title[i+1] == '\\':
				return i + 4
			}
		}
		return 1
	}
	return 2
}

// entities are those that web pages write for characters of a listing.
var entities = map[string]rune{"lt": '<', "gt": '>', "amp": '&', "quot": '"', "apos": '\'', "nbsp": ' ', "ensp": ' ', "emsp": ' ', "Tab": '\t'}

// entity reads the HTML entity that text begins with, also where its own "&"
// was replaced once more ("&amp;lt;"). n is its length, 0 for none.
func entity(text []byte) (r rune, n int) {
	const longest = len("&#x200b;")
	for n = 1; hasPrefix(text[n:], "amp;"); {
		n += len("amp;")
	}
	name, _, ok := bytes.Cut(text[n:min(len(text), n+longest)], []byte(";"))
	if !ok || len(name) == 0 {
		if n > 1 {
			return '&', n
		}
		return 0, 0
	}
	end := n + len(name) + 1
	if name[0] != '#' {
		if r = entities[string(name)]; r == 0 {
			return 0, 0
		}
		return r, end
	}
	digits, base := string(name[1:]), 10
	if len(digits) > 0 && (digits[0] == 'x' || digits[0] == 'X') {
		digits, base = digits[1:], 16
	}
	v, err := strconv.ParseUint(digits, base, 21)
	if err != nil {
		return 0, 0
	}
	return rune(v), end
}

// quotedLen is the length of the quoted-printable bytes (RFC 2045 6.7) that text
// begins with, 0 for none. lspci itself prints digits behind "=", but neither an
// upper-case letter nor, at the end of a line, the number 20: only an equals
// sign, bytes beyond ASCII and a blank at the end are taken for quoted.
func quotedLen(text []byte) int {
	if hasPrefix(text, "=3D") {
		return 3
	}
	if hasPrefix(text, "=20") && (len(text) == 3 || text[3] == '\n' || text[3] == '\r') {
		return 3
	}
	n := 0
	for len(text) >= n+3 && text[n] == '=' && isUpperHex(text[n+2]) && (n == 0 && text[1] >= 'C' && text[1] <= 'F' || n > 0 && text[n+1] >= '8' && isUpperHex(text[n+1])) {
		n += 3
	}
	if n < 6 {
		return 0
	}
	return n
}

func isUpperHex(b byte) bool { return b >= '0' && b <= '9' || b >= 'A' && b <= 'F' }

// unquotePrintable appends text to out with what is quoted replaced.
func unquotePrintable(out, text []byte) []byte {
	for {
		i := bytes.IndexByte(text, '=')
		if i < 0 {
			return append(out, text...)
		}
		out = append(out, text[:i]...)
		text = text[i:]
		n := quotedLen(text)
		if n == 0 {
			out, text = append(out, '='), text[1:]
			continue
		}
		for ; n > 0; n -= 3 {
			v, _ := strconv.ParseUint(string(text[1:3]), 16, 8)
			out, text = append(out, byte(v)), text[3:]
		}
	}
}

// softMax: lines of quoted-printable have at most 76 columns, and perhaps a byte
// order mark. Those that terminals break at their edge have 80.
const softMax = 79

// softBreak reports whether the line ends where quoted-printable cut a longer
// one: lspci's own "=" has something behind it.
func softBreak(line []byte) bool {
	line = trimRight(line)
	return len(line) > 60 && len(line) <= softMax && line[len(line)-1] == '='
}
