package judge

import (
	"slices"

	"hwcap/parse/fact"
)

// rootOnly says for each source that asks for root which rules it serves.
// "capabilities" stands for what lspci prints as <access denied>.
var rootOnly = []struct {
	source string
	rules  []string
}{
	{"capabilities", []string{"aer-latent-bits", "aer-active", "aer-errors", "pcie-link-speed", "pcie-link-width", "iommu-groups"}},
	{"kmsg", []string{"osc-aer-denied", "aer-active", "aer-errors"}},
	{"dmesg", []string{"osc-aer-denied", "aer-active", "aer-errors"}},
	{"journal-k", []string{"osc-aer-denied", "aer-errors"}},
	{"acpi-tables", []string{"osc-aer-denied"}},
	{"ras-errors", []string{"aer-errors", "ras-history"}},
	{"ras-summary", []string{"ras-history"}},
	{"qat", []string{"qat-counters"}},
	{"dmidecode", []string{"pcie-slot-empty"}},
	{"zswap-debug", []string{"zswap-compressor"}},
}

var capturePrivilege = Rule{
	ID: "capture-privilege", Area: Platform,
	Sources: []string{"lspci-vvv"},
	Keys:    []string{"uid", "uidKnown", "asRoot", "missing", "denied", "affected", "capabilitiesDenied", "deviceCount", "expressCount", "extended", "container", "parameters", "logWhole"},
	Cases: []Case{
		{Name: "root", Verdict: OK, Confidence: Observed},
		{Name: "not-root", Verdict: Problem, Severity: Info, Confidence: Observed},
		{Name: "root-denied", Verdict: Problem, Severity: Info, Confidence: Observed},
		{Name: "no-extended", Verdict: Problem, Severity: Notice, Confidence: Observed},
		{Name: "unread", Verdict: Unknown, Confidence: Observed},
	},
	Judge: judgePrivilege,
}

// judgePrivilege says with which rights the capture was taken and what more
// rights would add.
func judgePrivilege(m *fact.Machine) []Finding {
	if len(m.PCI) == 0 && m.Capture.UID == nil {
		return nil
	}
	var denied []string
	var deniedAt []fact.Line
	for _, s := range m.Sources {
		if s.State == fact.Denied {
			denied = append(denied, s.Name)
			if s.At.IsZero() { // no manifest
				s.At.File = s.Path
			}
			deniedAt = append(deniedAt, s.At)
		}
	}
	caps := readCapabilities(m)
	rights := RightsOf(m)
	lost := caps.version2 >= severalDevices && caps.denied == 0 && !caps.extended

	name := "root"
	switch {
	case rights == AsUser:
		name = "not-root"
	case m.Capture.UID != nil && lost:
		name = "no-extended"
	case rights == RightsUnknown, lost: // what made a text can be a program that never reads them
		name = "unread"
	case len(denied) > 0 || caps.denied > 0:
		name = "root-denied"
	}
	missing := slices.Clone(denied)
	if caps.denied > 0 {
		missing = append([]string{"capabilities"}, missing...)
	}

	f := found(name, Machine)
	f.Values["uidKnown"] = m.Capture.UID != nil
	f.Values["uid"] = 0
	if m.Capture.UID != nil {
		f.Values["uid"] = *m.Capture.UID
	}
	f.Values["logWhole"] = logFromBoot(m)
	f.Values["asRoot"] = rights == AsRoot
	f.Values["missing"] = missing
	f.Values["denied"] = denied
	f.Values["affected"] = servedBy(missing)
	f.Values["capabilitiesDenied"] = caps.denied
	f.Values["deviceCount"] = len(m.PCI)
	f.Values["expressCount"] = caps.express
	f.Values["extended"] = caps.extended
	f.Values["container"] = m.Capture.Container
	f.Values["parameters"], _ = hidden(m)
	f.cite("caps", caps.deniedAt)
	f.cite("denied", deniedAt...)
	if name != "not-root" {
		f.cite("express", caps.expressAt)
	}
	if name == "no-extended" {
		for _, n := range m.Log.Of("ecam") {
			f.cite("ecam", n.At)
		}
	}
	return []Finding{f}
}

// Rights is as whom a capture was made.
type Rights string

// The rights of a capture.
const (
	AsRoot        Rights = "root"
	AsUser        Rights = "user"
	RightsUnknown Rights = ""
)

// rootsOwn are sources that only root can read (mode 0400, or below debugfs):
// one of them says as whom everything was read that came with it.
var rootsOwn = []string{"acpi-hest", "acpi-dmar", "qat", "zswap-debug", "dmidecode"}

// RightsOf returns as whom m was captured: what its manifest says, else what
// its contents show. Beyond the first 64 bytes of configuration space, where
// the capabilities are, the kernel lets only root read (drivers/pci/pci-sysfs.c,
// pci_read_config).
func RightsOf(m *fact.Machine) Rights {
	if uid := m.Capture.UID; uid != nil {
		if *uid == 0 {
			return AsRoot
		}
		return AsUser
	}
	caps := readCapabilities(m)
	if caps.denied > 0 {
		return AsUser
	}
	if caps.read > 0 || slices.ContainsFunc(rootsOwn, func(name string) bool { return m.Source(name).State == fact.Present }) {
		return AsRoot
	}
	if slices.ContainsFunc(m.Sources, func(s fact.Source) bool { return s.State == fact.Denied }) {
		return AsUser
	}
	return RightsUnknown
}

// DeniedCapabilities counts the functions whose capabilities lspci prints as
// <access denied>.
func DeniedCapabilities(m *fact.Machine) int { return readCapabilities(m).denied }

// servedBy returns the rules that the missing sources serve, each once.
func servedBy(missing []string) []string {
	var rules []string
	for _, row := range rootOnly {
		if !slices.Contains(missing, row.source) {
			continue
		}
		for _, r := range row.rules {
			if !slices.Contains(rules, r) {
				rules = append(rules, r)
			}
		}
	}
	return rules
}

// severalDevices is on how many devices extended capabilities have to be missing
// to be missing for one reason. A single device may have none.
const severalDevices = 3

// capabilityReach is how far lspci got into configuration space.
type capabilityReach struct {
	denied    int // devices whose capability list was refused
	deniedAt  fact.Line
	read      int // devices of which the list was read
	express   int // devices with a PCI Express capability
	version2  int // those of version 2, which have extended ones nearly always
	expressAt fact.Line
	extended  bool // an extended capability was seen on one of them
}

func readCapabilities(m *fact.Machine) capabilityReach {
	var c capabilityReach
	for i := range m.PCI {
		d := &m.PCI[i]
		if d.CapsState == fact.Denied {
			if c.denied++; c.deniedAt.IsZero() {
				c.deniedAt = d.Refused()
			}
		}
		if d.CapsState == fact.Present {
			c.read++
		}
		if d.Express != nil {
			if d.Express.Version >= 2 {
				c.version2++
			}
			// The first one with an extended capability is the better witness.
			if c.express++; c.expressAt.IsZero() || d.ExtCaps && !c.extended {
				c.expressAt = d.Express.At
			}
		}
		c.extended = c.extended || d.ExtCaps
	}
	return c
}
