package judge_test

// isolationCases are about IOMMU, groups and passthrough.
var isolationCases = []caseRow{
	{
		file:  "c64",
		want:  []string{"passthrough-fit/companions info 0000:01:00.0", "iommu-groups/shared info machine"},
		never: []string{"passthrough-fit/fit", "acs-override/active"},
		naive: `pcie_acs_override`, open: `(?i)do without the other devices`,
	},
	{
		file:  "c64-override",
		want:  []string{"acs-override/active warning machine", "iommu-groups/claimed info machine", "passthrough-fit/claimed info 0000:01:00.0", "parameters-that-hide/claims info machine"},
		never: []string{"passthrough-fit/fit", "iommu-groups/alone"},
		naive: `(?i)\bsafe to pass|kann gefahrlos`, open: `(?i)really reach past each other`,
	},
	{
		file:  "c64-disk",
		want:  []string{"passthrough-fit/host-disk info 0000:01:00.0", "iommu-groups/shared info machine"},
		never: []string{"passthrough-fit/fit", "passthrough-fit/companions"},
		naive: `(?i)could be passed|lässt sich durchreichen`,
	},
	{
		file:  "c65",
		want:  []string{"passthrough-fit/companions info 0000:01:00.0"},
		never: []string{"passthrough-fit/fit", "acs-override/active"},
		naive: `(?i)0000:00:01\.0|pcie_acs_override`, open: `(?i)do without`,
	},
	{
		file:  "c66",
		want:  []string{"passthrough-fit/refused info 0000:04:00.1"},
		never: []string{"passthrough-fit/fit", "passthrough-fit/companions", "iommu-groups/shared"},
		naive: `(?i)split|geteilt`, open: `(?i)what the firmware needs`,
	},
	{
		file:  "c67",
		want:  []string{"iommu-state/translating ok machine", "passthrough-fit/fit info 0000:01:00.0"},
		never: []string{"iommu-state/off", "iommu-state/inside", "firmware-bug/reported"},
		naive: `VT-d|IOMMU (is off|ist aus)`,
	},
	{
		file:  "c67-dom0",
		want:  []string{"iommu-state/inside unknown machine"},
		never: []string{"iommu-state/off", "iommu-state/no-iommu-groups", "irq-remapping/off"},
		naive: `VT-d|IOMMU (is off|ist aus)`, open: `(?i)without Linux seeing`,
	},
	{
		file:  "c69",
		want:  []string{"iommu-fault/running warning 0000:0b:00.0"},
		never: []string{"device-gone/storage", "device-gone/device", "kernel-trouble"},
		naive: `(?i)defect|broken|null pointer|corrupt`, open: `(?i)who caused.*\n.*ever been given out`,
	},
	{
		file:  "c69-reserved",
		want:  []string{"iommu-fault/boot notice 0000:05:00.0"},
		never: []string{"iommu-fault/running", "device-gone/storage", "device-gone/device"},
		naive: `(?i)defect|broken|corrupt`, open: `(?i)who caused`,
	},
	{
		file:  "c70",
		want:  []string{"nvme-remapped/remapped warning 0000:00:17.0"},
		never: []string{"vmd-active/active", "device-gone/storage", "device-gone/device"},
		naive: `(?i)no NVMe|keine NVMe`, open: `(?i)health and link`,
	},
	{
		file:  "c70-vmd",
		want:  []string{"vmd-active/active info 0000:00:0e.0"},
		never: []string{"nvme-remapped/remapped", "pcie-link-not-assessable", "osc-aer-denied/refused-nobody"},
		naive: `(?i)no drive|keine Laufwerke`, open: `(?i)RAID`,
	},
}
