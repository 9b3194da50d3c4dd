package judge

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"hwcap/parse/fact"
)

// The severities of AER, as fact.AEREvent names them.
var aerSeverities = []string{"corrected", "nonfatal", "fatal"}

// aerTally is everything that the capture says of the errors of one link. The
// three sources count the same events, so they are kept apart.
type aerTally struct {
	link     aerLink
	detected map[string]bool // functions that logged an error
	roots    map[string]bool // root ports that announced it
	kinds    map[string]bool

	counters map[string]int // sysfs, this boot, by severity
	logged   map[string]int // kernel log, this boot
	earlier  map[string]int // kernel log, the boot before
	rows     map[string]int // rasdaemon's database
	rowsOld  map[string]int // those from before this boot
	atLeast  map[string]int // what the kernel says of reports that it dropped, this boot
	injected map[string]int // of those in the log, the ones made on purpose

	ages     []float64   // seconds before the capture of dated errors
	clocks   []time.Time // of errors that the log dates by the time of day
	first    string      // the first and last row's time, as printed
	last     string
	undated  bool // there are errors of this boot without any time
	firmware bool
	multiple bool        // a root port announced several errors as one
	limits   []fact.Line // what the kernel says of dropped reports
	unnamed  bool        // a root port named no sender
	packet   []string    // TLP header of the gravest report that has one
	packetBy string      // who logged it
	packetAt fact.Line
	evidence []Evidence
}

// tallies gathers the errors of all links, by lower end. lost are the
// functions with errors whose link the capture does not show.
func tallies(m *fact.Machine) (all []*aerTally, lost []string) {
	byLink := map[string]*aerTally{}
	of := func(address string) *aerTally {
		link, ok := linkOfError(m, address)
		if !ok {
			if !slices.Contains(lost, address) {
				lost = append(lost, address)
			}
			return nil
		}
		t := byLink[link.lower]
		if t == nil {
			t = &aerTally{
				link: link, detected: map[string]bool{}, roots: map[string]bool{}, kinds: map[string]bool{},
				counters: map[string]int{}, logged: map[string]int{}, earlier: map[string]int{},
				rows: map[string]int{}, rowsOld: map[string]int{}, atLeast: map[string]int{}, injected: map[string]int{},
			}
			byLink[link.lower] = t
		}
		t.detected[address] = true
		return t
	}
	c := captureClock(m)
	for i := range m.PCI {
		countSysfs(&m.PCI[i], of)
	}
	for _, e := range m.Log.AER {
		if !advisoryTwin(e, m.Log.AER) {
			countLogged(e, c, of)
		}
	}
	countRows(m, c, of)
	for _, link := range slices.Sorted(maps.Keys(byLink)) {
		t := byLink[link]
		t.undated = t.undated || slices.ContainsFunc(aerSeverities, func(s string) bool {
			return t.counters[s] > 0 && t.logged[s] == 0 && t.rows[s] == t.rowsOld[s]
		})
		all = append(all, t)
	}
	if len(lost) == 0 { // else what was dropped may be theirs
		addLimits(m, all, c)
	}
	slices.Sort(lost)
	return all, lost
}

func (t *aerTally) cite(role string, lines ...fact.Line) {
	for _, l := range lines {
		if !l.IsZero() {
			t.evidence = append(t.evidence, Evidence{Line: l, Role: role})
		}
	}
}

// countSysfs adds the counters of one function
// (Documentation/ABI/testing/sysfs-bus-pci-devices-aer).
func countSysfs(d *fact.Device, of func(string) *aerTally) {
	if d.Sysfs == nil {
		return
	}
	for i, v := range []fact.Val[fact.Counters]{d.Sysfs.AERCorrectable, d.Sysfs.AERNonFatal, d.Sysfs.AERFatal} {
		c, ok := v.Get()
		if !ok || c.Total == 0 && len(c.Counts) == 0 {
			continue
		}
		t := of(d.Address)
		if t == nil {
			continue
		}
		n := c.Total
		for _, bit := range slices.Sorted(maps.Keys(c.Counts)) {
			t.kinds[bit] = true
			n = max(n, c.Counts[bit])
			t.cite("counter", c.At[bit])
		}
		if len(c.Counts) == 0 {
			t.cite("counter", c.At["TOTAL"])
		}
		t.counters[aerSeverities[i]] += int(min(n, math.MaxInt32))
	}
}

// countLogged adds one group of error reports of the kernel log.
func countLogged(e fact.AEREvent, c clock, of func(string) *aerTally) {
	t := of(e.Device)
	if t == nil {
		return
	}
	for _, bit := range e.Kinds {
		t.kinds[bit] = true
	}
	t.firmware = t.firmware || e.Firmware
	t.multiple = t.multiple || e.Multiple > 0
	t.unnamed = t.unnamed || e.Unnamed
	if e.Root != "" {
		t.roots[e.Root] = true
	}
	if e.Injected {
		t.injected[e.Severity] += e.Count
	}
	if e.TLPHeader != nil && (t.packet == nil || e.Severity == "fatal") {
		t.packet, t.packetBy, t.packetAt = e.TLPHeader, e.Device, headerLine(e)
	}
	t.cite("log", e.At...)
	if len(e.At) == 0 || e.LastAt != e.At[0] {
		t.cite("last", e.LastAt)
	}
	if e.Boot != 0 {
		t.earlier[e.Severity] += e.Count
		return
	}
	t.logged[e.Severity] += e.Count
	if e.First != nil && e.Last != nil && c.sinceBoot {
		t.ages = append(t.ages, c.now-*e.First, c.now-*e.Last)
		return
	}
	first, ok := clockTime(e.FirstClock)
	last, also := clockTime(e.LastClock)
	if ok && also {
		t.clocks = append(t.clocks, first, last)
		return
	}
	t.undated = true
}

// headerLine returns the line of a report that has the packet's header.
func headerLine(e fact.AEREvent) fact.Line {
	for _, at := range e.At {
		if strings.Contains(at.Text, "TLP Header") {
			return at
		}
	}
	return fact.Line{}
}

// advisoryTwin reports whether e is the second report of an error that the
// kernel treats as harmless: Linux 7.3 prints an advisory non-fatal error once
// as corrected and once as non-fatal.
func advisoryTwin(e fact.AEREvent, all []fact.AEREvent) bool {
	if e.Severity != "nonfatal" || e.First == nil {
		return false
	}
	return slices.ContainsFunc(all, func(c fact.AEREvent) bool {
		return c.Severity == "corrected" && c.Device == e.Device && c.Boot == e.Boot && c.Count == e.Count &&
			slices.Contains(c.Kinds, "NonFatalErr") && c.First != nil && math.Abs(*c.First-*e.First) < 1
	})
}

// rasSeverities are the words of rasdaemon (ras-aer-handler.c).
var rasSeverities = map[string]string{
	"Corrected":               "corrected",
	"Uncorrected (Non-Fatal)": "nonfatal",
	"Uncorrected (Fatal)":     "fatal",
}

// countRows adds the rows of ras-mc-ctl --errors.
func countRows(m *fact.Machine, c clock, of func(string) *aerTally) {
	rows := aerRows(m)
	slices.SortStableFunc(rows, func(a, b fact.RASEvent) int {
		ta, _ := rasTime(a.Time)
		tb, _ := rasTime(b.Time)
		return ta.Compare(tb)
	})
	lastRow := map[*aerTally]fact.Line{}
	for _, r := range rows {
		severity := rasSeverities[r.Severity]
		if r.Device == "" || severity == "" {
			continue
		}
		t := of(r.Device)
		if t == nil {
			continue
		}
		for _, bit := range rasKinds(r.Message) {
			t.kinds[bit] = true
		}
		n := max(1, r.Count)
		t.rows[severity] += n
		if _, seen := lastRow[t]; !seen {
			t.cite("first", r.At)
		}
		lastRow[t] = r.At
		at, ok := rasTime(r.Time)
		if !ok {
			t.undated = true
			continue
		}
		if t.first == "" {
			t.first = r.Time
		}
		t.last = r.Time
		if !c.taken.IsZero() {
			t.ages = append(t.ages, c.taken.Sub(at).Seconds())
		}
		if !c.boot.IsZero() && at.Before(c.boot) {
			t.rowsOld[severity] += n
		}
	}
	for t, at := range lastRow {
		if len(t.evidence) == 0 || t.evidence[len(t.evidence)-1].Line != at {
			t.cite("last", at)
		}
	}
}

// aerRows returns the rows of the PCIe section of ras-mc-ctl --errors.
func aerRows(m *fact.Machine) []fact.RASEvent {
	sections, _ := m.RAS.Errors.Get()
	var rows []fact.RASEvent
	for _, s := range sections {
		if s.Name == "aer" {
			rows = append(rows, s.Rows...)
		}
	}
	return rows
}

// rasTime reads the time of a row, "2026-08-03 18:04:11 +0200".
func rasTime(s string) (time.Time, bool) {
	t, err := time.Parse("2006-01-02 15:04:05 -0700", strings.TrimSpace(s))
	return t, err == nil
}

// clock relates the times of a capture to the moment at which it was taken.
type clock struct {
	taken     time.Time // zero where no manifest says so
	boot      time.Time // zero where the uptime is not known
	now       float64   // seconds since boot
	sinceBoot bool      // now was read
	uptime    bool      // now comes from /proc/uptime
}

func captureClock(m *fact.Machine) clock {
	var c clock
	// The uptime and the log are read at the start; a slow machine ends much
	// later, and its boot would seem to be younger than its first errors.
	for _, s := range []string{m.Capture.Start, m.Capture.End} {
		if t, err := time.Parse(time.RFC3339, s); err == nil {
			c.taken = t
			break
		}
	}
	up := m.Platform.Uptime
	if up.State == fact.Present && m.Source("proc-uptime").State != fact.Truncated {
		c.now, c.uptime, c.sinceBoot = up.V, true, true
	} else {
		// The last message was not later than the capture.
		c.now, c.sinceBoot = m.Log.Last.Get()
	}
	if c.uptime && !c.taken.IsZero() {
		c.boot = c.taken.Add(-time.Duration(c.now * float64(time.Second)))
	}
	return c
}

// count returns how many errors of a severity there were: those of this boot by
// the source that saw most, and those of earlier boots.
func (t *aerTally) count(severity string) int {
	old := t.rowsOld[severity]
	return max(t.thisBoot(severity), t.rows[severity]-old) + max(old, t.earlier[severity])
}

// thisBoot returns how many errors of a severity the kernel itself counted or
// logged since it started.
func (t *aerTally) thisBoot(severity string) int {
	return max(t.counters[severity], t.logged[severity], t.atLeast[severity])
}

// real returns how many errors of a severity nobody made on purpose.
func (t *aerTally) real(severity string) int {
	return max(0, t.count(severity)-t.injected[severity])
}

// timing is what the times of errors say.
type timing struct {
	span  float64 // seconds between the first and the last
	quiet float64 // seconds from the last one to the capture
	known bool    // span was read
	dated bool    // every error has a time, and quiet was read
}

// timing compares the dated errors. Times of day do not tell how long ago an
// error was: their zone, and that of the capture, may differ.
func (t *aerTally) timing() timing {
	if len(t.ages) > 0 {
		oldest, newest := slices.Max(t.ages), slices.Min(t.ages)
		return timing{span: oldest - newest, quiet: max(0, newest), known: true, dated: !t.undated && len(t.clocks) == 0}
	}
	if len(t.clocks) > 0 {
		first := slices.MinFunc(t.clocks, time.Time.Compare)
		last := slices.MaxFunc(t.clocks, time.Time.Compare)
		return timing{span: last.Sub(first).Seconds(), known: true}
	}
	return timing{}
}

// times returns the first and last time of day, "2026-08-03 18:04:11", as the
// database or else the log prints them; empty without any.
func (t *aerTally) times() (first, last string) {
	if t.first != "" || len(t.clocks) == 0 {
		return t.first, t.last
	}
	first = slices.MinFunc(t.clocks, time.Time.Compare).Format(time.DateTime)
	return first, slices.MaxFunc(t.clocks, time.Time.Compare).Format(time.DateTime)
}

// known returns what is known of the kinds seen, lowest layer first.
func (t *aerTally) known() (kinds []aerKind) {
	for bit := range t.kinds {
		k, ok := knownAER(bit)
		if !ok {
			k = aerKind{Bit: bit, Layer: noLayer}
		}
		kinds = append(kinds, k)
	}
	order := []string{physicalLayer, dataLinkLayer, transactionLayer, noLayer}
	slices.SortFunc(kinds, func(a, b aerKind) int {
		return cmp.Or(cmp.Compare(slices.Index(order, a.Layer), slices.Index(order, b.Layer)), cmp.Compare(a.Bit, b.Bit))
	})
	return kinds
}
