package capture

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func (t *target) link(tb testing.TB, name, to string) {
	tb.Helper()
	if err := os.Symlink(to, t.path(name)); err != nil {
		tb.Fatal(err)
	}
}

// fakePCI makes two functions: one with a driver, one in the middle of nothing.
func fakePCI(tb testing.TB, t *target) {
	t.put(tb, "sys/devices/pci0000:00/0000:00:01.0/vendor", "0x8086\n")
	t.put(tb, "sys/devices/pci0000:00/0000:00:01.0/power_state", "D0\n")
	t.put(tb, "sys/devices/pci0000:00/0000:00:01.0/power/runtime_status", "active\n")
	t.put(tb, "sys/devices/pci0000:00/0000:00:01.0/link/l1_aspm", "1\n")
	t.put(tb, "sys/devices/pci0000:00/0000:00:01.0/rom", "not to be read")
	t.link(tb, "sys/devices/pci0000:00/0000:00:01.0/driver", "../../../bus/pci/drivers/nvme")
	t.link(tb, "sys/devices/pci0000:00/0000:00:01.0/subsystem", "../../../bus/pci")
	t.put(tb, "sys/devices/pci0000:00/0000:00:02.0/power_state", "D3cold\n")
	t.put(tb, "sys/bus/pci/devices/.keep", "")
	os.Remove(t.path("sys/bus/pci/devices/.keep"))
	t.link(tb, "sys/bus/pci/devices/0000:00:02.0", "../../../devices/pci0000:00/0000:00:02.0")
	t.link(tb, "sys/bus/pci/devices/0000:00:01.0", "../../../devices/pci0000:00/0000:00:01.0")
}

func row(tb testing.TB, name string) Source {
	tb.Helper()
	rows := Sources()
	i := slices.IndexFunc(rows, func(s Source) bool { return s.Name == name })
	if i < 0 {
		tb.Fatalf("no source %q", name)
	}
	return rows[i]
}

func TestTreeOfPCI(t *testing.T) {
	target := fakeTarget(t)
	fakePCI(t, target)
	rec, members := target.askAlone(t, row(t, "pci"))
	if rec.State != Present || rec.Why != "" {
		t.Errorf("state %s, why %q", rec.State, rec.Why)
	}
	const dir = "sys/bus/pci/devices/"
	want := map[string]string{
		dir + ".list": "0000:00:01.0 -> ../../../devices/pci0000:00/0000:00:01.0\n" +
			"0000:00:02.0 -> ../../../devices/pci0000:00/0000:00:02.0\n",
		dir + "0000:00:01.0/.list":                "driver -> ../../../bus/pci/drivers/nvme\n",
		dir + "0000:00:01.0/vendor":               "0x8086\n",
		dir + "0000:00:01.0/power_state":          "D0\n",
		dir + "0000:00:01.0/power/runtime_status": "active\n",
		dir + "0000:00:01.0/link/l1_aspm":         "1\n",
		dir + "0000:00:02.0/.list":                "",
		dir + "0000:00:02.0/power_state":          "D3cold\n",
	}
	if diff := cmp.Diff(want, members); diff != "" {
		t.Errorf("members (-want +got):\n%s", diff)
	}
}

// Sources that ask a device wait until the power state of every device is in.
func TestPowerStateComesFirst(t *testing.T) {
	target := fakeTarget(t)
	fakePCI(t, target)
	entry, err := (&spool{t.TempDir()}).create("pci", 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	s := row(t, "pci")
	var before []string
	recorded := func() {
		if before == nil {
			for _, m := range entry.members {
				before = append(before, m.name)
			}
		}
	}
	target.collectTree(context.Background(), &s, entry, recorded)
	want := []string{
		"sys/bus/pci/devices/.list",
		"sys/bus/pci/devices/0000:00:01.0/power_state",
		"sys/bus/pci/devices/0000:00:01.0/power/runtime_status",
		"sys/bus/pci/devices/0000:00:02.0/power_state",
	}
	if diff := cmp.Diff(want, before); diff != "" {
		t.Errorf("read before all else (-want +got):\n%s", diff)
	}
}

func TestTreeStates(t *testing.T) {
	target := fakeTarget(t)
	target.put(t, "full/a/x", "1\n")
	target.put(t, "full/b/x", "2\n")
	target.put(t, "full/b/bad\nname", "3\n")
	if err := os.MkdirAll(target.path("hollow"), 0o755); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		situation string
		picks     []pick
		cap       int64
		state     State
		members   []string
	}{
		{"files and listings", []pick{{dir: "full", list: "*"}, {dir: "full/*", files: "x y"}}, 100, Present, []string{"full/.list", "full/a/x", "full/b/x"}},
		{"a folder that is there and empty", []pick{{dir: "hollow", list: "*"}}, 100, Empty, []string{"hollow/.list"}},
		{"nothing there", []pick{{dir: "no", list: "*"}, {dir: "no/*", files: "x"}}, 100, Absent, nil},
		{"a folder without the files", []pick{{dir: "full", files: "x y*"}}, 100, Absent, nil},
		{"a name that cannot stand in a capture", []pick{{dir: "full/b", files: "*"}}, 100, Present, []string{"full/b/x"}},
		{"the cap", []pick{{dir: "full/*", files: "x"}}, 3, Truncated, []string{"full/a/x", "full/b/x"}},
	}
	for _, tt := range tests {
		t.Run(tt.situation, func(t *testing.T) {
			rec, members := target.askAlone(t, Source{Name: "x", Kind: Tree, Path: "full", Cap: tt.cap, picks: tt.picks})
			if rec.State != tt.state {
				t.Errorf("state %s (%s), want %s", rec.State, rec.Why, tt.state)
			}
			if diff := cmp.Diff(tt.members, slices.Sorted(maps.Keys(members))); diff != "" {
				t.Errorf("members (-want +got):\n%s", diff)
			}
		})
	}
}

func TestTreeCountsWhatItCannotRead(t *testing.T) {
	self := &target{root: "/proc/self"}
	// A process has nothing mapped at address 0: reading mem there fails.
	rec, members := self.askAlone(t, Source{Name: "x", Kind: Tree, Path: "task", picks: []pick{{dir: "attr/..", files: "comm mem"}}})
	if rec.State != Present || rec.Why != "1 of 2 files could not be read: I/O error 1" || len(members) != 1 {
		t.Errorf("state %s, why %q, members %q", rec.State, rec.Why, members)
	}
}

func TestTreeTally(t *testing.T) {
	denied := &fs.PathError{Op: "open", Path: "/a", Err: syscall.EACCES}
	c := treeCopy{out: &entry{bytes: 1}, read: 2508, short: 2, unread: []error{denied, &fs.PathError{Op: "read", Path: "/b", Err: syscall.EIO}, denied}}
	got := c.outcome()
	want := outcome{state: Present, why: "3 of 2511 files could not be read: denied 2, I/O error 1; 2 configuration spaces end early, as for an ordinary user"}
	if got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	c = treeCopy{out: &entry{}, unread: []error{denied}}
	if got := c.outcome(); got.state != Denied {
		t.Errorf("nothing but denials: %+v", got)
	}
	c = treeCopy{out: &entry{bytes: 1}, read: 1, unread: []error{errors.Join(errLimit)}}
	if got := c.outcome(); got.state != TimedOut || !strings.Contains(got.why, "timed out 1") {
		t.Errorf("a file that hangs: %+v", got)
	}
}

func TestFileStates(t *testing.T) {
	target := fakeTarget(t)
	target.put(t, "proc/full", "text\n")
	target.put(t, "proc/empty", "")
	if err := syscall.Mkfifo(target.path("proc/hangs"), 0o600); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		path  string
		cap   int64
		state State
		why   string
		want  string
	}{
		{"proc/full", 100, Present, "", "text\n"},
		{"proc/full", 3, Truncated, "cut after 3 bytes", "tex"},
		{"proc/empty", 100, Empty, "", ""},
		{"proc/none", 100, Absent, "open /proc/none: no such file or directory", ""},
		{"proc/hangs", 100, TimedOut, "read /proc/hangs: time limit of 50ms", ""},
		{"proc", 100, Failed, "read /proc: is a directory", ""},
	}
	for _, tt := range tests {
		t.Run(tt.path, func(t *testing.T) {
			limit := time.Minute
			if tt.state == TimedOut {
				limit = 50 * time.Millisecond
			}
			rec, members := target.askAlone(t, Source{Name: "x", Kind: File, Path: tt.path, Cap: tt.cap, Limit: limit})
			if rec.State != tt.state || rec.Why != tt.why || members[tt.path] != tt.want {
				t.Errorf("state %s, why %q, members %q", rec.State, rec.Why, members)
			}
		})
	}
}

func TestStateOf(t *testing.T) {
	for err, want := range map[error]State{
		syscall.ENOENT: Absent, syscall.ENODEV: Absent, syscall.ENXIO: Absent, syscall.EPROTONOSUPPORT: Absent, syscall.EOPNOTSUPP: Absent,
		syscall.EACCES: Denied, syscall.EPERM: Denied, syscall.EIO: Failed, syscall.EINVAL: Failed, errTotal: TimedOut, errFull: Truncated,
	} {
		if got := stateOf(&fs.PathError{Op: "read", Path: "x", Err: err}); got != want {
			t.Errorf("%v: %s, want %s", err, got, want)
		}
	}
}
