package samples

import (
	"strings"
	"testing"

	"hwcap/parse/judge"
	"hwcap/render"
	"hwcap/render/catalogue"
)

// TestLettersNameTheDevice holds that a letter says which of two network cards
// a finding is about where its title does not.
func TestLettersNameTheDevice(t *testing.T) {
	texts, err := catalogue.Load()
	if err != nil {
		t.Fatal(err)
	}
	m, _ := sample(t, "desktop-10g")
	for lang, want := range map[catalogue.Lang]string{
		"de": "fehlen Lanes: x2, obwohl beide Enden x4 bieten. (0000:07:00.0)",
		"en": "missing lanes: x2 although both ends offer x4. (0000:07:00.0)",
	} {
		r, err := render.New(m, judge.Run(m), texts, lang)
		if err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		if err := r.Mail(&b, render.Enclosed{}); err != nil {
			t.Fatal(err)
		}
		if letter := strings.Join(strings.Fields(b.String()), " "); !strings.Contains(letter, want) {
			t.Errorf("%s: no %q in\n%s", lang, want, b.String())
		}
	}
}
