package judge

import (
	"strings"

	"hwcap/parse/fact"
)

// deviceAsleep names the functions that were not awake, which is no fault: the
// rules on links and on devices that do not answer leave them out.
var deviceAsleep = Rule{
	ID:      "device-asleep",
	Area:    Links,
	Sources: []string{"lspci-vvv", "pci"},
	// devices are rows of address, state ("D3hot", "D3", "suspended", ...) and
	// silent, which says that the registers read all ones.
	Keys: []string{"devices", "silentCount", "awakeCount"},
	Cases: []Case{
		{Name: "asleep", Verdict: Problem, Severity: Info, Confidence: Observed},
		{Name: "awake", Verdict: OK, Confidence: Observed},
	},
	Judge: judgeDeviceAsleep,
}

func judgeDeviceAsleep(m *fact.Machine) []Finding {
	t := newTree(m)
	f := found("asleep")
	rows := []map[string]any{}
	silentCount, awake, open := 0, 0, 0
	for i := range m.PCI {
		d := &m.PCI[i]
		state, at := lowPower(d)
		switch {
		case t.asleep(d):
			f.Subjects = append(f.Subjects, d.Address)
			rows = append(rows, map[string]any{"address": d.Address, "state": state, "silent": silent(d)})
			f.cite("state", at)
			if silent(d) {
				silentCount++
				f.cite("silent", d.From)
			}
		case d.Sysfs != nil && d.Sysfs.PowerState.Known() && d.Sysfs.Runtime.Known():
			if awake == 0 {
				f.cite("awake", d.Sysfs.PowerState.At)
			}
			awake++
		default:
			open++
		}
	}
	f.Values = map[string]any{"devices": rows, "silentCount": silentCount, "awakeCount": awake}
	switch {
	case len(f.Subjects) > 0:
		f.Count = len(f.Subjects)
		return []Finding{f}
	case awake > 0 && open == 0 && m.Complete("pci", "lspci-vvv"):
		f.Case, f.Subjects, f.Count = "awake", []string{Machine}, awake
		return []Finding{f}
	}
	return nil
}

// sleeping reports whether any source says that d was not awake. Reading its
// registers may have woken it, so what they then say is no steady state.
func sleeping(d *fact.Device) bool {
	state, _ := lowPower(d)
	return state != ""
}

// lowPower is the state in which d saves power, and the line that says so; ""
// where no source does. The kernel's files come first: they are read before
// anything that wakes the device. "suspended" is the runtime status of a
// device whose driver sent it to sleep (Documentation/power/runtime_pm.rst).
func lowPower(d *fact.Device) (string, fact.Line) {
	if s := d.Sysfs; s != nil {
		if state, _ := s.PowerState.Get(); strings.HasPrefix(state, "D3") {
			return state, s.PowerState.At
		}
		if runtime, _ := s.Runtime.Get(); runtime == "suspended" {
			return runtime, s.Runtime.At
		}
	}
	if state, _ := d.Power.Get(); strings.HasPrefix(state, "D3") {
		return state, d.Power.At
	}
	return "", fact.Line{}
}

// asleep reports whether d sleeps, as opposed to being lost: where the kernel
// fails to wake a device, it counts it as D3cold from then on (pci_power_up in
// drivers/pci/pci.c), and so do its files. What reads all ones may be either,
// where a capture lacks the log that would tell.
func (t *tree) asleep(d *fact.Device) bool {
	if !sleeping(d) || silent(d) && t.logLost() {
		return false
	}
	return len(t.wakeFailed(d.Address)) == 0
}

// powerLost reports whether a capture should hold the kernel's files on devices
// and does not, or not all of them: then nobody knows which were asleep, nor
// which are virtual functions.
func (t *tree) powerLost() bool {
	return hasManifest(t.machine) && !t.machine.Complete("pci")
}

// logLost reports whether a capture should hold the kernel log and does not, or
// not all of it.
func (t *tree) logLost() bool {
	return hasManifest(t.machine) && t.machine.Log.State != fact.Present
}

// wakeFailed returns the kernel's messages that it could not wake the function
// at address, of this boot.
func (t *tree) wakeFailed(address string) []fact.Note {
	var out []fact.Note
	for _, n := range t.machine.Log.Of("power-state-failed", "reset-timeout") {
		if n.Device == address && (gaveUp(n) || n.Fields["to"] == "D0") {
			out = append(out, n)
		}
	}
	return out
}

// gaveUp reports whether n says that the kernel waited in vain for a device to
// answer after a reset or after sleep (pci_dev_wait in drivers/pci/pci.c).
func gaveUp(n fact.Note) bool { return n.Kind == "reset-timeout" && n.Fields["outcome"] == "giving up" }
