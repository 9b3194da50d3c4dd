package capture

import (
	"errors"
	"io/fs"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// lockFile takes the lock of an open file without waiting: errLocked where
// another holds it, errors.ErrUnsupported where the file system has none. The
// kernel gives it back when the file is closed, by whatever end.
func lockFile(f *os.File) error {
	switch err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB); {
	case err == nil:
		return nil
	case errors.Is(err, unix.EWOULDBLOCK):
		return errLocked
	default: // ENOLCK, EOPNOTSUPP, ENOSYS, EBADF, each of some network file system
		return errors.ErrUnsupported
	}
}

// ownFile reports whether a file belongs to this user.
func ownFile(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(stat.Uid) == os.Geteuid()
}
