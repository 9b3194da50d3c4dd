package lspci

import (
	"bytes"
	"slices"
	"strings"

	"hwcap/parse/fact"
)

// scope is the capability whose registers the lines belong to.
type scope uint8

const (
	device  scope = iota // before the first capability
	record               // a device of lspci -vmm
	unknown              // a capability that is not in the list
	pm
	msi
	msix
	express
	af
	aer
	acs
	ari
	dpc
	sriov
	rebar
	vfRebar
	agp
	ats
	cxl
	debugPort
	dev3
	doe
	dvsec
	ea
	flitErrors
	flitLog
	ht
	ide
	l1ss
	lmr
	locator
	ltr
	multicast
	pasid
	pcix
	phy
	pri
	ptm
	rcec
	rcLink
	secondary
	serial
	subsystem
	tph
	vc
	vendor
	vpd
	scopes
)

// heads are the capabilities by the beginning of their line, behind the offset.
// Where one beginning is that of another, the longer comes first.
var heads = []struct {
	text  string
	scope scope
}{
	{"Express", express},
	{"Power Management", pm},
	{"MSI: ", msi},
	{"MSI-X: ", msix},
	{"Message Signalled Interrupts", msi}, // up to 3.0.2
	{"Advanced Error Reporting", aer},
	{"Access Control", acs}, // "Access Controls <?>" up to 3.0.0
	{"Alternative Routing-ID", ari},
	{"Single Root I/O Virtualization", sriov},
	{"Physical Resizable BAR", rebar},
	{"Virtual Resizable BAR", vfRebar},
	{"Downstream Port Containment", dpc},
	{"PCI Advanced Features", af},
	{"Vendor Specific", vendor},
	{"VirtIO", vendor}, // before 3.3.1
	{"Intel", vendor},
	{"Virtual Channel", vc},
	{"Vital Product Data", vpd},
	{"Secondary PCI Express", secondary},
	{"L1 PM Substates", l1ss},
	{"Latency Tolerance Reporting", ltr},
	{"Transaction Processing Hints", tph},
	{"Address Translation Service", ats},
	{"Page Request Interface", pri},
	{"Process Address Space ID", pasid},
	{"Precision Time Measurement", ptm},
	{"Designated Vendor-Specific", dvsec},
	{"Data Object Exchange", doe},
	{"Integrity & Data Encryption", ide},
	{"Device 3", dev3},
	{"Physical Layer", phy},
	{"Lane Margining", lmr},
	{"Multicast", multicast},
	{"Enhanced Allocation", ea},
	{"Flit Error Injection", flitErrors},
	{"Flit Logging", flitLog},
	{"MMIO Register Block Locator", locator},
	{"HyperTransport", ht},
	{"PCI-X", pcix},
	{"AGP version", agp},
	{"Root Complex Link", rcLink},
	{"Root Complex Event Collector", rcec},
	{"Device Serial Number", serial},
	{"Subsystem", subsystem},
	{"Debug port", debugPort},
}

// extended are the extended capabilities of interest by their number, for
// versions that do not know their names.
var extended = map[int]scope{0x01: aer, 0x0d: acs, 0x0e: ari, 0x10: sriov, 0x15: rebar, 0x17: tph, 0x1d: dpc, 0x1e: l1ss}

// headsBy are the heads by their first letter.
var headsBy = func() (by [256][]int) {
	for i := range heads {
		first := heads[i].text[0]
		by[first] = append(by[first], i)
	}
	return by
}()

// scopeOf returns the scope that the capability of that name opens.
func scopeOf(name []byte) scope {
	if len(name) == 0 {
		return unknown
	}
	for _, i := range headsBy[name[0]] {
		if hasPrefix(name, heads[i].text) {
			return heads[i].scope
		}
	}
	return unknown
}

// offset splits " [100 v1] Advanced Error Reporting". Without an offset, as in
// " <access denied>", it is 0.
func offset(text []byte) (at int, name []byte) {
	text = trimLeft(text)
	if len(text) == 0 || text[0] != '[' {
		return 0, text
	}
	at, _ = number(text[1:], 16)
	_, name, _ = bytes.Cut(text, []byte("]"))
	return at, trimLeft(name)
}

// readCapability reads the line that opens a capability.
func readCapability(d *fact.Device, r *register) bool {
	at, name := offset(r.text)
	if hasPrefix(name, "<access denied>") {
		if d.CapsState == "" {
			d.CapsState, d.CapsAt = fact.Denied, r.at[0]
		}
		return true
	}
	d.CapsState = fact.Present
	scope := r.scope
	if at >= 0x100 {
		d.ExtCaps = true
		if scope == unknown {
			scope = extended[extendedID(name)]
		}
	}
	line := r.at[0]
	switch scope {
	case express:
		return readExpress(d, name, line)
	case msi:
		d.MSI = enabled(name, line)
	case msix:
		d.MSIX = enabled(name, line)
	case aer:
		d.AER = &fact.AER{At: line}
	case acs:
		d.ACS = &fact.ACS{At: line}
	case dpc:
		d.DPC = &fact.DPC{At: line}
	case ari:
		d.ARI = true
	case tph:
		d.TPH = true
	case l1ss:
		d.L1SS = &fact.L1SS{At: line}
	case serial:
		readSerial(d, name, line)
	}
	return true
}

// extendedID reads the number that stands where the version knows no name:
// "Unknown (21)" up to 2.2.6, "#15" up to 3.5.6, "Extended Capability ID 0x15".
func extendedID(name []byte) int {
	for _, spelled := range []struct {
		key  string
		base int
	}{{"Unknown (", 10}, {"#", 16}, {"Extended Capability ID 0x", 16}} {
		if hasPrefix(name, spelled.key) {
			id, _ := number(name[len(spelled.key):], spelled.base)
			return id
		}
	}
	return 0
}

// enabled reads the Enable flag of MSI and MSI-X.
func enabled(text []byte, line fact.Line) fact.Val[bool] {
	on, found := flag(text, "Enable")
	if !found {
		return fact.Val[bool]{}
	}
	return fact.Of(on, line)
}

// types are the words for the type of an Express function. " (Slot+)" may
// follow; "PCI/PCI-X Bridge" is the other direction up to 3.2.0.
var types = []struct{ text, kind string }{
	{"Endpoint", fact.Endpoint},
	{"Legacy Endpoint", fact.LegacyEndpoint},
	{"Root Port", fact.RootPort},
	{"Upstream Port", fact.UpstreamPort},
	{"Downstream Port", fact.DownstreamPort},
	{"PCI-Express to PCI/PCI-X Bridge", fact.PCIeToPCI},
	{"PCI/PCI-X to PCI-Express Bridge", fact.PCIToPCIe},
	{"PCI/PCI-X Bridge", fact.PCIeToPCI},
	{"Root Complex Integrated Endpoint", fact.RCiEP},
	{"Root Complex Event Collector", fact.RCEC},
}

// readExpress reads "Express (v2) Root Port (Slot+), MSI 00". An unknown type
// is a capability all the same.
func readExpress(d *fact.Device, text []byte, line fact.Line) bool {
	x := &fact.Express{At: line}
	d.Express = x
	text = trimLeft(text[len("Express"):])
	if hasPrefix(text, "(v") {
		x.Version, _ = number(text[2:], 10)
		_, text, _ = bytes.Cut(text, []byte(") "))
	}
	for _, t := range types {
		if hasPrefix(text, t.text) {
			x.Type = t.kind
			break
		}
	}
	if on, found := flag(text, "Slot"); found {
		x.Slot = &on
	}
	return x.Type != ""
}

// readSerial reads "Device Serial Number 00-11-22-ff-ff-33-44-55". Up to 3.1.2
// the bytes stand in the order of configuration space, see [flipSerial]. People
// blot it out.
func readSerial(d *fact.Device, text []byte, line fact.Line) {
	const form = "00-11-22-ff-ff-33-44-55"
	number := field(trimLeft(text[len("Device Serial Number"):]), ' ')
	ok := len(number) == len(form)
	for i := 0; ok && i < len(form); i++ {
		ok = number[i] == '-' && form[i] == '-' || isHex(number[i]) && form[i] != '-'
	}
	if ok {
		d.Serial = fact.Of(lower(number), line)
	} else {
		d.Serial = fact.Missing[string](fact.Redacted, line)
	}
}

// flipSerial turns the order of the eight bytes around.
func flipSerial(number string) string {
	bytes := strings.Split(number, "-")
	slices.Reverse(bytes)
	return strings.Join(bytes, "-")
}

// isOld reports whether a capability's line is of 3.1.2 or before: the words of
// both kinds of message signalled interrupts changed with 3.1.3, and those of
// Express with 2.2.7. A listing without either does not tell.
func isOld(name []byte) bool {
	return hasPrefix(name, "Message Signalled Interrupts") || hasPrefix(name, "MSI: Mask") || hasPrefix(name, "PCIe advanced features") ||
		hasPrefix(name, "MSI-X: ") && bytes.Contains(name, []byte(" TabSize=")) || hasPrefix(name, "Express ") && bytes.Contains(name, []byte(" IRQ "))
}
