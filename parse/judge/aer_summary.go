package judge

import (
	"strings"

	"hwcap/parse/fact"
)

// summaryFinding says what ras-mc-ctl --summary counts of PCIe errors where it
// was opened without the list of them, which has the addresses. A capture has
// both, unless the list was lost.
func summaryFinding(m *fact.Machine) (f Finding, ok bool) {
	if hasManifest(m) || m.RAS.Errors.Known() {
		return f, false
	}
	t := &aerTally{kinds: map[string]bool{}, rows: map[string]int{}}
	sections, _ := m.RAS.Summary.Get()
	for _, s := range sections {
		if s.Name != "aer" {
			continue
		}
		for _, r := range s.Rows {
			severity := rasSeverities[r.Severity]
			if severity == "" {
				continue
			}
			t.rows[severity] += max(1, r.Count)
			for _, bit := range rasKinds(r.Message) {
				t.kinds[bit] = true
			}
			t.cite("row", r.At)
		}
	}
	if sum(t.rows) == 0 {
		return f, false
	}
	f = found("summary-corrected", Machine)
	switch {
	case t.rows["fatal"] > 0:
		f.Case = "summary-fatal"
	case t.rows["nonfatal"] > 0:
		f.Case = "summary-nonfatal"
	}
	f.Count = sum(t.rows)
	f.Evidence = t.evidence
	f.Values["correctedCount"], f.Values["nonFatalCount"], f.Values["fatalCount"] = t.rows["corrected"], t.rows["nonfatal"], t.rows["fatal"]
	f.Values["databaseCount"] = f.Count
	t.describeKinds(f.Values)
	return f, true
}

// unnamedBits are error bits for which rasdaemon has no name
// (ras-aer-handler.c, bitfield_msg); none of them is one in both registers.
var unnamedBits = []struct{ text, bit string }{
	{"BIT14", "CorrIntErr"}, {"BIT15", "HeaderOF"},
	{"BIT21", "ACSViol"}, {"BIT22", "UncorrIntErr"}, {"BIT23", "BlockedTLP"}, {"BIT24", "AtomicOpBlocked"}, {"BIT25", "TLPBlockedErr"},
}

// unnamedKinds returns the bits that a message of rasdaemon names by number.
func unnamedKinds(message string) (bits []string) {
	for _, b := range unnamedBits {
		if strings.Contains(message, b.text) {
			bits = append(bits, b.bit)
		}
	}
	return bits
}
