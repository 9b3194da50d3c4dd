package klog

import "testing"

func TestStamped(t *testing.T) {
	for text, want := range map[string]string{
		"[   12.345678] x":                                    "kernel",
		"> [   12.345678] x":                                  "kernel",
		"kern  :info  : [   12.345678] x":                     "kernel",
		"local0:info  : [   12.345678] x":                     "kernel",
		"lpr   :info  : a text":                               "kernel",
		"Nov 30 12:14:56 host kernel: x":                      "kernel",
		"Nov 30 12:14:56 host systemd[1]: x":                  "other",
		"2026-11-30 12:14:56,345 DEBUG:\tLinux versi":         "other",
		"2026-11-30 12:14:56,345 DEBUG:\tLinux version 6.1.0": "kernel",
		"2026-11-30 12:14:56,345 in a table":                  "",
		"Status: Cap+ 6: x":                                   "",
		"pcieport 0000:00:1c.0: x":                            "",
		"\tLnkSta:\tSpeed 8GT/s":                              "",
		"":                                                    "",
	} {
		got := ""
		if stamped, kernel := Stamped([]byte(text)); kernel {
			got = "kernel"
		} else if stamped {
			got = "other"
		}
		if got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
