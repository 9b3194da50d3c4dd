// Package typeface measures text: the faces of the report, their widths, and
// which face draws which rune.
//
// The PDF and the figures lay out by the same numbers, so that a label fits its
// box in both. Text must have gone through [Clean] first.
package typeface

import (
	"bytes"
	"iter"
	"math"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/go-fonts/dejavu/dejavusans"
	"github.com/go-fonts/dejavu/dejavusansmono"
	"golang.org/x/image/font"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"

	"hwcap/templates/fonts"
)

// Face is one font file.
type Face uint8

// The faces. The last two draw what the others have no glyph for.
const (
	Sans Face = iota
	SansBold
	SansItalic
	Mono
	MonoBold
	Fallback
	MonoFallback
)

// faces is the table behind Face.
var faces = [...]struct {
	name     string // ASCII without spaces: gofpdf writes it into PDF names as it is
	ttf      []byte
	fallback Face
}{
	Sans:         {"PlexSans", fonts.Sans, Fallback},
	SansBold:     {"PlexSansSemiBold", fonts.SansSemiBold, Fallback},
	SansItalic:   {"PlexSansItalic", fonts.SansItalic, Fallback},
	Mono:         {"PlexMono", fonts.Mono, MonoFallback},
	MonoBold:     {"PlexMonoSemiBold", fonts.MonoSemiBold, MonoFallback},
	Fallback:     {"DejaVuSans", dejavusans.TTF, Fallback},
	MonoFallback: {"DejaVuSansMono", dejavusansmono.TTF, Fallback}, // Hebrew, for one, is only there
}

// Missing stands for what is no text, and for a rune that no face draws unless
// [Clean] has written it out.
const Missing = '\uFFFD'

// Faces returns all faces.
func Faces() iter.Seq[Face] {
	return func(yield func(Face) bool) {
		for f := range faces {
			if !yield(Face(f)) {
				return
			}
		}
	}
}

// String returns the name of the face, ASCII without spaces.
func (f Face) String() string { return faces[f].name }

// TTF returns a copy of the font file: gofpdf writes into what it is given.
func (f Face) TTF() []byte { return bytes.Clone(faces[f].ttf) }

// mm is one point in millimetres.
const mm = 25.4 / 72

// Width returns the width of s in millimetres at size points, each rune in the
// face that draws it. There is no kerning: gofpdf does none either.
func (f Face) Width(s string, size float64) float64 {
	var em float64
	for _, r := range s {
		_, _, w := f.glyph(r)
		em += w
	}
	return em * size * mm
}

// RuneWidth is Width for one rune.
func (f Face) RuneWidth(r rune, size float64) float64 {
	_, _, w := f.glyph(r)
	return w * size * mm
}

// Runs cuts s into the longest pieces that one face draws, in order. What no
// face draws becomes U+FFFD.
func (f Face) Runs(s string) iter.Seq2[Face, string] {
	return func(yield func(Face, string) bool) {
		var run strings.Builder
		current := f
		for _, r := range s {
			face, drawn, _ := f.glyph(r)
			if face != current && run.Len() > 0 {
				if !yield(current, run.String()) {
					return
				}
				run.Reset()
			}
			current = face
			run.WriteRune(drawn)
		}
		if run.Len() > 0 {
			yield(current, run.String())
		}
	}
}

// Draws reports whether r has a glyph in f or in the face that fills in for it.
func (f Face) Draws(r rune) bool {
	_, drawn, _ := f.glyph(r)
	return drawn == r
}

// glyph returns the face that draws r, the rune it draws for it, and its
// advance in em.
func (f Face) glyph(r rune) (Face, rune, float64) {
	for {
		for face := f; ; face = faces[face].fallback {
			if em := face.advance(r); em >= 0 {
				return face, r, em
			}
			if face == faces[face].fallback {
				break
			}
		}
		if r == Missing {
			return f, Missing, 1 // not reached: DejaVu has it, and a test says so
		}
		r = Missing
	}
}

// block holds the advances of 256 runes in em; negative: no glyph.
type block [256]float32

// advances caches metrics: a face's blocks of the Basic Multilingual Plane,
// filled when first asked for. Reports in two languages render at once.
var advances [len(faces)][256]atomic.Pointer[block]

// advance returns the advance of r in em, negative where f has no glyph for it.
func (f Face) advance(r rune) float64 {
	if r < 0 || r > 0xFFFF {
		return -1
	}
	slot := &advances[f][r>>8]
	b := slot.Load()
	if b == nil {
		b = f.measure(r &^ 0xFF)
		slot.Store(b)
	}
	return float64(b[r&0xFF])
}

// parsed holds the font of each face, read when first used.
var parsed = func() (all [len(faces)]func() *sfnt.Font) {
	for f := range faces {
		all[f] = sync.OnceValue(func() *sfnt.Font {
			face, err := sfnt.Parse(faces[f].ttf)
			if err != nil {
				panic("typeface: " + faces[f].name + ": " + err.Error()) // an embedded file: the tests meet it first
			}
			return face
		})
	}
	return all
}()

// measure reads the advances of the 256 runes from first on.
func (f Face) measure(first rune) *block {
	var (
		b    block
		buf  sfnt.Buffer
		face = parsed[f]()
		unit = face.UnitsPerEm()
	)
	for i := range b {
		b[i] = -1
		g, err := face.GlyphIndex(&buf, first+rune(i))
		if err != nil || g == 0 {
			continue
		}
		if adv, err := face.GlyphAdvance(&buf, g, fixed.I(int(unit)), font.HintingNone); err == nil {
			// To the thousandth, as PDF stores widths.
			b[i] = float32(math.Round(float64(adv)/64/float64(unit)*1000) / 1000)
		}
	}
	return &b
}
