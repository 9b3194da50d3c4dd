package judge

import (
	"cmp"
	"slices"
	"strings"

	"hwcap/parse/fact"
)

// driverNotBound names devices that no driver has although the kernel has a
// module for them, and why, as far as the log tells. lspci takes the modules
// from modules.alias, the driver from sysfs. What has a rule of its own is left
// to it: QuickAssist, VMD, devices that sleep or are gone.
var driverNotBound = Rule{
	ID:      "driver-not-bound",
	Area:    Links,
	Sources: []string{"lspci-vvv", "pci", "proc-cmdline", "dmesg", "kmsg", "journal-k"},
	// devices is a table: address, modules, error (errno, 0 for none known), file
	// (firmware that did not load). parameters are words of the command line that
	// keep drivers away.
	Keys: []string{"devices", "modules", "errors", "files", "parameters"},
	Cases: []Case{
		{Name: "failed", Verdict: Problem, Severity: Warning, Confidence: Observed},
		{Name: "unbound", Verdict: Problem, Severity: Warning, Confidence: Derived},
		{Name: "chosen", Verdict: Problem, Severity: Info, Confidence: Derived},
		{Name: "minor", Verdict: Problem, Severity: Info, Confidence: Derived},
		{Name: "choice-open", Verdict: Unknown},
		{Name: "log-only", Verdict: Unknown},
		{Name: "bound", Verdict: OK, Confidence: Observed},
	},
	Judge: judgeDriverNotBound,
}

func judgeDriverNotBound(m *fact.Machine) []Finding {
	var findings []Finding
	bound, open, listed := 0, interrupted(m, "lspci-vvv", "pci"), false
	first := fact.Line{}
	for i := range m.PCI {
		d := &m.PCI[i]
		switch {
		case strings.HasPrefix(d.Class, "06"), isVF(d), silent(d), isVMD(d), sleepsOrUnknown(d):
			continue // bridges need none; the others are not the question here
		case d.Driver != "":
			bound++
			listed = listed || len(d.Modules) > 0 // only lspci tells of modules
			if first.IsZero() {
				first = d.From
			}
			continue
		case !d.DriverKnown:
			open = true
			continue
		case len(d.Modules) == 0:
			continue // no module claims it: there is none to miss
		}
		if chip, _ := qatChipOf(d); chip != nil {
			continue
		}
		f := unboundFinding(m, d)
		j := slices.IndexFunc(findings, func(o Finding) bool {
			return o.Case == f.Case && (f.Case == "minor" || f.Case == "chosen" || f.Case == "choice-open" || sameCard(m, o.Subjects[0], d))
		})
		if j < 0 {
			findings = append(findings, f)
			continue
		}
		findings[j].joinUnbound(f)
	}
	if len(m.PCI) == 0 {
		return gaveUpFinding(m)
	}
	if len(findings) == 0 && listed && !open {
		f := found("bound", Machine)
		f.Count = bound
		f.Values = map[string]any{"devices": []map[string]any{}, "modules": []string{}, "errors": []string{}, "files": []string{}, "parameters": []string{}}
		f.cite("first", first)
		findings = append(findings, f)
	}
	return findings
}

// gaveUpFinding speaks of drivers that gave up, where no list tells whether
// another try went better.
func gaveUpFinding(m *fact.Machine) []Finding {
	f := found("log-only")
	rows, drivers, errors := []map[string]any{}, []string{}, []string{}
	for _, n := range m.Log.Of("probe-failed", "bar-busy") {
		if !isFunction(n.Device) || slices.Contains(f.Subjects, n.Device) {
			continue
		}
		driver := cmp.Or(n.Fields["driver"], n.Fields["module"], n.Driver)
		number := strings.TrimPrefix(n.Fields["error"], "-") // of bar-busy, none
		f.Subjects = append(f.Subjects, n.Device)
		rows = append(rows, map[string]any{"address": n.Device, "modules": []string{driver}, "error": number, "file": ""})
		if !slices.Contains(drivers, driver) {
			drivers = append(drivers, driver)
		}
		if number != "" && !slices.Contains(errors, number) {
			errors = append(errors, number)
		}
		f.cite("probe", n.At)
	}
	if len(rows) == 0 {
		return nil
	}
	f.Count = len(rows)
	f.Values = map[string]any{"devices": rows, "modules": drivers, "errors": errors, "files": []string{}, "parameters": []string{}}
	return []Finding{f}
}

// isFunction reports whether the name of a device is that of a PCI function, and
// not of another bus ("0003:0B05:19B6.0006").
func isFunction(name string) bool {
	_, place, ok := strings.Cut(name, ":")
	return ok && len(place) == len("04:00.0") && place[5] == '.'
}

// unboundFinding speaks of one function without a driver.
func unboundFinding(m *fact.Machine, d *fact.Device) Finding {
	f := found("minor", d.Address)
	row := map[string]any{"address": d.Address, "modules": d.Modules, "error": "", "file": ""}
	f.Values = map[string]any{
		"devices": []map[string]any{row}, "modules": slices.Clone(d.Modules), "errors": []string{}, "files": []string{},
		"parameters": []string{},
	}
	f.Count = 1
	f.cite("device", d.From)
	failed := false
	for _, n := range m.Log.Of("probe-failed") {
		if n.Device == d.Address {
			failed = true
			row["error"] = strings.TrimPrefix(n.Fields["error"], "-")
			f.Values["errors"] = []string{row["error"].(string)}
			f.cite("probe", n.At)
		}
	}
	for _, n := range m.Log.Of("firmware-load-failed") {
		if n.Device == d.Address {
			failed = true
			row["file"] = n.Fields["file"]
			f.Values["files"] = []string{n.Fields["file"]}
			f.cite("firmware", n.At)
		}
	}
	kept := keptAway(m, d)
	switch {
	case !matters(d):
	case len(kept) > 0 && !failed:
		f.Case = "chosen"
		f.Values["parameters"] = kept
		f.cite("parameter", bootLine(m).At)
	case failed:
		f.Case = "failed"
	case bootLine(m).State != fact.Present: // it may say that somebody wants it so
		f.Case = "choice-open"
	default:
		f.Case = "unbound"
	}
	return f
}

// joinUnbound adds a function of which the same holds.
func (f *Finding) joinUnbound(g Finding) {
	f.Subjects = append(f.Subjects, g.Subjects...)
	f.Count += g.Count
	f.Values["devices"] = append(f.Values["devices"].([]map[string]any), g.Values["devices"].([]map[string]any)...)
	for _, key := range []string{"modules", "errors", "files", "parameters"} {
		for _, v := range g.Values[key].([]string) {
			if !slices.Contains(f.Values[key].([]string), v) {
				f.appendName(key, v)
			}
		}
	}
	f.Evidence = append(f.Evidence, g.Evidence...)
}

// matters reports whether a machine misses d: storage, network, graphics,
// accelerators. The console of a management controller works without a driver,
// and what a virtual machine imitates is often there for other systems' sake.
func matters(d *fact.Device) bool {
	return !imitated(d) && (storage(d) || strings.HasPrefix(d.Class, "02") || graphics(d) && !consoleOnly(d) ||
		d.Class == "0b40" || strings.HasPrefix(d.Class, "12"))
}

// keptAway returns the words of the command line by which somebody keeps the
// drivers of d off it.
func keptAway(m *fact.Machine, d *fact.Device) []string {
	words := []string{}
	line := bootLine(m).V
	for _, w := range wordsOf(line, "module_blacklist", "modprobe.blacklist", "rd.driver.blacklist", "nomodeset", "vfio-pci.ids", "vfio_pci.ids", "pci-stub.ids", "xen-pciback.hide") {
		name, value, _ := strings.Cut(w, "=")
		list := strings.Split(strings.ReplaceAll(value, "-", "_"), ",")
		hit := false
		switch {
		case name == "nomodeset":
			hit = graphics(d)
		case strings.HasSuffix(name, ".ids"):
			hit = d.Vendor != "" && strings.Contains(value, d.Vendor+":"+d.Device)
		case name == "xen-pciback.hide":
			hit = strings.Contains(value, strings.TrimPrefix(d.Address, "0000:"))
		default:
			hit = slices.ContainsFunc(d.Modules, func(mod string) bool { return slices.Contains(list, strings.ReplaceAll(mod, "-", "_")) })
		}
		if hit {
			words = append(words, w)
		}
	}
	return words
}

// sleepsOrUnknown reports whether d saves power without a driver, or was not
// read far enough to have a class.
func sleepsOrUnknown(d *fact.Device) bool {
	if d.Class == "" {
		return true
	}
	if s := d.Sysfs; s != nil {
		state, _ := s.PowerState.Get()
		return state == "D3cold"
	}
	return false
}

// sameCard reports whether d is a function of the device at address.
func sameCard(m *fact.Machine, address string, d *fact.Device) bool {
	o := m.Device(address)
	return o != nil && place(o) == place(d)
}
