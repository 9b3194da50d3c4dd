package sysfs

import (
	"bytes"
	"fmt"
	"io"

	"hwcap/parse/fact"
	"hwcap/parse/pciconfig"
)

const (
	configSize = 4096   // of a PCI Express function, the largest there is
	maxSpaces  = 10_000 // functions whose configuration space is read; the facts of one take some 10 KiB
)

// space is the configuration space of a function, as far as the kernel gave it
// out.
type space struct {
	file  string
	size  int
	bytes []byte // without the zeros at its end, of which most consist
}

// config keeps configuration space until [Tree.Decode]. One that breaks off is
// not kept: a capability that it does not reach is not absent.
func config(t *Tree, f *file) {
	d := t.of(f)
	if d == nil {
		return
	}
	at := fact.Line{File: f.file}
	t.buf.Reset(f)
	head, _ := t.buf.Peek(configSize)
	s := space{f.file, len(head), bytes.Clone(bytes.TrimRight(head, "\x00"))}
	n, _ := io.Copy(io.Discard, t.buf)
	if f.cut {
		d.sysfs.ConfigBytes = fact.Missing[int64](fact.Failed, at)
		return
	}
	d.sysfs.ConfigBytes = fact.Of(n, at)
	switch {
	case s.size == 0 || f.line != "": // grep calls it a binary file
	case len(t.spaces) < maxSpaces:
		t.spaces[d.Address] = s
	case !t.manySpaces:
		t.manySpaces = true
		t.problem(f, 0, "more than %d configuration spaces; the rest is not read", maxSpaces)
	}
}

// Decode adds to d what its configuration space says, as far as nothing else
// said it. It is called once for each function, after [Tree.Finish].
//
// What the kernel's other files tell as well, the ids and the addresses, the
// kernel knows better: a virtual function has no ids in configuration space
// (PCIe Base Specification 9.3.4.1.1), and quirks set right what some devices
// say of themselves (drivers/pci/quirks.c).
func (t *Tree) Decode(d *fact.Device) {
	s, ok := t.spaces[d.Address]
	if !ok {
		return
	}
	delete(t.spaces, d.Address)
	whole := make([]byte, s.size)
	copy(whole, s.bytes)
	decoded, problems := pciconfig.Decode(d.Address, whole, func(offset int, text string) fact.Line {
		return fact.Line{File: s.file, Offset: int64(offset), Text: t.once(text)}
	})
	for _, p := range problems {
		t.problem(&file{file: s.file}, 0, "%s", p.Text)
	}
	d.Fill(&decoded, func(name string, _ fact.Line) {
		if link := linkNamed(&decoded, name); link != nil {
			d.Conflicts = append(d.Conflicts, fact.Reading{Field: name, Value: fmt.Sprintf("%g GT/s x%d", link.Speed, link.Width), At: link.At})
		}
	})
}

// linkNamed returns the register of the link that Fill calls name, nil for
// another one.
func linkNamed(d *fact.Device, name string) *fact.Link {
	switch name {
	case "express.linkCap":
		return d.Express.LinkCap
	case "express.linkSta":
		return d.Express.LinkSta
	}
	return nil
}

// once returns text as it was read before, so that it is kept once: most
// registers of a large machine read alike.
func (t *Tree) once(text string) string {
	const most = 10_000
	if seen, ok := t.texts[text]; ok {
		return seen
	}
	if len(t.texts) < most {
		t.texts[text] = text
	}
	return text
}
