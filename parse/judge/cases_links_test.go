package judge_test

// linkDisplayCases are links whose figures mislead.
var linkDisplayCases = []caseRow{
	{
		file: "c01", want: []string{"pcie-link-speed/idle info 0000:01:00.0", "pcie-link-width/full ok 0000:01:00.0"},
		naive: `(?i)riser|downgraded|slower`, open: `(?i)load`,
	},
}
