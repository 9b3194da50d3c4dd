package main

import (
	"archive/tar"
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"
)

// draw draws identities. It knows nothing of the classes of the redactor.
type draw struct{ *rand.Rand }

func (d draw) bytes(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(d.IntN(256))
	}
	return b
}

// of draws n characters of an alphabet.
func (d draw) of(alphabet string, n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = alphabet[d.IntN(len(alphabet))]
	}
	return string(b)
}

// macBytes is an address that a vendor could have given.
func (d draw) macBytes() []byte {
	b := d.bytes(6)
	b[0] = []byte{0x00, 0x3c, 0x84, 0xa0, 0xd8}[d.IntN(5)]
	b[1] |= 0x10
	return b
}

func joined(b []byte, sep string) string {
	var parts []string
	for _, c := range b {
		parts = append(parts, hex.EncodeToString([]byte{c}))
	}
	return strings.Join(parts, sep)
}

func (d draw) mac() string   { return joined(d.macBytes(), ":") }
func (d draw) plain() string { return joined(d.macBytes(), "") }
func (d draw) serial() string {
	return "S" + d.of("0123456789", 1) + d.of("ABCDEFGHJKLMNPRSTUVWXYZ0123456789", 10) + d.of("0123456789", 3)
}
func (d draw) host() string {
	return d.of("bdfghklmnprstvz", 5) + d.of("aeiou", 1) + d.of("bdfghklmnprstvz", 3) + d.of("123456789", 2)
}
func (d draw) user() string {
	return d.of("bdfghklmnprstvz", 4) + d.of("aeiou", 1) + d.of("bdfghklmnprstvz", 4)
}
func (d draw) ipv4() string {
	return fmt.Sprintf("%s.%d.%d", []string{"192.168", "172.23", "203.0"}[d.IntN(3)], 100+d.IntN(100), 100+d.IntN(100))
}
func (d draw) ipv6() string {
	return fmt.Sprintf("2a01:4f8:%x:%x::%x", 0x1000+d.IntN(0xe000), 0x1000+d.IntN(0xe000), 0x1000+d.IntN(0xe000))
}
func (d draw) uuid() string {
	h := []byte(hex.EncodeToString(d.bytes(16)))
	h[12], h[16] = '4', "89ab"[d.IntN(4)]
	return fmt.Sprintf("%s-%s-%s-%s-%s", h[:8], h[8:12], h[12:16], h[16:20], h[20:])
}

// eui is the Device Serial Number of a network card with a MAC address, the
// most significant byte first.
func (d draw) eui(middle ...byte) []byte {
	m := d.macBytes()
	return slices.Concat(m[:3], middle, m[3:])
}

// serialOf draws a serial number of a maker: what it begins with, then n of an
// alphabet.
func serialOf(head, alphabet string, n int) func(d draw) string {
	return func(d draw) string { return head + d.of(alphabet, n) }
}

// deviceSerial draws a Device Serial Number as lspci prints it.
func euiText(middle ...byte) func(d draw) string {
	return func(d draw) string { return joined(d.eui(middle...), "-") }
}

// kind is a way in which something tells an identity: the text with {} for it,
// and how it is drawn. class is that of the issue of redaction, by which
// [TestVerifyFindsEachClass] leaves it in.
type kind struct {
	class string
	what  string
	text  string
	value func(d draw) string
}

const (
	digits = "0123456789"
	hexes  = "0123456789abcdef"
)

// logKinds stand in each of the four logs.
var logKinds = []kind{
	{"mac", "mac", "igb 0000:03:00.0: added PHC on eth0, (PCIe:2.5Gb/s:Width x1) {}", draw.mac},
	{"mac", "mac in a name", "r8152 4-1:1.0 enx{}: renamed from eth1", draw.plain},
	{"host", "host", "systemd[1]: Hostname set to <{}>.", draw.host},
	{"usb", "usb serial", "usb 1-4: SerialNumber: {}", draw.serial},
	{"uuid", "uuid", "EXT4-fs (nvme0n1p2): mounted filesystem {} r/w with ordered data mode. Quota mode: none.", draw.uuid},
	{"uuid", "uuid of the root", "Kernel command line: BOOT_IMAGE=/vmlinuz root=UUID={} ro quiet", draw.uuid},
	{"uuid", "disk signature", "Kernel command line: root=PARTUUID={}-02 ro", serialOf("a", hexes, 7)},
	{"luks", "luks", "Kernel command line: rd.luks.uuid=luks-{} ro", draw.uuid},
	{"luks", "vg", "Kernel command line: rd.lvm.lv={}/root ro", draw.host},
	{"luks", "pool", "Kernel command line: root=ZFS={}/ROOT/debian ro", draw.host},
	{"ipv4", "ipv4", "Kernel command line: ip={}:::255.255.255.0::eth0:off", draw.ipv4},
	{"user", "path", "Kernel command line: init=/home/{}/init ro", draw.user},
	{"secret", "secret", "Kernel command line: ro password={}", draw.serial},
	{"dropped", "firewall", "[UFW BLOCK] IN=eth0 OUT= MAC={} SRC=198.51.100.7 DST=198.51.100.9 LEN=40", func(d draw) string { return joined(d.bytes(14), ":") }},
	{"dropped", "audit", "audit: type=1400 audit(1785000000.123:45): apparmor=\"DENIED\" name=\"{}\" pid=77", draw.user},
	{"ppin", "ppin", "mce: [Hardware Error]: PPIN: {}", serialOf("2", hexes, 15)},
	{"wwn", "wwn", "sd 0:0:0:0: [sda] naa.{}", serialOf("5", hexes, 15)},
	{"nqn", "nqn", "nvme nvme1: new ctrl: NQN \"nqn.2014-08.org.nvmexpress:uuid:{}\"", draw.uuid},
}

// otherKinds stand in one member each.
var otherKinds = []struct {
	member string
	kinds  []kind
}{
	{"cmd/dmidecode.txt", []kind{
		{"dmi", "system serial", "Handle 0x0F01, DMI type 1, 27 bytes\nSystem Information\n\tManufacturer: Example\n\tSerial Number: {}\n", draw.serial},
		{"uuid", "system uuid", "\tUUID: {}\n", draw.uuid},
		{"dmi", "board serial", "Handle 0x0F02, DMI type 2, 15 bytes\nBase Board Information\n\tSerial Number: {}\n", draw.serial},
		{"dmi", "asset tag", "\tAsset Tag: {}\n", draw.serial},
		{"dimm", "dimm serial", "Handle 0x0F11, DMI type 17, 92 bytes\nMemory Device\n\tSerial Number: {}\n", serialOf("8C", "0123456789ABCDEF", 6)},
	}},
	{"cmd/lspci-vvv.txt", []kind{
		{"dsn", "pcie serial", "0000:7e:00.0 Ethernet controller [0200]: Intel Corporation I210 [8086:1533]\n\tCapabilities: [140 v1] Device Serial Number {}\n", euiText(0xff, 0xff)},
		{"dsn", "pcie serial of an EUI-64", "0000:7e:00.1 Ethernet controller [0200]: Intel Corporation I210 [8086:1533]\n\tCapabilities: [140 v1] Device Serial Number {}\n", euiText(0xff, 0xfe)},
		{"dsn", "pcie serial reversed", "0000:7e:00.2 Ethernet controller [0200]: Intel Corporation I210 [8086:1533]\n\tCapabilities: [140 v1] Device Serial Number {}\n", func(d draw) string { return joined(backwards(d.eui(0xff, 0xff)), "-") }},
		{"dsn", "pcie serial of no address", "0000:7e:00.3 Non-Volatile memory controller [0108]: Example\n\tCapabilities: [140 v1] Device Serial Number {}\n", func(d draw) string { return joined(append([]byte{0xa1}, d.bytes(7)...), "-") }},
		{"vpd", "vpd", "0000:7e:00.4 Ethernet controller [0200]: Example\n\tCapabilities: [e0] Vital Product Data\n\t\tRead-only fields:\n\t\t\t[PN] Part number: X520\n\t\t\t[SN] Serial number: {}\n", draw.serial},
	}},
	{"cmd/nvme-list.txt", []kind{
		{"drive", "drive serial", "Node                  SN                   Model                                    Namespace Usage                      Format           FW Rev\n" +
			"--------------------- -------------------- ---------------------------------------- --------- -------------------------- ---------------- --------\n" +
			"/dev/nvme0n1          {}      Samsung SSD 980 PRO 1TB                  1         500.00  GB /   1.00  TB    512   B +  0 B   5B2QGXA7\n", draw.serial},
	}},
	{"cmd/dmsetup.txt", []kind{
		{"luks", "luks", "luks-{}: 0 1000 crypt aes-xts-plain64 :64:logon:cryptsetup:0 0 259:3 32768\n", draw.uuid},
	}},
	{"cmd/nvidia-smi.txt", []kind{
		{"uuid", "uuid of a graphics card", "    GPU UUID                              : GPU-{}\n", draw.uuid},
		{"dmi", "its serial number", "    Serial Number                         : {}\n", serialOf("13", digits, 11)},
	}},
	{"proc/cmdline", []kind{
		{"luks", "volume", "BOOT_IMAGE=/vmlinuz root=/dev/mapper/{}-root ro\n", func(d draw) string { return d.of("bdfghklmnprstvz", 9) + "7" }},
		{"mac", "mac", "BOOTIF=01-{}\n", func(d draw) string { return joined(d.macBytes(), "-") }},
	}},
	{"sys/class/net/.list", []kind{
		{"mac", "mac in a link", "enx{} -> ../../devices/pci0000:00/0000:00:14.0/usb4/4-1/4-1:1.0/net/eth1\n", draw.plain},
	}},
	{"attach/notes.txt", []kind{
		{"mac", "mac", "ethernet hwaddr {}\n", draw.mac},
		{"ipv6", "ipv6", "inet6 {}/64 scope global\n", draw.ipv6},
		{"ipv4", "ipv4", "inet addr:{} Bcast:255.255.255.255\n", draw.ipv4},
		{"machine-id", "machine id", "Machine ID: {}\n", serialOf("a", hexes, 31)},
		{"ssid", "ssid", "SSID: {}\n", draw.user},
		{"drive", "drive by id", "/dev/disk/by-id/nvme-Samsung_SSD_980_{}\n", draw.serial},
		{"wwn", "eui", "/dev/disk/by-id/nvme-eui.{}\n", serialOf("002538", hexes, 10)},
	}},
}

func backwards(b []byte) []byte {
	b = slices.Clone(b)
	slices.Reverse(b)
	return b
}

// logHeads are what stands before a message in each log.
var logHeads = []struct{ member, head string }{
	{"cmd/dmesg.txt", "[ 4711.000815] "},
	{"dev/kmsg", "6,98765,4711000815,-;"},
	{"cmd/journal-k.txt", "[ 4711.000815] kernel: "},
	{"cmd/journal-k-1.txt", "[ 4711.000815] kernel: "},
}

// seed is an identity that was planted.
type seed struct {
	class, what string
	value       string
	member      string
	line        int  // 0 in a binary member, -1 in a name
	told        int  // the line that the search tells, where it is another one
	at, size    int  // of a binary member, in bytes
	echo        bool // nothing announces it: only the original tells what it is
}

func (s seed) String() string {
	return fmt.Sprintf("%s (%s) in %s:%d: %s", s.what, s.class, s.member, s.line, s.value)
}

// garden is a capture into which identities are planted.
type garden struct {
	host    string
	names   []string
	members map[string][]byte
	seeds   []seed
}

func gardenOf(t *testing.T, name string) *garden {
	t.Helper()
	g := &garden{members: map[string][]byte{}}
	eachFile(t, sampleTar(t, name), func(name string, data []byte) {
		_, member, _ := strings.Cut(name, "/")
		g.put(member, data)
	})
	return g
}

func eachFile(t *testing.T, archive []byte, do func(name string, data []byte)) {
	t.Helper()
	for r := tar.NewReader(bytes.NewReader(archive)); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		do(h.Name, data)
	}
}

func (g *garden) put(member string, data []byte) {
	if _, ok := g.members[member]; !ok {
		g.names = append(g.names, member)
	}
	g.members[member] = data
}

// text appends lines to a text member, and notes each line with the value.
func (g *garden) text(member string, s seed, lines string) {
	have := g.members[member]
	if n := len(have); n > 0 && have[n-1] != '\n' {
		have = append(have, '\n')
	}
	for i, line := range strings.Split(lines, "\n") {
		if strings.Contains(line, s.value) {
			s.member, s.line = member, bytes.Count(have, []byte("\n"))+i+1
			g.seeds = append(g.seeds, s)
		}
	}
	g.put(member, append(have, lines...))
}

// plant draws an identity for each place.
func (g *garden) plant(d draw) {
	for _, log := range logHeads {
		for _, k := range logKinds {
			v := k.value(d)
			g.text(log.member, seed{class: k.class, what: k.what, value: v}, log.head+strings.ReplaceAll(k.text, "{}", v)+"\n")
		}
	}
	for _, m := range otherKinds {
		for _, k := range m.kinds {
			v := k.value(d)
			g.text(m.member, seed{class: k.class, what: k.what, value: v}, strings.ReplaceAll(k.text, "{}", v))
		}
	}
	g.plantEchoes()
	g.plantBinary(d)
	g.plantNames(d)
}

// deviceSerial makes a function's configuration space whose only extended
// capability holds a serial number.
func deviceSerial(eui []byte) []byte {
	space := make([]byte, 4096)
	binary.LittleEndian.PutUint32(space, 0x15338086)
	binary.LittleEndian.PutUint32(space[0x100:], 0x00010003)
	copy(space[0x104:], backwards(eui))
	return space
}

func (g *garden) plantBinary(d draw) {
	// Raw: least significant byte first, so reversed as well.
	eui := d.eui(0xff, 0xff)
	const config = "sys/bus/pci/devices/0000:7e:00.0/config"
	g.put(config, deviceSerial(eui))
	g.seeds = append(g.seeds, seed{class: "dsn", what: "pcie serial", value: joined(eui, "-"), member: config, at: 0x104, size: 8})

	eui = d.eui(0xff, 0xfe)
	var rows strings.Builder
	rows.WriteString("0000:7d:00.0 Ethernet controller: Intel Corporation I210\n")
	for at, space := 0, deviceSerial(eui); at < len(space); at += 16 {
		fmt.Fprintf(&rows, "%02x: %s\n", at, joined(space[at:at+16], " "))
	}
	const hexRows = "attach/lspci-xxxx.txt"
	before := len(g.seeds)
	g.text(hexRows, seed{class: "dsn", what: "pcie serial in hex rows", value: joined(backwards(eui), " ")}, rows.String())
	for i := range g.seeds[before:] { // the search tells of rows at their end
		g.seeds[before+i].told = bytes.Count(g.members[hexRows], []byte("\n"))
	}

	mac := d.macBytes()
	const route = "netlink/route.pcap"
	dump, record := linkDump(g.members[route]), linkRecord(mac)
	g.put(route, append(dump, record...))
	for what, value := range map[string]string{"mac": joined(mac, ":"), "mac in a name": joined(mac, "")} {
		g.seeds = append(g.seeds, seed{class: "mac", what: what, value: value, member: route, at: len(dump), size: len(record)})
	}
}

// linkDump is an empty dump where there is none.
func linkDump(have []byte) []byte {
	if len(have) > 0 {
		return slices.Clip(have)
	}
	head := make([]byte, 24)
	binary.LittleEndian.PutUint32(head, 0xa1b2c3d4)
	binary.LittleEndian.PutUint16(head[4:], 2)
	binary.LittleEndian.PutUint16(head[6:], 4)
	binary.LittleEndian.PutUint32(head[16:], 0x40000)
	binary.LittleEndian.PutUint32(head[20:], 253)
	return head
}

// linkRecord is a message RTM_NEWLINK of an adapter whose name has its address.
func linkRecord(mac []byte) []byte {
	attribute := func(kind uint16, value []byte) []byte {
		b := binary.LittleEndian.AppendUint16(nil, uint16(4+len(value)))
		b = append(binary.LittleEndian.AppendUint16(b, kind), value...)
		return append(b, make([]byte, -len(b)&3)...)
	}
	body := make([]byte, 16) // struct ifinfomsg
	binary.LittleEndian.PutUint16(body[2:], 1)
	body = slices.Concat(body,
		attribute(3, append([]byte("enx"+joined(mac, "")), 0)), // IFLA_IFNAME
		attribute(1, mac), attribute(54, mac)) // IFLA_ADDRESS, IFLA_PERM_ADDRESS
	message := make([]byte, 16)
	binary.LittleEndian.PutUint32(message, uint32(16+len(body)))
	binary.LittleEndian.PutUint16(message[4:], 16) // RTM_NEWLINK
	link := make([]byte, 16)
	binary.BigEndian.PutUint16(link[2:], 824)
	frame := slices.Concat(link, message, body)
	record := make([]byte, 16)
	binary.LittleEndian.PutUint32(record[8:], uint32(len(frame)))
	binary.LittleEndian.PutUint32(record[12:], uint32(len(frame)))
	return append(record, frame...)
}

// unheard are classes whose values are replaced only where something announces
// them: addresses look like versions, and passwords like words.
var unheard = map[string]bool{"ipv4": true, "secret": true, "dropped": true}

// plantEchoes plants every identity again where nothing announces it: as text
// and as bytes, forward and backward, and in rows of hexadecimal digits.
func (g *garden) plantEchoes() {
	const rows, raw = "attach/echoes.txt", "attach/echoes.bin"
	text, blob := []byte("what others noted\n"), make([]byte, 16)
	for _, s := range slices.Clone(g.seeds) {
		if unheard[s.class] || s.member == "dev/kmsg" || strings.HasPrefix(s.member, "cmd/journal") {
			continue // the kinds of one log are enough
		}
		what := s.what
		s.echo = true
		for _, form := range echoesOf(s.class, s.value) {
			s.what = form.name + " of " + what
			text = append(text, form.row...)
			text = append(text, '\n')
			s.member, s.line, s.at, s.size = rows, bytes.Count(text, []byte("\n")), 0, 0
			g.seeds = append(g.seeds, s)
			if form.raw == nil {
				continue
			}
			s.member, s.line, s.at, s.size = raw, 0, len(blob), len(form.raw)
			blob = append(append(blob, form.raw...), make([]byte, 16)...)
			g.seeds = append(g.seeds, s)
		}
	}
	g.put(rows, text)
	g.put(raw, blob)
}

// echo is a form of a value: a row of text, and bytes.
type echo struct {
	name string
	row  string
	raw  []byte
}

// names are classes whose values no machine turns around.
var names = map[string]bool{"host": true, "user": true, "ssid": true, "luks": true}

// echoesOf returns the forms in which programs repeat a value: what is a number
// in octets, from the first to the last or back, and texts.
func echoesOf(class, value string) []echo {
	text, raw := []byte(value), octetsOf(value)
	all := []echo{{"text", "again " + value, text}}
	if a, err := netip.ParseAddr(value); err == nil { // which has many forms as a text
		all, raw = nil, a.AsSlice()
	}
	if raw != nil {
		return append(all,
			echo{"octets", "again " + joined(raw, " "), raw},
			echo{"reversed octets", "again " + joined(backwards(raw), " "), backwards(raw)})
	}
	if !names[class] {
		all = append(all, echo{"reversed text", "again " + string(backwards(text)), backwards(text)})
	}
	return append(all, echo{"text in hex", "again " + joined(text, " "), nil})
}

// octetsOf returns the bytes that a value of hexadecimal digits names, nil for
// another one or a short one.
func octetsOf(value string) []byte {
	raw, err := hex.DecodeString(strings.NewReplacer(":", "", "-", "").Replace(value))
	if err != nil || len(raw) < 6 {
		return nil
	}
	return raw
}

// plantNames gives the machine a host name, and an adapter a name of its own.
func (g *garden) plantNames(d draw) {
	adapter := d.plain()
	name := "sys/class/net/enx" + adapter + "/mtu"
	g.put(name, []byte("1500\n"))
	g.seeds = append(g.seeds, seed{class: "mac", what: "mac in the name of a member", value: adapter, member: name, line: -1})

	manifest := string(g.members["manifest.json"])
	host, boot := d.host(), d.uuid()
	for field, value := range map[string]string{"host": host, "boot": boot} {
		head, rest, _ := strings.Cut(manifest, "\n  \""+field+"\": \"")
		_, rest, _ = strings.Cut(rest, "\"")
		class := map[string]string{"host": "host", "boot": "uuid"}[field]
		g.seeds = append(g.seeds, seed{class: class, what: field, value: value, member: "manifest.json", line: strings.Count(head, "\n") + 2})
		manifest = head + "\n  \"" + field + "\": \"" + value + "\"" + rest
	}
	g.put("manifest.json", []byte(manifest))
	g.host = host
	g.seeds = append(g.seeds, seed{class: "host", what: "host in the name of the capture", value: host, member: g.top(), line: -1})
}

// top is the name of the capture's folder.
func (g *garden) top() string { return "hwcap-" + g.host + "-20260812T211400Z" }

func (g *garden) archive(t *testing.T) []byte {
	t.Helper()
	return tarOf(t, g.top(), g.names, g.members)
}

func tarOf(t *testing.T, top string, names []string, members map[string][]byte) []byte {
	t.Helper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, name := range names {
		h := &tar.Header{Name: top + "/" + name, Size: int64(len(members[name])), Mode: 0o644, ModTime: time.Unix(0, 0), Format: tar.FormatPAX}
		if err := w.WriteHeader(h); err != nil {
			t.Fatal(err)
		}
		w.Write(members[name])
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
