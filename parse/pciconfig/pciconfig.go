// Package pciconfig decodes PCI configuration space, as the file config below
// /sys/bus/pci/devices/ADDRESS holds it and as lspci -x to -xxxx prints it, into
// what package lspci reads from lspci's text: the same fields, flag names (those
// of [fact.Flags]) and units. What only a driver, the kernel or the firmware
// knows (names, driver, sizes of BARs) is not in configuration space.
package pciconfig

import "hwcap/parse/fact"

// Decode returns what config says of the function at address. config begins at
// offset 0 and is as long as could be read: 64 bytes without CAP_SYS_ADMIN, 256,
// or 4096 (drivers/pci/pci-sysfs.c, pci_read_config).
//
// at returns the place of the register at an offset. Decoded is what the
// register says, in the form "NAME 0xHEX: meaning", the meaning left out where
// no bit of it is set ("LnkSta 0x1042: 2.5 GT/s, x4", "DevSta 0x0000"). HEX has
// two digits for each byte, so that the digits, taken as a little-endian number,
// are the bytes at the offset. A place in a file config carries decoded as its
// Text; one in the text of lspci -x carries its row, and ignores it.
// For problems, decoded is empty.
//
// A function that does not answer reads as all ones: Header is "7f" then, and
// nothing else is set but the address. Where a list of capabilities is broken,
// the capabilities before that count, and a problem says so.
func Decode(address string, config []byte, at func(offset int, decoded string) fact.Line) (fact.Device, []fact.Problem) {
	d := decoder{config: config, at: at, dev: fact.Device{Address: address}}
	return d.dev, d.problems
}

// Text returns the decoded text that [Decode] cites for the register at offset,
// or "" where it cites none: with it, evidence in a file config is checked.
func Text(config []byte, offset int) string {
	var text string
	Decode("", config, func(o int, decoded string) fact.Line {
		if o == offset && decoded != "" {
			text = decoded
		}
		return fact.Line{}
	})
	return text
}

// decoder holds one configuration space while it is read.
type decoder struct {
	config   []byte
	at       func(offset int, decoded string) fact.Line
	dev      fact.Device
	problems []fact.Problem
}
