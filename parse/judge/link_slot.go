package judge

import (
	"slices"
	"strings"

	"hwcap/parse/fact"
)

// slotEmpty speaks of ports that lead to a slot in which nothing shows.
var slotEmpty = Rule{
	ID:      "pcie-slot-empty",
	Area:    Links,
	Sources: []string{"lspci-vvv", "dmidecode"},
	// printedLanes is the width that LnkSta prints for a link that is not up;
	// emptyOthers are ports beside this one that report PresDet-.
	Keys: []string{"slot", "slots", "capSpeedGTs", "capWidthLanes", "printedLanes", "disabled", "latchOpen", "emptyOthers"},
	Cases: []Case{
		{Name: "empty", Verdict: OK, Confidence: Observed},
		{Name: "detected", Verdict: Problem, Severity: Notice, Confidence: Observed},
		{Name: "detection-unclear", Verdict: Problem, Severity: Info, Confidence: Likely},
		{Name: "in-use", Verdict: Problem, Severity: Notice, Confidence: Derived},
		{Name: "listed-empty", Verdict: OK, Confidence: Observed},
		{Name: "list-unread", Verdict: Unknown, Confidence: Observed},
	},
	Judge: judgeSlotEmpty,
}

func judgeSlotEmpty(m *fact.Machine) []Finding {
	t := newTree(m)
	if t.virtual {
		return nil
	}
	list := m.Source("dmidecode")
	// Boards with a device tree have no such list; elsewhere it might object.
	listLost := slices.Contains([]fact.State{fact.Absent, fact.Denied, fact.Failed, fact.TimedOut, fact.Truncated, fact.Redacted}, list.State) &&
		!m.Platform.Model.Known()
	var out []Finding
	var open Finding // ports that would be empty if the list did not object
	matched := map[*fact.Slot]bool{}
	for i := range m.PCI {
		port := &m.PCI[i]
		s := t.slotOf(port)
		if s != nil {
			matched[s] = true
		}
		if !t.dark(port) || !t.bay(port) {
			continue
		}
		f := found("empty", port.Address)
		switch {
		case s != nil && s.Usage == slotUsed:
			f.Case = "in-use"
		case port.Express.SlotSta.PresDet:
			if sleeping(port) {
				continue
			}
			f.Case = "detected"
			if !t.detects(port) {
				f.Case = "detection-unclear"
			}
		case listLost:
			open.Subjects = append(open.Subjects, port.Address)
			open.cite("sta", downAt(port)...)
			continue
		}
		others := t.emptyBeside(port)
		f.Values = map[string]any{
			"slot": "", "disabled": linkDisabled(port), "printedLanes": port.Express.LinkSta.Width,
			"capSpeedGTs": port.Express.LinkCap.Speed, "capWidthLanes": port.Express.LinkCap.Width,
			"latchOpen": t.latchOpen(port), "emptyOthers": addresses(others),
		}
		f.cite("sta", downAt(port)...)
		f.cite("presence", port.Express.SlotSta.At)
		if linkDisabled(port) {
			f.cite("disabled", port.Express.LinkCtl.At)
		}
		if f.Case == "detected" && len(others) > 0 {
			f.cite("others", others[0].Express.SlotSta.At)
		}
		if s != nil {
			f.Values["slot"] = s.Designation
			f.cite("slot", s.At, s.UsageAt)
		}
		out = append(out, f)
	}
	if len(open.Subjects) > 0 {
		f := found("list-unread", open.Subjects...)
		f.Count, f.Evidence = len(open.Subjects), open.Evidence
		f.cite("list", list.At)
		out = append(out, f)
	}
	if f, any := t.listedEmpty(matched); any {
		out = append(out, f)
	}
	return out
}

// listedEmpty is the finding on slots that the firmware lists as free and that
// no port of the capture answers to. Firmware may hide the ports of empty slots
// altogether.
func (t *tree) listedEmpty(matched map[*fact.Slot]bool) (Finding, bool) {
	f := found("listed-empty", Machine)
	names := []string{}
	for i := range t.machine.Slots {
		s := &t.machine.Slots[i]
		if s.Usage != slotFree || matched[s] || !strings.Contains(s.Type, "PCI Express") && !strings.Contains(s.Type, "M.2") {
			continue
		}
		names = append(names, s.Designation)
		f.cite("slot", s.At, s.UsageAt)
	}
	f.Count = len(names)
	f.Values["slots"] = names
	return f, len(names) > 0
}

// dark reports whether port is a root or downstream port that was read, whose
// link is not up, and behind which nothing is listed.
func (t *tree) dark(port *fact.Device) bool {
	x := port.Express
	if x == nil || x.Type != fact.RootPort && x.Type != fact.DownstreamPort ||
		silent(port) || emulated(port) || thunderbolt(port) || len(t.children[port.Address]) > 0 {
		return false
	}
	if x.LinkCap == nil || x.LinkCap.Width == 0 || x.LinkCap.Width > maxWidth || x.LinkSta == nil {
		return false
	}
	up, _ := x.DLActive.Get()
	return x.LinkSta.Width == 0 && !up || linkDown(port)
}

// downAt returns the lines that show that the link of a dark port is not up.
func downAt(port *fact.Device) []fact.Line {
	x := port.Express
	if x.LinkSta.Width == 0 {
		return []fact.Line{x.LinkSta.At}
	}
	return []fact.Line{x.LinkSta.At, x.DLActive.At}
}

// detects reports whether a port's PresDet+ means something: on ports made for
// hot-plug, and where a port beside it reports PresDet-. On others the bit is
// often set for good.
func (t *tree) detects(port *fact.Device) bool {
	hotPlug, _ := port.Express.HotPlug.Get()
	return hotPlug || len(t.emptyBeside(port)) > 0
}

// emptyBeside returns the ports with a slot on port's bus, of the same vendor,
// that detect nothing.
func (t *tree) emptyBeside(port *fact.Device) []*fact.Device {
	return t.slotsBeside(port, func(d *fact.Device) bool { return !d.Express.SlotSta.PresDet })
}

// latchOpen reports whether port says that its slot's retention latch is open,
// in which state slots get no power, and is to be believed: no port beside it
// says the same of a slot in use.
func (t *tree) latchOpen(port *fact.Device) bool {
	open := func(d *fact.Device) bool {
		watched, _ := d.Express.MRLSensor.Get()
		return watched && d.Express.SlotSta.MRL
	}
	return open(port) && len(t.slotsBeside(port, func(d *fact.Device) bool { return open(d) && t.leads(d) })) == 0
}

func (t *tree) slotsBeside(port *fact.Device, that func(*fact.Device) bool) []*fact.Device {
	var out []*fact.Device
	for i := range t.machine.PCI {
		d := &t.machine.PCI[i]
		if d != port && d.Parent == port.Parent && bus(d) == bus(port) && d.Vendor == port.Vendor &&
			d.Express != nil && d.Express.SlotSta != nil && d.Express.Slot != nil && *d.Express.Slot && that(d) {
			out = append(out, d)
		}
	}
	return out
}

func addresses(devices []*fact.Device) []string {
	out := []string{}
	for _, d := range devices {
		out = append(out, d.Address)
	}
	return out
}

// bay reports whether port leads to a slot that a person can fill: a root port
// with Slot+, or a switch port that is made for hot-plug as well. Switches on
// cards print Slot+ for ports that lead nowhere; those are pcie-port-untrained.
func (t *tree) bay(port *fact.Device) bool {
	x := port.Express
	if x.Slot == nil || !*x.Slot || x.SlotSta == nil {
		return false
	}
	hotPlug, _ := x.HotPlug.Get()
	return x.Type == fact.RootPort || hotPlug
}

func linkDisabled(port *fact.Device) bool {
	return port.Express.LinkCtl != nil && port.Express.LinkCtl.Disabled
}

// portUntrained speaks of switch ports that were given lanes and have nothing
// behind them.
var portUntrained = Rule{
	ID:      "pcie-port-untrained",
	Area:    Links,
	Sources: []string{"lspci-vvv"},
	Keys:    []string{"switch", "ports", "capWidthLanes", "printedLanes", "lanesInAll", "disabled"},
	Cases: []Case{
		{Name: "unused", Verdict: Problem, Severity: Info, Confidence: Observed},
	},
	Judge: judgePortUntrained,
}

func judgePortUntrained(m *fact.Machine) []Finding {
	t := newTree(m)
	if t.virtual {
		return nil
	}
	var out []Finding
	index := map[string]int{} // by switch
	for i := range m.PCI {
		port := &m.PCI[i]
		if !t.dark(port) || port.Express.Type != fact.DownstreamPort || t.bay(port) ||
			onCard(port, downstreamSide) || onChip(t, port) {
			continue
		}
		at, seen := index[port.Parent]
		if !seen {
			at = len(out)
			index[port.Parent] = at
			f := found("unused")
			f.Values = map[string]any{
				"switch": port.Parent, "capWidthLanes": port.Express.LinkCap.Width,
				"lanesInAll": 0, "printedLanes": 0, "disabled": false, "ports": []map[string]any{},
			}
			out = append(out, f)
		}
		f := &out[at]
		f.Subjects = append(f.Subjects, port.Address)
		f.Count = len(f.Subjects)
		f.Values["lanesInAll"] = f.Values["lanesInAll"].(int) + port.Express.LinkCap.Width
		f.Values["ports"] = append(f.Values["ports"].([]map[string]any), map[string]any{
			"port": port.Address, "widthLanes": port.Express.LinkCap.Width,
		})
		f.Values["printedLanes"] = max(f.Values["printedLanes"].(int), port.Express.LinkSta.Width)
		f.cite("cap", port.Express.LinkCap.At)
		f.cite("sta", downAt(port)...)
		if linkDisabled(port) {
			f.Values["disabled"] = true
			f.cite("disabled", port.Express.LinkCtl.At)
		}
	}
	return out
}
