package ethtool

import "fmt"

// Words of ethtool(8) for the numbers of the kernel (include/uapi/linux/ethtool.h;
// ethtool's common.c and netlink/settings.c), so that both sources of a fact
// agree.

// ports are PORT_*.
var ports = map[uint8]string{
	0x00: "Twisted Pair", 0x01: "AUI", 0x02: "MII", 0x03: "FIBRE", 0x04: "BNC", 0x05: "Direct Attach Copper",
	0xef: "None", 0xff: "Other",
}

// transceivers are XCVR_*.
var transceivers = map[uint8]string{0: "internal", 1: "external"}

// duplexes are DUPLEX_*; 0xff is unknown.
var duplexes = map[uint8]string{0: "half", 1: "full"}

// reason is why a port has no link, ETHTOOL_LINK_EXT_STATE_*, and the more exact
// words for it, ETHTOOL_LINK_EXT_SUBSTATE_*, from 1.
type reason struct {
	name string
	more []string
}

var reasons = []reason{
	{"Autoneg", []string{"No partner detected", "Ack not received", "Next page exchange failed",
		"No partner detected during force mode", "FEC mismatch during override", "No HCD"}},
	{"Link training failure", []string{"KR frame lock not acquired", "KR link inhibit timeout",
		"KR Link partner did not set receiver ready", "Remote side is not ready yet"}},
	{"Logical mismatch", []string{"PCS did not acquire block lock", "PCS did not acquire AM lock",
		"PCS did not get align_status", "FC FEC is not locked", "RS FEC is not locked"}},
	{"Bad signal integrity", []string{"Large number of physical errors", "Unsupported rate",
		"Serdes reference clock lost", "Serdes ALOS"}},
	{"No cable", nil},
	{"Cable issue", []string{"Unsupported cable", "Cable test failure"}},
	{"EEPROM issue", nil},
	{"Calibration failure", nil},
	{"Power budget exceeded", nil},
	{"Overheat", nil},
	{"Module", []string{"CMIS module is not in ModuleReady state"}},
	{"OTP speed violation", nil},
	{"BMC request down", nil},
}

// linkReason puts both numbers into words, as ethtool(8) prints them behind
// "Link detected: no". A number that has no word stands for itself.
func linkReason(state uint8, substate uint8, hasSubstate bool) string {
	text := fmt.Sprint(state)
	var more []string
	if int(state) < len(reasons) {
		text, more = reasons[state].name, reasons[state].more
	}
	switch {
	case !hasSubstate:
	case substate > 0 && int(substate) <= len(more):
		text += ", " + more[substate-1]
	default:
		text += fmt.Sprintf(", %d", substate)
	}
	return text
}
