package klog

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"slices"
)

const (
	maxLine = 16 << 10 // bytes kept of one line; the kernel prints 1 KiB a record
	maxWrap = 3        // lines that a mailer may have made of one
)

// message is one kernel message with its stamp.
type message struct {
	stamp
	line   int    // number of its first line, from 1
	raw    []byte // the literal first line, without its end
	text   []byte // the message, wrapped lines joined
	device []byte // "0000:00:1c.0" where a kmsg record names one
	wraps  int
}

// reader cuts a text into messages. It holds two lines at a time, so that
// memory does not grow with the text.
type reader struct {
	in      *bufio.Reader
	journal bool // "[ 12.3] kernel: " are stamps of the journal
	lines   int
	long    int  // lines cut at maxLine
	stamped bool // a stamp was seen: lines without one belong to the line before
	message *message
	next    *message // the line after, already read; the two take turns
	pending bool
	blank   bool // a blank line stands between message and next
	err     error
}

func newReader(r io.Reader) *reader {
	in := bufio.NewReaderSize(r, 64<<10)
	head, _ := in.Peek(16 << 10)
	return &reader{in: in, journal: isMonotonic(head), message: &message{}, next: &message{}}
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
	if !r.pending && !r.line() {
		return false
	}
	r.message, r.next, r.pending = r.next, r.message, false
	for r.line() {
		if !r.continues() {
			r.pending = true
			break
		}
	}
	return true
}

// line reads one line into next and its buffer, over blank ones.
func (r *reader) line() bool {
	r.blank = false
	for r.err == nil {
		buf := r.next.raw[:0]
		for {
			part, err := r.in.ReadSlice('\n')
			if room := maxLine - len(buf); len(part) > room {
				if room > 0 {
					r.long++
				}
				part = part[:max(0, room)]
			}
			buf = append(buf, part...)
			if err == nil {
				break
			}
			if !errors.Is(err, bufio.ErrBufferFull) {
				r.err = err
				break
			}
		}
		if len(buf) == 0 && r.err != nil {
			return false
		}
		r.lines++
		line := trimEnd(buf)
		*r.next = message{line: r.lines, raw: line}
		if line = clean(line); len(line) == 0 {
			r.blank = true
			continue
		}
		var ok bool
		if r.next.stamp, r.next.text, ok = split(line, r.journal); ok {
			r.stamped = true
		} else {
			r.next.format = ""
		}
		return true
	}
	return false
}

// continues adds next to message where it is no message of its own.
func (r *reader) continues() bool {
	m, n := r.message, r.next
	if n.format != "" || !r.stamped || r.blank || m.format == "" || bytes.HasPrefix(n.text, []byte("-- ")) {
		return false
	}
	if m.kmsg {
		// The dictionary of a record: " DEVICE=+pci:0000:00:1c.0".
		if device, ok := bytes.CutPrefix(n.text, []byte("DEVICE=+pci:")); ok {
			m.device = bytes.Clone(device)
		}
		return true
	}
	if m.wraps == maxWrap {
		return false
	}
	m.wraps++
	m.text = slices.Concat(bytes.TrimRight(m.text, " "), []byte(" "), n.text)
	return true
}

// trimEnd drops the end of the line.
func trimEnd(b []byte) []byte {
	for len(b) > 0 && (b[len(b)-1] == '\n' || b[len(b)-1] == '\r') {
		b = b[:len(b)-1]
	}
	return b
}

// clean turns no-break spaces into blanks and drops the colours of a terminal.
func clean(line []byte) []byte {
	if bytes.IndexByte(line, 0xc2) >= 0 {
		line = bytes.ReplaceAll(line, []byte("\u00a0"), []byte(" "))
	}
	if bytes.IndexByte(line, 0x1b) < 0 {
		return line
	}
	out := make([]byte, 0, len(line))
	for i := 0; i < len(line); i++ {
		if line[i] != 0x1b {
			out = append(out, line[i])
			continue
		}
		for i++; i < len(line) && (line[i] == '[' || line[i] == ';' || isDigit(line[i])); i++ {
		}
	}
	return out
}
