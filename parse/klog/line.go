package klog

import "bytes"

// Stamped reports whether what stands before the message of a line says that
// the line is of a log, and whether the message is then the kernel's: a syslog
// holds lines of other programs as well. Lines without any stamp, of dmesg -t
// and of logs that a mailer wrapped, are not told from other text here.
func Stamped(line []byte) (stamped, kernel bool) {
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
