package render

import (
	"strings"
	"testing"

	"hwcap/parse/fact"
	"hwcap/parse/judge"
	"hwcap/render/catalogue"
)

// TestOneText holds that the report on a benchmark shows its figures, and
// nothing about devices that the text cannot speak of.
func TestOneText(t *testing.T) {
	c, err := catalogue.Load()
	if err != nil {
		t.Fatal(err)
	}
	m := &fact.Machine{
		Capture:      fact.Capture{ID: "bench", Format: "cryptsetup benchmark"},
		Sources:      []fact.Source{{Name: "attach-bench", Path: "bench.txt", State: fact.Present}},
		Measurements: []fact.Measurement{{Tool: "cryptsetup benchmark", What: "aes-xts", KeyBits: 256, Operation: "encrypt", BytesPerSecond: fact.Of(2147483648.0, fact.Line{File: "bench.txt", Line: 3})}},
		Problems:     []fact.Problem{{Text: "22 members not read: it is a link"}, {File: "bench.txt", Text: "odd"}},
	}
	r, err := New(m, judge.Run(m), c, catalogue.German)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := r.Markdown(&b); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"2 GiB/s", "verschlüsseln", "Die Eingabe ist ein einzelner Text", "„odd“"} {
		if !strings.Contains(strings.ReplaceAll(b.String(), "\u00a0", " "), want) {
			t.Errorf("%q is missing", want)
		}
	}
	for _, not := range []string{"### Geräte", "it is a link", "` `", "AF_ALG", "nicht belegbar"} {
		if strings.Contains(b.String(), not) {
			t.Errorf("%q is there", not)
		}
	}
}
