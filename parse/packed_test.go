package parse_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"hwcap/parse"
)

// TestPackedTexts holds that single compressed texts are read in folders and
// archives, and nothing else that is compressed.
func TestPackedTexts(t *testing.T) {
	log := gzipOf(t, []byte(ringText))
	members := []entry{
		{name: "case/dmesg.gz", data: string(log)},
		{name: "case/lspci.txt", data: lspciText},
		{name: "case/old.tar.gz", data: string(gzipOf(t, tarOf(t, good)))},
		{name: "case/twice.gz", data: string(gzipOf(t, gzipOf(t, []byte(ringText))))},
		{name: "case/half.gz", data: string(log[:len(log)-9])},
		{name: "case/var/log/kern.log.2.gz", data: string(log)},
		{name: "case/letter.txt", data: "Dear all,\n"},
		{name: "case/.DS_Store", data: "x"},
	}
	dir := t.TempDir()
	for _, e := range members {
		file := filepath.Join(dir, filepath.FromSlash(e.name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(e.data), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	zipped := filepath.Join(dir, "all.zip")
	if err := os.WriteFile(zipped, zipOf(t, nil, members...), 0o600); err != nil {
		t.Fatal(err)
	}
	packed := filepath.Join(dir, "all.tar.gz")
	if err := os.WriteFile(packed, gzipOf(t, tarOf(t, members...)), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, prefix := range map[string]string{filepath.Join(dir, "case"): "", zipped: "case/", packed: "case/"} {
		t.Run(filepath.Base(name), func(t *testing.T) {
			m, err := parse.Open(name, parse.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if len(m.PCI) != 2 || len(m.Log.Files) != 1 || m.Log.Files[0].File != prefix+"dmesg.gz" || m.Capture.CutOff {
				t.Errorf("%d functions, log %+v, problems %v", len(m.PCI), m.Log.Files, m.Problems)
			}
			for _, closed := range []string{"old.tar.gz", "twice.gz", "var/log/kern.log.2.gz"} {
				if got := problem(m, prefix+closed); got != "not read: it is an archive inside the archive" {
					t.Errorf("%s: problem %q", closed, got)
				}
			}
			if got := problem(m, prefix+"half.gz"); !strings.Contains(got, "reading ended here") {
				t.Errorf("half of one: %q", got)
			}
			if got := problem(m, ""); got != "files that hold nothing that hwcap knows: 1: "+prefix+"letter.txt" {
				t.Errorf("unknown files: %q", got)
			}
		})
	}
}

// TestPackedBomb holds that the limits count for what a member unpacks to, and
// that packing it once more does not hide its ratio.
func TestPackedBomb(t *testing.T) {
	log := ringText + strings.Repeat("\x00", 4<<20)
	for name, tc := range map[string]struct {
		limits parse.Limits
		want   string
		cut    bool
	}{
		"in all": {parse.Limits{Total: 1 << 20, Ratio: 1 << 20}, "more than 1048576 bytes in all", true},
		"ratio":  {parse.Limits{RatioFrom: 1 << 20, Ratio: 100}, "it unpacks to more than 100 times its size", false},
		"member": {parse.Limits{Member: 1 << 20, Ratio: 1 << 20}, "a member of more than 1048576 bytes", true},
	} {
		t.Run(name, func(t *testing.T) {
			m, err := open(tarOf(t, good, entry{name: "x/dmesg.gz", data: string(gzipOf(t, []byte(log)))}), tc.limits)
			if err != nil {
				t.Fatal(err)
			}
			found := false
			for _, p := range m.Problems {
				found = found || strings.Contains(p.Text, tc.want)
			}
			if !found || m.Capture.CutOff != tc.cut {
				t.Errorf("cut off %v, problems %.500v", m.Capture.CutOff, m.Problems)
			}
		})
	}
}

// TestNothingKnown holds that what cannot be opened says what it is.
func TestNothingKnown(t *testing.T) {
	dir := t.TempDir()
	for name, tc := range map[string]struct {
		data, want string
		is         error
	}{
		"in/hw.info.txz": {string(gzipOf(t, tarOf(t, good))), "it holds the archive hw.info.txz: hwcap report ", parse.ErrInside},
		"photo.txt":      {"\xff\xd8\xff\xe0", "a JPEG image", parse.ErrPicture},
		"paper.txt":      {"%PDF-1.7\n", "a PDF", parse.ErrDocument},
		"a.age":          {"age-encryption.org/v1\n", "age", parse.ErrEncrypted},
		"a.asc":          {"-----BEGIN PGP MESSAGE-----\n\n", "gpg", parse.ErrEncrypted},
		"mail.eml":       {"From: a@example.org\r\nContent-Transfer-Encoding: base64\r\n\r\nAAAA\r\n", "a mail", parse.ErrMail},
	} {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(dir, filepath.FromSlash(name))
			if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, []byte(tc.data), 0o600); err != nil {
				t.Fatal(err)
			}
			if sub := filepath.Dir(file); sub != dir {
				file = sub
			}
			_, err := parse.Open(file, parse.Options{})
			if !errors.Is(err, parse.ErrUnknown) || !errors.Is(err, tc.is) || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("error %v", err)
			}
		})
	}
	if _, err := parse.Open(t.TempDir(), parse.Options{}); !errors.Is(err, parse.ErrEmpty) {
		t.Errorf("an empty folder: %v", err)
	}
}
