package judge

import (
	"strings"

	"hwcap/parse/fact"
)

// qatDevice tells how far each QuickAssist device has come. Bound (a driver has
// it), started (its engines run) and registered (the kernel offers its
// algorithms) are three things; whether it is used at all is told by
// qat-counters.
var qatDevice = Rule{
	ID:      "qat-device",
	Area:    Crypto,
	Sources: []string{"lspci-vvv", "pci", "dmesg", "kmsg", "journal-k", "proc-crypto", "netlink-crypto", "qat", "proc-version", "proc-cmdline"},
	Keys: []string{"family", "generation", "id", "virtual", "driver", "module", "boundTo", "sinceKernel", "firmware", "outOfTree",
		"qatlib", "kernel", "kernelTooOld", "kernelSilent", "engines", "errors", "algorithms", "services", "vfsOffered", "vfsActive"},
	Cases: []Case{
		{Name: "working", Verdict: Problem, Severity: Info, Confidence: Derived, Known: true},
		{Name: "bad-kernel", Verdict: Problem, Severity: Warning, Confidence: Derived, Known: true},
		{Name: "bound-not-registered", Verdict: Problem, Severity: Notice, Confidence: Derived, Known: true},
		{Name: "bound-not-started", Verdict: Problem, Severity: Warning, Confidence: Derived},
		{Name: "down", Verdict: Problem, Severity: Notice, Confidence: Observed},
		{Name: "handed-over", Verdict: Problem, Severity: Info, Confidence: Observed},
		{Name: "no-driver", Verdict: Problem, Severity: Warning, Confidence: Derived, Known: true},
		{Name: "no-in-tree-driver", Verdict: Problem, Severity: Info, Confidence: Observed, Known: true},
		{Name: "start-unknown", Verdict: Unknown},
		{Name: "registration-unknown", Verdict: Unknown},
		{Name: "driver-unknown", Verdict: Unknown},
	},
	Judge: judgeQATDevice,
}

// A qatState gathers what the capture says of one device.
type qatState struct {
	m          *fact.Machine
	d          *fact.Device
	chip       *qatChip
	virtual    bool
	debug      *fact.QAT // its folder in debugfs or sysfs, or nil
	registered []*fact.Algorithm
	started    []fact.Note // "started N acceleration engines", if that came last
	errors     []fact.Note // why it did not start, if that came last
}

func judgeQATDevice(m *fact.Machine) []Finding {
	var findings []Finding
	for _, s := range qatStates(m) {
		findings = append(findings, s.finding())
	}
	return findings
}

// qatStates returns the QuickAssist devices of m. Virtual functions belong to
// their physical function and are left out beside it.
func qatStates(m *fact.Machine) []*qatState {
	var all []*qatState
	for i := range m.PCI {
		d := &m.PCI[i]
		chip, virtual := qatChipOf(d)
		if chip == nil || virtual && hasPhysical(m, chip) {
			continue
		}
		s := &qatState{m: m, d: d, chip: chip, virtual: virtual}
		for j := range m.QAT {
			if m.QAT[j].Address == d.Address {
				s.debug = &m.QAT[j]
			}
		}
		for j := range m.Crypto.Algorithms {
			if a := &m.Crypto.Algorithms[j]; offloadOf(a) == qatOffload {
				s.registered = append(s.registered, a)
			}
		}
		s.readLog()
		all = append(all, s)
	}
	return all
}

// hasPhysical reports whether a physical function of the chip is on the machine.
// Whose virtual functions are seen need not be known: they are no subject then.
func hasPhysical(m *fact.Machine, chip *qatChip) bool {
	for i := range m.PCI {
		if c, virtual := qatChipOf(&m.PCI[i]); c == chip && !virtual {
			return true
		}
	}
	return false
}

// readLog keeps what the log says last: a start, or the errors instead of one.
func (s *qatState) readLog() {
	for _, n := range s.m.Log.Of("qat-started", "qat-stopped", "qat-error", "firmware-load-failed", "probe-failed") {
		switch {
		case n.Device != s.d.Address:
		case n.Kind == "qat-started":
			s.started, s.errors = []fact.Note{n}, nil
		case n.Kind == "qat-stopped":
			s.started = nil
		case n.Kind == "qat-error" && (n.Fields["what"] == "heartbeat" || n.Fields["what"] == "hardware"):
			// an error of a running device; no failure to start
		default:
			s.errors, s.started = append(s.errors, n), nil
		}
	}
}

// driver returns the names of the driver and module in the kernel tree, "" if
// there is none.
func (s *qatState) driver() (driver, module string) {
	if s.virtual {
		return s.chip.vfDriver, s.chip.vfModule
	}
	return s.chip.driver, s.chip.module
}

// driverRead reports whether the capture tells for certain which driver has the
// device, or that none has. In a listing that was cut the line may be missing.
func (s *qatState) driverRead() bool {
	if s.d.Driver != "" {
		return true
	}
	_, listed := s.m.Lists["sys/bus/pci/devices/"+s.d.Address]
	if listed && !interrupted(s.m, "pci") {
		return true
	}
	return s.d.DriverKnown && !interrupted(s.m, "lspci-vvv", "pci")
}

func (s *qatState) outcome() string {
	driver, _ := s.driver()
	version, _, versionKnown := versionOf(s.m)
	switch {
	case !s.driverRead():
		return "driver-unknown"
	case s.d.Driver == "" && driver == "":
		return "no-in-tree-driver"
	case s.d.Driver == "":
		return "no-driver"
	case driver != "" && s.d.Driver != driver:
		return "handed-over"
	case versionKnown && qatCorrupts(version):
		return "bad-kernel"
	case s.debug != nil && strings.TrimSpace(s.debug.Up.V) == "down":
		return "down"
	case len(s.errors) > 0:
		return "bound-not-started"
	case s.running() && len(s.registered) > 0:
		return "working"
	case len(s.registered) > 0: // by another device, perhaps
		return "start-unknown"
	case !listComplete(s.m):
		return "registration-unknown"
	case s.running():
		return "bound-not-registered"
	}
	return "start-unknown"
}

// running reports whether the device is known to have started: the log says so,
// or its counters answered, or its state is up, or what is registered can be of
// no other device.
func (s *qatState) running() bool {
	if len(s.started) > 0 {
		return true
	}
	if s.debug != nil && (s.debug.Counters.State == fact.Present || strings.TrimSpace(s.debug.Up.V) == "up") {
		return true
	}
	devices := 0
	for i := range s.m.PCI {
		if chip, _ := qatChipOf(&s.m.PCI[i]); chip != nil {
			devices++
		}
	}
	return len(s.registered) > 0 && devices == 1 && !interrupted(s.m, "lspci-vvv", "pci")
}

func (s *qatState) finding() Finding {
	f := found(s.outcome(), s.d.Address)
	driver, module := s.driver()
	version, versionAt, versionKnown := versionOf(s.m)
	f.Values = map[string]any{
		"family": s.chip.name, "generation": s.chip.generation, "id": s.d.Vendor + ":" + s.d.Device, "virtual": s.virtual,
		"driver": driver, "module": module, "boundTo": s.d.Driver, "sinceKernel": "", "firmware": s.chip.firmware,
		"outOfTree": s.chip.outOfTree, "qatlib": s.chip.qatlib, "kernel": "", "kernelTooOld": false, "kernelSilent": false,
		"engines": "", "errors": len(s.errors), "algorithms": len(s.registered), "services": "", "vfsOffered": 0, "vfsActive": 0,
	}
	f.cite("device", s.d.From)
	f.citeDriver(s.m, s.d)
	if module != "" && s.chip.since.major > 0 {
		f.Values["sinceKernel"] = kernelVersion{s.chip.since.major, s.chip.since.minor, -1}.String()
	}
	if versionKnown {
		f.Values["kernel"] = version.String()
		f.Values["kernelTooOld"] = version.before(s.chip.since.major, s.chip.since.minor)
		f.Values["kernelSilent"] = qatSilent(version)
		f.cite("kernel", versionAt)
	}
	for _, n := range s.started {
		f.Values["engines"] = n.Fields["engines"]
		f.cite("started", n.At)
	}
	f.citeNotes("error", s.errors)
	for _, a := range s.registered {
		f.cite("algorithm", algorithmLines(a)[0])
	}
	if s.debug != nil {
		f.Values["services"] = strings.TrimSpace(s.debug.Services.V)
		f.cite("state", s.debug.Up.At)
		f.cite("services", s.debug.Services.At)
	}
	if v := s.d.SRIOV; v != nil {
		f.Values["vfsOffered"], f.Values["vfsActive"] = v.TotalVFs, v.NumVFs
		f.cite("sriov", v.At)
	} else if s.d.Sysfs != nil {
		f.Values["vfsOffered"], f.Values["vfsActive"] = s.d.Sysfs.TotalVFs.V, s.d.Sysfs.NumVFs.V
		f.cite("sriov", s.d.Sysfs.TotalVFs.At, s.d.Sysfs.NumVFs.At)
	}
	return f
}

// citeDriver cites the line that names the driver of d, from lspci or else from
// the device's folder.
func (f *Finding) citeDriver(m *fact.Machine, d *fact.Device) {
	if strings.HasSuffix(d.DriverAt.Text, " "+d.Driver) { // sysfs may know better
		f.cite("driver", d.DriverAt)
		return
	}
	for _, e := range m.Lists["sys/bus/pci/devices/"+d.Address].Entries {
		if e.Name == "driver" {
			f.cite("driver", e.At)
		}
	}
}
