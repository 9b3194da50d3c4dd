package redact

import "bytes"

// unitKinds are what the names of systemd's units end in that are made of paths.
var unitKinds = [][]byte{[]byte(".device"), []byte(".mount"), []byte(".automount"), []byte(".swap"), []byte(".service")}

// escapedDash is a hyphen in the name of a unit that is made of a path; a
// hyphen there is a slash (systemd-escape(1)).
var escapedDash = []byte(`\x2d`)

// mostEscaped bounds the name of a unit (UNIT_NAME_MAX of systemd).
const mostEscaped = 256

// unit reads the name of a unit that is made of a path with a hyphen, whose
// first backslash is at line[at], and looks at the path.
func (t *text) unit(at, end int) {
	if at < t.unitEnd || !bytes.HasPrefix(t.line[at:end], escapedDash) {
		return
	}
	from, to := at, at+len(escapedDash)
	for from > 0 && at-from < mostEscaped && isUnit(t.line[from-1]) {
		from--
	}
	for to < end && to-at < mostEscaped && isUnit(t.line[to]) {
		to++
	}
	t.unitEnd = to
	if t.covered(at) == at {
		t.escapedPath(from, to)
	}
}

func isUnit(c byte) bool { return classes[c] != 0 || c == '\\' || c == '@' }

// escapedPath has the name of a unit at line[from:to]. Its path is redacted as a
// line of its own.
func (t *text) escapedPath(from, to int) {
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
