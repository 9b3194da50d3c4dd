package judge

import "hwcap/parse/fact"

// switchTranslates speaks of switches whose links above and below differ.
var switchTranslates = Rule{
	ID:      "pcie-switch-translates",
	Area:    Links,
	Sources: []string{"lspci-vvv", "pci"},
	Keys: []string{
		"upper", "inSpeedGTs", "inWidthLanes", "inGBs", "inSpeedLimit", "inWidthLimit", "inUpperCapSpeedGTs", "inLowerCapSpeedGTs",
		"lower", "port", "outSpeedGTs", "outWidthLanes", "outGBs", "outSpeedLimit", "outWidthLimit", "outs",
	},
	Cases: []Case{
		{Name: "one", Verdict: Problem, Severity: Info, Confidence: Derived},
		{Name: "several", Verdict: Problem, Severity: Info, Confidence: Derived},
	},
	Judge: judgeSwitchTranslates,
}

func judgeSwitchTranslates(m *fact.Machine) []Finding {
	t := newTree(m)
	var out []Finding
	for _, in := range t.judged() {
		if outs := t.translated(in); len(outs) > 0 {
			out = append(out, translation(in, outs))
		}
	}
	return out
}

// translated returns the links behind the switch at the lower end of in, where
// one of them runs differently; resting graphics cards count for none.
func (t *tree) translated(in *Link) []*Link {
	if t.kind(in.Lower) != fact.UpstreamPort || in.Fixed || in.doubt() != "" {
		return nil
	}
	var outs []*Link
	differ := false
	for _, port := range t.children[in.Lower.Address] {
		for _, d := range t.children[port.Address] {
			l := t.byLower[d.Address]
			if l != nil && !l.Fixed && l.doubt() == "" && !l.idles() {
				outs = append(outs, l)
				differ = differ || l.Now() != in.Now()
			}
		}
	}
	if !differ {
		return nil
	}
	return outs
}

// translation describes a switch by what goes in and what comes out.
func translation(in *Link, outs []*Link) Finding {
	f := found("several", in.Lower.Address)
	if len(outs) == 1 {
		f.Case = "one"
	}
	first, now := outs[0], in.Now()
	f.Values = map[string]any{
		"upper":              in.Upper.Address,
		"inSpeedGTs":         now.Speed,
		"inWidthLanes":       now.Width,
		"inGBs":              now.GBs(),
		"inSpeedLimit":       limit(now.Speed, in.Up.Cap.Speed, in.Down.Cap.Speed),
		"inWidthLimit":       limit(now.Width, in.Up.Cap.Width, in.Down.Cap.Width),
		"inUpperCapSpeedGTs": in.Up.Cap.Speed,
		"inLowerCapSpeedGTs": in.Down.Cap.Speed,
		"lower":              first.card().Address,
		"port":               first.Upper.Address,
		"outSpeedGTs":        first.Now().Speed,
		"outWidthLanes":      first.Now().Width,
		"outGBs":             first.Now().GBs(),
		"outSpeedLimit":      limit(first.Now().Speed, first.Up.Cap.Speed, first.Down.Cap.Speed),
		"outWidthLimit":      limit(first.Now().Width, first.Up.Cap.Width, first.Down.Cap.Width),
	}
	f.cite("in", in.now().NowAt...)
	f.cite("inCap", in.Up.CapAt...)
	f.cite("inCap", in.Down.CapAt...)
	var table []map[string]any
	for _, l := range outs {
		table = append(table, map[string]any{
			"upper": l.Upper.Address, "lower": l.Lower.Address,
			"speedGTs": l.Now().Speed, "widthLanes": l.Now().Width, "gbs": l.Now().GBs(),
		})
		f.cite("out", l.now().NowAt...)
	}
	f.cite("outPortCap", first.Up.CapAt...)
	f.cite("outDeviceCap", first.Down.CapAt...)
	f.Values["outs"] = table
	return f
}

// limit names the end that sets a figure: "upper", "lower", "both" where they
// offer the same, or "none" where both offer more.
func limit[T int | float64](now, up, down T) string {
	switch {
	case now < up && now < down:
		return "none"
	case up < down:
		return "upper"
	case down < up:
		return "lower"
	}
	return "both"
}
