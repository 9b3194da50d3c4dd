package capture

import (
	"archive/tar"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/klauspost/compress/zstd"
)

// formats are the endings that an output may have.
var formats = []struct {
	ending   string
	compress func(io.Writer) (io.WriteCloser, error)
}{
	{".tar.gz", newGzip},
	{".tgz", newGzip},
	{".tar.zst", func(w io.Writer) (io.WriteCloser, error) { return zstd.NewWriter(w) }},
	{".tar", func(w io.Writer) (io.WriteCloser, error) { return nopCloser{w}, nil }},
}

// newGzip is the standard library's, at the level that every reader's patience
// allows: the archive is small, and everything opens it.
func newGzip(w io.Writer) (io.WriteCloser, error) { return gzip.NewWriterLevel(w, 6) }

type nopCloser struct{ io.Writer }

func (nopCloser) Close() error { return nil }

// Compressor returns the compression that the ending of an archive's name asks
// for, ErrName for an ending that no capture has.
func Compressor(name string) (func(io.Writer) (io.WriteCloser, error), error) {
	for _, f := range formats {
		if strings.HasSuffix(name, f.ending) {
			return f.compress, nil
		}
	}
	return nil, fmt.Errorf("%w: %s", ErrName, name)
}

// archive writes the members of a capture as a tar file: regular files in one
// folder, owned by nobody in particular, all of one time.
type archive struct {
	ctx context.Context
	tar *tar.Writer
	top string
	at  time.Time
}

func newArchive(ctx context.Context, w io.Writer, top string, at time.Time) *archive {
	return &archive{ctx: ctx, tar: tar.NewWriter(w), top: top, at: at.UTC().Truncate(time.Second)}
}

// put adds a member whose bytes come from r.
func (a *archive) put(m member, r io.Reader) error {
	if err := context.Cause(a.ctx); err != nil {
		return err
	}
	header := &tar.Header{
		Typeflag: tar.TypeReg,
		Name:     a.top + "/" + m.name,
		Size:     m.size,
		Mode:     0o644,
		ModTime:  a.at,
		Format:   tar.FormatPAX,
	}
	if err := a.tar.WriteHeader(header); err != nil {
		return err
	}
	_, err := io.Copy(a.tar, r)
	return err
}

func (a *archive) close() error { return a.tar.Close() }

// WriteWhole makes a file appear with what write gives, or not at all: it is
// written inside the folder part, which lies on the same file system, and moved
// to the name that write returns when it is on the disk. It is readable by its
// owner only, which under sudo is whom sudo works for.
func WriteWhole(part string, write func(io.Writer) (output string, err error)) (size int64, err error) {
	f, err := os.OpenFile(filepath.Join(part, "archive"), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	output, err := write(f)
	if err != nil {
		return 0, err
	}
	if uid, gid, ok := SudoUser(); ok {
		if err := f.Chown(uid, gid); err != nil {
			return 0, err
		}
	}
	if err := f.Sync(); err != nil {
		return 0, err
	}
	info, err := f.Stat()
	if err != nil {
		return 0, err
	}
	if err := f.Close(); err != nil {
		return 0, err
	}
	if err := os.Rename(f.Name(), output); err != nil {
		return 0, err
	}
	// The new name is on the disk when its folder is. Not every file system
	// can do that, and the file is complete either way.
	if dir, err := os.Open(filepath.Dir(output)); err == nil {
		dir.Sync()
		dir.Close()
	}
	return info.Size(), nil
}

// SudoUser returns whom sudo works for. The capture is that user's: only its
// owner can read it, and who called "sudo hwcap collect" wants to copy it.
func SudoUser() (uid, gid int, ok bool) {
	if os.Geteuid() != 0 {
		return 0, 0, false
	}
	uid, errUID := strconv.Atoi(os.Getenv("SUDO_UID"))
	gid, errGID := strconv.Atoi(os.Getenv("SUDO_GID"))
	return uid, gid, errUID == nil && errGID == nil && uid >= 0 && gid >= 0
}
