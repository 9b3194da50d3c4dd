package judge_test

import (
	"strings"
	"testing"

	"hwcap/parse/fact"
	"hwcap/parse/judge"
	"hwcap/render/catalogue"
)

// flr says whether a function can be reset on its own.
func flr(can bool) func(*fact.Device) {
	return func(d *fact.Device) {
		d.Express.FLReset = fact.Of(can, place("cmd/lspci-vvv.txt", 80, "ExtTag+ RBE+ FLReset+"))
	}
}

// below puts a function below a port.
func below(parent string) func(*fact.Device) {
	return func(d *fact.Device) { d.Parent = parent }
}

// inSysfs gives a function one file of sysfs.
func inSysfs(change func(*fact.Sysfs)) func(*fact.Device) {
	return func(d *fact.Device) {
		if d.Sysfs == nil {
			d.Sysfs = &fact.Sysfs{}
		}
		change(d.Sysfs)
	}
}

// blocks lists drives, name and target.
func blocks(pairs ...string) step {
	return func(m *fact.Machine) {
		l := fact.List{State: fact.Present}
		for i := 0; i < len(pairs); i += 2 {
			l.Entries = append(l.Entries, fact.Entry{Name: pairs[i], Target: pairs[i+1], At: place("sys/class/block/.list", i+1, pairs[i])})
		}
		m.Lists["sys/class/block"] = l
	}
}

func alone(addresses ...string) step {
	devices := map[int][]string{}
	for i, a := range addresses {
		devices[i] = []string{a}
	}
	return groups(repeated("DMA", len(addresses)), devices)
}

var (
	qatCard = device("0000:c5:00.0", "8086:0435", "0b40", "dh895xcc", flr(true), vfs(32, 0), below("0000:c4:00.0"))
	linux70 = kernel("7.0.0-14-generic", "#14-Ubuntu SMP")
	nicCard = device("0000:17:00.0", "8086:1572", "0200", "i40e", flr(true), vfs(64, 0), below("0000:16:02.0"))
	drive   = device("0000:c7:00.0", "144d:a824", "0108", "nvme", flr(true), below("0000:c2:04.0"))
)

// gpuCard is a graphics card of four functions behind a port without ACS.
func gpuCard(driver, others string) step {
	return func(m *fact.Machine) {
		device("0000:00:01.0", "8086:460d", "0604", "pcieport", port(fact.RootPort, nil))(m)
		up := below("0000:00:01.0")
		device("0000:01:00.0", "10de:1e87", "0300", driver, up, flr(false))(m)
		device("0000:01:00.1", "10de:10f8", "0403", others, up)(m)
		device("0000:01:00.2", "10de:1ad8", "0c03", others, up)(m)
		device("0000:01:00.3", "10de:1ad9", "0c80", others, up)(m)
		groups([]string{"DMA"}, map[int][]string{0: {"0000:00:01.0", "0000:01:00.0", "0000:01:00.1", "0000:01:00.2", "0000:01:00.3"}})(m)
	}
}

func TestPassthroughFit(t *testing.T) {
	quiet := cmdline("quiet")
	rmrr := note("dmar-rmrr-ineligible", "0000:17:00.0", "vfio-pci 0000:17:00.0: DMAR: Device is ineligible for IOMMU domain attach due to platform RMRR requirement.  Contact your platform vendor.")
	mapped := note("iommu-identity-required", "0000:17:00.0", "vfio-pci 0000:17:00.0: Firmware has requested this device have a 1:1 IOMMU mapping, rejecting configuring the device without a 1:1 mapping.")
	dsa := device("0000:6a:01.0", "8086:0b25", "0880", "idxd")
	check(t, "passthrough-fit", []scene{
		{"alone, with FLR", machine(quiet, nicCard, alone("0000:17:00.0")), "0000:17:00.0=fit"},
		{"two of them, one of which shows the picture", machine(quiet, nicCard, device("0000:51:00.0", "10de:2803", "0300", "nvidia", flr(false), below("0000:50:02.0"),
			inSysfs(func(s *fact.Sysfs) { s.BootVGA = fact.Of("1", place("sys/boot_vga", 1, "1")) })), alone("0000:17:00.0", "0000:51:00.0")), "0000:17:00.0 0000:51:00.0=fit"},
		{"W: alone with FLR, and on the deny list", machine(quiet, linux70, qatCard, alone("0000:c5:00.0")), "0000:c5:00.0=denied"},
		{"the list is switched off", machine(linux70, qatCard, alone("0000:c5:00.0"), cmdline("vfio-pci.disable_denylist=1")), "0000:c5:00.0=denied"},
		{"refused by the list already", machine(quiet, linux70, qatCard, alone("0000:c5:00.0"), note("vfio", "0000:c5:00.0", "vfio-pci 0000:c5:00.0: 8086:0435 exists in vfio-pci device denylist, driver probing disallowed.", "state", "denied")), "0000:c5:00.0=denied"},
		{"three devices of one kind", machine(quiet, linux70, device("0000:60:00.0", "8086:37c8", "0b40", "c6xx"), device("0000:61:00.0", "8086:37c8", "0b40", "c6xx"), alone("0000:60:00.0", "0000:61:00.0")), "0000:60:00.0 0000:61:00.0=denied"},
		{"a kernel before the list", machine(quiet, kernel("5.4.0", "#1"), qatCard, alone("0000:c5:00.0")), "0000:c5:00.0=fit"},
		{"kernel not known", machine(quiet, qatCard, alone("0000:c5:00.0")), "0000:c5:00.0=list-open"},
		{"DSA on a new kernel", machine(quiet, kernel("6.12.8", "#1"), dsa, alone("0000:6a:01.0")), "0000:6a:01.0=denied"},
		{"DSA on a kernel without a list", machine(quiet, kernel("5.4.280", "#1"), dsa, alone("0000:6a:01.0")), ""},
		{"DSA in a series that got the row late", machine(quiet, kernel("6.1.0-9-amd64", "#1 SMP"), dsa, alone("0000:6a:01.0")), "0000:6a:01.0=list-open"},
		{"newer QAT is on no list", machine(quiet, linux70, device("0000:6b:00.0", "8086:4940", "0b40", "4xxx"), alone("0000:6b:00.0")), "0000:6b:00.0=fit"},
		{"C65: four functions", machine(quiet, gpuCard("vfio-pci", "xhci_hcd"), note("vfio", "", "vfio: group 0 is not viable", "group", "0", "state", "not-viable")), "0000:01:00.0 0000:01:00.2=companions"},
		{"C64: both ports of a card", machine(quiet, nicCard, device("0000:17:00.1", "8086:1572", "0200", "i40e"), groups([]string{"DMA"}, map[int][]string{0: {"0000:17:00.0", "0000:17:00.1"}})), "0000:17:00.0 0000:17:00.1=companions"},
		{"C64: separation only claimed", machine(cmdline("pcie_acs_override=downstream,multifunction"), wholeLog, overrides, nicCard, alone("0000:17:00.0")), "0000:17:00.0=claimed"},
		{"C64: claimed or not is open", machine(nicCard, alone("0000:17:00.0")), "0000:17:00.0=claim-open"},
		{"C64: the host's own drive is in the group", machine(cmdline("root=/dev/nvme0n1p2 ro"), nicCard, drive, blocks("nvme0n1", "../../devices/pci0000:c2/0000:c2:04.0/0000:c7:00.0/nvme/nvme0/nvme0n1"),
			groups([]string{"DMA"}, map[int][]string{0: {"0000:17:00.0", "0000:c7:00.0"}})), "0000:17:00.0 0000:c7:00.0=host-disk"},
		{"another drive than the host's", machine(cmdline("root=/dev/sda2"), drive, device("0000:00:17.0", "8086:a182", "0106", "ahci"), blocks("sda", "../../devices/pci0000:00/0000:00:17.0/ata1/host0/target0:0:0/0:0:0:0/block/sda"), alone("0000:c7:00.0")), "0000:c7:00.0=fit"},
		{"which drive is the host's is not known", machine(cmdline("root=UUID=00000000-0000-4000-8000-00000000a001"), drive, alone("0000:c7:00.0")), "0000:c7:00.0=disk-open"},
		{"C66: reserved by the firmware", machine(quiet, nicCard, alone("0000:17:00.0"), rmrr), "0000:17:00.0=refused"},
		{"C66: the words of newer kernels", machine(quiet, nicCard, alone("0000:17:00.0"), mapped), "0000:17:00.0=refused"},
		{"interrupts are not remapped", machine(bareMetal, quiet, units("dmar0"), noRemap, nicCard, alone("0000:17:00.0")), "0000:17:00.0=no-remapping"},
		{"parts of the chipset, and a BMC's console", machine(quiet, device("0000:00:17.0", "8086:a182", "0106", "ahci"), device("0000:03:00.0", "1a03:2000", "0300", "ast", below("0000:02:00.0")), alone("0000:00:17.0", "0000:03:00.0")), ""},
		{"C74: a function that does not answer", machine(quiet, device("0000:42:02.0", "1002:692f", "0300", "", func(d *fact.Device) { d.Header = "7f" }), alone("0000:42:02.0")), ""},
		{"vfio without IOMMU", machine(quiet, nicCard, alone("0000:17:00.0"), vfioMadeUp), ""},
		{"groups cut", machine(quiet, nicCard, alone("0000:17:00.0"), source("iommu-groups", fact.Truncated)), ""},
		{"nothing captured", machine(), ""},
	})
}

// TestRootSaid: which of the reasons leaves the host's drive open is told.
func TestRootSaid(t *testing.T) {
	onDrive := blocks("nvme0n1", "../../devices/pci0000:c2/0000:c2:04.0/0000:c7:00.0/nvme/nvme0/nvme0n1")
	for line, want := range map[string]string{
		"root=/dev/nvme0n1p2 ro":                 "drive",
		"root=/dev/sda2 root=/dev/nvme0n1p2":     "drive",
		"root=UUID=00000000-0000-4000-8000-0001": "other",
		"root=/dev/mapper/vg-root":               "other",
		"root=/dev/disk/by-label/root":           "other",
		"quiet -- root=/dev/nvme0n1p2":           "nothing",
	} {
		f := judged(t, "passthrough-fit", machine(cmdline(line), drive, onDrive, alone("0000:c7:00.0")))[0]
		if f.Values["rootSaid"] != want || (f.Case == "host-disk") != (want == "drive") {
			t.Errorf("%s: said %q, case %s", line, f.Values["rootSaid"], f.Case)
		}
	}
	if f := judged(t, "passthrough-fit", machine(drive, onDrive, alone("0000:c7:00.0")))[0]; f.Values["rootSaid"] != "" {
		t.Errorf("without a command line: said %q", f.Values["rootSaid"])
	}
}

// TestPassthroughOfTheCard: isolation is there, and is not what stands against
// it; the parameter that lifts the ban comes with its risk.
func TestPassthroughOfTheCard(t *testing.T) {
	m := machine(cmdline("quiet"), wholeLog, linux70, qatCard, alone("0000:c5:00.0"))
	f := judged(t, "passthrough-fit", m)[0]
	row := f.Values["endpoints"].([]map[string]any)[0]
	if row["flr"] != true || row["vfsOffered"] != 32 || row["vfsActive"] != 0 || f.Values["since"] != "5.9" || f.Values["override"] != false {
		t.Errorf("endpoint %v, values %v", row, f.Values)
	}
	for lang, risk := range map[catalogue.Lang]string{catalogue.German: "Stillstand", catalogue.English: "standstill"} {
		all := words(t, m, f, lang)
		if !strings.Contains(all, "disable_denylist=1") || !strings.Contains(all, risk) {
			t.Errorf("%s: the parameter or its risk is missing:\n%s", lang, all)
		}
	}
}

func TestPassthroughNaiveAnswers(t *testing.T) {
	t.Run("C64: split groups are no isolation", func(t *testing.T) {
		m := machine(cmdline("pcie_acs_override=downstream,multifunction"), wholeLog, overrides, nicCard, alone("0000:17:00.0"))
		unsaid(t, m, judged(t, "passthrough-fit", m)[0], "ließe sich einzeln", "could be passed through to virtual machines one by one")
	})
	t.Run("C65: the bridge stays, the other functions go along", func(t *testing.T) {
		m := machine(cmdline("quiet"), gpuCard("vfio-pci", "xhci_hcd"))
		f := judged(t, "passthrough-fit", m)[0]
		if held := strings.Join(f.Values["held"].([]string), " "); held != "0000:01:00.1 0000:01:00.2 0000:01:00.3" {
			t.Errorf("still with the host: %s", held)
		}
		if f.Severity != judge.Info {
			t.Errorf("severity %s, want info", f.Severity)
		}
		unsaid(t, m, f, "0000:00:01.0")
	})
	t.Run("C66: neither groups nor ACS", func(t *testing.T) {
		m := machine(cmdline("quiet"), nicCard, alone("0000:17:00.0"), note("dmar-rmrr-ineligible", "0000:17:00.0", "ineligible"))
		unsaid(t, m, judged(t, "passthrough-fit", m)[0], "pcie_acs_override")
	})
}
