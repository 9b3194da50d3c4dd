package capture

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// contents returns the members of an entry.
func contents(tb testing.TB, e *entry) map[string]string {
	tb.Helper()
	got := map[string]string{}
	err := e.copyTo(func(m member, r io.Reader) error {
		text, err := io.ReadAll(r)
		got[m.name] = string(text)
		return err
	})
	if err != nil {
		tb.Fatal(err)
	}
	return got
}

func TestEntry(t *testing.T) {
	s := &spool{t.TempDir()}
	e, err := s.create("x", 8)
	if err != nil {
		t.Fatal(err)
	}
	if err := e.add("a", []byte("12345")); err != nil {
		t.Error(err)
	}
	if err := e.aside("a.err", []byte("not counted")); err != nil {
		t.Error(err)
	}
	if err := e.add("b", []byte("6789")); !errors.Is(err, errFull) {
		t.Errorf("at the cap: %v, want %v", err, errFull)
	}
	if err := e.close(); err != nil {
		t.Error(err)
	}
	if _, err := e.Write([]byte("late")); !errors.Is(err, os.ErrClosed) {
		t.Errorf("a write that comes late: %v", err)
	}
	want := map[string]string{"a": "12345", "a.err": "not counted", "b": "678"}
	if diff := cmp.Diff(want, contents(t, e)); diff != "" {
		t.Errorf("members (-want +got):\n%s", diff)
	}
	sum := sha256.Sum256([]byte("12345678"))
	if e.bytes != 8 || e.digest() != hex.EncodeToString(sum[:]) {
		t.Errorf("%d bytes, sum %s", e.bytes, e.digest())
	}
}

func TestEntryWithoutMemberHasNoSum(t *testing.T) {
	s := &spool{t.TempDir()}
	e, err := s.create("x", 8)
	if err != nil {
		t.Fatal(err)
	}
	e.begin("cmd/x.txt")
	e.dropEmpty()
	e.aside("cmd/x.err", []byte("denied"))
	e.close()
	if e.digest() != "" || len(contents(t, e)) != 1 {
		t.Errorf("sum %q, members %v", e.digest(), e.members)
	}
}

func TestSpoolIsPrivateAndGoes(t *testing.T) {
	dir := t.TempDir()
	s, p, err := newSpool(dir + "/out.tar.gz")
	if err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(s.dir)
	if err != nil {
		t.Fatal(err)
	}
	if info.Mode().Perm() != 0o700 {
		t.Errorf("mode %v", info.Mode())
	}
	if err := p.Remove(); err != nil {
		t.Error(err)
	}
	if left, _ := os.ReadDir(dir); len(left) != 0 {
		t.Errorf("left behind: %v", left)
	}
}
