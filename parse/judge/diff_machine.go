package judge

import (
	"hwcap/parse/diff"
)

// diffMachine says whether two captures are of one machine, and what that rests
// on.
var diffMachine = Rule{
	ID: "diff-machine", Area: Platform,
	Sources: []string{"lspci-vvv", "pci", "dmi", "device-tree"},
	// signs is a table: what ("boot", "serials", "board", "host", "root-ports"),
	// agrees, before, after, common.
	Keys: []string{"signs", "hostBefore", "hostAfter"},
	Cases: []Case{
		{Name: "same", Verdict: Problem, Severity: Info, Confidence: Derived, Pair: true},
		{Name: "same-likely", Verdict: Problem, Severity: Info, Confidence: Likely, Pair: true},
		{Name: "different", Verdict: Problem, Severity: Notice, Confidence: Derived, Pair: true},
		{Name: "different-likely", Verdict: Problem, Severity: Notice, Confidence: Likely, Pair: true},
		{Name: "unclear", Verdict: Unknown, Pair: true},
	},
	Compare: func(p *diff.Pair) []Finding {
		f := found(string(p.Identity.Verdict), Machine)
		signs := []map[string]any{}
		for _, s := range p.Identity.Signs {
			signs = append(signs, map[string]any{"what": s.What, "agrees": s.Agrees, "before": s.Old, "after": s.New, "common": s.Common})
			f.citeOld("sign", s.OldAt...)
			f.cite("sign", s.NewAt...)
		}
		f.Values["signs"] = signs
		f.Values["hostBefore"], f.Values["hostAfter"] = p.Old.Capture.Host, p.New.Capture.Host
		return []Finding{f}
	},
}

// diffBoot says whether counters of two captures can be compared: they begin at
// zero when the machine starts.
var diffBoot = Rule{
	ID: "diff-boot", Area: Platform,
	Sources: []string{"proc-uptime"},
	Keys:    []string{"uptimeBeforeSeconds", "uptimeAfterSeconds", "hasUptimes", "startBefore", "startAfter"},
	Cases: []Case{
		{Name: "reversed", Verdict: Problem, Severity: Notice, Confidence: Observed, Pair: true},
		{Name: "restarted", Verdict: Problem, Severity: Info, Confidence: Derived, Pair: true},
		{Name: "one", Verdict: OK, Confidence: Derived, Pair: true},
		{Name: "unclear", Verdict: Unknown, Pair: true},
	},
	Compare: func(p *diff.Pair) []Finding {
		if !p.Identity.One() {
			return nil
		}
		f := found(string(p.Boot), Machine)
		if p.Reversed {
			f.Case = "reversed"
		}
		f.citeOld("uptime", p.Old.Platform.Uptime.At)
		f.cite("uptime", p.New.Platform.Uptime.At)
		f.Values["uptimeBeforeSeconds"], f.Values["uptimeAfterSeconds"], f.Values["hasUptimes"] = bothRead(p.Old.Platform.Uptime, p.New.Platform.Uptime)
		f.Values["startBefore"], f.Values["startAfter"] = p.Old.Capture.Start, p.New.Capture.Start
		return []Finding{f}
	},
}
