package ethtool

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hwcap/parse/fact"
	"hwcap/parse/netlink"
	"hwcap/parse/netlink/netlinktest"
)

var little, big = netlinktest.Little, netlinktest.Big

const familyNumber = 20

func begin(pcap, machine netlinktest.Order) *netlinktest.File {
	return netlinktest.New(pcap, machine, netlink.Generic).Family("ethtool", familyNumber)
}

// reply makes the answer of a command about an interface.
func reply(f *netlinktest.File, command uint8, name string, attributes ...[]byte) []byte {
	header := f.Attr(attrHeader|0x8000, f.Attr(1, f.U32(2)), f.Text(attrHeaderName, name))
	return f.Generic(familyNumber, command, append([][]byte{header}, attributes...)...)
}

// set makes the verbose form of a set of bits: those before a nil are set, those
// behind it only in the mask.
func set(f *netlinktest.File, kind uint16, noMask bool, names ...string) []byte {
	var list [][]byte
	value := f.Attr(attrBitValue)
	for i, name := range names {
		if name == "" {
			value = nil
			continue
		}
		list = append(list, f.Attr(attrBit|0x8000, f.Attr(attrBitIndex, f.U32(uint32(i))), f.Text(attrBitName, name), value))
		if noMask {
			list[len(list)-1] = f.Attr(attrBit|0x8000, f.Attr(attrBitIndex, f.U32(uint32(i))), f.Text(attrBitName, name))
		}
	}
	var parts [][]byte
	if noMask {
		parts = append(parts, f.Attr(attrNoMask))
	}
	return f.Attr(kind|0x8000, append(parts, f.Attr(2, f.U32(125)), f.Attr(attrBits|0x8000, list...))...)
}

// whole is a port that all three dumps speak of.
func whole(pcap, machine netlinktest.Order) *netlinktest.File {
	f := begin(pcap, machine)
	f.Record(reply(f, linkInfo, "eth0", f.Attr(attrPort, []byte{0}), f.Attr(3, []byte{1}), f.Attr(attrTransceiver, []byte{0}))).Done()
	f.Record(reply(f, linkModes, "eth0", f.Attr(attrAutoneg, []byte{1}),
		set(f, attrOurs, false, "100baseT/Full", "1000baseT/Full", "Autoneg", "TP", "", "2500baseT/Full"),
		set(f, attrPeer, true, "100baseT/Full", "1000baseT/Full", "Autoneg"),
		f.Attr(attrSpeed, f.U32(1000)), f.Attr(attrDuplex, []byte{1}), f.Attr(attrLanes, f.U32(1)))).Done()
	return f.Record(reply(f, linkState, "eth0", f.Attr(attrLink, []byte{1}), f.Attr(attrSQI, f.U32(6)), f.Attr(attrSQIMax, f.U32(7)), f.Attr(attrDownCount, f.U32(3)))).Done()
}

func list(modes ...fact.LinkMode) []fact.LinkMode { return modes }

var (
	m100  = fact.LinkMode{Name: "100baseT/Full", Speed: 100}
	m1000 = fact.LinkMode{Name: "1000baseT/Full", Speed: 1000}
	m2500 = fact.LinkMode{Name: "2500baseT/Full", Speed: 2500}
)

func TestNetlink(t *testing.T) {
	for name, orders := range map[string][2]netlinktest.Order{"little endian": {little, little}, "big endian": {big, big}, "machine and file differ": {little, big}} {
		t.Run(name, func(t *testing.T) {
			got, problems, err := ParseNetlink(bytes.NewReader(whole(orders[0], orders[1]).Bytes), "netlink/ethtool.pcap")
			if err != nil || len(problems) > 0 {
				t.Fatal(problems, err)
			}
			at := func(frame int, text string) fact.Line {
				return fact.Line{File: "netlink/ethtool.pcap", Frame: frame, Text: text}
			}
			info := at(2, "eth0 LINKINFO port=Twisted Pair transceiver=internal")
			modes := at(4, "eth0 LINKMODES speed=1000 duplex=full lanes=1 autoneg=true supported=100baseT/Full,1000baseT/Full,2500baseT/Full "+
				"advertised=100baseT/Full,1000baseT/Full partner=100baseT/Full,1000baseT/Full")
			state := at(6, "eth0 LINKSTATE link=true sqi=6 down_events=3")
			want := []fact.Interface{{Name: "eth0", Speed: fact.Of(1000, modes), Duplex: fact.Of("full", modes), At: info, Ethtool: &fact.Ethtool{
				Autoneg: fact.Of(true, modes), Lanes: fact.Of(1, modes),
				Supported: fact.Of(list(m100, m1000, m2500), modes), Advertised: fact.Of(list(m100, m1000), modes), Partner: fact.Of(list(m100, m1000), modes),
				SupportsAutoneg: fact.Of(true, modes), AdvertisesAutoneg: fact.Of(true, modes), PartnerAutoneg: fact.Of(true, modes),
				Port: fact.Of("Twisted Pair", info), Transceiver: fact.Of("internal", info),
				Link: fact.Of(true, state), SignalQuality: fact.Of(6, state), SignalQualityMax: fact.Of(7, state), LinkDowns: fact.Of(int64(3), state),
			}}}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("interfaces (-want +got):\n%s", diff)
			}
		})
	}
}

// one parses a file of one message about eth0.
func one(t *testing.T, order netlinktest.Order, command uint8, attributes func(f *netlinktest.File) [][]byte) fact.Interface {
	t.Helper()
	f := begin(order, order)
	f.Record(reply(f, command, "eth0", attributes(f)...)).Done()
	got, problems, err := ParseNetlink(bytes.NewReader(f.Bytes), "f")
	if err != nil || len(problems) > 0 || len(got) != 1 {
		t.Fatal(got, problems, err)
	}
	return got[0]
}

func TestUnknownIsAbsent(t *testing.T) {
	i := one(t, little, linkModes, func(f *netlinktest.File) [][]byte {
		return [][]byte{f.Attr(attrSpeed, f.U32(0xffffffff)), f.Attr(attrDuplex, []byte{0xff}), f.Attr(attrLanes, f.U32(0)), set(f, attrOurs, false, "FIBRE", "Pause")}
	})
	for name, state := range map[string]fact.State{"speed": i.Speed.State, "duplex": i.Duplex.State, "supported": i.Ethtool.Supported.State, "partner": i.Ethtool.Partner.State} {
		if state != fact.Absent {
			t.Errorf("%s is %q, want absent", name, state)
		}
	}
	if i.Ethtool.Lanes.State != "" || i.Ethtool.PartnerAutoneg.State != "" || i.Ethtool.Autoneg.State != "" {
		t.Errorf("what no attribute speaks of: %+v", i.Ethtool)
	}
	for mbits, known := range map[int64]bool{10: true, 1_600_000: true, 0: false, -1: false, 0xffff: false, 0xffffffff: false} {
		if got := speed(mbits, fact.Line{}); got.Known() != known {
			t.Errorf("speed %d known: %v", mbits, got.Known())
		}
	}
}

func TestCompactSet(t *testing.T) {
	for name, order := range map[string]netlinktest.Order{"little endian": little, "big endian": big} {
		i := one(t, order, linkModes, func(f *netlinktest.File) [][]byte {
			words := func(w ...uint32) (b []byte) {
				for _, n := range w {
					b = append(b, f.U32(n)...)
				}
				return b
			}
			return [][]byte{
				f.Attr(attrOurs|0x8000, f.Attr(2, f.U32(125)), f.Attr(attrValue, words(1<<5|1<<6, 0)), f.Attr(attrMask, words(1<<3|1<<5|1<<6, 1<<15))),
				f.Attr(attrPeer|0x8000, f.Attr(attrNoMask), f.Attr(2, f.U32(125)), f.Attr(attrValue, words(1<<3))),
			}
		})
		e := i.Ethtool
		if diff := cmp.Diff([][]fact.LinkMode{list(m100, m1000, m2500), list(m1000), list(m100)}, [][]fact.LinkMode{e.Supported.V, e.Advertised.V, e.Partner.V}); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
		if !e.SupportsAutoneg.V || e.PartnerAutoneg.V || !e.PartnerAutoneg.Known() {
			t.Errorf("%s: autoneg %+v %+v", name, e.SupportsAutoneg, e.PartnerAutoneg)
		}
	}
}

func TestLinkReason(t *testing.T) {
	for _, test := range []struct {
		state, substate int
		want            string
	}{
		{0, 1, "Autoneg, No partner detected"}, {0, -1, "Autoneg"}, {3, 2, "Bad signal integrity, Unsupported rate"}, {4, -1, "No cable"},
		{10, 1, "Module, CMIS module is not in ModuleReady state"}, {4, 9, "No cable, 9"}, {77, 1, "77, 1"}, {0, 0, "Autoneg, 0"},
	} {
		i := one(t, little, linkState, func(f *netlinktest.File) [][]byte {
			parts := [][]byte{f.Attr(attrLink, []byte{0}), f.Attr(attrExtState, []byte{byte(test.state)})}
			if test.substate >= 0 {
				parts = append(parts, f.Attr(attrExtSubstate, []byte{byte(test.substate)}))
			}
			return parts
		})
		if i.Ethtool.LinkReason.V != test.want || i.Ethtool.Link.V {
			t.Errorf("state %d/%d is %q, want %q", test.state, test.substate, i.Ethtool.LinkReason.V, test.want)
		}
	}
}

func TestRefusedDump(t *testing.T) {
	f := begin(little, little)
	f.Record(reply(f, linkModes, "eth0", f.Attr(attrSpeed, f.U32(10)))).Done()
	f.Refuse(1, reply(f, linkState, ""))
	f.Refuse(95, reply(f, linkInfo, ""))
	got, problems, err := ParseNetlink(bytes.NewReader(f.Bytes), "f")
	if err != nil || len(problems) > 0 || len(got) != 1 {
		t.Fatal(got, problems, err)
	}
	e := got[0].Ethtool
	if e.Link.State != fact.Denied || e.Link.At.Text != "LINKSTATE_GET: error 1 (denied)" || e.Link.At.Frame != 4 || e.Port.State != fact.Absent {
		t.Errorf("link %+v, port %+v", e.Link, e.Port)
	}
	if got[0].Speed.V != 10 {
		t.Errorf("speed %+v", got[0].Speed)
	}

	// A dump that breaks off with an error is that of the last message.
	f = begin(little, little)
	f.Record(reply(f, linkState, "eth0", f.Attr(attrLink, []byte{1}))).Record(reply(f, linkModes, "eth1", f.Attr(attrSpeed, f.U32(10)))).Refuse(110, nil)
	got, _, _ = ParseNetlink(bytes.NewReader(f.Bytes), "f")
	if len(got) != 2 || got[0].Ethtool.Supported.State != fact.TimedOut || !got[0].Ethtool.Link.V {
		t.Errorf("%+v", got)
	}
}

// The kernel ends each dump at an interface whose device is detached, and says
// nothing but that.
func TestDetachedDevice(t *testing.T) {
	gone := func(f *netlinktest.File) {
		f.Record(f.Message(3, f.U32(^uint32(18)))) // NLMSG_DONE, -ENODEV
		f.Seq++
	}
	f := begin(little, little)
	f.Seq++
	gone(f)
	gone(f)
	f.Record(reply(f, linkState, "lo", f.Attr(attrLink, []byte{0})))
	gone(f)
	got, problems, err := ParseNetlink(bytes.NewReader(f.Bytes), "f")
	if err != nil || len(problems) > 0 || len(got) != 1 {
		t.Fatal(got, problems, err)
	}
	e := got[0].Ethtool
	if e.Port.State != fact.Absent || e.Port.At.Text != "LINKINFO_GET: error 19 (absent)" || e.Supported.At.Text != "LINKMODES_GET: error 19 (absent)" || e.Supported.At.Frame != 3 {
		t.Errorf("port %+v, modes %+v", e.Port, e.Supported)
	}
	if link, ok := e.Link.Get(); link || !ok {
		t.Errorf("link %+v", e.Link)
	}

	gone(f) // of a dump that no capture asks for
	if _, problems, _ = ParseNetlink(bytes.NewReader(f.Bytes), "f"); len(problems) != 1 || !strings.Contains(problems[0].Text, "error 19") {
		t.Errorf("a fourth dump: %v", problems)
	}
}

func TestNetlinkBroken(t *testing.T) {
	file := func(make func(f *netlinktest.File)) []byte {
		f := begin(little, little)
		make(f)
		return f.Done().Bytes
	}
	for name, test := range map[string]struct {
		file  []byte
		names string
		want  string
	}{
		"no family":                {netlinktest.New(little, little, netlink.Generic).Record(reply(begin(little, little), linkState, "eth0")).Done().Bytes, "", ""},
		"another family":           {netlinktest.New(little, little, netlink.Generic).Family("devlink", familyNumber).Record(reply(begin(little, little), linkState, "eth0")).Done().Bytes, "", ""},
		"a command nobody asked":   {file(func(f *netlinktest.File) { f.Record(reply(f, 15, "eth0")) }), "", ""},
		"no header":                {file(func(f *netlinktest.File) { f.Record(f.Generic(familyNumber, linkState, f.Attr(attrLink, []byte{1}))) }), "", "LINKSTATE of an interface without a name"},
		"a name that is too long":  {file(func(f *netlinktest.File) { f.Record(reply(f, linkState, "sixteen-letters-")) }), "", "without a name"},
		"no command":               {file(func(f *netlinktest.File) { f.Record(f.Message(familyNumber, []byte{1})) }), "", "too short for a command"},
		"refused before any reply": {begin(little, little).Refuse(1, nil).Bytes, "", "the kernel answered with error 1"},
		"values that are too short": {file(func(f *netlinktest.File) {
			f.Record(reply(f, linkModes, "eth0", f.Attr(attrSpeed, []byte{1}), f.Attr(attrDuplex), f.Attr(attrOurs), f.Attr(attrLanes, []byte{1})))
		}), "eth0", ""},
		"cut off": {whole(little, little).Bytes[:700], "eth0", "unexpected EOF"},
	} {
		t.Run(name, func(t *testing.T) {
			got, problems, err := ParseNetlink(bytes.NewReader(test.file), "f")
			var names []string
			for _, i := range got {
				names = append(names, i.Name)
			}
			if strings.Join(names, " ") != test.names {
				t.Errorf("interfaces %v, want %q", names, test.names)
			}
			said := fmt.Sprint(problems, err)
			if !strings.Contains(said, test.want) || test.want == "" && said != "[] <nil>" {
				t.Errorf("it says %s, want %q", said, test.want)
			}
		})
	}
}

func TestModes(t *testing.T) {
	if len(modeNames) != 125 {
		t.Fatalf("%d modes", len(modeNames))
	}
	for n, want := range map[int]string{0: "10baseT/Half", 5: "1000baseT/Full", 6: "Autoneg", 31: "25000baseCR/Full", 47: "2500baseT/Full", 51: "BASER",
		62: "200000baseKR4/Full", 78: "100000baseCR/Full", 92: "10baseT1L/Full", 98: "800000baseVR8/Full", 103: "200000baseCR/Full", 121: "1600000baseCR8/Full"} {
		if modeNames[n] != want {
			t.Errorf("bit %d is %s, want %s", n, modeNames[n], want)
		}
	}
	for name, want := range map[string]int{"10baseT1S_P2MP/Half": 10, "1600000baseDR8_2/Full": 1_600_000, "10000baseR_FEC": 10_000, "3200000baseXX16/Full": 3_200_000,
		"Autoneg": 0, "base": 0, "1000base": 0, "0baseT": 0, "-5baseT/Full": 0, "123456789baseT/Full": 0, "x10baseT": 0} {
		if m, ok := mode(name); m.Speed != want || ok != (want > 0) {
			t.Errorf("%s runs at %d (%v), want %d", name, m.Speed, ok, want)
		}
	}
}

func TestNetlinkLimits(t *testing.T) {
	f := begin(little, little)
	var many []string
	for n := range 3 * maxModes {
		many = append(many, fmt.Sprintf("%dbaseT/Full", n+1))
	}
	f.Record(reply(f, linkModes, "eth0", set(f, attrOurs, false, many...)))
	for i := range maxInterfaces + 3 {
		f.Record(reply(f, linkState, fmt.Sprint("v", i)))
	}
	got, problems, err := ParseNetlink(bytes.NewReader(f.Done().Bytes), "f")
	if err != nil || len(got) != maxInterfaces || len(problems) != 1 {
		t.Errorf("%d interfaces, %v, %v", len(got), problems, err)
	}
	if n := len(got[0].Ethtool.Supported.V); n != maxModes {
		t.Errorf("%d modes", n)
	}
}

func FuzzNetlinkEthtool(f *testing.F) {
	f.Add(whole(little, little).Bytes)
	f.Add(whole(big, little).Bytes)
	g := begin(little, little)
	f.Add(g.Record(reply(g, linkState, "eth0", g.Attr(attrLink, []byte{0}), g.Attr(attrExtState, []byte{0}))).Refuse(1, reply(g, linkInfo, "")).Bytes)
	f.Fuzz(func(t *testing.T, file []byte) {
		got, _, _ := ParseNetlink(bytes.NewReader(file), "f")
		for _, i := range got {
			if i.Name == "" || !strings.HasPrefix(i.At.Text, i.Name) || i.Speed.Known() && i.Speed.V <= 0 {
				t.Errorf("%+v", i)
			}
			for _, m := range i.Ethtool.Supported.V {
				if m.Speed <= 0 || !strings.HasPrefix(m.Name, fmt.Sprint(m.Speed)) && m.Name[0] != '0' {
					t.Errorf("%+v", m)
				}
			}
		}
	})
}

// Doubled input: sets of the smallest bits.
func BenchmarkHostile(b *testing.B) {
	for _, mib := range []int{1, 2, 4} {
		f := begin(little, little)
		bit := f.Attr(attrBit|0x8000, f.Attr(attrBitIndex, f.U32(3)))
		nest := f.Attr(attrOurs|0x8000, f.Attr(attrBits|0x8000, bytes.Repeat(bit, 5000)))
		for len(f.Bytes) < mib<<20 {
			f.Record(reply(f, linkModes, "eth0", nest, nest, nest))
		}
		b.Run(fmt.Sprint(mib, " MiB"), func(b *testing.B) {
			b.SetBytes(int64(len(f.Bytes)))
			for b.Loop() {
				ParseNetlink(bytes.NewReader(f.Bytes), "f")
			}
		})
	}
}
