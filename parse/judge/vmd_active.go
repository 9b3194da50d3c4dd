package judge

import (
	"slices"
	"strings"

	"hwcap/parse/fact"
)

// vmdActive tells whether drives stand behind Intel's Volume Management Device.
// It takes root ports out of the normal tree; its driver brings them back in a
// PCI domain of their own, numbered from 0x10000 (drivers/pci/controller/vmd.c).
var vmdActive = Rule{
	ID:      "vmd-active",
	Area:    Isolate,
	Sources: []string{"lspci-vvv", "pci", "dmesg", "kmsg", "journal-k"},
	// domains is a table: domain, controller ("" where no line tells), drives, others.
	Keys: []string{"domains", "drives", "devices"},
	Cases: []Case{
		{Name: "active", Verdict: Problem, Severity: Info, Confidence: Observed},
		{Name: "unbound", Verdict: Problem, Severity: Warning, Confidence: Derived, Known: true},
		{Name: "absent", Verdict: OK, Confidence: Observed},
		{Name: "driver-unknown", Verdict: Unknown},
	},
	Judge: judgeVMDActive,
}

// vmdIDs are the controllers that the driver vmd takes (vmd_ids there), vendor
// 8086.
var vmdIDs = []string{"201d", "28c0", "467f", "4c3d", "a77f", "7d0b", "ad0b", "9a0b", "b60b", "b06f", "b07f"}

func isVMD(d *fact.Device) bool {
	return d.Driver == "vmd" || d.Vendor == "8086" && slices.Contains(vmdIDs, d.Device) || named(d, "Volume Management Device")
}

func judgeVMDActive(m *fact.Machine) []Finding {
	f := found("absent")
	domains := []map[string]any{}
	drives, devices, unbound, open := []string{}, 0, false, false
	byDomain := map[string]map[string]any{}
	for i := range m.PCI {
		d := &m.PCI[i]
		if isVMD(d) {
			f.Subjects = append(f.Subjects, d.Address)
			f.cite("controller", d.From)
			unbound = unbound || d.DriverKnown && d.Driver == ""
			open = open || !d.DriverKnown
			continue
		}
		domain, _, _ := strings.Cut(d.Address, ":")
		if len(domain) < 5 {
			continue
		}
		row := byDomain[domain]
		if row == nil {
			row = map[string]any{"domain": domain, "controller": "", "drives": []string{}, "others": 0}
			byDomain[domain] = row
			domains = append(domains, row)
			f.cite("domain", d.From)
		}
		devices++
		if storage(d) {
			row["drives"] = append(row["drives"].([]string), d.Address)
			drives = append(drives, d.Address)
			f.cite("drive", d.From)
		} else {
			row["others"] = row["others"].(int) + 1
		}
	}
	for _, n := range m.Log.Of("vmd") {
		if row := byDomain[n.Fields["domain"]]; row != nil && n.Device != "" {
			row["controller"] = n.Device
			f.cite("bound", n.At)
		}
	}
	f.Values = map[string]any{"domains": domains, "drives": drives, "devices": devices}
	switch {
	case len(f.Subjects) == 0 && len(domains) == 0:
		if !intelRoot(m) || isGuest(m) || interrupted(m, "lspci-vvv", "pci") {
			return nil
		}
		f.Subjects = []string{Machine}
		f.cite("first", m.PCI[0].From)
	case len(domains) > 0:
		f.Case = "active"
	case unbound:
		f.Case = "unbound"
	case open:
		f.Case = "driver-unknown"
	default:
		f.Case = "active"
	}
	if len(f.Subjects) == 0 {
		f.Subjects = []string{Machine}
	}
	return []Finding{f}
}

// intelRoot reports whether the list of devices starts, as a whole machine's
// does, with a host bridge or part of one by Intel. Only Intel has VMD.
func intelRoot(m *fact.Machine) bool {
	if len(m.PCI) == 0 {
		return false
	}
	d := &m.PCI[0]
	return d.Address == "0000:00:00.0" && (d.Vendor == "8086" || named(d, "Intel Corporation"))
}
