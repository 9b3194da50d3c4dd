package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"unicode/utf8"

	"hwcap/parse/fact"
	"hwcap/render/escape"
	"hwcap/samples"
)

// TestCutOffCapture holds that half an archive is read, and that the exit code
// says that it is half.
func TestCutOffCapture(t *testing.T) {
	r, err := samples.Open("workstation")
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "half.tar.gz")
	if err := os.WriteFile(name, data[:len(data)/2], 0o600); err != nil {
		t.Fatal(err)
	}
	m, err := openCapture(name)
	if err != nil {
		t.Fatal(err)
	}
	status := exitStatus(0)
	if !errors.As(cutOff(m), &status) || status != exitIncomplete {
		t.Errorf("exit %d, want %d", status, exitIncomplete)
	}
	if len(m.PCI) == 0 {
		t.Error("what came before the break is lost")
	}
}

// TestCorpusFacts prints the facts of each dump of the corpus: it opens, or is
// refused in one line with a next step, in little memory.
func TestCorpusFacts(t *testing.T) {
	corpus := os.Getenv("HWCAP_CORPUS")
	if corpus == "" {
		t.Skip("no corpus: HWCAP_CORPUS is not set")
	}
	opened, refused, peak := 0, 0, uint64(0)
	err := filepath.WalkDir(corpus, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		m, err := openCapture(name)
		hint := (*hintError)(nil)
		switch {
		case err == nil:
			opened++
			if err := writeFacts(io.Discard, m); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		case !errors.As(err, &hint) || hint.hint == "" || strings.Contains(err.Error()+hint.hint, "\n"):
			t.Errorf("%s: error %q without a next step, or not of one line", name, err)
		default:
			refused++
		}
		var s runtime.MemStats
		runtime.ReadMemStats(&s)
		peak = max(peak, s.HeapAlloc)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if opened == 0 || peak > 256<<20 {
		t.Errorf("%d opened, the heap held %d MiB", opened, peak>>20)
	}
	t.Logf("%d opened, %d refused, the heap held at most %d MiB", opened, refused, peak>>20)
}

// TestFactsKeepText holds that the escapes of facts change nothing for a
// reader of JSON.
func TestFactsKeepText(t *testing.T) {
	const id = "a\u202eb\U000e0041c\x7f\x1b<&>„"
	m := &fact.Machine{PCI: []fact.Device{}, Sources: []fact.Source{}, Capture: fact.Capture{ID: id}}
	var b bytes.Buffer
	if err := writeFacts(&b, m); err != nil {
		t.Fatal(err)
	}
	if i := strings.IndexFunc(b.String(), func(r rune) bool { return r != '\n' && escape.Hidden(r) }); i >= 0 {
		t.Errorf("hidden character at %d of %q", i, b.String())
	}
	if !utf8.Valid(b.Bytes()) || !strings.Contains(b.String(), "<&>„") {
		t.Errorf("%s", b.String())
	}
	var back struct{ Capture struct{ ID string } }
	if err := json.Unmarshal(b.Bytes(), &back); err != nil || back.Capture.ID != id {
		t.Errorf("read back %q, %v", back.Capture.ID, err)
	}
}
