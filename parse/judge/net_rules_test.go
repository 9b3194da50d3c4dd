package judge_test

import (
	"fmt"
	"testing"

	"hwcap/parse/fact"
)

func modes(names ...string) []fact.LinkMode {
	var out []fact.LinkMode
	for _, n := range names {
		var speed int
		fmt.Sscanf(n, "%d", &speed)
		out = append(out, fact.LinkMode{Name: n, Speed: speed})
	}
	return out
}

var (
	upTo1G   = modes("10baseT/Full", "100baseT/Full", "1000baseT/Full")
	upTo100M = modes("10baseT/Full", "100baseT/Full")
	upTo10G  = modes("1000baseT/Full", "2500baseT/Full", "10000baseT/Full")
)

// iface adds a port with a link; speed 0: none.
func iface(name, device string, speed int, more ...func(*fact.Interface)) step {
	return func(m *fact.Machine) {
		at := func(file string) fact.Line {
			return place("sys/class/net/"+name+"/"+file, 1, fmt.Sprint(speed))
		}
		n := fact.Interface{Name: name, Device: device, At: at("carrier"), Carrier: fact.Of("0", at("carrier"))}
		if speed > 0 {
			n.Carrier, n.Speed, n.Duplex = fact.Of("1", at("carrier")), fact.Of(speed, at("speed")), fact.Of("full", at("duplex"))
		}
		for _, change := range more {
			change(&n)
		}
		m.Net = append(m.Net, n)
	}
}

// offers gives a port its modes, and those of the other end, nil if not known.
func offers(own, advertised, partner []fact.LinkMode) func(*fact.Interface) {
	return func(n *fact.Interface) {
		at := fact.Line{File: "netlink/ethtool.pcap", Frame: 5, Text: "ethtool LINKMODES " + n.Name}
		n.Ethtool = &fact.Ethtool{Supported: fact.Of(own, at), Advertised: fact.Of(advertised, at), Autoneg: fact.Of(true, at)}
		if partner != nil {
			n.Ethtool.Partner = fact.Of(partner, at)
		}
	}
}

func fixed(n *fact.Interface) { n.Ethtool.Autoneg.V = false }

func kindOf(kind, lower string) func(*fact.Interface) {
	return func(n *fact.Interface) { n.Kind, n.Lower = kind, lower }
}

func nicLink(device, name, state string, times int, text string) step {
	return func(m *fact.Machine) {
		note("nic-link", device, text, "state", state, "interface", name)(m)
		m.Log.Notes[len(m.Log.Notes)-1].Count = times
	}
}

func TestNetLinkSpeed(t *testing.T) {
	const at = "0000:01:00.0"
	card := device(at, "15b3:1015", "0200", "driver") // no rate is known of it
	igc := device(at, "8086:15f3", "0200", "igc")
	down := nicLink(at, "eth0", "down", 1, "igc 0000:01:00.0 eth0: NIC Link is Down")
	up := nicLink(at, "eth0", "up", 1, "igc 0000:01:00.0 eth0: NIC Link is Up 2500 Mbps Full Duplex")
	shifted := note("nic-downshift", "", "RTL8211F Gigabit Ethernet stmmac-0:01: Downshift occurred from negotiated speed 1Gbps to actual speed 100Mbps, check cabling!", "from", "1Gbps", "to", "100Mbps")
	check(t, "net-link-speed", []scene{
		{"as fast as the port can", machine(card, iface("eno1", at, 1000, offers(upTo1G, upTo1G, upTo1G))), "eno1=full"},
		{"W: known of the chip, no modes captured", machine(device("0000:17:00.0", "8086:1572", "0200", "i40e"), iface("enp23s0f0np0", "0000:17:00.0", 10000)), "enp23s0f0np0=full-known"},
		{"below what the chip can", machine(igc, iface("eth0", at, 1000)), "eth0=below-known"},
		{"the other end is the limit", machine(card, iface("eno1", at, 1000, offers(upTo10G, upTo10G, upTo1G))), "eno1=partner-limit"},
		{"the other end is not known", machine(card, iface("eno1", at, 1000, offers(upTo10G, upTo10G, nil))), "eno1=below-own"},
		{"switched off by hand", machine(card, iface("eno1", at, 100, offers(upTo1G, upTo1G, upTo1G), fixed)), "eno1=forced"},
		{"offers less than it can", machine(card, iface("eno1", at, 100, offers(upTo1G, upTo100M, upTo1G))), "eno1=held"},
		{"C33: both offer more", machine(card, iface("eno1", at, 100, offers(upTo1G, upTo1G, upTo1G))), "eno1=below-both"},
		{"C33: the PHY says downshift", machine(iface("eth0", "", 100, offers(upTo1G, upTo1G, upTo1G)), shifted), "eth0=downshift"},
		{"C33: the driver says so in its link line", machine(card, iface("eth0", at, 100, offers(upTo1G, upTo1G, nil)), nicLink(at, "eth0", "up", 1, "r8169 0000:01:00.0 eth0: Link is Up - 100Mbps/Full (downshifted) - flow control off")), "eth0=downshift"},
		{"a downshift that a replug mended", machine(card, iface("eth0", at, 1000, offers(upTo1G, upTo1G, upTo1G)), nicLink(at, "eth0", "up", 1, "Link is Up - 100Mbps/Full (downshifted)"), nicLink(at, "eth0", "up", 1, "Link is Up - 1Gbps/Full")), "eth0=full"},
		{"downshift of one of two ports: whose is not known", machine(iface("eth0", "", 1000, offers(upTo1G, upTo1G, upTo1G)), iface("eth1", "", 1000, offers(upTo1G, upTo1G, upTo1G)), shifted), "eth0=full; eth1=full"},
		{"C35: comes and goes, which pcie-link-flapping tells", machine(igc, iface("eth0", at, 2500), down, up, down, up, down, up, down, up), "eth0=full-known"},
		{"plugged anew once", machine(igc, iface("eth0", at, 2500), down, up), "eth0=full-known"},
		{"modes unread, chip unknown", machine(device(at, "15b3:1015", "0200", "mlx5_core"), iface("eth0", at, 25000)), "eth0=modes-unread"},
		{"a VLAN repeats the port below", machine(card, iface("eno1", at, 1000, offers(upTo1G, upTo1G, upTo1G)), iface("eno1.7", at, 100, offers(upTo1G, upTo1G, upTo1G), kindOf("vlan", "eno1"))), "eno1=full"},
		{"no link", machine(card, iface("eno1", at, 0, offers(upTo1G, upTo1G, nil))), ""},
		{"a virtual function", machine(device(at, "8086:154c", "0200", "iavf", func(d *fact.Device) { d.Sysfs = &fact.Sysfs{PhysFn: "0000:17:00.0"} }), iface("eth0", at, 1000, offers(upTo10G, upTo10G, upTo10G))), ""},
		{"wireless", machine(device(at, "8086:2723", "0280", "iwlwifi"), iface("wlan0", at, 100)), ""},
		{"a virtual machine", machine(guest("QEMU"), device(at, "8086:10d3", "0200", "e1000e"), iface("eth0", at, 100, offers(upTo1G, upTo1G, upTo1G))), ""},
		{"nothing captured", machine(), ""},
	})
	says(t, "net-link-speed", machine(iface("eth0", "", 100, offers(upTo1G, upTo1G, upTo1G)), shifted), []string{"at which end", "cable-test"}, []string{"pcie link is", "wider slot"})
}

// express gives a function the registers of a link, g speed and lanes, now and at
// most.
func express(kind string, speed float64, can, now int) func(*fact.Device) {
	return func(d *fact.Device) {
		n := 400 + len(d.Parent)
		d.Express = &fact.Express{
			Type:    kind,
			LinkCap: &fact.Link{Speed: speed, Width: can, At: place("cmd/lspci-vvv.txt", n, d.Address+" LnkCap")},
			LinkSta: &fact.Link{Speed: speed, Width: now, At: place("cmd/lspci-vvv.txt", n+1, d.Address+" LnkSta")},
		}
	}
}

// nicBehind adds a card of so many ports behind a root port, at a link of that
// speed and width.
func nicBehind(id string, ports int, speed float64, can, now int) step {
	return func(m *fact.Machine) {
		device("0000:16:02.0", "8086:347a", "0604", "pcieport", express(fact.RootPort, speed, can, now))(m)
		for i := range ports {
			device(fmt.Sprint("0000:17:00.", i), id, "0200", "driver", behind("0000:16:02.0"), express(fact.Endpoint, speed, can, now))(m)
		}
	}
}

// iperf attaches a result of iperf3.
func iperf(gbps float64, streams int) step {
	return func(m *fact.Machine) {
		m.Measurements = append(m.Measurements, fact.Measurement{
			Tool: "iperf3", What: "TCP", Operation: "receive", Side: "receiver", Threads: streams,
			BytesPerSecond: fact.Of(gbps*1e9/8, place("attach/iperf3.txt", 40, "[SUM] receiver")), From: place("attach/iperf3.txt", 40, "[SUM] receiver"),
		})
	}
}

func TestNetPCIeHeadroom(t *testing.T) {
	const a, b = "0000:17:00.0", "0000:17:00.1"
	logged := func(available, speed, width string) step {
		return note("bandwidth", a, available+" Gb/s available PCIe bandwidth, limited by "+speed+" PCIe x"+width+" link", "available", available, "limit-speed", speed+" PCIe", "limit-width", width, "limit-device", "0000:00:00.0")
	}
	loggedUp := func(mbps string) step {
		return note("nic-link", a, "NIC Link is Up "+mbps+" Mbps", "state", "up", "speedMbps", mbps)
	}
	machineN := []step{nicBehind("1d6a:07b1", 1, 5, 2, 2), iface("eth1", a, 10000)}
	n := func(more ...step) *fact.Machine { return machine(append(machineN, more...)...) }
	check(t, "net-pcie-headroom", []scene{
		{"W: Gen3 x8 for two ports of 10G", machine(nicBehind("8086:1572", 2, 8, 8, 8), iface("f0", a, 10000), iface("f1", b, 0)), a + "=enough"},
		{"C32: a gigabit port on Gen1 x1", machine(nicBehind("8086:1533", 1, 2.5, 1, 1), iface("eno1", a, 1000)), a + "=enough"},
		{"C32: a 10G port on Gen2 x1", machine(nicBehind("8086:10fb", 1, 5, 1, 1), iface("eth0", a, 10000)), a + "=short"},
		{"C32: the same, measured 3.3 of 4", machine(nicBehind("8086:10fb", 1, 5, 1, 1), iface("eth0", a, 10000), iperf(3.3, 4)), a + "=short-reached"},
		{"C32: a 10G card that runs at 1G there", machine(nicBehind("8086:10fb", 1, 5, 1, 1), iface("eth0", a, 1000)), a + "=enough-now"},
		{"C32: by the log alone", machine(logged("4.000", "5.0 GT/s", "1"), loggedUp("10000")), a + "=short"},
		{"by the log alone, enough", machine(logged("4.000", "5.0 GT/s", "1"), loggedUp("1000")), a + "=enough-now"},
		{"C36: by the log alone, what may be a tunnel", machine(logged("8.000", "2.5 GT/s", "4"), loggedUp("10000")), ""},
		{"C36: behind a tunnel", machine(
			device("0000:00:07.0", "8086:9a23", "0604", "pcieport", express(fact.RootPort, 2.5, 4, 4)),
			device("0000:17:00.0", "1d6a:04c0", "0200", "atlantic", behind("0000:00:07.0"), express(fact.Endpoint, 8, 4, 4)),
			iface("eth0", a, 10000), iperf(0.6, 1)), a + "=not-assessable"},
		{"C13: x63 is no width", machine(nicBehind("8086:1572", 1, 32, 63, 63), iface("f0", a, 10000)), a + "=not-assessable"},
		{"N: 10G on Gen2 x2, 2 to 3 Gbit/s measured", n(iperf(2.2, 16), iperf(3.0, 16)), a + "=short-measured-less"},
		{"N: without a measurement", n(), a + "=short"},
		{"N: the measurement may be another card's", n(iface("eth2", "0000:18:00.0", 10000), device("0000:18:00.0", "1d6a:07b1", "0200", "atlantic", behind("0000:16:03.0"), express(fact.Endpoint, 5, 4, 4)),
			device("0000:16:03.0", "8086:347a", "0604", "pcieport", express(fact.RootPort, 5, 4, 4)), iperf(3, 16)), a + "=short; 0000:18:00.0=enough"},
		{"C36: the link is not what is slow", machine(nicBehind("1d6a:04c0", 1, 8, 4, 4), iface("eth0", a, 10000), iperf(0.6, 1)), a + "=enough; eth0=enough-measured-less"},
		{"as measured as can be", machine(nicBehind("1d6a:04c0", 1, 8, 4, 4), iface("eth0", a, 10000), iperf(9.4, 8)), a + "=enough"},
		{"faster than the port: it ran elsewhere", machine(nicBehind("8086:1533", 1, 2.5, 1, 1), iface("eno1", a, 1000), iperf(20, 1)), a + "=enough"},
		{"C26: a card that is not there is no finding", machine(device("0000:16:02.0", "8086:347a", "0604", "pcieport", express(fact.RootPort, 8, 8, 0))), ""},
		{"no rate known", machine(nicBehind("15b3:1015", 1, 8, 8, 8), iface("f0", a, 0)), ""},
		{"part of the processor", machine(device(a, "8086:37d2", "0200", "i40e", func(d *fact.Device) { d.Express.Type = fact.RCiEP }), iface("eno1", a, 10000)), ""},
		{"a virtual machine", machine(guest("QEMU"), nicBehind("8086:10fb", 1, 2.5, 1, 1), iface("eth0", a, 10000)), ""},
		{"nothing captured", machine(), ""},
	})
	says(t, "net-pcie-headroom", n(iperf(3.0, 16)), []string{"8.0 Gbit/s", "does not explain", "3.00 Gbit/s", "packet headers"}, []string{"the pcie link is the cause", "move the card to a slot with more lanes"})
	says(t, "net-pcie-headroom", machine(nicBehind("8086:1572", 1, 32, 63, 63), iface("f0", a, 10000)), nil, []string{"x63", "1,984"})
	f := judged(t, "net-pcie-headroom", n(iperf(2.2, 16), iperf(3.0, 16)))[0]
	if f.Values["pathGbps"] != 8.0 || f.Values["needGbps"] != 10.0 || f.Values["measuredGbps"] != 3.0 || f.Values["streams"] != 16 {
		t.Errorf("machine N: %v", f.Values)
	}
}
