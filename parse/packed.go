package parse

import (
	"bufio"
	"errors"
	"io"
	"strings"
)

// packedText reads a member that is a single compressed text, dmesg.gz.
func (b *builder) packedText(name string, in *bufio.Reader, m *member) bool {
	return b.unpacked(name, in, m, func(text *bufio.Reader, inner *member) { b.looseText(name, text, inner) })
}

// packedMember reads a compressed member that has a parser, config.gz.
func (b *builder) packedMember(name string, in *bufio.Reader, m *member, parse parser) bool {
	return b.unpacked(name, in, m, func(text *bufio.Reader, inner *member) {
		p := parse(b, endOf{&wholeLines{r: text, m: inner}}, name)
		p.add()
		b.unread(p.unread)
	})
}

// unpacked hands a compressed member to read. It returns false for an archive:
// those inside archives and folders stay closed. Compression is undone here, not
// ahead of the reader, since what comes after the member is another one's.
func (b *builder) unpacked(name string, in *bufio.Reader, m *member, read func(text *bufio.Reader, inner *member)) bool {
	s, packed, closer := b.unpack(in)
	if s == nil {
		return false
	}
	defer closer()
	inner := &member{r: s, limits: b.limits, packed: packed}
	if outer := m.packed; outer != nil { // what is packed twice must pay twice
		inner.packed = func() int64 { return min(packed(), outer()) }
	}
	text := bufio.NewReaderSize(inner, headBytes)
	head, _ := text.Peek(headBytes)
	if isCompressed(head) || isTar(head) || isZip(head) {
		return false
	}
	read(text, inner)
	io.Copy(io.Discard, text)
	b.total += inner.n
	switch {
	case inner.err == nil:
	case errors.Is(inner.err, ErrTooLarge) && !inner.dense:
		m.err = inner.err
	default: // costs this one only
		m.short = true
		b.problem(name, "reading ended here: %v", inner.err)
	}
	return true
}

// unpack undoes the compression that in begins with. packed counts what was
// read of in for it.
func (b *builder) unpack(in *bufio.Reader) (s *stream, packed func() int64, closer func()) {
	count := &counter{r: in}
	head, _ := in.Peek(magicBytes)
	for _, c := range compressions {
		if !strings.HasPrefix(string(head), c.magic) {
			continue
		}
		z, end, err := c.open(count)
		if err != nil {
			return nil, nil, nil
		}
		if end == nil {
			end = func() {}
		}
		s = &stream{r: z, limits: b.limits, out: b.total} // which counts with all that was read
		if b.in != nil {
			s.out += b.in.out
		}
		return s, func() int64 { return count.n }, end
	}
	return nil, nil, nil
}

// opensPacked reports whether a compressed member is looked into: not what
// stands at a place of a capture or of another tool's bundle, which have such
// members in numbers, nor what is attached, nor old logs at their own place.
func opensPacked(name string) bool {
	top, _, _ := strings.Cut(name, "/")
	return !roots[top] && !bundleRoots[top] && !strings.Contains("/"+name, "/var/log/")
}
