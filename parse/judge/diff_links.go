package judge

import (
	"hwcap/parse/diff"
)

// diffLinks compares what the links of devices that are in both captures have
// negotiated. Links that cannot be judged alone (see Link.doubt) cannot be
// compared either.
var diffLinks = Rule{
	ID: "diff-links", Area: Links,
	Sources: []string{"lspci-vvv", "pci", "dmi", "proc-cpuinfo"},
	// links is a table: device, upper, speedBeforeGTs, widthBeforeLanes, speedGTs,
	// widthLanes, wantSpeedGTs, wantWidthLanes (what both ends can do now).
	Keys: []string{"links"},
	Cases: []Case{
		{Name: "narrower", Verdict: Problem, Severity: Warning, Confidence: Derived, Pair: true},
		{Name: "slower", Verdict: Problem, Severity: Notice, Confidence: Derived, Pair: true},
		{Name: "less-offered", Verdict: Problem, Severity: Notice, Confidence: Derived, Pair: true},
		{Name: "elsewhere", Verdict: Problem, Severity: Info, Confidence: Derived, Pair: true},
		{Name: "faster", Verdict: Problem, Severity: Info, Confidence: Derived, Pair: true},
		{Name: "idle", Verdict: Problem, Severity: Info, Confidence: Likely, Pair: true},
		{Name: "same", Verdict: OK, Confidence: Derived, Pair: true},
	},
	Compare: compareLinks,
}

func compareLinks(p *diff.Pair) []Finding {
	before, after := newTree(p.Old), newTree(p.New)
	if before.powerLost() || after.powerLost() {
		return nil // which device sleeps is not known
	}
	groups := map[string]*Finding{}
	same := 0
	for _, m := range p.Devices {
		was, is := before.byLower[m.Old.Address], after.byLower[m.New.Address]
		if was == nil || is == nil || was.Fixed || is.Fixed || was.doubt() != "" || is.doubt() != "" {
			continue
		}
		name := linkChange(was, is, p.After(was.Upper) == is.Upper)
		if name == "" {
			same++
			continue
		}
		f := groups[name]
		if f == nil {
			first := found(name)
			f = &first
			f.Values["links"] = []map[string]any{}
			groups[name] = f
		}
		f.Subjects = append(f.Subjects, m.New.Address)
		f.Count++
		old, now, want := was.Now(), is.Now(), is.Want()
		f.Values["links"] = append(f.Values["links"].([]map[string]any), map[string]any{
			"device": m.New.Address, "upper": is.Upper.Address,
			"speedBeforeGTs": old.Speed, "widthBeforeLanes": old.Width, "speedGTs": now.Speed, "widthLanes": now.Width,
			"wantSpeedGTs": want.Speed, "wantWidthLanes": want.Width,
		})
		f.citeOld("before", was.now().NowAt...)
		f.cite("now", is.now().NowAt...)
		f.cite("cap", is.Up.CapAt...)
		f.cite("cap", is.Down.CapAt...)
	}
	var out []Finding
	for _, c := range []string{"narrower", "slower", "less-offered", "elsewhere", "faster", "idle"} {
		if groups[c] != nil {
			out = append(out, *groups[c])
		}
	}
	if len(out) == 0 && same > 0 {
		f := found("same", Machine)
		f.Count = same
		out = append(out, f)
	}
	return out
}

// linkChange is the case of one link, "" for no change. samePort: it is below
// the same port as before.
func linkChange(was, is *Link, samePort bool) string {
	old, now, want := was.Now(), is.Now(), is.Want()
	switch {
	case old == now:
		return ""
	case old.Width == now.Width && (graphics(is.Lower) || graphics(was.Lower)):
		return "idle"
	case !samePort:
		return "elsewhere"
	case now.Width < old.Width && now.Width < want.Width:
		return "narrower"
	case now.Speed < old.Speed && now.Speed < want.Speed:
		return "slower"
	case now.Width < old.Width || now.Speed < old.Speed:
		return "less-offered"
	}
	return "faster"
}
