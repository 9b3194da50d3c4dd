package capture

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// fakeTarget is a machine below a temporary folder whose only command beside
// the system's is testdata/bin/fake.
func fakeTarget(t *testing.T) *target {
	t.Helper()
	bin, err := filepath.Abs("testdata/bin")
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin+":/usr/bin:/bin")
	return &target{root: t.TempDir(), env: append(os.Environ(), "LC_ALL=de_DE.UTF-8", "LANG=de_DE.UTF-8")}
}

// put writes a file of the fake machine.
func (t *target) put(tb testing.TB, name, text string) {
	tb.Helper()
	file := t.path(name)
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		tb.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		tb.Fatal(err)
	}
}

// askAlone asks one source and returns its record and members.
func (t *target) askAlone(tb testing.TB, s Source) (Record, map[string]string) {
	tb.Helper()
	if s.Path == "" {
		s.Path = "cmd/" + s.Name + ".txt"
	}
	if s.Limit == 0 {
		s.Limit = time.Minute
	}
	if s.Cap == 0 {
		s.Cap = 1 << 20
	}
	if s.most == 0 {
		s.most = defaultMost
	}
	spool := &spool{tb.TempDir()}
	r := &round{target: t, spool: spool, slots: make(chan struct{}, 1), record: func() {}}
	s.Asks = ""
	entry, rec, err := r.one(context.Background(), &s, "")
	if err != nil {
		tb.Fatal(err)
	}
	return rec, contents(tb, entry)
}

func TestCommandStates(t *testing.T) {
	target := fakeTarget(t)
	code := func(n int) *int { return &n }
	tests := []struct {
		situation string
		source    Source
		state     State
		why       string
		exit      *int
		members   map[string]string
	}{
		{"answers in the C locale, with a remark on standard error", Source{run: "fake answer"}, Present, "", code(0),
			map[string]string{"cmd/x.txt": "lang=C \n", "cmd/x.err": "a remark\n"}},
		{"answers in the user's locale", Source{run: "fake answer", userTongue: true}, Present, "", code(0),
			map[string]string{"cmd/x.txt": "lang=de_DE.UTF-8 de_DE.UTF-8\n", "cmd/x.err": "a remark\n"}},
		{"says nothing", Source{run: "fake nothing"}, Empty, "", code(0), map[string]string{"cmd/x.txt": ""}},
		{"does not exist", Source{run: "no-such-command -v"}, Absent, "no such command: no-such-command", nil, map[string]string{}},
		{"an exit code is an answer", Source{run: "fake inactive", answers: []int{3}}, Present, "", code(3),
			map[string]string{"cmd/x.txt": "inactive\n"}},
		{"fails half way", Source{run: "fake broken"}, Failed, "exit code 5: fake: it broke", code(5),
			map[string]string{"cmd/x.txt": "half\n", "cmd/x.err": "fake: it broke\n"}},
		{"is killed by somebody else", Source{run: "fake killed"}, Failed, "signal: killed", nil, map[string]string{"cmd/x.txt": "half\n"}},
		{"is denied after a header", Source{run: "fake denied"}, Denied, "/dev/mem: Permission denied", code(1),
			map[string]string{"cmd/x.txt": "# header\n", "cmd/x.err": "/dev/mem: Permission denied\n"}},
		{"is denied with exit code 0", Source{run: "fake silent"}, Denied, "hint: insufficient permissions", code(0),
			map[string]string{"cmd/x.err": "hint: insufficient permissions\n"}},
		{"answers although a part was denied", Source{run: "fake partly"}, Present, "", code(0),
			map[string]string{"cmd/x.txt": "Capabilities: <access denied>\n", "cmd/x.err": "pcilib: operation not permitted\n"}},
		{"says that there is no hardware", Source{run: "fake none", absent: []string{"No sensors found"}}, Absent, "No sensors found!", code(1),
			map[string]string{"cmd/x.err": "No sensors found!\n"}},
		{"says that there are no entries", Source{run: "fake journal"}, Empty, "", code(0), map[string]string{"cmd/x.txt": "-- No entries --\n"}},
		{"is BusyBox's and knows no such option", Source{run: "fake busybox"}, Absent, "the command of BusyBox does not know these options", code(1),
			map[string]string{"cmd/x.err": "BusyBox v1.35.0 multi-call binary.\nUsage: fake\n"}},
		{"needs a file that is not there", Source{run: "fake answer", needs: "var/db"}, Absent, "stat /var/db: no such file or directory", nil, map[string]string{}},
		{"needs a file that is empty", Source{run: "fake answer", needs: "var/empty", filled: true}, Absent, "/var/empty is empty", nil, map[string]string{}},
		{"runs for each folder, but for names like options", Source{run: "fake name {}", each: "sys/class/net/*"}, Present, "", code(0),
			map[string]string{"cmd/x.txt": "name eth0\nname eth1\n"}},
		{"has no folder to run for", Source{run: "fake name {}", each: "sys/class/nvme/*"}, Absent, "nothing matches /sys/class/nvme/*", nil, map[string]string{}},
	}
	target.put(t, "var/empty", "")
	for _, name := range []string{"eth0", "eth1", "-E"} {
		target.put(t, "sys/class/net/"+name+"/mtu", "1500\n")
	}
	for _, tt := range tests {
		t.Run(tt.situation, func(t *testing.T) {
			tt.source.Name, tt.source.Kind = "x", Command
			rec, members := target.askAlone(t, tt.source)
			got := Record{State: rec.State, Why: rec.Why, Exit: rec.Exit}
			if diff := cmp.Diff(Record{State: tt.state, Why: tt.why, Exit: tt.exit}, got); diff != "" {
				t.Errorf("record (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tt.members, members); diff != "" {
				t.Errorf("members (-want +got):\n%s", diff)
			}
		})
	}
}

func TestCommandAtItsTimeLimitDiesWithItsChildren(t *testing.T) {
	target := fakeTarget(t)
	pids := filepath.Join(t.TempDir(), "pids")
	target.env = append(target.env, "PIDS="+pids)
	rec, members := target.askAlone(t, Source{Name: "x", Kind: Command, run: "fake hang", Limit: 2 * time.Second})
	if rec.State != TimedOut || rec.Why != "fake: stopped at its time limit of 2s" {
		t.Errorf("state %s, why %q", rec.State, rec.Why)
	}
	if members["cmd/x.txt"] != "first\n" {
		t.Errorf("what came before is not kept: %q", members)
	}
	assertGone(t, pids)
}

// A child that a command leaves behind with the output open must not hold the
// capture up, nor stay.
func TestCommandThatLeavesAChildBehind(t *testing.T) {
	target := fakeTarget(t)
	pids := filepath.Join(t.TempDir(), "pids")
	target.env = append(target.env, "PIDS="+pids)
	rec, members := target.askAlone(t, Source{Name: "x", Kind: Command, run: "fake orphan"})
	if rec.State != Present || members["cmd/x.txt"] != "done\n" {
		t.Errorf("state %s, why %q, members %q", rec.State, rec.Why, members)
	}
	assertGone(t, pids)
}

// TestCommandsDieWithHwcap kills a process, this test again, that waits for a
// command and for a load.
func TestCommandsDieWithHwcap(t *testing.T) {
	const pidsVar = "HWCAP_TEST_PIDS"
	target := fakeTarget(t)
	if pids := os.Getenv(pidsVar); pids != "" {
		target.env = append(target.env, "PIDS="+pids)
		if _, err := startLoad(&Watch{Command: []string{"testdata/bin/fake", "hold"}}, target.env, func() {}); err != nil {
			t.Fatal(err)
		}
		target.askAlone(t, Source{Name: "x", Kind: Command, run: "fake hold"})
		return
	}
	pids := filepath.Join(t.TempDir(), "pids")
	cmd := exec.Command(os.Args[0], "-test.run=^TestCommandsDieWithHwcap$")
	cmd.Env = append(os.Environ(), pidsVar+"="+pids)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for try := 0; ; try++ {
		text, _ := os.ReadFile(pids)
		if strings.Count(string(text), "\n") == 2 {
			break
		}
		if try == 1000 {
			cmd.Process.Kill()
			t.Fatalf("the commands did not start: %q", text)
		}
		time.Sleep(20 * time.Millisecond)
	}
	cmd.Process.Kill()
	cmd.Wait()
	assertGone(t, pids)
}

// assertGone fails if a process of a file of process numbers still runs.
func assertGone(t *testing.T, pids string) {
	t.Helper()
	text, err := os.ReadFile(pids)
	if err != nil {
		t.Fatal(err)
	}
	for _, word := range strings.Fields(string(text)) {
		var pid int
		fmt.Sscan(word, &pid)
		for try := 0; running(pid); try++ {
			if try == 100 {
				syscall.Kill(pid, syscall.SIGKILL)
				t.Fatalf("process %d still runs", pid)
			}
			time.Sleep(20 * time.Millisecond)
		}
	}
}

// running reports whether a process runs; one that is dead but not yet reaped
// by its parent does not.
func running(pid int) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return false
	}
	_, after, _ := strings.Cut(string(stat), ") ")
	return !strings.HasPrefix(after, "Z")
}

func TestCommandAtItsCap(t *testing.T) {
	target := fakeTarget(t)
	rec, members := target.askAlone(t, Source{Name: "x", Kind: Command, run: "fake flood", Cap: 1000})
	if rec.State != Truncated || rec.Bytes != 1000 || len(members["cmd/x.txt"]) != 1000 {
		t.Errorf("state %s, why %q, %d bytes, member of %d", rec.State, rec.Why, rec.Bytes, len(members["cmd/x.txt"]))
	}
}
