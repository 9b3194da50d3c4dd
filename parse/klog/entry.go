package klog

import (
	"bytes"
	"slices"
)

// entry is one record of a text that names its fields: dmesg --json, and
// journalctl -o json, json-pretty, json-sse, json-seq, export and verbose
// (util-linux sys-utils/dmesg.c print_record, systemd src/shared/logs-show.c).
type entry struct {
	stamp
	exact     bool // time is the kernel's own
	text      []byte
	said      bool // text was there, and not null
	device    []byte
	transport []byte
	ident     []byte
	boot      []byte
	line      int    // of the text
	raw       []byte // that line
}

// The keys of an entry that are read.
var keys = []string{
	"msg", "time", // dmesg
	"MESSAGE", "_TRANSPORT", "SYSLOG_IDENTIFIER", "_BOOT_ID", "_KERNEL_DEVICE",
	"_SOURCE_MONOTONIC_TIMESTAMP", "__MONOTONIC_TIMESTAMP",
}

// key returns the one of keys that name is, "" for any other.
func key(name []byte) string {
	for _, k := range keys {
		if string(name) == k {
			return k
		}
	}
	return ""
}

// set takes the value of one of keys.
func (e *entry) set(key string, value []byte) {
	switch key {
	case "msg", "MESSAGE":
		if e.said { // a list of several
			e.text = append(e.text, ' ')
		}
		e.text, e.said = append(e.text, value[:min(len(value), max(0, maxLine-len(e.text)))]...), true
	case "_TRANSPORT":
		e.transport = append(e.transport[:0], value...)
	case "SYSLOG_IDENTIFIER":
		e.ident = append(e.ident[:0], value...)
	case "_BOOT_ID":
		e.boot = append(e.boot[:0], value...)
	case "_KERNEL_DEVICE":
		e.device = append(e.device[:0], bytes.TrimPrefix(value, []byte("+pci:"))...)
	case "time":
		if s, rest, timed := seconds(trimLeft(value)); timed && len(rest) == 0 {
			e.time, e.timed = s, true
		} else if in, _, found := bracket(trimLeft(value)); found { // dmesg --json -T, which is no JSON
			e.time, e.timed, e.clock = in.time, in.timed, bytes.Clone(in.clock)
		}
	case "_SOURCE_MONOTONIC_TIMESTAMP", "__MONOTONIC_TIMESTAMP":
		exact := key[1] == 'S'
		if usec, rest := number(value); usec >= 0 && len(rest) == 0 && (exact || !e.exact) {
			e.time, e.timed, e.exact = float64(usec)/1e6, true, exact
		}
	}
}

// reset starts a new entry in the same memory.
func (e *entry) reset() {
	*e = entry{text: e.text[:0], device: e.device[:0], transport: e.transport[:0], ident: e.ident[:0], boot: e.boot[:0], raw: e.raw[:0]}
}

// keep keeps the line of the text, number n, if line is it.
func (e *entry) keep(line []byte, n int) {
	if e.line == n && len(e.raw) == 0 {
		e.raw = append(e.raw, bytes.TrimRight(line, "\r")...)
	}
}

// deliver makes next of the entry, if it has a message.
func (r *reader) deliver() bool {
	e := &r.entry
	if !e.said {
		return false
	}
	n := r.next
	n.stamp, n.line = e.stamp, e.line
	n.buf = append(append(n.buf[:0], e.raw...), e.text...)
	n.raw, n.text = n.buf[:len(e.raw)], n.buf[len(e.raw):]
	for i, c := range n.text { // as where dmesg wraps
		if c == '\n' {
			n.text[i] = ' '
		}
	}
	n.text = bytes.TrimRight(n.text, " ")
	switch {
	case len(e.transport) > 0:
		n.other = string(e.transport) != "kernel"
	case len(e.ident) > 0:
		n.other = string(e.ident) != "kernel"
	}
	if isBDF(string(e.device)) {
		n.device = bytes.Clone(e.device)
	}
	if len(e.boot) > 0 {
		n.reboot = len(r.boot) > 0 && !bytes.Equal(e.boot, r.boot)
		r.boot = append(r.boot[:0], e.boot...)
	}
	r.stamped = true
	e.reset()
	return true
}

// formOf tells by the beginning of a line which form it has.
func formOf(line []byte) form {
	line = trimLeft(line[:min(len(line), 256)])
	if len(line) < 4 || line[0] == '[' || line[0] == '<' || isDigit(line[0]) {
		return inLines
	}
	switch c := line[0]; {
	case c == '{', c == '"', c == 0x1e, c == 'd' && bytes.HasPrefix(line, []byte("data: {")):
		if isObject(line) {
			return inObjects
		}
	case c == '_', c == 'M':
		name, _, ok := bytes.Cut(line[:min(len(line), 40)], []byte("="))
		if ok && (string(name) == "__CURSOR" || string(name) == "__REALTIME_TIMESTAMP" || key(name) != "") {
			return inFields
		}
	}
	return inLines
}

// objectKeys are those by which a line of JSON is known.
var objectKeys = []string{"dmesg", "msg", "pri", "fac"}

// isObject reports whether the first key in a line is one of dmesg's or of the
// journal's.
func isObject(line []byte) bool {
	_, line, ok := bytes.Cut(line, []byte(`"`))
	name, line, closed := bytes.Cut(line, []byte(`"`))
	if line = trimLeft(line); !ok || !closed || len(line) == 0 || line[0] != ':' {
		return false
	}
	if len(name) > 1 && name[0] == '_' || bytes.HasPrefix(name, []byte("SYSLOG_")) {
		for _, c := range name {
			if c != '_' && !isDigit(c) && (c < 'A' || c > 'Z') {
				return false
			}
		}
		return true
	}
	return string(name) == "MESSAGE" || string(name) == "PRIORITY" || slices.Contains(objectKeys, string(name))
}
