package judge

import (
	"cmp"
	"strings"

	"hwcap/parse/fact"
)

// aerLink is the link on which a function saw an error. Two functions of one
// card, and the port above it, share one.
type aerLink struct {
	lower, upper string // addresses; upper is "" where no port stands above
}

// linkOfError finds the link of the function at address. ok is false where the
// capture lost what would tell.
func linkOfError(m *fact.Machine, address string) (l aerLink, ok bool) {
	d := m.Device(address)
	switch {
	case d == nil:
		// A kernel log alone knows no devices: then the function stands for
		// its link.
		return aerLink{lower: address}, !hasManifest(m)
	case facesDown(m, d):
		if child := firstBelow(m, address); child != "" {
			return aerLink{lower: child, upper: address}, true
		}
		return aerLink{lower: address}, !hasManifest(m) || m.Complete("lspci-vvv") || m.Complete("pci")
	case d.Parent == "":
		return aerLink{lower: address}, true // part of the root complex
	case isVF(d):
		// A physical function is nobody's virtual one. Where a capture says
		// otherwise, or does not hold it, only the port above is known.
		if pf := m.Device(d.Sysfs.PhysFn); pf != nil && !isVF(pf) {
			return linkOfError(m, pf.Address)
		}
	}
	return aerLink{lower: cmp.Or(firstBelow(m, d.Parent), address), upper: d.Parent}, true
}

// facesDown reports whether d is a port whose link lies below it. Without the
// PCI Express capability the place in the tree tells: root ports, and below
// them upstream and downstream ports in turn.
func facesDown(m *fact.Machine, d *fact.Device) bool {
	if d.Express != nil && d.Express.Type != "" {
		return d.Express.Type == fact.RootPort || d.Express.Type == fact.DownstreamPort
	}
	if !strings.HasPrefix(d.Class, "0604") {
		return false
	}
	bridges := 0
	for up := m.Device(d.Parent); up != nil && bridges < buses; up = m.Device(up.Parent) {
		bridges++
	}
	return bridges%2 == 0
}

// firstBelow returns the first function below a port, or "".
func firstBelow(m *fact.Machine, port string) string {
	first := ""
	for i := range m.PCI {
		d := &m.PCI[i]
		if d.Parent == port && (first == "" || d.Address < first) && (d.Sysfs == nil || d.Sysfs.PhysFn == "") {
			first = d.Address
		}
	}
	return first
}

// rootPortOf returns the port at the top of the tree above address, or address
// itself.
func rootPortOf(m *fact.Machine, address string) string {
	for range buses {
		d := m.Device(address)
		if d == nil || d.Parent == "" {
			break
		}
		address = d.Parent
	}
	return address
}

// linkRate returns speed and width of a link as its ends or the kernel say now.
func linkRate(m *fact.Machine, l aerLink) (fact.Link, bool) {
	for _, address := range []string{l.lower, l.upper} {
		d := m.Device(address)
		if d == nil {
			continue
		}
		if d.Express != nil && d.Express.LinkSta != nil && d.Express.LinkSta.Speed > 0 && d.Express.LinkSta.Width > 0 {
			return *d.Express.LinkSta, true
		}
		if d.Sysfs != nil {
			if k, ok := d.Sysfs.Current.Get(); ok && k.Speed > 0 && k.Width > 0 {
				return k, true
			}
		}
	}
	return fact.Link{}, false
}
