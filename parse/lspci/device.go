package lspci

import (
	"bytes"
	"slices"
	"strings"

	"hwcap/parse/fact"
)

// The lines of a device itself, before its capabilities and behind them.

func readSubsystem(d *fact.Device, r *register) bool {
	d.SubName, d.SubVendor, d.SubDevice = readIDs(r.text)
	return true
}

// readLabel reads DeviceName. lspci relies on the line end of sysfs here, and
// without one the next line follows at once.
func readLabel(d *fact.Device, r *register) bool {
	label, sub, glued := bytes.Cut(r.text, []byte("\tSubsystem: "))
	d.Label = string(label)
	if glued {
		d.SubName, d.SubVendor, d.SubDevice = readIDs(sub)
	}
	return true
}

func readSlot(d *fact.Device, r *register) bool {
	d.Slot = string(r.text)
	return true
}

// readFlags reads node and group out of the line that stands for Control,
// Status, Latency and Interrupt with a single -v.
func readFlags(d *fact.Device, r *register) bool {
	if n, ok := numberAfter(r.text, "NUMA node "); ok {
		d.NUMANode = &n
	}
	d.IOMMUGroup = string(field(after(r.text, "IOMMU group "), ','))
	return true
}

// readControl reads whether the interrupt line is switched off; the rest of the
// command register is what the driver switched on, not how it works. Old
// versions do not print it.
func readControl(d *fact.Device, r *register) bool {
	if off, found := flag(r.text, "DisINTx"); found {
		d.DisINTx = fact.Of(off, r.at[0])
	}
	return true
}

func readNUMA(d *fact.Device, r *register) bool {
	n, ok := number(r.text, 10)
	if ok {
		d.NUMANode = &n
	}
	return ok
}

func readGroup(d *fact.Device, r *register) bool {
	d.IOMMUGroup = string(r.text)
	return true
}

func readDriver(d *fact.Device, r *register) bool {
	d.Driver, d.DriverAt, d.DriverKnown = string(r.text), r.at[0], true
	return true
}

// maxModules bounds the list; the longest that is known of one device has five.
const maxModules = 64

func readModules(d *fact.Device, r *register) bool {
	d.DriverKnown = true
	d.Modules = strings.FieldsFunc(string(r.text), func(c rune) bool { return c == ',' || c == ' ' || c == '\n' })
	if len(d.Modules) > maxModules {
		d.Modules = slices.Clone(d.Modules[:maxModules])
		return false
	}
	return true
}

// readBroken reads "!!! Unknown header type 7f" (all ones: the device does not
// answer) and "!!! Invalid class 0604 for header type 00".
func readBroken(d *fact.Device, r *register) bool {
	kind := after(r.text, "header type ")
	if len(kind) < 2 || !allHex(kind[:2], 2) {
		return false
	}
	d.Header, d.HeaderAt = lower(kind[:2]), r.at[0]
	return true
}

// readBus reads "primary=00, secondary=01, subordinate=03, sec-latency=0".
func readBus(d *fact.Device, r *register) bool {
	primary, ok1 := number(after(r.text, "primary="), 16)
	secondary, ok2 := number(after(r.text, "secondary="), 16)
	subordinate, ok3 := number(after(r.text, "subordinate="), 16)
	if !ok1 || !ok2 || !ok3 {
		return false
	}
	d.Bus = &fact.BusRange{Primary: primary, Secondary: secondary, Subordinate: subordinate, At: r.at[0]}
	return true
}

// How many a function has at most: six base addresses and the ROM, windows of
// three kinds (PCI-to-PCI Bridge Architecture 3.2).
const (
	maxRegions = 7
	maxWindows = 3
)

// romIndex is the expansion ROM's place in fact.Region.Index.
const romIndex = 6

// states are the remarks of a region, the weightiest first: only that one is
// kept. "<...>" stands where the address would; the others are in brackets.
var states = []struct{ text, state string }{
	{"<unassigned>", "unassigned"},
	{"<ignored>", "ignored"},
	{"<broken-64-bit-slot>", "broken"},
	{"<invalid-64bit-slot>", "broken"}, // up to 3.6.2
	{"[virtual]", "virtual"},
	{"[disabled", "disabled"}, // of a ROM also "[disabled by cmd]"
	{"[enhanced]", "enhanced"},
}

// readRegion reads "Region 0: Memory at f0000000 (64-bit, prefetchable)
// [size=16M]" or "I/O ports at 1020". A single -v does not print the index.
func readRegion(d *fact.Device, r *register) bool {
	index := -1
	if len(r.label) > 0 {
		n, ok := number(after(r.label, "Region "), 10)
		if !ok {
			return false
		}
		index = n
	}
	return addRegion(d, r, index)
}

func readROM(d *fact.Device, r *register) bool { return addRegion(d, r, romIndex) }

func addRegion(d *fact.Device, r *register, index int) bool {
	g := fact.Region{Index: index, Kind: "mem", At: r.at[0]}
	at := after(r.text, " at ")
	if at == nil {
		return false
	}
	if bytes.Contains(r.text, []byte("I/O ports at ")) {
		g.Kind = "io"
	}
	if where := field(at, ' '); len(where) > 0 && allHex(where, len(where)) {
		g.Address = lower(where)
	}
	for _, s := range states {
		if bytes.Contains(r.text, []byte(s.text)) {
			g.State = s.state
			break
		}
	}
	switch {
	case bytes.Contains(at, []byte("(64-bit")):
		g.Bits = 64
	case bytes.Contains(at, []byte("(32-bit")):
		g.Bits = 32
	}
	g.Prefetch = bytes.Contains(at, []byte(", prefetchable"))
	g.Size = regionSize(after(at, "[size="))
	if len(d.Regions) >= maxRegions {
		return false
	}
	d.Regions = append(d.Regions, g)
	return true
}

// regionSize reads the size in bytes. Up to 3.1.4 one of 2 GiB and more is
// printed as bare hexadecimal bytes, the others with a unit.
func regionSize(text []byte) int64 {
	text = field(text, ']')
	if len(text) > 6 && allHex(text, len(text)) {
		n, _ := number(text, 16)
		return int64(n)
	}
	n, _ := size(text)
	return n
}

// windowReader reads "f000-0fff [disabled] [16-bit]". A closed window is
// "None", "[disabled]", "[empty]", or just ends before it begins.
func windowReader(kind string) reader {
	return func(d *fact.Device, r *register) bool {
		w := fact.Window{Kind: kind, At: r.at[0]}
		start, end, found := bytes.Cut(field(r.text, ' '), []byte("-"))
		if found {
			if len(start) != len(end) || !allHex(start, len(start)) || !allHex(end, len(end)) {
				return false
			}
			w.Start, w.End = lower(start), lower(end)
			w.Open = w.Start <= w.End && !bytes.Contains(r.text, []byte("[disabled]")) && !bytes.Contains(r.text, []byte("[empty]"))
		}
		if len(d.Windows) >= maxWindows {
			return false
		}
		d.Windows = append(d.Windows, w)
		return true
	}
}
