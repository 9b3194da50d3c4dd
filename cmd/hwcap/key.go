package main

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/user"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"

	"hwcap/capture"
	"hwcap/capture/redact"
)

// The file of the key that pseudonyms are made with: comments, and one line
//
//	hwcap-redact-key-1:<64 hexadecimal digits>:<8 digits of their SHA-256>
//
// The last part tells a line that was copied in part or mistyped.
const (
	keyName   = "redact.key"
	keyPrefix = "hwcap-redact-key-1:"
	keySize   = 32 // bytes
)

// errKeyForm is the error of a file that holds no key.
var errKeyForm = errors.New("no key of hwcap redact in it")

// redactionKey returns the key in the file of --key, or without that the
// user's own. A key that is not there is made, and told of on w.
func redactionKey(w io.Writer, name string) (key [keySize]byte, err error) {
	if name == "" {
		dir, err := keyFolder()
		if err != nil {
			return key, withHint(fmt.Errorf(text("der Ordner für den Schlüssel: %w", "the folder for the key: %w"), err),
				text("eine Datei für den Schlüssel nennen; er entsteht darin beim ersten Mal: --key DATEI", "name a file for the key, which is made in it at first use: --key FILE"))
		}
		name = filepath.Join(dir, keyName)
		if err := makeKeyFolder(dir); err != nil {
			return key, explainKey(name, err)
		}
	}
	key, err = readKey(name)
	if errors.Is(err, fs.ErrNotExist) {
		if key, err = makeKey(name); err == nil {
			fmt.Fprintf(w, text("neuer Schlüssel: %s (aufbewahren: nur mit ihm gibt es wieder dieselben Pseudonyme; nicht weitergeben)\n",
				"new key: %s (keep it: only with it pseudonyms come out the same again; give it to nobody)\n"), oneLine(name))
		}
	}
	return key, explainKey(name, err)
}

// keyFolder is hwcap's folder among the user's configuration. Under sudo that
// is whom sudo works for, whose capture it is as well: the same pseudonyms come
// out with and without root.
func keyFolder() (string, error) {
	if uid, _, ok := capture.SudoUser(); ok {
		u, err := user.LookupId(strconv.Itoa(uid))
		if err != nil {
			return "", err
		}
		if _, err := os.Stat(u.HomeDir); err != nil { // which is not hwcap's to make
			return "", errors.New(text("der Benutzer hat kein Zuhause", "the user has no home"))
		}
		return filepath.Join(u.HomeDir, ".config", "hwcap"), nil
	}
	dir, err := os.UserConfigDir()
	return filepath.Join(dir, "hwcap"), err
}

// wideKeyError is the error of a key that others than its owner may read.
type wideKeyError struct{ mode fs.FileMode }

func (e wideKeyError) Error() string {
	return fmt.Sprintf(text("andere dürfen den Schlüssel lesen (Rechte %04o)", "others may read the key (mode %04o)"), e.mode)
}

// readKey reads a key that only its owner can read.
func readKey(name string) (key [keySize]byte, err error) {
	f, err := os.Open(name)
	if err != nil {
		return key, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return key, err
	}
	if mode := info.Mode(); runtime.GOOS != "windows" && mode.IsRegular() && mode.Perm()&0o077 != 0 {
		return key, wideKeyError{mode.Perm()}
	}
	data, err := io.ReadAll(io.LimitReader(f, keyFileLimit))
	if err != nil {
		return key, err
	}
	return parseKey(string(data))
}

// isKeyFile reports whether a file is one of secret keys, of whatever program. A
// file that cannot be read is none.
func isKeyFile(name string) bool {
	info, err := os.Stat(name)
	if err != nil || !info.Mode().IsRegular() {
		return false
	}
	f, err := os.Open(name)
	if err != nil {
		return false
	}
	defer f.Close()
	head := make([]byte, 4<<10)
	n, _ := io.ReadFull(f, head)
	return redact.IsKey(head[:n])
}

// parseKey takes the one line of a key file that is no comment.
func parseKey(file string) (key [keySize]byte, err error) {
	found := false
	for line := range strings.Lines(file) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		digits, ok := strings.CutPrefix(line, keyPrefix)
		digits, check, _ := strings.Cut(digits, ":")
		raw, err := hex.DecodeString(digits)
		if !ok || found || err != nil || len(raw) != keySize || check != keyCheck(raw) {
			return key, errKeyForm
		}
		key, found = [keySize]byte(raw), true
	}
	if !found {
		return key, errKeyForm
	}
	return key, nil
}

func keyCheck(key []byte) string {
	sum := sha256.Sum256(key)
	return hex.EncodeToString(sum[:4])
}

// makeKey writes a random key into a new file, whole or not at all. Where
// another process was first, its key is the one.
func makeKey(name string) (key [keySize]byte, err error) {
	rand.Read(key[:])
	f, err := os.CreateTemp(filepath.Dir(name), keyName+".*") // mode 0600
	if err != nil {
		return key, err
	}
	defer os.Remove(f.Name())
	defer f.Close()
	if err := giveToSudoUser(f); err != nil {
		return key, err
	}
	_, err = fmt.Fprintf(f, "# Key of hwcap redact. Whoever has it can test which identity a pseudonym stands for.\n%s%x:%s\n", keyPrefix, key, keyCheck(key[:]))
	if err := errors.Join(err, f.Sync(), f.Close()); err != nil {
		return key, err
	}
	err = os.Link(f.Name(), name)
	if errors.Is(err, fs.ErrExist) {
		return readKey(name)
	}
	return key, err
}

// makeKeyFolder makes dir where it is missing, readable by its owner only.
func makeKeyFolder(dir string) error {
	if _, err := os.Stat(dir); err == nil {
		return nil
	}
	if parent := filepath.Dir(dir); parent != dir {
		if err := makeKeyFolder(parent); err != nil {
			return err
		}
	}
	if err := os.Mkdir(dir, 0o700); err != nil {
		return err
	}
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer f.Close()
	return giveToSudoUser(f)
}

// explainKey adds the next step to an error of the key in the file name.
func explainKey(name string, err error) error {
	if err == nil {
		return nil
	}
	wide := wideKeyError{}
	hint := text("eine andere Datei für den Schlüssel nennen; er entsteht darin beim ersten Mal: --key DATEI", "name another file for the key, which is made in it at first use: --key FILE")
	switch {
	case errors.As(err, &wide):
		hint = "chmod 600 " + oneLine(name)
	case errors.Is(err, errKeyForm):
		hint = text("einen anderen Schlüssel nennen: --key DATEI", "name another key: --key FILE")
		if german {
			err = errors.New("kein Schlüssel von hwcap redact darin")
		}
	}
	var place *fs.PathError
	if errors.As(err, &place) {
		err = place.Err
	}
	return withHint(fmt.Errorf("%s: %w", name, err), hint)
}

// giveToSudoUser makes f the property of whom sudo works for.
func giveToSudoUser(f *os.File) error {
	if uid, gid, ok := capture.SudoUser(); ok {
		return f.Chown(uid, gid)
	}
	return nil
}
