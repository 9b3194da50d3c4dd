package leak

import (
	"encoding/binary"
	"encoding/hex"
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
