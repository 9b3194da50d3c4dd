package klog

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// counted are the counts of the corpus's index that facts can give exactly, each
// with what it counts there: lines that hold certain words.
var counted = map[string]func(*Result) int{
	"PCIeBusErr": func(r *Result) int { // "PCIe Bus Error"
		n := 0
		for _, e := range r.AER {
			for _, at := range e.At[:min(len(e.At), 2)] {
				if strings.Contains(at.Text, "PCIe Bus Error") {
					n += e.Count
					break
				}
			}
		}
		return n
	},
	"limited-by": func(r *Result) int { // "available PCIe bandwidth, limited by"
		n := 0
		for _, note := range r.Notes {
			if note.Kind == "bandwidth" && note.Fields["limit-device"] != "" {
				n += note.Times()
			}
		}
		return n
	},
	"BAR-fail": func(r *Result) int { // "can't assign", "failed to assign", "no space"
		n := 0
		for _, note := range r.Notes {
			if strings.HasPrefix(note.Kind, "bar-") {
				n += barFailures(note)
			}
		}
		return n
	},
	"alg-fail": func(r *Result) int { // "alg: ... failed"
		n := 0
		for _, note := range r.Notes {
			if note.Kind == "alg-selftest-failed" {
				n += note.Times()
			}
		}
		return n
	},
}

// inexact are the counts in which the index and the facts differ, and why.
var inexact = map[string]string{
	"hyperv-fips-panic-crlf/kernel.message.txt alg-fail": "two of the lines are the panic over the failure",
	"cxl-aer-inject/dmesg.txt PCIeBusErr":                "half of the lines are trace events, which repeat the reports",
	"powernv-2026/dmesg.txt limited-by":                  "the lines say that DMA is limited, not a link",
}

var (
	indexRow   = regexp.MustCompile("^\\| `([^`]+)` \\|.*\\| ([^|]*) \\|$")
	indexCount = regexp.MustCompile(`([A-Za-z_-]+) (\d+)`)
)

// TestIndex compares what the parser reads of the corpus with what its index
// counted, and holds that no line on a subject of the rules is left unread.
func TestIndex(t *testing.T) {
	corpus := os.Getenv("HWCAP_CORPUS")
	if corpus == "" {
		t.Skip("no corpus: HWCAP_CORPUS is not set")
	}
	index, err := os.ReadFile(filepath.Join(corpus, "INDEX.md"))
	if err != nil {
		t.Fatal(err)
	}
	logs := 0
	for row := range strings.Lines(string(index)) {
		m := indexRow.FindStringSubmatch(strings.TrimRight(row, "\n"))
		if m == nil || !strings.Contains(row, "dmesg") {
			continue
		}
		name := m[1]
		b, err := os.ReadFile(filepath.Join(corpus, name))
		if err != nil {
			continue // a folder, or a row about several
		}
		res, err := Parse(bytes.NewReader(b), name, 0)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		logs++
		t.Logf("%s: %d of %d lines unread", name, res.Unread.Lines, res.Unread.Of)
		if strings.HasPrefix(strings.Split(row, "|")[2], " dmesg") && res.Unread.Lines > 0 {
			t.Errorf("%s: %d lines are unread", name, res.Unread.Lines)
		}
		for _, c := range indexCount.FindAllStringSubmatch(m[2], -1) {
			count := counted[c[1]]
			if count == nil {
				continue
			}
			want, _ := strconv.Atoi(c[2])
			got := count(res)
			if why := inexact[name+" "+c[1]]; why != "" {
				t.Logf("%s: %s %d, the index says %d: %s", name, c[1], got, want, why)
			} else if got != want {
				t.Errorf("%s: %s %d, the index says %d", name, c[1], got, want)
			}
		}
	}
	if logs < 35 {
		t.Errorf("only %d logs found", logs)
	}
}
