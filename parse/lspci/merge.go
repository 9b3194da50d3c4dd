package lspci

import (
	"cmp"

	"hwcap/parse/fact"
)

// merge adds to d what a further listing of the same address says. The first
// listing that prints a thing counts, so that each fact and its line are of one
// listing; an error bit counts that is set in any.
func merge(d, more *fact.Device) {
	d.Listings += more.Listings
	d.Class = cmp.Or(d.Class, more.Class)
	d.ProgIf = cmp.Or(d.ProgIf, more.ProgIf)
	d.Vendor = cmp.Or(d.Vendor, more.Vendor)
	d.Device = cmp.Or(d.Device, more.Device)
	d.SubVendor = cmp.Or(d.SubVendor, more.SubVendor)
	d.SubDevice = cmp.Or(d.SubDevice, more.SubDevice)
	d.SubName = cmp.Or(d.SubName, more.SubName)
	d.Revision = cmp.Or(d.Revision, more.Revision)
	d.Name = cmp.Or(d.Name, more.Name)
	d.ClassName = cmp.Or(d.ClassName, more.ClassName)
	d.Label = cmp.Or(d.Label, more.Label)
	d.Slot = cmp.Or(d.Slot, more.Slot)
	if d.Header == "" {
		d.Header, d.HeaderAt = more.Header, more.HeaderAt
	}
	if d.Driver == "" {
		d.Driver, d.DriverAt = more.Driver, more.DriverAt
	}
	d.DriverKnown = d.DriverKnown || more.DriverKnown
	d.NUMANode = cmp.Or(d.NUMANode, more.NUMANode)
	d.IOMMUGroup = cmp.Or(d.IOMMUGroup, more.IOMMUGroup)
	d.Bus = cmp.Or(d.Bus, more.Bus)
	if d.CapsState != fact.Present {
		d.CapsState = cmp.Or(more.CapsState, d.CapsState)
		d.CapsAt = cmp.Or(d.CapsAt, more.CapsAt)
	}
	d.ExtCaps = d.ExtCaps || more.ExtCaps
	keepErrors(d, more)
	d.Express = fuller(d.Express, more.Express, func(x *fact.Express) bool { return x.DevCtl != nil || x.LinkSta != nil })
	d.AER = fuller(d.AER, more.AER, func(a *fact.AER) bool { return a.UESta != nil })
	d.ACS = fuller(d.ACS, more.ACS, func(a *fact.ACS) bool { return a.Ctl != nil })
	d.DPC = fuller(d.DPC, more.DPC, func(a *fact.DPC) bool { return a.Ctl != nil })
	d.L1SS = fuller(d.L1SS, more.L1SS, func(l *fact.L1SS) bool { return l.Cap != nil })
	d.LTR = cmp.Or(d.LTR, more.LTR)
	d.TPH = d.TPH || more.TPH
	d.LaneErrors = firstVal(d.LaneErrors, more.LaneErrors)
	d.Serial = firstVal(d.Serial, more.Serial)
	d.SRIOV = cmp.Or(d.SRIOV, more.SRIOV)
	d.ARI = d.ARI || more.ARI
	d.DisINTx = firstVal(d.DisINTx, more.DisINTx)
	d.MSI = firstVal(d.MSI, more.MSI)
	d.MSIX = firstVal(d.MSIX, more.MSIX)
	d.Power = firstVal(d.Power, more.Power)
	d.AFReset = firstVal(d.AFReset, more.AFReset)
	d.Modules = firstList(d.Modules, more.Modules)
	d.ReBAR = firstList(d.ReBAR, more.ReBAR)
	d.Windows = firstList(d.Windows, more.Windows)
	if len(d.Regions) == 0 || d.Regions[0].Index < 0 && len(more.Regions) > 0 { // -v prints no index
		d.Regions = more.Regions
	}
}

// keepErrors adds the error bits that only one of two listings has. Whatever
// cleared them, they were set: the bits stay until somebody clears them.
func keepErrors(d, more *fact.Device) {
	if d.Express != nil && more.Express != nil {
		addBits(d.Express.DevSta, more.Express.DevSta, "CorrErr", "NonFatalErr", "FatalErr", "UnsupReq")
	}
	if d.AER != nil && more.AER != nil {
		addBits(d.AER.CESta, more.AER.CESta, more.AER.CESta.Set()...)
		addBits(d.AER.UESta, more.AER.UESta, more.AER.UESta.Set()...)
	}
}

// addBits sets in the register a those of the named bits that b has set, and
// adds b's lines where there were any.
func addBits(a, b *fact.Flags, names ...string) {
	if a == nil || b == nil {
		return
	}
	added := false
	for _, name := range names {
		if b.Has(name) && !a.Has(name) {
			a.Bits[name], added = true, true
		}
	}
	if added {
		a.At = append(a.At, b.At...)
	}
}

// fuller returns a, unless only b is full.
func fuller[T any](a, b *T, full func(*T) bool) *T {
	if a == nil || b != nil && !full(a) && full(b) {
		return b
	}
	return a
}

func firstVal[T any](a, b fact.Val[T]) fact.Val[T] {
	if a.IsZero() {
		return b
	}
	return a
}

func firstList[T any](a, b []T) []T {
	if len(a) == 0 {
		return b
	}
	return a
}
