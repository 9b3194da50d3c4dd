package redact

import (
	"bytes"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"
)

// logText is a log with what a log has: most lines without an identity.
func logText(size int) []byte {
	var b bytes.Buffer
	for i := 0; b.Len() < size; i++ {
		s := i % 100_000
		fmt.Fprintf(&b, "[%5d.%06d] pcieport 0000:%02x:%02x.0: AER: Corrected error received: 0000:%02x:00.0\n", s, s, i%256, i%32, i%256)
		fmt.Fprintf(&b, "[%5d.%06d] pcieport 0000:%02x:00.0:   device [8086:%04x] error status/mask=00000001/00002000\n", s, s, i%256, i%65536)
		fmt.Fprintf(&b, "[%5d.%06d] workqueue: output_poll_execute [drm_kms_helper] hogged CPU for >10000us %d times\n", s, s, i)
		if i%8 == 0 {
			fmt.Fprintf(&b, "[%5d.%06d] br0: port 2(veth%d) entered forwarding state, 00:00:5e:00:%02x:%02x\n", s, s, i, i>>8&255, i&255)
			fmt.Fprintf(&b, "[%5d.%06d] [UFW BLOCK] IN=eth0 OUT= MAC=00:00:5e:00:53:01 SRC=198.51.100.7 DST=192.0.2.1 LEN=40\n", s, s)
		}
	}
	return b.Bytes()
}

func BenchmarkRewrite(b *testing.B) {
	text := logText(100 << 20)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		r := New(testKey)
		if err := r.Learn("cmd/dmesg.txt", bytes.NewReader(text)); err != nil {
			b.Fatal(err)
		}
		if err := r.Rewrite("cmd/dmesg.txt", io.Discard, bytes.NewReader(text)); err != nil {
			b.Fatal(err)
		}
	}
}

// repeated reads a text again and again, so that the test itself holds little.
type repeated struct {
	text []byte
	left int
	rest []byte
	most uint64 // of the heap, seen between reads
	n    int
}

func (r *repeated) Read(b []byte) (int, error) {
	if r.n++; r.n%64 == 0 {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		r.most = max(r.most, m.HeapInuse+m.StackInuse)
	}
	if len(r.rest) == 0 {
		if r.left == 0 {
			return 0, io.EOF
		}
		r.rest = r.text
		r.left--
	}
	n := copy(b, r.rest)
	r.rest = r.rest[n:]
	return n, nil
}

// TestMemory: 100 MiB of a log are redacted in a part of that.
func TestMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("100 MiB of text")
	}
	text := logText(1 << 20)
	r := New(testKey)
	for _, do := range []func(src io.Reader) error{
		func(src io.Reader) error { return r.Learn("cmd/dmesg.txt", src) },
		func(src io.Reader) error { return r.Rewrite("cmd/dmesg.txt", io.Discard, src) },
	} {
		in := &repeated{text: text, left: 100}
		if err := do(in); err != nil {
			t.Fatal(err)
		}
		if in.most > 128<<20 {
			t.Errorf("%d MiB of memory", in.most>>20)
		}
		t.Logf("%d MiB of memory", in.most>>20)
	}
	if n := len(r.Report()); n == 0 {
		t.Error("nothing was replaced")
	}
}

// TestLongLine: a line without end is taken in pieces, in linear time.
func TestLongLine(t *testing.T) {
	for _, part := range []string{"aa:", "password=", "serial number: ", "://", "/home/", "1.2.3.", "00-", " 00", "nqn.1:", "::", "IN= OUT= ", "a-",
		"a@b.cd ", `a-b\x2d`, "00%3A", "cifs //", "dhcpack ", "nfs4 a:/", "ata-x_1 ", "for x from 192.0.2.1 ", "ssid '", "ll header: "} {
		text := strings.Repeat(part, (3<<20)/len(part))
		got := redacted(t, "attach/x", text)
		if strings.Count(got, "\n") != 0 {
			t.Errorf("%q: line feeds appeared", part)
		}
	}
}
