package redact

import (
	"bytes"
	"io"
)

// maxLine is how much of a line is looked at as one. A longer one is taken in
// pieces that end behind a blank where there is one.
const maxLine = 1 << 20

// roomForLines is what a text is read and written with at first.
const roomForLines = 64 << 10

// each hands the lines of src, with what ends them, to do. The pieces of a long
// line but its last have no end. It reads into room, and into more where a line
// needs that.
func each(room []byte, src io.Reader, do func(line, end []byte) error) error {
	buf := room[:0]
	start := 0     // of what is not handed on
	searched := 0  // where no line feed is
	var done error // why there is no more to read
	for {
		if i := bytes.IndexByte(buf[searched:], '\n'); i >= 0 {
			next := searched + i + 1
			if err := do(split(buf[start:next])); err != nil {
				return err
			}
			start, searched = next, next
			continue
		}
		searched = len(buf)
		if len(buf)-start >= maxLine {
			n := bytes.LastIndexByte(buf[start:], ' ') + 1
			if n == 0 {
				n = len(buf) - start
			}
			if err := do(buf[start:start+n], nil); err != nil {
				return err
			}
			start += n
			continue
		}
		if done != nil {
			break
		}
		if start > 0 {
			n := copy(buf, buf[start:])
			buf, start, searched = buf[:n], 0, n
		}
		if len(buf) == cap(buf) {
			grown := make([]byte, len(buf), 2*cap(buf))
			copy(grown, buf)
			buf = grown
		}
		n, err := src.Read(buf[len(buf):cap(buf)])
		buf, done = buf[:len(buf)+n], err
	}
	if start < len(buf) {
		if err := do(split(buf[start:])); err != nil {
			return err
		}
	}
	if done == io.EOF {
		return nil
	}
	return done
}

// split takes the end of a line off, LF or CR LF. The last line may have none;
// its end is empty then, not nil.
func split(s []byte) (line, end []byte) {
	n := len(s)
	if n > 0 && s[n-1] == '\n' {
		n--
		if n > 0 && s[n-1] == '\r' {
			n--
		}
	}
	return s[:n], s[n:]
}
