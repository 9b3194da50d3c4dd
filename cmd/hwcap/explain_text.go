package main

import (
	"regexp"
	"strings"
	"unicode/utf8"
)

// asText sets the Markdown of explain for a terminal of width columns: lines
// wrapped, marks of Markdown gone, headings bold if bold. It knows what those
// pages use: headings, paragraphs, flat lists, code spans and strong text.
func asText(markdown string, width int, bold bool) string {
	on, off := "", ""
	if bold {
		on, off = "\x1b[1m", "\x1b[0m"
	}
	var b strings.Builder
	for line := range strings.Lines(markdown) {
		line = strings.TrimRight(line, "\n")
		before, after, indent := "", "", ""
		switch {
		case strings.HasPrefix(line, "#"):
			line, before, after = strings.TrimLeft(line, "# "), on, off
		case strings.HasPrefix(line, "**") && strings.HasSuffix(line, "**") && strings.Count(line, "**") == 2:
			line, before, after = strings.Trim(line, "*"), on, off
		case strings.HasPrefix(line, "- "):
			indent = "  "
		}
		b.WriteString(before + wrap(plainMarkdown(line), width, indent) + after + "\n")
	}
	return b.String()
}

// marks are what plainMarkdown takes away: escapes, strong text, addresses,
// and code spans last.
var marks = []struct {
	find *regexp.Regexp
	with string
}{
	{regexp.MustCompile(`\*\*([^*]+)\*\*`), "$1"},
	{regexp.MustCompile(`<(https://[^>]*)>`), "$1"},
	{regexp.MustCompile(`\\([\\*_<>#|&~!\[\]])`), "$1"},
	{regexp.MustCompile("`([^`]*)`"), "$1"},
}

func plainMarkdown(s string) string {
	for _, m := range marks {
		s = m.find.ReplaceAllString(s, m.with)
	}
	return s
}

// wrap breaks s into lines of at most width characters where it has spaces;
// lines after the first begin with indent.
func wrap(s string, width int, indent string) string {
	var b strings.Builder
	used := 0
	words := strings.FieldsFunc(s, func(r rune) bool { return r == ' ' }) // never at a no-break space
	for i, word := range words {
		n := utf8.RuneCountInString(word)
		switch {
		case i == 0:
		case used+1+n > width:
			b.WriteString("\n" + indent)
			used = len(indent)
		default:
			b.WriteByte(' ')
			used++
		}
		b.WriteString(word)
		used += n
	}
	return b.String()
}
