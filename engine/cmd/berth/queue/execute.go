package queue

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"golang.org/x/sync/errgroup"

	"berth/engine/fault"
	"berth/engine/show"
	"berth/engine/study"
)

// Kept is the store of a queue. Its Put does nothing, because workers store the results.
type Kept struct{ *Queue }

// Get implements [study.Store].
func (k Kept) Get(ctx context.Context, key string) (*study.Result, error) {
	s, err := k.result(ctx, key)
	if s == nil {
		return nil, err
	}
	return s.result, err
}

// Put implements [study.Store].
func (k Kept) Put(context.Context, string, *study.Result) error { return nil }

// Dispatcher lets all workers of a queue carry out runs, including its own Workers.
type Dispatcher struct {
	*Queue
	Workers int
	Carry   Carry
	Task    func(context.Context, study.Job) (Task, error) // message of a run
}

// Execute implements [study.Workers]. When ctx ends, runs stay in the queue.
func (e *Dispatcher) Execute(ctx context.Context, next func() (study.Job, bool), done func(study.Job, *study.Result) error) error {
	group, ctx := errgroup.WithContext(ctx)
	taking, stop := context.WithCancel(ctx)
	defer stop()
	if e.Workers > 0 {
		group.Go(func() error { return e.Work(taking, ctx, e.Workers, e.Carry) })
	}
	collect := func() error {
		defer stop() // the own workers have nothing left to do
		return newCollector(e, done).collect(ctx, next)
	}
	group.Go(func() error { return fault.Guard(collect) })
	group.Go(func() error { return e.Watch(taking) })
	return group.Wait()
}

// collector tracks the results that are still missing.
type collector struct {
	*Dispatcher
	done func(study.Job, *study.Result) error

	mu      sync.Mutex
	waiting map[string]study.Job
	refused map[string]int // by key: number of refusals

	drained       chan struct{} // closed when all results have arrived
	group         *errgroup.Group
	picked, alone atomic.Int64 // runs chosen to be repeated, and chosen runs for which no other worker answered
}

func newCollector(e *Dispatcher, done func(study.Job, *study.Result) error) *collector {
	return &collector{Dispatcher: e, done: done, waiting: map[string]study.Job{}, refused: map[string]int{}, drained: make(chan struct{})}
}

// collect submits the jobs, waits for their results, and compares some results with a repetition.
func (c *collector) collect(ctx context.Context, next func() (study.Job, bool)) error {
	c.group, ctx = errgroup.WithContext(ctx)
	c.group.Go(func() error {
		defer close(c.drained)
		return fault.Guard(func() error { return c.gather(ctx, next) })
	})
	if err := c.group.Wait(); err != nil {
		return err
	}
	if n, all := int(c.alone.Load()), int(c.picked.Load()); n > 0 {
		c.tell(fmt.Sprintf(notRepeated, n, show.Count(all, "run"), show.Verb(n, "was", "were")))
	}
	return nil
}

// gather submits the jobs and waits for their results.
func (c *collector) gather(ctx context.Context, next func() (study.Job, bool)) error {
	// The watch starts before anything is submitted, so that no result is missed.
	watch, err := c.results.WatchAll(ctx, jetstream.UpdatesOnly(), jetstream.IgnoreDeletes())
	if err != nil {
		return err
	}
	defer watch.Stop()
	notices := make(chan *nats.Msg, 64)
	told, err := c.js.Conn().ChanSubscribe(c.subject("refused", "notice"), notices)
	if err != nil {
		return err
	}
	defer told.Unsubscribe()
	submitted := make(chan struct{})
	c.group.Go(func() error {
		defer close(submitted)
		return fault.Guard(func() error { return c.submitAll(ctx, next) })
	})
	quiet := time.NewTicker(AckWait)
	defer quiet.Stop()
	updates := watch.Updates()
	for submitted != nil || c.waits() {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-submitted:
			submitted = nil
		case m := <-notices:
			err = c.hear(ctx, m)
		case entry, open := <-updates:
			if !open { // the connection is lost; the next look finds out
				updates = nil
			}
			if entry == nil {
				continue
			}
			var r *sealed
			if r, err = c.read(ctx, entry); r != nil {
				err = c.take(ctx, r)
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
	for len(notices) > 0 { // handle notices about other runs that came before the last result
		c.hear(ctx, <-notices)
	}
	return nil
}

// hear reports a run that another machine refused, and submits it again if it belongs to this
// sweep.
func (c *collector) hear(ctx context.Context, notice *nats.Msg) error {
	if notice.Header.Get(byWorker) != c.worker { // otherwise announce has already reported it
		c.tell(show.Cut(string(notice.Data), mostNotice))
	}
	return c.again(ctx, notice.Header.Get(ofRun))
}

// submitAll submits the jobs that have no result yet.
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

// known takes the stored result of a run, if any.
func (c *collector) known(ctx context.Context, key string) (bool, error) {
	r, err := c.result(ctx, key)
	if err != nil || r == nil {
		return false, err
	}
	return true, c.take(ctx, r)
}

// take delivers a result to the sweep if the result was missing, and starts the comparison of
// chosen runs.
func (c *collector) take(ctx context.Context, r *sealed) error {
	job, ok := c.waited(r.Hash)
	if !ok {
		return nil
	}
	if r.Worker != "" && chosen(r.Hash) {
		c.picked.Add(1)
		c.group.Go(func() error { return fault.Guard(func() error { return c.compare(ctx, job, r) }) })
	}
	return c.done(job, r.result)
}

// waited returns a job whose result was missing, and removes it from the missing ones.
func (c *collector) waited(key string) (study.Job, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	job, ok := c.waiting[key]
	delete(c.waiting, key)
	return job, ok
}

// mostRefused is the number of times that a sweep resubmits a refused run.
const mostRefused = 3

// again resubmits a job whose message or result was refused, at most mostRefused times.
func (c *collector) again(ctx context.Context, key string) error {
	c.mu.Lock()
	job, ok := c.waiting[key]
	if ok {
		c.refused[key]++
	}
	times := c.refused[key]
	c.mu.Unlock()
	if !ok {
		return nil
	}
	if times <= mostRefused {
		return c.resubmit(ctx, job)
	}
	if job, ok = c.waited(key); !ok {
		return nil
	}
	return c.done(job, study.Failed(job.Scenario.Kind, fmt.Errorf(refusedOften, times)))
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

// look is called when nothing has arrived for a while. It takes results whose updates were lost
// with the connection, and resubmits runs that no worker would receive any more, because the last
// worker was killed between two steps.
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
		if err := c.resubmit(ctx, job); err != nil {
			return err
		}
	}
	return nil
}

// resubmit submits a job in place of its queued message, if any.
func (c *collector) resubmit(ctx context.Context, job study.Job) error {
	err := retry(ctx, func(ctx context.Context) error {
		return c.stream.Purge(ctx, jetstream.WithPurgeSubject(c.Queue.subject("runs", job.Key)))
	})
	if err != nil {
		return err
	}
	return c.submit(ctx, job)
}
