package ras

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
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
		"died where no table is missing: what follows is not known": {
			text:     "No Memory errors.\n\nDBD::SQLite::db prepare failed: database is locked at /usr/sbin/ras-mc-ctl line 1183.\n",
			want:     []fact.RASSection{{Name: "memory", None: true}, {Name: "unknown", Cut: true}},
			problems: 1,
		},
		"no database": {
			text:     "DBI connect('dbname=/var/lib/rasdaemon/ras-mc_event.db','',...) failed: unable to open database file at /usr/sbin/ras-mc-ctl line 1169.\n",
			problems: 1,
		},
		"no table at all": {
			text:     "ras-mc-ctl: Error: mc_event table missing from /var/lib/rasdaemon/ras-mc_event.db. Run 'rasdaemon --record'.\n",
			want:     []fact.RASSection{{Name: "memory", Cut: true}},
			problems: 1,
		},
		"quoted in a mail, with Perl's warnings": {
			text: "> Use of uninitialized value $msg in concatenation (.) or string at /usr/sbin/ras-mc-ctl line 1200.\n> PCIe AER events summary:\n> \t1 Corrected errors: \n",
			want: []fact.RASSection{{Name: "aer", Rows: []fact.RASEvent{{Count: 1, Severity: "Corrected"}}}},
		},
		"the list of errors behind it is another output": {
			text:     "No Memory errors.\n\nNo MCE errors.\nNo Memory errors.\n\nMCE events:\n1 2026-01-02 03:04:05 +0000 error: x\n",
			want:     []fact.RASSection{{Name: "memory", None: true}, {Name: "mce", None: true}},
			problems: 1,
		},
		"in Python": {
			text: "Created index idx_mc_event_timestamp\nHostname: host\n  aer_event:\n    err_type=Corrected, err_msg=Bad TLP, Bad DLLP: 2 event(s)\n" +
				"  cxl_poison_event:\n    memdev=mem1: 1 event(s)\n  extlog_event:\n    etype=2 (single-bit ECC), severity=2 (corrected): 3 event(s)\n" +
				"  mc_event:\n    err_type=Corrected, label=DIMM A1, B1, mc=0, top_layer=0, middle_layer=1, lower_layer=-1: 5 event(s)\n  nvidia_ns_event: 4 event(s)\n",
			want: []fact.RASSection{
				{Name: "aer", Rows: []fact.RASEvent{{Count: 2, Severity: "Corrected", Message: "Bad TLP, Bad DLLP"}}},
				{Name: "cxl-poison", Rows: []fact.RASEvent{{Count: 1, Device: "mem1", Message: "memdev=mem1"}}},
				{Name: "extlog", Rows: []fact.RASEvent{{Count: 3, Severity: "corrected", Message: "etype=2 (single-bit ECC), severity=2 (corrected)"}}},
				{Name: "memory", Rows: []fact.RASEvent{{Count: 5, Device: "DIMM A1, B1", Severity: "Corrected", Message: "err_type=Corrected, label=DIMM A1, B1, mc=0, top_layer=0, middle_layer=1, lower_layer=-1"}}},
				{Name: "non-standard", Rows: []fact.RASEvent{{Count: 4, Message: "nvidia_ns_event"}}},
			},
		},
		"in Python, of two hosts": {
			text:     "Hostname: host1\n  mce_record: 1 event(s)\nHostname: host2\n  mce_record: 7 event(s)\n",
			want:     []fact.RASSection{{Name: "mce", Rows: []fact.RASEvent{{Count: 1, Message: "mce_record"}}}},
			problems: 1,
		},
		"something else": {text: "hello\nworld\n", problems: 2},
		"nothing":        {},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			got, problems, unread, err := ParseSummary(strings.NewReader(test.text), "cmd/ras-mc-ctl-summary.txt")
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, got, noPlaces); diff != "" {
				t.Errorf("sections (-want +got):\n%s", diff)
			}
			if len(problems) != test.problems || unread.Lines < test.problems {
				t.Errorf("%d problems, want %d: %v; unread %+v", len(problems), test.problems, problems, unread)
			}
		})
	}
}

func TestErrors(t *testing.T) {
	const text = "Memory controller events:\n1 2026-01-02 03:04:05 +0000 3 Corrected error(s): memory read error at CPU0_A1 location: 0:0:0:-1, addr 4096, grain 32, syndrome 0 \n\n" +
		"PCIe AER events:\n1 2026-08-03 18:04:11 +0200 0000:c2:05.0 Corrected error: Receiver Error\n\n" +
		"No Extlog errors.\n\nDisk errors\n4 2026-01-02 03:04:05 +0000 error: dev=0:2048, sector=8, nr_sector=8, error='I/O error', rwbs='R', cmd='', \n\n" +
		"MCE events:\n1 2026-01-02 03:04:05 +0000 error: Corrected error, no action required., bank Load Store Unit (bank=0)\n"
	got, problems, _, err := ParseErrors(strings.NewReader(text), "cmd/ras-mc-ctl-errors.txt")
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
			got, problems, _, err := ParseErrorCount(strings.NewReader(test.text), "cmd/ras-mc-ctl-error-count.txt")
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

// TestRuns reads what ras-mc-ctl 0.6.8 and 0.8.3 printed of databases that
// were filled for it, and what is known of each section: its events and their
// devices.
func TestRuns(t *testing.T) {
	type section struct {
		Name    string
		Events  int
		Devices string
		Cut     bool
	}
	old := []section{
		{"memory", 4, "CPU_SrcID#0_MC#0_Chan#1_DIMM#0 DIMM 'A 2' any memory", false}, {"aer", 5, "", false},
		{"arm", 2, "CPU(mpidr=0x81090100) CPU(mpidr=0x810e0000)", false}, {"extlog", 1, "", false}, {"devlink", 2, "0000:41:00.0", false},
		{"disk", 2, "0:2048", false}, {"memory-failure", 2, "", false}, {"mce", 2, "", false},
	}
	cxl := []section{
		{"cxl-aer-uncorrectable", 1, "mem1", false}, {"cxl-aer-correctable", 2, "mem1", false}, {"cxl-overflow", 1, "mem1", false}, {"cxl-poison", 1, "mem1", false},
		{"cxl-generic", 1, "mem1", false}, {"cxl-general-media", 1, "mem1", false}, {"cxl-dram", 1, "mem1", false}, {"cxl-memory-module", 1, "mem1", false},
	}
	listed := slices.Clone(old)
	listed[0] = section{"memory", 1 + 181 + 1 + 1, "CPU_SrcID#0_MC#0_Chan#1_DIMM#0 any memory DIMM 'A 2'", false}
	listed[1].Devices = "0000:17:02.0 0000:18:00.0"
	clean := func(names ...string) (all []section) {
		for _, name := range names {
			all = append(all, section{Name: name})
		}
		return all
	}
	newer := func(all []section) []section { return slices.Insert(slices.Clone(all), 3, cxl...) }
	tests := map[string][]section{
		"summary-0.6.8": old, "summary-0.8.3": newer(old), "errors-0.6.8": listed, "errors-0.8.3": newer(listed),
		"summary-0.6.8-cut":              append(slices.Clone(old[:4]), section{Name: "devlink", Cut: true}),
		"summary-0.6.8-cut-stderr-first": append([]section{{Name: "devlink", Cut: true}}, old[:4]...),
		"errors-0.8.3-cut":               append(slices.Clone(listed[:3]), section{Name: "cxl-aer-uncorrectable", Cut: true}),
		"errors-0.6.8-clean":             clean("memory", "aer", "arm", "extlog", "devlink", "disk", "memory-failure", "mce"),
		"summary-0.8.3-clean": clean("memory", "aer", "arm", "cxl-aer-uncorrectable", "cxl-aer-correctable", "cxl-overflow", "cxl-poison", "cxl-generic",
			"cxl-general-media", "cxl-dram", "cxl-memory-module", "extlog", "devlink", "disk", "memory-failure", "mce"),
		"vendor-summary-0.6.8": {{"non-standard", 2, "SMMU HHA", false}, {"non-standard", 0, "", false}, {"non-standard", 1, "PCIE_TL", false}},
		"vendor-errors-0.6.8":  {{"non-standard", 2, "SMMU HHA", false}, {"non-standard", 0, "", false}, {"non-standard", 1, "PCIE_TL", false}},
		"vendor-summary-0.8.3": {{"non-standard", 2, "SMMU HHA", false}, {"non-standard", 1, "PCIE_TL", false}, {"non-standard", 1, "HBM", false}},
		"vendor-errors-0.8.3":  {{"non-standard", 2, "SMMU HHA", false}, {"non-standard", 1, "PCIE_TL", false}, {"non-standard", 1, "HBM", false}},
	}
	for name, want := range tests {
		t.Run(name, func(t *testing.T) {
			text, err := os.ReadFile("testdata/" + name + ".txt")
			if err != nil {
				t.Fatal(err)
			}
			read := ParseSummary
			if strings.Contains(name, "errors") {
				read = ParseErrors
			}
			sections, problems, unread, err := read(bytes.NewReader(text), name)
			if err != nil || len(problems) > 0 && !strings.Contains(name, "-cut") || len(problems) != unread.Lines {
				t.Fatal(err, problems, unread)
			}
			var got []section
			for _, s := range sections {
				events, devices := 0, []string{}
				for _, r := range s.Rows {
					events += r.Count
					if r.Device != "" && !slices.Contains(devices, r.Device) {
						devices = append(devices, r.Device)
					}
					if strings.Contains(name, "errors") && !strings.HasPrefix(r.Time, "2026-02-03 ") {
						t.Errorf("time %q", r.Time)
					}
				}
				got = append(got, section{s.Name, events, strings.Join(devices, " "), s.Cut})
				if s.None != (len(s.Rows) == 0 && !s.Cut) {
					t.Errorf("%s: none %v, %d rows, cut %v", s.Name, s.None, len(s.Rows), s.Cut)
				}
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestErrorForms reads rows of other times, of several lines and in Python.
func TestErrorForms(t *testing.T) {
	tests := map[string]struct {
		text string
		want fact.RASEvent
	}{
		"without a zone": {"PCIe AER events:\n1 2026-08-03 18:04:11 0000:c2:05.0 Corrected error: Bad TLP\n",
			fact.RASEvent{Count: 1, Time: "2026-08-03 18:04:11", Device: "0000:c2:05.0", Severity: "Corrected", Message: "Bad TLP"}},
		"without a time": {"PCIe AER events:\n1  0000:c2:05.0 Corrected error: Bad TLP\n",
			fact.RASEvent{Count: 1, Device: "0000:c2:05.0", Severity: "Corrected", Message: "Bad TLP"}},
		"wrapped by a mailer": {"> Memory controller events:\n> 1 2026-01-02 03:04:05 +0000 2 Corrected error(s): memory read\n> error at DIMM_A1 location: 0:0:0:-1,\n> addr 4096, grain 32, syndrome 0\n",
			fact.RASEvent{Count: 2, Time: "2026-01-02 03:04:05 +0000", Device: "DIMM_A1", Severity: "Corrected", Message: "memory read error at DIMM_A1 location: 0:0:0:-1, addr 4096, grain 32, syndrome 0"}},
		"a machine check that says nothing but its registers": {"MCE events:\n1 2026-01-02 03:04:05 +0000 error: , mcgcap=0x00000107, status=0xbea0000000000108, cpu=0x00000005\n",
			fact.RASEvent{Count: 1, Time: "2026-01-02 03:04:05 +0000", Severity: "Uncorrected", Message: ", mcgcap=0x00000107, status=0xbea0000000000108, cpu=0x00000005"}},
		"in Python": {"Hostname: host\n  2026-01-02 03:04:05 +0000 mc_event: id=1, err_count=7, err_type=Uncorrected, err_msg=memory read error, label=A1, mc=0, driver_detail= page:0x1, grain:2\n",
			fact.RASEvent{Count: 7, Time: "2026-01-02 03:04:05 +0000", Device: "A1", Severity: "Uncorrected", Message: "memory read error"}},
		"in Python, from PostgreSQL": {"Hostname: host\n  2026-01-02 03:04:05.123456+00:00 aer_event: id=1, dev_name=0000:c2:05.0, err_type=Corrected, err_msg=Receiver Error\n",
			fact.RASEvent{Count: 1, Time: "2026-01-02 03:04:05.123456+00:00", Device: "0000:c2:05.0", Severity: "Corrected", Message: "Receiver Error"}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			sections, problems, unread, err := ParseErrors(strings.NewReader(test.text), "f")
			if err != nil || len(problems) > 0 || unread.Lines > 0 || len(sections) != 1 {
				t.Fatal(sections, problems, unread, err)
			}
			if diff := cmp.Diff([]fact.RASEvent{test.want}, sections[0].Rows, noPlaces); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestRowsAreCapped(t *testing.T) {
	row := "1 2026-08-03 18:04:11 +0200 0000:c2:05.0 Corrected error: Receiver Error\n"
	sections, problems, unread, err := ParseErrors(strings.NewReader("PCIe AER events:\n"+strings.Repeat(row, maxRows+10)), "f")
	if err != nil || len(problems) != 1 || problems[0].Line != maxRows+1 {
		t.Fatal(err, problems)
	}
	if s := sections[0]; len(s.Rows) != maxRows-1 || !s.Cut || unread.Lines != 11 {
		t.Errorf("%d rows, cut %v, unread %+v", len(s.Rows), s.Cut, unread)
	}
}

func TestLongLine(t *testing.T) {
	text := "PCIe AER events summary:\n\t1 Corrected errors: " + strings.Repeat("x", 1<<20) + "\n\t2 Corrected errors: Bad TLP\n"
	sections, problems, unread, err := ParseSummary(strings.NewReader(text), "f")
	if err != nil || len(problems) != 1 || len(sections) != 1 || len(sections[0].Rows) != 2 || unread.Of != 3 {
		t.Fatal(len(sections), problems, unread, err)
	}
	if n := len(sections[0].Rows[0].Message); n > maxLine {
		t.Errorf("message of %d bytes", n)
	}
}

func TestHeading(t *testing.T) {
	for line, want := range map[string][2]bool{
		"PCIe AER events summary:":     {true, false},
		"CXL  generic events summary:": {true, false},
		"MCE events:":                  {false, true},
		"Disk errors":                  {false, true},
		"No Memory failure errors.":    {true, true},
		"No SIGNAL.":                   {true, true},
		"No SIGNAL event.":             {true, true},
		"HiSilicon KunPeng9xx OEM type1 error events summary:": {true, false},
		"No such device":    {},
		"Corrected errors:": {},
		"":                  {},
	} {
		summary, errors := Heading([]byte(line))
		if got := [2]bool{summary, errors}; got != want {
			t.Errorf("%q: %v, want %v", line, got, want)
		}
	}
}

// fuzzed are the parsers of this package, with what they found and counted.
var fuzzed = map[string]func(b []byte) (rows int, unread fact.Unread){
	"summary": func(b []byte) (int, fact.Unread) {
		s, _, u, _ := ParseSummary(bytes.NewReader(b), "f")
		return events(s), u
	},
	"errors": func(b []byte) (int, fact.Unread) {
		s, _, u, _ := ParseErrors(bytes.NewReader(b), "f")
		return events(s), u
	},
	"error-count": func(b []byte) (int, fact.Unread) {
		s, _, u, _ := ParseErrorCount(bytes.NewReader(b), "f")
		return len(s), u
	},
	"labels": func(b []byte) (int, fact.Unread) {
		s, _, u, _ := ParseLabels(bytes.NewReader(b), "f")
		return len(s), u
	},
	"layout": func(b []byte) (int, fact.Unread) { _, _, u, _ := ParseLayout(bytes.NewReader(b), "f"); return 0, u },
}

func events(sections []fact.RASSection) (n int) {
	for _, s := range sections {
		n += len(s.Rows)
	}
	return n
}

func FuzzRAS(f *testing.F) {
	files, _ := filepath.Glob("testdata/*.txt")
	for _, name := range files {
		b, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	f.Add([]byte("Hostname: h\n  2026-01-02 03:04:05 mc_event: id=1, label=A, b=1\n  aer_event: 3 event(s)\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		lines := bytes.Count(b, []byte("\n"))
		if len(b) > 0 && b[len(b)-1] != '\n' {
			lines++
		}
		for name, parse := range fuzzed {
			if rows, u := parse(b); u.Of != lines || rows+u.Lines+u.Ignored > lines {
				t.Errorf("%s: %d rows of %d lines, %+v", name, rows, lines, u)
			}
		}
		for _, read := range []func(io.Reader, string) ([]fact.RASSection, []fact.Problem, fact.Unread, error){ParseSummary, ParseErrors} {
			sections, _, _, _ := read(bytes.NewReader(b), "f")
			for _, s := range sections {
				if s.None && len(s.Rows) > 0 {
					t.Errorf("section %s says none and has rows", s.Name)
				}
			}
		}
	})
}

func BenchmarkErrors(b *testing.B) {
	text := "PCIe AER events:\n" + strings.Repeat("1 2026-08-03 18:04:11 +0200 0000:c2:05.0 Corrected error: Receiver Error\n", 1000)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		ParseErrors(strings.NewReader(text), "f")
	}
}

// BenchmarkHostile reads texts made to take long, at one size and twice that:
// the bytes a second must not fall.
func BenchmarkHostile(b *testing.B) {
	texts := map[string]func(n int) string{
		"no row": func(n int) string { return "MCE records summary:\n" + strings.Repeat("x\n", n/2) },
		"half rows": func(n int) string {
			return "Memory controller events summary:\n" + strings.Repeat(strings.Repeat("Corrected on DIMM Label(s): '", 8)+"\n", n/256)
		},
		"one row": func(n int) string {
			return "CXL generic events:\n1 2026-08-03 18:04:11 +0200 error: data:\n" + strings.Repeat("00 ", n/3)
		},
		"many rows": func(n int) string {
			return "MCE events:\n" + strings.Repeat("1 2026-08-03 18:04:11 +0200 error: x\n", n/37)
		},
		"columns": func(n int) string {
			return "Hostname: h\n" + strings.Repeat("2026-08-03 18:04:11 mc_event: "+strings.Repeat("a=, ", 1000)+"\n", n/4000)
		},
		"headers":     func(n int) string { return strings.Repeat("No PCIe AER errors.\n", n/20) },
		"table cells": func(n int) string { return strings.Repeat("|"+strings.Repeat("a|", 100)+"\n", n/200) },
	}
	for name, make := range texts {
		for _, size := range []int{4 << 20, 8 << 20} {
			text := []byte(make(size))
			b.Run(fmt.Sprintf("%s/%d", name, size>>20), func(b *testing.B) {
				b.SetBytes(int64(len(text)))
				for b.Loop() {
					for _, parse := range fuzzed {
						parse(text)
					}
				}
			})
		}
	}
}

func TestLabels(t *testing.T) {
	text, err := os.ReadFile("testdata/print-labels-0.8.3.txt")
	if err != nil {
		t.Fatal(err)
	}
	printed := []fact.DIMMLabel{
		{Location: "mc0 channel 0 slot 0", Label: "P0-DIMMA1", InSysfs: "P0-DIMMA1"}, {Location: "mc0 channel 1 slot 0", Label: "P0-DIMMB1"},
		{Location: "mc1 channel 0 slot 0", Label: "P1-DIMMA1", InSysfs: "P1-DIMMA1"}, {Location: "1:3:0", Label: "P1-DIMMC9"},
	}
	tests := map[string]struct {
		text string
		want []fact.DIMMLabel
	}{
		"printed": {string(text), printed},
		"quoted":  {"> " + strings.ReplaceAll(strings.TrimSuffix(string(text), "\n"), "\n", "\n> "), printed},
		"guessed": {"memory stick 'P0-DIMMA1' is located at 'P0_Node0_Channel0_Dimm0'\n", []fact.DIMMLabel{{Location: "P0_Node0_Channel0_Dimm0", Label: "P0-DIMMA1"}}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			got, problems, unread, err := ParseLabels(strings.NewReader(test.text), "f")
			if err != nil || len(problems) > 0 || unread.Lines > 0 {
				t.Fatal(err, problems, unread)
			}
			if diff := cmp.Diff(test.want, got, noPlaces); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestLayout(t *testing.T) {
	text, err := os.ReadFile("testdata/layout-0.8.3.txt")
	if err != nil {
		t.Fatal(err)
	}
	perl := map[string]int64{
		"mc0 channel0 slot0": 32768, "mc0 channel1 slot0": 131072, "mc1 channel0 slot0": 32768, "mc1 channel1 slot0": 131072,
		"mc0 channel0 slot1": 0, "mc0 channel1 slot1": 0, "mc1 channel0 slot1": 0, "mc1 channel1 slot1": 0,
	}
	tests := map[string]struct {
		text string
		want map[string]int64
	}{
		"in Perl": {string(text), perl},
		"in Python, with larger units": {"       +-------------------+\n       |        mc0        |\n       |channel0 |channel1 |\n-------+---------+---------+\n" +
			"slot1: |  128 GB |         |\nslot0: |  512 MB |    2 TB |\n-------+---------+---------+\n",
			map[string]int64{"mc0 channel0 slot1": 128 << 10, "mc0 channel1 slot1": 0, "mc0 channel0 slot0": 512, "mc0 channel1 slot0": 2 << 20}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			sizes, problems, unread, err := ParseLayout(strings.NewReader(test.text), "f")
			if err != nil || len(problems) > 0 || unread.Lines > 0 {
				t.Fatal(err, problems, unread)
			}
			got := map[string]int64{}
			for _, s := range sizes {
				got[s.Location] = s.SizeMiB
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestTold(t *testing.T) {
	v, unread, err := Status(strings.NewReader("$ ras-mc-ctl --status\nras-mc-ctl: drivers not loaded.\n"), "f")
	if err != nil || v.V != "ras-mc-ctl: drivers not loaded." || v.At.Line != 2 || unread.Lines != 1 {
		t.Errorf("status %+v, %+v, %v", v, unread, err)
	}
	v, _, _ = Mainboard(strings.NewReader("ras-mc-ctl: mainboard: Example Inc. model Board-1\n"), "f")
	if v.V != "Example Inc. model Board-1" {
		t.Errorf("mainboard %+v", v)
	}
}

// TestCorpus reads dumps from real machines: all their lines, but what Perl says
// of a database that lacks a table.
func TestCorpus(t *testing.T) {
	corpus := os.Getenv("HWCAP_CORPUS")
	if corpus == "" {
		t.Skip("no corpus: HWCAP_CORPUS is not set")
	}
	counts := map[string]int{} // events; DIMMs of error-count, cells of layout
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
		var unread fact.Unread
		r := bytes.NewReader(b)
		switch kind, _, _ := strings.Cut(name, "-"); {
		case kind == "summary":
			sections, problems, unread, err = ParseSummary(r, name)
		case strings.HasPrefix(name, "error-count-"):
			var dimms []fact.DIMMCount
			dimms, problems, unread, err = ParseErrorCount(r, name)
			counts[name] = len(dimms)
		case kind == "errors":
			sections, problems, unread, err = ParseErrors(r, name)
		case kind == "layout":
			var cells []fact.DIMMSize
			cells, problems, unread, err = ParseLayout(r, name)
			counts[name] = len(cells)
		case kind == "mainboard":
			_, unread, err = Mainboard(r, name)
		case kind == "status":
			_, unread, err = Status(r, name)
		default: // counters of sysfs
			continue
		}
		t.Logf("%s: unread %d of %d lines, %d ignored", name, unread.Lines, unread.Of, unread.Ignored)
		broken := strings.Contains(name, "broken-db") || strings.Contains(name, "exception")
		if err != nil || len(problems) != unread.Lines || unread.Lines > 0 && !broken {
			t.Errorf("%s: %v %v", name, err, problems)
		}
		for _, s := range sections {
			cut[name] = cut[name] || s.Cut
			for _, r := range s.Rows {
				counts[name] += r.Count
			}
		}
		if cut[name] != broken {
			t.Errorf("%s: cut %v, want %v", name, cut[name], broken)
		}
	}
	want := map[string]int{
		"error-count-dfi-ads310-nbsp.txt": 4, "error-count-fujitsu-d3373.txt": 8, "error-count-r640.txt": 2, "layout-gentoo-amd.txt": 8,
		"errors-mce-r640-injected.txt": 2, "errors-mce-ryzen-9950x.txt": 1,
		"summary-arm-server-errors.txt": 1 + 2 + 9 + 60 + 7 + 2162 + 24, "summary-dimm-aer-bit21-disk.txt": 5 + 1 + 6646,
		"summary-ghes-unknown-memory.txt": 1, "summary-mce-r640-injected.txt": 2,
	}
	if diff := cmp.Diff(want, counts); diff != "" {
		t.Errorf("counts (-want +got):\n%s", diff)
	}
}
