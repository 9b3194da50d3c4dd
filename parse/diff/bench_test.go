package diff

import (
	"fmt"
	"testing"

	"hwcap/parse/fact"
)

// BenchmarkNew compares two captures of one machine with a thousand
// functions: ports with a drive behind each, of which every fifth has a serial
// number and every seventh moved one port on.
func BenchmarkNew(b *testing.B) {
	old, now := large(0), large(1)
	b.ReportAllocs()
	for b.Loop() {
		New(old, now)
	}
}

func large(moved int) *fact.Machine {
	var rows []row
	for i := range 500 {
		upper := fmt.Sprintf("%04x:00:%02x.%d", i>>8, i>>3&31, i&7)
		at := i
		if i%7 == 0 {
			at += moved * 512
		}
		lower := row{address: fmt.Sprintf("%04x:%02x:00.0", at>>8, at&255|1), parent: upper, ids: drive, slot: fmt.Sprint(i)}
		if i%5 == 0 {
			lower.serial = fmt.Sprintf("00-%08d", i)
		}
		rows = append(rows, row{address: upper, ids: port}, lower)
	}
	return machine(rows...)
}
