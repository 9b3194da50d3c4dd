package catalogue

import (
	"fmt"
	"slices"
	"strings"
	"text/template"
	"unicode"
	"unicode/utf8"

	"hwcap/parse/fact"
	"hwcap/render/device"
	"hwcap/render/escape"
)

// funcs are the functions that the wording may call.
func (w *Writer) funcs() template.FuncMap {
	n := Numbers{w.lang}
	of := func(f func(float64) string) func(any) (string, error) {
		return func(v any) (string, error) {
			x, err := numeric(v)
			if err != nil {
				return "", err
			}
			return f(x), nil
		}
	}
	return template.FuncMap{
		"cite":       w.cite,
		"code":       func(v any) string { return w.code(bare(v)) },
		"kind":       w.kind,
		"Kind":       func(addr any, form string) (string, error) { s, err := w.kind(addr, form); return upperFirst(s), err },
		"name":       func(v any) string { return w.text(nameIn(w.machine, bare(v))) },
		"nameBefore": func(v any) string { return w.text(nameIn(w.before, bare(v))) },
		"gts":        of(n.GTs),
		"lanes":      of(func(x float64) string { return fmt.Sprintf("x%.0f", x) }),
		"gbs":        of(n.GBs),
		"size":       of(func(x float64) string { return n.Size(int64(x)) }),
		"seconds":    of(n.Duration),
		"date":       func(v any) string { return w.text(n.Date(bare(v))) },
		"num": func(v any, digits ...int) (string, error) {
			x, err := numeric(v)
			if err != nil {
				return "", err
			}
			return n.Num(x, digits...), nil
		},
		"plural": func(v any, one, many string) (string, error) {
			x, err := numeric(v)
			if err != nil {
				return "", err
			}
			if x == 1 {
				many = one
			}
			return n.Num(x) + "\u00a0" + many, nil
		},
		"join":     func(v any) string { return n.List(each(bares(v), w.text)) },
		"joincode": func(v any) string { return n.Few(each(bares(v), w.code)) },
		"sources":  func(v any) string { return n.Few(each(bares(v), w.source)) },
		"checks":   func(v any) string { return n.List(each(bares(v), w.check)) },
		"has":      func(list, x any) bool { return slices.Contains(bares(list), bare(x)) },
	}
}

// cite returns "[1][2]", the numbers of the evidence with one of the roles.
// Evidence is numbered as it is cited. A long run is cut: nobody reads the
// ninth reference.
func (w *Writer) cite(roles ...string) citation {
	const most = 6
	var b strings.Builder
	n := 0
	for i, e := range w.finding.Evidence {
		if !slices.Contains(roles, e.Role) {
			continue
		}
		if n++; n > most {
			b.WriteString("[…]")
			break
		}
		number := slices.IndexFunc(w.cited, func(c int) bool {
			cited := w.finding.Evidence[c]
			return cited.Line == e.Line && cited.Capture == e.Capture
		})
		if number < 0 {
			number = len(w.cited)
			w.cited = append(w.cited, i)
		}
		fmt.Fprintf(&b, "[%d]", number+1)
	}
	return citation(b.String())
}

// citation is a run of numbers. An empty one is false to the template, and
// prints as a mark that tidy takes away.
type citation string

func (c citation) String() string {
	if c == "" {
		return nothing
	}
	return string(c)
}

// nothing stands for a citation without evidence until tidy takes it away
// together with the space before it. No text of a capture can hold it.
const nothing = "\x00"

func tidy(s string) string {
	s = strings.ReplaceAll(s, " "+nothing, "")
	return strings.TrimSpace(strings.ReplaceAll(s, nothing, ""))
}

// text escapes a string of the capture.
func (w *Writer) text(s string) string {
	if w.style == Markdown {
		return escape.Markdown(s)
	}
	return escape.Plain(s)
}

func (w *Writer) code(s string) string {
	if w.style == Markdown {
		return escape.Code(s)
	}
	return escape.Plain(s)
}

func (w *Writer) kind(addr any, form string) (string, error) {
	s, ok := w.catalogue.kindOf(w.machine.Device(bare(addr))).form(w.lang, form)
	if !ok {
		return "", fmt.Errorf("kind: no form %q", form)
	}
	return s, nil
}

// nameIn returns the short name of the device at an address, or the address
// itself when the capture has no name for it.
func nameIn(m *fact.Machine, addr string) string {
	if m == nil {
		return addr
	}
	if s := device.Short(m.Device(addr)); s != "" {
		return s
	}
	return addr
}

// source says what a source holds, or its bare name where no words are known.
func (w *Writer) source(name string) string {
	if words := w.catalogue.Source(name, w.lang); words != "" {
		return w.text(words)
	}
	return w.code(name)
}

// check names a rule as a list of checks does, or by its id.
func (w *Writer) check(id string) string {
	if e, ok := w.catalogue.Entries[id]; ok {
		return w.quoted(w.text(e.In(w.lang).Name))
	}
	return w.code(id)
}

// quoted puts quotation marks of the language around s.
func (w *Writer) quoted(s string) string {
	if w.lang == German {
		return "„" + s + "“"
	}
	return "\"" + s + "\""
}

func each(in []string, f func(string) string) []string {
	out := make([]string, len(in))
	for i, s := range in {
		out[i] = f(s)
	}
	return out
}

// Kind returns what d is ("NVMe drive"), without an article.
func (c *Catalogue) Kind(d *fact.Device, lang Lang) string {
	s, _ := c.kindOf(d).form(lang, "bare")
	return s
}

func upperFirst(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(r)) + s[n:]
}
