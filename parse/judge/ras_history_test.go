package judge

import (
	"testing"

	"hwcap/parse/fact"
)

func TestRASHistory(t *testing.T) {
	fifteen := rows(15, "2026-08-03", port, "Corrected", "Receiver Error")
	summary := func(m *fact.Machine) {
		m.RAS.Summary = rasText(fact.RASSection{Name: "aer", At: lineAt("cmd/ras-mc-ctl-summary.txt", 3, "PCIe AER events summary:"),
			Rows: []fact.RASEvent{{Count: 15, Severity: "Corrected", Message: "Receiver Error", At: lineAt("cmd/ras-mc-ctl-summary.txt", 4, "15 Corrected errors: Receiver Error")}}})
	}
	play(t, rasHistory, []scene{
		{"running and recording", server(fifteen, summary), []string{"records machine"}},
		{"running, summary only", server(summary, withoutSource("ras-errors", fact.Failed)), []string{"records machine"}},
		{"running, database empty", server(), []string{"running-empty machine"}},
		{"running, no database", server(withoutSource("ras-errors", fact.Absent), withoutSource("ras-summary", fact.Absent)), []string{"running-empty machine"}},
		{"running, summary broke off", server(func(m *fact.Machine) { m.RAS.Summary.V[0].Cut = true }), []string{"running-unread machine"}},
		{"running, output that ended with an error", server(func(m *fact.Machine) { loseSource(m, "ras-summary", fact.Failed) }), []string{"running-unread machine"}},
		{"running, database denied", server(withoutSource("ras-errors", fact.Denied), withoutSource("ras-summary", fact.Denied)), []string{"running-unread machine"}},
		{"stopped", server(daemon("inactive"), fifteen), []string{"not-running machine"}},
		{"state not captured", server(withoutSource("rasdaemon", fact.Absent)), []string{"unread machine"}},
		{"nobody asked", func() *fact.Machine { return &fact.Machine{} }, nil},
	})
}
