package render

import (
	"bytes"
	"io"
	"regexp"
	"strings"
	"text/template"
	"unicode/utf8"

	"hwcap/render/escape"
	"hwcap/templates"
)

// Enclosed is what goes with a letter to support.
type Enclosed struct {
	Capture   string   // name of the file; "" where there is none to tell of
	Encrypted bool     // the capture is
	Files     []string // of the report
}

// letter is what the template of a letter is about.
type letter struct {
	*Report
	Enclosed
}

// Mail writes the letter that goes to support with the report: plain text of 72
// columns. What only the sender knows is left blank.
func (r *Report) Mail(w io.Writer, with Enclosed) error {
	plain, err := r.plain()
	if err != nil {
		return err
	}
	plain.Published = r.Published
	name := "mail." + string(r.Lang) + ".txt.tmpl"
	t, err := template.New(name).Option("missingkey=error").Funcs(plain.funcs()).Funcs(template.FuncMap{
		"plain": escape.Plain,
		"about": aboutPlain,
	}).ParseFS(templates.Mail, name)
	if err != nil {
		return err
	}
	var b bytes.Buffer
	if err := t.Execute(&b, letter{plain, with}); err != nil {
		return err
	}
	_, err = io.WriteString(w, wrapped(harmless(b.String())))
	return err
}

// aboutPlain is Report.about in plain text.
func aboutPlain(it Item) string {
	if s := unnamed(it, escape.Plain); s != "" {
		return " (" + escape.Plain(s) + ")"
	}
	return ""
}

// Subject is what the report is about.
func (r *Report) Subject() string { return r.subject() }

// Worst are the most severe findings, as many as a letter bears.
func (r *Report) Worst() []Item {
	const most = 5
	top := r.Top()
	return top[:min(len(top), most)]
}

// Others counts the findings that the letter leaves out.
func (r *Report) Others() int { return r.Further() + len(r.Top()) - len(r.Worst()) }

// Answers is the checklist in plain words, but for the first two items, which
// the letter begins with.
func (r *Report) Answers() ([]Check, error) {
	all, err := r.checks(escape.Plain, escape.Plain)
	if err != nil {
		return nil, err
	}
	for i := range all {
		all[i].Answer = strings.ReplaceAll(all[i].Answer, "`", "")
	}
	return all[2:], nil
}

// What programs for mail make tags and links of.
var (
	angled = regexp.MustCompile(`<([A-Za-z0-9/!?][^<>\n]*)>`)
	alive  = regexp.MustCompile(`<[A-Za-z/!?]|://|(?i:www)\.|\w@\w`)
)

// harmless breaks them. A letter has none of its own.
func harmless(s string) string {
	return alive.ReplaceAllStringFunc(angled.ReplaceAllString(s, "‹$1›"), func(m string) string {
		if m[0] == '<' {
			return "‹" + m[1:]
		}
		return m[:len(m)-1] + " " + m[len(m)-1:]
	})
}

// wrapped breaks lines at 72 columns, and indents what follows the first line
// of an entry as far as its text. A longer word stays whole. Names of processors
// have runs of spaces, which are one here.
func wrapped(s string) string {
	const columns = 72
	var out strings.Builder
	blank := true
	for line := range strings.Lines(s) {
		line = strings.TrimRight(line, " \n")
		if line == "" {
			if !blank {
				out.WriteByte('\n')
			}
			blank = true
			continue
		}
		blank = false
		lead := line[:len(line)-len(strings.TrimLeft(line, " -"))]
		indent := strings.Repeat(" ", len(lead))
		out.WriteString(lead)
		at := len(lead)
		for i, word := range strings.FieldsFunc(line[len(lead):], func(r rune) bool { return r == ' ' }) {
			n := utf8.RuneCountInString(word)
			switch {
			case i == 0:
			case at+1+n > columns:
				out.WriteString("\n" + indent)
				at = len(indent)
			default:
				out.WriteByte(' ')
				at++
			}
			out.WriteString(word)
			at += n
		}
		out.WriteByte('\n')
	}
	return strings.TrimRight(out.String(), "\n") + "\n"
}
