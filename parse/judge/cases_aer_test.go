package judge_test

// aerCases are errors that the wrong part is blamed for, or that are hidden.
var aerCases = []caseRow{
	{
		file: "c37", want: []string{"aer-errors/above-yardstick warning 0000:03:00.0", "aspm-state/on info machine"},
		never: []string{"aer-errors/above-yardstick warning 0000:00:1c.5", "device-gone/device", "aer-latent-bits"}, naive: `(?i)defect|noaer|pcie_aspm=off|ID00e5`, open: `What caused the errors`,
	},
	{
		file: "c37-rare", want: []string{"aer-errors/few info 0000:03:00.0"},
		never: []string{"device-gone/device", "aer-latent-bits"}, naive: `(?i)defect|noaer|pcie_aspm=off|ID00e5`, open: `What caused the errors`,
	},
	{
		file: "c38", want: []string{"aer-errors/ongoing warning 0000:02:00.0", "aspm-state/on info machine"}, naive: `pcie_aspm=off`, open: `What caused the errors`,
	},
	{
		file: "c38-quiet", want: []string{"aer-errors/hidden unknown machine", "osc-aer-denied/never-asked notice PNP0A08:00", "parameters-that-hide/hides info machine"},
		never: []string{"aer-errors/none"}, naive: `(?i)fixed|solved|proven`, open: `nobody reads`,
	},
	{
		file: "c38-old", want: []string{"aer-latent-bits/link notice 0000:02:00.0", "aer-reporting-off/port-off warning 0000:00:1d.0"}, never: []string{"aer-errors/none"}, open: `When and how often`,
	},
	{
		file: "c40", want: []string{"aspm-state/known-broken warning 0000:02:00.0", "aer-errors/above-yardstick warning 0000:02:00.0"},
		naive: `(?i)defect|noaer`, open: `errors on this machine`,
	},
	{
		file: "c41", want: []string{"aer-errors/few info 0000:06:00.0", "aspm-state/on info machine"},
		never: []string{"aer-errors/few info 0000:00:1d.3"}, naive: `noaer`, open: `What caused the errors`,
	},
	{
		file: "c42", want: []string{"aer-errors/ongoing warning 0000:05:00.0"}, naive: `(?i)defect|pcie_aspm=off`, open: `What caused the errors`,
	},
	{
		file: "c44", want: []string{"gpu-lost/lost critical 0000:01:00.0", "aer-errors/ongoing warning 0000:01:00.0"},
		naive: `pcie_ports=native`, open: `Whether the link or the card failed first`,
	},
	{
		file: "c44-refused", want: []string{"osc-aer-denied/refused-nobody warning PNP0A08:00", "aer-errors/hidden unknown machine"},
		never: []string{"aer-errors/none"}, open: `firmware keeps a log`,
	},
	{
		file: "c44-native", want: []string{"osc-aer-denied/refused-native info PNP0A08:00"}, never: []string{"osc-aer-denied/refused-nobody"}, open: `\w`,
	},
	{
		file: "c45", want: []string{"aer-errors/ongoing warning 0000:0a:00.0", "gpu-lost/hang warning 0000:0a:00.0"},
		naive: `(?i)host bridge|0000:00:00\.0|noaer`, open: `What caused the errors`,
	},
	{
		file: "c46", want: []string{"aer-errors/nonfatal warning 0000:0a:00.0"}, naive: `(?i)hardware|defect`, open: `What caused the errors`, says: `memory write at address 0xfffc0e80; the request came from 0000:0a:00.0`,
	},
	{
		file: "c48", want: []string{"aer-errors/fatal critical 0000:06:00.0"}, naive: `(?i)replace|defect`, open: `What caused the errors`, says: `AtomicOp`,
	},
	{
		file: "c49", want: []string{"aer-errors/nonfatal warning 0000:81:00.0", "pcie-link-not-assessable/tunnel unknown 0000:84:00.0"},
		never: []string{"pcie-path-bottleneck", "pcie-switch-translates", "device-gone/device"}, naive: `(?i)security|attack`, open: `Whether data was lost`, says: `message \(PTM Request\); it came from below the port`,
	},
	{
		file: "c49-contained", want: []string{"dpc-state/event critical 0000:00:1b.0", "aer-errors/nonfatal warning 0000:01:00.0"},
		naive: `(?i)security|attack|defect`, open: `That data is lost`,
	},
	{
		file: "c50", want: []string{"aer-errors/past notice 0000:01:00.0"}, naive: `(?i)defect|broken`, open: `What caused the errors`,
	},
	{
		file: "c51", want: []string{"aer-errors/fatal critical 0000:01:00.0"},
		never: []string{"aer-errors/fatal critical 0000:00:1c.0"}, naive: `(?i)root port`, open: `What caused the errors`, says: `could not be read any more`,
	},
	{
		file: "c52", want: []string{"aer-latent-bits/link notice 0000:01:00.0"}, never: []string{"aer-errors/ongoing", "aer-errors/few"}, open: `When and how often`,
	},
	{
		file: "c52-source", want: []string{"aer-errors/nonfatal warning 0000:01:00.0"}, open: `named no sender`,
	},
	{
		file: "c53", want: []string{"aer-latent-bits/link notice 0000:00:1c.0", "aer-reporting-off/port-off warning 0000:00:1c.0"}, never: []string{"aer-errors/none"}, open: `When and how often`,
	},
	{
		file: "c53-noaer", want: []string{"aer-errors/hidden unknown machine", "osc-aer-denied/never-asked notice PNP0A08:00", "parameters-that-hide/hides info machine"},
		never: []string{"aer-errors/none"}, naive: `(?i)fixed|no errors`, open: `means nothing`,
	},
	{
		file: "c53-nommconf", want: []string{"aer-errors/hidden unknown machine", "osc-aer-denied/never-asked notice PNP0A08:00", "parameters-that-hide/hides info machine"},
		never: []string{"aer-errors/none"}, naive: `(?i)fixed|no errors`, open: `means nothing`,
	},
}
