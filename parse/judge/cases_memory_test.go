package judge_test

// memoryCases are about memory errors, machine checks and the boot before.
var memoryCases = []caseRow{
	{
		file:  "c89",
		want:  []string{"mem-errors/many warning CPU_SrcID#1_MC#1_Chan#1_DIMM#0"},
		never: []string{"mem-errors/uncorrected", "mem-errors/corrected"},
		naive: `P1-DIMM`, open: `(?i)printed on the board`,
	},
	{
		file:  "c89-few",
		want:  []string{"mem-errors/corrected notice CPU_SrcID#1_MC#1_Chan#1_DIMM#0"},
		never: []string{"mem-errors/many", "mem-errors/uncorrected"},
		naive: `(?i)replace|ersetzen`, open: `(?i)getting worse`,
	},
	{
		file:  "c89-ue",
		want:  []string{"mem-errors/uncorrected critical CPU_SrcID#1_MC#1_Chan#1_DIMM#0"},
		never: []string{"mem-errors/corrected", "mem-errors/many"},
		naive: `P1-DIMM`, open: `(?i)label may be assigned wrongly`,
	},
	{
		file:  "c92",
		want:  []string{"mem-errors/check-thermal notice machine"},
		never: []string{"mem-errors/check-uncorrected", "mem-errors/check-corrected", "mem-errors/check-undecoded"},
		naive: `(?i)hardware is|Prozessor ist defekt`, open: `(?i)how warm`,
	},
	{
		file:  "c93",
		want:  []string{"previous-boot-error/recorded warning machine"},
		never: []string{"mem-errors/check", "previous-boot-error/repeated"},
		naive: `(?i)\bnow\b|\bjetzt\b`, open: `(?i)new or has been lying`,
	},
	{
		file:  "c93-again",
		want:  []string{"previous-boot-error/repeated info machine"},
		never: []string{"previous-boot-error/recorded"},
		naive: `(?i)\bnow\b|\bjetzt\b`, open: `(?i)twice by chance`,
	},
	{
		file:  "c94",
		want:  []string{"mem-errors/check-uncorrected critical machine", "previous-boot-error/reset warning machine"},
		never: []string{"mem-errors/uncorrected", "mem-errors/check-corrected"},
		naive: `(?i)(processor|CPU|core|Prozessor|Kern) (is|ist) (broken|defekt|defective|kaputt)`, open: `(?i)processor or a memory module is broken`,
	},
	{
		file:  "c95-load",
		want:  []string{"mem-errors/check-corrected notice machine"},
		never: []string{"mem-errors/check-boot", "mem-errors/check-link"},
		naive: `(?i)overclocked|übertaktet`, open: `(?i)clock and voltage`,
	},
	{
		file:  "c95-link",
		want:  []string{"mem-errors/check-link warning machine"},
		never: []string{"mem-errors/check-boot", "mem-errors/check-corrected", "mem-errors/corrected"},
		naive: `(?i)processor is broken|Prozessor ist`, open: `(?i)which link`,
	},
	{
		file:  "c95-boot",
		want:  []string{"mem-errors/check-boot info machine"},
		never: []string{"mem-errors/check-uncorrected", "mem-errors/check-corrected", "mem-errors/check-memory"},
		naive: `(?i)broken|defekt`, open: `(?i)ended for it`,
	},
	{
		file:  "c96",
		want:  []string{"mem-errors/ecc-off info machine"},
		never: []string{"mem-errors/none", "mem-errors/no-driver"},
		naive: `\b30\b|\b60\b`, open: `(?i)modules fitted would have ECC`,
	},
	{
		file:  "c96-modules",
		want:  []string{"mem-errors/ecc-off info machine"},
		never: []string{"mem-errors/none", "mem-errors/no-driver"},
		naive: `(?i)no ECC modules|keine ECC-Module`, open: `(?i)not always reliable`,
	},
	{
		file:  "c96-nothing",
		want:  []string{"mem-errors/no-driver unknown machine"},
		never: []string{"mem-errors/ecc-off", "mem-errors/none"},
		naive: `(?i)has no ECC|ohne ECC`, open: `(?i)ECC`,
	},
}
