package judge

import "hwcap/parse/fact"

// linkNotAssessable names the links that no other rule judges, one finding for
// each reason.
var linkNotAssessable = Rule{
	ID:      "pcie-link-not-assessable",
	Area:    Links,
	Sources: []string{"lspci-vvv", "pci", "proc-cpuinfo", "dmi"},
	Keys:    []string{"hypervisor", "uppers"},
	Cases: []Case{
		{Name: string(fictive), Verdict: Unknown, Confidence: Observed},
		{Name: string(tunnelled), Verdict: Unknown, Confidence: Observed, Known: true},
		{Name: string(asleep), Verdict: Unknown, Confidence: Observed},
		{Name: string(gone), Verdict: Unknown, Confidence: Observed},
		{Name: string(unread), Verdict: Unknown, Confidence: Observed},
		{Name: string(speedless), Verdict: Unknown, Confidence: Observed},
		{Name: string(implausible), Verdict: Unknown, Confidence: Derived},
	},
	Judge: judgeLinkNotAssessable,
}

func judgeLinkNotAssessable(m *fact.Machine) []Finding {
	t := newTree(m)
	if f, any := t.guest(); any {
		return []Finding{f}
	}
	var out []Finding
	index := map[doubt]int{}
	for _, l := range t.links {
		why := l.doubt()
		if l.Fixed || why == "" || why == fictive {
			continue
		}
		at, seen := index[why]
		if !seen {
			at = len(out)
			index[why] = at
			out = append(out, found(string(why)))
			out[at].Values = map[string]any{"hypervisor": "", "uppers": []string{}}
		}
		f := &out[at]
		f.Subjects = append(f.Subjects, l.Lower.Address)
		f.Count = len(f.Subjects)
		f.Values["uppers"] = append(f.Values["uppers"].([]string), l.Upper.Address)
		f.cite("reason", l.reason(why)...)
	}
	return out
}

// guest is the one finding of a virtual machine that shows PCIe devices.
func (t *tree) guest() (Finding, bool) {
	f := found(string(fictive), Machine)
	name, at, _ := hypervisor(t.machine)
	f.Values = map[string]any{"hypervisor": name, "uppers": []string{}}
	f.cite("hypervisor", at)
	pcie := false
	for i := range t.machine.PCI {
		d := &t.machine.PCI[i]
		pcie = pcie || t.kind(d) != ""
		if guestBridge(d) {
			f.cite("device", d.From)
		}
	}
	return f, t.virtual && pcie
}

// reason returns the lines that show why l cannot be judged.
func (l *Link) reason(why doubt) []fact.Line {
	var out []fact.Line
	for i, d := range []*fact.Device{l.Upper, l.Lower} {
		end := []*End{&l.Up, &l.Down}[i]
		switch {
		case why == gone && silent(d):
			out = append(out, d.From)
		case why == tunnelled && tunnel(d, end.Cap):
			out = append(append(out, d.From), end.CapAt...)
		case why == asleep && sleeping(d):
			_, at := lowPower(d)
			out = append(out, at)
		}
	}
	switch why {
	case unread:
		out = append(out, l.Lower.From)
	case speedless, implausible:
		out = append(out, l.Up.CapAt...)
		out = append(out, l.Down.CapAt...)
		out = append(out, l.now().NowAt...)
	}
	return out
}

// onCardSwitch says which link counts where a graphics card carries a switch.
var onCardSwitch = Rule{
	ID:      "pcie-oncard-switch",
	Area:    Links,
	Sources: []string{"lspci-vvv", "pci"},
	Keys:    []string{"upper", "switch", "slotUpper"},
	Cases: []Case{
		{Name: "constant", Verdict: Problem, Severity: Info, Confidence: Derived, Known: true},
	},
	Judge: judgeOnCardSwitch,
}

func judgeOnCardSwitch(m *fact.Machine) []Finding {
	t := newTree(m)
	var out []Finding
	for _, slot := range t.links {
		if t.virtual || !onCard(slot.Lower, upstreamSide) {
			continue
		}
		for _, l := range t.links {
			if !l.Fixed || l.Upper.Parent != slot.Lower.Address || !graphics(l.Lower) {
				continue
			}
			f := found("constant", l.Lower.Address)
			f.Values = map[string]any{
				"upper": l.Upper.Address, "switch": slot.Lower.Address, "slotUpper": slot.Upper.Address,
			}
			f.cite("switch", slot.Lower.From)
			f.cite("sta", l.now().NowAt...)
			f.cite("slotSta", slot.now().NowAt...)
			out = append(out, f)
		}
	}
	return out
}
