package leak

import (
	"archive/tar"
	"bufio"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/binary"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// seal gives s the check that capture/FORMAT.md describes.
func seal(s string) string {
	b := []byte(s)
	at := len(b)
	for values := 1; values < checkValues; at-- {
		values *= sizeOf(b[at-1])
	}
	sum := sha256.Sum256(append([]byte("hwcap pseudonym\n"), b[:at]...))
	n := 0
	for i := at; i < len(b); i++ {
		if a := alphabet(b[i]); a != "" {
			b[i] = a[int(sum[n])%len(a)]
			n++
		}
	}
	return string(b)
}

func TestLines(t *testing.T) {
	for situation, tt := range map[string]struct {
		line string
		want string // ways and classes found, "" for nothing
	}{
		"a MAC address":                         {"eth0: 52:54:00:12:34:56", "shape mac"},
		"that of a switch":                      {"bridge 01:80:c2:00:00:00", ""},
		"a pseudonym":                           {"eth0: 06:68:77:12:34:56", ""},
		"a pseudonym in capitals":               {"eth0: 06-68-77-AB-CD-EF", ""},
		"a MAC address in a name":               {"renamed to enx525400123456", "shape mac"},
		"a pseudonym in a name":                 {"renamed to enx066877123456", ""},
		"a PCI address":                         {"pci 0000:01:00.0: [8086:1533] type 00 class 0x020000", ""},
		"a time":                                {"12:34:56 up 3 days", ""},
		"a Device Serial Number":                {"Device Serial Number a0-36-9f-ff-ff-12-34-56", "shape eui64, entropy serial"},
		"its pseudonym":                         {"Device Serial Number 06-68-77-ff-fe-12-34-56", ""},
		"its pseudonym reversed":                {"Device Serial Number 56-34-12-fe-ff-77-68-06", ""},
		"no Device Serial Number":               {"Device Serial Number 00-00-00-00-00-00-00-00", ""},
		"a UUID":                                {"root=UUID=2e7cf3b1-3b2a-4d53-9f7e-0d6a4c0b6f11", "shape uuid, label uuid"},
		"its pseudonym 2":                       {"root=UUID=2e7cf3b1-6877-8d53-8f7e-0d6a4c0b6f11", ""},
		"the key of pseudonyms":                 {"hwcap-redact-key-1:0123456789abcdef", "shape secret"},
		"a private key of ssh":                  {"-----BEGIN OPENSSH PRIVATE KEY-----", "shape secret"},
		"a certificate":                         {"-----BEGIN CERTIFICATE-----", ""},
		"a firmware version":                    {"QAT: FW version 4.16.0.0", ""},
		"an address":                            {"ip=192.168.17.23::192.168.17.1", "shape ipv4, shape ipv4"},
		"an address for documentation":          {"nameserver 192.0.2.17", "shape ipv4"},
		"its pseudonym 3":                       {"nameserver 240.17.3.9", ""},
		"an IPv6 address":                       {"inet6 2a01:4f8:c0c:1234::1/64", "shape ipv6"},
		"its pseudonym 4":                       {"inet6 2001:db8:6877:aa::1/64", ""},
		"a link-local pseudonym":                {"inet6 fe80::468:77ff:fe12:3456/64", ""},
		"a WWN":                                 {"wwn-0x5000c500a1b2c3d4", "shape wwn"},
		"its pseudonym 5":                       {"wwn-0x5066877500a1b2c3", ""},
		"a serial number of DMI":                {"\tSerial Number: PF2ABCDE", "label serial"},
		"a placeholder of DMI":                  {"\tSerial Number: To Be Filled By O.E.M.", ""},
		"a serial number of a drive":            {"sn        : S4EVNX0R123456", "entropy serial, label serial"},
		"its pseudonym 6":                       {"sn        : " + seal("S4EVNX0R123456"), ""},
		"filled":                                {"Serial Number: XXXX", ""},
		"the numbers of descriptors":            {"usb 1-1: New USB device strings: Mfr=1, Product=2, SerialNumber=3", ""},
		"a serial number of USB":                {"usb 1-1: SerialNumber: 4C530001230607", "entropy serial, label serial"},
		"a serial port":                         {"Serial: 8250/16550 driver, 32 ports, IRQ sharing enabled", ""},
		"a host name":                           {"systemd[1]: Hostname set to <atlas7>.", "label host"},
		"its pseudonym 7":                       {"systemd[1]: Hostname set to <" + seal("host-ghijklmnop") + ">.", ""},
		"a home folder":                         {"init=/home/berta/init", "shape user"},
		"a password":                            {"rootpw=hunter2", "label secret"},
		"the pseudonym of one":                  {"rootpw=redacted-by-hwcap", ""},
		"a network":                             {"wlan0: authenticate SSID \"attic\"", "label ssid"},
		"a volume group":                        {"rd.lvm.lv=archive/root", "label vg"},
		"a line of the firewall":                {"[UFW BLOCK] IN=eth0 OUT= MAC= SRC=240.0.0.1 DST=240.0.0.2", "shape firewall"},
		"a line of the audit system":            {"audit: type=1400 apparmor", "shape audit"},
		"a name by id":                          {"/dev/disk/by-id/nvme-Samsung_SSD_980_S5GXNF0R123456X", "entropy serial, shape drive-serial"},
		"an NVMe qualified name":                {"nqn.2019-10.com.kioxia:KCD61LUL960G:Y0A0A01DT8C8", "shape nqn"},
		"an NVMe qualified name of the old way": {"nqn.2014.08.org.nvmexpress:144d144dS4EVNX0R123456      SAMSUNG MZVLB1T0HALR", "shape nqn"},
		"processor flags":                       {"flags : fpu sse4_1 avx512_vbmi2 cpuid aperfmperf", ""},
		"a user of sudo":                        {"sudo: pam_unix(sudo:session): session opened for user root(uid=0) by berta(uid=1000)", "label user"},
		"one whom cron serves":                  {"CRON[1]: (berta) CMD (backup.sh)", "label user"},
		"one who logs in":                       {"sshd[22]: Failed password for invalid user berta7 from 198.51.100.7 port 4022 ssh2", "shape ipv4, label user"},
		"a session of root":                     {"systemd-logind[700]: New session 3 of user root.", ""},
		"the key of a user":                     {"ssh2: ED25519 SHA256:AbCdEfGhIjKlMnOpQrStUvWxYz0123456789abcdefg", "label fingerprint"},
		"the host of a line":                    {"Aug 12 21:14:00 atlas7 kernel: usb 1-1: new device", "shape host"},
		"its pseudonym 8":                       {"Aug 12 21:14:00 " + seal("host-ghijklmnop") + " kernel: usb 1-1: new device", ""},
		"who gets a letter":                     {"postfix/smtp[9]: to=<berta@firm.test>, delay=1", "label mail"},
		"who wrote a driver":                    {"pps_core: Software ver. 5.3.6 - Copyright 2005-2007 Berta <berta@example.org>", ""},
		"a network in quotation marks":          {"wpa_supplicant[7]: Trying to associate with SSID 'attic 3'", "label ssid"},
		"a label":                               {"BTRFS: device label attic3 devid 1 transid 12 /dev/sda2", "label volume"},
		"that of an installer":                  {"root=LABEL=cloudimg-rootfs ro", ""},
		"a pool":                                {"WARNING: Pool 'attic3' has encountered an uncorrectable I/O failure", "label pool"},
		"an address of SAS":                     {"scsi 0:0:1:0: SATA: handle(0x000a), sas_addr(0x4433221103000000), phy(3)", "label wwn"},
		"its pseudonym 9":                       {"scsi 0:0:1:0: SATA: handle(0x000a), sas_addr(0x4066877103000000), phy(3)", ""},
		"a node of InfiniBand":                  {"mlx5_ib0: node_guid 0002:c903:001a:2b3c", "label wwn"},
		"an array":                              {"md: md127: UUID 3aaa0122:29827cfa:5331ad66:ca767371", "shape uuid"},
		"a name of iSCSI":                       {"scsi host9: iSCSI target iqn.1993-08.org.example:01:2a3b4c5d6e7f", "shape nqn"},
		"a server in one":                       {"iqn.2003-01.org.linux-iscsi.atlas7.x8664:tgt", "label host"},
		"who built a kernel":                    {"Linux version 6.8.0-custom (berta@atlas7) (gcc 13.2.1) #1 SMP", "shape host"},
		"a distribution":                        {"Linux version 6.1.0-13-amd64 (debian-kernel@lists.debian.org) (gcc-12) #1 SMP", ""},
		"an address with a port":                {"Possible SYN flooding on port 198.51.100.7:443. Sending cookies.", "shape ipv4"},
		"a version in front of a colon":         {"fw 9.1.2.3: ready", ""},
		"a share":                               {"CIFS: Attempting to mount \\\\atlas7\\attic3", "shape host, shape volume"},
		"the server of a root":                  {"nfsroot=atlas7:/srv/x", "label host"},
		"a server in a URL":                     {"inst.ks=http://berta:hunter2@ks.firm.test/ks.cfg", "shape secret, shape host"},
		"a project":                             {"see https://bugzilla.kernel.org/show_bug.cgi", ""},
		"a host in ip=":                         {"ro ip=240.0.0.1::240.0.0.2:255.255.255.0:atlas7:eth0:off", "label host"},
		"an escaped UUID":                       {"dev-disk-by\\x2duuid-2e7cf3b1\\x2d3b2a\\x2d4d53\\x2d9f7e\\x2d0d6a4c0b6f11.device: Job", "shape uuid"},
		"an escaped volume":                     {"Found device dev-mapper-attic3\\x2droot.device", "shape vg"},
		"a MAC address in a URL":                {"GET /x?mac=52%3A54%3A00%3A12%3A34%3A56&a=b", "shape mac"},
		"one of BlueZ":                          {"/org/bluez/hci0/dev_52_54_00_12_34_56/fd0", "shape mac"},
		"one of Cisco":                          {"Vlan1  5254.0012.34ab DYNAMIC Gi1/0/1", "shape mac"},
		"a version like it":                     {"driver 5254.0012.3456 loaded", ""},
		"a drive without its folder":            {"ata-MAKER_MODEL-68N32N0_S5GXNF0R123456X -> ../../sda", "shape drive-serial"},
		"its pseudonym 10":                      {"ata-MAKER_MODEL-68N32N0_" + seal("S5GXNF0R123456X") + "-part1 -> ../../sda1", ""},
		"a line of hosts":                       {"127.0.1.1 atlas7.firm.test atlas7", "label host, label host"},
		"one of every machine":                  {"::1     localhost ip6-localhost ip6-loopback", ""},
		"a header of a packet":                  {"kernel: ll header: 00000000: 52 54 00 12 34 56 06 68 77 aa bb cd 08 00", "shape mac"},
		"half a Device Serial Number":           {"{1}[Hardware Error]:   serial number: 0x00e1b2c3, 0xd4f5a6b7", "label serial"},
		"its pseudonym 11":                      {"{1}[Hardware Error]:   serial number: 0xd4776806, 0x5e01d566", ""},
		"a key of a system":                     {"MSDM EXAMPLE AB1CD-2EF3G-H4IJ5-KL6M7-N8OP9", "shape product-key"},
		"a driver of a serial port":             {"Serial: AMBA PL011 UART driver", ""},
		"features as digits":                    {"1100011111111111111100010001110000000000000000000000000000000000", ""},
		"registers of ATA":                      {"ata1.00: ACPI cmd ef/10:06:00:00:00:00 (SET FEATURES) succeeded", ""},
		"its pseudonym 12":                      {"\tSerial Number: 0x" + seal("7A31B0A2F1C49D3E"), ""},
		"ports of Fibre Channel":                {"host wwpn 0x21000024ff4a5b6c  rport wwpn 0x500a09839f1e2d3c: NQN x", "label wwn, label wwn"},
		"a drive of smartpqi":                   {"smartpqi 0000:03:00.0: added 3:0:0:0 5001438041f2a3b0 Direct-Access", "shape wwn"},
		"its pseudonym 13":                      {"smartpqi 0000:03:00.0: added 3:0:0:0 5066877041f2a3b0 Direct-Access", ""},
		"an expander":                           {"sas: ex 500056b3a1b2c3ff phy00:S:9 attached: 500056b3a1b2c300 (host)", "label wwn, label wwn"},
		"a serial number of aacraid":            {"AAC0: serial 9F1C2B3", "label board-serial"},
		"a serial port of a board":              {"00:05: serial port", ""},
		"memory of CXL":                         {"cxl_mem mem0: serial 0xa1b2c3d4e5f60718", "label wwn"},
		"the group of all of IPoIB":             {"brd 00:ff:ff:ff:ff:12:40:1b:ff:ff:00:00:00:00:00:00:ff:ff:ff:ff", ""},
		"a pod":                                 {"task_memcg=/kubepods/pod1b2c3d4e-5f60-4718-92a3-b4c5d6e7f809,", "shape uuid"},
		"a pod of systemd":                      {"kubepods-pod1b2c3d4e_5f60_4718_92a3_b4c5d6e7f809.slice", "shape uuid"},
		"its pseudonym 14":                      {"kubepods-pod1b2c3d4e_6877_8718_82a3_b4c5d6e7f809.slice", ""},
		"a server of NFS":                       {"lease expired failed on NFSv4 server filer3.firm.test with error 13", "label host"},
		"a cell of AFS":                         {"afs: Lost contact with file server 198.51.100.7 in cell firm.test", "shape ipv4, label address, label domain"},
		"a subsystem":                           {"nvme nvme1: new ctrl: NQN \"attic-sub7\", addr", "label subsystem"},
		"an interface of firmware":              {"acpi: _OSC 33DB4D5B-1FF7-401C-9657-7441C03DD766", ""},
		"a kind of partition":                   {"\"parttype\":\"c12a7328-f81f-11d2-ba4b-00a0c93ec93b\"", ""},
		"a client of a management engine":       {"mei_hdcp 0000:00:16.0-b638ab7e-94e2-4ea2-a552-d1c54b627f04: bound", ""},
		"a folder of the system":                {"/home/systemd /home/usb", ""},
		"a part number":                         {"\tPart Number: M393A4K40DB3-CWE", ""},
	} {
		var got []string
		scanText("cmd/x.txt", bufio.NewReader(strings.NewReader(tt.line)), func(_ int, _ int64, way Way, class, _ string) { got = append(got, string(way)+" "+class) })
		if s := strings.Join(got, ", "); s != tt.want {
			t.Errorf("%s: %q, want %q", situation, s, tt.want)
		}
	}
}

func archive(t *testing.T, members ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for i := 0; i < len(members); i += 2 {
		if err := w.WriteHeader(&tar.Header{Name: members[i], Size: int64(len(members[i+1])), Mode: 0o644}); err != nil {
			t.Fatal(err)
		}
		io.WriteString(w, members[i+1])
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestOriginal: what an original names is found in all of its forms where
// nothing announces it.
func TestOriginal(t *testing.T) {
	original := archive(t, "cmd/x.txt", "Serial Number: PF2ABCDE77\neth0: 52:54:00:12:34:56\nhostname=atlas7\nSerial Number: ABC\n")
	v, err := ValuesOf(bytes.NewReader(original))
	if err != nil || v.Len() != 3 {
		t.Fatalf("%d values, %v", v.Len(), err)
	}
	for situation, tt := range map[string]struct{ text, want string }{
		"text":              {"a pf2abcde77 b", "text"},
		"inside of a word":  {"xPF2ABCDE77x", "text"},
		"reversed":          {"77EDCBA2FP", "reversed"},
		"hex":               {"50463241424344453737", "hex"},
		"a hex row":         {"50 46 32 41 42 43 44 45 37 37", "hex"},
		"base64":            {"aa" + "UEYyQUJDREU3Nw==", "base64"},
		"a MAC in a word":   {"x525400123456", "hex"},
		"a MAC of Cisco":    {"5254.0012.3456", "hex"},
		"a MAC reversed":    {"56:34:12:00:54:52", "hex"},
		"bytes":             {"RT\x00\x124V", "raw"},
		"bytes reversed":    {"V4\x12\x00TR", "raw reversed"},
		"UTF-16":            {"P\x00F\x002\x00A\x00B\x00C\x00D\x00E\x007\x007\x00", "UTF-16"},
		"a short name":      {"on atlas7 today", "text"},
		"in a longer name":  {"atlas7b atlas77", ""},
		"nothing":           {"PF2ABCDE7 7", ""},
		"across two pieces": {strings.Repeat("-", longest-5) + "\n" + strings.Repeat("-", longest) + "\nPF2ABCDE77", "text"},
	} {
		places, err := Search(bytes.NewReader(archive(t, "cmd/y.txt", tt.text)), v)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, p := range places {
			if p.Way == ByOriginal {
				got = p.Form
			}
		}
		if got != tt.want {
			t.Errorf("%s: %q, want %q: %v", situation, got, tt.want, places)
		}
	}
}

// TestTables: columns that a head names, and files that hold a name alone.
func TestTables(t *testing.T) {
	for situation, tt := range map[string]struct{ member, text, want string }{
		"nvme list":      {"cmd/nvme-list.txt", "Node             SN                   Model\n---------------- -------------------- -----\n/dev/nvme1n1     BTPY 1234 0001       MAKER", "BTPY 1234 0001"},
		"lvs":            {"attach/lvs.txt", "  LV     VG     Attr\n  rootx  attic3 -wi-ao----\n\n  one two three", "attic3"},
		"zpool status":   {"attach/zpool.txt", "\tNAME      STATE     READ WRITE CKSUM\n\tattic3    ONLINE       0     0     0\n\t  mirror-0  ONLINE", "attic3"},
		"a host name":    {"etc/hostname", "atlas7\n", "atlas7"},
		"of a bundle":    {"sosreport/etc/hostname", "atlas7\n", "atlas7"},
		"another file":   {"etc/os-release", "atlas7\n", ""},
		"an installer's": {"attach/zpool.txt", "\tNAME      STATE\n\trpool    ONLINE", ""},
	} {
		var got []string
		scanText(tt.member, bufio.NewReader(strings.NewReader(tt.text)), func(_ int, _ int64, _ Way, _, value string) { got = append(got, value) })
		if s := strings.Join(got, ", "); s != tt.want {
			t.Errorf("%s: %q, want %q", situation, s, tt.want)
		}
	}
}

// TestPacked: what is compressed is unpacked, however often; what breaks off or
// has something behind it is searched as it is, too, and what cannot be opened is
// a place of its own.
func TestPacked(t *testing.T) {
	const text = "\tSerial Number: PF2ABCDE77\n"
	zip := func(s string) string {
		var b bytes.Buffer
		w := gzip.NewWriter(&b)
		io.WriteString(w, s)
		w.Close()
		return b.String()
	}
	wide := "\xff\xfe"
	for _, c := range text {
		wide += string([]byte{byte(c), 0})
	}
	for situation, tt := range map[string]struct{ data, want string }{
		"gzip":          {zip(text), "serial"},
		"twice":         {zip(zip(text)), "serial"},
		"broken off":    {zip(text + text)[:30], "serial"},
		"behind it":     {zip("nothing\n") + text, "serial"},
		"not gzip":      {"\x1f\x8b\x08\xff" + text, "serial"},
		"UTF-16":        {wide, "serial"},
		"zip":           {"PK\x03\x04\x00\x00", "archive"},
		"without one":   {zip("nothing\n"), ""},
		"zlib, no zlib": {"\x78\x01\x00" + text, "serial"},
	} {
		places, err := SearchText("some", strings.NewReader(tt.data), nil)
		if err != nil {
			t.Errorf("%s: %v", situation, err)
			continue
		}
		got := ""
		if len(places) > 0 {
			got = places[0].Class
		}
		if got != tt.want {
			t.Errorf("%s: %q, want %q", situation, got, tt.want)
		}
	}
}

// TestNetlink: addresses of functions and the serial number that devlink tells are
// found in the messages, and their pseudonyms are not.
func TestNetlink(t *testing.T) {
	attr := func(kind uint16, value string) string {
		b := binary.LittleEndian.AppendUint16(nil, uint16(4+len(value)))
		b = append(binary.LittleEndian.AppendUint16(b, kind), value...)
		return string(b) + "\x00\x00\x00"[:-len(b)&3]
	}
	message := func(protocol byte, kind uint16, body string) string {
		m := binary.LittleEndian.AppendUint32(make([]byte, 16, 64), uint32(16+len(body)))
		m[15] = protocol
		m = append(append(binary.LittleEndian.AppendUint16(m, kind), make([]byte, 10)...), body...)
		head := binary.LittleEndian.AppendUint32(make([]byte, 8), uint32(len(m)))
		return string(binary.LittleEndian.AppendUint32(head, uint32(len(m)))) + string(m)
	}
	for situation, tt := range map[string]struct{ mac, serial, want string }{
		"identities": {"\x52\x54\x00\x12\x34\x56", "MT2042X01234", "mac, serial"},
		"pseudonyms": {"\x06\x68\x77\x12\x34\x56", seal("MT2042X01234"), ""},
	} {
		dump := "\xd4\xc3\xb2\xa1\x02\x00\x04\x00\x00\x00\x00\x00\x00\x00\x00\x00\xff\xff\x00\x00\xfd\x00\x00\x00" +
			message(0, newLink, strings.Repeat("\x00", linkBytes)+attr(22, attr(1, attr(1, "\x01\x00\x00\x00"+tt.mac)))) +
			message(generic, controller, "\x01\x02\x00\x00"+attr(1, "\x15\x00")+attr(2, "devlink\x00")) +
			message(generic, 0x15, "\x33\x01\x00\x00"+attr(2, "0000:17:00.0\x00")+attr(99, tt.serial+"\x00"))
		places, err := SearchText("netlink/devlink.pcap", strings.NewReader(dump), nil)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, p := range places {
			got = append(got, p.Class)
		}
		if s := strings.Join(got, ", "); s != tt.want {
			t.Errorf("%s: %q, want %q", situation, s, tt.want)
		}
	}
}

func TestPlaces(t *testing.T) {
	places, err := Search(bytes.NewReader(archive(t,
		"hwcap-atlas7-20261130T100000Z/cmd/a.txt", "one\nSerial Number: PF2ABCDE77\n",
		"hwcap-atlas7-20261130T100000Z/sys/class/net/enx525400123456/mtu", "1500\n",
		"hwcap-atlas7-20261130T100000Z/data.bin", "\x00\x00hostname=atlas7\x00")), nil)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, p := range places {
		got = append(got, p.String())
	}
	want := []string{
		"cmd/a.txt:2: serial (entropy) PF2*******",
		"cmd/a.txt:2: serial (label) PF2*******",
		"sys/class/net/enx525400123456/mtu: mac (shape) 525*********",
		"data.bin offset 2: host (label) atl***",
		"hwcap-atlas7-20261130T100000Z: host (label) atl***",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func FuzzSearch(f *testing.F) {
	f.Add("cmd/x.txt", []byte("Serial Number: PF2ABCDE77\n00: 86 80 33 15 00 00 00 00 00 00 00 00 00 00 00 00\n"))
	f.Add("netlink/route.pcap", []byte("\xd4\xc3\xb2\xa1\x02\x00\x04\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x01\x00\xfd\x00\x00\x00"))
	f.Add("sys/bus/pci/devices/0000:01:00.0/config", make([]byte, 300))
	f.Fuzz(func(t *testing.T, name string, data []byte) {
		v, err := ValuesOfText(name, bytes.NewReader(data))
		if err != nil {
			return // it was compressed, and is damaged
		}
		places, err := SearchText(name, bytes.NewReader(data), v)
		if err != nil {
			t.Fatal(err)
		}
		// What was found in it is no secret from itself.
		for _, p := range places {
			if p.Line < 0 || p.Offset < 0 || strings.ContainsAny(p.Masked, "\n\x00") {
				t.Errorf("%+v", p)
			}
		}
	})
}

// BenchmarkSearch searches a log of 16 MiB for two hundred values.
func BenchmarkSearch(b *testing.B) {
	v := newValues()
	for i := range 200 {
		v.add("mac", dashed([]byte{0x52, 0x54, byte(i), 0x12, byte(i >> 1), byte(i * 3)}))
	}
	line := "[   12.345678] pcieport 0000:00:1c.0: AER: Corrected error message received from 0000:03:00.0\n"
	log := bytes.Repeat([]byte(line), 16<<20/len(line))
	b.SetBytes(int64(len(log)))
	b.ReportAllocs()
	for b.Loop() {
		if places, err := SearchText("dmesg.txt", bytes.NewReader(log), v); err != nil || len(places) > 0 {
			b.Fatal(places, err)
		}
	}
}
