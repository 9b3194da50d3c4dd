package parse

import (
	"bufio"
	"bytes"
	"compress/bzip2"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/klauspost/compress/gzip" // reads a log twice as fast as the standard library's
	"github.com/klauspost/compress/zstd"
	"github.com/ulikunitz/xz"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/unicode"
)

// Limits bound what is read of a capture.
type Limits struct {
	Members   int   // entries of an archive or folder
	Member    int64 // bytes of one member
	Total     int64 // bytes of all, uncompressed
	Ratio     int64 // uncompressed to compressed bytes of one member ...
	RatioFrom int64 // ... looked at only past so many uncompressed bytes of it
}

// DefaultLimits let every capture pass that collect can write, and bound the
// rest.
var DefaultLimits = Limits{
	Members:   100_000,
	Member:    4 << 30,
	Total:     8 << 30,
	Ratio:     1000,
	RatioFrom: 64 << 20,
}

func (l Limits) orDefault() Limits {
	d := DefaultLimits
	if l.Members == 0 {
		l.Members = d.Members
	}
	for _, f := range []struct{ have, def *int64 }{
		{&l.Member, &d.Member}, {&l.Total, &d.Total}, {&l.Ratio, &d.Ratio}, {&l.RatioFrom, &d.RatioFrom},
	} {
		if *f.have == 0 {
			*f.have = *f.def
		}
	}
	return l
}

const (
	headBytes = 64 << 10 // what contents are recognised by

	// maxWindow is that of zstd --ultra -21 and of xz -9. Their readers hold
	// it in memory, that of zstd twice while it grows.
	maxWindow = 64 << 20
)

// stream is the uncompressed data of a file. It counts, and ends at its limits
// with an error that says which.
type stream struct {
	r      io.Reader
	unpack *ahead // r, if it is compressed
	out    int64
	limits Limits
	err    error // what ended it, nil for its proper end
}

// counter counts the bytes that are read through it.
type counter struct {
	r io.Reader
	n int64
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += int64(n)
	return n, err
}

// compressions are the formats that are undone, by their magic numbers. Of a
// file that breaks off they give what comes before the break but for the block
// that it falls into: of bzip2 up to 900 kB, of zstd 128 KiB, of xz, whose reader
// keeps what it has of a chunk to itself, 64 KiB of the packed file.
var compressions = []struct {
	magic string
	open  func(io.Reader) (io.Reader, func(), error)
}{
	{"\x1f\x8b", func(r io.Reader) (io.Reader, func(), error) {
		z, err := gzip.NewReader(r)
		return z, nil, err
	}},
	{"BZh", func(r io.Reader) (io.Reader, func(), error) { return bzip2.NewReader(r), nil, nil }},
	{"\xfd7zXZ\x00", func(r io.Reader) (io.Reader, func(), error) {
		z, err := xz.NewReader(newXZWindow(r, maxWindow))
		return z, nil, err
	}},
	{"\x28\xb5\x2f\xfd", func(r io.Reader) (io.Reader, func(), error) {
		z, err := zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(maxWindow), zstd.WithDecoderMaxMemory(maxWindow))
		if err != nil {
			return nil, nil, err
		}
		return z, z.Close, nil
	}},
}

const magicBytes = 6 // of the longest magic number

func isCompressed(head []byte) bool {
	for _, c := range compressions {
		if bytes.HasPrefix(head, []byte(c.magic)) {
			return true
		}
	}
	return false
}

// isTar looks for the first header of a tar: by its magic (POSIX ustar and GNU
// alike) or, in archives of before 1988, by its checksum.
func isTar(head []byte) bool {
	if len(head) >= 262 && string(head[257:262]) == "ustar" {
		return true
	}
	if len(head) < tarBlock || head[0] == 0 {
		return false
	}
	// The sum of all bytes, in octal; those of the sum itself count as blanks.
	sum := 8 * int64(' ')
	for i, c := range head[:tarBlock] {
		if i < 148 || i >= 156 {
			sum += int64(c)
		}
	}
	told, err := strconv.ParseInt(strings.Trim(string(head[148:156]), " \x00"), 8, 64)
	return err == nil && told == sum
}

// newStream undoes the compression that r begins with, if any.
func newStream(r io.Reader, limits Limits) (*stream, error) {
	in := &counter{r: r}
	b := bufio.NewReaderSize(in, headBytes)
	s := &stream{r: b, limits: limits}
	head, err := b.Peek(magicBytes)
	if err != nil && err != io.EOF && !errors.Is(err, bufio.ErrBufferFull) {
		return nil, err
	}
	for _, c := range compressions {
		if !bytes.HasPrefix(head, []byte(c.magic)) {
			continue
		}
		z, closer, err := c.open(b)
		if err != nil {
			return nil, fmt.Errorf("%w: %v", ErrCutOff, err)
		}
		s.unpack = readAhead(z, func() int64 { return in.n - int64(b.Buffered()) }, closer)
		s.r = s.unpack
		break
	}
	return s, nil
}

func (s *stream) Read(p []byte) (int, error) {
	if s.err != nil {
		return 0, s.err
	}
	n, err := s.r.Read(p)
	s.out += int64(n)
	if errors.Is(err, gzip.ErrHeader) && s.out > 0 {
		err = io.EOF // what follows the last member is padding, as for gzip(1)
	}
	if errors.Is(err, zstd.ErrWindowSizeExceeded) || errors.Is(err, zstd.ErrDecoderSizeExceeded) {
		err = fmt.Errorf("%w: a zstd file whose window has more than %d MiB", ErrTooLarge, maxWindow>>20)
	}
	if s.out > s.limits.Total {
		err = fmt.Errorf("%w: more than %s in all", ErrTooLarge, bytesText(s.limits.Total))
	}
	if err != nil && err != io.EOF {
		s.err = err
	}
	return n, err
}

// packed returns how much of a compressed file it took to give what was read.
func (s *stream) packed() int64 {
	if s.unpack == nil {
		return 0
	}
	return s.unpack.piece.packed
}

// packedSince returns what tells how much more than from packed returns, nil
// for a file that is not compressed.
func (s *stream) packedSince(from int64) func() int64 {
	if s.unpack == nil {
		return nil
	}
	return func() int64 { return s.packed() - from }
}

func (s *stream) close() {
	if s.unpack != nil {
		s.unpack.stop()
	}
}

func bytesText(n int64) string {
	if n >= 1<<30 {
		return fmt.Sprintf("%d GiB", n>>30)
	}
	return fmt.Sprintf("%d bytes", n)
}

// utf8Mark is the byte order mark that Windows puts before UTF-8.
var utf8Mark = []byte("\xef\xbb\xbf")

// decoded returns r as UTF-8 without a byte order mark, nil where it is that
// already. head is what it begins with.
func decoded(r *bufio.Reader, head []byte) *bufio.Reader {
	if bytes.HasPrefix(head, utf8Mark) {
		r.Discard(len(utf8Mark))
		return r
	}
	if enc := utf16(head); enc != nil {
		return bufio.NewReaderSize(enc.NewDecoder().Reader(r), headBytes)
	}
	return nil
}

// utf16 returns the encoding of a text in UTF-16, as PowerShell writes it; nil
// for everything else. Without a byte order mark it shows by its zero bytes:
// each second one in a text in ASCII.
func utf16(head []byte) encoding.Encoding {
	const looked = 512
	switch {
	case bytes.HasPrefix(head, []byte("\xff\xfe")):
		return unicode.UTF16(unicode.LittleEndian, unicode.UseBOM)
	case bytes.HasPrefix(head, []byte("\xfe\xff")):
		return unicode.UTF16(unicode.BigEndian, unicode.UseBOM)
	}
	var zeros [2]int // at even and odd places
	head = head[:min(len(head), looked)]
	for i, c := range head {
		if c == 0 {
			zeros[i%2]++
		}
	}
	const few = 16 // of this many characters one may be none of ASCII
	pairs := len(head) / 2
	switch {
	case pairs < few:
	case zeros[0] <= pairs/few && zeros[1] >= pairs-pairs/few:
		return unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM)
	case zeros[1] <= pairs/few && zeros[0] >= pairs-pairs/few:
		return unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM)
	}
	return nil
}
