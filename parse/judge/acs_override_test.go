package judge_test

import (
	"testing"

	"hwcap/parse/fact"
)

// TestACSOverrideByLog judges by the command line that the log repeats, where
// /proc/cmdline could not be read.
func TestACSOverrideByLog(t *testing.T) {
	echo := func(text string) func(*fact.Machine) {
		return note("command-line", "", "Kernel command line: "+text, "text", text)
	}
	denied := source("proc-cmdline", fact.Denied)
	check(t, "acs-override", []scene{
		{"parameter alone", machine(wholeLog, denied, echo("quiet pcie_acs_override=downstream")), "machine=ignored"},
		{"no parameter", machine(wholeLog, denied, echo("quiet")), "machine=none"},
		{"parameter in a log of which the head is lost", machine(denied, echo("quiet pcie_acs_override=downstream")), "machine=parameter-log-incomplete"},
		{"active", machine(denied, echo("quiet"), overrides), "machine=active"},
		{"neither", machine(denied), "machine=not-captured"},
	})
}
