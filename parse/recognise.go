package parse

import (
	"bytes"
)

// kind is a text that is recognised by its lines, wherever it stands.
type kind struct {
	format string // Capture.Format of a single text
	member string // the member of a capture whose parser reads it
	match  func(line []byte) bool
}

// kinds are tried in this order; the one with most lines wins.
var kinds = []kind{
	{"lspci", "cmd/lspci-vvv.txt", lspciHeader},
	{"kernel log", "cmd/dmesg.txt", kernelLine},
	{"/proc/crypto", "proc/crypto", cryptoLine},
	{"dmidecode", "cmd/dmidecode.txt", dmiHandle},
	{"ras-mc-ctl --summary", "cmd/ras-mc-ctl-summary.txt", rasHeading(" summary:")},
	{"ras-mc-ctl --errors", "cmd/ras-mc-ctl-errors.txt", rasHeading(" events:")},
}

// recognise returns the kind of text that begins with head, nil for none.
func recognise(head []byte) *kind {
	counts := make([]int, len(kinds))
	for len(head) > 0 {
		var line []byte
		line, head, _ = bytes.Cut(head, []byte("\n"))
		line = bytes.TrimRight(line, "\r")
		for i := range kinds {
			if kinds[i].match(line) {
				counts[i]++
				break
			}
		}
	}
	best := -1
	for i, n := range counts {
		if n > 0 && (best < 0 || n > counts[best]) {
			best = i
		}
	}
	if best < 0 {
		return nil
	}
	return &kinds[best]
}

// lspciHeader matches the first line of a device, "c5:00.0 Co-processor: ...",
// with or without its domain, and that of lspci -vmm, "Slot:\tc5:00.0".
func lspciHeader(line []byte) bool {
	if rest, ok := bytes.CutPrefix(line, []byte("Slot:")); ok {
		rest = bytes.TrimSpace(rest)
		n := addressLen(rest)
		return n > 0 && n == len(rest)
	}
	n := addressLen(line)
	return n > 0 && len(line) > n+3 && line[n] == ' ' && line[n+1] != ' '
}

// addressLen returns the length of the PCI address that b begins with, with
// or without a domain; 0 if there is none.
func addressLen(b []byte) int {
	n := 0
	for n < len(b) && n < 8 && isHex(b[n]) {
		n++
	}
	if n >= 4 && n < len(b) && b[n] == ':' {
		n++
	} else {
		n = 0
	}
	const short = len("c5:00.0")
	if len(b) < n+short {
		return 0
	}
	s := b[n:]
	if isHex(s[0]) && isHex(s[1]) && s[2] == ':' && isHex(s[3]) && isHex(s[4]) && s[5] == '.' && s[6] >= '0' && s[6] <= '7' {
		return n + short
	}
	return 0
}

func isHex(c byte) bool { return isDigit(c) || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F' }

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// kernelLine matches a line of the kernel log in the forms of dmesg, /dev/kmsg
// and journalctl -k, and untimed lines that a driver printed about a device.
func kernelLine(line []byte) bool {
	rest := bytes.TrimLeft(line, " ")    // a mail may indent it
	if len(rest) > 2 && rest[0] == '<' { // <6>
		if end := bytes.IndexByte(rest[:min(len(rest), 6)], '>'); end > 1 && isDigit(rest[1]) {
			rest = rest[end+1:]
			if len(rest) > 0 && rest[0] != '[' {
				return true
			}
		}
	}
	if level := bytes.Index(rest[:min(len(rest), 24)], []byte(": [")); level > 0 { // kern  :info  : [
		rest = rest[level+2:]
	}
	switch {
	case len(rest) > 3 && rest[0] == '[':
		end := bytes.IndexByte(rest[:min(len(rest), 48)], ']')
		return end > 0 && clock(bytes.TrimSpace(rest[1:end]))
	case bytes.HasPrefix(rest, []byte("Linux version ")):
		return true
	case bytes.Contains(rest, []byte(" kernel: ")):
		return true
	case len(rest) > 0 && isDigit(rest[0]): // 6,1234,56789,-;text
		semi := bytes.IndexByte(rest, ';')
		return semi > 0 && bytes.Count(rest[:semi], []byte(",")) >= 3
	}
	// "pcieport 0000:00:1c.5: AER: ..."
	if sp := bytes.IndexByte(rest, ' '); sp > 0 && sp < 32 {
		n := addressLen(rest[sp+1:])
		return n > len("c5:00.0") && bytes.HasPrefix(rest[sp+1+n:], []byte(": "))
	}
	return false
}

// clock matches what stands in the brackets before a message: "12.345678", a
// date with a time of day, or "+1.000001".
func clock(b []byte) bool {
	digits, dots, colons := 0, 0, 0
	for _, c := range b {
		switch {
		case isDigit(c):
			digits++
		case c == '.':
			dots++
		case c == ':':
			colons++
		}
	}
	return digits >= 4 && (dots == 1 || colons >= 1) && (isDigit(b[0]) || b[0] == '+' || colons >= 1)
}

// cryptoLine matches the lines that only /proc/crypto has.
func cryptoLine(line []byte) bool {
	key, value, ok := bytes.Cut(line, []byte(":"))
	if !ok || len(value) < 2 {
		return false
	}
	switch string(key) {
	case "name         ", "driver       ", "module       ", "priority     ", "refcnt       ", "selftest     ":
		return true
	}
	return false
}

func dmiHandle(line []byte) bool {
	return bytes.HasPrefix(line, []byte("Handle 0x")) && bytes.Contains(line, []byte("DMI type "))
}

// rasHeading matches the heading of a section of ras-mc-ctl's output, "PCIe AER
// events summary:" or "PCIe AER events:".
func rasHeading(ending string) func([]byte) bool {
	return func(line []byte) bool {
		name, ok := bytes.CutSuffix(line, []byte(ending))
		name = bytes.TrimSuffix(bytes.TrimSuffix(name, []byte(" events")), []byte(" records"))
		switch string(name) {
		case "Memory controller", "PCIe AER", "MCE", "Extlog", "ARM processor", "Devlink", "Disk", "CXL", "Memory failure":
			return ok
		}
		return false
	}
}
