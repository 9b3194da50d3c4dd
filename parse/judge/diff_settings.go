package judge

import (
	"maps"
	"slices"
	"strings"

	"hwcap/parse/diff"
)

// diffPower compares the power states of devices.
var diffPower = Rule{
	ID: "diff-power", Area: Links,
	Sources: []string{"pci"},
	Keys:    []string{"devices"}, // device, before, after
	Cases:   changeCases,
	Compare: func(p *diff.Pair) []Finding {
		f := found("changed")
		compared := 0
		for _, m := range p.Devices {
			if m.Old.Sysfs == nil || m.New.Sysfs == nil {
				continue
			}
			row, ok := changed(p, "", m.Old.Sysfs.PowerState, m.New.Sysfs.PowerState)
			if ok {
				compared++
			}
			if row == nil {
				continue
			}
			f.change("devices", m.New.Address, map[string]any{"device": m.New.Address, "before": row["before"], "after": row["after"]})
			f.citeOld("before", m.Old.Sysfs.PowerState.At)
			f.cite("after", m.New.Sysfs.PowerState.At)
		}
		return changesOr(compared, f)
	},
}

// diffSettings compares the kernel's one-line files that are settings: the
// policy of ASPM, zswap, ...
var diffSettings = Rule{
	ID: "diff-settings", Area: Platform,
	Sources: []string{"zswap", "pcie-aspm", "proc-dmesg-restrict"},
	Keys:    []string{"settings"}, // path, before, after
	Cases:   changeCases,
	Compare: func(p *diff.Pair) []Finding {
		if !p.Identity.One() {
			return nil
		}
		f := found("changed")
		compared := 0
		for _, path := range slices.Sorted(maps.Keys(p.New.Settings)) {
			if !strings.HasPrefix(path, "sys/module/") && !strings.HasPrefix(path, "proc/sys/") {
				continue
			}
			old, new := p.Old.Setting(path), p.New.Setting(path)
			row, ok := changed(p, "", old, new)
			if ok {
				compared++
			}
			if row == nil {
				continue
			}
			f.change("settings", path, map[string]any{"path": "/" + path, "before": row["before"], "after": row["after"]})
			f.citeOld("before", old.At)
			f.cite("after", new.At)
		}
		if f.Count > 0 {
			f.Subjects = []string{Machine}
		}
		return changesOr(compared, f)
	},
}
