package judge

import (
	"slices"
	"strings"

	"hwcap/parse/fact"
)

// accelSensor looks at accelerators on cards of their own: whether Linux sees a
// temperature of them (/sys/class/hwmon). Parts of a processor or chipset are
// left out, since theirs is measured there, and so are graphics cards, whose
// drivers have other ways to tell it.
var accelSensor = Rule{
	ID:      "accel-no-sensor",
	Area:    Crypto,
	Sources: []string{"hwmon", "lspci-vvv", "pci", "dmidecode"},
	// sensors is how many the listing holds; powerWatts and passive are known of
	// the card, 0 and false where nothing is.
	Keys: []string{"sensors", "ofCard", "slot", "chip", "powerWatts", "passive", "ambientCelsius", "upper"},
	Cases: []Case{
		{Name: "none", Verdict: Problem, Severity: Notice, Confidence: Derived},
		{Name: "none-known-card", Verdict: Problem, Severity: Notice, Confidence: Derived, Known: true},
		{Name: "sensor", Verdict: OK, Confidence: Observed},
		{Name: "not-captured", Verdict: Unknown},
	},
	Judge: judgeAccelSensor,
}

func judgeAccelSensor(m *fact.Machine) []Finding {
	if isGuest(m) {
		return nil // what is passed through is cooled by the host
	}
	var findings []Finding
	t := newTree(m)
	for i := range m.PCI {
		d := &m.PCI[i]
		if !accelerator(d) || isVF(d) || t.secondFunction(d) {
			continue
		}
		if hop := t.cardHop(d); hop != nil {
			findings = append(findings, sensorOf(m, d, hop))
		}
	}
	return findings
}

// accelerator reports whether d is made for computing and is no graphics card:
// by its class co-processor (0b40), processing accelerator (12), or encryption
// controller (10).
func accelerator(d *fact.Device) bool {
	switch {
	case graphics(d):
		return false
	case strings.HasPrefix(d.Class, "12"), strings.HasPrefix(d.Class, "10"):
		return true
	}
	return d.Class == "0b40"
}

// secondFunction reports whether a lower function of the same device is an
// accelerator as well: then that one stands for the card.
func (t *tree) secondFunction(d *fact.Device) bool {
	return slices.ContainsFunc(t.children[d.Parent], func(s *fact.Device) bool {
		return place(s) == place(d) && s.Address < d.Address && accelerator(s) && !isVF(s)
	})
}

// cardHop returns the link that leads into the slot of the card that d is on,
// nil where nothing shows that it is on a card: it is part of a chip then, or
// soldered to the board.
func (t *tree) cardHop(d *fact.Device) *Link {
	for range buses {
		upper := t.device[d.Parent]
		if upper == nil || d.Express != nil && integrated(d) || onChip(t, upper) {
			return nil
		}
		if l := t.byLower[d.Address]; l != nil && t.kind(upper) == fact.RootPort {
			if name, slotted, _ := l.slot(); name != "" || slotted || d.Slot != "" {
				return l
			}
			return nil
		}
		d = upper
	}
	return nil
}

func sensorOf(m *fact.Machine, d *fact.Device, hop *Link) Finding {
	f := found("not-captured", d.Address)
	name, _, at := hop.slot()
	f.Values = map[string]any{
		"sensors": len(m.Sensors), "ofCard": "", "slot": name, "upper": hop.Upper.Address,
		"chip": "", "powerWatts": 0, "passive": false, "ambientCelsius": 0,
	}
	f.cite("device", d.From)
	f.cite("slot", at)
	if !m.Complete("hwmon") {
		f.citeSource(m, "source", "hwmon")
		return f
	}
	f.Case = "none"
	for _, s := range m.Sensors {
		if s.Device != "" && below(m, s.Device, hop.Lower) {
			f.Case, f.Values["ofCard"] = "sensor", s.ID
			f.Evidence = nil
			f.cite("device", d.From)
			f.cite("sensor", s.At)
			return f
		}
		f.cite("other", s.At)
	}
	if len(m.Sensors) == 0 {
		f.citeSource(m, "source", "hwmon")
	}
	if card := accelCardOf(d); card != nil {
		f.Case = "none-known-card"
		f.Values["chip"], f.Values["powerWatts"], f.Values["passive"], f.Values["ambientCelsius"] = card.name, card.watts, card.passive, card.ambient
	}
	return f
}

// below reports whether the function at address is top, shares its place, or
// stands behind it.
func below(m *fact.Machine, address string, top *fact.Device) bool {
	for range buses {
		if strings.HasPrefix(address, place(top)+".") {
			return true
		}
		d := m.Device(address)
		if d == nil {
			return false
		}
		address = d.Parent
	}
	return false
}
