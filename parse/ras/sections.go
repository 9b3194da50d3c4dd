package ras

import (
	"bytes"
	"strings"

	"hwcap/parse/fact"
)

// vendorSection is the name for what a vendor's own tables hold
// (--vendor-errors, --vendor-errors-summary).
const vendorSection = "non-standard"

// sections are the headers by their first words, in lower case, and the database
// tables that they come from.
var sections = []struct{ words, table, name string }{
	{"memory controller", "mc_event", "memory"},
	{"memory failure", "memory_failure_event", "memory-failure"},
	{"memory", "mc_event", "memory"}, // "No Memory errors."
	{"pcie aer", "aer_event", "aer"},
	{"arm processor", "arm_event", "arm"},
	{"cxl aer uncorrectable", "cxl_aer_ue_event", "cxl-aer-uncorrectable"},
	{"cxl aer correctable", "cxl_aer_ce_event", "cxl-aer-correctable"},
	{"cxl overflow", "cxl_overflow_event", "cxl-overflow"},
	{"cxl poison", "cxl_poison_event", "cxl-poison"},
	{"cxl generic", "cxl_generic_event", "cxl-generic"},
	{"cxl general media", "cxl_general_media_event", "cxl-general-media"},
	{"cxl dram", "cxl_dram_event", "cxl-dram"},
	{"cxl memory module", "cxl_memory_module_event", "cxl-memory-module"},
	{"extlog", "extlog_event", "extlog"},
	{"devlink", "devlink_event", "devlink"},
	{"disk", "disk_errors", "disk"},
	{"mce", "mce_record", "mce"},
	{"signal", "signal_event", "signal"},
	{"non-standard", "non_standard_event", vendorSection},
}

// vendors begin the headers of their own sections: "HiSilicon KunPeng9xx OEM
// type1 error events summary:".
var vendors = []string{"hisilicon ", "thead ", "jaguarmicro "}

// sectionOf names the section of a database table. Those that are not in the
// list are vendors' own: nvidia_ns_event, hip08_oem_type1_event_v2, ...
func sectionOf(table string) string {
	for _, s := range sections {
		if s.table == table {
			return s.name
		}
	}
	return vendorSection
}

// header is a line that begins a section.
type header struct {
	words  string // what it is about
	name   string // of the section
	none   bool   // it says that there is nothing in it
	errors bool   // it is of --errors, where it does not say none
}

// headerOf reads "PCIe AER events summary:", "PCIe AER events:", "MCE records
// summary:", "Disk errors", "No devlink errors.", "No SIGNAL.", "No SIGNAL
// event.".
func headerOf(line string) (h header, ok bool) {
	const longest = 100
	if line == "" || len(line) > longest || !strings.HasPrefix(line, "No ") && line[len(line)-1] != ':' && line != "Disk errors" {
		return h, false
	}
	words := strings.ToLower(strings.Join(strings.Fields(line), " "))
	if words, h.none = strings.CutPrefix(words, "no "); h.none {
		if words, ok = strings.CutSuffix(words, "."); !ok {
			return h, false
		}
	} else {
		words = strings.TrimSuffix(words, ":")
		var summary bool
		words, summary = strings.CutSuffix(words, " summary")
		h.errors = !summary
	}
	kind := false
	for _, k := range []string{" events", " event", " records", " errors"} {
		if words, kind = strings.CutSuffix(words, k); kind {
			break
		}
	}
	if !kind && words != "signal" {
		return h, false
	}
	h.words = words
	for _, s := range sections {
		if s.words == words {
			h.words, h.name = s.name, s.name
			return h, true
		}
	}
	for _, v := range vendors {
		if strings.HasPrefix(words, v) {
			h.name = vendorSection
			return h, true
		}
	}
	return h, false
}

// Heading tells which output a line is of: it is a heading of one, or of both
// ("No PCIe AER errors."), or a row in Python's form.
func Heading(line []byte) (summary, errors bool) {
	const longest = 100
	if bytes.HasSuffix(line, []byte(" event(s)")) {
		return true, false
	}
	if head := line[:min(len(line), longest)]; bytes.Contains(head, []byte("_event: id=")) || bytes.Contains(head, []byte(" mce_record: id=")) || bytes.Contains(head, []byte(" disk_errors: id=")) {
		return false, true
	}
	end := bytes.TrimRight(line, " \t")
	if len(end) == 0 || len(end) > longest || end[len(end)-1] != ':' && end[len(end)-1] != '.' && !bytes.HasSuffix(end, []byte("Disk errors")) {
		return false, false
	}
	h, ok := headerOf(unquote(string(end)))
	return ok && (h.none || !h.errors), ok && (h.none || h.errors)
}

// failures begin what ras-mc-ctl, Perl or Python print of an error. All that
// would have followed is missing, and no zero.
var failures = []string{
	"DBD::", "DBI connect", "Can't call method", "Can't locate ", "install_driver(", "Exception:", "ras-mc-ctl: Error",
	"[ERROR]", "Traceback (most recent call last)", "sqlalchemy.", "sqlite3.",
}

func isFailure(line string) bool {
	for _, f := range failures {
		if strings.HasPrefix(line, f) {
			return true
		}
	}
	return strings.Contains(line, "table missing from")
}

// warnings begin lines that say nothing of the records: Perl's about columns
// without a value, and what the form in Python prints of its indexes.
var warnings = []string{"Use of uninitialized value", "Hexadecimal number >", "Created index idx_"}

func isWarning(line string) bool {
	for _, w := range warnings {
		if strings.HasPrefix(line, w) {
			return true
		}
	}
	return false
}

// fail notes an error. The rows of the section before it may go on behind it,
// where output and errors went to one file.
func (p *parser) fail(line string, at fact.Line) {
	p.problem(at, line, "is an error of ras-mc-ctl")
	if !p.failed {
		p.failed, p.failAt = true, at
	}
	_, table, ok := strings.Cut(line, "no such table: ")
	if !ok {
		table, _, ok = strings.Cut(strings.TrimPrefix(line, "ras-mc-ctl: Error: "), " table missing from")
	}
	table, _, _ = strings.Cut(table, " ")
	if name := sectionOf(table); ok && !p.seen[name] && p.room(at, len(at.Text)) {
		p.seen[name] = true
		p.sections = append(p.sections, fact.RASSection{Name: name, Cut: true, At: at})
	}
}
