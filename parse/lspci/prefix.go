package lspci

import (
	"bytes"
	"strings"
)

// prefix is what a tool put before each line of a listing: its number (cat -n,
// grep -n), the time (ts, the loggers of serial consoles and of CI systems), the
// name of the host. It is learnt from the first line of a device and holds as
// long as lines have one of the same shape.
type prefix struct {
	shape  []byte // of the prefix: '0' stands for digits, 'a' for letters, ' ' for blanks, the rest for itself
	missed int    // lines without it since the last that has it
}

const (
	digits  = '0'
	letters = 'a'
	blanks  = ' '
)

const (
	maxPrefix = 64
	maxMissed = 3 // a mailer may have wrapped the line before
)

// learn looks for a device's first line behind a prefix in text. It returns
// that line, nil for none.
func (x *prefix) learn(text []byte) []byte {
	for i := 1; i < min(len(text), maxPrefix); i++ {
		if b := text[i-1]; isHex(text[i]) && (isBlank(b) || b == ':' || b == '|') && begins(text[i:]) && hasClass(text[i:]) {
			own := min(i, len(trimRight(text[:i]))+1) // further blanks are the line's
			if !isPrefix(text[:own]) {
				return nil
			}
			x.shape, x.missed = shapeOf(text[:own]), 0
			return text[own:]
		}
	}
	return nil
}

// hasClass reports whether the line of a device has a class that lspci prints,
// by its code or the last word of its name. Many programs write an address
// behind the time.
func hasClass(text []byte) bool {
	a, _ := cutAddress(text)
	if a.isQuoted() {
		return true
	}
	class, _, _ := bytes.Cut(a.rest[1:], []byte(":"))
	name, code := readClass(class)
	if code != "" {
		return true
	}
	switch name[strings.LastIndexByte(name, ' ')+1:] {
	case "controller", "bridge", "device", "interface", "memory", "peripheral", "coprocessor", "accelerators":
		return true
	}
	return false
}

// isPrefix tells a prefix from words that people write before an address: it is
// one number, or has a time of day in it.
func isPrefix(text []byte) bool {
	numbers, words := 0, false
	for i := 0; i < len(text); {
		class, n := classOf(text[i:])
		if class == digits {
			numbers++
		}
		words = words || class == letters
		if isTime(text[i:]) {
			return !bytes.Contains(text, []byte("kernel:"))
		}
		i += n
	}
	return numbers == 1 && !words
}

// isTime reports whether text begins with "00:00:00".
func isTime(text []byte) bool {
	const form = "00:00:00"
	if len(text) < len(form) {
		return false
	}
	for i, b := range text[:len(form)] {
		if i%3 == 2 && b != ':' || i%3 != 2 && (b < '0' || b > '9') {
			return false
		}
	}
	return true
}

// shapeOf returns the shape of a prefix. Its last byte stands for itself: the
// blanks behind it are the line's own.
func shapeOf(text []byte) []byte {
	var shape []byte
	for i := 0; i < len(text); {
		class, n := classOf(text[i:])
		shape = append(shape, class)
		i += n
	}
	return shape
}

// classOf returns the class of the byte that text begins with, and how many of
// that class there are.
func classOf(text []byte) (class byte, n int) {
	for n < len(text) {
		c := text[n]
		switch b := c; {
		case b >= '0' && b <= '9':
			c = digits
		case b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z':
			c = letters
		case isBlank(b) && n+1 < len(text):
			c = blanks
		}
		if n > 0 && (c != class || c != digits && c != letters && c != blanks) {
			break
		}
		class = c
		n++
	}
	return class, n
}

// cut returns text without the prefix. It ends where too many lines have none;
// blank lines need no number.
func (x *prefix) cut(text []byte) []byte {
	rest := text
	if x.shape[0] == digits {
		rest = trimLeft(rest) // learn sees the line without the blanks before it
	}
	for i, class := range x.shape {
		if class == blanks && i+1 < len(x.shape) && x.shape[i+1] == digits { // numbers stand to the right, "  9", " 10"
			rest = trimLeft(rest)
			continue
		}
		if i == len(x.shape)-1 {
			if len(rest) > 0 && (rest[0] == class || class == ':' && rest[0] == '-') { // grep -A: "12:", "13-"
				x.missed = 0
				return rest[1:]
			}
			break
		}
		c, n := classOf(rest)
		if n == 0 || c != class {
			break
		}
		rest = rest[n:]
	}
	if len(trimRight(text)) > 0 {
		if x.missed++; x.missed > maxMissed {
			x.shape = nil
		}
	}
	return text
}
