package render

import (
	"bytes"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"

	"hwcap/parse/judge"
	"hwcap/render/catalogue"
)

// TestExplain holds that the page about every rule has each way in which it can
// come out, and that the notation of the sentences makes no link.
func TestExplain(t *testing.T) {
	c, err := catalogue.Load()
	if err != nil {
		t.Fatal(err)
	}
	for _, rule := range judge.Rules {
		for _, lang := range catalogue.Langs {
			var page bytes.Buffer
			if err := Explain(&page, c, rule, lang); err != nil {
				t.Fatal(err)
			}
			for _, k := range rule.Cases {
				if !strings.Contains(page.String(), " · `"+k.Name+"`") {
					t.Errorf("%s, %s: case %s is missing", rule.ID, lang, k.Name)
				}
			}
			for _, s := range rule.Sources {
				if !strings.Contains(page.String(), "- `"+s+"`") {
					t.Errorf("%s, %s: source %s is missing", rule.ID, lang, s)
				}
			}
			outcomes := 0
			root := goldmark.DefaultParser().Parse(text.NewReader(page.Bytes()))
			ast.Walk(root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
				if h, ok := n.(*ast.Heading); ok && entering && h.Level == 3 {
					outcomes++
				}
				if l, ok := n.(*ast.Link); ok && entering {
					t.Errorf("%s, %s: a link to %q", rule.ID, lang, l.Destination)
				}
				return ast.WalkContinue, nil
			})
			if outcomes != len(rule.Cases) {
				t.Errorf("%s, %s: %d outcomes, want %d", rule.ID, lang, outcomes, len(rule.Cases))
			}
			for _, not := range []string{"\n\n\n", "****", "(devel)"} {
				if strings.Contains(page.String(), not) {
					t.Errorf("%s, %s: %q is in the page", rule.ID, lang, not)
				}
			}
		}
	}
}
