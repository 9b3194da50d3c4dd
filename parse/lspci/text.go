package lspci

import (
	"bytes"
	"strconv"
)

// The small readers below work on the text of one register. They search, they
// do not count words: where a value stands in its register depends on the
// version.

// after returns what follows the first key in text, or nil.
func after(text []byte, key string) []byte {
	if i := bytes.Index(text, []byte(key)); i >= 0 {
		return text[i+len(key):]
	}
	return nil
}

// hasPrefix is bytes.HasPrefix without a conversion at the call.
func hasPrefix(text []byte, prefix string) bool {
	return len(text) >= len(prefix) && string(text[:len(prefix)]) == prefix
}

func hasAnyPrefix(text []byte, prefixes []string) bool {
	for _, p := range prefixes {
		if hasPrefix(text, p) {
			return true
		}
	}
	return false
}

// number reads the digits at the start of text; blanks before them are skipped.
func number(text []byte, base int) (int, bool) {
	text = trimLeft(text)
	n := 0
	for n < len(text) && (text[n] >= '0' && text[n] <= '9' || base == 16 && isHex(text[n])) {
		n++
	}
	v, err := strconv.ParseInt(string(text[:n]), base, 64)
	return int(v), err == nil
}

// numberAfter reads the decimal number behind key.
func numberAfter(text []byte, key string) (int, bool) {
	return number(after(text, key), 10)
}

// speed reads a link speed in GT/s: "2.5GT/s", "16GT/s", and "2.5Gb/s" up to
// 2.2.6. "unknown" is 0: a speed that this version has no word for, or none.
func speed(text []byte) (float64, bool) {
	if hasPrefix(text, "unknown") || hasPrefix(text, "Unknown") {
		return 0, true
	}
	n := 0
	for n < len(text) && (text[n] >= '0' && text[n] <= '9' || text[n] == '.') {
		n++
	}
	if !hasPrefix(text[n:], "GT/s") && !hasPrefix(text[n:], "Gb/s") {
		return 0, false
	}
	v, err := strconv.ParseFloat(string(text[:n]), 64)
	return v, err == nil
}

// units are the letters of a size: "256K", and "16GB" in Resizable BAR.
const units = "KMGTPE"

// size reads a size in bytes and returns how many bytes of text it took.
func size(text []byte) (bytes int64, n int) {
	for n < len(text) && text[n] >= '0' && text[n] <= '9' {
		n++
	}
	v, err := strconv.ParseInt(string(text[:n]), 10, 64)
	if err != nil {
		return 0, 0
	}
	for i := 0; n < len(text) && i < len(units); i++ {
		if text[n] == units[i] {
			shift := 10 * (i + 1)
			if v > 1<<62>>shift {
				return 0, 0
			}
			v <<= shift
			n++
			break
		}
	}
	if n < len(text) && text[n] == 'B' {
		n++
	}
	return v, n
}

// flag looks for NAME+ or NAME- and reports its sign. The first one counts:
// "Changed:" of SltSta repeats names of "Status:".
func flag(text []byte, name string) (on, found bool) {
	for rest := text; ; {
		i := bytes.Index(rest, []byte(name))
		if i < 0 {
			return false, false
		}
		end := i + len(name)
		if (i == 0 || isBlank(rest[i-1]) || rest[i-1] == '(') && end < len(rest) && (rest[end] == '+' || rest[end] == '-') {
			return rest[end] == '+', true
		}
		rest = rest[end:]
	}
}

// eachFlag calls f for every NAME+ and NAME- of text. Commas behind a flag
// (3.1.10 to 3.6.4) and a colon before its sign (PTM up to 3.10) are dropped.
func eachFlag(text []byte, f func(name []byte, on bool)) {
	for i := 0; i < len(text); i++ {
		start := i
		for i < len(text) && !isBlank(text[i]) {
			i++
		}
		end := i
		for end > start && (text[end-1] == ',' || text[end-1] == ';' || text[end-1] == ')') {
			end--
		}
		if end-start < 2 {
			continue
		}
		sign := text[end-1]
		if sign != '+' && sign != '-' {
			continue
		}
		name := text[start : end-1]
		if name[len(name)-1] == ':' {
			name = name[:len(name)-1]
		}
		if len(name) > 0 {
			f(name, sign == '+')
		}
	}
}

// field returns text up to stop or the end of its line, without blanks around it.
func field(text []byte, stop byte) []byte {
	for i, b := range text {
		if b == stop || b == '\n' {
			text = text[:i]
			break
		}
	}
	return trimLeft(trimRight(text))
}

func trimLeft(text []byte) []byte {
	for len(text) > 0 && isBlank(text[0]) {
		text = text[1:]
	}
	return text
}

func trimRight(text []byte) []byte {
	for len(text) > 0 && (isBlank(text[len(text)-1]) || text[len(text)-1] == '\r') {
		text = text[:len(text)-1]
	}
	return text
}

// trimNumber returns text without the digits at its end, and whether there are
// any.
func trimNumber(text []byte) ([]byte, bool) {
	n := len(text)
	for n > 0 && text[n-1] >= '0' && text[n-1] <= '9' {
		n--
	}
	return text[:n], n < len(text)
}

func isBlank(b byte) bool { return b == ' ' || b == '\t' || b == '\n' }

func isHex(b byte) bool {
	return b >= '0' && b <= '9' || b >= 'a' && b <= 'f' || b >= 'A' && b <= 'F'
}

// allHex reports whether text is n hexadecimal digits.
func allHex(text []byte, n int) bool {
	if len(text) != n {
		return false
	}
	for _, b := range text {
		if !isHex(b) {
			return false
		}
	}
	return true
}

// lower returns text as a string of lower-case letters; ids are such strings.
func lower(text []byte) string { return string(bytes.ToLower(text)) }

// wordLen returns the length of text up to the first blank.
func wordLen(text []byte) int {
	n := 0
	for n < len(text) && !isBlank(text[n]) {
		n++
	}
	return n
}

// flagName returns a word without its sign and the comma behind.
func flagName(word []byte) []byte {
	n := len(word)
	for n > 0 && (word[n-1] == ',' || word[n-1] == ':') {
		n--
	}
	if n > 0 && (word[n-1] == '+' || word[n-1] == '-') {
		n--
	}
	return word[:n]
}
