package pdf

import (
	"hwcap/render/figure"
	"hwcap/render/typeface"
)

// The page, in millimetres: A4, and where its parts stand.
const (
	pageWidth  = 210.0
	pageHeight = 297.0
	left       = 20.0
	textWidth  = pageWidth - 2*left
	top        = 25.0
	bottom     = pageHeight - 21
	headLine   = 14.0              // baseline of the running head
	footLine   = pageHeight - 11.5 // baseline of the page number
	measure    = 152.0             // running text is no wider: about 90 characters
	indent     = 5.5               // of a list level or a quotation
	mm         = 25.4 / 72         // one point
)

// style is how a block of text is set.
type style struct {
	size    float64 // points
	leading float64 // millimetres from baseline to baseline
	class   figure.Class
	bold    bool
}

// The styles of the report.
var (
	titleStyle   = style{21, 9.2, figure.Ink, true}
	leadStyle    = style{10, 5.1, figure.Muted, false}
	chapterStyle = style{15, 7, figure.Accent, true}
	findingStyle = style{11.5, 5.5, figure.Ink, true}
	minorStyle   = style{10, 5.1, figure.Ink, true}
	bodyStyle    = style{10, 5.1, figure.Ink, false}
	tableStyle   = style{8.5, 4.2, figure.Ink, false}
	smallStyle   = style{8, 3.9, figure.Muted, false}
	codeStyle    = style{8, 3.75, figure.Ink, false}
)

// codeScale makes Plex Mono as tall to the eye as the Plex Sans around it.
const codeScale = 0.93

// baseline is where a line of the style stands, below the line's upper edge:
// capitals (0.7 em in Plex) come to the middle.
func (st style) baseline() float64 { return (st.leading + 0.7*st.size*mm) / 2 }

// face returns the face and size for a look within the style.
func (st style) face(l look) (typeface.Face, float64) {
	bold := st.bold || l.bold
	switch {
	case l.mono && bold:
		return typeface.MonoBold, st.size * codeScale
	case l.mono:
		return typeface.Mono, st.size * codeScale
	case bold:
		return typeface.SansBold, st.size
	case l.italic:
		return typeface.SansItalic, st.size
	}
	return typeface.Sans, st.size
}

// vocabulary is what the pages say of themselves.
type vocabulary struct {
	contents string
	page     string // format: number, total
	onPage   string // before the number, where a link is
}

var vocabularies = map[string]vocabulary{
	"de": {"Inhalt", "Seite %d von %d", "Seite"},
	"en": {"Contents", "page %d of %d", "page"},
}

// speak returns the vocabulary of a language, English where there is none.
func speak(lang string) vocabulary {
	if v, ok := vocabularies[lang]; ok {
		return v
	}
	return vocabularies["en"]
}

// badges are the words that may follow a shape and belong to its colour.
var badges = []string{
	"kritisch", "Kritisch", "critical", "Critical",
	"Warnung", "warning", "Warning",
	"Hinweis", "notice", "Notice",
	"Info", "info",
	"in Ordnung", "ok", "OK",
	"offen", "Offen", "open", "Open", "unknown", "Unknown",
}
