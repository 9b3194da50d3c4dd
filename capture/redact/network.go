package redact

import "bytes"

// interfaceNames begin the names of interfaces, after which NetworkManager calls
// the connections that it did not make.
var interfaceNames = []string{"eth", "en", "wl", "ww", "br", "virbr", "docker", "veth", "vnet", "tun", "tap", "wg", "bond",
	"team", "vlan", "lxc", "lxd", "podman", "cni", "ib", "usb", "bnep", "p2p", "sl", "lo"}

func isInterface(s []byte) bool {
	if bytes.IndexByte(s, ' ') >= 0 || len(s) > 15 { // IFNAMSIZ
		return false
	}
	for _, begin := range interfaceNames {
		if rest, ok := bytes.CutPrefix(s, []byte(begin)); ok && (len(rest) == 0 || bytes.ContainsAny(rest, "0123456789-")) {
			return true
		}
	}
	return false
}

// asConnection takes the name of a connection of NetworkManager, which for a
// wireless one is its SSID.
func asConnection(t *text, from, to int) {
	if !isInterface(t.line[from:to]) {
		t.foundName(from, to, "ssid", SSID)
	}
}

// policySet reads "policy: set 'NAME' (wlp3s0) as default" of NetworkManager.
func policySet(t *text, from, to int) {
	if bytes.HasSuffix(t.line[:from], []byte("policy: ")) {
		between(" '", "' (", logs, asConnection)(t, from, to)
	}
}

// hostNameIs reads "Changed host name to 'NAME'" of systemd-hostnamed and "Host
// name is NAME.local" of avahi-daemon.
func hostNameIs(t *text, from, to int) {
	if !t.rules.has(logs) || !t.follows(from, "HOST") {
		return
	}
	between(" to '", "'", logs, asHost)(t, from, to)
	if before := " is "; bytes.HasPrefix(t.line[to:], []byte(before)) {
		t.foundHost(to+len(before), t.userEnd(to+len(before)))
	}
}

// dhcpClient reads what a client of DHCP calls itself, behind its address:
// "DHCPACK(br0) 192.0.2.7 00:00:5e:00:53:2a NAME" of dnsmasq, "... (NAME) via
// br0" of dhcpd.
func dhcpClient(t *text, from, to int) {
	s := t.line[:min(len(t.line), to+near)]
	for at := to; at+18 < len(s); at++ {
		if s[at] != ' ' {
			continue
		}
		at++
		if pairsOf(s[at:], ':', 7) != 6 {
			at--
			continue
		}
		name := at + len("00:00:5e:00:53:2a")
		switch {
		case bytes.HasPrefix(s[name:], []byte(" (")):
			if end := bytes.IndexByte(s[name:], ')'); end > 0 && isVolume(s[name+2:name+end]) {
				t.foundHost(name+2, name+end)
			}
		case name < len(s) && s[name] == ' ':
			if end := name + 1 + len(bytes.TrimRight(s[name+1:], " \t\r")); isVolume(s[name+1 : end]) {
				t.foundHost(name+1, end)
			}
		}
		return
	}
}

// relay reads the host in "relay=HOST[192.0.2.25]:25" of Postfix.
func relay(t *text, from, to int) {
	if bytes.HasPrefix(t.line[to:], []byte("=")) {
		if end := t.userEnd(to + 1); end < len(t.line) && t.line[end] == '[' {
			t.foundHost(to+1, end)
		}
	}
}

// namedBehind reads the name of the host behind its address, "192.0.2.123:123
// (ntp.example.org)", as clients of NTP log it.
func (t *text) namedBehind(at int) {
	most := min(len(t.line), at+near)
	s := t.line[at:most]
	if len(s) > 1 && s[0] == ':' {
		s = bytes.TrimLeft(s[1:], "0123456789")
	}
	rest, ok := bytes.CutPrefix(s, []byte(" ("))
	if !ok {
		return
	}
	end, dot := bytes.IndexByte(rest, ')'), bytes.IndexByte(rest, '.')
	if dot <= 0 || end < dot || !isVolume(rest[:end]) || !lettersOnly(rest[bytes.LastIndexByte(rest[:end], '.')+1:end]) {
		return
	}
	at = most - len(rest)
	t.onlyHere(at, at+dot, "host", Host)
	t.onlyHere(at+dot+1, at+end, "dom", Domain)
}

func init() {
	on("CONNECTION", between(" '", "'", logs, asConnection))
	on("NETWORK", between(` "`, `"`, logs, asConnection))
	on("SET", policySet)
	on("SSID", between(" '", "'", logs, asConnection), between("' value '", "'", logs, asConnection))
	on("HOSTNAME", between(" '", "'", logs, asHost), between(" to '", "'", logs, asHost))
	on("NAME", hostNameIs)
	for _, word := range []string{"DHCPACK", "DHCPOFFER", "DHCPREQUEST", "DHCPDISCOVER", "DHCPINFORM"} {
		on(word, dhcpClient)
	}
	on("RELAY", relay)
}
