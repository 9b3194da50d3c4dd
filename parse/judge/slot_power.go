package judge

import (
	"maps"
	"slices"

	"hwcap/parse/fact"
)

// slotPower speaks of slots whose power controller reported a fault. The limit
// in SltCap is no part of it: ports without one print 0 W.
var slotPower = Rule{
	ID:      "slot-power",
	Area:    Links,
	Sources: []string{"lspci-vvv", "kmsg", "dmesg", "journal-k"},
	Keys:    []string{"slot", "device", "register", "logCount", "hasTime", "firstSeconds", "slotCount"},
	Cases: []Case{
		{Name: "fault", Verdict: Problem, Severity: Warning, Confidence: Observed},
		{Name: "none", Verdict: OK, Confidence: Observed},
	},
	Judge: judgeSlotPower,
}

func judgeSlotPower(m *fact.Machine) []Finding {
	t := newTree(m)
	if t.virtual {
		return nil
	}
	type fault struct {
		register *fact.SlotSta
		notes    []fact.Note
	}
	byPort := map[string]*fault{}
	of := func(port string) *fault {
		if byPort[port] == nil {
			byPort[port] = &fault{}
		}
		return byPort[port]
	}
	none := found("none", Machine)
	for i := range m.PCI {
		d := &m.PCI[i]
		if d.Express == nil || d.Express.SlotSta == nil || silent(d) || t.asleep(d) || d.Express.Slot == nil || !*d.Express.Slot {
			continue
		}
		if none.Count++; none.Count == 1 {
			none.cite("status", d.Express.SlotSta.At)
		}
		if d.Express.SlotSta.PowerFlt {
			of(d.Address).register = d.Express.SlotSta
		}
	}
	for _, n := range m.Log.Of("pciehp-power-fault") {
		if n.Device != "" {
			of(n.Device).notes = append(of(n.Device).notes, n)
		}
	}
	var out []Finding
	for _, port := range slices.Sorted(maps.Keys(byPort)) {
		b := byPort[port]
		f := found("fault", port)
		f.Values = map[string]any{"slot": "", "device": firstBelow(m, port), "register": b.register != nil, "logCount": 0}
		if b.register != nil {
			f.cite("status", b.register.At)
		}
		for _, n := range b.notes {
			f.Count += n.Times()
			f.Values["slot"] = n.Fields["slot"]
		}
		if d := t.device[port]; d != nil {
			if s := t.slotOf(d); s != nil {
				f.Values["slot"] = s.Designation
				f.cite("slot", s.At)
			}
		}
		f.Values["logCount"] = f.Count
		f.Values["firstSeconds"], _, f.Values["hasTime"] = spanOf(b.notes)
		f.citeEnds("log", b.notes)
		out = append(out, f)
	}
	if len(out) == 0 && none.Count > 0 && m.Complete("lspci-vvv") && logFromBoot(m) {
		none.Values = map[string]any{"slotCount": none.Count}
		return []Finding{none}
	}
	return out
}
