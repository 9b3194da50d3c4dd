package redact

import (
	"bytes"
	"encoding/hex"
)

// pseudoOUI begins every pseudonym of a MAC address: locally administered,
// unicast, and nobody's. "hw" in ASCII is 68 77.
var pseudoOUI = [3]byte{0x06, 0x68, 0x77}

func isPseudoMAC(mac [6]byte) bool { return [3]byte(mac[:3]) == pseudoOUI }

// isPlainMAC reports whether an address says nothing of a card: zero,
// broadcast, and the groups of IEEE 802.1 and of IP (RFC 1112, RFC 2464). A
// solicited-node group (33:33:ff) holds the end of somebody's address.
func isPlainMAC(mac [6]byte) bool {
	switch {
	case mac == [6]byte{}, mac == [6]byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff}:
		return true
	case mac[0] == 0x33 && mac[1] == 0x33:
		return mac[2] != 0xff
	}
	return [3]byte(mac[:3]) == [3]byte{0x01, 0x80, 0xc2} || [3]byte(mac[:3]) == [3]byte{0x01, 0x00, 0x5e}
}

// mac returns the pseudonym of a MAC address.
func (k *Key) mac(mac [6]byte) [6]byte {
	sum := k.digest("mac", mac[:])
	return [6]byte{pseudoOUI[0], pseudoOUI[1], pseudoOUI[2], sum[0], sum[1], sum[2]}
}

// pairsOf counts the octets that s begins with, two digits each with sep
// between them, up to most.
func pairsOf(s []byte, sep byte, most int) int {
	for n := 0; ; n++ {
		at := 3 * n
		if n == most || at+2 > len(s) || !isHex(s[at]) || !isHex(s[at+1]) {
			return n
		}
		if at+2 == len(s) || s[at+2] != sep {
			return n + 1
		}
	}
}

func isHex(c byte) bool { return classes[c]&(digitBit|hexBit) != 0 }

// octets decodes pairs of digits with sep between them, or without where sep
// is 0, into dst.
func octets(dst, s []byte, sep byte) []byte {
	step := 3
	if sep == 0 {
		step = 2
	}
	for i := 0; i+2 <= len(s); i += step {
		dst = append(dst, nibble(s[i])<<4|nibble(s[i+1]))
	}
	return dst
}

func nibble(c byte) byte {
	switch {
	case c <= '9':
		return c - '0'
	case c >= 'a':
		return c - 'a' + 10
	}
	return c - 'A' + 10
}

// writeOctets writes octets over the hexadecimal digits of like, keeping its
// separators and, where it has capitals, capitals.
func writeOctets(like, octets []byte) []byte {
	digits := hex.AppendEncode(make([]byte, 0, 2*len(octets)), octets)
	return writeDigits(like, digits)
}

func writeDigits(like, digits []byte) []byte {
	capitals := false
	for _, c := range like {
		capitals = capitals || 'A' <= c && c <= 'F'
	}
	out := append([]byte(nil), like...)
	n := 0
	for i, c := range like {
		if !isHex(c) || n == len(digits) {
			continue
		}
		out[i] = digits[n]
		if capitals && digits[n] >= 'a' {
			out[i] -= 'a' - 'A'
		}
		n++
	}
	return out
}

// octetRun looks at s[from:end], which begins a word, for octets with colons
// or hyphens between them: a MAC address of 6, a WWN or a Device Serial Number
// of 8, an InfiniBand address of 20. It returns where they end.
func (t *text) octetRun(from, end int) (next int, ok bool) {
	s := t.line
	if from+17 > end || s[from+2] != ':' && s[from+2] != '-' {
		return 0, false
	}
	sep := s[from+2]
	n := pairsOf(s[from:end], sep, 33)
	if n < 6 || t.isTaskfile(from) {
		return 0, false
	}
	next = from + 3*n - 1
	if next < end && (isPart(s[next]) || s[next] == sep && next+1 < end && isPart(s[next+1])) {
		return 0, false
	}
	var room [20]byte
	switch n {
	case 6:
		mac := [6]byte(octets(room[:0], s[from:next], sep))
		t.foundMAC(from, next, mac)
	case 7: // BOOTIF= of PXELINUX: the type of the hardware before
		mac := [6]byte(octets(room[:0], s[from+3:next], sep))
		t.foundMAC(from+3, next, mac)
	case 8:
		number := [8]byte(octets(room[:0], s[from:next], sep))
		if sep == '-' {
			t.foundSerialNumber(from, next, number)
		} else {
			t.foundHexID(from, next, WWN)
		}
	case 20: // IPoIB: queue pair, then a GID, whose end is the port's EUI-64
		if octets(room[:0], s[from:next], sep)[4] == 0xff { // a group, as the one of broadcast (RFC 4391 section 4)
			t.keep(from, next)
			break
		}
		t.foundHexID(next-23, next, WWN)
	default:
		return 0, false
	}
	return next, true
}

// isTaskfile reports whether a command of ATA stands before from, whose
// registers follow: "ACPI cmd ef/10:06:00:00:00:00" (ata_acpi_run_tf of
// drivers/ata/libata-acpi.c).
func (t *text) isTaskfile(from int) bool {
	const command = len("ef/")
	s := t.line[:from]
	at := len(s) - command
	return at > 0 && s[len(s)-1] == '/' && isHex(s[at]) && isHex(s[at+1]) && classes[s[at-1]] == 0 && s[at-1] != '/'
}

// foundMAC has a MAC address at s[from:to], with whatever separators.
func (t *text) foundMAC(from, to int, mac [6]byte) {
	switch {
	case isPlainMAC(mac) || isPseudoMAC(mac):
		t.keep(from, to)
	case t.learning():
		t.r.known.mac(mac)
		t.keep(from, to)
	default:
		pseudo := t.r.key.mac(mac)
		t.put(from, to, MAC, writeOctets(t.line[from:to], pseudo[:]))
	}
}

// dottedMAC reads 0011.2233.4455, as switches print it.
func (t *text) dottedMAC(from, end int) (next int, ok bool) {
	s := t.line[from:end]
	if len(s) < 14 || s[4] != '.' || s[9] != '.' || len(s) > 14 && (isPart(s[14]) || s[14] == '.') {
		return 0, false
	}
	var digits [12]byte
	n, letters := 0, s[0] == '0' && t.rules.has(labels) // a version does not begin so
	for i, c := range s[:14] {
		if i == 4 || i == 9 {
			continue
		}
		if !isHex(c) {
			return 0, false
		}
		letters = letters || c > '9'
		digits[n] = c
		n++
	}
	mac := [6]byte(octets(nil, digits[:], 0))
	if !letters && !t.r.known.macs[mac] && !isPseudoMAC(mac) { // three numbers: a version
		return 0, false
	}
	t.foundMAC(from, from+14, mac)
	return from + 14, true
}

func isAllHex(s []byte) bool {
	for _, c := range s {
		if !isHex(c) {
			return false
		}
	}
	return len(s) > 0
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

// bluezMAC reads dev_00_1A_..., the path of a device of BlueZ.
func bluezMAC(t *text, from, to int) {
	const size = len("00_00_5E_00_53_2A")
	at := to + 1
	if at+size <= len(t.line) && t.line[to] == '_' && pairsOf(t.line[at:], '_', 7) == 6 {
		t.foundMAC(at, at+size, [6]byte(octets(nil, t.line[at:at+size], '_')))
	}
}

// encodedMAC reads a MAC address with the colons of a URL, 00%3A00%3A5E...
func (t *text) encodedMAC(from, end int) {
	const step, size = len("00%3A"), 6*len("00%3A") - len("%3A")
	to := from + size
	if to > end || to < end && isPart(t.line[to]) {
		return
	}
	s := t.line[from:to]
	var digits []byte
	for i := 0; i < size; i += step {
		if !isHex(s[i]) || !isHex(s[i+1]) || i+step < size && (s[i+2] != '%' || s[i+3] != '3' || s[i+4]|0x20 != 'a') {
			return
		}
		digits = append(digits, s[i:i+2]...)
	}
	inner := &text{r: t.r, line: digits}
	inner.foundMAC(0, len(digits), [6]byte(octets(nil, digits, 0)))
	if len(inner.spans) == 0 || inner.spans[0].with == nil {
		t.keep(from, to)
		return
	}
	with := bytes.Clone(s)
	for i := range 6 {
		copy(with[i*step:], inner.spans[0].with[2*i:2*i+2])
	}
	t.put(from, to, MAC, with)
}

func init() { on("DEV", bluezMAC) }
