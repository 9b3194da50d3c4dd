package parse

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"

	"hwcap/parse/fact"
	"hwcap/parse/sysfs"
)

// The forms of lspci for programs (lspci.c of pciutils, show_machine): -vmm,
// a block of "Label:\tvalue" lines a device, and -mm, a line of quoted values.
// With -n a value is an id, with -nn it is name and id, else a name.

// lspciRecord matches the first line of a device in either form.
func lspciRecord(line []byte) bool {
	if slot, ok := bytes.CutPrefix(line, []byte("Slot:")); ok {
		slot = bytes.TrimSpace(slot)
		n := addressLen(slot)
		return n > 0 && n == len(slot)
	}
	n := addressLen(line)
	return n > 0 && bytes.HasPrefix(line[n:], []byte(` "`))
}

// maxFunctions is how many functions are kept of one text; a server with
// virtual functions has a few thousand.
const maxFunctions = 20_000

// records reads the devices of one text.
type records struct {
	file    string
	devices []fact.Device
	known   map[string]bool
	open    *fact.Device // nil after a blank line
	vendor  string
	sub     string
	drivers bool // a driver is named: -k was given
	n       int
	unread  int
	ignored int
	cut     bool // there were more than maxFunctions
}

func lspciRecords(b *builder, r io.Reader, name string) parsed {
	p := records{file: name, known: map[string]bool{}}
	in := bufio.NewReaderSize(r, 4<<10)
	for {
		line, err := in.ReadSlice('\n')
		long := errors.Is(err, bufio.ErrBufferFull)
		if len(line) > 0 {
			p.n++
			p.line(string(trimEnd(line)))
		}
		for long && errors.Is(err, bufio.ErrBufferFull) {
			_, err = in.ReadSlice('\n')
		}
		if err != nil {
			break
		}
	}
	p.close()
	for i := range p.devices {
		p.devices[i].DriverKnown = p.drivers
	}
	return parsed{
		amount: len(p.devices),
		unread: fact.Unread{File: name, Lines: p.unread, Ignored: p.ignored, Of: p.n},
		add: func() {
			b.devices = p.devices
			if p.cut {
				b.problem(name, "more than %d functions; the rest is not kept", maxFunctions)
			}
		},
	}
}

func (p *records) line(text string) {
	switch {
	case strings.TrimSpace(text) == "":
		p.close()
		p.ignored++
	case !lspciRecord([]byte(text)):
		label, value, ok := strings.Cut(text, ":")
		if p.open == nil || !ok || !p.field(label, strings.TrimSpace(value), p.at(text)) {
			p.unread++
		}
	case strings.HasPrefix(text, "Slot:"):
		p.start(strings.TrimSpace(text[len("Slot:"):]), text)
	default:
		address, values, _ := strings.Cut(text, " ")
		p.start(address, text)
		p.quoted(values)
		p.close()
	}
}

func (p *records) at(text string) fact.Line { return fact.Line{File: p.file, Line: p.n, Text: text} }

func (p *records) start(address, text string) {
	p.close()
	if strings.Count(address, ":") == 1 {
		address = "0000:" + address
	}
	p.open = &fact.Device{Address: strings.ToLower(address), Listings: 1, From: p.at(text)}
}

// close keeps the open device; of two that have one address the first.
func (p *records) close() {
	d := p.open
	p.open = nil
	if d == nil {
		return
	}
	d.Name = strings.TrimSpace(p.vendor + " " + d.Name)
	d.SubName = strings.TrimSpace(p.sub + " " + d.SubName)
	p.vendor, p.sub = "", ""
	if !p.known[d.Address] && sysfs.IsAddress(d.Address) {
		if len(p.devices) == maxFunctions {
			p.cut = true
			return
		}
		p.known[d.Address] = true
		p.devices = append(p.devices, *d)
	}
}

// quoted reads the values of one line: class, vendor, device and those of the
// subsystem in quotes, -rREV and -pPROGIF without.
func (p *records) quoted(values string) {
	labels := []string{"Class", "Vendor", "Device", "SVendor", "SDevice"}
	for values = strings.TrimSpace(values); values != ""; values = strings.TrimLeft(values, " ") {
		if rest, ok := strings.CutPrefix(values, `"`); ok {
			var value string
			value, values, _ = strings.Cut(rest, `"`)
			if len(labels) > 0 {
				p.field(labels[0], value, fact.Line{})
				labels = labels[1:]
			}
			continue
		}
		var option string
		option, values, _ = strings.Cut(values, " ")
		if rev, ok := strings.CutPrefix(option, "-r"); ok {
			p.field("Rev", rev, fact.Line{})
		} else if progIf, ok := strings.CutPrefix(option, "-p"); ok {
			p.field("ProgIf", progIf, fact.Line{})
		}
	}
}

// field takes one value of the open device; false for a label that says
// nothing.
func (p *records) field(label, value string, at fact.Line) bool {
	d := p.open
	switch label {
	case "Class":
		d.ClassName, d.Class = nameID(value)
	case "Vendor":
		p.vendor, d.Vendor = nameID(value)
	case "Device":
		d.Name, d.Device = nameID(value)
	case "SVendor":
		p.sub, d.SubVendor = nameID(value)
	case "SDevice":
		d.SubName, d.SubDevice = nameID(value)
	case "Rev":
		d.Revision = value
	case "ProgIf":
		d.ProgIf = value
	case "PhySlot":
		d.Slot = value
	case "IOMMUGroup":
		d.IOMMUGroup = value
	case "NUMANode":
		node, err := strconv.Atoi(value)
		if err != nil {
			return false
		}
		d.NUMANode = &node
	case "Driver":
		d.Driver, d.DriverAt, p.drivers = value, at, true
	case "Module":
		if !slices.Contains(d.Modules, value) {
			d.Modules = append(d.Modules, value)
		}
		p.drivers = true // both come with -k
	default:
		return false
	}
	return true
}

// nameID splits "Host bridge [0600]", "0600" and "Class 0600", which stands
// where the id has no name.
func nameID(value string) (name, id string) {
	if n := len(value) - len(" [0000]"); n >= 0 && value[n:n+2] == " [" && value[len(value)-1] == ']' && isID(value[n+2:n+6]) {
		name, id = value[:n], value[n+2:n+6]
	} else if isID(value) {
		return "", strings.ToLower(value)
	} else if word, rest, _ := strings.Cut(value, " "); isID(rest) && (word == "Class" || word == "Vendor" || word == "Device") {
		return "", strings.ToLower(rest)
	} else {
		name = value
	}
	if name == "Class" || name == "Vendor" || name == "Device" {
		name = ""
	}
	return name, strings.ToLower(id)
}

func isID(s string) bool {
	return len(s) == 4 && isHex(s[0]) && isHex(s[1]) && isHex(s[2]) && isHex(s[3])
}
