package fact

// Log is the kernel log, from whichever sources the capture holds: kmsg, dmesg
// and the journal of the same boot are joined, so that each message counts
// once.
type Log struct {
	// State is that of the best source: Present, Denied (dmesg_restrict),
	// Truncated, ... ; zero when the capture has no kernel log at all.
	State State     `json:"state,omitempty"`
	Files []LogFile `json:"files,omitempty"`
	// FromBoot: the first messages of the boot are there. False with a wrapped
	// ring, absent when it cannot be told.
	FromBoot Val[bool]    `json:"fromBoot,omitzero"`
	First    Val[float64] `json:"first,omitzero"` // seconds since boot of the first message
	Last     Val[float64] `json:"last,omitzero"`
	Restrict Val[string]  `json:"dmesgRestrict,omitzero"` // /proc/sys/kernel/dmesg_restrict
	Notes    []Note       `json:"notes,omitempty"`        // recognised messages, in order
	AER      []AEREvent   `json:"aer,omitempty"`          // grouped
}

// LogFile is one text that holds kernel messages.
type LogFile struct {
	File   string `json:"file"`
	Format string `json:"format"` // "dmesg", "kmsg", "journal short-monotonic", ...
	Lines  int    `json:"lines"`
	// FirstSeq is the sequence number of the first record of /dev/kmsg; above 0
	// the ring had wrapped (or was cleared).
	FirstSeq *int64 `json:"firstSeq,omitempty"`
	FirstAt  Line   `json:"from,omitzero"`
}

// Note is one recognised kernel message. The kinds and the fields of each are
// the table in package klog.
type Note struct {
	Kind   string            `json:"kind"`             // "osc", "aer-enabled", "iommu-group", ...
	Device string            `json:"device,omitempty"` // PCI address or ACPI name that the message is about
	Driver string            `json:"driver,omitempty"` // prefix before the address
	Fields map[string]string `json:"fields,omitempty"`
	Time   *float64          `json:"time,omitempty"` // seconds since boot
	// Clock is the time of day as printed, where the text has no seconds since
	// boot (dmesg -T, journal short).
	Clock string `json:"clock,omitempty"`
	// Count is above 1 where the note stands for a flood: as many messages of
	// this kind and device, the last at LastTime.
	Count    int      `json:"count,omitempty"`
	LastTime *float64 `json:"lastTime,omitempty"`
	Boot     int      `json:"boot,omitempty"` // 0: the boot of the capture; -1: the one before
	At       Line     `json:"from,omitzero"`
}

// Times returns how many messages n stands for: 1, or more for a flood.
func (n Note) Times() int { return max(1, n.Count) }

// AEREvent groups the error reports of one device, severity and kind.
type AEREvent struct {
	Device   string   `json:"device"`          // function that logged the error
	Root     string   `json:"root,omitempty"`  // root port that reported it
	Severity string   `json:"severity"`        // "corrected", "nonfatal", "fatal"
	Kinds    []string `json:"kinds,omitempty"` // short bit names, sorted
	Layer    string   `json:"layer,omitempty"`
	Firmware bool     `json:"firmware,omitempty"` // came through APEI
	Injected bool     `json:"injected,omitempty"` // made on purpose: each follows an injection on the device
	Count    int      `json:"count"`
	// Multiple is how many of them the root port announced as several errors
	// ("Multiple ... error message received"): each stands for two or more.
	Multiple int `json:"multiple,omitempty"`
	// Unnamed: the root port named no sender, and the kernel took the function
	// for it at which it found an error bit (is_error_source in
	// drivers/pci/pcie/aer.c).
	Unnamed bool `json:"unnamed,omitempty"`
	// TLPHeader is the packet header that the first of them logged, three or
	// four words of eight hexadecimal digits.
	TLPHeader []string `json:"tlpHeader,omitempty"`
	First     *float64 `json:"first,omitempty"`
	Last      *float64 `json:"last,omitempty"`
	// FirstClock and LastClock are times of day as printed, where the text has
	// no seconds since boot.
	FirstClock string `json:"firstClock,omitempty"`
	LastClock  string `json:"lastClock,omitempty"`
	Boot       int    `json:"boot,omitempty"`
	// At are the lines of the first report; LastAt its last report's first line.
	At     []Line `json:"from,omitempty"`
	LastAt Line   `json:"lastFrom,omitzero"`
}

// Of returns the notes of the given kinds of the capture's own boot, in order.
func (l *Log) Of(kinds ...string) []Note {
	var out []Note
	for _, n := range l.Notes {
		if n.Boot != 0 {
			continue
		}
		for _, k := range kinds {
			if n.Kind == k {
				out = append(out, n)
				break
			}
		}
	}
	return out
}
