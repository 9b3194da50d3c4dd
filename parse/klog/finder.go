package klog

// finder looks for many literals in one pass over a text. A kernel log is mostly
// lines that no rule wants: three bytes tell nearly everywhere that no literal
// begins there, with no step waiting for the one before. An automaton (Aho and
// Corasick) has to wait, and takes longer to build than most logs to read.
type finder struct {
	bucket   [1 << 16]uint16 // of the literals whose first bytes have that hash; 0: none
	literals [][]literal     // by bucket
}

type literal struct {
	text string
	id   uint16
}

// shortest is how long every literal is at least: what the finder hashes.
const shortest = 3

// newFinder prepares the search for the literals. The id of a literal is its
// index.
func newFinder(literals []string) *finder {
	f := &finder{literals: make([][]literal, 1)}
	for id, l := range literals {
		h := hash(uint32(l[0])<<16 | uint32(l[1])<<8 | uint32(l[2]))
		if f.bucket[h] == 0 {
			f.bucket[h] = uint16(len(f.literals))
			f.literals = append(f.literals, nil)
		}
		b := f.bucket[h]
		f.literals[b] = append(f.literals[b], literal{l, uint16(id)})
	}
	return f
}

// hash spreads the lower 24 bits of key over 16 (Knuth's multiplicative method:
// 2^32 by the golden ratio).
func hash(key uint32) uint16 { return uint16(key << 8 * 2654435769 >> 16) }

// find calls hit for each occurrence of a literal in text.
func (f *finder) find(text []byte, hit func(id uint16)) {
	var key uint32
	for i, b := range text {
		key = key<<8 | uint32(b)
		bucket := f.bucket[hash(key)]
		if bucket == 0 || i < shortest-1 {
			continue
		}
		rest := text[i-(shortest-1):]
		for _, l := range f.literals[bucket] {
			end := len(l.text)
			if end <= len(rest) && rest[end-1] == l.text[end-1] && string(rest[:end]) == l.text {
				hit(l.id)
			}
		}
	}
}
