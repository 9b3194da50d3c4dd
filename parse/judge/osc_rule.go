package judge

import (
	"maps"
	"slices"
	"strings"

	"hwcap/parse/fact"
)

var oscAERDenied = Rule{
	ID: "osc-aer-denied", Area: Errors,
	Sources: []string{"dmesg", "kmsg", "journal-k", "acpi-tables", "proc-cmdline", "pci-port-drivers", "device-tree", "proc-cpuinfo", "dmi", "lspci-vvv"},
	Keys: []string{
		"asked", "parameters", "controls", "refused", "missing", "status", "hest", "nativeParameter", "nativeKnown",
		"ports", "portCount", "portsHere", "record", "hypervisor", "logState",
		// latentCount is how many functions have error bits of their link set, where nobody reads them.
		"latentCount",
		// kept are the services that the firmware keeps, and that pcie_ports=native takes all the same.
		"kept",
	},
	Cases: []Case{
		{Name: "granted", Verdict: OK, Confidence: Observed},
		{Name: "granted-forced", Verdict: Problem, Severity: Info, Confidence: Observed},
		{Name: "granted-open", Verdict: Unknown, Confidence: Observed},
		{Name: "never-asked", Verdict: Problem, Severity: Notice, Confidence: Observed},
		{Name: "firmware-first", Verdict: Problem, Severity: Info, Confidence: Derived},
		{Name: "refused-unknown", Verdict: Unknown, Confidence: Observed},
		{Name: "refused-unread", Verdict: Unknown, Confidence: Observed},
		{Name: "refused-guest", Verdict: Problem, Severity: Info, Confidence: Derived},
		{Name: "refused-nobody", Verdict: Problem, Severity: Warning, Confidence: Derived},
		{Name: "refused-native", Verdict: Problem, Severity: Info, Confidence: Derived},
		{Name: "native-unproven", Verdict: Unknown, Confidence: Observed},
		{Name: "native-both", Verdict: Problem, Severity: Notice, Confidence: Derived},
		{Name: "no-acpi", Verdict: OK, Confidence: Derived},
		{Name: "unread", Verdict: Unknown, Confidence: Observed},
	},
	Judge: judgeOSC,
}

// sameForAll is from how many bridges with the same outcome on they share one
// finding.
const sameForAll = 5

// sharedFrom is the same for a case. What the kernel did not ask for, it did
// not ask for anywhere: one cause makes one finding.
func sharedFrom(name string) int {
	if name == "never-asked" {
		return 2
	}
	return sameForAll
}

// judgeOSC says for each root bridge who handles PCIe errors.
func judgeOSC(m *fact.Machine) []Finding {
	s := newErrorOwner(m)
	byCase := map[string][]Finding{}
	for _, a := range oscAnswers(m) {
		if name := s.judge(a); name != "" {
			byCase[name] = append(byCase[name], s.finding(name, a))
		}
	}
	if len(byCase) == 0 {
		return s.withoutAnswers()
	}
	for _, bridge := range s.unanswered() {
		f := s.finding("unread", oscAnswer{bridge: bridge})
		f.cite("log", logSource(m).At)
		byCase["unread"] = append(byCase["unread"], f)
	}
	var out []Finding
	for _, name := range slices.Sorted(maps.Keys(byCase)) {
		if same := byCase[name]; len(same) >= sharedFrom(name) {
			out = append(out, mergeSubjects(same))
		} else {
			out = append(out, same...)
		}
	}
	return out
}

// errorOwner holds what decides, beside a bridge's own lines, who handles
// errors.
type errorOwner struct {
	m            *fact.Machine
	ports        aerPorts
	parameters   []string // that keep the kernel from asking
	cmdlineKnown bool
	native       bool // pcie_ports=native
	ghes         []fact.Line
	record       bool // one of them is a PCIe error
	hest         tableState
	hestAt       []fact.Line
	hypervisor   string
	hypervisorAt fact.Line
	express      bool // a root port is known
}

func newErrorOwner(m *fact.Machine) *errorOwner {
	s := &errorOwner{m: m, ports: portsWithAER(m)}
	s.ghes, s.record = firmwareReports(m)
	s.parameters, s.cmdlineKnown = hidden(m)
	if bootOption(bootLine(m).V, "pci", "nomsi") {
		s.parameters = append(s.parameters, "pci=nomsi")
	}
	s.native = nativePorts(m)
	s.hest, s.hestAt = acpiTable(m, "HEST")
	s.hypervisor, s.hypervisorAt, _ = hypervisor(m)
	s.express = slices.ContainsFunc(m.PCI, func(d fact.Device) bool {
		return d.Express != nil && d.Express.Type == fact.RootPort
	})
	return s
}

// judge names the case of one bridge, "" where it has nothing to ask for.
func (s *errorOwner) judge(a oscAnswer) string {
	switch a.outcome() {
	case oscGranted:
		switch kept := keptServices(a); {
		case len(kept) > 0 && s.native:
			return "granted-forced"
		case len(kept) > 0 && !s.cmdlineKnown:
			return "granted-open"
		}
		return "granted"
	case oscNeverAsked:
		if strings.HasPrefix(a.bridge, "PNP0A03") && !s.express && !slices.Contains(a.controls, "PCIeCapability") {
			return "" // conventional PCI, in a virtual machine most of the time
		}
		return s.neverAsked(a)
	case oscRefused:
		return s.refused(a)
	case oscLegacy:
		return ""
	}
	return "unread"
}

// keptServices returns the services that the firmware refused and that the kernel
// runs all the same with pcie_ports=native: get_port_device_capability
// (drivers/pci/pcie/portdrv.c) then goes past the answer for hot-plug and PME as
// it does for AER.
func keptServices(a oscAnswer) []string {
	services := []string{}
	for _, service := range []string{"PCIeHotplug", "PME"} {
		if slices.Contains(a.refused, service) && !slices.Contains(a.controls, service) {
			services = append(services, service)
		}
	}
	return services
}

// neverAsked decides what it means that AER was not requested.
func (s *errorOwner) neverAsked(a oscAnswer) string {
	active := len(s.ports.lines) > 0
	switch {
	case s.native && active || len(s.here(a.bridge)) > 0:
		return "refused-native"
	case s.native && !s.ports.listed:
		return "native-unproven"
	case !s.cmdlineKnown && (active || !s.ports.listed):
		return "refused-unread"
	case len(s.parameters) > 0:
		return "never-asked"
	case s.hypervisor != "":
		return "refused-guest"
	case !s.bareMetal():
		return "refused-unread"
	}
	return "never-asked"
}

// refused decides what a refusal means.
func (s *errorOwner) refused(a oscAnswer) string {
	active := len(s.ports.lines) > 0
	switch {
	case s.native && active || len(s.here(a.bridge)) > 0:
		if len(s.ghes) > 0 {
			return "native-both"
		}
		return "refused-native"
	case s.native && !s.ports.listed:
		return "native-unproven"
	case len(s.ghes) > 0:
		return "firmware-first"
	case s.hest == tableThere:
		return "refused-unknown"
	case s.hest == tableUnknown || !s.cmdlineKnown && (active || !s.ports.listed):
		return "refused-unread"
	case s.hypervisor != "":
		return "refused-guest"
	case !s.bareMetal():
		return "refused-unread"
	}
	return "refused-nobody"
}

// bareMetal reports whether what would show a hypervisor was read and shows
// none. A log alone names the hypervisor where there is one.
func (s *errorOwner) bareMetal() bool {
	return s.hypervisor == "" && (!hasManifest(s.m) || s.m.Complete("proc-cpuinfo", "dmi"))
}

// here returns the ports with AER below a bridge.
func (s *errorOwner) here(bridge string) []string {
	var ports []string
	for _, port := range s.ports.names() {
		if bridgeAbove(s.m, port) == bridge {
			ports = append(ports, port)
		}
	}
	return ports
}

// bridgeAbove returns the root bridge of a root port: as sysfs says, else by
// the bus numbers that the log gives each bridge; "" where neither tells.
func bridgeAbove(m *fact.Machine, port string) string {
	if d := m.Device(port); d != nil && d.Root != "" {
		return d.Root
	}
	domain, rest, _ := strings.Cut(port, ":")
	bus, _, _ := strings.Cut(rest, ":")
	for _, n := range m.Log.Of("root-bridge") {
		// Two hexadecimal digits each: they compare as text.
		if n.Fields["domain"] == domain && n.Fields["bus-first"] <= bus && bus <= n.Fields["bus-last"] {
			return n.Device
		}
	}
	return ""
}

// finding writes down one bridge's case with what it rests on.
func (s *errorOwner) finding(name string, a oscAnswer) Finding {
	f := found(name, a.bridge)
	here := s.here(a.bridge)
	f.Values["asked"] = a.outcome() != oscNeverAsked
	f.Values["controls"] = a.controls
	f.Values["refused"] = a.refused
	f.Values["status"] = a.status
	f.Values["missing"] = s.missing()
	f.Values["parameters"] = s.parameters
	f.Values["nativeParameter"] = s.native
	f.Values["nativeKnown"] = s.cmdlineKnown
	f.Values["hest"] = string(s.hest)
	f.Values["ports"] = s.ports.names()
	f.Values["portCount"] = len(s.ports.lines)
	f.Values["portsHere"] = here
	f.Values["record"] = s.record
	f.Values["hypervisor"] = s.hypervisor
	f.Values["logState"] = string(s.m.Log.State)
	f.Values["latentCount"] = 0
	f.Values["kept"] = keptServices(a)
	f.cite("osc", a.lines()...)
	switch name {
	case "granted-open":
		f.cite("refused", a.refusals...)
	case "granted-forced":
		f.cite("refused", a.refusals...)
		f.cite("cmdline", bootLine(s.m).At)
	case "never-asked":
		if len(s.parameters) > 0 {
			f.cite("cmdline", bootLine(s.m).At)
		}
	case "firmware-first":
		f.cite("ghes", s.ghes...)
	case "refused-unknown":
		f.cite("hest", s.hestAt...)
	case "refused-nobody":
		f.cite("hest", s.hestAt...)
		bits := linkBits(s.m)
		f.Values["latentCount"] = len(bits)
		for _, l := range bits {
			f.cite("latent", l.lines...)
		}
	case "refused-guest":
		f.cite("hypervisor", s.hypervisorAt)
		if f.Values["asked"] == true {
			f.cite("hest", s.hestAt...)
		}
	case "refused-native", "native-both", "native-unproven":
		if s.native {
			f.cite("cmdline", bootLine(s.m).At)
		}
		for _, port := range s.ports.names() {
			lines := s.ports.lines[port]
			f.cite("ports", lines[len(lines)-1]) // the log's line where there is one
		}
		f.cite("hest", s.hestAt...)
		f.cite("ghes", s.ghes...)
	}
	return f
}

// linkBits returns the functions whose status registers hold errors of their
// link. What stands there of one that sleeps may be from before it did.
func linkBits(m *fact.Machine) []latent {
	t := newTree(m)
	var out []latent
	for i := range m.PCI {
		d := &m.PCI[i]
		if d.Express == nil || d.Express.DevSta == nil || d.Header == "7f" || t.asleep(d) {
			continue
		}
		if l := latentBits(d); l.name == "link" {
			out = append(out, l)
		}
	}
	return out
}

// missing names the sources that would settle a refusal.
func (s *errorOwner) missing() []string {
	var names []string
	if s.hest == tableUnknown {
		names = append(names, "acpi-tables")
	}
	if !s.cmdlineKnown {
		names = append(names, "proc-cmdline")
	}
	if !s.ports.listed {
		names = append(names, "pci-port-drivers")
	}
	if !s.bareMetal() && s.hypervisor == "" {
		names = append(names, "proc-cpuinfo", "dmi")
	}
	return names
}

// withoutAnswers judges a capture whose log says nothing of any root bridge.
func (s *errorOwner) withoutAnswers() []Finding {
	m := s.m
	if len(m.PCI) == 0 {
		return nil
	}
	name, subjects := "unread", []string{Machine}
	switch {
	case len(oscAnswers(m)) > 0: // conventional PCI only
		return nil
	case m.Source("acpi-tables").State == fact.Absent && m.Platform.Model.Known() && len(m.Log.Of("root-bridge", "acpi-table")) == 0:
		name = "no-acpi"
	default:
		if bridges := rootBridges(m); len(bridges) > 0 {
			subjects = bridges
		}
	}
	f := s.finding(name, oscAnswer{})
	f.Subjects = subjects
	if name == "no-acpi" {
		f.cite("model", m.Platform.Model.At)
		f.cite("acpi", m.Source("acpi-tables").At)
	} else {
		f.cite("log", logSource(m).At)
	}
	return []Finding{f}
}

// unanswered returns the root bridges that have devices, but no line in a log
// of which a part is missing.
func (s *errorOwner) unanswered() []string {
	if s.m.Log.State == fact.Present && fromBoot(s.m) {
		return nil
	}
	answers := oscAnswers(s.m)
	return slices.DeleteFunc(rootBridges(s.m), func(bridge string) bool {
		return slices.ContainsFunc(answers, func(a oscAnswer) bool { return a.bridge == bridge })
	})
}

// rootBridges returns the ACPI names of the root bridges above m's devices.
func rootBridges(m *fact.Machine) []string {
	set := map[string]bool{}
	for _, d := range m.PCI {
		if d.Root != "" {
			set[d.Root] = true
		}
	}
	return slices.Sorted(maps.Keys(set))
}

// mergeSubjects makes one finding of several of the same case. Values are those
// of the first; lists are joined.
func mergeSubjects(same []Finding) Finding {
	f := same[0]
	for _, g := range same[1:] {
		f.Subjects = append(f.Subjects, g.Subjects...)
		for _, e := range g.Evidence {
			if !slices.Contains(f.Evidence, e) {
				f.Evidence = append(f.Evidence, e)
			}
		}
		for key, v := range g.Values {
			list, ok := v.([]string)
			if !ok {
				continue
			}
			have, _ := f.Values[key].([]string)
			for _, s := range list {
				if !slices.Contains(have, s) {
					have = append(have, s)
				}
			}
			f.Values[key] = have
		}
	}
	f.Count = len(f.Subjects)
	return f
}
