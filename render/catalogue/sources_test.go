package catalogue

import (
	"testing"

	"hwcap/parse/judge"
)

func TestReason(t *testing.T) {
	c, err := Load()
	if err != nil {
		t.Fatal(err)
	}
	for why, want := range map[string]string{
		"no such file": "keine solche Datei",
		"open /dev/kmsg: operation not permitted":                            "/dev/kmsg: nicht erlaubt",
		"no such command: nvme":                                              "kein solcher Befehl: nvme",
		"cut after 16777216 bytes":                                           "abgeschnitten nach 16777216 Byte",
		"netlink-ethtool asks the same":                                      "netlink-ethtool fragt dasselbe",
		"dmesg: read kernel buffer failed: Operation not permitted":          "dmesg: read kernel buffer failed: Operation not permitted",
		"stat /var/lib/rasdaemon/ras-mc_event.db: no such file or directory": "/var/lib/rasdaemon/ras-mc_event.db: nicht vorhanden",
		"": "",
	} {
		if got := c.Reason(why, German); got != want {
			t.Errorf("%q in German is %q, want %q", why, got, want)
		}
		if got := c.Reason(why, English); got != why {
			t.Errorf("%q in English became %q", why, got)
		}
	}
}

// TestSourceWords wants words for every source that a rule reads.
func TestSourceWords(t *testing.T) {
	c, err := Load()
	if err != nil {
		t.Fatal(err)
	}
	for _, rule := range judge.Rules {
		for _, name := range rule.Sources {
			for _, lang := range Langs {
				if c.Source(name, lang) == "" {
					t.Errorf("%s reads %q, which sources.toml does not name in %s", rule.ID, name, lang)
				}
			}
		}
	}
}
