package pdf

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"hwcap/render/figure"
)

// created is the date of all test documents.
var created = time.Date(2026, 8, 12, 21, 14, 0, 0, time.UTC)

// demo is a report as a reader gets it.
func demo(tb testing.TB) Document {
	tb.Helper()
	src, err := os.ReadFile(filepath.Join("testdata", "demo.de.md"))
	if err != nil {
		tb.Fatal(err)
	}
	return Document{
		Markdown:    src,
		Lang:        "de",
		Title:       "Hardware-Bericht workstation",
		Subject:     "PCIe, Fehler, Verschlüsselung",
		Author:      "hwcap",
		RunningHead: "workstation · Supermicro X12SPM-TF",
		Created:     created,
		Figures:     map[string]*figure.Scene{"figures/pcie-tree-1.de.svg": sketch()},
	}
}

// sketch is a small picture of all kinds of items.
func sketch() *figure.Scene {
	return &figure.Scene{
		Width: 170, Height: 30, Title: "Skizze", Desc: "Zwei Kästen und ein Link",
		Items: []figure.Item{
			figure.Rect{X: 0, Y: 5, W: 50, H: 14, Fill: figure.Panel, Border: figure.Hairline, Stroke: 0.2},
			figure.Label{X: 2, Y: 11, Text: "c2:02.0", Size: 8, Mono: true, Bold: true, Class: figure.Ink},
			figure.Rect{X: 120, Y: 5, W: 50, H: 14, Border: figure.Accent, Stroke: 0.3, Dashed: true, Link: "#f-1"},
			figure.Line{X1: 50, Y1: 12, X2: 120, Y2: 12, Stroke: 0.6, Class: figure.Warning},
			figure.Label{X: 85, Y: 10, Text: "▲ 8 GT/s x8", Size: 8, Bold: true, Class: figure.Warning, Anchor: figure.Middle},
			figure.Label{X: 168, Y: 17, Text: "rechts", Size: 7, Class: figure.Muted, Anchor: figure.End},
		},
	}
}

// TestDemo makes the demo report; HWCAP_DEMO names a folder to keep it in, to
// be looked at.
func TestDemo(t *testing.T) {
	folder := os.Getenv("HWCAP_DEMO")
	if folder == "" {
		folder = t.TempDir()
	}
	f, err := os.Create(filepath.Join(folder, "demo.de.pdf"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := Write(f, demo(t)); err != nil {
		t.Fatal(err)
	}
}
