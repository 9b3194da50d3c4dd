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
	arrived  map[string]*arrived  // by source
	sums     map[string][]byte    // SHA-256 by member
	loose    map[string]looseText // texts known by their lines, by the member they stand for

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
		loose:   map[string]looseText{},
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

// looseText is one that was recognised by its lines, not by its path.
type looseText struct {
	name  string
	bytes int64
	cut   bool
	parsed
}

// route hands a member to whoever reads it, and reads it to its end.
func (b *builder) route(name string, m *member) {
	source, kind := sourceOf(name)
	if source != "" && kind != "tree" {
		sum := sha256.New()
		b.buf.Reset(io.TeeReader(m, sum))
		defer func() { b.sums[name] = sum.Sum(nil) }()
	} else {
		b.buf.Reset(m)
	}
	b.read(name, m)
	io.Copy(io.Discard, b.buf)
	if source != "" {
		b.facts++
		b.arrive(source, name, m)
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
// a capture. Two texts of a kind can be of two machines, so they are not
// joined: the one that holds most is kept.
func (b *builder) text(name, as string, m *member) {
	one := looseText{name: name, parsed: parserOf(as)(b, endOf{&wholeLines{b.buf, m}}, name)}
	io.Copy(io.Discard, b.buf)
	one.bytes, one.cut = m.n, m.err != nil
	if one.amount == 0 {
		return
	}
	b.facts++
	other, ok := b.loose[as]
	if ok && (other.amount > one.amount || other.amount == one.amount && other.name < one.name) {
		one, other = other, one
	}
	b.loose[as] = one
	if ok {
		b.skip(other.name, anotherText)
	}
}

const anotherText = "another text of this kind is"

// addLoose adds the texts that were kept. The member that one stands for goes
// before it.
func (b *builder) addLoose() {
	for _, k := range kinds {
		one, ok := b.loose[k.member]
		switch {
		case !ok:
		case b.seen[k.member]:
			b.skip(one.name, anotherText)
		default:
			one.add()
			a := &arrived{path: one.name, bytes: one.bytes}
			if one.cut {
				a.cut = one.name
			}
			source, _ := sourceOf(k.member)
			b.arrived[source] = a
		}
	}
}

func (b *builder) problem(file, format string, args ...any) {
	b.m.Problems = append(b.m.Problems, fact.Problem{File: file, Text: fmt.Sprintf(format, args...)})
}
