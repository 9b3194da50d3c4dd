package parse

import (
	"hwcap/parse/fact"
)

// absent gives each value whose source was asked and not read the state of
// that source, so that a rule can tell "denied" from "nobody looked".
func (b *builder) absent() {
	for _, s := range b.m.Sources {
		if folder, ok := folders[s.Name]; ok {
			if _, listed := b.m.Lists[folder]; !listed && s.State != fact.Present {
				b.m.Lists[folder] = fact.List{State: s.State}
			}
		}
		if set := values[s.Name]; set != nil {
			set(b.m, s)
		}
	}
}

// folders are the sources whose fact is a listing.
var folders = map[string]string{
	"pci":          "sys/bus/pci/devices",
	"pci-slots":    "sys/bus/pci/slots",
	"iommu-groups": "sys/kernel/iommu_groups",
	"iommu-units":  "sys/class/iommu",
	"acpi-tables":  "sys/firmware/acpi/tables",
	"edac":         "sys/devices/system/edac/mc",
	"hwmon":        "sys/class/hwmon",
	"net":          "sys/class/net",
	"dma":          "sys/class/dma",
	"thunderbolt":  "sys/bus/thunderbolt/devices",
	"block":        "sys/class/block",
	"efi":          "sys/firmware/efi",
}

// values are what a source is the only one to tell.
var values = map[string]func(*fact.Machine, fact.Source){
	"proc-cmdline":        val(func(m *fact.Machine) *fact.Val[string] { return &m.Platform.Cmdline }),
	"proc-version":        val(func(m *fact.Machine) *fact.Val[string] { return &m.Platform.Version }),
	"proc-tainted":        val(func(m *fact.Machine) *fact.Val[string] { return &m.Platform.Tainted }),
	"proc-modules":        val(func(m *fact.Machine) *fact.Val[[]string] { return &m.Platform.Modules }),
	"proc-uptime":         val(func(m *fact.Machine) *fact.Val[float64] { return &m.Platform.Uptime }),
	"proc-dmesg-restrict": val(func(m *fact.Machine) *fact.Val[string] { return &m.Log.Restrict }),
	"proc-fips":           val(func(m *fact.Machine) *fact.Val[string] { return &m.Crypto.FIPS }),
	"os-release":          val(func(m *fact.Machine) *fact.Val[string] { return &m.Platform.OS }),
	"device-tree":         val(func(m *fact.Machine) *fact.Val[string] { return &m.Platform.Model }),
	"microcode":           val(func(m *fact.Machine) *fact.Val[string] { return &m.Platform.Microcode }),
	"ras-status":          val(func(m *fact.Machine) *fact.Val[string] { return &m.RAS.Status }),
	"rasdaemon":           val(func(m *fact.Machine) *fact.Val[string] { return &m.RAS.Daemon }),
	"ras-summary":         val(func(m *fact.Machine) *fact.Val[[]fact.RASSection] { return &m.RAS.Summary }),
	"ras-errors":          val(func(m *fact.Machine) *fact.Val[[]fact.RASSection] { return &m.RAS.Errors }),
	"ras-error-count":     val(func(m *fact.Machine) *fact.Val[[]fact.DIMMCount] { return &m.RAS.Labels }),
	"links":               val(func(m *fact.Machine) *fact.Val[fact.Samples] { return &m.Samples }),
	"edac":                val(func(m *fact.Machine) *fact.Val[[]fact.Controller] { return &m.RAS.EDAC }),
	"pcie-aspm":           setting("sys/module/pcie_aspm/parameters/policy"),
	"zswap":               setting("sys/module/zswap/parameters/enabled", "sys/module/zswap/parameters/compressor"),
	"proc-cpuinfo": func(m *fact.Machine, s fact.Source) {
		val(func(m *fact.Machine) *fact.Val[string] { return &m.Platform.CPU })(m, s)
		val(func(m *fact.Machine) *fact.Val[[]string] { return &m.Platform.CPUFlags })(m, s)
	},
	"proc-crypto": func(m *fact.Machine, s fact.Source) { m.Crypto.Proc = s.State },
	"netlink-crypto": func(m *fact.Machine, s fact.Source) {
		m.Crypto.Netlink = s.State
	},
	"efi": func(m *fact.Machine, s fact.Source) {
		if s.State == fact.Absent && m.Platform.EFI.IsZero() {
			m.Platform.EFI = fact.Of(false, s.At)
		}
	},
	"iommu-groups": func(m *fact.Machine, s fact.Source) {
		if s.State != fact.Present {
			m.IOMMU.State = s.State
		}
	},
	"iommu-units": func(m *fact.Machine, s fact.Source) {
		if s.State != fact.Present {
			m.IOMMU.UnitsState = s.State
		}
	},
}

// val returns what gives a value the state of its source.
func val[T any](of func(*fact.Machine) *fact.Val[T]) func(*fact.Machine, fact.Source) {
	return func(m *fact.Machine, s fact.Source) {
		switch v := of(m); {
		case s.State == fact.Truncated && v.State == fact.Present:
			v.State = fact.Truncated
		case v.IsZero() && s.State != fact.Present:
			*v = fact.Missing[T](s.State, s.At)
		}
	}
}

// setting does the same for files that Machine.Setting finds.
func setting(paths ...string) func(*fact.Machine, fact.Source) {
	return func(m *fact.Machine, s fact.Source) {
		for _, path := range paths {
			if v := m.Settings[path]; v.IsZero() && s.State != fact.Present {
				m.Settings[path] = fact.Missing[string](s.State, s.At)
			}
		}
	}
}
