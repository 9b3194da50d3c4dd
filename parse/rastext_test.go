package parse_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"hwcap/parse"
	"hwcap/parse/fact"
)

// TestErrorTexts opens single texts of rasdaemon, mcelog and EDAC.
func TestErrorTexts(t *testing.T) {
	file := func(name string) string {
		b, err := os.ReadFile("ras/testdata/" + name)
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	const record = "Hardware event. This is not a software error.\nMCE 0\nCPU 4 BANK 8\nADDR 1000\nMCA: MEMORY CONTROLLER RD_CHANNEL1_ERR\nSTATUS 8c00004000010091 MCGSTATUS 0\n"
	const module = "Memory errors\nSOCKET 0 CHANNEL 1 DIMM 0\ncorrected memory errors:\n\t3 total\n\t1 in 24h\nuncorrected memory errors:\n\t0 total\n\t0 in 24h\n"
	tests := map[string]struct {
		text, format string
		found        func(r *fact.RAS) bool
	}{
		"summary":      {file("summary-0.8.3.txt"), "ras-mc-ctl --summary", func(r *fact.RAS) bool { return len(r.Summary.V) == 16 }},
		"errors":       {file("errors-0.8.3.txt"), "ras-mc-ctl --errors", func(r *fact.RAS) bool { return len(r.Errors.V) == 16 }},
		"in Python":    {"Hostname: h\n  aer_event:\n    err_type=Corrected, err_msg=Bad TLP: 2 event(s)\n", "ras-mc-ctl --summary", func(r *fact.RAS) bool { return r.Summary.V[0].Rows[0].Count == 2 }},
		"error count":  {file("error-count-0.8.3.txt"), "ras-mc-ctl --error-count", func(r *fact.RAS) bool { return len(r.Labels.V) == 4 }},
		"layout":       {file("layout-0.8.3.txt"), "ras-mc-ctl --layout", func(r *fact.RAS) bool { return len(r.Layout.V) == 8 }},
		"labels":       {file("print-labels-0.8.3.txt"), "ras-mc-ctl --print-labels", func(r *fact.RAS) bool { return len(r.Sockets.V) == 4 }},
		"guessed":      {file("guess-labels-0.8.3.txt"), "ras-mc-ctl --print-labels", func(r *fact.RAS) bool { return len(r.Sockets.V) == 1 }},
		"status":       {"ras-mc-ctl: drivers are loaded.\n", "ras-mc-ctl --status", func(r *fact.RAS) bool { return r.Status.V == "ras-mc-ctl: drivers are loaded." }},
		"mainboard":    {"ras-mc-ctl: mainboard: Example Inc. model Board-1\n", "ras-mc-ctl --mainboard", func(r *fact.RAS) bool { return r.Mainboard.V == "Example Inc. model Board-1" }},
		"mcelog":       {record, "mcelog", func(r *fact.RAS) bool { return r.MachineChecks.V[0].Severity == "corrected" && r.MCELog.IsZero() }},
		"mcelog asked": {module, "mcelog --client", func(r *fact.RAS) bool { return r.MCELog.V[0].Corrected == 3 && r.MachineChecks.IsZero() }},
		"EDAC": {"/sys/devices/system/edac/mc/mc0/ce_count:2\n/sys/devices/system/edac/mc/mc0/ue_count:0\n", "EDAC counters", func(r *fact.RAS) bool {
			c := r.EDAC.V[0]
			return c.CE.V == 2 && c.UE.Known() && c.UE.At.Line == 2 && strings.HasSuffix(c.UE.At.Text, "ue_count:0")
		}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			m, err := parse.Read(strings.NewReader(test.text), "in.txt", parse.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if m.Capture.Format != test.format || !test.found(&m.RAS) {
				t.Errorf("%s: %+v", m.Capture.Format, m.RAS)
			}
			if len(m.Problems) > 0 || len(m.Unread) > 0 && m.Unread[0].Lines > 0 {
				t.Errorf("problems %v, unread %+v", m.Problems, m.Unread)
			}
		})
	}
}

// TestDatabase says what to send instead of rasdaemon's database.
func TestDatabase(t *testing.T) {
	_, err := parse.Read(strings.NewReader("SQLite format 3\x00\nDMAR: IOMMU enabled\n[    0.000000] Linux version 6.1\n"), "ras-mc_event.db", parse.Options{})
	if !errors.Is(err, parse.ErrUnknown) || !strings.Contains(err.Error(), "send the output of ras-mc-ctl --summary and --errors instead") {
		t.Error(err)
	}
}

// TestDatabaseInside says so of one in a folder, too.
func TestDatabaseInside(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"ras-mc_event.db": "SQLite format 3\x00\nNo Memory errors.\n", "status.txt": "ras-mc-ctl: drivers not loaded.\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	m, err := parse.Open(dir, parse.Options{})
	if err != nil || !m.RAS.Summary.IsZero() || len(m.Problems) != 1 || !strings.Contains(m.Problems[0].Text, "send the output of ras-mc-ctl") {
		t.Errorf("%v, problems %v", err, m.Problems)
	}
}
