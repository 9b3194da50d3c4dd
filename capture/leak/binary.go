package leak

import (
	"bufio"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"io"
	"strings"
)

// configSpace looks at the Device Serial Number in a function's configuration
// space: extended capability 3 (PCI Express base specification, 7.9.3).
func configSpace(data []byte, found func(class, value string, offset int)) {
	const first, idSerial, step = 0x100, 3, 4
	at := first
	for hops := 0; at >= first && at+12 <= len(data) && hops < (4096-first)/step; hops++ {
		header := binary.LittleEndian.Uint32(data[at:])
		if header == 0 || header == 0xffffffff {
			return
		}
		if header&0xffff == idSerial {
			serial := make([]byte, 8) // most significant byte first
			for i := range serial {
				serial[i] = data[at+11-i]
			}
			text := dashed(serial)
			if d := hexOf(text); !isPseudoEUI(d) && !isBlank(d) {
				found("pcie-serial", text, at+4)
			}
		}
		at = int(header >> 20 &^ 3)
	}
}

func dashed(b []byte) string {
	var parts []string
	for _, c := range b {
		parts = append(parts, hex.EncodeToString([]byte{c}))
	}
	return strings.Join(parts, "-")
}

// hexRows collects the rows of lspci -x: an offset, a colon, sixteen bytes.
type hexRows struct {
	data []byte
}

func (h *hexRows) line(line string, found hit) {
	offset, row, ok := strings.Cut(line, ": ")
	if ok && len(row) == 47 && len(offset) >= 2 && len(offset) <= 3 {
		want := len(h.data)
		raw, err := hex.DecodeString(strings.ReplaceAll(row, " ", ""))
		if err == nil && hexRun(offset) == len(offset) {
			if offset == "00" {
				h.data, want = h.data[:0], 0
			}
			if at, err := hex.DecodeString(strings.Repeat("0", 4-len(offset)) + offset); err == nil && int(binary.BigEndian.Uint16(at)) == want {
				h.data = append(h.data, raw...)
				if len(h.data) == 4096 {
					h.end(found)
				}
				return
			}
		}
	}
	h.end(found)
}

// end looks at the space that the rows before make together.
func (h *hexRows) end(found hit) {
	if len(h.data) > 0x100 {
		configSpace(h.data, func(class, value string, _ int) { found(ByShape, class, value) })
	}
	h.data = h.data[:0]
}

// Attributes of a link that hold its address (include/uapi/linux/if_link.h):
// IFLA_ADDRESS, IFLA_PERM_ADDRESS.
var addressAttributes = map[uint16]bool{1: true, 54: true}

const (
	newLink   = 16 // RTM_NEWLINK
	linkBytes = 16 // of struct ifinfomsg
	maxFrame  = 1 << 20
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
		if protocol := frame[max(0, min(len(frame), link)-2):min(len(frame), link)]; len(frame) > link+header+linkBytes &&
			binary.BigEndian.Uint16(protocol) == 0 && order.Uint16(frame[link+4:]) == newLink {
			attributes(frame[link+header+linkBytes:], order, func(at int, kind uint16, value []byte) {
				if text := dashed(value); addressAttributes[kind] && len(value) >= 6 && !harmlessMAC(text) {
					found("mac", text, offset+int64(link+header+linkBytes+at))
				}
			})
		}
		offset += int64(n)
	}
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
