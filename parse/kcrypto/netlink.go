package kcrypto

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"hwcap/parse/fact"
)

const (
	linkNetlink = 253 // LINKTYPE_NETLINK
	cookedSize  = 16  // the header before each message, big endian; its last two bytes are the protocol
	protoCrypto = 21  // NETLINK_CRYPTO
	maxRecord   = 1 << 20

	msgNewAlg = 0x10 // CRYPTO_MSG_NEWALG
	msgGetAlg = 0x13 // CRYPTO_MSG_GETALG: what the kernel answers a dump with
	msgError  = 2
	msgDone   = 3

	algSize   = 208 // struct crypto_user_alg
	nameSize  = 64  // CRYPTO_MAX_NAME, to which netlink cuts names
	attrValue = 1   // CRYPTOCFGA_PRIORITY_VAL
)

// reports are the attributes that describe a type: what their numbers are, by
// byte offset behind the 64 bytes of the type's name (struct crypto_report_*,
// include/uapi/linux/cryptouser.h).
var reports = map[uint16]map[int]string{
	2: {},                                                                        // larval
	3: {64: "blocksize", 68: "digestsize"},                                       // hash
	4: {128: "blocksize", 132: "min keysize", 136: "max keysize", 140: "ivsize"}, // skcipher
	5: {128: "blocksize", 132: "maxauthsize", 136: "ivsize"},                     // aead
	6: {},                                                                        // compression
	7: {64: "seedsize"},                                                          // rng
	8: {64: "blocksize", 68: "min keysize", 72: "max keysize"},                   // cipher
	9: {}, 10: {}, 11: {}, 22: {},                                                // akcipher, kpp, acomp, sig
}

// types are the names of the type bits for replies without a report. The kernel
// renumbered them twice; here they are as of 6.8 and later.
var types = map[uint32]string{
	0x1: "cipher", 0x3: "aead", 0x4: "lskcipher", 0x5: "skcipher", 0x6: "akcipher", 0x7: "sig", 0x8: "kpp",
	0xa: "acomp", 0xb: "scomp", 0xc: "rng", 0xe: "shash", 0xf: "ahash",
}

// flags are the bits of cra_flags above the type (include/linux/crypto.h).
var flags = []struct {
	bit  uint32
	name string
}{
	{0x10, "LARVAL"}, {0x20, "DEAD"}, {0x40, "DYING"}, {0x80, "ASYNC"}, {0x100, "NEED_FALLBACK"}, {0x200, "DUP_FIRST"},
	{0x400, "TESTED"}, {0x800, "INSTANCE"}, {0x1000, "KERN_DRIVER_ONLY"}, {0x2000, "INTERNAL"}, {0x4000, "OPTIONAL_KEY"},
	{0x8000, "NOLOAD"}, {AllocatesMemory, "ALLOCATES_MEMORY"}, {0x20000, "FIPS_INTERNAL"}, {0x40000, "REQ_VIRT"}, {0x80000, "NO_FALLBACK"},
}

const (
	larval   = 0x10
	dying    = 0x40
	async    = 0x80
	tested   = 0x400
	internal = 0x2000
)

// AllocatesMemory is CRYPTO_ALG_ALLOCATES_MEMORY: the implementation may
// allocate memory while it works, so that whoever writes out memory must not use
// it. dm-crypt and dm-integrity mask it.
const AllocatesMemory = 0x10000

// FlagNames returns the names of the bits in cra_flags, type bits left out, in
// the order of the bits. A bit without a name here is given in hexadecimal.
func FlagNames(cra uint32) []string {
	var names []string
	rest := cra &^ 0xf
	for _, f := range flags {
		if rest&f.bit != 0 {
			names = append(names, f.name)
			rest &^= f.bit
		}
	}
	for bit := uint32(1); bit != 0; bit <<= 1 {
		if rest&bit != 0 {
			names = append(names, fmt.Sprintf("0x%08x", bit))
		}
	}
	return names
}

// ParseNetlink reads a dump of NETLINK_CRYPTO as pcap, link type NETLINK, one or
// more netlink messages a record, in the kernel's order. Both byte orders of
// pcap are read, and that of the target's netlink messages is told from their
// lengths. Frame of each algorithm is the record's number, from 1. A record that
// makes no sense gives a problem. On a cut-off file the algorithms before the
// cut are returned with the error.
func ParseNetlink(r io.Reader, file string) ([]fact.Algorithm, []fact.Problem, error) {
	var all []fact.Algorithm
	var problems []fact.Problem
	var header [24]byte
	if _, err := io.ReadFull(r, header[:]); err != nil {
		return nil, nil, fmt.Errorf("read %s: the header of the pcap: %w", file, err)
	}
	order, ok := pcapOrder(header[:4])
	if !ok {
		return nil, nil, fmt.Errorf("read %s: not a pcap file", file)
	}
	if link := order.Uint32(header[20:]) & 0xffff; link != linkNetlink {
		return nil, nil, fmt.Errorf("read %s: link type %d, want %d (netlink)", file, link, linkNetlink)
	}
	var buf []byte
	for frame := 1; ; frame++ {
		var head [16]byte
		if _, err := io.ReadFull(r, head[:]); err != nil {
			if errors.Is(err, io.EOF) {
				return all, problems, nil
			}
			return all, problems, fmt.Errorf("read %s: record %d: %w", file, frame, err)
		}
		size := order.Uint32(head[8:])
		if size > maxRecord {
			return all, problems, fmt.Errorf("read %s: record %d says that it has %d bytes", file, frame, size)
		}
		if uint32(cap(buf)) < size {
			buf = make([]byte, size)
		}
		buf = buf[:size]
		if _, err := io.ReadFull(r, buf); err != nil {
			return all, problems, fmt.Errorf("read %s: record %d: %w", file, frame, err)
		}
		algs, problem := record(buf, file, frame)
		all = append(all, algs...)
		if len(all) > maxAlgorithms {
			return all[:maxAlgorithms], problems, fmt.Errorf("read %s: more than %d algorithms", file, maxAlgorithms)
		}
		if problem != "" && len(problems) < maxProblems {
			problems = append(problems, fact.Problem{File: file, Line: frame, Text: fmt.Sprintf("record %d: %s", frame, problem)})
		}
	}
}

// pcapOrder tells the byte order by the magic number, that of microseconds or
// that of nanoseconds.
func pcapOrder(magic []byte) (binary.ByteOrder, bool) {
	for _, order := range []binary.ByteOrder{binary.LittleEndian, binary.BigEndian} {
		if m := order.Uint32(magic); m == 0xa1b2c3d4 || m == 0xa1b23c4d {
			return order, true
		}
	}
	return nil, false
}

// record reads the netlink messages of one record, in the byte order of the
// machine that made them.
func record(b []byte, file string, frame int) ([]fact.Algorithm, string) {
	if len(b) < cookedSize {
		return nil, "shorter than its header"
	}
	if proto := binary.BigEndian.Uint16(b[14:]); proto != protoCrypto {
		return nil, "" // another family in the same file
	}
	b = b[cookedSize:]
	var algs []fact.Algorithm
	for len(b) > 0 {
		order, size := messageOrder(b)
		if order == nil {
			return algs, "the length of a netlink message makes no sense"
		}
		switch kind := order.Uint16(b[4:]); kind {
		case msgNewAlg, msgGetAlg:
			if a, ok := algorithm(b[16:size], order); ok {
				a.Frame = fact.Line{File: file, Frame: frame, Text: describe(a)}
				a.Flags.At = a.Frame
				algs = append(algs, a)
			} else if size > 16 && order.Uint16(b[6:])&1 == 0 { // a request may be bare
				return algs, "a message is too short for an algorithm"
			}
		case msgError:
			if size >= 20 {
				if code := int32(order.Uint32(b[16:])); code != 0 {
					return algs, fmt.Sprintf("the kernel answered with error %d", code)
				}
			}
		}
		b = b[min(len(b), (size+3)&^3):]
	}
	return algs, ""
}

// messageOrder finds the byte order in which the length of the message fits into
// what is there.
func messageOrder(b []byte) (binary.ByteOrder, int) {
	if len(b) < 16 {
		return nil, 0
	}
	for _, order := range []binary.ByteOrder{binary.LittleEndian, binary.BigEndian} {
		if size := order.Uint32(b); size >= 16 && uint64(size) <= uint64(len(b)) {
			return order, int(size)
		}
	}
	return nil, 0
}

// algorithm reads struct crypto_user_alg and the attributes behind it.
func algorithm(b []byte, order binary.ByteOrder) (fact.Algorithm, bool) {
	if len(b) < algSize || b[0] == 0 {
		return fact.Algorithm{}, false
	}
	cra := order.Uint32(b[204:])
	a := fact.Algorithm{
		Name:      text(b[:nameSize]),
		Driver:    text(b[nameSize : 2*nameSize]),
		Module:    text(b[2*nameSize : 3*nameSize]),
		RefCount:  int(order.Uint32(b[200:])),
		Flags:     fact.Of(cra, fact.Line{}),
		FlagNames: FlagNames(cra),
		Internal:  cra&internal != 0,
		SelfTest:  "unknown",
		Type:      types[cra&0xf],
	}
	if cra&tested != 0 {
		a.SelfTest = "passed"
	}
	isAsync := cra&async != 0
	a.Async = &isAsync
	for b = b[algSize:]; len(b) >= 4; {
		size, kind := int(order.Uint16(b)), order.Uint16(b[2:])
		if size < 4 || size > len(b) {
			break
		}
		value := b[4:size]
		if kind == attrValue && len(value) >= 4 {
			a.Priority = int(int32(order.Uint32(value)))
		}
		if numbers, ok := reports[kind]; ok && len(value) >= nameSize {
			a.Type = text(value[:nameSize])
			for offset, name := range numbers {
				if offset+4 > len(value) {
					continue
				}
				if a.Attributes == nil {
					a.Attributes = map[string]int{}
				}
				a.Attributes[name] = int(order.Uint32(value[offset:]))
			}
		}
		b = b[min(len(b), (size+3)&^3):]
	}
	return a, a.Driver != ""
}

// describe is the text of the evidence: what the binary record says.
func describe(a fact.Algorithm) string {
	return fmt.Sprintf("%s %s priority=%d flags=0x%08x", a.Name, a.Driver, a.Priority, a.Flags.V)
}

// text reads a C string.
func text(b []byte) string {
	if end := bytes.IndexByte(b, 0); end >= 0 {
		b = b[:end]
	}
	return string(b)
}
