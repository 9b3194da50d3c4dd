package capture

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path"
	"strconv"
	"strings"
	"time"
)

// collectLinks samples the links of all ports while the load of s.watch runs,
// if there is one.
func (t *target) collectLinks(ctx context.Context, s *Source, out *entry) outcome {
	w := s.watch
	ports, err := t.linkPorts(ctx)
	switch {
	case err != nil:
		return failure(err)
	case len(ports) == 0:
		end := outcome{state: Absent, why: "no function here has a PCIe link"}
		if len(w.Command) > 0 {
			end.why += "; " + w.Command[0] + " did not run"
		}
		return end
	}
	samples := &samples{target: t, ports: ports, out: out}
	if err := samples.head(s); err != nil {
		return failure(err)
	}

	timed, stop := context.WithTimeout(ctx, w.For)
	defer stop()
	var load *load
	if len(w.Command) > 0 {
		if load, err = startLoad(w, t.env, stop); err != nil {
			return outcome{state: Failed, why: err.Error()}
		}
	}
	err = samples.until(timed, w)
	how, exit := load.stop()
	end := outcome{state: Present, why: how, exit: exit}
	switch {
	case ctx.Err() != nil:
		end = failure(context.Cause(ctx))
	case err != nil:
		end.state, end.why = stateOf(err), strings.TrimPrefix(how+"; "+err.Error(), "; ")
	case samples.lines == 0:
		end.state, end.why = Empty, strings.TrimPrefix(how+"; no function was awake", "; ")
	}
	return end
}

// port is a function with link files, and how its link was last.
type port struct {
	dir  string
	last sample // its last reading
	read bool   // there was one
	told bool   // and it is in the capture
}

// sample is one line of samples/links.jsonl.
type sample struct {
	T       float64 `json:"t"` // seconds since the first round
	Address string  `json:"address"`
	Speed   float64 `json:"speed,omitempty"` // GT/s; 0: the kernel does not know it
	Width   int     `json:"width"`           // lanes; 0: the link is not up
}

// samplesHead is the first line of samples/links.jsonl.
type samplesHead struct {
	Command  []string `json:"command"`  // the load, null for none
	Interval float64  `json:"interval"` // seconds from one round to the next, at least
	Unit     units    `json:"unit"`
}

type units struct {
	T     string `json:"t"`
	Speed string `json:"speed"`
	Width string `json:"width"`
}

// linkPorts returns the functions that have link files, in order of address.
// Virtual functions have them and no link of their own.
func (t *target) linkPorts(ctx context.Context) ([]*port, error) {
	names, err := t.names(ctx, linkFolder, "*")
	if err != nil && stateOf(err) != Absent {
		return nil, err
	}
	var ports []*port
	for _, name := range names {
		dir := path.Join(linkFolder, name)
		if _, err := os.Lstat(t.path(path.Join(dir, "physfn"))); err == nil {
			continue
		}
		if _, err := os.Stat(t.path(path.Join(dir, "current_link_speed"))); err == nil {
			ports = append(ports, &port{dir: dir, last: sample{Address: name}})
		}
	}
	return ports, nil
}

// samples writes samples/links.jsonl.
type samples struct {
	*target
	ports []*port
	out   *entry
	lines int
}

func (s *samples) head(source *Source) error {
	s.out.begin(source.Path)
	return s.add(samplesHead{
		Command:  source.watch.Command,
		Interval: sampleInterval.Seconds(),
		Unit:     units{T: "s", Speed: "GT/s", Width: "lanes"},
	})
}

func (s *samples) add(v any) error {
	line, err := json.Marshal(v)
	if err != nil {
		return err
	}
	_, err = s.out.Write(append(line, '\n'))
	return err
}

// until samples until the end of ctx. A read that hangs is left to itself, as
// in target.read, and costs the rest of the samples.
func (s *samples) until(ctx context.Context, w *Watch) error {
	begin := time.Now()
	done := make(chan error, 1)
	go func() { done <- s.rounds(ctx) }()
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	over := ctx.Done()
	var late <-chan time.Time
	for {
		select {
		case err := <-done:
			return err
		case <-over:
			over, late = nil, time.After(reapTime)
		case <-late:
			return fmt.Errorf("a link file could not be read to its end: %w", errLimit)
		case <-tick.C:
			if left := w.For - time.Since(begin); w.Left != nil && left > 0 {
				w.Left(left)
			}
		}
	}
}

// rounds reads all ports again and again: at most once an interval, and at
// most half of the time. It ends with a line for each port whose last reading
// is not in the capture yet.
func (s *samples) rounds(ctx context.Context) error {
	begin := time.Now()
	for start := begin; ; {
		if err := s.round(start.Sub(begin)); err != nil {
			return err
		}
		took := time.Since(start)
		select {
		case start = <-time.After(max(sampleInterval-took, took)):
		case <-ctx.Done():
			return s.rest()
		}
	}
}

// round reads every port once and writes those that changed.
func (s *samples) round(at time.Duration) error {
	for _, p := range s.ports {
		now, ok := s.linkState(p.dir)
		if !ok {
			continue
		}
		same := p.read && now.Speed == p.last.Speed && now.Width == p.last.Width
		now.T, now.Address = math.Round(at.Seconds()*1000)/1000, p.last.Address
		p.last, p.read, p.told = now, true, false
		if same {
			continue
		}
		if err := s.tell(p); err != nil {
			return err
		}
	}
	return nil
}

func (s *samples) rest() error {
	for _, p := range s.ports {
		if p.read && !p.told {
			if err := s.tell(p); err != nil {
				return err
			}
		}
	}
	return nil
}

func (s *samples) tell(p *port) error {
	p.told = true
	s.lines++
	return s.add(p.last)
}

// linkState reads speed and width of a function that is awake. Reading the link
// files of a sleeping one would wake it (pci_config_pm_runtime_get in
// drivers/pci/pci-sysfs.c).
func (t *target) linkState(dir string) (sample, bool) {
	if !t.awake(dir) {
		return sample{}, false
	}
	speed, err := t.word(path.Join(dir, "current_link_speed"))
	if err != nil {
		return sample{}, false
	}
	text, err := t.word(path.Join(dir, "current_link_width"))
	if err != nil {
		return sample{}, false
	}
	width, err := strconv.Atoi(text)
	return sample{Speed: gigatransfers(speed), Width: width}, err == nil
}

// awake reports whether a function is in D0. Kernels before 5.11 have no
// power_state; there the state of runtime power management tells.
func (t *target) awake(dir string) bool {
	state, err := t.word(path.Join(dir, "power_state"))
	if err == nil {
		return state == "D0"
	}
	state, err = t.word(path.Join(dir, "power/runtime_status"))
	return err == nil && state == "active"
}

// gigatransfers reads "16.0 GT/s PCIe", or "16 GT/s" of kernels before 5.8;
// "Unknown" is 0.
func gigatransfers(text string) float64 {
	number, unit, _ := strings.Cut(text, " ")
	if speed, err := strconv.ParseFloat(number, 64); err == nil && strings.HasPrefix(unit, "GT/s") {
		return speed
	}
	return 0
}

// word returns the text of a file of one short line.
func (t *target) word(name string) (string, error) {
	f, err := os.Open(t.path(name))
	if err != nil {
		return "", err
	}
	defer f.Close()
	var buf [64]byte
	n, err := f.Read(buf[:])
	if err != nil {
		return "", &fs.PathError{Op: "read", Path: "/" + name, Err: err}
	}
	return strings.TrimSpace(string(buf[:n])), nil
}
