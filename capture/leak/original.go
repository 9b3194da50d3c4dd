package leak

import (
	"encoding/base64"
	"encoding/hex"
	"io"
	"net/netip"
	"slices"
	"strings"
	"unicode/utf16"
)

// Values are the identities of an original.
type Values struct {
	Cut bool // there are more than are searched for

	seen map[string]bool
	list []*value
}

type value struct {
	class, text string
}

func newValues() *Values { return &Values{seen: map[string]bool{}} }

// Len returns how many there are.
func (v *Values) Len() int { return len(v.list) }

// maxValues bounds what is searched for: a hostile original has no end of them.
const maxValues = 20_000

// commonNames are names of hosts that many have, and words that stand everywhere.
var commonNames = map[string]bool{
	"workstation": true, "desktop": true, "laptop": true, "notebook": true, "server": true, "host": true, "node": true, "router": true,
	"debian": true, "ubuntu": true, "fedora": true, "archlinux": true, "opensuse": true, "openwrt": true, "proxmox": true, "raspberrypi": true,
	"almalinux": true, "alpine": true, "armbian": true, "coreos": true, "devuan": true, "endeavouros": true, "flatcar": true, "freenas": true, "kali": true, "nixos": true,
	"openmediavault": true, "opnsense": true, "oracle": true, "pfsense": true, "raspbian": true, "slackware": true, "steamos": true, "truenas": true, "unraid": true, "vyos": true,
	"blade": true, "linux": true, "admin": true, "user": true, "test": true, "backup": true, "storage": true, "data": true, "home": true, "system": true,
}

func (v *Values) add(class, text string) {
	text = own(class, strings.Trim(text, " \t\"'<>()[]{},;"))
	key := strings.ToLower(text)
	switch {
	case class == "archive": // the name of a member
		return
	case len(text) < 4 || v.seen[key] || commonNames[key] || isDevice(key) || harmless(text):
		return
	case len(v.list) >= maxValues:
		v.Cut = true
		return
	}
	v.seen[key] = true
	v.list = append(v.list, &value{class, text})
}

// own returns of a name what a machine repeats elsewhere: of a partition the
// signature of its disk, of a volume of the device mapper its group.
func own(class, text string) string {
	switch {
	case class == "uuid" && len(text) == 11 && text[8] == '-' && hexRun(text) == 8:
		return text[:8]
	case class == "vg":
		const hyphen = "\x00" // in a name, which the device mapper writes twice
		group, _, _ := strings.Cut(strings.ReplaceAll(text, "--", hyphen), "-")
		return strings.ReplaceAll(group, hyphen, "-")
	}
	return text
}

func (v *Values) member(name string, r io.Reader) error {
	scanName(name, func(_ Way, class, value string) { v.add(class, value) })
	return scan(name, r, nil, func(_ int, _ int64, way Way, class, value string) { v.add(class, value) })
}

// pattern is one form of a value.
type pattern struct {
	bytes []byte // in small letters
	value *value
	form  string
	word  bool // only as a word of its own
}

const (
	keyBytes = 4 // by which patterns are looked up
	shortest = 6 // bytes of a form that is found anywhere
)

// finder finds patterns in what is written to it. Letters are the same large
// and small.
type finder struct {
	patterns map[[keyBytes]byte]*bucket
	mask     [1 << 16]bool // of the first two bytes of any pattern
	longest  int

	tell   func(at int64, line int, v *value, form string)
	told   map[told]bool
	text   bool
	line   int
	offset int64 // of buf
	buf    []byte
	ready  int // bytes of buf that were searched
}

// bucket holds the patterns with the same first bytes. Those of one length are
// found at once, so that a thousand addresses of one vendor cost as much as one.
type bucket struct {
	lengths []int
	whole   map[string]pattern
}

type told struct {
	line int
	at   int64
	v    *value
}

func (v *Values) finder() *finder {
	f := &finder{patterns: map[[keyBytes]byte]*bucket{}}
	for _, one := range v.list {
		for _, p := range forms(one) {
			f.add(p)
		}
	}
	return f
}

func (f *finder) add(p pattern) {
	p.bytes = lower(p.bytes)
	if len(p.bytes) < keyBytes {
		return
	}
	key := [keyBytes]byte(p.bytes)
	b := f.patterns[key]
	if b == nil {
		b = &bucket{whole: map[string]pattern{}}
		f.patterns[key] = b
	}
	if _, ok := b.whole[string(p.bytes)]; ok {
		return
	}
	b.whole[string(p.bytes)] = p
	if !slices.Contains(b.lengths, len(p.bytes)) {
		b.lengths = append(b.lengths, len(p.bytes))
	}
	f.mask[int(key[0])<<8|int(key[1])] = true
	f.longest = max(f.longest, len(p.bytes))
}

func lower(b []byte) []byte {
	b = slices.Clone(b)
	for i, c := range b {
		b[i] = small[c]
	}
	return b
}

// small maps capital letters to small ones, and all else to itself.
var small = func() (table [256]byte) {
	for i := range table {
		table[i] = byte(i)
		if i >= 'A' && i <= 'Z' {
			table[i] += 'a' - 'A'
		}
	}
	return table
}()

// forms are the ways in which a value may stand somewhere.
func forms(v *value) []pattern {
	var all []pattern
	add := func(form string, b []byte, word bool) {
		if word || len(b) >= shortest {
			all = append(all, pattern{b, v, form, word})
		}
	}
	text := []byte(v.text)
	const long = 8 // shorter ones may be the beginning of another name
	add("text", text, len(text) < long || plainWord(v.text))
	if len(text) >= shortest {
		add("reversed", reversed(text), plainWord(v.text))
		encoded(text, add)
		var wide []byte
		for _, u := range utf16.Encode([]rune(v.text)) {
			wide = append(wide, byte(u), byte(u>>8))
		}
		add("UTF-16", wide, false)
	}
	if raw := octets(v.text); raw != nil {
		add("raw", raw, false)
		add("raw reversed", reversed(raw), false)
		encoded(raw, add)
		encoded(reversed(raw), add)
	}
	return all
}

// octets returns the bytes that a value names in hexadecimal digits, nil for
// another one and for those that are found by chance.
func octets(text string) []byte {
	if a, err := netip.ParseAddr(text); err == nil && a.Is6() {
		return a.AsSlice()
	}
	digits := hexOf(text)
	if len(digits) < 12 || len(digits)%2 != 0 {
		return nil
	}
	raw, err := hex.DecodeString(digits)
	if err != nil {
		return nil
	}
	return raw
}

// encoded adds the forms in which programs print bytes.
func encoded(b []byte, add func(string, []byte, bool)) {
	digits := hex.EncodeToString(b)
	add("hex", []byte(digits), false)
	for _, sep := range []string{" ", ":", "-"} {
		var parts []string
		for i := 0; i < len(digits); i += 2 {
			parts = append(parts, digits[i:i+2])
		}
		add("hex", []byte(strings.Join(parts, sep)), false)
	}
	for _, group := range []int{4, 8} { // as IPv6, hexdump and Cisco group them
		var parts []string
		for i := 0; i < len(digits); i += group {
			parts = append(parts, digits[i:min(i+group, len(digits))])
		}
		for _, sep := range []string{" ", ":", "."} {
			if len(parts) > 1 {
				add("hex", []byte(strings.Join(parts, sep)), false)
			}
		}
	}
	// Each of the three places at which a group of three bytes can begin, without
	// the digits that the neighbours have a share in.
	for shift := range 3 {
		s := base64.StdEncoding.EncodeToString(append(make([]byte, shift), b...))
		first, last := (shift*8+5)/6, (shift+len(b))*8/6
		const enough = 8
		if last-first >= enough {
			add("base64", []byte(s[first:last]), false)
		}
	}
}

// plainWord reports whether s is made of letters alone: such a name is a leak
// only as a word of its own.
func plainWord(s string) bool {
	for i := 0; i < len(s); i++ {
		if !isWord(s[i]) || s[i] >= '0' && s[i] <= '9' {
			return false
		}
	}
	return true
}

func reversed(b []byte) []byte {
	b = slices.Clone(b)
	slices.Reverse(b)
	return b
}

// begin starts what is told of with tell: a text, with lines, or other bytes.
func (f *finder) begin(text bool) {
	f.told, f.text, f.line, f.offset, f.buf, f.ready = map[told]bool{}, text, 1, 0, f.buf[:0], 0
}

// end searches what is left of it.
func (f *finder) end() { f.search(len(f.buf)) }

// Write searches p together with the end of what came before.
func (f *finder) Write(p []byte) (int, error) {
	from := len(f.buf)
	f.buf = append(f.buf, p...)
	for i := from; i < len(f.buf); i++ {
		f.buf[i] = small[f.buf[i]]
	}
	f.search(len(f.buf) - f.longest)
	if drop := f.ready - 1; drop > longest { // the byte before stays: it may end a word
		f.offset += int64(drop)
		f.buf = f.buf[:copy(f.buf, f.buf[drop:])]
		f.ready -= drop
	}
	return len(p), nil
}

// search looks for patterns that begin before end.
func (f *finder) search(end int) {
	b := f.buf
	i := f.ready
	for ; i < end; i++ {
		if b[i] == '\n' {
			f.line++
		}
		if i+keyBytes > len(b) || !f.mask[int(b[i])<<8|int(b[i+1])] {
			continue
		}
		some := f.patterns[[keyBytes]byte(b[i:])]
		if some == nil {
			continue
		}
		for _, n := range some.lengths {
			if i+n > len(b) {
				continue
			}
			if p, ok := some.whole[string(b[i:i+n])]; ok && (!p.word || f.alone(i, i+n)) {
				f.hit(p, i)
			}
		}
	}
	f.ready = max(i, f.ready)
}

// alone reports whether buf[from:to] is a word of its own.
func (f *finder) alone(from, to int) bool {
	return (from == 0 || !joins(f.buf[from-1])) && (to == len(f.buf) || !joins(f.buf[to]))
}

// joins reports whether c makes one name of what stands before and behind it.
func joins(c byte) bool { return isWord(c) || c == '-' }

func (f *finder) hit(p pattern, i int) {
	at, line := f.offset+int64(i), f.line
	if !f.text {
		line = 0
	}
	key := told{line, at, p.value}
	if line > 0 { // once a line
		key.at = 0
	}
	if f.told[key] {
		return
	}
	f.told[key] = true
	f.tell(at, line, p.value, p.form)
}
