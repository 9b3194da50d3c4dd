package judge

import (
	"strings"

	"hwcap/parse/fact"
)

// What the rules on links know from outside the capture. Each row names its
// source; a finding that rests on one says "known of this chip", never "seen".

// chip is a row on a chip whose LnkCap does not tell how many lanes lead to it.
type chip struct {
	vendor, device string
	name           string
	lanes          int     // lanes that are wired
	reading        reading // why LnkCap and wiring differ
	source         string  // the product's public specification, by its name
}

// reading is which of the two explanations holds for an endpoint that offers
// more lanes than the port above it.
type reading string

const (
	mereClaim   reading = "claim"  // the chip never had these lanes wired
	unusedLanes reading = "unused" // it has them; slot or cable lead to fewer
	openReading reading = "open"   // registers cannot tell
)

// narrowChips claim more lanes in LnkCap than their cards wire. Ids are as public
// lspci listings and pci.ids name them.
var narrowChips = []chip{
	{"10de", "2803", "AD106", 8, mereClaim, "NVIDIA GeForce RTX 4060 Ti, PCI Express 4.0 x8"},
	{"10de", "2805", "AD106", 8, mereClaim, "NVIDIA GeForce RTX 4060 Ti 16 GB, PCI Express 4.0 x8"},
	{"10de", "2882", "AD107", 8, mereClaim, "NVIDIA GeForce RTX 4060, PCI Express 4.0 x8"},
	{"8086", "0435", "DH895xCC", 8, mereClaim, "Intel QuickAssist Adapter 8950, PEX 8724, x8"},
}

// wideDrives really have the lanes that they offer; they are often attached to
// fewer by the choice of cable or bay.
var wideDrives = []chip{
	{"144d", "a824", "PM1733/PM1735", 8, unusedLanes, "Samsung PM1735, PCIe Gen 4 x8"},
}

// named reports whether d was printed without ids (lspci without -nn) and has
// one of words in its name. Names depend on the local list of ids, so that they
// count only where nothing better is there.
func named(d *fact.Device, words ...string) bool {
	if d.Vendor != "" || d.Name == "" {
		return false
	}
	name := strings.ToLower(d.Name)
	for _, w := range words {
		if strings.Contains(name, strings.ToLower(w)) {
			return true
		}
	}
	return false
}

// lookup returns the row on d, or nil.
func lookup(d *fact.Device, table []chip) *chip {
	for i, c := range table {
		if c.vendor == d.Vendor && c.device == d.Device || named(d, c.name) {
			return &table[i]
		}
	}
	return nil
}

// side is an end of a switch.
type side int

const (
	upstreamSide side = iota
	downstreamSide
)

// onCardSwitches are switches that graphics cards carry in front of the GPU.
// Their downstream links lie inside the card and show figures that never
// change, at AMD the GPU's own maximum, at Intel 2.5 GT/s x1; the link to the
// slot is that of the upstream port (drivers/gpu/drm/amd/amdgpu,
// amdgpu_device_partner_bandwidth, skips the internal ports for this reason;
// drm/amd issue 1967, LACT issue 334).
var onCardSwitches = []struct {
	vendor, device string
	side           side
}{
	{"1002", "1478", upstreamSide}, // Navi
	{"1002", "1479", downstreamSide},
	{"8086", "4fa1", upstreamSide}, // Arc, DG2
	{"8086", "4fa4", downstreamSide},
	{"8086", "e2ff", upstreamSide}, // Arc, Battlemage
	{"8086", "e2f0", downstreamSide},
	{"8086", "e2f1", downstreamSide},
	{"1022", "1470", upstreamSide}, // Vega 10
	{"1022", "1471", downstreamSide},
}

func onCard(d *fact.Device, s side) bool {
	for _, r := range onCardSwitches {
		if r.vendor == d.Vendor && r.device == d.Device && r.side == s {
			return true
		}
	}
	return named(d, []string{"Navi 10 XL Upstream Port", "Navi 10 XL Downstream Port"}[s])
}

// onChipPorts are ports inside a processor or chipset, with nothing but parts
// of the same chip behind them. No wires lead there; the figures are made up and
// never change. Names from pci.ids unless another source is given.
var onChipPorts = map[string]string{
	"8086": "37c5 " + // C620: of the switch 37c0, to X722 and QuickAssist 37c8 ("2.5 GT/s x1"); ids as in kernel logs of such machines
		"19a3 19d1 19d2 " + // Atom C3000: Integrated QAT, LAN Root Port
		"1d3e 1d3f", // C600/X79: PCI Express Virtual Root Port, Virtual Switch Port, to the SAS controller
	// Internal (PCIe) GPP Bridge to Bus; 14dd, 14eb and 150c as later lists name them.
	"1022": "13e5 13e6 1454 1484 14b9 14dd 14eb 150c 15db 15dc 15fd 15fe 162a 1635 1648",
	"1d94": "1454", // Internal PCIe GPP Bridge 0 to Bus B
}

// onChip reports whether all that is below the port d is part of one chip
// together with it. Of the switch 37c0, every port is.
func onChip(t *tree, d *fact.Device) bool {
	if !bridgeClassed(d) {
		return false
	}
	if up := t.device[d.Parent]; up != nil && up.Vendor == "8086" && up.Device == "37c0" {
		return true
	}
	return d.Device != "" && strings.Contains(onChipPorts[d.Vendor], d.Device) ||
		named(d, "Internal PCIe GPP Bridge", "Internal GPP Bridge", "PCI Express Virtual Root Port", "PCI Express Virtual Switch Port",
			"Integrated QAT Root Port", "Integrated LAN Root Port")
}

// tunnelPorts are ports that may lead into a tunnel through Thunderbolt or
// USB4. The USB4 specification (11.2.1) makes such ports advertise 2.5 GT/s;
// the figures do not represent throughput. Ids and names from pci.ids.
var tunnelPorts = map[string]string{
	"8086": "1513 151a 151b 1547 1548 1549 1567 1569 156b 156d 1576 1578 157e 15c0 15d3 15da 15e7 15ea 15ef " + // Light Ridge to Titan Ridge
		"5780 5783 5786 57a4 " + // Barlow Ridge
		"0b26 1136 8a1d 8a1f 8a21 8a23 9a23 9a25 9a27 9a29 9a2b 9a2d 9a2f 9a31 461f 462f 463f 466e 7ec4 7ec5 7ec6 7ec7",
	"1022": "14cd 14ef", // Family 19h USB4/Thunderbolt PCIe tunnel
	"106b": "1010",      // Apple Silicon
}

// bridgeClass is the class of PCI-to-PCI bridges, which all ports are.
const bridgeClass = "0604"

func bridgeClassed(d *fact.Device) bool {
	return d.Class == bridgeClass
}

// thunderbolt reports whether d is a port of Thunderbolt or USB4.
func thunderbolt(d *fact.Device) bool {
	if !bridgeClassed(d) {
		return false
	}
	// A list of ids older than the chip prints "Intel Corporation Device 15da".
	if _, id, ok := strings.Cut(d.Name, "Intel Corporation Device "); ok && d.Vendor == "" {
		return strings.Contains(tunnelPorts["8086"], id)
	}
	return d.Device != "" && strings.Contains(tunnelPorts[d.Vendor], d.Device) || named(d, "Thunderbolt", "USB4")
}

// tunnelSpeed is what ports of tunnels advertise, in GT/s. A Thunderbolt port
// that can do more has wires: from the machine's root port to the controller,
// or from the controller in an enclosure to what is built in there.
const tunnelSpeed = 2.5

// tunnel reports whether d, which can do speed at most, shows the placeholder
// figures of a tunnel, or of the inside of a Thunderbolt controller.
func tunnel(d *fact.Device, can *Rate) bool {
	return can != nil && can.Speed <= tunnelSpeed && thunderbolt(d)
}

// emulators are the PCI vendors of devices that only virtual machines have:
// QEMU, virtio, VMware, Hyper-V, Xen, VirtualBox, Parallels.
const emulators = "1b36 1af4 15ad 1414 5853 80ee 1ab8"

func emulated(d *fact.Device) bool {
	return d.Vendor != "" && strings.Contains(emulators, d.Vendor) || named(d, "QEMU", "Virtio", "VMware")
}

// guestBridge reports whether d is a host bridge or root port of a virtual
// machine. QEMU and VMware imitate old chipsets and sign as their subsystem.
func guestBridge(d *fact.Device) bool {
	return d.Parent == "" && strings.HasPrefix(d.Class, "06") &&
		(emulated(d) || d.SubVendor == "1af4" || d.SubVendor == "15ad" || strings.Contains(strings.ToLower(d.SubName), "qemu"))
}

// graphics reports whether d is a graphics device, which lowers its link at
// idle: display controllers, and the accelerators of the two vendors whose
// accelerators are graphics chips. QuickAssist (0b40) is none.
func graphics(d *fact.Device) bool {
	return strings.HasPrefix(d.Class, "03") ||
		(d.Class == "1200" || d.Class == "1302") && (d.Vendor == "10de" || d.Vendor == "1002")
}

// aspmFault is a row on chips that do not bear power saving states of their
// link although they offer them. The kernel switches these off where it may.
type aspmFault struct {
	vendor, devices string
	name            string
	word            string // part of the name that lspci prints without ids
	states          string
	source          string
}

var aspmFaults = []aspmFault{
	{"1b21", "1080", "ASMedia ASM1083/1085", "ASM1083/1085", "L0s L1", "drivers/pci/quirks.c, quirk_disable_aspm_l0s_l1 (commit b361663c5a40)"},
	{"8086", "10a7 10a9 10b6 10c6 10c7 10c8 10d6 10db 10dd 10e1 10ec 10f1 10f4 1508", "Intel 82575/82598", "", "L0s", "drivers/pci/quirks.c, quirk_disable_aspm_l0s"},
}
