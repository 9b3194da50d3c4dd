package judge

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"hwcap/parse/fact"
)

// A linkCase is a situation from practice in which the answer that comes to
// mind first is wrong.
type linkCase struct {
	name    string
	machine *fact.Machine
	want    []string // "rule/case severity subject", what must be said, the main finding first
	most    Severity // what the rules on links may say at most
	never   []string // "rule/case" or "rule", what must not be said
	// says are words that the wording of the main finding has in English, silent
	// those that its title must not have.
	says   []string
	silent string
}

// naviAt is navi with other addresses.
func naviAt(port, bus string, slotCap, slotNow Rate) []fact.Device {
	all := navi(port, slotCap, slotNow)
	for i := range all {
		d := &all[i]
		d.Address = "0000:" + bus + d.Address[len("0000:0"):]
		if i > 0 {
			d.Parent = "0000:" + bus + d.Parent[len("0000:0"):]
		}
	}
	return all
}

func headed(first fact.Device, rest ...fact.Device) *fact.Machine {
	return machine(append([]fact.Device{first}, rest...)...)
}

// noted adds messages of the kernel log.
func noted(m *fact.Machine, notes ...fact.Note) *fact.Machine {
	m.Log.State = fact.Present
	m.Log.Notes = append(m.Log.Notes, notes...)
	return m
}

// marks gives both registers of the width and speed lspci's own opinion.
func marks(note string) func(*fact.Machine) {
	return func(m *fact.Machine) {
		for i := range m.PCI {
			m.PCI[i].Express.LinkSta.Note = note
		}
	}
}

var (
	tunnelPort = ids("8086:15ef")
	dockLine   = logNote("bandwidth", "0000:05:00.0", "8.000 Gb/s available PCIe bandwidth, limited by 2.5 GT/s PCIe x4 link at 0000:03:01.0", "available", "8.000",
		"limit-speed", "2.5 GT/s PCIe", "limit-width", "4", "limit-device", "0000:03:01.0", "capable", "31.504", "capable-speed", "8.0 GT/s PCIe", "capable-width", "4")
	wideLine = logNote("bandwidth", "0000:01:00.0", "capable of 1984.941 Gb/s with 32.0 GT/s PCIe x63 link", "available", "31.504",
		"limit-speed", "8.0 GT/s PCIe", "limit-width", "4", "limit-device", "0000:00:01.0", "capable", "1984.941", "capable-speed", "32.0 GT/s PCIe", "capable-width", "63")
)

// dock is a chain of Thunderbolt ports with a drive at its end.
func dock() *fact.Machine {
	return machine(
		rootPort("0000:00:07.0", Rate{2.5, 4}, Rate{2.5, 4}, tunnelPort),
		upstream("0000:02:00.0", "0000:00:07.0", Rate{2.5, 4}, Rate{2.5, 4}, tunnelPort),
		downstream("0000:03:01.0", "0000:02:00.0", Rate{2.5, 4}, Rate{2.5, 4}, tunnelPort, target(2.5)),
		endpoint("0000:05:00.0", "0000:03:01.0", "0108", "144d:a808", g3x4, Rate{2.5, 4}),
	)
}

// losing are four times that the link of a port went down and came back.
func losing(port string) (notes []fact.Note) {
	for i := range 4 {
		at := float64(100 * (i + 1))
		for j, kind := range []string{"pciehp-link-down", "pciehp-link-up"} {
			n := stamped(at+float64(j), logNote(kind, port, kind, "slot", "1"))
			notes = append(notes, n)
		}
	}
	return notes
}

var linkCases = []linkCase{
	{
		name: "C01: graphics card at rest", machine: pair("0300", "10de:2684", g4x16, g4x16, Rate{2.5, 16}),
		want: []string{"pcie-link-speed/idle info 0000:01:00.0"}, most: Info, says: []string{"under load"}, silent: "slower",
	},
	{
		name: "C02: the endpoint behind a card's own switch is constant", machine: headed(rootPort("0000:00:01.0", g3x16, g3x16), navi("0000:00:01.0", g4x16, g3x16)...),
		want: []string{"pcie-oncard-switch/constant info 0000:0c:00.0", "pcie-link-speed/port-limit info 0000:0a:00.0"}, most: Info,
	},
	{
		name: "C04: two lanes to the slot, sixteen behind it", machine: headed(rootPort("0000:00:01.0", g4x16, Rate{16, 2}), navi("0000:00:01.0", g4x16, Rate{16, 2})...),
		want: []string{"pcie-link-width/narrow warning 0000:0a:00.0"}, most: Warning, never: []string{"pcie-path-bottleneck"},
		says: []string{"reseat", "riser"},
	},
	{
		name: "C05: two cards share sixteen lanes",
		machine: machine(append(append(append([]fact.Device{rootPort("0000:00:01.1", g4x16, g4x8)}, naviAt("0000:00:01.1", "0", g4x16, g4x8)...),
			rootPort("0000:00:01.2", g4x16, g4x8)), naviAt("0000:00:01.2", "1", g4x16, g4x8)...)...),
		want: []string{"pcie-link-width/split info 0000:0a:00.0"}, most: Info, never: []string{"pcie-link-width/narrow", "pcie-link-width/full"},
	},
	{
		name: "C06: graphics card on a board with one lane",
		machine: but(headed(rootPort("0000:00:01.0", Rate{5, 4}, g1x1), navi("0000:00:01.0", g4x16, g1x1)...),
			model("Raspberry Pi 5 Model B Rev 1.0")),
		want: []string{"pcie-link-width/board-wiring info 0000:0a:00.0"}, most: Info, never: []string{"pcie-link-width/narrow"}, silent: "missing",
	},
	{
		name: "C08: external graphics card, one link of five is true",
		machine: machine(append([]fact.Device{
			rootPort("0000:00:03.1", g1x1, g1x1, ids("1022:14ef")),
			upstream("0000:04:00.0", "0000:00:03.1", Rate{8, 4}, Rate{2.5, 4}, tunnelPort),
			downstream("0000:05:01.0", "0000:04:00.0", g3x4, g3x4, tunnelPort),
		}, navi("0000:05:01.0", g4x16, g3x4)...)...),
		want: []string{"pcie-link-width/port-limit info 0000:0a:00.0", "pcie-link-not-assessable/tunnel  0000:04:00.0"}, most: Info,
		never: []string{"pcie-path-bottleneck", "pcie-switch-translates"},
	},
	{
		name: "C09: Thunderbolt ports advertise 2.5 GT/s and aim for it", machine: dock(),
		want: []string{"pcie-link-not-assessable/tunnel  0000:05:00.0"}, most: "", never: []string{"pcie-link-speed", "pcie-link-width", "pcie-path-bottleneck"},
	},
	{
		name: "C10: the kernel calls a tunnel a limit, and the dock loses its link", machine: noted(dock(), append(losing("0000:03:01.0"), dockLine)...),
		want:  []string{"pcie-bandwidth-message/tunnel info 0000:05:00.0", "pcie-link-flapping/link-lost warning 0000:05:00.0"},
		never: []string{"pcie-bandwidth-message/limited", "pcie-path-bottleneck"}, most: Warning, says: []string{"no bottleneck"},
	},
	{
		name: "C11: low because the driver knows no faster state", machine: but(pair("0300", "1002:7340", g3x8, g4x8, Rate{2.5, 8}), driverTable("0: 2.5GT/s, x8 81Mhz *", "1: 2.5GT/s, x8 619Mhz")),
		want: []string{"pcie-link-speed/stuck warning 0000:01:00.0"}, most: Warning, never: []string{"pcie-link-speed/idle"}, says: []string{"firmware"},
	},
	{
		name: "C13: sixty-three lanes", machine: noted(pair("0108", "144d:a808", g3x4, Rate{32, 63}, Rate{8, 4}), wideLine),
		want: []string{"pcie-bandwidth-message/all-ones notice 0000:01:00.0", "pcie-link-not-assessable/no-answer  0000:01:00.0"}, most: Notice,
		never: []string{"pcie-bandwidth-message/limited", "pcie-link-width", "pcie-link-speed"}, says: []string{"D3cold"},
	},
	{
		name: "C14: marked by an old lspci", machine: but(pair("0200", "10ec:8168", Rate{8, 1}, g1x1, g1x1), marks("downgraded")),
		want: []string{"pcie-link-speed/card-limit info 0000:01:00.0"}, most: Info, silent: "downgraded",
	},
	{
		name: "C14: a slow switch in a fast port, not marked by a new lspci", machine: pair("0200", "15b3:1019", g4x4, g4x4, g3x4),
		want: []string{"pcie-link-speed/slow warning 0000:01:00.0"}, most: Warning,
	},
	{
		name: "C15: a speed that lspci does not know", machine: pair("0200", "15b3:1021", Rate{0, 16}, Rate{0, 16}, Rate{0, 16}),
		want: []string{"pcie-link-not-assessable/speed-unknown  0000:01:00.0"}, most: "", never: []string{"pcie-link-speed"},
	},
	{
		name: "C17: long slot, four lanes", machine: pair("0300", "1002:699f", g3x4, g3x16, g3x4),
		want: []string{"pcie-link-width/port-limit info 0000:01:00.0"}, most: Info, never: []string{"pcie-link-width/narrow"}, silent: "missing",
	},
	{
		name: "C18: equal links behind one uplink",
		machine: machine(
			rootPort("0000:00:01.0", g4x4, g4x4), upstream("0000:03:00.0", "0000:00:01.0", g4x4, g4x4, ids("1022:43f4")),
			downstream("0000:04:00.0", "0000:03:00.0", g4x4, g4x4, ids("1022:43f5")), endpoint("0000:05:00.0", "0000:04:00.0", "0108", "144d:a80a", g4x4, g4x4),
			downstream("0000:04:01.0", "0000:03:00.0", g4x4, g4x4, ids("1022:43f5")), endpoint("0000:06:00.0", "0000:04:01.0", "0200", "15b3:1019", g4x4, g4x4),
		),
		want: []string{"pcie-path-bottleneck/shared info 0000:03:00.0", "pcie-link-speed/full  0000:05:00.0"}, most: Info,
	},
	{
		name: "C20: the processor gives eight lanes", machine: pair("0300", "10de:1b83", g3x8, g3x16, g3x8),
		want: []string{"pcie-link-width/port-limit info 0000:01:00.0"}, most: Info, never: []string{"pcie-link-width/narrow"},
	},
	{
		name: "C20: a card that was built with four lanes", machine: pair("0300", "10de:1b07", g3x16, g3x4, g3x4),
		want: []string{"pcie-link-width/card-limit info 0000:01:00.0"}, most: Info, never: []string{"pcie-link-width/narrow"},
	},
	{
		name: "C20: one lane of sixteen, four causes", machine: pair("0300", "10de:1bc4", g3x16, g3x16, Rate{8, 1}),
		want: []string{"pcie-link-width/narrow warning 0000:01:00.0"}, most: Warning, says: []string{"contact", "riser", "processor socket", "card has fewer lanes"},
	},
	{
		name: "C21: two lanes of four, shared with a socket by design", machine: pair("0108", "144d:a808", g3x4, g3x4, Rate{8, 2}),
		want: []string{"pcie-link-width/narrow warning 0000:01:00.0"}, most: Warning, says: []string{"shares the lanes", "manual"},
	},
	{
		name: "C22: root port that claims four lanes", machine: but(pair("0108", "144d:a808", Rate{5, 4}, g3x4, g2x1), model("Raspberry Pi 5 Model B Rev 1.0")),
		want: []string{"pcie-link-width/board-wiring info 0000:01:00.0"}, most: Info, never: []string{"pcie-link-width/narrow"},
	},
	{
		name: "C24: one generation below in one slot", machine: pair("0200", "15b3:1019", g4x4, g4x4, g3x4),
		want: []string{"pcie-link-speed/slow warning 0000:01:00.0"}, most: Warning, never: []string{"pcie-link-speed/card-limit"}, says: []string{"riser", "firmware"},
	},
	{
		name: "C25: half the lanes after a warm start", machine: pair("0200", "8086:1563", g3x4, g3x4, Rate{8, 2}),
		want: []string{"pcie-link-width/narrow warning 0000:01:00.0"}, most: Warning, says: []string{"cold start", "firmware"},
	},
	{
		name:    "C26: slots without any port",
		machine: but(machine(), slots(fact.Slot{Designation: "PCIE2", Type: "x16 PCI Express", Usage: "Available"})),
		want:    []string{"pcie-slot-empty/listed-empty  machine"}, most: "",
	},
	{
		name: "C27: empty slot", machine: machine(rootPort("0000:00:1c.0", g1x1, Rate{2.5, 0}, inSlot(0, false))),
		want: []string{"pcie-slot-empty/empty  0000:00:1c.0"}, most: "",
	},
	{
		name: "C27: the firmware says that the slot is in use",
		machine: but(machine(rootPort("0000:00:1c.0", g1x1, Rate{2.5, 0}, inSlot(0, false))),
			slots(fact.Slot{Designation: "PCIE1", Type: "x1 PCI Express", Usage: "In Use", Address: "0000:00:1c.0"})),
		want: []string{"pcie-slot-empty/in-use notice 0000:00:1c.0"}, most: Notice,
	},
	{
		name:    "C29: virtual machine",
		machine: machine(rootPort("0000:00:01.0", Rate{16, 32}, g1x1, ids("1b36:000c")), endpoint("0000:01:00.0", "0000:00:01.0", "0300", "10de:2684", g4x16, g1x1)),
		want:    []string{"pcie-link-not-assessable/virtual-machine  machine"}, most: "", never: []string{"pcie-link-width", "pcie-link-speed"},
	},
	{
		name: "C31: bridge to conventional PCI",
		machine: machine(rootPort("0000:00:01.0", Rate{5, 2}, g1x1), device("0000:01:00.0", "0000:00:01.0", "0604", "104c:8231", fact.PCIeToPCI, g1x1, g1x1),
			fact.Device{Address: "0000:02:00.0", Parent: "0000:01:00.0", Class: "0c03", Vendor: "1033", Device: "0035", CapsState: fact.Present}),
		want: []string{"pcie-link-width/card-limit info 0000:01:00.0"}, most: Info,
	},
	{
		name: "C35: network link that flaps", machine: noted(machine(), etherFlaps(6)...),
		want: []string{"pcie-link-flapping/network warning enp2s0"}, most: Warning, says: []string{"kernel", "cable", "EEE"},
	},
	{
		name: "C40: bridge that does not bear ASPM",
		machine: but(machine(rootPort("0000:00:1c.0", g1x1, g1x1, aspm("L0s L1 Enabled")), device("0000:02:00.0", "0000:00:1c.0", "0604", "1b21:1080", fact.PCIeToPCI, g1x1, g1x1, aspm("L0s L1 Enabled"))),
			policy("[default] performance powersave powersupersave")),
		want: []string{"aspm-state/known-broken warning 0000:02:00.0"}, most: Warning, says: []string{"not make the chip defective", "leaves error reporting on"},
	},
	{
		name: "C41: two ends of one link report, L0s is on", machine: atheros(),
		want: []string{"aspm-state/on info machine"}, most: Info, says: []string{"ASPM is among the first suspects", "beside the wires"},
	},
	{
		name: "C58: the kernel has no control, and L1 is on",
		machine: noted(machine(rootPort("0000:00:1c.0", g1x1, g1x1, aspm("L1 Enabled")), endpoint("0000:02:00.0", "0000:00:1c.0", "0200", "10ec:8168", g1x1, g1x1, aspm("L1 Enabled"))),
			logNote("fadt-aspm", "", "ACPI FADT declares the system doesn't support PCIe ASPM, so disable it", "what", "disabled"),
			logNote("aspm-no-control", "0000:02:00.0", "can't disable ASPM; OS doesn't have ASPM control")),
		want: []string{"aspm-state/on-firmware info machine"}, most: Info, never: []string{"aspm-state/off"}, says: []string{"stays on"},
	},
	{
		name: "C59: drive that vanished",
		machine: noted(machine(), logNote("nvme-down", "", "nvme nvme0: controller is down; will reset: CSTS=0xffffffff, PCI_STATUS=0x10",
			"controller", "nvme0", "csts", "0xffffffff", "pciStatus", "0x10")),
		want: []string{"device-gone/storage critical nvme0"}, most: Critical,
		says: []string{"worth a try", "silence afterwards proves nothing", "the link was up and the controller mute", "says nothing about its cells"},
	},
	{
		name: "C61: card present, no link", machine: noted(machine(), phantoms("0000:00:1c.0")...),
		want: []string{"pcie-link-flapping/no-link warning 0000:00:1c.0"}, most: Warning, says: []string{"phantom and a dead device look the same"}, silent: "defect",
	},
	{
		name: "C62: one drive pulled, another one times out", machine: pulled(),
		want: []string{"pcie-relaxed-tph-timeout/seen info machine"}, most: Info, says: []string{"close in time", "is healthy then", "50us to 50ms"},
	},
	{
		name: "N: a 10G card on two lanes of Gen 2", machine: noted(pair("0200", "1d6a:07b1", g4x4, g3x4, Rate{5, 2}),
			logNote("bandwidth", "0000:01:00.0", "8.000 Gb/s available PCIe bandwidth, limited by 5.0 GT/s PCIe x2 link at 0000:00:01.0", "available", "8.000",
				"limit-speed", "5.0 GT/s PCIe", "limit-width", "2", "limit-device", "0000:00:01.0", "capable", "31.504", "capable-speed", "8.0 GT/s PCIe", "capable-width", "4")),
		want: []string{"pcie-bandwidth-message/limited info 0000:01:00.0", "pcie-link-width/narrow warning 0000:01:00.0", "pcie-link-speed/slow warning 0000:01:00.0"}, most: Warning,
		says: []string{"8.0 Gbit/s", "this link does not explain it"},
	},
}

func etherFlaps(n int) (notes []fact.Note) {
	for i := range n {
		at := float64(40 * (i + 1))
		notes = append(notes,
			stamped(at, logNote("nic-link", "0000:02:00.0", "igc 0000:02:00.0 enp2s0: NIC Link is Down", "state", "down", "interface", "enp2s0")),
			stamped(at+3, logNote("nic-link", "0000:02:00.0", "igc 0000:02:00.0 enp2s0: NIC Link is Up 2500 Mbps", "state", "up", "interface", "enp2s0")))
	}
	return notes
}

func phantoms(port string) (notes []fact.Note) {
	for i := range 8 {
		at := float64(i) / 2
		notes = append(notes, stamped(at, logNote("pciehp-card-present", port, "Slot(0): Card present", "slot", "0")),
			stamped(at+0.2, logNote("pciehp-no-link", port, "Slot(0): No link", "slot", "0")))
	}
	return notes
}

// atheros is a wireless card with L0s, and errors that both ends saw.
func atheros() *fact.Machine {
	m := machine(rootPort("0000:00:1d.3", g1x1, g1x1, aspm("L0s L1 Enabled")), endpoint("0000:06:00.0", "0000:00:1d.3", "0280", "168c:003e", g1x1, g1x1, aspm("L0s L1 Enabled")))
	for i, e := range []fact.AEREvent{
		{Device: "0000:06:00.0", Kinds: []string{"BadDLLP", "RxErr", "Timeout"}},
		{Device: "0000:00:1d.3", Kinds: []string{"Timeout"}},
	} {
		e.Severity, e.Count, e.Root = "corrected", 3, "0000:00:1d.3"
		e.At = []fact.Line{lineAt("dmesg.txt", 30+i, e.Device)}
		m.Log.AER = append(m.Log.AER, e)
	}
	m.Log.State = fact.Present
	return m
}

// pulled is a machine whose one drive is pulled while another one waits.
func pulled() *fact.Machine {
	waits := func(d *fact.Device) {
		d.Express.CompletionTimeout = fact.Of("50us to 50ms", line(d, "DevCtl2"))
		d.Express.DevCtl = statusBits(3, "RlxdOrd+")
	}
	m := machine(rootPort("0000:00:1c.0", g3x4, g3x4), rootPort("0000:00:1d.0", g3x4, g3x4, waits),
		endpoint("0000:02:00.0", "0000:00:1d.0", "0108", "144d:a808", g3x4, g3x4, waits))
	at := 102.0
	m.Log.AER = []fact.AEREvent{{Device: "0000:02:00.0", Severity: "nonfatal", Kinds: []string{"CmpltTO"}, Count: 1, First: &at, Last: &at, At: []fact.Line{lineAt("dmesg.txt", 70, "CmpltTO")}}}
	return noted(m, stamped(100, logNote("pciehp-link-down", "0000:00:1c.0", "Slot(1): Link Down", "slot", "1")))
}

func TestLinkCases(t *testing.T) {
	for _, c := range linkCases {
		t.Run(c.name, func(t *testing.T) {
			var all []string
			for _, f := range Run(c.machine) {
				for _, s := range f.Subjects {
					all = append(all, fmt.Sprintf("%s/%s %s %s", f.ID, f.Case, f.Severity, s))
				}
				if f.Area == Links && f.Severity.Rank() > c.most.Rank() {
					t.Errorf("%s/%s of %v is a %s, at most %q fits", f.ID, f.Case, f.Subjects, f.Severity, c.most)
				}
				for _, id := range c.never {
					if f.ID == id || f.ID+"/"+f.Case == id {
						t.Errorf("%s/%s of %v must not be said", f.ID, f.Case, f.Subjects)
					}
				}
			}
			for _, want := range c.want {
				if !slices.Contains(all, want) {
					t.Errorf("%s is missing in\n%s", want, strings.Join(all, "\n"))
				}
			}
		})
	}
}

// LinkCases lends the main findings of the cases to the test of their wording,
// which stands outside of this package: what it must say, and what its title
// must not.
func LinkCases(use func(name string, m *fact.Machine, main Finding, says []string, silent string)) {
	for _, c := range linkCases {
		for _, f := range Run(c.machine) {
			id, subject := c.want[0][:strings.Index(c.want[0], " ")], c.want[0][strings.LastIndex(c.want[0], " ")+1:]
			if f.ID+"/"+f.Case == id && slices.Contains(f.Subjects, subject) {
				use(c.name, c.machine, f, c.says, c.silent)
			}
		}
	}
}

// One link, two ends that report: one finding.
func TestErrorsOfBothEndsAreOneFinding(t *testing.T) {
	n := 0
	for _, f := range Run(atheros()) {
		if f.ID == "aer-errors" {
			n++
			if !slices.Equal(f.Subjects, []string{"0000:06:00.0"}) {
				t.Errorf("subjects %v", f.Subjects)
			}
		}
	}
	if n != 1 {
		t.Errorf("%d findings on one link, want 1", n)
	}
}

// What was read all ones is computed with by nobody.
func TestNothingIsComputedFromAllOnes(t *testing.T) {
	for _, f := range Run(noted(pair("0108", "144d:a808", g3x4, Rate{32, 63}, Rate{8, 4}), wideLine)) {
		if s := fmt.Sprint(f.Values); strings.Contains(s, "1984") || strings.Contains(s, ":63") {
			t.Errorf("%s/%s: %s", f.ID, f.Case, s)
		}
	}
}

// lspci's marks change with its version, the judgement does not.
func TestMarksOfLspciChangeNothing(t *testing.T) {
	plain := fmt.Sprint(verdicts(pair("0200", "10ec:8168", Rate{8, 1}, g1x1, g1x1)))
	for _, note := range []string{"ok", "downgraded", "strange", "overdriven"} {
		if got := fmt.Sprint(verdicts(but(pair("0200", "10ec:8168", Rate{8, 1}, g1x1, g1x1), marks(note)))); got != plain {
			t.Errorf("marked %q: %s, want %s", note, got, plain)
		}
	}
}
