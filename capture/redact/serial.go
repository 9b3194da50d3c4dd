package redact

import "bytes"

// eui64 are the two octets that stand in the middle of a MAC address that was
// made 64 bits long; ff-ff is what many cards have instead, and the last is
// the first in the order of configuration space.
var eui64 = [...][2]byte{{0xff, 0xfe}, {0xff, 0xff}, {0xfe, 0xff}}

// serialNumber returns the pseudonym of a PCIe Device Serial Number, in the
// order in which lspci prints it. Where a MAC address is in it, so is its
// pseudonym, and in the same order: lspci up to 3.1.2 printed the octets from
// the last to the first. ok is false for a number that is none, or a pseudonym.
func (r *Redactor) serialNumber(number [8]byte) (pseudo [8]byte, ok bool) {
	back := flip(number)
	if isBlankOctets(number[:]) || [3]byte(number[:3]) == pseudoOUI || [3]byte(back[:3]) == pseudoOUI {
		return number, false
	}
	flipped, isMAC := r.orderOf(number)
	if flipped {
		number = back
	}
	if isMAC {
		mac := r.key.mac(macOf(number))
		pseudo = [8]byte{mac[0], mac[1], mac[2], number[3], number[4], mac[3], mac[4], mac[5]}
	} else {
		sum := r.key.digest("pcie-serial", number[:])
		copy(pseudo[:], pseudoOUI[:])
		copy(pseudo[3:], sum[:])
	}
	if flipped {
		pseudo = flip(pseudo)
	}
	return pseudo, true
}

// orderOf tells whether a Device Serial Number stands from its last octet to
// its first, and whether a MAC address is in it. A MAC address that the capture
// has elsewhere decides, then the octets in the middle. A number without any
// such has its smaller order, so that both give the same pseudonym.
func (r *Redactor) orderOf(number [8]byte) (flipped, isMAC bool) {
	back := flip(number)
	middle := [2]byte(number[3:5])
	isMAC = middle == eui64[0] || middle == eui64[1] || middle == eui64[2]
	switch {
	case isMAC && r.known.macs[macOf(number)]:
		return false, true
	case isMAC && r.known.macs[macOf(back)]:
		return true, true
	case middle == eui64[0]:
		return false, true
	case middle == eui64[2]:
		return true, true
	case middle == eui64[1]:
		// The first octet of a card's own address has neither the bit of
		// groups nor that of local administration.
		return number[0]&3 != 0 && back[0]&3 == 0, true
	}
	return string(back[:]) < string(number[:]), false
}

func macOf(number [8]byte) [6]byte {
	return [6]byte{number[0], number[1], number[2], number[5], number[6], number[7]}
}

func flip(number [8]byte) (back [8]byte) {
	for i, b := range number {
		back[7-i] = b
	}
	return back
}

// isBlankOctets reports whether all octets are the same: zero or ones.
func isBlankOctets(b []byte) bool {
	for _, c := range b {
		if c != b[0] {
			return false
		}
	}
	return true
}

// foundSerialNumber has eight octets with hyphens at line[from:to].
func (t *text) foundSerialNumber(from, to int, number [8]byte) {
	if t.learning() {
		if _, ok := t.r.serialNumber(number); ok {
			t.r.known.octets(PCIeSerial, number[:])
		}
		t.keep(from, to)
		return
	}
	if pseudo, ok := t.r.serialNumber(number); ok {
		t.put(from, to, PCIeSerial, writeOctets(t.line[from:to], pseudo[:]))
	} else {
		t.keep(from, to)
	}
}

// placeholders are what firmware says instead of a serial number or an asset
// tag, in capitals without separators. They tell of the firmware, not of the
// machine.
var placeholders = map[string]bool{
	"": true, "NONE": true, "UNKNOWN": true, "NOTSPECIFIED": true, "NOTAVAILABLE": true, "NOTAPPLICABLE": true,
	"NA": true, "NOTPROVIDED": true, "NOTSETTABLE": true, "NOTPRESENT": true, "NOTSET": true, "NULL": true, "EMPTY": true,
	"DEFAULTSTRING": true, "TOBEFILLEDBYOEM": true, "OEM": true, "SYSTEMSERIALNUMBER": true,
	"BASEBOARDSERIALNUMBER": true, "CHASSISSERIALNUMBER": true, "SERIALNUMBER": true, "SERNUM": true,
	"ASSETTAG": true, "NOASSETTAG": true, "NOASSETINFORMATION": true, "BASEBOARDASSETTAG": true, "CHASSISASSETTAG": true,
	"ASSETTAGNUM": true, "ARRAY": true, "ADMIN": false, "INVALID": true, "NOTSUPPORTED": true, "REDACTED": true,
	"123456789": true, "0123456789": true, "1234567890": true, "9876543210": true, "NODIMM": true, "NOMODULEINSTALLED": true,
	"REDACTEDBYHWCAP": true, "OUTOFSPEC": true, "BADINDEX": true,
}

// isPlaceholder reports whether a value announced as an identity is none, or
// already a pseudonym.
func isPlaceholder(value []byte) bool {
	plain := plainest(value)
	return isBlank(value) || placeholders[string(plain)] || isSealed(value) || isName(value)
}

// foundSerial has a serial number, or what is treated like one, at
// line[from:to].
func (t *text) foundSerial(from, to int, class Class) {
	value := t.line[from:to]
	switch {
	case isPlaceholder(value), len(value) >= maxValue-1, // none is so long
		t.r.known.isPart(class, value):
		t.keep(from, to)
	case t.learning():
		t.r.known.text(kindSerial, class, value)
		t.keep(from, to)
	default:
		t.put(from, to, class, t.r.key.sealed(kindSerial, value))
	}
}

// asSerial takes a value as a serial number of the class. Where it has a form
// of its own, that decides.
func asSerial(class Class) announced {
	return func(t *text, from, to int) {
		if t.line[from-1] == '(' && bytes.IndexByte(t.line[from:to], ' ') >= 0 { // an explanation
			return
		}
		if bytes.HasPrefix(t.line[from:to], []byte("0x")) && isAllHex(t.line[from+2:to]) { // its shape stays
			if to-from >= 2+minHexID && !isSealed(t.line[from+2:to]) {
				t.foundHexID(from+2, to, class)
				return
			}
			from += 2
		}
		if t.ownForm(from, to) || to-from < 3 || !t.rules.has(labels) && !bytes.ContainsAny(t.line[from:to], "0123456789") {
			return // in a log the value is cut to a word, which without a digit is none
		}
		if class == DMISerial && t.section != "" {
			class := t.section
			t.foundSerial(from, to, class)
			return
		}
		t.foundSerial(from, to, class)
	}
}

// asSerialWord takes a value of one word; "Serial: 8250/16550 driver" is none.
func asSerialWord(t *text, from, to int) {
	if bytes.IndexByte(t.line[from:to], ' ') < 0 {
		asSerial(Serial)(t, from, to)
	}
}

// asNearSerial takes a value that ends with its word where it stands directly
// behind the label, as in "SN:036F2A1C errors".
func asNearSerial(t *text, from, to int) {
	if t.line[from-1] == ':' {
		if blank := bytes.IndexByte(t.line[from:to], ' '); blank > 0 {
			to = from + blank
		}
	}
	asSerial(DriveSerial)(t, from, to)
}

// ownForm looks at a value as a UUID, MAC address or Device Serial Number.
func (t *text) ownForm(from, to int) bool {
	if to-from == uuidLen && isUUID(t.line[from:to]) {
		t.foundUUID(from)
		return true
	}
	if next, ok := t.octetRun(from, to); ok && next == to {
		return true
	}
	if isPCIAddress(t.line[from:to]) {
		t.keep(from, to)
		return true
	}
	digits := bytes.TrimPrefix(t.line[from:to], []byte("0x"))
	if _, ok := t.r.hexID(bytes.ToLower(digits)); len(digits) >= minHexID && !ok && isAllHex(digits) {
		t.keep(from, to)
		return true
	}
	return false
}

// isPCIAddress reports whether s is one, with its domain: 0000:c5:00.0, of VMD
// 10000:e1:00.0.
func isPCIAddress(s []byte) bool {
	colon := bytes.IndexByte(s, ':')
	if colon < 4 || colon > 5 || len(s) != colon+8 || !isAllHex(s[:colon]) {
		return false
	}
	s = s[colon:]
	return isAllHex(s[1:3]) && s[3] == ':' && isAllHex(s[4:6]) && s[6] == '.' && '0' <= s[7] && s[7] <= '7'
}

// usbSerial takes "SerialNumber: ..." of a new USB device. "SerialNumber=3" is
// the index of that string.
func usbSerial(t *text, from, to int) {
	if bytes.Contains(t.line[max(0, from-64):from], []byte("usb usb")) { // a root hub's is the name of its controller
		t.keep(from, to)
		return
	}
	if t.line[from-1] == ' ' { // it may have blanks in it
		s := t.line[:min(len(t.line), from+maxValue)]
		if quote := bytes.IndexAny(s[from:], "\"\x1b["); quote >= 0 { // the end of a text in JSON, a colour (ECMA-48)
			s = s[:from+quote]
		}
		to = len(bytes.TrimRight(s, " \t\r"))
	}
	if to-from > uuidLen && t.line[from] == '{' && t.ownForm(from+1, to-1) {
		return
	}
	if to-from > 3 && !t.ownForm(from, to) {
		t.foundSerial(from, to, USBSerial)
	}
}

// vendorField takes vital product data that a maker uses as it likes. Long
// words with digits are replaced; those with dots are versions.
func vendorField(t *text, from, to int) {
	for i := from; i < to; {
		end := i
		digits := 0
		for ; end < to && t.line[end] != ' ' && t.line[end] != ':' && t.line[end] != '='; end++ {
			if classes[t.line[end]]&digitBit != 0 {
				digits++
			}
		}
		if s := t.line[i:end]; !namesModel(t.line[:i]) && len(s) >= 8 && digits >= 3 && bytes.IndexByte(s, '.') < 0 && !t.ownForm(i, end) {
			t.foundSerial(i, end, VPD)
		}
		i = end + 1
	}
}

// namesModel reports whether a field of vital product data that s ends in
// holds a part number or a model, as Mellanox writes them.
func namesModel(s []byte) bool {
	for _, name := range []string{"MN=", "MODL=", "CSKU="} {
		if bytes.HasSuffix(s, []byte(name)) {
			return true
		}
	}
	return false
}

// asPartNumber notes that a value names a kind of card, so that it is no
// identity where a maker has it in a field of its own as well.
func asPartNumber(t *text, from, to int) {
	if t.learning() {
		t.r.known.part(t.line[from:to])
	}
	t.keep(from, to)
}

// asDiskSerial takes the serial number behind vendor and model, which udev
// joins with underscores.
func asDiskSerial(t *text, from, to int) {
	from += bytes.LastIndexByte(t.line[from:to], '_') + 1
	asSerial(DriveSerial)(t, from, to)
}

// reportedSerial takes the Device Serial Number of an error record, "serial
// number: 0x00e1b2c3, 0xd4f5a6b7", the lower half first
// (drivers/firmware/efi/cper.c).
func reportedSerial(t *text, from, to int) {
	s := t.line[from:min(len(t.line), from+22)]
	const half = len("0x00000000")
	if len(s) != 2*half+2 || string(s[half:half+4]) != ", 0x" || string(s[:2]) != "0x" || !isAllHex(s[2:half]) || !isAllHex(s[half+4:]) {
		return
	}
	high, low := from+half+4, from+2
	number := [8]byte(octets(octets(nil, t.line[high:high+8], 0), t.line[low:low+8], 0))
	pseudo, ok := t.r.serialNumber(number)
	if ok && t.learning() {
		t.r.known.octets(PCIeSerial, number[:])
	}
	if !ok || t.learning() {
		t.keep(from, from+len(s))
		return
	}
	t.put(low, low+8, PCIeSerial, writeOctets(t.line[low:low+8], pseudo[4:]))
	t.put(high, high+8, PCIeSerial, writeOctets(t.line[high:high+8], pseudo[:4]))
}
