package capture

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
)

// Private is a folder that only this user can look into. It lies beside what
// is made in it, so that this can be moved to its name, and it is locked while
// it is in use: one without a holder is what a killed process left.
type Private struct {
	Dir  string
	lock *os.File // nil where the file system has no locks
}

const lockName = ".lock"

// private matches the names that folders of this kind get.
var private = regexp.MustCompile(`(hwcap|\.tar|\.tgz|\.tar\.gz|\.tar\.zst|\.age)\.part-[0-9]+$`)

// NewPrivate makes such a folder in the folder parent ("": that for temporary
// files). Its name begins with that of the output it is for, which ends as a
// capture does, or with "hwcap". It first removes the folders there that lost
// their holder.
func NewPrivate(parent, name string) (*Private, error) {
	if parent == "" {
		parent = os.TempDir()
	}
	sweep(parent)
	for try := 0; ; try++ {
		dir, err := os.MkdirTemp(parent, name+".part-*") // mode 0700
		if err != nil {
			return nil, err
		}
		p := &Private{Dir: dir}
		if p.lock, err = os.OpenFile(filepath.Join(dir, lockName), os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600); err == nil {
			err = lockFile(p.lock)
		}
		if err == nil {
			_, err = os.Stat(p.lock.Name()) // swept before it was locked
		}
		switch {
		case err == nil:
			return p, nil
		case errors.Is(err, errors.ErrUnsupported):
			p.lock.Close()
			p.lock = nil
			return p, nil
		case try == 10 || !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, errLocked):
			p.Remove()
			return nil, err
		}
		// Somebody who sweeps here was faster than the lock.
		p.lock.Close()
	}
}

// Remove deletes the folder and all in it.
func (p *Private) Remove() error {
	err := os.RemoveAll(p.Dir)
	p.lock.Close() // a nil file says so, to nobody
	return err
}

var errLocked = errors.New("somebody holds the lock")

// sweep removes folders of this user whose holder is gone. A folder without a
// lock was left, or is seen, between two system calls; it is empty.
func sweep(parent string) {
	entries, err := os.ReadDir(parent)
	if err != nil {
		return // whatever it is, making a folder there will tell
	}
	for _, e := range entries {
		if !e.IsDir() || !private.MatchString(e.Name()) {
			continue
		}
		dir := filepath.Join(parent, e.Name())
		if info, err := e.Info(); err != nil || info.Mode().Perm() != 0o700 || !ownFile(info) {
			continue
		}
		lock, err := os.OpenFile(filepath.Join(dir, lockName), os.O_RDWR, 0)
		if err != nil {
			os.Remove(dir) // if it is empty
			continue
		}
		if lockFile(lock) == nil {
			os.RemoveAll(dir)
		}
		lock.Close()
	}
}
