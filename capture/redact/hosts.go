package redact

import (
	"bytes"
	"net/netip"
)

// hostsLine reads a line of /etc/hosts (hosts(5)), an address and the names
// behind it, or a name alone, as /etc/hostname has it.
func (t *text) hostsLine(end int) {
	s := t.line[:end]
	if comment := bytes.IndexByte(s, '#'); comment >= 0 {
		s = s[:comment]
	}
	first := true
	for at := 0; at < len(s); {
		if s[at] == ' ' || s[at] == '\t' {
			at++
			continue
		}
		to := at + 1
		for to < len(s) && s[to] != ' ' && s[to] != '\t' {
			to++
		}
		isName := isVolume(s[at:to])
		switch {
		case !first:
		case to-at < 64 && isAddress(s[at:to]):
			isName = false
		case len(bytes.TrimSpace(s[to:])) > 0: // a line of something else
			return
		}
		if isName {
			t.foundHost(at, to)
		}
		first, at = false, to
	}
}

func isAddress(s []byte) bool {
	_, err := netip.ParseAddr(string(s))
	return err == nil
}

// onlyModels marks the rest of a line as one that names the machine's model. A
// host is often called like it, and is not sought there.
func onlyModels(t *text, from, to int) {
	if t.rules.has(logs) && bytes.HasPrefix(t.line[to:], []byte(": ")) {
		t.models = true
	}
}

// hardwareName is onlyModels for "Hardware name: ..." of an oops
// (kernel/printk/printk.c).
func hardwareName(t *text, from, to int) {
	if t.follows(from, "HARDWARE") {
		onlyModels(t, from, to)
	}
}

func init() {
	on("DMI", onlyModels)
	on("NAME", hardwareName)
	on("TO", localTo)
}

// localTo reads "(local to host NAME)" of mdadm(8).
func localTo(t *text, from, to int) {
	const after = " host "
	if !t.follows(from, "LOCAL") || !bytes.HasPrefix(t.line[to:], []byte(after)) {
		return
	}
	t.foundHost(to+len(after), t.userEnd(to+len(after)))
}
