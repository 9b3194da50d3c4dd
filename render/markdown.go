package render

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"text/template"

	"hwcap/parse/fact"
	"hwcap/parse/judge"
	"hwcap/render/catalogue"
	"hwcap/render/escape"
	"hwcap/templates"
)

// shapes mark the severities, so that colour is never the only sign.
var shapes = map[string]string{
	"critical": "■", "warning": "▲", "notice": "◆", "info": "●", "ok": "✓", "unknown": "?",
}

// mostEvidence is how many lines of evidence a finding quotes beyond what its
// text cites; the rest is counted. All of them stand in report.json.
const mostEvidence = 12

// Markdown writes the report.
func (r *Report) Markdown(w io.Writer) error {
	t, err := r.template()
	if err != nil {
		return err
	}
	return r.write(w, t, r)
}

// template is that of the report, with the parts that others share.
func (r *Report) template() (*template.Template, error) {
	t, err := template.New("report").Option("missingkey=error").Funcs(r.funcs()).Parse(templates.Report)
	if err != nil {
		return nil, fmt.Errorf("report template: %w", err)
	}
	return t, nil
}

// write executes t over dot and adds the glossary of what the text uses, with
// a link to it where the template has <!-- terms -->.
func (r *Report) write(w io.Writer, t *template.Template, dot any) error {
	var b bytes.Buffer
	if err := t.Execute(&b, dot); err != nil {
		return err
	}
	link := ""
	if terms := r.catalogue.Terms(r.Lang, b.String()); len(terms) > 0 {
		link = fmt.Sprintf("%s [%s](#terms).", r.label("terms-summary"), r.label("glossary"))
		if err := t.ExecuteTemplate(&b, "glossary", terms); err != nil {
			return err
		}
	}
	text := bytes.Replace(b.Bytes(), []byte("<!-- terms -->"), []byte(link), 1)
	_, err := w.Write(squeeze(text))
	return err
}

// squeeze folds runs of blank lines, which conditional parts of the template
// leave behind, into one. Lines inside code fences stay.
func squeeze(in []byte) []byte {
	var out bytes.Buffer
	fence, blank := "", true
	for line := range bytes.Lines(in) {
		text := strings.TrimRight(string(line), " \n")
		switch {
		case fence != "":
			if text == strings.TrimSuffix(fence, "text") {
				fence = ""
			}
		case strings.HasPrefix(text, "```"):
			fence = text
		case text == "":
			if !blank {
				out.WriteByte('\n')
			}
			blank = true
			continue
		}
		blank = false
		out.WriteString(text)
		out.WriteByte('\n')
	}
	return bytes.TrimRight(out.Bytes(), "\n")
}

func (r *Report) funcs() template.FuncMap {
	label := func(key string) (string, error) { return r.catalogue.Label(r.Lang, key) }
	return template.FuncMap{
		"label": func(key string, args ...any) (string, error) {
			s, err := label(key)
			if err != nil || len(args) == 0 {
				return s, err
			}
			return fmt.Sprintf(s, args...), nil
		},
		"badge": func(f judge.Finding) (string, error) {
			if f.Verdict == judge.Problem {
				s, err := label("severity-" + string(f.Severity))
				return shapes[string(f.Severity)] + " " + s, err
			}
			s, err := label("verdict-" + string(f.Verdict))
			return shapes[string(f.Verdict)] + " " + s, err
		},
		"num":      func(n int) string { return r.Numbers.Num(float64(n)) },
		"md":       escape.Markdown,
		"code":     escape.Code,
		"cell":     escape.Cell,
		"datetime": func(s string) string { return escape.Markdown(r.Numbers.DateTime(s)) },
		"subjects": r.subjects,
		"about":    r.about,
		"fold":     fold,
		"join":     func(s []string) string { return escape.Markdown(strings.Join(s, ", ")) },
		"evidence": r.evidence,
		"first":    func(e []judge.Evidence) string { return r.side(e[0].Capture) + place(e[0].Line) },
		"link": func(ref string) string {
			return "[" + strings.TrimPrefix(ref, "https://") + "](" + ref + ")"
		},
		"word":    func(t catalogue.Term) string { return t.Word(r.Lang) },
		"meaning": func(t catalogue.Term) string { return t.Meaning(r.Lang) },
		"said":    func(p fact.Problem) string { return r.said(p) },
	}
}

// subjects writes what a finding is about: codes, cut after a few.
func (r *Report) subjects(f judge.Finding) string {
	const most = 6
	var out []string
	for i, s := range f.Subjects {
		if i == most {
			out = append(out, "…")
			break
		}
		if s == judge.Machine {
			word, _ := r.catalogue.Label(r.Lang, "machine")
			out = append(out, word)
			continue
		}
		out = append(out, escape.Code(s))
	}
	return strings.Join(out, ", ")
}

// about writes what a line of a list is about, where its title does not say
// so: two drives have the same title otherwise.
func (r *Report) about(it Item) string {
	if s := unnamed(it, escape.Markdown); s != "" {
		return " (" + escape.Code(s) + ")"
	}
	return ""
}

// unnamed is the one device of a finding whose title, with names as written
// writes them, does not name it; "" where there are several or it does.
func unnamed(it Item, written func(string) string) string {
	if len(it.Subjects) != 1 || it.Subjects[0] == judge.Machine || strings.Contains(it.Title, written(it.Subjects[0])) {
		return ""
	}
	return it.Subjects[0]
}

// folded is a line of a list, and the items that say the same of others.
type folded struct {
	Item
	Same []Item
}

// fold puts the items of a list together that differ in their subject alone.
func fold(items []Item) []folded {
	var out []folded
	at := map[string]int{}
	for _, it := range items {
		said := fmt.Sprint(it.ID, it.Case, it.Title, it.Why)
		if len(it.Subjects) == 1 {
			said = strings.ReplaceAll(said, escape.Markdown(it.Subjects[0]), "\x00")
		}
		i, seen := at[said]
		if seen && len(it.Subjects) == 1 {
			out[i].Same = append(out[i].Same, it)
			continue
		}
		at[said] = len(out)
		out = append(out, folded{Item: it})
	}
	return out
}

// rights says as whom the capture was taken.
func (r *Report) rights() string {
	rights := judge.RightsOf(r.Machine)
	key := "rights-" + string(rights)
	switch {
	case rights == judge.RightsUnknown:
		return ""
	case r.Machine.Capture.UID == nil:
		key += "-seen"
	}
	return r.label(key)
}

// Taken says when, as whom and with which program the capture was taken.
func (r *Report) Taken() string {
	c := r.Machine.Capture
	var when, parts []string
	if c.Start != "" {
		when = append(when, r.label("captured")+" "+escape.Markdown(r.Numbers.DateTime(c.Start)))
	}
	if s := r.rights(); s != "" {
		when = append(when, s)
	}
	if len(when) > 0 {
		parts = append(parts, strings.Join(when, ", "))
	}
	if c.Tool != "" {
		parts = append(parts, escape.Markdown(c.Tool))
	}
	return strings.Join(parts, " · ")
}

// said writes what a reader noticed: the place, and the words of the program,
// which are English in every report.
func (r *Report) said(p fact.Problem) string {
	text := escape.Markdown(p.Text)
	if r.Lang != catalogue.English {
		text = "„" + text + "“"
	}
	if p.File == "" {
		return text
	}
	at := escape.Code(p.File)
	if p.Line > 0 {
		at += fmt.Sprintf(":%d", p.Line)
	}
	return at + ": " + text
}

// place writes where a line stands.
func place(l fact.Line) string {
	switch {
	case l.Line > 0:
		return fmt.Sprintf("%s:%d", l.File, l.Line)
	case l.Frame > 0:
		return fmt.Sprintf("%s#%d", l.File, l.Frame)
	case l.Offset > 0:
		return fmt.Sprintf("%s@%#x", l.File, l.Offset)
	}
	return l.File
}

// side names the one of two captures that a line is of: "old ".
func (r *Report) side(s judge.Side) string {
	if s == "" {
		return ""
	}
	return r.label("diff-"+string(s)) + " "
}

// quote is the text of a line as evidence shows it. Of a source's row in the
// manifest it is the name, the state and the reason: that is what it is cited
// for, and the rest takes three lines.
func quote(l fact.Line) string {
	text := strings.TrimSpace(l.Text)
	name, rest, row := strings.Cut(text, `,"path":`)
	if l.File != "manifest.json" || !row || !strings.HasPrefix(name, `{"name":`) {
		return text
	}
	for _, key := range []string{`"state":"`, `"why":"`} {
		_, value, found := strings.Cut(rest, key)
		if !found {
			continue
		}
		end := 0
		for end < len(value) && value[end] != '"' {
			if value[end] == '\\' {
				end++
			}
			end++
		}
		name += " … " + key + value[:min(end+1, len(value))]
	}
	return name + " …"
}

// evidence writes the quoted lines as a code block: number, place, literal
// text.
func (r *Report) evidence(text catalogue.Text) string {
	all := text.Evidence
	shown := max(mostEvidence, text.Cited)
	if len(all) <= shown+1 {
		shown = len(all) // the one line is no longer than the count of it
	}
	var b strings.Builder
	for i, e := range all[:shown] {
		fmt.Fprintf(&b, "[%d] %s%s", i+1, r.side(e.Capture), escape.Plain(place(e.Line)))
		if text := escape.Plain(quote(e.Line)); text != "" {
			b.WriteString("  " + text)
		}
		b.WriteByte('\n')
	}
	if left := len(all) - shown; left > 0 {
		fmt.Fprintf(&b, r.label("more-evidence")+"\n", r.Numbers.Num(float64(left)), r.command)
	}
	return escape.Fence(b.String())
}
