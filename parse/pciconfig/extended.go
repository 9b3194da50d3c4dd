package pciconfig

import (
	"fmt"
	"strings"

	"hwcap/parse/fact"
)

// extendedReaders are the extended capabilities that give facts, by their id
// (PCI_EXT_CAP_ID_*).
var extendedReaders = map[uint32]func(d *decoder, at int){
	0x01: (*decoder).aer,
	0x03: (*decoder).serialNumber,
	0x0d: (*decoder).acs,
	0x0e: (*decoder).ari,
	0x10: (*decoder).sriov,
	0x15: (*decoder).resizableBAR,
	0x17: (*decoder).tph,
	0x18: (*decoder).ltr,
	0x19: (*decoder).secondary,
	0x1d: (*decoder).dpc,
	0x1e: (*decoder).l1ss,
}

// extended walks the list of extended capabilities (7.6). It begins behind the
// conventional space, where a header of zeros or all ones says that there is
// none. Of several with one id the first counts, as for the kernel
// (pci_find_ext_capability).
func (d *decoder) extended() {
	if !d.express || len(d.config) <= pciSize {
		return
	}
	var seen [maxConfig]bool
	done := map[uint32]bool{}
	for at, from := pciSize, pciSize; ; {
		switch {
		case at == 0:
			return
		case at < pciSize:
			d.problem(from, "list of extended capabilities leads out of them, to %03x", at)
			return
		case !d.has(at, 4):
			d.problem(from, "list of extended capabilities goes on at %03x, which could not be read", at)
			return
		case seen[at]:
			d.problem(from, "list of extended capabilities loops at %03x", at)
			return
		}
		seen[at] = true
		head := d.u32(at)
		if head == 0 || head == gone {
			return
		}
		d.dev.ExtCaps = true
		id := head & 0xffff
		if read := extendedReaders[id]; read != nil && !done[id] {
			done[id] = true
			read(d, at)
		}
		at, from = int(head>>20)&^3, at
	}
}

// extendedHead returns the place of the header of an extended capability.
func (d *decoder) extendedHead(name string, at int) fact.Line {
	return d.cite(name, at, 4, "v%d", d.u32(at)>>16&0xf)
}

// aer reads Advanced Error Reporting (7.8.4, PCI_ERR_*).
func (d *decoder) aer(at int) {
	a := &fact.AER{At: d.extendedHead("Advanced Error Reporting", at)}
	a.UESta = d.flags("UESta", at+0x04, 4, uncorrectableBits)
	a.UEMsk = d.flags("UEMsk", at+0x08, 4, uncorrectableBits)
	a.UESvrt = d.flags("UESvrt", at+0x0c, 4, uncorrectableBits)
	a.CESta = d.flags("CESta", at+0x10, 4, correctableBits)
	a.CEMsk = d.flags("CEMsk", at+0x14, 4, correctableBits)
	if collecting.has(d.portType) {
		a.RootCmd = d.flags("RootCmd", at+0x2c, 4, rootCmdBits)
		a.RootSta = d.flags("RootSta", at+0x30, 4, rootStaBits)
	}
	d.dev.AER = a
}

// serialNumber reads the Device Serial Number (7.9.3, PCI_EXT_CAP_ID_DSN), its
// highest byte first.
func (d *decoder) serialNumber(at int) {
	const number = 4
	if !d.has(at+number, 8) {
		return
	}
	var digits []string
	for i := 7; i >= 0; i-- {
		digits = append(digits, fmt.Sprintf("%02x", d.u8(at+number+i)))
	}
	serial := strings.Join(digits, "-")
	d.dev.Serial = fact.Of(serial, d.cite("Serial", at+number, 8, "%s", serial))
}

// acs reads Access Control Services (PCI_ACS_*).
func (d *decoder) acs(at int) {
	d.dev.ACS = &fact.ACS{
		At:  d.extendedHead("Access Control Services", at),
		Cap: d.flags("ACSCap", at+0x04, 2, acsBits),
		Ctl: d.flags("ACSCtl", at+0x06, 2, acsBits),
	}
}

// ari notes Alternative Routing-ID Interpretation (7.8.8).
func (d *decoder) ari(int) { d.dev.ARI = true }

// sriov reads the numbers of virtual functions (9.3.3.5 to 9.3.3.7,
// PCI_SRIOV_INITIAL_VF, PCI_SRIOV_TOTAL_VF and PCI_SRIOV_NUM_VF).
func (d *decoder) sriov(at int) {
	const numbers = 0x0c
	if !d.has(at+numbers, 6) {
		return
	}
	v := &fact.SRIOV{
		InitialVFs: int(d.u16(at + numbers)),
		TotalVFs:   int(d.u16(at + numbers + 2)),
		NumVFs:     int(d.u16(at + numbers + 4)),
	}
	v.At = d.cite("VFs", at+numbers, 6, "initial %d, total %d, used %d", v.InitialVFs, v.TotalVFs, v.NumVFs)
	d.dev.SRIOV = v
}

// barSize decodes the code of a BAR's size: 0 is 1 MiB. 0 is returned for one
// that an int64 does not hold; 2^63 is the largest there is.
func barSize(code uint32) int64 {
	const mib, largest = 20, 62
	if code > largest-mib {
		return 0
	}
	return 1 << (mib + code)
}

// resizableBAR reads the BARs of the Resizable BAR capability (7.8.6,
// PCI_REBAR_*): two registers each, of which the first control says how many
// there are.
func (d *decoder) resizableBAR(at int) {
	const first, each = 4, 8
	if !d.has(at+first, each) {
		return
	}
	n := int(d.u32(at+first+4) >> 5 & 7)
	if n < 1 || n > 6 {
		d.problem(at+first+4, "Resizable BAR capability with %d BARs", n)
		return
	}
	for offset := at + first; n > 0 && d.has(offset, each); n, offset = n-1, offset+each {
		sizes, control := d.u32(offset), d.u32(offset+4)
		b := fact.ReBAR{BAR: int(control & 7), Current: barSize(control >> 8 & 0x3f)}
		// 28 sizes stand in the capability from bit 4 on, 16 larger ones in
		// the upper half of the control.
		supported := uint64(sizes>>4) | uint64(control>>16)<<28
		for code := uint32(0); supported != 0; supported, code = supported>>1, code+1 {
			if size := barSize(code); supported&1 != 0 && size != 0 {
				b.Supported = append(b.Supported, size)
			}
		}
		b.At = d.cite("Resizable BAR", offset, each, "BAR %d, %d of %v bytes", b.BAR, b.Current, b.Supported)
		d.dev.ReBAR = append(d.dev.ReBAR, b)
	}
}

// tph notes the requester's capability for Transaction Processing Hints (7.9.13).
func (d *decoder) tph(int) { d.dev.TPH = true }

// ltr reads Latency Tolerance Reporting (7.8.2, PCI_LTR_*).
func (d *decoder) ltr(at int) {
	const snoop, noSnoop = 4, 6
	if !d.has(at+snoop, 4) {
		return
	}
	l := &fact.LTR{}
	var ok1, ok2 bool
	l.MaxSnoop, ok1 = latency(d.u16(at + snoop))
	l.MaxNoSnoop, ok2 = latency(d.u16(at + noSnoop))
	if !ok1 || !ok2 {
		d.problem(at+snoop, "latency tolerance of a scale that is not permitted")
		return
	}
	l.At = d.cite("LTR", at+snoop, 4, "max snoop %d ns, max no snoop %d ns", l.MaxSnoop, l.MaxNoSnoop)
	d.dev.LTR = l
}

// latency decodes ten bits of value and three of scale, a power of 32, into
// nanoseconds. Scales above 5 are not permitted (6.18).
func latency(register uint32) (int64, bool) {
	scale := register >> 10 & 7
	return int64(register&0x3ff) << (5 * scale), scale <= 5
}

// secondary reads Lane Error Status of Secondary PCI Express (7.7.3.3): a bit a
// lane, of which no link has more than 16.
func (d *decoder) secondary(at int) {
	const laneErrors = 8
	if !d.has(at+laneErrors, 4) {
		return
	}
	lanes := []int{}
	for lane, status := 0, d.u16(at+laneErrors); status != 0; lane, status = lane+1, status>>1 {
		if status&1 != 0 {
			lanes = append(lanes, lane)
		}
	}
	d.dev.LaneErrors = fact.Of(lanes, d.cite("LaneErrStat", at+laneErrors, 4, "lanes %v", lanes))
}

// dpc reads Downstream Port Containment (7.9.14, PCI_EXP_DPC_*).
func (d *decoder) dpc(at int) {
	d.dev.DPC = &fact.DPC{
		At:  d.extendedHead("Downstream Port Containment", at),
		Ctl: d.flags("DpcCtl", at+0x06, 2, dpcCtlBits),
		Sta: d.flags("DpcSta", at+0x08, 2, dpcStaBits),
	}
}

// l1ss reads L1 PM Substates (7.8.3, PCI_L1SS_*).
func (d *decoder) l1ss(at int) {
	d.dev.L1SS = &fact.L1SS{
		At:  d.extendedHead("L1 PM Substates", at),
		Cap: d.flags("L1SubCap", at+0x04, 4, l1ssCapBits),
		Ctl: d.flags("L1SubCtl1", at+0x08, 4, l1ssCtlBits),
	}
}
