package pciconfig_test

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hwcap/parse/fact"
	"hwcap/parse/lspci"
	"hwcap/parse/pciconfig"
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

// space is one function of a dump.
type space struct {
	address string
	config  []byte
}

// readDump reads what lspci -x printed, as lib/dump.c of pciutils does: an
// address, and below it rows of bytes at the start of their lines.
func readDump(t *testing.T, path string) (all []space) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		word, rest, _ := strings.Cut(strings.TrimRight(line, " \r\n"), " ")
		switch {
		case len(word) == len("00:00.0") && word[2] == ':' && word[5] == '.':
			all = append(all, space{address: "0000:" + word})
		case len(word) == len("0000:00:00.0") && word[4] == ':' && word[10] == '.':
			all = append(all, space{address: word})
		case len(all) > 0 && len(word) >= 3 && len(word) <= 4 && strings.HasSuffix(word, ":"):
			row, err := hex.DecodeString(strings.ReplaceAll(rest, " ", ""))
			s := &all[len(all)-1]
			if at := fmt.Sprintf("%02x:", len(s.config)); err == nil && word == at {
				s.config = append(s.config, row...)
			}
		}
	}
	return all
}

// decodeDump returns what the bytes of a dump say, by address.
func decodeDump(t *testing.T, path string) map[string]fact.Device {
	t.Helper()
	devices := map[string]fact.Device{}
	for _, s := range readDump(t, path) {
		devices[s.address], _ = pciconfig.Decode(s.address, s.config, func(offset int, text string) fact.Line {
			return fact.Line{File: "config", Offset: int64(offset), Text: text}
		})
	}
	return devices
}

// TestInstalledLspci: the lspci of this machine prints what the bytes say.
func TestInstalledLspci(t *testing.T) {
	files := dumps(t)
	tool, err := exec.LookPath("lspci")
	if err != nil {
		t.Skip("lspci is not installed")
	}
	lspciEnv := append(os.Environ(), "LC_ALL=C")
	version := exec.Command(tool, "--version")
	version.Env = lspciEnv
	words, _ := version.Output()
	name := strings.TrimPrefix(strings.TrimSpace(string(words)), "lspci version ")
	if age(name) < 0 {
		t.Skipf("lspci is %q; its wording is not in the table", name)
	}
	r := roads{version: name, used: map[int]bool{}}
	for _, file := range files {
		cmd := exec.Command(tool, "-F", file, "-vvvnnD")
		cmd.Env = lspciEnv
		text, err := cmd.Output()
		if err != nil {
			t.Errorf("%s: lspci: %v", file, err)
			continue
		}
		r.compare(t, file, text)
	}
	t.Logf("lspci %s: %d functions in %d dumps, %d values agree, %d differ for a known reason", name, r.functions, len(files), r.same, r.excused)
}

// TestLspciVersions: every version prints what the bytes say.
func TestLspciVersions(t *testing.T) {
	dir := corpus(t)
	used := map[int]bool{}
	for _, version := range versions {
		r := roads{version: version, named: true, used: used}
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
		if !used[i] {
			t.Errorf("no dump needs the excuse of %s: %s", excuses[i].paths, excuses[i].why)
		}
	}
}

// The versions whose output of the same dumps the corpus has, oldest first.
var versions = []string{"2.2.10", "3.1.4", "3.2.1", "3.5.4", "3.6.4", "3.9.0", "3.11.1", "3.13.0"}

// roads compares both ways of one version of lspci.
type roads struct {
	version   string
	named     bool // it printed names without ids
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
		if e.covers(d.path) && e.is(d) && (r.named || !e.named) &&
			(e.from == "" || age(r.version) >= age(e.from)) && (e.to == "" || age(r.version) <= age(e.to)) {
			return i
		}
	}
	return -1
}

// covers reports whether path, or one above it, is of the excuse.
func (e excuse) covers(name string) bool {
	for _, pattern := range strings.Fields(e.paths) {
		for p := name; p != ""; p = p[:strings.LastIndexByte(p, '.')] {
			if ok, _ := path.Match(pattern, p); ok {
				return true
			}
		}
	}
	return false
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

// What an excuse allows.

// absent: the text does not have the value at all.
func absent(d difference) bool { return !d.text.IsValid() || d.text.IsZero() }

// extra: only the text has a value.
func extra(d difference) bool { return !d.bytes.IsValid() || d.bytes.IsZero() }

// zeros: a byte of zero is not printed.
func zeros(d difference) bool { return absent(d) && d.bytes.String() == "00" }

// says: the text has this word.
func says(word string) func(difference) bool {
	return func(d difference) bool { return d.text.Kind() == reflect.String && d.text.String() == word }
}

// turned: the text has the bytes of a number in the opposite order.
func turned(d difference) bool {
	bytes := strings.Split(d.text.String(), "-")
	slices.Reverse(bytes)
	return strings.Join(bytes, "-") == d.bytes.String()
}

// unassigned: only the text has a region, without an address.
func unassigned(d difference) bool {
	r, ok := d.text.Interface().(fact.Region)
	return ok && !d.bytes.IsValid() && r.State == "unassigned"
}

// excuse allows values of the paths to differ in the versions from and to, both
// included. The paths are patterns, and cover what is below them.
type excuse struct {
	paths    string
	from, to string
	is       func(difference) bool
	named    bool // of texts printed without -n or -nn only
	why      string
}

// excuses are the differences that are lspci's, each needed by a dump.
var excuses = []excuse{
	{paths: ".Vendor .Device .SubVendor .SubDevice", is: absent, named: true, why: "names stand in the place of ids"},
	{paths: ".Header", is: absent, why: "only a type that is unknown or does not fit the class is printed"},
	{paths: ".ProgIf .Revision", is: zeros, why: "prog-if and revision are left out when they are 0"},

	{paths: ".Regions.*.State", to: "3.1.4", is: says("unassigned"), why: "an address of 0 was not printed, even with decoding on"},
	{paths: ".Regions.*.Address", to: "3.1.4", is: absent, why: "the same"},
	{paths: ".Regions.*.State", from: "3.6.4", to: "3.6.4", is: says("virtual"), why: "I/O ports at 0 with decoding on were taken for the system's word (3.6.3 and 3.6.4)"},
	{paths: ".Regions.1 .Regions.3", from: "3.9.0", is: unassigned, why: "of a dump, the upper half of a 64-bit address is listed as a region of its own (from 3.8)"},
	{paths: ".CapsState .Power", to: "3.1.4", is: absent, why: "capabilities of CardBus bridges are printed from 3.2.1 on"},
	{paths: ".AFReset", to: "2.2.10", is: absent, why: "Advanced Features are printed from 3.1.3 on"},

	{paths: ".Express.LinkCap .Express.LinkCtl .Express.LinkSta .Express.DLActive .Express.DLActiveReporting", to: "3.1.4", is: extra,
		why: "integrated endpoints and event collectors have no link, but its registers were printed (up to 3.2.0)"},
	{paths: ".Express.LinkCtl2", from: "3.1.4", to: "3.1.4", is: extra, why: "functions other than the first one have none of their own, but it was printed (up to 3.1.9)"},
	{paths: ".Express.LinkCap.ASPM", to: "3.1.4", is: says("unknown"), why: "no support had no word (up to 3.2.0), and L1 alone none (up to 3.1.8)"},
	{paths: ".Express.LinkCap.Speed .Express.LinkSta.Speed .Express.LinkCtl2.Target", to: "3.5.4", is: absent,
		why: "no words yet: 8 GT/s from 3.1.9, 16 from 3.5.3, 32 from 3.6.3"},
	{paths: ".Express.LinkSta.Note", from: "3.6.4", is: extra, why: "lspci's own judgement"},
	{paths: ".Express.FLReset .Express.DevCtl.Bits.FLReset", to: "3.5.4", is: absent, why: "of integrated endpoints it is printed from 3.6.3 on"},
	{paths: ".Express.FLReset", to: "3.1.4", is: extra, why: "printed for every type, but only endpoints have it (up to 3.2.0)"},
	{paths: ".Express.DevCtl.Bits.BrConfRtry", to: "3.1.4", is: extra, why: "printed for the other kind of bridge (up to 3.2.0)"},
	{paths: ".Express.Slot", to: "3.5.4", is: absent, why: "of PCI to PCI Express bridges it is printed from 3.5.5 on"},
	{paths: ".Express.RootCtl", to: "3.5.4", is: absent, why: "of event collectors it is printed from 3.6.3 on"},

	{paths: ".Express.DevCap2 .Express.DevCtl2 .Express.Completion* .Express.LinkCtl2", to: "2.2.10", is: absent, why: "the second registers are printed from 3.0.1 on"},
	{paths: ".Express.LnkSta2", to: "3.1.4", is: absent, why: "its flags are printed from 3.1.9 on"},
	{paths: ".Express.LnkSta2.Bits.Retimer .Express.LnkSta2.Bits.2Retimers", to: "3.6.4", is: absent, why: "printed from 3.7.0 on"},
	{paths: ".Express.DevCap2.Bits.LTR .Express.DevCtl2.Bits.LTR", to: "3.1.4", is: absent, why: "printed from 3.1.10 on"},
	{paths: ".Express.DevCap2.Bits.Routing .Express.DevCap2.Bits.*bit .Express.DevCap2.Bits.128bitCAS .Express.DevCtl2.Bits.ReqEn .Express.DevCtl2.Bits.EgressBlck", to: "3.2.1", is: absent,
		why: "AtomicOps are printed from 3.5.3 on"},
	{paths: ".Express.DevCap2.Bits.*bit .Express.DevCap2.Bits.128bitCAS", from: "3.5.4", to: "3.6.4", is: absent,
		why: "printed where the size of a memory BAR is known, which a dump does not tell (up to 3.7)"},
	{paths: ".Express.DevCap2.Bits.NROPrPrP .Express.DevCap2.Bits.10BitTag* .Express.DevCap2.Bits.ExtFmt .Express.DevCap2.Bits.EETLPPrefix " +
		".Express.DevCap2.Bits.EmergencyPowerReductionInit .Express.DevCap2.Bits.FRS .Express.DevCap2.Bits.*TPHComp", to: "3.5.4", is: absent, why: "printed from 3.6.3 on"},
	{paths: ".Express.DevCtl2.Bits.10BitTagReq", to: "3.6.4", is: absent, why: "printed from 3.8 on"},
	{paths: ".Express.DevCtl2.Bits.IDOReq .Express.DevCtl2.Bits.IDOCompl .Express.DevCtl2.Bits.EmergencyPowerReductionReq .Express.DevCtl2.Bits.EETLPPrefixBlk",
		to: "3.9.0", is: absent, why: "printed from 3.11 on"},

	{paths: ".AER.UESta .AER.UEMsk .AER.UESvrt .AER.CESta .AER.CEMsk .ACS.Cap .ACS.Ctl .SRIOV", to: "2.2.10", is: absent, why: "their registers are printed from 3.0.1 on"},
	{paths: ".AER.UE*.Bits.UncorrIntErr .AER.UE*.Bits.BlockedTLP .AER.UE*.Bits.AtomicOpBlocked .AER.UE*.Bits.TLPBlockedErr .AER.UE*.Bits.PoisonTLPBlocked " +
		".AER.UE*.Bits.DMWrReqBlocked .AER.UE*.Bits.IDECheck .AER.UE*.Bits.MisIDETLP .AER.UE*.Bits.PCRC_CHECK .AER.UE*.Bits.TLPXlatBlocked " +
		".AER.CE*.Bits.CorrIntErr .AER.CE*.Bits.HeaderOF", to: "3.11.1", is: absent, why: "printed from 3.13 on"},
	{paths: ".AER.RootCmd .AER.RootSta", to: "3.5.4", is: absent, why: "printed from 3.5.5 on, of event collectors from 3.6.3"},
	{paths: ".Serial.V", to: "2.2.10", is: turned, why: "printed in the opposite order up to 3.1.2"},
	{paths: ".ReBAR", to: "3.6.4", is: absent, why: "decoded from 3.7.0 on"},
	{paths: ".LaneErrors", to: "3.5.4", is: absent, why: "decoded from 3.6.3 on"},
	{paths: ".L1SS.Cap", to: "3.1.4", is: absent, why: "decoded from 3.2.1 on"},
	{paths: ".L1SS.Ctl", to: "3.2.1", is: absent, why: "decoded from 3.5.2 on"},
	{paths: ".LTR", to: "3.1.4", is: absent, why: "decoded from 3.1.8 on"},
}
