package redact

import (
	"bytes"
	"encoding/hex"
)

// holding is what the value of a netlink attribute is.
type holding uint8

const (
	nested     holding = iota // a row of attributes
	linkKind                  // the kind of an interface
	linkData                  // a row that depends on it
	hardware                  // a hardware address
	bridgeID                  // a priority and a hardware address
	vfMAC                     // struct ifla_vf_mac
	vfGUID                    // struct ifla_vf_guid
	octetID                   // an identity of any length
	nameText                  // the name of an interface
	serialText                // a serial number
	address4
	address6
)

// attribute is what is replaced in an attribute.
type attribute struct {
	holds  holding
	within attributes
	byKind map[string]attributes
}

// attributes are those of a row that hold identities, by their types.
type attributes map[uint16]attribute

// anyType stands for all types of a row that have none of their own; no
// attribute has it.
const anyType = 0x3fff

// linkAttributes are those of RTM_NEWLINK (include/uapi/linux/if_link.h).
var linkAttributes = attributes{
	1:  {holds: hardware}, // IFLA_ADDRESS
	2:  {holds: hardware}, // IFLA_BROADCAST
	3:  {holds: nameText}, // IFLA_IFNAME
	20: {holds: nameText}, // IFLA_IFALIAS
	34: {holds: octetID},  // IFLA_PHYS_PORT_ID
	36: {holds: octetID},  // IFLA_PHYS_SWITCH_ID
	54: {holds: hardware}, // IFLA_PERM_ADDRESS
	52: {within: attributes{ // IFLA_PROP_LIST
		53: {holds: nameText}, // IFLA_ALT_IFNAME
	}},
	22: {within: attributes{ // IFLA_VFINFO_LIST
		1: {within: attributes{ // IFLA_VF_INFO
			1:  {holds: vfMAC},    // IFLA_VF_MAC
			10: {holds: vfGUID},   // IFLA_VF_IB_NODE_GUID
			11: {holds: vfGUID},   // IFLA_VF_IB_PORT_GUID
			13: {holds: hardware}, // IFLA_VF_BROADCAST
		}},
	}},
	26: {within: attributes{ // IFLA_AF_SPEC
		10: {within: attributes{7: {holds: address6}}}, // AF_INET6: IFLA_INET6_TOKEN
	}},
	18: {within: attributes{ // IFLA_LINKINFO
		1: {holds: linkKind},                    // IFLA_INFO_KIND
		2: {holds: linkData, byKind: linkKinds}, // IFLA_INFO_DATA
		4: {holds: linkKind},                    // IFLA_INFO_SLAVE_KIND
		5: {holds: linkData, byKind: portKinds}, // IFLA_INFO_SLAVE_DATA
	}},
}

var linkKinds = map[string]attributes{
	"bridge": {10: {holds: bridgeID}, 11: {holds: bridgeID}, 20: {holds: hardware}}, // IFLA_BR_ROOT_ID, BRIDGE_ID, GROUP_ADDR
	"bond": {
		8:  {within: attributes{anyType: {holds: address4}}}, // IFLA_BOND_ARP_IP_TARGET
		23: {within: attributes{5: {holds: hardware}}},       // IFLA_BOND_AD_INFO: PARTNER_MAC
		26: {holds: hardware},                                // IFLA_BOND_AD_ACTOR_SYSTEM
		31: {within: attributes{anyType: {holds: address6}}}, // IFLA_BOND_NS_IP6_TARGET
	},
	"vxlan":  {2: {holds: address4}, 4: {holds: address4}, 16: {holds: address6}, 17: {holds: address6}},
	"geneve": {2: {holds: address4}, 7: {holds: address6}},
	"gre":    {6: {holds: address4}, 7: {holds: address4}},
	"gretap": {6: {holds: address4}, 7: {holds: address4}},
	"erspan": {6: {holds: address4}, 7: {holds: address4}},
	"ip6gre": {6: {holds: address6}, 7: {holds: address6}},
	"ipip":   {2: {holds: address4}, 3: {holds: address4}},
	"sit":    {2: {holds: address4}, 3: {holds: address4}},
	"ip6tnl": {2: {holds: address6}, 3: {holds: address6}},
	"vti":    {4: {holds: address4}, 5: {holds: address4}},
	"macvlan": {4: {holds: hardware}, // IFLA_MACVLAN_MACADDR
		5: {within: attributes{4: {holds: hardware}}}}, // IFLA_MACVLAN_MACADDR_DATA
}

var portKinds = map[string]attributes{
	"bridge": {13: {holds: bridgeID}, 14: {holds: bridgeID}}, // IFLA_BRPORT_ROOT_ID, BRIDGE_ID
	"bond":   {4: {holds: hardware}},                         // IFLA_BOND_SLAVE_PERM_HWADDR
}

// genericAttributes are those of the families of generic netlink that a
// capture holds.
var genericAttributes = map[string]attributes{
	// include/uapi/linux/ethtool_netlink.h: each message begins with a
	// header, in it ETHTOOL_A_HEADER_DEV_NAME.
	"ethtool": {1: {within: attributes{2: {holds: nameText}}}},
	// include/uapi/linux/devlink.h
	"devlink": {
		7:   {holds: nameText},                          // DEVLINK_ATTR_PORT_NETDEV_NAME
		99:  {holds: serialText},                        // DEVLINK_ATTR_INFO_SERIAL_NUMBER
		145: {within: attributes{1: {holds: hardware}}}, // DEVLINK_ATTR_PORT_FUNCTION: HW_ADDR
		146: {holds: serialText},                        // DEVLINK_ATTR_INFO_BOARD_SERIAL_NUMBER
	},
}

func hexDigits(b []byte) []byte { return hex.AppendEncode(nil, b) }

// serialInPlace returns the pseudonym of a serial number in a field of fixed
// length.
func (t *text) serialInPlace(value []byte, w *record) []byte {
	t.line = bytes.Clone(value)
	t.spans = t.spans[:0]
	if t.ownForm(0, len(value)) && len(t.spans) == 1 {
		if s := t.spans[0]; s.with != nil && len(s.with) == len(value) {
			w.r.note(w.at, s.class)
			return s.with
		}
		return value
	}
	if isPlaceholder(value) {
		return value
	}
	if w.r.learning {
		w.r.known.text(kindSerial, Serial, value)
		return value
	}
	w.r.note(w.at, Serial)
	return w.r.key.sealedInPlace(kindSerial, value)
}
