package judge

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hwcap/parse/fact"
)

// lanesFailed gives a function the lanes of its LaneErrStat.
func lanesFailed(lanes ...int) edit {
	return func(d *fact.Device) { d.LaneErrors = fact.Of(lanes, line(d, "LaneErrStat")) }
}

// status2 gives a function the flags of its LnkSta2: "EqualizationComplete+".
func status2(names ...string) edit {
	return func(d *fact.Device) { d.Express.LnkSta2 = statusBits(30, names...) }
}

// payload gives a function its sizes: what it can take, is set to, and asks for.
func payload(can, set, read int) edit {
	return func(d *fact.Device) {
		x := d.Express
		x.MaxPayloadCap, x.MaxPayload, x.MaxReadReq = can, set, read
		x.MaxPayloadCapAt = line(d, "DevCap: MaxPayload")
		x.DevCtl.At = append(x.DevCtl.At, line(d, "MaxPayload"))
	}
}

// aspm gives a function its setting as lspci prints it.
func aspm(setting string) edit {
	return func(d *fact.Device) { d.Express.LinkCtl = &fact.LinkCtl{ASPM: setting, At: line(d, "LnkCtl")} }
}

func policy(words string) func(*fact.Machine) {
	return func(m *fact.Machine) {
		m.Settings = map[string]fact.Val[string]{aspmPolicy: fact.Of(words, lineAt(aspmPolicy, 1, words))}
	}
}

func TestLaneErrors(t *testing.T) {
	g4 := both(rated(g4x4, g4x4), status2("EqualizationComplete+", "Retimer-", "2Retimers-", "LinkEqualizationRequest-"))
	counted := func(m *fact.Machine) {
		m.Device(thePort).Sysfs.AERCorrectable = counterFile(thePort, "correctable", 4, "RxErr")
	}
	protocol := func(m *fact.Machine) {
		m.Device(thePort).Sysfs.AERCorrectable = counterFile(thePort, "correctable", 4, "AdvNonFatalErr")
	}
	play(t, laneErrors, []scene{
		{"no bit set", server(g4, both(lanesFailed())), []string{"clean machine"}},
		{"no bit set, with a retimer", server(g4, both(lanesFailed()), on(thePort, status2("EqualizationComplete+", "Retimer+"))), []string{"clean machine"}},
		{"one lane", server(g4, on(thePort, lanesFailed(2))), []string{"lanes " + theDrive}},
		{"one lane, and receive errors on the link", server(g4, on(thePort, lanesFailed(2)), counted), []string{"with-errors " + theDrive}},
		{"one lane, and errors of the protocol alone", server(g4, on(thePort, lanesFailed(2)), protocol), []string{"lanes " + theDrive}},
		{"all lanes at once", server(g4, on(thePort, lanesFailed(0, 1, 2, 3))), []string{"all-lanes " + theDrive}},
		{"lanes that the link does not use", server(g4, on(thePort, lanesFailed(4, 5))), []string{"clean machine"}},
		{"bits of a link below 8 GT/s", server(both(rated(g4x4, Rate{2.5, 4}), lanesFailed(0))), nil},
		{"bits of a link that sleeps", server(g4, on(thePort, lanesFailed(0)), on(theDrive, power("D3hot"))), nil},
		{"equalization asked for anew", server(g4, on(theDrive, status2("EqualizationComplete+", "LinkEqualizationRequest+"))), []string{"equalization " + theDrive}},
		{"equalization not completed at either end", server(g4, both(status2("EqualizationComplete-"))), []string{"equalization " + theDrive}},
		{"flags of one end only", server(g4, on(thePort, status2("EqualizationComplete-"))), nil},
		{"virtual machine", server(guestMachine, g4, on(thePort, lanesFailed(0))), nil},
		{"registers not read", server(), nil},
	})
}

func TestPayloadSizes(t *testing.T) {
	fits := every(payload(512, 256, 512))
	play(t, payloadSizes, []scene{
		{"all fit", server(fits), []string{"consistent machine"}},
		{"the drive sets the limit", server(fits, on(theDrive, payload(256, 256, 512))), []string{"consistent machine"}},
		{"set higher than the device can take", server(fits, on(theDrive, payload(256, 512, 512))), []string{"exceeds " + theDrive}},
		{"set higher than the port", server(fits, on(theDrive, payload(512, 512, 512))), []string{"above-port " + theDrive}},
		{"the port is set higher than the device can take", server(fits, on(theDrive, payload(128, 128, 128))), []string{"below-port " + theDrive}},
		{"the same, by parameter", server(fits, on(theDrive, payload(128, 128, 128)), withCmdline("pci=pcie_bus_perf")), []string{"performance " + theDrive}},
		{"the same, and the command line is not known", server(fits, on(theDrive, payload(128, 128, 128)), withoutSource("proc-cmdline", fact.Denied)), []string{"parameter-open " + theDrive}},
		{"the same, and the log repeats the command line", server(fits, on(theDrive, payload(128, 128, 128)), withoutSource("proc-cmdline", fact.Denied),
			withLog(logNote("command-line", "", "Kernel command line: quiet", "text", "quiet"))), []string{"below-port " + theDrive}},
		{"set lower than the port, which could be had", server(fits, on(theDrive, payload(512, 128, 512))), []string{"consistent machine"}},
		{"virtual function", server(fits, on(theDrive, payload(512, 512, 512), func(d *fact.Device) { d.Sysfs.PhysFn = "0000:c7:00.1" })), nil},
		{"device asleep", server(fits, on(theDrive, payload(128, 128, 128), powered("D3cold", "suspended"))), []string{"consistent machine"}},
		{"virtual machine", server(guestMachine, fits, on(theDrive, payload(512, 1024, 512))), nil},
		{"sizes not read", server(), nil},
	})
}

func TestOrderingAndTimeouts(t *testing.T) {
	waits := func(v string) edit {
		return func(d *fact.Device) {
			d.Express.CompletionTimeout = fact.Of(v, line(d, "DevCtl2"))
			d.Express.DevCtl2 = statusBits(40, "TimeoutDis-")
		}
	}
	ordered := func(flags ...string) edit {
		return func(d *fact.Device) { d.Express.DevCtl = statusBits(41, flags...) }
	}
	expired := func(at float64) func(*fact.Machine) {
		return func(m *fact.Machine) {
			m.Log.AER = append(m.Log.AER, fact.AEREvent{
				Device: theDrive, Severity: "nonfatal", Kinds: []string{"CmpltTO"}, Count: 1, First: &at, Last: &at,
				At: []fact.Line{lineAt("cmd/dmesg.txt", 400, "nvme "+theDrive+": CmpltTO")},
			})
		}
	}
	elsewhere := func(at float64) fact.Note {
		n := slotNote(at, "pciehp-link-down", "Link Down")
		n.Device = "0000:c2:04.0"
		return n
	}
	all := every(ordered("RlxdOrd+"), waits("50us to 50ms"))
	play(t, orderingAndTimeouts, []scene{
		{"all alike", server(all), []string{"seen machine"}},
		{"one is strict, waits without end, and has hints", server(all, on(theDrive, ordered("RlxdOrd-"), func(d *fact.Device) {
			d.Express.DevCtl2, d.TPH = statusBits(42, "TimeoutDis+"), true
		})), []string{"seen machine"}},
		{"C62: a timeout right after another drive was pulled", server(all, withLog(elsewhere(100)), expired(102)), []string{"seen machine"}},
		{"virtual machine", server(guestMachine, all), nil},
		{"registers not read", server(), nil},
	})
	for _, c := range []struct {
		name string
		m    *fact.Machine
		want int
	}{
		{"C62: 2 s after another slot's removal", server(all, withLog(elsewhere(100)), expired(102))(), 1},
		{"a minute after it", server(all, withLog(elsewhere(100)), expired(160))(), 0},
		{"before it", server(all, withLog(elsewhere(100)), expired(99))(), 0},
		{"the drive's own slot", server(all, withLog(slotNote(100, "pciehp-link-down", "Link Down")), expired(102))(), 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := orderingAndTimeouts.Judge(c.m)[0]
			rows := f.Values["removals"].([]map[string]any)
			if len(rows) != c.want {
				t.Fatalf("removals %v, want %d", rows, c.want)
			}
			if c.want > 0 && (rows[0]["device"] != theDrive || rows[0]["port"] != "0000:c2:04.0" || rows[0]["timeout"] != "50us to 50ms") {
				t.Errorf("removal %v", rows[0])
			}
		})
	}
}

func TestASPMState(t *testing.T) {
	link := both(rated(g3x4, g3x4), aspm("Disabled"))
	l1 := both(rated(g3x4, g3x4), aspm("L1 Enabled"))
	kernel := policy("[default] performance powersave powersupersave")
	fadt := logNote("fadt-aspm", "", "FADT indicates ASPM is unsupported, using BIOS configuration", "what", "bios")
	refused := logNote("aspm-no-control", theDrive, "r8169 0000:c7:00.0: can't disable ASPM; OS doesn't have ASPM control")
	asmedia := on(theDrive, class("0604"), ids("1b21:1080"), func(d *fact.Device) { d.Express.Type = fact.PCIeToPCI })
	play(t, aspmState, []scene{
		{"off", server(link, kernel), []string{"off machine"}},
		{"off by the firmware, which keeps control", server(link, kernel, withLog(fadt)), []string{"off machine"}},
		{"on", server(l1, kernel), []string{"on machine"}},
		{"on, with substates", server(l1, kernel, on(theDrive, func(d *fact.Device) {
			d.L1SS = &fact.L1SS{Ctl: statusBits(50, "ASPM_L1.2+", "ASPM_L1.1+", "PCI-PM_L1.2+"), At: line(d, "L1SubCtl1")}
		})), []string{"on machine"}},
		{"L1 at one end only", server(link, kernel, on(theDrive, aspm("L1 Enabled"))), []string{"off machine"}},
		{"C41: L0s and L1", server(both(rated(g3x4, g3x4), aspm("L0s L1 Enabled")), kernel), []string{"on machine"}},
		{"C58: the kernel has no control, and L1 is on", server(l1, kernel, withLog(fadt, refused)), []string{"on-firmware machine"}},
		{"pcie_aspm=off leaves it as it was", server(l1, kernel, withCmdline("pcie_aspm=off")), []string{"on-firmware machine"}},
		{"no policy: a kernel without ASPM support", server(l1), []string{"on machine"}},
		{"C40: bridge that does not bear ASPM, on", server(l1, kernel, asmedia), []string{"known-broken " + theDrive, "on machine"}},
		{"C40: bridge that does not bear ASPM, off", server(link, kernel, asmedia), []string{"off machine"}},
		{"C40: by its name alone", server(l1, kernel, asmedia, on(theDrive, noIDs("0604", "PCI bridge", "ASMedia Technology Inc. ASM1083/1085 PCIe to PCI Bridge"))), []string{"known-broken " + theDrive, "on machine"}},
		{"registers denied", server(every(noRoot(true))), []string{"registers-unread machine"}},
		{"C58: nothing but the log", bare(fadt, refused), []string{"registers-unread machine"}},
		{"a log that says nothing of it", bare(), nil},
		{"virtual machine", server(guestMachine, l1), nil},
	})
}

func TestASPMInEffect(t *testing.T) {
	for _, c := range []struct{ up, down, want string }{
		{"Disabled", "Disabled", ""},
		{"L1 Enabled", "L1 Enabled", "L1"},
		{"L1 Enabled", "Disabled", ""},
		{"L0s L1 Enabled", "L1 Enabled", "L0s L1"},
		{"L0s Enabled", "Disabled", "L0s"},
		{"L0s L1 Enabled", "L0s L1 Enabled", "L0s L1"},
	} {
		if diff := cmp.Diff(strings.Fields(c.want), inEffect(c.up, c.down)); diff != "" {
			t.Errorf("%s / %s (-want +got):\n%s", c.up, c.down, diff)
		}
	}
}
