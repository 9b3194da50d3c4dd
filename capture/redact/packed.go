package redact

import (
	"bytes"
	"compress/gzip"
	"io"
)

const gzipMost = 64 << 20 // bytes of a packed member

// gzip copies a text in gzip. Where nothing is replaced, its bytes stay as
// they are; what cannot be unpacked is swept as bytes.
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
	if r.learning {
		r.learnText(in, inside) // a broken one is learned from as far as it goes
		return nil
	}
	before := len(r.report)
	var out bytes.Buffer
	pack := gzip.NewWriter(&out)
	if err := r.rewriteText(pack, in, inside); err != nil {
		r.report = r.report[:before]
		return r.bytes(dst, bytes.NewReader(packed))
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
