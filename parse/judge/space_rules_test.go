package judge_test

import (
	"strings"
	"testing"

	"hwcap/parse/fact"
	"hwcap/render/catalogue"
)

// region is one line "Region ..." of lspci; address "" is <unassigned>.
func region(index int, address string, size int64) func(*fact.Device) {
	return func(d *fact.Device) {
		r := fact.Region{Index: index, Kind: "mem", Address: address, Size: size, Bits: 64, At: place("cmd/lspci-vvv.txt", 200+10*index+len(d.Address), "Region")}
		if address == "" {
			r.State = "unassigned"
		}
		d.Regions = append(d.Regions, r)
	}
}

func rom(address, state, file string) func(*fact.Device) {
	return func(d *fact.Device) {
		d.Regions = append(d.Regions, fact.Region{Index: 6, Kind: "mem", Address: address, State: state, Size: 128 << 10, At: place(file, 230, "Expansion ROM")})
	}
}

func rebar(bar int, current int64, supported ...int64) func(*fact.Device) {
	return func(d *fact.Device) {
		d.ReBAR = append(d.ReBAR, fact.ReBAR{BAR: bar, Current: current, Supported: supported, At: place("cmd/lspci-vvv.txt", 240+bar, "BAR: current size")})
	}
}

func behind(parent string) func(*fact.Device) { return func(d *fact.Device) { d.Parent = parent } }

func bootPicture(v string) func(*fact.Device) {
	return func(d *fact.Device) {
		d.Sysfs = &fact.Sysfs{BootVGA: fact.Of(v, place("sys/bus/pci/devices/"+d.Address+"/boot_vga", 1, v))}
	}
}

// by names the driver in front of the last message.
func by(driver string, s step) step {
	return func(m *fact.Machine) { s(m); m.Log.Notes[len(m.Log.Notes)-1].Driver = driver }
}

func board(m *fact.Machine) {
	m.Platform.Model = fact.Of("Raspberry Pi Compute Module 5", place("proc/device-tree/model", 1, "Raspberry Pi Compute Module 5"))
}

func rights(d *fact.Device) { d.CapsState, d.ExtCaps, d.Express = fact.Denied, false, nil }

const (
	mib = int64(1) << 20
	gib = int64(1) << 30
)

var (
	gpu     = "0000:84:00.0"
	noSpace = note("bar-failed", gpu, "BAR 1 [mem size 0x800000000 64bit pref]: can't assign; no space", "bar", "BAR 1", "resource", "[mem size 0x800000000 64bit pref]", "space", "pref", "what", "no-space")
	low     = note("root-window", "", "pci_bus 0000:00: root bus resource [mem 0x90000000-0xfbffffff window]", "bus", "0000:00", "start", "0x90000000", "end", "0xfbffffff")
	high    = note("root-window", "", "pci_bus 0000:00: root bus resource [mem 0x200000000000-0x204fffffffff window]", "bus", "0000:00", "start", "0x200000000000", "end", "0x204fffffffff")
)

// say expands the English wording of all that a rule says, in lower case.
func say(t *testing.T, id string, m *fact.Machine) string {
	t.Helper()
	texts, err := catalogue.Load()
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, f := range judged(t, id, m) {
		text, err := texts.NewWriter(m, catalogue.English, catalogue.Markdown).Expand(f)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, text.Title, text.Seen, text.Means, text.Why)
		all = append(append(all, text.NotProven...), text.Rivals...)
		for _, s := range text.Next {
			all = append(all, s.Text, s.Command)
		}
	}
	return strings.ToLower(strings.ReplaceAll(strings.Join(all, "\n"), "\u00a0", " "))
}

// says holds wording to what must and must not be in it.
func says(t *testing.T, id string, m *fact.Machine, want, never []string) {
	t.Helper()
	text := say(t, id, m)
	for _, w := range want {
		if !strings.Contains(text, strings.ToLower(w)) {
			t.Errorf("%s does not say %q:\n%s", id, w, text)
		}
	}
	for _, n := range never {
		if strings.Contains(text, strings.ToLower(n)) {
			t.Errorf("%s says %q:\n%s", id, n, text)
		}
	}
}

func TestBARUnassigned(t *testing.T) {
	whole := source("lspci-vvv", fact.Present)
	vfBAR := note("bar-failed", "0000:17:00.0", "VF BAR 0 [mem size 0x00080000 64bit pref]: can't assign; no space", "bar", "VF BAR 0", "resource", "[mem size 0x00080000 64bit pref]", "space", "pref", "what", "no-space")
	window := note("bar-failed", "0000:00:1c.4", "bridge window [io size 0x1000]: can't assign; no space", "bar", "bridge window", "resource", "[io size 0x1000]", "space", "io", "what", "no-space")
	check(t, "bar-unassigned", []scene{
		{"memory without a place, by the list and the log", machine(whole, device(gpu, "8086:0b60", "1200", "", region(1, "", 32*gib)), noSpace), gpu + "=memory"},
		{"by the list alone", machine(whole, device("0000:05:00.0", "8086:1572", "0200", "i40e", region(0, "", 16*mib))), "0000:05:00.0=memory"},
		{"by the log alone: it may be a bridge", machine(by("pci", noSpace)), gpu + "=log-only"},
		{"failed, then placed: the last state counts", machine(whole, device(gpu, "10de:2b85", "0300", "nvidia", region(1, "80000000000", 32*gib)), note("bar-assigned", gpu, "BAR 1 [mem 0x80000000000-0x807ffffffff 64bit pref]: assigned", "bar", "BAR 1", "failures", "2")), "machine=assigned"},
		{"C71: the driver tried to enlarge a BAR that has its old place", machine(whole, device(gpu, "10de:2b85", "0300", "nvidia", region(1, "80000000000", 256*mib)), by("nvidia", noSpace)), "machine=assigned"},
		{"C71: the log alone, in the words of a driver", machine(by("nvidia", noSpace)), ""},
		{"driver cannot enable its device", machine(whole, by("ahci", note("bar-failed", "0000:00:1f.2", "can't enable device: BAR 5 [mem 0x0-0x7ff] not assigned", "bar", "BAR 5", "resource", "[mem 0x00000000-0x000007ff]", "space", "mem", "what", "not-assigned")), device("0000:00:1f.2", "8086:a182", "0106", "")), "0000:00:1f.2=memory"},
		{"place of the firmware refused, another one given", machine(whole, device("0000:00:1f.2", "8086:a182", "0106", "ahci", region(5, "92d30000", 2048)), by("pci", note("bar-failed", "0000:00:1f.2", "can't claim", "bar", "BAR 5", "resource", "[mem 0x0-0x7ff]", "space", "mem", "what", "claim"))), "machine=assigned"},
		{"virtual functions, ROM, ports and windows", machine(whole, device("0000:00:1c.4", "8086:a114", "0604", "pcieport", port(fact.RootPort, nil)), device("0000:17:00.0", "8086:1572", "0200", "i40e", region(0, "201ffe000000", 16*mib), vfs(64, 0), rom("", "unassigned", "cmd/lspci-vvv.txt"), region(4, "", 32), func(d *fact.Device) { d.Regions[2].Kind = "io" }),
			by("pci", vfBAR), by("pci", window)), "0000:00:1c.4 0000:17:00.0=minor"},
		{"VFs run, so that their BARs have a place", machine(whole, device("0000:17:00.0", "8086:1572", "0200", "i40e", region(0, "201ffe000000", 16*mib), vfs(64, 4)), by("pci", vfBAR)), "machine=assigned"},
		{"registers of a bridge", machine(whole, device("0000:c3:00.0", "10b5:8724", "0604", "pcieport", port(fact.UpstreamPort, nil), region(0, "", 256<<10))), "0000:c3:00.0=minor"},
		{"all placed", machine(whole, device("0000:17:00.0", "8086:1572", "0200", "i40e", region(0, "201ffe000000", 16*mib))), "machine=assigned"},
		{"list broken off", machine(source("lspci-vvv", fact.Truncated), device("0000:17:00.0", "8086:1572", "0200", "i40e", region(0, "201ffe000000", 16*mib))), "machine=not-captured"},
		{"regions not printed", machine(device("0000:17:00.0", "8086:1572", "0200", "i40e")), "machine=not-captured"},
		{"registers without the kernel: zero need not be a lack", machine(whole, device("0000:e1:00.0", "1234:5678", "0800", "", region(1, "", 0))), "machine=not-captured"},
		{"two functions of one card", machine(whole, device("0000:04:00.0", "10de:11c4", "0300", "", region(0, "", 16*mib)), device("0000:04:00.1", "10de:0e0b", "0403", "", region(0, "", 16<<10))), "0000:04:00.0 0000:04:00.1=memory"},
		{"lspci -v prints no numbers", machine(whole, device(gpu, "8086:0b60", "1200", "", region(-1, "", 0)), by("pci", noSpace)), gpu + "=memory"},
		{"nothing captured", machine(), ""},
	})
	// lspci prints no size without an address; the kernel does.
	says(t, "bar-unassigned", machine(whole, device(gpu, "8086:0b60", "1200", "", region(1, "", 0)), noSpace), []string{"32 GiB"}, nil)
	says(t, "bar-unassigned", machine(whole, board, device(gpu, "8086:0b60", "1200", "", region(1, "", 32*gib))), []string{"device tree", "32 GiB"}, []string{"firmware gives", "above 4g decoding"})
}

func TestBARAbove4G(t *testing.T) {
	whole := source("lspci-vvv", fact.Present)
	small := device("0000:01:00.0", "8086:1533", "0200", "igb", region(0, "92c00000", 512<<10))
	check(t, "bar-above-4g", []scene{
		{"windows and a card up there", machine(whole, wholeLog, low, high, device("0000:51:00.0", "10de:2805", "0300", "nvidia", region(1, "202000000000", 16*gib))), "machine=on"},
		{"the card alone", machine(whole, device("0000:51:00.0", "10de:2805", "0300", "nvidia", region(1, "202000000000", 16*gib))), "machine=on"},
		{"the log alone", machine(high), "machine=on"},
		{"no window up there", machine(whole, wholeLog, low, small), "machine=off"},
		{"log wrapped: not known", machine(whole, low, small), "machine=none-there"},
		{"nothing needs it", machine(whole, small), "machine=none-there"},
		{"list broken off", machine(source("lspci-vvv", fact.Truncated), small), "machine=not-captured"},
		{"a bridge contradicts", machine(whole, wholeLog, low, small, device("0000:00:1c.0", "8086:a110", "0604", "pcieport", func(d *fact.Device) {
			d.Windows = []fact.Window{{Kind: "pref", Start: "0000200000000000", End: "00002000000fffff", Open: true}}
		})), "machine=none-there"},
		{"board with a device tree", machine(board, whole, wholeLog, low, small), ""},
		{"nothing captured", machine(), ""},
	})
}

func TestReBARSize(t *testing.T) {
	whole := source("lspci-vvv", fact.Present)
	sizes := []int64{64 * mib, 256 * mib, gib, 8 * gib, 16 * gib}
	card := func(more ...func(*fact.Device)) step {
		return device("0000:51:00.0", "10de:2805", "0300", "nvidia", append([]func(*fact.Device){behind("0000:50:02.0")}, more...)...)
	}
	tried := note("rebar", "0000:03:00.0", "Attempting to resize bar from 256MiB -> 8192MiB", "state", "tried", "from", "256MiB", "size", "8192MiB")
	refused := note("rebar", "0000:03:00.0", "Failed to resize BAR2 to 8192M (-ENOSPC)", "state", "failed", "bar", "2", "size", "8192M", "error", "-ENOSPC")
	vram := func(ram, bar string) step {
		return note("rebar", "0000:03:00.0", "Detected VRAM RAM="+ram+", BAR="+bar, "state", "seen", "ram", ram, "bar", bar)
	}
	amd := device("0000:03:00.0", "1002:73bf", "0300", "amdgpu", behind("0000:00:01.0"))
	check(t, "rebar-size", []scene{
		{"W: 16 GB of 16 GB", machine(whole, card(rebar(1, 16*gib, sizes...), region(1, "202000000000", 16*gib))), "0000:51:00.0=full"},
		{"the driver names as much memory as the BAR", machine(whole, amd, vram("8176M", "8192M")), "0000:03:00.0=full"},
		{"C71: 256 MiB of 32 GiB, no space", machine(whole, device(gpu, "10de:2b85", "0300", "nvidia", behind("0000:80:01.0"), rebar(1, 256*mib, 256*mib, 32*gib)), by("nvidia", noSpace)), gpu + "=small"},
		{"half of it", machine(whole, card(rebar(1, 8*gib, sizes...)), wholeLog, low), "0000:51:00.0=small"},
		{"other BARs may be small", machine(whole, device("0000:03:00.0", "1002:73bf", "0300", "amdgpu", behind("0000:00:01.0"), rebar(0, 16*gib, 256*mib, 16*gib), rebar(2, 2*mib, 2*mib, 256*mib))), "0000:03:00.0=full"},
		{"C72: the driver's words on a board", machine(board, tried, refused, note("rebar", "0000:03:00.0", "Small BAR device", "state", "small")), "0000:03:00.0=small-board"},
		{"the driver's words on a PC", machine(bareMetal, device("0000:03:00.0", "8086:e20b", "0300", "xe", behind("0000:02:01.0")), tried, refused), "0000:03:00.0=small"},
		{"size unknown", machine(whole, card(rebar(1, 0, sizes...))), "0000:51:00.0=size-unknown"},
		{"no root", machine(whole, card(rights)), "0000:51:00.0=not-read"},
		{"card without the capability", machine(whole, card()), ""},
		{"graphics in the processor", machine(whole, device("0000:00:02.0", "8086:3e92", "0300", "i915", rights)), ""},
		{"the BMC's own", machine(whole, device("0000:03:00.0", "1a03:2000", "0300", "ast", behind("0000:02:00.0"), rights)), ""},
		{"a virtual machine's", machine(whole, device("0000:03:00.0", "1af4:1050", "0300", "virtio-pci", behind("0000:02:00.0"), rights)), ""},
		{"a network card with resizable BARs", machine(whole, device("0000:03:00.0", "15b3:101d", "0200", "mlx5_core", behind("0000:02:00.0"), rebar(0, 32*mib, 32*mib, 64*mib))), ""},
		{"nothing captured", machine(), ""},
	})
	says(t, "rebar-size", machine(board, tried, refused), []string{"device tree", "256 MiB", "8 GiB"}, []string{"above 4g decoding", "turn on"})
	says(t, "rebar-size", machine(whole, device(gpu, "10de:2b85", "0300", "nvidia", behind("0000:80:01.0"), rebar(1, 256*mib, 256*mib, 32*gib)), by("nvidia", noSpace)),
		[]string{"no defect", "pci=realloc", "how the firmware's switches are set"}, []string{"memory fault"})
}

func TestSRIOVState(t *testing.T) {
	ariFwd := func(bit bool) func(*fact.Device) {
		return func(d *fact.Device) {
			d.Express.DevCtl2 = &fact.Flags{Bits: map[string]bool{"ARIFwd": bit}, At: []fact.Line{place("cmd/lspci-vvv.txt", 310, "DevCtl2")}}
		}
	}
	sysVFs := func(total, now int) func(*fact.Device) {
		return func(d *fact.Device) {
			d.Sysfs = &fact.Sysfs{TotalVFs: fact.Of(total, place("sys/bus/pci/devices/"+d.Address+"/sriov_totalvfs", 1, "64"))}
			if now >= 0 {
				d.Sysfs.NumVFs = fact.Of(now, place("sys/bus/pci/devices/"+d.Address+"/sriov_numvfs", 1, "0"))
			}
		}
	}
	nic := func(active int) step {
		return device("0000:17:00.0", "8086:1572", "0200", "i40e", behind("0000:16:02.0"), vfs(64, active))
	}
	silence := func(address string) step {
		return note("unknown-header", address, "pci "+address+": unknown header type 7f, ignoring device", "type", "7f")
	}
	root := func(bit bool) step {
		return device("0000:40:03.0", "1022:1453", "0604", "pcieport", port(fact.RootPort, nil), ariFwd(bit))
	}
	vega := device("0000:42:00.0", "1002:6929", "0300", "", behind("0000:40:03.0"), vfs(16, 0))
	mmio := note("sriov-failed", "0000:00:02.0", "i915 0000:00:02.0: not enough MMIO resources for SR-IOV", "reason", "mmio")
	repeatedError := note("sriov-failed", "0000:00:02.0", "i915 0000:00:02.0: Failed to enable PCI sriov: -12", "reason", "error", "error", "-12")
	enabled := note("sriov-enabled", "0000:17:00.0", "SR-IOV enabled with 8 VFs", "count", "8")
	failedNIC := note("sriov-failed", "0000:17:00.0", "SR-IOV: IOV BARS not allocated", "reason", "bars")
	check(t, "sriov-state", []scene{
		{"W: both ports of the card and the accelerator offer it", machine(nic(0), device("0000:17:00.1", "8086:1572", "0200", "i40e", vfs(64, 0)), device("0000:c5:00.0", "8086:0435", "0b40", "dh895xcc", sysVFs(32, 0))), "0000:17:00.0 0000:17:00.1 0000:c5:00.0=offered"},
		{"in use", machine(nic(4)), "0000:17:00.0=active"},
		{"the count could not be read", machine(device("0000:c5:00.0", "8086:0435", "0b40", "dh895xcc", sysVFs(32, -1))), "0000:c5:00.0=unread"},
		{"C75: no address space, in words that sound like memory", machine(device("0000:00:02.0", "8086:46a6", "0300", "i915", vfs(7, 0)), mmio, repeatedError), "0000:00:02.0=failed"},
		{"C75: the log alone", machine(mmio), "0000:00:02.0=failed"},
		{"failed first, then enabled", machine(nic(8), failedNIC, enabled), "0000:17:00.0=active"},
		{"failed, and nothing since", machine(nic(0), failedNIC), "0000:17:00.0=failed"},
		{"fewer than asked for", machine(nic(4), note("sriov-failed", "0000:17:00.0", "8 VFs requested; only 4 enabled", "reason", "partial", "requested", "8", "enabled", "4")), "0000:17:00.0=failed"},
		{"bus numbers run out", machine(nic(0), note("sriov-failed", "0000:17:00.0", "can't enable 64 VFs (bus 19 out of range of [bus 18])", "reason", "bus", "count", "64", "bus", "19")), "0000:17:00.0=failed"},
		{"a driver without the feature is no failure", machine(nic(0), note("sriov-failed", "0000:17:00.0", "driver does not support SR-IOV configuration via sysfs", "reason", "driver")), "0000:17:00.0=offered"},
		{"C74: VFs read as ones, the port forwards none", machine(root(false), vega, silence("0000:42:02.0"), silence("0000:42:02.1")), "0000:42:00.0=no-ari"},
		{"C74: forwarding is on", machine(root(true), vega, silence("0000:42:02.0")), "0000:42:00.0=silent"},
		{"C74: forwarding not read", machine(vega, silence("0000:42:02.0")), "0000:42:00.0=silent"},
		{"silence on another bus", machine(root(false), vega, silence("0000:43:00.0")), "0000:42:00.0=offered"},
		{"a VF that shows its parent's registers", machine(device("0000:17:02.0", "8086:154c", "0200", "iavf", vfs(64, 4), func(d *fact.Device) { d.Sysfs = &fact.Sysfs{PhysFn: "0000:17:00.0"} })), ""},
		{"no such device", machine(device("0000:01:00.0", "8086:1533", "0200", "igb")), ""},
		{"nothing captured", machine(), ""},
	})
	says(t, "sriov-state", machine(device("0000:00:02.0", "8086:46a6", "0300", "i915", vfs(7, 0)), mmio, repeatedError), []string{"address space, not memory", "both lead to the same message"}, []string{"out of memory", "add memory"})
	says(t, "sriov-state", machine(root(false), vega, silence("0000:42:02.0")), []string{"arifwd+", "whether the firmware offers"}, []string{"is broken", "card is defective"})
}

func TestBootVGA(t *testing.T) {
	whole := source("lspci-vvv", fact.Present)
	bmc := func(v string) step { return device("0000:03:00.0", "1a03:2000", "0300", "ast", bootPicture(v)) }
	rtx := func(v string) step { return device("0000:51:00.0", "10de:2805", "0300", "nvidia", bootPicture(v)) }
	says3 := func(address string) step {
		return note("vga-boot", address, "vgaarb: setting as boot VGA device")
	}
	blind := func(address, id string) step { return device(address, id, "0300", "?") }
	check(t, "boot-vga", []scene{
		{"W: the card, not the BMC", machine(whole, bmc("0"), rtx("1")), "0000:51:00.0=card"},
		{"the BMC", machine(whole, bmc("1"), rtx("0")), "0000:03:00.0=bmc"},
		{"one device only", machine(whole, device("0000:00:02.0", "8086:3e92", "0300", "i915", bootPicture("1"))), "0000:00:02.0=only"},
		{"by the log", machine(whole, blind("0000:03:00.0", "1a03:2000"), blind("0000:51:00.0", "10de:2805"), says3("0000:51:00.0")), "0000:51:00.0=card"},
		{"a later line overrides", machine(whole, blind("0000:03:00.0", "1a03:2000"), blind("0000:51:00.0", "10de:2805"), says3("0000:03:00.0"), says3("0000:51:00.0")), "0000:51:00.0=card"},
		{"sysfs goes before the log", machine(whole, bmc("1"), rtx("0"), says3("0000:51:00.0")), "0000:03:00.0=bmc"},
		{"neither is there", machine(whole, blind("0000:03:00.0", "1a03:2000"), blind("0000:51:00.0", "10de:2805")), "0000:03:00.0 0000:51:00.0=not-captured"},
		{"one device, nothing said", machine(whole, blind("0000:00:02.0", "8086:3e92")), ""},
		{"whose it is was cut off", machine(whole, device("0000:03:00.0", "1a03:2000", "0300", "?", func(d *fact.Device) { d.Vendor, d.Device = "", "" }), says3("0000:03:00.0")), ""},
		{"a 3D controller has no VGA", machine(whole, device("0000:01:00.0", "10de:1d52", "0302", "nvidia")), ""},
		{"nothing captured", machine(), ""},
	})
	says(t, "boot-vga", machine(whole, bmc("0"), rtx("1")), []string{"ASPEED", "0000:03:00.0"}, nil)
}

func TestOptionROM(t *testing.T) {
	const text = "cmd/lspci-vvv.txt"
	check(t, "option-rom", []scene{
		{"off", machine(device("0000:51:00.0", "10de:2805", "0300", "nvidia", rom("a2000000", "disabled", text)), device("0000:00:02.0", "8086:3e92", "0300", "i915", rom("000c0000", "virtual", text))), "0000:51:00.0 0000:00:02.0=off"},
		{"one on", machine(device("0000:51:00.0", "10de:2805", "0300", "nvidia", rom("a2000000", "", text)), device("0000:01:00.0", "8086:1533", "0200", "igb", rom("92c90000", "disabled", text))), "0000:51:00.0=on; 0000:01:00.0=off"},
		{"the kernel's file has no enable bit", machine(device("0000:51:00.0", "10de:2805", "0300", "nvidia", rom("a2000000", "", "sys/bus/pci/devices/0000:51:00.0/resource"))), "0000:51:00.0=not-printed"},
		{"no ROM", machine(device("0000:51:00.0", "10de:2805", "0300", "nvidia")), ""},
		{"nothing captured", machine(), ""},
	})
}
