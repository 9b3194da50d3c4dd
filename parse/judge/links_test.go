package judge

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hwcap/parse/fact"
)

// A machine of these tests is a list of functions, each with its parent. Every
// line that a fact stands at is made up, but distinct, so that a test can see
// which ones a finding cites.

var (
	g1x1  = Rate{2.5, 1}
	g2x1  = Rate{5, 1}
	g2x8  = Rate{5, 8}
	g2x16 = Rate{5, 16}
	g3x4  = Rate{8, 4}
	g3x8  = Rate{8, 8}
	g3x16 = Rate{8, 16}
	g4x4  = Rate{16, 4}
	g4x8  = Rate{16, 8}
	g4x16 = Rate{16, 16}
)

type edit func(*fact.Device)

func line(d *fact.Device, what string) fact.Line {
	return fact.Line{File: "cmd/lspci-vvv.txt", Line: 1 + len(d.Address), Text: d.Address + " " + what}
}

// device is a function with a PCI Express capability as lspci prints it.
func device(address, parent, class, id, kind string, can, now Rate, edits ...edit) fact.Device {
	vendor, dev, _ := strings.Cut(id, ":")
	d := fact.Device{Address: address, Parent: parent, Class: class, Vendor: vendor, Device: dev, CapsState: fact.Present}
	d.From = line(&d, "header")
	d.Express = &fact.Express{
		Type:    kind,
		LinkCap: &fact.Link{Speed: can.Speed, Width: can.Width, At: line(&d, "LnkCap")},
		LinkSta: &fact.Link{Speed: now.Speed, Width: now.Width, At: line(&d, "LnkSta")},
		At:      line(&d, "Express"),
	}
	for _, e := range edits {
		e(&d)
	}
	return d
}

func rootPort(address string, can, now Rate, edits ...edit) fact.Device {
	return device(address, "", "0604", "8086:347a", fact.RootPort, can, now, edits...)
}

func upstream(address, parent string, can, now Rate, edits ...edit) fact.Device {
	return device(address, parent, "0604", "10b5:8724", fact.UpstreamPort, can, now, edits...)
}

func downstream(address, parent string, can, now Rate, edits ...edit) fact.Device {
	return device(address, parent, "0604", "10b5:8724", fact.DownstreamPort, can, now, edits...)
}

func endpoint(address, parent, class, id string, can, now Rate, edits ...edit) fact.Device {
	return device(address, parent, class, id, fact.Endpoint, can, now, edits...)
}

func ids(id string) edit {
	return func(d *fact.Device) { d.Vendor, d.Device, _ = strings.Cut(id, ":") }
}

// noIDs leaves only the words that lspci prints without -nn, and the class that
// its reader makes of them.
func noIDs(class, className, name string) edit {
	return func(d *fact.Device) {
		d.Class, d.Vendor, d.Device, d.ClassName, d.Name = class, "", "", className, name
	}
}

// inSlot gives a port a slot: Slot+, its number, and whether something is
// detected there.
func inSlot(number int, present bool) edit {
	return func(d *fact.Device) {
		yes := true
		d.Express.Slot, d.Express.SlotNumber = &yes, &number
		d.Express.SlotSta = &fact.SlotSta{PresDet: present, At: line(d, "SltSta")}
	}
}

func hotPlug(d *fact.Device) { d.Express.HotPlug = fact.Of(true, line(d, "SltCap")) }

// latch gives the slot a sensor at its retention latch.
func latch(open bool) edit {
	return func(d *fact.Device) {
		d.Express.MRLSensor = fact.Of(true, line(d, "SltCap"))
		d.Express.SlotSta.MRL = open
	}
}

// reports gives a port LLActRep+, and DLActive as told.
func reports(active bool) edit {
	return func(d *fact.Device) {
		d.Express.DLActiveReporting = fact.Of(true, line(d, "LLActRep"))
		d.Express.DLActive = fact.Of(active, line(d, "DLActive"))
	}
}

func linkOff(d *fact.Device) {
	d.Express.LinkCtl = &fact.LinkCtl{Disabled: true, At: line(d, "LnkCtl")}
}

func target(speed float64) edit {
	return func(d *fact.Device) { d.Express.LinkCtl2 = &fact.LinkCtl2{Target: speed, At: line(d, "LnkCtl2")} }
}

func power(state string) edit {
	return func(d *fact.Device) { d.Sysfs = &fact.Sysfs{PowerState: fact.Of(state, line(d, "power_state"))} }
}

// noRoot takes the capabilities away, as lspci does without root, and leaves
// the kernel's link files where asked.
func noRoot(files bool) edit {
	return func(d *fact.Device) {
		x := d.Express
		d.Express, d.CapsState = nil, fact.Denied
		if !files || x == nil || x.LinkCap == nil {
			return
		}
		if d.Sysfs == nil {
			d.Sysfs = &fact.Sysfs{}
		}
		d.Sysfs.Max = fact.Of(fact.Link{Speed: x.LinkCap.Speed, Width: x.LinkCap.Width}, line(d, "max_link_speed"))
		d.Sysfs.Current = fact.Of(fact.Link{Speed: x.LinkSta.Speed, Width: x.LinkSta.Width}, line(d, "current_link_speed"))
	}
}

func machine(devices ...fact.Device) *fact.Machine { return &fact.Machine{PCI: devices} }

// but is m with one change.
func but(m *fact.Machine, change func(*fact.Machine)) *fact.Machine { change(m); return m }

func model(name string) func(*fact.Machine) {
	return func(m *fact.Machine) { m.Platform.Model = fact.Of(name, fact.Line{File: "model", Line: 1}) }
}

func slots(s ...fact.Slot) func(*fact.Machine) {
	return func(m *fact.Machine) {
		for i := range s {
			s[i].At = fact.Line{File: "cmd/dmidecode.txt", Line: 10 * (i + 1), Text: s[i].Designation}
			s[i].UsageAt = fact.Line{File: "cmd/dmidecode.txt", Line: 10*(i+1) + 1, Text: s[i].Usage}
		}
		m.Slots = s
	}
}

func source(name string, state fact.State) func(*fact.Machine) {
	return func(m *fact.Machine) {
		m.Sources = append(m.Sources, fact.Source{Name: name, State: state, At: fact.Line{File: "manifest.json", Line: 7}})
	}
}

// samples adds those of one function: its best speed and width, for so many
// seconds, under a load, if there is one.
func samples(address string, best Rate, seconds float64, load ...string) func(*fact.Machine) {
	at := func(n int) fact.Line { return fact.Line{File: "samples/links.jsonl", Line: n, Text: address} }
	top := fact.Sample{T: 1, Speed: best.Speed, Width: best.Width, At: at(3)}
	return func(m *fact.Machine) {
		m.Samples = fact.Of(fact.Samples{
			Command: load, Duration: seconds, At: at(1),
			Ports: []fact.PortSamples{{Address: address, Fastest: top, Widest: top}},
		}, at(1))
	}
}

// rose adds a link that became faster to the samples.
func rose(address string) func(*fact.Machine) {
	return func(m *fact.Machine) {
		slow, fast := fact.Sample{Speed: 2.5, Width: 4}, fact.Sample{T: 1, Speed: 8, Width: 4}
		m.Samples.V.Ports = append(m.Samples.V.Ports, fact.PortSamples{Address: address, Slowest: slow, Fastest: fast, Widest: fast})
	}
}

// exit gives the load of the samples an exit code.
func exit(code int) func(*fact.Machine) {
	return func(m *fact.Machine) {
		source("links", fact.Present)(m)
		m.Sources[len(m.Sources)-1].Exit = &code
	}
}

// driverTable is a graphics driver's table of link states.
func driverTable(rows ...string) func(*fact.Machine) {
	const path = "sys/class/drm/card0/device/pp_dpm_pcie"
	return func(m *fact.Machine) {
		m.Settings = map[string]fact.Val[string]{path: fact.Of(strings.Join(rows, "\n"), fact.Line{File: path, Line: 1, Text: rows[0]})}
	}
}

// retrained is the kernel's message that it lowered the link of pair.
func retrained(what string) func(*fact.Machine) {
	return func(m *fact.Machine) {
		m.Log.Notes = append(m.Log.Notes, fact.Note{
			Kind: "link-retrain", Device: "0000:00:01.0", Fields: map[string]string{"what": what, "speed": "8.0GT/s"},
			At: fact.Line{File: "cmd/dmesg.txt", Line: 90, Text: "retraining non-functional downstream link at 8.0GT/s"},
		})
	}
}

// pair is a root port with one endpoint.
func pair(class, id string, up, down, now Rate, edits ...edit) *fact.Machine {
	return machine(rootPort("0000:00:01.0", up, now, edits...), endpoint("0000:01:00.0", "0000:00:01.0", class, id, down, now))
}

// quickAssist is the path of the reference machine's accelerator.
func quickAssist() []fact.Device {
	return []fact.Device{
		rootPort("0000:c2:02.0", g4x8, g3x8, inSlot(7, true)),
		upstream("0000:c3:00.0", "0000:c2:02.0", g3x8, g3x8),
		downstream("0000:c4:00.0", "0000:c3:00.0", g3x8, g2x8),
		downstream("0000:c4:08.0", "0000:c3:00.0", g3x8, Rate{2.5, 0}),
		endpoint("0000:c5:00.0", "0000:c4:00.0", "0b40", "8086:0435", g2x16, g2x8),
	}
}

// navi is a graphics card with AMD's own switch on it, below port.
func navi(port string, slotCap, slotNow Rate) []fact.Device {
	return []fact.Device{
		upstream("0000:0a:00.0", port, slotCap, slotNow, ids("1002:1478")),
		downstream("0000:0b:00.0", "0000:0a:00.0", g4x16, g4x16, ids("1002:1479")),
		endpoint("0000:0c:00.0", "0000:0b:00.0", "0300", "1002:747e", g4x16, g4x16),
		endpoint("0000:0c:00.1", "0000:0b:00.0", "0403", "1002:ab30", g4x16, g4x16),
	}
}

// situations are the machines that the rules are tried on, and what the rules
// must say: "rule/case" by subject.
var situations = []struct {
	name    string
	machine *fact.Machine
	want    map[string][]string
}{
	{
		"link at full capability", pair("0108", "144d:a808", g3x4, g3x4, g3x4),
		map[string][]string{"0000:01:00.0": {"pcie-link-speed/full", "pcie-link-width/full"}},
	},
	{
		"card is the limit in width and speed (X710)", pair("0200", "8086:1572", g4x16, g3x8, g3x8),
		map[string][]string{"0000:01:00.0": {"pcie-link-width/card-limit"}},
	},
	{
		"graphics card in a slot of four lanes (C17)", pair("0300", "1002:699f", g3x4, g3x16, g3x4),
		map[string][]string{"0000:01:00.0": {"pcie-link-speed/full", "pcie-link-width/port-limit"}},
	},
	{
		"port is the limit in speed", pair("0108", "144d:a808", g3x4, g4x4, g3x4),
		map[string][]string{"0000:01:00.0": {"pcie-link-speed/port-limit", "pcie-link-width/full"}},
	},
	{
		"graphics card at idle (C01)", pair("0300", "10de:2684", g4x16, g4x16, Rate{2.5, 16}),
		map[string][]string{"0000:01:00.0": {"pcie-link-speed/idle", "pcie-link-width/full"}},
	},
	{
		"graphics card that rises under load",
		but(pair("0300", "10de:2684", g4x16, g4x16, Rate{2.5, 16}), samples("0000:01:00.0", g4x16, 30, "load")),
		map[string][]string{"0000:01:00.0": {"pcie-link-speed/reached", "pcie-link-width/full"}},
	},
	{
		"graphics card that rises with nothing but its own work",
		but(pair("0300", "10de:2684", g4x16, g4x16, Rate{2.5, 16}), samples("0000:01:00.0", g4x16, 30)),
		map[string][]string{"0000:01:00.0": {"pcie-link-speed/reached", "pcie-link-width/full"}},
	},
	{
		"graphics card that the port above saw rise",
		but(pair("0300", "10de:2684", g4x16, g4x16, Rate{2.5, 16}), samples("0000:00:01.0", g4x16, 2, "load")),
		map[string][]string{"0000:01:00.0": {"pcie-link-speed/reached", "pcie-link-width/full"}},
	},
	{
		"graphics card whose driver lowers the target at idle",
		but(pair("0300", "10de:2684", g4x16, g4x16, Rate{2.5, 16}, target(2.5)), samples("0000:01:00.0", g4x16, 30, "load")),
		map[string][]string{"0000:01:00.0": {"pcie-link-speed/reached", "pcie-link-width/full"}},
	},
	{
		"graphics card that stays below under load",
		but(pair("0300", "10de:2684", g4x16, g4x16, Rate{2.5, 16}), samples("0000:01:00.0", g3x16, 30, "load")),
		map[string][]string{"0000:01:00.0": {"pcie-link-speed/slow-under-load", "pcie-link-width/full"}},
	},
	{
		"graphics card that stays below, and no load ran",
		but(pair("0300", "10de:2684", g4x16, g4x16, Rate{2.5, 16}), samples("0000:01:00.0", Rate{2.5, 16}, 30)),
		map[string][]string{"0000:01:00.0": {"pcie-link-speed/idle", "pcie-link-width/full"}},
	},
	{
		"graphics card that stays below, and the load failed",
		but(but(pair("0300", "10de:2684", g4x16, g4x16, Rate{2.5, 16}), samples("0000:01:00.0", Rate{2.5, 16}, 30, "load")), exit(1)),
		map[string][]string{"0000:01:00.0": {"pcie-link-speed/idle", "pcie-link-width/full"}},
	},
	{
		"graphics card that stays below, and the load was over at once",
		but(but(pair("0300", "10de:2684", g4x16, g4x16, Rate{2.5, 16}), samples("0000:01:00.0", Rate{2.5, 16}, 0.1, "true")), exit(0)),
		map[string][]string{"0000:01:00.0": {"pcie-link-speed/idle", "pcie-link-width/full"}},
	},
	{
		"graphics card beside a load on the network",
		but(pair("0300", "10de:2684", g4x16, g4x16, Rate{2.5, 16}), samples("0000:01:00.0", Rate{2.5, 16}, 30, "timeout", "30", "/usr/bin/iperf3", "-c", "192.0.2.1")),
		map[string][]string{"0000:01:00.0": {"pcie-link-speed/idle", "pcie-link-width/full"}},
	},
	{
		"graphics card that stays low while another link rises",
		but(but(pair("0300", "10de:2684", g4x16, g4x16, Rate{2.5, 16}), samples("0000:01:00.0", Rate{2.5, 16}, 30, "load")), rose("0000:02:00.0")),
		map[string][]string{"0000:01:00.0": {"pcie-link-speed/idle", "pcie-link-width/full"}},
	},
	{
		"graphics card that rises too little while another link rises",
		but(but(pair("0300", "10de:2684", g4x16, g4x16, Rate{2.5, 16}), samples("0000:01:00.0", g3x16, 30, "load")), rose("0000:02:00.0")),
		map[string][]string{"0000:01:00.0": {"pcie-link-speed/slow-under-load", "pcie-link-width/full"}},
	},
	{
		"graphics card that slept through the samples",
		but(pair("0300", "10de:2684", g4x16, g4x16, Rate{2.5, 16}), samples("0000:02:00.0", g4x16, 30, "load")),
		map[string][]string{"0000:01:00.0": {"pcie-link-speed/idle", "pcie-link-width/full"}},
	},
	{
		"graphics card whose samples are lost",
		but(pair("0300", "10de:2684", g4x16, g4x16, g1x1), source("links", fact.Denied)),
		map[string][]string{"0000:01:00.0": {"pcie-link-speed/samples-lost", "pcie-link-width/samples-lost"}},
	},
	{
		"graphics card that rises in what is left of its samples",
		but(but(pair("0300", "10de:2684", g4x16, g4x16, Rate{2.5, 16}), samples("0000:01:00.0", g4x16, 3, "load")), source("links", fact.Truncated)),
		map[string][]string{"0000:01:00.0": {"pcie-link-speed/reached", "pcie-link-width/full"}},
	},
	{
		"graphics card narrow and slow that takes all its lanes under load",
		but(pair("0300", "1002:744c", g4x16, g4x16, Rate{2.5, 8}), samples("0000:01:00.0", g4x16, 30, "load")),
		map[string][]string{"0000:01:00.0": {"pcie-link-speed/reached", "pcie-link-width/reached"}},
	},
	{
		"graphics card narrow and slow that only gets faster under load",
		but(pair("0300", "1002:744c", g4x16, g4x16, Rate{2.5, 8}), samples("0000:01:00.0", g4x8, 30, "load")),
		map[string][]string{"0000:01:00.0": {"pcie-link-speed/reached", "pcie-link-width/narrow"}},
	},
	{
		"graphics card narrow and slow, and no load ran",
		but(pair("0300", "1002:744c", g4x16, g4x16, Rate{2.5, 8}), samples("0000:01:00.0", Rate{2.5, 8}, 30)),
		map[string][]string{"0000:01:00.0": {"pcie-link-speed/idle-narrow", "pcie-link-width/narrow"}},
	},
	{
		"drive that samples saw faster: its snapshot stands",
		but(pair("0108", "144d:a808", g4x4, g4x4, g3x4), samples("0000:01:00.0", g4x4, 30, "load")),
		map[string][]string{"0000:01:00.0": {"pcie-link-speed/slow", "pcie-link-width/full"}},
	},
	{
		"graphics card whose driver knows no faster state (C11)",
		but(pair("0300", "1002:7340", g3x8, g4x8, Rate{2.5, 8}), driverTable("0: 2.5GT/s, x8 81Mhz *", "1: 2.5GT/s, x8 619Mhz")),
		map[string][]string{"0000:01:00.0": {"pcie-link-speed/stuck", "pcie-link-width/full"}},
	},
	{
		"graphics card whose driver knows a faster state",
		but(pair("0300", "1002:7340", g3x8, g4x8, Rate{2.5, 8}), driverTable("0: 2.5GT/s, x8 81Mhz *", "1: 8.0GT/s, x8 619Mhz")),
		map[string][]string{"0000:01:00.0": {"pcie-link-speed/idle", "pcie-link-width/full"}},
	},
	{
		"port told to aim lower by the kernel, which says so",
		but(pair("0108", "144d:a808", g4x4, g4x4, g3x4, target(8)), retrained("quirk")),
		map[string][]string{"0000:01:00.0": {"pcie-link-speed/held", "pcie-link-width/full"}},
	},
	{
		"graphics chip with eight lanes at idle (reference machine)", pair("0300", "10de:2803", g4x16, g4x16, Rate{2.5, 8}),
		map[string][]string{"0000:01:00.0": {"pcie-link-speed/idle", "pcie-link-width/known-wiring"}},
	},
	{
		"graphics chip with eight lanes in a port of eight", pair("0300", "10de:2803", g4x8, g4x16, g4x8),
		map[string][]string{"0000:01:00.0": {"pcie-endpoint-claims-more/claim", "pcie-link-speed/full"}},
	},
	{
		"graphics chip with eight lanes in a port of four", pair("0300", "10de:2803", g4x4, g4x16, g4x4),
		map[string][]string{"0000:01:00.0": {"pcie-link-speed/full", "pcie-link-width/port-limit"}},
	},
	{
		"graphics chip with eight lanes at four of them", pair("0300", "10de:2803", g4x16, g4x16, g4x4),
		map[string][]string{"0000:01:00.0": {"pcie-link-speed/full", "pcie-link-width/narrow"}},
	},
	{
		"accelerator of a graphics vendor at idle", pair("1200", "1002:740f", g4x16, g4x16, Rate{2.5, 16}),
		map[string][]string{"0000:01:00.0": {"pcie-link-speed/idle", "pcie-link-width/full"}},
	},
	{
		"other accelerator too slow", pair("0b40", "8086:37c8", g3x16, g3x16, Rate{2.5, 16}),
		map[string][]string{"0000:01:00.0": {"pcie-link-speed/slow", "pcie-link-width/full"}},
	},
	{
		"drive one generation below (C24)", pair("0200", "15b3:1019", g4x4, g4x4, g3x4),
		map[string][]string{"0000:01:00.0": {"pcie-link-speed/slow", "pcie-link-width/full"}},
	},
	{
		"card too narrow (C20, C21)", pair("0200", "8086:1572", g3x8, g3x8, Rate{8, 4}),
		map[string][]string{"0000:01:00.0": {"pcie-link-speed/full", "pcie-link-width/narrow"}},
	},
	{
		"graphics card narrow and slow", pair("0300", "10de:2684", g4x16, g4x16, g1x1),
		map[string][]string{"0000:01:00.0": {"pcie-link-speed/idle-narrow", "pcie-link-width/narrow"}},
	},
	{
		"port told to aim lower", pair("0108", "144d:a808", g4x4, g4x4, g3x4, target(8)),
		map[string][]string{"0000:01:00.0": {"pcie-link-speed/held", "pcie-link-width/full"}},
	},
	{
		"target above what is reached holds nothing down", pair("0108", "144d:a808", g4x4, g4x4, g3x4, target(16)),
		map[string][]string{"0000:01:00.0": {"pcie-link-speed/slow", "pcie-link-width/full"}},
	},
	{
		"board with one lane (C22)",
		but(pair("0108", "144d:a808", Rate{5, 4}, g3x4, g2x1), model("Raspberry Pi 5 Model B Rev 1.0")),
		map[string][]string{"0000:01:00.0": {"pcie-link-speed/port-limit", "pcie-link-width/board-wiring"}},
	},
	{
		"unknown board with a device tree",
		but(pair("0108", "144d:a808", Rate{5, 4}, g3x4, g2x1), model("Example SBC")),
		map[string][]string{"0000:01:00.0": {"pcie-link-speed/port-limit", "pcie-link-width/board-unknown"}},
	},
	{
		"two graphics cards on split lanes (C05)",
		machine(
			rootPort("0000:00:01.1", g4x16, g4x8), endpoint("0000:01:00.0", "0000:00:01.1", "0300", "10de:2684", g4x16, g4x8),
			rootPort("0000:00:01.2", g4x16, g4x8), endpoint("0000:02:00.0", "0000:00:01.2", "0300", "10de:2704", g4x16, g4x8),
		),
		map[string][]string{
			"0000:01:00.0": {"pcie-link-speed/full", "pcie-link-width/split"},
			"0000:02:00.0": {"pcie-link-speed/full", "pcie-link-width/split"},
		},
	},
	{
		"narrow on an architecture of boards, and no word of which board",
		but(pair("0108", "144d:a808", g3x4, g3x4, Rate{8, 1}), func(m *fact.Machine) { m.Capture.Arch = "aarch64" }),
		map[string][]string{"0000:01:00.0": {"pcie-link-speed/full", "pcie-link-width/port-overstates"}},
	},
	{
		"narrow on a server of that architecture",
		but(pair("0108", "144d:a808", g3x4, g3x4, Rate{8, 1}, ids("19e5:a120")), func(m *fact.Machine) {
			m.Capture.Arch, m.Platform.Product = "aarch64", fact.Of("Example Server", fact.Line{File: "product_name", Line: 1})
		}),
		map[string][]string{"0000:01:00.0": {"pcie-link-speed/full", "pcie-link-width/narrow"}},
	},
	{
		"one lane behind the root port of a Raspberry Pi, and nothing but lspci (C06, C22)",
		pair("0108", "144d:a808", Rate{5, 4}, g3x4, g2x1, ids("14e4:2712")),
		map[string][]string{"0000:01:00.0": {"pcie-link-speed/port-limit", "pcie-link-width/board-wiring"}},
	},
	{
		"the same, printed without ids",
		pair("0108", "144d:a808", Rate{5, 4}, g3x4, g2x1, noIDs("0604", "PCI bridge", "Broadcom Inc. and subsidiaries BCM2712 PCIe Bridge")),
		map[string][]string{"0000:01:00.0": {"pcie-link-speed/port-limit", "pcie-link-width/board-wiring"}},
	},
	{
		"root port of another system on a chip, and nothing but lspci",
		pair("0108", "144d:a808", g3x4, g3x4, Rate{8, 1}, ids("1d87:3588")),
		map[string][]string{"0000:01:00.0": {"pcie-link-speed/full", "pcie-link-width/port-overstates"}},
	},
	{
		"root port of no known chipset, and nothing but lspci",
		pair("0108", "144d:a808", g3x4, g3x4, Rate{8, 1}, ids("1234:5678")),
		map[string][]string{"0000:01:00.0": {"pcie-link-speed/full", "pcie-link-width/port-overstates"}},
	},
	{
		"root port of a chipset, printed without ids",
		pair("0108", "144d:a808", g3x4, g3x4, Rate{8, 1}, noIDs("0604", "PCI bridge", "Intel Corporation Sunrise Point-LP PCI Express Root Port #9")),
		map[string][]string{"0000:01:00.0": {"pcie-link-speed/full", "pcie-link-width/narrow"}},
	},
	{
		"narrow behind the switch of a board: the switch is no system on a chip",
		machine(
			rootPort("0000:00:00.0", g3x4, g3x4, ids("1d87:0100")), upstream("0000:01:00.0", "0000:00:00.0", g3x4, g3x4),
			downstream("0000:02:00.0", "0000:01:00.0", g3x4, Rate{8, 2}), endpoint("0000:03:00.0", "0000:02:00.0", "0108", "144d:a808", g3x4, Rate{8, 2}),
		),
		map[string][]string{
			"0000:01:00.0": {"pcie-link-speed/full", "pcie-link-width/full", "pcie-switch-translates/one"},
			"0000:03:00.0": {"pcie-link-speed/full", "pcie-link-width/narrow", "pcie-path-bottleneck/narrowest"},
		},
	},
	{
		"equal drives are one finding",
		machine(
			rootPort("0000:00:01.1", g4x4, g4x4), endpoint("0000:01:00.0", "0000:00:01.1", "0108", "144d:a824", Rate{16, 8}, g4x4),
			rootPort("0000:00:01.2", g4x4, g4x4), endpoint("0000:02:00.0", "0000:00:01.2", "0108", "144d:a824", Rate{16, 8}, g4x4),
		),
		map[string][]string{
			"0000:01:00.0 0000:02:00.0": {"pcie-endpoint-claims-more/unused", "pcie-link-speed/full"},
		},
	},
	{
		"functions of one card are one link, virtual ones have none",
		but(pair("0200", "8086:1572", g3x8, g3x8, g3x8), func(m *fact.Machine) {
			m.PCI = append(m.PCI,
				endpoint("0000:01:00.1", "0000:00:01.0", "0200", "8086:1572", g3x8, g3x8),
				endpoint("0000:01:00.2", "0000:00:01.0", "0200", "8086:154c", g3x8, Rate{0, 0}, func(d *fact.Device) {
					d.Sysfs = &fact.Sysfs{PhysFn: "0000:01:00.0"}
				}),
				endpoint("0000:01:02.0", "0000:00:01.0", "0200", "8086:154c", g3x8, Rate{0, 0}))
		}),
		map[string][]string{"0000:01:00.0": {"pcie-link-speed/full", "pcie-link-width/full"}},
	},
	{
		"accelerator behind a switch (reference machine)", machine(quickAssist()...),
		map[string][]string{
			"0000:c3:00.0": {"pcie-link-width/full", "pcie-switch-translates/one"},
			"0000:c4:08.0": {"pcie-port-untrained/unused"},
			"0000:c5:00.0": {"pcie-endpoint-claims-more/claim", "pcie-path-bottleneck/narrowest"},
		},
	},
	{
		"nothing behind the switch: the limit of its uplink is a finding of its own",
		machine(rootPort("0000:00:01.0", g4x8, g3x8), upstream("0000:01:00.0", "0000:00:01.0", g3x8, g3x8),
			downstream("0000:02:00.0", "0000:01:00.0", g3x8, Rate{2.5, 0})),
		map[string][]string{
			"0000:01:00.0": {"pcie-link-speed/card-limit", "pcie-link-width/full"},
			"0000:02:00.0": {"pcie-port-untrained/unused"},
		},
	},
	{
		"switch without its ports: the capture lacks what might explain the limit",
		machine(rootPort("0000:00:01.0", g4x8, g3x8), upstream("0000:01:00.0", "0000:00:01.0", g3x8, g3x8)),
		map[string][]string{"0000:01:00.0": {"pcie-link-width/full"}},
	},
	{
		"parts of the board are the limit themselves",
		machine(
			rootPort("0000:00:1c.0", Rate{8, 1}, g1x1), endpoint("0000:01:00.0", "0000:00:1c.0", "0200", "8086:1533", g1x1, g1x1),
			rootPort("0000:00:1c.5", Rate{8, 1}, g2x1), device("0000:02:00.0", "0000:00:1c.5", "0604", "1a03:1150", fact.PCIeToPCI, g2x1, g2x1),
		),
		map[string][]string{
			"0000:01:00.0":              {"pcie-link-width/full"},
			"0000:01:00.0 0000:02:00.0": {"pcie-link-speed/devices-limit"},
			"0000:02:00.0":              {"pcie-link-width/full"},
		},
	},
	{
		"parts of the board with fewer lanes than their ports",
		machine(
			rootPort("0000:00:1c.0", g3x4, g1x1), endpoint("0000:01:00.0", "0000:00:1c.0", "0200", "8086:1533", g1x1, g1x1),
			rootPort("0000:00:1c.5", g3x4, g2x1), device("0000:02:00.0", "0000:00:1c.5", "0604", "1a03:1150", fact.PCIeToPCI, g2x1, g2x1),
		),
		map[string][]string{"0000:01:00.0 0000:02:00.0": {"pcie-link-width/devices-limit"}},
	},
	{
		"two cards in slots that are the limit stay two findings",
		but(machine(
			rootPort("0000:00:1c.0", g3x4, Rate{8, 1}, inSlot(1, true)), endpoint("0000:01:00.0", "0000:00:1c.0", "0200", "8086:1533", Rate{8, 1}, Rate{8, 1}),
			rootPort("0000:00:1c.5", g3x4, Rate{8, 1}, inSlot(2, true)), endpoint("0000:02:00.0", "0000:00:1c.5", "0c03", "1912:0014", Rate{8, 1}, Rate{8, 1}),
		), slots(
			fact.Slot{Designation: "SLOT1", Type: "x4 PCI Express 3", Usage: "In Use", Address: "0000:01:00.0"},
			fact.Slot{Designation: "SLOT2", Type: "x4 PCI Express 3", Usage: "In Use", Address: "0000:02:00.0"},
		)),
		map[string][]string{
			"0000:01:00.0": {"pcie-link-speed/full", "pcie-link-width/card-limit"},
			"0000:02:00.0": {"pcie-link-speed/full", "pcie-link-width/card-limit"},
		},
	},
	{
		"unknown chip behind a switch claims more",
		machine(
			rootPort("0000:00:01.0", g3x8, g3x8), upstream("0000:01:00.0", "0000:00:01.0", g3x8, g3x8),
			downstream("0000:02:00.0", "0000:01:00.0", g3x8, g3x8), endpoint("0000:03:00.0", "0000:02:00.0", "0200", "1234:5678", g3x16, g3x8),
		),
		map[string][]string{
			"0000:01:00.0": {"pcie-link-speed/full", "pcie-link-width/full"},
			"0000:03:00.0": {"pcie-endpoint-claims-more/open", "pcie-link-speed/full", "pcie-path-bottleneck/even"},
		},
	},
	{
		"four network ports behind one uplink (C18)",
		machine(
			rootPort("0000:00:01.0", g3x4, g3x4), upstream("0000:03:00.0", "0000:00:01.0", g3x4, g3x4),
			downstream("0000:04:00.0", "0000:03:00.0", g3x4, g3x4), endpoint("0000:05:00.0", "0000:04:00.0", "0200", "10ec:8125", g3x4, g3x4),
			downstream("0000:04:01.0", "0000:03:00.0", g3x4, g3x4), endpoint("0000:06:00.0", "0000:04:01.0", "0108", "144d:a808", g3x4, g3x4),
		),
		map[string][]string{
			"0000:03:00.0": {"pcie-link-speed/full", "pcie-link-width/full", "pcie-path-bottleneck/shared"},
			"0000:05:00.0": {"pcie-link-speed/full", "pcie-link-width/full"},
			"0000:06:00.0": {"pcie-link-speed/full", "pcie-link-width/full"},
		},
	},
	{
		"uplink wide enough for all",
		machine(
			rootPort("0000:00:01.0", g3x16, g3x16), upstream("0000:03:00.0", "0000:00:01.0", g3x16, g3x16),
			downstream("0000:04:00.0", "0000:03:00.0", g3x4, g3x4), endpoint("0000:05:00.0", "0000:04:00.0", "0200", "10ec:8125", g3x4, g3x4),
			downstream("0000:04:01.0", "0000:03:00.0", g3x4, g3x4), endpoint("0000:06:00.0", "0000:04:01.0", "0108", "144d:a808", g3x4, g3x4),
		),
		map[string][]string{
			"0000:03:00.0": {"pcie-link-speed/full", "pcie-link-width/full", "pcie-path-bottleneck/shared-enough", "pcie-switch-translates/several"},
			"0000:05:00.0": {"pcie-link-speed/full", "pcie-link-width/full"},
			"0000:06:00.0": {"pcie-link-speed/full", "pcie-link-width/full"},
		},
	},
	{
		"graphics card with its own switch in a slower slot (C02)",
		machine(append([]fact.Device{rootPort("0000:00:01.0", g3x16, g3x16)}, navi("0000:00:01.0", g4x16, g3x16)...)...),
		map[string][]string{
			"0000:0a:00.0": {"pcie-link-speed/port-limit", "pcie-link-width/full"},
			"0000:0c:00.0": {"pcie-oncard-switch/constant"},
		},
	},
	{
		"graphics card with its own switch at two lanes (C04)",
		machine(append([]fact.Device{rootPort("0000:00:01.0", g4x16, Rate{16, 2})}, navi("0000:00:01.0", g4x16, Rate{16, 2})...)...),
		map[string][]string{
			"0000:0a:00.0": {"pcie-link-speed/full", "pcie-link-width/narrow"},
			"0000:0c:00.0": {"pcie-oncard-switch/constant"},
		},
	},
	{
		"graphics card with its own switch on a board with one lane (C06)",
		but(machine(append([]fact.Device{rootPort("0000:00:01.0", Rate{5, 4}, g1x1)}, navi("0000:00:01.0", g4x16, g1x1)...)...),
			model("Raspberry Pi 5 Model B Rev 1.0")),
		map[string][]string{
			"0000:0a:00.0": {"pcie-link-speed/idle", "pcie-link-width/board-wiring"},
			"0000:0c:00.0": {"pcie-oncard-switch/constant"},
		},
	},
	{
		"external graphics card behind a tunnel (C08, C09)",
		machine(append([]fact.Device{
			rootPort("0000:00:03.1", g1x1, g1x1, ids("1022:14ef")),
			upstream("0000:04:00.0", "0000:00:03.1", Rate{8, 4}, Rate{2.5, 4}, ids("8086:15ef")),
			downstream("0000:05:01.0", "0000:04:00.0", g3x4, g3x4, ids("8086:15ef")),
		}, navi("0000:05:01.0", g4x16, g3x4)...)...),
		map[string][]string{
			"0000:04:00.0": {"pcie-link-not-assessable/tunnel"},
			"0000:0a:00.0": {"pcie-link-width/port-limit"},
			"0000:0c:00.0": {"pcie-oncard-switch/constant"},
		},
	},
	{
		"laptop with a Thunderbolt controller: wires to it, placeholders inside it (C09)",
		machine(
			rootPort("0000:00:1c.0", Rate{8, 2}, Rate{8, 2}, inSlot(0, true), hotPlug, reports(true)),
			upstream("0000:01:00.0", "0000:00:1c.0", g3x4, Rate{8, 2}, ids("8086:1576")),
			downstream("0000:02:00.0", "0000:01:00.0", Rate{2.5, 4}, Rate{2.5, 4}, ids("8086:1576"), inSlot(1, true)),
			downstream("0000:02:01.0", "0000:01:00.0", Rate{2.5, 4}, Rate{2.5, 4}, ids("8086:1576"), inSlot(2, false), hotPlug, reports(false)),
			downstream("0000:02:02.0", "0000:01:00.0", Rate{2.5, 4}, Rate{2.5, 4}, ids("8086:1576"), inSlot(3, true), hotPlug),
			endpoint("0000:39:00.0", "0000:02:02.0", "0c03", "8086:15b5", Rate{2.5, 4}, Rate{2.5, 4}),
		),
		map[string][]string{
			"0000:01:00.0": {"pcie-link-speed/full", "pcie-link-width/port-limit"},
			"0000:39:00.0": {"pcie-link-not-assessable/tunnel"},
		},
	},
	{
		"dock with a slow network chip behind its controller",
		machine(
			rootPort("0000:00:07.0", Rate{2.5, 4}, Rate{2.5, 4}, ids("8086:9a23")),
			upstream("0000:01:00.0", "0000:00:07.0", g3x4, Rate{2.5, 4}, ids("8086:15ef")),
			downstream("0000:02:00.0", "0000:01:00.0", Rate{8, 1}, g1x1, ids("8086:15ef")),
			endpoint("0000:03:00.0", "0000:02:00.0", "0200", "8086:1533", g1x1, g1x1),
		),
		map[string][]string{
			"0000:01:00.0": {"pcie-link-not-assessable/tunnel"},
			"0000:03:00.0": {"pcie-link-speed/card-limit", "pcie-link-width/full"},
		},
	},
	{
		"network and accelerator inside a chipset, behind its own switch",
		machine(
			rootPort("0000:5d:02.0", g3x8, g3x8, ids("8086:2032")),
			upstream("0000:5e:00.0", "0000:5d:02.0", g3x8, g3x8, ids("8086:37c0")),
			downstream("0000:5f:01.0", "0000:5e:00.0", g1x1, g1x1, ids("8086:37c3")),
			downstream("0000:5f:03.0", "0000:5e:00.0", g1x1, g1x1, ids("8086:37c5")),
			endpoint("0000:60:00.0", "0000:5f:01.0", "0b40", "8086:37c8", g3x16, g1x1),
			endpoint("0000:61:00.0", "0000:5f:03.0", "0200", "8086:37d2", Rate{8, 1}, g1x1),
		),
		map[string][]string{"0000:5e:00.0": {"pcie-link-speed/full", "pcie-link-width/full"}},
	},
	{
		"disk controller inside a processor",
		machine(rootPort("0000:00:08.2", g3x16, g3x16, ids("1022:1635")), endpoint("0000:06:00.0", "0000:00:08.2", "0106", "1022:7901", g3x16, g3x16)),
		map[string][]string{},
	},
	{
		"the same, printed without ids",
		machine(
			rootPort("0000:00:08.2", g3x16, g3x16, noIDs("0604", "PCI bridge", "Advanced Micro Devices, Inc. [AMD] Renoir Internal PCIe GPP Bridge to Bus")),
			endpoint("0000:06:00.0", "0000:00:08.2", "0106", "", g3x16, g3x16),
		),
		map[string][]string{},
	},
	{
		"graphics card with its own switch beside a drive: the slot's figures count for the uplink",
		machine(append([]fact.Device{
			rootPort("0000:00:01.0", g3x16, g3x16), upstream("0000:01:00.0", "0000:00:01.0", g3x16, g3x16),
			downstream("0000:02:00.0", "0000:01:00.0", g3x8, g3x8), downstream("0000:02:01.0", "0000:01:00.0", g3x4, g3x4),
			endpoint("0000:03:00.0", "0000:02:01.0", "0108", "144d:a808", g3x4, g3x4),
		}, navi("0000:02:00.0", g3x8, g3x8)...)...),
		map[string][]string{
			"0000:01:00.0": {"pcie-link-speed/full", "pcie-link-width/full", "pcie-path-bottleneck/shared-enough", "pcie-switch-translates/several"},
			"0000:03:00.0": {"pcie-link-speed/full", "pcie-link-width/full"},
			"0000:0a:00.0": {"pcie-link-speed/full", "pcie-link-width/full"},
			"0000:0c:00.0": {"pcie-oncard-switch/constant"},
		},
	},
	{
		"registers all ones (C13)", pair("0108", "144d:a808", g3x4, Rate{32, 63}, Rate{8, 4}),
		map[string][]string{"0000:01:00.0": {"pcie-link-not-assessable/no-answer"}},
	},
	{
		"lspci marks are not read (C14)",
		but(pair("0200", "10ec:8168", Rate{8, 1}, g1x1, g1x1), func(m *fact.Machine) { m.PCI[0].Express.LinkSta.Note = "downgraded" }),
		map[string][]string{"0000:01:00.0": {"pcie-link-speed/card-limit", "pcie-link-width/full"}},
	},
	{
		"speed unknown to lspci (C15)", pair("0200", "15b3:1021", Rate{0, 16}, Rate{0, 16}, Rate{0, 16}),
		map[string][]string{"0000:01:00.0": {"pcie-link-not-assessable/speed-unknown"}},
	},
	{
		"speed unknown to lspci, known to the kernel (C15)",
		but(pair("0200", "15b3:1021", g4x16, Rate{0, 16}, g4x16), func(m *fact.Machine) {
			m.PCI[1].Sysfs = &fact.Sysfs{Max: fact.Of(fact.Link{Speed: 32, Width: 16}, fact.Line{File: "max_link_speed", Line: 1})}
		}),
		map[string][]string{"0000:01:00.0": {"pcie-link-speed/port-limit", "pcie-link-width/full"}},
	},
	{
		"cold start or warm, a narrow link is a narrow link (C25)", pair("0200", "8086:1563", g3x4, g3x4, Rate{8, 2}),
		map[string][]string{"0000:01:00.0": {"pcie-link-speed/full", "pcie-link-width/narrow"}},
	},
	{
		"slots without a port (C26)",
		but(machine(), slots(
			fact.Slot{Designation: "CPU SLOT2", Type: "x8 PCI Express 4 x16", Usage: "Available", Address: "0000:ff:1f.7"},
			fact.Slot{Designation: "CPU SLOT1", Type: "x8 PCI Express 4 x8", Usage: "Available"},
			fact.Slot{Designation: "PCI1", Type: "32-bit PCI", Usage: "Available"},
		)),
		map[string][]string{"machine": {"pcie-slot-empty/listed-empty"}},
	},
	{
		"empty slot (C27)", machine(rootPort("0000:00:1c.0", g1x1, Rate{2.5, 0}, inSlot(0, false))),
		map[string][]string{"0000:00:1c.0": {"pcie-slot-empty/empty"}},
	},
	{
		"empty slot, link switched off", machine(rootPort("0000:00:1c.0", g1x1, Rate{2.5, 0}, inSlot(3, false), linkOff)),
		map[string][]string{"0000:00:1c.0": {"pcie-slot-empty/empty"}},
	},
	{
		"slot that the firmware lists as used, and nothing there (C27)",
		but(machine(rootPort("0000:00:1c.0", g1x1, Rate{2.5, 0}, inSlot(0, false))),
			slots(fact.Slot{Designation: "PCIE1", Type: "x1 PCI Express", Usage: "In Use", Address: "0000:00:1c.0"})),
		map[string][]string{"0000:00:1c.0": {"pcie-slot-empty/in-use"}},
	},
	{
		"something detected, no link", machine(rootPort("0000:00:1c.0", g3x4, Rate{2.5, 0}, inSlot(2, true), hotPlug)),
		map[string][]string{"0000:00:1c.0": {"pcie-slot-empty/detected"}},
	},
	{
		"something detected, no link, where a port beside it detects nothing",
		machine(rootPort("0000:00:1c.0", g3x4, Rate{2.5, 0}, inSlot(2, true)), rootPort("0000:00:1c.1", g3x4, Rate{2.5, 0}, inSlot(3, false))),
		map[string][]string{
			"0000:00:1c.0": {"pcie-slot-empty/detected"},
			"0000:00:1c.1": {"pcie-slot-empty/empty"},
		},
	},
	{
		"something detected on a board where every port says so",
		machine(rootPort("0000:00:02.1", Rate{8, 1}, g1x1, inSlot(0, true), reports(false)),
			rootPort("0000:00:02.2", Rate{8, 1}, Rate{8, 1}, inSlot(0, true)), endpoint("0000:03:00.0", "0000:00:02.2", "0280", "8086:24fd", Rate{8, 1}, Rate{8, 1})),
		map[string][]string{
			"0000:00:02.1": {"pcie-slot-empty/detection-unclear"},
			"0000:03:00.0": {"pcie-link-speed/full", "pcie-link-width/full"},
		},
	},
	{
		"something detected behind an open latch",
		machine(rootPort("0000:00:01.0", g3x8, g3x8), upstream("0000:01:00.0", "0000:00:01.0", g3x8, g3x8),
			downstream("0000:02:00.0", "0000:01:00.0", g3x4, Rate{8, 0}, inSlot(2, true), hotPlug, latch(true), reports(false)),
			downstream("0000:02:01.0", "0000:01:00.0", g3x4, Rate{2.5, 0}, inSlot(3, false), hotPlug, latch(true), reports(false))),
		map[string][]string{
			"0000:01:00.0": {"pcie-link-speed/full", "pcie-link-width/full"},
			"0000:02:00.0": {"pcie-slot-empty/detected"},
			"0000:02:01.0": {"pcie-slot-empty/empty"},
		},
	},
	{
		"empty slot whose port prints a width", machine(rootPort("0000:00:1c.0", Rate{8, 1}, g1x1, inSlot(0, false), hotPlug, reports(false))),
		map[string][]string{"0000:00:1c.0": {"pcie-slot-empty/empty"}},
	},
	{
		"port without a slot that prints more lanes than it has",
		machine(rootPort("0000:00:03.1", Rate{2.5, 8}, Rate{2.5, 16}, reports(false))),
		map[string][]string{},
	},
	{
		"switch whose empty ports print a width: its one device has the uplink for itself",
		machine(rootPort("0000:00:01.0", g2x1, g2x1), upstream("0000:01:00.0", "0000:00:01.0", g2x1, g2x1),
			downstream("0000:02:01.0", "0000:01:00.0", g2x1, g1x1, reports(false)),
			downstream("0000:02:03.0", "0000:01:00.0", g2x1, g2x1, reports(true)), endpoint("0000:04:00.0", "0000:02:03.0", "0200", "10ec:8125", g2x1, g2x1),
			downstream("0000:02:05.0", "0000:01:00.0", g2x1, g1x1, reports(false))),
		map[string][]string{
			"0000:01:00.0":              {"pcie-link-speed/full", "pcie-link-width/full"},
			"0000:02:01.0 0000:02:05.0": {"pcie-port-untrained/unused"},
			"0000:04:00.0":              {"pcie-link-speed/full", "pcie-link-width/full", "pcie-path-bottleneck/even"},
		},
	},
	{
		"Thunderbolt port with nothing attached is no slot",
		machine(rootPort("0000:00:07.0", Rate{2.5, 4}, Rate{2.5, 0}, inSlot(5, false), hotPlug, ids("8086:9a23"))),
		map[string][]string{},
	},
	{
		"slot list denied",
		but(machine(rootPort("0000:00:1c.0", g1x1, Rate{2.5, 0}, inSlot(0, false))), source("dmidecode", fact.Denied)),
		map[string][]string{"0000:00:1c.0": {"pcie-slot-empty/list-unread"}},
	},
	{
		"port without a slot is left out", machine(rootPort("0000:00:1c.0", g1x1, Rate{2.5, 0})),
		map[string][]string{},
	},
	{
		"switch with several unused ports, one switched off",
		machine(rootPort("0000:00:01.0", g3x8, g3x8), upstream("0000:01:00.0", "0000:00:01.0", g3x8, g3x8),
			downstream("0000:02:00.0", "0000:01:00.0", g3x4, Rate{2.5, 0}, inSlot(9, false)),
			downstream("0000:02:01.0", "0000:01:00.0", g3x4, Rate{2.5, 0}, linkOff)),
		map[string][]string{
			"0000:01:00.0":              {"pcie-link-speed/full", "pcie-link-width/full"},
			"0000:02:00.0 0000:02:01.0": {"pcie-port-untrained/unused"},
		},
	},
	{
		"empty bay of a shelf",
		machine(rootPort("0000:00:01.0", g3x8, g3x8), upstream("0000:01:00.0", "0000:00:01.0", g3x8, g3x8),
			downstream("0000:02:00.0", "0000:01:00.0", g3x4, Rate{2.5, 0}, inSlot(9, false), hotPlug)),
		map[string][]string{
			"0000:01:00.0": {"pcie-link-speed/full", "pcie-link-width/full"},
			"0000:02:00.0": {"pcie-slot-empty/empty"},
		},
	},
	{
		"virtual machine by its ports (C29)",
		machine(rootPort("0000:00:01.0", Rate{16, 32}, g1x1, ids("1b36:000c")), endpoint("0000:01:00.0", "0000:00:01.0", "0300", "10de:2684", g4x16, g1x1)),
		map[string][]string{"machine": {"pcie-link-not-assessable/virtual-machine"}},
	},
	{
		"virtual machine with an old chipset, and no PCI Express in it",
		machine(
			fact.Device{Address: "0000:00:00.0", Class: "0600", Vendor: "8086", Device: "1237", SubVendor: "1af4", SubDevice: "1100"},
			fact.Device{Address: "0000:00:03.0", Class: "0200", Vendor: "1af4", Device: "1000", CapsState: fact.Present},
		),
		map[string][]string{},
	},
	{
		"virtual machine with an old chipset, and a card passed through",
		machine(
			fact.Device{Address: "0000:00:00.0", Class: "0600", Vendor: "8086", Device: "7190", SubVendor: "15ad", SubDevice: "1976"},
			rootPort("0000:00:15.0", Rate{5, 32}, Rate{5, 32}), endpoint("0000:03:00.0", "0000:00:15.0", "0200", "8086:1572", g3x8, Rate{5, 8}),
		),
		map[string][]string{"machine": {"pcie-link-not-assessable/virtual-machine"}},
	},
	{
		"capabilities read, and none of PCI Express among them",
		machine(
			fact.Device{Address: "0000:00:00.0", Class: "0600", Vendor: "8086", Device: "7190"},
			fact.Device{Address: "0000:00:01.0", Class: "0604", Vendor: "8086", Device: "7191"},
			fact.Device{Address: "0000:01:00.0", Parent: "0000:00:01.0", Class: "0300", Vendor: "1002", Device: "5046", CapsState: fact.Present},
		),
		map[string][]string{},
	},
	{
		"nothing but a list of devices",
		machine(
			fact.Device{Address: "0000:00:01.0", Class: "0604", Vendor: "8086", Device: "347a"},
			fact.Device{Address: "0000:01:00.0", Class: "0300", Vendor: "10de", Device: "2684"},
		),
		map[string][]string{"machine": {"pcie-link-width/no-registers"}},
	},
	{
		"a list of a few devices, without bridges",
		machine(fact.Device{Address: "0000:01:00.0", Class: "0300", Vendor: "10de", Device: "2684"}),
		map[string][]string{},
	},
	{
		"virtual machine by its processor",
		but(pair("0200", "8086:1572", g3x8, g3x8, g1x1), func(m *fact.Machine) {
			m.Platform.Hypervisor = fact.Of("KVM", fact.Line{File: "proc/cpuinfo", Line: 19})
		}),
		map[string][]string{"machine": {"pcie-link-not-assessable/virtual-machine"}},
	},
	{
		"virtual machine by its log",
		but(pair("0200", "8086:1572", g3x8, g3x8, g1x1), func(m *fact.Machine) {
			m.Log.Notes = append(m.Log.Notes, fact.Note{Kind: "hypervisor", Fields: map[string]string{"name": "KVM"}, At: fact.Line{File: "cmd/dmesg.txt", Line: 7}})
		}),
		map[string][]string{"machine": {"pcie-link-not-assessable/virtual-machine"}},
	},
	{
		"virtual machine by its DMI",
		but(pair("0200", "8086:1572", g3x8, g3x8, g1x1), func(m *fact.Machine) {
			m.Platform.Vendor = fact.Of("Amazon EC2", fact.Line{File: "sys/class/dmi/id/sys_vendor", Line: 1})
			m.Platform.Product = fact.Of("m7i.large", fact.Line{File: "sys/class/dmi/id/product_name", Line: 1})
		}),
		map[string][]string{"machine": {"pcie-link-not-assessable/virtual-machine"}},
	},
	{
		"rented bare metal is no virtual machine",
		but(pair("0200", "8086:1572", g3x8, g3x8, g3x8), func(m *fact.Machine) {
			m.Platform.Vendor = fact.Of("Amazon EC2", fact.Line{File: "sys/class/dmi/id/sys_vendor", Line: 1})
			m.Platform.Product = fact.Of("m7i.metal-24xl", fact.Line{File: "sys/class/dmi/id/product_name", Line: 1})
		}),
		map[string][]string{"0000:01:00.0": {"pcie-link-speed/full", "pcie-link-width/full"}},
	},
	{
		"device asleep",
		machine(rootPort("0000:00:01.0", g4x8, Rate{2.5, 8}), endpoint("0000:01:00.0", "0000:00:01.0", "0302", "10de:25a2", g4x8, Rate{2.5, 8}, power("D3cold"))),
		map[string][]string{"0000:01:00.0": {"pcie-link-not-assessable/asleep"}},
	},
	{
		"bridge to conventional PCI is the limit (C31)",
		machine(rootPort("0000:00:01.0", Rate{5, 2}, g1x1), device("0000:01:00.0", "0000:00:01.0", "0604", "104c:8231", fact.PCIeToPCI, g1x1, g1x1),
			fact.Device{Address: "0000:02:00.0", Parent: "0000:01:00.0", Class: "0c03", Vendor: "1033", Device: "0035", CapsState: fact.Present}),
		map[string][]string{"0000:01:00.0": {"pcie-link-width/card-limit"}},
	},
	{
		"integrated endpoint has no link",
		machine(device("0000:00:02.0", "", "0300", "8086:591d", fact.RCiEP, Rate{0, 0}, Rate{0, 0})),
		map[string][]string{},
	},
	{
		"negotiated above what an end offers", pair("0108", "144d:a808", g3x4, g3x4, g4x4),
		map[string][]string{"0000:01:00.0": {"pcie-link-not-assessable/implausible"}},
	},
	{
		"listed, but the link is down", pair("0108", "144d:a808", g3x4, g3x4, Rate{2.5, 0}),
		map[string][]string{"0000:01:00.0": {"pcie-link-not-assessable/implausible"}},
	},
	{
		"text breaks off inside a device",
		but(machine(rootPort("0000:00:01.0", g3x4, g3x4), endpoint("0000:01:00.0", "0000:00:01.0", "0108", "144d:a808", g3x4, g3x4)),
			func(m *fact.Machine) { m.PCI[1].Express.LinkCap, m.PCI[1].Express.LinkSta = nil, nil }),
		map[string][]string{"0000:01:00.0": {"pcie-link-not-assessable/not-read"}},
	},
	{
		"without root, the kernel's files serve",
		machine(rootPort("0000:00:01.0", g4x16, Rate{2.5, 16}, noRoot(true)), endpoint("0000:01:00.0", "0000:00:01.0", "0300", "10de:2684", g4x16, Rate{2.5, 16}, noRoot(true))),
		map[string][]string{"0000:01:00.0": {"pcie-link-speed/idle", "pcie-link-width/full"}},
	},
	{
		"without root and without the kernel's files",
		machine(rootPort("0000:00:01.0", g4x16, g4x16, noRoot(false)), endpoint("0000:01:00.0", "0000:00:01.0", "0300", "10de:2684", g4x16, g4x16, noRoot(false))),
		map[string][]string{"machine": {"pcie-link-width/no-registers"}},
	},
	{
		"printed without ids: graphics card at idle",
		but(pair("", "", g4x16, g4x16, Rate{2.5, 8}, noIDs("0604", "PCI bridge", "Intel Corporation Device 347a")), func(m *fact.Machine) {
			noIDs("0300", "VGA compatible controller", "NVIDIA Corporation AD106 [GeForce RTX 4060 Ti]")(&m.PCI[1])
		}),
		map[string][]string{"0000:01:00.0": {"pcie-link-speed/idle", "pcie-link-width/known-wiring"}},
	},
	{
		"printed without ids: tunnel",
		but(pair("", "", g1x1, g1x1, g1x1, noIDs("0604", "PCI bridge", "Intel Corporation Device 462f")), func(m *fact.Machine) {
			noIDs("0604", "PCI bridge", "Intel Corporation Device 15da")(&m.PCI[1])
			m.PCI[1].Express.Type = fact.UpstreamPort
		}),
		map[string][]string{"0000:01:00.0": {"pcie-link-not-assessable/tunnel"}},
	},
	{
		"machine without PCI Express",
		machine(fact.Device{Address: "0000:00:00.0", Class: "0600", CapsState: fact.Present}),
		map[string][]string{},
	},
	{"no PCI devices in the capture", machine(), map[string][]string{}},
}

// verdicts runs the rules on rates alone.
func verdicts(m *fact.Machine) []Finding {
	var out []Finding
	for _, r := range rateRules {
		for _, f := range r.Judge(m) {
			out = append(out, r.complete(f))
		}
	}
	return out
}

func bySubject(findings []Finding) map[string][]string {
	got := map[string][]string{}
	for _, f := range findings {
		key := strings.Join(f.Subjects, " ")
		got[key] = append(got[key], f.ID+"/"+f.Case)
		slices.Sort(got[key])
	}
	return got
}

func TestLinkSituations(t *testing.T) {
	for _, s := range situations {
		t.Run(s.name, func(t *testing.T) {
			if diff := cmp.Diff(s.want, bySubject(verdicts(s.machine))); diff != "" {
				t.Errorf("findings (-want +got):\n%s", diff)
			}
		})
	}
}

// Each rule declares what it gives: its values are among its keys, and each of
// its keys and cases comes up in some situation.
func TestLinkRulesDeclareWhatTheyGive(t *testing.T) {
	seen := map[string]bool{}
	for _, s := range situations {
		for _, f := range verdicts(s.machine) {
			seen[f.ID+"/"+f.Case] = true
			for k := range f.Values {
				seen[f.ID+"."+k] = true
			}
			if f.Verdict != Unknown && len(f.Evidence) == 0 {
				t.Errorf("%s: %s/%s has no evidence", s.name, f.ID, f.Case)
			}
		}
	}
	for _, r := range rateRules {
		for _, c := range r.Cases {
			if !seen[r.ID+"/"+c.Name] {
				t.Errorf("no situation gives %s/%s", r.ID, c.Name)
			}
			delete(seen, r.ID+"/"+c.Name)
		}
		for _, k := range r.Keys {
			if !seen[r.ID+"."+k] {
				t.Errorf("no situation gives the value %s of %s", k, r.ID)
			}
			delete(seen, r.ID+"."+k)
		}
	}
	for what := range seen {
		t.Errorf("%s is not declared", what)
	}
}

// LinkSituations lends the situations to the test of their wording, which
// stands outside of this package.
func LinkSituations(use func(name string, m *fact.Machine, findings []Finding)) {
	for _, s := range situations {
		use(s.name, s.machine, verdicts(s.machine))
	}
}

// Less in the capture must never give more findings, nor a better verdict.
func TestLinkRulesWithLess(t *testing.T) {
	less := map[string]func(*fact.Machine){
		"lspci gone, with the kernel's files left": func(m *fact.Machine) {
			for i := range m.PCI {
				noRoot(true)(&m.PCI[i])
			}
		},
		"lspci denied": func(m *fact.Machine) {
			for i := range m.PCI {
				noRoot(false)(&m.PCI[i])
			}
		},
		"lspci cut": func(m *fact.Machine) {
			if n := len(m.PCI); n > 0 {
				m.PCI = m.PCI[:n-1]
			}
		},
		"kernel's files gone": func(m *fact.Machine) {
			for i := range m.PCI {
				if s := m.PCI[i].Sysfs; s != nil {
					s.Max, s.Current = fact.Val[fact.Link]{}, fact.Val[fact.Link]{}
				}
			}
		},
		"slot list denied": func(m *fact.Machine) {
			m.Slots = nil
			source("dmidecode", fact.Denied)(m)
		},
		"slot list not there": func(m *fact.Machine) {
			m.Slots = nil
			source("dmidecode", fact.Absent)(m)
		},
		"samples denied": func(m *fact.Machine) {
			m.Samples = fact.Missing[fact.Samples](fact.Denied, fact.Line{})
			m.Sources = slices.DeleteFunc(m.Sources, func(s fact.Source) bool { return s.Name == "links" })
			source("links", fact.Denied)(m)
		},
		"samples cut before the link rose": func(m *fact.Machine) {
			m.Samples.V.Ports = nil
			m.Sources = slices.DeleteFunc(m.Sources, func(s fact.Source) bool { return s.Name == "links" })
			source("links", fact.Truncated)(m)
		},
		"driver's table gone": func(m *fact.Machine) { m.Settings = nil },
		"kernel's word on the link gone": func(m *fact.Machine) {
			m.Log.Notes = slices.DeleteFunc(slices.Clone(m.Log.Notes), func(n fact.Note) bool { return n.Kind == "link-retrain" })
		},
		"model denied": func(m *fact.Machine) {
			if m.Platform.Model.Known() {
				m.Platform.Model, m.Capture.Arch = fact.Missing[string](fact.Denied, fact.Line{}), "aarch64"
			}
		},
	}
	for _, s := range situations {
		before := map[string]Finding{}
		for _, f := range verdicts(s.machine) {
			for _, subject := range f.Subjects {
				before[f.ID+" "+subject] = f
			}
		}
		for what, change := range less {
			t.Run(s.name+", "+what, func(t *testing.T) {
				m := clone(s.machine)
				change(m)
				for _, f := range verdicts(m) {
					for _, subject := range f.Subjects {
						was := before[f.ID+" "+subject]
						if f.Verdict != Unknown && f.Verdict != was.Verdict || f.Severity.Rank() > was.Severity.Rank() {
							t.Errorf("%s/%s of %s is %s %s, was %q %s", f.ID, f.Case, subject, f.Verdict, f.Severity, was.Verdict, was.Severity)
						}
					}
				}
			})
		}
	}
}

// clone copies what the changes of a test touch.
func clone(m *fact.Machine) *fact.Machine {
	c := *m
	c.PCI = slices.Clone(m.PCI)
	c.Sources = slices.Clone(m.Sources)
	for i := range c.PCI {
		if x := c.PCI[i].Express; x != nil {
			copied := *x
			c.PCI[i].Express = &copied
		}
		if x := c.PCI[i].Sysfs; x != nil {
			copied := *x
			c.PCI[i].Sysfs = &copied
		}
	}
	return &c
}

func TestRateGBs(t *testing.T) {
	for _, c := range []struct {
		rate Rate
		want float64
	}{
		{Rate{2.5, 1}, 0.25}, {Rate{5, 8}, 4}, {Rate{8, 8}, 7.877}, {Rate{16, 4}, 7.877},
		{Rate{16, 16}, 31.508}, {Rate{32, 16}, 63.015}, {Rate{64, 16}, 118},
	} {
		if got := c.rate.GBs(); got != c.want {
			t.Errorf("%v carries %v GB/s, want %v", c.rate, got, c.want)
		}
	}
}

// pick returns the one finding of rule id on subject.
func pick(t *testing.T, m *fact.Machine, id, subject string) Finding {
	t.Helper()
	for _, f := range verdicts(m) {
		if f.ID == id && slices.Contains(f.Subjects, subject) {
			return f
		}
	}
	t.Fatalf("no finding %s on %s", id, subject)
	return Finding{}
}

func TestPathBehindTheSwitchLiesOnTheCard(t *testing.T) {
	f := pick(t, machine(quickAssist()...), "pcie-path-bottleneck", "0000:c5:00.0")
	want := map[string]any{
		"upper": "0000:c4:00.0", "pathGBs": 4.0, "side": "card", "slot": "", "slotted": true,
		"narrowestUpper": "0000:c4:00.0", "narrowestLower": "0000:c5:00.0", "speedGTs": 5.0, "widthLanes": 8,
		"firstGBs": 7.877, "sharers": []string{}, "sharersGBs": 0.0,
		"hops": []map[string]any{
			{"upper": "0000:c2:02.0", "lower": "0000:c3:00.0", "speedGTs": 8.0, "widthLanes": 8, "gbs": 7.877, "narrowest": false},
			{"upper": "0000:c4:00.0", "lower": "0000:c5:00.0", "speedGTs": 5.0, "widthLanes": 8, "gbs": 4.0, "narrowest": true},
		},
	}
	if diff := cmp.Diff(want, f.Values); diff != "" {
		t.Errorf("values (-want +got):\n%s", diff)
	}
}

// The side needs something that shows where the card begins.
func TestPathSideNeedsAnAnchor(t *testing.T) {
	named := slots(fact.Slot{Designation: "CPU SLOT7 PCI-E 4.0 X8", Type: "x8 PCI Express 4 x8", Usage: "In Use", Address: "0000:c3:00.0"})
	bare := func(m *fact.Machine) { m.PCI[0].Express.Slot = nil }
	onBoard := func(m *fact.Machine) { m.PCI[1].Vendor = "1022" }
	for _, c := range []struct {
		name       string
		change     []func(*fact.Machine)
		side, slot string
	}{
		{"root port with a slot", nil, "card", ""},
		{"slot named by the firmware", []func(*fact.Machine){bare, named}, "card", "CPU SLOT7 PCI-E 4.0 X8"},
		{"nothing shows a slot", []func(*fact.Machine){bare}, "behind", ""},
		{"switch of a chipset", []func(*fact.Machine){onBoard}, "behind", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := machine(quickAssist()...)
			for _, change := range c.change {
				change(m)
			}
			f := pick(t, m, "pcie-path-bottleneck", "0000:c5:00.0")
			if f.Values["side"] != c.side || f.Values["slot"] != c.slot {
				t.Errorf("side %q, slot %q; want %q, %q", f.Values["side"], f.Values["slot"], c.side, c.slot)
			}
		})
	}
}

func TestSwitchTellsWhoseLimitItIs(t *testing.T) {
	f := pick(t, machine(quickAssist()...), "pcie-switch-translates", "0000:c3:00.0")
	for key, want := range map[string]any{
		"inSpeedGTs": 8.0, "inWidthLanes": 8, "inSpeedLimit": "lower", "inWidthLimit": "both",
		"outSpeedGTs": 5.0, "outWidthLanes": 8, "outSpeedLimit": "lower", "outWidthLimit": "upper",
		"port": "0000:c4:00.0", "lower": "0000:c5:00.0",
	} {
		if f.Values[key] != want {
			t.Errorf("%s is %v, want %v", key, f.Values[key], want)
		}
	}
}

// Slot numbers of firmware and register may count different things: they join
// only where they name one slot, and agree on whether something is in it.
func TestSlotByNumber(t *testing.T) {
	free := fact.Slot{Designation: "SLOT3", Type: "x4 PCI Express", Usage: "Available", ID: "3"}
	used := fact.Slot{Designation: "SLOT3", Type: "x4 PCI Express", Usage: "In Use", ID: "3"}
	port := rootPort("0000:00:1c.0", g3x4, Rate{2.5, 0}, inSlot(3, false))
	for _, c := range []struct {
		name string
		m    *fact.Machine
		want string
	}{
		{"number of one slot and one port", but(machine(port), slots(free)), "SLOT3"},
		{"firmware says it is in use", but(machine(port), slots(used)), ""},
		{"two slots of that number", but(machine(port), slots(free, free)), ""},
		{"two ports of that number", but(machine(port, rootPort("0000:00:1d.0", g3x4, g3x4, inSlot(3, true))), slots(free)), ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := pick(t, c.m, "pcie-slot-empty", "0000:00:1c.0").Values["slot"]; got != c.want {
				t.Errorf("slot is %q, want %q", got, c.want)
			}
		})
	}
}

// A finding quotes both ends' capability and the negotiated status, by role.
func TestLinkFindingCitesBothEnds(t *testing.T) {
	f := pick(t, pair("0300", "10de:2684", g4x16, g4x16, Rate{2.5, 16}), "pcie-link-speed", "0000:01:00.0")
	got := map[string]string{}
	for _, e := range f.Evidence {
		got[e.Role] = e.Text
	}
	want := map[string]string{
		"cap": "0000:01:00.0 LnkCap", "upperCap": "0000:00:01.0 LnkCap", "sta": "0000:01:00.0 LnkSta",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("evidence (-want +got):\n%s", diff)
	}
}

// What samples say is cited from them, and why they prove nothing is told.
func TestSamplesAreCited(t *testing.T) {
	card := func(changes ...func(*fact.Machine)) *fact.Machine {
		m := pair("0300", "10de:2684", g4x16, g4x16, Rate{2.5, 16})
		for _, change := range changes {
			change(m)
		}
		return m
	}
	const address = "0000:01:00.0"
	low := Rate{2.5, 16}
	for _, tt := range []struct {
		situation string
		machine   *fact.Machine
		flaw      string
		roles     []string // in order
	}{
		{"without samples", card(), "", []string{"cap", "upperCap", "sta"}},
		{"at full speed", card(samples(address, g4x16, 30, "load")), "", []string{"max", "cap", "upperCap", "sta", "load"}},
		{"below under load", card(samples(address, low, 30, "load")), "", []string{"max", "cap", "upperCap", "sta", "load"}},
		{"below without load", card(samples(address, low, 30)), "none", []string{"max", "cap", "upperCap", "sta", "load"}},
		{"below, the load failed", card(samples(address, low, 30, "load"), exit(7)), "exit", []string{"max", "cap", "upperCap", "sta", "load", "exit"}},
		{"below, the load ended at once", card(samples(address, low, 1, "load"), exit(0)), "short", []string{"max", "cap", "upperCap", "sta", "load"}},
		{"below, the load is one on the network", card(samples(address, low, 30, "iperf3")), "other", []string{"max", "cap", "upperCap", "sta", "load"}},
		{"below, another link rose", card(samples(address, low, 30, "load"), rose("0000:02:00.0")), "elsewhere", []string{"max", "cap", "upperCap", "sta", "load"}},
		{"lost", card(source("links", fact.TimedOut)), "", []string{"cap", "upperCap", "sta", "samples"}},
	} {
		t.Run(tt.situation, func(t *testing.T) {
			f := pick(t, tt.machine, "pcie-link-speed", address)
			var roles []string
			for _, e := range f.Evidence {
				roles = append(roles, e.Role)
			}
			if diff := cmp.Diff(tt.roles, roles); diff != "" || f.Values["loadFlaw"] != tt.flaw {
				t.Errorf("flaw %q, evidence (-want +got):\n%s", f.Values["loadFlaw"], diff)
			}
		})
	}
}

// What explains an empty port is told in the order of what the registers say.
func TestSlotDetection(t *testing.T) {
	shelf := func(edits ...edit) *fact.Machine {
		return machine(rootPort("0000:00:01.0", g3x8, g3x8), upstream("0000:01:00.0", "0000:00:01.0", g3x8, g3x8),
			downstream("0000:02:00.0", "0000:01:00.0", g3x4, Rate{8, 0}, append([]edit{inSlot(2, true), hotPlug}, edits...)...))
	}
	beside := func(m *fact.Machine, now Rate, edits ...edit) *fact.Machine {
		m.PCI = append(m.PCI, downstream("0000:02:01.0", "0000:01:00.0", g3x4, now, append([]edit{hotPlug}, edits...)...))
		return m
	}
	for _, c := range []struct {
		name   string
		m      *fact.Machine
		latch  bool
		others []string
	}{
		{"alone", shelf(), false, []string{}},
		{"latch open", shelf(latch(true)), true, []string{}},
		{"latch closed", shelf(latch(false)), false, []string{}},
		{"latch bit without a sensor", shelf(func(d *fact.Device) { d.Express.SlotSta.MRL = true }), false, []string{}},
		{"latch open, as at an empty slot beside it", beside(shelf(latch(true)), Rate{2.5, 0}, inSlot(3, false), latch(true)), true, []string{"0000:02:01.0"}},
		{"latch open, as at a slot in use beside it", beside(shelf(latch(true)), g3x4, inSlot(3, true), latch(true)), false, []string{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := pick(t, c.m, "pcie-slot-empty", "0000:02:00.0")
			if f.Case != "detected" || f.Values["latchOpen"] != c.latch || !cmp.Equal(f.Values["emptyOthers"], c.others) {
				t.Errorf("case %s, latch open %v, empty beside it %v; want detected, %v, %v",
					f.Case, f.Values["latchOpen"], f.Values["emptyOthers"], c.latch, c.others)
			}
		})
	}
}

// A width that a port prints for a link that is down is told, with the line that
// denies it.
func TestWidthOfALinkThatIsDown(t *testing.T) {
	f := pick(t, machine(rootPort("0000:00:1c.0", Rate{8, 1}, g1x1, inSlot(0, false), reports(false))), "pcie-slot-empty", "0000:00:1c.0")
	var sta []string
	for _, e := range f.Evidence {
		if e.Role == "sta" {
			sta = append(sta, e.Text)
		}
	}
	if diff := cmp.Diff([]string{"0000:00:1c.0 LnkSta", "0000:00:1c.0 DLActive"}, sta); diff != "" || f.Values["printedLanes"] != 1 {
		t.Errorf("%v lanes printed; evidence (-want +got):\n%s", f.Values["printedLanes"], diff)
	}
}

// Slot+ alone makes no slot that a person can reach: soldered chips have it.
func TestSlottedNeedsAName(t *testing.T) {
	card := func(edits ...edit) *fact.Machine {
		return pair("0300", "10de:1c8d", g3x16, g3x16, Rate{2.5, 16}, edits...)
	}
	for _, c := range []struct {
		name string
		m    *fact.Machine
		want bool
	}{
		{"no slot", card(), false},
		{"Slot+", card(inSlot(1, true)), false},
		{"slot that the firmware names", but(card(inSlot(1, true)), slots(fact.Slot{Designation: "PEG", Usage: "In Use", Address: "0000:01:00.0"})), true},
		{"slot that the kernel numbers", but(card(inSlot(1, true), hotPlug), func(m *fact.Machine) { m.PCI[1].Slot = "1" }), false},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := pick(t, c.m, "pcie-link-speed", "0000:01:00.0").Values["slotted"]; got != c.want {
				t.Errorf("slotted %v, want %v", got, c.want)
			}
		})
	}
}

// A driver's table tells something where it is clear whose it is.
func TestDriverTableNeedsItsCard(t *testing.T) {
	m := but(machine(
		rootPort("0000:00:01.0", g3x8, Rate{2.5, 8}), endpoint("0000:01:00.0", "0000:00:01.0", "0300", "1002:7340", g4x8, Rate{2.5, 8}),
		rootPort("0000:00:02.0", g3x8, g3x8), endpoint("0000:02:00.0", "0000:00:02.0", "0300", "1002:73ff", g3x8, g3x8),
	), driverTable("0: 2.5GT/s, x8 81Mhz *"))
	if f := pick(t, m, "pcie-link-speed", "0000:01:00.0"); f.Case != "idle" {
		t.Errorf("case %s with the table of one of two cards, want idle", f.Case)
	}
}

// Of a graphics card with its own switch, the link to the slot counts, not the
// constant behind it.
func TestSharedUplinkCountsTheSlotLink(t *testing.T) {
	m := machine(append([]fact.Device{
		rootPort("0000:00:01.0", g3x8, g3x8), upstream("0000:01:00.0", "0000:00:01.0", g3x8, g3x8),
		downstream("0000:02:00.0", "0000:01:00.0", g3x8, g3x8), downstream("0000:02:01.0", "0000:01:00.0", g3x4, g3x4),
		endpoint("0000:03:00.0", "0000:02:01.0", "0108", "144d:a808", g3x4, g3x4),
	}, navi("0000:02:00.0", g3x8, g3x8)...)...)
	f := pick(t, m, "pcie-path-bottleneck", "0000:01:00.0")
	if got, want := f.Values["sharersGBs"], g3x8.GBs()+g3x4.GBs(); got != want {
		t.Errorf("the sharers carry %v GB/s, want %v", got, want)
	}
}

// A link that is narrow and slow has two findings, and lost lanes alone do not
// explain the speed. That of a graphics card at idle is none.
func TestNarrowAndSlow(t *testing.T) {
	for _, c := range []struct {
		name string
		m    *fact.Machine
		want bool
	}{
		{"narrow", pair("0200", "1d6a:07b1", g4x4, g3x4, Rate{8, 2}), false},
		{"narrow and slow", pair("0200", "1d6a:07b1", g4x4, g3x4, Rate{5, 2}), true},
		{"narrow, a graphics card at idle", pair("0300", "10de:2684", g4x16, g4x16, Rate{2.5, 4}), false},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := pick(t, c.m, "pcie-link-width", "0000:01:00.0")
			if f.Case != "narrow" || f.Values["slowToo"] != c.want {
				t.Errorf("case %s, slow as well: %v, want %v", f.Case, f.Values["slowToo"], c.want)
			}
		})
	}
}
