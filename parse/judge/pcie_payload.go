package judge

import (
	"slices"

	"hwcap/parse/fact"
)

// payloadSizes compares the payload sizes along each path. A packet may carry
// as much as its sender is set to, and must not carry more than its receiver is
// set to take (PCIe Base Specification 2.2.2 and 7.5.3.4, Max_Payload_Size).
var payloadSizes = Rule{
	ID:      "pcie-mps-mrrs",
	Area:    Links,
	Sources: []string{"lspci-vvv", "proc-cmdline", "kmsg", "dmesg", "journal-k"},
	// limiters are rows of root, setBytes, device and capBytes: the device that
	// can take the least on a path that is set to that, and otherCapBytes, what
	// the others of the path could take at least.
	Keys: []string{"upper", "setBytes", "capBytes", "upperSetBytes", "readBytes", "parameter", "others", "pathCount", "limiters", "readMinBytes", "readMaxBytes"},
	Cases: []Case{
		{Name: "exceeds", Verdict: Problem, Severity: Warning, Confidence: Derived},
		{Name: "above-port", Verdict: Problem, Severity: Warning, Confidence: Derived},
		{Name: "below-port", Verdict: Problem, Severity: Warning, Confidence: Derived},
		{Name: "performance", Verdict: Problem, Severity: Info, Confidence: Derived},
		{Name: "parameter-open", Verdict: Unknown, Confidence: Derived},
		{Name: "consistent", Verdict: OK, Confidence: Derived},
	},
	Judge: judgePayloadSizes,
}

// perfParameter makes the kernel set each device to the most that it can take,
// and hold read requests so small that no answer is too large for who asked
// (pcie_bus_configure_set in drivers/pci/probe.c). A device may then take less
// than its port is set to.
const perfParameter = "pcie_bus_perf"

func judgePayloadSizes(m *fact.Machine) []Finding {
	t := newTree(m)
	if t.virtual || t.powerLost() {
		return nil
	}
	cmdline := bootLine(m)
	perf := bootOption(cmdline.V, "pci", perfParameter)
	var out []Finding
	index := map[string]int{} // functions of one device that come out alike
	for i := range m.PCI {
		d := &m.PCI[i]
		if !payloadRead(d) || isVF(d) || silent(d) || t.asleep(d) {
			continue
		}
		x, up := d.Express, t.device[d.Parent]
		name := ""
		switch {
		case x.MaxPayloadCap > 0 && x.MaxPayload > x.MaxPayloadCap:
			name = "exceeds"
		case up == nil || !payloadRead(up) || silent(up):
			continue
		case x.MaxPayload > up.Express.MaxPayload:
			name = "above-port"
		case x.MaxPayloadCap == 0 || x.MaxPayloadCap >= up.Express.MaxPayload:
			continue
		case perf:
			name = "performance"
		case cmdline.State != fact.Present:
			name = "parameter-open"
		default:
			name = "below-port"
		}
		key := name + place(d)
		if at, seen := index[key]; seen {
			f := &out[at]
			f.Values["others"] = append(f.Values["others"].([]string), d.Address)
			f.Count++
			continue
		}
		index[key] = len(out)
		f := found(name, d.Address)
		f.Count = 1
		f.Values = map[string]any{
			"upper": d.Parent, "setBytes": x.MaxPayload, "capBytes": x.MaxPayloadCap, "upperSetBytes": 0,
			"readBytes": x.MaxReadReq, "parameter": "", "others": []string{},
		}
		f.cite("cap", x.MaxPayloadCapAt)
		f.cite("device", linesWith("MaxPayload", x.DevCtl)...)
		if up != nil && payloadRead(up) {
			f.Values["upperSetBytes"] = up.Express.MaxPayload
			f.cite("port", linesWith("MaxPayload", up.Express.DevCtl)...)
		}
		if perf {
			f.Values["parameter"] = "pci=" + perfParameter
			f.cite("parameter", cmdline.At)
		}
		out = append(out, f)
	}
	if len(out) == 0 && m.Complete("lspci-vvv") {
		return t.payloadPaths()
	}
	return out
}

// payloadRead reports whether the size that d is set to was read.
func payloadRead(d *fact.Device) bool { return d.Express != nil && d.Express.MaxPayload > 0 }

// payloadPaths is the one finding of a machine on which all sizes fit: it says
// who sets the limit where that is one device of several.
func (t *tree) payloadPaths() []Finding {
	f := found("consistent", Machine)
	limiters := []map[string]any{}
	least, most := 0, 0
	for i := range t.machine.PCI {
		root := &t.machine.PCI[i]
		if t.kind(root) != fact.RootPort || !payloadRead(root) {
			continue
		}
		path := slices.DeleteFunc(append([]*fact.Device{root}, t.below(root)...), func(d *fact.Device) bool {
			return !payloadRead(d) || d.Express.MaxPayloadCap == 0 || isVF(d)
		})
		if len(path) < 2 {
			continue
		}
		if f.Count++; f.Count == 1 {
			f.cite("path", linesWith("MaxPayload", root.Express.DevCtl)...)
			f.cite("path", linesWith("MaxPayload", path[1].Express.DevCtl)...)
		}
		for _, d := range path {
			if r := d.Express.MaxReadReq; r > 0 {
				most = max(most, r)
				if least == 0 || r < least {
					least = r
				}
			}
		}
		weakest := slices.MinFunc(path, func(a, b *fact.Device) int { return a.Express.MaxPayloadCap - b.Express.MaxPayloadCap })
		others := 0
		for _, d := range path {
			if c := d.Express.MaxPayloadCap; place(d) != place(weakest) && (others == 0 || c < others) {
				others = c
			}
		}
		if weakest.Express.MaxPayloadCap == root.Express.MaxPayload && others > weakest.Express.MaxPayloadCap {
			limiters = append(limiters, map[string]any{
				"root": root.Address, "setBytes": root.Express.MaxPayload, "device": weakest.Address,
				"capBytes": weakest.Express.MaxPayloadCap, "otherCapBytes": others,
			})
			f.cite("limiter", weakest.Express.MaxPayloadCapAt)
		}
	}
	if f.Count == 0 {
		return nil
	}
	f.Values = map[string]any{"pathCount": f.Count, "limiters": limiters, "readMinBytes": least, "readMaxBytes": most}
	return []Finding{f}
}
