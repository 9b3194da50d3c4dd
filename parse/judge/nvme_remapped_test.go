package judge_test

import (
	"testing"

	"hwcap/parse/fact"
)

// bar5 gives a function a memory BAR 5 of that size.
func bar5(size int64) func(*fact.Device) {
	return func(d *fact.Device) {
		d.Regions = []fact.Region{{Index: 5, Kind: "mem", Size: size, At: place("cmd/lspci-vvv.txt", 33, "Region 5")}}
	}
}

func TestNVMeRemapped(t *testing.T) {
	sata := func(class string, more ...func(*fact.Device)) step {
		return device("0000:00:17.0", "8086:a282", class, "ahci", more...)
	}
	hidden := note("nvme-remapped", "0000:00:17.0", "ahci 0000:00:17.0: Found 1 remapped NVMe devices.", "count", "1")
	check(t, "nvme-remapped", []scene{
		{"C70: one drive hidden", machine(bareMetal, sata("0104", bar5(512<<10)), hidden), "0000:00:17.0=remapped"},
		{"C70: the line alone", machine(note("nvme-remapped", "", "Found 2 remapped NVMe devices.", "count", "2")), "machine=remapped"},
		{"a whole log without the line", machine(bareMetal, wholeLog, sata("0104", bar5(512<<10))), "0000:00:17.0=none"},
		{"no room to hide drives in", machine(bareMetal, sata("0106", bar5(2<<10))), "0000:00:17.0=none"},
		{"room, and a wrapped log", machine(bareMetal, sata("0106", bar5(512<<10))), "0000:00:17.0=log-incomplete"},
		{"RAID mode, nothing else known", machine(bareMetal, sata("0104")), "0000:00:17.0=log-incomplete"},
		{"AHCI mode, nothing else known", machine(bareMetal, sata("0106")), ""},
		{"another vendor", machine(bareMetal, wholeLog, device("0000:00:17.0", "1b21:1064", "0106", "ahci")), ""},
		{"guest", machine(guest("QEMU"), wholeLog, sata("0106")), ""},
		{"nothing captured", machine(), ""},
	})
	m := machine(bareMetal, sata("0104"), hidden)
	unsaid(t, m, judged(t, "nvme-remapped", m)[0], "kein NVMe-Laufwerk gefunden", "no NVMe drive found", "ist defekt", "is broken")
}
