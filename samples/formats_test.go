package samples

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"hwcap/parse/diff"
	"hwcap/parse/fact"
	"hwcap/parse/judge"
	"hwcap/render"
	"hwcap/render/catalogue"
	"hwcap/render/escape"
	"hwcap/render/html"
	"hwcap/render/pdf"
)

// tree is a folder of files, by path.
type tree map[string][]byte

// add writes a file.
func (f tree) add(t testing.TB, name string, write func(io.Writer) error) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := write(&b); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	f[name] = b.Bytes()
	return b.Bytes()
}

// reportFiles are the facts and the report on m in every format, in both
// languages, with the letter, and as a post of each blog.
func reportFiles(t testing.TB, texts *catalogue.Catalogue, m *fact.Machine) tree {
	t.Helper()
	files, findings := tree{}, judge.Run(m)
	files.add(t, "facts.json", func(w io.Writer) error { return json.NewEncoder(escape.JSON(w)).Encode(m) })
	files.add(t, "report.json", func(w io.Writer) error { return render.JSON(w, m, findings, texts, "test") })
	for _, lang := range catalogue.Langs {
		r, err := render.New(m, findings, texts, lang)
		if err != nil {
			t.Fatal(err)
		}
		doc := pageOf(t, r)
		name := "report." + string(lang)
		files[name+".md"] = doc.Markdown
		files.add(t, name+".html", func(w io.Writer) error { return html.Write(w, doc) })
		files.add(t, name+".pdf", func(w io.Writer) error { return pdf.Write(w, onPages(doc, r.Host(), m)) })
		files.add(t, "mail."+string(lang)+".txt", func(w io.Writer) error {
			return r.Mail(w, render.Enclosed{Capture: r.Machine.Capture.ID, Files: []string{name + ".pdf", "report.json"}})
		})
		files.addPosts(t, r)
	}
	return files
}

// addPosts writes what is published of r, and the post that it is for each blog.
func (f tree) addPosts(t testing.TB, r *render.Report) {
	t.Helper()
	r.Published = true
	published := f.add(t, "published."+string(r.Lang)+".md", r.Markdown)
	for _, blog := range render.Blogs {
		post, err := r.Post(published, catalogue.Langs)
		if err != nil {
			t.Fatal(err)
		}
		f.add(t, string(blog)+"/"+post.File(blog), func(w io.Writer) error { return post.Write(w, blog) })
		for _, p := range r.Pictures {
			f.add(t, string(blog)+"/"+post.Figure(blog, p.Path), p.Scene.SVG)
		}
	}
}

// diffFiles is the report on two captures in every format.
func diffFiles(t testing.TB, texts *catalogue.Catalogue, p *diff.Pair) tree {
	t.Helper()
	files, findings := tree{}, judge.Compare(p)
	files.add(t, "diff.json", func(w io.Writer) error { return render.DiffJSON(w, p, findings, texts, "test") })
	for _, lang := range catalogue.Langs {
		d, err := render.NewDiff(p, findings, texts, lang)
		if err != nil {
			t.Fatal(err)
		}
		name := "diff." + string(lang)
		doc := html.Document{Lang: string(lang), Title: d.Title(), Subject: d.Report.Head()}
		doc.Markdown = files.add(t, name+".md", d.Markdown)
		files.add(t, name+".html", func(w io.Writer) error { return html.Write(w, doc) })
		files.add(t, name+".pdf", func(w io.Writer) error { return pdf.Write(w, onPages(doc, d.Name(), p.New)) })
	}
	return files
}

// onPages is the PDF's side of what doc is the page of.
func onPages(doc html.Document, head string, m *fact.Machine) pdf.Document {
	created, _ := time.Parse(time.RFC3339, m.Capture.Start)
	return pdf.Document{
		Markdown: doc.Markdown, Lang: doc.Lang, Title: doc.Title, Subject: doc.Subject, Author: "hwcap",
		RunningHead: head, Created: created, Figures: doc.Figures,
	}
}

// TestSameCaptureSameBytes makes everything there is of each sample, and of two
// captures, twice from the packed capture on.
func TestSameCaptureSameBytes(t *testing.T) {
	texts, err := catalogue.Load()
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]func() tree{}
	for _, name := range Names() {
		files[name] = func() tree {
			m, _ := sample(t, name)
			return reportFiles(t, texts, m)
		}
	}
	for _, names := range [][2]string{{"workstation-before", "workstation"}, {"vm", "workstation"}} {
		files["diff of "+names[0]+" and "+names[1]] = func() tree { return diffFiles(t, texts, pair(t, names[0], names[1])) }
	}
	for name, made := range files {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			once, again := made(), made()
			checkComplete(t, once)
			if a, b := slices.Sorted(maps.Keys(once)), slices.Sorted(maps.Keys(again)); !slices.Equal(a, b) {
				t.Fatalf("once %q, again %q", a, b)
			}
			for file, data := range once {
				if !bytes.Equal(data, again[file]) {
					t.Errorf("%s differs from run to run", file)
				}
			}
		})
	}
}

// checkComplete holds that no format was forgotten, and that each file has the
// other language beside it.
func checkComplete(t *testing.T, files tree) {
	t.Helper()
	for file, data := range files {
		if len(data) == 0 {
			t.Errorf("%s is empty", file)
		}
		for _, sep := range []string{".", "-"} {
			if other := strings.Replace(file, sep+"de.", sep+"en.", 1); files[other] == nil {
				t.Errorf("there is %s, but no %s", file, other)
			}
		}
	}
	want := []string{"diff.json", "diff.de.md", "diff.de.html", "diff.de.pdf"}
	if files["diff.json"] == nil {
		want = []string{"facts.json", "report.json", "report.de.md", "report.de.html", "report.de.pdf", "mail.de.txt", "plain/index.de.md", "hugo/index.de.md"}
		for _, b := range render.Blogs {
			if !slices.ContainsFunc(slices.Collect(maps.Keys(files)), func(s string) bool {
				return strings.HasPrefix(s, fmt.Sprintf("%s/", b)) && strings.HasSuffix(s, ".svg")
			}) {
				t.Errorf("no figure for %s", b)
			}
		}
	}
	for _, file := range want {
		if files[file] == nil {
			t.Errorf("no %s", file)
		}
	}
}
