// Package catalogue is the wording of the report: it reads the text files of
// package templates and expands them for a finding, in German or English.
//
// The texts are TOML, one block per rule; each string is a text/template over
// the finding's values. Load checks that nothing is missing, so that a report
// cannot fail for its wording.
package catalogue

import (
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/BurntSushi/toml"

	"hwcap/templates"
)

// Lang is a language of the report.
type Lang string

// The languages.
const (
	German  Lang = "de"
	English Lang = "en"
)

// Langs are the languages in the order in which reports are written.
var Langs = []Lang{German, English}

// Catalogue is all wording.
type Catalogue struct {
	Entries  map[string]Entry // by rule id
	Glossary []Term
	labels   map[string]both[string]
	sources  map[string]both[string]                // what a source holds, by its name
	reasons  struct{ Begin, End map[string]string } // German of the collector's reasons
	kinds    []kind
}

// both is a text in both languages.
type both[T any] struct {
	De T `toml:"de"`
	En T `toml:"en"`
}

// in returns the text in lang.
func (b both[T]) in(lang Lang) T {
	if lang == German {
		return b.De
	}
	return b.En
}

// Entry is the wording of one rule.
type Entry struct {
	Refs []string `toml:"refs"`
	both[About]
	Cases map[string]both[caseText] `toml:"case"`
}

// About explains a rule.
type About struct {
	Name  string   `toml:"name"`
	About string   `toml:"about"`
	Traps []string `toml:"traps"`
}

// In returns the explanation in lang.
func (e Entry) In(lang Lang) About { return e.in(lang) }

// caseText is the wording of one case, unexpanded.
type caseText struct {
	Title     string   `toml:"title"`
	Seen      string   `toml:"seen"`
	Means     string   `toml:"means"`
	Why       string   `toml:"why"`
	NotProven []string `toml:"notProven"`
	Rivals    []string `toml:"rivals"`
	Next      []step   `toml:"next"`
}

type step struct {
	Command string `toml:"command"`
	// Instead is the command for a machine that lacks a program of the first.
	Instead string `toml:"instead"`
	// Note ends the text of Instead: in what it differs.
	Note string `toml:"note"`
	Text string `toml:"text"`
}

// Term is one entry of the glossary.
type Term struct {
	Term both[string] `toml:"term"`
	Text both[string] `toml:"text"`
	// Find are the words by which a text uses the term, where they are others
	// than the term's own.
	Find []string `toml:"find"`
}

// Word returns the term in lang.
func (t Term) Word(lang Lang) string { return t.Term.in(lang) }

// Meaning returns the term's explanation in lang, as Markdown.
func (t Term) Meaning(lang Lang) string { return t.Text.in(lang) }

// Terms returns the terms of the glossary that a text in lang uses.
func (c *Catalogue) Terms(lang Lang, text string) []Term {
	text = strings.ToLower(text)
	var used []Term
	for _, t := range c.Glossary {
		if slices.ContainsFunc(t.words(lang), func(w string) bool { return hasWord(text, strings.ToLower(w)) }) {
			used = append(used, t)
		}
	}
	return used
}

// words are those by which a text uses t: "ACS (Access Control Services)" by
// "ACS", "Lane, x8" by one or the other.
func (t Term) words(lang Lang) []string {
	if len(t.Find) > 0 {
		return t.Find
	}
	term, _, _ := strings.Cut(t.Word(lang), " (")
	return strings.Split(strings.NewReplacer(" und ", ", ", " and ", ", ").Replace(term), ", ")
}

// hasWord reports whether word stands in text with no letter before it; behind
// it may be an ending ("Lanes", "IOMMU-Gruppen").
func hasWord(text, word string) bool {
	for at := 0; ; {
		i := strings.Index(text[at:], word)
		if i < 0 {
			return false
		}
		at += i
		before, _ := utf8.DecodeLastRuneInString(text[:at])
		if !unicode.IsLetter(before) && before != '_' {
			return true
		}
		at += len(word)
	}
}

// Load reads the embedded wording. An error names the file and the place; it is
// a fault of the program, not of a capture.
func Load() (*Catalogue, error) { return load(templates.Texts) }

func load(fsys fs.FS) (*Catalogue, error) {
	c := &Catalogue{Entries: map[string]Entry{}}
	files, err := fs.Glob(fsys, "catalogue/*.toml")
	if err != nil {
		return nil, err
	}
	for _, file := range files {
		var entries map[string]Entry
		if err := decode(fsys, file, &entries); err != nil {
			return nil, err
		}
		for id, e := range entries {
			if _, dup := c.Entries[id]; dup {
				return nil, fmt.Errorf("%s: %s is defined twice", file, id)
			}
			c.Entries[id] = e
		}
	}
	if err := decode(fsys, "labels.toml", &c.labels); err != nil {
		return nil, err
	}
	if err := decode(fsys, "sources.toml", &c.sources); err != nil {
		return nil, err
	}
	if err := decode(fsys, "reasons.toml", &c.reasons); err != nil {
		return nil, err
	}
	var kinds struct {
		Kind []kind `toml:"kind"`
	}
	if err := decode(fsys, "kinds.toml", &kinds); err != nil {
		return nil, err
	}
	c.kinds = kinds.Kind
	var glossary struct {
		Entry []Term `toml:"entry"`
	}
	if err := decode(fsys, "glossary.toml", &glossary); err != nil {
		return nil, err
	}
	c.Glossary = glossary.Entry
	return c, c.check()
}

// decode reads one TOML file and refuses keys that nothing reads.
func decode(fsys fs.FS, file string, into any) error {
	data, err := fs.ReadFile(fsys, file)
	if err != nil {
		return err
	}
	meta, err := toml.Decode(string(data), into)
	if err != nil {
		if pe, ok := err.(toml.ParseError); ok {
			return fmt.Errorf("%s: %s", file, pe.ErrorWithPosition())
		}
		return fmt.Errorf("%s: %w", path.Base(file), err)
	}
	if left := meta.Undecoded(); len(left) > 0 {
		return fmt.Errorf("%s: unknown key %s", file, left[0])
	}
	return nil
}

// check holds what the type system cannot: both languages complete and alike
// in shape, references over https.
func (c *Catalogue) check() error {
	for _, id := range slices.Sorted(maps.Keys(c.Entries)) {
		e := c.Entries[id]
		for _, ref := range e.Refs {
			if !strings.HasPrefix(ref, "https://") {
				return fmt.Errorf("catalogue: %s: reference %q is not https", id, ref)
			}
		}
		if e.De.Name == "" || e.En.Name == "" || e.De.About == "" || e.En.About == "" {
			return fmt.Errorf("catalogue: %s: name or about is missing in a language", id)
		}
		for _, name := range slices.Sorted(maps.Keys(e.Cases)) {
			de, en := e.Cases[name].De, e.Cases[name].En
			for _, pair := range [][2]int{
				{len(de.Title), len(en.Title)}, {len(de.Seen), len(en.Seen)}, {len(de.Means), len(en.Means)}, {len(de.Why), len(en.Why)},
			} {
				if (pair[0] == 0) != (pair[1] == 0) {
					return fmt.Errorf("catalogue: %s, case %s: a text is missing in one language", id, name)
				}
			}
			if de.Title == "" {
				return fmt.Errorf("catalogue: %s, case %s: no title", id, name)
			}
			if len(de.NotProven) != len(en.NotProven) || len(de.Rivals) != len(en.Rivals) || len(de.Next) != len(en.Next) {
				return fmt.Errorf("catalogue: %s, case %s: the lists differ in length between the languages", id, name)
			}
		}
	}
	for key, l := range c.labels {
		if l.De == "" || l.En == "" {
			return fmt.Errorf("labels: %s is missing in a language", key)
		}
	}
	return nil
}

// Label returns the report's own word for key ("seen", "page", ...).
func (c *Catalogue) Label(lang Lang, key string) (string, error) {
	l, ok := c.labels[key]
	if !ok {
		return "", fmt.Errorf("labels: no label %q", key)
	}
	return l.in(lang), nil
}
