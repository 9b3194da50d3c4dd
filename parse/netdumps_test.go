package parse_test

import (
	"testing"

	"hwcap/parse"
	"hwcap/parse/netlink/netlinktest"
)

// TestNetDumps opens a capture with a dump of each family and a text beside
// them, and validates what hwcap facts prints of it.
func TestNetDumps(t *testing.T) {
	order := netlinktest.Little
	text := func(f *netlinktest.File) string { return string(f.Done().Bytes) }

	route := netlinktest.New(order, order, 0)
	info := append(append(make([]byte, 4), route.U32(2)...), make([]byte, 8)...)
	counters := append(make([]byte, 12*8), route.U64(5)...) // rx_crc_errors
	route.Record(route.Message(16, info, route.Text(3, "eth0"), route.Attr(4, route.U32(1500)), route.Attr(16, []byte{6}), route.Attr(21, route.U32(0)),
		route.Attr(23, counters), route.Attr(33, []byte{1}), route.Attr(35, route.U32(2)), route.Text(56, "0000:c3:00.0"), route.Text(57, "pci")))

	settings := netlinktest.New(order, order, 16).Family("ethtool", 20)
	header := settings.Attr(1, settings.Text(2, "eth0"))
	peer := settings.Attr(4, settings.Attr(1), settings.Attr(4, settings.U32(1<<5|1<<6)), settings.Attr(2, settings.U32(32)))
	ours := settings.Attr(3, settings.Attr(4, settings.U32(1<<5)), settings.Attr(5, settings.U32(1<<5|1<<6)))
	settings.Record(settings.Generic(20, 4, header, ours, peer, settings.Attr(5, settings.U32(1000)), settings.Attr(6, []byte{1}), settings.Attr(9, settings.U32(1))))
	settings.Record(settings.Generic(20, 6, header, settings.Attr(2, []byte{0}), settings.Attr(5, []byte{4}), settings.Attr(7, settings.U32(3))))

	cards := netlinktest.New(order, order, 16).Family("devlink", 21)
	handle := append(cards.Text(1, "pci"), cards.Text(2, "0000:c3:00.0")...)
	cards.Record(cards.Generic(21, 3, handle, cards.Attr(136, []byte{1})))
	cards.Record(cards.Generic(21, 51, handle, cards.Text(98, "ice"), cards.Attr(101, cards.Text(103, "fw"), cards.Text(104, "1.2"))))
	cards.Record(cards.Generic(21, 52, handle, cards.Attr(3, cards.U32(0)), cards.Attr(114, cards.Text(115, "tx"), cards.Attr(116, []byte{1}), cards.Attr(117, cards.U64(4)), cards.Attr(118, cards.U64(3)))))

	m, err := open(tarOf(t,
		entry{name: "netlink/route.pcap", data: text(route)},
		entry{name: "netlink/ethtool.pcap", data: text(settings)},
		entry{name: "netlink/devlink.pcap", data: text(cards)},
		entry{name: "cmd/ethtool.txt", data: "Settings for eth0:\n\tSpeed: 100Mb/s\n\tPort: FIBRE\n"},
	), parse.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	validate(t, factsSchema(t), "dumps", m)
	if len(m.Net) != 1 || len(m.Problems) > 0 {
		t.Fatalf("interfaces %+v, problems %v", m.Net, m.Problems)
	}
	i := m.Net[0]
	if i.Device != "0000:c3:00.0" || i.Speed.V != 1000 || i.Errors.V["rx_crc_errors"] != 5 || i.Ethtool.Partner.V[0].Speed != 1000 ||
		i.Ethtool.LinkReason.V != "No cable" || i.Ethtool.Port.V != "FIBRE" || len(i.Conflicts) != 1 || i.Conflicts[0].Value != "100" {
		t.Errorf("%+v %+v", i, i.Ethtool)
	}
	if len(m.Devlink) != 1 || m.Devlink[0].Driver.V != "ice" || !m.Devlink[0].Failed.V || m.Devlink[0].Reporters[0].Errors != 4 {
		t.Errorf("devlink %+v", m.Devlink)
	}
	for _, s := range []string{"netlink-route", "netlink-ethtool", "netlink-devlink", "ethtool"} {
		if !m.Complete(s) {
			t.Errorf("source %s: %+v", s, m.Source(s))
		}
	}
}
