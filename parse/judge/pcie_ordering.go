package judge

import (
	"slices"
	"strings"

	"hwcap/parse/fact"
)

// orderingAndTimeouts tells how the functions are set: relaxed ordering, steering
// hints (TPH) and completion timeouts. None of these is right or wrong by
// itself.
var orderingAndTimeouts = Rule{
	ID:      "pcie-relaxed-tph-timeout",
	Area:    Links,
	Sources: []string{"lspci-vvv", "pci", "kmsg", "dmesg", "journal-k"},
	// timeouts are rows of range, count and devices (the first ones); removals,
	// rows of device, port, apartSeconds and timeout: a timeout that was
	// reported soon after another slot lost its card.
	Keys: []string{"readCount", "relaxedCount", "strict", "tph", "timeouts", "timeoutOff", "removals"},
	Cases: []Case{
		{Name: "seen", Verdict: Problem, Severity: Info, Confidence: Observed},
	},
	Judge: judgeOrderingAndTimeouts,
}

// removalTime is how many seconds after a removal a completion timeout
// elsewhere is told together with it. The longest time that a function can be
// set to wait is 64 s; most wait less than a second.
const removalTime = 5

func judgeOrderingAndTimeouts(m *fact.Machine) []Finding {
	t := newTree(m)
	if t.virtual {
		return nil
	}
	f := found("seen", Machine)
	relaxed, strict, tph, off := 0, []string{}, []string{}, []string{}
	timeouts := []map[string]any{}
	for i := range m.PCI {
		d := &m.PCI[i]
		if d.Express == nil || silent(d) || isVF(d) {
			continue
		}
		x := d.Express
		on, printed := false, false
		if x.DevCtl != nil {
			on, printed = x.DevCtl.Bits["RlxdOrd"]
		}
		switch {
		case !printed:
			continue
		case on:
			relaxed++
		default:
			strict = append(strict, d.Address)
		}
		if f.Count++; f.Count == 1 {
			f.cite("control", linesWith("RlxdOrd", x.DevCtl)...)
		}
		if d.TPH {
			tph = append(tph, d.Address)
		}
		if x.DevCtl2.Has("TimeoutDis") {
			off = append(off, d.Address)
			f.cite("off", linesWith("TimeoutDis", x.DevCtl2)...)
		}
		if v, ok := x.CompletionTimeout.Get(); ok && v != "" {
			known := len(timeouts)
			if timeouts = addTimeout(timeouts, v, d.Address); len(timeouts) > known {
				f.cite("timeout", x.CompletionTimeout.At)
			}
		}
	}
	if f.Count == 0 {
		return nil
	}
	f.Values = map[string]any{
		"readCount": f.Count, "relaxedCount": relaxed, "strict": strict, "tph": tph, "timeouts": timeouts, "timeoutOff": off,
		"removals": t.timeoutsAfterRemoval(&f),
	}
	return []Finding{f}
}

// addTimeout counts a function in the row of its timeout.
func addTimeout(rows []map[string]any, v, address string) []map[string]any {
	const named = 4 // addresses in a row
	for _, row := range rows {
		if row["range"] == v {
			row["count"] = row["count"].(int) + 1
			if all := row["devices"].([]string); len(all) < named {
				row["devices"] = append(all, address)
			}
			return rows
		}
	}
	return append(rows, map[string]any{"range": v, "count": 1, "devices": []string{address}})
}

// timeoutsAfterRemoval returns the completion timeouts that a function reported
// within a few seconds after another slot lost its link or card.
func (t *tree) timeoutsAfterRemoval(f *Finding) []map[string]any {
	rows := []map[string]any{}
	for _, e := range t.machine.Log.AER {
		if e.Boot != 0 || e.First == nil || !slices.Contains(e.Kinds, "CmpltTO") {
			continue
		}
		d := t.device[e.Device]
		for _, n := range t.machine.Log.Of("pciehp-link-down", "pciehp-card-absent") {
			if n.Time == nil || *e.First < *n.Time || *e.First-*n.Time > removalTime || d != nil && d.Parent == n.Device {
				continue
			}
			row := map[string]any{"device": e.Device, "port": n.Device, "apartSeconds": *e.First - *n.Time, "timeout": ""}
			if d != nil && d.Express != nil {
				row["timeout"], _ = d.Express.CompletionTimeout.Get()
				f.cite("ownTimeout", d.Express.CompletionTimeout.At)
			}
			f.cite("removal", n.At)
			f.cite("expired", e.At...)
			rows = append(rows, row)
			break
		}
	}
	return rows
}

// linesWith returns the lines of a register that hold text, or all of them.
func linesWith(text string, f *fact.Flags) []fact.Line {
	var out []fact.Line
	for _, l := range flagLines(f) {
		if strings.Contains(l.Text, text) {
			out = append(out, l)
		}
	}
	if len(out) == 0 {
		return flagLines(f)
	}
	return out
}
