package main

import (
	"strings"
	"testing"

	"hwcap/parse/fact"
)

// TestInspectLongName holds that one long name does not push the other rows
// apart.
func TestInspectLongName(t *testing.T) {
	long := strings.Repeat("ä", 500) + "end"
	m := &fact.Machine{Sources: []fact.Source{
		{Name: "attach-" + long, Path: "attach/" + long, State: fact.Present, Bytes: 1},
		{Name: "dmesg", Path: "cmd/dmesg.txt", State: fact.Truncated, Bytes: 2, Why: long},
	}}
	var out strings.Builder
	if err := inspect(&out, m); err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(out.String()) {
		if n := strings.Count(line, " "); n > 2*cellWidth {
			t.Errorf("%d blanks in the line %q", n, line)
		}
	}
	if !strings.Contains(out.String(), "attach-ää") || !strings.Contains(out.String(), "…") || !strings.Contains(out.String(), "ääend ") {
		t.Errorf("names are not shortened in their middle:\n%s", out.String())
	}
	if !strings.Contains(out.String(), long) {
		t.Error("the last cell of a row is cut")
	}
}
