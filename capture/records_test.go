package capture

import (
	"context"
	"strings"
	"syscall"
	"testing"
)

// script is a device that answers reads one after the other.
type script []any

func (s *script) read(p []byte) (int, error) {
	if len(*s) == 0 {
		return 0, syscall.EAGAIN
	}
	next := (*s)[0]
	*s = (*s)[1:]
	if err, ok := next.(error); ok {
		return 0, err
	}
	return copy(p, next.(string)), nil
}

func TestCopyRecords(t *testing.T) {
	const one, two = "6,0,0,-;Linux version\n", "3,1,5,-;pcieport 0000:00:1c.0: AER\n SUBSYSTEM=pci\n"
	tests := []struct {
		situation string
		device    script
		cap       int64
		state     State
		why       string
		want      string
	}{
		{"all records", script{one, two}, 1000, Present, "", one + two},
		{"no records", nil, 1000, Empty, "", ""},
		{"some were overwritten", script{one, syscall.EPIPE, syscall.EINTR, two, syscall.EPIPE}, 1000, Present,
			"records were overwritten before they were read, 2 times", one + two},
		{"more than the cap", script{one, two}, 30, Truncated, "size cap", (one + two)[:30]},
		{"an error", script{one, syscall.EIO}, 1000, Failed, "input/output error", one},
		{"a device that ends", script{one, ""}, 1000, Present, "", one},
	}
	for _, tt := range tests {
		t.Run(tt.situation, func(t *testing.T) {
			e, err := (&spool{t.TempDir()}).create("kmsg", tt.cap)
			if err != nil {
				t.Fatal(err)
			}
			e.begin("dev/kmsg")
			got := copyRecords(context.Background(), tt.device.read, e)
			e.close()
			if got.state != tt.state || got.why != tt.why || contents(t, e)["dev/kmsg"] != tt.want {
				t.Errorf("got %+v, %q", got, contents(t, e)["dev/kmsg"])
			}
		})
	}
}

// A log that grows faster than it is read ends with the time limit.
func TestCopyRecordsWithoutEnd(t *testing.T) {
	e, err := (&spool{t.TempDir()}).create("kmsg", 1<<30)
	if err != nil {
		t.Fatal(err)
	}
	e.begin("dev/kmsg")
	ctx, cancel := context.WithCancelCause(context.Background())
	n := 0
	got := copyRecords(ctx, func(p []byte) (int, error) {
		if n++; n == 1000 {
			cancel(errLimit)
		}
		return copy(p, strings.Repeat("x", 100)), nil
	}, e)
	if got.state != TimedOut || e.bytes != 100*1000 {
		t.Errorf("got %+v after %d bytes", got, e.bytes)
	}
}
