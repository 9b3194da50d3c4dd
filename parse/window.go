package parse

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// xzWindow passes on an xz file up to a block whose window is larger than most
// bytes: its reader would hold all of it in memory, up to 4 GiB. Since it makes
// a new one for each block, many small blocks with large windows end it as well.
// It walks along the chunks by their sizes, without unpacking them ("The .xz File Format"
// 1.2.1; the chunks of LZMA2 as in Linux' lib/xz/xz_dec_lzma2.c).
type xzWindow struct {
	r    io.Reader
	most int64
	err  error

	skip  int64 // bytes to pass on unseen
	piece []byte
	want  int                   // bytes of the piece
	next  func(*xzWindow) error // takes the piece, when it is whole

	windows int64  // bytes of those of all blocks
	data    int64  // bytes of what is unpacked
	kind    byte   // of the chunk
	check   int    // bytes behind each block
	block   int64  // bytes of the data of the block, of the index
	records uint64 // numbers of the index that are to come
}

func newXZWindow(r io.Reader, most int64) *xzWindow {
	x := &xzWindow{r: r, most: most}
	x.expect(12, (*xzWindow).streamHeader)
	return x
}

var errXZ = errors.New("damaged xz file")

func (x *xzWindow) expect(n int, next func(*xzWindow) error) {
	x.piece, x.want, x.next = x.piece[:0], n, next
}

func (x *xzWindow) Read(p []byte) (int, error) {
	if x.err != nil {
		return 0, x.err
	}
	n, err := x.r.Read(p)
	for at := 0; at < n; {
		if pass := min(int64(n-at), x.skip); pass > 0 {
			at += int(pass)
			x.skip -= pass
			continue
		}
		take := min(n-at, x.want-len(x.piece))
		x.piece = append(x.piece, p[at:at+take]...)
		at += take
		if len(x.piece) == x.want {
			if x.err = x.next(x); x.err != nil {
				return at - take, x.err
			}
		}
	}
	return n, err
}

// streamHeader: magic bytes, flags, and their sum.
func (x *xzWindow) streamHeader() error {
	sizes := [16]int{0, 4, 4, 4, 8, 8, 8, 16, 16, 16, 32, 32, 32, 64, 64, 64}
	x.check = sizes[x.piece[7]&0x0f]
	x.expect(1, (*xzWindow).blockSize)
	return nil
}

// blockSize: how long the header of a block is; 0 begins the index.
func (x *xzWindow) blockSize() error {
	if x.piece[0] == 0 {
		x.block = 1
		x.records = 0
		x.expect(1, (*xzWindow).indexCount)
		return nil
	}
	x.expect((int(x.piece[0])+1)*4-1, (*xzWindow).blockHeader)
	return nil
}

// blockHeader: sizes if there are, and the filters with their properties.
func (x *xzWindow) blockHeader() error {
	const lzma2 = 0x21
	flags, rest := x.piece[0], x.piece[1:]
	number := func() uint64 {
		v, n := binary.Uvarint(rest)
		if n <= 0 {
			rest = nil
			return 0
		}
		rest = rest[n:]
		return v
	}
	for _, there := range []byte{0x40, 0x80} {
		if flags&there != 0 {
			number()
		}
	}
	for range flags&3 + 1 {
		id, size := number(), number()
		if size > uint64(len(rest)) {
			return errXZ
		}
		if id == lzma2 && size == 1 {
			if err := x.window(rest[0]); err != nil {
				return err
			}
		}
		rest = rest[size:]
	}
	x.block = 0
	x.expect(1, (*xzWindow).chunk)
	return nil
}

// window: 2 or 3 times a power of two bytes. xz makes blocks of three times the
// window unless it is told otherwise.
func (x *xzWindow) window(bits byte) error {
	const largest, often = 40, 16
	size := int64(2|bits&1) << (bits/2 + 11)
	if bits > largest || size > x.most {
		return fmt.Errorf("%w: an xz file whose window has more than %d MiB", ErrTooLarge, x.most>>20)
	}
	if x.windows += size; x.windows > x.most+often*x.data {
		return fmt.Errorf("%w: an xz file of small blocks with large windows", ErrTooLarge)
	}
	return nil
}

// chunk: what kind of chunk of LZMA2 follows; 0 ends the block.
func (x *xzWindow) chunk() error {
	const properties = 0xc0
	x.block++
	x.kind = x.piece[0]
	switch control := x.kind; {
	case control == 0:
		x.skip = -x.block&3 + int64(x.check)
		x.expect(1, (*xzWindow).blockSize)
	case control >= properties:
		x.expect(5, (*xzWindow).chunkSize)
	case control >= 0x80:
		x.expect(4, (*xzWindow).chunkSize)
	case control <= 2:
		x.expect(2, (*xzWindow).chunkSize)
	default:
		return errXZ
	}
	return nil
}

// chunkSize: the size of what is unpacked, if it is packed, and of the data.
func (x *xzWindow) chunkSize() error {
	size := x.piece
	unpacked := int64(binary.BigEndian.Uint16(size))
	if len(size) > 2 { // the first two bytes are the size of what is unpacked
		size = size[2:]
		unpacked |= int64(x.kind&0x1f) << 16
	}
	x.data += unpacked + 1
	x.skip = int64(binary.BigEndian.Uint16(size)) + 1
	x.block += int64(len(x.piece)) + x.skip
	x.expect(1, (*xzWindow).chunk)
	return nil
}

// indexCount and index: variable-length numbers, of which each byte but the
// last has its high bit set.
func (x *xzWindow) indexCount() error {
	x.block++
	const longest = 9
	b := x.piece[len(x.piece)-1]
	if b&0x80 != 0 {
		if x.want == longest {
			return errXZ
		}
		x.want++
		return nil
	}
	count, _ := binary.Uvarint(x.piece)
	if count > 1<<40 {
		return errXZ
	}
	x.records = 2 * count
	return x.indexNext()
}

func (x *xzWindow) index() error {
	x.block++
	if x.piece[0]&0x80 == 0 {
		x.records--
	}
	return x.indexNext()
}

// indexNext: behind the last number are padding, the sum of the index and the
// footer of the stream; another stream can follow, after padding.
func (x *xzWindow) indexNext() error {
	if x.records > 0 {
		x.expect(1, (*xzWindow).index)
		return nil
	}
	const sum, footer = 4, 12
	x.skip = -x.block&3 + sum + footer
	x.expect(4, (*xzWindow).padding)
	return nil
}

func (x *xzWindow) padding() error {
	if binary.LittleEndian.Uint32(x.piece) == 0 {
		x.expect(4, (*xzWindow).padding)
		return nil
	}
	x.want = 12
	x.next = (*xzWindow).streamHeader
	return nil
}
