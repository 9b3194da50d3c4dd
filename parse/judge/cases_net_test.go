package judge_test

// netCases are network ports that are slow or not, and why.
var netCases = []caseRow{
	{
		file: "c32", want: []string{"net-pcie-headroom/short notice 0000:01:00.0", "pcie-bandwidth-message/limited info 0000:01:00.0", "pcie-link-width/port-limit info 0000:01:00.0"},
		never: []string{"pcie-link-width/narrow"}, open: `more lanes or the card is not seated`,
	},
	{
		file: "c32-old", want: []string{"net-pcie-headroom/short notice 0000:07:00.0", "pcie-link-width/narrow warning 0000:07:00.0"},
		open: `more lanes or the card is not seated`,
	},
	{
		file: "c32-1g", want: []string{"net-pcie-headroom/enough ok 0000:01:00.0"},
		never: []string{"net-pcie-headroom/short", "pcie-link-width/narrow", "pcie-link-speed/slow"},
	},
	{
		file: "c33", want: []string{"net-link-speed/downshift warning eth0"}, never: []string{"pcie-link-speed", "pcie-link-width"}, open: `At which end`,
	},
	{
		// That it comes and goes is the same cable: one finding.
		file: "c33-driver", want: []string{"net-link-speed/downshift warning enp2s0"},
		never: []string{"pcie-link-flapping", "net-link-speed/flapping", "pcie-link-speed/slow"}, open: `At which end`,
	},
	{
		file: "c35", want: []string{"pcie-link-flapping/network warning enp3s0"},
		never: []string{"net-link-speed/flapping"}, naive: `(?i)defect|broken|replace`, open: `cable, link partner, power saving or driver`,
	},
	{
		file: "c36", want: []string{"net-pcie-headroom/not-assessable unknown 0000:2e:00.0", "pcie-link-not-assessable/tunnel unknown 0000:2a:00.0"},
		never: []string{"net-pcie-headroom/short", "pcie-path-bottleneck", "pcie-link-speed/slow"}, naive: `(?i)limited by`, open: `what the tunnel really carries`,
	},
}
