package pciconfig

import (
	"fmt"

	"hwcap/parse/fact"
)

// capabilityReaders are the capabilities that give facts, by their id
// (PCI_CAP_ID_*).
var capabilityReaders = map[uint32]func(d *decoder, at int){
	0x01: (*decoder).powerManagement,
	0x05: (*decoder).msi,
	0x07: (*decoder).pcix,
	0x0d: (*decoder).bridgeSubsystem,
	0x10: (*decoder).pciExpress,
	0x11: (*decoder).msix,
	0x13: (*decoder).advancedFeatures,
}

const capabilityBroken = 0xff // the id that a list reads as which is none

// capabilities walks the list of capabilities (7.5.1.1.11). Its pointers leave
// the lowest two bits reserved, and none leads into the header
// (drivers/pci/pci.h, PCI_FIND_NEXT_CAP). Of several with one id the first
// counts.
func (d *decoder) capabilities() {
	pointer := layouts[d.u8(headerType)&0x7f].list
	if d.u16(status)&statusCapList == 0 {
		return
	}
	var seen [pciSize]bool
	done := map[uint32]bool{}
	for from := pointer; ; {
		at := int(d.u8(from)) &^ 3
		switch {
		case at == 0:
			return
		case at < headerSize:
			d.problem(from, "list of capabilities leads into the header, to %02x", at)
			return
		case !d.has(at, 4):
			if d.dev.CapsState == "" {
				d.dev.CapsState = fact.Denied
			} else {
				d.problem(from, "list of capabilities goes on at %02x, which could not be read", at)
			}
			return
		case seen[at]:
			d.problem(from, "list of capabilities loops at %02x", at)
			return
		}
		seen[at] = true
		d.dev.CapsState = fact.Present
		id := d.u8(at)
		if id == capabilityBroken {
			d.problem(at, "list of capabilities is broken at %02x", at)
			return
		}
		if read := capabilityReaders[id]; read != nil && !done[id] {
			done[id] = true
			read(d, at)
		}
		from = at + 1
	}
}

// powerManagement reads the power state (7.5.2.2, PCI_PM_CTRL).
func (d *decoder) powerManagement(at int) {
	const ctrl = 4
	if !d.has(at+ctrl, 2) {
		return
	}
	state := fmt.Sprintf("D%d", d.u16(at+ctrl)&3)
	d.dev.Power = fact.Of(state, d.cite("PMCSR", at+ctrl, 2, "%s", state))
}

// flag returns the bit mask of the register of size bytes at offset, which is
// printed under the label of its own.
func (d *decoder) flag(register string, offset, size int, label string, mask uint32) fact.Val[bool] {
	on := d.uint(offset, size)&mask != 0
	return fact.Of(on, d.cite(register, offset, size, "%s%s", label, sign(on)))
}

// msi reads Message Control of MSI (7.7.1.2, PCI_MSI_FLAGS_ENABLE).
func (d *decoder) msi(at int) { d.dev.MSI = d.flag("MSI", at+2, 2, "Enable", 0x0001) }

// msix reads Message Control of MSI-X (7.7.2.2, PCI_MSIX_FLAGS_ENABLE).
func (d *decoder) msix(at int) { d.dev.MSIX = d.flag("MSI-X", at+2, 2, "Enable", 0x8000) }

// pcix: PCI-X Mode 2 has extended configuration space, too.
func (d *decoder) pcix(int) { d.express = true }

// bridgeSubsystem reads the subsystem of a bridge, which has no place for it in
// its header (PCI_SSVID_VENDOR_ID).
func (d *decoder) bridgeSubsystem(at int) {
	if d.dev.Header == "01" {
		d.subsystem(at + 4)
	}
}

// advancedFeatures reads the reset flag of Advanced Features (PCI_AF_CAP_FLR).
func (d *decoder) advancedFeatures(at int) {
	d.dev.AFReset = d.flag("AFCap", at+3, 1, "FLR", 0x02)
}

// PreferAF lets a function with both capabilities be one that can be reset when
// either says so; the kernel tries DevCap first, then Advanced Features
// (drivers/pci/pci.c, pcie_reset_flr and pci_af_flr).
func PreferAF(d *fact.Device) {
	if x := d.Express; x != nil && d.AFReset.V && !x.FLReset.V {
		x.FLReset = d.AFReset
	}
}
