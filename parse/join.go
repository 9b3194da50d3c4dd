package parse

import (
	"cmp"
	"slices"

	"hwcap/parse/fact"
	"hwcap/parse/kcrypto"
	"hwcap/parse/klog"
	"hwcap/parse/sysfs"
)

// join puts together what the members said, after the last of them. Nothing in
// it depends on the order in which they came.
func (b *builder) join() {
	if b.manifest != nil {
		c := b.manifest.capture
		c.ID, c.Format, c.CutOff = b.m.Capture.ID, "capture", b.m.Capture.CutOff
		b.m.Capture = c
	}
	if b.name == Stdin && b.top != "" {
		b.m.Capture.ID = b.top
	}
	b.addLoose()
	b.sources()
	b.tree.Finish()
	b.functions()
	b.parents()
	b.groups()
	b.interfaces()
	b.drivers()
	b.log()
	b.m.Crypto.Algorithms = kcrypto.Merge(b.proc, b.netlink)
	b.quickAssist()
	b.sortMeasurements()
	b.absent()
	b.logHead()
	b.kernelRelease()
	b.kernelConfigs()
	b.reportSkips()
	slices.SortStableFunc(b.m.Problems, func(x, y fact.Problem) int {
		return cmp.Or(cmp.Compare(x.File, y.File), cmp.Compare(x.Line, y.Line), cmp.Compare(x.Text, y.Text))
	})
	slices.SortFunc(b.m.Unread, func(x, y fact.Unread) int { return cmp.Compare(x.File, y.File) })
}

// kernelRelease takes the release from the manifest where neither /proc/version
// nor the log has it, and tells the head of a bundle without manifest from them.
func (b *builder) kernelRelease() {
	kernel := &b.m.Platform.Kernel
	if !kernel.Known() && b.m.Capture.Kernel != "" {
		*kernel = fact.Of(b.m.Capture.Kernel, b.kernelAt)
	}
	if b.m.Capture.Kernel == "" {
		b.m.Capture.Kernel = kernel.V
	}
}

// parents fills in the bridge above where no listing showed it: the one whose
// secondary bus the function stands on. A bridge's bus number is below those
// behind it, so that no chain of parents found here comes back to its start;
// one that a listing claims is checked.
func (b *builder) parents() {
	type bus struct {
		domain string
		number int
	}
	above := map[bus][]string{}
	for _, d := range b.m.PCI {
		domain, own := sysfs.DomainBus(d.Address)
		if d.Bus != nil && d.Bus.Secondary > own {
			at := bus{domain, d.Bus.Secondary}
			above[at] = append(above[at], d.Address)
		}
	}
	known := make(map[string]int, len(b.m.PCI))
	for i := range b.m.PCI {
		d := &b.m.PCI[i]
		known[d.Address] = i
		listed := d.Sysfs != nil && d.Root != ""
		domain, own := sysfs.DomainBus(d.Address)
		if bridges := above[bus{domain, own}]; d.Parent == "" && !listed && len(bridges) == 1 {
			d.Parent = bridges[0]
		}
	}
	b.breakCircles(known)
	for i := range b.m.PCI {
		d := &b.m.PCI[i]
		up := d
		for range buses {
			at, ok := known[up.Parent]
			if d.Root != "" || !ok {
				break
			}
			up = &b.m.PCI[at]
			d.Root = up.Root
		}
	}
}

// buses is how many a domain has, and so the longest way to its root.
const buses = 256

// breakCircles removes parents that lead back to the function itself, or
// further up than a domain is deep, which only a listing made by hand can hold.
func (b *builder) breakCircles(known map[string]int) {
	const onPath = -1
	depth := make([]int, len(b.m.PCI)) // 1 at the root, 0 where not yet known
	cut := func(at int, why string) {
		b.problem(b.m.PCI[at].From.File, "%s stands %s", b.m.PCI[at].Address, why)
		b.m.PCI[at].Parent = ""
	}
	for i := range b.m.PCI {
		var path []int
		above := 0
		for at := i; ; {
			if depth[at] > 0 {
				above = depth[at]
				break
			}
			depth[at] = onPath
			path = append(path, at)
			next, ok := known[b.m.PCI[at].Parent]
			if !ok {
				break
			}
			if depth[next] == onPath {
				cut(at, "below itself")
				break
			}
			at = next
		}
		for _, at := range slices.Backward(path) {
			if above == buses {
				cut(at, "further from the root than a domain has buses")
				above = 0
			}
			above++
			depth[at] = above
		}
	}
}

// groups lets the functions and the list of IOMMU groups agree. Where a
// bundle without a manifest has no list, the functions make it: there is then
// nobody to say why it is missing.
func (b *builder) groups() {
	group := map[string]string{}
	for _, g := range b.m.IOMMU.Groups {
		for _, e := range g.Devices {
			group[e.Name] = g.ID
		}
	}
	for i := range b.m.PCI {
		d := &b.m.PCI[i]
		d.IOMMUGroup = cmp.Or(d.IOMMUGroup, group[d.Address])
	}
	if b.manifest != nil || len(b.m.IOMMU.Groups) > 0 {
		return
	}
	members := map[string][]fact.Entry{}
	for _, d := range b.m.PCI {
		if d.IOMMUGroup != "" {
			members[d.IOMMUGroup] = append(members[d.IOMMUGroup], fact.Entry{Name: d.Address, At: d.From})
		}
	}
	for id, devices := range members {
		b.m.IOMMU.Groups = append(b.m.IOMMU.Groups, fact.Group{ID: id, Devices: devices})
	}
	slices.SortFunc(b.m.IOMMU.Groups, func(x, y fact.Group) int {
		return cmp.Or(cmp.Compare(len(x.ID), len(y.ID)), cmp.Compare(x.ID, y.ID))
	})
}

// drivers names the driver of each interface and DMA channel: that of its PCI
// function.
func (b *builder) drivers() {
	driver := map[string]string{}
	for _, d := range b.m.PCI {
		driver[d.Address] = d.Driver
	}
	for i := range b.m.Net {
		b.m.Net[i].Driver = cmp.Or(b.m.Net[i].Driver, driver[b.m.Net[i].Device])
	}
	for i := range b.m.DMA {
		b.m.DMA[i].Driver = driver[b.m.DMA[i].Device]
	}
}

// log joins the texts of the kernel log.
func (b *builder) log() {
	restrict := b.m.Log.Restrict
	slices.SortFunc(b.logs, func(x, y logText) int { return cmp.Compare(logRank(x.source), logRank(y.source)) })
	results := make([]*klog.Result, len(b.logs))
	for i, l := range b.logs {
		results[i] = l.Result
	}
	b.m.Log = klog.Join(b.logState(), results...)
	b.m.Log.Restrict = restrict
}

// logSources are the sources of this boot's log, the most exact one first.
var logSources = []string{"kmsg", "dmesg", "journal-k"}

func logRank(source string) int {
	if i := slices.Index(logSources, source); i >= 0 {
		return i
	}
	return len(logSources)
}

// logState is the state of the source that could be read best.
func (b *builder) logState() fact.State {
	best := fact.State("")
	rank := []fact.State{fact.NotAsked, fact.Absent, fact.Empty, fact.Redacted, fact.TimedOut, fact.Failed, fact.Denied, fact.Truncated, fact.Present}
	for _, name := range logSources {
		for _, s := range b.m.Sources {
			if s.Name == name && slices.Index(rank, s.State) > slices.Index(rank, best) {
				best = s.State
			}
		}
	}
	return best
}
