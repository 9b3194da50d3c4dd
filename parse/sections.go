package parse

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"strings"

	"hwcap/parse/fact"
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
	parts []*part // in the order of their first lines

	around  *kind // the section, nil for none
	stamped bool  // it is a log whose lines have stamps
	without int   // lines since the last stamp

	lines   int // of the text
	unread  int // that no parser was given
	ignored int // that are known to say nothing: blank ones and prompts
	first   int // number of the first that no parser was given
	told    bool
}

// part is what a text holds of one kind. Its parser runs beside the reader and
// sees the lines of others as blank ones, so that it counts lines as the text
// does.
type part struct {
	*kind
	text  *looseText
	out   *bufio.Writer
	pipe  *io.PipeWriter
	done  chan parsed
	given int // lines, blanks for others included
	blank int // of them blanks for others
	own   int // of them its own
	first int // number of its first line
	last  int
	bytes int64
	parsed
}

// maxWithout is how many lines without a stamp can belong to the message
// before: a mailer wraps long ones.
const maxWithout = 3

// text reads a text whose first lines are of the kind first. Of two texts of a
// kind, which can be of two machines, the one that holds most is kept.
func (b *builder) text(name string, first *kind, m *member) *looseText {
	t := &looseText{name: name, around: first}
	for {
		line, err := b.buf.ReadSlice('\n')
		if err == io.EOF && m.err != nil {
			break // half a line would pass for a value
		}
		if len(line) > 0 {
			t.lines++
			p := t.take(b, line)
			for err == bufio.ErrBufferFull {
				p.write(line)
				line, err = b.buf.ReadSlice('\n')
			}
			p.write(line)
		}
		if err != nil {
			break
		}
	}
	t.cut = m.err != nil
	t.finish()
	b.keep(t)
	return t
}

// take decides whose the next line is. It returns nil for a line of nobody.
func (t *looseText) take(b *builder, line []byte) *part {
	text := trimEnd(line)
	if k := kindOf(text, t.around); k != nil {
		t.enter(k, text)
	} else if len(bytes.TrimSpace(text)) == 0 {
		t.without = maxWithout
		if t.around == nil {
			t.ignored++
			return nil
		}
	} else if command, ok := prompt(text); ok {
		t.around, t.stamped = kindOfCommand(command), false
		if t.around == nil || t.around.member != lspciMember { // whose parser tells runs apart by it
			t.ignored++
			return nil
		}
	} else if t.stamped && t.isForeign(text) {
		t.around, t.stamped = nil, false
	}
	if t.around == nil {
		if t.unread++; t.unread == 1 {
			t.first = t.lines
		}
		return nil
	}
	p := t.partOf(b, t.around)
	p.skip(t.lines - 1)
	p.given++
	p.own++
	p.last = t.lines
	return p
}

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
		if p.kind == k {
			return p
		}
	}
	in, out := io.Pipe()
	p := &part{kind: k, text: t, pipe: out, out: bufio.NewWriterSize(out, headBytes), done: make(chan parsed, 1), first: t.lines}
	go func() {
		res := k.parser()(b, in, t.name)
		in.Close() // a parser that gives up early keeps nobody waiting
		p.done <- res
	}()
	t.parts = append(t.parts, p)
	return p
}

// skip gives the parser blank lines up to line n.
func (p *part) skip(n int) {
	for ; p.given < n; p.given++ {
		p.out.WriteByte('\n')
		p.blank++
	}
}

func (p *part) write(line []byte) {
	if p != nil {
		p.out.Write(line)
		p.bytes += int64(len(line))
	}
}

// finish waits for the parsers.
func (t *looseText) finish() {
	for _, p := range t.parts {
		p.out.Flush()
		p.pipe.Close()
	}
	for _, p := range t.parts {
		p.parsed = <-p.done
		if p.narrow != nil {
			p.amount = p.own
			p.narrow(p.own, len(t.parts) == 1)
		}
		if p.amount == 0 { // it was not what it looked like
			if t.unread == 0 || p.first < t.first {
				t.first = p.first
			}
			t.unread += p.own
		}
		if p.parsed.unread.File != "" {
			p.parsed.unread.Ignored = max(0, p.parsed.unread.Ignored-p.blank)
			p.parsed.unread.Of = t.lines
		}
	}
}

// format names what the text holds.
func (t *looseText) format() string {
	var names []string
	for _, p := range t.parts {
		if p.amount > 0 {
			names = append(names, p.format)
		}
	}
	return strings.Join(names, ", ")
}

// keep keeps the parts of a text that hold more than those of texts before.
func (b *builder) keep(t *looseText) {
	found := false
	for _, p := range t.parts {
		if p.amount == 0 {
			continue
		}
		found = true
		other := b.loose[p.member]
		if other != nil && (other.amount > p.amount || other.amount == p.amount && other.text.name < t.name) {
			p, other = other, p
		}
		b.loose[p.member] = p
		if other != nil {
			b.skipPart(other)
		}
	}
	if found {
		b.facts++
	}
}

// skipPart notes that a part is not read, since another one of its kind is.
func (b *builder) skipPart(p *part) {
	why := "another text of this kind is"
	if len(p.text.parts) > 1 {
		why = "its " + p.format + ", since another text of this kind is"
	}
	b.skip(p.text.name, why)
}

// addLoose adds the parts that were kept. The member that one stands for goes
// before it.
func (b *builder) addLoose() {
	for _, k := range kinds {
		p := b.loose[k.member]
		switch {
		case p == nil || p.kind.format != k.format: // two kinds can stand for one member
		case b.seen[k.member]:
			b.skipPart(p)
		default:
			p.add()
			b.unread(p.parsed.unread)
			b.tell(p.text)
			a := &arrived{path: p.text.name, bytes: p.bytes, loose: true}
			if p.text.cut {
				a.cut = p.text.name
			}
			source, _ := sourceOf(k.member)
			b.arrived[source] = a
		}
	}
}

// tell says once of a text that is kept what was taken for what, if some lines
// were taken for nothing.
func (b *builder) tell(t *looseText) {
	if t.told {
		return
	}
	t.told = true
	b.unread(fact.Unread{File: t.name, Lines: t.unread, Ignored: t.ignored, Of: t.lines})
	if t.unread == 0 {
		return
	}
	var taken []string
	for _, p := range t.parts {
		if p.amount > 0 {
			taken = append(taken, fmt.Sprintf("%d of lines %d to %d as %s", p.own, p.first, p.last, p.format))
		}
	}
	b.m.Problems = append(b.m.Problems, fact.Problem{File: t.name, Line: t.first,
		Text: fmt.Sprintf("%d of %d lines were not read, this is the first: hwcap knows no text with such lines; it read %s", t.unread, t.lines, strings.Join(taken, ", "))})
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
