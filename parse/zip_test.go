package parse_test

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"hwcap/parse"
	"hwcap/parse/fact"
)

// zipOf makes a ZIP archive; change alters the header of a member before it is
// written.
func zipOf(t testing.TB, change func(*zip.FileHeader), entries ...entry) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, e := range entries {
		h := &zip.FileHeader{Name: e.name, Method: zip.Deflate}
		if change != nil {
			change(h)
		}
		out, err := w.CreateHeader(h)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(out, e.data); err != nil && !strings.HasSuffix(e.name, "/") {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestZip reads a ZIP archive as a file, by its directory, and as a stream.
func TestZip(t *testing.T) {
	entries := captureOf(t)
	entries = append(entries, entry{name: "hwcap-example-20260812T211400Z/etc/"})
	data := zipOf(t, nil, entries...)
	name := filepath.Join(t.TempDir(), "capture.zip")
	if err := os.WriteFile(name, data, 0o600); err != nil {
		t.Fatal(err)
	}
	fromFile, err := parse.Open(name, parse.Options{})
	if err != nil {
		t.Fatal(err)
	}
	fromStream, err := parse.Read(bytes.NewReader(data), parse.Stdin, parse.Options{})
	if err != nil {
		t.Fatal(err)
	}
	packedTwice, err := open(gzipOf(t, data), parse.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range []*fact.Machine{fromFile, fromStream, packedTwice} {
		d := m.Device("0000:c3:00.0")
		if d == nil || d.Driver != "dh895xcc" || m.Capture.Format != "capture" || m.Capture.CutOff || m.Platform.Cmdline.V != "quiet" {
			t.Errorf("capture %+v, device %+v", m.Capture, d)
		}
	}
	if id := fromFile.Capture.ID; id != "capture" {
		t.Errorf("id %q", id)
	}
	if id := fromStream.Capture.ID; id != "hwcap-example-20260812T211400Z" {
		t.Errorf("id %q", id)
	}
}

// TestBadZipMember holds that a member that is not taken costs itself only.
func TestBadZipMember(t *testing.T) {
	const version = "proc/version"
	bad := entry{name: "hwcap-host/" + version, data: "Linux version 6.6.6 evil\n"}
	only := func(change func(*zip.FileHeader)) func(*zip.FileHeader) {
		return func(h *zip.FileHeader) {
			if h.Name == bad.name {
				change(h)
			}
		}
	}
	for name, tc := range map[string]struct {
		change     func(*zip.FileHeader)
		name       string
		patch      func([]byte)
		file, want string
	}{
		"symbolic link": {change: only(func(h *zip.FileHeader) { h.SetMode(fs.ModeSymlink | 0o777) }), file: version, want: "not read: it is a link"},
		"fifo":          {change: only(func(h *zip.FileHeader) { h.SetMode(fs.ModeNamedPipe | 0o777) }), file: version, want: "not read: it is a fifo"},
		"encrypted": {patch: func(data []byte) {
			at := bytes.LastIndex(data, []byte("PK\x01\x02"))
			data[at+8] |= 1
		}, file: version, want: "not read: it is encrypted"},
		"method that is not known": {patch: func(data []byte) {
			at := bytes.LastIndex(data, []byte("PK\x01\x02"))
			binary.LittleEndian.PutUint16(data[at+10:], 97)
		}, file: version, want: "not read: it is packed in a way that hwcap does not undo"},
		"header that is not there": {patch: func(data []byte) {
			at := bytes.LastIndex(data, []byte("PK\x03\x04"))
			data[at] = 'X'
		}, file: version, want: "not read: it is damaged"},
		"wrong checksum": {patch: func(data []byte) {
			at := bytes.LastIndex(data, []byte("PK\x01\x02"))
			data[at+16] ^= 1
		}, file: version, want: "it could not be read to its end: zip: checksum error"},
		"size too small": {patch: func(data []byte) {
			at := bytes.LastIndex(data, []byte("PK\x01\x02"))
			binary.LittleEndian.PutUint32(data[at+24:], 3)
		}, file: version, want: "it could not be read to its end: "},
		"size too large": {patch: func(data []byte) {
			at := bytes.LastIndex(data, []byte("PK\x01\x02"))
			binary.LittleEndian.PutUint32(data[at+24:], 3000)
		}, file: version, want: "it could not be read to its end: "},
		"name that leads up":    {name: "hwcap-host/../" + version, file: "hwcap-host/../" + version, want: "not read: its name leads out of the capture"},
		"backslash and up":      {name: `hwcap-host\..\proc\version`, file: "hwcap-host/../" + version, want: "not read: its name leads out of the capture"},
		"absolute name":         {name: "/" + version, file: "/" + version, want: "not read: its name leads out of the capture"},
		"second of one name":    {name: good.name, file: cmdline, want: "not read: a member of this name came before"},
		"archive in an archive": {name: "hwcap-host/attach.tar.gz", file: "hwcap-host/attach.tar.gz", want: "not read: it is an archive inside the archive"},
	} {
		t.Run(name, func(t *testing.T) {
			bad := bad
			if tc.name != "" {
				bad.name = tc.name
			}
			if strings.HasSuffix(tc.name, ".gz") {
				bad.data = string(gzipOf(t, tarOf(t, good)))
			}
			data := zipOf(t, tc.change, good, bad)
			if tc.patch != nil {
				tc.patch(data)
			}
			m, err := open(data, parse.Limits{})
			if err != nil {
				t.Fatal(err)
			}
			if m.Platform.Cmdline.V != "quiet" || m.Capture.CutOff {
				t.Errorf("cmdline %+v, cut off %v: the sound member is lost", m.Platform.Cmdline, m.Capture.CutOff)
			}
			if got := problem(m, tc.file); !strings.HasPrefix(got, tc.want) {
				t.Errorf("problems %v, want %q", m.Problems, tc.want)
			}
			if v := m.Platform.Version; v.Known() && tc.file == version && strings.HasPrefix(tc.want, "not read") {
				t.Errorf("version %+v", v)
			}
		})
	}
	t.Run("nothing but encrypted", func(t *testing.T) {
		data := zipOf(t, nil, good)
		data[bytes.LastIndex(data, []byte("PK\x01\x02"))+8] |= 1
		if _, err := open(data, parse.Limits{}); !errors.Is(err, parse.ErrUnknown) || !strings.Contains(err.Error(), "a member was not read: it is encrypted") {
			t.Errorf("error %v", err)
		}
	})
}

// TestZipNames reads names as Windows writes them: with backslashes, without
// colons, in the code page of DOS.
func TestZipNames(t *testing.T) {
	data := zipOf(t, func(h *zip.FileHeader) { h.NonUTF8 = h.Name[0] == 'F' },
		entry{name: `hwcap-host\sys\bus\pci\devices\0000_c5_00.0\vendor`, data: "0x8086\n"},
		entry{name: "F\x81r Otto/dmesg.txt", data: dmesgText})
	m, err := open(data, parse.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	if d := m.Device("0000:c5:00.0"); d == nil || d.Vendor != "8086" {
		t.Errorf("device %+v, problems %v", d, m.Problems)
	}
	if s := m.Source("dmesg"); s.Path != "Für Otto/dmesg.txt" {
		t.Errorf("dmesg %+v, problems %v", s, m.Problems)
	}
}

func TestZipLimits(t *testing.T) {
	zeros := strings.Repeat("\x00", 4<<20)
	big := entry{name: "hwcap-host/cmd/lscpu.txt", data: zeros}
	many := []entry{good}
	for i := range 10 {
		many = append(many, entry{name: fmt.Sprintf("hwcap-host/d%d/", i)})
	}
	for name, tc := range map[string]struct {
		data   []byte
		limits parse.Limits
		want   string
		cut    bool
	}{
		"too many members":   {zipOf(t, nil, many...), parse.Limits{Members: 5}, "more than 5 members", true},
		"too large a member": {zipOf(t, nil, good, big), parse.Limits{Member: 1 << 20}, "a member of more than 1048576 bytes", true},
		"too much in all":    {zipOf(t, nil, good, big), parse.Limits{Total: 1 << 20}, "more than 1048576 bytes in all", true},
		"a bomb":             {zipOf(t, nil, good, big), parse.Limits{Ratio: 100, RatioFrom: 1 << 20}, "it unpacks to more than 100 times its size", false},
	} {
		t.Run(name, func(t *testing.T) {
			m, err := open(tc.data, tc.limits)
			if err != nil {
				t.Fatal(err)
			}
			if m.Capture.CutOff != tc.cut || m.Platform.Cmdline.V != "quiet" {
				t.Errorf("cut off %v, cmdline %+v", m.Capture.CutOff, m.Platform.Cmdline)
			}
			if len(m.Problems) != 1 || !strings.Contains(m.Problems[0].Text, tc.want) {
				t.Errorf("problems %v, want %q", m.Problems, tc.want)
			}
		})
	}
}

// TestZipOverlap reads an archive of which many members are the same packed
// data: a bomb without high ratios.
func TestZipOverlap(t *testing.T) {
	const members = 1000
	text := dmesgText + strings.Repeat("[    0.500000] x\n", 1<<16)
	one := zipOf(t, nil, entry{name: "x/log", data: text})
	from := bytes.Index(one, []byte("PK\x01\x02"))
	end := bytes.Index(one, []byte("PK\x05\x06"))
	var b bytes.Buffer
	b.Write(one[:from])
	for i := range members {
		record := bytes.Clone(one[from:end])
		copy(record[46:], fmt.Sprintf("y/%03x", i)) // APPNOTE.TXT 4.3.12: the name
		b.Write(record)
	}
	tail := bytes.Clone(one[end:])
	binary.LittleEndian.PutUint16(tail[8:], members)
	binary.LittleEndian.PutUint16(tail[10:], members)
	binary.LittleEndian.PutUint32(tail[12:], uint32(members*(end-from)))
	b.Write(tail)
	m, err := open(b.Bytes(), parse.Limits{Total: 4 << 20})
	if err != nil {
		t.Fatal(err)
	}
	if m.Capture.CutOff || !strings.HasSuffix(problem(m, ""), "more members not read: it is a file that shares its data with another one") {
		t.Errorf("cut off %v, problems %v", m.Capture.CutOff, m.Problems)
	}
}

// TestZipDirectory refuses a directory that would fill the memory.
func TestZipDirectory(t *testing.T) {
	const members = 1 << 20
	var b bytes.Buffer
	record := make([]byte, 46+1)
	copy(record, "PK\x01\x02")
	binary.LittleEndian.PutUint16(record[28:], 1)
	record[46] = 'x'
	b.WriteString("PK\x03\x04")
	start := b.Len()
	for range members {
		b.Write(record)
	}
	tail := make([]byte, 22)
	copy(tail, "PK\x05\x06")
	binary.LittleEndian.PutUint16(tail[8:], members&0xffff)
	binary.LittleEndian.PutUint16(tail[10:], members&0xffff)
	binary.LittleEndian.PutUint32(tail[12:], uint32(b.Len()-start))
	binary.LittleEndian.PutUint32(tail[16:], uint32(start))
	b.Write(tail)
	_, err := open(b.Bytes(), parse.Limits{})
	if !errors.Is(err, parse.ErrTooLarge) || !strings.Contains(err.Error(), "a directory of more than 16 MiB") {
		t.Errorf("error %v", err)
	}
}

// TestZipStored reads a member that is not compressed, and one that has its
// sizes behind it and in the form of large archives.
func TestZipStored(t *testing.T) {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	out, err := w.CreateRaw(&zip.FileHeader{Name: good.name, Method: zip.Store, CRC32: crc32.ChecksumIEEE([]byte(good.data)),
		CompressedSize64: uint64(len(good.data)), UncompressedSize64: uint64(len(good.data))})
	if err != nil {
		t.Fatal(err)
	}
	io.WriteString(out, good.data)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	m, err := open(b.Bytes(), parse.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	if m.Platform.Cmdline.V != "quiet" || len(m.Problems) > 0 {
		t.Errorf("cmdline %+v, problems %v", m.Platform.Cmdline, m.Problems)
	}
}

func FuzzZip(f *testing.F) {
	f.Add(zipOf(f, nil, good))
	f.Add(zipOf(f, nil, captureOf(f)...))
	f.Fuzz(func(t *testing.T, data []byte) {
		limits := parse.Limits{Members: 1000, Member: 1 << 20, Total: 4 << 20, RatioFrom: 1 << 20}
		m, err := open(append([]byte("PK\x03\x04"), data[min(4, len(data)):]...), limits)
		if (m == nil) == (err == nil) {
			t.Fatalf("machine %v, error %v", m != nil, err)
		}
		if err != nil && strings.ContainsAny(err.Error(), "\n\x1b") {
			t.Errorf("error %q", err)
		}
		if m != nil {
			read := int64(0)
			for _, s := range m.Sources {
				read += s.Bytes
			}
			if read > limits.Total+limits.Member {
				t.Errorf("%d bytes were read", read)
			}
		}
	})
}
