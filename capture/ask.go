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
		switch {
		case rows[i].watch != nil:
			// It ends by itself, unless the kernel does not let it.
			rows[i].watch, rows[i].Limit = &o.Watch, o.Watch.For+DefaultLimit
		case o.Timeout > 0:
			rows[i].Limit = o.Timeout
		}
	}
	return rows
}

// leaves returns why a source is left out, or "" if it is asked.
func (o *Options) leaves(s *Source) string {
	switch {
	case s.watch == nil:
		return o.Select.Leaves(s)
	case o.Watch.For <= 0:
		return "only with --watch-links"
	}
	return "" // asked for by name
}

// Asked returns the sources that are asked with these options, in the order of
// the archive.
func (o *Options) Asked() []Source {
	return slices.DeleteFunc(o.sources(), func(s Source) bool { return o.leaves(&s) != "" })
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
	if !slices.ContainsFunc(sources, func(s Source) bool { return s.recordsPower() && o.leaves(&s) == "" }) {
		r.record()
	}

	entries := make([]*entry, len(sources))
	records := make([]Record, len(sources))
	var wg sync.WaitGroup
	var mu sync.Mutex // of progress
	done := 0
	one := func(ctx context.Context, i int) {
		s := &sources[i]
		var err error
		if entries[i], records[i], err = r.one(ctx, s, o.leaves(s)); err != nil {
			fail(err)
		}
		mu.Lock()
		defer mu.Unlock()
		if done++; o.Progress != nil {
			o.Progress(done, len(sources), s.Name)
		}
	}
	for i := range sources {
		if sources[i].watch == nil {
			wg.Go(func() { one(limited, i) })
		}
	}
	wg.Wait()
	for i := range sources {
		if sources[i].watch != nil {
			one(ctx, i)
		}
	}
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
