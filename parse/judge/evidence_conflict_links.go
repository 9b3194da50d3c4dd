package judge

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"hwcap/parse/fact"
)

// compareLinkFiles: the kernel's link files and lspci read the same registers,
// a moment apart. A link that saves power in idle may have changed in between:
// of those only what the end can do is compared.
func compareLinkFiles(m *fact.Machine) (n int, out []conflict) {
	t := newTree(m)
	if t.virtual {
		return 0, nil
	}
	for _, l := range t.judged() {
		moving := savesPower(l.Lower)
		for _, d := range []*fact.Device{l.Upper, l.Lower} {
			if d.Express == nil || d.Sysfs == nil {
				continue
			}
			files := []struct {
				what    string
				printed *fact.Link
				file    fact.Val[fact.Link]
				skip    bool
			}{{"max_link", d.Express.LinkCap, d.Sysfs.Max, false}, {"current_link", d.Express.LinkSta, d.Sysfs.Current, moving}}
			for _, f := range files {
				k, ok := f.file.Get()
				if !ok || f.printed == nil || f.skip || f.printed.Speed == 0 || k.Speed == 0 || k.Width == 0 {
					continue
				}
				n++
				printer := "lspci"
				if readFromBytes(f.printed.At) {
					printer = "config"
				}
				if k.Speed != f.printed.Speed || k.Width != f.printed.Width {
					out = append(out, conflict{d.Address, f.what, printer + " " + linkText(*f.printed), linkText(k), []fact.Line{f.printed.At, f.file.At}})
				}
			}
		}
	}
	return n, out
}

// compareLinkBytes: lspci decodes the bytes that the file config holds. What a
// link that saves power runs at may have changed in between.
func compareLinkBytes(m *fact.Machine) (n int, out []conflict) {
	t := newTree(m)
	if t.virtual {
		return 0, nil
	}
	for _, l := range t.judged() {
		for _, d := range []*fact.Device{l.Upper, l.Lower} {
			if d.Express == nil || d.Sysfs == nil || !d.Sysfs.ConfigBytes.Known() || d.Express.LinkCap == nil || readFromBytes(d.Express.LinkCap.At) {
				continue
			}
			n++
			for _, r := range d.Conflicts {
				switch {
				case r.Field == "express.linkCap":
					out = append(out, conflict{d.Address, "LnkCap", linkText(*d.Express.LinkCap), r.Value, []fact.Line{d.Express.LinkCap.At, r.At}})
				case r.Field == "express.linkSta" && d.Express.LinkSta != nil && !savesPower(l.Lower):
					out = append(out, conflict{d.Address, "LnkSta", linkText(*d.Express.LinkSta), r.Value, []fact.Line{d.Express.LinkSta.At, r.At}})
				}
			}
		}
	}
	return n, out
}

// readFromBytes reports whether a register was read from the file config of its
// function, not printed.
func readFromBytes(at fact.Line) bool { return strings.HasSuffix(at.File, "/config") }

func linkText(l fact.Link) string { return fmt.Sprintf("%g GT/s x%d", l.Speed, l.Width) }

// savesPower reports whether the function is of a class that changes its link
// with the load: graphics, and accelerators of the makers of graphics cards.
func savesPower(d *fact.Device) bool {
	return strings.HasPrefix(d.Class, "03") || strings.HasPrefix(d.Class, "12")
}

// compareLinkEnds: both ends of a link run at the same speed and width.
func compareLinkEnds(m *fact.Machine) (n int, out []conflict) {
	t := newTree(m)
	for _, l := range t.judged() {
		up, down := l.Up.Now, l.Down.Now
		if !up.complete() || !down.complete() || savesPower(l.Lower) {
			continue
		}
		n++
		if math.Abs(up.Speed-down.Speed) > 0.01 || up.Width != down.Width {
			out = append(out, conflict{l.Lower.Address, l.Upper.Address, linkText(fact.Link{Speed: up.Speed, Width: up.Width}), linkText(fact.Link{Speed: down.Speed, Width: down.Width}), append(slices.Clone(l.Up.NowAt), l.Down.NowAt...)})
		}
	}
	return n, out
}

// counting are values of a network port that go up from one reading to the
// next.
var counting = []string{"carrierChanges", "linkDowns", "signalQuality"}

// compareNetwork: what ethtool, rtnetlink and sysfs say of a port.
func compareNetwork(m *fact.Machine) (n int, out []conflict) {
	for _, i := range m.Net {
		for _, r := range i.Conflicts {
			if slices.Contains(counting, r.Field) {
				continue
			}
			value, at := netValue(i, r.Field)
			out = append(out, conflict{i.Name, r.Field, value, r.Value, []fact.Line{at, r.At}})
		}
		if len(i.Conflicts) == 0 && i.Ethtool != nil && i.Speed.Known() {
			n++
		}
	}
	return n, out
}

// netValue returns what the first source says of a field that conflicts.
func netValue(i fact.Interface, field string) (string, fact.Line) {
	switch field {
	case "device":
		return i.Device, i.At
	case "speed":
		return fmt.Sprint(i.Speed.V), i.Speed.At
	case "duplex":
		return i.Duplex.V, i.Duplex.At
	case "carrier":
		return i.Carrier.V, i.Carrier.At
	case "operstate":
		return i.OperState.V, i.OperState.At
	case "mtu":
		return fmt.Sprint(i.MTU.V), i.MTU.At
	case "vfs":
		return fmt.Sprint(i.VFs.V), i.VFs.At
	}
	if i.Ethtool != nil {
		switch field {
		case "autoneg":
			return fmt.Sprint(i.Ethtool.Autoneg.V), i.Ethtool.Autoneg.At
		case "port":
			return i.Ethtool.Port.V, i.Ethtool.Port.At
		case "link":
			return fmt.Sprint(i.Ethtool.Link.V), i.Ethtool.Link.At
		case "firmware":
			return i.Ethtool.Firmware.V, i.Ethtool.Firmware.At
		}
	}
	return "", i.At
}
