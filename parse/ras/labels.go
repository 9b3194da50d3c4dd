package ras

import (
	"io"
	"strconv"
	"strings"

	"hwcap/parse/fact"
)

// ParseErrorCount reads ras-mc-ctl --error-count: label, corrected and
// uncorrected errors of each DIMM since the EDAC driver was loaded, in the order
// of the text, which is random. A label may hold blanks or be empty.
func ParseErrorCount(r io.Reader, file string) ([]fact.DIMMCount, []fact.Problem, fact.Unread, error) {
	var counts []fact.DIMMCount
	t, started := newText(file), false
	err := t.lines(r, func(line string, at fact.Line) {
		fields := strings.Fields(line)
		n := len(fields)
		switch {
		case n == 0:
			t.unread.Ignored++
			return
		case n == 3 && fields[0] == "Label" && fields[1] == "CE" && fields[2] == "UE":
			started = true
			t.unread.Ignored++
			return
		case started && n >= 2:
			ce, errC := strconv.ParseInt(fields[n-2], 10, 64)
			ue, errU := strconv.ParseInt(fields[n-1], 10, 64)
			if errC == nil && errU == nil {
				if t.room(at, 2*len(at.Text)) {
					counts = append(counts, fact.DIMMCount{Label: strings.Join(fields[:n-2], " "), Corrected: ce, Uncorrected: ue, At: at})
				}
				return
			}
		}
		t.refuse(at, line, 1, "is no count of a DIMM")
	})
	return counts, t.problems, t.unread, err
}

// ParseLabels reads ras-mc-ctl --print-labels, a table of columns of fixed
// width, or --guess-labels, which takes both names from DMI.
func ParseLabels(r io.Reader, file string) ([]fact.DIMMLabel, []fact.Problem, fact.Unread, error) {
	var labels []fact.DIMMLabel
	t, labelAt, sysfsAt := newText(file), 0, 0
	err := t.lines(r, func(line string, at fact.Line) {
		l, ok := guessedLabel(line)
		raw := strings.ReplaceAll(at.Text, "\u00a0", " ")
		switch {
		case line == "" || isWarning(line):
			t.unread.Ignored++
			return
		case strings.HasPrefix(line, "LOCATION "):
			labelAt, sysfsAt = strings.Index(raw, "CONFIGURED LABEL"), strings.Index(raw, "SYSFS CONTENTS")
			t.unread.Ignored++
			return
		case !ok && labelAt > 0 && sysfsAt > labelAt:
			l, ok = printedLabel(raw, labelAt, sysfsAt)
		}
		if !ok {
			t.refuse(at, line, 1, "is no label of a memory socket")
		} else if t.room(at, 2*len(raw)) {
			l.At = at
			labels = append(labels, l)
		}
	})
	return labels, t.problems, t.unread, err
}

// guessedLabel reads "memory stick 'A1' is located at 'NODE 0'".
func guessedLabel(line string) (l fact.DIMMLabel, ok bool) {
	rest, ok := strings.CutPrefix(line, "memory stick '")
	label, location, cut := strings.Cut(rest, "' is located at '")
	location, closed := strings.CutSuffix(location, "'")
	return fact.DIMMLabel{Location: location, Label: label}, ok && cut && closed
}

// printedLabel reads a row of --print-labels, whose columns begin where the
// headings do; a longer value moves those behind it. The place is empty where
// sysfs has no such module, and the last column then says so.
func printedLabel(row string, labelAt, sysfsAt int) (l fact.DIMMLabel, ok bool) {
	if len(row) <= labelAt {
		return l, false
	}
	l.Location = strings.Trim(row[:labelAt], "> ")
	l.Label = strings.TrimSpace(row[labelAt:min(len(row), sysfsAt)])
	if len(row) > sysfsAt {
		l.InSysfs = strings.TrimSpace(row[sysfsAt:])
	}
	if place, missing := strings.CutSuffix(l.InSysfs, " missing"); missing {
		if l.Location == "" {
			l.Location = place
		}
		l.InSysfs = ""
	}
	return l, l.Label != "" && l.Location != ""
}

// ParseLayout reads ras-mc-ctl --layout, a drawn table: above its columns one
// line for each layer but the last, whose places are the rows. Cells are told by
// the bars between them, because wide numbers move them.
func ParseLayout(r io.Reader, file string) ([]fact.DIMMSize, []fact.Problem, fact.Unread, error) {
	l := layout{text: newText(file)}
	err := l.lines(r, l.line)
	return l.sizes, l.problems, l.unread, err
}

type layout struct {
	text
	layers [][]string // names of the places, from the controllers down
	sizes  []fact.DIMMSize
}

func (l *layout) line(line string, at fact.Line) {
	if strings.Trim(line, "-+") == "" { // blank, or drawn
		l.unread.Ignored++
		return
	}
	name, rest, ok := strings.Cut(line, "|")
	rest, closed := strings.CutSuffix(rest, "|")
	name = strings.TrimSuffix(strings.TrimSpace(name), ":")
	cells := strings.Split(rest, "|")
	for i := range cells {
		cells[i] = strings.TrimSpace(cells[i])
		ok = ok && len(cells[i]) <= longestName
	}
	switch {
	case !ok || !closed || len(name) > longestName || name == "" && len(l.layers) >= maxLayers:
		l.refuse(at, line, 1, "is no row of the table")
	case name == "":
		l.layers = append(l.layers, cells)
		l.unread.Ignored++
	default:
		for i, cell := range cells {
			size, ok := mebibytes(cell)
			if !ok {
				l.refuse(at, line, 1, "has a cell that is no size")
				return
			}
			place := ""
			for _, layer := range l.layers {
				place += layer[i*len(layer)/len(cells)] + " "
			}
			if !l.room(at, len(place)+len(name)) {
				return
			}
			l.sizes = append(l.sizes, fact.DIMMSize{Location: place + name, SizeMiB: size, At: at})
		}
	}
}

// maxLayers is more than EDAC's three (EDAC_MAX_LAYERS of
// include/linux/edac.h) and the controller.
const maxLayers = 8

// mebibytes reads "32768 MB" or "32 GB" (the form in Python, Debian's package);
// a cell of the former is empty where nothing is.
func mebibytes(cell string) (int64, bool) {
	fields := strings.Fields(cell)
	if len(fields) == 0 {
		return 0, true
	}
	if len(fields) != 2 {
		return 0, false
	}
	n, err := strconv.ParseInt(fields[0], 10, 32)
	power := strings.Index("MGTP", strings.TrimSuffix(fields[1], "B"))
	if err != nil || n < 0 || power < 0 || len(fields[1]) != 2 {
		return 0, false
	}
	return n << (10 * power), true
}

// Mainboard reads ras-mc-ctl --mainboard: vendor and model.
func Mainboard(r io.Reader, file string) (fact.Val[string], fact.Unread, error) {
	return oneLine(r, file, "mainboard: ")
}

// Status reads ras-mc-ctl --status out of a text of which it may be a part: the
// whole line, "ras-mc-ctl: drivers are loaded.".
func Status(r io.Reader, file string) (fact.Val[string], fact.Unread, error) {
	return oneLine(r, file, "")
}

// Told tells what a line of ras-mc-ctl itself says: whether drivers are loaded,
// or what the mainboard is.
func Told(line string) (status, mainboard bool) {
	rest, ok := strings.CutPrefix(line, "ras-mc-ctl")
	rest = strings.TrimPrefix(rest, ".py")
	return ok && (rest == ": drivers are loaded." || rest == ": drivers not loaded."), ok && strings.HasPrefix(rest, ": mainboard: ")
}

// oneLine returns the first line of its kind, from behind mark.
func oneLine(r io.Reader, file, mark string) (fact.Val[string], fact.Unread, error) {
	var v fact.Val[string]
	t := newText(file)
	err := t.lines(r, func(line string, at fact.Line) {
		status, mainboard := Told(line)
		switch {
		case line == "":
			t.unread.Ignored++
		case v.IsZero() && (mark == "" && status || mark != "" && mainboard):
			v = fact.Of(line[strings.Index(line, mark)+len(mark):], at)
		default:
			t.unread.Lines++
		}
	})
	return v, t.unread, err
}
