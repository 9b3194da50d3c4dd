package judge

import (
	"slices"
	"strings"

	"hwcap/parse/fact"
)

// msiFallback names devices whose driver works with the old interrupt lines
// although the device can send messages (MSI, MSI-X), and interrupts that nobody
// wanted: once 99,900 of 100,000 went unhandled, the kernel switches the line off
// for all who share it (note_interrupt in kernel/irq/spurious.c).
var msiFallback = Rule{
	ID:      "msi-fallback",
	Area:    Links,
	Sources: []string{"lspci-vvv", "pci", "net", "proc-cmdline", "dmesg", "kmsg", "journal-k"},
	// drivers are those of the devices; irq is the line that nobody wanted.
	Keys: []string{"devices", "drivers", "irq", "parameters", "checked", "nobody"},
	Cases: []Case{
		{Name: "nobody-cared", Verdict: Problem, Severity: Warning, Confidence: Observed},
		{Name: "line", Verdict: Problem, Severity: Notice, Confidence: Observed},
		{Name: "messages", Verdict: OK, Confidence: Observed},
		{Name: "not-readable", Verdict: Unknown},
	},
	Judge: judgeMSIFallback,
}

func judgeMSIFallback(m *fact.Machine) []Finding {
	findings := nobodyCared(m)
	line, ok := found("line"), found("messages", Machine)
	drivers, denied := []string{}, found("not-readable", Machine)
	unread := 0
	for i := range m.PCI {
		d := &m.PCI[i]
		if !wantsMessages(m, d) {
			continue
		}
		msi, hasMSI := d.MSI.Get()
		msix, hasMSIX := d.MSIX.Get()
		switch {
		case d.CapsState == fact.Denied:
			unread++
			denied.cite("denied", d.Refused())
		case !hasMSI && !hasMSIX: // it cannot, or nothing printed it
		case !msi && !msix && d.DisINTx.V: // no line either: nothing is fallen back to
		case msi || msix:
			if ok.Count++; ok.Count == 1 {
				ok.cite("messages", d.MSIX.At, d.MSI.At)
			}
		default:
			line.Subjects = append(line.Subjects, d.Address)
			line.cite("line", d.MSI.At, d.MSIX.At)
			if !slices.Contains(drivers, d.Driver) {
				drivers = append(drivers, d.Driver)
			}
		}
	}
	parameters := wordsOf(bootLine(m).V, "pci")
	parameters = slices.DeleteFunc(parameters, func(w string) bool {
		_, list, _ := strings.Cut(w, "=")
		return !slices.Contains(strings.Split(list, ","), "nomsi")
	})
	values := func(checked int) map[string]any {
		return map[string]any{"devices": slices.Clone(line.Subjects), "drivers": drivers, "irq": "", "parameters": parameters, "checked": checked, "nobody": 0}
	}
	line.Count = len(line.Subjects)
	switch {
	case len(line.Subjects) > 0:
		line.Values = values(ok.Count + line.Count)
		if len(parameters) > 0 {
			line.cite("parameter", bootLine(m).At)
		}
		findings = append(findings, line)
	case unread > 0:
		denied.Values = values(0)
		findings = append(findings, denied)
	case len(findings) == 0 && ok.Count > 0 && logFromBoot(m) && !interrupted(m, "lspci-vvv", "pci"):
		ok.Values = values(ok.Count)
		findings = append(findings, ok)
	}
	return findings
}

// nobodyCared makes a finding of each interrupt line that was switched off, on
// the devices that sysfs says share it.
func nobodyCared(m *fact.Machine) []Finding {
	var findings []Finding
	for _, n := range m.Log.Of("irq-nobody-cared") {
		irq := n.Fields["irq"]
		i := slices.IndexFunc(findings, func(f Finding) bool { return f.Values["irq"] == irq })
		if i >= 0 {
			findings[i].Count += n.Times()
			findings[i].Values["nobody"] = findings[i].Count
			continue
		}
		f := found("nobody-cared", Machine)
		drivers, devices := []string{}, []string{}
		for j := range m.PCI {
			d := &m.PCI[j]
			setting := m.Setting("sys/bus/pci/devices/" + d.Address + "/irq")
			if v, ok := setting.Get(); !ok || v != irq || d.MSI.V || d.MSIX.V {
				continue
			}
			devices = append(devices, d.Address)
			f.cite("shared", setting.At)
			if d.Driver != "" && !slices.Contains(drivers, d.Driver) {
				drivers = append(drivers, d.Driver)
			}
		}
		f.Count = n.Times()
		f.cite("nobody", n.At)
		f.Values = map[string]any{"devices": devices, "drivers": drivers, "irq": irq, "parameters": []string{}, "checked": 0, "nobody": f.Count}
		findings = append(findings, f)
	}
	return findings
}

// wantsMessages reports whether d is of a kind whose driver asks for messages as
// long as it works: storage, network that is up, accelerators, USB 3. Graphics
// and sound drivers may leave them off on purpose, SMBus and the like always do.
func wantsMessages(m *fact.Machine, d *fact.Device) bool {
	if d.Driver == "" || slices.Contains(passThrough, d.Driver) || isVF(d) || silent(d) || imitated(d) || sleepsOrUnknown(d) {
		return false
	}
	if s := d.Sysfs; s != nil && s.Runtime.V == "suspended" {
		return false
	}
	if power, _ := d.Power.Get(); strings.HasPrefix(power, "D3") {
		return false
	}
	switch {
	case strings.HasPrefix(d.Class, "02"):
		return interfaceUp(m, d)
	case d.Class == "0101": // IDE: its interrupt lines are fixed
		return false
	case d.Class == "0c03":
		return d.ProgIf == "30" // xHCI
	}
	return storage(d) || strings.HasPrefix(d.Class, "12")
}

// interfaceUp reports whether an interface of d has its link. Some drivers ask
// for interrupts only when it is brought up.
func interfaceUp(m *fact.Machine, d *fact.Device) bool {
	return slices.ContainsFunc(m.Net, func(i fact.Interface) bool {
		carrier, _ := i.Carrier.Get()
		return i.Device == d.Address && carrier == "1"
	})
}
