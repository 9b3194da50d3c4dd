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
		end, err := bounded(ctx, "ask "+s.What(), func() (outcome, error) { return t.collectNetlink(ctx, s, out), nil })
		if err != nil {
			return failure(err)
		}
		return end
	case Attach:
		return collectAttachment(ctx, s, out)
	}
	return outcome{state: Failed, why: fmt.Sprintf("no way is known to read a %s", s.Kind)}
}

// condition reports whether a source is to be asked at all, and how it ends if
// not.
func (t *target) condition(ctx context.Context, s *Source) (end outcome, ok bool) {
	if s.needs != "" {
		switch filled, err := t.exists(ctx, s.needs); {
		case err != nil:
			return failure(err), false
		case s.filled && !filled:
			return outcome{state: Absent, why: "/" + s.needs + " is empty"}, false
		}
	}
	if t.noWake && s.wakes != "" {
		if asleep := t.asleep(ctx, s.wakes); len(asleep) > 0 {
			return outcome{state: NotAsked, why: "it could wake what sleeps; " + leftAsleep(asleep)}, false
		}
	}
	if s.family == "" {
		return outcome{}, true
	}
	there, err := bounded(ctx, "ask for the family "+s.family, func() (bool, error) { return hasFamily(ctx, s.family), nil })
	switch {
	case err != nil:
		return failure(err), false
	case there:
		return outcome{state: NotAsked, why: "netlink-" + s.family + " asks the same"}, false
	}
	return outcome{}, true
}
