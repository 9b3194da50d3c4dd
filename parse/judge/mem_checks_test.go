package judge

import (
	"testing"

	"hwcap/parse/fact"
)

// mceNote is the kernel's line on one bank at a time in seconds.
func mceNote(bank, status string, at float64) fact.Note {
	n := logNote("mce", "", "mce: [Hardware Error]: CPU 5: Machine Check: 0 Bank "+bank+": "+status, "what", "event", "cpu", "5", "bank", bank, "status", status)
	n.Time = &at
	return n
}

func processor(model string) func(*fact.Machine) {
	return func(m *fact.Machine) {
		m.Platform.CPU = fact.Of(model, lineAt("proc/cpuinfo", 5, "model name : "+model))
	}
}

// checkScenes are those of machine checks.
func checkScenes() []scene {
	ryzen := processor("AMD Ryzen 9 5900X 12-Core Processor")
	decoded := logNote("mce", "", "[Hardware Error]: CPU:0 (19:21:0) MC27_STATUS[-|CE|]: 0x982000000002080b", "what", "decoded", "cpu", "0", "bank", "27", "status", "982000000002080b")
	later := 5000.0
	decoded.Time = &later
	return []scene{
		{"too warm, dressed as a machine check", server(noMemoryErrors, withLog(mceNote("128", "00000000087f0022", 900))), []string{"check-thermal machine"}},
		{"too warm", server(noMemoryErrors, withLog(logNote("thermal", "", "CPU2: Core temperature above threshold, cpu clock throttled (total events = 9)", "cpu", "2", "total", "9", "level", "core"))), []string{"check-thermal machine"}},
		{"an access that never completed, found after an emergency stop", server(noMemoryErrors, ryzen, withLog(resetNote(syncFlood), mceNote("5", "bea0000000000108", 0.4))), []string{"check-uncorrected machine"}},
		{"the same while running", server(noMemoryErrors, ryzen, withLog(mceNote("5", "bea0000000000108", 4000))), []string{"check-uncorrected machine"}},
		{"left over at boot", server(noMemoryErrors, processor("Intel(R) Pentium(R) Silver J5005"), withLog(mceNote("4", "a600000000020408", 0.3))), []string{"check-boot machine"}},
		{"at boot and again later", server(noMemoryErrors, withLog(mceNote("0", "9000004000010005", 0.3), mceNote("0", "9000004000010005", 700))), []string{"check-corrected machine"}},
		{"an error of a link", server(noMemoryErrors, ryzen, withLog(decoded)), []string{"check-link machine"}},
		{"a link by the decoder's words", server(noMemoryErrors, withLog(decoded, logNote("mce", "", "[Hardware Error]: Power, Interrupts, etc. Ext. Error Code: 2, Link Error.", "what", "unit", "unit", "Power, Interrupts, etc.", "text", "Link Error."))), []string{"check-link machine"}},
		{"the memory controller, no module known", server(noMemoryErrors, withLog(mceNote("7", "8c00004000010091", 800))), []string{"check-memory machine"}},
		{"the memory controller, module known", server(noMemoryErrors, withLog(mceNote("7", "8c00004000010091", 800), edacNote("corrected", "DIMM_A1"))), []string{"corrected DIMM_A1"}},
		{"only that there were some", server(noMemoryErrors, withLog(logNote("mce", "", "mce: [Hardware Error]: Machine check events logged", "what", "logged"))), []string{"check-undecoded machine"}},
		{"records of mcelog alone", func() *fact.Machine {
			bank, cpu := 4, 0
			m := &fact.Machine{}
			m.RAS.MachineChecks = fact.Of([]fact.MachineCheck{{CPU: &cpu, Bank: &bank, Status: "b200000000070f0f", Severity: "fatal", At: lineAt("mcelog.txt", 2, "CPU 0 BANK 4")}}, lineAt("mcelog.txt", 1, "x"))
			return m
		}, []string{"check-uncorrected machine"}},
	}
}

// A code is decoded by its form, and by its bank where that says more.
func TestDecodeChecks(t *testing.T) {
	for _, c := range []struct {
		vendor, bank string
		status       uint64
		want         string
	}{
		{"Intel", "7", 0x8c00004000010091, mcaMemory},
		{"Intel", "7", 0x8c00004000011091, mcaMemory}, // corrections filtered
		{"Intel", "1", 0x9400000000000135, mcaCache},
		{"Intel", "3", 0xbe00000000800400, mcaTimeout},
		{"Intel", "2", 0x9000000000000015, mcaTLB},
		{"Intel", "5", 0xbea0000000000108, mcaCache}, // that bank is another one there
		{"AMD", "5", 0xbea0000000000108, mcaTimeout},
		{"AMD", "27", 0x982000000002080b, mcaLink},
		{"AMD", "27", 0x982000000000080b, mcaBus},
		{"", "128", 0x087f0022, mcaThermal},
	} {
		if got, _ := (machineCheck{bank: c.bank, status: c.status}).decode(c.vendor); got != c.want {
			t.Errorf("%s bank %s %016x is about %q, want %q", c.vendor, c.bank, c.status, got, c.want)
		}
	}
}

// The names of units are those of smca_long_names in drivers/edac/mce_amd.c.
func TestDecodeUnits(t *testing.T) {
	for unit, want := range map[string]string{
		"Northbridge IO Unit":                   mcaLink,
		"PCI Express Unit":                      mcaLink,
		"PCIe Link Unit":                        mcaLink,
		"Northbridge":                           mcaBus,
		"Coherent Slave":                        mcaBus,
		"Unified Memory Controller v2":          mcaMemory,
		"L3 Cache":                              mcaCache,
		"Execution Unit Watchdog timeout error": mcaTimeout,
	} {
		if got, _ := (machineCheck{unit: unit}).decode("AMD"); got != want {
			t.Errorf("%s is about %q, want %q", unit, got, want)
		}
	}
}
