package judge

import (
	"strings"

	"hwcap/parse/fact"
)

// injectedBits returns the error bits that were made on purpose in a function
// during this boot, by the kernel's names, and the line of the log that says so.
func injectedBits(m *fact.Machine, address string) map[string]fact.Line {
	made := map[string]fact.Line{}
	for _, n := range m.Log.Of("aer-injected") {
		if n.Device == address {
			for bit := range strings.FieldsSeq(n.Fields["bits"]) {
				made[bit] = n.At
			}
		}
	}
	return made
}
