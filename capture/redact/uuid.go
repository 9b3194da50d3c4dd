package redact

import (
	"bytes"
	"encoding/hex"
)

// uuidGroups are where the hyphens of a UUID stand.
var uuidGroups = [...]int{8, 13, 18, 23}

const uuidLen = 36

// isUUID reports whether s begins with a UUID that no further digit continues.
func isUUID(s []byte) bool {
	if len(s) < uuidLen || len(s) > uuidLen && isPart(s[uuidLen]) {
		return false
	}
	for _, at := range uuidGroups {
		if s[at] != '-' {
			return false
		}
	}
	for i, c := range s[:uuidLen] {
		if c != '-' && !isHex(c) || c == '-' && i != 8 && i != 13 && i != 18 && i != 23 {
			return false
		}
	}
	return true
}

// isPseudoUUID tells the version 8, the variant, and 6877 as the second group.
func isPseudoUUID(b [16]byte) bool {
	return b[4] == 0x68 && b[5] == 0x77 && b[6]>>4 == 8 && b[8]>>4 == 8
}

// publicUUIDs name interfaces of firmware, the same on every machine: the
// _OSC methods (PCI Firmware 3.3 section 4.5.1, ACPI 6.5 section 6.2.11) and
// the variables of UEFI, the types of partitions (UEFI 2.10 table 5-7,
// Discoverable Partitions Specification), and the product UUID of boards that
// were never given one.
var publicUUIDs = map[string]bool{
	"33db4d5b-1ff7-401c-9657-7441c03dd766": true,
	"68f2d50b-c469-4d8a-bd3d-941a103fd3fc": true, // _OSC of CXL
	"0811b06e-4a27-44f9-8d60-3cbbc22e7b48": true,
	"e5c937d0-3553-4d7a-9117-ea4d19c3434d": true, // _DSM of PCI
	"8be4df61-93ca-11d2-aa0d-00e098032b8c": true,
	"d719b2cb-3d3a-4596-a3bc-dad00e67656f": true,
	"c12a7328-f81f-11d2-ba4b-00a0c93ec93b": true, // EFI system partition
	"e3c9e316-0b5c-4db8-817d-f92df00215ae": true, // reserved by Microsoft
	"ebd0a0a2-b9e5-4433-87c0-68b6b72699c7": true, // its data
	"de94bba4-06d1-4d40-a16a-bfd50179d6ac": true, // its recovery
	"0fc63daf-8483-4772-8e79-3d69d8477de4": true, // file systems of Linux
	"4f68bce3-e8cd-4db1-96e7-fbcaf984b709": true, // its root on x86-64
	"0657fd6d-a4ab-43c4-84e5-0933c84b4f4f": true, // swap
	"e6d6d379-f507-44c2-a23c-238f2a3df928": true, // LVM
	"a19d880f-05fc-4d3b-a006-743f0f84911e": true, // RAID
	"ca7d7ccb-63ed-4c53-861c-1742536059cc": true, // LUKS
	"21686148-6449-6e6f-744e-656564454649": true, // BIOS boot
	"9dbb5994-a997-11da-b012-b622a1ef5492": true, // events of Dell's WMI
	"8cf2644b-4b0b-428f-9387-6d876050dc67": true, // HibernateLocation of systemd
	"cfc8fc79-be2e-4ddc-97f0-9f98bfe298a0": true, // dumps of efi-pstore
	"03000200-0400-0500-0006-000700080009": true,
}

// publicWords stand before a UUID that names a kind of thing, not one of it.
var publicWords = [...]string{"WMI GUID", "event GUID", "type GUID", "GUID code", "PARTTYPE", "parttype", "PART_ENTRY_TYPE",
	"class_id", "section type", "section_type", "section type: unknown,", "_DSM", "_OSC", "vendor info"}

// uuid returns the pseudonym of a UUID; ok is false for one that is none. The
// last part of a system's UUID is often a MAC address: that of version 1 by
// definition, other ones by habit of the maker.
func (r *Redactor) uuid(b [16]byte) (pseudo [16]byte, ok bool) {
	if isBlankOctets(b[:]) || isPseudoUUID(b) {
		return b, false
	}
	sum := r.key.digest("uuid", b[:])
	copy(pseudo[:], sum[:])
	pseudo[4], pseudo[5] = 0x68, 0x77
	pseudo[6] = 0x80 | pseudo[6]&0x0f
	pseudo[8] = 0x80 | pseudo[8]&0x0f
	node := [6]byte(b[10:])
	if r.known.macs[node] || b[6]>>4 == 1 && node[0]&1 == 0 {
		mac := r.key.mac(node)
		copy(pseudo[10:], mac[:])
	}
	return pseudo, true
}

// foundUUID has a UUID at line[from:].
func (t *text) foundUUID(from int) {
	to := from + uuidLen
	b := uuidOctets(t.line[from:to])
	if t.learning() || t.isPublicUUID(from) {
		if t.learning() && !isPseudoUUID(b) && !t.isPublicUUID(from) {
			t.r.known.octets(UUID, b[:])
			if b[6]>>4 == 1 && b[10]&1 == 0 {
				t.r.known.mac([6]byte(b[10:]))
			}
		}
		t.keep(from, to)
		return
	}
	if pseudo, ok := t.r.uuid(b); ok {
		t.put(from, to, UUID, writeOctets(t.line[from:to], pseudo[:]))
	} else {
		t.keep(from, to)
	}
}

func uuidOctets(s []byte) (b [16]byte) {
	var digits [32]byte
	n := 0
	for _, c := range s[:uuidLen] {
		if isHex(c) {
			digits[n] = c
			n++
		}
	}
	octets(b[:0], digits[:], 0)
	return b
}

func (t *text) isPublicUUID(from int) bool {
	if publicUUIDs[string(bytes.ToLower(t.line[from:from+uuidLen]))] {
		return true
	}
	before := bytes.TrimRight(t.line[max(0, from-24):from], " :={(\"'")
	for _, w := range publicWords {
		if bytes.HasSuffix(before, []byte(w)) {
			return true
		}
	}
	if t.isClient(from) || bytes.Contains(t.line[max(0, from-96):from], []byte("/efivars/")) {
		return true
	}
	// Drivers of the kernel call interfaces of firmware so; what lists disks, the
	// disks and partitions themselves.
	return !t.rules.has(labels) && (bytes.HasSuffix(before, []byte("GUID")) || bytes.HasSuffix(before, []byte("guid")))
}

// isClient reports whether the address of a device stands before a UUID: the name
// of a client of its management engine, 0000:00:16.0-UUID
// (drivers/misc/mei/bus.c).
func (t *text) isClient(from int) bool {
	const address = len("0000:00:16.0-")
	return from >= address && t.line[from-1] == '-' && isPCIAddress(t.line[from-address:from-1])
}

// pseudoDigits stands behind the first digit of the pseudonym of a long
// hexadecimal identity.
const pseudoDigits = "066877"

// minHexID is the length from which on a hexadecimal identity has room for
// that.
const minHexID = 12

// hexID returns the pseudonym of a long hexadecimal identity, its digits
// without separators in small letters. The first digit says what kind of WWN
// it is (NAA, SPC-4 section 7.8.6.6). One made of a MAC address keeps being so.
// ok is false for one that is none.
func (r *Redactor) hexID(digits []byte) (pseudo []byte, ok bool) {
	switch {
	case isBlank(digits) || len(digits) < minHexID:
		return nil, false
	case string(digits[1:7]) == pseudoDigits || string(digits[:6]) == pseudoDigits || bytes.HasSuffix(digits, []byte("776806")):
		return nil, false
	case len(digits) == 12 && r.known.macs[[6]byte(octets(nil, digits, 0))]:
		mac := r.key.mac([6]byte(octets(nil, digits, 0)))
		return hex.AppendEncode(nil, mac[:]), true
	case len(digits) == 16:
		number := [8]byte(octets(nil, digits, 0))
		if _, isMAC := r.orderOf(number); isMAC {
			number, _ = r.serialNumber(number)
			return hex.AppendEncode(nil, number[:]), true
		}
	}
	sum := r.key.digest("hex", digits)
	pseudo = append(append([]byte{digits[0]}, pseudoDigits...), hex.EncodeToString(sum[:])...)
	for len(pseudo) < len(digits) {
		sum = r.key.digest("hex", sum[:])
		pseudo = hex.AppendEncode(pseudo, sum[:])
	}
	return pseudo[:len(digits)], true
}

// foundHexID has a hexadecimal identity at line[from:to], with whatever
// separators.
func (t *text) foundHexID(from, to int, class Class) {
	digits := make([]byte, 0, 64)
	for _, c := range t.line[from:to] {
		if isHex(c) && len(digits) < maxValue {
			digits = append(digits, c)
		}
	}
	digits = bytes.ToLower(digits)
	if t.learning() {
		if _, ok := t.r.hexID(digits); ok && len(digits)%2 == 0 {
			t.r.known.octets(class, octets(nil, digits, 0))
		}
		t.keep(from, to)
		return
	}
	if pseudo, ok := t.r.hexID(digits); ok {
		t.put(from, to, class, writeDigits(t.line[from:to], pseudo))
	} else {
		t.keep(from, to)
	}
}

// asHex takes a value as a long hexadecimal identity, with 0x or in groups.
// Other values are not looked at.
func asHex(class Class) announced {
	return func(t *text, from, to int) {
		if to-from > 2 && t.line[from] == '0' && (t.line[from+1] == 'x' || t.line[from+1] == 'X') {
			from += 2
		}
		n := 0
		for i := from; i < to; i++ {
			switch c := t.line[i]; {
			case isHex(c):
				n++
			case c != ':' && c != ' ' && c != '-':
				return
			}
		}
		if t.ownForm(from, to) {
			return
		}
		switch {
		case n >= minHexID:
			t.foundHexID(from, to, class)
		case class == PPIN && n >= 6:
			t.foundSerial(from, to, class)
		}
	}
}

// asShortID takes a value as the UUID of a file system or partition that has
// none of 36 characters: ABCD-1234 of FAT, 1234abcd-01 of an MBR, those of ZFS
// and LVM. UUIDs have
// their own form.
func asShortID(t *text, from, to int) {
	s := t.line[from:to]
	switch {
	case len(s) == 9 && s[4] == '-' && isAllHex(s[:4]) && isAllHex(s[5:]), len(s) == 16 && isAllHex(s):
	case len(s) == 11 && s[8] == '-' && isAllHex(s[:8]):
		to -= 3
	case len(s) >= 10 && len(s) <= 20 && len(bytes.Trim(s, "0123456789")) == 0: // of ZFS
	case isLVMID(s):
	default:
		// The pseudonyms of these are longer.
		if isSealed(s) || len(s) > 3 && isSealed(s[:len(s)-3]) {
			t.keep(from, to)
		}
		return
	}
	t.foundSerial(from, to, UUID)
}

// isLVMID reports whether s is the UUID of a volume, a group or a disk as LVM
// writes it: letters and digits in groups (lib/uuid/uuid.c of LVM2).
func isLVMID(s []byte) bool {
	if len(s) != 38 {
		return false
	}
	for i, c := range s {
		dash := i == 6 || i == 11 || i == 16 || i == 21 || i == 26 || i == 31
		if dash && c != '-' || !dash && alphabetOf[c] == "" {
			return false
		}
	}
	return true
}
