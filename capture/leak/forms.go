package leak

import (
	"net/netip"
	"strings"
)

// written finds identities in the writings that certain programs have for them.
func written(line string, found hit) {
	if strings.Contains(line, "dev_") {
		bluez(line, found)
	}
	if strings.Contains(line, "%3A") || strings.Contains(line, "%3a") {
		inURL(line, found)
	}
	if strings.Contains(line, `\x2d`) {
		escaped(line, found)
	}
	if strings.Contains(line, "iqn.") {
		iSCSI(line, found)
	}
	if strings.Contains(line, "CIFS") || strings.Contains(line, " cifs ") {
		share(line, found)
	}
	if strings.Contains(line, " ll header: ") {
		linkHeader(line, found)
	}
	if strings.Contains(line, "Linux version ") {
		builder(line, found)
	}
	if strings.Contains(line, "-KEY-") || strings.Contains(line, "-key-") || strings.Contains(line, "PRIVATE KEY") {
		secretKey(line, found)
	}
	if strings.Contains(line, "://") {
		inAddress(line, found)
	}
	if strings.Contains(line, "DHCP") {
		client(line, found)
	}
	if strings.IndexByte(line, '_') >= 0 {
		diskNames(line, found)
	}
	dotted(line, found)
	arrayID(line, found)
	productKey(line, found)
	commandLine(line, found)
	arguments(line, found)
	inContainer(line, found)
	logged(line, found)
	hosts(line, found)
}

// secretKey finds keys that whoever has them can open or test something with:
// that of pseudonyms, one of age, the beginning of one in PEM.
func secretKey(line string, found hit) {
	for _, form := range []struct {
		begin  string
		digits string // that follow, at least one
	}{
		{"hwcap-redact-key-1:", "0123456789abcdefABCDEF"},
		{"AGE-SECRET-KEY-", "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"},
	} {
		if _, rest, ok := strings.Cut(line, form.begin); ok && strings.Trim(rest[:min(len(rest), 1)], form.digits) == "" && rest != "" {
			found(ByShape, "secret", form.begin)
		}
	}
	if _, label, ok := strings.Cut(line, "-----BEGIN "); ok && strings.Contains(label, "PRIVATE KEY") {
		found(ByShape, "secret", "PRIVATE KEY")
	}
}

// bluez finds addresses in the paths of BlueZ, dev_00_1A_7D_DA_71_13.
func bluez(line string, found hit) {
	for rest, ok := line, true; ; {
		if _, rest, ok = strings.Cut(rest, "dev_"); !ok {
			return
		}
		mac := strings.ReplaceAll(rest[:min(len(rest), 17)], "_", ":")
		if pairs(mac) == 6 && !harmlessMAC(mac) {
			found(ByShape, "mac", mac)
		}
	}
}

// inURL finds what is an identity once the escapes of a URL are undone.
func inURL(line string, found hit) {
	shapes(strings.NewReplacer("%3A", ":", "%3a", ":").Replace(line), found)
}

// escaped finds what is an identity once systemd's escapes are undone
// (systemd-escape(1)); in the names of units a path has hyphens for slashes.
func escaped(line string, found hit) {
	plain := strings.ReplaceAll(line, `\x2d`, "-")
	if strings.Contains(plain, "dev-disk-by-") {
		shapes(plain, found)
	}
	if _, name, ok := strings.Cut(line, "dev-mapper-"); ok {
		name, _, _ = strings.Cut(name, ".")
		if name = strings.ReplaceAll(name, `\x2d`, "-"); !holdsName(name) && !harmless(name) && !strings.HasPrefix(name, "luks-") {
			found(ByShape, "vg", name)
		}
	}
}

// iSCSI looks into the qualified names of iSCSI (RFC 3720, 3.2.6.3): behind the
// authority stands what its owner likes.
func iSCSI(line string, found hit) {
	for rest, ok := line, true; ; {
		if _, rest, ok = strings.Cut(rest, "iqn."); !ok {
			return
		}
		name := rest
		if end := strings.IndexAny(name, " \t\"',;()<>[]"); end >= 0 {
			name = name[:end]
		}
		_, own, _ := strings.Cut(name, ":")
		for part := range strings.SplitSeq(own, ":") {
			if len(part) >= 4 && strings.ContainsAny(part, "0123456789") && !harmless(part) {
				found(ByShape, "nqn", part)
			}
		}
	}
}

// share finds the server in //SERVER/SHARE and \\SERVER\SHARE.
func share(line string, found hit) {
	for _, sep := range []string{"/", `\`} {
		_, server, ok := strings.Cut(" "+line, " "+sep+sep)
		if !ok {
			continue
		}
		server, name, _ := strings.Cut(server, sep)
		if isOf("host", server) && !harmless(server) {
			found(ByShape, "host", server)
		}
		name, _, _ = strings.Cut(name, " ")
		if isOf("volume", name) && !harmless(name) && !strings.ContainsAny(name, `/\`) {
			found(ByShape, "volume", name)
		}
	}
}

// linkHeader finds the addresses in the header of a packet that the kernel
// refuses (net/ipv4/route.c).
func linkHeader(line string, found hit) {
	_, row, _ := strings.Cut(line, " ll header: ")
	row = strings.TrimPrefix(row, "00000000: ")
	for range 2 {
		mac := strings.ReplaceAll(row[:min(len(row), 17)], " ", ":")
		if pairs(mac) == 6 && !harmlessMAC(mac) {
			found(ByShape, "mac", mac)
		}
		row = row[min(len(row), 18):]
	}
}

// farms are parts of the names of the machines and accounts that build the
// kernels of distributions.
var farms = []string{"debian", "ubuntu", "fedora", "redhat", "centos", "rocky", "alma", "arch", "suse", "proxmox", "pve", "alpine", "gentoo",
	"kernel", "build", "mock", "nix", "oracle", "amazon", "android", "root@", "runner@", "lkp", "buildroot", "yocto", "oe-", "dom0"}

// builder finds who built a kernel, "Linux version 6.8.0 (user@host) (gcc ...".
func builder(line string, found hit) {
	_, who, _ := strings.Cut(line, "Linux version ")
	_, who, _ = strings.Cut(who, "(")
	who, _, ok := strings.Cut(who, ")")
	if !ok || !strings.Contains(who, "@") || strings.Contains(who, " ") || harmless(who) || containsAny(strings.ToLower(who), farms) {
		return
	}
	found(ByShape, "host", who)
}

// inAddress finds credentials in a URL, and the server in one that is the value
// of a parameter; others are those of projects.
func inAddress(line string, found hit) {
	for from := 0; ; {
		i := strings.Index(line[from:], "://")
		if i < 0 {
			return
		}
		at := from + i
		from = at + 3
		server := line[from:]
		if end := strings.IndexAny(server, "/ \t\"'<>"); end >= 0 {
			server = server[:end]
		}
		who, host, ok := strings.Cut(server, "@")
		if !ok {
			host = server
		} else if !harmless(who) {
			found(ByShape, "secret", who)
		}
		scheme := at
		for scheme > 0 && isWord(line[scheme-1]) {
			scheme--
		}
		host, _, _ = strings.Cut(host, ":")
		if scheme > 0 && line[scheme-1] == '=' && strings.Contains(host, ".") && isOf("host", host) && !harmless(host) {
			found(ByShape, "host", host)
		}
	}
}

// client finds the name behind the address of a machine that dnsmasq speaks
// with: "DHCPACK(br0) 192.0.2.23 00:00:5e:00:53:01 laptop".
func client(line string, found hit) {
	fields := strings.Fields(line)
	for i, field := range fields {
		if strings.HasPrefix(field, "DHCP") && strings.HasSuffix(field, ")") && i+3 < len(fields) && pairs(fields[i+2]) == 6 {
			if name := fields[i+3]; isHostName(name) && !harmless(name) {
				found(ByLabel, "host", name)
			}
		}
	}
}

// diskKinds begin the names in /dev/disk/by-id that end in a serial number.
var diskKinds = []string{"ata-", "nvme-", "usb-", "scsi-", "mmc-", "memstick-", "virtio-"}

// diskNames finds the serial number behind the last underscore in such a name,
// without what udev appends (60-persistent-storage.rules of systemd).
func diskNames(line string, found hit) {
	for field := range strings.FieldsFuncSeq(line, func(r rune) bool { return r == ' ' || r == '\t' || r == '/' || r == '"' || r == '\'' }) {
		for _, kind := range diskKinds {
			name, ok := strings.CutPrefix(field, kind)
			if !ok || strings.IndexByte(name, '_') < 0 {
				continue
			}
			name, _, _ = strings.Cut(name, "-part")
			name = strings.TrimSuffix(name, "-0:0")
			if i := strings.LastIndexByte(name, '_'); len(name)-i <= 3 { // a namespace
				name = name[:i]
			}
			number := name[strings.LastIndexByte(name, '_')+1:]
			if len(number) >= 8 && strings.ContainsAny(number, "0123456789") && strings.Trim(number, "0123456789.") != "" && !harmless(number) {
				found(ByShape, "drive-serial", number)
			}
		}
	}
}

// dotted finds MAC addresses as Cisco writes them, 0012.3456.789a. Digits alone
// are a version, unless the line is of a table of addresses.
func dotted(line string, found hit) {
	const size, group = 14, 4
	for i := group; i+size-group <= len(line); i++ {
		if line[i] != '.' || line[i+group+1] != '.' {
			continue
		}
		s := line[i-group : i+size-group]
		if i > group && (isWord(line[i-group-1]) || line[i-group-1] == '.') || i+size-group < len(line) && (isWord(line[i+size-group]) || line[i+size-group] == '.') {
			continue
		}
		digits := hexOf(s)
		if len(digits) != 12 || !strings.ContainsAny(digits, "abcdef") && !strings.Contains(line, "ARPA") && !strings.Contains(line, "DYNAMIC") {
			continue
		}
		if !harmlessMAC(s) {
			found(ByShape, "mac", s)
		}
	}
}

// arrayID finds the UUID of an array as mdadm writes it, four groups of eight
// digits.
func arrayID(line string, found hit) {
	const size, group = 35, 8
	for i := group; i+size-group <= len(line); i++ {
		if line[i] != ':' || line[i+group+1] != ':' || line[i+2*group+2] != ':' {
			continue
		}
		if s := line[i-group : i+size-group]; len(hexOf(s)) == 32 && strings.Count(s, ":") == 3 && !isPseudonym(s) && !isBlank(s) {
			found(ByShape, "uuid", s)
		}
	}
}

// productKey finds the key of a system, which firmware has in the ACPI table
// MSDM: five groups of five capitals and digits.
func productKey(line string, found hit) {
	const size, group = 29, 5
	for i := group; i+size-group <= len(line); i++ {
		if line[i] != '-' || line[i+group+1] != '-' || i > group && isWord(line[i-group-1]) || i+size-group < len(line) && isWord(line[i+size-group]) {
			continue
		}
		s := line[i-group : i+size-group]
		parts := strings.Split(s, "-")
		ok := len(parts) == group && looksDrawn(s) && strings.Trim(s, "-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ") == ""
		for _, part := range parts {
			ok = ok && len(part) == group
		}
		if ok && !isSealed(s) {
			found(ByShape, "product-key", s)
		}
	}
}

// commandLine finds the names in ip=CLIENT:SERVER:GATEWAY:MASK:HOST:... and
// cryptdevice=DEVICE:NAME of a kernel's command line.
func commandLine(line string, found hit) {
	if _, value, ok := strings.Cut(line, " ip="); ok {
		value, _, _ = strings.Cut(value, " ")
		const host = 4
		if parts := strings.Split(outside(value), ":"); len(parts) > host && isOf("host", parts[host]) && !harmless(parts[host]) {
			found(ByLabel, "host", parts[host])
		}
	}
	for rest, ok := line, true; ; {
		if _, rest, ok = strings.Cut(rest, "cryptdevice="); !ok {
			return
		}
		value, _, _ := strings.Cut(rest, " ")
		parts := strings.Split(strings.TrimRight(value, "\","), ":")
		if len(parts) > 1 && isOf("volume", parts[1]) && !strings.HasPrefix(parts[1], "crypt") && !harmless(parts[1]) {
			found(ByLabel, "luks", parts[1])
		}
	}
}

// outside returns s without what is in brackets, as IPv6 addresses are.
func outside(s string) string {
	for {
		before, rest, ok := strings.Cut(s, "[")
		_, after, closed := strings.Cut(rest, "]")
		if !ok || !closed {
			return s
		}
		s = before + after
	}
}

// logged finds the host of a line as syslogd writes it: "Aug 12 21:14:00 host
// program[1]: ..." or with a time of RFC 3339.
func logged(line string, found hit) {
	at := 0
	switch {
	case len(line) > 16 && line[3] == ' ' && line[6] == ' ' && line[9] == ':' && line[12] == ':' && line[0] >= 'A' && line[0] <= 'Z':
		at = len("Aug 12 21:14:00")
	case len(line) > 20 && line[4] == '-' && line[7] == '-' && line[10] == 'T' && line[13] == ':' && line[0] >= '0' && line[0] <= '9':
		at = len("2026-08-12T21:14:00")
	default:
		return
	}
	_, rest, _ := strings.Cut(line[at:], " ")
	host, rest, ok := strings.Cut(rest, " ")
	program, _, ok2 := strings.Cut(rest, " ")
	if ok && ok2 && strings.ContainsAny(program, ":[") && len(host) > 1 && !strings.ContainsAny(host, ":[]()=,\"<") && !harmless(host) {
		found(ByShape, "host", host)
	}
}

// hosts finds the names in a line of etc/hosts: behind an address, and nothing
// else in it.
func hosts(line string, found hit) {
	if len(line) == 0 || !isHex(line[0]) && line[0] != ':' {
		return
	}
	fields := strings.Fields(line)
	a, err := netip.ParseAddr(fields[0])
	if err != nil || a.Is4() && len(fields[0]) < len("1.1.1.1") || len(fields) < 2 {
		return
	}
	for _, name := range fields[1:] {
		if name[0] == '#' {
			break
		}
		if !isHostName(name) {
			return
		}
	}
	for _, name := range fields[1:] {
		if name[0] == '#' {
			return
		}
		if !strings.HasPrefix(name, "ip6-") && name != "broadcasthost" && !harmless(name) {
			found(ByLabel, "host", name)
		}
	}
	if a.Is4() && !isHarmlessIP(a) && !a.IsPrivate() {
		found(ByLabel, "ipv4", fields[0])
	}
}

// isHostName reports whether s is made of what names of hosts are (RFC 1123),
// and is no number.
func isHostName(s string) bool {
	letters := false
	for i := range len(s) {
		c := s[i] | 0x20
		letters = letters || c >= 'a' && c <= 'z'
		if c < 'a' || c > 'z' {
			if c = s[i]; (c < '0' || c > '9') && c != '-' && c != '.' && c != '_' {
				return false
			}
		}
	}
	return letters && len(s) > 1
}
