package judge

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"path"
	"slices"
	"strings"

	"hwcap/parse/fact"
)

// offloadVsCPU compares what was measured on an accelerator with what was
// measured on the processor, as far as both were taken by one tool, with one
// block size and as many processes.
var offloadVsCPU = Rule{
	ID:      "offload-vs-cpu",
	Area:    Crypto,
	Sources: []string{"lspci-vvv", "pci", "proc-crypto", "netlink-crypto"},
	// rows is a table: operation, blockBytes and keyBits (0 where the tool names
	// none), threads, offload and cpu (bytes a second, or operations a second
	// where ops is true), ratio (offload to cpu), faster (the accelerator is).
	// threads beside it is the count that all rows have, 0 where they differ.
	// alone is a table of the accelerator's figures that have no row, since the
	// processor was not measured so: operation, blockBytes, threads, jobs,
	// figure, ops. fromBytes is the smallest block from which on the accelerator
	// leads, belowBytes the largest at which it does not; 0 without one. limits
	// names what the comparison suffers from: "jobs", "clock", "single", "named",
	// "few", "note". disagree is a table of figures that were taken twice:
	// offload, blockBytes, threads, low, high, used (the first), ops. peakGBs is
	// the highest figure on the accelerator, ceilingGBs what its path carries a
	// direction, share the one in the other in percent, near whether that is
	// close.
	Keys: []string{
		"rows", "tool", "unit", "threads", "alone", "fromBytes", "belowBytes", "atLeast", "atMost", "percentLeast", "percentMost", "jobs", "limits", "disagree",
		"peakGBs", "ceilingGBs", "share", "near", "side", "accelerators",
	},
	Cases: []Case{
		{Name: "break-even", Verdict: Problem, Severity: Info, Confidence: Derived},
		{Name: "offload-slower", Verdict: Problem, Severity: Info, Confidence: Derived},
		{Name: "offload-faster", Verdict: Problem, Severity: Info, Confidence: Derived},
		{Name: "mixed", Verdict: Problem, Severity: Info, Confidence: Derived},
		{Name: "not-comparable", Verdict: Unknown},
		{Name: "one-sided", Verdict: Unknown},
	},
	Judge: judgeOffloadVsCPU,
}

// A sided measurement is one of which it is known who computed.
type sided struct {
	*fact.Measurement
	label   string // the algorithm, whatever the tool calls it
	offload bool
	named   bool // only the name of the attachment says so
}

// like is what two figures must share to be compared.
type like struct {
	operation            string
	bits, block, threads int
	ops                  bool
}

func (s sided) like() like {
	return like{s.Operation, s.KeyBits, s.Block, max(1, s.Threads), !s.BytesPerSecond.Known()}
}

// rate is the figure; ok is false where the tool has none.
func (s sided) rate() (v float64, ok bool) {
	if v, ok := s.BytesPerSecond.Get(); ok {
		return v, v > 0
	}
	v, ok = s.PerSecond.Get()
	return v, ok && v > 0
}

func judgeOffloadVsCPU(m *fact.Machine) []Finding {
	groups := map[string][]sided{}
	order := []string{}
	for _, s := range sidesOf(m) {
		key := s.Tool + " " + s.label
		if groups[key] == nil {
			order = append(order, key)
		}
		groups[key] = append(groups[key], s)
	}
	var findings []Finding
	var oneSided []sided
	for _, key := range order {
		g := groups[key]
		on := slices.ContainsFunc(g, func(s sided) bool { return s.offload })
		off := slices.ContainsFunc(g, func(s sided) bool { return !s.offload })
		if on && off {
			findings = append(findings, compared(m, g))
		} else {
			oneSided = append(oneSided, g...)
		}
	}
	if len(findings) == 0 && len(oneSided) > 0 {
		findings = append(findings, unanswered(m, oneSided)...)
	}
	return findings
}

// offloadEngines are the engines and providers of OpenSSL that hand work to an
// accelerator: QAT_Engine is called "qat" by its older releases.
var offloadEngines = map[string]string{
	"qat": qatOffload.name, "qatengine": qatOffload.name, "qatprovider": qatOffload.name,
}

// sidesOf returns the measurements of which it is known who computed.
func sidesOf(m *fact.Machine) []sided {
	var all []sided
	for i := range m.Measurements {
		s := sided{Measurement: &m.Measurements[i], label: strings.ToLower(m.Measurements[i].What)}
		if _, ok := s.rate(); !ok || s.Tool == "iperf3" {
			continue
		}
		switch a := driverNamed(m, s.What); {
		case a != nil: // a note that names the kernel's driver
			s.label, s.offload = a.Name, offloadOf(a) != nil
		case s.Tool == note:
			continue // of what is no driver, who computed is not known
		case s.Tool == "cryptsetup benchmark":
			name := kernelName(s.What)
			c := contestNamed(m, name)
			if c == nil || !listComplete(m) {
				continue
			}
			w := c.first()
			if w == nil {
				continue
			}
			s.label, s.offload = name, offloadOf(w) != nil
		case s.Engine != "":
			if _, s.offload = offloadEngines[strings.ToLower(s.Engine)]; !s.offload {
				continue // an engine of which this knows nothing
			}
		default:
			s.offload = namesQAT(s.From.File)
			s.named = s.offload
		}
		if s.KeyBits > 0 && s.PerSecond.Known() {
			s.label = fmt.Sprintf("%s %d", s.label, s.KeyBits)
		}
		all = append(all, s)
	}
	return all
}

// namesQAT reports whether an attachment's name has the word qat in it.
func namesQAT(file string) bool {
	words := strings.FieldsFunc(strings.ToLower(path.Base(file)), func(r rune) bool { return (r < 'a' || r > 'z') && (r < '0' || r > '9') })
	return slices.Contains(words, "qat")
}

// driverNamed returns the implementation whose driver has that name, or nil.
func driverNamed(m *fact.Machine, driver string) *fact.Algorithm {
	for i := range m.Crypto.Algorithms {
		if a := &m.Crypto.Algorithms[i]; a.Driver == driver && a.Name != driver {
			return a
		}
	}
	return nil
}

func contestNamed(m *fact.Machine, name string) *contest {
	for _, c := range contests(m) {
		if c.name == name {
			return c
		}
	}
	return nil
}

// kernelName is what the kernel calls a cipher of cryptsetup: "aes-xts" is
// xts(aes).
func kernelName(cipher string) string {
	algorithm, mode, ok := strings.Cut(cipher, "-")
	if !ok {
		return cipher
	}
	return mode + "(" + algorithm + ")"
}

// compared judges one algorithm that was measured on both sides.
func compared(m *fact.Machine, group []sided) Finding {
	f := found("not-comparable", group[0].label)
	f.Values = offloadValues(group)
	on, off := map[like]sided{}, map[like]sided{}
	disagree := []map[string]any{}
	limits := map[string]bool{}
	clocked := false // the accelerator's figure leaves out what it waited for
	for _, s := range group {
		side := off
		if s.offload {
			side = on
			if s.Clock == fact.CPUTime {
				clocked = true
				f.cite("clock", s.From)
				continue
			}
		}
		first, again := side[s.like()]
		if !again {
			side[s.like()] = s
			continue
		}
		if first.Jobs != s.Jobs { // not the same measurement
			continue
		}
		a, _ := first.rate()
		b, _ := s.rate()
		if max(a, b) > 1.1*min(a, b) {
			disagree = append(disagree, map[string]any{
				"offload": s.offload, "blockBytes": s.Block, "threads": max(1, s.Threads), "low": min(a, b), "high": max(a, b), "used": a, "ops": s.like().ops,
			})
			f.cite("disagree", first.From, s.From)
		} else {
			limits["repeated"] = true
		}
	}
	rows := f.pair(on, off, limits)
	limits["clock"] = limits["clock"] || len(rows) == 0 && clocked
	limits["single"] = !limits["repeated"] && len(disagree) == 0
	limits["few"] = len(rows) == 1
	limits["note"] = group[0].Tool == note
	delete(limits, "repeated")
	names := []string{}
	for _, name := range slices.Sorted(maps.Keys(limits)) {
		if limits[name] {
			names = append(names, name)
		}
	}
	f.Values["rows"], f.Values["limits"], f.Values["disagree"] = rows, names, disagree
	f.addCeiling(m, on)
	f.settle(rows)
	return f
}

// note is the tool of figures that a person wrote down.
const note = "note"

// pair makes the rows of what both sides have, by operation, threads and block,
// and adds to limits what the accelerator's figures in them suffer from. Its
// other figures stand alone.
func (f *Finding) pair(on, off map[like]sided, limits map[string]bool) []map[string]any {
	rows, alone := []map[string]any{}, []map[string]any{}
	threads := map[int]bool{}
	for _, k := range inOrder(on) {
		s := on[k]
		a, _ := s.rate()
		other, ok := off[k]
		if !ok {
			alone = append(alone, map[string]any{
				"operation": k.operation, "blockBytes": k.block, "threads": k.threads, "jobs": s.Jobs, "figure": a, "ops": k.ops,
			})
			f.citeOnce("alone", s.From)
			continue
		}
		b, _ := other.rate()
		rows = append(rows, map[string]any{
			"operation": k.operation, "keyBits": k.bits, "blockBytes": k.block, "threads": k.threads, "ops": k.ops,
			"offload": a, "cpu": b, "ratio": math.Round(a/b*1000) / 1000, "faster": a > b,
		})
		f.citeOnce("offload", s.From)
		f.citeOnce("cpu", other.From)
		threads[k.threads] = true
		f.Values["jobs"] = max(f.Values["jobs"].(int), s.Jobs)
		limits["jobs"] = limits["jobs"] || s.Jobs > 0
		limits["named"] = limits["named"] || s.named
		limits["clock"] = limits["clock"] || s.Clock == "" && s.Tool == "openssl speed"
	}
	f.Values["alone"] = alone
	if len(threads) == 1 {
		f.Values["threads"] = rows[0]["threads"]
	}
	return rows
}

// citeOnce cites a line that gives several figures only once.
func (f *Finding) citeOnce(role string, line fact.Line) {
	if !slices.ContainsFunc(f.Evidence, func(e Evidence) bool { return e.Role == role && e.Line == line }) {
		f.cite(role, line)
	}
}

// inOrder sorts what was measured by operation, key, threads and block.
func inOrder(side map[like]sided) []like {
	return slices.SortedFunc(maps.Keys(side), func(a, b like) int {
		return cmp.Or(cmp.Compare(a.operation, b.operation), cmp.Compare(a.bits, b.bits), cmp.Compare(a.threads, b.threads), cmp.Compare(a.block, b.block))
	})
}

// settle names the case by what the rows say.
func (f *Finding) settle(rows []map[string]any) {
	if len(rows) == 0 {
		return
	}
	from, below := math.MaxInt, 0
	wins, losses := 0, 0
	least, most := math.Inf(1), 0.0
	for _, r := range rows {
		least, most = min(least, r["ratio"].(float64)), max(most, r["ratio"].(float64))
		if block := r["blockBytes"].(int); r["faster"].(bool) {
			wins++
			from = min(from, block)
		} else {
			losses++
			below = max(below, block)
		}
	}
	f.Values["atLeast"], f.Values["atMost"] = least, most
	f.Values["percentLeast"], f.Values["percentMost"] = 100*least, 100*most
	switch {
	case losses == 0:
		f.Case = "offload-faster"
	case wins == 0:
		f.Case = "offload-slower"
	case below < from:
		f.Case = "break-even"
		f.Values["fromBytes"], f.Values["belowBytes"] = from, below
	default:
		f.Case = "mixed"
	}
}

// offloadValues are the keys that every case has.
func offloadValues(group []sided) map[string]any {
	unit := "bytes"
	if group[0].like().ops {
		unit = "ops"
	}
	return map[string]any{
		"rows": []map[string]any{}, "tool": group[0].Tool, "unit": unit, "threads": 0, "alone": []map[string]any{}, "fromBytes": 0, "belowBytes": 0, "atLeast": 0.0, "atMost": 0.0, "percentLeast": 0.0, "percentMost": 0.0,
		"jobs": 0, "limits": []string{}, "disagree": []map[string]any{}, "peakGBs": 0.0, "ceilingGBs": 0.0, "share": 0.0, "near": false,
		"side": "", "accelerators": []string{},
	}
}

// nearCeiling is from which share on, in percent, a figure is close to what a
// link carries. Some 24 bytes of framing, header and LCRC around payloads of 128
// or 256 bytes, and the packets that acknowledge them, leave 80 to 90 percent.
const nearCeiling = 70

// addCeiling sets the accelerator's highest figure beside what the path to it
// carries, where the machine has one device that it can be.
func (f *Finding) addCeiling(m *fact.Machine, on map[like]sided) {
	peak := sided{}
	best := 0.0
	for _, k := range inOrder(on) {
		if v, ok := on[k].BytesPerSecond.Get(); ok && v > best {
			best, peak = v, on[k]
		}
	}
	if best == 0 {
		return
	}
	f.Values["peakGBs"] = math.Round(best/1e6) / 1e3
	var devices []*fact.Device
	for i := range m.PCI {
		if chip, virtual := qatChipOf(&m.PCI[i]); chip != nil && !virtual {
			devices = append(devices, &m.PCI[i])
		}
	}
	if len(devices) != 1 {
		return
	}
	t := newTree(m)
	l := t.byLower[devices[0].Address]
	if l == nil {
		return
	}
	hops, whole := t.path(l)
	if !whole {
		return
	}
	narrowest := slices.MinFunc(hops, func(a, b *Link) int { return compare(a.Now().GBs(), b.Now().GBs()) })
	ceiling := narrowest.Now().GBs()
	share := math.Round(best / 1e9 / ceiling * 100)
	f.Values["ceilingGBs"], f.Values["share"], f.Values["near"] = ceiling, share, share >= nearCeiling
	f.cite("peak", peak.From)
	f.cite("ceiling", narrowest.now().NowAt...)
}

// unanswered speaks of figures of one side only, where the machine has an
// accelerator that could take the same work.
func unanswered(m *fact.Machine, all []sided) []Finding {
	f := found("one-sided")
	f.Values = offloadValues(all)
	f.Values["side"] = "cpu"
	accelerators := []string{}
	for _, s := range all {
		if s.offload {
			f.Values["side"] = "offload"
		}
		c := contestNamed(m, s.label)
		if c == nil || len(c.offload().all) == 0 {
			continue
		}
		if !slices.Contains(f.Subjects, s.label) {
			f.Subjects = append(f.Subjects, s.label)
			f.cite("figure", s.From)
		}
		for _, a := range c.offload().all {
			if name := offloadOf(&a).name; !slices.Contains(accelerators, name) {
				accelerators = append(accelerators, name)
			}
		}
	}
	f.Values["accelerators"] = accelerators
	if len(f.Subjects) == 0 {
		return nil
	}
	return []Finding{f}
}
