package render

import (
	"cmp"
	"slices"
	"strings"

	"hwcap/parse/fact"
	"hwcap/parse/judge"
	"hwcap/render/escape"
)

// questions are the labels of what only someone at the machine can answer, in
// the order in which supporters ask.
var questions = []string{"question-slot", "question-changed", "question-load", "question-expected", "question-swapped", "question-firmware"}

// Questions are the questions in the report's language.
func (r *Report) Questions() ([]string, error) {
	var out []string
	for _, key := range questions {
		s, err := r.catalogue.Label(r.Lang, key)
		if err != nil {
			return nil, err
		}
		out = append(out, s)
	}
	return out, nil
}

// Check is one line of the support checklist; both are Markdown.
type Check struct {
	Item, Answer string
}

// Checklist is the list that supporters ask for, filled in from the capture.
// What it does not hold is left blank.
func (r *Report) Checklist() ([]Check, error) { return r.checks(escape.Markdown, escape.Code) }

func (r *Report) checks(text, code func(string) string) ([]Check, error) {
	p := r.Machine.Platform
	rows := []struct {
		label  string
		answer string
	}{
		{"check-problem", ""},
		{"check-repeat", ""},
		{"check-machine", words(text, p.Vendor, p.Product, p.BoardVendor, p.Board)},
		{"check-firmware", words(text, p.BIOSVendor, p.BIOSVersion, r.date(p.BIOSDate))},
		{"check-cpu", words(text, p.CPU)},
		{"check-os", words(text, p.OS)},
		{"check-kernel", words(text, p.Kernel)},
		{"check-cmdline", words(code, p.Cmdline)},
		{"check-rights", cmp.Or(r.rights(), r.label("rights-unknown"))},
		{"check-lspci", r.label(r.lspciComplete())},
		{"check-log", r.label(r.logFromBoot())},
	}
	var out []Check
	for _, row := range rows {
		item, err := r.catalogue.Label(r.Lang, row.label)
		if err != nil {
			return nil, err
		}
		if row.answer == "" {
			row.answer = r.label("blank")
		}
		out = append(out, Check{item, row.answer})
	}
	return out, nil
}

// label returns the report's word for a key that the table above names; the
// loader has checked that it is there.
func (r *Report) label(key string) string {
	s, _ := r.catalogue.Label(r.Lang, key)
	return s
}

// lspciComplete says whether lspci printed the registers of all devices: with
// -vv and as root, which alone gives LnkSta.
func (r *Report) lspciComplete() string {
	m := r.Machine
	registers := slices.ContainsFunc(m.PCI, func(d fact.Device) bool { return d.Express != nil && d.Express.LinkSta != nil })
	switch {
	case m.Source("lspci-vvv").State == fact.NotAsked:
		return "not-known"
	case judge.DeniedCapabilities(m) > 0:
		return "lspci-denied"
	case m.Source("lspci-vvv").State != fact.Present:
		return "no"
	case registers:
		return "yes"
	case slices.ContainsFunc(m.PCI, func(d fact.Device) bool { return d.Express != nil }):
		return "lspci-terse"
	case slices.ContainsFunc(m.PCI, func(d fact.Device) bool { return d.CapsState == fact.Present }):
		return "not-known" // a machine without PCI Express
	}
	return "lspci-terse"
}

func (r *Report) logFromBoot() string {
	from, ok := r.Machine.Log.FromBoot.Get()
	switch {
	case ok && from:
		return "yes"
	case ok || r.Machine.Log.State == fact.Denied:
		return "no"
	}
	return "not-known"
}

// linkNote ends what the reader says of a bundle's links. sosreport makes them
// by the hundred, to its own members, so that nothing is lost.
const linkNote = " members not read: it is a link"

// Problems are what was noticed while reading the capture.
func (r *Report) Problems() []fact.Problem { return Noticed(r.Machine) }

// Noticed are the problems that a reader of the report should know.
func Noticed(m *fact.Machine) []fact.Problem {
	return slices.DeleteFunc(slices.Clone(m.Problems), func(p fact.Problem) bool {
		return p.File == "" && strings.HasSuffix(p.Text, linkNote) && !strings.Contains(p.Text, " more ")
	})
}

// oneSpace writes runs of spaces, which names of processors have, as one. Those
// that hold a number and its unit together stay.
func oneSpace(s string) string {
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool { return r == ' ' || r == '\t' || r == '\n' }), " ")
}

// words joins what is known, each once, and escapes it.
func words(escaped func(string) string, vals ...fact.Val[string]) string {
	var out []string
	for _, v := range vals {
		s, ok := v.Get()
		if s = oneSpace(s); ok && s != "" && !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	if len(out) == 0 {
		return ""
	}
	return escaped(strings.Join(out, ", "))
}

// date writes a date in the report's language.
func (r *Report) date(v fact.Val[string]) fact.Val[string] {
	v.V = r.Numbers.Date(strings.TrimSpace(v.V))
	return v
}
