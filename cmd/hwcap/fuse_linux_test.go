package main

import (
	"encoding/binary"
	"fmt"
	"os"
	"runtime"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// fuseFile is a file system that is one file, whose reads end as the test
// wants, or never: what a driver that is stuck does to a file of sysfs.
type fuseFile struct {
	dev         *os.File
	fd          int
	path        string
	fail        syscall.Errno // what reads fail with; 0: they hang
	interrupted chan struct{}
	reads       chan struct{}
}

// Opcodes of include/uapi/linux/fuse.h.
const (
	fuseForget    = 2
	fuseGetattr   = 3
	fuseOpen      = 14
	fuseRead      = 15
	fuseInit      = 26
	fuseInterrupt = 36
)

// newFuseFile mounts one over path, an empty file. At the end of the test the
// kernel ends every read that hangs.
func newFuseFile(t *testing.T, path string, fail syscall.Errno) *fuseFile {
	t.Helper()
	dev, err := os.OpenFile("/dev/fuse", os.O_RDWR, 0)
	if err != nil {
		t.Skipf("no file system to hang on: %v", err)
	}
	f := &fuseFile{dev: dev, path: path, fail: fail, interrupted: make(chan struct{}), reads: make(chan struct{}, 100)}
	t.Cleanup(func() { dev.Close() })
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	options := fmt.Sprintf("fd=%d,rootmode=100444,user_id=0,group_id=0,allow_other", dev.Fd())
	if err := syscall.Mount("hwcap-test", path, "fuse", 0, options); err != nil {
		t.Skipf("needs root to mount a file system to hang on: %v", err)
	}
	t.Cleanup(func() { syscall.Unmount(path, syscall.MNT_FORCE|syscall.MNT_DETACH) })
	f.fd = int(dev.Fd()) // here, since Fd may not meet Close at the end of the test
	syscall.SetNonblock(f.fd, false)
	go f.serve()
	return f
}

// abort ends every read that hangs, and serve with them (fuse_umount_begin in
// fs/fuse/inode.c). To close the device does not: serve still reads from it.
func (f *fuseFile) abort(t *testing.T) {
	t.Helper()
	if err := syscall.Unmount(f.path, syscall.MNT_FORCE|syscall.MNT_DETACH); err != nil {
		t.Fatal(err)
	}
}

func (f *fuseFile) serve() {
	le := binary.NativeEndian
	buf := make([]byte, 1<<17)
	refuse := true // the first request to interrupt
	for {
		n, err := syscall.Read(f.fd, buf)
		if err != nil || n < 40 {
			return // unmounted
		}
		opcode, unique := le.Uint32(buf[4:]), le.Uint64(buf[8:])
		var body []byte
		var errno syscall.Errno
		switch opcode {
		case fuseInit:
			body = make([]byte, 64)
			le.PutUint32(body[0:], 7) // protocol 7.31
			le.PutUint32(body[4:], 31)
			le.PutUint32(body[20:], 1<<16) // max_write
		case fuseGetattr:
			body = make([]byte, 104)
			le.PutUint64(body[16:], 1)                        // inode
			le.PutUint32(body[16+60:], syscall.S_IFREG|0o444) // mode
			le.PutUint32(body[16+64:], 1)                     // links
		case fuseOpen:
			body = make([]byte, 16)
			le.PutUint32(body[8:], 1) // FOPEN_DIRECT_IO: each read comes here
		case fuseInterrupt:
			if !refuse {
				continue
			}
			// From now on the kernel waits where no signal reaches.
			refuse, errno = false, syscall.ENOSYS
		case fuseRead:
			f.reads <- struct{}{}
			if f.fail == 0 {
				continue
			}
			errno = f.fail
		case fuseForget:
			continue
		default:
			errno = syscall.ENOSYS
		}
		answer := make([]byte, 16, 16+len(body))
		le.PutUint32(answer[4:], uint32(-int32(errno)))
		le.PutUint64(answer[8:], unique)
		answer = append(answer, body...)
		le.PutUint32(answer, uint32(len(answer)))
		syscall.Write(f.fd, answer)
		if opcode == fuseInterrupt {
			f.interrupted <- struct{}{}
		}
	}
}

// harden makes that reads which hang cannot be interrupted: the kernel gives up
// to ask for that when the first request for it is refused.
func (f *fuseFile) harden(t *testing.T) {
	t.Helper()
	thread := make(chan int)
	go func() {
		runtime.LockOSThread() // and it ends with its thread, if ever
		thread <- unix.Gettid()
		os.ReadFile(f.path)
	}()
	tid := <-thread
	<-f.reads
	for {
		unix.Tgkill(os.Getpid(), tid, unix.SIGURG)
		select {
		case <-f.interrupted:
			return
		case <-time.After(20 * time.Millisecond):
		}
	}
}
