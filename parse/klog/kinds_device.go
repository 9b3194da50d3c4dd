package klog

import (
	"strings"

	"hwcap/parse/fact"
)

// links: PCIe links and hot-plug (drivers/pci/pci.c, quirks.c,
// hotplug/pciehp_*.c).
func links() []row {
	return []row{
		is("bandwidth",
			w("{available@} Gb/s available PCIe bandwidth, limited by {limit-speed} x{limit-width#} link at {limit-device@} (capable of {capable@} Gb/s with {capable-speed} x{capable-width#} link)"),
			w("{available@} Gb/s available PCIe bandwidth ({speed} x{width#} link)")),
		is("link-retrain",
			w("retraining non-functional downstream link at {speed}", "what=quirk"),
			w("removing {speed} downstream link speed restriction", "what=lifted"),
			w("^retraining failed", "what=failed"),
			w("broken device, retraining", "what=quirk")),
		is("pciehp-slot", w("^pciehp: Slot #{slot#} {text}")),
		is("pciehp-link-down", w("^pciehp: Slot({slot}): Link Down")),
		is("pciehp-link-up", w("^pciehp: Slot({slot}): Link Up")),
		is("pciehp-card-present", w("^pciehp: Slot({slot}): Card present")),
		is("pciehp-card-absent", w("^pciehp: Slot({slot}): Card not present")),
		is("pciehp-no-link", w("^pciehp: Slot({slot}): No link")),
		is("pciehp-cannot-train", w("^pciehp: Slot({slot}): Cannot train link: status {status%}")),
		is("pciehp-power-fault", w("^pciehp: Slot({slot}): Power fault")),
		is("pciehp-button", w("^pciehp: Slot({slot}): Attention button pressed"), w("^pciehp: Slot({slot}): Button pressed")),
		is("host-link", w("PCIe Gen.{gen#} x{width#} link up"), w("link up, {speed} PCIe x{width#}")),
		{kind: "nic-link", has: []string{"Link is ", "Link up", "Link down", "link up, ", "link down"}, read: nicLink},
		is("power-state-failed",
			w("Unable to change power state from {from@} to {to}, device inaccessible"),
			w("can't change power state from {from@} to {to@} (config space inaccessible)")),
		is("unknown-header", w("unknown header type {type%}, ignoring device")),
	}
}

// nicLink reads the link messages of network drivers, which all differ.
// Fields: state up or down, interface, speedMbps.
func nicLink(h *hit, n *fact.Note) bool {
	if strings.Contains(h.text, "SATA link") || strings.Contains(h.text, "pciehp") {
		return false
	}
	lower := lowerASCII(h.rest)
	at := strings.Index(lower, "link ")
	if at < 0 {
		return false
	}
	after := strings.TrimPrefix(lower[at+len("link "):], "is ")
	state, tail := "up", ""
	switch {
	case strings.HasPrefix(after, "up"):
		tail = after[2:]
	case strings.HasPrefix(after, "down"):
		state = "down"
	default:
		return false
	}
	iface := h.iface
	for word := range strings.FieldsSeq(h.rest[:at]) {
		if word = strings.TrimSuffix(word, ":"); word != "NIC" && word != h.driver {
			iface = word
		}
	}
	if iface == "" && h.owner != h.device {
		iface = h.owner
	}
	n.Fields = map[string]string{"state": state}
	if iface != "" {
		n.Fields["interface"] = iface
	}
	if speed := megabits(tail); speed != "" {
		n.Fields["speedMbps"] = speed
	}
	return true
}

// lowerASCII changes no lengths, which strings.ToLower does where the text is no
// valid UTF-8.
func lowerASCII(s string) string {
	b := []byte(s)
	for i, c := range b {
		if 'A' <= c && c <= 'Z' {
			b[i] = c | 0x20
		}
	}
	return string(b)
}

// megabits reads the first "10 Gbps", "1000Mbps" or "25000 mbps" of s, which is
// in lower case.
func megabits(s string) string {
	for i := 0; i < len(s); i++ {
		n := span(s[i:], '#')
		if n == 0 || s[i] == '-' {
			continue
		}
		digits, unit := s[i:i+n], strings.TrimLeft(s[i+n:], " ")
		switch {
		case strings.HasPrefix(unit, "mbps"), strings.HasPrefix(unit, "mb/s"):
			return digits
		case strings.HasPrefix(unit, "gbps"), strings.HasPrefix(unit, "gb/s"):
			return digits + "000"
		}
		i += n
	}
	return ""
}

// devices: drivers, storage, graphics, address space.
func devices() []row {
	return []row{
		is("probe-failed",
			w("^{driver}: probe of {device@} failed with error {error#}"),
			w("probe with driver {module@} failed with error {error#}")),
		is("firmware-load-failed", w("Direct firmware load for {file@} failed with error {error#}")),
		is("irq-nobody-cared", w("^irq {irq#}: nobody cared")),
		is("sriov-failed",
			w("not enough MMIO resources for SR-IOV", "reason=mmio"),
			w("SR-IOV: IOV BARS not allocated", "reason=bars"),
			w("can't enable {count#} VFs (bus {bus%} out of range", "reason=bus"),
			w("{requested#} VFs requested; only {enabled#} enabled", "reason=partial"),
			w("driver does not support SR-IOV configuration via sysfs", "reason=driver"),
			w("IOMMU should be enabled for SR-IOV to work correctly", "reason=iommu")),
		is("vga-boot", w("vgaarb: setting as boot VGA device"), w("vgaarb: setting as boot device: PCI:{device@}")),
		is("vga-added", w("vgaarb: VGA device added: decodes={decodes},owns={owns},locks={locks}")),
		is("rebar",
			w("Failed to resize BAR{bar#} to {size@} ({error@}", "state=failed"),
			w("Attempting to resize bar from {from@} -> {size}", "state=tried"),
			w("^Small BAR device", "state=small"), w("] Small BAR device", "state=small")),
		is("nvme-down", w("^nvme {controller@}: controller is down; will reset: CSTS={csts%}, PCI_STATUS={pciStatus%}"), w("controller is down; will reset: CSTS={csts%}, PCI_STATUS={pciStatus%}"), w("controller is down; will reset: CSTS={csts%}")),
		is("nvme-removed", w("^nvme {controller@}: Disabling device after reset failure: {error#}"), w("Disabling device after reset failure: {error#}"), w("Removing after probe failure status: {error#}")),
		is("nvme-remapped", w("Found {count#} remapped NVMe devices")),
		is("vmd", w("Bound to PCI domain {domain%}")),
		is("gpu-xid", w("NVRM: Xid (PCI:{device}): {xid#}")),
		is("gpu-lost", w("NVRM: GPU {device@}: GPU has fallen off the bus"), w("GPU has fallen off the bus")),
		is("gpu-ring-timeout", w("ring {ring@} timeout")),
		is("gpu-reset", w("GPU reset({count}) succeeded", "state=ok"), w("GPU reset end with ret = {error#}", "state=failed")),
		is("ioat", w("^ioatdma: Intel(R) QuickData Technology Driver {version@}")),
		is("ioat-failed", w("Intel(R) I/OAT DMA Engine init failed"), w("Channel halted ({error%})")),
		is("dm-crypt",
			w("device-mapper: crypt: {name} using implementation \"{implementation}\""),
			w("device-mapper: crypt: {text}")),
		is("zswap", w("^zswap: {text}")),
	}
}

// accelerators: QAT and the kernel's crypto (qat_common/adf_*.c,
// crypto/testmgr.c).
func accelerators() []row {
	return []row{
		is("qat-started", w("qat_dev{dev#} started {engines#} acceleration engines")),
		is("qat-stopped", w("qat_dev{dev#} stopped {engines#} acceleration engines")),
		is("qat-error",
			w("Failed to load MMP", "what=firmware"), w("Failed to load UOF", "what=firmware"), w("Failed to map FW", "what=firmware"),
			w("Failed to init the AEs", "what=firmware"), w("Failed to reset the AEs", "what=firmware"), w("firmware load failed timeout {code%}", "what=firmware"),
			w("authentication error (FCU_STATUS = {code%}", "what=firmware"),
			w("Failed to send init message", "what=start"), w("Failed to start device qat_dev{dev#}", "what=start"),
			w("Failed to configure QAT driver", "what=configuration"), w("No acceleration units", "what=configuration"),
			w("No usable DMA configuration", "what=configuration"),
			w("Heartbeat ERROR: QAT is not responding", "what=heartbeat"),
			w("Resetting device qat_dev{dev#}", "what=reset"), w("Reset device timeout expired", "what=reset"),
			w("QAT: device restart failed", "what=reset"), w("Can't recover from device error", "what=reset"),
			w("Acceleration driver hardware error detected", "what=hardware"), w("Uncorrectable error detected in AE: {code%}", "what=hardware"),
			w("hang error encountered", "what=hardware")),
		// Kernels since 5.3 print the detail and then the verdict: two notes.
		is("alg-selftest-failed",
			w("^alg: self-tests for {algorithm} using {implementation@} failed (rc={rc#})"),
			w("^alg: self-tests for {implementation} ({algorithm}) failed (rc={rc#})"),
			w("^alg: {type}: {implementation@} {detail} failed "),
			w("^alg: {algorithm@} test failed on vector {vector#}, err={rc#}")),
	}
}
