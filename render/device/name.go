// Package device names PCI devices the way reports do, in texts and figures.
package device

import (
	"strings"

	"hwcap/parse/fact"
)

// legal drops what a maker's name has behind it in pci.ids, and takes the short
// name of a maker that puts it in brackets.
var legal = strings.NewReplacer("Advanced Micro Devices, Inc. [AMD/ATI]", "AMD", "Advanced Micro Devices, Inc. [AMD]", "AMD",
	" Corporation", "", " Corp.", "", " Co., Ltd.", "", ", Inc.", "", " Inc.", "", " Co Ltd", "", " Technologies", "", " Technology", "",
	" Electronics", "", " Semiconductor", "")

// Name returns a device's name as printed, without the maker's legal form and
// with the id where the list of names has none. Without a printed name it is
// the firmware's label, else the ids; "" for a device of which nothing is
// known.
func Name(d *fact.Device) string {
	switch {
	case d == nil:
		return ""
	case d.Name == "" && d.Label != "":
		return d.Label
	case d.Name == "" && d.Vendor != "":
		return d.Vendor + ":" + d.Device
	}
	name := legal.Replace(d.Name)
	vendor, _, _ := strings.Cut(name, " ")
	switch open := strings.LastIndexByte(name, '['); {
	case strings.HasSuffix(name, " Device"):
		name += " " + d.Device
	case strings.HasPrefix(d.Class, "03") && open >= 0 && strings.HasSuffix(name, "]"):
		// Graphics cards bear the name that people know in brackets.
		name = vendor + " " + name[open+1:len(name)-1]
	}
	// Some names begin with their maker's.
	if rest, twice := strings.CutPrefix(name, vendor+" "+vendor+" "); twice {
		name = vendor + " " + rest
	}
	return strings.TrimSpace(name)
}

// Short returns the name for a sentence or a table: at most 60 characters.
func Short(d *fact.Device) string {
	const longest = 60
	name := []rune(Name(d))
	if len(name) <= longest {
		return string(name)
	}
	return strings.TrimSpace(string(name[:longest-1])) + "…"
}
