package lspci

import (
	"bytes"

	"hwcap/parse/fact"
)

// The line that opens a device:
//
//	[DOMAIN:]BB:DD.F CLASS: DEVICE[ (rev XX)][ (prog-if XX[ [NAME]])]
//
// Class and device are names, ids ("0600: 8086:3405", -n), or both ("Host
// bridge [0600]: ... [8086:3405]", -nn). lspci -PP prints the addresses of all
// bridges above, with slashes, before the device's own.

// address reads the PCI address at the start of text. The rest begins with the
// class. An address without its domain, as lspci prints it where all are zero,
// gets one.
func address(text []byte) (addr string, rest []byte, ok bool) {
	if len(text) < len("00:00.0 x") || !isHex(text[0]) || !isHex(text[1]) {
		return "", nil, false
	}
	at := 0
	if n := domain(text); n > 0 {
		at = n + 1
	}
	end := bdf(text[at:])
	if end == 0 {
		return "", nil, false
	}
	dom, own := text[:max(at-1, 0)], text[at:at+end]
	rest = text[at+end:]
	for len(rest) > 0 && rest[0] == '/' {
		if end = bdf(rest[1:]); end == 0 {
			return "", nil, false // lspci -P: the device's bus is not printed
		}
		own, rest = rest[1:1+end], rest[1+end:]
	}
	if len(rest) < 2 || rest[0] != ' ' || rest[1] == '"' || !bytes.Contains(rest, []byte(": ")) && rest[len(rest)-1] != ':' {
		return "", nil, false
	}
	if len(dom) == 0 {
		dom = []byte("0000")
	}
	return lower(dom) + ":" + lower(own), rest[1:], true
}

// domain returns the number of digits of the domain before a bus number, or 0.
func domain(text []byte) int {
	n := 0
	for n < len(text) && n <= 8 && isHex(text[n]) {
		n++
	}
	if n < 4 || n > 8 || n == len(text) || text[n] != ':' {
		return 0
	}
	return n
}

// bdf returns the length of "bb:dd.f" at the start of text, or 0. A device
// number has five bits, so that times of day are mostly told apart.
func bdf(text []byte) int {
	const n = len("00:00.0")
	if len(text) < n || !isHex(text[0]) || !isHex(text[1]) || text[2] != ':' ||
		text[3] != '0' && text[3] != '1' || !isHex(text[4]) || text[5] != '.' || text[6] < '0' || text[6] > '7' {
		return 0
	}
	return n
}

// readHeader reads what follows the address. Revision and prog-if come last,
// and names may hold a "(rev 03)" of their own, so both are cut from the end.
func readHeader(d *fact.Device, text []byte) bool {
	if i := bytes.LastIndex(text, []byte(" (prog-if ")); i >= 0 {
		if v := text[i+len(" (prog-if "):]; len(v) > 2 && allHex(v[:2], 2) {
			d.ProgIf = lower(v[:2])
			text = text[:i]
		}
	}
	if n := len(text) - len(" (rev 00)"); n >= 0 && hasPrefix(text[n:], " (rev ") && text[len(text)-1] == ')' {
		if v := text[n+len(" (rev "):]; allHex(v[:2], 2) {
			d.Revision = lower(v[:2])
			text = text[:n]
		}
	}
	class, device, found := bytes.Cut(text, []byte(": "))
	if !found {
		return false
	}
	d.ClassName, d.Class = readClass(class)
	d.Name, d.Vendor, d.Device = readIDs(device)
	return true
}

// readClass splits "Host bridge [0600]", "0600" or "Class 0600". Brackets with
// four digits also stand without -nn where only the base class has a name. A
// name alone tells the code as well.
func readClass(text []byte) (name, id string) {
	switch n := len(text); {
	case allHex(text, 4):
		return "", lower(text)
	case n >= 6 && text[n-6] == '[' && text[n-1] == ']' && allHex(text[n-5:n-1], 4):
		id, text = lower(text[n-5:n-1]), bytes.TrimSpace(text[:n-6])
	case n == len("Class 0600") && hasPrefix(text, "Class ") && allHex(text[6:], 4):
		return "", lower(text[6:])
	}
	if s := string(text); s != "Class" && s != "Unknown class" {
		name = s
	}
	if id == "" {
		id = classCodes[name]
	}
	return name, id
}

// readIDs splits "Intel Corporation Device [8086:3405]", "8086:3405" or "Device
// 8086:3405". Where a long name was cut by lspci the ids are lost with its end.
func readIDs(text []byte) (name, vendor, device string) {
	if n := len(text); n >= 11 && text[n-1] == ']' && text[n-11] == '[' && isIDs(text[n-10:n-1]) {
		vendor, device = lower(text[n-10:n-6]), lower(text[n-5:n-1])
		text = bytes.TrimSpace(text[:n-11])
	} else if n >= 9 && isIDs(text[n-9:]) && (n == 9 || hasAnyPrefix(text, nameless) && bytes.Count(text, []byte(" ")) <= 2) {
		vendor, device = lower(text[n-9:n-5]), lower(text[n-4:])
		text = bytes.TrimSpace(text[:n-9])
	}
	if s := string(text); s != "Device" && s != "Unknown device" {
		name = s
	}
	return name, vendor, device
}

// nameless are the words for a vendor without a name ("Unknown device" up to
// 2.2.10).
var nameless = []string{"Device ", "Unknown device "}

// isIDs reports whether text is "8086:3405".
func isIDs(text []byte) bool {
	return len(text) == 9 && text[4] == ':' && allHex(text[:4], 4) && allHex(text[5:], 4)
}
