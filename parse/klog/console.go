package klog

import (
	"bytes"
	"encoding/binary"
)

// clean turns no-break spaces into blanks and drops what steers a terminal.
func clean(line []byte) []byte {
	if isPlain(line) {
		return line
	}
	if bytes.IndexByte(line, 0xc2) >= 0 {
		line = bytes.ReplaceAll(line, []byte("\u00a0"), []byte(" "))
	}
	if bytes.IndexByte(line, 0x1b) < 0 && bytes.IndexByte(line, 0) < 0 {
		return line
	}
	out := make([]byte, 0, len(line))
	for i := 0; i < len(line); i++ {
		switch line[i] {
		case 0: // of a line that was cut off by a reset
		case 0x1b:
			i += sequence(line[i:]) - 1
		default:
			out = append(out, line[i])
		}
	}
	return out
}

// isPlain reports whether a line has only the printable characters of ASCII, as
// nearly all have. It looks at eight bytes at a time.
func isPlain(line []byte) bool {
	const ones = 0x0101010101010101
	for len(line) >= 8 {
		x := binary.LittleEndian.Uint64(line)
		if (x|(x-0x20*ones))&(0x80*ones) != 0 { // above 0x7f, or below a blank
			return false
		}
		line = line[8:]
	}
	for _, c := range line {
		if c < 0x20 || c > 0x7f {
			return false
		}
	}
	return true
}

// sequence returns the length of the control sequence that b begins with, by
// ECMA-48: "ESC [ 1;32 m" sets colours, "ESC ] 0;title BEL" names the window,
// "ESC ( B" chooses characters.
func sequence(b []byte) int {
	if len(b) < 2 {
		return len(b)
	}
	i := 2
	switch b[1] {
	case '[':
		for i < len(b) && b[i] >= 0x20 && b[i] < 0x40 {
			i++
		}
		if i < len(b) && b[i] >= 0x40 && b[i] < 0x7f { // else it was cut off
			i++
		}
	case ']':
		if end := bytes.IndexByte(b, 0x07); end >= 0 {
			i = end + 1
		} else if end := bytes.Index(b, []byte("\x1b\\")); end >= 0 {
			i = end + 2
		}
	case '(', ')':
		i = min(3, len(b))
	}
	return i
}

// innerStamp returns where in a line the stamp "[   12.345678] " of a further
// message stands, 0 without one: on a console two writers meet in a line.
func innerStamp(line []byte) int {
	for i := 0; i < len(line); i++ {
		next := bytes.IndexByte(line[i:], '[')
		if next < 0 {
			return 0
		}
		if i += next; i > 0 && isStamp(line[i:]) {
			return i
		}
	}
	return 0
}

// isStatus reports whether a line of a console is of systemd or of a login, and
// so not the rest of a kernel message: "[  OK  ] Reached target ...",
// "         Starting ...", "host login: " (systemd src/shared/show-status.c).
func isStatus(line []byte) bool {
	line = bytes.TrimRight(clean(line), " ")
	if len(line) > 8 && line[0] == '[' && line[7] == ']' {
		in := bytes.Trim(line[1:7], " *")
		return len(bytes.Trim(in, "ADEFIKLMNOPRSTUW")) == 0
	}
	const indent = "         " // width of "[  OK  ] "
	if rest, ok := bytes.CutPrefix(line, []byte(indent)); ok {
		return len(rest) > 0 && 'A' <= rest[0] && rest[0] <= 'Z'
	}
	return bytes.HasSuffix(line, []byte(" login:")) || bytes.HasPrefix(line, []byte("Password:"))
}

// repetition reads how syslog daemons say that a message came again: "message
// repeated 3 times: [ text]", or, without text, "last message repeated 3 times".
func repetition(text []byte) (times int, again []byte, ok bool) {
	rest, last := bytes.CutPrefix(text, []byte("last message repeated "))
	if !last {
		if rest, ok = bytes.CutPrefix(text, []byte("message repeated ")); !ok {
			return 0, nil, false
		}
	}
	n, rest := number(rest)
	const most = 1 << 30
	if n < 1 || n > most {
		return 0, nil, false
	}
	if last {
		return int(n), nil, bytes.HasPrefix(rest, []byte(" time"))
	}
	again, ok = bytes.CutPrefix(rest, []byte(" times: ["))
	again = bytes.TrimSpace(bytes.TrimSuffix(again, []byte("]")))
	return int(n), again, ok && len(again) > 0
}
