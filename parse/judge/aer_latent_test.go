package judge

import (
	"slices"
	"testing"

	"hwcap/parse/fact"
)

func deviceStatus(address string, names ...string) func(*fact.Machine) {
	return func(m *fact.Machine) { m.Device(address).Express.DevSta = statusBits(400, names...) }
}

// namedOnly is what lspci 2 prints of AER: that it is there.
func namedOnly(address string) func(*fact.Machine) {
	return func(m *fact.Machine) {
		m.Device(address).AER = &fact.AER{At: lineAt("cmd/lspci-vvv.txt", 420, "Capabilities: [148] Advanced Error Reporting <?>")}
	}
}

func aerStatus(address string, ce, ue []string) func(*fact.Machine) {
	return func(m *fact.Machine) {
		m.Device(address).AER = &fact.AER{CESta: statusBits(410, ce...), UESta: statusBits(411, ue...)}
	}
}

// asleepAs makes lspci or the kernel's file say that the drive saves power.
func asleepAs(state string) func(*fact.Machine) {
	return func(m *fact.Machine) {
		d := m.Device(drive)
		if state == "suspended" {
			d.Sysfs.Runtime = fact.Of(state, lineAt("sys/bus/pci/devices/"+drive+"/power/runtime_status", 1, state))
			return
		}
		d.Power = fact.Of(state, lineAt("cmd/lspci-vvv.txt", 405, "Status: "+state))
	}
}

// fromConfig makes the registers be those of the kernel's files config, without
// lspci.
func fromConfig(m *fact.Machine) {
	loseSource(m, "lspci-vvv", fact.Absent)
	for i := range m.PCI {
		m.PCI[i].Header = "00"
	}
}

func TestLatentBits(t *testing.T) {
	unsupported := []string{"CorrErr+", "NonFatalErr-", "FatalErr-", "UnsupReq+", "AuxPwr+", "TransPend+"}
	play(t, aerLatentBits, []scene{
		{"set by enumeration", server(deviceStatus(port, unsupported...), deviceStatus(drive, unsupported...), aerStatus(drive, []string{"AdvNonFatalErr+"}, []string{"UnsupReq+"})), []string{"harmless " + port + " " + drive}},
		{"receiver error that nobody read", server(deviceStatus(port, "CorrErr+"), aerStatus(port, []string{"RxErr+", "Timeout-"}, nil)), []string{"link " + port}},
		{"link went down", server(deviceStatus(port, "FatalErr+"), aerStatus(port, nil, []string{"SDES+"}), deviceStatus(drive, unsupported...)), []string{"link " + port, "harmless " + drive}},
		{"no answer in time", server(deviceStatus(port, "NonFatalErr+"), aerStatus(port, nil, []string{"CmpltTO+"})), []string{"protocol " + port}},
		{"corrected error of unknown kind, no AER", server(deviceStatus(drive, "CorrErr+"), func(m *fact.Machine) { m.Device(drive).AER = nil }), []string{"corrected " + drive}},
		{"corrected error whose kind was cleared", server(deviceStatus(port, "CorrErr+", "UnsupReq-")), []string{"corrected " + port}},
		{"bits of enumeration whose kind no register tells", server(deviceStatus(drive, unsupported...), func(m *fact.Machine) { m.Device(drive).AER = nil }), []string{"corrected " + drive}},
		{"an unsupported request alone says its kind", server(deviceStatus(drive, "CorrErr-", "UnsupReq+"), func(m *fact.Machine) { m.Device(drive).AER = nil }), []string{"harmless " + drive}},
		{"capability named, registers not printed", server(namedOnly(drive)), []string{"unprinted " + drive}},
		{"capability named, registers not printed, bits set", server(deviceStatus(drive, unsupported...), namedOnly(drive)), []string{"corrected " + drive}},
		{"auxiliary power is no error", server(deviceStatus(drive, "CorrErr-", "AuxPwr+", "TransPend+")), []string{"clear machine"}},
		{"device that reads all ones", server(deviceStatus(drive, "CorrErr+", "FatalErr+"), func(m *fact.Machine) { m.Device(drive).Header = "7f" }), []string{"clear machine"}},
		{"device asleep", server(deviceStatus(drive, "CorrErr+"), aerStatus(drive, []string{"RxErr+"}, nil), asleepAs("D3hot")), []string{"clear machine"}},
		{"device whose driver sent it to sleep", server(deviceStatus(drive, unsupported...), asleepAs("suspended")), []string{"clear machine"}},
		{"bits of another kind than the log has", server(deviceStatus(port, "CorrErr+"), aerStatus(port, []string{"RxErr+", "BadTLP+"}, nil), logged(port, "corrected", 3, 50, 60, "RxErr")), []string{"link " + port}},
		{"bits at the other end than the log has", server(deviceStatus(drive, "CorrErr+"), aerStatus(drive, []string{"RxErr+"}, nil), logged(port, "corrected", 3, 50, 60, "RxErr")), []string{"link " + drive}},
		{"harmless bit that somebody set on purpose", server(aerStatus(drive, nil, []string{"UnsupReq+"}), withLog(injection(drive, "UnsupReq"))), []string{"injected " + drive}},
		{"all clear", server(), []string{"clear machine"}},
		{"without root", server(asUser), []string{"denied machine"}},
		{"lspci missing", server(withoutSource("lspci-vvv", fact.Absent)), []string{"unread machine"}},
		{"bits of which nobody knows whether the function slept", server(deviceStatus(drive, "CorrErr+"), aerStatus(drive, []string{"RxErr+"}, nil), withoutSource("pci", fact.Absent)), []string{"unread machine"}},
		{"lspci missing, where the kernel's files have the registers", server(fromConfig), []string{"clear machine"}},
		{"lspci missing, and the kernel's files cut off", server(fromConfig, withoutSource("pci", fact.Truncated)), []string{"unread machine"}},
		{"lspci cut off", server(deviceStatus(drive, "UnsupReq+"), withoutSource("lspci-vvv", fact.Truncated)), []string{"unread machine"}},
		{"conventional PCI only", server(withoutExpress), nil},
	})
}

// injection is the note of an error that aer_inject made.
func injection(address, bit string) fact.Note {
	return logNote("aer-injected", address, "aer_inject: Injecting errors into device "+address, "bits", bit)
}

// Bits that somebody set on purpose are told as that, apart from others. Only
// the log knows, so machines with graver ones cannot do without it, as the scenes
// must.
func TestInjectedBits(t *testing.T) {
	malformed := aerStatus(drive, nil, []string{"MalfTLP+"})
	into := func(address string) func(*fact.Machine) { return withLog(injection(address, "MalfTLP")) }
	for name, test := range map[string]struct {
		machine func() *fact.Machine
		want    []string
	}{
		"in the drive":                    {server(malformed, into(drive)), []string{"injected info"}},
		"in another function":             {server(malformed, into(port)), []string{"protocol notice"}},
		"beside a real one":               {server(aerStatus(drive, nil, []string{"MalfTLP+", "CmpltTO+"}), into(drive)), []string{"protocol notice", "injected info"}},
		"one that the summary bits had":   {server(malformed, deviceStatus(drive, "FatalErr+"), into(drive)), []string{"protocol notice", "injected info"}},
		"in the boot before":              {server(malformed, into(drive), func(m *fact.Machine) { m.Log.Notes[len(m.Log.Notes)-1].Boot = -1 }), []string{"protocol notice"}},
		"cleared, as the log has it only": {server(into(drive)), []string{"clear "}},
		"reported, with its kind":         {server(malformed, into(drive), logged(drive, "fatal", 1, 50, 60, "MalfTLP")), nil},
	} {
		var got []string
		for _, f := range judgeLatentBits(test.machine()) {
			gave(aerLatentBits, f)
			f = aerLatentBits.complete(f)
			got = append(got, f.Case+" "+string(f.Severity))
			if f.Case == "injected" && !slices.ContainsFunc(f.Evidence, func(e Evidence) bool { return e.Role == "injection" }) {
				t.Errorf("%s: no line of the log is quoted", name)
			}
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
	}
}

// The case of the link explains the bits of the link, whatever else is set.
func TestLinkBitsAreExplainedAlone(t *testing.T) {
	for _, tt := range []struct {
		name string
		ce   []string
		want []string
	}{
		{"link", []string{"RxErr+", "BadTLP+", "AdvNonFatalErr+"}, []string{"BadTLP", "RxErr"}},
		{"harmless", []string{"AdvNonFatalErr+"}, []string{"AdvNonFatalErr"}},
	} {
		f := judgeLatentBits(server(deviceStatus(drive, "CorrErr+", "UnsupReq+"), aerStatus(drive, tt.ce, nil))())[0]
		var got []string
		for _, k := range f.Values["kinds"].([]map[string]any) {
			got = append(got, k["bit"].(string))
		}
		if f.Case != tt.name || !slices.Equal(got, tt.want) {
			t.Errorf("case %s explains %v, want %s, %v", f.Case, got, tt.name, tt.want)
		}
	}
}

// Bits of errors that the log has are not told twice. Without the log they are
// all that speaks of these errors, and are told.
func TestLatentBitsOfLoggedErrors(t *testing.T) {
	set := []func(*fact.Machine){deviceStatus(port, "CorrErr+"), aerStatus(port, []string{"RxErr+"}, nil)}
	if got := judgeLatentBits(server(append(set, logged(port, "corrected", 3, 50, 60, "RxErr"))...)()); len(got) > 0 {
		t.Errorf("with the log: %v", got)
	}
	if got := judgeLatentBits(server(set...)()); len(got) != 1 || got[0].Case != "link" {
		t.Errorf("without the log: %v", got)
	}
}
