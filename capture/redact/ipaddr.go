package redact

import (
	"bytes"
	"encoding/hex"
	"net/netip"
)

const kindIPv4 = "ipv4"

// isPlainIPv4 reports whether an address is nobody's: unspecified, loopback,
// groups, masks and the like. 240.0.0.0/8 is reserved (RFC 1112 section 4) and
// has the pseudonyms.
func isPlainIPv4(a [4]byte) bool {
	return a[0] == 0 || a[0] == 127 || a[0] >= 224
}

func (k *Key) ipv4(a [4]byte) [4]byte {
	sum := k.digest(kindIPv4, a[:])
	return [4]byte{240, sum[0], sum[1], sum[2]}
}

// isPlainIPv6 reports whether an address is nobody's, or a pseudonym. A
// solicited-node group holds the end of somebody's address.
func isPlainIPv6(a [16]byte) bool {
	switch {
	case a == [16]byte{} || a == [16]byte{15: 1}:
		return true
	case a[0] == 0xff:
		return !isSolicited(a) || [3]byte(a[13:]) == [3]byte{0, 0x68, 0x77}
	case [6]byte(a[:6]) == pseudoNet:
		return true
	}
	if a[0] == 0xfe && [14]byte(a[2:]) == [14]byte{} { // the prefix of link-local addresses
		return true
	}
	return a[0] == 0xfe && ([2]byte(a[8:10]) == [2]byte{0x68, 0x77} || [3]byte(a[8:11]) == pseudoIID)
}

func isSolicited(a [16]byte) bool {
	return [13]byte(a[:13]) == [13]byte{0: 0xff, 1: 0x02, 11: 1, 12: 0xff}
}

var (
	pseudoNet = [6]byte{0x20, 0x01, 0x0d, 0xb8, 0x68, 0x77} // in 2001:db8::/32, RFC 3849
	pseudoIID = [3]byte{0x04, 0x68, 0x77}                   // pseudoOUI as an interface identifier has it
)

// ipv6 returns the pseudonym of an address. An interface identifier made of a
// MAC address (RFC 4291 appendix A) is made of its pseudonym.
func (k *Key) ipv6(a [16]byte) (pseudo [16]byte) {
	sum := k.digest("ipv6", a[:])
	copy(pseudo[:], sum[:])
	switch {
	case isSolicited(a):
		copy(pseudo[:13], a[:13])
		copy(pseudo[13:], []byte{0, 0x68, 0x77})
		return pseudo
	case a[0] == 0xfe && a[1]&0xc0 == 0x80: // link-local
		copy(pseudo[:8], a[:8])
		pseudo[8], pseudo[9] = 0x68, 0x77
	default:
		copy(pseudo[:6], pseudoNet[:])
	}
	if a[11] == 0xff && a[12] == 0xfe {
		mac := k.mac([6]byte{a[8] ^ 2, a[9], a[10], a[13], a[14], a[15]})
		copy(pseudo[8:], []byte{mac[0] ^ 2, mac[1], mac[2], 0xff, 0xfe, mac[3], mac[4], mac[5]})
	}
	return pseudo
}

// ipv4Run looks at line[from:end], a word of digits and dots.
func (t *text) ipv4Run(from, end int) (next int, ok bool) {
	next = from
	for dots := 0; next < end && (classes[t.line[next]]&digitBit != 0 || t.line[next] == '.'); next++ {
		if t.line[next] == '.' {
			if dots++; dots == 4 {
				break
			}
		}
	}
	for next > from && t.line[next-1] == '.' {
		next--
	}
	if next < end && (t.line[next] == '.' && next+1 < end && isPart(t.line[next+1]) || t.line[next] == '-' || isPart(t.line[next])) {
		return 0, false
	}
	addr, err := netip.ParseAddr(string(t.line[from:next]))
	if err != nil || !addr.Is4() {
		return 0, false
	}
	a := addr.As4()
	if isPlainIPv4(a) || t.isVersion(from) || t.isRelease(from, next) {
		t.keep(from, next)
		return next, true
	}
	if !t.rules.has(addresses) && !t.r.known.hasIPv4(t.line[from:next]) {
		return 0, false
	}
	if t.rules.has(logs) {
		t.namedBehind(next)
	}
	if t.learning() {
		t.r.known.text(kindIPv4, IPv4, t.line[from:next])
		t.keep(from, next)
		return next, true
	}
	t.put(from, next, IPv4, []byte(netip.AddrFrom4(t.r.key.ipv4(a)).String()))
	return next, true
}

func (k *known) hasIPv4(s []byte) bool {
	w, ok := k.find(s, 0, firstPart(s))
	return ok && w.kind == kindIPv4
}

// versionWords begin or end the words that stand before a version.
var versionWords = [...]string{
	"ver", "version", "fw", "firmware", "rev", "revision", "release", "driver", "drv", "nvm", "bios", "uefi", "boot",
	"phy", "patch", "level", "build", "microcode", "ucode", "protocol", "rom", "module", "ddp", "package", "kernel", "api",
	"sdk", "bootloader", "bundle", "schema", "file", "library", "mgmt", "agent", "psid", "image", "versions", "eeprom",
}

// driverWords are drivers that say their version, of four numbers, behind their
// name and nothing else.
var driverWords = set("megaraid", "megaraid_sas", "megaraid_mbox", "megaraid_mm", "cmm", "megasas", "mptbase", "mptsas", "mpt2sas",
	"mpt3sas", "lpfc", "qla2xxx", "qla4xxx", "bfa", "bna", "bnx2", "bnx2x", "bnx2i", "bnx2fc", "bnxt_en", "cxgb3", "cxgb4", "be2net",
	"be2iscsi", "aacraid", "arcmsr", "hpsa", "smartpqi", "pm80xx", "isci", "ixgbe", "igb", "i40e", "ice", "fm10k", "enic", "fnic",
	"snic", "sfc", "qat", "quickassist", "mmp", "me", "bmc", "cpld", "config", "loader", "ld", "section", "nvidia", "zfs", "vmxnet3", "hfi1", "qib", "qede", "qedi", "qedf", "atlantic", "liquidio")

// releaseWords begin what stands in parentheses behind a version.
var releaseWords = [...]string{" (release", " (rel", " (build", " (date", " loaded", " initialized"}

// isRelease reports whether the number at line[from:to] is a version by the
// name of a driver directly before it, "megaraid: 2.20.5.1", or by what follows
// it.
func (t *text) isRelease(from, to int) bool {
	behind := t.line[to:min(len(t.line), to+16)]
	for _, w := range releaseWords {
		if len(behind) >= len(w) && bytes.EqualFold(behind[:len(w)], []byte(w)) {
			return true
		}
	}
	s := bytes.TrimRight(t.line[:from], ":= ")
	at := len(s)
	for at > 0 && len(s)-at < 16 && (isPart(s[at-1]) || s[at-1] == '_') {
		at--
	}
	return len(s) < from && driverWords[string(bytes.ToLower(s[at:]))]
}

// addressWords stand directly before an address, never before a version.
var addressWords = set("server", "host", "peer", "gateway", "via", "addr", "address", "nameserver")

// isVersion reports whether the number at line[from:] is a version by one of
// the two words before it.
func (t *text) isVersion(from int) bool {
	s := t.line[:from]
	if from > 0 && (s[from-1] == '-' || s[from-1] == '+' || s[from-1] == '_' || s[from-1] == 'v' || s[from-1] == 'V') {
		return true
	}
	for range 2 {
		end := len(s)
		for end > 0 && !isPart(s[end-1]) {
			if c := s[end-1]; c == ';' || c == ',' && len(s) == from { // another matter
				return false
			}
			end--
		}
		start := end
		for start > 0 && isPart(s[start-1]) {
			start--
		}
		if end-start > 24 || start == end {
			return false
		}
		w := bytes.ToLower(s[start:end])
		if len(w) == len("0x800094fc") && string(w[:2]) == "0x" && isAllHex(w[2:]) { // the image of an adapter, before that of its boot ROM
			return true
		}
		if addressWords[string(w)] && end+1 == from {
			return false
		}
		for _, v := range versionWords {
			if string(w) == v || len(v) >= 6 && (bytes.HasSuffix(w, []byte(v)) || bytes.HasPrefix(w, []byte(v))) {
				return true
			}
		}
		s = s[:start]
	}
	return false
}

// ipv6Run looks at line[from:end], a word of digits, colons and dots.
func (t *text) ipv6Run(from, end int) (next int, ok bool) {
	s := t.line
	if from > 1 && s[from-1] == ':' && s[from-2] == ':' {
		from -= 2 // the word scanner begins at a digit
	}
	if from > 0 && classes[s[from-1]] != 0 {
		return 0, false
	}
	const longest = 46 // INET6_ADDRSTRLEN
	next, double := from, false
	for next < end && next-from <= longest && (isHex(s[next]) || s[next] == ':' || s[next] == '.') {
		double = double || next > from && s[next] == ':' && s[next-1] == ':'
		next++
	}
	for next > from && (s[next-1] == '.' || s[next-1] == ':' && !(next-from > 2 && s[next-2] == ':')) {
		next--
	}
	if next < end && isPart(s[next]) || next-from < 4 || next-from > longest {
		return 0, false
	}
	word := s[from:next]
	if !double && bytes.Count(word, []byte(":")) != 7 {
		return 0, false
	}
	addr, err := netip.ParseAddr(string(word))
	if err != nil || !addr.Is6() || addr.Is4In6() {
		return 0, false
	}
	a := addr.As16()
	switch {
	case isPlainIPv6(a) || t.learning():
		if a[11] == 0xff && a[12] == 0xfe && t.learning() {
			t.r.known.mac([6]byte{a[8] ^ 2, a[9], a[10], a[13], a[14], a[15]})
		}
		if t.learning() && !isPlainIPv6(a) {
			t.r.known.octets(IPv6, a[:])
		}
		t.keep(from, next)
	default:
		pseudo := t.r.key.ipv6(a)
		t.put(from, next, IPv6, writeIPv6(word, pseudo))
	}
	return next, true
}

// writeIPv6 writes an address in the form that like has: the short one of RFC
// 5952, or all groups with all their digits, or all digits without colons.
func writeIPv6(like []byte, a [16]byte) []byte {
	if len(like) == 39 {
		out := append([]byte(nil), like...)
		return writeDigits(out, hex.AppendEncode(nil, a[:]))
	}
	return netip.AddrFrom16(a).AppendTo(nil)
}

// asIPv4 takes an address where a label tells it from a version.
func asIPv4(t *text, from, to int) {
	was := t.rules
	t.rules |= addresses
	t.ipv4Run(from, to)
	t.rules = was
}
