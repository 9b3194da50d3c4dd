package judge

import (
	"testing"

	"hwcap/parse/fact"
)

func TestAERActive(t *testing.T) {
	enabled := withLog(logNote("aer-enabled", "0000:c2:05.0", "pcieport 0000:c2:05.0: AER: enabled with IRQ 131", "irq", "131"))
	play(t, aerActive, []scene{
		{"all root ports", server(bothPorts, withContainment), []string{"active machine"}},
		{"as a user, by the kernel's root port counters", server(bothPorts, asUser), []string{"active machine"}},
		{"one of two root ports", server(withAER("0000:c2:05.0")), []string{"partly machine"}},
		{"none, the folder is missing", server(), []string{"none machine"}},
		{"none, pcie_ports=compat", server(withoutSource("pci-port-drivers", fact.Absent), withLog(logNote("port-services-disabled", "PNP0A08:07", "PCIe port services disabled; not requesting _OSC control"))), []string{"none machine"}},
		{"drivers not read, but the log shows one", server(withoutSource("pci-port-drivers", fact.Denied), enabled), []string{"some machine"}},
		{"drivers read, root ports not known", server(bothPorts, withoutSource("lspci-vvv", fact.Absent)), []string{"some machine"}},
		{"as a user, counters not read either", server(bothPorts, asUser, withoutSource("pci", fact.Absent)), []string{"some machine"}},
		{"counter files alone prove nothing", server(withoutSource("pci-port-drivers", fact.Denied)), []string{"unread machine"}},
		{"extended configuration space lost", server(withoutExtended), []string{"unread machine"}},
		{"no PCI Express port at all", server(withoutExpress, withoutCounters), nil},
		{"no PCI at all", func() *fact.Machine { return &fact.Machine{} }, nil},
	})
}

func withContainment(m *fact.Machine) {
	m.PortDrivers = append(m.PortDrivers, fact.PortDriver{Service: "dpc", State: fact.Present, Ports: []fact.Entry{{Name: "0000:c2:05.0:pcie010"}}})
	m.Log.Notes = append(m.Log.Notes, logNote("dpc-enabled", "0000:c2:05.0", "DPC: enabled with IRQ 131"))
}

// asUser is what lspci shows without root.
func asUser(m *fact.Machine) {
	uid := 1000
	m.Capture.UID = &uid
	for i := range m.PCI {
		d := &m.PCI[i]
		d.CapsState, d.ExtCaps, d.Express, d.AER = fact.Denied, false, nil, nil
	}
}

// withoutExtended is a machine whose kernel does not reach extended
// configuration space.
func withoutExtended(m *fact.Machine) {
	for i := range m.PCI {
		m.PCI[i].ExtCaps, m.PCI[i].AER = false, nil
		m.PCI[i].Sysfs.RootCor = fact.Val[int64]{}
	}
}

func withoutCounters(m *fact.Machine) {
	for i := range m.PCI {
		m.PCI[i].Sysfs = nil
	}
}
