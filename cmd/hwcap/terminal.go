package main

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"hwcap/render/escape"
)

// visible shows text of a capture as it is, each hidden character by its
// number.
func visible(s string) string {
	if strings.IndexFunc(s, escape.Hidden) < 0 && utf8.ValidString(s) {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		if escape.Hidden(r) {
			fmt.Fprintf(&b, `\u%04x`, r)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}
