package capture

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// putLink writes the link files of a function.
func (t *target) putLink(tb testing.TB, address, power, speed, width string) {
	tb.Helper()
	dir := "sys/bus/pci/devices/" + address + "/"
	t.put(tb, dir+"power_state", power+"\n")
	t.put(tb, dir+"current_link_speed", speed+"\n")
	t.put(tb, dir+"current_link_width", width+"\n")
}

// watchLinks samples the links of a target alone.
func watchLinks(t *testing.T, target *target, w Watch) (Record, []string) {
	t.Helper()
	s := row(t, "links")
	s.watch, s.Limit = &w, time.Minute
	rec, members := target.askAlone(t, s)
	return rec, strings.Split(strings.TrimSuffix(members["samples/links.jsonl"], "\n"), "\n")
}

func decode(t *testing.T, line string) (s sample) {
	t.Helper()
	if err := json.Unmarshal([]byte(line), &s); err != nil {
		t.Fatalf("%s: %v", line, err)
	}
	return s
}

func TestLinksHeadAndStates(t *testing.T) {
	target := fakeTarget(t)
	target.putLink(t, "0000:00:01.0", "D0", "16.0 GT/s PCIe", "16")
	target.putLink(t, "0000:01:00.0", "D0", "2.5 GT/s", "8") // as before Linux 5.8
	target.putLink(t, "0000:02:00.0", "D3hot", "8.0 GT/s PCIe", "4")
	target.putLink(t, "0000:03:00.0", "D0", "Unknown", "0")
	target.putLink(t, "0000:04:00.1", "D0", "8.0 GT/s PCIe", "8")
	target.link(t, "sys/bus/pci/devices/0000:04:00.1/physfn", "../0000:04:00.0")
	target.put(t, "sys/bus/pci/devices/0000:05:00.0/power_state", "D0\n") // not PCIe
	target.putLink(t, "0000:06:00.0", "", "32.0 GT/s PCIe", "2")          // before Linux 5.11
	os.Remove(target.path("sys/bus/pci/devices/0000:06:00.0/power_state"))
	target.put(t, "sys/bus/pci/devices/0000:06:00.0/power/runtime_status", "active\n")

	rec, lines := watchLinks(t, target, Watch{For: time.Millisecond})
	if rec.State != Present || rec.Why != "" || rec.Exit != nil {
		t.Errorf("record %+v", rec)
	}
	want := []string{
		`{"command":null,"interval":0.05,"unit":{"t":"s","speed":"GT/s","width":"lanes"}}`,
		`{"t":0,"address":"0000:00:01.0","speed":16,"width":16}`,
		`{"t":0,"address":"0000:01:00.0","speed":2.5,"width":8}`,
		`{"t":0,"address":"0000:03:00.0","width":0}`,
		`{"t":0,"address":"0000:06:00.0","speed":32,"width":2}`,
	}
	if diff := cmp.Diff(want, lines); diff != "" {
		t.Errorf("lines (-want +got):\n%s", diff)
	}
}

// The load raises the link, as a graphics card's does, and lets it fall asleep
// at the end.
func TestLinksUnderLoad(t *testing.T) {
	target := fakeTarget(t)
	target.putLink(t, "0000:01:00.0", "D0", "2.5 GT/s PCIe", "16")
	target.putLink(t, "0000:02:00.0", "D0", "8.0 GT/s PCIe", "4")
	script := `cd "$1"; sleep 0.2; echo 16.0 GT/s PCIe > current_link_speed; sleep 0.3; echo D3cold > power_state
		echo 2.5 GT/s PCIe > current_link_speed; sleep 0.2; echo done >&2; exit 3`
	var said bytes.Buffer
	rec, lines := watchLinks(t, target, Watch{
		For:     time.Minute,
		Command: []string{"sh", "-c", script, "load", target.path("sys/bus/pci/devices/0000:01:00.0")},
		Output:  &said,
	})
	if rec.State != Present || rec.Exit == nil || *rec.Exit != 3 || !strings.HasPrefix(rec.Why, "sh: exit code 3 after ") {
		t.Errorf("record %+v", rec)
	}
	if said.String() != "done\n" {
		t.Errorf("the load said %q", said.String())
	}
	var head samplesHead
	if err := json.Unmarshal([]byte(lines[0]), &head); err != nil || len(head.Command) != 5 || head.Command[0] != "sh" {
		t.Errorf("first line %s: %v", lines[0], err)
	}
	of := map[string][]sample{}
	for _, line := range lines[1:] {
		s := decode(t, line)
		of[s.Address] = append(of[s.Address], s)
	}
	card := of["0000:01:00.0"]
	if len(card) != 3 || card[0].Speed != 2.5 || card[1].Speed != 16 || card[2].Speed != 16 {
		t.Errorf("the card: %+v", card)
	}
	for _, list := range of {
		for i := 1; i < len(list); i++ {
			if list[i].T <= list[i-1].T {
				t.Errorf("not in order of time: %+v", list)
			}
		}
	}
	// The other never changed: its first reading and its last.
	if other := of["0000:02:00.0"]; len(other) != 2 || other[0].T != 0 || other[1].T <= card[2].T {
		t.Errorf("the other: %+v, the card %+v", other, card)
	}
}

func TestLinksEnds(t *testing.T) {
	target := fakeTarget(t)
	link := "sys/bus/pci/devices/0000:01:00.0/"
	target.putLink(t, "0000:01:00.0", "D0", "8.0 GT/s PCIe", "4")
	script := filepath.Join(t.TempDir(), "not-a-program")
	if err := os.WriteFile(script, []byte("\x7fELF"), 0o755); err != nil {
		t.Fatal(err)
	}
	code := func(n int) *int { return &n }
	tests := []struct {
		situation string
		watch     Watch
		state     State
		why       string
		exit      *int
	}{
		{"the load outlasts its time", Watch{For: 200 * time.Millisecond, Command: []string{"sleep", "1000"}}, Present, "sleep: stopped after ", nil},
		{"the load ends at once", Watch{For: time.Minute, Command: []string{"true"}}, Present, "true: exit code 0 after ", code(0)},
		{"the load dies", Watch{For: time.Minute, Command: []string{"sh", "-c", "kill -SEGV $$"}}, Present, "sh: signal: segmentation fault", code(139)},
		{"the load cannot be started", Watch{For: time.Minute, Command: []string{script}}, Failed, "cannot run the load: ", nil},
	}
	for _, tt := range tests {
		t.Run(tt.situation, func(t *testing.T) {
			rec, lines := watchLinks(t, target, tt.watch)
			if diff := cmp.Diff(tt.exit, rec.Exit); diff != "" {
				t.Errorf("exit code (-want +got):\n%s", diff)
			}
			if rec.State != tt.state || !strings.HasPrefix(rec.Why, tt.why) {
				t.Errorf("state %s, why %q", rec.State, rec.Why)
			}
			if tt.state == Present && len(lines) < 2 {
				t.Errorf("lines %q", lines)
			}
		})
	}
	t.Run("nothing is awake", func(t *testing.T) {
		target.put(t, link+"power_state", "D3hot\n")
		rec, lines := watchLinks(t, target, Watch{For: time.Millisecond})
		if rec.State != Empty || rec.Why != "no function was awake" || len(lines) != 1 {
			t.Errorf("state %s, why %q, lines %q", rec.State, rec.Why, lines)
		}
	})
	t.Run("no PCIe", func(t *testing.T) {
		marker := filepath.Join(t.TempDir(), "ran")
		rec, _ := watchLinks(t, fakeTarget(t), Watch{For: time.Minute, Command: []string{"touch", marker}})
		if rec.State != Absent || rec.Why != "no function here has a PCIe link; touch did not run" || rec.SHA256 != "" {
			t.Errorf("record %+v", rec)
		}
		if _, err := os.Stat(marker); err == nil {
			t.Error("the load ran all the same")
		}
	})
	t.Run("a read hangs", func(t *testing.T) {
		hung := fakeTarget(t)
		hung.putLink(t, "0000:01:00.0", "D0", "8.0 GT/s PCIe", "4")
		os.Remove(hung.path(link + "current_link_speed"))
		if err := syscall.Mkfifo(hung.path(link+"current_link_speed"), 0o600); err != nil {
			t.Fatal(err)
		}
		if rec, _ := watchLinks(t, hung, Watch{For: time.Millisecond}); rec.State != TimedOut {
			t.Errorf("state %s, why %q", rec.State, rec.Why)
		}
	})
}

// What the load started goes with it, even what ignores a kind request.
func TestLinksLeaveNoChildren(t *testing.T) {
	target := fakeTarget(t)
	target.putLink(t, "0000:01:00.0", "D0", "8.0 GT/s PCIe", "4")
	for situation, script := range map[string]string{
		"at the end of the time": `trap "" TERM; sleep 1000 & echo $! > "$1"; wait`,
		"at the end of the load": `trap "" TERM; sleep 1000 & echo $! > "$1"`,
	} {
		t.Run(situation, func(t *testing.T) {
			pidFile := filepath.Join(t.TempDir(), "pid")
			watchLinks(t, target, Watch{For: 500 * time.Millisecond, Command: []string{"sh", "-c", script, "load", pidFile}})
			pid, err := os.ReadFile(pidFile)
			if err != nil {
				t.Fatal(err)
			}
			for lives := true; lives; time.Sleep(10 * time.Millisecond) { // until the test's own time is over
				stat, err := os.ReadFile("/proc/" + strings.TrimSpace(string(pid)) + "/stat")
				lives = err == nil && !bytes.Contains(stat, []byte(") Z ")) // a zombie waits for its new parent
			}
		})
	}
}

func TestCollectSamplesLinksLast(t *testing.T) {
	target := hanging(t)
	target.putLink(t, "0000:01:00.0", "D0", "8.0 GT/s PCIe", "4")
	var names []string
	var left []time.Duration
	result, err := target.collect(t.Context(), Options{
		Output: filepath.Join(t.TempDir(), "x.tar"), Select: filesOnly, Total: time.Second, Timeout: time.Second,
		Progress: func(_, _ int, name string) { names = append(names, name) },
		Watch:    Watch{For: 2500 * time.Millisecond, Left: func(d time.Duration) { left = append(left, d) }},
	})
	if err != nil {
		t.Fatal(err)
	}
	if last := names[len(names)-1]; last != "links" {
		t.Errorf("the last source was %s", last)
	}
	r := result.Manifest.Sources[len(result.Manifest.Sources)-1]
	if r.Name != "links" || r.State != Present || r.Bytes == 0 || r.SHA256 == "" {
		t.Errorf("its own time is not on top of the others': %+v", r)
	}
	if len(left) != 2 || left[0] <= left[1] {
		t.Errorf("counted down %v", left)
	}
}

func TestCollectLinksUnasked(t *testing.T) {
	target := fakeTarget(t)
	target.putLink(t, "0000:01:00.0", "D0", "8.0 GT/s PCIe", "4")
	result, err := target.collect(t.Context(), Options{Output: filepath.Join(t.TempDir(), "x.tar"), Select: filesOnly})
	if err != nil {
		t.Fatal(err)
	}
	if r := result.Manifest.Sources[len(result.Manifest.Sources)-1]; r.Name != "links" || r.State != NotAsked || r.Why != "only with --watch-links" {
		t.Errorf("record %+v", r)
	}
}

func TestCollectLinksInterrupted(t *testing.T) {
	dir := t.TempDir()
	target := fakeTarget(t)
	target.putLink(t, "0000:01:00.0", "D0", "8.0 GT/s PCIe", "4")
	ctx, cancel := context.WithCancel(t.Context())
	_, err := target.collect(ctx, Options{
		Output: filepath.Join(dir, "x.tar"), Select: filesOnly,
		Watch: Watch{For: time.Hour, Command: []string{"sleep", "1000"}, Left: func(time.Duration) { cancel() }},
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	assertOnly(t, dir)
}

func TestCollectWithoutTheLoad(t *testing.T) {
	dir := t.TempDir()
	_, err := fakeTarget(t).collect(t.Context(), Options{
		Output: filepath.Join(dir, "x.tar"), Select: filesOnly, Watch: Watch{For: time.Second, Command: []string{"no-such-load"}},
	})
	if !errors.Is(err, ErrLoad) {
		t.Errorf("error %v", err)
	}
	assertOnly(t, dir)
}
