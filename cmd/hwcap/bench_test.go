package main

import (
	"bytes"
	"io"
	"testing"

	"hwcap/parse/fact"
	"hwcap/parse/judge"
	"hwcap/render"
	"hwcap/render/catalogue"
	"hwcap/render/pdf"
)

// benchSample is the capture that the benchmarks report on: the largest that
// comes with hwcap.
const benchSample = "sample:workstation"

func benchMachine(b *testing.B) *fact.Machine {
	m, err := readCapture(benchSample, nil)
	if err != nil {
		b.Fatal(err)
	}
	return m
}

// BenchmarkReport is hwcap report but for starting the program, loading the
// wording (BenchmarkCatalogue) and writing to disk: all four files and the
// figures.
func BenchmarkReport(b *testing.B) {
	b.ReportAllocs()
	opt := reportOptions{langs: []string{"de", "en"}, formats: []string{"md", "pdf"}}
	for b.Loop() {
		m := benchMachine(b)
		if _, err := renderFiles(m, judge.Run(m), opt); err != nil {
			b.Fatal(err)
		}
	}
}

// The steps of a report, one at a time.

func BenchmarkParse(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		benchMachine(b)
	}
}

func BenchmarkJudge(b *testing.B) {
	b.ReportAllocs()
	m := benchMachine(b)
	for b.Loop() {
		judge.Run(m)
	}
}

func BenchmarkCatalogue(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := catalogue.Load(); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkMarkdown words both reports and writes their Markdown and figures.
func BenchmarkMarkdown(b *testing.B) {
	b.ReportAllocs()
	m := benchMachine(b)
	findings := judge.Run(m)
	texts, err := catalogue.Load()
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		for _, lang := range catalogue.Langs {
			r, err := render.New(m, findings, texts, lang)
			if err != nil {
				b.Fatal(err)
			}
			if err := r.Markdown(io.Discard); err != nil {
				b.Fatal(err)
			}
			for _, p := range r.Pictures {
				if err := p.Scene.SVG(io.Discard); err != nil {
					b.Fatal(err)
				}
			}
		}
	}
}

// BenchmarkPDF makes both PDFs from their Markdown, one after the other.
func BenchmarkPDF(b *testing.B) {
	b.ReportAllocs()
	m := benchMachine(b)
	findings := judge.Run(m)
	texts, err := catalogue.Load()
	if err != nil {
		b.Fatal(err)
	}
	var docs []pdf.Document
	for _, lang := range catalogue.Langs {
		r, err := render.New(m, findings, texts, lang)
		if err != nil {
			b.Fatal(err)
		}
		var markdown bytes.Buffer
		if err := r.Markdown(&markdown); err != nil {
			b.Fatal(err)
		}
		doc, err := document(r, markdown.Bytes())
		if err != nil {
			b.Fatal(err)
		}
		docs = append(docs, doc)
	}
	for b.Loop() {
		for _, doc := range docs {
			if err := pdf.Write(io.Discard, doc); err != nil {
				b.Fatal(err)
			}
		}
	}
}
