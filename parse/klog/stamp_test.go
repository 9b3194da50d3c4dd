package klog

import (
	"slices"
	"strings"
	"testing"
)

func sortedKeys(m map[string]string) []string {
	var keys []string
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

const line = "pcieport 0000:00:1c.0: AER: enabled with IRQ 27"

func TestStamps(t *testing.T) {
	tests := map[string]struct {
		line   string
		format string
		time   float64 // -1 for none
		clock  string
	}{
		"plain":                             {"[   12.345678] " + line, "dmesg", 12.345678, ""},
		"without times":                     {line, "dmesg -t", -1, ""},
		"caller":                            {"[   12.345678] [    T1] " + line, "dmesg", 12.345678, ""},
		"caller without a blank":            {"[   12.345678][  C15] " + line, "dmesg", 12.345678, ""},
		"raw":                               {"<6>[   12.345678] " + line, "dmesg -r", 12.345678, ""},
		"raw without times":                 {"<30>" + line, "dmesg -r", -1, ""},
		"decoded":                           {"kern  :info  : [   12.345678] " + line, "dmesg -x", 12.345678, ""},
		"time of day":                       {"[Thu Feb 29 13:47:22 2024] " + line, "dmesg -T", -1, "Thu Feb 29 13:47:22 2024"},
		"difference":                        {"[   12.345678 <    1.000000>] " + line, "dmesg -d", 12.345678, ""},
		"human":                             {"[Nov30 12:14] " + line, "dmesg -e", -1, "Nov30 12:14"},
		"human, later":                      {"[  +1.000001] " + line, "dmesg -e", -1, ""},
		"iso":                               {"2026-11-30T12:14:56,345678+00:00 " + line, "dmesg iso", -1, "2026-11-30T12:14:56,345678+00:00"},
		"kmsg":                              {"6,1234,12345678,-;" + line, "kmsg", 12.345678, ""},
		"kmsg, further fields":              {"6,1234,12345678,-,caller=T1;" + line, "kmsg", 12.345678, ""},
		"journal short":                     {"Nov  3 12:14:56 host kernel: " + line, "journal short", -1, "Nov  3 12:14:56"},
		"journal short, no host":            {"Nov 30 12:14:56 kernel: " + line, "journal short", -1, "Nov 30 12:14:56"},
		"journal short-iso":                 {"2026-11-30T12:14:56+0000 host kernel: " + line, "journal short-iso", -1, "2026-11-30T12:14:56+0000"},
		"journal short-full":                {"Mon 2026-11-30 12:14:56 UTC host kernel: " + line, "journal short-full", -1, "Mon 2026-11-30 12:14:56 UTC"},
		"journal short-unix":                {"1764504896.345678 host kernel: " + line, "journal short-unix", -1, "1764504896.345678"},
		"journal short-monotonic":           {"[   12.345678] host kernel: " + line, "journal short-monotonic", 12.345678, ""},
		"journal monotonic, no host":        {"[   12.345678] kernel: " + line, "journal short-monotonic", 12.345678, ""},
		"syslog with the kernel's own time": {"Nov 30 12:14:56 host kernel: [   12.345678] " + line, "journal short", 12.345678, ""},
		"report of amd-s2idle":              {"2026-11-30 12:14:56,345 DEBUG:\t" + line, "amd-s2idle", -1, ""},
		"quoted in a mail":                  {"> [   12.345678] " + line, "dmesg", 12.345678, ""},
		"indented":                          {"    [   12.345678] " + line, "dmesg", 12.345678, ""},
		"the bracket cut off":               {"  12.345678] " + line, "dmesg", 12.345678, ""},
		"colours of a terminal":             {"\x1b[32m[   12.345678] \x1b[0m" + line, "dmesg", 12.345678, ""},
		"line ends of Windows":              {"[   12.345678] " + line + "\r", "dmesg", 12.345678, ""},
		"no-break spaces":                   {strings.ReplaceAll("[   12.345678] "+line, " ", "\u00a0"), "dmesg", 12.345678, ""},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			res, err := Parse(strings.NewReader(test.line+"\n"), "log", 0)
			if err != nil {
				t.Fatal(err)
			}
			if res.File.Format != test.format {
				t.Errorf("format %q, want %q", res.File.Format, test.format)
			}
			if len(res.Notes) != 1 {
				t.Fatalf("%d notes, want 1", len(res.Notes))
			}
			n := res.Notes[0]
			if n.Kind != "aer-enabled" || n.Device != "0000:00:1c.0" || n.Driver != "pcieport" {
				t.Errorf("note %+v", n)
			}
			if (n.Time == nil) != (test.time < 0) || n.Time != nil && *n.Time != test.time || n.Clock != test.clock {
				t.Errorf("time %v, clock %q, want %v, %q", n.Time, n.Clock, test.time, test.clock)
			}
			if want := strings.TrimRight(test.line, "\r"); n.At.Text != want {
				t.Errorf("evidence %q, want %q", n.At.Text, want)
			}
		})
	}
}

func TestLooks(t *testing.T) {
	for name, test := range map[string]struct {
		text string
		want bool
	}{
		"dmesg":            {"[    0.000000] Linux version 6.1\n[    0.000000] Command line: ro\n", true},
		"kmsg":             {"6,0,0,-;Linux version 6.1\n SUBSYSTEM=x\n", true},
		"journal":          {"-- Journal begins at x --\nNov 30 12:14:56 host kernel: x\n", true},
		"without times":    {"pci 0000:00:00.0: [8086:1234] type 00\npci 0000:00:01.0: [8086:1234] type 01\n", true},
		"lspci":            {"0000:00:00.0 Host bridge: ACME\n\tFlags: fast\n0000:00:01.0 PCI bridge: ACME\n", false},
		"syslog of others": {"Nov 30 12:14:56 host sshd[1]: x\nNov 30 12:14:57 host cron[2]: y\n", false},
		"prose":            {"hello world\nthis is a text\n", false},
		"nothing":          {"", false},
	} {
		if got := Looks([]byte(test.text)); got != test.want {
			t.Errorf("%s: %v, want %v", name, got, test.want)
		}
	}
}

// unopened are messages behind a stamp that begin with the end of a bracket.
var unopened = []string{
	"Jan  1 00:00:00 host kernel: ] x",
	"kern  :info  : ] x",
	"2026-01-01T00:00:00+00:00 host kernel: ] x",
	"2026-01-01T00:00:00,000000+00:00 ] x",
	"1764504896.345678 host kernel: ] x",
	"<6>] x",
	"[    1.000000] host kernel: ] x",
	"]",
}

func TestBracketThatWasNotOpened(t *testing.T) {
	for _, line := range unopened {
		for _, journal := range []bool{false, true} {
			_, text, ok := split([]byte(line), journal)
			if want := "] x"; line != "]" && (!ok || !strings.HasSuffix(string(text), want)) {
				t.Errorf("split(%q, %t) = %q, %t; the message is %q", line, journal, text, ok, want)
			}
		}
		if _, err := Parse(strings.NewReader(line+"\n"), "log", 0); err != nil {
			t.Errorf("%q: %v", line, err)
		}
	}
}

func TestPlain(t *testing.T) {
	for c := range 256 {
		for at := range 20 {
			line := []byte("[    1.000000] x y z")
			line[at] = byte(c)
			if got, want := isPlain(line), 0x20 <= c && c < 0x80; got != want {
				t.Errorf("byte %#x at %d: %v, want %v", c, at, got, want)
			}
		}
	}
}

func TestClean(t *testing.T) {
	for line, want := range map[string]string{
		"plain":                            "plain",
		"\x1b[0;32m[  OK  ]\x1b[0m x":      "[  OK  ] x",
		"\x1b[?25hx":                       "x",
		"\x1b]0;title\x07x\x1b]1;y\x1b\\z": "xz",
		"\x1b(Bx":                          "x",
		"\x1b7x\x1b8":                      "x",
		"x\x1b[":                           "x",
		"x\x1b":                            "x",
		"\x00\x00x":                        "x",
		"a\u00a0b":                         "a b",
	} {
		if got := string(clean([]byte(line))); got != want {
			t.Errorf("clean(%q) = %q, want %q", line, got, want)
		}
	}
}
