// Package netlinktest makes pcap files of netlink messages for tests, in any
// byte order.
package netlinktest

import "encoding/binary"

// Order is a byte order.
type Order interface {
	binary.ByteOrder
	binary.AppendByteOrder
}

// Byte orders.
var (
	Little Order = binary.LittleEndian
	Big    Order = binary.BigEndian
)

// File is a pcap file in the making.
type File struct {
	Bytes    []byte
	Protocol uint16 // of the messages to come
	Seq      uint32 // of the messages to come

	pcap, machine Order
}

// New begins a file of link type NETLINK: its records in the order pcap, the
// messages in that of the machine that was asked.
func New(pcap, machine Order, protocol uint16) *File {
	f := &File{Protocol: protocol, Seq: 1, pcap: pcap, machine: machine}
	f.Bytes = pcap.AppendUint32(nil, 0xa1b2c3d4)
	f.Bytes = pcap.AppendUint16(pcap.AppendUint16(f.Bytes, 2), 4)
	for _, n := range []uint32{0, 0, 1 << 18, 253} {
		f.Bytes = pcap.AppendUint32(f.Bytes, n)
	}
	return f
}

// Record appends a record of one or more messages.
func (f *File) Record(messages ...[]byte) *File {
	size := 16
	for _, m := range messages {
		size += len(m)
	}
	for _, n := range []uint32{0, 0, uint32(size), uint32(size)} {
		f.Bytes = f.pcap.AppendUint32(f.Bytes, n)
	}
	header := make([]byte, 16)
	binary.BigEndian.PutUint16(header[2:], 824) // ARPHRD_NETLINK
	binary.BigEndian.PutUint16(header[14:], f.Protocol)
	f.Bytes = append(f.Bytes, header...)
	for _, m := range messages {
		f.Bytes = append(f.Bytes, m...)
	}
	return f
}

// Message makes a part of a dump.
func (f *File) Message(kind uint16, body ...[]byte) []byte {
	return f.message(kind, 2, body...) // NLM_F_MULTI
}

func (f *File) message(kind, flags uint16, body ...[]byte) []byte {
	msg := make([]byte, 16)
	for _, b := range body {
		msg = append(msg, b...)
	}
	f.machine.PutUint32(msg, uint32(len(msg)))
	f.machine.PutUint16(msg[4:], kind)
	f.machine.PutUint16(msg[6:], flags)
	f.machine.PutUint32(msg[8:], f.Seq)
	return msg
}

// Generic makes a part of a dump of a family of generic netlink.
func (f *File) Generic(family uint16, command uint8, attributes ...[]byte) []byte {
	return f.Message(family, append([][]byte{{command, 1, 0, 0}}, attributes...)...)
}

// Family appends the message that announces a family of generic netlink.
func (f *File) Family(name string, number uint16) *File {
	return f.Record(f.Generic(16, 1, f.Attr(2, []byte(name+"\x00")), f.Attr(1, f.machine.AppendUint16(nil, number))))
}

// Done appends the end of a dump.
func (f *File) Done() *File {
	f.Record(f.message(3, 2, make([]byte, 4)))
	f.Seq++
	return f
}

// Refuse appends the kernel's error to a request; the request is repeated
// behind it, as the kernel does, where it is not nil.
func (f *File) Refuse(errno int32, request []byte) *File {
	f.Record(f.message(2, 0, f.U32(uint32(-errno)), request))
	f.Seq++
	return f
}

// Attr makes an attribute.
func (f *File) Attr(kind uint16, value ...[]byte) []byte {
	a := make([]byte, 4)
	for _, v := range value {
		a = append(a, v...)
	}
	f.machine.PutUint16(a, uint16(len(a)))
	f.machine.PutUint16(a[2:], kind)
	for len(a)%4 != 0 {
		a = append(a, 0)
	}
	return a
}

// Text makes an attribute of a string.
func (f *File) Text(kind uint16, s string) []byte { return f.Attr(kind, []byte(s+"\x00")) }

// U32 makes the bytes of a number.
func (f *File) U32(n uint32) []byte { return f.machine.AppendUint32(nil, n) }

// U64 makes the bytes of a number.
func (f *File) U64(n uint64) []byte { return f.machine.AppendUint64(nil, n) }
