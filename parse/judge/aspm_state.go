package judge

import (
	"cmp"
	"slices"
	"strings"

	"hwcap/parse/fact"
)

// aspmState tells in which links the power saving states L0s and L1 are
// switched on (Active State Power Management, PCIe Base Specification 5.4.1),
// and who decides on them. The kernel may have been told to keep its hands off:
// then what the firmware set stays, on or off.
var aspmState = Rule{
	ID:      "aspm-state",
	Area:    Links,
	Sources: []string{"lspci-vvv", "pci", "pcie-aspm", "proc-cmdline", "kmsg", "dmesg", "journal-k"},
	// rows are of upper, lower, the support and setting of both ends as lspci
	// prints them, states that are in effect, oneSided, and the L1 substates
	// that are on; control is "kernel", "firmware" or "open".
	Keys: []string{
		"rows", "linkCount", "onCount", "oneSidedCount", "control", "policy", "parameters", "fadt", "refused",
		"upper", "chip", "states", "source", "denied",
	},
	Cases: []Case{
		{Name: "known-broken", Verdict: Problem, Severity: Warning, Confidence: Derived, Known: true},
		{Name: "on", Verdict: Problem, Severity: Info, Confidence: Observed},
		{Name: "on-firmware", Verdict: Problem, Severity: Info, Confidence: Derived},
		{Name: "off", Verdict: Problem, Severity: Info, Confidence: Observed},
		{Name: "registers-unread", Verdict: Unknown, Confidence: Observed},
	},
	Judge: judgeASPM,
}

// Who decides on ASPM.
const (
	kernelDecides   = "kernel"
	firmwareDecides = "firmware"
	openWhoDecides  = "open"
)

// aspmPolicy is the kernel's policy, the chosen one in brackets.
const aspmPolicy = "sys/module/pcie_aspm/parameters/policy"

func judgeASPM(m *fact.Machine) []Finding {
	t := newTree(m)
	if t.virtual {
		return nil
	}
	all := found("off", Machine)
	all.Values = map[string]any{"denied": false}
	all.addASPMControl(m)
	var broken []Finding
	rows := []map[string]any{}
	on, oneSided := 0, 0
	for _, l := range t.links {
		up, down := aspmOf(l.Upper), aspmOf(l.Lower)
		if l.Fixed || up == nil || down == nil || silent(l.Upper) || silent(l.Lower) || tunnel(l.Upper, l.Up.Cap) || tunnel(l.Lower, l.Down.Cap) {
			continue
		}
		states := inEffect(up.ASPM, down.ASPM)
		row := map[string]any{
			"upper": l.Upper.Address, "lower": l.Lower.Address,
			"upperCan": l.Upper.Express.LinkCap.ASPM, "lowerCan": l.Lower.Express.LinkCap.ASPM,
			"upperSet": up.ASPM, "lowerSet": down.ASPM, "states": states,
			"oneSided":  enables(up.ASPM, "L1") != enables(down.ASPM, "L1"),
			"substates": []string{},
		}
		role := "off"
		if len(states) > 0 {
			on++
			role = "on"
			if ss := l.Lower.L1SS; ss != nil {
				row["substates"] = substates(ss.Ctl)
			}
		}
		if row["oneSided"].(bool) {
			oneSided++
			role = "oneSided"
		}
		rows = append(rows, row)
		all.cite(role, up.At, down.At)
		if fault := aspmFaultOf(l); fault != nil {
			bad := slices.DeleteFunc(strings.Fields(fault.states), func(s string) bool { return !slices.Contains(states, s) })
			if len(bad) > 0 {
				f := found("known-broken", l.Lower.Address)
				f.Values = map[string]any{
					"upper": l.Upper.Address, "chip": fault.name, "states": bad, "source": fault.source,
					"control": all.Values["control"], "policy": all.Values["policy"], "parameters": all.Values["parameters"],
				}
				f.cite("on", up.At, down.At)
				f.cite("chip", l.Lower.From)
				broken = append(broken, f)
			}
		}
	}
	all.Count = len(rows)
	all.Values["rows"], all.Values["linkCount"], all.Values["onCount"], all.Values["oneSidedCount"] = rows, len(rows), on, oneSided
	switch {
	case len(rows) == 0:
		return t.aspmUnread(all)
	case on > 0 && all.Values["control"] == firmwareDecides:
		all.Case = "on-firmware"
	case on > 0:
		all.Case = "on"
	}
	return append(broken, all)
}

// addASPMControl gives f who decides, and what that rests on.
func (f *Finding) addASPMControl(m *fact.Machine) {
	control := openWhoDecides
	policy, known := m.Setting(aspmPolicy).Get()
	if known && logFromBoot(m) {
		control = kernelDecides
	}
	cmdline := bootLine(m)
	parameters := wordsOf(cmdline.V, "pcie_aspm", "pcie_aspm.policy")
	if len(parameters) > 0 {
		f.cite("parameter", cmdline.At)
	}
	fadt := m.Log.Of("fadt-aspm")
	refused := []string{}
	for _, n := range m.Log.Of("aspm-no-control") {
		if !slices.Contains(refused, n.Device) {
			refused = append(refused, n.Device)
			f.cite("refused", n.At)
		}
	}
	if len(fadt) > 0 { // one for each root bridge
		f.cite("fadt", fadt[0].At)
	}
	old := slices.DeleteFunc(m.Log.Of("osc-old", "aspm-disabled"), func(n fact.Note) bool {
		return n.Kind == "osc-old" && n.Fields["aspm"] == "" || n.Fields["reason"] != ""
	})
	f.citeNotes("handsOff", old)
	if len(fadt)+len(refused)+len(old) > 0 || slices.Contains(parameters, "pcie_aspm=off") {
		control = firmwareDecides
	}
	f.Values["control"], f.Values["parameters"] = control, parameters
	f.Values["fadt"], f.Values["refused"] = len(fadt) > 0, refused
	f.Values["policy"] = chosen(policy)
	f.cite("policy", m.Setting(aspmPolicy).At)
}

// chosen is the word in brackets of "default [performance] powersave".
func chosen(words string) string {
	_, rest, _ := strings.Cut(words, "[")
	word, _, _ := strings.Cut(rest, "]")
	return word
}

// aspmOf returns the Link Control register of d, nil if it was not read.
func aspmOf(d *fact.Device) *fact.LinkCtl {
	if d.Express == nil || d.Express.LinkCap == nil || d.Express.LinkCtl == nil || d.Express.LinkCtl.ASPM == "" {
		return nil
	}
	return d.Express.LinkCtl
}

// enables reports whether a setting as lspci prints it ("L0s L1 Enabled")
// switches a state on.
func enables(setting, state string) bool {
	states, on := strings.CutSuffix(setting, "Enabled")
	return on && slices.Contains(strings.Fields(states), state)
}

// inEffect returns the states that a link enters with the settings of its two
// ends: L1 needs both, since the port above refuses it otherwise; L0s is each
// end's own business, one direction each.
func inEffect(up, down string) []string {
	states := []string{}
	if enables(up, "L0s") || enables(down, "L0s") {
		states = append(states, "L0s")
	}
	if enables(up, "L1") && enables(down, "L1") {
		states = append(states, "L1")
	}
	return states
}

// substates are the L1 substates that are switched on for ASPM, without the
// prefix.
func substates(ctl *fact.Flags) []string {
	out := []string{}
	for _, name := range ctl.Set() {
		if s, ok := strings.CutPrefix(name, "ASPM_"); ok {
			out = append(out, s)
		}
	}
	return out
}

// aspmUnread is the one finding where no link's registers were read, although
// something shows that there are links.
func (t *tree) aspmUnread(f Finding) []Finding {
	denied := slices.IndexFunc(t.machine.PCI, func(d fact.Device) bool { return d.CapsState == fact.Denied })
	lost := hasManifest(t.machine) && !t.machine.Complete("lspci-vvv")
	if denied < 0 && !lost && len(f.Values["refused"].([]string)) == 0 && f.Values["fadt"] == false {
		return nil
	}
	f.Case = "registers-unread"
	f.Values["denied"] = denied >= 0
	if denied >= 0 {
		f.cite("denied", t.machine.PCI[denied].Refused())
	} else {
		f.cite("source", t.machine.Source("lspci-vvv").At)
	}
	return []Finding{f}
}

// aspmFaultOf returns the row on one of l's ends, or nil.
func aspmFaultOf(l *Link) *aspmFault {
	return cmp.Or(aspmFaultBy(l.Lower), aspmFaultBy(l.Upper))
}

func aspmFaultBy(d *fact.Device) *aspmFault {
	for i, r := range aspmFaults {
		if r.vendor == d.Vendor && d.Device != "" && strings.Contains(r.devices, d.Device) || r.word != "" && named(d, r.word) {
			return &aspmFaults[i]
		}
	}
	return nil
}
