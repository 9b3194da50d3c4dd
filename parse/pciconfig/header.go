package pciconfig

import (
	"fmt"

	"hwcap/parse/fact"
)

// The registers of the header (PCIe Base Specification 7.5.1, PCI_VENDOR_ID and
// following).
const (
	vendorID         = 0x00
	command          = 0x04
	status           = 0x06
	revision         = 0x08
	progIf           = 0x09
	class            = 0x0a
	headerType       = 0x0e
	bars             = 0x10
	subsystem        = 0x2c // type 0
	rom              = 0x30 // type 0
	capabilityList   = 0x34 // types 0 and 1
	busNumbers       = 0x18 // types 1 and 2: primary, secondary, subordinate
	ioBase           = 0x1c // type 1, this and the following
	memoryBase       = 0x20
	prefetchBase     = 0x24
	prefetchUpper    = 0x28 // of the base; of the limit 4 bytes on
	ioUpper          = 0x30 // of the base; of the limit 2 bytes on
	bridgeROM        = 0x38
	cardBusList      = 0x14 // type 2: the list of capabilities
	cardBusSubsystem = 0x40 // type 2

	commandIO      = 0x1
	commandMemory  = 0x2
	commandDisINTx = 0x400 // PCI_COMMAND_INTX_DISABLE
	statusCapList  = 0x10
)

// layout is what differs between the types of headers (7.5.1.1.9).
type layout struct {
	name      string
	bars      int
	rom       int // offset; 0: none
	subsystem int // offset; 0: none
	list      int // offset of the pointer to the first capability
	bridge    bool
}

var layouts = []layout{
	0: {name: "00", bars: 6, rom: rom, subsystem: subsystem, list: capabilityList},
	1: {name: "01", bars: 2, rom: bridgeROM, list: capabilityList, bridge: true},
	2: {name: "02", bars: 1, subsystem: cardBusSubsystem, list: cardBusList, bridge: true},
}

// gone is what a function reads as that does not answer.
const gone = 0xffff_ffff

// header reads what stands before the capabilities, and reports whether these
// can be read.
func (d *decoder) header() bool {
	if !d.has(0, headerSize) {
		d.problem(0, "%d bytes of configuration space, less than a header", len(d.config))
		return false
	}
	kind := d.u8(headerType) & 0x7f
	d.dev.Header = fmt.Sprintf("%02x", kind)
	d.dev.Revision = fmt.Sprintf("%02x", d.u8(revision))
	if d.u32(vendorID) == gone && kind == 0x7f {
		d.dev.From = d.cite("ID", vendorID, 4, "all ones, no answer")
		return false
	}
	d.ids()
	if int(kind) >= len(layouts) {
		d.problem(headerType, "header of type %s, which is not known", d.dev.Header)
		return false
	}
	l := &layouts[kind]
	d.dev.DisINTx = d.flag("Command", command, 2, "DisINTx", commandDisINTx)
	d.subsystem(l.subsystem)
	d.regions(l)
	if l.bridge {
		d.bus()
	}
	if kind == 1 {
		d.windows()
	}
	return true
}

// ids reads who made it and what it is. A virtual function reads ffff as its
// vendor and device (9.3.4.1.1), which is no id.
func (d *decoder) ids() {
	vendor, device := d.u16(vendorID), d.u16(vendorID+2)
	d.dev.From = d.cite("ID", vendorID, 4, "%04x:%04x", vendor, device)
	if vendor != 0xffff {
		d.dev.Vendor, d.dev.Device = fmt.Sprintf("%04x", vendor), fmt.Sprintf("%04x", device)
	}
	d.dev.Class = fmt.Sprintf("%04x", d.u16(class))
	d.dev.ProgIf = fmt.Sprintf("%02x", d.u8(progIf))
}

// subsystem reads the vendor and the device at offset. Vendors 0000 and ffff
// are none.
func (d *decoder) subsystem(offset int) {
	if offset == 0 || !d.has(offset, 4) {
		return
	}
	if vendor := d.u16(offset); vendor != 0 && vendor != 0xffff {
		d.dev.SubVendor = fmt.Sprintf("%04x", vendor)
		d.dev.SubDevice = fmt.Sprintf("%04x", d.u16(offset+2))
	}
}

// The bits of a base address register (7.5.1.2.1, PCI_BASE_ADDRESS_*).
const (
	barIO       = 0x1
	barIOMask   = 0xffff_fffc
	barType     = 0x6
	bar32       = 0x0
	bar64       = 0x4
	barPrefetch = 0x8
	barMemMask  = 0xffff_fff0
	romEnable   = 0x1
	romMask     = 0xffff_f800
	romIndex    = 6 // in fact.Region.Index
)

// regions reads the base addresses, and the expansion ROM. A register that
// reads 0 is taken for none, as lspci does: what is not assigned cannot be told
// from what is not there.
func (d *decoder) regions(l *layout) {
	for i := 0; i < l.bars; i++ {
		offset := bars + 4*i
		low := d.u32(offset)
		if low == 0 || low == gone {
			continue
		}
		switch {
		case low&barIO != 0:
			d.ioRegion(i, offset, low)
		case low&barType == bar64 && i == l.bars-1:
			r := fact.Region{Index: i, Kind: "mem", Bits: 64, Prefetch: low&barPrefetch != 0, State: "broken"}
			d.region(r, offset, 4)
		case low&barType == bar64:
			d.memoryRegion(i, offset, 8, uint64(d.u32(offset+4))<<32|uint64(low))
			i++
		default:
			d.memoryRegion(i, offset, 4, uint64(low))
		}
	}
	if l.rom != 0 {
		d.romRegion(l.rom)
	}
}

func (d *decoder) ioRegion(index, offset int, bar uint32) {
	r := fact.Region{Index: index, Kind: "io"}
	enabled := d.u16(command)&commandIO != 0
	switch {
	case bar&barIOMask != 0 || enabled:
		r.Address = fmt.Sprintf("%04x", bar&barIOMask)
	default:
		r.State = "unassigned"
	}
	if !enabled && r.State == "" {
		r.State = "disabled"
	}
	d.region(r, offset, 4)
}

func (d *decoder) memoryRegion(index, offset, size int, bar uint64) {
	r := fact.Region{Index: index, Kind: "mem", Prefetch: bar&barPrefetch != 0}
	switch bar & barType {
	case bar32:
		r.Bits = 32
	case bar64:
		r.Bits = 64
	}
	if address := bar &^ 0xf; address != 0 {
		r.Address = fmt.Sprintf("%08x", address)
		if d.u16(command)&commandMemory == 0 {
			r.State = "disabled"
		}
	} else {
		r.State = "unassigned"
	}
	d.region(r, offset, size)
}

func (d *decoder) romRegion(offset int) {
	bar := d.u32(offset)
	if bar == 0 || bar == gone {
		return
	}
	r := fact.Region{Index: romIndex, Kind: "mem"}
	switch {
	case bar&romMask == 0:
		r.State = "unassigned"
	case bar&romEnable == 0 || d.u16(command)&commandMemory == 0:
		r.State = "disabled"
	}
	if bar&romMask != 0 {
		r.Address = fmt.Sprintf("%08x", bar&romMask)
	}
	d.region(r, offset, 4)
}

func (d *decoder) region(r fact.Region, offset, size int) {
	name, text := fmt.Sprintf("BAR%d", r.Index), r.Kind
	if r.Index == romIndex {
		name = "ROM"
	}
	if r.Address != "" {
		text += " at " + r.Address
	}
	if r.Bits != 0 {
		text += fmt.Sprintf(", %d-bit", r.Bits)
	}
	if r.Prefetch {
		text += ", prefetchable"
	}
	if r.State != "" {
		text += ", " + r.State
	}
	r.At = d.cite(name, offset, size, "%s", text)
	d.dev.Regions = append(d.dev.Regions, r)
}

func (d *decoder) bus() {
	b := fact.BusRange{Primary: int(d.u8(busNumbers)), Secondary: int(d.u8(busNumbers + 1)), Subordinate: int(d.u8(busNumbers + 2))}
	b.At = d.cite("Bus", busNumbers, 3, "primary %02x, secondary %02x, subordinate %02x", b.Primary, b.Secondary, b.Subordinate)
	d.dev.Bus = &b
}

// windows reads the windows of a bridge (7.5.1.3.6 to 7.5.1.3.11). The lowest
// bits of base and limit say how wide both are; they must agree.
func (d *decoder) windows() {
	base, limit := d.u8(ioBase), d.u8(ioBase+1)
	switch kind := base & 0xf; {
	case kind != limit&0xf || kind > 1:
		d.problem(ioBase, "I/O window of unknown kind %02x/%02x", base, limit)
	case kind == 1:
		low, high := uint64(d.u16(ioUpper))<<16, uint64(d.u16(ioUpper+2))<<16
		d.window("io", "I/O behind bridge", ioBase, 2, 8, low|uint64(base&0xf0)<<8, high|uint64(limit&0xf0)<<8|0xfff)
	default:
		d.window("io", "I/O behind bridge", ioBase, 2, 4, uint64(base&0xf0)<<8, uint64(limit&0xf0)<<8|0xfff)
	}

	base, limit = d.u16(memoryBase), d.u16(memoryBase+2)
	if base&0xf != 0 || limit&0xf != 0 {
		d.problem(memoryBase, "memory window of unknown kind %04x/%04x", base, limit)
	} else {
		d.window("mem", "Memory behind bridge", memoryBase, 4, 8, uint64(base)<<16, uint64(limit)<<16|0xf_ffff)
	}

	base, limit = d.u16(prefetchBase), d.u16(prefetchBase+2)
	low, high := uint64(base&0xfff0)<<16, uint64(limit&0xfff0)<<16|0xf_ffff
	switch kind := base & 0xf; {
	case kind != limit&0xf || kind > 1:
		d.problem(prefetchBase, "prefetchable window of unknown kind %04x/%04x", base, limit)
	case kind == 1:
		low |= uint64(d.u32(prefetchUpper)) << 32
		high |= uint64(d.u32(prefetchUpper+4)) << 32
		d.window("pref", "Prefetchable memory behind bridge", prefetchBase, 12, 16, low, high)
	default:
		d.window("pref", "Prefetchable memory behind bridge", prefetchBase, 4, 8, low, high)
	}
}

// window adds a window. One whose base lies above its limit is closed.
func (d *decoder) window(kind, name string, offset, size, digits int, base, limit uint64) {
	w := fact.Window{
		Kind:  kind,
		Start: fmt.Sprintf("%0*x", digits, base),
		End:   fmt.Sprintf("%0*x", digits, limit),
		Open:  base <= limit,
	}
	state := "closed"
	if w.Open {
		state = "open"
	}
	w.At = d.cite(name, offset, size, "%s-%s, %s", w.Start, w.End, state)
	d.dev.Windows = append(d.dev.Windows, w)
}
