package pdf

import (
	"fmt"
	"io"
	"time"

	"hwcap/render/figure"
)

// Document is a report to be drawn.
type Document struct {
	Markdown []byte
	Lang     string // "de" or "en": page numbers, contents, document language
	Title    string // document title; short, it also stands in the running head
	Subject  string
	Author   string
	// RunningHead stands at the left of every page's head, usually the machine.
	RunningHead string
	Created     time.Time // the only date in the file; the zero time is 1 January 1970
	// Figures holds the pictures by image destination as written in the
	// Markdown ("figures/pcie-tree-1.de.svg").
	Figures map[string]*figure.Scene
}

// Write lays doc out and writes it as a PDF. The same document gives the same
// bytes. Nothing is written unless the whole file could be made.
func Write(w io.Writer, doc Document) error {
	file, err := render(doc)
	if err != nil {
		return err
	}
	if _, err := w.Write(file); err != nil {
		return fmt.Errorf("write pdf: %w", err)
	}
	return nil
}

// render makes the file. The one recover of the package turns a fault of
// gofpdf, or of our own, into an error that says where it happened.
func render(doc Document) (file []byte, err error) {
	at := "layout"
	defer func() {
		if fault := recover(); fault != nil {
			file, err = nil, fmt.Errorf("make pdf: %s: %v", at, fault)
		}
	}()
	list := Layout(doc)
	return draw(list, doc, func(page int) { at = fmt.Sprintf("page %d", page) })
}
