package leak

import (
	"bufio"
	"bytes"
	"compress/bzip2"
	"compress/zlib"
	"encoding/binary"
	"io"
	"unicode/utf16"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"github.com/ulikunitz/xz"
	"github.com/ulikunitz/xz/lzma"
)

// compressions are undone before a member is searched, by what they begin with.
var compressions = []struct {
	magic string
	open  func(io.Reader) (io.Reader, error)
}{
	{"\x1f\x8b\x08", func(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) }},
	{"BZh", func(r io.Reader) (io.Reader, error) { return bzip2.NewReader(r), nil }},
	{"\xfd7zXZ\x00", func(r io.Reader) (io.Reader, error) { return xz.NewReader(r) }},
	{"\x28\xb5\x2f\xfd", func(r io.Reader) (io.Reader, error) { return zstd.NewReader(r, zstd.WithDecoderConcurrency(1)) }},
	{"\x78\x01", func(r io.Reader) (io.Reader, error) { return zlib.NewReader(r) }},
	{"\x78\x9c", func(r io.Reader) (io.Reader, error) { return zlib.NewReader(r) }},
	{"\x78\xda", func(r io.Reader) (io.Reader, error) { return zlib.NewReader(r) }},
	{"\x5d\x00\x00", func(r io.Reader) (io.Reader, error) { return lzma.NewReader(r) }},
	{"\xff\xfe", func(r io.Reader) (io.Reader, error) { return newWide(r, binary.LittleEndian), nil }},
	{"\xfe\xff", func(r io.Reader) (io.Reader, error) { return newWide(r, binary.BigEndian), nil }},
}

// closed are what begins files that are not looked into: their contents are a
// leak, since nothing tells what is in them.
var closed = []string{
	"PK\x03\x04", "7z\xbc\xaf\x27\x1c", "Rar!", "\x04\x22\x4d\x18", "\x02\x21\x4c\x18", // lz4, also the old one
	"\x1f\x9d", "\x1f\xa0", "LZIP", "\x89LZO\x00", "hsqs", "LPKSHHRH", // compress, squashfs, a journal
	"%PDF-", "\xd0\xcf\x11\xe0", "\x89PNG\r\n\x1a\n", "\xff\xd8\xff", "GIF8", "RIFF", // documents, pictures
	"SQLite format 3\x00", "age-encryption.org/", "-----BEGIN AGE ENCRYPTED FILE", "Salted__",
}

func isClosed(head []byte) bool {
	for _, magic := range closed {
		if bytes.HasPrefix(head, []byte(magic)) {
			return true
		}
	}
	return false
}

// compressionOf returns what undoes the compression that head begins with, nil
// for none.
func compressionOf(head []byte) func(io.Reader) (io.Reader, error) {
	for _, c := range compressions {
		if bytes.HasPrefix(head, []byte(c.magic)) {
			return c.open
		}
	}
	return nil
}

// wide reads UTF-16 as UTF-8.
type wide struct {
	in    *bufio.Reader
	order binary.ByteOrder
	out   []byte
	err   error
}

func newWide(r io.Reader, order binary.ByteOrder) io.Reader {
	w := &wide{in: bufio.NewReader(r), order: order}
	w.in.Discard(2) // the mark of the order of bytes
	return w
}

func (w *wide) Read(p []byte) (int, error) {
	for len(w.out) == 0 && w.err == nil {
		var raw [4 << 10]byte
		var n int
		n, w.err = io.ReadFull(w.in, raw[:])
		units := make([]uint16, n/2)
		for i := range units {
			units[i] = w.order.Uint16(raw[2*i:])
		}
		w.out = []byte(string(utf16.Decode(units)))
		if w.err == io.ErrUnexpectedEOF {
			w.err = io.EOF
		}
	}
	if len(w.out) == 0 {
		return 0, w.err
	}
	n := copy(p, w.out)
	w.out = w.out[n:]
	return n, nil
}
