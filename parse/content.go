package parse

import (
	"archive/tar"
	"archive/zip"
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"time"
)

// Content is what a capture, bundle or single text holds, as one stream of
// bytes whatever it is packed in: for whoever does not read facts out of it.
type Content struct {
	io.ReadCloser
	Text bool // a single text, in UTF-8; otherwise a tar
}

// OpenContent opens the file or folder at name. A folder and a ZIP archive
// become a tar of the plain files in them, in the order in which they are read;
// what Open would not read of them is left out.
func OpenContent(name string, opt Options) (*Content, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	switch {
	case info.IsDir():
		root, err := os.OpenRoot(name)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		top := filepath.Base(filepath.Clean(name))
		return packed(opt, func(p *packer) error { return p.folder(root.FS(), top) }, root), nil
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s: %w: a device, no file", name, ErrUnknown)
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	var head [4]byte
	if n, _ := f.ReadAt(head[:], 0); isZip(head[:n]) {
		directory := &bounded{r: f, left: zipDirectory}
		z, err := zip.NewReader(directory, info.Size())
		if err != nil {
			f.Close()
			return nil, fmt.Errorf("%s: %w: the directory of the ZIP archive, at its end, is damaged or missing", name, ErrCutOff)
		}
		directory.left = math.MaxInt64 // from here on members are read, which have limits of their own
		return packed(opt, func(p *packer) error { return p.zip(z) }, f), nil
	}
	return readContent(f, f, name, opt)
}

// ReadContent does the same with a stream, in which a ZIP archive is not
// opened; name stands for it in messages.
func ReadContent(r io.Reader, name string, opt Options) (*Content, error) {
	return readContent(r, io.NopCloser(nil), name, opt)
}

func readContent(r io.Reader, under io.Closer, name string, opt Options) (*Content, error) {
	fail := func(err error) (*Content, error) {
		under.Close()
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	in, err := newStream(r, opt.Limits.orDefault())
	if err != nil {
		return fail(err)
	}
	text := bufio.NewReaderSize(in, headBytes)
	head, _ := text.Peek(headBytes)
	if plain := decoded(text, head); plain != nil {
		text = plain
		head, _ = text.Peek(headBytes)
	}
	c := &Content{ReadCloser: contentStream{text, in, under}, Text: !isTar(head)}
	if c.Text {
		what, holds, class := magicName(head)
		switch {
		case len(head) == 0 && in.err != nil:
			err = fmt.Errorf("%w: %w", ErrCutOff, in.err)
		case len(head) == 0:
			err = ErrEmpty
		case isZip(head):
			err = fmt.Errorf("%w: a ZIP archive inside a stream", ErrPacked)
		case holds == archived || isCompressed(head):
			err = fmt.Errorf("%w: it looks like %s", ErrPacked, what)
		case what != "":
			err = fmt.Errorf("%w: %w", ErrUnknown, resembles{class, "it looks like " + what})
		}
	}
	if err != nil {
		in.close()
		return fail(err)
	}
	return c, nil
}

// contentStream ends a stream and what is under it.
type contentStream struct {
	io.Reader
	in    *stream
	under io.Closer
}

func (s contentStream) Close() error {
	s.in.close()
	return s.under.Close()
}

// packed runs pack beside the reader of what it writes.
func packed(opt Options, pack func(*packer) error, under io.Closer) *Content {
	r, w := io.Pipe()
	done := make(chan struct{})
	go func() {
		defer close(done)
		p := &packer{tar: tar.NewWriter(w), limits: opt.Limits.orDefault(), seen: names{}}
		err := pack(p)
		if err == nil {
			err = p.tar.Close()
		}
		w.CloseWithError(err)
	}()
	return &Content{ReadCloser: pipe{r, done, under}}
}

type pipe struct {
	*io.PipeReader
	done  chan struct{}
	under io.Closer
}

func (p pipe) Close() error {
	p.PipeReader.Close()
	<-p.done
	return p.under.Close()
}

// packer writes files into a tar.
type packer struct {
	tar    *tar.Writer
	limits Limits
	seen   names
	n      int
	total  int64
}

func (p *packer) folder(files fs.FS, top string) error {
	return fs.WalkDir(files, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			if err != nil && d != nil && d.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		f, err := files.Open(name)
		if err != nil {
			return nil // as Open, which goes on without it
		}
		defer f.Close()
		info, err := f.Stat()
		if err != nil || !info.Mode().IsRegular() {
			return nil
		}
		return p.put(top+"/"+name, info.Size(), info.ModTime(), f)
	})
}

func (p *packer) zip(z *zip.Reader) error {
	overlaps := overlapping(z.File)
	for _, f := range z.File {
		if f.Mode().IsDir() || zipKind(f, overlaps) != "" {
			continue
		}
		r, err := f.Open()
		if err != nil {
			continue
		}
		err = p.put(zipName(f), int64(min(f.UncompressedSize64, 1<<62)), f.Modified, r)
		r.Close()
		if err != nil {
			return err
		}
	}
	return nil
}

// put writes a member. Its size is known beforehand: what is longer is cut
// there, and what turns out shorter ends the tar.
func (p *packer) put(name string, size int64, at time.Time, r io.Reader) error {
	_, _, why := memberName(name)
	if why != "" || p.seen.has(name) {
		return nil
	}
	p.seen.add(name)
	p.n, p.total = p.n+1, p.total+size
	if p.n > p.limits.Members || size > p.limits.Member || p.total > p.limits.Total {
		return fmt.Errorf("%w: at %s", ErrTooLarge, name)
	}
	header := &tar.Header{Typeflag: tar.TypeReg, Name: name, Size: size, Mode: 0o644, ModTime: at.UTC().Truncate(time.Second), Format: tar.FormatPAX}
	if err := p.tar.WriteHeader(header); err != nil {
		return err
	}
	if n, err := io.Copy(p.tar, io.LimitReader(r, size)); err != nil || n < size {
		return errors.Join(fmt.Errorf("%w: %s has %d of %d bytes", ErrCutOff, name, n, size), err)
	}
	return nil
}
