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
			w("{available@} Gb/s available PCIe bandwidth, limited by {limit-speed} x{limit-width#} link at {limit-device@} (capable of {capable@} Gb/s with {capable-speed} x{capable-width#} link), in Flit mode", "flit=true"),
			w("{available@} Gb/s available PCIe bandwidth ({speed} x{width#} link), in Flit mode", "flit=true"),
			w("{available@} Gb/s available PCIe bandwidth, limited by {limit-speed} x{limit-width#} link at {limit-device@} (capable of {capable@} Gb/s with {capable-speed} x{capable-width#} link)"),
			w("{available@} Gb/s available PCIe bandwidth ({speed} x{width#} link)")),
		is("link-retrain",
			w("retraining non-functional downstream link at {speed}", "what=quirk"),
			w("removing {speed} downstream link speed restriction", "what=lifted"),
			w("^retraining failed", "what=failed"),
			w("broken device, retraining", "what=quirk")),
		// Up to 4.18 the slot comes last, and the driver stands for the prefix.
		is("pciehp-slot", w("^pciehp: Slot #{slot#} {text}"), w("^Slot #{slot#} AttnBtn{text}")),
		is("pciehp-ignored", w("^pciehp: Slot({slot}): Link Down/Up ignored{reason}")),
		is("pciehp-link-down", w("^pciehp: Slot({slot}): Link Down"), w("^Slot({slot}): Link Down"), w("^slot({slot}): Link Down event")),
		is("pciehp-link-up", w("^pciehp: Slot({slot}): Link Up"), w("^Slot({slot}): Link Up"), w("^slot({slot}): Link Up event")),
		is("pciehp-card-present", w("^pciehp: Slot({slot}): Card present"), w("^Slot({slot}): Card present"), w("^Card present on Slot({slot})")),
		is("pciehp-card-absent", w("^pciehp: Slot({slot}): Card not present"), w("^Slot({slot}): Card not present"), w("^Card not present on Slot({slot})")),
		is("pciehp-no-link", w("^pciehp: Slot({slot}): No link")),
		is("pciehp-cannot-train", w("^pciehp: Slot({slot}): Cannot train link: status {status%}"), w("Cannot train link: status {status%}")),
		is("pciehp-power-fault", w("^pciehp: Slot({slot}): Power fault"), w("^Slot({slot}): Power fault"), w("^Power fault on slot {slot@}")),
		is("pciehp-button",
			w("^pciehp: Slot({slot}): Attention button pressed"), w("^pciehp: Slot({slot}): Button pressed"),
			w("^pciehp: Slot({slot}): Button press: will power {direction@}"),
			w("^Slot({slot}): Attention button pressed"), w("^Button pressed on Slot({slot})")),
		is("pciehp-failed",
			w("^pciehp: Slot({slot}): Failed to check link status", "what=link"), w("Failed to check link status", "what=link"),
			w("pciehp: Timeout on hotplug command {command%} (issued {ms#} msec ago)", "what=timeout"), w("^Timeout on hotplug command {command%}", "what=timeout"),
			w("pciehp: Cannot add device at {address@}", "what=add"), w("^Cannot add device at {address@}", "what=add")),
		is("host-link",
			w("PCIe Gen.{gen#} x{width#} link up"), w("link up, {speed} PCIe x{width#}"),
			w("^brcm-pcie {unit@}: link down", "state=down"), w("Phy link never came up", "state=down"),
			w("PCIe link training gen{gen#} timeout", "state=down"), w("PCIe link down, current LTSSM state: {ltssm@}", "state=down")),
		{kind: "nic-link", has: []string{"Link is ", "Link up", "Link down", "link up", "link down", "link change old ", "Link Speed "}, read: nicLink},
		// drivers/net/phy/phy.c, phy_check_downshift; the device is the PHY.
		is("nic-downshift", w("Downshift occurred from negotiated speed {from@} to actual speed {to@}, check cabling")),
		is("power-state-failed",
			w("Unable to change power state from {from@} to {to}, device inaccessible"),
			w("can't change power state from {from@} to {to@} (config space inaccessible)"),
			w("Refused to change power state from {from@} to {to@}"),
			w("Refused to change power state, currently in {from@}")),
		is("reset-timeout", w("not ready {ms#}ms after {what}; {outcome}")),
		is("nic-module", w("Port module event: module {module#}, {text}"), w("Port module event[error]: module {module#}, {text}", "state=error")),
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
	case strings.HasPrefix(after, "change old "): // atlantic: "link change old 0 new 10000"
		if _, tail, _ = strings.Cut(after, " new "); span(tail, '#') == 0 {
			return false
		}
		if tail = tail[:span(tail, '#')]; tail == "0" {
			state, tail = "down", ""
		} else {
			tail += "mbps"
		}
	case strings.HasPrefix(after, "speed "): // aqc111: "Link Speed 5000, USB 3"
		tail = strings.TrimPrefix(after, "speed ")
		tail = tail[:span(tail, '#')] + "mbps"
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
