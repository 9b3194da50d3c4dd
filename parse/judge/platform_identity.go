package judge

import (
	"strconv"
	"strings"

	"hwcap/parse/fact"
)

var platformIdentity = Rule{
	ID: "platform-identity", Area: Platform,
	Sources: []string{"dmi", "dmidecode", "device-tree", "proc-cpuinfo", "proc-version", "proc-cmdline", "proc-tainted", "os-release", "microcode", "efi"},
	Keys: []string{
		"vendor", "product", "boardVendor", "board", "model", "biosVendor", "biosVersion", "biosDate",
		"cpu", "cpuCount", "microcode", "hypervisor", "kernel", "cmdline", "os", "efi", "arch",
		"tainted", "taintFlags", "missing", "container", "hasCPUCount", "hasEFI",
	},
	Cases: []Case{
		{Name: "machine", Verdict: Problem, Severity: Info, Confidence: Observed},
		{Name: "guest", Verdict: Problem, Severity: Info, Confidence: Observed},
		{Name: "unread", Verdict: Unknown, Confidence: Observed},
	},
	Judge: judgeIdentity,
}

// judgeIdentity says which machine this is: the head of the report.
func judgeIdentity(m *fact.Machine) []Finding {
	p := &m.Platform
	if len(m.PCI) == 0 && m.Log.State == "" && !p.Kernel.Known() && !p.CPU.Known() && !hasManifest(m) {
		return nil // a single file that says nothing of the machine
	}
	f := found("machine", Machine)
	missing := []string{}
	known := 0
	for _, row := range []struct {
		key    string
		val    fact.Val[string]
		source string // named where the value is missing; "" where it need not exist
	}{
		{"vendor", p.Vendor, ""},
		{"product", p.Product, "dmi"},
		{"boardVendor", p.BoardVendor, ""},
		{"board", p.Board, ""},
		{"model", p.Model, ""},
		{"biosVendor", p.BIOSVendor, ""},
		{"biosVersion", p.BIOSVersion, ""},
		{"biosDate", p.BIOSDate, ""},
		{"cpu", p.CPU, "proc-cpuinfo"},
		{"microcode", p.Microcode, ""},
		{"hypervisor", hypervisorValue(m), ""},
		{"kernel", p.Kernel, "proc-version"},
		{"cmdline", bootLine(m), "proc-cmdline"},
		{"os", p.OS, "os-release"},
		{"tainted", p.Tainted, "proc-tainted"},
	} {
		v, ok := row.val.Get()
		v = strings.TrimSpace(v)
		f.Values[row.key] = v
		switch {
		case ok && v != "":
			known++
			f.cite(row.key, row.val.At)
		case row.source == "dmi" && p.Model.Known(): // a device tree stands for DMI
		case row.source != "":
			missing = append(missing, row.source)
		}
	}
	if kernel := f.Values["kernel"]; kernel == "" && m.Capture.Kernel != "" {
		f.Values["kernel"] = m.Capture.Kernel
		known++
	}
	f.Values["cpuCount"], f.Values["hasCPUCount"] = p.CPUs.Get()
	f.Values["efi"], f.Values["hasEFI"] = p.EFI.Get()
	f.Values["arch"] = m.Capture.Arch
	f.Values["container"] = m.Capture.Container
	f.Values["missing"] = missing
	tainted, _ := p.Tainted.Get()
	f.Values["taintFlags"] = taintFlags(tainted)
	switch {
	case known == 0:
		f.Case = "unread"
	case f.Values["hypervisor"] != "":
		f.Case = "guest"
	}
	return []Finding{f}
}

// hypervisorValue returns what hypervisor says, with its line.
func hypervisorValue(m *fact.Machine) fact.Val[string] {
	if name, at, ok := hypervisor(m); ok {
		return fact.Of(name, at)
	}
	return m.Platform.Hypervisor
}

// taintLetters are the flags of /proc/sys/kernel/tainted by bit
// (Documentation/admin-guide/tainted-kernels.rst).
const taintLetters = "PFSRMBUDAWCIOELKXTNJ"

// taintFlags decodes the number; the letters are those of an oops. An empty
// result with a number that is not 0 means that it could not be read.
func taintFlags(decimal string) []string {
	flags := []string{}
	n, err := strconv.ParseUint(strings.TrimSpace(decimal), 10, 64)
	if err != nil {
		return flags
	}
	for bit := range 64 {
		if n>>bit&1 == 0 {
			continue
		}
		if bit < len(taintLetters) {
			flags = append(flags, taintLetters[bit:bit+1])
		} else {
			flags = append(flags, strconv.Itoa(bit))
		}
	}
	return flags
}
