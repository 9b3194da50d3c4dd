package ras

import (
	"bytes"
	"os"
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
			if len(problems) != test.problems || unread.Lines > 0 && test.problems == 0 {
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
			if err != nil || len(problems) > 0 && !strings.Contains(name, "-cut") || unread.Lines > 0 {
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
