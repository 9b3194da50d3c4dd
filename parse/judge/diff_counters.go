package judge

import (
	"maps"
	"slices"
	"strings"

	"hwcap/parse/diff"
	"hwcap/parse/fact"
)

// diffCounters compares the error counters of memory and network ports, within
// one boot. What a port drops for lack of room is no error of it and is left
// out.
var diffCounters = Rule{
	ID: "diff-counters", Area: Errors,
	Sources: []string{"edac", "netlink-route", "net"},
	// counters is a table: name ("mc0 CE", "eth0 rx_crc_errors"), before, after.
	Keys: []string{"counters"},
	Cases: []Case{
		{Name: "memory-uncorrected", Verdict: Problem, Severity: Critical, Confidence: Derived, Pair: true},
		{Name: "memory-corrected", Verdict: Problem, Severity: Warning, Confidence: Derived, Pair: true},
		{Name: "network", Verdict: Problem, Severity: Notice, Confidence: Derived, Pair: true},
		{Name: "same", Verdict: OK, Confidence: Derived, Pair: true},
	},
	Compare: compareCounters,
}

func compareCounters(p *diff.Pair) []Finding {
	if p.Boot != diff.OneBoot || p.Reversed {
		return nil
	}
	var out []Finding
	compared := 0
	grown := func(name string, was, is int64, before, after fact.Line, into *Finding, subject string) {
		if compared++; is <= was {
			return
		}
		rows, _ := into.Values["counters"].([]map[string]any)
		into.Values["counters"] = append(rows, map[string]any{"name": name, "before": was, "after": is})
		if into.Count++; !slices.Contains(into.Subjects, subject) {
			into.Subjects = append(into.Subjects, subject)
		}
		into.citeOld("before", before)
		into.cite("after", after)
	}
	ue, ce, net := found("memory-uncorrected"), found("memory-corrected"), found("network")
	old, new, _ := bothRead(p.Old.RAS.EDAC, p.New.RAS.EDAC)
	for _, is := range new {
		i := slices.IndexFunc(old, func(c fact.Controller) bool { return c.ID == is.ID && c.Name == is.Name })
		if i < 0 {
			continue
		}
		if a, b, ok := bothRead(old[i].UE, is.UE); ok {
			grown(is.ID+" UE", a, b, old[i].UE.At, is.UE.At, &ue, is.ID)
		}
		if a, b, ok := bothRead(old[i].CE, is.CE); ok {
			grown(is.ID+" CE", a, b, old[i].CE.At, is.CE.At, &ce, is.ID)
		}
	}
	for i := range p.New.Net {
		is := &p.New.Net[i]
		was := interfaceBefore(p, is)
		if was == nil {
			continue
		}
		a, b, ok := bothRead(was.Errors, is.Errors)
		if !ok {
			continue
		}
		for _, name := range slices.Sorted(maps.Keys(b)) {
			if wireError(name) {
				grown(is.Name+" "+name, a[name], b[name], was.Errors.At, is.Errors.At, &net, is.Name)
			}
		}
		compared++
	}
	for _, f := range []Finding{ue, ce, net} {
		if f.Count > 0 {
			out = append(out, f)
		}
	}
	if len(out) == 0 && compared > 0 {
		out = append(out, found("same", Machine))
	}
	return out
}

// wireError reports whether a counter of struct rtnl_link_stats64 counts what
// went wrong on the wire (include/uapi/linux/if_link.h).
func wireError(name string) bool {
	return strings.HasSuffix(name, "_errors") && !strings.Contains(name, "missed") && !strings.Contains(name, "fifo") && !strings.Contains(name, "over")
}

// interfaceBefore returns the interface of the earlier capture that stands on
// the same device, or, for one without, has the same name.
func interfaceBefore(p *diff.Pair, is *fact.Interface) *fact.Interface {
	device := is.Device
	if i := slices.IndexFunc(p.Devices, func(m diff.Match) bool { return m.New.Address == is.Device }); i >= 0 {
		device = p.Devices[i].Old.Address
	} else if device != "" {
		return nil
	}
	var on []*fact.Interface
	for i := range p.Old.Net {
		if was := &p.Old.Net[i]; was.Device == device {
			on = append(on, was)
		}
	}
	if len(on) == 1 && device != "" {
		return on[0]
	}
	for _, was := range on {
		if was.Name == is.Name {
			return was
		}
	}
	return nil
}
