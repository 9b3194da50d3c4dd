package pciconfig

import (
	"slices"
	"strings"

	"hwcap/parse/fact"
)

// bit is one flag of a register, or a field of which any value but 0 sets it.
type bit struct {
	name string
	mask uint32
	of   types // the types of PCI Express functions that have it; 0: all
}

// flags reads the register of size bytes at offset; nil where it could not be
// read. Bits that are not of this type of function are left out.
func (d *decoder) flags(name string, offset, size int, table []bit) *fact.Flags {
	if !d.has(offset, size) {
		return nil
	}
	return d.flagsAnd("", name, offset, size, table)
}

// flagsAnd reads a register that holds values beside its flags, and leaves out
// the flags that are named in without.
func (d *decoder) flagsAnd(values, name string, offset, size int, table []bit, without ...string) *fact.Flags {
	f := &fact.Flags{Bits: make(map[string]bool, len(table))}
	text := d.bits(f.Bits, d.uint(offset, size), table, without)
	if values != "" {
		text += ", " + values
	}
	f.At = []fact.Line{d.cite(name, offset, size, "%s", text)}
	return f
}

// bits sets flags to what value says, and returns it as lspci prints it.
func (d *decoder) bits(flags map[string]bool, value uint32, table []bit, without []string) string {
	var text strings.Builder
	text.Grow(16 * len(table))
	for _, b := range table {
		if b.of != 0 && !b.of.has(d.portType) || slices.Contains(without, b.name) {
			continue
		}
		on := value&b.mask != 0
		flags[b.name] = on
		if text.Len() > 0 {
			text.WriteByte(' ')
		}
		text.WriteString(b.name)
		text.WriteString(sign(on))
	}
	return text.String()
}

func sign(on bool) string {
	if on {
		return "+"
	}
	return "-"
}

// The tables below name the bits as lspci 3.13 does, in its order.

var (
	// 7.5.3.4 Device Control; bit 15 has two meanings (PCI_EXP_DEVCTL_*)
	devCtlBits = []bit{
		{name: "CorrErr", mask: 0x0001},
		{name: "NonFatalErr", mask: 0x0002},
		{name: "FatalErr", mask: 0x0004},
		{name: "UnsupReq", mask: 0x0008},
		{name: "RlxdOrd", mask: 0x0010},
		{name: "ExtTag", mask: 0x0100},
		{name: "PhantFunc", mask: 0x0200},
		{name: "AuxPwr", mask: 0x0400},
		{name: "NoSnoop", mask: 0x0800},
		{name: "BrConfRtry", mask: 0x8000, of: typesOf(pcieToPCI)},
		{name: "FLReset", mask: 0x8000, of: resettable},
	}
	// 7.5.3.5 Device Status (PCI_EXP_DEVSTA_*)
	devStaBits = []bit{
		{name: "CorrErr", mask: 0x01},
		{name: "NonFatalErr", mask: 0x02},
		{name: "FatalErr", mask: 0x04},
		{name: "UnsupReq", mask: 0x08},
		{name: "AuxPwr", mask: 0x10},
		{name: "TransPend", mask: 0x20},
	}
	// 7.5.3.12 Root Control (PCI_EXP_RTCTL_*)
	rootCtlBits = []bit{
		{name: "ErrCorrectable", mask: 0x01},
		{name: "ErrNon-Fatal", mask: 0x02},
		{name: "ErrFatal", mask: 0x04},
		{name: "PMEIntEna", mask: 0x08},
		{name: "CRSVisible", mask: 0x10},
	}
	// 7.5.3.15 Device Capabilities 2 (PCI_EXP_DEVCAP2_*)
	devCap2Bits = []bit{
		{name: "TimeoutDis", mask: 0x0000_0010},
		{name: "NROPrPrP", mask: 0x0000_0400},
		{name: "LTR", mask: 0x0000_0800},
		{name: "10BitTagComp", mask: 0x0001_0000},
		{name: "10BitTagReq", mask: 0x0002_0000},
		{name: "ExtFmt", mask: 0x0010_0000},
		{name: "EETLPPrefix", mask: 0x0020_0000},
		{name: "EmergencyPowerReductionInit", mask: 0x0400_0000},
		{name: "FRS", mask: 0x8000_0000},
		{name: "TPHComp", mask: 0x0000_1000, of: typesOf(rootPort, endpoint)},
		{name: "ExtTPHComp", mask: 0x0000_2000, of: typesOf(rootPort, endpoint)},
		{name: "ARIFwd", mask: 0x0000_0020, of: typesOf(rootPort, downstreamPort)},
		{name: "Routing", mask: 0x0000_0040, of: typesOf(rootPort, upstreamPort, downstreamPort)},
		{name: "32bit", mask: 0x0000_0080},
		{name: "64bit", mask: 0x0000_0100},
		{name: "128bitCAS", mask: 0x0000_0200},
	}
	// completers are the bits of DevCap2 for functions that complete AtomicOps:
	// those with a memory BAR, and root ports.
	completers = []string{"32bit", "64bit", "128bitCAS"}
	// tphCompleter is a field of two bits, of which the value 2 is reserved.
	tphCompleter = []string{"TPHComp", "ExtTPHComp"}
	// 7.5.3.16 Device Control 2 (PCI_EXP_DEVCTL2_*)
	devCtl2Bits = []bit{
		{name: "TimeoutDis", mask: 0x0010},
		{name: "ARIFwd", mask: 0x0020, of: typesOf(rootPort, downstreamPort)},
		{name: "ReqEn", mask: 0x0040, of: typesOf(rootPort, endpoint, legacyEndpoint, integratedEndpoint)},
		{name: "EgressBlck", mask: 0x0080, of: typesOf(rootPort, upstreamPort, downstreamPort)},
		{name: "IDOReq", mask: 0x0100},
		{name: "IDOCompl", mask: 0x0200},
		{name: "LTR", mask: 0x0400},
		{name: "EmergencyPowerReductionReq", mask: 0x0800},
		{name: "10BitTagReq", mask: 0x1000},
		{name: "EETLPPrefixBlk", mask: 0x8000},
	}
	// 7.5.3.20 Link Status 2 (PCI_EXP_LNKSTA2_*)
	lnkSta2Bits = []bit{
		{name: "EqualizationComplete", mask: 0x0002},
		{name: "EqualizationPhase1", mask: 0x0004},
		{name: "EqualizationPhase2", mask: 0x0008},
		{name: "EqualizationPhase3", mask: 0x0010},
		{name: "LinkEqualizationRequest", mask: 0x0020},
		{name: "Retimer", mask: 0x0040},
		{name: "2Retimers", mask: 0x0080},
		{name: "DRS", mask: 0x8000, of: typesOf(rootPort, downstreamPort, pciToPCIe)},
	}

	// 7.8.4.2 to 7.8.4.4 Uncorrectable Error Status, Mask, Severity (PCI_ERR_UNC_*)
	uncorrectableBits = []bit{
		{name: "DLP", mask: 1 << 4},
		{name: "SDES", mask: 1 << 5},
		{name: "TLP", mask: 1 << 12},
		{name: "FCP", mask: 1 << 13},
		{name: "CmpltTO", mask: 1 << 14},
		{name: "CmpltAbrt", mask: 1 << 15},
		{name: "UnxCmplt", mask: 1 << 16},
		{name: "RxOF", mask: 1 << 17},
		{name: "MalfTLP", mask: 1 << 18},
		{name: "ECRC", mask: 1 << 19},
		{name: "UnsupReq", mask: 1 << 20},
		{name: "ACSViol", mask: 1 << 21},
		{name: "UncorrIntErr", mask: 1 << 22},
		{name: "BlockedTLP", mask: 1 << 23},
		{name: "AtomicOpBlocked", mask: 1 << 24},
		{name: "TLPBlockedErr", mask: 1 << 25},
		{name: "PoisonTLPBlocked", mask: 1 << 26},
		{name: "DMWrReqBlocked", mask: 1 << 27},
		{name: "IDECheck", mask: 1 << 28},
		{name: "MisIDETLP", mask: 1 << 29},
		{name: "PCRC_CHECK", mask: 1 << 30},
		{name: "TLPXlatBlocked", mask: 1 << 31},
	}
	// 7.8.4.5, 7.8.4.6 Correctable Error Status and Mask (PCI_ERR_COR_*)
	correctableBits = []bit{
		{name: "RxErr", mask: 1 << 0},
		{name: "BadTLP", mask: 1 << 6},
		{name: "BadDLLP", mask: 1 << 7},
		{name: "Rollover", mask: 1 << 8},
		{name: "Timeout", mask: 1 << 12},
		{name: "AdvNonFatalErr", mask: 1 << 13},
		{name: "CorrIntErr", mask: 1 << 14},
		{name: "HeaderOF", mask: 1 << 15},
	}
	// 7.8.4.9 Root Error Command (PCI_ERR_ROOT_CMD_*)
	rootCmdBits = []bit{
		{name: "CERptEn", mask: 0x01},
		{name: "NFERptEn", mask: 0x02},
		{name: "FERptEn", mask: 0x04},
	}
	// 7.8.4.10 Root Error Status (PCI_ERR_ROOT_*)
	rootStaBits = []bit{
		{name: "CERcvd", mask: 0x01},
		{name: "MultCERcvd", mask: 0x02},
		{name: "UERcvd", mask: 0x04},
		{name: "MultUERcvd", mask: 0x08},
		{name: "FirstFatal", mask: 0x10},
		{name: "NonFatalMsg", mask: 0x20},
		{name: "FatalMsg", mask: 0x40},
	}
	// ACS Capability and Control of Access Control Services (PCI_ACS_*)
	acsBits = []bit{
		{name: "SrcValid", mask: 0x01},
		{name: "TransBlk", mask: 0x02},
		{name: "ReqRedir", mask: 0x04},
		{name: "CmpltRedir", mask: 0x08},
		{name: "UpstreamFwd", mask: 0x10},
		{name: "EgressCtrl", mask: 0x20},
		{name: "DirectTrans", mask: 0x40},
	}
	// 7.9.14.3 DPC Control; Trigger is a field of two bits (PCI_EXP_DPC_CTL_*)
	dpcCtlBits = []bit{
		{name: "Trigger", mask: 0x03},
		{name: "Cmpl", mask: 0x04},
		{name: "INT", mask: 0x08},
		{name: "ErrCor", mask: 0x10},
		{name: "PoisonedTLP", mask: 0x20},
		{name: "SwTrigger", mask: 0x40},
		{name: "DL_ActiveErr", mask: 0x80},
	}
	// 7.9.14.4 DPC Status (PCI_EXP_DPC_STATUS_*)
	dpcStaBits = []bit{
		{name: "Trigger", mask: 0x01},
		{name: "INT", mask: 0x08},
		{name: "RPBusy", mask: 0x10},
	}
	// 7.8.3.2 L1 PM Substates Capabilities (PCI_L1SS_CAP_*)
	l1ssCapBits = []bit{
		{name: "PCI-PM_L1.2", mask: 0x01},
		{name: "PCI-PM_L1.1", mask: 0x02},
		{name: "ASPM_L1.2", mask: 0x04},
		{name: "ASPM_L1.1", mask: 0x08},
		{name: "L1_PM_Substates", mask: 0x10},
	}
	// 7.8.3.3 L1 PM Substates Control 1 (PCI_L1SS_CTL1_*)
	l1ssCtlBits = l1ssCapBits[:4]
)
