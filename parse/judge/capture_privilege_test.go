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
		{"no extended capability, rights unknown", lspciText(withoutExtended), []string{"unread machine"}},
		{"root, but too few devices to tell", server(withoutExtended, func(m *fact.Machine) { m.PCI = m.PCI[:2] }), []string{"root machine"}},
		{"root, devices of the first version", server(withoutExtended, func(m *fact.Machine) {
			for i := range m.PCI {
				m.PCI[i].Express.Version = 1
			}
		}), []string{"root machine"}},
		{"lspci text of root", lspciText(), []string{"root machine"}},
		{"lspci without -v", func() *fact.Machine { return &fact.Machine{PCI: []fact.Device{{Address: drive}}} }, []string{"unread machine"}},
		{"a single file of another kind", func() *fact.Machine { return &fact.Machine{} }, nil},
	})
}

// lspciText is the output of lspci opened on its own.
func lspciText(change ...func(*fact.Machine)) func() *fact.Machine {
	return func() *fact.Machine {
		m := server(change...)()
		m.Capture, m.Sources = fact.Capture{}, nil
		return m
	}
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
