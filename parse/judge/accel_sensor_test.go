package judge_test

import (
	"testing"

	"hwcap/parse/fact"
	"hwcap/parse/judge"
)

// slotted is a root port that leads to a slot, and what stands behind it.
func slotted(port string, behind ...step) step {
	return func(m *fact.Machine) {
		yes := true
		device(port, "8086:347a", "0604", "pcieport", func(d *fact.Device) {
			d.Express = &fact.Express{Type: fact.RootPort, Slot: &yes, LinkCap: &fact.Link{Speed: 8, Width: 8}, LinkSta: &fact.Link{Speed: 8, Width: 8}, At: place("cmd/lspci-vvv.txt", 5, "Capabilities: Express Root Port (Slot+)")}
		})(m)
		from := len(m.PCI)
		steps(behind...)(m)
		for i := from; i < len(m.PCI); i++ {
			if m.PCI[i].Parent == "" {
				m.PCI[i].Parent = port
			}
		}
	}
}

func soldered(port string, behind ...step) step {
	return func(m *fact.Machine) {
		slotted(port, behind...)(m)
		no := false
		m.Device(port).Express.Slot = &no
	}
}

func TestAccelSensor(t *testing.T) {
	board := steps(sensor(""), sensor("0000:01:00.0"))
	fpga := device("0000:81:00.0", "10ee:5000", "1200", "xocl")
	check(t, "accel-no-sensor", []scene{
		{"a QAT card", machine(slotted("0000:c2:02.0", card), board), qatAt + "=none-known-card"},
		{"a card of which nothing is known", machine(slotted("0000:80:00.0", fpga), board), "0000:81:00.0=none"},
		{"a card with a sensor", machine(slotted("0000:80:00.0", fpga), sensor("0000:81:00.0")), "0000:81:00.0=sensor"},
		{"a sensor on its second function", machine(slotted("0000:80:00.0", fpga, device("0000:81:00.1", "10ee:5001", "1200", "xclmgmt")), sensor("0000:81:00.1")), "0000:81:00.0=sensor"},
		{"a kernel without any sensor", machine(slotted("0000:80:00.0", fpga), source("hwmon", fact.Present)), "0000:81:00.0=none"},
		{"sensors were not asked for", machine(slotted("0000:80:00.0", fpga)), "0000:81:00.0=not-captured"},
		{"sensors cut", machine(slotted("0000:80:00.0", fpga), board, source("hwmon", fact.Truncated)), "0000:81:00.0=not-captured"},
		{"a part of the board", machine(soldered("0000:c2:02.0", card), board), ""},
		{"a part of the chipset", machine(slotted("0000:5d:00.0", device("0000:60:00.0", "8086:37c8", "0b40", "c6xx")), board, chipsetSwitch("0000:5d:00.0")), ""},
		{"a part of the processor", machine(device("0000:f3:00.0", "8086:4940", "0b40", "4xxx"), board), ""},
		{"a graphics card", machine(slotted("0000:50:02.0", device("0000:51:00.0", "10de:2803", "0300", "nvidia")), board), ""},
		{"an accelerator that is a graphics chip", machine(slotted("0000:50:02.0", device("0000:51:00.0", "10de:20b5", "1302", "nvidia")), board), ""},
		{"virtual functions belong to their card", machine(slotted("0000:c2:02.0", device("0000:c5:01.0", "8086:0443", "0b40", "", func(d *fact.Device) { d.Sysfs = &fact.Sysfs{PhysFn: qatAt} })), board), ""},
		{"passed through to a guest", machine(under("KVM"), slotted("0000:c2:02.0", card), board), ""},
		{"nothing captured", machine(), ""},
	})
	f := judged(t, "accel-no-sensor", machine(slotted("0000:c2:02.0", card), board))[0]
	if f.Severity != judge.Notice || f.Values["powerWatts"] != 40 || f.Values["passive"] != true || f.Values["sensors"] != 2 {
		t.Errorf("%s, %v", f.Severity, f.Values)
	}
}

// chipsetSwitch makes a port one of those that a chipset has inside.
func chipsetSwitch(port string) step {
	return func(m *fact.Machine) { m.Device(port).Device = "37c5" }
}
