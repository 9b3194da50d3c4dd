package judge

import (
	"testing"

	"hwcap/parse/fact"
)

// memoryRows adds a memory section to both outputs of ras-mc-ctl.
func memoryRows(label, severity string, count int) func(*fact.Machine) {
	return func(m *fact.Machine) {
		row := fact.RASEvent{Count: count, Device: label, Severity: severity, Message: "memory read error"}
		listed := row
		row.At = lineAt("cmd/ras-mc-ctl-summary.txt", 4, severity+" on DIMM Label(s): '"+label+"'")
		listed.At, listed.Time = lineAt("cmd/ras-mc-ctl-errors.txt", 4, "1 2026-08-03 18:04:11 +0200 ..."), "2026-08-03 18:04:11 +0200"
		m.RAS.Summary = rasText(fact.RASSection{Name: "memory", Rows: []fact.RASEvent{row}, At: lineAt("cmd/ras-mc-ctl-summary.txt", 3, "Memory controller events summary:")})
		m.RAS.Errors = rasText(fact.RASSection{Name: "memory", Rows: []fact.RASEvent{listed}, At: lineAt("cmd/ras-mc-ctl-errors.txt", 3, "Memory controller events:")})
	}
}

// noMemoryErrors is a database that was asked for memory errors and has none.
func noMemoryErrors(m *fact.Machine) {
	m.RAS.Summary = rasText(fact.RASSection{Name: "memory", None: true, At: lineAt("cmd/ras-mc-ctl-summary.txt", 1, "No Memory errors.")})
	m.RAS.Errors = rasText(fact.RASSection{Name: "memory", None: true, At: lineAt("cmd/ras-mc-ctl-errors.txt", 1, "No Memory errors.")})
}

func counterOf(id string, ce, ue int64) func(*fact.Machine) {
	return func(m *fact.Machine) {
		for i, c := range m.RAS.EDAC.V {
			if c.ID == id {
				m.RAS.EDAC.V[i] = controller(id, ce, ue)
			}
		}
	}
}

func edacNote(severity, module string) fact.Note {
	return logNote("edac-error", "", "EDAC MC0: 1 CE memory read error on "+module, "mc", "0", "count", "1", "severity", severity, "text", "memory read error on "+module+" (channel:0 slot:0)")
}

func TestMemErrors(t *testing.T) {
	noDriver := func(m *fact.Machine) {
		m.RAS.EDAC = fact.Missing[[]fact.Controller](fact.Empty, lineAt("sys/devices/system/edac/mc/.list", 1, "power"))
	}
	play(t, memErrors, append(checkScenes(), []scene{
		{"many, in the counters", server(noMemoryErrors, counterOf("mc1", 181, 0)), []string{"many DIMM_mc1"}},
		{"several a day", server(noMemoryErrors, counterOf("mc1", 12, 0), countedFor("mc1", 3)), []string{"many DIMM_mc1"}},
		{"several in a year", server(noMemoryErrors, counterOf("mc1", 12, 0), countedFor("mc1", 300)), []string{"corrected DIMM_mc1"}},
		{"memory without ECC, said on each processor", server(noMemoryErrors, noDriver, withLog(eccOffNote(), eccOffNote())), []string{"ecc-off machine"}},
		{"memory without ECC, by the mode of its modules", server(noMemoryErrors, func(m *fact.Machine) {
			for i := range m.RAS.EDAC.V {
				m.RAS.EDAC.V[i].DIMMs[0].Mode = "None"
			}
		}), []string{"ecc-off machine"}},
		{"memory without ECC, a log alone", excerpt(withLog(eccOffNote())), []string{"ecc-off machine"}},
		{"counted by mcelog", server(noMemoryErrors, daemonCounts(3, 3)), []string{"corrected A1"}},
		{"counted by mcelog, more than its modules explain", server(noMemoryErrors, daemonCounts(5, 3)), []string{"corrected A1", "corrected SOCKET 0"}},
		{"none", server(noMemoryErrors), []string{"none machine"}},
		{"none, and no database", server(withoutSource("ras-errors", fact.Absent), withoutSource("ras-summary", fact.Absent)), []string{"none machine"}},
		{"corrected, in the counters", server(noMemoryErrors, counterOf("mc1", 3, 0)), []string{"corrected DIMM_mc1"}},
		{"corrected, in the database", server(memoryRows("DIMM_B1", "Corrected", 5)), []string{"corrected DIMM_B1"}},
		{"corrected, in the log", server(noMemoryErrors, withLog(edacNote("corrected", "DIMM_A1"))), []string{"corrected DIMM_A1"}},
		{"uncorrected, in the counters", server(noMemoryErrors, counterOf("mc0", 0, 1)), []string{"uncorrected DIMM_mc0"}},
		{"uncorrected, in the database", server(memoryRows("SOCKET 1 DIMM 0", "Uncorrected", 1)), []string{"uncorrected SOCKET 1 DIMM 0"}},
		{"met, but not used yet", server(memoryRows("DIMM_B1", "Deferred", 1)), []string{"uncorrected DIMM_B1"}},
		{"of a module that EDAC does not know", server(memoryRows("unknown memory", "Corrected", 1)), []string{"corrected machine"}},
		{"counted by a controller without modules", server(noMemoryErrors, func(m *fact.Machine) { m.RAS.EDAC.V[0].CE.V = 2 }), []string{"corrected mc0"}},
		{"no driver", server(noMemoryErrors, noDriver), []string{"no-driver machine"}},
		{"section not in the text", server(), []string{"unread machine"}},
		{"database broke off", server(noMemoryErrors, func(m *fact.Machine) { m.RAS.Errors.V[0].Cut = true }), []string{"unread machine"}},
		{"a summary alone", bareRAS(memoryRows("DIMM_B1", "Corrected", 5)), []string{"corrected DIMM_B1"}},
		{"a clean summary alone", bareRAS(noMemoryErrors), nil},
	}...))
}

func eccOffNote() fact.Note {
	return logNote("edac-ecc-off", "", "EDAC amd64: Node 0: DRAM ECC disabled.")
}

// countedFor sets for how many days a controller has counted.
func countedFor(id string, days int64) func(*fact.Machine) {
	return func(m *fact.Machine) {
		for i, c := range m.RAS.EDAC.V {
			if c.ID == id {
				m.RAS.EDAC.V[i].Since = fact.Of(days*day, lineAt("sys/devices/system/edac/mc/"+id+"/seconds_since_reset", 1, "x"))
			}
		}
	}
}

// daemonCounts is what mcelog counted of a socket in all, and of one of its
// modules.
func daemonCounts(socket, module int64) func(*fact.Machine) {
	return func(m *fact.Machine) {
		m.RAS.MCELog = fact.Of([]fact.DIMMCount{
			{Label: "SOCKET 0 CHANNEL any DIMM any", Corrected: socket, At: lineAt("mcelog.txt", 3, "total")},
			{Label: "A1", Location: "SOCKET 0 CHANNEL 1 DIMM 0", Corrected: module, At: lineAt("mcelog.txt", 8, "total")},
		}, lineAt("mcelog.txt", 1, "Memory errors"))
	}
}

// bareRAS is the output of ras-mc-ctl --summary opened on its own.
func bareRAS(change ...func(*fact.Machine)) func() *fact.Machine {
	return func() *fact.Machine {
		m := &fact.Machine{Capture: fact.Capture{ID: "summary.txt"}}
		for _, c := range change {
			c(m)
		}
		m.RAS.Errors = fact.Val[[]fact.RASSection]{}
		return m
	}
}

// mcelog has names of its own: what EDAC counts is not counted once more.
func TestDaemonCountsNothingTwice(t *testing.T) {
	m := server(noMemoryErrors, counterOf("mc1", 3, 0), daemonCounts(3, 3))()
	if got := judgeMemory(m); len(got) != 1 || got[0].Subjects[0] != "DIMM_mc1" || got[0].Count != 3 {
		t.Errorf("findings are %+v", got)
	}
}

// A name from the board comes only from the label that it stands for, never
// from a guess.
func TestPrintedLabel(t *testing.T) {
	m := server(noMemoryErrors, counterOf("mc1", 3, 0), func(m *fact.Machine) {
		m.RAS.Sockets = fact.Of([]fact.DIMMLabel{{Location: "mc1 channel 0 slot 0", Label: "P1-DIMMA1", InSysfs: "DIMM_mc1"}, {Label: "P1-DIMMB1"}}, lineAt("labels.txt", 1, "LOCATION"))
	})()
	if got := judgeMemory(m)[0].Values["printed"]; got != "P1-DIMMA1" {
		t.Errorf("printed label is %q", got)
	}
}

// The sources count the same errors: they are not added up.
func TestMemoryCounts(t *testing.T) {
	m := server(memoryRows("DIMM_mc0", "Corrected", 5), counterOf("mc0", 3, 0), withLog(edacNote("corrected", "DIMM_mc0")))()
	f := judgeMemory(m)[0]
	for key, want := range map[string]any{"correctedCount": 5, "uncorrectedCount": 0, "inCounters": true, "inDatabase": true, "inLog": true, "lastTime": "2026-08-03 18:04:11 +0200"} {
		if f.Values[key] != want {
			t.Errorf("%s is %v, want %v", key, f.Values[key], want)
		}
	}
}

// record adds a section of the database beside what is there.
func record(section, device, message string, count int) func(*fact.Machine) {
	return func(m *fact.Machine) {
		s := fact.RASSection{Name: section, At: lineAt("cmd/ras-mc-ctl-summary.txt", 9, section),
			Rows: []fact.RASEvent{{Count: count, Device: device, Message: message, At: lineAt("cmd/ras-mc-ctl-summary.txt", 10, message)}}}
		m.RAS.Summary.State = fact.Present
		m.RAS.Summary.V = append(m.RAS.Summary.V, s)
		s.Rows = []fact.RASEvent{{Count: 1, Time: "2026-08-03 18:04:11 +0200", Device: device, Message: message, At: lineAt("cmd/ras-mc-ctl-errors.txt", 10, message)}}
		s.At = lineAt("cmd/ras-mc-ctl-errors.txt", 9, section)
		m.RAS.Errors.V = append(m.RAS.Errors.V, s)
	}
}

func TestRASOther(t *testing.T) {
	play(t, rasOther, []scene{
		{"nothing but PCIe and memory", server(), []string{"none machine"}},
		{"disk errors", server(record("disk", "0:2048", "0:2048 has 7 errors", 7)), []string{"recorded machine"}},
		{"corrected machine check", server(record("mce", "", "Corrected error, no action required., CPU 2", 1)), []string{"corrected machine"}},
		{"machine check whose row does not say", server(record("mce", "", "Unknown error", 2)), []string{"recorded machine"}},
		{"machine check whose code means none", server(record("mce", "", "No Error", 2)), []string{"no-error machine"}},
		{"uncorrected machine check", server(record("mce", "", "Uncorrected error, software restartable, mci Corrected_error overflow", 1)), []string{"recorded machine"}},
		{"pages taken out of service, beside a corrected machine check", server(record("memory-failure", "", "Recovered errors: 24", 24), record("mce", "", "Corrected error", 1)), []string{"recorded machine"}},
		{"poison on CXL memory", server(record("cxl-poison", "mem0", "mem0 errors: 3", 3), record("disk", "8:0", "8:0 has 1 errors", 1)), []string{"grave machine"}},
		{"corrected CXL errors", server(record("cxl-aer-correctable", "mem0", "mem0 errors: 3", 3)), []string{"corrected machine"}},
		{"database denied", server(withoutSource("ras-errors", fact.Denied)), []string{"unread machine"}},
		{"no database", server(withoutSource("ras-errors", fact.Absent), withoutSource("ras-summary", fact.Absent)), nil},
		{"a summary alone", bareRAS(record("disk", "0:0", "0:0 has 60 errors", 60), record("arm", "", "CPU(mpidr=0x81090100) has 1 errors", 1)), []string{"recorded machine"}},
		{"nobody asked", func() *fact.Machine { return &fact.Machine{} }, nil},
	})
}
