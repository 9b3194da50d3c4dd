package capture

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"
)

// parallel is how many sources run at once.
const parallel = 8

// sources returns the table with the attachments at its end, bounded as the
// options say.
func (o *Options) sources() []Source {
	rows := Sources()
	for _, a := range o.Attach {
		rows = append(rows, a.source())
	}
	for i := range rows {
		if o.Timeout > 0 {
			rows[i].Limit = o.Timeout
		}
	}
	return rows
}

// round is one asking of all sources.
type round struct {
	*target
	spool *spool
	slots chan struct{}
	// recorded is closed when the power states of devices are read. Sources
	// that ask a device, and so can wake it, wait for that.
	recorded chan struct{}
	record   func()
}

// ask runs all sources, some at a time, and returns what they gave, in the
// order of the table. An entry is nil where nothing was asked. The error is one
// of the spool, or the cause that ended ctx.
func (t *target) ask(ctx context.Context, o Options, spool *spool) ([]*entry, []Record, error) {
	ctx, fail := context.WithCancelCause(ctx)
	defer fail(nil)
	limited, cancel := ctx, context.CancelFunc(func() {})
	if o.Total > 0 {
		limited, cancel = context.WithTimeoutCause(ctx, o.Total, fmt.Errorf("%w of %v", errTotal, o.Total))
	}
	defer cancel()

	sources := o.sources()
	r := &round{target: t, spool: spool, slots: make(chan struct{}, parallel), recorded: make(chan struct{})}
	r.record = sync.OnceFunc(func() { close(r.recorded) })
	if !slices.ContainsFunc(sources, func(s Source) bool { return s.recordsPower() && o.Select.Leaves(&s) == "" }) {
		r.record()
	}

	entries := make([]*entry, len(sources))
	records := make([]Record, len(sources))
	var wg sync.WaitGroup
	var mu sync.Mutex // of progress
	done := 0
	for i := range sources {
		wg.Go(func() {
			s := &sources[i]
			var err error
			if entries[i], records[i], err = r.one(limited, s, o.Select.Leaves(s)); err != nil {
				fail(err)
			}
			mu.Lock()
			defer mu.Unlock()
			if done++; o.Progress != nil {
				o.Progress(done, len(sources), s.Name)
			}
		})
	}
	wg.Wait()
	return entries, records, context.Cause(ctx)
}

// recordsPower reports whether s reads power states before all else.
func (s *Source) recordsPower() bool {
	return slices.ContainsFunc(s.picks, func(p pick) bool { return p.first })
}

// one asks one source, unless left says why not. The error is one of the spool.
func (r *round) one(ctx context.Context, s *Source, left string) (*entry, Record, error) {
	rec := Record{Name: s.Name, Path: s.Path, Kind: s.Kind, What: s.What(), Cap: s.Cap, Privacy: s.Privacy}
	if left != "" {
		rec.State, rec.Why = NotAsked, left
		return nil, rec, nil
	}
	if s.recordsPower() {
		defer r.record()
	} else if s.Asks != "" {
		select {
		case <-r.recorded:
		case <-ctx.Done():
		}
	}
	select {
	case r.slots <- struct{}{}:
		defer func() { <-r.slots }()
	case <-ctx.Done():
	}
	if cause := context.Cause(ctx); cause != nil {
		rec.State, rec.Why = stateOf(cause), "not begun before the "+cause.Error()
		return nil, rec, nil
	}

	out, err := r.spool.create(s.Name, s.Cap)
	if err != nil {
		return nil, rec, err
	}
	ctx, cancel := context.WithTimeoutCause(ctx, s.Limit, fmt.Errorf("%w of %v", errLimit, s.Limit))
	defer cancel()
	begin := time.Now()
	end := r.answer(ctx, s, out, r.record)
	err = out.close()
	rec.State, rec.Why, rec.Exit = end.state, end.why, end.exit
	rec.MS = time.Since(begin).Milliseconds()
	rec.Bytes, rec.SHA256 = out.bytes, out.digest()
	return out, rec, err
}
