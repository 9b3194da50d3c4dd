package lspci

import (
	"slices"

	"hwcap/parse/fact"
)

// aliases are the flag names of older versions under those of 3.13, by the
// register they stand in: the same word can mean different bits.
type aliases map[string]string

var (
	noAliases = aliases{}

	devCtlNames = aliases{ // up to 3.5.6, behind "Report errors:"
		"Correctable": "CorrErr", "Non-Fatal": "NonFatalErr", "Fatal": "FatalErr", "Unsupported": "UnsupReq",
	}
	devStaNames = aliases{ // up to 3.5.6
		"UncorrErr": "NonFatalErr", "UnsuppReq": "UnsupReq",
	}
	rootCtlNames = aliases{ // up to 2.2.6
		"Correctable": "ErrCorrectable", "Non-Fatal": "ErrNon-Fatal", "Fatal": "ErrFatal", "PME": "PMEIntEna",
	}
	uncorrectableNames = aliases{ // 3.0.1 and 3.0.2
		"ACSVoil": "ACSViol",
	}
	correctableNames = aliases{ // up to 3.5.6
		"NonFatalErr": "AdvNonFatalErr",
	}
)

// known holds one copy of each flag name, so that reading a register does not
// allocate them again.
var known = intern(
	"CorrErr", "NonFatalErr", "FatalErr", "UnsupReq", "AuxPwr", "TransPend", "EmergencyPowerReduction",
	"RlxdOrd", "ExtTag", "PhantFunc", "NoSnoop", "BrConfRtry", "FLReset",
	"ErrCorrectable", "ErrNon-Fatal", "ErrFatal", "PMEIntEna", "CRSVisible",
	"DLP", "SDES", "TLP", "FCP", "CmpltTO", "CmpltAbrt", "UnxCmplt", "RxOF", "MalfTLP", "ECRC", "ACSViol",
	"UncorrIntErr", "BlockedTLP", "AtomicOpBlocked", "TLPBlockedErr",
	"PoisonTLPBlocked", "DMWrReqBlocked", "IDECheck", "MisIDETLP", "PCRC_CHECK", "TLPXlatBlocked",
	"RxErr", "BadTLP", "BadDLLP", "Rollover", "Timeout", "AdvNonFatalErr", "CorrIntErr", "HeaderOF",
	"CERptEn", "NFERptEn", "FERptEn", "CERcvd", "MultCERcvd", "UERcvd", "MultUERcvd", "FirstFatal", "NonFatalMsg", "FatalMsg",
	"SrcValid", "TransBlk", "ReqRedir", "CmpltRedir", "UpstreamFwd", "EgressCtrl", "DirectTrans",
	"Trigger", "Cmpl", "INT", "ErrCor", "PoisonedTLP", "SwTrigger", "DL_ActiveErr", "RPBusy",
)

func intern(names ...string) map[string]string {
	m := make(map[string]string, len(names))
	for _, n := range names {
		m[n] = n
	}
	return m
}

// canonical returns the name of 3.13 for a name of the text.
func (a aliases) canonical(name []byte) string {
	if s, ok := a[string(name)]; ok {
		return s
	}
	if s, ok := known[string(name)]; ok {
		return s
	}
	return string(name)
}

// flags reads all NAME+ and NAME- of a register. Of a name that comes twice the
// first counts. It returns nil when there is none.
func (a aliases) flags(r *register) *fact.Flags {
	var bits map[string]bool
	eachFlag(r.text, func(name []byte, on bool) {
		if bits == nil {
			bits = make(map[string]bool, 12) // most registers have 6 to 12 flags
		}
		n := a.canonical(name)
		if _, seen := bits[n]; !seen {
			bits[n] = on
		}
	})
	if bits == nil {
		return nil
	}
	return &fact.Flags{Bits: bits, At: slices.Clone(r.at)}
}
