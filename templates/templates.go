// Package templates holds what the report says: the wording of the findings in
// German and English, the report templates, and the schemas of the JSON files.
// It embeds only; package catalogue reads the wording.
package templates

import "embed"

// Texts are the wording files: catalogue/*.toml (one block per rule), and
// labels, kinds and glossary.
//
//go:embed catalogue/*.toml labels.toml sources.toml reasons.toml kinds.toml glossary.toml
var Texts embed.FS

// Report is the text/template of the Markdown report.
//
//go:embed report.md.tmpl
var Report string

// Diff is the text/template of the report on two captures. It uses parts that
// Report defines.
//
//go:embed diff.md.tmpl
var Diff string

// Mail are the text/templates of the letter to support, mail.LANG.txt.tmpl.
//
//go:embed mail.de.txt.tmpl mail.en.txt.tmpl
var Mail embed.FS

// Page is the html/template of the page around a report in HTML.
//
//go:embed report.html.tmpl
var Page string

// Style is the style sheet of that page.
//
//go:embed report.css
var Style string

// Licenses are the licence texts of what is inside the program: of the modules,
// one file each with "/" in the path written as "__", of pci.ids, and of the
// fonts.
//
//go:embed licenses/*.txt fonts/LICENSE-*.txt
var Licenses embed.FS
