package parse_test

import (
	"archive/tar"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"

	"hwcap/parse"
	"hwcap/parse/fact"
)

// numbered is a text of numbered lines that is never in memory as a whole. While
// it is read it looks how large the heap is.
type numbered struct {
	line func(n int) string
	n    int
	rest string
	peak uint64 // bytes
}

func (l *numbered) Read(p []byte) (int, error) {
	if l.rest == "" {
		var b strings.Builder
		for b.Len() < 1<<20 {
			b.WriteString(l.line(l.n))
			l.n++
		}
		l.rest = b.String()
		l.peak = max(l.peak, heap())
	}
	n := copy(p, l.rest)
	l.rest = l.rest[n:]
	return n, nil
}

// heap is how many bytes of the heap are in use or garbage.
func heap() uint64 {
	var s runtime.MemStats
	runtime.ReadMemStats(&s)
	return s.HeapAlloc
}

// bigMember opens an archive with one member of size bytes, and returns by how
// much the heap grew at most.
func bigMember(t *testing.T, name string, size int64, line func(n int) string) (m *fact.Machine, grown uint64) {
	t.Helper()
	text := &numbered{line: line}
	r, w := io.Pipe()
	done := make(chan struct{})
	runtime.GC()
	before := heap()
	go func() {
		defer close(done)
		out := tar.NewWriter(w)
		err := out.WriteHeader(&tar.Header{Name: name, Mode: 0o644, Size: size, Format: tar.FormatPAX})
		if err == nil {
			_, err = io.CopyN(out, text, size)
		}
		if err == nil {
			err = out.Close()
		}
		w.CloseWithError(err)
	}()
	m, err := parse.Read(r, "x.tar", parse.Options{})
	if err != nil {
		t.Fatal(err)
	}
	after := heap()
	<-done
	return m, max(after, text.peak, before) - before
}

// TestBigMembers: what one member costs is bounded, however much it lists.
func TestBigMembers(t *testing.T) {
	const most = 256 << 20
	function := func(n int) string { return fmt.Sprintf("%06x:%02x:00.0", n>>8, n&0xff) }
	for _, tc := range []struct {
		name    string
		line    func(n int) string
		problem string
	}{
		{"proc/modules", func(int) string { return "x 1\n" }, "more than 20000 entries"},
		{"sys/firmware/acpi/tables/.list", func(int) string { return "x\n" }, "more than 20000 entries"},
		{"sys/bus/pci/devices/.list", func(n int) string { return function(n) + "\n" }, "more than 20000 entries"},
		{"sys/kernel/iommu_groups/.list", func(n int) string { return fmt.Sprintln(n) }, "more than 20000 entries"},
		{"sys/class/net/.list", func(n int) string { return fmt.Sprintf("eth%d -> ../x\n", n) }, "more than 20000 entries"},
		{"cmd/dmidecode.txt", func(n int) string { return fmt.Sprintf("Handle 0x%d, DMI type 9, 17 bytes\n", n) }, "more than 1000 slots"},
		{"cmd/ras-mc-ctl-summary.txt", func(n int) string {
			if n == 0 {
				return "MCE records summary:\n"
			}
			return "\t7 " + strings.Repeat("x", 4<<10) + " errors\n"
		}, "that are kept"},
		{"proc/crypto", func(n int) string {
			long := strings.Repeat("x", 3000)
			return fmt.Sprintf("name : %s\ndriver : %s\npriority : 1 %s\n", long, long, long)
		}, "not a number"},
		{"sys/kernel/debug/qat_x_0000:3d:00.0/dev_cfg", func(int) string { return "a = " + strings.Repeat("x", 1900) + "\n" }, "more than 20000 lines"},
		{"cmd/lspci-vvv.txt", func(n int) string { return function(n) + " 0600: 8086:1234\n" }, "more than 20000 functions"},
		{"x/lspci-mm.txt", func(n int) string { return function(n) + ` "0600" "8086" "1234"` + "\n" }, "more than 20000 functions"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			size := int64(40 << 20)
			if len(tc.line(1)) < 8 { // short lines cost the most
				size = 64 << 20
			}
			m, grown := bigMember(t, tc.name, size, tc.line)
			if grown > most {
				t.Errorf("the heap grew by %d MiB, at most %d are allowed", grown>>20, most>>20)
			}
			found := false
			for _, p := range m.Problems {
				found = found || strings.Contains(p.Text, tc.problem)
			}
			if !found {
				t.Errorf("no problem says %q: %.300v", tc.problem, m.Problems)
			}
			t.Logf("the heap grew by %d MiB", grown>>20)
		})
	}
}
