package pciconfig_test

import (
	"path"
	"reflect"
	"strings"

	"hwcap/parse/fact"
)

// What an excuse allows.

// absent: the text does not have the value at all.
func absent(d difference) bool { return !d.text.IsValid() || d.text.IsZero() }

// extra: only the text has a value.
func extra(d difference) bool { return !d.bytes.IsValid() || d.bytes.IsZero() }

// zeros: a byte of zero is not printed.
func zeros(d difference) bool { return absent(d) && d.bytes.String() == "00" }

// says: the text has this word.
func says(word string) func(difference) bool {
	return func(d difference) bool { return d.text.Kind() == reflect.String && d.text.String() == word }
}

// upperHalf: only the text has a region, and no address of it.
func upperHalf(d difference) bool {
	r, ok := d.text.Interface().(fact.Region)
	return ok && !d.bytes.IsValid() && strings.Trim(r.Address, "0") == ""
}

// Texts that differ from others.
const (
	named = "named" // printed without -n or -nn
	noise = "noise" // of random registers
)

// excuse allows values of the paths to differ in the versions from and to, both
// included. The paths are patterns, and cover what is below them.
type excuse struct {
	paths    string
	from, to string
	is       func(difference) bool
	of       string // the texts that need it, named or noise; empty: all
	why      string
}

// covers reports whether path, or one above it, is of the excuse.
func (e excuse) covers(name string) bool {
	for _, pattern := range strings.Fields(e.paths) {
		for p := name; p != ""; p = p[:strings.LastIndexByte(p, '.')] {
			if ok, _ := path.Match(pattern, p); ok {
				return true
			}
		}
	}
	return false
}

// excuses are the differences that are lspci's. Each is needed by a dump.
var excuses = []excuse{
	{paths: ".Vendor .Device .SubVendor .SubDevice", is: absent, of: named, why: "names stand in the place of ids"},
	{paths: ".Header", is: absent, why: "only a type that is unknown or does not fit the class is printed"},
	{paths: ".ProgIf .Revision", is: zeros, why: "prog-if and revision are left out when they are 0"},

	{paths: ".Regions.*.State", to: "3.1.4", is: says("unassigned"), why: "an address of 0 was not printed, even with decoding on"},
	{paths: ".Regions.*.Address", to: "3.1.4", is: absent, why: "the same"},
	{paths: ".Regions.*.State", from: "3.6.4", to: "3.6.4", is: says("virtual"), why: "I/O ports at 0 with decoding on were taken for the system's word (3.6.3 and 3.6.4)"},
	{paths: ".Regions.[1-5]", from: "3.9.0", is: upperHalf, why: "of a dump, the upper half of a 64-bit address is listed as a region of its own (from 3.8)"},
	{paths: ".CapsState .Power", to: "3.1.4", is: absent, why: "capabilities of CardBus bridges are printed from 3.2.1 on"},
	{paths: ".AFReset", to: "2.2.10", is: absent, why: "Advanced Features are printed from 3.1.3 on"},

	{paths: ".Express.LinkCap .Express.LinkCtl .Express.LinkSta .Express.DLActive .Express.DLActiveReporting", to: "3.1.4", is: extra,
		why: "integrated endpoints and event collectors have no link, but its registers were printed (up to 3.2.0)"},
	{paths: ".Express.LinkCtl2", from: "3.1.4", to: "3.1.4", is: extra, why: "functions other than the first one have none of their own, but it was printed (up to 3.1.9)"},
	{paths: ".Express.LinkCap.ASPM", to: "3.1.4", is: says("unknown"), why: "no support had no word (up to 3.2.0), and L1 alone none (up to 3.1.8)"},
	{paths: ".Express.LinkCap.Speed .Express.LinkSta.Speed .Express.LinkCtl2.Target", to: "3.5.4", is: absent,
		why: "no words yet: 8 GT/s from 3.1.9, 16 from 3.5.3, 32 from 3.6.3"},
	{paths: ".Express.LinkSta.Note", from: "3.6.4", is: extra, why: "lspci's own judgement"},
	{paths: ".Express.FLReset .Express.DevCtl.Bits.FLReset", to: "3.5.4", is: absent, why: "of integrated endpoints it is printed from 3.6.3 on"},
	{paths: ".Express.FLReset", to: "3.1.4", is: extra, why: "printed for every type, but only endpoints have it (up to 3.2.0)"},
	{paths: ".Express.DevCtl.Bits.BrConfRtry", to: "3.1.4", is: extra, why: "printed for the other kind of bridge (up to 3.2.0)"},
	{paths: ".Express.Slot", to: "3.5.4", is: absent, why: "of PCI to PCI Express bridges it is printed from 3.5.5 on"},
	{paths: ".Express.RootCtl", to: "3.5.4", is: absent, why: "of event collectors it is printed from 3.6.3 on"},

	{paths: ".Express.DevCap2 .Express.DevCtl2 .Express.Completion* .Express.LinkCtl2", to: "2.2.10", is: absent, why: "the second registers are printed from 3.0.1 on"},
	{paths: ".Express.LnkSta2", to: "3.1.4", is: absent, why: "its flags are printed from 3.1.9 on"},
	{paths: ".Express.LnkSta2.Bits.Retimer .Express.LnkSta2.Bits.2Retimers", to: "3.6.4", is: absent, why: "printed from 3.7.0 on"},
	{paths: ".Express.DevCap2.Bits.LTR .Express.DevCtl2.Bits.LTR", to: "3.1.4", is: absent, why: "printed from 3.1.10 on"},
	{paths: ".Express.DevCap2.Bits.Routing .Express.DevCap2.Bits.*bit .Express.DevCap2.Bits.128bitCAS .Express.DevCtl2.Bits.ReqEn .Express.DevCtl2.Bits.EgressBlck", to: "3.2.1", is: absent,
		why: "AtomicOps are printed from 3.5.3 on"},
	{paths: ".Express.DevCap2.Bits.*bit .Express.DevCap2.Bits.128bitCAS", from: "3.5.4", to: "3.6.4", is: absent,
		why: "printed where the size of a memory BAR is known, which a dump does not tell (up to 3.7)"},
	{paths: ".Express.DevCap2.Bits.NROPrPrP .Express.DevCap2.Bits.10BitTag* .Express.DevCap2.Bits.ExtFmt .Express.DevCap2.Bits.EETLPPrefix " +
		".Express.DevCap2.Bits.EmergencyPowerReductionInit .Express.DevCap2.Bits.FRS .Express.DevCap2.Bits.*TPHComp", to: "3.5.4", is: absent, why: "printed from 3.6.3 on"},
	{paths: ".Express.DevCtl2.Bits.10BitTagReq", to: "3.6.4", is: absent, why: "printed from 3.8 on"},
	{paths: ".Express.DevCtl2.Bits.IDOReq .Express.DevCtl2.Bits.IDOCompl .Express.DevCtl2.Bits.EmergencyPowerReductionReq .Express.DevCtl2.Bits.EETLPPrefixBlk",
		to: "3.9.0", is: absent, why: "printed from 3.11 on"},

	{paths: ".AER.UESta .AER.UEMsk .AER.UESvrt .AER.CESta .AER.CEMsk .ACS.Cap .ACS.Ctl .SRIOV", to: "2.2.10", is: absent, why: "their registers are printed from 3.0.1 on"},
	{paths: ".AER.UE*.Bits.UncorrIntErr .AER.UE*.Bits.BlockedTLP .AER.UE*.Bits.AtomicOpBlocked .AER.UE*.Bits.TLPBlockedErr .AER.UE*.Bits.PoisonTLPBlocked " +
		".AER.UE*.Bits.DMWrReqBlocked .AER.UE*.Bits.IDECheck .AER.UE*.Bits.MisIDETLP .AER.UE*.Bits.PCRC_CHECK .AER.UE*.Bits.TLPXlatBlocked " +
		".AER.CE*.Bits.CorrIntErr .AER.CE*.Bits.HeaderOF", to: "3.11.1", is: absent, why: "printed from 3.13 on"},
	{paths: ".AER.RootCmd .AER.RootSta", to: "3.5.4", is: absent, why: "printed from 3.5.5 on, of event collectors from 3.6.3"},
	{paths: ".ReBAR", to: "3.6.4", is: absent, why: "decoded from 3.7.0 on"},
	{paths: ".LaneErrors", to: "3.5.4", is: absent, why: "decoded from 3.6.3 on"},
	{paths: ".L1SS.Cap", to: "3.1.4", is: absent, why: "decoded from 3.2.1 on"},
	{paths: ".L1SS.Ctl", to: "3.2.1", is: absent, why: "decoded from 3.5.2 on"},
	{paths: ".LTR", to: "3.1.4", is: absent, why: "decoded from 3.1.8 on"},

	{paths: ".Regions.*.State", is: says("unassigned"), of: noise, why: "of a dump, a 64-bit address in the last place is printed so"},
	{paths: ".Express.LinkCap.Speed .Express.LinkSta.Speed .Express.LinkCtl2.Target", is: absent, of: noise, why: "128 GT/s has no word up to 3.14"},
	{paths: ".LTR", is: extra, of: noise, why: "scales that are not permitted are printed with what they overflow to"},
}
