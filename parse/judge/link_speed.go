package judge

import (
	"slices"

	"hwcap/parse/fact"
)

// linkSpeed compares the negotiated speed of each link with what both of its
// ends offer. Graphics cards lower theirs at idle; what they reach under load
// is for samples to tell.
var linkSpeed = Rule{
	ID:      "pcie-link-speed",
	Area:    Links,
	Sources: []string{"lspci-vvv", "pci", "links"},
	// links is the table of the case devices-limit, which has no other value:
	// devices, upper, speedGTs, widthLanes, gbs, upperCapSpeedGTs, upperCapWidthLanes.
	Keys: with(slices.Concat(sampleKeys, []string{"targetGTs", "links"})...),
	Cases: []Case{
		{Name: "full", Verdict: OK, Confidence: Derived},
		{Name: cardLimit, Verdict: Problem, Severity: Info, Confidence: Derived},
		{Name: devicesLimit, Verdict: Problem, Severity: Info, Confidence: Derived},
		{Name: portLimit, Verdict: Problem, Severity: Info, Confidence: Derived},
		{Name: reached, Verdict: OK, Confidence: Derived},
		{Name: "idle", Verdict: Problem, Severity: Info, Confidence: Likely},
		{Name: "idle-narrow", Verdict: Problem, Severity: Notice, Confidence: Likely},
		{Name: slowUnderLoad, Verdict: Problem, Severity: Warning, Confidence: Likely},
		{Name: samplesLost, Verdict: Unknown, Confidence: Observed},
		{Name: "held", Verdict: Problem, Severity: Warning, Confidence: Derived},
		{Name: "slow", Verdict: Problem, Severity: Warning, Confidence: Derived},
	},
	Judge: judgeLinkSpeed,
}

func judgeLinkSpeed(m *fact.Machine) []Finding {
	var out alike
	for _, l := range newTree(m).judged() {
		name := l.speedCase()
		if (name == cardLimit || name == portLimit) && (l.explained() || l.speedToo(name)) {
			continue // the specific finding, or that on the width, says it
		}
		f := l.finding(name)
		target, at := l.target()
		f.Values["targetGTs"] = target
		if f.Case == "held" {
			f.cite("target", at)
		}
		fastest, _ := l.sampled()
		l.addSamples(&f, fastest)
		out.add(l, f)
	}
	return joinUnslotted(out.findings)
}

// speedToo reports whether the end that sets the limit of the width, by the
// case name of pcie-link-width, sets that of the speed as well: one cause, which
// pcie-link-width reports.
func (l *Link) speedToo(name string) bool {
	return l.speedCase() == name && l.widthCase() == name && !l.claimsMore()
}

// speedCase names the case of a link that can be judged.
func (l *Link) speedCase() string {
	now, want := l.Now().Speed, l.Want().Speed
	up, down := l.Up.Cap.Speed, l.Down.Cap.Speed
	if now == want {
		switch {
		case down < up:
			return cardLimit
		case up < down:
			return portLimit
		}
		return "full"
	}
	if name := l.sampledSpeed(); name != "" {
		return name
	}
	if target, _ := l.target(); target > 0 && target < want && now <= target {
		return "held"
	}
	switch {
	case !graphics(l.card()):
		return "slow"
	case l.fullWidth():
		return "idle"
	}
	return "idle-narrow"
}

// idles reports whether l is a graphics card's link that may just be resting.
func (l *Link) idles() bool { return graphics(l.card()) && l.Now().Speed < l.Want().Speed }

// target is the speed that the port above aims for (LnkCtl2), 0 if not read.
func (l *Link) target() (float64, fact.Line) {
	if x := l.Upper.Express; x != nil && x.LinkCtl2 != nil {
		return x.LinkCtl2.Target, x.LinkCtl2.At
	}
	return 0, fact.Line{}
}
