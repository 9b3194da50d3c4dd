package judge

import (
	"maps"
	"slices"

	"hwcap/parse/fact"
)

// linkFlapping speaks of links that come and go although nobody plugs: PCIe
// links by the messages of the hot-plug driver and by samples, and the links of
// network ports by those of their drivers.
var linkFlapping = Rule{
	ID:      "pcie-link-flapping",
	Area:    Links,
	Sources: []string{"kmsg", "dmesg", "journal-k", "links", "lspci-vvv", "pci"},
	// upper is the port above; slot its name in the kernel's messages.
	// sampledSeconds, changeCount and the two pairs of least and most are those
	// of samples.
	Keys: []string{
		"upper", "slot", "tunnel", "downCount", "upCount", "noLinkCount", "presentCount", "retrainCount", "retrainFailed", "retrainSpeed",
		"hasTime", "firstSeconds", "lastSeconds", "spanSeconds", "driver", "kernel",
		"sampledSeconds", "changeCount", "leastSpeedGTs", "mostSpeedGTs", "leastWidthLanes", "mostWidthLanes", "loadCommand",
		"portCount",
	},
	Cases: []Case{
		{Name: "link-lost", Verdict: Problem, Severity: Warning, Confidence: Derived},
		{Name: "no-link", Verdict: Problem, Severity: Warning, Confidence: Derived},
		{Name: "retrained", Verdict: Problem, Severity: Notice, Confidence: Observed},
		{Name: "retrained-often", Verdict: Problem, Severity: Warning, Confidence: Observed},
		{Name: "samples", Verdict: Problem, Severity: Warning, Confidence: Derived},
		{Name: "network", Verdict: Problem, Severity: Warning, Confidence: Likely},
		{Name: "quiet", Verdict: OK, Confidence: Observed},
	},
	Judge: judgeLinkFlapping,
}

// How often something must happen in one boot before it is no accident: the
// link of a slot, which one person may pull once or twice; that of a network
// port, which also goes down with each sleep of the machine.
const (
	oftenSlot    = 3
	oftenNetwork = 5
)

// buttonTime is how many seconds after the slot's button was pressed its link
// goes down because of it: the kernel waits 5 s for a second press
// (pciehp_handle_button_press in drivers/pci/hotplug/pciehp_ctrl.c).
const buttonTime = 10

func judgeLinkFlapping(m *fact.Machine) []Finding {
	t := newTree(m)
	out := slices.Concat(t.slotsFlapping(), t.samplesFlapping(), networkFlapping(m))
	if len(out) > 0 {
		return out
	}
	// Only hot-plug ports report that their link went down, so that silence
	// counts for these.
	ports := map[string]bool{}
	f := found("quiet", Machine)
	for _, n := range m.Log.Of("pciehp-slot") {
		if !ports[n.Device] {
			ports[n.Device] = true
			f.cite("port", n.At)
		}
	}
	if len(ports) == 0 || !logFromBoot(m) || t.virtual {
		return nil
	}
	f.Values, f.Count = map[string]any{"portCount": len(ports)}, len(ports)
	return []Finding{f}
}

// slotsFlapping judges the messages on ports, one finding a port.
func (t *tree) slotsFlapping() []Finding {
	byPort := map[string][]fact.Note{}
	for _, n := range t.machine.Log.Of("pciehp-link-down", "pciehp-link-up", "pciehp-card-present", "pciehp-no-link",
		"pciehp-cannot-train", "pciehp-button", "link-retrain") {
		if n.Device != "" {
			byPort[n.Device] = append(byPort[n.Device], n)
		}
	}
	var out []Finding
	for _, port := range slices.Sorted(maps.Keys(byPort)) {
		f := found("", t.lowerEnd(port))
		counts := map[string]int{}
		var events []fact.Note
		retrainFailed, speed, slot := false, "", ""
		for _, n := range byPort[port] {
			kind := n.Kind
			switch {
			case kind == "pciehp-link-down" && afterButton(n, byPort[port]):
				continue
			case kind == "pciehp-cannot-train":
				kind = "pciehp-no-link"
			case kind == "link-retrain" && n.Fields["what"] == "failed":
				retrainFailed = true
				f.cite("retrainFailed", n.At)
				continue
			case kind == "link-retrain" && n.Fields["what"] != "quirk":
				continue
			case kind == "link-retrain":
				speed = n.Fields["speed"]
			}
			if s := n.Fields["slot"]; s != "" {
				slot = s
			}
			counts[kind] += n.Times()
			if kind == "pciehp-link-down" || kind == "pciehp-no-link" || kind == "link-retrain" {
				events = append(events, n)
			}
		}
		tunnel := t.device[port] != nil && thunderbolt(t.device[port])
		if tunnel {
			counts["pciehp-link-down"] = cameBack(byPort[port])
		}
		role := ""
		switch {
		case counts["pciehp-link-down"] >= oftenSlot:
			f.Case, role = "link-lost", "pciehp-link-down"
		case counts["pciehp-no-link"] >= oftenSlot:
			f.Case, role = "no-link", "pciehp-no-link"
		case counts["link-retrain"] >= oftenSlot:
			f.Case, role = "retrained-often", "link-retrain"
		case counts["link-retrain"] > 0:
			f.Case, role = "retrained", "link-retrain"
		default:
			continue
		}
		// The device that the retraining was for is reported by device-gone.
		if d := t.device[f.Subjects[0]]; d != nil && d.Address != port && (silent(d) || t.lossExplained(d)) ||
			f.Case == "retrained" && t.waitedAfter(events) {
			continue
		}
		events = slices.DeleteFunc(events, func(n fact.Note) bool {
			return n.Kind != role && !(role == "pciehp-no-link" && n.Kind == "pciehp-cannot-train")
		})
		f.Count = counts[role]
		f.citeEnds("event", events)
		f.Values = map[string]any{
			"upper": port, "slot": slot, "tunnel": tunnel,
			"downCount": counts["pciehp-link-down"], "upCount": counts["pciehp-link-up"],
			"noLinkCount": counts["pciehp-no-link"], "presentCount": counts["pciehp-card-present"],
			"retrainCount": counts["link-retrain"], "retrainFailed": retrainFailed, "retrainSpeed": speed,
		}
		f.addSpan(events)
		out = append(out, f)
	}
	return out
}

// waitedAfter reports whether the kernel waited in vain for a device right after
// one of events.
func (t *tree) waitedAfter(events []fact.Note) bool {
	const soon = 10 // seconds
	waits := t.machine.Log.Of("reset-timeout")
	if !slices.ContainsFunc(waits, gaveUp) {
		return false
	}
	return slices.ContainsFunc(events, func(e fact.Note) bool {
		return slices.ContainsFunc(waits, func(w fact.Note) bool {
			return e.Time != nil && w.Time != nil && *e.Time <= *w.Time && *w.Time-*e.Time <= soon
		})
	})
}

// lowerEnd is the first function below a port, or the port itself.
func (t *tree) lowerEnd(port string) string {
	if below := firstBelow(t.machine, port); below != "" {
		return below
	}
	return port
}

// afterButton reports whether somebody had asked the slot to power off.
func afterButton(down fact.Note, notes []fact.Note) bool {
	return slices.ContainsFunc(notes, func(n fact.Note) bool {
		return n.Kind == "pciehp-button" && n.Time != nil && down.Time != nil && *n.Time <= *down.Time && *down.Time-*n.Time <= buttonTime
	})
}

// cameBack counts the links that went down and came back sooner than a person
// plugs a cable out and in again; without times all of them. Docks are meant to
// be plugged.
func cameBack(notes []fact.Note) int {
	const soon = 30 // seconds
	count := 0
	var down *fact.Note
	for i, n := range notes {
		switch {
		case n.Kind == "pciehp-link-down" && n.Time == nil:
			count += n.Times()
		case n.Kind == "pciehp-link-down":
			down = &notes[i]
		case n.Kind == "pciehp-link-up" && down != nil && n.Time != nil:
			if *n.Time-*down.Time <= soon {
				count += down.Times()
			}
			down = nil
		}
	}
	return count
}

// citeEnds cites the first and the last of notes.
func (f *Finding) citeEnds(role string, notes []fact.Note) {
	if len(notes) > 0 {
		f.cite(role, notes[0].At)
	}
	if len(notes) > 1 {
		f.cite(role, notes[len(notes)-1].At)
	}
}

// addSpan gives f the times of notes.
func (f *Finding) addSpan(notes []fact.Note) {
	first, last, ok := spanOf(notes)
	f.Values["hasTime"], f.Values["firstSeconds"], f.Values["lastSeconds"], f.Values["spanSeconds"] = ok, first, last, last-first
}

// samplesFlapping judges what samples saw of each link. Graphics cards change
// the speed of theirs with the load, and sleeping devices have none.
func (t *tree) samplesFlapping() []Finding {
	all, ok := t.machine.Samples.Get()
	if !ok || t.virtual {
		return nil
	}
	var out []Finding
	for _, l := range t.judged() {
		if graphics(l.card()) {
			continue
		}
		for _, end := range []*fact.Device{l.Lower, l.Upper} {
			// One change may be the end of something; a change and the way back
			// are none.
			p := all.Port(end.Address)
			if p == nil || p.Changes < 2 {
				continue
			}
			f := found("samples", l.Lower.Address)
			f.Count = p.Changes
			f.Values = map[string]any{
				"upper": l.Upper.Address, "sampledSeconds": all.Duration, "changeCount": p.Changes, "loadCommand": commandLine(all.Command),
				"leastSpeedGTs": p.Slowest.Speed, "mostSpeedGTs": p.Fastest.Speed,
				"leastWidthLanes": p.Narrowest.Width, "mostWidthLanes": p.Widest.Width,
			}
			f.cite("most", p.Fastest.At, p.Widest.At)
			f.cite("least", p.Slowest.At, p.Narrowest.At)
			out = append(out, f)
			break
		}
	}
	return out
}

// networkFlapping judges the messages of network drivers, one finding an
// interface. Of one that fell back for its cable net-link-speed speaks: that it
// comes and goes has the same cause.
func networkFlapping(m *fact.Machine) []Finding {
	byPort := map[string][]fact.Note{}
	for _, n := range m.Log.Of("nic-link") {
		subject := n.Fields["interface"]
		if subject == "" {
			subject = n.Device
		}
		if subject != "" {
			byPort[subject] = append(byPort[subject], n)
		}
	}
	var out []Finding
	slowed := downshifted(m)
	for _, subject := range slices.Sorted(maps.Keys(byPort)) {
		if slowed[subject] {
			continue
		}
		f := found("network", subject)
		var downs []fact.Note
		ups, down := 0, 0
		for _, n := range byPort[subject] {
			if n.Fields["state"] == "down" {
				downs, down = append(downs, n), down+n.Times()
			} else {
				ups += n.Times()
			}
		}
		if down < oftenNetwork {
			continue
		}
		f.Count = down
		f.Values = map[string]any{"downCount": down, "upCount": ups, "driver": byPort[subject][0].Driver, "kernel": m.Platform.Kernel.V}
		f.addSpan(downs)
		f.citeEnds("event", downs)
		out = append(out, f)
	}
	return out
}
