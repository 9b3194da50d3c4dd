package leak

import (
	"bytes"
	"crypto/sha256"
	"net/netip"
	"strings"
)

// mark is what pseudonyms of hexadecimal digits hold, as a MAC address begins.
const mark = "066877"

// secret is the pseudonym of all keys and passwords.
const secret = "redacted-by-hwcap"

// placeholders are what firmware, drives and programs say instead of a value.
var placeholders = map[string]bool{}

func init() {
	for _, s := range []string{
		"default string", "to be filled by o.e.m.", "to be filled by oem", "not specified", "not provided", "not present",
		"not available", "not applicable", "not settable", "none", "n/a", "na", "unknown", "no asset tag", "no asset information",
		"system serial number", "chassis serial number", "base board serial number", "board serial number", "serial number",
		"asset tag", "asset-1234567890", "empty", "no dimm", "unspecified", "invalid", "oem", "o.e.m.", "null", "(null)", "-", "--",
		"localhost", "hostname", "(none)", "localhost.localdomain", "root", "yes", "no", "on", "off", "true", "false", "enabled", "disabled",
		"0123456789", "123456789", "1234567890", "9876543210", "xxxxxxxxxx", "[not found]", "not found", "not set", "[requires root]",
		"hidden", "masked", "8250/16550 driver", "<filter>", "x", "any", "auto", "linux", "1234", "12345678", "[unknown]",
	} {
		placeholders[s] = true
	}
}

// harmless reports whether a value is no identity: a pseudonym, a placeholder,
// nothing, or one character throughout.
func harmless(value string) bool {
	const around = " \t\r\n\"'<>()[]{},;."
	v := strings.Trim(value, around)
	if digits, ok := strings.CutPrefix(v, "0x"); ok && isSealed(digits) {
		return true
	}
	// The check is of all that stands before it, as in ".5FFDBE2.FRMOC8110J1820.".
	if isSealed(strings.TrimRight(value, " \t.")) || isSealed(strings.TrimRight(value, around)) {
		return true
	}
	return isBlank(v) || placeholders[strings.ToLower(v)] || isPseudonym(v) || holdsName(v)
}

// isPseudonym reports whether s has the shape of a pseudonym.
func isPseudonym(s string) bool {
	digits := hexOf(s)
	switch {
	case s == secret:
		return true
	case len(digits) == 12 && strings.HasPrefix(digits, mark):
		return true
	case len(digits) == 16 && isPseudoEUI(digits):
		return true
	case len(digits) >= 12 && digits[1:1+len(mark)] == mark:
		return true
	case len(s) >= 36 && isUUID(s[len(s)-36:]): // GPU-, luks-
		return isPseudoUUID(s[len(s)-36:])
	case strings.IndexByte(s, '-') == len(s)-3 && hexRun(s) == len(s)-3 && strings.Trim(s[len(s)-2:], "0123456789") == "": // a partition, behind the signature of its disk
		return isSealed(s) || isBlank(s[:len(s)-3]) || isPseudonym(s[:len(s)-3])
	case isSealed(s):
		return true
	}
	if a, err := netip.ParseAddr(s); err == nil {
		return isHarmlessIP(a)
	}
	// A domain name, an address with what follows it, a user at a host.
	parts := strings.FieldsFunc(s, func(r rune) bool { return strings.ContainsRune(".@/:", r) })
	named := 0
	for _, p := range parts {
		switch {
		case isSealed(p):
			named++
		case p != "example" && p != "home":
			return false
		}
	}
	return named > 0
}

// hexOf returns the hexadecimal digits of s in small letters, "" if it holds
// anything else but separators.
func hexOf(s string) string {
	s = strings.TrimPrefix(strings.ToLower(s), "0x")
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case isHex(c):
			b.WriteByte(c)
		case c != ':' && c != '-' && c != '.':
			return ""
		}
	}
	return b.String()
}

// isPseudoEUI knows the 64-bit forms, and them with their bytes reversed: that
// of a MAC address, and in an IPv6 interface identifier its second bit flipped.
func isPseudoEUI(digits string) bool {
	return strings.HasPrefix(digits, mark) || strings.HasPrefix(digits, "046877") || digits[1:1+len(mark)] == mark ||
		strings.HasSuffix(digits, "776806")
}

// isUUID looks for five groups of hexadecimal digits.
func isUUID(s string) bool {
	if len(s) != 36 {
		return false
	}
	for i := 0; i < len(s); i++ {
		if dash := i == 8 || i == 13 || i == 18 || i == 23; dash && s[i] != '-' || !dash && !isHex(s[i]) {
			return false
		}
	}
	return true
}

func isPseudoUUID(s string) bool { return s[9:13] == "6877" && s[14] == '8' && s[19] == '8' }

var pseudoNet = netip.MustParsePrefix("2001:db8:6877::/48")

// isHarmlessIP reports whether a is a pseudonym, or an address of no one host.
func isHarmlessIP(a netip.Addr) bool {
	b := a.As16()
	switch {
	case a.Is4() && (a.As4()[0] >= 224 || a.As4()[0] == 0 || a.As4()[0] == 127):
		return true
	case a.Is4():
		return false
	case a.IsLoopback(), a.IsUnspecified(), a.IsMulticast(), pseudoNet.Contains(a):
		return true
	case a.Is4In6():
		return isHarmlessIP(a.Unmap())
	}
	// The interface identifier: of a pseudonymous MAC address, or marked.
	return bytes.HasPrefix(b[8:], []byte{0x04, 0x68, 0x77, 0xff, 0xfe}) || b[8] == 0x68 && b[9] == 0x77 || bytes.Equal(b[8:], make([]byte, 8))
}

// isBlank reports whether s has no letter or digit, or but one.
func isBlank(s string) bool {
	first := byte(0)
	for i := 0; i < len(s); i++ {
		c := s[i] | 0x20
		if sizeOf(s[i]) == 1 && s[i] < 0x80 {
			continue
		}
		if first != 0 && c != first {
			return false
		}
		first = c
	}
	return true
}

// checkValues is how many values the check of a sealed text can have at least.
const checkValues = 1 << 20

// alphabets are what a check is written in, by the class of the character.
var alphabets = []string{"0123456789", "abcdef", "ghijklmnopqrstuvwxyz", "ABCDEF", "GHIJKLMNOPQRSTUVWXYZ"}

func alphabet(c byte) string {
	for _, a := range alphabets {
		if strings.IndexByte(a, c) >= 0 {
			return a
		}
	}
	return ""
}

func sizeOf(c byte) int { return max(1, len(alphabet(c))) }

// isSealed reports whether s ends in the check of what stands before it.
func isSealed(s string) bool {
	at := len(s)
	for values := 1; values < checkValues; at-- {
		if at == 0 {
			return false
		}
		values *= sizeOf(s[at-1])
	}
	before := 1
	for i := at; i > 0 && before < checkValues; i-- {
		before *= sizeOf(s[i-1])
	}
	if before < checkValues {
		return false
	}
	sum := sha256.Sum256([]byte("hwcap pseudonym\n" + s[:at]))
	n := 0
	for i := at; i < len(s); i++ {
		if a := alphabet(s[i]); a != "" {
			if s[i] != a[int(sum[n%len(sum)])%len(a)] {
				return false
			}
			n++
		}
	}
	return true
}

func isHex(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F'
}

func isWord(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c >= 0x80
}
