package capture

import (
	"context"
	"errors"
	"fmt"
	"syscall"
)

// recordBuffer is the most that one record of /dev/kmsg can have
// (PRINTKRB_RECORD_MAX in kernel/printk/printk.c is less; a smaller buffer
// gives EINVAL).
const recordBuffer = 16 << 10

// copyRecords copies records as they are, one a read, until the device has no
// more: EAGAIN, as it was opened without blocking. EPIPE means that the kernel
// overwrote records before they were read; reading goes on at the next one that
// is left (Documentation/ABI/testing/dev-kmsg).
func copyRecords(ctx context.Context, read func([]byte) (int, error), out *entry) outcome {
	buf := make([]byte, recordBuffer)
	lost := 0
	for ctx.Err() == nil {
		n, err := read(buf)
		switch {
		case errors.Is(err, syscall.EAGAIN), err == nil && n == 0:
			o := outcome{state: Present}
			if size, _ := out.sinceMark(); size == 0 {
				o.state = Empty
			}
			if lost > 0 {
				o.why = fmt.Sprintf("records were overwritten before they were read, %d times", lost)
			}
			return o
		case errors.Is(err, syscall.EPIPE):
			lost++
		case errors.Is(err, syscall.EINTR):
		case err != nil:
			return failure(err)
		default:
			if _, err := out.Write(buf[:n]); err != nil {
				return failure(err)
			}
		}
	}
	return failure(context.Cause(ctx))
}
