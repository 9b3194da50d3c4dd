package leak

import "testing"

func TestPlain(t *testing.T) {
	for line, want := range map[string]string{
		"\x1b[1m3c:fd:fe:a1:b2:c3\x1b[0m": "3c:fd:fe:a1:b2:c3",
		"\ufeffhostname: x\x1b[1;31":      "hostname: x",
		"\x1b\x1b[":                       "\x1b",
	} {
		if got := plain(line); got != want {
			t.Errorf("plain(%q) = %q, want %q", line, got, want)
		}
	}
}
