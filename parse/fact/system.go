package fact

// Platform says which machine this is.
type Platform struct {
	Vendor      Val[string]   `json:"vendor,omitzero"`  // DMI sys_vendor
	Product     Val[string]   `json:"product,omitzero"` // DMI product_name
	BoardVendor Val[string]   `json:"boardVendor,omitzero"`
	Board       Val[string]   `json:"board,omitzero"` // DMI board_name
	BIOSVendor  Val[string]   `json:"biosVendor,omitzero"`
	BIOSVersion Val[string]   `json:"biosVersion,omitzero"`
	BIOSDate    Val[string]   `json:"biosDate,omitzero"`
	Model       Val[string]   `json:"model,omitzero"` // device tree model
	CPU         Val[string]   `json:"cpu,omitzero"`   // model name
	CPUs        Val[int]      `json:"cpus,omitzero"`  // logical processors
	CPUFlags    Val[[]string] `json:"cpuFlags,omitzero"`
	Microcode   Val[string]   `json:"microcode,omitzero"`
	Hypervisor  Val[string]   `json:"hypervisor,omitzero"` // "hypervisor" CPU flag, or DMI
	Kernel      Val[string]   `json:"kernel,omitzero"`     // release, "6.1.0-30-amd64"
	Version     Val[string]   `json:"version,omitzero"`    // /proc/version
	Cmdline     Val[string]   `json:"cmdline,omitzero"`
	Tainted     Val[string]   `json:"tainted,omitzero"` // /proc/sys/kernel/tainted, decimal
	OS          Val[string]   `json:"os,omitzero"`      // PRETTY_NAME
	Modules     Val[[]string] `json:"modules,omitzero"` // loaded modules
	Uptime      Val[float64]  `json:"uptime,omitzero"`  // seconds
	EFI         Val[bool]     `json:"efi,omitzero"`
}

// IOMMU is what sysfs says of DMA remapping.
type IOMMU struct {
	State      State   `json:"state,omitempty"`  // of /sys/kernel/iommu_groups; Empty: there are none
	Groups     []Group `json:"groups,omitempty"` // by number
	Units      []Entry `json:"units,omitempty"`  // /sys/class/iommu: dmar0, ivhd0, smmu3.0x...
	UnitsState State   `json:"unitsState,omitempty"`
}

// Group is one IOMMU group.
type Group struct {
	ID      string      `json:"id"`
	Type    Val[string] `json:"type,omitzero"` // "DMA", "DMA-FQ", "identity", ...
	Name    Val[string] `json:"name,omitzero"` // "vfio-noiommu"
	Devices []Entry     `json:"devices"`
}

// Crypto is the kernel's list of registered algorithms.
type Crypto struct {
	Proc    State       `json:"proc,omitempty"`    // of /proc/crypto
	Netlink State       `json:"netlink,omitempty"` // of the NETLINK_CRYPTO dump
	FIPS    Val[string] `json:"fips,omitzero"`     // /proc/sys/crypto/fips_enabled
	// Config are options of the kernel's own configuration (/proc/config.gz) that
	// tell how it does crypto, by name: "CRYPTO_SELFTESTS" is "y", "m", or "n" for
	// one that is not set.
	Config map[string]Val[string] `json:"config,omitempty"`
	// Algorithms in the kernel's order (newest registered first), which
	// decides between equal priorities.
	Algorithms []Algorithm `json:"algorithms,omitempty"`
}

// Algorithm is one implementation.
type Algorithm struct {
	Name     string `json:"name"`   // "xts(aes)"
	Driver   string `json:"driver"` // "qat_aes_xts"
	Module   string `json:"module,omitempty"`
	Priority int    `json:"priority"`
	RefCount int    `json:"refcnt,omitempty"`
	SelfTest string `json:"selftest,omitempty"` // "passed", "unknown"
	Internal bool   `json:"internal,omitempty"`
	Type     string `json:"type,omitempty"`
	Async    *bool  `json:"async,omitempty"`
	// FIPS tells whether FIPS mode allows it to everybody; nil outside of it, and
	// before Linux 6.3.
	FIPS *bool `json:"fips,omitempty"`
	// Attributes are the numbers of the type's block: blocksize, ivsize,
	// "min keysize", ...
	Attributes map[string]int `json:"attributes,omitempty"`
	Flags      Val[uint32]    `json:"flags,omitzero"`      // cra_flags, netlink only
	FlagNames  []string       `json:"flagNames,omitempty"` // "ASYNC", "ALLOCATES_MEMORY", ...
	From       Line           `json:"from,omitzero"`       // /proc/crypto, its name line
	DriverAt   Line           `json:"-"`
	PriorityAt Line           `json:"-"`
	SelfTestAt Line           `json:"-"`
	Frame      Line           `json:"netlinkFrom,omitzero"`
	// Conflicts are what the netlink dump says otherwise: priority, selftest, type.
	Conflicts []Reading `json:"conflicts,omitempty"`
}

// QAT is one QuickAssist device: what debugfs, the folders qat/ and qat_ras/ of
// its PCI function, and adf_ctl say of it.
type QAT struct {
	Address         string             `json:"address"`
	Folder          string             `json:"folder"`
	Config          []ConfigValue      `json:"config,omitempty"` // dev_cfg
	ConfigState     State              `json:"configState,omitempty"`
	Counters        Val[[]EngineCount] `json:"counters,omitzero"`  // fw_counters
	CnvErrors       Val[[]EngineCount] `json:"cnvErrors,omitzero"` // cnv_errors: Requests is the total
	HeartbeatSent   Val[int64]         `json:"heartbeatSent,omitzero"`
	HeartbeatFailed Val[int64]         `json:"heartbeatFailed,omitzero"`
	// Silent are the engines whose firmware did not answer when fw_counters
	// were read ("No Response"); their counts are not known.
	Silent          []EngineCount `json:"silent,omitempty"`
	HeartbeatPeriod Val[int64]    `json:"heartbeatPeriod,omitzero"` // heartbeat/config, milliseconds
	// TelemetryControl is telemetry/control: 0 for off, else over how many
	// samples a metric has its minimum, maximum and average.
	TelemetryControl Val[int64]    `json:"telemetryControl,omitzero"`
	Telemetry        []Metric      `json:"telemetry,omitempty"` // device_data, rp_A_data, ...
	Power            []ConfigValue `json:"power,omitempty"`     // pm_status
	Firmware         Val[string]   `json:"firmware,omitzero"`   // version/fw of the out-of-tree driver
	Package          Val[string]   `json:"package,omitzero"`    // version of that driver, where it prints one
	// State and services of the sysfs folder qat/, Gen 4 and later.
	Up        Val[string] `json:"state,omitzero"`
	Services  Val[string] `json:"services,omitzero"`
	RingPairs Val[int64]  `json:"ringPairs,omitzero"` // num_rps
	AutoReset Val[string] `json:"autoReset,omitzero"` // auto_reset, "on" or "off"
	PMIdle    Val[string] `json:"pmIdle,omitzero"`    // pm_idle_enabled, "0" or "1"
	// Errors since the device was started, of the sysfs folder qat_ras/.
	Correctable Val[int64] `json:"errorsCorrectable,omitzero"`
	NonFatal    Val[int64] `json:"errorsNonFatal,omitzero"`
	Fatal       Val[int64] `json:"errorsFatal,omitzero"`
	// Status is the device's line of adf_ctl status.
	Status *QATStatus `json:"status,omitempty"`
}

// QATStatus is one line of adf_ctl status or qat_service status, of the
// out-of-tree driver.
type QATStatus struct {
	Number   int    `json:"number"`   // of qat_dev<n>
	Type     string `json:"type"`     // "c6xx"
	Instance int    `json:"instance"` // among those of the type
	Node     int    `json:"node"`
	Accels   int    `json:"accels"`
	Engines  int    `json:"engines"`
	State    string `json:"state"` // "up", "down"
	At       Line   `json:"from,omitzero"`
}

// Metric is one line of a QAT device's telemetry.
type Metric struct {
	File string `json:"file"`           // "device_data", "rp_A_data"
	Name string `json:"name"`           // "bw_in" (Mbit/s), "util_cpr0" (percent), "gp_lat_acc_avg" (ns), ...
	Text string `json:"text,omitempty"` // of a metric that is no number: service_type
	// Value is the last sample's, the rest over the samples that are kept.
	Value *int64 `json:"value,omitempty"`
	Min   *int64 `json:"min,omitempty"`
	Max   *int64 `json:"max,omitempty"`
	Avg   *int64 `json:"avg,omitempty"`
	At    Line   `json:"from,omitzero"`
}

// EngineCount is one acceleration engine's pair of counters.
type EngineCount struct {
	Engine    int   `json:"engine"`
	Requests  int64 `json:"requests"`
	Responses int64 `json:"responses"`
	// RASEvents is printed by newer out-of-tree drivers only.
	RASEvents *int64 `json:"rasEvents,omitempty"`
	LastError string `json:"lastError,omitempty"` // cnv_errors only
	At        Line   `json:"from,omitzero"`
}

// ConfigValue is one "key = value" line of dev_cfg, or "key: value" of pm_status.
type ConfigValue struct {
	Section string `json:"section"`
	Key     string `json:"key"`
	Value   string `json:"value"`
	At      Line   `json:"from,omitzero"`
}

// RAS is what rasdaemon, mcelog and EDAC say.
type RAS struct {
	Status    Val[string]       `json:"status,omitzero"`    // ras-mc-ctl --status
	Daemon    Val[string]       `json:"daemon,omitzero"`    // systemctl is-active rasdaemon
	Mainboard Val[string]       `json:"mainboard,omitzero"` // ras-mc-ctl --mainboard, "Example model Board-1"
	Summary   Val[[]RASSection] `json:"summary,omitzero"`   // ras-mc-ctl --summary
	Errors    Val[[]RASSection] `json:"errors,omitzero"`    // ras-mc-ctl --errors
	Labels    Val[[]DIMMCount]  `json:"labels,omitzero"`    // ras-mc-ctl --error-count
	Layout    Val[[]DIMMSize]   `json:"layout,omitzero"`    // ras-mc-ctl --layout
	// Sockets are the labels of memory sockets: ras-mc-ctl --print-labels, from
	// its list of boards, or --guess-labels, from DMI.
	Sockets Val[[]DIMMLabel]  `json:"sockets,omitzero"`
	EDAC    Val[[]Controller] `json:"edac,omitzero"` // /sys/devices/system/edac/mc
	// MachineChecks are the records of mcelog, in the order of the text.
	MachineChecks Val[[]MachineCheck] `json:"machineChecks,omitzero"`
	// MCELog is what the daemon mcelog counted by module since it started
	// (mcelog --client), by "SOCKET 0 CHANNEL 1 DIMM 0" or its name in DMI.
	MCELog Val[[]DIMMCount] `json:"mcelog,omitzero"`
}

// RASSection is one section of ras-mc-ctl output. A section that the text does
// not have is not in the list: absent, not zero.
type RASSection struct {
	// Name is "aer", "memory", "mce", "extlog", "devlink", "disk", ...;
	// "unknown" for what is missing where the text does not say which.
	Name string     `json:"name"`
	None bool       `json:"none,omitempty"` // "No ... errors."
	Rows []RASEvent `json:"rows,omitempty"`
	Cut  bool       `json:"cut,omitempty"` // the text broke off inside
	At   Line       `json:"from,omitzero"`
}

// RASEvent is one row.
type RASEvent struct {
	Count    int    `json:"count"`
	Time     string `json:"time,omitempty"`     // as printed, "2026-08-03 18:04:11 +0200"
	Device   string `json:"device,omitempty"`   // PCI address (--errors only), DIMM label, disk, CXL device, CPU
	Severity string `json:"severity,omitempty"` // "Corrected", ...
	Message  string `json:"message"`
	At       Line   `json:"from,omitzero"`
}

// DIMMCount is one row of ras-mc-ctl --error-count, or one module of a
// [Controller], of which more is known.
type DIMMCount struct {
	Label       string `json:"label"`
	Corrected   int64  `json:"corrected"`
	Uncorrected int64  `json:"uncorrected"`
	Location    string `json:"location,omitempty"` // dimm_location, "channel 0 slot 1"
	MemType     string `json:"memType,omitempty"`  // dimm_mem_type, "Registered-DDR4"
	Mode        string `json:"mode,omitempty"`     // dimm_edac_mode, "S4ECD4ED"; "None" is no correction
	SizeMiB     int64  `json:"sizeMiB,omitempty"`
	At          Line   `json:"from,omitzero"`
	// UncorrectedAt is the place of Uncorrected where that is another one.
	UncorrectedAt Line `json:"-"`
}

// DIMMSize is one cell of ras-mc-ctl --layout.
type DIMMSize struct {
	Location string `json:"location"` // "mc0 channel1 slot0"
	SizeMiB  int64  `json:"sizeMiB"`  // 0 is an empty place; rounded down where the text has larger units
	At       Line   `json:"from,omitzero"`
}

// DIMMLabel says what is printed on the board beside a memory socket.
type DIMMLabel struct {
	Location string `json:"location"`          // "mc0 channel 1 slot 0", or DMI's bank locator
	Label    string `json:"label"`             // configured, or DMI's locator
	InSysfs  string `json:"inSysfs,omitempty"` // dimm_label, as --print-labels found it
	At       Line   `json:"from,omitzero"`
}

// MachineCheck is one record of mcelog.
type MachineCheck struct {
	CPU  *int `json:"cpu,omitempty"`
	Bank *int `json:"bank,omitempty"`
	// BankName stands in place of a number ("THERMAL EVENT") or behind it
	// ("northbridge").
	BankName string `json:"bankName,omitempty"`
	Status   string `json:"status,omitempty"`  // IA32_MCi_STATUS, 16 hex digits
	Address  string `json:"address,omitempty"` // hex, as printed
	Misc     string `json:"misc,omitempty"`    // hex, as printed
	Socket   *int   `json:"socket,omitempty"`
	Time     int64  `json:"time,omitempty"` // seconds since 1970
	// Severity is "corrected" or "uncorrected" by bit UC of the status, "fatal"
	// where the processor's context was lost as well (bit PCC; Intel SDM volume
	// 3B, IA32_MCi_STATUS MSRs); empty where no valid status was printed, and
	// for a thermal event, which is no error.
	Severity string   `json:"severity,omitempty"`
	Text     []string `json:"text,omitempty"` // what mcelog says of it, "MCA: ..."
	At       Line     `json:"from,omitzero"`
}

// Controller is one EDAC memory controller.
type Controller struct {
	ID   string     `json:"id"` // "mc0"
	Name string     `json:"name,omitempty"`
	CE   Val[int64] `json:"ce,omitzero"`
	UE   Val[int64] `json:"ue,omitzero"`
	// Of these errors, those that no module is known for.
	CENoInfo Val[int64] `json:"ceNoInfo,omitzero"`
	UENoInfo Val[int64] `json:"ueNoInfo,omitzero"`
	// Since is how many seconds ago the counters began at zero.
	Since     Val[int64] `json:"since,omitzero"`
	ScrubRate Val[int64] `json:"scrubRate,omitzero"` // bytes a second
	// DIMMs are its modules with both counters read (dimm<n> or rank<n>), by
	// their label, or "mc0/dimm1" where none was read. Kernels without such
	// counters have them by chip-select row (csrow<n>).
	DIMMs []DIMMCount `json:"dimms,omitempty"`
}

// Sensor is one hwmon folder and the device it belongs to.
type Sensor struct {
	ID     string      `json:"id"` // "hwmon3"
	Name   Val[string] `json:"name,omitzero"`
	Device string      `json:"device,omitempty"` // PCI address, where it is one
	At     Line        `json:"from,omitzero"`
}

// DMAChannel is one entry of /sys/class/dma.
type DMAChannel struct {
	Name   string `json:"name"` // "dma0chan0"
	Device string `json:"device,omitempty"`
	Driver string `json:"driver,omitempty"`
	At     Line   `json:"from,omitzero"`
}
