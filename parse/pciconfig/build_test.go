package pciconfig_test

import "encoding/binary"

// config is a configuration space in the making: a header, and capabilities
// chained one behind the other.
type config struct {
	bytes   []byte
	last    int // pointer to the next capability
	next    int // free place for one
	lastExt int
	nextExt int
}

// newConfig returns a function of 4096 bytes with the header type kind: vendor
// 1234, device 5678, class 0b40.
func newConfig(kind byte) *config {
	c := &config{bytes: make([]byte, 4096), last: 0x34, next: 0x40, nextExt: 0x100}
	c.put16(0x00, 0x1234, 0x5678)
	c.put16(0x0a, 0x0b40)
	c.bytes[0x0e] = kind
	if kind == 2 {
		c.last, c.next = 0x14, 0x48
	}
	return c
}

func (c *config) put8(at int, values ...byte) *config {
	copy(c.bytes[at:], values)
	return c
}

func (c *config) put16(at int, values ...uint16) *config {
	for i, v := range values {
		binary.LittleEndian.PutUint16(c.bytes[at+2*i:], v)
	}
	return c
}

func (c *config) put32(at int, values ...uint32) *config {
	for i, v := range values {
		binary.LittleEndian.PutUint32(c.bytes[at+4*i:], v)
	}
	return c
}

// capability adds one of size bytes, and returns where it stands.
func (c *config) capability(id byte, size int) int {
	c.bytes[0x06] |= 0x10
	at := c.next
	c.bytes[c.last], c.bytes[at] = byte(at), id
	c.last, c.next = at+1, at+(size+3)&^3
	return at
}

// express adds a PCI Express capability of a version and type.
func (c *config) express(version, kind uint16) int {
	at := c.capability(0x10, 0x3c)
	c.put16(at+2, version|kind<<4)
	return at
}

// extension adds an extended capability of size bytes.
func (c *config) extension(id uint16, size int) int {
	at := c.nextExt
	if c.lastExt != 0 {
		c.bytes[c.lastExt+2] |= byte(at<<4) & 0xf0
		c.bytes[c.lastExt+3] = byte(at >> 4)
	}
	c.put16(at, id, 1)
	c.lastExt, c.nextExt = at, at+(size+3)&^3
	return at
}

// The types of a PCI Express function.
const (
	typeEndpoint   = 0x0
	typeRootPort   = 0x4
	typeUpstream   = 0x5
	typeDownstream = 0x6
	typeToPCI      = 0x7
	typeIntegrated = 0x9
	typeCollector  = 0xa
)
