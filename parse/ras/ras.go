// Package ras reads what ras-mc-ctl prints of rasdaemon's database and of the
// EDAC counters.
//
// Source: util/ras-mc-ctl.in of rasdaemon 0.6 to 0.8.5. A section is there only
// when rasdaemon was built with it, so a section that the text lacks says
// nothing; sections are told by their headers, because blank lines between them
// are irregular.
package ras

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"strconv"
	"strings"

	"hwcap/parse/fact"
)

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
	{"non-standard", "non_standard_event", "non-standard"},
}

const (
	maxLine = 64 << 10
	maxRows = 100_000  // rows and sections kept in all; the database may hold years
	maxKept = 32 << 20 // bytes of their lines
)

// ParseSummary reads ras-mc-ctl --summary. Each row has its count; severity and
// device (a DIMM label, a disk, a CPU) where the row names them. Where the
// script died on a missing table, the section of that table is there with Cut,
// and those after it are not; a header without rows is Cut too.
func ParseSummary(r io.Reader, file string) ([]fact.RASSection, []fact.Problem, error) {
	return parse(r, file, summaryRow)
}

// ParseErrors reads ras-mc-ctl --errors: as ParseSummary, with the time and, for
// PCIe errors, the address of each. The count is that of the row for memory, 1
// otherwise.
func ParseErrors(r io.Reader, file string) ([]fact.RASSection, []fact.Problem, error) {
	return parse(r, file, errorRow)
}

type parser struct {
	file     string
	sections []fact.RASSection
	problems []fact.Problem
	row      func(section, text string) (fact.RASEvent, bool)
	wrapped  string // a line that was no row: perhaps the first half of one
	at       fact.Line
	rows     int
	kept     int  // bytes
	full     bool // further rows are not kept
}

func parse(r io.Reader, file string, row func(section, text string) (fact.RASEvent, bool)) ([]fact.RASSection, []fact.Problem, error) {
	p := parser{file: file, row: row}
	err := lines(r, file, p.line)
	p.unwrap()
	for i := range p.sections {
		s := &p.sections[i]
		s.Cut = s.Cut || !s.None && len(s.Rows) == 0
	}
	if err != nil && len(p.sections) > 0 {
		p.sections[len(p.sections)-1].Cut = true
	}
	return p.sections, p.problems, err
}

// lines calls each for every line that is not blank, with no-break spaces as
// blanks.
func lines(r io.Reader, file string, each func(text string, at fact.Line)) error {
	in := bufio.NewScanner(r)
	in.Buffer(nil, maxLine)
	for n := 1; in.Scan(); n++ {
		raw := bytes.TrimSuffix(in.Bytes(), []byte("\r"))
		text := string(bytes.TrimSpace(bytes.ReplaceAll(raw, []byte("\u00a0"), []byte(" "))))
		if text != "" {
			each(text, fact.Line{File: file, Line: n, Text: string(raw)})
		}
	}
	if err := in.Err(); err != nil {
		return fmt.Errorf("read %s: %w", file, err)
	}
	return nil
}

// line reads one line.
func (p *parser) line(text string, at fact.Line) {
	if p.failure(text, at) {
		return
	}
	if name, none, ok := header(text); ok && len(p.sections) < maxRows {
		p.unwrap()
		p.sections = append(p.sections, fact.RASSection{Name: name, None: none, At: at})
		return
	}
	if len(p.sections) == 0 || p.sections[len(p.sections)-1].None || p.sections[len(p.sections)-1].Cut {
		p.problem(at, text, "stands in no section")
		return
	}
	s := &p.sections[len(p.sections)-1]
	event, ok := p.row(s.Name, text)
	switch {
	case ok:
		p.unwrap()
		event.At = at
	case p.wrapped != "":
		if event, ok = p.row(s.Name, p.wrapped+" "+text); !ok {
			p.unwrap()
			p.wrapped, p.at = text, at
			return
		}
		event.At, p.wrapped = p.at, ""
	default:
		p.wrapped, p.at = text, at
		return
	}
	p.rows++
	p.kept += len(at.Text)
	switch full := p.rows > maxRows || p.kept > maxKept; {
	case !full:
		s.Rows = append(s.Rows, event)
	case !p.full:
		p.full, s.Cut = true, true
		p.problem(at, text, fmt.Sprintf("and what follows is beyond the %d rows that are kept, or their %d MiB", maxRows, maxKept>>20))
	}
}

// unwrap gives up on a line that nothing completed.
func (p *parser) unwrap() {
	if p.wrapped != "" {
		p.problem(p.at, p.wrapped, "is no row of its section")
		p.wrapped = ""
	}
}

func (p *parser) problem(at fact.Line, text, what string) {
	if len(p.problems) >= 100 {
		return
	}
	if len(text) > 120 {
		text = text[:120]
	}
	p.problems = append(p.problems, fact.Problem{File: p.file, Line: at.Line, Text: fmt.Sprintf("%q %s", text, what)})
}

// failure reads what perl prints when the database lacks a table: all that
// follows is missing, and no zero.
func (p *parser) failure(text string, at fact.Line) bool {
	if !strings.HasPrefix(text, "DBD::") && !strings.HasPrefix(text, "Exception:") && !strings.HasPrefix(text, "Can't call method") &&
		!strings.HasPrefix(text, "DBI connect") && !strings.HasPrefix(text, "ras-mc-ctl: Error") && !strings.Contains(text, "table missing from") {
		return false
	}
	p.unwrap()
	p.problem(at, text, "is an error of ras-mc-ctl")
	_, table, ok := strings.Cut(text, "no such table: ")
	if !ok {
		return true
	}
	table, _, _ = strings.Cut(table, " ")
	for _, s := range sections {
		if s.table == table && len(p.sections) < maxRows {
			p.sections = append(p.sections, fact.RASSection{Name: s.name, Cut: true, At: at})
			break
		}
	}
	return true
}

// header tells which section starts: "PCIe AER events summary:", "MCE records
// summary:", "Disk errors", "No devlink errors.", "No SIGNAL.".
func header(text string) (name string, none, ok bool) {
	words := strings.ToLower(strings.Join(strings.Fields(text), " "))
	words, none = strings.CutPrefix(words, "no ")
	if none {
		if words, ok = strings.CutSuffix(words, "."); !ok {
			return "", false, false
		}
		words = strings.TrimSuffix(strings.TrimSuffix(words, " event"), " errors")
	} else {
		words = strings.TrimSuffix(strings.TrimSuffix(words, ":"), " summary")
		for _, kind := range []string{" events", " records", " errors"} {
			var found bool
			if words, found = strings.CutSuffix(words, kind); found {
				ok = true
				break
			}
		}
		if !ok {
			return "", false, false
		}
	}
	for _, s := range sections {
		if s.words == words {
			return s.name, none, true
		}
	}
	return "", false, false
}

// summaryRow reads a row of --summary.
func summaryRow(section, text string) (fact.RASEvent, bool) {
	switch section {
	case "memory":
		severity, rest, ok := strings.Cut(text, " on DIMM Label(s): '")
		label, location, closed := strings.Cut(rest, "' ")
		_, count, counted := cutLast(location, " errors: ")
		n, err := strconv.Atoi(count)
		return fact.RASEvent{Count: n, Device: label, Severity: severity, Message: text}, ok && closed && counted && err == nil
	case "aer", "mce", "extlog":
		first, rest, ok := strings.Cut(text, " ")
		n, err := strconv.Atoi(first)
		if !ok || err != nil {
			return fact.RASEvent{}, false
		}
		if section == "aer" {
			severity, message, ok := strings.Cut(rest, " errors: ")
			return fact.RASEvent{Count: n, Severity: severity, Message: message}, ok
		}
		message, ok := strings.CutSuffix(rest, " errors")
		event := fact.RASEvent{Count: n, Message: message}
		if section == "extlog" {
			event.Severity = message[strings.LastIndexByte(message, ' ')+1:]
		}
		return event, ok
	}
	// "0:2048 has 7 errors", "mem0 errors: 3", "Recovered errors: 24"
	if subject, count, ok := cutLast(text, " has "); ok {
		count, ok = strings.CutSuffix(count, " errors")
		n, err := strconv.Atoi(count)
		return fact.RASEvent{Count: n, Device: subject, Message: text}, ok && err == nil
	}
	subject, count, ok := cutLast(text, " errors: ")
	n, err := strconv.Atoi(count)
	event := fact.RASEvent{Count: n, Message: text}
	if strings.HasPrefix(section, "cxl-") {
		event.Device = subject
	}
	return event, ok && err == nil
}

// errorRow reads a row of --errors: "1 2026-01-02 03:04:05 +0000 ...".
func errorRow(section, text string) (fact.RASEvent, bool) {
	fields := strings.SplitN(text, " ", 5)
	if len(fields) < 5 || len(fields[1]) != len("2026-01-02") || len(fields[2]) != len("03:04:05") || len(fields[3]) < 3 {
		return fact.RASEvent{}, false
	}
	if _, err := strconv.Atoi(fields[0]); err != nil || fields[1][4] != '-' || fields[2][2] != ':' {
		return fact.RASEvent{}, false
	}
	event := fact.RASEvent{Count: 1, Time: strings.Join(fields[1:4], " ")}
	rest := fields[4]
	switch section {
	case "memory":
		head, message, ok := strings.Cut(rest, " error(s): ")
		count, severity, spaced := strings.Cut(head, " ")
		n, err := strconv.Atoi(count)
		event.Count, event.Severity, event.Message = n, severity, message
		if what, _, found := strings.Cut(message, " location: "); found {
			_, event.Device, _ = cutLast(what, " at ")
		}
		return event, ok && spaced && err == nil
	case "aer":
		device, rest, spaced := strings.Cut(rest, " ")
		severity, message, ok := strings.Cut(rest, " error: ")
		event.Device, event.Severity, event.Message = device, severity, message
		return event, spaced && ok
	}
	message, ok := strings.CutPrefix(rest, "error: ")
	event.Message = strings.TrimSuffix(strings.TrimSpace(message), ",")
	for _, key := range []string{"memdev=", "dev_name=", "dev="} {
		if v, found := value(event.Message, key); found {
			event.Device = v
			break
		}
	}
	if v, found := value(event.Message, "severity="); found {
		event.Severity = v
	}
	return event, ok
}

// value returns what stands behind key up to the next comma.
func value(text, key string) (string, bool) {
	if rest, ok := strings.CutPrefix(text, key); ok {
		v, _, _ := strings.Cut(rest, ",")
		return v, true
	}
	_, rest, ok := strings.Cut(text, ", "+key)
	v, _, _ := strings.Cut(rest, ",")
	return v, ok
}

// cutLast cuts s around the last sep.
func cutLast(s, sep string) (before, after string, found bool) {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):], true
	}
	return s, "", false
}

// ParseErrorCount reads ras-mc-ctl --error-count: label, corrected and
// uncorrected errors of each DIMM since the EDAC driver was loaded, in the order
// of the text, which is random. A label may hold blanks or be empty.
func ParseErrorCount(r io.Reader, file string) ([]fact.DIMMCount, []fact.Problem, error) {
	var counts []fact.DIMMCount
	p := parser{file: file}
	started := false
	err := lines(r, file, func(text string, at fact.Line) {
		fields := strings.Fields(text)
		if n := len(fields); n >= 3 && fields[0] == "Label" && fields[n-2] == "CE" && fields[n-1] == "UE" {
			started = true
			return
		}
		if n := len(fields); started && n >= 2 {
			ce, errC := strconv.ParseInt(fields[n-2], 10, 64)
			ue, errU := strconv.ParseInt(fields[n-1], 10, 64)
			if errC == nil && errU == nil && len(counts) < maxRows {
				counts = append(counts, fact.DIMMCount{Label: strings.Join(fields[:n-2], " "), Corrected: ce, Uncorrected: ue, At: at})
				return
			}
		}
		p.problem(at, text, "is no count of a DIMM")
	})
	return counts, p.problems, err
}
