package redact

import "bytes"

const kindSerial = "serial"

// plainNames are names that say nothing of who uses them, by the word that
// their pseudonyms would begin with.
var plainNames = map[string]map[string]bool{
	"host": set("localhost", "localhost4", "localhost6", "none", "(none)", "(none", "archiso", "live", "initramfs", "kernel", "hostname",
		"ip6-localhost", "ip6-loopback", "ip6-localnet", "ip6-mcastprefix", "ip6-allnodes", "ip6-allrouters", "ip6-allhosts",
		"broadcasthost"),
	"dom": set("localdomain", "localdomain4", "localdomain6", "local", "localhost", "none", "(none)", "(none", "lan", "home", "internal", "example"),
	"user": set("root", "nobody", "gdm", "sddm", "lightdm", "daemon", "dbus", "messagebus", "polkitd", "systemd",
		"shared", "public", "default", "linuxbrew", "cdrom", "usb", "lost+found"),
	"vg":   set(),
	"pool": set("rpool", "bpool", "zroot", "boot-pool", "freenas-boot", "bootfs", "auto"),
	"name": set("root", "boot", "efi", "esp", "swap", "system-boot", "cloudimg-rootfs", "uefi", "writable", "rootfs",
		"cidata", "control", "cryptroot", "crypt", "cryptswap", "swap_1", "luks", "home", "var", "tmp", "usr", "srv", "data", "thin",
		"efi system partition", "microsoft reserved partition", "basic data partition", "linux filesystem", "recovery"),
	"ssid": set("wired connection 1", "wired connection 2", "any", "off/any", ""),
}

func set(words ...string) map[string]bool {
	m := map[string]bool{}
	for _, w := range words {
		m[w] = true
	}
	return m
}

// nameOf returns the pseudonym of a name of that kind. A domain keeps being one.
func (r *Redactor) nameOf(kind string, value []byte) []byte {
	plain := bytes.ToLower(value)
	if kind == "dom" {
		return append(r.key.name(kind, plain), ".example"...)
	}
	return r.key.name(kind, plain)
}

// foundName has a name at line[from:to].
func (t *text) foundName(from, to int, kind string, class Class) {
	value := t.line[from:to]
	switch {
	case isSealed(value) || isName(bytes.TrimSuffix(value, []byte(".example"))) || isBlank(value),
		len(value) >= maxValue-1, // none is so long
		plainNames[kind][string(bytes.ToLower(value))]:
		t.keep(from, to)
	case t.learning():
		t.r.known.text(kind, class, value)
		t.keep(from, to)
	default:
		t.put(from, to, class, t.r.nameOf(kind, value))
	}
}

// foundHost has the name of a host at line[from:to], maybe with its domain.
// An address in its place is left to the rules of addresses.
func (t *text) foundHost(from, to int) {
	s := t.line[from:to]
	if bytes.ContainsAny(s, ":=") || len(bytes.Trim(s, "0123456789.")) == 0 {
		return
	}
	if dot := bytes.IndexByte(s, '.'); dot > 0 {
		t.foundName(from+dot+1, to, "dom", Domain)
		to = from + dot
	}
	t.foundName(from, to, "host", Host)
}

func asHost(t *text, from, to int) { t.foundHost(from, to) }

// asHostname takes the value of a label; "set-hostname: set hostname to 'x'" of
// NetworkManager has a sentence there.
func asHostname(t *text, from, to int) {
	if s := t.line[from:to]; bytes.IndexByte(s, ' ') < 0 || !bytes.HasPrefix(s, []byte("set ")) && !bytes.HasPrefix(s, []byte("hostname ")) {
		t.foundHost(from, to)
	}
}

func asName(kind string, class Class) announced {
	return func(t *text, from, to int) { t.foundName(from, to, kind, class) }
}

// between is a rule for words that stand between two texts, the first directly
// behind the word that announces them.
func between(before, after string, in rules, take announced) rule {
	return func(t *text, from, to int) {
		if t.rules&in == 0 || !bytes.HasPrefix(t.line[to:], []byte(before)) {
			return
		}
		at := to + len(before)
		s := t.line[at:min(len(t.line), at+maxValue)]
		end := bytes.Index(s, []byte(after))
		if end > 0 && t.covered(at) == at {
			take(t, at, at+end)
		}
	}
}

// syslog finds the host name of a line as syslogd and journalctl -o short
// write it: "Aug 12 21:14:00 host kernel: ..." or with a time of RFC 3339.
func (t *text) syslog(end int) {
	s := t.line[:end]
	at := stampEnd(s)
	if at == 0 {
		return
	}
	host := s[at:]
	blank := bytes.IndexByte(host, ' ')
	if blank <= 0 || bytes.ContainsAny(host[:blank], ":[]()=,") {
		return
	}
	program := host[blank+1:]
	if next := bytes.IndexByte(program, ' '); next > 0 && bytes.IndexAny(program[:next], ":[") > 0 {
		t.foundHost(at, at+blank)
	}
}

// stampEnd returns where the time of such a line ends, 0 for no time.
func stampEnd(s []byte) int {
	if len(s) < 20 {
		return 0
	}
	switch {
	case s[3] == ' ' && s[6] == ' ' && s[9] == ':' && s[12] == ':' && 'A' <= s[0] && s[0] <= 'Z':
		if s[15] == ' ' {
			return 16
		}
		const micro = len("Aug 12 21:14:00.123456 ")
		if s[15] == '.' && len(s) > micro && s[micro-1] == ' ' {
			return micro
		}
	case s[4] == '-' && s[7] == '-' && s[10] == 'T' && s[13] == ':' && '0' <= s[0] && s[0] <= '9':
		return bytes.IndexByte(s, ' ') + 1
	}
	return 0
}

// uname reads "Linux HOST 6.1.0-13-amd64 ..." of uname -a and the name of the
// builder in "Linux version 6.1.0 (user@host) ...". Distributions build on
// hosts of their own, which say nothing of this one.
func uname(t *text, from, to int) {
	s := t.line[to:]
	if rest, ok := bytes.CutPrefix(s, []byte(" version ")); ok {
		rest = rest[:min(len(rest), 2*maxValue)]
		open := bytes.IndexByte(rest, '(')
		if open < 0 {
			return
		}
		rest = rest[open+1 : min(len(rest), open+1+maxValue)]
		at, end := bytes.IndexByte(rest, '@'), bytes.IndexByte(rest, ')')
		if at <= 0 || end < at || bytes.IndexByte(rest[:end], ' ') >= 0 {
			return
		}
		start := to + len(" version ") + open + 1
		if isBuilder(rest[:at], rest[at+1:end]) {
			t.keep(start, start+end)
			return
		}
		t.foundName(start, start+at, "user", User)
		t.foundHost(start+at+1, start+end)
		return
	}
	if len(s) == 0 || s[0] != ' ' {
		return
	}
	s = s[1:min(len(s), maxValue)]
	blank := bytes.IndexByte(s, ' ')
	if blank <= 0 || blank+3 > len(s) || classes[s[blank+1]]&digitBit == 0 || s[blank+2] != '.' && s[blank+3-1] != '.' {
		return
	}
	t.foundHost(to+1, to+1+blank)
}

// builders are parts of what distributions call the hosts and users that build
// their kernels.
var builders = []string{"debian", "buildd", "ubuntu", "fedora", "redhat", "centos", "rockylinux", "almalinux", "archlinux",
	"opensuse", "suse", "buildhost", "mockbuild", "proxmox", "alpine", "gentoo", "kernel.org", "build@", "nixbld", "oracle",
	"amazon", "android-build", "dom0-build"}

func isBuilder(user, host []byte) bool {
	whole := string(bytes.ToLower(user)) + "@" + string(bytes.ToLower(host))
	for _, b := range builders {
		if bytes.Contains([]byte(whole), []byte(b)) {
			return true
		}
	}
	return false
}

// homeFolder reads the user's name in /home/NAME, /Users/NAME, /media/NAME, and
// the label behind it in /run/media/NAME/LABEL.
func homeFolder(t *text, from, to int) {
	if from == 0 || t.line[from-1] != '/' && t.line[from-1] != '\\' || to == len(t.line) || t.line[to] != t.line[from-1] {
		return
	}
	at := to + 1
	end := at
	for end < len(t.line) && end-at < maxValue && bytes.IndexByte([]byte("/\\ \t\"'`,;:)]}>=&|*"), t.line[end]) < 0 {
		end++
	}
	end = t.withoutDots(at, end) // "Mounting /home/alice..."
	if end == at {
		return
	}
	t.foundName(at, end, "user", Path)
	if bytes.HasSuffix(t.line[:from], []byte("/run/")) && end < len(t.line) && t.line[end] == '/' { // udisks mounts there, by label
		label := end + 1
		for end = label; end < len(t.line) && end-label < maxValue && bytes.IndexByte([]byte("/ \t\"'"), t.line[end]) < 0; end++ {
		}
		t.onlyHere(label, end, "name", LUKS)
	}
}

// configHost reads the line of the kernel's own IP configuration,
// "host=a, domain=b, nis-domain=(none)" (net/ipv4/ipconfig.c).
func configHost(t *text, from, to int) {
	s := t.line[from:min(len(t.line), from+maxValue)]
	domain := bytes.Index(s, []byte(", domain="))
	if !bytes.HasPrefix(s, []byte("host=")) || domain < 0 {
		return
	}
	t.foundHost(from+5, from+domain)
	at := from + domain + len(", domain=")
	end := t.valueEnd(at, '=')
	t.foundName(at, end, "dom", Domain)
	const nis = ", nis-domain="
	if bytes.HasPrefix(t.line[end:], []byte(nis)) {
		t.foundName(end+len(nis), t.valueEnd(end+len(nis), '='), "dom", Domain)
	}
}

// clientHost reads the host in ip=CLIENT:SERVER:GATEWAY:MASK:HOST:DEVICE:...
// (Documentation/admin-guide/nfs/nfsroot.rst). IPv6 addresses are in brackets.
func clientHost(t *text, from, to int) {
	s := t.line[to:min(len(t.line), to+maxValue)]
	if len(s) == 0 || s[0] != '=' {
		return
	}
	colons, start, within := 0, 0, false
	for i, c := range s {
		switch {
		case c <= ' ' || c == '"':
			return
		case c == '[' || c == ']':
			within = c == '['
		case c == ':' && !within:
			if colons++; colons == 4 {
				start = i + 1
			}
			if colons == 5 {
				t.foundHost(to+start, to+i)
				return
			}
		}
	}
}

// addressHost reads the host in a value that is a URL, as of inst.ks=. Other
// URLs are those of projects.
func addressHost(t *text, from, to int) {
	s := t.line[to:]
	if from == 0 || t.line[from-1] != '=' || !bytes.HasPrefix(s, []byte("://")) {
		return
	}
	s = s[3:min(len(s), maxValue)]
	if end := bytes.IndexAny(s, "/ \t\"'"); end >= 0 {
		s = s[:end]
	}
	at := bytes.LastIndexByte(s, '@') + 1
	end := len(s)
	if colon := bytes.IndexByte(s[at:], ':'); colon >= 0 {
		end = at + colon
	}
	t.foundHost(to+3+at, to+3+end)
}

func init() {
	const any = labels | logs
	on("IP", clientHost)
	for _, scheme := range []string{"HTTP", "HTTPS", "FTP", "TFTP", "NFS"} {
		on(scheme, addressHost)
	}
	on("HOSTNAME",
		label("", ":=", any, asHostname),
		between(" set to <", ">", logs, asHost),
		between(" to <", ">", logs, asHost))
	on("HOST", configHost)
	on("NODENAME", label("", ":=", any, asHost))
	on("DOMAINNAME", label("", ":=", any, asName("dom", Domain)))
	on("SERVER", between(" ", " not responding", logs, asHost), between(" ", " OK", logs, asHost))
	on("LINUX", uname)
	on("HOME", homeFolder)
	on("USERS", homeFolder)
	on("MEDIA", homeFolder)
	on("SSID", label("", ":=", any, asName("ssid", SSID)))
	on("ESSID", label("", ":=", any, asName("ssid", SSID)))
}
