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
		{"devices of the first version, rights shown by their capabilities", lspciText(func(m *fact.Machine) {
			withoutExtended(m)
			for i := range m.PCI {
				m.PCI[i].Express.Version = 1
			}
		}), []string{"root machine"}},
		{"lspci without -v beside a table that only root reads", bundleWith("acpi-dmar", fact.Present), []string{"root machine"}},
		{"lspci without -v beside a denied log", bundleWith("dmesg", fact.Denied), []string{"not-root machine"}},
		{"lspci without -v beside a log", bundleWith("dmesg", fact.Present), []string{"unread machine"}},
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

// bundleWith is a text of lspci -nn and one more source, without a manifest.
func bundleWith(source string, state fact.State) func() *fact.Machine {
	return func() *fact.Machine {
		return &fact.Machine{PCI: []fact.Device{{Address: drive}}, Sources: []fact.Source{{Name: source, Path: "sos_commands/" + source, State: state}}}
	}
}

// TestRightsOf holds that the manifest's word comes before what the contents
// show.
func TestRightsOf(t *testing.T) {
	uid := 1000
	m := serverBoard()
	if got := RightsOf(m); got != AsRoot {
		t.Errorf("of root: %q", got)
	}
	if m.Capture.UID = &uid; RightsOf(m) != AsUser {
		t.Errorf("of a user: %q", RightsOf(m))
	}
	if got := RightsOf(&fact.Machine{}); got != RightsUnknown {
		t.Errorf("of nothing: %q", got)
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
