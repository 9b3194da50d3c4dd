// Package html makes one HTML file from the Markdown of a report.
//
// The Markdown is the report: the conventions that package pdf draws by
// (anchors, the place of the contents, badges, figures) hold here as well, so
// that both say what the Markdown says. goldmark reads it; what is written are
// the few elements that this package knows, around text that is escaped on its
// way out. Nothing that a capture says can thus become an element, an attribute
// or a link.
//
// The file stands alone. It has no script, and its policy forbids every load.
package html

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"

	"hwcap/render/escape"
	"hwcap/render/figure"
	"hwcap/templates"
)

// Document is a report to be written.
type Document struct {
	Markdown []byte
	Lang     string // "de" or "en": language of the page and of its own words
	Title    string
	Subject  string // one line for the page's description
	// Figures holds the pictures by image destination as written in the
	// Markdown ("figures/pcie-tree-1.de.svg").
	Figures map[string]*figure.Scene
}

// shell is the page around the report's text.
var shell = template.Must(template.New("page").Parse(templates.Page))

// policy allows the style sheet that is in the file, known by its checksum, and
// nothing else. The empty icon keeps browsers from asking a server for one.
var policy = fmt.Sprintf("default-src 'none'; style-src 'sha256-%s'; img-src data:; base-uri 'none'; form-action 'none'", checksum(templates.Style))

func checksum(s string) string {
	sum := sha256.Sum256([]byte(s))
	return base64.StdEncoding.EncodeToString(sum[:])
}

// Write writes doc as a page. The same document gives the same bytes. Nothing
// is written unless the whole page could be made.
func Write(w io.Writer, doc Document) error {
	doc.Title, doc.Subject = escape.Plain(doc.Title), escape.Plain(doc.Subject)
	p := read(doc)
	var b bytes.Buffer
	err := shell.Execute(&b, struct {
		Lang, Title, Subject, Policy string
		Style                        template.CSS
		Words                        words
		Head, Body                   template.HTML
	}{
		Lang: doc.Lang, Title: doc.Title, Subject: doc.Subject, Policy: policy,
		Style: template.CSS(templates.Style), Words: p.words,
		Head: template.HTML(p.head), Body: template.HTML(p.out.String()),
	})
	if err != nil {
		return fmt.Errorf("html template: %w", err)
	}
	if _, err := w.Write(b.Bytes()); err != nil {
		return fmt.Errorf("write html: %w", err)
	}
	return nil
}

// words are what the page says beyond the Markdown.
type words struct {
	Skip, Contents, Filter, Filtered, Here, Lines, Foot string
}

func wordsOf(lang string) words {
	if lang == "de" {
		return words{
			Skip: "Zum Inhalt springen", Contents: "Inhalt", Filter: "Befunde zeigen",
			Filtered: "Gefiltert: Nicht alle Befunde sind zu sehen.",
			Here:     "Verweis auf diesen Befund", Lines: "%d Zeilen",
			Foot: "Von hwcap geschrieben. Die Seite enthält kein Skript und lädt nichts nach.",
		}
	}
	return words{
		Skip: "Skip to the content", Contents: "Contents", Filter: "Show findings",
		Filtered: "Filtered: not all findings are shown.",
		Here:     "Link to this finding", Lines: "%d lines",
		Foot: "Written by hwcap. The page has no script and loads nothing.",
	}
}
