package redact

import (
	"archive/tar"
	"bytes"
	"io"
	"strings"
	"testing"
)

// seeds are texts and bytes of each kind of member.
var seeds = []struct{ member, text string }{
	{"cmd/dmesg.txt", "[    1.0] eth0: MAC 00:00:5e:00:53:2a at 0000:17:00.0\n[UFW BLOCK] IN=a OUT= MAC=b SRC=192.0.2.1\n"},
	{"cmd/dmidecode.txt", "Memory Device\r\n\tSerial Number: 3A7B2C4D\r\n\tAsset Tag: x"},
	{"cmd/lspci-vvv.txt", "0000:17:00.0 x\n\tCapabilities: [130] Device Serial Number 2a-53-00-ff-fe-5e-00-00\n00: 86 80 83 15 00 00 00 00 00 00 00 00 00 00 00 00\n"},
	{"proc/cmdline", "root=UUID=4c4c4544-0042-3510-8051-b7c04f4e3733 ip=192.0.2.17 rd.lvm.lv=a1/b2 password=x key=deadbeef01\n"},
	{"cmd/nvme-list.txt", "Node                  SN                   Model\n/dev/nvme0n1          S4YNNE0R80           M\n"},
	{"cmd/dmsetup.txt", "a--b-c: 0 1 crypt aes 001122 0 8:3 0\n"},
	{"attach/x", "fe80::1:2%3 ::ffff:1.2.3.4 nqn.2014-08.org.nvmexpress:uuid: /home/a/ Linux h 6.1 \x00\xff"},
	{"attach/x.json", `{"serial":"A1B2C3D4E5F6","host":"h","wwn":"0x5000c500a1b2c3d4"}`},
	{"sys/bus/pci/devices/0000:17:00.0/config", strings.Repeat("\x00", 256) + "\x03\x00\x01\x00\x2a\x53\x00\xfe\xff\x5e\x00\x00"},
	{"netlink/route.pcap", "\xd4\xc3\xb2\xa1\x02\x00\x04\x00\x00\x00\x00\x00\x00\x00\x00\x00\xff\xff\x00\x00\xfd\x00\x00\x00"},
	{"sys/firmware/acpi/tables/MSDM", "MSDM" + strings.Repeat("x", 80)},
	{"proc/config.gz", "\x1f\x8b\x08\x00"},
	{"cmd/x.err", "a"},
}

// FuzzRewrite: lines keep their number, binary members their length, what is
// evidence by its form stays, and a second run under another key changes
// nothing.
func FuzzRewrite(f *testing.F) {
	for _, s := range seeds {
		f.Add(s.member, []byte(s.text))
	}
	f.Fuzz(func(t *testing.T, member string, text []byte) {
		once := run(t, Key{1}, member, text)
		if twice := run(t, Key{2}, member, once); !bytes.Equal(once, twice) {
			t.Errorf("%s: a second run changes\n%q to\n%q", member, once, twice)
		}
		if stanceOf(member).form == asGzip || len(once) == 0 {
			return
		}
		if was, is := bytes.Count(text, []byte("\n")), bytes.Count(once, []byte("\n")); was != is && stanceOf(member).form == asText {
			t.Errorf("%s: %d lines became %d", member, was, is)
		}
		if f := stanceOf(member).form; f != asText && f != asSniffed && len(once) != len(text) {
			t.Errorf("%s: %d bytes became %d", member, len(text), len(once))
		}
	})
}

func run(t testing.TB, key Key, member string, text []byte) []byte {
	t.Helper()
	r := New(key)
	if err := r.Learn(member, bytes.NewReader(text)); err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := r.Rewrite(member, &b, bytes.NewReader(text)); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// FuzzProtected puts what is evidence into a line of anything.
func FuzzProtected(f *testing.F) {
	f.Add("AER: ", uint32(0x170000), uint64(0xffff8880a1b2c3d4), " end")
	f.Fuzz(func(t *testing.T, before string, bdf uint32, value uint64, after string) {
		if strings.ContainsAny(before+after, "\n") || len(before)+len(after) > 500 {
			return
		}
		hex := string(hexDigits([]byte{byte(value >> 24), byte(value >> 16), byte(value >> 8), byte(value)}))
		evidence := " 0000:" + hex[:2] + ":" + "1f.3 [8086:" + hex[4:] + "] (rev " + hex[2:4] + ") 0x" + hex + " LnkSta: Speed 8GT/s "
		line := before + "|" + evidence + "|" + after
		got := string(run(t, Key{1}, "cmd/dmesg.txt", []byte(line)))
		if !strings.Contains(got, evidence) && !strings.Contains(got, "hwcap: line of") && !announces(before) {
			t.Errorf("%q became %q", line, got)
		}
	})
}

// announces reports whether what follows s may be meant as an identity.
func announces(s string) bool {
	return strings.ContainsAny(s, ":=(<'\"/@") || strings.Contains(strings.ToLower(s), "linux") || strings.Contains(s, "PPIN") || strings.Contains(strings.ToLower(s), "user")
}

// FuzzArchive: whatever is said to be a capture gives an archive that reads, or
// an error.
func FuzzArchive(f *testing.F) {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, s := range seeds {
		w.WriteHeader(&tar.Header{Typeflag: tar.TypeReg, Name: "hwcap-alicebox-20260812T211400Z/" + s.member, Size: int64(len(s.text))})
		io.WriteString(w, s.text)
	}
	const manifest = `{"schema":"hwcap.capture/1","host":"alicebox","sources":[{"name":"dmesg","path":"cmd/dmesg.txt","kind":"command","bytes":1,"sha256":"00"}]}`
	w.WriteHeader(&tar.Header{Typeflag: tar.TypeReg, Name: "hwcap-alicebox-20260812T211400Z/manifest.json", Size: int64(len(manifest))})
	io.WriteString(w, manifest)
	w.Close()
	f.Add(b.Bytes())
	f.Fuzz(func(t *testing.T, data []byte) {
		once, err := pack(data, Key{1}, t.TempDir())
		if err != nil {
			return
		}
		twice, err := pack(once, Key{2}, t.TempDir())
		if err != nil {
			t.Fatalf("the second run: %v", err)
		}
		if !bytes.Equal(once, twice) {
			t.Error("a second run changes something")
		}
	})
}

func pack(data []byte, key Key, temp string) ([]byte, error) {
	var b bytes.Buffer
	_, err := Archive(&b, func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(data)), nil }, key, temp)
	return b.Bytes(), err
}
