package lspci

import (
	"bytes"
	"slices"
	"strings"

	"hwcap/parse/fact"
)

// The forms of lspci for programs (lspci.c of pciutils, show_machine): -vmm, a
// block of "Label:\tvalue" lines a device, and -mm, a line of quoted values.
// With -n a value is an id, with -nn it is name and id, else a name. The labels
// of -vmm are rows of scope record.

// isSlot reports whether text is the first line of a -vmm block, "Slot:\t00:1c.0".
// -vm, which is older, has "Device:\t00:1c.0" there.
func isSlot(text []byte) bool { return slotAddress(text) != nil }

func slotAddress(text []byte) []byte {
	var value []byte
	switch {
	case hasPrefix(text, "Slot:"):
		value = trimLeft(text[len("Slot:"):])
	case hasPrefix(text, "Device:"):
		value = trimLeft(text[len("Device:"):])
	default:
		return nil
	}
	at := 0
	if n := domain(value); n > 0 {
		at = n + 1
	}
	if n := bdf(value[at:]); n == 0 || at+n != len(value) {
		return nil
	}
	return value
}

// record takes the first line of a -vmm block.
func (p *parser) record(l *line) bool {
	value := slotAddress(l.text)
	if value == nil {
		return false
	}
	at := place{address: lower(value)}
	if domain(value) == 0 {
		at.address = "0000:" + at.address
	}
	if !p.openDevice(at, l) {
		p.unread(l.n, "")
		return true
	}
	p.scope = record
	p.open(&slot, l, 0)
	return true
}

// readQuoted reads the values of -mm: class, vendor, device and those of the
// subsystem in quotes, -rREV and -pPROGIF without.
func readQuoted(d *fact.Device, r *register) bool {
	fields := []func(*fact.Device, []byte){setClass, setVendor, setDevice, setSubVendor, setSubDevice}
	for rest := r.text; len(rest) > 0; rest = trimLeft(rest) {
		if rest[0] != '"' {
			n := wordLen(rest)
			if option := rest[:n]; hasPrefix(option, "-r") {
				d.Revision = lower(option[2:])
			} else if hasPrefix(option, "-p") {
				d.ProgIf = lower(option[2:])
			}
			rest = rest[n:]
			continue
		}
		value, tail, ok := unquoteValue(rest[1:])
		if !ok {
			return false
		}
		if len(fields) > 0 {
			fields[0](d, value)
			fields = fields[1:]
		}
		rest = tail
	}
	return len(fields) <= 2
}

// unquoteValue returns the value up to its closing quote, and what follows that.
// Quotes and backslashes in it have a backslash before them.
func unquoteValue(text []byte) (value, rest []byte, ok bool) {
	for i, b := range text {
		switch {
		case b == '"':
			if value == nil {
				value = text[:i]
			}
			return value, text[i+1:], true
		case b == '\\':
			return unescapeValue(text)
		}
	}
	return nil, nil, false
}

func unescapeValue(text []byte) (value, rest []byte, ok bool) {
	for i := 0; i < len(text); i++ {
		b := text[i]
		if b == '"' {
			return value, text[i+1:], true
		}
		if b == '\\' && i+1 < len(text) {
			i++
			b = text[i]
		}
		value = append(value, b)
	}
	return nil, nil, false
}

func setClass(d *fact.Device, value []byte) { d.ClassName, d.Class = readClass(value) }

func setVendor(d *fact.Device, value []byte) { d.Name, d.Vendor = nameID(value) }

func setDevice(d *fact.Device, value []byte) {
	var name string
	name, d.Device = nameID(value)
	d.Name = strings.TrimSpace(d.Name + " " + name)
}

func setSubVendor(d *fact.Device, value []byte) { d.SubName, d.SubVendor = nameID(value) }

func setSubDevice(d *fact.Device, value []byte) {
	var name string
	name, d.SubDevice = nameID(value)
	d.SubName = strings.TrimSpace(d.SubName + " " + name)
}

func readClassField(d *fact.Device, r *register) bool { setClass(d, r.text); return true }
func readVendor(d *fact.Device, r *register) bool     { setVendor(d, r.text); return true }
func readDevice(d *fact.Device, r *register) bool     { setDevice(d, r.text); return true }
func readSubVendor(d *fact.Device, r *register) bool  { setSubVendor(d, r.text); return true }
func readSubDevice(d *fact.Device, r *register) bool  { setSubDevice(d, r.text); return true }
func readRevision(d *fact.Device, r *register) bool   { d.Revision = lower(r.text); return true }
func readProgIf(d *fact.Device, r *register) bool     { d.ProgIf = lower(r.text); return true }

// readModule reads one of the lines that -vmmk prints for each module.
func readModule(d *fact.Device, r *register) bool {
	d.DriverKnown = true
	name := string(r.text)
	if len(d.Modules) >= maxModules {
		return false
	}
	if !slices.Contains(d.Modules, name) {
		d.Modules = append(d.Modules, name)
	}
	return true
}

// nameID splits "Example [8086]" of -nn, "8086" of -n and "Device 3405", which
// stands where the id has no name.
func nameID(value []byte) (name, id string) {
	n := len(value)
	switch {
	case allHex(value, 4):
		return "", lower(value)
	case n >= 7 && value[n-7] == ' ' && value[n-6] == '[' && value[n-1] == ']' && allHex(value[n-5:n-1], 4):
		value, id = value[:n-7], lower(value[n-5:n-1])
	default:
		if word, rest, _ := bytes.Cut(value, []byte(" ")); allHex(rest, 4) && isNameless(word) {
			return "", lower(rest)
		}
	}
	if isNameless(value) {
		return "", id
	}
	return string(value), id
}

func isNameless(word []byte) bool {
	switch string(word) {
	case "Vendor", "Device":
		return true
	}
	return false
}
