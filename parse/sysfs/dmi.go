package sysfs

import (
	"fmt"
	"io"
	"strings"

	"hwcap/parse/fact"
	"hwcap/parse/lines"
)

// DMI is what the text of dmidecode says of firmware, machine and slots.
type DMI struct {
	Structures int         // of all types
	Slots      []fact.Slot // type 9, in the order of the text

	// The first structure of types 0, 1 and 2.
	biosVendor, biosVersion, biosDate, vendor, product, boardVendor, board fact.Val[string]
}

// maxSlots is how many slots are kept; a large server has a few dozen.
const maxSlots = 1000

// Structures of the SMBIOS specification (DSP0134, chapter 7).
const (
	dmiBIOS   = "0"
	dmiSystem = "1"
	dmiBoard  = "2"
	dmiSlot   = "9"
)

// ParseDMI reads the text that dmidecode prints, whatever types were asked
// for. A structure that is broken off gives what stands before the break.
func ParseDMI(r io.Reader, name string) (*DMI, []fact.Problem) {
	d := &DMI{}
	var problems []fact.Problem
	kind := ""
	seen := map[string]bool{}
	first := false // the structure at hand is the first of its type
	for in := lines.New(r, name, maxLine); in.Next(); {
		at := in.At()
		line := at.Text
		if _, rest, ok := strings.Cut(line, "DMI type "); ok && strings.HasPrefix(line, "Handle ") {
			kind, _, _ = strings.Cut(rest, ",")
			if kind = strings.Clone(kind); len(kind) > 3 { // the type is one byte
				kind = ""
			}
			if kind == dmiSlot && len(d.Slots) == maxSlots {
				problems = append(problems, fact.Problem{File: name, Line: at.Line, Text: fmt.Sprintf("more than %d slots; the rest is not kept", maxSlots)})
				break
			}
			first = !seen[kind]
			seen[kind] = true
			d.Structures++
			if kind == dmiSlot {
				d.Slots = append(d.Slots, fact.Slot{At: at})
			}
			continue
		}
		if line == "" || line[0] != '\t' && line[0] != ' ' {
			continue
		}
		key, value, ok := strings.Cut(strings.TrimLeft(line, " \t"), ":")
		if value = strings.TrimSpace(value); !ok || value == "" {
			continue
		}
		if kind == dmiSlot {
			d.slot(&d.Slots[len(d.Slots)-1], key, value, at)
		} else if into := d.field(kind, key); into != nil && first {
			*into = fact.Of(value, at)
		}
	}
	if d.Structures == 0 {
		return d, []fact.Problem{{File: name, Text: "no structure of DMI in it"}}
	}
	return d, problems
}

// slot reads one line of a System Slots structure. The place of the slot is
// its Designation, the line that a reader looks for.
func (d *DMI) slot(s *fact.Slot, key, value string, at fact.Line) {
	switch key {
	case "Designation":
		s.Designation, s.At = value, at
	case "Type":
		s.Type = value
	case "Current Usage":
		s.Usage, s.UsageAt = value, at
	case "ID":
		s.ID = value
	case "Bus Address":
		if address := strings.ToLower(value); IsAddress(address) {
			s.Address = address
		}
	}
}

// field returns what the key of a structure tells, nil for all others.
func (d *DMI) field(kind, key string) *fact.Val[string] {
	switch kind + " " + key {
	case dmiBIOS + " Vendor":
		return &d.biosVendor
	case dmiBIOS + " Version":
		return &d.biosVersion
	case dmiBIOS + " Release Date":
		return &d.biosDate
	case dmiSystem + " Manufacturer":
		return &d.vendor
	case dmiSystem + " Product Name":
		return &d.product
	case dmiBoard + " Manufacturer":
		return &d.boardVendor
	case dmiBoard + " Product Name":
		return &d.board
	}
	return nil
}

// fallback pairs what the text says with the fields of the machine that the
// files below /sys/class/dmi/id fill.
func (d *DMI) fallback(p *fact.Platform) []struct{ into, from *fact.Val[string] } {
	return []struct{ into, from *fact.Val[string] }{
		{&p.Vendor, &d.vendor}, {&p.Product, &d.product},
		{&p.BoardVendor, &d.boardVendor}, {&p.Board, &d.board},
		{&p.BIOSVendor, &d.biosVendor}, {&p.BIOSVersion, &d.biosVersion}, {&p.BIOSDate, &d.biosDate},
	}
}

// AddDMI adds what dmidecode said.
func (t *Tree) AddDMI(d *DMI) { t.dmi = d }
