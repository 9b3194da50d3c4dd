package parse

import (
	"bufio"
	"bytes"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"hwcap/parse/fact"
)

// part is what a text holds of one kind. Its parser runs beside the reader and
// sees the lines of others as blank ones, so that it counts lines as the text
// does.
type part struct {
	*kind
	rank  int // of the call that printed it, unranked where its lines tell
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
	said  []byte // the first lines
	parsed

	copy *bytes.Buffer // the lines of a part without a parser of its own
}

// hear keeps the beginning of the text.
func (p *part) hear(data []byte) {
	const most = 500
	p.said = append(p.said, data[:min(len(data), most-len(p.said))]...)
}

// skip gives the parser blank lines up to line n.
func (p *part) skip(n int) {
	for ; p.given < n; p.given++ {
		p.out.WriteByte('\n')
		p.blank++
	}
}

func (p *part) write(line []byte) {
	switch {
	case p == nil:
		return
	case p.copy == nil:
		p.out.Write(line)
		p.hear(line)
	case p.copy.Len()+len(line) <= maxCopy:
		p.copy.Write(line)
	}
	p.bytes += int64(len(line))
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
		switch {
		case p.amount > 0:
		case p.rank != unranked: // the command failed, which its source tells
			t.ignored += p.own
		default: // it was not what it looked like
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
	if t.divided {
		return supportconfig.format
	}
	return strings.Join(names, ", ")
}

// keep keeps the parts of a text that are better than those of texts before.
func (b *builder) keep(t *looseText) {
	found := false
	for _, p := range t.parts {
		if p.amount == 0 {
			if p.rank != unranked {
				b.nothing[p.member] = p
			}
			continue
		}
		if strings.HasPrefix(t.name, attached) && !p.many() {
			b.skip(t.name, "what is attached is not taken for one of the machine's own texts, here "+p.format)
			continue
		}
		if p.many() || several[p.member] {
			if b.many+p.amount > maxMany {
				b.skip(t.name, fmt.Sprintf("more than %d figures of %s and the like came", maxMany, p.format))
				continue
			}
			b.many += p.amount
		}
		found = true
		if p.many() || several[p.member] {
			if len(b.each) == maxSeveral {
				b.skip(t.name, fmt.Sprintf("more than %d texts of %s and the like came", maxSeveral, p.format))
				continue
			}
			b.each = append(b.each, p)
			continue
		}
		b.keepBest(p)
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
	kept := slices.Clone(b.each)
	slices.SortFunc(kept, func(p, q *part) int { return cmp.Compare(p.text.name, q.text.name) })
	also := map[*part]bool{} // beside the best one, which its source names
	for _, parts := range b.loose {
		all := b.joined(parts)
		kept = append(kept, all...)
		for _, p := range all[1:] {
			also[p] = true
		}
	}
	slices.SortStableFunc(kept, func(p, q *part) int { return cmp.Compare(p.member, q.member) })
	for _, p := range kept {
		if b.seen.has(p.member) && !p.many() {
			b.skipPart(p)
			continue
		}
		p.add()
		b.unread(p.parsed.unread)
		b.tell(p.text)
		if !also[p] {
			b.arriveFor(p)
		}
	}
	b.tellLeft()
	for member, p := range b.nothing {
		if b.loose[member] != nil || b.seen.has(member) {
			continue
		}
		if a := b.arriveFor(p); a != nil {
			a.nothing = p
		}
	}
}

// arriveFor notes the text that is kept for a member.
func (b *builder) arriveFor(p *part) *arrived {
	if strings.HasPrefix(p.text.name, attached) {
		return nil // it is a source of its own
	}
	source, _ := sourceOf(p.member)
	if source == "" {
		return nil
	}
	b.arrive(source, p.text.name, p.bytes, p.text.cut)
	a := b.arrived[source]
	if a == nil {
		return nil
	}
	a.loose = true
	if b.bundle != nil {
		a.excerpt = b.bundle.excerpt[p.member]
	}
	return a
}

// tell says once of a text that is kept what was taken for what, if some lines
// were taken for nothing.
func (b *builder) tell(t *looseText) {
	if t.told {
		return
	}
	t.told = true
	b.unread(fact.Unread{File: t.name, Lines: t.unread + min(t.half, 1), Ignored: t.ignored, Of: t.lines})
	if t.half > 0 {
		b.m.Problems = append(b.m.Problems, fact.Problem{File: t.name, Line: t.half, Text: "the last line has no end and may be cut: it is not read"})
	}
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
