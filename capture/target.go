package capture

import (
	"bytes"
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
	noWake      bool     // no read may wake a device
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
	errMany  = errors.New("limit of files")
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
	case is(errFull, errMany):
		return Truncated
	}
	return Failed
}

// bounded runs f, which asks the kernel and may hang where no signal reaches:
// at the end of ctx it is left to itself, and its thread with it. what names it
// in the error of that.
func bounded[T any](ctx context.Context, what string, f func() (T, error)) (T, error) {
	type result struct {
		value T
		err   error
	}
	done := make(chan result, 1)
	go func() {
		value, err := f()
		done <- result{value, err}
	}()
	select {
	case r := <-done:
		return r.value, r.err
	case <-ctx.Done():
		var none T
		return none, fmt.Errorf("%s: %w%s", what, context.Cause(ctx), leftBehind())
	}
}

// read returns the first max bytes of a file. A file that is longer gives
// errFull as well.
func (t *target) read(ctx context.Context, name string, max int64) ([]byte, error) {
	data, err := bounded(ctx, "read /"+name, func() ([]byte, error) { return readFile(t.path(name), max) })
	return data, t.relative(err)
}

// line returns the first line of a small file, "" where it cannot be read.
func (t *target) line(ctx context.Context, name string) string {
	data, _ := t.read(ctx, name, 64<<10)
	line, _, _ := bytes.Cut(data, []byte("\n"))
	return string(bytes.TrimSpace(line))
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
func (t *target) exists(ctx context.Context, name string) (filled bool, err error) {
	info, err := t.stat(ctx, name)
	return err == nil && info.Size() > 0, err
}

func (t *target) stat(ctx context.Context, name string) (fs.FileInfo, error) {
	info, err := bounded(ctx, "stat /"+name, func() (fs.FileInfo, error) { return os.Stat(t.path(name)) })
	return info, t.relative(err)
}

// expand returns the folders that a pattern matches, in order, with links
// followed. A folder that could not be read is an error, one that is not there
// is none.
func (t *target) expand(ctx context.Context, pattern string) ([]string, error) {
	dirs := []string{""}
	var problem error
	for part := range strings.SplitSeq(pattern, "/") {
		var next []string
		for _, dir := range dirs {
			if !strings.Contains(part, "*") {
				next = append(next, path.Join(dir, part))
				continue
			}
			names, err := t.names(ctx, dir, part)
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
		switch info, err := t.stat(ctx, dir); {
		case err == nil && info.IsDir():
			found = append(found, dir)
		case err != nil && stateOf(err) != Absent:
			problem = err
		}
	}
	return found, problem
}

// names returns the names in a folder that match the pattern, sorted. Names
// that no member may have are left out.
func (t *target) names(ctx context.Context, dir, pattern string) ([]string, error) {
	entries, err := bounded(ctx, "list /"+dir, func() ([]fs.DirEntry, error) { return os.ReadDir(t.path(dir)) })
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
