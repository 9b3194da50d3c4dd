package judge

import (
	"slices"
	"strconv"
	"strings"

	"hwcap/parse/fact"
)

// usualMasks are error bits that are masked on healthy machines: by default
// (PCIe Base Specification 7.8.4.3 and 7.8.4.6: advisory, internal and header
// overflow errors, and what came later), or because firmware does so to keep
// bus enumeration quiet.
var usualMasks = []string{
	"AdvNonFatalErr", "NonFatalErr", "CorrIntErr", "HeaderOF",
	"UncorrIntErr", "PoisonTLPBlocked", "DMWrReqBlocked", "IDECheck", "MisIDETLP", "PCRC_CHECK", "TLPXlatBlocked",
	"BlockedTLP", "AtomicOpBlocked", "TLPBlockedErr", "UnsupReq", "UnxCmplt", "ACSViol", "CmpltAbrt", "ECRC",
}

var aerReportingOff = Rule{
	ID: "aer-reporting-off", Area: Errors,
	Sources: []string{"lspci-vvv", "pci-port-drivers", "dmesg", "kmsg", "proc-version"},
	Keys:    []string{"devices", "bits", "kernel", "readCount", "portCount", "missing"},
	Cases: []Case{
		{Name: "port-off", Verdict: Problem, Severity: Warning, Confidence: Observed},
		{Name: "off", Verdict: Problem, Severity: Warning, Confidence: Observed},
		{Name: "unbound", Verdict: Problem, Severity: Info, Confidence: Observed},
		{Name: "left-off", Verdict: Problem, Severity: Info, Confidence: Derived, Known: true},
		{Name: "masked", Verdict: Problem, Severity: Warning, Confidence: Observed},
		{Name: "masked-timeout", Verdict: Problem, Severity: Info, Confidence: Observed},
		{Name: "on", Verdict: OK, Confidence: Observed},
		{Name: "unread", Verdict: Unknown, Confidence: Observed},
	},
	Judge: judgeReporting,
}

// quietDevice is a function that does not report errors, or not all.
type quietDevice struct {
	address string
	bits    []string // enables that are off, or errors that are masked
	lines   []fact.Line
}

// judgeReporting looks at the functions below the ports where Linux handles
// errors: do they send what it waits for? Where the firmware handles errors, the
// bits are its own affair; a guest's are made up.
func judgeReporting(m *fact.Machine) []Finding {
	ports := portsWithAER(m)
	if len(ports.lines) == 0 || isGuest(m) {
		return nil
	}
	if !onBareMetal(m) {
		f := found("unread", Machine)
		f.Values["missing"] = []string{"proc-cpuinfo", "dmi"}
		f.citeSource(m, "missing", "proc-cpuinfo", "dmi")
		return []Finding{f}
	}
	byCase := map[string][]quietDevice{}
	read, denied := 0, false
	for i := range m.PCI {
		d := &m.PCI[i]
		if ports.lines[rootPortOf(m, d.Address)] == nil || isVF(d) || silent(d) {
			continue
		}
		if d.Express == nil || d.Express.DevCtl == nil || d.AER == nil {
			denied = denied || d.CapsState == fact.Denied
			continue // a function without AER reports through the port above
		}
		read++
		if name, q := silencedBits(m, d, ports.lines[d.Address] != nil); name != "" {
			byCase[name] = append(byCase[name], q)
		}
		switch q := maskedBits(m, d); {
		case slices.Equal(q.bits, []string{"CmpltTO"}): // the firmware of some laptops masks this one
			byCase["masked-timeout"] = append(byCase["masked-timeout"], q)
		case len(q.bits) > 0:
			byCase["masked"] = append(byCase["masked"], q)
		}
	}
	var out []Finding
	for _, name := range []string{"port-off", "off", "unbound", "left-off", "masked", "masked-timeout"} {
		if len(byCase[name]) > 0 {
			out = append(out, reportingFinding(m, name, byCase[name], read))
		}
	}
	if len(out) > 0 || len(m.PCI) == 0 {
		return out
	}
	f := found("on", Machine)
	f.Values["readCount"], f.Values["portCount"], f.Values["missing"] = read, len(ports.lines), []string{}
	if read == 0 || denied || !m.Complete("lspci-vvv") {
		if !hasManifest(m) && !denied {
			return nil
		}
		f.Case = "unread"
		f.Values["missing"] = []string{"lspci-vvv"}
		f.citeSource(m, "missing", "lspci-vvv")
	} else if !ports.listed { // another port may be one of those
		f.Case = "unread"
		f.Values["missing"] = []string{"pci-port-drivers"}
		f.citeSource(m, "missing", "pci-port-drivers")
	} else {
		first := ports.names()[0]
		f.cite("ports", ports.lines[first]...)
	}
	return []Finding{f}
}

// silencedBits returns the case of a function whose error messages are switched off,
// and the enables that are. Linux 6.0 and later switch them on at every
// function with AER (drivers/pci/pcie/aer.c, pci_aer_init); before, only at
// ports, and drivers did it for their devices. A driver may switch them off when
// it gives a device back (pci_disable_pcie_error_reporting); what no driver uses
// sends and receives next to nothing.
func silencedBits(m *fact.Machine, d *fact.Device, port bool) (name string, q quietDevice) {
	q.address = d.Address
	for _, bit := range []string{"CorrErr", "NonFatalErr", "FatalErr"} {
		if on, printed := d.Express.DevCtl.Bits[bit]; printed && !on {
			q.bits = append(q.bits, bit)
			q.lines = d.Express.DevCtl.At
		}
	}
	if port && d.AER.RootCmd != nil {
		for _, bit := range []string{"CERptEn", "NFERptEn", "FERptEn"} {
			if on, printed := d.AER.RootCmd.Bits[bit]; printed && !on {
				q.bits = append(q.bits, bit)
				q.lines = append(slices.Clone(q.lines), d.AER.RootCmd.At...)
			}
		}
	}
	switch {
	case len(q.bits) == 0:
		return "", q
	case port:
		return "port-off", q
	case kernelBefore(m, 6, 0):
		return "left-off", q
	case d.DriverKnown && d.Driver == "":
		return "unbound", q
	}
	return "off", q
}

// maskedBits returns the errors of a function that are kept from being reported and
// that nobody masks as a rule. Linux itself masks replay timeouts above chips
// that raise them by mistake, and says so (drivers/pci/quirks.c,
// pci_mask_replay_timer_timeout); a port for hot-plug may mask that its link
// goes down.
func maskedBits(m *fact.Machine, d *fact.Device) quietDevice {
	q := quietDevice{address: d.Address}
	quirk := !logFromBoot(m) || slices.ContainsFunc(m.Log.Of("aer-masked"), func(n fact.Note) bool { return n.Device == d.Address })
	hotplug, _ := d.Express.HotPlug.Get()
	for _, mask := range []*fact.Flags{d.AER.CEMsk, d.AER.UEMsk} {
		any := false
		for _, bit := range mask.Set() {
			if slices.Contains(usualMasks, bit) || bit == "Timeout" && quirk || bit == "SDES" && hotplug {
				continue
			}
			q.bits, any = append(q.bits, bit), true
		}
		if any {
			q.lines = append(q.lines, mask.At...)
		}
	}
	return q
}

func reportingFinding(m *fact.Machine, name string, all []quietDevice, read int) Finding {
	f := found(name)
	f.Count = len(all)
	rows, bits := []map[string]any{}, []string{}
	for i, q := range all {
		f.Subjects = append(f.Subjects, q.address)
		const few = 12
		if i < few {
			rows = append(rows, map[string]any{"address": q.address, "bits": q.bits})
			f.cite("off", q.lines...)
		}
		for _, b := range q.bits {
			if !slices.Contains(bits, b) {
				bits = append(bits, b)
			}
		}
	}
	slices.Sort(bits)
	f.Values["devices"], f.Values["bits"], f.Values["readCount"] = rows, bits, read
	f.Values["kernel"] = m.Platform.Kernel.V
	ports := portsWithAER(m)
	f.Values["portCount"] = len(ports.lines)
	f.cite("ports", ports.lines[rootPortOf(m, all[0].address)]...)
	if name == "left-off" {
		f.cite("kernel", m.Platform.Kernel.At)
	}
	return f
}

// kernelBefore reports whether the kernel is known to be older than a release.
func kernelBefore(m *fact.Machine, major, minor int) bool {
	text, ok := m.Platform.Kernel.Get()
	a, rest, _ := strings.Cut(text, ".")
	b, _, _ := strings.Cut(rest, ".")
	b = b[:len(b)-len(strings.TrimLeft(b, "0123456789"))]
	x, err := strconv.Atoi(a)
	y, _ := strconv.Atoi(b)
	return ok && err == nil && (x < major || x == major && y < minor)
}

// onBareMetal reports whether what would show a hypervisor was read and shows
// none. A file opened on its own shows one where there is one.
func onBareMetal(m *fact.Machine) bool {
	return !isGuest(m) && (!hasManifest(m) || m.Complete("proc-cpuinfo") && (m.Complete("dmi") || m.Platform.Model.Known()))
}
