package klog

import (
	"bytes"
	"math"
)

// stamp is what stands before a message: time, priority, source.
type stamp struct {
	time   float64 // seconds since boot
	timed  bool    // time was there
	clock  []byte  // time of day as printed, nil without
	seq    int64   // sequence number of /dev/kmsg
	kmsg   bool    // a record of /dev/kmsg
	other  bool    // a syslog line of another program than the kernel
	format string
}

// The formats, named as the tools name them.
const (
	formatPlain = "dmesg -t" // nothing before the message
	formatDmesg = "dmesg"
	formatRaw   = "dmesg -r"
	formatCtime = "dmesg -T"
	formatDelta = "dmesg -d"
	formatHuman = "dmesg -e"
	formatX     = "dmesg -x"
	formatISO   = "dmesg iso"
	formatKmsg  = "kmsg"
	formatShort = "journal short"
	formatJISO  = "journal short-iso"
	formatFull  = "journal short-full"
	formatUnix  = "journal short-unix"
	formatMono  = "journal short-monotonic"
	// The report of AMD's tool amd-s2idle, which writes the log without its
	// times behind its own.
	formatS2idle = "amd-s2idle"
)

// split takes the stamp off a line and returns the message. ok is false where
// nothing stands before the message: an untimed log, or the rest of a line that
// a mailer wrapped. journal says that "[ 12.3] host kernel: text" is journal
// text; dmesg could print the same.
//
// Formats: kernel/printk/printk.c (print_syslog, print_time, print_caller,
// info_print_ext_header), dmesg(1) and journalctl(1).
func split(line []byte, journal bool) (s stamp, text []byte, ok bool) {
	text = trimLeft(line)
	if len(text) == 0 {
		return s, text, false
	}
	switch c := text[0]; {
	case c == '[':
		s, text, ok = bracket(text)
		if ok && journal {
			if rest, kernel, tagged := tag(text); tagged {
				s.format, s.other, text = formatMono, !kernel, rest
			}
		}
	case c == '<':
		s, text, ok = raw(text)
	case isDigit(c):
		if s, text, ok = kmsgRecord(text); ok {
			return s, text, true
		}
		if s, text, ok = clocked(text); ok {
			break
		}
		// The opening bracket was cut off.
		time, rest, timed := seconds(text)
		if rest, found := bytes.CutPrefix(rest, []byte("]")); found {
			s.time, s.timed, s.format = time, timed, formatDmesg
			return s, caller(trimOne(rest)), true
		}
	default:
		if s, text, ok = clocked(text); !ok {
			s, text, ok = decoded(text)
		}
	}
	return s, text, ok
}

// bracket reads "[   12.345678]", "[   12.3 <    1.2>]", "[Thu Feb 29 13:47:22
// 2024]", "[Feb26 10:50]" or "[  +0.000001]", and the caller after it. A line
// that begins with anything else has no such stamp.
func bracket(line []byte) (s stamp, text []byte, ok bool) {
	end := bytes.IndexByte(line[:min(len(line), 64)], ']')
	if end < 0 || line[0] != '[' {
		return s, line, false
	}
	in := trimLeft(line[1:end])
	switch {
	case len(in) == 0:
		return s, line, false
	case isDigit(in[0]):
		var rest []byte
		if s.time, rest, s.timed = seconds(in); !s.timed {
			return s, line, false
		}
		s.format = formatDmesg
		if len(rest) > 0 {
			if rest = trimLeft(rest); len(rest) == 0 || rest[0] != '<' {
				return stamp{}, line, false
			}
			s.format = formatDelta
		}
	case in[0] == '+' && len(in) > 2 && isDigit(in[1]):
		s.format = formatHuman
	case bytes.Count(in, []byte(":")) == 2 && len(in) >= 20:
		s.format, s.clock = formatCtime, in
	case len(in) >= 10 && in[len(in)-3] == ':' && isDigit(in[len(in)-1]) && isDigit(in[len(in)-2]) && in[len(in)-6] == ' ':
		s.format, s.clock = formatHuman, in
	default:
		return s, line, false
	}
	return s, caller(trimOne(line[end+1:])), true
}

// raw reads "<6>[   12.345678] ", and "<6>" alone.
func raw(line []byte) (s stamp, text []byte, ok bool) {
	end := bytes.IndexByte(line[:min(len(line), 6)], '>')
	if end < 2 || !isDigit(line[1]) {
		return s, line, false
	}
	text = line[end+1:]
	if in, rest, found := bracket(text); found {
		s, text = in, rest
	}
	s.format = formatRaw
	return s, text, true
}

// kmsgRecord reads the header of a record of /dev/kmsg: "6,1234,5678901,-;".
// Further fields before the semicolon are ignored, as the kernel's
// documentation demands (Documentation/ABI/testing/dev-kmsg).
func kmsgRecord(line []byte) (s stamp, text []byte, ok bool) {
	head, _, found := bytes.Cut(line[:min(len(line), 128)], []byte(";"))
	if !found {
		return s, line, false
	}
	text = line[len(head)+1:]
	priority, head := number(head)
	seq, head := numberAfter(head, ',')
	usec, head := numberAfter(head, ',')
	if priority < 0 || seq < 0 || usec < 0 || len(head) < 2 || head[0] != ',' {
		return s, line, false
	}
	return stamp{time: float64(usec) / 1e6, timed: true, seq: seq, kmsg: true, format: formatKmsg}, text, true
}

// clocked reads the stamps of journalctl and syslog, which carry a time of day
// and "host kernel: ", and dmesg --time-format iso, which has only the time.
func clocked(line []byte) (s stamp, text []byte, ok bool) {
	var words int
	switch {
	case len(line) < 16:
		return s, line, false
	case line[3] == ' ' && line[6] == ' ' && line[9] == ':' && line[12] == ':': // Nov 30 12:14:56
		s.format, words = formatShort, 3
	case line[4] == '-' && line[7] == '-' && line[10] == 'T' && line[13] == ':': // 2026-11-30T12:14:56
		s.format, words = formatJISO, 1
	case line[4] == '-' && line[10] == ' ' && line[13] == ':' && len(line) > 24 && line[19] == ',': // 2026-11-30 12:14:56,345 DEBUG:
		level, text, found := bytes.Cut(line[24:], []byte(":\t"))
		if !found {
			return stamp{}, line, false
		}
		return stamp{format: formatS2idle, other: string(level) != "DEBUG"}, text, true
	case line[3] == ' ' && line[8] == '-' && line[11] == '-': // Mon 2026-11-30 12:14:56 UTC
		s.format, words = formatFull, 4
	case isDigit(line[9]) && line[10] == '.' && isDigit(line[11]): // 1764504896.345678
		s.format, words = formatUnix, 1
	default:
		return stamp{}, line, false
	}
	rest := line
	for range words {
		rest = trimLeft(rest)
		end := bytes.IndexByte(rest, ' ')
		if end < 0 {
			return stamp{}, line, false
		}
		rest = rest[end:]
	}
	s.clock = line[:len(line)-len(rest)]
	rest = trimLeft(rest)
	if s.format == formatJISO && len(line) > 19 && line[19] == ',' { // only dmesg writes a comma
		s.format = formatISO
		return s, caller(rest), true
	}
	after, kernel, tagged := tag(rest)
	if !tagged {
		return stamp{}, line, false
	}
	s.other = !kernel
	// syslog daemons keep the kernel's own stamp.
	if in, text, found := bracket(after); found && in.timed {
		s.time, s.timed, s.clock, after = in.time, true, nil, text
	}
	return s, after, true
}

// decoded reads the facility and level of dmesg -x, "kern  :info  : ".
func decoded(line []byte) (s stamp, text []byte, ok bool) {
	if len(line) < 17 || line[6] != ':' || line[13] != ':' || line[14] != ' ' {
		return s, line, false
	}
	if in, text, found := bracket(line[15:]); found {
		in.format = formatX
		return in, text, true
	}
	return stamp{format: formatX}, line[15:], true
}

// tag takes "host kernel: " or "kernel: " off. kernel is false where the line
// is of another program.
func tag(line []byte) (text []byte, kernel, ok bool) {
	if text, found := bytes.CutPrefix(line, []byte("kernel: ")); found {
		return text, true, true
	}
	host := bytes.IndexByte(line, ' ')
	if host <= 0 || line[host-1] == ':' {
		return line, false, false
	}
	rest := line[host+1:]
	if text, found := bytes.CutPrefix(rest, []byte("kernel: ")); found {
		return text, true, true
	}
	colon := bytes.Index(rest[:min(len(rest), 64)], []byte(": "))
	if colon <= 0 || bytes.IndexByte(rest[:colon], ' ') >= 0 {
		return line, false, false
	}
	return rest[colon+2:], false, true
}

// caller takes off the caller that CONFIG_PRINTK_CALLER adds: "[    T1] ".
func caller(text []byte) []byte {
	if len(text) < 4 || text[0] != '[' {
		return text
	}
	end := bytes.IndexByte(text[:min(len(text), 16)], ']')
	if end < 0 {
		return text
	}
	in := trimLeft(text[1:end])
	if len(in) < 2 || in[0] != 'T' && in[0] != 'C' || !isDigit(in[1]) {
		return text
	}
	if n, rest := number(in[1:]); n < 0 || len(rest) > 0 {
		return text
	}
	return trimOne(text[end+1:])
}

// seconds reads "12.345678" and returns what follows; timed is false where the
// number is none of seconds.
func seconds(b []byte) (s float64, rest []byte, timed bool) {
	whole, rest := number(b)
	if len(rest) == 0 || rest[0] != '.' {
		return 0, rest, false
	}
	after := rest[1:]
	fraction, rest := number(after)
	digits := len(after) - len(rest)
	if whole < 0 || fraction < 0 || digits > 9 {
		return 0, rest, false
	}
	return float64(whole) + float64(fraction)/math.Pow10(digits), rest, true
}

// number reads decimal digits; -1 without any, or with more than an int64
// holds.
func number(b []byte) (int64, []byte) {
	var n int64
	i := 0
	for ; i < len(b) && isDigit(b[i]); i++ {
		if i >= 18 {
			return -1, b
		}
		n = n*10 + int64(b[i]-'0')
	}
	if i == 0 {
		return -1, b
	}
	return n, b[i:]
}

// numberAfter reads a number that follows the byte sep.
func numberAfter(b []byte, sep byte) (int64, []byte) {
	if len(b) == 0 || b[0] != sep {
		return -1, b
	}
	return number(b[1:])
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// trimLeft drops blanks, tabs and the marks of quoted mail.
func trimLeft(b []byte) []byte {
	for len(b) > 0 && (b[0] == ' ' || b[0] == '\t' || b[0] == '>' && len(b) > 1 && (b[1] == ' ' || b[1] == '>' || b[1] == '[')) {
		b = b[1:]
	}
	return b
}

// trimOne drops the one blank between a stamp and its message; further blanks
// belong to the message.
func trimOne(b []byte) []byte {
	if len(b) > 0 && b[0] == ' ' {
		return b[1:]
	}
	return b
}
