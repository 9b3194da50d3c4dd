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
	"slices"
	"strings"
	"testing"
	"time"

	"hwcap/capture/leak"
	"hwcap/capture/redact"
	"hwcap/samples"
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

// kind is a way in which something tells an identity: the text with {} for
// it, and how it is drawn.
type kind struct {
	class string
	text  string
	value func(d draw) string
}

// logKinds stand in each of the four logs.
var logKinds = []kind{
	{"mac", "igb 0000:03:00.0: added PHC on eth0, (PCIe:2.5Gb/s:Width x1) {}", draw.mac},
	{"mac in a name", "r8152 4-1:1.0 enx{}: renamed from eth1", draw.plain},
	{"host", "systemd[1]: Hostname set to <{}>.", draw.host},
	{"usb serial", "usb 1-4: SerialNumber: {}", draw.serial},
	{"uuid", "EXT4-fs (nvme0n1p2): mounted filesystem {} r/w with ordered data mode. Quota mode: none.", draw.uuid},
	{"uuid of the root", "Kernel command line: BOOT_IMAGE=/vmlinuz root=UUID={} ro quiet", draw.uuid},
	{"disk signature", "Kernel command line: root=PARTUUID={}-02 ro", func(d draw) string { return "a" + d.of("0123456789abcdef", 7) }},
	{"luks", "Kernel command line: rd.luks.uuid=luks-{} ro", draw.uuid},
	{"vg", "Kernel command line: rd.lvm.lv={}/root ro", draw.host},
	{"pool", "Kernel command line: root=ZFS={}/ROOT/debian ro", draw.host},
	{"ipv4", "Kernel command line: ip={}:::255.255.255.0::eth0:off", draw.ipv4},
	{"path", "Kernel command line: init=/home/{}/init ro", draw.user},
	{"secret", "Kernel command line: ro password={}", draw.serial},
	{"firewall", "[UFW BLOCK] IN=eth0 OUT= MAC={} SRC=198.51.100.7 DST=198.51.100.9 LEN=40", func(d draw) string { return joined(d.bytes(14), ":") }},
	{"audit", "audit: type=1400 audit(1785000000.123:45): apparmor=\"DENIED\" name=\"{}\" pid=77", draw.user},
	{"ppin", "mce: [Hardware Error]: PPIN: {}", func(d draw) string { return "2" + d.of("0123456789abcdef", 15) }},
	{"wwn", "sd 0:0:0:0: [sda] naa.{}", func(d draw) string { return "5" + d.of("0123456789abcdef", 15) }},
	{"nqn", "nvme nvme1: new ctrl: NQN \"nqn.2014-08.org.nvmexpress:uuid:{}\"", draw.uuid},
}

// otherKinds stand in one member each.
var otherKinds = map[string][]kind{
	"cmd/dmidecode.txt": {
		{"system serial", "Handle 0x0F01, DMI type 1, 27 bytes\nSystem Information\n\tManufacturer: Example\n\tSerial Number: {}\n", draw.serial},
		{"system uuid", "\tUUID: {}\n", draw.uuid},
		{"board serial", "Handle 0x0F02, DMI type 2, 15 bytes\nBase Board Information\n\tSerial Number: {}\n", draw.serial},
		{"asset tag", "\tAsset Tag: {}\n", draw.serial},
		{"dimm serial", "Handle 0x0F11, DMI type 17, 92 bytes\nMemory Device\n\tSerial Number: {}\n", func(d draw) string { return "8C" + d.of("0123456789ABCDEF", 6) }},
	},
	"cmd/lspci-vvv.txt": {
		{"pcie serial", "0000:7e:00.0 Ethernet controller [0200]: Intel Corporation I210 [8086:1533]\n\tCapabilities: [140 v1] Device Serial Number {}\n", func(d draw) string { return joined(d.eui(0xff, 0xff), "-") }},
		{"pcie serial of an EUI-64", "0000:7e:00.1 Ethernet controller [0200]: Intel Corporation I210 [8086:1533]\n\tCapabilities: [140 v1] Device Serial Number {}\n", func(d draw) string { return joined(d.eui(0xff, 0xfe), "-") }},
		{"pcie serial reversed", "0000:7e:00.2 Ethernet controller [0200]: Intel Corporation I210 [8086:1533]\n\tCapabilities: [140 v1] Device Serial Number {}\n", func(d draw) string { return joined(backwards(d.eui(0xff, 0xff)), "-") }},
		{"pcie serial of no address", "0000:7e:00.3 Non-Volatile memory controller [0108]: Example\n\tCapabilities: [140 v1] Device Serial Number {}\n", func(d draw) string { return joined(append([]byte{0xa1}, d.bytes(7)...), "-") }},
		{"vpd", "0000:7e:00.4 Ethernet controller [0200]: Example\n\tCapabilities: [e0] Vital Product Data\n\t\tRead-only fields:\n\t\t\t[PN] Part number: X520\n\t\t\t[SN] Serial number: {}\n", draw.serial},
	},
	"cmd/nvme-list.txt": {
		{"drive serial", "Node                  SN                   Model                                    Namespace Usage                      Format           FW Rev\n" +
			"--------------------- -------------------- ---------------------------------------- --------- -------------------------- ---------------- --------\n" +
			"/dev/nvme0n1          {}      Samsung SSD 980 PRO 1TB                  1         500.00  GB /   1.00  TB    512   B +  0 B   5B2QGXA7\n", draw.serial},
	},
	"cmd/dmsetup.txt": {
		{"luks", "luks-{}: 0 1000 crypt aes-xts-plain64 :64:logon:cryptsetup:0 0 259:3 32768\n", draw.uuid},
	},
	"cmd/nvidia-smi.txt": {
		{"uuid of a graphics card", "    GPU UUID                              : GPU-{}\n", draw.uuid},
		{"its serial number", "    Serial Number                         : {}\n", func(d draw) string { return "13" + d.of("0123456789", 11) }},
	},
	"proc/cmdline": {
		{"volume", "BOOT_IMAGE=/vmlinuz root=/dev/mapper/{}-root ro\n", func(d draw) string { return d.of("bdfghklmnprstvz", 9) + "7" }},
		{"mac", "BOOTIF=01-{}\n", func(d draw) string { return joined(d.macBytes(), "-") }},
	},
	"sys/class/net/.list": {
		{"mac in a link", "enx{} -> ../../devices/pci0000:00/0000:00:14.0/usb4/4-1/4-1:1.0/net/eth1\n", draw.plain},
	},
	"attach/notes.txt": {
		{"mac", "ethernet hwaddr {}\n", draw.mac},
		{"ipv6", "inet6 {}/64 scope global\n", draw.ipv6},
		{"ipv4", "inet addr:{} Bcast:255.255.255.255\n", draw.ipv4},
		{"machine id", "Machine ID: {}\n", func(d draw) string { return "a" + hex.EncodeToString(d.bytes(16))[1:] }},
		{"ssid", "SSID: {}\n", draw.user},
		{"drive by id", "/dev/disk/by-id/nvme-Samsung_SSD_980_{}\n", draw.serial},
	},
}

func backwards(b []byte) []byte {
	b = slices.Clone(b)
	slices.Reverse(b)
	return b
}

// logHeads are what stands before a message in each log, and how it ends.
var logHeads = map[string]string{
	"cmd/dmesg.txt":       "[ 4711.000815] ",
	"dev/kmsg":            "6,98765,4711000815,-;",
	"cmd/journal-k.txt":   "[ 4711.000815] kernel: ",
	"cmd/journal-k-1.txt": "[ 4711.000815] kernel: ",
}

// seed is an identity that was planted.
type seed struct {
	member string
	line   int // 0 in a binary member, -1 in a name
	kind   string
	value  string
}

// garden is a capture into which identities are planted.
type garden struct {
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
func (g *garden) text(member, kind, lines, value string) {
	have := g.members[member]
	if n := len(have); n > 0 && have[n-1] != '\n' {
		have = append(have, '\n')
	}
	for i, line := range strings.Split(lines, "\n") {
		if strings.Contains(line, value) {
			g.seeds = append(g.seeds, seed{member, bytes.Count(have, []byte("\n")) + i + 1, kind, value})
		}
	}
	g.put(member, append(have, lines...))
}

// plant draws an identity for each place.
func (g *garden) plant(d draw) {
	for member, head := range logHeads {
		for _, k := range logKinds {
			v := k.value(d)
			g.text(member, k.class, head+strings.ReplaceAll(k.text, "{}", v)+"\n", v)
		}
	}
	for member, kinds := range otherKinds {
		for _, k := range kinds {
			v := k.value(d)
			g.text(member, k.class, strings.ReplaceAll(k.text, "{}", v), v)
		}
	}
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
	g.seeds = append(g.seeds, seed{config, 0, "pcie serial", joined(eui, "-")})

	eui = d.eui(0xff, 0xfe)
	var rows strings.Builder
	rows.WriteString("0000:7d:00.0 Ethernet controller: Intel Corporation I210\n")
	for at, space := 0, deviceSerial(eui); at < len(space); at += 16 {
		fmt.Fprintf(&rows, "%02x: %s\n", at, joined(space[at:at+16], " "))
	}
	before := len(g.seeds)
	g.text("attach/lspci-xxxx.txt", "pcie serial in hex rows", rows.String(), joined(backwards(eui), " "))
	if len(g.seeds) == before+1 { // the search tells of rows at their end
		g.seeds[before].line = bytes.Count(g.members["attach/lspci-xxxx.txt"], []byte("\n"))
	}

	mac := d.macBytes()
	g.put("netlink/route.pcap", append(linkDump(g.members["netlink/route.pcap"]), linkRecord(mac)...))
	g.seeds = append(g.seeds, seed{"netlink/route.pcap", 0, "mac", joined(mac, ":")}, seed{"netlink/route.pcap", 0, "mac in a name", joined(mac, "")})
}

// linkDump is an empty dump where there is none.
func linkDump(have []byte) []byte {
	if len(have) > 0 {
		return have
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

// plantNames gives the machine a host name, and an adapter a name of its own.
func (g *garden) plantNames(d draw) {
	adapter := d.plain()
	name := "sys/class/net/enx" + adapter + "/mtu"
	g.put(name, []byte("1500\n"))
	g.seeds = append(g.seeds, seed{name, -1, "mac in the name of a member", adapter})

	manifest := string(g.members["manifest.json"])
	host, boot := d.host(), d.uuid()
	for field, value := range map[string]string{"host": host, "boot": boot} {
		head, rest, _ := strings.Cut(manifest, "\n  \""+field+"\": \"")
		_, rest, _ = strings.Cut(rest, "\"")
		g.seeds = append(g.seeds, seed{"manifest.json", strings.Count(head, "\n") + 2, field, value})
		manifest = head + "\n  \"" + field + "\": \"" + value + "\"" + rest
	}
	g.put("manifest.json", []byte(manifest))
	g.seeds = append(g.seeds, seed{g.top(host), -1, "host in the name of the capture", host})
}

func (g *garden) top(host string) string { return "hwcap-" + host + "-20260812T211400Z" }

func (g *garden) archive(t *testing.T) []byte {
	t.Helper()
	top := g.seeds[len(g.seeds)-1].member
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, name := range g.names {
		h := &tar.Header{Name: top + "/" + name, Size: int64(len(g.members[name])), Mode: 0o644, ModTime: time.Unix(0, 0), Format: tar.FormatPAX}
		if err := w.WriteHeader(h); err != nil {
			t.Fatal(err)
		}
		w.Write(g.members[name])
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// formsOf are the ways in which a value may have survived: as text, and what
// is made of hexadecimal digits also as bytes and in other writings, each
// reversed as well.
func formsOf(value string) map[string][]byte {
	forms := map[string][]byte{"text": []byte(value), "reversed": backwards([]byte(value)), "hex": []byte(hex.EncodeToString([]byte(value)))}
	digits := strings.NewReplacer(":", "", "-", "").Replace(value)
	raw, err := hex.DecodeString(digits)
	if err != nil || len(raw) < 6 {
		return forms
	}
	for way, b := range map[string][]byte{"": raw, " reversed": backwards(raw)} {
		forms["raw"+way] = b
		for _, sep := range []string{"", " ", ":", "-"} {
			forms["hex"+way+" by "+sep] = []byte(joined(b, sep))
		}
	}
	return forms
}

// lowerASCII lowers letters and nothing else: bytes.ToLower makes one and the
// same rune of all bytes that are not UTF-8.
func lowerASCII(b []byte) []byte {
	low := bytes.Clone(b)
	for i, c := range low {
		if 'A' <= c && c <= 'Z' {
			low[i] += 'a' - 'A'
		}
	}
	return low
}

// TestRedactionOfRandomIdentities plants identities that no run had before in
// every sample, and finds none of them after redaction: in no member, no name
// of one, in no form. Without redaction the search finds each where it stands.
func TestRedactionOfRandomIdentities(t *testing.T) {
	for _, name := range samples.Names() {
		t.Run(name, func(t *testing.T) {
			s1, s2 := rand.Uint64(), rand.Uint64()
			t.Logf("drawn with rand.NewPCG(%#x, %#x)", s1, s2)
			g := gardenOf(t, name)
			g.plant(draw{rand.New(rand.NewPCG(s1, s2))})
			if len(g.seeds) < 60 {
				t.Fatalf("%d places", len(g.seeds))
			}
			planted := g.archive(t)

			var out bytes.Buffer
			key := redact.Key{byte(s1)}
			open := func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(planted)), nil }
			if _, err := redact.Archive(&out, open, key, t.TempDir()); err != nil {
				t.Fatal(err)
			}
			eachFile(t, out.Bytes(), func(name string, data []byte) {
				if bytes.HasPrefix(data, []byte("\x1f\x8b")) { // proc/config.gz
					data = unpack(data)
				}
				data = lowerASCII(data)
				for _, s := range g.seeds {
					for form, b := range formsOf(s.value) {
						if b = lowerASCII(b); bytes.Contains(data, b) || strings.Contains(strings.ToLower(name), string(b)) {
							t.Errorf("%s of %s:%d survives in %s (%s): %s", s.kind, s.member, s.line, name, form, s.value)
						}
					}
				}
			})

			original, err := leak.ValuesOf(bytes.NewReader(planted))
			if err != nil {
				t.Fatal(err)
			}
			places, err := leak.Search(bytes.NewReader(out.Bytes()), original)
			if err != nil {
				t.Fatal(err)
			}
			for _, p := range places {
				t.Errorf("after redaction: %v", p)
			}
			g.found(t, planted)
		})
	}
}

// found holds that the search without redaction finds each identity where it
// was planted.
func (g *garden) found(t *testing.T, planted []byte) {
	t.Helper()
	places, err := leak.Search(bytes.NewReader(planted), nil)
	if err != nil {
		t.Fatal(err)
	}
	type spot struct {
		member string
		line   int
	}
	have := map[spot]bool{}
	for _, p := range places {
		switch {
		case p.InName:
			have[spot{p.File, -1}] = true
		default:
			have[spot{p.File, p.Line}] = true
		}
	}
	for _, s := range g.seeds {
		if !have[spot{s.member, s.line}] {
			t.Errorf("not found: %s in %s:%d: %s", s.kind, s.member, s.line, s.value)
		}
	}
}
