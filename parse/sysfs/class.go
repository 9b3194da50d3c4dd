package sysfs

import (
	"cmp"
	"slices"
	"strings"

	"hwcap/parse/fact"
)

func (t *Tree) net(name string) *fact.Interface {
	if t.nets[name] == nil {
		t.nets[name] = &fact.Interface{Name: name}
	}
	return t.nets[name]
}

// netSpeed reads Mbit/s; -1 is SPEED_UNKNOWN (include/uapi/linux/ethtool.h).
func netSpeed(t *Tree, f *file) {
	v := number[int](t, f)
	if v.Known() && v.V < 0 {
		v = fact.Missing[int](fact.Absent, v.At)
	}
	t.net(f.key[0]).Speed = v
}

func netMTU(t *Tree, f *file) { t.net(f.key[0]).MTU = number[int](t, f) }

func netWord(of func(*fact.Interface) *fact.Val[string]) handler {
	return func(t *Tree, f *file) { *of(t.net(f.key[0])) = t.value(f) }
}

// netDuplex reads "full" or "half"; "unknown" is DUPLEX_UNKNOWN.
func netDuplex(t *Tree, f *file) {
	v := t.value(f)
	if v.V == "unknown" {
		v = fact.Missing[string](fact.Absent, v.At)
	}
	t.net(f.key[0]).Duplex = v
}

func (t *Tree) sensor(name string) *fact.Sensor {
	if t.sensors[name] == nil {
		t.sensors[name] = &fact.Sensor{ID: name}
	}
	return t.sensors[name]
}

func hwmonName(t *Tree, f *file) { t.sensor(f.key[0]).Name = t.value(f) }

// classDevice returns the PCI function that an entry of /sys/class belongs to:
// from where its link leads, else from its own link "device".
func (t *Tree) classDevice(class string, e fact.Entry) string {
	if address, at := lastAddress(e.Target); at >= 0 {
		return address
	}
	for _, l := range t.m.Lists["sys/class/"+class+"/"+e.Name].Entries {
		if l.Name == "device" {
			address, _ := lastAddress(l.Target)
			return address
		}
	}
	return ""
}

// classes joins network interfaces, sensors and DMA channels with the PCI
// functions that they belong to.
func (t *Tree) classes() {
	for _, e := range entriesOf(t, "net", t.nets) {
		i := t.net(e.Name)
		i.Device, i.At = t.classDevice("net", e), e.At
		t.m.Net = append(t.m.Net, *i)
	}
	for _, e := range entriesOf(t, "hwmon", t.sensors) {
		s := t.sensor(e.Name)
		s.Device, s.At = t.classDevice("hwmon", e), e.At
		t.m.Sensors = append(t.m.Sensors, *s)
	}
	for _, e := range entriesOf(t, "dma", map[string]*fact.DMAChannel{}) {
		t.m.DMA = append(t.m.DMA, fact.DMAChannel{Name: e.Name, Device: t.classDevice("dma", e), At: e.At})
	}
}

// entriesOf returns the entries of a folder of /sys/class in their natural
// order: those of its listing that are devices, and those that only files
// speak of. A class folder holds plain files as well (net/bonding_masters);
// these are no links.
func entriesOf[V any](t *Tree, class string, seen map[string]V) []fact.Entry {
	byName := map[string]fact.Entry{}
	for name := range seen {
		byName[name] = fact.Entry{Name: name}
	}
	for _, e := range t.m.Lists["sys/class/"+class].Entries {
		if _, ok := byName[e.Name]; ok || e.Target != "" {
			byName[e.Name] = e
		}
	}
	var all []fact.Entry
	for _, name := range sorted(byName, natural) {
		all = append(all, byName[name])
	}
	return all
}

func sorted[V any](m map[string]V, compare func(a, b string) int) []string {
	names := make([]string, 0, len(m))
	for name := range m {
		names = append(names, name)
	}
	slices.SortFunc(names, compare)
	return names
}

// CompareNames orders names as people count: eth2 before eth10.
func CompareNames(a, b string) int { return natural(a, b) }

// natural orders names as people count: hwmon2 before hwmon10. Numbers are
// compared by their length first, so none is too long.
func natural(a, b string) int {
	for x, y := a, b; x != "" && y != ""; {
		m, n := digits(x), digits(y)
		if m > 0 && n > 0 {
			p, q := strings.TrimLeft(x[:m], "0"), strings.TrimLeft(y[:n], "0")
			if c := cmp.Or(cmp.Compare(len(p), len(q)), cmp.Compare(p, q)); c != 0 {
				return c
			}
			x, y = x[m:], y[n:]
			continue
		}
		if x[0] != y[0] {
			break
		}
		x, y = x[1:], y[1:]
	}
	return cmp.Compare(a, b)
}

// digits returns how many decimal digits s begins with.
func digits(s string) int {
	n := 0
	for n < len(s) && s[n] >= '0' && s[n] <= '9' {
		n++
	}
	return n
}
