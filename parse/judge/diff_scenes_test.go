package judge

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hwcap/parse/diff"
	"hwcap/parse/fact"
)

// theHost is a server with a root port and what stands below it, as captured
// after an hour, or a day later in the same boot.
func theHost(change ...func(*fact.Machine)) *fact.Machine {
	m := &fact.Machine{
		Capture: fact.Capture{ID: "host", Host: "host", Boot: "b1", Start: "2026-08-01T10:00:00Z"},
		Log:     fact.Log{State: fact.Present},
		IOMMU:   fact.IOMMU{State: fact.Present},
		Crypto:  fact.Crypto{Proc: fact.Present},
	}
	for _, s := range []string{"lspci-vvv", "pci", "dmi", "proc-version", "proc-cmdline", "proc-modules", "proc-crypto", "proc-uptime", "iommu-groups", "qat", "ras-errors", "edac", "zswap"} {
		m.Sources = append(m.Sources, fact.Source{Name: s, Path: "at/" + s, State: fact.Present, At: spot("manifest.json")})
	}
	m.Capture.Tool = "hwcap"
	p := &m.Platform
	p.Board, p.CPU, p.Kernel, p.OS = text("board"), text("cpu"), text("6.12.1"), text("os")
	p.BIOSVersion, p.Cmdline = text("1.0"), text("root=/dev/sda quiet")
	p.Uptime = fact.Of(3600.0, spot("proc/uptime"))
	p.Modules = fact.Of([]string{"nvme", "i40e"}, spot("proc/modules"))
	m.Settings = map[string]fact.Val[string]{"sys/module/zswap/parameters/enabled": text("N")}
	m.PCI = []fact.Device{
		function("0000:00:01.0", "", "8086", "347a", "0604", fact.RootPort),
		function("0000:01:00.0", "0000:00:01.0", "144d", "a824", "0108", fact.Endpoint),
		function("0000:00:02.0", "", "8086", "347b", "0604", fact.RootPort),
		function("0000:02:00.0", "0000:00:02.0", "8086", "0435", "0b40", fact.Endpoint),
	}
	m.PCI[1].Serial, m.PCI[1].Driver = text("00-01"), "nvme"
	m.PCI[3].Driver = "dh895xcc"
	for i := range m.PCI {
		m.IOMMU.Groups = append(m.IOMMU.Groups, fact.Group{ID: m.PCI[i].Address[5:7], Devices: []fact.Entry{{Name: m.PCI[i].Address, At: spot("iommu")}}})
	}
	m.Crypto.Algorithms = []fact.Algorithm{
		{Name: "cbc(aes)", Driver: "cbc-aes-aesni", Priority: 400, Type: "skcipher", PriorityAt: spot("proc/crypto"), DriverAt: spot("proc/crypto")},
	}
	m.QAT = []fact.QAT{{Address: "0000:02:00.0", Counters: fact.Of([]fact.EngineCount{{Engine: 0, Requests: 10, Responses: 10, At: spot("fw_counters")}}, spot("fw_counters"))}}
	m.RAS.EDAC = fact.Of([]fact.Controller{{ID: "mc0", CE: fact.Of(int64(0), spot("ce_count")), UE: fact.Of(int64(0), spot("ue_count"))}}, spot("edac"))
	m.Net = []fact.Interface{{Name: "eth0", Errors: fact.Of(map[string]int64{}, spot("net"))}}
	for _, c := range change {
		c(m)
	}
	return m
}

func spot(file string) fact.Line { return fact.Line{File: file, Line: 1, Text: "x"} }

func text(s string) fact.Val[string] { return fact.Of(s, spot("file")) }

func function(address, parent, vendor, device, class, kind string) fact.Device {
	end := &fact.Link{Speed: 16, Width: 4, At: spot("lspci")}
	return fact.Device{
		Address: address, Parent: parent, Vendor: vendor, Device: device, Class: class, DriverKnown: true, From: spot("lspci"), Listings: 1,
		Express: &fact.Express{Type: kind, LinkCap: end, LinkSta: end, At: spot("lspci")},
		Sysfs: &fact.Sysfs{
			PowerState:     text("D0"),
			AERCorrectable: fact.Of(fact.Counters{At: map[string]fact.Line{"TOTAL": spot("aer")}}, spot("aer")),
			AERNonFatal:    fact.Of(fact.Counters{At: map[string]fact.Line{"TOTAL": spot("aer")}}, spot("aer")),
			AERFatal:       fact.Of(fact.Counters{At: map[string]fact.Line{"TOTAL": spot("aer")}}, spot("aer")),
		},
	}
}

const (
	diskAt  = "0000:01:00.0"
	accelAt = "0000:02:00.0"
)

// dev changes the device at an address.
func dev(address string, change func(*fact.Device)) func(*fact.Machine) {
	return func(m *fact.Machine) { change(m.Device(address)) }
}

func linked(speed float64, width int) func(*fact.Device) {
	return func(d *fact.Device) { d.Express.LinkSta = &fact.Link{Speed: speed, Width: width, At: spot("lspci")} }
}

func offers(speed float64, width int) func(*fact.Device) {
	return func(d *fact.Device) { d.Express.LinkCap = &fact.Link{Speed: speed, Width: width, At: spot("lspci")} }
}

func renumber(from, to string) func(*fact.Machine) {
	return func(m *fact.Machine) {
		m.Device(from).Address = to
		for i := range m.IOMMU.Groups {
			for j := range m.IOMMU.Groups[i].Devices {
				if e := &m.IOMMU.Groups[i].Devices[j]; e.Name == from {
					e.Name = to
				}
			}
		}
	}
}

func lacking(address string) func(*fact.Machine) {
	return func(m *fact.Machine) {
		m.PCI = slices.DeleteFunc(m.PCI, func(d fact.Device) bool { return d.Address == address })
	}
}

func plus(d fact.Device) func(*fact.Machine) {
	return func(m *fact.Machine) { m.PCI = append(m.PCI, d) }
}

func lost(sources ...string) func(*fact.Machine) {
	return func(m *fact.Machine) {
		for i := range m.Sources {
			if slices.Contains(sources, m.Sources[i].Name) {
				m.Sources[i].State = fact.Denied
			}
		}
	}
}

func errorsOf(of func(*fact.Sysfs) *fact.Val[fact.Counters], n int64) func(*fact.Device) {
	return func(d *fact.Device) {
		*of(d.Sysfs) = fact.Of(fact.Counters{Total: n, Counts: map[string]int64{"X": n}, At: map[string]fact.Line{"TOTAL": spot("aer"), "X": spot("aer")}}, spot("aer"))
	}
}

func correctable(s *fact.Sysfs) *fact.Val[fact.Counters] { return &s.AERCorrectable }
func nonfatal(s *fact.Sysfs) *fact.Val[fact.Counters]    { return &s.AERNonFatal }
func fatal(s *fact.Sysfs) *fact.Val[fact.Counters]       { return &s.AERFatal }

func inDatabase(when, device string) func(*fact.Machine) {
	return func(m *fact.Machine) {
		m.RAS.Errors = fact.Of([]fact.RASSection{{Name: "aer", Rows: []fact.RASEvent{{Count: 1, Time: when, Device: device, Severity: "Corrected", Message: "Receiver Error", At: spot("ras")}}}}, spot("ras"))
	}
}

func rebooted(m *fact.Machine) { m.Capture.Boot, m.Capture.Start = "b2", "2026-08-03T10:00:00Z" }

func answers(requests, responses int64) func(*fact.Machine) {
	return func(m *fact.Machine) {
		m.QAT[0].Counters.V = []fact.EngineCount{{Engine: 0, Requests: requests, Responses: responses, At: spot("fw_counters")}}
	}
}

func grouped(devices ...string) func(*fact.Machine) {
	return func(m *fact.Machine) {
		g := fact.Group{ID: "9"}
		for _, d := range devices {
			g.Devices = append(g.Devices, fact.Entry{Name: d, At: spot("iommu")})
		}
		m.IOMMU.Groups = append(slices.DeleteFunc(m.IOMMU.Groups, func(g fact.Group) bool { return slices.Contains(devices, g.Devices[0].Name) }), g)
	}
}

// TestPairs: what two captures of the host say beyond that it is one machine
// and that all else is the same.
func TestPairs(t *testing.T) {
	type do = func(*fact.Machine)
	gpu := func(d *fact.Device) { d.Class = "0300" }
	other := func(m *fact.Machine) {
		m.Platform.Board, m.Capture.Host, m.Capture.Boot = text("another"), "other", "b2"
	}
	reached := map[string]bool{}
	for name, test := range map[string]struct {
		old, new []do
		want     []string // "id case subject..."; those that are ok are left out
	}{
		"nothing":                        {nil, nil, []string{"diff-machine same machine"}},
		"reversed":                       {[]do{func(m *fact.Machine) { m.Capture.Start = "2026-08-02T10:00:00Z" }}, []do{dev(diskAt, errorsOf(correctable, 3))}, []string{"diff-boot reversed machine"}},
		"counters after a restart":       {[]do{dev(diskAt, errorsOf(correctable, 3))}, []do{rebooted, dev(diskAt, errorsOf(correctable, 5))}, []string{"diff-boot restarted machine"}},
		"no boot, no uptime":             {[]do{func(m *fact.Machine) { m.Capture.Boot, m.Platform.Uptime = "", fact.Val[float64]{} }}, []do{dev(diskAt, errorsOf(correctable, 5))}, []string{"diff-boot unclear machine"}},
		"a drive moved, its bus is free": {nil, []do{renumber(diskAt, "0000:05:00.0")}, []string{"pcie-address-moved moved 0000:05:00.0"}},
		"a drive moved, a card is there": {nil, []do{renumber(diskAt, "0000:05:00.0"), plus(function(diskAt, "0000:00:09.0", "8086", "1572", "0200", fact.Endpoint))}, []string{"pcie-address-moved taken 0000:05:00.0", "diff-devices added " + diskAt}},
		"a drive is gone":                {nil, []do{lacking(diskAt)}, []string{"diff-devices gone " + diskAt}},
		"a drive is missing from a list that was refused": {nil, []do{lacking(diskAt), lost("lspci-vvv", "pci")}, []string{"diff-devices list-cut machine", "diff-sources lacking machine"}},
		"a card is new, the earlier list was refused":     {[]do{lacking(accelAt), lost("lspci-vvv", "pci"), func(m *fact.Machine) { m.QAT = nil }}, nil, []string{"diff-devices list-cut machine", "diff-sources lacking machine"}},
		"another drive in its place":                      {[]do{plus(numberedCard())}, []do{plus(numberedCard()), dev(diskAt, func(d *fact.Device) { d.Serial = text("00-02") })}, []string{"diff-devices replaced " + diskAt}},
		"two of a kind that moved": {
			[]do{plus(plain("0000:03:00.0", "0000:00:03.0")), plus(plain("0000:04:00.0", "0000:00:04.0"))},
			[]do{plus(plain("0000:05:00.0", "0000:00:05.0")), plus(plain("0000:06:00.0", "0000:00:06.0"))},
			[]string{"diff-devices alike 0000:05:00.0 0000:06:00.0"}},
		"fewer lanes":                            {nil, []do{dev(diskAt, linked(16, 2))}, []string{"diff-links narrower " + diskAt}},
		"a lower speed":                          {nil, []do{dev(diskAt, linked(8, 4))}, []string{"diff-links slower " + diskAt}},
		"the port offers less":                   {nil, []do{dev(diskAt, linked(8, 4)), dev("0000:00:01.0", offers(8, 4))}, []string{"diff-links less-offered " + diskAt}},
		"faster":                                 {[]do{dev(diskAt, linked(8, 4))}, nil, []string{"diff-links faster " + diskAt}},
		"a graphics card idles":                  {[]do{dev(accelAt, gpu)}, []do{dev(accelAt, gpu), dev(accelAt, linked(2.5, 4))}, []string{"diff-links idle " + accelAt}},
		"at another port":                        {nil, []do{renumber(diskAt, "0000:02:00.1"), dev("0000:02:00.1", func(d *fact.Device) { d.Address, d.Parent = "0000:07:00.0", "0000:00:03.0" }), dev("0000:07:00.0", linked(8, 4)), plus(function("0000:00:03.0", "", "8086", "347c", "0604", fact.RootPort))}, []string{"pcie-address-moved moved 0000:07:00.0", "diff-devices added 0000:00:03.0", "diff-links elsewhere 0000:07:00.0"}},
		"a sleeping device":                      {nil, []do{dev(diskAt, linked(2.5, 1)), dev(diskAt, func(d *fact.Device) { d.Sysfs.PowerState = text("D3hot") })}, []string{"diff-power changed " + diskAt}},
		"who sleeps is not known":                {nil, []do{dev(diskAt, linked(8, 4)), lost("pci")}, []string{"diff-sources lacking machine"}},
		"corrected errors":                       {[]do{dev(diskAt, errorsOf(correctable, 3))}, []do{dev(diskAt, errorsOf(correctable, 5))}, []string{"aer-errors rising " + diskAt}},
		"uncorrected errors":                     {nil, []do{dev(diskAt, errorsOf(nonfatal, 1))}, []string{"aer-errors rising-nonfatal " + diskAt}},
		"fatal errors":                           {nil, []do{dev("0000:00:01.0", errorsOf(fatal, 1))}, []string{"aer-errors rising-fatal " + diskAt}},
		"a row after the first":                  {nil, []do{rebooted, inDatabase("2026-08-02 10:00:00 +0000", "0000:00:01.0")}, []string{"aer-errors risen " + diskAt, "diff-boot restarted machine"}},
		"a row before the first":                 {nil, []do{rebooted, inDatabase("2026-07-02 10:00:00 +0000", "0000:00:01.0")}, []string{"diff-boot restarted machine"}},
		"a row of an address that changed hands": {nil, []do{rebooted, renumber(diskAt, "0000:05:00.0"), inDatabase("2026-08-02 10:00:00 +0000", diskAt)}, []string{"pcie-address-moved moved 0000:05:00.0", "aer-errors rising-unplaced " + diskAt, "diff-boot restarted machine"}},
		"answers stay away":                      {[]do{answers(10, 9)}, []do{answers(20, 19)}, []string{"qat-counters apart-still " + accelAt}},
		"answers came":                           {[]do{answers(10, 9)}, []do{answers(20, 20)}, nil},
		"the device was started again":           {[]do{answers(100, 90)}, []do{answers(20, 19)}, nil},
		"corrected memory errors":                {nil, []do{func(m *fact.Machine) { m.RAS.EDAC.V[0].CE.V = 4 }}, []string{"diff-counters memory-corrected mc0"}},
		"uncorrected memory errors":              {nil, []do{func(m *fact.Machine) { m.RAS.EDAC.V[0].UE.V = 1 }}, []string{"diff-counters memory-uncorrected mc0"}},
		"errors on the wire":                     {nil, []do{func(m *fact.Machine) { m.Net[0].Errors.V = map[string]int64{"rx_crc_errors": 9, "rx_missed_errors": 4} }}, []string{"diff-counters network eth0"}},
		"no room is no error":                    {nil, []do{func(m *fact.Machine) { m.Net[0].Errors.V = map[string]int64{"rx_dropped": 9, "rx_missed_errors": 4} }}, nil},
		"a group grew":                           {nil, []do{grouped(diskAt, accelAt)}, []string{"diff-iommu together " + diskAt + " " + accelAt}},
		"a group fell apart":                     {[]do{grouped(diskAt, accelAt)}, nil, []string{"diff-iommu apart " + diskAt + " " + accelAt}},
		"the IOMMU is off":                       {nil, []do{func(m *fact.Machine) { m.IOMMU = fact.IOMMU{State: fact.Empty} }}, []string{"diff-iommu off machine"}},
		"the IOMMU is on":                        {[]do{func(m *fact.Machine) { m.IOMMU = fact.IOMMU{State: fact.Empty} }}, nil, []string{"diff-iommu on machine"}},
		"groups were refused":                    {nil, []do{func(m *fact.Machine) { m.IOMMU = fact.IOMMU{State: fact.Denied} }}, nil},
		"another winner":                         {nil, []do{algorithm("cbc-aes-fast", 500)}, []string{"diff-crypto winner cbc(aes)"}},
		"another implementation":                 {nil, []do{algorithm("cbc-aes-slow", 100)}, []string{"diff-crypto changed machine"}},
		"an instance came by use":                {nil, []do{algorithm("cbc(aes-generic)", 100)}, nil},
		"no driver any more":                     {nil, []do{dev(diskAt, func(d *fact.Device) { d.Driver = "" })}, []string{"diff-drivers lost " + diskAt}},
		"another driver":                         {nil, []do{dev(diskAt, func(d *fact.Device) { d.Driver = "vfio-pci" })}, []string{"diff-drivers changed " + diskAt}},
		"drivers are not printed":                {nil, []do{dev(diskAt, func(d *fact.Device) { d.Driver, d.DriverKnown = "", false })}, nil},
		"another kernel":                         {nil, []do{func(m *fact.Machine) { m.Platform.Kernel = text("6.12.2") }}, []string{"diff-kernel changed machine"}},
		"other firmware":                         {nil, []do{func(m *fact.Machine) { m.Platform.BIOSVersion = text("1.1") }}, []string{"diff-firmware changed machine"}},
		"a parameter":                            {nil, []do{func(m *fact.Machine) { m.Platform.Cmdline = text("BOOT_IMAGE=x root=/dev/sda quiet pci=noaer") }}, []string{"diff-cmdline changed machine"}},
		"the file alone":                         {nil, []do{func(m *fact.Machine) { m.Platform.Cmdline = text("BOOT_IMAGE=x root=/dev/sda quiet") }}, nil},
		"a module":                               {nil, []do{func(m *fact.Machine) { m.Platform.Modules = fact.Of([]string{"i40e"}, spot("proc/modules")) }}, []string{"diff-modules changed machine"}},
		"a setting":                              {nil, []do{func(m *fact.Machine) { m.Settings["sys/module/zswap/parameters/enabled"] = text("Y") }}, []string{"diff-settings changed machine"}},
		"two machines":                           {nil, []do{other, dev(accelAt, gpu), plus(function("0000:08:00.0", "", "8086", "1572", "0200", fact.Endpoint))}, []string{"diff-machine different machine", "diff-roles platform machine", "diff-roles graphics machine", "diff-roles network machine", "diff-roles storage machine", "diff-roles accelerator machine"}},
		"two names":                              {[]do{dev(diskAt, func(d *fact.Device) { d.Serial = fact.Val[string]{} })}, []do{func(m *fact.Machine) { m.Capture.Host, m.Capture.Boot = "other", "b2" }}, []string{"diff-machine different-likely machine", "diff-roles platform machine", "diff-roles storage machine", "diff-roles accelerator machine"}},
		"one name":                               {[]do{dev(diskAt, func(d *fact.Device) { d.Serial = fact.Val[string]{} })}, []do{rebooted}, []string{"diff-machine same-likely machine", "diff-boot restarted machine"}},
		"no name":                                {[]do{func(m *fact.Machine) { *m = fact.Machine{PCI: m.PCI[1:2]}; m.PCI[0].Serial = fact.Val[string]{} }}, []do{func(m *fact.Machine) { *m = fact.Machine{PCI: m.PCI[1:2]} }}, []string{"diff-machine unclear machine", "diff-boot unclear machine"}},
	} {
		t.Run(name, func(t *testing.T) {
			p := diff.New(theHost(test.old...), theHost(test.new...))
			var got []string
			for _, f := range Compare(p) {
				reached[f.ID+" "+f.Case] = true
				checkPaired(t, p, f)
				if f.Verdict != OK {
					got = append(got, strings.Join(append([]string{f.ID, f.Case}, f.Subjects...), " "))
				}
			}
			want := test.want
			if !slices.ContainsFunc(want, func(s string) bool { return strings.HasPrefix(s, "diff-machine") }) {
				want = append(want, "diff-machine same machine")
			}
			slices.Sort(want)
			slices.Sort(got)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
	for _, r := range Rules {
		for _, c := range r.Cases {
			if c.Pair && !reached[r.ID+" "+c.Name] {
				t.Errorf("%s: no scene reaches the case %s", r.ID, c.Name)
			}
		}
	}
}

// checkPaired holds a finding on two captures to what every finding owes.
func checkPaired(t *testing.T, p *diff.Pair, f Finding) {
	t.Helper()
	CheckWording(t, p.New, f)
	rule := Rules[slices.IndexFunc(Rules, func(r Rule) bool { return r.ID == f.ID })]
	for key := range f.Values {
		if !slices.Contains(rule.Keys, key) {
			t.Errorf("%s: the key %q is not declared", f.ID, key)
		}
	}
	for _, e := range f.Evidence {
		if e.File == "" || e.Role == "" || e.Capture == "" {
			t.Errorf("%s, case %s: evidence without place, role or capture: %+v", f.ID, f.Case, e)
		}
	}
	if f.Verdict == Problem && len(f.Evidence) == 0 && f.ID != "diff-machine" {
		t.Errorf("%s, case %s: a finding without evidence", f.ID, f.Case)
	}
}

func numberedCard() fact.Device {
	d := function("0000:03:00.0", "0000:00:03.0", "8086", "1572", "0200", fact.Endpoint)
	d.Serial = text("00-09")
	return d
}

func plain(address, parent string) fact.Device {
	return function(address, parent, "144d", "a80a", "0108", fact.Endpoint)
}

func algorithm(driver string, priority int) func(*fact.Machine) {
	return func(m *fact.Machine) {
		m.Crypto.Algorithms = append(m.Crypto.Algorithms, fact.Algorithm{Name: "cbc(aes)", Driver: driver, Priority: priority, Type: "skcipher", PriorityAt: spot("proc/crypto"), DriverAt: spot("proc/crypto")})
	}
}
