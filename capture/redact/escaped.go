package redact

import "bytes"

// unitKinds are what the names of systemd's units end in that are made of paths.
var unitKinds = [][]byte{[]byte(".device"), []byte(".mount"), []byte(".automount"), []byte(".swap"), []byte(".service")}

// escapedDash is a hyphen in the name of a unit that is made of a path; a
// hyphen there is a slash (systemd-escape(1)).
var escapedDash = []byte(`\x2d`)

// mostEscaped bounds the name of a unit (UNIT_NAME_MAX of systemd).
const mostEscaped = 256

// units finds the names of units that are made of paths with hyphens, and looks
// at the paths.
func (t *text) units(end int) {
	for at := 0; ; {
		i := bytes.Index(t.line[at:end], escapedDash)
		if i < 0 {
			return
		}
		from, to := at+i, at+i+len(escapedDash)
		for from > at && at+i-from < mostEscaped && isUnit(t.line[from-1]) {
			from--
		}
		for to < end && to-from < 2*mostEscaped && isUnit(t.line[to]) {
			to++
		}
		t.unit(from, to)
		at = to
	}
}

func isUnit(c byte) bool { return classes[c] != 0 || c == '\\' || c == '@' }

// unit has the name of a unit at line[from:to]. Its path is redacted as a line
// of its own.
func (t *text) unit(from, to int) {
	name := bytes.TrimRight(t.line[from:to], ".:")
	for _, kind := range unitKinds {
		name = bytes.TrimSuffix(name, kind)
	}
	path := bytes.ReplaceAll(name, []byte("-"), []byte("/"))
	path = bytes.ReplaceAll(path, escapedDash, []byte("-"))
	inner := &text{r: t.r, rules: t.rules, line: append([]byte("/"), path...)}
	inner.scan()
	for _, s := range inner.spans {
		if s.with == nil {
			continue
		}
		again := bytes.ReplaceAll([]byte(inner.rewritten())[1:], []byte("-"), escapedDash)
		t.put(from, from+len(name), s.class, bytes.ReplaceAll(again, []byte("/"), []byte("-")))
		return
	}
}
