package capture

import (
	"encoding/binary"
	"io"
	"time"
)

// Constants of the pcap file format and of link type NETLINK
// (https://www.tcpdump.org/linktypes/LINKTYPE_NETLINK.html).
const (
	pcapMagic     = 0xa1b2c3d4 // microseconds, in the byte order of the writer
	linkTypeNL    = 253
	arphrdNetlink = 824
	packetHost    = 0
	snapLength    = 256 << 10
)

// pcapWriter writes netlink messages as a pcap file, one a record. Fields of
// the file are in the byte order of this machine, as netlink itself is; only
// the 16 bytes of link header in front of each message are big-endian.
type pcapWriter struct {
	w   io.Writer
	now func() time.Time
}

// header writes the start of the file.
func (p pcapWriter) header() error {
	h := make([]byte, 24)
	ne := binary.NativeEndian
	ne.PutUint32(h[0:], pcapMagic)
	ne.PutUint16(h[4:], 2) // version 2.4
	ne.PutUint16(h[6:], 4)
	ne.PutUint32(h[16:], snapLength)
	ne.PutUint32(h[20:], linkTypeNL)
	_, err := p.w.Write(h)
	return err
}

// message writes one record: msg, beginning with its struct nlmsghdr, of the
// netlink protocol (NETLINK_ROUTE, ...).
func (p pcapWriter) message(protocol uint16, msg []byte) error {
	const linkHeader = 16
	rec := make([]byte, 16+linkHeader, 16+linkHeader+len(msg))
	ne := binary.NativeEndian
	now := p.now()
	ne.PutUint32(rec[0:], uint32(now.Unix()))
	ne.PutUint32(rec[4:], uint32(now.Nanosecond()/1000))
	ne.PutUint32(rec[8:], uint32(linkHeader+len(msg)))
	ne.PutUint32(rec[12:], uint32(linkHeader+len(msg)))
	be := binary.BigEndian
	be.PutUint16(rec[16:], packetHost)
	be.PutUint16(rec[18:], arphrdNetlink)
	be.PutUint16(rec[30:], protocol) // ten unused bytes before it
	_, err := p.w.Write(append(rec, msg...))
	return err
}
