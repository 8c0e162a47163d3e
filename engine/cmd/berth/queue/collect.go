package queue

import (
	"context"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"berth/engine/cmd/berth/fault"
	"berth/engine/study"
)

// Collect has runs carried out: it takes the results that are there, submits the
// other runs, and waits for theirs. Task makes what travels of a run. Results are
// told one after the other, each once; known says that a result was there. When ctx
// ends, runs stay in the queue.
func (q *Queue) Collect(ctx context.Context, hashes []string, task func(hash string) (Task, error), got func(hash string, r *study.Result, known bool)) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	watch, err := q.results.WatchAll(ctx, jetstream.UpdatesOnly()) // before looking what is there, so that nothing comes between
	if err != nil {
		return err
	}
	defer watch.Stop()
	c := collector{queue: q, got: got, waiting: map[string]bool{}}
	var missing []string
	for _, hash := range hashes {
		r, err := q.Result(ctx, hash)
		if err != nil {
			return err
		}
		if r != nil {
			got(hash, r, true)
			continue
		}
		c.waiting[hash] = true
		missing = append(missing, hash)
	}
	submitted := make(chan error, 1)
	go func() {
		submitted <- fault.Guard(func() error { return q.submitAll(ctx, missing, task) })
	}()
	quiet := time.NewTicker(AckWait)
	defer quiet.Stop()
	updates := watch.Updates()
	for len(c.waiting) > 0 {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case err := <-submitted:
			if err != nil {
				return err
			}
			submitted = nil
		case entry, open := <-updates:
			if !open { // the connection is lost, which the next look finds
				updates = nil
			}
			if entry == nil || !c.waiting[entry.Key()] {
				continue
			}
			if r := readResult(entry); r != nil {
				c.take(entry.Key(), r)
			}
			quiet.Reset(AckWait)
		case <-quiet.C:
			if submitted != nil {
				continue
			}
			if err := c.look(ctx, task); err != nil {
				return err
			}
		}
	}
	return nil
}

func (q *Queue) submitAll(ctx context.Context, hashes []string, task func(hash string) (Task, error)) error {
	for _, hash := range hashes {
		t, err := task(hash)
		if err != nil {
			return err
		}
		if err := q.Submit(ctx, t); err != nil {
			return err
		}
	}
	return nil
}

// collector knows which results have not come.
type collector struct {
	queue   *Queue
	waiting map[string]bool
	got     func(hash string, r *study.Result, known bool)
}

func (c *collector) take(hash string, r *study.Result) {
	delete(c.waiting, hash)
	c.got(hash, r, false)
}

// look is for when nothing has come for a while: it takes results whose news were
// lost with the connection, and submits again what no worker will get any more,
// since the last one was killed between two steps.
func (c *collector) look(ctx context.Context, task func(hash string) (Task, error)) error {
	for hash := range c.waiting {
		r, err := c.queue.Result(ctx, hash)
		if err != nil {
			return err
		}
		if r != nil {
			c.take(hash, r)
		}
	}
	var info *jetstream.ConsumerInfo
	err := retry(ctx, func(ctx context.Context) (err error) {
		info, err = c.queue.consumer.Info(ctx)
		return err
	})
	if err != nil || info.NumPending > 0 || info.NumAckPending > 0 {
		return err
	}
	for hash := range c.waiting {
		if err := retry(ctx, func(ctx context.Context) error {
			return c.queue.stream.Purge(ctx, jetstream.WithPurgeSubject(c.queue.subject+hash))
		}); err != nil {
			return err
		}
		if err := c.queue.submitAll(ctx, []string{hash}, task); err != nil {
			return err
		}
	}
	return nil
}
