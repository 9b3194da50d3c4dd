package lspci

import (
	"strings"

	"hwcap/parse/fact"
)

// A row says what to do with the lines of one label.
type row struct {
	read reader // nil: nothing is needed from the register
	more bool   // not a register, but a further line of the open one
	flat bool   // what stands deeper does not belong to it
}

// reader takes what a register says into the device, and reports whether it
// could.
type reader func(*fact.Device, *register) bool

// The rows that open something.
var (
	header     = row{read: func(d *fact.Device, r *register) bool { return readHeader(d, r.text) }, flat: true}
	quoted     = row{read: readQuoted, flat: true}                                         // of lspci -mm
	slot       = row{read: func(*fact.Device, *register) bool { return true }, flat: true} // of lspci -vmm
	treeRow    = row{read: func(*fact.Device, *register) bool { return true }, flat: true} // of lspci -t; the parser reads it
	capability = row{read: readCapability, flat: true}
)

// A table holds the rows of one scope. A key as the tables below write it ends
// in a colon where the line has one. Without it the key is the line's first two
// words, the name of its first flag, or what is before its first value, "BAR=".
// "#" at the end stands for any number there: "Region #:".
type table struct {
	labels   map[string]*row
	numbered map[string]*row
	words    map[string]*row
}

func (t *table) add(key string, r *row) {
	label, colon := strings.CutSuffix(key, ":")
	prefix, numbered := strings.CutSuffix(label, "#")
	switch {
	case numbered:
		t.numbered[prefix] = r
	case colon:
		t.labels[label] = r
	default:
		t.words[key] = r
	}
}

var tables = build()

func build() (t [scopes]table) {
	for s := range t {
		t[s] = table{map[string]*row{}, map[string]*row{}, map[string]*row{}}
		t[s].add("Capabilities:", &capability) // editors shift these lines
	}
	for s, keys := range readers {
		for key, read := range keys {
			t[s].add(key, &row{read: read})
		}
	}
	for _, u := range unneeded {
		t[u.scope].add(u.key, &row{})
	}
	for s, keys := range joined {
		for _, key := range keys {
			t[s].add(key, &row{more: true})
		}
	}
	return t
}

// readers are the registers that give facts.
var readers = map[scope]map[string]reader{
	device: {
		"Subsystem:":     readSubsystem,
		"DeviceName:":    readLabel,
		"Physical Slot:": readSlot,
		"Flags:":         readFlags, // -v
		"Control:":       readControl,
		"NUMA node:":     readNUMA,
		"IOMMU group:":   readGroup,
		"Bus:":           readBus,

		"Region #:":           readRegion,
		"Memory at":           readRegion, // -v
		"I/O ports":           readRegion, // -v
		"[virtual] Memory":    readRegion, // up to 3.6.2
		"[virtual] I/O":       readRegion,
		"[enhanced] Memory":   readRegion,
		"Expansion ROM":       readROM,
		"[virtual] Expansion": readROM, // up to 3.6.2

		"I/O behind bridge:":                 windowReader("io"),
		"Memory behind bridge:":              windowReader("mem"),
		"Prefetchable memory behind bridge:": windowReader("pref"),

		"!!! Unknown":           readBroken,
		"!!! Invalid":           readBroken,
		"Kernel driver in use:": readDriver,
		"Driver in use:":        readDriver, // not on Linux, 3.8
		"Kernel modules:":       readModules,
	},
	record: {
		"Class:":      readClassField,
		"Vendor:":     readVendor,
		"Device:":     readDevice,
		"SVendor:":    readSubVendor,
		"SDevice:":    readSubDevice,
		"Rev:":        readRevision,
		"ProgIf:":     readProgIf,
		"PhySlot:":    readSlot,
		"NUMANode:":   readNUMA,
		"IOMMUGroup:": readGroup,
		"Driver:":     readDriver,
		"Module:":     readModule,
	},
	pm: {
		"Status:": readPower,
	},
	express: {
		"DevCap:":  readDevCap,
		"DevCtl:":  readDevCtl,
		"DevSta:":  readDevSta,
		"LnkCap:":  readLnkCap,
		"LnkCtl:":  readLnkCtl,
		"LnkSta:":  readLnkSta,
		"LnkCtl2:": readLnkCtl2,
		"DevCap2:": readDevCap2,
		"DevCtl2:": readDevCtl2,
		"LnkSta2:": readLnkSta2,
		"SltCap:":  readSltCap,
		"SltSta:":  readSltSta,
		"RootCtl:": readRootCtl,
		"Device:":  readOldDevice, // up to 2.2.6, these four
		"Link:":    readOldLink,
		"Slot:":    readOldSlot,
		"Root:":    readRootCtl,
	},
	aer: {
		"UESta:":   aerReader(uncorrectableNames, func(a *fact.AER) **fact.Flags { return &a.UESta }),
		"UEMsk:":   aerReader(uncorrectableNames, func(a *fact.AER) **fact.Flags { return &a.UEMsk }),
		"UESvrt:":  aerReader(uncorrectableNames, func(a *fact.AER) **fact.Flags { return &a.UESvrt }),
		"CESta:":   aerReader(correctableNames, correctableStatus),
		"CEMsk:":   aerReader(correctableNames, func(a *fact.AER) **fact.Flags { return &a.CEMsk }),
		"RootCmd:": aerReader(rootErrorNames, func(a *fact.AER) **fact.Flags { return &a.RootCmd }),
		"RootSta:": aerReader(rootErrorNames, func(a *fact.AER) **fact.Flags { return &a.RootSta }),
	},
	acs: {
		"ACSCap:": readACSCap,
		"ACSCtl:": readACSCtl,
	},
	dpc: {
		"DpcCtl:": readDpcCtl,
		"DpcSta:": readDpcSta,
	},
	sriov: {
		"Initial VFs:": readVFs,
	},
	secondary: {
		"LaneErrStat:": readLaneErrors,
	},
	l1ss: {
		"L1SubCap:":  readL1SubCap,
		"L1SubCtl1:": readL1SubCtl1,
	},
	ltr: {
		"Max snoop latency:": readLTR,
	},
	rebar: {
		"BAR #:": readReBAR,
	},
	af: {
		"AFCap:": readAF,
	},
}

// joined are the first flags or words of further lines of a register. They are
// needed only where indentation got lost: with it, such lines stand deeper.
var joined = map[scope][]string{
	device: {
		"PriDiscTmr", // BridgeCtl
	},
	express: {
		"ExtTag",                // DevCap
		"Slot",                  // SltCap
		"RlxdOrd", "MaxPayload", // DevCtl
		"ClockPM",                                                         // LnkCap
		"ExtSynch",                                                        // LnkCtl
		"TrErr",                                                           // LnkSta
		"10BitTagComp", "EmergencyPowerReduction", "FRS", "AtomicOpsCap:", // DevCap2
		"10BitTagReq", "IDOReq", "AtomicOpsCtl:", // DevCtl2
		"Transmit Margin:", "Compliance De-emphasis:", "Compliance Preset/De-emphasis:", // LnkCtl2
		"EqualizationPhase2", "Retimer", "DownstreamComp:", // LnkSta2
	},
	ltr: {
		"Max no snoop latency:",
	},
	dev3: {
		"L0p", "UIO Mem", // DevCap3, DevCtl3
	},
	flitErrors: {
		"Number of", "SDS", "SKP:", "SDS:", "L0:", "Eq2:",
	},
	flitLog: {
		"More", "SyndParityGrp#:", "Events to", "Interrupt Generated",
	},
	phy: {
		"ModTsMode0", "Modified TS", "Received Enhanced", "ModTsRecv", "TxPrecodeOn",
	},
	l1ss: {
		"PortCommonModeRestoreTime=", "T_CommonMode=", // L1SubCap, L1SubCtl1
	},
	aer: {
		"ECRC", "PoisonTLPBlocked", // UESta, UEMsk, UESvrt
		"FirstFatal",    // RootSta
		"MultHdrRecCap", // AERCap
	},
}
