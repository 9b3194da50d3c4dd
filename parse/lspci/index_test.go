package lspci_test

import (
	"bufio"
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"hwcap/parse"
	"hwcap/parse/fact"
	"hwcap/parse/lspci"
)

func corpus(t *testing.T) string {
	t.Helper()
	dir := os.Getenv("HWCAP_CORPUS")
	if dir == "" {
		t.Skip("no corpus: HWCAP_CORPUS is not set")
	}
	return dir
}

// indexed is one row of the corpus' INDEX.md.
type indexed struct {
	file, kind string
	counts     map[string]int
}

var counted = regexp.MustCompile(`(?:^|; )(?:(\d+) (dev)|(LnkSta|denied|x0|downgraded|CESta\+|UESta\+|SR-IOV|ReBAR) (\d+))`)

// readIndex returns the rows that count something of lspci, or whose kind says
// that lspci printed the text.
func readIndex(t *testing.T, dir string) []indexed {
	t.Helper()
	f, err := os.Open(filepath.Join(dir, "INDEX.md"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var rows []indexed
	for in := bufio.NewScanner(f); in.Scan(); {
		cells := strings.Split(strings.Trim(in.Text(), "|"), " | ")
		if len(cells) < 5 || !strings.HasPrefix(cells[0], " `") {
			continue
		}
		row := indexed{file: strings.Trim(cells[0], " `"), kind: cells[1], counts: map[string]int{}}
		for _, m := range counted.FindAllStringSubmatch(strings.TrimSpace(cells[4]), -1) {
			row.counts[m[2]+m[3]], _ = strconv.Atoi(m[1] + m[4])
		}
		if len(row.counts) > 0 || strings.Contains(row.kind, "lspci") {
			rows = append(rows, row)
		}
	}
	return rows
}

// count counts in the facts of devices what the index counts in the text: what
// hexadecimal rows add is not counted.
func count(devices []fact.Device) map[string]int {
	c := map[string]int{}
	add := func(what string, yes bool) {
		if yes {
			c[what]++
		}
	}
	for _, d := range devices {
		c["dev"] += d.Listings
		add("denied", d.CapsState == fact.Denied)
		add("SR-IOV", d.SRIOV != nil && printed(d.SRIOV.At, "Initial VFs"))
		add("ReBAR", len(d.ReBAR) > 0 && printed(d.ReBAR[0].At, "BAR"))
		if a := d.AER; a != nil {
			add("CESta+", a.CESta != nil && printed(a.CESta.At[0], "CESta") && len(a.CESta.Set()) > 0)
			add("UESta+", a.UESta != nil && printed(a.UESta.At[0], "UESta") && len(a.UESta.Set()) > 0)
		}
		x := d.Express
		if x == nil {
			continue
		}
		if x.LinkCap != nil && printed(x.LinkCap.At, "LnkCap") {
			add("x0", x.LinkCap.Width == 0)
		}
		if l := x.LinkSta; l != nil && printed(l.At, "LnkSta") {
			add("LnkSta", true)
			add("x0", l.Width == 0)
			if strings.Contains(l.Note, "downgraded") { // of speed, width, or both
				add("downgraded", l.Speed < x.LinkCap.Speed)
				add("downgraded", l.Width < x.LinkCap.Width)
			}
		}
	}
	return c
}

func printed(at fact.Line, label string) bool { return strings.HasPrefix(at.Text, label) }

// parts cuts a text where it lists an address again: of two listings that say
// the same, facts have one.
func parts(text []byte) [][]byte {
	var all [][]byte
	seen := map[string]bool{}
	start, at := 0, 0
	for line := range bytes.Lines(text) {
		if address, _, _ := bytes.Cut(line, []byte(" ")); lspci.Begins(line) {
			if seen[string(address)] {
				all = append(all, text[start:at])
				start = at
				clear(seen)
			}
			seen[string(address)] = true
		}
		at += len(line)
	}
	return append(all, text[start:])
}

// differs are the counts in which facts and index do not agree, with the reason.
var differs = []struct {
	file, what  string
	index, fact int
	why         string
}{
	{"imx8-switch-lan743x/lspci-vv.txt", "CESta+", 0, 2, `the index overlooks wrapped registers: line 193 ends in "Timeout- ", line 194 is "AdvNonFatalErr+ CorrIntErr- HeaderOF-", and so are 796 and 797`},
	{"imx8mp-pi7c9x-hang/lspci-n-and-vv.txt", "CESta+", 0, 1, `the index overlooks wrapped registers: line 217 ends in "Timeout-", line 218 is "AdvNonFatalErr+ CorrIntErr- HeaderOF-"`},
	{"asus-adl-gl9755/lspci.txt", "ReBAR", 2, 1, `the index counts capabilities, and one has no BAR: line 1525 is "<error in resizable BAR: num_bars=0 is out of specification>"`},
	{"lenovo-8thgen-egpu-bar/lspci-v-realloc-off.txt", "ReBAR", 3, 0, "the index counts capabilities, of which a single -v prints no registers"},
	{"qat-c3000-truenas-bound/lspci-v-qat.txt", "SR-IOV", 1, 0, "the index counts capabilities, of which a single -v prints no registers"},
}

// TestCorpusIndex: facts count what the index counts.
func TestCorpusIndex(t *testing.T) {
	dir := corpus(t)
	files := 0
	for _, row := range readIndex(t, dir) {
		if len(row.counts) == 0 {
			continue
		}
		files++
		path := filepath.Join(dir, row.file)
		m, err := parse.Open(path, parse.Options{})
		if err != nil {
			t.Errorf("%v", err)
			continue
		}
		got := count(m.PCI)
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if all := parts(text); len(all) > 1 {
			devices := got["dev"]
			got = map[string]int{"dev": devices}
			for _, part := range all {
				r, err := lspci.Parse(bytes.NewReader(part), row.file)
				if err != nil {
					t.Fatal(err)
				}
				for what, n := range count(r.Devices) {
					if what != "dev" {
						got[what] += n
					}
				}
			}
		}
		for _, d := range differs {
			if d.file == row.file && row.counts[d.what] == d.index {
				row.counts[d.what] = d.fact
				t.Logf("%s: index says %d %s, the text %d: %s", d.file, d.index, d.what, d.fact, d.why)
			}
		}
		for _, what := range []string{"dev", "LnkSta", "x0", "downgraded", "denied", "CESta+", "UESta+", "SR-IOV", "ReBAR"} {
			if got[what] != row.counts[what] {
				t.Errorf("%s: %d %s, index says %d", row.file, got[what], what, row.counts[what])
			}
		}
	}
	t.Logf("%d files", files)
}

// byHand are files whose unread lines nobody's lspci printed.
var byHand = map[string]string{
	"insights-lspci/LSPCI_DRIVER_DETAILS_2.txt":      "a device's line without its address",
	"insights-lspci/LSPCI_DRIVER_DETAILS_3.txt":      "devices' lines without their addresses",
	"insights-lspci/LSPCI_OUTPUT_WITH_BAD_LINES.txt": "a comment",
}

// TestCorpusUnread prints of each text how many of lspci's lines were not read,
// and holds each and all below 2 %.
func TestCorpusUnread(t *testing.T) {
	dir := corpus(t)
	var files []string
	for _, row := range readIndex(t, dir) {
		files = append(files, row.file)
	}
	versions, _ := filepath.Glob(filepath.Join(dir, "lspci-versions", "*", "*"))
	for _, v := range versions {
		rel, _ := filepath.Rel(dir, v)
		files = append(files, rel)
	}
	var unread, all int
	for _, file := range files {
		f, err := os.Open(filepath.Join(dir, file))
		if err != nil {
			t.Fatal(err)
		}
		r, err := lspci.Parse(f, file)
		f.Close()
		if err != nil {
			t.Fatal(err)
		}
		lines, of := r.Unread.Lines-r.Outside.Lines, r.Unread.Of-r.Outside.Of
		t.Logf("%-70s %5d unread, %6d unneeded of %6d; %5d outside", file, lines, r.Unread.Ignored-r.Outside.Ignored, of, r.Outside.Of)
		if byHand[file] == "" && lines*50 > of {
			t.Errorf("%s: %d of %d lines unread, more than 2 %%", file, lines, of)
		}
		if strings.HasPrefix(file, "lspci-versions") && (lines > 0 || r.Outside.Of > 0) {
			t.Errorf("%s: %d lines unread and %d outside in lspci's own output", file, lines, r.Outside.Of)
		}
		unread, all = unread+lines, all+of
	}
	t.Logf("%d texts: %d of %d lines unread (%.3f %%)", len(files), unread, all, 100*float64(unread)/float64(all))
	if unread*50 > all {
		t.Errorf("%d of %d lines unread, more than 2 %%", unread, all)
	}
}
