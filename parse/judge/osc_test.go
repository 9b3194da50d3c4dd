package judge

import (
	"fmt"
	"testing"

	"hwcap/parse/fact"
)

// oscRefusal is what a server board's firmware says when it keeps AER.
func oscRefusal(bridge string) []fact.Note {
	return []fact.Note{oscNote(bridge, "supports", oscFeatures), oscNote(bridge, "not-supported", "SHPCHotplug AER LTR DPC"), oscNote(bridge, "controls", "PCIeHotplug PME PCIeCapability")}
}

func sixBridges(notes func(string) []fact.Note) (all []fact.Note, subjects string) {
	for i := range 6 {
		bridge := fmt.Sprintf("PNP0A08:%02x", i)
		all = append(all, notes(bridge)...)
		subjects += " " + bridge
	}
	return all, subjects
}

var (
	firmwareLine  = logNote("ghes", "", "GHES: APEI firmware first mode is enabled by APEI bit and WHEA _OSC.", "kind", "enabled-apei-osc")
	bothPorts     = withAER("0000:c2:04.0", "0000:c2:05.0")
	refusedAER    = withLog(oscRefusal("PNP0A08:07")...)
	nativeCmdline = withCmdline("pcie_ports=native")
)

func TestErrorOwner(t *testing.T) {
	sixRefused, six := sixBridges(oscRefusal)
	play(t, oscAERDenied, []scene{
		{"firmware hands AER over", server(bothPorts, withLog(oscNote("PNP0A08:07", "supports", oscFeatures), oscNote("PNP0A08:07", "controls", oscEverything))), []string{"granted PNP0A08:07"}},
		{"two root bridges, one of them refused", server(refusedAER, withLog(oscNote("PNP0A08:06", "controls", oscEverything))), []string{"granted PNP0A08:06", "refused-nobody PNP0A08:07"}},
		{"hot-plug refused and taken by the parameter", server(bothPorts, withCmdline("pcie_ports=native"), withLog(oscNote("PNP0A08:07", "supports", oscFeatures), oscNote("PNP0A08:07", "not-supported", "PCIeHotplug LTR DPC"), oscNote("PNP0A08:07", "controls", "SHPCHotplug PME AER PCIeCapability"))), []string{"granted-forced PNP0A08:07"}},
		{"hot-plug refused, and the command line is not known", server(bothPorts, withoutSource("proc-cmdline", fact.Denied), withLog(oscNote("PNP0A08:07", "supports", oscFeatures), oscNote("PNP0A08:07", "not-supported", "PCIeHotplug"), oscNote("PNP0A08:07", "controls", "PME AER PCIeCapability"))), []string{"granted-open PNP0A08:07"}},
		{"what the parameter does not take is no matter", server(bothPorts, withCmdline("pcie_ports=native"), withLog(oscNote("PNP0A08:07", "supports", oscFeatures), oscNote("PNP0A08:07", "not-supported", "LTR"), oscNote("PNP0A08:07", "controls", "PCIeHotplug PME AER PCIeCapability"))), []string{"granted PNP0A08:07"}},
		{"six root bridges share one finding", server(withLog(sixRefused...)), []string{"refused-nobody" + six}},
		{"switched off by pci=noaer", server(withCmdline("pci=nocrs,noaer"), withLog(oscNote("PNP0A08:07", "supports", oscFeatures), oscNote("PNP0A08:07", "controls", "PCIeHotplug PME PCIeCapability"))), []string{"never-asked PNP0A08:07"}},
		{"pcie_aspm=off makes the kernel ask for nothing", server(withCmdline("pcie_aspm=off"), withLog(oscNote("PNP0A08:07", "supports", "ExtendedConfig Segments MSI"),
			logNote("osc", "PNP0A08:07", "_OSC: not requesting OS control; OS requires [ExtendedConfig ASPM ClockPM MSI]", "what", "not-requesting", "reason", "os-requires"))), []string{"never-asked PNP0A08:07"}},
		{"pcie_ports=compat", server(withCmdline("pcie_ports=compat"), withLog(oscNote("PNP0A08:07", "supports", oscFeatures), logNote("port-services-disabled", "PNP0A08:07", "PCIe port services disabled; not requesting _OSC control"))), []string{"never-asked PNP0A08:07"}},
		{"kernel without AER", server(withLog(oscNote("PNP0A08:07", "supports", oscFeatures), oscNote("PNP0A08:07", "controls", "PME PCIeCapability"))), []string{"never-asked PNP0A08:07"}},
		{"conventional PCI beside PCI Express", server(refusedAER, withLog(oscNote("PNP0A03:00", "supports", oscFeatures))), []string{"refused-nobody PNP0A08:07"}},
		{"PCI Express under the name of conventional PCI", server(withoutExpress, withLog(oscNote("PNP0A03:02", "supports", oscFeatures), oscNote("PNP0A03:02", "controls", "PME PCIeCapability LTR"))), []string{"never-asked PNP0A03:02"}},
		{"virtual machine with conventional PCI only", server(withoutExpress, withLog(oscNote("PNP0A03:00", "supports", "ASPM ClockPM Segments MSI"), logNote("osc", "PNP0A03:00", "_OSC: not requesting OS control", "what", "not-requesting", "reason", "os-requires"))), nil},
		{"only the first line of the talk", server(withLog(oscNote("PNP0A08:07", "supports", oscFeatures))), []string{"unread PNP0A08:07"}},
		{"granted list without what was asked before it", server(withLog(oscNote("PNP0A08:07", "controls", "PME PCIeCapability"))), []string{"unread PNP0A08:07"}},
		{"firmware first, proven by registered sources", server(refusedAER, withTables("APIC", "HEST"), withLog(firmwareLine)), []string{"firmware-first PNP0A08:07"}},
		{"firmware first, proven by a record", server(refusedAER, withTables("HEST"), firmwareRecord), []string{"firmware-first PNP0A08:07"}},
		{"firmware first by itself enabled for memory only", server(refusedAER, withTables("HEST"), withLog(logNote("hest", "", "HEST: Enabling Firmware First mode for corrected errors.", "kind", "firmware-first-cmc"))), []string{"refused-unknown PNP0A08:07"}},
		{"HEST alone", server(refusedAER, withTables("APIC", "HEST", "MCFG")), []string{"refused-unknown PNP0A08:07"}},
		{"BERT and ERST are no channel", server(refusedAER, withTables("APIC", "BERT", "ERST", "SSDT1")), []string{"refused-nobody PNP0A08:07"}},
		{"firmware keeps everything", server(withLog(oscNote("PNP0A08:07", "supports", oscFeatures), oscNote("PNP0A08:07", "requested", oscEverything), logNote("osc", "PNP0A08:07", "_OSC: platform retains control of PCIe features (AE_ERROR)", "what", "retains", "reason", "AE_ERROR"))), []string{"refused-nobody PNP0A08:07"}},
		{"firmware offers no capability structure", server(withLog(oscNote("PNP0A08:07", "supports", oscFeatures), logNote("osc", "PNP0A08:07", "_OSC: not requesting control; platform does not support [PCIeCapability]", "what", "not-requesting", "reason", "platform-lacks"))), []string{"refused-nobody PNP0A08:07"}},
		{"failed before AER was asked for", server(withLog(oscNote("PNP0A08:07", "requested", "PME PCIeCapability"), logNote("osc", "PNP0A08:07", "_OSC failed (AE_NOT_FOUND)", "what", "failed", "reason", "AE_NOT_FOUND"))), []string{"never-asked PNP0A08:07"}},
		{"guest", server(refusedAER, inGuest), []string{"refused-guest PNP0A08:07"}},
		{"guest that a log alone names", bareLog(append(oscRefusal("PNP0A08:00"), wholeLog(logNote("hypervisor", "", "Hypervisor detected: KVM", "name", "KVM"))...)), []string{"refused-guest PNP0A08:00"}},
		{"guest by the identity in a log alone", bareLog(append(oscRefusal("PNP0A08:00"), wholeLog(logNote("machine", "", "DMI: Amazon EC2 m5.large/, BIOS 1.0", "text", "Amazon EC2 m5.large/, BIOS 1.0"))...)), []string{"refused-guest PNP0A08:00"}},
		{"a rented machine without a hypervisor", bareLog(append(oscRefusal("PNP0A08:00"), wholeLog(logNote("machine", "", "DMI: Amazon EC2 m5.metal/, BIOS 1.0", "text", "Amazon EC2 m5.metal/, BIOS 1.0"))...)), []string{"refused-nobody PNP0A08:00"}},
		{"guest that did not ask", server(inGuest, withLog(notAsked("PNP0A08:07")...)), []string{"refused-guest PNP0A08:07"}},
		{"guest that was told not to ask", server(inGuest, withCmdline("pci=noaer"), withLog(notAsked("PNP0A08:07")...)), []string{"never-asked PNP0A08:07"}},
		{"not asked, hypervisor not to be told", server(withLog(notAsked("PNP0A08:07")...), withoutSource("dmi", fact.Denied)), []string{"refused-unread PNP0A08:07"}},
		{"two bridges that were not asked share one finding", server(withLog(append(notAsked("PNP0A08:06"), notAsked("PNP0A08:07")...)...)), []string{"never-asked PNP0A08:06 PNP0A08:07"}},
		{"tables not listed", server(refusedAER, withoutSource("acpi-tables", fact.Denied)), []string{"refused-unread PNP0A08:07"}},
		{"neither command line nor drivers", server(refusedAER, withoutSource("proc-cmdline", fact.Denied), withoutSource("pci-port-drivers", fact.Denied)), []string{"refused-unread PNP0A08:07"}},
		{"native takes over", server(nativeCmdline, bothPorts, refusedAER), []string{"refused-native PNP0A08:07"}},
		{"native, seen in the log only", server(nativeCmdline, refusedAER, withoutSource("pci-port-drivers", fact.Absent), withLog(logNote("aer-enabled", "0000:c2:05.0", "pcieport 0000:c2:05.0: AER: enabled with IRQ 131", "irq", "131"))), []string{"refused-native PNP0A08:07"}},
		{"native although nothing was asked, ports not read", server(withCmdline("pcie_ports=native"), withoutSource("pci-port-drivers", fact.Denied), withLog(logNote("osc", "PNP0A08:07", "_OSC: not requesting OS control", "what", "not-requesting", "reason", "os-requires"))), []string{"native-unproven PNP0A08:07"}},
		{"hypervisor not to be told", server(refusedAER, withoutSource("dmi", fact.Denied)), []string{"refused-unread PNP0A08:07"}},
		{"native although nothing was asked", server(withCmdline("pcie_aspm=off pcie_ports=native"), bothPorts, withLog(logNote("osc", "PNP0A08:07", "_OSC: not requesting OS control", "what", "not-requesting", "reason", "os-requires"))), []string{"refused-native PNP0A08:07"}},
		{"taken over for a reason that was not captured", server(bothPorts, refusedAER, withoutSource("proc-cmdline", fact.Denied)), []string{"refused-native PNP0A08:07"}},
		{"native on the command line only", server(nativeCmdline, refusedAER, withoutSource("pci-port-drivers", fact.Denied)), []string{"native-unproven PNP0A08:07"}},
		{"native without effect", server(nativeCmdline, refusedAER), []string{"refused-nobody PNP0A08:07"}},
		{"native against an active firmware", server(nativeCmdline, bothPorts, refusedAER, withTables("HEST"), withLog(firmwareLine)), []string{"native-both PNP0A08:07"}},
		{"device tree", server(onDeviceTree), []string{"no-acpi machine"}},
		{"log denied", server(withLogState(fact.Denied)), []string{"unread PNP0A08:07"}},
		{"log denied, bridges unknown", server(withLogState(fact.Denied), withoutSource("pci", fact.Denied)), []string{"unread machine"}},
		{"no PCI at all", func() *fact.Machine { return &fact.Machine{} }, nil},
		{"a log alone", bareLog(oscRefusal("PNP0A08:07")), []string{"refused-unread PNP0A08:07"}},
		{"a log alone that lists the tables and shows the ports", bareLog(append(oscRefusal("PNP0A08:07"),
			logNote("acpi-table", "", "ACPI: FACP 0x00000000", "signature", "FACP"), logNote("command-line", "", "Kernel command line: root=/dev/sda1 ro", "text", "root=/dev/sda1 ro"))), []string{"refused-nobody PNP0A08:07"}},
	})
}

// notAsked is what the kernel prints where it does not ask for AER.
func notAsked(bridge string) []fact.Note {
	return []fact.Note{oscNote(bridge, "supports", oscFeatures), oscNote(bridge, "controls", "PME PCIeCapability")}
}

// wholeLog is a log that lists the tables and the command line, and more.
func wholeLog(more ...fact.Note) []fact.Note {
	return append(more, logNote("acpi-table", "", "ACPI: FACP 0x00000000", "signature", "FACP"), logNote("command-line", "", "Kernel command line: root=/dev/sda1 ro", "text", "root=/dev/sda1 ro"))
}

func withoutExpress(m *fact.Machine) {
	for i := range m.PCI {
		m.PCI[i].Express, m.PCI[i].AER, m.PCI[i].Root = nil, nil, ""
	}
}

func firmwareRecord(m *fact.Machine) {
	m.Log.AER = append(m.Log.AER, fact.AEREvent{Device: "0000:c2:05.0", Severity: "corrected", Firmware: true, Count: 1, At: []fact.Line{lineAt("cmd/dmesg.txt", 800, "{1}[Hardware Error]: ...")}})
}

func inGuest(m *fact.Machine) {
	m.Platform.Hypervisor = fact.Of("QEMU", lineAt("sys/class/dmi/id/sys_vendor", 1, "QEMU"))
}

func onDeviceTree(m *fact.Machine) {
	loseSource(m, "acpi-tables", fact.Absent)
	m.Lists = nil
	m.Platform.Model = fact.Of("Board B", lineAt("sys/firmware/devicetree/base/model", 1, "Board B"))
}

// bareLog is a kernel log opened on its own.
func bareLog(notes []fact.Note) func() *fact.Machine {
	return func() *fact.Machine {
		return &fact.Machine{
			Capture: fact.Capture{ID: "dmesg.txt", Format: "kernel log"},
			Log:     fact.Log{State: fact.Present, FromBoot: fact.Of(true, lineAt("cmd/dmesg.txt", 1, "Linux version")), Notes: notes},
		}
	}
}

// An absence is cited by the line that would follow.
func TestAbsentTableEvidence(t *testing.T) {
	for _, f := range judgeOSC(server(refusedAER)()) {
		for _, e := range f.Evidence {
			if e.Role == "hest" && e.Text != "MCFG" {
				t.Errorf("absence of HEST cites %q, want the line after it, MCFG", e.Text)
			}
		}
	}
}

func TestBridgeAbove(t *testing.T) {
	m := &fact.Machine{Log: fact.Log{Notes: []fact.Note{
		logNote("root-bridge", "PNP0A08:07", "ACPI: PCI Root Bridge [PC07]", "domain", "0000", "bus-first", "c2", "bus-last", "c9"),
		logNote("root-bridge", "PNP0A08:08", "ACPI: PCI Root Bridge [PC08]", "domain", "0001", "bus-first", "c2", "bus-last", "c9"),
	}}}
	for port, want := range map[string]string{"0000:c2:05.0": "PNP0A08:07", "0001:c3:00.0": "PNP0A08:08", "0000:51:00.0": "", "10000:c2:00.0": ""} {
		if got := bridgeAbove(m, port); got != want {
			t.Errorf("bridge above %s is %q, want %q", port, got, want)
		}
	}
}

// TestNobodyCollectsLinkBits holds that a refusal names the functions whose
// link bits stand, and no others.
func TestNobodyCollectsLinkBits(t *testing.T) {
	for _, tt := range []struct {
		name    string
		machine func() *fact.Machine
		want    int
	}{
		{"clear", server(refusedAER), 0},
		{"a receiver error", server(refusedAER, deviceStatus(drive, "CorrErr+"), aerStatus(drive, []string{"RxErr+"}, nil)), 1},
		{"from the search for devices", server(refusedAER, deviceStatus(drive, "CorrErr+"), aerStatus(drive, []string{"AdvNonFatalErr+"}, nil)), 0},
		{"the function is away", server(refusedAER, deviceStatus(drive, "CorrErr+"), aerStatus(drive, []string{"RxErr+"}, nil), func(m *fact.Machine) { m.Device(drive).Header = "7f" }), 0},
	} {
		f := judgeOSC(tt.machine())[0]
		cited := 0
		for _, e := range f.Evidence {
			if e.Role == "latent" {
				cited++
			}
		}
		if f.Case != "refused-nobody" || f.Values["latentCount"] != tt.want || (cited > 0) != (tt.want > 0) {
			t.Errorf("%s: case %s, %v functions, %d lines cited, want %d functions", tt.name, f.Case, f.Values["latentCount"], cited, tt.want)
		}
	}
}
