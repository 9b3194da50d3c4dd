package klog

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"slices"
)

const (
	maxLine = 4 << 10 // bytes kept of one line; the kernel prints 1 KiB a record
	maxWrap = 3       // lines that a mailer may have made of one
	// minWidth is the width at which mailers wrap lines at least where others write
	// between them.
	minWidth = 60
)

// message is one kernel message with its stamp.
type message struct {
	stamp
	line   int    // number of its first line, from 1
	raw    []byte // the literal first line, without its end
	text   []byte // the message, wrapped lines joined
	device []byte // "0000:00:1c.0" where the log names one beside the text
	wraps  int
	width  int  // of its last line
	last   int  // number of that line, 0 for that of line
	reboot bool // the journal says that it is of another boot than the one before
	buf    []byte
}

// form is how a text holds its messages.
type form byte

const (
	inLines   form = iota // a line each
	inObjects             // JSON
	inFields              // KEY=value, a line each
)

// reader cuts a text into messages. It holds two of them and a piece of the
// text at a time, so that memory does not grow with the text.
type reader struct {
	in      *bufio.Reader
	rest    []byte // what is not yet used of the piece read last
	begins  bool   // that piece begins a line
	ended   bool   // and ends it
	tail    []byte // a further message of the line
	whole   []byte // that line
	form    form
	scan    scanner
	entry   entry
	boot    []byte // _BOOT_ID of the entry before
	journal bool   // "[ 12.3] kernel: " are stamps of the journal
	lines   int
	long    int  // lines cut at maxLine
	stamped bool // a stamp was seen: lines without one belong to the line before
	console bool // others write to the text as well
	message *message
	next    *message // the one after, already read; the two take turns
	pending bool
	blank   bool // a blank line stands between message and next
	err     error
}

func newReader(r io.Reader) *reader {
	in := bufio.NewReaderSize(r, 64<<10)
	head, _ := in.Peek(16 << 10)
	return &reader{in: in, ended: true, journal: isMonotonic(head), message: &message{}, next: &message{}}
}

// isMonotonic reports whether the lines of head carry the stamp of journalctl
// -o short-monotonic.
func isMonotonic(head []byte) bool {
	var plain, tagged int
	for line := range bytes.Lines(head) {
		if _, text, ok := split(trimEnd(line), false); ok {
			if _, kernel, found := tag(text); found && kernel {
				tagged++
			} else {
				plain++
			}
		}
	}
	return tagged > plain
}

// read moves to the next message, until the text ends or breaks.
func (r *reader) read() bool {
	if !r.pending && !r.fill() {
		return false
	}
	r.message, r.next, r.pending = r.next, r.message, false
	for r.fill() {
		if !r.continues() {
			r.pending = true
			break
		}
	}
	return true
}

// fill reads one message into next, over blank lines.
func (r *reader) fill() bool {
	r.blank = false
	*r.next = message{buf: r.next.buf}
	for {
		if len(r.tail) > 0 {
			r.next.line, r.next.raw = r.lines, r.whole
			if r.cut(r.tail, false) {
				return true
			}
			continue
		}
		if !r.more() {
			r.entry.keep(r.scan.line, r.lines)
			return r.deliver() // what the end of the text cuts off
		}
		if r.begins && (r.rest[0] != '[' || r.form != inLines) && !r.stays() && r.deliver() {
			return true
		}
		switch {
		case r.form == inObjects && r.object(), r.form == inFields && r.field(), r.form == inLines && r.textLine():
			return true
		}
	}
}

// more makes sure that rest holds something: a line, or a piece of a long one.
func (r *reader) more() bool {
	if len(r.rest) > 0 {
		r.begins = false
		return true
	}
	if r.err != nil {
		return false
	}
	piece, err := r.in.ReadSlice('\n')
	r.begins = r.ended
	r.ended = err == nil
	if err != nil && !errors.Is(err, bufio.ErrBufferFull) {
		r.err = err
	}
	if len(piece) == 0 {
		return false
	}
	if r.begins {
		r.lines++
	}
	r.rest = piece
	return true
}

// stays reports whether the line in rest has the form of the line before, and
// changes the form otherwise. In records of several lines only a line that is
// one of another form ends them.
func (r *reader) stays() bool {
	before := r.form
	if f := formOf(r.rest); f != inLines {
		r.form = f
	} else if before != inLines {
		if _, _, stamped := split(clean(trimEnd(r.rest[:min(len(r.rest), maxLine)])), r.journal); stamped {
			r.form = inLines
		}
	}
	return r.form == before
}

// textLine reads a line whose first piece is in rest.
func (r *reader) textLine() bool {
	n := r.next
	n.buf = r.lineInto(n.buf[:0])
	n.line, n.raw = r.lines, n.buf
	if isPlain(n.raw) {
		return r.cut(n.raw, true)
	}
	return r.cut(clean(n.raw), false)
}

// lineInto appends the line to buf, as much as is kept of it and without its
// end.
func (r *reader) lineInto(buf []byte) []byte {
	for {
		if room := maxLine - len(buf); len(r.rest) > room {
			if room > 0 {
				r.long++
			}
			r.rest = r.rest[:max(0, room)]
		}
		buf = append(buf, r.rest...)
		r.rest = nil
		if r.ended || !r.more() {
			return trimEnd(buf)
		}
	}
}

// cut makes next of the first message in a line and leaves further ones, which
// a console has, in the tail; plain says that the line holds no carriage return.
// It reports whether there is a message.
func (r *reader) cut(whole []byte, plain bool) bool {
	n, shared := r.next, len(r.tail) > 0
	line, tail := whole, []byte(nil)
	if !plain {
		if at := bytes.IndexByte(whole, '\r'); at >= 0 {
			line, tail = whole[:at], whole[at+1:]
		}
	}
	n.width = len(line)
	ok := !r.journal && n.printk(line)
	if ok {
		// as nearly all lines are
	} else if n.stamp, n.text, ok = split(line, r.journal); !ok {
		if at := innerStamp(line); at > 0 { // what stands before is not the kernel's
			n.stamp, n.text, ok = split(line[at:], r.journal)
		}
	}
	switch {
	case ok:
		r.stamped = true
	case len(n.text) == 0:
		r.blank = r.blank || len(tail) == 0 && !shared
	default:
		n.stamp.format = ""
	}
	if len(n.text) > 8 && (n.text[0] == 'm' || n.text[0] == 'l') && r.repeats() {
		// and that message is whole
	} else if at := innerStamp(n.text); at > 0 {
		n.text, tail = n.text[:at], whole[len(line)-len(n.text)+at:]
	}
	if len(tail) > 0 && !shared {
		tail = bytes.Clone(tail)
		r.whole = bytes.Clone(n.raw)
	}
	r.tail = tail
	return ok || len(n.text) > 0
}

// printk reads the stamp of a line that has only that of printk.
func (m *message) printk(line []byte) bool {
	time, rest, ok := printkTime(line)
	if !ok || len(rest) < 2 || rest[0] != ' ' || rest[1] == '[' {
		return false
	}
	m.time, m.timed, m.format, m.text = time, true, formatDmesg, rest[1:]
	return true
}

// repeats makes next of the message that a syslog daemon says came again, and
// reports whether it says so.
func (r *reader) repeats() bool {
	n := r.next
	times, text, ok := repetition(n.text)
	if !ok {
		return false
	}
	n.repeated, n.text = times, text
	if len(text) == 0 { // "last message repeated 3 times"
		n.text, n.other, n.device = bytes.Clone(r.message.text), r.message.other, bytes.Clone(r.message.device)
	} else if in, inner, stamped := bracket(text); stamped && in.timed {
		n.time, n.timed, n.text = in.time, true, inner
	}
	return true
}

// continues adds next to message where it is no message of its own.
func (r *reader) continues() bool {
	m, n := r.message, r.next
	if n.format != "" || !r.stamped || r.blank || m.format == "" || n.line == max(m.line, m.last) || bytes.HasPrefix(n.text, []byte("-- ")) {
		return false
	}
	if m.kmsg {
		// The dictionary of a record: " DEVICE=+pci:0000:00:1c.0".
		if device, ok := bytes.CutPrefix(n.text, []byte("DEVICE=+pci:")); ok {
			m.device = bytes.Clone(device)
		}
		return true
	}
	if isStatus(n.raw) {
		r.console = true
		return false
	}
	if m.wraps == maxWrap || r.console && !isWrapped(m, n) {
		return false
	}
	m.wraps++
	m.width, m.last = n.width, n.line
	m.text = slices.Concat(bytes.TrimRight(m.text, " "), []byte(" "), n.text)
	return true
}

// isWrapped reports whether next can be the rest of message: a mailer breaks a
// line where the next word has no room, and dmesg indents the further lines of
// a message by the width of its stamp.
func isWrapped(m, next *message) bool {
	word := bytes.IndexByte(next.text, ' ')
	if word < 0 {
		word = len(next.text)
	}
	const indent = "            "
	return m.width+word >= minWidth || bytes.HasPrefix(next.raw, []byte(indent))
}

// trimEnd drops the end of the line.
func trimEnd(b []byte) []byte {
	for len(b) > 0 && (b[len(b)-1] == '\n' || b[len(b)-1] == '\r') {
		b = b[:len(b)-1]
	}
	return b
}
