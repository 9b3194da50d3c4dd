package judge

import "hwcap/parse/fact"

// nic is a row on a network chip: the rate of each of its ports.
type nic struct {
	vendor, device, name string
	mbps                 int
	source               string
}

// nics are chips whose every port has one highest rate, whatever the card. Chips
// that are sold with ports of different rates under one id are left out.
var nics = []nic{
	{"8086", "10d3", "82574L", 1000, "pci.ids: 82574L Gigabit Network Connection"},
	{"8086", "10fb", "82599ES", 10000, "pci.ids: 82599ES 10-Gigabit SFI/SFP+ Network Connection"},
	{"8086", "1521", "I350", 1000, "pci.ids: I350 Gigabit Network Connection"},
	{"8086", "1528", "X540-AT2", 10000, "pci.ids: Ethernet Controller 10-Gigabit X540-AT2"},
	{"8086", "1533", "I210", 1000, "pci.ids: I210 Gigabit Network Connection"},
	{"8086", "1539", "I211", 1000, "pci.ids: I211 Gigabit Network Connection"},
	{"8086", "1563", "X550", 10000, "pci.ids: Ethernet Controller X550"},
	{"8086", "1572", "X710", 10000, "pci.ids: Ethernet Controller X710 for 10GbE SFP+"},
	{"8086", "15ff", "X710-T", 10000, "pci.ids: Ethernet Controller X710 for 10GBASE-T"},
	{"8086", "1583", "XL710", 40000, "pci.ids: Ethernet Controller XL710 for 40GbE QSFP+"},
	{"8086", "158b", "XXV710", 25000, "pci.ids: Ethernet Controller XXV710 for 25GbE SFP28"},
	{"8086", "15f3", "I225-V", 2500, "pci.ids: Ethernet Controller I225-V; Intel product specification, 2.5 GbE"},
	{"8086", "125c", "I226-V", 2500, "pci.ids: Ethernet Controller I226-V; Intel product specification, 2.5 GbE"},
	{"10ec", "8168", "RTL8111", 1000, "pci.ids: RTL8111/8168/8411 PCI Express Gigabit Ethernet Controller"},
	{"10ec", "8125", "RTL8125", 2500, "pci.ids: RTL8125 2.5GbE Controller"},
	{"1d6a", "07b1", "AQC107", 10000, "drivers/net/ethernet/aquantia/atlantic/aq_common.h, AQ_DEVICE_ID_AQC107"},
	{"1d6a", "d107", "AQC107", 10000, "drivers/net/ethernet/aquantia/atlantic/aq_common.h, AQ_DEVICE_ID_D107"},
	{"1d6a", "04c0", "AQC113", 10000, "drivers/net/ethernet/aquantia/atlantic/aq_common.h, AQ_DEVICE_ID_AQC113"},
	{"1d6a", "14c0", "AQC113C", 10000, "drivers/net/ethernet/aquantia/atlantic/aq_common.h, AQ_DEVICE_ID_AQC113C"},
	{"14e4", "165f", "BCM5720", 1000, "pci.ids: NetXtreme BCM5720 Gigabit Ethernet PCIe"},
}

// nicOf returns the row on d, or nil.
func nicOf(d *fact.Device) *nic {
	for i, n := range nics {
		if n.vendor == d.Vendor && n.device == d.Device {
			return &nics[i]
		}
	}
	return nil
}
