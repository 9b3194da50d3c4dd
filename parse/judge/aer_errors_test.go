package judge

import (
	"fmt"
	"testing"

	"hwcap/parse/fact"
)

// rows are n entries of rasdaemon's database a minute apart, from day on.
func rows(n int, day, device, severity, message string) func(*fact.Machine) {
	return func(m *fact.Machine) {
		s := fact.RASSection{Name: "aer", At: lineAt("cmd/ras-mc-ctl-errors.txt", 3, "PCIe AER events:")}
		for i := range n {
			text := fmt.Sprintf("%d %s 18:%02d:11 +0200 %s %s error: %s", i+1, day, i, device, severity, message)
			s.Rows = append(s.Rows, fact.RASEvent{
				Count: 1, Time: fmt.Sprintf("%s 18:%02d:11 +0200", day, i), Device: device, Severity: severity, Message: message,
				At: lineAt("cmd/ras-mc-ctl-errors.txt", 4+i, text),
			})
		}
		m.RAS.Errors = rasText(s)
	}
}

// counted sets a sysfs counter of a function.
func counted(address, severity string, n int64, bits ...string) func(*fact.Machine) {
	return func(m *fact.Machine) {
		s := m.Device(address).Sysfs
		switch severity {
		case "corrected":
			s.AERCorrectable = counterFile(address, "correctable", n, bits...)
		case "nonfatal":
			s.AERNonFatal = counterFile(address, "nonfatal", n, bits...)
		case "fatal":
			s.AERFatal = counterFile(address, "fatal", n, bits...)
		}
	}
}

// logged adds a group of log lines: seconds since boot of the first and last.
func logged(device, severity string, n int, first, last float64, kinds ...string) func(*fact.Machine) {
	return func(m *fact.Machine) {
		m.Log.AER = append(m.Log.AER, fact.AEREvent{
			Device: device, Root: "0000:c2:05.0", Severity: severity, Kinds: kinds, Count: n, First: &first, Last: &last,
			At: []fact.Line{lineAt("cmd/dmesg.txt", 500+len(m.Log.AER), device+" "+severity)}, LastAt: lineAt("cmd/dmesg.txt", 700, device),
		})
	}
}

func untimed(m *fact.Machine) {
	for i := range m.Log.AER {
		m.Log.AER[i].First, m.Log.AER[i].Last = nil, nil
	}
}

func bootBefore(m *fact.Machine) {
	for i := range m.Log.AER {
		m.Log.AER[i].Boot = -1
	}
}

const (
	port  = "0000:c2:05.0"
	drive = "0000:c7:00.0"
	now   = 3 * 86400.0
)

func TestAERErrors(t *testing.T) {
	fifteen := rows(15, "2026-08-03", port, "Corrected", "Receiver Error")
	play(t, aerErrors, []scene{
		{"burst nine days ago, port active", server(bothPorts, nativeCmdline, fifteen), []string{"burst " + drive, "none machine"}},
		{"burst, but rasdaemon stopped and a reboot since", server(bothPorts, fifteen, daemon("inactive")), []string{"past " + drive, "none machine"}},
		{"burst, but reporting is off in the device", server(bothPorts, fifteen, reportingOff), []string{"past " + drive, "none machine"}},
		{"burst in a log that covers it, without rasdaemon", server(bothPorts, daemon("inactive"), logged(port, "corrected", 40, 100, 160, "RxErr"), counted(port, "corrected", 40, "RxErr")), []string{"burst " + drive}},
		{"burst while pci=noaer hides what follows", server(withCmdline("pci=noaer"), fifteen), []string{"past " + drive, "hidden machine"}},
		{"burst an hour ago", server(bothPorts, logged(port, "corrected", 40, now-3700, now-3600, "BadTLP")), []string{"recent " + drive}},
		{"spread over days", server(bothPorts, logged(drive, "corrected", 60, 3600, now-600, "RxErr")), []string{"ongoing " + drive}},
		{"flood", server(bothPorts, logged(port, "corrected", 90000, now-7200, now, "RxErr", "BadDLLP")), []string{"above-yardstick " + drive}},
		{"flood that only the counter has", server(bothPorts, counted(port, "corrected", 2_000_000, "Timeout")), []string{"above-yardstick " + drive}},
		{"counter without time", server(bothPorts, counted(drive, "corrected", 51, "BadDLLP")), []string{"counted " + drive}},
		{"log without time", server(bothPorts, logged(port, "corrected", 51, 0, 0, "RxErr"), untimed), []string{"counted " + drive}},
		{"in the boot before", server(bothPorts, logged(port, "corrected", 51, 0, 9, "RxErr"), bootBefore), []string{"past " + drive, "none machine"}},
		{"three since boot", server(bothPorts, counted(port, "corrected", 3, "RxErr")), []string{"few " + drive}},
		{"both ends of one link", server(bothPorts, counted(port, "corrected", 2, "RxErr"), counted(drive, "corrected", 2, "Timeout")), []string{"few " + drive}},
		{"unsupported request on resume", server(bothPorts, logged(port, "nonfatal", 1, 50, 50, "UnsupReq")), []string{"nonfatal " + drive}},
		{"advisory error printed twice counts once", server(bothPorts, logged(port, "corrected", 1, 50, 50, "NonFatalErr"), logged(port, "nonfatal", 1, 50.1, 50.1, "UnsupReq")), []string{"few " + drive}},
		{"few lines of a throttled log", server(bothPorts, logged(port, "corrected", 7, 50, 60, "RxErr"), withLog(logNote("callbacks-suppressed", "", "aer_print_error: 94 callbacks suppressed", "function", "aer_print_error", "count", "94")), withoutSource("pci", fact.Denied)), []string{"throttled " + drive}},
		{"a throttled log beside its counters", server(bothPorts, logged(port, "corrected", 7, 50, 60, "RxErr"), counted(port, "corrected", 7, "RxErr"), withLog(logNote("aer-rate-limited", port, "AER: Over 1000 Correctable Errors reported"))), []string{"few " + drive}},
		{"burst in a log that fell silent early", server(bothPorts, logged(port, "corrected", 40, 100, 160, "RxErr"), quietLog), []string{"burst " + drive}},
		{"fatal, details not readable", server(bothPorts, logged(drive, "fatal", 1, 60, 60)), []string{"fatal " + drive}},
		{"fatal in sysfs", server(bothPorts, counted(port, "fatal", 1, "MalfTLP")), []string{"fatal " + drive}},
		{"virtual function", server(bothPorts, virtualFunction, counted("0000:c7:00.4", "corrected", 2, "NonFatalErr")), []string{"few " + drive}},
		{"nothing, and reporting is on", server(bothPorts), []string{"none machine"}},
		{"nothing, but pcie_aspm=off", server(bothPorts, withCmdline("pcie_aspm=off")), []string{"hidden machine"}},
		{"nothing, but no port is active", server(), []string{"hidden machine"}},
		{"nothing, but the log is missing", server(bothPorts, withLogState(fact.Denied)), []string{"not-readable machine"}},
		{"nothing, but counters are missing", server(bothPorts, withoutSource("pci", fact.Absent)), []string{"not-readable machine"}},
		{"errors of a port that the list lacks", server(bothPorts, logged("0000:17:01.0", "corrected", 3, 5, 6, "RxErr")), []string{"link-unknown 0000:17:01.0"}},
		{"a log alone", func() *fact.Machine {
			m := bareLog(nil)()
			logged("0000:00:1c.5", "corrected", 3, 5, 6, "RxErr")(m)
			return m
		}, []string{"few 0000:00:1c.5"}},
		{"no PCI and no log", func() *fact.Machine { return &fact.Machine{} }, nil},
	})
}

func daemon(state string) func(*fact.Machine) {
	return func(m *fact.Machine) { m.RAS.Daemon = fact.Of(state, lineAt("cmd/rasdaemon-active.txt", 1, state)) }
}

// quietLog is a machine that logs nothing after the first minutes.
func quietLog(m *fact.Machine) { m.Log.Last = fact.Of(200.0, lineAt("cmd/dmesg.txt", 900, "last")) }

func reportingOff(m *fact.Machine) { m.Device(port).Express.DevCtl = statusBits(209, "CorrErr-") }

func virtualFunction(m *fact.Machine) {
	m.PCI = append(m.PCI, fact.Device{Address: "0000:c7:00.4", Parent: port, Class: "0108", Sysfs: &fact.Sysfs{PhysFn: drive}})
}

// What the burst of the reference machine says.
func TestBurstValues(t *testing.T) {
	m := server(bothPorts, nativeCmdline, rows(15, "2026-08-03", port, "Corrected", "Receiver Error"))()
	f := judgeAERErrors(m)[0]
	for key, want := range map[string]any{
		"correctedCount": 15, "databaseCount": 15, "sysfsCount": 0, "countersKnown": true, "upper": port, "wire": true, "protocol": false,
		"spanSeconds": 840.0, "sameDay": true, "firstTime": "2026-08-03 18:00:11 +0200", "allowedPerHour": 230.0,
	} {
		if f.Values[key] != want {
			t.Errorf("%s is %v, want %v", key, f.Values[key], want)
		}
	}
	if quiet := f.Values["quietSeconds"].(float64); quiet < 9*86400 || quiet > 10*86400 {
		t.Errorf("quiet for %v seconds, want nine days and some hours", quiet)
	}
	if f.Count != 15 {
		t.Errorf("count %d, want 15", f.Count)
	}
}

// A count that rows of earlier boots, the counters and the log share is not
// added up twice.
func TestTallyCounts(t *testing.T) {
	m := server(bothPorts, rows(5, "2026-08-12", port, "Corrected", "Bad TLP"), counted(port, "corrected", 7, "BadTLP"), logged(port, "corrected", 6, 100, 200, "BadTLP"))()
	all, _ := tallies(m)
	if got := all[0].count("corrected"); got != 7 {
		t.Errorf("%d errors of this boot, want 7, what the counter has", got)
	}
	rows(5, "2026-08-01", port, "Corrected", "Bad TLP")(m)
	all, _ = tallies(m)
	if got := all[0].count("corrected"); got != 12 {
		t.Errorf("%d errors with those of an earlier boot, want 12", got)
	}
}

func TestLinkOfError(t *testing.T) {
	m := &fact.Machine{PCI: []fact.Device{
		{Address: "0000:00:01.0", Class: "0604"},
		{Address: "0000:01:00.0", Class: "0604", Parent: "0000:00:01.0"}, // switch
		{Address: "0000:02:00.0", Class: "0604", Parent: "0000:01:00.0"},
		{Address: "0000:03:00.0", Class: "0200", Parent: "0000:02:00.0"},
		{Address: "0000:03:00.1", Class: "0200", Parent: "0000:02:00.0"},
		{Address: "0000:00:1f.0", Class: "0601"},
	}}
	for address, want := range map[string]aerLink{
		"0000:00:01.0": {"0000:01:00.0", "0000:00:01.0"}, // the link below a root port
		"0000:01:00.0": {"0000:01:00.0", "0000:00:01.0"}, // above an upstream port
		"0000:02:00.0": {"0000:03:00.0", "0000:02:00.0"}, // below a downstream port
		"0000:03:00.1": {"0000:03:00.0", "0000:02:00.0"}, // one card, one link
		"0000:00:1f.0": {"0000:00:1f.0", ""},
	} {
		got, ok := linkOfError(m, address)
		if !ok || got != want {
			t.Errorf("link of %s is %v, want %v", address, got, want)
		}
	}
}

func TestRASKinds(t *testing.T) {
	for message, want := range map[string]string{
		"Receiver Error":     "[RxErr]",
		"Bad TLP Bad DLLP":   "[BadTLP BadDLLP]",
		"RELAY_NUM Rollover": "[Rollover]",
		"Unsupported Request TLP Header: 34000000 00000052 00000000 00000000": "[UnsupReq]",
		"Poisoned TLP Egrees Blocked":                                         "[PoisonTLPBlocked]",
		"":                                                                    "[]",
	} {
		if got := fmt.Sprint(rasKinds(message)); got != want {
			t.Errorf("kinds of %q are %s, want %s", message, got, want)
		}
	}
}

// TestSlowCaptureCountsOnce: a machine up for a minute is captured for another
// one; its errors are those of this boot, in all three sources.
func TestSlowCaptureCountsOnce(t *testing.T) {
	m := server(bothPorts, rows(3, "2026-08-12", drive, "Corrected", "Receiver Error"),
		counted(drive, "corrected", 3, "RxErr"), logged(drive, "corrected", 3, 21, 141, "RxErr"))()
	m.Capture.Start, m.Capture.End = "2026-08-12T16:03:00Z", "2026-08-12T16:08:00Z"
	m.Platform.Uptime = fact.Of(190.0, lineAt("proc/uptime", 1, "190.00 1.0"))
	f := aerErrors.Judge(m)
	if len(f) != 1 || f[0].Count != 3 || f[0].Values["spanSeconds"] != 120.0 {
		t.Errorf("count %d, span %v s, want 3 and 120 s", f[0].Count, f[0].Values["spanSeconds"])
	}
}
