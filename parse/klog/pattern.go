package klog

import (
	"strings"
)

// A pattern is the wording of a kernel message with holes, as the tables write
// it: "qat_dev{dev#} started {engines#} acceleration engines". It stands
// anywhere in the message, after "^" at its start only, before "$" at its end
// only. What a hole takes:
//
//	{name}   any text up to what follows in the pattern, or to the end
//	{name#}  decimal digits, perhaps with a sign
//	{name%}  hexadecimal digits, perhaps after 0x
//	{name@}  anything but blanks
type pattern struct {
	start, end bool
	parts      []part
	fixed      []string // name, value, name, value: fields that the wording implies
}

// part is a literal, or a hole.
type part struct {
	literal string
	name    string
	takes   byte // 0, '#', '%' or '@'
}

// newPattern compiles a row of a table: the wording, and "name=value" pairs
// that it implies.
func newPattern(text string, fixed ...string) pattern {
	var p pattern
	text, p.start = strings.CutPrefix(text, "^")
	text, p.end = strings.CutSuffix(text, "$")
	for text != "" {
		literal, rest, hole := strings.Cut(text, "{")
		if literal != "" {
			p.parts = append(p.parts, part{literal: literal})
		}
		if !hole {
			break
		}
		var name string
		name, text, _ = strings.Cut(rest, "}")
		takes := byte(0)
		if last := name[len(name)-1]; strings.IndexByte("#%@", last) >= 0 {
			name, takes = name[:len(name)-1], last
		}
		p.parts = append(p.parts, part{name: name, takes: takes})
	}
	for _, f := range fixed {
		name, value, _ := strings.Cut(f, "=")
		p.fixed = append(p.fixed, name, value)
	}
	return p
}

// key is the longest literal, by which the finder knows the pattern.
func (p pattern) key() string {
	key := ""
	for _, part := range p.parts {
		if len(part.literal) > len(key) {
			key = part.literal
		}
	}
	return key
}

// match returns the fields that text gives, and whether it has the wording at
// all.
func (p pattern) match(text string) (map[string]string, bool) {
	if first := p.parts[0].literal; !p.start && first != "" {
		at := strings.Index(text, first)
		if at < 0 {
			return nil, false
		}
		text = text[at:]
	}
	var values [12]string
	n := 0
	for i, part := range p.parts {
		if part.literal != "" {
			if !strings.HasPrefix(text, part.literal) {
				return nil, false
			}
			text = text[len(part.literal):]
			continue
		}
		end := len(text)
		switch last := i+1 == len(p.parts); {
		case part.takes == '#', part.takes == '%', last && part.takes == '@':
			end = span(text, part.takes)
		case !last:
			end = strings.Index(text, p.parts[i+1].literal)
		}
		if end < 0 || part.takes != 0 && (end == 0 || strings.IndexByte(text[:end], ' ') >= 0) {
			return nil, false
		}
		values[n] = text[:end]
		n, text = n+1, text[end:]
	}
	if p.end && strings.TrimRight(text, " ") != "" {
		return nil, false
	}
	if n+len(p.fixed) == 0 {
		return nil, true
	}
	fields := make(map[string]string, n+len(p.fixed)/2)
	n = 0
	for _, part := range p.parts {
		if part.name != "" {
			fields[part.name] = strings.TrimSpace(values[n])
			n++
		}
	}
	for i := 0; i < len(p.fixed); i += 2 {
		fields[p.fixed[i]] = p.fixed[i+1]
	}
	return fields, true
}

// span returns how many bytes at the start of text a hole of that sort takes.
func span(text string, takes byte) int {
	i := 0
	switch takes {
	case '#':
		if i < len(text) && text[i] == '-' {
			i++
		}
	case '%':
		if strings.HasPrefix(text, "0x") {
			i = 2
		}
	}
	start := i
	for i < len(text) {
		c := text[i]
		if takes == '#' && !isDigit(c) || takes == '%' && !isHex(c) || takes == '@' && c == ' ' {
			break
		}
		i++
	}
	if i == start {
		return 0
	}
	return i
}

func isHex(c byte) bool { return isDigit(c) || 'a' <= c|0x20 && c|0x20 <= 'f' }

// isBDF reports whether s is a PCI address with its domain, "0000:00:1c.0" or
// "10000:e1:00.0".
func isBDF(s string) bool {
	n := len(s)
	if n < 12 || n > 16 || s[n-2] != '.' || s[n-5] != ':' || s[n-8] != ':' || s[n-1] < '0' || s[n-1] > '7' {
		return false
	}
	for i := range n {
		if i != n-2 && i != n-5 && i != n-8 && !isHex(s[i]) {
			return false
		}
	}
	return true
}

// isACPI reports whether s is the name of an ACPI device, "PNP0A08:07".
func isACPI(s string) bool {
	id, instance, ok := strings.Cut(s, ":")
	if !ok || len(id) < 6 || len(id) > 8 || len(instance) < 2 || len(instance) > 4 {
		return false
	}
	for i := range len(id) {
		if c := id[i]; !isDigit(c) && (c < 'A' || c > 'Z') {
			return false
		}
	}
	return span(instance, '%') == len(instance)
}

// withDomain completes an address that a message has without its domain, or
// without its function.
func withDomain(address string) string {
	switch {
	case len(address) == len("00:1c.0") && isBDF("0000:"+address):
		return "0000:" + address
	case len(address) >= len("0000:00:1c") && isBDF(address+".0"):
		return address + ".0"
	}
	return address
}
