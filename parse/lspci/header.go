package lspci

import (
	"bytes"
	"fmt"

	"hwcap/parse/fact"
)

// The line that opens a device:
//
//	[DOMAIN:]BB:DD.F CLASS: DEVICE[ (rev XX)][ (prog-if XX[ [NAME]])]
//
// Class and device are names, ids ("0600: 8086:3405", -n), or both ("Host
// bridge [0600]: ... [8086:3405]", -nn). lspci -PP prints the addresses of all
// bridges above, with slashes, before the device's own, and -P without the bus
// numbers. busybox prints "Class 0600: 8086:3405", and behind it the driver.

// place is where a device's line says that it stands.
type place struct {
	address string // with its domain
	parent  string // the bridge above, of lspci -P and -PP; else empty
}

// begins reports whether text begins a device, in one of the forms that have
// its address first.
func begins(text []byte) bool {
	a, ok := cutAddress(text)
	return ok && (a.isHeader() || a.isQuoted())
}

// Begins reports whether line is one that begins a device in lspci's output:
// its first line, with or without -P and -m, "Slot:" of -vmm, also where a mail
// quotes it or a tool numbers it. Other lines of lspci do not tell so surely.
func Begins(line []byte) bool {
	const longest = 512 // a class and a name are shorter
	line = line[:min(len(line), longest)]
	if len(line) < len("00:00.0") {
		return false
	}
	if begins(line) {
		return true
	}
	if bytes.IndexByte(line, '.') < 0 {
		return false
	}
	var c cleaner
	text, _ := c.clean(line, true)
	return len(text) > 0 && (begins(text) || isSlot(text) || c.prefix.learn(text) != nil)
}

// address is the address at the start of a line, in its parts.
type address struct {
	domain []byte // without its colon; nil: none is printed
	first  []byte // "00:1c.0"
	path   []byte // "/00.0/02.0" of lspci -P, "/02:00.0/03:02.0" of -PP
	rest   []byte // from the blank on
}

// cutAddress reads the address that text begins with.
func cutAddress(text []byte) (a address, ok bool) {
	if len(text) < len("00:00.0 x") || !isHex(text[0]) || !isHex(text[1]) {
		return a, false
	}
	at := 0
	if n := domain(text); n > 0 {
		a.domain = text[:n]
		at = n + 1
	}
	end := bdf(text[at:])
	if end == 0 {
		return a, false
	}
	a.first = text[at : at+end]
	tail, n := text[at+end:], 0
	for n < len(tail) && tail[n] == '/' {
		size := max(bdf(tail[n+1:]), devfn(tail[n+1:]))
		if size == 0 {
			return a, false
		}
		n += 1 + size
	}
	a.path, a.rest = tail[:n], tail[n:]
	return a, len(a.rest) > 1 && a.rest[0] == ' '
}

// isHeader reports whether class and name follow, "Host bridge: Maker Chip".
func (a *address) isHeader() bool {
	r := a.rest
	return r[1] != '"' && (bytes.Contains(r, []byte(": ")) || r[len(r)-1] == ':')
}

// isQuoted reports whether the values of lspci -mm follow.
func (a *address) isQuoted() bool { return a.rest[1] == '"' }

// header takes the first line of a device.
func (p *parser) header(l *line) bool {
	a, ok := cutAddress(l.text)
	if !ok {
		return false
	}
	row := &header
	if a.isQuoted() {
		row = &quoted
	} else if !a.isHeader() {
		return false
	}
	at, ok := p.placeOf(a)
	if !ok {
		p.closeDevice()
		p.inside = true
		p.unread(l.n, "the bus behind "+at.parent+" is not known; lspci -PP prints it")
		return true
	}
	if !p.openDevice(at, l) {
		p.unread(l.n, "")
		return true
	}
	p.open(row, l, len(l.text)-len(a.rest)+1)
	return true
}

// placeOf follows the path of lspci -P and -PP. The first prints no bus
// numbers behind bridges: they are those that the bridges themselves have, if
// their registers are printed. Place.parent is then where the path was lost.
func (p *parser) placeOf(a address) (place, bool) {
	dom := "0000"
	if len(a.domain) > 0 {
		dom = lower(a.domain)
	}
	at := place{address: dom + ":" + lower(a.first)}
	for path := a.path; len(path) > 0; {
		path = path[1:]
		at.parent = at.address
		if n := bdf(path); n > 0 {
			at.address, path = dom+":"+lower(path[:n]), path[n:]
			continue
		}
		bus := p.busOf(at.parent)
		if bus == nil {
			return at, false
		}
		n := devfn(path)
		at.address, path = fmt.Sprintf("%s:%02x:%s", dom, bus.Secondary, lower(path[:n])), path[n:]
	}
	return at, true
}

// busOf returns the buses behind a bridge, nil where nothing printed them.
func (p *parser) busOf(address string) *fact.BusRange {
	if d := p.dev; d != nil && d.Address == address {
		p.closeRegister()
		if d.Bus != nil {
			return d.Bus
		}
	}
	if i, ok := p.index[address]; ok && p.result.Devices[i].Bus != nil {
		return p.result.Devices[i].Bus
	}
	if i, ok := p.tree.index[address]; ok {
		return p.tree.devices[i].Bus
	}
	return nil
}

// domain returns the number of digits of the domain before a bus number, or 0.
func domain(text []byte) int {
	n := 0
	for n < len(text) && n <= 8 && isHex(text[n]) {
		n++
	}
	if n < 4 || n > 8 || n == len(text) || text[n] != ':' {
		return 0
	}
	return n
}

// bdf returns the length of "bb:dd.f" at the start of text, or 0. A device
// number has five bits, so that times of day are mostly told apart.
func bdf(text []byte) int {
	const n = len("00:00.0")
	if len(text) < n || !isHex(text[0]) || !isHex(text[1]) || text[2] != ':' || devfn(text[3:]) == 0 {
		return 0
	}
	return n
}

// devfn returns the length of "dd.f" at the start of text, or 0.
func devfn(text []byte) int {
	const n = len("00.0")
	if len(text) < n || text[0] != '0' && text[0] != '1' || !isHex(text[1]) || text[2] != '.' || text[3] < '0' || text[3] > '7' {
		return 0
	}
	return n
}

// readHeader reads what follows the address. Revision and prog-if come last,
// and names may hold a "(rev 03)" of their own, so both are cut from the end.
func readHeader(d *fact.Device, text []byte) bool {
	if i := bytes.LastIndex(text, []byte(" (prog-if ")); i >= 0 {
		if v := text[i+len(" (prog-if "):]; len(v) > 2 && allHex(v[:2], 2) {
			d.ProgIf = lower(v[:2])
			text = text[:i]
		}
	}
	if n := len(text) - len(" (rev 00)"); n >= 0 && hasPrefix(text[n:], " (rev ") && text[len(text)-1] == ')' {
		if v := text[n+len(" (rev "):]; allHex(v[:2], 2) {
			d.Revision = lower(v[:2])
			text = text[:n]
		}
	}
	class, device, found := bytes.Cut(text, []byte(": "))
	if !found {
		return false
	}
	d.ClassName, d.Class = readClass(class)
	if hasPrefix(class, "Class ") && len(device) > 10 && isIDs(device[:9]) && device[9] == ' ' {
		d.Driver, d.DriverAt, d.DriverKnown = string(device[10:]), d.From, true
		device = device[:9]
	}
	d.Name, d.Vendor, d.Device = readIDs(device)
	return true
}

// groupHeading takes "IOMMU Group 7:", or "IOMMU Group 7 00:1c.0 PCI bridge: ...".
func (p *parser) groupHeading(l *line) bool {
	if !hasPrefix(l.text, "IOMMU Group ") && !hasPrefix(l.text, "IOMMU group ") {
		return false
	}
	rest := l.text[len("IOMMU Group "):]
	n := 0
	for n < len(rest) && rest[n] >= '0' && rest[n] <= '9' {
		n++
	}
	if n == 0 {
		return false
	}
	id, rest := string(rest[:n]), trimLeft(bytes.TrimPrefix(rest[n:], []byte(":")))
	if len(rest) > 0 && !begins(rest) {
		return false
	}
	p.closeDevice()
	p.inside = true
	p.group = group{id: id, column: l.column}
	if len(rest) == 0 {
		p.ignore()
		return true
	}
	p.group.column--
	l.text = rest
	defer func() { p.group = group{} }()
	return p.header(l)
}

// readClass splits "Host bridge [0600]", "0600" or "Class 0600". Brackets with
// four digits also stand without -nn where only the base class has a name. A
// name alone tells the code as well.
func readClass(text []byte) (name, id string) {
	switch n := len(text); {
	case allHex(text, 4):
		return "", lower(text)
	case n >= 6 && text[n-6] == '[' && text[n-1] == ']' && allHex(text[n-5:n-1], 4):
		id, text = lower(text[n-5:n-1]), bytes.TrimSpace(text[:n-6])
	case n == len("Class 0600") && hasPrefix(text, "Class ") && allHex(text[6:], 4):
		return "", lower(text[6:])
	}
	if s := string(text); s != "Class" && s != "Unknown class" {
		name = s
	}
	if id == "" {
		id = classCodes[name]
	}
	return name, id
}

// readIDs splits "Intel Corporation Device [8086:3405]", "8086:3405" or "Device
// 8086:3405". Where a long name was cut by lspci the ids are lost with its end.
func readIDs(text []byte) (name, vendor, device string) {
	if n := len(text); n >= 11 && text[n-1] == ']' && text[n-11] == '[' && isIDs(text[n-10:n-1]) {
		vendor, device = lower(text[n-10:n-6]), lower(text[n-5:n-1])
		text = bytes.TrimSpace(text[:n-11])
	} else if n >= 9 && isIDs(text[n-9:]) && (n == 9 || hasAnyPrefix(text, nameless) && bytes.Count(text, []byte(" ")) <= 2) {
		vendor, device = lower(text[n-9:n-5]), lower(text[n-4:])
		text = bytes.TrimSpace(text[:n-9])
	}
	if s := string(text); s != "Device" && s != "Unknown device" {
		name = s
	}
	return name, vendor, device
}

// nameless are the words for a vendor without a name ("Unknown device" up to
// 2.2.10).
var nameless = []string{"Device ", "Unknown device "}

// isIDs reports whether text is "8086:3405".
func isIDs(text []byte) bool {
	return len(text) == 9 && text[4] == ':' && allHex(text[:4], 4) && allHex(text[5:], 4)
}
