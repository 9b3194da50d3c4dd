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
	Sources: []string{"zswap", "proc-crypto", "netlink-crypto"},
	Keys:    []string{"compressor", "driver", "priority", "accelerator", "offered"},
	Cases: []Case{
		{Name: "disabled", Verdict: OK, Confidence: Observed},
		{Name: "cpu", Verdict: OK, Confidence: Derived},
		{Name: "qat", Verdict: Problem, Severity: Notice, Confidence: Derived},
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
	f.Values = map[string]any{"compressor": name, "driver": "", "accelerator": "", "offered": []string{}}
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
	default:
		f.Case, f.Values["accelerator"] = "offload", o.name
	}
	return []Finding{f}
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
