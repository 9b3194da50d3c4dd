// Package kcrypto reads the kernel's list of registered algorithms, from
// /proc/crypto and from a dump of NETLINK_CRYPTO, and picks among them as the
// kernel does.
//
// Sources: crypto/proc.c, crypto/crypto_user.c, crypto/api.c,
// include/linux/crypto.h.
package kcrypto

import (
	"bytes"
	"fmt"
	"io"
	"strconv"

	"hwcap/parse/fact"
	"hwcap/parse/lines"
)

const (
	maxLine       = 1024   // bytes kept of a line; the kernel prints 128 of a name
	maxAlgorithms = 20_000 // kept in all; a kernel has a few hundred
	maxProblems   = 100
)

// attributes are the numbers that the blocks of the types have (the show
// functions of crypto/*.c).
var attributes = map[string]bool{
	"blocksize": true, "min keysize": true, "max keysize": true, "ivsize": true, "chunksize": true, "walksize": true,
	"statesize": true, "digestsize": true, "seedsize": true, "maxauthsize": true,
}

// ignored are labels without a use.
var ignored = map[string]bool{
	"geniv": true, // the generator of IVs by default: "<none>" since Linux 4.2, and no rule of selection before
	"flags": true, // of a larval only, which no look-up takes whatever its flags are
}

// ParseProc reads /proc/crypto: one block of "label : value" lines an algorithm,
// in the kernel's order. file is its name in the capture. Lines around the
// blocks (a console log, a mail) are counted as unread; a broken line gives a
// problem and the block goes on. On a broken stream the algorithms before it are
// returned with the error.
func ParseProc(r io.Reader, file string) ([]fact.Algorithm, []fact.Problem, fact.Unread, error) {
	p := proc{file: file, unread: fact.Unread{File: file}}
	in := lines.New(r, file, maxLine)
	for in.Next() {
		p.unread.Of++
		p.line(in.Bytes())
	}
	whole := p.done()
	return whole, p.problems, p.unread, in.Err()
}

type proc struct {
	file     string
	all      []fact.Algorithm
	open     bool // inside a block
	problems []fact.Problem
	unread   fact.Unread
}

// line reads one line.
func (p *proc) line(raw []byte) {
	label, value, ok := bytes.Cut(raw, []byte(":"))
	label, value = bytes.TrimSpace(label), bytes.TrimSpace(value)
	if !ok {
		p.other(string(label))
		return
	}
	at := func() fact.Line { return fact.Line{File: p.file, Line: p.unread.Of, Text: string(raw)} }
	if string(label) == "name" && len(p.all) == maxAlgorithms {
		p.problem(p.unread.Of, fmt.Sprintf("more than %d algorithms", maxAlgorithms))
		p.open = false
		p.unread.Lines++
		return
	}
	if string(label) == "name" {
		p.all = append(p.all, fact.Algorithm{Name: string(value), From: at()})
		p.open = true
		return
	}
	if !p.open {
		p.unread.Lines++
		return
	}
	a := &p.all[len(p.all)-1]
	switch l := string(label); {
	case l == "driver":
		a.Driver = string(value)
		a.DriverAt = at()
	case l == "module":
		a.Module = string(value)
	case l == "priority":
		if n, ok := p.number(value); ok {
			a.Priority, a.PriorityAt = n, at()
		}
	case l == "refcnt":
		a.RefCount, _ = p.number(value)
	case l == "selftest":
		a.SelfTest, a.SelfTestAt = string(value), at()
	case l == "internal":
		a.Internal = string(value) == "yes"
	case l == "type":
		a.Type = string(value)
	case l == "async":
		yes := string(value) == "yes"
		a.Async = &yes
	case l == "fips":
		yes := string(value) == "yes"
		a.FIPS = &yes
	case attributes[l]:
		if n, ok := p.number(value); ok {
			if a.Attributes == nil {
				a.Attributes = map[string]int{}
			}
			a.Attributes[l] = n
		}
	case ignored[l]:
		p.unread.Ignored++
	default:
		p.unread.Lines++
	}
}

// other takes a line without a colon.
func (p *proc) other(line string) {
	switch line {
	case "":
		p.unread.Ignored++
		p.open = false
	case "[...]", "[snip]": // in a mail
		p.unread.Ignored++
		p.problem(p.unread.Of, "the text leaves something out here")
	default:
		p.unread.Lines++
	}
}

// number reads a signed number of 32 bits; what is none is a problem.
func (p *proc) number(value []byte) (n int, ok bool) {
	v, err := strconv.ParseInt(string(value), 10, 32)
	if err != nil {
		p.problem(p.unread.Of, fmt.Sprintf("%q is not a number", value))
		return 0, false
	}
	return int(v), true
}

func (p *proc) problem(line int, text string) {
	if len(p.problems) < maxProblems {
		p.problems = append(p.problems, fact.Problem{File: p.file, Line: line, Text: text})
	}
}

// done returns the algorithms. One whose block broke off before its driver and
// priority cannot be compared with others and is left out, with a problem. The
// larval of a look-up that waits for a module has an empty driver.
func (p *proc) done() []fact.Algorithm {
	var whole []fact.Algorithm
	for _, a := range p.all {
		if a.DriverAt.IsZero() || a.Driver == "" && a.Type != "larval" || a.PriorityAt.IsZero() {
			p.problem(a.From.Line, "the block of "+a.Name+" has no driver or no priority")
			continue
		}
		whole = append(whole, a)
	}
	return whole
}

// Looks reports whether head, the start of a text, is /proc/crypto: a name line
// followed by a driver line.
func Looks(head []byte) bool {
	name := false
	for line := range bytes.Lines(head) {
		label, _, _ := bytes.Cut(line, []byte(":"))
		switch string(bytes.TrimSpace(label)) {
		case "name":
			name = true
		case "driver":
			if name && bytes.HasPrefix(line, []byte("driver ")) {
				return true
			}
		default:
			name = false
		}
	}
	return false
}
