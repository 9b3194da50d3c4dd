package redact

import (
	"bytes"
	"io"
	"os"
)

// spoolMost is how much of a member is kept in memory.
const spoolMost = 4 << 20

// spool keeps what is written to it, in memory or, where it is much, in a file
// that nobody else can read.
type spool struct {
	folder string
	size   int64
	buf    bytes.Buffer
	file   *os.File
}

func (s *spool) Write(b []byte) (int, error) {
	s.size += int64(len(b))
	if s.file == nil && s.buf.Len()+len(b) <= spoolMost {
		return s.buf.Write(b)
	}
	if s.file == nil {
		f, err := os.CreateTemp(s.folder, "hwcap-*")
		if err != nil {
			return 0, err
		}
		s.file = f
		if _, err := s.buf.WriteTo(f); err != nil {
			return 0, err
		}
	}
	return s.file.Write(b)
}

// copyTo copies all that was written.
func (s *spool) copyTo(dst io.Writer) error {
	if s.file == nil {
		_, err := s.buf.WriteTo(dst)
		return err
	}
	if _, err := s.file.Seek(0, io.SeekStart); err != nil {
		return err
	}
	_, err := io.Copy(dst, s.file)
	return err
}

// close removes the file.
func (s *spool) close() {
	if s.file != nil {
		s.file.Close()
		os.Remove(s.file.Name())
	}
}
