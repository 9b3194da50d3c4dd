package capture

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/jsonschema-go/jsonschema"
	"github.com/klauspost/compress/zstd"
)

// readArchive returns the members of a tar stream in order, and fails on what
// a capture must not have.
func readArchive(tb testing.TB, r io.Reader) (names []string, members map[string][]byte) {
	tb.Helper()
	members = map[string][]byte{}
	tr := tar.NewReader(r)
	for {
		h, err := tr.Next()
		if errors.Is(err, io.EOF) {
			return names, members
		}
		if err != nil {
			tb.Fatal(err)
		}
		top, name, _ := strings.Cut(h.Name, "/")
		switch {
		case h.Typeflag != tar.TypeReg || h.Mode != 0o644 || h.Uid != 0 || h.Gid != 0 || h.Uname != "" || h.Gname != "":
			tb.Errorf("%s: type %c, mode %o, owner %d:%d %q:%q", h.Name, h.Typeflag, h.Mode, h.Uid, h.Gid, h.Uname, h.Gname)
		case !strings.HasPrefix(top, "hwcap-") || !filepath.IsLocal(name):
			tb.Errorf("%s: not in the folder of the capture", h.Name)
		case members[name] != nil:
			tb.Errorf("%s: twice", h.Name)
		}
		data, err := io.ReadAll(tr)
		if err != nil {
			tb.Fatal(err)
		}
		names, members[name] = append(names, name), append([]byte{}, data...)
	}
}

func gunzip(tb testing.TB, r io.Reader) io.Reader {
	tb.Helper()
	z, err := gzip.NewReader(r)
	if err != nil {
		tb.Fatal(err)
	}
	return z
}

func open(tb testing.TB, name string) *os.File {
	tb.Helper()
	f, err := os.Open(name)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { f.Close() })
	return f
}

// assertOnly fails if a folder holds anything but the named files.
func assertOnly(tb testing.TB, dir string, want ...string) {
	tb.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		tb.Fatal(err)
	}
	var got []string
	for _, e := range entries {
		got = append(got, e.Name())
	}
	if diff := cmp.Diff(want, got); diff != "" {
		tb.Errorf("files in the output's folder (-want +got):\n%s", diff)
	}
}

// filesOnly leaves out commands and netlink: what is then asked comes from the
// fake machine alone.
var filesOnly = Selection{Only: []string{"proc", "sys", "etc"}}

// Of this very machine, whatever it has: every source is in the manifest, the
// manifest fits its schema, and sizes and sums are those of the members.
func TestCollectThisMachine(t *testing.T) {
	dir := t.TempDir()
	note := filepath.Join(dir, "note")
	if err := os.WriteFile(note, []byte("slot 4, riser\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	output := filepath.Join(dir, "out.tar.gz")
	result, err := Collect(t.Context(), Options{Output: output, Tool: "hwcap test", Attach: []Attachment{{"note.txt", note}}})
	if err != nil {
		t.Fatal(err)
	}
	assertOnly(t, dir, "note", "out.tar.gz")
	info, err := os.Stat(output)
	if err != nil {
		t.Fatal(err)
	}
	if info.Mode().Perm() != 0o600 || info.Size() != result.Bytes {
		t.Errorf("mode %v, %d bytes, told %d", info.Mode(), info.Size(), result.Bytes)
	}
	names, members := readArchive(t, gunzip(t, open(t, output)))
	if last := names[len(names)-1]; last != "manifest.json" {
		t.Errorf("the last member is %s", last)
	}
	if got := string(members["attach/note.txt"]); got != "slot 4, riser\n" {
		t.Errorf("attachment %q", got)
	}
	validate(t, members["manifest.json"])

	var m Manifest
	if err := json.Unmarshal(members["manifest.json"], &m); err != nil {
		t.Fatal(err)
	}
	if got, want := len(m.Sources), len(Sources())+1; got != want {
		t.Errorf("%d sources in the manifest, want %d", got, want)
	}
	for _, r := range m.Sources {
		if !bytes.Contains(members["manifest.json"], []byte("\n    {\"name\":\""+r.Name+"\",")) {
			t.Errorf("%s has no line of its own", r.Name)
		}
		if r.Kind == Tree || r.SHA256 == "" {
			continue
		}
		sum := sha256.Sum256(members[r.Path])
		if int64(len(members[r.Path])) != r.Bytes || hex.EncodeToString(sum[:]) != r.SHA256 {
			t.Errorf("%s: size or sum of %s is not that of the member", r.Name, r.Path)
		}
	}
}

// validate checks a manifest against its schema.
func validate(t *testing.T, manifest []byte) {
	t.Helper()
	text, err := os.ReadFile("../templates/schemas/capture.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	var schema jsonschema.Schema
	if err := json.Unmarshal(text, &schema); err != nil {
		t.Fatal(err)
	}
	resolved, err := schema.Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	var value any
	if err := json.Unmarshal(manifest, &value); err != nil {
		t.Fatal(err)
	}
	if err := resolved.Validate(value); err != nil {
		t.Error(err)
	}
}

func TestCollectTree(t *testing.T) {
	target := fakeTarget(t)
	fakePCI(t, target)
	target.put(t, "sys/bus/pci/slots/4/address", "0000:51:00\n")
	var out bytes.Buffer
	var told []int
	result, err := target.collect(t.Context(), Options{Stdout: &out, Select: filesOnly, Tool: "hwcap test",
		Progress: func(done, of int, _ string) { told = append(told, of-done) }})
	if err != nil {
		t.Fatal(err)
	}
	if int64(out.Len()) != result.Bytes {
		t.Errorf("%d bytes, told %d", out.Len(), result.Bytes)
	}
	if told[len(told)-1] != 0 || len(told) != len(Sources()) {
		t.Errorf("progress: %v", told)
	}
	_, members := readArchive(t, gunzip(t, &out))
	i := slices.IndexFunc(result.Manifest.Sources, func(r Record) bool { return r.Name == "pci-slots" })
	sum := sha256.New()
	sum.Write(members["sys/bus/pci/slots/.list"])
	sum.Write(members["sys/bus/pci/slots/4/address"])
	if got := result.Manifest.Sources[i].SHA256; got != hex.EncodeToString(sum.Sum(nil)) {
		t.Errorf("the sum of a tree is not that of its members in order: %s", got)
	}
	i = slices.IndexFunc(result.Manifest.Sources, func(r Record) bool { return r.Name == "dmesg" })
	if r := result.Manifest.Sources[i]; r.State != NotAsked || r.Why != "left out by --only proc --only sys --only etc" {
		t.Errorf("a source that was left out: %+v", r)
	}
}

func TestCollectFormats(t *testing.T) {
	for ending, decompress := range map[string]func(io.Reader) io.Reader{
		".tar.gz": func(r io.Reader) io.Reader { return gunzip(t, r) },
		".tgz":    func(r io.Reader) io.Reader { return gunzip(t, r) },
		".tar":    func(r io.Reader) io.Reader { return r },
		".tar.zst": func(r io.Reader) io.Reader {
			z, err := zstd.NewReader(r)
			if err != nil {
				t.Fatal(err)
			}
			return z
		},
	} {
		target := fakeTarget(t)
		output := filepath.Join(t.TempDir(), "x"+ending)
		if _, err := target.collect(t.Context(), Options{Output: output, Select: filesOnly}); err != nil {
			t.Fatal(err)
		}
		if names, _ := readArchive(t, decompress(open(t, output))); !slices.Contains(names, "manifest.json") {
			t.Errorf("%s holds %v", ending, names)
		}
	}
}

func TestCollectThatCannotBegin(t *testing.T) {
	dir := t.TempDir()
	os.WriteFile(filepath.Join(dir, "file"), nil, 0o600)
	os.Mkdir(filepath.Join(dir, "folder.tar"), 0o700)
	for situation, tt := range map[string]struct {
		options Options
		want    error
	}{
		"the folder of the output does not exist": {Options{Output: filepath.Join(dir, "no/x.tar.gz")}, ErrOutput},
		"the folder of the output is a file":      {Options{Output: filepath.Join(dir, "file/x.tar.gz")}, ErrOutput},
		"the output is a folder":                  {Options{Output: filepath.Join(dir, "folder.tar")}, ErrOutput},
		"the name has another ending":             {Options{Output: filepath.Join(dir, "x.zip")}, ErrName},
		"an attachment does not exist":            {Options{Output: filepath.Join(dir, "x.tar"), Attach: []Attachment{{"a", filepath.Join(dir, "none")}}}, os.ErrNotExist},
	} {
		tt.options.Select = filesOnly
		if _, err := fakeTarget(t).collect(t.Context(), tt.options); !errors.Is(err, tt.want) {
			t.Errorf("%s: %v", situation, err)
		}
	}
	assertOnly(t, dir, "file", "folder.tar")
}

// hanging is a machine where reading /proc/version never ends.
func hanging(t *testing.T) *target {
	target := fakeTarget(t)
	target.put(t, "proc/uptime", "1 1\n")
	if err := syscall.Mkfifo(target.path("proc/version"), 0o600); err != nil {
		t.Fatal(err)
	}
	return target
}

func TestCollectInterrupted(t *testing.T) {
	dir := t.TempDir()
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(100*time.Millisecond, cancel)
	_, err := hanging(t).collect(ctx, Options{Output: filepath.Join(dir, "x.tar.gz"), Select: filesOnly})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	assertOnly(t, dir)
}

func TestCollectAtItsTotalTimeLimit(t *testing.T) {
	dir := t.TempDir()
	result, err := hanging(t).collect(t.Context(), Options{Output: filepath.Join(dir, "x.tar.gz"), Select: filesOnly, Total: 2 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	if got := result.Manifest.Names(TimedOut); !slices.Equal(got, []string{"proc-version"}) {
		t.Errorf("timed out: %v", got)
	}
	if got := result.Manifest.Names(Present); !slices.Contains(got, "proc-uptime") {
		t.Errorf("the others are not there: %v", got)
	}
	assertOnly(t, dir, "x.tar.gz")
}

// A full disk ends the collecting with an error and leaves nothing, both while
// sources are spooled and while the archive is written.
func TestCollectOnFullDisk(t *testing.T) {
	random := make([]byte, 300<<10)
	seed := uint32(1)
	for i := range random {
		seed = seed*1664525 + 1013904223
		random[i] = byte(seed >> 24)
	}
	for situation, size := range map[string]string{"while spooling": "size=128k", "while writing": "size=448k"} {
		t.Run(situation, func(t *testing.T) {
			dir := t.TempDir()
			if err := syscall.Mount("none", dir, "tmpfs", 0, size); err != nil {
				t.Skipf("needs a small file system of its own: %v", err)
			}
			defer syscall.Unmount(dir, 0)
			target := fakeTarget(t)
			target.put(t, "proc/config.gz", string(random))
			_, err := target.collect(t.Context(), Options{Output: filepath.Join(dir, "x.tar.gz"), Select: filesOnly})
			if !errors.Is(err, ErrOutput) || !errors.Is(err, syscall.ENOSPC) {
				t.Errorf("error %v", err)
			}
			assertOnly(t, dir)
		})
	}
}

type brokenPipe struct{}

func (brokenPipe) Write([]byte) (int, error) { return 0, syscall.EPIPE }

func TestCollectIntoBrokenPipe(t *testing.T) {
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	target := &target{root: temp}
	_, err := target.collect(t.Context(), Options{Stdout: brokenPipe{}, Select: filesOnly})
	if !errors.Is(err, syscall.EPIPE) {
		t.Errorf("error %v", err)
	}
	assertOnly(t, temp)
}

func TestDescribe(t *testing.T) {
	target := fakeTarget(t)
	target.env = []string{"LC_ALL=", "LC_MESSAGES=de_DE.UTF-8", "LANG=C"}
	target.put(t, "proc/self/status", "Name:\thwcap\nCapEff:\t000001ffffffffff\n")
	target.put(t, "proc/sys/kernel/random/boot_id", "00000000-0000-4000-8000-0000000000b1\n")
	target.put(t, "proc/1/cgroup", "0::/system.slice/docker-0123.scope\n")
	target.put(t, "etc/localtime.dir/x", "")
	target.link(t, "etc/localtime", "/usr/share/zoneinfo/Europe/Berlin")
	m := target.describe(t.Context())
	got := []string{m.Locale, m.Caps, m.Boot, m.Container, m.Timezone}
	want := []string{"de_DE.UTF-8", "000001ffffffffff", "00000000-0000-4000-8000-0000000000b1", "docker", "Europe/Berlin"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// The path from the spool to the compressed archive, on text like a kernel's.
func TestHeadFilesNameEveryMark(t *testing.T) {
	for _, mark := range containerMarks {
		if !slices.Contains(HeadFiles(), "/"+mark.file) {
			t.Errorf("--list does not tell of %s", mark.file)
		}
	}
}

func BenchmarkArchive(b *testing.B) {
	target := &target{root: b.TempDir()}
	var text strings.Builder
	for i := range 20000 {
		text.WriteString("name         : xts(aes)\ndriver       : xts-aes-vaes-avx512\npriority     : " + string(rune('0'+i%10)) + "00\n\n")
	}
	target.put(b, "proc/crypto", text.String())
	spool := &spool{b.TempDir()}
	e, err := spool.create("crypto", DefaultCap)
	if err != nil {
		b.Fatal(err)
	}
	if err := e.add("proc/crypto", []byte(text.String())); err != nil {
		b.Fatal(err)
	}
	e.close()
	b.SetBytes(int64(text.Len()))
	for b.Loop() {
		z, err := newGzip(io.Discard)
		if err != nil {
			b.Fatal(err)
		}
		a := newArchive(b.Context(), z, "hwcap-x", time.Time{})
		if err := errors.Join(e.copyTo(a.put), a.close(), z.Close()); err != nil {
			b.Fatal(err)
		}
	}
}
