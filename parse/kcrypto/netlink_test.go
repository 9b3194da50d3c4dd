package kcrypto

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hwcap/parse/fact"
	"hwcap/parse/netlink/netlinktest"
)

var little, big = netlinktest.Little, netlinktest.Big

// entry is an algorithm as the kernel describes it to netlink.
type entry struct {
	name, driver, module string
	flags                uint32
	priority             int32
	report               uint16
	kind                 string
	numbers              map[int]uint32 // by offset in the report
	size                 int            // of the report
}

// dump makes a pcap file: records in the order of pcap, the messages in the
// order of the machine that was asked.
func dump(pcap, machine netlinktest.Order, entries ...entry) []byte {
	f := netlinktest.New(pcap, machine, 21)
	for _, e := range entries {
		f.Record(message(f, machine, e))
	}
	return f.Done().Bytes
}

func message(f *netlinktest.File, machine netlinktest.Order, e entry) []byte {
	alg := make([]byte, algSize)
	copy(alg, e.name)
	copy(alg[64:], e.driver)
	copy(alg[128:], e.module)
	machine.PutUint32(alg[200:], 1)
	machine.PutUint32(alg[204:], e.flags)
	parts := [][]byte{alg, f.Attr(attrValue, f.U32(uint32(e.priority)))}
	if e.report != 0 {
		report := make([]byte, e.size)
		copy(report, e.kind)
		for at, n := range e.numbers {
			machine.PutUint32(report[at:], n)
		}
		parts = append(parts, f.Attr(e.report, report))
	}
	return f.Message(msgGetAlg, parts...)
}

var (
	xtsEntry = entry{"xts(aes)", "qat_aes_xts", "intel_qat", 0x10585, 100, 4, "skcipher",
		map[int]uint32{128: 16, 132: 32, 136: 64, 140: 16}, 144}
	deflateEntry = entry{"deflate", "qat_deflate", "intel_qat", 0x1048a, 4001, 11, "acomp", nil, 64}
	larvalEntry  = entry{"zstd", "zstd-generic", "", 0x1a, -1, 2, "larval", nil, 64}
)

func TestNetlink(t *testing.T) {
	yes, no := true, false
	at := func(frame int, text string) fact.Line {
		return fact.Line{File: "netlink/crypto.pcap", Frame: frame, Text: text}
	}
	x, d, l := at(1, "xts(aes) qat_aes_xts priority=100 flags=0x00010585"), at(2, "deflate qat_deflate priority=4001 flags=0x0001048a"), at(3, "zstd zstd-generic priority=-1 flags=0x0000001a")
	want := []fact.Algorithm{
		{Name: "xts(aes)", Driver: "qat_aes_xts", Module: "intel_qat", Priority: 100, RefCount: 1, SelfTest: "passed", Type: "skcipher", Async: &yes,
			Attributes: map[string]int{"blocksize": 16, "min keysize": 32, "max keysize": 64, "ivsize": 16},
			Flags:      fact.Of(uint32(0x10585), x), FlagNames: []string{"ASYNC", "NEED_FALLBACK", "TESTED", "ALLOCATES_MEMORY"}, Frame: x},
		{Name: "deflate", Driver: "qat_deflate", Module: "intel_qat", Priority: 4001, RefCount: 1, SelfTest: "passed", Type: "acomp", Async: &yes,
			Flags: fact.Of(uint32(0x1048a), d), FlagNames: []string{"ASYNC", "TESTED", "ALLOCATES_MEMORY"}, Frame: d},
		{Name: "zstd", Driver: "zstd-generic", Priority: -1, RefCount: 1, SelfTest: "unknown", Type: "larval", Async: &no,
			Flags: fact.Of(uint32(0x1a), l), FlagNames: []string{"LARVAL"}, Frame: l},
	}
	for name, file := range map[string][]byte{
		"little endian":      dump(little, little, xtsEntry, deflateEntry, larvalEntry),
		"big endian":         dump(big, big, xtsEntry, deflateEntry, larvalEntry),
		"big endian machine": dump(little, big, xtsEntry, deflateEntry, larvalEntry),
		"big endian pcap":    dump(big, little, xtsEntry, deflateEntry, larvalEntry),
	} {
		t.Run(name, func(t *testing.T) {
			got, problems, err := ParseNetlink(bytes.NewReader(file), "netlink/crypto.pcap")
			if err != nil || len(problems) > 0 {
				t.Fatal(err, problems)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("algorithms (-want +got):\n%s", diff)
			}
		})
	}
}

// Every report of every age, and what a kernel without one tells.
func TestReports(t *testing.T) {
	tests := map[string]struct {
		entry entry
		kind  string
		want  map[string]int
	}{
		"ahash":                                {entry{report: 3, kind: "ahash", flags: 0xf, size: 72, numbers: map[int]uint32{64: 64, 68: 32}}, "ahash", map[string]int{"blocksize": 64, "digestsize": 32}},
		"shash of 3.x":                         {entry{report: 3, kind: "shash", flags: 0x9, size: 72, numbers: map[int]uint32{64: 64, 68: 20}}, "shash", map[string]int{"blocksize": 64, "digestsize": 20}},
		"ablkcipher of 4.x":                    {entry{report: 4, kind: "ablkcipher", flags: 0x5, size: 144, numbers: map[int]uint32{128: 16, 132: 16, 136: 32, 140: 16}}, "ablkcipher", map[string]int{"blocksize": 16, "min keysize": 16, "max keysize": 32, "ivsize": 16}},
		"lskcipher":                            {entry{report: 4, kind: "lskcipher", flags: 0x4, size: 144, numbers: map[int]uint32{128: 16}}, "lskcipher", map[string]int{"blocksize": 16, "min keysize": 0, "max keysize": 0, "ivsize": 0}},
		"aead":                                 {entry{report: 5, kind: "aead", flags: 0x3, size: 140, numbers: map[int]uint32{128: 1, 132: 16, 136: 12}}, "aead", map[string]int{"blocksize": 1, "maxauthsize": 16, "ivsize": 12}},
		"compression":                          {entry{report: 6, kind: "compression", flags: 0x2, size: 64}, "compression", nil},
		"scomp":                                {entry{report: 6, kind: "scomp", flags: 0xb, size: 64}, "scomp", nil},
		"rng":                                  {entry{report: 7, kind: "rng", flags: 0xc, size: 68, numbers: map[int]uint32{64: 48}}, "rng", map[string]int{"seedsize": 48}},
		"cipher":                               {entry{report: 8, kind: "cipher", flags: 0x1, size: 76, numbers: map[int]uint32{64: 16, 68: 16, 72: 32}}, "cipher", map[string]int{"blocksize": 16, "min keysize": 16, "max keysize": 32}},
		"akcipher of 6.1":                      {entry{report: 9, kind: "akcipher", flags: 0xd, size: 64}, "akcipher", nil},
		"kpp":                                  {entry{report: 10, kind: "kpp", flags: 0x8, size: 64}, "kpp", nil},
		"acomp":                                {entry{report: 11, kind: "acomp", flags: 0xa, size: 64}, "acomp", nil},
		"sig":                                  {entry{report: 22, kind: "sig", flags: 0x7, size: 64}, "sig", nil},
		"a report cut off inside its numbers":  {entry{report: 8, kind: "cipher", flags: 0x1, size: 72, numbers: map[int]uint32{64: 16, 68: 16}}, "cipher", map[string]int{"blocksize": 16, "min keysize": 16}},
		"a report without its name":            {entry{report: 3, flags: 0xe, size: 40}, "", nil},
		"no report, a number that never moved": {entry{flags: 0x1}, "cipher", nil},
		"no report, a number that moved":       {entry{flags: 0x6}, "", nil},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			test.entry.name, test.entry.driver = "n", "d"
			got, problems, err := ParseNetlink(bytes.NewReader(dump(little, little, test.entry)), "f")
			if err != nil || len(problems) > 0 || len(got) != 1 {
				t.Fatal(got, problems, err)
			}
			if got[0].Type != test.kind {
				t.Errorf("type %q, want %q", got[0].Type, test.kind)
			}
			if diff := cmp.Diff(test.want, got[0].Attributes); diff != "" {
				t.Errorf("numbers (-want +got):\n%s", diff)
			}
		})
	}
}

// The dump itself tells how its kernel numbers the types.
func TestTypeNumbers(t *testing.T) {
	for name, test := range map[string]struct{ known, unknown entry }{
		"akcipher before 6.8": {entry{report: 9, kind: "akcipher", flags: 0xd, size: 64}, entry{flags: 0xd}},
		"akcipher since 6.8":  {entry{report: 9, kind: "akcipher", flags: 0x6, size: 64}, entry{flags: 0x6}},
	} {
		test.known.name, test.known.driver, test.unknown.name, test.unknown.driver = "a", "a1", "b", "b1"
		got, _, err := ParseNetlink(bytes.NewReader(dump(little, little, test.unknown, test.known)), "f")
		if err != nil || len(got) != 2 || got[0].Type != "akcipher" {
			t.Errorf("%s: %+v %v", name, got, err)
		}
	}
}

// The bit 0x200 by the company it keeps.
func TestFlagsOfAllAges(t *testing.T) {
	other := entry{name: "crc32c", driver: "crc32c-generic", report: 3, kind: "shash", size: 72, flags: 0x40e}
	for name, test := range map[string]struct {
		driver entry
		other  uint32
		want   string
	}{
		"4.x":  {entry{report: 4, kind: "givcipher", size: 144, flags: 0x606}, 0x409, "GENIV TESTED"},
		"6.6":  {entry{report: 4, kind: "skcipher", size: 144, flags: 0x685}, 0x40e, "ASYNC ENGINE TESTED"},
		"6.16": {entry{report: 4, kind: "skcipher", size: 144, flags: 0x685}, 0x4040e, "ASYNC DUP_FIRST TESTED"},
	} {
		test.driver.name, test.driver.driver = "cbc(aes)", "cbc-aes-card"
		other.flags = test.other
		got, _, err := ParseNetlink(bytes.NewReader(dump(little, little, test.driver, other)), "f")
		if err != nil || strings.Join(got[0].FlagNames, " ") != test.want {
			t.Errorf("%s: %v, want %s; %v", name, got[0].FlagNames, test.want, err)
		}
	}
}

func TestNetlinkBroken(t *testing.T) {
	whole := dump(little, little, xtsEntry, deflateEntry)
	const first = 24 + 16 + 16 // the first message
	short := bytes.Clone(whole)
	binary.LittleEndian.PutUint32(short[first:], 4) // its length
	refused := netlinktest.New(little, little, 21).Refuse(1, nil).Bytes
	some := func(parts ...[]byte) []byte {
		f := netlinktest.New(little, little, 21)
		return f.Record(f.Message(msgGetAlg, parts...)).Done().Bytes
	}
	other := netlinktest.New(little, little, 0)
	other.Record(other.Message(msgGetAlg, make([]byte, 4))).Done()
	for name, test := range map[string]struct {
		file           []byte
		algs, problems int
		err            string
	}{
		"cut off inside the second record": {whole[:first+16+algSize+8+148+60], 1, 0, "record 2"},
		"a message without a length":       {short, 1, 1, ""},
		"a refusal":                        {refused, 0, 1, ""},
		"a message without an algorithm":   {some(make([]byte, 20)), 0, 1, ""},
		"an algorithm without a name":      {some(make([]byte, algSize)), 0, 1, ""},
		"another family":                   {other.Bytes, 0, 0, ""},
		"no pcap":                          {[]byte(strings.Repeat("hello ", 9)), 0, 0, "not a pcap"},
		"empty":                            {nil, 0, 0, "header"},
	} {
		t.Run(name, func(t *testing.T) {
			algs, problems, err := ParseNetlink(bytes.NewReader(test.file), "f")
			if len(algs) != test.algs || len(problems) != test.problems {
				t.Errorf("%d algorithms and %d problems, want %d and %d: %v", len(algs), len(problems), test.algs, test.problems, problems)
			}
			if (err == nil) != (test.err == "") || err != nil && !strings.Contains(err.Error(), test.err) {
				t.Errorf("error %v, want %q", err, test.err)
			}
		})
	}
}

func TestNetlinkLimit(t *testing.T) {
	f := netlinktest.New(little, little, 21)
	many := bytes.Repeat(message(f, little, entry{name: "n", driver: "d", flags: 0x401}), 1000)
	for range maxAlgorithms/1000 + 2 {
		f.Record(many)
	}
	algs, problems, err := ParseNetlink(bytes.NewReader(f.Done().Bytes), "f")
	if err != nil || len(algs) != maxAlgorithms || len(problems) != 1 {
		t.Errorf("%d algorithms, problems %v, error %v", len(algs), problems, err)
	}
}

func FuzzNetlinkCrypto(f *testing.F) {
	f.Add(dump(little, little, xtsEntry, larvalEntry))
	f.Add(dump(big, big, deflateEntry))
	f.Fuzz(func(t *testing.T, b []byte) {
		algs, _, _ := ParseNetlink(bytes.NewReader(b), "f")
		for _, a := range algs {
			if a.Name == "" || a.Driver == "" && a.Flags.V&larval == 0 || a.Frame.Frame == 0 || len(a.FlagNames) != bits.OnesCount32(a.Flags.V&^typeMask) {
				t.Errorf("an algorithm without name, driver, frame or names of its flags: %+v", a)
			}
		}
	})
}

func BenchmarkNetlinkCrypto(b *testing.B) {
	var entries []entry
	for range 200 {
		entries = append(entries, xtsEntry)
	}
	file := dump(little, little, entries...)
	b.SetBytes(int64(len(file)))
	for b.Loop() {
		ParseNetlink(bytes.NewReader(file), "f")
	}
}
