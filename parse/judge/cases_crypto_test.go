package judge_test

// cryptoCases are about who computes: the processor or an accelerator.
var cryptoCases = []caseRow{
	{
		file: "c78-old",
		want: []string{"crypto-dmcrypt-offload/old-kernel-qat warning xts(aes)", "kernel-trouble/hung warning machine"},
		// No hardware is to blame, and no file system.
		never: []string{"device-gone/storage", "device-gone/device", "mem-errors/uncorrected", "mem-errors/corrected", "qat-device/bad-kernel"},
		naive: `(?i)XFS|disk is (bad|broken)|Datenträger ist`, open: `(?i)encrypted disk runs through QAT`,
	},
	{
		file:  "c78-new",
		want:  []string{"crypto-dmcrypt-offload/flags-unknown unknown xts(aes)", "crypto-selection/offload-wins info xts(aes)"},
		never: []string{"crypto-dmcrypt-offload/accepted", "crypto-dmcrypt-offload/old-kernel"},
		naive: `(?i)LUKS|speeds up|beschleunigt`, open: `ALLOCATES_MEMORY`,
	},
	{
		file:  "c79",
		want:  []string{"crypto-selection/cpu-wins info xts(aes)", "qat-device/working info 0000:6b:00.0"},
		never: []string{"crypto-selection/offload-wins", "qat-device/bound-not-registered"},
		naive: `(?i)raise|erhöhen|too low|zu niedrig|misconfigured`, open: `(?i)faster here`,
	},
	{
		file:  "c79-before",
		want:  []string{"crypto-selection/offload-wins info xts(aes)"},
		never: []string{"crypto-selection/cpu-wins"},
		naive: `(?i)lower the|senken`, open: `(?i)faster than the processor`,
	},
	{
		file:  "c81",
		want:  []string{"qat-device/bad-kernel warning 0000:01:00.0", "kernel-trouble/crash warning machine"},
		never: []string{"mem-errors/uncorrected", "mem-errors/corrected", "qat-device/working"},
		naive: `(?i)bad memory|memtest|Arbeitsspeicher ist`, open: `(?i)particular crash`,
	},
	{
		file:  "c82",
		want:  []string{"crypto-selftest/unfinished notice ecb-aes-ccp", "crypto-selection/offload-untested info ecb(aes)"},
		never: []string{"crypto-selection/offload-wins", "crypto-selftest/passed"},
		naive: `(?i)accelerated|takes the accelerator|nimmt der Kernel den Beschleuniger`, open: `(?i)which of the causes`,
	},
	{
		file:  "c83",
		want:  []string{"crypto-selftest/failed-known info ffdhe6144(qat-dh)"},
		never: []string{"crypto-selftest/failed ", "qat-device/faulty"},
		naive: `(?i)defect|broken|kaputt`, open: `(?i)fall back`,
	},
	{
		file:  "c83-wrong",
		want:  []string{"crypto-selftest/failed warning rfc4106-gcm-aes-example"},
		never: []string{"crypto-selftest/failed-known", "crypto-selftest/passed"},
		naive: `(?i)defect|broken|kaputt`, open: `(?i)device is broken`,
	},
	{
		file:  "c85",
		want:  []string{"qat-instances/offers info 0000:f3:00.0", "qat-instances/offers info 0000:f7:00.0"},
		never: []string{"qat-device/faulty", "qat-device/bound-not-registered", "qat-instances/nothing"},
		naive: `(?i)defect|unavailable|fehlt`, open: `(?i)which services are needed`,
	},
	{
		file:  "c87-hidden",
		want:  []string{"crypto-cpu-support/hidden notice machine"},
		never: []string{"crypto-cpu-support/lacking", "crypto-cpu-support/no-driver"},
		naive: `(?i)processor has no|Prozessor hat keine`, open: `(?i)host's processor`,
	},
	{
		file:  "c87-module",
		want:  []string{"crypto-cpu-support/no-driver notice machine"},
		never: []string{"crypto-cpu-support/supported", "crypto-cpu-support/lacking"},
		naive: `(?i)has no AES|are used`, open: `(?i)encrypted in the kernel`,
	},
	{
		file:  "c88",
		want:  []string{"crypto-cpu-support/lacking info machine"},
		never: []string{"crypto-cpu-support/no-driver", "crypto-cpu-support/hidden"},
		naive: `aes_ce|modprobe`, open: `(?i)too slow`,
	},
	{
		file:  "c88-tegra",
		want:  []string{"crypto-dmcrypt-offload/corrupting critical xts(aes)", "crypto-cpu-support/supported ok machine"},
		never: []string{"crypto-dmcrypt-offload/accepted"},
		naive: `(?i)disk is (bad|broken)|Datenträger ist`, open: `(?i)data .*already`,
	},
}
