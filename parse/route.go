package parse

import (
	"bufio"
	"crypto/sha256"
	"fmt"
	"io"
	"strings"

	"hwcap/parse/fact"
	"hwcap/parse/sysfs"
)

// builder gathers the facts of one capture while its members come.
type builder struct {
	m      *fact.Machine
	tree   *sysfs.Tree
	name   string // of the file or folder
	limits Limits
	in     *stream // nil for a folder
	buf    *bufio.Reader

	entries int    // of the archive or folder, folders included
	members int    // that were let in
	total   int64  // bytes of a folder
	facts   int    // members that hwcap knows
	cut     error  // why reading ended early
	last    string // member that was read last
	top     string // name of the top folder
	newer   string // schema of a capture that is too new
	seen    map[string]bool
	skipped map[string]*skips // by reason

	manifest *manifest
	arrived  map[string]*arrived   // by source
	sums     map[string][]byte     // SHA-256 by member
	loose    map[string][]looseOne // texts known by their lines, by the member they stand for

	logs          []logText
	devices       []fact.Device // of lspci
	proc, netlink []fact.Algorithm
	qat           map[string]*fact.QAT // by folder in debugfs
}

func newBuilder(name string, limits Limits) *builder {
	b := &builder{
		m:       &fact.Machine{Schema: fact.Schema, PCI: []fact.Device{}, Sources: []fact.Source{}},
		name:    name,
		limits:  limits,
		buf:     bufio.NewReaderSize(nil, headBytes),
		seen:    map[string]bool{},
		skipped: map[string]*skips{},
		arrived: map[string]*arrived{},
		sums:    map[string][]byte{},
		loose:   map[string][]looseOne{},
		qat:     map[string]*fact.QAT{},
	}
	b.m.Capture.ID = captureID(name)
	b.tree = sysfs.New(b.m)
	return b
}

// parsed is what a parser made of a text: how much it found, and what adds it
// to the machine.
type parsed struct {
	amount int
	add    func()
}

// looseOne is a text that was recognised by its lines, not by its path.
type looseOne struct {
	name  string
	bytes int64
	cut   bool
	parsed
}

// route hands a member to whoever reads it, and reads it to its end.
func (b *builder) route(name string, m *member) {
	place := placeOf(name)
	sum := sha256.New()
	var r io.Reader = m
	if place >= 0 && places[place].kind != "tree" || strings.HasPrefix(name, "attach/") {
		r = io.TeeReader(m, sum)
	}
	b.buf.Reset(r)
	b.read(name, m)
	io.Copy(io.Discard, b.buf)

	if source := sourceOf(name); source != "" {
		b.facts++
		b.arrive(source, name, m)
		b.sums[name] = sum.Sum(nil)
	}
}

func (b *builder) read(name string, m *member) {
	lines := &wholeLines{b.buf, m}
	if name == manifestName {
		b.manifestFile(lines)
		return
	}
	parse := parserOf(name)
	top, _, _ := strings.Cut(name, "/")
	inside := roots[top] && top != name
	if parse == nil && inside {
		if sysfs.Wants(name) {
			b.tree.Add(name, lines)
		}
		return
	}
	head, _ := b.buf.Peek(headBytes)
	if isCompressed(head) || isTar(head) {
		b.skip(name, "it is an archive inside the archive")
		return
	}
	if parse != nil {
		parse(b, endOf{lines}, name).add()
		return
	}
	if k := recognise(head); k != nil {
		b.text(name, k.member, m)
	}
}

// text reads a text that was recognised as what stands in the given member of
// a capture.
func (b *builder) text(name, as string, m *member) {
	one := looseOne{name: name, parsed: parserOf(as)(b, endOf{&wholeLines{b.buf, m}}, name)}
	io.Copy(io.Discard, b.buf)
	one.bytes, one.cut = m.n, m.err != nil
	if one.amount > 0 {
		b.loose[as] = append(b.loose[as], one)
		b.facts++
	}
}

// chooseLoose adds, of the texts that stand for one member of a capture, the
// one that holds most; the member itself goes before all of them. Two texts of
// a kind can be of two machines, so they are not joined.
func (b *builder) chooseLoose() {
	for _, k := range kinds {
		best := looseOne{}
		for _, one := range b.loose[k.member] {
			if one.amount > best.amount || one.amount == best.amount && one.name < best.name {
				best = one
			}
		}
		if b.seen[k.member] {
			best = looseOne{name: k.member}
		}
		for _, one := range b.loose[k.member] {
			if one.name != best.name {
				b.problem(one.name, "not read: another text of this kind, %s, is", best.name)
			}
		}
		if best.add == nil {
			continue
		}
		best.add()
		source := sourceOf(k.member)
		b.arrived[source] = &arrived{path: best.name, bytes: best.bytes}
		if best.cut {
			b.arrived[source].cut = best.name
		}
	}
}

func (b *builder) problem(file, format string, args ...any) {
	b.m.Problems = append(b.m.Problems, fact.Problem{File: file, Text: fmt.Sprintf(format, args...)})
}
