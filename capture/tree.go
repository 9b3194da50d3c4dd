package capture

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
)

// collectTree copies the files and listings of a tree. One file that hangs
// costs a tenth of the tree's time limit, not the rest of the tree. recorded
// is called when the picks marked first are done.
func (t *target) collectTree(ctx context.Context, s *Source, out *entry, recorded func()) outcome {
	c := treeCopy{target: t, out: out, room: s.Cap, most: s.most, patience: s.Limit / 10}
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
	most     int // members
	patience time.Duration
	read     int
	unread   []error
	short    int      // files that ended before the size they have
	asleep   []string // devices of which not all files were read
}

// pick copies the files and the listing of every folder of p. It returns an
// error only where the rest of the tree cannot be read either.
func (c *treeCopy) pick(ctx context.Context, p pick) error {
	dirs, err := c.expand(ctx, p.dir)
	if err != nil {
		c.unread = append(c.unread, err)
	}
	for _, dir := range dirs {
		if p.list != "" {
			if err := c.list(ctx, dir, p.list); err != nil {
				return err
			}
		}
		files := strings.Fields(p.files)
		switch device := path.Join(dir, p.of); {
		case p.asks == "":
		case c.noWake && c.sleeps(ctx, device):
			c.asleep = append(c.asleep, path.Base(dir))
		default:
			files = append(files, strings.Fields(p.asks)...)
		}
		for _, pattern := range files {
			if err := c.files(ctx, dir, pattern); err != nil {
				return err
			}
		}
	}
	return nil
}

// list adds the listing of a folder: the names that one of the patterns
// matches, sorted, with the target of those that are links.
func (c *treeCopy) list(ctx context.Context, dir, patterns string) error {
	patient, cancel := context.WithTimeoutCause(ctx, c.patience, errLimit)
	defer cancel()
	text, err := bounded(patient, "list /"+dir, func() (string, error) { return listing(c.path(dir), strings.Fields(patterns)) })
	switch {
	case ctx.Err() != nil && err != nil:
		return err
	case err != nil:
		if err = c.relative(err); stateOf(err) != Absent {
			c.unread = append(c.unread, err)
		}
		return nil
	}
	c.read++
	return c.add(path.Join(dir, ".list"), []byte(text))
}

func listing(dir string, patterns []string) (string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	for _, e := range entries {
		name := e.Name()
		if !usable(name) || !slices.ContainsFunc(patterns, func(p string) bool { ok, _ := path.Match(p, name); return ok }) {
			continue
		}
		b.WriteString(name)
		if e.Type()&fs.ModeSymlink != 0 {
			if to, err := os.Readlink(filepath.Join(dir, name)); err == nil && usable(to) {
				b.WriteString(" -> " + to)
			}
		}
		b.WriteByte('\n')
	}
	return b.String(), nil
}

// files copies the files below dir that a pattern matches.
func (c *treeCopy) files(ctx context.Context, dir, pattern string) error {
	parent, last := path.Split(pattern)
	names := []string{last}
	if strings.Contains(last, "*") {
		names, _ = c.names(ctx, path.Join(dir, parent), last) // a folder that is not there has no files
	}
	for _, name := range names {
		if err := c.file(ctx, path.Join(dir, parent, name)); err != nil {
			return err
		}
	}
	return nil
}

var errNoFile = errors.New("no file to read")

func (c *treeCopy) file(ctx context.Context, name string) error {
	patient, cancel := context.WithTimeoutCause(ctx, c.patience, errLimit)
	defer cancel()
	var size int64
	data, err := bounded(patient, "read /"+name, func() ([]byte, error) {
		info, err := os.Lstat(c.path(name))
		switch {
		case err != nil && stateOf(err) == Absent, err == nil && !info.Mode().IsRegular():
			return nil, errNoFile
		case err != nil:
			return nil, err
		}
		size = info.Size()
		return readFile(c.path(name), c.room)
	})
	switch {
	case ctx.Err() != nil && err != nil:
		return err
	case errors.Is(err, errFull):
	case errors.Is(err, errNoFile):
		return nil
	case err != nil:
		c.unread = append(c.unread, c.relative(err))
		return nil
	}
	// Binary attributes have their true size; configuration space ends after
	// 64 bytes for ordinary users (drivers/pci/pci-sysfs.c, pci_read_config).
	if path.Base(name) == "config" && int64(len(data)) < size {
		c.short++
	}
	c.read++
	if addErr := c.add(name, data); addErr != nil {
		return addErr
	}
	return err
}

func (c *treeCopy) add(name string, data []byte) error {
	if len(c.out.members) >= c.most {
		return fmt.Errorf("%w of %d", errMany, c.most)
	}
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
	if len(c.asleep) > 0 {
		words = append(words, leftAsleep(c.asleep))
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
