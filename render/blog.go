package render

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"path"
	"strings"
	"time"
	"unicode"

	"hwcap/parse/judge"
	"hwcap/render/catalogue"
	"hwcap/render/escape"
)

// Blog is a program that makes pages of Markdown.
type Blog string

// The blogs that a report can be a post of.
const (
	Plain  Blog = "plain" // any program: no front matter, and the anchors as in the report
	Hugo   Blog = "hugo"
	Jekyll Blog = "jekyll"
)

// Blogs are all of them.
var Blogs = []Blog{Plain, Hugo, Jekyll}

// Post is a report in one language as a post of a blog.
type Post struct {
	Title   string
	Summary string
	Date    time.Time // of the capture; zero if that is not known
	Tags    []string
	Lang    catalogue.Lang
	Other   []Translation
	Slug    string // names the report in all languages
	body    []byte
	figures []string
}

// Translation is the same post in another language.
type Translation struct {
	Lang  catalogue.Lang
	Words string // of a link to it, in its language
}

// Post makes a post of r, whose Markdown is given. langs are the languages in
// which the report is written.
func (r *Report) Post(markdown []byte, langs []catalogue.Lang) (*Post, error) {
	p := &Post{Title: r.label("title") + ": " + r.subject(), Lang: r.Lang, Slug: slug(r.Machine.Capture.ID), body: markdown}
	if at, err := time.Parse(time.RFC3339, r.Machine.Capture.Start); err == nil {
		p.Date = at.UTC()
	}
	for _, c := range r.Chapters() {
		p.Tags = append(p.Tags, r.label("tag-"+string(c.Area)))
	}
	for _, l := range langs {
		if l != r.Lang {
			words, err := r.catalogue.Label(l, "read-here")
			if err != nil {
				return nil, err
			}
			p.Other = append(p.Other, Translation{l, words})
		}
	}
	for _, f := range r.Pictures {
		p.figures = append(p.figures, f.Path)
	}
	plain, err := r.plain()
	if err != nil {
		return nil, err
	}
	p.Summary = plain.summary()
	return p, nil
}

// plain is r in words without Markdown.
func (r *Report) plain() (*Report, error) {
	findings := make([]judge.Finding, len(r.Items))
	for i, it := range r.Items {
		findings[i] = it.Finding
	}
	return newReport(r.Machine, findings, r.catalogue, r.catalogue.NewWriter(r.Machine, r.Lang, catalogue.Plain), r.Lang)
}

// subject is what the report is about, as it reads best in a title.
func (r *Report) subject() string {
	p := r.Machine.Platform
	vendor, _ := p.Vendor.Get()
	product, _ := p.Product.Get()
	return cmp.Or(strings.TrimSpace(strings.TrimSpace(vendor)+" "+strings.TrimSpace(product)), r.Host())
}

// summary is the worst findings, as many as make a few lines.
func (r *Report) summary() string {
	const enough = 200 // characters
	var said []string
	n := 0
	for _, it := range r.Top() {
		if n += len(it.Title); len(said) > 0 && n > enough {
			break
		}
		said = append(said, it.Title)
	}
	return strings.Join(said, " ")
}

// slug makes a capture's name one for an address: small letters, digits and
// hyphens, short enough for a file's name.
func slug(id string) string {
	const longest = 100
	words := strings.FieldsFunc(strings.ToLower(id), func(c rune) bool { return !(c >= 'a' && c <= 'z' || c >= '0' && c <= '9') })
	s := strings.Join(words, "-")
	return cmp.Or(strings.TrimRight(s[:min(len(s), longest)], "-"), "capture")
}

// File is where the post stands in the bundle. Jekyll has posts in a folder of
// their own, with the date in the name, and those without a date in another.
func (p *Post) File(b Blog) string {
	switch {
	case b != Jekyll:
		return fmt.Sprintf("index.%s.md", p.Lang)
	case p.Date.IsZero():
		return fmt.Sprintf("_drafts/%s-%s.md", p.Slug, p.Lang)
	}
	return fmt.Sprintf("_posts/%s-%s-%s.md", p.Date.Format(time.DateOnly), p.Slug, p.Lang)
}

// Figure is where a figure of the report stands in the bundle.
func (p *Post) Figure(b Blog, name string) string {
	switch b {
	case Hugo:
		return path.Base(name)
	case Jekyll:
		return "assets/" + p.Slug + "/" + path.Base(name)
	}
	return name
}

// link is how the page refers to a file of the bundle. Jekyll makes the page
// at permalink, two folders deep.
func (p *Post) link(b Blog, file string) string {
	if b == Jekyll {
		return "../../" + file
	}
	return file
}

// permalink is the address of the post in a language, from Jekyll's base.
func (p *Post) permalink(l catalogue.Lang) string { return "/" + p.Slug + "/" + string(l) + "/" }

// Write writes the post for b.
func (p *Post) Write(w io.Writer, b Blog) error {
	var out bytes.Buffer
	p.front(&out, b)
	for _, t := range p.Other { // Hugo's themes have links to the translations
		switch b {
		case Plain:
			fmt.Fprintf(&out, "[%s](index.%s.md)\n\n", t.Words, t.Lang)
		case Jekyll:
			fmt.Fprintf(&out, "[%s](../%s/)\n\n", t.Words, t.Lang)
		}
	}
	out.Write(p.markdown(b))
	_, err := w.Write(out.Bytes())
	return err
}

// front writes what stands before the text: TOML for Hugo, YAML for Jekyll.
func (p *Post) front(w *bytes.Buffer, b Blog) {
	tags := make([]string, len(p.Tags))
	for i, t := range p.Tags {
		tags[i] = quoted(t)
	}
	list := "[" + strings.Join(tags, ", ") + "]"
	switch b {
	case Hugo:
		fmt.Fprintf(w, "+++\ntitle = %s\n", quoted(p.Title))
		if !p.Date.IsZero() {
			fmt.Fprintf(w, "date = %s\n", p.Date.Format(time.RFC3339))
		}
		fmt.Fprintf(w, "summary = %s\ntags = %s\nlanguage = %q\ntranslationKey = %q\n+++\n\n", quoted(p.Summary), list, p.Lang, p.Slug)
	case Jekyll:
		fmt.Fprintf(w, "---\nlayout: post\ntitle: %s\n", quoted(p.Title))
		if !p.Date.IsZero() {
			fmt.Fprintf(w, "date: %s\n", p.Date.Format("2006-01-02 15:04:05 -0700"))
		}
		fmt.Fprintf(w, "summary: %s\ntags: %s\nlang: %s\nref: %q\npermalink: %s\n---\n\n", quoted(p.Summary), list, p.Lang, p.Slug, p.permalink(p.Lang))
	}
}

// quoted returns s as a string of TOML and of YAML. Themes of Jekyll put a
// title on the page as it is, so that it holds no tag.
func quoted(s string) string {
	s = strings.NewReplacer("<", "‹", ">", "›", "&", "+").Replace(escape.Plain(s))
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"`
}

// markdown is the text as b reads it.
func (p *Post) markdown(b Blog) []byte {
	var out bytes.Buffer
	fence, anchor := "", ""
	for line := range bytes.Lines(p.body) {
		text := strings.TrimSuffix(string(line), "\n")
		code := fence != ""
		switch {
		case code && text == fence:
			fence, code = "", false
		case !code && strings.HasPrefix(text, "```"):
			fence = strings.TrimSuffix(text, "text")
		case !code && text == "<!-- toc -->": // the blog has its own
			continue
		case !code && b != Plain && strings.HasPrefix(text, "# "): // the title
			continue
		case !code && b != Plain && strings.HasPrefix(text, `<a id="`):
			// Blogs drop HTML; a heading can have an id of its own.
			anchor = strings.TrimSuffix(strings.TrimPrefix(text, `<a id="`), `"></a>`)
			continue
		}
		if code {
			text = unbraced(text)
		} else {
			text = p.prose(b, text)
			if anchor != "" && strings.HasPrefix(text, "#") {
				text += " {#" + anchor + "}"
				anchor = ""
			}
		}
		out.WriteString(text)
		out.WriteByte('\n')
	}
	return squeeze(out.Bytes())
}

// prose is a line that is not in a code block.
func (p *Post) prose(b Blog, line string) string {
	for _, f := range p.figures {
		line = strings.Replace(line, "]("+f+")", "]("+p.link(b, p.Figure(b, f))+")", 1)
	}
	if b == Plain {
		return line
	}
	var out strings.Builder
	for line != "" {
		before, after, found := strings.Cut(line, "`")
		out.WriteString(proseEscapes[b].Replace(before))
		if !found {
			break
		}
		run := 1 + len(after) - len(strings.TrimLeft(after, "`"))
		if strings.HasSuffix(before, `\`) && (len(before)-len(strings.TrimRight(before, `\`)))%2 == 1 {
			out.WriteByte('`') // an escaped one begins no code
			line = after
			continue
		}
		line = after[run-1:]
		fence, end := strings.Repeat("`", run), closing(line, run)
		switch span := line[:end]; {
		case end == len(line): // it is not closed: a fence, or text
			out.WriteString(fence + unbraced(span))
			line = ""
			continue
		case b == Jekyll && strings.Contains(span, "|"):
			out.WriteString(codeElement(span))
		default:
			out.WriteString(fence + unbraced(span) + fence)
		}
		line = line[end+run:]
	}
	return out.String()
}

// codeElement is a code span as HTML. kramdown takes a bar for the border of a
// table's cell, in some code spans and after a backslash, too. Punctuation is
// written by its number, so that it is text to any reader of Markdown.
func codeElement(span string) string {
	span = strings.ReplaceAll(span, `\|`, "|") // as escape.Cell wrote it
	if len(span) > 2 && span[0] == ' ' && span[len(span)-1] == ' ' {
		span = span[1 : len(span)-1]
	}
	var b strings.Builder
	for _, r := range span {
		if r > ' ' && r < unicode.MaxASCII && !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			fmt.Fprintf(&b, "&#%d;", r)
		} else {
			b.WriteRune(r)
		}
	}
	return "<code>" + b.String() + "</code>"
}

// closing returns where in s the run of n backticks is that ends a code span.
func closing(s string, n int) int {
	for at := 0; at < len(s); {
		if s[at] != '`' {
			at++
			continue
		}
		run := len(s[at:]) - len(strings.TrimLeft(s[at:], "`"))
		if run == n {
			return at
		}
		at += run
	}
	return len(s)
}

// proseEscapes are for what a blog does beyond CommonMark: shortcodes, Liquid
// and lists of attributes all begin with a brace. kramdown takes no backslash
// before '&' and '~'; the comment that keeps '@' from a link is HTML to Hugo.
var proseEscapes = map[Blog]*strings.Replacer{
	Hugo:   strings.NewReplacer("{", "&#123;", "<!-- -->@", `\@`),
	Jekyll: strings.NewReplacer("{", "&#123;", `\\`, `\\`, `\&`, "&amp;", `\~`, "&#126;", "$$", "&#36;&#36;"),
}

// unbraced writes the second of two braces, and that before a percent sign, as
// a number: Hugo and Jekyll look for theirs in code, too.
func unbraced(s string) string {
	return strings.NewReplacer("{{", `{\x7b`, "{%", `{\x25`).Replace(s)
}
