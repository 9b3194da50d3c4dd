package judge

import (
	"maps"
	"math"
	"slices"
	"strings"

	"hwcap/parse/fact"
)

// deviceGone speaks of functions that are listed, or were in use, and no longer
// answer.
var deviceGone = Rule{
	ID:      "device-gone",
	Area:    Links,
	Sources: []string{"lspci-vvv", "pci", "kmsg", "dmesg", "journal-k"},
	// behind are the functions below that go with it. controller is the
	// kernel's name of an NVMe drive; csts and pciStatus are what its message
	// shows of the two registers, in hexadecimal. configAnswers tells that
	// configuration space answered then, so that the link was up.
	Keys: []string{
		"upper", "behind", "listed", "readsOnes", "busZero", "controller", "csts", "pciStatus", "configAnswers",
		"dropped", "wakeFailed", "eventCount", "hasTime", "firstSeconds", "checkedCount",
	},
	Cases: []Case{
		{Name: "storage", Verdict: Problem, Severity: Critical, Confidence: Derived},
		{Name: "device", Verdict: Problem, Severity: Warning, Confidence: Derived},
		{Name: "back", Verdict: Problem, Severity: Notice, Confidence: Derived},
		{Name: "no-answer", Verdict: Unknown, Confidence: Observed},
		{Name: "outcome-open", Verdict: Unknown, Confidence: Observed},
		{Name: "answers", Verdict: OK, Confidence: Observed},
	},
	Judge: judgeDeviceGone,
}

// loss is what the capture shows of one device that does not answer, or did not
// at some time.
type loss struct {
	device     *fact.Device // its first function, nil where the capture does not list it
	ones, zero bool         // its registers read all ones; it forwards no bus
	down       []fact.Note  // NVMe: the status register read all ones
	dropped    []fact.Note  // NVMe: given up after a reset
	waited     []fact.Note  // the kernel waited in vain for it
	evidence   []Evidence
}

func judgeDeviceGone(m *fact.Machine) []Finding {
	t := newTree(m)
	losses := t.losses()
	covered := map[*fact.Device]bool{} // below another one that does not answer
	for _, l := range losses {
		if l.device != nil && (l.ones || l.zero) {
			for _, d := range t.below(l.device) {
				covered[d] = true
			}
		}
	}
	var out []Finding
	for _, subject := range slices.Sorted(maps.Keys(losses)) {
		l := losses[subject]
		if d := l.device; d != nil && (covered[d] || t.lossExplained(d)) || t.unplugged(l) || t.containedBefore(l) {
			continue
		}
		out = append(out, t.lossFinding(subject, l))
	}
	if len(losses) == 0 && len(m.PCI) > 0 && !slices.ContainsFunc(m.PCI, func(d fact.Device) bool { return silent(&d) }) && m.Complete("lspci-vvv") && logFromBoot(m) {
		f := found("answers", Machine)
		f.Values, f.Count = map[string]any{"checkedCount": len(m.PCI)}, len(m.PCI)
		f.cite("first", m.PCI[0].From)
		out = append(out, f)
	}
	return out
}

// losses gathers what registers and log say, by the address of a device's first
// function, or by the name of an NVMe controller whose address is not known.
func (t *tree) losses() map[string]*loss {
	all := map[string]*loss{}
	of := func(subject, role string, at fact.Line) *loss {
		d := t.device[subject]
		if d != nil {
			d = t.firstFunction(d)
			subject = d.Address
		}
		l := all[subject]
		if l == nil {
			l = &loss{device: d}
			all[subject] = l
		}
		if !at.IsZero() {
			l.evidence = append(l.evidence, Evidence{Line: at, Role: role})
		}
		return l
	}
	for i := range t.machine.PCI {
		d := &t.machine.PCI[i]
		if isVF(d) || t.asleep(d) {
			continue
		}
		if silent(d) || d.Revision == "ff" && d.Express == nil && d.CapsState != fact.Present {
			l := of(d.Address, "ones", d.From)
			l.ones = true
			of(d.Address, "ones", d.HeaderAt)
			for _, n := range t.wakeFailed(d.Address) {
				of(d.Address, "wake", n.At)
			}
		}
		if b := d.Bus; b != nil && *b == (fact.BusRange{At: b.At}) && t.kind(d) != "" && len(t.children[d.Address]) > 0 {
			of(d.Address, "bus", b.At).zero = true
		}
	}
	for _, n := range t.machine.Log.Of("nvme-down", "nvme-removed", "reset-timeout") {
		switch {
		case n.Kind == "nvme-down" && allOnes(n.Fields["csts"]):
			l := of(t.controller(n), "down", n.At)
			l.down = append(l.down, n)
		case n.Kind == "nvme-removed":
			l := of(t.controller(n), "dropped", n.At)
			l.dropped = append(l.dropped, n)
		case gaveUp(n) && n.Device != "":
			l := of(n.Device, "waited", n.At)
			l.waited = append(l.waited, n)
		}
	}
	return all
}

// lossFinding describes one loss.
func (t *tree) lossFinding(subject string, l *loss) Finding {
	f := found(t.lossCase(l), subject)
	f.Evidence = l.evidence
	f.Values = map[string]any{
		"upper": "", "behind": []string{}, "listed": l.device != nil, "readsOnes": l.ones, "busZero": l.zero,
		"controller": "", "csts": "", "pciStatus": "", "configAnswers": false,
		"dropped": len(l.dropped) > 0, "wakeFailed": len(l.waited) > 0,
		"eventCount": 0, "hasTime": false, "firstSeconds": 0.0,
	}
	if d := l.device; d != nil {
		behind := []string{}
		for _, b := range t.below(d) {
			behind = append(behind, b.Address)
		}
		f.Values["upper"], f.Values["behind"] = d.Parent, behind
		f.Values["wakeFailed"] = len(l.waited) > 0 || len(t.wakeFailed(d.Address)) > 0
	}
	for _, n := range slices.Concat(l.down, l.dropped) {
		f.Values["controller"] = n.Fields["controller"]
	}
	if len(l.down) > 0 {
		n := l.down[0]
		f.Values["csts"], f.Values["pciStatus"] = n.Fields["csts"], n.Fields["pciStatus"]
		f.Values["configAnswers"] = n.Fields["pciStatus"] != "" && !allOnes(n.Fields["pciStatus"])
	}
	events := slices.Concat(l.down, l.dropped, l.waited)
	f.Count, f.Values["eventCount"] = len(events), len(events)
	f.Values["firstSeconds"], _, f.Values["hasTime"] = spanOf(events)
	return f
}

// lossCase names the case: what counts is whether the device is known to be
// awake, whether it came back, and whether it holds data.
func (t *tree) lossCase(l *loss) string {
	d := l.device
	events := len(l.down) + len(l.dropped) + len(l.waited)
	switch {
	case d == nil && !t.listKnown():
		return "outcome-open"
	case d != nil && l.ones && !t.provenAwake(d) && events == 0:
		return "no-answer"
	case d != nil && !l.ones && !l.zero:
		// It is listed and answers. Whether it works again is told by its
		// driver, which a drive that was given up has lost.
		switch {
		case d.Driver != "":
			return "back"
		case !d.DriverKnown:
			return "outcome-open"
		}
	}
	if l.holdsData(t) {
		return "storage"
	}
	return "device"
}

// listKnown reports whether a device that is not listed is not there, for all
// that the capture says of its own sources.
func (t *tree) listKnown() bool {
	m := t.machine
	return !hasManifest(m) || m.Complete("lspci-vvv") || m.Complete("pci")
}

// holdsData reports whether a storage controller is lost.
func (l *loss) holdsData(t *tree) bool {
	if l.device == nil {
		return len(l.down)+len(l.dropped) > 0
	}
	return slices.ContainsFunc(append(t.below(l.device), l.device), storage)
}

func storage(d *fact.Device) bool { return strings.HasPrefix(d.Class, "01") }

// provenAwake reports whether d was not in a state in which all ones are
// normal, or could not be brought out of it. Without the log, the cause may be
// one that another rule names.
func (t *tree) provenAwake(d *fact.Device) bool {
	if len(t.wakeFailed(d.Address)) > 0 {
		return true
	}
	if d.Sysfs == nil || t.logLost() {
		return false
	}
	state, _ := d.Sysfs.PowerState.Get()
	runtime, _ := d.Sysfs.Runtime.Get()
	return state == "D0" || state == "error" || runtime == "active" && state == ""
}

// lossExplained reports whether another rule names the cause: the graphics
// driver lost its card (gpu-lost), or a port above cut it off for good
// (dpc-state).
func (t *tree) lossExplained(d *fact.Device) bool {
	for _, n := range t.machine.Log.Of("gpu-lost", "gpu-xid") {
		if n.Kind == "gpu-xid" && n.Fields["xid"] != "79" {
			continue
		}
		if x := t.device[n.Device]; x != nil && place(x) == place(d) {
			return true
		}
	}
	cut := t.cutPorts()
	up := t.device[d.Parent]
	for range buses {
		if up == nil {
			return false
		}
		if cut[up.Address] != nil {
			return true
		}
		up = t.device[up.Parent]
	}
	return false
}

// cutPorts returns the ports that cut off what is below them and did not bring
// it back, with the messages that say so.
func (t *tree) cutPorts() map[string][]fact.Note {
	cut := containmentEvents(t.machine)
	maps.DeleteFunc(cut, func(port string, events []fact.Note) bool {
		name := containment(t.machine, port, events).Case
		return name != "event" && name != "removed"
	})
	return cut
}

// containTime is how many seconds the driver of a drive takes at most to give
// up after a port above was cut off: its commands run out after 30 s, and the
// reset after as long again.
const containTime = 90

// containedBefore reports whether a port cut off what is below it shortly before
// each event, and for good, where the capture does not show which port is above.
func (t *tree) containedBefore(l *loss) bool {
	if l.device != nil {
		return false
	}
	contained := slices.Concat(slices.Collect(maps.Values(t.cutPorts()))...)
	for _, n := range slices.Concat(l.down, l.dropped, l.waited) {
		if !slices.ContainsFunc(contained, func(e fact.Note) bool {
			return e.Time != nil && n.Time != nil && *e.Time <= *n.Time && *n.Time-*e.Time <= containTime
		}) {
			return false
		}
	}
	return true
}

// unplugTime is how many seconds lie at most between a slot's message that its
// card is gone and what the drivers say of it.
const unplugTime = 10

// unplugged reports whether a slot emptied around the time of every event.
func (t *tree) unplugged(l *loss) bool {
	if l.ones || l.zero {
		return false // still listed
	}
	empties := t.machine.Log.Of("pciehp-card-absent", "pciehp-button")
	for _, n := range slices.Concat(l.down, l.dropped, l.waited) {
		if !slices.ContainsFunc(empties, func(e fact.Note) bool {
			return e.Time != nil && n.Time != nil && math.Abs(*e.Time-*n.Time) <= unplugTime && e.Fields["direction"] != "on"
		}) {
			return false
		}
	}
	return true
}

// firstFunction returns the first function of the device that d is one of.
func (t *tree) firstFunction(d *fact.Device) *fact.Device {
	for _, s := range t.children[d.Parent] {
		if place(s) == place(d) && s.Address < d.Address && !isVF(s) {
			d = s
		}
	}
	return d
}

// controller returns the address of the NVMe drive that a message speaks of:
// as it prints it, or that of the only one. Else it is the kernel's name,
// "nvme0".
func (t *tree) controller(n fact.Note) string {
	if n.Device != "" {
		return n.Device
	}
	if !t.listKnown() {
		return n.Fields["controller"]
	}
	only := ""
	for i := range t.machine.PCI {
		if d := &t.machine.PCI[i]; d.Class == "0108" && !isVF(d) {
			if only != "" {
				return n.Fields["controller"]
			}
			only = d.Address
		}
	}
	if only == "" {
		return n.Fields["controller"]
	}
	return only
}

// allOnes reports whether a register that the kernel prints in hexadecimal
// read all ones: no device answered.
func allOnes(hex string) bool {
	digits := strings.TrimPrefix(hex, "0x")
	return digits != "" && strings.Trim(digits, "fF") == ""
}

// spanOf returns the times of the first and last of notes, in seconds since
// boot, and whether there are any.
func spanOf(notes []fact.Note) (first, last float64, ok bool) {
	for _, n := range notes {
		if n.Time == nil {
			continue
		}
		end := *n.Time
		if n.LastTime != nil {
			end = max(end, *n.LastTime)
		}
		if !ok {
			first, last, ok = *n.Time, end, true
		}
		first, last = min(first, *n.Time), max(last, end)
	}
	return first, last, ok
}
