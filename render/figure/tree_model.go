package figure

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"hwcap/parse/fact"
	"hwcap/parse/judge"
)

// hop is one PCIe link of the tree: the port above, and what is below it.
type hop struct {
	upper   *fact.Device
	lower   *fact.Device // nil: nothing below
	also    int          // further functions at the lower end
	behind  []*fact.Device
	below   []*hop // links of the downstream ports, where lower is a switch
	same    []string
	framed  string // onCard or behindSwitch, where lower is a switch behind a slot's port
	least   bool   // the narrowest hop of a path
	finding int    // index of the worst finding on this link, -1 for none
	class   Class
	about   string // rule and case of that finding

	bottleneck string // alone or shared, where pcie-path-bottleneck names this hop
}

// What a frame says of the switch in it.
const (
	onCard       = "card"   // DMI or the slot's driver knows a slot at this place
	behindSwitch = "switch" // the port says Slot+ alone, as ports to soldered chips do too
)

// Kinds of bottlenecks.
const (
	alone  = "alone"
	shared = "shared"
)

// forest is the PCIe tree of a machine, as far as it is drawn.
type forest struct {
	roots     []*hop         // by address
	empty     []*fact.Device // root ports with nothing below
	inside    int            // functions on root buses that are no ports
	virtual   int            // virtual functions
	oneDomain bool           // all addresses begin with 0000:
	slots     map[string]string
	guest     bool // the links are those of a virtual machine
	links     int  // hops with something at their lower end
}

// grow builds the forest of m and marks it.
func grow(m *fact.Machine, findings []judge.Finding) *forest {
	f := &forest{oneDomain: true, slots: slotNames(m)}
	f.guest = slices.ContainsFunc(findings, func(j judge.Finding) bool {
		return j.ID == "pcie-link-not-assessable" && slices.Contains(j.Subjects, judge.Machine)
	})
	kids := map[string][]*fact.Device{}
	for i := range m.PCI {
		d := &m.PCI[i]
		f.oneDomain = f.oneDomain && strings.HasPrefix(d.Address, "0000:")
		if d.Sysfs != nil && d.Sysfs.PhysFn != "" {
			f.virtual++
			continue
		}
		kids[d.Parent] = append(kids[d.Parent], d)
	}
	for _, d := range kids[""] {
		switch {
		case len(kids[d.Address]) > 0 && d.Address != "":
			f.roots = append(f.roots, f.descend(d, kids, map[string]bool{}))
		case express(d, fact.RootPort):
			f.empty = append(f.empty, d)
		default:
			f.inside++
		}
	}
	byDevice := worst(findings)
	for _, root := range f.roots {
		root.mark(byDevice, findings)
		root.narrowest(nil)
		root.name(findings)
	}
	f.roots = fold(f.roots)
	return f
}

func express(d *fact.Device, kind string) bool { return d.Express != nil && d.Express.Type == kind }

// isBridge goes by the class where the capability could not be read.
func isBridge(d *fact.Device) bool { return strings.HasPrefix(d.Class, "0604") }

// descend builds the hop below port. seen guards against parents that run in a
// circle, which only a forged capture has.
func (f *forest) descend(port *fact.Device, kids map[string][]*fact.Device, seen map[string]bool) *hop {
	h := &hop{upper: port, finding: -1}
	seen[port.Address] = true
	below := kids[port.Address]
	if len(below) == 0 {
		return h
	}
	h.lower = below[0]
	f.links++
	slot, _, _ := strings.Cut(h.lower.Address, ".")
	for _, d := range below[1:] {
		if strings.HasPrefix(d.Address, slot+".") {
			h.also++
		} else {
			h.behind = append(h.behind, d)
		}
	}
	if seen[h.lower.Address] {
		return h
	}
	seen[h.lower.Address] = true
	for _, d := range kids[h.lower.Address] {
		isPort := express(d, fact.DownstreamPort) || d.Express == nil && isBridge(d) && isBridge(h.lower)
		if isPort && !seen[d.Address] {
			h.below = append(h.below, f.descend(d, kids, seen))
		} else {
			h.behind = append(h.behind, d)
		}
	}
	// A virtual machine's slots hold no cards.
	if f.guest || len(h.below) == 0 {
		return h
	}
	switch e := port.Express; {
	case f.slots[port.Address] != "" || f.slots[h.lower.Address] != "" || h.lower.Slot != "":
		h.framed = onCard
	case e != nil && e.Slot != nil && *e.Slot:
		h.framed = behindSwitch
	}
	return h
}

// slotNames maps port and device addresses to the names of slots: those that
// DMI gives, else the slot's number.
func slotNames(m *fact.Machine) map[string]string {
	names := map[string]string{}
	for _, s := range m.Slots {
		if s.Address != "" {
			names[s.Address] = s.Designation
		}
	}
	return names
}

// slotOf returns the name of the slot that h's port leads to, or "".
func (f *forest) slotOf(h *hop) string {
	if name := f.slots[h.upper.Address]; name != "" {
		return name
	}
	if h.lower != nil && f.slots[h.lower.Address] != "" {
		return f.slots[h.lower.Address]
	}
	if e := h.upper.Express; e != nil && e.Slot != nil && *e.Slot && e.SlotNumber != nil {
		return "Slot " + strconv.Itoa(*e.SlotNumber)
	}
	return ""
}

// capability returns what d can do at its link, nil where no source says so.
func capability(d *fact.Device) *fact.Link {
	if d == nil {
		return nil
	}
	if d.Express != nil && d.Express.LinkCap != nil {
		return d.Express.LinkCap
	}
	if d.Sysfs != nil {
		if l, ok := d.Sysfs.Max.Get(); ok {
			return &l
		}
	}
	return nil
}

// negotiated returns what the link runs at: both ends say the same, the lower
// one is asked first.
func (h *hop) negotiated() *fact.Link {
	for _, d := range []*fact.Device{h.lower, h.upper} {
		if d != nil && d.Express != nil && d.Express.LinkSta != nil {
			return d.Express.LinkSta
		}
	}
	for _, d := range []*fact.Device{h.lower, h.upper} {
		if d != nil && d.Sysfs != nil {
			if l, ok := d.Sysfs.Current.Get(); ok {
				return &l
			}
		}
	}
	return nil
}

// rate returns the payload bits per nanosecond that l carries one way, after
// line coding (PCIe Base Specification 4.2): 8b/10b up to 5 GT/s, 128b/130b up
// to 32 GT/s, flits above.
func rate(l *fact.Link) float64 {
	if l == nil {
		return 0
	}
	raw := l.Speed * float64(l.Width)
	switch {
	case l.Speed <= 5:
		return raw * 8 / 10
	case l.Speed <= 32:
		return raw * 128 / 130
	}
	return raw
}

// narrowest marks, on the path to each end of the tree, the hop that carries
// less than every other one. A path of one hop, one with a hop that was not
// read, and a tie mark nothing.
func (h *hop) narrowest(path []*hop) {
	path = append(path, h)
	for _, b := range h.below {
		b.narrowest(path)
	}
	if len(h.below) > 0 || h.lower == nil || len(path) < 2 {
		return
	}
	least := slices.MinFunc(path, func(a, b *hop) int { return cmp.Compare(rate(a.negotiated()), rate(b.negotiated())) })
	bar := rate(least.negotiated())
	for _, p := range path {
		if r := rate(p.negotiated()); r == 0 || p != least && r <= bar {
			return
		}
	}
	least.least = true
}

// name marks h, and what is below, as far as a finding calls it a bottleneck.
func (h *hop) name(findings []judge.Finding) {
	for _, f := range findings {
		if f.ID != "pcie-path-bottleneck" || f.Verdict != judge.Problem || h.lower == nil ||
			f.Values["narrowestUpper"] != h.upper.Address || f.Values["narrowestLower"] != h.lower.Address {
			continue
		}
		h.bottleneck = alone
		if f.Case == "shared" {
			h.bottleneck = shared
		}
	}
	for _, b := range h.below {
		b.name(findings)
	}
}

// classOf maps severities to the classes of their shapes.
var classOf = map[judge.Severity]Class{
	judge.Info: Info, judge.Notice: Notice, judge.Warning: Warning, judge.Critical: Critical,
}

// worst maps each subject to the index of the worst finding about it that
// concerns links or their errors.
func worst(findings []judge.Finding) map[string]int {
	by := map[string]int{}
	for i, f := range findings {
		if f.Verdict != judge.Problem || f.Area != judge.Links && f.Area != judge.Errors {
			continue
		}
		for _, s := range f.Subjects {
			if old, ok := by[s]; !ok || findings[old].Severity.Rank() < f.Severity.Rank() {
				by[s] = i
			}
		}
	}
	return by
}

// mark gives h and what is below the findings about their ends.
func (h *hop) mark(by map[string]int, findings []judge.Finding) {
	for _, d := range []*fact.Device{h.lower, h.upper} {
		if d == nil {
			continue
		}
		i, ok := by[d.Address]
		if ok && (h.finding < 0 || findings[i].Severity.Rank() > findings[h.finding].Severity.Rank()) {
			h.finding, h.class, h.about = i, classOf[findings[i].Severity], findings[i].ID+" "+findings[i].Case
		}
	}
	for _, b := range h.below {
		b.mark(by, findings)
	}
}

// Links that look alike are drawn once, from so many on. Those with findings
// stand for themselves for longer.
const (
	foldFrom   = 3
	foldMarked = 6
)

// fold draws neighbours that look alike once; the first stands for the others.
func fold(hops []*hop) []*hop {
	groups := map[string][]*hop{}
	looks := make([]string, len(hops))
	for i, h := range hops {
		h.below = fold(h.below)
		looks[i] = h.looks()
		groups[looks[i]] = append(groups[looks[i]], h)
	}
	var out []*hop
	for i, h := range hops {
		g := groups[looks[i]]
		least := foldFrom
		if h.worst() != None {
			least = foldMarked
		}
		switch {
		case len(g) < least:
			out = append(out, h)
		case g[0] == h:
			for _, other := range g[1:] {
				h.same = append(h.same, other.upper.Address)
			}
			out = append(out, h)
		}
	}
	return out
}

// worst is the class of the worst finding on h and on what is below.
func (h *hop) worst() Class {
	class := h.class
	for _, b := range h.below {
		class = max(class, b.worst())
	}
	return class
}

// looks describes a hop and what is below as far as the drawing tells it from
// another. Of findings, it is what they say in general.
func (h *hop) looks() string {
	var b strings.Builder
	if h.lower != nil {
		fmt.Fprint(&b, h.lower.Vendor, ":", h.lower.Device, ":", h.lower.Class, " ", h.lower.Name)
	}
	fmt.Fprint(&b, " ", h.also, len(h.behind), len(h.same), h.least, h.bottleneck, " ", h.class, h.about)
	for _, l := range []*fact.Link{capability(h.upper), h.negotiated(), capability(h.lower)} {
		fmt.Fprint(&b, " ", speed(l, "en"))
	}
	for _, below := range h.below {
		fmt.Fprint(&b, "[", below.looks(), "]")
	}
	return b.String()
}

// speed writes a link as "16 GT/s x8", in the number form of lang; "?" where
// it was not read, and a dash where a port states no lanes.
func speed(l *fact.Link, lang string) string {
	if l == nil {
		return "?"
	}
	if l.Width == 0 {
		return "–"
	}
	gts := "?"
	if l.Speed > 0 {
		gts = strconv.FormatFloat(l.Speed, 'f', -1, 64)
	}
	if lang == "de" {
		gts = strings.Replace(gts, ".", ",", 1)
	}
	return fmt.Sprintf("%s GT/s x%d", gts, l.Width)
}
