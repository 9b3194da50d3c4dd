package capture

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
	"os"
	"path/filepath"
	"slices"
	"sync"
)

// spool is a private folder that keeps what sources gave until the archive is
// written: one file a source, its members back to back.
type spool struct{ dir string }

// newSpool makes the folder beside the output, so that both lie on one file
// system and the archive can be renamed into place; without an output it lies
// in the folder for temporary files.
func newSpool(output string) (*spool, *Private, error) {
	parent, name := "", "hwcap"
	if output != "" {
		parent, name = filepath.Dir(output), filepath.Base(output)
	}
	p, err := NewPrivate(parent, name)
	if err != nil {
		return nil, nil, err
	}
	return &spool{p.Dir}, p, nil
}

// create returns the entry of a source. cap is the number of bytes that its
// members may have together.
func (s *spool) create(name string, cap int64) (*entry, error) {
	f, err := os.Create(filepath.Join(s.dir, name))
	if err != nil {
		return nil, err
	}
	return &entry{file: f, buf: bufio.NewWriterSize(f, 32<<10), sum: sha256.New(), room: cap}, nil
}

// member is one file of the archive.
type member struct {
	name string
	size int64
}

// entry is what one source gave. It may be written to by a goroutine that was
// given up: after close it takes nothing more.
type entry struct {
	mu      sync.Mutex
	file    *os.File
	buf     *bufio.Writer
	sum     hash.Hash
	room    int64
	members []member
	counts  bool   // there is a member other than .err
	bytes   int64  // of the members that count
	marked  int64  // bytes at the last mark
	head    []byte // first bytes after it
	closed  bool
	err     error // of the spool itself: a full disk
}

const headBytes = 4096

// begin starts a member, which then takes what Write gets.
func (e *entry) begin(name string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.closed {
		return
	}
	e.members = append(e.members, member{name: name})
	e.counts = true
}

// mark sets the point from which sinceMark tells.
func (e *entry) mark() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.marked, e.head = e.bytes, e.head[:0]
}

// sinceMark returns how much was written since the mark, and how it begins.
func (e *entry) sinceMark() (size int64, head string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.bytes - e.marked, string(e.head)
}

// Write appends to the current member. At the cap it takes what still fits and
// returns errFull.
func (e *entry) Write(p []byte) (int, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.closed {
		return 0, os.ErrClosed
	}
	fits := p[:min(int64(len(p)), e.room)]
	if _, err := e.buf.Write(fits); err != nil {
		e.err = err
		return 0, err
	}
	e.sum.Write(fits)
	e.head = append(e.head, fits[:min(len(fits), headBytes-len(e.head))]...)
	e.room -= int64(len(fits))
	e.bytes += int64(len(fits))
	e.members[len(e.members)-1].size += int64(len(fits))
	if len(fits) < len(p) {
		return len(fits), errFull
	}
	return len(p), nil
}

// add appends a whole member.
func (e *entry) add(name string, data []byte) error {
	e.begin(name)
	_, err := e.Write(data)
	return err
}

// aside appends a member that neither counts as bytes of the source nor goes
// into its sum: the standard error of a command.
func (e *entry) aside(name string, data []byte) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.closed {
		return os.ErrClosed
	}
	if _, err := e.buf.Write(data); err != nil {
		e.err = err
		return err
	}
	e.members = append(e.members, member{name, int64(len(data))})
	return nil
}

// dropEmpty forgets members without bytes.
func (e *entry) dropEmpty() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.members = slices.DeleteFunc(e.members, func(m member) bool { return m.size == 0 })
	e.counts = e.bytes > 0
}

// close ends the entry and returns the error of the spool, if there was one.
func (e *entry) close() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.closed {
		return e.err
	}
	e.closed = true
	if err := e.buf.Flush(); e.err == nil {
		e.err = err
	}
	if err := e.file.Close(); e.err == nil {
		e.err = err
	}
	return e.err
}

// digest returns the SHA-256 of the bytes in hexadecimal digits, "" where no
// member counts.
func (e *entry) digest() string {
	if !e.counts {
		return ""
	}
	return hex.EncodeToString(e.sum.Sum(nil))
}

// copyTo hands every member in order to put.
func (e *entry) copyTo(put func(member, io.Reader) error) error {
	f, err := os.Open(e.file.Name())
	if err != nil {
		return err
	}
	defer f.Close()
	for _, m := range e.members {
		if err := put(m, io.LimitReader(f, m.size)); err != nil {
			return fmt.Errorf("%s: %w", m.name, err)
		}
	}
	return nil
}
