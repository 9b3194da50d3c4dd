package lspci

import (
	"bytes"
	"strings"
	"testing"
)

// everything is a made-up listing with each line that lspci can print below a
// device, in the wording of 3.15 and, where an older one differs, in that too.
const everything = `00:01.0 PCI bridge: Example (rev 01) (prog-if 00 [Normal decode])
	DeviceName: Onboard
	Subsystem: Example Board
	!!! Invalid class 0604 for header type 00
	!!! Unknown header type 7f
	Physical Slot: 2
	Device tree node: /soc/pcie@0
	Flags: bus master, fast devsel, latency 0, IRQ 16, NUMA node 0, IOMMU group 1
	Control: I/O+ Mem+ BusMaster+ SpecCycle- MemWINV- VGASnoop- ParErr- Stepping- SERR- FastB2B- DisINTx+
	Status: Cap+ 66MHz- UDF- FastB2B- ParErr- DEVSEL=fast >TAbort- <TAbort- <MAbort- >SERR- <PERR- INTx-
	Latency: 0, Cache Line Size: 64 bytes
	Interrupt: pin A routed to IRQ 122
	Interrupts: pin A disabled, MSI(X) routed to IRQ 122-125
	NUMA node: 0
	IOMMU group: 1
	BIST result: 00
	BIST is running
	Region 0: Memory at f0000000 (64-bit, prefetchable) [size=16M]
	Memory at f1000000 (32-bit, non-prefetchable) [size=1M]
	I/O ports at 3000 [size=32]
	[virtual] Memory at f2000000 (32-bit, non-prefetchable)
	[virtual] I/O ports at 3000
	[enhanced] Memory at f3000000 (32-bit, non-prefetchable)
	Bus: primary=00, secondary=01, subordinate=02, sec-latency=0
	I/O behind bridge: f000-0fff [disabled] [16-bit]
	Memory behind bridge: a0000000-a11fffff [size=18M] [32-bit]
	Prefetchable memory behind bridge: 6000000000-61ffffffff [size=8G] [64-bit]
	Unknown resource behind bridge: 1000-1fff
	Memory window 0: c0000000-c3ffffff (prefetchable)
	I/O window 1: 00003400-000034ff
	Secondary status: 66MHz- FastB2B- ParErr- DEVSEL=fast >TAbort- <TAbort- <MAbort- <SERR- <PERR-
	16-bit legacy interface ports at 0001
	<access denied to the rest>
	Expansion ROM at a1080000 [disabled] [size=512K]
	BridgeCtl: Parity- SERR+ NoISA- VGA- VGA16- MAbort- >Reset- FastB2B-
		PriDiscTmr- SecDiscTmr- DiscTmrStat- DiscTmrSERREn-
	Kernel driver in use: pcieport
	Driver in use: pcieport
	Kernel modules: shpchp
01:00.0 Ethernet controller: Example
	[virtual] Expansion ROM at 000c0000 [disabled]
	Capabilities: [40] Power Management version 3
		Flags: PMEClk- DSI- D1- D2- AuxCurrent=0mA PME(D0+,D1-,D2-,D3hot+,D3cold+)
		Status: D0 NoSoftRst+ PME-Enable- DSel=0 DScale=0 PME-
		Bridge: PM- B3+
	Capabilities: [48] MSI: Enable+ Count=1/1 Maskable+ 64bit+
		Address: 00000000fee00258  Data: 0000
		Masking: 00000000  Pending: 00000000
	Capabilities: [50] MSI-X: Enable+ Count=129 Masked-
		Vector table: BAR=3 offset=00000000
		PBA: BAR=3 offset=00001000
	Capabilities: [60] Express (v2) Root Port (Slot+), IntMsgNum 0
		DevCap:	MaxPayload 256 bytes, PhantFunc 0, Latency L0s <64ns, L1 <1us
			ExtTag+ AttnBtn- AttnInd- PwrInd- RBE+ FLReset+ SlotPowerLimit 75W TEE-IO-
		DevCtl:	CorrErr+ NonFatalErr+ FatalErr+ UnsupReq+
			RlxdOrd+ ExtTag+ PhantFunc- AuxPwr- NoSnoop+ FLReset-
			MaxPayload 256 bytes, MaxReadReq 512 bytes
		DevSta:	CorrErr- NonFatalErr- FatalErr- UnsupReq- AuxPwr+ TransPend-
		LnkCap:	Port #5, Speed 16GT/s, Width x16, ASPM L1, Exit Latency L1 <16us
			ClockPM- Surprise- LLActRep+ BwNot+ ASPMOptComp+
		LnkCtl:	ASPM Disabled; RCB 64 bytes, LnkDisable- CommClk+
			ExtSynch- ClockPM- AutWidDis- BWInt+ AutBWInt- FltModeDis-
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
		DevCtl2: Completion Timeout: 50us to 50ms, TimeoutDis- ARIFwd-
			 AtomicOpsCtl: ReqEn- EgressBlck-
			 IDOReq- IDOCompl- LTR- EmergencyPowerReductionReq-
			 10BitTagReq- OBFF Disabled, EETLPPrefixBlk-
		LnkCap2: Supported Link Speeds: 2.5-16GT/s, Crosslink- Retimer+ 2Retimers+ DRS-
		LnkCtl2: Target Link Speed: 16GT/s, EnterCompliance- SpeedDis-
			 Transmit Margin: Normal Operating Range, EnterModifiedCompliance- ComplianceSOS-
			 Compliance Preset/De-emphasis: -6dB de-emphasis, 0dB preshoot
			 Compliance De-emphasis: -6dB
		LnkSta2: Current De-emphasis Level: -6dB, EqualizationComplete+ EqualizationPhase1+
			 EqualizationPhase2+ EqualizationPhase3+ LinkEqualizationRequest-
			 Retimer- 2Retimers- CrosslinkRes: unsupported, DRS-
			 DownstreamComp: Link Down
		Device: Latency L0s <64ns, L1 <1us
		Link: Latency L0s <256ns, L1 <4us
		Slot: AtnBtn- PwrCtrl- MRL- AtnInd- PwrInd- HotPlug- Surpise-
		Root: Correctable- Non-Fatal- Fatal- PME-
	Capabilities: [98] PCI Advanced Features
		AFCap: TP+ FLR+
		AFCtrl: FLR-
		AFStatus: TP-
	Capabilities: [a0] Vendor Specific Information: VirtIO: Notify
		BAR=4 offset=00003000 size=00001000 multiplier=00000004
		multiplier=00000004
	Capabilities: [a8] Vendor Specific Information: Intel Capabilities v1
		CapA: Peg60Dis- Peg12Dis- Peg11Dis- Peg10Dis- PeLWUDis- DmiWidth=x4
		CapB: ImguDis- OCbySSKUCap- OCbySSKUEn- SMTCap- CacheSzCap 0x0
		CapC: PegGen4Dis- ComponentDis-
	Capabilities: [b0] AGP version 3.5
		Status: RQ=32 Iso- ArqSz=2 Cal=0 SBA+ ITACoh- GART64- HTrans- 64bit- FW+ AGP3+ Rate=x8
		Command: RQ=32 ArqSz=2 Cal=0 SBA+ AGP+ GART64- 64bit- FW- Rate=x8
	Capabilities: [b8] PCI-X bridge device
		Secondary Status: 64bit- 133MHz- SCD- USC- SCO- SRD- Freq=conv
		Status: Dev=ff:1f.0 64bit- 133MHz- SCD- USC- SCO- SRD-
		Upstream: Capacity=65535 CommitmentLimit=65535
		Downstream: Capacity=65535 CommitmentLimit=65535
		Command: DPERE- ERO- RBC=512 OST=1
	Capabilities: [c0] HyperTransport: Slave or Primary Interface
		!!! Possibly incomplete decoding
		Command: BaseUnitID=0 UnitCnt=20 MastHost- DefDir- DUL-
		Link Control 0: CFlE- CST- CFE- <LkFail- Init+ EOC- TXO- <CRCErr=0
		Link Config 0: MLWI=16bit DwFcIn- MLWO=16bit
		Revision ID: 3.00
		Link Frequency 0: 200MHz
		Link Error 0: <Prot- <Ovfl- <EOC- CTLTm-
		Link Frequency Capability 0: 200MHz+ 300MHz-
		Feature Capability: IsocFC+ LDTSTOP+
		Error Handling: PFlE- OFlE-
		Prefetchable memory behind bridge Upper: 00-00
		Bus Number: 00
	Capabilities: [c8] HyperTransport: Host or Secondary Interface
		Link Control: CFlE- CST- CFE-
		Link Config: MLWI=8bit
		Link Frequency: 200MHz
		Link Error: <Prot- <Ovfl-
		Link Frequency Capability: 200MHz+
	Capabilities: [cc] HyperTransport: MSI Mapping Enable+ Fixed-
		Mapping Address Base: 00000000fee00000
	Capabilities: [d0] Enhanced Allocation (EA): NumEntries=1, secondary=1, subordinate=2
		Entry 0: Enable+ Writable- EntrySize=3
			 BAR Equivalent Indicator: BAR 0
			 PrimaryProperties: memory space, non-prefetchable
			 SecondaryProperties: entry unavailable for use, PrimaryProperties should be used
			 Base: 84300000
			 MaxOffset: 0000ffff
	Capabilities: [e0] Vital Product Data
		Product Name: Example Adapter
		Read-only fields:
			[PN] Part number: X
			[EC] Engineering changes: X
			[SN] Serial number: X
			[MN] Manufacture ID: X
			[CP] Extended capability: X
			[V0] Vendor specific: X
			[RV] Reserved: checksum good, 1 byte(s) reserved
			[CC] CCIN: X
			[FC] Feature code: X
			[FN] FRU: X
			[NA] Network address: X
			[RM] Firmware version: X
			[Z0] Product specific: X
			[XX] Unknown: X
		Read/write fields:
			[YA] Asset tag: X
			[Y0] System specific: X
			[RW] Read-write area: 1 byte(s) free
		Unknown small resource type 02, will not decode more.
		Unknown large resource type 02
		No end tag found
		Not readable
		End
	Capabilities: [100 v1] Advanced Error Reporting
		UESta:	DLP- SDES- TLP- FCP- CmpltTO- CmpltAbrt- UnxCmplt- RxOF- MalfTLP-
			ECRC- UnsupReq- ACSViol- UncorrIntErr- BlockedTLP- AtomicOpBlocked- TLPBlockedErr-
			PoisonTLPBlocked- DMWrReqBlocked- IDECheck- MisIDETLP- PCRC_CHECK- TLPXlatBlocked-
		UEMsk:	DLP- SDES- TLP- FCP-
		UESvrt:	DLP- SDES- TLP- FCP-
		CESta:	RxErr- BadTLP- BadDLLP- Rollover- Timeout- AdvNonFatalErr- CorrIntErr- HeaderOF-
		CEMsk:	RxErr- BadTLP- BadDLLP- Rollover- Timeout- AdvNonFatalErr+ CorrIntErr- HeaderOF-
		AERCap:	First Error Pointer: 00, ECRCGenCap- ECRCGenEn- ECRCChkCap- ECRCChkEn-
			MultHdrRecCap- MultHdrRecEn- TLPPfxPres- HdrLogCap-
		HeaderLog: 00000000 00000000 00000000 00000000
		RootCmd: CERptEn+ NFERptEn+ FERptEn+
		RootSta: CERcvd- MultCERcvd- UERcvd- MultUERcvd-
			 FirstFatal- NonFatalMsg- FatalMsg- IntMsgNum 0
		ErrorSrc: ERR_COR: 0000 ERR_FATAL/NONFATAL: 0000
	Capabilities: [140 v1] Virtual Channel
		Caps:	LPEVC=0 RefClk=100ns PATEntryBits=1
		Arb:	Fixed- WRR32- WRR64- WRR128-
		Ctrl:	ArbSelect=Fixed
		Status:	InProgress-
		Port Arbitration Table [200] <?>
		VC0:	Caps:	PATOffset=00 MaxTimeSlots=1 RejSnoopTrans-
			Arb:	Fixed- WRR32- WRR64- WRR128- TWRR128- WRR256-
			Ctrl:	Enable+ ID=0 ArbSelect=Fixed TC/VC=ff
			Status:	NegoPending- InProgress-
	Capabilities: [148 v1] Device Serial Number 00-11-22-ff-ff-33-44-55
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
	Capabilities: [1a0 v1] Transaction Processing Hints
		Interrupt vector mode supported
		Device specific mode supported
		Extended requester support
		No steering table available
		Steering table in TPH capability structure
		Reserved steering table location
	Capabilities: [1b0 v1] Access Control Services
		ACSCap:	SrcValid- TransBlk- ReqRedir- CmpltRedir- UpstreamFwd- EgressCtrl- DirectTrans-
		ACSCtl:	SrcValid- TransBlk- ReqRedir- CmpltRedir- UpstreamFwd- EgressCtrl- DirectTrans-
	Capabilities: [1c0 v1] Address Translation Service (ATS)
		ATSCap:	Invalidate Queue Depth: 00
		ATSCtl:	Enable+, Smallest Translation Unit: 00
	Capabilities: [1d0 v1] Page Request Interface (PRI)
		PRICtl: Enable- Reset-
		PRISta: RF- UPRGI- Stopped+ PASID+
		Page Request Capacity: 00000100, Page Request Allocation: 00000000
	Capabilities: [1e0 v1] Process Address Space ID (PASID)
		PASIDCap: Exec- Priv+, Max PASID Width: 14
		PASIDCtl: Enable- Exec- Priv-
	Capabilities: [1f0 v1] Downstream Port Containment
		DpcCap:	IntMsgNum 0, RPExt+ PoisonedTLP+ SwTrigger+ RP PIO Log 4, DL_ActiveErr+
		DpcCtl:	Trigger:0 Cmpl- INT- ErrCor- PoisonedTLP- SwTrigger- DL_ActiveErr-
		DpcSta:	Trigger- Reason:00 INT- RPBusy- TriggerExt:00 RP PIO ErrPtr:1f
		Source:	0000
	Capabilities: [200 v1] Physical Resizable BAR
		BAR 0: current size: 16GB, supported: 256MB 512MB
		<error in resizable BAR: num_bars=0 is out of specification>
		<unreadable>
	Capabilities: [210 v1] Virtual Resizable BAR
		BAR 0: current size: 1GB, supported: 1GB 2GB
		<error in resizable BAR: num_bars=0 is out of specification>
		<unreadable>
	Capabilities: [220 v1] Secondary PCI Express
		LnkCtl3: LnkEquIntrruptEn- PerformEqu-
		LaneErrStat: 0
	Capabilities: [230 v1] L1 PM Substates
		L1SubCap: PCI-PM_L1.2+ PCI-PM_L1.1+ ASPM_L1.2+ ASPM_L1.1+ L1_PM_Substates+
			  PortCommonModeRestoreTime=40us PortTPowerOnTime=44us
		L1SubCtl1: PCI-PM_L1.2+ PCI-PM_L1.1+ ASPM_L1.2+ ASPM_L1.1+
			   T_CommonMode=40us LTR1.2_Threshold=65536ns
		L1SubCtl2: T_PwrOn=44us
	Capabilities: [240 v1] Latency Tolerance Reporting
		Max snoop latency: 3145728ns
		Max no snoop latency: 3145728ns
	Capabilities: [250 v1] Precision Time Measurement
		PTMCap: Requester+ Responder- Root-
		PTMClockGranularity: 4ns
		PTMControl: Enabled- RootSelected-
		PTMEffectiveGranularity: Unknown
	Capabilities: [260 v1] Multicast
		McastCap: MaxGroups 64, ECRCRegen-
		McastCtl: NumGroups 1, Enable-
		McastBAR: IndexPos 0, BaseAddr 0000000000000000
		McastReceiveVec:      0000000000000000
		McastBlockAllVec:     0000000000000000
		McastBlockUntransVec: 0000000000000000
		McastOverlayBAR: OverlaySize 0 (disabled), BaseAddr 0000000000000000
	Capabilities: [270 v1] Root Complex Link
		Desc:	PortNumber=0f ComponentID=02 EltType=Config
		Link0:	Desc:	TargetPort=00 TargetComponent=02 AssocRCRB- LinkType=MemMapped LinkValid+
			Addr:	00000000fed1c000
	Capabilities: [280 v2] Root Complex Event Collector Endpoint Association
		RCiEPBitmap: RCiEP at Device(s): 1-2
		AssociatedBusNumbers: 6b-6b
	Capabilities: [290 v1] Lane Margining at the Receiver
		PortCap: Uses Driver-
		PortSta: MargReady- MargSoftReady-
	Capabilities: [2a0 v1] Physical Layer 16.0 GT/s
		Phy16Sta: EquComplete- EquPhase1- EquPhase2- EquPhase3- LinkEquRequest-
	Capabilities: [2b0 v1] Physical Layer 32.0 GT/s
		Phy32Cap: EqualizationBypass+ NoEqualizationNeeded-
			  ModTsMode0+ ModTsMode1- ModTsMode2-
		Phy32Ctl: EqualizationBypassDis- NoEqualizationNeededDis-
			  Modified TS Usage Mode: PCI Express
		Phy32Sta: EquComplete- EquPhase1- EquPhase2- EquPhase3- LinkEquRequest-
			  Received Enhanced Link Behavior Control: Full Equalization required
			  ModTsRecv- TxPrecodeOn- TxPrecodeReq- NoEqualizationNeededRecv-
		<unreadable>
	Capabilities: [2c0 v1] Physical Layer 64.0 GT/s
		Phy64Sta: EquComplete- EquPhase1- EquPhase2- EquPhase3- LinkEquRequest-
			  TxPrecodeOn- TxPrecodeReq- NoEqualizationNeededRecv-
	Capabilities: [2d0 v1] Designated Vendor-Specific: Vendor=1e98 ID=0000 Rev=2 Len=60: CXL
		PCIe DVSEC for CXL Devices
		CXLCap:	Cache- IO+ Mem+ MemHWInit+ HDMCount 1 Viral-
		CXLCtl:	Cache- IO+ Mem- CacheSFCov 0 CacheSFGran 0 CacheClean- Viral-
		CXLSta:	Viral-
		CXLCtl2:	DisableCaching- InitCacheWB&Inval- InitRst- RstMemClrEn-
		CXLSta2:	ResetComplete- ResetError- PMComplete-
		CXLCap2:	Cache Size Not Reported
		Cache Size Not Reported
		Range1: 0000000000000000-000000000fffffff [size=0x10000000]
			Valid+ Active+ Type=Volatile Class=DRAM interleave=0 timeout=1s
		FBCap:	PCIe+ CXL.io+ CXL.mem+
		FBCtl:	PCIe+ CXL.io+ CXL.mem+
		FBSta:	PCIe- CXL.io- CXL.mem-
		FBModTS:	Received FB Data 000000
		GPF DVSEC for CXL Ports
		GPF Phase 1 Timeout: 0 us
		Register Locator DVSEC
		Block1: BIR: bar0, ID: component registers, offset: 0000000000010000
	Capabilities: [2e0 v1] Data Object Exchange
		DOECap: IntSup+
			IntMsgNum 0
		DOECtl: IntEn-
		DOESta: Busy- IntSta- Error- ObjectReady-
		Interrupt Message Number 000
	Capabilities: [2f0 v1] Device 3
		DevCap3: DMWr Request Routing-, 14-Bit Tag Completer+, 14-Bit Tag Requester+
			 L0p+, Port L0p Exit Latency: Less than 1us, Retimer L0p Exit Latency: Less than 1us
			 UIO Mem RdWr Completer-, UIO Mem RdWr Requester-
		DevCtl3: DMWr Requester-, DMWr Egress Blocking-, 14-Bit Tag Requester-
			 L0p-, Target Link Width: x1
			 UIO Mem RdWr Requester-, UIO Request 256B Boundary+
		DevSta3: Initial Link Width: x1, Segment Captured-, Remote L0p-
	Capabilities: [300 v1] Integrity & Data Encryption
		IDECap: Lnk=1 Sel=1 FlowThru- PartHdr- Aggr- PCPC- IDE_KM+ Alg='AES-GCM-256-96b' TCs=8 TeeLim+
		[804]IDECtl: FTEn-
		[808]LinkIDE#0 Ctl: En- NPR- PR- CPL- PCRC- HdrEnc=no Alg='AES-GCM-256-96b' TC0 ID0
		SelectiveIDE#0 Cap: RID#=1
	Capabilities: [310 v1] MMIO Register Block Locator
		Locator0: BIR: BAR0, ID: MCAP, offset: 0000000000000000
		<unreadable>
	Capabilities: [320 v1] Flit Error Injection
		FlitEiCtl1:   En- Tx- Rx- 2.5GT/s- 5.0GT/s- 8.0GT/s- 16.0GT/s- 32.0GT/s- 64.0GT/s-
			      Number of errors: 0, Spacing between errors: 0, Flit Type: any
		FlitEiCtl2:   Consecutive: none, Type: random, Offset: 0, Magnitude: 0
		FlitEiSts:    Tx: not started, Rx: not started
		FlitEiOsCtl1: En- Tx- Rx- TS0- TS1- TS2- SKP- EIEOS- EIOS-
			      SDS- Poll- Conf- L0- NoEq- Eq01- Eq2- Eq3-
		FlitEiOsCtl2: Bytes: 0000, Lanes: 0000
		FlitEiOsTx:   TS0: not started, TS1: not started, TS2: not started
			      SKP: not started, EIEOS: not started, EIOS: not started
			      SDS: not started, Polling: not started, Configuration: not started
			      L0: not started, non-EQ recovery: not started, Eq01: not started
			      Eq2: not started, Eq3: not started
		FlitEiOsRx:   TS0: not started, TS1: not started, TS2: not started
	Capabilities: [330 v1] Flit Logging
		Log1:      Valid-, Link Width: x1
			   More entries- Unrecognized flit- FEC uncorrectable-
			   SyndParityGrp0: 00, SyndCheckGrp0: 00
		Log2:      SyndParityGrp1: 00, SyndCheckGrp1: 00
			   SyndParityGrp2: 00, SyndCheckGrp2: 00
		CntCtl:    Flit Error Counter En- Flit Error Counter Interrupt En-
			   Events to count: 0, Trigger Event on Error Count: 00
		CntSts:    Link Width when Error Counter Started x1
			   Interrupt Generated based on Trigger Event Count-, FlitErr: 0
		MeasCtl:   En- Granularity: all
		MeasSts1:  Flit Counter: 0
		MeasSts10: Lane14:     0, Lane15:     0
Slot:	02:00.0
Class:	Ethernet controller
Vendor:	Example
Device:	Adapter
SVendor:	Example
SDevice:	Board
Rev:	01
ProgIf:	00
PhySlot:	3
NUMANode:	0
DTNode:	/soc/pcie@0
IOMMUGroup:	7
Driver:	example
Module:	example
`

// TestEverything: each row of the tables is needed, since a line that lspci
// prints is known by it, and by it alone.
func TestEverything(t *testing.T) {
	used := map[*row]string{}
	for _, text := range []string{everything, perLine(everything, strings.TrimSpace)} { // with layout, and without it by words alone
		p, in := newParser("x"), newLines(strings.NewReader(text))
		for in.next() {
			line := string(bytes.TrimSpace(in.raw))
			p.next(in)
			if p.row == nil {
				t.Errorf("unread: %s", line)
				continue
			}
			if p.reg.lines == 1 {
				used[p.row] = line
			} else if r, _ := p.find([]byte(line), true); r != nil && r.more {
				used[r] = line
			}
		}
		p.end()
		for _, problem := range p.result.Problems {
			t.Errorf("line %d: %s", problem.Line, problem.Text)
		}
	}
	for s := range tables {
		for _, rows := range []map[string]*row{tables[s].labels, tables[s].numbered, tables[s].words} {
			for key, r := range rows {
				if used[r] == "" {
					t.Errorf("no line is known by %q of scope %d", key, s)
				}
			}
		}
	}
	for situation, text := range map[string]string{
		"no indentation": perLine(everything, strings.TrimSpace), "quoted": perLine(everything, func(l string) string { return "> " + l }),
	} {
		if got := parse(t, text); got.Unread.Lines > 0 {
			t.Errorf("%s: %+v", situation, got.Unread)
		}
	}
}

// TestOthers: each shape of other output is that of a line, and of none that
// lspci prints.
func TestOthers(t *testing.T) {
	lines := []string{
		"# lspci -vv", "[  0.123456] pci 0000:00:1c.0: PME# supported", "e0000000-efffffff : PCI ECAM 0000 [bus 00-ff]",
		"WARNING: Cannot show hex-dump of the config space",
	}
	if len(lines) != len(others) {
		t.Fatalf("%d examples of %d shapes", len(lines), len(others))
	}
	for i, o := range others {
		if o.why == "" || !o.is([]byte(lines[i])) {
			t.Errorf("%q is not known, or without a reason", lines[i])
		}
		for line := range strings.Lines(everything) {
			if line = strings.TrimSpace(line); o.is([]byte(line)) {
				t.Errorf("%q is taken for %s", line, o.why)
			}
		}
	}
}
