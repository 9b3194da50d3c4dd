package parse

import (
	"archive/zip"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"golang.org/x/text/encoding/charmap"
)

const (
	// zipStream is how much of a ZIP archive is held in memory where it is no
	// file: its directory stands at its end.
	zipStream = 64 << 20
	// zipDirectory bounds the directory, of which all is kept: twice what
	// as many members as are read take.
	zipDirectory = 16 << 20
)

// isZip looks for the first header of a ZIP archive, or the only one of an
// empty one (APPNOTE.TXT 4.3.7, 4.3.16).
func isZip(head []byte) bool {
	return bytes.HasPrefix(head, []byte("PK\x03\x04")) || bytes.HasPrefix(head, []byte("PK\x05\x06"))
}

// zipOf reads a ZIP archive that is no file.
func (b *builder) zipOf(r io.Reader) error {
	data, err := io.ReadAll(io.LimitReader(r, zipStream+1))
	switch {
	case err != nil:
		return fmt.Errorf("%w: %v", ErrCutOff, err)
	case len(data) > zipStream:
		return fmt.Errorf("%w: a ZIP archive of more than %d MiB must be a file, as its directory stands at its end", ErrTooLarge, zipStream>>20)
	}
	return b.zip(bytes.NewReader(data), int64(len(data)))
}

// zip reads the members of a ZIP archive in the order of its directory. One
// that is damaged or not to be read costs itself only.
func (b *builder) zip(r io.ReaderAt, size int64) error {
	b.m.Capture.Format = "archive"
	directory := &bounded{r: r, left: zipDirectory}
	z, err := zip.NewReader(directory, size)
	switch {
	case directory.left < 0:
		return fmt.Errorf("%w: a ZIP archive with a directory of more than %d MiB", ErrTooLarge, zipDirectory>>20)
	case err != nil:
		return fmt.Errorf("%w: the directory of the ZIP archive, at its end, is damaged or missing", ErrCutOff)
	}
	directory.left = size + 1 // from here on members are read, which have limits of their own
	overlaps := overlapping(z.File)
	for _, f := range z.File {
		if strings.HasSuffix(zipName(f), "/") {
			if !b.counted() {
				break
			}
			continue
		}
		path, ok := b.admit(zipName(f), zipKind(f, overlaps), int64(min(f.UncompressedSize64, 1<<62)))
		if ok {
			directory.left = size + 1
			b.zipFile(f, path)
		}
		if b.cut != nil {
			break
		}
	}
	return nil
}

func (b *builder) zipFile(f *zip.File, path string) {
	r, err := f.Open()
	if err != nil {
		why := "it is damaged"
		if errors.Is(err, zip.ErrAlgorithm) {
			why = "it is packed in a way that hwcap does not undo"
		}
		b.skip(path, why)
		return
	}
	defer r.Close()
	b.file(r, path, func() int64 { return int64(f.CompressedSize64) })
}

// zipName is the name of a member with slashes, which some programs on Windows
// do not write, and in UTF-8: without the flag that says so it is in the code
// page of DOS (APPNOTE.TXT 4.4.17, appendix D).
func zipName(f *zip.File) string {
	name := f.Name
	if f.NonUTF8 {
		if decoded, err := charmap.CodePage437.NewDecoder().String(name); err == nil {
			name = decoded
		}
	}
	return strings.ReplaceAll(name, `\`, "/")
}

const encrypted = "encrypted"

// zipKind names what a member is if it is not a plain file that can be read.
func zipKind(f *zip.File, overlaps map[*zip.File]bool) string {
	const isEncrypted = 1 << 0 // APPNOTE.TXT 4.4.4
	switch kind := fileKind(f.Mode()); {
	case kind != "":
		return kind
	case f.Flags&isEncrypted != 0:
		return encrypted
	case overlaps[f]:
		return "a file that shares its data with another one"
	}
	return ""
}

// overlapping finds members whose packed data begin within those of another:
// so a small archive holds much.
func overlapping(files []*zip.File) map[*zip.File]bool {
	type place struct {
		f        *zip.File
		from, to int64
	}
	var places []place
	for _, f := range files {
		from, err := f.DataOffset()
		if err != nil { // it is damaged, which opening it tells
			continue
		}
		places = append(places, place{f, from, from + int64(min(f.CompressedSize64, 1<<62))})
	}
	slices.SortStableFunc(places, func(a, b place) int { return cmp.Compare(a.from, b.from) })
	overlaps := map[*zip.File]bool{}
	end := int64(0)
	for _, p := range places {
		if p.from < end {
			overlaps[p.f] = true
		}
		end = max(end, p.to)
	}
	return overlaps
}

// bounded fails after so many bytes.
type bounded struct {
	r    io.ReaderAt
	left int64
}

func (b *bounded) ReadAt(p []byte, at int64) (int, error) {
	if b.left -= int64(len(p)); b.left < 0 {
		return 0, ErrTooLarge
	}
	return b.r.ReadAt(p, at)
}
