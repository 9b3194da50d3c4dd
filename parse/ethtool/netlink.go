// Package ethtool reads what network drivers say of their ports: the netlink
// dump of the family "ethtool" and the text of ethtool(8), into the same facts.
//
// Sources: include/uapi/linux/ethtool.h, include/uapi/linux/ethtool_netlink.h,
// net/ethtool/{linkinfo,linkmodes,linkstate,bitset}.c; ethtool's ethtool.c and
// netlink/settings.c.
package ethtool

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"hwcap/parse/fact"
	"hwcap/parse/netlink"
)

const (
	family = "ethtool" // ETHTOOL_GENL_NAME

	maxInterfaces = 2048
	maxName       = 15 // IFNAMSIZ without the final zero
)

// Messages, ETHTOOL_MSG_*_GET_REPLY. Requests have the same numbers.
const (
	linkInfo  = 2
	linkModes = 4
	linkState = 6
)

// Attributes, ETHTOOL_A_*.
const (
	attrHeader     = 1 // of all messages
	attrHeaderName = 2

	attrPort        = 2 // of linkInfo
	attrTransceiver = 6

	attrAutoneg = 2 // of linkModes
	attrOurs    = 3
	attrPeer    = 4
	attrSpeed   = 5
	attrDuplex  = 6
	attrLanes   = 9

	attrLink        = 2 // of linkState
	attrSQI         = 3
	attrSQIMax      = 4
	attrExtState    = 5
	attrExtSubstate = 6
	attrDownCount   = 7

	attrNoMask   = 1 // of a set of bits
	attrBits     = 3
	attrValue    = 4
	attrMask     = 5
	attrBit      = 1
	attrBitName  = 2
	attrBitValue = 3
	attrBitIndex = 1
)

// replies are the messages that are read.
var replies = map[uint8]struct {
	name string
	read func(i *fact.Interface, m *netlink.Message, at fact.Line)
	// refused gives an interface that the dump does not speak of the reason.
	refused func(e *fact.Ethtool, state fact.State, at fact.Line)
}{
	linkInfo: {"LINKINFO", readLinkInfo, func(e *fact.Ethtool, state fact.State, at fact.Line) {
		missing(&e.Port, state, at)
		missing(&e.Transceiver, state, at)
	}},
	linkModes: {"LINKMODES", readLinkModes, func(e *fact.Ethtool, state fact.State, at fact.Line) {
		missing(&e.Autoneg, state, at)
		missing(&e.Supported, state, at)
		missing(&e.Advertised, state, at)
		missing(&e.Partner, state, at)
	}},
	linkState: {"LINKSTATE", readLinkState, func(e *fact.Ethtool, state fact.State, at fact.Line) {
		missing(&e.Link, state, at)
	}},
}

// requests are the dumps in the order in which a capture asks for them
// (capture/FORMAT.md, "Netlink members").
var requests = []uint8{linkInfo, linkModes, linkState}

// refusal is a dump that the kernel did not give.
type refusal struct {
	command uint8
	state   fact.State
	at      fact.Line
}

// dump gathers the interfaces.
type dump struct {
	file     string
	all      []fact.Interface
	place    map[string]int // in all, by name
	number   uint16         // of the family
	seq      uint32         // of the dump
	request  int            // its number, from 1
	last     uint8          // command of its last reply
	full     bool
	refusals []refusal
}

// ParseNetlink reads dumps of the family "ethtool" as pcap (see [netlink.Walk]).
// Several messages speak of an interface, each in a record of its own, which the
// values cite. Where the kernel refuses a dump, its values have the state that
// says why. On a cut-off file the interfaces before the cut are returned with the
// error.
func ParseNetlink(r io.Reader, file string) ([]fact.Interface, []fact.Problem, error) {
	d := dump{file: file, place: map[string]int{}}
	problems, err := netlink.Walk(r, file, d.message)
	for _, r := range d.refusals {
		for i := range d.all {
			replies[r.command].refused(d.all[i].Ethtool, r.state, r.at)
		}
	}
	return d.all, problems, err
}

func (d *dump) message(m *netlink.Message) error {
	if name, number, ok := m.Family(); ok && name == family {
		d.number, d.seq = number, m.Seq
		return nil
	}
	if m.Protocol == netlink.Generic && d.number != 0 && m.Seq != d.seq {
		d.seq, d.last = m.Seq, 0
		d.request++
	}
	if errno, refused := m.Refusal(); refused && m.Protocol == netlink.Generic {
		return d.refused(m, errno)
	}
	if m.Protocol != netlink.Generic || d.number == 0 || m.Type != d.number || m.IsRequest() {
		return nil
	}
	command, attributes, ok := m.Generic()
	reply, known := replies[command]
	switch {
	case !ok:
		return errors.New("a message is too short for a command")
	case !known: // nothing that was asked for
		return nil
	}
	d.last = command
	name := headerName(attributes)
	if name == "" {
		return fmt.Errorf("%s of an interface without a name", reply.name)
	}
	i, err := d.of(name)
	if i == nil {
		return err
	}
	// It is read twice: first to put it into words, which the values then cite.
	said := fact.Interface{Name: name, Ethtool: &fact.Ethtool{}}
	reply.read(&said, m, fact.Line{})
	at := fact.Line{File: d.file, Frame: m.Frame, Text: describe(reply.name, &said)}
	reply.read(i, m, at)
	if i.At.IsZero() {
		i.At = at
	}
	return nil
}

// of returns the interface of that name; nil if there are too many, with an
// error the first time.
func (d *dump) of(name string) (*fact.Interface, error) {
	at, known := d.place[name]
	switch {
	case known:
		return &d.all[at], nil
	case len(d.all) < maxInterfaces:
		d.place[name] = len(d.all)
		d.all = append(d.all, fact.Interface{Name: name, Ethtool: &fact.Ethtool{}})
		return &d.all[len(d.all)-1], nil
	case d.full:
		return nil, nil
	}
	d.full = true
	return nil, fmt.Errorf("more than %d interfaces", maxInterfaces)
}

// refused notes which dump the kernel does not give: the one that the error
// names, or, where a dump breaks off with an error, that of the last reply. One
// that ends without a reply is known by its turn: the kernel ends a dump at the
// first interface whose device is detached (ENODEV, ethnl_ops_begin in
// net/ethtool/netlink.c), and repeats no request there.
func (d *dump) refused(m *netlink.Message, errno int) error {
	command, ok := m.RefusedCommand()
	if !ok {
		command = d.last
	}
	if command == 0 && d.request > 0 && d.request <= len(requests) {
		command = requests[d.request-1]
	}
	reply, known := replies[command]
	if !known {
		return fmt.Errorf("the kernel answered with error %d", errno)
	}
	state := netlink.StateOf(errno)
	text := fmt.Sprintf("%s_GET: error %d (%s)", reply.name, errno, state)
	d.refusals = append(d.refusals, refusal{command, state, fact.Line{File: d.file, Frame: m.Frame, Text: text}})
	if len(d.refusals) > len(replies) { // more than were asked for
		d.refusals = d.refusals[:len(replies)]
	}
	return nil
}

// headerName is the name of the interface that a message is about.
func headerName(a *netlink.Attributes) string {
	for a.Next() {
		if a.Type != attrHeader {
			continue
		}
		for h := a.Nested(); h.Next(); {
			if h.Type == attrHeaderName {
				name, _ := h.Text(maxName)
				return name
			}
		}
	}
	return ""
}

func readLinkInfo(i *fact.Interface, m *netlink.Message, at fact.Line) {
	_, a, _ := m.Generic()
	for a.Next() {
		n, ok := a.Uint8()
		switch {
		case !ok:
		case a.Type == attrPort:
			i.Ethtool.Port = word(ports, n, at)
		case a.Type == attrTransceiver:
			i.Ethtool.Transceiver = word(transceivers, n, at)
		}
	}
}

// word is the word for a number, absent for one that says "unknown".
func word(words map[uint8]string, n uint8, at fact.Line) fact.Val[string] {
	if w, ok := words[n]; ok {
		return fact.Of(w, at)
	}
	return fact.Missing[string](fact.Absent, at)
}

func readLinkModes(i *fact.Interface, m *netlink.Message, at fact.Line) {
	_, a, _ := m.Generic()
	e := i.Ethtool
	var supported, advertised, peer modes
	hasOurs, hasPeer := false, false
	for a.Next() {
		switch a.Type {
		case attrAutoneg:
			if n, ok := a.Uint8(); ok {
				e.Autoneg = fact.Of(n == 1, at) // AUTONEG_ENABLE
			}
		case attrOurs:
			hasOurs = true
			bits(a, m, func(name string, set bool) {
				supported.add(name)
				if set {
					advertised.add(name)
				}
			})
		case attrPeer:
			hasPeer = true
			bits(a, m, func(name string, set bool) {
				if set {
					peer.add(name)
				}
			})
		case attrSpeed:
			if n, ok := a.Uint32(); ok {
				i.Speed = speed(int64(n), at)
			}
		case attrDuplex:
			if n, ok := a.Uint8(); ok {
				i.Duplex = word(duplexes, n, at)
			}
		case attrLanes:
			if n, ok := a.Uint32(); ok && n > 0 && n < 1024 {
				e.Lanes = fact.Of(int(n), at)
			}
		}
	}
	if hasOurs {
		e.Supported, e.SupportsAutoneg = supported.value(at), fact.Of(supported.autoneg, at)
		e.Advertised, e.AdvertisesAutoneg = advertised.value(at), fact.Of(advertised.autoneg, at)
	}
	// Without a word of the partner the driver does not know (net/ethtool/linkmodes.c
	// leaves an empty set out).
	e.Partner = peer.value(at)
	if hasPeer {
		e.PartnerAutoneg = fact.Of(peer.autoneg, at)
	}
}

// speed is a speed in Mbit/s, absent where the driver does not know it. Drivers
// have said so as 65535 and as 0 as well.
func speed(mbits int64, at fact.Line) fact.Val[int] {
	if mbits <= 0 || mbits == 0xffff || mbits >= 1<<31 {
		return fact.Missing[int](fact.Absent, at)
	}
	return fact.Of(int(mbits), at)
}

func readLinkState(i *fact.Interface, m *netlink.Message, at fact.Line) {
	_, a, _ := m.Generic()
	e := i.Ethtool
	var state, substate uint8
	hasState, hasSubstate := false, false
	for a.Next() {
		switch a.Type {
		case attrLink:
			if n, ok := a.Uint8(); ok {
				e.Link = fact.Of(n != 0, at)
			}
		case attrSQI:
			if n, ok := a.Uint32(); ok {
				e.SignalQuality = fact.Of(int(n), at)
			}
		case attrSQIMax:
			if n, ok := a.Uint32(); ok {
				e.SignalQualityMax = fact.Of(int(n), at)
			}
		case attrExtState:
			state, hasState = a.Uint8()
		case attrExtSubstate:
			substate, hasSubstate = a.Uint8()
		case attrDownCount:
			if n, ok := a.Uint32(); ok {
				e.LinkDowns = fact.Of(int64(n), at)
			}
		}
	}
	if hasState {
		e.LinkReason = fact.Of(linkReason(state, substate, hasSubstate), at)
	}
}

// describe is the text of the evidence: what the binary record says.
func describe(message string, i *fact.Interface) string {
	var b strings.Builder
	b.WriteString(i.Name + " " + message)
	e := i.Ethtool
	say(&b, "speed", i.Speed)
	say(&b, "duplex", i.Duplex)
	say(&b, "lanes", e.Lanes)
	say(&b, "autoneg", e.Autoneg)
	sayModes(&b, "supported", e.Supported)
	sayModes(&b, "advertised", e.Advertised)
	sayModes(&b, "partner", e.Partner)
	say(&b, "port", e.Port)
	say(&b, "transceiver", e.Transceiver)
	say(&b, "link", e.Link)
	say(&b, "reason", e.LinkReason)
	say(&b, "sqi", e.SignalQuality)
	say(&b, "down_events", e.LinkDowns)
	return b.String()
}

func say[T any](b *strings.Builder, label string, v fact.Val[T]) {
	if value, ok := v.Get(); ok {
		fmt.Fprintf(b, " %s=%v", label, value)
	} else if !v.IsZero() {
		fmt.Fprintf(b, " %s=unknown", label)
	}
}

func sayModes(b *strings.Builder, label string, v fact.Val[[]fact.LinkMode]) {
	if v.IsZero() {
		return
	}
	names := make([]string, len(v.V))
	for i, m := range v.V {
		names[i] = m.Name
	}
	fmt.Fprintf(b, " %s=%s", label, strings.Join(names, ","))
}

// missing says why a value is not there, if nothing else does.
func missing[T any](v *fact.Val[T], state fact.State, at fact.Line) {
	if v.IsZero() {
		*v = fact.Missing[T](state, at)
	}
}
