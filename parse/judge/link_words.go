package judge

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"hwcap/parse/fact"
)

// linkKeys are the values that every finding on one link carries. "Cap" is
// what both ends can do, "lowerCap" and "upperCap" what each can. A link is
// "slotted" where the firmware lists its slot: Slot+, and a number of the
// kernel's with it, are printed for parts that are soldered to the board as well.
var linkKeys = []string{
	"upper", "card", "others", "slotted", "slot", "functions",
	"speedGTs", "widthLanes", "gbs", "capSpeedGTs", "capWidthLanes", "capGBs",
	"lowerCapSpeedGTs", "lowerCapWidthLanes", "upperCapSpeedGTs", "upperCapWidthLanes",
}

// with returns keys together with linkKeys.
func with(keys ...string) []string { return slices.Concat(linkKeys, keys) }

// finding starts a finding of the given case on l: its values, and its lines as
// evidence "cap" (lower end), "upperCap" and "sta".
func (l *Link) finding(name string) Finding {
	f := found(name, l.Lower.Address)
	now, want := l.Now(), l.Want()
	name, _, slotAt := l.slot()
	slotted := name != ""
	f.Values = map[string]any{
		"upper":              l.Upper.Address,
		"card":               l.card().Address,
		"others":             []string{},
		"slotted":            slotted,
		"slot":               name,
		"functions":          l.Functions,
		"speedGTs":           now.Speed,
		"widthLanes":         now.Width,
		"gbs":                now.GBs(),
		"capSpeedGTs":        want.Speed,
		"capWidthLanes":      want.Width,
		"capGBs":             want.GBs(),
		"lowerCapSpeedGTs":   l.Down.Cap.Speed,
		"lowerCapWidthLanes": l.Down.Cap.Width,
		"upperCapSpeedGTs":   l.Up.Cap.Speed,
		"upperCapWidthLanes": l.Up.Cap.Width,
	}
	f.cite("cap", l.Down.CapAt...)
	f.cite("upperCap", l.Up.CapAt...)
	f.cite("sta", l.now().NowAt...)
	if slotted && slices.Contains(slotCases, f.Case) {
		f.cite("slot", slotAt)
	}
	return f
}

// slotCases are the cases whose wording names the slot.
var slotCases = []string{cardLimit, portLimit, "narrow", "slow", string(unusedLanes)}

// card is the device by which l is named: the graphics chip behind a switch
// that belongs to its card, or else the lower end.
func (l *Link) card() *fact.Device {
	if onCard(l.Lower, upstreamSide) {
		for _, d := range l.tree.below(l.Lower) {
			if graphics(d) {
				return d
			}
		}
	}
	return l.Lower
}

// below returns all functions below bridge, in order of address. In a forged
// capture the way down may lead back to where it began.
func (t *tree) below(bridge *fact.Device) []*fact.Device {
	var out []*fact.Device
	seen := map[*fact.Device]bool{bridge: true}
	var walk func(*fact.Device)
	walk = func(bridge *fact.Device) {
		for _, d := range t.children[bridge.Address] {
			if !seen[d] {
				seen[d] = true
				out = append(out, d)
				walk(d)
			}
		}
	}
	walk(bridge)
	return out
}

// slot tells whether l may lead to a slot, how the firmware calls it ("" where it
// does not say), and where that stands.
func (l *Link) slot() (name string, slotted bool, at fact.Line) {
	if s := l.tree.slotOf(l.Upper); s != nil {
		return s.Designation, true, s.At
	}
	if l.Upper.Express != nil && l.Upper.Express.Slot != nil && *l.Upper.Express.Slot {
		return "", true, l.Upper.Express.At
	}
	return "", l.Lower.Slot != "", fact.Line{}
}

// slotOf returns the slot that the firmware lists for port: by the address of
// the port or of what is in the slot, or else by the slot number (SMBIOS
// specification 7.10.6: the slot ID is the number in the Slot Capabilities
// register), where that number is no other port's.
func (t *tree) slotOf(port *fact.Device) *fact.Slot {
	slots := t.machine.Slots
	for i, s := range slots {
		bus, _, _ := strings.Cut(s.Address, ".")
		if s.Address == "" {
			continue
		}
		if s.Address == port.Address {
			return &slots[i]
		}
		for _, d := range t.children[port.Address] {
			if place(d) == bus {
				return &slots[i]
			}
		}
	}
	number := slotNumber(port)
	if number == "" {
		return nil
	}
	var match *fact.Slot
	for i, s := range slots {
		if s.ID == number && t.device[s.Address] == nil {
			if match != nil {
				return nil
			}
			match = &slots[i]
		}
	}
	for i := range t.machine.PCI {
		if d := &t.machine.PCI[i]; d != port && slotNumber(d) == number {
			return nil
		}
	}
	if match != nil && (match.Usage == slotFree) != (len(t.children[port.Address]) == 0) {
		return nil // the numbers count different things
	}
	return match
}

// slotNumber is the number in SltCap, "" for none: ports without a number
// print 0.
func slotNumber(d *fact.Device) string {
	if d.Express == nil || d.Express.SlotNumber == nil || *d.Express.SlotNumber == 0 {
		return ""
	}
	return strconv.Itoa(*d.Express.SlotNumber)
}

// Usage of a DMI slot, as dmidecode prints it.
const (
	slotFree = "Available"
	slotUsed = "In Use"
)

// alike joins findings of the same case on links that cannot be told apart:
// the same kind of device, the same figures, ports of one vendor (whose ids
// number the ports of one chip). A shelf of equal drives is one finding.
type alike struct {
	findings []Finding
	index    map[string]int
}

func (a *alike) add(l *Link, f Finding) {
	key := fmt.Sprint(f.Case, l.Lower.Vendor, l.Lower.Device, l.Upper.Vendor,
		l.Now(), *l.Up.Cap, *l.Down.Cap, f.Values["slotted"], f.Values["maxSpeedGTs"], f.Values["maxWidthLanes"])
	if a.index == nil {
		a.index = map[string]int{}
	}
	i, seen := a.index[key]
	if !seen || l.Lower.Device == "" {
		a.index[key] = len(a.findings)
		a.findings = append(a.findings, f)
		return
	}
	first := &a.findings[i]
	first.Subjects = append(first.Subjects, f.Subjects...)
	first.Count = len(first.Subjects)
	first.Values["others"] = append(first.Values["others"].([]string), f.Subjects...)
	for _, e := range f.Evidence {
		first.Evidence = append(first.Evidence, Evidence{Line: e.Line, Role: "more"})
	}
}
