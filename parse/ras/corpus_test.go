package ras

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hwcap/parse/fact"
)

// TestCorpus reads dumps from real machines, all their lines.
func TestCorpus(t *testing.T) {
	corpus := os.Getenv("HWCAP_CORPUS")
	if corpus == "" {
		t.Skip("no corpus: HWCAP_CORPUS is not set")
	}
	counts := map[string]int{} // events; DIMMs of error-count, cells of layout
	cut := map[string]bool{}
	files, _ := filepath.Glob(filepath.Join(corpus, "ras-mc-ctl", "*"))
	for _, path := range files {
		name := filepath.Base(path)
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var sections []fact.RASSection
		var problems []fact.Problem
		var unread fact.Unread
		r := bytes.NewReader(b)
		switch kind, _, _ := strings.Cut(name, "-"); {
		case kind == "summary":
			sections, problems, unread, err = ParseSummary(r, name)
		case strings.HasPrefix(name, "error-count-"):
			var dimms []fact.DIMMCount
			dimms, problems, unread, err = ParseErrorCount(r, name)
			counts[name] = len(dimms)
		case kind == "errors":
			sections, problems, unread, err = ParseErrors(r, name)
		case kind == "layout":
			var cells []fact.DIMMSize
			cells, problems, unread, err = ParseLayout(r, name)
			counts[name] = len(cells)
		case kind == "mainboard":
			_, unread, err = Mainboard(r, name)
		case kind == "status":
			_, unread, err = Status(r, name)
		default: // counters of sysfs
			continue
		}
		t.Logf("%s: unread %d of %d lines, %d ignored", name, unread.Lines, unread.Of, unread.Ignored)
		broken := strings.Contains(name, "broken-db") || strings.Contains(name, "exception")
		if err != nil || unread.Lines > 0 || len(problems) > 0 && !broken {
			t.Errorf("%s: %v %v", name, err, problems)
		}
		for _, s := range sections {
			cut[name] = cut[name] || s.Cut
			for _, r := range s.Rows {
				counts[name] += r.Count
			}
		}
		if cut[name] != broken {
			t.Errorf("%s: cut %v, want %v", name, cut[name], broken)
		}
	}
	want := map[string]int{
		"error-count-dfi-ads310-nbsp.txt": 4, "error-count-fujitsu-d3373.txt": 8, "error-count-r640.txt": 2, "layout-gentoo-amd.txt": 8,
		"errors-mce-r640-injected.txt": 2, "errors-mce-ryzen-9950x.txt": 1,
		"summary-arm-server-errors.txt": 1 + 2 + 9 + 60 + 7 + 2162 + 24, "summary-dimm-aer-bit21-disk.txt": 5 + 1 + 6646,
		"summary-ghes-unknown-memory.txt": 1, "summary-mce-r640-injected.txt": 2,
	}
	if diff := cmp.Diff(want, counts); diff != "" {
		t.Errorf("counts (-want +got):\n%s", diff)
	}
}
