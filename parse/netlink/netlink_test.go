package netlink

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hwcap/parse/fact"
	"hwcap/parse/netlink/netlinktest"
)

var little, big = netlinktest.Little, netlinktest.Big

// kinds walks a file and returns what it saw, "record:type:length of the body".
func kinds(file []byte) (seen []string, problems []fact.Problem, err error) {
	problems, err = Walk(bytes.NewReader(file), "f", func(m *Message) error {
		seen = append(seen, fmt.Sprintf("%d:%d:%d", m.Frame, m.Type, len(m.Body)))
		return nil
	})
	return seen, problems, err
}

func TestWalkOrders(t *testing.T) {
	for name, o := range map[string][2]netlinktest.Order{
		"little endian":                   {little, little},
		"big endian":                      {big, big},
		"big endian machine, little pcap": {little, big},
		"little endian machine, big pcap": {big, little},
	} {
		t.Run(name, func(t *testing.T) {
			f := netlinktest.New(o[0], o[1], Route)
			f.Record(f.Message(16, f.Attr(3, []byte("abc"))), f.Message(17))
			f.Done()
			seen, problems, err := kinds(f.Bytes)
			if err != nil || len(problems) > 0 {
				t.Fatal(problems, err)
			}
			if diff := cmp.Diff([]string{"1:16:8", "1:17:0", "2:3:4"}, seen); diff != "" {
				t.Errorf("messages (-want +got):\n%s", diff)
			}
		})
	}
}

// The length of a big message of a big endian machine reads as one that fits
// its record in the other order as well.
func TestOrderOfTheFileFirst(t *testing.T) {
	f := netlinktest.New(big, big, Route)
	long := f.Message(16, make([]byte, 0x100-16)) // 00 00 01 00
	for len(long) < 0x10000 {
		long = append(long, f.Message(17, make([]byte, 0x100-16))...)
	}
	f.Record(long).Done()
	seen, problems, err := kinds(f.Bytes)
	if err != nil || len(problems) > 0 || len(seen) != 0x100+1 {
		t.Errorf("%d messages: %v %v", len(seen), problems, err)
	}
}

func TestWalkBroken(t *testing.T) {
	start := func() *netlinktest.File { return netlinktest.New(little, little, Route) }
	whole := func() []byte {
		f := start()
		return f.Record(f.Message(16, make([]byte, 20))).Record(f.Message(16)).Done().Bytes
	}
	edit := func(at int, n uint32) []byte {
		b := whole()
		binary.LittleEndian.PutUint32(b[at:], n)
		return b
	}
	const record1 = 24
	for name, test := range map[string]struct {
		file     []byte
		messages int
		problem  string // of the first
		err      string
	}{
		"whole":                                  {whole(), 3, "", ""},
		"empty":                                  {nil, 0, "", "the header of the pcap"},
		"no pcap":                                {[]byte(strings.Repeat("hello ", 9)), 0, "", "not a pcap"},
		"ethernet":                               {edit(20, 1), 0, "", "link type 1"},
		"cut off in a record's header":           {whole()[:record1+9], 0, "", "record 1: unexpected EOF"},
		"cut off at a record's header":           {whole()[:record1+16], 0, "", "record 1: unexpected EOF"},
		"cut off in a record":                    {whole()[:record1+40], 0, "", "record 1: unexpected EOF"},
		"a record of 4 GiB":                      {edit(record1+8, 0xffffffff), 0, "", "record 1 says that it has 4294967295 bytes"},
		"a record that was not kept whole":       {edit(record1+12, 500), 3, "record 1: only 52 of its 500 bytes were kept", ""},
		"a message of no length":                 {edit(record1+32, 0), 2, "record 1: the length of a netlink message makes no sense", ""},
		"a message that is shorter than itself":  {edit(record1+32, 15), 2, "record 1: the length", ""},
		"a message that is longer than there is": {edit(record1+32, 37), 2, "record 1: the length", ""},
		"a record without a link header":         {append(start().Bytes, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0, 1, 2), 0, "record 1: shorter than its header", ""},
		"a dump without its end": {func() []byte {
			f := start()
			return f.Record(f.Message(16)).Bytes
		}(), 1, "record 1: the dump breaks off", ""},
		"a dump that another one follows": {func() []byte {
			f := start()
			f.Record(f.Message(16))
			f.Seq = 9
			return f.Record(f.Message(16)).Done().Bytes
		}(), 3, "record 1: the dump breaks off", ""},
		"a family's announcement is no dump": {func() []byte {
			f := netlinktest.New(little, little, Generic)
			return f.Family("ethtool", 20).Bytes
		}(), 1, "", ""},
		"a refused dump has an end": {func() []byte {
			f := start()
			return f.Record(f.Message(16)).Refuse(95, nil).Bytes
		}(), 2, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			seen, problems, err := kinds(test.file)
			if len(seen) != test.messages {
				t.Errorf("messages %v, want %d", seen, test.messages)
			}
			if (err == nil) != (test.err == "") || err != nil && !strings.Contains(err.Error(), test.err) {
				t.Errorf("error %v, want %q", err, test.err)
			}
			if (len(problems) == 0) != (test.problem == "") || len(problems) > 0 && !strings.HasPrefix(problems[0].Text, test.problem) {
				t.Errorf("problems %v, want %q", problems, test.problem)
			}
		})
	}
}

func TestWalkKeepsSomeProblems(t *testing.T) {
	f := netlinktest.New(little, little, Route)
	for range 10 * maxProblems {
		f.Record([]byte{1, 2, 3})
	}
	if _, problems, err := kinds(f.Bytes); err != nil || len(problems) != maxProblems {
		t.Errorf("%d problems: %v", len(problems), err)
	}
	f = netlinktest.New(little, little, Route)
	f.Record(f.Message(16)).Record(f.Message(16)).Done()
	problems, err := Walk(bytes.NewReader(f.Bytes), "f", func(m *Message) error {
		if m.Frame == 2 {
			return errors.New("too short")
		}
		return nil
	})
	if diff := cmp.Diff([]fact.Problem{{File: "f", Line: 2, Text: "record 2: too short"}}, problems); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}

func TestAttributes(t *testing.T) {
	f := netlinktest.New(big, big, Route)
	row := func(parts ...[]byte) []byte { return bytes.Join(parts, nil) }
	for name, test := range map[string]struct {
		row  []byte
		want string
	}{
		"padded":                     {row(f.Attr(1, []byte{7}), f.Attr(2, f.U32(9)), f.Text(3, "eth0")), "1=07 2=00000009 3=6574683000"},
		"flags of nesting and order": {f.Attr(1|0x8000, f.Attr(2|0x4000)), "1=00044002"},
		"no bytes":                   {f.Attr(5), "5="},
		"nothing":                    {nil, ""},
		"shorter than a header":      {[]byte{0, 4, 0}, ""},
		"of no length":               {row(f.Attr(1, []byte{7}), []byte{0, 0, 0, 2, 0, 5, 0, 3, 1}), "1=07"},
		"longer than there is":       {row(f.Attr(1, []byte{7}), []byte{0, 9, 0, 2, 1, 2}), "1=07"},
		"the last one not padded":    {[]byte{0, 5, 0, 2, 1}, "2=01"},
	} {
		t.Run(name, func(t *testing.T) {
			var got []string
			for a := (&Message{Order: big}).Attributes(test.row); a.Next(); {
				got = append(got, fmt.Sprintf("%d=%x", a.Type, a.Value))
			}
			if strings.Join(got, " ") != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

func TestAttributeValues(t *testing.T) {
	f := netlinktest.New(big, big, Route)
	value := func(b []byte) *Attributes {
		a := (&Message{Order: big}).Attributes(f.Attr(1, b))
		a.Next()
		return a
	}
	_, is8 := value(nil).Uint8()
	_, is32 := value([]byte{1, 2, 3}).Uint32()
	_, is64 := value(make([]byte, 7)).Uint64()
	if is8 || is32 || is64 {
		t.Error("a value is read that is not there")
	}
	if n, ok := value(f.U64(1 << 40)).Uint64(); !ok || n != 1<<40 {
		t.Errorf("%d, %v", n, ok)
	}
	for in, want := range map[string]string{"eth0\x00rest": "eth0", "eth0": "eth0", "": "", "\x00x": "", "longer than allowed": "", "a\xff": "a\uFFFD"} {
		if got, ok := value([]byte(in)).Text(8); got != want || ok != (want != "") {
			t.Errorf("Text of %q is %q, %v", in, got, ok)
		}
	}
}

func TestFamily(t *testing.T) {
	f := netlinktest.New(little, big, Generic)
	f.Family("ethtool", 20)
	f.Record(f.Generic(20, 4))
	f.Record(f.Generic(16, 1, f.Text(2, "half"))) // no number
	f.Record(f.Message(16, []byte{1}))
	var got []string
	if _, err := Walk(bytes.NewReader(f.Bytes), "f", func(m *Message) error {
		name, number, ok := m.Family()
		got = append(got, fmt.Sprintf("%s %d %v", name, number, ok))
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"ethtool 20 true", " 0 false", "half 0 false", " 0 false"}, got); diff != "" {
		t.Errorf("families (-want +got):\n%s", diff)
	}
}

func TestRefusal(t *testing.T) {
	f := netlinktest.New(little, little, Generic)
	f.Refuse(1, f.Generic(20, 6)).Refuse(95, nil).Done().Record(f.Generic(20, 6)).Record(f.Message(2))
	var got []string
	if _, err := Walk(bytes.NewReader(f.Bytes), "f", func(m *Message) error {
		errno, refused := m.Refusal()
		command, known := m.RefusedCommand()
		got = append(got, fmt.Sprint(errno, refused, command, known, m.IsEnd()))
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	want := []string{"1 true 6 true true", "95 true 0 false true", "0 false 0 false true", "0 false 0 false false", "0 false 0 false true"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for errno, want := range map[int]fact.State{1: fact.Denied, 13: fact.Denied, 95: fact.Absent, 122: fact.Absent, 110: fact.TimedOut, 22: fact.Failed} {
		if got := StateOf(errno); got != want {
			t.Errorf("errno %d is %s, want %s", errno, got, want)
		}
	}
}

// hostile makes n bytes of messages that are as small as can be, in one record
// after another.
func hostile(n int) []byte {
	f := netlinktest.New(little, little, Route)
	empty := f.Message(16)
	many := bytes.Repeat(empty, 4096)
	for len(f.Bytes) < n {
		f.Record(many)
	}
	return f.Bytes
}

func FuzzNetlinkWalk(f *testing.F) {
	g := netlinktest.New(little, big, Generic)
	g.Family("ethtool", 20).Record(g.Generic(20, 4, g.Attr(1, g.Text(2, "eth0")))).Refuse(1, g.Generic(20, 6))
	f.Add(g.Bytes)
	f.Add(hostile(100))
	f.Fuzz(func(t *testing.T, file []byte) {
		bodies, frame := 0, 1
		Walk(bytes.NewReader(file), "f", func(m *Message) error {
			bodies += len(m.Body) + headerSize
			if m.Frame < frame {
				t.Errorf("record %d after record %d", m.Frame, frame)
			}
			frame = m.Frame
			values := 0
			for a := m.Attributes(m.Body); a.Next(); {
				values += len(a.Value) + attributeSize
			}
			if values > len(m.Body) {
				t.Errorf("%d bytes of attributes in %d", values, len(m.Body))
			}
			m.Family()
			m.Refusal()
			m.RefusedCommand()
			return nil
		})
		if bodies > len(file) {
			t.Errorf("%d bytes of messages in %d", bodies, len(file))
		}
	})
}

// The time a byte stays the same while the input doubles.
func BenchmarkHostile(b *testing.B) {
	for _, size := range []int{1 << 20, 2 << 20, 4 << 20} {
		file := hostile(size)
		b.Run(fmt.Sprint(size>>20, " MiB"), func(b *testing.B) {
			b.SetBytes(int64(len(file)))
			for b.Loop() {
				Walk(bytes.NewReader(file), "f", func(*Message) error { return nil })
			}
		})
	}
}
