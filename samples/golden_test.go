package samples

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hwcap/render"
	"hwcap/render/catalogue"
)

// TestReportText compares the Markdown of every sample, in both languages, to
// testdata/NAME.LANG.md; -update writes it.
func TestReportText(t *testing.T) {
	texts, err := catalogue.Load()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range Names() {
		m, findings := sample(t, name)
		for _, lang := range catalogue.Langs {
			r, err := render.New(m, findings, texts, lang)
			if err != nil {
				t.Fatal(err)
			}
			var got bytes.Buffer
			if err := r.Markdown(&got); err != nil {
				t.Fatal(err)
			}
			file := filepath.Join("testdata", name+"."+string(lang)+".md")
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
