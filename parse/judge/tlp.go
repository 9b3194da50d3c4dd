package judge

import (
	"fmt"
	"slices"
	"strconv"

	"hwcap/parse/fact"
)

// packet is what the header of a packet tells (PCIe Base Specification 2.2).
type packet struct {
	kind packetKind
	// requester is who asked: bus, device and function, "0a:00.0". Of an answer
	// it is who gets it.
	requester string
	address   string // of memory or I/O: "0xfffc0e80"
	target    string // the function that is addressed, or that answers
	message   string // what a message says, "" for a code of no known name
}

// packetKind is a row of the table of formats and types (2.2.1, table 2-3).
type packetKind struct {
	first  []uint32 // format and type, the first byte
	goesTo string   // "address", "function", "requester", or "" for messages
	De, En string
}

var packetKinds = []packetKind{
	{[]uint32{0x00, 0x20, 0x01, 0x21}, "address", "Lesezugriff auf den Speicher", "memory read"},
	{[]uint32{0x40, 0x60}, "address", "Schreibzugriff auf den Speicher", "memory write"},
	{[]uint32{0x5b, 0x7b}, "address", "verzögerbarer Schreibzugriff (DMWr)", "deferrable memory write (DMWr)"},
	{[]uint32{0x02}, "address", "Lesezugriff auf einen I/O-Port", "I/O read"},
	{[]uint32{0x42}, "address", "Schreibzugriff auf einen I/O-Port", "I/O write"},
	{[]uint32{0x04, 0x05}, "function", "Lesezugriff auf den Konfigurationsraum", "configuration read"},
	{[]uint32{0x44, 0x45}, "function", "Schreibzugriff auf den Konfigurationsraum", "configuration write"},
	{[]uint32{0x0a, 0x4a, 0x0b, 0x4b}, "requester", "Antwort (Completion)", "completion"},
	{[]uint32{0x4c, 0x6c, 0x4d, 0x6d, 0x4e, 0x6e}, "address", "atomare Operation (AtomicOp)", "atomic operation (AtomicOp)"},
	{[]uint32{0x30, 0x31, 0x32, 0x33, 0x34, 0x35, 0x70, 0x71, 0x72, 0x73, 0x74, 0x75}, "", "Nachricht (Message)", "message"},
}

// messageNames are the names of messages by their code (2.2.8).
var messageNames = map[uint32]string{
	0x00: "Unlock", 0x10: "LTR", 0x12: "OBFF", 0x14: "PM_Active_State_Nak", 0x18: "PM_PME", 0x19: "PME_Turn_Off", 0x1b: "PME_TO_Ack",
	0x20: "Assert_INTA", 0x21: "Assert_INTB", 0x22: "Assert_INTC", 0x23: "Assert_INTD",
	0x24: "Deassert_INTA", 0x25: "Deassert_INTB", 0x26: "Deassert_INTC", 0x27: "Deassert_INTD",
	0x30: "ERR_COR", 0x31: "ERR_NONFATAL", 0x33: "ERR_FATAL", 0x50: "Set_Slot_Power_Limit",
	0x52: "PTM Request", 0x53: "PTM Response", 0x7e: "Vendor_Defined Type 0", 0x7f: "Vendor_Defined Type 1",
}

// readPacket decodes a header as the kernel logs it: three or four words, the
// first byte of the packet foremost. ok is false for a header that names no
// known type; one of zeros was never logged.
func readPacket(words []string) (p packet, ok bool) {
	var w [4]uint32
	for i := range min(len(words), len(w)) {
		n, err := strconv.ParseUint(words[i], 16, 32)
		if err != nil {
			return p, false
		}
		w[i] = uint32(n)
	}
	if len(words) < 3 || w == [4]uint32{} {
		return p, false
	}
	i := slices.IndexFunc(packetKinds, func(k packetKind) bool { return slices.Contains(k.first, w[0]>>24) })
	if i < 0 {
		return p, false
	}
	p.kind = packetKinds[i]
	p.requester = functionID(w[1] >> 16)
	switch p.kind.goesTo {
	case "address":
		address := uint64(w[2] &^ 3)
		if w[0]&(1<<29) != 0 { // a header of four words
			address = uint64(w[2])<<32 | uint64(w[3]&^3)
		}
		p.address = fmt.Sprintf("%#x", address)
	case "function":
		p.target = functionID(w[2] >> 16)
	case "requester":
		p.target, p.requester = p.requester, functionID(w[2]>>16)
	case "":
		p.message = messageNames[w[1]&0xff]
	}
	return p, true
}

// functionID writes a requester id as lspci does, without the domain.
func functionID(id uint32) string {
	return fmt.Sprintf("%02x:%02x.%d", id>>8, id>>3&0x1f, id&7)
}

// packets returns the packet of a tally as a table of the finding, empty where
// the log has none. A device that moves data itself asks under its own address;
// what the processor asks for comes from the root complex. At a port that faces
// down, a packet comes from below: there, number 0 is a function that has not
// been told its own since it was reset (PCIe Base Specification 2.2.6.2).
func (t *aerTally) packets(m *fact.Machine) []map[string]any {
	rows := []map[string]any{}
	p, ok := readPacket(t.packet)
	if !ok {
		return rows
	}
	domain := t.link.lower[:max(0, len(t.link.lower)-len("00:00.0"))]
	full := func(function string) string {
		if function == "" {
			return ""
		}
		return domain + function
	}
	d := m.Device(t.packetBy)
	return append(rows, map[string]any{
		"de": p.kind.De, "en": p.kind.En, "message": p.message, "unnumbered": p.requester == "00:00.0" && d != nil && facesDown(m, d), "answer": p.kind.goesTo == "requester",
		"requester": full(p.requester), "target": full(p.target), "address": p.address,
		"fromRoot": p.requester[:2] == "00" && p.kind.goesTo != "requester",
	})
}
