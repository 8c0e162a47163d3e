package queue

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go/jetstream"
	"golang.org/x/sync/errgroup"

	"berth/engine/fault"
	"berth/engine/study"
)

// Kept is the store of a queue. Its Put does nothing, because workers store the results.
type Kept struct{ *Queue }

// Put implements [study.Store].
func (k Kept) Put(context.Context, string, *study.Result) error { return nil }

// Workers returns all workers of the queue, including number workers of this process. inputs
// returns the inputs of a run, after uploading the files of its scenario.
func (q *Queue) Workers(number int, carry Carry, inputs func(context.Context, study.Job) (study.Inputs, error)) study.Workers {
	return func(ctx context.Context, next func() (study.Job, bool), done func(study.Job, *study.Result) error) error {
		group, ctx := errgroup.WithContext(ctx)
		taking, stop := context.WithCancel(ctx)
		group.Go(func() error { return q.Work(taking, ctx, number, carry) })
		group.Go(func() error {
			defer stop() // this process's workers have nothing left to do
			c := &collector{q, inputs, done, map[string]*wanted{}}
			return fault.Guard(func() error { return c.collect(ctx, next) })
		})
		return group.Wait()
	}
}

// collector submits runs and waits for their results.
type collector struct {
	*Queue
	inputs  func(context.Context, study.Job) (study.Inputs, error)
	done    func(study.Job, *study.Result) error
	missing map[string]*wanted // by key: runs without a result
}

// wanted is a run whose result the collector waits for.
type wanted struct {
	study.Job
	submitted int // number of times that the run was submitted
}

// mostSubmitted limits how often a run is submitted.
const mostSubmitted = 4

// collect submits the jobs and waits for their results. If ctx ends, submitted runs stay in the
// queue.
func (c *collector) collect(ctx context.Context, next func() (study.Job, bool)) error {
	// The watch starts before anything is submitted, so that no result is missed.
	watch, err := c.results.WatchAll(ctx, jetstream.UpdatesOnly(), jetstream.IgnoreDeletes())
	if err != nil {
		return err
	}
	defer watch.Stop()
	quiet := time.NewTicker(AckWait)
	defer quiet.Stop()
	more := make(chan struct{}) // closed, so always ready, until all jobs are submitted; then nil
	close(more)
	for more != nil || len(c.missing) > 0 {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-more:
			job, ok := next()
			if !ok {
				more = nil
				continue
			}
			c.missing[job.Key] = &wanted{Job: job}
			err = c.submit(ctx, c.missing[job.Key])
		case entry, open := <-watch.Updates():
			if !open {
				return c.lost()
			}
			if entry == nil || c.missing[entry.Key()] == nil {
				continue
			}
			err = c.take(entry.Key(), c.read(entry))
			quiet.Reset(AckWait)
		case <-quiet.C:
			if more == nil {
				err = c.look(ctx)
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// take delivers the result of a run, unless it is nil.
func (c *collector) take(key string, r *study.Result) error {
	if r == nil {
		return nil
	}
	job := c.missing[key].Job
	delete(c.missing, key)
	return c.done(job, r)
}

func (c *collector) submit(ctx context.Context, w *wanted) error {
	if w.submitted++; w.submitted > mostSubmitted {
		return c.take(w.Key, study.Failed(w.Scenario.Kind, fmt.Errorf("the run was submitted %d times, and the run or its result was damaged each time: look at the messages of the workers, and run the sweep again", mostSubmitted)))
	}
	in, err := c.inputs(ctx, w.Job)
	if err != nil {
		return err
	}
	return c.Queue.submit(ctx, w.Key, in)
}

// look runs when nothing has arrived for a while. It takes results that arrived before the watch
// started or were lost with the connection. It resubmits runs that no worker can receive any more,
// because their messages were damaged or the last worker was killed between two steps.
func (c *collector) look(ctx context.Context) error {
	for key := range c.missing {
		r, err := c.Get(ctx, key)
		if err = errors.Join(err, c.take(key, r)); err != nil {
			return err
		}
	}
	var info *jetstream.ConsumerInfo
	err := c.retry(ctx, func(ctx context.Context) (err error) {
		info, err = c.consumer.Info(ctx)
		return err
	})
	if err != nil || info.NumPending > 0 || info.NumAckPending > 0 {
		return err
	}
	for key, w := range c.missing {
		err := c.retry(ctx, func(ctx context.Context) error {
			return c.stream.Purge(ctx, jetstream.WithPurgeSubject(c.subject(key)))
		})
		if err == nil {
			err = c.submit(ctx, w)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
