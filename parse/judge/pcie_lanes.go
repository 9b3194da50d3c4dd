package judge

import (
	"maps"
	"slices"

	"hwcap/parse/fact"
)

// laneErrors reads the lane error bits and the equalization flags of links at
// 8 GT/s and more (PCIe Base Specification 7.7.3, Secondary PCI Express, and
// 7.5.3.20, Link Status 2). Slower links have neither.
var laneErrors = Rule{
	ID:      "pcie-lane-errors",
	Area:    Links,
	Sources: []string{"lspci-vvv", "pci", "kmsg", "dmesg", "journal-k", "ras-errors"},
	// ends are rows of address and lanes; kinds the error kinds that were
	// counted on the link.
	Keys: []string{"upper", "ends", "lanes", "laneCount", "speedGTs", "widthLanes", "kinds", "requested", "incomplete", "retimers", "linkCount", "retimerLinks"},
	Cases: []Case{
		{Name: "with-errors", Verdict: Problem, Severity: Warning, Confidence: Derived},
		{Name: "lanes", Verdict: Problem, Severity: Notice, Confidence: Observed},
		{Name: "all-lanes", Verdict: Problem, Severity: Info, Confidence: Likely},
		{Name: "equalization", Verdict: Problem, Severity: Notice, Confidence: Observed},
		{Name: "clean", Verdict: OK, Confidence: Observed},
	},
	Judge: judgeLaneErrors,
}

// equalizedSpeed is the lowest speed in GT/s at which links equalize.
const equalizedSpeed = 8

func judgeLaneErrors(m *fact.Machine) []Finding {
	t := newTree(m)
	if t.powerLost() {
		return nil
	}
	counted := wireErrors(m)
	var out []Finding
	clean := found("clean", Machine)
	retimed := []string{}
	for _, l := range t.judged() {
		now := l.Now()
		if now.Speed < equalizedSpeed || t.asleep(l.Upper) || t.asleep(l.Lower) {
			continue
		}
		f := found("", l.Lower.Address)
		lanes := map[int]bool{}
		ends := []map[string]any{}
		read, requested, completed, flags, retimers := false, false, false, false, 0
		for _, d := range []*fact.Device{l.Upper, l.Lower} {
			if all, ok := d.LaneErrors.Get(); ok {
				read = true
				own := slices.DeleteFunc(slices.Clone(all), func(lane int) bool { return lane >= now.Width })
				if len(own) > 0 {
					ends = append(ends, map[string]any{"address": d.Address, "lanes": own})
					f.cite("lanes", d.LaneErrors.At)
				}
				for _, lane := range own {
					lanes[lane] = true
				}
			}
			if s := linkStatus2(d); s != nil {
				requested = requested || s.Has("LinkEqualizationRequest")
				if done, printed := s.Bits["EqualizationComplete"]; printed {
					flags, completed = true, completed || done
				}
				switch {
				case s.Has("2Retimers"):
					retimers = 2
				case s.Has("Retimer"):
					retimers = max(retimers, 1)
				}
				if s.Has("LinkEqualizationRequest") || s.Has("Retimer") {
					f.cite("status", s.At...)
				}
			}
		}
		if retimers > 0 {
			retimed = append(retimed, l.Lower.Address)
		}
		incomplete := flags && !completed
		kinds := counted[l.Lower.Address]
		switch {
		case len(lanes) > 0 && len(kinds) > 0:
			f.Case = "with-errors"
		case len(lanes) > 0 && len(lanes) == now.Width && now.Width > 1:
			f.Case = "all-lanes"
		case len(lanes) > 0:
			f.Case = "lanes"
		case requested || incomplete:
			f.Case = "equalization"
		default:
			if read {
				clean.Count++
				if clean.Count == 1 {
					clean.cite("lanes", l.Upper.LaneErrors.At, l.Lower.LaneErrors.At)
				}
			}
			continue
		}
		f.Count = len(lanes)
		f.Values = map[string]any{
			"upper": l.Upper.Address, "ends": ends, "lanes": slices.Sorted(maps.Keys(lanes)), "laneCount": len(lanes),
			"speedGTs": now.Speed, "widthLanes": now.Width, "kinds": kinds,
			"requested": requested, "incomplete": incomplete, "retimers": retimers,
		}
		f.cite("sta", l.now().NowAt...)
		if incomplete {
			f.cite("status", flagLines(linkStatus2(l.Lower))...)
		}
		out = append(out, f)
	}
	if len(out) == 0 && clean.Count > 0 && m.Complete("lspci-vvv") {
		clean.Values = map[string]any{"linkCount": clean.Count, "retimerLinks": retimed}
		return []Finding{clean}
	}
	return out
}

// wireErrors returns the kinds of errors that arise on the wires, by the lower
// end of the link on which one was counted.
func wireErrors(m *fact.Machine) map[string][]string {
	all, _ := tallies(m)
	kinds := map[string][]string{}
	for _, a := range all {
		for _, bit := range slices.Sorted(maps.Keys(a.kinds)) {
			if k, ok := knownAER(bit); ok && k.Wire {
				kinds[a.link.lower] = append(kinds[a.link.lower], bit)
			}
		}
	}
	return kinds
}

// linkStatus2 is the Link Status 2 register of d, nil if it was not read.
func linkStatus2(d *fact.Device) *fact.Flags {
	if d.Express == nil {
		return nil
	}
	return d.Express.LnkSta2
}

func flagLines(f *fact.Flags) []fact.Line {
	if f == nil {
		return nil
	}
	return f.At
}
