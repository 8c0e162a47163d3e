package queue

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strconv"
	"sync"
	"time"

	"github.com/nats-io/nats.go"

	"berth/engine/fault"
	"berth/engine/study"
)

// A machine with faulty memory or a faulty processor computes wrong results that look sound. So a
// sweep lets another worker repeat some of its runs, and compares the results. It asks for any
// other worker, takes the first one that answers, and asks that worker repeatedly until it has the
// result, so that a lost connection loses only one question.

// Repeated is the number of runs per repeated run.
var Repeated uint64 = 100

// Answer is the time that a sweep waits for a worker to answer.
var Answer = 2 * time.Second

// chosen reports whether the run with a hash is repeated.
func chosen(hash string) bool {
	n, err := strconv.ParseUint(hash[:min(8, len(hash))], 16, 64)
	return err == nil && n%Repeated == 0
}

// repeats holds the runs that a worker repeats, or has repeated and not delivered.
type repeats struct {
	*Queue
	carry Carry

	mu   sync.Mutex
	runs map[string]*repeat
}

type repeat struct {
	done   chan struct{}
	result []byte // sealed; nil after a failure
}

// answer answers the questions of sweeps until ctx ends or stop is called.
func (q *Queue) answer(ctx context.Context, carry Carry) (stop func(), err error) {
	r := &repeats{Queue: q, carry: carry, runs: map[string]*repeat{}}
	nc := q.js.Conn()
	other, err := nc.Subscribe(q.subject("workers", "other"), func(m *nats.Msg) {
		if string(m.Data) != q.worker {
			m.Respond([]byte(q.worker))
		}
	})
	if err != nil {
		return nil, err
	}
	asked, err := nc.Subscribe(q.subject("repeat", q.worker), func(m *nats.Msg) { go r.respond(ctx, m) })
	if err != nil {
		other.Unsubscribe()
		return nil, err
	}
	return func() { other.Unsubscribe(); asked.Unsubscribe() }, nil
}

// respond answers with the result of a repeated run. It does not answer if the run takes longer;
// the sweep then asks again.
func (r *repeats) respond(ctx context.Context, m *nats.Msg) {
	hash := m.Header.Get(ofRun)
	r.mu.Lock()
	run := r.runs[hash]
	if run == nil {
		run = &repeat{done: make(chan struct{})}
		r.runs[hash] = run
		go func() {
			defer close(run.done)
			run.result = r.run(ctx, hash, m.Data)
		}()
	}
	r.mu.Unlock()
	select {
	case <-ctx.Done():
	case <-run.done:
		r.mu.Lock()
		delete(r.runs, hash)
		r.mu.Unlock()
		if run.result != nil { // otherwise the sweep asks another worker
			m.Respond(run.result)
		}
	case <-time.After(AckWait / 4):
		m.Respond(nil)
	}
}

// run repeats a run and returns the sealed result; nil if it fails.
func (r *repeats) run(ctx context.Context, hash string, data []byte) (result []byte) {
	err := fault.Guard(func() error {
		run, err := r.open(ctx, hash, data)
		if err != nil {
			return err
		}
		again, err := run.carry(ctx, r.carry)
		if err == nil {
			result, err = seal(r.engine, hash, r.worker, again)
		}
		return err
	})
	if err != nil && ctx.Err() == nil {
		r.announce(hash, fmt.Sprintf(refusedRun, r.subject("repeat", r.worker), err))
	}
	return result
}

// errAlone means that no other worker has repeated a run.
var errAlone = errors.New("no other worker")

// compare lets a worker other than the first repeat a run. If none answers, it tries once more when
// all results are there. It returns an error if the results differ.
func (c *collector) compare(ctx context.Context, job study.Job, first *sealed) error {
	again, err := c.repeated(ctx, job, first)
	if errors.Is(err, errAlone) {
		select {
		case <-ctx.Done():
			return nil
		case <-c.drained:
		}
		again, err = c.repeated(ctx, job, first)
	}
	if errors.Is(err, errAlone) {
		c.alone.Add(1)
		return nil
	}
	if err != nil || bytes.Equal(first.Result, again.Result) {
		return err
	}
	if err := c.results.Delete(ctx, job.Key); err != nil { // it is unknown which result is wrong
		return err
	}
	return fmt.Errorf(unequal, job.Key, job.Scenario.Name, first.SHA256, first.Worker, again.SHA256, again.Worker, c.results.Bucket())
}

// repeated returns the result of another worker.
func (c *collector) repeated(ctx context.Context, job study.Job, first *sealed) (*sealed, error) {
	nc := c.js.Conn()
	ask := func(subject string, within time.Duration, m nats.Msg) ([]byte, error) {
		once, cancel := context.WithTimeout(ctx, within)
		defer cancel()
		m.Subject = subject
		reply, err := nc.RequestMsgWithContext(once, &m)
		if err != nil {
			return nil, errors.Join(errAlone, ctx.Err())
		}
		return reply.Data, nil
	}
	worker, err := ask(c.subject("workers", "other"), Answer, nats.Msg{Data: []byte(first.Worker)})
	if err != nil {
		return nil, err
	}
	t, err := c.Task(ctx, job)
	if err != nil {
		return nil, err
	}
	data, err := c.packed(ctx, t)
	if err != nil {
		return nil, err
	}
	for {
		reply, err := ask(c.subject("repeat", token(string(worker))), AckWait, nats.Msg{Data: data, Header: nats.Header{ofRun: {job.Key}}})
		if err != nil {
			return nil, err
		}
		if len(reply) == 0 {
			continue
		}
		again, err := readResult(c.engine, job.Key, reply)
		if err != nil {
			c.announce(job.Key, fmt.Sprintf(refusedResult, job.Key, again.Worker, err))
			return nil, errAlone
		}
		return again, nil
	}
}
