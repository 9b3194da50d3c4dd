package redact

import (
	"bytes"
	"encoding/hex"

	"hwcap/capture/guid"
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
	if guid.WellKnown(string(t.line[max(0, from-128):from]), string(t.line[from:from+uuidLen])) {
		return true
	}
	// Drivers of the kernel call interfaces of firmware so; what lists disks, the
	// disks and partitions themselves.
	before := bytes.TrimRight(t.line[max(0, from-24):from], " :={(\"'")
	return !t.rules.has(labels) && (bytes.HasSuffix(before, []byte("GUID")) || bytes.HasSuffix(before, []byte("guid")))
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
