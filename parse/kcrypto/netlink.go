package kcrypto

import (
	"errors"
	"fmt"
	"io"

	"hwcap/parse/fact"
	"hwcap/parse/netlink"
)

const (
	msgNewAlg = 0x10 // CRYPTO_MSG_NEWALG
	msgGetAlg = 0x13 // CRYPTO_MSG_GETALG: what the kernel answers a dump with

	algSize   = 208 // struct crypto_user_alg
	nameSize  = 64  // CRYPTO_MAX_NAME, to which netlink cuts names
	attrValue = 1   // CRYPTOCFGA_PRIORITY_VAL
)

// number is one of the numbers in a report, by its place in bytes.
type number struct {
	at   int
	name string
}

// reports are the attributes that describe a type, CRYPTOCFGA_REPORT_*: a
// structure that begins with 64 bytes of the type's name (struct
// crypto_report_*, include/uapi/linux/cryptouser.h). Numbers 12 to 21 are
// statistics, which no kernel puts into a dump.
var reports = map[uint16][]number{
	2:  nil,                                                                               // larval
	3:  {{64, "blocksize"}, {68, "digestsize"}},                                           // hash: ahash, shash
	4:  {{128, "blocksize"}, {132, "min keysize"}, {136, "max keysize"}, {140, "ivsize"}}, // blkcipher: skcipher, lskcipher, ablkcipher, ...
	5:  {{128, "blocksize"}, {132, "maxauthsize"}, {136, "ivsize"}},                       // aead
	6:  nil,                                                                               // compression: scomp as well
	7:  {{64, "seedsize"}},                                                                // rng
	8:  {{64, "blocksize"}, {68, "min keysize"}, {72, "max keysize"}},                     // cipher
	9:  nil,                                                                               // akcipher
	10: nil,                                                                               // kpp
	11: nil,                                                                               // acomp
	22: nil,                                                                               // sig
}

// ParseNetlink reads a dump of NETLINK_CRYPTO as pcap (see [netlink.Walk]), in
// the kernel's order. Frame of each algorithm is the record's number, from 1. A
// record that makes no sense gives a problem. On a cut-off file the algorithms
// before the cut are returned with the error.
func ParseNetlink(r io.Reader, file string) ([]fact.Algorithm, []fact.Problem, error) {
	var all []fact.Algorithm
	full := false
	problems, err := netlink.Walk(r, file, func(m *netlink.Message) error {
		if m.Protocol != netlink.Crypto { // another family in the same file
			return nil
		}
		if errno, refused := m.Refusal(); refused {
			return fmt.Errorf("the kernel answered with error %d", errno)
		}
		if m.Type != msgNewAlg && m.Type != msgGetAlg || m.IsRequest() {
			return nil
		}
		a, err := algorithm(m)
		switch {
		case err != nil:
			return err
		case len(all) == maxAlgorithms && full:
			return nil
		case len(all) == maxAlgorithms:
			full = true
			return fmt.Errorf("more than %d algorithms", maxAlgorithms)
		}
		a.Frame = fact.Line{File: file, Frame: m.Frame, Text: describe(a)}
		a.Flags.At = a.Frame
		all = append(all, a)
		return nil
	})
	nameTypes(all)
	age := ageOf(all)
	for i := range all {
		all[i].FlagNames = flagNames(all[i].Flags.V, all[i].Type, age)
	}
	return all, problems, err
}

// algorithm reads struct crypto_user_alg and the attributes behind it.
func algorithm(m *netlink.Message) (fact.Algorithm, error) {
	b := m.Body
	if len(b) < algSize {
		return fact.Algorithm{}, errors.New("a message is too short for an algorithm")
	}
	cra := m.Order.Uint32(b[204:])
	a := fact.Algorithm{
		Name:     netlink.Text(b[:nameSize]),
		Driver:   netlink.Text(b[nameSize : 2*nameSize]),
		Module:   netlink.Text(b[2*nameSize : 3*nameSize]),
		RefCount: int(m.Order.Uint32(b[200:])),
		Flags:    fact.Of(cra, fact.Line{}),
		Internal: cra&internal != 0,
		SelfTest: "unknown",
	}
	// A larval that stands for a look-up, not for a test, has no driver.
	if a.Name == "" || a.Driver == "" && cra&larval == 0 {
		return fact.Algorithm{}, errors.New("an algorithm without a name or driver")
	}
	if cra&tested != 0 {
		a.SelfTest = "passed"
	}
	isAsync := cra&async != 0
	a.Async = &isAsync
	for attr := m.Attributes(b[algSize:]); attr.Next(); {
		if value, ok := attr.Uint32(); ok && attr.Type == attrValue {
			a.Priority = int(int32(value))
			continue
		}
		numbers, ok := reports[attr.Type]
		if !ok || len(attr.Value) < nameSize {
			continue
		}
		a.Type = netlink.Text(attr.Value[:nameSize])
		for _, n := range numbers {
			if len(attr.Value) < n.at+4 {
				break
			}
			if a.Attributes == nil {
				a.Attributes = make(map[string]int, len(numbers))
			}
			a.Attributes[n.name] = int(m.Order.Uint32(attr.Value[n.at:]))
		}
	}
	return a, nil
}

// describe is the text of the evidence: what the binary record says.
func describe(a fact.Algorithm) string {
	return fmt.Sprintf("%s %s priority=%d flags=0x%08x", a.Name, a.Driver, a.Priority, a.Flags.V)
}
