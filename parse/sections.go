package parse

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"io"
	"path"
	"strings"

	"hwcap/parse/klog"
)

// looseText is one that was recognised by its lines, not by its path. People
// put the output of several commands into one text, so that its lines are
// handed out by kind: a section begins with a line that only one kind has, and
// ends where another begins, at the prompt of a shell, or where a log with
// stamps goes on without them.
type looseText struct {
	name  string
	cut   bool
	half  int     // number of the last line, where it has no end and is not read
	parts []*part // in the order of their first lines

	heading bool  // the next line tells what the section of supportconfig is
	section *part // it, where it is read at its end
	rank    int   // of its call
	divided bool  // the text has such sections

	around  *kind // the section, nil for none
	stamped bool  // it is a log whose lines have stamps
	without int   // lines since the last stamp
	fields  bool  // it is a log of journalctl -o export

	lines   int // of the text
	unread  int // that no parser was given
	ignored int // that are known to say nothing: blank ones and prompts
	first   int // number of the first that no parser was given
	told    bool
}

// maxWithout is how many lines without a stamp can belong to the message
// before: a mailer wraps long ones.
const maxWithout = 3

// text reads a text whose first lines are of the kind first. What becomes of
// two texts of a kind, which can be of two machines, is told after the last.
func (b *builder) text(name string, first *kind, in *bufio.Reader, m *member) *looseText {
	t := &looseText{name: name, around: first}
	for {
		line, err := in.ReadSlice('\n')
		if err == io.EOF && m.err != nil {
			break // half a line would pass for a value
		}
		if len(line) > 0 {
			t.lines++
			if err == io.EOF && !t.isWhole(line) {
				t.half = t.lines
				break
			}
			p := t.take(b, line)
			named := t.fields && klog.IsName(trimEnd(line))
			for err == bufio.ErrBufferFull {
				p.write(line)
				line, err = in.ReadSlice('\n')
			}
			p.write(line)
			if named && err == nil && p != nil {
				t.binary(in, p)
			}
		}
		if err != nil {
			break
		}
	}
	t.cut = m.err != nil
	t.endSection(b)
	t.finish()
	b.keep(t)
	return t
}

// isWhole reports whether a last line without a line end cannot be cut: one of
// JSON closes itself, and the parser of lspci takes of one what is sure.
func (t *looseText) isWhole(line []byte) bool {
	if k := cmp.Or(kindOf(line, t.around), t.around); k != nil && k.member == lspciMember {
		return true
	}
	line = bytes.TrimSpace(bytes.TrimPrefix(bytes.TrimLeft(line, "\x1e"), []byte("data: ")))
	if len(line) == 0 || len(bytes.TrimLeft(line, "}] \t")) == 0 {
		return true
	}
	last := line[len(line)-1]
	return (last == '}' || last == ']') && json.Valid(line)
}

// binary hands on, as it is, the value of a field that is no text: lines in it
// are no lines of the log, whatever they say.
func (t *looseText) binary(in *bufio.Reader, p *part) {
	head, _ := in.Peek(8)
	for left := klog.BinaryLen(head); left > 0; {
		piece, err := in.Peek(int(min(left, headBytes)))
		p.write(piece)
		ends := bytes.Count(piece, []byte("\n"))
		t.lines += ends
		p.given, p.own, p.last = p.given+ends, p.own+ends, t.lines
		in.Discard(len(piece))
		left -= int64(len(piece))
		if err != nil { // its line counts as one that is not read
			if len(piece) == 0 || piece[len(piece)-1] != '\n' {
				t.lines++
				p.given++
			}
			p.blank++
			t.half = t.lines
			return
		}
	}
}

// take decides whose the next line is. It returns nil for a line of nobody.
func (t *looseText) take(b *builder, line []byte) *part {
	text := trimEnd(line)
	if bytes.HasPrefix(text, sectionMark) || t.heading {
		return t.mark(b, text)
	}
	t.fields = t.fields && klog.InField(text)
	if t.fields {
		return t.give(b)
	}
	if t.divided {
		if t.around == nil && t.section == nil {
			t.ignored++
		}
	} else if k := kindOf(text, t.around); k != nil {
		t.enter(k, text)
		t.fields = k.member == logMember && klog.Named(text) && klog.InField(text)
	} else if len(bytes.TrimSpace(text)) == 0 {
		t.without = maxWithout
		if t.around == nil {
			t.ignored++
			return nil
		}
	} else if command, ok := prompt(text); ok {
		t.around, t.stamped = kindOfCommand(command), false
		if t.around == nil || t.around.member != lspciMember && !t.around.many() { // whose parsers tell runs apart by it
			t.ignored++
			return nil
		}
	} else if t.stamped && t.isForeign(text) {
		t.around, t.stamped = nil, false
	}
	switch {
	case t.section != nil:
		return t.section
	case t.around != nil:
		return t.give(b)
	case !t.divided:
		if t.unread++; t.unread == 1 {
			t.first = t.lines
		}
	}
	return nil
}

// give lets the parser of the section have the line.
func (t *looseText) give(b *builder) *part {
	p := t.partOf(b, t.around)
	p.skip(t.lines - 1)
	p.given++
	p.own++
	p.last = t.lines
	return p
}

// sectionMark begins the heading of a section of supportconfig.
var sectionMark = []byte("#==[ ")

func isSectioned(head []byte) bool { return bytes.Contains(head, sectionMark) }

// mark reads the heading of a section of supportconfig (log_cmd, conf_files
// and log_files of supportconfig.rc), "#==[ Command ]===#" and below it
// "# /sbin/lspci -vvv" or "# /proc/cmdline".
func (t *looseText) mark(b *builder, text []byte) *part {
	t.ignored++
	if bytes.HasPrefix(text, sectionMark) {
		t.endSection(b)
		t.heading, t.divided, b.bundle = true, true, &supportconfig
		return nil
	}
	t.heading = false
	call, _ := bytes.CutPrefix(text, []byte("# "))
	member, rank := standsFor(sectionCall(string(call)))
	if member == "" {
		return nil
	}
	if k := kindFor(member, nil); k.parser() != nil {
		t.around, t.rank = k, rank
		if member != lspciMember { // whose parser tells runs apart by the call
			return nil
		}
		t.ignored--
		return t.give(b)
	}
	t.section = &part{kind: &kind{member: member}, text: t, first: t.lines, copy: &bytes.Buffer{}}
	return nil
}

// sectionCall makes of the heading of a section the call that it stands for:
// the command without its folder, or the file without what was cut off it.
func sectionCall(heading string) string {
	heading, _, _ = strings.Cut(heading, " - Last ")
	first, arguments, _ := strings.Cut(heading, " ")
	if strings.Contains(heading, "|") || strings.HasSuffix(heading, " - File not found") {
		return ""
	}
	if root, _, _ := strings.Cut(strings.TrimPrefix(first, "/"), "/"); roots[root] || root == "var" {
		return heading
	}
	return strings.TrimSpace(path.Base(first) + " " + strings.ReplaceAll(arguments, "/", "."))
}

// maxCopy is how much of a section is kept that is read at its end: what the
// largest machines have of /proc/cpuinfo.
const maxCopy = 4 << 20

// endSection reads a section of which the lines were kept.
func (t *looseText) endSection(b *builder) {
	s := t.section
	t.section, t.around = nil, nil
	if s == nil {
		return
	}
	cut := t.cut || s.copy.Len() < int(s.bytes)
	var lines io.Reader = s.copy
	if cut {
		lines = io.MultiReader(bytes.NewReader(s.copy.Bytes()[:bytes.LastIndexByte(s.copy.Bytes(), '\n')+1]), broken{})
	}
	if say := aboutBundle[s.member]; say != nil {
		b.about(say, t.name, s.first, lines)
		return
	}
	if !b.copyOf(s.member, t.name, s.first, lines) {
		return
	}
	b.facts++
	if source, _ := sourceOf(s.member); source != "" {
		b.arrive(source, t.name, s.bytes, cut)
		if a := b.arrived[source]; a != nil {
			a.loose = true
		}
	}
}

// broken is the end of a text that breaks off.
type broken struct{}

func (broken) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

// enter notes that the line is of kind k.
func (t *looseText) enter(k *kind, line []byte) {
	stamped := false
	if k.member == logMember {
		stamped, _ = klog.Stamped(line)
	}
	t.stamped = stamped || t.stamped && t.around == k
	t.around, t.without = k, 0
}

// isForeign reports whether a line without a stamp is beyond what can belong
// to the last message: records of /dev/kmsg have lines of their own, which are
// indented.
func (t *looseText) isForeign(line []byte) bool {
	if stamped, _ := klog.Stamped(line); stamped { // of another program
		t.without = 0
		return false
	}
	t.without++
	return t.without > maxWithout && line[0] != ' '
}

// partOf returns the part of the kind, and starts its parser for the first
// line.
func (t *looseText) partOf(b *builder, k *kind) *part {
	for _, p := range t.parts {
		if p.format == k.format && p.member == k.member {
			p.rank = min(p.rank, t.rankHere())
			return p
		}
	}
	in, out := io.Pipe()
	p := &part{kind: k, rank: t.rankHere(), text: t, pipe: out, out: bufio.NewWriterSize(out, headBytes), done: make(chan parsed, 1), first: t.lines}
	go func() {
		res := k.parser()(b, in, t.name)
		in.Close() // a parser that gives up early keeps nobody waiting
		p.done <- res
	}()
	t.parts = append(t.parts, p)
	return p
}

func (t *looseText) rankHere() int {
	if t.divided {
		return t.rank
	}
	return unranked
}

// prompt reports whether a line is what was typed at a shell: "# lspci",
// "$ dmesg", "root@host:~# cat /proc/crypto", "[user@host ~]$ ...".
func prompt(line []byte) (command []byte, ok bool) {
	line = bytes.TrimLeft(line, " >") // a mail may indent or quote it
	i := bytes.IndexAny(line[:min(len(line), 80)], "#$")
	if i < 0 || i+1 < len(line) && line[i+1] != ' ' {
		return nil, false
	}
	name, _, _ := bytes.Cut(line[:i], []byte(" "))
	ok = i == 0 || line[i-1] == '~' || bytes.IndexByte(name, '@') > 0
	return bytes.TrimSpace(line[i+1:]), ok
}

// kindOfCommand returns the kind of what a command prints, nil for none that
// is known.
func kindOfCommand(command []byte) *kind {
	for i := range kinds {
		for _, name := range kinds[i].commands {
			if bytes.Contains(command, []byte(name)) {
				return &kinds[i]
			}
		}
	}
	return nil
}
