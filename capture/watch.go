package capture

import (
	"fmt"
	"io"
	"os/exec"
	"strings"
	"time"
)

// Watch asks for samples of the speed and width of every PCIe link. They are
// taken after all other sources, so that the load disturbs none of these.
type Watch struct {
	For time.Duration // how long, at most; 0: no samples

	// Command is a load that runs meanwhile, in the user's environment; the
	// samples end with it. Nil: none.
	Command []string
	Output  io.Writer // takes what the load writes; nil: nobody

	// Left is told every second how long the samples go on at most.
	Left func(time.Duration)
}

// Check finds what can be known to fail before anything is asked.
func (w *Watch) Check() error {
	if len(w.Command) == 0 {
		return nil
	}
	if _, err := exec.LookPath(w.Command[0]); err != nil {
		return fmt.Errorf("%w: %w", ErrLoad, err)
	}
	return nil
}

const (
	// sampleInterval is from the beginning of one round of all ports to that
	// of the next, at least.
	sampleInterval = 50 * time.Millisecond
	linkFolder     = "sys/bus/pci/devices"
)

// lines returns what is read and run, one a line.
func (w *Watch) lines() []string {
	lines := []string{"/" + linkFolder + "/*/{power_state,power/runtime_status,current_link_speed,current_link_width}"}
	if len(w.Command) > 0 {
		lines = append(lines, strings.Join(w.Command, " "))
	}
	return lines
}
