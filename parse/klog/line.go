package klog

import (
	"bytes"
	"encoding/binary"
)

// Stamped reports whether what stands before the message of a line says that
// the line is of a log, and whether the message is then the kernel's: a syslog
// holds lines of other programs as well. Lines without any stamp, of dmesg -t
// and of logs that a mailer wrapped, are not told from other text here. Where a
// log names its fields, the lines that do count as stamped.
func Stamped(line []byte) (stamped, kernel bool) {
	if isDmesg(line) || Named(line) { // as nearly all are
		return true, true
	}
	s, text, ok := split(clean(trimEnd(line)), false)
	switch {
	case !ok, s.format == formatX && !isFacility(trimLeft(line)):
		return false, false
	case s.format == formatS2idle:
		// The report writes of much else, and of the kernel log last.
		return true, bytes.HasPrefix(text, []byte("Linux version "))
	}
	return true, !s.other
}

// Named reports whether a line is of a log that names its fields, as those of
// dmesg --json and of journalctl -o json and export: its records have several
// lines, and what stands before the first of them may belong to it.
func Named(line []byte) bool { return formOf(line) != inLines }

// InField reports whether a line is one of journalctl -o export: "KEY=value", the
// name of a field alone, of which the value is no text, or blank between entries.
func InField(line []byte) bool {
	name, _, _ := bytes.Cut(line, []byte("="))
	return len(line) == 0 || isName(name)
}

// IsName reports whether a line of journalctl -o export is the name of a field
// of which the value is no text: see [BinaryLen].
func IsName(line []byte) bool { return isName(line) }

// BinaryLen returns how many bytes the value of a field that is no text takes
// behind its name: its length in eight bytes, little endian, the value, and a
// line end (systemd JOURNAL_EXPORT_FORMATS.md). head is what follows the name;
// the answer is 0 where that is no such length.
func BinaryLen(head []byte) int64 {
	const most = 1 << 30 // the journal's own limit is less
	if len(head) < sizeLen {
		return 0
	}
	size := binary.LittleEndian.Uint64(head)
	if size > most {
		return 0
	}
	return sizeLen + int64(size) + 1
}

const sizeLen = 8

// isDmesg reports whether line begins with the stamp "[   12.345678]".
func isDmesg(line []byte) bool {
	if len(line) < 4 || line[0] != '[' {
		return false
	}
	i, dots := 1, 0
	for i < len(line) && line[i] == ' ' {
		i++
	}
	for start := i; i < len(line) && (isDigit(line[i]) || line[i] == '.' && i > start); i++ {
		if line[i] == '.' {
			dots++
		}
	}
	return i < len(line) && line[i] == ']' && dots == 1 && isDigit(line[i-1])
}

// isFacility reports whether line begins with a facility as dmesg -x prints
// it, padded with blanks: "kern  :".
func isFacility(line []byte) bool {
	for i, c := range line[:min(len(line), 6)] {
		if (c < 'a' || c > 'z') && (i < 3 || c != ' ' && !isDigit(c)) {
			return false
		}
	}
	return true
}
