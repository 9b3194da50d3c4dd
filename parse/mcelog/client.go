package mcelog

import (
	"strconv"
	"strings"

	"hwcap/parse/fact"
)

// module reads a line of mcelog --client:
//
//	SOCKET 0 CHANNEL 1 DIMM 0
//	DMI_NAME "A1" DMI_LOCATION "NODE 0"
//	corrected memory errors:
//		3 total
//		2 in 24h
//
// A total of a kind is left out only where it is zero (dump_errtype of memdb.c).
func (p *parser) module(text string, at fact.Line) bool {
	if name, ok := moduleOf(text); ok {
		p.endCheck()
		p.endDIMM()
		p.dimm = &fact.DIMMCount{Label: name, At: at}
		return true
	}
	switch {
	case text == "Memory errors", strings.HasPrefix(text, "Per page corrected memory statistics"):
		p.endCheck()
		p.endDIMM()
		p.result.Unread.Ignored++
		return true
	case isPage(text):
		p.result.Unread.Ignored++
		return true
	case p.dimm == nil:
		return false
	case strings.HasPrefix(text, "DMI_"):
		p.name(text)
	case text == "corrected memory errors:":
		p.count = &p.dimm.Corrected
		p.result.Unread.Ignored++
	case text == "uncorrected memory errors:":
		p.count = &p.dimm.Uncorrected
		p.dimm.UncorrectedAt = at
		p.result.Unread.Ignored++
	default:
		return p.total(text, at)
	}
	return true
}

// total reads "3 total" of the kind at hand; "3 in 24h" is part of it.
func (p *parser) total(text string, at fact.Line) bool {
	number, what, ok := strings.Cut(text, " ")
	n, err := strconv.ParseInt(number, 10, 64)
	if !ok || err != nil || n < 0 || p.count == nil || what != "total" && !strings.HasPrefix(what, "in ") {
		return false
	}
	if what != "total" {
		p.result.Unread.Ignored++
		return true
	}
	*p.count = n
	p.totals++
	if p.count == &p.dimm.Uncorrected {
		p.dimm.UncorrectedAt = at
	} else {
		p.dimm.At = at
	}
	return true
}

// name takes the module's name from DMI as its label.
func (p *parser) name(text string) {
	for _, field := range strings.Split(text, `" `) {
		key, v, ok := strings.Cut(field, ` "`)
		v = strings.TrimSpace(strings.TrimSuffix(v, `"`))
		if ok && key == "DMI_NAME" && v != "" && p.dimm.Location == "" {
			p.dimm.Label, p.dimm.Location = strings.Clone(v), p.dimm.Label
		}
	}
}

// moduleOf reads "SOCKET 0 CHANNEL any DIMM any". The kernel prints "SOCKET 0
// APIC 0" with a machine check.
func moduleOf(text string) (string, bool) {
	if !strings.HasPrefix(text, "SOCKET ") {
		return "", false
	}
	words := strings.Fields(text)
	if len(words) != 6 || words[2] != "CHANNEL" || words[4] != "DIMM" {
		return "", false
	}
	return strings.Join(words, " "), true
}

// isPage reports whether a line counts the errors of one page: "12345000: total
// 3 2 in 24h online".
func isPage(text string) bool {
	page, rest, ok := strings.Cut(text, ": total ")
	if !ok || !strings.Contains(rest, "line") {
		return false
	}
	_, err := strconv.ParseUint(page, 16, 64)
	return err == nil
}

// endDIMM keeps the open module. One without totals was not read to its end.
func (p *parser) endDIMM() {
	if p.dimm == nil {
		return
	}
	d, totals := *p.dimm, p.totals
	p.dimm, p.count, p.totals = nil, nil, 0
	switch {
	case totals == 0:
		p.problem(d.At.Text, d.At, "is a module without counters")
	case p.room(d.At, len(d.UncorrectedAt.Text)):
		p.result.DIMMs = append(p.result.DIMMs, d)
	}
}
