package redact

import "bytes"

// rule looks at what stands around the word line[from:to] that announces an
// identity.
type rule func(t *text, from, to int)

// triggers are the words that announce identities, in capitals.
var (
	triggers    = map[string][]rule{}
	triggerMask wordMask
)

func on(word string, rules ...rule) {
	triggers[word] = append(triggers[word], rules...)
	triggerMask.add([]byte(word))
}

// announced is what a label is followed by.
type announced func(t *text, from, to int)

// label is a rule for "before word: value". Of before only letters and digits
// count, so that "Serial Number", "serial_number" and "serial-number" are one.
// seps are the characters that may stand between the label and its value.
func label(before, seps string, in rules, take announced) rule {
	return func(t *text, from, to int) {
		if in != 0 && t.rules&in == 0 || !t.follows(from, before) {
			return
		}
		at, ok := t.value(to, seps)
		if !ok {
			return
		}
		end := t.valueEnd(at, t.line[at-1])
		if end > at && t.covered(at) == at {
			take(t, at, end)
		}
	}
}

// follows reports whether the words before stand directly before from.
func (t *text) follows(from int, before string) bool {
	if before == "" {
		return true
	}
	i := from
	for n := len(before); n > 0; {
		if i == 0 {
			return false
		}
		i--
		c := t.line[i]
		if c == ' ' || c == '_' || c == '-' || c == '.' {
			continue
		}
		if 'a' <= c && c <= 'z' {
			c -= 'a' - 'A'
		}
		if before[n-1] == ' ' {
			n--
		}
		if n == 0 || c != before[n-1] {
			return false
		}
		n--
	}
	return i == 0 || !isPart(t.line[i-1])
}

// value goes from the end of a label over one of the separators to the value.
func (t *text) value(at int, seps string) (from int, ok bool) {
	s := t.line
	if at < len(s) && (s[at] == '"' || s[at] == '\'') { // the name of a JSON field
		at++
	}
	end := at
	at = t.blanks(at)
	if at == len(s) {
		return 0, false
	}
	if bytes.IndexByte([]byte(seps), s[at]) < 0 {
		return at, at > end && seps[len(seps)-1] == ' '
	}
	sep := s[at]
	at++
	if sep == '=' && at < len(s) && s[at] == ' ' && !t.rules.has(labels) {
		return 0, false
	}
	if sep != '(' {
		at = t.blanks(at)
	}
	if at < len(s) && (s[at] == '"' || s[at] == '\'') {
		at++
	}
	return at, at < len(s)
}

// blanks passes over blanks, as many as columns have.
func (t *text) blanks(at int) int {
	for most := at + 64; at < len(t.line) && at < most && (t.line[at] == ' ' || t.line[at] == '\t'); at++ {
	}
	return at
}

// valueEnd returns where the value at from ends, which before stands before: a
// quotation mark or parenthesis has its partner. In a log the value is a word,
// since anything may follow; else it goes on to the end of the line, or to a
// column beside it.
func (t *text) valueEnd(from int, before byte) int {
	s := t.line[from:min(len(t.line), from+maxValue)]
	var end int
	switch {
	case before == '"' || before == '\'':
		end = bytes.IndexByte(s, before)
	case before == '(':
		end = bytes.IndexByte(s, ')')
	case before == '<':
		end = bytes.IndexByte(s, '>')
	case before == '=' || !t.rules.has(labels):
		end = bytes.IndexAny(s, " \t,;)]}>\"'")
	default:
		end = bytes.IndexAny(s, "\t,;\"")
		if gap := bytes.Index(s, []byte("  ")); gap >= 0 && (end < 0 || gap < end) {
			end = gap
		}
	}
	if end < 0 {
		end = len(s)
	}
	return from + len(bytes.TrimRight(s[:end], " \t\r."))
}

// asSerial takes a value as a serial number of the class. Where it has a form
// of its own, that decides.
func asSerial(class Class) announced {
	return func(t *text, from, to int) {
		if bytes.HasPrefix(t.line[from:to], []byte("0x")) && isAllHex(t.line[from+2:to]) { // its shape stays
			if to-from >= 2+minHexID {
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

func isAllHex(s []byte) bool {
	for _, c := range s {
		if !isHex(c) {
			return false
		}
	}
	return len(s) > 0
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
// none of 36 characters: ABCD-1234 of FAT, 1234abcd-01 of an MBR, those of ZFS and LVM. UUIDs have
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

// asMAC takes twelve digits without separators.
func asMAC(t *text, from, to int) {
	if bytes.HasPrefix(t.line[from:to], []byte("0x")) {
		from += 2
	}
	if next := from + 12; next <= to && isAllHex(t.line[from:next]) && (next == len(t.line) || !isPart(t.line[next])) {
		t.foundMAC(from, next, [6]byte(octets(nil, t.line[from:next], 0)))
	}
}

// usbSerial takes "SerialNumber: ..." of a new USB device. "SerialNumber=3" is
// the index of that string.
func usbSerial(t *text, from, to int) {
	if bytes.Contains(t.line[max(0, from-64):from], []byte("usb usb")) { // a root hub's is the name of its controller
		t.keep(from, to)
		return
	}
	if t.line[from-1] == ' ' { // it may have blanks in it
		to = len(bytes.TrimRight(t.line[:min(len(t.line), from+maxValue)], " \t\r"))
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

// slashed is a rule for a word behind a text that no other label has.
func slashed(before string, take rule) rule {
	return func(t *text, from, to int) {
		if bytes.HasSuffix(t.line[:from], []byte(before)) {
			take(t, from, to)
		}
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

// asIPv4 takes an address where a label tells it from a version.
func asIPv4(t *text, from, to int) {
	was := t.rules
	t.rules |= addresses
	t.ipv4Run(from, to)
	t.rules = was
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

func init() {
	const any = labels | logs
	on("NUMBER",
		label("SERIAL", ":", logs, reportedSerial),
		label("SERIAL", ":=(#", 0, asSerial(DMISerial)),
		label("PART", ":", labels, asPartNumber))
	on("SERIALNUMBER", label("", ":=", 0, usbSerial))
	on("SERIALNO", label("", ":=", any, asSerial(Serial)))
	on("SERIAL",
		label("ID", "=", any, asDiskSerial),
		label("", "=", any, asSerial(Serial)),
		label("", ":", labels, asSerialWord))
	on("SN", label("", ":=", any, asSerial(DriveSerial)))
	on("N", slashed("S/", label("", ":=", any, asSerial(DriveSerial))))
	on("SHORT", label("SERIAL", "=", any, asSerial(DriveSerial)))
	on("TAG",
		label("ASSET", ":=", any, asSerial(AssetTag)),
		label("SERVICE", ":=", any, asSerial(DMISerial)))
	on("SPECIFIC",
		label("VENDOR", ":", labels, vendorField),
		label("SYSTEM", ":", labels, vendorField),
		label("PRODUCT", ":", labels, vendorField))
	on("ADDRESS",
		label("NETWORK", ":", labels, asMAC),
		label("", ":", labels, asIPv4),
		label("SAS", ":=(", any, asHex(WWN)))
	for _, word := range []string{"MAC", "HWADDR", "LLADDR"} {
		on(word, label("", "(=:", any, asMAC))
	}
	on("ADDR", label("SAS", ":=(", any, asHex(WWN)))
	on("ID",
		label("LOGICAL", ":=(", any, asHex(WWN)),
		label("LOGICAL UNIT", ":", any, asHex(WWN)),
		label("UNIQUE", ":", any, asHex(WWN)),
		label("WWN DEVICE", ":=(", any, asHex(WWN)))
	on("NAME",
		label("DEVICE", "(", any, asHex(WWN)),
		label("PORT", ":= ", any, asHex(WWN)),
		label("NODE", ":= ", any, asHex(WWN)))
	on("64", label("EUI", ":", labels, asHex(WWN)))
	for _, word := range []string{"WWN", "WWID", "WWPN", "WWNN", "NAA", "EUI", "EUI64", "NGUID"} {
		on(word, label("", ":=(", any, asHex(WWN)))
	}
	on("GUID", label("", ":= ", any, asHex(WWN)))
	on("WWN", worldWideName)
	on("EUI", worldWideName)
	on("NAA", worldWideName)
	on("PN", worldWideName) // of a port and a node, as NVMe over Fibre Channel has them
	on("NN", worldWideName)
	on("PPIN", label("", ":= ", any, asHex(PPIN)))
	on("UUID", label("", "=", any, asShortID))
	on("PARTUUID", label("", "=", any, asShortID))
	on("SUB", label("UUID", "=", any, asShortID))
	on("UUID", label("VG", " ", labels, asShortID), label("LV", " ", labels, asShortID), label("PV", " ", labels, asShortID))
	on("NQN", qualifiedName)
	on("IQN", qualifiedName)
}

// worldWideName reads wwn-0x5000... as udev names links.
func worldWideName(t *text, from, to int) {
	if !bytes.HasPrefix(t.line[to:], []byte("-0x")) && !bytes.HasPrefix(t.line[to:], []byte(".0x")) {
		return
	}
	end := to + 3
	for end < len(t.line) && isHex(t.line[end]) {
		end++
	}
	t.foundHexID(to+3, end, WWN)
}

// qualifiedName reads a name of NVMe (nqn.2014-08.org.nvmexpress:uuid:..., NVM
// Express Base Specification 2.0 section 4.5) or iSCSI (RFC 3720 section
// 3.2.6.3). Behind the authority stands what the maker likes: parts with a
// digit are replaced.
func qualifiedName(t *text, from, to int) {
	s := t.line[from:min(len(t.line), from+maxValue)]
	if len(s) < 8 || s[3] != '.' || classes[s[4]]&digitBit == 0 {
		return
	}
	end := bytes.IndexFunc(s, func(c rune) bool { // neither has anything else in it
		return c <= ' ' || c >= 0x7f || bytes.ContainsRune([]byte(",;\"'()<>[]{}"), c)
	})
	if end >= 0 {
		s = s[:end]
	}
	colon := bytes.IndexByte(s, ':')
	if colon < 0 || !isVolume(s[:colon]) { // a date and a domain, of the same characters
		return
	}
	authority := s[:colon]
	end = from + len(s)
	t.keep(from, from+colon)
	for i := from + colon + 1; i < end; {
		next := i
		for next < end && t.line[next] != ':' {
			next++
		}
		t.qualifiedPart(i, next, bytes.HasSuffix(authority, []byte("nvmexpress")))
		i = next + 1
	}
}

func (t *text) qualifiedPart(from, to int, express bool) {
	if to-from >= uuidLen && isUUID(t.line[from:to]) {
		t.foundUUID(from)
		return
	}
	if t.ownForm(from, to) {
		return
	}
	// The Linux target's form without a UUID: two vendor ids before the serial number.
	if express && to-from > 12 && isAllHex(t.line[from:from+8]) {
		from += 8
	}
	value := t.line[from:to]
	if lettersOnly(value) || len(value) < 4 {
		return
	}
	if t.learning() && len(value) < 8 { // a model, likely
		t.keep(from, to)
		return
	}
	t.foundSerial(from, to, NQN)
}
