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
	play(t, memErrors, []scene{
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
	})
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
		{"machine check whose row does not say", server(record("mce", "", "2 No Error errors", 2)), []string{"recorded machine"}},
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
