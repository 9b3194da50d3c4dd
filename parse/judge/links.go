package judge

import (
	"math"
	"slices"
	"strings"

	"hwcap/parse/fact"
)

// Rate is a link's speed in GT/s and its width in lanes. In a Rate that was
// read, Speed 0 means that the tool did not know the speed, and Width 0 that
// the link is not up.
type Rate struct {
	Speed float64
	Width int
}

// maxWidth is the widest link that the PCIe specification knows. Registers
// that read all ones print as x63, and the kernel's "unknown" as 255.
const maxWidth = 32

// buses is how many a PCI domain has, and so the longest way up to its root. A
// forged capture may hold a longer one, or one that runs in a circle.
const buses = 256

// GBs returns the bytes per second, in units of 10^9, that r carries in one
// direction after line coding and before packet headers: 8b/10b up to 5 GT/s,
// 128b/130b up to 32 GT/s, and 236 of 256 bytes of each flit at 64 GT/s (PCIe
// Base Specification 6.0, section 4.2).
func (r Rate) GBs() float64 {
	coding := 236.0 / 256
	switch {
	case r.Speed <= 5:
		coding = 8.0 / 10
	case r.Speed <= 32:
		coding = 128.0 / 130
	}
	return math.Round(r.Speed/8*coding*float64(r.Width)*1000) / 1000
}

// complete reports whether both numbers were read and make sense.
func (r *Rate) complete() bool {
	return r != nil && r.Speed > 0 && r.Width > 0 && r.Width <= maxWidth
}

// End is what one end of a link says of it. Cap is what the end can do, Now
// what is negotiated; nil where no source says.
type End struct {
	Cap, Now     *Rate
	CapAt, NowAt []fact.Line
}

// Link is one PCIe link: the port above and the function below. Of a device
// with several functions, Lower is the first one.
type Link struct {
	Upper, Lower *fact.Device
	Up, Down     End
	Functions    int  // functions of the device below, virtual ones left out
	Fixed        bool // inside a card or chip: figures that never change (see onCardSwitches, onChipPorts)
	tree         *tree
}

// Want is what both ends can do.
func (l *Link) Want() Rate {
	return Rate{min(l.Up.Cap.Speed, l.Down.Cap.Speed), min(l.Up.Cap.Width, l.Down.Cap.Width)}
}

// Now is what is negotiated, as the lower end says, or else the upper.
func (l *Link) Now() Rate { return *l.now().Now }

// now is the end whose status counts: the lower one where it says something
// usable, or else the upper.
func (l *Link) now() *End {
	if l.Down.Now.complete() || l.Up.Now == nil {
		return &l.Down
	}
	return &l.Up
}

// doubt is why a link cannot be judged from its registers.
type doubt string

const (
	fictive     doubt = "virtual-machine"
	tunnelled   doubt = "tunnel"
	asleep      doubt = "asleep"
	gone        doubt = "no-answer"
	unread      doubt = "not-read"
	speedless   doubt = "speed-unknown"
	implausible doubt = "implausible"
)

// doubt names the first reason for which l cannot be judged, or "".
func (l *Link) doubt() doubt {
	ends := []*fact.Device{l.Upper, l.Lower}
	switch {
	case l.tree.virtual || slices.ContainsFunc(ends, emulated):
		return fictive
	case slices.ContainsFunc(ends, l.tree.asleep) && slices.ContainsFunc(ends, silent):
		return asleep // all ones is how a device without power reads
	case slices.ContainsFunc(ends, silent):
		return gone
	case tunnel(l.Upper, l.Up.Cap) || tunnel(l.Lower, l.Down.Cap):
		return tunnelled
	case slices.ContainsFunc(ends, l.tree.asleep):
		return asleep
	case l.Up.Cap == nil || l.Down.Cap == nil || l.Up.Now == nil && l.Down.Now == nil:
		return unread
	}
	now := l.now().Now
	for _, r := range []*Rate{l.Up.Cap, l.Down.Cap, now} {
		if r.Width == 0 || r.Width > maxWidth {
			return implausible
		}
		if r.Speed == 0 {
			return speedless
		}
	}
	if want := l.Want(); now.Width > want.Width || now.Speed > want.Speed {
		return implausible
	}
	return ""
}

// tree is the machine's PCIe hierarchy.
type tree struct {
	machine  *fact.Machine
	virtual  bool // a virtual machine: its links are made up
	device   map[string]*fact.Device
	children map[string][]*fact.Device
	links    []*Link
	byLower  map[string]*Link
}

// newTree joins each port to what stands below it.
func newTree(m *fact.Machine) *tree {
	t := &tree{
		machine:  m,
		device:   map[string]*fact.Device{},
		children: map[string][]*fact.Device{},
		byLower:  map[string]*Link{},
	}
	t.virtual = isGuest(m)
	for i := range m.PCI {
		d := &m.PCI[i]
		t.virtual = t.virtual || guestBridge(d)
		t.device[d.Address] = d
		if d.Parent != "" {
			t.children[d.Parent] = append(t.children[d.Parent], d)
		}
	}
	for i := range m.PCI {
		d := &m.PCI[i]
		upper := t.device[d.Parent]
		if upper == nil || !t.heads(upper, d) {
			continue
		}
		l := &Link{Upper: upper, Lower: d, Up: readEnd(upper), Down: readEnd(d), tree: t}
		l.Fixed = onCard(upper, downstreamSide) || onChip(t, upper)
		for _, s := range t.children[d.Parent] {
			if place(s) == place(d) && !isVF(s) {
				l.Functions++
			}
		}
		t.links = append(t.links, l)
		t.byLower[d.Address] = l
	}
	slices.SortFunc(t.links, func(a, b *Link) int { return strings.Compare(a.Lower.Address, b.Lower.Address) })
	return t
}

// judged returns the links that can be judged: those without a doubt, and not
// inside a card or chip.
func (t *tree) judged() []*Link {
	var out []*Link
	for _, l := range t.links {
		if !l.Fixed && l.doubt() == "" {
			out = append(out, l)
		}
	}
	return out
}

// heads reports whether d is the function that stands for the link between
// upper and what is below it: the first function of device 0, as in
// pcie_report_downtraining (drivers/pci/probe.c). Below a switch's upstream
// port and below conventional bridges there is a bus, not a link.
func (t *tree) heads(upper, d *fact.Device) bool {
	if above := t.kind(upper); above != fact.RootPort && above != fact.DownstreamPort {
		return false
	}
	if t.kind(d) == "" || isVF(d) || !strings.HasSuffix(place(d), ":00") {
		return false
	}
	if d.Express != nil && integrated(d) {
		return false
	}
	for _, s := range t.children[d.Parent] {
		if place(s) == place(d) && s.Address < d.Address && !isVF(s) {
			return false
		}
	}
	return true
}

// kind is the type of d's PCI Express capability. Where lspci could not read
// it, the kernel's link files show that there is one, and the place in the
// tree tells the rest: below a port stands a device or the upstream side of a
// switch, below that the switch's downstream ports. "" for everything else.
func (t *tree) kind(d *fact.Device) string { return t.kindWithin(d, buses) }

// kindWithin goes up at most so many ports to tell.
func (t *tree) kindWithin(d *fact.Device, ports int) string {
	switch {
	case d == nil || ports == 0:
		return ""
	case d.Express != nil:
		return d.Express.Type
	case d.Sysfs == nil || d.Sysfs.Max.State == "" || d.Sysfs.Max.State == fact.Absent:
		return ""
	case !bridgeClassed(d):
		return fact.Endpoint
	case d.Parent == "":
		return fact.RootPort
	case t.kindWithin(t.device[d.Parent], ports-1) == fact.UpstreamPort:
		return fact.DownstreamPort
	}
	return fact.UpstreamPort
}

// linkDown reports whether d's registers prove that no link is up, whatever
// width they print: a port that reports the state of its link (LLActRep+) says
// that it is inactive (DLActive-).
func linkDown(d *fact.Device) bool {
	if d.Express == nil {
		return false
	}
	reports, _ := d.Express.DLActiveReporting.Get()
	active, read := d.Express.DLActive.Get()
	return reports && read && !active
}

// leads reports whether port leads somewhere: something is listed behind it, or
// its link is up, so that what is there is missing from the capture.
func (t *tree) leads(port *fact.Device) bool {
	e := readEnd(port)
	return len(t.children[port.Address]) > 0 || e.Now.complete() && !linkDown(port) && !tunnel(port, e.Cap)
}

// place is the address without the function.
func place(d *fact.Device) string {
	s, _, _ := strings.Cut(d.Address, ".")
	return s
}

func isVF(d *fact.Device) bool { return d.Sysfs != nil && d.Sysfs.PhysFn != "" }

func integrated(d *fact.Device) bool {
	return d.Express.Type == fact.RCiEP || d.Express.Type == fact.RCEC || d.Express.Type == fact.RootPort
}

// silent reports whether d answered a read of its registers with all ones.
func silent(d *fact.Device) bool {
	if d.Header == "7f" || d.Vendor == "ffff" {
		return true
	}
	x := d.Express
	return x != nil && (x.LinkCap != nil && x.LinkCap.Width == 63 || x.LinkSta != nil && x.LinkSta.Width == 63)
}

// readEnd takes LnkCap and LnkSta as lspci printed them; where it printed
// none, or a speed that it did not know, the kernel's link files.
func readEnd(d *fact.Device) End {
	var e End
	if d.Express != nil {
		e.Cap, e.CapAt = rate(d.Express.LinkCap)
		e.Now, e.NowAt = rate(d.Express.LinkSta)
	}
	if d.Sysfs != nil {
		e.Cap, e.CapAt = orKernel(e.Cap, e.CapAt, d.Sysfs.Max, d.Sysfs.MaxWidthAt)
		e.Now, e.NowAt = orKernel(e.Now, e.NowAt, d.Sysfs.Current, d.Sysfs.WidthAt)
	}
	return e
}

func rate(l *fact.Link) (*Rate, []fact.Line) {
	if l == nil {
		return nil, nil
	}
	return &Rate{l.Speed, l.Width}, []fact.Line{l.At}
}

// orKernel fills in from the kernel's pair of files what lspci left open.
func orKernel(r *Rate, at []fact.Line, files fact.Val[fact.Link], widthAt fact.Line) (*Rate, []fact.Line) {
	k, ok := files.Get()
	switch {
	case !ok:
	case r == nil:
		return &Rate{k.Speed, k.Width}, []fact.Line{files.At, widthAt}
	case r.Speed == 0 && k.Speed > 0:
		return &Rate{k.Speed, r.Width}, append(at, files.At)
	}
	return r, at
}
