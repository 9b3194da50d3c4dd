package judge

import (
	"slices"
	"strconv"
	"strings"

	"hwcap/parse/fact"
)

// rebarSize tells whether the processor reaches all memory of a graphics card at
// once (PCIe Base Specification 7.8.6, Resizable BAR). Only the BAR with the
// memory counts, which is the one that can grow largest.
var rebarSize = Rule{
	ID:      "rebar-size",
	Area:    Space,
	Sources: []string{"lspci-vvv", "pci", "dmesg", "kmsg", "journal-k"},
	// Sizes in bytes, 0 where not read. above4G is the case of bar-above-4g.
	Keys: []string{"bar", "currentBytes", "maxBytes", "ramBytes", "supported", "tried", "failed", "error", "noSpace", "above4G", "driver"},
	Cases: []Case{
		{Name: "full", Verdict: OK, Confidence: Observed},
		{Name: "small", Verdict: Problem, Severity: Notice, Confidence: Observed},
		{Name: "small-board", Verdict: Problem, Severity: Notice, Confidence: Observed},
		{Name: "size-unknown", Verdict: Unknown},
		{Name: "not-read", Verdict: Unknown},
	},
	Judge: judgeReBARSize,
}

func judgeReBARSize(m *fact.Machine) []Finding {
	var out []Finding
	seen := map[string]bool{}
	for i := range m.PCI {
		d := &m.PCI[i]
		seen[d.Address] = true
		if !graphics(d) || emulated(d) || isVF(d) || silent(d) || consoleOnly(d) {
			continue
		}
		if f, ok := rebarOf(m, d); ok {
			out = append(out, f)
		}
	}
	if listsWhole(m) {
		return out
	}
	for _, n := range m.Log.Of("rebar") {
		if n.Device == "" || seen[n.Device] {
			continue
		}
		seen[n.Device] = true
		if f, ok := rebarOf(m, &fact.Device{Address: n.Device}); ok {
			out = append(out, f)
		}
	}
	return out
}

// rebarOf judges one graphics card; false where nothing says that it could
// resize its BAR.
func rebarOf(m *fact.Machine, d *fact.Device) (Finding, bool) {
	f := found("full", d.Address)
	f.Values = map[string]any{
		"bar": -1, "currentBytes": 0.0, "maxBytes": 0.0, "ramBytes": 0.0, "supported": 0,
		"tried": false, "failed": false, "error": "", "noSpace": false, "above4G": decodes(m).state, "driver": d.Driver,
	}
	own, can := memoryBAR(d)
	current, most := int64(0), int64(0)
	if can {
		current, most = own.Current, slices.Max(append(own.Supported, 0))
		f.Values["bar"], f.Values["supported"] = own.BAR, len(own.Supported)
		f.cite("rebar", own.At)
	}
	small := f.addAttempts(m, d)
	ram := int64(f.Values["ramBytes"].(float64))
	if current == 0 { // from the driver's words, or where the BAR stands
		current = int64(f.Values["currentBytes"].(float64))
	}
	if most == 0 {
		most = int64(f.Values["maxBytes"].(float64))
	}
	f.Values["currentBytes"], f.Values["maxBytes"] = float64(current), float64(most)
	switch {
	case ram > 0 && current >= ram, current > 0 && most > 0 && current >= most:
		return f, true
	case small || can && current > 0 && most > current:
		f.Case = "small"
		if deviceTree(m) {
			f.Case = "small-board"
		}
		return f, true
	case can:
		f.Case = "size-unknown"
		return f, true
	case d.Parent != "" && d.CapsState == fact.Denied && display(d):
		f.Case = "not-read"
		f.cite("denied", d.Refused())
		return f, true
	}
	return f, false
}

// memoryBAR returns the BAR of d that can grow largest.
func memoryBAR(d *fact.Device) (best fact.ReBAR, ok bool) {
	for _, b := range d.ReBAR {
		if !ok || slices.Max(append(b.Supported, b.Current)) > slices.Max(append(best.Supported, best.Current)) {
			best, ok = b, true
		}
	}
	return best, ok
}

// addAttempts adds what drivers say of their attempts to enlarge the BAR
// (drm/xe xe_vram.c, drm/i915 gt/intel_region_lmem.c, drm/amd amdgpu_device.c),
// and reports whether they say that it stayed small.
func (f *Finding) addAttempts(m *fact.Machine, d *fact.Device) (small bool) {
	for _, n := range notesOf(m, d.Address, "rebar") {
		switch n.Fields["state"] {
		case "seen": // amdgpu, radeon: "Detected VRAM RAM=8176M, BAR=256M"
			ram, bar := printedSize(n.Fields["ram"]), printedSize(n.Fields["bar"])
			f.Values["ramBytes"], f.Values["currentBytes"] = float64(ram), float64(bar)
			f.cite("ram", n.At)
		case "tried":
			f.Values["tried"] = true
			f.Values["currentBytes"], f.Values["maxBytes"] = float64(printedSize(n.Fields["from"])), float64(printedSize(n.Fields["size"]))
			f.cite("tried", n.At)
		case "failed":
			small = true
			f.Values["failed"], f.Values["error"] = true, strings.TrimSuffix(n.Fields["error"], ")")
			f.cite("failed", n.At)
		case "small":
			small = true
			f.cite("failed", n.At)
		}
	}
	for _, n := range notesOf(m, d.Address, "bar-failed") {
		if n.Fields["what"] == "no-space" && n.Fields["space"] == "pref" && !strings.HasPrefix(n.Fields["bar"], "VF") {
			f.Values["noSpace"] = true
			f.cite("no-space", n.At)
		}
	}
	return small
}

// printedSize reads "256MiB", "8192M" or "8G" in bytes; 0 for what is none.
func printedSize(s string) int64 {
	digits := strings.TrimRight(s, "MGTiB")
	n, err := strconv.ParseInt(digits, 10, 32)
	if err != nil || n < 0 {
		return 0
	}
	for i, unit := range []string{"M", "G", "T"} {
		if strings.HasPrefix(s[len(digits):], unit) {
			return n << (20 + 10*i)
		}
	}
	return 0
}
