// Package escape makes text of a capture harmless where it enters a report.
//
// Everything that a capture says comes from a stranger: device names, log
// lines, DIMM labels, file names. None of it may become a link, an image, a
// heading, HTML, a terminal sequence, or turn the reading direction.
package escape

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Plain returns s as one line of printable text. Tabs and line ends become a
// space. A hidden character is written by its number, "<U+202E>", and a byte
// that is no UTF-8 by its value, "<0xFF>": a reader sees what was captured, and
// a replacement character only where the capture has one.
func Plain(s string) string {
	if clean(s) {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		i += n
		switch {
		case r == '\t' || r == '\n' || r == '\r' || r == '\u2028' || r == '\u2029':
			b.WriteByte(' ')
		case r == utf8.RuneError && n == 1:
			fmt.Fprintf(&b, "<0x%02X>", s[i-1])
		case Hidden(r):
			fmt.Fprintf(&b, "<U+%04X>", r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// clean reports whether s is printable ASCII throughout.
func clean(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] < ' ' || s[i] > '~' {
			return false
		}
	}
	return true
}

// markup are the characters that Markdown, its common extensions, or HTML
// inside it can give a meaning.
const markup = "\\`*_[]<>()#+-!|&~=:@."

// Markdown returns s as literal text inside a line of Markdown, without white
// space around it. Each character that could mean something is escaped, except
// where it cannot: between letters and digits, '-', '+', ':', '(' and the like
// are text.
func Markdown(s string) string {
	s = strings.TrimSpace(Plain(s))
	if !strings.ContainsAny(s, markup) {
		return s
	}
	var b strings.Builder
	b.Grow(len(s) + 8)
	for i, r := range s {
		before, after := neighbours(s, i)
		inWord := isWord(before) && isWord(after)
		switch {
		case strings.ContainsRune("\\`*[]<>#|&~!", r), r == '_' && !inWord:
			b.WriteByte('\\')
		case r == '@' && isWord(after) && before != 0 && before != ' ':
			// GitHub links e-mail addresses after it has resolved escapes; only
			// something between the words stops it.
			b.WriteString("<!-- -->")
		case i == 0 && strings.ContainsRune("+-=:", r):
			b.WriteByte('\\')
		case (r == '.' || r == ')') && allDigits(s[:i]) && (after == 0 || after == ' '):
			b.WriteByte('\\') // "1. " starts a list
		case r == ':' && strings.HasPrefix(s[i:], "://"), r == '.' && i >= 3 && strings.EqualFold(s[i-3:i], "www"):
			b.WriteByte('\\') // readers that link bare addresses
		}
		b.WriteRune(r)
	}
	return b.String()
}

// neighbours returns the characters before and after position i; 0 at an end.
func neighbours(s string, i int) (before, after rune) {
	if i > 0 {
		before, _ = utf8.DecodeLastRuneInString(s[:i])
	}
	_, n := utf8.DecodeRuneInString(s[i:])
	if i+n < len(s) {
		after, _ = utf8.DecodeRuneInString(s[i+n:])
	}
	return before, after
}

// isWord reports characters between which an underscore is only an underscore
// (CommonMark 6.2).
func isWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

func allDigits(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != ""
}

// Code returns s as a code span, with a fence longer than any run of backticks
// inside (CommonMark 6.1).
func Code(s string) string {
	s = Plain(s)
	if strings.TrimSpace(s) == "" {
		return "` `"
	}
	fence := strings.Repeat("`", longestRun(s)+1)
	if strings.HasPrefix(s, "`") || strings.HasSuffix(s, "`") || strings.HasPrefix(s, " ") && strings.HasSuffix(s, " ") {
		s = " " + s + " "
	}
	return fence + s + fence
}

// Cell escapes what ends a cell of a GFM table: a bar counts even inside a
// code span.
func Cell(markdown string) string {
	return strings.ReplaceAll(strings.ReplaceAll(markdown, "\\|", "|"), "|", "\\|")
}

// longestRun returns the length of the longest run of backticks in s.
func longestRun(s string) int {
	longest, run := 0, 0
	for i := 0; i < len(s); i++ {
		if s[i] != '`' {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	return longest
}

// Fence returns lines as a fenced code block, with a fence longer than any run
// of backticks inside. The lines must have gone through Plain.
func Fence(lines string) string {
	fence := strings.Repeat("`", max(3, longestRun(lines)+1))
	return fence + "text\n" + strings.TrimRight(lines, "\n") + "\n" + fence
}
