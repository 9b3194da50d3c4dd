package figure

import (
	"fmt"
	"slices"
	"strings"

	"hwcap/parse/fact"
	"hwcap/parse/judge"
)

// machine builds machines for the tests.
type machine struct{ fact.Machine }

func gts(speed float64, width int) *fact.Link { return &fact.Link{Speed: speed, Width: width} }

// add adds a function with a link.
func (m *machine) add(address, parent, kind, name string, can, now *fact.Link) *fact.Device {
	class := map[string]string{fact.Endpoint: "0200", "": "0880"}[kind]
	if class == "" {
		class = "0604"
	}
	d := fact.Device{Address: address, Parent: parent, Name: name, Class: class, CapsState: fact.Present, Listings: 1}
	if kind != "" {
		d.Express = &fact.Express{Type: kind, LinkCap: can, LinkSta: now}
	}
	m.PCI = append(m.PCI, d)
	return &m.PCI[len(m.PCI)-1]
}

// port is add for a port that leads to a slot.
func (m *machine) port(address, parent, kind string, slot int, can, now *fact.Link) *fact.Device {
	d := m.add(address, parent, kind, "Intel Corporation Ice Lake PCI Express Root Port", can, now)
	yes := true
	d.Express.Slot, d.Express.SlotNumber = &yes, &slot
	d.Express.SlotSta = &fact.SlotSta{PresDet: now.Width > 0}
	d.Driver = "pcieport"
	return d
}

// workstation is a board with a graphics card, a network card of two functions,
// two drives, an accelerator behind a switch on its card, a graphics core behind
// a bridge to PCI, and empty slots.
func workstation() *fact.Machine {
	m := &machine{}
	for i := range 24 {
		m.add(fmt.Sprintf("0000:00:%02x.0", i), "", "", "Intel Corporation Ice Lake Mesh", nil, nil)
	}
	m.add("0000:00:1c.0", "", fact.RootPort, "Intel Corporation C620 Series PCIe Root Port", gts(8, 1), gts(5, 1))
	m.add("0000:02:00.0", "0000:00:1c.0", fact.PCIeToPCI, "ASPEED Technology, Inc. AST1150 PCI-to-PCI Bridge", gts(5, 1), gts(5, 1))
	m.add("0000:03:00.0", "0000:02:00.0", "", "ASPEED Technology, Inc. ASPEED Graphics Family", nil, nil).Driver = "ast"

	m.port("0000:50:02.0", "", fact.RootPort, 4, gts(16, 16), gts(2.5, 8))
	m.add("0000:51:00.0", "0000:50:02.0", fact.Endpoint, "NVIDIA Corporation AD106 [GeForce RTX 4060 Ti]", gts(16, 16), gts(2.5, 8)).Driver = "nvidia"
	m.add("0000:51:00.1", "0000:50:02.0", fact.Endpoint, "NVIDIA Corporation AD106M High Definition Audio Controller", gts(16, 16), gts(2.5, 8))

	m.port("0000:6a:02.0", "", fact.RootPort, 6, gts(16, 16), gts(8, 8))
	m.add("0000:6b:00.0", "0000:6a:02.0", fact.Endpoint, "Intel Corporation Ethernet Controller X710 for 10GbE SFP+", gts(8, 8), gts(8, 8)).Driver = "i40e"
	m.add("0000:6b:00.1", "0000:6a:02.0", fact.Endpoint, "Intel Corporation Ethernet Controller X710 for 10GbE SFP+", gts(8, 8), gts(8, 8)).Driver = "i40e"

	m.port("0000:89:02.0", "", fact.RootPort, 2, gts(16, 8), gts(2.5, 0))
	m.port("0000:89:03.0", "", fact.RootPort, 1, gts(16, 8), gts(2.5, 0))

	m.port("0000:c2:02.0", "", fact.RootPort, 7, gts(16, 8), gts(8, 8))
	m.add("0000:c3:00.0", "0000:c2:02.0", fact.UpstreamPort, "PLX Technology, Inc. PEX 8724 24-Lane, 6-Port PCI Express Gen 3 (8 GT/s) Switch", gts(8, 8), gts(8, 8))
	m.add("0000:c4:00.0", "0000:c3:00.0", fact.DownstreamPort, "PLX Technology, Inc. PEX 8724", gts(8, 8), gts(5, 8))
	m.add("0000:c4:08.0", "0000:c3:00.0", fact.DownstreamPort, "PLX Technology, Inc. PEX 8724", gts(8, 8), gts(2.5, 0))
	m.add("0000:c5:00.0", "0000:c4:00.0", fact.Endpoint, "Intel Corporation DH895XCC Series QAT", gts(5, 16), gts(5, 8)).Driver = "dh895xcc"
	for i, port := range []string{"0000:c2:04.0", "0000:c2:05.0"} {
		m.port(port, "", fact.RootPort, 10+i, gts(16, 4), gts(16, 4))
		m.add(fmt.Sprintf("0000:%x:00.0", 0xc6+i), port, fact.Endpoint, "Samsung Electronics Co Ltd NVMe SSD Controller PM173X", gts(16, 8), gts(16, 4)).Driver = "nvme"
	}
	m.Slots = []fact.Slot{
		{Designation: "CPU SLOT4 PCI-E 4.0 X16", Address: "0000:51:00.0"},
		{Designation: "CPU SLOT6 PCI-E 4.0 X16", Address: "0000:6b:00.0"},
		{Designation: "CPU SLOT7 PCI-E 4.0 X8", Address: "0000:c2:02.0"},
	}
	return m.sorted()
}

func (m *machine) sorted() *fact.Machine {
	slices.SortFunc(m.PCI, func(a, b fact.Device) int { return strings.Compare(a.Address, b.Address) })
	return &m.Machine
}

// concerns are findings about the workstation.
func concerns() []judge.Finding {
	return []judge.Finding{
		{ID: "aer-history", Area: judge.Errors, Verdict: judge.Problem, Severity: judge.Notice, Subjects: []string{"0000:c2:05.0"}},
		{ID: "pcie-link-speed", Area: judge.Links, Verdict: judge.Problem, Severity: judge.Info, Subjects: []string{"0000:51:00.0"}},
		{ID: "pcie-link-width", Area: judge.Links, Verdict: judge.Problem, Severity: judge.Warning, Subjects: []string{"0000:51:00.0"}},
		{ID: "pcie-link-width", Area: judge.Links, Verdict: judge.OK, Subjects: []string{"0000:6b:00.0"}},
		{ID: "pcie-path-bottleneck", Area: judge.Links, Verdict: judge.Problem, Severity: judge.Info, Case: "narrowest", Subjects: []string{"0000:c5:00.0"}, Values: map[string]any{
			"narrowestUpper": "0000:c4:00.0", "narrowestLower": "0000:c5:00.0",
		}},
	}
}

// farm is a machine of about 300 functions: alike drives at their own ports, a
// backplane of switches, and network cards with many functions.
func farm() *fact.Machine {
	m := &machine{}
	for i := range 24 {
		port := fmt.Sprintf("0000:10:%02x.0", i)
		m.port(port, "", fact.RootPort, i, gts(32, 4), gts(16, 4))
		m.add(fmt.Sprintf("0000:%02x:00.0", 0x11+i), port, fact.Endpoint, "Samsung Electronics Co Ltd NVMe SSD Controller PM9A3", gts(16, 4), gts(16, 4)).Driver = "nvme"
	}
	for s := range 6 {
		root := fmt.Sprintf("0000:4%x:01.0", s)
		m.add(root, "", fact.RootPort, "Root Port", gts(32, 16), gts(32, 16))
		up := fmt.Sprintf("0000:5%x:00.0", s)
		m.add(up, root, fact.UpstreamPort, "Broadcom / LSI PEX890xx PCIe Gen 5 Switch", gts(32, 16), gts(32, 16))
		for p := range 12 {
			down := fmt.Sprintf("0000:6%x:%02x.0", s, p)
			now := gts(32, 4)
			if p > 8 {
				now = gts(2.5, 0)
			}
			m.add(down, up, fact.DownstreamPort, "Broadcom / LSI PEX890xx PCIe Gen 5 Switch", gts(32, 4), now)
			if p > 8 {
				continue
			}
			now = gts(32, 4-p%2)
			m.add(fmt.Sprintf("0001:%x%x:00.0", s, p), down, fact.Endpoint, []string{"A", "B", "C", "D"}[p%4]+" drive", gts(32, 4), now).Vendor = fmt.Sprint(p % 4)
		}
	}
	for i := range 130 {
		m.add(fmt.Sprintf("0000:f%x:%02x.%x", i/100, i%100/8, i%8), "", "", "Uncore", nil, nil)
	}
	return m.sorted()
}

// backplane is one card with a switch and 20 drives that all differ: its rows
// go over more than one scene.
func backplane() *fact.Machine {
	m := &machine{}
	m.port("0000:40:01.0", "", fact.RootPort, 3, gts(32, 16), gts(32, 16))
	m.add("0000:41:00.0", "0000:40:01.0", fact.UpstreamPort, "Switch", gts(32, 16), gts(32, 16))
	for p := range 20 {
		down := fmt.Sprintf("0000:42:%02x.0", p)
		m.add(down, "0000:41:00.0", fact.DownstreamPort, "Switch", gts(32, 4), gts(16, 4))
		m.add(fmt.Sprintf("0000:%x:00.0", 0x43+p), down, fact.Endpoint, fmt.Sprintf("Drive %c", 'A'+p), gts(16, 4), gts(16, 4)).Driver = "nvme"
	}
	return m.sorted()
}
