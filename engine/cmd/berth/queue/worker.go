package queue

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"berth/engine/scenario"
	"berth/engine/study"
)

// Carry carries a run out; its error is that of ctx alone.
type Carry func(ctx context.Context, s scenario.Scenario, beside func(slot string) (io.Reader, int64, error)) (*study.Result, error)

// Work takes runs from the queue one after the other until taking ends, or ctx, whose
// errors are none. A run that was begun is carried out to its end unless ctx ends: it
// may be of another experiment, and one that is left counts as begun in vain. Any
// number of workers may share a queue.
func (q *Queue) Work(taking, ctx context.Context, carry Carry) error {
	for taking.Err() == nil {
		message, err := q.next(taking)
		if err == nil && message != nil {
			err = q.handle(ctx, message, carry)
		}
		if ctx.Err() != nil {
			return nil
		}
		if err == nil && message == nil && taking.Err() == nil {
			err = q.foreign(taking)
		}
		if taking.Err() != nil {
			return nil
		}
		if errors.Is(err, nats.ErrConnectionClosed) {
			return ErrLost
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// next waits a while for a message, and returns nil if there is none.
func (q *Queue) next(ctx context.Context) (message jetstream.Msg, err error) {
	once, cancel := context.WithTimeout(ctx, AckWait/2)
	defer cancel()
	batch, err := q.consumer.Fetch(1, jetstream.FetchContext(once))
	if err == nil {
		for m := range batch.Messages() {
			message = m
		}
		err = batch.Error()
	}
	if message != nil || err == nil || once.Err() != nil {
		return message, nil
	}
	if away(err) || errors.Is(err, jetstream.ErrConsumerDeleted) {
		select {
		case <-once.Done():
		case <-time.After(again):
		}
		return nil, nil
	}
	return nil, err
}

// foreign is an error if runs wait that are only for another version.
func (q *Queue) foreign(ctx context.Context) error {
	return retry(ctx, func(ctx context.Context) error {
		other := ""
		consumers := q.stream.ListConsumers(ctx)
		for info := range consumers.Info() {
			if info.NumPending == 0 {
				continue
			}
			if info.Name == "workers-"+q.version {
				return nil
			}
			other = info.Name[len("workers-"):]
		}
		if other == "" || consumers.Err() != nil {
			return consumers.Err()
		}
		return fmt.Errorf("the runs need engine %s and this worker has engine %s, which may give other results: start a worker of the same version", dotted(other), scenario.Engine)
	})
}

// dotted is a version as the engine writes it.
func dotted(version string) string {
	b := []byte(version)
	for i := range b {
		if b[i] == '_' {
			b[i] = '.'
		}
	}
	return string(b)
}

// handle does all about one message.
func (q *Queue) handle(ctx context.Context, m jetstream.Msg, carry Carry) error {
	var task Task
	if err := json.Unmarshal(m.Data(), &task); err != nil {
		return m.TermWithReason("the message is damaged: " + err.Error())
	}
	known, err := q.Result(ctx, task.Hash)
	if err != nil {
		return q.giveBack(m, err)
	}
	if known != nil {
		return m.Ack()
	}
	if meta, err := m.Metadata(); err == nil && meta.NumDelivered >= deliveries {
		reason := fmt.Errorf("the run was started %d times, and its worker ended before the run each time", deliveries-1)
		if err := q.Keep(ctx, task.Hash, study.Failed(task.Kind, reason)); err != nil {
			return q.giveBack(m, err)
		}
		return m.TermWithReason(reason.Error())
	}
	stop := keepAlive(m)
	result, err := q.carry(ctx, &task, carry)
	stop()
	if err == nil {
		err = q.Keep(ctx, task.Hash, result)
	}
	if err != nil {
		return q.giveBack(m, err)
	}
	return m.Ack()
}

// giveBack lets another worker have a message soon; where that cannot be said, it has it
// after AckWait.
func (q *Queue) giveBack(m jetstream.Msg, why error) error {
	m.NakWithDelay(again)
	return why
}

// keepAlive says that a message is worked on, until it is stopped.
func keepAlive(m jetstream.Msg) (stop func()) {
	done := make(chan struct{})
	tick := time.NewTicker(AckWait / 3)
	go func() {
		defer tick.Stop()
		for {
			select {
			case <-done:
				return
			case <-tick.C:
				m.InProgress() // if it is lost, the next one is not
			}
		}
	}()
	return func() { close(done) }
}

// carry fetches the inputs of a run and carries it out.
func (q *Queue) carry(ctx context.Context, task *Task, carry Carry) (*study.Result, error) {
	text := []byte(task.Scenario)
	if text == nil {
		if err := retry(ctx, func(ctx context.Context) (err error) {
			text, err = q.inputs.GetBytes(ctx, task.Hash)
			return err
		}); err != nil {
			return nil, err
		}
	}
	s, err := scenario.Decode(text)
	if err != nil {
		return study.Failed(task.Kind, err), nil
	}
	files := objects{ctx, q, task.Files, map[string]jetstream.ObjectResult{}}
	defer files.close()
	return carry(ctx, s, files.open)
}

// objects are files in the object store, by slot.
type objects struct {
	ctx     context.Context
	queue   *Queue
	names   map[string]string
	readers map[string]jetstream.ObjectResult
}

// open opens the file of a slot from its beginning, and ends the reader before.
func (o *objects) open(slot string) (io.Reader, int64, error) {
	name, ok := o.names[slot]
	if !ok {
		return nil, 0, scenario.ErrNoText
	}
	if last := o.readers[slot]; last != nil {
		last.Close()
	}
	object, err := o.queue.inputs.Get(o.ctx, name)
	if err != nil {
		return nil, 0, err
	}
	o.readers[slot] = object
	info, err := object.Info()
	if err != nil {
		return nil, 0, err
	}
	return object, int64(info.Size), nil
}

func (o *objects) close() {
	for _, r := range o.readers {
		r.Close()
	}
}
