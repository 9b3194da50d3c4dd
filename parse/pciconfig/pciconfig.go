// Package pciconfig decodes PCI configuration space, as the file config below
// /sys/bus/pci/devices/ADDRESS holds it and as lspci -x to -xxxx prints it, into
// what package lspci reads from lspci's text: the same fields, flag names (those
// of [fact.Flags]) and units. What only the kernel or the firmware knows (names,
// drivers, sizes of BARs) is not in configuration space.
//
// Registers and their bits are those of the PCI Express Base Specification, of
// which revision 6.0 is cited by the numbers of its sections alone. The offsets, under the names in capital
// letters, are those of include/uapi/linux/pci_regs.h. Which registers and bits
// count for which type of function is what pciutils prints (lspci.c, ls-caps.c,
// ls-ecaps.c), so that both roads give one truth.
package pciconfig

import (
	"encoding/binary"
	"fmt"

	"hwcap/parse/fact"
)

// Decode returns what config says of the function at address. config begins at
// offset 0 and is as long as could be read: 64 bytes without CAP_SYS_ADMIN, 256,
// or 4096 (drivers/pci/pci-sysfs.c, pci_read_config).
//
// at returns the place of the register at an offset. Decoded is what the
// register says, in the form "NAME 0xHEX: meaning" ("LnkSta 0x7042: 5 GT/s, x4,
// DLActive+"). HEX has two digits for each byte; as a little-endian number they
// are the bytes at the offset. A place in a file config carries decoded as its
// Text; one in the text of lspci -x carries its row, and ignores it. For
// problems, decoded is empty.
//
// A register that config does not reach leaves its field empty; less than a
// header of 64 bytes says nothing. A function that does not answer reads as all
// ones: its Header is "7f" and its Revision "ff" then, and nothing else is said.
// Where a list of capabilities is broken, those before the break count, and a
// problem says so.
func Decode(address string, config []byte, at func(offset int, decoded string) fact.Line) (fact.Device, []fact.Problem) {
	d := decoder{config: config[:min(len(config), maxConfig)], at: at, dev: fact.Device{Address: address}, portType: noPort}
	if d.header() {
		d.capabilities()
		d.extended()
	}
	PreferAF(&d.dev)
	return d.dev, d.problems
}

// Text returns the decoded text that [Decode] cites for the register at offset,
// or "" where it cites none: with it, evidence in a file config is checked.
// Where broken capabilities overlap, it is the last of several.
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

// Sizes of configuration space: the header, that of conventional PCI, and that
// of PCI Express (PCI_STD_HEADER_SIZEOF, PCI_CFG_SPACE_SIZE and
// PCI_CFG_SPACE_EXP_SIZE).
const (
	headerSize = 64
	pciSize    = 256
	maxConfig  = 4096
)

// decoder holds one configuration space while it is read.
type decoder struct {
	config   []byte
	at       func(offset int, decoded string) fact.Line
	dev      fact.Device
	problems []fact.Problem

	express  bool     // it is PCI Express or PCI-X, and may have extended capabilities
	portType portType // of the PCI Express capability; noPort without one
}

// has reports whether the n bytes at offset could be read.
func (d *decoder) has(offset, n int) bool { return offset >= 0 && offset+n <= len(d.config) }

// The readers of registers return 0 for what could not be read: callers ask has
// before.

func (d *decoder) u8(offset int) uint32 { return d.uint(offset, 1) }

func (d *decoder) u16(offset int) uint32 { return d.uint(offset, 2) }

func (d *decoder) u32(offset int) uint32 { return d.uint(offset, 4) }

func (d *decoder) uint(offset, size int) uint32 {
	if !d.has(offset, size) {
		return 0
	}
	var b [4]byte
	copy(b[:], d.config[offset:offset+size])
	return binary.LittleEndian.Uint32(b[:])
}

// cite returns the place of the register of size bytes at offset.
func (d *decoder) cite(name string, offset, size int, format string, values ...any) fact.Line {
	text := make([]byte, 0, 64)
	text = append(text, name...)
	text = append(text, " 0x"...)
	for i := offset + size - 1; i >= offset; i-- {
		const digits = "0123456789abcdef"
		text = append(text, digits[d.config[i]>>4], digits[d.config[i]&0xf])
	}
	text = append(text, ": "...)
	return d.at(offset, string(fmt.Appendf(text, format, values...)))
}

// maxProblems bounds what one configuration space is worth.
const maxProblems = 8

func (d *decoder) problem(offset int, format string, values ...any) {
	if len(d.problems) == maxProblems {
		return
	}
	at := d.at(offset, "")
	text := d.dev.Address + ": " + fmt.Sprintf(format, values...)
	d.problems = append(d.problems, fact.Problem{File: at.File, Line: at.Line, Text: text})
}
