package pciconfig_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hwcap/parse/fact"
	"hwcap/parse/lspci"
)

// Two roads, one truth: what configuration space says by itself, and what lspci
// prints of it.

func corpus(t *testing.T) string {
	t.Helper()
	dir := os.Getenv("HWCAP_CORPUS")
	if dir == "" {
		t.Skip("no corpus: HWCAP_CORPUS is not set")
	}
	return dir
}

func dumps(t *testing.T) []string {
	t.Helper()
	files, _ := filepath.Glob(filepath.Join(corpus(t), "pciutils-tests", "*"))
	if len(files) == 0 {
		t.Fatal("the corpus has no dumps of pciutils")
	}
	return files
}

// decodeDump returns what the bytes of a dump say, by address: its text goes to
// the reader of lspci -x without anything but addresses and rows.
func decodeDump(t *testing.T, file string) map[string]fact.Device {
	t.Helper()
	dump, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var rows strings.Builder
	for line := range strings.Lines(string(dump)) {
		word, _, _ := strings.Cut(line, " ")
		switch {
		case strings.HasPrefix(line, "\t") || strings.HasPrefix(line, " "):
		case len(word) > 5 && strings.Contains(word, ":"):
			rows.WriteString(word + " x: y\n")
		case strings.HasSuffix(word, ":"):
			rows.WriteString(line)
		}
	}
	r, err := lspci.Parse(strings.NewReader(rows.String()), filepath.Base(file))
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range r.Problems {
		t.Logf("%s:%d: %s", p.File, p.Line, p.Text)
	}
	if r.Unread.Lines > 0 {
		t.Errorf("%s: %d lines unread", file, r.Unread.Lines)
	}
	devices := map[string]fact.Device{}
	for _, d := range r.Devices {
		devices[d.Address] = d
	}
	return devices
}

// TestLspciVersions: every version prints what the bytes say.
func TestLspciVersions(t *testing.T) {
	dir := corpus(t)
	used := map[int]bool{}
	for _, version := range versions {
		r := roads{version: version, of: named, used: used}
		for _, file := range dumps(t) {
			text, err := os.ReadFile(filepath.Join(dir, "lspci-versions", version, filepath.Base(file)))
			if err != nil {
				t.Error(err)
				continue
			}
			r.compare(t, file, text)
		}
		t.Logf("lspci %s: %d functions, %d values agree, %d differ for a known reason", version, r.functions, r.same, r.excused)
	}
	for i := range excuses {
		if !used[i] && excuses[i].of != noise {
			t.Errorf("no dump needs the excuse of %s: %s", excuses[i].paths, excuses[i].why)
		}
	}
}

// The versions whose output of the same dumps the corpus has, oldest first.
var versions = []string{"2.2.10", "3.1.4", "3.2.1", "3.5.4", "3.6.4", "3.9.0", "3.11.1", "3.13.0"}

// roads compares both ways of one version of lspci.
type roads struct {
	version   string
	of        string // named or noise
	functions int
	same      int          // values that agree
	excused   int          // values that differ for a known reason
	used      map[int]bool // the excuses that were needed
}

func (r *roads) compare(t *testing.T, file string, text []byte) {
	t.Helper()
	printed, err := lspci.Parse(bytes.NewReader(text), filepath.Base(file))
	if err != nil {
		t.Fatal(err)
	}
	decoded := decodeDump(t, file)
	if len(printed.Devices) != len(decoded) {
		t.Errorf("%s: lspci %s prints %d functions, the dump has %d", file, r.version, len(printed.Devices), len(decoded))
	}
	for _, p := range printed.Devices {
		d, ok := decoded[p.Address]
		if !ok {
			t.Errorf("%s: no function %s in the dump", file, p.Address)
			continue
		}
		r.functions++
		diffs := differences{}
		cmp.Equal(p, d, append(options, cmp.Reporter(&diffs))...)
		r.same += diffs.same
		for _, diff := range diffs.all {
			if i := r.excuse(diff); i >= 0 {
				r.excused++
				r.used[i] = true
			} else {
				t.Errorf("%s: %s: lspci %s: %s: text %s, bytes %s", filepath.Base(file), p.Address, r.version, diff.path, show(diff.text), show(diff.bytes))
			}
		}
	}
}

func (r *roads) excuse(d difference) int {
	for i, e := range excuses {
		if e.covers(d.path) && e.is(d) && (e.of == "" || e.of == r.of) &&
			(e.from == "" || age(r.version) >= age(e.from)) && (e.to == "" || age(r.version) <= age(e.to)) {
			return i
		}
	}
	return -1
}

// age orders the versions; one that the corpus does not have is -1.
func age(version string) int { return slices.Index(versions, version) }

// difference is one value on which text and bytes differ.
type difference struct {
	path        string
	text, bytes reflect.Value
}

func show(v reflect.Value) string {
	if !v.IsValid() {
		return "nothing"
	}
	if v.Kind() == reflect.Pointer && !v.IsNil() {
		v = v.Elem()
	}
	return fmt.Sprintf("%+v", v)
}

// differences is a cmp.Reporter.
type differences struct {
	path cmp.Path
	all  []difference
	same int // values that both have
}

func (d *differences) PushStep(step cmp.PathStep) { d.path = append(d.path, step) }
func (d *differences) PopStep()                   { d.path = d.path[:len(d.path)-1] }
func (d *differences) Report(r cmp.Result) {
	text, bytes := d.path.Last().Values()
	if r.Equal() {
		if !r.ByIgnore() && !r.ByFunc() && !text.IsZero() {
			d.same++
		}
		return
	}
	var name strings.Builder
	for _, step := range d.path {
		switch s := step.(type) {
		case cmp.StructField:
			name.WriteString("." + s.Name())
		case cmp.MapIndex:
			fmt.Fprintf(&name, ".%v", s.Key())
		}
	}
	d.all = append(d.all, difference{name.String(), text, bytes})
}

// options leave out what configuration space does not hold: places, names, and
// what the kernel or firmware says. Lists become maps, so that what only one of
// both has is told by its name.
var options = []cmp.Option{
	cmp.Comparer(func(a, b fact.Line) bool { return true }),
	cmp.Comparer(func(a, b []fact.Line) bool { return true }),
	cmp.Transformer("index", func(list []fact.Region) map[int]fact.Region {
		m := map[int]fact.Region{}
		for _, r := range list {
			m[r.Index] = r
		}
		return m
	}),
	cmp.Transformer("kind", func(list []fact.Window) map[string]fact.Window {
		m := map[string]fact.Window{}
		for _, w := range list {
			w.Start, w.End = strings.TrimLeft(w.Start, "0"), strings.TrimLeft(w.End, "0") // digits differ by version
			m[w.Kind] = w
		}
		return m
	}),
	cmp.FilterPath(func(p cmp.Path) bool {
		f, ok := p.Last().(cmp.StructField)
		return ok && p.Index(-2).Type() == reflect.TypeFor[fact.Device]() && notHeld[f.Name()]
	}, cmp.Ignore()),
	cmp.FilterPath(func(p cmp.Path) bool { return p.Last().String() == ".Size" }, cmp.Ignore()), // sizes of BARs
}

var notHeld = map[string]bool{
	"SubName": true, "Name": true, "ClassName": true, "Label": true, "Slot": true, "Listings": true,
	"Driver": true, "DriverKnown": true, "Modules": true, "NUMANode": true, "IOMMUGroup": true,
}
