package judge

// xidMeaning is what is known of one number of NVIDIA's driver ("Xid").
type xidMeaning struct {
	Number string
	Grade  string // the case of gpu-lost that it makes
	De, En string
}

// xidMeanings are the numbers that say something of the hardware, and the two
// that programs cause. Source: NVIDIA's list of Xid errors
// (https://docs.nvidia.com/deploy/xid-errors/).
var xidMeanings = []xidMeaning{
	{"79", "lost", "die Karte ist vom Bus verschwunden", "the card has fallen off the bus"},
	{"13", "program", "ein Programm griff in der Grafikkarte daneben", "a program accessed something wrong inside the graphics card"},
	{"31", "program", "ein Programm griff auf eine Speicherseite zu, die es nicht gibt", "a program accessed a memory page that does not exist"},
	{"32", "error", "fehlerhafter Befehlspuffer; auch ein Fehler auf dem PCIe-Link kommt in Frage", "malformed command buffer; an error on the PCIe link is possible too"},
	{"38", "error", "Fehler der Firmware des Treibers", "error of the driver's firmware"},
	{"43", "program", "ein Programm wurde auf der Karte angehalten", "a program was stopped on the card"},
	{"45", "program", "der Treiber räumte nach einem beendeten Programm auf", "the driver cleaned up after a program that ended"},
	{"48", "error", "nicht korrigierbarer Fehler im Speicher der Karte", "uncorrectable error in the card's memory"},
	{"61", "error", "der interne Controller der Karte meldete eine Warnung", "the card's internal controller gave a warning"},
	{"62", "error", "der interne Controller der Karte blieb stehen", "the card's internal controller stopped"},
	{"63", "error", "eine schadhafte Stelle im Speicher der Karte ist zum Ersetzen vorgemerkt", "a bad place in the card's memory is marked for replacement"},
	{"64", "error", "eine schadhafte Stelle im Speicher der Karte ließ sich nicht ersetzen", "a bad place in the card's memory could not be replaced"},
	{"74", "error", "Fehler auf NVLink", "error on NVLink"},
	{"92", "error", "viele korrigierte Fehler im Speicher der Karte", "many corrected errors in the card's memory"},
	{"94", "error", "nicht korrigierbarer Fehler, auf ein Programm begrenzt", "uncorrectable error, contained to one program"},
	{"95", "error", "nicht korrigierbarer Fehler, nicht begrenzt", "uncorrectable error, not contained"},
	{"119", "error", "die Firmware der Karte (GSP) antwortet nicht", "the card's firmware (GSP) does not answer"},
	{"120", "error", "Fehler der Firmware der Karte (GSP)", "error of the card's firmware (GSP)"},
	{"154", "error", "der Treiber nennt, was zur Wiederherstellung nötig ist (etwa ein Zurücksetzen)", "the driver says what recovery takes (a reset, say)"},
}

// knownXid returns what is known of a number; of one that is not in the table,
// only that the driver reported it.
func knownXid(number string) xidMeaning {
	for _, x := range xidMeanings {
		if x.Number == number {
			return x
		}
	}
	return xidMeaning{Number: number, Grade: "error"}
}
