package judge

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"hwcap/parse/fact"
)

// Bits of IA32_MCi_STATUS (Intel SDM volume 3B; AMD's has the same).
const (
	mcaUncorrected = 1 << 61
	mcaDeferred    = 1 << 44 // AMD: met, but not used yet
)

// bootChecks is until when, in seconds, machine checks belong to the run before:
// the kernel reads what the banks still hold as it starts.
const bootChecks = 30.0

// machineCheck is one error report of the processor.
type machineCheck struct {
	cpu, bank string
	status    uint64
	unit      string // what the kernel's decoder says of it
	severity  string // by the decoder, where no status was printed
	time      *float64
	at        fact.Line
	boot      bool // read when the kernel started
}

// machineChecks gathers the reports of the kernel log and of mcelog. logged is
// the kernel's word that there were some, which are not in the log.
func machineChecks(m *fact.Machine) (all []machineCheck, logged []fact.Note) {
	severity := ""
	for _, n := range m.Log.Of("mce") {
		switch n.Fields["what"] {
		case "logged":
			logged = append(logged, n)
		case "severity":
			severity = n.Fields["severity"]
		case "event", "decoded":
			status, err := strconv.ParseUint(strings.TrimPrefix(n.Fields["status"], "0x"), 16, 64)
			if err != nil {
				continue
			}
			c := machineCheck{cpu: n.Fields["cpu"], bank: n.Fields["bank"], status: status, severity: severity, time: n.Time, at: n.At}
			severity = ""
			if i := sameCheck(all, c); i < 0 || n.Fields["what"] == "event" {
				all = append(all, c)
			}
		case "unit":
			if len(all) > 0 && all[len(all)-1].unit == "" {
				all[len(all)-1].unit = strings.TrimSpace(n.Fields["unit"] + " " + n.Fields["text"])
			}
		}
	}
	inLog := len(all)
	records, _ := m.RAS.MachineChecks.Get()
	for _, r := range records {
		c := machineCheck{at: r.At, severity: r.Severity, unit: strings.Join(r.Text, " ")}
		c.status, _ = strconv.ParseUint(r.Status, 16, 64)
		if r.CPU != nil {
			c.cpu = fmt.Sprint(*r.CPU)
		}
		if r.Bank != nil {
			c.bank = fmt.Sprint(*r.Bank)
		}
		if strings.HasPrefix(r.BankName, "THERMAL") {
			c.bank = "128"
		}
		if sameCheck(all[:inLog], c) < 0 {
			all = append(all, c)
		}
	}
	markBootChecks(all)
	return all, logged
}

func sameCheck(all []machineCheck, c machineCheck) int {
	return slices.IndexFunc(all, func(o machineCheck) bool { return o.cpu == c.cpu && o.bank == c.bank && o.status == c.status })
}

// markBootChecks marks the checks of banks that reported as the kernel started
// and never again.
func markBootChecks(all []machineCheck) {
	later := map[string]bool{}
	for _, c := range all {
		later[c.bank] = later[c.bank] || c.time == nil || *c.time > bootChecks
	}
	for i := range all {
		all[i].boot = !later[all[i].bank]
	}
}

// decode returns what a check is about, and what is known of its bank.
func (c machineCheck) decode(vendor string) (class string, known mcaBank) {
	bank, err := strconv.Atoi(c.bank)
	code, ext := int(c.status&0xffff), int(c.status>>16&0x3f)
	for _, b := range mcaBanks {
		if err == nil && b.Bank == bank && (b.Vendor == "" || b.Vendor == vendor) && (b.Ext < 0 || b.Ext == ext) && (b.Code < 0 || b.Code == code) {
			return b.Class, b
		}
	}
	for _, u := range mcaUnits {
		if strings.Contains(c.unit, u.part) {
			return u.class, mcaBank{}
		}
	}
	for _, k := range mcaCodes {
		if uint16(code)&k.Mask == k.Value {
			return k.Class, mcaBank{}
		}
	}
	return mcaUnknown, mcaBank{}
}

// uncorrected reports whether the processor could not make up for the error.
func (c machineCheck) uncorrected() bool {
	if c.status == 0 {
		return c.severity != "" && c.severity != "corrected"
	}
	return c.status&(mcaUncorrected|mcaDeferred) != 0
}

// checkVendor returns whose processor it is, "" where no source says.
func checkVendor(m *fact.Machine) string {
	text := m.Platform.CPU.V
	for _, n := range m.Log.Of("cpu") {
		text += " " + n.Fields["model"]
	}
	for _, vendor := range []string{"AMD", "Intel"} {
		if strings.Contains(text, vendor) {
			return vendor
		}
	}
	return ""
}

// checkCases are the cases of machine checks in the order of the findings.
var checkCases = []string{"check-uncorrected", "check-link", "check-memory", "check-corrected", "check-thermal", "check-boot"}

// judgeChecks decodes the processor's error reports before anybody blames a
// module: a finding for each kind. What EDAC has decoded to a module is left to
// it (decoded).
func judgeChecks(m *fact.Machine, decoded bool) []Finding {
	all, logged := machineChecks(m)
	vendor := checkVendor(m)
	fault := slices.ContainsFunc(m.Log.Of("previous-reset"), func(n fact.Note) bool {
		r, _ := knownReset(n.Fields["text"])
		return r.Fault
	})
	byCase := map[string][]machineCheck{}
	for _, c := range all {
		class, _ := c.decode(vendor)
		name := "check-corrected"
		switch {
		case class == mcaThermal:
			name = "check-thermal"
		case c.boot && !(fault && c.uncorrected()):
			name = "check-boot"
		case class == mcaMemory && (decoded || m.Log.State == fact.Truncated): // the module may stand behind the cut
			continue
		case c.uncorrected():
			name = "check-uncorrected"
		case class == mcaLink || class == mcaBus:
			name = "check-link"
		case class == mcaMemory:
			name = "check-memory"
		}
		byCase[name] = append(byCase[name], c)
	}
	thermal := m.Log.Of("thermal")
	if len(thermal) > 0 && byCase["check-thermal"] == nil {
		byCase["check-thermal"] = []machineCheck{}
	}
	var out []Finding
	for _, name := range checkCases {
		checks, some := byCase[name]
		if !some {
			continue
		}
		f := checkFinding(name, vendor, checks)
		f.Values["throttled"] = 0
		if name == "check-thermal" {
			f.citeThermal(thermal)
		}
		if fault && name == "check-uncorrected" {
			f.citeNotes("reset", m.Log.Of("previous-reset"))
		}
		f.Values["afterReset"] = fault && name == "check-uncorrected"
		out = append(out, f)
	}
	if len(all) == 0 && len(logged) > 0 && len(thermal) == 0 && !decoded {
		f := found("check-undecoded", Machine)
		f.Count = len(logged)
		f.cite("check", logged[0].At)
		out = append(out, f)
	}
	return out
}

// citeThermal adds the kernel's messages on throttling: how many events it
// counted, on how many processors.
func (f *Finding) citeThermal(notes []fact.Note) {
	events := 0
	for i, n := range notes {
		total, _ := strconv.Atoi(n.Fields["total"])
		events = max(events, total, len(notes))
		const few = 3
		if i < few {
			f.cite("check", n.At)
		}
	}
	f.Values["throttled"] = events
	f.Count = max(f.Count, events)
}

func checkFinding(name, vendor string, checks []machineCheck) Finding {
	f := found(name, Machine)
	f.Count = len(checks)
	rows := []map[string]any{}
	for _, c := range checks {
		class, bank := c.decode(vendor)
		meaning := mcaMeanings[class]
		row := map[string]any{"bank": c.bank, "cpu": c.cpu, "status": "", "class": class, "de": meaning.De, "en": meaning.En, "unit": c.unit}
		if bank.De != "" {
			row["de"], row["en"] = bank.De, bank.En
		}
		if c.status != 0 {
			row["status"] = fmt.Sprintf("%016x", c.status)
		}
		const few = 6
		if len(rows) < few {
			rows = append(rows, row)
			f.cite("check", c.at)
		}
	}
	f.Values["checks"] = rows
	return f
}
