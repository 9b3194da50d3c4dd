package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// mayWrite are the files that may be opened for writing, with the reason.
// DIR stands for the folder of the output, TMP for that for temporary files.
var mayWrite = []struct{ path, why string }{
	{`DIR/x\.tar\.gz\.part-\d+(/.*)?`, "the spool, and in it the archive until it is whole"},
	{`DIR/x\.tar\.gz`, "the output"},
	{`/dev/null`, "standard input and output of commands that need none"},
	{`/dev/tty`, "a terminal, which commands ask for its size"},
	{`/dev/pts/\d+`, "the same"},
}

// mayChange are system calls that change files and are made all the same.
var mayChange = []struct{ call, why string }{
	{`(mkdir|mkdirat)\(.*"DIR/x\.tar\.gz\.part-\d+"`, "the spool"},
	{`(unlink|unlinkat|rmdir)\(.*DIR/`, "the spool at the end"},
	{`(unlinkat)\(\d+<DIR/`, "the same"},
	{`unlinkat\(\d+<DIR>, "x\.tar\.gz\.part-\d+"`, "the same"},
	{`syslog\(SYSLOG_ACTION_(READ_ALL|SIZE_BUFFER)`, "dmesg reads; other actions clear or configure"},
	{`(rename|renameat|renameat2)\(.*"DIR/x\.tar\.gz\.part-\d+/archive".*"DIR/x\.tar\.gz"`, "the archive, whole, to its name"},
}

// mayIoctl are the ioctls that only ask.
var mayIoctl = []struct{ request, why string }{
	{`TCGETS2?`, "is it a terminal?"},
	{`TIOCGWINSZ`, "how wide is it?"},
	{`TIOCGPGRP`, "does it belong to this process?"},
	{`SIOCETHTOOL`, "ethtool without options gets settings only"},
	{`SIOCGI\w+`, "interface flags and numbers"},
	{`FIONREAD`, "how much is there to read?"},
	{`FS_IOC_GETFLAGS`, "attributes of a journal file"},
	{`BTRFS_IOC_\w*INFO`, "the same"},
	{`NVME_IOCTL_ID`, "which namespace is it?"},
	{`NVME_IOCTL_ADMIN_CMD`, "nvme list and smart-log: identify, get log page"},
	{`DM_(VERSION|LIST_DEVICES|TABLE_STATUS|DEV_STATUS)`, "dmsetup table"},
}

var (
	openCall   = regexp.MustCompile(`^(?:open|openat|openat2|creat)\((?:[^"]*)"((?:[^"\\]|\\.)*)".*\b(?:O_WRONLY|O_RDWR|O_CREAT|O_TRUNC)\b`)
	refused    = regexp.MustCompile(`\) = -1 E[A-Z]+`)
	ioctlCall  = regexp.MustCompile(`^ioctl\([^,]*, ([^,)]+)`)
	writeCall  = regexp.MustCompile(`^(?:write|writev|pwrite64|sendfile|ftruncate|fallocate|fchmod|fchown)\(\d+<([^>]*)>`)
	changeCall = regexp.MustCompile(`^(mkdir|mkdirat|unlink|unlinkat|rmdir|rename|renameat|renameat2|link|linkat|symlink|symlinkat|mknod|mknodat|chmod|fchmodat|chown|lchown|fchownat|truncate|utimensat|setxattr|mount|umount2|init_module|finit_module|delete_module|reboot|swapon|swapoff|settimeofday|clock_settime|adjtimex|sethostname|iopl|ioperm|bpf|kexec_load|syslog)\(`)
)

// TestCollectChangesNothing follows every system call of a collect and of all
// commands that it runs.
func TestCollectChangesNothing(t *testing.T) {
	strace, err := exec.LookPath("strace")
	if err != nil {
		t.Skip("no strace")
	}
	for _, options := range [][]string{nil, {"--no-wake"}} {
		dir := t.TempDir()
		cmd := hwcapCommand(t)
		trace := filepath.Join(t.TempDir(), "trace")
		args := append([]string{"collect", "--timeout", "60s", "-o", filepath.Join(dir, "x.tar.gz")}, options...)
		cmd.Path = strace
		cmd.Args = append([]string{"strace", "-ff", "-y", "-s", "256", "-qq", "-e", "trace=%file,%desc,%network,%process,syslog,init_module,finit_module,delete_module,reboot,settimeofday,clock_settime,adjtimex,sethostname,iopl,ioperm,bpf,kexec_load",
			"-o", trace, linkToSelf(t)}, args...)
		if code, said := run(t, cmd); code != 0 && code != exitIncomplete {
			t.Skipf("strace cannot follow here: exit code %d, %s", code, said)
		}
		traces, err := filepath.Glob(trace + ".*") // one for each thread, so that no call is written in two parts
		if err != nil {
			t.Fatal(err)
		}
		calls, faults := 0, map[string]bool{}
		for _, name := range traces {
			for line := range strings.Lines(strings.ReplaceAll(readFile(t, name), dir, "DIR")) {
				calls++
				if changes(line) {
					faults[line] = true
				}
			}
		}
		if calls < 1000 {
			t.Errorf("%d system calls of a whole collect?", calls)
		}
		for call := range faults {
			t.Errorf("%v: %s", options, call)
		}
	}
}

// changes reports whether a system call, as strace writes it, changes anything
// that it may not.
func changes(call string) bool {
	matches := func(pattern, text string) bool { return regexp.MustCompile("^(?:" + pattern + ")$").MatchString(text) }
	writable := func(path string) bool {
		for _, m := range mayWrite {
			if matches(m.path, path) {
				return true
			}
		}
		return strings.HasPrefix(path, "pipe:[") || strings.HasPrefix(path, "anon_inode:") || strings.Contains(path, "socket:[") ||
			strings.HasPrefix(path, "UNIX") || strings.HasPrefix(path, "NETLINK")
	}
	if refused.MatchString(call) {
		return false // it changed nothing
	}
	if m := openCall.FindStringSubmatch(call); m != nil {
		return !writable(m[1]) && !writable(resultOf(call))
	}
	if m := ioctlCall.FindStringSubmatch(call); m != nil {
		return !slices.ContainsFunc(mayIoctl, func(i struct{ request, why string }) bool { return matches(i.request, m[1]) })
	}
	if m := writeCall.FindStringSubmatch(call); m != nil {
		return !writable(m[1])
	}
	if changeCall.MatchString(call) {
		return !slices.ContainsFunc(mayChange, func(c struct{ call, why string }) bool {
			return regexp.MustCompile("^" + c.call).MatchString(call)
		})
	}
	return false
}

// resultOf is the file that an open gave.
func resultOf(call string) string {
	_, result, _ := strings.Cut(call, ") = ")
	_, file, _ := strings.Cut(result, "<")
	file, _, _ = strings.Cut(file, ">")
	return file
}

func linkToSelf(t *testing.T) string {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(t.TempDir(), "hwcap") // the name by which TestMain knows what to run
	if err := os.Symlink(exe, link); err != nil {
		t.Fatal(err)
	}
	return link
}

// The judgement on system calls itself.
func TestChanges(t *testing.T) {
	for call, want := range map[string]bool{
		`openat(AT_FDCWD</>, "/sys/bus/pci/rescan", O_WRONLY) = 3</sys/bus/pci/rescan>`:                                      true,
		`openat(AT_FDCWD</>, "/sys/bus/pci/rescan", O_WRONLY) = -1 EACCES (Permission denied)`:                               false,
		`openat(AT_FDCWD</>, "/proc/version", O_RDONLY|O_CLOEXEC) = 3</proc/version>`:                                        false,
		`openat(AT_FDCWD</>, "/root/.cache/x", O_RDWR|O_CREAT, 0600) = 3</root/.cache/x>`:                                    true,
		`openat(AT_FDCWD</>, "DIR/x.tar.gz.part-1/archive", O_WRONLY|O_CREAT|O_EXCL, 0600) = 3<DIR/x.tar.gz.part-1/archive>`: false,
		`write(1<pipe:[77]>, "x", 1) = 1`:                  false,
		`write(3</sys/kernel/debug/x>, "1", 1) = 1`:        true,
		`ioctl(3<socket:[7]>, SIOCETHTOOL, 0x7ffd) = 0`:    false,
		`ioctl(3<socket:[7]>, SIOCSIFFLAGS, {}) = 0`:       true,
		`unlinkat(5<DIR/x.tar.gz.part-1>, "dmesg", 0) = 0`: false,
		`unlinkat(AT_FDCWD</>, "/etc/x", 0) = 0`:           true,
		`finit_module(3</lib/modules/x.ko>, "", 0) = 0`:    true,
	} {
		if got := changes(call); got != want {
			t.Errorf("%s: %v", call, got)
		}
	}
}
