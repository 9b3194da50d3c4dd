package judge

import (
	"testing"

	"hwcap/parse/fact"
)

func dpcNote() fact.Note {
	return logNote("dpc-event", port, "pcieport "+port+": DPC: containment event, status:0x1f01 source:0x0000", "status", "0x1f01", "reason", "unmasked uncorrectable error")
}

func withDPC(trigger bool) func(*fact.Machine) {
	return func(m *fact.Machine) {
		ctl := statusBits(230, "Trigger-")
		ctl.Bits["Trigger"] = trigger
		m.Device(port).DPC = &fact.DPC{Ctl: ctl, At: lineAt("cmd/lspci-vvv.txt", 229, "Capabilities: [1d0] Downstream Port Containment")}
	}
}

func dpcService(m *fact.Machine) {
	m.PortDrivers = append(m.PortDrivers, fact.PortDriver{Service: "dpc", State: fact.Present, Ports: []fact.Entry{{Name: port + ":pcie010", At: lineAt("sys/bus/pci_express/drivers/dpc/.list", 1, port)}}})
}

func goneBelow(m *fact.Machine) { m.PCI = m.PCI[:2] }

func TestDPCState(t *testing.T) {
	slot := func(kind string) fact.Note {
		return logNote(kind, port, "pcieport "+port+": pciehp: Slot(9): "+kind, "slot", "9")
	}
	recovery := func(result string) fact.Note {
		return logNote("aer-recovery", port, "pcieport "+port+": AER: device recovery "+result, "result", result)
	}
	play(t, dpcState, []scene{
		{"no port that could", server(), nil},
		{"contained by Linux", server(withDPC(true), dpcService), []string{"active machine"}},
		{"contained by the firmware", server(withDPC(true)), []string{"firmware machine"}},
		{"possible, but off", server(withDPC(false)), []string{"off machine"}},
		{"services not captured", server(withDPC(true), withoutSource("pci-port-drivers", fact.Denied)), []string{"unread machine"}},
		{"drive lost", server(goneBelow, withLog(dpcNote())), []string{"event " + port}},
		{"drive lost, recovery failed", server(goneBelow, withLog(dpcNote(), recovery("failed"))), []string{"event " + port}},
		{"drive reads all ones", server(withLog(dpcNote()), func(m *fact.Machine) { m.Device(drive).Header = "7f" }), []string{"event " + port}},
		{"recovered", server(withLog(dpcNote(), recovery("successful"))), []string{"recovered " + port}},
		{"no word on it, but the drive is there", server(withLog(dpcNote())), []string{"recovered " + port}},
		{"pulled", server(goneBelow, withLog(slot("pciehp-card-absent"), dpcNote())), []string{"removed " + port}},
		{"pulled and put back", server(withLog(slot("pciehp-card-absent"), dpcNote(), slot("pciehp-card-present"))), []string{"recovered " + port}},
		{"removed by its button", server(goneBelow, withLog(slot("pciehp-button"), dpcNote())), []string{"removed " + port}},
		{"firmware's event, recovered", server(goneBelow, withLog(logNote("edr", port, "EDR: EDR event received", "what", "event"), logNote("edr", port, "EDR: DPC port successfully recovered", "what", "recovered"))), []string{"recovered " + port}},
		{"firmware's event of a port further down", server(withLog(
			logNote("edr", "0000:c2:04.0", "EDR: EDR event received", "what", "event"),
			logNote("edr", "0000:c2:04.0", "EDR: Reported EDR dev: "+port, "what", "reported", "reported", port),
			dpcNote(), logNote("edr", port, "EDR: DPC port successfully recovered", "what", "recovered"))), []string{"recovered " + port}},
		{"list of devices missing", server(withLog(dpcNote()), withoutSource("lspci-vvv", fact.Absent), withoutSource("pci", fact.Absent)), []string{"event-open " + port}},
		{"a log alone", excerpt(withLog(dpcNote())), []string{"event " + port}},
	})
}
