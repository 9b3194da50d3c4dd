package judge

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"hwcap/parse/fact"
)

// The kernel drops error reports from the log where they come too fast
// (drivers/pci/pcie/aer.c, aer_ratelimit; lib/ratelimit.c). What it then says
// of their number is a lower bound for the link that they came from.

// addLimits adds to the tallies what the kernel says it left out: "Over 1000
// Correctable Errors reported" of a root port, "94 callbacks suppressed" of a
// function, which counts for a link only where no other one has reports.
func addLimits(m *fact.Machine, all []*aerTally, c clock) {
	for _, n := range m.Log.Of("aer-rate-limited") {
		below := slices.DeleteFunc(slices.Clone(all), func(t *aerTally) bool { return !t.roots[n.Device] && !t.detected[n.Device] })
		if len(below) == 1 {
			count, _ := strconv.Atoi(n.Fields["count"])
			below[0].leftOut(n, count, c)
		}
	}
	talking := slices.DeleteFunc(slices.Clone(all), func(t *aerTally) bool { return sum(t.logged) == 0 })
	if len(talking) != 1 {
		return
	}
	// A report may be dropped in several functions, each of which counts.
	t, dropped := talking[0], map[string]int{}
	logged := t.logged[t.floodOf()]
	for _, n := range m.Log.Of("callbacks-suppressed") {
		function := n.Fields["function"]
		if !strings.Contains(function, "aer") {
			continue
		}
		count, _ := strconv.Atoi(n.Fields["count"])
		dropped[function] += count + n.Times() - 1
		t.leftOut(n, logged+dropped[function], c)
	}
}

// leftOut notes that there were count reports at least, and more at the time of
// n.
func (t *aerTally) leftOut(n fact.Note, count int, c clock) {
	severity := t.floodOf()
	t.atLeast[severity] = max(t.atLeast[severity], count)
	if len(t.limits) < 4 {
		t.limits = append(t.limits, n.At)
	}
	for _, at := range []*float64{n.Time, n.LastTime} {
		if at != nil && c.sinceBoot {
			t.ages = append(t.ages, c.now-*at)
		}
	}
}

// floodOf returns the severity that dropped reports are counted as. Fatal ones
// are never dropped.
func (t *aerTally) floodOf() string {
	if t.logged["corrected"] == 0 && t.logged["nonfatal"] > 0 {
		return "nonfatal"
	}
	return "corrected"
}

// clockLayouts are the times of day that logs print in full: dmesg -T, dmesg
// --time-format iso, journalctl -o short-iso and short-full (without the zone,
// whose name says little).
var clockLayouts = []string{time.ANSIC, "2006-01-02T15:04:05,999999-07:00", "2006-01-02T15:04:05-0700", "2006-01-02T15:04:05-07:00", "Mon 2006-01-02 15:04:05"}

// clockTime reads a time of day of the log. The zone is not always printed: such
// times are good for their distances only.
func clockTime(text string) (time.Time, bool) {
	text = strings.Join(strings.Fields(text), " ")
	if words := strings.Split(text, " "); len(words) == 4 {
		text = strings.Join(words[:3], " ")
	}
	for _, layout := range clockLayouts {
		if t, err := time.Parse(strings.Replace(layout, "_2", "2", 1), text); err == nil {
			return t, true
		}
	}
	return time.Time{}, false
}
