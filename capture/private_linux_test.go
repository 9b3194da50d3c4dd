package capture

import (
	"os"
	"path/filepath"
	"sync"
	"testing"
)

func TestPrivateSweepsWhatAKilledProcessLeft(t *testing.T) {
	parent := t.TempDir()
	mkdir := func(name string, mode os.FileMode, files ...string) {
		dir := filepath.Join(parent, name)
		if err := os.Mkdir(dir, mode); err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			if err := os.WriteFile(filepath.Join(dir, f), []byte("x"), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	mkdir("a.tar.gz.part-1", 0o700, lockName, "dmesg") // killed while it collected
	mkdir("hwcap.part-22", 0o700)                      // and before it had its lock
	mkdir("film.part-3", 0o700, lockName)              // another program's
	mkdir("b.tar.part-4", 0o700, "notes")              // no lock of ours
	mkdir("c.tar.part-5", 0o755, lockName)             // open to others, as ours never is
	mkdir("d.tar.part-x", 0o700, lockName)
	if err := os.WriteFile(filepath.Join(parent, "e.tar.part-6"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("film.part-3", filepath.Join(parent, "f.tar.part-7")); err != nil {
		t.Fatal(err)
	}
	held, err := NewPrivate(parent, "g.tar")
	if err != nil {
		t.Fatal(err)
	}
	second, err := NewPrivate(parent, "g.tar")
	if err != nil {
		t.Fatal(err)
	}
	assertOnly(t, parent, "b.tar.part-4", "c.tar.part-5", "d.tar.part-x", "e.tar.part-6", "f.tar.part-7", "film.part-3",
		min(filepath.Base(held.Dir), filepath.Base(second.Dir)), max(filepath.Base(held.Dir), filepath.Base(second.Dir)))
	held.lock.Close() // as the end of a process does
	if err := second.Remove(); err != nil {
		t.Error(err)
	}
	third, err := NewPrivate(parent, "g.tar")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(held.Dir); err == nil {
		t.Error("a folder without a holder stays")
	}
	if err := third.Remove(); err != nil {
		t.Error(err)
	}
}

// Whoever sweeps never takes a folder from one that has just made it.
func TestPrivateFoldersOfMany(t *testing.T) {
	parent := t.TempDir()
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 25 {
				p, err := NewPrivate(parent, "x.tar")
				if err != nil {
					t.Error(err)
					return
				}
				if err := os.WriteFile(filepath.Join(p.Dir, "archive"), nil, 0o600); err != nil {
					t.Error(err)
				}
				if err := p.Remove(); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	assertOnly(t, parent)
}
