package judge

import (
	"slices"
	"strings"

	"hwcap/parse/fact"
)

// iommuState tells whether the IOMMU translates what devices address. The
// groups in sysfs and the type of their domain decide (iommu_group_show_type in
// drivers/iommu/iommu.c); the kernel log only adds. "DMAR: IOMMU enabled" is
// printed while intel_iommu=on is parsed (intel_iommu_setup in
// drivers/iommu/intel/iommu.c), on machines without such an IOMMU too, and
// proves nothing.
var iommuState = Rule{
	ID:      "iommu-state",
	Area:    Isolate,
	Sources: []string{"iommu-groups", "iommu-units", "dmesg", "kmsg", "journal-k", "proc-cmdline", "acpi-tables", "proc-cpuinfo", "pci"},
	Keys: []string{"groups", "dmaGroups", "identityGroups", "otherGroups", "noIommuGroups", "devices", "units",
		"defaultType", "parameters", "echoed", "guest", "table",
		// noFolder: /sys/kernel/iommu_groups does not exist. Every kernel with
		// IOMMU support makes it (iommu_init in drivers/iommu/iommu.c).
		"noFolder"},
	Cases: []Case{
		{Name: "translating", Verdict: OK, Confidence: Observed},
		{Name: "identity", Verdict: Problem, Severity: Info, Confidence: Observed},
		{Name: "mixed", Verdict: Problem, Severity: Info, Confidence: Observed},
		{Name: "no-iommu-groups", Verdict: Problem, Severity: Info, Confidence: Observed},
		{Name: "off", Verdict: Problem, Severity: Info, Confidence: Derived},
		{Name: "inside", Verdict: Unknown},
		{Name: "untyped", Verdict: Unknown},
		{Name: "not-captured", Verdict: Unknown},
	},
	Judge: judgeIOMMUState,
}

// noIOMMU is the name of the groups that vfio makes up for devices without an
// IOMMU when enable_unsafe_noiommu_mode is set (drivers/vfio/group.c).
const noIOMMU = "vfio-noiommu"

func judgeIOMMUState(m *fact.Machine) []Finding {
	taken := m.Log.Of("iommu-group")
	f := found("not-captured", Machine)
	f.Values = map[string]any{
		"groups": 0, "dmaGroups": 0, "identityGroups": 0, "otherGroups": 0, "noIommuGroups": 0,
		"devices": len(taken), "units": []string{}, "defaultType": "", "parameters": iommuParameters(m),
		"echoed": len(parameterEcho(m)) > 0, "guest": isGuest(m), "table": "", "noFolder": m.IOMMU.State == fact.Absent,
	}
	for _, u := range m.IOMMU.Units {
		f.Values["units"] = append(f.Values["units"].([]string), u.Name)
		f.cite("unit", u.At)
	}
	if n := m.Log.Of("iommu-default-domain"); len(n) > 0 {
		f.Values["defaultType"] = n[len(n)-1].Fields["type"]
		f.citeNotes("default", n)
	}
	if table, state, at := dmaTable(m); state == tableThere {
		f.Values["table"] = table
		f.cite("table", at...)
	}
	f.Case = iommuCase(m, &f, taken)
	if len(f.Values["parameters"].([]string)) > 0 {
		f.cite("parameter", m.Platform.Cmdline.At)
	}
	f.citeNotes("echo", parameterEcho(m))
	return []Finding{f}
}

// iommuCase counts the groups into f and names the case.
func iommuCase(m *fact.Machine, f *Finding, taken []fact.Note) string {
	groups := m.IOMMU.Groups
	switch {
	case ungrouped(m) && (m.IOMMU.State == fact.Empty || len(taken) == 0):
		f.citeSource(m, "groups", "iommu-groups")
		return offOrInside(m)
	case len(groups) == 0 && switchedOff(m, f) && len(taken) == 0 && logFromBoot(m):
		return offOrInside(m)
	case len(groups) == 0 && len(taken) > 0:
		f.cite("taken", taken[0].At)
		return "untyped"
	case len(groups) == 0:
		return "not-captured"
	}
	kinds := map[string]int{}
	for _, g := range groups {
		kind := groupKind(g)
		if kinds[kind]++; kinds[kind] == 1 {
			f.cite(kind, g.Type.At, g.Name.At)
		}
	}
	f.citeSource(m, "groups", "iommu-groups")
	f.Values["groups"] = len(groups)
	f.Values["dmaGroups"] = kinds["dma"]
	f.Values["identityGroups"] = kinds["identity"]
	f.Values["otherGroups"] = kinds["other"]
	f.Values["noIommuGroups"] = kinds["noiommu"]
	switch {
	case kinds["noiommu"] > 0:
		return "no-iommu-groups"
	case kinds[""] > 0 || interrupted(m, "iommu-groups") || m.IOMMU.State == fact.Truncated:
		return "untyped"
	case kinds["identity"] == 0:
		return "translating"
	case kinds["dma"]+kinds["other"] == 0:
		return "identity"
	}
	return "mixed"
}

// ungrouped reports whether sysfs was read and has no IOMMU group, be it that
// their folder is empty or that there is none.
func ungrouped(m *fact.Machine) bool {
	none := m.IOMMU.State == fact.Empty || m.IOMMU.State == fact.Absent && m.Source("pci").State == fact.Present
	return len(m.IOMMU.Groups) == 0 && none && !interrupted(m, "iommu-groups")
}

// groupKind sorts the type of a group's domain: "dma" translates for the
// kernel's own drivers, "other" is translated by or withheld from someone else
// (unmanaged: vfio; blocked), "identity" passes through, "" was not read.
func groupKind(g fact.Group) string {
	if name, ok := g.Name.Get(); ok && name == noIOMMU {
		return "noiommu"
	}
	kind, ok := g.Type.Get()
	switch {
	case !ok || kind == "" || kind == "unknown":
		return ""
	case strings.HasPrefix(kind, "DMA"): // DMA, DMA-FQ
		return "dma"
	case kind == "identity":
		return "identity"
	}
	return "other"
}

// iommuParameters returns the words of the command line that steer the IOMMU.
func iommuParameters(m *fact.Machine) []string {
	return bootWords(m, "iommu", "intel_iommu", "amd_iommu", "iommu.passthrough", "iommu.strict", "arm-smmu.disable_bypass")
}

// parameterEcho returns the lines "DMAR: IOMMU enabled".
func parameterEcho(m *fact.Machine) []fact.Note {
	var echo []fact.Note
	for _, n := range m.Log.Of("iommu-param") {
		if n.Fields["state"] == "enabled" {
			echo = append(echo, n)
		}
	}
	return echo
}

// switchedOff reports whether the command line or a kernel message says that
// the IOMMU was not to be used, and cites it.
func switchedOff(m *fact.Machine, f *Finding) bool {
	notes := m.Log.Of("amd-vi-disabled", "dmar-forced-off", "dmar-none")
	for _, n := range m.Log.Of("iommu-param") {
		if n.Fields["state"] == "disabled" {
			notes = append(notes, n)
		}
	}
	f.citeNotes("off", notes)
	for _, w := range []string{"iommu=off", "intel_iommu=off", "amd_iommu=off"} {
		if slices.Contains(iommuParameters(m), w) {
			return true
		}
	}
	return len(notes) > 0
}

// dmaTables are the ACPI tables that describe IOMMUs: Intel, AMD, Arm.
var dmaTables = []string{"DMAR", "IVRS", "IORT"}

// dmaTable looks for one of dmaTables.
func dmaTable(m *fact.Machine) (name string, state tableState, at []fact.Line) {
	state = tableMissing
	for _, name := range dmaTables {
		s, at := acpiTable(m, name)
		if s == tableThere {
			return name, s, at
		}
		if s == tableUnknown {
			state = s
		}
	}
	return "", state, nil
}

// offOrInside tells no IOMMU from one that somebody above keeps: a container
// may not see the groups, and Xen never shows them to dom0. "off" needs to know
// that it is neither.
func offOrInside(m *fact.Machine) string {
	name, _, _ := hypervisor(m)
	switch {
	case m.Capture.Container != "", strings.Contains(strings.ToLower(name), "xen"):
		return "inside"
	case name != "" && name != nameless, m.Platform.Hypervisor.State == fact.Absent, !isX86(m):
		return "off"
	}
	return "inside"
}
