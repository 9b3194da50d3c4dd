package leak

import (
	"net/netip"
	"strings"

	"hwcap/capture/guid"
)

// hit is told of an identity: how it was found, its kind, and where in the line
// it stands.
type hit func(way Way, class string, value string)

// shapes finds what looks like an identity wherever it stands in a line.
func shapes(line string, found hit) {
	for i := 0; i < len(line); {
		if !isHex(line[i]) && line[i] != ':' || i > 0 && isWord(line[i-1]) {
			i++
			continue
		}
		end := i
		for end < len(line) && (isHex(line[end]) || line[end] == ':' || line[end] == '-' || line[end] == '.') {
			end++
		}
		whole := end == len(line) || !isWord(line[end])
		run := strings.TrimRight(line[i:end], ".:-")
		if !whole { // only addresses may end before the rest: 192.0.2.1:::eth0
			run = run[:strings.LastIndexAny(run, ".:-")+1]
			run = strings.TrimRight(run, ".:-")
			whole = strings.Contains(run, ".") || isUUID(run) || pairs(run) == 6
		}
		if whole && len(run) >= 7 {
			address(line, i, run, found)
		}
		i = end + 1
	}
	prefixed(line, found)
	named(line, found)
	if isFirewall(line) {
		found(ByShape, "firewall", line)
	}
	if isAudit(line) {
		found(ByShape, "audit", line)
	}
}

// address judges a run of hexadecimal digits and separators that starts at i.
func address(line string, i int, run string, found hit) {
	switch {
	case isUUID(run):
		if !harmless(run) && !guid.WellKnown(line[:i], run) {
			found(ByShape, "uuid", run)
		}
	case isTaskfile(line[:i]):
	case pairs(run) == 6 || pairs(run) == 20 || pairs(run) == 14:
		if !harmlessMAC(run) {
			found(ByShape, "mac", run)
		}
	case pairs(run) == 7 && strings.HasPrefix(run, "01-"): // BOOTIF= of PXELINUX: the type of the hardware before
		if own := run[3:]; !harmlessMAC(own) {
			found(ByShape, "mac", own)
		}
	case pairs(run) == 8:
		if d := hexOf(run); !isPseudoEUI(d) && !isBlank(d) {
			found(ByShape, "eui64", run)
		}
	case len(run) == 16 && run[0] == '5' && behindDevice(line[:i]):
		if !harmless(run) {
			found(ByShape, "wwn", run)
		}
	case len(run) == 32 && strings.Trim(run, "0123456789abcdef") == "":
		if !harmless(run) && strings.ContainsAny(run, "abcdef") {
			found(ByShape, "id", run)
		}
	case len(run) >= 64 && hexRun(run) == len(run):
		if before := strings.ToLower(line[max(0, i-12):i]); isVaried(run) && !strings.Contains(before, "sha") && !strings.HasSuffix(before, "/") {
			found(ByShape, "secret", run)
		}
	case strings.Count(run, ".") < 3 && strings.Contains(run, "."): // a number
	case strings.Contains(run, "."):
		for part := range strings.FieldsFuncSeq(run, func(r rune) bool { return r == ':' || r == '-' }) {
			if a, err := netip.ParseAddr(part); err == nil && a.Is4() && !isHarmlessIP(a) {
				own := i + strings.Index(run, part)
				if speaksOfAddresses(line, i, len(run), a) || speaksOfAddresses(line, own, len(part), a) {
					found(ByShape, "ipv4", part)
				}
			}
		}
	case strings.Count(run, ":") >= 2:
		v6 := run
		if line[i:] == run+"::" || strings.HasPrefix(line[i:], run+"::") {
			v6 = run + "::"
		}
		if a, err := netip.ParseAddr(v6); err == nil && !isHarmlessIP(a) && len(v6) > 6 {
			found(ByShape, "ipv6", v6)
		}
	}
}

// isTaskfile reports whether a line so far ends in a command of ATA, whose
// registers follow: "ACPI cmd ef/10:06:00:00:00:00" (drivers/ata/libata-acpi.c).
func isTaskfile(before string) bool {
	command, ok := strings.CutSuffix(before, "/")
	n := len(command) - 2
	return ok && n > 0 && command[n-1] == ' ' && isHex(command[n]) && isHex(command[n+1])
}

// behindDevice reports whether a line so far ends in the four numbers of a SCSI
// device, behind which smartpqi names the address of a drive.
func behindDevice(before string) bool {
	before, ok := strings.CutSuffix(before, " ")
	numbers := before[strings.LastIndexByte(before, ' ')+1:]
	return ok && strings.Count(numbers, ":") == 3 && strings.Trim(numbers, "0123456789:-") == ""
}

// isVaried reports whether digits are many different ones, unlike those of a mask.
func isVaried(digits string) bool {
	const enough = 8
	n := 0
	for _, digit := range "0123456789abcdef" {
		if strings.ContainsRune(digits, digit) {
			n++
		}
	}
	return n >= enough
}

// pairs returns of how many pairs of digits with one separator s is made, 0 for
// anything else.
func pairs(s string) int {
	if len(s) < 5 || len(s)%3 != 2 || s[2] != ':' && s[2] != '-' {
		return 0
	}
	for i := 0; i < len(s); i++ {
		if sep := i%3 == 2; sep && s[i] != s[2] || !sep && !isHex(s[i]) {
			return 0
		}
	}
	return (len(s) + 1) / 3
}

// sharedMACs begin group addresses that no device owns (IEEE 802.1D, RFC 1112,
// RFC 2464, IEEE 1588).
var sharedMACs = []string{"0180c2", "01005e", "3333", "011b19", "010ccd"}

func harmlessMAC(s string) bool {
	d := hexOf(s)
	const group = 4 // the octet of an address of IPoIB that begins a GID, ff for a group (RFC 4391 section 4)
	if len(d) == 40 && d[2*group:2*group+2] == "ff" {
		return true
	}
	if isBlank(d) || strings.HasPrefix(d, mark) || len(d) > 12 && strings.Contains(d, mark) {
		return true
	}
	for _, shared := range sharedMACs {
		if strings.HasPrefix(d, shared) {
			return true
		}
	}
	return false
}

// versionWords stand in lines where four numbers with dots are a version.
var versionWords = []string{"version", "firmware", "fw", "bios", "driver", "rev", "release", "microcode", "nvm", "vbios", "ver"}

// speaksOfAddresses tells an address from a version, by what stands around it.
func speaksOfAddresses(line string, i, n int, a netip.Addr) bool {
	before, after := strings.ToLower(line[:i]), line[i+n:]
	if strings.HasPrefix(after, "/") || strings.HasSuffix(before, "@") || strings.HasSuffix(before, "//") || strings.HasPrefix(after, "]:") {
		return true
	}
	near := before[max(0, len(before)-24):]
	for _, w := range []string{"addr", "ip=", "ip:", "ip ", "inet", "src=", "dst=", "server", "gateway", "via ", "host", "from ", "peer", "source ", "nfsroot=", "nameserver", "ntp"} {
		if strings.Contains(near, w) {
			return true
		}
	}
	for _, w := range versionWords {
		if strings.Contains(before, w) {
			return false
		}
	}
	return a.IsPrivate() || isPort(after)
}

// isPort reports whether s begins with a port behind an address.
func isPort(s string) bool {
	const most = 5 // digits
	n := 1
	for n < len(s) && s[n] >= '0' && s[n] <= '9' {
		n++
	}
	return n > 2 && n <= 1+most && s[0] == ':' && (n == len(s) || s[n] != ':' && !isWord(s[n]))
}

// prefixes announce hexadecimal digits that follow without a separator.
var prefixes = []struct {
	prefix, class string
	digits        int // at least
}{
	{"enx", "mac", 12},
	{"wlx", "mac", 12},
	{"wwx", "mac", 12},
	{"eui.", "wwn", 16},
	{"naa.", "wwn", 16},
	{"wwn-0x", "wwn", 16},
	{"luks-", "luks", 32},
	{"nqn.", "nqn", 0},
	{"pod", "uuid", 0}, // of Kubernetes; systemd has underscores in it
}

// prefixed finds identities by what they begin with.
func prefixed(line string, found hit) {
	for _, p := range prefixes {
		for rest, at := line, 0; ; {
			i := strings.Index(rest, p.prefix)
			if i < 0 {
				break
			}
			at += i
			if at > 0 && isWord(line[at-1]) {
				rest, at = rest[i+1:], at+1
				continue
			}
			value := line[at+len(p.prefix):]
			const uuidLen = 36
			if p.class == "nqn" {
				qualifiedName(line[at:], found)
			} else if p.class == "uuid" {
				if pod := strings.ReplaceAll(value[:min(len(value), uuidLen)], "_", "-"); isUUID(pod) && !harmless(pod) {
					found(ByShape, p.class, pod)
				}
			} else if n := hexRun(value); n >= p.digits && (n == len(value) || !isWord(value[n]) || value[n] == '_') && !harmless(value[:n]) {
				found(ByShape, p.class, value[:n])
			}
			rest, at = rest[i+1:], at+1
		}
	}
}

func hexRun(s string) int {
	n := 0
	for n < len(s) && isHex(s[n]) {
		n++
	}
	return n
}

// qualifiedName looks into an NVMe qualified name: what its end says of the
// drive (NVM Express base specification, 4.7). The old form of drives without
// one of their own has vendor, subsystem, serial number and model behind a
// colon.
func qualifiedName(s string, found hit) {
	end := strings.IndexAny(s, "\"'\n\t,;")
	if end < 0 {
		end = len(s)
	}
	s = s[:end]
	_, own, ok := strings.Cut(s, ":")
	if !ok {
		return
	}
	if first := strings.Fields(own); len(first) > 1 && len(first[0]) > 8 && hexRun(first[0]) >= 8 {
		own = first[0][8:]
	} else if len(first) > 0 {
		own = first[0]
	}
	if i := strings.LastIndexByte(own, ':'); i >= 0 {
		own = own[i+1:]
	}
	if own == "discovery" || strings.HasSuffix(s, ".discovery") || len(own) < 4 {
		return
	}
	if !harmless(own) {
		found(ByShape, "nqn", own)
	}
}

// places are folders in which the next part of a path is a name.
var places = []struct{ folder, class string }{
	{"/home/", "user"},
	{"/run/media/", "user"},
	{"/media/", "user"},
	{"/dev/mapper/", "vg"},
	{"dm-name-", "vg"},
}

// named finds names of persons and volumes by the folder in which they stand.
func named(line string, found hit) {
	for _, p := range places {
		for from := 0; ; {
			i := strings.Index(line[from:], p.folder)
			if i < 0 {
				break
			}
			from += i + len(p.folder)
			name := line[from:]
			if end := strings.IndexFunc(name, func(r rune) bool { return r < 0x80 && r != '-' && r != '.' && !isWord(byte(r)) }); end >= 0 {
				name = name[:end]
			}
			if len(name) > 1 && (p.class != "user" || isOf(p.class, name)) && name != "control" && !strings.HasPrefix(name, "mpath") && !holdsName(name) && !harmless(name) {
				found(ByShape, p.class, name)
			}
			if p.folder == "/run/media/" { // what udisks mounts there has the label of the volume
				_, label, _ := strings.Cut(line[from:], "/")
				label, _, _ = strings.Cut(label, " ")
				label, _, _ = strings.Cut(label, "/")
				if isOf("volume", label) && !harmless(label) {
					found(ByShape, "volume", label)
				}
			}
		}
	}
}

// nameWords are what pseudonyms of names begin with.
var nameWords = []string{"host", "dom", "user", "vg", "pool", "name", "ssid"}

// holdsName reports whether the pseudonym of a name is in s. The device mapper
// writes each hyphen of a name twice.
func holdsName(s string) bool {
	s = strings.ReplaceAll(s, "--", "-")
	for _, word := range nameWords {
		const letters = 10
		for from := 0; ; from++ {
			i := strings.Index(s[from:], word+"-")
			if i < 0 {
				break
			}
			from += i
			if end := from + len(word) + 1 + letters; end <= len(s) && isSealed(s[from:end]) {
				return true
			}
		}
	}
	return false
}

// isFirewall knows the lines of the firewall by their fields
// (net/netfilter/nf_log_syslog.c).
func isFirewall(line string) bool {
	return strings.Contains(line, "IN=") && strings.Contains(line, " OUT=") && (strings.Contains(line, " SRC=") || strings.Contains(line, " MAC="))
}

// isAudit knows records of the audit system (kernel/audit.c).
func isAudit(line string) bool {
	return strings.Contains(line, "audit: type=") || strings.Contains(line, "audit(") && strings.Contains(line, "type=")
}
