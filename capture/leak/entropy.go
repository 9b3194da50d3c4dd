package leak

import (
	"math"
	"strings"
)

// hints are words that a serial number may follow.
var hints = []string{"serial", "s/n", "sn", "wwid", "by-id", "asset", "token", "secret", "unique", "tag", "hwid", "psid"}

// modelWords are words of lines whose random looking words name a model, a
// version or a sum.
var modelWords = []string{"part number", "model", "firmware", "fw:", "version", "sha256", "sha1", "buildid", "srcversion", "commit", "cert", "fingerprint"}

// drawn finds words that look drawn at random near behind a hint.
func drawn(line string, found hit) {
	for from := 0; from < len(line); {
		at := hintIn(line[from:])
		if at < 0 {
			return
		}
		if from == 0 && (containsAny(strings.ToLower(line), modelWords) || strings.Contains(line, " usb usb")) { // a root hub's is that of its controller
			return
		}
		from += at
		const near = 3 // fields
		behind := line[from:min(len(line), from+128)]
		if _, value, ok := strings.Cut(behind, ":"); ok && isSealed(strings.TrimRight(strings.TrimLeft(value, " \t"), " \t.")) {
			return // one pseudonym, whatever its parts are
		}
		fields := strings.Fields(behind)
		for _, field := range fields[:min(len(fields), near)] {
			drawnIn(field, found)
		}
	}
}

// hintIn returns where the first hint of s ends, -1 for none.
func hintIn(s string) int {
	for i := 0; i < len(s); i++ {
		if c := small[s[i]]; c != 's' && c != 'w' && c != 'b' && c != 'a' && c != 't' && c != 'u' && c != 'h' && c != 'p' || i > 0 && isWord(s[i-1]) && s[i-1] != '_' {
			continue
		}
		for _, h := range hints {
			if end := i + len(h); end <= len(s) && strings.EqualFold(s[i:end], h) && (end == len(s) || !isWord(s[end]) || s[end] == '_' || len(h) > 5) {
				return end
			}
		}
	}
	return -1
}

// drawnIn judges the words of a field.
func drawnIn(field string, found hit) {
	if harmless(field) || endsSealed(field) {
		return
	}
	words := strings.FieldsFunc(field, func(r rune) bool { return r >= 0x80 || r == '_' || r != '-' && !isWord(byte(r)) })
	for _, word := range words {
		word, _, _ = strings.Cut(strings.TrimPrefix(strings.Trim(word, "-"), "wwn-0x"), "-part")
		if len(word) < 8 || len(word) > 64 || isUUID(word) || !looksDrawn(word) || harmless(word) {
			continue
		}
		sealed := false // one of several parts of a name, each of its own
		for _, part := range strings.Split(word, "-") {
			sealed = sealed || isSealed(part)
		}
		if !sealed {
			found(ByEntropy, "serial", word)
		}
	}
}

// endsSealed reports whether s is vendor and model and behind the last
// underscore a pseudonym, as udev joins them.
func endsSealed(s string) bool {
	s, _, _ = strings.Cut(strings.Trim(s, "\"',;"), "-part")
	i := strings.LastIndexByte(s, '_')
	return i > 0 && isSealed(s[i+1:])
}

func containsAny(s string, words []string) bool {
	for _, w := range words {
		if strings.Contains(s, w) {
			return true
		}
	}
	return false
}

// looksDrawn reports whether letters and digits alternate without a system:
// at least three times, with 2.5 bits a character.
func looksDrawn(word string) bool {
	if strings.HasPrefix(word, "0x") {
		return false
	}
	changes, digits := 0, 0
	var count [256]int
	for i := 0; i < len(word); i++ {
		count[word[i]]++
		digit := word[i] >= '0' && word[i] <= '9'
		if digit {
			digits++
		}
		if i > 0 && digit != (word[i-1] >= '0' && word[i-1] <= '9') {
			changes++
		}
	}
	if digits < 2 || digits == len(word) || changes < 2 {
		return false
	}
	bits := 0.0
	for _, n := range count {
		if n > 0 {
			p := float64(n) / float64(len(word))
			bits -= p * math.Log2(p)
		}
	}
	return bits >= 2.5
}
