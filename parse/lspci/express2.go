package lspci

import "hwcap/parse/fact"

// The second registers of the PCI Express capability (PCIe Base Specification
// 7.5.3.15 to 7.5.3.20), printed from 3.0.1 on. Which flag stands on which of
// their lines differs from version to version.

// readDevCap2 reads "Completion Timeout: Range ABC, TimeoutDis+ NROPrPrP- LTR+"
// and up to four further lines.
func readDevCap2(d *fact.Device, r *register) bool {
	x := d.Express
	x.DevCap2 = devCap2Names.flags(r)
	x.CompletionRanges = timeout(r)
	return x.DevCap2 != nil
}

// readDevCtl2 reads "Completion Timeout: 50us to 50ms, TimeoutDis- ...".
func readDevCtl2(d *fact.Device, r *register) bool {
	x := d.Express
	x.DevCtl2 = devCtl2Names.flags(r)
	x.CompletionTimeout = timeout(r)
	return x.DevCtl2 != nil
}

// timeout returns the words behind "Completion Timeout:".
func timeout(r *register) fact.Val[string] {
	const key = "Completion Timeout: "
	words := field(after(r.text, key), ',')
	if len(words) == 0 {
		return fact.Val[string]{}
	}
	return fact.Of(string(words), r.lineOf(key))
}

// readLnkSta2 reads the flags of equalisation and retimers. Up to 3.1.8 there
// are none, only the level of de-emphasis.
func readLnkSta2(d *fact.Device, r *register) bool {
	d.Express.LnkSta2 = lnkSta2Names.flags(r)
	return true
}
