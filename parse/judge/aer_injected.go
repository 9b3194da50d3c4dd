package judge

import (
	"strconv"

	"hwcap/parse/fact"
)

// The bits of the Correctable and the Uncorrectable Error Status register (PCIe
// Base Specification 7.8.4.5, 7.8.4.2) by number, as lspci names them.
var (
	correctableBits   = map[int]string{0: "RxErr", 6: "BadTLP", 7: "BadDLLP", 8: "Rollover", 12: "Timeout", 13: "AdvNonFatalErr", 14: "CorrIntErr", 15: "HeaderOF"}
	uncorrectableBits = map[int]string{
		4: "DLP", 5: "SDES", 12: "TLP", 13: "FCP", 14: "CmpltTO", 15: "CmpltAbrt", 16: "UnxCmplt", 17: "RxOF", 18: "MalfTLP", 19: "ECRC",
		20: "UnsupReq", 21: "ACSViol", 22: "UncorrIntErr", 23: "BlockedTLP", 24: "AtomicOpBlocked", 25: "TLPBlockedErr", 26: "PoisonTLPBlocked",
	}
)

// injectedBits returns the error bits that were made on purpose in a function
// during this boot, and the line of the log that says so.
func injectedBits(m *fact.Machine, address string) map[string]fact.Line {
	made := map[string]fact.Line{}
	for _, n := range m.Log.Of("aer-injected") {
		if n.Device != address {
			continue
		}
		for field, names := range map[string]map[int]string{"correctable": correctableBits, "uncorrectable": uncorrectableBits} {
			status, _ := strconv.ParseUint(n.Fields[field], 16, 32)
			for number, name := range names {
				if status&(1<<number) != 0 {
					made[name] = n.At
				}
			}
		}
	}
	return made
}
