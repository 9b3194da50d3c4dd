package klog

import (
	"slices"
	"strings"
	"sync"

	"hwcap/parse/fact"
)

// A row says how one kind of message is known and which fields its note has.
// Most rows are patterns only: the holes and the implied fields of a pattern
// are the fields of the note. Two holes are no fields: "device" is the note's
// Device, completed by its domain, and "owner" in front of a pattern stands for
// a device of another bus than PCI.
type row struct {
	kind     string
	patterns []pattern
	// drivers are those whose messages the row takes, where words are not its
	// own.
	drivers []string
	// has are literals for rows that read by hand.
	has []string
	// read fills a note of which kind, device and driver are set already.
	read func(h *hit, n *fact.Note) bool
	// take does all by itself: messages that belong together, or whose last
	// one counts.
	take func(p *parser, h *hit) bool
}

// is makes a row of the kind from patterns: each a wording, after it the fields
// that it implies.
func is(kind string, wordings ...[]string) row {
	r := row{kind: kind}
	for _, w := range wordings {
		r.patterns = append(r.patterns, newPattern(w[0], w[1:]...))
	}
	return r
}

// of limits a row to the messages of the drivers.
func (r row) of(drivers ...string) row {
	r.drivers = drivers
	return r
}

// w is one wording.
func w(text string, fixed ...string) []string { return append([]string{text}, fixed...) }

// table is all rows in the order in which they are tried: the first that takes
// a message has it.
var table = sync.OnceValue(func() []row {
	var rows []row
	for _, part := range [][]row{stateful(), boot(), ownership(), isolation(), links(), devices(), accelerators(), memory(), trouble()} {
		rows = append(rows, part...)
	}
	return rows
})

// subjects are words of the areas that the rules speak about. A message that
// holds one and that no row takes counts as unread.
var subjects = []string{"AER: ", "AER ", "DPC: ", "_OSC", "DMAR", "AMD-Vi", "[Hardware Error]", "EDAC ", "qat_", "PCIe "}

// unneeded are messages on those subjects that were looked at and say nothing
// that a rule would use.
var unneeded = []pattern{
	newPattern("EDAC sbridge: Seeking for: PCI ID"),
	newPattern("EDAC sbridge:  Ver: "),
	newPattern("EDAC MC: Ver: "),
	newPattern("EDAC DEBUG: "),
	newPattern("EDAC igen6: v"),
	newPattern("EDAC MC: UMC{number#} chip selects"),
	newPattern("EDAC amd64: F{family}h detected"),
	newPattern("EDAC amd64: MCT channel count"),
	newPattern("EDAC amd64: MC: "),
	newPattern("EDAC amd64: using "),
	newPattern("EDAC PCI{number#}: Giving out device"),
	newPattern("EDAC {driver@} MC{mc#}: HANDLING MCE MEMORY ERROR"),
	newPattern("EDAC {driver@} MC{mc#}: TSC "),
	newPattern("EDAC {driver@} MC{mc#}: ADDR "),
	newPattern("EDAC {driver@} MC{mc#}: MISC "),
	newPattern("EDAC {driver@} MC{mc#}: PROCESSOR "),
	newPattern("[Hardware Error]: IPID: "), // numbers of the part
	newPattern("[Hardware Error]: PPIN: "),
	newPattern("[Hardware Error]: TSC "),
	newPattern("[Hardware Error]: MC{bank#}_ADDR: "),
	newPattern("** replaying previous printk message **"),
	newPattern("AMD-Vi: ivrs, add "), // echoes of its table
	newPattern("AMD-Vi: V2 page table"),
	newPattern("AMD-Vi: Translation is already enabled"),
	newPattern("AMD-Vi: DTE[{number#}]: "), // the entry behind an event
	newPattern("sysfs group '{group}' not found"),
	newPattern("TB Version: {version#}, Type: PCIe "), // the ports of a Thunderbolt router
	newPattern("EDAC igen6 MC{mc#}: ADDR "),
	newPattern("DMAR: Enable scalable mode if hardware supports"),
	newPattern("Requesting ACPI _OSC control"),
	newPattern("_OSC native thermal LVT Acked"),
	newPattern("ACPI: USB4 _OSC: "),
	newPattern("Starting device qat_dev"),
	newPattern("Starting acceleration device qat_dev"),
	newPattern("Stopping device qat_dev"),
	newPattern("Stopping acceleration device qat_dev"),
	newPattern("Device qat_dev{dev#} already "),
	newPattern("Device qat_dev{dev#} must be down to reconfigure"),
	newPattern("HB polling too frequent"), // of the reader of heartbeat/status, no fault
	newPattern("EDAC pci: "),
	newPattern("ACPI: Reserving {signature} table memory at"),
	newPattern("DMAR: Host address width"),
	newPattern("DMAR: No {table} found"),
	newPattern("DMAR: ATSR flags"),
	newPattern("DMAR: RHSA base"),
	newPattern("DMAR: ANDD device"),
	newPattern("DMAR: ACPI device"),
	newPattern("DMAR: SATC flags"),
	newPattern("DMAR: IOMMU feature"),
	newPattern("DMAR: IOMMU batching"),
	newPattern("Using Queued invalidation"),
	newPattern("Use Register-based invalidation"),
	newPattern("DMAR: Skip IOMMU disabling for graphics"),
	newPattern("DMAR: DRHD: handling fault status reg"),
	newPattern("dmar: DRHD: handling fault status reg"),
	newPattern("DMAR:[fault reason "), // the second line of an old fault
	newPattern("DMAR: [fault reason "),
	newPattern("DMAR: Setting identity map "),
	newPattern("DMAR: Setting RMRR"),
	newPattern("DMAR: Ignoring identity map "),
	newPattern("DMAR: Hardware identity mapping "),
	newPattern("DMAR: Software identity mapping "),
	newPattern("DMAR: Prepare 0-16MiB unity mapping"),
	newPattern("DMAR: Parse DMAR table"),
	newPattern("DMAR: Forcing write-buffer flush capability"),
	newPattern("DMAR: dmar{number#}: Using Queued invalidation"),
	newPattern("DMAR-IR: Copied IR table"),
	newPattern("DMAR-IR: IOAPIC id"),
	newPattern("DMAR-IR: HPET id"),
	newPattern("DMAR-IR: Queued invalidation will be enabled"),
	newPattern("DMAR-IR: Use 'intremap="),
	newPattern("DMAR-IR: IRQ remapping was enabled on"),
	newPattern("AMD-Vi: AMD IOMMUv2"),
	newPattern("EDR: Notify handler"),
	newPattern("AER: broadcast"),
	newPattern("ACPI: _OSC evaluated successfully for all CPUs"),
	newPattern("_SB_: platform _OSC: "),
	newPattern("aer_event: "),
	newPattern("aer_inject: "),
	newPattern("Hardware Error]: Adjusting reported durations"),
	newPattern("PCI: Using configuration type"),
	newPattern("type {type%} class {class%} PCIe "), // the header line of a device
}

// index leads from literals to rows.
type index struct {
	finder *finder
	rows   []int // by literal; -1 for subjects
}

var byLiteral = sync.OnceValue(func() index {
	var literals []string
	var rows []int
	for i, r := range table() {
		keys := r.has
		for _, p := range r.patterns {
			keys = append(keys, p.key())
		}
		for _, k := range keys {
			literals, rows = append(literals, k), append(rows, i)
		}
	}
	for _, s := range subjects {
		literals, rows = append(literals, s), append(rows, -1)
	}
	return index{newFinder(literals), rows}
})

// match fills n from the first pattern of the row that fits.
func (r *row) match(h *hit, n *fact.Note) bool {
	if r.drivers != nil && !slices.Contains(r.drivers, h.driver) {
		return false
	}
	for _, p := range r.patterns {
		fields, ok := p.match(h.body)
		if !ok {
			continue
		}
		if device, found := fields["device"]; found {
			n.Device = withDomain(device)
			delete(fields, "device")
		}
		if len(fields) > 0 {
			n.Fields = fields
		}
		return true
	}
	return r.read != nil && r.read(h, n)
}

// boot: what the kernel says of itself and of the machine.
func boot() []row {
	return []row{
		is("command-line", w("^Kernel command line: {text}")),
		is("machine", w("^DMI: {text}"), w("^Machine model: {text}")),
		is("hypervisor", w("Hypervisor detected: {name}")),
		is("efi", w("^efi: EFI v{version@}")),
		is("cpu", w("^smpboot: CPU0: {model} (family: {family%}, model: {number%}, stepping: {stepping%})")),
		is("microcode",
			w("^microcode: Current revision: {revision%}"),
			w("^microcode: microcode updated early to revision {revision%}"),
			w("^microcode: microcode updated early to new patch_level={revision%}"), // AMD, up to 6.6
			w("^microcode: updated early: {before%} -> {revision%}"),
			w("^microcode: CPU0: patch_level={revision%}"),
			w("^microcode: sig={signature%}, pf={platform%}, revision={revision%}")),
		is("lockdown",
			w("^Kernel is locked down from {by};"),
			w("^Lockdown: {program}: {what} is restricted")),
		is("taint",
			w("^{module@}: loading out-of-tree module taints kernel", "what=out-of-tree"),
			w("^{module@}: module license '{license}' taints kernel", "what=license"),
			w("^{module@}: module verification failed: {reason} - tainting kernel", "what=unsigned")),
		{kind: "acpi-table", has: []string{"ACPI: "}, read: acpiTable},
		is("ecam",
			w("fail to add MMCONFIG information", "state=missing"),
			w("PCI: MMCONFIG at {range} not reserved", "state=not-reserved"),
			w("PCI: ECAM {range} not reserved", "state=not-reserved"),
			w("PCI: not using MMCONFIG", "state=unused"),
			w("PCI: not using ECAM", "state=unused")),
		is("mps",
			w("Max Payload Size set to {set#} (was {was#}, max {max#})"),
			w("Max Payload Size set to {set#}/{max} (was {was#}), Max Read Rq {mrrs#}")),
	}
}

// acpiTable reads "ACPI: HEST 0x0000000077FDE000 0000A8 (v01 VENDOR ...)", in
// kernels before 3.x without 0x (drivers/acpi/acpica/tbprint.c).
func acpiTable(h *hit, n *fact.Note) bool {
	text, ok := strings.CutPrefix(h.body, "ACPI: ")
	if !ok || len(text) < 16 || text[4] != ' ' {
		return false
	}
	signature, rest := text[:4], text[5:]
	for i := range 4 {
		if c := signature[i]; !isDigit(c) && (c < 'A' || c > 'Z') && c != '!' && c != ' ' {
			return false
		}
	}
	address := span(rest, '%')
	if address < 8 {
		return false
	}
	n.Fields = map[string]string{"signature": strings.TrimSpace(signature), "address": rest[:address]}
	return true
}

// ownership: who handles errors and power management.
func ownership() []row {
	return []row{
		is("port-services-disabled", w("PCIe port services disabled; not requesting _OSC control")),
		is("osc-old",
			w("ACPI _OSC control for PCIe not granted, disabling ASPM", "aspm=disabled"),
			w("^ pci{bus@}: ACPI _OSC request failed ({reason}), returned control mask: {mask%}"),
			w("^ pci{bus@}: ACPI _OSC control ({mask%}) granted"),
			w("ACPI _OSC request failed ({reason}), returned control mask: {mask%}"),
			w("ACPI _OSC control ({mask%}) granted"),
			w("Unable to assume _OSC PCIe control. Disabling ASPM", "aspm=disabled"),
			w("Unable to assume PCIe control: Disabling ASPM", "aspm=disabled")),
		is("aer-enabled", w("^AER: enabled with IRQ {irq#}"), w("^AER enabled with IRQ {irq#}")),
		is("aer-irq-failed", w("request AER IRQ {irq#} failed")),
		is("aer-recovery",
			w("^AER: device recovery {result}"),
			w("^AER: Device recovery {result}"),
			w("^AER: can't recover ({reason})", "result=cannot"),
			w("^AER: subordinate device reset failed", "result=reset-failed"),
			w("Port link has been reset ({code})", "result=link-reset"),
			w("Port link has been reset", "result=link-reset"),
			w("^AER: has been reset", "result=reset"), w("^AER: not reset ({reason})", "result=not-reset")),
		is("aer-lost", w("AER: buffer overflow"), w("AER recover: Buffer overflow")),
		is("aer-masked", w("mask Replay Timer Timeout Correctable Errors due to {cause@} hardware defect")),
		is("aer-rate-limited", w("^AER: Over {count#} ")),
		is("dpc-enabled", w("^DPC: enabled with IRQ {irq#}")),
		is("dpc-caps", w("^DPC: error containment capabilities: {text}"), w("^DPC error containment capabilities: {text}")),
		is("dpc-event",
			w("^DPC: containment event, status:{status%} source:{source%}"),
			w("^DPC: containment event, status:{status%}, {reason@} received from {source@}"),
			w("^DPC: containment event, status:{status%}: {reason} detected"),
			w("^DPC: containment event, status:{status%}"),
			w("^DPC containment event, status:{status%} source:{source%}")), // up to 4.19
		is("dpc-rp-pio",
			w("^DPC: rp_pio_status: {status%}, rp_pio_mask: {mask%}"),
			w("^DPC: RP PIO severity={severity%}, syserror={syserror%}, exception={exception%}"),
			w("[{bit}] {space@} Request {what}")),
		is("dpc-failed", w("DPC: Data Link Layer Link Active not cleared"), w("Enable DPC _DSM failed to enable DPC")),
		is("edr", w("^EDR: EDR event received", "what=event"),
			w("^EDR: Reported EDR dev: {reported@}", "what=reported"),
			w("^EDR: DPC port successfully recovered", "what=recovered"),
			w("^EDR: DPC port recovery failed", "what=failed"),
			w("^EDR: Firmware failed to locate DPC port", "what=no-port"),
			w("^EDR: Status for {reported@}: {status%}", "what=status")),
		is("pme", w("^PME: Signaling with IRQ {irq#}"), w("^Signaling PME through PCIe PME interrupt"), w("^Signaling PME with IRQ {irq#}")),
		is("ghes",
			w("^GHES: APEI firmware first mode is enabled by APEI bit and WHEA _OSC", "kind=enabled-apei-osc"),
			w("^GHES: APEI firmware first mode is enabled by APEI bit", "kind=enabled-apei"),
			w("^GHES: APEI firmware first mode is enabled by WHEA _OSC", "kind=enabled-osc"),
			w("^GHES: Failed to enable APEI firmware first mode", "kind=failed"),
			w("^GHES: HEST is not enabled", "kind=hest-disabled"),
			w("^GHES: GHES is not enabled", "kind=ghes-disabled"),
			w("^GHES: {text}", "kind=other")),
		is("hest",
			w("^HEST: Table parsing has been initialized", "kind=initialized"),
			w("^HEST: Table parsing disabled", "kind=disabled"),
			w("^HEST: Failed to get table, {error}", "kind=failed"),
			w("^HEST: Enabling Firmware First mode for corrected errors", "kind=firmware-first-cmc"),
			w("^HEST: {text}", "kind=other")),
		is("pstore",
			w("^pstore: Registered {backend@} as persistent store backend", "what=backend"),
			w("^Oops#{count#} Part{part#}", "what=oops"), w("^Panic#{count#} Part{part#}", "what=panic")),
		is("previous-reset", w("Previous system reset reason [{code%}]: {text}")),
		is("aspm-disabled",
			w("^PCIe ASPM is disabled"),
			w("disabling ASPM on pre-1.1 PCIe device", "reason=pre-1.1")),
		is("aspm-forced", w("^PCIe ASPM is forcibly enabled")),
		is("aspm-no-control",
			w("can't disable ASPM; OS doesn't have ASPM control"),
			w("can't override BIOS ASPM; OS doesn't have ASPM control")),
		is("aspm-default", w("ASPM: default states {states}")),
		is("aspm-clock", w("ASPM: current common clock configuration is inconsistent"), w("ASPM: Could not configure common clock")),
		is("fadt-aspm",
			w("FADT indicates ASPM is unsupported, using BIOS configuration", "what=bios"),
			w("ACPI FADT declares the system doesn't support PCIe ASPM", "what=disabled")),
	}
}
