package klog

import (
	"slices"
	"strings"

	"hwcap/parse/fact"
)

// report is one error report of a device while its lines come in.
type report struct {
	device, root string
	severity     string
	layer        string
	firmware     bool
	decoded      bool // the kernel printed the registers of a firmware report
	columns      bool // the format of 7.3, with agent and layer beside each bit
	advisory     bool // its second block, the uncorrectable one, is being read
	sealed       bool // a new message of the root port came in since
	multiple     bool // the root port had lost count
	repeated     int  // a syslog daemon says how often it came
	unnamed      bool // the root port named no sender
	injected     bool
	kinds        []string
	header       []string // of the packet, in hexadecimal words
	time         *float64
	clock        string
	lines        []fact.Line
}

// source is the message of a root port that announces a report.
type source struct {
	root, device, severity string
	multiple               bool
	repeated               int
	time                   *float64
	clock                  string
	line                   fact.Line
	used                   bool
}

// nobody reports whether the announcement has the source id 0, which no sender
// has.
func (s *source) nobody() bool { return strings.HasSuffix(s.device, ":00:00.0") }

// reports groups what the devices reported.
type reports struct {
	open   map[string]*report // by device
	source *source
	inject injections
	groups []*fact.AEREvent
	quoted int // bytes of their lines
	byKey  map[groupKey]*fact.AEREvent
}

// groupKey tells apart the events that are counted together.
type groupKey struct {
	device, root, severity, kinds string
	boot                          int
	firmware, injected            bool
}

const (
	maxOpen   = 256     // devices with a report under way
	maxGroups = 2048    // groups kept
	maxQuoted = 8 << 20 // bytes of the lines of their first reports
)

// takeAER reads one line of an error report, in any wording: that of 4.x with
// "id=00e5(", of 5.x with "AER: " before each line, up to 6.1, since 6.8, of 7.3
// with a table, and what firmware reported through APEI.
func takeAER(p *parser, h *hit) bool {
	if !isBDF(h.device) {
		return false
	}
	text := strings.TrimPrefix(h.body, "AER: ")
	a := &p.aer
	trimmed := strings.TrimLeft(text, " ")
	switch open := a.open[h.device]; {
	case strings.Contains(text, "rror message") || strings.Contains(text, "rror received: "):
		return a.announced(p, h, text)
	case strings.HasPrefix(text, "PCIe Bus Error: severity="), strings.HasPrefix(text, "CXL Bus Error: severity="):
		a.header(p, h, text)
	case strings.HasPrefix(text, "found no error details"), strings.HasPrefix(text, "can't find device of ID"):
		// The announcement stands for itself.
	case strings.HasPrefix(trimmed, "aer_"):
		return a.fromFirmware(p, h, trimmed)
	case open == nil && strings.Contains(trimmed, " Request "):
		return false
	case open == nil:
		// The start of the report is not in the text.
		return strings.HasPrefix(trimmed, "device [") || strings.HasPrefix(trimmed, "[")
	case strings.HasPrefix(trimmed, "device ["):
		if _, registers, ok := strings.Cut(trimmed, "error status/mask="); ok {
			status, mask, _ := strings.Cut(registers, "/")
			open.addStatus(open.bitSeverity(), bits{hex32(status), hex32(mask)})
		}
		open.line(p.at(h.message))
	case strings.HasPrefix(trimmed, "[") && strings.Contains(trimmed, " Request "):
		return false // of the root port's own requests: see dpc-rp-pio
	case strings.HasPrefix(trimmed, "["):
		open.bit(trimmed)
		open.line(p.at(h.message))
	case strings.HasPrefix(trimmed, "TLP Header"):
		if open.header == nil {
			open.header = headerWords(trimmed)
		}
		open.line(p.at(h.message))
	case strings.HasPrefix(trimmed, "Error of this Agent"):
		open.line(p.at(h.message))
	default:
		return false
	}
	return true
}

// announcements are what stands before the device in the message of a root
// port, which may say "Error" or "error".
var announcements = []string{"rror message received from ", "rror messages received, first one from ", "rror received: "}

// announced reads the message of the root port.
func (a *reports) announced(p *parser, h *hit, text string) bool {
	for _, form := range announcements {
		_, device, _ := strings.Cut(text, form)
		device, _, _ = strings.Cut(device, " ")
		if device == "" {
			continue
		}
		a.unanswered(p.boot)
		if id, old := strings.CutPrefix(device, "id="); old {
			device = addressOfID(h.device, id)
		}
		device = withDomain(device)
		a.source = &source{root: h.device, device: device, severity: severityOf(text), multiple: strings.Contains(text, "Multiple "), repeated: h.repeated,
			time: h.seconds(), clock: string(h.clock), line: p.at(h.message)}
		if open := a.open[device]; open != nil {
			open.sealed = true
		}
		return isBDF(device)
	}
	return false
}

// unanswered counts an announcement that no device's block followed.
func (a *reports) unanswered(boot int) {
	s := a.source
	a.source = nil
	if s == nil || s.used || !isBDF(s.device) {
		return
	}
	a.count(&report{device: s.device, root: s.root, severity: s.severity, multiple: s.multiple, repeated: s.repeated, injected: a.inject.take(s.device, s.severity, s.time),
		time: s.time, clock: s.clock, lines: []fact.Line{s.line}}, boot)
}

// header starts the report of a device: "PCIe Bus Error: severity=Corrected,
// type=Physical Layer, (Receiver ID)", the type left out where there is none or
// a column of the lines after has it.
func (a *reports) header(p *parser, h *hit, text string) {
	_, severity, _ := strings.Cut(text, "severity=")
	severity, layer, _ := strings.Cut(severity, ", type=")
	layer, _, _ = strings.Cut(layer, ",")
	e := &report{device: h.device, severity: severityOf(severity), layer: layer, time: h.seconds(), clock: string(h.clock)}
	e.columns = e.layer == "" && !strings.Contains(text, ", type=")
	if open := a.open[h.device]; open != nil && e.columns && open.columns && !open.sealed && !open.advisory &&
		open.severity == corrected && e.severity == nonfatal && slices.Contains(open.kinds, "NonFatalErr") {
		// The same event once more, seen as what it would have been.
		open.advisory = true
		open.line(p.at(h.message))
		return
	}
	if s := a.source; s != nil && (s.device == h.device || near(s.time, e.time)) {
		e.root = s.root
		e.unnamed = s.nobody() && e.device != s.device && e.device != s.root
		if !s.used {
			e.lines = append(e.lines, s.line)
			e.multiple = s.multiple
			s.used = true
		}
	}
	e.injected = a.inject.take(e.device, e.severity, e.time)
	e.line(p.at(h.message))
	a.start(e, p.boot)
}

// headerWords reads "TLP Header: 40000001 0000060f a0000204 00000000", nil where
// there is less.
func headerWords(text string) []string {
	text, plain := strings.CutPrefix(text, "TLP Header: ")
	if !plain { // "TLP Header (Flit): ", whose words mean something else
		return nil
	}
	var words []string
	for word := range strings.FieldsSeq(text) {
		word = strings.TrimPrefix(word, "0x")
		if len(words) == 4 || len(word) != 8 || span(word, '%') != len(word) {
			break
		}
		words = append(words, word)
	}
	if len(words) < 3 {
		return nil
	}
	return words
}

// near reports whether two messages may belong to one interrupt.
func near(a, b *float64) bool { return a != nil && b != nil && *b-*a < 0.5 && *b >= *a }

var apeiForms = []struct {
	pattern
	severity string
}{
	{newPattern("^aer_status: {status%}, aer_mask: {mask%}"), ""},
	{newPattern("^aer_cor_status: {status%}, aer_cor_mask: {mask%}"), corrected},
	{newPattern("^aer_uncor_status: {status%}, aer_uncor_mask: {mask%}"), nonfatal},
}

// fromFirmware reads the lines of pci_print_aer: what firmware reported through
// APEI, decoded by the kernel.
func (a *reports) fromFirmware(p *parser, h *hit, text string) bool {
	p.closeRecord()
	open := a.open[h.device]
	for _, form := range apeiForms {
		fields, ok := form.match(text)
		if !ok {
			continue
		}
		if open == nil || !open.firmware || open.decoded {
			open = &report{device: h.device, severity: corrected, firmware: true, time: h.seconds(), clock: string(h.clock)}
			if form.severity != "" {
				open.severity = form.severity
			}
			a.start(open, p.boot)
		}
		open.decoded = true
		open.addStatus(open.severity, bits{hex32(fields["status"]), hex32(fields["mask"])})
		open.line(p.at(h.message))
		return true
	}
	if open == nil {
		return false
	}
	if _, layer, ok := strings.Cut(text, "aer_layer="); ok {
		open.layer, _, _ = strings.Cut(layer, ",")
	}
	if _, register, ok := strings.Cut(text, "aer_uncor_severity: "); ok && open.severity == corrected {
		// The kernel prints this register for uncorrectable errors only.
		open.turnUncorrectable(hex32(register))
	}
	open.line(p.at(h.message))
	return true
}

// turnUncorrectable corrects what was taken for a corrected error: the names of
// the bits, and the severity by the severity register.
func (e *report) turnUncorrectable(register uint32) {
	var status uint32
	for i, name := range corBits {
		if name != "" && slices.Contains(e.kinds, name) {
			status |= 1 << i
		}
	}
	for _, line := range e.lines {
		if _, rest, ok := strings.Cut(line.Text, "aer_status: "); ok {
			if fields, ok := apeiForms[0].match("aer_status: " + rest); ok {
				status = hex32(fields["status"]) &^ hex32(fields["mask"])
			}
		}
	}
	e.kinds, e.severity = nil, nonfatal
	if status&register != 0 {
		e.severity = fatal
	}
	e.addStatus(e.severity, bits{status: status})
}

// bitSeverity tells which table names the bits that come in now.
func (e *report) bitSeverity() string {
	if e.advisory {
		return nonfatal
	}
	return e.severity
}

func (e *report) line(l fact.Line) {
	if len(e.lines) < maxReport {
		e.lines = append(e.lines, l)
	}
}

// start makes e the device's open report and counts the one before.
func (a *reports) start(e *report, boot int) {
	if before := a.open[e.device]; before != nil {
		a.count(before, boot)
	} else if len(a.open) >= maxOpen {
		a.flush(boot)
	}
	a.open[e.device] = e
}

// flush counts all that is open.
func (a *reports) flush(boot int) {
	a.unanswered(boot)
	devices := make([]string, 0, len(a.open))
	for d := range a.open {
		devices = append(devices, d)
	}
	slices.Sort(devices)
	for _, d := range devices {
		a.count(a.open[d], boot)
	}
	clear(a.open)
}

// count adds a report to its group.
func (a *reports) count(e *report, boot int) {
	slices.Sort(e.kinds)
	key := groupKey{e.device, e.root, e.severity, strings.Join(e.kinds, ","), boot, e.firmware, e.injected}
	g := a.byKey[key]
	if g == nil {
		if len(a.groups) >= maxGroups {
			return
		}
		for i, l := range e.lines {
			if a.quoted += len(l.Text); a.quoted > maxQuoted && i > 0 {
				e.lines = e.lines[:i]
				break
			}
		}
		g = &fact.AEREvent{Device: e.device, Root: e.root, Severity: e.severity, Kinds: e.kinds, Layer: e.layer, Firmware: e.firmware, Injected: e.injected, Unnamed: e.unnamed,
			First: e.time, FirstClock: e.clock, Boot: boot, At: e.lines}
		if a.byKey == nil {
			a.byKey = map[groupKey]*fact.AEREvent{}
		}
		a.byKey[key] = g
		a.groups = append(a.groups, g)
	}
	times := max(1, e.repeated)
	g.Count += times
	if e.multiple {
		g.Multiple += times
	}
	if g.TLPHeader == nil {
		g.TLPHeader = e.header
	}
	g.Last, g.LastClock = e.time, e.clock
	if len(e.lines) > 0 {
		g.LastAt = e.lines[0]
	}
}

// events returns the groups in the order of their first report.
func (a *reports) events() []fact.AEREvent {
	var out []fact.AEREvent
	for _, g := range a.groups {
		out = append(out, *g)
	}
	slices.SortStableFunc(out, func(x, y fact.AEREvent) int { return first(x) - first(y) })
	return out
}

func first(e fact.AEREvent) int {
	if len(e.At) == 0 {
		return 0
	}
	return e.At[0].Line
}
