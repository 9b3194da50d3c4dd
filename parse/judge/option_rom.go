package judge

import (
	"strings"

	"hwcap/parse/fact"
)

// optionROM tells how the ROMs of the devices stand: code that the firmware runs
// at start, and that the processor reads only while the ROM BAR is enabled (PCIe
// Base Specification 7.5.1.2.4). lspci prints the enable bit; the file resource
// has the address alone.
var optionROM = Rule{
	ID:      "option-rom",
	Area:    Space,
	Sources: []string{"lspci-vvv", "pci"},
	// roms is the table: device, sizeBytes, state (as lspci prints it, "" on).
	Keys: []string{"roms", "onCount"},
	Cases: []Case{
		{Name: "off", Verdict: OK, Confidence: Observed},
		{Name: "on", Verdict: Problem, Severity: Info, Confidence: Observed},
		{Name: "not-printed", Verdict: Unknown},
	},
	Judge: judgeOptionROM,
}

func judgeOptionROM(m *fact.Machine) []Finding {
	off, on, unprinted := found("off"), found("on"), found("not-printed")
	for i := range m.PCI {
		d := &m.PCI[i]
		if silent(d) {
			continue
		}
		for _, r := range d.Regions {
			if r.Index != romIndex {
				continue
			}
			f := &off
			switch {
			case strings.HasPrefix(r.At.File, "sys/"):
				f = &unprinted
			case r.State == "" && r.Address != "":
				f = &on
			}
			rows, _ := f.Values["roms"].([]map[string]any)
			f.Values["roms"] = append(rows, map[string]any{"device": d.Address, "sizeBytes": float64(r.Size), "state": r.State})
			f.Subjects = append(f.Subjects, d.Address)
			f.Count = len(f.Subjects)
			f.cite("rom", r.At)
		}
	}
	var out []Finding
	for _, f := range []Finding{on, off, unprinted} {
		if f.Count > 0 {
			f.Values["onCount"] = on.Count
			out = append(out, f)
		}
	}
	return out
}
