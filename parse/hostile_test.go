package parse_test

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"strings"
	"testing"
	"time"

	"hwcap/parse"
	"hwcap/parse/fact"
)

// mostMemory is how many bytes the heap may hold at any time while a stranger's
// archive is opened.
const mostMemory = 256 << 20

// counted counts what is read of a stream.
type counted struct {
	r io.Reader
	n int64
}

func (c *counted) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += int64(n)
	return n, err
}

// watched runs open and returns by how much the heap grew at most, garbage
// included.
func watched(open func()) (peak uint64) {
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(224 << 20)) // as the program does
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	runtime.GC()
	metrics.Read(sample)
	before := sample[0].Value.Uint64()
	stop, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		for {
			metrics.Read(sample)
			peak = max(peak, sample[0].Value.Uint64())
			select {
			case <-stop:
				return
			case <-time.After(time.Millisecond):
			}
		}
	}()
	open()
	close(stop)
	<-done
	return peak - min(peak, before)
}

// readWatched reads a stream that is made while it is read, and holds that its
// heap stays in bounds.
func readWatched(t *testing.T, r io.Reader) (m *fact.Machine, used int64, err error) {
	t.Helper()
	in := &counted{r: r}
	peak := watched(func() { m, err = parse.Read(in, "hostile.tar", parse.Options{}) })
	if peak > mostMemory {
		t.Errorf("the heap grew by %d MiB, at most %d are allowed", peak>>20, mostMemory>>20)
	}
	t.Logf("%d kB read, the heap grew by %d MiB", in.n>>10, peak>>20)
	return m, in.n, err
}

// members is a tar of as many plain files, each made from its number. It writes
// headers by hand, which is faster than archive/tar.
type members struct {
	n, all int
	make   func(n int) (name, data string)
	buf    bytes.Buffer
}

func (m *members) Read(p []byte) (int, error) {
	if m.buf.Len() == 0 {
		if m.n == m.all {
			return 0, io.EOF
		}
		name, data := m.make(m.n)
		if len(name) > 100 { // as GNU tar does
			m.block(header("././@LongLink", 'L', int64(len(name)), nil), name)
		}
		m.block(header(name[:min(len(name), 100)], '0', int64(len(data)), nil), data)
		if m.n++; m.n == m.all {
			m.buf.Write(make([]byte, 1024))
		}
	}
	return m.buf.Read(p)
}

// block writes a header and data, filled up to whole blocks.
func (m *members) block(header []byte, data string) {
	m.buf.Write(header)
	m.buf.WriteString(data)
	m.buf.Write(make([]byte, -len(data)&511))
}

// zeros gives as many zero bytes.
type zeros int64

func (z *zeros) Read(p []byte) (int, error) {
	if *z == 0 {
		return 0, io.EOF
	}
	n := int(min(int64(len(p)), int64(*z)))
	clear(p[:n])
	*z -= zeros(n)
	return n, nil
}

// header is that of a tar, its fields set by hand.
func header(name string, kind byte, size int64, set func([]byte)) []byte {
	h := make([]byte, 512)
	copy(h, name)
	copy(h[100:], "0000644\x000000000\x000000000\x00")
	copy(h[124:], fmt.Appendf(nil, "%011o\x00", size))
	if size >= 1<<33 { // in base 256, as GNU tar writes it
		clear(h[124:136])
		h[124] = 0x80
		binary.BigEndian.PutUint64(h[128:], uint64(size))
	}
	copy(h[136:], "00000000000\x00")
	h[156] = kind
	copy(h[257:], "ustar  \x00")
	if set != nil {
		set(h)
	}
	checksum(h)
	return h
}

// TestManyMembers holds that reading ends at the limit of members, however many
// more there are, and that what came before is there.
func TestManyMembers(t *testing.T) {
	const limit = 100_000
	long := strings.Repeat("n", 900)
	for name, tc := range map[string]struct {
		all  int
		make func(n int) (string, string)
	}{
		"10 million tiny ones":      {10_000_000, func(n int) (string, string) { return fmt.Sprintf("x/%08d", n), "x" }},
		"one more than the limit":   {limit + 1, func(n int) (string, string) { return fmt.Sprintf("x/%08d", n), "" }},
		"long names of attachments": {10_000_000, func(n int) (string, string) { return fmt.Sprintf("x/attach/%s/%08d", long, n), "x" }},
		"folders of accelerators": {10_000_000, func(n int) (string, string) {
			return fmt.Sprintf("x/sys/kernel/debug/qat_%08d/dev_cfg", n), "a = b\n"
		}},
		"functions": {10_000_000, func(n int) (string, string) {
			return fmt.Sprintf("x/sys/bus/pci/devices/%04x:%02x:00.0/vendor", n>>8&0xffff, n&0xff), "0x8086\n"
		}},
		"texts":                    {10_000_000, func(n int) (string, string) { return fmt.Sprintf("x/%08d", n), "[    0.000000] Linux version 6.1.0\n" }},
		"names that are not UTF-8": {10_000_000, func(n int) (string, string) { return fmt.Sprintf("x/\xff%08d", n), "" }},
		"commands of a sosreport": {10_000_000, func(n int) (string, string) {
			return fmt.Sprintf("x/sos_commands/%08d/lspci_-nnvv", n), lspciText
		}},
		"interfaces of a sosreport": {10_000_000, func(n int) (string, string) {
			return fmt.Sprintf("x/sos_commands/networking/ethtool_e%08d", n), fmt.Sprintf("Settings for e%08d:\n\tSpeed: 10000Mb/s\n\tDuplex: Full\n", n)
		}},
	} {
		t.Run(name, func(t *testing.T) {
			source := &members{all: tc.all, make: func(n int) (string, string) {
				if n == 0 {
					return "x/proc/cmdline", "quiet\n"
				}
				return tc.make(n)
			}}
			m, used, err := readWatched(t, source)
			if err != nil {
				t.Fatal(err)
			}
			if !m.Capture.CutOff || m.Platform.Cmdline.V != "quiet" {
				t.Errorf("cut off %v, command line %+v", m.Capture.CutOff, m.Platform.Cmdline)
			}
			found := false
			for _, p := range m.Problems {
				found = found || strings.Contains(p.Text, "more than 100000 members")
			}
			if !found {
				t.Errorf("no problem tells of the limit: %.300v", m.Problems)
			}
			if len(m.Problems) > 10_000 {
				t.Errorf("%d problems", len(m.Problems))
			}
			if read := source.n - limit; read > 300 { // what is read ahead
				t.Errorf("%d members were made, %d bytes read", source.n, used)
			}
		})
	}
	t.Run("as many as the limit", func(t *testing.T) {
		m, _, err := readWatched(t, &members{all: limit, make: func(n int) (string, string) {
			if n == limit-1 {
				return "proc/cmdline", "quiet\n"
			}
			return fmt.Sprintf("x/%08d", n), ""
		}})
		if err != nil || m.Capture.CutOff || m.Platform.Cmdline.V != "quiet" {
			t.Errorf("error %v, machine %+v", err, m)
		}
	})
}

// TestHostileStreams reads archives that are small or endless and claim to be
// large: each ends in an error or at a limit, of which little was read.
func TestHostileStreams(t *testing.T) {
	start := tarOf(t, good)[:1024]
	inGzip := func(r io.Reader) io.Reader {
		out, w := io.Pipe()
		go func() {
			z, _ := gzip.NewWriterLevel(w, gzip.BestSpeed)
			_, err := io.Copy(z, r)
			z.Close()
			w.CloseWithError(err)
		}()
		return out
	}
	after := func(head []byte, n int64) io.Reader {
		rest := zeros(n)
		return io.MultiReader(bytes.NewReader(start), bytes.NewReader(head), &rest)
	}
	const gib = 1 << 30
	bomb := string(tarOf(t, entry{name: "x/inner.tar.gz", data: string(gzipOf(t, make([]byte, 64<<20)))}))
	for name, tc := range map[string]struct {
		r    io.Reader
		want string
		cut  bool
		most int64 // bytes that are read, of the packed file
	}{
		"a member of 5 GB":              {after(header("hwcap-host/cmd/dmesg.txt", '0', 5e9, nil), 5e9), "a member of more than 4 GiB", true, 256 << 10},
		"the same, packed":              {inGzip(after(header("hwcap-host/cmd/dmesg.txt", '0', 5e9, nil), 5e9)), "a member of more than 4 GiB", true, 8 << 20},
		"a member of 1 TB":              {after(header("hwcap-host/cmd/dmesg.txt", '0', 1<<40, nil), gib), "a member of more than 4 GiB", true, 256 << 10},
		"a bomb in a tar in a tar":      {io.MultiReader(bytes.NewReader(start), bytes.NewReader(tarOf(t, entry{name: "hwcap-host/inner.tar", data: bomb}))), "it is an archive inside the archive", false, 1 << 20},
		"sparse, of GNU":                {after(header("hwcap-host/cmd/dmesg.txt", 'S', 0, sparseGNU), 1024), "it is a sparse file", false, 64 << 10},
		"extended header of 1 GB":       {after(header("hwcap-host/x", 'x', gib, nil), gib), "damaged archive", true, 2 << 20},
		"global header of 1 GB":         {after(header("hwcap-host/x", 'g', gib, nil), gib), "damaged archive", true, 2 << 20},
		"long name of 1 GB":             {after(header("././@LongLink", 'L', gib, nil), gib), "damaged archive", true, 2 << 20},
		"long link of 1 GB":             {after(header("././@LongLink", 'K', gib, nil), gib), "damaged archive", true, 2 << 20},
		"a fifo that has a size":        {after(header("hwcap-host/dev/kmsg", '6', 0, nil), 1024), "it is a fifo", false, 64 << 10},
		"a block device":                {after(header("hwcap-host/dev/kmsg", '4', 0, nil), 1024), "it is a device node", false, 64 << 10},
		"a hard link":                   {after(header("hwcap-host/dev/kmsg", '1', 0, func(h []byte) { copy(h[157:], "/etc/shadow") }), 1024), "it is a link", false, 64 << 10},
		"a type that nobody knows":      {after(header("hwcap-host/dev/kmsg", 'Z', 0, nil), 1024), "it is no plain file", false, 64 << 10},
		"a size that is no number":      {after(header("hwcap-host/x", '0', 0, func(h []byte) { copy(h[124:], "zzzzzzzzzzz\x00") }), gib), "damaged archive", true, 256 << 10},
		"a window of 2 TiB, zstd":       {io.MultiReader(bytes.NewReader(zstdHead(31<<3)), new(zeros)), "a zstd file whose window has more than 64 MiB", false, 128 << 10},
		"the largest window of zstd":    {zstdStored(16<<3, after(header("hwcap-host/attach/x", '0', gib/2, nil), gib/2+1024)), "", false, gib},
		"the largest window of xz":      {xzStored(28, 0, after(header("hwcap-host/attach/x", '0', gib/4, nil), gib/4+1024)), "reading ended here", true, gib},
		"blocks of 4 MiB with that, xz": {xzStored(28, 4<<20, after(header("hwcap-host/attach/x", '0', gib/4, nil), gib/4+1024)), "reading ended here", true, gib},
		"many blocks of that, xz":       {xzStored(28, 1<<20, after(header("hwcap-host/attach/x", '0', gib/4, nil), gib/4+1024)), "an xz file of small blocks with large windows", true, 16 << 20},
		"a window of 4 GiB, xz":         {xzStored(40, 0, after(nil, gib)), "an xz file whose window has more than 64 MiB", false, 128 << 10},
		"a bomb in bzip2":               {base64.NewDecoder(base64.StdEncoding, strings.NewReader(bombBzip2)), "it unpacks to more than 1000 times its size", false, 1 << 10},
		"a path without end":            {after(longPath(t, strings.Repeat("d/", 100_000)), 1024), "its name is longer than 1024 bytes", false, 512 << 10},
		"a text of 150000 sections":     {sectionsOf(150_000), "more copies of files came than members are read", false, gib},
		"a text of 100000 listings":     {&lines{all: 100_000, make: func(n int) string { return lspciText + "# lspci\n" }}, "", false, gib},
		"a log of a single line":        {io.MultiReader(strings.NewReader("[    0.000000] Linux version 6.1.0\n[    0.1] "), xs(gib/4)), "", false, gib},
		"an lspci text of a single one": {io.MultiReader(strings.NewReader(lspciText), xs(gib/4)), "", false, gib},
	} {
		t.Run(name, func(t *testing.T) {
			m, used, err := readWatched(t, tc.r)
			if used > tc.most {
				t.Errorf("%d bytes were read, at most %d are needed", used, tc.most)
			}
			switch {
			case err != nil && tc.want != "" && strings.Contains(err.Error(), tc.want):
				return
			case err != nil:
				t.Fatal(err)
			}
			if m.Capture.CutOff != tc.cut {
				t.Errorf("cut off %v: %.500v", m.Capture.CutOff, m.Problems)
			}
			found := tc.want == ""
			for _, p := range m.Problems {
				found = found || strings.Contains(p.Text, tc.want)
			}
			if !found {
				t.Errorf("no problem says %q: %.500v", tc.want, m.Problems)
			}
		})
	}
}

// sparseGNU makes a header one of the old GNU format: 4 GiB out of nothing.
func sparseGNU(h []byte) {
	copy(h[386:], fmt.Sprintf("%011o\x00%011o\x00", 4<<30, 0))
	copy(h[483:], fmt.Sprintf("%011o\x00", int64(4<<30)))
}

// longPath is a member with such a name, in the way of GNU tar.
func longPath(t *testing.T, name string) []byte {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	if err := w.WriteHeader(&tar.Header{Name: "hwcap-host/" + name + "x", Mode: 0o644, Format: tar.FormatGNU}); err != nil {
		t.Fatal(err)
	}
	w.Flush()
	return b.Bytes()
}

// lines is a text of many lines.
type lines struct {
	n, all int
	make   func(n int) string
	rest   string
}

func (l *lines) Read(p []byte) (int, error) {
	if l.rest == "" {
		if l.n == l.all {
			return 0, io.EOF
		}
		l.rest = l.make(l.n)
		l.n++
	}
	n := copy(p, l.rest)
	l.rest = l.rest[n:]
	return n, nil
}

// sectionsOf is a text of supportconfig with as many copies of small files.
func sectionsOf(all int) io.Reader {
	return &lines{all: all, make: func(n int) string {
		return fmt.Sprintf("%s# /sys/module/m%07d/parameters/%0100d\nY\n\n", markFile, n, n)
	}}
}

// xs gives as many letters.
func xs(n int64) io.Reader {
	piece := strings.Repeat("x", 1<<20)
	return &lines{all: int(n >> 20), make: func(int) string { return piece }}
}

// zstdHead begins a frame (RFC 8878, 3.1.1.1) whose window is that of the byte.
func zstdHead(window byte) []byte { return []byte{0x28, 0xb5, 0x2f, 0xfd, 0, window} }

// zstdStored is such a frame of raw blocks.
func zstdStored(window byte, r io.Reader) io.Reader {
	return io.MultiReader(bytes.NewReader(zstdHead(window)), stored(r, 128<<10, func(n int, last bool) []byte {
		block := uint32(n << 3)
		if last {
			block |= 1
		}
		return []byte{byte(block), byte(block >> 8), byte(block >> 16)}
	}))
}

// xzStored is an xz file of chunks that are not compressed, in blocks of so
// many bytes, 0 for one.
func xzStored(window byte, block int, r io.Reader) io.Reader {
	head := []byte{0xfd, '7', 'z', 'X', 'Z', 0, 0, 0, 0, 0, 0, 0} // without a check
	binary.LittleEndian.PutUint32(head[8:], crc32.ChecksumIEEE(head[6:8]))
	start := []byte{2, 0, 0x21, 1, window, 0, 0, 0, 0, 0, 0, 0}
	binary.LittleEndian.PutUint32(start[8:], crc32.ChecksumIEEE(start[:8]))
	written, size := 0, 0
	return io.MultiReader(bytes.NewReader(head), stored(r, 1<<16, func(n int, last bool) []byte {
		var out []byte
		kind := byte(2)
		if size > 0 && block > 0 && size >= block {
			out = append(out, 0) // end of the chunks
			out = append(out, make([]byte, -(written+1)&3)...)
			size, written = 0, 0
		}
		if size == 0 {
			out = append(out, start...)
			kind = 1
		}
		size += n
		written += n + 3
		return append(out, kind, byte((n-1)>>8), byte(n-1))
	}))
}

// stored puts a head before each piece of a stream. It ends without what the
// formats have at their ends.
func stored(r io.Reader, size int, head func(n int, last bool) []byte) io.Reader {
	piece := make([]byte, size)
	var rest []byte
	done := false
	return readerFunc(func(p []byte) (int, error) {
		if len(rest) == 0 {
			if done {
				return 0, io.EOF
			}
			n, err := io.ReadFull(r, piece)
			done = err != nil
			if n == 0 {
				return 0, io.EOF
			}
			rest = append(head(n, done), piece[:n]...)
		}
		n := copy(p, rest)
		rest = rest[n:]
		return n, nil
	})
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

// bombBzip2 is a tar of a command line, 80 MiB of zeros as cmd/dmesg.txt, and a
// version.
const bombBzip2 = "" +
	"QlpoOTFBWSZTWZsJ8ZMFfjjdgM2QQAP/gABgbuf+wAiIMAC4oaUADTQAANAxPUMAMmmgyGCGmI0YEVEmCMg0AepoGQDHjY/q4xRFUVUScRVUVUTZNiayt25o" +
	"2lBUiqoqokALImBfNzvjcUm+AlRAElKYJQHIy1SKokLifhSUQDOWmHsvMCGMe1qB8NZmkORqYGBJuhS7AgG9UA0zCBjkQBEREFVE/mKCskyms1+lveICRjO7" +
	"AZcggAf7AABI1MO/gBCQQAEpDIlHlPKeoMIeo9TJ6jelBFUjE00xMJiYIyZN/xmOiqyQKoqiAh2iQRQFAQ86YRGM5QJAJABIAICFE2Wau1yhauLwc5KCKKQ5" +
	"3DOlMJrKOSMnLnZmFb6sHhvaBtvyVYPELxF7d7vEEfpAUBQEORdyRThQkJnBPdY="

// TestHostileFolder reads a folder of links in circles, and of paths that are
// deeper than a name may be long.
func TestHostileFolder(t *testing.T) {
	top := t.TempDir()
	if err := os.MkdirAll(filepath.Join(top, "proc"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(top, "proc", "cmdline"), []byte("quiet\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for link, target := range map[string]string{"loop": ".", "a": "b", "b": "a", "proc/version": "version", "up": ".."} {
		if err := os.Symlink(target, filepath.Join(top, filepath.FromSlash(link))); err != nil {
			t.Skipf("no symbolic links here: %v", err)
		}
	}
	root, err := os.OpenRoot(top)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	deep, err := root.OpenRoot(".")
	if err != nil {
		t.Fatal(err)
	}
	for range 30 { // longer than a system call takes
		name := strings.Repeat("d", 200)
		if err := deep.Mkdir(name, 0o755); err != nil {
			t.Skipf("no deep folders here: %v", err)
		}
		below, err := deep.OpenRoot(name)
		deep.Close()
		if err != nil {
			t.Fatal(err)
		}
		deep = below
	}
	f, err := deep.Create("dmesg.txt")
	if err != nil {
		t.Fatal(err)
	}
	f.Close()
	deep.Close()
	var m *fact.Machine
	if peak := watched(func() { m, err = parse.Open(top, parse.Options{}) }); peak > mostMemory {
		t.Errorf("the heap grew by %d MiB", peak>>20)
	}
	if err != nil || m.Platform.Cmdline.V != "quiet" {
		t.Fatalf("error %v, machine %+v", err, m)
	}
	for _, link := range []string{"loop", "a", "b", "proc/version", "up"} {
		if got := problem(m, link); got != "not read: it is a link" {
			t.Errorf("%s: problems %v", link, m.Problems)
		}
	}
	found := false
	for _, p := range m.Problems {
		found = found || strings.Contains(p.Text, "its name is longer than 1024 bytes") || strings.Contains(p.Text, "it cannot be read")
	}
	if !found {
		t.Errorf("nothing tells of the deep path: %v", m.Problems)
	}
}

// TestZipBomb opens ZIP archives that hold more than they seem to, as files.
func TestZipBomb(t *testing.T) {
	many := make([]entry, 0, 100_002)
	many = append(many, good)
	for n := range 100_001 {
		many = append(many, entry{name: fmt.Sprintf("x/%08d", n)})
	}
	large := strings.Repeat("\x00", 80<<20)
	for name, tc := range map[string]struct {
		entries []entry
		want    string
		cut     bool
	}{
		"one more than the limit": {many, "more than 100000 members", true},
		"zeros":                   {[]entry{good, {name: "hwcap-host/cmd/dmesg.txt", data: large}, {name: "hwcap-host/proc/version", data: "Linux version 6.1.0 x\n"}}, "it unpacks to more than 1000 times its size", false},
	} {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "x.zip")
			if err := os.WriteFile(file, zipOf(t, func(h *zip.FileHeader) {
				if h.Name[0] == 'x' {
					h.Method = zip.Store
				}
			}, tc.entries...), 0o600); err != nil {
				t.Fatal(err)
			}
			var m *fact.Machine
			var err error
			if peak := watched(func() { m, err = parse.Open(file, parse.Options{}) }); peak > mostMemory {
				t.Errorf("the heap grew by %d MiB", peak>>20)
			}
			if err != nil {
				t.Fatal(err)
			}
			found := false
			for _, p := range m.Problems {
				found = found || strings.Contains(p.Text, tc.want)
			}
			if !found || m.Capture.CutOff != tc.cut || m.Platform.Cmdline.V != "quiet" || !tc.cut && !m.Platform.Version.Known() {
				t.Errorf("cut off %v, command line %+v, problems %.500v", m.Capture.CutOff, m.Platform.Cmdline, m.Problems)
			}
		})
	}
	t.Run("a stream without end", func(t *testing.T) {
		_, used, err := readWatched(t, io.MultiReader(strings.NewReader("PK\x03\x04"), xs(1<<30)))
		if !errors.Is(err, parse.ErrTooLarge) || !strings.Contains(err.Error(), "must be a file") || used > 66<<20 {
			t.Errorf("error %v after %d bytes", err, used)
		}
	})
}
