package main

import (
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
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
// alphabet. Of short ones it draws those that are sought beyond their own label:
// what could be a counter or a word is not (capture/redact/doc.go).
func serialOf(head, alphabet string, n int) func(d draw) string {
	return func(d draw) string {
		for {
			s := head + d.of(alphabet, n)
			var seen []rune
			for _, c := range s {
				if !slices.Contains(seen, c) {
					seen = append(seen, c)
				}
			}
			if len(seen) >= 4 && strings.ContainsAny(s, digits) {
				return s
			}
		}
	}
}

// euiText draws a Device Serial Number as lspci prints it.
func euiText(middle ...byte) func(d draw) string {
	return func(d draw) string { return joined(d.eui(middle...), "-") }
}

// kind is a way in which something tells an identity: the text with {} for it,
// and how it is drawn. [TestRedactionOfRandomIdentities] leaves in one class after
// the other.
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
	{"user", "user of a session", "systemd-logind[700]: New session 3 of user {}.", draw.user},
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
		{"secret", "key", "PrivateKey = {}\n", serialOf("y", hexes, 43)},
		{"wwn", "port", "port_name = 0x{}\n", serialOf("2", hexes, 15)},
		{"drive", "drive by id", "/dev/disk/by-id/nvme-Samsung_SSD_980_{}\n", draw.serial},
		{"wwn", "eui", "/dev/disk/by-id/nvme-eui.{}\n", serialOf("002538", hexes, 10)},
	}},
}

// logHeads are what stands before a message in each log.
var logHeads = []struct{ member, head string }{
	{"cmd/dmesg.txt", "[ 4711.000815] "},
	{"dev/kmsg", "6,98765,4711000815,-;"},
	{"cmd/journal-k.txt", "[ 4711.000815] kernel: "},
	{"cmd/journal-k-1.txt", "[ 4711.000815] kernel: "},
}
