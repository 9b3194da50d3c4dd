package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
)

// TestCollectRedactMemory redacts a capture with a text of 32 MiB, full of
// addresses, within the 64 MiB that collecting may take.
func TestCollectRedactMemory(t *testing.T) {
	dir := t.TempDir()
	text := filepath.Join(dir, "log.txt")
	f, err := os.Create(text)
	if err != nil {
		t.Fatal(err)
	}
	for i, n := 0, 0; n < 32<<20; i++ {
		more, err := fmt.Fprintf(f, "igb 0000:03:00.0 eth0: address 3c:7d:31:%02x:%02x:11, line %d of a long text\n", i>>3&0xff, i&7, i)
		if err != nil {
			t.Fatal(err)
		}
		n += more
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	cmd := hwcapCommand(t, "collect", "--only", "proc", "--redact", "--key", filepath.Join(dir, "redact.key"), "--attach", "log="+text, "-o", filepath.Join(dir, "x.tar.gz"))
	if code, said := assertPeak(t, cmd, 64<<10); code != exitDone {
		t.Errorf("exit code %d: %s", code, said)
	}
}

// assertPeak runs cmd, and fails if hwcap takes more than limit KiB of memory.
func assertPeak(t *testing.T, cmd *exec.Cmd, limit int) (code int, said string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "peak")
	cmd.Env = append(cmd.Env, peakFile+"="+file)
	code, said = run(t, cmd)
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	peak, err := strconv.Atoi(string(text))
	if t.Logf("%d KiB of memory", peak); err != nil || peak > limit {
		t.Errorf("%s KiB of memory, want at most %d", text, limit)
	}
	return code, said
}
