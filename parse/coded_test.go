package parse_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"hwcap/parse"
)

// TestCoded reads no line out of what is encrypted or compressed, alone or in a
// folder: chance makes some that look like known ones.
func TestCoded(t *testing.T) {
	const line = "\n<6>[    0.000000] DMAR: IOMMU enabled\n[    0.000000] Linux version 6.1\n"
	for name, c := range map[string]struct {
		magic string
		want  error
	}{
		"backup.tar.gz.age": {"age-encryption.org/v1\n-> X25519", parse.ErrEncrypted},
		"report.pdf":        {"%PDF-1.4", parse.ErrDocument},
		"photo.png":         {"\x89PNG\r\n\x1a", parse.ErrPicture},
		"logs.7z":           {"7z\xbc\xaf\x27\x1c", parse.ErrPacked},
	} {
		t.Run(name, func(t *testing.T) {
			if m, err := parse.Read(strings.NewReader(c.magic+line), name, parse.Options{}); !errors.Is(err, c.want) {
				t.Errorf("%v, %v", m, err)
			}
			dir := t.TempDir()
			for file, text := range map[string]string{name: c.magic + line, "status.txt": "ras-mc-ctl: drivers not loaded.\n"} {
				if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			m, err := parse.Open(dir, parse.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if n := len(m.Log.Files); n != 0 || m.RAS.Status.IsZero() {
				t.Errorf("%d logs, status %v", n, m.RAS.Status)
			}
		})
	}
}
