package pciconfig

import (
	"fmt"
	"strconv"
	"strings"

	"hwcap/parse/fact"
)

// portType is the Device/Port Type of the PCI Express capability
// (PCI_EXP_TYPE_*).
type portType uint8

const (
	endpoint           portType = 0x0
	legacyEndpoint     portType = 0x1
	rootPort           portType = 0x4
	upstreamPort       portType = 0x5
	downstreamPort     portType = 0x6
	pcieToPCI          portType = 0x7
	pciToPCIe          portType = 0x8
	integratedEndpoint portType = 0x9
	eventCollector     portType = 0xa
	noPort             portType = 0xff // no PCI Express capability
)

// portTypes are the words of the facts; a type that is not here has none.
var portTypes = map[portType]string{
	endpoint:           fact.Endpoint,
	legacyEndpoint:     fact.LegacyEndpoint,
	rootPort:           fact.RootPort,
	upstreamPort:       fact.UpstreamPort,
	downstreamPort:     fact.DownstreamPort,
	pcieToPCI:          fact.PCIeToPCI,
	pciToPCIe:          fact.PCIToPCIe,
	integratedEndpoint: fact.RCiEP,
	eventCollector:     fact.RCEC,
}

// types is a set of port types.
type types uint16

func typesOf(list ...portType) (t types) {
	for _, p := range list {
		t |= 1 << p
	}
	return t
}

func (t types) has(p portType) bool { return t&(1<<p) != 0 }

// Which registers and bits a function has depends on its type.
var (
	slotted    = typesOf(rootPort, downstreamPort, pciToPCIe)
	linkless   = typesOf(integratedEndpoint, eventCollector)
	collecting = typesOf(rootPort, eventCollector) // root registers
	resettable = typesOf(endpoint, legacyEndpoint, integratedEndpoint)
)

// The registers of the PCI Express capability (7.5.3, PCI_EXP_*).
const (
	expFlags = 0x02
	devCap   = 0x04
	devCtl   = 0x08
	devSta   = 0x0a
	lnkCap   = 0x0c
	lnkCtl   = 0x10
	lnkSta   = 0x12
	sltCap   = 0x14
	sltSta   = 0x1a
	rootCtl  = 0x1c
	devCap2  = 0x24
	devCtl2  = 0x28
	lnkCap2  = 0x2c
	lnkCtl2  = 0x30
	lnkSta2  = 0x32
)

// pciExpress reads the PCI Express capability.
func (d *decoder) pciExpress(at int) {
	flags := d.u16(at + expFlags)
	d.express, d.portType = true, portType(flags>>4&0xf)
	x := &fact.Express{Type: portTypes[d.portType], Version: int(flags & 0xf)}
	d.dev.Express = x
	meaning := []string{"v" + strconv.Itoa(x.Version), x.Type}
	if x.Type == "" {
		meaning[1] = "type " + strconv.Itoa(int(d.portType))
		d.problem(at+expFlags, "PCI Express function of %s, which is not known", meaning[1])
	}
	slot := flags&0x100 != 0
	if slotted.has(d.portType) {
		x.Slot = &slot
		meaning = append(meaning, "Slot"+sign(slot))
	}
	x.At = d.cite("Express", at+expFlags, 2, "%s", strings.Join(meaning, ", "))

	linked := !linkless.has(d.portType)
	d.deviceRegisters(x, at)
	if linked {
		d.linkRegisters(x, at)
	}
	if slot && x.Slot != nil {
		d.slotRegisters(x, at)
	}
	if collecting.has(d.portType) {
		x.RootCtl = d.flags("RootCtl", at+rootCtl, 2, rootCtlBits)
	}
	if x.Version < 2 {
		return
	}
	d.deviceRegisters2(x, at)
	if linked {
		d.linkRegisters2(x, at)
	}
}

// payload decodes a size of three bits: 0 is 128 bytes.
func payload(code uint32) int { return 128 << (code & 7) }

func (d *decoder) deviceRegisters(x *fact.Express, at int) {
	if !d.has(at+devCap, 8) {
		return
	}
	const functionReset = 1 << 28 // PCI_EXP_DEVCAP_FLR
	capability := d.u32(at + devCap)
	x.MaxPayloadCap = payload(capability)
	var without []string
	if resettable.has(d.portType) {
		on := capability&functionReset != 0
		x.FLReset = fact.Of(on, d.cite("DevCap", at+devCap, 4, "MaxPayload %d bytes, FLReset%s", x.MaxPayloadCap, sign(on)))
		x.MaxPayloadCapAt = x.FLReset.At
	} else {
		x.MaxPayloadCapAt = d.cite("DevCap", at+devCap, 4, "MaxPayload %d bytes", x.MaxPayloadCap)
	}
	if !x.FLReset.V {
		without = []string{"FLReset"}
	}
	control := d.u16(at + devCtl)
	x.MaxPayload, x.MaxReadReq = payload(control>>5), payload(control>>12)
	sizes := fmt.Sprintf("MaxPayload %d bytes, MaxReadReq %d bytes", x.MaxPayload, x.MaxReadReq)
	x.DevCtl = d.flagsAnd(sizes, "DevCtl", at+devCtl, 2, devCtlBits, without...)
	x.DevSta = d.flags("DevSta", at+devSta, 2, devStaBits)
}

// speeds are the link speeds in GT/s by their code (PCI_EXP_LNKSTA_CLS; 7.5.3.18
// counts them as bits of a vector).
var speeds = [16]float64{1: 2.5, 2: 5, 3: 8, 4: 16, 5: 32, 6: 64, 7: 128}

func speedText(speed float64) string {
	if speed == 0 {
		return "unknown speed"
	}
	return strconv.FormatFloat(speed, 'g', -1, 64) + " GT/s"
}

// The words of lspci for Active State Power Management, by LnkCap's and
// LnkCtl's fields of two bits.
var (
	aspmSupport = [4]string{"not supported", "L0s", "L1", "L0s L1"}
	aspmControl = [4]string{"Disabled", "L0s Enabled", "L1 Enabled", "L0s L1 Enabled"}
)

func (d *decoder) linkRegisters(x *fact.Express, at int) {
	if !d.has(at+lnkCap, 8) {
		return
	}
	const (
		activeReporting = 1 << 20 // PCI_EXP_LNKCAP_DLLLARC
		linkDisable     = 1 << 4  // PCI_EXP_LNKCTL_LD
		linkActive      = 1 << 13 // PCI_EXP_LNKSTA_DLLLA
	)
	capability := d.u32(at + lnkCap)
	port := int(capability >> 24)
	l := &fact.Link{Speed: speeds[capability&0xf], Width: int(capability >> 4 & 0x3f), Port: &port, ASPM: aspmSupport[capability>>10&3]}
	reports := capability&activeReporting != 0
	l.At = d.cite("LnkCap", at+lnkCap, 4, "Port #%d, %s, x%d, ASPM %s, LLActRep%s", port, speedText(l.Speed), l.Width, l.ASPM, sign(reports))
	x.LinkCap, x.DLActiveReporting = l, fact.Of(reports, l.At)

	control := d.u16(at + lnkCtl)
	c := &fact.LinkCtl{ASPM: aspmControl[control&3], Disabled: control&linkDisable != 0}
	c.At = d.cite("LnkCtl", at+lnkCtl, 2, "ASPM %s, LnkDisable%s", c.ASPM, sign(c.Disabled))
	x.LinkCtl = c

	state := d.u16(at + lnkSta)
	s := &fact.Link{Speed: speeds[state&0xf], Width: int(state >> 4 & 0x3f)}
	active := state&linkActive != 0
	s.At = d.cite("LnkSta", at+lnkSta, 2, "%s, x%d, DLActive%s", speedText(s.Speed), s.Width, sign(active))
	x.LinkSta, x.DLActive = s, fact.Of(active, s.At)
}

// slotRegisters reads Slot Capabilities and Status (7.5.3.9, 7.5.3.11).
func (d *decoder) slotRegisters(x *fact.Express, at int) {
	if !d.has(at+sltCap, 8) {
		return
	}
	const (
		mrlSensor      = 1 << 2 // PCI_EXP_SLTCAP_MRLSP
		hotPlugCapable = 1 << 6 // PCI_EXP_SLTCAP_HPC
		powerFault     = 1 << 1 // PCI_EXP_SLTSTA_PFD
		mrlState       = 1 << 5 // PCI_EXP_SLTSTA_MRLSS
		presence       = 1 << 6 // PCI_EXP_SLTSTA_PDS
	)
	capability := d.u32(at + sltCap)
	number := int(capability >> 19)
	sensor, hotPlug := capability&mrlSensor != 0, capability&hotPlugCapable != 0
	line := d.cite("SltCap", at+sltCap, 4, "MRL%s HotPlug%s, Slot #%d", sign(sensor), sign(hotPlug), number)
	x.SlotNumber, x.MRLSensor, x.HotPlug = &number, fact.Of(sensor, line), fact.Of(hotPlug, line)

	state := d.u16(at + sltSta)
	s := &fact.SlotSta{PresDet: state&presence != 0, PowerFlt: state&powerFault != 0, MRL: state&mrlState != 0}
	s.At = d.cite("SltSta", at+sltSta, 2, "PowerFlt%s MRL%s PresDet%s", sign(s.PowerFlt), sign(s.MRL), sign(s.PresDet))
	x.SlotSta = s
}

// The words of lspci for the ranges and values of the completion timeout, by
// their fields of four bits (7.5.3.15, 7.5.3.16). The codes between are
// reserved.
var (
	completionRanges = [16]string{0: "Not Supported", 1: "Range A", 2: "Range B", 3: "Range AB", 6: "Range BC", 7: "Range ABC", 14: "Range BCD", 15: "Range ABCD"}
	completionValues = [16]string{0: "50us to 50ms", 1: "50us to 100us", 2: "1ms to 10ms", 5: "16ms to 55ms", 6: "65ms to 210ms",
		9: "260ms to 900ms", 10: "1s to 3.5s", 13: "4s to 13s", 14: "17s to 64s"}
)

func known(word string) string {
	if word == "" {
		return "Unknown"
	}
	return word
}

func (d *decoder) deviceRegisters2(x *fact.Express, at int) {
	if !d.has(at+devCap2, 6) {
		return
	}
	const tphReserved = 2 // of the field's two bits
	capability := d.u32(at + devCap2)
	var without []string
	if d.portType != rootPort && !d.hasMemoryBAR() {
		without = append(without, completers...)
	}
	if capability>>12&3 == tphReserved {
		without = append(without, tphCompleter...)
	}
	ranges := known(completionRanges[capability&0xf])
	x.DevCap2 = d.flagsAnd("Completion Timeout: "+ranges, "DevCap2", at+devCap2, 4, devCap2Bits, without...)
	x.CompletionRanges = fact.Of(ranges, x.DevCap2.At[0])
	timeout := known(completionValues[d.u16(at+devCtl2)&0xf])
	x.DevCtl2 = d.flagsAnd("Completion Timeout: "+timeout, "DevCtl2", at+devCtl2, 2, devCtl2Bits)
	x.CompletionTimeout = fact.Of(timeout, x.DevCtl2.At[0])
}

func (d *decoder) hasMemoryBAR() bool {
	for _, r := range d.dev.Regions {
		if r.Kind == "mem" && r.Index < romIndex && r.State != "broken" {
			return true
		}
	}
	return false
}

// linkRegisters2 reads the second set of the link. The target speed is that of
// the component: an endpoint has it in its function 0 alone, and the other
// functions read as reserved.
func (d *decoder) linkRegisters2(x *fact.Express, at int) {
	if !d.has(at+lnkCap2, 8) {
		return
	}
	without := []string{"DRS"}
	endpoint := d.portType == endpoint || d.portType == legacyEndpoint
	if !endpoint || strings.HasSuffix(d.dev.Address, ":00.0") {
		const deviceReadiness = 1 << 31 // PCI_EXP_LNKCAP2 DRS Supported
		if d.u32(at+lnkCap2)&deviceReadiness != 0 {
			without = nil
		}
		code := d.u16(at+lnkCtl2) & 0xf
		c := &fact.LinkCtl2{Target: speeds[max(code, 1)]} // 0 where 2.5 GT/s is all there is
		c.At = d.cite("LnkCtl2", at+lnkCtl2, 2, "target %s", speedText(c.Target))
		x.LinkCtl2 = c
	}
	x.LnkSta2 = d.flagsAnd("", "LnkSta2", at+lnkSta2, 2, lnkSta2Bits, without...)
}
