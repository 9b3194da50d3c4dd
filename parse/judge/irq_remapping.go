package judge

import (
	"strings"

	"hwcap/parse/fact"
)

// irqRemapping tells whether interrupts of devices pass the IOMMU's remapping
// table. Only x86 prints it: intel_enable_irq_remapping in
// drivers/iommu/intel/irq_remapping.c, print_iommu_info in
// drivers/iommu/amd/init.c. Guests are left out: what protects them is the
// host's.
var irqRemapping = Rule{
	ID:      "irq-remapping",
	Area:    Isolate,
	Sources: []string{"dmesg", "kmsg", "journal-k", "iommu-units", "acpi-tables", "proc-cpuinfo", "proc-cmdline"},
	// x2apic is "firmware" or "kernel", after who switched it on, or "".
	Keys: []string{"mode", "x2apic", "parameters", "failed", "optOut"},
	Cases: []Case{
		{Name: "on", Verdict: OK, Confidence: Observed},
		{Name: "off", Verdict: Problem, Severity: Notice, Confidence: Derived},
		{Name: "maybe-guest", Verdict: Unknown},
		{Name: "log-incomplete", Verdict: Unknown},
		{Name: "no-iommu-known", Verdict: Unknown},
	},
	Judge: judgeIRQRemapping,
}

func judgeIRQRemapping(m *fact.Machine) []Finding {
	if isGuest(m) || !isX86(m) {
		return nil
	}
	f := found("on", Machine)
	f.Values = map[string]any{"mode": "", "x2apic": "", "failed": false, "optOut": false, "parameters": bootWords(m, "intremap", "nointremap", "nox2apic")}
	on, failed := false, false
	for _, n := range m.Log.Of("irq-remap") {
		switch n.Fields["state"] {
		case "enabled":
			on = true
			f.Values["mode"] = n.Fields["mode"]
			f.cite("on", n.At)
		case "failed":
			failed = true
			f.cite("failed", n.At)
		}
	}
	f.Values["failed"] = failed
	for _, n := range m.Log.Of("x2apic") {
		switch {
		case n.Fields["reason"] == "bios-opt-out":
			f.Values["optOut"] = true
		case n.Fields["state"] == "disabled":
			f.Values["x2apic"] = ""
		case n.Fields["by"] == "bios":
			f.Values["x2apic"] = "firmware"
		case f.Values["x2apic"] == "":
			f.Values["x2apic"] = "kernel"
		default:
			continue
		}
		f.cite("x2apic", n.At)
	}
	if len(f.Values["parameters"].([]string)) > 0 {
		f.cite("parameter", m.Platform.Cmdline.At)
	}
	switch there, known := hasIOMMU(m, &f); {
	case m.Platform.Hypervisor.State != fact.Absent: // neither yes nor no
		f.Case = "maybe-guest"
	case on && !failed:
	case known && !there:
		return nil // nothing that could remap
	case failed:
		f.Case = "off"
	case !logFromBoot(m):
		f.Case = "log-incomplete"
	case !known:
		f.Case = "no-iommu-known"
	default:
		f.Case = "off"
	}
	return []Finding{f}
}

// isX86 reports whether the machine is, or may be, of the x86 architecture.
func isX86(m *fact.Machine) bool {
	switch arch := m.Capture.Arch; {
	case arch == "x86_64", arch == "amd64", strings.HasPrefix(arch, "i") && strings.HasSuffix(arch, "86"):
		return true
	case arch != "":
		return false
	}
	return m.Platform.Hypervisor.State == fact.Absent || len(m.Log.Of("irq-remap")) > 0
}

// hasIOMMU tells whether the machine has an IOMMU that Linux could use, and
// whether that is known. Without a table of ACPI no x86 kernel finds one.
func hasIOMMU(m *fact.Machine, f *Finding) (there, known bool) {
	if len(m.IOMMU.Units) > 0 {
		f.cite("unit", m.IOMMU.Units[0].At)
		return true, true
	}
	_, state, at := dmaTable(m)
	f.cite("table", at...)
	return state == tableThere, state != tableUnknown
}
