package judge

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hwcap/parse/fact"
)

// scene is a machine and what a rule must say of it: "case subject subject".
type scene struct {
	name    string
	machine func() *fact.Machine
	want    []string
}

// CheckWording is set by the tests that know the catalogue, which this package
// may not import.
var CheckWording func(*testing.T, *fact.Machine, Finding)

// play runs a rule over its scenes: each must come out as wanted, with declared
// keys only and wording that can be written; together they must reach every
// case.
func play(t *testing.T, rule Rule, scenes []scene) {
	t.Helper()
	reached := map[string]bool{}
	for _, s := range scenes {
		t.Run(s.name, func(t *testing.T) {
			var got []string
			m := s.machine()
			for _, f := range rule.Judge(m) {
				f = rule.complete(f)
				reached[f.Case] = true
				gave(rule, f)
				CheckWording(t, m, f)
				got = append(got, strings.Join(append([]string{f.Case}, f.Subjects...), " "))
				for key := range f.Values {
					if !slices.Contains(rule.Keys, key) {
						t.Errorf("%s: the key %q is not declared", f.Case, key)
					}
				}
				for _, e := range f.Evidence {
					if e.File == "" || e.Role == "" {
						t.Errorf("%s: evidence without place or role: %+v", f.Case, e)
					}
				}
				if f.Verdict == Problem && len(f.Evidence) == 0 {
					t.Errorf("%s: a finding without evidence", f.Case)
				}
			}
			if diff := cmp.Diff(s.want, got); diff != "" {
				t.Errorf("findings (-want +got):\n%s", diff)
			}
			knockOut(t, rule, s.machine)
		})
	}
	for _, c := range rule.Cases {
		if !reached[c.Name] && !ofTwo(rule, c) {
			t.Errorf("no scene reaches the case %s", c.Name)
		}
	}
}

// aboutCapture are the rules that speak of the capture itself: they may change
// when a source goes.
var aboutCapture = []string{"capture-privilege", "log-complete"}

// knockOut takes one source after another away from the machine. No new
// finding may appear, none may become graver, and nothing may turn to ok.
func knockOut(t *testing.T, rule Rule, machine func() *fact.Machine) {
	t.Helper()
	if slices.Contains(aboutCapture, rule.ID) {
		return
	}
	verdicts := func(m *fact.Machine) map[string]Finding {
		v := map[string]Finding{}
		for _, f := range rule.Judge(m) {
			for _, s := range f.Subjects {
				v[s] = rule.complete(f)
			}
		}
		return v
	}
	before := verdicts(machine())
	for _, l := range sourceLosses {
		for _, state := range []fact.State{fact.Absent, fact.Denied, fact.Truncated, fact.Redacted, fact.NotAsked} {
			m := machine()
			if m.Source(l.source).State != fact.Present {
				continue
			}
			loseSource(m, l.source, state)
			l.drop(m, state)
			for subject, now := range verdicts(m) {
				was := before[subject]
				if now.Verdict != Unknown && now.Verdict != was.Verdict || now.Verdict == Problem && now.Severity.Rank() > was.Severity.Rank() {
					t.Errorf("%s %s: %s is %s (%s), was %s (%s)", l.source, state, subject, now.Verdict, now.Case, was.Verdict, was.Case)
				}
			}
		}
	}
}

func loseSource(m *fact.Machine, source string, state fact.State) {
	for i := range m.Sources {
		if m.Sources[i].Name == source {
			m.Sources[i].State = state
			if state == fact.NotAsked {
				m.Sources = slices.Delete(m.Sources, i, i+1)
			}
			return
		}
	}
}

// losses say what the reader of a capture no longer knows without a source. A
// truncated one keeps its first half.
var sourceLosses = []struct {
	source string
	drop   func(m *fact.Machine, state fact.State)
}{
	{"dmesg", func(m *fact.Machine, state fact.State) {
		m.Log.State = state
		m.Log.Notes, m.Log.AER = firstHalf(m.Log.Notes, state), firstHalf(m.Log.AER, state)
		if state != fact.Truncated {
			m.Log = fact.Log{State: state}
		}
	}},
	{"lspci-vvv", func(m *fact.Machine, state fact.State) {
		for i := range m.PCI {
			if d := &m.PCI[i]; state != fact.Truncated || i >= len(m.PCI)/2 {
				d.Express, d.AER, d.CapsState, d.ExtCaps = nil, nil, "", false
			}
		}
	}},
	{"pci", func(m *fact.Machine, state fact.State) {
		for i := range m.PCI {
			if state != fact.Truncated || i >= len(m.PCI)/2 {
				m.PCI[i].Sysfs, m.PCI[i].Root = nil, ""
			}
		}
	}},
	{"pci-port-drivers", func(m *fact.Machine, state fact.State) {
		for i := range m.PortDrivers {
			m.PortDrivers[i].Ports = firstHalf(m.PortDrivers[i].Ports, state)
		}
		if state != fact.Truncated {
			m.PortDrivers = nil
		}
	}},
	{"acpi-tables", func(m *fact.Machine, state fact.State) {
		l := m.Lists["sys/firmware/acpi/tables"]
		l.Entries, l.State = firstHalf(l.Entries, state), state
		m.Lists = map[string]fact.List{"sys/firmware/acpi/tables": l}
	}},
	{"proc-cmdline", func(m *fact.Machine, state fact.State) { m.Platform.Cmdline = fact.Missing[string](state, fact.Line{}) }},
	{"proc-uptime", func(m *fact.Machine, state fact.State) { m.Platform.Uptime = fact.Missing[float64](state, fact.Line{}) }},
	{"device-tree", func(m *fact.Machine, state fact.State) { m.Platform.Model = fact.Missing[string](state, fact.Line{}) }},
	{"proc-cpuinfo", func(m *fact.Machine, _ fact.State) { m.Platform.Hypervisor = fact.Val[string]{} }},
	{"dmi", func(m *fact.Machine, _ fact.State) { m.Platform.Hypervisor = fact.Val[string]{} }},
	{"rasdaemon", func(m *fact.Machine, state fact.State) { m.RAS.Daemon = fact.Missing[string](state, fact.Line{}) }},
	{"edac", func(m *fact.Machine, state fact.State) {
		controllers := firstHalf(m.RAS.EDAC.V, state)
		m.RAS.EDAC = fact.Val[[]fact.Controller]{State: state, V: controllers}
	}},
	{"ras-errors", func(m *fact.Machine, state fact.State) { loseRAS(&m.RAS.Errors, state) }},
	{"ras-summary", func(m *fact.Machine, state fact.State) { loseRAS(&m.RAS.Summary, state) }},
}

func loseRAS(v *fact.Val[[]fact.RASSection], state fact.State) {
	if v.State = state; state != fact.Truncated {
		v.V = nil
	}
	for i := range v.V {
		v.V[i].Rows, v.V[i].Cut = firstHalf(v.V[i].Rows, state), true
	}
}

func firstHalf[T any](all []T, state fact.State) []T {
	if state != fact.Truncated {
		return nil
	}
	return all[:len(all)/2]
}

// lineAt is a place in the capture.
func lineAt(file string, n int, text string) fact.Line {
	return fact.Line{File: file, Line: n, Text: text}
}

// logNote is a message of the kernel log.
func logNote(kind, device, text string, fields ...string) fact.Note {
	n := fact.Note{Kind: kind, Device: device, Fields: map[string]string{}, At: lineAt("cmd/dmesg.txt", 10+len(text), text)}
	for i := 0; i < len(fields); i += 2 {
		n.Fields[fields[i]] = fields[i+1]
	}
	return n
}

// oscNote is a line of the talk about a root bridge.
func oscNote(bridge, what, list string) fact.Note {
	return logNote("osc", bridge, "acpi "+bridge+": _OSC: "+what+" ["+list+"]", "what", what, "list", list)
}

const (
	oscFeatures   = "ExtendedConfig ASPM ClockPM Segments MSI EDR HPX-Type3"
	oscEverything = "PCIeHotplug SHPCHotplug PME AER PCIeCapability LTR DPC"
)

// server starts a capture taken as root from a board with two root ports on
// one root bridge and a drive below the first; change makes the difference.
func server(change ...func(*fact.Machine)) func() *fact.Machine {
	return func() *fact.Machine {
		m := serverBoard()
		for _, c := range change {
			c(m)
		}
		return m
	}
}

func serverBoard() *fact.Machine {
	uid := 0
	m := &fact.Machine{
		Capture: fact.Capture{ID: "hwcap-host", Tool: "hwcap 1", UID: &uid, Start: "2026-08-12T21:14:00Z", End: "2026-08-12T21:14:05Z"},
	}
	for i, name := range []string{"lspci-vvv", "dmesg", "pci", "pci-port-drivers", "acpi-tables", "proc-cmdline", "proc-uptime", "rasdaemon", "ras-errors", "ras-summary", "edac", "device-tree", "proc-cpuinfo", "dmi"} {
		m.Sources = append(m.Sources, fact.Source{Name: name, State: fact.Present, At: lineAt("manifest.json", i+3, name)})
	}
	m.Platform.Cmdline = fact.Of("BOOT_IMAGE=/vmlinuz root=/dev/mapper/root ro", lineAt("proc/cmdline", 1, "BOOT_IMAGE=/vmlinuz ..."))
	m.Platform.Uptime = fact.Of(3*86400.0, lineAt("proc/uptime", 1, "259200.00 1.0"))
	m.Platform.Hypervisor = fact.Missing[string](fact.Absent, lineAt("proc/cpuinfo", 20, "flags : fpu"))
	m.Platform.Kernel = fact.Of("7.0.0", lineAt("proc/version", 1, "Linux version 7.0.0"))
	m.Log = fact.Log{State: fact.Present, FromBoot: fact.Of(true, lineAt("cmd/dmesg.txt", 1, "Linux version 7.0.0")), Last: fact.Of(3*86400.0, lineAt("cmd/dmesg.txt", 900, "last"))}
	for i, name := range []string{"0000:c2:04.0", "0000:c2:05.0", "0000:c7:00.0"} {
		d := fact.Device{
			Address: name, Class: "0604", Root: "PNP0A08:07", CapsState: fact.Present, ExtCaps: true,
			From:    lineAt("cmd/lspci-vvv.txt", 100*i+1, name),
			Express: &fact.Express{Type: fact.RootPort, Version: 2, DevSta: statusBits(100*i+10, "CorrErr-"), DevCtl: statusBits(100*i+9, "CorrErr+"), At: lineAt("cmd/lspci-vvv.txt", 100*i+8, "Express")},
			AER:     &fact.AER{CESta: statusBits(100*i+20, "RxErr-"), UESta: statusBits(100*i+21, "DLP-")},
			Sysfs:   &fact.Sysfs{RootCor: fact.Of(int64(0), lineAt("sys/bus/pci/devices/"+name+"/aer_rootport_total_err_cor", 1, "0")), AERCorrectable: counterFile(name, "correctable", 0)},
		}
		d.Express.LinkSta = &fact.Link{Speed: 16, Width: 4, At: lineAt("cmd/lspci-vvv.txt", 100*i+12, "LnkSta: Speed 16GT/s, Width x4")}
		if i == 2 {
			d.Class, d.Parent, d.Express.Type, d.Sysfs.RootCor = "0108", "0000:c2:05.0", fact.Endpoint, fact.Val[int64]{}
		}
		m.PCI = append(m.PCI, d)
	}
	m.Lists = map[string]fact.List{"sys/firmware/acpi/tables": acpiTables("APIC", "DSDT", "FACP", "MCFG", "SSDT1")}
	m.RAS.Daemon = fact.Of("active", lineAt("cmd/rasdaemon-active.txt", 1, "active"))
	m.RAS.EDAC = fact.Of([]fact.Controller{controller("mc0", 0, 0), controller("mc1", 0, 0)}, lineAt("sys/devices/system/edac/mc/.list", 1, "mc0"))
	m.RAS.Summary = rasText(fact.RASSection{Name: "aer", None: true, At: lineAt("cmd/ras-mc-ctl-summary.txt", 3, "No PCIe AER errors.")})
	m.RAS.Errors = rasText(fact.RASSection{Name: "aer", None: true, At: lineAt("cmd/ras-mc-ctl-errors.txt", 3, "No PCIe AER errors.")})
	return m
}

// controller is a memory controller with one module whose counters it has too.
func controller(id string, ce, ue int64) fact.Controller {
	folder := "sys/devices/system/edac/mc/" + id
	at := func(file string, n int64) fact.Line { return lineAt(folder+file, 1, fmt.Sprint(n)) }
	return fact.Controller{
		ID: id, CE: fact.Of(ce, at("/ce_count", ce)), UE: fact.Of(ue, at("/ue_count", ue)),
		DIMMs: []fact.DIMMCount{{Label: "DIMM_" + id, Corrected: ce, Uncorrected: ue, At: at("/dimm0/dimm_ce_count", ce), UncorrectedAt: at("/dimm0/dimm_ue_count", ue)}},
	}
}

func rasText(s ...fact.RASSection) fact.Val[[]fact.RASSection] { return fact.Of(s, s[0].At) }

func counterFile(address, kind string, n int64, bits ...string) fact.Val[fact.Counters] {
	file := "sys/bus/pci/devices/" + address + "/aer_dev_" + kind
	c := fact.Counters{Total: n, Counts: map[string]int64{}, At: map[string]fact.Line{"TOTAL": lineAt(file, 9, fmt.Sprint("TOTAL_ERR ", n))}}
	for i, b := range bits {
		c.Counts[b] = n
		c.At[b] = lineAt(file, i+1, fmt.Sprint(b, " ", n))
	}
	return fact.Of(c, c.At["TOTAL"])
}

// statusBits is a register as lspci prints it: "CorrErr+ UnsupReq-".
func statusBits(n int, names ...string) *fact.Flags {
	f := &fact.Flags{Bits: map[string]bool{}, At: []fact.Line{lineAt("cmd/lspci-vvv.txt", n, strings.Join(names, " "))}}
	for _, name := range names {
		f.Bits[name[:len(name)-1]] = strings.HasSuffix(name, "+")
	}
	return f
}

func acpiTables(names ...string) fact.List {
	l := fact.List{State: fact.Present}
	for i, name := range names {
		l.Entries = append(l.Entries, fact.Entry{Name: name, At: lineAt("sys/firmware/acpi/tables/.list", i+1, name)})
	}
	return l
}

// The differences.

func withLog(notes ...fact.Note) func(*fact.Machine) {
	return func(m *fact.Machine) { m.Log.Notes = append(m.Log.Notes, notes...) }
}

func withCmdline(words string) func(*fact.Machine) {
	return func(m *fact.Machine) {
		m.Platform.Cmdline = fact.Of("root=/dev/sda1 "+words, lineAt("proc/cmdline", 1, "root=/dev/sda1 "+words))
	}
}

func withTables(names ...string) func(*fact.Machine) {
	return func(m *fact.Machine) { m.Lists["sys/firmware/acpi/tables"] = acpiTables(names...) }
}

func withAER(ports ...string) func(*fact.Machine) {
	return func(m *fact.Machine) {
		d := fact.PortDriver{Service: "aer", State: fact.Present}
		for i, p := range ports {
			d.Ports = append(d.Ports, fact.Entry{Name: p + ":pcie002", At: lineAt("sys/bus/pci_express/drivers/aer/.list", i+1, p+":pcie002")})
		}
		m.PortDrivers = append(m.PortDrivers, d)
	}
}

func withoutSource(source string, state fact.State) func(*fact.Machine) {
	return func(m *fact.Machine) {
		loseSource(m, source, state)
		for _, l := range sourceLosses {
			if l.source == source {
				l.drop(m, state)
			}
		}
	}
}

func withLogState(state fact.State) func(*fact.Machine) { return withoutSource("dmesg", state) }
