package lspci

import (
	"maps"
	"slices"

	"hwcap/parse/fact"
)

// names are the flag names of one kind of register, each with its name in 3.13.
// The same word can mean different bits in different registers. A name that is
// not here, of a version to come, stands for itself.
type names map[string]string

var (
	devCtlNames = aliases(map[string]string{ // up to 3.5.6, behind "Report errors:"
		"Correctable": "CorrErr", "Non-Fatal": "NonFatalErr", "Fatal": "FatalErr", "Unsupported": "UnsupReq",
	}, "CorrErr", "NonFatalErr", "FatalErr", "UnsupReq", "RlxdOrd", "ExtTag", "PhantFunc", "AuxPwr", "NoSnoop", "BrConfRtry", "FLReset")

	devStaNames = aliases(map[string]string{ // up to 3.5.6
		"UncorrErr": "NonFatalErr", "UnsuppReq": "UnsupReq",
	}, "CorrErr", "NonFatalErr", "FatalErr", "UnsupReq", "AuxPwr", "TransPend")

	rootCtlNames = aliases(map[string]string{ // up to 2.2.6
		"Correctable": "ErrCorrectable", "Non-Fatal": "ErrNon-Fatal", "Fatal": "ErrFatal", "PME": "PMEIntEna",
	}, "ErrCorrectable", "ErrNon-Fatal", "ErrFatal", "PMEIntEna", "CRSVisible")

	// AtomicOpsCap and AtomicOpsCtl are parts of the two.
	devCap2Names = aliases(nil, "TimeoutDis", "NROPrPrP", "LTR", "10BitTagComp", "10BitTagReq", "ExtFmt", "EETLPPrefix",
		"EmergencyPowerReductionInit", "FRS", "TPHComp", "ExtTPHComp", "ARIFwd", "Routing", "32bit", "64bit", "128bitCAS")

	devCtl2Names = aliases(nil, "TimeoutDis", "LTR", "10BitTagReq", "ARIFwd", "ReqEn", "EgressBlck",
		"IDOReq", "IDOCompl", "EmergencyPowerReductionReq", "EETLPPrefixBlk")

	lnkSta2Names = aliases(nil, "EqualizationComplete", "EqualizationPhase1", "EqualizationPhase2", "EqualizationPhase3",
		"LinkEqualizationRequest", "Retimer", "2Retimers", "FltMode", "DRS")

	uncorrectableNames = aliases(map[string]string{ // 3.0.1 and 3.0.2
		"ACSVoil": "ACSViol",
	}, "DLP", "SDES", "TLP", "FCP", "CmpltTO", "CmpltAbrt", "UnxCmplt", "RxOF", "MalfTLP", "ECRC", "UnsupReq", "ACSViol",
		"UncorrIntErr", "BlockedTLP", "AtomicOpBlocked", "TLPBlockedErr",
		"PoisonTLPBlocked", "DMWrReqBlocked", "IDECheck", "MisIDETLP", "PCRC_CHECK", "TLPXlatBlocked")

	correctableNames = aliases(map[string]string{ // up to 3.5.6
		"NonFatalErr": "AdvNonFatalErr",
	}, "RxErr", "BadTLP", "BadDLLP", "Rollover", "Timeout", "AdvNonFatalErr", "CorrIntErr", "HeaderOF")

	rootErrorNames = aliases(nil, "CERptEn", "NFERptEn", "FERptEn",
		"CERcvd", "MultCERcvd", "UERcvd", "MultUERcvd", "FirstFatal", "NonFatalMsg", "FatalMsg")

	acsNames = aliases(nil, "SrcValid", "TransBlk", "ReqRedir", "CmpltRedir", "UpstreamFwd", "EgressCtrl", "DirectTrans")

	l1ssNames = aliases(nil, "PCI-PM_L1.2", "PCI-PM_L1.1", "ASPM_L1.2", "ASPM_L1.1", "L1_PM_Substates")

	dpcNames = aliases(nil, "Trigger", "Cmpl", "INT", "ErrCor", "PoisonedTLP", "SwTrigger", "DL_ActiveErr", "RPBusy")
)

// aliases returns the names: those of older versions, and those of 3.13.
func aliases(old map[string]string, current ...string) *names {
	n := make(names, len(old)+len(current))
	maps.Copy(n, old)
	for _, name := range current {
		n[name] = name
	}
	return &n
}

const (
	// maxFlags bounds what is kept of one register; 22 is the most that one has.
	maxFlags = 64
	// maxSeen is how many texts of registers are remembered: on a machine with
	// thousands of functions most registers read like others.
	maxSeen = 1000
)

// seen is what registers said before, by their kind and text.
type seen map[seenKey]map[string]bool

type seenKey struct {
	names *names
	text  string
}

// flags reads all NAME+ and NAME- of a register. It returns nil when there is
// none.
func (n *names) flags(r *register) *fact.Flags {
	bits := r.seen[seenKey{n, string(r.text)}]
	if bits == nil {
		if bits = n.read(r.text); len(bits) == 0 {
			return nil
		}
		if len(r.seen) < maxSeen && len(r.text) < maxText {
			r.seen[seenKey{n, string(r.text)}] = bits
		}
	}
	return &fact.Flags{Bits: maps.Clone(bits), At: slices.Clone(r.at)}
}

func (n *names) read(text []byte) map[string]bool {
	bits := map[string]bool{}
	eachFlag(text, func(word []byte, on bool) {
		name, ok := (*n)[string(word)]
		if !ok {
			name = string(word)
		}
		if len(bits) < maxFlags {
			bits[name] = on
		}
	})
	return bits
}
