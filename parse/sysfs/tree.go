package sysfs

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"iter"
	"path"
	"strconv"
	"strings"

	"hwcap/parse/fact"
	"hwcap/parse/lines"
)

// Limits of what is kept of one capture. A real one stays far below them; they
// bound the memory that a hostile one can take.
const (
	maxText    = 64 << 10 // bytes of a file that is read as one text
	maxLine    = 64 << 10 // bytes of a line; the rest of a longer one is skipped
	maxKept    = 64 << 20 // bytes kept of all files together
	maxEntries = 20_000   // kept of one file that is a list
	maxFault   = 1000     // problems that are listed
)

// Tree gathers the facts of a capture's small files.
type Tree struct {
	m       *fact.Machine
	devices map[string]*device
	spaces  map[string]space            // by address
	slots   map[string]fact.Val[string] // slot name by "0000:c5:00"
	groups  map[string]*fact.Group
	nets    map[string]*fact.Interface
	sensors map[string]*fact.Sensor
	edac    map[string]*controller
	qat     map[string]*fact.QAT // by address, from the sysfs folder qat/
	dmi     *DMI
	buf     *bufio.Reader // for the file at hand
	before  int           // lines of its text that stand before it
	kept    int
	full    bool

	manySpaces bool              // there are more than are kept
	texts      map[string]string // of their registers
}

// New returns a Tree that writes into m.
func New(m *fact.Machine) *Tree {
	m.Settings = map[string]fact.Val[string]{}
	m.Lists = map[string]fact.List{}
	return &Tree{
		m:       m,
		buf:     bufio.NewReaderSize(nil, maxLine+1),
		devices: map[string]*device{},
		spaces:  map[string]space{},
		texts:   map[string]string{},
		slots:   map[string]fact.Val[string]{},
		groups:  map[string]*fact.Group{},
		nets:    map[string]*fact.Interface{},
		sensors: map[string]*fact.Sensor{},
		edac:    map[string]*controller{},
		qat:     map[string]*fact.QAT{},
	}
}

// file is one member while its handler runs.
type file struct {
	path string   // in the capture
	file string   // where it stands, for evidence
	key  []string // what the asterisks of its pattern stood for
	line string   // that holds its value beside other things, "" for none
	r    io.Reader
	cut  bool // not all of it was read or kept, known once r has ended
}

// Read notes whether the file ends or breaks off.
func (f *file) Read(p []byte) (int, error) {
	n, err := f.r.Read(p)
	f.cut = f.cut || err != nil && err != io.EOF
	return n, err
}

// state is that of what was gathered up to the end of f.
func (f *file) state() fact.State {
	if f.cut {
		return fact.Truncated
	}
	return fact.Present
}

// Wants reports whether the file at path (slashes, no leading one) gives facts.
func Wants(path string) bool {
	if isList(path) {
		return true
	}
	handle, _ := lookup(canonical(path))
	return handle != nil
}

// Add reads the file at path from r, not necessarily to its end. What it
// cannot make sense of becomes a problem of the machine. An r that breaks off
// should end with a whole line; what hangs on the rest is then not present.
func (t *Tree) Add(path string, r io.Reader) { t.AddFrom(path, path, 0, r) }

// AddFrom reads the file at path from a bundle in which it stands as name, or
// as a part of name with so many lines before it.
func (t *Tree) AddFrom(path, name string, before int, r io.Reader) {
	t.before = before
	defer func() { t.before = 0 }()
	if isList(path) {
		t.list(&file{path: path, file: name, r: r})
		return
	}
	if handle, key := lookup(canonical(path)); handle != nil {
		handle(t, &file{path: path, file: name, key: key, r: r})
	}
}

// AddLine reads the file at path, which has but one line, out of a text: that of
// grep has path and value in a line, at.
func (t *Tree) AddLine(path, value string, at fact.Line) {
	t.before = at.Line - 1
	defer func() { t.before = 0 }()
	if handle, key := lookup(canonical(path)); handle != nil {
		handle(t, &file{path: path, file: at.File, key: key, line: at.Text, r: strings.NewReader(value)})
	}
}

// Number reads the file at path as one decimal number.
func (t *Tree) Number(path string, r io.Reader) fact.Val[int64] {
	return number[int64](t, &file{path: path, file: path, r: r})
}

// Word reads the file at path as one line.
func (t *Tree) Word(path string, r io.Reader) fact.Val[string] {
	return t.value(&file{path: path, r: r})
}

func isList(p string) bool { return path.Base(p) == ".list" && strings.HasPrefix(p, "sys/") }

// canonical turns the real place of a PCI function's file,
// sys/devices/pci0000:00/0000:00:01.0/vendor, into the one below
// sys/bus/pci/devices that the table knows: a tree copied without its links
// has only the former.
func canonical(p string) string {
	rest, ok := strings.CutPrefix(p, "sys/devices/pci")
	if !ok {
		return p
	}
	parts := strings.Split(rest, "/")
	for i := len(parts) - 1; i > 0; i-- {
		if IsAddress(parts[i]) {
			return "sys/bus/pci/devices/" + strings.Join(parts[i:], "/")
		}
	}
	return p
}

// keep accounts for n bytes that stay in memory. It returns false, and says so
// once, when the capture has used up its share.
func (t *Tree) keep(f *file, n int) bool {
	if t.kept += n; t.kept <= maxKept {
		return true
	}
	if !t.full {
		t.full = true
		t.problem(f, 0, "the files of the tree hold more than %d MiB; the rest is not kept", maxKept>>20)
	}
	return false
}

// keepEntry does the same for one more entry of a file that is a list, of which
// n are kept already.
func (t *Tree) keepEntry(f *file, line, n, bytes int) bool {
	if n == maxEntries {
		t.problem(f, line, "more than %d entries; the rest is not kept", maxEntries)
	}
	if n >= maxEntries || !t.keep(f, bytes) {
		f.cut = true
		return false
	}
	return true
}

func (t *Tree) problem(f *file, line int, format string, args ...any) {
	if len(t.m.Problems) < maxFault {
		t.m.Problems = append(t.m.Problems, fact.Problem{File: f.file, Line: line, Text: fmt.Sprintf(format, args...)})
	}
}

// value reads f as a file of one line. Blanks and the NUL that some kernel
// files end with are no part of the value; a file without one is empty.
func (t *Tree) value(f *file) fact.Val[string] {
	for n, line := range t.lines(io.LimitReader(f, maxText)) {
		at := fact.Line{File: f.file, Line: n, Text: cmp.Or(f.line, strings.TrimRight(line, "\x00"))}
		v := strings.Trim(line, " \t\x00")
		if v == "" || !t.keep(f, 2*len(line)+len(f.path)) {
			break
		}
		return fact.Of(v, at)
	}
	if f.cut {
		return fact.Missing[string](fact.Failed, fact.Line{File: f.file})
	}
	return fact.Missing[string](fact.Empty, fact.Line{File: f.file})
}

// number reads f as a file of one decimal number.
func number[T int | int64](t *Tree, f *file) fact.Val[T] {
	v := t.value(f)
	if !v.Known() {
		return fact.Missing[T](v.State, v.At)
	}
	n, err := strconv.ParseInt(v.V, 10, 64)
	if err != nil || int64(T(n)) != n {
		t.problem(f, v.At.Line, "not a number: %s", quote(v.V))
		return fact.Missing[T](fact.Failed, v.At)
	}
	return fact.Of(T(n), v.At)
}

// quote shows at most 80 bytes of what a capture holds.
func quote(s string) string {
	if len(s) > 80 {
		s = s[:80]
	}
	return strconv.Quote(s)
}

// lines yields the lines of r one file at a time, numbered as its text is. A
// read error ends them.
func (t *Tree) lines(r io.Reader) iter.Seq2[int, string] {
	t.buf.Reset(r)
	return func(yield func(int, string) bool) {
		for in := lines.New(t.buf, "", maxLine); in.Next(); {
			if !yield(t.before+in.Number(), string(in.Bytes())) {
				return
			}
		}
	}
}
