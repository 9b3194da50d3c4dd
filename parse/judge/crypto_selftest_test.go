package judge_test

import (
	"testing"

	"hwcap/parse/fact"
	"hwcap/parse/judge"
)

// selfTestFailed are the log's line of the detail, where there is one, and of
// the verdict.
func selfTestFailed(driver, name, rc string) step {
	return note("alg-selftest-failed", "", "alg: self-tests for "+name+" using "+driver+" failed (rc="+rc+")", "algorithm", name, "implementation", driver, "rc", rc)
}

func TestCryptoSelfTest(t *testing.T) {
	aesni := impl{"xts(aes)", "xts-aes-aesni", "skcipher", 401, 0}
	ccp := impl{"ecb(aes)", "ecb-aes-ccp", "skcipher", 300, 0}
	dh := impl{"dh", "qat-dh", "kpp", 1000, 0}
	wrong := note("alg-selftest-failed", "", `alg: ahash: mv-sha256 test failed (wrong result) on test vector 3, cfg="import/export"`, "type", "ahash", "implementation", "mv-sha256", "detail", "test")
	check(t, "crypto-selftest", []scene{
		{"tested, as fips_enabled shows", machine(crypto(workstation...), selfTests("0"), wholeLog), "machine=passed"},
		{"tested, as the configuration says", machine(crypto(aesni), option("CRYPTO_SELFTESTS", "y"), wholeLog), "machine=passed"},
		{"tested, as the old option says", machine(crypto(aesni), option("CRYPTO_MANAGER_DISABLE_TESTS", "n"), wholeLog), "machine=passed"},
		{"tested, as the log shows", machine(crypto(aesni), wholeLog, note("alg-untested", "", "alg: No test for fips(ansi_cprng) (fips_ansi_cprng)", "algorithm", "fips(ansi_cprng)")), "machine=passed"},
		{"passed is printed by kernels without tests, too", machine(crypto(aesni), wholeLog), "machine=passed-unproven"},
		{"neither option can be chosen", machine(crypto(aesni), option("CRYPTO", "y"), source("proc-config", fact.Present), wholeLog), "machine=not-run"},
		{"neither option, in a part of the configuration", machine(crypto(aesni), option("CRYPTO", "y"), source("proc-config", fact.Truncated), wholeLog), "machine=passed-unproven"},
		{"built without", machine(crypto(aesni), option("CRYPTO_MANAGER_DISABLE_TESTS", "y"), wholeLog), "machine=not-run"},
		{"switched off", machine(crypto(aesni), selfTests("0"), cmdline("quiet cryptomgr.notests"), wholeLog, note("alg-untested", "", "alg: self-tests disabled", "what", "all")), "machine=not-run"},
		{"switched off, but FIPS mode has them run", machine(crypto(aesni), selfTests("1"), cmdline("fips=1 cryptomgr.notests"), wholeLog), "machine=passed"},
		{"switched off, as the log says", machine(crypto(aesni), selfTests("0"), wholeLog, note("alg-untested", "", "alg: self-tests disabled", "what", "all")), "machine=not-run"},
		{"the log starts too late", machine(crypto(aesni), selfTests("0")), "machine=log-incomplete"},
		{"the list is cut", machine(crypto(workstation...), cryptoCut(3), selfTests("0"), wholeLog), "machine=list-incomplete"},
		{"C82: a test that never ended", machine(crypto(ccp, aesni), untested("ecb-aes-ccp"), selfTests("0"), wholeLog), "ecb-aes-ccp=unfinished"},
		{"an accelerator that computes wrongly", machine(crypto(impl{"sha256", "mv-sha256", "ahash", 300, 0}), untested("mv-sha256"), wrong, selfTestFailed("mv-sha256", "sha256", "-22")), "mv-sha256=failed"},
		{"a failure, and another that did not end", machine(crypto(ccp), untested("ecb-aes-ccp"), selfTestFailed("mv-sha256", "sha256", "-22")), "mv-sha256=failed; ecb-aes-ccp=unfinished"},
		{"C83: a length that QAT does not do", machine(crypto(dh), selfTests("0"), wholeLog, selfTestFailed("ffdhe6144(qat-dh)", "ffdhe6144(dh)", "-22"), selfTestFailed("ffdhe8192(qat-dh)", "ffdhe8192(dh)", "-22")), "ffdhe6144(qat-dh) ffdhe8192(qat-dh)=failed-known"},
		{"C83: in FIPS mode", machine(crypto(dh), selfTests("1"), wholeLog, selfTestFailed("ffdhe6144(qat-dh)", "ffdhe6144(dh)", "-22")), "ffdhe6144(qat-dh)=failed"},
		{"C83: the same group, but computed wrongly", machine(crypto(dh), selfTestFailed("ffdhe6144(qat-dh)", "ffdhe6144(dh)", "-74")), "ffdhe6144(qat-dh)=failed"},
		{"a test that goes on is a larval", machine(crypto(aesni, impl{"zstd", "zstd-generic", "larval", -1, 0}), untested("zstd-generic"), selfTests("0"), wholeLog), "machine=passed"},
		{"a log alone", machine(selfTestFailed("mv-sha256", "sha256", "-22")), "mv-sha256=failed"},
		{"nothing captured", machine(), ""},
	})
	f := judged(t, "crypto-selftest", machine(crypto(dh), selfTests("0"), wholeLog, selfTestFailed("ffdhe6144(qat-dh)", "ffdhe6144(dh)", "-22")))[0]
	if f.Severity != judge.Info {
		t.Errorf("C83 is a %s", f.Severity)
	}
	f = judged(t, "crypto-selftest", machine(wrong, selfTestFailed("mv-sha256", "sha256", "-22")))[0]
	if f.Values["wrongResult"] != true || f.Count != 1 {
		t.Errorf("two lines of one failure: %v, count %d", f.Values, f.Count)
	}
}

func TestCryptoCPU(t *testing.T) {
	aesni := impl{"xts(aes)", "xts-aes-aesni", "skcipher", 401, 0}
	generic := impl{"xts(aes)", "xts(ecb(aes-generic))", "skcipher", 100, 0}
	arm := impl{"xts(aes)", "xts-aes-ce", "skcipher", 300, 0}
	neon := impl{"xts(aes)", "xts-aes-neonbs", "skcipher", 250, 0}
	sha := impl{"sha256", "sha256-ce", "shash", 200, 0}
	bmc := device("0000:02:00.0", "1a03:2000", "0300", "ast")
	check(t, "crypto-cpu-support", []scene{
		{"AES-NI and its driver", machine(cpuFlags("fpu", "aes", "vaes"), crypto(workstation...)), "machine=supported"},
		{"in a virtual machine that has it", machine(cpuFlags("fpu", "aes", "hypervisor"), under("KVM"), crypto(aesni)), "machine=supported"},
		{"Crypto Extensions", machine(features("fp", "asimd", "aes", "pmull"), crypto(arm)), "machine=supported"},
		{"PadLock", machine(cpuFlags("fpu", "ace", "ace_en"), crypto(impl{"cbc(aes)", "cbc-aes-padlock", "skcipher", 400, 0})), "machine=supported"},
		{"C87: the flag is there, the driver is not", machine(cpuFlags("fpu", "aes"), crypto(generic)), "machine=no-driver"},
		{"C87: built as a module", machine(cpuFlags("fpu", "aes"), crypto(generic), option("CRYPTO_AES_NI_INTEL", "m")), "machine=no-driver"},
		{"C87: not built", machine(cpuFlags("fpu", "aes"), crypto(generic), option("CRYPTO_AES_NI_INTEL", "n")), "machine=no-driver"},
		{"an accelerator is not the processor", machine(cpuFlags("fpu", "aes"), crypto(impl{"xts(aes)", "qat_aes_xts", "skcipher", 4001, 0}, generic)), "machine=no-driver"},
		{"C87: a virtual machine does not see it", machine(cpuFlags("fpu", "hypervisor"), under("QEMU"), crypto(generic)), "machine=hidden"},
		{"C88: an Arm chip without", machine(features("fp", "asimd", "evtstrm", "crc32", "cpuid"), crypto(neon)), "machine=lacking"},
		{"hashes with instructions are not AES", machine(features("fp", "asimd", "aes"), crypto(sha, neon)), "machine=no-driver"},
		{"a server without", machine(cpuFlags("fpu"), crypto(generic), bmc), "machine=lacking-server"},
		{"a server by its chassis", machine(cpuFlags("fpu"), crypto(generic), setting("sys/class/dmi/id/chassis_type", "23")), "machine=lacking-server"},
		{"a router without", machine(features("fp", "asimd"), crypto(neon), system("OpenWrt 23.05.3")), "machine=lacking-server"},
		{"the list is cut", machine(cpuFlags("fpu", "aes"), crypto(generic, aesni), cryptoCut(1)), "machine=drivers-unknown"},
		{"cpuinfo is missing", machine(crypto(aesni), source("proc-cpuinfo", fact.Denied)), "machine=flags-unknown"},
		{"a list that came alone", machine(crypto(aesni)), ""},
		{"a processor that does not list its own", machine(cpuinfo("isa", []string{"rv64imafdc"}), crypto(generic)), ""},
		{"nothing captured", machine(), ""},
	})
	f := judged(t, "crypto-cpu-support", machine(cpuFlags("fpu", "hypervisor"), under("QEMU"), crypto(generic)))[0]
	if f.Severity != judge.Notice || f.Values["hypervisor"] != "QEMU" {
		t.Errorf("C87 in a virtual machine: %s, %v", f.Severity, f.Values)
	}
}

func system(name string) step {
	return func(m *fact.Machine) {
		m.Platform.OS = fact.Of(name, place("etc/os-release", 1, "PRETTY_NAME=\""+name+"\""))
	}
}
