package judge

import "hwcap/parse/fact"

// logSources are the sources of the kernel log, best first.
var logSources = []string{"kmsg", "dmesg", "journal-k"}

// logSource returns the manifest's line on the kernel log: that of the first
// source which was not read, or of the first at all.
func logSource(m *fact.Machine) fact.Source {
	for _, name := range logSources {
		if s := m.Source(name); s.State != fact.Present && s.State != fact.NotAsked {
			return s
		}
	}
	return m.Source(logSources[0])
}

var logComplete = Rule{
	ID: "log-complete", Area: Platform,
	Sources: []string{"kmsg", "dmesg", "journal-k", "proc-dmesg-restrict"},
	Keys:    []string{"affected", "firstSeq", "hasSeq", "firstSeconds", "hasFirst", "restrict", "state", "why", "asRoot"},
	Cases: []Case{
		{Name: "complete", Verdict: OK, Confidence: Observed},
		{Name: "wrapped", Verdict: Problem, Severity: Notice, Confidence: Observed},
		{Name: "denied", Verdict: Problem, Severity: Notice, Confidence: Observed},
		{Name: "cut", Verdict: Problem, Severity: Notice, Confidence: Observed},
		{Name: "part", Verdict: Problem, Severity: Info, Confidence: Observed},
		{Name: "absent", Verdict: Unknown, Confidence: Observed},
		{Name: "start-unknown", Verdict: Unknown, Confidence: Observed},
	},
	Judge: judgeLog,
}

// needLog are the rules that rest on messages from the start of the boot.
var needLog = []string{"osc-aer-denied", "aer-active", "aer-errors"}

// judgeLog says how much of the kernel log of this boot the capture has.
func judgeLog(m *fact.Machine) []Finding {
	log := &m.Log
	if log.State == "" && m.Source("dmesg").State == fact.NotAsked && m.Source("kmsg").State == fact.NotAsked && !hasManifest(m) {
		return nil // a single file that is no log
	}
	from, known := log.FromBoot.Get()
	name := "absent"
	switch {
	case log.State == fact.Denied:
		name = "denied"
	case log.State == fact.Truncated && !hasManifest(m) && !m.Capture.CutOff:
		name = "part" // of a bundle or of several logs, and read to its end
	case log.State == fact.Truncated:
		name = "cut"
	case log.State != fact.Present:
	case known && from:
		name = "complete"
	case known:
		name = "wrapped"
	default:
		name = "start-unknown"
	}

	f := found(name, Machine)
	f.Values["affected"] = needLog
	f.Values["state"] = string(log.State)
	f.Values["restrict"], _ = log.Restrict.Get()
	first, hasFirst := log.First.Get()
	f.Values["firstSeconds"], f.Values["hasFirst"] = first, hasFirst
	seq, at := firstRecord(log)
	f.Values["firstSeq"], f.Values["hasSeq"] = seq, seq >= 0
	f.Values["asRoot"] = RightsOf(m) == AsRoot
	f.Values["why"] = logSource(m).Why
	switch name {
	case "complete", "wrapped", "start-unknown", "part":
		f.cite("first", log.FromBoot.At)
		if log.FromBoot.At.IsZero() || name == "wrapped" && at != log.FromBoot.At {
			f.cite("first", at)
		}
	default:
		f.cite("source", logSource(m).At)
		f.cite("restrict", log.Restrict.At)
	}
	return []Finding{f}
}

// firstRecord returns the sequence number of the first record of /dev/kmsg, or
// -1, and the first line of the log.
func firstRecord(log *fact.Log) (seq int64, at fact.Line) {
	seq = -1
	for _, file := range log.Files {
		if at.IsZero() {
			at = file.FirstAt
		}
		if file.FirstSeq != nil {
			return *file.FirstSeq, file.FirstAt
		}
	}
	return seq, at
}
