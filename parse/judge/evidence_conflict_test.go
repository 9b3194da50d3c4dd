package judge

import (
	"testing"

	"hwcap/parse/fact"
)

// cryptoListed adds an implementation that both lists have, or one of them.
func cryptoListed(driver string, proc, netlink bool) func(*fact.Machine) {
	return func(m *fact.Machine) {
		m.Crypto.Proc, m.Crypto.Netlink = fact.Present, fact.Present
		a := fact.Algorithm{Name: "cbc(aes)", Driver: driver}
		if proc {
			a.From = lineAt("proc/crypto", 1, "name : cbc(aes)")
		}
		if netlink {
			a.Frame = fact.Line{File: "netlink/crypto.pcap", Frame: 2}
		}
		m.Crypto.Algorithms = append(m.Crypto.Algorithms, a)
	}
}

// trainedAt gives the port and the drive below it what judges of links need.
func trainedAt(speed float64, width int) func(*fact.Machine) {
	return func(m *fact.Machine) {
		for _, address := range []string{port, drive} {
			x := m.Device(address).Express
			x.LinkCap = &fact.Link{Speed: 16, Width: 4, At: lineAt("cmd/lspci-vvv.txt", 31, "LnkCap")}
		}
		m.Device(drive).Express.LinkSta = &fact.Link{Speed: speed, Width: width, At: lineAt("cmd/lspci-vvv.txt", 232, "LnkSta")}
	}
}

func kernelLink(speed float64, width int) func(*fact.Machine) {
	return func(m *fact.Machine) {
		m.Device(drive).Sysfs.Current = fact.Of(fact.Link{Speed: speed, Width: width}, lineAt("sys/bus/pci/devices/"+drive+"/current_link_speed", 1, "x"))
	}
}

func asDisplay(m *fact.Machine) { m.Device(drive).Class = "0300" }

func errorCount(label string, ce int64) func(*fact.Machine) {
	return func(m *fact.Machine) {
		m.RAS.Labels = fact.Of([]fact.DIMMCount{{Label: label, Corrected: ce, At: lineAt("cmd/ras-mc-ctl-error-count.txt", 2, label)}}, lineAt("cmd/ras-mc-ctl-error-count.txt", 1, "Label"))
	}
}

func netPort(conflicts ...fact.Reading) func(*fact.Machine) {
	return func(m *fact.Machine) {
		m.Net = append(m.Net, fact.Interface{Name: "eth0", Ethtool: &fact.Ethtool{}, Conflicts: conflicts, At: lineAt("sys/class/net/eth0/speed", 1, "1000"),
			Speed: fact.Of(1000, lineAt("cmd/ethtool.txt", 5, "Speed: 1000Mb/s"))})
	}
}

func TestEvidenceConflict(t *testing.T) {
	quiet := []string{"agree machine"} // both texts of ras-mc-ctl have no row
	withBoth := func(first string) []string { return []string{first, "agree machine"} }
	today := rows(2, "2026-08-11", port, "Corrected", "Receiver Error")
	old := rows(15, "2026-08-03", port, "Corrected", "Receiver Error")
	play(t, evidenceConflict, []scene{
		{"nothing to compare but empty texts", server(), quiet},
		{"log has more than the counter", server(bothPorts, logged(port, "corrected", 9, 100, 200, "RxErr"), counted(port, "corrected", 3, "RxErr")), []string{"aer-log " + port, "aer-unrecorded " + port, "agree machine"}},
		{"log has less, since it is throttled", server(bothPorts, logged(port, "corrected", 9, 100, 200, "RxErr"), counted(port, "corrected", 300, "RxErr"), daemon("inactive")), quiet},
		{"log still goes on", server(bothPorts, logged(port, "corrected", 9, 100, now, "RxErr"), counted(port, "corrected", 3, "RxErr"), daemon("inactive")), quiet},
		{"a device that could not be read after a fatal error is logged, not counted", server(bothPorts, logged(drive, "fatal", 1, 100, 200), counted(drive, "fatal", 0)), quiet},
		{"its record in the database", server(bothPorts, rows(1, "2026-08-11", drive, "Uncorrected (Fatal)", ""), sameSummary(1), counted(drive, "fatal", 0)), quiet},
		{"a fatal error with a bit is counted", server(bothPorts, logged(port, "fatal", 1, 100, 200, "SDES"), counted(port, "fatal", 0)), withBoth("aer-log " + port)},
		{"log of the boot before", server(bothPorts, logged(port, "corrected", 9, 100, 200, "RxErr"), bootBefore), quiet},
		{"a bit that was not counted", server(bothPorts, aerStatus(port, []string{"RxErr+"}, nil), errorMasks(port, []string{"RxErr-"}, nil)), withBoth("aer-bits " + port)},
		{"a bit from enumeration", server(bothPorts, aerStatus(port, []string{"AdvNonFatalErr+"}, nil), errorMasks(port, []string{"RxErr-"}, nil)), quiet},
		{"a bit where Linux does not handle errors", server(aerStatus(port, []string{"RxErr+"}, nil), errorMasks(port, []string{"RxErr-"}, nil)), quiet},
		{"database has more of this boot", server(bothPorts, today, counted(port, "corrected", 1, "RxErr")), []string{"aer-database " + port, "ras-texts " + port, "agree machine"}},
		{"counters since the boot against a database of years", server(bothPorts, old, sameSummary(15)), quiet},
		{"recorded in the first seconds of the boot", server(bothPorts, rows(1, "2026-08-11", port, "Corrected", "Receiver Error"), sameSummary(1), counted(port, "corrected", 1, "RxErr"), func(m *fact.Machine) {
			m.Platform.Uptime = fact.Of(105240.0, lineAt("proc/uptime", 1, "105240.00 1.0")) // 18:00:00 +0200
		}), quiet},
		{"counted, but not recorded", server(bothPorts, counted(port, "corrected", 4, "RxErr")), withBoth("aer-unrecorded " + port)},
		{"summary and list differ", server(old, sameSummary(14)), []string{"ras-texts " + port}},
		{"memory counters differ", server(counterOf("mc1", 3, 0), errorCount("DIMM_mc1", 2)), withBoth("memory DIMM_mc1")},
		{"memory counters agree", server(counterOf("mc1", 3, 0), errorCount("DIMM_mc1", 3)), quiet},
		{"only in one list of algorithms", server(cryptoListed("cbc-aes-aesni", true, true), cryptoListed("cbc(aes-generic)", true, false)), withBoth("crypto cbc(aes-generic)")},
		{"no netlink dump", server(cryptoListed("cbc-aes-aesni", true, false), func(m *fact.Machine) { m.Crypto.Netlink = fact.Absent }), quiet},
		{"another priority in the dump", server(cryptoListed("cbc-aes-aesni", true, true), dumpSays("priority", "4001")), withBoth("crypto-values cbc-aes-aesni")},
		{"a test that ended in between", server(cryptoListed("cbc-aes-aesni", true, true), dumpSays("selftest", "passed")), withBoth("crypto-values cbc-aes-aesni")},
		{"the bytes differ from the text", server(trainedAt(16, 4), configSays("express.linkCap", "8 GT/s x4")), []string{"link-bytes " + drive, "agree machine"}},
		{"the bytes are of another moment", server(trainedAt(16, 4), configSays("express.linkSta", "2.5 GT/s x4")), []string{"link-bytes " + drive, "agree machine"}},
		{"sysfs and lspci differ", server(trainedAt(16, 4), kernelLink(8, 4)), []string{"link-sysfs " + drive, "agree machine"}},
		{"a graphics card that changes its link", server(trainedAt(16, 4), kernelLink(2.5, 4), asDisplay), quiet},
		{"ends differ", server(trainedAt(16, 2)), []string{"link-ends " + drive, "agree machine"}},
		{"ends of a graphics card differ", server(trainedAt(2.5, 4), asDisplay), quiet},
		{"a guest's links", server(trainedAt(16, 2), func(m *fact.Machine) {
			m.Platform.Hypervisor = fact.Of("KVM", lineAt("proc/cpuinfo", 20, "hypervisor"))
			m.Platform.Vendor = fact.Of("QEMU", lineAt("sys/class/dmi/id/sys_vendor", 1, "QEMU"))
		}), quiet},
		{"network port", server(netPort(fact.Reading{Field: "speed", Value: "100", At: lineAt("sys/class/net/eth0/speed", 1, "100")})), withBoth("network eth0")},
		{"network port that was counted later", server(netPort(fact.Reading{Field: "carrierChanges", Value: "4", At: lineAt("sys/class/net/eth0/carrier_changes", 1, "4")})), quiet},
		{"nobody asked", func() *fact.Machine { return &fact.Machine{} }, nil},
	})
}

// sameSummary is what ras-mc-ctl --summary says of n receiver errors.
func sameSummary(n int) func(*fact.Machine) {
	return func(m *fact.Machine) {
		m.RAS.Summary = rasText(fact.RASSection{Name: "aer", At: lineAt("cmd/ras-mc-ctl-summary.txt", 3, "PCIe AER events summary:"),
			Rows: []fact.RASEvent{{Count: n, Severity: "Corrected", Message: "Receiver Error", At: lineAt("cmd/ras-mc-ctl-summary.txt", 4, "errors")}}})
	}
}

// dumpSays lets the netlink dump say something else of the last implementation.
func dumpSays(field, value string) func(*fact.Machine) {
	return func(m *fact.Machine) {
		a := &m.Crypto.Algorithms[len(m.Crypto.Algorithms)-1]
		a.SelfTest = "unknown"
		a.Conflicts = append(a.Conflicts, fact.Reading{Field: field, Value: value, At: a.Frame})
	}
}

// configSays lets the file config of the drive say something else of its link.
func configSays(field, value string) func(*fact.Machine) {
	return func(m *fact.Machine) {
		d := m.Device(drive)
		at := fact.Line{File: "sys/bus/pci/devices/" + drive + "/config", Offset: 0x7c, Text: "83 00 00 00"}
		d.Sysfs.ConfigBytes = fact.Of[int64](4096, at)
		d.Conflicts = append(d.Conflicts, fact.Reading{Field: field, Value: value, At: at})
	}
}
