package parse

import (
	"archive/tar"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// tarBlock is the unit of a tar; two of zeros mark its end.
const tarBlock = 512

// archive reads the members of a tar as they come.
func (b *builder) archive(r io.Reader) {
	end := &tail{r: r}
	t := tar.NewReader(end)
	for {
		end.mark()
		h, err := t.Next()
		if errors.Is(err, io.EOF) {
			b.archiveEnd(end)
			return
		}
		if err != nil {
			b.cut = b.in.err // the limit or the break behind tar's own words
			if b.cut == nil {
				b.cut = fmt.Errorf("damaged archive: %w", err)
			}
			return
		}
		if h.Typeflag == tar.TypeDir {
			if !b.counted() {
				return
			}
			continue
		}
		kind := tarKind(h)
		path, ok := b.admit(h.Name, kind, h.Size)
		if b.cut != nil {
			return
		}
		if ok {
			m := &member{r: t, limits: b.limits, packed: b.in.packedSince(b.in.packed())}
			b.route(path, m)
			switch {
			case m.dense: // costs itself only
				b.problem(path, "reading ended here: %v", m.err)
			case m.err != nil:
				b.cut = m.err
				if b.in.err != nil {
					b.cut = b.in.err
				}
				return
			}
		}
		if kind != sparse { // whose holes are not in the archive
			io.Copy(io.Discard, t)
		}
	}
}

// archiveEnd looks at what follows the last member: the end mark, of which one
// block is enough, and padding. Reading that too lets a compressed archive show
// that it is whole.
func (b *builder) archiveEnd(end *tail) {
	marked := end.zeros >= tarBlock
	end.mark()
	io.Copy(io.Discard, end)
	switch {
	case b.in.err != nil: // which tells of itself
	case !marked:
		b.cut = errors.New("the archive has no end mark")
	case end.zeros < end.n:
		b.problem("", "more follows the end of the archive, perhaps a second one: not read")
	}
}

// tail passes on an archive and knows what the last bytes of it are.
type tail struct {
	r     io.Reader
	n     int64 // bytes since the mark
	zeros int64 // zero bytes at their end
}

func (t *tail) mark() { t.n, t.zeros = 0, 0 }

func (t *tail) Read(p []byte) (int, error) {
	n, err := t.r.Read(p)
	zeros := n - len(bytes.TrimRight(p[:n], "\x00"))
	if zeros == n {
		t.zeros += int64(n)
	} else {
		t.zeros = int64(zeros)
	}
	t.n += int64(n)
	return n, err
}

const sparse = "a sparse file"

// tarKind names what a member is if it is not a plain file.
func tarKind(h *tar.Header) string {
	switch h.Typeflag {
	case tar.TypeReg:
		for key := range h.PAXRecords {
			if strings.HasPrefix(key, "GNU.sparse.") {
				return sparse
			}
		}
		return ""
	case tar.TypeGNUSparse:
		return sparse
	case tar.TypeLink, tar.TypeSymlink:
		return "a link"
	case tar.TypeChar, tar.TypeBlock:
		return "a device node"
	case tar.TypeFifo:
		return "a fifo"
	}
	return "no plain file"
}

// folder reads the files below a folder in the order of their names. The walk
// stays inside: links are not followed, and os.Root would refuse to leave.
func (b *builder) folder(name string) error {
	root, err := os.OpenRoot(name)
	if err != nil {
		return err
	}
	defer root.Close()
	inside := ""
	if bundleRoots[b.name] { // not what is around it was named, but it
		inside = b.name + "/"
	}
	return fs.WalkDir(root.FS(), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			b.skip(name, "it cannot be read")
			if d != nil && d.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		if d.IsDir() {
			if !b.counted() {
				return fs.SkipAll
			}
			return nil
		}
		path, ok := b.admit(inside+name, fileKind(d.Type()), 0)
		if ok {
			b.folderFile(root, name, path)
		}
		if b.cut != nil {
			return fs.SkipAll
		}
		return nil
	})
}

func (b *builder) folderFile(root *os.Root, name, path string) {
	f, err := root.OpenFile(filepath.FromSlash(name), os.O_RDONLY|noWait, 0)
	if err != nil {
		b.skip(path, "it cannot be read")
		return
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		b.skip(path, "it is no plain file")
		return
	}
	b.file(f, path, nil)
}

// file reads a member that is no part of a stream. packed returns how many
// bytes it is unpacked from, nil where it is not packed.
func (b *builder) file(r io.Reader, path string, packed func() int64) {
	m := &member{r: r, limits: b.limits, packed: packed}
	left := b.limits.Total - b.total
	m.limits.Member = min(m.limits.Member, left)
	b.route(path, m)
	b.total += m.n
	switch {
	case m.err == nil:
	case m.dense:
		b.problem(path, "reading ended here: %v", m.err)
	case m.n > left:
		b.cut = fmt.Errorf("%w: more than %s in all", ErrTooLarge, bytesText(b.limits.Total))
	case errors.Is(m.err, ErrTooLarge):
		b.cut = m.err
	default:
		b.problem(path, "it could not be read to its end: %v", m.err)
	}
}

func fileKind(mode fs.FileMode) string {
	switch {
	case mode.IsRegular():
		return ""
	case mode&fs.ModeSymlink != 0:
		return "a link"
	case mode&fs.ModeDevice != 0:
		return "a device node"
	case mode&fs.ModeNamedPipe != 0:
		return "a fifo"
	}
	return "no plain file"
}

// counted counts one entry against the limit.
func (b *builder) counted() bool {
	if b.entries++; b.entries > b.limits.Members {
		b.cut = fmt.Errorf("%w: more than %d members", ErrTooLarge, b.limits.Members)
		return false
	}
	return true
}

// admit decides whether a member is read: a plain file with a sound name that
// no other had. What is not costs itself only.
func (b *builder) admit(name, kind string, size int64) (path string, ok bool) {
	if !b.counted() {
		return "", false
	}
	path, top, why := memberName(name)
	switch {
	case why != "":
		b.skip(name, why)
		return "", false
	case kind != "":
		b.skip(path, "it is "+kind)
		return "", false
	case !b.sameTop(path, top):
		b.skip(name, "it is part of another capture")
		return "", false
	case b.seen.has(path):
		b.skip(path, "a member of this name came before")
		return "", false
	case size > b.limits.Member:
		b.cut = fmt.Errorf("%w: a member of more than %s", ErrTooLarge, bytesText(b.limits.Member))
		b.last = path
		return "", false
	}
	b.seen.add(path)
	b.last = path
	b.members++
	return path, true
}

// sameTop reports whether a member that stands below a top folder has the same
// one as those before it: two machines make no third one.
func (b *builder) sameTop(path, top string) bool {
	first, _, _ := strings.Cut(path, "/")
	switch {
	case !roots[first] && !bundleRoots[first]:
		return true
	case !b.rooted:
		b.rooted, b.top = true, top
	}
	return top == b.top
}

// sayEach is how many skipped members of a kind are named one by one.
const sayEach = 5

// skips are the members that were not read for one reason.
type skips struct {
	n     int
	first []string // the first sayEach of them by name
}

// skip notes a member that is not read.
func (b *builder) skip(path, why string) {
	s := b.skipped[why]
	if s == nil {
		s = &skips{}
		b.skipped[why] = s
	}
	s.add(path)
}

func (s *skips) add(path string) {
	s.n++
	path = path[:min(len(path), maxName)]
	at, _ := slices.BinarySearch(s.first, path)
	s.first = slices.Insert(s.first, at, path)
	s.first = s.first[:min(len(s.first), sayEach)]
}

// reportSkips makes problems of them: the first ones of a kind are named, the
// others counted. Another tool's bundle holds thousands that hwcap has no use
// for.
func (b *builder) reportSkips() {
	if u := b.unknown; u.n > 0 && b.bundle == nil {
		names := strings.Join(u.first, ", ")
		if u.n > len(u.first) {
			names += ", ..."
		}
		b.problem("", "files that hold nothing that hwcap knows: %d: %s", u.n, names)
	}
	for why, s := range b.skipped {
		if b.bundle != nil && why == "it is a link" { // as sosreport makes many to its own members
			b.problem("", "%d members not read: %s", s.n, why)
			continue
		}
		for _, path := range s.first {
			b.problem(path, "not read: %s", why)
		}
		if more := s.n - len(s.first); more > 0 {
			b.problem("", "%d more members not read: %s", more, why)
		}
	}
}
