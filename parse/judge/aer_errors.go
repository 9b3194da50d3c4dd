package judge

import (
	"maps"
	"math"
	"slices"
	"strings"

	"hwcap/parse/fact"
)

const (
	// fewErrors is how many corrected errors of a link count as normal.
	fewErrors = 10
	// quietFactor and quietSeconds: a burst is over when nothing came for ten
	// times its length, and for a day.
	quietFactor  = 10
	quietSeconds = 24 * 60 * 60
	// tolerated is the share of bits that the specification lets a link lose
	// up to 32 GT/s (PCIe Base Specification 8.3, bit error ratio 10^-12).
	tolerated = 1e-12
)

var aerErrors = Rule{
	ID: "aer-errors", Area: Errors,
	Sources: []string{"pci", "ras-errors", "ras-summary", "rasdaemon", "dmesg", "kmsg", "journal-k", "journal-k-1", "pci-port-drivers", "proc-cmdline", "proc-uptime", "lspci-vvv"},
	Keys: []string{
		"upper", "detectedBy", "kinds", "wire", "protocol", "firmware", "layers",
		"correctedCount", "nonFatalCount", "fatalCount", "sysfsCount", "logCount", "databaseCount", "earlierCount",
		"countersKnown", "databaseKnown", "logKnown", "beforeBoot",
		"hasTimes", "spanSeconds", "hasQuiet", "quietSeconds", "untilLogEnd", "firstTime", "lastTime", "sameDay",
		"atLeast", "multiple", "injectedCount", "recoveryFailed", "packets", "senderUnknown",
		"hasRate", "perHour", "overSeconds", "hasYardstick", "allowedPerHour", "speedGTs", "widthLanes",
		"parameters", "missing", "portCount", "bitsRead",
		// Of two captures: grown is a table: device, severity, before, after.
		"grown", "datedCount", "sinceTime", "isOver",
	},
	Cases: []Case{
		{Name: "fatal", Verdict: Problem, Severity: Critical, Confidence: Observed},
		{Name: "nonfatal", Verdict: Problem, Severity: Warning, Confidence: Observed},
		{Name: "above-yardstick", Verdict: Problem, Severity: Warning, Confidence: Derived},
		{Name: "ongoing", Verdict: Problem, Severity: Warning, Confidence: Derived},
		{Name: "burst", Verdict: Problem, Severity: Notice, Confidence: Derived},
		{Name: "recent", Verdict: Problem, Severity: Notice, Confidence: Derived},
		{Name: "past", Verdict: Problem, Severity: Notice, Confidence: Observed},
		{Name: "counted", Verdict: Problem, Severity: Notice, Confidence: Observed},
		{Name: "few", Verdict: Problem, Severity: Info, Confidence: Observed},
		{Name: "excerpt", Verdict: Problem, Severity: Info, Confidence: Observed},
		{Name: "injected", Verdict: Problem, Severity: Info, Confidence: Observed},
		{Name: "throttled", Verdict: Problem, Severity: Info, Confidence: Observed},
		{Name: "summary-fatal", Verdict: Problem, Severity: Critical, Confidence: Observed},
		{Name: "summary-nonfatal", Verdict: Problem, Severity: Warning, Confidence: Observed},
		{Name: "summary-corrected", Verdict: Problem, Severity: Notice, Confidence: Observed},
		{Name: "none", Verdict: OK, Confidence: Observed},
		{Name: "hidden", Verdict: Unknown, Confidence: Derived},
		{Name: "not-readable", Verdict: Unknown, Confidence: Observed},
		{Name: "link-unknown", Verdict: Unknown, Confidence: Observed},
		{Name: "rising-fatal", Verdict: Problem, Severity: Critical, Confidence: Derived, Pair: true},
		{Name: "rising-nonfatal", Verdict: Problem, Severity: Warning, Confidence: Derived, Pair: true},
		{Name: "rising", Verdict: Problem, Severity: Warning, Confidence: Derived, Pair: true},
		{Name: "risen", Verdict: Problem, Severity: Notice, Confidence: Derived, Pair: true},
		{Name: "steady", Verdict: OK, Confidence: Derived, Pair: true},
		{Name: "rising-unplaced", Verdict: Unknown, Confidence: Derived, Pair: true},
	},
	Judge:   judgeAERErrors,
	Compare: compareAERErrors,
}

// judgeAERErrors gives one finding for each link with errors, and one for the
// machine that says what silence is worth.
func judgeAERErrors(m *fact.Machine) []Finding {
	var out []Finding
	all, lost := tallies(m)
	thisBoot := false
	for _, t := range all {
		out = append(out, t.finding(m))
		for _, s := range aerSeverities {
			thisBoot = thisBoot || t.thisBoot(s) > 0
		}
	}
	if len(lost) > 0 {
		f := found("link-unknown", lost...)
		f.Values["detectedBy"] = lost
		for _, e := range m.Log.AER {
			if slices.Contains(lost, e.Device) && len(e.At) > 0 {
				f.cite("log", e.At[0])
			}
		}
		for _, r := range aerRows(m) {
			if slices.Contains(lost, r.Device) {
				f.cite("first", r.At)
				break
			}
		}
		return append(out, f)
	}
	if f, ok := summaryFinding(m); ok {
		return append(out, f)
	}
	if !thisBoot {
		out = append(out, silence(m)...)
	}
	return out
}

// finding chooses the case of one link and writes down what it rests on.
func (t *aerTally) finding(m *fact.Machine) Finding {
	c := captureClock(m)
	corrected := t.real("corrected")
	times := t.timing()
	span, quiet := times.span, times.quiet
	count, over, rated := t.pace(c)
	link, hasLink := linkRate(m, t.link)
	hasLink = hasLink && link.Speed <= 32 // above, errors are corrected in flits
	allowed := math.Round(link.Speed * 1e9 * float64(link.Width) * tolerated * 3600)

	name := "few"
	past := times.dated && quiet >= quietFactor*span
	switch {
	case t.real("fatal") > 0:
		name = "fatal"
	case t.real("nonfatal") > 0:
		name = "nonfatal"
	case corrected == 0 && sum(t.injected) > 0:
		name = "injected"
	case corrected <= fewErrors && throttled(m) && !t.countersKnown(m):
		name = "throttled"
	case corrected <= fewErrors && !t.wholeBoot(m):
		name = "excerpt"
	case corrected <= fewErrors:
	case past && quiet >= quietSeconds && t.reportingProven(m, c, quiet):
		name = "burst"
	case past && quiet >= quietSeconds:
		name = "past"
	case rated && hasLink && float64(count) > allowed*max(1, over/hour) && readToEnd(m):
		name = "above-yardstick"
	case past:
		name = "recent"
	case times.dated && (c.uptime || !hasManifest(m)):
		name = "ongoing"
	case t.thisBoot("corrected") == 0:
		name = "past"
	default:
		name = "counted"
	}

	f := found(name, t.link.lower)
	f.Count = t.count("corrected") + t.count("nonfatal") + t.count("fatal")
	f.Evidence = t.evidence
	v := f.Values
	v["upper"] = t.link.upper
	v["detectedBy"] = slices.Sorted(maps.Keys(t.detected))
	v["correctedCount"] = t.count("corrected")
	v["nonFatalCount"] = t.count("nonfatal")
	v["fatalCount"] = t.count("fatal")
	v["sysfsCount"] = sum(t.counters)
	v["logCount"] = sum(t.logged)
	v["earlierCount"] = sum(t.earlier)
	v["databaseCount"] = sum(t.rows)
	v["countersKnown"] = t.countersKnown(m)
	v["databaseKnown"] = m.RAS.Errors.Known()
	v["logKnown"] = m.Log.State == fact.Present || m.Log.State == fact.Truncated
	v["beforeBoot"] = times.dated && c.uptime && quiet > c.now
	v["firmware"] = t.firmware
	v["atLeast"] = t.multiple || len(t.limits) > 0 || !t.wholeBoot(m)
	v["multiple"] = t.multiple
	v["packets"] = t.packets(m)
	v["senderUnknown"] = t.unnamed
	v["injectedCount"] = sum(t.injected)
	v["hasTimes"] = times.known
	v["hasQuiet"] = len(t.ages) > 0
	v["untilLogEnd"] = !c.uptime && sum(t.rows) == 0
	v["spanSeconds"] = math.Round(span)
	v["quietSeconds"] = math.Round(quiet)
	first, last := t.times()
	v["firstTime"], v["lastTime"] = first, last
	v["sameDay"] = len(first) >= 10 && len(last) >= 10 && first[:10] == last[:10]
	v["hasRate"] = rated && over >= hour
	v["perHour"] = math.Round(float64(count)*hour/max(over, hour)*10) / 10
	v["overSeconds"] = math.Round(over)
	v["hasYardstick"] = hasLink
	v["allowedPerHour"] = allowed
	v["speedGTs"] = link.Speed
	v["widthLanes"] = link.Width
	failed := t.failedRecoveries(m)
	v["recoveryFailed"] = len(failed) > 0
	f.cite("recovery", failed...)
	t.describeKinds(v)
	f.cite("limit", t.limits...)
	f.cite("packet", t.packetAt)
	if sum(t.injected) > 0 {
		f.citeInjections(m, t.detected)
	}
	if hasLink {
		f.cite("link", link.At)
	}
	if name == "burst" {
		root := rootPortOf(m, t.link.lower)
		f.cite("ports", portsWithAER(m).lines[root]...)
		for address := range t.detected {
			if d := m.Device(address); d != nil && d.Sysfs != nil {
				f.cite("zero", d.Sysfs.AERCorrectable.V.At["TOTAL"])
			}
		}
		if daemon, _ := m.RAS.Daemon.Get(); daemon == "active" && sum(t.rows) > 0 {
			f.cite("daemon", m.RAS.Daemon.At)
		}
	}
	return f
}

// throttled reports whether the kernel left out error reports from the log: the
// lines that are there are then a lower bound.
func throttled(m *fact.Machine) bool {
	if len(m.Log.Of("aer-rate-limited", "aer-lost")) > 0 {
		return true
	}
	return slices.ContainsFunc(m.Log.Of("callbacks-suppressed"), func(n fact.Note) bool {
		return strings.Contains(n.Fields["function"], "aer")
	})
}

// readToEnd reports whether none of the dated sources was cut off: half of the
// errors may well come at a higher rate than all.
func readToEnd(m *fact.Machine) bool {
	return m.Log.State != fact.Truncated && m.Source("ras-errors").State != fact.Truncated
}

// describeKinds adds what is known of the error bits.
func (t *aerTally) describeKinds(v map[string]any) {
	kinds := []map[string]any{}
	var layers []string
	wire, protocol := false, false
	for _, k := range t.known() {
		kinds = append(kinds, map[string]any{"bit": k.Bit, "layer": k.Layer, "de": k.De, "en": k.En})
		if !slices.Contains(layers, k.Layer) {
			layers = append(layers, k.Layer)
		}
		wire = wire || k.Wire
		protocol = protocol || k.Layer == transactionLayer
	}
	v["kinds"], v["layers"], v["wire"], v["protocol"] = kinds, layers, wire, protocol
}

// hour is how long errors have to be watched for a rate: what came in a minute
// does not tell what an hour brings.
const hour = 3600.0

// pace returns how many corrected errors came in how many seconds: in the time
// in which the dated ones came, else since the boot.
func (t *aerTally) pace(c clock) (count int, seconds float64, ok bool) {
	if times := t.timing(); times.dated {
		return t.count("corrected"), times.span, true
	}
	return t.thisBoot("corrected"), c.now, c.uptime
}

// wholeBoot reports whether errors of this boot that are not in the tally did
// not happen: the counters were read, or the log is there from its first line.
// The rows of the database are a record of their own.
func (t *aerTally) wholeBoot(m *fact.Machine) bool {
	return sum(t.logged)+sum(t.earlier) == 0 || t.countersKnown(m) || logFromBoot(m)
}

// citeInjections cites the lines of errors that were made on purpose in the
// functions, a few of them.
func (f *Finding) citeInjections(m *fact.Machine, functions map[string]bool) {
	const few = 4
	cited := 0
	for _, n := range m.Log.Notes {
		if n.Kind == "aer-injected" && functions[n.Device] && cited < few {
			f.cite("injection", n.At)
			cited++
		}
	}
}

// failedRecoveries returns the lines, a few of them, with which the kernel gives
// up recovering from an uncorrectable error. The port above the device says so,
// or the port that noticed it (pcie_do_recovery in drivers/pci/pcie/err.c).
func (t *aerTally) failedRecoveries(m *fact.Machine) (lines []fact.Line) {
	const few = 2
	if t.count("nonfatal")+t.count("fatal") == 0 {
		return nil
	}
	for _, n := range m.Log.Notes {
		here := n.Device != "" && n.Device == t.link.upper || t.detected[n.Device]
		if n.Kind == "aer-recovery" && n.Fields["result"] == "failed" && here && len(lines) < few {
			lines = append(lines, n.At)
		}
	}
	return lines
}

// reportingProven reports whether a further error of this link would have been
// recorded: the root port's AER service runs, the functions that saw the errors
// have reporting enabled, no parameter hides anything, and either the kernel's
// counters cover the whole time, or rasdaemon, which recorded these, does.
func (t *aerTally) reportingProven(m *fact.Machine, c clock, quiet float64) bool {
	parameters, known := hidden(m)
	if !known || len(parameters) > 0 {
		return false
	}
	if portsWithAER(m).lines[rootPortOf(m, t.link.lower)] == nil {
		return false
	}
	for address := range t.detected {
		d := m.Device(address)
		if d == nil || d.Express == nil || !d.Express.DevCtl.Has("CorrErr") {
			return false
		}
	}
	daemon, _ := m.RAS.Daemon.Get()
	return daemon == "active" && sum(t.rows) > 0 || c.uptime && c.now >= quiet && t.countersKnown(m)
}

// countersKnown reports whether the kernel's counters of all functions that saw
// the errors were read.
func (t *aerTally) countersKnown(m *fact.Machine) bool {
	for address := range t.detected {
		if d := m.Device(address); d == nil || d.Sysfs == nil || !d.Sysfs.AERCorrectable.Known() {
			return false
		}
	}
	return true
}

func sum(counts map[string]int) int {
	n := 0
	for _, c := range counts {
		n += c
	}
	return n
}

// silence judges that no error of this boot is known: worth something only
// where errors would have been counted and logged.
func silence(m *fact.Machine) []Finding {
	if len(m.PCI) == 0 && m.Log.State == "" {
		return nil
	}
	parameters, known := hidden(m)
	ports := portsWithAER(m)
	var missing []string
	if !known {
		missing = append(missing, "proc-cmdline")
	}
	if !ports.listed {
		missing = append(missing, "pci-port-drivers")
	}
	counters := zeroCounters(m)
	if len(counters) == 0 || !m.Complete("pci") {
		missing = append(missing, "pci")
	}
	if m.Log.State != fact.Present {
		missing = append(missing, "dmesg")
	}

	name := "none"
	switch {
	case len(parameters) > 0 || ports.listed && len(ports.lines) == 0:
		name = "hidden"
	case len(missing) > 0:
		name = "not-readable"
	}
	f := found(name, Machine)
	f.Values["parameters"] = parameters
	f.Values["missing"] = missing
	f.Values["portCount"] = len(ports.lines)
	f.Values["bitsRead"] = slices.ContainsFunc(m.PCI, func(d fact.Device) bool { return d.Express != nil && d.Express.DevSta != nil })
	switch name {
	case "none":
		f.cite("zero", counters...)
		for _, port := range ports.names() {
			f.cite("ports", ports.lines[port]...)
		}
	case "hidden":
		if len(parameters) > 0 {
			f.cite("cmdline", bootLine(m).At)
		} else {
			f.cite("none", ports.folder)
		}
	default:
		for _, source := range missing {
			f.cite("missing", m.Source(source).At)
		}
	}
	return []Finding{f}
}

// zeroCounters returns the lines of the root ports' counters that read zero, a
// few of them, or of any function's where no root port has some.
func zeroCounters(m *fact.Machine) []fact.Line {
	const few = 8
	var roots, others []fact.Line
	for i := range m.PCI {
		s := m.PCI[i].Sysfs
		if s == nil {
			continue
		}
		if n, ok := s.RootCor.Get(); ok && n == 0 {
			roots = append(roots, s.RootCor.At)
		}
		if c, ok := s.AERCorrectable.Get(); ok && c.Total == 0 {
			others = append(others, c.At["TOTAL"])
		}
	}
	if len(roots) == 0 {
		roots = others
	}
	return roots[:min(few, len(roots))]
}
