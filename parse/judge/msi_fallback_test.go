package judge_test

import (
	"testing"

	"hwcap/parse/fact"
)

// messages sets MSI and MSI-X as lspci prints them.
func messages(msi, msix bool) func(*fact.Device) {
	return func(d *fact.Device) {
		d.MSI = fact.Of(msi, place("cmd/lspci-vvv.txt", 40, "MSI: Enable"))
		d.MSIX = fact.Of(msix, place("cmd/lspci-vvv.txt", 41, "MSI-X: Enable"))
	}
}

func TestMSIFallback(t *testing.T) {
	disk := func(more ...func(*fact.Device)) step {
		return device("0000:01:00.0", "144d:a80a", "0108", "nvme", more...)
	}
	nic := device("0000:02:00.0", "14e4:1657", "0200", "tg3", messages(false, false))
	up := func(carrier string) step {
		return func(m *fact.Machine) {
			m.Net = []fact.Interface{{Name: "eth0", Device: "0000:02:00.0", Carrier: fact.Of(carrier, place("sys/class/net/eth0/carrier", 1, carrier))}}
		}
	}
	nobody := note("irq-nobody-cared", "", `irq 16: nobody cared (try booting with the "irqpoll" option)`, "irq", "16")
	denied := func(d *fact.Device) { d.CapsState, d.ExtCaps = fact.Denied, false }
	check(t, "msi-fallback", []scene{
		{"both off", machine(disk(messages(false, false))), "0000:01:00.0=line"},
		{"pci=nomsi", machine(cmdline("pci=noaer,nomsi"), disk(messages(false, false))), "0000:01:00.0=line"},
		{"both off, and the line as well", machine(disk(messages(false, false), func(d *fact.Device) {
			d.DisINTx = fact.Of(true, place("cmd/lspci-vvv.txt", 12, "Control: DisINTx+"))
		})), ""},
		{"one of them on", machine(wholeLog, disk(messages(false, true))), "machine=messages"},
		{"on, and the log wrapped", machine(disk(messages(false, true))), ""},
		{"nobody cared, and who shares the line", machine(disk(messages(false, true)), device("0000:00:1d.0", "8086:a110", "0c03", "ehci-pci", func(d *fact.Device) { d.ProgIf = "20" }), setting("sys/bus/pci/devices/0000:00:1d.0/irq", "16"), nobody, nobody), "machine=nobody-cared"},
		{"nobody cared, alone", machine(nobody), "machine=nobody-cared"},
		{"network, interface up", machine(nic, up("1")), "0000:02:00.0=line"},
		{"network, interface down", machine(nic, up("0")), ""},
		{"network, interfaces not captured", machine(nic), ""},
		{"given to vfio, waiting for its guest", machine(device("0000:01:00.0", "144d:a80a", "0108", "vfio-pci", messages(false, false))), ""},
		{"no driver", machine(device("0000:01:00.0", "144d:a80a", "0108", "", messages(false, false))), ""},
		{"asleep", machine(disk(messages(false, false), inSysfs(func(s *fact.Sysfs) { s.Runtime = fact.Of("suspended", place("power/runtime_status", 1, "suspended")) }))), ""},
		{"a port", machine(device("0000:00:1c.0", "8086:a190", "0604", "pcieport", messages(false, false))), ""},
		{"IDE", machine(device("0000:00:1f.1", "8086:7010", "0101", "ata_piix", messages(false, false))), ""},
		{"not readable without root", machine(disk(denied)), "machine=not-readable"},
		{"nothing captured", machine(), ""},
	})
}
