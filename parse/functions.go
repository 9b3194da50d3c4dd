package parse

import (
	"slices"

	"hwcap/parse/fact"
	"hwcap/parse/pciids"
	"hwcap/parse/sysfs"
)

// functions joins what the sources say of PCI functions. Each field comes from
// the first of them that speaks of it: the text of lspci, its hexadecimal rows,
// the small files of sysfs, the file config. Names come last, from the list of
// ids that hwcap carries.
func (b *builder) functions() {
	b.m.PCI = mergeDevices(b.devices, b.m.PCI)
	for i := range b.m.PCI {
		b.tree.Decode(&b.m.PCI[i])
	}
	lookUpNames(b.m.PCI)
}

// mergeDevices joins what lspci printed with what sysfs says, by address.
func mergeDevices(printed, listed []fact.Device) []fact.Device {
	at := make(map[string]int, len(printed))
	for i := range printed {
		at[printed[i].Address] = i
	}
	all := slices.Grow(printed, len(listed))
	for i := range listed {
		if n, ok := at[listed[i].Address]; ok {
			all[n].Fill(&listed[i], nil)
		} else {
			all = append(all, listed[i])
		}
	}
	slices.SortFunc(all, func(a, b fact.Device) int { return sysfs.CompareAddresses(a.Address, b.Address) })
	return all
}

// lookUpNames gives names to the functions of which no source printed them.
func lookUpNames(devices []fact.Device) {
	var nameless []int
	var ids []pciids.ID
	for i, d := range devices {
		if d.Name == "" && d.Vendor != "" || d.ClassName == "" && d.Class != "" || d.SubName == "" && d.SubVendor != "" && d.SubVendor != noVendor {
			nameless = append(nameless, i)
			ids = append(ids, pciids.ID{Class: d.Class, Vendor: d.Vendor, Device: d.Device, SubVendor: d.SubVendor, SubDevice: d.SubDevice})
		}
	}
	for n, name := range pciids.Lookup(ids) {
		d := &devices[nameless[n]]
		for _, f := range []struct {
			json  string
			field *string
			name  string
		}{{"name", &d.Name, name.Device}, {"className", &d.ClassName, name.Class}, {"subName", &d.SubName, name.Subsystem}} {
			if *f.field == "" && f.name != "" {
				*f.field = f.name
				d.PCIIDs = append(d.PCIIDs, f.json)
			}
		}
	}
}

// noVendor is what subsystem_vendor says of a function without one.
const noVendor = "0000"
