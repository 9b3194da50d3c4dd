package redact

import "bytes"

// dmiSections tells by the heading of a section of dmidecode whose serial
// numbers are in it. Those of other sections are the machine's.
var dmiSections = map[string]Class{
	"Memory Device": DIMMSerial,
}

// dmiSection notes the heading of a section.
func (t *text) dmiSection() {
	if len(t.line) == 0 || t.line[0] == '\t' || t.line[0] == ' ' || bytes.HasPrefix(t.line, []byte("Handle ")) {
		return
	}
	if t.section = dmiSections[string(t.line)]; t.section == "" {
		t.section = DMISerial
	}
}

// nvmeColumn finds the serial number in a row of nvme list. The heading tells
// where the column begins; it is 20 characters wide, and the serial number may
// have blanks in it and before it.
func (t *text) nvmeColumn() {
	const width = 20
	if bytes.HasPrefix(t.line, []byte("Node ")) {
		t.column = max(0, bytes.Index(t.line, []byte(" SN "))+1)
		return
	}
	if t.column == 0 || len(t.line) <= t.column+width || t.line[t.column-1] != ' ' || t.line[t.column+width] != ' ' || t.line[0] != '/' {
		return
	}
	value := bytes.TrimRight(t.line[t.column:t.column+width], " ")
	to := t.column + len(value)
	value = bytes.TrimLeft(value, " ")
	from := to - len(value)
	if len(value) < 4 {
		return
	}
	if t.learning() || isPlaceholder(value) {
		t.foundSerial(from, to, DriveSerial)
		return
	}
	// A longer pseudonym takes from the blanks behind it.
	pseudo := t.r.key.sealed(kindSerial, value)
	grown := len(pseudo) - len(value)
	if blanks := bytes.TrimLeft(t.line[to:], " "); len(t.line)-to-len(blanks) > grown {
		to += grown
	}
	t.put(from, to, DriveSerial, pseudo)
}
