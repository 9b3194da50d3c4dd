package judge_test

import (
	"testing"

	"hwcap/parse/fact"
)

// acs is a capability with all controls offered, and on or off.
func acs(on bool) *fact.ACS {
	names := []string{"SrcValid", "ReqRedir", "CmpltRedir", "UpstreamFwd"}
	a := &fact.ACS{Cap: &fact.Flags{Bits: map[string]bool{}}, Ctl: &fact.Flags{Bits: map[string]bool{}}, At: place("cmd/lspci-vvv.txt", 70, "ACSCap")}
	for _, n := range names {
		a.Cap.Bits[n], a.Ctl.Bits[n] = true, on
	}
	return a
}

func repeated(kind string, n int) []string {
	all := make([]string, n)
	for i := range all {
		all[i] = kind
	}
	return all
}

// vfioMadeUp names the first group as vfio does without an IOMMU.
func vfioMadeUp(m *fact.Machine) {
	m.IOMMU.Groups[0].Name = fact.Of("vfio-noiommu", place("sys/kernel/iommu_groups/0/name", 1, "vfio-noiommu"))
	m.IOMMU.Groups[0].Type = fact.Val[string]{}
}

func noGroups(m *fact.Machine) {
	m.IOMMU.State = fact.Empty
	source("iommu-groups", fact.Empty)(m)
}

var (
	overrides = note("acs-override", "", "Warning: PCIe ACS overrides enabled; This may allow non-IOMMU protected peer-to-peer DMA")
	echoed    = note("iommu-param", "", "DMAR: IOMMU enabled", "state", "enabled")
	remapped  = note("irq-remap", "", "DMAR-IR: Enabled IRQ remapping in x2apic mode", "state", "enabled", "mode", "x2apic")
	x2apicOn  = note("x2apic", "", "x2apic enabled", "state", "enabled")
	noRemap   = note("irq-remap", "", "DMAR-IR: Failed to enable irq remapping", "state", "failed")
)

func noGroupFolder(m *fact.Machine) { m.IOMMU.State = fact.Absent }

func TestIOMMUState(t *testing.T) {
	check(t, "iommu-state", []scene{
		{"every group translated", machine(bareMetal, groups(repeated("DMA-FQ", 102), nil), units("dmar0", "dmar1"), cmdline("quiet intel_iommu=on"), echoed, tables("DMAR", "FACP")), "machine=translating"},
		{"virtual IOMMU of a guest", machine(guest("QEMU"), groups([]string{"DMA"}, nil), units("dmar0")), "machine=translating"},
		{"a device held by vfio counts as translated", machine(bareMetal, groups([]string{"DMA", "unmanaged"}, nil)), "machine=translating"},
		{"passthrough by parameter", machine(bareMetal, groups(repeated("identity", 11), nil), cmdline("iommu=pt")), "machine=identity"},
		{"passthrough by default of the kernel", machine(groups([]string{"identity"}, nil)), "machine=identity"},
		{"one group left alone", machine(bareMetal, groups([]string{"DMA", "identity", "DMA"}, nil)), "machine=mixed"},
		{"vfio without IOMMU", machine(bareMetal, groups([]string{""}, nil), vfioMadeUp), "machine=no-iommu-groups"},
		{"no group, switched off by parameter", machine(bareMetal, noGroups, cmdline("intel_iommu=off"), tables("DMAR")), "machine=off"},
		{"C67: the enabled line is an echo only", machine(bareMetal, noGroups, cmdline("intel_iommu=on"), echoed), "machine=off"},
		{"no group in a guest", machine(guest("QEMU"), noGroups), "machine=off"},
		{"a kernel that has no folder for groups", machine(bareMetal, noGroups, source("pci", fact.Present), source("iommu-groups", fact.Absent), noGroupFolder), "machine=off"},
		{"no folder, and no sysfs either", machine(bareMetal, source("iommu-groups", fact.Absent), noGroupFolder), "machine=not-captured"},
		{"C67: board without IOMMU for PCIe", machine(noGroups), "machine=off"},
		{"the log alone says off", machine(bareMetal, wholeLog, cmdline("intel_iommu=off"), note("iommu-param", "", "DMAR: IOMMU disabled", "state", "disabled")), "machine=off"},
		{"C67: Xen dom0 shows no groups", machine(guest("hypervisor"), note("hypervisor", "", "Hypervisor detected: Xen PV", "name", "Xen PV"), noGroups), "machine=inside"},
		{"nameless hypervisor", machine(guest("hypervisor"), noGroups), "machine=inside"},
		{"C67: container", machine(bareMetal, noGroups, func(m *fact.Machine) { m.Capture.Container = "docker" }), "machine=inside"},
		{"types not captured", machine(bareMetal, groups([]string{"", ""}, nil)), "machine=untyped"},
		{"log only", machine(note("iommu-default-domain", "", "iommu: Default domain type: Translated", "type", "Translated"), note("iommu-group", "0000:00:00.0", "pci 0000:00:00.0: Adding to iommu group 0", "group", "0")), "machine=untyped"},
		{"C67: an echo in a log proves nothing", machine(echoed), "machine=not-captured"},
		{"groups cut", machine(bareMetal, groups(repeated("DMA", 5), nil), source("iommu-groups", fact.Truncated)), "machine=untyped"},
		{"nothing captured", machine(), "machine=not-captured"},
	})
}

func TestIRQRemapping(t *testing.T) {
	check(t, "irq-remapping", []scene{
		{"on, and x2APIC because of it", machine(bareMetal, wholeLog, units("dmar0"), remapped, x2apicOn), "machine=on"},
		{"on, AMD prints no mode", machine(bareMetal, note("irq-remap", "", "AMD-Vi: Interrupt remapping enabled", "state", "enabled"), x2apicOn), "machine=on"},
		{"on, x2APIC by the firmware", machine(bareMetal, remapped, note("x2apic", "", "x2apic: enabled by BIOS", "state", "enabled", "by", "bios")), "machine=on"},
		{"on in xapic mode, opted out", machine(bareMetal, note("irq-remap", "", "DMAR-IR: Enabled IRQ remapping in xapic mode", "state", "enabled", "mode", "xapic"), note("x2apic", "", "opt out", "state", "disabled", "reason", "bios-opt-out")), "machine=on"},
		{"failed", machine(bareMetal, units("dmar0"), noRemap), "machine=off"},
		{"silent in a whole log, table there", machine(bareMetal, wholeLog, tables("DMAR"), cmdline("intremap=off")), "machine=off"},
		{"wrapped log", machine(bareMetal, units("dmar0")), "machine=log-incomplete"},
		{"no table known", machine(bareMetal, wholeLog), "machine=no-iommu-known"},
		{"no table: nothing to remap", machine(bareMetal, wholeLog, tables("APIC", "FACP", "XSDT")), ""},
		{"guest", machine(guest("QEMU"), wholeLog, units("dmar0"), noRemap), ""},
		{"guest by its log", machine(bareMetal, note("hypervisor", "", "Hypervisor detected: KVM", "name", "KVM"), remapped), ""},
		{"guest or not is open", machine(func(m *fact.Machine) { m.Capture.Arch = "x86_64" }, remapped), "machine=maybe-guest"},
		{"another architecture", machine(func(m *fact.Machine) { m.Capture.Arch = "aarch64" }, wholeLog), ""},
		{"nothing captured", machine(), ""},
	})
}

func TestIOMMUGroups(t *testing.T) {
	nic := func(driver string) step {
		return func(m *fact.Machine) {
			device("0000:01:00.0", "8086:1572", "0200", driver)(m)
			device("0000:01:00.1", "8086:1572", "0200", driver)(m)
		}
	}
	pair := groups([]string{"DMA", "DMA"}, map[int][]string{0: {"0000:00:01.0", "0000:01:00.0", "0000:01:00.1"}, 1: {"0000:02:00.0"}})
	root := func(a *fact.ACS) step {
		return device("0000:00:01.0", "8086:460d", "0604", "pcieport", port(fact.RootPort, a))
	}
	single := groups([]string{"DMA", "DMA"}, map[int][]string{0: {"0000:01:00.0"}, 1: {"0000:02:00.0"}})
	check(t, "iommu-groups", []scene{
		{"one device a group", machine(single, wholeLog), "machine=alone"},
		{"one a group, and one of bridges only", machine(wholeLog, root(nil), device("0000:00:01.1", "8086:462d", "0604", "pcieport", port(fact.RootPort, nil)),
			groups([]string{"DMA", "DMA"}, map[int][]string{0: {"0000:00:01.0", "0000:00:01.1"}, 1: {"0000:02:00.0"}})), "machine=alone"},
		{"C64: both ports of a card, no ACS above", machine(root(nil), nic("i40e"), pair), "machine=shared"},
		{"ACS there but off", machine(root(acs(false)), nic("i40e"), pair), "machine=shared"},
		{"conventional PCI", machine(device("0000:03:00.0", "1a03:1150", "0604", "", port(fact.PCIeToPCI, nil)), device("0000:04:00.0", "1a03:2000", "0300", "ast"),
			groups([]string{"DMA"}, map[int][]string{0: {"0000:03:00.0", "0000:04:00.0"}})), "machine=shared"},
		{"functions of one device", machine(nic("i40e"), groups([]string{"DMA"}, map[int][]string{0: {"0000:01:00.0", "0000:01:00.1"}})), "machine=shared"},
		{"capabilities not read", machine(device("0000:00:01.0", "8086:460d", "0604", "pcieport", func(d *fact.Device) { d.Express, d.CapsState, d.ExtCaps = nil, fact.Denied, false }), nic("i40e"), pair), "machine=shared"},
		{"bound by something else", machine(device("0000:01:00.0", "8086:1572", "0200", ""), device("0000:02:00.0", "8086:1572", "0200", ""),
			groups([]string{"DMA"}, map[int][]string{0: {"0000:01:00.0", "0000:02:00.0"}})), "machine=shared"},
		{"C64: separation claimed", machine(single, wholeLog, overrides), "machine=claimed"},
		{"claim possible", machine(single, cmdline("pcie_acs_override=downstream")), "machine=maybe-claimed"},
		{"groups cut", machine(single, source("iommu-groups", fact.Truncated)), "machine=not-captured"},
		{"members not known", machine(pair, wholeLog), "machine=not-captured"},
		{"no IOMMU", machine(bareMetal, noGroups), ""},
		{"vfio without IOMMU", machine(groups([]string{""}, map[int][]string{0: {"0000:01:00.0"}}), vfioMadeUp), ""},
		{"nothing captured", machine(), "machine=not-captured"},
	})
	t.Run("binder", func(t *testing.T) {
		for _, tt := range []struct {
			m              *fact.Machine
			binder, reason string
		}{
			{machine(root(nil), nic("i40e"), pair), "0000:00:01.0", "no-acs"},
			{machine(root(acs(false)), nic("i40e"), pair), "0000:00:01.0", "acs-off"},
			{machine(root(acs(true)), nic("i40e"), pair), "", "other"},
			{machine(nic("i40e"), groups([]string{"DMA"}, map[int][]string{0: {"0000:01:00.0", "0000:01:00.1"}})), "", "multi-function"},
		} {
			row := judged(t, "iommu-groups", tt.m)[0].Values["shared"].([]map[string]any)[0]
			if row["binder"] != tt.binder || row["reason"] != tt.reason {
				t.Errorf("bound by %v, %v; want %v, %v", row["binder"], row["reason"], tt.binder, tt.reason)
			}
		}
	})
}

// TestIOMMUGroupsFolded: the report shows the card's group one by one, and only
// counts the chipset's.
func TestIOMMUGroupsFolded(t *testing.T) {
	below := func(address, parent string) step {
		return device(address, "8086:1572", "0200", "", func(d *fact.Device) { d.Parent = parent })
	}
	m := machine(wholeLog, below("0000:00:14.0", ""), below("0000:00:14.2", ""), below("0000:01:00.0", "0000:00:01.0"), below("0000:01:00.1", "0000:00:01.0"),
		groups([]string{"DMA", "DMA"}, map[int][]string{0: {"0000:00:14.0", "0000:00:14.2"}, 1: {"0000:01:00.0", "0000:01:00.1"}}))
	f := judged(t, "iommu-groups", m)[0]
	rows := f.Values["shared"].([]map[string]any)
	if len(rows) != 2 || rows[0]["shown"] != false || rows[1]["shown"] != true {
		t.Errorf("shared groups: %v, want the second one shown", rows)
	}
	if folded := f.Values["folded"].([]string); len(folded) != 1 || folded[0] != "0" {
		t.Errorf("folded groups: %v, want 0", folded)
	}
	lines := 0
	for _, e := range f.Evidence {
		if e.Role == "folded" || e.Role == "group 1" {
			lines++
		}
	}
	if lines != 3 {
		t.Errorf("%d lines on the groups, want one on the folded and two on the shown", lines)
	}
}

func TestACSOverride(t *testing.T) {
	check(t, "acs-override", []scene{
		{"C64: active", machine(wholeLog, cmdline("pcie_acs_override=downstream,multifunction"), overrides), "machine=active"},
		{"active in a wrapped log", machine(overrides), "machine=active"},
		{"parameter on a kernel without the patch", machine(wholeLog, cmdline("quiet pcie_acs_override=downstream")), "machine=ignored"},
		{"parameter, log wrapped", machine(cmdline("pcie_acs_override=downstream")), "machine=parameter-log-incomplete"},
		{"neither", machine(wholeLog, cmdline("quiet")), "machine=none"},
		{"after -- it is a word for init", machine(wholeLog, cmdline("quiet -- pcie_acs_override=downstream")), "machine=none"},
		{"no parameter, log wrapped", machine(cmdline("quiet")), "machine=not-captured"},
		{"no command line", machine(wholeLog), "machine=not-captured"},
		{"nothing captured", machine(), "machine=not-captured"},
	})
}
