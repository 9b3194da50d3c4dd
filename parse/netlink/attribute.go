package netlink

import (
	"bytes"
	"encoding/binary"
	"strings"
	"unicode/utf8"
)

const (
	attributeSize = 4      // struct nlattr
	typeMask      = 0x3fff // NLA_TYPE_MASK: without NLA_F_NESTED and NLA_F_NET_BYTEORDER
)

// Attributes reads a row of struct nlattr:
//
//	for a := m.Attributes(m.Body); a.Next(); {
//		switch a.Type { ... }
//	}
//
// A nested row is read by [Attributes.Nested]. An attribute whose length makes
// no sense ends the row.
type Attributes struct {
	Type  uint16 // without the flags
	Value []byte

	order binary.ByteOrder
	rest  []byte
}

// Attributes returns the row of attributes in b, a part of the body.
func (m *Message) Attributes(b []byte) *Attributes {
	return &Attributes{order: m.Order, rest: b}
}

// Nested returns the row that the value of the attribute is.
func (a *Attributes) Nested() *Attributes {
	return &Attributes{order: a.order, rest: a.Value}
}

// Next goes to the next attribute and reports whether there is one.
func (a *Attributes) Next() bool {
	if len(a.rest) < attributeSize {
		return false
	}
	size := int(a.order.Uint16(a.rest))
	if size < attributeSize || size > len(a.rest) {
		a.rest = nil
		return false
	}
	a.Type = a.order.Uint16(a.rest[2:]) & typeMask
	a.Value = a.rest[attributeSize:size:size]
	a.rest = a.rest[min(len(a.rest), aligned(size)):]
	return true
}

// Uint8 returns the value as a number, and whether it is as long as one; so do
// the following.
func (a *Attributes) Uint8() (uint8, bool) {
	if len(a.Value) < 1 {
		return 0, false
	}
	return a.Value[0], true
}

func (a *Attributes) Uint32() (uint32, bool) {
	if len(a.Value) < 4 {
		return 0, false
	}
	return a.order.Uint32(a.Value), true
}

// Uint64 reads a number of 64 bits.
func (a *Attributes) Uint64() (uint64, bool) {
	if len(a.Value) < 8 {
		return 0, false
	}
	return a.order.Uint64(a.Value), true
}

// Text returns the value as a string, up to its first zero byte, and whether it
// is one of 1 to most bytes.
func (a *Attributes) Text(most int) (string, bool) {
	s := a.Value
	if end := bytes.IndexByte(s, 0); end >= 0 {
		s = s[:end]
	}
	if len(s) == 0 || len(s) > most {
		return "", false
	}
	return Text(s), true
}

// Text returns a name from a message, up to its first zero byte. The kernel
// does not promise UTF-8.
func Text(b []byte) string {
	if end := bytes.IndexByte(b, 0); end >= 0 {
		b = b[:end]
	}
	if !utf8.Valid(b) {
		return strings.ToValidUTF8(string(b), "\uFFFD")
	}
	return string(b)
}
