package ras

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"hwcap/parse/fact"
)

// noPlaces leaves the places out where a test is about values.
var noPlaces = cmpopts.IgnoreTypes(fact.Line{})

func TestSummary(t *testing.T) {
	tests := map[string]struct {
		text     string
		want     []fact.RASSection
		problems int
	}{
		"clean, with irregular blank lines": {
			text: "No Memory errors.\n\nNo PCIe AER errors.\n\nNo Extlog errors.\nNo devlink errors.\nNo MCE errors.\nNo SIGNAL.\n",
			want: []fact.RASSection{{Name: "memory", None: true}, {Name: "aer", None: true}, {Name: "extlog", None: true},
				{Name: "devlink", None: true}, {Name: "mce", None: true}, {Name: "signal", None: true}},
		},
		"errors in every kind of section": {
			text: "Memory controller events summary:\n\tCorrected on DIMM Label(s): 'CPU0_A1' location: 0:0:0:-1 errors: 4\n\n" +
				"PCIe AER events summary:\n\t15 Corrected errors: Receiver Error\n\t2 Uncorrected (Non-Fatal) errors: Completion Timeout\n\n" +
				"ARM processor events summary:\n\tCPU(mpidr=0x81090100) has 1 errors\n\n" +
				"CXL  generic events summary:\n\tmem0 errors: 3\n\n" +
				"Extlog records summary:\n\t2 memory corrected errors\n" +
				"Devlink records summary:\n\t0000:c5:00.0 has 7 errors\n" +
				"Disk errors summary:\n\t0:2048 has 60 errors\n" +
				"Memory failure events summary:\n\tRecovered errors: 24\n\n" +
				"MCE records summary:\n\t2 No Error errors\n",
			want: []fact.RASSection{
				{Name: "memory", Rows: []fact.RASEvent{{Count: 4, Device: "CPU0_A1", Severity: "Corrected", Message: "Corrected on DIMM Label(s): 'CPU0_A1' location: 0:0:0:-1 errors: 4"}}},
				{Name: "aer", Rows: []fact.RASEvent{{Count: 15, Severity: "Corrected", Message: "Receiver Error"}, {Count: 2, Severity: "Uncorrected (Non-Fatal)", Message: "Completion Timeout"}}},
				{Name: "arm", Rows: []fact.RASEvent{{Count: 1, Device: "CPU(mpidr=0x81090100)", Message: "CPU(mpidr=0x81090100) has 1 errors"}}},
				{Name: "cxl-generic", Rows: []fact.RASEvent{{Count: 3, Device: "mem0", Message: "mem0 errors: 3"}}},
				{Name: "extlog", Rows: []fact.RASEvent{{Count: 2, Severity: "corrected", Message: "memory corrected"}}},
				{Name: "devlink", Rows: []fact.RASEvent{{Count: 7, Device: "0000:c5:00.0", Message: "0000:c5:00.0 has 7 errors"}}},
				{Name: "disk", Rows: []fact.RASEvent{{Count: 60, Device: "0:2048", Message: "0:2048 has 60 errors"}}},
				{Name: "memory-failure", Rows: []fact.RASEvent{{Count: 24, Message: "Recovered errors: 24"}}},
				{Name: "mce", Rows: []fact.RASEvent{{Count: 2, Message: "No Error"}}},
			},
		},
		"a row wrapped by a mailer": {
			text: "Memory controller events summary:\n  Uncorrected on DIMM Label(s): 'SOCKET 1 DIMM 0'\nlocation: 0:18:-1:-1 errors: 1\n",
			want: []fact.RASSection{{Name: "memory", Rows: []fact.RASEvent{{Count: 1, Device: "SOCKET 1 DIMM 0", Severity: "Uncorrected",
				Message: "Uncorrected on DIMM Label(s): 'SOCKET 1 DIMM 0' location: 0:18:-1:-1 errors: 1"}}}},
		},
		"died on a missing table: what follows is unknown": {
			text: "No Memory errors.\n\nNo PCIe AER errors.\n\nDBD::SQLite::db prepare failed: no such table: devlink_event at /usr/sbin/ras-mc-ctl line 1183.\n" +
				"Can't call method \"execute\" on an undefined value at /usr/sbin/ras-mc-ctl line 1184.\n",
			want:     []fact.RASSection{{Name: "memory", None: true}, {Name: "aer", None: true}, {Name: "devlink", Cut: true}},
			problems: 2,
		},
		"went on after a missing table": {
			text:     "No disk errors.\nException: no such table: memory_failure_event\n\nNo MCE errors.\n",
			want:     []fact.RASSection{{Name: "disk", None: true}, {Name: "memory-failure", Cut: true}, {Name: "mce", None: true}},
			problems: 1,
		},
		"broke off behind a header": {
			text: "No Memory errors.\nPCIe AER events summary:\n",
			want: []fact.RASSection{{Name: "memory", None: true}, {Name: "aer", Cut: true}},
		},
		"something else": {text: "hello\nworld\n", problems: 2},
		"nothing":        {},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			got, problems, err := ParseSummary(strings.NewReader(test.text), "cmd/ras-mc-ctl-summary.txt")
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, got, noPlaces); diff != "" {
				t.Errorf("sections (-want +got):\n%s", diff)
			}
			if len(problems) != test.problems {
				t.Errorf("%d problems, want %d: %v", len(problems), test.problems, problems)
			}
		})
	}
}

func TestErrors(t *testing.T) {
	const text = "Memory controller events:\n1 2026-01-02 03:04:05 +0000 3 Corrected error(s): memory read error at CPU0_A1 location: 0:0:0:-1, addr 4096, grain 32, syndrome 0 \n\n" +
		"PCIe AER events:\n1 2026-08-03 18:04:11 +0200 0000:c2:05.0 Corrected error: Receiver Error\n\n" +
		"No Extlog errors.\n\nDisk errors\n4 2026-01-02 03:04:05 +0000 error: dev=0:2048, sector=8, nr_sector=8, error='I/O error', rwbs='R', cmd='', \n\n" +
		"MCE events:\n1 2026-01-02 03:04:05 +0000 error: Corrected error, no action required., bank Load Store Unit (bank=0)\n"
	got, problems, err := ParseErrors(strings.NewReader(text), "cmd/ras-mc-ctl-errors.txt")
	if err != nil || len(problems) > 0 {
		t.Fatal(err, problems)
	}
	want := []fact.RASSection{
		{Name: "memory", Rows: []fact.RASEvent{{Count: 3, Time: "2026-01-02 03:04:05 +0000", Device: "CPU0_A1", Severity: "Corrected", Message: "memory read error at CPU0_A1 location: 0:0:0:-1, addr 4096, grain 32, syndrome 0"}}},
		{Name: "aer", Rows: []fact.RASEvent{{Count: 1, Time: "2026-08-03 18:04:11 +0200", Device: "0000:c2:05.0", Severity: "Corrected", Message: "Receiver Error"}}},
		{Name: "extlog", None: true},
		{Name: "disk", Rows: []fact.RASEvent{{Count: 1, Time: "2026-01-02 03:04:05 +0000", Device: "0:2048", Message: "dev=0:2048, sector=8, nr_sector=8, error='I/O error', rwbs='R', cmd=''"}}},
		{Name: "mce", Rows: []fact.RASEvent{{Count: 1, Time: "2026-01-02 03:04:05 +0000", Message: "Corrected error, no action required., bank Load Store Unit (bank=0)"}}},
	}
	if diff := cmp.Diff(want, got, noPlaces); diff != "" {
		t.Errorf("sections (-want +got):\n%s", diff)
	}
	if at := got[1].Rows[0].At; at.Line != 5 || !strings.HasPrefix(at.Text, "1 2026-08-03") {
		t.Errorf("place of the PCIe row: %+v", at)
	}
}

func TestErrorCount(t *testing.T) {
	tests := map[string]struct {
		text     string
		want     []fact.DIMMCount
		problems int
	}{
		"tabs, a label with a blank, an empty label": {
			text: "Label               \tCE\tUE\nCPU0 A1\t4\t0\n\t0\t1\n",
			want: []fact.DIMMCount{{Label: "CPU0 A1", Corrected: 4}, {Uncorrected: 1}},
		},
		"no-break spaces of a web page": {
			text: "Label\u00a0\u00a0 CE\u00a0 UE\nmc#1csrow#1channel#0\u00a0 7\u00a0 0\n",
			want: []fact.DIMMCount{{Label: "mc#1csrow#1channel#0", Corrected: 7}},
		},
		"no driver": {text: "ras-mc-ctl: Error: No DIMMs found in /sys or new sysfs EDAC interface not found.\n", problems: 1},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			got, problems, err := ParseErrorCount(strings.NewReader(test.text), "cmd/ras-mc-ctl-error-count.txt")
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, got, noPlaces); diff != "" {
				t.Errorf("counts (-want +got):\n%s", diff)
			}
			if len(problems) != test.problems {
				t.Errorf("%d problems, want %d: %v", len(problems), test.problems, problems)
			}
		})
	}
}

func FuzzRAS(f *testing.F) {
	f.Add([]byte("PCIe AER events summary:\n\t15 Corrected errors: Receiver Error\n"))
	f.Add([]byte("PCIe AER events:\n1 2026-08-03 18:04:11 +0200 0000:c2:05.0 Corrected error: Receiver Error\n"))
	f.Add([]byte("Label\tCE\tUE\nA\t1\t0\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		lines := bytes.Count(b, []byte("\n")) + 1
		for _, parse := range []func() ([]fact.RASSection, []fact.Problem, error){
			func() ([]fact.RASSection, []fact.Problem, error) { return ParseSummary(bytes.NewReader(b), "f") },
			func() ([]fact.RASSection, []fact.Problem, error) { return ParseErrors(bytes.NewReader(b), "f") },
		} {
			sections, _, _ := parse()
			if len(sections) > lines {
				t.Errorf("%d sections of %d lines", len(sections), lines)
			}
			for _, s := range sections {
				if s.None && len(s.Rows) > 0 {
					t.Errorf("section %s says none and has rows", s.Name)
				}
			}
		}
		ParseErrorCount(bytes.NewReader(b), "f")
	})
}

func BenchmarkErrors(b *testing.B) {
	text := "PCIe AER events:\n" + strings.Repeat("1 2026-08-03 18:04:11 +0200 0000:c2:05.0 Corrected error: Receiver Error\n", 1000)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		ParseErrors(strings.NewReader(text), "f")
	}
}

// TestCorpus reads dumps from real machines.
func TestCorpus(t *testing.T) {
	corpus := os.Getenv("HWCAP_CORPUS")
	if corpus == "" {
		t.Skip("no corpus: HWCAP_CORPUS is not set")
	}
	counts := map[string]int{} // events, and for error-count DIMMs
	cut := map[string]bool{}
	files, _ := filepath.Glob(filepath.Join(corpus, "ras-mc-ctl", "*"))
	for _, path := range files {
		name := filepath.Base(path)
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var sections []fact.RASSection
		var problems []fact.Problem
		switch {
		case strings.HasPrefix(name, "summary-"):
			sections, problems, err = ParseSummary(bytes.NewReader(b), name)
		case strings.HasPrefix(name, "errors-"):
			sections, problems, err = ParseErrors(bytes.NewReader(b), name)
		case strings.HasPrefix(name, "error-count-"):
			var dimms []fact.DIMMCount
			dimms, problems, err = ParseErrorCount(bytes.NewReader(b), name)
			counts[name] = len(dimms)
		default:
			continue
		}
		if err != nil || len(problems) > 0 && !bytes.Contains(b, []byte("no such table")) {
			t.Errorf("%s: %v %v", name, err, problems)
		}
		for _, s := range sections {
			cut[name] = cut[name] || s.Cut
			for _, r := range s.Rows {
				counts[name] += r.Count
			}
		}
	}
	want := map[string]int{
		"error-count-dfi-ads310-nbsp.txt": 4, "error-count-fujitsu-d3373.txt": 8, "error-count-r640.txt": 2,
		"errors-mce-r640-injected.txt": 2, "errors-mce-ryzen-9950x.txt": 1,
		"summary-arm-server-errors.txt": 1 + 2 + 9 + 60 + 7 + 2162 + 24, "summary-dimm-aer-bit21-disk.txt": 5 + 1 + 6646,
		"summary-ghes-unknown-memory.txt": 1, "summary-mce-r640-injected.txt": 2,
	}
	if diff := cmp.Diff(want, counts); diff != "" {
		t.Errorf("counts (-want +got):\n%s", diff)
	}
	for name, is := range cut {
		if want := strings.Contains(name, "broken-db") || strings.Contains(name, "exception"); is != want {
			t.Errorf("%s: cut %v, want %v", name, is, want)
		}
	}
}
