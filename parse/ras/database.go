package ras

import (
	"strconv"
	"strings"

	"hwcap/parse/fact"
)

// database reads a line of the form in Python, where it is one:
//
//	Hostname: host
//	  aer_event:
//	    err_type=Corrected, err_msg=Receiver Error: 2 event(s)
//	  disk_errors: 7 event(s)
//	  2026-01-02 03:04:05 +0000 aer_event: id=1, dev_name=0000:01:00.0, ...
//
// A database can serve several hosts; only the records of the first are kept.
func (p *parser) database(line string, at fact.Line) bool {
	if host, ok := strings.CutPrefix(line, "Hostname: "); ok {
		p.finishRow()
		if p.host != "" && p.host != host {
			p.ended = true
			p.refuse(at, line, 1, "begins the records of a second host, which are not read")
			return true
		}
		p.host, p.open = host, -1
		p.unread.Ignored++
		return true
	}
	if p.errors {
		return p.host != "" && p.record(line, at)
	}
	if groups, ok := strings.CutSuffix(line, " event(s)"); ok {
		groups, count, ok := cutLast(groups, ": ")
		n, err := strconv.Atoi(count)
		if !ok || err != nil {
			return false
		}
		p.finishRow()
		p.group(groups, n, at)
		return true
	}
	if table, ok := strings.CutSuffix(line, ":"); ok && p.host != "" && isName(table) {
		p.finishRow()
		p.openTable(table, at)
		return true
	}
	return false
}

// group adds the count of a group of records: of a table, or of those with the
// same values in some columns.
func (p *parser) group(text string, n int, at fact.Line) {
	table, named := strings.CutPrefix(text, "table=") // --errors-per-table
	if named || isName(text) {
		p.openTable(table, at)
		if p.open >= 0 {
			p.keep(p.open, fact.RASEvent{Count: n, Message: text}, at)
		}
		return
	}
	if p.open < 0 {
		p.refuse(at, text, 1, "stands in no section")
		return
	}
	event := eventOf(text)
	event.Count = n
	p.keep(p.open, event, at)
}

// record adds one record.
func (p *parser) record(line string, at fact.Line) bool {
	time, rest, ok := cutTime(line)
	table, columns, cut := strings.Cut(rest, ": ")
	if !ok || !cut || !isName(table) {
		return false
	}
	p.finishRow()
	p.openTable(table, at)
	if p.open < 0 {
		return true
	}
	event := eventOf(columns)
	event.Time = time
	p.keep(p.open, event, at)
	return true
}

// openTable opens the section of a table. Records come in the order of time, so
// that their sections take turns.
func (p *parser) openTable(table string, at fact.Line) {
	name := sectionOf(table)
	i, ok := p.named[name]
	if !ok {
		if !p.room(at, len(at.Text)) {
			p.open = -1
			return
		}
		i = len(p.sections)
		p.named[name] = i
		p.sections = append(p.sections, fact.RASSection{Name: name, At: at})
	}
	p.open = i
}

// eventOf reads the columns of a record, "id=1, err_type=Corrected, ...". The
// message is that column, or all where there is none.
func eventOf(columns string) fact.RASEvent {
	event := fact.RASEvent{Count: 1, Message: columns}
	for rest := columns; rest != ""; {
		var column string
		column, rest = cutColumn(rest)
		key, v, _ := strings.Cut(column, "=")
		switch key {
		case "err_msg":
			event.Message = v
		case "err_type", "severity", "err_severity":
			event.Severity = v
			if _, name, ok := strings.Cut(v, " ("); ok && key == "severity" { // "2 (corrected)"
				event.Severity = strings.TrimSuffix(name, ")")
			}
		case "label", "dev_name", "dev", "memdev":
			event.Device = v
		case "mpidr":
			event.Device = "CPU(mpidr=" + v + ")"
		case "module_id", "sub_module_id":
			if event.Device == "" {
				event.Device = v
			}
		case "err_count", "error_count":
			if n, err := strconv.Atoi(v); err == nil && n > 0 {
				event.Count = n
			}
		}
	}
	if event.Severity == "" {
		event.Severity = mceSeverity(columns)
	}
	return event
}

// cutColumn cuts the first column off. A value may hold commas; the next column
// begins behind one with a name and "=".
func cutColumn(s string) (column, rest string) {
	for i := 0; ; {
		comma := strings.Index(s[i:], ", ")
		if comma < 0 {
			return s, ""
		}
		i += comma + len(", ")
		if name, _, ok := strings.Cut(s[i:min(len(s), i+longestName)], "="); ok && isName(name) {
			return s[:i-len(", ")], s[i:]
		}
	}
}

const longestName = 64

// isName reports whether s is the name of a table or column.
func isName(s string) bool {
	for _, c := range []byte(s) {
		if (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '_' {
			return false
		}
	}
	return s != "" && len(s) <= longestName
}
