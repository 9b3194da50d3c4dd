package capture

import "time"

// Named sets of sources, next to the first parts of their paths.
var (
	inPCI     = []string{"pci"}
	inLog     = []string{"log"}
	inCrypto  = []string{"crypto"}
	inRAS     = []string{"ras"}
	inNet     = []string{"net"}
	inDMI     = []string{"dmi"}
	inStorage = []string{"storage"}
	inQAT     = []string{"crypto", "debugfs"}
)

// Words by which commands say that what they look for does not exist.
var (
	noPCI     = []string{"Cannot find any working access method", "Cannot open /proc/bus/pci"}
	noJournal = []string{"No journal files were found", "No such boot ID", "no persistent journal was found"}
	noSystemd = []string{"has not been booted with systemd", "Failed to connect to bus", "Running in chroot, ignoring command"}
	// ras-mc-ctl reads /proc/modules and pipes from dmidecode without asking
	// whether they exist.
	noEDAC = []string{"No DIMMs found", "No memories found", "EDAC interface not found", "Missing command in piped open",
		"Unable to open /proc/modules", "table missing from"}
)

// anyClass begins every class as sysfs writes it.
const anyClass = "0x"

const rasDatabase = "var/lib/rasdaemon/ras-mc_event.db"

// table holds every source in the order of the archive. A row without Path is
// a command whose output becomes cmd/<name>.txt.
//
// Not in it, on purpose: QAT heartbeat/status (a read counts as a query and can
// reset the device; heartbeat itself, where it is a file), rp2srv (answers for the
// ring last written), ring_* files, telemetry/device_data (refused, with a line in
// the kernel log, while telemetry is off), EEPROM dumps, and everything that only
// answers after a write.
var table = []Source{
	// The PCI tree. lspci waits until the power states are read (pick.first).
	{Name: "lspci-vvv", Kind: Command, run: "lspci -Dvvvnnk", absent: noPCI, Groups: inPCI, Privacy: Identity,
		Cap: 64 << 20, slot: "-s", Root: "capabilities of every device", More: true, Asks: "configuration space and VPD"},
	{Name: "lspci-tv", Kind: Command, run: "lspci -tv", absent: noPCI, Groups: inPCI, Asks: "configuration space", wakes: anyClass},

	// The kernel log.
	{Name: "dmesg", Kind: Command, run: "dmesg", Groups: inLog, Privacy: Text, Root: "the kernel log"},
	{Name: "kmsg", Kind: File, Path: "dev/kmsg", records: true, Groups: inLog, Privacy: Text, Root: "the kernel log with its sequence numbers"},
	{Name: "journal-k", Kind: Command, run: "journalctl -k -b 0 -o short-monotonic --no-pager --no-hostname",
		absent: noJournal, Groups: inLog, Privacy: Text, Root: "the journal of this boot"},
	{Name: "journal-k-1", Kind: Command, run: "journalctl -k -b -1 -n 2000 -o short-monotonic --no-pager --no-hostname",
		absent: noJournal, Groups: inLog, Privacy: Text, Root: "the journal of the boot before"},

	// /proc and single files.
	{Name: "proc-crypto", Kind: File, Path: "proc/crypto", Groups: inCrypto},
	{Name: "proc-cmdline", Kind: File, Path: "proc/cmdline", Privacy: Text},
	{Name: "proc-cpuinfo", Kind: File, Path: "proc/cpuinfo"},
	{Name: "proc-modules", Kind: File, Path: "proc/modules"},
	{Name: "proc-interrupts", Kind: File, Path: "proc/interrupts"},
	{Name: "proc-meminfo", Kind: File, Path: "proc/meminfo"},
	{Name: "proc-version", Kind: File, Path: "proc/version"},
	{Name: "proc-uptime", Kind: File, Path: "proc/uptime"},
	{Name: "proc-iomem", Kind: File, Path: "proc/iomem", Groups: inPCI, Root: "the addresses of the memory map", More: true},
	{Name: "proc-tainted", Kind: File, Path: "proc/sys/kernel/tainted"},
	{Name: "proc-dmesg-restrict", Kind: File, Path: "proc/sys/kernel/dmesg_restrict", Groups: inLog},
	{Name: "proc-netlink", Kind: File, Path: "proc/net/netlink", Groups: []string{"netlink"}},
	{Name: "proc-fips", Kind: File, Path: "proc/sys/crypto/fips_enabled", Groups: inCrypto},
	{Name: "proc-config", Kind: File, Path: "proc/config.gz"},
	{Name: "os-release", Kind: File, Path: "etc/os-release"},

	// PCI in sysfs. Power state first: it is what the reads after it can change.
	{Name: "pci", Kind: Tree, Path: "sys/bus/pci/devices", Groups: inPCI, Limit: 60 * time.Second, Cap: 64 << 20, most: 55000,
		Root: "configuration space beyond its first 64 bytes", More: true,
		Asks: "link files, resource*_resize and configuration space",
		picks: []pick{
			{dir: "sys/bus/pci/devices", list: "*", first: true},
			{dir: "sys/bus/pci/devices/*", first: true, files: "power_state power/runtime_status"},
			{dir: "sys/bus/pci/devices/*", list: "driver iommu_group physfn virtfn* firmware_node",
				files: "vendor device class revision subsystem_vendor subsystem_device irq numa_node label " +
					"d3cold_allowed reset_method boot_vga resource sriov_totalvfs sriov_numvfs " +
					"aer_dev_correctable aer_dev_nonfatal aer_dev_fatal " +
					"aer_rootport_total_err_cor aer_rootport_total_err_nonfatal aer_rootport_total_err_fatal " +
					"link/*_aspm link/clkpm qat/state qat/cfg_services qat/num_rps qat/auto_reset qat/pm_idle_enabled " +
					"qat_ras/errors_correctable qat_ras/errors_nonfatal qat_ras/errors_fatal",
				asks: "resource*_resize current_link_speed current_link_width max_link_speed max_link_width config"},
		}},
	{Name: "pci-roots", Kind: Tree, Path: "sys/devices/pci*", Groups: inPCI, picks: []pick{
		{dir: "sys/devices/pci*", list: "firmware_node"}}},
	{Name: "pci-port-drivers", Kind: Tree, Path: "sys/bus/pci_express/drivers", Groups: inPCI, picks: []pick{
		{dir: "sys/bus/pci_express/drivers/*", list: "*:*:*"}}},
	{Name: "pci-slots", Kind: Tree, Path: "sys/bus/pci/slots", Groups: inPCI, picks: []pick{
		{dir: "sys/bus/pci/slots", list: "*"},
		{dir: "sys/bus/pci/slots/*", files: "address"}}},
	{Name: "iommu-groups", Kind: Tree, Path: "sys/kernel/iommu_groups", Groups: inPCI, most: 20000, picks: []pick{
		{dir: "sys/kernel/iommu_groups", list: "*"},
		{dir: "sys/kernel/iommu_groups/*", files: "type name"},
		{dir: "sys/kernel/iommu_groups/*/devices", list: "*"}}},
	{Name: "iommu-units", Kind: Tree, Path: "sys/class/iommu", Groups: inPCI, picks: []pick{
		{dir: "sys/class/iommu", list: "*"}}},

	// Firmware.
	{Name: "acpi-tables", Kind: Tree, Path: "sys/firmware/acpi/tables", picks: []pick{
		{dir: "sys/firmware/acpi/tables", list: "*"}}},
	{Name: "acpi-hest", Kind: File, Path: "sys/firmware/acpi/tables/HEST", Root: "the firmware's table of error sources"},
	{Name: "acpi-dmar", Kind: File, Path: "sys/firmware/acpi/tables/DMAR", Root: "the firmware's table of DMA remapping"},
	{Name: "dmi", Kind: Tree, Path: "sys/class/dmi/id", Groups: inDMI, picks: []pick{
		{dir: "sys/class/dmi/id", files: "sys_vendor product_name product_version board_vendor board_name board_version " +
			"bios_vendor bios_version bios_date chassis_type"}}},
	{Name: "dmidecode", Kind: Command, run: "dmidecode -t 0,1,2,9,16,17", Groups: inDMI, Privacy: Identity,
		absent: []string{"No SMBIOS nor DMI entry point found", "/dev/mem: No such"}, Root: "slots and memory modules"},

	// Memory errors, sensors, settings.
	{Name: "edac", Kind: Tree, Path: "sys/devices/system/edac/mc", Groups: inRAS, picks: []pick{
		{dir: "sys/devices/system/edac/mc", list: "*"},
		{dir: "sys/devices/system/edac/mc/mc*", files: "mc_name size_mb max_location seconds_since_reset " +
			"ce_count ce_noinfo_count ue_count ue_noinfo_count"},
		{dir: "sys/devices/system/edac/mc/mc*/dimm*", files: "dimm_label dimm_location dimm_mem_type dimm_dev_type " +
			"dimm_edac_mode dimm_ce_count dimm_ue_count size"},
		{dir: "sys/devices/system/edac/mc/mc*/rank*", files: "dimm_label dimm_location dimm_mem_type dimm_dev_type " +
			"dimm_edac_mode dimm_ce_count dimm_ue_count size"}}},
	{Name: "hwmon", Kind: Tree, Path: "sys/class/hwmon", picks: []pick{
		{dir: "sys/class/hwmon", list: "*"},
		{dir: "sys/class/hwmon/*", list: "device", files: "name"}}},
	{Name: "zswap", Kind: Tree, Path: "sys/module/zswap/parameters", Groups: inStorage, picks: []pick{
		{dir: "sys/module/zswap/parameters", files: "*"}}},
	{Name: "pcie-aspm", Kind: File, Path: "sys/module/pcie_aspm/parameters/policy", Groups: inPCI},
	{Name: "net", Kind: Tree, Path: "sys/class/net", Groups: inNet, Asks: "speed asks the driver", most: 6000, picks: []pick{
		{dir: "sys/class/net", list: "*"},
		{dir: "sys/class/net/*", list: "device", files: "operstate carrier mtu", asks: "duplex speed", of: "device"}}},
	{Name: "dma", Kind: Tree, Path: "sys/class/dma", picks: []pick{
		{dir: "sys/class/dma", list: "*"},
		{dir: "sys/class/dma/*", list: "device"}}},
	{Name: "drm", Kind: Tree, Path: "sys/class/drm", Groups: inPCI, Asks: "the clocks of an AMD card", picks: []pick{
		{dir: "sys/class/drm/card*/device", asks: "pp_dpm_pcie"}}},
	{Name: "thunderbolt", Kind: Tree, Path: "sys/bus/thunderbolt/devices", picks: []pick{
		{dir: "sys/bus/thunderbolt/devices", list: "*"},
		{dir: "sys/bus/thunderbolt/devices/domain*", files: "security iommu_dma_protection"}}},
	{Name: "device-tree", Kind: File, Path: "sys/firmware/devicetree/base/model"},
	{Name: "block", Kind: Tree, Path: "sys/class/block", Groups: inStorage, picks: []pick{
		{dir: "sys/class/block", list: "*"}}},
	{Name: "microcode", Kind: File, Path: "sys/devices/system/cpu/cpu0/microcode/version"},
	{Name: "efi", Kind: Tree, Path: "sys/firmware/efi", picks: []pick{
		{dir: "sys/firmware/efi", list: "*"}}},

	// debugfs.
	{Name: "qat", Kind: Tree, Path: "sys/kernel/debug/qat_*", Groups: inQAT, Root: "the counters of QAT devices",
		Asks: "fw_counters, cnv_errors and pm_status ask the firmware", wakes: "0x0b40", picks: []pick{
			{dir: "sys/kernel/debug/qat_*", files: "dev_cfg heartbeat/queries_sent heartbeat/queries_failed heartbeat/config " +
				"heartbeat_sent heartbeat_failed version/fw telemetry/control fw_counters cnv_errors pm_status"}}},
	{Name: "zswap-debug", Kind: Tree, Path: "sys/kernel/debug/zswap", Groups: []string{"storage", "debugfs"},
		Root: "the counters of zswap", picks: []pick{
			{dir: "sys/kernel/debug/zswap", files: "*"}}},

	// Netlink.
	{Name: "netlink-crypto", Kind: Netlink, Path: "netlink/crypto.pcap", Groups: inCrypto,
		dump: "NETLINK_CRYPTO: CRYPTO_MSG_GETALG dump"},
	{Name: "netlink-route", Kind: Netlink, Path: "netlink/route.pcap", Groups: inNet, Privacy: Identity,
		dump: "NETLINK_ROUTE: RTM_GETLINK dump with RTEXT_FILTER_VF"},
	{Name: "netlink-ethtool", Kind: Netlink, Path: "netlink/ethtool.pcap", Groups: inNet, Asks: "link modes and link state of network cards", wakes: "0x02",
		dump: "NETLINK_GENERIC ethtool: LINKINFO_GET, LINKMODES_GET, LINKSTATE_GET dumps"},
	{Name: "netlink-devlink", Kind: Netlink, Path: "netlink/devlink.pcap", Groups: inNet, Privacy: Identity, Asks: "versions and health from the firmware of network cards", wakes: "0x02",
		dump: "NETLINK_GENERIC devlink: GET, INFO_GET, HEALTH_REPORTER_GET dumps"},

	// rasdaemon. --summary and --errors would create the database.
	{Name: "ras-status", Kind: Command, Path: "cmd/ras-mc-ctl-status.txt", run: "ras-mc-ctl --status", answers: []int{1},
		absent: noEDAC, Groups: inRAS},
	{Name: "ras-summary", Kind: Command, Path: "cmd/ras-mc-ctl-summary.txt", run: "ras-mc-ctl --summary",
		needs: rasDatabase, filled: true, absent: noEDAC, Groups: inRAS, Privacy: Text, Root: "the errors that rasdaemon counted"},
	{Name: "ras-errors", Kind: Command, Path: "cmd/ras-mc-ctl-errors.txt", run: "ras-mc-ctl --errors",
		needs: rasDatabase, filled: true, absent: noEDAC, Groups: inRAS, Privacy: Text, Root: "the errors that rasdaemon recorded"},
	{Name: "ras-error-count", Kind: Command, Path: "cmd/ras-mc-ctl-error-count.txt", run: "ras-mc-ctl --error-count",
		absent: noEDAC, Groups: inRAS, Root: "memory errors by the labels of the modules"},
	{Name: "ras-layout", Kind: Command, Path: "cmd/ras-mc-ctl-layout.txt", run: "ras-mc-ctl --layout",
		absent: noEDAC, Groups: inRAS, Root: "the layout of memory modules"},
	// is-active answers 3 with "inactive", 4 where no such unit exists.
	{Name: "rasdaemon", Kind: Command, Path: "cmd/rasdaemon-active.txt", run: "systemctl is-active rasdaemon",
		answers: []int{3, 4}, absent: noSystemd, Groups: inRAS},

	// Tools that are there on some machines only. dmsetup and nvidia-smi load
	// a module where it is missing, so they are asked only where it is not.
	{Name: "nvme-list", Kind: Command, run: "nvme list", needs: "sys/class/nvme", Groups: inStorage, Privacy: Identity,
		Root: "the list of NVMe drives", Asks: "identify data of NVMe drives", wakes: "0x0108"},
	{Name: "nvme-smart-log", Kind: Command, run: "nvme smart-log /dev/{}", each: "sys/class/nvme/*", needs: "sys/class/nvme",
		Groups: inStorage, Root: "the health of NVMe drives", Asks: "the health log of NVMe drives", wakes: "0x0108"},
	{Name: "sensors", Kind: Command, run: "sensors", absent: []string{"No sensors found"}, Asks: "temperatures of devices", wakes: anyClass},
	{Name: "dmsetup", Kind: Command, run: "dmsetup table", needs: "sys/class/misc/device-mapper", Groups: inStorage, Privacy: Identity,
		Root: "the tables of device mapper, without keys"},
	{Name: "nvidia-smi", Kind: Command, run: "nvidia-smi -q", needs: "proc/driver/nvidia/version", Groups: inPCI, Privacy: Identity,
		absent: []string{"No devices were found"}, Asks: "NVIDIA cards", wakes: "0x03"},
	{Name: "lscpu", Kind: Command, run: "lscpu"},
	{Name: "locale", Kind: Command, run: "locale", userTongue: true},
	{Name: "ethtool", Kind: Command, run: "ethtool {}", each: "sys/class/net/*", family: "ethtool", Groups: inNet,
		Asks: "link state of network cards", wakes: "0x02"},

	// Asked last of all, and only with Options.Watch.
	{Name: "links", Kind: File, Path: "samples/links.jsonl", watch: &Watch{}, Groups: inPCI, Privacy: Text,
		Asks: "link files of functions that are awake"},
}
