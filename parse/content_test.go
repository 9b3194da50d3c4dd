package parse

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// twoMembers are written in each of the ways that OpenContent reads.
var twoMembers = map[string]string{"top/proc/version": "Linux version 6.12.0\n", "top/cmd/note.txt": "a note\n"}

func tarOf(t *testing.T, members map[string]string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, name := range slices.Sorted(maps.Keys(members)) {
		if err := w.WriteHeader(&tar.Header{Name: name, Size: int64(len(members[name])), Mode: 0o644}); err != nil {
			t.Fatal(err)
		}
		io.WriteString(w, members[name])
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func zipped(data []byte) []byte {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	w.Write(data)
	w.Close()
	return b.Bytes()
}

func untarred(t *testing.T, r io.Reader) map[string]string {
	t.Helper()
	got := map[string]string{}
	for tr := tar.NewReader(r); ; {
		h, err := tr.Next()
		if errors.Is(err, io.EOF) {
			return got
		}
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(tr)
		if err != nil {
			t.Fatal(err)
		}
		got[h.Name] = string(data)
	}
}

func TestContentOfArchives(t *testing.T) {
	dir := t.TempDir()
	write := func(name string, data []byte) string {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, data, 0o600); err != nil {
			t.Fatal(err)
		}
		return name
	}
	packed := tarOf(t, twoMembers)
	var z bytes.Buffer
	zw := zip.NewWriter(&z)
	for _, name := range append(slices.Sorted(maps.Keys(twoMembers)), "../out") {
		w, _ := zw.Create(name)
		io.WriteString(w, twoMembers[name])
	}
	zw.Close()
	for name, data := range twoMembers {
		write(name, []byte(data))
	}
	os.Symlink("proc", filepath.Join(dir, "top", "link"))

	for situation, name := range map[string]string{
		"a tar":             write("a.tar", packed),
		"a tar.gz":          write("a.tar.gz", zipped(packed)),
		"a ZIP archive":     write("a.zip", z.Bytes()),
		"a folder":          filepath.Join(dir, "top"),
		"a folder by slash": filepath.Join(dir, "top") + "/",
	} {
		c, err := OpenContent(name, Options{})
		if err != nil {
			t.Errorf("%s: %v", situation, err)
			continue
		}
		if got := untarred(t, c); c.Text || !cmp.Equal(got, twoMembers) {
			t.Errorf("%s: text %t, %s", situation, c.Text, cmp.Diff(twoMembers, got))
		}
		if err := c.Close(); err != nil {
			t.Errorf("%s: %v", situation, err)
		}
	}
}

func TestContentOfTexts(t *testing.T) {
	const want = "Linux version 6.12.0\n"
	utf16 := []byte("\xff\xfe")
	for _, c := range []byte(want) {
		utf16 = append(utf16, c, 0)
	}
	for situation, data := range map[string][]byte{
		"as it is":         []byte(want),
		"compressed":       zipped([]byte(want)),
		"in UTF-16":        utf16,
		"with a byte mark": []byte("\xef\xbb\xbf" + want),
	} {
		c, err := ReadContent(bytes.NewReader(data), "x", Options{})
		if err != nil {
			t.Errorf("%s: %v", situation, err)
			continue
		}
		got, err := io.ReadAll(c)
		if err != nil || !c.Text || string(got) != want {
			t.Errorf("%s: %q, text %t, %v", situation, got, c.Text, err)
		}
		c.Close()
	}
}

func TestContentRefused(t *testing.T) {
	for situation, tt := range map[string]struct {
		data string
		want error
	}{
		"empty":        {"", ErrEmpty},
		"encrypted":    {"-----BEGIN PGP MESSAGE", ErrEncrypted},
		"a picture":    {"\x89PNG\r\n", ErrPicture},
		"a RAR":        {"Rar!", ErrPacked},
		"a ZIP stream": {"PK\x03\x04", ErrPacked},
		"cut gzip":     {"\x1f\x8b", ErrCutOff},
	} {
		if c, err := ReadContent(bytes.NewReader([]byte(tt.data)), "x", Options{}); !errors.Is(err, tt.want) {
			t.Errorf("%s: %v, %v", situation, c, err)
		}
	}
}

// TestContentLimits: what a stranger's folder or ZIP archive holds too much of
// ends the stream with an error, not with a short tar.
func TestContentLimits(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a", "b"} {
		if err := os.WriteFile(filepath.Join(dir, name), make([]byte, 100), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for situation, limits := range map[string]Limits{
		"members": {Members: 1},
		"member":  {Member: 99},
		"all":     {Total: 199},
	} {
		c, err := OpenContent(dir, Options{Limits: limits})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.Copy(io.Discard, c); !errors.Is(err, ErrTooLarge) {
			t.Errorf("%s: %v", situation, err)
		}
		c.Close()
	}
}
