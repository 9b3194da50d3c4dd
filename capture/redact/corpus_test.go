package redact

import (
	"bytes"
	"compress/bzip2"
	"compress/gzip"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestAgainOnCorpus: redacting what is redacted changes nothing, under the same
// key and under another, in texts and archives that strangers published.
func TestAgainOnCorpus(t *testing.T) {
	texts, archives := 0, 0
	eachOfCorpus(t, func(name string, original []byte) (err error) {
		redact := func(key Key, b []byte) []byte { return run(t, key, memberLike(name), b) }
		var packed io.Reader
		switch {
		case strings.HasSuffix(name, ".tar.bz2"):
			packed = bzip2.NewReader(bytes.NewReader(original))
		case strings.HasSuffix(name, ".tar.gz"):
			if packed, err = gzip.NewReader(bytes.NewReader(original)); err != nil {
				return err
			}
		}
		if packed == nil {
			texts++
		} else {
			archives++
			if original, err = io.ReadAll(packed); err != nil {
				return err
			}
			redact = func(key Key, b []byte) []byte {
				var out bytes.Buffer
				open := func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(b)), nil }
				if _, err := Archive(&out, open, key, t.TempDir()); err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				return out.Bytes()
			}
		}
		once := redact(Key{1}, original)
		for i, key := range []Key{{1}, {2}} {
			if again := redact(key, once); !bytes.Equal(again, once) {
				t.Errorf("%s: key %d changes\n%s", name, i, difference(once, again))
			}
		}
		return nil
	})
	t.Logf("%d texts, %d archives", texts, archives)
}

// eachOfCorpus hands over the files that strangers published, all but the
// longest logs.
func eachOfCorpus(t *testing.T, check func(name string, content []byte) error) {
	t.Helper()
	root := os.Getenv("HWCAP_CORPUS")
	if root == "" {
		t.Skip("no corpus: HWCAP_CORPUS is not set")
	}
	const most = 128 << 10
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		content, err := os.ReadFile(path)
		if err != nil || len(content) > most {
			return err
		}
		name, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		return check(name, content)
	})
	if err != nil {
		t.Fatal(err)
	}
}

// memberLike returns the member of a capture that has the grammar of a file, its
// own name where none has.
func memberLike(name string) string {
	for _, like := range []struct{ part, member string }{{"dmesg", dmesg}, {"lspci", lspci}, {"dmidecode", "cmd/dmidecode.txt"}} {
		if strings.Contains(filepath.Base(name), like.part) {
			return like.member
		}
	}
	return filepath.ToSlash(name)
}

// difference shows the first line that differs.
func difference(a, b []byte) string {
	was, is := bytes.Split(a, []byte("\n")), bytes.Split(b, []byte("\n"))
	for i := range min(len(was), len(is)) {
		if !bytes.Equal(was[i], is[i]) {
			return string(was[i]) + "\n" + string(is[i])
		}
	}
	return "the number of lines"
}
