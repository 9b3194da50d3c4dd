package judge

import (
	"strings"

	"hwcap/parse/diff"
	"hwcap/parse/fact"
)

// addressMoved names the devices that have another address than before. Bus
// numbers are handed out at each start in the order in which bridges are found
// (pci_scan_bridge_extend in drivers/pci/probe.c, and firmware before it), so
// that a card with a switch shifts all that comes behind it.
var addressMoved = Rule{
	ID: "pcie-address-moved", Area: Links,
	Sources: []string{"lspci-vvv", "pci"},
	// moved is a table: from, to, name, by (see diff.By), takenBy (the old address
	// where another device has it now, or ""), takenName. taken counts the rows with
	// takenBy; switches are new ports, which took bus numbers.
	Keys: []string{"moved", "taken", "switches"},
	Cases: []Case{
		{Name: "taken", Verdict: Problem, Severity: Notice, Confidence: Derived, Pair: true},
		{Name: "moved", Verdict: Problem, Severity: Notice, Confidence: Derived, Pair: true},
		{Name: "same", Verdict: OK, Confidence: Derived, Pair: true},
	},
	Compare: compareAddresses,
}

func compareAddresses(p *diff.Pair) []Finding {
	if len(p.Devices) == 0 {
		return nil
	}
	f := found("moved")
	rows := []map[string]any{}
	taken := 0
	for _, m := range p.Devices {
		if !m.Moved() {
			continue
		}
		row := map[string]any{"from": m.Old.Address, "to": m.New.Address, "name": m.New.Name, "by": string(m.By), "takenBy": "", "takenName": ""}
		f.citeOld("from", identityLines(m.Old, m.By)...)
		f.cite("to", identityLines(m.New, m.By)...)
		if other := p.New.Device(m.Old.Address); other != nil {
			row["takenBy"], row["takenName"] = other.Address, other.Name
			f.cite("taken", other.From)
			taken++
		}
		f.Subjects = append(f.Subjects, m.New.Address)
		rows = append(rows, row)
	}
	if len(rows) == 0 {
		f.Case, f.Subjects = "same", []string{Machine}
		f.Count = len(p.Devices)
		return []Finding{f}
	}
	switches := []string{}
	for _, d := range p.Added {
		if d.Bus != nil && strings.HasPrefix(d.Class, "0604") {
			switches = append(switches, d.Address)
			f.cite("switch", d.Bus.At)
		}
	}
	if taken > 0 {
		f.Case = "taken"
	}
	f.Count = len(rows)
	f.Values["moved"], f.Values["taken"], f.Values["switches"] = rows, taken, switches
	return []Finding{f}
}

// identityLines are the lines of d by which it was recognised.
func identityLines(d *fact.Device, by diff.By) []fact.Line {
	if by == diff.BySerial {
		return []fact.Line{d.From, d.Serial.At}
	}
	return []fact.Line{d.From}
}
