package capture

import (
	"context"
	"fmt"
)

const supported = true

// answer asks one source. recorded is called when power states are read.
func (t *target) answer(ctx context.Context, s *Source, out *entry, recorded func()) outcome {
	if end, ok := t.condition(ctx, s); !ok {
		return end
	}
	switch s.Kind {
	case Command:
		return t.collectCommand(ctx, s, out)
	case File:
		return t.collectFile(ctx, s, out)
	case Tree:
		return t.collectTree(ctx, s, out, recorded)
	case Netlink:
		return t.collectNetlink(ctx, s, out)
	case Attach:
		return collectAttachment(ctx, s, out)
	}
	return outcome{state: Failed, why: fmt.Sprintf("no way is known to read a %s", s.Kind)}
}

// condition reports whether a source is to be asked at all, and how it ends if
// not.
func (t *target) condition(ctx context.Context, s *Source) (end outcome, ok bool) {
	if s.needs != "" {
		switch filled, err := t.exists(s.needs); {
		case err != nil:
			return failure(err), false
		case s.filled && !filled:
			return outcome{state: Absent, why: "/" + s.needs + " is empty"}, false
		}
	}
	if s.family != "" && hasFamily(ctx, s.family) {
		return outcome{state: NotAsked, why: "netlink-" + s.family + " asks the same"}, false
	}
	return outcome{}, true
}
