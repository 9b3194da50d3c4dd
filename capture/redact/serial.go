package redact

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
