package judge

import (
	"slices"
	"strconv"
	"strings"

	"hwcap/parse/fact"
)

// linkSpeed compares the negotiated speed of each link with what both of its
// ends offer. Graphics cards lower theirs at idle; what they reach under load
// is for samples to tell.
var linkSpeed = Rule{
	ID:      "pcie-link-speed",
	Area:    Links,
	Sources: []string{"lspci-vvv", "pci", "links", "drm", "kmsg", "dmesg", "journal-k"},
	// byKernel says that the kernel printed that it lowered the target; tableGTs
	// is the highest speed in the graphics driver's table, 0 without one. links is the table of the case devices-limit, which has no other value:
	// devices, upper, speedGTs, widthLanes, gbs, upperCapSpeedGTs, upperCapWidthLanes.
	Keys: with(slices.Concat(sampleKeys, []string{"targetGTs", "byKernel", "tableGTs", "links"})...),
	Cases: []Case{
		{Name: "full", Verdict: OK, Confidence: Derived},
		{Name: cardLimit, Verdict: Problem, Severity: Info, Confidence: Derived},
		{Name: devicesLimit, Verdict: Problem, Severity: Info, Confidence: Derived},
		{Name: portLimit, Verdict: Problem, Severity: Info, Confidence: Derived},
		{Name: reached, Verdict: OK, Confidence: Derived},
		{Name: "idle", Verdict: Problem, Severity: Info, Confidence: Likely},
		{Name: "idle-narrow", Verdict: Problem, Severity: Notice, Confidence: Likely},
		{Name: "stuck", Verdict: Problem, Severity: Warning, Confidence: Derived},
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
		f.Values["targetGTs"], f.Values["byKernel"] = target, false
		if f.Case == "held" {
			f.cite("target", at)
			if lowered := l.loweredByKernel(); len(lowered) > 0 {
				f.Values["byKernel"] = true
				f.citeNotes("kernel", lowered)
			}
		}
		table, tableAt := l.driverTable()
		f.Values["tableGTs"] = table
		if f.Case == "stuck" {
			f.cite("table", tableAt)
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
	}
	if table, _ := l.driverTable(); table > 0 && table <= now {
		return "stuck"
	}
	switch {
	case l.fullWidth():
		return "idle"
	}
	return "idle-narrow"
}

// slow reports whether l is slower than both ends offer for no reason that is
// harmless.
func (l *Link) slow() bool {
	return slices.Contains([]string{"slow", "held", "stuck", slowUnderLoad}, l.speedCase())
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

// loweredByKernel returns the kernel's messages that it retrained l at a lower
// speed (pcie_failed_link_retrain in drivers/pci/quirks.c), unless it said
// later that it lifted the restriction.
func (l *Link) loweredByKernel() []fact.Note {
	var out []fact.Note
	for _, n := range l.tree.machine.Log.Of("link-retrain") {
		switch {
		case n.Device != l.Upper.Address:
		case n.Fields["what"] == "quirk":
			out = append(out, n)
		case n.Fields["what"] == "lifted":
			out = nil
		}
	}
	return out
}

// driverTable returns the highest speed in the table of link states that the
// driver of an AMD card keeps (pp_dpm_pcie, drivers/gpu/drm/amd/pm), 0 without
// a table. A driver that came up on a slow link has no faster row, and never
// switches. Cards are numbered in another order than PCI devices, so that with
// several of them nobody knows whose table it is.
func (l *Link) driverTable() (float64, fact.Line) {
	m := l.tree.machine
	if l.card().Vendor != "1002" || m.Source("drm").State == fact.Truncated {
		return 0, fact.Line{}
	}
	cards := 0
	for i := range m.PCI {
		if d := &m.PCI[i]; graphics(d) && d.Vendor == "1002" {
			cards++
		}
	}
	best, tables := 0.0, 0
	var at fact.Line
	for path, v := range m.Settings {
		text, ok := v.Get()
		if !ok || !strings.HasPrefix(path, "sys/class/drm/card") || !strings.HasSuffix(path, "/device/pp_dpm_pcie") {
			continue
		}
		tables++
		at = v.At
		for line := range strings.Lines(text) {
			_, row, _ := strings.Cut(line, ":")
			number, _, _ := strings.Cut(strings.TrimSpace(row), "GT/s")
			speed, _ := strconv.ParseFloat(number, 64)
			best = max(best, speed)
		}
	}
	if cards != 1 || tables != 1 {
		return 0, fact.Line{}
	}
	return best, at
}
