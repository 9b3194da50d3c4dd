package judge

import (
	"strconv"

	"hwcap/parse/fact"
)

// nvmeRemapped looks for NVMe drives that the firmware hides behind the SATA
// controller: the RAID mode of Intel's chipsets for desktops and laptops. Linux
// can count them and no more (ahci_remap_check in drivers/ata/ahci.c).
var nvmeRemapped = Rule{
	ID:      "nvme-remapped",
	Area:    Isolate,
	Sources: []string{"dmesg", "kmsg", "journal-k", "lspci-vvv", "pci"},
	Keys:    []string{"drives"},
	Cases: []Case{
		{Name: "remapped", Verdict: Problem, Severity: Warning, Confidence: Observed},
		{Name: "none", Verdict: OK, Confidence: Derived},
		{Name: "log-incomplete", Verdict: Unknown},
	},
	Judge: judgeNVMeRemapped,
}

// remapSize is the least size of the controller's BAR 5, in bytes, at which
// drives can be remapped into it, and at which the kernel looks.
const remapSize = 512 << 10

func judgeNVMeRemapped(m *fact.Machine) []Finding {
	var findings []Finding
	notes := m.Log.Of("nvme-remapped")
	for _, n := range notes {
		drives, _ := strconv.Atoi(n.Fields["count"])
		f := found("remapped", Machine)
		if n.Device != "" {
			f.Subjects[0] = n.Device
		}
		f.Values, f.Count = map[string]any{"drives": drives}, drives
		f.cite("remapped", n.At)
		findings = append(findings, f)
	}
	if len(notes) > 0 || isGuest(m) {
		return findings
	}
	none, open := found("none"), found("log-incomplete")
	for i := range m.PCI {
		d := &m.PCI[i]
		if d.Vendor != "8086" || d.Driver != "ahci" {
			continue
		}
		can, known := canRemap(d)
		switch {
		case known && !can, logFromBoot(m):
			none.Subjects = append(none.Subjects, d.Address)
			none.cite("controller", d.From)
		case can, d.Class == "0104":
			open.Subjects = append(open.Subjects, d.Address)
			open.cite("controller", d.From)
		}
	}
	for _, f := range []Finding{none, open} {
		if len(f.Subjects) > 0 {
			f.Values = map[string]any{"drives": 0}
			findings = append(findings, f)
		}
	}
	return findings
}

// canRemap reports whether the controller has the room to hide drives in, and
// whether that is known.
func canRemap(d *fact.Device) (can, known bool) {
	for _, r := range d.Regions {
		if r.Index == 5 && r.Kind == "mem" && r.Size > 0 {
			return r.Size >= remapSize, true
		}
	}
	return false, false
}
