package judge

import (
	"slices"
	"strings"

	"hwcap/parse/diff"
	"hwcap/parse/fact"
)

// diffRules are the rules that take two captures. What only one of the captures
// read is no change: diffSources says what that holds for.
var diffRules = []Rule{
	diffMachine,
	diffBoot,
	addressMoved,
	diffDevices,
	diffLinks,
	diffPower,
	diffCounters,
	diffIOMMU,
	diffCrypto,
	diffDrivers,
	diffKernel,
	diffFirmware,
	diffCmdline,
	diffModules,
	diffSettings,
	diffRoles,
	diffSources,
}

// bothRead returns what two captures read of one value; ok is false where one of
// them did not, or not to its end.
func bothRead[T any](old, new fact.Val[T]) (was, is T, ok bool) {
	return old.V, new.V, old.State == fact.Present && new.State == fact.Present
}

// changed is a row of a table of changes; spoken is false where a capture did
// not read the value whole.
func changed(p *diff.Pair, what string, old, new fact.Val[string]) (row map[string]any, spoken bool) {
	was, is, ok := bothRead(old, new)
	if !ok || cutShort(p.Old, old.At) || cutShort(p.New, new.At) {
		return nil, false
	}
	was, is = strings.TrimSpace(was), strings.TrimSpace(is)
	if was == is {
		return nil, true
	}
	return map[string]any{"what": what, "before": was, "after": is}, true
}

// cutShort reports whether the source to which a line belongs was not read to
// its end.
func cutShort(m *fact.Machine, at fact.Line) bool {
	return slices.ContainsFunc(m.Sources, func(s fact.Source) bool {
		return !answered(s.State) && (at.File == s.Path || strings.HasPrefix(at.File, strings.TrimSuffix(s.Path, "/")+"/"))
	})
}
