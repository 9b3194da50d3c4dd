package judge

import (
	"slices"
	"strings"

	"hwcap/parse/fact"
)

// iommuGroups tells which devices share an IOMMU group, and what binds them.
// The kernel groups whatever could reach another device without passing the
// IOMMU: pci_device_group in drivers/iommu/iommu.c, pci_acs_enabled in
// drivers/pci/pci.c.
var iommuGroups = Rule{
	ID:      "iommu-groups",
	Area:    Isolate,
	Sources: []string{"iommu-groups", "lspci-vvv", "pci", "dmesg", "kmsg", "journal-k", "proc-cmdline"},
	// shared is a table: group, devices, binder (an address or ""), reason, shown.
	// folded are the groups in it that are not shown one by one.
	Keys: []string{"groups", "alone", "bridgesOnly", "shared", "folded", "override"},
	Cases: []Case{
		{Name: "alone", Verdict: OK, Confidence: Observed},
		{Name: "shared", Verdict: Problem, Severity: Info, Confidence: Derived},
		{Name: "claimed", Verdict: Problem, Severity: Info, Confidence: Observed},
		{Name: "maybe-claimed", Verdict: Unknown},
		{Name: "not-captured", Verdict: Unknown},
	},
	Judge: judgeIOMMUGroups,
}

// What binds the devices of a group together.
const (
	boundByNoACS      = "no-acs"         // a port without the ACS capability
	boundByACSOff     = "acs-off"        // a port with ACS that is not switched on
	boundByPCIBridge  = "pci-bridge"     // conventional PCI below: no ACS exists there
	boundByFunctions  = "multi-function" // functions of one device without ACS
	boundByUnreadable = "unreadable"     // capabilities could not be read
	boundByOther      = "other"
)

// isolating are the ACS controls that the kernel wants to see: REQ_ACS_FLAGS in
// drivers/iommu/iommu.c.
var isolating = []string{"SrcValid", "ReqRedir", "CmpltRedir", "UpstreamFwd"}

func judgeIOMMUGroups(m *fact.Machine) []Finding {
	f := found("not-captured", Machine)
	override := m.Log.Of("acs-override")
	f.Values = map[string]any{
		"groups": 0, "alone": 0, "bridgesOnly": 0, "shared": []map[string]any{}, "folded": []string{},
		"override": len(override) > 0,
	}
	switch {
	case ungrouped(m):
		return nil // no group to speak of: iommu-state says why
	case len(m.IOMMU.Groups) == 0:
		return []Finding{f}
	}
	if interrupted(m, "iommu-groups") || m.IOMMU.State == fact.Truncated {
		return []Finding{f}
	}
	var alone, bridges int
	shared := []map[string]any{}
	tree := slices.ContainsFunc(m.PCI, func(d fact.Device) bool { return d.Parent != "" })
	for _, g := range m.IOMMU.Groups {
		if groupKind(g) == "noiommu" {
			return nil // such groups separate nothing
		}
		if len(g.Devices) == 0 { // its folder was not captured, or its devices left
			return []Finding{f}
		}
		if len(g.Devices) == 1 {
			alone++
			continue
		}
		members, known := groupMembers(m, g)
		switch {
		case !known:
			return []Finding{f}
		case !slices.ContainsFunc(members, func(d *fact.Device) bool { return !isBridge(d) }):
			bridges++
		default:
			binder, reason := bindingOf(members)
			// Functions of one device on a root bus, parts of processor and chipset,
			// say little each; there are dozens of them.
			shown := !tree || reason != boundByFunctions || members[0].Parent != ""
			shared = append(shared, f.sharedGroup(g, binder, reason, shown))
		}
	}
	switch {
	case len(override) > 0:
		f.Case = "claimed"
	case len(shared) > 0:
		f.Case = "shared"
	case !withoutOverride(m):
		f.Case = "maybe-claimed"
	default:
		f.Case = "alone"
	}
	f.citeSource(m, "groups", "iommu-groups")
	f.citeNotes("override", override)
	f.Values["groups"], f.Values["alone"], f.Values["bridgesOnly"], f.Values["shared"] = len(m.IOMMU.Groups), alone, bridges, shared
	return []Finding{f}
}

// withoutOverride reports whether it is certain that the kernel was not told to
// claim ACS: neither its line in a whole log nor, without one, its parameter.
func withoutOverride(m *fact.Machine) bool {
	read := m.Platform.Cmdline.State == fact.Present
	return logFromBoot(m) || read && len(bootWords(m, "pcie_acs_override")) == 0
}

// sharedGroup makes the row of one group and cites its members and its binder.
// Of a group that is not shown, one line must do.
func (f *Finding) sharedGroup(g fact.Group, binder *fact.Device, reason string, shown bool) map[string]any {
	names := make([]string, len(g.Devices))
	for i, e := range g.Devices {
		names[i] = e.Name
		if shown {
			f.cite("group "+g.ID, e.At)
		}
	}
	if !shown {
		f.cite("folded", g.Devices[0].At)
		f.appendName("folded", g.ID)
	}
	row := map[string]any{"group": g.ID, "devices": names, "binder": "", "reason": reason, "shown": shown}
	if binder != nil {
		row["binder"] = binder.Address
		at := binder.From
		if binder.ACS != nil {
			at = binder.ACS.At
		}
		f.cite("binder "+g.ID, at)
	}
	return row
}

// bindingOf finds the bridge that keeps the members together, and how. Without
// a bridge among them it can only be that they are functions of one device.
func bindingOf(members []*fact.Device) (binder *fact.Device, reason string) {
	for _, d := range members {
		if isBridge(d) && (d.Express == nil || d.Express.Type == fact.PCIeToPCI) && d.CapsState == fact.Present {
			return d, boundByPCIBridge
		}
	}
	unreadable := false
	for _, d := range members { // by address: the port above comes first
		if d.Express == nil || d.Express.Type != fact.RootPort && d.Express.Type != fact.DownstreamPort {
			unreadable = unreadable || isBridge(d) && d.Express == nil
			continue
		}
		switch {
		case d.ACS == nil && d.ExtCaps:
			return d, boundByNoACS
		case d.ACS == nil:
			unreadable = true
		case !redirects(d.ACS):
			return d, boundByACSOff
		}
	}
	switch {
	case oneDevice(members):
		return nil, boundByFunctions
	case unreadable:
		return nil, boundByUnreadable
	}
	return nil, boundByOther
}

// redirects reports whether every control that the kernel asks for is on, or
// not offered: then it counts as wired that way (pci_acs_flags_enabled).
func redirects(a *fact.ACS) bool {
	for _, name := range isolating {
		if a.Cap.Has(name) && !a.Ctl.Has(name) {
			return false
		}
	}
	return true
}

// groupMembers returns the PCI functions of a group by address, and whether
// each of them is known. Groups may hold devices of other buses as well.
func groupMembers(m *fact.Machine, g fact.Group) (members []*fact.Device, known bool) {
	for _, e := range g.Devices {
		switch d := m.Device(e.Name); {
		case d != nil && d.Class != "":
			members = append(members, d)
		case strings.Count(e.Name, ":") == 2: // a PCI address
			return nil, false
		}
	}
	slices.SortFunc(members, func(a, b *fact.Device) int { return strings.Compare(a.Address, b.Address) })
	return members, true
}

// oneDevice reports whether the members are functions of one device.
func oneDevice(members []*fact.Device) bool {
	for _, d := range members {
		if place, _, _ := strings.Cut(d.Address, "."); !strings.HasPrefix(members[0].Address, place+".") {
			return false
		}
	}
	return len(members) > 1
}

// isBridge reports whether d is a bridge to another bus.
func isBridge(d *fact.Device) bool { return strings.HasPrefix(d.Class, "0604") || d.Header == "01" }
