package judge

import (
	"strings"

	"hwcap/parse/fact"
	"hwcap/parse/kcrypto"
)

// zswapCompressor tells who compresses the pages of zswap. The parameter is a
// name of an algorithm, for which the kernel takes its best implementation, or
// of a driver (zswap_pool_create in mm/zswap.c).
var zswapCompressor = Rule{
	ID:      "zswap-compressor",
	Area:    Crypto,
	Sources: []string{"zswap", "proc-crypto", "netlink-crypto", "dmesg", "kmsg", "journal-k"},
	// pool is "older" or "newer" than the accelerator's start, as the log tells,
	// or ""; measured and faster are figures in bytes a second, taken on
	// fasterName as against the winner, with blocks of a page at most.
	Keys: []string{"compressor", "driver", "priority", "accelerator", "offered", "pool", "measured", "faster", "fasterName"},
	Cases: []Case{
		{Name: "disabled", Verdict: OK, Confidence: Observed},
		{Name: "cpu", Verdict: OK, Confidence: Derived},
		{Name: "qat", Verdict: Problem, Severity: Notice, Confidence: Derived},
		{Name: "qat-measured", Verdict: Problem, Severity: Warning, Confidence: Derived},
		{Name: "offload", Verdict: Problem, Severity: Info, Confidence: Derived},
		{Name: "compressor-unknown", Verdict: Unknown},
		{Name: "list-incomplete", Verdict: Unknown},
		{Name: "not-captured", Verdict: Unknown},
	},
	Judge: judgeZswap,
}

const zswapParameters = "sys/module/zswap/parameters/"

func judgeZswap(m *fact.Machine) []Finding {
	enabled, compressor := m.Setting(zswapParameters+"enabled"), m.Setting(zswapParameters+"compressor")
	f := found("not-captured", Machine)
	f.cite("enabled", enabled.At)
	f.cite("compressor", compressor.At)
	name, _ := compressor.Get()
	name = strings.TrimSpace(name)
	f.Values = map[string]any{"compressor": name, "driver": "", "accelerator": "", "offered": []string{}, "pool": ""}
	for _, c := range contests(m) {
		if c.family == "acomp" && len(c.offload().all) > 0 {
			f.appendName("offered", c.name)
		}
	}
	on, _ := enabled.Get()
	switch on = strings.TrimSpace(on); {
	case enabled.State != fact.Present || on != "Y" && on != "N":
		if s := m.Source("zswap").State; s == fact.Absent { // a kernel without zswap
			return nil
		}
		return []Finding{f}
	case on == "N":
		f.Case = "disabled"
		return []Finding{f}
	case compressor.State != fact.Present || name == "":
		return []Finding{f}
	case !listComplete(m):
		f.Case = "list-incomplete"
		return []Finding{f}
	}
	w := compressorNamed(m, name)
	if w == nil {
		f.Case = "compressor-unknown"
		return []Finding{f}
	}
	f.Values["driver"], f.Values["priority"] = w.Driver, w.Priority
	f.cite("winner", algorithmLines(w)...)
	switch o := offloadOf(w); {
	case o == nil:
		f.Case = "cpu"
	case o == qatOffload:
		f.Case, f.Values["accelerator"] = "qat", o.name
		f.comparePool(m, name)
		f.measureZswap(m, w)
	default:
		f.Case, f.Values["accelerator"] = "offload", o.name
	}
	return []Finding{f}
}

// comparePool tells which was there first, the pool or the accelerator: a pool
// keeps the implementation that it was made with (zswap_cpu_comp_prepare in
// mm/zswap.c asks once). Only the pool of the boot leaves a line in the log.
func (f *Finding) comparePool(m *fact.Machine, compressor string) {
	var pool *fact.Note
	for _, n := range m.Log.Of("zswap") {
		rest, ok := strings.CutPrefix(n.Fields["text"], "loaded using pool ")
		if used, _, _ := strings.Cut(rest, "/"); ok && used == compressor && n.Time != nil {
			pool = &n
		}
	}
	if pool == nil {
		return
	}
	for _, n := range m.Log.Of("qat-started") {
		if n.Time == nil {
			continue
		}
		f.Values["pool"] = "newer"
		if *pool.Time < *n.Time {
			f.Values["pool"] = "older"
		}
		f.cite("pool", pool.At)
		f.cite("started", n.At)
		return
	}
}

// measureZswap looks among the measurements for one of the winner and a faster
// one of a compressor on the processor, by the same tool and with as many
// processes.
func (f *Finding) measureZswap(m *fact.Machine, w *fact.Algorithm) {
	const page = 4096
	for i := range m.Measurements {
		slow := &m.Measurements[i]
		rate, ok := slow.BytesPerSecond.Get()
		if !ok || slow.What != w.Driver || slow.Block > page {
			continue
		}
		for j := range m.Measurements {
			other := &m.Measurements[j]
			better, ok := other.BytesPerSecond.Get()
			c := compressorNamed(m, other.What)
			if !ok || better <= rate || c == nil || offloadOf(c) != nil || other.Tool != slow.Tool || other.Block != slow.Block || other.Threads != slow.Threads {
				continue
			}
			f.Case = "qat-measured"
			f.Values["measured"], f.Values["faster"], f.Values["fasterName"] = rate, better, other.What
			f.cite("measured", slow.From)
			f.cite("faster", other.From)
			return
		}
	}
}

// compressorNamed returns what a look-up of a compressor by name ends with: a
// driver of exactly that name, else the best implementation.
func compressorNamed(m *fact.Machine, name string) *fact.Algorithm {
	w := kcrypto.Winner(m.Crypto.Algorithms, name, kcrypto.Caller{Types: []string{"acomp"}}).Winner
	if w < 0 {
		return nil
	}
	return &m.Crypto.Algorithms[w]
}
