package klog

// finder looks for many literals in one pass over a text (Aho and Corasick,
// "Efficient string matching", CACM 18/6, 1975). A kernel log is mostly lines
// that no rule wants; one table look-up a byte tells so.
type finder struct {
	class   [256]uint8 // bytes that no literal contains share class 0
	classes uint32
	next    []uint32   // next[state+class]; states are multiples of classes, with ends set where a literal ends
	found   [][]uint16 // ids of the literals that end in state/classes
}

// ends marks a state in which a literal ends, so that the loop over the text
// looks at nothing but next.
const ends = 1 << 31

// newFinder builds the automaton for the literals. The id of a literal is its
// index.
func newFinder(literals []string) *finder {
	f := &finder{classes: 1}
	for _, l := range literals {
		for i := range len(l) {
			if f.class[l[i]] == 0 {
				f.class[l[i]] = uint8(f.classes)
				f.classes++
			}
		}
	}
	f.state() // the root
	for id, l := range literals {
		at := uint32(0)
		for i := range len(l) {
			edge := at + uint32(f.class[l[i]])
			if f.next[edge] == 0 {
				f.next[edge] = f.state()
			}
			at = f.next[edge]
		}
		f.found[at/f.classes] = append(f.found[at/f.classes], uint16(id))
	}
	f.link()
	for i, to := range f.next {
		if len(f.found[to/f.classes]) > 0 {
			f.next[i] |= ends
		}
	}
	return f
}

// state adds a state without edges.
func (f *finder) state() uint32 {
	at := uint32(len(f.next))
	f.next = append(f.next, make([]uint32, f.classes)...)
	f.found = append(f.found, nil)
	return at
}

// link fills the missing edges with those of the longest suffix that is a
// prefix of some literal, breadth first, so that a search never steps back.
func (f *finder) link() {
	suffix := make([]uint32, len(f.found))
	var queue []uint32
	for c := range f.classes {
		if s := f.next[c]; s != 0 {
			queue = append(queue, s)
		}
	}
	for len(queue) > 0 {
		at := queue[0]
		queue = queue[1:]
		back := suffix[at/f.classes]
		f.found[at/f.classes] = append(f.found[at/f.classes], f.found[back/f.classes]...)
		for c := range f.classes {
			switch to := f.next[at+c]; to {
			case 0:
				f.next[at+c] = f.next[back+c]
			default:
				suffix[to/f.classes] = f.next[back+c]
				queue = append(queue, to)
			}
		}
	}
}

// find calls hit for each occurrence of a literal in text.
func (f *finder) find(text []byte, hit func(id uint16)) {
	at := uint32(0)
	next, class := f.next, &f.class
	for _, b := range text {
		at = next[at+uint32(class[b])]
		if at >= ends {
			at &^= ends
			for _, id := range f.found[at/f.classes] {
				hit(id)
			}
		}
	}
}
