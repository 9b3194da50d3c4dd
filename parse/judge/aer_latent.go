package judge

import (
	"slices"

	"hwcap/parse/fact"
)

// The error bits of the Device Status register (PCIe Base Specification
// 7.5.3.5). The others of that register (AuxPwr, TransPend) are no errors.
var devStaErrors = []string{"CorrErr", "NonFatalErr", "FatalErr", "UnsupReq"}

// harmlessBits are set on healthy machines too: bus enumeration asks for
// functions that do not exist. Except for UnsupReq the bits of Device Status
// only sum up: whether a harmless error is behind them is told by the registers
// of AER.
var harmlessBits = []string{"CorrErr", "UnsupReq", "NonFatalErr", "AdvNonFatalErr"}

var aerLatentBits = Rule{
	ID: "aer-latent-bits", Area: Errors,
	Sources: []string{"lspci-vvv", "pci", "dmesg", "kmsg"},
	// missing is the source for want of which it cannot be told.
	Keys: []string{"devices", "bits", "deniedCount", "readCount", "kinds", "missing"},
	Cases: []Case{
		{Name: "link", Verdict: Problem, Severity: Notice, Confidence: Observed},
		{Name: "protocol", Verdict: Problem, Severity: Notice, Confidence: Observed},
		{Name: "corrected", Verdict: Problem, Severity: Info, Confidence: Observed},
		{Name: "harmless", Verdict: Problem, Severity: Info, Confidence: Observed},
		{Name: "injected", Verdict: Problem, Severity: Info, Confidence: Observed},
		{Name: "clear", Verdict: OK, Confidence: Observed},
		{Name: "denied", Verdict: Unknown, Confidence: Observed},
		{Name: "unread", Verdict: Unknown, Confidence: Observed},
		{Name: "unprinted", Verdict: Unknown, Confidence: Observed},
	},
	Judge: judgeLatentBits,
}

// latent is the error bits that stand in one function's status registers.
type latent struct {
	address string
	bits    []string
	known   []string // those of the AER registers, whose kind can be named
	lines   []fact.Line
	made    []fact.Line // where the log says that they were made on purpose
	name    string      // the case
}

// judgeLatentBits reads the status bits that stay until somebody clears them.
// All functions of one case share a finding. Those that sleep are left out: what
// stands in their registers may be from before they were switched off, or from
// being woken to be read. So are those whose bits aer-errors explains.
func judgeLatentBits(m *fact.Machine) []Finding {
	t := newTree(m)
	byCase := map[string][]latent{}
	told, _ := tallies(m)
	read, denied, unsure, explained := 0, 0, 0, 0
	var deniedAt fact.Line
	unprinted := found("unprinted")
	for i := range m.PCI {
		d := &m.PCI[i]
		switch {
		case d.CapsState == fact.Denied:
			if denied++; deniedAt.IsZero() {
				deniedAt = d.Refused()
			}
		case d.Express != nil && d.Express.DevSta != nil && d.Header != "7f" && !t.asleep(d):
			l, made := splitBits(d, injectedBits(m, d.Address))
			switch {
			case len(made.bits) == 0:
			case made.explainedBy(told):
				explained++
			default:
				byCase[made.name] = append(byCase[made.name], made)
			}
			switch {
			case len(l.bits) > 0 && t.powerLost(): // it may have been asleep
				unsure++
				continue
			case l.explainedBy(told):
				explained++
			case len(l.bits) > 0:
				byCase[l.name] = append(byCase[l.name], l)
			case d.AER != nil && !d.AER.Printed():
				unprinted.Subjects = append(unprinted.Subjects, d.Address)
				unprinted.cite("capability", d.AER.At)
				continue
			}
			read++
		}
	}

	var out []Finding
	for _, name := range []string{"link", "protocol", "corrected", "harmless", "injected"} {
		if len(byCase[name]) > 0 {
			out = append(out, latentFinding(name, byCase[name], read, denied))
		}
	}
	if len(unprinted.Subjects) > 0 {
		unprinted.Count = len(unprinted.Subjects)
		unprinted.Values["readCount"] = read
		out = append(out, unprinted)
	}
	name, missing := "clear", []string{}
	switch {
	case denied > 0:
		name = "denied"
	case len(m.PCI) > 0 && !registersRead(m):
		name, missing = "unread", []string{"lspci-vvv"}
	case unsure > 0:
		name, missing = "unread", []string{"pci"}
	case read == 0 || len(out) > 0 || explained > 0:
		return out
	}
	f := found(name, Machine)
	f.Values["deniedCount"] = denied
	f.Values["readCount"] = read
	f.Values["missing"] = missing
	if name == "denied" {
		f.cite("denied", deniedAt)
	} else if name == "unread" {
		f.citeSource(m, "source", missing...)
	}
	return append(out, f)
}

// registersRead reports whether the registers of every function are known: lspci
// printed them, or the kernel's files config hold them.
func registersRead(m *fact.Machine) bool {
	if m.Complete("lspci-vvv") {
		return true
	}
	unread := func(d fact.Device) bool { return d.Header == "" }
	return m.Complete("pci") && !slices.ContainsFunc(m.PCI, unread)
}

// latentBits collects the error bits of one function and chooses the case of
// the worst.
func latentBits(d *fact.Device) latent {
	l, _ := splitBits(d, nil)
	return l
}

// splitBits does so and sets aside injections: made are those of AER that somebody made on
// purpose. The kernel puts them into what it reads from the registers, for
// everyone who reads them (aer_inj_read_config in drivers/pci/pcie/aer_inject.c).
func splitBits(d *fact.Device, injections map[string]fact.Line) (l, made latent) {
	l = latent{address: d.Address, name: "harmless"}
	made = latent{address: d.Address, name: "injected"}
	for _, bit := range d.Express.DevSta.Set() {
		if slices.Contains(devStaErrors, bit) {
			l.add(bit, d.Express.DevSta.At)
		}
	}
	if d.AER != nil {
		for _, register := range []*fact.Flags{d.AER.CESta, d.AER.UESta} {
			for _, bit := range register.Set() {
				of := &l
				if at, injected := injections[kernelBit(bit)]; injected {
					of = &made
					made.made = append(made.made, at)
				}
				of.add(bit, register.At)
				of.known = append(of.known, bit)
			}
		}
	}
	summed := slices.Contains(l.bits, "CorrErr") || slices.Contains(l.bits, "NonFatalErr")
	if summed && (d.AER == nil || !d.AER.Printed()) || slices.Equal(l.bits, []string{"CorrErr"}) {
		l.name = "corrected" // alone, it is not from enumeration, which sets UnsupReq as well
	}
	for _, bit := range l.bits {
		if k, ok := knownAER(bit); ok && k.Wire {
			l.name = "link"
			return l, made
		}
		if !slices.Contains(harmlessBits, bit) {
			l.name = "protocol"
		}
	}
	return l, made
}

// add notes a bit and the lines of its register, each once.
func (l *latent) add(bit string, at []fact.Line) {
	if !slices.Contains(l.bits, bit) {
		l.bits = append(l.bits, bit)
	}
	for _, line := range at {
		if !slices.Contains(l.lines, line) {
			l.lines = append(l.lines, line)
		}
	}
}

// explainedBy reports whether errors of these kinds that the function saw were
// counted or logged in this boot: the finding on its link then speaks of them.
func (l *latent) explainedBy(told []*aerTally) bool {
	return len(l.known) > 0 && slices.ContainsFunc(told, func(t *aerTally) bool {
		thisBoot := slices.ContainsFunc(aerSeverities, func(s string) bool { return t.thisBoot(s) > 0 })
		unknown := slices.ContainsFunc(l.known, func(bit string) bool { return !t.kinds[bit] })
		return thisBoot && t.detected[l.address] && !unknown
	})
}

func latentFinding(name string, all []latent, read, denied int) Finding {
	f := found(name)
	f.Count = len(all)
	var rows []map[string]any
	var bits, known []string
	for _, l := range all {
		f.Subjects = append(f.Subjects, l.address)
		rows = append(rows, map[string]any{"address": l.address, "bits": l.bits})
		f.cite("bits", l.lines...)
		f.cite("injection", l.made...)
		for _, bit := range l.bits {
			if !slices.Contains(bits, bit) {
				bits = append(bits, bit)
			}
		}
		known = append(known, l.known...)
	}
	slices.Sort(bits)
	slices.Sort(known)
	kinds := []map[string]any{}
	for _, bit := range slices.Compact(known) {
		if k, ok := knownAER(bit); ok && (k.Wire || name != "link") { // that case speaks of the link only
			kinds = append(kinds, map[string]any{"bit": bit, "de": k.De, "en": k.En})
		}
	}
	f.Values["devices"] = rows
	f.Values["bits"] = bits
	f.Values["kinds"] = kinds
	f.Values["readCount"] = read
	f.Values["deniedCount"] = denied
	return f
}
