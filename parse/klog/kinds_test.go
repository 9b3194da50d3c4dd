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
	{"pcieport 0000:c2:05.0: aer_inject: Injecting errors 00000001/00000000 into device 0000:c7:00.0", "aer-injected", "0000:c7:00.0", "correctable=00000001 uncorrectable=00000000"},
	{"aer 0000:00:04.0:pcie002: aer_inject: Injecting errors 00000000/00004000 into device 0000:01:00.0", "aer-injected", "0000:01:00.0", "correctable=00000000 uncorrectable=00004000"},
	{"pcieport 0000:c2:04.0: request AER IRQ 130 failed", "aer-irq-failed", "0000:c2:04.0", "irq=130"},
	{"pcieport 0000:c2:04.0: AER: device recovery successful", "aer-recovery", "0000:c2:04.0", "result=successful"},
	{"nvme 0000:c3:00.0: AER: can't recover (no error_detected callback)", "aer-recovery", "0000:c3:00.0", "reason=no error_detected callback result=cannot"},
	{"pcieport 0000:c2:04.0: AER: Root Port link has been reset (0)", "aer-recovery", "0000:c2:04.0", "code=0 result=link-reset"},
	{"AER recover: Buffer overflow when recovering AER for 0000:01:00:0", "aer-lost", "", ""},
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
	{" pci0000:00: ACPI _OSC request failed (AE_NOT_FOUND), returned control mask: 0x1d", "osc-old", "", "mask=0x1d reason=AE_NOT_FOUND"},
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
	{"c6xx 0000:3d:00.0: probe with driver c6xx failed with error -14", "probe-failed", "0000:3d:00.0", "error=-14 module=c6xx"},
	{"c6xx 0000:3d:00.0: Direct firmware load for qat_c62x_mmp.bin failed with error -2", "firmware-load-failed", "0000:3d:00.0", "error=-2 file=qat_c62x_mmp.bin"},
	{"irq 16: nobody cared (try booting with the \"irqpoll\" option)", "irq-nobody-cared", "", "irq=16"},
	{"i915 0000:00:02.0: not enough MMIO resources for SR-IOV", "sriov-failed", "0000:00:02.0", "reason=mmio"},
	{"pci 0000:00:02.0: vgaarb: setting as boot VGA device", "vga-boot", "0000:00:02.0", ""},
	{"pci 0000:00:02.0: vgaarb: VGA device added: decodes=io+mem,owns=io+mem,locks=none", "vga-added", "0000:00:02.0", "decodes=io+mem locks=none owns=io+mem"},
	{"xe 0000:03:00.0: [drm] Attempting to resize bar from 256MiB -> 8192MiB", "rebar", "0000:03:00.0", "from=256MiB size=8192MiB state=tried"},
	{"nvme nvme0: controller is down; will reset: CSTS=0xffffffff, PCI_STATUS=0x10", "nvme-down", "", "controller=nvme0 csts=0xffffffff pciStatus=0x10"},
	{"nvme nvme1: Disabling device after reset failure: -5", "nvme-removed", "", "controller=nvme1 error=-5"},
	{"ahci 0000:00:17.0: Found 1 remapped NVMe devices.", "nvme-remapped", "0000:00:17.0", "count=1"},
	{"vmd 0000:5d:05.5: Bound to PCI domain 10000", "vmd", "0000:5d:05.5", "domain=10000"},
	{"NVRM: Xid (PCI:0000:01:00): 79, pid='<unknown>', GPU has fallen off the bus.", "gpu-xid", "0000:01:00.0", "xid=79"},
	{"NVRM: GPU 0000:01:00.0: GPU has fallen off the bus.", "gpu-lost", "0000:01:00.0", ""},
	{"amdgpu 0000:03:00.0: amdgpu: ring gfx_0.0.0 timeout, signaled seq=1", "gpu-ring-timeout", "0000:03:00.0", "ring=gfx_0.0.0"},
	{"amdgpu 0000:03:00.0: amdgpu: GPU reset(2) succeeded!", "gpu-reset", "0000:03:00.0", "count=2 state=ok"},
	{"ioatdma: Intel(R) QuickData Technology Driver 5.00", "ioat", "", "version=5.00"},
	{"ioatdma 0000:00:04.0: Intel(R) I/OAT DMA Engine init failed", "ioat-failed", "0000:00:04.0", ""},
	{"device-mapper: crypt: xts(aes) using implementation \"xts-aes-aesni\"", "dm-crypt", "", "implementation=xts-aes-aesni name=xts(aes)"},
	{"zswap: loaded using pool lzo/zbud", "zswap", "", "text=loaded using pool lzo/zbud"},
	{"dh895xcc 0000:c5:00.0: qat_dev0 started 12 acceleration engines", "qat-started", "0000:c5:00.0", "dev=0 engines=12"},
	{"dh895xcc 0000:c5:00.0: qat_dev0 stopped 12 acceleration engines", "qat-stopped", "0000:c5:00.0", "dev=0 engines=12"},
	{"c6xx 0000:3d:00.0: Failed to load MMP firmware qat_c62x_mmp.bin", "qat-error", "0000:3d:00.0", "what=firmware"},
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
	{"Memory failure: 0x1234: recovery action for dirty LRU page: Recovered", "memory-failure", "", "pfn=0x1234 text=recovery action for dirty LRU page: Recovered"},
	{"NMI: PCI system error (SERR) for reason a1 on CPU 0.", "nmi-serr", "", "cpu=0 reason=a1"},
	{"Uhhuh. NMI received for unknown reason 2d on CPU 0.", "nmi-unknown", "", "reason=2d"},
	{"watchdog: BUG: soft lockup - CPU#3 stuck for 22s! [kworker/3:1:123]", "lockup", "", "cpu=3 kind=soft seconds=22 task=kworker/3:1:123"},
	{"INFO: task kworker/u16:0:8 blocked for more than 120 seconds.", "hung-task", "", "seconds=120 task=kworker/u16:0:8"},
	{"BUG: unable to handle page fault for address: 00", "oops", "", "kind=bug text=page fault for address: 00"},
	{"WARNING: CPU: 0 PID: 1 at kernel/x.c:12 f+0x1/0x2", "kernel-warning", "", "cpu=0 pid=1 place=kernel/x.c:12"},
	{"ACPI: [Firmware Bug]: BIOS _OSI(Linux) query ignored", "firmware-bug", "", "level=bug text=BIOS _OSI(Linux) query ignored"},
	{"ACPI BIOS Error (bug): Could not resolve symbol", "acpi-error", "", "level=firmware text=Could not resolve symbol"},
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
