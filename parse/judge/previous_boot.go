package judge

import (
	"fmt"
	"maps"
	"slices"

	"hwcap/parse/fact"
)

var previousBoot = Rule{
	ID: "previous-boot-error", Area: Errors,
	Sources: []string{"dmesg", "kmsg", "journal-k", "journal-k-1"},
	Keys:    []string{"severity", "sections", "recordCount", "reason", "reasonDe", "reasonEn", "dumpCount", "logState"},
	Cases: []Case{
		{Name: "recorded", Verdict: Problem, Severity: Warning, Confidence: Observed},
		{Name: "reset", Verdict: Problem, Severity: Warning, Confidence: Observed},
		{Name: "dump", Verdict: Problem, Severity: Warning, Confidence: Observed},
		{Name: "repeated", Verdict: Problem, Severity: Info, Confidence: Derived},
		{Name: "mild", Verdict: Problem, Severity: Info, Confidence: Observed},
		{Name: "none", Verdict: OK, Confidence: Observed},
		{Name: "cut", Verdict: Unknown, Confidence: Observed},
		{Name: "unread", Verdict: Unknown, Confidence: Observed},
	},
	Judge: judgePreviousBoot,
}

// judgePreviousBoot says what the firmware, the chipset and the kernel kept of
// how the boot before ended: the records of BERT, the reason of the last
// reset, the crash dumps of pstore. None of it is about this boot. What speaks
// of the same end is one finding.
func judgePreviousBoot(m *fact.Machine) []Finding {
	records := bertRecords(m, 0)
	var reset *fact.Note
	for _, n := range m.Log.Of("previous-reset") {
		if r, known := knownReset(n.Fields["text"]); reset == nil && (!known || r.Fault) {
			reset = &n
		}
	}
	dumps := slices.DeleteFunc(m.Log.Of("pstore"), func(n fact.Note) bool { return n.Fields["what"] == "backend" })
	if len(records) == 0 && reset == nil && len(dumps) == 0 {
		return logSilence(m, "none", "unread")
	}

	f := found("mild", Machine)
	severity := gravestRecord(records)
	switch {
	case reset != nil:
		f.Case = "reset"
	case len(dumps) > 0:
		f.Case = "dump"
	case severity != "fatal" && severity != "recoverable":
	case maps.Equal(recordKey(records), recordKey(bertRecords(m, -1))):
		f.Case = "repeated"
	case m.Log.State == fact.Truncated: // the record of the boot before may stand behind the cut
		f.Case = "cut"
	default:
		f.Case = "recorded"
	}
	sections := []string{}
	for _, n := range records {
		for _, name := range []string{"section", "error", "processor", "port"} {
			if v := n.Fields[name]; v != "" && !slices.Contains(sections, v) {
				sections = append(sections, v)
			}
		}
		f.cite("record", n.At)
	}
	f.Count = max(1, len(records)+len(dumps))
	f.Values["severity"], f.Values["sections"], f.Values["recordCount"] = severity, sections, len(records)
	f.Values["dumpCount"] = len(dumps)
	f.Values["reason"], f.Values["reasonDe"], f.Values["reasonEn"] = "", "", ""
	f.Values["logState"] = string(m.Log.State)
	if reset != nil {
		known, _ := knownReset(reset.Fields["text"])
		f.Values["reason"], f.Values["reasonDe"], f.Values["reasonEn"] = reset.Fields["text"], known.De, known.En
		f.cite("reset", reset.At)
	}
	if len(dumps) > 0 {
		f.cite("dump", dumps[0].At)
	}
	if f.Case == "repeated" {
		f.cite("before", bertRecords(m, -1)[0].At)
	}
	return []Finding{f}
}

// bertRecords returns the records that BERT held at the start of a boot.
func bertRecords(m *fact.Machine, boot int) []fact.Note {
	var out []fact.Note
	for _, n := range m.Log.Notes {
		if n.Boot == boot && n.Kind == "hardware-error" && n.Fields["from"] == "bert" {
			out = append(out, n)
		}
	}
	return out
}

// gravestRecord returns the gravest severity of records, "" without any.
func gravestRecord(records []fact.Note) string {
	order := []string{"", "info", "corrected", "recoverable", "fatal"}
	at := 0
	for _, n := range records {
		at = max(at, slices.Index(order, n.Fields["severity"]))
	}
	return order[at]
}

// recordKey describes records so that those of two boots can be compared.
func recordKey(records []fact.Note) map[string]int {
	key := map[string]int{}
	for _, n := range records {
		key[fmt.Sprint(n.Device, n.Fields)]++ // a map prints in the order of its keys
	}
	return key
}
