package klog

import (
	"encoding/binary"
	"strings"
)

// finder looks for many literals in one pass over a text. A kernel log is mostly
// lines that no rule wants: three bytes at every second place tell nearly
// everywhere that no literal stands there, with no step waiting for the one
// before. An automaton (Aho and Corasick) has to wait, and takes longer to build
// than most logs to read.
type finder struct {
	known    [1 << 10]uint64 // a bit for each hash that three bytes of literals have
	bucket   [1 << 16]uint16 // of the literals whose bytes have that hash
	literals [][]literal     // by bucket
}

type literal struct {
	text string
	ids  []uint16
	at   int // where in it the three bytes stand
}

// newFinder prepares the search for the literals, which have at least four bytes:
// of two neighbouring places for three bytes, one is an even place of the text.
// The ids of a literal are its indices.
func newFinder(literals []string) *finder {
	f := &finder{}
	ids := map[string][]uint16{}
	for id, l := range literals {
		ids[l] = append(ids[l], uint16(id))
	}
	for l, ids := range ids {
		for parity := range 2 {
			at := rarest(l, parity)
			h := hash(uint32(l[at]) | uint32(l[at+1])<<8 | uint32(l[at+2])<<16)
			if f.known[h>>6]&(1<<(h&63)) == 0 {
				f.known[h>>6] |= 1 << (h & 63)
				f.bucket[h] = uint16(len(f.literals))
				f.literals = append(f.literals, nil)
			}
			b := f.bucket[h]
			f.literals[b] = append(f.literals[b], literal{l, ids, at})
		}
	}
	return f
}

// rarest returns the even or odd place in a literal whose three bytes a log has
// least.
func rarest(l string, parity int) int {
	const frequent = "0.:kybfgphumcdlsontirae " // the most frequent last
	best, least := parity, 1<<30
	for at := parity; at+3 <= len(l); at += 2 {
		n := 0
		for i := range 3 {
			n += 1 + strings.IndexByte(frequent, l[at+i])
		}
		if n < least {
			best, least = at, n
		}
	}
	return best
}

// hash spreads the lower 24 bits of key over 16 (Knuth's multiplicative method:
// 2^32 by the golden ratio).
func hash(key uint32) uint16 { return uint16(key << 8 * 2654435769 >> 16) }

// find calls hit for each occurrence of a literal in text.
func (f *finder) find(text []byte, hit func(id uint16)) {
	i := 0
	for rest := text; len(rest) >= 4; rest = rest[2:] {
		h := hash(binary.LittleEndian.Uint32(rest))
		if f.known[h>>6]&(1<<(h&63)) != 0 {
			f.at(text, i, h, hit)
		}
		i += 2
	}
	if i+3 == len(text) {
		h := hash(uint32(text[i]) | uint32(text[i+1])<<8 | uint32(text[i+2])<<16)
		if f.known[h>>6]&(1<<(h&63)) != 0 {
			f.at(text, i, h, hit)
		}
	}
}

// at calls hit for the literals whose three bytes with that hash stand at i.
func (f *finder) at(text []byte, i int, hash uint16, hit func(id uint16)) {
	for _, l := range f.literals[f.bucket[hash]] {
		start := i - l.at
		end := start + len(l.text)
		if start >= 0 && end <= len(text) && string(text[start:end]) == l.text {
			for _, id := range l.ids {
				hit(id)
			}
		}
	}
}
