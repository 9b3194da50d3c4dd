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
	Keys:    []string{"slot", "slots", "capSpeedGTs", "capWidthLanes", "disabled"},
	Cases: []Case{
		{Name: "empty", Verdict: OK, Confidence: Observed},
		{Name: "detected", Verdict: Problem, Severity: Notice, Confidence: Observed},
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
		case listLost:
			open.Subjects = append(open.Subjects, port.Address)
			open.cite("sta", port.Express.LinkSta.At)
			continue
		}
		f.Values = map[string]any{
			"slot": "", "disabled": linkDisabled(port),
			"capSpeedGTs": port.Express.LinkCap.Speed, "capWidthLanes": port.Express.LinkCap.Width,
		}
		f.cite("sta", port.Express.LinkSta.At)
		f.cite("presence", port.Express.SlotSta.At)
		if linkDisabled(port) {
			f.cite("disabled", port.Express.LinkCtl.At)
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
	if x == nil || x.Type != fact.RootPort && x.Type != fact.DownstreamPort || silent(port) || emulated(port) {
		return false
	}
	if x.LinkCap == nil || x.LinkCap.Width == 0 || x.LinkCap.Width > maxWidth || x.LinkSta == nil || x.LinkSta.Width != 0 {
		return false
	}
	up, _ := x.DLActive.Get()
	return !up && len(t.children[port.Address]) == 0
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
	Keys:    []string{"switch", "ports", "capWidthLanes", "lanesInAll", "disabled"},
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
			tunnel(port) || onCard(port, downstreamSide) {
			continue
		}
		at, seen := index[port.Parent]
		if !seen {
			at = len(out)
			index[port.Parent] = at
			f := found("unused")
			f.Values = map[string]any{
				"switch": port.Parent, "capWidthLanes": port.Express.LinkCap.Width,
				"lanesInAll": 0, "disabled": false, "ports": []map[string]any{},
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
		f.cite("cap", port.Express.LinkCap.At)
		f.cite("sta", port.Express.LinkSta.At)
		if linkDisabled(port) {
			f.Values["disabled"] = true
			f.cite("disabled", port.Express.LinkCtl.At)
		}
	}
	return out
}
