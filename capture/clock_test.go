package capture

import (
	"testing"
	"time"
	"unsafe"
)

// TestClockSet collects while the clock is set by an hour, back and forth: the
// end of the manifest does not follow it.
func TestClockSet(t *testing.T) {
	for _, by := range []time.Duration{time.Hour, -time.Hour} {
		start := time.Now()
		setWall(&start, by)
		end, err := time.Parse(time.RFC3339, endSince(start))
		if err != nil {
			t.Fatal(err)
		}
		if took := end.Sub(start.Truncate(time.Second)); took < 0 || took > time.Minute {
			t.Errorf("clock set by %v: the manifest ends %v after its start", -by, took)
		}
	}
}

// setWall moves the wall clock's reading of t and leaves the monotonic one, as
// if the clock had been set after t was read. A time with both readings holds
// the seconds of the first from bit 30 of its first word on (package time).
func setWall(t *time.Time, by time.Duration) {
	before := *t
	*(*uint64)(unsafe.Pointer(t)) += uint64(int64(by/time.Second)) << 30
	if got := t.Round(0).Sub(before.Round(0)); got != by || t.Sub(before) != 0 {
		panic("package time keeps its readings otherwise")
	}
}
