package capture

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"
)

const (
	stderrCap = 64 << 10
	// reapTime is how long a killed command may take to go. One that is stuck
	// in the kernel is given up after it.
	reapTime = 2 * time.Second
)

// deniedWords are how commands say that they may not.
var deniedWords = []string{"permission denied", "operation not permitted", "insufficient permissions",
	"access denied", "must be root", "need to be root", "are you root"}

// collectCommand runs a command, or one for each match of the row's folders
// with all their output in one member.
func (t *target) collectCommand(ctx context.Context, s *Source, out *entry) outcome {
	argvs, asleep, end := t.argvs(ctx, s)
	if len(argvs) == 0 {
		return end
	}
	program, err := lookPath(argvs[0][0])
	if err != nil {
		return outcome{state: Absent, why: "no such command: " + argvs[0][0]}
	}
	out.begin(s.Path)
	stderr := &firstBytes{room: stderrCap}
	var worst outcome
	for _, argv := range argvs {
		o := t.runOne(ctx, s, program, argv, out, stderr)
		if worst.state == "" || worst.state == Present && o.state != Present {
			worst = o
		}
		if o.state == TimedOut || o.state == Truncated {
			break
		}
	}
	if worst.state != Present && worst.state != Empty {
		out.dropEmpty() // nothing on standard output is then no answer
	}
	if len(asleep) > 0 {
		worst.why = strings.TrimPrefix(worst.why+"; "+leftAsleep(asleep), "; ")
	}
	if text := stderr.bytes(); len(text) > 0 {
		out.aside(strings.TrimSuffix(s.Path, ".txt")+".err", text)
	}
	return worst
}

// argvs returns the commands of a source with their arguments, and the PCI
// functions that they leave out so as not to wake them. Where there is nothing
// to run, end says why.
func (t *target) argvs(ctx context.Context, s *Source) (argvs [][]string, asleep []string, end outcome) {
	switch {
	case s.slot != "" && t.noWake:
		if asleep = t.asleep(ctx, anyClass); len(asleep) == 0 {
			break
		}
		functions, err := t.names(ctx, linkFolder, "*")
		if err != nil {
			return nil, nil, failure(err)
		}
		for _, slot := range slots(functions, asleep) {
			argvs = append(argvs, append(strings.Fields(s.run), s.slot, slot))
		}
		return argvs, asleep, outcome{state: NotAsked, why: "everything sleeps; " + leftAsleep(asleep)}
	case s.each != "":
		dirs, err := t.expand(ctx, s.each)
		for _, dir := range dirs {
			// A name that looks like an option would be taken for one.
			if name := path.Base(dir); !strings.HasPrefix(name, "-") {
				argvs = append(argvs, strings.Fields(strings.ReplaceAll(s.run, "{}", name)))
			}
		}
		if err != nil {
			return argvs, nil, failure(err)
		}
		return argvs, nil, outcome{state: Absent, why: "nothing matches /" + s.each}
	}
	return [][]string{strings.Fields(s.run)}, nil, outcome{}
}

// runOne runs one command to its end, its time limit or its size cap.
func (t *target) runOne(ctx context.Context, s *Source, program string, argv []string, out *entry, stderr *firstBytes) outcome {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	cmd := exec.CommandContext(ctx, program, argv[1:]...)
	cmd.Args[0] = argv[0]
	cmd.Dir = "/"
	cmd.Env = commandEnv(t.env, s.userTongue)
	cmd.Stdout = writerFunc(func(p []byte) (int, error) {
		n, err := out.Write(p)
		if err != nil {
			stop(err) // kills the command at its cap
		}
		return n, err
	})
	cmd.Stderr = stderr
	cmd.SysProcAttr = childAttr()
	kill := func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.Cancel = kill
	cmd.WaitDelay = reapTime / 2

	out.mark()
	if err := cmd.Start(); err != nil {
		return failure(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	var err error
	select {
	case err = <-ended:
	case <-ctx.Done():
		select {
		case err = <-ended:
		case <-time.After(reapTime):
			return outcome{state: TimedOut, why: fmt.Sprintf("%s: %v, and it cannot be killed; %s", argv[0], context.Cause(ctx), whereStuck(cmd.Process.Pid))}
		}
	}
	if cause := context.Cause(ctx); cause != nil {
		return outcome{state: stateOf(cause), why: fmt.Sprintf("%s: stopped at its %v", argv[0], cause)}
	}
	if errors.Is(err, exec.ErrWaitDelay) {
		kill() // a child that outlived the command holds its output open
	}
	size, head := out.sinceMark()
	return s.judge(cmd.ProcessState, err, size, head, string(stderr.bytes()))
}

// childAttr puts a command into a process group of its own, so that it can be
// ended with all its children, and lets it die with hwcap, also where hwcap is
// killed. The kernel sends that signal when the thread ends that started the
// command (PR_SET_PDEATHSIG(2const)); Go ends a thread before the process only
// with a goroutine that is locked to it, and none here ends so.
func childAttr() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// judge tells the state of a command that ended by itself from its exit code
// and what it wrote: size bytes beginning with head, and stderr.
func (s *Source) judge(ps *os.ProcessState, err error, size int64, head, stderr string) outcome {
	code := ps.ExitCode()
	o := outcome{state: Present, exit: &code}
	answered := code == 0 || slices.Contains(s.answers, code)
	nothing := size == 0 || head == "-- No entries --\n" // journalctl's way to say it
	says := func(text string, words ...string) bool {
		return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(text, w) })
	}
	switch {
	case says(stderr, s.absent...) || code != 0 && says(head, s.absent...):
		o.state, o.why = Absent, firstLine(stderr, head)
	case (!answered || nothing) && says(strings.ToLower(stderr), deniedWords...):
		o.state, o.why = Denied, lineWith(stderr, deniedWords)
	case !answered && says(stderr, "BusyBox v"), code == 127 && says(stderr, "applet not found"):
		o.state, o.why = Absent, "the command of BusyBox does not know these options"
	case code < 0:
		o.state, o.why, o.exit = Failed, err.Error(), nil // ended by a signal
	case !answered:
		o.state, o.why = Failed, fmt.Sprintf("exit code %d: %s", code, firstLine(stderr, head))
	case nothing:
		o.state = Empty
	}
	return o
}

// firstLine returns the first line that is not empty, of the first text that
// has one, shortened.
func firstLine(texts ...string) string {
	for _, text := range texts {
		for line := range strings.Lines(text) {
			if line = strings.TrimSpace(line); line != "" {
				return shorten(line)
			}
		}
	}
	return "no message"
}

// lineWith returns the first line that holds one of the lower case words.
func lineWith(text string, words []string) string {
	for line := range strings.Lines(text) {
		for _, w := range words {
			if strings.Contains(strings.ToLower(line), w) {
				return shorten(strings.TrimSpace(line))
			}
		}
	}
	return firstLine(text)
}

func shorten(line string) string {
	const most = 200
	if len(line) > most {
		line = line[:most] + "..."
	}
	return strings.ToValidUTF8(line, "\uFFFD")
}

// systemFolders hold what ordinary users often lack in PATH.
var systemFolders = []string{"/usr/local/sbin", "/usr/sbin", "/sbin"}

// lookPath finds a program in PATH and in the system folders.
func lookPath(name string) (string, error) {
	program, err := exec.LookPath(name)
	for _, dir := range systemFolders {
		if err == nil {
			break
		}
		program, err = exec.LookPath(filepath.Join(dir, name))
	}
	return program, err
}

// commandEnv returns the environment of a command: the user's, in the C locale
// unless its own is asked for, without colours and pagers.
func commandEnv(env []string, userTongue bool) []string {
	var kept []string
	if !slices.ContainsFunc(env, func(v string) bool { return strings.HasPrefix(v, "PATH=") }) {
		env = append([]string{"PATH=/usr/bin:/bin"}, env...)
	}
	for _, v := range env {
		name, value, _ := strings.Cut(v, "=")
		switch {
		case name == "PATH":
			v = "PATH=" + value + ":" + strings.Join(systemFolders, ":")
		case !userTongue && (strings.HasPrefix(name, "LC_") || name == "LANG" || name == "LANGUAGE"):
			continue
		}
		kept = append(kept, v)
	}
	if !userTongue {
		kept = append(kept, "LC_ALL=C")
	}
	return append(kept, "SYSTEMD_COLORS=0", "NO_COLOR=1", "PAGER=cat")
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

// firstBytes keeps the first room bytes that are written to it and takes the
// rest without keeping it.
type firstBytes struct {
	mu   sync.Mutex
	kept []byte
	room int
}

func (f *firstBytes) Write(p []byte) (int, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.kept = append(f.kept, p[:min(len(p), f.room-len(f.kept))]...)
	return len(p), nil
}

func (f *firstBytes) bytes() []byte {
	f.mu.Lock()
	defer f.mu.Unlock()
	return bytes.Clone(f.kept)
}
