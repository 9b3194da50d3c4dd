package catalogue

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"text/template"

	"hwcap/parse/diff"
	"hwcap/parse/fact"
	"hwcap/parse/judge"
	"hwcap/render/escape"
)

// Style is what the expanded text is meant for.
type Style int

// The styles. Fixed backticks of the wording stay in both.
const (
	Markdown Style = iota // values escaped, code in spans
	Plain                 // values without control characters: JSON, terminal
)

// Text is the wording of one finding, expanded.
type Text struct {
	Title, Seen, Means, Why string
	NotProven, Rivals       []string
	Next                    []Step
	// Evidence is the finding's evidence in the order of the numbers that the
	// text cites: what it cites first, then the rest.
	Evidence []judge.Evidence
	Cited    int // how much of it is cited
}

// Step is one next step. Command may be empty: then Text is advice.
type Step struct {
	Command, Text string
}

// Writer expands the wording for one machine in one language and style. It is
// not safe for concurrent use; make one for each goroutine.
type Writer struct {
	catalogue *Catalogue
	machine   *fact.Machine
	before    *fact.Machine // the earlier of two captures, or nil
	lang      Lang
	style     Style
	parsed    map[string]*template.Template
	finding   judge.Finding // the one being expanded
	cited     []int         // its evidence in the order of citation
}

// NewWriter returns a Writer over c's wording.
func (c *Catalogue) NewWriter(m *fact.Machine, lang Lang, style Style) *Writer {
	return &Writer{catalogue: c, machine: m, lang: lang, style: style, parsed: map[string]*template.Template{}}
}

// NewPairWriter returns a Writer over c's wording for two captures. Addresses
// are those of the later one, but for the functions whose names end in Before.
func (c *Catalogue) NewPairWriter(p *diff.Pair, lang Lang, style Style) *Writer {
	w := c.NewWriter(p.New, lang, style)
	w.before = p.Old
	return w
}

// Expand returns the wording of f. An error names rule, case and field.
func (w *Writer) Expand(f judge.Finding) (Text, error) {
	entry, ok := w.catalogue.Entries[f.ID]
	if !ok {
		return Text{}, fmt.Errorf("catalogue: no text for rule %s", f.ID)
	}
	pair, ok := entry.Cases[f.Case]
	if !ok {
		return Text{}, fmt.Errorf("catalogue: no text for rule %s, case %s", f.ID, f.Case)
	}
	c := pair.in(w.lang)
	w.finding, w.cited = f, nil
	dot := w.values(f, w.style)

	var text Text
	var failed error
	one := func(field, source string) string {
		if source == "" || failed != nil {
			return ""
		}
		s, err := w.expand(source, dot)
		if err != nil {
			failed = fmt.Errorf("catalogue: %s, case %s, %s: %w", f.ID, f.Case, field, err)
		}
		return s
	}
	list := func(field string, sources []string) []string {
		var out []string
		for _, source := range sources {
			if s := one(field, source); s != "" {
				out = append(out, s)
			}
		}
		return out
	}
	text.Title = one("title", c.Title)
	text.Seen = one("seen", c.Seen)
	text.Means = one("means", c.Means)
	text.Why = one("why", c.Why)
	text.NotProven = list("notProven", c.NotProven)
	text.Rivals = list("rivals", c.Rivals)
	// A command is shown as code as a whole, where nothing is escaped.
	commands := w.values(f, Plain)
	for _, s := range c.Next {
		if t := one("next", s.Text); t != "" {
			next, err := w.step(s, t, commands)
			if err != nil && failed == nil {
				failed = fmt.Errorf("catalogue: %s, case %s, command: %w", f.ID, f.Case, err)
			}
			text.Next = append(text.Next, next)
		}
	}
	text.Cited = len(w.cited)
	for _, i := range w.cited {
		text.Evidence = append(text.Evidence, f.Evidence[i])
	}
	type place struct {
		fact.Line
		judge.Side
	}
	quoted := map[place]bool{}
	for _, e := range text.Evidence {
		quoted[place{e.Line, e.Capture}] = true
	}
	for _, e := range f.Evidence {
		if at := (place{e.Line, e.Capture}); !quoted[at] {
			quoted[at] = true
			text.Evidence = append(text.Evidence, e)
		}
	}
	return text, failed
}

// expand runs one string of the wording over dot.
func (w *Writer) expand(source string, dot map[string]any) (string, error) {
	if !strings.Contains(source, "{{") {
		return strings.TrimSpace(source), nil
	}
	t, ok := w.parsed[source]
	if !ok {
		var err error
		t, err = template.New("text").Option("missingkey=error").Funcs(w.funcs()).Parse(source)
		if err != nil {
			return "", err
		}
		w.parsed[source] = t
	}
	var b strings.Builder
	if err := t.Execute(&b, dot); err != nil {
		return "", err
	}
	return tidy(b.String()), nil
}

// values is the template's dot: the finding's values, with strings that escape
// themselves for style when they are printed.
func (w *Writer) values(f judge.Finding, style Style) map[string]any {
	text := func(s string) any { return plainText(s) }
	if style == Markdown {
		text = func(s string) any { return markdownText(s) }
	}
	dot := wrap(f.Values, text).(map[string]any)
	subject := ""
	if len(f.Subjects) > 0 {
		subject = f.Subjects[0]
	}
	dot["subject"] = text(subject)
	dot["subjects"] = wrap(f.Subjects, text)
	dot["count"] = f.Count
	dot["case"] = f.Case
	return dot
}

// markdownText and plainText are strings of the capture. Printing them escapes
// them, so that forgetting to is safe.
type (
	markdownText string
	plainText    string
)

func (s markdownText) String() string { return escape.Markdown(string(s)) }
func (s plainText) String() string    { return escape.Plain(string(s)) }

// wrap turns every string inside v into what text makes of it.
func wrap(v any, text func(string) any) any {
	switch v := v.(type) {
	case string:
		return text(v)
	case []string:
		out := make([]any, len(v))
		for i, s := range v {
			out[i] = text(s)
		}
		return out
	case map[string]any:
		out := make(map[string]any, len(v)+4)
		for k, e := range v {
			out[k] = wrap(e, text)
		}
		return out
	case []map[string]any:
		out := make([]any, len(v))
		for i, e := range v {
			out[i] = wrap(e, text)
		}
		return out
	}
	return v
}

// bare returns the text behind a template argument.
func bare(v any) string {
	if rv := reflect.ValueOf(v); rv.IsValid() && rv.Kind() == reflect.String {
		return rv.String()
	}
	if v == nil {
		return ""
	}
	return fmt.Sprint(v)
}

// bares returns the texts behind a list argument.
func bares(v any) []string {
	rv := reflect.ValueOf(v)
	if !rv.IsValid() || rv.Kind() != reflect.Slice {
		return nil
	}
	out := make([]string, rv.Len())
	for i := range out {
		out[i] = bare(rv.Index(i).Interface())
	}
	return out
}

// numeric returns a numeric template argument.
func numeric(v any) (float64, error) {
	rv := reflect.ValueOf(v)
	switch {
	case rv.IsValid() && rv.CanInt():
		return float64(rv.Int()), nil
	case rv.IsValid() && rv.CanUint():
		return float64(rv.Uint()), nil
	case rv.IsValid() && rv.CanFloat():
		return rv.Float(), nil
	}
	if f, err := strconv.ParseFloat(bare(v), 64); err == nil {
		return f, nil
	}
	return 0, fmt.Errorf("%v is not a number", v)
}
