package kcrypto

import (
	"bytes"
	"encoding/binary"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hwcap/parse/fact"
)

type byteOrder interface {
	binary.ByteOrder
	binary.AppendByteOrder
}

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

// dump makes a pcap file: magic and records in the order of pcap, the messages in
// the order of the machine that was asked.
func dump(pcap, machine byteOrder, magic uint32, entries ...entry) []byte {
	file := pcap.AppendUint32(nil, magic)
	file = pcap.AppendUint16(pcap.AppendUint16(file, 2), 4)
	for _, n := range []uint32{0, 0, 1 << 18, linkNetlink} {
		file = pcap.AppendUint32(file, n)
	}
	for _, e := range entries {
		msg := make([]byte, 16+algSize)
		copy(msg[16:], e.name)
		copy(msg[16+64:], e.driver)
		copy(msg[16+128:], e.module)
		machine.PutUint32(msg[16+200:], 1)
		machine.PutUint32(msg[16+204:], e.flags)
		msg = attribute(machine, msg, attrValue, machine.AppendUint32(nil, uint32(e.priority)))
		if e.report != 0 {
			report := make([]byte, e.size)
			copy(report, e.kind)
			for at, n := range e.numbers {
				machine.PutUint32(report[at:], n)
			}
			msg = attribute(machine, msg, e.report, report)
		}
		machine.PutUint32(msg, uint32(len(msg)))
		machine.PutUint16(msg[4:], msgGetAlg)
		machine.PutUint16(msg[6:], 2) // NLM_F_MULTI
		file = pcapRecord(pcap, file, msg)
	}
	done := make([]byte, 20)
	machine.PutUint32(done, 20)
	machine.PutUint16(done[4:], msgDone)
	return pcapRecord(pcap, file, done)
}

func attribute(order byteOrder, msg []byte, kind uint16, value []byte) []byte {
	msg = order.AppendUint16(order.AppendUint16(msg, uint16(4+len(value))), kind)
	msg = append(msg, value...)
	for len(msg)%4 != 0 {
		msg = append(msg, 0)
	}
	return msg
}

func pcapRecord(pcap byteOrder, file, msg []byte) []byte {
	for _, n := range []uint32{0, 0, uint32(cookedSize + len(msg)), uint32(cookedSize + len(msg))} {
		file = pcap.AppendUint32(file, n)
	}
	cooked := make([]byte, cookedSize)
	binary.BigEndian.PutUint16(cooked[14:], protoCrypto)
	return append(append(file, cooked...), msg...)
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
	little, big := byteOrder(binary.LittleEndian), byteOrder(binary.BigEndian)
	for name, file := range map[string][]byte{
		"little endian":                  dump(little, little, 0xa1b2c3d4, xtsEntry, deflateEntry, larvalEntry),
		"big endian machine":             dump(little, big, 0xa1b2c3d4, xtsEntry, deflateEntry, larvalEntry),
		"big endian pcap":                dump(big, little, 0xa1b2c3d4, xtsEntry, deflateEntry, larvalEntry),
		"pcap with times in nanoseconds": dump(little, little, 0xa1b23c4d, xtsEntry, deflateEntry, larvalEntry),
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

func TestNetlinkBroken(t *testing.T) {
	little := byteOrder(binary.LittleEndian)
	whole := dump(little, little, 0xa1b2c3d4, xtsEntry, deflateEntry)
	short := bytes.Clone(whole)
	binary.LittleEndian.PutUint32(short[24+16+cookedSize:], 4) // the length of the first message
	link := bytes.Clone(whole)
	link[20] = 1
	for name, test := range map[string]struct {
		file           []byte
		algs, problems int
		err            string
	}{
		"cut off inside the second record": {whole[:24+16+cookedSize+16+algSize+8+148+60], 1, 0, "record 2"},
		"a message without a length":       {short, 1, 1, ""},
		"ethernet":                         {link, 0, 0, "link type 1"},
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

func FuzzNetlink(f *testing.F) {
	little, big := byteOrder(binary.LittleEndian), byteOrder(binary.BigEndian)
	f.Add(dump(little, little, 0xa1b2c3d4, xtsEntry, larvalEntry))
	f.Add(dump(big, big, 0xa1b23c4d, deflateEntry))
	f.Fuzz(func(t *testing.T, b []byte) {
		algs, _, _ := ParseNetlink(bytes.NewReader(b), "f")
		for _, a := range algs {
			if a.Driver == "" || a.Frame.Frame == 0 {
				t.Errorf("an algorithm without driver or frame: %+v", a)
			}
		}
	})
}

func BenchmarkNetlink(b *testing.B) {
	little := byteOrder(binary.LittleEndian)
	var entries []entry
	for range 200 {
		entries = append(entries, xtsEntry)
	}
	file := dump(little, little, 0xa1b2c3d4, entries...)
	b.SetBytes(int64(len(file)))
	for b.Loop() {
		ParseNetlink(bytes.NewReader(file), "f")
	}
}
