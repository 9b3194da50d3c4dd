package judge_test

import (
	"testing"

	"hwcap/parse/fact"
)

// modules names what would fit a function.
func modules(names ...string) func(*fact.Device) {
	return func(d *fact.Device) { d.Modules = names }
}

func TestDriverNotBound(t *testing.T) {
	quiet := cmdline("quiet")
	nic := device("0000:03:00.0", "8086:1572", "0200", "", modules("i40e"))
	bound := device("0000:04:00.0", "144d:a80a", "0108", "nvme", modules("nvme"))
	gpu := device("0000:01:00.0", "10de:2803", "0300", "", modules("nvidiafb", "nouveau"))
	probe := note("probe-failed", "0000:03:00.0", "i40e: probe of 0000:03:00.0 failed with error -5", "driver", "i40e", "error", "-5")
	check(t, "driver-not-bound", []scene{
		{"a network card, no reason known", machine(quiet, nic, bound), "0000:03:00.0=unbound"},
		{"both ports of a card are one", machine(quiet, nic, device("0000:03:00.1", "8086:1572", "0200", "", modules("i40e"))), "0000:03:00.0 0000:03:00.1=unbound"},
		{"the driver gave up", machine(quiet, nic, probe), "0000:03:00.0=failed"},
		{"firmware is missing", machine(quiet, gpu, note("firmware-load-failed", "0000:01:00.0", "Direct firmware load for nvidia/ad106/gsp.bin failed with error -2", "file", "nvidia/ad106/gsp.bin", "error", "-2")), "0000:01:00.0=failed"},
		{"failed first, bound later", machine(quiet, device("0000:03:00.0", "8086:1572", "0200", "i40e", modules("i40e")), probe), "machine=bound"},
		{"nomodeset", machine(cmdline("quiet nomodeset"), gpu, bound), "0000:01:00.0=chosen"},
		{"a module barred", machine(cmdline("module_blacklist=floppy,i40e"), nic), "0000:03:00.0=chosen"},
		{"command line not captured", machine(nic), "0000:03:00.0=choice-open"},
		{"sound and SMBus", machine(quiet, device("0000:00:1f.3", "8086:a348", "0403", "", modules("snd_hda_intel")), device("0000:00:1f.4", "8086:a323", "0c05", "", modules("i2c_i801"))), "0000:00:1f.3 0000:00:1f.4=minor"},
		{"a BMC's console", machine(quiet, device("0000:03:00.0", "1a03:2000", "0300", "", modules("ast"))), "0000:03:00.0=minor"},
		{"imitated by a virtual machine", machine(quiet, guest("QEMU"), device("0000:00:1f.2", "8086:2922", "0106", "", modules("ahci"), func(d *fact.Device) { d.SubVendor = "1af4" })), "0000:00:1f.2=minor"},
		{"QuickAssist and VMD have rules of their own", machine(quiet, device("0000:c5:00.0", "8086:0435", "0b40", "", modules("qat_dh895xcc")), vmdNoOwner), ""},
		{"no module claims it", machine(quiet, device("0000:00:05.0", "8086:09a2", "0880", "")), ""},
		{"drivers not captured", machine(quiet, device("0000:03:00.0", "8086:1572", "0200", "?", modules("i40e")), bound), ""},
		{"C74: virtual functions that do not answer", machine(quiet, device("0000:42:02.0", "1002:692f", "0300", "", modules("amdgpu"), func(d *fact.Device) { d.Header = "7f" })), ""},
		{"a bridge", machine(quiet, device("0000:00:1c.0", "8086:a190", "0604", "", modules("shpchp"))), ""},
		{"all bound", machine(quiet, bound), "machine=bound"},
		{"a log alone, in which drivers gave up", machine(probe, note("bar-busy", "0000:04:00.0", "mpt3sas 0000:04:00.0: BAR 1: can't reserve [mem 0x805c0000-0x805c3fff 64bit]", "bar", "1", "resource", "mem 0x805c0000-0x805c3fff 64bit")), "0000:03:00.0 0000:04:00.0=log-only"},
		{"a log alone, in which that of a sound codec did", machine(note("probe-failed", "", "avs_hdaudio avs_hdaudio.2.auto: probe with driver avs_hdaudio failed with error -2", "module", "avs_hdaudio", "error", "-2")), ""},
		{"nothing captured", machine(), ""},
	})
	m := machine(quiet, nic, probe)
	unsaid(t, m, judged(t, "driver-not-bound", m)[0], "gerät ist defekt.", "device is broken.\n\n")
}
