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

// blanks passes over blanks, as many as columns have, and colours.
func (t *text) blanks(at int) int {
	for most := min(len(t.line), at+64); at < most; {
		switch t.line[at] {
		case ' ', '\t':
			at++
		case '\x1b':
			at = t.colourEnd(at, most)
		default:
			return at
		}
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
		end = bytes.IndexAny(s, " \t,;)]}>\"'\x1b")
	default:
		end = bytes.IndexAny(s, "\t,;\"\x1b")
		if gap := bytes.Index(s, []byte("  ")); gap >= 0 && (end < 0 || gap < end) {
			end = gap
		}
	}
	if end < 0 {
		end = len(s)
	}
	return from + len(bytes.TrimRight(s[:end], " \t\r."))
}

// slashed is a rule for a word behind a text that no other label has.
func slashed(before string, take rule) rule {
	return func(t *text, from, to int) {
		if bytes.HasSuffix(t.line[:from], []byte(before)) {
			take(t, from, to)
		}
	}
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
	on("SN", label("", ":=", any, asNearSerial))
	on("N", slashed("S/", label("", ":=", any, asNearSerial)))
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
