package diff

import (
	"time"

	"hwcap/parse/fact"
)

// Boot says whether two captures were taken in one run of the kernel, in which
// counters only rise.
type Boot string

// The answers.
const (
	OneBoot     Boot = "one"
	Restarted   Boot = "restarted"
	BootUnclear Boot = "unclear"
)

// slack is how far the start of the machine, reckoned from the time of the
// capture and its uptime, may be off: a capture takes minutes at most, and the
// clock may have been set meanwhile.
const slack = 10 * time.Minute

// boots compares boot ids, or else when the machines were started. Reversed:
// the first capture is the later one.
func boots(old, new *fact.Machine) (b Boot, reversed bool) {
	was, wasErr := time.Parse(time.RFC3339, old.Capture.Start)
	is, isErr := time.Parse(time.RFC3339, new.Capture.Start)
	dated := wasErr == nil && isErr == nil
	reversed = dated && is.Before(was)
	if a, b := old.Capture.Boot, new.Capture.Boot; a != "" && b != "" {
		if a == b {
			return OneBoot, reversed
		}
		return Restarted, reversed
	}
	up, known := old.Platform.Uptime.Get()
	upNow, too := new.Platform.Uptime.Get()
	if !dated || !known || !too {
		return BootUnclear, reversed
	}
	apart := is.Add(-seconds(upNow)).Sub(was.Add(-seconds(up))).Abs()
	if apart <= slack {
		return OneBoot, reversed
	}
	return Restarted, reversed
}

func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }
