package main

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"path"
	"slices"
	"sync"
	"time"

	"hwcap/parse/diff"
	"hwcap/parse/fact"
	"hwcap/parse/judge"
	"hwcap/render"
	"hwcap/render/catalogue"
	"hwcap/render/figure"
	"hwcap/render/html"
	"hwcap/render/pdf"
)

// outFile is one file of a report, by its path below the report's folder.
type outFile struct {
	name string
	data []byte
}

// loadTexts reads the wording, once.
var loadTexts = sync.OnceValues(catalogue.Load)

// renderFiles makes the whole report in memory, so that nothing is written
// unless all of it can be.
func renderFiles(m *fact.Machine, findings []judge.Finding, opt reportOptions) ([]outFile, error) {
	texts, err := loadTexts()
	if err != nil {
		return nil, err
	}
	files, err := opt.eachLanguage(func(lang catalogue.Lang) ([]outFile, error) {
		return reportIn(lang, m, findings, texts, opt)
	})
	if err != nil || !opt.wants("json") {
		return files, err
	}
	f, err := makeFile("report.json", func(w io.Writer) error { return render.JSON(w, m, findings, texts, version()) })
	return append(files, f), err
}

// renderDiff makes the whole comparison in memory.
func renderDiff(p *diff.Pair, findings []judge.Finding, opt reportOptions) ([]outFile, error) {
	texts, err := loadTexts()
	if err != nil {
		return nil, err
	}
	files, err := opt.eachLanguage(func(lang catalogue.Lang) ([]outFile, error) {
		return diffIn(lang, p, findings, texts, opt)
	})
	if err != nil || !opt.wants("json") {
		return files, err
	}
	f, err := makeFile("diff.json", func(w io.Writer) error { return render.DiffJSON(w, p, findings, texts, version()) })
	return append(files, f), err
}

// eachLanguage collects what write makes of each language asked for, side by
// side; nothing if none of the formats has a language.
func (opt reportOptions) eachLanguage(write func(catalogue.Lang) ([]outFile, error)) ([]outFile, error) {
	if !opt.wants("md") && !opt.wants("pdf") && !opt.wants("html") && !opt.mail {
		return nil, nil
	}
	var (
		files  = make([][]outFile, len(catalogue.Langs))
		faults = make([]error, len(catalogue.Langs))
		all    sync.WaitGroup
	)
	for i, lang := range catalogue.Langs {
		if slices.Contains(opt.langs, string(lang)) {
			all.Go(func() { files[i], faults[i] = write(lang) })
		}
	}
	all.Wait()
	return slices.Concat(files...), cmp.Or(faults...)
}

func reportIn(lang catalogue.Lang, m *fact.Machine, findings []judge.Finding, texts *catalogue.Catalogue, opt reportOptions) ([]outFile, error) {
	r, err := render.New(m, findings, texts, lang)
	if err != nil {
		return nil, err
	}
	r.Published = opt.publish
	markdown, err := makeFile("report."+string(lang)+".md", r.Markdown)
	if err != nil {
		return nil, err
	}
	var files []outFile
	if opt.wants("md") {
		if files, err = markdownFiles(r, markdown, opt); err != nil {
			return nil, err
		}
	}
	if opt.mail {
		f, err := makeFile("mail."+string(lang)+".txt", func(w io.Writer) error { return r.Mail(w, opt.enclosed(lang)) })
		if err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	doc, err := document(r, markdown.data)
	if err != nil {
		return nil, err
	}
	set, err := opt.typeset("report", doc)
	return append(files, set...), err
}

func diffIn(lang catalogue.Lang, p *diff.Pair, findings []judge.Finding, texts *catalogue.Catalogue, opt reportOptions) ([]outFile, error) {
	d, err := render.NewDiff(p, findings, texts, lang)
	if err != nil {
		return nil, err
	}
	markdown, err := makeFile("diff."+string(lang)+".md", d.Markdown)
	if err != nil {
		return nil, err
	}
	var files []outFile
	if opt.wants("md") {
		files = append(files, markdown)
	}
	set, err := opt.typeset("diff", pdf.Document{
		Markdown: markdown.data, Lang: string(lang), Title: d.Title(), Subject: d.Report.Head(), Author: "hwcap",
		RunningHead: d.Name(), Created: captured(p.New),
	})
	return append(files, set...), err
}

// typeset makes the PDF and the page in HTML of doc, as far as they are wanted.
func (opt reportOptions) typeset(name string, doc pdf.Document) (files []outFile, err error) {
	page := html.Document{Markdown: doc.Markdown, Lang: doc.Lang, Title: doc.Title, Subject: doc.Subject, Figures: doc.Figures}
	for _, format := range []struct {
		name  string
		write func(io.Writer) error
	}{
		{"pdf", func(w io.Writer) error { return pdf.Write(w, doc) }},
		{"html", func(w io.Writer) error { return html.Write(w, page) }},
	} {
		if !opt.wants(format.name) {
			continue
		}
		f, err := makeFile(name+"."+doc.Lang+"."+format.name, format.write)
		if err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	return files, nil
}

// markdownFiles are the Markdown and its figures: as a report, or as a post.
func markdownFiles(r *render.Report, markdown outFile, opt reportOptions) ([]outFile, error) {
	figure := func(name string) string { return name }
	if opt.blog != "" {
		blog := render.Blog(opt.blog)
		post, err := r.Post(markdown.data, opt.languages())
		if err != nil {
			return nil, err
		}
		markdown, err = makeFile(post.File(blog), func(w io.Writer) error { return post.Write(w, blog) })
		if err != nil {
			return nil, err
		}
		figure = func(name string) string { return post.Figure(blog, name) }
	}
	files := []outFile{markdown}
	for _, p := range r.Pictures {
		f, err := makeFile(figure(p.Path), p.Scene.SVG)
		if err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	return files, nil
}

func makeFile(name string, write func(io.Writer) error) (outFile, error) {
	var b bytes.Buffer
	if err := write(&b); err != nil {
		return outFile{}, fmt.Errorf("%s: %w", name, err)
	}
	return outFile{name, b.Bytes()}, nil
}

// document is the report as the PDF and the HTML take it.
func document(r *render.Report, markdown []byte) (pdf.Document, error) {
	title, err := r.Title()
	if err != nil {
		return pdf.Document{}, err
	}
	doc := pdf.Document{
		Markdown: markdown, Lang: string(r.Lang), Title: title, Subject: r.Head(), Author: "hwcap",
		RunningHead: r.Host(), Created: captured(r.Machine), Figures: map[string]*figure.Scene{},
	}
	for _, p := range r.Pictures {
		doc.Figures[p.Path] = p.Scene
	}
	return doc, nil
}

// captured is the date of the capture, never that of the run: the same capture
// gives the same bytes.
func captured(m *fact.Machine) time.Time {
	start, err := time.Parse(time.RFC3339, m.Capture.Start)
	if err != nil {
		return time.Unix(0, 0).UTC()
	}
	return start.UTC()
}

// topNames are the files' names for the closing message, figures as a folder.
func topNames(files []outFile) []string {
	var names []string
	for _, f := range files {
		name := f.name
		if d := path.Dir(name); d != "." {
			name = d + "/"
		}
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}
