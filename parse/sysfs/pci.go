package sysfs

import (
	"bytes"
	"io"
	"strconv"
	"strings"

	"hwcap/parse/fact"
)

// device gathers what the files of one PCI function say.
type device struct {
	fact.Device
	sysfs                                  fact.Sysfs
	curSpeed, curWidth, maxSpeed, maxWidth fact.Val[string]
}

// of returns the function that f belongs to, nil where the name of its folder
// is no address.
func (t *Tree) of(f *file) *device {
	d := t.at(f.key[0])
	if d != nil && d.Parent == "" && strings.HasPrefix(f.path, "sys/devices/") {
		d.Parent, _ = place(f.path) // a tree copied from its real place shows where it stands
	}
	return d
}

func (t *Tree) at(address string) *device {
	if !IsAddress(address) {
		return nil
	}
	d := t.devices[address]
	if d == nil {
		if len(t.devices) == maxEntries {
			return nil
		}
		d = &device{Device: fact.Device{Address: address}}
		t.devices[address] = d
	}
	return d
}

// id reads a file like vendor, "0x8086", into its four (two for revision) digits.
func id(field func(*fact.Device) *string) handler {
	return func(t *Tree, f *file) {
		d, v := t.of(f), t.value(f)
		if d == nil || !v.Known() {
			return
		}
		digits, ok := strings.CutPrefix(v.V, "0x")
		if !ok || len(digits) > 8 || !hex(digits) {
			t.problem(f, v.At.Line, "not an id: %s", quote(v.V))
			return
		}
		*field(&d.Device) = digits
		if d.From.IsZero() {
			d.From = v.At
		}
	}
}

// class reads "0x0b4000": base class, sub-class and programming interface.
func class(t *Tree, f *file) {
	d, v := t.of(f), t.value(f)
	if d == nil || !v.Known() {
		return
	}
	digits, ok := strings.CutPrefix(v.V, "0x")
	if !ok || len(digits) != 6 || !hex(digits) {
		t.problem(f, v.At.Line, "not a class: %s", quote(v.V))
		return
	}
	d.Class, d.ProgIf = digits[:4], digits[4:]
}

func label(t *Tree, f *file) {
	if d := t.of(f); d != nil {
		d.Label = t.value(f).V
	}
}

// numaNode reads numa_node; -1 means that the function has none.
func numaNode(t *Tree, f *file) {
	d, n := t.of(f), number[int](t, f)
	if d != nil && n.Known() && n.V >= 0 {
		d.NUMANode = &n.V
	}
}

func word(field func(*fact.Sysfs) *fact.Val[string]) handler {
	return func(t *Tree, f *file) {
		if d := t.of(f); d != nil {
			*field(&d.sysfs) = t.value(f)
		}
	}
}

func count[T int | int64](field func(*fact.Sysfs) *fact.Val[T]) handler {
	return func(t *Tree, f *file) {
		if d := t.of(f); d != nil {
			*field(&d.sysfs) = number[T](t, f)
		}
	}
}

func link(field func(*device) *fact.Val[string]) handler {
	return func(t *Tree, f *file) {
		if d := t.of(f); d != nil {
			*field(d) = t.value(f)
		}
	}
}

// widthUnknown is what max_link_width prints for a function without a link of
// its own (PCIE_LNK_WIDTH_UNKNOWN in include/linux/pci.h).
const widthUnknown = 255

// linkOf joins a speed file ("8.0 GT/s PCIe", before Linux 5.7 "8 GT/s", or
// "Unknown") with its width file. Both must have been read: a width that was
// not is no x0.
func (t *Tree) linkOf(speed, width fact.Val[string]) fact.Val[fact.Link] {
	if !speed.Known() || !width.Known() {
		return fact.Val[fact.Link]{}
	}
	l := fact.Link{At: speed.At}
	if !strings.HasPrefix(speed.V, "Unknown") {
		digits, _, ok := strings.Cut(speed.V, " GT/s")
		gts, err := strconv.ParseFloat(digits, 64)
		if !ok || err != nil || !(gts > 0 && gts < 1024) {
			t.problem(&file{path: speed.At.File}, speed.At.Line, "not a link speed: %s", quote(speed.V))
			return fact.Missing[fact.Link](fact.Failed, speed.At)
		}
		l.Speed = gts
	}
	lanes, err := strconv.ParseUint(width.V, 10, 8)
	if err != nil {
		t.problem(&file{path: width.At.File}, width.At.Line, "not a link width: %s", quote(width.V))
		return fact.Missing[fact.Link](fact.Failed, width.At)
	}
	if lanes == widthUnknown {
		return fact.Missing[fact.Link](fact.Absent, width.At)
	}
	l.Width = int(lanes)
	return fact.Of(l, speed.At)
}

// counters reads an aer_dev_* file: "RxErr 2" a line, the total last
// (drivers/pci/pcie/aer.c, aer_stats_dev_attr).
func counters(field func(*fact.Sysfs) *fact.Val[fact.Counters]) handler {
	return func(t *Tree, f *file) {
		d := t.of(f)
		if d == nil {
			return
		}
		c := fact.Counters{Counts: map[string]int64{}, At: map[string]fact.Line{}}
		first, total := fact.Line{File: f.file}, false
		for n, line := range t.lines(io.LimitReader(f, maxText)) {
			at := fact.Line{File: f.file, Line: n, Text: line}
			if n == t.before+1 {
				first = at
			}
			// The kernel's documentation shows names with blanks, so the
			// number is what follows the last one.
			cut := strings.LastIndexByte(line, ' ')
			v, err := strconv.ParseInt(line[cut+1:], 10, 64)
			if cut <= 0 || err != nil {
				t.problem(f, n, "not a counter: %s", quote(line))
				continue
			}
			if name := line[:cut]; strings.HasPrefix(name, "TOTAL_") {
				c.Total, total = v, true
				c.At["TOTAL"] = at
			} else if v != 0 && t.keep(f, 2*len(line)) {
				c.Counts[name], c.At[name] = v, at
			}
		}
		if !total { // broken off: a total that was not read is no zero
			*field(&d.sysfs) = fact.Missing[fact.Counters](fact.Failed, first)
			return
		}
		*field(&d.sysfs) = fact.Of(c, first)
	}
}

// Flags of a line of the file resource (include/linux/ioport.h).
const (
	resourceIO       = 0x100
	resourceMem      = 0x200
	resourcePrefetch = 0x2000
	resourceMem64    = 0x100000
	resourceUnset    = 0x20000000
	resourceDisabled = 0x10000000
	resourceROM      = 6 // index of the expansion ROM
)

// resource reads "start end flags" a line: six base addresses and the ROM.
// What follows are bridge windows and the addresses of virtual functions.
func resource(t *Tree, f *file) {
	d := t.of(f)
	if d == nil {
		return
	}
	for n, line := range t.lines(io.LimitReader(f, maxText)) {
		if n > resourceROM+1 {
			break
		}
		var v [3]uint64
		fields := strings.Fields(line)
		ok := len(fields) == len(v)
		for i := 0; ok && i < len(v); i++ {
			var err error
			v[i], err = strconv.ParseUint(fields[i], 0, 64)
			ok = err == nil
		}
		start, end, flags := v[0], v[1], v[2]
		if !ok || end < start {
			t.problem(f, n, "not a resource: %s", quote(line))
			continue
		}
		if flags&(resourceIO|resourceMem) == 0 {
			continue
		}
		r := fact.Region{
			Index:    n - 1,
			Kind:     "mem",
			Prefetch: flags&resourcePrefetch != 0,
			At:       fact.Line{File: f.file, Line: n, Text: line},
		}
		switch {
		case flags&resourceIO != 0:
			r.Kind = "io"
		case flags&resourceMem64 != 0:
			r.Bits = 64
		default:
			r.Bits = 32
		}
		if size := end - start + 1; end != 0 && size <= 1<<62 {
			r.Size = int64(size)
		}
		switch {
		case flags&resourceUnset != 0:
			r.State = "unassigned"
		case flags&resourceDisabled != 0:
			r.State = "disabled"
		default:
			r.Address = strconv.FormatUint(start, 16)
		}
		d.Regions = append(d.Regions, r)
	}
}

func qatWord(field func(*fact.QAT) *fact.Val[string]) handler {
	return func(t *Tree, f *file) {
		if q := t.quickAssist(f); q != nil {
			*field(q) = t.value(f)
		}
	}
}

func qatNumber(field func(*fact.QAT) *fact.Val[int64]) handler {
	return func(t *Tree, f *file) {
		if q := t.quickAssist(f); q != nil {
			*field(q) = number[int64](t, f)
		}
	}
}

// maxQAT is how many QuickAssist devices are kept.
const maxQAT = 2000

// quickAssist returns the QuickAssist device that f belongs to, nil for none.
func (t *Tree) quickAssist(f *file) *fact.QAT {
	address := f.key[0]
	if !IsAddress(address) {
		return nil
	}
	if t.qat[address] == nil {
		if len(t.qat) == maxQAT {
			return nil
		}
		t.qat[address] = &fact.QAT{Address: address}
	}
	return t.qat[address]
}

// slotAddress reads "0000:c5:00", the place that a physical slot leads to.
func slotAddress(t *Tree, f *file) {
	if v := t.value(f); v.Known() && IsAddress(v.V+".0") {
		t.slots[v.V] = fact.Of(f.key[0], v.At)
	}
}

// list reads a folder's listing: one name a line, "name -> target" for links.
func (t *Tree) list(f *file) {
	const entrySize = 128 // bytes of a fact.Entry, with some room to grow
	folder := strings.TrimSuffix(f.path, "/.list")
	l := fact.List{State: fact.Empty}
	for n, line := range t.lines(f) {
		if line == "" {
			continue
		}
		if !t.keepEntry(f, n, len(l.Entries), len(line)+entrySize) {
			break
		}
		e := fact.Entry{At: fact.Line{File: f.file, Line: n, Text: line}}
		e.Name, e.Target, _ = strings.Cut(line, " -> ")
		l.Entries = append(l.Entries, e)
	}
	if len(l.Entries) > 0 || f.cut {
		l.State = f.state()
	}
	t.m.Lists[folder] = l
}

// setting keeps a file of one line under its path.
func setting(t *Tree, f *file) {
	if v := t.value(f); v.State == fact.Present || v.State == fact.Empty {
		t.m.Settings[f.path] = v
	}
}

// wholeText keeps a short file of several lines under its path.
func wholeText(t *Tree, f *file) {
	b, _ := io.ReadAll(io.LimitReader(f, 4<<10))
	text := strings.TrimRight(string(b), "\n\x00")
	if text == "" || f.cut || !t.keep(f, len(text)) {
		return
	}
	first, _, _ := bytes.Cut(b, []byte("\n"))
	t.m.Settings[f.path] = fact.Of(text, fact.Line{File: f.file, Line: t.before + 1, Text: string(first)})
}
