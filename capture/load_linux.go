package capture

import (
	"errors"
	"fmt"
	"os/exec"
	"syscall"
	"time"
)

// load is the command of a Watch while it runs.
type load struct {
	name  string
	cmd   *exec.Cmd
	begin time.Time
	ended chan struct{}
	took  time.Duration // until it ended
}

// startLoad starts the command of w and calls ended at its end. It has a
// process group of its own: it can be ended with its children, and an interrupt
// at the terminal reaches hwcap alone.
func startLoad(w *Watch, env []string, ended func()) (*load, error) {
	cmd := exec.Command(w.Command[0], w.Command[1:]...)
	cmd.Env = env
	cmd.Stdout, cmd.Stderr = w.Output, w.Output
	cmd.SysProcAttr = childAttr()
	cmd.WaitDelay = reapTime / 2 // children may hold the output open
	l := &load{name: w.Command[0], cmd: cmd, begin: time.Now(), ended: make(chan struct{})}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrLoad, err)
	}
	go func() {
		cmd.Wait() // ProcessState tells what there is to know
		l.took = time.Since(l.begin)
		close(l.ended)
		ended()
	}()
	return l, nil
}

// stop ends the load, first kindly, with all its children, and says how it
// ended; exit is the code of one that ended by itself. Without a load it says
// nothing.
func (l *load) stop() (how string, exit *int) {
	if l == nil {
		return "", nil
	}
	group := -l.cmd.Process.Pid
	select {
	case <-l.ended:
		syscall.Kill(group, syscall.SIGKILL) // children that it left behind
		return l.ownEnd()
	default:
	}
	ran := time.Since(l.begin)
	for _, signal := range []syscall.Signal{syscall.SIGTERM, syscall.SIGKILL} {
		err := syscall.Kill(group, signal)
		select {
		case <-l.ended:
		case <-time.After(reapTime):
			continue
		}
		syscall.Kill(group, syscall.SIGKILL)
		if errors.Is(err, syscall.ESRCH) {
			return l.ownEnd()
		}
		return fmt.Sprintf("%s: stopped after %s", l.name, tenths(ran)), nil
	}
	return fmt.Sprintf("%s: not ended after %s, and it cannot be killed; %s", l.name, tenths(ran), whereStuck(l.cmd.Process.Pid)), nil
}

// ownEnd says how a load that ended by itself did so. A signal counts as the
// exit code that shells make of it.
func (l *load) ownEnd() (how string, exit *int) {
	state := l.cmd.ProcessState
	code := state.ExitCode()
	if status, ok := state.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		code = 128 + int(status.Signal())
		return fmt.Sprintf("%s: %s after %s", l.name, state, tenths(l.took)), &code
	}
	return fmt.Sprintf("%s: exit code %d after %s", l.name, code, tenths(l.took)), &code
}

func tenths(d time.Duration) time.Duration { return d.Round(100 * time.Millisecond) }
