package figure

import (
	"bytes"
	"encoding/xml"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hwcap/parse/fact"
	"hwcap/parse/judge"
)

var update = flag.Bool("update", false, "write the golden files anew")

func svg(t *testing.T, s *Scene) string {
	t.Helper()
	var b bytes.Buffer
	if err := s.SVG(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestTreeGolden(t *testing.T) {
	for _, c := range []struct {
		name     string
		machine  *fact.Machine
		findings []judge.Finding
		lang     string
	}{
		{"workstation.de", workstation(), concerns(), "de"},
		{"workstation.en", workstation(), concerns(), "en"},
		{"farm.en", farm(), nil, "en"},
		{"backplane.de", backplane(), nil, "de"},
	} {
		golden(t, c.name, Tree(c.machine, c.findings, c.lang, className))
	}
}

// golden compares scenes to testdata/NAME-N.svg, and checks them.
func golden(t *testing.T, name string, scenes []*Scene) {
	t.Helper()
	if len(scenes) == 0 {
		t.Errorf("%s: nothing is drawn", name)
	}
	for i, s := range scenes {
		check(t, name, s)
		file := filepath.Join("testdata", fmt.Sprintf("%s-%d.svg", name, i+1))
		got := svg(t, s)
		if *update {
			if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got, "\n")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", file, diff)
		}
	}
}

// texts returns the labels of the scenes.
func texts(scenes []*Scene) string {
	var all []string
	for _, s := range scenes {
		for _, i := range s.Items {
			if l, ok := i.(Label); ok {
				all = append(all, l.Text)
			}
		}
	}
	return strings.Join(all, "\n")
}

func TestTreeMarks(t *testing.T) {
	all := texts(Tree(workstation(), concerns(), "de", className))
	for want, n := range map[string]int{
		"Nadelöhr":              1, // as the finding says
		"▲ Warnung":             1, // the worse of two findings about the graphics card
		"◆ Hinweis":             1,
		"auf der Karte":         1,
		"kein Link":             1,
		"● Info":                1,
		"5 GT/s x8":             1 + 1, // "5 GT/s x8" and "2,5 GT/s x8"
		"Slot 2 · nichts dahin": 1,
	} {
		if got := strings.Count(all, want); got != n {
			t.Errorf("%q stands %d times, want %d, in:\n%s", want, got, n, all)
		}
	}
}

func TestTreeLinksToFindings(t *testing.T) {
	all := svg(t, Tree(workstation(), concerns(), "de", className)[0])
	for _, want := range []string{`href="#f-1"`, `href="#f-3"`} {
		if !strings.Contains(all, want) {
			t.Errorf("no %s", want)
		}
	}
}

func TestTreeFitsItsPages(t *testing.T) {
	for name, m := range map[string]*fact.Machine{"workstation": workstation(), "farm": farm(), "backplane": backplane()} {
		for _, lang := range []string{"de", "en"} {
			for i, s := range Tree(m, concerns(), lang, className) {
				check(t, fmt.Sprintf("%s.%s-%d", name, lang, i+1), s)
			}
		}
	}
}

// Many boards say Slot+ of ports to which a chip is soldered.
func TestSlotAloneIsNoCard(t *testing.T) {
	m := workstation()
	m.Slots = nil
	all := texts(Tree(m, nil, "de", className))
	if strings.Contains(all, "auf der Karte") || !strings.Contains(all, "hinter dem Switch") {
		t.Errorf("the frame is not that of a switch:\n%s", all)
	}
}

// Which hop is the narrowest is no finding by itself.
func TestBottleneckNeedsFinding(t *testing.T) {
	if all := texts(Tree(workstation(), nil, "de", className)); strings.Contains(all, "Nadelöhr") {
		t.Errorf("a bottleneck without a finding:\n%s", all)
	}
}

func TestLargeMachineFolds(t *testing.T) {
	m := farm()
	scenes := Tree(m, nil, "en", className)
	if len(m.PCI) < 250 || len(scenes) > 4 {
		t.Errorf("%d functions take %d scenes", len(m.PCI), len(scenes))
	}
	if all := texts(scenes); !strings.Contains(all, "likewise") || !strings.Contains(all, "more") {
		t.Error("nothing folded")
	}
}

// ward is a machine of n links whose devices all have a finding, alike or each
// with a name of its own; the last one is the worst.
func ward(n int, alike bool) (*fact.Machine, []judge.Finding) {
	m := &machine{}
	var findings []judge.Finding
	for i := range n {
		port, drive := fmt.Sprintf("%04x:00:01.0", i), fmt.Sprintf("%04x:01:00.0", i)
		name := "Drive"
		if !alike {
			name = fmt.Sprint("Drive ", i)
		}
		m.port(port, "", fact.RootPort, i, gts(16, 4), gts(8, 4))
		m.add(drive, port, fact.Endpoint, name, gts(16, 4), gts(8, 4))
		severity := judge.Warning
		if i == n-1 {
			severity = judge.Critical
		}
		findings = append(findings, judge.Finding{ID: "pcie-link-speed", Case: "slow", Area: judge.Links, Verdict: judge.Problem, Severity: severity, Subjects: []string{drive}})
	}
	return &m.Machine, findings
}

func TestAlikeFindingsFold(t *testing.T) {
	m, findings := ward(300, true)
	scenes := Tree(m, findings, "de", className)
	if all := texts(scenes); len(scenes) != 1 || strings.Count(all, "Warnung") != 1 || strings.Count(all, "kritisch") != 1 {
		t.Errorf("%d scenes:\n%s", len(scenes), all)
	}
	if few, findings := ward(4, true); strings.Count(texts(Tree(few, findings, "de", className)), "Warnung") != 3 {
		t.Error("few links with findings fold")
	}
}

// What finds no page is counted, and never the worst.
func TestTreeEnds(t *testing.T) {
	m, findings := ward(300, false)
	scenes := Tree(m, findings, "en", className)
	if len(scenes) > mostTrees+1 || !strings.Contains(texts(scenes[:1]), "critical") || !strings.Contains(texts(scenes), "more links found no room") {
		t.Errorf("%d scenes, the last one:\n%s", len(scenes), texts(scenes[len(scenes)-1:]))
	}
	for i, s := range scenes {
		check(t, fmt.Sprint(i), s)
	}
}

func className(d *fact.Device) string { return d.ClassName }

func TestNoLinksNoTree(t *testing.T) {
	if got := Tree(&fact.Machine{}, nil, "de", className); got != nil {
		t.Errorf("got %d scenes for a machine without PCI", len(got))
	}
}

// Without root, lspci prints no capabilities; sysfs still knows the links.
func TestTreeFromSysfsOnly(t *testing.T) {
	m := &machine{}
	m.add("0000:00:01.0", "", "", "bridge", nil, nil)
	m.add("0000:01:00.0", "0000:00:01.0", "", "card", nil, nil)
	for i := range m.PCI {
		m.PCI[i].CapsState = fact.Denied
	}
	m.PCI[0].Class = "0604"
	m.PCI[1].Sysfs = &fact.Sysfs{Current: fact.Of(*gts(8, 4), fact.Line{}), Max: fact.Of(*gts(16, 4), fact.Line{})}
	all := texts(Tree(&m.Machine, nil, "en", className))
	for _, want := range []string{"8 GT/s x4", "16 GT/s x4", "?"} {
		if !strings.Contains(all, want) {
			t.Errorf("no %q in:\n%s", want, all)
		}
	}
}

func TestForgedParentsEnd(t *testing.T) {
	m := &machine{}
	m.add("0000:00:01.0", "", fact.RootPort, "root", nil, nil)
	m.add("0000:01:00.0", "0000:00:01.0", fact.UpstreamPort, "up", nil, nil)
	m.add("0000:02:00.0", "0000:01:00.0", fact.DownstreamPort, "down", nil, nil)
	m.add("0000:01:00.0", "0000:02:00.0", fact.UpstreamPort, "up again", nil, nil)
	if len(Tree(&m.Machine, nil, "en", className)) == 0 {
		t.Error("no scene")
	}
}

func TestSVGIsWellFormedAndHarmless(t *testing.T) {
	s := &Scene{Width: 50, Height: 20, Title: `<script>alert("x")</script>`, Desc: "a\x00b\u202e]]>", Items: []Item{
		Label{X: 1, Y: 5, Text: "a & b <i> \xe2 😀", Size: 8, Link: `javascript:alert(1)`},
		Label{X: 1, Y: 9, Text: "linked", Size: 8, Link: `https://docs.kernel.org/?a="b&c`},
		Rect{X: 1, Y: 1, W: 4, H: 4, Fill: Panel, Border: Ink, Stroke: 0.2, Link: "#f-1"},
	}}
	got := svg(t, s)
	for dec := xml.NewDecoder(strings.NewReader(got)); ; {
		_, err := dec.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatalf("not well formed: %v\n%s", err, got)
		}
	}
	for _, bad := range []string{"<script", "javascript", "\u202e", "\x00", "url(", "@import"} {
		if strings.Contains(got, bad) {
			t.Errorf("%q survived", bad)
		}
	}
	if svg(t, s) != got {
		t.Error("two calls differ")
	}
}

func BenchmarkTree(b *testing.B) {
	m := farm()
	for b.Loop() {
		for _, s := range Tree(m, nil, "en", className) {
			if err := s.SVG(io.Discard); err != nil {
				b.Fatal(err)
			}
		}
	}
}
