package leak

import (
	"archive/tar"
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"
)

// Way is how an identity was found.
type Way string

const (
	ByShape    Way = "shape"
	ByEntropy  Way = "entropy"
	ByLabel    Way = "label"
	ByOriginal Way = "original"
)

// Place is where an identity stands that should not.
type Place struct {
	File   string
	Line   int   // of text, from 1
	Offset int64 // of a binary member and of a name, in bytes; with Line 0
	InName bool  // in the name of the member
	Way    Way
	Form   string // ByOriginal: in which form: text, reversed, raw, hex, base64, ...
	Class  string
	Masked string // its beginning, the rest covered
}

func (p Place) String() string {
	where := fmt.Sprintf("%s offset %d", p.File, p.Offset)
	switch {
	case p.InName:
		where = p.File
	case p.Line > 0:
		where = fmt.Sprintf("%s:%d", p.File, p.Line)
	}
	form := string(p.Way)
	if p.Form != "" {
		form += " " + p.Form
	}
	return fmt.Sprintf("%s: %s (%s) %s", where, p.Class, form, p.Masked)
}

// Search reads a tar and returns the places of what looks like an identity, and
// with the values of an original also those of each of them, in the order of
// the members. nil searches without an original.
func Search(capture io.Reader, original *Values) ([]Place, error) {
	s := newSearch(original)
	err := eachMember(capture, s.member)
	return s.places, err
}

// SearchText does the same with a single text.
func SearchText(name string, r io.Reader, original *Values) ([]Place, error) {
	s := newSearch(original)
	err := s.member(name, r)
	return s.places, err
}

// ValuesOf reads the tar of an original and returns all identities that are
// found in it.
func ValuesOf(original io.Reader) (*Values, error) {
	v := newValues()
	return v, eachMember(original, v.member)
}

// ValuesOfText does the same with a single text.
func ValuesOfText(name string, r io.Reader) (*Values, error) {
	v := newValues()
	return v, v.member(name, r)
}

// eachMember calls do with every member of a tar, named without the folder of
// the capture's name; the name of that comes last, as a member without bytes.
func eachMember(r io.Reader, do func(name string, r io.Reader) error) error {
	top := ""
	for t := tar.NewReader(r); ; {
		h, err := t.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		name := strings.TrimPrefix(h.Name, "./")
		if first, rest, ok := strings.Cut(name, "/"); ok && (top == "" || top == first) && strings.HasPrefix(first, "hwcap-") {
			top, name = first, rest
		}
		if h.Linkname != "" {
			name += " -> " + h.Linkname
		}
		if err := do(name, t); err != nil {
			return fmt.Errorf("%s: %w", h.Name, err)
		}
	}
	if top == "" {
		return nil
	}
	return do(top, bytes.NewReader(nil))
}

// search collects places.
type search struct {
	places []Place
	find   *finder
}

func newSearch(original *Values) *search {
	s := &search{}
	if original != nil {
		s.find = original.finder()
	}
	return s
}

// most bounds the places of one member and way: whoever reads them has seen
// enough then.
const most = 1000

func (s *search) member(name string, r io.Reader) error {
	counts := map[Way]int{}
	add := func(p Place) {
		if counts[p.Way]++; counts[p.Way] <= most {
			p.File = name
			s.places = append(s.places, p)
		}
	}
	scanName(name, func(way Way, class, value string) {
		add(Place{InName: true, Way: way, Class: class, Masked: masked(value)})
	})
	if s.find != nil {
		s.find.tell = func(at int64, _ int, v *value, form string) {
			add(Place{InName: true, Offset: at, Way: ByOriginal, Form: form, Class: v.class, Masked: masked(v.text)})
		}
		s.find.begin(false)
		s.find.Write([]byte(name))
		s.find.end()
		s.find.tell = func(at int64, line int, v *value, form string) {
			add(Place{Line: line, Offset: at, Way: ByOriginal, Form: form, Class: v.class, Masked: masked(v.text)})
		}
	}
	return scan(name, r, s.find, func(line int, offset int64, way Way, class, value string) {
		add(Place{Line: line, Offset: offset, Way: way, Class: class, Masked: masked(value)})
	})
}

// masked covers all of a value but its beginning.
func masked(value string) string {
	const shown, longest = 3, 40
	b := []byte(value[:min(len(value), longest)])
	for i := range b {
		switch {
		case b[i] < ' ' || b[i] >= 0x7f:
			b[i] = '.'
		case i >= min(shown, len(b)/2) && isWord(b[i]):
			b[i] = '*'
		}
	}
	return string(b)
}

// at is told of an identity and where it stands in a member.
type at func(line int, offset int64, way Way, class, value string)

// scanName looks at the name of a member, and the parts of it.
func scanName(name string, found hit) {
	shapes(name, found)
	base := path.Base(name)
	if host, ok := strings.CutPrefix(base, "hwcap-"); ok && name == base {
		host = strings.TrimSuffix(host, "-redacted")
		if i := strings.LastIndexByte(host, '-'); i > 0 {
			host = host[:i]
		}
		if !harmless(host) {
			found(ByLabel, "host", host)
		}
	}
}

// longest is how much of a line is looked at together; of what is longer its
// pieces overlap.
const (
	longest = 64 << 10
	overlap = 256
)

// Bounds of what is compressed: how often, and how much is kept to be searched as
// it is where it cannot be unpacked.
const (
	mostPacked = 8
	mostKept   = 16 << 20
)

// scan looks at the bytes of a member, as text or as what is in a binary one;
// what is compressed it unpacks. find, if any, gets the same bytes.
func scan(name string, r io.Reader, find *finder, found at) error {
	return scanPacked(name, r, find, found, mostPacked)
}

func scanPacked(name string, r io.Reader, find *finder, found at, most int) error {
	b := bufio.NewReaderSize(r, longest)
	head, _ := b.Peek(longest)
	unpack := compressionOf(head)
	if isClosed(head) || unpack != nil && most == 0 {
		found(0, 0, ByShape, "archive", path.Base(name))
	}
	if unpack == nil || most == 0 {
		return scanPlain(name, b, find, found)
	}
	var kept bytes.Buffer
	raw := bufio.NewReaderSize(io.TeeReader(b, &keep{&kept, mostKept}), longest)
	z, err := unpack(raw)
	if err == nil {
		err = scanPacked(name, z, find, found, most-1)
	}
	if err == nil { // what stands behind it is not part of it
		_, err = io.Copy(io.Discard, raw)
		return err
	}
	return scanPlain(name, bufio.NewReaderSize(io.MultiReader(&kept, b), longest), find, found)
}

// keep keeps the beginning of what is written to it.
type keep struct {
	*bytes.Buffer
	most int
}

func (k *keep) Write(p []byte) (int, error) {
	k.Buffer.Write(p[:max(0, min(len(p), k.most-k.Len()))])
	return len(p), nil
}

func scanPlain(name string, b *bufio.Reader, find *finder, found at) error {
	head, _ := b.Peek(longest)
	isText := bytes.IndexByte(head, 0) < 0
	if find != nil {
		find.begin(isText)
		defer find.end()
		b = bufio.NewReaderSize(io.TeeReader(b, find), longest)
	}
	if isText {
		return scanText(name, b, found)
	}
	return scanBinary(name, b, found)
}

// nameFiles hold the name of the machine and nothing else.
var nameFiles = []string{"etc/hostname", "proc/sys/kernel/hostname", "proc/sys/kernel/domainname", "etc/mailname"}

func isNameFile(member string) bool {
	for _, f := range nameFiles {
		if member == f || strings.HasSuffix(member, "/"+f) {
			return true
		}
	}
	return false
}

func scanText(name string, b *bufio.Reader, found at) error {
	var table columns
	isName := isNameFile(name)
	var rows hexRows
	carry := ""
	for n := 1; ; {
		piece, err := b.ReadSlice('\n')
		line := plain(carry + string(bytes.TrimRight(piece, "\r\n")))
		carry = ""
		tell := func(way Way, class, value string) { found(n, 0, way, class, value) }
		if len(line) > 0 {
			if isName && isHostName(line) && !harmless(line) {
				tell(ByLabel, "host", line)
			}
			wholeValue(name, line, tell)
			shapes(line, tell)
			drawn(line, tell)
			labelled(line, tell)
			phrased(line, tell)
			written(line, tell)
			rows.line(line, tell)
		}
		table.line(line, tell)
		switch {
		case err == bufio.ErrBufferFull:
			carry = line[max(0, len(line)-overlap):]
		case err == io.EOF:
			return nil
		case err != nil:
			return err
		default:
			n++
		}
	}
}

// scanBinary looks at the texts inside a member that is none, and at what the
// two binary formats of a capture hold.
func scanBinary(name string, b *bufio.Reader, found at) error {
	switch {
	case path.Base(name) == "config":
		data, err := io.ReadAll(io.LimitReader(b, 4096))
		configSpace(data, func(class, value string, offset int) { found(0, int64(offset), ByShape, class, value) })
		if err != nil {
			return err
		}
		_, err = io.Copy(io.Discard, b)
		return err
	case strings.HasSuffix(name, ".pcap"):
		if err := netlinkDump(b, func(class, value string, offset int64) { found(0, offset, ByShape, class, value) }); err != nil {
			return err
		}
		_, err := io.Copy(io.Discard, b)
		return err
	}
	const shortest = 6
	var run []byte
	start := int64(0)
	look := func() {
		if len(run) >= shortest {
			tell := func(way Way, class, value string) { found(0, start, way, class, value) }
			shapes(string(run), tell)
			labelled(string(run), tell)
			phrased(string(run), tell)
			written(string(run), tell)
		}
		run = run[:0]
	}
	for offset := int64(0); ; offset++ {
		c, err := b.ReadByte()
		if err != nil {
			look()
			if err == io.EOF {
				return nil
			}
			return err
		}
		if c < ' ' || c > '~' || len(run) == longest {
			look()
			continue
		}
		if len(run) == 0 {
			start = offset
		}
		run = append(run, c)
	}
}

// plain returns a line without a byte order mark and the sequences of a
// terminal, as ESC [ 1 m, that may stand before an identity.
func plain(line string) string {
	line = strings.TrimPrefix(line, "\ufeff")
	if strings.IndexByte(line, '\x1b') < 0 {
		return line
	}
	var b strings.Builder
	for {
		before, rest, ok := strings.Cut(line, "\x1b[")
		b.WriteString(before)
		if !ok {
			return b.String()
		}
		line = strings.TrimLeft(rest, "0123456789;")
		if line != "" && line[0] >= '@' {
			line = line[1:]
		}
	}
}
