package judge_test

import (
	"slices"
	"strings"
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

// TestLinkCaseWording: what a case is about is said, in the main finding, and
// what it leaves open; the answer that comes to mind first is not.
func TestLinkCaseWording(t *testing.T) {
	texts, err := catalogue.Load()
	if err != nil {
		t.Fatal(err)
	}
	judge.LinkCases(func(name string, m *fact.Machine, f judge.Finding, says []string, silent string) {
		t.Run(name, func(t *testing.T) {
			expand(t, texts, m, f)
			text, err := texts.NewWriter(m, catalogue.English, catalogue.Plain).Expand(f)
			if err != nil {
				t.Fatal(err)
			}
			all := strings.Join(slices.Concat([]string{text.Title, text.Seen, text.Means, text.Why}, text.NotProven, text.Rivals), "\n")
			for _, s := range text.Next {
				all += "\n" + s.Text
			}
			for _, s := range says {
				if !strings.Contains(all, s) {
					t.Errorf("%s/%s does not say %q:\n%s", f.ID, f.Case, s, all)
				}
			}
			if silent != "" && strings.Contains(text.Title, silent) {
				t.Errorf("%s/%s says %q in its title: %s", f.ID, f.Case, silent, text.Title)
			}
		})
	})
}
