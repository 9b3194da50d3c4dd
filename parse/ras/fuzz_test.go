package ras

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"hwcap/parse/fact"
)

// fuzzed are the parsers of this package, with what they found and counted.
var fuzzed = map[string]func(b []byte) (rows int, unread fact.Unread){
	"summary": func(b []byte) (int, fact.Unread) {
		s, _, u, _ := ParseSummary(bytes.NewReader(b), "f")
		return events(s), u
	},
	"errors": func(b []byte) (int, fact.Unread) {
		s, _, u, _ := ParseErrors(bytes.NewReader(b), "f")
		return events(s), u
	},
	"error-count": func(b []byte) (int, fact.Unread) {
		s, _, u, _ := ParseErrorCount(bytes.NewReader(b), "f")
		return len(s), u
	},
	"labels": func(b []byte) (int, fact.Unread) {
		s, _, u, _ := ParseLabels(bytes.NewReader(b), "f")
		return len(s), u
	},
	"layout": func(b []byte) (int, fact.Unread) { _, _, u, _ := ParseLayout(bytes.NewReader(b), "f"); return 0, u },
}

func events(sections []fact.RASSection) (n int) {
	for _, s := range sections {
		n += len(s.Rows)
	}
	return n
}

func FuzzRAS(f *testing.F) {
	files, _ := filepath.Glob("testdata/*.txt")
	for _, name := range files {
		b, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	f.Add([]byte("Hostname: h\n  2026-01-02 03:04:05 mc_event: id=1, label=A, b=1\n  aer_event: 3 event(s)\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		lines := bytes.Count(b, []byte("\n"))
		if len(b) > 0 && b[len(b)-1] != '\n' {
			lines++
		}
		for name, parse := range fuzzed {
			if rows, u := parse(b); u.Of != lines || rows+u.Lines+u.Ignored > lines {
				t.Errorf("%s: %d rows of %d lines, %+v", name, rows, lines, u)
			}
		}
		for _, read := range []func(io.Reader, string) ([]fact.RASSection, []fact.Problem, fact.Unread, error){ParseSummary, ParseErrors} {
			sections, _, _, _ := read(bytes.NewReader(b), "f")
			for _, s := range sections {
				if s.None && len(s.Rows) > 0 {
					t.Errorf("section %s says none and has rows", s.Name)
				}
			}
		}
	})
}

func BenchmarkErrors(b *testing.B) {
	text := "PCIe AER events:\n" + strings.Repeat("1 2026-08-03 18:04:11 +0200 0000:c2:05.0 Corrected error: Receiver Error\n", 1000)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		ParseErrors(strings.NewReader(text), "f")
	}
}

// BenchmarkHostile reads texts made to take long, at one size and twice that:
// the bytes a second must not fall.
func BenchmarkHostile(b *testing.B) {
	texts := map[string]func(n int) string{
		"no row": func(n int) string { return "MCE records summary:\n" + strings.Repeat("x\n", n/2) },
		"half rows": func(n int) string {
			return "Memory controller events summary:\n" + strings.Repeat(strings.Repeat("Corrected on DIMM Label(s): '", 8)+"\n", n/256)
		},
		"one row": func(n int) string {
			return "CXL generic events:\n1 2026-08-03 18:04:11 +0200 error: data:\n" + strings.Repeat("00 ", n/3)
		},
		"many rows": func(n int) string {
			return "MCE events:\n" + strings.Repeat("1 2026-08-03 18:04:11 +0200 error: x\n", n/37)
		},
		"columns": func(n int) string {
			return "Hostname: h\n" + strings.Repeat("2026-08-03 18:04:11 mc_event: "+strings.Repeat("a=, ", 1000)+"\n", n/4000)
		},
		"headers":     func(n int) string { return strings.Repeat("No PCIe AER errors.\n", n/20) },
		"table cells": func(n int) string { return strings.Repeat("|"+strings.Repeat("a|", 100)+"\n", n/200) },
	}
	for name, make := range texts {
		for _, size := range []int{4 << 20, 8 << 20} {
			text := []byte(make(size))
			b.Run(fmt.Sprintf("%s/%d", name, size>>20), func(b *testing.B) {
				b.SetBytes(int64(len(text)))
				for b.Loop() {
					for _, parse := range fuzzed {
						parse(text)
					}
				}
			})
		}
	}
}
