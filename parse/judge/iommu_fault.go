package judge

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"hwcap/parse/fact"
)

// iommuFault gathers the accesses that the IOMMU turned away, one finding for
// each device and reason. The lines: dmar_fault_do_one in
// drivers/iommu/intel/dmar.c, amd_iommu_report_page_fault in
// drivers/iommu/amd/iommu.c, arm_smmu_dump_event in
// drivers/iommu/arm/arm-smmu-v3. All are rate-limited, so that a count is the
// least there were.
var iommuFault = Rule{
	ID:      "iommu-fault",
	Area:    Isolate,
	Sources: []string{"dmesg", "kmsg", "journal-k", "iommu-groups", "lspci-vvv", "pci", "proc-cpuinfo"},
	// addresses are the first few, as printed; highIOVA tells that all are where
	// the kernel starts to hand out addresses, reserved that one is in a region
	// that the firmware keeps for a device. events are what the unit reports of
	// itself.
	Keys: []string{"device", "unit", "driver", "access", "reason", "vendor", "addresses", "highIOVA", "reserved",
		"faults", "hasTime", "firstSeconds", "lastSeconds", "logSeconds", "guest", "events"},
	Cases: []Case{
		{Name: "boot", Verdict: Problem, Severity: Notice, Confidence: Observed},
		{Name: "running", Verdict: Problem, Severity: Warning, Confidence: Observed},
		{Name: "undated", Verdict: Problem, Severity: Notice, Confidence: Observed},
		{Name: "unit", Verdict: Problem, Severity: Warning, Confidence: Observed},
		{Name: "none", Verdict: OK, Confidence: Observed},
		{Name: "log-incomplete", Verdict: Unknown},
	},
	Judge: judgeIOMMUFault,
}

// bootSeconds is how long after the start of the kernel a fault counts as one of
// the boot: firmware that goes on using a device, or a driver that takes over.
const bootSeconds = 60

// shownAddresses is how many addresses a finding names.
const shownAddresses = 4

// faultKey is what one finding is about.
type faultKey struct{ device, unit, reason, access string }

func judgeIOMMUFault(m *fact.Machine) []Finding {
	by := map[faultKey][]fact.Note{}
	var order []faultKey
	for _, n := range m.Log.Of("iommu-fault") {
		k := faultKey{n.Device, "", cmp.Or(n.Fields["reason"], n.Fields["name"]), strings.ToLower(n.Fields["access"])}
		if n.Device == "" {
			k.unit = n.Fields["unit"]
		}
		if by[k] == nil {
			order = append(order, k)
		}
		by[k] = append(by[k], n)
	}
	var findings []Finding
	for _, k := range order {
		findings = append(findings, faultFinding(m, k, by[k]))
	}
	if f, ok := unitEvents(m); ok {
		findings = append(findings, f)
	}
	if len(findings) > 0 || !translates(m) {
		return findings
	}
	f := found("none", Machine)
	if !logFromBoot(m) {
		f.Case = "log-incomplete"
	}
	f.citeSource(m, "groups", "iommu-groups")
	f.Values = faultValues(m)
	return []Finding{f}
}

// faultFinding speaks of the faults of one device for one reason.
func faultFinding(m *fact.Machine, k faultKey, notes []fact.Note) Finding {
	f := found("running", cmp.Or(k.device, Machine))
	f.Values = faultValues(m)
	first, last, timed := spanOf(notes)
	f.Values["hasTime"], f.Values["firstSeconds"], f.Values["lastSeconds"] = timed, first, last
	f.Values["device"], f.Values["unit"], f.Values["reason"], f.Values["access"] = k.device, k.unit, k.reason, k.access
	f.Values["vendor"] = notes[0].Fields["vendor"]
	if d := m.Device(k.device); d != nil {
		f.Values["driver"] = d.Driver
	}
	addresses, high := []string{}, true
	for _, n := range notes {
		f.Count += n.Times()
		address := n.Fields["address"]
		if address == "" {
			continue
		}
		if len(addresses) < shownAddresses && !slices.Contains(addresses, address) {
			addresses = append(addresses, address)
		}
		at, ok := hexAddress(address)
		high = high && ok && at>>20 == 0xfff // the last MiB below 4 GiB
		if region, ok := reservedAt(m, at); ok {
			f.Values["reserved"] = true
			f.cite("region", region)
		}
	}
	f.Values["faults"], f.Values["addresses"], f.Values["highIOVA"] = f.Count, addresses, high && len(addresses) > 0
	f.cite("fault", notes[0].At)
	if len(notes) > 1 {
		f.cite("last", notes[len(notes)-1].At)
	}
	switch {
	case !timed:
		f.Case = "undated"
	case last <= bootSeconds:
		f.Case = "boot"
	}
	return f
}

// unitEvents gathers what the IOMMUs report of themselves: tables or commands
// that they could not read, commands that timed out.
func unitEvents(m *fact.Machine) (Finding, bool) {
	f := found("unit", Machine)
	f.Values = faultValues(m)
	notes := m.Log.Of("iommu-event", "dmar-timeout")
	events := []string{}
	for _, n := range notes {
		f.Count += n.Times()
		event := cmp.Or(n.Fields["event"], "invalidation-timeout")
		if !slices.Contains(events, event) {
			events = append(events, event)
			f.cite("event", n.At)
		}
	}
	f.Values["faults"], f.Values["events"] = f.Count, events
	f.Values["firstSeconds"], f.Values["lastSeconds"], f.Values["hasTime"] = spanOf(notes)
	return f, len(notes) > 0
}

func faultValues(m *fact.Machine) map[string]any {
	last, _ := m.Log.Last.Get()
	return map[string]any{
		"device": "", "unit": "", "driver": "", "access": "", "reason": "", "vendor": "", "addresses": []string{},
		"highIOVA": false, "reserved": false, "faults": 0, "hasTime": false, "firstSeconds": 0.0, "lastSeconds": 0.0,
		"logSeconds": last, "guest": isGuest(m), "events": []string{},
	}
}

// translates reports whether an IOMMU manages devices, so that there is someone
// to turn accesses away.
func translates(m *fact.Machine) bool {
	return slices.ContainsFunc(m.IOMMU.Groups, func(g fact.Group) bool {
		kind := groupKind(g)
		return kind == "dma" || kind == "other"
	})
}

// reservedAt finds the region that the firmware keeps for a device (RMRR) which
// holds address.
func reservedAt(m *fact.Machine, address uint64) (at fact.Line, ok bool) {
	for _, n := range m.Log.Of("dmar-rmrr") {
		base, ok1 := hexAddress(n.Fields["base"])
		end, ok2 := hexAddress(n.Fields["end"])
		if ok1 && ok2 && base <= address && address <= end {
			return n.At, true
		}
	}
	return fact.Line{}, false
}

// hexAddress reads "0xffffe000", or the same without 0x.
func hexAddress(s string) (uint64, bool) {
	v, err := strconv.ParseUint(strings.TrimPrefix(s, "0x"), 16, 64)
	return v, err == nil
}
