package redact

import (
	"bytes"
	"sort"
)

// maxKnown bounds what is learned from a capture, in values: a hostile one
// shall not fill the memory.
const maxKnown = 1 << 16

// known is what Learn found: identities that are replaced where they stand
// without anything that announces them.
type known struct {
	macs  map[[6]byte]bool
	raw   map[identity]bool // other ones, by their octets
	words map[string][]word // by their first part, in capitals; the longest first
	parts map[string]bool   // numbers of parts, in their plainest form: no identities
	mask  wordMask
	n     int

	patterns sweeper
	ready    bool // patterns is made of all of it
}

// identity is one that has a form in octets.
type identity struct {
	class  Class // UUID, PCIeSerial, IPv6, or another one for a long hexadecimal identity
	octets string
}

// word is an identity that is written as text.
type word struct {
	text   []byte // in capitals
	seen   []byte // as it was announced
	kind   string // of its pseudonym
	class  Class
	strict bool // letters only: never a part of a longer name
	back   bool // text is from the last character to the first
}

// wordMask tells by first letter and length which words cannot be in a table;
// bit 63 stands for all longer ones.
type wordMask [256]uint64

func (m *wordMask) add(s []byte)      { m[s[0]] |= 1 << min(len(s), 63) }
func (m *wordMask) has(s []byte) bool { return m[s[0]]>>min(len(s), 63)&1 != 0 }

func newKnown() known {
	return known{macs: map[[6]byte]bool{}, raw: map[identity]bool{}, words: map[string][]word{}, parts: map[string]bool{}}
}

func (k *known) full() bool { return k.n >= maxKnown }

// mac learns a MAC address.
func (k *known) mac(mac [6]byte) {
	if !k.full() && !k.macs[mac] && !isPlainMAC(mac) && !isPseudoMAC(mac) {
		k.macs[mac] = true
		k.n++
	}
}

// part learns the number of a part.
func (k *known) part(number []byte) {
	if plain := string(plainest(number)); !k.full() && len(number) < maxValue && !k.parts[plain] {
		k.parts[plain] = true
		k.n++
	}
}

// isPart reports whether a value of vital product data is the number of a part.
func (k *known) isPart(class Class, value []byte) bool {
	return class == VPD && k.parts[string(plainest(value))]
}

// octets learns an identity by its octets.
func (k *known) octets(class Class, b []byte) {
	id := identity{class, string(b)}
	if !k.full() && !k.raw[id] && len(b) >= minPattern && varied(b) {
		k.raw[id] = true
		k.n++
	}
}

// text learns a word, unless it is too plain to be found without damage: such
// a one is replaced only where something announces it.
func (k *known) text(kind string, class Class, value []byte) {
	if k.full() || len(value) == 0 || len(value) > maxValue || !distinct(kind, value) {
		return
	}
	k.word(word{text: bytes.ToUpper(value), seen: bytes.Clone(value), kind: kind, class: class, strict: lettersOnly(value)})
	if kind == kindSerial {
		k.word(word{text: reversed(bytes.ToUpper(value)), kind: kind, class: class, back: true})
	}
}

func (k *known) word(w word) {
	first := firstPart(w.text)
	if len(first) == 0 {
		return
	}
	list := k.words[string(first)]
	for _, other := range list {
		if bytes.Equal(other.text, w.text) {
			return
		}
	}
	list = append(list, w)
	sort.SliceStable(list, func(i, j int) bool { return len(list[i].text) > len(list[j].text) })
	k.words[string(first)] = list
	k.mask.add(first)
	k.n++
}

// find returns the longest known word that s[from:] begins with. first is its
// first part, in capitals.
func (k *known) find(s []byte, from int, first []byte) (w word, ok bool) {
	for _, w := range k.words[string(first)] {
		end := from + len(w.text)
		if end > len(s) || !bytes.EqualFold(s[from:end], w.text) || end < len(s) && isPart(s[end]) {
			continue
		}
		if w.strict && (from > 0 && joins(s[from-1]) || end < len(s) && joins(s[end])) {
			continue
		}
		return w, true
	}
	return word{}, false
}

// joins reports whether c makes one name of what stands on both sides of it.
func joins(c byte) bool { return c == '-' || c == '_' }

func isPart(c byte) bool { return alphabetOf[c] != "" || c >= 0x80 }

// firstPart returns the letters and digits that s begins with.
func firstPart(s []byte) []byte {
	n := 0
	for n < len(s) && isPart(s[n]) {
		n++
	}
	return s[:n]
}

func lettersOnly(s []byte) bool {
	for _, c := range s {
		if !isPart(c) || '0' <= c && c <= '9' {
			return false
		}
	}
	return true
}

// distinct reports whether a value can be looked for everywhere: serial numbers
// that could be a counter, a register's value or a word cannot, nor can names
// that mean something else in a log.
func distinct(kind string, value []byte) bool {
	digits, hexes, others := 0, 0, 0
	var seen [256]bool
	differ := 0
	for _, c := range plainest(value) {
		if !seen[c] {
			seen[c] = true
			differ++
		}
		switch {
		case '0' <= c && c <= '9':
			digits++
		case 'A' <= c && c <= 'F':
			hexes++
		default:
			others++
		}
	}
	n := digits + hexes + others
	switch kind {
	case kindSerial:
		if isPCIAddress(value) {
			return false
		}
		if others == 0 && hexes == 0 {
			return n >= 10 && differ >= 4
		}
		return n >= 6 && digits > 0 && differ >= 4 && (others > 0 || n >= 8)
	case kindIPv4:
		return true
	default:
		return n >= 4 && (others > 0 || bytes.IndexByte(value, '-') > 0 && hexes > 0) && !vocabulary[string(bytes.ToLower(value))] && !isDevice(value)
	}
}
