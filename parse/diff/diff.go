// Package diff puts two captures beside each other: whether they are of one
// machine and of one boot, and which device of the later one is which of the
// earlier one, whatever addresses they have. It knows no opinion; what a change
// means is decided in package judge.
package diff

import (
	"hwcap/parse/fact"
)

// Pair is two captures, matched.
type Pair struct {
	Old, New *fact.Machine
	Identity Identity
	Boot     Boot
	Reversed bool // Old was taken after New

	Devices []Match                 // devices that are in both, by their new address
	Swapped []Match                 // another device at the same place
	Gone    []*fact.Device          // of Old, that New's list does not have
	Added   []*fact.Device          // of New, that Old's list does not have
	Alike   []Alike                 // devices of one kind that moved and cannot be told apart
	Listed  struct{ Old, New bool } // the capture's list of devices is whole: what it lacks is not there
}

// Match is one device in both captures.
type Match struct {
	Old, New *fact.Device
	By       By
}

// Moved reports whether the device has another address.
func (m Match) Moved() bool { return m.Old.Address != m.New.Address }

// Alike are devices of one kind of which nothing tells which is which.
type Alike struct{ Old, New []*fact.Device }

// New matches two captures, the earlier one first.
func New(old, new *fact.Machine) *Pair {
	p := &Pair{Old: old, New: new, Identity: identify(old, new)}
	p.Boot, p.Reversed = boots(old, new)
	p.Listed.Old, p.Listed.New = listed(old), listed(new)
	if p.Identity.One() {
		p.match()
	}
	return p
}

// listed reports whether the list of PCI functions is whole: lspci names every
// function without any rights, and so does the kernel's folder.
func listed(m *fact.Machine) bool { return m.Complete("lspci-vvv") || m.Complete("pci") }

// After returns the device of New that d, of Old, is, or nil.
func (p *Pair) After(d *fact.Device) *fact.Device {
	for _, m := range p.Devices {
		if m.Old == d {
			return m.New
		}
	}
	return nil
}
