package sysfs

import (
	"path"
	"slices"
	"strings"

	"hwcap/parse/fact"
)

// Folders whose listings are joined.
const (
	devicesFolder = "sys/bus/pci/devices"
	driversFolder = "sys/bus/pci_express/drivers"
	groupsFolder  = "sys/kernel/iommu_groups"
	unitsFolder   = "sys/class/iommu"
)

// Finish joins what several files say together and writes it into the machine,
// after the last Add. Everything is in an order of its own, not of the archive.
func (t *Tree) Finish() {
	t.functions()
	t.portDrivers()
	t.iommu()
	t.classes()
	t.controllers()
	for _, address := range sorted(t.qat, CompareAddresses) {
		t.m.QAT = append(t.m.QAT, *t.qat[address])
	}
	t.derive()
}

// functions joins each PCI function with its place, its links and its slot.
func (t *Tree) functions() {
	for _, e := range t.m.Lists[devicesFolder].Entries {
		if d := t.at(e.Name); d != nil {
			d.From = e.At
			var root string
			d.Parent, root = place(e.Target)
			d.Root = t.rootName(root)
		}
	}
	t.m.PCI = slices.Grow(t.m.PCI, len(t.devices))
	for _, address := range sorted(t.devices, CompareAddresses) {
		d := t.devices[address]
		t.links(d)
		if slot, ok := t.slots[slotOf(address)]; ok {
			d.Slot = slot.V
		}
		d.sysfs.Current, d.sysfs.Max = t.linkOf(d.curSpeed, d.curWidth), t.linkOf(d.maxSpeed, d.maxWidth)
		d.sysfs.WidthAt, d.sysfs.MaxWidthAt = d.curWidth.At, d.maxWidth.At
		files := d.sysfs // without what stands beside it
		d.Device.Sysfs = &files
		slices.SortFunc(d.Regions, func(a, b fact.Region) int { return a.Index - b.Index })
		t.m.PCI = append(t.m.PCI, d.Device)
	}
	t.devices = nil // each is large
}

// links reads the listing of a function's folder. Where there is one, it says
// whether a driver is bound.
func (t *Tree) links(d *device) {
	l, ok := t.m.Lists[devicesFolder+"/"+d.Address]
	if !ok {
		return
	}
	d.DriverKnown = true
	for _, e := range l.Entries {
		if e.Target == "" {
			continue
		}
		switch target := path.Base(e.Target); e.Name {
		case "driver":
			d.Driver = target
		case "iommu_group":
			d.IOMMUGroup = target
		case "physfn":
			d.sysfs.PhysFn = target
		}
	}
}

// rootName returns the ACPI name of a root bridge, "PNP0A08:07", from its
// folder, "pci0000:c2". Roots without ACPI (device tree, VMD) have none.
func (t *Tree) rootName(folder string) string {
	if folder == "" {
		return ""
	}
	for _, e := range t.m.Lists["sys/devices/"+folder].Entries {
		if e.Name == "firmware_node" && e.Target != "" {
			return path.Base(e.Target)
		}
	}
	return ""
}

// portDrivers reads the listings of /sys/bus/pci_express/drivers: the ports are
// the links named after a service of a port, "0000:c2:05.0:pcie002".
func (t *Tree) portDrivers() {
	for _, folder := range sorted(t.m.Lists, strings.Compare) {
		if path.Dir(folder) != driversFolder {
			continue
		}
		p := fact.PortDriver{Service: path.Base(folder), State: fact.Empty}
		for _, e := range t.m.Lists[folder].Entries {
			if at := strings.LastIndex(e.Name, ":pcie"); at > 0 && IsAddress(e.Name[:at]) {
				p.Ports = append(p.Ports, e)
				p.State = fact.Present
			}
		}
		t.m.PortDrivers = append(t.m.PortDrivers, p)
	}
}

// group reads a file of one IOMMU group.
func group(of func(*fact.Group) *fact.Val[string]) handler {
	return func(t *Tree, f *file) { *of(t.group(f.key[0])) = t.value(f) }
}

func (t *Tree) group(id string) *fact.Group {
	if t.groups[id] == nil {
		t.groups[id] = &fact.Group{ID: id, Devices: []fact.Entry{}}
	}
	return t.groups[id]
}

func (t *Tree) iommu() {
	groups, ok := t.m.Lists[groupsFolder]
	t.m.IOMMU.State = groups.State
	for _, e := range groups.Entries {
		t.group(e.Name)
	}
	for folder, l := range t.m.Lists {
		if rest, ok := strings.CutPrefix(folder, groupsFolder+"/"); ok {
			if id, ok := strings.CutSuffix(rest, "/devices"); ok {
				t.group(id).Devices = slices.Clone(l.Entries)
			}
		}
	}
	for _, id := range sorted(t.groups, natural) {
		t.m.IOMMU.Groups = append(t.m.IOMMU.Groups, *t.groups[id])
	}
	if !ok && len(t.groups) > 0 {
		t.m.IOMMU.State = fact.Present
	}
	units := t.m.Lists[unitsFolder]
	t.m.IOMMU.Units, t.m.IOMMU.UnitsState = units.Entries, units.State
}
