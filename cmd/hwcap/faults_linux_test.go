package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"hwcap/parse"
	"hwcap/parse/fact"
)

// hwcapCommand is this very program with arguments, in the English of C, whose
// processes are known by an environment variable.
func hwcapCommand(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command("/proc/self/exe", args...)
	cmd.Args[0] = "hwcap" // TestMain looks at it
	temp := filepath.Join(t.TempDir(), "tmp")
	if err := os.Mkdir(temp, 0o777); err != nil {
		t.Fatal(err)
	}
	cmd.Env = append(os.Environ(), "LC_ALL=C", "TMPDIR="+temp, mark(t))
	t.Cleanup(func() {
		assertNames(t, temp)
		assertNoProcess(t)
	})
	return cmd
}

func mark(t *testing.T) string { return "HWCAP_TEST=" + t.Name() }

// assertNoProcess fails if a process of this test is there for longer than it
// takes to go.
func assertNoProcess(t *testing.T) {
	t.Helper()
	var left []string
	for range 100 {
		left = nil
		all, _ := filepath.Glob("/proc/[0-9]*/environ")
		for _, file := range all {
			env, _ := os.ReadFile(file) // nothing of one that is dead
			if slices.Contains(strings.Split(string(env), "\x00"), mark(t)) {
				left = append(left, file)
			}
		}
		if len(left) == 0 {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Errorf("processes stay: %v", left)
}

func assertNames(t *testing.T, dir string, want ...string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range entries {
		got = append(got, e.Name())
	}
	if !slices.Equal(got, want) {
		t.Errorf("%s holds %v, want %v", dir, got, want)
	}
}

// run runs a command to its end and returns its exit code and what it said.
func run(t *testing.T, cmd *exec.Cmd) (code int, said string) {
	t.Helper()
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	if err := cmd.Run(); cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), stderr.String()
}

func whole(t *testing.T, name string) *fact.Machine {
	t.Helper()
	m, err := parse.Open(name, parse.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if m.Capture.CutOff {
		t.Errorf("%s is cut off", name)
	}
	return m
}

// Whenever a signal comes, there is the whole capture or none, and nothing
// else. SIGKILL may leave the spool, which the next collect removes.
func TestCollectKilledAtAnyMoment(t *testing.T) {
	for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGKILL} {
		t.Run(signal.String(), func(t *testing.T) {
			for _, wait := range []time.Duration{0, 20, 60, 100, 150, 200, 400} {
				dir := t.TempDir()
				output := filepath.Join(dir, "x.tar.gz")
				cmd := hwcapCommand(t, "collect", "-o", output)
				var stderr bytes.Buffer
				cmd.Stderr = &stderr
				if err := cmd.Start(); err != nil {
					t.Fatal(err)
				}
				time.Sleep(wait * time.Millisecond)
				cmd.Process.Signal(signal)
				cmd.Wait()
				_, err := os.Stat(output)
				switch {
				case err == nil:
					whole(t, output)
				case signal != syscall.SIGKILL && cmd.ProcessState.Exited() && !strings.Contains(stderr.String(), "hwcap: interrupted; nothing was written\n"):
					t.Errorf("after %d ms: it says %q", wait, stderr.String())
				}
				if signal == syscall.SIGKILL {
					assertNoProcess(t)
					if code, said := run(t, hwcapCommand(t, "collect", "--only", "proc", "-o", output)); code != 0 {
						t.Errorf("the next one ends with %d: %s", code, said)
					}
					assertNames(t, dir, "x.tar.gz")
				} else if err == nil {
					assertNames(t, dir, "x.tar.gz")
				} else {
					assertNames(t, dir)
				}
			}
		})
	}
}

func TestTwoCollectsAtOnce(t *testing.T) {
	dir := t.TempDir()
	output := filepath.Join(dir, "x.tar.gz")
	var both sync.WaitGroup
	for range 2 {
		cmd := hwcapCommand(t, "collect", "-o", output)
		both.Go(func() {
			if text, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%v: %s", err, text)
			}
		})
	}
	both.Wait()
	whole(t, output)
	assertNames(t, dir, "x.tar.gz")
}

func TestCollectIntoReadOnlyFolder(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mount("none", dir, "tmpfs", syscall.MS_RDONLY, "size=64k"); err != nil {
		t.Skipf("needs root to mount a file system: %v", err)
	}
	defer syscall.Unmount(dir, 0)
	for _, args := range [][]string{{}, {"--redact", "--key", filepath.Join(t.TempDir(), "key")}} {
		code, said := run(t, hwcapCommand(t, append([]string{"collect", "-o", filepath.Join(dir, "x.tar.gz")}, args...)...))
		want := "hwcap: cannot write the capture: " + dir + "/x.tar.gz: read-only file system\nhint: name another place"
		if code != exitFailed || !strings.Contains(said, want) {
			t.Errorf("%v: exit code %d, %s", args, code, said)
		}
	}
}

func TestCollectIntoClosedPipe(t *testing.T) {
	cmd := hwcapCommand(t, "collect", "--only", "proc", "-o", "-")
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	read.Close()
	cmd.Stdout = write
	code, said := run(t, cmd)
	write.Close()
	if code != exitFailed || said != "hwcap: standard output was closed before all was written\n" {
		t.Errorf("exit code %d, %s", code, said)
	}
}

// inNamespace is hwcapCommand where files lie over paths, which nobody else
// sees.
func inNamespace(t *testing.T, args []string, over ...[2]string) *exec.Cmd {
	t.Helper()
	cmd := hwcapCommand(t)
	script := "set -e\n"
	for _, o := range over {
		script += fmt.Sprintf("mount --bind '%s' '%s'\n", o[0], o[1])
	}
	cmd.Path, cmd.Args = "/bin/sh", append([]string{"sh", "-c", script + `exec "$@"`, "sh", linkToSelf(t)}, args...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Unshareflags: syscall.CLONE_NEWNS}
	return cmd
}

// A read that no signal reaches is given up, and hwcap ends, although the
// process that read cannot.
func TestCollectWithHungRead(t *testing.T) {
	f := newFuseFile(t, filepath.Join(t.TempDir(), "hangs"), 0)
	f.harden(t)
	dir := t.TempDir()
	output := filepath.Join(dir, "x.tar.gz")
	cmd := inNamespace(t, []string{"collect", "--only", "proc", "--timeout", "1s", "-o", output}, [2]string{f.path, "/proc/version"})
	code, said := run(t, cmd)
	if code != exitIncomplete {
		t.Errorf("exit code %d, want %d", code, exitIncomplete)
	}
	m := regexp.MustCompile(`(?m)^timed out: proc-version: read /proc/version: time limit of 1s; process (\d+) is left in uninterruptible sleep$`).FindStringSubmatch(said)
	if m == nil || !strings.Contains(said, fmt.Sprintf("\nprocess %s is left behind: ", m[1])) {
		t.Errorf("it says %s", said)
	}
	assertNames(t, dir, "x.tar.gz")
	if whole(t, output).Capture.Kernel == "" {
		t.Error("the rest is missing")
	}
	f.abort(t)
}

func TestCollectWhileADeviceVanishes(t *testing.T) {
	f := newFuseFile(t, filepath.Join(t.TempDir(), "vanishes"), syscall.ENODEV)
	output := filepath.Join(t.TempDir(), "x.tar.gz")
	code, said := run(t, inNamespace(t, []string{"collect", "--only", "proc", "-o", output}, [2]string{f.path, "/proc/version"}))
	if code != exitDone {
		t.Errorf("exit code %d: %s", code, said)
	}
	sources := whole(t, output).Sources
	i := slices.IndexFunc(sources, func(s fact.Source) bool { return s.Name == "proc-version" })
	if s := sources[i]; s.State != "absent" || s.Why != "read /proc/version: no such device" {
		t.Errorf("it is %+v", s)
	}
}
