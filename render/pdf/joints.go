package pdf

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

const nbsp = '\u00a0'

func isLetter(r rune) bool { return unicode.IsLetter(r) }
func isDigit(r rune) bool  { return r >= '0' && r <= '9' }
func isAlnum(r rune) bool  { return unicode.IsLetter(r) || unicode.IsDigit(r) }

func isHex(r rune) bool {
	return isDigit(r) || r >= 'a' && r <= 'f' || r >= 'A' && r <= 'F'
}

// addressLen returns the length of the PCI address that begins s
// ("0000:c5:00.0", "c5:00.0", and sysfs's name of a root, "pci0000:c2"), or 0.
func addressLen(s []rune) int {
	for _, form := range [...]string{"hhhh:hh:hh.h", "hh:hh.h", "pcihhhh:hh"} {
		if matches(s, form) && (len(s) == len(form) || !isAlnum(s[len(form)])) {
			return len(form)
		}
	}
	return 0
}

// matches reports whether s begins like form, h standing for a hexadecimal
// digit.
func matches(s []rune, form string) bool {
	if len(s) < len(form) {
		return false
	}
	for i, f := range form {
		if f == 'h' && !isHex(s[i]) || f != 'h' && s[i] != f {
			return false
		}
	}
	return true
}

// joints tells after which runes of s a line may break where s is wider than
// the line: after / _ - . : and the like between parts of a name, never inside
// a PCI address, a number or a unit.
func joints(s []rune) []bool {
	at := make([]bool, len(s))
	for i := 0; i < len(s); i++ {
		if i == 0 || !isAlnum(s[i-1]) {
			if n := addressLen(s[i:]); n > 0 {
				i += n - 1
				continue
			}
		}
		if i > 0 && i+1 < len(s) && s[i] == '>' && s[i+1] == '<' {
			at[i] = true
		}
		if i == 0 || i+1 >= len(s) || !strings.ContainsRune("/_-.:,;=|+)", s[i]) {
			continue
		}
		before, after := s[i-1], s[i+1]
		if before == 'U' && s[i] == '+' {
			continue // a character's number, as typeface.Clean writes it
		}
		switch {
		case !isAlnum(before) && !strings.ContainsRune(")]>\"'", before),
			strings.ContainsRune("/_-.:,;=|+) ", after),
			s[i] == '/' && strings.ContainsRune("\"'", before),                      // the root of a path
			isDigit(before) && isDigit(after) && strings.ContainsRune(".,:-", s[i]), // and dates, UUIDs
			s[i] == ':' && isDigit(after),                                           // a line of a file
			s[i] == '.' && lastPart(s[i+1:]),
			s[i] == '/' && after == 's' && (i+2 == len(s) || !isAlnum(s[i+2])): // GT/s
			continue
		}
		at[i] = true
	}
	return at
}

// lastPart reports whether s begins with the last part of a file's or a
// host's name.
func lastPart(s []rune) bool {
	n := 0
	for n < len(s) && isAlnum(s[n]) {
		n++
	}
	return n <= 4 && (n == len(s) || s[n] != '.')
}

// units are what a number is not torn from.
var units = set("GT/s MT/s GB/s MB/s kB/s KB/s MiB/s GiB/s KiB/s Gbit/s Mbit/s kbit/s Gb/s Mb/s B KB kB MB GB TB KiB MiB GiB TiB Byte Bytes bytes " +
	"Bit bit bits s ms µs ns min h W mW kW V mV A mA °C K % mm cm m Hz kHz MHz GHz Lanes lanes Stunden Minuten Sekunden Tage Tagen hours minutes seconds days")

// months stay with their day.
var months = set("Januar Februar März April Mai Juni Juli August September Oktober November Dezember " +
	"January February March May June July October December")

// countedAfter are words that a following number is not torn from.
var countedAfter = set("Gen Seite page Port port Nr. No. Slot SLOT Gruppe group CPU Version Kernel Linux Priorität priority §")

// companies are what ends a company's name.
var companies = set("Inc. Inc Ltd. Ltd Limited LLC LLC. Corp. Corporation GmbH AG Co.")

// shortForms are abbreviations whose second part stays with the first.
var shortForms = map[string]string{"z.": "B.", "d.": "h.", "u.": "a.", "i.": "d."}

func set(words string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(words) {
		m[w] = true
	}
	return m
}

// glue makes the spaces of s unbreakable that hold a number and its unit or
// what it counts, a day and its month, a speed and its width, a claim and its
// citation, an abbreviation, or a dash and the word before it.
func glue(s string) string {
	if strings.IndexByte(s, ' ') < 0 {
		return s
	}
	var b strings.Builder
	b.Grow(len(s) + 8)
	for i := 0; i < len(s); i++ {
		if s[i] == ' ' && (sticks(s[:i], s[i+1:]) || counts(s[:i], s[i+1:])) {
			b.WriteRune(nbsp)
			continue
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// sticks reports whether the word that ends before and the word that begins
// after stay on one line. It looks at a few bytes only.
func sticks(before, after string) bool {
	const far = 16
	if len(after) > far {
		after = after[:far]
	}
	after = strings.ReplaceAll(after, string(nbsp), " ")
	next, _, _ := strings.Cut(after, " ")
	if next == "–" || next == "·" || next == "—" || len(next) > 1 && (next[0] == '[' && isDigit(rune(next[1])) || next[0] == '-' && next[1] != ' ') {
		return true // a dash, a citation, or an option
	}
	if len(before) > far {
		before = before[len(before)-far:]
	}
	before = strings.ReplaceAll(before, string(nbsp), " ")
	last := strings.TrimLeft(before[strings.LastIndexByte(before, ' ')+1:], "(„\"[")
	if last == "" || next == "" {
		return false
	}
	bare := strings.TrimRight(next, ".,;:)]!?“”\"")
	number := strings.TrimRight(last, ".")
	counted := number != "" && isDigit(rune(number[len(number)-1]))
	return companies[strings.TrimRight(next, ",;:)")] ||
		counted && (last == number && units[bare] || months[bare]) ||
		countedAfter[last[strings.LastIndexByte(last, '-')+1:]] && isDigit(rune(next[0])) || // "IOMMU-Gruppe", too
		last == "GT/s" && next == "(Gen" ||
		len(next) > 1 && next[0] == 'x' && isDigit(rune(next[1])) || // a link's width
		shortForms[last] != "" && strings.HasPrefix(next, shortForms[last])
}

// counts reports whether before ends in a whole number and after begins with
// the word for what it counts.
func counts(before, after string) bool {
	const long = 14 // such a word may stand on its own line
	number := before[strings.LastIndexByte(before, ' ')+1:]
	word, _, _ := strings.Cut(after[:min(len(after), long+1)], " ")
	r, _ := utf8.DecodeRuneInString(word)
	return len(word) <= long && isLetter(r) && number != "" && len(number) <= 4 && strings.Trim(number, "0123456789") == ""
}
