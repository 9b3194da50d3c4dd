package judge

import (
	"maps"
	"slices"
	"strings"

	"hwcap/parse/fact"
)

// rasKind is a section of rasdaemon's database beside memory and PCIe.
type rasKind struct {
	section string // as fact.RASSection names it
	// grave: what it records puts data at risk. Mild: the hardware corrected it.
	grave, mild bool
	De, En      string
}

var otherRecords = []rasKind{
	{"cxl-poison", true, false, "vergiftete Daten (Poison) auf CXL-Speicher", "poisoned data on CXL memory"},
	{"cxl-aer-uncorrectable", true, false, "nicht korrigierbare CXL-Fehler", "uncorrectable CXL errors"},
	{"memory-failure", false, false, "aus dem Verkehr gezogene Speicherseiten", "memory pages taken out of service"},
	{"mce", false, false, "Machine Checks des Prozessors", "machine checks of the processor"},
	{"arm", false, false, "Fehler von Arm-Prozessoren", "Arm processor errors"},
	{"extlog", false, false, "Fehler aus dem erweiterten Protokoll der Firmware (Extlog)", "errors from the firmware's extended log (Extlog)"},
	{"disk", false, false, "Fehler beim Zugriff auf Datenträger", "disk access errors"},
	{"devlink", false, false, "Fehler von Netzwerkkarten (devlink)", "errors of network cards (devlink)"},
	{"cxl-overflow", false, false, "Überläufe des CXL-Protokolls", "overflows of the CXL log"},
	{"cxl-generic", false, false, "allgemeine CXL-Ereignisse", "general CXL events"},
	{"cxl-general-media", false, false, "Ereignisse von CXL-Speichermedien", "CXL media events"},
	{"cxl-dram", false, false, "Ereignisse von CXL-DRAM", "CXL DRAM events"},
	{"cxl-memory-module", false, false, "Ereignisse von CXL-Speichermodulen", "CXL memory module events"},
	{"non-standard", false, false, "herstellereigene Fehlerberichte", "vendor-specific error records"},
	{"signal", false, false, "wegen Speicherfehlern beendete Programme", "programs ended for memory errors"},
	{"cxl-aer-correctable", false, true, "korrigierte CXL-Fehler", "corrected CXL errors"},
}

var rasOther = Rule{
	ID: "ras-other", Area: Errors,
	Sources: []string{"ras-summary", "ras-errors"},
	Keys:    []string{"records", "firstTime", "lastTime", "machineChecks", "disks", "missing"},
	Cases: []Case{
		{Name: "grave", Verdict: Problem, Severity: Critical, Confidence: Observed},
		{Name: "recorded", Verdict: Problem, Severity: Warning, Confidence: Observed},
		{Name: "corrected", Verdict: Problem, Severity: Notice, Confidence: Observed},
		{Name: "no-error", Verdict: Problem, Severity: Info, Confidence: Observed},
		{Name: "none", Verdict: OK, Confidence: Observed},
		{Name: "unread", Verdict: Unknown, Confidence: Observed},
	},
	Judge: judgeOtherRecords,
}

// recorded is what the database has of one kind.
type recorded struct {
	rasKind
	count       int
	corrected   bool // every row says so
	noError     bool // every row has a code that means none
	first, last string
	devices     map[string]bool
	lines       []fact.Line
}

// judgeOtherRecords says what rasdaemon recorded beside memory and PCIe errors.
// The summary and the list speak of the same records: the higher count holds.
func judgeOtherRecords(m *fact.Machine) []Finding {
	var all []recorded
	for _, kind := range otherRecords {
		s, e := kind.records(m.RAS.Summary), kind.records(m.RAS.Errors)
		if e.count < s.count {
			s.first, s.last, s.corrected = e.first, e.last, s.corrected || e.count > 0 && e.corrected
			e = s
		}
		if e.count > 0 {
			all = append(all, e)
		}
	}
	if len(all) == 0 {
		return otherSilence(m)
	}
	f := found("no-error", Machine)
	rows := []map[string]any{}
	first, last := "", ""
	f.Values["machineChecks"], f.Values["disks"] = false, false
	for _, r := range all {
		switch {
		case r.grave:
			f.Case = "grave"
		case f.Case == "grave" || r.noError:
		case !r.mild && !r.corrected:
			f.Case = "recorded"
		case f.Case == "no-error":
			f.Case = "corrected"
		}
		f.Count += r.count
		devices := slices.Sorted(maps.Keys(r.devices))
		const few = 6
		rows = append(rows, map[string]any{"section": r.section, "de": r.De, "en": r.En, "count": r.count, "devices": devices[:min(few, len(devices))], "more": len(devices) > few})
		if r.first != "" && (first == "" || r.first < first) {
			first = r.first
		}
		last = max(last, r.last)
		f.cite("row", r.lines...)
		if r.section == "mce" {
			f.Values["machineChecks"] = true
		}
		if r.section == "disk" {
			f.Values["disks"] = true
		}
	}
	f.Values["records"] = rows
	f.Values["firstTime"], f.Values["lastTime"] = first, last
	f.Values["missing"] = []string{}
	return []Finding{f}
}

// correctedWords are how a row says that the hardware corrected the error.
var correctedWords = []string{"Corrected error", "Corrected_error", "CECC", "corrected"}

// codeNone is how rasdaemon names the machine check code 0: the bank reports no
// error (Intel SDM volume 3B, simple error codes).
const codeNone = "No Error"

// records gathers the rows of a kind from one output of ras-mc-ctl.
func (k rasKind) records(v fact.Val[[]fact.RASSection]) recorded {
	r := recorded{rasKind: k, corrected: true, noError: true, devices: map[string]bool{}}
	sections, _ := v.Get()
	for _, s := range sections {
		if s.Name != k.section {
			continue
		}
		for _, row := range s.Rows {
			r.count += max(1, row.Count)
			r.corrected = r.corrected && slices.ContainsFunc(correctedWords, func(w string) bool {
				return strings.Contains(row.Message, w) && !strings.Contains(row.Message, "Uncorrected") && !strings.Contains(row.Message, "uncorrected")
			})
			r.noError = r.noError && strings.HasPrefix(row.Message, codeNone)
			if row.Device != "" {
				r.devices[row.Device] = true
			}
			if row.Time != "" && (r.first == "" || row.Time < r.first) {
				r.first = row.Time
			}
			r.last = max(r.last, row.Time)
			const few = 4
			if len(r.lines) < few {
				r.lines = append(r.lines, row.At)
			}
		}
	}
	return r
}

// otherSilence judges that nothing is recorded. Without a database nothing
// could be, which ras-history says.
func otherSilence(m *fact.Machine) []Finding {
	if !hasManifest(m) || noDatabase(m) {
		return nil
	}
	missing := []string{}
	for _, source := range []string{"ras-errors", "ras-summary"} {
		v := m.RAS.Errors
		if source == "ras-summary" {
			v = m.RAS.Summary
		}
		whole := v.State == fact.Present && m.Source(source).State == fact.Present && len(v.V) > 0
		if !whole || slices.ContainsFunc(v.V, func(s fact.RASSection) bool { return s.Cut }) {
			missing = append(missing, source)
		}
	}
	f := found("none", Machine)
	f.Values["missing"] = missing
	if len(missing) > 0 {
		f.Case = "unread"
		f.citeSource(m, "missing", missing...)
	} else {
		for _, v := range []fact.Val[[]fact.RASSection]{m.RAS.Summary, m.RAS.Errors} {
			f.cite("section", v.V[len(v.V)-1].At)
		}
	}
	return []Finding{f}
}
