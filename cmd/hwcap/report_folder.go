package main

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"hwcap/parse/fact"
)

// ours and ourFolders match the names that report writes below its folder, also
// for a blog: the only ones that it ever replaces.
var (
	ours = regexp.MustCompile(`^(\.hwcap-report|(report|diff)\.(de|en)\.(md|pdf|html)|(report|diff)\.json|mail\.(de|en)\.txt|index\.(de|en)\.md|` +
		`(figures/|assets/[a-z0-9-]+/)?[a-z0-9-]+\.(de|en)\.svg|(_posts|_drafts)/[a-z0-9-]+-(de|en)\.md)$`)
	ourFolders = regexp.MustCompile(`^(figures|_posts|_drafts|assets|assets/[a-z0-9-]+)$`)
)

// markName is the file by which a folder is known to hold the report on a
// capture.
const markName = ".hwcap-report"

// markOf is what it holds: a checksum that tells captures apart. A file is known
// by its contents, a folder, to which texts are added, by its place, and what
// is neither by what was read of it.
func markOf(arg string, m *fact.Machine) ([]byte, error) {
	sum := sha256.New()
	info, err := os.Stat(arg)
	switch {
	case err == nil && info.IsDir():
		place, err := filepath.Abs(arg)
		if err != nil {
			return nil, err
		}
		io.WriteString(sum, place)
	case err == nil && info.Mode().IsRegular():
		f, err := os.Open(arg)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		if _, err := io.Copy(sum, f); err != nil {
			return nil, err
		}
	default:
		if err := writeFacts(sum, m); err != nil {
			return nil, err
		}
	}
	return fmt.Appendf(nil, "hwcap report sha256:%x\n", sum.Sum(nil)), nil
}

// checkFolder refuses a folder that holds anything but an earlier report on the
// same capture.
func checkFolder(dir string, mark []byte, force bool) error {
	stranger, err := foreign(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist): // the folder
	case err != nil:
		return withHint(fmt.Errorf(text("Ordner für den Bericht: %w", "folder for the report: %w"), err),
			text("mit -o einen anderen Ordner angeben", "choose another folder with -o"))
	case stranger != "" && !force:
		return withHint(fmt.Errorf(text("in %s liegt anderes als ein Bericht (%s)", "%s holds something other than a report (%s)"), dir, oneLine(stranger)),
			text("mit -o einen anderen Ordner angeben, oder mit --force trotzdem dorthin schreiben", "choose another folder with -o, or write there all the same with --force"))
	}
	entries, _ := os.ReadDir(dir)
	if len(entries) == 0 || force {
		return nil
	}
	if have, err := os.ReadFile(filepath.Join(dir, markName)); err != nil || !bytes.Equal(have, mark) {
		return withHint(fmt.Errorf(text("in %s liegt der Bericht zu einer anderen Erfassung", "%s holds the report on another capture"), dir),
			text("mit -o einen anderen Ordner angeben, oder ihn mit --force ersetzen", "choose another folder with -o, or replace it with --force"))
	}
	return nil
}

// foreign returns the name of an entry below dir that is neither a regular file
// nor a folder of the names that report writes. A link is foreign: it leads
// elsewhere.
func foreign(dir string) (name string, err error) {
	if _, err := os.ReadDir(dir); err != nil { // with its own name in the error
		return "", err
	}
	err = fs.WalkDir(os.DirFS(dir), ".", func(place string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case place == ".", e.Type().IsRegular() && ours.MatchString(place), e.IsDir() && ourFolders.MatchString(place):
			return nil
		}
		name = place
		return fs.SkipAll
	})
	return name, err
}

// writeFiles writes files below dir, each whole or not at all. A folder that
// it made and could not fill is removed again.
func writeFiles(dir string, files []outFile) (err error) {
	var made []string // folders, outermost first
	defer func() {
		for _, d := range slices.Backward(made) {
			if err != nil {
				os.Remove(d) // only if empty
			}
		}
	}()
	for _, f := range files {
		name := filepath.Join(dir, filepath.FromSlash(f.name))
		if d := filepath.Dir(name); !slices.Contains(made, d) {
			if _, err := os.Stat(d); errors.Is(err, fs.ErrNotExist) {
				made = append(made, d)
			}
			if err := os.MkdirAll(d, 0o755); err != nil {
				return err
			}
		}
		if err := writeWhole(name, f.data); err != nil {
			return err
		}
	}
	return nil
}

// writeWhole writes a file beside its place and moves it there when it is
// complete.
func writeWhole(name string, data []byte) error {
	tmp, err := os.CreateTemp(filepath.Dir(name), ".hwcap-*")
	if err != nil {
		return err
	}
	_, err = tmp.Write(data)
	if err == nil {
		err = tmp.Chmod(0o644)
	}
	if err == nil {
		err = tmp.Sync()
	}
	if closed := tmp.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = os.Rename(tmp.Name(), name)
	}
	if err != nil {
		os.Remove(tmp.Name())
	}
	return err
}

// folderName makes a capture's id safe as a part of a folder's name.
func folderName(id string) string {
	s := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '_' || r == '.' {
			return r
		}
		return '-'
	}, id)
	if s = strings.Trim(s, ".-"); s == "" {
		return "capture"
	}
	return s
}
