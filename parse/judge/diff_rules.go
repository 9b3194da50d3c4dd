package judge

import (
	"strings"

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

// changed is a row of a table of changes.
func changed(what string, old, new fact.Val[string]) (row map[string]any, spoken bool) {
	was, is, ok := bothRead(old, new)
	was, is = strings.TrimSpace(was), strings.TrimSpace(is)
	if !ok || was == is {
		return nil, ok
	}
	return map[string]any{"what": what, "before": was, "after": is}, true
}
