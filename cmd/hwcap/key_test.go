package main

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestRedactionKey(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("XDG_CONFIG_HOME", filepath.Join(home, "config"))
	t.Setenv("SUDO_UID", "")
	var said strings.Builder
	first, err := redactionKey(&said, "")
	if err != nil || !strings.HasPrefix(said.String(), text("neuer Schlüssel: ", "new key: ")) {
		t.Fatalf("%q, %v", said.String(), err)
	}
	for name, want := range map[string]os.FileMode{"config": 0o700, "config/hwcap": 0o700, "config/hwcap/redact.key": 0o600} {
		if info, err := os.Stat(filepath.Join(home, name)); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v, %v", name, info, err)
		}
	}
	if entries, _ := os.ReadDir(filepath.Join(home, "config/hwcap")); len(entries) != 1 {
		t.Errorf("left behind: %v", entries)
	}
	again, err := redactionKey(io.Discard, "")
	if err != nil || again != first {
		t.Errorf("another key at second use, %v", err)
	}
	other, err := redactionKey(io.Discard, filepath.Join(home, "other.key"))
	if err != nil || other == first || other == [keySize]byte{} {
		t.Errorf("%x, %v", other, err)
	}
	if _, err := redactionKey(io.Discard, filepath.Join(home, "none", "other.key")); err == nil {
		t.Error("a folder that was named and is not there was made")
	}
	os.Chmod(filepath.Join(home, "other.key"), 0o640)
	wide := wideKeyError{}
	if _, err := redactionKey(io.Discard, filepath.Join(home, "other.key")); !errors.As(err, &wide) || wide.mode != 0o640 {
		t.Errorf("a key that others may read: %v", err)
	}
}

func TestParseKey(t *testing.T) {
	const line = keyPrefix + "0101010101010101010101010101010101010101010101010101010101010101:72cd6e84"
	for situation, tt := range map[string]struct {
		file string
		ok   bool
	}{
		"the line":            {line, true},
		"with a comment":      {"# mine\n\n" + line + "\r\n", true},
		"nothing":             {"", false},
		"two":                 {line + "\n" + line, false},
		"cut short":           {line[:len(line)-1], false},
		"mistyped":            {strings.Replace(line, "01", "02", 1), false},
		"without its check":   {line[:len(line)-9], false},
		"of something else":   {"AGE-SECRET-KEY-1QQQQ", false},
		"with what follows":   {line + " x", false},
		"digits of odd count": {keyPrefix + "010:72cd6e84", false},
	} {
		key, err := parseKey(tt.file)
		if (err == nil) != tt.ok || tt.ok && key[0] != 1 {
			t.Errorf("%s: %x, %v", situation, key, err)
		}
	}
}
