package judge

import (
	"slices"
	"strings"

	"hwcap/parse/fact"
)

// cryptoCPU tells whether the processor has instructions for AES and the kernel
// drivers that use them. Where not, three reasons are kept apart: the
// hypervisor does not pass the flag on, nothing registered a driver, the
// processor has no such instructions.
var cryptoCPU = Rule{
	ID:      "crypto-cpu-support",
	Area:    Crypto,
	Sources: []string{"proc-cpuinfo", "proc-crypto", "netlink-crypto", "proc-modules", "proc-config", "dmi", "os-release"},
	// drivers is a table of what uses the instructions, best of each mode first:
	// name, driver, priority. generic are the drivers that compute AES without
	// them. option is "y", "m", "n", or "" where the configuration is not known;
	// serving is why the machine counts as a server or router.
	Keys: []string{"instructions", "flag", "cpu", "vector", "drivers", "generic", "module", "option", "hypervisor", "serving"},
	Cases: []Case{
		{Name: "supported", Verdict: OK, Confidence: Derived},
		{Name: "no-driver", Verdict: Problem, Severity: Notice, Confidence: Derived},
		{Name: "hidden", Verdict: Problem, Severity: Notice, Confidence: Derived},
		{Name: "lacking", Verdict: Problem, Severity: Info, Confidence: Observed},
		{Name: "lacking-server", Verdict: Problem, Severity: Notice, Confidence: Observed},
		{Name: "drivers-unknown", Verdict: Unknown},
		{Name: "flags-unknown", Verdict: Unknown},
	},
	Judge: judgeCryptoCPU,
}

func judgeCryptoCPU(m *fact.Machine) []Finding {
	f := found("flags-unknown", Machine)
	f.Values = map[string]any{
		"instructions": "", "flag": "", "cpu": m.Platform.CPU.V, "vector": false, "drivers": []map[string]any{},
		"generic": []string{}, "module": "", "option": "", "hypervisor": "", "serving": "",
	}
	flags, known := m.Platform.CPUFlags.Get()
	if !known {
		if asked := m.Source("proc-cpuinfo").State != fact.NotAsked; len(m.Crypto.Algorithms) == 0 || !asked || !knownArch(m) {
			return nil
		}
		return []Finding{f}
	}
	word, _, _ := strings.Cut(m.Platform.CPUFlags.At.Text, ":")
	choices := cpuInstructions[strings.TrimSpace(word)]
	if len(choices) == 0 {
		return nil // POWER, s390x and others do not list theirs
	}
	f.cite("flags", m.Platform.CPUFlags.At)
	f.cite("cpu", m.Platform.CPU.At)
	aes := choices[0]
	for _, c := range choices {
		if slices.Contains(flags, c.flag) {
			aes = c
			break
		}
	}
	f.Values["instructions"], f.Values["flag"], f.Values["module"] = aes.name, aes.flag, aes.module
	f.Values["vector"] = slices.Contains(flags, "vaes")
	f.addAESDrivers(m, aes)
	name, at, guest := hypervisor(m)
	if guest {
		f.Values["hypervisor"] = name
		f.cite("hypervisor", at)
	}
	if v := m.Crypto.Config[aes.option]; v.Known() {
		f.Values["option"] = v.V
		f.cite("option", v.At)
	}
	switch {
	case !slices.Contains(flags, aes.flag) && m.Platform.CPUFlags.State != fact.Present:
		f.Case = "flags-unknown"
	case !slices.Contains(flags, aes.flag) && guest:
		f.Case = "hidden"
	case !slices.Contains(flags, aes.flag):
		why, at := serving(m)
		f.Case = "lacking"
		if why != "" {
			f.Case, f.Values["serving"] = "lacking-server", why
			f.cite("serving", at)
		}
	case len(f.Values["drivers"].([]map[string]any)) > 0:
		f.Case = "supported"
	case !listComplete(m):
		f.Case = "drivers-unknown"
	default:
		f.Case = "no-driver"
	}
	return []Finding{f}
}

// knownArch reports whether the processor is of a kind whose flags are known.
func knownArch(m *fact.Machine) bool {
	switch a := m.Capture.Arch; {
	case a == "", a == "x86_64", a == "i686", a == "aarch64", strings.HasPrefix(a, "armv"):
		return true
	}
	return false
}

// addAESDrivers sorts the implementations of AES in the kernel's list: those
// that use the instructions, the best for each name, and the others of the
// processor.
func (f *Finding) addAESDrivers(m *fact.Machine, aes cpuAES) {
	uses := func(a *fact.Algorithm) bool {
		return slices.ContainsFunc(aes.drivers, func(part string) bool {
			// "-ce" is the end of a name, or of a part of one: "xts-aes-ce"
			return strings.HasSuffix(a.Driver, part) || !strings.HasPrefix(part, "-") && strings.Contains(a.Driver, part)
		})
	}
	drivers := []map[string]any{}
	for _, c := range contests(m) {
		if !strings.Contains(c.name, "aes") {
			continue
		}
		if w := c.only(uses).first(); w != nil {
			drivers = append(drivers, map[string]any{"name": c.name, "driver": w.Driver, "priority": w.Priority})
			if len(drivers) <= 3 {
				f.cite("driver", algorithmLines(w)...)
			}
			continue
		}
		if w := c.processor().first(); w != nil {
			if len(f.Values["generic"].([]string)) < 3 {
				f.cite("generic", algorithmLines(w)...)
			}
			f.appendName("generic", w.Driver)
		}
	}
	f.Values["drivers"] = drivers
}

// serving returns what shows that the machine serves others: "bmc", "chassis",
// "router", or "".
func serving(m *fact.Machine) (why string, at fact.Line) {
	for i := range m.PCI {
		if d := &m.PCI[i]; consoleOnly(d) {
			return "bmc", d.From
		}
	}
	if v := m.Setting("sys/class/dmi/id/chassis_type"); servingChassis[strings.TrimSpace(v.V)] {
		return "chassis", v.At
	}
	for _, name := range routerSystems {
		if strings.Contains(m.Platform.OS.V, name) {
			return "router", m.Platform.OS.At
		}
	}
	return "", fact.Line{}
}
