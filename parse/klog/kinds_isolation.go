package klog

import (
	"strings"

	"hwcap/parse/fact"
)

// isolation: IOMMU, interrupt remapping, ACS (drivers/iommu).
func isolation() []row {
	return []row{
		{kind: "iommu-fault", has: []string{"Request device [", "IO_PAGE_FAULT"}, read: iommuFault},
		is("iommu-fault", w("^arm-smmu-v3 {unit}: event {event%} received:", "vendor=arm")),
		is("iommu-default-domain",
			w("iommu: Default domain type: {type@} (set via kernel command line)", "cmdline=true"),
			w("iommu: Default domain type: {type@}")),
		is("iommu-tlb-policy",
			w("iommu: DMA domain TLB invalidation policy: {mode@} mode (set via kernel command line)", "cmdline=true"),
			w("iommu: DMA domain TLB invalidation policy: {mode@} mode")),
		{kind: "iommu-group", has: []string{"Adding to iommu group "}, read: iommuGroup},
		is("iommu-group-removed", w("Removing from iommu group {group#}")),
		is("iommu-param", w("^DMAR: IOMMU enabled", "state=enabled"), w("^DMAR: IOMMU disabled", "state=disabled")),
		is("iommu-identity-required", w("Firmware has requested this device have a 1:1 IOMMU mapping")),
		is("dmar-vtd", w("^DMAR: Intel(R) Virtualization Technology for Directed I/O")),
		is("dmar-unit", w("^DMAR: {unit}: reg_base_addr {base%} ver {version@} cap {cap%} ecap {ecap%}")),
		is("dmar-drhd", w("^DMAR: DRHD base: {base%} flags: {flags%}")),
		is("dmar-rmrr", w("^DMAR: RMRR base: {base%} end: {end%}")),
		is("dmar-rmrr-ineligible", w("Device is ineligible for IOMMU domain attach due to platform RMRR requirement")),
		is("dmar-none", w("^DMAR: No DMAR devices found")),
		is("dmar-opt-in", w("Intel-IOMMU force enabled due to platform opt in")),
		is("dmar-forced-off", w("DMAR: Firmware forces DMA remapping off")),
		is("dmar-timeout", w("DMAR: VT-d detected Invalidation Time-out Error")),
		is("irq-remap",
			w("DMAR-IR: Enabled IRQ remapping in {mode@} mode", "state=enabled"),
			w("AMD-Vi: Interrupt remapping enabled", "state=enabled"),
			w("DMAR-IR: Failed to enable irq remapping", "state=failed"),
			w("DMAR-IR: Not enabling interrupt remapping", "state=failed")),
		is("x2apic",
			w("x2apic is disabled because BIOS sets x2apic opt out bit", "state=disabled", "reason=bios-opt-out"),
			w("IRQ remapping doesn't support X2APIC mode", "state=disabled", "reason=irq-remapping"),
			w("x2apic: enabled by BIOS", "state=enabled", "by=bios"),
			w("^x2apic enabled", "state=enabled"),
			w("^Enabled x2apic", "state=enabled"),
			w("^x2apic disabled", "state=disabled"),
			w("AMD-Vi: X2APIC enabled", "state=enabled", "by=iommu"),
			w("Switched APIC routing to: {mode@} x2apic", "state=enabled", "by=kernel"),
			w("Switched APIC routing to {mode@} x2apic", "state=enabled", "by=kernel")),
		is("amd-vi-unit",
			w("AMD-Vi: Found IOMMU at {device@} cap {cap%}"),
			w("AMD-Vi: Found IOMMU cap {cap%}"),
			w("AMD-Vi: IOMMU performance counters supported")),
		is("amd-vi-features", w("AMD-Vi: Extended features{text}")),
		is("amd-vi-apic", w("AMD-Vi: Virtual APIC enabled")),
		is("amd-vi-efr", w("AMD-Vi: Using global IVHD EFR{text}")),
		is("amd-vi-unknown-option", w("AMD-Vi: Unknown option - '{option}'")),
		is("amd-vi-disabled", w("AMD-Vi: AMD IOMMU disabled")),
		{kind: "smmu", has: []string{"arm-smmu"}, read: smmu},
		is("acs-override", w("PCIe ACS overrides enabled")),
		is("acs-workaround", w("PCH root port ACS workaround enabled")),
		is("acs-configured", w("Configured ACS to {value%}")),
		is("tb-dma-protection", w("IOMMU DMA protection is {state@}")),
		is("vfio", w("^VFIO - User Level meta-driver"), w("vfio: group {group#} is not viable", "state=not-viable"),
			w("vfio-pci: Device found in denylist", "state=denied"), w("device listed in the denylist", "state=denied"), w("exists in vfio-pci device denylist", "state=denied")),
	}
}

// iommuGroup reads "pci 0000:c5:00.0: Adding to iommu group 6"; devices of
// other buses join groups too (drivers/iommu/iommu.c). Field: group.
func iommuGroup(h *hit, n *fact.Note) bool {
	_, group, ok := strings.Cut(h.rest, "Adding to iommu group ")
	if !ok || span(group, '#') == 0 {
		return false
	}
	if n.Device == "" {
		n.Device = h.owner
	}
	n.Fields = map[string]string{"group": group[:span(group, '#')]}
	return true
}

// smmu notes which units there are; the rest of their text is not needed.
// Field: text.
func smmu(h *hit, n *fact.Note) bool {
	if h.owner == "" || !strings.HasPrefix(h.text, "arm-smmu") {
		return false
	}
	n.Device, n.Fields = h.owner, map[string]string{"text": h.rest}
	return true
}

// Faults of DMA remapping: 5.10, then 5.15 and later (drivers/iommu/intel/dmar.c
// dmar_fault_do_one), then AMD (drivers/iommu/amd/iommu.c).
var faults = []pattern{
	newPattern("[DMA {access@} {pasid}] Request device [{device@}] fault addr {address%} [fault reason {code%}] {reason}", "vendor=intel"),
	newPattern("[DMA {access@}] Request device [{device@}] PASID {pasid%} fault addr {address%} [fault reason {code%}] {reason}", "vendor=intel"),
	newPattern("[DMA {access@}] Request device [{device@}] fault addr {address%} [fault reason {code%}] {reason}", "vendor=intel"),
	newPattern("[INTR-REMAP] Request device [{device@}] fault index {index%} [fault reason {code%}] {reason}", "vendor=intel", "access=interrupt"),
	newPattern("IO_PAGE_FAULT device={device@} domain={domain%} address={address%} flags={flags%}", "vendor=amd"),
	newPattern("IO_PAGE_FAULT domain={domain%} address={address%} flags={flags%}", "vendor=amd"),
}

// iommuFault reads a fault. Fields: vendor, access (Read, Write, interrupt),
// address, code, reason, flags, domain.
func iommuFault(h *hit, n *fact.Note) bool {
	for _, p := range faults {
		fields, ok := p.match(h.text)
		if !ok {
			continue
		}
		if device, found := fields["device"]; found {
			n.Device = withDomain(device)
			delete(fields, "device")
		}
		n.Fields = fields
		return true
	}
	return false
}
