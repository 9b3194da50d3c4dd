package pdf

import (
	"slices"
	"unicode"
)

// visual orders the pieces of a line as they are read from left to right: text
// of a script that runs the other way is turned around, with the spaces and
// numbers between its words. That is Unicode Standard Annex 9 for a line that
// begins with Latin text, without embeddings, which [typeface.Clean] has taken
// out. Readers of the file turn the text back.
func visual(pieces []piece) []piece {
	if !slices.ContainsFunc(pieces, rightToLeft) {
		return pieces
	}
	pieces = slices.Clone(pieces)
	for i := 0; i < len(pieces); i++ {
		if !rightToLeft(pieces[i]) {
			continue
		}
		end := i + 1 // behind the last piece of the stretch
		for k := end; k < len(pieces) && (rightToLeft(pieces[k]) || neutral(pieces[k])); k++ {
			if rightToLeft(pieces[k]) {
				end = k + 1
			}
		}
		for k := i; k < end; k++ {
			if rightToLeft(pieces[k]) {
				pieces[k].s = turned(pieces[k].s)
			}
		}
		slices.Reverse(pieces[i:end])
		i = end - 1
	}
	return pieces
}

// rightToLeft reports whether p is text in Hebrew, Arabic or a script like it.
func rightToLeft(p piece) bool {
	return slices.ContainsFunc([]rune(p.s), func(r rune) bool {
		return r >= 0x590 && r <= 0x8FF || r >= 0xFB1D && r <= 0xFDFF || r >= 0xFE70 && r <= 0xFEFC
	})
}

// neutral reports whether p has no direction of its own.
func neutral(p piece) bool { return !slices.ContainsFunc([]rune(p.s), isLetter) }

// turned returns s backwards; marks stay behind what they stand on.
func turned(s string) string {
	runes := []rune(s)
	slices.Reverse(runes)
	for i := 0; i < len(runes); i++ {
		end := i
		for end < len(runes) && unicode.Is(unicode.Mn, runes[end]) {
			end++
		}
		if end > i && end < len(runes) {
			slices.Reverse(runes[i : end+1])
			i = end
		}
	}
	return string(runes)
}
