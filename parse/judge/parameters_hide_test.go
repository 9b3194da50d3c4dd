package judge

import (
	"testing"

	"hwcap/parse/fact"
)

func TestParametersThatHide(t *testing.T) {
	play(t, parametersThatHide, []scene{
		{"nothing", server(), []string{"none machine"}},
		{"errors hidden to be rid of the messages", server(withCmdline("quiet pci=noaer")), []string{"hides machine"}},
		{"ASPM off takes error handling along", server(withCmdline("pcie_aspm=off")), []string{"hides machine"}},
		{"native port services hide nothing", server(withCmdline("pcie_ports=native")), []string{"none machine"}},
		{"separation that only a parameter claims", server(withCmdline("pcie_acs_override=downstream,multifunction")), []string{"claims machine"}},
		{"a module's switch, with dashes", server(withCmdline("vfio-pci.disable-denylist=y mce=ignore_ce")), []string{"hides machine", "claims machine"}},
		{"switch turned off", server(withCmdline("ghes.disable=0 nmi_watchdog=1")), []string{"none machine"}},
		{"words for the init program", server(withCmdline("-- pci=noaer")), []string{"none machine"}},
		{"command line cut off", server(withCmdline("ro"), func(m *fact.Machine) { loseSource(m, "proc-cmdline", fact.Truncated) }), []string{"unread machine"}},
		{"not captured", server(withoutSource("proc-cmdline", fact.Absent)), []string{"unread machine"}},
		{"a log alone", func() *fact.Machine {
			m := &fact.Machine{}
			m.Log.Notes = []fact.Note{logNote("command-line", "", "Kernel command line: ro pci=nommconf", "text", "ro pci=nommconf")}
			return m
		}, []string{"hides machine"}},
		{"a single file of another kind", func() *fact.Machine { return &fact.Machine{} }, nil},
	})
}

// The words are given as they stand there, in the order of the table.
func TestHidingWords(t *testing.T) {
	m := server(withCmdline("pci=nocrs,noaer mce=dont_log_ce nmi_watchdog=0"))()
	f := judgeParameters(m)[0]
	if got := f.Values["words"].([]string); len(got) != 3 || got[0] != "pci=nocrs,noaer" {
		t.Errorf("words are %q", got)
	}
}
