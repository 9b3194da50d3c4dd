package samples

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"hwcap/parse/fact"
	"hwcap/parse/judge"
)

// aboutTheCapture are the rules whose subject is the capture itself: that
// something could not be read is what they have to say.
var aboutTheCapture = map[string]bool{"capture-privilege": true, "log-complete": true}

// TestKnockOut takes each source of each sample away in three ways. No new
// finding may appear, none may become graver, and no verdict may turn to ok:
// what is not there proves nothing.
func TestKnockOut(t *testing.T) {
	for _, name := range Names() {
		folder, members := readMembers(t, name)
		base := machine(t, folder, members)
		before := verdicts(judge.Run(base))
		var paths []string
		for _, s := range base.Sources {
			paths = append(paths, s.Path)
		}
		for _, s := range base.Sources {
			for _, way := range []fact.State{fact.Absent, fact.Denied, fact.Truncated} {
				if s.State != fact.Present && s.State != fact.Empty {
					continue
				}
				t.Run(fmt.Sprintf("%s/%s/%s", name, s.Name, way), func(t *testing.T) {
					after := verdicts(judge.Run(machine(t, folder, knockOut(t, members, paths, s, way))))
					for key, now := range after {
						was, known := before[key]
						switch {
						case aboutTheCapture[key.id]:
						case now.verdict == judge.OK && was.verdict != judge.OK:
							t.Errorf("%s %s turned from %q to ok (case %s)", key.id, key.subject, was.verdict, now.name)
						case now.verdict == judge.Problem && (!known || was.verdict != judge.Problem):
							t.Errorf("%s %s is a new finding (case %s, was %q)", key.id, key.subject, now.name, was.verdict)
						case now.verdict == judge.Problem && now.severity > was.severity:
							t.Errorf("%s %s became graver: case %s, was %s", key.id, key.subject, now.name, was.name)
						}
					}
				})
			}
		}
	}
}

type subject struct{ id, subject string }

type verdict struct {
	verdict  judge.Verdict
	severity int
	name     string
}

func verdicts(findings []judge.Finding) map[subject]verdict {
	out := map[subject]verdict{}
	for _, f := range findings {
		for _, s := range f.Subjects {
			out[subject{f.ID, s}] = verdict{f.Verdict, f.Severity.Rank(), f.Case}
		}
	}
	return out
}

// knockOut returns the members without those of s, or with half of them, and
// with the manifest saying so; paths are those of all sources.
func knockOut(t *testing.T, members []member, paths []string, s fact.Source, way fact.State) []member {
	t.Helper()
	var out, own []member
	for _, m := range members {
		switch {
		case m.name == "manifest.json":
			out = append(out, member{m.name, restate(t, m.data, s.Name, way)})
		case owner(paths, m.name) == s.Path:
			own = append(own, m)
		default:
			out = append(out, m)
		}
	}
	if way != fact.Truncated {
		return out
	}
	if len(own) == 1 {
		return append(out, member{own[0].name, own[0].data[:len(own[0].data)/2]})
	}
	return append(out, own[:len(own)/2]...)
}

// restate changes the state of a source in a manifest.
func restate(t *testing.T, manifest []byte, name string, state fact.State) []byte {
	t.Helper()
	var out bytes.Buffer
	done := false
	for line := range strings.Lines(string(manifest)) {
		body := strings.TrimSuffix(strings.TrimSpace(line), ",")
		var row map[string]any
		if strings.HasPrefix(body, `{"name"`) && json.Unmarshal([]byte(body), &row) == nil && row["name"] == name {
			row["state"] = state
			row["why"] = "knocked out by the test"
			delete(row, "sha256")
			delete(row, "bytes")
			changed, err := json.Marshal(row)
			if err != nil {
				t.Fatal(err)
			}
			line = strings.Replace(line, body, string(changed), 1)
			done = true
		}
		out.WriteString(line)
	}
	if !done {
		t.Fatalf("no source %s in the manifest", name)
	}
	return out.Bytes()
}
