package capture

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"syscall"
	"unicode/utf8"
)

// target is the machine that is asked.
type target struct {
	root        string   // where its file system begins: "/", or a made-up tree in tests
	env         []string // of commands, in the user's language
	loadModules bool     // a read may load a kernel module
}

// path returns where a path of the target, without leading slash, is here.
func (t *target) path(name string) string { return filepath.Join(t.root, filepath.FromSlash(name)) }

// outcome is how a source ended.
type outcome struct {
	state State
	why   string
	exit  *int // of a command that ended by itself
}

// failure turns err into an outcome, its state by the kind of error.
func failure(err error) outcome { return outcome{state: stateOf(err), why: err.Error()} }

var (
	errLimit = errors.New("time limit")
	errTotal = errors.New("total time limit")
	errFull  = errors.New("size cap")
)

// stateOf returns the state that an error stands for.
func stateOf(err error) State {
	is := func(targets ...error) bool {
		for _, target := range targets {
			if errors.Is(err, target) {
				return true
			}
		}
		return false
	}
	switch {
	case is(fs.ErrNotExist, syscall.ENOTDIR, syscall.ENODEV, syscall.ENXIO, syscall.ENOTSUP, syscall.EOPNOTSUPP,
		syscall.EPROTONOSUPPORT, syscall.EAFNOSUPPORT):
		return Absent
	case is(fs.ErrPermission):
		return Denied
	case is(errLimit, errTotal, context.DeadlineExceeded):
		return TimedOut
	case is(errFull):
		return Truncated
	}
	return Failed
}

// read returns the first max bytes of a file. A file that is longer gives
// errFull as well. Reads from the kernel can hang where no signal reaches: at
// the end of ctx the read is left to itself, and its thread with it.
func (t *target) read(ctx context.Context, name string, max int64) ([]byte, error) {
	type result struct {
		data []byte
		err  error
	}
	done := make(chan result, 1)
	go func() {
		data, err := readFile(t.path(name), max)
		done <- result{data, err}
	}()
	select {
	case r := <-done:
		return r.data, t.relative(r.err)
	case <-ctx.Done():
		return nil, fmt.Errorf("read /%s: %w", name, context.Cause(ctx))
	}
}

func readFile(name string, max int64) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, max+1))
	if err == nil && int64(len(data)) > max {
		return data[:max], errFull
	}
	return data, err
}

// relative names the target's path in an error of the file system.
func (t *target) relative(err error) error {
	if e := (*fs.PathError)(nil); t.root != "/" && errors.As(err, &e) {
		if rel, ok := strings.CutPrefix(e.Path, strings.TrimSuffix(t.root, "/")); ok {
			e.Path = rel
		}
	}
	return err
}

// exists reports whether a path is there, and for a file whether it is not
// empty.
func (t *target) exists(name string) (filled bool, err error) {
	info, err := os.Stat(t.path(name))
	if err != nil {
		return false, t.relative(err)
	}
	return info.Size() > 0, nil
}

// expand returns the folders that a pattern matches, in order, with links
// followed. A folder that could not be read is an error, one that is not there
// is none.
func (t *target) expand(pattern string) ([]string, error) {
	dirs := []string{""}
	var problem error
	for part := range strings.SplitSeq(pattern, "/") {
		var next []string
		for _, dir := range dirs {
			if !strings.Contains(part, "*") {
				next = append(next, path.Join(dir, part))
				continue
			}
			names, err := t.names(dir, part)
			if err != nil && stateOf(err) != Absent {
				problem = err
			}
			for _, name := range names {
				next = append(next, path.Join(dir, name))
			}
		}
		dirs = next
	}
	var found []string
	for _, dir := range dirs {
		switch info, err := os.Stat(t.path(dir)); {
		case err == nil && info.IsDir():
			found = append(found, dir)
		case err != nil && stateOf(err) != Absent:
			problem = t.relative(err)
		}
	}
	return found, problem
}

// names returns the names in a folder that match the pattern, sorted. Names
// that no member may have are left out.
func (t *target) names(dir, pattern string) ([]string, error) {
	entries, err := os.ReadDir(t.path(dir))
	if err != nil {
		return nil, t.relative(err)
	}
	var names []string
	for _, e := range entries {
		if ok, _ := path.Match(pattern, e.Name()); ok && usable(e.Name()) {
			names = append(names, e.Name())
		}
	}
	return names, nil
}

// usable reports whether a name may stand in a capture: the kernel lets
// interfaces and device mapper volumes have names with control characters.
func usable(name string) bool {
	return utf8.ValidString(name) && !strings.ContainsFunc(name, func(r rune) bool { return r < ' ' || r >= 0x7f && r < 0xa0 })
}
