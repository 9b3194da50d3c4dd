package judge_test

import (
	"slices"
	"strings"
	"testing"

	"hwcap/parse/fact"
)

const (
	qatAt = "0000:c5:00.0"
)

func TestCryptoSelection(t *testing.T) {
	w := "xts(aes) ctr(aes) cbc(aes)=cpu-wins; deflate dh rsa=offload-wins; authenc(hmac(sha256),cbc(aes))=offload-only-entry"
	check(t, "crypto-selection", []scene{
		{"workstation with QAT", machine(crypto(workstation...)), w},
		{"/proc/crypto alone comes to the same", machine(crypto(flagless(workstation)...)), w},
		{"C79: older kernels give QAT 4001", machine(crypto(impl{"xts(aes)", "qat_aes_xts", "skcipher", 4001, 0x10585}, impl{"xts(aes)", "xts-aes-aesni", "skcipher", 401, 0x405})), "xts(aes)=offload-wins"},
		{"equal priority: the newest wins", machine(crypto(impl{"cbc(aes)", "qat_aes_cbc", "skcipher", 400, 0x10485}, impl{"cbc(aes)", "cbc-aes-aesni", "skcipher", 400, 0x405})), "cbc(aes)=offload-wins"},
		{"C82: the accelerator's self-test did not pass", machine(crypto(impl{"ecb(aes)", "ecb-aes-ccp", "skcipher", 300, 0}, impl{"ecb(aes)", "ecb-aes-aesni", "skcipher", 250, 0}), untested("ecb-aes-ccp")), "ecb(aes)=offload-untested"},
		{"C82: and nobody else is there", machine(crypto(impl{"ecb(aes)", "ecb-aes-ccp", "skcipher", 300, 0}), untested("ecb-aes-ccp")), "ecb(aes)=offload-untested"},
		{"no accelerator", machine(crypto(impl{"xts(aes)", "xts-aes-aesni", "skcipher", 401, 0x405})), "machine=no-offload"},
		{"cut behind the first entries of an accelerator", machine(crypto(workstation...), cryptoCut(8)), "deflate dh rsa authenc(hmac(sha256),cbc(aes)) xts(aes) ctr(aes) cbc(aes)=list-incomplete"},
		{"cut before any", machine(crypto(impl{"xts(aes)", "xts-aes-aesni", "skcipher", 401, 0}), cryptoCut(1)), "machine=list-incomplete"},
		{"nothing captured", machine(), "machine=not-captured"},
	})
	t.Run("callers", func(t *testing.T) {
		m := machine(crypto(workstation...))
		got := map[string][3]string{}
		built := any(nil)
		for _, f := range judged(t, "crypto-selection", m) {
			for _, row := range f.Values["rows"].([]map[string]any) {
				if row["name"] == "authenc(hmac(sha256),cbc(aes))" {
					built = row["builtPriorityMin"]
				}
				got[row["name"].(string)] = [3]string{row["winner"].(string), row["sync"].(string), row["block"].(string)}
			}
		}
		for name, want := range map[string][3]string{
			"xts(aes)":                       {"xts-aes-vaes-avx2", "xts-aes-vaes-avx2", "xts-aes-vaes-avx2"},
			"rsa":                            {"qat-rsa", "qat-rsa", ""},
			"deflate":                        {"qat_deflate", "deflate-generic", ""},
			"authenc(hmac(sha256),cbc(aes))": {"qat_aes_cbc_hmac_sha256", "", ""},
		} {
			if got[name] != want {
				t.Errorf("%s: %v, want %v", name, got[name], want)
			}
		}
		if built != 4000 {
			t.Errorf("an instance on the processor would weigh %v", built)
		}
	})
}

func TestCryptoDMCrypt(t *testing.T) {
	subjects := "authenc(hmac(sha256),cbc(aes)) xts(aes) ctr(aes) cbc(aes)"
	sec := impl{"xts(aes)", "hisi_sec_xts(aes)", "skcipher", 4001, tested | async | 5}
	soft := impl{"xts(aes)", "xts-aes-ce", "skcipher", 300, tested | 5}
	recent := kernel("7.0.0-12-generic", "")
	check(t, "crypto-dmcrypt-offload", []scene{
		{"QAT is refused", machine(crypto(workstation...), recent), subjects + "=refused"},
		{"a driver that allocates nothing", machine(crypto(sec, soft), recent), "xts(aes)=accepted"},
		{"both", machine(crypto(sec, soft, impl{"cbc(aes)", "cbc-aes-caam", "skcipher", 3000, tested | async | alloc | 5}), recent), "xts(aes) cbc(aes)=partly-refused"},
		{"/proc/crypto alone does not tell", machine(crypto(flagless(workstation)...), recent), subjects + "=flags-unknown"},
		{"kernel not known", machine(crypto(workstation...)), subjects + "=kernel-unknown"},
		{"C78: before 5.10, with an encrypted disk that hangs", machine(crypto(impl{"xts(aes)", "qat_aes_xts", "skcipher", 4001, 0}, impl{"xts(aes)", "xts-aes-aesni", "skcipher", 401, 0}), kernel("5.4.0-100-generic", ""),
			encrypted("vault", "aes-xts-plain64"), note("hung-task", "", "INFO: task kworker/u16:0:8 blocked for more than 120 seconds.", "task", "kworker/u16:0:8", "seconds", "120", "workqueue", "kcryptd/253:0 kcryptd_crypt [dm_crypt]")), "xts(aes)=old-kernel-qat"},
		{"refused, with an encrypted disk", machine(crypto(workstation...), recent, encrypted("vault", "aes-xts-plain64")), subjects + "=refused"},
		{"C88: Tegra's engine lacks buffers below a disk", machine(crypto(impl{"xts(aes)", "xts-aes-tegra", "skcipher", 400, 0}, impl{"xts(aes)", "xts-aes-ce", "skcipher", 300, 0}), kernel("5.15.122", ""),
			encrypted("vault", "aes-xts-plain64"), note("crypto-no-buffer", "", "tegra-se-nvhost 15810000.se: Couldn't get free cmdbuf")), "xts(aes)=corrupting"},
		{"C88: the same with the processor first", machine(crypto(impl{"xts(aes)", "xts-aes-tegra", "skcipher", 100, 0}, impl{"xts(aes)", "xts-aes-ce", "skcipher", 300, 0}), kernel("5.15.122", ""),
			encrypted("vault", "aes-xts-plain64"), note("crypto-no-buffer", "", "tegra-se-nvhost 15810000.se: Couldn't get free cmdbuf")), "xts(aes)=flags-unknown"},
		{"C78: before 5.10, QAT first", machine(crypto(impl{"xts(aes)", "qat_aes_xts", "skcipher", 4001, 0}, impl{"xts(aes)", "xts-aes-aesni", "skcipher", 401, 0}), kernel("5.4.0-100-generic", "")), "xts(aes)=old-kernel-qat"},
		{"before 5.10, another", machine(crypto(impl{"xts(aes)", "xts-aes-ccp", "skcipher", 300, 0}), kernel("4.19.1", "")), "xts(aes)=old-kernel"},
		{"before 5.10, list cut", machine(crypto(impl{"xts(aes)", "xts-aes-ccp", "skcipher", 300, 0}), cryptoCut(1), kernel("4.19.1", "")), "xts(aes)=flags-unknown"},
		{"no accelerator for ciphers", machine(crypto(impl{"deflate", "deflate-iaa", "acomp", 300, 0x48a}), recent), ""},
		{"nothing captured", machine(), ""},
	})
	f := judged(t, "crypto-dmcrypt-offload", machine(crypto(workstation...), recent))[0]
	takes := f.Values["takes"].([]map[string]any)
	if len(takes) != 3 || takes[0]["driver"] != "xts-aes-vaes-avx2" {
		t.Errorf("dm-crypt gets %v", takes)
	}
}

func encrypted(name, cipher string) step {
	return func(m *fact.Machine) {
		m.Mappings = append(m.Mappings, fact.Mapping{Name: name, Target: "crypt", Cipher: cipher, From: place("cmd/dmsetup.txt", 1, name+": 0 100 crypt "+cipher)})
	}
}

func TestCryptoInstances(t *testing.T) {
	check(t, "crypto-registered-not-used", []scene{
		{"RSA signatures rest on the card", machine(crypto(workstation...), qat(qatAt, [2]int64{5, 5})), "pkcs1(rsa,sha512)=instance"},
		{"without counters", machine(crypto(workstation...)), "pkcs1(rsa,sha512)=instance"},
		{"list cut", machine(crypto(workstation...), cryptoCut(5)), "pkcs1(rsa,sha512)=list-incomplete"},
		{"none", machine(crypto(without(workstation, "pkcs1(qat-rsa,sha512)")...)), ""},
		{"nothing captured", machine(), ""},
	})
}

func TestZswapCompressor(t *testing.T) {
	iaa := impl{"deflate", "deflate-iaa", "acomp", 300, 0x48a}
	lzo := impl{"lzo", "lzo-generic", "scomp", 0, 0x40b}
	check(t, "zswap-compressor", []scene{
		{"off, though the card would get it", machine(crypto(workstation...), zswap("N", "deflate")), "machine=disabled"},
		{"off without accelerator", machine(crypto(lzo), zswap("N", "lzo")), "machine=disabled"},
		{"on the processor", machine(crypto(append(slices.Clone(workstation), lzo)...), zswap("Y", "lzo")), "machine=cpu"},
		{"QAT by name", machine(crypto(workstation...), zswap("Y", "deflate")), "machine=qat"},
		{"QAT, and measured: the processor is quicker with another algorithm", machine(crypto(append(slices.Clone(workstation), lzo)...), zswap("Y", "deflate"),
			figure("note", "lzo", 4096, 1, 823), figure("note", "qat_deflate", 4096, 1, 74)), "machine=qat-measured"},
		{"QAT, and measured quicker", machine(crypto(append(slices.Clone(workstation), lzo)...), zswap("Y", "deflate"),
			figure("note", "lzo", 4096, 1, 10), figure("note", "qat_deflate", 4096, 1, 74)), "machine=qat"},
		{"QAT, measured with large blocks only", machine(crypto(append(slices.Clone(workstation), lzo)...), zswap("Y", "deflate"),
			figure("note", "lzo", 65536, 1, 823), figure("note", "qat_deflate", 65536, 1, 74)), "machine=qat"},
		{"QAT, but the pool was there before", machine(crypto(workstation...), zswap("Y", "deflate"),
			timed(1, note("zswap", "", "zswap: loaded using pool deflate/zsmalloc", "text", "loaded using pool deflate/zsmalloc")), timed(37, started)), "machine=qat"},
		{"zstd on QAT, as from 7.2 on", machine(crypto(impl{"zstd", "qat_zstd", "acomp", 4001, 0x1048a}, impl{"zstd", "zstd-generic", "scomp", 0, 0x40b}), zswap("Y", "zstd")), "machine=qat"},
		{"the software by driver name", machine(crypto(workstation...), zswap("Y", "deflate-generic")), "machine=cpu"},
		{"IAA", machine(crypto(iaa, impl{"deflate", "deflate-generic", "scomp", 0, 0x40b}), zswap("Y", "deflate")), "machine=offload"},
		{"not registered", machine(crypto(workstation...), zswap("Y", "zstd")), "machine=compressor-unknown"},
		{"list cut", machine(crypto(workstation...), cryptoCut(3), zswap("Y", "deflate")), "machine=list-incomplete"},
		{"kernel without zswap", machine(source("zswap", fact.Absent)), ""},
		{"nothing captured", machine(), "machine=not-captured"},
	})
	older := judged(t, "zswap-compressor", machine(crypto(workstation...), zswap("Y", "deflate"),
		timed(1, note("zswap", "", "zswap: loaded using pool deflate/zsmalloc", "text", "loaded using pool deflate/zsmalloc")), timed(37, started)))[0]
	if older.Values["pool"] != "older" {
		t.Errorf("the pool is %v", older.Values["pool"])
	}
	named := judged(t, "zswap-compressor", machine(crypto(iaa, impl{"deflate", "deflate-generic", "scomp", 0, 0x40b}), zswap("Y", "deflate")))[0]
	if named.Values["accelerator"] != "Intel IAA" || named.Values["priority"] != 300 || named.Values["driver"] != "deflate-iaa" {
		t.Errorf("IAA: %v", named.Values)
	}
}

// timed gives the last message its time.
func timed(seconds float64, s step) step {
	return func(m *fact.Machine) {
		s(m)
		m.Log.Notes[len(m.Log.Notes)-1].Time = &seconds
	}
}

var (
	card      = device(qatAt, "8086:0435", "0b40", "dh895xcc", vfs(32, 0))
	started   = note("qat-started", qatAt, "dh895xcc 0000:c5:00.0: qat_dev0 started 12 acceleration engines", "dev", "0", "engines", "12")
	noFile    = note("firmware-load-failed", qatAt, "Direct firmware load for qat_895xcc_mmp.bin failed with error -2", "file", "qat_895xcc_mmp.bin", "error", "-2")
	software  = crypto(impl{"xts(aes)", "xts-aes-aesni", "skcipher", 401, 0x405})
	gen4      = device("0000:f3:00.0", "8086:4940", "0b40", "4xxx")
	gen4State = func(state, services string) step {
		return func(m *fact.Machine) {
			qat("0000:f3:00.0")(m)
			q := &m.QAT[len(m.QAT)-1]
			q.Up = fact.Of(state, place("sys/bus/pci/devices/0000:f3:00.0/qat/state", 1, state))
			q.Services = fact.Of(services, place("sys/bus/pci/devices/0000:f3:00.0/qat/cfg_services", 1, services))
		}
	}
)

// of gives the last message the driver that speaks in it.
func of(driver string, s step) step {
	return func(m *fact.Machine) {
		s(m)
		m.Log.Notes[len(m.Log.Notes)-1].Driver = driver
	}
}

var heartbeatLost = note("qat-error", qatAt, "dh895xcc 0000:c5:00.0: Heartbeat ERROR: QAT is not responding.", "what", "heartbeat")

// c62x is one function of a C62x chipset, started.
func c62x(address string) step {
	return steps(device(address, "8086:37c8", "0b40", "c6xx", vfs(16, 0)), note("qat-started", address, "c6xx "+address+": qat_dev0 started 10 acceleration engines", "dev", "0", "engines", "10"), qat(address, [2]int64{5, 5}))
}

func TestQATDevice(t *testing.T) {
	check(t, "qat-device", []scene{
		{"working", machine(card, started, crypto(workstation...), kernel("7.0.0-12-generic", "")), qatAt + "=working"},
		{"working, log gone", machine(card, crypto(workstation...)), qatAt + "=working"},
		{"working after an earlier failure", machine(card, noFile, started, crypto(workstation...)), qatAt + "=working"},
		{"C85: Gen 4 with compression only", machine(gen4, gen4State("up", "dc"), crypto(impl{"deflate", "qat_deflate", "acomp", 4001, 0})), "0000:f3:00.0=working"},
		{"virtual function of a guest", machine(device("0000:00:07.0", "8086:37c9", "0b40", "c6xxvf"), note("qat-started", "0000:00:07.0", "qat_dev0 started 1 acceleration engines", "engines", "1"), crypto(workstation...)), "0000:00:07.0=working"},
		{"virtual functions belong to their card", machine(card, device("0000:c5:01.0", "8086:0443", "0b40", ""), started, crypto(workstation...)), qatAt + "=working"},
		{"C81: kernel that corrupts memory", machine(device("0000:01:00.0", "8086:19e2", "0b40", "c3xxx"), kernel("6.1.0-12-amd64", "#1 SMP Debian 6.1.52-1 (2023-09-07)"), crypto(workstation...)), "0000:01:00.0=bad-kernel"},
		{"C81: fixed in 6.1.53", machine(device("0000:01:00.0", "8086:19e2", "0b40", "c3xxx"), kernel("6.1.53", ""), crypto(workstation...)), "0000:01:00.0=working"},
		{"started, but 5.10 registers nothing", machine(card, started, software, kernel("5.10.0-30-amd64", "")), qatAt + "=bound-not-registered"},
		{"started, all engines with the virtual functions", machine(device(qatAt, "8086:0435", "0b40", "dh895xcc", vfs(32, 32)), started, software), qatAt + "=bound-not-registered"},
		{"C85: services that register nothing", machine(gen4, gen4State("up", "sym"), software), "0000:f3:00.0=bound-not-registered"},
		{"firmware missing", machine(card, noFile, software), qatAt + "=bound-not-started"},
		{"started, then failed", machine(card, started, note("qat-error", qatAt, "Failed to start device qat_dev0", "what", "start"), software), qatAt + "=bound-not-started"},
		{"C85: switched off to be configured", machine(gen4, gen4State("down", "sym;asym"), software), "0000:f3:00.0=down"},
		{"handed to a guest", machine(device(qatAt, "8086:0435", "0b40", "vfio-pci"), software), qatAt + "=handed-over"},
		{"handed over where the kernel has no driver of its own", machine(device("0000:00:0b.0", "8086:1f18", "0b40", "vfio-pci")), "0000:00:0b.0=handed-over"},
		{"a driver package for Rangeley", machine(device("0000:00:0b.0", "8086:1f18", "0b40", "c2xxx")), "0000:00:0b.0=out-of-tree-driver"},
		{"its firmware no longer answers", machine(card, started, heartbeatLost, crypto(workstation...)), qatAt + "=faulty"},
		{"and came back", machine(card, started, heartbeatLost, note("qat-error", qatAt, "Resetting device qat_dev0", "what", "reset", "dev", "0"), note("qat-recovered", qatAt, "Device is up and running"), crypto(workstation...)), qatAt + "=faulty"},
		{"errors that the device counts itself", machine(gen4, gen4State("up", "sym;asym"), qatChange(func(q *fact.QAT) {
			q.Fatal = fact.Of(int64(1), place("sys/bus/pci/devices/0000:f3:00.0/qat_ras/errors_fatal", 1, "1"))
		}), crypto(workstation...)), "0000:f3:00.0=faulty"},
		{"corrected errors are no fault", machine(gen4, gen4State("up", "sym;asym"), qatChange(func(q *fact.QAT) {
			q.Correctable = fact.Of(int64(2), place("sys/bus/pci/devices/0000:f3:00.0/qat_ras/errors_correctable", 1, "2"))
		}), note("qat-error", "0000:f3:00.0", "Correctable error detected in AE: 0x2", "what", "hardware", "severity", "corrected"), crypto(workstation...)), "0000:f3:00.0=working"},
		{"no heartbeat is no fault", machine(card, started, note("qat-error", qatAt, "Heartbeat not supported!", "what", "heartbeat"), crypto(workstation...)), qatAt + "=working"},
		{"three functions of one chipset are one subject", machine(c62x("0000:60:00.0"), c62x("0000:61:00.0"), c62x("0000:62:00.0"), crypto(workstation...)), "0000:60:00.0 0000:61:00.0 0000:62:00.0=working"},
		{"and one of them is not started", machine(c62x("0000:60:00.0"), device("0000:61:00.0", "8086:37c8", "0b40", "c6xx"),
			note("firmware-load-failed", "0000:61:00.0", "Direct firmware load for qat_c62x.bin failed with error -2", "file", "qat_c62x.bin"), crypto(workstation...)), "0000:60:00.0=working; 0000:61:00.0=bound-not-started"},
		{"switched off, as adf_ctl says", machine(c62x("0000:60:00.0"), qatChange(func(q *fact.QAT) {
			q.Counters = fact.Val[[]fact.EngineCount]{}
			q.Status = &fact.QATStatus{Type: "c6xx", State: "down", At: place("adf_ctl.txt", 3, " qat_dev0 - type: c6xx, state: down")}
		}), software), "0000:60:00.0=down"},
		{"a log alone: it does not start", machine(of("4xxx", note("qat-started", "0000:6b:00.0", "4xxx 0000:6b:00.0: qat_dev0 started 9 acceleration engines", "engines", "9")),
			of("4xxx", note("qat-error", "0000:6b:00.0", "4xxx 0000:6b:00.0: Failed to start device qat_dev0", "what", "start"))), "0000:6b:00.0=bound-not-started"},
		{"a log alone: it starts", machine(of("c6xxvf", note("qat-started", "0000:00:04.0", "c6xxvf 0000:00:04.0: qat_dev0 started 1 acceleration engines", "engines", "1"))), "0000:00:04.0=registration-unknown"},
		{"no driver", machine(device(qatAt, "8086:0435", "0b40", ""), kernel("3.10.0", "")), qatAt + "=no-driver"},
		{"no driver after a failed start", machine(device(qatAt, "8086:0435", "0b40", ""), noFile), qatAt + "=no-driver"},
		{"Rangeley has no driver in the kernel", machine(device("0000:00:0b.0", "8086:1f18", "0b40", "")), "0000:00:0b.0=no-in-tree-driver"},
		{"Gen 4 virtual function in a guest", machine(device("0000:00:07.0", "8086:4941", "0b40", "")), "0000:00:07.0=no-in-tree-driver"},
		{"driver not told", machine(device(qatAt, "8086:0435", "0b40", "?")), qatAt + "=driver-unknown"},
		{"driver line may be cut off", machine(device(qatAt, "8086:0435", "0b40", ""), source("lspci-vvv", fact.Truncated)), qatAt + "=driver-unknown"},
		{"list missing", machine(card, started), qatAt + "=registration-unknown"},
		{"neither start nor registration seen", machine(card, software), qatAt + "=start-unknown"},
		{"two cards, one log line", machine(card, started, device("0000:c6:00.0", "8086:0435", "0b40", "dh895xcc"), crypto(workstation...)), qatAt + "=working; 0000:c6:00.0=start-unknown"},
		{"no such device", machine(software), ""},
		{"nothing captured", machine(), ""},
	})
}

func TestQATCounters(t *testing.T) {
	check(t, "qat-counters", []scene{
		{"all answered", machine(card, qat(qatAt, [2]int64{154181, 154181}, [2]int64{94420, 94420})), qatAt + "=answered"},
		{"never used", machine(card, qat(qatAt, [2]int64{0, 0})), qatAt + "=unused"},
		{"apart", machine(card, qat(qatAt, [2]int64{10, 9}, [2]int64{5, 5})), qatAt + "=apart"},
		{"apart, and the log says that it failed", machine(card, started, heartbeatLost, qat(qatAt, [2]int64{10, 9}, [2]int64{5, 5})), qatAt + "=apart-log"},
		{"apart in two readings", machine(card, qat(qatAt, [2]int64{10, 9}, [2]int64{5, 5}), qat(qatAt, [2]int64{12, 11}, [2]int64{6, 6})), qatAt + "=apart-still"},
		{"apart in the first of two readings", machine(card, qat(qatAt, [2]int64{10, 9}), qat(qatAt, [2]int64{12, 12})), qatAt + "=answered"},
		{"apart on another engine each time", machine(card, qat(qatAt, [2]int64{10, 9}, [2]int64{5, 5}), qat(qatAt, [2]int64{12, 12}, [2]int64{6, 5})), qatAt + "=apart"},
		{"all answered, though it failed before", machine(card, started, heartbeatLost, qat(qatAt, [2]int64{9, 9})), qatAt + "=answered"},
		{"an engine does not answer", machine(card, qat(qatAt, [2]int64{9, 9}), qatChange(func(q *fact.QAT) {
			q.Silent = []fact.EngineCount{{Engine: 1, At: place("sys/kernel/debug/qat_x/fw_counters", 4, "| Firmware Requests [AE  1]:         No Response |")}}
		})), qatAt + "=silent"},
		{"heartbeat failed", machine(card, qat(qatAt, [2]int64{10, 9}), qatChange(func(q *fact.QAT) {
			q.HeartbeatFailed = fact.Of(int64(3), place("sys/kernel/debug/qat_x/heartbeat/queries_failed", 1, "3"))
		})), qatAt + "=heartbeat-failed"},
		{"compression verified wrong", machine(card, qat(qatAt, [2]int64{9, 9}), qatChange(func(q *fact.QAT) {
			q.CnvErrors = fact.Of([]fact.EngineCount{{Requests: 2, At: place("sys/kernel/debug/qat_x/cnv_errors", 2, "0: 2")}}, fact.Line{})
		})), qatAt + "=compression-errors"},
		{"denied", machine(card, source("qat", fact.Denied)), qatAt + "=denied"},
		{"cut", machine(card, qat(qatAt, [2]int64{154181, 1541}), qatChange(func(q *fact.QAT) { q.Counters.State = fact.Truncated })), qatAt + "=incomplete"},
		{"kernel without counters", machine(card, qat(qatAt)), qatAt + "=not-captured"},
		{"debugfs not asked", machine(card), qatAt + "=not-captured"},
		{"no driver", machine(device(qatAt, "8086:0435", "0b40", "")), ""},
		{"nothing captured", machine(), ""},
	})
	sum := judged(t, "qat-counters", machine(card, qat(qatAt, [2]int64{154181, 154181}, [2]int64{94420, 94420})))[0].Values["requestsSum"]
	if sum != int64(248601) {
		t.Errorf("sum %v", sum)
	}
}

// What is claimed of the drivers must not depend on the order of the table.
func TestOffloadNames(t *testing.T) {
	for _, driver := range []string{"xts-aes-aesni", "cryptd(xts-aes-aesni)", "pkcs1(qat-rsa,sha512)", "aes-padlock", "sha256-ce", "gcm-aes-p10", "xts-aes-s390"} {
		m := machine(crypto(impl{"x", driver, "skcipher", 1, 0}))
		m.Crypto.Algorithms[0].Module = "kernel"
		if got := outcomes(judged(t, "crypto-selection", m)); !strings.HasSuffix(got, "no-offload") {
			t.Errorf("%s: %s", driver, got)
		}
	}
}
