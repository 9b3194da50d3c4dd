//go:build unix

package parse_test

import (
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"

	"hwcap/parse"
)

// TestFIFO holds that a pipe does not make hwcap wait for ever: without a
// writer it is empty, and one in a folder is no file.
func TestFIFO(t *testing.T) {
	top := t.TempDir()
	pipe := filepath.Join(top, "dmesg.txt")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Skipf("no pipes here: %v", err)
	}
	if _, err := parse.Open(pipe, parse.Options{}); !errors.Is(err, parse.ErrEmpty) {
		t.Errorf("nobody writes: %v", err)
	}
	if err := os.WriteFile(filepath.Join(top, "lspci.txt"), []byte(lspciText), 0o600); err != nil {
		t.Fatal(err)
	}
	m, err := parse.Open(top, parse.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got := problem(m, "dmesg.txt"); got != "not read: it is a fifo" || len(m.PCI) != 2 {
		t.Errorf("%d functions, problems %v", len(m.PCI), m.Problems)
	}
	// As <(command) of a shell gives it: a name of a pipe that has a writer.
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	name := filepath.Join("/proc/self/fd", strconv.Itoa(int(r.Fd())))
	if _, err := os.Stat(name); err != nil {
		t.Skipf("no names of open files here: %v", err)
	}
	go func() {
		defer w.Close()
		for _, line := range []byte(lspciText) {
			w.Write([]byte{line})
		}
	}()
	m, err = parse.Open(name, parse.Options{})
	if err != nil || len(m.PCI) != 2 {
		t.Errorf("a pipe with a writer: %v", err)
	}
}
