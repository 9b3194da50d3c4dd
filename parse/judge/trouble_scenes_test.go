package judge

import (
	"testing"

	"hwcap/parse/fact"
)

func bertNote(severity, section string) fact.Note {
	return logNote("hardware-error", "", "[Hardware Error]: event severity: "+severity, "from", "bert", "severity", severity, "section", section)
}

func ofBoot(n fact.Note, boot int) fact.Note {
	n.Boot = boot
	return n
}

func resetNote(text string) fact.Note {
	return logNote("previous-reset", "", "x86/amd: Previous system reset reason [0x08000800]: "+text, "code", "0x08000800", "text", text)
}

const syncFlood = "an uncorrected error caused a data fabric sync flood event"

func TestPreviousBoot(t *testing.T) {
	play(t, previousBoot, []scene{
		{"nothing kept", server(), []string{"none machine"}},
		{"a fatal record, which is not of now", server(withLog(bertNote("fatal", "unknown"))), []string{"recorded machine"}},
		{"the same record at the boot before", server(withLog(bertNote("fatal", "unknown"), ofBoot(bertNote("fatal", "unknown"), -1))), []string{"repeated machine"}},
		{"another record at the boot before", server(withLog(bertNote("fatal", "unknown"), ofBoot(bertNote("fatal", "memory error"), -1))), []string{"recorded machine"}},
		{"a record in a log that was cut off", server(withLog(bertNote("fatal", "unknown")), func(m *fact.Machine) { m.Log.State = fact.Truncated }), []string{"cut machine"}},
		{"a record that means no failure", server(withLog(bertNote("info", "Firmware Error Record Reference"))), []string{"mild machine"}},
		{"a record of now, from the firmware's error source", server(withLog(logNote("hardware-error", "", "{1}[Hardware Error]: event severity: fatal", "from", "ghes", "severity", "fatal"))), []string{"none machine"}},
		{"emergency stop of the processor", server(withLog(resetNote(syncFlood))), []string{"reset machine"}},
		{"a stop and its record are one", server(withLog(resetNote(syncFlood), bertNote("fatal", "memory error"))), []string{"reset machine"}},
		{"somebody rebooted", server(withLog(resetNote("software wrote 0x6 to reset control register 0xCF9"))), []string{"none machine"}},
		{"a reason that no table has", server(withLog(resetNote("something new"))), []string{"reset machine"}},
		{"a saved log", server(withLog(logNote("pstore", "", "Panic#1 Part1", "what", "panic", "count", "1"))), []string{"dump machine"}},
		{"a place to save logs", server(withLog(logNote("pstore", "", "pstore: Registered efi as persistent store backend", "what", "backend"))), []string{"none machine"}},
		{"start of the log lost", server(ringWrapped), []string{"unread machine"}},
		{"log denied", server(withLogState(fact.Denied)), []string{"unread machine"}},
		{"a clean log alone", excerpt(), nil},
	})
}

func taintedBy(mask string) func(*fact.Machine) {
	return func(m *fact.Machine) {
		m.Platform.Tainted = fact.Of(mask, lineAt("proc/sys/kernel/tainted", 1, mask))
	}
}

func TestKernelTrouble(t *testing.T) {
	clean := taintedBy("0")
	oops := logNote("oops", "", "BUG: unable to handle page fault", "kind", "bug", "text", "page fault for address: ffffdead00000000", "tainted", "W")
	hung := logNote("hung-task", "", "INFO: task kworker/u8:1:77 blocked for more than 120 seconds.", "task", "kworker/u8:1:77", "seconds", "120", "workqueue", "kcryptd/253:0 kcryptd_crypt [dm_crypt]")
	warning := logNote("kernel-warning", "", "WARNING: CPU: 1 PID: 9 at kernel/x.c:12 f+0x1/0x2", "place", "kernel/x.c:12", "tainted", "O")
	selfTestWarning := logNote("kernel-warning", "", "WARNING: CPU: 1 PID: 78 at crypto/testmgr.c:5929 alg_test+0x1/0x2", "place", "crypto/testmgr.c:5929")
	play(t, kernelTrouble, []scene{
		{"nothing", server(clean), []string{"none machine"}},
		{"a foreign module is no trouble", server(taintedBy("12289")), []string{"none machine"}},
		{"PCI system error", server(clean, withLog(logNote("nmi-serr", "", "NMI: PCI system error (SERR) for reason a1 on CPU 0.", "reason", "a1", "cpu", "0"))), []string{"serr machine"}},
		{"oops", server(taintedBy("128"), withLog(oops)), []string{"crash machine"}},
		{"processor that hung", server(taintedBy("16384"), withLog(logNote("lockup", "", "watchdog: BUG: soft lockup - CPU#3 stuck for 26s! [md0:12]", "kind", "soft", "task", "md0:12"))), []string{"lockup machine"}},
		{"disk encryption that hangs", server(clean, withLog(hung)), []string{"hung machine"}},
		{"warning", server(taintedBy("512"), withLog(warning)), []string{"warned machine"}},
		{"warning about a cipher's self-test, which is a matter of its own", excerpt(withLog(selfTestWarning, logNote("alg-selftest-failed", "", "alg: self-tests for sha256 using mv-sha256 failed (rc=-22)", "algorithm", "sha256", "implementation", "mv-sha256", "rc", "-22"))), nil},
		{"warning about a self-test whose cipher the log has lost", excerpt(withLog(selfTestWarning)), []string{"warned machine"}},
		{"unknown NMI", server(clean, withLog(logNote("nmi-unknown", "", "Uhhuh. NMI received for unknown reason 3d on CPU 0.", "reason", "3d"))), []string{"nmi machine"}},
		{"machine check and oops that the log has lost", server(taintedBy("144"), ringWrapped), []string{"tainted machine"}},
		{"oops in the log, machine check only in the mask", server(taintedBy("144"), withLog(oops)), []string{"crash machine", "tainted machine"}},
		{"oops of the boot before", server(clean, withLog(ofBoot(oops, -1))), []string{"none machine"}},
		{"log denied", server(clean, withLogState(fact.Denied)), []string{"unread machine"}},
		{"taint not captured", server(), []string{"unread machine"}},
		{"a clean log alone", excerpt(), nil},
	})
}

const gpu = "0000:01:00.0"

func withGPU(driver string) func(*fact.Machine) {
	return func(m *fact.Machine) {
		m.PCI = append(m.PCI, fact.Device{Address: gpu, Class: "0300", Driver: driver, DriverKnown: true, Parent: "0000:c2:04.0", From: lineAt("cmd/lspci-vvv.txt", 900, gpu)})
	}
}

func xidNote(number string) fact.Note {
	return logNote("gpu-xid", "0000:01:00", "NVRM: Xid (PCI:0000:01:00): "+number+", pid=1", "xid", number, "text", "pid=1")
}

func TestGPULost(t *testing.T) {
	ring := logNote("gpu-ring-timeout", gpu, "amdgpu 0000:01:00.0: amdgpu: ring sdma0 timeout", "ring", "sdma0")
	play(t, gpuLost, []scene{
		{"healthy", server(withGPU("amdgpu")), []string{"none machine"}},
		{"fallen off the bus after receiver errors", server(withGPU("nvidia"), withLog(xidNote("79"), xidNote("154")), logged("0000:c2:04.0", "corrected", 9, 10, 20, "RxErr")), []string{"lost " + gpu}},
		{"the driver's own words", server(withGPU("nvidia"), withLog(logNote("gpu-lost", gpu, "NVRM: GPU 0000:01:00.0: GPU has fallen off the bus."))), []string{"lost " + gpu}},
		{"a program's mistakes", server(withGPU("nvidia"), withLog(xidNote("13"), xidNote("31"))), []string{"program " + gpu}},
		{"an error of the card's memory", server(withGPU("nvidia"), withLog(xidNote("48"), xidNote("31"))), []string{"error " + gpu}},
		{"a number that no table has", server(withGPU("nvidia"), withLog(xidNote("999"))), []string{"error " + gpu}},
		{"ring timeout and reset", server(withGPU("amdgpu"), withLog(ring, logNote("gpu-reset", gpu, "amdgpu: GPU reset begin!", "state", "begun"), logNote("gpu-reset", gpu, "amdgpu: GPU reset(1) succeeded!", "state", "ok", "count", "1"))), []string{"hang " + gpu}},
		{"a log alone, no address", excerpt(withLog(logNote("gpu-hang", "", "GPU HANG: ecode 9:1:85dffffb", "code", "9:1:85dffffb"))), []string{"hang machine"}},
		{"no graphics card", server(), nil},
		{"log denied", server(withGPU("i915"), withLogState(fact.Denied)), []string{"unread machine"}},
	})
}

// Receiver errors before the failure are counted, later ones are not.
func TestGPUErrorsBefore(t *testing.T) {
	at := 100.0
	lost := xidNote("79")
	lost.Time = &at
	m := server(withGPU("nvidia"), withLog(lost), logged("0000:c2:04.0", "corrected", 9, 10, 20, "RxErr"), logged(gpu, "corrected", 5, 200, 210, "RxErr"))()
	if got := judgeGPU(m)[0].Values["correctedBefore"]; got != 9 {
		t.Errorf("%v errors before, want 9", got)
	}
}

// TestCrashesCountOnce holds that the lines of one crash are one, and those of
// another one later are not.
func TestCrashesCountOnce(t *testing.T) {
	at := func(seconds float64, kind string) fact.Note {
		n := logNote("oops", "", kind, "kind", kind, "text", kind)
		n.Time = &seconds
		return n
	}
	untimed := func(line int, kind string) fact.Note {
		n := logNote("oops", "", kind, "kind", kind, "text", kind)
		n.At.Line = line
		return n
	}
	for name, test := range map[string]struct {
		notes []fact.Note
		want  int
	}{
		"a fault, its oops and the panic":   {[]fact.Note{at(9, "bug"), at(9.0001, "oops"), at(9.2, "panic")}, 1},
		"two faults":                        {[]fact.Note{at(9, "bug"), at(9.0001, "oops"), at(9.5, "bug"), at(9.5001, "oops")}, 2},
		"an oops a minute after the fault":  {[]fact.Note{at(9, "bug"), at(69, "oops")}, 2},
		"an oops whose heading is lost":     {[]fact.Note{at(9, "oops")}, 1},
		"lines without times, one crash":    {[]fact.Note{untimed(100, "bug"), untimed(102, "oops")}, 1},
		"lines without times, far from one": {[]fact.Note{untimed(100, "bug"), untimed(180, "oops")}, 2},
	} {
		m := server(withLog(test.notes...))()
		if f := judgeTrouble(m)[0]; f.Case != "crash" || f.Count != test.want {
			t.Errorf("%s: %s, %d times, want %d", name, f.Case, f.Count, test.want)
		}
	}
}
