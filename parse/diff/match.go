package diff

import (
	"cmp"
	"slices"
	"strings"

	"hwcap/parse/fact"
)

// By is what a device was recognised by.
type By string

// The ways, surest first. Each is taken only where it is unequivocal: one
// device of the kind in either capture fits.
const (
	BySerial  By = "serial"  // the Device Serial Number of the PCIe capability
	ByPlace   By = "place"   // the same device below the same ports
	BySlot    By = "slot"    // the same physical slot
	ByAddress By = "address" // the address, where a capture does not tell the ports above
	ByKind    By = "kind"    // the only one of its kind
)

// matcher holds what is not matched yet.
type matcher struct {
	old, new []*fact.Device
	parents  [2]map[string]*fact.Device
	// numbers: another serial number is another device. Not so where one capture
	// has pseudonyms that the other has not.
	numbers bool
}

// match finds for each device of Old the one of New that it is.
func (p *Pair) match() {
	m := &matcher{old: functions(p.Old), new: functions(p.New)}
	had, have := numbered(p.Old), numbered(p.New)
	sign, _ := serials(p.Old, p.New)
	m.numbers = sign.Agrees || !pseudonyms(had) && !pseudonyms(have)
	m.parents = [2]map[string]*fact.Device{byAddress(p.Old), byAddress(p.New)}
	take := func(by By, key func(side int, d *fact.Device) string) {
		p.Devices = append(p.Devices, m.take(by, key)...)
	}
	take(BySerial, func(_ int, d *fact.Device) string { return join(serialOf(d), function(d)) })
	take(ByPlace, func(side int, d *fact.Device) string { return m.path(side, d, true) })
	take(ByPlace, func(side int, d *fact.Device) string { return m.path(side, d, false) })
	take(BySlot, func(_ int, d *fact.Device) string { return join(d.Slot, function(d)) })
	if !told(p.Old) || !told(p.New) {
		p.Devices = append(p.Devices, m.takeWhereTheyWere()...)
	}
	if p.Listed.Old && p.Listed.New {
		take(ByKind, func(int, *fact.Device) string { return "one" })
	}
	p.Swapped = m.swapped()
	p.Alike = m.alike()
	p.Gone, p.Added = m.old, m.new
	slices.SortFunc(p.Devices, func(a, b Match) int { return compareAddress(a.New, b.New) })
}

// take matches devices of one kind with one key that no other has. A key "" is
// none.
func (m *matcher) take(by By, key func(side int, d *fact.Device) string) []Match {
	slots := map[string]*[2][]*fact.Device{}
	for side, devices := range [2][]*fact.Device{m.old, m.new} {
		for _, d := range devices {
			k := key(side, d)
			if k == "" {
				continue
			}
			k += " " + d.Vendor + ":" + d.Device
			if slots[k] == nil {
				slots[k] = &[2][]*fact.Device{}
			}
			slots[k][side] = append(slots[k][side], d)
		}
	}
	var out []Match
	for _, s := range slots {
		if old, new := s[0], s[1]; len(old) == 1 && len(new) == 1 && m.same(old[0], new[0]) {
			out = append(out, Match{old[0], new[0], by})
		}
	}
	m.drop(out)
	return out
}

// takeWhereTheyWere matches devices of one kind that have the same addresses in
// both captures, each with itself.
func (m *matcher) takeWhereTheyWere() []Match {
	var out []Match
	have := kinds(m.new)
	for kind, old := range kinds(m.old) {
		new := have[kind]
		if !slices.EqualFunc(old, new, func(a, b *fact.Device) bool { return a.Address == b.Address && m.same(a, b) }) {
			continue
		}
		for i := range old {
			out = append(out, Match{old[i], new[i], ByAddress})
		}
	}
	m.drop(out)
	return out
}

// swapped takes pairs of different devices at one place.
func (m *matcher) swapped() []Match {
	var out []Match
	at := map[string]*fact.Device{}
	for _, d := range m.new {
		at[m.path(1, d, false)] = d
	}
	for _, d := range m.old {
		path := m.path(0, d, false)
		if is := at[path]; is != nil {
			out = append(out, Match{d, is, ByPlace})
			delete(at, path)
		}
	}
	m.drop(out)
	return out
}

// alike takes the kinds of which some are left on both sides: all of them look
// the same, at other places.
func (m *matcher) alike() []Alike {
	var out []Alike
	var taken []Match
	old, new := kinds(m.old), kinds(m.new)
	for kind, had := range old {
		have := slices.DeleteFunc(slices.Clone(new[kind]), func(d *fact.Device) bool {
			return !slices.ContainsFunc(had, func(o *fact.Device) bool { return m.same(o, d) })
		})
		had = slices.DeleteFunc(slices.Clone(had), func(d *fact.Device) bool {
			return !slices.ContainsFunc(have, func(n *fact.Device) bool { return m.same(d, n) })
		})
		if len(had) == 0 || len(have) == 0 {
			continue
		}
		out = append(out, Alike{had, have})
		for _, d := range had {
			taken = append(taken, Match{Old: d})
		}
		for _, d := range have {
			taken = append(taken, Match{New: d})
		}
	}
	m.drop(taken)
	slices.SortFunc(out, func(a, b Alike) int { return compareAddress(a.Old[0], b.Old[0]) })
	return out
}

func (m *matcher) drop(matched []Match) {
	done := map[*fact.Device]bool{}
	for _, n := range matched {
		done[n.Old], done[n.New] = true, true
	}
	m.old = slices.DeleteFunc(m.old, func(d *fact.Device) bool { return done[d] })
	m.new = slices.DeleteFunc(m.new, func(d *fact.Device) bool { return done[d] })
}

// path is where a device sits, without bus numbers, which every added switch
// shifts: device and function of each bridge on the way, below the root bus,
// which is named by the firmware ("PNP0A08:07") or else by its number.
func (m *matcher) path(side int, d *fact.Device, byName bool) string {
	const deepest = 256 // buses of a domain; a forged capture may run in a circle
	path, top := "", d
	for range deepest {
		_, devfn, _ := cutLast(top.Address, ":")
		path = devfn + "/" + path
		above := m.parents[side][top.Parent]
		if above == nil {
			break
		}
		top = above
	}
	if byName {
		return join(top.Root, path)
	}
	bus, _, _ := cutLast(top.Address, ":")
	return bus + "/" + path
}

// functions are the functions that are hardware, in order of address: virtual
// ones come and go with a setting.
func functions(m *fact.Machine) []*fact.Device {
	var out []*fact.Device
	for i := range m.PCI {
		if d := &m.PCI[i]; !virtual(d) && d.Vendor != "" {
			out = append(out, d)
		}
	}
	return out
}

func byAddress(m *fact.Machine) map[string]*fact.Device {
	out := map[string]*fact.Device{}
	for i := range m.PCI {
		out[m.PCI[i].Address] = &m.PCI[i]
	}
	return out
}

// kinds sorts devices by their ids.
func kinds(devices []*fact.Device) map[string][]*fact.Device {
	out := map[string][]*fact.Device{}
	for _, d := range devices {
		k := d.Vendor + ":" + d.Device
		out[k] = append(out[k], d)
	}
	return out
}

// told reports whether a capture tells which ports devices stand below.
func told(m *fact.Machine) bool {
	return slices.ContainsFunc(m.PCI, func(d fact.Device) bool { return d.Parent != "" })
}

// same reports whether nothing speaks against two devices of one kind being the
// same one. The subsystem of a bridge is left out: lspci reads it from a
// capability, and older kernels do not.
func (m *matcher) same(a, b *fact.Device) bool {
	agree := func(x, y string) bool { return x == "" || y == "" || x == y }
	if !isBridge(a) && !agree(subsystem(a), subsystem(b)) {
		return false
	}
	return agree(a.Class, b.Class) && (!m.numbers || agree(serialOf(a), serialOf(b)))
}

// subsystem is "" for none: not printed, or all zero.
func subsystem(d *fact.Device) string {
	if s := d.SubVendor + d.SubDevice; strings.Trim(s, "0") != "" {
		return s
	}
	return ""
}

// serialOf is the serial number of d, "" for none and for one that was never
// written.
func serialOf(d *fact.Device) string {
	s, _ := d.Serial.Get()
	if strings.Trim(s, "0-") == "" || strings.Trim(s, "f-") == "" {
		return ""
	}
	return s
}

func virtual(d *fact.Device) bool  { return d.Sysfs != nil && d.Sysfs.PhysFn != "" }
func isBridge(d *fact.Device) bool { return strings.HasPrefix(d.Class, "06") }

// device is the address without the function, function what is behind it.
func device(d *fact.Device) string   { s, _, _ := strings.Cut(d.Address, "."); return s }
func function(d *fact.Device) string { _, s, _ := strings.Cut(d.Address, "."); return s }

func compareAddress(a, b *fact.Device) int {
	return cmp.Or(cmp.Compare(len(a.Address), len(b.Address)), cmp.Compare(a.Address, b.Address))
}

// join returns both, or nothing where the first is not there.
func join(s, more string) string {
	if s == "" {
		return ""
	}
	return s + "/" + more
}

func cutLast(s, sep string) (before, after string, found bool) {
	i := strings.LastIndex(s, sep)
	if i < 0 {
		return "", s, false
	}
	return s[:i], s[i+len(sep):], true
}
