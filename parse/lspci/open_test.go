package lspci_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"hwcap/parse"
	"hwcap/parse/lspci"
)

// TestOpenDamage: a damaged listing is known for one, and gives the same
// devices and links.
func TestOpenDamage(t *testing.T) {
	texts := lspci.Damages()
	facts := func(situation string) string {
		m, err := parse.Read(strings.NewReader(texts[situation]), "x", parse.Options{})
		if err != nil {
			t.Errorf("%s: %v", situation, err)
			return ""
		}
		all := m.Capture.Format
		for _, d := range m.PCI {
			all += fmt.Sprintf(", %s %+v", d.Address, *d.Express.LinkSta)
		}
		return regexp.MustCompile(`At:\{[^}]*\}`).ReplaceAllString(all, "")
	}
	want := facts("none")
	for situation := range texts {
		if got := facts(situation); got != want {
			t.Errorf("%s: %s, want %s", situation, got, want)
		}
	}
}
