package sysfs_test

import (
	"io"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hwcap/parse/fact"
	"hwcap/parse/sysfs"
)

// read feeds the files to a Tree and returns what it makes of them.
func read(files map[string]string) *fact.Machine {
	m := &fact.Machine{}
	t := sysfs.New(m)
	for _, path := range slices.Sorted(maps.Keys(files)) {
		t.Add(path, strings.NewReader(files[path]))
	}
	t.Finish()
	return m
}

// qatTree is a switch with an accelerator behind it, as capture/FORMAT.md
// lays it out.
var qatTree = map[string]string{
	"sys/bus/pci/devices/.list": "0000:c2:02.0 -> ../../../devices/pci0000:c2/0000:c2:02.0\n" +
		"0000:c3:00.0 -> ../../../devices/pci0000:c2/0000:c2:02.0/0000:c3:00.0\n" +
		"0000:c5:00.0 -> ../../../devices/pci0000:c2/0000:c2:02.0/0000:c3:00.0/0000:c4:00.0/0000:c5:00.0\n" +
		"10000:00:02.0 -> ../../../devices/pci0000:5d/0000:5d:05.5/pci10000:00/10000:00:02.0\n",
	"sys/devices/pci0000:c2/.list": "firmware_node -> ../LNXSYSTM:00/LNXSYBUS:00/PNP0A08:07\n",
	"sys/bus/pci/devices/0000:c5:00.0/.list": "driver -> ../../../../../../bus/pci/drivers/dh895xcc\n" +
		"iommu_group -> ../../../../../../kernel/iommu_groups/6\n",
	"sys/bus/pci/devices/0000:c3:00.0/.list":                      "",
	"sys/bus/pci/devices/0000:c5:00.0/vendor":                     "0x8086\n",
	"sys/bus/pci/devices/0000:c5:00.0/device":                     "0x0435\n",
	"sys/bus/pci/devices/0000:c5:00.0/class":                      "0x0b4000\n",
	"sys/bus/pci/devices/0000:c5:00.0/numa_node":                  "-1\n",
	"sys/bus/pci/devices/0000:c5:00.0/current_link_speed":         "5.0 GT/s PCIe\n",
	"sys/bus/pci/devices/0000:c5:00.0/current_link_width":         "8\n",
	"sys/bus/pci/devices/0000:c5:00.0/max_link_speed":             "5 GT/s\n",
	"sys/bus/pci/devices/0000:c5:00.0/max_link_width":             "16\n",
	"sys/bus/pci/devices/0000:c5:00.0/aer_dev_correctable":        "RxErr 15\nBadTLP 0\nTOTAL_ERR_COR 14\n",
	"sys/bus/pci/devices/0000:c5:00.0/reset_method":               "flr bus\n",
	"sys/bus/pci/devices/0000:c5:00.0/sriov_totalvfs":             "32\n",
	"sys/bus/pci/devices/0000:c5:00.0/config":                     strings.Repeat("\x00", 64),
	"sys/bus/pci/devices/0000:c5:00.0/qat/state":                  "up\n",
	"sys/bus/pci/devices/0000:c5:00.0/link/l1_aspm":               "0\n",
	"sys/bus/pci/devices/0000:c2:02.0/aer_rootport_total_err_cor": "3\n",
	"sys/bus/pci/slots/7/address":                                 "0000:c5:00\n",
	"sys/bus/pci_express/drivers/aer/.list":                       "0000:c2:02.0:pcie002 -> ../../../../devices/x\nbind\n",
	"sys/bus/pci_express/drivers/dpc/.list":                       "bind\nunbind\n",
}

func TestFunction(t *testing.T) {
	m := read(qatTree)
	const folder = "sys/bus/pci/devices/0000:c5:00.0/"
	at := func(file, text string) fact.Line { return fact.Line{File: folder + file, Line: 1, Text: text} }
	want := fact.Device{
		Address: "0000:c5:00.0", Vendor: "8086", Device: "0435", Class: "0b40", ProgIf: "00",
		Driver: "dh895xcc", DriverKnown: true, IOMMUGroup: "6", Slot: "7",
		Parent: "0000:c4:00.0", Root: "PNP0A08:07",
		From: fact.Line{File: "sys/bus/pci/devices/.list", Line: 3,
			Text: "0000:c5:00.0 -> ../../../devices/pci0000:c2/0000:c2:02.0/0000:c3:00.0/0000:c4:00.0/0000:c5:00.0"},
		Sysfs: &fact.Sysfs{
			Current:    fact.Of(fact.Link{Speed: 5, Width: 8, At: at("current_link_speed", "5.0 GT/s PCIe")}, at("current_link_speed", "5.0 GT/s PCIe")),
			Max:        fact.Of(fact.Link{Speed: 5, Width: 16, At: at("max_link_speed", "5 GT/s")}, at("max_link_speed", "5 GT/s")),
			WidthAt:    at("current_link_width", "8"),
			MaxWidthAt: at("max_link_width", "16"),
			AERCorrectable: fact.Of(fact.Counters{
				Total:  14,
				Counts: map[string]int64{"RxErr": 15},
				At: map[string]fact.Line{
					"RxErr": at("aer_dev_correctable", "RxErr 15"),
					"TOTAL": {File: folder + "aer_dev_correctable", Line: 3, Text: "TOTAL_ERR_COR 14"},
				},
			}, at("aer_dev_correctable", "RxErr 15")),
			ResetMethod: fact.Of("flr bus", at("reset_method", "flr bus")),
			TotalVFs:    fact.Of(32, at("sriov_totalvfs", "32")),
			ConfigBytes: fact.Of(int64(64), fact.Line{File: folder + "config"}),
		},
	}
	if diff := cmp.Diff(want, *m.Device("0000:c5:00.0")); diff != "" {
		t.Errorf("c5:00.0 (-want +got):\n%s", diff)
	}
	if len(m.Problems) > 0 {
		t.Errorf("problems: %v", m.Problems)
	}
	if d := m.Device("10000:00:02.0"); d.Parent != "" || d.Root != "" {
		t.Errorf("behind VMD: parent %q, root %q, want none", d.Parent, d.Root)
	}
	if d := m.Device("0000:c3:00.0"); !d.DriverKnown || d.Driver != "" || d.Parent != "0000:c2:02.0" {
		t.Errorf("c3:00.0: %+v, want no driver and known to have none", d)
	}
	if d := m.Device("0000:c2:02.0"); d.DriverKnown || d.Sysfs.RootCor.V != 3 {
		t.Errorf("c2:02.0: %+v", d)
	}
	wantPorts := []fact.PortDriver{
		{Service: "aer", State: fact.Present, Ports: m.Lists["sys/bus/pci_express/drivers/aer"].Entries[:1]},
		{Service: "dpc", State: fact.Empty},
	}
	if diff := cmp.Diff(wantPorts, m.PortDrivers); diff != "" {
		t.Errorf("port drivers (-want +got):\n%s", diff)
	}
	if q := m.QAT; len(q) != 1 || q[0].Up.V != "up" {
		t.Errorf("QAT: %+v", q)
	}
	if v := m.Setting("sys/bus/pci/devices/0000:c5:00.0/link/l1_aspm"); v.V != "0" {
		t.Errorf("l1_aspm: %+v", v)
	}
}

func TestLink(t *testing.T) {
	const folder = "sys/bus/pci/devices/0000:00:01.0/"
	for name, tc := range map[string]struct {
		speed, width string
		want         fact.Val[fact.Link]
		problem      bool
	}{
		"up":                     {"16.0 GT/s PCIe\n", "4\n", fact.Val[fact.Link]{State: fact.Present, V: fact.Link{Speed: 16, Width: 4}}, false},
		"before Linux 5.7":       {"8 GT/s\n", "4\n", fact.Val[fact.Link]{State: fact.Present, V: fact.Link{Speed: 8, Width: 4}}, false},
		"down":                   {"2.5 GT/s PCIe\n", "0\n", fact.Val[fact.Link]{State: fact.Present, V: fact.Link{Speed: 2.5}}, false},
		"speed unknown":          {"Unknown\n", "8\n", fact.Val[fact.Link]{State: fact.Present, V: fact.Link{Width: 8}}, false},
		"no link of its own":     {"Unknown\n", "255\n", fact.Val[fact.Link]{State: fact.Absent}, false},
		"width not captured":     {"8.0 GT/s PCIe\n", "", fact.Val[fact.Link]{}, false},
		"nonsense for a speed":   {"fast\n", "8\n", fact.Val[fact.Link]{State: fact.Failed}, true},
		"not a number at all":    {"NaN GT/s\n", "8\n", fact.Val[fact.Link]{State: fact.Failed}, true},
		"nonsense for a width":   {"8.0 GT/s PCIe\n", "-8\n", fact.Val[fact.Link]{State: fact.Failed}, true},
		"width of no use at all": {"8.0 GT/s PCIe\n", "4096\n", fact.Val[fact.Link]{State: fact.Failed}, true},
	} {
		t.Run(name, func(t *testing.T) {
			files := map[string]string{folder + "current_link_speed": tc.speed}
			if tc.width != "" {
				files[folder+"current_link_width"] = tc.width
			}
			m := read(files)
			got := m.PCI[0].Sysfs.Current
			got.At, got.V.At = fact.Line{}, fact.Line{}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if (len(m.Problems) > 0) != tc.problem {
				t.Errorf("problems: %v", m.Problems)
			}
		})
	}
}

func TestCountersWithoutTotal(t *testing.T) {
	const path = "sys/bus/pci/devices/0000:00:01.0/aer_dev_fatal"
	got := read(map[string]string{path: "DLP 0\nSDES 1\n"}).PCI[0].Sysfs.AERFatal
	if got.State != fact.Failed {
		t.Errorf("a total that was not read: %+v, want it failed, not zero", got)
	}
}

func TestRealTree(t *testing.T) {
	m := read(map[string]string{
		"sys/devices/pci0000:00/0000:00:01.0/0000:01:00.0/vendor": "0x10de\n",
		"sys/devices/pci0000:00/0000:00:01.0/vendor":              "0x8086\n",
	})
	d := m.Device("0000:01:00.0")
	if d == nil || d.Vendor != "10de" {
		t.Fatalf("a tree copied without its links: %+v", m.PCI)
	}
	if d.Parent != "0000:00:01.0" {
		t.Errorf("parent %q", d.Parent)
	}
	if want := "sys/devices/pci0000:00/0000:00:01.0/0000:01:00.0/vendor"; d.From.File != want {
		t.Errorf("evidence stands in %q, want %q", d.From.File, want)
	}
}

func TestResource(t *testing.T) {
	got := read(map[string]string{"sys/bus/pci/devices/0000:51:00.0/resource": "" +
		"0x0000000090000000 0x0000000090ffffff 0x0000000000040200\n" +
		"0x0000202000000000 0x00002023ffffffff 0x000000000014220c\n" +
		"0x0000000000000000 0x0000000000000000 0x0000000000000000\n" +
		"0x0000000000000000 0x000000000001ffff 0x0000000020140204\n" +
		"nonsense\n" +
		"0x000000000000b000 0x000000000000b07f 0x0000000000040101\n" +
		"0x0000000091000000 0x000000009107ffff 0x0000000000046200\n" +
		"0x0000000000000001 0x0000000000000002 0x0000000000040200\n"})
	want := []fact.Region{
		{Index: 0, Kind: "mem", Address: "90000000", Bits: 32, Size: 16 << 20},
		{Index: 1, Kind: "mem", Address: "202000000000", Bits: 64, Prefetch: true, Size: 16 << 30},
		{Index: 3, Kind: "mem", State: "unassigned", Bits: 64, Size: 128 << 10},
		{Index: 5, Kind: "io", Address: "b000", Size: 128},
		{Index: 6, Kind: "mem", Address: "91000000", Bits: 32, Prefetch: true, Size: 512 << 10},
	}
	regions := got.PCI[0].Regions
	for i := range regions {
		regions[i].At = fact.Line{}
	}
	if diff := cmp.Diff(want, regions); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if len(got.Problems) != 1 || got.Problems[0].Line != 5 {
		t.Errorf("problems: %v", got.Problems)
	}
}

func TestIOMMU(t *testing.T) {
	m := read(map[string]string{
		"sys/kernel/iommu_groups/.list":            "10\n2\n0\n",
		"sys/kernel/iommu_groups/2/type":           "DMA-FQ\n",
		"sys/kernel/iommu_groups/2/devices/.list":  "0000:00:01.0 -> ../../../../devices/pci0000:00/0000:00:01.0\n",
		"sys/kernel/iommu_groups/10/name":          "vfio-noiommu\n",
		"sys/kernel/iommu_groups/10/devices/.list": "",
		"sys/class/iommu/.list":                    "dmar0 -> ../../devices/virtual/iommu/dmar0\n",
	})
	var ids []string
	for _, g := range m.IOMMU.Groups {
		ids = append(ids, g.ID+" "+g.Type.V+g.Name.V)
	}
	if diff := cmp.Diff([]string{"0 ", "2 DMA-FQ", "10 vfio-noiommu"}, ids); diff != "" {
		t.Errorf("groups (-want +got):\n%s", diff)
	}
	if m.IOMMU.State != fact.Present || m.IOMMU.UnitsState != fact.Present || m.IOMMU.Groups[1].Devices[0].Name != "0000:00:01.0" {
		t.Errorf("%+v", m.IOMMU)
	}
	none := read(map[string]string{"sys/kernel/iommu_groups/.list": "", "sys/class/iommu/.list": ""})
	if none.IOMMU.State != fact.Empty || none.IOMMU.UnitsState != fact.Empty {
		t.Errorf("no group: %+v, want empty", none.IOMMU)
	}
	if nobody := read(nil).IOMMU; nobody.State != "" {
		t.Errorf("nobody looked: %+v, want no state", nobody)
	}
}

func TestClasses(t *testing.T) {
	m := read(map[string]string{
		"sys/class/net/.list": "bonding_masters\neth10 -> ../../devices/pci0000:00/0000:00:1c.0/0000:07:00.0/net/eth10\n" +
			"eth2 -> ../../devices/virtual/net/eth2\n",
		"sys/class/net/eth10/speed":                          "2500\n",
		"sys/class/net/eth10/carrier":                        "1\n",
		"sys/class/net/eth2/speed":                           "-1\n",
		"sys/class/hwmon/.list":                              "hwmon0 -> ../../devices/virtual/thermal/hwmon0\nhwmon3 -> ../../devices/platform/x/hwmon3\n",
		"sys/class/hwmon/hwmon3/name":                        "nvme\n",
		"sys/class/hwmon/hwmon3/.list":                       "device -> ../../../0000:01:00.0\n",
		"sys/class/dma/.list":                                "dma10chan0 -> ../../devices/pci0000:00/0000:00:04.1/dma/dma10chan0\ndma9chan0 -> ../../devices/pci0000:00/0000:00:04.0/dma/dma9chan0\n",
		"sys/devices/system/edac/mc/.list":                   "mc0\nmc1\npower\n",
		"sys/devices/system/edac/mc/mc0/mc_name":             "Intel_0\n",
		"sys/devices/system/edac/mc/mc0/ce_count":            "7\n",
		"sys/devices/system/edac/mc/mc0/dimm2/dimm_label":    "DIMM_A1\n",
		"sys/devices/system/edac/mc/mc0/dimm2/dimm_ce_count": "7\n",
		"sys/devices/system/edac/mc/mc0/dimm2/dimm_ue_count": "0\n",
		"sys/devices/system/edac/mc/mc0/dimm3/dimm_ce_count": "7\n",
	})
	if len(m.Net) != 2 || m.Net[0].Name != "eth2" || m.Net[0].Speed.State != fact.Absent || m.Net[1].Device != "0000:07:00.0" || m.Net[1].Speed.V != 2500 {
		t.Errorf("net: %+v", m.Net)
	}
	if len(m.Sensors) != 2 || m.Sensors[0].Device != "" || m.Sensors[1].Device != "0000:01:00.0" || m.Sensors[1].Name.V != "nvme" {
		t.Errorf("sensors: %+v", m.Sensors)
	}
	if len(m.DMA) != 2 || m.DMA[0].Name != "dma9chan0" || m.DMA[1].Device != "0000:00:04.1" {
		t.Errorf("dma: %+v", m.DMA)
	}
	mcs := m.RAS.EDAC.V
	if len(mcs) != 1 || mcs[0].CE.V != 7 || mcs[0].UE.Known() || len(mcs[0].DIMMs) != 1 || mcs[0].DIMMs[0].Label != "DIMM_A1" {
		t.Errorf("edac: %+v", mcs)
	}
}

func TestPlatform(t *testing.T) {
	m := read(map[string]string{
		"proc/version":                       "Linux version 6.1.0-30-amd64 (someone@example.net) #1 SMP\n",
		"proc/cmdline":                       "ro quiet\n",
		"proc/uptime":                        "3600.50 7200.00\n",
		"proc/modules":                       "intel_qat 491520 1 qat_dh895xcc, Live 0x0\nnvme 65536 2 - Live 0x0\n",
		"proc/sys/kernel/tainted":            "0\n",
		"etc/os-release":                     "NAME=X\nPRETTY_NAME=\"Example OS 1\"\n",
		"sys/firmware/efi/.list":             "systab\n",
		"sys/class/dmi/id/sys_vendor":        "QEMU\n",
		"sys/firmware/devicetree/base/model": "Example Board\x00",
		"proc/cpuinfo": "processor\t: 0\nmodel name\t: Example CPU\nflags\t\t: fpu aes hypervisor\nmicrocode\t: 0x1\n\n" +
			"processor\t: 1\nmodel name\t: Example CPU\n",
	})
	p := m.Platform
	got := []any{p.Kernel.V, p.Cmdline.V, p.Uptime.V, p.Modules.V, p.Tainted.V, p.OS.V, p.EFI.V, p.CPU.V, p.CPUs.V, p.CPUFlags.V, p.Microcode.V, p.Hypervisor.V, p.Model.V}
	want := []any{"6.1.0-30-amd64", "ro quiet", 3600.5, []string{"intel_qat", "nvme"}, "0", "Example OS 1", true,
		"Example CPU", 2, []string{"fpu", "aes", "hypervisor"}, "0x1", "QEMU", "Example Board"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	real := read(map[string]string{"proc/cpuinfo": "processor\t: 0\nflags\t\t: fpu aes\n"})
	if real.Platform.Hypervisor.State != fact.Absent {
		t.Errorf("x86 without the flag: %+v, want absent", real.Platform.Hypervisor)
	}
	arm := read(map[string]string{"proc/cpuinfo": "processor\t: 0\nFeatures\t: fp aes\n"})
	if !arm.Platform.Hypervisor.IsZero() || arm.Platform.CPUFlags.V[1] != "aes" {
		t.Errorf("arm: %+v", arm.Platform)
	}
	if empty := read(map[string]string{"proc/cmdline": "\n"}).Platform.Cmdline; empty.State != fact.Empty {
		t.Errorf("empty command line: %+v", empty)
	}
}

const dmiText = `# dmidecode 3.4
Getting SMBIOS data from sysfs.

Handle 0x0000, DMI type 0, 26 bytes
BIOS Information
	Vendor: Example BIOS
	Version: 1.4
	Release Date: 03/02/2023

Handle 0x0001, DMI type 1, 27 bytes
System Information
	Manufacturer: Example Inc.
	Product Name: X1

Handle 0x0029, DMI type 9, 24 bytes
System Slot Information
	Designation: CPU SLOT7 PCI-E 4.0 X8
	Type: x8 PCI Express 4 x8
	Current Usage: In Use
	Length: Long
	ID: 7
	Characteristics:
		3.3 V is provided
	Bus Address: 0000:C5:00.0

Handle 0x002A, DMI type 9, 24 bytes
System Slot Information
	Designation: CPU SLOT1 PCI-E 4.0 X8
	Type: x8 PCI Express 4 x8
	Current Usage: Available
	Bus Address: 0000:ff:00.0
`

func TestParseDMI(t *testing.T) {
	d, problems := sysfs.ParseDMI(strings.NewReader(dmiText), "cmd/dmidecode.txt")
	if len(problems) > 0 || d.Structures != 4 {
		t.Errorf("%d structures, problems %v", d.Structures, problems)
	}
	at := func(n int, text string) fact.Line { return fact.Line{File: "cmd/dmidecode.txt", Line: n, Text: text} }
	want := []fact.Slot{{
		Designation: "CPU SLOT7 PCI-E 4.0 X8", Type: "x8 PCI Express 4 x8", Usage: "In Use", ID: "7", Address: "0000:c5:00.0",
		At: at(17, "\tDesignation: CPU SLOT7 PCI-E 4.0 X8"), UsageAt: at(19, "\tCurrent Usage: In Use"),
	}, {
		Designation: "CPU SLOT1 PCI-E 4.0 X8", Type: "x8 PCI Express 4 x8", Usage: "Available", Address: "0000:ff:00.0",
		At: at(28, "\tDesignation: CPU SLOT1 PCI-E 4.0 X8"), UsageAt: at(30, "\tCurrent Usage: Available"),
	}}
	if diff := cmp.Diff(want, d.Slots); diff != "" {
		t.Errorf("slots (-want +got):\n%s", diff)
	}

	m := &fact.Machine{}
	tree := sysfs.New(m)
	tree.AddDMI(d)
	tree.Add("sys/class/dmi/id/product_name", strings.NewReader("X1 of sysfs\n"))
	tree.Finish()
	if p := m.Platform; p.Vendor.V != "Example Inc." || p.BIOSDate.V != "03/02/2023" || p.Product.V != "X1 of sysfs" {
		t.Errorf("platform: %+v", p)
	}
	if _, problems := sysfs.ParseDMI(strings.NewReader("/dev/mem: Permission denied\n"), "x"); len(problems) != 1 {
		t.Errorf("no structure: problems %v", problems)
	}
}

func TestIsAddress(t *testing.T) {
	for s, want := range map[string]bool{
		"0000:c5:00.0": true, "10000:00:02.0": true, "c5:00.0": false, "0000:c5:00.8": false,
		"0000:C5:00.0": false, "0000:c5:00.0:pcie002": false, "": false, "000000000:00:00.0": false,
	} {
		if got := sysfs.IsAddress(s); got != want {
			t.Errorf("IsAddress(%q) = %v", s, got)
		}
	}
}

// TestMemory holds the promise that a hostile tree costs a bounded amount.
func TestMemory(t *testing.T) {
	m := &fact.Machine{}
	tree := sysfs.New(m)
	const share = 64 << 20
	line := strings.Repeat("x", 1000) + "\n"
	tree.Add("sys/class/net/.list", io.LimitReader(repeat(line), 2*share))
	kept := 0
	for _, e := range m.Lists["sys/class/net"].Entries {
		kept += len(e.Name) + len(e.At.Text)
	}
	if kept > share || len(m.Problems) != 1 {
		t.Errorf("%d bytes kept, problems %v", kept, m.Problems)
	}
}

// repeat is an endless reader of s.
type repeat string

func (s repeat) Read(p []byte) (int, error) {
	n := 0
	for n < len(p) {
		n += copy(p[n:], s)
	}
	return n, nil
}

func FuzzTree(f *testing.F) {
	for path, text := range qatTree {
		f.Add(path, text)
	}
	f.Add("proc/cpuinfo", "processor\t: 0\nflags : a\n")
	f.Add("sys/class/drm/card0/device/pp_dpm_pcie", "0: 2.5GT/s, x1\n1: 16GT/s, x8 *\n")
	f.Fuzz(func(t *testing.T, path, text string) {
		m := read(map[string]string{path: text})
		sysfs.ParseDMI(strings.NewReader(text), path)
		for _, d := range m.PCI {
			if !sysfs.IsAddress(d.Address) {
				t.Errorf("device at %q", d.Address)
			}
		}
	})
}

func BenchmarkTree(b *testing.B) {
	bytes := 0
	for _, text := range qatTree {
		bytes += len(text)
	}
	b.SetBytes(int64(bytes))
	for b.Loop() {
		read(qatTree)
	}
}

// TestAddFrom reads files of a bundle that stand elsewhere than in a capture:
// evidence says where.
func TestAddFrom(t *testing.T) {
	m := &fact.Machine{}
	tree := sysfs.New(m)
	tree.AddFrom("proc/sys/kernel/tainted", "basic-health-check.txt", 41, strings.NewReader("4096\n"))
	tree.AddFrom("proc/modules", "proc.txt", 7, strings.NewReader("x 1\ny 2\n"))
	tree.Finish()
	if at := m.Platform.Tainted.At; at.File != "basic-health-check.txt" || at.Line != 42 {
		t.Errorf("tainted from %+v", at)
	}
	if v := m.Settings["proc/sys/kernel/tainted"]; v.V != "4096" {
		t.Errorf("setting %+v", v)
	}
	if at := m.Platform.Modules.At; at.File != "proc.txt" || at.Line != 8 || len(m.Platform.Modules.V) != 2 {
		t.Errorf("modules %+v", m.Platform.Modules)
	}
}
