package main

import (
	"bytes"
	"os"
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
