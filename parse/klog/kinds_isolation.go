package klog

import (
	"strings"

	"hwcap/parse/fact"
)

// isolation: IOMMU, interrupt remapping, ACS (drivers/iommu).
func isolation() []row {
	return []row{
		{kind: "iommu-fault", has: []string{"Request device [", "IO_PAGE_FAULT"}, read: iommuFault},
		{kind: "iommu-fault", has: []string{": event 0x", ": event: ", "priv data ", "priv inst ", "Unhandled context fault: "}, take: smmuFault},
		{kind: "iommu-event", has: []string{"AMD-Vi: Event logged [", "Unexpected global fault"}, read: iommuEvent},
		is("iommu-event",
			w("DMAR: VT-d detected Invalidation Queue Error", "vendor=intel", "event=invalidation-queue"),
			w("DMAR: VT-d detected Invalidation Completion Error", "vendor=intel", "event=invalidation-completion")),
		is("iommu-default-domain",
			w("iommu: Default domain type: {type@} (set via kernel command line)", "cmdline=true"),
			w("iommu: Default domain type: {type@}")),
		is("iommu-tlb-policy",
			w("iommu: DMA domain TLB invalidation policy: {mode@} mode (set via kernel command line)", "cmdline=true"),
			w("iommu: DMA domain TLB invalidation policy: {mode@} mode"),
			w("AMD-Vi: Lazy IO/TLB flushing enabled", "mode=lazy"),
			w("AMD-Vi: IO/TLB flush on unmap enabled", "mode=strict")),
		{kind: "iommu-group", has: []string{"Adding to iommu group "}, read: iommuGroup},
		is("iommu-group", w("^iommu: Adding device {device@} to group {group#}")), // up to 5.2
		is("iommu-group-removed", w("Removing from iommu group {group#}"), w("^iommu: Removing device {device@} from group {group#}")),
		is("iommu-param", w("^DMAR: IOMMU enabled", "state=enabled"), w("^DMAR: IOMMU disabled", "state=disabled"),
			w("^Intel-IOMMU: enabled", "state=enabled"), w("^Intel-IOMMU: disabled", "state=disabled")),
		is("iommu-identity-required", w("Firmware has requested this device have a 1:1 IOMMU mapping")),
		is("dmar-vtd", w("^DMAR: Intel(R) Virtualization Technology for Directed I/O"), w("^PCI-DMA: Intel(R) Virtualization Technology for Directed I/O")),
		is("dmar-unit", w("^dmar: IOMMU {unit#}: reg_base_addr {base%} ver {version@} cap {cap%} ecap {ecap%}"), w("^IOMMU {unit#}: reg_base_addr {base%} ver {version@} cap {cap%} ecap {ecap%}"),
			w("^DMAR: {unit}: reg_base_addr {base%} ver {version@} cap {cap%} ecap {ecap%}")),
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
			w("DMAR-IR: Not enabling interrupt remapping", "state=failed"),
			w("^Enabled IRQ remapping in {mode@} mode", "state=enabled"),
			w("AMD-Vi: Disabling interrupt remapping", "state=disabled"),
			w("interrupt remapping is being disabled", "state=disabled", "reason=erratum")),
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
			w("AMD-Vi: Enabling IOMMU at {device@} cap {cap%}"),
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
			w("vfio-pci: Device found in denylist", "state=denied"), w("device listed in the denylist", "state=denied"), w("exists in vfio-pci device denylist", "state=denied"),
			w("device denylist disabled - allowing device {id@}.", "state=allowed"), w("device denylist disabled", "state=allowed")),
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
	if h.owner == "" || !strings.HasPrefix(h.text, "arm-smmu") || strings.HasPrefix(strings.TrimLeft(h.rest, " \t"), "0x") { // the words of an event
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
	// Up to 4.0 the reason stands in a line of its own.
	newPattern("[DMA {access@}] Request device [{device@}] fault addr {address%}", "vendor=intel"),
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

// Faults of Arm's units: what the first line of an event says, since 6.14 a line
// that decodes it, and one more (drivers/iommu/arm/arm-smmu-v3/arm-smmu-v3.c
// arm_smmu_dump_event), and those of the second version.
var (
	smmuRaw     = newPattern("^arm-smmu-v3 {unit}: event {event%} received:", "vendor=arm")
	smmuDecoded = newPattern("^arm-smmu-v3 {unit}: event: {name@} client: {device} sid: {sid%} ssid: {ssid%} iova: {address%} ipa: {ipa%}", "vendor=arm")
	smmuAccess  = newPattern("^arm-smmu-v3 {unit}: {rights@} {what@} {access@} {stage@} \"{reason}\"")
	smmuContext = newPattern("^arm-smmu {unit}: Unhandled context fault: fsr={code%}, iova={address%}, fsynr={fsynr%}", "vendor=arm")
)

// smmuFault notes a fault once, however many lines it has. Fields: vendor, unit,
// event, name, sid, address, access, reason, code.
func smmuFault(p *parser, h *hit) bool {
	for _, form := range []pattern{smmuRaw, smmuContext} {
		if fields, ok := form.match(h.text); ok {
			n := h.note("iommu-fault")
			n.Device, n.Driver, n.Fields = "", "", fields
			p.add(h, n)
			return true
		}
	}
	fields, decoded := smmuDecoded.match(h.text)
	if !decoded {
		var ok bool
		if fields, ok = smmuAccess.match(h.text); !ok || p.last < 0 || p.notes[p.last].Kind != "iommu-fault" {
			return false
		}
	}
	if p.last < 0 || p.notes[p.last].Kind != "iommu-fault" || p.notes[p.last].Fields["unit"] != fields["unit"] || p.notes[p.last].Fields["name"] != "" && decoded {
		n := h.note("iommu-fault", "vendor", "arm", "unit", fields["unit"])
		if p.add(h, n) < 0 {
			return true
		}
	}
	n := &p.notes[p.last]
	if decoded && isBDF(fields["device"]) {
		n.Device = fields["device"]
	}
	for _, field := range []string{"name", "sid", "address", "access", "reason"} {
		if v := fields[field]; v != "" {
			n.Fields[field] = v
		}
	}
	return true
}

// iommuEvent notes what an IOMMU reports besides faults: errors of its tables,
// its commands and its own memory (drivers/iommu/amd/iommu.c iommu_print_event).
// Fields: vendor, event, address, flags.
func iommuEvent(h *hit, n *fact.Note) bool {
	if strings.HasPrefix(h.text, "arm-smmu") && strings.Contains(h.text, "Unexpected global fault") {
		n.Device, n.Driver, n.Fields = h.owner, "", map[string]string{"vendor": "arm", "event": "global-fault"}
		return true
	}
	_, text, ok := strings.Cut(h.text, "AMD-Vi: Event logged [")
	if !ok {
		return false
	}
	text, _, _ = strings.Cut(text, "]")
	event, rest, _ := strings.Cut(text, " ")
	n.Fields = map[string]string{"vendor": "amd", "event": event}
	for word := range strings.FieldsSeq(rest) {
		switch name, value, _ := strings.Cut(word, "="); name {
		case "device":
			n.Device = withDomain(value)
		case "address", "flags":
			n.Fields[name] = value
		}
	}
	return true
}
