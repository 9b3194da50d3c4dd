// Package ras reads what ras-mc-ctl prints of rasdaemon's database, of the EDAC
// counters and of the labels of memory sockets.
//
// Sources: util/ras-mc-ctl.in of rasdaemon 0.6 to 0.8.5, a script in Perl, and
// util/ras_db.py, ras_dimm.py and display_table.py of what follows, in Python
// (ras-mc-ctl database --summary, database --errors, dimm --error-count, ...).
//
// The script has a section only for what rasdaemon was built with, so a section
// that the text lacks says nothing. Sections are told by their headers, because
// blank lines between them are irregular. Its database may be older than itself
// and lack a table; then it ends there, with an error and exit code 2, and what
// would follow is missing, not zero. The error stands where it happened, or
// before everything else where output and errors went to one file.
//
// The form in Python prints no section that is empty, so it never says "none".
package ras

import (
	"io"
	"strings"

	"hwcap/parse/fact"
)

const (
	maxLine      = 64 << 10 // bytes; the rest of a longer line is skipped
	maxRows      = 100_000  // rows and sections kept in all; the database may hold years
	maxKept      = 32 << 20 // bytes of their lines
	maxContinued = 32       // lines that go on with a row of --errors
	maxWrapped   = 4        // lines that a row of --summary is wrapped into
	maxMessage   = 8 << 10  // bytes of a row of several lines
	maxProblems  = 100
)

// ParseSummary reads ras-mc-ctl --summary. Each row has its count, which is that
// of records: one can stand for several errors of a memory module. Severity and
// device (a DIMM label, a disk, a CPU) are there where the row names them. Where
// the script died on a missing table, the section of that table is there with
// Cut, and those after it are not; a header without rows is Cut too. file is the
// name for places.
func ParseSummary(r io.Reader, file string) ([]fact.RASSection, []fact.Problem, fact.Unread, error) {
	return parse(r, file, false)
}

// ParseErrors reads ras-mc-ctl --errors: as ParseSummary, with the time and, for
// PCIe errors, the address of each. The count is what the row says for memory
// and Arm processors, 1 otherwise.
func ParseErrors(r io.Reader, file string) ([]fact.RASSection, []fact.Problem, fact.Unread, error) {
	return parse(r, file, true)
}

// parser reads the sections of one output.
type parser struct {
	text
	errors   bool // it is that of --errors
	sections []fact.RASSection
	open     int             // index of the section whose rows come, -1 for none
	seen     map[string]bool // headers
	named    map[string]int  // sections of the form in Python, by name
	host     string          // whose records come, in Python's form
	ended    bool            // what follows is another output

	row       strings.Builder // of --errors: not yet complete; of --summary: no row so far
	rowAt     fact.Line
	rowLines  int
	vendorSev string // severity over the rows of a vendor's section

	failed bool // ras-mc-ctl reported an error
	failAt fact.Line
}

func parse(r io.Reader, file string, errors bool) ([]fact.RASSection, []fact.Problem, fact.Unread, error) {
	p := parser{text: newText(file), errors: errors, open: -1, seen: map[string]bool{}, named: map[string]int{}}
	err := p.lines(r, p.line)
	p.finishRow()
	cut := false
	for i := range p.sections {
		s := &p.sections[i]
		s.Cut = s.Cut || !s.None && len(s.Rows) == 0
		cut = cut || s.Cut
	}
	switch {
	case err != nil && len(p.sections) > 0:
		p.sections[len(p.sections)-1].Cut = true
	case p.failed && !cut && len(p.sections) > 0:
		p.sections = append(p.sections, fact.RASSection{Name: "unknown", Cut: true, At: p.failAt})
	}
	return p.sections, p.problems, p.unread, err
}

// line reads one line.
func (p *parser) line(line string, at fact.Line) {
	switch {
	case line == "":
		p.unread.Ignored++
		p.finishRow()
	case p.ended:
		p.unread.Lines++
	case isWarning(line):
		p.unread.Ignored++
	case isFailure(line):
		p.fail(line, at)
	case p.header(line, at), p.database(line, at):
	case p.errors:
		p.errorLine(line, at)
	default:
		p.summaryLine(line, at)
	}
}

// header opens a section.
func (p *parser) header(line string, at fact.Line) bool {
	h, ok := headerOf(line)
	if !ok || !h.none && h.errors != p.errors {
		return false
	}
	p.finishRow()
	if p.seen[h.words] {
		p.ended = true
		p.refuse(at, line, 1, "begins a second output, which is not read")
		return true
	}
	p.seen[h.words] = true
	p.vendorSev = ""
	p.open = -1
	if !p.room(at, len(at.Text)) {
		return true
	}
	if !h.none {
		p.open = len(p.sections)
	}
	p.sections = append(p.sections, fact.RASSection{Name: h.name, None: h.none, At: at})
	return true
}

// keep adds a row to the section.
func (p *parser) keep(section int, event fact.RASEvent, at fact.Line) {
	event.At = at
	s := &p.sections[section]
	if !p.room(at, len(at.Text)+len(event.Message)) {
		s.Cut = true
		return
	}
	s.Rows = append(s.Rows, event)
}

// summaryLine reads a row of --summary. One that is none may be the first part
// of one that a mailer wrapped.
func (p *parser) summaryLine(line string, at fact.Line) {
	if p.open < 0 {
		p.refuse(at, line, 1, "stands in no section")
		return
	}
	name := p.sections[p.open].Name
	if severity, ok := strings.CutSuffix(line, " errors:"); ok && name == vendorSection {
		p.finishRow()
		p.vendorSev = severity
		return
	}
	event, ok := summaryRow(name, line)
	if ok {
		p.finishRow()
	} else if p.rowLines > 0 && p.rowLines < maxWrapped && p.row.Len() < maxMessage {
		p.row.WriteByte(' ')
		p.row.WriteString(line)
		p.rowLines++
		if event, ok = summaryRow(name, p.row.String()); !ok {
			return
		}
		at = p.rowAt
		p.row.Reset()
		p.rowLines = 0
	} else {
		p.finishRow()
		p.startRow(line, at)
		return
	}
	if name == vendorSection {
		event.Severity = p.vendorSev
	}
	p.keep(p.open, event, at)
}

// errorLine reads a line of --errors: the beginning of a row, or more of it.
// Data of CXL devices and messages of devlink have several lines, and a mailer
// wraps long ones.
func (p *parser) errorLine(line string, at fact.Line) {
	_, _, starts := rowStart(line)
	switch {
	case starts:
		p.finishRow()
		p.startRow(line, at)
	case p.rowLines > 0 && p.rowLines < maxContinued:
		if p.row.Len() < maxMessage {
			p.row.WriteByte(' ')
			p.row.WriteString(line[:min(len(line), maxMessage)])
		}
		p.rowLines++
	default:
		p.finishRow()
		p.refuse(at, line, 1, "stands in no section")
	}
}

func (p *parser) startRow(line string, at fact.Line) {
	p.row.WriteString(line)
	p.rowAt, p.rowLines = at, 1
}

// finishRow ends the row at hand.
func (p *parser) finishRow() {
	if p.rowLines == 0 {
		return
	}
	line, at, n := p.row.String(), p.rowAt, p.rowLines
	p.row.Reset()
	p.rowLines = 0
	if p.errors && p.open >= 0 {
		if event, ok := errorRow(p.sections[p.open].Name, line); ok {
			p.keep(p.open, event, at)
			return
		}
	}
	p.refuse(at, line, n, "is no row of its section")
}
