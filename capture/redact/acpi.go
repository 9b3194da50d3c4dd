package redact

import (
	"encoding/binary"
	"io"
)

const (
	acpiHeader = 36      // bytes, ACPI 6.5 section 5.2.6
	acpiMost   = 4 << 20 // bytes of one table
)

// secretTables are ACPI tables that hold product keys or the settings of a
// network boot, with addresses and passwords. Behind their headers they are
// zeroed. Tables of devices and of error sources name no machine.
var secretTables = map[string]Class{
	"MSDM": ProductKey, // Microsoft Software Licensing Tables
	"SLIC": ProductKey,
	"IBFT": Secret, // iSCSI Boot Firmware Table
	"iBFT": Secret,
	"NBFT": Secret, // NVMe-oF boot
	"ASF!": Secret,
	"NFIT": Serial, // of NVDIMMs
}

// acpi copies an ACPI table.
func (r *Redactor) acpi(dst io.Writer, src io.Reader) error {
	table, err := io.ReadAll(io.LimitReader(src, acpiMost))
	if err != nil || r.learning {
		return err
	}
	class, secret := Class(""), false
	if len(table) > acpiHeader {
		class, secret = secretTables[string(table[:4])]
	}
	if secret && !isZero(table[acpiHeader:]) {
		clear(table[acpiHeader:])
		table[9] -= sum(table[:min(len(table), int(binary.LittleEndian.Uint32(table[4:])))])
		r.note(place{offset: acpiHeader}, class)
	}
	r.sweeper().replace(table, func(offset int, class Class) { r.note(place{offset: int64(offset)}, class) })
	if _, err := dst.Write(table); err != nil {
		return err
	}
	return r.bytes(dst, src)
}

func isZero(b []byte) bool {
	for _, c := range b {
		if c != 0 {
			return false
		}
	}
	return true
}

// sum of all bytes of a table is zero.
func sum(b []byte) (n byte) {
	for _, c := range b {
		n += c
	}
	return n
}
