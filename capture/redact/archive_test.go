package redact

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// member of a capture that a test makes.
type member struct{ name, text string }

const captureName = "hwcap-alicebox-20260812T211400Z"

const testManifest = `{
  "schema": "hwcap.capture/1",
  "host": "alicebox",
  "boot": "4c4c4544-0042-4510-8051-b7c04f4e3733",
  "start": "2026-08-12T21:14:00Z",
  "extra": "kept <as it is>",
  "sources": [
    {"name":"dmesg","path":"cmd/dmesg.txt","kind":"command","what":"dmesg","state":"present","ms":1,"bytes":3,"sha256":"00","cap":16777216},
    {"name":"net","path":"sys/class/net","kind":"tree","what":"/sys/class/net","state":"present","why":"enx00005e00532a: denied","ms":1,"bytes":3,"sha256":"00","cap":16777216},
    {"name":"qat","path":"sys/kernel/debug/qat_*","kind":"tree","what":"","state":"absent","ms":0,"bytes":0,"cap":1}
  ]
}
`

var testMembers = []member{
	{"manifest.json", testManifest},
	{"cmd/dmesg.txt", "systemd[1]: Hostname set to <alicebox>.\neth0: 00:00:5e:00:53:2a\nplain\n"},
	{"sys/class/net/.list", "enx00005e00532a -> ../../devices/x\nlo\n"},
	{"sys/class/net/enx00005e00532a/mtu", "1500\n"},
	{"proc/crypto", "name : aes\n"},
	{"attach/inner.tar.gz", "\x1f\x8b\x08" + "broken"},
	{"attach/more.zip", "PK\x03\x04 alicebox"},
}

func tarOf(t *testing.T, members []member) []byte {
	t.Helper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, m := range members {
		if err := w.WriteHeader(&tar.Header{Typeflag: tar.TypeReg, Name: captureName + "/" + m.name, Size: int64(len(m.text)), Mode: 0o644, Format: tar.FormatPAX}); err != nil {
			t.Fatal(err)
		}
		io.WriteString(w, m.text)
	}
	w.WriteHeader(&tar.Header{Typeflag: tar.TypeFifo, Name: captureName + "/pipe"})
	w.Close()
	return b.Bytes()
}

func untar(t *testing.T, b []byte) (members []member) {
	t.Helper()
	for r := tar.NewReader(bytes.NewReader(b)); ; {
		h, err := r.Next()
		if err == io.EOF {
			return members
		}
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		members = append(members, member{h.Name, string(text)})
	}
}

func TestArchive(t *testing.T) {
	var b bytes.Buffer
	original := tarOf(t, testMembers)
	result, err := Archive(&b, func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(original)), nil }, testKey, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	host := string(testKey.name("host", []byte("alicebox")))
	mac := testKey.mac([6]byte{0, 0, 0x5e, 0, 0x53, 0x2a})
	card := "enx" + string(hexDigits(mac[:]))
	top := "hwcap-" + host + "-20260812T211400Z"
	got := untar(t, b.Bytes())
	var names []string
	for _, m := range got {
		names = append(names, m.name)
		for _, value := range []string{"alicebox", "532a", "53:2a", "b7c04f4e3733"} {
			if strings.Contains(m.name+m.text, value) {
				t.Errorf("%s holds %s:\n%s", m.name, value, m.text)
			}
		}
	}
	want := []string{top + "/cmd/dmesg.txt", top + "/sys/class/net/.list", top + "/sys/class/net/" + card + "/mtu", top + "/proc/crypto",
		top + "/attach/inner.tar.gz", top + "/attach/more.zip", top + "/manifest.json"}
	if diff := cmp.Diff(want, names); diff != "" {
		t.Error(diff)
	}
	if result.Name != top || result.KeyID != testKey.ID() || !slices.Equal(result.Dropped, []string{top + "/pipe"}) {
		t.Errorf("result %+v", result)
	}

	manifest := got[len(got)-1].text
	var m struct {
		Host, Extra string
		Sources     []struct {
			Name, SHA256, Why string
			Bytes, Pseudonyms int
		}
		Redaction redaction
	}
	if err := json.Unmarshal([]byte(manifest), &m); err != nil {
		t.Fatal(err)
	}
	if m.Host != host || m.Extra != "kept <as it is>" || m.Redaction.Key != testKey.ID() || m.Redaction.Pseudonyms == 0 {
		t.Errorf("manifest:\n%s", manifest)
	}
	sum := func(texts ...string) string {
		s := sha256.Sum256([]byte(strings.Join(texts, "")))
		return hex.EncodeToString(s[:])
	}
	if s := m.Sources[0]; s.SHA256 != sum(got[0].text) || s.Bytes != len(got[0].text) || s.Pseudonyms != 2 {
		t.Errorf("dmesg: %+v", s)
	}
	if s := m.Sources[1]; s.SHA256 != sum(got[1].text, got[2].text) || s.Why != card+": denied" || s.Pseudonyms != 1 {
		t.Errorf("net: %+v", s)
	}
	if s := m.Sources[2]; s.SHA256 != "" || s.Pseudonyms != 0 {
		t.Errorf("qat: %+v", s)
	}
	// What cites a line of the manifest cites the same source after it.
	was, is := strings.Split(testManifest, "\n"), strings.Split(manifest, "\n")
	for i, line := range was {
		if name, _, ok := strings.Cut(line, `"path"`); ok && !strings.HasPrefix(is[i], name) {
			t.Errorf("line %d: %s", i+1, is[i])
		}
	}

	again, err := pack(b.Bytes(), Key{77}, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(again, b.Bytes()) {
		t.Error("a second run changes something")
	}
}

// TestArchiveFails: nothing is made of what breaks off or has no manifest that
// can be read.
func TestArchiveFails(t *testing.T) {
	whole := tarOf(t, testMembers)
	for name, data := range map[string][]byte{
		"broken off":      whole[:1800],
		"not a manifest":  tarOf(t, []member{{"manifest.json", "[]"}}),
		"broken manifest": tarOf(t, []member{{"manifest.json", testManifest[:300]}}),
	} {
		if _, err := pack(data, testKey, t.TempDir()); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// TestSpooled: a member larger than what is kept in memory is the same.
func TestSpooled(t *testing.T) {
	text := strings.Repeat("eth0: 00:00:5e:00:53:2a\n", (spoolMost+spoolMost/2)/24)
	b, err := pack(tarOf(t, []member{{"cmd/dmesg.txt", text}}), testKey, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if got := untar(t, b); len(got) != 1 || got[0].text != redacted(t, "cmd/dmesg.txt", text) {
		t.Error("the member differs")
	}
}

func TestGzip(t *testing.T) {
	zip := func(text string) string {
		var b bytes.Buffer
		w := gzip.NewWriter(&b)
		io.WriteString(w, text)
		w.Close()
		return b.String()
	}
	plain := zip("CONFIG_PCI=y\n")
	if got := redacted(t, "proc/config.gz", plain); got != plain {
		t.Error("a text without identities was packed anew")
	}
	r, err := gzip.NewReader(strings.NewReader(redacted(t, "proc/config.gz", zip("# 00:00:5e:00:53:2a\n"))))
	if err != nil {
		t.Fatal(err)
	}
	if text, _ := io.ReadAll(r); !strings.HasPrefix(string(text), "# 06:68:77:") {
		t.Errorf("%q", text)
	}
	if got := redacted(t, "attach/x.gz", zip(string(tarOf(t, testMembers)))); got != "" {
		t.Errorf("an archive inside is left: %d bytes", len(got))
	}
}

// TestArchiveOutside has entries whose names lead out of the folder, the first
// of which must not pass for the folder itself.
func TestArchiveOutside(t *testing.T) {
	var in bytes.Buffer
	w := tar.NewWriter(&in)
	for _, h := range []tar.Header{
		{Name: "../../etc/passwd", Typeflag: tar.TypeReg},
		{Name: "../elsewhere", Typeflag: tar.TypeDir},
		{Name: "hwcap-x-20260101T000000Z/cmd/dmesg.txt", Typeflag: tar.TypeReg},
	} {
		if err := w.WriteHeader(&h); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	open := func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(in.Bytes())), nil }
	result, err := Archive(&out, open, Key{1}, "")
	if err != nil {
		t.Fatal(err)
	}
	if len(result.Dropped) != 2 {
		t.Errorf("dropped %q", result.Dropped)
	}
	for r := tar.NewReader(&out); ; {
		h, err := r.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasPrefix(h.Name, "..") {
			t.Errorf("wrote %s", h.Name)
		}
	}
}
