package queue

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"golang.org/x/sync/errgroup"

	"berth/engine/fault"
	"berth/engine/scenario"
	"berth/engine/show"
	"berth/engine/study"
)

// Carry executes a run. beside opens the files of its scenario by slot. If the run fails, the
// result contains the error. Carry itself returns an error only if ctx has ended.
type Carry func(ctx context.Context, s scenario.Scenario, beside func(slot string) (io.Reader, int64, error)) (*study.Result, error)

// Work executes runs from the queue, at most runs at a time, until taking or ctx ends; it then
// returns nil. When taking ends, it still completes the runs that it has begun: they may belong to
// another experiment, and an abandoned run counts as a failed delivery. Any number of workers may
// share a queue.
func (q *Queue) Work(taking, ctx context.Context, runs int, carry Carry) error {
	group, ctx := errgroup.WithContext(ctx)
	for range runs {
		group.Go(func() error { return fault.Guard(func() error { return q.take(taking, ctx, carry) }) })
	}
	return group.Wait()
}

// take executes runs one after the other.
func (q *Queue) take(taking, ctx context.Context, carry Carry) error {
	for {
		message, err := q.next(taking)
		if message != nil {
			err = q.handle(ctx, message, carry)
		} else if err == nil && taking.Err() == nil {
			err = q.foreign(taking)
		}
		switch {
		case ctx.Err() != nil || taking.Err() != nil:
			return nil
		case errors.Is(err, nats.ErrConnectionClosed):
			return q.lost()
		case err != nil && !away(err): // if the connection was lost, the message has been returned to the queue
			return err
		}
	}
}

// next waits up to half of AckWait for a message. It returns nil if none arrives.
func (q *Queue) next(ctx context.Context) (jetstream.Msg, error) {
	once, cancel := context.WithTimeout(ctx, AckWait/2)
	defer cancel()
	message, err := q.consumer.Next(jetstream.FetchContext(once))
	switch {
	case message != nil || once.Err() != nil:
		return message, nil
	case away(err) || errors.Is(err, jetstream.ErrConsumerDeleted):
		pause(once)
		return nil, nil
	}
	return nil, err
}

// foreign reports runs that wait for another engine version, once for each version. This is not an
// error: the worker continues with runs of its own version.
func (q *Queue) foreign(ctx context.Context) error {
	return q.retry(ctx, func(ctx context.Context) error {
		other := ""
		consumers := q.stream.ListConsumers(ctx)
		for info := range consumers.Info() {
			if info.NumPending > 0 && info.Name != workers+q.engine {
				other = strings.TrimPrefix(info.Name, workers)
			}
		}
		if other == "" || consumers.Err() != nil {
			return consumers.Err()
		}
		if _, told := q.told.LoadOrStore(other, true); !told {
			q.tell(fmt.Sprintf("other runs wait that need engine %s, and this worker has engine %s, which may give other results: start a worker of the same version for them", other, q.engine))
		}
		return nil
	})
}

// refused is the error about a run whose inputs do not match its hash.
type refused struct{ error }

// mostReason limits the reason that the server stores for a terminated message, in characters.
const mostReason = 200

// handle executes the run of a message and acknowledges the message. It terminates a refused
// message, so that it is not delivered again.
func (q *Queue) handle(ctx context.Context, m jetstream.Msg, carry Carry) error {
	ctx, stop := context.WithCancelCause(ctx)
	go q.keepAlive(ctx, m, stop)
	err := q.attempt(ctx, m, carry)
	lost := context.Cause(ctx)
	stop(nil)
	switch {
	case err == nil:
		return m.Ack()
	case errors.As(err, new(refused)):
		q.tell(fmt.Sprintf("refused a damaged run, message %.200q: %v. Workers leave it out, and a sweep that waits for this run submits it again. If you see this often, find out what else writes to the server", m.Subject(), err))
		return m.TermWithReason(show.Cut(err.Error(), mostReason))
	}
	m.NakWithDelay(again) // lets another worker take the run now; otherwise the server redelivers after AckWait
	return cmp.Or(lost, err)
}

// keepAlive reports progress on a message until ctx ends. It stops the run when the connection is
// lost, which nothing else would notice during a long run.
func (q *Queue) keepAlive(ctx context.Context, m jetstream.Msg, stop context.CancelCauseFunc) {
	tick := time.NewTicker(AckWait / 3)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			if errors.Is(m.InProgress(), nats.ErrConnectionClosed) {
				stop(q.lost())
			}
		}
	}
}

// attempt executes the run of a message, unless its result is already stored.
func (q *Queue) attempt(ctx context.Context, m jetstream.Msg, carry Carry) error {
	hash := strings.TrimPrefix(m.Subject(), q.subject(""))
	s, beside, err := q.open(ctx, hash, m.Data())
	if err != nil {
		return err
	}
	if known, err := q.Get(ctx, hash); err != nil || known != nil {
		return err
	}
	var r *study.Result
	if meta, err := m.Metadata(); err == nil && meta.NumDelivered >= deliveries {
		r = study.Failed(s.Kind, fmt.Errorf("the run was started %d times, and its worker ended before the run each time", deliveries-1))
	} else if r, err = carry(ctx, s, beside); err != nil {
		return err
	}
	return q.Keep(ctx, hash, r)
}

// open decodes a message and fetches its inputs. beside opens the inputs by slot.
func (q *Queue) open(ctx context.Context, hash string, data []byte) (s scenario.Scenario, beside func(slot string) (io.Reader, int64, error), err error) {
	var in study.Inputs
	if err := json.Unmarshal(data, &in); err != nil {
		return s, nil, refused{err}
	}
	if len(in.Scenario) == 0 {
		if in.Scenario, err = q.inputs.GetBytes(ctx, hash); err != nil {
			return s, nil, q.unfetched(ctx, hash, err)
		}
	}
	s, key, err := in.Open()
	if err == nil && key != hash {
		err = fmt.Errorf("its inputs have hash %s: it is another scenario's", key)
	}
	if err != nil {
		_ = q.inputs.Delete(ctx, hash) // a damaged input; the sweep uploads it again
		return s, nil, refused{err}
	}
	files := map[string]*io.SectionReader{}
	for _, slot := range s.Slots() {
		if sum := slot.Source.SHA256; slot.Source.Beside() && sum != "" {
			if files[slot.Name], err = q.file(ctx, sum); err != nil {
				return s, nil, q.unfetched(ctx, sum, err)
			}
		}
	}
	return s, func(slot string) (io.Reader, int64, error) {
		file := files[slot]
		if file == nil {
			return nil, 0, scenario.ErrNoText
		}
		return io.NewSectionReader(file, 0, file.Size()), file.Size(), nil
	}, nil
}

// errOther means that the content of an input in the object store does not match its hash.
var errOther = errors.New("the server has another input under this hash")

// unfetched converts the error about an input that could not be fetched. It deletes a damaged
// input, so that the sweep uploads it again.
func (q *Queue) unfetched(ctx context.Context, name string, err error) error {
	if errors.Is(err, errOther) || errors.Is(err, jetstream.ErrDigestMismatch) || errors.Is(err, jetstream.ErrObjectNotFound) {
		_ = q.inputs.Delete(ctx, name)
		return refused{fmt.Errorf("input %s: %w", name, err)}
	}
	return err
}

// file downloads a file of the object store, once per process, and verifies its hash. It unlinks
// the local copy immediately, so that the system removes the copy when the process ends.
func (q *Queue) file(ctx context.Context, name string) (*io.SectionReader, error) {
	q.downloads.Lock()
	defer q.downloads.Unlock()
	if file := q.files[name]; file != nil {
		return file, nil
	}
	object, err := q.inputs.Get(ctx, name)
	if err != nil {
		return nil, err
	}
	defer object.Close()
	to, err := os.CreateTemp("", "berth-")
	if err != nil {
		return nil, err
	}
	os.Remove(to.Name())
	size, err := io.Copy(to, object)
	if err == nil {
		var sum string
		if sum, err = scenario.DigestOf(io.NewSectionReader(to, 0, size), size); err == nil && sum != name {
			err = errOther
		}
	}
	if err != nil {
		to.Close()
		return nil, err
	}
	q.files[name] = io.NewSectionReader(to, 0, size)
	return q.files[name], nil
}
