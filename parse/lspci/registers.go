package lspci

import (
	"bytes"

	"hwcap/parse/fact"
)

// The registers of the other capabilities, each in the scope of its own.

// readPower reads "Status: D0 NoSoftRst+ PME-Enable- ..." of Power Management.
func readPower(d *fact.Device, r *register) bool {
	state := field(r.text, ' ')
	if len(state) != 2 || state[0] != 'D' {
		return false
	}
	d.Power = fact.Of(string(state), r.at[0])
	return true
}

// aerReader reads one register of Advanced Error Reporting into its place.
func aerReader(n *names, place func(*fact.AER) **fact.Flags) reader {
	return func(d *fact.Device, r *register) bool {
		flags := n.flags(r)
		*place(d.AER) = flags
		return flags != nil
	}
}

// correctableStatus is the place of "CESta". 3.0.1 and 3.0.2 label the mask so,
// too; it comes second.
func correctableStatus(a *fact.AER) **fact.Flags {
	if a.CESta != nil {
		return &a.CEMsk
	}
	return &a.CESta
}

func readACSCap(d *fact.Device, r *register) bool {
	d.ACS.Cap = acsNames.flags(r)
	return d.ACS.Cap != nil
}

func readACSCtl(d *fact.Device, r *register) bool {
	d.ACS.Ctl = acsNames.flags(r)
	return d.ACS.Ctl != nil
}

// readDpcCtl reads the flags. "Trigger:1" is a field of two bits, 0 for off.
func readDpcCtl(d *fact.Device, r *register) bool {
	flags := dpcNames.flags(r)
	if flags == nil {
		return false
	}
	if n, ok := number(after(r.text, "Trigger:"), 16); ok {
		flags.Bits["Trigger"] = n != 0
	}
	d.DPC.Ctl = flags
	return true
}

func readDpcSta(d *fact.Device, r *register) bool {
	d.DPC.Sta = dpcNames.flags(r)
	return d.DPC.Sta != nil
}

// readVFs reads "Initial VFs: 8, Total VFs: 8, Number of VFs: 1, ...".
func readVFs(d *fact.Device, r *register) bool {
	initial, ok1 := number(r.text, 10)
	total, ok2 := numberAfter(r.text, "Total VFs: ")
	used, ok3 := numberAfter(r.text, "Number of VFs: ")
	if !ok1 || !ok2 || !ok3 {
		return false
	}
	d.SRIOV = &fact.SRIOV{InitialVFs: initial, TotalVFs: total, NumVFs: used, At: r.at[0]}
	return true
}

// maxSizes is how many sizes a resizable BAR can have, 1 MB to 8 EB.
const maxSizes = 44

// readReBAR reads "BAR 0: current size: 16GB, supported: 64MB 128MB ...". The
// size may be "<unknown>", and the list is left out when it is empty.
func readReBAR(d *fact.Device, r *register) bool {
	bar, ok := number(after(r.label, "BAR "), 10)
	current := after(r.text, "current size: ")
	if !ok || current == nil {
		return false
	}
	b := fact.ReBAR{BAR: bar, At: r.at[0]}
	b.Current, _ = size(current)
	for _, word := range bytes.Fields(after(r.text, "supported: ")) {
		if n, _ := size(word); n > 0 && len(b.Supported) < maxSizes {
			b.Supported = append(b.Supported, n)
		}
	}
	if len(d.ReBAR) >= maxRegions {
		return false
	}
	d.ReBAR = append(d.ReBAR, b)
	return true
}

// readAF reads the reset flag of PCI Advanced Features.
func readAF(d *fact.Device, r *register) bool {
	d.AFReset = flagVal(r, "FLR")
	return d.AFReset.Known()
}

const maxLanes = 32

// readLaneErrors reads "0", or "LaneErr at lane: 0 3".
func readLaneErrors(d *fact.Device, r *register) bool {
	lanes := []int{}
	if string(r.text) != "0" {
		for _, word := range bytes.Fields(after(r.text, "at lane:")) {
			lane, ok := number(word, 10)
			if !ok || len(lanes) >= maxLanes {
				return false
			}
			lanes = append(lanes, lane)
		}
		if len(lanes) == 0 {
			return false
		}
	}
	d.LaneErrors = fact.Of(lanes, r.at[0])
	return true
}
