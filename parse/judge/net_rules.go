package judge

import (
	"strconv"
	"strings"

	"hwcap/parse/fact"
)

// netRules are the rules on network cards, of the area Platform.
var netRules = []Rule{netLinkSpeed, netPCIeHeadroom}

// wired returns the interfaces that are the port of a card: no bond, bridge or
// VLAN, which repeat what the port below them says, no wireless one, and none of
// a virtual function or machine, whose speed is made up.
func wired(m *fact.Machine) []*fact.Interface {
	var out []*fact.Interface
	for i := range m.Net {
		n := &m.Net[i]
		if n.Kind != "" || n.Lower != "" || n.Name == "lo" || n.Device == "" && !hasModes(n) {
			continue
		}
		// Of a function that is not listed, nobody knows whether it is a virtual one.
		if d := m.Device(n.Device); n.Device != "" && (d == nil || isVF(d) || emulated(d) || d.Class == wirelessClass) {
			continue
		}
		out = append(out, n)
	}
	return out
}

// wirelessClass is the class of network controllers that are not Ethernet.
const wirelessClass = "0280"

func hasModes(n *fact.Interface) bool { return n.Ethtool != nil && n.Ethtool.Supported.Known() }

// linkUp reports whether an interface has a link, and the line that says so.
func linkUp(n *fact.Interface) (at fact.Line, ok bool) {
	if n.Ethtool != nil {
		if up, read := n.Ethtool.Link.Get(); read {
			return n.Ethtool.Link.At, up
		}
	}
	v, _ := n.Carrier.Get()
	return n.Carrier.At, v == "1"
}

// fastest is the speed of the fastest mode of a list in Mbit/s, of those that
// also has too where also is not nil; 0 for none.
func fastest(modes []fact.LinkMode, also []fact.LinkMode) int {
	most := 0
	for _, mode := range modes {
		if also != nil && !hasMode(also, mode.Name) {
			continue
		}
		most = max(most, mode.Speed)
	}
	return most
}

func hasMode(modes []fact.LinkMode, name string) bool {
	for _, mode := range modes {
		if mode.Name == name {
			return true
		}
	}
	return false
}

// lineRate is what a port can do at most in Mbit/s: what its driver lists, or
// else what is known of the chip.
func lineRate(m *fact.Machine, n *fact.Interface) (mbps int, at fact.Line, known bool) {
	if n.Ethtool != nil {
		if modes, ok := n.Ethtool.Supported.Get(); ok && len(modes) > 0 {
			return fastest(modes, nil), n.Ethtool.Supported.At, false
		}
	}
	if d := m.Device(n.Device); d != nil {
		if nic := nicOf(d); nic != nil {
			return nic.mbps, d.From, true
		}
	}
	return 0, fact.Line{}, false
}

// linkNotes returns the messages on the link of an interface: those that name it,
// or its function, which has no other.
func linkNotes(m *fact.Machine, n *fact.Interface) []fact.Note {
	alone := 0
	for i := range m.Net {
		if m.Net[i].Device == n.Device && m.Net[i].Kind == "" && m.Net[i].Lower == "" {
			alone++
		}
	}
	var out []fact.Note
	for _, note := range m.Log.Of("nic-link") {
		if note.Fields["interface"] == n.Name || n.Device != "" && note.Device == n.Device && alone == 1 {
			out = append(out, note)
		}
	}
	return out
}

// printedSpeed reads "1Gbps", "2.5Gbps" or "100Mbps" in Mbit/s.
func printedSpeed(s string) int {
	unit := 1.0
	digits, ok := strings.CutSuffix(s, "Gbps")
	if ok {
		unit = 1000
	} else {
		digits = strings.TrimSuffix(s, "Mbps")
	}
	v, err := strconv.ParseFloat(digits, 32)
	if err != nil || v < 0 || v > 1e6 {
		return 0
	}
	return int(v * unit)
}

// gigabits reads "31.504" of the kernel's line on bandwidth.
func gigabits(s string) (float64, bool) {
	v, err := strconv.ParseFloat(s, 64)
	return v, err == nil && v > 0 && v < 1e5
}
