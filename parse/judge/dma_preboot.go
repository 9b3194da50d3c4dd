package judge

import (
	"maps"
	"slices"
	"strings"

	"hwcap/parse/fact"
)

// dmaPreboot tells whether devices that are plugged in from outside, through
// Thunderbolt or USB4, are kept from memory by the IOMMU from before the boot
// on. The kernel sums it up in iommu_dma_protection
// (drivers/thunderbolt/domain.c, Documentation/admin-guide/thunderbolt.rst); it
// says yes only where the firmware asks for the protection in its table (DMAR
// platform opt-in, IVRS) and the IOMMU is on.
var dmaPreboot = Rule{
	ID:      "dma-preboot",
	Area:    Isolate,
	Sources: []string{"thunderbolt", "lspci-vvv", "pci", "dmesg", "kmsg", "journal-k"},
	// domains is a table: domain, protected, security ("" where it was not read).
	Keys: []string{"domains", "optIn"},
	Cases: []Case{
		{Name: "protected", Verdict: OK, Confidence: Observed},
		{Name: "opt-in", Verdict: OK, Confidence: Observed},
		{Name: "unprotected", Verdict: Problem, Severity: Info, Confidence: Observed},
		{Name: "not-captured", Verdict: Unknown},
	},
	Judge: judgeDMAPreboot,
}

func judgeDMAPreboot(m *fact.Machine) []Finding {
	f := found("not-captured", Machine)
	const folder = "sys/bus/thunderbolt/devices/"
	domains, open := []map[string]any{}, false
	for _, domain := range thunderboltDomains(m, folder) {
		protection := m.Setting(folder + domain + "/iommu_dma_protection")
		v, ok := protection.Get()
		if !ok {
			open = true
			continue
		}
		security, _ := m.Setting(folder + domain + "/security").Get()
		domains = append(domains, map[string]any{"domain": domain, "protected": v == "1", "security": security})
		f.cite("protection", protection.At)
		f.cite("security", m.Setting(folder+domain+"/security").At)
	}
	optIn := m.Log.Of("dmar-opt-in")
	f.citeNotes("opt-in", optIn)
	f.Values = map[string]any{"domains": domains, "optIn": len(optIn) > 0}
	switch {
	case slices.ContainsFunc(domains, func(d map[string]any) bool { return d["protected"] == false }):
		f.Case = "unprotected"
	case open, len(domains) > 0 && interrupted(m, "thunderbolt"):
	case len(domains) > 0:
		f.Case = "protected"
	case len(optIn) > 0:
		f.Case = "opt-in"
	default:
		controllers := slices.ContainsFunc(m.PCI, func(d fact.Device) bool { return d.Driver == "thunderbolt" || thunderbolt(&d) })
		if !controllers {
			return nil // no port to plug strangers in, as far as is known
		}
		for i := range m.PCI {
			if d := &m.PCI[i]; d.Driver == "thunderbolt" || thunderbolt(d) {
				f.cite("controller", d.From)
			}
		}
	}
	return []Finding{f}
}

// thunderboltDomains names the domains that the capture speaks of, each a
// controller and what hangs off it.
func thunderboltDomains(m *fact.Machine, folder string) []string {
	names := map[string]bool{}
	for _, e := range m.Lists[strings.TrimSuffix(folder, "/")].Entries {
		names[e.Name] = true
	}
	for path := range m.Settings {
		if rest, ok := strings.CutPrefix(path, folder); ok {
			name, _, _ := strings.Cut(rest, "/")
			names[name] = true
		}
	}
	maps.DeleteFunc(names, func(name string, _ bool) bool { return !strings.HasPrefix(name, "domain") })
	return slices.Sorted(maps.Keys(names))
}
