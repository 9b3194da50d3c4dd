package lspci

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
)

// The made-up machine of the benchmarks: per bus a root port and an endpoint
// behind it, in the wording of 3.9.0 and 3.13.0.
const benchPort = `0000:%02x:01.0 PCI bridge [0604]: Example Corporation Root Port #1 [8086:a0b%x] (rev 0b) (prog-if 00 [Normal decode])
	Subsystem: Example Corporation Device [1028:0a3c]
	Physical Slot: 2
	Control: I/O+ Mem+ BusMaster+ SpecCycle- MemWINV- VGASnoop- ParErr- Stepping- SERR- FastB2B- DisINTx+
	Status: Cap+ 66MHz- UDF- FastB2B- ParErr- DEVSEL=fast >TAbort- <TAbort- <MAbort- >SERR- <PERR- INTx-
	Latency: 0, Cache Line Size: 64 bytes
	Interrupt: pin A routed to IRQ 122
	IOMMU group: 2
	Bus: primary=00, secondary=01, subordinate=01, sec-latency=0
	I/O behind bridge: f000-0fff [disabled] [16-bit]
	Memory behind bridge: a0000000-a11fffff [size=18M] [32-bit]
	Prefetchable memory behind bridge: 6000000000-61ffffffff [size=8G] [64-bit]
	Secondary status: 66MHz- FastB2B- ParErr- DEVSEL=fast >TAbort- <TAbort- <MAbort- <SERR- <PERR-
	BridgeCtl: Parity- SERR+ NoISA- VGA- VGA16- MAbort- >Reset- FastB2B-
		PriDiscTmr- SecDiscTmr- DiscTmrStat- DiscTmrSERREn-
	Capabilities: [40] Express (v2) Root Port (Slot+), MSI 00
		DevCap:	MaxPayload 256 bytes, PhantFunc 0
			ExtTag- RBE+
		DevCtl:	CorrErr+ NonFatalErr+ FatalErr+ UnsupReq+
			RlxdOrd- ExtTag- PhantFunc- AuxPwr- NoSnoop-
			MaxPayload 256 bytes, MaxReadReq 128 bytes
		DevSta:	CorrErr+ NonFatalErr- FatalErr- UnsupReq- AuxPwr+ TransPend-
		LnkCap:	Port #5, Speed 16GT/s, Width x16, ASPM L1, Exit Latency L1 <16us
			ClockPM- Surprise- LLActRep+ BwNot+ ASPMOptComp+
		LnkCtl:	ASPM L1 Enabled; RCB 64 bytes, Disabled- CommClk+
			ExtSynch- ClockPM- AutWidDis- BWInt+ AutBWInt-
		LnkSta:	Speed 16GT/s, Width x16
			TrErr- Train- SlotClk+ DLActive+ BWMgmt+ ABWMgmt-
		SltCap:	AttnBtn- PwrCtrl- MRL- AttnInd- PwrInd- HotPlug- Surprise-
			Slot #2, PowerLimit 75W; Interlock- NoCompl+
		SltCtl:	Enable: AttnBtn- PwrFlt- MRL- PresDet- CmdCplt- HPIrq- LinkChg-
			Control: AttnInd Unknown, PwrInd Unknown, Power- Interlock-
		SltSta:	Status: AttnBtn- PowerFlt- MRL- CmdCplt- PresDet+ Interlock-
			Changed: MRL- PresDet- LinkState-
		RootCap: CRSVisible-
		RootCtl: ErrCorrectable- ErrNon-Fatal- ErrFatal- PMEIntEna+ CRSVisible-
		RootSta: PME ReqID 0000, PMEStatus- PMEPending-
		DevCap2: Completion Timeout: Range ABC, TimeoutDis+ NROPrPrP- LTR+
			 10BitTagComp- 10BitTagReq- OBFF Not Supported, ExtFmt- EETLPPrefix-
			 EmergencyPowerReduction Not Supported, EmergencyPowerReductionInit-
			 FRS- LN System CLS Not Supported, TPHComp- ExtTPHComp- ARIFwd+
			 AtomicOpsCap: Routing- 32bit- 64bit- 128bitCAS-
		DevCtl2: Completion Timeout: 50us to 50ms, TimeoutDis- LTR+ 10BitTagReq- OBFF Disabled, ARIFwd-
			 AtomicOpsCtl: ReqEn- EgressBlck-
		LnkCap2: Supported Link Speeds: 2.5-16GT/s, Crosslink- Retimer+ 2Retimers+ DRS-
		LnkCtl2: Target Link Speed: 16GT/s, EnterCompliance- SpeedDis-
			 Transmit Margin: Normal Operating Range, EnterModifiedCompliance- ComplianceSOS-
			 Compliance Preset/De-emphasis: -6dB de-emphasis, 0dB preshoot
		LnkSta2: Current De-emphasis Level: -6dB, EqualizationComplete+ EqualizationPhase1+
			 EqualizationPhase2+ EqualizationPhase3+ LinkEqualizationRequest-
			 Retimer- 2Retimers- CrosslinkRes: unsupported
	Capabilities: [80] MSI: Enable+ Count=1/1 Maskable- 64bit-
		Address: fee00258  Data: 0000
	Capabilities: [a0] Power Management version 3
		Flags: PMEClk- DSI- D1- D2- AuxCurrent=0mA PME(D0+,D1-,D2-,D3hot+,D3cold+)
		Status: D0 NoSoftRst- PME-Enable- DSel=0 DScale=0 PME-
	Capabilities: [100 v1] Advanced Error Reporting
		UESta:	DLP- SDES- TLP- FCP- CmpltTO- CmpltAbrt- UnxCmplt- RxOF- MalfTLP- ECRC- UnsupReq- ACSViol-
		UEMsk:	DLP- SDES- TLP- FCP- CmpltTO- CmpltAbrt- UnxCmplt- RxOF- MalfTLP- ECRC- UnsupReq- ACSViol-
		UESvrt:	DLP+ SDES- TLP- FCP- CmpltTO- CmpltAbrt- UnxCmplt- RxOF+ MalfTLP+ ECRC- UnsupReq- ACSViol-
		CESta:	RxErr- BadTLP- BadDLLP- Rollover- Timeout- AdvNonFatalErr-
		CEMsk:	RxErr- BadTLP- BadDLLP- Rollover- Timeout- AdvNonFatalErr+
		AERCap:	First Error Pointer: 00, ECRCGenCap- ECRCGenEn- ECRCChkCap- ECRCChkEn-
			MultHdrRecCap- MultHdrRecEn- TLPPfxPres- HdrLogCap-
		HeaderLog: 00000000 00000000 00000000 00000000
		RootCmd: CERptEn+ NFERptEn+ FERptEn+
		RootSta: CERcvd- MultCERcvd- UERcvd- MultUERcvd-
			 FirstFatal- NonFatalMsg- FatalMsg- IntMsg 0
		ErrorSrc: ERR_COR: 0000 ERR_FATAL/NONFATAL: 0000
	Capabilities: [220 v1] Access Control Services
		ACSCap:	SrcValid+ TransBlk+ ReqRedir+ CmpltRedir+ UpstreamFwd+ EgressCtrl- DirectTrans-
		ACSCtl:	SrcValid+ TransBlk- ReqRedir+ CmpltRedir+ UpstreamFwd+ EgressCtrl- DirectTrans-
	Capabilities: [a30 v1] Secondary PCI Express
		LnkCtl3: LnkEquIntrruptEn- PerformEqu-
		LaneErrStat: 0
	Kernel driver in use: pcieport

`

const benchEndpoint = `0000:%02x:00.0 Ethernet controller [0200]: Example Corporation Network Adapter [8086:15b%x] (rev 02)
	Subsystem: Example Corporation Dual Port Adapter [8086:0001]
	Control: I/O- Mem+ BusMaster+ SpecCycle- MemWINV- VGASnoop- ParErr- Stepping- SERR- FastB2B- DisINTx+
	Status: Cap+ 66MHz- UDF- FastB2B- ParErr- DEVSEL=fast >TAbort- <TAbort- <MAbort- >SERR- <PERR- INTx-
	Latency: 0, Cache Line Size: 64 bytes
	Interrupt: pin A routed to IRQ 17
	NUMA node: 0
	IOMMU group: 15
	Region 0: Memory at 6000000000 (64-bit, prefetchable) [size=16M]
	Region 3: Memory at 6001000000 (64-bit, prefetchable) [size=32K]
	Expansion ROM at a1080000 [disabled] [size=512K]
	Capabilities: [40] Power Management version 3
		Flags: PMEClk- DSI+ D1- D2- AuxCurrent=0mA PME(D0+,D1-,D2-,D3hot+,D3cold+)
		Status: D0 NoSoftRst+ PME-Enable- DSel=0 DScale=1 PME-
	Capabilities: [70] MSI-X: Enable+ Count=129 Masked-
		Vector table: BAR=3 offset=00000000
		PBA: BAR=3 offset=00001000
	Capabilities: [a0] Express (v2) Endpoint, IntMsgNum 0
		DevCap:	MaxPayload 2048 bytes, PhantFunc 0, Latency L0s <512ns, L1 <64us
			ExtTag+ AttnBtn- AttnInd- PwrInd- RBE+ FLReset+ SlotPowerLimit 75W TEE-IO-
		DevCtl:	CorrErr+ NonFatalErr+ FatalErr+ UnsupReq+
			RlxdOrd+ ExtTag+ PhantFunc- AuxPwr- NoSnoop+ FLReset-
			MaxPayload 256 bytes, MaxReadReq 512 bytes
		DevSta:	CorrErr- NonFatalErr- FatalErr- UnsupReq- AuxPwr- TransPend-
		LnkCap:	Port #0, Speed 8GT/s, Width x8, ASPM L1, Exit Latency L1 <16us
			ClockPM- Surprise- LLActRep- BwNot- ASPMOptComp+
		LnkCtl:	ASPM L1 Enabled; RCB 64 bytes, LnkDisable- CommClk+
			ExtSynch- ClockPM- AutWidDis- BWInt- AutBWInt-
		LnkSta:	Speed 8GT/s, Width x4 (downgraded)
			TrErr- Train- SlotClk+ DLActive- BWMgmt- ABWMgmt-
		DevCap2: Completion Timeout: Range AB, TimeoutDis+ NROPrPrP- LTR-
			 10BitTagComp- 10BitTagReq- OBFF Not Supported, ExtFmt- EETLPPrefix-
			 EmergencyPowerReduction Not Supported, EmergencyPowerReductionInit-
			 FRS- TPHComp- ExtTPHComp-
			 AtomicOpsCap: 32bit- 64bit- 128bitCAS-
		DevCtl2: Completion Timeout: 50us to 50ms, TimeoutDis-
			 AtomicOpsCtl: ReqEn-
			 IDOReq- IDOCompl- LTR- EmergencyPowerReductionReq-
			 10BitTagReq- OBFF Disabled, EETLPPrefixBlk-
	Capabilities: [e0] Vital Product Data
		Product Name: Example Adapter
		Read-only fields:
			[V0] Vendor specific: FFV1
			[PN] Part number: EX000
			[RV] Reserved: checksum good, 1 byte(s) reserved
		End
	Capabilities: [100 v2] Advanced Error Reporting
		UESta:	DLP- SDES- TLP- FCP- CmpltTO- CmpltAbrt- UnxCmplt- RxOF- MalfTLP-
			ECRC- UnsupReq- ACSViol- UncorrIntErr- BlockedTLP- AtomicOpBlocked- TLPBlockedErr-
			PoisonTLPBlocked- DMWrReqBlocked- IDECheck- MisIDETLP- PCRC_CHECK- TLPXlatBlocked-
		UEMsk:	DLP- SDES- TLP- FCP- CmpltTO- CmpltAbrt- UnxCmplt- RxOF- MalfTLP-
			ECRC- UnsupReq- ACSViol- UncorrIntErr- BlockedTLP- AtomicOpBlocked- TLPBlockedErr-
			PoisonTLPBlocked- DMWrReqBlocked- IDECheck- MisIDETLP- PCRC_CHECK- TLPXlatBlocked-
		UESvrt:	DLP+ SDES+ TLP- FCP+ CmpltTO- CmpltAbrt- UnxCmplt- RxOF+ MalfTLP+
			ECRC- UnsupReq- ACSViol- UncorrIntErr- BlockedTLP- AtomicOpBlocked- TLPBlockedErr-
			PoisonTLPBlocked- DMWrReqBlocked- IDECheck- MisIDETLP- PCRC_CHECK- TLPXlatBlocked-
		CESta:	RxErr- BadTLP- BadDLLP- Rollover- Timeout- AdvNonFatalErr+ CorrIntErr- HeaderOF-
		CEMsk:	RxErr- BadTLP- BadDLLP- Rollover- Timeout- AdvNonFatalErr+ CorrIntErr- HeaderOF-
		AERCap:	First Error Pointer: 00, ECRCGenCap+ ECRCGenEn- ECRCChkCap+ ECRCChkEn-
			MultHdrRecCap- MultHdrRecEn- TLPPfxPres- HdrLogCap-
		HeaderLog: 00000000 00000000 00000000 00000000
	Capabilities: [150 v1] Alternative Routing-ID Interpretation (ARI)
		ARICap:	MFVC- ACS-, Next Function: 1
		ARICtl:	MFVC- ACS-, Function Group: 0
	Capabilities: [160 v1] Single Root I/O Virtualization (SR-IOV)
		IOVCap:	Migration- 10BitTagReq- IntMsgNum 0
		IOVCtl:	Enable- Migration- Interrupt- MSE- ARIHierarchy+ 10BitTagReq-
		IOVSta:	Migration-
		Initial VFs: 64, Total VFs: 64, Number of VFs: 0, Function Dependency Link: 00
		VF offset: 16, stride: 1, Device ID: 154c
		Supported Page Size: 00000553, System Page Size: 00000001
		Region 0: Memory at 0000006001010000 (64-bit, prefetchable)
		VF Migration: offset: 00000000, BIR: 0
	Kernel driver in use: i40e
	Kernel modules: i40e

`

// machine returns at least n bytes of listing.
func machine(n int) []byte {
	var b bytes.Buffer
	for i := 0; b.Len() < n; i++ {
		fmt.Fprintf(&b, benchPort, i%256, i%16)
		fmt.Fprintf(&b, benchEndpoint, i%256, i%16)
	}
	return b.Bytes()
}

func bench(b *testing.B, text []byte) {
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Parse(bytes.NewReader(text), "cmd/lspci-vvv.txt"); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkParse(b *testing.B) { bench(b, machine(2<<20)) }

func BenchmarkParseHexRows(b *testing.B) {
	row := "00: 86 80 b0 a0 07 04 10 00 0b 00 04 06 10 00 81 00\n"
	bench(b, []byte("00:01.0 Host bridge: Example\n"+strings.Repeat(row, 40000)))
}

// The adversarial texts: each must take twice as long at twice the size.
var adversarial = map[string]func(n int) []byte{
	"same address": func(n int) []byte { return bytes.Repeat([]byte("00:00.0 Host bridge: x\n"), n/23) },
	"one long line": func(n int) []byte {
		return append(append([]byte("00:00.0 a: b\n\tSubsystem: "), bytes.Repeat([]byte("x"), n)...), '\n')
	},
	"continuation lines": func(n int) []byte {
		return append([]byte("00:00.0 a: b\n\tSubsystem: x\n"), bytes.Repeat([]byte("\t\ty\n"), n/4)...)
	},
	"cut by messages": func(n int) []byte {
		return append([]byte("00:00.0 a: b\n"), bytes.Repeat([]byte("x pcilib: y\n"), n/12)...)
	},
	"flags": func(n int) []byte {
		return []byte("00:00.0 a: b\n\tCapabilities: [100 v1] Advanced Error Reporting\n\t\tUESta:\t" + strings.Repeat("PresDe PresDetx ", n/16) + "\n")
	},
	"regions": func(n int) []byte {
		return append([]byte("00:00.0 a: b\n"), bytes.Repeat([]byte("\tRegion 0: Memory at 0 (32-bit)\n"), n/32)...)
	},
	"headers": func(n int) []byte {
		var b bytes.Buffer
		for i := 0; b.Len() < n; i++ {
			fmt.Fprintf(&b, "%04x:%02x:%02x.%d a: b\n", i>>16, i>>8&0xff, i>>3&0x1f, i&7)
		}
		return b.Bytes()
	},
	"lines of one device": func(n int) []byte {
		return append([]byte("00:00.0 a: b\n"), bytes.Repeat([]byte("\tLatency: 0\n\tIOMMU group: 7\n\tPhysical Slot: 1\n"), n/47)...)
	},
	"capabilities": func(n int) []byte {
		return append([]byte("00:00.0 a: b\n"), bytes.Repeat([]byte("\tCapabilities: [40] Express (v2) Endpoint, MSI 00\n\t\tDevSta:\tCorrErr+\n\tCapabilities: [100] AER\n"), n/88)...)
	},
	"deep tree": func(n int) []byte {
		const deep = "-[0000:00]---00.0"
		return append([]byte(deep+strings.Repeat("-[01-ff]----00.0", n/2/16)+"\n"), bytes.Repeat([]byte(deep+strings.Repeat("-[01-ff]--+-00.0", 300)+"\n"), n/2/5000)...)
	},
	"marks of a tree": func(n int) []byte {
		row := strings.Repeat("|", 200) + "+-00.0\n"
		return append([]byte("-[0000:00]-"+strings.Repeat("+-00.0-[01]-", 250)+"\n"), bytes.Repeat([]byte(row), n/len(row))...)
	},
	"path": func(n int) []byte {
		head := "00:00.0 a: b\n\tBus: primary=00, secondary=00, subordinate=ff\n"
		line := "00:00.0" + strings.Repeat("/00.0", 100) + " a: b\n"
		return append([]byte(head), bytes.Repeat([]byte(line), n/len(line))...)
	},
	"soft breaks": func(n int) []byte {
		return append([]byte("00:00.0 a: b\n\tSubsystem: "), bytes.Repeat([]byte(strings.Repeat("x", 70)+"=\n"), n/72)...)
	},
	"escapes": func(n int) []byte {
		return append([]byte("00:00.0 a: b\n\tSubsystem: "), bytes.Repeat([]byte("&amp;amp;\x1b[=E2=80&"), n/20)...)
	},
	"titles without an end": func(n int) []byte { return append([]byte("00:00.0 a: b "), bytes.Repeat([]byte("\x1b]"), n/2)...) },
	"entities in one line":  func(n int) []byte { return append([]byte("00:00.0 a: &"), bytes.Repeat([]byte("amp;"), n/4)...) },
	"numbered": func(n int) []byte {
		return bytes.Repeat([]byte("    17\t00:00.0 Host bridge: x\nx\nx\nx\nx\n"), n/38)
	},
	"unread": func(n int) []byte { return bytes.Repeat([]byte("neither here nor there\n"), n/23) },
}

func BenchmarkAdversarial(b *testing.B) {
	for name, text := range adversarial {
		for _, size := range []int{1 << 20, 2 << 20} {
			b.Run(fmt.Sprintf("%s/%dMiB", strings.ReplaceAll(name, " ", "-"), size>>20), func(b *testing.B) { bench(b, text(size)) })
		}
	}
}
