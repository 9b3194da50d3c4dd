package judge_test

// spaceCases are about address space and virtual functions.
var spaceCases = []caseRow{
	{
		file:  "c71",
		want:  []string{"rebar-size/small notice 0000:84:00.0", "bar-unassigned/assigned ok machine"},
		never: []string{"rebar-size/full", "bar-unassigned/memory", "gpu-lost/lost"},
		naive: `(?i)memory fault|Speicherfehler|defect`, open: `(?i)how the firmware's switches are set`,
	},
	{
		file:  "c72",
		want:  []string{"rebar-size/small-board notice 0000:03:00.0", "pcie-oncard-switch/constant info 0000:03:00.0"},
		never: []string{"rebar-size/small ", "pcie-link-width/narrow", "pcie-link-speed/slow"},
		naive: `(?i)BIOS|firmware`, open: `(?i)larger window`,
	},
	{
		file:  "c74",
		want:  []string{"sriov-state/no-ari warning 0000:42:00.0"},
		never: []string{"device-gone/storage", "device-gone/device", "sriov-state/failed"},
		naive: `(?i)broken|defect`, open: `(?i)offers a setting for ARI`,
	},
	{
		file:  "c75",
		want:  []string{"sriov-state/failed warning 0000:00:02.0"},
		never: []string{"sriov-state/offered", "bar-unassigned/memory"},
		naive: `(?i)out of memory|Arbeitsspeicher`, open: `(?i)same message`,
	},
}
