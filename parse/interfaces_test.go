package parse

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"hwcap/parse/fact"
	"hwcap/parse/netlink/netlinktest"
)

// report reads a text or dump as the member of that name.
func report(b *builder, member, data string) {
	parserOf(member)(b, strings.NewReader(data), member).add()
}

// routeDump is eth0 of 0000:81:00.0 and eth0.5 above it.
func routeDump() string {
	f := netlinktest.New(netlinktest.Little, netlinktest.Little, 0)
	info := func(index uint32) []byte { return append(append(make([]byte, 4), f.U32(index)...), make([]byte, 8)...) }
	f.Record(f.Message(16, info(2), f.Text(3, "eth0"), f.Attr(4, f.U32(9000)), f.Attr(16, []byte{6}), f.Text(56, "0000:81:00.0"), f.Text(57, "pci")))
	f.Record(f.Message(16, info(3), f.Text(3, "eth0.5"), f.Attr(5, f.U32(2))))
	return string(f.Done().Bytes)
}

// settingsDump is the speed of eth0.
func settingsDump(speed uint32) string {
	f := netlinktest.New(netlinktest.Little, netlinktest.Little, 16).Family("ethtool", 20)
	f.Record(f.Generic(20, 4, f.Attr(1, f.Text(2, "eth0")), f.Attr(5, f.U32(speed))))
	return string(f.Done().Bytes)
}

const settingsText = "Settings for eth0:\n\tSpeed: 100Mb/s\n\tDuplex: Full\n\tPort: FIBRE\n\tLink detected: yes\n"

// All sources of one interface, in any order, become one, with what they say
// otherwise.
func TestInterfaces(t *testing.T) {
	reports := [][2]string{
		{"netlink/route.pcap", routeDump()},
		{"netlink/ethtool.pcap", settingsDump(1000)},
		{"cmd/ethtool.txt", settingsText},
		{"cmd/ethtool.txt", "driver: igb\nfirmware-version: 3.25\nbus-info: 0000:81:00.0\n"},
	}
	at := func(file string, line, frame int) fact.Line { return fact.Line{File: file, Line: line, Frame: frame} }
	dump, text, route := at("netlink/ethtool.pcap", 0, 2), "cmd/ethtool.txt", at("netlink/route.pcap", 0, 1)
	want := []fact.Interface{
		{Name: "eth0", Index: 2, Device: "0000:81:00.0", Driver: "igb", Speed: fact.Of(1000, dump), Duplex: fact.Of("full", at(text, 3, 0)),
			OperState: fact.Of("up", route), MTU: fact.Of(9000, route), Carrier: fact.Of("1", at("sys/class/net/eth0/carrier", 1, 0)),
			Ethtool: &fact.Ethtool{Port: fact.Of("FIBRE", at(text, 4, 0)), Link: fact.Of(true, at(text, 5, 0)), Firmware: fact.Of("3.25", at(text, 2, 0)),
				Partner: fact.Missing[[]fact.LinkMode](fact.Absent, dump)},
			Conflicts: []fact.Reading{
				{Field: "speed", Value: "100", At: at(text, 2, 0)},
				{Field: "mtu", Value: "1500", At: at("sys/class/net/eth0/mtu", 1, 0)},
			}, At: dump},
		{Name: "eth0.5", Index: 3, Lower: "eth0", At: at("netlink/route.pcap", 0, 2)},
		{Name: "eth10", Speed: fact.Of(2500, at("sys/class/net/eth10/speed", 1, 0))},
	}
	for _, name := range []string{"in order", "backwards"} {
		t.Run(name, func(t *testing.T) {
			b := newBuilder("x", DefaultLimits)
			for path, data := range map[string]string{"eth0/carrier": "1\n", "eth0/mtu": "1500\n", "eth10/speed": "2500\n"} {
				b.tree.Add("sys/class/net/"+path, strings.NewReader(data))
			}
			for _, r := range reports {
				report(b, r[0], r[1])
			}
			b.tree.Finish()
			b.interfaces()
			if diff := cmp.Diff(want, b.m.Net, cmpopts.IgnoreFields(fact.Line{}, "Text")); diff != "" {
				t.Errorf("interfaces (-want +got):\n%s", diff)
			}
			if len(b.m.Problems) > 0 {
				t.Errorf("problems %v", b.m.Problems)
			}
		})
		slices.Reverse(reports)
	}
}

func TestInterfacesBesideEachOther(t *testing.T) {
	b := newBuilder("x", DefaultLimits)
	report(b, "cmd/ethtool.txt", "Settings for eth1:\n\tSpeed: 10Mb/s\n")
	report(b, "cmd/ethtool.txt", settingsText)
	report(b, "cmd/ethtool.txt", "driver: igb\nbus-info: 0000:03:00.0\n")
	report(b, "netlink/ethtool.pcap", settingsDump(0xffffffff))
	b.interfaces()
	if len(b.m.Net) != 2 || b.m.Net[0].Speed.V != 100 || b.m.Net[1].Speed.V != 10 || len(b.m.Net[0].Conflicts) > 0 {
		t.Errorf("%+v", b.m.Net)
	}
	if len(b.m.Problems) != 1 || !strings.Contains(b.m.Problems[0].Text, "0000:03:00.0, of which no interface is known") {
		t.Errorf("problems %v", b.m.Problems)
	}
}
