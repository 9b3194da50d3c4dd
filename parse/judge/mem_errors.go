package judge

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"hwcap/parse/fact"
)

var memErrors = Rule{
	ID: "mem-errors", Area: Errors,
	Sources: []string{"edac", "ras-error-count", "ras-summary", "ras-errors", "dmesg", "kmsg", "journal-k"},
	Keys: []string{
		"label", "printed", "correctedCount", "uncorrectedCount", "inCounters", "inDatabase", "inLog", "inDaemon", "firstTime", "lastTime",
		"hasRate", "perDay", "controllerCount", "missing", "checks", "throttled", "afterReset", "eccMessages",
		// dmidecode is where the capture has the memory arrays, "" if it has not.
		"dmidecode",
	},
	Cases: []Case{
		{Name: "uncorrected", Verdict: Problem, Severity: Critical, Confidence: Observed},
		{Name: "many", Verdict: Problem, Severity: Warning, Confidence: Derived},
		{Name: "corrected", Verdict: Problem, Severity: Notice, Confidence: Observed},
		{Name: "check-uncorrected", Verdict: Problem, Severity: Critical, Confidence: Derived, Known: true},
		{Name: "check-link", Verdict: Problem, Severity: Warning, Confidence: Derived, Known: true},
		{Name: "check-memory", Verdict: Problem, Severity: Notice, Confidence: Derived, Known: true},
		{Name: "check-corrected", Verdict: Problem, Severity: Notice, Confidence: Derived, Known: true},
		{Name: "check-thermal", Verdict: Problem, Severity: Notice, Confidence: Observed},
		{Name: "check-boot", Verdict: Problem, Severity: Info, Confidence: Derived},
		{Name: "check-undecoded", Verdict: Unknown, Confidence: Observed},
		{Name: "ecc-off", Verdict: Problem, Severity: Info, Confidence: Observed},
		{Name: "none", Verdict: OK, Confidence: Observed},
		{Name: "no-driver", Verdict: Unknown, Confidence: Observed},
		{Name: "unread", Verdict: Unknown, Confidence: Observed},
	},
	Judge: judgeMemory,
}

// noModule is what EDAC prints instead of a label where it does not know the
// module (drivers/edac/edac_mc.c, edac_mc_handle_error; edac_mc.h OTHER_LABEL).
var noModule = []string{"any memory", "unknown memory"}

// module is what the sources say of one memory module. They count the same
// errors, some since the boot and some for years: the highest number counts.
type module struct {
	corrected, uncorrected  int64
	counters, database, log bool    // sources that have errors of it
	daemon                  bool    // mcelog counted it
	days                    float64 // how long the counting went on, 0 if that is not known
	first, last             string
	evidence                []Evidence
}

// see takes in what one source counts.
func (d *module) see(corrected, uncorrected int64, role string, lines ...fact.Line) {
	if corrected <= 0 && uncorrected <= 0 {
		return
	}
	d.corrected, d.uncorrected = max(d.corrected, corrected), max(d.uncorrected, uncorrected)
	switch role {
	case "counter":
		d.counters = true
	case "database":
		d.database = true
	case "log":
		d.log = true
	case "daemon":
		d.daemon = true
	}
	for i, l := range lines {
		if !l.IsZero() && !slices.Contains(lines[:i], l) {
			d.evidence = append(d.evidence, Evidence{Line: l, Role: role})
		}
	}
}

// judgeMemory gives a finding for each memory module with errors, or one that
// says what is known of none.
func judgeMemory(m *fact.Machine) []Finding {
	modules := map[string]*module{}
	of := func(label string) *module {
		if label = strings.TrimSpace(label); label == "" || slices.Contains(noModule, label) {
			label = Machine
		}
		if modules[label] == nil {
			modules[label] = &module{}
		}
		return modules[label]
	}
	countEDAC(m, of)
	countMemoryRows(m.RAS.Summary, of)
	countMemoryRows(m.RAS.Errors, of)
	countEDACNotes(m, of)
	if !slices.ContainsFunc(slices.Collect(maps.Values(modules)), func(d *module) bool { return len(d.evidence) > 0 }) {
		countDaemon(m, of) // by names of its own; else its modules would count twice
	}

	var out []Finding
	for _, label := range slices.Sorted(maps.Keys(modules)) {
		if d := modules[label]; len(d.evidence) > 0 {
			f := d.finding(label)
			f.Values["printed"] = printedLabel(m, label)
			out = append(out, f)
		}
	}
	out = append(out, judgeChecks(m, len(out) > 0)...)
	if len(out) > 0 || !hasManifest(m) && len(eccOff(m)) == 0 {
		return out
	}
	return []Finding{memorySilence(m)}
}

// Corrected errors of one module are many where several come at more than one
// a day, or plenty at all: single ones occur on healthy modules.
const (
	several = 10
	plenty  = 100
	day     = 24 * 60 * 60
)

// countDaemon adds what mcelog counted. "SOCKET 0 CHANNEL any DIMM any" is all
// of the socket, its modules included: what they do not explain is the
// socket's own.
func countDaemon(m *fact.Machine, of func(string) *module) {
	counts, _ := m.RAS.MCELog.Get()
	place := func(d fact.DIMMCount) (socket string, whole bool) {
		socket, rest, _ := strings.Cut(cmp.Or(d.Location, d.Label), " CHANNEL ")
		return socket, rest == "any DIMM any"
	}
	type rest struct {
		corrected, uncorrected int64
		lines                  []fact.Line
	}
	sockets := map[string]*rest{}
	for _, d := range counts {
		if socket, whole := place(d); whole {
			sockets[socket] = &rest{d.Corrected, d.Uncorrected, []fact.Line{d.At, d.UncorrectedAt}}
		}
	}
	for _, d := range counts {
		socket, whole := place(d)
		if whole {
			continue
		}
		of(d.Label).see(d.Corrected, d.Uncorrected, "daemon", d.At, d.UncorrectedAt)
		if r := sockets[socket]; r != nil {
			r.corrected, r.uncorrected = r.corrected-d.Corrected, r.uncorrected-d.Uncorrected
		}
	}
	for socket, r := range sockets {
		of(socket).see(r.corrected, r.uncorrected, "daemon", r.lines...)
	}
}

// printedLabel returns what stands on the board beside the socket of a module,
// where ras-mc-ctl has a name for it that is another one.
func printedLabel(m *fact.Machine, label string) string {
	sockets, _ := m.RAS.Sockets.Get()
	for _, s := range sockets {
		if s.InSysfs == label && s.Label != label {
			return s.Label
		}
	}
	return ""
}

func (d *module) finding(label string) Finding {
	f := found("corrected", label)
	perDay := float64(d.corrected) / max(1, d.days)
	switch {
	case d.uncorrected > 0:
		f.Case = "uncorrected"
	case d.corrected >= plenty, d.corrected >= several && d.days > 0 && perDay > 1:
		f.Case = "many"
	}
	f.Values["hasRate"], f.Values["perDay"] = d.days >= 1, math.Round(perDay*10)/10
	f.Values["inDaemon"] = d.daemon
	f.Count = int(d.corrected + d.uncorrected)
	f.Values["label"] = label
	f.Values["correctedCount"], f.Values["uncorrectedCount"] = int(d.corrected), int(d.uncorrected)
	f.Values["inCounters"], f.Values["inDatabase"], f.Values["inLog"] = d.counters, d.database, d.log
	f.Values["firstTime"], f.Values["lastTime"] = d.first, d.last
	const few = 8
	f.Evidence = d.evidence[:min(few, len(d.evidence))]
	return f
}

// countEDAC adds the counters of the memory controllers
// (Documentation/ABI/testing/sysfs-devices-edac), and the same as ras-mc-ctl
// prints them. What a controller counts beyond its modules is its own.
func countEDAC(m *fact.Machine, of func(string) *module) {
	controllers, _ := m.RAS.EDAC.Get()
	for _, c := range controllers {
		ce, _ := c.CE.Get()
		ue, _ := c.UE.Get()
		for _, d := range c.DIMMs {
			lines := []fact.Line{d.At}
			if d.Uncorrected > 0 {
				lines = append(lines, d.UncorrectedAt)
			}
			of(d.Label).see(d.Corrected, d.Uncorrected, "counter", lines...)
			if since, ok := c.Since.Get(); ok {
				of(d.Label).days = float64(since) / day
			}
			ce, ue = ce-d.Corrected, ue-d.Uncorrected
		}
		lines := []fact.Line{c.CE.At}
		if ue > 0 {
			lines = []fact.Line{c.UE.At}
		}
		of(c.ID).see(ce, ue, "counter", lines...)
	}
	labels, _ := m.RAS.Labels.Get()
	for _, d := range labels {
		of(d.Label).see(d.Corrected, d.Uncorrected, "counter", d.At)
	}
}

// uncorrectedWords are the severities of memory errors that nobody corrected
// (rasdaemon, ras-mc-handler.c; a deferred one was met, but not yet used).
var uncorrectedWords = []string{"Uncorrected", "Fatal", "Deferred"}

// countMemoryRows adds up the rows of one output of ras-mc-ctl by module.
func countMemoryRows(v fact.Val[[]fact.RASSection], of func(string) *module) {
	type total struct {
		corrected, uncorrected int64
		first, last            string
		lines                  []fact.Line
	}
	totals := map[string]*total{}
	sections, _ := v.Get()
	for _, s := range sections {
		if s.Name != "memory" {
			continue
		}
		for _, r := range s.Rows {
			t := totals[r.Device]
			if t == nil {
				t = &total{first: r.Time}
				totals[r.Device] = t
			}
			if slices.Contains(uncorrectedWords, r.Severity) {
				t.uncorrected += int64(max(1, r.Count))
			} else {
				t.corrected += int64(max(1, r.Count))
			}
			t.first, t.last = min(t.first, r.Time), max(t.last, r.Time)
			t.lines = append(t.lines, r.At)
		}
	}
	for label, t := range totals {
		d := of(label)
		d.see(t.corrected, t.uncorrected, "database", t.lines[0], t.lines[len(t.lines)-1])
		d.first, d.last = cmp.Or(t.first, d.first), cmp.Or(t.last, d.last)
		first, ok := rasTime(d.first)
		last, also := rasTime(d.last)
		if ok && also && !d.counters {
			d.days = max(1, last.Sub(first).Hours()/24)
		}
	}
}

// countEDACNotes adds up the kernel's messages: "EDAC MC1: 4 CE error on
// CPU#0Channel#2_DIMM#0 (page:0x0 offset:0x0)" (drivers/edac/edac_mc.c,
// edac_ce_error, edac_ue_error).
func countEDACNotes(m *fact.Machine, of func(string) *module) {
	type total struct{ corrected, uncorrected int64 }
	totals := map[string]*total{}
	at := map[string][]fact.Line{}
	for _, n := range m.Log.Of("edac-error") {
		_, label, _ := strings.Cut(n.Fields["text"], " on ")
		label, _, _ = strings.Cut(label, " (")
		if label == "" {
			label = "mc" + n.Fields["mc"]
		}
		if totals[label] == nil {
			totals[label] = &total{}
		}
		count, _ := strconv.ParseInt(n.Fields["count"], 10, 32)
		count = max(1, count) + int64(n.Times()) - 1
		if n.Fields["severity"] == "uncorrected" {
			totals[label].uncorrected += count
		} else {
			totals[label].corrected += count
		}
		at[label] = append(at[label], n.At)
	}
	for label, t := range totals {
		of(label).see(t.corrected, t.uncorrected, "log", at[label][0], at[label][len(at[label])-1])
	}
}

// memorySilence judges that no memory error is known: worth something where a
// driver counts them, and the records were read.
func memorySilence(m *fact.Machine) Finding {
	controllers, known := m.RAS.EDAC.Get()
	missing := []string{}
	if !known || !m.Complete("edac") {
		missing = append(missing, "edac")
	}
	for _, c := range controllers {
		if !c.CE.Known() || !c.UE.Known() {
			missing = []string{"edac"}
		}
	}
	if m.Log.State != fact.Present {
		missing = append(missing, "dmesg")
	}
	if !noDatabase(m) {
		for source, v := range map[string]fact.Val[[]fact.RASSection]{"ras-errors": m.RAS.Errors, "ras-summary": m.RAS.Summary} {
			if !sectionRead(v, m.Source(source), "memory") {
				missing = append(missing, source)
			}
		}
		slices.Sort(missing)
	}
	f := found("none", Machine)
	if off := eccOff(m); len(off) > 0 {
		f.Case = "ecc-off"
		f.cite("off", off[0])
		f.Values["eccMessages"] = len(off)
	} else if m.RAS.EDAC.State == fact.Empty || m.Source("edac").State == fact.Absent {
		f.Case = "no-driver"
		f.citeSource(m, "edac", "edac")
		f.Values["dmidecode"] = ""
		if s := m.Source("dmidecode"); s.State == fact.Present && strings.Contains(s.What, "16") {
			f.Values["dmidecode"] = s.Path
		}
	} else if len(missing) > 0 {
		f.Case = "unread"
		f.citeSource(m, "missing", missing...)
	}
	f.Values["controllerCount"] = len(controllers)
	f.Values["missing"] = missing
	for _, c := range controllers {
		f.cite("counter", c.CE.At, c.UE.At)
	}
	return f
}

// eccOff returns the lines that say that memory has no correction, or that it is
// off: the driver's, which each processor repeats, and the modes of modules. A
// guest's driver sees no memory controller of its own.
func eccOff(m *fact.Machine) (lines []fact.Line) {
	controllers, _ := m.RAS.EDAC.Get()
	for _, c := range controllers {
		for _, d := range c.DIMMs {
			if d.Mode != "None" {
				return nil
			}
			lines = append(lines, d.At)
		}
	}
	if len(lines) > 0 || len(controllers) > 0 || !onBareMetal(m) {
		return lines
	}
	for _, n := range m.Log.Of("edac-ecc-off") {
		lines = append(lines, n.At)
	}
	return lines
}

// sectionRead reports whether a section of ras-mc-ctl was read to its end.
func sectionRead(v fact.Val[[]fact.RASSection], source fact.Source, name string) bool {
	if v.State != fact.Present || source.State != fact.Present {
		return false
	}
	i := slices.IndexFunc(v.V, func(s fact.RASSection) bool { return s.Name == name })
	return i >= 0 && !v.V[i].Cut
}
