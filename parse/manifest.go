package parse

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"

	"hwcap/parse/fact"
)

const (
	manifestName  = "manifest.json"
	manifestLimit = 16 << 20 // bytes
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
	Sources   json.RawMessage `json:"sources"`
}

// manifestFile reads manifest.json. One of another kind is no manifest, and
// one of a newer version ends the opening.
func (b *builder) manifestFile(r io.Reader) {
	data, _ := io.ReadAll(io.LimitReader(r, manifestLimit))
	var h header
	if err := json.Unmarshal(data, &h); err != nil && h.Schema == "" {
		b.problem(manifestName, "not a manifest: %v", err)
		return
	} else if err != nil {
		b.problem(manifestName, "%v", err)
	}
	version, ok := strings.CutPrefix(h.Schema, schemaName)
	n, err := strconv.Atoi(version)
	if !ok || err != nil || n < 1 {
		b.problem(manifestName, "not the manifest of a capture: schema %.80q", h.Schema)
		return
	}
	if n > schemaVersion {
		b.newer = fmt.Sprintf("%s%d, this hwcap reads up to %d", schemaName, n, schemaVersion)
		return
	}
	b.facts++
	b.manifest = &manifest{
		capture: fact.Capture{
			Tool: toolName(h.Tool), Host: h.Host, Kernel: h.Kernel, Arch: h.Arch, Container: h.Container,
			UID: h.UID, Caps: h.Caps, Locale: h.Locale, Timezone: h.Timezone, Boot: h.Boot,
			Start: h.Start, End: h.End, Rebuilt: h.Rebuilt,
		},
		sources: b.manifestSources(data, h.Sources),
	}
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
	line, counted := 1, 0 // number of the line that data[counted] stands on
	for dec.More() {
		var raw json.RawMessage
		if err := dec.Decode(&raw); err != nil {
			b.problem(manifestName, "sources: %v", err)
			break
		}
		start := offset + int(dec.InputOffset()) - len(raw)
		line += bytes.Count(data[counted:start], []byte("\n"))
		counted = start
		at := fact.Line{File: manifestName, Line: line, Text: lineAt(data, start)}
		s, why := readSource(raw)
		switch {
		case why != "":
		case named[s.Name]:
			why = "a source of this name came before"
		default:
			named[s.Name] = true
			s.At = at
			all = append(all, s)
			continue
		}
		b.m.Problems = append(b.m.Problems, fact.Problem{File: manifestName, Line: line, Text: why})
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

// lineAt returns the line of data that holds the byte at, at most 4 KiB of it.
func lineAt(data []byte, at int) string {
	start := bytes.LastIndexByte(data[:at], '\n') + 1
	line, _, _ := bytes.Cut(data[start:], []byte("\n"))
	return string(bytes.TrimRight(line[:min(len(line), 4<<10)], "\r"))
}
