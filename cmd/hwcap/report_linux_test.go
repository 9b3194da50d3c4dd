//go:build linux

package main

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"hwcap/parse/judge"
	"hwcap/samples"
)

var everything = reportOptions{langs: []string{"de", "en"}, formats: reportFormats}

// TestReportIsDeterministic renders every sample twice and compares bytes.
func TestReportIsDeterministic(t *testing.T) {
	for _, name := range samples.Names() {
		render := func() []outFile {
			m, err := openCapture("sample:" + name)
			if err != nil {
				t.Fatal(err)
			}
			files, err := renderFiles(m, judge.Run(m), everything)
			if err != nil {
				t.Fatal(err)
			}
			return files
		}
		first, second := render(), render()
		if len(first) != len(second) || len(first) < 7 {
			t.Fatalf("%s: %d and %d files", name, len(first), len(second))
		}
		for i := range first {
			if first[i].name != second[i].name || !bytes.Equal(first[i].data, second[i].data) {
				t.Errorf("%s: %s differs between two runs", name, first[i].name)
			}
		}
	}
}

// TestFullDisk writes a report to a file system that is too small: an error,
// and nothing half written.
func TestFullDisk(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=128k"); err != nil {
		t.Skipf("needs root to mount a small file system: %v", err)
	}
	defer syscall.Unmount(dir, 0)
	files := []outFile{{"report.en.md", []byte("small\n")}, {"report.en.pdf", make([]byte, 1<<20)}}
	err := writeFiles(filepath.Join(dir, "out"), files)
	if !errors.Is(err, syscall.ENOSPC) {
		t.Fatalf("got %v, want no space left", err)
	}
	filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && filepath.Base(path) != "report.en.md" {
			t.Errorf("%s was left behind", path)
		}
		return nil
	})
}

func TestWriteFilesLeavesNoEmptyFolder(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "figures"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(dir, "out")
	if err := writeFiles(filepath.Join(dir, "figures", "x"), []outFile{{"report.en.md", nil}}); err == nil {
		t.Error("a file in the way of the folder was no error")
	}
	if err := writeFiles(out, []outFile{{"report.en.md", []byte("x")}}); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(filepath.Join(out, "report.en.md")); err != nil || string(got) != "x" {
		t.Errorf("%q, %v", got, err)
	}
}
