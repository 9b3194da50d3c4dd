package catalogue

import (
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"text/template"
	"text/template/parse"

	"hwcap/parse/fact"
	"hwcap/parse/judge"
	"hwcap/render/typeface"
	"hwcap/templates"
)

// always are the names that every text may use besides its rule's values.
var always = []string{"subject", "subjects", "count", "case"}

// TestTextsFitTheRules holds ids, cases and placeholders of the wording to the
// rules, in both directions.
func TestTextsFitTheRules(t *testing.T) {
	c, err := Load()
	if err != nil {
		t.Fatal(err)
	}
	ids := map[string]bool{}
	for _, r := range judge.Rules {
		ids[r.ID] = true
		entry, ok := c.Entries[r.ID]
		if !ok {
			t.Errorf("rule %s has no text", r.ID)
			continue
		}
		cases := map[string]bool{}
		for _, k := range r.Cases {
			cases[k.Name] = true
			pair, ok := entry.Cases[k.Name]
			if !ok {
				t.Errorf("%s: case %s has no text", r.ID, k.Name)
				continue
			}
			for lang, text := range map[Lang]caseText{German: pair.De, English: pair.En} {
				checkCase(t, fmt.Sprintf("%s, case %s, %s", r.ID, k.Name, lang), k, text)
				for _, name := range fields(t, c, text) {
					if !slices.Contains(r.Keys, name) && !slices.Contains(always, name) {
						t.Errorf("%s, case %s, %s: {{.%s}} is no value of the rule", r.ID, k.Name, lang, name)
					}
				}
			}
		}
		for name := range entry.Cases {
			if !cases[name] {
				t.Errorf("%s: the rule has no case %s, but the catalogue has", r.ID, name)
			}
		}
	}
	for id := range c.Entries {
		if !ids[id] {
			t.Errorf("no rule is called %s, but the catalogue has a text", id)
		}
	}
}

// checkCase demands the parts that a report prints for a case. Only what is
// merely worth knowing may go without a next step: the report then says so.
func checkCase(t *testing.T, where string, c judge.Case, text caseText) {
	t.Helper()
	switch c.Verdict {
	case judge.Problem:
		if text.Seen == "" || text.Means == "" || len(text.Next) == 0 && c.Severity != judge.Info {
			t.Errorf("%s: a finding needs seen, means and next", where)
		}
	case judge.Unknown:
		if text.Why == "" || len(text.Next) == 0 {
			t.Errorf("%s: an unknown needs why and next", where)
		}
	}
	if strings.ContainsAny(strings.ReplaceAll(text.Title, "{{", ""), "\n") {
		t.Errorf("%s: the title has a line break", where)
	}
}

// strings of a case, all of them.
func (c caseText) all() []string {
	out := slices.Concat([]string{c.Title, c.Seen, c.Means, c.Why}, c.NotProven, c.Rivals)
	for _, s := range c.Next {
		out = append(out, s.Command, s.Instead, s.Text)
	}
	return out
}

// fields returns the top-level names that the templates of a text use.
func fields(t *testing.T, c *Catalogue, text caseText) []string {
	t.Helper()
	w := c.NewWriter(&fact.Machine{}, German, Markdown)
	found := map[string]bool{}
	for _, source := range text.all() {
		tmpl, err := template.New("").Funcs(w.funcs()).Parse(source)
		if err != nil {
			t.Errorf("%q: %v", source, err)
			continue
		}
		if tmpl.Tree != nil {
			walk(tmpl.Root, false, found)
		}
	}
	return slices.Sorted(maps.Keys(found))
}

// walk collects field names; inside range and with, the dot is another one,
// and only $ still leads to the values.
func walk(n parse.Node, inner bool, found map[string]bool) {
	branch := func(b parse.BranchNode, moved bool) {
		walk(b.Pipe, inner, found)
		walk(b.List, inner || moved, found)
		if b.ElseList != nil {
			walk(b.ElseList, inner, found)
		}
	}
	switch n := n.(type) {
	case *parse.ListNode:
		for _, e := range n.Nodes {
			walk(e, inner, found)
		}
	case *parse.ActionNode:
		walk(n.Pipe, inner, found)
	case *parse.PipeNode:
		for _, c := range n.Cmds {
			for _, a := range c.Args {
				walk(a, inner, found)
			}
		}
	case *parse.IfNode:
		branch(n.BranchNode, false)
	case *parse.RangeNode:
		branch(n.BranchNode, true)
	case *parse.WithNode:
		branch(n.BranchNode, true)
	case *parse.FieldNode:
		if !inner {
			found[n.Ident[0]] = true
		}
	case *parse.VariableNode:
		if n.Ident[0] == "$" && len(n.Ident) > 1 {
			found[n.Ident[1]] = true
		}
	}
}

// TestFontsHaveEveryRune fails on a character that the PDF could not show.
func TestFontsHaveEveryRune(t *testing.T) {
	fs.WalkDir(templates.Texts, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := fs.ReadFile(templates.Texts, name)
		if err != nil {
			t.Fatal(err)
		}
		checkRunes(t, name, string(data))
		return nil
	})
	checkRunes(t, "report.md.tmpl", templates.Report)
	checkRunes(t, "diff.md.tmpl", templates.Diff)
}

func checkRunes(t *testing.T, name, text string) {
	t.Helper()
	for i, line := range strings.Split(text, "\n") {
		for _, r := range line {
			if r < ' ' || drawn(r) {
				continue
			}
			t.Errorf("%s:%d: no font has %q (%U)", name, i+1, r, r)
		}
	}
}

func drawn(r rune) bool {
	for f := range typeface.Faces() {
		if f.Draws(r) {
			return true
		}
	}
	return false
}

// TestGermanIsWrittenAsGerman catches what slips in when a text is typed on
// another keyboard or carried over from English.
func TestGermanIsWrittenAsGerman(t *testing.T) {
	c, err := Load()
	if err != nil {
		t.Fatal(err)
	}
	// Words with a transcribed umlaut, words that the glossary rules out, and
	// English quotation marks around a word.
	bad := []string{" fuer ", " ueber", "koenn", "moeg", " waere", "Geraet", "Grafik\u00ad", "trainiert", "Wurzelport", "Evidenz", "bitte ", "Bitte "}
	for id, e := range c.Entries {
		texts := []string{e.De.Name, e.De.About}
		texts = append(texts, e.De.Traps...)
		for _, k := range e.Cases {
			texts = append(texts, k.De.all()...)
		}
		for _, s := range texts {
			for _, b := range bad {
				if strings.Contains(s, b) {
					t.Errorf("%s: %q in %q", id, b, s)
				}
			}
			if strings.Contains(s, "“") && !strings.Contains(s, "„") {
				t.Errorf("%s: German quotes open with „: %q", id, s)
			}
		}
	}
}

func TestCitations(t *testing.T) {
	c, err := Load()
	if err != nil {
		t.Fatal(err)
	}
	w := c.NewWriter(&fact.Machine{}, English, Markdown)
	line := func(n int) fact.Line { return fact.Line{File: "cmd/dmesg.txt", Line: n, Text: "x"} }
	w.finding = judge.Finding{Evidence: []judge.Evidence{{Line: line(1), Role: "a"}, {Line: line(2), Role: "b"}, {Line: line(3), Role: "b"}}}
	got, err := w.expand(`seen {{cite "b"}}, then {{cite "a"}}, then {{cite "b"}} again; not {{cite "c"}}.{{cite "c"}}{{if cite "c"}} wrong{{end}}`, nil)
	if want := "seen [1][2], then [3], then [1][2] again; not."; err != nil || got != want {
		t.Errorf("got %q, %v, want %q", got, err, want)
	}
}

func TestLoadRefuses(t *testing.T) {
	entry := "[x]\n[x.de]\nname = \"n\"\nabout = \"a\"\n[x.en]\nname = \"n\"\nabout = \"a\"\n"
	for name, tc := range map[string]struct{ text, want string }{
		"an unknown key":        {entry + "[x.case.c.de]\ntitle = \"t\"\nseverty = \"s\"\n[x.case.c.en]\ntitle = \"t\"\n", "unknown key"},
		"a missing language":    {entry + "[x.case.c.de]\ntitle = \"t\"\nseen = \"s\"\n[x.case.c.en]\ntitle = \"t\"\n", "missing in one language"},
		"lists of other length": {entry + "[x.case.c.de]\ntitle = \"t\"\nrivals = [\"r\"]\n[x.case.c.en]\ntitle = \"t\"\n", "differ in length"},
		"a plain reference":     {"[x]\nrefs = [\"http://example.org\"]\n" + entry[len("[x]\n"):], "not https"},
		"broken TOML":           {"[x\n", "catalogue/x.toml"},
	} {
		t.Run(name, func(t *testing.T) {
			fsys := fstest.MapFS{
				"catalogue/x.toml": {Data: []byte(tc.text)}, "labels.toml": {}, "sources.toml": {}, "reasons.toml": {}, "kinds.toml": {}, "glossary.toml": {},
			}
			_, err := load(fsys)
			if err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("got %v, want an error with %q", err, tc.want)
			}
		})
	}
}
