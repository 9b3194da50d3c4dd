package redact

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
)

// enough is how many values a check, and what it checks, must be able to have:
// one true value in a million passes for a pseudonym, and two of a thousand
// values share one as rarely.
const enough = 1 << 20

// digest is HMAC-SHA256 of a value under the key. kind keeps values of
// different kinds apart that are written alike.
func (k *Key) digest(kind string, value []byte) [sha256.Size]byte {
	h := hmac.New(sha256.New, k[:])
	h.Write([]byte(kind))
	h.Write([]byte{0})
	h.Write(value)
	var sum [sha256.Size]byte
	h.Sum(sum[:0])
	return sum
}

// id tells keys apart without telling anything of them.
func (k *Key) id() string {
	sum := k.digest("key id", nil)
	return hex.EncodeToString(sum[:8])
}

// alphabets are the classes of characters that a sealed text keeps.
var alphabets = [...]string{"0123456789", "abcdef", "ghijklmnopqrstuvwxyz", "ABCDEF", "GHIJKLMNOPQRSTUVWXYZ"}

// alphabetOf gives for each byte its alphabet, "" for a separator.
var alphabetOf = func() (table [256]string) {
	for _, alphabet := range alphabets {
		for i := range len(alphabet) {
			table[alphabet[i]] = alphabet
		}
	}
	return table
}()

// checkStart returns where the check of a sealed text begins: the shortest end
// of s that can have enough values. ok tells whether what stands before it can
// have enough values, too.
func checkStart(s []byte) (at int, ok bool) {
	values, i := 1, len(s)
	for ; i > 0 && values < enough; i-- {
		values *= max(1, len(alphabetOf[s[i-1]]))
	}
	if values < enough {
		return 0, false
	}
	at, values = i, 1
	for ; i > 0 && values < enough; i-- {
		values *= max(1, len(alphabetOf[s[i-1]]))
	}
	return at, values >= enough
}

// writeCheck sets the check of a text. Letter i of it is letter number
// sum[i] modulo the size of its alphabet, sum being SHA-256 of the words "hwcap
// pseudonym", a line feed, and all that stands before the check.
func writeCheck(s []byte, at int) {
	h := sha256.New()
	h.Write([]byte("hwcap pseudonym\n"))
	h.Write(s[:at])
	var sum [sha256.Size]byte
	h.Sum(sum[:0])
	n := 0
	for i := at; i < len(s); i++ {
		if alphabet := alphabetOf[s[i]]; alphabet != "" {
			s[i] = alphabet[int(sum[n%len(sum)])%len(alphabet)]
			n++
		}
	}
}

// isSealed reports whether s ends in its own check, and so is a pseudonym. Its
// check is the shortest end of s that can have 2^20 values, counting 10 for a
// digit, 6 for a letter of A to F and 20 for one of G to Z, large and small
// ones apart; what stands before the check can have as many.
func isSealed(s []byte) bool {
	at, ok := checkStart(s)
	if !ok || len(s) > maxValue {
		return false
	}
	var room [maxValue]byte
	again := append(room[:0], s...)
	writeCheck(again, at)
	return string(again[at:]) == string(s[at:])
}

// maxValue is the length of the longest value that is replaced by one of its
// own length.
const maxValue = 256

// sealed returns the pseudonym of a value that keeps its separators and, of
// letters and digits, the alphabets. A value too short for a check has digits
// added to it.
func (k *Key) sealed(kind string, value []byte) []byte {
	value = value[:min(len(value), maxValue/2)]
	s := make([]byte, len(value), len(value)+16)
	for i, c := range value {
		if c >= 0x80 {
			c = 'X'
		}
		s[i] = c
	}
	at, ok := checkStart(s)
	for !ok {
		s = append(s, '0')
		at, ok = checkStart(s)
	}
	k.fill(s[:at], kind, value)
	writeCheck(s, at)
	return s
}

// sealedInPlace is sealed for a field of fixed length: a value too short for a
// check becomes all X.
func (k *Key) sealedInPlace(kind string, value []byte) []byte {
	if s := k.sealed(kind, value); len(s) == len(value) {
		return s
	}
	s := append([]byte(nil), value...)
	for i, c := range s {
		if alphabetOf[c] != "" || c >= 0x80 {
			s[i] = 'X'
		}
	}
	return s
}

// fill sets the letters and digits of s by the digest of the plainest form of
// value.
func (k *Key) fill(s []byte, kind string, value []byte) {
	sum := k.digest(kind, plainest(value))
	n := 0
	for i, c := range s {
		alphabet := alphabetOf[c]
		if alphabet == "" {
			continue
		}
		if n == len(sum) {
			sum, n = k.digest(kind, sum[:]), 0
		}
		s[i] = alphabet[int(sum[n])%len(alphabet)]
		n++
	}
}

// plainest returns the letters and digits of a value, in capitals.
func plainest(value []byte) []byte {
	plain := make([]byte, 0, len(value))
	for _, c := range value {
		switch {
		case 'a' <= c && c <= 'z':
			plain = append(plain, c-'a'+'A')
		case alphabetOf[c] != "" || c >= 0x80:
			plain = append(plain, c)
		}
	}
	return plain
}

// name returns the pseudonym of a name: the word, a hyphen, ten letters.
func (k *Key) name(word string, value []byte) []byte {
	s := append([]byte(word), "-gggggggggg"...)
	at := len(s) - 5
	k.fill(s[len(s)-10:at], word, value)
	writeCheck(s, at)
	return s
}

// nameWords are the words that pseudonyms of names begin with.
var nameWords = []string{"host", "dom", "user", "vg", "pool", "name", "ssid"}

// isName reports whether s is the pseudonym of a name.
func isName(s []byte) bool {
	for _, word := range nameWords {
		if len(s) == len(word)+11 && string(s[:len(word)]) == word && s[len(word)] == '-' {
			return isSealed(s)
		}
	}
	return false
}

// isBlank reports whether a value is no identity: nothing in it, or the same
// character throughout (zeros, X, F).
func isBlank(s []byte) bool {
	var first byte
	for _, c := range s {
		if c >= 'a' && c <= 'z' {
			c -= 'a' - 'A'
		}
		if alphabetOf[c] == "" && c < 0x80 {
			continue
		}
		if first == 0 {
			first = c
		}
		if c != first {
			return false
		}
	}
	return true
}
