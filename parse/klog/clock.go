package klog

import "bytes"

// clocked reads the stamps of syslog daemons and of journalctl, which have a
// time of day and then "host kernel: ", and that of dmesg --time-format iso,
// which has the time alone. The names of days and months are those of any
// language.
func clocked(line []byte) (s stamp, text []byte, ok bool) {
	if isUnix(line) {
		return tagged(stamp{format: formatUnix}, line, len("1764504896.345678"))
	}
	at := timeOfDay(line)
	if at <= 0 {
		return s, line, false
	}
	end := at + len("12:14:56")
	comma := false
	if end+1 < len(line) && (line[end] == '.' || line[end] == ',') && isDigit(line[end+1]) {
		comma = line[end] == ','
		for end++; end < len(line) && isDigit(line[end]); end++ {
		}
	}
	before := line[:at]
	switch words := bytes.Count(bytes.TrimSuffix(before, []byte(" ")), []byte(" ")); {
	case isDate(before) && before[10] == 'T': // 2026-11-30T12:14:56.345678+00:00
		s.format = formatJISO
		end = word(line, end)
		if comma { // as only dmesg writes
			s.format, s.clock = formatISO, line[:end]
			text = caller(trimOne(line[end:]))
			if in, rest, found := bracket(text); found {
				s.time, s.timed, text = in.time, in.timed, rest
			}
			return s, text, true
		}
	case isDate(before) && comma: // 2026-11-30 12:14:56,345 DEBUG:
		level, rest, found := bytes.Cut(trimOne(line[end:]), []byte(":\t"))
		if !found {
			return s, line, false
		}
		return stamp{format: formatS2idle, other: string(level) != "DEBUG"}, rest, true
	case isDate(before): // 2026-11-30 12:14:56
		s.format = formatJISO
	case len(before) > 11 && isDate(before[len(before)-11:]) && words == 1: // Mon 2026-11-30 12:14:56 UTC
		s.format = formatFull
		end = word(line, end+1)
	case words == 0 || at > maxNames:
		return s, line, false
	default: // Nov  3 12:14:56, and Mon Nov 30 12:14:56 2026 of logread
		s.format = formatShort
		if year, rest := number(line[min(len(line), end+1):]); year > 1900 && year < 3000 && len(rest) > 0 && rest[0] == ' ' {
			end = len(line) - len(rest)
		}
	}
	return tagged(s, line, end)
}

// maxNames is how many bytes stand before a time of day at most: the names of
// day and month, and a number.
const maxNames = 32

// tagged completes s, which is line[:end], by the program that the line names.
func tagged(s stamp, line []byte, end int) (stamp, []byte, bool) {
	if end >= len(line) || line[end] != ' ' {
		return stamp{}, line, false
	}
	s.clock = line[:end]
	rest := trimLeft(line[end:])
	after, kernel, ok := tag(rest)
	if !ok {
		if !isStamp(rest) { // as of the tool ts
			return stamp{}, line, false
		}
		after, kernel = rest, true
	}
	s.other = !kernel
	return own(s, after)
}

// own takes the kernel's own stamp, which syslog daemons keep, from the text.
func own(s stamp, text []byte) (stamp, []byte, bool) {
	if in, rest, found := bracket(text); found && in.timed {
		s.time, s.timed, s.clock, text = in.time, true, nil, rest
	}
	return s, text, true
}

// protocol reads the stamp of RFC 5424 behind the priority: "1
// 2026-11-30T12:14:56.345678+00:00 host kernel - - - ".
func protocol(line []byte) (s stamp, text []byte, ok bool) {
	rest, ok := bytes.CutPrefix(line, []byte("1 "))
	if !ok || timeOfDay(rest) != len("2026-11-30T") || !isDate(rest) {
		return s, line, false
	}
	var words [6][]byte // time, host, program, its number, message, data
	for i := range words {
		if i == 5 && len(rest) > 0 && rest[0] == '[' { // data may hold blanks
			end := bytes.IndexByte(rest, ']')
			rest = rest[end+1:]
			continue
		}
		words[i], rest, _ = bytes.Cut(rest, []byte(" "))
	}
	s = stamp{format: formatJISO, clock: words[0], other: string(words[2]) != "kernel"}
	return own(s, trimLeft(bytes.TrimPrefix(rest, []byte("\ufeff"))))
}

// tag takes "host kernel: ", "kernel: " or "host kern.info kernel: " off. kernel
// is false where the line is of another program.
func tag(line []byte) (text []byte, kernel, ok bool) {
	const most = 64 // bytes before the message
	rest := line
	for range 3 {
		end := word(rest, 0)
		if len(line)-len(rest)+end > most || end == 0 {
			break
		}
		switch name := rest[:end]; {
		case string(name) == "kernel:" && end < len(rest):
			return rest[end+1:], true, true
		case string(name) == "last" && bytes.HasPrefix(rest, []byte("last message repeated ")):
			return rest, true, true
		case name[end-1] == ':':
			return trimOne(rest[end:]), false, end < len(rest) && len(rest) < len(line)
		}
		if end == len(rest) {
			break
		}
		rest = rest[end+1:]
	}
	return line, false, false
}

// word returns where the word of line that holds or follows at ends.
func word(line []byte, at int) int {
	at = min(at, len(line))
	if end := bytes.IndexByte(line[at:], ' '); end >= 0 {
		return at + end
	}
	return len(line)
}

// timeOfDay returns where in the first bytes of a line "12:14:56" stands, -1
// without one.
func timeOfDay(line []byte) int {
	for i, end := 2, min(len(line)-5, maxNames); i < end; i++ {
		if line[i] == ':' && line[i+3] == ':' && isDigit(line[i-2]) && isDigit(line[i-1]) && isDigit(line[i+1]) && isDigit(line[i+2]) && isDigit(line[i+4]) && isDigit(line[i+5]) {
			if i > 2 && line[i-3] != ' ' && line[i-3] != 'T' {
				return -1
			}
			return i - 2
		}
	}
	return -1
}

// isDate reports whether b begins with "2026-11-30 " or "2026-11-30T".
func isDate(b []byte) bool {
	if len(b) < 11 || b[4] != '-' || b[7] != '-' || b[10] != ' ' && b[10] != 'T' {
		return false
	}
	for i, c := range b[:10] {
		if i != 4 && i != 7 && !isDigit(c) {
			return false
		}
	}
	return true
}

// isUnix reports whether b begins with "1764504896.345678 ".
func isUnix(b []byte) bool {
	return len(b) > 18 && b[10] == '.' && b[17] == ' ' && isDigit(b[0]) && isDigit(b[9]) && isDigit(b[11]) && isDigit(b[16])
}
