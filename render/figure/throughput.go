package figure

import (
	"fmt"
	"slices"
	"strings"

	"hwcap/parse/fact"
	"hwcap/parse/judge"
	"hwcap/render/device"
)

// The measures of the throughput charts, in millimetres.
const (
	plotLeft  = 47.0
	plotWidth = 84.0 // of the highest bar or ceiling
	figures   = plotLeft + plotWidth + 2
	thick     = 2.3 // bar
	nextBar   = 2.9 // from one bar to the next, as far as their figures need
	ruleRow   = 3.4 // a line of text
	mostRows  = 16  // of one chart
)

// chart is one comparison: what was measured, and what it cannot exceed.
type chart struct {
	name     string
	about    string // beside the name
	link     string // to its finding, "" for none
	rows     []measured
	hidden   int // rows that found no room
	ceilings []ceiling
	turn     int    // the row before which the accelerator takes the lead, 0 for none
	turnText string // said there
	foot     string
	unit     func(float64) string
}

// measured are the bars of what was measured in one way.
type measured struct {
	label string
	bars  []rateBar
	ratio float64 // of the first bar to the second, 0 where there is one alone
}

// rateBar is one measured rate.
type rateBar struct {
	who     string
	rate    float64
	offload bool
}

// ceiling is a rate that something on the way carries at most.
type ceiling struct {
	text string
	rate float64
}

// OffloadThroughput draws what was measured on an accelerator beside what the
// processor did in the same way, and what the PCIe path to the accelerator
// carries, for each algorithm that a finding compares. The findings must be
// those of the report, in its order. lang is "de" or "en".
func OffloadThroughput(m *fact.Machine, findings []judge.Finding, lang string) []*Scene {
	s := newSheet(m, lang)
	var charts []chart
	for i, f := range findings {
		if f.ID == "offload-vs-cpu" && f.Verdict == judge.Problem {
			charts = append(charts, s.offloads(f, fmt.Sprintf("#f-%d", i+1))...)
		}
	}
	legend := s.word("Schraffiert: der Beschleuniger; grau: die CPU; fett: der höhere Wert. ×: Beschleuniger geteilt durch CPU. Jeder Vergleich hat seinen eigenen Maßstab",
		"Hatched: the accelerator; grey: the CPU; bold: the higher figure. ×: accelerator divided by CPU. Each comparison has a scale of its own")
	if slices.ContainsFunc(charts, func(c chart) bool { return len(c.ceilings) > 0 }) {
		legend += s.word("; eine Obergrenze gilt für den Beschleuniger allein. 1\u00a0GB sind 10⁹\u00a0Byte, 1\u00a0MiB im Text 2²⁰", "; a ceiling holds for the accelerator alone. 1\u00a0GB is 10⁹\u00a0bytes, 1\u00a0MiB in the text 2²⁰")
	}
	return s.charts(m, charts, s.word("Gemessener Durchsatz: Beschleuniger und CPU", "Measured throughput: accelerator and CPU"), legend+".")
}

// NetThroughput draws the best that iperf3 measured over a network card beside
// what its ports and its PCIe path carry. The findings must be those of the
// report, in its order. lang is "de" or "en".
func NetThroughput(m *fact.Machine, findings []judge.Finding, lang string) []*Scene {
	s := newSheet(m, lang)
	var charts []chart
	seen := map[string]bool{}
	for i, f := range findings {
		card := str(f.Values["card"])
		if f.ID != "net-pcie-headroom" || f.Verdict == judge.Unknown || f.Values["measured"] != true || seen[card] {
			continue
		}
		seen[card] = true // a card and its port have a finding each
		to := ""
		if f.Verdict == judge.Problem {
			to = fmt.Sprintf("#f-%d", i+1)
		}
		charts = append(charts, s.network(m, f, card, to))
	}
	return s.charts(m, charts, s.word("Gemessener Durchsatz im Netz und seine Obergrenzen", "Measured network throughput and its ceilings"),
		s.word("Was der PCIe-Weg trägt, gilt je Richtung und vor den Köpfen der Pakete, die 10 bis 20 % davon brauchen.",
			"What the PCIe path carries is for one direction, before packet headers, which take 10 to 20% of it."))
}

func str(v any) string      { s, _ := v.(string); return s }
func number(v any) float64  { x, _ := v.(float64); return x }
func whole(v any) int       { n, _ := v.(int); return n }
func table(v any) []mapping { t, _ := v.([]map[string]any); return t }

type mapping = map[string]any

// operations are what a benchmark did, as the report's tables call it.
var operations = map[string][2]string{
	"encrypt": {"verschlüsseln", "encrypt"}, "decrypt": {"entschlüsseln", "decrypt"}, "sign": {"signieren", "sign"}, "verify": {"prüfen", "verify"},
	"derive": {"ableiten", "derive"}, "keygen": {"Schlüssel erzeugen", "generate keys"}, "encapsulate": {"einkapseln", "encapsulate"}, "decapsulate": {"auspacken", "decapsulate"},
}

// offloads makes the charts of one algorithm: one, or one for each operation
// where operations are counted, of which some take a hundred times as long as others.
func (s *sheet) offloads(f judge.Finding, to string) []chart {
	about := str(f.Values["tool"])
	if about == "note" {
		about = s.word("aus einer Notiz", "from a note")
	}
	base := chart{about: about, link: to}
	if len(f.Subjects) > 0 {
		base.name = f.Subjects[0]
	}
	byOperation := map[string]*chart{}
	var order []*chart
	of := func(r mapping) *chart {
		operation := ""
		if f.Values["unit"] == "ops" {
			operation = str(r["operation"])
		}
		if byOperation[operation] == nil {
			c := base
			if words, ok := operations[operation]; ok {
				c.name += ", " + s.word(words[0], words[1])
			}
			byOperation[operation] = &c
			order = append(order, &c)
		}
		return byOperation[operation]
	}
	cpu, offload := "CPU", s.word("Beschleuniger", "accelerator")
	for _, r := range table(f.Values["rows"]) {
		c := of(r)
		row := measured{label: s.manner(r), ratio: number(r["ratio"]), bars: []rateBar{{offload, number(r["offload"]), true}, {cpu, number(r["cpu"]), false}}}
		if from := whole(f.Values["fromBytes"]); from > 0 && len(c.rows) > 0 && c.turn == 0 && whole(r["blockBytes"]) == from {
			c.turn = len(c.rows)
			c.turnText = fmt.Sprintf(s.word("ab %s führt der Beschleuniger", "from %s on the accelerator leads"), s.num.Size(int64(from)))
		}
		c.rows = append(c.rows, row)
	}
	if len(order) == 0 {
		return nil
	}
	for _, r := range table(f.Values["alone"]) {
		c := of(r)
		c.rows = append(c.rows, measured{label: s.manner(r), bars: []rateBar{{offload, number(r["figure"]), true}}})
	}
	var out []chart
	for _, c := range order {
		if c.turn > 0 && !c.splits() {
			c.turn = 0
		}
		if limit := number(f.Values["ceilingGBs"]); limit > 0 && f.Values["unit"] != "ops" {
			c.ceilings = []ceiling{{s.word("PCIe-Weg zum Beschleuniger", "PCIe path to the accelerator"), limit * 1e9}}
			c.foot = fmt.Sprintf(s.word("Der Beschleuniger erreichte höchstens %s %% dessen, was sein PCIe-Weg trägt.", "At most, the accelerator reached %s%% of what its PCIe path carries."), s.num.Num(number(f.Values["share"])))
		}
		switch {
		case f.Values["unit"] == "ops":
			c.unit = s.perSecond
		case len(c.ceilings) > 0:
			c.unit = s.bytes(c.most())
		default:
			c.unit = s.binary
		}
		out = append(out, *c)
	}
	return out
}

// manner says how a row was measured, as far as rows differ in it.
func (s *sheet) manner(r mapping) string {
	var parts []string
	if words, ok := operations[str(r["operation"])]; ok && r["ops"] != true {
		parts = append(parts, s.word(words[0], words[1]))
	}
	if n := whole(r["keyBits"]); n > 0 && r["ops"] != true {
		parts = append(parts, fmt.Sprintf("%d\u00a0%s", n, s.word("Bit", "bits")))
	}
	if n := whole(r["blockBytes"]); n > 0 {
		parts = append(parts, s.num.Size(int64(n)))
	}
	switch n := whole(r["threads"]); {
	case n > 1:
		parts = append(parts, s.num.Num(float64(n))+"\u00a0"+s.word("zugleich", "at once"))
	case len(parts) == 0:
		parts = append(parts, s.word("einzeln", "one at a time"))
	}
	if n := whole(r["jobs"]); n > 0 {
		parts = append(parts, s.count(n, s.word("Auftrag", "job"), s.word("Aufträge", "jobs")))
	}
	return strings.Join(parts, ", ")
}

// network makes the chart of one card.
func (s *sheet) network(m *fact.Machine, f judge.Finding, card, to string) chart {
	gbps := func(x float64) string { return s.decimals(x/1e9, 2) + "\u00a0Gbit/s" }
	c := chart{name: s.address(card), about: device.Name(m.Device(card)), link: to, unit: gbps}
	label := s.word("iperf3, bester Lauf", "iperf3, best run")
	if n := whole(f.Values["streams"]); n > 0 {
		label += ", " + s.count(n, s.word("Strom", "stream"), s.word("Ströme", "streams"))
	}
	c.rows = []measured{{label: label, bars: []rateBar{{s.word("gemessen", "measured"), number(f.Values["measuredGbps"]) * 1e9, true}}}}
	for _, l := range []struct {
		text string
		gbps any
	}{
		{s.word("Ports, ausgehandelt", "ports, as negotiated"), f.Values["needGbps"]},
		{s.word("PCIe-Weg zur Karte", "PCIe path to the card"), f.Values["pathGbps"]},
	} {
		if rate := number(l.gbps); rate > 0 {
			c.ceilings = append(c.ceilings, ceiling{l.text, rate * 1e9})
		}
	}
	if percent := number(f.Values["measuredPercent"]); percent > 0 {
		c.foot = fmt.Sprintf(s.word("Gemessen: %s %% der niedrigeren Obergrenze.", "Measured: %s%% of the lower ceiling."), s.num.Num(percent))
	}
	return c
}

// splits reports whether the accelerator leads in no row above the turn and in
// every one below.
func (c *chart) splits() bool {
	for i, r := range c.rows {
		if r.ratio > 0 && (r.ratio > 1) != (i >= c.turn) {
			return false
		}
	}
	return true
}

// most is the highest rate of a chart, ceilings included.
func (c *chart) most() float64 {
	most := 0.0
	for _, r := range c.rows {
		for _, b := range r.bars {
			most = max(most, b.rate)
		}
	}
	for _, l := range c.ceilings {
		most = max(most, l.rate)
	}
	return most
}
