package redact

import (
	"bytes"
	"encoding/binary"
	"io"
	"slices"
)

const (
	pcapHeader   = 24
	pcapRecord   = 16
	pcapMost     = 1 << 20 // bytes of a record
	linkNetlink  = 253     // LINKTYPE_NETLINK
	cookedHeader = 16      // before each message, big endian; its last two bytes are the protocol

	protocolRoute   = 0
	protocolGeneric = 16
	newLink         = 16 // RTM_NEWLINK
	controller      = 16 // GENL_ID_CTRL
)

// pcap copies a file of netlink messages, each as long as it was. What is no
// such file is swept as bytes.
func (r *Redactor) pcap(dst io.Writer, src io.Reader) error {
	var header [pcapHeader]byte
	n, err := io.ReadFull(src, header[:])
	order := pcapOrder(header[:4])
	if err != nil || order == nil || order.Uint32(header[20:])&0xffff != linkNetlink {
		return r.bytes(dst, io.MultiReader(bytes.NewReader(header[:n]), src))
	}
	if err := r.send(dst, header[:]); err != nil {
		return err
	}
	families := map[uint16]attributes{}
	var buf []byte
	for frame := 1; ; frame++ {
		var head [pcapRecord]byte
		n, err := io.ReadFull(src, head[:])
		size := order.Uint32(head[8:])
		if err != nil || size > pcapMost { // the end, or what breaks off
			return r.bytes(dst, io.MultiReader(bytes.NewReader(head[:n]), src))
		}
		if uint32(cap(buf)) < size {
			buf = make([]byte, size)
		}
		buf = buf[:size]
		n, err = io.ReadFull(src, buf)
		if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
			return err
		}
		w := record{r: r, order: order, at: place{frame: frame}, families: families}
		w.read(buf[:n])
		if err := r.send(dst, head[:]); err != nil {
			return err
		}
		if err := r.send(dst, buf[:n]); err != nil {
			return err
		}
	}
}

// send writes what is rewritten; learning writes nothing.
func (r *Redactor) send(dst io.Writer, b []byte) error {
	if r.learning {
		return nil
	}
	_, err := dst.Write(b)
	return err
}

func pcapOrder(magic []byte) binary.ByteOrder {
	for _, order := range []binary.ByteOrder{binary.LittleEndian, binary.BigEndian} {
		if m := order.Uint32(magic); m == 0xa1b2c3d4 || m == 0xa1b23c4d {
			return order
		}
	}
	return nil
}

// record is one record of a pcap.
type record struct {
	r        *Redactor
	order    binary.ByteOrder
	at       place
	families map[uint16]attributes
}

// read replaces identities in the messages of a record.
func (w *record) read(b []byte) {
	if len(b) < cookedHeader {
		return
	}
	protocol := binary.BigEndian.Uint16(b[14:])
	for rest := b[cookedHeader:]; len(rest) >= 16; {
		size := int(w.order.Uint32(rest))
		if size < 16 || size > len(rest) {
			break
		}
		kind, body := w.order.Uint16(rest[4:]), rest[16:size]
		switch {
		case protocol == protocolRoute && kind == newLink && len(body) > 16: // struct ifinfomsg
			w.walk(body[16:], linkAttributes)
		case protocol == protocolGeneric && len(body) > 4: // struct genlmsghdr
			if kind == controller {
				w.family(body[4:])
			}
			w.walk(body[4:], w.families[kind])
		}
		rest = rest[min(len(rest), (size+3)&^3):]
	}
	if !w.r.learning {
		w.r.sweeper().replace(b, func(_ int, class Class) { w.r.note(w.at, class) })
	}
}

// family notes by which number a family is called.
func (w *record) family(b []byte) {
	var number uint16
	var name string
	w.each(b, func(kind uint16, value []byte) {
		switch {
		case kind == 1 && len(value) == 2: // CTRL_ATTR_FAMILY_ID
			number = w.order.Uint16(value)
		case kind == 2: // CTRL_ATTR_FAMILY_NAME
			name = string(bytes.TrimRight(value, "\x00"))
		}
	})
	if known := genericAttributes[name]; known != nil && number != controller {
		w.families[number] = known
	}
}

// each hands the attributes of a row to do: struct nlattr, a length and a type,
// then the value, the next one aligned to four bytes.
func (w *record) each(b []byte, do func(kind uint16, value []byte)) {
	for len(b) >= 4 {
		size := int(w.order.Uint16(b))
		if size < 4 || size > len(b) {
			return
		}
		do(w.order.Uint16(b[2:])&0x3fff, b[4:size])
		b = b[min(len(b), (size+3)&^3):]
	}
}

// walk replaces identities in a row of attributes.
func (w *record) walk(b []byte, row attributes) {
	if row == nil {
		return
	}
	var link string // IFLA_INFO_KIND, which says what the data beside it is
	w.each(b, func(kind uint16, value []byte) {
		a, ok := row[kind]
		if !ok {
			if a, ok = row[anyType]; !ok {
				return
			}
		}
		switch a.holds {
		case nested:
			w.walk(value, a.within)
		case linkKind:
			link = string(bytes.TrimRight(value, "\x00"))
		case linkData:
			w.walk(value, a.byKind[link])
		default:
			w.value(value, a.holds)
		}
	})
}

// value replaces the value of an attribute.
func (w *record) value(b []byte, holds holding) {
	r := w.r
	switch holds {
	case hardware, bridgeID, vfMAC:
		switch {
		case holds == hardware && len(b) == 4: // of a tunnel, as is the next
			w.value(b, address4)
			return
		case holds == hardware && len(b) == 16:
			w.value(b, address6)
			return
		case holds == bridgeID && len(b) == 8: // a priority before it
			b = b[2:]
		case holds == vfMAC && len(b) >= 10: // struct ifla_vf_mac: a number before it
			b = b[4:10]
		}
		if len(b) == 6 {
			w.mac(b)
		} else if len(b) > 6 { // InfiniBand
			w.long(b[max(0, len(b)-8):])
		}
	case octetID:
		w.long(b)
	case vfGUID: // struct ifla_vf_guid: a number before it, in the order of the processor
		if len(b) == 16 {
			guid := b[8:]
			if w.order == binary.LittleEndian {
				slices.Reverse(guid)
				defer slices.Reverse(guid)
			}
			w.long(guid)
		}
	case serialText:
		number := bytes.TrimRight(b, "\x00")
		t := &text{r: r, rules: labels}
		copy(number, t.serialInPlace(number, w))
	case nameText:
		name := bytes.TrimRight(b, "\x00")
		if r.learning {
			t := &text{r: r, line: name}
			t.scan()
			return
		}
		if with := r.Name(string(name)); len(with) == len(name) && with != string(name) {
			copy(name, with)
			r.note(w.at, MAC)
		}
	case address4:
		if len(b) == 4 && !isPlainIPv4([4]byte(b)) && !r.learning {
			pseudo := r.key.ipv4([4]byte(b))
			copy(b, pseudo[:])
			r.note(w.at, IPv4)
		}
	case address6:
		if len(b) == 16 && !isPlainIPv6([16]byte(b)) && !r.learning {
			pseudo := r.key.ipv6([16]byte(b))
			copy(b, pseudo[:])
			r.note(w.at, IPv6)
		}
	}
}

func (w *record) mac(b []byte) {
	mac := [6]byte(b)
	if isPlainMAC(mac) || isPseudoMAC(mac) {
		return
	}
	if w.r.learning {
		w.r.known.mac(mac)
		return
	}
	pseudo := w.r.key.mac(mac)
	copy(b, pseudo[:])
	w.r.note(w.at, MAC)
}

// long replaces an identity of other than six octets: of a port, a switch, an
// InfiniBand card.
func (w *record) long(b []byte) {
	if len(b) == 6 {
		w.mac(b)
		return
	}
	digits := hexDigits(b)
	if w.r.learning {
		return
	}
	if pseudo, ok := w.r.hexID(digits); ok {
		octets(b[:0], pseudo, 0)
		w.r.note(w.at, WWN)
	}
}
