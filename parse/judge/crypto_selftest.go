package judge

import (
	"slices"
	"strings"

	"hwcap/parse/fact"
)

// cryptoSelfTest tells which implementations failed the kernel's own test when
// they were registered (alg_test in crypto/testmgr.c), and what "passed" is
// worth: a kernel without the tests prints it as well, since an entry then
// counts as tested at once (__crypto_register_alg in crypto/algapi.c).
var cryptoSelfTest = Rule{
	ID:      "crypto-selftest",
	Area:    Crypto,
	Sources: []string{"proc-crypto", "netlink-crypto", "dmesg", "kmsg", "journal-k", "proc-cmdline", "proc-fips", "proc-config"},
	// rows is a table: driver, name (the algorithm), rc ("" where no line gives
	// one). proof is what shows whether the kernel runs its tests: "cmdline",
	// "log", "config", "fips", or "" for nothing. wrongResult: one of them computed
	// wrongly, as against refusing to compute.
	Keys: []string{"rows", "fips", "implementations", "proof", "wrongResult"},
	Cases: []Case{
		{Name: "failed", Verdict: Problem, Severity: Warning, Confidence: Observed},
		{Name: "failed-known", Verdict: Problem, Severity: Info, Confidence: Observed, Known: true},
		{Name: "unfinished", Verdict: Problem, Severity: Notice, Confidence: Observed},
		{Name: "not-run", Verdict: Problem, Severity: Info, Confidence: Derived},
		{Name: "passed", Verdict: OK, Confidence: Derived},
		{Name: "passed-unproven", Verdict: Unknown},
		{Name: "log-incomplete", Verdict: Unknown},
		{Name: "list-incomplete", Verdict: Unknown},
	},
	Judge: judgeSelfTest,
}

// failure is one implementation that did not pass.
type failure struct {
	driver, name, rc string
	wrong            bool // it computed, and wrongly
	at               []fact.Line
}

func judgeSelfTest(m *fact.Machine) []Finding {
	if len(m.Crypto.Algorithms) == 0 && len(m.Log.Of("alg-selftest-failed")) == 0 {
		return nil
	}
	var findings []Finding
	failed, harmless := failedTests(m)
	fips := fipsMode(m)
	if fips { // nothing may fail there: the kernel stops itself
		failed, harmless = append(failed, harmless...), nil
	}
	add := func(name string, rows []failure) {
		if len(rows) == 0 {
			return
		}
		f := found(name)
		table := []map[string]any{}
		wrong := false
		for _, r := range rows {
			f.Subjects = append(f.Subjects, r.driver)
			table = append(table, map[string]any{"driver": r.driver, "name": r.name, "rc": r.rc})
			wrong = wrong || r.wrong
			f.cite("failure", r.at...)
		}
		f.Count = len(rows)
		f.Values["rows"], f.Values["fips"], f.Values["wrongResult"] = table, fips, wrong
		if fips {
			f.cite("fips", m.Crypto.FIPS.At)
		}
		findings = append(findings, f)
	}
	add("failed", failed)
	add("failed-known", harmless)
	add("unfinished", unfinishedTests(m, append(failed, harmless...)))
	if len(findings) == 0 && len(m.Crypto.Algorithms) > 0 {
		findings = append(findings, testsRun(m))
	}
	return findings
}

// badMessage is -EBADMSG, with which a test fails that got a wrong
// authentication tag accepted or a right one refused.
const badMessage = "-74"

// failedTests reads the failures out of the log, one an implementation, and
// parts off those that are known to be no fault.
func failedTests(m *fact.Machine) (failed, harmless []failure) {
	index := map[string]int{}
	var all []failure
	for _, n := range m.Log.Of("alg-selftest-failed") {
		driver, name := n.Fields["implementation"], n.Fields["algorithm"]
		if driver == "" { // "alg: dh: test failed on vector 1" goes before the verdict
			continue
		}
		i, known := index[driver]
		if !known {
			i = len(all)
			index[driver] = i
			all = append(all, failure{driver: driver, name: name})
		}
		f := &all[i]
		if f.name == "" {
			f.name = name
		}
		if rc := n.Fields["rc"]; rc != "" {
			f.rc = rc
		}
		f.wrong = f.wrong || f.rc == badMessage || strings.Contains(n.At.Text, "wrong result")
		if len(f.at) < 2 {
			f.at = append(f.at, n.At)
		}
	}
	for _, f := range all {
		if slices.ContainsFunc(harmlessFailures, func(h harmlessFailure) bool { return h.driver == f.driver && h.rc == f.rc }) {
			harmless = append(harmless, f)
		} else {
			failed = append(failed, f)
		}
	}
	return failed, harmless
}

// unfinishedTests are the entries of the list that do not count as tested,
// without those whose failure the log tells.
func unfinishedTests(m *fact.Machine, told []failure) []failure {
	var rows []failure
	for i := range m.Crypto.Algorithms {
		a := &m.Crypto.Algorithms[i]
		if a.Type == "larval" || a.SelfTest != "unknown" || slices.ContainsFunc(told, func(f failure) bool { return f.driver == a.Driver }) {
			continue
		}
		at := algorithmLines(a)[:1]
		if !a.SelfTestAt.IsZero() {
			at = append(at, a.SelfTestAt)
		}
		rows = append(rows, failure{driver: a.Driver, name: a.Name, at: at})
	}
	return rows
}

// testsRun tells what "passed" is worth where nothing failed.
func testsRun(m *fact.Machine) Finding {
	f := found("passed-unproven", Machine)
	f.Values["implementations"], f.Values["proof"] = len(m.Crypto.Algorithms), ""
	if first := &m.Crypto.Algorithms[0]; first.SelfTestAt.IsZero() {
		f.cite("list", algorithmLines(first)...)
	} else {
		f.cite("list", first.SelfTestAt)
	}
	proof, runs, at := testProof(m)
	f.Values["proof"] = proof
	f.cite("proof", at)
	switch {
	case proof != "" && !runs:
		f.Case = "not-run"
	case !listComplete(m):
		f.Case = "list-incomplete"
	case proof == "":
	case !logFromBoot(m): // a driver that fails may leave the list again
		f.Case = "log-incomplete"
	default:
		f.Case = "passed"
	}
	return f
}

// testProof looks for what shows whether this kernel tests what is registered.
// Parameters and the log go before how it was built.
func testProof(m *fact.Machine) (proof string, runs bool, at fact.Line) {
	for _, word := range bootWords(m, "cryptomgr.notests") {
		if _, value, ok := strings.Cut(word, "="); (!ok || value == "1" || value == "Y" || value == "y") && !fipsMode(m) {
			return "cmdline", false, m.Platform.Cmdline.At
		}
	}
	for _, n := range m.Log.Of("alg-untested") {
		if n.Fields["what"] == "all" {
			return "log", false, n.At
		}
	}
	for option, on := range testOptions {
		if v := m.Crypto.Config[option]; v.Known() {
			return "config", (v.V == "y") == on, v.At
		}
	}
	// Neither option can be chosen: from 6.16 on without CONFIG_EXPERT, before
	// without CONFIG_CRYPTO_MANAGER2. A text that is not the kernel's own file may
	// be a part of it.
	if v := m.Crypto.Config["CRYPTO"]; v.V == "y" && v.At.File == "proc/config.gz" && m.Complete("proc-config") {
		return "config", false, v.At
	}
	if m.Crypto.FIPS.Known() {
		return "fips", true, m.Crypto.FIPS.At
	}
	for _, n := range m.Log.Of("alg-untested") {
		return "log", true, n.At
	}
	return "", false, fact.Line{}
}

// fipsMode reports whether the kernel holds itself to FIPS 140: then its tests
// run whatever else is set.
func fipsMode(m *fact.Machine) bool {
	return strings.TrimSpace(m.Crypto.FIPS.V) == "1" || slices.Contains(bootWords(m, "fips"), "fips=1")
}

// testOptions say how a kernel was built: the first until 6.15 takes the tests
// out, the second since puts them in (crypto/Kconfig). A kernel has one of them.
var testOptions = map[string]bool{"CRYPTO_MANAGER_DISABLE_TESTS": false, "CRYPTO_SELFTESTS": true}
