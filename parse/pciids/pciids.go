// Package pciids knows the names of PCI ids: it carries the list of the PCI ID
// Project (pci.ids, https://pci-ids.ucw.cz/), under its 3-clause BSD licence.
//
// The list is kept as it is published, compressed. A newer one takes its place
// with
//
//	go test ./parse/pciids -run TestList -from /usr/share/misc/pci.ids
package pciids

import (
	"bytes"
	"cmp"
	_ "embed"

	"github.com/klauspost/compress/zstd"
)

//go:embed pci.ids.zst
var packed []byte

// ID is what configuration space says of one function: lower-case hexadecimal
// digits, "" for what is not known. Class has two or four, the others four.
type ID struct {
	Class, Vendor, Device, SubVendor, SubDevice string
}

// Name is what the list calls a function, in the words of lspci -nn without
// the ids. Each is "" where the list has none.
type Name struct {
	Class     string // of the sub-class, else of the base class
	Device    string // vendor and device: "Intel Corporation 82576 Gigabit Network Connection"; "Intel Corporation Device" for one that is not in the list
	Subsystem string // the same of the subsystem
}

// Lookup returns the names of the functions, in their order. However many they
// are, it reads the list once, which takes some milliseconds.
func Lookup(ids []ID) []Name {
	names := make([]Name, len(ids))
	if len(ids) == 0 {
		return names
	}
	w := want(ids)
	w.read(list())
	for i, id := range ids {
		names[i] = w.name(id)
	}
	return names
}

// Version returns the date of the list, "2023.04.10".
func Version() string {
	_, v, _ := bytes.Cut(list(), []byte("Version: "))
	v, _, _ = bytes.Cut(v, []byte("\n"))
	return string(v)
}

// list unpacks the list. It is part of the program, so that it cannot be broken
// without a test seeing it.
func list() []byte {
	z, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1))
	if err != nil {
		panic("pciids: " + err.Error())
	}
	defer z.Close()
	text, err := z.DecodeAll(packed, nil)
	if err != nil {
		panic("pciids: " + err.Error())
	}
	return text
}

// wanted are the names that are looked for, by their ids one behind the other:
// "8086", "808610c9", "808610c9103c323f". Classes have a table of their own.
type wanted struct {
	devices, classes map[string]string
}

func want(ids []ID) *wanted {
	w := &wanted{devices: map[string]string{}, classes: map[string]string{}}
	for _, id := range ids {
		w.classes[id.Class], w.classes[id.base()] = "", ""
		for _, key := range []string{id.Vendor, id.SubVendor, id.Vendor + id.Device, id.Vendor + id.Device + id.SubVendor + id.SubDevice} {
			w.devices[key] = ""
		}
	}
	return w
}

// base is the base class, "02".
func (id ID) base() string { return id.Class[:min(2, len(id.Class))] }

// read takes the names out of the list:
//
//	8086  Vendor
//		10c9  Device
//			103c 323f  Subsystem
//	C 02  Class
//		00  Sub-class
//			01  Programming interface
//
// A line that stands deeper belongs to the one above it, and is passed over
// where that one is.
func (w *wanted) read(text []byte) {
	names, digits := w.devices, 4
	key := make([]byte, 0, len("808610c9103c323f"))
	open := 0 // how deep the next line may stand
	for line := range bytes.Lines(text) {
		depth := 0
		for depth < len(line) && line[depth] == '\t' {
			depth++
		}
		if depth > open {
			continue
		}
		line = bytes.TrimRight(line[depth:], "\r\n")
		if depth == 0 {
			names, digits = w.devices, 4
			if rest, ok := bytes.CutPrefix(line, []byte("C ")); ok {
				names, digits, line = w.classes, 2, rest
			}
		}
		id, name, found := bytes.Cut(line, []byte("  "))
		if !found || len(id) == 0 || id[0] == '#' {
			continue
		}
		key = key[:min(depth*digits, len(key))]
		for _, c := range id {
			if c != ' ' && len(key) < cap(key) {
				key = append(key, c)
			}
		}
		open = depth
		if have, ok := names[string(key)]; ok {
			open++
			if have == "" {
				names[string(key)] = string(name)
			}
		}
	}
}

// name puts together what lspci prints of a function (names.c of pciutils,
// pci_lookup_name and id_lookup_subsys). A subsystem that has no name of its
// own and the ids of the device bears the device's.
func (w *wanted) name(id ID) Name {
	n := Name{Class: cmp.Or(w.classes[id.Class], w.classes[id.base()])}
	device := w.devices[id.Vendor+id.Device]
	n.Device = full(w.devices[id.Vendor], device)
	if id.SubVendor != allOnes { // no subsystem: lspci prints none
		sub := w.devices[id.Vendor+id.Device+id.SubVendor+id.SubDevice]
		if id.SubVendor == id.Vendor && id.SubDevice == id.Device {
			sub = cmp.Or(sub, device)
		}
		n.Subsystem = full(w.devices[id.SubVendor], sub)
	}
	return n
}

// allOnes is what a register reads that is not there; the list has it as a
// vendor.
const allOnes = "ffff"

func full(vendor, device string) string {
	if vendor == "" {
		return ""
	}
	return vendor + " " + cmp.Or(device, "Device")
}
