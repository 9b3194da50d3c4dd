package judge

import (
	"maps"
	"slices"
	"strings"

	"hwcap/parse/fact"
)

var dpcState = Rule{
	ID: "dpc-state", Area: Errors,
	Sources: []string{"dmesg", "kmsg", "journal-k", "pci-port-drivers", "lspci-vvv"},
	Keys:    []string{"ports", "portCount", "reasons", "below", "removed", "byFirmware", "capableCount", "missing"},
	Cases: []Case{
		{Name: "event", Verdict: Problem, Severity: Critical, Confidence: Observed},
		{Name: "recovered", Verdict: Problem, Severity: Notice, Confidence: Observed},
		{Name: "removed", Verdict: Problem, Severity: Info, Confidence: Derived},
		{Name: "event-open", Verdict: Unknown, Confidence: Observed},
		{Name: "active", Verdict: OK, Confidence: Observed},
		{Name: "firmware", Verdict: Problem, Severity: Info, Confidence: Derived},
		{Name: "off", Verdict: Problem, Severity: Info, Confidence: Observed},
		{Name: "unread", Verdict: Unknown, Confidence: Observed},
	},
	Judge: judgeDPC,
}

// judgeDPC says who contains errors below a port (Downstream Port Containment:
// the port cuts its link before bad data travels on), and gives a finding for
// each port that did.
func judgeDPC(m *fact.Machine) []Finding {
	events := containmentEvents(m)
	var out []Finding
	for _, port := range slices.Sorted(maps.Keys(events)) {
		out = append(out, containment(m, port, events[port]))
	}
	if !onBareMetal(m) { // a guest's ports are made up
		return out
	}
	if f, ok := containmentOwner(m); ok {
		out = append(out, f)
	}
	return out
}

// containmentEvents returns the kernel's messages on containment by port. Where
// the firmware does it, the event comes in at a port above, and the kernel asks
// which one it was (drivers/pci/pcie/edr.c): that event counts only where the
// kernel then printed nothing of the port itself.
func containmentEvents(m *fact.Machine) map[string][]fact.Note {
	events, firmware := map[string][]fact.Note{}, map[string][]fact.Note{}
	var edr *fact.Note
	for _, n := range m.Log.Of("dpc-event", "edr") {
		switch {
		case n.Kind == "dpc-event":
			events[n.Device] = append(events[n.Device], n)
		case n.Fields["what"] == "event":
			edr = &n
			firmware[n.Device] = append(firmware[n.Device], n)
		case n.Fields["what"] == "reported" && edr != nil && edr.Device == n.Device:
			list := firmware[n.Device]
			firmware[n.Device] = list[:len(list)-1]
			firmware[n.Fields["reported"]] = append(firmware[n.Fields["reported"]], *edr)
			edr = nil
		}
	}
	for port, notes := range firmware {
		if len(events[port]) == 0 && len(notes) > 0 {
			events[port] = notes
		}
	}
	return events
}

// containment judges what came of the events at one port.
func containment(m *fact.Machine, port string, events []fact.Note) Finding {
	f := found("event", port)
	reasons := []string{}
	for _, n := range events {
		f.Count += n.Times()
		if r := strings.TrimSpace(n.Fields["reason"]); r != "" && !slices.Contains(reasons, r) {
			reasons = append(reasons, r)
		}
	}
	f.cite("event", events[0].At)
	if len(events) > 1 {
		f.cite("event", events[len(events)-1].At)
	}
	below := firstBelow(m, port)
	f.Values["reasons"], f.Values["below"], f.Values["removed"] = reasons, below, ""

	last := events[len(events)-1]
	var recovery, byHand *fact.Note
	after := false
	for _, n := range m.Log.Notes {
		if n.Boot != 0 {
			continue
		}
		after = after || n.At == last.At
		here := n.Device == port || below != "" && n.Device == below
		switch {
		case !here:
		case n.Kind == "pciehp-button" || n.Kind == "pciehp-card-absent":
			byHand = &n
		case !after:
		case n.Kind == "pciehp-card-present" || n.Kind == "pciehp-link-up":
			recovery, byHand = &n, nil
		case n.Kind == "aer-recovery" && n.Fields["result"] == "successful",
			n.Kind == "edr" && n.Fields["what"] == "recovered",
			n.Kind == "pciehp-ignored":
			recovery = &n
		case n.Kind == "aer-recovery" && (n.Fields["result"] == "failed" || n.Fields["result"] == "cannot"),
			n.Kind == "edr" && n.Fields["what"] == "failed":
			recovery = nil
		}
	}
	listed := m.Complete("lspci-vvv") || m.Complete("pci")
	device := m.Device(below)
	switch {
	case byHand != nil:
		f.Case = "removed"
		f.Values["removed"] = byHand.Kind
		f.cite("removed", byHand.At)
	case recovery != nil:
		f.Case = "recovered"
		f.cite("recovery", recovery.At)
	case hasManifest(m) && !listed || m.Log.State == fact.Truncated:
		f.Case = "event-open"
		f.citeSource(m, "missing", "lspci-vvv")
	case hasManifest(m) && device != nil && !silent(device):
		f.Case = "recovered"
		f.cite("recovery", device.From)
	}
	return f
}

// containmentOwner says who contains errors where nothing happened.
func containmentOwner(m *fact.Machine) (f Finding, ok bool) {
	linux := containmentPorts(m)
	var capable, armed []string
	var at []fact.Line
	denied := false
	for i := range m.PCI {
		d := &m.PCI[i]
		denied = denied || d.CapsState == fact.Denied
		if d.DPC == nil {
			continue
		}
		capable = append(capable, d.Address)
		if d.DPC.Ctl.Has("Trigger") && !slices.Contains(linux, d.Address) {
			armed = append(armed, d.Address)
			at = append(at, d.DPC.Ctl.At...)
		}
	}
	f = found("active", Machine)
	ports := portsWithAER(m)
	switch {
	case len(linux) > 0:
		f.Values["ports"] = linux
		f.cite("ports", containmentLines(m)...)
	case len(capable) == 0:
		return f, false
	case !ports.listed || denied || !m.Complete("lspci-vvv"):
		if !hasManifest(m) {
			return f, false
		}
		f.Case = "unread"
		f.Values["ports"] = capable
		f.citeSource(m, "missing", "pci-port-drivers")
	case len(armed) > 0:
		f.Case = "firmware"
		f.Values["ports"] = armed
		f.cite("armed", at...)
	default:
		f.Case = "off"
		f.Values["ports"] = capable
		f.cite("capability", m.Device(capable[0]).DPC.At)
	}
	f.Values["portCount"] = len(f.Values["ports"].([]string))
	f.Values["capableCount"] = len(capable)
	return f, true
}

// containmentLines returns what shows the ports of containmentPorts, a few of
// them.
func containmentLines(m *fact.Machine) []fact.Line {
	var lines []fact.Line
	for _, d := range m.PortDrivers {
		if d.Service == "dpc" {
			for _, e := range d.Ports {
				lines = append(lines, e.At)
			}
		}
	}
	for _, n := range m.Log.Of("dpc-enabled") {
		lines = append(lines, n.At)
	}
	const few = 4
	return lines[:min(few, len(lines))]
}
