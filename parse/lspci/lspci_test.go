package lspci

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"hwcap/parse/fact"
)

// noPlaces leaves out where a fact stands, and header fields that every device
// has.
var noPlaces = cmp.Options{
	cmpopts.IgnoreTypes(fact.Line{}, []fact.Line{}),
	cmpopts.EquateEmpty(),
}

func parse(t *testing.T, text string) *Result {
	t.Helper()
	r, err := Parse(strings.NewReader(text), "cmd/lspci-vvv.txt")
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// bits spells a register's flags as lspci does.
func bits(text string) *fact.Flags {
	f := &fact.Flags{Bits: map[string]bool{}}
	for _, word := range strings.Fields(text) {
		f.Bits[word[:len(word)-1]] = word[len(word)-1] == '+'
	}
	return f
}

func ptr[T any](v T) *T { return &v }

func is[T any](v T) fact.Val[T] { return fact.Val[T]{State: fact.Present, V: v} }

func TestParse(t *testing.T) {
	for _, test := range []struct {
		situation string
		text      string
		want      []fact.Device
	}{
		{"access denied", `
0000:03:00.0 Ethernet controller [0200]: Example Corporation Adapter [8086:15b7] (rev 21)
	Subsystem: Dell Device [1028:07a1]
	Control: I/O- Mem+ BusMaster+ SpecCycle- MemWINV- VGASnoop- ParErr- Stepping- SERR- FastB2B- DisINTx+
	Region 0: Memory at df200000 (32-bit, non-prefetchable) [size=128K]
	Capabilities: <access denied>
	Kernel driver in use: e1000e
	Kernel modules: e1000e, other

`, []fact.Device{{
			Address: "0000:03:00.0", Class: "0200", ClassName: "Ethernet controller", Name: "Example Corporation Adapter",
			Vendor: "8086", Device: "15b7", SubVendor: "1028", SubDevice: "07a1", SubName: "Dell Device", Revision: "21",
			Driver: "e1000e", DriverKnown: true, Modules: []string{"e1000e", "other"}, CapsState: fact.Denied, DisINTx: is(true), Listings: 1,
			Regions: []fact.Region{{Kind: "mem", Address: "df200000", Bits: 32, Size: 128 << 10}},
		}}},

		{"empty slot with an open latch, of 3.7, where an unused port is called downgraded", `
00:1c.4 PCI bridge: Example Root Port (rev f0) (prog-if 00 [Normal decode])
	Bus: primary=00, secondary=03, subordinate=04, sec-latency=0
	Capabilities: [40] Express (v2) Root Port (Slot+), MSI 00
		LnkCap:	Port #5, Speed 8GT/s, Width x4, ASPM not supported
			ClockPM- Surprise- LLActRep+ BwNot+ ASPMOptComp+
		LnkSta:	Speed 2.5GT/s (downgraded), Width x0 (downgraded)
			TrErr- Train- SlotClk+ DLActive- BWMgmt- ABWMgmt-
		SltCap:	AttnBtn- PwrCtrl- MRL+ AttnInd- PwrInd- HotPlug+ Surprise+
			Slot #12, PowerLimit 25.000W; Interlock- NoCompl+
		SltSta:	Status: AttnBtn- PowerFlt- MRL+ CmdCplt- PresDet- Interlock-
			Changed: MRL- PresDet+ LinkState+
`, []fact.Device{{
			Address: "0000:00:1c.4", Class: "0604", ClassName: "PCI bridge", Name: "Example Root Port", Revision: "f0", ProgIf: "00",
			Bus: &fact.BusRange{Primary: 0, Secondary: 3, Subordinate: 4}, CapsState: fact.Present, Listings: 1,
			Express: &fact.Express{
				Type: fact.RootPort, Version: 2, Slot: ptr(true), SlotNumber: ptr(12), HotPlug: is(true), MRLSensor: is(true),
				LinkCap:  &fact.Link{Speed: 8, Width: 4, Port: ptr(5), ASPM: "not supported"},
				LinkSta:  &fact.Link{Speed: 2.5, Width: 0, Note: "downgraded"},
				DLActive: is(false), DLActiveReporting: is(true),
				SlotSta: &fact.SlotSta{PresDet: false, MRL: true},
			},
		}}},

		{"switch: upstream and downstream port", `
02:00.0 PCI bridge: Example Switch (prog-if 00 [Normal decode])
	Capabilities: [68] Express (v2) Upstream Port, IntMsgNum 0
		DevCap:	MaxPayload 512 bytes, PhantFunc 0
			ExtTag- AttnBtn- AttnInd- PwrInd- RBE+ SlotPowerLimit 25W TEE-IO-
		DevCtl:	CorrErr- NonFatalErr- FatalErr- UnsupReq-
			RlxdOrd- ExtTag- PhantFunc- AuxPwr- NoSnoop+
			MaxPayload 128 bytes, MaxReadReq 128 bytes
03:08.0 PCI bridge: Example Switch (prog-if 00 [Normal decode])
	Capabilities: [68] Express (v2) Downstream Port (Slot-), IntMsgNum 0
		LnkSta:	Speed 16GT/s, Width x16
			TrErr- Train- SlotClk- DLActive+ BWMgmt- ABWMgmt-
	Capabilities: [220 v1] Access Control Services
		ACSCap:	SrcValid+ TransBlk+ ReqRedir+ CmpltRedir+ UpstreamFwd+ EgressCtrl+ DirectTrans+
		ACSCtl:	SrcValid+ TransBlk- ReqRedir- CmpltRedir- UpstreamFwd- EgressCtrl- DirectTrans-
	Capabilities: [250 v1] Downstream Port Containment
		DpcCap:	IntMsgNum 0, RPExt- PoisonedTLP+ SwTrigger+ RP PIO Log 0, DL_ActiveErr+
		DpcCtl:	Trigger:1 Cmpl- INT+ ErrCor- PoisonedTLP- SwTrigger- DL_ActiveErr-
		DpcSta:	Trigger- Reason:00 INT- RPBusy- TriggerExt:00 RP PIO ErrPtr:1f
		Source:	0000
`, []fact.Device{
			{
				Address: "0000:02:00.0", Class: "0604", ClassName: "PCI bridge", Name: "Example Switch", ProgIf: "00", CapsState: fact.Present, Listings: 1,
				Express: &fact.Express{
					Type: fact.UpstreamPort, Version: 2, MaxPayloadCap: 512, MaxPayload: 128, MaxReadReq: 128,
					DevCtl: bits("CorrErr- NonFatalErr- FatalErr- UnsupReq- RlxdOrd- ExtTag- PhantFunc- AuxPwr- NoSnoop+"),
				},
			},
			{
				Address: "0000:03:08.0", Class: "0604", ClassName: "PCI bridge", Name: "Example Switch", ProgIf: "00", CapsState: fact.Present, ExtCaps: true, Listings: 1,
				Express: &fact.Express{
					Type: fact.DownstreamPort, Version: 2, Slot: ptr(false),
					LinkSta: &fact.Link{Speed: 16, Width: 16}, DLActive: is(true),
				},
				ACS: &fact.ACS{
					Cap: bits("SrcValid+ TransBlk+ ReqRedir+ CmpltRedir+ UpstreamFwd+ EgressCtrl+ DirectTrans+"),
					Ctl: bits("SrcValid+ TransBlk- ReqRedir- CmpltRedir- UpstreamFwd- EgressCtrl- DirectTrans-"),
				},
				DPC: &fact.DPC{
					Ctl: bits("Trigger+ Cmpl- INT+ ErrCor- PoisonedTLP- SwTrigger- DL_ActiveErr-"),
					Sta: bits("Trigger- INT- RPBusy-"),
				},
			},
		}},

		{"graphics card, idle", `
0000:01:00.0 VGA compatible controller [0300]: Example [Model/X] Device: Model X [1002:73bf] (rev c1) (prog-if 00 [VGA controller])
	Physical Slot: 4-1
	DeviceName: Onboard - Video
	NUMA node: 0
	IOMMU group: 27
	Region 0: Memory at 7c00000000 (64-bit, prefetchable) [size=16G]
	Region 2: Memory at <unassigned> (64-bit, prefetchable)
	Region 4: I/O ports at f000 [disabled] [size=256]
	Expansion ROM at 000c0000 [virtual] [disabled] [size=128K]
	Capabilities: [50] Power Management version 3
		Flags: PMEClk- DSI- D1+ D2+ AuxCurrent=0mA PME(D0-,D1+,D2+,D3hot+,D3cold+)
		Status: D3 NoSoftRst+ PME-Enable- DSel=0 DScale=0 PME-
	Capabilities: [64] Express (v2) Legacy Endpoint, MSI 00
		DevCap:	MaxPayload 256 bytes, PhantFunc 0, Latency L0s <4us, L1 unlimited
			ExtTag+ AttnBtn- AttnInd- PwrInd- RBE+ FLReset-
		LnkCap:	Port #0, Speed 16GT/s, Width x16, ASPM L0s L1, Exit Latency L0s <64ns, L1 <1us
			ClockPM- Surprise- LLActRep- BwNot- ASPMOptComp+
		LnkCtl:	ASPM L0s L1 Enabled; RCB 64 bytes, Disabled- CommClk+
			ExtSynch- ClockPM- AutWidDis- BWInt- AutBWInt-
		LnkSta:	Speed 2.5GT/s (downgraded), Width x16 (ok)
			TrErr- Train- SlotClk+ DLActive- BWMgmt- ABWMgmt-
		LnkCtl2: Target Link Speed: 16GT/s, EnterCompliance- SpeedDis-
			 Transmit Margin: Normal Operating Range, EnterModifiedCompliance- ComplianceSOS-
	Capabilities: [a0] MSI: Enable+ Count=1/1 Maskable- 64bit+
		Address: 00000000fee00458  Data: 0000
	Capabilities: [200 v1] Physical Resizable BAR
		BAR 0: current size: 16GB, supported: 256MB 512MB 1GB 2GB 4GB 8GB 16GB
		BAR 2: current size: <unknown>

`, []fact.Device{{
			Address: "0000:01:00.0", Class: "0300", ClassName: "VGA compatible controller", Name: "Example [Model/X] Device: Model X",
			Vendor: "1002", Device: "73bf", Revision: "c1", ProgIf: "00", Slot: "4-1", Label: "Onboard - Video",
			NUMANode: ptr(0), IOMMUGroup: "27", CapsState: fact.Present, ExtCaps: true, Power: is("D3"), MSI: is(true), Listings: 1,
			Regions: []fact.Region{
				{Index: 0, Kind: "mem", Address: "7c00000000", Bits: 64, Prefetch: true, Size: 16 << 30},
				{Index: 2, Kind: "mem", State: "unassigned", Bits: 64, Prefetch: true},
				{Index: 4, Kind: "io", Address: "f000", State: "disabled", Size: 256},
				{Index: 6, Kind: "mem", Address: "000c0000", State: "virtual", Size: 128 << 10},
			},
			ReBAR: []fact.ReBAR{
				{BAR: 0, Current: 16 << 30, Supported: []int64{256 << 20, 512 << 20, 1 << 30, 2 << 30, 4 << 30, 8 << 30, 16 << 30}},
				{BAR: 2},
			},
			Express: &fact.Express{
				Type: fact.LegacyEndpoint, Version: 2, MaxPayloadCap: 256, FLReset: is(false),
				LinkCap:  &fact.Link{Speed: 16, Width: 16, Port: ptr(0), ASPM: "L0s L1"},
				LinkSta:  &fact.Link{Speed: 2.5, Width: 16, Note: "downgraded"},
				LinkCtl:  &fact.LinkCtl{ASPM: "L0s L1 Enabled"},
				LinkCtl2: &fact.LinkCtl2{Target: 16},
				DLActive: is(false), DLActiveReporting: is(false),
			},
		}}},

		{"device that does not answer, of 3.7", `
65:00.0 Non-Volatile memory controller: Example SSD (rev ff) (prog-if ff)
	!!! Unknown header type 7f
	Kernel driver in use: nvme

`, []fact.Device{{
			Address: "0000:65:00.0", Class: "0108", ClassName: "Non-Volatile memory controller", Name: "Example SSD", Revision: "ff", ProgIf: "ff",
			Header: "7f", Driver: "nvme", DriverKnown: true, Listings: 1,
		}}},

		{"device that does not answer, of 3.9, where the kernel's view follows", `
65:00.0 Non-Volatile memory controller: Example SSD (prog-if 02 [NVM Express])
	Subsystem: Example SSD
	!!! Unknown header type 7f
	Interrupt: pin ? routed to IRQ 40
	NUMA node: 1
	Region 0: Memory at dc100000 (64-bit, non-prefetchable) [size=16K]
`, []fact.Device{{
			Address: "0000:65:00.0", Class: "0108", ClassName: "Non-Volatile memory controller", Name: "Example SSD", SubName: "Example SSD", ProgIf: "02",
			Header: "7f", NUMANode: ptr(1), Listings: 1,
			Regions: []fact.Region{{Kind: "mem", Address: "dc100000", Bits: 64, Size: 16 << 10}},
		}}},

		{"virtual function, whose link registers read zero", `
10000:e1:02.0 Ethernet controller: Example Virtual Function
	Capabilities: [a0] Express (v2) Endpoint, MSI 00
		DevCap:	MaxPayload 128 bytes, PhantFunc 0, Latency L0s <64ns, L1 <1us
			ExtTag- AttnBtn- AttnInd- PwrInd- RBE- FLReset+ SlotPowerLimit 0.000W
		LnkSta:	Speed unknown (downgraded), Width x0 (downgraded)
			TrErr- Train- SlotClk- DLActive- BWMgmt- ABWMgmt-
		LnkCtl2: Target Link Speed: Unknown, EnterCompliance- SpeedDis-
`, []fact.Device{{
			Address: "10000:e1:02.0", Class: "0200", ClassName: "Ethernet controller", Name: "Example Virtual Function", CapsState: fact.Present, Listings: 1,
			Express: &fact.Express{
				Type: fact.Endpoint, Version: 2, MaxPayloadCap: 128, FLReset: is(true),
				LinkSta: &fact.Link{Note: "downgraded"}, LinkCtl2: &fact.LinkCtl2{}, DLActive: is(false),
			},
		}}},

		{"listed twice, the second time with errors", `
01:00.0 Mass storage controller: Example
	Capabilities: [70] Express (v2) Endpoint, MSI 00
		DevSta:	CorrErr- NonFatalErr- FatalErr- UnsupReq+ AuxPwr- TransPend-
	Capabilities: [100 v2] Advanced Error Reporting
		CESta:	RxErr- BadTLP+

01:00.0 Mass storage controller: Example
	Capabilities: [70] Express (v2) Endpoint, MSI 00
		DevSta:	CorrErr+ NonFatalErr- FatalErr- UnsupReq- AuxPwr+ TransPend-
	Capabilities: [100 v2] Advanced Error Reporting
		CESta:	RxErr+ BadTLP-
`, []fact.Device{{
			Address: "0000:01:00.0", Class: "0180", ClassName: "Mass storage controller", Name: "Example", CapsState: fact.Present, ExtCaps: true, Listings: 2,
			Express: &fact.Express{Type: fact.Endpoint, Version: 2, DevSta: bits("CorrErr+ NonFatalErr- FatalErr- UnsupReq+ AuxPwr- TransPend-")},
			AER:     &fact.AER{CESta: bits("RxErr+ BadTLP+")},
		}}},

		{"errors in three lines, of 3.13", `
01:00.0 Mass storage controller: Example
	Capabilities: [100 v2] Advanced Error Reporting
		UESta:	DLP- SDES- TLP+ FCP- CmpltTO- CmpltAbrt- UnxCmplt- RxOF- MalfTLP-
			ECRC- UnsupReq+ ACSViol- UncorrIntErr- BlockedTLP- AtomicOpBlocked- TLPBlockedErr-
			PoisonTLPBlocked+ DMWrReqBlocked- IDECheck- MisIDETLP- PCRC_CHECK- TLPXlatBlocked-
		CESta:	RxErr+ BadTLP- BadDLLP- Rollover- Timeout- AdvNonFatalErr+ CorrIntErr- HeaderOF-
		CEMsk:	RxErr- BadTLP- BadDLLP- Rollover- Timeout- AdvNonFatalErr+ CorrIntErr- HeaderOF-
		AERCap:	First Error Pointer: 0c, ECRCGenCap- ECRCGenEn- ECRCChkCap- ECRCChkEn-
			MultHdrRecCap- MultHdrRecEn- TLPPfxPres- HdrLogCap-
		HeaderLog: 40000001 0000000f fec30000 00000000
		RootCmd: CERptEn+ NFERptEn+ FERptEn+
		RootSta: CERcvd+ MultCERcvd- UERcvd- MultUERcvd-
			 FirstFatal- NonFatalMsg- FatalMsg- IntMsgNum 0
`, []fact.Device{{
			Address: "0000:01:00.0", Class: "0180", ClassName: "Mass storage controller", Name: "Example", CapsState: fact.Present, ExtCaps: true, Listings: 1,
			AER: &fact.AER{
				UESta: bits("DLP- SDES- TLP+ FCP- CmpltTO- CmpltAbrt- UnxCmplt- RxOF- MalfTLP- ECRC- UnsupReq+ ACSViol- UncorrIntErr- BlockedTLP- " +
					"AtomicOpBlocked- TLPBlockedErr- PoisonTLPBlocked+ DMWrReqBlocked- IDECheck- MisIDETLP- PCRC_CHECK- TLPXlatBlocked-"),
				CESta:   bits("RxErr+ BadTLP- BadDLLP- Rollover- Timeout- AdvNonFatalErr+ CorrIntErr- HeaderOF-"),
				CEMsk:   bits("RxErr- BadTLP- BadDLLP- Rollover- Timeout- AdvNonFatalErr+ CorrIntErr- HeaderOF-"),
				RootCmd: bits("CERptEn+ NFERptEn+ FERptEn+"),
				RootSta: bits("CERcvd+ MultCERcvd- UERcvd- MultUERcvd- FirstFatal- NonFatalMsg- FatalMsg-"),
			},
		}}},

		{"3.0.1, which calls the mask CESta, too, and has ACSVoil", `
01:00.0 Mass storage controller: Example
	Capabilities: [100] Advanced Error Reporting
		UESta:	DLP- ACSVoil+
		CESta:	RxErr+ NonFatalErr-
		CESta:	RxErr- NonFatalErr+
`, []fact.Device{{
			Address: "0000:01:00.0", Class: "0180", ClassName: "Mass storage controller", Name: "Example", CapsState: fact.Present, ExtCaps: true, Listings: 1,
			AER: &fact.AER{UESta: bits("DLP- ACSViol+"), CESta: bits("RxErr+ AdvNonFatalErr-"), CEMsk: bits("RxErr- AdvNonFatalErr+")},
		}}},

		{"3.1.4: Surpise, hexadecimal slot, one line of LnkSta, error names of old", `
00:03.0 PCI bridge: Example Root Port (rev 12) (prog-if 00 [Normal decode])
	Capabilities: [90] Express (v2) Root Port (Slot+), MSI 00
		DevCap:	MaxPayload 256 bytes, PhantFunc 0, Latency L0s <64ns, L1 <1us
			ExtTag+ RBE+ FLReset-
		DevCtl:	Report errors: Correctable- Non-Fatal+ Fatal+ Unsupported-
			RlxdOrd- ExtTag- PhantFunc- AuxPwr- NoSnoop-
			MaxPayload 128 bytes, MaxReadReq 128 bytes
		DevSta:	CorrErr- UncorrErr+ FatalErr- UnsuppReq+ AuxPwr- TransPend-
		LnkCap:	Port #7, Speed 5GT/s, Width x16, ASPM L0s L1, Latency L0 <512ns, L1 <64us
			ClockPM- Surprise+ LLActRep+ BwNot+
		LnkCtl:	ASPM Disabled; RCB 64 bytes Disabled+ Retrain- CommClk+
			ExtSynch- ClockPM- AutWidDis- BWInt- AutBWInt-
		LnkSta:	Speed 5GT/s, Width x8, TrErr- Train- SlotClk+ DLActive+ BWMgmt+ ABWMgmt+
		SltCap:	AttnBtn- PwrCtrl- MRL- AttnInd- PwrInd- HotPlug- Surpise-
			Slot # 1f, PowerLimit 75.000000; Interlock- NoCompl-
		RootCtl: ErrCorrectable- ErrNon-Fatal+ ErrFatal+ PMEIntEna- CRSVisible-
`, []fact.Device{{
			Address: "0000:00:03.0", Class: "0604", ClassName: "PCI bridge", Name: "Example Root Port", Revision: "12", ProgIf: "00", CapsState: fact.Present, Listings: 1,
			Express: &fact.Express{
				Type: fact.RootPort, Version: 2, Slot: ptr(true), SlotNumber: ptr(0x1f), HotPlug: is(false), MRLSensor: is(false),
				MaxPayloadCap: 256, MaxPayload: 128, MaxReadReq: 128, FLReset: is(false),
				DevCtl:   bits("CorrErr- NonFatalErr+ FatalErr+ UnsupReq- RlxdOrd- ExtTag- PhantFunc- AuxPwr- NoSnoop-"),
				DevSta:   bits("CorrErr- NonFatalErr+ FatalErr- UnsupReq+ AuxPwr- TransPend-"),
				RootCtl:  bits("ErrCorrectable- ErrNon-Fatal+ ErrFatal+ PMEIntEna- CRSVisible-"),
				LinkCap:  &fact.Link{Speed: 5, Width: 16, Port: ptr(7), ASPM: "L0s L1"},
				LinkSta:  &fact.Link{Speed: 5, Width: 8},
				LinkCtl:  &fact.LinkCtl{ASPM: "Disabled", Disabled: true},
				DLActive: is(true), DLActiveReporting: is(true),
			},
		}}},

		{"2.2.6, with one line for each field", `
00:02.0 PCI bridge: Example Root Port (prog-if 00 [Normal decode])
	Capabilities: [40] Express Root Port (Slot+) IRQ 0
		Device: Supported: MaxPayload 256 bytes, PhantFunc 0, ExtTag-
		Device: Latency L0s <64ns, L1 <1us
		Device: Errors: Correctable- Non-Fatal- Fatal+ Unsupported-
		Device: RlxdOrd- ExtTag- PhantFunc- AuxPwr- NoSnoop-
		Device: MaxPayload 128 bytes, MaxReadReq 512 bytes
		Link: Supported Speed 2.5Gb/s, Width x8, ASPM L0s, Port 2
		Link: Latency L0s <512ns, L1 <4us
		Link: ASPM L0s Enabled RCB 64 bytes Disabled CommClk+ ExtSynch-
		Link: Speed 2.5Gb/s, Width x4
		Slot: AtnBtn- PwrCtrl- MRL- AtnInd- PwrInd- HotPlug- Surpise-
		Slot: Number 3, PowerLimit 25.000000
		Root: Correctable- Non-Fatal- Fatal+ PME-
	Capabilities: [100] Unknown (13)
`, []fact.Device{{
			Address: "0000:00:02.0", Class: "0604", ClassName: "PCI bridge", Name: "Example Root Port", ProgIf: "00", CapsState: fact.Present, ExtCaps: true, Listings: 1,
			ACS: &fact.ACS{},
			Express: &fact.Express{
				Type: fact.RootPort, Slot: ptr(true), SlotNumber: ptr(3), HotPlug: is(false), MaxPayloadCap: 256, MaxPayload: 128, MaxReadReq: 512,
				DevCtl:  bits("CorrErr- NonFatalErr- FatalErr+ UnsupReq- RlxdOrd- ExtTag- PhantFunc- AuxPwr- NoSnoop-"),
				RootCtl: bits("ErrCorrectable- ErrNon-Fatal- ErrFatal+ PMEIntEna-"),
				LinkCap: &fact.Link{Speed: 2.5, Width: 8, Port: ptr(2), ASPM: "L0s"},
				LinkSta: &fact.Link{Speed: 2.5, Width: 4},
				LinkCtl: &fact.LinkCtl{ASPM: "L0s Enabled", Disabled: true},
			},
		}}},

		{"second registers and capabilities that tell how the link may sleep, of 3.13", `
01:00.0 Non-Volatile memory controller: Example
	Capabilities: [70] Express (v2) Endpoint, IntMsgNum 0
		DevCap2: Completion Timeout: Range ABCD, TimeoutDis+ NROPrPrP- LTR+
			 10BitTagComp+ 10BitTagReq- OBFF Via message/WAKE#, ExtFmt+ EETLPPrefix+, MaxEETLPPrefixes 1
			 EmergencyPowerReduction Not Supported, EmergencyPowerReductionInit-
			 FRS- TPHComp+ ExtTPHComp-
			 AtomicOpsCap: 32bit- 64bit+ 128bitCAS-
		DevCtl2: Completion Timeout: 65ms to 210ms, TimeoutDis-
			 AtomicOpsCtl: ReqEn-
			 IDOReq- IDOCompl- LTR+ EmergencyPowerReductionReq-
			 10BitTagReq- OBFF Disabled, EETLPPrefixBlk-
		LnkSta2: Current De-emphasis Level: -6dB, EqualizationComplete+ EqualizationPhase1+
			 EqualizationPhase2+ EqualizationPhase3- LinkEqualizationRequest-
			 Retimer+ 2Retimers- CrosslinkRes: unsupported
	Capabilities: [148 v1] Device Serial Number 00-11-22-FF-ff-33-44-55
	Capabilities: [168 v1] Secondary PCI Express
		LnkCtl3: LnkEquIntrruptEn- PerformEqu-
		LaneErrStat: LaneErr at lane: 0 3
	Capabilities: [188 v1] Latency Tolerance Reporting
		Max snoop latency: 3145728ns
		Max no snoop latency: 1048576ns
	Capabilities: [190 v1] L1 PM Substates
		L1SubCap: PCI-PM_L1.2+ PCI-PM_L1.1+ ASPM_L1.2+ ASPM_L1.1- L1_PM_Substates+
			  PortCommonModeRestoreTime=10us PortTPowerOnTime=60us
		L1SubCtl1: PCI-PM_L1.2- PCI-PM_L1.1- ASPM_L1.2+ ASPM_L1.1-
			   T_CommonMode=0us LTR1.2_Threshold=126976ns
		L1SubCtl2: T_PwrOn=60us
	Capabilities: [200 v1] Transaction Processing Hints
		Device specific mode supported
		Reserved steering table location
01:00.1 Non-Volatile memory controller: Example
	Capabilities: [168 v1] Secondary PCI Express
		LnkCtl3: LnkEquIntrruptEn- PerformEqu-
		LaneErrStat: 0
	Capabilities: [148 v1] Device Serial Number XX-XX-XX-XX-XX-XX-XX-XX
`, []fact.Device{
			{
				Address: "0000:01:00.0", Class: "0108", ClassName: "Non-Volatile memory controller", Name: "Example", CapsState: fact.Present, ExtCaps: true, Listings: 1,
				Express: &fact.Express{
					Type: fact.Endpoint, Version: 2, CompletionRanges: is("Range ABCD"), CompletionTimeout: is("65ms to 210ms"),
					DevCap2: bits("TimeoutDis+ NROPrPrP- LTR+ 10BitTagComp+ 10BitTagReq- ExtFmt+ EETLPPrefix+ EmergencyPowerReductionInit- FRS- TPHComp+ ExtTPHComp- 32bit- 64bit+ 128bitCAS-"),
					DevCtl2: bits("TimeoutDis- ReqEn- IDOReq- IDOCompl- LTR+ EmergencyPowerReductionReq- 10BitTagReq- EETLPPrefixBlk-"),
					LnkSta2: bits("EqualizationComplete+ EqualizationPhase1+ EqualizationPhase2+ EqualizationPhase3- LinkEqualizationRequest- Retimer+ 2Retimers-"),
				},
				Serial: is("00-11-22-ff-ff-33-44-55"), LaneErrors: is([]int{0, 3}), TPH: true,
				LTR: &fact.LTR{MaxSnoop: 3 << 20, MaxNoSnoop: 1 << 20},
				L1SS: &fact.L1SS{
					Cap: bits("PCI-PM_L1.2+ PCI-PM_L1.1+ ASPM_L1.2+ ASPM_L1.1- L1_PM_Substates+"),
					Ctl: bits("PCI-PM_L1.2- PCI-PM_L1.1- ASPM_L1.2+ ASPM_L1.1-"),
				},
			},
			{
				Address: "0000:01:00.1", Class: "0108", ClassName: "Non-Volatile memory controller", Name: "Example", CapsState: fact.Present, ExtCaps: true, Listings: 1,
				LaneErrors: is([]int{}), Serial: fact.Val[string]{State: fact.Redacted},
			},
		}},

		{"second registers of 3.0.1 and of 3.6.4, which puts commas behind flags", `
00:01.0 PCI bridge: Example
	Capabilities: [40] Express (v2) Root Port (Slot-), MSI 00
		DevCap2: Completion Timeout: Not Supported, TimeoutDis-
		DevCtl2: Completion Timeout: 50us to 50ms, TimeoutDis- ARIFwd-
		LnkSta2: Current De-emphasis Level: -3.5dB
00:02.0 PCI bridge: Example
	Capabilities: [40] Express (v2) Root Port (Slot-), MSI 00
		DevCap2: Completion Timeout: Range B, TimeoutDis+, NROPrPrP-, LTR+
			 10BitTagComp-, 10BitTagReq-, OBFF Via WAKE#, ExtFmt-, EETLPPrefix-
			 EmergencyPowerReduction Not Supported, EmergencyPowerReductionInit-
			 FRS-, LN System CLS Not Supported, TPHComp-, ExtTPHComp-, ARIFwd+
			 AtomicOpsCap: Routing- 32bit- 64bit- 128bitCAS-
		DevCtl2: Completion Timeout: 16ms to 55ms, TimeoutDis-, LTR+, OBFF Disabled ARIFwd+
			 AtomicOpsCtl: ReqEn- EgressBlck-
		LnkSta2: Current De-emphasis Level: -6dB, EqualizationComplete-, EqualizationPhase1-
			 EqualizationPhase2-, EqualizationPhase3-, LinkEqualizationRequest-
`, []fact.Device{
			{
				Address: "0000:00:01.0", Class: "0604", ClassName: "PCI bridge", Name: "Example", CapsState: fact.Present, Listings: 1,
				Express: &fact.Express{
					Type: fact.RootPort, Version: 2, Slot: ptr(false), CompletionRanges: is("Not Supported"), CompletionTimeout: is("50us to 50ms"),
					DevCap2: bits("TimeoutDis-"), DevCtl2: bits("TimeoutDis- ARIFwd-"),
				},
			},
			{
				Address: "0000:00:02.0", Class: "0604", ClassName: "PCI bridge", Name: "Example", CapsState: fact.Present, Listings: 1,
				Express: &fact.Express{
					Type: fact.RootPort, Version: 2, Slot: ptr(false), CompletionRanges: is("Range B"), CompletionTimeout: is("16ms to 55ms"),
					DevCap2: bits("TimeoutDis+ NROPrPrP- LTR+ 10BitTagComp- 10BitTagReq- ExtFmt- EETLPPrefix- EmergencyPowerReductionInit- FRS- TPHComp- ExtTPHComp- ARIFwd+ Routing- 32bit- 64bit- 128bitCAS-"),
					DevCtl2: bits("TimeoutDis- LTR+ ARIFwd+ ReqEn- EgressBlck-"),
					LnkSta2: bits("EqualizationComplete- EqualizationPhase1- EqualizationPhase2- EqualizationPhase3- LinkEqualizationRequest-"),
				},
			},
		}},

		{"a single -v: node and group among the flags, regions without their index", `
01:00.0 Co-processor: Example QuickAssist (rev 11)
	Flags: bus master, fast devsel, latency 0, IRQ 18, NUMA node 1, IOMMU group 14
	Memory at df340000 (64-bit, non-prefetchable) [size=256K]
	I/O ports at 3000 [disabled] [size=32]
	Expansion ROM at <ignored> [disabled]
	Capabilities: [60] MSI-X: Enable- Count=17 Masked-
	Capabilities: [74] Express Endpoint, MSI 00
	Capabilities: [100] Advanced Error Reporting
	Capabilities: [138] Alternative Routing-ID Interpretation (ARI)
	Capabilities: [140] Single Root I/O Virtualization (SR-IOV)
	Kernel driver in use: c3xxx

`, []fact.Device{{
			Address: "0000:01:00.0", Class: "0b40", ClassName: "Co-processor", Name: "Example QuickAssist", Revision: "11",
			NUMANode: ptr(1), IOMMUGroup: "14", CapsState: fact.Present, ExtCaps: true, MSIX: is(false), ARI: true,
			Driver: "c3xxx", DriverKnown: true, Listings: 1, AER: &fact.AER{}, Express: &fact.Express{Type: fact.Endpoint},
			Regions: []fact.Region{
				{Index: -1, Kind: "mem", Address: "df340000", Bits: 64, Size: 256 << 10},
				{Index: -1, Kind: "io", Address: "3000", State: "disabled", Size: 32},
				{Index: 6, Kind: "mem", State: "ignored"},
			},
		}}},

		{"SR-IOV, whose regions are not the device's", `
01:00.0 Ethernet controller: Example
	Region 0: Memory at 92000000 (64-bit, prefetchable) [size=8M]
	Capabilities: [160 v1] Single Root I/O Virtualization (SR-IOV)
		IOVCap:	Migration- 10BitTagReq- IntMsgNum 0
		IOVCtl:	Enable+ Migration- Interrupt- MSE+ ARIHierarchy- 10BitTagReq-
		IOVSta:	Migration-
		Initial VFs: 32, Total VFs: 64, Number of VFs: 4, Function Dependency Link: 00
		VF offset: 16, stride: 1, Device ID: 154c
		Supported Page Size: 00000553, System Page Size: 00000001
		Region 0: Memory at 0000000092800000 (64-bit, prefetchable)
		VF Migration: offset: 00000000, BIR: 0
	Capabilities: [1c0 v1] Virtual Resizable BAR
		BAR 0: current size: 1GB, supported: 1GB 2GB
`, []fact.Device{{
			Address: "0000:01:00.0", Class: "0200", ClassName: "Ethernet controller", Name: "Example", CapsState: fact.Present, ExtCaps: true, Listings: 1,
			Regions: []fact.Region{{Kind: "mem", Address: "92000000", Bits: 64, Prefetch: true, Size: 8 << 20}},
			SRIOV:   &fact.SRIOV{InitialVFs: 32, TotalVFs: 64, NumVFs: 4},
		}}},

		{"function level reset of Advanced Features, beside Express and alone", `
00:1d.0 USB controller: Example
	Capabilities: [98] PCI Advanced Features
		AFCap: TP+ FLR+
		AFCtrl: FLR-
		AFStatus: TP-
	Capabilities: [a0] Express (v2) Root Complex Integrated Endpoint, MSI 00
		DevCap:	MaxPayload 128 bytes, PhantFunc 0
			ExtTag- RBE+ FLReset-
00:1d.1 USB controller: Example
	Capabilities: [98] PCI Advanced Features
		AFCap: TP+ FLR+
`, []fact.Device{
			{
				Address: "0000:00:1d.0", Class: "0c03", ClassName: "USB controller", Name: "Example", CapsState: fact.Present, Listings: 1, AFReset: is(true),
				Express: &fact.Express{Type: fact.RCiEP, Version: 2, MaxPayloadCap: 128, FLReset: is(true)},
			},
			{Address: "0000:00:1d.1", Class: "0c03", ClassName: "USB controller", Name: "Example", CapsState: fact.Present, Listings: 1, AFReset: is(true)},
		}},

		{"message of pcilib on a line, in a line, and glued to the next", `
lspci: Unable to load libkmod resources: error -2
00:00.0 Host bridge: Example Corporation pcilib: 0000:ff:06.3: Invalid 64-bit address seen for BAR 5.
Xeon Memory Hub (rev 13)
	Subsystem: Example Board
	Capabilities: [e0] Vital Product Data
pcilib: sysfs_read_vpd: read failed: Input/output error
		Not readable
pcilib: sysfs_read_vpd: read failed: No such device06:00.0 Ethernet controller: Example
	Physical Slot: 3pcilib: sysfs_read_vpd: read failed: No such device-1
`, []fact.Device{
			{
				Address: "0000:00:00.0", Class: "0600", ClassName: "Host bridge", Name: "Example Corporation Xeon Memory Hub", Revision: "13",
				SubName: "Example Board", CapsState: fact.Present, Listings: 1,
			},
			{Address: "0000:06:00.0", Class: "0200", ClassName: "Ethernet controller", Name: "Example", Slot: "3-1", Listings: 1},
		}},

		{"numeric listing, then a verbose one of one device, with prompts", `# lspci -n
00:00.0 0600: 8086:1237 (rev 02)
00:01.0 0604: 16c3:abcd (rev 01)
[root@example ~]# lspci -vs 00:01.0
00:01.0 PCI bridge: Example Bridge (rev 01) (prog-if 00 [Normal decode])
	Bus: primary=00, secondary=01, subordinate=ff, sec-latency=0
	Kernel driver in use: pcieport

root@example:~$ lspci -k
00:00.0 Host bridge: Example Host
`, []fact.Device{
			{Address: "0000:00:00.0", Class: "0600", Vendor: "8086", Device: "1237", Revision: "02", ClassName: "Host bridge", Name: "Example Host", Listings: 2},
			{
				Address: "0000:00:01.0", Class: "0604", Vendor: "16c3", Device: "abcd", Revision: "01", ClassName: "PCI bridge", Name: "Example Bridge",
				ProgIf: "00", Bus: &fact.BusRange{Secondary: 1, Subordinate: 255}, Driver: "pcieport", DriverKnown: true, Listings: 2,
			},
		}},

		{"a device without a driver, among others that have one", `0000:00:00.0 Host bridge: Example
0000:00:1f.2 SATA controller: Example
	Kernel driver in use: ahci
0000:00:1f.3 SMBus: Example
	Kernel modules: i2c_i801
0000:00:1f.4 Signal processing controller: Example
`, []fact.Device{
			{Address: "0000:00:00.0", Class: "0600", ClassName: "Host bridge", Name: "Example", DriverKnown: true, Listings: 1},
			{Address: "0000:00:1f.2", Class: "0106", ClassName: "SATA controller", Name: "Example", Driver: "ahci", DriverKnown: true, Listings: 1},
			{Address: "0000:00:1f.3", Class: "0c05", ClassName: "SMBus", Name: "Example", Modules: []string{"i2c_i801"}, DriverKnown: true, Listings: 1},
			{Address: "0000:00:1f.4", Class: "1180", ClassName: "Signal processing controller", Name: "Example", Listings: 1}, // the text may go on
		}},

		{"blank line inside a device (3.5.2 to 3.6.2), and two registers on a line", `
00:1c.0 PCI bridge: Example
	Capabilities: [200 v1] L1 PM Substates
		L1SubCap: PCI-PM_L1.2- PCI-PM_L1.1- ASPM_L1.2- ASPM_L1.1- L1_PM_Substates-

		L1SubCtl2:
	Capabilities: [300 v1] Multicast
		McastCap: MaxGroups 64, WindowSz 1 (2 bytes)		McastCtl: NumGroups 1, Enable-
	DeviceName: Onboard LAN	Subsystem: Example Board [1028:0001]
	IOMMU group: 5
`, []fact.Device{{
			Address: "0000:00:1c.0", Class: "0604", ClassName: "PCI bridge", Name: "Example", CapsState: fact.Present, ExtCaps: true, Listings: 1,
			Label: "Onboard LAN", SubName: "Example Board", SubVendor: "1028", SubDevice: "0001", IOMMUGroup: "5",
			L1SS: &fact.L1SS{Cap: bits("PCI-PM_L1.2- PCI-PM_L1.1- ASPM_L1.2- ASPM_L1.1- L1_PM_Substates-")},
		}}},

		{"a device without a name, of the lspci of busybox, with its driver", `00:00.0 Class 0600: 8086:1237
00:01.1 Class 0101: 8086:7010 ata_piix
`, []fact.Device{
			{Address: "0000:00:00.0", Class: "0600", Vendor: "8086", Device: "1237", DriverKnown: true, Listings: 1},
			{Address: "0000:00:01.1", Class: "0101", Vendor: "8086", Device: "7010", Driver: "ata_piix", DriverKnown: true, Listings: 1},
		}},

		{"IOMMU groups of scripts, before the devices in them and before each", `IOMMU Group 0:
	00:00.0 Host bridge [0600]: Example [8086:1237]
IOMMU Group 12:
	00:01.0 PCI bridge [0604]: Example [8086:0001]
	01:00.0 VGA compatible controller [0300]: Example [1002:73bf]
IOMMU group 13 00:1f.0 ISA bridge [0601]: Example [8086:0002]
00:1f.3 SMBus: Example
`, []fact.Device{
			{Address: "0000:00:00.0", Class: "0600", ClassName: "Host bridge", Name: "Example", Vendor: "8086", Device: "1237", IOMMUGroup: "0", Listings: 1},
			{Address: "0000:00:01.0", Class: "0604", ClassName: "PCI bridge", Name: "Example", Vendor: "8086", Device: "0001", IOMMUGroup: "12", Listings: 1},
			{Address: "0000:01:00.0", Class: "0300", ClassName: "VGA compatible controller", Name: "Example", Vendor: "1002", Device: "73bf", IOMMUGroup: "12", Listings: 1},
			{Address: "0000:00:1f.0", Class: "0601", ClassName: "ISA bridge", Name: "Example", Vendor: "8086", Device: "0002", IOMMUGroup: "13", Listings: 1},
			{Address: "0000:00:1f.3", Class: "0c05", ClassName: "SMBus", Name: "Example", Listings: 1},
		}},

		{"3.1.2, which prints the bytes of serial numbers in their order in memory", `01:00.0 Ethernet controller: Example
	Capabilities: [40] MSI-X: Enable+ Mask- TabSize=5
	Capabilities: [140] Device Serial Number 55-44-33-ff-ff-22-11-00
$ lspci -vv
02:00.0 Ethernet controller: Example
	Capabilities: [40] MSI-X: Enable+ Count=5 Masked-
	Capabilities: [140] Device Serial Number 00-11-22-ff-ff-33-44-66
`, []fact.Device{
			{Address: "0000:01:00.0", Class: "0200", ClassName: "Ethernet controller", Name: "Example", MSIX: is(true), CapsState: fact.Present, ExtCaps: true, Listings: 1, Serial: is("00-11-22-ff-ff-33-44-55")},
			{Address: "0000:02:00.0", Class: "0200", ClassName: "Ethernet controller", Name: "Example", MSIX: is(true), CapsState: fact.Present, ExtCaps: true, Listings: 1, Serial: is("00-11-22-ff-ff-33-44-66")},
		}},

		{"a blank line behind each line", `00:1f.2 SATA controller: Example

	Subsystem: Example Board

	Capabilities: [40] Express (v2) Endpoint, MSI 00

		DevCap:	MaxPayload 256 bytes, PhantFunc 0

			ExtTag- RBE+ FLReset+

	Kernel driver in use: ahci



00:1f.3 SMBus: Example

`, []fact.Device{
			{
				Address: "0000:00:1f.2", Class: "0106", ClassName: "SATA controller", Name: "Example", SubName: "Example Board", CapsState: fact.Present,
				Express: &fact.Express{Type: fact.Endpoint, Version: 2, MaxPayloadCap: 256, FLReset: is(true)},
				Driver:  "ahci", DriverKnown: true, Listings: 1,
			},
			{Address: "0000:00:1f.3", Class: "0c05", ClassName: "SMBus", Name: "Example", DriverKnown: true, Listings: 1},
		}},
	} {
		t.Run(test.situation, func(t *testing.T) {
			got := parse(t, test.text)
			if diff := cmp.Diff(test.want, got.Devices, noPlaces); diff != "" {
				t.Errorf("devices (-want +got):\n%s", diff)
			}
			if len(got.Problems) > 0 {
				t.Errorf("problems: %v", got.Problems)
			}
		})
	}
}

func TestWindows(t *testing.T) {
	for _, test := range []struct {
		line string
		want fact.Window
	}{
		{"Memory behind bridge: be000000-c01fffff [size=34M] [32-bit]", fact.Window{Kind: "mem", Start: "be000000", End: "c01fffff", Open: true}},
		{"I/O behind bridge: f000-0fff [disabled] [16-bit]", fact.Window{Kind: "io", Start: "f000", End: "0fff"}},
		{"I/O behind bridge: 1000-1fff [disabled] [16-bit]", fact.Window{Kind: "io", Start: "1000", End: "1fff"}},
		{"I/O behind bridge: 0000f000-00000fff [empty]", fact.Window{Kind: "io", Start: "0000f000", End: "00000fff"}},
		{"I/O behind bridge: 0000f000-00000fff", fact.Window{Kind: "io", Start: "0000f000", End: "00000fff"}},
		{"Memory behind bridge: None", fact.Window{Kind: "mem"}},
		{"Memory behind bridge: [disabled] [32-bit]", fact.Window{Kind: "mem"}},
		{"Prefetchable memory behind bridge: 0000000000000000-00000000000fffff [size=1M]", fact.Window{Kind: "pref", Start: "0000000000000000", End: "00000000000fffff", Open: true}},
	} {
		got := parse(t, "00:01.0 PCI bridge: Example\n\t"+test.line+"\n")
		if diff := cmp.Diff([]fact.Window{test.want}, got.Devices[0].Windows, noPlaces); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.line, diff)
		}
	}
}

func TestRegions(t *testing.T) {
	for _, test := range []struct {
		line string
		want fact.Region
	}{
		{"Region 5: Memory at <ignored> (32-bit, non-prefetchable) [disabled]", fact.Region{Index: 5, Kind: "mem", State: "ignored", Bits: 32}},
		{"[virtual] Expansion ROM at 000c0000 [disabled] [size=128K]", fact.Region{Index: 6, Kind: "mem", Address: "000c0000", State: "virtual", Size: 128 << 10}},
		{"Region 1: [virtual] Memory at a0000000 (64-bit, prefetchable)", fact.Region{Index: 1, Kind: "mem", Address: "a0000000", State: "virtual", Bits: 64, Prefetch: true}},
		{"Region 0: Memory at d0000000 (64-bit, prefetchable) [size=114720M]", fact.Region{Kind: "mem", Address: "d0000000", Bits: 64, Prefetch: true, Size: 114720 << 20}},
		{"Region 0: Memory at d0000000 (64-bit, prefetchable) [size=400000000]", fact.Region{Kind: "mem", Address: "d0000000", Bits: 64, Prefetch: true, Size: 16 << 30}},
		{"Region 0: I/O ports at 1020 [size=32]", fact.Region{Kind: "io", Address: "1020", Size: 32}},
		{"Region 2: Memory at <broken-64-bit-slot> [disabled]", fact.Region{Index: 2, Kind: "mem", State: "broken"}},
	} {
		got := parse(t, "00:01.0 PCI bridge: Example\n\t"+test.line+"\n")
		if diff := cmp.Diff([]fact.Region{test.want}, got.Devices[0].Regions, noPlaces); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.line, diff)
		}
	}
}

func TestHeader(t *testing.T) {
	for _, test := range []struct {
		line string
		want fact.Device
	}{
		{"00:00.0 0600: 8086:3405", fact.Device{Class: "0600", Vendor: "8086", Device: "3405"}},
		{"00:00.0 Host bridge: Device 8086:3405", fact.Device{Class: "0600", ClassName: "Host bridge", Name: "Device", Vendor: "8086", Device: "3405"}},
		{"00:00.0 Host bridge [0600]: Device [8086:3405]", fact.Device{Class: "0600", ClassName: "Host bridge", Vendor: "8086", Device: "3405"}},
		{"00:00.0 Class 0600: Intel Corporation Device 3405", fact.Device{Class: "0600", Name: "Intel Corporation Device 3405"}},
		{"00:00.0 Class [0600]: Intel Corporation Device [8086:3405]", fact.Device{Class: "0600", Name: "Intel Corporation Device", Vendor: "8086", Device: "3405"}},
		{"00:00.0 Bridge [06ff]: Intel Corporation Device 3405", fact.Device{Class: "06ff", ClassName: "Bridge", Name: "Intel Corporation Device 3405"}},
		{"00:00.0 Unknown class [0600]: Unknown device 8086:3405", fact.Device{Class: "0600", Vendor: "8086", Device: "3405"}},
		{"00:00.0 USB controller: Maker USB 3.1 Type C: Gen2 (rev 03) x (rev 04)", fact.Device{Class: "0c03", ClassName: "USB controller", Name: "Maker USB 3.1 Type C: Gen2 (rev 03) x", Revision: "04"}},
		{"00:00.0 Non-VGA unclassified device: Maker Chip", fact.Device{ClassName: "Non-VGA unclassified device", Name: "Maker Chip"}},
		{"00:00.0 IDE interface: Maker [AMD/ATI] Chip [4321] (rev 01) (prog-if 8f [PCI native mode controller])", fact.Device{Class: "0101", ClassName: "IDE interface", Name: "Maker [AMD/ATI] Chip [4321]", Revision: "01", ProgIf: "8f"}},
	} {
		test.want.Address, test.want.Listings = "0000:00:00.0", 1
		if test.want.Name == "Device" {
			test.want.Name = ""
		}
		got := parse(t, test.line+"\n")
		if diff := cmp.Diff([]fact.Device{test.want}, got.Devices, noPlaces); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.line, diff)
		}
	}
}

// TestPlaces: each fact carries the physical line that prints it.
func TestPlaces(t *testing.T) {
	got := parse(t, strings.ReplaceAll(`0000:00:01.0 PCI bridge: Example Corporation with a name that a mailer
wrapped (rev 01)
	Capabilities: [40] Express (v2) Root Port (Slot+), MSI 00
		LnkCap:	Port #5, Speed 8GT/s, Width x4, ASPM not supported
			ClockPM- Surprise- LLActRep+ BwNot+
		DevSta:	CorrErr+ NonFatalErr-
			FatalErr-
		SltCap:	AttnBtn- PwrCtrl- MRL- AttnInd- PwrInd- HotPlug+ Surprise+
	Kernel driver in use: pcieport
`, "\n", "\r\n"))
	line := func(n int, text string) fact.Line {
		return fact.Line{File: "cmd/lspci-vvv.txt", Line: n, Text: text}
	}
	d := got.Devices[0]
	for _, test := range []struct {
		what string
		got  any
		want any
	}{
		{"device", d.From, line(1, "0000:00:01.0 PCI bridge: Example Corporation with a name that a mailer")},
		{"express", d.Express.At, line(3, "Capabilities: [40] Express (v2) Root Port (Slot+), MSI 00")},
		{"link", d.Express.LinkCap.At, line(4, "LnkCap:\tPort #5, Speed 8GT/s, Width x4, ASPM not supported")},
		{"flag of the second line", d.Express.DLActiveReporting.At, line(5, "ClockPM- Surprise- LLActRep+ BwNot+")},
		{"hot-plug", d.Express.HotPlug, fact.Of(true, line(8, "SltCap:\tAttnBtn- PwrCtrl- MRL- AttnInd- PwrInd- HotPlug+ Surprise+"))},
		{"driver", d.DriverAt, line(9, "Kernel driver in use: pcieport")},
		{"register", d.Express.DevSta.At, []fact.Line{line(6, "DevSta:\tCorrErr+ NonFatalErr-"), line(7, "FatalErr-")}},
	} {
		if diff := cmp.Diff(test.want, test.got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.what, diff)
		}
	}
	if want := "Example Corporation with a name that a mailer wrapped"; d.Name != want {
		t.Errorf("name is %q, want %q", d.Name, want)
	}
}

func TestUnread(t *testing.T) {
	got := parse(t, `Hello,
00:01.0 PCI bridge: Example
	Control: I/O+ Mem+
	Novelty: 1
	Capabilities: [40] Express (v2) Root Port (Slot+), MSI 00
		NewReg:	A+ B-
		LnkSta:	Speed fast, Width x4
WARNING: Cannot show hex-dump of the config space
`)
	want := fact.Unread{File: "cmd/lspci-vvv.txt", Lines: 4, Of: 8, Ignored: 1}
	if diff := cmp.Diff(want, got.Unread); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	problems := []fact.Problem{{File: "cmd/lspci-vvv.txt", Line: 7, Text: `not understood: "LnkSta:\tSpeed fast, Width x4"`}}
	if diff := cmp.Diff(problems, got.Problems); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestCutOff(t *testing.T) {
	const whole = "00:01.0 PCI bridge: Example\n\tCapabilities: [40] Express (v2) Root Port (Slot+), MSI 00\n\t\tLnkSta:\tSpeed 8GT/s, Width x16\n"
	if got := parse(t, whole); got.Devices[0].Express.LinkSta == nil || len(got.Problems) > 0 {
		t.Errorf("whole text: %+v", got)
	}
	got := parse(t, whole[:len(whole)-2])
	if got.Devices[0].Express.LinkSta != nil {
		t.Error("a width was read that may have been cut")
	}
	if len(got.Problems) != 1 || got.Unread.Lines != 1 {
		t.Errorf("problems %v, unread %v", got.Problems, got.Unread)
	}
	if got := parse(t, "00:01.0 PCI bridge: Exam"); len(got.Devices) != 1 {
		t.Errorf("a cut header gave %d devices", len(got.Devices))
	}
}

func TestReadError(t *testing.T) {
	broken := errors.New("disk on fire")
	got, err := Parse(io.MultiReader(strings.NewReader("00:01.0 PCI bridge: Example\n\tPhysical Slot: 2\n\tIOMMU gr"), iotest.ErrReader(broken)), "x")
	if !errors.Is(err, broken) {
		t.Errorf("error is %v", err)
	}
	if len(got.Devices) != 1 || got.Devices[0].Slot != "2" {
		t.Errorf("devices %+v", got.Devices)
	}
}

// TestChunks: how the reader is filled changes nothing.
func TestChunks(t *testing.T) {
	text := machine(150 << 10)
	want := parse(t, string(text))
	for _, r := range []io.Reader{iotest.HalfReader(bytes.NewReader(text)), iotest.DataErrReader(bytes.NewReader(text)), iotest.OneByteReader(bytes.NewReader(text[:5000]))} {
		got, err := Parse(r, "cmd/lspci-vvv.txt")
		if err != nil {
			t.Fatal(err)
		}
		if len(got.Devices) == len(want.Devices) {
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		} else if got.Unread.Of > 120 {
			t.Errorf("%d devices, want %d", len(got.Devices), len(want.Devices))
		}
	}
}

func TestLongLines(t *testing.T) {
	got := parse(t, "00:01.0 Ethernet controller: Example\n\tCapabilities: [e0] Vital Product Data\n\t\tProduct Name: "+
		strings.Repeat(`\x00`, 20<<10)+"\n\tPhysical Slot: 7\n")
	if len(got.Problems) > 0 || got.Unread.Lines > 0 || got.Devices[0].Slot != "7" {
		t.Errorf("problems %v, unread %v", got.Problems, got.Unread)
	}
	got = parse(t, "00:01.0 Ethernet controller: Example\n\tSubsystem: "+strings.Repeat("x", 3<<20)+"\n\tPhysical Slot: 7\n")
	if len(got.Problems) != 1 || got.Devices[0].Slot != "7" || len(got.Devices[0].SubName) > maxLine || got.Unread.Of != 3 {
		t.Errorf("problems %v, unread %v", got.Problems, got.Unread)
	}
}

func TestBegins(t *testing.T) {
	for _, test := range []struct {
		line string
		want bool
	}{
		{"00:1c.0 PCI bridge: Example", true},
		{"0000:00:1c.0 0604: 8086:1234 (rev 01)", true},
		{"10000:e1:00.0 Non-Volatile memory controller:", true}, // wrapped by a mailer
		{"00:03.0/02:00.0 PCI bridge: Example", true},
		{"00:03.0/00.0 PCI bridge: Example", true},
		{`00:1f.3 "Audio device" "Example" "Audio" -r02 "" ""`, true},
		{"Slot:\t00:1f.3", true},
		{"> > 00:1c.0 PCI bridge: Example", true},
		{">00:1c.0 PCI bridge: Example", true},
		{"\u00a000:1c.0 PCI bridge: Example", true},
		{"\x1b[01;31m\x1b[K00:1c.0\x1b[m\x1b[K PCI bridge: Example", true},
		{"\x1b]0;title\a00:1c.0 PCI bridge: Example", true},
		{"\x1b]0;title\x1b\\00:1c.0 PCI bridge: Example", true},
		{"    12\t00:1c.0 PCI bridge: Example", true},
		{"Nov 30 17:55:01 00:1c.0 PCI bridge: Example", true},
		{"2026-11-30T17:55:01.1234567Z 00:1c.0 PCI bridge: Example", true},
		{"Slot: AtnBtn- PwrCtrl- MRL-", false},
		{"-[0000:00]-+-00.0  Example", false},
		{"[    0.100000] pci 0000:00:01.0: [8086:1901] type 01", false},
		{"Nov 30 17:55:01 host kernel: pci 0000:00:01.0 x: y", false},
		{"09:30.1 start: x", false},
		{"see 00:1f.3 for details: none", false},
		{"1 2026-02-03 05:05:06 +0100 0000:17:02.0 Corrected error: Receiver Error", false},
		{"00: 86 80 b0 a0", false},
		{"", false},
	} {
		if got := Begins([]byte(test.line)); got != test.want {
			t.Errorf("%q: %v", test.line, got)
		}
	}
}

// TestTables: a key has one meaning, and a reason where it is not read.
func TestTables(t *testing.T) {
	type key struct {
		scope scope
		key   string
	}
	seen := map[key]bool{}
	add := func(k key) {
		if seen[k] {
			t.Errorf("%v stands in the tables twice", k)
		}
		if len(k.key) >= maxLabel {
			t.Errorf("%v is too long to be found", k)
		}
		seen[k] = true
	}
	for s, keys := range readers {
		for k := range keys {
			add(key{s, k})
		}
	}
	for _, u := range unneeded {
		add(key{u.scope, u.key})
		if u.reason == "" {
			t.Errorf("%v has no reason", u)
		}
	}
	for s, keys := range joined {
		for _, k := range keys {
			add(key{s, k})
		}
	}
	for i, h := range heads {
		for _, later := range heads[i+1:] {
			if strings.HasPrefix(later.text, h.text) {
				t.Errorf("head %q hides %q", h.text, later.text)
			}
		}
	}
}

// TestMemory: lines that no fact cites are not kept.
func TestMemory(t *testing.T) {
	row := []byte("00: 86 80 b0 a0 07 04 10 00 0b 00 04 06 10 00 81 00\n")
	const rows = 200_000
	text := io.MultiReader(strings.NewReader("00:01.0 PCI bridge: Example\n"), &repeat{row: row, left: rows})
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	r, err := Parse(text, "x")
	runtime.ReadMemStats(&after)
	if err != nil || r.Unread.Of != rows+1 {
		t.Fatalf("%v, %d lines", err, r.Unread.Of)
	}
	if used := after.TotalAlloc - before.TotalAlloc; used > 1<<20 {
		t.Errorf("%d bytes allocated for %d bytes of text", used, rows*len(row))
	}
}

// repeat gives one row again and again.
type repeat struct {
	row  []byte
	left int
}

func (r *repeat) Read(p []byte) (int, error) {
	if r.left == 0 {
		return 0, io.EOF
	}
	r.left--
	return copy(p, r.row), nil
}

// TestLimits: no text makes the facts outgrow their bounds.
func TestLimits(t *testing.T) {
	const bound = 100 << 20
	held := func(t *testing.T, r io.Reader) *Result {
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		got, err := Parse(r, "x")
		if err != nil {
			t.Fatal(err)
		}
		runtime.GC()
		runtime.ReadMemStats(&after)
		runtime.KeepAlive(got)
		n := int64(after.HeapAlloc) - int64(before.HeapAlloc)
		t.Logf("%d MiB held", n>>20)
		if n > bound {
			t.Errorf("%d MiB are held of %d lines", n>>20, got.Unread.Of)
		}
		return got
	}
	for situation, text := range adversarial {
		t.Run(situation, func(t *testing.T) { held(t, bytes.NewReader(text(8<<20))) })
	}
	t.Run("verbose functions", func(t *testing.T) {
		block := string(machine(1))
		var all []io.Reader
		for i := range 6000 {
			all = append(all, strings.NewReader(strings.ReplaceAll(block, "0000:00", fmt.Sprintf("%04x:%02x", i>>8, i&0xff))))
		}
		got := held(t, io.MultiReader(all...))
		if n := len(got.Devices); n < 7000 || n > 9000 || len(got.Problems) != 1 || !strings.HasPrefix(got.Problems[0].Text, "more than ") {
			t.Errorf("%d devices, problems %v", n, got.Problems)
		}
	})
	for situation, text := range map[string]string{
		"regions": "\tRegion 0: Memory at 0 (32-bit)\n", "windows": "\tMemory behind bridge: None\n", "modules": "\tKernel modules: " + strings.Repeat("x, ", 100) + "\n",
		"flags": "\tCapabilities: [100 v1] Access Control Services\n\t\tACSCtl:\t" + strings.Repeat("a%d+ b%d- ", 100) + "\n",
	} {
		d := parse(t, "00:00.0 a: b\n"+strings.Repeat(text, 100)).Devices[0]
		if len(d.Regions) > maxRegions || len(d.Windows) > maxWindows || len(d.Modules) > maxModules || d.ACS != nil && len(d.ACS.Ctl.Bits) > maxFlags {
			t.Errorf("%s: %d regions, %d windows, %d modules", situation, len(d.Regions), len(d.Windows), len(d.Modules))
		}
	}
}

func TestRefusedList(t *testing.T) {
	got := parse(t, "00:1c.0 PCI bridge: Example\n\tFlags: fast devsel\n\tCapabilities: <access denied>\n01:00.0 Ethernet controller: Example\n\tFlags: fast devsel\n")
	if at := got.Devices[0].Refused(); at.Line != 3 || at.Text != "Capabilities: <access denied>" {
		t.Errorf("the list of the first is refused at %+v", at)
	}
	if at := got.Devices[1].Refused(); at.Line != 4 {
		t.Errorf("a device that says nothing of its list is cited at %+v", at)
	}
}
