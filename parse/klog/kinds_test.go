package klog

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// samples is one message of each wording, and what it must be read as: kind,
// device, and fields as "name=value" in the order of their names.
var samples = []struct{ message, kind, device, fields string }{
	{"Linux version 6.1.0-30-amd64 (builder@host) (gcc-12)", "linux-version", "", "release=6.1.0-30-amd64"},
	{"Kernel command line: root=/dev/sda1 ro pcie_ports=native", "command-line", "", "text=root=/dev/sda1 ro pcie_ports=native"},
	{"DMI: ACME Board/X1, BIOS 1.0 01/02/2026", "machine", "", "text=ACME Board/X1, BIOS 1.0 01/02/2026"},
	{"Hypervisor detected: KVM", "hypervisor", "", "name=KVM"},
	{"efi: EFI v2.7 by ACME", "efi", "", "version=2.7"},
	{"ACPI: HEST 0x0000000077FDE000 0000A8 (v01 ACME   BOARD    01072009 AMI  00010013)", "acpi-table", "", "address=0x0000000077FDE000 signature=HEST"},
	{"acpi PNP0A08:03: fail to add MMCONFIG information, can't access extended configuration space under this bridge", "ecam", "PNP0A08:03", "state=missing"},
	{"pci 0000:01:00.0: Max Payload Size set to 256 (was 128, max 512)", "mps", "0000:01:00.0", "max=512 set=256 was=128"},
	{"PCIe port services disabled; not requesting _OSC control", "port-services-disabled", "", ""},
	{"pcieport 0000:c2:04.0: AER: enabled with IRQ 130", "aer-enabled", "0000:c2:04.0", "irq=130"},
	{"pcieport 0000:c2:05.0: aer_inject: Injecting errors 00000001/00000000 into device 0000:c7:00.0", "aer-injected", "0000:c7:00.0", "bits=RxErr correctable=00000001 uncorrectable=00000000"},
	{"aer 0000:00:04.0:pcie002: aer_inject: Injecting errors 00000000/00004000 into device 0000:01:00.0", "aer-injected", "0000:01:00.0", "bits=CmpltTO correctable=00000000 uncorrectable=00004000"},
	{"pcieport 0000:c2:04.0: request AER IRQ 130 failed", "aer-irq-failed", "0000:c2:04.0", "irq=130"},
	{"pcieport 0000:c2:04.0: AER: device recovery successful", "aer-recovery", "0000:c2:04.0", "result=successful"},
	{"nvme 0000:c3:00.0: AER: can't recover (no error_detected callback)", "aer-recovery", "0000:c3:00.0", "reason=no error_detected callback result=cannot"},
	{"pcieport 0000:c2:04.0: AER: Root Port link has been reset (0)", "aer-recovery", "0000:c2:04.0", "code=0 result=link-reset"},
	{"AER recover: Buffer overflow when recovering AER for 0000:01:00:0", "aer-lost", "", ""},
	{"pci 0000:00:1c.0: mask Replay Timer Timeout Correctable Errors due to 0000:01:00.0 hardware defect", "aer-masked", "0000:00:1c.0", "cause=0000:01:00.0"},
	{"pcieport 0000:c2:04.0: DPC: enabled with IRQ 131", "dpc-enabled", "0000:c2:04.0", "irq=131"},
	{"pcieport 0000:c2:04.0: DPC: error containment capabilities: Int Msg #0, RPExt+", "dpc-caps", "0000:c2:04.0", "text=Int Msg #0, RPExt+"},
	{"pcieport 0000:c2:04.0: DPC: containment event, status:0x1f01 source:0x0000", "dpc-event", "0000:c2:04.0", "source=0x0000 status=0x1f01"},
	{"pcieport 0000:c2:04.0: DPC: containment event, status:0x1f01, ERR_FATAL received from 0000:c3:00.0", "dpc-event", "0000:c2:04.0", "reason=ERR_FATAL source=0000:c3:00.0 status=0x1f01"},
	{"pcieport 0000:c2:04.0: DPC: containment event, status:0x1f01: unmasked uncorrectable error detected", "dpc-event", "0000:c2:04.0", "reason=unmasked uncorrectable error status=0x1f01"},
	{"pcieport 0000:c2:04.0: EDR: EDR event received", "edr", "0000:c2:04.0", "what=event"},
	{"pcieport 0000:c2:04.0: PME: Signaling with IRQ 27", "pme", "0000:c2:04.0", "irq=27"},
	{"GHES: APEI firmware first mode is enabled by APEI bit and WHEA _OSC.", "ghes", "", "kind=enabled-apei-osc"},
	{"GHES: APEI firmware first mode is enabled by WHEA _OSC.", "ghes", "", "kind=enabled-osc"},
	{"GHES: HEST is not enabled!", "ghes", "", "kind=hest-disabled"},
	{"HEST: Table parsing has been initialized.", "hest", "", "kind=initialized"},
	{"BERT: Total records found: 2", "bert", "", "count=2 kind=total"},
	{"x86/amd: Previous system reset reason [0x08000800]: an uncorrected error caused a data fabric sync flood event", "previous-reset", "", "code=0x08000800 text=an uncorrected error caused a data fabric sync flood event"},
	{"PCIe ASPM is disabled", "aspm-disabled", "", ""},
	{"PCIe ASPM is forcibly enabled", "aspm-forced", "", ""},
	{"r8169 0000:02:00.0: can't disable ASPM; OS doesn't have ASPM control", "aspm-no-control", "0000:02:00.0", ""},
	{"pci 0000:02:00.0: ASPM: default states L1", "aspm-default", "0000:02:00.0", "states=L1"},
	{"pci 0000:02:00.0: ASPM: current common clock configuration is inconsistent, reconfiguring", "aspm-clock", "0000:02:00.0", ""},
	{"acpi PNP0A08:00: FADT indicates ASPM is unsupported, using BIOS configuration", "fadt-aspm", "PNP0A08:00", "what=bios"},
	{"ACPI FADT declares the system doesn't support PCIe ASPM, so disable it", "fadt-aspm", "", "what=disabled"},
	{" pci0000:00: ACPI _OSC request failed (AE_NOT_FOUND), returned control mask: 0x1d", "osc-old", "", "bus=0000:00 mask=0x1d reason=AE_NOT_FOUND"},
	{"acpi PNP0A08:07: _OSC: platform does not support [SHPCHotplug AER LTR DPC]", "osc", "PNP0A08:07", "list=SHPCHotplug AER LTR DPC what=not-supported"},
	{"acpi PNP0A08:07: _OSC: OS now controls [PCIeHotplug PME PCIeCapability]", "osc", "PNP0A08:07", "list=PCIeHotplug PME PCIeCapability what=controls"},
	{"acpi PNP0A03:00: _OSC: platform retains control of PCIe features (AE_ERROR)", "osc", "PNP0A03:00", "reason=AE_ERROR what=retains"},
	{"acpi PNP0A08:00: _OSC failed (AE_NOT_FOUND); disabling ASPM", "osc", "PNP0A08:00", "aspm=disabled reason=AE_NOT_FOUND what=failed"},
	{"acpi PNP0A08:00: _OSC: not requesting OS control; OS requires [ExtendedConfig ASPM ClockPM MSI]", "osc", "PNP0A08:00", "list=ExtendedConfig ASPM ClockPM MSI reason=os-requires what=not-requesting"},
	{"acpi ACPI0016:00: _OSC: OS supports [CXL20PortDevRegAccess CXLNativeHotPlug]", "osc", "ACPI0016:00", "list=CXL20PortDevRegAccess CXLNativeHotPlug what=cxl-supports"},
	{"ACPI: PCI Root Bridge [PC07] (domain 0000 [bus c2-c9])", "root-bridge", "", "bus-first=c2 bus-last=c9 domain=0000 name=PC07"},
	{"ACPI: PCI Root Bridge [UNC1] (domain 0000 [bus ff])", "root-bridge", "", "bus-first=ff bus-last=ff domain=0000 name=UNC1"},
	{"DMAR: [DMA Read NO_PASID] Request device [0b:00.0] fault addr 0xffffe000 [fault reason 0x06] PTE Read access is not set", "iommu-fault", "0000:0b:00.0", "access=Read address=0xffffe000 code=0x06 pasid=NO_PASID reason=PTE Read access is not set vendor=intel"},
	{"DMAR: [DMA Write] Request device [05:00.0] PASID ffffffff fault addr 69974000 [fault reason 05] PTE Write access is not set", "iommu-fault", "0000:05:00.0", "access=Write address=69974000 code=05 pasid=ffffffff reason=PTE Write access is not set vendor=intel"},
	{"DMAR: [DMA Write NO_PASID] Request device [0001:05:00.0] fault addr 0x0 [fault reason 0x05] x", "iommu-fault", "0001:05:00.0", "access=Write address=0x0 code=0x05 pasid=NO_PASID reason=x vendor=intel"},
	{"AMD-Vi: Event logged [IO_PAGE_FAULT device=0000:03:00.0 domain=0x0018 address=0xf400 flags=0x0020]", "iommu-fault", "0000:03:00.0", "address=0xf400 domain=0x0018 flags=0x0020 vendor=amd"},
	{"amdgpu 0000:03:00.0: AMD-Vi: Event logged [IO_PAGE_FAULT domain=0x0018 address=0xf400 flags=0x0020]", "iommu-fault", "0000:03:00.0", "address=0xf400 domain=0x0018 flags=0x0020 vendor=amd"},
	{"arm-smmu-v3 arm-smmu-v3.0.auto: event 0x10 received:", "iommu-fault", "", "event=0x10 unit=arm-smmu-v3.0.auto vendor=arm"},
	{"iommu: Default domain type: Passthrough (set via kernel command line)", "iommu-default-domain", "", "cmdline=true type=Passthrough"},
	{"iommu: Default domain type: Translated ", "iommu-default-domain", "", "type=Translated"},
	{"iommu: DMA domain TLB invalidation policy: lazy mode ", "iommu-tlb-policy", "", "mode=lazy"},
	{"pci 0000:c5:00.0: Adding to iommu group 6", "iommu-group", "0000:c5:00.0", "group=6"},
	{"platform idma64.0: Adding to iommu group 12", "iommu-group", "idma64.0", "group=12"},
	{"pci 0000:c5:00.0: Removing from iommu group 6", "iommu-group-removed", "0000:c5:00.0", "group=6"},
	{"DMAR: IOMMU enabled", "iommu-param", "", "state=enabled"},
	{"nvme 0000:01:00.0: Firmware has requested this device have a 1:1 IOMMU mapping, rejecting", "iommu-identity-required", "0000:01:00.0", ""},
	{"DMAR: Intel(R) Virtualization Technology for Directed I/O", "dmar-vtd", "", ""},
	{"DMAR: dmar0: reg_base_addr fed90000 ver 1:0 cap 1c0000c40660462 ecap 19e2ff0505e", "dmar-unit", "", "base=fed90000 cap=1c0000c40660462 ecap=19e2ff0505e unit=dmar0 version=1:0"},
	{"DMAR: DRHD base: 0x000000fed90000 flags: 0x0", "dmar-drhd", "", "base=0x000000fed90000 flags=0x0"},
	{"DMAR: RMRR base: 0x0000007d000000 end: 0x0000007f7fffff", "dmar-rmrr", "", "base=0x0000007d000000 end=0x0000007f7fffff"},
	{"vfio-pci 0000:04:00.1: DMAR: Device is ineligible for IOMMU domain attach due to platform RMRR requirement. Contact your platform vendor.", "dmar-rmrr-ineligible", "0000:04:00.1", ""},
	{"DMAR: No DMAR devices found", "dmar-none", "", ""},
	{"DMAR: Intel-IOMMU force enabled due to platform opt in", "dmar-opt-in", "", ""},
	{"DMAR: Firmware forces DMA remapping off", "dmar-forced-off", "", ""},
	{"DMAR: VT-d detected Invalidation Time-out Error: SID ffff", "dmar-timeout", "", ""},
	{"DMAR-IR: Enabled IRQ remapping in x2apic mode", "irq-remap", "", "mode=x2apic state=enabled"},
	{"AMD-Vi: Interrupt remapping enabled", "irq-remap", "", "state=enabled"},
	{"DMAR-IR: Failed to enable irq remapping. You are vulnerable to irq-injection attacks.", "irq-remap", "", "state=failed"},
	{"x2apic enabled", "x2apic", "", "state=enabled"},
	{"DMAR-IR: x2apic is disabled because BIOS sets x2apic opt out bit.", "x2apic", "", "reason=bios-opt-out state=disabled"},
	{"AMD-Vi: Found IOMMU at 0000:00:00.2 cap 0x40", "amd-vi-unit", "0000:00:00.2", "cap=0x40"},
	{"pci 0000:00:00.2: AMD-Vi: Found IOMMU cap 0x40", "amd-vi-unit", "0000:00:00.2", "cap=0x40"},
	{"AMD-Vi: Extended features (0x58f77ef22294a5a, 0x0): PPR NX GT", "amd-vi-features", "", "text=(0x58f77ef22294a5a, 0x0): PPR NX GT"},
	{"AMD-Vi: Virtual APIC enabled", "amd-vi-apic", "", ""},
	{"AMD-Vi: Using global IVHD EFR:0x0, EFR2:0x0", "amd-vi-efr", "", "text=:0x0, EFR2:0x0"},
	{"AMD-Vi: Unknown option - 'on'", "amd-vi-unknown-option", "", "option=on"},
	{"AMD-Vi: AMD IOMMU disabled by kernel command line", "amd-vi-disabled", "", ""},
	{"arm-smmu-v3 arm-smmu-v3.0.auto: allocated 65536 entries for cmdq", "smmu", "arm-smmu-v3.0.auto", "text=allocated 65536 entries for cmdq"},
	{"Warning: PCIe ACS overrides enabled; This may allow non-IOMMU protected peer-to-peer DMA", "acs-override", "", ""},
	{"pci 0000:00:1c.0: Intel SPT PCH root port ACS workaround enabled", "acs-workaround", "0000:00:1c.0", ""},
	{"pci 0000:00:1c.0: Configured ACS to 0x0010", "acs-configured", "0000:00:1c.0", "value=0x0010"},
	{"thunderbolt 0000:00:0d.2: IOMMU DMA protection is enabled", "tb-dma-protection", "0000:00:0d.2", "state=enabled"},
	{"VFIO - User Level meta-driver version: 0.3", "vfio", "", ""},
	{"pci 0000:05:00.0: 8.000 Gb/s available PCIe bandwidth, limited by 2.5 GT/s PCIe x4 link at 0000:03:01.0 (capable of 31.504 Gb/s with 8.0 GT/s PCIe x4 link)", "bandwidth", "0000:05:00.0",
		"available=8.000 capable=31.504 capable-speed=8.0 GT/s PCIe capable-width=4 limit-device=0000:03:01.0 limit-speed=2.5 GT/s PCIe limit-width=4"},
	{"ixgbe 0000:05:00.0: 32.000 Gb/s available PCIe bandwidth (5.0 GT/s PCIe x8 link)", "bandwidth", "0000:05:00.0", "available=32.000 speed=5.0 GT/s PCIe width=8"},
	{"pcieport 0000:03:01.0: broken device, retraining non-functional downstream link at 2.5GT/s", "link-retrain", "0000:03:01.0", "speed=2.5GT/s what=quirk"},
	{"pcieport 0000:03:01.0: removing 2.5GT/s downstream link speed restriction", "link-retrain", "0000:03:01.0", "speed=2.5GT/s what=lifted"},
	{"pcieport 0000:03:01.0: pciehp: Slot #4 AttnBtn- PwrCtrl- MRL-", "pciehp-slot", "0000:03:01.0", "slot=4 text=AttnBtn- PwrCtrl- MRL-"},
	{"pcieport 0000:03:01.0: pciehp: Slot(4): Link Down", "pciehp-link-down", "0000:03:01.0", "slot=4"},
	{"pcieport 0000:03:01.0: pciehp: Slot(4-1): Link Up", "pciehp-link-up", "0000:03:01.0", "slot=4-1"},
	{"pcieport 0000:03:01.0: pciehp: Slot(4): Card present", "pciehp-card-present", "0000:03:01.0", "slot=4"},
	{"pcieport 0000:03:01.0: pciehp: Slot(4): Card not present", "pciehp-card-absent", "0000:03:01.0", "slot=4"},
	{"pcieport 0000:03:01.0: pciehp: Slot(4): No link", "pciehp-no-link", "0000:03:01.0", "slot=4"},
	{"pcieport 0000:03:01.0: pciehp: Slot(4): Cannot train link: status 0x1001", "pciehp-cannot-train", "0000:03:01.0", "slot=4 status=0x1001"},
	{"pcieport 0000:03:01.0: pciehp: Slot(4): Power fault", "pciehp-power-fault", "0000:03:01.0", "slot=4"},
	{"pcieport 0000:03:01.0: pciehp: Slot(4): Attention button pressed", "pciehp-button", "0000:03:01.0", "slot=4"},
	{"brcm-pcie fd500000.pcie: link up, 5.0 GT/s PCIe x1 (SSC)", "host-link", "", "speed=5.0 GT/s width=1"},
	{"ixgbe 0000:05:00.0 eth2: NIC Link is Up 10 Gbps, Flow Control: RX/TX", "nic-link", "0000:05:00.0", "interface=eth2 speedMbps=10000 state=up"},
	{"i40e 0000:05:00.0: enp5s0f0 NIC Link is Down", "nic-link", "0000:05:00.0", "interface=enp5s0f0 state=down"},
	{"r8169 0000:02:00.0 eth0: Link is Up - 1Gbps/Full - flow control rx/tx", "nic-link", "0000:02:00.0", "interface=eth0 speedMbps=1000 state=up"},
	{"pcieport 0000:03:01.0: Unable to change power state from D3cold to D0, device inaccessible", "power-state-failed", "0000:03:01.0", "from=D3cold to=D0"},
	{"pci 0000:42:02.0: unknown header type 7f, ignoring device", "unknown-header", "0000:42:02.0", "type=7f"},
	{"c6xx: probe of 0000:3d:00.0 failed with error -14", "probe-failed", "0000:3d:00.0", "driver=c6xx error=-14"},
	{"mpt3sas 0000:04:00.0: BAR 1: can't reserve [mem 0x805c0000-0x805c3fff 64bit]", "bar-busy", "0000:04:00.0", "bar=1 resource=mem 0x805c0000-0x805c3fff 64bit"},
	{"c6xx 0000:3d:00.0: probe with driver c6xx failed with error -14", "probe-failed", "0000:3d:00.0", "error=-14 module=c6xx"},
	{"c6xx 0000:3d:00.0: Direct firmware load for qat_c62x_mmp.bin failed with error -2", "firmware-load-failed", "0000:3d:00.0", "error=-2 file=qat_c62x_mmp.bin"},
	{"irq 16: nobody cared (try booting with the \"irqpoll\" option)", "irq-nobody-cared", "", "irq=16"},
	{"pci_bus 0000:00: root bus resource [mem 0x90000000-0x95ffffff window]", "root-window", "", "bus=0000:00 end=0x95ffffff start=0x90000000"},
	{"pci_bus 0000:00: root bus resource [mem 0x4000000000-0x7fffffffff pref]", "root-window", "", "bus=0000:00 end=0x7fffffffff start=0x4000000000"},
	{"RTL8211F Gigabit Ethernet stmmac-0:01: Downshift occurred from negotiated speed 1Gbps to actual speed 100Mbps, check cabling!", "nic-downshift", "", "from=1Gbps to=100Mbps"},
	{"i915 0000:00:02.0: not enough MMIO resources for SR-IOV", "sriov-failed", "0000:00:02.0", "reason=mmio"},
	{"pci 0000:00:02.0: vgaarb: setting as boot VGA device", "vga-boot", "0000:00:02.0", ""},
	{"pci 0000:00:02.0: vgaarb: VGA device added: decodes=io+mem,owns=io+mem,locks=none", "vga-added", "0000:00:02.0", "decodes=io+mem locks=none owns=io+mem"},
	{"xe 0000:03:00.0: [drm] Attempting to resize bar from 256MiB -> 8192MiB", "rebar", "0000:03:00.0", "from=256MiB size=8192MiB state=tried"},
	{"nvme nvme0: controller is down; will reset: CSTS=0xffffffff, PCI_STATUS=0x10", "nvme-down", "", "controller=nvme0 csts=0xffffffff pciStatus=0x10"},
	{"nvme nvme1: Disabling device after reset failure: -5", "nvme-removed", "", "controller=nvme1 error=-5"},
	{"ahci 0000:00:17.0: Found 1 remapped NVMe devices.", "nvme-remapped", "0000:00:17.0", "count=1"},
	{"vmd 0000:5d:05.5: Bound to PCI domain 10000", "vmd", "0000:5d:05.5", "domain=10000"},
	{"NVRM: Xid (PCI:0000:01:00): 79, pid='<unknown>', GPU has fallen off the bus.", "gpu-xid", "0000:01:00.0", "text=pid='<unknown>', GPU has fallen off the bus. xid=79"},
	{"NVRM: GPU 0000:01:00.0: GPU has fallen off the bus.", "gpu-lost", "0000:01:00.0", ""},
	{"amdgpu 0000:03:00.0: amdgpu: ring gfx_0.0.0 timeout, signaled seq=1", "gpu-ring-timeout", "0000:03:00.0", "ring=gfx_0.0.0"},
	{"amdgpu 0000:03:00.0: amdgpu: GPU reset(2) succeeded!", "gpu-reset", "0000:03:00.0", "count=2 state=ok"},
	{"ioatdma: Intel(R) QuickData Technology Driver 5.00", "ioat", "", "version=5.00"},
	{"ioatdma 0000:00:04.0: Intel(R) I/OAT DMA Engine init failed", "ioat-failed", "0000:00:04.0", ""},
	{"device-mapper: crypt: xts(aes) using implementation \"xts-aes-aesni\"", "dm-crypt", "", "implementation=xts-aes-aesni name=xts(aes)"},
	{"zswap: loaded using pool lzo/zbud", "zswap", "", "text=loaded using pool lzo/zbud"},
	{"dh895xcc 0000:c5:00.0: qat_dev0 started 12 acceleration engines", "qat-started", "0000:c5:00.0", "dev=0 engines=12"},
	{"dh895xcc 0000:c5:00.0: qat_dev0 stopped 12 acceleration engines", "qat-stopped", "0000:c5:00.0", "dev=0 engines=12"},
	{"c6xx 0000:3d:00.0: Failed to load MMP firmware qat_c62x_mmp.bin", "qat-error", "0000:3d:00.0", "file=qat_c62x_mmp.bin what=firmware"},
	{"alg: self-tests for sha256 using mv-sha256 failed (rc=-22)", "alg-selftest-failed", "", "algorithm=sha256 implementation=mv-sha256 rc=-22"},
	{"alg: self-tests for ffdhe6144(qat-dh) (ffdhe6144(dh)) failed (rc=-22)", "alg-selftest-failed", "", "algorithm=ffdhe6144(dh) implementation=ffdhe6144(qat-dh) rc=-22"},
	{"alg: ahash: mv-sha256 test failed (wrong result) on test vector 3, cfg=\"import/export\"", "alg-selftest-failed", "", "detail=test implementation=mv-sha256 type=ahash"},
	{"mce: [Hardware Error]: Machine check events logged", "mce", "", "what=logged"},
	{"mce: [Hardware Error]: CPU 5: Machine Check: 0 Bank 5: bea0000000000108", "mce", "", "bank=5 cpu=5 exception=: 0 status=bea0000000000108 what=event"},
	{"[Hardware Error]: CPU:2 (17:71:0) MC5_STATUS[Over|CE|-|AddrV]: 0x9c20000000000108", "mce", "", "bank=5 cpu=2 family=17:71:0 flags=Over|CE|-|AddrV status=0x9c20000000000108 what=decoded"},
	{"CPU2: Core temperature above threshold, cpu clock throttled (total events = 9)", "thermal", "", "cpu=2 level=core total=9"},
	{"EDAC MC0: Giving out device to module skx_edac controller Skylake Socket#0 IMC#0: DEV 0000:3a:0a.0 (INTERRUPT)", "edac-driver", "", "controller=Skylake Socket#0 IMC#0 dev=0000:3a:0a.0 mc=0 mode=INTERRUPT module=skx_edac"},
	{"EDAC MC1: 4 CE error on CPU#0Channel#2_DIMM#0 (page:0x0 offset:0x0)", "edac-error", "", "count=4 mc=1 severity=corrected text=error on CPU#0Channel#2_DIMM#0 (page:0x0 offset:0x0)"},
	{"EDAC igen6 MC1: HANDLING IBECC MEMORY ERROR", "edac-ibecc", "", "mc=1"},
	{"EDAC amd64: Node 0: DRAM ECC disabled.", "edac-ecc-off", "", ""},
	{"EDAC sbridge: ECC is disabled. Aborting", "edac-ecc-off", "", ""},
	{"EDAC i10nm: ECC is disabled on imc 2 channel 0", "edac-ecc-off", "", "controller=2"},
	{"EDAC sbridge: CPU SrcID #0, Ha #0, Channel #1 has DIMMs, but ECC is disabled", "edac-ecc-off", "", ""},
	{"Memory failure: 0x1234: recovery action for dirty LRU page: Recovered", "memory-failure", "", "pfn=0x1234 text=recovery action for dirty LRU page: Recovered"},
	{"NMI: PCI system error (SERR) for reason a1 on CPU 0.", "nmi-serr", "", "cpu=0 reason=a1"},
	{"Uhhuh. NMI received for unknown reason 2d on CPU 0.", "nmi-unknown", "", "reason=2d"},
	{"watchdog: BUG: soft lockup - CPU#3 stuck for 22s! [kworker/3:1:123]", "lockup", "", "cpu=3 kind=soft seconds=22 task=kworker/3:1:123"},
	{"INFO: task kworker/u16:0:8 blocked for more than 120 seconds.", "hung-task", "", "seconds=120 task=kworker/u16:0:8"},
	{"BUG: unable to handle page fault for address: 00", "oops", "", "kind=bug text=page fault for address: 00"},
	{"WARNING: CPU: 0 PID: 1 at kernel/x.c:12 f+0x1/0x2", "kernel-warning", "", "cpu=0 pid=1 place=kernel/x.c:12"},
	{"ACPI: [Firmware Bug]: BIOS _OSI(Linux) query ignored", "firmware-bug", "", "level=bug text=BIOS _OSI(Linux) query ignored"},
	{"ACPI BIOS Error (bug): Could not resolve symbol", "acpi-error", "", "level=firmware text=Could not resolve symbol"},
	{"smpboot: CPU0: Example CPU @ 2.00GHz (family: 0x6, model: 0x55, stepping: 0x4)", "cpu", "", "family=0x6 model=Example CPU @ 2.00GHz number=0x55 stepping=0x4"},
	{"microcode: Current revision: 0x00000123", "microcode", "", "revision=0x00000123"},
	{"microcode: microcode updated early to revision 0x2b, date = 2026-01-02", "microcode", "", "revision=0x2b"},
	{"microcode: microcode updated early to new patch_level=0x08701021", "microcode", "", "revision=0x08701021"},
	{"microcode: sig=0x306c3, pf=0x2, revision=0x28", "microcode", "", "platform=0x2 revision=0x28 signature=0x306c3"},
	{"Kernel is locked down from EFI Secure Boot; see man kernel_lockdown.7", "lockdown", "", "by=EFI Secure Boot"},
	{"Lockdown: lspci: direct PCI access is restricted; see man kernel_lockdown.7", "lockdown", "", "program=lspci what=direct PCI access"},
	{"example: loading out-of-tree module taints kernel.", "taint", "", "module=example what=out-of-tree"},
	{"example: module verification failed: signature and/or required key missing - tainting kernel", "taint", "", "module=example reason=signature and/or required key missing what=unsigned"},
	{"PCI: ECAM [mem 0xe0000000-0xefffffff] not reserved in ACPI motherboard resources", "ecam", "", "range=[mem 0xe0000000-0xefffffff] state=not-reserved"},
	{" pci0000:7f: ACPI _OSC control (0x1d) granted", "osc-old", "", "bus=0000:7f mask=0x1d"},
	{"Unable to assume _OSC PCIe control. Disabling ASPM", "osc-old", "", "aspm=disabled"},
	{"aer 0000:00:1c.0:pcie002: AER enabled with IRQ 24", "aer-enabled", "0000:00:1c.0", "irq=24"},
	{"dpc 0000:00:1c.0:pcie008: DPC error containment capabilities: Int Msg #0, RPExt+", "dpc-caps", "0000:00:1c.0", "text=Int Msg #0, RPExt+"},
	{"dpc 0000:00:1c.0:pcie008: DPC containment event, status:0x1f01 source:0x0000", "dpc-event", "0000:00:1c.0", "source=0x0000 status=0x1f01"},
	{"pcieport 0000:00:1c.0: DPC: rp_pio_status: 0x00040000, rp_pio_mask: 0x00000303", "dpc-rp-pio", "0000:00:1c.0", "mask=0x00000303 status=0x00040000"},
	{"pcieport 0000:00:1c.0: DPC: [18] Memory Request Completion Timeout (First)", "dpc-rp-pio", "0000:00:1c.0", "bit=18 space=Memory what=Completion Timeout (First)"},
	{"pcieport 0000:00:1c.0: DPC: [ 0] Configuration Request received UR Completion", "dpc-rp-pio", "0000:00:1c.0", "bit=0 space=Configuration what=received UR Completion"},
	{"pcieport 0000:00:1c.0: Signaling PME with IRQ 24", "pme", "0000:00:1c.0", "irq=24"},
	{"pstore: Registered erst as persistent store backend", "pstore", "", "backend=erst what=backend"},
	{"iommu ivhd0: AMD-Vi: Event logged [IOTLB_INV_TIMEOUT device=63:00.0 address=0x42b5b01a0]", "iommu-event", "0000:63:00.0", "address=0x42b5b01a0 event=IOTLB_INV_TIMEOUT vendor=amd"},
	{"AMD-Vi: Event logged [ILLEGAL_DEV_TABLE_ENTRY device=0000:06:00.0 pasid=0x00000 address=0x135300000 flags=0x0080]", "iommu-event", "0000:06:00.0", "address=0x135300000 event=ILLEGAL_DEV_TABLE_ENTRY flags=0x0080 vendor=amd"},
	{"DMAR: VT-d detected Invalidation Queue Error: Reason f", "iommu-event", "", "event=invalidation-queue vendor=intel"},
	{"arm-smmu 15000000.iommu: Unexpected global fault, this could be serious", "iommu-event", "15000000.iommu", "event=global-fault vendor=arm"},
	{"arm-smmu 15000000.iommu: Unhandled context fault: fsr=0x402, iova=0xd65504710, fsynr=0x100011, cbfrsynra=0x0, cb=6", "iommu-fault", "", "address=0xd65504710 code=0x402 fsynr=0x100011 unit=15000000.iommu vendor=arm"},
	{"DMAR:[DMA Write] Request device [02:00.0] fault addr bdf71000 ", "iommu-fault", "0000:02:00.0", "access=Write address=bdf71000 vendor=intel"},
	{"iommu: Adding device 0000:01:00.0 to group 1", "iommu-group", "0000:01:00.0", "group=1"},
	{"AMD-Vi: Lazy IO/TLB flushing enabled", "iommu-tlb-policy", "", "mode=lazy"},
	{"Intel-IOMMU: enabled", "iommu-param", "", "state=enabled"},
	{"dmar: IOMMU 0: reg_base_addr fed90000 ver 1:0 cap c0000020660462 ecap f0101a", "dmar-unit", "", "base=fed90000 cap=c0000020660462 ecap=f0101a unit=0 version=1:0"},
	{"vfio-pci 0000:3d:01.0: 8086:37c9 exists in vfio-pci device denylist, driver probing disallowed.", "vfio", "0000:3d:01.0", "state=denied"},
	{"vfio-pci 0000:3d:01.0: device denylist disabled - allowing device 8086:37c9.", "vfio", "0000:3d:01.0", "id=8086:37c9 state=allowed"},
	{"mlx5_core 0000:05:00.0: 252.048 Gb/s available PCIe bandwidth (32.0 GT/s PCIe x8 link), in Flit mode", "bandwidth", "0000:05:00.0", "available=252.048 flit=true speed=32.0 GT/s PCIe width=8"},
	{"pcieport 0000:03:01.0: pciehp: Slot(4): Link Down/Up ignored (recovered by DPC)", "pciehp-ignored", "0000:03:01.0", "reason=(recovered by DPC) slot=4"},
	{"pciehp 0000:03:01.0:pcie204: Slot(4): Link Down", "pciehp-link-down", "0000:03:01.0", "slot=4"},
	{"pciehp 0000:03:01.0:pcie204: slot(4): Link Up event", "pciehp-link-up", "0000:03:01.0", "slot=4"},
	{"pciehp 0000:03:01.0:pcie204: Card not present on Slot(4)", "pciehp-card-absent", "0000:03:01.0", "slot=4"},
	{"pciehp 0000:03:01.0:pcie204: Power fault on slot 4", "pciehp-power-fault", "0000:03:01.0", "slot=4"},
	{"pcieport 0000:03:01.0: pciehp: Slot(4): Button press: will power off in 5 sec", "pciehp-button", "0000:03:01.0", "direction=off slot=4"},
	{"pcieport 0000:03:01.0: pciehp: Timeout on hotplug command 0x03f1 (issued 1004 msec ago)", "pciehp-failed", "0000:03:01.0", "command=0x03f1 ms=1004 what=timeout"},
	{"brcm-pcie fd500000.pcie: link down", "host-link", "", "state=down unit=fd500000.pcie"},
	{"rockchip-pcie f8000000.pcie: PCIe link training gen1 timeout!", "host-link", "", "gen=1 state=down"},
	{"vfio-pci 0000:05:00.0: not ready 1023ms after FLR; giving up", "reset-timeout", "0000:05:00.0", "ms=1023 outcome=giving up what=FLR"},
	{"nvme 0000:01:00.0: Refused to change power state from D0 to D3hot", "power-state-failed", "0000:01:00.0", "from=D0 to=D3hot"},
	{"mlx5_core 0000:05:00.0: Port module event[error]: module 0, Cable error, High Temperature", "nic-module", "0000:05:00.0", "module=0 state=error text=Cable error, High Temperature"},
	{"igb 0000:05:00.0 eno1: igb: eno1 NIC Link is Up 1000 Mbps Full Duplex, Flow Control: RX/TX", "nic-link", "0000:05:00.0", "interface=eno1 speedMbps=1000 state=up"},
	{"igc 0000:05:00.0 eth0: NIC Link is Up 2500 Mbps Full Duplex, Flow Control: RX", "nic-link", "0000:05:00.0", "interface=eth0 speedMbps=2500 state=up"},
	{"e1000e: eth0 NIC Link is Down", "nic-link", "", "interface=eth0 state=down"},
	{"ice 0000:05:00.0 eth0: NIC Link is up 25 Gbps Full Duplex, Requested FEC: RS-FEC, Negotiated FEC: NONE", "nic-link", "0000:05:00.0", "interface=eth0 speedMbps=25000 state=up"},
	{"mlx5_core 0000:05:00.0 enp5s0f0np0: Link up", "nic-link", "0000:05:00.0", "interface=enp5s0f0np0 state=up"},
	{"bnxt_en 0000:05:00.0 eth0: NIC Link is Up, 25000 Mbps full duplex, Flow control: none", "nic-link", "0000:05:00.0", "interface=eth0 speedMbps=25000 state=up"},
	{"tg3 0000:02:00.0 eth0: Link is up at 1000 Mbps, full duplex", "nic-link", "0000:02:00.0", "interface=eth0 speedMbps=1000 state=up"},
	{"atlantic 0000:05:00.0 eth0: atlantic: link change old 0 new 10000", "nic-link", "0000:05:00.0", "interface=eth0 speedMbps=10000 state=up"},
	{"atlantic 0000:05:00.0 eth0: atlantic: link change old 10000 new 0", "nic-link", "0000:05:00.0", "interface=eth0 state=down"},
	{"aqc111 2-1:1.0 eth1: Link Speed 5000, USB 3", "nic-link", "", "interface=eth1 speedMbps=5000 state=up"},
	{"r8169 0000:02:00.0 eth0: link up", "nic-link", "0000:02:00.0", "interface=eth0 state=up"},
	{"iwlwifi 0000:03:00.0: firmware: failed to load iwl-debug-yoyo.bin (-2)", "firmware-load-failed", "0000:03:00.0", "error=-2 file=iwl-debug-yoyo.bin"},
	{"ixgbe 0000:05:00.0: Failed to enable PCI sriov: -12", "sriov-failed", "0000:05:00.0", "error=-12 reason=error"},
	{"pci 0000:05:00.0: no driver bound to device; cannot configure SR-IOV", "sriov-failed", "0000:05:00.0", "reason=unbound"},
	{"ixgbe 0000:05:00.0: SR-IOV enabled with 4 VFs", "sriov-enabled", "0000:05:00.0", "count=4"},
	{"vgaarb: device added: PCI:0000:00:02.0,decodes=io+mem,owns=io+mem,locks=none", "vga-added", "0000:00:02.0", "decodes=io+mem locks=none owns=io+mem"},
	{"[drm] Detected VRAM RAM=8176M, BAR=256M", "rebar", "", "bar=256M ram=8176M state=seen"},
	{"nvme nvme0: I/O 123 QID 4 timeout, completion polled", "nvme-timeout", "", "action=completion polled controller=nvme0 queue=4 tag=123"},
	{"nvme nvme0: I/O tag 123 (107b) opcode 0x2 (I/O Cmd) QID 4 timeout, aborting req_op:READ(0) size:4096", "nvme-timeout", "", "action=aborting req_op:READ(0) size:4096 command=I/O Cmd controller=nvme0 id=107b opcode=0x2 queue=4 tag=123"},
	{"nvme nvme0: Abort status: 0x371", "nvme-abort", "", "controller=nvme0 status=0x371"},
	{"nvme nvme0: Device not ready; aborting reset, CSTS=0x1", "nvme-not-ready", "", "controller=nvme0 csts=0x1 what=reset"},
	{"nvme nvme0: frozen state error detected, reset controller", "nvme-reset", "", "controller=nvme0 reason=frozen"},
	{"critical medium error, dev nvme0n1, sector 4711 op 0x0:(READ) flags 0x0", "disk-error", "", "disk=nvme0n1 sector=4711 what=medium"},
	{"blk_update_request: I/O error, dev sda, sector 8 op 0x0:(READ)", "disk-error", "", "disk=sda sector=8 what=io"},
	{"i915 0000:00:02.0: [drm] GPU HANG: ecode 9:1:85dffffb, in Xorg [1]", "gpu-hang", "0000:00:02.0", "code=9:1:85dffffb what=Xorg [1]"},
	{"ioatdma 0000:00:04.0: Self-test copy timed out, disabling", "ioat-failed", "0000:00:04.0", "test=copy what=self-test"},
	{"ioatdma 0000:00:04.0: ioat_timer_event: Channel halted (2)", "ioat-failed", "0000:00:04.0", "error=2"},
	{"ioatdma: Self-test copy failed compare, disabling", "ioat-failed", "", "test=copy what=self-test"},
	{"thunderbolt 0-1: new device found, vendor=0x1 device=0x2", "thunderbolt", "", "state=found text=vendor=0x1 device=0x2 unit=0-1"},
	{"4xxx 0000:6b:00.0: RI Memory Parity uncorrectable error: 0x4", "qat-error", "0000:6b:00.0", "code=0x4 unit=RI Memory Parity what=hardware"},
	{"4xxx 0000:6b:00.0: HI CPP agent command parity error: 0x1", "qat-error", "0000:6b:00.0", "code=0x1 unit=HI CPP agent command what=hardware"},
	{"4xxx 0000:6b:00.0: Correctable error detected in AE: 0x2", "qat-error", "0000:6b:00.0", "code=0x2 severity=corrected what=hardware"},
	{"c6xx 0000:3d:00.0: Device not configured", "qat-error", "0000:3d:00.0", "what=configuration"},
	{"4xxx 0000:6b:00.0: Device is up and running", "qat-recovered", "0000:6b:00.0", ""},
	{"QAT: Could not find a device on node 1", "qat-unused", "", "node=1"},
	{"tegra-se-nvhost 15810000.se: Couldn't get free cmdbuf", "crypto-no-buffer", "", ""},
	{"alg: No test for authenc(hmac(sha1),cbc(aes)) (qat_aes_cbc_hmac_sha1)", "alg-untested", "", "algorithm=authenc(hmac(sha1),cbc(aes)) implementation=qat_aes_cbc_hmac_sha1"},
	{"[Hardware Error]: Machine check events logged", "mce", "", "what=logged"},
	{"[Hardware Error]: Unified Memory Controller Ext. Error Code: 0, DRAM ECC error.", "mce", "", "code=0 text=DRAM ECC error. unit=Unified Memory Controller what=unit"},
	{"[Hardware Error]: Load Store Unit Ext. Error Code: 3", "mce", "", "code=3 unit=Load Store Unit what=unit"},
	{"[Hardware Error]: MC4 Error (node 0): DRAM ECC error detected on the NB.", "mce", "", "node=0 text=DRAM ECC error detected on the NB. unit=MC4 what=unit"},
	{"[Hardware Error]: Corrected error, no action required.", "mce", "", "severity=corrected text=no action required. what=severity"},
	{"[Hardware Error]: cache level: L3/GEN, tx: GEN, mem-tx: RD", "mce", "", "text=L3/GEN, tx: GEN, mem-tx: RD what=location"},
	{"EDAC skx MC0: CPU 0: Machine Check Event: 0x0 Bank 7: 0x8c00004000010090", "mce", "", "bank=7 cpu=0 driver=skx exception=0x0 mc=0 status=0x8c00004000010090 what=event"},
	{"thermal thermal_zone0: critical temperature reached, shutting down", "thermal", "", "level=critical"},
	{"EDAC MC0: UE page 0x0, offset 0x0, grain 8, row 0, labels \"\": amd64_edac", "edac-error", "", "mc=0 severity=uncorrected text=page 0x0, offset 0x0, grain 8, row 0, labels \"\": amd64_edac"},
	{"EDAC sbridge: Failed to register device with error -19.", "edac-failed", "", "error=-19 module=sbridge"},
	{"EDAC DEVICE0: UE: xgene instance: L3 block: L3", "edac-device", "", "number=0 text=UE: xgene instance: L3 block: L3"},
	{"NMI: IOCK error (debug interrupt?) for reason 60 on CPU 0.", "nmi-iock", "", "cpu=0 reason=60"},
	{"BUG: workqueue lockup - pool cpus=0 node=0 flags=0x0 nice=0 stuck for 31s!", "lockup", "", "kind=workqueue pool=cpus=0 node=0 flags=0x0 nice=0 stuck for 31s!"},
	{"BUG: kernel NULL pointer dereference, address: 0000000000000008", "oops", "", "kind=bug text=NULL pointer dereference, address: 0000000000000008"},
	{"Internal error: Oops: 0000000096000004 [#1] SMP", "oops", "", "kind=oops text=Oops: 0000000096000004 [#1] SMP"},
	{"ACPI BIOS Warning (bug): 32/64X length mismatch in FADT/Gpe0Block: 128/32 (20230628/tbfadt-564)", "acpi-error", "", "level=firmware text=32/64X length mismatch in FADT/Gpe0Block: 128/32 (20230628/tbfadt-564)"},
	{"pci 0000:0a:00.0: BAR 0 [mem size 0x1000]: not assigned; can't enable device", "bar-failed", "0000:0a:00.0", "bar=BAR 0 resource=[mem size 0x1000] space=mem what=not-assigned"},
	{"pci 0000:0a:00.0: BAR 9: reassigned [mem 0xa0000000-0xa0ffffff 64bit pref]", "bar-assigned", "0000:0a:00.0", "bar=VF BAR 2 resource=[mem 0xa0000000-0xa0ffffff 64bit pref] space=pref"},
	{"aer_print_error: 7 callbacks suppressed", "callbacks-suppressed", "", "count=7 function=aer_print_error"},
	{"** 5 printk messages dropped **", "lost-messages", "", "count=5"},
	{"pcieport 0000:c2:04.0: AER: Over 1000 Correctable Errors reported", "aer-rate-limited", "0000:c2:04.0", "count=1000"},
	{"pcieport 0000:c2:04.0: DPC: Data Link Layer Link Active not cleared in 1000 msec", "dpc-failed", "0000:c2:04.0", ""},
	{"pci 0000:0a:00.0: BAR 14: assigned [mem 0xa0000000-0xa0ffffff]", "bar-assigned", "0000:0a:00.0", "bar=bridge window resource=[mem 0xa0000000-0xa0ffffff] space=mem"},
	{"pci 0000:0a:00.0: BAR 7: no space for [mem size 0x00020000 64bit pref]", "bar-failed", "0000:0a:00.0", "bar=VF BAR 0 resource=[mem size 0x00020000 64bit pref] space=pref what=no-space"},
	{"nvidia 0000:84:00.0: BAR 1 [mem size 0x800000000 64bit pref]: can't assign; no space", "bar-failed", "0000:84:00.0", "bar=BAR 1 resource=[mem size 0x800000000 64bit pref] space=pref what=no-space"},
	{"pci 0000:0a:00.0: can't claim BAR 6 [mem 0xfff00000-0xffffffff pref]: no compatible bridge window", "bar-failed", "0000:0a:00.0", "bar=ROM reason=no compatible bridge window resource=[mem 0xfff00000-0xffffffff pref] space=pref what=claim"},
	{"pci 0000:0a:00.0: BAR 0 [mem 0xa0000000-0xa0ffffff]: releasing", "bar-released", "0000:0a:00.0", "bar=BAR 0 resource=[mem 0xa0000000-0xa0ffffff] space=mem"},
	{"pci 0000:0a:00.0: can't enable device: BAR 0 [mem size 0x1000] not claimed", "bar-failed", "0000:0a:00.0", "bar=BAR 0 resource=[mem size 0x1000] space=mem what=not-claimed"},
}

func TestWordings(t *testing.T) {
	seen := map[string]bool{}
	for _, s := range samples {
		t.Run(s.message, func(t *testing.T) {
			res, err := Parse(strings.NewReader("[    1.000000] "+s.message+"\n"), "dmesg", 0)
			if err != nil {
				t.Fatal(err)
			}
			if len(res.Notes) != 1 {
				t.Fatalf("%d notes, want one: %+v", len(res.Notes), res.Notes)
			}
			n := res.Notes[0]
			seen[n.Kind] = true
			got := struct{ kind, device, fields string }{n.Kind, n.Device, fields(n.Fields)}
			want := struct{ kind, device, fields string }{s.kind, s.device, s.fields}
			if got != want {
				t.Errorf("\n got %q\nwant %q", got, want)
			}
			if n.At.Line != 1 || !strings.HasSuffix(n.At.Text, s.message) || n.Time == nil || *n.Time != 1 {
				t.Errorf("place and time: %+v %v", n.At, n.Time)
			}
			if res.Unread.Lines != 0 {
				t.Errorf("counted as unread: %+v", res.Unread)
			}
		})
	}
	for _, r := range table() {
		if !seen[r.kind] && r.kind != "aer" && r.kind != "bar" && r.kind != "hardware-error" {
			t.Errorf("no sample is of kind %s", r.kind)
		}
	}
}

// fields writes fields as the samples have them.
func fields(m map[string]string) string {
	var out []string
	for _, k := range sortedKeys(m) {
		out = append(out, k+"="+m[k])
	}
	return strings.Join(out, " ")
}

func TestPattern(t *testing.T) {
	tests := map[string]struct {
		pattern, text string
		want          map[string]string
		ok            bool
	}{
		"digits with a sign":         {"error {n#}$", "error -14", map[string]string{"n": "-14"}, true},
		"no digits":                  {"error {n#}", "error x", nil, false},
		"hexadecimal without 0x":     {"at {a%},", "at fed9,", map[string]string{"a": "fed9"}, true},
		"0x alone is no number":      {"at {a%}", "at 0xzz", nil, false},
		"start only":                 {"^x {a}", "y x z", nil, false},
		"end only":                   {"x$", "x y", nil, false},
		"blanks at the end are none": {"x$", "x  ", nil, true},
		"a hole up to the literal":   {"[{a}]: b", "[x]]: b", map[string]string{"a": "x]"}, true},
		"a word may have no blank":   {"for {f@} failed", "for a b failed", nil, false},
		"a word":                     {"for {f@} failed", "for a.bin failed", map[string]string{"f": "a.bin"}, true},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			got, ok := newPattern(test.pattern).match(test.text)
			if ok != test.ok {
				t.Fatalf("match %v, want %v", ok, test.ok)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("fields (-want +got):\n%s", diff)
			}
		})
	}
}

func TestFinder(t *testing.T) {
	literals := []string{"shes", "hiss", "hers", "error", "rror m"}
	f := newFinder(literals)
	for text, want := range map[string]string{
		"ushershes": "hers shes", "an error message": "error rror m", "": "", "hi": "", "hisshes": "hiss shes", "herhers": "hers", "hers": "hers", "ahers": "hers",
		"her": "", "xyzhers": "hers", "x hershers": "hers hers",
	} {
		var got []string
		f.find([]byte(text), func(id uint16) { got = append(got, literals[id]) })
		slices.Sort(got)
		if strings.Join(got, " ") != want {
			t.Errorf("find(%q) = %v, want %s", text, got, want)
		}
	}
}
