package judge

import (
	"slices"

	"hwcap/parse/fact"
)

// vfioDenial is a row of vfio-pci's own deny list, vfio_pci_dev_in_denylist in
// drivers/vfio/pci/vfio_pci.c: devices with errata that a guest could use
// against the host.
type vfioDenial struct {
	vendor  string
	devices []string
	name    string
	since   kernelVersion // first release with the row
	// stable are older series that got the row at some level of theirs.
	stable  []kernelVersion
	erratum vfioErratum
}

// vfioErratum is why a row is on the list, as its commit gives it.
type vfioErratum string

const (
	platformHang vfioErratum = "platform-hang" // requests with bad addresses can hang the machine (QATE-39220)
	insecure     vfioErratum = "insecure"      // said without detail (INTEL-SA-01084)
)

var vfioDenials = []vfioDenial{
	// "vfio/pci: Add QAT devices to denylist", of July 2020
	{vendor: "8086", devices: []string{"0435", "0443"}, name: "QAT DH895xCC", since: kernelVersion{5, 9, 0}, erratum: platformHang},
	{vendor: "8086", devices: []string{"37c8", "37c9"}, name: "QAT C62x", since: kernelVersion{5, 9, 0}, erratum: platformHang},
	{vendor: "8086", devices: []string{"19e2", "19e3"}, name: "QAT C3xxx", since: kernelVersion{5, 9, 0}, erratum: platformHang},
	// 95feb3160eef, of May 2024
	{vendor: "8086", devices: []string{"0b25"}, name: "DSA", since: kernelVersion{6, 10, 0}, stable: mayOf2024, erratum: insecure},
	{vendor: "8086", devices: []string{"0cfe"}, name: "IAX", since: kernelVersion{6, 10, 0}, stable: mayOf2024, erratum: insecure},
}

// mayOf2024 are the stable series that were kept up at that time and have a deny
// list at all, which came with 5.9.
var mayOf2024 = []kernelVersion{{6, 9, 0}, {6, 8, 0}, {6, 6, 0}, {6, 1, 0}, {5, 15, 0}, {5, 10, 0}}

// denial tells whether vfio-pci of a kernel refuses a device.
type denial int

const (
	allowed denial = iota
	perhaps        // the kernel's version is not known, or its series got the row at some level
	denied
)

// vfioDenialOf returns the row on d, or nil, and whether it holds for kernel v.
func vfioDenialOf(d *fact.Device, v kernelVersion, known bool) (*vfioDenial, denial) {
	for i := range vfioDenials {
		row := &vfioDenials[i]
		if d.Vendor != row.vendor || !slices.Contains(row.devices, d.Device) {
			continue
		}
		switch {
		case !known:
			return row, perhaps
		case !v.before(row.since.major, row.since.minor):
			return row, denied
		}
		for _, s := range row.stable {
			if s.major == v.major && s.minor == v.minor {
				return row, perhaps
			}
		}
		return nil, allowed
	}
	return nil, allowed
}
