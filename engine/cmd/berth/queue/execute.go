package queue

import (
	"context"
	"sync"
	"time"

	"github.com/nats-io/nats.go/jetstream"
	"golang.org/x/sync/errgroup"

	"berth/engine/cmd/berth/fault"
	"berth/engine/study"
)

// Kept is the store of a queue, whose workers keep the results.
type Kept struct{ *Queue }

// Get implements [study.Store].
func (k Kept) Get(ctx context.Context, key string) (*study.Result, error) { return k.Result(ctx, key) }

// Put implements [study.Store].
func (k Kept) Put(context.Context, string, *study.Result) error { return nil }

// Executor has runs carried out by all workers of a queue, some of them its own.
type Executor struct {
	*Queue
	Workers int
	Carry   Carry
	Task    func(context.Context, study.Job) (Task, error) // what travels
}

// Execute implements [study.Executor]. When ctx ends, runs stay in the queue.
func (e *Executor) Execute(ctx context.Context, next func() (study.Job, bool), done func(study.Job, *study.Result) error) error {
	group, ctx := errgroup.WithContext(ctx)
	taking, stop := context.WithCancel(ctx)
	defer stop()
	for range e.Workers {
		group.Go(func() error { return fault.Guard(func() error { return e.Work(taking, ctx, e.Carry) }) })
	}
	collect := func() error {
		defer stop() // the workers have nothing to do any more
		c := &collector{Executor: e, done: done, waiting: map[string]study.Job{}}
		return c.collect(ctx, next)
	}
	group.Go(func() error { return fault.Guard(collect) })
	group.Go(func() error { return e.Watch(taking) })
	return group.Wait()
}

// collector knows which results have not come.
type collector struct {
	*Executor
	done func(study.Job, *study.Result) error

	mu      sync.Mutex
	waiting map[string]study.Job
}

// collect submits the jobs and waits for their results.
func (c *collector) collect(ctx context.Context, next func() (study.Job, bool)) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	watch, err := c.results.WatchAll(ctx, jetstream.UpdatesOnly()) // before anything is submitted, so that nothing comes between
	if err != nil {
		return err
	}
	defer watch.Stop()
	submitted := make(chan error, 1)
	go func() {
		submitted <- fault.Guard(func() error { return c.submitAll(ctx, next) })
	}()
	quiet := time.NewTicker(AckWait)
	defer quiet.Stop()
	updates := watch.Updates()
	for submitted != nil || c.waits() {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case err = <-submitted:
			submitted = nil
		case entry, open := <-updates:
			if !open { // the connection is lost, which the next look finds
				updates = nil
			}
			if entry == nil {
				continue
			}
			if r := readResult(entry); r != nil {
				err = c.take(entry.Key(), r)
			}
			quiet.Reset(AckWait)
		case <-quiet.C:
			if submitted == nil {
				err = c.look(ctx)
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// submitAll submits the jobs whose results did not come meanwhile.
func (c *collector) submitAll(ctx context.Context, next func() (study.Job, bool)) error {
	for job, ok := next(); ok; job, ok = next() {
		c.mu.Lock()
		c.waiting[job.Key] = job
		c.mu.Unlock()
		if known, err := c.known(ctx, job.Key); err != nil {
			return err
		} else if known {
			continue
		}
		if err := c.submit(ctx, job); err != nil {
			return err
		}
	}
	return nil
}

func (c *collector) submit(ctx context.Context, job study.Job) error {
	t, err := c.Task(ctx, job)
	if err != nil {
		return err
	}
	return c.Submit(ctx, t)
}

// known takes a result that is kept.
func (c *collector) known(ctx context.Context, key string) (bool, error) {
	r, err := c.Result(ctx, key)
	if err != nil || r == nil {
		return false, err
	}
	return true, c.take(key, r)
}

// take hands a result over, once, if somebody waits for it.
func (c *collector) take(key string, r *study.Result) error {
	c.mu.Lock()
	job, ok := c.waiting[key]
	delete(c.waiting, key)
	c.mu.Unlock()
	if !ok {
		return nil
	}
	return c.done(job, r)
}

func (c *collector) waits() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.waiting) > 0
}

func (c *collector) left() []study.Job {
	c.mu.Lock()
	defer c.mu.Unlock()
	var left []study.Job
	for _, job := range c.waiting {
		left = append(left, job)
	}
	return left
}

// look is for when nothing has come for a while: it takes results whose news were
// lost with the connection, and submits again what no worker will get any more,
// since the last one was killed between two steps.
func (c *collector) look(ctx context.Context) error {
	for _, job := range c.left() {
		if _, err := c.known(ctx, job.Key); err != nil {
			return err
		}
	}
	var info *jetstream.ConsumerInfo
	err := retry(ctx, func(ctx context.Context) (err error) {
		info, err = c.consumer.Info(ctx)
		return err
	})
	if err != nil || info.NumPending > 0 || info.NumAckPending > 0 {
		return err
	}
	for _, job := range c.left() {
		err := retry(ctx, func(ctx context.Context) error {
			return c.stream.Purge(ctx, jetstream.WithPurgeSubject(c.subject+job.Key))
		})
		if err == nil {
			err = c.submit(ctx, job)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
