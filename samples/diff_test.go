package samples

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hwcap/parse/diff"
	"hwcap/parse/fact"
	"hwcap/parse/judge"
	"hwcap/render"
	"hwcap/render/catalogue"
)

// pair parses two samples, the earlier first.
func pair(t testing.TB, old, new string) *diff.Pair {
	t.Helper()
	a, _ := sample(t, old)
	b, _ := sample(t, new)
	return diff.New(a, b)
}

func diffJSON(t *testing.T, p *diff.Pair) []byte {
	t.Helper()
	texts, err := catalogue.Load()
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := render.DiffJSON(&b, p, judge.Compare(p), texts, "test"); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

var acceleratorWentIn = []conclusion{
	{"21: which drive moved where, and what answers at its old address", "pcie-address-moved", "0000:c7:00.0", "notice", false,
		map[string]any{"taken": 2.0, "moved": []any{
			map[string]any{"from": "0000:c3:00.0", "to": "0000:c7:00.0", "by": "serial", "name": "Samsung Electronics Co Ltd NVMe SSD Controller PM173X",
				"takenBy": "0000:c3:00.0", "takenName": "PLX Technology, Inc. PEX 8724 24-Lane, 6-Port PCI Express Gen 3 (8 GT/s) Switch, 19 x 19mm FCBGA"},
			map[string]any{"from": "0000:c4:00.0", "to": "0000:c8:00.0", "by": "serial", "takenBy": "0000:c4:00.0"},
		}, "switches": []any{"0000:c3:00.0"}}, true},
	{"it is one machine", "diff-machine", "machine", "info", false,
		map[string]any{"signs": []any{map[string]any{"what": "serials", "agrees": true, "common": 4.0}, map[string]any{"what": "board", "agrees": true}}}, false},
	{"started again in between", "diff-boot", "machine", "info", false, map[string]any{"hasUptimes": true}, false},
	{"the card is new, with its switch and its port", "diff-devices", "0000:c5:00.0", "info", false,
		map[string]any{"devices": []any{map[string]any{"address": "0000:c2:02.0"}, map[string]any{"address": "0000:c4:08.0"}}, "bridges": 4.0}, false},
	{"the drives' links are as they were", "diff-links", "machine", "ok", false, nil, false},
	{"the burst fell between the captures, and is over", "aer-errors", "0000:c8:00.0", "notice", false,
		map[string]any{"correctedCount": 15.0, "datedCount": 15.0, "upper": "0000:c2:05.0"}, true},
	{"the card wins rsa and deflate", "diff-crypto", "deflate", "info", false,
		map[string]any{"winners": []any{
			map[string]any{"algorithm": "deflate", "before": "deflate-generic", "after": "qat_deflate", "priorityAfter": 4001.0},
			map[string]any{"algorithm": "rsa", "before": "rsa-generic", "after": "qat-rsa"},
		}}, true},
	{"the kernel took error handling over", "diff-cmdline", "machine", "info", false,
		map[string]any{"added": []any{"pcie_ports=native"}}, false},
	{"the modules of the card", "diff-modules", "machine", "info", false, map[string]any{"added": []any{"qat_dh895xcc", "intel_qat"}}, false},
	{"nobody shares a group with others than before", "diff-iommu", "machine", "ok", false,
		map[string]any{"groupsBefore": 97.0, "groupsAfter": 102.0}, false},
	{"the kernel is the same", "diff-kernel", "machine", "ok", false, nil, false},
	{"so is the firmware", "diff-firmware", "machine", "ok", false, nil, false},
	{"and each driver", "diff-drivers", "machine", "ok", false, nil, false},
}

// TestDiffWorkstation holds the comparison of the workstation before and after
// its accelerator went in to what its owner found out (conclusion 21).
func TestDiffWorkstation(t *testing.T) {
	var r struct {
		Machine, Boot string
		Findings      []finding
	}
	if err := json.Unmarshal(diffJSON(t, pair(t, "workstation-before", "workstation")), &r); err != nil {
		t.Fatal(err)
	}
	if r.Machine != "same" || r.Boot != "restarted" {
		t.Errorf("machine %q, boot %q", r.Machine, r.Boot)
	}
	for i := range r.Findings { // what is fine needs no line
		if r.Findings[i].Verdict == "ok" && len(r.Findings[i].Evidence) == 0 {
			r.Findings[i].Evidence = []any{nil}
		}
	}
	holdTo(t, r.Findings, acceleratorWentIn)
	for _, f := range r.Findings {
		if f.Severity == "warning" || f.Severity == "critical" || f.Verdict == "unknown" {
			t.Errorf("%s %v is %s%s", f.ID, f.Subjects, f.Verdict, f.Severity)
		}
	}
}

// TestDiffWithItself: the same capture twice shows no change.
func TestDiffWithItself(t *testing.T) {
	for _, name := range Names() {
		for _, f := range judge.Compare(pair(t, name, name)) {
			if f.Verdict != judge.OK && f.ID != "diff-machine" {
				t.Errorf("%s: %s %v is %s, case %s", name, f.ID, f.Subjects, f.Verdict, f.Case)
			}
		}
	}
}

// TestDiffEvidenceStandsWhereItSays checks that each line of evidence stands in
// the capture that it is said to be of.
func TestDiffEvidenceStandsWhereItSays(t *testing.T) {
	for _, names := range [][2]string{{"workstation-before", "workstation"}, {"vm", "workstation"}} {
		var sides [2]*fact.Machine
		var texts [2][]member
		for i, name := range names {
			var folder string
			folder, texts[i] = readMembers(t, name)
			sides[i] = machine(t, folder, texts[i])
		}
		for i, side := range []judge.Side{judge.Old, judge.New} {
			findings := judge.Compare(diff.New(sides[0], sides[1]))
			cited := 0
			for f := range findings {
				findings[f].Verdict = judge.OK // each is checked for the lines of one side only
				findings[f].Evidence = slices.DeleteFunc(findings[f].Evidence, func(e judge.Evidence) bool { return e.Capture != side })
				cited += len(findings[f].Evidence)
			}
			checkEvidence(t, texts[i], findings)
			if cited == 0 {
				t.Errorf("%v: nothing cites the %s capture", names, side)
			}
		}
	}
}

// TestDiffFollowsTheSchema validates the JSON of one machine and of two.
func TestDiffFollowsTheSchema(t *testing.T) {
	s := schema(t, "diff")
	for _, names := range [][2]string{{"workstation-before", "workstation"}, {"workstation", "workstation"}, {"vm", "workstation"}} {
		validate(t, s, diffJSON(t, pair(t, names[0], names[1])))
	}
	var wrong any = map[string]any{"schema": "hwcap.diff/1", "findings": []any{}}
	if s.Validate(wrong) == nil {
		t.Error("the schema takes a comparison without captures")
	}
}

// TestDiffText compares the Markdown to testdata/diff-NAME.LANG.md; -update
// writes it.
func TestDiffText(t *testing.T) {
	texts, err := catalogue.Load()
	if err != nil {
		t.Fatal(err)
	}
	for name, names := range map[string][2]string{"workstation": {"workstation-before", "workstation"}, "two": {"vm", "workstation"}} {
		p := pair(t, names[0], names[1])
		for _, lang := range catalogue.Langs {
			d, err := render.NewDiff(p, judge.Compare(p), texts, lang)
			if err != nil {
				t.Fatal(err)
			}
			var got bytes.Buffer
			if err := d.Markdown(&got); err != nil {
				t.Fatal(err)
			}
			file := filepath.Join("testdata", "diff-"+name+"."+string(lang)+".md")
			if *update {
				if err := os.WriteFile(file, got.Bytes(), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), got.String()); diff != "" {
				t.Errorf("%s differs (-want +got); if that is meant, run go test ./samples -update:\n%s", file, diff)
			}
		}
	}
}

// TestDiffReversed: that the captures were given the wrong way round stands
// first, once, and not at all where they were not.
func TestDiffReversed(t *testing.T) {
	texts, err := catalogue.Load()
	if err != nil {
		t.Fatal(err)
	}
	for _, names := range [][2]string{{"workstation", "workstation-before"}, {"workstation-before", "workstation"}} {
		p := pair(t, names[0], names[1])
		d, err := render.NewDiff(p, judge.Compare(p), texts, catalogue.English)
		if err != nil {
			t.Fatal(err)
		}
		first := d.Reversed()
		if (first.ID != "") != p.Reversed || p.Reversed != (names[0] == "workstation") {
			t.Fatalf("%v: reversed %t, item %q", names, p.Reversed, first.ID)
		}
		if !p.Reversed {
			continue
		}
		if slices.ContainsFunc(d.Top(), func(it render.Item) bool { return it.Anchor == first.Anchor }) {
			t.Error("it stands among the other findings too")
		}
		var text bytes.Buffer
		if err := d.Markdown(&text); err != nil {
			t.Fatal(err)
		}
		_, summary, _ := bytes.Cut(text.Bytes(), []byte("\n- "))
		if line, _, _ := bytes.Cut(summary, []byte("\n")); !bytes.Contains(line, []byte(first.Title)) {
			t.Errorf("the summary begins with %s", line)
		}
	}
}

// aboutThePair are the rules whose subject is what the comparison rests on.
var aboutThePair = map[string]bool{"diff-machine": true, "diff-boot": true, "diff-sources": true}

// TestDiffKnockOut takes each source of either capture away in three ways. No
// change may appear that the whole captures do not show, none may become graver,
// and nothing may turn to ok.
func TestDiffKnockOut(t *testing.T) {
	type side struct {
		folder  string
		members []member
		machine *fact.Machine
	}
	load := func(name string) side {
		folder, members := readMembers(t, name)
		return side{folder, members, machine(t, folder, members)}
	}
	old, new := load("workstation-before"), load("workstation")
	whole := verdicts(judge.Compare(diff.New(old.machine, new.machine)))
	for i, lossy := range []side{old, new} {
		var paths []string
		for _, s := range lossy.machine.Sources {
			paths = append(paths, s.Path)
		}
		for _, s := range lossy.machine.Sources {
			for _, way := range []fact.State{fact.Absent, fact.Denied, fact.Truncated} {
				if s.State != fact.Present && s.State != fact.Empty {
					continue
				}
				t.Run(fmt.Sprintf("%s/%s/%s", lossy.folder, s.Name, way), func(t *testing.T) {
					m := machine(t, lossy.folder, knockOut(t, lossy.members, paths, s, way))
					// Against the other capture, and against itself.
					pairs := []*diff.Pair{diff.New(old.machine, m), diff.New(lossy.machine, m)}
					if i == 0 {
						pairs = []*diff.Pair{diff.New(m, new.machine), diff.New(m, lossy.machine)}
					}
					noClaims(t, whole, verdicts(judge.Compare(pairs[0])))
					for key, now := range verdicts(judge.Compare(pairs[1])) {
						if now.verdict == judge.Problem && !aboutThePair[key.id] {
							t.Errorf("against itself: %s %s changed (case %s)", key.id, key.subject, now.name)
						}
					}
				})
			}
		}
	}
}

// noClaims compares what a pair with a loss says with what the whole one says.
func noClaims(t *testing.T, before, after map[subject]verdict) {
	t.Helper()
	for key, now := range after {
		was, known := before[key]
		switch {
		case aboutThePair[key.id]:
		case now.verdict == judge.OK && was.verdict != judge.OK:
			if key.subject != judge.Machine || known {
				t.Errorf("%s %s turned from %q to ok (case %s)", key.id, key.subject, was.verdict, now.name)
			}
		case now.verdict == judge.Problem && was.verdict != judge.Problem:
			t.Errorf("%s %s is a new finding (case %s, was %q)", key.id, key.subject, now.name, was.verdict)
		case now.verdict == judge.Problem && now.severity > was.severity:
			t.Errorf("%s %s became graver: case %s, was %s", key.id, key.subject, now.name, was.name)
		}
	}
}
