package judge

import "hwcap/parse/fact"

// endpointClaimsMore speaks of endpoints that offer more lanes than the port
// above them has, on a link that uses all of the port's.
var endpointClaimsMore = Rule{
	ID:      "pcie-endpoint-claims-more",
	Area:    Links,
	Sources: []string{"lspci-vvv", "pci"},
	Keys:    with("chip", "wiredLanes", "source"),
	Cases: []Case{
		{Name: "claim", Verdict: Problem, Severity: Info, Confidence: Derived, Known: true},
		{Name: "unused", Verdict: Problem, Severity: Info, Confidence: Derived, Known: true},
		{Name: "open", Verdict: Problem, Severity: Info, Confidence: Likely},
	},
	Judge: judgeEndpointClaimsMore,
}

func judgeEndpointClaimsMore(m *fact.Machine) []Finding {
	var out alike
	for _, l := range newTree(m).judged() {
		if !l.claimsMore() {
			continue
		}
		c, why := l.claim()
		f := l.finding(string(why))
		f.Values["chip"], f.Values["wiredLanes"], f.Values["source"] = "", 0, ""
		if c != nil {
			f.Values["chip"], f.Values["wiredLanes"], f.Values["source"] = c.name, c.lanes, c.source
		}
		out.add(l, f)
	}
	return out.findings
}

// claimsMore reports whether l belongs to pcie-endpoint-claims-more rather than
// to pcie-link-width: an endpoint with more lanes than its port, at the port's
// limit, where a table knows the chip or the port is a switch's. At a root
// port the plain reading holds, a card in a narrower slot (case "port-limit"
// of pcie-link-width).
func (l *Link) claimsMore() bool {
	kind := l.tree.kind(l.Lower)
	if kind != fact.Endpoint && kind != fact.LegacyEndpoint {
		return false
	}
	if up := l.Up.Cap.Width; l.Down.Cap.Width <= up || l.Now().Width != up {
		return false
	}
	c, _ := l.claim()
	return c != nil || l.tree.kind(l.Upper) == fact.DownstreamPort
}

// claim returns the row of the tables that explains the difference on l, and
// the explanation. A row explains it only as far as its lanes reach.
func (l *Link) claim() (*chip, reading) {
	if c := lookup(l.Lower, narrowChips); c != nil && c.lanes <= l.Up.Cap.Width {
		return c, mereClaim
	}
	if c := lookup(l.Lower, wideDrives); c != nil && c.lanes > l.Up.Cap.Width {
		return c, unusedLanes
	}
	return nil, openReading
}
