package leak

import "strings"

// deviceWords are what names of devices begin with that the kernel numbers, and
// drivers and makers that stand everywhere: a host called so is not sought.
var deviceWords = func() map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(`
		ahci amd asus ata audio bond bus card channel controller core cpu dell dimm disk dmar enclosure eth event gold gigabyte host
		hwmon i2c ib igb input intel iommu kernel lenovo loop mc md memory mlx4_ mlx5_ nbd node nvidia nvme pci pcie phy platinum port ram
		rank router rtc scsi serial silver slot socket supermicro target team thermal tty usb vers veth video virbr wlan xeon zram`) {
		m[w] = true
	}
	return m
}()

// isDevice reports whether a name is that of a device, nvme0.
func isDevice(name string) bool {
	return deviceWords[strings.TrimRight(strings.ToLower(name), "0123456789")]
}
