package netlink

import "hwcap/parse/fact"

const (
	controller  = 16 // GENL_ID_CTRL
	genericSize = 4  // struct genlmsghdr: command, version, two reserved bytes

	commandNewFamily = 1 // CTRL_CMD_NEWFAMILY
	attrFamilyID     = 1 // CTRL_ATTR_FAMILY_ID
	attrFamilyName   = 2 // CTRL_ATTR_FAMILY_NAME
	maxFamilyName    = 15
)

func (m *Message) isController() bool { return m.Protocol == Generic && m.Type == controller }

// Family returns the name and number of a family of generic netlink, if the
// message announces one. The messages of the family have its number as Type.
func (m *Message) Family() (name string, number uint16, ok bool) {
	if !m.isController() {
		return "", 0, false
	}
	command, attributes, ok := m.Generic()
	if !ok || command != commandNewFamily {
		return "", 0, false
	}
	for attributes.Next() {
		switch attributes.Type {
		case attrFamilyID:
			if len(attributes.Value) >= 2 {
				number = m.Order.Uint16(attributes.Value)
			}
		case attrFamilyName:
			name, _ = attributes.Text(maxFamilyName)
		}
	}
	return name, number, name != "" && number > controller
}

// Generic returns the command and the attributes of a message of generic
// netlink, and whether it is long enough for one.
func (m *Message) Generic() (command uint8, attributes *Attributes, ok bool) {
	if m.Protocol != Generic || len(m.Body) < genericSize {
		return 0, nil, false
	}
	return m.Body[0], m.Attributes(m.Body[genericSize:]), true
}

// Refusal returns the error with which the kernel ends a dump, as a positive
// errno, and whether the message is one.
func (m *Message) Refusal() (errno int, ok bool) {
	if m.Type != msgError && m.Type != msgDone || len(m.Body) < 4 {
		return 0, false
	}
	code := int64(int32(m.Order.Uint32(m.Body)))
	return int(-code), code < 0
}

// RefusedCommand returns the command of generic netlink that a NLMSG_ERROR is
// about: behind the code it repeats the request (netlink_ack in
// net/netlink/af_netlink.c).
func (m *Message) RefusedCommand() (command uint8, ok bool) {
	const at = 4 + headerSize
	if m.Protocol != Generic || m.Type != msgError || len(m.Body) < at+genericSize {
		return 0, false
	}
	return m.Body[at], true
}

// IsRequest reports whether the message went to the kernel (NLM_F_REQUEST).
func (m *Message) IsRequest() bool { return m.Flags&1 != 0 }

// IsEnd reports whether the message ends a dump.
func (m *Message) IsEnd() bool { return m.Type == msgDone || m.Type == msgError }

// states are those that the errors of a dump stand for. Their numbers differ by
// architecture from 35 on (arch/*/include/uapi/asm/errno.h); no number here
// means another thing on one of them that a dump can answer.
var states = map[int]fact.State{
	1:   fact.Denied,   // EPERM
	13:  fact.Denied,   // EACCES
	2:   fact.Absent,   // ENOENT
	19:  fact.Absent,   // ENODEV
	95:  fact.Absent,   // EOPNOTSUPP
	122: fact.Absent,   // EOPNOTSUPP on MIPS
	45:  fact.Absent,   // EOPNOTSUPP on SPARC and Alpha
	223: fact.Absent,   // EOPNOTSUPP on PA-RISC
	524: fact.Absent,   // ENOTSUPP, which should not leave the kernel but does
	110: fact.TimedOut, // ETIMEDOUT
	145: fact.TimedOut, // ETIMEDOUT on MIPS
}

// StateOf returns what an errno says of the values that were asked for.
func StateOf(errno int) fact.State {
	if s := states[errno]; s != "" {
		return s
	}
	return fact.Failed
}
