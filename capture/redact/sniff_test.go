package redact

import (
	"strings"
	"testing"
)

func TestTextsWithOddBytes(t *testing.T) {
	const home = "attach/messages"
	testDrawn(t, []drawn{
		{"zeros of a power loss", home, "Jan  1 00:00:01 «wurzelhost» kernel: up\n" + strings.Repeat("\x00", 900) + "nfs: mounting /home/«marlene» from addr=«10.77.3.9»\n"},
		{"byte order mark", other, "\ufeffhostname: «kestrel42»\n"},
		{"colour before an address", other, "ether \x1b[1m«3c:fd:fe:a1:b2:c3»\x1b[0m inet \x1b[1;35m«192.0.2.9»\x1b[0m/24"},
		{"colour before a value", other, "Serial Number: \x1b[1m«S4EWNX0R500000W»\x1b[0m\n\x1b[1mhostname\x1b[0m: «kestrel42»"},
	})
}

func TestIsText(t *testing.T) {
	for head, want := range map[string]bool{
		"a\n": true, "a\x00\n": true, "\x00\x00\x00\x00": false, "a\n\x00\x01\n": false, "a\x00b\x00": false,
		"u\x00t\x00f\x00 \x001\x006\x00 \x00x\x00\n\x00": false, "\x00\xff\n": false, "": true,
	} {
		if got := isText([]byte(head)); got != want {
			t.Errorf("isText(%q) = %v", head, got)
		}
	}
}
