package leak

import (
	"bufio"
	"encoding/binary"
	"errors"
	"io"
	"strconv"
	"strings"
)

// holds is what is in an attribute.
type holds int

const (
	hardware holds = iota + 1 // an address
	function                  // struct ifla_vf_mac: a number, then an address
	switchID                  // of a switch or a port
	serial                    // a text
	nested                    // attributes
)

// linkAttributes are those of a link that tell of a machine, by the way to them
// (include/uapi/linux/if_link.h): IFLA_ADDRESS, IFLA_PERM_ADDRESS,
// IFLA_PHYS_PORT_ID, IFLA_PHYS_SWITCH_ID, and of IFLA_VFINFO_LIST each
// IFLA_VF_MAC.
var linkAttributes = map[string]holds{
	"/1": hardware, "/54": hardware, "/34": switchID, "/36": switchID,
	"/22": nested, "/22/1": nested, "/22/1/1": function,
}

// devlinkAttributes are DEVLINK_ATTR_INFO_SERIAL_NUMBER and
// DEVLINK_ATTR_INFO_BOARD_SERIAL_NUMBER (include/uapi/linux/devlink.h).
var devlinkAttributes = map[string]holds{"/99": serial, "/146": serial}

const (
	newLink      = 16 // RTM_NEWLINK
	linkBytes    = 16 // of struct ifinfomsg
	genericBytes = 4  // of struct genlmsghdr
	generic      = 16 // NETLINK_GENERIC
	controller   = 16 // GENL_ID_CTRL
	maxFrame     = 1 << 20
)

// netlinkDump looks at the addresses of links in a pcap of rtnetlink messages,
// and at the texts in all others.
func netlinkDump(b *bufio.Reader, found func(class, value string, offset int64)) error {
	var head [24]byte
	if _, err := io.ReadFull(b, head[:]); err != nil {
		return short(err)
	}
	var order binary.ByteOrder = binary.LittleEndian
	if binary.BigEndian.Uint32(head[:]) == 0xa1b2c3d4 {
		order = binary.BigEndian
	}
	offset := int64(len(head))
	devlink := uint16(0) // the number of the family, which the controller tells
	for {
		var record [16]byte
		if _, err := io.ReadFull(b, record[:]); err != nil {
			return short(err)
		}
		n := order.Uint32(record[8:])
		if n > maxFrame {
			return nil
		}
		frame := make([]byte, n)
		if _, err := io.ReadFull(b, frame); err != nil {
			return short(err)
		}
		offset += int64(len(record))
		texts(frame, func(at int, text string) {
			tell := func(_ Way, class, value string) { found(class, value, offset+int64(at)) }
			shapes(text, tell)
		})
		const link, header = 16, 16 // of the pcap, of the message
		if len(frame) > link+header+linkBytes {
			kind := order.Uint16(frame[link+4:])
			tell := func(from int, known map[string]holds) {
				identified(frame[from:], order, "", known, func(at int, class, value string) { found(class, value, offset+int64(from+at)) })
			}
			switch protocol := binary.BigEndian.Uint16(frame[link-2:]); {
			case protocol == 0 && kind == newLink:
				tell(link+header+linkBytes, linkAttributes)
			case protocol == generic && kind == controller:
				if number, ok := familyOf(frame[link+header+genericBytes:], order, "devlink"); ok {
					devlink = number
				}
			case protocol == generic && kind == devlink && devlink != 0:
				tell(link+header+genericBytes, devlinkAttributes)
			}
		}
		offset += int64(n)
	}
}

// familyOf returns the number of a family of generic netlink, if the attributes
// of a message of the controller are of the one with that name:
// CTRL_ATTR_FAMILY_ID, CTRL_ATTR_FAMILY_NAME.
func familyOf(data []byte, order binary.ByteOrder, name string) (number uint16, ok bool) {
	attributes(data, order, func(_ int, kind uint16, value []byte) {
		switch {
		case kind == 1 && len(value) == 2:
			number = order.Uint16(value)
		case kind == 2:
			ok = strings.TrimRight(string(value), "\x00") == name
		}
	})
	return number, ok && number != 0
}

// identified tells of the attributes that are known to hold identities, by the
// way to them.
func identified(data []byte, order binary.ByteOrder, way string, known map[string]holds, found func(at int, class, value string)) {
	attributes(data, order, func(at int, kind uint16, value []byte) {
		way := way + "/" + strconv.Itoa(int(kind))
		text := dashed(value)
		switch known[way] {
		case nested:
			identified(value, order, way, known, func(within int, class, value string) { found(at+within, class, value) })
		case function:
			const number, mac = 4, 6
			if len(value) < number+mac {
				return
			}
			at, text = at+number, dashed(value[number:number+mac])
			fallthrough
		case hardware:
			if len(value) >= 6 && !harmlessMAC(text) {
				found(at, "mac", text)
			}
		case switchID:
			if len(value) >= 6 && !harmless(text) {
				found(at, "wwn", text)
			}
		case serial:
			if text = strings.TrimRight(string(value), "\x00"); len(text) > 3 && !harmless(text) {
				found(at, "serial", text)
			}
		}
	})
}

// short is no error: a dump that breaks off was looked at as far as it goes.
func short(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return nil
	}
	return err
}

// attributes walks struct nlattr (include/uapi/linux/netlink.h).
func attributes(data []byte, order binary.ByteOrder, each func(at int, kind uint16, value []byte)) {
	for at := 0; at+4 <= len(data); {
		n := int(order.Uint16(data[at:]))
		if n < 4 || at+n > len(data) {
			return
		}
		each(at+4, order.Uint16(data[at+2:])&0x3fff, data[at+4:at+n])
		at += (n + 3) &^ 3
	}
}

// texts finds runs of printable characters.
func texts(data []byte, each func(at int, text string)) {
	const shortest = 6
	start := 0
	for i := 0; i <= len(data); i++ {
		if i < len(data) && data[i] >= ' ' && data[i] <= '~' {
			continue
		}
		if i-start >= shortest {
			each(start, string(data[start:i]))
		}
		start = i + 1
	}
}
