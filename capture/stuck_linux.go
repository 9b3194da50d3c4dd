package capture

import (
	"bytes"
	"fmt"
	"os"
	"path"
	"slices"
	"time"
)

// leftBehind says of a call that was given up whether it stays: where a thread
// of this process waits in the kernel and no signal reaches it, the process
// stays as long.
func leftBehind() string {
	stuck := uninterruptible(os.Getpid())
	// Any read of a disk waits so for a moment.
	for range 3 {
		if len(stuck) == 0 {
			return ""
		}
		time.Sleep(20 * time.Millisecond)
		again := uninterruptible(os.Getpid())
		stuck = slices.DeleteFunc(stuck, func(thread string) bool { return !slices.Contains(again, thread) })
	}
	if len(stuck) == 0 {
		return ""
	}
	return fmt.Sprintf("; process %d is left in uninterruptible sleep", os.Getpid())
}

// uninterruptible returns the threads of a process that are in that sleep.
func uninterruptible(pid int) []string {
	folder := fmt.Sprintf("/proc/%d/task", pid)
	threads, _ := os.ReadDir(folder)
	var found []string
	for _, t := range threads {
		stat, _ := os.ReadFile(path.Join(folder, t.Name(), "stat"))
		// The name before the state may hold any character, a parenthesis too.
		if i := bytes.LastIndex(stat, []byte(") ")); i >= 0 && bytes.HasPrefix(stat[i+2:], []byte("D")) {
			found = append(found, t.Name())
		}
	}
	return found
}

// whereStuck says of a command that cannot be killed which process it is and,
// where the call in which it waits has a file, which.
func whereStuck(pid int) string {
	words := fmt.Sprintf("process %d is left", pid)
	// The call's number and its arguments; -1 is none, "running" no wait at all.
	call, _ := os.ReadFile(fmt.Sprintf("/proc/%d/syscall", pid))
	var number, fd int
	if n, _ := fmt.Sscanf(string(call), "%d 0x%x", &number, &fd); n != 2 || number < 0 {
		return words
	}
	file, err := os.Readlink(fmt.Sprintf("/proc/%d/fd/%d", pid, fd))
	if err != nil {
		return words
	}
	return words + ", at " + file
}
