package judge

import (
	"slices"
	"strings"

	"hwcap/parse/fact"
)

// bootLine returns the kernel's command line: /proc/cmdline, else as the log
// repeats it.
func bootLine(m *fact.Machine) fact.Val[string] {
	if m.Platform.Cmdline.Known() {
		return m.Platform.Cmdline
	}
	for _, n := range m.Log.Of("command-line") {
		return fact.Of(n.Fields["text"], n.At)
	}
	return m.Platform.Cmdline
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
// whether the command line was read at all.
func hidden(m *fact.Machine) (parameters []string, known bool) {
	cmdline, known := bootLine(m).Get()
	for _, p := range hidingParameters {
		if bootOption(cmdline, p.name, p.option) {
			parameters = append(parameters, p.text)
		}
	}
	return parameters, known
}

// nativePorts reports whether pcie_ports=native makes the kernel use the port
// services without asking the firmware, and whether the command line was read.
func nativePorts(m *fact.Machine) (on, known bool) {
	cmdline, known := bootLine(m).Get()
	value, _ := bootParameter(cmdline, "pcie_ports")
	return value == "native", known
}
