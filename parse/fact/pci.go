package fact

import (
	"cmp"
	"sort"
)

// Device is one PCI function. What lspci prints and what sysfs says are merged
// by address; where both speak of the same thing they are kept apart (Express
// against Sysfs), so that a rule can compare them.
type Device struct {
	Address     string    `json:"address"`
	Class       string    `json:"class,omitempty"`  // "0b40"
	ProgIf      string    `json:"progIf,omitempty"` // "02"
	Vendor      string    `json:"vendor,omitempty"`
	Device      string    `json:"device,omitempty"`
	SubVendor   string    `json:"subVendor,omitempty"`
	SubDevice   string    `json:"subDevice,omitempty"`
	SubName     string    `json:"subName,omitempty"` // Subsystem, as printed without its ids
	Revision    string    `json:"revision,omitempty"`
	Name        string    `json:"name,omitempty"`        // as printed, vendor and device
	ClassName   string    `json:"className,omitempty"`   // as printed
	Label       string    `json:"label,omitempty"`       // DeviceName, firmware's label
	Slot        string    `json:"slot,omitempty"`        // Physical Slot
	Header      string    `json:"header,omitempty"`      // "00", "01", "02"; "7f" reads all ones
	HeaderAt    Line      `json:"-"`                     // place of a Header that is none of these
	Driver      string    `json:"driver,omitempty"`      // empty: none bound, if DriverKnown
	DriverKnown bool      `json:"driverKnown,omitempty"` // a source that names drivers speaks of this device
	DriverAt    Line      `json:"-"`                     // place of Driver
	Modules     []string  `json:"modules,omitempty"`
	NUMANode    *int      `json:"numaNode,omitempty"`
	IOMMUGroup  string    `json:"iommuGroup,omitempty"`
	Parent      string    `json:"parent,omitempty"` // bridge above; empty on a root bus
	Root        string    `json:"root,omitempty"`   // root bridge's ACPI name, "PNP0A08:07"
	Bus         *BusRange `json:"bus,omitempty"`

	// PCIIDs are those of name, className and subName that no source printed.
	// They are of the pci.ids that hwcap carries (package pciids), and stand
	// nowhere in the capture.
	PCIIDs []string `json:"pciIds,omitempty"`

	// CapsState tells whether the capability list could be read: Present,
	// Denied ("<access denied>"), or zero where no source prints it.
	CapsState State `json:"capabilities,omitempty"`
	CapsAt    Line  `json:"-"` // place of what says that the list was refused
	// ExtCaps: an extended capability (offset 100 and up) was seen.
	ExtCaps bool     `json:"extendedCapabilities,omitempty"`
	Express *Express `json:"express,omitempty"`
	AER     *AER     `json:"aer,omitempty"`
	ACS     *ACS     `json:"acs,omitempty"`
	SRIOV   *SRIOV   `json:"sriov,omitempty"`
	ReBAR   []ReBAR  `json:"rebar,omitempty"`
	DPC     *DPC     `json:"dpc,omitempty"`
	ARI     bool     `json:"ari,omitempty"`
	// LaneErrors are the lanes that LaneErrStat of the Secondary PCI Express
	// capability names; read and empty for none.
	LaneErrors Val[[]int] `json:"laneErrors,omitzero"`
	L1SS       *L1SS      `json:"l1ss,omitempty"`
	LTR        *LTR       `json:"ltr,omitempty"`
	TPH        bool       `json:"tph,omitempty"` // Transaction Processing Hints, the requester's capability
	// Serial is the Device Serial Number as lspci prints it,
	// "00-11-22-ff-ff-33-44-55".
	Serial  Val[string] `json:"serial,omitzero"`
	DisINTx Val[bool]   `json:"disINTx,omitzero"` // DisINTx+: the interrupt line is switched off
	MSI     Val[bool]   `json:"msi,omitzero"`     // Enable+
	MSIX    Val[bool]   `json:"msix,omitzero"`    // Enable+
	Power   Val[string] `json:"power,omitzero"`   // "D0", "D3" from the PM capability
	AFReset Val[bool]   `json:"afReset,omitzero"` // FLR of the Advanced Features capability
	Regions []Region    `json:"regions,omitempty"`
	Windows []Window    `json:"windows,omitempty"`

	Sysfs    *Sysfs `json:"sysfs,omitempty"`
	Listings int    `json:"listings"` // how often lspci's text lists the address
	From     Line   `json:"from,omitzero"`
	// Conflicts are registers of the link, express.linkCap and express.linkSta, of
	// which the file config says something else than what was printed.
	Conflicts []Reading `json:"conflicts,omitempty"`
}

// BusRange is the bus numbers of a bridge.
type BusRange struct {
	Primary     int  `json:"primary"`
	Secondary   int  `json:"secondary"`
	Subordinate int  `json:"subordinate"`
	At          Line `json:"from,omitzero"`
}

// The types of a PCI Express function (PCIe Base Specification 7.5.3.2,
// Device/Port Type).
const (
	Endpoint       = "endpoint"
	LegacyEndpoint = "legacy-endpoint"
	RootPort       = "root-port"
	UpstreamPort   = "upstream-port"
	DownstreamPort = "downstream-port"
	PCIeToPCI      = "pcie-to-pci-bridge"
	PCIToPCIe      = "pci-to-pcie-bridge"
	RCiEP          = "root-complex-integrated-endpoint"
	RCEC           = "root-complex-event-collector"
)

// Express is the PCI Express capability. Links are nil where the text does not
// print the register.
type Express struct {
	Type              string    `json:"type"`
	Version           int       `json:"version,omitempty"`
	Slot              *bool     `json:"slot,omitempty"` // "Slot+": the port leads to a slot
	LinkCap           *Link     `json:"linkCap,omitempty"`
	LinkSta           *Link     `json:"linkSta,omitempty"`
	LinkCtl           *LinkCtl  `json:"linkCtl,omitempty"`
	LinkCtl2          *LinkCtl2 `json:"linkCtl2,omitempty"`
	DLActive          Val[bool] `json:"dlActive,omitzero"`          // LnkSta DLActive
	DLActiveReporting Val[bool] `json:"dlActiveReporting,omitzero"` // LnkCap LLActRep
	SlotSta           *SlotSta  `json:"slotSta,omitempty"`
	SlotNumber        *int      `json:"slotNumber,omitempty"`    // SltCap "Slot #3"
	HotPlug           Val[bool] `json:"hotPlug,omitzero"`        // SltCap HotPlug
	MRLSensor         Val[bool] `json:"mrlSensor,omitzero"`      // SltCap MRL: a sensor at the slot's retention latch
	MaxPayloadCap     int       `json:"maxPayloadCap,omitempty"` // bytes, DevCap
	MaxPayloadCapAt   Line      `json:"-"`                       // place of MaxPayloadCap; DevCtl has that of the next two
	MaxPayload        int       `json:"maxPayload,omitempty"`    // bytes, DevCtl
	MaxReadReq        int       `json:"maxReadReq,omitempty"`    // bytes, DevCtl
	FLReset           Val[bool] `json:"flReset,omitzero"`        // DevCap, or AFCap where only that says so
	DevSta            *Flags    `json:"devSta,omitempty"`
	DevCtl            *Flags    `json:"devCtl,omitempty"`
	RootCtl           *Flags    `json:"rootCtl,omitempty"`
	DevCap2           *Flags    `json:"devCap2,omitempty"` // TimeoutDis, LTR, ARIFwd, TPHComp, ExtTPHComp, ...
	DevCtl2           *Flags    `json:"devCtl2,omitempty"` // TimeoutDis, LTR, ARIFwd, ...
	// CompletionRanges is DevCap2's "Range ABCD", CompletionTimeout DevCtl2's
	// value as lspci prints it, "50us to 50ms".
	CompletionRanges  Val[string] `json:"completionRanges,omitzero"`
	CompletionTimeout Val[string] `json:"completionTimeout,omitzero"`
	LnkSta2           *Flags      `json:"lnkSta2,omitempty"` // EqualizationComplete, EqualizationPhase1, ..., Retimer, 2Retimers
	At                Line        `json:"from,omitzero"`
}

// Link is a link speed and width. Zero Speed: printed as unknown; Width 0 is
// "x0", a link that is not up.
type Link struct {
	Speed float64 `json:"speed"`          // GT/s
	Width int     `json:"width"`          // lanes
	Port  *int    `json:"port,omitempty"` // LnkCap Port #
	ASPM  string  `json:"aspm,omitempty"` // "L0s L1", "not supported", as printed
	Note  string  `json:"note,omitempty"` // "downgraded" and the like, as printed
	At    Line    `json:"from,omitzero"`
}

// LinkCtl is what LnkCtl says of ASPM.
type LinkCtl struct {
	ASPM     string `json:"aspm"`               // "Disabled", "L1 Enabled", as printed
	Disabled bool   `json:"disabled,omitempty"` // link disable bit
	At       Line   `json:"from,omitzero"`
}

// LinkCtl2 holds the target link speed in GT/s.
type LinkCtl2 struct {
	Target float64 `json:"target"`
	At     Line    `json:"from,omitzero"`
}

// SlotSta is what SltSta says.
type SlotSta struct {
	PresDet  bool `json:"presDet"`
	PowerFlt bool `json:"powerFlt,omitempty"`
	MRL      bool `json:"mrl,omitempty"` // the retention latch is open, where Express.MRLSensor says that one watches it
	At       Line `json:"from,omitzero"`
}

// Flags is one register printed as NAME+ NAME-, under canonical names: those of
// lspci 3.13 (UncorrErr is NonFatalErr, UnsuppReq is UnsupReq, NonFatalErr of
// CESta is AdvNonFatalErr, ACSVoil is ACSViol). A name that the text does not
// print is not in the map. DpcCtl's "Trigger:1" is Trigger, set unless it is 0.
type Flags struct {
	Bits map[string]bool `json:"bits"`
	At   []Line          `json:"from,omitempty"` // the register's lines
}

// Set returns the names that are set, sorted.
func (f *Flags) Set() []string {
	if f == nil {
		return nil
	}
	var names []string
	for name, on := range f.Bits {
		if on {
			names = append(names, name)
		}
	}
	sort.Strings(names)
	return names
}

// Has reports whether name is printed and set.
func (f *Flags) Has(name string) bool { return f != nil && f.Bits[name] }

// AER is the Advanced Error Reporting capability. Flags are nil where the
// register is not printed.
type AER struct {
	UESta   *Flags `json:"ueSta,omitempty"`
	UEMsk   *Flags `json:"ueMsk,omitempty"`
	UESvrt  *Flags `json:"ueSvrt,omitempty"`
	CESta   *Flags `json:"ceSta,omitempty"`
	CEMsk   *Flags `json:"ceMsk,omitempty"`
	RootCmd *Flags `json:"rootCmd,omitempty"`
	RootSta *Flags `json:"rootSta,omitempty"`
	At      Line   `json:"from,omitzero"`
}

// Printed reports whether the text has both status registers: old versions of
// lspci, and brief listings, name the capability only.
func (a *AER) Printed() bool { return a.UESta != nil && a.CESta != nil }

// ACS is the Access Control Services capability.
type ACS struct {
	Cap *Flags `json:"cap,omitempty"`
	Ctl *Flags `json:"ctl,omitempty"`
	At  Line   `json:"from,omitzero"`
}

// DPC is the Downstream Port Containment capability.
type DPC struct {
	Ctl *Flags `json:"ctl,omitempty"`
	Sta *Flags `json:"sta,omitempty"`
	At  Line   `json:"from,omitzero"`
}

// L1SS is the L1 PM Substates capability: L1SubCap, and the enables of
// L1SubCtl1, under lspci's names (PCI-PM_L1.2, ASPM_L1.1, L1_PM_Substates, ...).
type L1SS struct {
	Cap *Flags `json:"cap,omitempty"`
	Ctl *Flags `json:"ctl,omitempty"`
	At  Line   `json:"from,omitzero"`
}

// LTR is the Latency Tolerance Reporting capability, in nanoseconds.
type LTR struct {
	MaxSnoop   int64 `json:"maxSnoopNs"`
	MaxNoSnoop int64 `json:"maxNoSnoopNs"`
	At         Line  `json:"from,omitzero"`
}

// SRIOV is the Single Root I/O Virtualization capability.
type SRIOV struct {
	InitialVFs int  `json:"initialVFs"`
	TotalVFs   int  `json:"totalVFs"`
	NumVFs     int  `json:"numVFs"`
	At         Line `json:"from,omitzero"`
}

// ReBAR is one BAR of the Resizable BAR capability, sizes in bytes. Current is 0
// where it is printed as unknown.
type ReBAR struct {
	BAR       int     `json:"bar"`
	Current   int64   `json:"current"`
	Supported []int64 `json:"supported,omitempty"`
	At        Line    `json:"from,omitzero"`
}

// Region is a base address register as printed.
type Region struct {
	Index    int    `json:"index"`             // 6 is the expansion ROM; -1: not printed (lspci -v)
	Kind     string `json:"kind"`              // "mem", "io"
	Address  string `json:"address,omitempty"` // hex, or "" when unassigned
	State    string `json:"state,omitempty"`   // one of "unassigned", "ignored", "broken", "virtual", "disabled", "enhanced", the first that holds
	Bits     int    `json:"bits,omitempty"`    // 32, 64
	Prefetch bool   `json:"prefetch,omitempty"`
	Size     int64  `json:"size,omitempty"` // bytes; 0: not printed
	At       Line   `json:"from,omitzero"`
}

// Window is an address window of a bridge.
type Window struct {
	Kind  string `json:"kind"`            // "io", "mem", "pref"
	Start string `json:"start,omitempty"` // hex
	End   string `json:"end,omitempty"`
	Open  bool   `json:"open"`
	At    Line   `json:"from,omitzero"`
}

// Sysfs is what the files below /sys/bus/pci/devices/ADDRESS say
// (Documentation/ABI/testing/sysfs-bus-pci).
type Sysfs struct {
	Current        Val[Link]     `json:"current,omitzero"`         // current_link_speed, current_link_width
	Max            Val[Link]     `json:"max,omitzero"`             // max_link_speed, max_link_width
	WidthAt        Line          `json:"-"`                        // place of current_link_width
	MaxWidthAt     Line          `json:"-"`                        // place of max_link_width
	AERCorrectable Val[Counters] `json:"aerCorrectable,omitzero"`  // aer_dev_correctable
	AERNonFatal    Val[Counters] `json:"aerNonFatal,omitzero"`     // aer_dev_nonfatal
	AERFatal       Val[Counters] `json:"aerFatal,omitzero"`        // aer_dev_fatal
	RootCor        Val[int64]    `json:"rootCorrectable,omitzero"` // aer_rootport_total_err_cor
	RootNonFatal   Val[int64]    `json:"rootNonFatal,omitzero"`
	RootFatal      Val[int64]    `json:"rootFatal,omitzero"`
	PowerState     Val[string]   `json:"powerState,omitzero"`    // power_state
	Runtime        Val[string]   `json:"runtimeStatus,omitzero"` // power/runtime_status
	ResetMethod    Val[string]   `json:"resetMethod,omitzero"`   // reset_method, "flr bus"
	BootVGA        Val[string]   `json:"bootVGA,omitzero"`       // boot_vga
	TotalVFs       Val[int]      `json:"totalVFs,omitzero"`      // sriov_totalvfs
	NumVFs         Val[int]      `json:"numVFs,omitzero"`        // sriov_numvfs
	PhysFn         string        `json:"physfn,omitempty"`       // a virtual function's physical function
	// ConfigBytes is how much of configuration space could be read: 64 without
	// CAP_SYS_ADMIN, 256 or 4096 with it.
	ConfigBytes Val[int64] `json:"configBytes,omitzero"`
}

// Counters is one aer_dev_* file: counts by short name (RxErr, BadTLP, ...),
// and the total of messages, which need not be their sum.
type Counters struct {
	Total  int64            `json:"total"`
	Counts map[string]int64 `json:"counts,omitempty"` // non-zero ones
	At     map[string]Line  `json:"-"`                // place of each non-zero count; "TOTAL" for the total
}

// PortDriver is one service driver of /sys/bus/pci_express/drivers and the
// ports it is bound to.
type PortDriver struct {
	Service string  `json:"service"`         // "aer", "dpc", "pciehp", "pcie_pme"
	Ports   []Entry `json:"ports,omitempty"` // Name "0000:c2:05.0:pcie002", Target as listed
	State   State   `json:"state"`
}

// Slot is one DMI type 9 structure (SMBIOS System Slots).
type Slot struct {
	Designation string `json:"designation"`
	Type        string `json:"type"`  // "x16 PCI Express 4 x16"
	Usage       string `json:"usage"` // "In Use", "Available"
	ID          string `json:"id,omitempty"`
	Address     string `json:"address,omitempty"` // "0000:51:00.0"; firmware may print ff
	At          Line   `json:"from,omitzero"`
	UsageAt     Line   `json:"-"`
}

// Refused returns the place that shows the capability list of d to be
// [Denied]: the line that says so, else that of the device.
func (d *Device) Refused() Line { return cmp.Or(d.CapsAt, d.From) }
