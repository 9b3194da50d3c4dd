package judge

import (
	"slices"
	"strings"

	"hwcap/parse/diff"
	"hwcap/parse/fact"
)

// changeCases are those of a rule that lists changes.
var changeCases = []Case{
	{Name: "changed", Verdict: Problem, Severity: Info, Confidence: Observed, Pair: true},
	{Name: "same", Verdict: OK, Confidence: Observed, Pair: true},
}

// aspect is one value of a machine, by the name under which the wording knows
// it.
type aspect struct {
	what string
	of   func(*fact.Machine) fact.Val[string]
}

// compareAspects lists those of the aspects that both captures read and that
// differ.
func compareAspects(p *diff.Pair, aspects []aspect) []Finding {
	if !p.Identity.One() {
		return nil
	}
	f := found("same", Machine)
	rows := []map[string]any{}
	spoken := false
	for _, a := range aspects {
		old, new := a.of(p.Old), a.of(p.New)
		row, ok := changed(p, a.what, old, new)
		if spoken = spoken || ok; row == nil {
			continue
		}
		rows = append(rows, row)
		f.citeOld("before", old.At)
		f.cite("after", new.At)
	}
	if !spoken {
		return nil
	}
	if len(rows) > 0 {
		f.Case = "changed"
	}
	f.Values["changes"], f.Count = rows, len(rows)
	return []Finding{f}
}

var kernelAspects = []aspect{
	{"kernel", func(m *fact.Machine) fact.Val[string] { return m.Platform.Kernel }},
	{"version", func(m *fact.Machine) fact.Val[string] { return m.Platform.Version }},
	{"os", func(m *fact.Machine) fact.Val[string] { return m.Platform.OS }},
	{"taint", func(m *fact.Machine) fact.Val[string] { return m.Platform.Tainted }},
}

// diffKernel compares the kernel and the distribution.
var diffKernel = Rule{
	ID: "diff-kernel", Area: Platform,
	Sources: []string{"proc-version", "os-release", "proc-tainted"},
	Keys:    []string{"changes"}, // what ("kernel", "version", "os", "taint"), before, after
	Cases:   changeCases,
	Compare: func(p *diff.Pair) []Finding { return compareAspects(p, kernelAspects) },
}

var platformAspects = []aspect{
	{"cpu", func(m *fact.Machine) fact.Val[string] { return m.Platform.CPU }},
	{"bios", func(m *fact.Machine) fact.Val[string] { return m.Platform.BIOSVersion }},
	{"bios-date", func(m *fact.Machine) fact.Val[string] { return m.Platform.BIOSDate }},
	{"microcode", func(m *fact.Machine) fact.Val[string] { return m.Platform.Microcode }},
}

// diffFirmware compares the processor and the versions of firmware, those of
// cards among them.
var diffFirmware = Rule{
	ID: "diff-firmware", Area: Platform,
	Sources: []string{"dmi", "microcode", "proc-cpuinfo", "netlink-devlink", "ethtool", "netlink-ethtool"},
	Keys:    []string{"changes"}, // what ("cpu", "bios", "bios-date", "microcode", "card"), before, after; of a card also device
	Cases:   changeCases,
	Compare: func(p *diff.Pair) []Finding {
		findings := compareAspects(p, platformAspects)
		cards := cardFirmware(p)
		switch {
		case len(cards.Subjects) == 0:
		case len(findings) == 0 || findings[0].Case == "same":
			findings = []Finding{cards}
		default:
			f := &findings[0]
			f.Values["changes"] = append(f.Values["changes"].([]map[string]any), cards.Values["changes"].([]map[string]any)...)
			f.Count += cards.Count
			f.Evidence = append(f.Evidence, cards.Evidence...)
		}
		return findings
	},
}

// cardFirmware compares what network ports say of their firmware.
func cardFirmware(p *diff.Pair) Finding {
	f := found("changed")
	rows := []map[string]any{}
	seen := map[string]bool{}
	for i := range p.New.Net {
		is := &p.New.Net[i]
		was := interfaceBefore(p, is)
		if is.Device == "" || was == nil || was.Ethtool == nil || is.Ethtool == nil {
			continue
		}
		row, _ := changed(p, "card", was.Ethtool.Firmware, is.Ethtool.Firmware)
		if row == nil || seen[is.Device] {
			continue
		}
		seen[is.Device] = true
		row["device"] = is.Device
		rows = append(rows, row)
		f.citeOld("before", was.Ethtool.Firmware.At)
		f.cite("after", is.Ethtool.Firmware.At)
	}
	if len(rows) > 0 {
		f.Subjects = []string{Machine}
	}
	f.Values["changes"], f.Count = rows, len(rows)
	return f
}

// startFile are the parameters that name what was started, not how: they change
// with every kernel.
var startFile = []string{"BOOT_IMAGE", "initrd"}

// diffCmdline compares the kernel's parameters.
var diffCmdline = Rule{
	ID: "diff-cmdline", Area: Platform,
	Sources: []string{"proc-cmdline", "dmesg", "kmsg", "journal-k"},
	Keys:    []string{"added", "removed"},
	Cases:   changeCases,
	Compare: func(p *diff.Pair) []Finding {
		old, new := bootLine(p.Old), bootLine(p.New)
		was, is, ok := bothRead(old, new)
		if !ok || !p.Identity.One() || cutShort(p.Old, old.At) || cutShort(p.New, new.At) {
			return nil
		}
		f := found("same", Machine)
		removed, added := without(parameters(was), parameters(is)), without(parameters(is), parameters(was))
		if len(added)+len(removed) > 0 {
			f.Case = "changed"
		}
		f.Values["added"], f.Values["removed"], f.Count = added, removed, len(added)+len(removed)
		f.citeOld("before", old.At)
		f.cite("after", new.At)
		return []Finding{f}
	},
}

func parameters(line string) []string {
	return slices.DeleteFunc(strings.Fields(line), func(word string) bool {
		name, _, _ := strings.Cut(word, "=")
		return slices.Contains(startFile, name)
	})
}

// without returns what a has and b has not, each as often as it is missing.
func without(a, b []string) []string {
	left := map[string]int{}
	for _, s := range b {
		left[s]++
	}
	out := []string{}
	for _, s := range a {
		if left[s]--; left[s] < 0 {
			out = append(out, s)
		}
	}
	return out
}

// diffModules compares the loaded modules.
var diffModules = Rule{
	ID: "diff-modules", Area: Platform,
	Sources: []string{"proc-modules"},
	Keys:    []string{"added", "removed"},
	Cases:   changeCases,
	Compare: func(p *diff.Pair) []Finding {
		was, is, ok := bothRead(p.Old.Platform.Modules, p.New.Platform.Modules)
		if !ok || !p.Identity.One() || interrupted(p.Old, "proc-modules") || interrupted(p.New, "proc-modules") {
			return nil
		}
		f := found("same", Machine)
		removed, added := without(was, is), without(is, was)
		if f.Count = len(added) + len(removed); f.Count > 0 {
			f.Case = "changed"
		}
		slices.Sort(added)
		slices.Sort(removed)
		f.Values["added"], f.Values["removed"] = added, removed
		f.citeOld("before", p.Old.Platform.Modules.At)
		f.cite("after", p.New.Platform.Modules.At)
		return []Finding{f}
	},
}
