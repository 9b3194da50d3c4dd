package lspci

import (
	"hwcap/parse/fact"
)

// The extended capabilities that say how a link may sleep.

func readL1SubCap(d *fact.Device, r *register) bool {
	d.L1SS.Cap = l1ssNames.flags(r)
	return d.L1SS.Cap != nil
}

func readL1SubCtl1(d *fact.Device, r *register) bool {
	d.L1SS.Ctl = l1ssNames.flags(r)
	return d.L1SS.Ctl != nil
}

// readLTR reads "Max snoop latency: 3145728ns" and the line below it, "Max no
// snoop latency: 3145728ns".
func readLTR(d *fact.Device, r *register) bool {
	snoop, ok1 := number(r.text, 10)
	noSnoop, ok2 := numberAfter(r.text, "Max no snoop latency: ")
	if !ok1 || !ok2 {
		return false
	}
	d.LTR = &fact.LTR{MaxSnoop: int64(snoop), MaxNoSnoop: int64(noSnoop), At: r.at[0]}
	return true
}
