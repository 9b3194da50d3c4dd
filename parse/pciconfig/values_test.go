package pciconfig_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"hwcap/parse/fact"
)

// set returns flags of which the names are set and the others are not.
func set(place fact.Line, all []string, names ...string) *fact.Flags {
	f := &fact.Flags{Bits: map[string]bool{}, At: []fact.Line{place}}
	for _, name := range all {
		f.Bits[name] = false
	}
	for _, name := range names {
		f.Bits[name] = true
	}
	return f
}

// TestRootPort holds every field of one function, and its places.
func TestRootPort(t *testing.T) {
	yes := true
	port, slot := 3, 3
	uncorrectable := []string{"DLP", "SDES", "TLP", "FCP", "CmpltTO", "CmpltAbrt", "UnxCmplt", "RxOF", "MalfTLP", "ECRC", "UnsupReq", "ACSViol", "UncorrIntErr",
		"BlockedTLP", "AtomicOpBlocked", "TLPBlockedErr", "PoisonTLPBlocked", "DMWrReqBlocked", "IDECheck", "MisIDETLP", "PCRC_CHECK", "TLPXlatBlocked"}
	correctable := []string{"RxErr", "BadTLP", "BadDLLP", "Rollover", "Timeout", "AdvNonFatalErr", "CorrIntErr", "HeaderOF"}
	acs := []string{"SrcValid", "TransBlk", "ReqRedir", "CmpltRedir", "UpstreamFwd", "EgressCtrl", "DirectTrans"}
	sleep := []string{"PCI-PM_L1.2", "PCI-PM_L1.1", "ASPM_L1.2", "ASPM_L1.1"}
	const quiet = "DLP- SDES- TLP- FCP- CmpltTO- CmpltAbrt- UnxCmplt- RxOF- MalfTLP- ECRC- UnsupReq- ACSViol- UncorrIntErr- " +
		"BlockedTLP- AtomicOpBlocked- TLPBlockedErr- PoisonTLPBlocked- DMWrReqBlocked- IDECheck- MisIDETLP- PCRC_CHECK- TLPXlatBlocked-"
	linkCap := at(0x4c, "LnkCap 0x03100c84: Port #3, 16 GT/s, x8, ASPM L0s L1, LLActRep+")
	linkSta := at(0x52, "LnkSta 0x7042: 5 GT/s, x4, DLActive+")
	slotCap := at(0x54, "SltCap 0x00180044: MRL+ HotPlug+, Slot #3")
	devCap2 := at(0x64, "DevCap2 0x0000082f: TimeoutDis- NROPrPrP- LTR+ 10BitTagComp- 10BitTagReq- ExtFmt- EETLPPrefix- EmergencyPowerReductionInit- FRS- "+
		"TPHComp- ExtTPHComp- ARIFwd+ Routing- 32bit- 64bit- 128bitCAS-, Completion Timeout: Range ABCD")
	devCtl2 := at(0x68, "DevCtl2 0x0425: TimeoutDis- ARIFwd+ ReqEn- EgressBlck- IDOReq- IDOCompl- LTR+ EmergencyPowerReductionReq- 10BitTagReq- EETLPPrefixBlk-, Completion Timeout: 16ms to 55ms")

	want := fact.Device{
		Address: address, Class: "0b40", ProgIf: "00", Vendor: "1234", Device: "5678", Revision: "00", Header: "01",
		From: at(0, "ID 0x56781234: 1234:5678"),
		Bus:  &fact.BusRange{Secondary: 1, Subordinate: 2, At: at(0x18, "Bus 0x020100: primary 00, secondary 01, subordinate 02")},
		Windows: []fact.Window{
			{Kind: "io", Start: "1000", End: "1fff", Open: true, At: at(0x1c, "I/O behind bridge 0x1010: 1000-1fff, open")},
			{Kind: "mem", Start: "df000000", End: "df1fffff", Open: true, At: at(0x20, "Memory behind bridge 0xdf10df00: df000000-df1fffff, open")},
			{Kind: "pref", Start: "0000000000000000", End: "000000001fffffff", Open: true,
				At: at(0x24, "Prefetchable memory behind bridge 0x00000000000000001ff10001: 0000000000000000-000000001fffffff, open")},
		},
		CapsState: fact.Present, ExtCaps: true,
		Express: &fact.Express{
			Type: fact.RootPort, Version: 2, Slot: &yes, At: at(0x42, "Express 0x0142: v2, root-port, Slot+"),
			MaxPayloadCap: 512, MaxPayload: 128, MaxReadReq: 512,
			MaxPayloadCapAt: at(0x44, "DevCap 0x00008002: MaxPayload 512 bytes"),
			DevCtl: set(at(0x48, "DevCtl 0x2817: CorrErr+ NonFatalErr+ FatalErr+ UnsupReq- RlxdOrd+ ExtTag- PhantFunc- AuxPwr- NoSnoop+, MaxPayload 128 bytes, MaxReadReq 512 bytes"),
				[]string{"UnsupReq", "ExtTag", "PhantFunc", "AuxPwr"}, "CorrErr", "NonFatalErr", "FatalErr", "RlxdOrd", "NoSnoop"),
			DevSta: set(at(0x4a, "DevSta 0x0009: CorrErr+ NonFatalErr- FatalErr- UnsupReq+ AuxPwr- TransPend-"),
				[]string{"NonFatalErr", "FatalErr", "AuxPwr", "TransPend"}, "CorrErr", "UnsupReq"),
			LinkCap:           &fact.Link{Speed: 16, Width: 8, Port: &port, ASPM: "L0s L1", At: linkCap},
			LinkSta:           &fact.Link{Speed: 5, Width: 4, At: linkSta},
			LinkCtl:           &fact.LinkCtl{ASPM: "L0s L1 Enabled", At: at(0x50, "LnkCtl 0x0043: ASPM L0s L1 Enabled, LnkDisable-")},
			LinkCtl2:          &fact.LinkCtl2{Target: 16, At: at(0x70, "LnkCtl2 0x0004: target 16 GT/s")},
			DLActive:          fact.Of(true, linkSta),
			DLActiveReporting: fact.Of(true, linkCap),
			SlotNumber:        &slot, MRLSensor: fact.Of(true, slotCap), HotPlug: fact.Of(true, slotCap),
			SlotSta: &fact.SlotSta{PresDet: true, At: at(0x5a, "SltSta 0x0040: PowerFlt- MRL- PresDet+")},
			RootCtl: set(at(0x5c, "RootCtl 0x0008: ErrCorrectable- ErrNon-Fatal- ErrFatal- PMEIntEna+ CRSVisible-"),
				[]string{"ErrCorrectable", "ErrNon-Fatal", "ErrFatal", "CRSVisible"}, "PMEIntEna"),
			DevCap2: set(devCap2, []string{"TimeoutDis", "NROPrPrP", "10BitTagComp", "10BitTagReq", "ExtFmt", "EETLPPrefix", "EmergencyPowerReductionInit",
				"FRS", "TPHComp", "ExtTPHComp", "Routing", "32bit", "64bit", "128bitCAS"}, "LTR", "ARIFwd"),
			DevCtl2: set(devCtl2, []string{"TimeoutDis", "ReqEn", "EgressBlck", "IDOReq", "IDOCompl", "EmergencyPowerReductionReq", "10BitTagReq", "EETLPPrefixBlk"},
				"LTR", "ARIFwd"),
			CompletionRanges: fact.Of("Range ABCD", devCap2), CompletionTimeout: fact.Of("16ms to 55ms", devCtl2),
			LnkSta2: set(at(0x72, "LnkSta2 0x005e: EqualizationComplete+ EqualizationPhase1+ EqualizationPhase2+ EqualizationPhase3+ LinkEqualizationRequest- Retimer+ 2Retimers-"),
				[]string{"LinkEqualizationRequest", "2Retimers"}, "EqualizationComplete", "EqualizationPhase1", "EqualizationPhase2", "EqualizationPhase3", "Retimer"),
		},
		DisINTx: fact.Of(false, at(4, "Command 0x0007: DisINTx-")),
		MSI:     fact.Of(true, at(0x7e, "MSI 0x0081: Enable+")),
		Power:   fact.Of("D0", at(0x90, "PMCSR 0x0000: D0")),
		AER: &fact.AER{
			At: at(0x100, "Advanced Error Reporting 0x14810001: v1"),
			UESta: set(at(0x104, "UESta 0x00100000: DLP- SDES- TLP- FCP- CmpltTO- CmpltAbrt- UnxCmplt- RxOF- MalfTLP- ECRC- UnsupReq+ ACSViol- UncorrIntErr- "+
				"BlockedTLP- AtomicOpBlocked- TLPBlockedErr- PoisonTLPBlocked- DMWrReqBlocked- IDECheck- MisIDETLP- PCRC_CHECK- TLPXlatBlocked-"), uncorrectable, "UnsupReq"),
			UEMsk: set(at(0x108, "UEMsk 0x00000000: "+quiet), uncorrectable),
			UESvrt: set(at(0x10c, "UESvrt 0x00462030: DLP+ SDES+ TLP- FCP+ CmpltTO- CmpltAbrt- UnxCmplt- RxOF+ MalfTLP+ ECRC- UnsupReq- ACSViol- UncorrIntErr+ "+
				"BlockedTLP- AtomicOpBlocked- TLPBlockedErr- PoisonTLPBlocked- DMWrReqBlocked- IDECheck- MisIDETLP- PCRC_CHECK- TLPXlatBlocked-"),
				uncorrectable, "DLP", "SDES", "FCP", "RxOF", "MalfTLP", "UncorrIntErr"),
			CESta:   set(at(0x110, "CESta 0x00002001: RxErr+ BadTLP- BadDLLP- Rollover- Timeout- AdvNonFatalErr+ CorrIntErr- HeaderOF-"), correctable, "RxErr", "AdvNonFatalErr"),
			CEMsk:   set(at(0x114, "CEMsk 0x00002000: RxErr- BadTLP- BadDLLP- Rollover- Timeout- AdvNonFatalErr+ CorrIntErr- HeaderOF-"), correctable, "AdvNonFatalErr"),
			RootCmd: set(at(0x12c, "RootCmd 0x00000007: CERptEn+ NFERptEn+ FERptEn+"), nil, "CERptEn", "NFERptEn", "FERptEn"),
			RootSta: set(at(0x130, "RootSta 0x00000001: CERcvd+ MultCERcvd- UERcvd- MultUERcvd- FirstFatal- NonFatalMsg- FatalMsg-"),
				[]string{"MultCERcvd", "UERcvd", "MultUERcvd", "FirstFatal", "NonFatalMsg", "FatalMsg"}, "CERcvd"),
		},
		ACS: &fact.ACS{
			At:  at(0x148, "Access Control Services 0x1501000d: v1"),
			Cap: set(at(0x14c, "ACSCap 0x001f: SrcValid+ TransBlk+ ReqRedir+ CmpltRedir+ UpstreamFwd+ EgressCtrl- DirectTrans-"), acs, "SrcValid", "TransBlk", "ReqRedir", "CmpltRedir", "UpstreamFwd"),
			Ctl: set(at(0x14e, "ACSCtl 0x001d: SrcValid+ TransBlk- ReqRedir+ CmpltRedir+ UpstreamFwd+ EgressCtrl- DirectTrans-"), acs, "SrcValid", "ReqRedir", "CmpltRedir", "UpstreamFwd"),
		},
		LaneErrors: fact.Of([]int{0, 3}, at(0x158, "LaneErrStat 0x00000009: lanes [0 3]")),
		DPC: &fact.DPC{
			At: at(0x16c, "Downstream Port Containment 0x17c1001d: v1"),
			Ctl: set(at(0x172, "DpcCtl 0x001a: Trigger+ Cmpl- INT+ ErrCor+ PoisonedTLP- SwTrigger- DL_ActiveErr-"),
				[]string{"Cmpl", "PoisonedTLP", "SwTrigger", "DL_ActiveErr"}, "Trigger", "INT", "ErrCor"),
			Sta: set(at(0x174, "DpcSta 0x1f00: Trigger- INT- RPBusy-"), []string{"Trigger", "INT", "RPBusy"}),
		},
		L1SS: &fact.L1SS{
			At: at(0x17c, "L1 PM Substates 0x0001001e: v1"),
			Cap: set(at(0x180, "L1SubCap 0x00281e1f: PCI-PM_L1.2+ PCI-PM_L1.1+ ASPM_L1.2+ ASPM_L1.1+ L1_PM_Substates+"),
				nil, append(sleep, "L1_PM_Substates")...),
			Ctl: set(at(0x184, "L1SubCtl1 0x0000000f: PCI-PM_L1.2+ PCI-PM_L1.1+ ASPM_L1.2+ ASPM_L1.1+"), nil, sleep...),
		},
	}
	if diff := cmp.Diff(want, decode(t, server())); diff != "" {
		t.Error(diff)
	}
}

// TestValues: registers that are more than flags.
func TestValues(t *testing.T) {
	express := func(version, kind uint16, fill func(c *config, at int)) func(*config) {
		return func(c *config) { fill(c, c.express(version, kind)) }
	}
	extended := func(id uint16, size int, fill func(c *config, at int)) func(*config) {
		return func(c *config) {
			c.express(2, typeEndpoint)
			fill(c, c.extension(id, size))
		}
	}
	speed := func(code uint16) func(*config) {
		return express(2, typeUpstream, func(c *config, at int) { c.put16(at+0x12, code|16<<4) })
	}
	linkSta := func(d fact.Device) any { return [2]float64{d.Express.LinkSta.Speed, float64(d.Express.LinkSta.Width)} }
	target := func(d fact.Device) any { return d.Express.LinkCtl2.Target }
	reset := func(d fact.Device) any { return d.Express.FLReset.V }
	timeouts := func(d fact.Device) any {
		return [2]string{d.Express.CompletionRanges.V, d.Express.CompletionTimeout.V}
	}
	for _, c := range []struct {
		name  string
		build func(*config)
		got   func(fact.Device) any
		want  any
	}{
		{"2.5 GT/s", speed(1), linkSta, [2]float64{2.5, 16}},
		{"8 GT/s", speed(3), linkSta, [2]float64{8, 16}},
		{"32 GT/s", speed(5), linkSta, [2]float64{32, 16}},
		{"64 GT/s", speed(6), linkSta, [2]float64{64, 16}},
		{"speed to come", speed(8), linkSta, [2]float64{0, 16}},
		{"link down", express(2, typeDownstream, func(c *config, at int) { c.put16(at+0x12, 0x0001) }), linkSta, [2]float64{2.5, 0}},
		{"target speed of a port that knows one", express(2, typeDownstream, func(*config, int) {}), target, 2.5},
		{"target speed", express(2, typeRootPort, func(c *config, at int) { c.put16(at+0x30, 0xff06) }), target, 64.0},
		{"integrated endpoint has no link", express(2, typeIntegrated, func(*config, int) {}),
			func(d fact.Device) any {
				x := d.Express
				return x.LinkCap == nil && x.LinkSta == nil && x.LnkSta2 == nil
			}, true},
		{"event collector has root registers", express(2, typeCollector, func(*config, int) {}), func(d fact.Device) any { return d.Express.RootCtl != nil }, true},
		{"version 1 has no second registers", express(1, typeRootPort, func(*config, int) {}),
			func(d fact.Device) any { x := d.Express; return x.DevCap2 == nil && x.LinkCtl2 == nil }, true},
		{"slot without its bit", express(2, typeDownstream, func(*config, int) {}), func(d fact.Device) any { return *d.Express.Slot || d.Express.SlotSta != nil }, false},
		{"latch open, power fault", express(2, typeDownstream|0x10, func(c *config, at int) { c.put16(at+0x1a, 0x0022) }),
			func(d fact.Device) any { s := *d.Express.SlotSta; s.At = fact.Line{}; return s }, fact.SlotSta{PowerFlt: true, MRL: true}},
		{"link disabled", express(2, typeRootPort, func(c *config, at int) { c.put16(at+0x10, 0x0010) }), func(d fact.Device) any { return d.Express.LinkCtl.Disabled }, true},
		{"bridge retries", express(2, typeToPCI, func(c *config, at int) { c.put16(at+8, 0x8000) }), func(d fact.Device) any { return d.Express.DevCtl.Set() }, []string{"BrConfRtry"}},
		{"payload and request of 4096 bytes", express(2, typeEndpoint, func(c *config, at int) { c.put32(at+4, 5).put16(at+8, 0x50a0) }),
			func(d fact.Device) any {
				return [3]int{d.Express.MaxPayloadCap, d.Express.MaxPayload, d.Express.MaxReadReq}
			}, [3]int{4096, 4096, 4096}},
		{"function reset", express(2, typeEndpoint, func(c *config, at int) { c.put32(at+4, 1<<28) }), reset, true},
		{"function reset by Advanced Features", func(c *config) {
			c.express(2, typeEndpoint)
			c.put8(c.capability(0x13, 6)+2, 6, 0x03)
		}, reset, true},
		{"completion timeout", express(2, typeEndpoint, func(c *config, at int) { c.put32(at+0x24, 7).put16(at+0x28, 9) }), timeouts, [2]string{"Range ABC", "260ms to 900ms"}},
		{"completion timeout by default", express(2, typeEndpoint, func(*config, int) {}), timeouts, [2]string{"Not Supported", "50us to 50ms"}},
		{"completion timeout of reserved codes", express(2, typeEndpoint, func(c *config, at int) { c.put32(at+0x24, 5).put16(at+0x28, 3) }), timeouts, [2]string{"Unknown", "Unknown"}},
		{"AtomicOps of a function with memory", express(2, typeEndpoint, func(c *config, at int) { c.put32(0x10, 0xdf00_0000).put32(at+0x24, 0x380) }),
			func(d fact.Device) any { return d.Express.DevCap2.Set() }, []string{"128bitCAS", "32bit", "64bit"}},
		{"AtomicOps of one without", express(2, typeEndpoint, func(c *config, at int) { c.put32(at+0x24, 0x380) }),
			func(d fact.Device) any { _, ok := d.Express.DevCap2.Bits["64bit"]; return ok }, false},
		{"MSI-X on, MSI off", func(c *config) {
			c.put16(c.capability(0x11, 12)+2, 0xc00f)
			c.capability(0x05, 14)
		}, func(d fact.Device) any { return [2]bool{d.MSIX.V, d.MSI.V} }, [2]bool{true, false}},

		{"interrupt line off", func(c *config) { c.put16(4, 0x0406) }, func(d fact.Device) any { return d.DisINTx.V }, true},

		{"serial number", extended(0x03, 12, func(c *config, at int) { c.put32(at+4, 0xff33_4455, 0x0011_22ff) }), func(d fact.Device) any { return d.Serial.V }, "00-11-22-ff-ff-33-44-55"},
		{"no lane with errors", extended(0x19, 0x2c, func(*config, int) {}), func(d fact.Device) any { return d.LaneErrors.Known() && len(d.LaneErrors.V) == 0 }, true},
		{"virtual functions", extended(0x10, 0x40, func(c *config, at int) { c.put16(at+0x0c, 64, 64, 8) }),
			func(d fact.Device) any { v := *d.SRIOV; v.At = fact.Line{}; return v }, fact.SRIOV{InitialVFs: 64, TotalVFs: 64, NumVFs: 8}},
		{"latency tolerance", extended(0x18, 8, func(c *config, at int) { c.put16(at+4, 0x1001, 0x0846) }),
			func(d fact.Device) any { return [2]int64{d.LTR.MaxSnoop, d.LTR.MaxNoSnoop} }, [2]int64{1 << 20, 70 << 10}},
		{"hints", extended(0x17, 12, func(*config, int) {}), func(d fact.Device) any { return d.TPH }, true},
		{"resizable BARs", extended(0x15, 0x14, func(c *config, at int) {
			c.put32(at+4, 0x0000_7000, 0x0001_0e40, 0x0000_0010, 0x0000_3f02) // two: 16 GiB, and unknown
		}), func(d fact.Device) any { return len(d.ReBAR) }, 2},
		{"sizes of a resizable BAR", extended(0x15, 0x0c, func(c *config, at int) { c.put32(at+4, 0x0000_7000, 0x0001_0e20) }),
			func(d fact.Device) any { b := d.ReBAR[0]; b.At = fact.Line{}; return b },
			fact.ReBAR{Current: 16 << 30, Supported: []int64{256 << 20, 512 << 20, 1 << 30, 256 << 40}}},
		{"largest sizes", extended(0x15, 0x0c, func(c *config, at int) { c.put32(at+4, 0, 0xc000_3f20) }),
			func(d fact.Device) any { b := d.ReBAR[0]; b.At = fact.Line{}; return b }, fact.ReBAR{Supported: []int64{1 << 62}}},
		{"the first of two counts", func(c *config) {
			c.express(2, typeEndpoint)
			c.put32(c.extension(0x03, 12)+4, 1)
			c.put32(c.extension(0x03, 12)+4, 2)
		}, func(d fact.Device) any { return d.Serial.V }, "00-00-00-00-00-00-00-01"},
		{"capability at the end", func(c *config) {
			c.express(2, typeEndpoint)
			c.extension(0x0e, 0xefc)
			c.extension(0x01, 4)
		}, func(d fact.Device) any { return d.ARI && d.AER.UESta == nil }, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			config := newConfig(0)
			c.build(config)
			if diff := cmp.Diff(c.want, c.got(decode(t, config.bytes))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestBits sets one bit after the other of the registers whose bits lspci has
// come to print one by one.
func TestBits(t *testing.T) {
	uncorrectable := func(d fact.Device) *fact.Flags { return d.AER.UESta }
	correctable := func(d fact.Device) *fact.Flags { return d.AER.CEMsk }
	control2 := func(d fact.Device) *fact.Flags { return d.Express.DevCtl2 }
	capability2 := func(d fact.Device) *fact.Flags { return d.Express.DevCap2 }
	for _, c := range []struct {
		offset int
		of     func(fact.Device) *fact.Flags
		names  map[int]string
	}{
		{0x104, uncorrectable, map[int]string{4: "DLP", 5: "SDES", 12: "TLP", 13: "FCP", 14: "CmpltTO", 15: "CmpltAbrt", 16: "UnxCmplt", 17: "RxOF",
			18: "MalfTLP", 19: "ECRC", 20: "UnsupReq", 21: "ACSViol", 22: "UncorrIntErr", 23: "BlockedTLP", 24: "AtomicOpBlocked", 25: "TLPBlockedErr",
			26: "PoisonTLPBlocked", 27: "DMWrReqBlocked", 28: "IDECheck", 29: "MisIDETLP", 30: "PCRC_CHECK", 31: "TLPXlatBlocked"}},
		{0x114, correctable, map[int]string{0: "RxErr", 6: "BadTLP", 7: "BadDLLP", 8: "Rollover", 12: "Timeout", 13: "AdvNonFatalErr", 14: "CorrIntErr", 15: "HeaderOF"}},
		{0x68, control2, map[int]string{4: "TimeoutDis", 5: "ARIFwd", 6: "ReqEn", 7: "EgressBlck", 8: "IDOReq", 9: "IDOCompl", 10: "LTR",
			11: "EmergencyPowerReductionReq", 12: "10BitTagReq", 15: "EETLPPrefixBlk"}},
		{0x64, capability2, map[int]string{4: "TimeoutDis", 5: "ARIFwd", 6: "Routing", 7: "32bit", 8: "64bit", 9: "128bitCAS", 10: "NROPrPrP", 11: "LTR",
			12: "TPHComp", 16: "10BitTagComp", 17: "10BitTagReq", 20: "ExtFmt", 21: "EETLPPrefix", 26: "EmergencyPowerReductionInit", 31: "FRS"}},
	} {
		for bit := range 32 {
			config := newConfig(0)
			config.express(2, typeRootPort)
			config.extension(0x01, 0x48)
			config.put32(c.offset, 1<<bit)
			var want []string
			if name := c.names[bit]; name != "" {
				want = []string{name}
			}
			if diff := cmp.Diff(want, c.of(decode(t, config.bytes)).Set()); diff != "" {
				t.Errorf("%03x, bit %d: %s", c.offset, bit, diff)
			}
		}
	}
}
