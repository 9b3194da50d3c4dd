package judge

import (
	"slices"
	"strings"

	"hwcap/parse/fact"
)

// Root ports of systems on a chip report the lanes of the chip, whatever the
// board wires of them. These tables say where that is to be expected, and for
// some boards how many lanes there are.

// board is a row on a board whose root port offers more lanes than the board
// wires.
type board struct {
	model  string // start of the device tree's model
	lanes  int
	source string
}

var boards = []board{
	{"Raspberry Pi 5", 1, "Raspberry Pi 5, PCIe 2.0 x1 (raspberrypi/linux#6190)"},
	{"Raspberry Pi Compute Module 5", 1, "Raspberry Pi Compute Module 5, PCIe 2.0 x1"},
	{"Raspberry Pi Compute Module 4", 1, "Raspberry Pi Compute Module 4, PCIe 2.0 x1"},
	{"Raspberry Pi 4", 1, "Raspberry Pi 4, PCIe 2.0 x1"},
	{"StarFive VisionFive V2", 1, "StarFive VisionFive 2, PCIe 2.0 x1 (geerlingguy/sbc-reviews#10)"},
}

// boardOf returns the row on the machine's board, or nil.
func boardOf(m *fact.Machine) *board {
	model, _ := m.Platform.Model.Get()
	for i, b := range boards {
		if model != "" && strings.HasPrefix(model, b.model) {
			return &boards[i]
		}
	}
	return nil
}

// soc is a row on the root ports of systems on a chip.
type soc struct {
	vendor, device string // device "": all root ports of this vendor
	name           string
	word           string // part of the name that lspci prints without ids
	lanes          int    // lanes that all boards with the chip wire to a connector; 0: the boards differ
	source         string
}

var socs = []soc{
	{"14e4", "2711", "Broadcom BCM2711", "BCM2711", 1, "Raspberry Pi 4 and Compute Module 4, PCIe 2.0 x1"},
	{"14e4", "2712", "Broadcom BCM2712", "BCM2712", 1, "Raspberry Pi 5 and Compute Module 5, PCIe 2.0 x1 (raspberrypi/linux#6190)"},
	{"14e4", "", "Broadcom", "Broadcom", 0, "drivers/pci/controller/pcie-iproc.c, pcie-brcmstb.c"},
	{"1d87", "", "Rockchip", "Rockchip", 0, "pci.ids, RK3399 PCI Express Root Port; drivers/pci/controller/pcie-rockchip-host.c"},
	{"1957", "", "NXP (Freescale)", "Freescale", 0, "pci.ids; drivers/pci/controller/dwc/pci-layerscape.c"},
	{"11ab", "", "Marvell", "Marvell", 0, "pci.ids, 88F60x0/88F70x0/88F80x0/CN913x ARM SoC; drivers/pci/controller/pci-mvebu.c"},
	{"14c3", "", "MediaTek", "MEDIATEK", 0, "drivers/pci/controller/pcie-mediatek.c"},
	{"0e8d", "", "MediaTek", "MediaTek", 0, "drivers/pci/controller/pcie-mt7621.c"},
	{"f15e", "", "SiFive", "SiFive", 0, "pci.ids, FU740-C000 RISC-V SoC PCI Express x8 to AXI4 Bridge"},
	{"16c3", "", "Synopsys DesignWare", "Synopsys", 0, "pci.ids, DWC_usb3 / PCIe bridge; drivers/pci/controller/dwc"},
	{"1556", "", "PLDA XpressRich (StarFive)", "PLDA", 0, "pci.ids, XpressRich-AXI Ref Design; drivers/pci/controller/plda"},
	{"17cb", "", "Qualcomm", "Qualcomm", 0, "pci.ids, MSM8998 PCIe Root Complex; drivers/pci/controller/dwc/pcie-qcom.c"},
	{"10de", "1ad1", "NVIDIA Tegra", "Tegra", 0, "pci.ids, Tegra PCIe x4/x8 Endpoint/Root Complex"},
	{"10de", "1ad2", "NVIDIA Tegra", "Tegra", 0, "pci.ids, Tegra PCIe x1 Root Complex"},
}

// socOf returns the row on the root port d, or nil.
func socOf(d *fact.Device) *soc {
	for i, s := range socs {
		if s.vendor == d.Vendor && (s.device == "" || s.device == d.Device) || named(d, s.word) {
			return &socs[i]
		}
	}
	return nil
}

// pcVendors are the PCI vendors whose root ports stand in x86 machines: Intel,
// AMD (two), NVIDIA, VIA, SiS, ULi, ServerWorks, Hygon, Zhaoxin, DMP.
const pcVendors = "8086 1022 1002 10de 1106 1039 10b9 1166 1d94 1d17 17f3"

func pcPort(d *fact.Device) bool {
	return d.Vendor != "" && strings.Contains(pcVendors, d.Vendor) ||
		named(d, "Intel", "Advanced Micro Devices", "NVIDIA", "VIA Tech", "Silicon Integrated", "ULi", "Hygon", "Haiguang", "Zhaoxin")
}

// overstates reports whether port, a root port, may offer more lanes than its
// board wires, for all that is known of the architecture and the port.
func (t *tree) overstates(port *fact.Device) bool {
	switch arch := t.machine.Capture.Arch; {
	case slices.Contains([]string{"x86_64", "amd64", "i386", "i686"}, arch):
		return false
	case socOf(port) != nil:
		return true
	case arch != "":
		return !t.machine.Platform.Product.Known()
	}
	return !pcPort(port)
}
