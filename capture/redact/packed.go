package redact

import (
	"bytes"
	"compress/gzip"
	"io"
)

const (
	gzipMost     = 64 << 20  // bytes of a packed member
	unpackedMost = 512 << 20 // bytes of what is in it
)

// packings are what begins files whose contents no rule reaches: archives,
// compressions other than gzip, documents, pictures, databases and what is
// encrypted. Readers of a capture do not open them either.
var packings = [][]byte{
	[]byte("\xfd7zXZ\x00"), []byte("\x28\xb5\x2f\xfd"), []byte("BZh"), []byte("PK\x03\x04"), []byte("7z\xbc\xaf\x27\x1c"),
	[]byte("\x04\x22\x4d\x18"), []byte("\x02\x21\x4c\x18"), []byte("Rar!"), []byte("LPKSHHRH"), // the last is a journal
	[]byte("\x1f\x9d"), []byte("\x1f\xa0"), []byte("\x78\x01"), []byte("\x78\x9c"), []byte("\x78\xda"), // compress, zlib
	[]byte("\x5d\x00\x00"), []byte("LZIP"), []byte("\x89LZO\x00"), []byte("hsqs"), // lzma, lzip, lzop, squashfs
	[]byte("%PDF-"), []byte("\xd0\xcf\x11\xe0"), // the second of older word processors
	[]byte("\x89PNG\r\n\x1a\n"), []byte("\xff\xd8\xff"), []byte("GIF8"), []byte("RIFF"), // the last is WebP
	[]byte("SQLite format 3\x00"), []byte("age-encryption.org/"), []byte("-----BEGIN AGE ENCRYPTED FILE"), []byte("Salted__"),
}

// isPacked reports whether a member is a packing, or tar, which has its name
// behind the first header.
func isPacked(head []byte) bool {
	for _, magic := range packings {
		if bytes.HasPrefix(head, magic) {
			return true
		}
	}
	return len(head) >= 262 && string(head[257:262]) == "ustar"
}

// drop leaves a member empty.
func (r *Redactor) drop() error {
	if !r.learning {
		r.note(place{}, DroppedMember)
	}
	return nil
}

// gzip copies a text or other bytes in gzip. Where nothing is replaced, they stay
// packed as they are. An archive is dropped, and so is what breaks off with an
// identity in it.
func (r *Redactor) gzip(dst io.Writer, src io.Reader) error {
	packed, err := io.ReadAll(io.LimitReader(src, gzipMost))
	if err != nil {
		return err
	}
	in, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return r.bytes(dst, bytes.NewReader(packed))
	}
	const inside = labels | logs
	var head [512]byte
	n, _ := io.ReadFull(in, head[:])
	if isPacked(head[:n]) || bytes.HasPrefix(head[:n], []byte("\x1f\x8b")) {
		return r.drop()
	}
	rewrite := func(dst io.Writer, src io.Reader) error { return r.rewriteText(dst, src, inside) }
	if bytes.IndexByte(head[:n], 0) >= 0 {
		if r.learning {
			return nil
		}
		rewrite = r.bytes
	}
	text := io.LimitReader(io.MultiReader(bytes.NewReader(head[:n]), in), unpackedMost)
	if r.learning {
		r.learnText(text, inside) // a broken one is learned from as far as it goes
		return nil
	}
	before := len(r.report)
	var out bytes.Buffer
	pack := gzip.NewWriter(&out)
	if err := rewrite(pack, text); err != nil {
		if len(r.report) == before { // no identity as far as it goes
			return r.bytes(dst, bytes.NewReader(packed))
		}
		r.report = r.report[:before]
		return r.drop()
	}
	if err := pack.Close(); err != nil {
		return err
	}
	if len(r.report) == before && in.Name == "" && in.Comment == "" {
		_, err = dst.Write(packed)
	} else {
		_, err = dst.Write(out.Bytes())
	}
	return err
}
