package parse_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"hwcap/parse"
	"hwcap/parse/fact"
)

// manifested opens a capture of one good member and a manifest.
func manifested(t *testing.T, manifest string) (*fact.Machine, error) {
	t.Helper()
	return open(tarOf(t,
		entry{name: "x/proc/cmdline", data: "quiet\n"},
		entry{name: "x/manifest.json", data: manifest},
	), parse.Limits{})
}

func TestManifestOddities(t *testing.T) {
	const head, tail = `{"schema":"hwcap.capture/1","host":"example",`, `"sources":[{"name":"proc-cmdline","path":"proc/cmdline","state":"present"}]}`
	for name, tc := range map[string]struct {
		manifest string
		problem  string // part of it, "" for none
		sound    func(*fact.Machine) bool
	}{
		"nothing odd": {head + `"uid":0,"start":"2026-08-12T21:14:00Z",` + tail, "", func(m *fact.Machine) bool {
			return m.Capture.UID != nil && m.Capture.Start == "2026-08-12T21:14:00Z"
		}},
		"no user":          {head + `"uid":-1,` + tail, "uid -1", func(m *fact.Machine) bool { return m.Capture.UID == nil }},
		"no user, 32 bits": {head + `"uid":4294967295,` + tail, "uid 4294967295", func(m *fact.Machine) bool { return m.Capture.UID == nil }},
		"negative size": {head + `"sources":[{"name":"dmesg","state":"absent","bytes":-5,"ms":3}]}`, "bytes is below zero", func(m *fact.Machine) bool {
			s := m.Source("dmesg")
			return s.State == fact.Absent && s.Bytes == 0 && s.MS == 3
		}},
		"negative time": {head + `"sources":[{"name":"dmesg","state":"absent","bytes":5,"ms":-3}]}`, "ms is below zero", func(m *fact.Machine) bool {
			s := m.Source("dmesg")
			return s.Bytes == 5 && s.MS == 0
		}},
		"byte order mark": {"\ufeff" + head + tail, "", func(m *fact.Machine) bool {
			return m.Source("proc-cmdline").At.Text == head+tail
		}},
		"something behind it": {head + tail + "\nnoise", "what follows its end", nil},
		"a second object":     {head + tail + `{"schema":"hwcap.capture/2"}`, "what follows its end", nil},
		"blanks behind it":    {head + tail + "\r\n \n", "", nil},
		"start in words":      {head + `"start":"yesterday",` + tail, `start: not a time of RFC 3339: "yesterday"`, func(m *fact.Machine) bool { return m.Capture.Start == "" }},
		"end without zone":    {head + `"end":"2026-08-12T21:14:00",` + tail, "end: not a time", func(m *fact.Machine) bool { return m.Capture.End == "" }},
		"before year 1":       {head + `"start":"0001-01-01T00:00:00+14:00",` + tail, "start: not a time", func(m *fact.Machine) bool { return m.Capture.Start == "" }},
		"after year 9999":     {head + `"end":"9999-12-31T23:59:59-01:00",` + tail, "end: not a time", func(m *fact.Machine) bool { return m.Capture.End == "" }},
	} {
		t.Run(name, func(t *testing.T) {
			m, err := manifested(t, tc.manifest)
			if err != nil {
				t.Fatal(err)
			}
			if got := problem(m, "manifest.json"); !strings.Contains(got, tc.problem) || tc.problem == "" && got != "" {
				t.Errorf("problem %q, want %q", got, tc.problem)
			}
			if m.Capture.Host != "example" || tc.sound != nil && !tc.sound(m) {
				t.Errorf("capture %+v, sources %+v", m.Capture, m.Sources)
			}
		})
	}
}

func TestManifestVersions(t *testing.T) {
	for version, newer := range map[string]bool{
		"2": true, "99999999999999999999999": true, strings.Repeat("9", 5000): true,
		"+1": false, "01": false, "0": false, "-1": false, "1.0": false, "1 ": false, "": false, "\u0661": false,
	} {
		m, err := manifested(t, `{"schema":"hwcap.capture/`+version+`","host":"example","sources":[]}`)
		switch {
		case newer && !errors.Is(err, parse.ErrNewer):
			t.Errorf("%.40q: error %v, want %v", version, err, parse.ErrNewer)
		case newer && len(err.Error()) > 200:
			t.Errorf("%.40q: an error of %d bytes", version, len(err.Error()))
		case !newer && (err != nil || m.Capture.Host != "" || problem(m, "manifest.json") == ""):
			t.Errorf("%q is taken for a version: error %v", version, err)
		}
	}
}

// TestManifestOfOneLine: sources on one line share its text, and only so many
// are read.
func TestManifestOfOneLine(t *testing.T) {
	const kept = 10_000
	var b strings.Builder
	b.WriteString(`{"schema":"hwcap.capture/1","host":"example","sources":[`)
	for i := range 100_000 {
		fmt.Fprintf(&b, `{"name":"s%d","state":"absent"},`, i)
	}
	b.WriteString(`{"name":"last","state":"absent"}]}`)
	m, err := manifested(t, b.String())
	if err != nil {
		t.Fatal(err)
	}
	if len(m.Sources) != kept || m.Source("last").State != fact.NotAsked {
		t.Errorf("%d sources, want %d", len(m.Sources), kept)
	}
	if got := problem(m, "manifest.json"); !strings.Contains(got, "more than 10000 sources") {
		t.Errorf("problem %q", got)
	}
	for _, s := range m.Sources {
		if s.At.Line != 1 || s.At.Text != m.Sources[0].At.Text || len(s.At.Text) > 4<<10 {
			t.Fatalf("%s stands on line %d, %d bytes of it", s.Name, s.At.Line, len(s.At.Text))
		}
	}
}

// TestManifestLines: each source is found on the line where it begins.
func TestManifestLines(t *testing.T) {
	m, err := manifested(t, "{\"schema\":\"hwcap.capture/1\",\r\n\n\"sources\":[{\"name\":\"a\",\"state\":\"absent\"},{\"name\":\r\n\"b\",\"state\":\"absent\"},\n\n"+
		"{\"name\":\"c\",\"state\":\"absent\"}]}")
	if err != nil {
		t.Fatal(err)
	}
	first := `"sources":[{"name":"a","state":"absent"},{"name":`
	for name, want := range map[string]fact.Line{
		"a": {File: "manifest.json", Line: 3, Text: first},
		"b": {File: "manifest.json", Line: 3, Text: first},
		"c": {File: "manifest.json", Line: 6, Text: `{"name":"c","state":"absent"}]}`},
	} {
		if got := m.Source(name).At; got != want {
			t.Errorf("%s stands at %+v, want %+v", name, got, want)
		}
	}
}
