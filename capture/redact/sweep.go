package redact

import (
	"bytes"
	"encoding/binary"
	"slices"
)

// sweeper finds identities in bytes that have no grammar: in raw form, from
// the last octet to the first, and as text.
type sweeper struct {
	first [1 << 13]uint64 // by the first two octets, whether any begins so
	by    map[uint32][]pattern
}

// pattern is one form of an identity. Its pseudonym has the same length.
type pattern struct {
	raw, pseudo []byte
	class       Class
	word        bool // as text, which rules of texts replace there
}

const minPattern = 6 // octets: shorter ones are found by chance

func (s *sweeper) add(raw, pseudo []byte, class Class, word bool) {
	if len(raw) < minPattern || len(raw) != len(pseudo) || bytes.Equal(raw, pseudo) {
		return
	}
	two := binary.BigEndian.Uint16(raw)
	s.first[two>>6] |= 1 << (two & 63)
	key := binary.BigEndian.Uint32(raw)
	s.by[key] = append(s.by[key], pattern{raw, pseudo, class, word})
}

// both adds a form in both orders.
func (s *sweeper) both(raw, pseudo []byte, class Class) {
	s.add(raw, pseudo, class, false)
	s.add(reversed(raw), reversed(pseudo), class, false)
}

// words adds a text in both orders.
func (s *sweeper) words(text, pseudo []byte, class Class) {
	s.add(text, pseudo, class, true)
	s.add(reversed(text), reversed(pseudo), class, true)
}

func reversed(b []byte) []byte {
	b = slices.Clone(b)
	slices.Reverse(b)
	return b
}

// at returns the pattern that b begins with.
func (s *sweeper) at(b []byte) (p pattern, ok bool) {
	if len(b) < minPattern {
		return pattern{}, false
	}
	two := binary.BigEndian.Uint16(b)
	if s.first[two>>6]>>(two&63)&1 == 0 {
		return pattern{}, false
	}
	for _, p := range s.by[binary.BigEndian.Uint32(b)] {
		if bytes.HasPrefix(b, p.raw) {
			return p, true
		}
	}
	return pattern{}, false
}

// replace replaces every identity in b, and tells where.
func (s *sweeper) replace(b []byte, found func(offset int, class Class)) {
	for i := 0; i+minPattern <= len(b); i++ {
		if p, ok := s.at(b[i:]); ok {
			copy(b[i:], p.pseudo)
			found(i, p.class)
			i += len(p.raw) - 1
		}
	}
}

// printed replaces what is an identity by its form in the texts among other
// bytes, where the pseudonym is as long.
func (r *Redactor) printed(b []byte, found func(offset int, class Class)) {
	const shortest = 12 // of a form, the digits of a MAC address
	t := &text{r: r}
	for at, end := 0, 0; at < len(b); at = end + 1 {
		for end = at; end < len(b) && ' ' <= b[end] && b[end] <= '~'; end++ {
		}
		if end-at < shortest {
			continue
		}
		t.line = b[at:end]
		t.scan()
		for _, s := range t.spans {
			if len(s.with) == s.to-s.from && !bytes.Equal(t.line[s.from:s.to], s.with) {
				copy(t.line[s.from:], s.with)
				found(at+s.from, s.class)
			}
		}
	}
}

// sweeper returns what finds everything that was learned.
func (r *Redactor) sweeper() *sweeper {
	s := &r.known.patterns
	if r.known.ready {
		return s
	}
	*s = sweeper{by: map[uint32][]pattern{}}
	for mac := range r.known.macs {
		if !varied(mac[:]) {
			continue
		}
		pseudo := r.key.mac(mac)
		s.both(mac[:], pseudo[:], MAC)
		for _, middle := range eui64 {
			s.both(extended(mac, middle, 0), extended(pseudo, middle, 0), PCIeSerial)
			s.both(extended(mac, middle, 2), extended(pseudo, middle, 2), IPv6)
		}
	}
	for id := range r.known.raw {
		s.octets(r, id)
	}
	for _, list := range r.known.words {
		for _, w := range list {
			if w.back || r.known.isPart(w.class, w.text) {
				continue // both orders are added
			}
			for _, form := range [][]byte{w.text, bytes.ToLower(w.text), w.seen} {
				s.words(form, r.key.sealedInPlace(w.kind, form), w.class)
			}
		}
	}
	for _, list := range s.by { // the longest first, and in one order whatever a map says
		slices.SortFunc(list, func(a, b pattern) int {
			if len(a.raw) != len(b.raw) {
				return len(b.raw) - len(a.raw)
			}
			return bytes.Compare(a.raw, b.raw)
		})
	}
	r.known.ready = true
	return s
}

// octets adds the forms of an identity by its octets. A UUID has its first three
// parts turned around where firmware and Windows write it (SMBIOS 3.6 section
// 7.2.1).
func (s *sweeper) octets(r *Redactor, id identity) {
	raw := []byte(id.octets)
	switch id.class {
	case UUID:
		pseudo, ok := r.uuid([16]byte(raw))
		if ok {
			s.both(raw, pseudo[:], UUID)
			s.both(mixed([16]byte(raw)), mixed(pseudo), UUID)
		}
	case PCIeSerial:
		if pseudo, ok := r.serialNumber([8]byte(raw)); ok {
			s.both(raw, pseudo[:], PCIeSerial)
		}
	case IPv6:
		pseudo := r.key.ipv6([16]byte(raw))
		s.both(raw, pseudo[:], IPv6)
	default:
		if digits, ok := r.hexID(hexDigits(raw)); ok {
			s.both(raw, octets(nil, digits, 0), id.class)
		}
	}
}

func mixed(b [16]byte) []byte {
	return []byte{b[3], b[2], b[1], b[0], b[5], b[4], b[7], b[6], b[8], b[9], b[10], b[11], b[12], b[13], b[14], b[15]}
}

// isOdd reports whether a line of a text holds octets that no text has.
func isOdd(line []byte) bool {
	for _, c := range line {
		if c >= 0x80 || c < '\t' || c > '\r' && c < ' ' {
			return true
		}
	}
	return false
}

// sweepOctets looks for what is known in the octets of the line, as in bytes
// without a grammar. A line stays one.
func (t *text) sweepOctets(end int) {
	s := t.r.sweeper()
	for i := 0; i+minPattern <= end; i++ {
		if p, ok := s.at(t.line[i:end]); ok && !p.word {
			t.put(i, i+len(p.raw), p.class, onOneLine(p.pseudo))
			i += len(p.raw) - 1
		}
	}
}

// onOneLine has no line end in it.
func onOneLine(b []byte) []byte {
	return bytes.ReplaceAll(bytes.ReplaceAll(b, []byte("\n"), []byte{0x0b}), []byte("\r"), []byte{0x0b})
}

// extended is a MAC address made 64 bits long, with the bit flip changed in its
// first octet.
func extended(mac [6]byte, middle [2]byte, flip byte) []byte {
	return []byte{mac[0] ^ flip, mac[1], mac[2], middle[0], middle[1], mac[3], mac[4], mac[5]}
}

// varied reports whether octets are unlikely to stand somewhere by chance.
func varied(b []byte) bool {
	var seen [256]bool
	differ := 0
	for _, c := range b {
		if c != 0 && c != 0xff && !seen[c] {
			seen[c] = true
			differ++
		}
	}
	return differ >= 3
}

// sweepHex looks for what is known in the octets that line[from:to] writes in
// hexadecimal digits, each octet but the last followed by gap characters.
func (t *text) sweepHex(from, to, gap int) {
	step := 2 + gap
	b := make([]byte, 0, (to-from)/step+1)
	for i := from; i+2 <= to; i += step {
		b = append(b, nibble(t.line[i])<<4|nibble(t.line[i+1]))
	}
	s := t.r.sweeper()
	for i := 0; i+minPattern <= len(b); i++ {
		p, ok := s.at(b[i:])
		if !ok {
			continue
		}
		at := from + i*step
		end := at + len(p.raw)*step - gap
		t.put(at, end, p.class, writeOctets(t.line[at:end], p.pseudo))
		i += len(p.raw) - 1
	}
}

// sweepPairs does so with a row of pairs of digits that was gathered, and ends
// the row.
func (t *text) sweepPairs() {
	if n := len(t.pairs); n >= minPattern && !t.learning() {
		t.sweepHex(t.pairs[0], t.pairs[n-1]+2, 1)
	}
	t.pairs = t.pairs[:0]
}
