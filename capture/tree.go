package capture

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"syscall"
	"time"
)

// collectTree copies the files and listings of a tree. One file that hangs
// costs a tenth of the tree's time limit, not the rest of the tree. recorded
// is called when the picks marked first are done.
func (t *target) collectTree(ctx context.Context, s *Source, out *entry, recorded func()) outcome {
	c := treeCopy{target: t, out: out, room: s.Cap, patience: s.Limit / 10}
	for _, p := range s.picks {
		if !p.first {
			recorded()
		}
		if err := c.pick(ctx, p); err != nil {
			o := failure(err)
			o.why = c.tally(err.Error())
			return o
		}
	}
	return c.outcome()
}

// treeCopy copies one tree and counts what could not be read.
type treeCopy struct {
	*target
	out      *entry
	room     int64
	patience time.Duration
	read     int
	unread   []error
	short    int // files that ended before the size they have
}

// pick copies the files and the listing of every folder of p. It returns an
// error only where the rest of the tree cannot be read either.
func (c *treeCopy) pick(ctx context.Context, p pick) error {
	dirs, err := c.expand(p.dir)
	if err != nil {
		c.unread = append(c.unread, err)
	}
	for _, dir := range dirs {
		if p.list != "" {
			if err := c.list(dir, p.list); err != nil {
				return err
			}
		}
		for _, pattern := range strings.Fields(p.files) {
			if err := c.files(ctx, dir, pattern); err != nil {
				return err
			}
		}
	}
	return nil
}

// list adds the listing of a folder: the names that one of the patterns
// matches, sorted, with the target of those that are links.
func (c *treeCopy) list(dir, patterns string) error {
	entries, err := os.ReadDir(c.path(dir))
	if err != nil {
		if err = c.relative(err); stateOf(err) != Absent {
			c.unread = append(c.unread, err)
		}
		return nil
	}
	c.read++
	var b strings.Builder
	for _, e := range entries {
		name := e.Name()
		if !usable(name) || !slices.ContainsFunc(strings.Fields(patterns), func(p string) bool { ok, _ := path.Match(p, name); return ok }) {
			continue
		}
		b.WriteString(name)
		if e.Type()&fs.ModeSymlink != 0 {
			if to, err := os.Readlink(c.path(path.Join(dir, name))); err == nil && usable(to) {
				b.WriteString(" -> " + to)
			}
		}
		b.WriteByte('\n')
	}
	return c.add(path.Join(dir, ".list"), []byte(b.String()))
}

// files copies the files below dir that a pattern matches.
func (c *treeCopy) files(ctx context.Context, dir, pattern string) error {
	parent, last := path.Split(pattern)
	names := []string{last}
	if strings.Contains(last, "*") {
		names, _ = c.names(path.Join(dir, parent), last) // a folder that is not there has no files
	}
	for _, name := range names {
		if err := c.file(ctx, path.Join(dir, parent, name)); err != nil {
			return err
		}
	}
	return nil
}

func (c *treeCopy) file(ctx context.Context, name string) error {
	info, err := os.Lstat(c.path(name))
	switch {
	case err != nil && stateOf(err) == Absent:
		return nil
	case err != nil:
		c.unread = append(c.unread, c.relative(err))
		return nil
	case !info.Mode().IsRegular():
		return nil
	}
	patient, cancel := context.WithTimeoutCause(ctx, c.patience, errLimit)
	defer cancel()
	data, err := c.target.read(patient, name, c.room)
	switch {
	case ctx.Err() != nil:
		return err
	case errors.Is(err, errFull):
	case err != nil:
		c.unread = append(c.unread, err)
		return nil
	}
	// Binary attributes have their true size; configuration space ends after
	// 64 bytes for ordinary users (drivers/pci/pci-sysfs.c, pci_read_config).
	if path.Base(name) == "config" && int64(len(data)) < info.Size() {
		c.short++
	}
	c.read++
	if addErr := c.add(name, data); addErr != nil {
		return addErr
	}
	return err
}

func (c *treeCopy) add(name string, data []byte) error {
	c.room -= int64(len(data))
	return c.out.add(name, data)
}

// outcome is that of a tree which was read to its end.
func (c *treeCopy) outcome() outcome {
	o := outcome{state: Present, why: c.tally()}
	hung := slices.IndexFunc(c.unread, func(err error) bool { return stateOf(err) == TimedOut })
	switch {
	case hung >= 0:
		o.state = TimedOut
		o.why += "; " + c.unread[hung].Error()
	case c.read > 0 && c.out.bytes == 0:
		o.state = Empty // folders with nothing in them
	case c.read > 0:
	case len(c.unread) > 0:
		o = failure(c.unread[0])
	default:
		o = outcome{state: Absent, why: "no such folder or file"}
	}
	return o
}

// tally says in words what could not be read, after what is given.
func (c *treeCopy) tally(words ...string) string {
	if n := len(c.unread); n > 0 {
		var kinds []string
		counts := map[string]int{}
		for _, err := range c.unread {
			kind := reason(err)
			if counts[kind]++; counts[kind] == 1 {
				kinds = append(kinds, kind)
			}
		}
		for i, kind := range kinds {
			kinds[i] = fmt.Sprintf("%s %d", kind, counts[kind])
		}
		words = append(words, fmt.Sprintf("%d of %d files could not be read: %s", n, n+c.read, strings.Join(kinds, ", ")))
	}
	if c.short > 0 {
		words = append(words, fmt.Sprintf("%d configuration spaces end early, as for an ordinary user", c.short))
	}
	return strings.Join(words, "; ")
}

// reason names the kind of an error in a tally.
func reason(err error) string {
	switch {
	case stateOf(err) == Denied:
		return "denied"
	case stateOf(err) == TimedOut:
		return "timed out"
	case errors.Is(err, syscall.EIO):
		return "I/O error"
	case errors.Is(err, syscall.EINVAL):
		return "invalid argument"
	}
	if errno := syscall.Errno(0); errors.As(err, &errno) {
		return errno.Error()
	}
	return "error"
}
