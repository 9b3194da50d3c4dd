package main

import (
	"bytes"
	"encoding/hex"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"hwcap/capture/leak"
	"hwcap/capture/redact"
	"hwcap/samples"
)

// TestRedactionOfRandomIdentities plants identities that no run had before in
// every sample, and finds none of them after redaction: in no member, no name
// of one, in no form. With one class of them left in, the search finds each of
// that class where it stands, and nothing else.
func TestRedactionOfRandomIdentities(t *testing.T) {
	for _, name := range samples.Names() {
		t.Run(name, func(t *testing.T) {
			s1, s2 := rand.Uint64(), rand.Uint64()
			t.Logf("drawn with rand.NewPCG(%#x, %#x)", s1, s2)
			g := gardenOf(t, name)
			g.plant(draw{rand.New(rand.NewPCG(s1, s2))})
			if len(g.seeds) < 60 {
				t.Fatalf("%d places", len(g.seeds))
			}
			planted := g.archive(t)

			var out bytes.Buffer
			key := redact.Key{byte(s1)}
			open := func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(planted)), nil }
			if _, err := redact.Archive(&out, open, key, t.TempDir()); err != nil {
				t.Fatal(err)
			}
			g.survivors(t, out.Bytes())

			original, err := leak.ValuesOf(bytes.NewReader(planted))
			if err != nil {
				t.Fatal(err)
			}
			places, err := leak.Search(bytes.NewReader(out.Bytes()), original)
			if err != nil {
				t.Fatal(err)
			}
			for _, p := range places {
				t.Errorf("after redaction: %v", p)
			}
			bed := g.bedOf(t, out.Bytes())
			for _, class := range g.classes() {
				bed.leftIn(t, class, original)
			}
		})
	}
}

// needle is a form of a value that must not survive, in small letters.
type needle struct {
	form []byte
	name string
	seed *seed
}

// survivors looks for every form of every value in all members and names.
func (g *garden) survivors(t *testing.T, redacted []byte) {
	t.Helper()
	const head = 6 // bytes, by which needles are looked up
	needles := map[[head]byte][]needle{}
	for i := range g.seeds {
		if g.seeds[i].echo {
			continue // of a value that has its needles
		}
		for name, form := range formsOf(g.seeds[i].value) {
			form = lowerASCII(form)
			needles[[head]byte(form)] = append(needles[[head]byte(form)], needle{form, name, &g.seeds[i]})
		}
	}
	look := func(where string, b []byte) {
		b = lowerASCII(b)
		for i := range max(0, len(b)-head+1) {
			for _, n := range needles[[head]byte(b[i:])] {
				if bytes.HasPrefix(b[i:], n.form) {
					t.Errorf("%v survives in %s:%d (%s)", n.seed, where, bytes.Count(b[:i], []byte("\n"))+1, n.name)
				}
			}
		}
	}
	eachFile(t, redacted, func(name string, data []byte) {
		look("the name "+name, []byte(name))
		if bytes.HasPrefix(data, []byte("\x1f\x8b")) { // proc/config.gz
			data = unpack(data)
		}
		look(name, data)
	})
}

// formsOf are the ways in which a value may have survived: as text, and what
// is made of hexadecimal digits also as bytes and in other writings, each
// reversed as well.
func formsOf(value string) map[string][]byte {
	forms := map[string][]byte{"text": []byte(value), "reversed": backwards([]byte(value)), "hex": []byte(hex.EncodeToString([]byte(value)))}
	raw := octetsOf(value)
	if raw == nil {
		return forms
	}
	for way, b := range map[string][]byte{"": raw, " reversed": backwards(raw)} {
		forms["raw"+way] = b
		for _, sep := range []string{"", " ", ":", "-"} {
			forms["hex"+way+" by "+sep] = []byte(joined(b, sep))
		}
	}
	return forms
}

// lowerASCII lowers letters and nothing else: bytes.ToLower makes one and the
// same rune of all bytes that are not UTF-8.
func lowerASCII(b []byte) []byte {
	low := bytes.Clone(b)
	for i, c := range low {
		if 'A' <= c && c <= 'Z' {
			low[i] += 'a' - 'A'
		}
	}
	return low
}

func (g *garden) classes() []string {
	var all []string
	for _, s := range g.seeds {
		if !slices.Contains(all, s.class) {
			all = append(all, s.class)
		}
	}
	return all
}

// bed is a redacted capture into which what was planted can be put back.
type bed struct {
	*garden
	redactedTop  string
	redactedName map[string]string // of a member
	redacted     map[string][]byte // by the member's name before
}

func (g *garden) bedOf(t *testing.T, redacted []byte) *bed {
	t.Helper()
	b := &bed{garden: g, redactedName: map[string]string{}, redacted: map[string][]byte{}}
	names := slices.DeleteFunc(slices.Clone(g.names), func(name string) bool { return name == "manifest.json" })
	names = append(names, "manifest.json") // which redaction writes last
	eachFile(t, redacted, func(name string, data []byte) {
		b.redactedTop, name, _ = strings.Cut(name, "/")
		b.redactedName[names[0]], b.redacted[names[0]] = name, data
		names = names[1:]
	})
	if len(names) > 0 {
		t.Fatalf("redaction wrote no %s", names)
	}
	return b
}

// leftIn searches a capture that is redacted but for one class: its lines,
// bytes and names are those that were planted. The search names each place,
// those that nothing announces with the original only, and no other one.
func (b *bed) leftIn(t *testing.T, class string, original *leak.Values) {
	t.Helper()
	top, members := b.redactedTop, map[string][]byte{}
	var names []string
	named := map[string]string{} // of a member, in this capture
	for _, s := range b.seeds {
		if s.class != class {
			continue
		}
		if s.member == b.top() {
			top, named[s.member] = s.member, s.member
			continue
		}
		name, ok := named[s.member]
		if !ok {
			if name = b.redactedName[s.member]; s.line < 0 {
				name = s.member
			}
			named[s.member], members[name] = name, slices.Clone(b.redacted[s.member])
			names = append(names, name)
		}
		switch {
		case s.line > 0:
			members[name] = withLine(members[name], b.members[s.member], s.line)
		case s.line == 0:
			copy(members[name][s.at:s.at+s.size], b.members[s.member][s.at:])
		}
	}
	archive := tarOf(t, top, names, members)
	for _, values := range []*leak.Values{nil, original} {
		places, err := leak.Search(bytes.NewReader(archive), values)
		if err != nil {
			t.Fatal(err)
		}
		expected := make([]bool, len(places))
		for _, s := range b.seeds {
			if s.class != class {
				continue
			}
			found := false
			for i, p := range places {
				if p.File == named[s.member] && s.isAt(p) {
					found, expected[i] = true, true
				}
			}
			if !found && (values != nil || !s.echo) {
				t.Errorf("left in, and not found: %v", s)
			}
		}
		for i, p := range places {
			if !expected[i] {
				t.Errorf("with %s left in: %v", class, p)
			}
		}
	}
}

// isAt reports whether a place is where the identity was planted.
func (s seed) isAt(p leak.Place) bool {
	switch s.line {
	case -1:
		return p.InName
	case 0:
		return !p.InName && p.Line == 0 && int64(s.at) <= p.Offset && p.Offset < int64(s.at+s.size)
	}
	return !p.InName && (p.Line == s.line || p.Line > 0 && p.Line == s.told)
}

// withLine returns a text in which one line, from 1, is that of another text.
func withLine(text, other []byte, line int) []byte {
	bounds := func(b []byte) (from, to int) {
		for range line - 1 {
			from += bytes.IndexByte(b[from:], '\n') + 1
		}
		if n := bytes.IndexByte(b[from:], '\n'); n >= 0 {
			return from, from + n
		}
		return from, len(b)
	}
	from, to := bounds(text)
	from2, to2 := bounds(other)
	return slices.Concat(text[:from], other[from2:to2], text[to:])
}
