package redact

import (
	"encoding/binary"
	"io"
)

const (
	configMost = 4096  // bytes of configuration space of PCI Express
	extended0  = 0x100 // where its extended capabilities begin
	dsnID      = 0x0003
)

// serialNumbers replaces the Device Serial Numbers in configuration space and
// tells where: two registers behind the header of an extended capability, the
// lower one first (PCIe 6.0 section 7.9.3).
func (r *Redactor) serialNumbers(space []byte, found func(offset int, class Class)) {
	// Each capability is a word of its own, so that a chain has an end.
	for at, n := extended0, 0; at >= extended0 && at+12 <= len(space) && n < configMost/4; n++ {
		header := binary.LittleEndian.Uint32(space[at:])
		if header == 0 || header == 0xffffffff {
			return
		}
		if header&0xffff == dsnID {
			raw := space[at+4 : at+12]
			if pseudo, ok := r.serialNumber(flip([8]byte(raw))); ok {
				back := flip(pseudo)
				copy(raw, back[:])
				found(at+4, PCIeSerial)
			}
		}
		at = int(header >> 20 &^ 3)
	}
}

// config copies a member that is configuration space.
func (r *Redactor) config(dst io.Writer, src io.Reader) error {
	var space [configMost]byte
	n, err := io.ReadFull(src, space[:])
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return err
	}
	if r.learning {
		return nil
	}
	found := func(offset int, class Class) { r.note(place{offset: int64(offset)}, class) }
	r.serialNumbers(space[:n], found)
	r.sweeper().replace(space[:n], found)
	if _, err := dst.Write(space[:n]); err != nil || n < len(space) {
		return err
	}
	return r.bytes(dst, src)
}

// bytes copies what has no grammar, with what is known replaced.
func (r *Redactor) bytes(dst io.Writer, src io.Reader) error {
	if r.learning {
		return nil
	}
	s := r.sweeper()
	buf := make([]byte, 0, 256<<10)
	var start int64 // of buf in the member
	for {
		n, err := src.Read(buf[len(buf):cap(buf)])
		buf = buf[:len(buf)+n]
		if err != nil && err != io.EOF {
			return err
		}
		done := len(buf)
		if err == nil {
			if done -= maxValue; done <= 0 {
				continue
			}
		}
		found := func(offset int, class Class) { r.note(place{offset: start + int64(offset)}, class) }
		s.replace(buf, found)
		r.printed(buf, found)
		if _, werr := dst.Write(buf[:done]); werr != nil {
			return werr
		}
		buf = buf[:copy(buf, buf[done:])]
		start += int64(done)
		if err == io.EOF {
			return nil
		}
	}
}
