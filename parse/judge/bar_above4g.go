package judge

import (
	"strings"

	"hwcap/parse/fact"
)

// barAbove4G tells whether devices get addresses beyond those that 32 bits can
// hold. The firmware's switch for it cannot be read; what can is its effect: the
// windows of the root bridges, as the kernel prints them (drivers/pci/probe.c,
// pci_register_host_bridge), and where the devices stand.
var barAbove4G = Rule{
	ID:      "bar-above-4g",
	Area:    Space,
	Sources: []string{"dmesg", "kmsg", "journal-k", "lspci-vvv", "pci"},
	// Sizes in bytes, over all root bridges; 0 where the log does not tell.
	Keys: []string{"lowBytes", "highBytes", "lowCount", "highCount", "example", "exampleBytes", "deviceCount", "logWhole"},
	Cases: []Case{
		{Name: "on", Verdict: OK, Confidence: Observed},
		{Name: "off", Verdict: Problem, Severity: Info, Confidence: Derived},
		{Name: "none-there", Verdict: Unknown},
		{Name: "not-captured", Verdict: Unknown},
	},
	Judge: judgeBARAbove4G,
}

// decoding is what is known of the addresses above 4 GiB.
type decoding struct {
	state               string // the case
	low, high           uint64 // bytes of the root bridges' windows
	lowAt, highAt       []fact.Line
	device              *fact.Device // the one with most memory up there
	region              fact.Region
	deviceCount, placed int // functions with memory up there, with memory anywhere
}

func judgeBARAbove4G(m *fact.Machine) []Finding {
	if deviceTree(m) || len(m.PCI) == 0 && len(m.Log.Of("root-window")) == 0 {
		return nil
	}
	a := decodes(m)
	f := found(a.state, Machine)
	f.Values = map[string]any{
		"lowBytes": float64(a.low), "highBytes": float64(a.high), "lowCount": len(a.lowAt), "highCount": len(a.highAt),
		"logWhole": logFromBoot(m), "example": "", "exampleBytes": 0.0, "deviceCount": a.deviceCount,
	}
	f.cite("low", a.lowAt...)
	f.cite("high", a.highAt...)
	if a.device != nil {
		f.Values["example"], f.Values["exampleBytes"] = a.device.Address, float64(a.region.Size)
		f.cite("example", a.region.At)
	}
	return []Finding{f}
}

// decodes looks for windows of root bridges and memory of devices above 4 GiB.
func decodes(m *fact.Machine) decoding {
	var a decoding
	for _, n := range m.Log.Of("root-window") {
		start, ok := hexNumber(n.Fields["start"])
		end, also := hexNumber(n.Fields["end"])
		switch {
		case !ok || !also || end < start:
		case start >= fourGiB:
			a.high += end - start + 1
			a.highAt = append(a.highAt, n.At)
		default:
			a.low += end - start + 1
			a.lowAt = append(a.lowAt, n.At)
		}
	}
	for i := range m.PCI {
		d := &m.PCI[i]
		high := false
		for _, r := range d.Regions {
			start, ok := hexNumber(r.Address)
			if r.Kind != "mem" || !ok || r.State != "" || isBridge(d) {
				continue
			}
			a.placed++
			if start < fourGiB {
				continue
			}
			high = true
			if a.device == nil || r.Size > a.region.Size {
				a.device, a.region = d, r
			}
		}
		if high {
			a.deviceCount++
		}
	}
	switch {
	case a.device != nil || len(a.highAt) > 0:
		a.state = "on"
	case len(a.lowAt) > 0 && logFromBoot(m) && listsWhole(m) && !bridgeAbove4G(m):
		a.state = "off"
	case a.placed > 0 && listsWhole(m):
		a.state = "none-there"
	default:
		a.state = "not-captured"
	}
	return a
}

// bridgeAbove4G reports whether a bridge passes on addresses above 4 GiB.
func bridgeAbove4G(m *fact.Machine) bool {
	for i := range m.PCI {
		for _, w := range m.PCI[i].Windows {
			if start, ok := hexNumber(strings.TrimPrefix(w.Start, "0x")); ok && w.Open && start >= fourGiB {
				return true
			}
		}
	}
	return false
}
