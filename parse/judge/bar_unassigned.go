package judge

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"hwcap/parse/fact"
)

// barUnassigned speaks of base address registers for which the kernel found no
// place. What counts is how they stand now: the kernel tries again, and its
// messages about failures that it then repaired stay in the log.
var barUnassigned = Rule{
	ID:      "bar-unassigned",
	Area:    Space,
	Sources: []string{"lspci-vvv", "pci", "dmesg", "kmsg", "journal-k"},
	// bars is the table of memory: bar, sizeBytes, kind; minor that of the case
	// minor: device, bars. reasons are words of package klog.
	Keys: []string{"bars", "reasons", "failures", "driver", "minor", "vfCount", "romCount", "ioCount", "windowCount", "deviceTree", "regionCount"},
	Cases: []Case{
		{Name: "memory", Verdict: Problem, Severity: Warning, Confidence: Observed},
		{Name: "minor", Verdict: Problem, Severity: Info, Confidence: Observed},
		{Name: "assigned", Verdict: OK, Confidence: Observed},
		{Name: "log-only", Verdict: Unknown},
		{Name: "not-captured", Verdict: Unknown},
	},
	Judge: judgeBARUnassigned,
}

// noPlace is a resource that has no address.
type noPlace struct {
	device, bar, space string // bar as the kernel names it; space: io, mem, pref
	what               string // the kernel's reason, where its log gives one
	size               int64  // bytes, 0 where not printed
	failures           int
	at                 []fact.Line
}

// major reports whether a driver needs the resource: memory of a device. Without
// its ROM, its port addresses and its virtual functions it works, and bridges have
// their registers in configuration space.
func (p noPlace) major(d *fact.Device) bool {
	return strings.HasPrefix(p.bar, "BAR") && p.space != "io" && (d == nil || !isBridge(d))
}

func judgeBARUnassigned(m *fact.Machine) []Finding {
	all, read, unsized := withoutPlace(m)
	byDevice := map[string][]noPlace{}
	var order []string
	minor := found("minor")
	for _, p := range all {
		if !p.major(m.Device(p.device)) {
			minor.addMinor(p)
			continue
		}
		card, _, _ := strings.Cut(p.device, ".") // functions of one card share a finding
		if byDevice[card] == nil {
			order = append(order, card)
		}
		byDevice[card] = append(byDevice[card], p)
	}
	var out []Finding
	for _, card := range order {
		out = append(out, memoryWithoutPlace(m, byDevice[card]))
	}
	if len(minor.Subjects) > 0 {
		minor.Count = len(minor.Subjects)
		out = append(out, minor)
	}
	switch {
	case len(out) > 0 || len(m.PCI) == 0:
		return out
	case read == 0 || unsized > 0 || !listsWhole(m):
		return []Finding{found("not-captured", Machine)}
	}
	f := found("assigned", Machine)
	f.Values["regionCount"] = read
	return []Finding{f}
}

func memoryWithoutPlace(m *fact.Machine, all []noPlace) Finding {
	f := found("memory")
	reasons, bars, failures := []string{}, []map[string]any{}, 0
	for _, p := range all {
		if !slices.Contains(f.Subjects, p.device) {
			f.Subjects = append(f.Subjects, p.device)
		}
		bars = append(bars, map[string]any{"bar": p.bar, "sizeBytes": p.size, "kind": p.space})
		if p.what != "" && !slices.Contains(reasons, p.what) {
			reasons = append(reasons, p.what)
		}
		failures += p.failures
		f.cite("bar", p.at...)
	}
	f.Values = map[string]any{"bars": bars, "reasons": reasons, "failures": failures, "driver": "", "deviceTree": deviceTree(m)}
	if d := m.Device(f.Subjects[0]); d != nil {
		f.Values["driver"] = d.Driver
	} else {
		f.Case = "log-only" // it may be a bridge, which does without
	}
	return f
}

// addMinor adds a resource to the finding on those that nothing suffers from.
func (f *Finding) addMinor(p noPlace) {
	if f.Values["minor"] == nil {
		f.Values = map[string]any{"minor": []map[string]any{}, "vfCount": 0, "romCount": 0, "ioCount": 0, "windowCount": 0}
	}
	count := "windowCount"
	switch {
	case strings.HasPrefix(p.bar, "VF"):
		count = "vfCount"
	case p.bar == "ROM":
		count = "romCount"
	case p.bar != "bridge window" && p.space == "io":
		count = "ioCount"
	}
	f.Values[count] = f.Values[count].(int) + 1
	rows := f.Values["minor"].([]map[string]any)
	if n := len(rows); n > 0 && rows[n-1]["device"] == p.device {
		rows[n-1]["bars"] = append(rows[n-1]["bars"].([]string), p.bar)
	} else {
		f.Subjects = append(f.Subjects, p.device)
		f.Values["minor"] = append(rows, map[string]any{"device": p.device, "bars": []string{p.bar}})
	}
	f.cite("bar", p.at...)
}

// withoutPlace returns the resources that have no address now, by device, how
// many regions the lists have, and of how many of these nothing but the lack of an
// address is known.
func withoutPlace(m *fact.Machine) (out []noPlace, read, unsized int) {
	failed := map[string][]fact.Note{}
	for _, n := range m.Log.Of("bar-failed") {
		failed[n.Device] = append(failed[n.Device], n)
	}
	for i := range m.PCI {
		d := &m.PCI[i]
		if isVF(d) || silent(d) {
			continue // the addresses of virtual functions stand in their physical function
		}
		read += len(d.Regions)
		for _, r := range d.Regions {
			if r.State != "unassigned" {
				continue
			}
			p := noPlace{device: d.Address, bar: barOf(r), space: r.Kind, size: r.Size, at: []fact.Line{r.At}}
			n := messageOn(failed[d.Address], p.bar)
			switch {
			case n != nil:
				p.take(n)
			case r.Size == 0: // registers alone, in which zero need not be an address that is missing
				unsized++
				continue
			}
			out = append(out, p)
		}
		for _, n := range failed[d.Address] {
			if logCounts(m, d, n) {
				p := noPlace{device: d.Address, bar: n.Fields["bar"], space: n.Fields["space"], size: resourceSize(n.Fields["resource"])}
				p.take(&n)
				out = append(out, p)
			}
		}
	}
	if len(m.PCI) == 0 || !listsWhole(m) { // nothing but the log tells of the others
		for _, n := range m.Log.Of("bar-failed") {
			p := noPlace{device: n.Device, bar: n.Fields["bar"], space: n.Fields["space"], size: resourceSize(n.Fields["resource"])}
			if m.Device(n.Device) == nil && placeless(n) && p.major(nil) {
				p.take(&n)
				out = append(out, p)
			}
		}
		slices.SortStableFunc(out, func(a, b noPlace) int { return strings.Compare(a.device, b.device) })
	}
	return out, read, unsized
}

// take adds what a message says.
func (p *noPlace) take(n *fact.Note) {
	p.what = n.Fields["what"]
	p.failures, _ = strconv.Atoi(n.Fields["failures"])
	p.failures = max(1, p.failures)
	p.size = cmp.Or(p.size, resourceSize(n.Fields["resource"])) // which lspci does not print without an address
	p.at = append(p.at, n.At)
}

func messageOn(notes []fact.Note, bar string) *fact.Note {
	for i, n := range notes {
		if n.Fields["bar"] == bar {
			return &notes[i]
		}
	}
	return nil
}

// logCounts reports whether a message on d tells of a resource that still has no
// place: the lists speak of none of that name. They do not print the BARs of
// virtual functions that have no address, nor those of which lspci -v leaves out
// the number.
func logCounts(m *fact.Machine, d *fact.Device, n fact.Note) bool {
	bar := n.Fields["bar"]
	switch {
	case !placeless(n):
		return false
	case bar == "bridge window":
		return !slices.ContainsFunc(d.Windows, func(w fact.Window) bool {
			kind := n.Fields["space"]
			return w.Open && (w.Kind == kind || w.Kind == "pref" && kind == "mem")
		})
	case strings.HasPrefix(bar, "VF"):
		return d.SRIOV == nil || d.SRIOV.NumVFs == 0
	}
	numbered := func(r fact.Region) bool { return r.Index >= 0 && barOf(r) == bar }
	unnumbered := func(r fact.Region) bool { return r.Index < 0 }
	missing := func(r fact.Region) bool { return r.Index < 0 && r.State == "unassigned" }
	return !slices.ContainsFunc(d.Regions, numbered) &&
		(!slices.ContainsFunc(d.Regions, unnumbered) || slices.ContainsFunc(d.Regions, missing))
}

// placeless reports whether a message says that a resource ended without a place.
// One whose place by the firmware was refused gets another one. A driver that
// tries to enlarge a BAR frees it first and gets the old one back: that is for
// rebar-size.
func placeless(n fact.Note) bool {
	switch n.Fields["what"] {
	case "not-claimed", "not-assigned":
		return true
	case "no-space", "failed", "alignment":
		return n.Driver == "" || n.Driver == "pci" || n.Driver == "pcieport"
	}
	return false
}

// resourceSize reads the size of a resource as %pR prints it: "[mem size
// 0x800000000 64bit pref]" without an address, "[mem 0xa0000000-0xa0ffffff]"
// with one. 0 for everything else.
func resourceSize(resource string) int64 {
	fields := strings.Fields(strings.Trim(resource, "[]"))
	if len(fields) < 2 {
		return 0
	}
	if fields[1] == "size" && len(fields) > 2 {
		n, _ := hexNumber(fields[2])
		return int64(min(n, 1<<62))
	}
	from, to, _ := strings.Cut(fields[1], "-")
	start, ok := hexNumber(from)
	end, also := hexNumber(to)
	if !ok || !also || end < start || end-start >= 1<<62 {
		return 0
	}
	return int64(end - start + 1)
}
