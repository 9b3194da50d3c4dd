package judge_test

// trapCases are short traps of public reports beside the numbered cases; they
// are numbered from 101 on.
var trapCases = []caseRow{
	{
		file: "c101", want: []string{"pcie-link-speed/slow warning 0000:01:00.0"},
		naive: `(?i)drive is (bad|broken)|Laufwerk ist defekt`, open: `(?i).`,
	},
	{
		file: "c102", want: []string{"pcie-link-width/port-limit info 0000:01:00.0"}, never: []string{"pcie-link-speed/slow", "pcie-link-width/narrow"},
	},
	{
		file:  "c104",
		want:  []string{"device-gone/device warning 0000:04:00.0", "aer-errors/few info 0000:04:00.0"},
		never: []string{"aer-errors/nonfatal", "device-gone/answers"},
	},
	{
		file:  "c105",
		want:  []string{"device-gone/device warning 0000:02:00.0"},
		never: []string{"device-gone/answers", "pcie-link-width/narrow"},
	},
	{
		file:  "c108",
		want:  []string{"driver-not-bound/failed warning 0000:04:00.0"},
		never: []string{"device-gone/device", "pcie-link-speed/slow"},
		naive: `(?i)card is (broken|defective)|Karte ist defekt`,
	},
	{
		file:  "c106",
		want:  []string{"aer-errors/above-yardstick warning 0000:00:07.0"},
		naive: `pcie_aspm=off|pci=noaer`, open: `(?i)caused`,
	},
	{
		file: "c107", want: []string{"aspm-state/on info machine"}, never: []string{"pcie-link-speed/slow", "gpu-lost/lost", "gpu-lost/hang"},
	},
	{
		file: "c109", want: []string{"sriov-state/active info 0000:01:00.0"}, never: []string{"sriov-state/offered", "sriov-state/active info 0000:01:00.1"},
	},
	{
		file: "c110", want: []string{"pcie-link-width/full ok 0000:01:00.0"}, never: []string{"pcie-link-flapping/retrained"},
	},
	{
		file: "c111", want: []string{"pcie-link-width/narrow warning 0000:02:00.0", "pcie-slot-empty/empty ok 0000:00:02.0"},
		never: []string{"pcie-link-width/no-registers"}, open: `(?i).`,
	},
	{
		file: "c112", want: []string{"pcie-link-width/full ok 0000:41:00.0"}, never: []string{"pcie-link-speed/idle", "pcie-link-width/narrow"},
	},
	{
		file: "c113", want: []string{"rebar-size/small notice 0000:a4:00.0", "rebar-size/full ok 0000:84:00.0"}, open: `(?i)switches are set`,
	},
	{
		file:  "c115",
		want:  []string{"aer-errors/above-yardstick warning 0000:03:00.0"},
		naive: `(?i)card is broken|Karte ist defekt|pci=noaer`, open: `(?i)caused`,
	},
}
