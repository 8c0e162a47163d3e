package runs

import (
	"context"
	"sync"

	"golang.org/x/sync/errgroup"

	"berth/engine/fault"
)

// Keeper keeps the results of rows, so that they need not run again. Its methods may be
// called from any goroutine.
type Keeper[Row, Result any] interface {
	Get(context.Context, Row) (*Result, error) // nil if no result is kept
	Put(context.Context, Row, *Result) error
}

// Memory is a [Keeper] that lasts as long as the program runs.
type Memory[Row comparable, Result any] struct{ results sync.Map }

// Get implements [Keeper].
func (m *Memory[Row, Result]) Get(_ context.Context, row Row) (*Result, error) {
	r, _ := m.results.Load(row)
	result, _ := r.(*Result)
	return result, nil
}

// Put implements [Keeper].
func (m *Memory[Row, Result]) Put(_ context.Context, row Row, r *Result) error {
	m.results.Store(row, r)
	return nil
}

// Workers execute rows: in this process, in the workers of a page, or on other machines. They take
// rows from next until it returns false, and pass each result to done, in any order. They may call
// both from any goroutine until they return. After an error, no further rows start.
type Workers[Row, Result any] func(ctx context.Context, next func() (Row, bool), done func(Row, *Result) error) error

// InOrder returns workers that execute one row after the other on the caller's goroutine.
func InOrder[Row, Result any](run func(context.Context, Row) (*Result, error)) Workers[Row, Result] {
	return func(ctx context.Context, next func() (Row, bool), done func(Row, *Result) error) error {
		for row, ok := next(); ok; row, ok = next() {
			r, err := run(ctx, row)
			if err == nil {
				err = done(row, r)
			}
			if err != nil {
				return err
			}
		}
		return nil
	}
}

// AtOnce returns workers that execute up to n rows at a time, each on its own goroutine. A panic
// becomes an error of type [*fault.Fault].
func AtOnce[Row, Result any](n int, run func(context.Context, Row) (*Result, error)) Workers[Row, Result] {
	one := InOrder(run)
	return func(ctx context.Context, next func() (Row, bool), done func(Row, *Result) error) error {
		group, ctx := errgroup.WithContext(ctx)
		for range n {
			group.Go(func() error { return fault.Guard(func() error { return one(ctx, next, done) }) })
		}
		return group.Wait()
	}
}

// Executor executes rows. Fields without a comment are required.
type Executor[Row, Result any] struct {
	Workers Workers[Row, Result]
	Keeper  Keeper[Row, Result] // nil: keeps no results

	// Begin, if not nil, completes a row before a worker gets it. If Begin returns a result, the
	// row has ended and no worker gets it.
	Begin func(*Row) *Result
	// Ended is called for one result at a time. known is true if the keeper had the result.
	Ended func(row Row, r *Result, known bool)
}

// Execute executes the rows in order until all have ended. It returns the error of ctx if ctx ends
// first.
func (e *Executor[Row, Result]) Execute(ctx context.Context, rows []Row) error {
	rows, err := e.Find(ctx, rows)
	if err != nil {
		return err
	}
	var mu sync.Mutex
	next := func() (row Row, ok bool) {
		mu.Lock()
		defer mu.Unlock()
		for len(rows) > 0 && ctx.Err() == nil {
			row, rows = rows[0], rows[1:]
			var r *Result
			if e.Begin != nil {
				r = e.Begin(&row)
			}
			if r == nil {
				return row, true
			}
			e.Ended(row, r, false)
		}
		return row, false
	}
	done := func(row Row, r *Result) error {
		mu.Lock()
		e.Ended(row, r, false)
		mu.Unlock()
		if e.Keeper == nil {
			return nil
		}
		return e.Keeper.Put(context.WithoutCancel(ctx), row, r)
	}
	if err := e.Workers(ctx, next, done); err != nil {
		return err
	}
	return ctx.Err()
}

// Find calls Ended for each row whose result the keeper has, and returns the other rows.
func (e *Executor[Row, Result]) Find(ctx context.Context, rows []Row) (missing []Row, err error) {
	if e.Keeper == nil {
		return rows, nil
	}
	for _, row := range rows {
		switch r, err := e.Keeper.Get(ctx, row); {
		case err != nil:
			return nil, err
		case r == nil:
			missing = append(missing, row)
		default:
			e.Ended(row, r, true)
		}
	}
	return missing, nil
}
