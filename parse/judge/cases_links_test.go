package judge_test

// linkDisplayCases are links whose figures mislead.
var linkDisplayCases = []caseRow{
	{
		file: "c01", want: []string{"pcie-link-speed/idle info 0000:01:00.0", "pcie-link-width/full ok 0000:01:00.0"},
		naive: `(?i)riser|downgraded|slower`, open: `under load`,
	},
	{
		file: "c02", want: []string{"pcie-link-speed/port-limit info 0000:0a:00.0", "pcie-oncard-switch/constant info 0000:0c:00.0"},
		never: []string{"pcie-link-width/narrow", "pcie-link-speed/full ok 0000:0c:00.0", "evidence-conflict/link"}, open: `firmware setting limits`,
	},
	{
		file: "c04", want: []string{"pcie-link-width/narrow warning 0000:2d:00.0", "pcie-oncard-switch/constant info 0000:2f:00.0"},
		never: []string{"pcie-link-width/full ok 0000:2f:00.0"},
		naive: `(?i)misread|misreport`, open: `Which of the causes`,
	},
	{
		file: "c05", want: []string{"pcie-link-width/split info 0000:01:00.0", "pcie-link-width/split info 0000:04:00.0"},
		never: []string{"pcie-link-width/narrow", "pcie-link-width/full ok"}, naive: `(?i)defect|fault|lost`, open: `lanes are shared`,
	},
	{
		file: "c06", want: []string{"pcie-link-speed/idle info 0001:01:00.0", "pcie-link-width/board-wiring info 0001:01:00.0"},
		never: []string{"pcie-link-width/narrow"}, naive: `(?i)reseat|missing|another slot`, open: `under load`,
	},
	{
		file: "c08", want: []string{"pcie-link-not-assessable/tunnel unknown 0000:61:00.0", "pcie-link-width/port-limit info 0000:63:00.0"},
		never: []string{"pcie-path-bottleneck", "pcie-switch-translates", "pcie-link-width/narrow"}, open: `tunnel really carries`,
	},
	{
		file: "c09", want: []string{"pcie-link-not-assessable/tunnel unknown 0000:05:00.0"},
		never: []string{"pcie-link-speed", "pcie-link-width", "pcie-path-bottleneck"}, naive: `(?i)limited to|held`, open: `tunnel really carries`,
	},
	{
		file: "c10", want: []string{"pcie-link-flapping/link-lost warning 0000:05:00.0", "pcie-bandwidth-message/tunnel info 0000:05:00.0"},
		never: []string{"pcie-bandwidth-message/limited", "pcie-path-bottleneck"}, open: `What makes it break`,
	},
	{
		file: "c11", want: []string{"pcie-link-speed/stuck warning 0000:01:00.0"},
		never: []string{"pcie-link-speed/idle"}, naive: `(?i)normal`, open: `Why the link was slow at boot`,
	},
	{
		file: "c13", want: []string{"pcie-bandwidth-message/all-ones notice 0000:04:00.0"},
		never: []string{"pcie-bandwidth-message/limited", "pcie-bandwidth-message/full"}, naive: `x63|1,?984`, open: `(?i)why`,
	},
	{
		file: "c13-again", want: []string{"pcie-bandwidth-message/all-ones-again warning 0000:04:00.0"},
		never: []string{"pcie-bandwidth-message/limited", "pcie-bandwidth-message/changed"}, naive: `x63|1,?984`, open: `(?i)why`,
	},
	{
		file: "c14-old", want: []string{"pcie-link-speed/card-limit info 0000:02:00.0"}, naive: `(?i)downgraded`,
	},
	{
		file: "c14-empty", want: []string{"pcie-slot-empty/empty ok 0000:00:1c.0"}, never: []string{"pcie-link-"}, naive: `(?i)downgraded`,
	},
	{
		file: "c14-new", want: []string{"pcie-link-speed/slow warning 0000:02:00.0"}, open: `(?i)which`,
	},
	{
		file: "c15", want: []string{"pcie-link-speed/port-limit info 0000:81:00.0"},
		never: []string{"pcie-link-not-assessable", "pcie-link-speed/slow", "evidence-conflict/link"},
	},
	{
		file: "c15-text", want: []string{"pcie-link-not-assessable/speed-unknown unknown 0000:17:00.0"},
		never: []string{"pcie-link-speed", "pcie-link-width/narrow"}, open: `speed is not known`,
	},
}

// laneCases are widths and speeds that the board, the firmware or the seat decide.
var laneCases = []caseRow{
	{
		file: "c17", want: []string{"pcie-link-width/port-limit info 0000:03:00.0"}, never: []string{"pcie-link-width/narrow"}, naive: `(?i)reseat|lost|missing`,
	},
	{
		file: "c18", want: []string{"pcie-path-bottleneck/shared info 0000:03:00.0"}, open: `bottleneck in use`,
	},
	{
		file: "c20-apu", want: []string{"pcie-link-width/port-limit info 0000:01:00.0"}, never: []string{"pcie-link-width/narrow"},
	},
	{
		file: "c20-card", want: []string{"pcie-link-width/card-limit info 0000:01:00.0"}, never: []string{"pcie-link-width/narrow"},
	},
	{
		file: "c20-lane", want: []string{"pcie-link-width/narrow warning 0000:01:00.0"}, naive: `(?i)defect`, open: `(?i)which`,
	},
	{
		file: "c21", want: []string{"pcie-link-width/narrow warning 0000:03:00.0"}, naive: `(?i)defect`, open: `(?i)which`,
	},
	{
		file: "c22", want: []string{"pcie-link-width/board-wiring info 0000:01:00.0"}, never: []string{"pcie-link-width/narrow", "pcie-link-speed/slow"}, open: `wiring itself`,
	},
	{
		file: "c24", want: []string{"pcie-link-speed/slow warning 0000:02:00.0", "pcie-link-speed/full ok 0000:01:00.0"}, never: []string{"pcie-link-speed/card-limit"}, open: `(?i)which`,
	},
	{
		file: "c25", want: []string{"pcie-link-width/narrow warning 0000:03:00.0"}, open: `(?i)which`,
	},
	{
		file: "c26", want: []string{"pcie-slot-empty/listed-empty ok machine"}, naive: `(?i)defect|dead`, open: `cannot be told apart`,
	},
}

// noLinkCases are links that are none.
var noLinkCases = []caseRow{
	{
		file: "c27", want: []string{"pcie-slot-empty/empty ok 0000:00:1c.0"}, never: []string{"pcie-link-"}, open: `not detected|cannot be told apart`,
	},
	{
		file: "c27-in-use", want: []string{"pcie-slot-empty/in-use notice 0000:00:1c.0"}, never: []string{"pcie-link-"}, naive: `(?i)dead|critical`, open: `That a card is there`,
	},
	{
		file: "c29", want: []string{"pcie-link-not-assessable/virtual-machine unknown machine"}, never: []string{"pcie-link-width", "pcie-link-speed"}, open: `cannot be seen`,
	},
	{
		file: "c31", want: []string{"pcie-link-width/card-limit info 0000:01:00.0"}, never: []string{"pcie-link-width/narrow", "pcie-link-speed/slow"},
	},
}
