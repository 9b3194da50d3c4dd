package redact

import (
	"bytes"
	"sort"
)

// rules chooses what is looked for in a text beside the shapes that mean the
// same everywhere (MAC addresses, UUIDs, Device Serial Numbers, known words).
type rules uint16

const (
	labels    rules = 1 << iota // "Serial Number: ..." and the like
	logs                        // kernel log: its own announcements, lines that are dropped
	addresses                   // IPv4 addresses, which look like versions
	rows                        // rows of configuration space, as lspci -x prints them
	dmi                         // dmidecode: sections tell whose serial number it is
	mappings                    // dmsetup table
	columns                     // nvme list
	command                     // all of it is a command line
	hosts                       // /etc/hosts and /etc/hostname
	models                      // names of products: those of hosts and users are not sought
)

func (r rules) has(one rules) bool { return r&one != 0 }

// Classes of characters. Words are runs of any of these.
const (
	digitBit = 1 << iota
	hexBit   // a letter of A to F
	letterBit
	colonBit
	dashBit
	dotBit
	lowBit // underscore
)

const partBits = digitBit | hexBit | letterBit

var classes = func() (table [256]uint8) {
	for c := range table {
		switch {
		case '0' <= c && c <= '9':
			table[c] = digitBit
		case 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F':
			table[c] = hexBit
		case 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c >= 0x80:
			table[c] = letterBit
		}
	}
	table[':'], table['-'], table['.'], table['_'] = colonBit, dashBit, dotBit, lowBit
	return table
}()

// text goes through the lines of one member.
type text struct {
	r     *Redactor
	rules rules
	whole announced // of a member that holds one value
	line  []byte
	spans []span
	pairs []int // where the pairs of digits of a row of octets begin

	section  Class  // of dmidecode: whose serial numbers follow
	column   int    // of nvme list: where serial numbers begin, 0 for not known
	groupAt  int    // of vgs and the like: where names of groups begin, 0 for nowhere
	volumeAt int    // of lvs
	models   bool   // the rest of the line names products
	unitEnd  int    // where the last name of a unit ends on this line
	inKey    bool   // within a private key
	cable    string // thunderbolt's name of a host that was found
}

// span is a part of the line that is an identity. with replaces it; nil leaves
// it, for what is known to be none.
type span struct {
	from, to int
	class    Class
	with     []byte
}

func (t *text) learning() bool { return t.r.learning }

// keep marks line[from:to] as looked at.
func (t *text) keep(from, to int) { t.put(from, to, "", nil) }

// put replaces line[from:to]. What overlaps an earlier span is left: the first
// rule that speaks of a place is the most special one.
func (t *text) put(from, to int, class Class, with []byte) {
	if from >= to {
		return
	}
	at := len(t.spans)
	for ; at > 0 && t.spans[at-1].from >= to; at-- {
	}
	if at > 0 && t.spans[at-1].to > from {
		return
	}
	t.spans = append(t.spans, span{})
	copy(t.spans[at+1:], t.spans[at:])
	t.spans[at] = span{from, to, class, with}
}

// covered returns the end of the span that holds at, or at.
func (t *text) covered(at int) int {
	n := len(t.spans)
	if n == 0 || t.spans[n-1].to <= at {
		return at
	}
	if i := sort.Search(n, func(i int) bool { return t.spans[i].to > at }); t.spans[i].from <= at {
		return t.spans[i].to
	}
	return at
}

// scan finds the spans of the line.
func (t *text) scan() {
	t.spans, t.pairs = t.spans[:0], t.pairs[:0]
	t.models, t.unitEnd = t.rules.has(models), 0
	if t.keyBlock() {
		return
	}
	if t.whole != nil {
		t.takeWhole()
	}
	if bytes.HasPrefix(t.line, byteOrderMark) {
		t.keep(0, len(byteOrderMark))
	}
	end := len(t.line)
	if t.rules.has(logs) {
		end = t.drop()
		t.syslog(end)
	}
	if t.rules.has(logs) || t.rules.has(labels) {
		t.credentials(end)
	}
	if t.rules.has(labels) {
		t.lvmColumns()
	}
	if t.rules.has(dmi) {
		t.dmiSection()
	}
	if t.rules.has(hosts) {
		t.hostsLine(end)
	}
	if t.rules.has(columns) {
		t.nvmeColumn()
	}
	if t.rules.has(mappings) {
		t.mapping()
	}
	if !t.learning() && isOdd(t.line) {
		t.sweepOctets(end)
	}
	last := -2 // the end of the pair of digits before
	for i := 0; i < end; {
		c := classes[t.line[i]]
		if c == 0 {
			if t.line[i] == '\x1b' {
				i = t.colourEnd(i, end)
			} else {
				i++
			}
			continue
		}
		from, all := i, uint8(0)
		var colons, dashes, dots int
		for ; i < end; i++ {
			c := classes[t.line[i]]
			if c == 0 {
				break
			}
			all |= c
			switch c {
			case colonBit:
				colons++
			case dashBit:
				dashes++
			case dotBit:
				dots++
			}
		}
		if i-from == 2 && all&^(digitBit|hexBit) == 0 { // a pair of digits, maybe of a row
			if last+1 != from {
				t.sweepPairs()
			}
			t.pairs, last = append(t.pairs, from), i
			if i < end && t.line[i] == '%' {
				t.encodedMAC(from, end)
			}
			continue
		}
		if i < end && t.rules&(labels|logs) != 0 {
			switch t.line[i] {
			case '@':
				t.mail(i, end)
			case '\\':
				t.unit(i, end)
			}
		}
		t.word(from, i, colons, dashes, dots)
	}
	t.sweepPairs()
}

// word looks at a run of letters, digits and the separators within names.
func (t *text) word(from, end, colons, dashes, dots int) {
	var upper [64]byte
	if colons >= 2 && t.line[from] == ':' {
		if next, ok := t.ipv6Run(from, end); ok {
			from = next
		}
	}
	for i := from; i < end; {
		if classes[t.line[i]]&partBits == 0 {
			i++
			continue
		}
		if next := t.covered(i); next > i {
			i = next
			continue
		}
		if next, ok := t.shape(i, end, colons, dashes, dots); ok {
			i = next
			continue
		}
		to := i + 1
		hexes := classes[t.line[i]]&letterBit == 0
		for to < end && classes[t.line[to]]&partBits != 0 {
			hexes = hexes && classes[t.line[to]]&letterBit == 0
			to++
		}
		n := to - i
		if hexes && n >= minHexID {
			t.bareHex(i, to)
		}
		if n < len(upper) && t.covered(i) == i {
			first := upper[:n]
			for j, c := range t.line[i:to] {
				if 'a' <= c && c <= 'z' {
					c -= 'a' - 'A'
				}
				first[j] = c
			}
			switch n {
			case 11:
				t.podName(i, to)
			case 15:
				t.interfaceName(i, to)
			}
			if triggerMask.has(first) {
				for _, rule := range triggers[string(first)] {
					rule(t, i, to)
				}
			}
			if t.r.known.mask.has(first) && !t.learning() && t.covered(i) == i {
				t.knownWord(i, first)
			}
		}
		i = max(to, t.covered(i))
	}
}

// shape looks for what is an identity by its form alone.
func (t *text) shape(at, end, colons, dashes, dots int) (next int, ok bool) {
	if dashes >= 4 && isUUID(t.line[at:end]) {
		t.foundUUID(at)
		return at + uuidLen, true
	}
	if (colons >= 5 || dashes >= 5) && t.beginsOctets(at) {
		if next, ok := t.octetRun(at, end); ok {
			return next, true
		}
	}
	if colons >= 2 {
		if next, ok := t.ipv6Run(at, end); ok {
			return next, true
		}
		if next, ok := t.arrayUUID(at, end); ok {
			return next, true
		}
	}
	if dots >= 3 && classes[t.line[at]]&digitBit != 0 && (at == 0 || t.line[at-1] != '.') {
		if next, ok := t.ipv4Run(at, end); ok {
			return next, true
		}
	}
	if dots >= 2 {
		return t.dottedMAC(at, end)
	}
	return 0, false
}

// beginsOctets reports whether no pair of digits stands before at, which would
// be the first of the same row.
func (t *text) beginsOctets(at int) bool {
	s := t.line[:at]
	if len(s) < 3 || s[at-1] != ':' && s[at-1] != '-' {
		return true
	}
	return !isHex(s[at-2]) || !isHex(s[at-3]) || at > 3 && isPart(s[at-4])
}

// arrayUUID looks for four groups of eight digits, the UUID of an array as
// mdadm prints it.
func (t *text) arrayUUID(at, end int) (next int, ok bool) {
	const size = 35
	if end-at < size || at > 0 && t.line[at-1] == ':' || at+size < len(t.line) && (isPart(t.line[at+size]) || t.line[at+size] == ':') {
		return 0, false
	}
	for i, c := range t.line[at : at+size] {
		if i%9 == 8 && c != ':' || i%9 != 8 && !isHex(c) {
			return 0, false
		}
	}
	t.foundHexID(at, at+size, UUID)
	return at + size, true
}

// bareHex has a word of hexadecimal digits only. 32 of them are a machine id
// (machine-id(5)) or another identity of 128 bits; what announces a WWN stands
// before it. Else only what is known from elsewhere is replaced.
func (t *text) bareHex(from, to int) {
	before := t.line[max(0, from-4):from]
	switch {
	case to-from == 12 && t.r.known.macs[[6]byte(octets(nil, t.line[from:to], 0))]:
		t.foundMAC(from, to, [6]byte(octets(nil, t.line[from:to], 0)))
	case bytes.HasSuffix(before, []byte("naa.")) || bytes.HasSuffix(before, []byte("eui.")):
		t.foundHexID(from, to, WWN)
	case (to-from == 17 || to-from == 33) && t.typedWWN(from, to):
	case to-from == 16 && t.isSASAddress(from):
		t.foundHexID(from, to, WWN)
	case to-from == 64 && t.isContainer(from):
		t.foundHexID(from, to, MachineID)
	case to-from == 32:
		t.foundHexID(from, to, MachineID)
	case (to-from)%2 == 0 && !t.learning():
		t.sweepHex(from, to, 0)
	}
}

// podName reads podUUID, the group of processes of a pod of Kubernetes; where
// systemd keeps it, the UUID has underscores.
func (t *text) podName(from, to int) {
	at := from + len("pod")
	end := at + uuidLen
	if string(t.line[from:at]) != "pod" || end > len(t.line) {
		return
	}
	if isUUID(t.line[at:end]) {
		t.foundUUID(at)
	} else if with := bytes.ReplaceAll(t.line[at:end], []byte("_"), []byte("-")); isUUID(with) {
		t.foundUUID(at)
	}
}

// interfaceName reads enx, wlx, wwx, slx or ibx and the MAC address of the
// card (systemd.net-naming-scheme(7)).
func (t *text) interfaceName(from, to int) {
	s := t.line[from:to]
	if s[2] != 'x' || !interfaceKinds[string(s[:2])] {
		return
	}
	for _, c := range s[3:] {
		if !isHex(c) {
			return
		}
	}
	t.foundMAC(from+3, to, [6]byte(octets(nil, s[3:], 0)))
}

var interfaceKinds = map[string]bool{"en": true, "wl": true, "ww": true, "sl": true, "ib": true}

// knownWord replaces an identity that another line or member announced.
func (t *text) knownWord(from int, first []byte) {
	w, ok := t.r.known.find(t.line, from, first)
	if !ok || w.kind == kindIPv4 || t.r.known.isPart(w.class, w.text) {
		return
	}
	if t.models && w.kind != kindSerial {
		return
	}
	to := from + len(w.text)
	if w.kind == kindSerial {
		pseudo := t.line[from:to]
		if w.back {
			pseudo = reversed(pseudo)
		}
		pseudo = t.r.key.sealed(kindSerial, pseudo)
		if w.back {
			pseudo = reversed(pseudo)
		}
		t.put(from, to, w.class, pseudo)
		return
	}
	t.put(from, to, w.class, t.r.nameOf(w.kind, t.line[from:to]))
}
