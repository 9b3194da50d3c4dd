package judge

import (
	"strings"

	"hwcap/parse/fact"
)

// netLinkSpeed compares the speed of each Ethernet port with what it and the
// other end can do. What the other end can do is known only while it negotiates.
var netLinkSpeed = Rule{
	ID:      "net-link-speed",
	Area:    Platform,
	Sources: []string{"netlink-ethtool", "ethtool", "net", "netlink-route", "dmesg", "kmsg", "journal-k"},
	// Speeds in Mbit/s, 0 where not read. bestMbps is what both ends can do.
	Keys: []string{"speedMbps", "ownMbps", "advertisedMbps", "partnerMbps", "bestMbps", "autonegOff", "duplex", "device", "downs", "carrierChanges", "modesRead"},
	Cases: []Case{
		{Name: "full", Verdict: OK, Confidence: Observed},
		{Name: "full-known", Verdict: OK, Confidence: Derived, Known: true},
		{Name: "partner-limit", Verdict: Problem, Severity: Info, Confidence: Derived},
		{Name: "below-own", Verdict: Problem, Severity: Info, Confidence: Derived},
		{Name: "below-known", Verdict: Problem, Severity: Info, Confidence: Derived, Known: true},
		{Name: "downshift", Verdict: Problem, Severity: Warning, Confidence: Observed},
		{Name: "forced", Verdict: Problem, Severity: Warning, Confidence: Derived},
		{Name: "held", Verdict: Problem, Severity: Warning, Confidence: Derived},
		{Name: "below-both", Verdict: Problem, Severity: Warning, Confidence: Likely},
		{Name: "modes-unread", Verdict: Unknown},
	},
	Judge: judgeNetLinkSpeed,
}

func judgeNetLinkSpeed(m *fact.Machine) []Finding {
	if isGuest(m) {
		return nil
	}
	var out []Finding
	ports := wired(m)
	for _, n := range ports {
		if f, speaks := portSpeed(m, n, len(ports) == 1); speaks {
			out = append(out, f)
		}
	}
	return out
}

// downshifted names the ports, and the functions that they belong to, of which
// the rule says that they fell back for their cable.
func downshifted(m *fact.Machine) map[string]bool {
	names := map[string]bool{}
	for _, f := range judgeNetLinkSpeed(m) {
		if f.Case == "downshift" {
			names[f.Subjects[0]], names[f.Values["device"].(string)] = true, true
		}
	}
	return names
}

// portSpeed judges one port; false where it has no link, or nothing to judge.
func portSpeed(m *fact.Machine, n *fact.Interface, only bool) (Finding, bool) {
	f := found("full", n.Name)
	f.Values = map[string]any{
		"speedMbps": 0, "ownMbps": 0, "advertisedMbps": 0, "partnerMbps": 0, "bestMbps": 0, "autonegOff": false,
		"duplex": n.Duplex.V, "device": n.Device, "downs": 0, "carrierChanges": int(n.CarrierChanges.V), "modesRead": hasModes(n),
	}
	shifted := f.addLog(m, n, only)
	upAt, up := linkUp(n)
	speed, read := n.Speed.Get()
	if !up || !read || speed <= 0 {
		return f, false
	}
	own, ownAt, known := lineRate(m, n)
	f.Values["speedMbps"], f.Values["ownMbps"] = speed, own
	f.cite("speed", n.Speed.At)
	f.cite("up", upAt)
	f.cite("own", ownAt)
	best := f.addModes(n)
	switch {
	case shifted && (own == 0 || speed < own):
		f.Case = "downshift"
	case own == 0:
		f.Case = "modes-unread"
	case speed >= own && known:
		f.Case = "full-known"
	case speed >= own:
	case known:
		f.Case = "below-known"
	case best == 0:
		f.Case = "below-own"
	case speed >= best:
		f.Case = "partner-limit"
	case f.Values["autonegOff"] == true:
		f.Case = "forced"
	case f.Values["advertisedMbps"].(int) > 0 && f.Values["advertisedMbps"].(int) <= speed:
		f.Case = "held"
	default:
		f.Case = "below-both"
	}
	return f, true
}

// addModes adds what both ends offer, and returns the fastest mode that both
// have; 0 where that of the other end is not known.
func (f *Finding) addModes(n *fact.Interface) (best int) {
	e := n.Ethtool
	if e == nil {
		return 0
	}
	if on, read := e.Autoneg.Get(); read && !on {
		f.Values["autonegOff"] = true
		f.cite("autoneg", e.Autoneg.At)
	}
	if modes, ok := e.Advertised.Get(); ok {
		f.Values["advertisedMbps"] = fastest(modes, nil)
		f.cite("advertised", e.Advertised.At)
	}
	partner, ok := e.Partner.Get()
	if !ok || len(partner) == 0 {
		return 0
	}
	own, _ := e.Supported.Get()
	best = fastest(own, partner)
	f.Values["partnerMbps"], f.Values["bestMbps"] = fastest(partner, nil), best
	f.cite("partner", e.Partner.At)
	return best
}

// addLog adds how often the log says that the link was lost, and returns
// whether the last word is that it runs slower than negotiated, for a cable.
// The PHY's own line names no interface: it counts where there is one only.
func (f *Finding) addLog(m *fact.Machine, n *fact.Interface, only bool) (shifted bool) {
	downs := 0
	for _, note := range linkNotes(m, n) {
		if note.Fields["state"] == "down" {
			downs += note.Times()
			continue
		}
		if shifted = strings.Contains(note.At.Text, "downshifted"); shifted {
			f.cite("downshift", note.At)
		}
	}
	if only {
		speed, read := n.Speed.Get()
		for _, note := range m.Log.Of("nic-downshift") {
			if to := printedSpeed(note.Fields["to"]); !read || to == speed {
				shifted = true
				f.cite("downshift", note.At)
			}
		}
	}
	f.Values["downs"] = downs
	return shifted
}
