package catalogue

import (
	"strings"
	"testing"

	"hwcap/parse/judge"
)

func TestPattern(t *testing.T) {
	c, err := Load()
	if err != nil {
		t.Fatal(err)
	}
	for name, tc := range map[string]struct{ source, want string }{
		"fixed text":             {"It runs.", "It runs."},
		"a value":                {"It runs at {{gts .speedGTs}} {{cite \"sta\"}}.", "It runs at ‹speedGTs›."},
		"code":                   {"With {{code .driver}}", "With `‹driver›`"},
		"the kind of any device": {"{{Kind .subject \"nom\"}} is {{kind .subject \"bare\"}}", "The device is device"},
		"one and many":           {"{{if eq .count 1}}One is{{else}}{{num .count}} are{{end}} slow", "One is slow"},
		"many and one":           {"{{if gt .count 1}}{{.count}} are{{else}}one is{{end}} slow", "one is slow"},
		"sometimes":              {"It hung{{if .reset}}, and was reset{{end}}.", "It hung[, and was reset]."},
		"this or that":           {"at {{if .slot}}the slot {{else}}the port {{end}}above", "at (the slot | the port) above"},
		"one of many":            {"{{if .a}}a{{else if .b}}b{{else if .c}}c{{else}}d{{end}}", "(a | b | c | d)"},
		"one of many, or none":   {"x{{if .a}} a{{else if .b}} b{{end}}", "x [a | b]"},
		"the same either way":    {"{{if .a}}x{{else}}x{{end}}", "x"},
		"with":                   {"x{{with .file}}: {{code .}}{{end}}", "x[: `‹file›`]"},
		"a list":                 {"{{range $i, $d := .devices}}{{if $i}}, {{end}}{{$d.name}}{{end}}", "‹name›"},
		"items":                  {"{{if .a}}- x\n- y\n{{end}}", "- [x]\n- [y]"},
		"a table has only values": {"So:\n\n{{if .a}}| a |\n| - |\n{{range .rows}}| {{.v}} |\n{{end}}{{end}}\nEnd.",
			"So:\n\nEnd."},
		"a variable": {"{{$n := len .rows}}{{if .rows}}{{plural $n \"row\" \"rows\"}}{{end}}", "[‹n›\u00a0rows]"},
	} {
		t.Run(name, func(t *testing.T) {
			p := pattern{catalogue: c, lang: English}
			if got := p.of(tc.source); got != tc.want || p.err != nil {
				t.Errorf("got %q, %v, want %q", got, p.err, tc.want)
			}
		})
	}
}

// TestPatternsOfAllCases holds that each case of each rule can be told before
// there is a finding.
func TestPatternsOfAllCases(t *testing.T) {
	c, err := Load()
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range judge.Rules {
		for _, k := range r.Cases {
			for _, lang := range Langs {
				text, err := c.Pattern(r.ID, k.Name, lang)
				if err != nil {
					t.Error(err)
				}
				all := append([]string{text.Title, text.Seen, text.Means, text.Why}, text.NotProven...)
				for _, s := range append(all, text.Rivals...) {
					if strings.Contains(s, "{{") || strings.Contains(s, "‹›") || strings.Contains(s, "  ") || strings.Count(s, "‹") != strings.Count(s, "›") {
						t.Errorf("%s, case %s, %s: %q", r.ID, k.Name, lang, s)
					}
				}
				if text.Title == "" || k.Verdict == judge.Problem && text.Means+text.Seen == "" || k.Verdict == judge.Unknown && text.Why == "" {
					t.Errorf("%s, case %s, %s: something is missing: %+v", r.ID, k.Name, lang, text)
				}
			}
		}
	}
}
