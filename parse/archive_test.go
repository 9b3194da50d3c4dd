package parse_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/zstd"
	"github.com/ulikunitz/xz"

	"hwcap/parse"
	"hwcap/parse/fact"
)

// entry is a member of an archive made for a test.
type entry struct {
	name string
	data string
	kind byte   // tar type, 0 for a plain file
	link string // target
}

const cmdline = "proc/cmdline"

// good is the smallest capture that gives a fact.
var good = entry{name: "hwcap-host/" + cmdline, data: "quiet\n"}

func tarOf(t testing.TB, entries ...entry) []byte {
	t.Helper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, e := range entries {
		h := &tar.Header{Name: e.name, Typeflag: e.kind, Linkname: e.link, Size: int64(len(e.data)), Mode: 0o644}
		if e.kind == 0 {
			h.Typeflag = tar.TypeReg
		}
		if err := w.WriteHeader(h); err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(w, e.data); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func gzipOf(t testing.TB, data []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	w.Write(data)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func open(data []byte, limits parse.Limits) (*fact.Machine, error) {
	return parse.Read(bytes.NewReader(data), "capture.tar.gz", parse.Options{Limits: limits})
}

// problem returns the text of the problems about a file, joined.
func problem(m *fact.Machine, file string) string {
	var texts []string
	for _, p := range m.Problems {
		if p.File == file {
			texts = append(texts, p.Text)
		}
	}
	return strings.Join(texts, "; ")
}

// TestBadMember holds that a member that is not taken costs itself only.
func TestBadMember(t *testing.T) {
	inner := string(gzipOf(t, tarOf(t, good)))
	for name, tc := range map[string]struct {
		entry
		file, want string // the problem, empty for none
	}{
		"symbolic link out of the capture": {entry{"hwcap-host/proc/crypto", "", tar.TypeSymlink, "../../../etc/passwd"}, "proc/crypto", "not read: it is a link"},
		"hard link":                        {entry{"hwcap-host/proc/crypto", "", tar.TypeLink, "/etc/passwd"}, "proc/crypto", "not read: it is a link"},
		"device node":                      {entry{name: "hwcap-host/dev/kmsg", kind: tar.TypeChar}, "dev/kmsg", "not read: it is a device node"},
		"fifo":                             {entry{name: "hwcap-host/dev/kmsg", kind: tar.TypeFifo}, "dev/kmsg", "not read: it is a fifo"},
		"name that leads up":               {entry{name: "../proc/crypto", data: "x"}, "../proc/crypto", "not read: its name leads out of the capture"},
		"name that leads up inside":        {entry{name: "hwcap-host/x/../proc/crypto", data: "x"}, "hwcap-host/x/../proc/crypto", "not read: its name leads out of the capture"},
		"absolute name":                    {entry{name: "/proc/crypto", data: "x"}, "/proc/crypto", "not read: its name leads out of the capture"},
		"name with a control character":    {entry{name: "hwcap-host/proc/\x1b[31m", data: "x"}, "hwcap-host/proc/\x1b[31m", "not read: its name holds control characters"},
		"name that is not UTF-8":           {entry{name: "hwcap-host/proc/\xff", data: "x"}, "hwcap-host/proc/\xff", "not read: its name is not UTF-8"},
		"name without end":                 {entry{name: strings.Repeat("x", 5000), data: "x"}, strings.Repeat("x", 1024), "not read: its name is longer than 1024 bytes"},
		"second member of the same name":   {entry{name: "hwcap-host/proc/cmdline", data: "evil\n"}, cmdline, "not read: a member of this name came before"},
		"same name under another top":      {entry{name: "other/proc/cmdline", data: "evil\n"}, "other/proc/cmdline", "not read: it is part of another capture"},
		"another capture":                  {entry{name: "other/proc/version", data: "Linux version 6.6.6 evil\n"}, "other/proc/version", "not read: it is part of another capture"},
		"archive inside the archive":       {entry{name: "hwcap-host/old.tar.gz", data: inner}, "hwcap-host/old.tar.gz", "not read: it is an archive inside the archive"},
		"archive in the place of a text":   {entry{name: "hwcap-host/cmd/dmesg.txt", data: inner}, "cmd/dmesg.txt", "not read: it is an archive inside the archive"},
		"folder":                           {entry{name: "hwcap-host/proc/", kind: tar.TypeDir}, "", ""},
		"file that says nothing":           {entry{name: "hwcap-host/notes.bin", data: "\x00\x01\x02"}, "", "files that hold nothing that hwcap knows: 1: hwcap-host/notes.bin"},
	} {
		t.Run(name, func(t *testing.T) {
			m, err := open(gzipOf(t, tarOf(t, good, tc.entry)), parse.Limits{})
			if err != nil {
				t.Fatal(err)
			}
			if m.Platform.Cmdline.V != "quiet" || m.Capture.CutOff {
				t.Errorf("cmdline %+v, cut off %v: the sound member is lost", m.Platform.Cmdline, m.Capture.CutOff)
			}
			if got := problem(m, tc.file); got != tc.want {
				t.Errorf("problem %q, want %q", got, tc.want)
			}
			if tc.want == "" && len(m.Problems) > 0 {
				t.Errorf("problems: %v", m.Problems)
			}
		})
	}
}

func TestSparseMember(t *testing.T) {
	// A PAX header makes the next member sparse: 8 GiB out of nothing.
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	w.WriteHeader(&tar.Header{Name: good.name, Size: int64(len(good.data)), Mode: 0o644})
	io.WriteString(w, good.data)
	w.Flush()
	const pax = "22 GNU.sparse.major=1\n22 GNU.sparse.minor=0\n31 GNU.sparse.name=proc/crypto\n34 GNU.sparse.realsize=8589934592\n"
	raw := tarOf(t, entry{name: "PaxHeaders/x", data: pax}, entry{name: "GNUSparseFile/x", data: "1\n8589934592\n0\n" + strings.Repeat("\x00", 498)})
	raw[156] = 'x'
	checksum(raw[:512])
	b.Write(raw)
	m, err := open(b.Bytes(), parse.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	if got := problem(m, "proc/crypto"); got != "not read: it is a sparse file" {
		t.Errorf("problems %v", m.Problems)
	}
}

// checksum sets that of a tar header right.
func checksum(h []byte) {
	copy(h[148:156], "        ")
	sum := 0
	for _, c := range h {
		sum += int(c)
	}
	copy(h[148:156], fmt.Sprintf("%06o\x00 ", sum))
}

func TestManyBadMembers(t *testing.T) {
	entries := []entry{good}
	for i := range 1000 {
		entries = append(entries, entry{fmt.Sprintf("hwcap-host/proc/%04d", i), "", tar.TypeSymlink, "x"})
	}
	m, err := open(tarOf(t, entries...), parse.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	if len(m.Problems) != 6 || problem(m, "") != "995 more members not read: it is a link" {
		t.Errorf("problems %v", m.Problems)
	}
}

// endless is a tar of ever more empty members.
type endless struct {
	buf bytes.Buffer
	n   int
}

func (e *endless) Read(p []byte) (int, error) {
	if e.buf.Len() == 0 {
		w := tar.NewWriter(&e.buf)
		w.WriteHeader(&tar.Header{Name: fmt.Sprintf("hwcap-host/proc/sys/%d", e.n), Mode: 0o644})
		w.Flush()
		e.n++
	}
	return e.buf.Read(p)
}

func TestLimits(t *testing.T) {
	zeros := strings.Repeat("\x00", 4<<20)
	big := entry{name: "hwcap-host/cmd/lscpu.txt", data: zeros}
	for name, tc := range map[string]struct {
		data   []byte
		limits parse.Limits
		want   string
	}{
		"too many members":        {tarOf(t, good, entry{name: "a", data: "x"}, entry{name: "b", data: "x"}), parse.Limits{Members: 2}, "more than 2 members"},
		"too large a member":      {tarOf(t, good, big), parse.Limits{Member: 1 << 20}, "a member of more than 1048576 bytes"},
		"too much in all":         {gzipOf(t, tarOf(t, good, big)), parse.Limits{Total: 1 << 20}, "more than 1048576 bytes in all"},
		"folders count as well":   {tarOf(t, good, entry{name: "d/", kind: tar.TypeDir}, entry{name: "e/", kind: tar.TypeDir}), parse.Limits{Members: 2}, "more than 2 members"},
		"all that hwcap knows of": {tarOf(t, big), parse.Limits{Member: 1 << 20}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			m, err := open(tc.data, tc.limits)
			if tc.want == "" { // nothing came before the limit
				if !errors.Is(err, parse.ErrTooLarge) {
					t.Errorf("error %v, want %v", err, parse.ErrTooLarge)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if !m.Capture.CutOff || m.Platform.Cmdline.V != "quiet" {
				t.Errorf("cut off %v, cmdline %+v", m.Capture.CutOff, m.Platform.Cmdline)
			}
			told := slices.DeleteFunc(m.Problems, func(p fact.Problem) bool {
				return p.Text == "files that hold nothing that hwcap knows: 1: a"
			})
			if len(told) != 1 || !strings.Contains(told[0].Text, tc.want) {
				t.Errorf("problems %v, want %q", told, tc.want)
			}
		})
	}
}

// TestBomb reads members that unpack to a thousand times their size and more,
// with the limits as they are: each ends there, and takes no memory; those
// around it are read. A capture may hold such a file, if it was attached.
func TestBomb(t *testing.T) {
	zeros := strings.Repeat("\x00", 80<<20)
	plain := tarOf(t, good, entry{name: "hwcap-host/cmd/dmesg.txt", data: zeros}, entry{name: "hwcap-host/attach/zeros", data: zeros},
		entry{name: "hwcap-host/proc/version", data: "Linux version 6.1.0 x\n"})
	var zs bytes.Buffer
	z, _ := zstd.NewWriter(&zs)
	z.Write(plain)
	z.Close()
	for name, data := range map[string][]byte{"gzip": gzipOf(t, plain), "zstd": zs.Bytes()} {
		t.Run(name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&before)
			m, err := open(data, parse.Limits{})
			if err != nil {
				t.Fatal(err)
			}
			const most = 8 << 20
			for range 100 { // until the reader that was stopped has ended
				runtime.GC()
				runtime.ReadMemStats(&after)
				if int64(after.HeapAlloc)-int64(before.HeapAlloc) <= most {
					break
				}
				time.Sleep(10 * time.Millisecond)
			}
			if m.Capture.CutOff || m.Platform.Cmdline.V != "quiet" || !m.Platform.Version.Known() {
				t.Errorf("cut off %v, cmdline %+v, version %+v", m.Capture.CutOff, m.Platform.Cmdline, m.Platform.Version)
			}
			for source, file := range map[string]string{"dmesg": "cmd/dmesg.txt", "attach-zeros": "attach/zeros"} {
				if s := m.Source(source); s.State != fact.Truncated || s.Bytes > 65<<20 {
					t.Errorf("%s is %v with %d bytes, want 64 MiB of it", source, s.State, s.Bytes)
				}
				if got := problem(m, file); !strings.Contains(got, "it unpacks to more than 1000 times its size") {
					t.Errorf("%s: problems %v", file, m.Problems)
				}
			}
			if held := int64(after.HeapAlloc) - int64(before.HeapAlloc); held > most {
				t.Errorf("%d bytes stay in memory", held)
			}
		})
	}
	t.Run("text alone", func(t *testing.T) {
		m, err := open(gzipOf(t, []byte("[    0.000000] Linux version 6.1.0\n"+zeros)), parse.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		if s := m.Source("dmesg"); !m.Capture.CutOff || s.State != fact.Truncated {
			t.Errorf("cut off %v, dmesg %+v", m.Capture.CutOff, s)
		}
	})
}

// TestRatioIsOfEachMember holds that what packs well does not weigh on what
// comes after it.
func TestRatioIsOfEachMember(t *testing.T) {
	limits := parse.Limits{RatioFrom: 1 << 20, Ratio: 100}
	zeros := strings.Repeat("\x00", 1<<20)
	entries := []entry{good}
	for i := range 4 {
		entries = append(entries, entry{name: fmt.Sprintf("hwcap-host/attach/%d", i), data: zeros})
	}
	m, err := open(gzipOf(t, tarOf(t, append(entries, entry{name: "hwcap-host/proc/version", data: "Linux version 6.1.0 x\n"})...)), limits)
	if err != nil {
		t.Fatal(err)
	}
	if len(m.Problems) > 0 || m.Capture.CutOff || !m.Platform.Version.Known() {
		t.Errorf("problems %v, cut off %v, version %+v", m.Problems, m.Capture.CutOff, m.Platform.Version)
	}
}

// TestSecondArchive reads two archives one after the other, as cat makes them.
func TestSecondArchive(t *testing.T) {
	first, second := tarOf(t, good), tarOf(t, entry{name: "hwcap-host/proc/version", data: "Linux version 6.1.0 x\n"})
	for name, data := range map[string][]byte{
		"plain": slices.Concat(first, second), "gzip": slices.Concat(gzipOf(t, first), gzipOf(t, second)),
	} {
		t.Run(name, func(t *testing.T) {
			m, err := open(data, parse.Limits{})
			if err != nil {
				t.Fatal(err)
			}
			if m.Capture.CutOff || m.Platform.Cmdline.V != "quiet" || m.Platform.Version.Known() {
				t.Errorf("cut off %v, cmdline %+v, version %+v", m.Capture.CutOff, m.Platform.Cmdline, m.Platform.Version)
			}
			if want := "more follows the end of the archive, perhaps a second one: not read"; problem(m, "") != want {
				t.Errorf("problems %v, want %q", m.Problems, want)
			}
		})
	}
}

// TestCutOffBehindZeros cuts a tar where a member ends that ends in zeros: they
// are no end mark.
func TestCutOffBehindZeros(t *testing.T) {
	for name, last := range map[string]entry{
		"a member that is read":     {name: "hwcap-host/sys/bus/pci/devices/0000:00:00.0/config", data: "\x86\x80" + strings.Repeat("\x00", 4094)},
		"a member that is not":      {name: "../zeros", data: strings.Repeat("\x00", 4096)},
		"a member that has padding": {name: "hwcap-host/attach/zeros", data: strings.Repeat("\x00", 4000)},
	} {
		t.Run(name, func(t *testing.T) {
			const mark = 1024
			whole := tarOf(t, good, last)
			for cut, want := range map[int]bool{mark: true, 0: false} {
				m, err := open(whole[:len(whole)-cut], parse.Limits{})
				if err != nil {
					t.Fatal(err)
				}
				if m.Capture.CutOff != want {
					t.Errorf("without the last %d bytes: cut off %v", cut, m.Capture.CutOff)
				}
			}
		})
	}
}

func TestEndlessMembers(t *testing.T) {
	in := &endless{}
	head := tarOf(t, good)[:1024]
	m, err := parse.Read(io.MultiReader(bytes.NewReader(head), in), "endless.tar", parse.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if !m.Capture.CutOff || in.n > parse.DefaultLimits.Members+200 {
		t.Errorf("cut off %v after %d members", m.Capture.CutOff, in.n)
	}
}

// TestCutOff cuts an archive at every byte: nothing panics, what came before
// is there, and only a whole archive counts as whole.
func TestCutOff(t *testing.T) {
	noise := make([]byte, 3000) // does not compress, so that cuts fall inside members
	for i := range noise {
		noise[i] = "0123456789abcdef\n"[(i*i*7+i>>3)%17]
	}
	whole := tarOf(t, good, entry{name: "hwcap-host/cmd/lscpu.txt", data: string(noise)},
		entry{name: "hwcap-host/proc/version", data: "Linux version 6.1.0 x\n"})
	for name, data := range map[string][]byte{"tar.gz": gzipOf(t, whole), "tar": whole} {
		t.Run(name, func(t *testing.T) {
			opened := 0
			for n := range len(data) {
				if name == "tar" && n%512 != 0 && n%511 != 0 {
					continue
				}
				m, err := open(data[:n], parse.Limits{})
				if err != nil {
					if opened > 0 {
						t.Fatalf("cut at %d: %v, although less had been opened", n, err)
					}
					if !errors.Is(err, parse.ErrCutOff) && !errors.Is(err, parse.ErrEmpty) && !errors.Is(err, parse.ErrUnknown) {
						t.Fatalf("cut at %d: error %v", n, err)
					}
					continue
				}
				opened++
				// The end mark of a tar is two blocks and padding; one block is enough.
				if !m.Capture.CutOff && !(name == "tar" && n >= len(whole)-512) {
					t.Errorf("cut at %d of %d: not noticed", n, len(data))
				}
				if got := m.Platform.Cmdline; got.Known() && got.V != "quiet" {
					t.Errorf("cut at %d: cmdline %q", n, got.V)
				}
			}
			if opened == 0 {
				t.Error("no cut archive was opened")
			}
			if m, err := open(data, parse.Limits{}); err != nil || m.Capture.CutOff {
				t.Errorf("the whole archive: %v", err)
			}
		})
	}
}

// TestCutOffBlocks cuts compressed archives of several blocks: what came before
// the block that breaks off is there.
func TestCutOffBlocks(t *testing.T) {
	noise := make([]byte, 1<<20)
	for i, x := 0, uint32(1); i < len(noise); i++ {
		x = x*1664525 + 1013904223
		noise[i] = byte(x >> 24)
	}
	plain := tarOf(t, good, entry{name: "hwcap-host/attach/noise", data: string(noise)})
	for name, compress := range map[string]func(io.Writer) (io.WriteCloser, error){
		"zstd": func(w io.Writer) (io.WriteCloser, error) { return zstd.NewWriter(w) },
		"xz":   func(w io.Writer) (io.WriteCloser, error) { return xz.NewWriter(w) },
	} {
		t.Run(name, func(t *testing.T) {
			var b bytes.Buffer
			w, err := compress(&b)
			if err != nil {
				t.Fatal(err)
			}
			w.Write(plain)
			w.Close()
			m, err := open(b.Bytes()[:b.Len()/2], parse.Limits{})
			if err != nil {
				t.Fatal(err)
			}
			s := m.Source("attach-noise")
			if !m.Capture.CutOff || m.Platform.Cmdline.V != "quiet" || s.Bytes < 400<<10 {
				t.Errorf("cut off %v, cmdline %+v, noise %+v", m.Capture.CutOff, m.Platform.Cmdline, s)
			}
		})
	}
}

func TestCompressions(t *testing.T) {
	plain := tarOf(t, good)
	var zs, xs bytes.Buffer
	zw, _ := zstd.NewWriter(&zs)
	zw.Write(plain)
	zw.Close()
	xw, _ := xz.NewWriter(&xs)
	xw.Write(plain)
	xw.Close()
	half := len(plain) / 2
	members := append(gzipOf(t, plain[:half]), gzipOf(t, plain[half:])...)
	bz, err := os.ReadFile("testdata/cmdline.tar.bz2")
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string][]byte{
		"tar": plain, "gzip": gzipOf(t, plain), "gzip of several members": members,
		"gzip with padding": append(gzipOf(t, plain), make([]byte, 512)...),
		"zstd":              zs.Bytes(), "xz": xs.Bytes(), "bzip2": bz,
	} {
		t.Run(name, func(t *testing.T) {
			m, err := open(data, parse.Limits{})
			if err != nil {
				t.Fatal(err)
			}
			if m.Platform.Cmdline.V != "quiet" || m.Capture.CutOff || len(m.Problems) > 0 {
				t.Errorf("cmdline %+v, cut off %v, problems %v", m.Platform.Cmdline, m.Capture.CutOff, m.Problems)
			}
		})
	}
}

func TestNames(t *testing.T) {
	for name, prefix := range map[string]string{
		"no top folder": "", "dot": "./", "top folder of any name": "C's capture/", "dot and top": "./x/",
	} {
		t.Run(name, func(t *testing.T) {
			m, err := open(tarOf(t,
				entry{name: prefix + "sys/bus/pci/devices/0000_c5_00.0/vendor", data: "0x8086\n"},
				entry{name: prefix + "sys/devices/pci0000_c2/.list", data: "firmware_node -> ../x/PNP0A08:07\n"},
				entry{name: prefix + "sys/bus/pci/devices/.list", data: "0000:c5:00.0 -> ../../../devices/pci0000:c2/0000:c5:00.0\n"},
				entry{name: prefix + "sys/kernel/debug/qat_dh895xcc_0000_c5_00.0/heartbeat/queries_sent", data: "4\n\x00"},
				entry{name: prefix + "sys/module/pcie_aspm/parameters/policy", data: "[default] performance\n"},
			), parse.Limits{})
			if err != nil {
				t.Fatal(err)
			}
			d := m.Device("0000:c5:00.0")
			if d == nil || d.Vendor != "8086" || d.Root != "PNP0A08:07" {
				t.Errorf("device %+v", d)
			}
			if len(m.QAT) != 1 || m.QAT[0].Address != "0000:c5:00.0" || m.QAT[0].HeartbeatSent.V != 4 {
				t.Errorf("QAT %+v", m.QAT)
			}
			if v := m.Setting("sys/module/pcie_aspm/parameters/policy"); !v.Known() {
				t.Error("an underscore that is none of a colon's was lost")
			}
		})
	}
}

// TestFolder reads a folder, in which a link leads out.
func TestFolder(t *testing.T) {
	outside := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(outside, []byte("Linux version 6.6.6 secret\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	top := t.TempDir()
	write := func(name, data string) {
		path := filepath.Join(top, "hwcap-host", filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(data), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(cmdline, "quiet\n")
	write("cmd/lscpu.txt", strings.Repeat("x", 2000))
	for link, target := range map[string]string{"proc/version": outside, "sys": filepath.Dir(outside)} {
		if err := os.Symlink(target, filepath.Join(top, "hwcap-host", filepath.FromSlash(link))); err != nil {
			t.Skipf("no symbolic links here: %v", err)
		}
	}
	for _, dir := range []string{top, filepath.Join(top, "hwcap-host")} {
		m, err := parse.Open(dir, parse.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if m.Platform.Cmdline.V != "quiet" || m.Platform.Version.Known() {
			t.Errorf("%s: cmdline %+v, version %+v", dir, m.Platform.Cmdline, m.Platform.Version)
		}
		if got := problem(m, "proc/version"); got != "not read: it is a link" {
			t.Errorf("%s: problems %v", dir, m.Problems)
		}
	}
	m, err := parse.Open(top, parse.Options{Limits: parse.Limits{Total: 1000}})
	if !errors.Is(err, parse.ErrTooLarge) && (err != nil || !m.Capture.CutOff) {
		t.Errorf("past the limit: %v", err)
	}
	if _, err := parse.Open(t.TempDir(), parse.Options{}); !errors.Is(err, parse.ErrEmpty) {
		t.Errorf("empty folder: %v", err)
	}
	if _, err := parse.Open(filepath.Join(top, "nothing"), parse.Options{}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no folder: %v", err)
	}
}

// TestOrder holds that the order of the members changes nothing.
func TestOrder(t *testing.T) {
	entries := captureOf(t)
	want, err := open(tarOf(t, entries...), parse.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	backwards := slices.Clone(entries)
	slices.Reverse(backwards)
	rotated := append(slices.Clone(entries[len(entries)/2:]), entries[:len(entries)/2]...)
	for name, order := range map[string][]entry{"backwards": backwards, "rotated": rotated} {
		got, err := open(tarOf(t, order...), parse.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func FuzzOpen(f *testing.F) {
	f.Add(tarOf(f, good))
	f.Add(gzipOf(f, tarOf(f, good)))
	f.Add(tarOf(f, captureOf(f)...))
	f.Add([]byte("00:00.0 Host bridge: Example\n"))
	f.Add([]byte("[    0.000000] Linux version 6.1.0\n"))
	f.Add([]byte("\xff\xfe[\x00 \x000\x00.\x00"))
	f.Add([]byte(`{"schema":"hwcap.capture/1","sources":[{"name":"x","state":"present"}]}`))
	f.Add([]byte(hardware))
	f.Add([]byte(supportconfigBoot + supportconfigLog))
	for _, entries := range bundles {
		f.Add(tarOf(f, entries...))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		limits := parse.Limits{Members: 1000, Member: 1 << 20, Total: 4 << 20, RatioFrom: 1 << 20}
		m, err := open(data, limits)
		if (m == nil) == (err == nil) {
			t.Fatalf("machine %v, error %v", m != nil, err)
		}
		if err != nil && strings.ContainsAny(err.Error(), "\n\x1b") {
			t.Errorf("error %q", err)
		}
		if m != nil && !slices.IsSortedFunc(m.Problems, func(a, b fact.Problem) int { return strings.Compare(a.File, b.File) }) {
			t.Error("problems out of order")
		}
		if m == nil {
			return
		}
		for _, u := range m.Unread {
			if u.Lines < 0 || u.Ignored < 0 || u.Lines+u.Ignored > u.Of {
				t.Errorf("more lines are accounted for than there are: %+v", u)
			}
		}
		for _, s := range m.Sources {
			if s.Name == "" || s.State == "" {
				t.Errorf("source %+v", s)
			}
		}
	})
}

func BenchmarkOpen(b *testing.B) {
	data, err := os.ReadFile("../samples/workstation.tar.gz")
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		if _, err := open(data, parse.Limits{}); err != nil {
			b.Fatal(err)
		}
	}
}
