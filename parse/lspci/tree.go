package lspci

import (
	"bytes"
	"fmt"

	"hwcap/parse/fact"
)

// lspci -t draws the buses (ls-tree.c of pciutils, show_forest):
//
//	-+-[0000:00]-+-00.0
//	 |           \-1c.0-[01-02]----00.0-[02]--+-00.0
//	 |                                        \-00.1
//	 \-[0001:00]---00.0  Maker Chip
//
// A device's address has the number of its bus, which stands in brackets to the
// left of it or in a row above. Rows continue the buses whose devices are not
// all printed yet: each has a mark there, "|" or, the one that goes on, "+" or,
// for its last device, "\". So the marks are counted and columns are not, which
// mails and web pages shift.

// tree holds the buses and devices of all trees of a text.
type tree struct {
	open    []bus // whose devices are not all printed, outermost first
	devices []fact.Device
	index   map[string]int // position of an address in devices
}

// bus is what devices are drawn behind.
type bus struct {
	domain string
	number int
	bridge string // above it; empty for a root
}

// maxDepth is how many buses can be open at once: a domain has 256.
const maxDepth = 256

// branch takes a row of a tree.
func (p *parser) branch(l *line) bool {
	n, tail := marks(l.text)
	if !isRoot(l.text) {
		if !isBranch(tail) {
			return false
		}
		if p.row == &treeRow {
			p.closeRegister() // which opens the buses that this row continues
		}
		if n >= len(p.tree.open) {
			return false
		}
	}
	if p.row != &treeRow {
		p.closeListing()
		p.inside = true
	}
	p.closeRegister()
	p.open(&treeRow, l, 0)
	return true
}

// marks counts the buses that a row passes by.
func marks(text []byte) (n int, tail []byte) {
	for {
		text = trimLeft(text)
		if len(text) == 0 || text[0] != '|' {
			return n, text
		}
		n++
		text = text[1:]
	}
}

// IsTree reports whether line is the first row of a tree, also where a mail
// quotes it.
func IsTree(line []byte) bool {
	line = line[:min(len(line), 2*maxPrefix)]
	if !bytes.Contains(line, []byte("-[")) {
		return false
	}
	var c cleaner
	text, _ := c.clean(line, true)
	return len(text) > 0 && isRoot(text)
}

// isRoot: "-[0000:00]-", "-+-[0000:00]-".
func isRoot(text []byte) bool {
	if text[0] != '-' {
		return false
	}
	if text = text[1:]; hasPrefix(text, "+-") {
		text = text[2:]
	}
	_, _, n := bracket(text)
	return n > 0
}

// isBranch: "+-1c.0", `\-1c.0`, "+-[0000:01]-".
func isBranch(text []byte) bool {
	if !hasPrefix(text, "+-") && !hasPrefix(text, `\-`) {
		return false
	}
	_, _, n := bracket(text[2:])
	return n > 0 || devfn(text[2:]) > 0
}

// bracket reads "[0000:01]-", "[01]-" and "[01-02]-", inside a tree up to 3.1.2
// also "[0000:01-02]-". Buses is the range without domain; n the length, 0 if
// there is none.
func bracket(text []byte) (dom, buses []byte, n int) {
	if len(text) == 0 || text[0] != '[' {
		return nil, nil, 0
	}
	end := bytes.IndexByte(text[:min(len(text), len("[00000000:00-00]"))], ']')
	if end < 0 || end+1 == len(text) || text[end+1] != '-' {
		return nil, nil, 0
	}
	buses = text[1:end]
	if d := domain(buses); d > 0 {
		dom, buses = buses[:d], buses[d+1:]
	}
	first, last, isRange := bytes.Cut(buses, []byte("-"))
	if !allHex(first, 2) || isRange && !allHex(last, 2) {
		return nil, nil, 0
	}
	return dom, buses, end + 2
}

// readBranch reads the row in the open register, from the left to its last
// device. What stands between two buses says nothing more.
func (p *parser) readBranch() bool {
	t := &p.tree
	n, tail := marks(p.reg.text)
	at := bus{domain: "0000"}
	switch {
	case isRoot(tail):
		t.open, tail = t.open[:0], tail[1:]
	case tail[0] == '+':
		at, t.open, tail = t.open[n], t.open[:n+1], tail[2:]
	default:
		at, t.open, tail = t.open[n], t.open[:n], tail[2:]
	}
	for len(tail) > 0 {
		dom, buses, size := bracket(tail)
		switch {
		case size > 0:
			if len(dom) > 0 {
				at.domain = lower(dom)
			}
			at.number, _ = number(buses, 16)
			tail = tail[size:]
		case devfn(tail) > 0:
			tail = p.leaf(&at, tail)
		case hasPrefix(tail, "+-") && len(t.open) < maxDepth:
			t.open, tail = append(t.open, at), tail[2:]
		case tail[0] == '-':
			tail = tail[1:]
		default:
			return false
		}
	}
	return true
}

// leaf keeps the device that text begins with. It returns what is drawn behind
// it, and moves at there; nothing is behind one that is no bridge.
func (p *parser) leaf(at *bus, text []byte) []byte {
	size := devfn(text)
	d := fact.Device{
		Address: fmt.Sprintf("%s:%02x:%s", at.domain, at.number, lower(text[:size])),
		Parent:  at.bridge,
		From:    p.reg.at[0],
	}
	text = text[size:]
	if bridge := len(text) > 0 && text[0] == '-'; !bridge {
		d.Name, d.Vendor, d.Device = readIDs(bytes.ReplaceAll(trimLeft(text), []byte("\n"), []byte(" ")))
		text = nil
	} else {
		own := at.number
		*at = bus{domain: at.domain, bridge: d.Address}
		if _, buses, size := bracket(text[1:]); size > 0 {
			at.number, _ = number(buses, 16)
			last, _ := number(buses[len(buses)-2:], 16)
			d.Bus = &fact.BusRange{Primary: own, Secondary: at.number, Subordinate: last, At: d.From}
			text = text[1+size:]
		}
	}
	p.plant(d)
	return text
}

func (p *parser) plant(d fact.Device) {
	t := &p.tree
	if _, again := t.index[d.Address]; again || len(t.devices) >= maxDevices {
		return
	}
	if t.index == nil {
		t.index = map[string]int{}
	}
	t.index[d.Address] = len(t.devices)
	t.devices = append(t.devices, d)
}

// addTree gives the devices what only the trees say.
func (p *parser) addTree() {
	p.result.Devices = Join(p.result.Devices, p.tree.devices)
}

// Join adds the devices of another text about the same machine. What a listing
// prints goes before what a tree shows, what a says before what b does.
func Join(a, b []fact.Device) []fact.Device {
	if len(a) == 0 || len(b) == 0 {
		return append(a, b...)
	}
	index := make(map[string]int, len(a))
	for i := range a {
		index[a[i].Address] = i
	}
	for _, more := range b {
		i, ok := index[more.Address]
		if !ok {
			a = append(a, more)
			continue
		}
		d := &a[i]
		if d.Listings == 0 {
			*d, more = more, *d
		}
		d.Fill(&more, nil)
	}
	return a
}
