package judge

import (
	"slices"
	"strings"

	"hwcap/parse/fact"
)

// qatDevice tells how far each QuickAssist device has come. Bound (a driver has
// it), started (its engines run) and registered (the kernel offers its
// algorithms) are three things; what it is set up for is told by qat-instances,
// whether it is used at all by qat-counters. Functions of one chip of which the
// same holds are one finding.
var qatDevice = Rule{
	ID:      "qat-device",
	Area:    Crypto,
	Sources: []string{"lspci-vvv", "pci", "dmesg", "kmsg", "journal-k", "proc-crypto", "netlink-crypto", "qat", "proc-version", "proc-cmdline"},
	// engines is how many started, of each function; file is the firmware that
	// could not be loaded; levels is a table of what the chip may be sold with:
	// level, compressGbits, cipherGbits, rsaPerSecond. The numbers of vfs and of
	// errors are those of all functions; faults counts the log's lines on a
	// running device, corrected, nonFatal and fatal are the counters of qat_ras.
	Keys: []string{"family", "generation", "id", "virtual", "driver", "module", "boundTo", "sinceKernel", "firmware", "outOfTree",
		"qatlib", "kernel", "kernelTooOld", "kernelSilent", "engines", "errors", "file", "algorithms", "services", "vfsOffered", "vfsActive",
		"package", "functions", "levels", "faults", "recovered", "corrected", "nonFatal", "fatal"},
	Cases: []Case{
		{Name: "working", Verdict: Problem, Severity: Info, Confidence: Derived, Known: true},
		{Name: "bad-kernel", Verdict: Problem, Severity: Warning, Confidence: Derived, Known: true},
		{Name: "bound-not-registered", Verdict: Problem, Severity: Notice, Confidence: Derived, Known: true},
		{Name: "bound-not-started", Verdict: Problem, Severity: Warning, Confidence: Derived},
		{Name: "faulty", Verdict: Problem, Severity: Warning, Confidence: Observed},
		{Name: "down", Verdict: Problem, Severity: Notice, Confidence: Observed},
		{Name: "handed-over", Verdict: Problem, Severity: Info, Confidence: Observed},
		{Name: "no-driver", Verdict: Problem, Severity: Warning, Confidence: Derived, Known: true},
		{Name: "out-of-tree-driver", Verdict: Problem, Severity: Info, Confidence: Derived, Known: true},
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
	faults     []fact.Note // of the device while it ran
	recovered  []fact.Note // from them, by a reset
}

func judgeQATDevice(m *fact.Machine) []Finding {
	var findings []Finding
	for _, s := range qatStates(m) {
		f := s.finding()
		i := slices.IndexFunc(findings, func(g Finding) bool { return alikeQAT(g, f) })
		if i < 0 {
			findings = append(findings, f)
			continue
		}
		findings[i].joinQAT(f)
	}
	return findings
}

// alikeQAT reports whether two findings say the same of two functions.
func alikeQAT(f, g Finding) bool {
	for _, key := range []string{"id", "boundTo", "engines", "file"} {
		if f.Values[key] != g.Values[key] {
			return false
		}
	}
	return f.Case == g.Case
}

// joinQAT adds a function of which the same holds.
func (f *Finding) joinQAT(g Finding) {
	f.Subjects = append(f.Subjects, g.Subjects...)
	f.Values["functions"] = len(f.Subjects)
	for _, key := range []string{"errors", "vfsOffered", "vfsActive", "faults", "recovered"} {
		f.Values[key] = f.Values[key].(int) + g.Values[key].(int)
	}
	for _, key := range []string{"corrected", "nonFatal", "fatal"} {
		f.Values[key] = f.Values[key].(int64) + g.Values[key].(int64)
	}
	if f.Values["services"] != g.Values["services"] { // each its own: see qat-instances
		f.Values["services"] = ""
	}
	for _, e := range g.Evidence {
		if e.Role != "kernel" && e.Role != "algorithm" { // of the machine, cited already
			f.cite(e.Role, e.Line)
		}
	}
}

// qatStates returns the QuickAssist devices of m. Virtual functions belong to
// their physical function and are left out beside it.
func qatStates(m *fact.Machine) []*qatState {
	var all []*qatState
	add := func(d *fact.Device, chip *qatChip, virtual bool) {
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
	for i := range m.PCI {
		d := &m.PCI[i]
		if chip, virtual := qatChipOf(d); chip != nil && !(virtual && hasPhysical(m, chip)) {
			add(d, chip, virtual)
		}
	}
	if len(m.PCI) == 0 {
		for _, d := range qatInLog(m) {
			if chip, virtual := qatDriverOf(d.Driver); chip != nil {
				add(d, chip, virtual)
			}
		}
	}
	return all
}

// qatInLog returns the devices whose driver speaks in a log that came without a
// list of devices. A driver that speaks of a device has it.
func qatInLog(m *fact.Machine) []*fact.Device {
	var all []*fact.Device
	seen := map[string]bool{}
	for _, n := range m.Log.Of("qat-started", "qat-error") {
		if n.Device == "" || seen[n.Device] {
			continue
		}
		seen[n.Device] = true
		all = append(all, &fact.Device{Address: n.Device, Driver: n.Driver, DriverKnown: true, From: n.At})
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
	for _, n := range s.m.Log.Of("qat-started", "qat-stopped", "qat-error", "qat-recovered", "firmware-load-failed", "probe-failed") {
		switch {
		case n.Device != s.d.Address:
		case n.Kind == "qat-started":
			s.started, s.errors = []fact.Note{n}, nil
		case n.Kind == "qat-recovered":
			s.recovered, s.errors = append(s.recovered, n), nil
		case n.Kind == "qat-stopped":
			s.started = nil
		case qatFault(n):
			s.faults = append(s.faults, n)
		case n.Fields["what"] == "heartbeat", n.Fields["what"] == "hardware": // no failure to start either
		default:
			s.errors, s.started = append(s.errors, n), nil
		}
	}
}

// qatFault reports whether a message tells of a device that ran and failed. That
// the driver has no heartbeat, and errors that were corrected, are none.
func qatFault(n fact.Note) bool {
	if n.Kind != "qat-error" {
		return false
	}
	switch n.Fields["what"] {
	case "heartbeat":
		return strings.Contains(n.At.Text, "not responding")
	case "hardware":
		return n.Fields["severity"] != "corrected"
	}
	return strings.Contains(n.At.Text, "Resetting device") || strings.Contains(n.At.Text, "Secondary bus reset")
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
	nonFatal, fatal := s.uncorrected()
	switch {
	case !s.driverRead():
		return "driver-unknown"
	case s.d.Driver == "" && driver == "":
		return "no-in-tree-driver"
	case s.d.Driver == "":
		return "no-driver"
	case driver != "" && s.d.Driver != driver, slices.Contains(passThrough, s.d.Driver):
		return "handed-over"
	case driver == "":
		return "out-of-tree-driver"
	case versionKnown && qatCorrupts(version):
		return "bad-kernel"
	case s.state() == "down":
		return "down"
	case len(s.errors) > 0:
		return "bound-not-started"
	case len(s.faults) > 0, nonFatal+fatal > 0:
		return "faulty"
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

// passThrough are drivers that give a device to a guest or a program.
var passThrough = []string{"vfio-pci", "qat_vfio_pci", "pci-stub", "uio_pci_generic", "igb_uio", "pciback", "xen-pciback"}

// state is what sysfs or adf_ctl calls it: "up", "down", or "".
func (s *qatState) state() string {
	if s.debug == nil {
		return ""
	}
	if up := strings.TrimSpace(s.debug.Up.V); up != "" {
		return up
	}
	if s.debug.Status != nil {
		return s.debug.Status.State
	}
	return ""
}

// uncorrected returns the counters of qat_ras.
func (s *qatState) uncorrected() (nonFatal, fatal int64) {
	if s.debug == nil {
		return 0, 0
	}
	return s.debug.NonFatal.V, s.debug.Fatal.V
}

// running reports whether the device is known to have started: the log says so,
// or its counters answered, or its state is up, or what is registered can be of
// no other device.
func (s *qatState) running() bool {
	if len(s.started) > 0 {
		return true
	}
	if s.debug != nil && s.debug.Counters.State == fact.Present || s.state() == "up" {
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
		"outOfTree": s.chip.outOfTree, "package": s.chip.intelPackage, "qatlib": s.chip.qatlib, "kernel": "", "kernelTooOld": false, "kernelSilent": false,
		"engines": "", "errors": len(s.errors), "file": "", "algorithms": len(s.registered), "services": "", "vfsOffered": 0, "vfsActive": 0,
		"functions": 1, "levels": levelsOf(s.chip), "faults": len(s.faults), "recovered": len(s.recovered),
		"corrected": int64(0), "nonFatal": int64(0), "fatal": int64(0),
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
	for _, n := range s.errors {
		if file := n.Fields["file"]; file != "" && f.Values["file"] == "" {
			f.Values["file"] = file
		}
	}
	f.citeNotes("error", s.errors)
	f.citeNotes("fault", s.faults)
	f.citeNotes("recovered", s.recovered)
	for _, a := range s.registered {
		f.cite("algorithm", algorithmLines(a)[0])
	}
	if s.debug != nil {
		f.Values["services"] = strings.TrimSpace(s.debug.Services.V)
		f.cite("state", s.debug.Up.At)
		f.cite("services", s.debug.Services.At)
		if s.debug.Status != nil {
			f.cite("state", s.debug.Status.At)
		}
		for key, v := range map[string]fact.Val[int64]{"corrected": s.debug.Correctable, "nonFatal": s.debug.NonFatal, "fatal": s.debug.Fatal} {
			f.Values[key] = v.V
		}
		f.cite("ras", s.debug.NonFatal.At, s.debug.Fatal.At)
		if s.debug.Correctable.V > 0 {
			f.cite("corrected", s.debug.Correctable.At)
		}
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

// levelsOf is the table of what the chip may be sold with.
func levelsOf(chip *qatChip) []map[string]any {
	levels := []map[string]any{}
	for _, l := range qatLevels[chip.pf] {
		levels = append(levels, map[string]any{
			"level": l.name, "compressGbits": l.compressGbits, "cipherGbits": l.cipherGbits, "rsaPerSecond": 1000 * l.rsaKPerSecond,
		})
	}
	return levels
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
