package parse

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"fmt"
	"io"
	"path"
	"strings"

	"hwcap/parse/fact"
	"hwcap/parse/klog"
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
	texts   int    // known by their lines
	calls   int    // texts of a bundle, each of a command
	total   int64  // bytes of a folder
	facts   int    // members that hwcap knows
	cut     error  // why reading ended early
	last    string // member that was read last
	top     string // name of the top folder
	rooted  bool   // it is known
	newer   string // schema of a capture that is too new
	seen    names
	skipped map[string]*skips // by reason
	unknown skips             // in which nothing is known
	closed  skips             // archives inside

	bundle   *layout      // of another tool, nil for none
	head     fact.Capture // what it says of itself
	kernelAt fact.Line
	copied   names // members that texts of it stand for

	manifest *manifest
	arrived  map[string]*arrived // by source
	sums     map[nameSum][]byte  // SHA-256 by member
	loose    map[string][]*part  // of texts that stand for a member, by that, the best one first
	left     []left              // of which they go before
	each     []*part             // of texts of which every one is kept
	many     int                 // figures of texts like those that are attached
	checks   map[string]bool     // machine checks of mcelog
	nothing  map[string]*part    // the same where the text holds nothing

	logs          []logText
	configs       []kernelConfig
	devices       []fact.Device // of lspci
	proc, netlink []fact.Algorithm
	nets          []netReport
	qat           map[string]*fact.QAT // by folder in debugfs
	qatValues     int
}

func newBuilder(name string, limits Limits) *builder {
	b := &builder{
		m:       &fact.Machine{Schema: fact.Schema, PCI: []fact.Device{}, Sources: []fact.Source{}},
		name:    name,
		limits:  limits,
		buf:     bufio.NewReaderSize(nil, headBytes),
		seen:    names{},
		skipped: map[string]*skips{},
		arrived: map[string]*arrived{},
		sums:    map[nameSum][]byte{},
		loose:   map[string][]*part{},
		nothing: map[string]*part{},
		checks:  map[string]bool{},
		copied:  names{},
		qat:     map[string]*fact.QAT{},
	}
	b.m.Capture.ID = captureID(name)
	b.tree = sysfs.New(b.m)
	return b
}

// parsed is what a parser made of a text: how much it found, the lines that it
// made nothing of, and what adds the rest to the machine.
type parsed struct {
	amount int
	unread fact.Unread
	add    func()
	secret bool // any word of the text can be a key: none is shown
	// narrow, where it is not nil, tells before add that only so many lines
	// were the parser's own, and whether the text holds no other kind.
	narrow func(own int, alone bool)
	// log and devices are what the text says, where that of several texts of
	// one machine can be joined.
	log     *klog.Result
	devices []fact.Device
}

// maxTexts is how many texts are read that are known by their lines.
const maxTexts = 1000

// route hands a member to whoever reads it, and reads it to its end.
func (b *builder) route(name string, m *member) {
	source, kind := sourceOf(name)
	if source != "" && kind != "tree" {
		sum := sha256.New()
		b.buf.Reset(io.TeeReader(m, sum))
		defer func() { b.sums[sumOf(name)] = sum.Sum(nil) }()
	} else {
		b.buf.Reset(m)
	}
	stands := b.read(name, m)
	io.Copy(io.Discard, b.buf)
	if source, _ := sourceOf(stands); source != "" {
		b.facts++
		b.arrive(source, name, m.n, m.err != nil || m.short)
		if a := b.arrived[source]; a != nil {
			a.loose = a.loose || stands != name
			a.read = a.read || kind != "tree" || sysfs.Wants(name) || parserOf(name) != nil
		}
	}
}

// read returns the member of a capture that a member stands for, where that is
// settled with it; mostly itself.
func (b *builder) read(name string, m *member) (stands string) {
	in := b.buf
	var lines io.Reader = &wholeLines{r: in, m: m}
	if isBinary(name) {
		lines = untilBreak{in, m}
	}
	if name == manifestName {
		b.manifestFile(lines)
		return name
	}
	parse := parserOf(name)
	top, _, _ := strings.Cut(name, "/")
	inside := roots[top] && top != name && !strings.HasPrefix(name, attached)
	if parse == nil && inside {
		if sysfs.Wants(name) {
			b.tree.Add(name, lines)
		}
		return name
	}
	head, _ := in.Peek(headBytes)
	if isCompressed(head) || isTar(head) || isZip(head) {
		if isCompressed(head) && opensPacked(name) && b.packedText(name, in, m) {
			return name
		}
		if isCompressed(head) && parse != nil && b.packedMember(name, in, m, parse) {
			return name
		}
		b.closed.add(name)
		b.skip(name, "it is an archive inside the archive")
		return name
	}
	if bytes.HasPrefix(head, []byte(sqliteMagic)) {
		b.skip(name, "it is "+sqliteName)
		return name
	}
	if text := decoded(in, head); text != nil && !isBinary(name) {
		in, lines = text, &wholeLines{r: text, m: m}
		head, _ = in.Peek(headBytes)
	}
	if parse != nil {
		p := parse(b, endOf{lines}, name)
		p.add()
		b.unread(p.unread)
		return name
	}
	if member, rank, ok := b.ofBundle(name); ok {
		if member != "" {
			return b.readAs(member, rank, name, head, lines, m)
		}
		return ""
	}
	b.looseText(name, in, m)
	return name
}

// looseText reads a member that is known by its lines, if it is.
func (b *builder) looseText(name string, in *bufio.Reader, m *member) {
	head, _ := in.Peek(headBytes)
	if text := decoded(in, head); text != nil {
		in = text
		head, _ = in.Peek(headBytes)
	}
	most, first := recognise(head)
	if _, holds, _ := magicName(head); holds != asIs || most == nil && !isSectioned(head) {
		b.unknownText(name)
		return
	}
	if b.texts == maxTexts {
		b.skip(name, "more texts came than are read")
		return
	}
	b.texts++
	facts := b.facts
	if b.text(name, first, in, m); b.facts == facts && b.bundle != &supportconfig {
		b.unknownText(name)
	}
}

// unknownText notes a member in which nothing is known. What is attached may be
// anything, and what is hidden is the system's own (.DS_Store).
func (b *builder) unknownText(name string) {
	if !strings.HasPrefix(name, attached) && !strings.HasPrefix(path.Base(name), ".") {
		b.unknown.add(name)
	}
}

func (b *builder) problem(file, format string, args ...any) {
	b.m.Problems = append(b.m.Problems, fact.Problem{File: file, Text: fmt.Sprintf(format, args...)})
}
