package pdf

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"hwcap/render/figure"
	"hwcap/render/typeface"
)

func written(tb testing.TB, doc Document) []byte {
	tb.Helper()
	var b bytes.Buffer
	if err := Write(&b, doc); err != nil {
		tb.Fatal(err)
	}
	return b.Bytes()
}

func TestSameDocumentSameBytes(t *testing.T) {
	doc := demo(t)
	first := written(t, doc)
	if !bytes.Equal(first, written(t, doc)) {
		t.Error("twice in one process: the bytes differ")
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	if !bytes.Equal(first, written(t, doc)) {
		t.Error("on one processor: the bytes differ")
	}
}

func TestLanguagesAtOnce(t *testing.T) {
	var wg sync.WaitGroup
	for _, lang := range []string{"de", "en"} {
		wg.Go(func() {
			doc := demo(t)
			doc.Lang = lang
			if err := Write(io.Discard, doc); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
}

func TestHostileTextIsDrawn(t *testing.T) {
	for _, src := range hostile {
		doc := Document{Markdown: []byte(src), Title: src, Subject: src, Author: src, RunningHead: src,
			Figures: map[string]*figure.Scene{"x": {Width: 10, Height: 10, Title: src}}}
		if err := Write(io.Discard, doc); err != nil {
			t.Errorf("%.40q: %v", src, err)
		}
	}
}

func TestEmptyDocument(t *testing.T) {
	if out := written(t, Document{}); !bytes.HasPrefix(out, []byte("%PDF-")) {
		t.Errorf("no PDF: %.20q", out)
	}
}

func TestLongReportHoldsItsSize(t *testing.T) {
	out := written(t, pages(t, 50))
	if len(out) > 1<<20 {
		t.Errorf("50 pages take %d bytes", len(out))
	}
}

// A fault while drawing becomes an error that names the page.
func TestPanicNamesThePage(t *testing.T) {
	l := &List{Pages: []Page{{}, {Ops: []Op{Text{X: 20, Y: 20, Face: typeface.Sans, Size: 10, S: "cut off \xe2"}}}}}
	at := 0
	func() {
		defer func() {
			if recover() == nil {
				t.Error("gofpdf took truncated UTF-8: the recover may go")
			}
		}()
		_, _ = draw(l, Document{}, func(page int) { at = page })
	}()
	if at != 2 {
		t.Errorf("the fault is on page 2, told %d", at)
	}
}

func TestWriteErrorIsPassedOn(t *testing.T) {
	full := errors.New("disk full")
	if err := Write(failing{full}, Document{}); !errors.Is(err, full) {
		t.Errorf("got %v", err)
	}
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }

func TestFinishRefuses(t *testing.T) {
	const object, table = "1 0 obj\n<<\n>>\nendobj\n", "xref\n0 2\n0000000000 65535 f \n0000000000 00000 n \n"
	for name, file := range map[string]string{
		"an empty file":            "",
		"a table at no number":     object + table + "startxref\nx\n",
		"a table beyond the end":   object + table + "startxref\n9999\n",
		"something else there":     object + table + "startxref\n0\n",
		"a table that is cut off":  object + table[:40] + "startxref\n23\n",
		"an object beyond the end": object + strings.Replace(table, "0000000000 00000", "0000000099 00000", 1) + "startxref\n23\n",
		"a file without a catalog": object + table + "startxref\n23\n",
	} {
		if _, err := finish([]byte(file), "x"); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// tool runs a program on the demo report and returns what it prints.
func tool(t *testing.T, name string, args ...string) string {
	t.Helper()
	if _, err := exec.LookPath(name); err != nil {
		t.Skipf("%s is not installed", name)
	}
	file := filepath.Join(t.TempDir(), "demo.pdf")
	if err := os.WriteFile(file, written(t, demo(t)), 0o600); err != nil {
		t.Fatal(err)
	}
	for i, a := range args {
		if a == "FILE" {
			args[i] = file
		}
	}
	out, err := exec.Command(name, args...).CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", name, err, out)
	}
	return string(out)
}

func TestQpdfFindsNoFault(t *testing.T) {
	if out := tool(t, "qpdf", "--check", "FILE"); strings.Contains(out, "WARNING") {
		t.Error(out)
	}
	json := tool(t, "qpdf", "--json", "FILE")
	for _, want := range []string{"de-DE", "DisplayDocTitle"} {
		if !strings.Contains(json, want) {
			t.Errorf("no %s", want)
		}
	}
}

func TestTextCanBeTakenOut(t *testing.T) {
	out := tool(t, "pdftotext", "-layout", "FILE", "-")
	for _, want := range []string{
		"Für die Karte c5:00.0 sieht Linux keinen Temperaturfühler",
		"▲ Warnung", "✓ in Ordnung", "2,5 GT/s", "„downgraded“", "Seite 1 von ",
		"LnkSta: Speed 2.5GT/s (downgraded), Width x8 (downgraded)",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q", want)
		}
	}
}

func TestFontsAreEmbeddedSubsets(t *testing.T) {
	lines := strings.Split(strings.TrimSpace(tool(t, "pdffonts", "FILE")), "\n")[2:]
	for _, l := range lines {
		if !strings.Contains(l, "yes no  yes") { // embedded, no subset tag, mapped to Unicode
			t.Errorf("not embedded: %s", l)
		}
	}
	if len(lines) < 4 || len(lines) > 6 {
		t.Errorf("%d fonts:\n%s", len(lines), strings.Join(lines, "\n"))
	}
}

// pages is a report of about n pages.
func pages(tb testing.TB, n int) Document {
	doc := demo(tb)
	src := doc.Markdown
	for i := 1; i*6 < n; i++ {
		doc.Markdown = append(doc.Markdown, bytes.ReplaceAll(src, []byte("f-"), fmt.Appendf(nil, "g%d-", i))...)
	}
	return doc
}

func BenchmarkLayout50Pages(b *testing.B) {
	doc := pages(b, 50)
	b.SetBytes(int64(len(doc.Markdown)))
	for b.Loop() {
		Layout(doc)
	}
}

func BenchmarkWrite50Pages(b *testing.B) {
	doc := pages(b, 50)
	b.SetBytes(int64(len(doc.Markdown)))
	for b.Loop() {
		if err := Write(io.Discard, doc); err != nil {
			b.Fatal(err)
		}
	}
}
