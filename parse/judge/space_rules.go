package judge

import (
	"slices"
	"strconv"
	"strings"

	"hwcap/parse/fact"
)

// spaceRules are the rules of the area Space.
var spaceRules = []Rule{barUnassigned, barAbove4G, rebarSize, sriovState, bootVGA, optionROM}

// fourGiB is where the addresses end that 32 bits can hold.
const fourGiB = 1 << 32

// romIndex is the index of the expansion ROM among a function's regions.
const romIndex = 6

// listsWhole reports whether the lists of PCI functions were read to their end, so
// that a function or region that they lack is not there.
func listsWhole(m *fact.Machine) bool {
	return len(m.PCI) > 0 && !interrupted(m, "lspci-vvv", "pci")
}

// deviceTree reports whether the machine is described by a device tree, as it
// says or as its root ports show: it has no firmware menu in which a switch could
// be set.
func deviceTree(m *fact.Machine) bool {
	return m.Platform.Model.Known() || slices.ContainsFunc(m.PCI, func(d fact.Device) bool {
		return d.Parent == "" && isBridge(&d) && socOf(&d) != nil
	})
}

// hexNumber reads an address as lspci and the kernel print it.
func hexNumber(s string) (uint64, bool) {
	n, err := strconv.ParseUint(strings.TrimPrefix(s, "0x"), 16, 64)
	return n, err == nil
}

// display reports whether d is a display controller.
func display(d *fact.Device) bool { return strings.HasPrefix(d.Class, "03") }

// barOf names a region as the kernel does (drivers/pci/pci.c, pci_resource_name).
func barOf(r fact.Region) string {
	switch {
	case r.Index == romIndex:
		return "ROM"
	case r.Index < 0:
		return "BAR"
	}
	return "BAR " + strconv.Itoa(r.Index)
}

// notesOf returns the messages of the given kinds about one function.
func notesOf(m *fact.Machine, address string, kinds ...string) []fact.Note {
	return slices.DeleteFunc(m.Log.Of(kinds...), func(n fact.Note) bool { return n.Device != address })
}
