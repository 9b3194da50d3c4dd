// Package mcelog reads what the daemon mcelog writes: its log of machine checks
// (/var/log/mcelog, syslog, mcelog --ascii with and without --raw) and its
// answer to mcelog --client, the memory errors by module.
//
// Sources: mcelog.c (dump_mce, dump_mce_raw_ascii), memdb.c (dump_dimm), p4.c,
// k8.c and intel.c of mcelog, versions 0.7 to 206.
package mcelog

import (
	"fmt"
	"io"
	"strings"

	"hwcap/parse/fact"
	"hwcap/parse/lines"
)

const (
	maxLine     = 4 << 10  // bytes; the rest of a longer line is skipped
	maxRecords  = 100_000  // records and modules kept in all
	maxKept     = 32 << 20 // bytes of their lines
	maxText     = 32       // lines of text of one record
	maxProblems = 100
)

// Result is what a text holds. Both lists are in its order.
type Result struct {
	Checks   []fact.MachineCheck
	DIMMs    []fact.DIMMCount
	Problems []fact.Problem
	Unread   fact.Unread
}

// Parse reads a text; file is the name for places. On a broken stream what came
// before is returned with the error.
func Parse(r io.Reader, file string) (Result, error) {
	p := parser{file: file, result: Result{Unread: fact.Unread{File: file}}}
	in := lines.New(r, file, maxLine)
	for in.Next() {
		p.result.Unread.Of++
		p.line(in.At())
	}
	p.end()
	return p.result, in.Err()
}

// IsRecord reports whether only the log of mcelog has such a line.
func IsRecord(line []byte) bool {
	text, logged := cutSyslog(string(line[:min(len(line), maxLine)]))
	text = unquote(text)
	if logged || isDisclaimer(text) {
		return true
	}
	if rest, ok := strings.CutPrefix(text, "CPU "); ok {
		_, bank, ok := strings.Cut(rest, " ")
		return ok && strings.HasPrefix(bank, "BANK ")
	}
	return strings.HasPrefix(text, "STATUS ") && strings.Contains(text, " MCGSTATUS ")
}

// IsModule reports whether only mcelog --client prints such a line.
func IsModule(line []byte) bool {
	const longest = 100
	if len(line) > longest {
		return false
	}
	_, ok := moduleOf(unquote(string(line)))
	return ok
}

// parser is the reader's state. Most lines belong to the record or module that
// is open.
type parser struct {
	file   string
	result Result
	logged bool // it is a syslog: other programs write there too
	check  *fact.MachineCheck
	status bool // the open record has its status, behind which it says little
	dimm   *fact.DIMMCount
	count  *int64 // of the open module: what the next total is of
	totals int    // that the open module has
	kept   int    // bytes
	full   bool
}

// end ends the text. It may break off inside a module, whose counters come in
// two halves.
func (p *parser) end() {
	p.endCheck()
	if p.dimm != nil && p.totals == 1 {
		p.problem(p.dimm.At.Text, p.dimm.At, "is all that is left of a module")
		p.dimm = nil
	}
	p.endDIMM()
}

func (p *parser) line(at fact.Line) {
	text, logged := cutSyslog(at.Text)
	p.logged = p.logged || logged
	text = unquote(text)
	switch {
	case p.logged && !logged, text == "":
		p.result.Unread.Ignored++
	case isDisclaimer(text), isNumber(text, "MCE "):
		p.endCheck()
		p.endDIMM()
		p.result.Unread.Ignored++
	case p.start(text, at), p.fields(text, at), p.module(text, at):
	case p.check != nil && !p.status:
		p.say(text, at)
	case isMessage(text):
		if p.check != nil {
			p.say(text, at)
		} else {
			p.result.Unread.Ignored++
		}
	default:
		p.endCheck()
		p.refuse(text, at, "is no line of mcelog")
	}
}

// cutSyslog cuts off what syslog or the journal puts before a line: "Jan  2
// 03:04:05 host mcelog[665]: ". A message of mcelog itself can begin with its
// name as well.
func cutSyslog(line string) (text string, logged bool) {
	const shortest, longest = len("00:00:00"), 200 // of what stands before it
	i := strings.Index(line[:min(len(line), longest)], " mcelog")
	if i < shortest {
		return line, false
	}
	rest := line[i+len(" mcelog"):]
	if pid, after, ok := strings.Cut(rest, "]: "); ok && isNumber(pid, "[") {
		return after, true
	}
	return strings.CutPrefix(rest, ": ")
}

// unquote drops the marks of quotation in a mail and the blanks around a text.
func unquote(text string) string {
	return strings.TrimSpace(strings.TrimLeft(strings.ReplaceAll(text, "\u00a0", " "), "> \t"))
}

// isDisclaimer reports whether a line begins a record, today or before version
// 1.0.
func isDisclaimer(text string) bool {
	return text == "Hardware event. This is not a software error." || strings.HasPrefix(text, "HARDWARE ERROR. This is *NOT* a software problem") ||
		text == "Please contact your hardware vendor"
}

// messages begin lines that stand between records or behind the status of one.
var messages = []string{
	"mcelog: ", "failed to prefill DIMM database", "Family ", "Unknown CPU type", "Kernel does not support page offline interface", "Running trigger",
	"Offlining page", "Soft offlining of page", "Location SOCKET:", "Corrected memory errors on page", "Warning: MCE buffer", "warning: ", "consider an update",
	"ERROR: ", "CPU is unsupported", "Cannot open", "(Fields were incomplete)", "Resolving address", "WARNING: SMBIOS", "WARNING: with --dmi",
}

func isMessage(text string) bool {
	for _, m := range messages {
		if strings.HasPrefix(text, m) {
			return true
		}
	}
	return strings.Contains(text, " exceeded threshold") || strings.HasPrefix(text, "CPU ") && strings.Contains(text, " has large number of corrected errors")
}

// say adds a line of text to the open record.
func (p *parser) say(text string, at fact.Line) {
	switch {
	case text == "MCi status:", text == "MCG status:":
		p.result.Unread.Ignored++
	case len(p.check.Text) < maxText && p.kept <= maxKept:
		p.check.Text = append(p.check.Text, text)
		p.kept += len(at.Text)
	default:
		p.refuse(text, at, "is one line too many in its record, or in all")
	}
}

// room reports whether one more record or module is kept. It says once that it
// is not.
func (p *parser) room(at fact.Line, more int) bool {
	p.kept += len(at.Text) + more
	if len(p.result.Checks)+len(p.result.DIMMs) < maxRecords && p.kept <= maxKept {
		return true
	}
	if !p.full {
		p.full = true
		p.problem(at.Text, at, fmt.Sprintf("and what follows is beyond the %d records that are kept, or their %d MiB", maxRecords, maxKept>>20))
	}
	return false
}

// refuse counts a line that gave no fact.
func (p *parser) refuse(text string, at fact.Line, what string) {
	p.result.Unread.Lines++
	p.problem(text, at, what)
}

func (p *parser) problem(text string, at fact.Line, what string) {
	const few = 120
	if len(p.result.Problems) < maxProblems {
		p.result.Problems = append(p.result.Problems, fact.Problem{File: p.file, Line: at.Line, Text: fmt.Sprintf("%q %s", text[:min(len(text), few)], what)})
	}
}
