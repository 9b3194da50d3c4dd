package parse

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"

	"hwcap/parse/devlink"
	"hwcap/parse/ethtool"
	"hwcap/parse/fact"
	"hwcap/parse/rtnetlink"
	"hwcap/parse/sysfs"
)

// The sources of network interfaces, the one whose values count most first.
const (
	fromEthtoolDump = iota
	fromEthtoolText
	fromRoute
	fromSysfs
)

// netReport is what one text or dump says of network interfaces.
type netReport struct {
	rank int
	list []fact.Interface
}

func netlinkRoute(b *builder, r io.Reader, name string) parsed {
	list, problems, err := rtnetlink.Parse(r, name)
	return b.netReport(fromRoute, name, list, problems, fact.Unread{}, err)
}

func netlinkEthtool(b *builder, r io.Reader, name string) parsed {
	list, problems, err := ethtool.ParseNetlink(r, name)
	return b.netReport(fromEthtoolDump, name, list, problems, fact.Unread{}, err)
}

func ethtoolText(b *builder, r io.Reader, name string) parsed {
	list, problems, unread, err := ethtool.ParseText(r, name)
	return b.netReport(fromEthtoolText, name, list, problems, unread, err)
}

func (b *builder) netReport(rank int, name string, list []fact.Interface, problems []fact.Problem, unread fact.Unread, err error) parsed {
	return parsed{amount: len(list), unread: unread, add: func() {
		b.nets = append(b.nets, netReport{rank, list}) // one of several, where each interface has a text
		b.note(name, err, problems)
	}}
}

func netlinkDevlink(b *builder, r io.Reader, name string) parsed {
	list, problems, err := devlink.Parse(r, name)
	return parsed{amount: len(list), add: func() {
		b.m.Devlink = list
		b.note(name, err, problems)
	}}
}

// interfaces joins what the sources say of network interfaces, by name. What
// ethtool -i prints has none and belongs to those of its PCI function.
func (b *builder) interfaces() {
	reports := append(b.nets, netReport{fromSysfs, b.m.Net})
	slices.SortStableFunc(reports, func(x, y netReport) int {
		return cmp.Or(cmp.Compare(x.rank, y.rank), cmp.Compare(x.file(), y.file()))
	})
	all := map[string]*fact.Interface{}
	nameless := map[string][]fact.Interface{} // by PCI address
	for _, r := range reports {
		for _, i := range r.list {
			switch into := all[i.Name]; {
			case i.Name == "":
				nameless[i.Device] = append(nameless[i.Device], i)
			case into == nil:
				all[i.Name] = &i
			default:
				mergeInterface(into, &i)
			}
		}
	}
	b.m.Net = nil
	placed := map[string]bool{} // nameless
	for _, name := range slices.SortedFunc(maps.Keys(all), sysfs.CompareNames) {
		i := *all[name]
		for _, n := range nameless[i.Device] {
			mergeInterface(&i, &n)
		}
		placed[i.Device] = true
		b.m.Net = append(b.m.Net, i)
	}
	for _, device := range slices.Sorted(maps.Keys(nameless)) {
		if at := nameless[device][0].At; !placed[device] {
			b.m.Problems = append(b.m.Problems, fact.Problem{File: at.File, Line: at.Line,
				Text: "driver and firmware of the network card " + device + ", of which no interface is known"})
		}
	}
}

func (r netReport) file() string {
	if len(r.list) == 0 {
		return ""
	}
	return r.list[0].At.File
}

// mergeInterface adds what another source says: into goes before it where both
// know a value, and keeps what is said otherwise.
func mergeInterface(into, from *fact.Interface) {
	into.Index = cmp.Or(into.Index, from.Index)
	into.Kind = cmp.Or(into.Kind, from.Kind)
	into.Master = cmp.Or(into.Master, from.Master)
	into.Lower = cmp.Or(into.Lower, from.Lower)
	into.Driver = cmp.Or(into.Driver, from.Driver)
	if into.Device = cmp.Or(into.Device, from.Device); from.Device != "" && from.Device != into.Device {
		into.Conflicts = append(into.Conflicts, fact.Reading{Field: "device", Value: from.Device, At: from.At})
	}
	mergeValue(into, "speed", &into.Speed, from.Speed)
	mergeValue(into, "duplex", &into.Duplex, from.Duplex)
	mergeValue(into, "carrier", &into.Carrier, from.Carrier)
	mergeValue(into, "operstate", &into.OperState, from.OperState)
	mergeValue(into, "mtu", &into.MTU, from.MTU)
	mergeValue(into, "carrierChanges", &into.CarrierChanges, from.CarrierChanges)
	mergeValue(into, "vfs", &into.VFs, from.VFs)
	fill(&into.Errors, from.Errors)
	switch {
	case from.Ethtool == nil:
	case into.Ethtool == nil:
		e := *from.Ethtool
		into.Ethtool = &e
	default:
		mergeEthtool(into, from.Ethtool)
	}
}

func mergeEthtool(i *fact.Interface, from *fact.Ethtool) {
	into := i.Ethtool
	mergeValue(i, "autoneg", &into.Autoneg, from.Autoneg)
	mergeValue(i, "lanes", &into.Lanes, from.Lanes)
	mergeValue(i, "supportsAutoneg", &into.SupportsAutoneg, from.SupportsAutoneg)
	mergeValue(i, "advertisesAutoneg", &into.AdvertisesAutoneg, from.AdvertisesAutoneg)
	mergeValue(i, "partnerAutoneg", &into.PartnerAutoneg, from.PartnerAutoneg)
	mergeValue(i, "port", &into.Port, from.Port)
	mergeValue(i, "transceiver", &into.Transceiver, from.Transceiver)
	mergeValue(i, "link", &into.Link, from.Link)
	mergeValue(i, "linkReason", &into.LinkReason, from.LinkReason)
	mergeValue(i, "linkDowns", &into.LinkDowns, from.LinkDowns)
	mergeValue(i, "signalQuality", &into.SignalQuality, from.SignalQuality)
	mergeValue(i, "signalQualityMax", &into.SignalQualityMax, from.SignalQualityMax)
	mergeValue(i, "firmware", &into.Firmware, from.Firmware)
	fill(&into.Supported, from.Supported)
	fill(&into.Advertised, from.Advertised)
	fill(&into.Partner, from.Partner)
}

// fill takes a value where there is none yet, or one that was not read.
func fill[T any](into *fact.Val[T], from fact.Val[T]) {
	if into.IsZero() || !into.Known() && from.Known() {
		*into = from
	}
}

// mergeValue does so and keeps a value that contradicts.
func mergeValue[T comparable](i *fact.Interface, field string, into *fact.Val[T], from fact.Val[T]) {
	fill(into, from)
	if into.Known() && from.Known() && into.V != from.V {
		i.Conflicts = append(i.Conflicts, fact.Reading{Field: field, Value: fmt.Sprint(from.V), At: from.At})
	}
}
