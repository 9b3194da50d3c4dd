package judge

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"hwcap/parse/fact"
)

var evidenceConflict = Rule{
	ID: "evidence-conflict", Area: Platform,
	Sources: []string{"pci", "lspci-vvv", "dmesg", "kmsg", "ras-errors", "ras-summary", "ras-error-count", "edac", "proc-crypto", "netlink-crypto", "net", "ethtool", "netlink-ethtool", "netlink-route"},
	Keys:    []string{"rows", "agreed"},
	Cases: []Case{
		{Name: "aer-log", Verdict: Problem, Severity: Info, Confidence: Derived},
		{Name: "aer-bits", Verdict: Problem, Severity: Info, Confidence: Derived},
		{Name: "aer-database", Verdict: Problem, Severity: Info, Confidence: Derived},
		{Name: "aer-unrecorded", Verdict: Problem, Severity: Info, Confidence: Derived},
		{Name: "ras-texts", Verdict: Problem, Severity: Info, Confidence: Observed},
		{Name: "memory", Verdict: Problem, Severity: Info, Confidence: Observed},
		{Name: "crypto", Verdict: Problem, Severity: Info, Confidence: Observed},
		{Name: "crypto-values", Verdict: Problem, Severity: Info, Confidence: Observed},
		{Name: "link-sysfs", Verdict: Problem, Severity: Info, Confidence: Observed},
		{Name: "link-bytes", Verdict: Problem, Severity: Info, Confidence: Observed},
		{Name: "link-ends", Verdict: Problem, Severity: Info, Confidence: Observed},
		{Name: "network", Verdict: Problem, Severity: Info, Confidence: Observed},
		{Name: "agree", Verdict: OK, Confidence: Derived},
	},
	Judge: judgeConflicts,
}

// conflict is one thing of which two sources say different things about the
// same boot, time and unit.
type conflict struct {
	subject       string
	what          string // the value, in the words of its source
	first, second string
	lines         []fact.Line
}

// comparison compares two sources: how often they spoke of the same, and where
// they did not agree.
type comparison struct {
	name    string
	compare func(*fact.Machine) (compared int, out []conflict)
}

var comparisons = []comparison{
	{"aer-log", compareLogToCounters},
	{"aer-bits", compareBitsToCounters},
	{"aer-database", compareDatabaseToCounters},
	{"aer-unrecorded", compareCountersToDatabase},
	{"ras-texts", compareRASTexts},
	{"memory", compareMemoryCounts},
	{"crypto", compareCryptoLists},
	{"crypto-values", compareCryptoValues},
	{"link-sysfs", compareLinkFiles},
	{"link-bytes", compareLinkBytes},
	{"link-ends", compareLinkEnds},
	{"network", compareNetwork},
}

// judgeConflicts compares what several sources say of one thing.
func judgeConflicts(m *fact.Machine) []Finding {
	var out []Finding
	agreed := []string{}
	for _, c := range comparisons {
		n, conflicts := c.compare(m)
		if len(conflicts) == 0 {
			if n > 0 {
				agreed = append(agreed, c.name)
			}
			continue
		}
		f := found(c.name)
		f.Count = len(conflicts)
		rows := []map[string]any{}
		for i, x := range conflicts {
			if !slices.Contains(f.Subjects, x.subject) {
				f.Subjects = append(f.Subjects, x.subject)
			}
			const few = 8
			if i < few {
				rows = append(rows, map[string]any{"subject": x.subject, "what": x.what, "first": x.first, "second": x.second})
				f.cite("said", x.lines...)
			}
		}
		f.Values["rows"] = rows
		out = append(out, f)
	}
	if len(agreed) > 0 {
		f := found("agree", Machine)
		f.Count = len(agreed)
		f.Values["agreed"] = agreed
		out = append(out, f)
	}
	return out
}

// settled is for how long, in seconds, nothing may have come for two readings
// one after the other to count as one.
const settled = 60.0

// compareLogToCounters: the kernel counts each error that it logs, so the log of
// one boot has no more than the counters of the functions that logged them.
// The reverse is no conflict: the log may be cut, wrapped or throttled. Reports
// of the firmware are not counted by all kernels, and a function that was
// plugged in again starts at 0. A report that names no bit is not counted by all
// either: after a fatal error the kernel does not read the status of a device
// beyond the link, and reports it as Inaccessible (aer_get_device_error_info and
// aer_print_error in drivers/pci/pcie/aer.c).
func compareLogToCounters(m *fact.Machine) (n int, out []conflict) {
	c := captureClock(m)
	logged := map[[2]string]*fact.AEREvent{}
	for _, e := range m.Log.AER {
		if e.Boot != 0 || e.Firmware || len(e.Kinds) == 0 || e.Last == nil || !c.sinceBoot || replugged(m) || advisoryTwin(e, m.Log.AER) {
			continue
		}
		key := [2]string{e.Device, e.Severity}
		if sum := logged[key]; sum != nil {
			sum.Count += e.Count
			if *e.Last > *sum.Last {
				sum.Last = e.Last
			}
		} else {
			e := e
			logged[key] = &e
		}
	}
	for _, key := range slices.SortedFunc(maps.Keys(logged), func(a, b [2]string) int { return strings.Compare(a[0]+a[1], b[0]+b[1]) }) {
		e := logged[key]
		counters, ok := aerCounters(m.Device(e.Device), e.Severity)
		if !ok || c.now-*e.Last < settled {
			continue
		}
		n++
		if int64(e.Count) > counters.Total && len(e.At) > 0 {
			out = append(out, conflict{e.Device, e.Severity, fmt.Sprint(e.Count), fmt.Sprint(counters.Total), []fact.Line{e.At[0], counters.At["TOTAL"]}})
		}
	}
	return n, out
}

// replugged reports whether anything was plugged during this boot.
func replugged(m *fact.Machine) bool {
	return len(m.Log.Of("pciehp-card-present", "pciehp-card-absent", "pciehp-link-up", "pciehp-link-down")) > 0
}

// aerCounters returns the file aer_dev_* of a severity.
func aerCounters(d *fact.Device, severity string) (c fact.Counters, ok bool) {
	if d == nil || d.Sysfs == nil {
		return c, false
	}
	switch severity {
	case "corrected":
		return d.Sysfs.AERCorrectable.Get()
	case "nonfatal":
		return d.Sysfs.AERNonFatal.Get()
	}
	return d.Sysfs.AERFatal.Get()
}

// compareBitsToCounters: where Linux handles errors and a function may report
// them, an error of the link sets a bit, is counted, and the bit is cleared. A
// bit that stands while the counter of its kind is 0 was never reported.
func compareBitsToCounters(m *fact.Machine) (n int, out []conflict) {
	ports := portsWithAER(m)
	for i := range m.PCI {
		d := &m.PCI[i]
		counters, ok := aerCounters(d, "corrected")
		if !ok || d.AER == nil || d.AER.CESta == nil || d.Express == nil || silent(d) {
			continue
		}
		if ports.lines[rootPortOf(m, d.Address)] == nil || !d.Express.DevCtl.Has("CorrErr") {
			continue
		}
		n++
		for _, bit := range d.AER.CESta.Set() {
			k, _ := knownAER(bit)
			if k.Wire && !d.AER.CEMsk.Has(bit) && d.AER.CEMsk != nil && counters.Counts[k.Bit] == 0 {
				out = append(out, conflict{d.Address, bit, bit + "+", "0", append(slices.Clone(d.AER.CESta.At), counters.At["TOTAL"])})
			}
		}
	}
	return n, out
}

// rowsSinceBoot counts the database's rows of this boot by function and
// severity. Rows of the boots before are no matter of the counters. The moment
// of the boot is derived, so that rows of the first seconds may be of either:
// margin, in seconds, says from when on after it rows count. named takes only
// rows that name an error bit.
func rowsSinceBoot(m *fact.Machine, margin float64, named bool) (rows map[[2]string]int, lines map[[2]string]fact.Line, ok bool) {
	c := captureClock(m)
	if c.boot.IsZero() || m.RAS.Errors.State != fact.Present || !m.Complete("ras-errors") {
		return nil, nil, false
	}
	rows, lines = map[[2]string]int{}, map[[2]string]fact.Line{}
	for _, r := range aerRows(m) {
		at, dated := rasTime(r.Time)
		severity := rasSeverities[r.Severity]
		if !dated || severity == "" || at.Sub(c.boot).Seconds() < margin || named && r.Message == "" {
			continue
		}
		key := [2]string{r.Device, severity}
		rows[key] += max(1, r.Count)
		lines[key] = r.At
	}
	return rows, lines, true
}

// compareDatabaseToCounters: rasdaemon records what the kernel counted, so that
// it has no more of one boot. A row without a bit is the record of a report
// without one, see compareLogToCounters.
func compareDatabaseToCounters(m *fact.Machine) (n int, out []conflict) {
	rows, lines, ok := rowsSinceBoot(m, settled, true)
	if !ok || replugged(m) {
		return 0, nil
	}
	for _, key := range slices.SortedFunc(maps.Keys(rows), func(a, b [2]string) int { return strings.Compare(a[0]+a[1], b[0]+b[1]) }) {
		counters, known := aerCounters(m.Device(key[0]), key[1])
		if !known {
			continue
		}
		n++
		if int64(rows[key]) > counters.Total {
			out = append(out, conflict{key[0], key[1], fmt.Sprint(rows[key]), fmt.Sprint(counters.Total), []fact.Line{lines[key], counters.At["TOTAL"]}})
		}
	}
	return n, out
}

// compareCountersToDatabase: a daemon that runs and a database without a row of
// this boot, while the kernel counted errors, do not go together.
func compareCountersToDatabase(m *fact.Machine) (n int, out []conflict) {
	rows, _, ok := rowsSinceBoot(m, -settled, false)
	daemon, _ := m.RAS.Daemon.Get()
	if !ok || daemon != "active" || !sectionRead(m.RAS.Errors, m.Source("ras-errors"), "aer") {
		return 0, nil
	}
	i := slices.IndexFunc(m.RAS.Errors.V, func(s fact.RASSection) bool { return s.Name == "aer" })
	section := m.RAS.Errors.V[i].At
	for i := range m.PCI {
		d := &m.PCI[i]
		for _, severity := range aerSeverities {
			counters, known := aerCounters(d, severity)
			if !known || counters.Total == 0 {
				continue
			}
			n++
			if len(rows) == 0 {
				out = append(out, conflict{d.Address, severity, fmt.Sprint(counters.Total), "0", []fact.Line{counters.At["TOTAL"], section}})
			}
		}
	}
	return n, out
}

// compareRASTexts: summary and list of ras-mc-ctl speak of the same rows.
func compareRASTexts(m *fact.Machine) (n int, out []conflict) {
	if !m.Complete("ras-summary", "ras-errors") {
		return 0, nil
	}
	list, _ := m.RAS.Errors.Get()
	summary, _ := m.RAS.Summary.Get()
	for _, s := range summary {
		i := slices.IndexFunc(list, func(l fact.RASSection) bool { return l.Name == s.Name })
		if i < 0 || s.Cut || list[i].Cut || s.Name != "aer" && s.Name != "memory" { // others count otherwise
			continue
		}
		n++
		a, b := rowTotal(s), rowTotal(list[i])
		if a != b {
			out = append(out, conflict{rowSubject(s, list[i]), s.Name, fmt.Sprint(a), fmt.Sprint(b), []fact.Line{s.At, list[i].At}})
		}
	}
	return n, out
}

// rowSubject returns what the first row of sections is about.
func rowSubject(sections ...fact.RASSection) string {
	for _, s := range sections {
		for _, r := range s.Rows {
			if r.Device != "" {
				return r.Device
			}
		}
	}
	return Machine
}

func rowTotal(s fact.RASSection) (total int) {
	for _, r := range s.Rows {
		total += max(1, r.Count)
	}
	return total
}

// compareMemoryCounts: ras-mc-ctl --error-count prints the counters of EDAC.
func compareMemoryCounts(m *fact.Machine) (n int, out []conflict) {
	printed, ok := m.RAS.Labels.Get()
	controllers, known := m.RAS.EDAC.Get()
	if !ok || !known {
		return 0, nil
	}
	counters := map[string][]fact.DIMMCount{}
	for _, c := range controllers {
		for _, d := range c.DIMMs {
			counters[d.Label] = append(counters[d.Label], d)
		}
	}
	for _, p := range printed {
		same := counters[p.Label]
		if len(same) != 1 { // several modules may carry one label
			continue
		}
		n++
		if d := same[0]; d.Corrected != p.Corrected || d.Uncorrected != p.Uncorrected {
			out = append(out, conflict{p.Label, "CE/UE", fmt.Sprintf("%d/%d", d.Corrected, d.Uncorrected), fmt.Sprintf("%d/%d", p.Corrected, p.Uncorrected), []fact.Line{d.At, p.At}})
		}
	}
	return n, out
}

// compareCryptoLists: /proc/crypto and the netlink dump list the same
// implementations.
func compareCryptoLists(m *fact.Machine) (n int, out []conflict) {
	if m.Crypto.Proc != fact.Present || m.Crypto.Netlink != fact.Present {
		return 0, nil
	}
	for _, a := range m.Crypto.Algorithms {
		n++
		switch {
		case a.Internal: // the dump of some kernels leaves them out
		case a.Frame.IsZero():
			out = append(out, conflict{a.Driver, a.Name, "proc/crypto", "", []fact.Line{a.From}})
		case a.From.IsZero():
			out = append(out, conflict{a.Driver, a.Name, "netlink", "", []fact.Line{a.Frame}})
		}
	}
	return n, out
}

// compareCryptoValues: the two lists are made of the same records of the kernel
// (c_show in crypto/proc.c, crypto_report_alg in crypto/crypto_user.c).
func compareCryptoValues(m *fact.Machine) (n int, out []conflict) {
	for _, a := range m.Crypto.Algorithms {
		if a.Frame.IsZero() || a.From.IsZero() {
			continue
		}
		n++
		for _, r := range a.Conflicts {
			c := conflict{a.Driver, r.Field, a.Type, r.Value, []fact.Line{a.From, r.At}}
			switch r.Field {
			case "priority":
				c.first, c.lines[0] = fmt.Sprint(a.Priority), cmp.Or(a.PriorityAt, a.From)
			case "selftest":
				c.first, c.lines[0] = a.SelfTest, cmp.Or(a.SelfTestAt, a.From)
			}
			out = append(out, c)
		}
	}
	return n, out
}
