package render

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"hwcap/parse/fact"
	"hwcap/parse/judge"
	"hwcap/render/device"
	"hwcap/render/escape"
)

// Table is a table of the report. Its cells are Markdown.
type Table struct {
	Columns []Column
	Rows    [][]string
}

// Column is the head of a table's column.
type Column struct {
	Label string // key of the label
	Rule  string // "---", "---:" for numbers
}

const (
	left  = "---"
	right = "---:"
)

// filled returns t without the columns in which nothing stands: what a text
// does not print is no column of its report.
func (t Table) filled() Table {
	var out Table
	out.Rows = make([][]string, len(t.Rows))
	for c, column := range t.Columns {
		if !slices.ContainsFunc(t.Rows, func(row []string) bool { return row[c] != "" }) {
			continue
		}
		out.Columns = append(out.Columns, column)
		for i, row := range t.Rows {
			out.Rows[i] = append(out.Rows[i], escape.Cell(row[c]))
		}
	}
	return out
}

// printed says which of a function's links and drivers the capture prints at
// all, so that lacking one of them means something.
func (r *Report) printed() (links, drivers bool) {
	for i := range r.Machine.PCI {
		d := &r.Machine.PCI[i]
		links = links || r.link(d) != ""
		drivers = drivers || d.DriverKnown || d.Driver != "" || len(d.Modules) > 0
	}
	return links, drivers
}

func (r *Report) listed(d *fact.Device) bool {
	return r.link(d) != "" || d.Driver != "" || len(d.Modules) > 0
}

// Devices lists the functions that have a link, a driver or modules; all where
// the capture prints none of these.
func (r *Report) Devices() Table {
	t := Table{Columns: []Column{{"address", left}, {"device", left}, {"link-now-most", left}, {"driver", left}, {"group", left}}}
	links, drivers := r.printed()
	for i := range r.Machine.PCI {
		d := &r.Machine.PCI[i]
		if !r.listed(d) && (links || drivers) {
			continue
		}
		name := r.catalogue.Kind(d, r.Lang)
		if s := device.Short(d); s != "" {
			name += ": " + escape.Markdown(s)
		}
		t.Rows = append(t.Rows, []string{escape.Code(d.Address), name, r.link(d), span(d.Driver), escape.Markdown(d.IOMMUGroup)})
	}
	return t.filled()
}

// OtherDevices says how many functions Devices leaves out, and for what; a
// server's processor alone brings dozens of internal ones. Where the capture
// prints no links or no drivers, it says that.
func (r *Report) OtherDevices() string {
	links, drivers := r.printed()
	n := 0
	for i := range r.Machine.PCI {
		if !r.listed(&r.Machine.PCI[i]) {
			n++
		}
	}
	key := "devices-other"
	switch {
	case len(r.Machine.PCI) == 0:
		return ""
	case !links && !drivers:
		return r.label("devices-bare")
	case !links && n == 0:
		return r.label("devices-no-links")
	case n == 0:
		return ""
	case !links:
		key = "devices-other-driver"
	case !drivers:
		key = "devices-other-link"
	}
	if n == 1 {
		return r.label(key)
	}
	return fmt.Sprintf(r.label(key+"s"), r.Numbers.Num(float64(n)))
}

// mostFigures is how many figures of benchmarks are listed.
const mostFigures = 60

// Measurements are the figures of benchmarks, as many as a table can hold.
func (r *Report) Measurements() Table {
	t := Table{Columns: []Column{{"tool", left}, {"what", left}, {"key-bits", right}, {"operation", left}, {"block", right}, {"rate", right}, {"per-second", right}, {"seconds", right}, {"threads", right}, {"place", left}}}
	for _, m := range r.Machine.Measurements[:min(mostFigures, len(r.Machine.Measurements))] {
		row := []string{r.tool(m), span(m.What), keyLength(m.KeyBits), r.operation(m), "", "", "", "", r.count(m.Threads), span(strings.TrimPrefix(place(m.From), "attach/"))}
		if m.Block > 0 {
			row[4] = r.Numbers.Size(int64(m.Block))
		}
		if v, ok := m.BytesPerSecond.Get(); ok {
			row[5] = r.Numbers.Size(int64(v)) + "/s"
			if m.Tool == "iperf3" { // networks count in bits
				row[5] = r.Numbers.Num(v*8/1e9, 2) + "\u00a0Gbit/s"
			}
		}
		if v, ok := m.PerSecond.Get(); ok {
			row[6] = r.Numbers.Num(v)
		}
		if m.Seconds > 0 {
			row[7] = r.Numbers.Num(m.Seconds, 1)
		}
		t.Rows = append(t.Rows, row)
	}
	return t.filled()
}

// tool names the program that measured, or says that somebody noted it.
func (r *Report) tool(m fact.Measurement) string {
	if m.Tool == "note" {
		return r.label("tool-note")
	}
	return escape.Markdown(m.Tool)
}

// operation is what a benchmark did, in the report's language.
func (r *Report) operation(m fact.Measurement) string {
	s, err := r.catalogue.Label(r.Lang, "operation-"+m.Operation)
	if err != nil {
		s = escape.Markdown(m.Operation)
	}
	if m.Side != "" {
		side, err := r.catalogue.Label(r.Lang, "side-"+m.Side)
		if err != nil {
			side = escape.Markdown(m.Side)
		}
		s += " (" + side + ")"
	}
	return s
}

// MoreMeasurements is how many figures there are if not all are listed, or 0.
func (r *Report) MoreMeasurements() int {
	if n := len(r.Machine.Measurements); n > mostFigures {
		return n
	}
	return 0
}

// Interfaces are the network interfaces that stand on a device, or of which
// ethtool speaks.
func (r *Report) Interfaces() Table {
	t := Table{Columns: []Column{{"interface", left}, {"address", left}, {"driver", left}, {"net-link", left}, {"net-speed", right}, {"duplex", left}, {"port", left}, {"firmware", left}}}
	for _, i := range r.Machine.Net {
		if i.Name == "lo" || i.Device == "" && i.Ethtool == nil {
			continue
		}
		e := fact.Ethtool{}
		if i.Ethtool != nil {
			e = *i.Ethtool
		}
		row := []string{span(i.Name), span(i.Device), span(i.Driver), "", "", words(escape.Markdown, i.Duplex), words(escape.Markdown, e.Port), words(escape.Markdown, e.Firmware)}
		up, known := e.Link.Get()
		if c, ok := i.Carrier.Get(); ok && !known {
			up, known = c == "1", true
		}
		if known {
			row[3] = r.label(map[bool]string{true: "yes", false: "no"}[up])
		}
		if known && !up { // some drivers print a speed all the same
			row[5] = ""
		} else if v, ok := i.Speed.Get(); ok {
			row[4] = r.Numbers.Num(float64(v))
		}
		t.Rows = append(t.Rows, row)
	}
	t = t.filled()
	if len(t.Columns) < 2 { // names alone
		return Table{}
	}
	return t
}

// Denied are the sources that could not be read for lack of rights.
func (r *Report) Denied() Table {
	t := Table{Columns: []Column{{"source", left}, {"path", left}, {"reason", left}}}
	for _, s := range r.Machine.Sources {
		if s.State == fact.Denied {
			t.Rows = append(t.Rows, []string{escape.Code(s.Name), escape.Code(s.Path), r.reason(s)})
		}
	}
	return t.filled()
}

// RootAdds says what root would add beyond the sources that were denied, or
// that nothing shows it.
func (r *Report) RootAdds() string {
	rights, denied := judge.RightsOf(r.Machine), len(r.Denied().Rows)
	switch n := judge.DeniedCapabilities(r.Machine); {
	case n > 0:
		return fmt.Sprintf(r.label("root-adds-capabilities"), r.Numbers.Num(float64(n)), r.Numbers.Num(float64(len(r.Machine.PCI))))
	case denied > 0:
		return ""
	case rights == judge.RightsUnknown:
		return r.label("rights-unknown")
	}
	return r.label("root-adds-nothing")
}

// Sources are the capture's sources: first what is not there, then the rest.
func (r *Report) Sources() Table {
	rank := func(s fact.Source) int {
		return slices.Index([]fact.State{fact.Failed, fact.TimedOut, fact.Truncated, fact.Denied, fact.Redacted, fact.Absent, fact.NotAsked, fact.Empty, fact.Present}, s.State)
	}
	sorted := slices.Clone(r.Machine.Sources)
	slices.SortStableFunc(sorted, func(a, b fact.Source) int { return cmp.Compare(rank(a), rank(b)) })
	t := Table{Columns: []Column{{"source", left}, {"holds", left}, {"state", left}, {"size", right}, {"reason", left}}}
	for _, s := range sorted {
		size := ""
		if s.Bytes > 0 {
			size = r.Numbers.Size(s.Bytes)
		}
		t.Rows = append(t.Rows, []string{escape.Code(s.Name), r.holds(s), r.label("state-" + string(s.State)), size, r.reason(s)})
	}
	return t.filled()
}

// holds says in a few words what a source holds.
func (r *Report) holds(s fact.Source) string {
	if file, attached := strings.CutPrefix(s.Path, "attach/"); attached {
		return fmt.Sprintf(r.label("attached"), escape.Code(file))
	}
	return escape.Markdown(r.catalogue.Source(s.Name, r.Lang))
}

// RootIntro says of the sources that were denied what would give them.
func (r *Report) RootIntro() string {
	if judge.RightsOf(r.Machine) == judge.AsRoot {
		return r.label("root-denied-intro")
	}
	return r.label("root-adds-intro")
}

// reason writes why a source is not whole, without the path that the source
// has.
func (r *Report) reason(s fact.Source) string {
	why := s.Why
	if s.Path != "" && strings.HasSuffix(why, " /"+s.Path+": no such file or directory") {
		why = "no such file"
	}
	return escape.Markdown(r.catalogue.Reason(why, r.Lang))
}

// count writes a number that is there.
func (r *Report) count(n int) string {
	if n == 0 {
		return ""
	}
	return r.Numbers.Num(float64(n))
}

// keyLength writes the bits of a key as its name does: 2048.
func keyLength(bits int) string {
	if bits == 0 {
		return ""
	}
	return strconv.Itoa(bits)
}

// span writes s as code, nothing for nothing.
func span(s string) string {
	if s == "" {
		return ""
	}
	return escape.Code(s)
}
