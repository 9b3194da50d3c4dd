// Package rtnetlink reads what the kernel tells of network interfaces in an
// RTM_GETLINK dump. Hardware addresses are passed over: no rule needs them.
//
// Sources: include/uapi/linux/if_link.h, include/uapi/linux/if.h,
// net/core/rtnetlink.c (rtnl_fill_ifinfo).
package rtnetlink

import (
	"errors"
	"fmt"
	"io"
	"math"
	"strings"

	"hwcap/parse/fact"
	"hwcap/parse/netlink"
)

const (
	newLink  = 16 // RTM_NEWLINK
	infoSize = 16 // struct ifinfomsg

	maxInterfaces = 10_000
	maxName       = 15 // IFNAMSIZ without the final zero
	maxDevice     = 64 // of a parent's or kind's name
)

// Attributes, IFLA_*.
const (
	attrName           = 3
	attrMTU            = 4
	attrLink           = 5
	attrMaster         = 10
	attrOperState      = 16
	attrLinkInfo       = 18
	attrNumVF          = 21
	attrStats64        = 23
	attrCarrier        = 33
	attrCarrierChanges = 35
	attrLinkNamespace  = 37 // IFLA_LINK_NETNSID
	attrParentDevice   = 56
	attrParentBus      = 57

	attrInfoKind = 1 // in attrLinkInfo
)

// operStates are the words of sysfs and ip(8) for IF_OPER_*.
var operStates = []string{"unknown", "notpresent", "down", "lowerlayerdown", "testing", "dormant", "up"}

// counters are the errors and drops in struct rtnl_link_stats64, by the place of
// their eight bytes.
var counters = []struct {
	at   int
	name string
}{
	{4, "rx_errors"}, {5, "tx_errors"}, {6, "rx_dropped"}, {7, "tx_dropped"}, {9, "collisions"},
	{10, "rx_length_errors"}, {11, "rx_over_errors"}, {12, "rx_crc_errors"}, {13, "rx_frame_errors"},
	{14, "rx_fifo_errors"}, {15, "rx_missed_errors"}, {16, "tx_aborted_errors"}, {17, "tx_carrier_errors"},
	{18, "tx_fifo_errors"}, {19, "tx_heartbeat_errors"}, {20, "tx_window_errors"},
}

// link is an interface with what refers to others by their numbers.
type link struct {
	fact.Interface
	master, lower uint32
	abroad        bool // lower is in another network namespace
}

// Parse reads the dump as pcap (see [netlink.Walk]), in the kernel's order. All
// that is said of an interface stands in one record, which its values cite. On a
// cut-off file the interfaces before the cut are returned with the error.
func Parse(r io.Reader, file string) ([]fact.Interface, []fact.Problem, error) {
	var all []link
	place := map[int]int{} // in all, by ifindex
	full := false
	problems, err := netlink.Walk(r, file, func(m *netlink.Message) error {
		if m.Protocol != netlink.Route {
			return nil
		}
		if errno, refused := m.Refusal(); refused {
			return fmt.Errorf("the kernel answered with error %d", errno)
		}
		if m.Type != newLink || m.IsRequest() {
			return nil
		}
		// It is read twice: first to put it into words, which the values then cite.
		at := fact.Line{File: file, Frame: m.Frame}
		l, err := read(m, at)
		if err != nil {
			return err
		}
		at.Text = describe(&l.Interface)
		l, _ = read(m, at)
		i, known := place[l.Index]
		switch {
		case known: // it changed while the list was read
			all[i] = l
		case len(all) < maxInterfaces:
			place[l.Index] = len(all)
			all = append(all, l)
		case !full:
			full = true
			return fmt.Errorf("more than %d interfaces", maxInterfaces)
		}
		return nil
	})
	name := func(index uint32) string {
		if at, ok := place[int(index)]; ok && index != 0 {
			return all[at].Name
		}
		return ""
	}
	out := make([]fact.Interface, len(all))
	for i, l := range all {
		l.Master = name(l.master)
		if !l.abroad && int(l.lower) != l.Index { // a physical one names itself
			l.Lower = name(l.lower)
		}
		out[i] = l.Interface
	}
	return out, problems, err
}

// read reads struct ifinfomsg and the attributes behind it.
func read(m *netlink.Message, at fact.Line) (link, error) {
	if len(m.Body) < infoSize {
		return link{}, errors.New("a message is too short for an interface")
	}
	l := link{Interface: fact.Interface{Index: int(int32(m.Order.Uint32(m.Body[4:]))), At: at}}
	var bus, device string
	for a := m.Attributes(m.Body[infoSize:]); a.Next(); {
		switch a.Type {
		case attrName:
			l.Name, _ = a.Text(maxName)
		case attrMTU:
			number(&l.MTU, a, at)
		case attrLink:
			l.lower, _ = a.Uint32()
		case attrLinkNamespace:
			l.abroad = true
		case attrMaster:
			l.master, _ = a.Uint32()
		case attrOperState:
			if n, ok := a.Uint8(); ok && int(n) < len(operStates) {
				l.OperState = fact.Of(operStates[n], at)
			}
		case attrLinkInfo:
			for info := a.Nested(); info.Next(); {
				if info.Type == attrInfoKind {
					l.Kind, _ = info.Text(maxDevice)
				}
			}
		case attrNumVF:
			number(&l.VFs, a, at)
		case attrStats64:
			l.Errors = fact.Of(errorsOf(a, m), at)
		case attrCarrier:
			if n, ok := a.Uint8(); ok {
				l.Carrier = fact.Of(fmt.Sprint(n), at)
			}
		case attrCarrierChanges:
			number(&l.CarrierChanges, a, at)
		case attrParentDevice:
			device, _ = a.Text(maxDevice)
		case attrParentBus:
			bus, _ = a.Text(maxDevice)
		}
	}
	if l.Name == "" {
		return link{}, errors.New("an interface without a name")
	}
	if bus == "pci" {
		l.Device = device
	}
	return l, nil
}

// number reads a number of 32 bits.
func number[T int | int64](v *fact.Val[T], a *netlink.Attributes, at fact.Line) {
	if n, ok := a.Uint32(); ok {
		*v = fact.Of(T(n), at)
	}
}

// errorsOf reads struct rtnl_link_stats64, of which old kernels have less.
func errorsOf(a *netlink.Attributes, m *netlink.Message) map[string]int64 {
	found := map[string]int64{}
	for _, c := range counters {
		if len(a.Value) < 8*(c.at+1) {
			break
		}
		if n := m.Order.Uint64(a.Value[8*c.at:]); n > 0 && n <= math.MaxInt64 {
			found[c.name] = int64(n)
		}
	}
	return found
}

// describe is the text of the evidence: what the binary record says.
func describe(i *fact.Interface) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s index=%d", i.Name, i.Index)
	if v, ok := i.OperState.Get(); ok {
		fmt.Fprintf(&b, " operstate=%s", v)
	}
	if v, ok := i.Carrier.Get(); ok {
		fmt.Fprintf(&b, " carrier=%s", v)
	}
	if v, ok := i.CarrierChanges.Get(); ok {
		fmt.Fprintf(&b, " carrier_changes=%d", v)
	}
	if v, ok := i.MTU.Get(); ok {
		fmt.Fprintf(&b, " mtu=%d", v)
	}
	if i.Kind != "" {
		fmt.Fprintf(&b, " kind=%s", i.Kind)
	}
	if i.Device != "" {
		fmt.Fprintf(&b, " parent=pci/%s", i.Device)
	}
	if v, ok := i.VFs.Get(); ok {
		fmt.Fprintf(&b, " num_vf=%d", v)
	}
	for _, c := range counters {
		if n := i.Errors.V[c.name]; n > 0 {
			fmt.Fprintf(&b, " %s=%d", c.name, n)
		}
	}
	return b.String()
}
