package redact

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"hash"
	"path"
	"strings"
)

const (
	manifestName = "manifest.json"
	manifestMost = 16 << 20 // bytes
)

// object is a JSON object whose fields keep their order and their text.
type object []field

type field struct {
	name  string
	value json.RawMessage
}

func readObject(raw []byte) (object, error) {
	dec := json.NewDecoder(bytes.NewReader(raw))
	if t, err := dec.Token(); err != nil || t != json.Delim('{') {
		return nil, fmt.Errorf("not a JSON object")
	}
	var o object
	for dec.More() {
		t, err := dec.Token()
		if err != nil {
			return nil, err
		}
		name, _ := t.(string)
		var value json.RawMessage
		if err := dec.Decode(&value); err != nil {
			return nil, err
		}
		o = append(o, field{name, value})
	}
	_, err := dec.Token()
	return o, err
}

func (o object) get(name string, into any) bool {
	for _, f := range o {
		if f.name == name {
			return json.Unmarshal(f.value, into) == nil
		}
	}
	return false
}

// set sets a field, a new one behind the field after.
func (o *object) set(name, after string, value any) {
	raw, err := json.Marshal(value)
	if err != nil {
		return // no value that is set has this
	}
	at := len(*o)
	for i, f := range *o {
		if f.name == name {
			(*o)[i].value = raw
			return
		}
		if f.name == after {
			at = i + 1
		}
	}
	*o = append(*o, field{})
	copy((*o)[at+1:], (*o)[at:])
	(*o)[at] = field{name, raw}
}

// write writes the fields with what stands between them.
func (o object) write(b *bytes.Buffer, before, colon, between string) {
	for i, f := range o {
		if i > 0 {
			b.WriteString(between)
		}
		b.WriteString(before)
		name, _ := json.Marshal(f.name)
		b.Write(name)
		b.WriteString(colon)
		b.Write(f.value)
	}
}

// manifest is manifest.json of a capture.
type manifest struct {
	fields  object
	sources []object
	tallies []tally // one a source
}

// tally is what is counted of the members of a source while they are written.
type tally struct {
	path       string
	kind       string
	sum        hash.Hash
	bytes      int64
	pseudonyms int
	members    int
}

func readManifest(raw []byte) (*manifest, error) {
	raw = bytes.TrimPrefix(raw, []byte("\xef\xbb\xbf"))
	fields, err := readObject(raw)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", manifestName, err)
	}
	m := &manifest{fields: fields}
	var sources []json.RawMessage
	m.fields.get("sources", &sources)
	for _, raw := range sources {
		s, err := readObject(raw)
		if err != nil {
			return nil, fmt.Errorf("%s: sources: %w", manifestName, err)
		}
		var t tally
		s.get("path", &t.path)
		s.get("kind", &t.kind)
		m.sources, m.tallies = append(m.sources, s), append(m.tallies, t)
	}
	return m, nil
}

// tally returns that of the source that a member belongs to, nil for none.
func (m *manifest) tally(member string) *tally {
	if m == nil || strings.HasSuffix(member, ".err") {
		return nil
	}
	for i := range m.tallies {
		if t := &m.tallies[i]; t.has(member) {
			return t
		}
	}
	return nil
}

// has reports whether a member is of the source: of a tree whatever is below
// its folder, or below one that its pattern names.
func (t *tally) has(member string) bool {
	if t.kind != "tree" {
		return member == t.path
	}
	at := -1
	for range strings.Count(t.path, "/") + 1 {
		next := strings.IndexByte(member[at+1:], '/')
		if next < 0 {
			return false
		}
		at += 1 + next
	}
	ok, err := path.Match(t.path, member[:at])
	return err == nil && ok
}

// redaction is what a manifest says of the pseudonyms in its capture.
type redaction struct {
	Key        string `json:"key"` // id of the key
	Pseudonyms int    `json:"pseudonyms"`
	Dropped    int    `json:"dropped"` // lines
}

// learn learns the name of the host.
func (m *manifest) learn(r *Redactor) {
	var host string
	if m.fields.get("host", &host) {
		r.learnHost(host)
	}
}

func (r *Redactor) learnHost(host string) {
	r.learning = true
	defer func() { r.learning = false }()
	t := &text{r: r, line: []byte(host)}
	t.foundHost(0, len(host))
}

// host returns the pseudonym of a host's name.
func (r *Redactor) host(name string) string {
	t := &text{r: r, line: []byte(name)}
	t.foundHost(0, len(name))
	return t.rewritten()
}

// rewrite replaces identities in the manifest and sets the sizes, sums and
// counts of the members as written. Where nothing was replaced, an earlier mark
// stays.
func (m *manifest) rewrite(r *Redactor) []byte {
	r.file, r.firstOfMember = manifestName, len(r.report)
	head := 0
	for i, f := range m.fields {
		head++
		switch f.name {
		case "sources", "redaction":
		case "host":
			var host string
			if json.Unmarshal(f.value, &host) == nil {
				if with := r.host(host); with != host {
					m.fields[i].value, _ = json.Marshal(with)
					r.note(place{line: head + 1}, Host)
				}
			}
		default:
			m.fields[i].value = r.manifestText(f.value, head+1)
		}
	}
	for i := range m.sources {
		m.source(r, i, head+2+i)
	}
	m.mark(r)
	return m.encode()
}

// source rewrites a source, which stands on that line of the manifest.
func (m *manifest) source(r *Redactor, i, line int) {
	s, t := &m.sources[i], &m.tallies[i]
	for j, f := range *s {
		if f.name != "sha256" {
			(*s)[j].value = r.manifestText(f.value, line)
		}
	}
	if t.members == 0 {
		return
	}
	var was string
	if s.get("sha256", &was) {
		sum := hex.EncodeToString(t.sum.Sum(nil))
		if !strings.EqualFold(was, sum) {
			s.set("sha256", "", sum)
		}
	}
	var size int64
	if s.get("bytes", &size) && size != t.bytes {
		s.set("bytes", "", t.bytes)
	}
	if t.pseudonyms > 0 {
		var before int
		s.get("pseudonyms", &before)
		s.set("pseudonyms", "sha256", before+t.pseudonyms)
	}
}

// manifestText rewrites a JSON value.
func (r *Redactor) manifestText(raw json.RawMessage, line int) json.RawMessage {
	s := stanceOf(manifestName)
	t := &text{r: r, rules: s.rules, line: raw}
	t.scan()
	with := t.rewritten()
	if with == string(raw) || !json.Valid([]byte(with)) {
		return raw
	}
	for _, s := range t.spans {
		if s.with != nil {
			r.note(place{line: line}, s.class)
		}
	}
	return json.RawMessage(with)
}

// mark says that there are pseudonyms.
func (m *manifest) mark(r *Redactor) {
	now := redaction{Key: r.key.id()}
	for _, e := range r.report {
		if e.Class == DroppedLine {
			now.Dropped += e.Count
		} else {
			now.Pseudonyms += e.Count
		}
	}
	var before redaction
	if m.fields.get("redaction", &before) {
		if now.Pseudonyms+now.Dropped == 0 {
			return
		}
		now.Pseudonyms += before.Pseudonyms
		now.Dropped += before.Dropped
	}
	m.fields.set("redaction", "sources", now)
}

// redacted reports whether there were pseudonyms before.
func (m *manifest) redacted() bool {
	var before redaction
	return m != nil && m.fields.get("redaction", &before)
}

// encode writes the manifest as collecting does: each field and each source on
// a line of its own. The mark stands behind the sources, so that these keep
// their lines.
func (m *manifest) encode() []byte {
	var list bytes.Buffer
	list.WriteString("[")
	for i, s := range m.sources {
		if i > 0 {
			list.WriteByte(',')
		}
		list.WriteString("\n    {")
		s.write(&list, "", ":", ",")
		list.WriteByte('}')
	}
	list.WriteString("\n  ]")
	fields := append(object(nil), m.fields...)
	for i, f := range fields {
		if f.name == "sources" {
			fields[i].value = list.Bytes()
		} else {
			var one bytes.Buffer
			if json.Compact(&one, f.value) == nil {
				fields[i].value = one.Bytes()
			}
		}
	}
	var b bytes.Buffer
	b.WriteString("{\n")
	fields.write(&b, "  ", ": ", ",\n")
	b.WriteString("\n}\n")
	return b.Bytes()
}
