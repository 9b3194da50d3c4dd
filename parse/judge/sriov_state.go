package judge

import (
	"slices"
	"strings"

	"hwcap/parse/fact"
)

// sriovState tells which devices can split themselves into virtual functions,
// which do, and where it failed (drivers/pci/iov.c).
var sriovState = Rule{
	ID:      "sriov-state",
	Area:    Space,
	Sources: []string{"lspci-vvv", "pci", "dmesg", "kmsg", "journal-k"},
	// devices is the table of offered and active: device, total, active, ari
	// ("on", "off", "" not read); silent the addresses that answered with nothing.
	Keys: []string{"devices", "total", "active", "ari", "port", "reason", "requested", "enabled", "error", "silent", "above4G", "deviceTree"},
	Cases: []Case{
		{Name: "failed", Verdict: Problem, Severity: Warning, Confidence: Observed},
		{Name: "no-ari", Verdict: Problem, Severity: Warning, Confidence: Derived},
		{Name: "silent", Verdict: Problem, Severity: Warning, Confidence: Derived},
		{Name: "active", Verdict: Problem, Severity: Info, Confidence: Observed},
		{Name: "offered", Verdict: Problem, Severity: Info, Confidence: Observed},
		{Name: "unread", Verdict: Unknown},
	},
	Judge: judgeSRIOV,
}

// physical is a function that offers virtual ones.
type physical struct {
	address       string
	total, active int
	known         bool   // active was read
	ari           string // of the port above
	port          *fact.Device
	at, ariAt     []fact.Line
}

func judgeSRIOV(m *fact.Machine) []Finding {
	var out []Finding
	shared := map[string]*Finding{}
	done := map[string]bool{}
	for i := range m.PCI {
		p, ok := physicalOf(m, &m.PCI[i])
		if !ok {
			continue
		}
		done[p.address] = true
		if f, failed := p.failure(m); failed {
			out = append(out, f)
			continue
		}
		name := "offered"
		switch {
		case !p.known:
			name = "unread"
		case p.active > 0:
			name = "active"
		}
		f := shared[name]
		if f == nil {
			n := found(name)
			f = &n
			f.Values["devices"] = []map[string]any{}
			shared[name] = f
		}
		f.Subjects = append(f.Subjects, p.address)
		f.Count = len(f.Subjects)
		f.Values["devices"] = append(f.Values["devices"].([]map[string]any), map[string]any{
			"device": p.address, "total": p.total, "active": p.active, "ari": p.ari,
		})
		f.cite("sriov", p.at...)
	}
	for _, name := range []string{"active", "offered", "unread"} {
		if f := shared[name]; f != nil {
			out = append(out, *f)
		}
	}
	for _, n := range m.Log.Of("sriov-failed") { // of devices whose capability nobody read
		if n.Device == "" || done[n.Device] {
			continue
		}
		done[n.Device] = true
		if f, failed := (physical{address: n.Device}).failure(m); failed {
			out = append(out, f)
		}
	}
	return out
}

func physicalOf(m *fact.Machine, d *fact.Device) (p physical, ok bool) {
	p.address = d.Address
	if d.SRIOV != nil {
		p.total, p.active, p.known = d.SRIOV.TotalVFs, d.SRIOV.NumVFs, true
		p.at = append(p.at, d.SRIOV.At)
	}
	if s := d.Sysfs; s != nil {
		if n, read := s.TotalVFs.Get(); read {
			p.total = n
			if d.SRIOV == nil {
				p.at = append(p.at, s.TotalVFs.At)
			}
		}
		if n, read := s.NumVFs.Get(); read {
			p.active, p.known = n, true
			if d.SRIOV == nil || d.SRIOV.NumVFs != n {
				p.at = append(p.at, s.NumVFs.At)
			}
		}
	}
	// A virtual function that shows the capability read its parent's registers.
	if p.total == 0 || isVF(d) || silent(d) {
		return p, false
	}
	if p.port = m.Device(d.Parent); p.port != nil && p.port.Express != nil {
		p.ari, p.ariAt = forwarding(p.port.Express)
	}
	return p, true
}

// forwarding tells whether a port passes on functions above 7 (ARI Forwarding,
// PCIe Base Specification 7.5.3.16).
func forwarding(x *fact.Express) (state string, at []fact.Line) {
	if x.DevCtl2 == nil {
		return "", nil
	}
	on, printed := x.DevCtl2.Bits["ARIFwd"]
	switch {
	case !printed:
		return "", nil
	case on:
		return "on", x.DevCtl2.At
	}
	return "off", x.DevCtl2.At
}

// failure returns the finding on virtual functions that were wanted and did not
// come. The last word counts: what is active now came in the end, unless it is
// fewer than were asked for.
func (p physical) failure(m *fact.Machine) (Finding, bool) {
	f := found("failed", p.address)
	f.Values = map[string]any{
		"total": p.total, "active": p.active, "ari": p.ari, "port": "", "reason": "", "requested": "", "enabled": "",
		"error": "", "silent": []string{}, "above4G": decodes(m).state, "deviceTree": deviceTree(m),
	}
	if p.port != nil {
		f.Values["port"] = p.port.Address
	}
	for _, n := range notesOf(m, p.address, "sriov-failed", "sriov-enabled") {
		reason := n.Fields["reason"]
		if n.Kind == "sriov-enabled" {
			f.Values["reason"], f.Evidence = "", nil
			continue
		}
		if !slices.Contains(resourceReasons, reason) {
			continue // a wrong order of commands, or a driver without the feature
		}
		if f.Values["reason"] != "" && reason == "error" { // the driver repeats what the kernel told
			f.Values["error"] = n.Fields["error"]
			f.cite("failed", n.At)
			continue
		}
		f.Values["reason"], f.Values["requested"], f.Values["enabled"], f.Values["error"] = reason, n.Fields["requested"], n.Fields["enabled"], n.Fields["error"]
		f.cite("failed", n.At)
	}
	if silent, at := p.unanswered(m); len(silent) > 0 {
		f.Case = "silent"
		if p.ari == "off" {
			f.Case = "no-ari"
		}
		f.Values["silent"] = silent
		f.cite("silent", at...)
		f.cite("ari", p.ariAt...)
		f.cite("sriov", p.at...)
		return f, true
	}
	reason := f.Values["reason"]
	f.cite("sriov", p.at...)
	return f, reason != "" && (p.active == 0 || reason == "partial")
}

// resourceReasons are the reasons of kind sriov-failed that name a lack, not a
// misuse.
var resourceReasons = []string{"mmio", "bars", "bus", "partial", "error"}

// unanswered returns the virtual functions that read as all ones when the kernel
// looked for them: functions of other device numbers on the bus of p, which only
// virtual ones can be.
func (p physical) unanswered(m *fact.Machine) (silent []string, at []fact.Line) {
	if p.total == 0 {
		return nil, nil
	}
	bus, device, _ := cutPlace(p.address)
	for _, n := range m.Log.Of("unknown-header") {
		b, d, ok := cutPlace(n.Device)
		if ok && n.Fields["type"] == "7f" && b == bus && d != device && m.Device(n.Device) == nil {
			silent = append(silent, n.Device)
			at = append(at, n.At)
		}
	}
	return silent, at
}

// cutPlace parts "0000:42:02.0" into "0000:42" and "02".
func cutPlace(address string) (bus, device string, ok bool) {
	at := strings.LastIndexByte(address, ':')
	if at < 0 {
		return "", "", false
	}
	device, _, ok = strings.Cut(address[at+1:], ".")
	return address[:at], device, ok
}
