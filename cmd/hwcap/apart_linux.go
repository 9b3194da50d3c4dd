package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"syscall"
	"time"
)

// statusPipe says, in the environment of the process that does the work, that
// its end is told through a pipe.
const statusPipe = "HWCAP_STATUS_PIPE"

// leaveTime is how long a process that is done may take to go.
const leaveTime = 2 * time.Second

// apart runs work in a process of its own, this command again, and ends when
// the work does. A process cannot end while one of its threads waits in the
// kernel where no signal reaches, and whoever waits for it waits as well; so
// the one that may get stuck is not the one that was called.
func apart(ctx context.Context, work func() error) error {
	if os.Getenv(statusPipe) != "" {
		return toldThrough(os.NewFile(3, "status"), work)
	}
	read, write, err := os.Pipe()
	if err != nil {
		return err
	}
	defer read.Close()
	cmd := exec.Command("/proc/self/exe", os.Args[1:]...)
	cmd.Args[0] = os.Args[0]
	cmd.Env = append(os.Environ(), statusPipe+"=3")
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	cmd.ExtraFiles = []*os.File{write}
	// In a group of its own an interrupt at the terminal reaches it once, from
	// here; it does not outlive this process.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	if err := cmd.Start(); err != nil {
		write.Close()
		return work() // without /proc, as good as it gets
	}
	write.Close()
	defer context.AfterFunc(ctx, func() { cmd.Process.Signal(syscall.SIGTERM) })()

	var status [1]byte
	_, err = io.ReadFull(read, status[:])
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	switch {
	case err == nil:
	case ctx.Err() != nil: // it was sent away before it could listen
		<-ended
		return explainCollect(context.Canceled)
	default:
		return fmt.Errorf(text("das Erfassen brach ab: %w", "collecting broke off: %w"), <-ended)
	}
	select {
	case <-ended:
	case <-time.After(leaveTime):
		fmt.Fprintf(os.Stderr, text("Prozess %d bleibt zurück: er wartet im Kernel, wo ihn kein Signal erreicht\n",
			"process %d is left behind: it waits in the kernel, where no signal reaches it\n"), cmd.Process.Pid)
	}
	return exitStatus(status[0])
}

// toldThrough does the work and tells its exit code through the pipe. Readers
// of the output see its end even where this process stays.
func toldThrough(pipe *os.File, work func() error) error {
	os.Unsetenv(statusPipe)
	syscall.CloseOnExec(int(pipe.Fd()))
	code := report(os.Stderr, work())
	os.Stdout.Close()
	os.Stderr.Close()
	pipe.Write([]byte{byte(code)})
	pipe.Close()
	return exitStatus(code)
}
