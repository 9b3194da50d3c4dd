package judge

import (
	"slices"
	"testing"

	"hwcap/parse/fact"
)

func TestCapturePrivilege(t *testing.T) {
	play(t, capturePrivilege, []scene{
		{"root", server(), []string{"root machine"}},
		{"user", server(asUser, withoutSource("dmesg", fact.Denied)), []string{"not-root machine"}},
		{"lspci text of a user", func() *fact.Machine {
			return &fact.Machine{PCI: []fact.Device{{Address: drive, CapsState: fact.Denied, From: lineAt("lspci.txt", 1, drive)}}}
		}, []string{"not-root machine"}},
		{"root in a container", server(withoutSource("dmesg", fact.Denied)), []string{"root-denied machine"}},
		{"extended configuration space lost", server(withoutExtended, withLog(logNote("ecam", "", "PCI: not using ECAM", "state", "unused"))), []string{"no-extended machine"}},
		{"lspci text of root", func() *fact.Machine {
			m := server()()
			m.Capture, m.Sources = fact.Capture{}, nil
			return m
		}, []string{"root machine"}},
		{"lspci without -v", func() *fact.Machine { return &fact.Machine{PCI: []fact.Device{{Address: drive}}} }, []string{"unread machine"}},
		{"a single file of another kind", func() *fact.Machine { return &fact.Machine{} }, nil},
	})
}

// Each rule that root would serve must exist.
func TestRootOnlyRules(t *testing.T) {
	for _, row := range rootOnly {
		for _, id := range row.rules {
			if !slices.ContainsFunc(Rules, func(r Rule) bool { return r.ID == id }) {
				t.Errorf("%s serves the rule %s, which does not exist", row.source, id)
			}
		}
	}
}
