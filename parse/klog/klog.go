// Package klog reads the kernel log: dmesg in its many formats, records of
// /dev/kmsg, the kernel's messages in the journal and in the files of syslog
// daemons, and what a serial console wrote.
//
// Messages become [fact.Note]s by the table of kinds (kinds.go and its
// neighbours): each row has the wordings of all kernel versions and with them
// the fields. Reports of PCIe errors are grouped into [fact.AEREvent]s. Memory
// does not grow with the log: floods become one note with a count.
//
// Formats: kernel/printk/printk.c, dmesg(1), journalctl(1).
package klog

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"hwcap/parse/fact"
)

// Result is what one text of kernel messages says.
type Result struct {
	File  fact.LogFile
	Notes []fact.Note     // in the order of the text
	AER   []fact.AEREvent // in the order of the first report
	// StartsAtBoot: the newest boot in the text is there from its first lines
	// ("Linux version").
	StartsAtBoot bool
	// First and Last are the times of the first and last message of the newest
	// boot, seconds since boot; nil where the text has none.
	First, Last *float64
	Problems    []fact.Problem
	Unread      fact.Unread

	boot int // of the end of the text
}

const (
	maxSame  = 64       // notes kept of one kind and device
	maxNotes = 20000    // notes kept of one text
	maxBytes = 32 << 20 // of their lines
	// maxPasted is how many places are kept at which the time runs backwards.
	maxPasted = 16
)

// parser is the state of one reading.
type parser struct {
	file    string
	notes   []fact.Note
	last    int // index of the note added last, -1 after a flood took it
	same    map[same]flood
	bytes   int // of the lines of notes
	dropped int // notes beyond maxNotes and maxBytes
	bars    map[bar]int
	bridge  int // note of a root bridge whose ACPI name is awaited, or -1
	aer     reports
	record  *record // hardware error record being read

	seen        int        // messages of this boot
	boot        int        // counts boots within the text, from 0
	spans       []*stretch // the boots, but for the last one until the end
	span        *stretch   // it
	starts      bool       // this boot was seen from its first line
	first, prev *float64
	pasted      []fact.Line // where the time runs backwards
}

// same tells messages of a flood: one kind, one subject, one boot.
type same struct {
	kind, subject string
	boot          int
}

// subject is what tells notes of one kind apart: the device, or where messages
// have none the field that names what they are about.
func subject(n fact.Note) string {
	if n.Device != "" {
		return n.Device
	}
	for _, field := range []string{"signature", "implementation", "interface", "unit"} {
		if v := n.Fields[field]; v != "" {
			return v
		}
	}
	return ""
}

type flood struct {
	count int
	last  int // index of the note that stands for the rest
}

// Parse reads a text of kernel messages. file is its name in the capture; boot
// is 0 for the boot of the capture, -1 for the one before. Where the text spans
// boots, boot is that of its end. A broken stream gives what came before, and
// the error.
func Parse(r io.Reader, file string, boot int) (*Result, error) {
	p := &parser{file: file, last: -1, bridge: -1, same: map[same]flood{}, bars: map[bar]int{}}
	p.aer.open = map[string]*report{}
	p.span = &stretch{}
	in := newReader(r)
	ix := byLiteral()
	res := &Result{boot: boot, File: fact.LogFile{File: file}, Unread: fact.Unread{File: file}}
	formats := map[string]*int{}
	format, lines := "", new(int) // of the line before, to spare looking up every line

	var rows []int
	var last int // line that was counted last
	onSubject := false
	hit := func(id uint16) {
		if row := ix.rows[id]; row < 0 {
			onSubject = true
		} else if !slices.Contains(rows, row) {
			rows = append(rows, row)
		}
	}
	for in.read() {
		m := in.message
		if res.File.FirstAt.IsZero() {
			res.File.FirstAt = fact.Line{File: file, Line: m.line, Text: string(m.raw)}
			if m.kmsg {
				seq := m.seq
				res.File.FirstSeq = &seq
			}
		}
		if m.format != format {
			if format = m.format; formats[format] == nil {
				formats[format] = new(int)
			}
			lines = formats[format]
		}
		*lines++
		if m.reboot && p.seen > 0 {
			p.newBoot()
			p.span.apart = true
		}
		if m.other && !bytes.HasPrefix(m.text, missed) || p.marker(m) {
			continue
		}
		p.clock(m, in.next)
		p.seen++
		if p.span.format == "" {
			p.span.format, p.span.line = m.format, m.line
		}
		rows, onSubject = rows[:0], false
		ix.finder.find(m.text, hit)
		if len(rows) == 0 && !onSubject {
			continue
		}
		h := newHit(m)
		slices.Sort(rows)
		own := 1 + m.wraps
		if m.line == last { // a further message of a line that counted
			own--
		}
		switch {
		case p.take(&h, rows):
			res.Unread.Ignored -= own // becomes a fact
			last = max(m.line, m.last)
		case onSubject && !isUnneeded(h.text):
			res.Unread.Lines += own
			last = max(m.line, m.last)
		}
	}
	p.finish()
	p.endSpan()
	events, problems := p.again(p.aer.events())

	var err error
	if in.err != io.EOF {
		err = fmt.Errorf("read %s: %w", file, in.err)
	}
	res.File.Lines, res.Unread.Of = in.lines, in.lines
	res.Unread.Ignored += in.lines - res.Unread.Lines
	res.File.Format = commonest(formats)
	res.StartsAtBoot, res.First, res.Last = p.starts, p.first, p.prev
	res.Notes, res.AER = p.results(boot, events)
	if in.long > 0 {
		res.Problems = append(res.Problems, fact.Problem{File: file, Text: fmt.Sprintf("%d lines are longer than %d bytes; the rest of each was not read", in.long, maxLine)})
	}
	for _, problem := range problems {
		problem.File = file
		res.Problems = append(res.Problems, problem)
	}
	for _, at := range p.pasted {
		res.Problems = append(res.Problems, fact.Problem{File: file, Line: at.Line, Text: "the time runs backwards: what stands before is read as of an earlier boot"})
	}
	if p.dropped > 0 {
		res.Problems = append(res.Problems, fact.Problem{File: file, Text: fmt.Sprintf("%d more messages than the %d that are kept", p.dropped, len(p.notes))})
	}
	return res, err
}

// missed is how journald says, under its own name, that it lost messages of the
// kernel (src/journal/journald-kmsg.c).
var missed = []byte("Missed ")

// commonest names the format of most stamped lines; ties go by name.
func commonest(formats map[string]*int) string {
	best, most := formatPlain, 0
	for f, n := range formats {
		if f != "" && (*n > most || *n == most && f < best) {
			best, most = f, *n
		}
	}
	return best
}

// take hands a message to the rows that it may belong to, in order, until one
// takes it.
func (p *parser) take(h *hit, rows []int) bool {
	all := table()
	for _, i := range rows {
		r := &all[i]
		if r.take != nil {
			if r.take(p, h) {
				return true
			}
			continue
		}
		n := h.note(r.kind)
		if r.match(h, &n) {
			p.add(h, n)
			return true
		}
	}
	return false
}

// stateful are the rows of messages that belong together. They come first.
func stateful() []row {
	return []row{
		{kind: "linux-version", has: []string{"Linux version "}, take: linuxVersion},
		{kind: "hardware-error", has: []string{hardwareError, "BERT: "}, take: hardware},
		{kind: "aer-injected", has: []string{"Injecting errors "}, take: injected},
		{kind: "aer", has: aerLiterals(), take: takeAER},
		{kind: "osc", has: []string{"acpi PNP", "acpi ACPI"}, take: osc},
		{kind: "root-bridge", has: []string{"ACPI: PCI Root Bridge ["}, take: rootBridge},
		{kind: "dpc-event", has: []string{"DPC: ", " detected, remove downstream devices"}, take: dpcReason},
		{kind: "bar", has: barLiterals, take: takeBAR},
		{kind: "hung-task", has: []string{"Workqueue: "}, take: workqueue},
		{kind: "oops", has: []string{"Tainted: "}, take: tainted},
	}
}

func isUnneeded(text string) bool {
	for _, p := range unneeded {
		if _, ok := p.match(text); ok {
			return true
		}
	}
	return false
}

// marker takes the lines that journalctl writes between messages.
func (p *parser) marker(m *message) bool {
	if m.format != "" || !bytes.HasPrefix(m.text, []byte("-- ")) {
		return false
	}
	if bytes.HasPrefix(m.text, []byte("-- Boot ")) || bytes.HasPrefix(m.text, []byte("-- Reboot")) {
		if p.seen > 0 {
			p.newBoot()
			p.span.apart = true
		}
	}
	return true
}

// clock keeps the first and last time of the boot. In a text that does not start
// with a boot, a clock that falls back and stays there tells of another boot, or
// of another piece that somebody put together with the first. A single line is
// no sign: processors whose clocks differ print such ones at boot. Neither is a
// fall within a boot that is whole: hibernation sets the clock back.
func (p *parser) clock(m, next *message) {
	const slack = 1 // seconds
	if !m.timed {
		return
	}
	if p.prev != nil && !p.starts && m.time < *p.prev-slack && next.timed && next.time < *p.prev-slack {
		if p.newBoot(); len(p.pasted) < maxPasted {
			p.pasted = append(p.pasted, p.at(m))
		}
	}
	if p.first == nil {
		p.first, p.prev = new(float64), new(float64)
		*p.first = m.time
	}
	*p.prev = m.time
}

// linuxVersion starts a boot where one was under way: little comes before the
// version, on some processors what the first one says of itself. Field: release.
func linuxVersion(p *parser, h *hit) bool {
	text, ok := strings.CutPrefix(h.body, "Linux version ")
	if !ok {
		return false
	}
	const before = 16 // messages
	if p.starts || h.timed && p.first != nil && *p.first > h.time+1 || !h.timed && p.seen > before {
		p.newBoot()
		p.clock(h.message, &message{})
		p.seen++
	}
	p.starts = true
	if p.span.format == "" {
		p.span.format, p.span.line = h.format, h.line
	}
	release, _, _ := strings.Cut(text, " ")
	p.add(h, h.note("linux-version", "release", release))
	return true
}

// newBoot closes what belongs to the boot before.
func (p *parser) newBoot() {
	p.finish()
	p.endSpan()
	p.boot++
	p.starts, p.first, p.prev, p.bridge, p.last, p.seen = false, nil, nil, -1, -1, 0
	p.bars = map[bar]int{} // clearing a map takes as long as it ever was large
}

// endSpan keeps of the boot what stands when the next one begins.
func (p *parser) endSpan() {
	s := p.span
	s.starts, s.first, s.last = p.starts, p.first, p.prev
	if p.span = (&stretch{}); len(p.spans) < maxSpans {
		p.spans = append(p.spans, s)
	}
}

// finish closes what is still open.
func (p *parser) finish() {
	p.closeRecord()
	p.aer.flush(p.boot)
}

// add keeps a note of the message, or counts it where there are many alike. It
// returns the note's index, or -1.
func (p *parser) add(h *hit, n fact.Note) int {
	n.Time, n.Clock, n.Boot = h.seconds(), string(h.clock), p.boot
	if h.repeated > 1 {
		n.Count = h.repeated
	}
	if p.flooded(n) {
		return -1
	}
	n.At = p.at(h.message)
	return p.keep(n)
}

// flooded counts the note in where there are many alike.
func (p *parser) flooded(n fact.Note) bool {
	f := p.same[same{n.Kind, subject(n), n.Boot}]
	if f.count < maxSame {
		return false
	}
	rest := &p.notes[f.last]
	rest.Count = rest.Times() + n.Times()
	rest.LastTime = n.Time
	p.last = -1
	return true
}

// keep keeps a note of which there are not many alike.
func (p *parser) keep(n fact.Note) int {
	if len(p.notes) >= maxNotes || p.bytes+len(n.At.Text) > maxBytes {
		p.dropped++
		p.last = -1
		return -1
	}
	p.bytes += len(n.At.Text)
	p.notes = append(p.notes, n)
	p.last = len(p.notes) - 1
	key := same{n.Kind, subject(n), n.Boot}
	p.same[key] = flood{p.same[key].count + 1, p.last}
	return p.last
}

// at returns the place of a message.
func (p *parser) at(m *message) fact.Line {
	return fact.Line{File: p.file, Line: m.line, Text: string(m.raw)}
}

// results puts notes and reports in order and counts boots from the newest,
// which is boot.
func (p *parser) results(boot int, events []fact.AEREvent) ([]fact.Note, []fact.AEREvent) {
	shift := boot - p.boot
	for i := range p.notes {
		p.notes[i].Boot += shift
	}
	slices.SortStableFunc(p.notes, func(a, b fact.Note) int { return cmp.Compare(a.At.Line, b.At.Line) })
	for i := range events {
		events[i].Boot += shift
	}
	return p.notes, events
}

// Looks reports whether head, the start of a text, is a kernel log.
func Looks(head []byte) bool {
	var lines, stamped, kernel int
	var version bool
	journal := isMonotonic(head)
	for line := range bytes.Lines(head[:min(len(head), 8<<10)]) {
		line = clean(trimEnd(line))
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		lines++
		s, text, ok := split(line, journal)
		switch {
		case ok && !s.other:
			stamped++
		case bytes.HasPrefix(text, []byte("Linux version ")):
			version = true
		default:
			if h := newHit(&message{text: text}); h.device != "" {
				kernel++
			}
		}
	}
	return version || stamped > 0 && 3*stamped >= lines || kernel >= 2 && 3*kernel >= lines
}
