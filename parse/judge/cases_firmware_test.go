package judge_test

// firmwareCases are about who handles PCIe errors.
var firmwareCases = []caseRow{
	{
		file:  "c54",
		want:  []string{"osc-aer-denied/firmware-first info PNP0A08:01", "aer-errors/few info 0000:41:00.0"},
		never: []string{"osc-aer-denied/refused-nobody", "aer-errors/hidden"},
		naive: `(?i)neither reads nor counts|pcie_ports=native`, open: `(?i)lower bounds`,
	},
	{
		file:  "c55",
		want:  []string{"osc-aer-denied/refused-nobody warning PNP0A08:00", "aer-errors/hidden unknown machine", "pcie-link-speed/port-limit info 0000:51:00.0"},
		never: []string{"aer-errors/none", "pcie-link-speed/slow", "pcie-link-speed/held", "previous-boot-error/reset"},
		naive: `(?i)there are no PCIe errors|es gibt keine PCIe-Fehler`, open: `(?i)firmware keeps a log of its own`,
	},
	{
		file:  "c57",
		want:  []string{"osc-aer-denied/granted-forced info PNP0A08:00"},
		never: []string{"osc-aer-denied/refused-nobody", "pcie-link-flapping"},
		naive: `(?i)hot-plug works|hot-plug funktioniert`, open: `(?i)firmware still handles the same events`,
	},
}

// powerCases are about ASPM, power states and removal.
var powerCases = []caseRow{
	{
		file:  "c58",
		want:  []string{"aspm-state/on-firmware info machine", "firmware-bug/fadt info machine"},
		never: []string{"aspm-state/off", "pcie-link-speed/slow"},
		naive: `(?i)ASPM is off|ASPM ist aus`, open: `(?i)really rest`,
	},
	{
		file:  "c59",
		want:  []string{"device-gone/storage critical 0000:01:00.0"},
		never: []string{"device-asleep/asleep", "driver-not-bound"},
		naive: `(?i)bad cell|defekte? Zelle|pcie_aspm=off`, open: `(?i)power supply.*SMART`,
	},
	{
		file:  "c61",
		want:  []string{"pcie-link-flapping/no-link warning 0000:00:1c.0", "pcie-slot-empty/detected notice 0000:00:1c.0"},
		never: []string{"device-gone/storage", "device-gone/device", "pcie-link-width"},
		naive: `(?i)defect|broken|kaputt`, open: `(?i)phantom`,
	},
	{
		file:  "c62",
		want:  []string{"aer-errors/nonfatal warning 0000:14:00.0", "pcie-relaxed-tph-timeout/seen info machine"},
		never: []string{"device-gone/storage", "device-gone/device", "pcie-link-flapping"},
		naive: `(?i)defect|broken|kaputt`, open: `(?i)caused`,
	},
}
