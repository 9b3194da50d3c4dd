package judge

import (
	"slices"

	"hwcap/parse/fact"
)

var rasHistory = Rule{
	ID: "ras-history", Area: Errors,
	Sources: []string{"rasdaemon", "ras-summary", "ras-errors"},
	Keys:    []string{"daemon", "rowCount", "pcieCount", "firstTime", "lastTime", "databaseKnown"},
	Cases: []Case{
		{Name: "records", Verdict: OK, Confidence: Observed},
		{Name: "running-empty", Verdict: Problem, Severity: Info, Confidence: Observed},
		{Name: "running-unread", Verdict: Unknown, Confidence: Observed},
		{Name: "not-running", Verdict: Problem, Severity: Notice, Confidence: Observed},
		{Name: "unread", Verdict: Unknown, Confidence: Observed},
	},
	Judge: judgeRASHistory,
}

// judgeRASHistory tells whether a history of hardware errors is kept over
// reboots. Only rows prove that rasdaemon records: it may run for months and
// write nothing, since its trace buffer wakes it only half full.
func judgeRASHistory(m *fact.Machine) []Finding {
	daemon, known := m.RAS.Daemon.Get()
	s := rasRows(m.RAS.Summary, m.Source("ras-summary"))
	e := rasRows(m.RAS.Errors, m.Source("ras-errors"))
	if !known && !m.RAS.Summary.Known() && !m.RAS.Errors.Known() && m.Source("rasdaemon").State == fact.NotAsked {
		return nil // nobody looked: the capture is not about this machine's errors
	}
	rows := max(s.count, e.count)

	name := "unread"
	switch {
	case slices.Contains(stopped, daemon):
		name = "not-running"
	case daemon != "active":
	case rows > 0:
		name = "records"
	case s.empty && e.empty, noDatabase(m):
		name = "running-empty"
	default:
		name = "running-unread"
	}
	f := found(name, Machine)
	f.Count = rows
	f.Values["daemon"] = daemon
	f.Values["rowCount"] = rows
	f.Values["pcieCount"] = max(s.pcie, e.pcie)
	f.Values["firstTime"], f.Values["lastTime"] = e.first, e.last
	f.Values["databaseKnown"] = s.known || e.known
	f.cite("daemon", m.RAS.Daemon.At)
	if m.RAS.Daemon.At.IsZero() {
		f.cite("daemon", m.Source("rasdaemon").At)
	}
	f.cite("rows", e.at)
	if e.at.IsZero() {
		f.cite("rows", s.at)
	}
	if rows == 0 {
		f.cite("database", s.section, e.section)
	}
	return []Finding{f}
}

// rasContent is what one output of ras-mc-ctl says of the database.
type rasContent struct {
	known, empty bool // empty: read to its end, and no row
	count, pcie  int
	first, last  string // times of the rows, as printed
	at           fact.Line
	section      fact.Line
}

// stopped are the words of systemctl is-active for a service that does not
// run; one that is not installed is inactive too.
var stopped = []string{"inactive", "failed", "deactivating"}

// noDatabase reports whether there is no database, or an empty file: then hwcap
// collect does not ask, since asking would create one.
func noDatabase(m *fact.Machine) bool {
	return m.Source("ras-summary").State == fact.Absent && m.Source("ras-errors").State == fact.Absent
}

// rasRows sums up one output of ras-mc-ctl.
func rasRows(v fact.Val[[]fact.RASSection], source fact.Source) rasContent {
	var c rasContent
	sections, ok := v.Get()
	if !ok || len(sections) == 0 {
		c.section = source.At
		return c
	}
	// A database without a table ends the output early, with an exit code.
	whole := source.State == fact.Present || source.State == fact.Empty || source.State == fact.NotAsked
	c.known, c.empty = true, v.State == fact.Present && whole
	c.section = sections[0].At
	for _, s := range sections {
		if s.Cut {
			c.empty = false
		}
		for _, r := range s.Rows {
			n := max(1, r.Count)
			c.count += n
			if s.Name == "aer" {
				c.pcie += n
			}
			if c.at.IsZero() {
				c.at = r.At
			}
			if r.Time != "" && (c.first == "" || r.Time < c.first) {
				c.first = r.Time
			}
			c.last = max(c.last, r.Time)
		}
	}
	c.empty = c.empty && c.count == 0
	return c
}
