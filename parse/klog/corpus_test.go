package klog

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"hwcap/parse/fact"
)

// TestCorpus reads logs of real machines. What can be counted with a plain
// search of the text must be counted alike by the parser.
func TestCorpus(t *testing.T) {
	corpus := os.Getenv("HWCAP_CORPUS")
	if corpus == "" {
		t.Skip("no corpus: HWCAP_CORPUS is not set")
	}
	files := map[string]bool{}
	for _, glob := range []string{"*/*dmesg*", "*/error.txt", "*/messages-*", "*/kernel.message.txt", "*/klog.txt", "*/report.txt", "mpt3sas-realloc/*", "qat-a2sdi-dmcrypt/mail.txt", "*/sample-errors.log"} {
		found, _ := filepath.Glob(filepath.Join(corpus, glob))
		for _, f := range found {
			files[f] = true
		}
	}
	if len(files) < 35 {
		t.Fatalf("only %d logs found", len(files))
	}
	for path := range files {
		name, _ := filepath.Rel(corpus, path)
		t.Run(name, func(t *testing.T) {
			b, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			res, err := Parse(bytes.NewReader(b), name, 0)
			if err != nil || len(res.Problems) != pasted[name] {
				t.Fatal(err, res.Problems)
			}
			checkCorpus(t, name, string(b), res)
		})
	}
}

// pasted is how often the time runs backwards in a text of several pieces.
var pasted = map[string]int{"cxl-aer-inject/dmesg.txt": 3}

// reports counts in the corpus those that the text does not show by one line
// each, besides blocks: announcements that no block followed.
var unanswered = map[string]int{"hp-mx250-aer/dmesg-aer.txt": 3}

var (
	trace     = regexp.MustCompile(`(?m)^.*aer_event: .*$`)
	enabled   = regexp.MustCompile(`AER: enabled with IRQ`)
	block     = regexp.MustCompile(`PCIe Bus Error: severity=`)
	oscLine   = regexp.MustCompile(`acpi (?:PNP0A0[38]|ACPI0016):[0-9a-f]{2}: _OSC(?:: | failed)`)
	limited   = regexp.MustCompile(`available PCIe bandwidth,\s+limited by`)
	group     = regexp.MustCompile(`Adding to iommu group \d`)
	selftests = regexp.MustCompile(`(?m)alg: [^\n]* failed `)
)

func checkCorpus(t *testing.T, name, text string, res *Result) {
	if head := text[:min(len(text), 8192)]; !Looks([]byte(head)) {
		switch name {
		case "plx8748-hotplug/report.txt", "rockpro64-asm1184-switch/lspci-and-dmesg-console.txt", "fwts-sample-errors/sample-errors.log":
			// These begin with something else.
		default:
			t.Error("not recognised")
		}
	}
	text = trace.ReplaceAllString(text, "")
	count := func(kinds ...string) (n int) {
		for _, note := range res.Notes {
			for _, k := range kinds {
				if note.Kind == k && (k != "bandwidth" || note.Fields["limit-device"] != "") && (k != "alg-selftest-failed" || note.Boot == 0) {
					n += note.Times()
				}
			}
		}
		return n
	}
	reports := 0
	for _, e := range res.AER {
		reports += e.Count
	}
	all := func(re *regexp.Regexp) int { return len(re.FindAllString(text, -1)) }
	for what, pair := range map[string][2]int{
		"error reports": {reports, all(block) + unanswered[name]},
		"AER enabled":   {count("aer-enabled"), all(enabled)},
		"_OSC":          {count("osc"), all(oscLine)},
		"limited by":    {count("bandwidth"), all(limited)},
		"IOMMU groups":  {count("iommu-group"), all(group)},
	} {
		if pair[0] != pair[1] {
			t.Errorf("%s: %d, want %d", what, pair[0], pair[1])
		}
	}
	if n := count("alg-selftest-failed"); n != all(selftests) && !strings.Contains(text, "Kernel panic - not syncing: alg:") {
		t.Errorf("failed self-tests: %d, want %d", n, all(selftests))
	}
	lines := strings.Split(text, "\n")
	evidence := func(at fact.Line) {
		if at.Line < 1 || at.Line > len(lines) || strings.TrimRight(lines[at.Line-1], "\r") != at.Text {
			t.Errorf("not the literal line: %+v", at)
		}
	}
	for _, n := range res.Notes {
		evidence(n.At)
	}
	for _, e := range res.AER {
		evidence(e.LastAt)
		for _, at := range e.At {
			evidence(at)
		}
	}
	if len(res.Notes) == 0 && len(res.AER) == 0 {
		t.Error("no fact at all")
	}
}
