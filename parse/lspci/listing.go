package lspci

import (
	"fmt"

	"hwcap/parse/fact"
	"hwcap/parse/pciconfig"
)

// listing is one run of lspci: devices up to a prompt, other text, or an
// address that was listed before.
type listing struct {
	number  int
	devices []int // positions in result.Devices
	kernel  bool  // it prints "Kernel driver" lines (-k, or any -v)
	old     bool  // it is of 3.1.2 or before
	serials []int // positions of devices whose serial number it printed before it was known to be old
	flat    bool  // its indentation is lost
	wrapped bool  // some of its lines were wrapped between words
}

const (
	// maxDevices is how many functions are kept of one text; a server with
	// virtual functions has a few thousand.
	maxDevices = 20_000
	// maxCited bounds the lines that facts cite, and with them the facts: those
	// of 8,000 verbose functions.
	maxCited = 32 << 20
)

// openDevice begins a device. It returns false, and says so once, for one too
// many: all that stands below it is unread then.
func (p *parser) openDevice(at place, l *line) bool {
	p.closeDevice()
	p.inside = true
	if _, again := p.index[at.address]; !again && (len(p.result.Devices) >= maxDevices || p.kept > maxCited) {
		if !p.full {
			p.problem(l.n, fmt.Sprintf("more than %d functions; the rest is not kept", len(p.result.Devices)))
		}
		p.full = true
		return false
	}
	p.result.Devices = append(p.result.Devices, fact.Device{Address: at.address, Parent: at.parent, Listings: 1, From: p.at(l.n, l.raw)})
	p.dev = &p.result.Devices[len(p.result.Devices)-1]
	p.dev.IOMMUGroup = p.group.of(l.column)
	p.base, p.headed = l.column, true
	p.scope = device
	return true
}

// closeDevice ends the open device, and merges it into the one of its address
// if that was listed before.
func (p *parser) closeDevice() {
	p.closeRegister()
	d := p.dev
	if d == nil {
		return
	}
	p.dev = nil
	kernel, serial := d.DriverKnown, d.Serial.Known()
	if serial && p.listing.old {
		d.Serial.V, serial = flipSerial(d.Serial.V), false
	}
	pciconfig.PreferAF(d)
	p.closeSpace(d)
	last := len(p.result.Devices) - 1
	i, again := p.index[d.Address]
	if again {
		if p.listed[i] == p.listing.number {
			p.nextListing()
		}
		serial = serial && !p.result.Devices[i].Serial.Known()
		merge(&p.result.Devices[i], d)
		p.result.Devices = p.result.Devices[:last]
	} else {
		i = last
		p.index[d.Address] = i
		p.listed = append(p.listed, 0)
	}
	p.listed[i] = p.listing.number
	p.listing.devices = append(p.listing.devices, i)
	p.listing.kernel = p.listing.kernel || kernel
	if serial {
		p.listing.serials = append(p.listing.serials, i)
	}
}

// closeListing settles what the whole of a run of lspci tells: that a missing
// driver is none where it prints drivers (-k, any -v), and in which order it
// prints the bytes of serial numbers.
func (p *parser) closeListing() {
	p.closeDevice()
	if p.listing.kernel {
		for _, i := range p.listing.devices {
			p.result.Devices[i].DriverKnown = true
		}
	}
	if p.listing.old {
		for _, i := range p.listing.serials {
			s := &p.result.Devices[i].Serial
			s.V = flipSerial(s.V)
		}
	}
	p.listing = listing{number: p.listing.number + 1}
}

// nextListing closes the listing at a device that is its first again: the next
// one looks like it.
func (p *parser) nextListing() {
	flat, wrapped, old := p.listing.flat, p.listing.wrapped, p.listing.old
	p.closeListing()
	p.listing.flat, p.listing.wrapped, p.listing.old = flat, wrapped, old
}

// leave ends the listing where other text begins.
func (p *parser) leave() {
	p.closeListing()
	p.inside, p.spaced = false, false
	p.group = group{}
	p.tree.open = p.tree.open[:0]
}

// end closes what is open. A last device without the blank line behind it may
// have lost its end, and with that its driver.
func (p *parser) end() {
	if p.pending.n > 0 {
		p.result.Unread.Ignored-- // it counted as a message
		if !p.inside {
			p.result.Outside.Ignored--
			p.result.Outside.Of--
		}
		p.unread(p.pending.n, "line cut by a message, its second half is missing")
	}
	open := ""
	if p.dev != nil && p.blanks == 0 {
		open = p.dev.Address
	}
	p.closeListing()
	if i, ok := p.index[open]; ok && p.result.Devices[i].Driver == "" {
		p.result.Devices[i].DriverKnown = false
	}
	p.addTree()
}

// openCapability tells the scope of the lines that follow, and whether the
// listing is an old one.
func (p *parser) openCapability(text []byte) {
	_, name := offset(text)
	p.scope = scopeOf(name)
	switch p.scope {
	case msi, msix, express, unknown:
		p.listing.old = p.listing.old || isOld(name)
	}
}

// group is an IOMMU group of the listing that scripts make of the folders in
// /sys/kernel/iommu_groups, with "IOMMU Group 7:" before the functions in it.
type group struct {
	id     string
	column int
}

// of returns the group of a device whose line stands at column: those of a group
// stand deeper than its heading.
func (g group) of(column int) string {
	if g.id != "" && column > g.column {
		return g.id
	}
	return ""
}
