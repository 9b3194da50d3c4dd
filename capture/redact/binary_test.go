package redact

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var testMAC = [6]byte{0, 0, 0x5e, 0, 0x53, 0x2a}

// space is configuration space with a Device Serial Number behind another
// extended capability.
func space() []byte {
	b := make([]byte, configMost)
	binary.LittleEndian.PutUint32(b[0x100:], 0x14820001) // AER, next 0x148
	binary.LittleEndian.PutUint32(b[0x148:], 0x00010003)
	copy(b[0x14c:], []byte{0x2a, 0x53, 0, 0xfe, 0xff, 0x5e, 0, 0})
	copy(b[0x40:], []byte{0, 0, 0x5e, 0, 0x53, 0x2b}) // a register that is like an address
	return b
}

func TestConfig(t *testing.T) {
	want := space()
	mac := testKey.mac(testMAC)
	copy(want[0x14c:], []byte{mac[5], mac[4], mac[3], 0xfe, 0xff, mac[2], mac[1], mac[0]})
	got := redacted(t, "sys/bus/pci/devices/0000:17:00.0/config", string(space()))
	if diff := cmp.Diff(want, []byte(got)); diff != "" {
		t.Error(diff)
	}
}

func TestConfigLoops(t *testing.T) {
	b := space()
	binary.LittleEndian.PutUint32(b[0x148:], 0x10010003) // back to 0x100
	redacted(t, "sys/bus/pci/devices/0000:17:00.0/config", string(b))
}

// TestHexRows: rows of lspci -xxxx lose the same bytes, and nothing else.
func TestHexRows(t *testing.T) {
	rows := func(b []byte) string {
		var s strings.Builder
		s.WriteString("0000:17:00.0 Ethernet controller\n")
		for i := 0; i < len(b); i += 16 {
			fmt.Fprintf(&s, "%02x: % x\n", i, b[i:i+16])
		}
		return s.String() + "\n"
	}
	want := redacted(t, "sys/bus/pci/devices/0000:17:00.0/config", string(space()))
	if diff := cmp.Diff(rows([]byte(want)), redacted(t, "cmd/lspci-vvv.txt", rows(space()))); diff != "" {
		t.Error(diff)
	}
}

// attr is a netlink attribute.
func attr(kind uint16, value []byte) []byte {
	b := binary.LittleEndian.AppendUint16(nil, uint16(4+len(value)))
	b = append(binary.LittleEndian.AppendUint16(b, kind), value...)
	return append(b, make([]byte, (4-len(b)%4)%4)...)
}

// message is a record with one netlink message.
func message(protocol, kind uint16, body []byte) []byte {
	m := binary.LittleEndian.AppendUint32(nil, uint32(16+len(body)))
	m = binary.LittleEndian.AppendUint16(m, kind)
	m = append(append(m, make([]byte, 10)...), body...)
	frame := append(make([]byte, 14), byte(protocol>>8), byte(protocol))
	frame = append(frame, m...)
	head := make([]byte, 8)
	head = binary.LittleEndian.AppendUint32(head, uint32(len(frame)))
	head = binary.LittleEndian.AppendUint32(head, uint32(len(frame)))
	return append(head, frame...)
}

func pcapOf(records ...[]byte) string {
	b := []byte("\xd4\xc3\xb2\xa1\x02\x00\x04\x00\x00\x00\x00\x00\x00\x00\x00\x00\xff\xff\x00\x00\xfd\x00\x00\x00")
	return string(append(b, bytes.Join(records, nil)...))
}

// link is RTM_NEWLINK with the identities of an interface.
func link(mac [6]byte, name, kind string) []byte {
	body := make([]byte, 16)
	body = append(body, attr(3, []byte(name+"\x00"))...)
	body = append(body, attr(4, []byte{0xdc, 5, 0, 0})...)
	body = append(body, attr(1, mac[:])...)
	body = append(body, attr(2, []byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff})...)
	body = append(body, attr(52|1<<15, attr(53, []byte(name+"\x00")))...)
	vf := append(append([]byte{1, 0, 0, 0}, mac[:]...), make([]byte, 26)...)
	body = append(body, attr(22, attr(1, attr(1, vf)))...)
	body = append(body, attr(18, append(attr(1, []byte(kind+"\x00")), attr(2, attr(11, append([]byte{0x80, 0}, mac[:]...)))...))...)
	body = append(body, attr(54, mac[:])...)
	return message(protocolRoute, newLink, body)
}

func TestNetlinkRoute(t *testing.T) {
	mac := testKey.mac(testMAC)
	want := pcapOf(link(mac, "enx"+string(hexDigits(mac[:])), "bridge"))
	got := redacted(t, "netlink/route.pcap", pcapOf(link(testMAC, "enx00005e00532a", "bridge")))
	if diff := cmp.Diff([]byte(want), []byte(got)); diff != "" {
		t.Error(diff)
	}
}

// TestNetlinkDevlink: the family's number is told by the controller's message.
func TestNetlinkDevlink(t *testing.T) {
	file := func(serial, board string) string {
		family := append(attr(1, []byte{0x15, 0}), attr(2, []byte("devlink\x00"))...)
		info := append(attr(2, []byte("0000:17:00.0\x00")), attr(99, []byte(serial+"\x00"))...)
		info = append(info, attr(146, []byte(board+"\x00"))...)
		info = append(info, attr(100, append(attr(103, []byte("board.id\x00")), attr(104, []byte("K91258-000\x00"))...))...)
		return pcapOf(
			message(protocolGeneric, controller, append([]byte{1, 2, 0, 0}, family...)),
			message(protocolGeneric, 0x15, append([]byte{51, 1, 0, 0}, info...)))
	}
	mac := testKey.mac(testMAC)
	number := fmt.Sprintf("%02x-%02x-%02x-ff-fe-%02x-%02x-%02x", mac[0], mac[1], mac[2], mac[3], mac[4], mac[5])
	want := file(number, string(testKey.sealed(kindSerial, []byte("MT2042X01234"))))
	if diff := cmp.Diff([]byte(want), []byte(redacted(t, "netlink/devlink.pcap", file("00-00-5e-ff-fe-00-53-2a", "MT2042X01234")))); diff != "" {
		t.Error(diff)
	}
}

func TestACPI(t *testing.T) {
	table := []byte("MSDM\x55\x00\x00\x00\x03\x00EXAMPLEXAMPLE   ABCDEFGHIJK" + strings.Repeat("K", 0x55-36))
	table = table[:0x55]
	table[9] -= sum(table)
	got := []byte(redacted(t, "sys/firmware/acpi/tables/MSDM", string(table)))
	if len(got) != len(table) || !isZero(got[acpiHeader:]) || sum(got) != 0 || !bytes.Equal(got[10:acpiHeader], table[10:acpiHeader]) {
		t.Errorf("% x", got)
	}
	const dmar = "DMAR0\x00\x00\x00 the rest of it 00005e00532a, evidence"
	if got := redacted(t, "sys/firmware/acpi/tables/DMAR", dmar); got != dmar {
		t.Errorf("%q", got)
	}
}

// TestSweep: bytes without a grammar lose what a text named, forward and
// backward, raw and in hexadecimal digits.
func TestSweep(t *testing.T) {
	r := New(testKey)
	if err := r.Learn("cmd/dmidecode.txt", strings.NewReader("\tSerial Number: EXAMPLE0042X\n")); err != nil {
		t.Fatal(err)
	}
	if err := r.Learn("cmd/dmesg.txt", strings.NewReader("eth0: 00:00:5e:00:53:2a\n")); err != nil {
		t.Fatal(err)
	}
	const zeros = "\x00\x00\x00\x00"
	blob := zeros + "\x00\x00\x5e\x00\x53\x2a" + zeros + "\x2a\x53\x00\x5e\x00\x00" + zeros + "EXAMPLE0042X" + zeros + "X2400ELPMAXE" + zeros
	var b bytes.Buffer
	if err := r.Rewrite("attach/blob", &b, strings.NewReader(blob)); err != nil {
		t.Fatal(err)
	}
	mac := testKey.mac(testMAC)
	serial := testKey.sealed(kindSerial, []byte("EXAMPLE0042X"))
	want := zeros + string(mac[:]) + zeros + string(reversed(mac[:])) + zeros + string(serial) + zeros + string(reversed(serial)) + zeros
	if diff := cmp.Diff([]byte(want), b.Bytes()); diff != "" {
		t.Error(diff)
	}
	if got := rewritten(t, r, "attach/x.txt", "4558414d504c453030343258\n"); got != string(hexDigits(serial))+"\n" {
		t.Errorf("%q", got)
	}
}

// TestSweepOfOctets: UUIDs, numbers and addresses that a text holds are found
// as octets, too, those of a UUID in either order of bytes.
func TestSweepOfOctets(t *testing.T) {
	for _, c := range []struct{ text, raw string }{
		{"UUID 4c4c4544-0042-4510-8051-b7c04f4e3733", "4c4c454400424510"},
		{"UUID 4c4c4544-0042-4510-8051-b7c04f4e3733", "44454c4c42001045"},
		{"Device Serial Number 12-34-56-78-9a-bc-de-f0", "f0debc9a78563412"},
		{"wwn-0x50014ee2b1c3d4e5", "50014ee2b1c3d4e5"},
		{"addr 2001:db8:1:2:3:4:5:1717", "20010db8000100020003000400051717"},
	} {
		r := New(testKey)
		if err := r.Learn("cmd/dmesg.txt", strings.NewReader(c.text)); err != nil {
			t.Fatal(err)
		}
		raw := octets(nil, []byte(c.raw), 0)
		tail := ""
		if strings.HasPrefix(c.text, "UUID") {
			tail = "\x80\x51\xb7\xc0\x4f\x4e\x37\x33"
		}
		var b bytes.Buffer
		if err := r.Rewrite("attach/blob", &b, strings.NewReader("\x00"+string(raw)+tail+"\x00")); err != nil {
			t.Fatal(err)
		}
		if bytes.Contains(b.Bytes(), raw) {
			t.Errorf("%s: % x is left", c.text, raw)
		}
	}
}

// TestOddText: octets and reversed words in a text.
func TestOddText(t *testing.T) {
	const text = "Serial Number: EXAMPLE0042X\nX2400ELPMAXE\neth0 00:00:5e:00:53:2a\n\x01\x00\x00\x5e\x00\x53\x2a\x02\n"
	got := redacted(t, "cmd/ethtool.txt", text)
	if strings.Contains(got, "X2400") || strings.Contains(got, "\x53\x2a") || strings.Count(got, "\n") != 4 {
		t.Errorf("%q", got)
	}
}

// TestPrinted: texts among other bytes lose what is an identity by its form, in
// the same length, and what is as long as one but none stays.
func TestPrinted(t *testing.T) {
	const before = "\x00eth0 00:00:5e:00:53:2a, 2e7cf3b1-3b2a-4d53-9f7e-0d6a4c0b6f11\x00\x01commit 9fceb02d0ae598e95dc970b74767f19372d61af8, 0000:03:00.0\x00"
	got := redacted(t, "attach/blob", before)
	if len(got) != len(before) || strings.Contains(got, "5e:00:53:2a") || strings.Contains(got, "0d6a4c0b6f11") || got[62:] != before[62:] {
		t.Errorf("%q", got)
	}
}

// TestDigits: a serial number of hexadecimal digits alone is found again where
// nothing announces it.
func TestDigits(t *testing.T) {
	got := redacted(t, "cmd/dmesg.txt", "usb 1-1: SerialNumber: 60A44C413FB4F3A0B9760A2F\nusb 1-2: SerialNumber: 0321218012345\nagain 60a44c413fb4f3a0b9760a2f and 0321218012345, 0000000000001000\n")
	if strings.Contains(got, "60a44c") || strings.Contains(got, "0321218012345") || !strings.Contains(got, "0000000000001000") {
		t.Errorf("%q", got)
	}
}

// TestPacked: bytes in gzip are swept as such, what breaks off is dropped where an
// identity is in it, and what is packed twice always.
func TestPacked(t *testing.T) {
	zip := func(s string) string {
		var b bytes.Buffer
		w := gzip.NewWriter(&b)
		w.Write([]byte(s))
		w.Close()
		return b.String()
	}
	const text = "eth0 00:00:5e:00:53:2a\n"
	long := strings.Repeat("a line that is long enough to stand alone\n", 99)
	for _, c := range []struct{ name, packed, want string }{
		{"bytes", zip("\x00" + text), "eth0 06:68:77"},
		{"twice", zip(zip(text)), ""},
		{"broken off", zip(text + long)[:60], ""},
		{"broken off without an identity", zip(long)[:40], "a line"},
		{"lzma", "\x5d\x00\x00\x80\x00 00:00:5e:00:53:2a", ""},
	} {
		got := redacted(t, "attach/some", c.packed)
		if c.want == "" {
			if got != "" {
				t.Errorf("%s: %q", c.name, got)
			}
			continue
		}
		r, err := gzip.NewReader(strings.NewReader(got))
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		if inside, _ := io.ReadAll(r); !strings.Contains(string(inside), c.want) || strings.Contains(string(inside), "5e:00:53") {
			t.Errorf("%s: %q", c.name, inside)
		}
	}
}
