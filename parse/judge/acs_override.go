package judge

import "hwcap/parse/fact"

// acsOverride looks for the patch, never merged, that makes Linux believe in
// ACS where a port has none. Its line at boot shows that it is active; its
// parameter alone, on a kernel without the patch, is an unknown word.
var acsOverride = Rule{
	ID:      "acs-override",
	Area:    Isolate,
	Sources: []string{"dmesg", "kmsg", "journal-k", "proc-cmdline"},
	Keys:    []string{"parameters", "groups"},
	Cases: []Case{
		{Name: "active", Verdict: Problem, Severity: Warning, Confidence: Observed},
		{Name: "ignored", Verdict: Problem, Severity: Info, Confidence: Derived},
		{Name: "none", Verdict: OK, Confidence: Derived},
		{Name: "parameter-log-incomplete", Verdict: Unknown},
		{Name: "not-captured", Verdict: Unknown},
	},
	Judge: judgeACSOverride,
}

func judgeACSOverride(m *fact.Machine) []Finding {
	f := found("not-captured", Machine)
	cmdline := bootLine(m) // what the log repeats will do
	parameter := wordsOf(cmdline.V, "pcie_acs_override")
	if len(parameter) > 0 {
		f.cite("parameter", cmdline.At)
	}
	f.Values = map[string]any{"parameters": parameter, "groups": len(m.IOMMU.Groups)}
	active := m.Log.Of("acs-override")
	f.citeNotes("active", active)
	switch {
	case len(active) > 0:
		f.Case = "active"
	case len(parameter) > 0 && logFromBoot(m):
		f.Case = "ignored"
	case len(parameter) > 0:
		f.Case = "parameter-log-incomplete"
	case cmdline.State == fact.Present && logFromBoot(m):
		f.Case = "none"
		f.cite("cmdline", cmdline.At)
	}
	return []Finding{f}
}
