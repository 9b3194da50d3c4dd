// Package netlink walks the netlink messages of a pcap file of link type
// NETLINK, which is how a capture keeps the answers of the kernel
// (capture/FORMAT.md, "Netlink members").
//
// A message is told apart from its neighbours by its length only, so that
// nothing here follows a pointer or recurses: each byte is looked at a fixed
// number of times.
//
// Sources: https://www.tcpdump.org/linktypes/LINKTYPE_NETLINK.html,
// include/uapi/linux/netlink.h, include/uapi/linux/genetlink.h.
package netlink

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"hwcap/parse/fact"
)

// Protocols of netlink (include/uapi/linux/netlink.h).
const (
	Route   = 0
	Generic = 16
	Crypto  = 21
)

const (
	linkNetlink = 253 // LINKTYPE_NETLINK
	cookedSize  = 16  // the header before each record, big endian; its last two bytes are the protocol
	headerSize  = 16  // struct nlmsghdr
	maxRecord   = 1 << 20
	maxProblems = 100

	msgError  = 2 // NLMSG_ERROR
	msgDone   = 3 // NLMSG_DONE
	flagMulti = 2 // NLM_F_MULTI: part of a dump
)

// Message is one netlink message.
type Message struct {
	Frame    int // the record that it stands in, from 1
	Protocol uint16
	Type     uint16
	Flags    uint16
	Seq      uint32
	Body     []byte // what follows struct nlmsghdr; not valid after the call
	Order    binary.ByteOrder
}

// Walk hands every message of the pcap file r to take, in order. Both byte
// orders of pcap are read, and that of the machine that made the messages is
// told from their lengths.
//
// What take returns is kept as a problem of the record. So is a record that
// makes no sense, and a dump without its end (NLMSG_DONE or NLMSG_ERROR). A
// file that is no such pcap, or that breaks off inside a record, is an error;
// take has then seen what came before.
func Walk(r io.Reader, file string, take func(*Message) error) ([]fact.Problem, error) {
	w := walker{file: file, take: take}
	err := w.records(r)
	if err == nil {
		w.end()
	}
	return w.problems, err
}

type walker struct {
	file     string
	take     func(*Message) error
	problems []fact.Problem
	// The last part of a dump whose end has not come; part is 0 for none.
	part int // its record
	seq  uint32
}

// records reads the records of the file.
func (w *walker) records(r io.Reader) error {
	var header [24]byte
	if _, err := io.ReadFull(r, header[:]); err != nil {
		return fmt.Errorf("read %s: the header of the pcap: %w", w.file, err)
	}
	order, ok := pcapOrder(header[:4])
	if !ok {
		return fmt.Errorf("read %s: not a pcap file", w.file)
	}
	if link := order.Uint32(header[20:]) & 0xffff; link != linkNetlink {
		return fmt.Errorf("read %s: link type %d, want %d (netlink)", w.file, link, linkNetlink)
	}
	var buf []byte
	for frame := 1; ; frame++ {
		var head [16]byte
		if _, err := io.ReadFull(r, head[:]); err != nil {
			if errors.Is(err, io.EOF) {
				return nil
			}
			return fmt.Errorf("read %s: record %d: %w", w.file, frame, err)
		}
		size := order.Uint32(head[8:])
		if size > maxRecord {
			return fmt.Errorf("read %s: record %d says that it has %d bytes", w.file, frame, size)
		}
		if uint32(cap(buf)) < size {
			buf = make([]byte, size)
		}
		buf = buf[:size]
		if _, err := io.ReadFull(r, buf); err != nil {
			if errors.Is(err, io.EOF) {
				err = io.ErrUnexpectedEOF
			}
			return fmt.Errorf("read %s: record %d: %w", w.file, frame, err)
		}
		if whole := order.Uint32(head[12:]); whole > size {
			w.problem(frame, fmt.Sprintf("only %d of its %d bytes were kept", size, whole))
		}
		if err := w.record(buf, order, frame); err != nil {
			w.problem(frame, err.Error())
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

// record reads the netlink messages of one record.
func (w *walker) record(b []byte, order binary.ByteOrder, frame int) error {
	if len(b) < cookedSize {
		return errors.New("shorter than its header")
	}
	m := Message{Frame: frame, Protocol: binary.BigEndian.Uint16(b[14:])}
	for b = b[cookedSize:]; len(b) > 0; {
		size := 0
		m.Order, size = messageOrder(b, order)
		if m.Order == nil {
			return errors.New("the length of a netlink message makes no sense")
		}
		m.Type, m.Flags, m.Seq = m.Order.Uint16(b[4:]), m.Order.Uint16(b[6:]), m.Order.Uint32(b[8:])
		m.Body = b[headerSize:size:size]
		w.follow(&m)
		if err := w.take(&m); err != nil {
			return err
		}
		b = b[min(len(b), aligned(size)):]
	}
	return nil
}

// messageOrder finds the byte order in which the length of the message fits
// into what is there: that of the file, which is the machine's own where hwcap
// wrote it, or the other one.
func messageOrder(b []byte, order binary.ByteOrder) (binary.ByteOrder, int) {
	if len(b) < headerSize {
		return nil, 0
	}
	other := binary.ByteOrder(binary.LittleEndian)
	if order == other {
		other = binary.BigEndian
	}
	for _, o := range []binary.ByteOrder{order, other} {
		if size := o.Uint32(b); size >= headerSize && uint64(size) <= uint64(len(b)) {
			return o, int(size)
		}
	}
	return nil, 0
}

// follow keeps track of dumps. The message that announces a family of generic
// netlink is a part of a dump of which the capture keeps nothing else.
func (w *walker) follow(m *Message) {
	if m.Seq != w.seq {
		w.end()
	}
	switch {
	case m.IsEnd():
		w.part = 0
	case m.Flags&flagMulti != 0 && !m.isController():
		w.part, w.seq = m.Frame, m.Seq
	}
}

// end notes a dump whose end has not come.
func (w *walker) end() {
	if w.part != 0 {
		w.problem(w.part, "the dump breaks off behind it")
		w.part = 0
	}
}

func (w *walker) problem(frame int, text string) {
	if len(w.problems) < maxProblems {
		w.problems = append(w.problems, fact.Problem{File: w.file, Line: frame, Text: fmt.Sprintf("record %d: %s", frame, text)})
	}
}

// aligned rounds up to four bytes (NLMSG_ALIGN, NLA_ALIGN).
func aligned(size int) int { return (size + 3) &^ 3 }
