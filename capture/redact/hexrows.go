package redact

import (
	"bufio"
	"strconv"
)

// hexBlock gathers the rows of configuration space that lspci -x prints below a
// device, "f0: 00 11 ...", and replaces in them what a config member has
// replaced.
type hexBlock struct {
	r     *Redactor
	space []byte
	rows  []hexRow
}

type hexRow struct {
	text   []byte // with what ends it
	at     int    // where in text the first octet stands
	number int    // of the line
}

const rowOctets = 16

// take adds a line, if it is the next row of a block.
func (b *hexBlock) take(line, end []byte, number int) bool {
	at := rowStart(line)
	if at == 0 {
		return false
	}
	offset, err := strconv.ParseUint(string(line[:at-2]), 16, 16)
	if err != nil || int(offset) != len(b.space) || len(b.space) >= configMost {
		return false
	}
	text := append(append(make([]byte, 0, len(line)+len(end)), line...), end...)
	b.rows = append(b.rows, hexRow{text, at, number})
	b.space = octets(b.space, line[at:at+3*rowOctets-1], ' ')
	return true
}

// rowStart returns where the octets of a row begin, 0 for no row.
func rowStart(line []byte) int {
	digits := 0
	for digits < len(line) && digits < 4 && isHex(line[digits]) {
		digits++
	}
	at := digits + 2
	if digits < 2 || digits > 3 || len(line) < at+3*rowOctets-1 || line[digits] != ':' || line[digits+1] != ' ' {
		return 0
	}
	if pairsOf(line[at:], ' ', rowOctets+1) != rowOctets || len(line) > at+3*rowOctets-1 && line[at+3*rowOctets-1] != ' ' {
		return 0
	}
	return at
}

// flush writes the block that was gathered.
func (b *hexBlock) flush(out *bufio.Writer) error {
	if len(b.rows) == 0 {
		return nil
	}
	found := func(offset int, class Class) {
		b.r.note(place{line: b.rows[offset/rowOctets].number}, class)
	}
	b.r.serialNumbers(b.space, found)
	b.r.sweeper().replace(b.space, found)
	for i, row := range b.rows {
		octets := row.text[row.at : row.at+3*rowOctets-1]
		copy(octets, writeOctets(octets, b.space[i*rowOctets:(i+1)*rowOctets]))
		if _, err := out.Write(row.text); err != nil {
			return err
		}
	}
	b.rows, b.space = b.rows[:0], b.space[:0]
	return nil
}
