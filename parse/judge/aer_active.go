package judge

import (
	"maps"
	"slices"
	"strings"

	"hwcap/parse/fact"
)

// aerPorts is what the capture says of the ports at which the kernel's AER
// service runs.
type aerPorts struct {
	// listed: the service's folder was read, so that lines has all ports.
	listed bool
	lines  map[string][]fact.Line // by port: the driver link, the log's line
	folder fact.Line              // what shows that the folder is empty or missing
}

// names returns the ports, sorted.
func (p aerPorts) names() []string { return slices.Sorted(maps.Keys(p.lines)) }

// portsWithAER gathers the driver links of /sys/bus/pci_express/drivers/aer
// and the log's "AER: enabled with IRQ" (drivers/pci/pcie/aer.c, aer_probe).
// The counter files prove nothing: every function with the capability has
// them.
func portsWithAER(m *fact.Machine) aerPorts {
	p := aerPorts{lines: map[string][]fact.Line{}}
	source := m.Source("pci-port-drivers")
	for _, d := range m.PortDrivers {
		if d.Service != "aer" {
			continue
		}
		for _, e := range d.Ports {
			port, _, _ := cutLast(e.Name, ":pcie")
			p.lines[port] = append(p.lines[port], e.At)
		}
	}
	// A kernel whose AER is switched off has no such driver, hence no folder.
	p.listed = m.Complete("pci-port-drivers") || source.State == fact.NotAsked && len(p.lines) > 0
	p.folder = source.At
	if off := m.Log.Of("port-services-disabled"); len(off) > 0 { // pcie_ports=compat: no service at all
		p.listed, p.folder = true, off[0].At
	}
	for _, n := range m.Log.Of("aer-enabled") {
		p.lines[n.Device] = append(p.lines[n.Device], n.At)
	}
	return p
}

func cutLast(s, sep string) (before, after string, found bool) {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):], true
	}
	return s, "", false
}

// rootPortsWithAER returns the root ports and event collectors that have the
// AER capability, and whether that is all of them. As root lspci shows the
// capability; without, the kernel's own root port counters do.
func rootPortsWithAER(m *fact.Machine) (ports []string, all bool) {
	if !m.Complete("lspci-vvv") {
		return nil, false
	}
	denied, extended := false, false
	for i := range m.PCI {
		d := &m.PCI[i]
		denied = denied || d.CapsState == fact.Denied
		extended = extended || d.ExtCaps
		switch {
		case d.Express != nil && d.AER != nil && (d.Express.Type == fact.RootPort || d.Express.Type == fact.RCEC),
			d.Sysfs != nil && d.Sysfs.RootCor.Known():
			ports = append(ports, d.Address)
		}
	}
	if denied {
		return ports, m.Complete("pci") && len(ports) > 0
	}
	return ports, extended
}

var aerActive = Rule{
	ID: "aer-active", Area: Errors,
	Sources: []string{"pci-port-drivers", "dmesg", "kmsg", "lspci-vvv", "pci"},
	Keys:    []string{"ports", "portCount", "without", "dpcPorts", "rootPortCount", "listed"},
	Cases: []Case{
		{Name: "active", Verdict: OK, Confidence: Observed},
		{Name: "partly", Verdict: Problem, Severity: Info, Confidence: Observed},
		{Name: "none", Verdict: Problem, Severity: Info, Confidence: Observed},
		{Name: "some", Verdict: Unknown, Confidence: Observed},
		{Name: "unread", Verdict: Unknown, Confidence: Observed},
	},
	Judge: judgeAERActive,
}

// judgeAERActive says at which ports Linux handles PCIe errors.
func judgeAERActive(m *fact.Machine) []Finding {
	active := portsWithAER(m)
	roots, all := rootPortsWithAER(m)
	ports := active.names()
	if len(m.PCI) == 0 && len(ports) == 0 || all && len(roots) == 0 && len(ports) == 0 {
		return nil // nothing here that could report an error
	}
	var without []string
	for _, r := range roots {
		if !slices.Contains(ports, r) {
			without = append(without, r)
		}
	}

	name := "unread"
	switch {
	case active.listed && all && len(ports) == 0:
		name = "none"
	case active.listed && all && len(without) > 0:
		name = "partly"
	case active.listed && all:
		name = "active"
	case len(ports) > 0:
		name = "some"
	}
	f := found(name, Machine)
	f.Values["ports"] = ports
	f.Values["portCount"] = len(ports)
	f.Values["rootPortCount"] = len(roots)
	f.Values["without"] = without
	f.Values["listed"] = active.listed
	f.Values["dpcPorts"] = containmentPorts(m)
	for _, port := range ports {
		f.cite("ports", active.lines[port]...)
	}
	if len(ports) == 0 {
		f.cite("none", active.folder)
	}
	return []Finding{f}
}

// containmentPorts returns the ports with Downstream Port Containment.
func containmentPorts(m *fact.Machine) []string {
	set := map[string]bool{}
	for _, d := range m.PortDrivers {
		if d.Service == "dpc" {
			for _, e := range d.Ports {
				port, _, _ := cutLast(e.Name, ":pcie")
				set[port] = true
			}
		}
	}
	for _, n := range m.Log.Of("dpc-enabled") {
		set[n.Device] = true
	}
	return slices.Sorted(maps.Keys(set))
}
