package measure

import (
	"bytes"
	"io"
	"math"
	"slices"
	"strings"

	"hwcap/parse/fact"
)

// ParseNotes reads the tables of figures that a person wrote. A heading names
// the columns: "implementation", at least one unit of [noteUnits], and as it may
// be "block" (with its unit, "4 KiB"; without one, bytes), "workers" and
// "operation"; others are passed over. Columns are parted by "|" (Markdown), by
// tabs or by two blanks. A cell may list values, "4 / 16 / 64 KiB": then the
// row stands for as many rows, and each cell has one value or that many.
//
//	implementation     block               workers  MiB/s
//	xts-aes-vaes-avx2  4 / 16 / 64 KiB     1        1157.2 / 2681.2 / 4327.2
//	qat_aes_xts        16 KiB              8 / 16   1714.5 / 2926.7
//
// What the tool was and which clock counted, a note does not tell in a form that
// is read; Tool is "note".
func ParseNotes(r io.Reader, file string) (*Result, error) {
	p := notes{book: newBook(file)}
	err := p.read(r, p.line)
	return &p.Result, err
}

const noteTool = "note"

// noteUnits are the units of a column of figures, in bytes a second; 0 is
// operations a second. Case tells bits from bytes, so it counts.
var noteUnits = map[string]float64{
	"KiB/s": 1 << 10, "MiB/s": 1 << 20, "GiB/s": 1 << 30,
	"kB/s": 1e3, "MB/s": 1e6, "GB/s": 1e9,
	"kbit/s": 1e3 / 8, "Mbit/s": 1e6 / 8, "Gbit/s": 1e9 / 8,
	"op/s": 0,
}

// blockUnits are those of a block's size, in bytes.
var blockUnits = map[string]float64{
	"": 1, "B": 1, "byte": 1, "bytes": 1, "KiB": 1 << 10, "MiB": 1 << 20, "kB": 1e3, "MB": 1e6,
}

// mostListed bounds the values of one cell.
const mostListed = 64

type notes struct {
	book
	columns []string // of the table at hand, as named; nil outside of one
}

func (p *notes) line(text string, at fact.Line) reading {
	cells := noteCells(text)
	switch {
	case isNoteHeading(cells):
		p.columns = cells
		return known
	case p.columns == nil:
		return unknown
	case isRule(text):
		return ignored
	case len(cells) != len(p.columns):
		if strings.HasPrefix(text, "|") {
			p.problem(at, "has another number of cells than the heading")
			return known
		}
		p.columns = nil // prose: the table is over
		return unknown
	}
	return p.row(cells, at)
}

// row reads the cells of one line, and makes a measurement of each value of each
// column with a unit.
func (p *notes) row(cells []string, at fact.Line) reading {
	listed := make([][]string, len(cells))
	n := 1
	for i, cell := range cells {
		if !isListed(p.columns[i]) {
			continue
		}
		listed[i] = noteValues(cell)
		if k := len(listed[i]); k > 1 && n > 1 && k != n || k > mostListed {
			p.problem(at, "lists another number of values in one cell than in the other")
			return known
		} else if k > 1 {
			n = k
		}
	}
	for i := range n {
		value := func(column int) string {
			if v := listed[column]; len(v) > 0 {
				return v[min(i, len(v)-1)]
			}
			return strings.Trim(cells[column], "`* ")
		}
		m := fact.Measurement{Tool: noteTool, From: at}
		for c, name := range p.columns {
			if read := noteColumns[name]; read != nil && !read(&m, value(c)) {
				p.problem(at, "has no "+name+" that can be read")
				return known
			}
		}
		for c, name := range p.columns {
			unit, isRate := noteUnits[name]
			if !isRate {
				continue
			}
			figure, ok := noteFigure(m, value(c), unit)
			if !ok {
				p.problem(at, "has no "+name+" that can be read")
				return known
			}
			p.add(figure)
		}
	}
	return known
}

// noteColumns read what a figure is about.
var noteColumns = map[string]func(m *fact.Measurement, value string) bool{
	"implementation": func(m *fact.Measurement, value string) bool {
		m.What = value
		return value != ""
	},
	"operation": func(m *fact.Measurement, value string) bool {
		m.Operation = value
		return true
	},
	"block": func(m *fact.Measurement, value string) (ok bool) {
		m.Block, ok = blockSize(value)
		return ok
	},
	"workers": func(m *fact.Measurement, value string) bool {
		n, ok := whole(value)
		m.Threads = int(n)
		return ok && n <= 1<<20
	},
}

// noteFigure puts a figure to m; "-" or nothing says that there is none.
func noteFigure(m fact.Measurement, value string, unit float64) (fact.Measurement, bool) {
	v := fact.Missing[float64](fact.Absent, m.From)
	if value != "" && value != "-" && !strings.EqualFold(value, "n/a") {
		n, ok := decimal(value)
		if !ok || n > math.MaxFloat64/(1<<30) {
			return m, false
		}
		if unit > 0 {
			n *= unit
		}
		v = fact.Of(n, m.From)
	}
	if unit > 0 {
		m.BytesPerSecond = v
	} else {
		m.PerSecond = v
	}
	return m, true
}

// blockSize reads "4 KiB", "1400 bytes", "16384"; "" is no size.
func blockSize(s string) (int, bool) {
	if s == "" || s == "-" {
		return 0, true
	}
	n, unit := leading(s)
	size := float64(n) * blockUnits[strings.TrimSpace(unit)]
	return int(size), size > 0 && size <= 1<<40
}

// isListed reports whether the cells of a column may list values.
func isListed(column string) bool {
	_, rate := noteUnits[column]
	return rate || column == "block" || column == "workers"
}

// noteValues parts a list, "4 / 16 / 64 KiB". A unit behind the last value is
// that of all which have none.
func noteValues(cell string) []string {
	if strings.EqualFold(cell, "n/a") {
		return []string{cell}
	}
	values := strings.Split(cell, "/")
	last := strings.TrimSpace(values[len(values)-1])
	_, unit := leading(last)
	for i, v := range values {
		values[i] = strings.TrimSpace(v)
		if _, own := leading(values[i]); own == "" && values[i] != "" && strings.HasPrefix(unit, " ") {
			values[i] += unit
		}
	}
	return values
}

// noteCells parts a line into its cells, without the blanks around them.
func noteCells(text string) []string {
	if strings.Contains(text, "|") {
		cells := strings.Split(strings.TrimSuffix(strings.TrimPrefix(text, "|"), "|"), "|")
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		return cells
	}
	var cells []string
	for field := range strings.SplitSeq(text, "\t") {
		for cell := range strings.SplitSeq(field, "  ") {
			if cell = strings.TrimSpace(cell); cell != "" {
				cells = append(cells, cell)
			}
		}
	}
	return cells
}

// isNoteHeading reports whether cells name the columns of a table of figures.
func isNoteHeading(cells []string) bool {
	rate := slices.ContainsFunc(cells, func(c string) bool { _, ok := noteUnits[c]; return ok })
	return rate && slices.Contains(cells, "implementation")
}

// isRule matches the line below a heading, "| --- | ---: |" or "-----  ----".
func isRule(text string) bool { return strings.Trim(text, "-:|= \t") == "" }

// IsNotes reports whether a line is the heading of a table of figures.
func IsNotes(line []byte) bool {
	if len(line) > 400 || !bytes.Contains(line, []byte("implementation")) {
		return false
	}
	text := unquoted(string(line))
	return isNoteHeading(noteCells(text))
}
