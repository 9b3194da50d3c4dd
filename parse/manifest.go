package parse

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"time"

	"hwcap/parse/fact"
)

const (
	manifestName  = "manifest.json"
	manifestLimit = 16 << 20 // bytes
	maxSources    = 10_000   // listed sources that are read; collect has less than a hundred
	maxCited      = 4 << 10  // bytes kept of a line of it
	schemaName    = "hwcap.capture/"
	schemaVersion = 1
)

// manifest is what manifest.json says, see capture/FORMAT.md.
type manifest struct {
	capture fact.Capture
	sources []fact.Source
}

// header are the fields of manifest.json but its sources.
type header struct {
	Schema    string          `json:"schema"`
	Tool      json.RawMessage `json:"tool"`
	Host      string          `json:"host"`
	Kernel    string          `json:"kernel"`
	Arch      string          `json:"arch"`
	Container string          `json:"container"`
	UID       *int            `json:"uid"`
	Caps      string          `json:"caps"`
	Locale    string          `json:"locale"`
	Timezone  string          `json:"timezone"`
	Boot      string          `json:"boot"`
	Start     string          `json:"start"`
	End       string          `json:"end"`
	Rebuilt   string          `json:"rebuilt"`
	Redaction *struct{}       `json:"redaction"` // that it is there
	Sources   json.RawMessage `json:"sources"`
}

// manifestFile reads manifest.json. One of another kind is no manifest, and
// one of a newer version ends the opening.
func (b *builder) manifestFile(r io.Reader) {
	data, _ := io.ReadAll(io.LimitReader(r, manifestLimit))
	data = bytes.TrimPrefix(data, utf8Mark)
	var h header
	dec := json.NewDecoder(bytes.NewReader(data))
	if err := dec.Decode(&h); err != nil && h.Schema == "" {
		b.problem(manifestName, "not a manifest: %v", err)
		return
	} else if err != nil {
		b.problem(manifestName, "%v", err)
	}
	if len(bytes.TrimSpace(data[dec.InputOffset():])) > 0 {
		b.problem(manifestName, "what follows its end is not read")
	}
	version, ok := strings.CutPrefix(h.Schema, schemaName)
	if !ok || !isVersion(version) {
		b.problem(manifestName, "not the manifest of a capture: schema %.80q", h.Schema)
		return
	}
	if n, _ := strconv.Atoi(version); n > schemaVersion { // the largest int where it is larger still
		b.newer = fmt.Sprintf("%s%.40s, this hwcap reads up to %d", schemaName, version, schemaVersion)
		return
	}
	b.facts++
	if at := bytes.Index(data, []byte(`"kernel"`)); at >= 0 {
		b.kernelAt = (&cursor{data: data}).to(at)
	}
	b.manifest = &manifest{
		capture: fact.Capture{
			Tool: toolName(h.Tool), Host: h.Host, Kernel: h.Kernel, Arch: h.Arch, Container: h.Container,
			UID: b.manifestUID(h.UID), Caps: h.Caps, Locale: h.Locale, Timezone: h.Timezone, Boot: h.Boot,
			Start: b.manifestTime("start", h.Start), End: b.manifestTime("end", h.End), Rebuilt: h.Rebuilt, Redacted: h.Redaction != nil,
		},
		sources: b.manifestSources(data, h.Sources),
	}
}

// isVersion reports whether s is a decimal number from 1 on, written the one
// way that there is.
func isVersion(s string) bool {
	return s != "" && s[0] != '0' && strings.Trim(s, "0123456789") == ""
}

// manifestUID drops a number that no user has: uid_t has 32 bits, and the
// largest one means none (chown(2)).
func (b *builder) manifestUID(uid *int) *int {
	if uid != nil && (*uid < 0 || int64(*uid) >= math.MaxUint32) {
		b.problem(manifestName, "no user has the uid %d", *uid)
		return nil
	}
	return uid
}

// manifestTime drops a time that is none of RFC 3339, in UTC of the years 1 to
// 9999: whoever shows it may rely on that.
func (b *builder) manifestTime(field, s string) string {
	var t time.Time
	if err := t.UnmarshalText([]byte(s)); s != "" && (err != nil || t.UTC().Year() < 1 || t.UTC().Year() > 9999) {
		b.problem(manifestName, "%s: not a time of RFC 3339: %.40q", field, s)
		return ""
	}
	return s
}

// toolName reads "tool", a string or an object with name and version.
func toolName(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return s
	}
	var t struct{ Name, Version string }
	if json.Unmarshal(raw, &t) != nil {
		return ""
	}
	return strings.TrimSpace(t.Name + " " + t.Version)
}

var states = map[fact.State]bool{
	fact.Present: true, fact.Empty: true, fact.Absent: true, fact.Denied: true, fact.TimedOut: true,
	fact.Failed: true, fact.Truncated: true, fact.Redacted: true, fact.NotAsked: true,
}

// manifestSources reads the list of sources one by one, so that a bad one
// costs only itself, and notes the line on which each stands.
func (b *builder) manifestSources(data, list json.RawMessage) []fact.Source {
	if len(list) == 0 {
		b.problem(manifestName, "it lists no sources")
		return nil
	}
	// The list is a part of data as it stands there; data holds it once
	// more only if a string repeats all of it.
	offset := bytes.Index(data, list)
	dec := json.NewDecoder(bytes.NewReader(list))
	if t, err := dec.Token(); err != nil || t != json.Delim('[') {
		b.problem(manifestName, "its sources are no list")
		return nil
	}
	var all []fact.Source
	named := map[string]bool{}
	lines := cursor{data: data}
	for n := 0; dec.More(); n++ {
		if n == maxSources {
			b.problem(manifestName, "it lists more than %d sources; the rest is not read", maxSources)
			break
		}
		var raw json.RawMessage
		if err := dec.Decode(&raw); err != nil {
			b.problem(manifestName, "sources: %v", err)
			break
		}
		at := lines.to(offset + int(dec.InputOffset()) - len(raw))
		s, why := readSource(raw)
		switch {
		case why != "":
		case named[s.Name]:
			why = "a source of this name came before"
		default:
			named[s.Name] = true
			why = dropNegative(&s)
			s.At = at
			all = append(all, s)
		}
		if why != "" {
			b.m.Problems = append(b.m.Problems, fact.Problem{File: manifestName, Line: at.Line, Text: why})
		}
	}
	return all
}

func readSource(raw json.RawMessage) (s fact.Source, why string) {
	switch err := json.Unmarshal(raw, &s); {
	case err != nil:
		return s, "not a source: " + err.Error()
	case s.Name == "":
		return s, "a source without a name"
	case !states[s.State]:
		return s, fmt.Sprintf("source %.40q has the unknown state %.40q", s.Name, s.State)
	}
	s.At = fact.Line{} // "from" is no field of a manifest
	return s, ""
}

// dropNegative sets sizes and times that are below zero to 0, which is not known.
func dropNegative(s *fact.Source) (why string) {
	for _, f := range []struct {
		name string
		n    *int64
	}{{"bytes", &s.Bytes}, {"ms", &s.MS}, {"cap", &s.Cap}} {
		if *f.n < 0 {
			why = fmt.Sprintf("source %.40q: %s is below zero", s.Name, f.name)
			*f.n = 0
		}
	}
	return why
}

// cursor goes forward through the manifest and knows the line that it is on.
// All that stands on one line shares its text.
type cursor struct {
	data []byte
	end  int // of the line, where the next one begins
	line fact.Line
}

// to goes on to the byte at and returns its line, at most maxCited bytes of it.
func (c *cursor) to(at int) fact.Line {
	if at < c.end {
		return c.line
	}
	n := c.line.Line + 1 + bytes.Count(c.data[c.end:at], []byte("\n"))
	line := c.data[c.end+bytes.LastIndexByte(c.data[c.end:at], '\n')+1:]
	if c.end = bytes.IndexByte(c.data[at:], '\n') + at + 1; c.end == at {
		c.end = len(c.data)
	}
	line = line[:len(line)-len(c.data[c.end:])]
	line = line[:min(len(line), maxCited)]
	c.line = fact.Line{File: manifestName, Line: n, Text: string(bytes.TrimRight(line, "\r\n"))}
	return c.line
}
