package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
)

// peakFile is the variable that names a file for what hwcap took of memory, in
// KiB. The largest that wait4 tells is no measure of it: on exec, the kernel
// starts that of a child with what its parent had (fs/exec.c, exec_mmap).
const peakFile = "HWCAP_PEAK"

// notePeak writes the most memory that this process had at a time, if asked to.
func notePeak() {
	name := os.Getenv(peakFile)
	if name == "" {
		return
	}
	status, _ := os.ReadFile("/proc/self/status")
	_, peak, _ := bytes.Cut(status, []byte("VmHWM:"))
	peak, _, _ = bytes.Cut(peak, []byte(" kB"))
	os.WriteFile(name, bytes.TrimSpace(peak), 0o600)
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
