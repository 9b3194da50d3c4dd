package capture

import (
	"bytes"
	"context"
	"os"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// describe returns a manifest with all that is known of the machine and the
// user before the first source is asked.
func (t *target) describe(ctx context.Context) Manifest {
	var u unix.Utsname
	unix.Uname(&u) // fails only for a bad address
	return Manifest{
		Schema:    Schema,
		Host:      unix.ByteSliceToString(u.Nodename[:]),
		Kernel:    unix.ByteSliceToString(u.Release[:]),
		Arch:      unix.ByteSliceToString(u.Machine[:]),
		Container: t.container(ctx),
		UID:       os.Geteuid(),
		Caps:      t.capabilities(ctx),
		Locale:    t.locale(),
		Timezone:  t.timezone(),
		Boot:      t.line(ctx, "proc/sys/kernel/random/boot_id"),
	}
}

func kernelRelease() string {
	var u unix.Utsname
	unix.Uname(&u)
	return unix.ByteSliceToString(u.Release[:])
}

// getenv returns a variable of the user's environment.
func (t *target) getenv(name string) string {
	for _, v := range t.env {
		if value, ok := strings.CutPrefix(v, name+"="); ok {
			return value
		}
	}
	return ""
}

// locale returns the locale of messages: the first of the variables that is
// set, as setlocale(3) decides.
func (t *target) locale() string {
	for _, name := range []string{"LC_ALL", "LC_MESSAGES", "LANG"} {
		if v := t.getenv(name); v != "" {
			return v
		}
	}
	return ""
}

func (t *target) timezone() string {
	if tz := t.getenv("TZ"); tz != "" {
		return strings.TrimPrefix(tz, ":")
	}
	if to, err := os.Readlink(t.path("etc/localtime")); err == nil {
		if _, zone, ok := strings.Cut(to, "/zoneinfo/"); ok {
			return zone
		}
	}
	name, offset := time.Now().Zone()
	if name == "" {
		return strconv.Itoa(offset)
	}
	return name
}

// capabilities returns the effective capabilities of this process as the
// kernel prints them.
func (t *target) capabilities(ctx context.Context) string {
	data, _ := t.read(ctx, "proc/self/status", 64<<10)
	for line := range bytes.Lines(data) {
		if value, ok := bytes.CutPrefix(line, []byte("CapEff:")); ok {
			return string(bytes.TrimSpace(value))
		}
	}
	return ""
}

// containerMarks are files that tell a container from a machine: one that is
// there, or that holds a word.
var containerMarks = []struct{ file, word, kind string }{
	{".dockerenv", "", "docker"},
	{"run/.containerenv", "", "podman"},
	{"run/systemd/container", "systemd-nspawn", "systemd-nspawn"},
	{"run/systemd/container", "lxc", "lxc"},
	{"proc/1/cgroup", "kubepods", "kubernetes"},
	{"proc/1/cgroup", "docker", "docker"},
	{"proc/1/cgroup", "libpod", "podman"},
	{"proc/1/cgroup", "lxc", "lxc"},
	{"proc/1/environ", "container=lxc", "lxc"},
	{"proc/1/environ", "container=", "container"},
}

// container returns the kind of container that this is, or "".
func (t *target) container(ctx context.Context) string {
	for _, mark := range containerMarks {
		data, err := t.read(ctx, mark.file, 64<<10)
		if err == nil && bytes.Contains(data, []byte(mark.word)) {
			return mark.kind
		}
	}
	return ""
}

// Nice lowers the priority of this process and of the commands it will run.
// Linux keeps the value for each thread; new ones take it from their maker.
func Nice() {
	const lower = 10
	tasks, _ := os.ReadDir("/proc/self/task")
	for _, task := range tasks {
		if tid, err := strconv.Atoi(task.Name()); err == nil {
			unix.Setpriority(unix.PRIO_PROCESS, tid, lower)
		}
	}
}
