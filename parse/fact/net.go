package fact

// Interface is one network interface. Several sources speak of it: ethtool's
// netlink dump, ethtool's text, rtnetlink and sysfs. A value is that of the first
// of them that knows it; what another one says otherwise is in Conflicts.
type Interface struct {
	Name      string      `json:"name"`
	Index     int         `json:"index,omitempty"`  // ifindex
	Device    string      `json:"device,omitempty"` // PCI address
	Driver    string      `json:"driver,omitempty"`
	Kind      string      `json:"kind,omitempty"`     // what a virtual one is: "vlan", "bond", "bridge", "veth"
	Master    string      `json:"master,omitempty"`   // bond or bridge that it belongs to
	Lower     string      `json:"lower,omitempty"`    // the one that it stands on; a veth's peer
	Speed     Val[int]    `json:"speed,omitzero"`     // Mbit/s; absent where the driver does not know
	Duplex    Val[string] `json:"duplex,omitzero"`    // "full", "half"
	Carrier   Val[string] `json:"carrier,omitzero"`   // "1", "0"
	OperState Val[string] `json:"operstate,omitzero"` // "up", "down", "lowerlayerdown", ... (RFC 2863)
	MTU       Val[int]    `json:"mtu,omitzero"`       // bytes
	// CarrierChanges counts how often the carrier came or went since the interface
	// is there.
	CarrierChanges Val[int64] `json:"carrierChanges,omitzero"`
	VFs            Val[int]   `json:"vfs,omitzero"` // virtual functions that the card has for it
	// Errors are the counters of errors and drops that are not zero, by their names
	// in struct rtnl_link_stats64: "rx_crc_errors", "rx_missed_errors", ...
	Errors    Val[map[string]int64] `json:"errors,omitzero"`
	Ethtool   *Ethtool              `json:"ethtool,omitempty"`
	Conflicts []Reading             `json:"conflicts,omitempty"`
	At        Line                  `json:"from,omitzero"`
}

// Ethtool is what a network driver says of its port, in the words of ethtool(8).
// A list of modes is absent where the driver reports none.
type Ethtool struct {
	Autoneg           Val[bool]       `json:"autoneg,omitzero"`
	Lanes             Val[int]        `json:"lanes,omitzero"`
	Supported         Val[[]LinkMode] `json:"supported,omitzero"`
	Advertised        Val[[]LinkMode] `json:"advertised,omitzero"`
	Partner           Val[[]LinkMode] `json:"partner,omitzero"`           // what the other end advertises
	SupportsAutoneg   Val[bool]       `json:"supportsAutoneg,omitzero"`   // the port can negotiate
	AdvertisesAutoneg Val[bool]       `json:"advertisesAutoneg,omitzero"` // and says so
	PartnerAutoneg    Val[bool]       `json:"partnerAutoneg,omitzero"`    // the other end negotiates
	Port              Val[string]     `json:"port,omitzero"`              // "Twisted Pair", "FIBRE", "Direct Attach Copper", ...
	Transceiver       Val[string]     `json:"transceiver,omitzero"`       // "internal", "external"
	Link              Val[bool]       `json:"link,omitzero"`              // link detected
	LinkReason        Val[string]     `json:"linkReason,omitzero"`        // why not: "No cable", "Autoneg, No partner detected"
	LinkDowns         Val[int64]      `json:"linkDowns,omitzero"`         // how often the link went down
	SignalQuality     Val[int]        `json:"signalQuality,omitzero"`     // SQI
	SignalQualityMax  Val[int]        `json:"signalQualityMax,omitzero"`  // best value of SQI
	Firmware          Val[string]     `json:"firmware,omitzero"`          // firmware-version of ethtool -i
}

// LinkMode is a way in which a port can run.
type LinkMode struct {
	Name  string `json:"name"`  // "1000baseT/Full"
	Speed int    `json:"speed"` // Mbit/s
}

// Reading is what one source says of a value of which another one says
// something else.
type Reading struct {
	Field string `json:"field"` // "speed", "mtu", ...
	Value string `json:"value"`
	At    Line   `json:"from,omitzero"`
}

// Devlink is a device that its driver has registered with devlink.
type Devlink struct {
	Handle    string           `json:"handle"`           // "pci/0000:81:00.0"
	Device    string           `json:"device,omitempty"` // PCI address
	Driver    Val[string]      `json:"driver,omitzero"`
	Failed    Val[bool]        `json:"reloadFailed,omitzero"` // its last reload failed
	Versions  []DevlinkVersion `json:"versions,omitempty"`
	Reporters []HealthReporter `json:"reporters,omitempty"`
	At        Line             `json:"from,omitzero"`
}

// DevlinkVersion is the version of one part.
type DevlinkVersion struct {
	Kind  string `json:"kind"` // "fixed" (hardware), "running", "stored" (used from the next start on)
	Name  string `json:"name"` // "fw.mgmt"
	Value string `json:"value"`
	At    Line   `json:"from,omitzero"`
}

// HealthReporter watches one part of a device.
type HealthReporter struct {
	Name       string `json:"name"`           // "fw", "tx"
	Port       *int   `json:"port,omitempty"` // port of the device, where it belongs to one
	State      string `json:"state"`          // "healthy", "error"
	Errors     int64  `json:"errors"`
	Recoveries int64  `json:"recoveries"`
	At         Line   `json:"from,omitzero"`
}
