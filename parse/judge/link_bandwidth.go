package judge

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"

	"hwcap/parse/fact"
)

// bandwidthMessage decodes the kernel's lines on the bandwidth that a device
// has (__pcie_print_link_status in drivers/pci/pci.c), and joins each with the
// link that it names. The kernel multiplies the slowest link on the way by its
// width; what is true of that link is told by the rules on links.
var bandwidthMessage = Rule{
	ID:      "pcie-bandwidth-message",
	Area:    Links,
	Sources: []string{"kmsg", "dmesg", "journal-k", "lspci-vvv", "pci"},
	// rows are of device, availableGbps, limitDevice, limitSpeedGTs,
	// limitWidthLanes, capableGbps, capableSpeedGTs, capableWidthLanes,
	// nowSpeedGTs and nowWidthLanes of the link that is named (0: not read), and
	// graphics; unchanged says that all of these links were read and stand so
	// still. before and after are two such rows.
	Keys: []string{"rows", "unchanged", "before", "after", "limitDevice", "lines"},
	Cases: []Case{
		{Name: "limited", Verdict: Problem, Severity: Info, Confidence: Observed},
		{Name: "changed", Verdict: Problem, Severity: Notice, Confidence: Derived},
		{Name: "tunnel", Verdict: Problem, Severity: Info, Confidence: Observed, Known: true},
		{Name: "all-ones", Verdict: Problem, Severity: Notice, Confidence: Derived},
		{Name: "all-ones-again", Verdict: Problem, Severity: Warning, Confidence: Derived},
		{Name: "full", Verdict: OK, Confidence: Observed},
	},
	Judge: judgeBandwidthMessage,
}

// bandwidth is one of the kernel's lines.
type bandwidth struct {
	note           fact.Note
	device         string // first function of the device that is spoken of
	limitAt        string // the port that the limiting link is below, "" where nothing limits
	available, cap float64
	limit, able    Rate
}

func judgeBandwidthMessage(m *fact.Machine) []Finding {
	t := newTree(m)
	if t.virtual {
		return nil
	}
	byDevice := map[string][]bandwidth{}
	for _, n := range m.Log.Of("bandwidth") {
		if b, ok := t.readBandwidth(n); ok {
			byDevice[b.device] = append(byDevice[b.device], b)
		}
	}
	limited, full := found("limited"), found("full")
	var out []Finding
	for _, device := range slices.Sorted(maps.Keys(byDevice)) {
		lines := byDevice[device]
		last := lines[len(lines)-1]
		for _, b := range lines {
			if b.limitAt != "" {
				last = b // what was limited once stands, whatever a later line says
			}
		}
		switch from, to, changed := t.change(lines); {
		case slices.ContainsFunc(lines, bandwidth.senseless):
			out = append(out, senselessBandwidth(device, lines))
		case last.limitAt == "" && !changed:
			addBandwidth(&full, last, t)
		case t.leadsIntoTunnel(last):
			f := found("tunnel")
			addBandwidth(&f, last, t)
			f.Values["limitDevice"] = last.limitAt
			f.cite("port", t.device[last.limitAt].From)
			out = append(out, f)
		case changed:
			f := found("changed", device)
			f.Values["before"], f.Values["after"], f.Values["lines"] = t.bandwidthRow(from), t.bandwidthRow(to), len(lines)
			f.cite("before", from.note.At)
			f.cite("after", to.note.At)
			f.Count = len(lines)
			out = append(out, f)
		default:
			addBandwidth(&limited, last, t)
		}
	}
	for _, f := range []Finding{limited, full} {
		if len(f.Subjects) > 0 {
			f.Count = len(f.Subjects)
			out = append(out, f)
		}
	}
	return out
}

// readBandwidth decodes one line.
func (t *tree) readBandwidth(n fact.Note) (bandwidth, bool) {
	number := func(s string) float64 {
		v, _, _ := strings.Cut(s, " ")
		f, _ := strconv.ParseFloat(v, 64) // 0 for "Unknown"
		return f
	}
	lanes := func(s string) int { w, _ := strconv.Atoi(s); return w }
	f := n.Fields
	b := bandwidth{note: n, device: n.Device, available: number(f["available"]), cap: number(f["capable"])}
	b.limit = Rate{number(cmp.Or(f["limit-speed"], f["speed"])), lanes(cmp.Or(f["limit-width"], f["width"]))}
	b.able = Rate{number(f["capable-speed"]), lanes(f["capable-width"])}
	b.limitAt = f["limit-device"]
	if d := t.device[n.Device]; d != nil {
		if isVF(d) {
			return b, false
		}
		b.device = t.firstFunction(d).Address
	} else if place, _, ok := strings.Cut(n.Device, "."); ok {
		b.device = place + ".0" // functions of one device say the same
	}
	return b, n.Device != ""
}

// senseless reports whether a register behind the line read all ones: then the
// width is 63, and the speed what its bits happen to mean.
func (b bandwidth) senseless() bool { return b.limit.Width > maxWidth || b.able.Width > maxWidth }

// change returns two lines of one device that name different limits, the first
// and the last such. Graphics cards change their speed with the load, and a
// slot that was filled anew may hold another card.
func (t *tree) change(lines []bandwidth) (from, to bandwidth, changed bool) {
	for i, a := range lines {
		for _, b := range slices.Backward(lines[i+1:]) {
			idle := a.limit.Width == b.limit.Width && t.device[a.device] != nil && graphics(t.device[a.device])
			if a.limit != b.limit && !idle && !t.filledAnew(a, b) {
				return a, b, true
			}
		}
	}
	return from, to, false
}

// filledAnew reports whether a slot on the way came up between two lines.
func (t *tree) filledAnew(a, b bandwidth) bool {
	return slices.ContainsFunc(t.machine.Log.Of("pciehp-link-up", "pciehp-card-present", "pciehp-card-absent"), func(n fact.Note) bool {
		return n.Time != nil && a.note.Time != nil && b.note.Time != nil && *a.note.Time <= *n.Time && *n.Time <= *b.note.Time
	})
}

// leadsIntoTunnel reports whether the link that a line names is the placeholder
// of a Thunderbolt or USB4 port.
func (t *tree) leadsIntoTunnel(b bandwidth) bool {
	port := t.device[b.limitAt]
	return port != nil && thunderbolt(port) && b.limit.Speed <= tunnelSpeed
}

// bandwidthRow is a line as a row of the finding's table.
func (t *tree) bandwidthRow(b bandwidth) map[string]any {
	row := map[string]any{
		"device": b.device, "availableGbps": b.available, "limitDevice": b.limitAt,
		"limitSpeedGTs": b.limit.Speed, "limitWidthLanes": b.limit.Width,
		"capableGbps": b.cap, "capableSpeedGTs": b.able.Speed, "capableWidthLanes": b.able.Width,
		"nowSpeedGTs": 0.0, "nowWidthLanes": 0,
		"graphics": t.device[b.device] != nil && graphics(t.device[b.device]),
	}
	if port := t.device[b.limitAt]; port != nil {
		if now := readEnd(port).Now; now.complete() {
			row["nowSpeedGTs"], row["nowWidthLanes"] = now.Speed, now.Width
		}
	}
	return row
}

func addBandwidth(f *Finding, b bandwidth, t *tree) {
	rows, _ := f.Values["rows"].([]map[string]any)
	role := "line " + strconv.Itoa(len(rows))
	row := t.bandwidthRow(b)
	f.Values["rows"] = append(rows, row)
	same := row["nowSpeedGTs"] == b.limit.Speed && row["nowWidthLanes"] == b.limit.Width
	if before, any := f.Values["unchanged"].(bool); any {
		same = same && before
	}
	f.Values["unchanged"] = same
	if port := t.device[b.limitAt]; port != nil {
		f.cite("now", readEnd(port).NowAt...)
	}
	f.Subjects = append(f.Subjects, b.device)
	f.Count = len(f.Subjects)
	f.cite(role, b.note.At)
}

func senselessBandwidth(device string, lines []bandwidth) Finding {
	f := found("all-ones", device)
	for _, b := range lines {
		if b.senseless() {
			f.Count++
			f.Values["limitDevice"] = b.limitAt
			f.cite("line", b.note.At)
		}
	}
	if f.Count > 1 {
		f.Case = "all-ones-again"
	}
	f.Values["lines"] = f.Count
	return f
}
