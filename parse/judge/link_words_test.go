package judge_test

import (
	"testing"
	"unicode/utf8"

	"hwcap/parse/fact"
	"hwcap/parse/judge"
	"hwcap/render/catalogue"
)

// maxTitle is what fits a line of the first page or little more, in characters.
const maxTitle = 120

// TestLinkWording: the wording of every situation can be written, and its title
// is short.
func TestLinkWording(t *testing.T) {
	texts, err := catalogue.Load()
	if err != nil {
		t.Fatal(err)
	}
	judge.LinkSituations(func(name string, m *fact.Machine, findings []judge.Finding) {
		t.Run(name, func(t *testing.T) {
			for _, f := range findings {
				expand(t, texts, m, f)
				for _, lang := range catalogue.Langs {
					text, err := texts.NewWriter(m, lang, catalogue.Plain).Expand(f)
					if n := utf8.RuneCountInString(text.Title); err == nil && n > maxTitle {
						t.Errorf("%s, case %s: title of %d characters: %s", lang, f.Case, n, text.Title)
					}
				}
			}
		})
	})
}
