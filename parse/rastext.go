package parse

import (
	"bytes"
	"encoding/json"
	"io"
	"slices"
	"strings"

	"hwcap/parse/fact"
	"hwcap/parse/lines"
	"hwcap/parse/mcelog"
	"hwcap/parse/ras"
)

// rasText reads an output of ras-mc-ctl that is a list.
func rasText[T any](parse func(io.Reader, string) ([]T, []fact.Problem, fact.Unread, error), into func(*fact.Machine) *fact.Val[[]T]) parser {
	return func(b *builder, r io.Reader, name string) parsed {
		list, problems, unread, err := parse(r, name)
		return parsed{amount: len(list), unread: unread, add: func() {
			*into(b.m) = valOf(list, name)
			b.note(name, err, problems)
		}}
	}
}

// rasLine reads an output of ras-mc-ctl that is one line of a text.
func rasLine(parse func(io.Reader, string) (fact.Val[string], fact.Unread, error), into func(*fact.Machine) *fact.Val[string]) parser {
	return func(b *builder, r io.Reader, name string) parsed {
		v, unread, err := parse(r, name)
		amount := 0
		if v.Known() {
			amount = 1
		}
		return parsed{amount: amount, unread: unread, add: func() {
			*into(b.m) = v
			b.note(name, err, nil)
		}}
	}
}

// mcelogText reads mcelog's log or its answer to --client.
func mcelogText(b *builder, r io.Reader, name string) parsed {
	res, err := mcelog.Parse(r, name)
	return parsed{amount: len(res.Checks) + len(res.DIMMs), unread: res.Unread, add: func() {
		if len(res.Checks) > 0 {
			b.machineChecks(res.Checks, name)
		}
		if len(res.DIMMs) > 0 {
			b.m.RAS.MCELog = valOf(res.DIMMs, name)
		}
		b.note(name, err, res.Problems)
	}}
}

// machineChecks adds those of one text. What a copy or a rotated log repeats
// counts once; what one text repeats happened again.
func (b *builder) machineChecks(list []fact.MachineCheck, name string) {
	key := func(c fact.MachineCheck) string {
		c.At = fact.Line{}
		text, _ := json.Marshal(c)
		return string(text)
	}
	fresh := slices.DeleteFunc(slices.Clone(list), func(c fact.MachineCheck) bool { return b.checks[key(c)] })
	for _, c := range fresh {
		b.checks[key(c)] = true
	}
	if into := &b.m.RAS.MachineChecks; into.Known() {
		into.V = append(into.V, fresh...)
	} else {
		*into = valOf(list, name)
	}
}

// edacText reads what grep printed of the counters of memory controllers,
// "/sys/devices/system/edac/mc/mc0/ce_count:0".
func edacText(b *builder, r io.Reader, name string) parsed {
	const longest, most = 4 << 10, 20_000 // bytes of a line, and lines
	type entry struct {
		path, value string
		at          fact.Line
	}
	var entries []entry
	u := fact.Unread{File: name}
	in := lines.New(r, name, longest)
	for in.Next() {
		u.Of++
		at := in.At()
		path, value, _ := strings.Cut(strings.TrimLeft(at.Text, "> \t"), ":")
		switch {
		case edacLine(in.Bytes()) && len(entries) < most:
			entries = append(entries, entry{path[1:], value, at})
		case strings.TrimSpace(at.Text) == "":
			u.Ignored++
		default:
			u.Lines++
		}
	}
	return parsed{amount: len(entries), unread: u, add: func() {
		for _, e := range entries {
			b.tree.AddLine(e.path, e.value, e.at)
		}
	}}
}

func edacLine(line []byte) bool {
	rest, ok := bytes.CutPrefix(bytes.TrimLeft(line, "> \t"), []byte("/sys/devices/system/edac/"))
	return ok && bytes.IndexByte(rest, ':') > 0
}

// rasSummaryLine and rasErrorLine match the headings of ras-mc-ctl's sections,
// and what both outputs hold. An error of the script ends both.
func rasSummaryLine(line []byte) bool {
	summary, _ := ras.Heading(line)
	return summary || bytes.HasPrefix(line, []byte("DBD::SQLite::db "))
}

func rasErrorLine(line []byte) bool {
	_, errors := ras.Heading(line)
	return errors || bytes.HasPrefix(line, []byte("DBD::SQLite::db "))
}

// rasCountHeading matches the heading of ras-mc-ctl --error-count's table.
func rasCountHeading(line []byte) bool {
	if !bytes.HasPrefix(line, []byte("Label")) {
		return false
	}
	columns := bytes.Fields(bytes.ReplaceAll(line, []byte("\u00a0"), []byte(" ")))
	return len(columns) == 3 && string(columns[1]) == "CE" && string(columns[2]) == "UE"
}

// rasLayoutRow matches a row of ras-mc-ctl --layout, "slot0: |  32768 MB  |".
func rasLayoutRow(line []byte) bool {
	return bytes.Contains(line[:min(len(line), 40)], []byte(": |")) && bytes.Contains(line, []byte("B  |"))
}

// rasLabelLine matches the heading of --print-labels and a line of
// --guess-labels.
func rasLabelLine(line []byte) bool {
	return bytes.HasPrefix(line, []byte("memory stick '")) || bytes.HasPrefix(line, []byte("LOCATION ")) && bytes.Contains(line, []byte("CONFIGURED LABEL"))
}

func rasStatusLine(line []byte) bool {
	status, _ := rasTold(line)
	return status
}

func rasMainboardLine(line []byte) bool {
	_, mainboard := rasTold(line)
	return mainboard
}

func rasTold(line []byte) (status, mainboard bool) {
	if !bytes.HasPrefix(line, []byte("ras-mc-ctl")) {
		return false, false
	}
	return ras.Told(string(line))
}
