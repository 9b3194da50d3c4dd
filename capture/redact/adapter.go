package redact

import "bytes"

// wwnWord reads "wwpn 0x2100..." and "wwpn 2100...", as drivers of Fibre Channel
// say it.
func wwnWord(t *text, from, to int) {
	if !t.rules.has(logs) || to == len(t.line) || t.line[to] != ' ' {
		return
	}
	at := to + 1
	if bytes.HasPrefix(t.line[at:], []byte("0x")) {
		at += 2
	}
	if end := t.hexEnd(at); end-at == 16 {
		t.foundHexID(at, end, WWN)
	}
}

// hexEnd returns where the word of hexadecimal digits at from ends, from where
// there is none.
func (t *text) hexEnd(from int) int {
	end := from
	for end < len(t.line) && isHex(t.line[end]) {
		end++
	}
	if end < len(t.line) && isPart(t.line[end]) {
		return from
	}
	return end
}

// isSASAddress reports whether the sixteen digits at line[from:] are an address
// of SAS, by what prints such ones without a label: libsas ("sas: ex 5000...
// phy00:S:9 attached: 5000...", drivers/scsi/libsas/sas_expander.c), and
// smartpqi behind the four numbers of a device ("added 3:0:0:0 5000...").
func (t *text) isSASAddress(from int) bool {
	if t.line[from] != '5' || !t.rules.has(logs) { // NAA, SPC-4 section 7.8.6.6
		return false
	}
	before := t.line[:from]
	if bytes.Contains(before, []byte("sas: ")) || bytes.HasSuffix(before, []byte(" ex ")) || bytes.HasSuffix(before, []byte("attached: ")) {
		return true
	}
	before, ok := bytes.CutSuffix(before, []byte(" "))
	if !ok {
		return false
	}
	numbers := before[bytes.LastIndexByte(before, ' ')+1:]
	return bytes.Count(numbers, []byte(":")) == 3 && len(bytes.Trim(numbers, "0123456789:-")) == 0
}

// adapterSerial reads "AAC0: serial 9F1C2B3" at the end of a line
// (aac_get_adapter_info of drivers/scsi/aacraid) and "mem0: serial 0x..." of CXL.
func adapterSerial(t *text, from, to int) {
	if !t.rules.has(logs) || !bytes.HasSuffix(t.line[:from], []byte(": ")) || to+1 >= len(t.line) || t.line[to] != ' ' {
		return
	}
	if at := to + len(" 0x"); at < len(t.line) && string(t.line[to:at]) == " 0x" && t.hexEnd(at)-at == 16 { // of CXL memory
		t.foundHexID(at, at+16, Serial)
		return
	}
	if end := t.hexEnd(to + 1); end-to > 5 && len(bytes.TrimSpace(t.line[end:])) == 0 {
		t.foundSerial(to+1, end, Serial)
	}
}

// subsystemName takes the name of an NVMe subsystem that is none of the
// qualified ones.
func subsystemName(t *text, from, to int) {
	if s := t.line[from:to]; !bytes.HasPrefix(s, []byte("nqn.")) && isVolume(s) {
		t.foundName(from, to, "name", NQN)
	}
}

// otherHost reads the name of the machine at the other end of a cable, which
// follows "thunderbolt 0-1: new host found" on the next line of that device,
// behind its vendor (drivers/thunderbolt/xdomain.c).
func otherHost(t *text, from, to int) {
	s := t.line[from:min(len(t.line), from+maxValue)]
	colon := bytes.Index(s, []byte(": "))
	if colon < 0 || !t.rules.has(logs) {
		return
	}
	device, said := s[:colon], s[colon+2:]
	switch {
	case bytes.HasPrefix(said, []byte("new host found")):
		t.cable = string(device)
	case t.cable != "" && t.cable == string(device):
		t.cable = ""
		end := from + len(bytes.TrimRight(s, " \r"))
		if at := from + bytes.LastIndexByte(t.line[from:end], ' ') + 1; isVolume(t.line[at:end]) {
			t.foundHost(at, end)
		}
	}
}

// boardSerial reads "Serial : 10000000abcdef01" of /proc/cpuinfo
// (arch/arm/kernel/setup.c).
func boardSerial(t *text, from, to int) {
	if from == 0 && t.rules == models {
		label("", ":", models, asSerial(DMISerial))(t, from, to)
	}
}

func init() {
	const any = labels | logs
	for _, word := range []string{"WWPN", "WWNN"} {
		on(word, wwnWord)
	}
	on("ADDR", label("SAS", " ", logs, asHex(WWN)))
	on("SERIAL", adapterSerial, boardSerial)
	on("TSID", label("", " ", logs, asSerial(Serial)))
	on("SN", label("PCBA", " ", logs, asSerial(Serial)))
	on("N", slashed("Board S/", label("", " ", logs, asSerial(Serial))))
	on("NO", label("SERIAL", ":=", any, asSerial(Serial)))
	on("NQN", between(` "`, `"`, logs, subsystemName))
	on("SUBSYSTEM", between(" ", " for NQN ", logs, subsystemName))
	on("THUNDERBOLT", otherHost)
	on("SERVER", between(" ", " with error", logs, asHost), between(" ", "  returned", logs, asHost),
		between(" ", " error: ", logs, asHost), between(" ", " does not accept", logs, asHost))
	on("CELL", label("", " ", logs, asCell))
	for _, word := range []string{"PASSWORD", "PASSWD", "PASSPHRASE", "TOKEN", "SECRET"} {
		on(word, between(`","`, `"`, labels, asSecret)) // the next word of a command in JSON
	}
	for _, word := range []string{"C", "H"} {
		on(word, between(`","`, `"`, labels, asCommandHost))
	}
}

// asCell takes the cell of a server of AFS, a domain.
func asCell(t *text, from, to int) {
	if s := t.line[from:to]; bytes.IndexByte(s, '.') > 0 && isVolume(s) && !isAddress(s) {
		t.foundName(from, to, "dom", Domain)
	}
}

// asCommandHost takes the word behind -c, -h or -H of a command in JSON.
func asCommandHost(t *text, from, to int) {
	if before := t.line[:from-3]; bytes.HasSuffix(before[:len(before)-1], []byte(`"-`)) && isVolume(t.line[from:to]) && lettersOnly(t.line[from:from+1]) {
		t.foundHost(from, to)
	}
}
