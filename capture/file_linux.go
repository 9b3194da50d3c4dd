package capture

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// collectFile copies one file.
func (t *target) collectFile(ctx context.Context, s *Source, out *entry) outcome {
	switch {
	case s.records:
		return t.collectRecords(ctx, s, out)
	case s.watch != nil:
		return t.collectLinks(ctx, s, out)
	}
	c := copyFile(ctx, t.path(s.Path), "/"+s.Path, s.Path, out)
	c.err = t.relative(c.err)
	return c.outcome(out)
}

// collectRecords copies a device of records. The descriptor stays away from
// the runtime's poller, which would turn EAGAIN into waiting.
func (t *target) collectRecords(ctx context.Context, s *Source, out *entry) outcome {
	fd, err := syscall.Open(t.path(s.Path), syscall.O_RDONLY|syscall.O_NONBLOCK|syscall.O_CLOEXEC, 0)
	if err != nil {
		return failure(&fs.PathError{Op: "open", Path: "/" + s.Path, Err: err})
	}
	defer syscall.Close(fd)
	first := true
	read := func(p []byte) (int, error) {
		n, err := syscall.Read(fd, p)
		if err == nil && first {
			first = false
			out.begin(s.Path)
		}
		if err != nil && !errors.Is(err, syscall.EAGAIN) {
			err = os.NewSyscallError("read /"+s.Path, err)
		}
		return n, err
	}
	return copyRecords(ctx, read, out)
}
