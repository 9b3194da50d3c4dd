package samples

import (
	"bytes"
	"encoding/hex"
	"flag"
	"os"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"
)

var (
	importFile = flag.String("import", "", "make a sample of this capture (.tar.gz)")
	importAs   = flag.String("as", "", "with -import: the name of the sample")
	importNote = flag.String("note", "A capture by hwcap collect.", "with -import: what the sample is")
)

// TestImport writes NAME.txtar from a capture, when asked:
//
//	go test ./samples -run TestImport -import FILE -as NAME -note "What it is."
//	go test ./samples -run TestSamplesAreBuiltFromText -update
func TestImport(t *testing.T) {
	if *importFile == "" {
		t.Skip("nothing to import: -import names no capture")
	}
	if *importAs == "" {
		t.Fatal("-as must name the sample")
	}
	packed, err := os.ReadFile(*importFile)
	if err != nil {
		t.Fatal(err)
	}
	plain, err := unpack(packed)
	if err != nil {
		t.Fatal(err)
	}
	folder, members := untar(t, plain)
	text := textArchive(folder, *importNote, members)
	checkRoundTrip(t, text, members)
	if err := os.WriteFile(*importAs+".txtar", text, 0o644); err != nil {
		t.Fatal(err)
	}
}

// textArchive is the inverse of build.
func textArchive(folder, note string, members []member) []byte {
	a := txtar.Archive{Comment: []byte(folder + "\n\n" + note + "\n")}
	for _, m := range members {
		f := txtar.File{Name: m.name, Data: m.data}
		if !plainText(m.data) {
			f = txtar.File{Name: m.name + ".hex", Data: toHex(m.data)}
		}
		a.Files = append(a.Files, f)
	}
	return txtar.Format(&a)
}

// plainText reports whether data survives in a text archive as it is: lines of
// printable characters, each with its end, none of which looks like the head of
// a member.
func plainText(data []byte) bool {
	unprintable := func(r rune) bool { return r < ' ' && r != '\n' && r != '\t' || r == 0x7f || r == '\ufeff' }
	if !utf8.Valid(data) || bytes.ContainsFunc(data, unprintable) {
		return false
	}
	if len(data) > 0 && data[len(data)-1] != '\n' {
		return false
	}
	return len(txtar.Parse(data).Files) == 0
}

// toHex writes 32 bytes a line.
func toHex(data []byte) []byte {
	var b bytes.Buffer
	for len(data) > 0 {
		n := min(32, len(data))
		b.WriteString(hex.EncodeToString(data[:n]) + "\n")
		data = data[n:]
	}
	return b.Bytes()
}

// checkRoundTrip builds text and compares every byte of every member.
func checkRoundTrip(t *testing.T, text []byte, want []member) {
	t.Helper()
	plain, err := build(text)
	if err != nil {
		t.Fatal(err)
	}
	_, got := untar(t, plain)
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(member{})); diff != "" {
		t.Fatalf("the text archive gives another capture (-want +got):\n%s", diff)
	}
}

func TestTextArchiveKeepsEveryByte(t *testing.T) {
	members := []member{
		{"cmd/text.txt", []byte("one\n\ttwo ü „x“\n")},
		{"cmd/nothing.txt", []byte{}},
		{"cmd/no-final-newline.txt", []byte("half a line")},
		{"cmd/dos.txt", []byte("one\r\ntwo\r\n")},
		{"cmd/marker.txt", []byte("one\n-- two --\nthree\n")},
		{"cmd/latin1.txt", []byte("gr\xfcn\n")},
		{"cmd/marks.txt", []byte("\xef\xbb\xbfone\n")},
		{"sys/bus/pci/devices/0000:c5:00.0/config", bytes.Repeat([]byte{0, 0xff, '\n'}, 100)},
		{"manifest.json", []byte("{\n  \"start\": \"2026-08-12T21:14:00Z\",\n  \"sources\": [\n  ]\n}\n")},
	}
	text := textArchive("hwcap-host-20260812T211400Z", "All that can go wrong.", members)
	checkRoundTrip(t, text, members)
	for line := range strings.Lines(string(text)) {
		if !utf8.ValidString(line) || strings.ContainsRune(line, '\r') {
			t.Errorf("not plain text: %q", line)
		}
	}
}

// TestSamplesComeBack holds that every sample can be turned into text again.
func TestSamplesComeBack(t *testing.T) {
	for _, name := range Names() {
		folder, members := readMembers(t, name)
		checkRoundTrip(t, textArchive(folder, "Again.", members), members)
	}
}
