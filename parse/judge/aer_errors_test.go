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
		{"corrected, without details", server(bothPorts, logged(port, "corrected", 3, 50, 60)), []string{"few " + drive}},
		{"not corrected, without details", server(bothPorts, logged(port, "nonfatal", 3, 50, 60)), []string{"nonfatal " + drive}},
		{"unsupported request on resume", server(bothPorts, logged(port, "nonfatal", 1, 50, 50, "UnsupReq")), []string{"nonfatal " + drive}},
		{"advisory error printed twice counts once", server(bothPorts, logged(port, "corrected", 1, 50, 50, "NonFatalErr"), logged(port, "nonfatal", 1, 50.1, 50.1, "UnsupReq")), []string{"few " + drive}},
		{"few lines of a throttled log", server(bothPorts, logged(port, "corrected", 7, 50, 60, "RxErr"), withLog(dropped("94")), withoutSource("pci", fact.Denied)), []string{"past " + drive}},
		{"few lines of a throttled log, of two links", server(bothPorts, logged(port, "corrected", 7, 50, 60, "RxErr"), logged("0000:c2:04.0", "corrected", 1, 50, 60, "RxErr"), withLog(dropped("94")), withoutSource("pci", fact.Denied)), []string{"throttled 0000:c2:04.0", "throttled " + drive}},
		{"a log alone whose root port dropped reports", excerpt(logged(drive, "corrected", 7, now-300, now-60, "RxErr"), withLog(logNote("aer-rate-limited", port, "AER: Over 1000 Correctable Errors reported", "count", "1000"))), []string{"ongoing " + drive}},
		{"a log alone that dropped reports", excerpt(logged(drive, "corrected", 7, now-300, now-60, "RxErr"), withLog(dropped("5"), dropped("94"))), []string{"ongoing " + drive}},
		{"few in an excerpt", excerpt(logged(drive, "corrected", 4, now-300, now-60, "RxErr")), []string{"excerpt " + drive}},
		{"few, and the start of the log is lost", server(bothPorts, logged(port, "corrected", 4, 50, 60, "RxErr"), ringWrapped, withoutSource("pci", fact.Denied)), []string{"excerpt " + drive}},
		{"few, and the counters say that it was all", server(bothPorts, logged(port, "corrected", 4, 50, 60, "RxErr"), counted(port, "corrected", 4, "RxErr"), ringWrapped), []string{"few " + drive}},
		{"made on purpose", server(bothPorts, injectedInto(drive, "nonfatal", 1), injectedInto(drive, "corrected", 3)), []string{"injected " + drive}},
		{"made on purpose, in the boot before", server(bothPorts, injectedInto(drive, "fatal", 1), bootBefore), []string{"injected " + drive, "none machine"}},
		{"made on purpose, and one that was not", server(bothPorts, injectedInto(drive, "fatal", 1), logged(drive, "nonfatal", 1, 60, 60, "CmpltTO")), []string{"nonfatal " + drive}},
		{"made on purpose, beside a few", server(bothPorts, injectedInto(drive, "fatal", 1), counted(drive, "corrected", 2, "RxErr")), []string{"few " + drive}},
		{"dated by the time of day", excerpt(logged(drive, "corrected", 51, 0, 0, "RxErr"), dayTimes), []string{"counted " + drive}},
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
		{"a summary without the list", bareRAS(summaryRows("Corrected", "Receiver Error")), []string{"summary-corrected machine"}},
		{"a summary without the list, not corrected", bareRAS(summaryRows("Uncorrected (Non-Fatal)", "BIT21")), []string{"summary-nonfatal machine"}},
		{"a summary without the list, fatal", bareRAS(summaryRows("Uncorrected (Fatal)", "Malformed TLP")), []string{"summary-fatal machine"}},
		{"a summary whose list was lost", server(bothPorts, summaryRows("Uncorrected (Fatal)", "Malformed TLP"), withoutSource("ras-errors", fact.Failed)), []string{"none machine"}},
		{"a log alone", func() *fact.Machine {
			m := bareLog(nil)()
			logged("0000:00:1c.5", "corrected", 3, 5, 6, "RxErr")(m)
			return m
		}, []string{"few 0000:00:1c.5"}},
		{"no PCI and no log", func() *fact.Machine { return &fact.Machine{} }, nil},
	})
}

// summaryRows is what ras-mc-ctl --summary says of PCIe errors.
func summaryRows(severity, message string) func(*fact.Machine) {
	return func(m *fact.Machine) {
		m.RAS.Summary = rasText(fact.RASSection{Name: "aer", At: lineAt("cmd/ras-mc-ctl-summary.txt", 3, "PCIe AER events summary:"),
			Rows: []fact.RASEvent{{Count: 2, Severity: severity, Message: message, At: lineAt("cmd/ras-mc-ctl-summary.txt", 4, "2 "+severity+" errors: "+message)}}})
	}
}

// dropped is a line on reports that the kernel left out.
func dropped(count string) fact.Note {
	return logNote("callbacks-suppressed", "", "aer_print_error: "+count+" callbacks suppressed", "function", "aer_print_error", "count", count)
}

// excerpt is a part of a kernel log opened on its own.
func excerpt(change ...func(*fact.Machine)) func() *fact.Machine {
	return func() *fact.Machine {
		m := bareLog(nil)()
		m.Log.FromBoot, m.Log.Last = fact.Val[bool]{}, fact.Of(now, lineAt("dmesg.txt", 9, "last"))
		for _, c := range change {
			c(m)
		}
		return m
	}
}

func ringWrapped(m *fact.Machine) {
	m.Log.FromBoot = fact.Of(false, lineAt("cmd/dmesg.txt", 1, "later"))
}

// injectedInto adds errors made on purpose, and the lines that say so.
func injectedInto(device, severity string, n int) func(*fact.Machine) {
	return func(m *fact.Machine) {
		logged(device, severity, n, 60, 62)(m)
		m.Log.AER[len(m.Log.AER)-1].Injected = true
		withLog(logNote("aer-injected", device, "aer_inject: Injecting errors "+severity+" into device "+device))(m)
	}
}

// recovery is how a port ends the recovery of what is below it.
func recovery(port, result string) fact.Note {
	return logNote("aer-recovery", port, "pcieport "+port+": AER: device recovery "+result, "result", result)
}

// dayTimes is a log of dmesg -T.
func dayTimes(m *fact.Machine) {
	untimed(m)
	for i := range m.Log.AER {
		m.Log.AER[i].FirstClock, m.Log.AER[i].LastClock = "Thu Feb 29 13:47:22 2024", "Thu Feb 29 15:27:56 2024"
	}
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

// Errors made on purpose are in the counters too. Only the log clears them, so
// this machine cannot do without it, as the scenes must.
func TestInjectedInCounters(t *testing.T) {
	m := server(bothPorts, injectedInto(drive, "nonfatal", 1), injectedInto(drive, "corrected", 3), counted(drive, "corrected", 3, "RxErr"), counted(drive, "nonfatal", 1, "CmpltTO"))()
	f := aerErrors.complete(judgeAERErrors(m)[0])
	if f.Case != "injected" || f.Severity != Info || f.Values["injectedCount"] != 4 || f.Values["sysfsCount"] != 4 {
		t.Errorf("case %s, %s, %v made on purpose, want injected, info, 4", f.Case, f.Severity, f.Values["injectedCount"])
	}
	counted(drive, "nonfatal", 2, "CmpltTO")(m)
	if f = judgeAERErrors(m)[0]; f.Case != "nonfatal" {
		t.Errorf("one error more than were made gives %s, want nonfatal", f.Case)
	}
}

// The numbers of a finding claim no more than the log says.
func TestErrorValues(t *testing.T) {
	tests := map[string]struct {
		machine func() *fact.Machine
		want    map[string]any
	}{
		"the root port lost count": {
			excerpt(logged(drive, "corrected", 4, now-300, now-60, "RxErr"), func(m *fact.Machine) { m.Log.AER[0].Multiple = 3 }),
			map[string]any{"correctedCount": 4, "atLeast": true, "hasRate": false, "spanSeconds": 240.0, "quietSeconds": 60.0, "untilLogEnd": true},
		},
		"dropped reports count": {
			excerpt(logged(drive, "corrected", 7, now-300, now-60, "RxErr"), withLog(dropped("5"), dropped("94"))),
			map[string]any{"correctedCount": 106, "logCount": 7, "atLeast": true, "hasRate": false},
		},
		"a threshold that was passed counts": {
			excerpt(logged(drive, "corrected", 7, now-300, now-60, "RxErr"), withLog(logNote("aer-rate-limited", port, "AER: Over 1000 Correctable Errors reported", "count", "1000"))),
			map[string]any{"correctedCount": 1000, "logCount": 7, "atLeast": true, "hasRate": false},
		},
		"less than an hour has no rate": {
			server(bothPorts, logged(port, "corrected", 241, now-1800, now, "RxErr")),
			map[string]any{"correctedCount": 241, "atLeast": false, "hasRate": false, "overSeconds": 1800.0},
		},
		"hours have a rate": {
			server(bothPorts, logged(port, "corrected", 40, now-4*3600, now-600, "RxErr")),
			map[string]any{"hasRate": true, "perHour": 10.4, "atLeast": false, "untilLogEnd": false},
		},
		"times of day tell the span, not how long ago": {
			excerpt(logged(drive, "corrected", 4, 0, 0, "RxErr"), dayTimes),
			map[string]any{"hasTimes": true, "hasQuiet": false, "spanSeconds": 6034.0, "firstTime": "2024-02-29 13:47:22", "lastTime": "2024-02-29 15:27:56", "sameDay": true},
		},
		"recovery failed": {
			server(bothPorts, logged(drive, "fatal", 1, 60, 60), withLog(recovery(port, "failed"))),
			map[string]any{"fatalCount": 1, "recoveryFailed": true},
		},
		"recovery elsewhere failed": {
			server(bothPorts, logged(drive, "fatal", 1, 60, 60), withLog(recovery("0000:00:01.0", "failed"), recovery(port, "successful"))),
			map[string]any{"recoveryFailed": false},
		},
		"corrected errors need no recovery": {
			server(bothPorts, logged(drive, "corrected", 1, 60, 60, "RxErr"), withLog(recovery(port, "failed"))),
			map[string]any{"recoveryFailed": false},
		},
		"some were made on purpose": {
			server(bothPorts, injectedInto(drive, "corrected", 2), logged(drive, "nonfatal", 1, 60, 60, "CmpltTO")),
			map[string]any{"injectedCount": 2, "correctedCount": 2, "nonFatalCount": 1},
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			f := judgeAERErrors(test.machine())[0]
			for key, want := range test.want {
				if f.Values[key] != want {
					t.Errorf("%s (%s) is %v, want %v", key, f.Case, f.Values[key], want)
				}
			}
		})
	}
}

func TestClockTime(t *testing.T) {
	for text, want := range map[string]string{
		"Thu Feb 29 13:47:22 2024": "2024-02-29 13:47:22", "Mon Feb  5 01:02:03 2024": "2024-02-05 01:02:03",
		"2024-02-29T13:47:22,123456+01:00": "2024-02-29 13:47:22", "2024-02-29T13:47:22+0100": "2024-02-29 13:47:22",
		"Thu 2024-02-29 13:47:22 UTC": "2024-02-29 13:47:22", "Feb29 13:47": "", "Feb 29 13:47:22": "", "": "",
	} {
		got := ""
		if at, ok := clockTime(text); ok {
			got = at.Format("2006-01-02 15:04:05")
		}
		if got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
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
		"BIT21":                       "[ACSViol]",
		"BIT14":                       "[CorrIntErr]",
		"Poisoned TLP Egrees Blocked": "[PoisonTLPBlocked]",
		"":                            "[]",
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
