package parse

import (
	"cmp"
	"io"
	"slices"
	"strings"

	"hwcap/parse/dmsetup"
	"hwcap/parse/fact"
	"hwcap/parse/measure"
)

// Members that measurements would have: people attach them under any name.
const (
	attached         = "attach/"
	cryptsetupMember = attached + "cryptsetup benchmark"
	opensslMember    = attached + "openssl speed"
	iperf3Member     = attached + "iperf3"
	notesMember      = attached + "notes"
)

// many reports whether each text of the kind is kept, since a machine can have
// many: measurements, and files of several devices. Their parsers tell by the
// prompt which is which.
func (k *kind) many() bool {
	return strings.HasPrefix(k.member, attached) || strings.HasPrefix(k.member, qatPrefix)
}

// maxMany is how many figures, devices and values are kept of such texts
// together.
const maxMany = 30_000

// measured reads a text with the figures of a benchmark, or with those that a
// person noted.
func measured(parse func(io.Reader, string) (*measure.Result, error)) parser {
	return func(b *builder, r io.Reader, name string) parsed {
		res, err := parse(r, name)
		return parsed{amount: len(res.Measurements) + len(res.Problems), unread: res.Unread, add: func() {
			b.m.Measurements = append(b.m.Measurements, res.Measurements...)
			b.note(name, err, res.Problems)
		}}
	}
}

// sortMeasurements puts those of one text beside each other, whatever order the
// texts came in.
func (b *builder) sortMeasurements() {
	slices.SortStableFunc(b.m.Measurements, func(x, y fact.Measurement) int {
		return cmp.Or(cmp.Compare(x.From.File, y.From.File), cmp.Compare(x.From.Line, y.From.Line))
	})
}

func mappings(b *builder, r io.Reader, name string) parsed {
	res, err := dmsetup.Parse(r, name)
	return parsed{amount: len(res.Mappings), unread: res.Unread, secret: true, add: func() {
		b.m.Mappings = res.Mappings
		b.note(name, err, res.Problems)
	}}
}
