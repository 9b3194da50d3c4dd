package judge

import (
	"testing"

	"hwcap/parse/fact"
)

// on changes one function of the machine.
func on(address string, edits ...edit) func(*fact.Machine) {
	return func(m *fact.Machine) {
		for _, e := range edits {
			e(m.Device(address))
		}
	}
}

// both changes the two ends of the link to the drive of serverBoard.
func both(edits ...edit) func(*fact.Machine) {
	return func(m *fact.Machine) {
		on(thePort, edits...)(m)
		on(theDrive, edits...)(m)
	}
}

// The drive of serverBoard, and the port above it.
const thePort, theDrive = "0000:c2:05.0", "0000:c7:00.0"

// rated gives a function the speed and width that it can do and has.
func rated(can, now Rate) edit {
	return func(d *fact.Device) {
		d.Express.LinkCap = &fact.Link{Speed: can.Speed, Width: can.Width, ASPM: "L0s L1", At: line(d, "LnkCap")}
		d.Express.LinkSta = &fact.Link{Speed: now.Speed, Width: now.Width, At: line(d, "LnkSta")}
	}
}

func class(class string) edit { return func(d *fact.Device) { d.Class = class } }

// powered gives a function the kernel's two files on its power.
func powered(state, runtime string) edit {
	return func(d *fact.Device) {
		if d.Sysfs == nil {
			d.Sysfs = &fact.Sysfs{}
		}
		d.Sysfs.PowerState = fact.Of(state, lineAt("sys/bus/pci/devices/"+d.Address+"/power_state", 1, state))
		d.Sysfs.Runtime = fact.Of(runtime, lineAt("sys/bus/pci/devices/"+d.Address+"/power/runtime_status", 1, runtime))
	}
}

// ones makes a function read all ones, as lspci prints it.
func ones(d *fact.Device) {
	d.Header, d.Revision, d.CapsState, d.Express = "7f", "ff", "", nil
}

func bound(driver string) edit {
	return func(d *fact.Device) { d.Driver, d.DriverKnown = driver, true }
}

// every changes all functions.
func every(edits ...edit) func(*fact.Machine) {
	return func(m *fact.Machine) {
		for i := range m.PCI {
			for _, e := range edits {
				e(&m.PCI[i])
			}
		}
	}
}

// stamped gives a message its time.
func stamped(at float64, n fact.Note) fact.Note {
	n.Time = &at
	n.At.Line += int(at * 10)
	return n
}

// slotNote is a message of the hot-plug driver on the port of the drive.
func slotNote(at float64, kind, text string, fields ...string) fact.Note {
	return stamped(at, logNote(kind, thePort, "pcieport "+thePort+": pciehp: Slot(3): "+text, append(fields, "slot", "3")...))
}

// bare is a kernel log by itself.
func bare(notes ...fact.Note) func() *fact.Machine {
	return func() *fact.Machine {
		m := &fact.Machine{Log: fact.Log{State: fact.Present, FromBoot: fact.Of(true, lineAt("dmesg.txt", 1, "Linux version 7.0.0")), Notes: notes}}
		return m
	}
}

// guestMachine gives the machine a root port as only QEMU has it.
func guestMachine(m *fact.Machine) { ids("1b36:000c")(&m.PCI[0]) }

func TestDeviceAsleep(t *testing.T) {
	play(t, deviceAsleep, []scene{
		{"all awake", server(every(powered("D0", "active"))), []string{"awake machine"}},
		{"drive in D3hot", server(every(powered("D0", "active")), on(theDrive, powered("D3hot", "suspended"))), []string{"asleep " + theDrive}},
		{"sent to sleep by its driver", server(on(theDrive, powered("D0", "suspended"))), []string{"asleep " + theDrive}},
		{"asleep by lspci alone", server(on(theDrive, func(d *fact.Device) { d.Power = fact.Of("D3", line(d, "Status: D3")) })), []string{"asleep " + theDrive}},
		{"asleep, and reads all ones", server(on(theDrive, ones, powered("D3cold", "suspended"))), []string{"asleep " + theDrive}},
		{"counted as asleep because it did not wake", server(on(theDrive, ones, powered("D3cold", "active")), withLog(
			logNote("power-state-failed", theDrive, "nvme 0000:c7:00.0: Unable to change power state from D3cold to D0, device inaccessible", "from", "D3cold", "to", "D0"))), nil},
		{"power not captured", server(), nil},
		{"runtime status not captured", server(every(power("D0"))), nil},
		{"nothing captured", bare(), nil},
	})
}

func TestDeviceGone(t *testing.T) {
	down := func(fields ...string) fact.Note {
		return stamped(812, logNote("nvme-down", "", "nvme nvme0: controller is down; will reset: CSTS=0xffffffff, PCI_STATUS=0x10", append([]string{"controller", "nvme0", "csts", "0xffffffff"}, fields...)...))
	}
	dropped := stamped(843, logNote("nvme-removed", "", "nvme nvme0: Disabling device after reset failure: -19", "controller", "nvme0", "error", "-19"))
	waited := stamped(251, logNote("reset-timeout", theDrive, "not ready 65535ms after resume; giving up", "ms", "65535", "what", "resume", "outcome", "giving up"))
	unwoken := stamped(251, logNote("power-state-failed", theDrive, "Unable to change power state from D3cold to D0, device inaccessible", "from", "D3cold", "to", "D0"))
	awake := powered("D0", "active")
	play(t, deviceGone, []scene{
		{"all answer", server(), []string{"answers machine"}},
		{"drive awake, reads all ones", server(on(theDrive, ones, awake)), []string{"storage " + theDrive}},
		{"card awake, reads all ones", server(on(theDrive, ones, awake, class("0200"))), []string{"device " + theDrive}},
		{"port with a drive reads all ones: one finding for both", server(on(thePort, ones, awake), on(theDrive, ones, awake)), []string{"storage " + thePort}},
		{"port forwards no bus any more", server(on(thePort, func(d *fact.Device) {
			d.Bus = &fact.BusRange{At: line(d, "Bus: primary=00, secondary=00, subordinate=00")}
		})), []string{"storage " + thePort}},
		{"asleep", server(on(theDrive, ones, powered("D3cold", "suspended"))), nil},
		{"all ones, power not captured", server(on(theDrive, ones)), []string{"no-answer " + theDrive}},
		{"revision ff in a list without capabilities", server(on(theDrive, func(d *fact.Device) { d.Revision, d.CapsState, d.Express = "ff", "", nil })), []string{"no-answer " + theDrive}},
		{"revision ff of a device that answers", server(on(theDrive, func(d *fact.Device) { d.Revision = "ff" })), []string{"answers machine"}},
		{"could not be woken", server(on(theDrive, ones, powered("D3cold", "active")), withLog(unwoken)), []string{"storage " + theDrive}},
		{"could not be woken, now answers", server(on(theDrive, awake, bound("nvme")), withLog(waited)), []string{"back " + theDrive}},
		{"C59: drive lost, nothing but the log", bare(down("pciStatus", "0x10")), []string{"storage nvme0"}},
		{"C59: drive lost, its address told by the list", server(on(theDrive, bound("")), withLog(down("pciStatus", "0x10"), dropped)), []string{"storage " + theDrive}},
		{"drive reset and back", server(on(theDrive, bound("nvme")), withLog(down("pciStatus", "0x10"))), []string{"back " + theDrive}},
		{"another status is no all ones", server(withLog(logNote("nvme-down", "", "nvme nvme0: controller is down; will reset: CSTS=0x3", "controller", "nvme0", "csts", "0x3"))), []string{"answers machine"}},
		{"drive lost, and the list denied", server(withLog(down()), withoutSource("lspci-vvv", fact.Denied), withoutSource("pci", fact.Denied)), []string{"outcome-open nvme0"}},
		{"pulled out of its slot", bare(slotNote(811, "pciehp-card-absent", "Card not present"), down()), nil},
		{"the graphics driver says more", server(on(theDrive, ones, awake, class("0300")), withLog(logNote("gpu-xid", theDrive, "NVRM: Xid (PCI:0000:c7:00): 79", "xid", "79"))), nil},
		{"cut off by containment", server(on(theDrive, ones, awake), withLog(logNote("dpc-event", thePort, "DPC: containment event, status:0x1f01 source:0x0000", "status", "0x1f01"))), nil},
		{"drive lost after a port cut it off, nothing but the log", bare(stamped(800, logNote("dpc-event", thePort, "DPC: containment event", "status", "0x1f01")), dropped), nil},
		{"drive lost although the port recovered", bare(stamped(800, logNote("dpc-event", thePort, "DPC: containment event", "status", "0x1f01")), dropped,
			stamped(844, logNote("aer-recovery", thePort, "AER: device recovery successful", "result", "successful"))), []string{"storage nvme0"}},
		{"drive lost long after that", bare(stamped(100, logNote("dpc-event", thePort, "DPC: containment event", "status", "0x1f01")), dropped), []string{"storage nvme0"}},
		{"nothing captured", bare(), nil},
	})
}

// speaks makes a bandwidth line of the kernel.
func speaks(at float64, device string, fields ...string) fact.Note {
	text := "pci " + device + ": available PCIe bandwidth"
	for i := 1; i < len(fields); i += 2 {
		text += " " + fields[i]
	}
	return stamped(at, logNote("bandwidth", device, text, fields...))
}

func TestBandwidthMessage(t *testing.T) {
	x2 := speaks(0.4, theDrive, "available", "8.000", "limit-speed", "5.0 GT/s PCIe", "limit-width", "2", "limit-device", thePort,
		"capable", "31.504", "capable-speed", "8.0 GT/s PCIe", "capable-width", "4")
	x4 := speaks(9, theDrive, "available", "31.504", "speed", "8.0 GT/s PCIe", "width", "4")
	wide := speaks(0.4, theDrive, "available", "31.504", "limit-speed", "8.0 GT/s PCIe", "limit-width", "4", "limit-device", thePort,
		"capable", "1984.941", "capable-speed", "32.0 GT/s PCIe", "capable-width", "63")
	low := speaks(0.4, theDrive, "available", "8.000", "limit-speed", "2.5 GT/s PCIe", "limit-width", "4", "limit-device", thePort,
		"capable", "31.504", "capable-speed", "8.0 GT/s PCIe", "capable-width", "4")
	high := speaks(0.9, theDrive, "available", "31.504", "speed", "8.0 GT/s PCIe", "width", "4")
	tunnelled := func(d *fact.Device) { d.Vendor, d.Device = "8086", "15ef" }
	play(t, bandwidthMessage, []scene{
		{"network card on two lanes of Gen 2", server(withLog(x2)), []string{"limited " + theDrive}},
		{"nothing limits", server(withLog(x4)), []string{"full " + theDrive}},
		{"two functions of a card say it twice", server(withLog(x2, speaks(9, "0000:c7:00.1", "available", "8.000", "limit-speed", "5.0 GT/s PCIe",
			"limit-width", "2", "limit-device", thePort, "capable", "31.504", "capable-speed", "8.0 GT/s PCIe", "capable-width", "4"))), []string{"limited " + theDrive}},
		{"lines of one boot differ", server(withLog(x2, x4)), []string{"changed " + theDrive}},
		{"the slot was filled anew between them", server(withLog(x2, slotNote(5, "pciehp-card-present", "Card present"), x4)), []string{"limited " + theDrive}},
		{"graphics card that idles", server(on(theDrive, class("0300")), withLog(low, high)), []string{"limited " + theDrive}},
		{"C10: the port is a tunnel", server(on(thePort, tunnelled), withLog(low)), []string{"tunnel " + theDrive}},
		{"C10: the log alone cannot tell a tunnel", bare(low), []string{"limited " + theDrive}},
		{"C13: registers read all ones", server(withLog(wide)), []string{"all-ones " + theDrive}},
		{"C13: again and again", server(withLog(wide, stamped(77, wide))), []string{"all-ones-again " + theDrive}},
		{"virtual machine", server(guestMachine, withLog(x2)), nil},
		{"no line", server(), nil},
	})
}

func TestLinkFlapping(t *testing.T) {
	var lost, quick, phantom, ether []fact.Note
	for i := range 4 {
		at := 100 * float64(i+1)
		lost = append(lost, slotNote(at, "pciehp-link-down", "Link Down"), slotNote(at+50, "pciehp-link-up", "Link Up"))
		quick = append(quick, slotNote(at, "pciehp-link-down", "Link Down"), slotNote(at+2, "pciehp-link-up", "Link Up"))
		phantom = append(phantom, slotNote(at, "pciehp-card-present", "Card present"), slotNote(at+0.4, "pciehp-no-link", "No link"))
	}
	for i := range 6 {
		at := 40 * float64(i+1)
		ether = append(ether, stamped(at, logNote("nic-link", theDrive, "igc 0000:c7:00.0 enp199s0: NIC Link is Down", "state", "down", "interface", "enp199s0")),
			stamped(at+3, logNote("nic-link", theDrive, "igc 0000:c7:00.0 enp199s0: NIC Link is Up 2500 Mbps", "state", "up", "interface", "enp199s0", "speedMbps", "2500")))
	}
	var unplugged []fact.Note
	for _, n := range lost {
		if n.Kind == "pciehp-link-down" {
			unplugged = append(unplugged, slotNote(*n.Time-6, "pciehp-button", "Button press: will power off in 5 sec", "direction", "off"))
		}
		unplugged = append(unplugged, n)
	}
	retrain := func(at float64, what string) fact.Note {
		return stamped(at, logNote("link-retrain", thePort, "pcieport 0000:c2:05.0: retraining", "what", what, "speed", "2.5GT/s"))
	}
	port := slotNote(1, "pciehp-slot", "AttnBtn-")
	tunnelled := on(thePort, func(d *fact.Device) { d.Vendor, d.Device = "8086", "15ef" })
	changing := func(address string, low, high Rate, changes int) func(*fact.Machine) {
		return func(m *fact.Machine) {
			samples(address, high, 30, "load")(m)
			p := &m.Samples.V.Ports[0]
			p.Slowest = fact.Sample{Speed: low.Speed, Width: low.Width, At: lineAt("samples/links.jsonl", 9, address)}
			p.Narrowest, p.Changes = p.Slowest, changes
		}
	}
	drive := both(rated(g4x4, g4x4))
	play(t, linkFlapping, []scene{
		{"hot-plug ports, nothing happened", server(withLog(port)), []string{"quiet machine"}},
		{"no hot-plug port: silence says nothing", server(), nil},
		{"hot-plug ports, the log's start is lost", server(withLog(port), func(m *fact.Machine) { m.Log.FromBoot.V = false }), nil},
		{"link lost again and again", server(withLog(lost...)), []string{"link-lost " + theDrive}},
		{"somebody pressed the button each time", server(withLog(unplugged...)), nil},
		{"one link lost", server(withLog(port), withLog(lost[:2]...)), []string{"quiet machine"}},
		{"C10: dock whose link comes back at once", server(tunnelled, withLog(quick...)), []string{"link-lost " + theDrive}},
		{"dock that is carried about", server(tunnelled, withLog(lost...)), nil},
		{"C61: something present, and no link", server(withLog(phantom...)), []string{"no-link " + theDrive}},
		{"retrained once, in vain", server(withLog(retrain(1, "quirk"), retrain(2, "failed"))), []string{"retrained " + theDrive}},
		{"retrained time and again", server(withLog(retrain(1, "quirk"), retrain(20, "quirk"), retrain(300, "quirk"))), []string{"retrained-often " + theDrive}},
		{"restriction lifted", server(withLog(port, retrain(1, "lifted"))), []string{"quiet machine"}},
		{"retrained for a device that is gone", server(on(theDrive, ones, powered("D0", "active")), withLog(retrain(1, "quirk"), retrain(2, "failed"))), nil},
		{"retrained in vain for a device that the log gives up", bare(retrain(1, "quirk"), retrain(2, "failed"),
			stamped(3, logNote("reset-timeout", theDrive, "not ready 1023ms after resume; waiting", "outcome", "waiting")),
			stamped(66, logNote("reset-timeout", theDrive, "not ready 65535ms after resume; giving up", "outcome", "giving up"))), nil},
		{"samples change", server(drive, changing(theDrive, g1x1, g4x4, 4)), []string{"samples " + theDrive}},
		{"samples of a graphics card change", server(drive, on(theDrive, class("0300")), changing(theDrive, Rate{2.5, 4}, g4x4, 4)), nil},
		{"samples change once", server(drive, changing(theDrive, g1x1, g4x4, 1)), nil},
		{"C35: network link comes and goes", server(withLog(ether...)), []string{"network enp199s0"}},
		{"network link went down a few times", server(withLog(port), withLog(ether[:6]...)), []string{"quiet machine"}},
		{"virtual machine", server(guestMachine, withLog(port)), nil},
		{"nothing captured", bare(), nil},
	})
}

// A port that fell back for its cable comes and goes for it as well: that is told
// once, by net-link-speed.
func TestFlappingForTheCable(t *testing.T) {
	m := server(withLog(etherFlaps(oftenNetwork)...))()
	if got := networkFlapping(m); len(got) != 1 {
		t.Fatalf("of a port of which nothing else is known: %v", got)
	}
	at := lineAt("sys/class/net/enp2s0/speed", 1, "100")
	m.Net = append(m.Net, fact.Interface{
		Name: "enp2s0", Carrier: fact.Of("1", at), Speed: fact.Of(100, at),
		Ethtool: &fact.Ethtool{Supported: fact.Of([]fact.LinkMode{{Name: "1000baseT/Full", Speed: 1000}}, at)},
	})
	noted(m, logNote("nic-downshift", "", "Downshift occurred from negotiated speed 1Gbps to actual speed 100Mbps, check cabling!", "from", "1Gbps", "to", "100Mbps"))
	if got := networkFlapping(m); len(got) != 0 {
		t.Errorf("of a port that fell back: %v", got)
	}
}

func TestSlotPower(t *testing.T) {
	slot := func(fault bool) edit {
		return func(d *fact.Device) {
			inSlot(3, true)(d)
			d.Express.SlotSta.PowerFlt = fault
		}
	}
	logged := slotNote(12, "pciehp-power-fault", "Power fault")
	play(t, slotPower, []scene{
		{"no fault", server(on(thePort, slot(false))), []string{"none machine"}},
		{"fault in the register", server(on(thePort, slot(true))), []string{"fault " + thePort}},
		{"fault in the log, gone from the register", server(on(thePort, slot(false)), withLog(logged)), []string{"fault " + thePort}},
		{"fault by nothing but the log", bare(logged), []string{"fault " + thePort}},
		{"port without a slot", server(on(thePort, slot(true), func(d *fact.Device) { no := false; d.Express.Slot = &no })), nil},
		{"registers that read all ones", server(on(thePort, slot(true), func(d *fact.Device) { d.Header = "7f" })), nil},
		{"virtual machine", server(guestMachine, on(thePort, slot(true))), nil},
		{"no slots", server(), nil},
	})
}
