package fact

// Schema names the version of the JSON form of a Machine (hwcap facts).
const Schema = "hwcap.facts/1"

// Machine is all that one capture says.
type Machine struct {
	Schema      string       `json:"schema"`
	Capture     Capture      `json:"capture"`
	Platform    Platform     `json:"platform"`
	PCI         []Device     `json:"pci"` // by address
	PortDrivers []PortDriver `json:"portDrivers,omitempty"`
	Slots       []Slot       `json:"slots,omitempty"` // DMI type 9
	Log         Log          `json:"log"`
	IOMMU       IOMMU        `json:"iommu"`
	Crypto      Crypto       `json:"crypto"`
	QAT         []QAT        `json:"qat,omitempty"`
	// Measurements are the figures of attached benchmarks.
	Measurements []Measurement `json:"measurements,omitempty"`
	Mappings     []Mapping     `json:"mappings,omitempty"` // dmsetup table
	RAS          RAS           `json:"ras"`
	Net          []Interface   `json:"net,omitempty"`
	Devlink      []Devlink     `json:"devlink,omitempty"` // by handle
	Sensors      []Sensor      `json:"sensors,omitempty"`
	DMA          []DMAChannel  `json:"dma,omitempty"`
	Samples      Val[Samples]  `json:"samples,omitzero"` // links over time
	// Settings are one-line kernel files, keyed by their path in the capture:
	// sys/module/zswap/parameters/enabled, sys/module/pcie_aspm/parameters/policy, ...
	Settings map[string]Val[string] `json:"settings,omitempty"`
	// Lists are the folder listings of the capture, keyed by the folder:
	// sys/firmware/acpi/tables, sys/bus/pci_express/drivers/aer, ...
	Lists    map[string]List `json:"lists,omitempty"`
	Sources  []Source        `json:"sources"`
	Problems []Problem       `json:"problems,omitempty"`
	Unread   []Unread        `json:"unread,omitempty"`
}

// Capture is what manifest.json says of the capture as a whole. Without a
// manifest only ID and Format are set.
type Capture struct {
	ID        string `json:"id"`     // name of the capture or file, without its ending
	Format    string `json:"format"` // what was opened: "capture", "folder", "lspci", "kernel log", ...
	Tool      string `json:"tool,omitempty"`
	Host      string `json:"host,omitempty"`
	Kernel    string `json:"kernel,omitempty"`
	Arch      string `json:"arch,omitempty"`
	Container string `json:"container,omitempty"` // "" or the kind of container
	UID       *int   `json:"uid,omitempty"`
	Caps      string `json:"caps,omitempty"` // effective capabilities, hex as in /proc/self/status
	Locale    string `json:"locale,omitempty"`
	Timezone  string `json:"timezone,omitempty"`
	Boot      string `json:"boot,omitempty"`  // boot id
	Start     string `json:"start,omitempty"` // RFC 3339, UTC
	End       string `json:"end,omitempty"`
	Rebuilt   string `json:"rebuilt,omitempty"`  // says that the capture was rebuilt by hand, and from what
	CutOff    bool   `json:"cutOff,omitempty"`   // the archive ended early
	Redacted  bool   `json:"redacted,omitempty"` // identities were replaced by pseudonyms
}

// Source is one line of the manifest: what was asked and how it ended.
type Source struct {
	Name    string `json:"name"`
	Path    string `json:"path"`
	Kind    string `json:"kind"` // command, file, tree, netlink, attach
	What    string `json:"what,omitempty"`
	State   State  `json:"state"`
	Why     string `json:"why,omitempty"`
	Exit    *int   `json:"exit,omitempty"`
	MS      int64  `json:"ms,omitempty"`
	Bytes   int64  `json:"bytes,omitempty"`
	SHA256  string `json:"sha256,omitempty"`
	Cap     int64  `json:"cap,omitempty"`
	Privacy string `json:"privacy,omitempty"`
	At      Line   `json:"from,omitzero"` // its line in manifest.json
}

// Problem is something a reader could not make sense of.
type Problem struct {
	File string `json:"file"`
	Line int    `json:"line,omitempty"`
	Text string `json:"text"`
}

// Unread counts the lines of a file that gave no fact.
type Unread struct {
	File    string `json:"file"`
	Lines   int    `json:"lines"`   // lines that gave no fact and are not in the reviewed list
	Of      int    `json:"of"`      // all lines
	Ignored int    `json:"ignored"` // lines in the reviewed list of lines known to be unneeded
}

// List is a folder's listing where names are the fact.
type List struct {
	State   State   `json:"state"`
	Entries []Entry `json:"entries,omitempty"`
}

// Entry is one name of a listing, and the link's target where it is a link.
type Entry struct {
	Name   string `json:"name"`
	Target string `json:"target,omitempty"`
	At     Line   `json:"-"`
}

// Source returns the source of that name. One that no manifest mentions is
// not-asked.
func (m *Machine) Source(name string) Source {
	for _, s := range m.Sources {
		if s.Name == name {
			return s
		}
	}
	return Source{Name: name, State: NotAsked}
}

// Complete reports whether every named source was read to its end, so that
// what it does not say is truly not there.
func (m *Machine) Complete(names ...string) bool {
	for _, name := range names {
		if s := m.Source(name).State; s != Present && s != Empty {
			return false
		}
	}
	return true
}

// Device returns the PCI function at address, or nil.
func (m *Machine) Device(address string) *Device {
	for i := range m.PCI {
		if m.PCI[i].Address == address {
			return &m.PCI[i]
		}
	}
	return nil
}

// Setting returns the one-line file at path; one that the capture does not
// hold is the zero value.
func (m *Machine) Setting(path string) Val[string] { return m.Settings[path] }
