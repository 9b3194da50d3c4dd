package judge

import (
	"slices"
	"strings"

	"hwcap/parse/fact"
)

// bootLine returns the kernel's command line: /proc/cmdline, else as the log
// repeats it. One that was cut off is Truncated: what it does not hold may
// have stood behind the cut.
func bootLine(m *fact.Machine) fact.Val[string] {
	v := m.Platform.Cmdline
	if m.Source("proc-cmdline").State == fact.Truncated && v.Known() {
		v.State = fact.Truncated
	}
	if v.State == fact.Present {
		return v
	}
	for _, n := range m.Log.Of("command-line") {
		return fact.Of(n.Fields["text"], n.At)
	}
	return v
}

// bootParameter returns the value of a kernel parameter ("native" of
// "pcie_ports=native"). Of several the last one counts; what follows "--" is
// for the init program (kernel/params.c, parse_args).
func bootParameter(cmdline, name string) (value string, set bool) {
	for word := range strings.FieldsSeq(cmdline) {
		if word == "--" {
			break
		}
		key, v, _ := strings.Cut(strings.Trim(word, `"`), "=")
		if key == name {
			value, set = v, true
		}
	}
	return value, set
}

// bootOption reports whether a parameter that takes a list, like pci=, holds
// option in any of its places on the command line.
func bootOption(cmdline, name, option string) bool {
	for word := range strings.FieldsSeq(cmdline) {
		if word == "--" {
			break
		}
		key, v, _ := strings.Cut(strings.Trim(word, `"`), "=")
		if key == name && slices.Contains(strings.Split(v, ","), option) {
			return true
		}
	}
	return false
}

// hidingParameters are those that keep the kernel from handling PCIe errors
// (Documentation/admin-guide/kernel-parameters.txt). The first element is how
// the report names one.
var hidingParameters = []struct{ text, name, option string }{
	{"pci=noaer", "pci", "noaer"},
	{"pci=nommconf", "pci", "nommconf"}, // no extended configuration space, no AER registers
	{"pcie_aspm=off", "pcie_aspm", "off"},
	{"pcie_ports=compat", "pcie_ports", "compat"},
}

// hidden returns the parameters of m's command line that hide PCIe errors, and
// whether the command line was read to its end.
func hidden(m *fact.Machine) (parameters []string, known bool) {
	cmdline := bootLine(m)
	for _, p := range hidingParameters {
		if bootOption(cmdline.V, p.name, p.option) {
			parameters = append(parameters, p.text)
		}
	}
	return parameters, cmdline.State == fact.Present
}

// nativePorts reports whether pcie_ports=native makes the kernel use the port
// services without asking the firmware.
func nativePorts(m *fact.Machine) bool {
	value, _ := bootParameter(bootLine(m).V, "pcie_ports")
	return value == "native"
}
