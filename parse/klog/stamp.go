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
	// repeated is how often a syslog daemon says that the message came, 0 where
	// it says nothing.
	repeated int
}

// The formats, named as the tools name them.
const (
	formatPlain = "dmesg -t" // nothing before the message
	formatJSON  = "dmesg --json"
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
	// The journal's forms that name their fields.
	formatObject  = "journal json"
	formatExport  = "journal export"
	formatVerbose = "journal verbose"
	// What minicom and the like put before each line of a console.
	formatConsole = "console"
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
		if s, text, ok = decoded(text); !ok {
			s, text, ok = clocked(text)
		}
	}
	return s, text, ok
}

// bracket reads "[   12.345678]", "[   12.3 <    1.2>]", "[<    1.2>]", "[Thu Feb
// 29 13:47:22 2024]", "[Feb26 10:50]" or "[  +0.000001]", and the caller after
// it; dmesg can put two of them before a message. A line that begins with
// anything else has no such stamp.
func bracket(line []byte) (s stamp, text []byte, ok bool) {
	if time, rest, plain := printkTime(line); plain { // as nearly all are
		s.time, s.timed, s.format = time, true, formatDmesg
		text, ok = caller(trimOne(rest)), true
	} else {
		s, text, ok = oneBracket(line)
	}
	if !ok || len(text) < 2 || text[0] != '[' || text[1] == ' ' && !isStamp(text) {
		return s, text, ok
	}
	second, after, found := oneBracket(text)
	switch {
	case !found:
	case s.format == formatConsole: // the kernel's own stamp is the better one
		return second, after, true
	case second.format != formatConsole:
		if second.timed {
			s.time, s.timed = second.time, true
		}
		return s, after, true
	}
	return s, text, true
}

// printkTime reads "[   12.345678]" as printk writes it, with six digits after
// the point (kernel/printk/printk.c print_time).
func printkTime(b []byte) (seconds float64, rest []byte, ok bool) {
	if len(b) < 10 || b[0] != '[' {
		return 0, b, false
	}
	i := 1
	for i < 6 && b[i] == ' ' {
		i++
	}
	start, n := i, 0
	for i < len(b) && i < 16 && isDigit(b[i]) {
		n = n*10 + int(b[i]-'0')
		i++
	}
	if i == start || len(b) < i+8 || b[i] != '.' || b[i+7] != ']' {
		return 0, b, false
	}
	fraction := 0
	for _, c := range b[i+1 : i+7] {
		if !isDigit(c) {
			return 0, b, false
		}
		fraction = fraction*10 + int(c-'0')
	}
	return float64(n) + float64(fraction)/1e6, b[i+8:], true
}

// isStamp reports whether b begins with such a stamp.
func isStamp(b []byte) bool {
	_, _, ok := printkTime(b)
	return ok
}

func oneBracket(line []byte) (s stamp, text []byte, ok bool) {
	if len(line) == 0 || line[0] != '[' {
		return s, line, false
	}
	end := bytes.IndexByte(line[:min(len(line), 80)], ']')
	if end < 0 {
		return s, line, false
	}
	in := trimLeft(line[1:end])
	if len(in) < 3 {
		return s, line, false
	}
	switch c := in[0]; {
	case isDigit(c):
		var rest []byte
		if s.time, rest, s.timed = seconds(in); s.timed {
			// journalctl -o short-delta leaves the difference of the first line out.
			if s.format = formatDmesg; len(rest) > 0 {
				if rest = trimLeft(rest); len(rest) > 0 && rest[0] != '<' {
					return stamp{}, line, false
				}
				s.format = formatDelta
			}
			break
		}
		if at := timeOfDay(in); at != 0 && at != len("2026-11-30 ") || len(in) < at+8 {
			return stamp{}, line, false
		}
		s.format, s.clock, s.other = formatConsole, in, true
	case c == '+' && isDigit(in[1]):
		s.format = formatHuman
	case c == '<' && (in[1] == ' ' || isDigit(in[1])) && in[len(in)-1] == '>':
		s.format = formatDelta
	case isDigit(in[len(in)-1]) && isDigit(in[len(in)-2]) && in[len(in)-3] == ':' && len(in) >= 10 && in[len(in)-6] == ' ':
		s.format, s.clock = formatHuman, in
	case timeOfDay(in) > 0:
		s.clock, _, _ = bytes.Cut(in, []byte(" <")) // with a difference
		s.format = formatCtime
	default:
		return s, line, false
	}
	return s, caller(trimOne(line[end+1:])), true
}

// raw reads "<6>[   12.345678] ", and "<6>" alone; a syslog daemon sends its own
// stamp behind the priority.
func raw(line []byte) (s stamp, text []byte, ok bool) {
	end := bytes.IndexByte(line[:min(len(line), 6)], '>')
	if end < 2 || !isDigit(line[1]) {
		return s, line, false
	}
	text = line[end+1:]
	if in, rest, found := bracket(text); found {
		s, text = in, rest
	} else if in, rest, found := protocol(text); found {
		return in, rest, true
	} else if in, rest, found := clocked(text); found {
		return in, rest, true
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
	if release, rest, _ := bytes.Cut(head, []byte(",")); bytes.IndexByte(release, '.') > 0 { // netconsole can name it
		head = rest
	}
	priority, head := number(head)
	seq, head := numberAfter(head, ',')
	usec, head := numberAfter(head, ',')
	if priority < 0 || seq < 0 || usec < 0 || len(head) < 2 || head[0] != ',' {
		return s, line, false
	}
	return stamp{time: float64(usec) / 1e6, timed: true, seq: seq, kmsg: true, format: formatKmsg}, text, true
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
