package queue

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"golang.org/x/sync/errgroup"

	"berth/engine/fault"
	"berth/engine/packed"
	"berth/engine/scenario"
	"berth/engine/show"
	"berth/engine/study"
)

// Carry carries out a run. A failed run has a result that says so; the error is that ctx has ended,
// or that this program lacks something that the run needs.
type Carry func(ctx context.Context, s scenario.Scenario, beside func(slot string) (io.Reader, int64, error)) (*study.Result, error)

// Work takes runs from the queue, at most runs at a time, until taking or ctx ends, which is no
// error. It also repeats runs for sweeps that compare workers. It completes a run that it has begun
// unless ctx ends, because the run may belong to another experiment, and an abandoned run counts as
// a failed delivery. Any number of workers may share a queue.
func (q *Queue) Work(taking, ctx context.Context, runs int, carry Carry) error {
	group, ctx := errgroup.WithContext(ctx)
	room := make(chan struct{}, runs)
	within := func(ctx context.Context, s scenario.Scenario, beside func(string) (io.Reader, int64, error)) (*study.Result, error) {
		select {
		case room <- struct{}{}:
			defer func() { <-room }()
			return carry(ctx, s, beside)
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	stop, err := q.answer(taking, within)
	if err != nil {
		return err
	}
	defer stop()
	for range runs {
		group.Go(func() error { return fault.Guard(func() error { return q.take(taking, ctx, within) }) })
	}
	return group.Wait()
}

// take carries out runs one after the other.
func (q *Queue) take(taking, ctx context.Context, carry Carry) error {
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
		if err != nil && !away(err) { // otherwise the message was given back
			return err
		}
	}
	return nil
}

// next waits for a message for half of AckWait, and returns nil without one.
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

// foreign reports, once for each version, that runs wait for another version. This is no error:
// this worker still carries out the runs of its own version.
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
			other = cmp.Or(info.Config.Description, info.Name)
		}
		if _, told := q.told.Load(other); other == "" || consumers.Err() != nil || told {
			return consumers.Err()
		}
		if _, told := q.told.LoadOrStore(other, true); !told {
			q.tell(fmt.Sprintf(otherEngine, other, q.engine))
		}
		return nil
	})
}

// handle carries out the run of a message and acknowledges it. It terminates a damaged message, so
// that it is not delivered again.
func (q *Queue) handle(ctx context.Context, m jetstream.Msg, carry Carry) error {
	hash := strings.TrimPrefix(m.Subject(), q.subject("runs", ""))
	stop := keepAlive(m)
	err := q.attempt(ctx, hash, m, carry)
	stop()
	if err == nil {
		return m.Ack()
	}
	if _, ok := errors.AsType[damaged](err); !ok {
		m.NakWithDelay(again) // for another worker; without it the server redelivers after AckWait
		return err
	}
	q.announce(hash, fmt.Sprintf(refusedRun, m.Subject(), err))
	return m.TermWithReason(show.Cut(err.Error(), mostReason))
}

// attempt carries out the run of a message, unless its result is known.
func (q *Queue) attempt(ctx context.Context, hash string, m jetstream.Msg, carry Carry) error {
	run, err := q.open(ctx, hash, m.Data())
	if err != nil {
		return err
	}
	if known, err := q.result(ctx, hash); err != nil || known != nil {
		return err
	}
	if meta, err := m.Metadata(); err == nil && meta.NumDelivered >= deliveries {
		reason := fmt.Errorf("the run was started %d times, and its worker ended before the run each time", deliveries-1)
		return q.Keep(ctx, hash, study.Failed(run.scenario.Kind, reason))
	}
	result, err := run.carry(ctx, carry)
	if err != nil {
		return err
	}
	return q.keep(ctx, hash, q.worker, result)
}

// mostReason limits the reason that the server stores for a terminated message, in characters.
const mostReason = 200

// keepAlive reports progress on a message until stop is called.
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
				m.InProgress() // if one report is lost, the next one arrives
			}
		}
	}()
	return func() { close(done) }
}

// opened is a run whose inputs match its hash.
type opened struct {
	scenario scenario.Scenario
	files    map[string]*io.SectionReader // by slot
}

// open reads a message and fetches its inputs. Inputs that do not match the hash are damaged.
func (q *Queue) open(ctx context.Context, hash string, data []byte) (*opened, error) {
	t, err := readTask(q.engine, hash, data)
	if err != nil {
		return nil, err
	}
	stored := len(t.Scenario) == 0
	if stored {
		if t.Scenario, err = q.stored(ctx, hash); err != nil {
			return nil, err
		}
	}
	s, key, err := t.Open()
	if err == nil && key != hash {
		err = fmt.Errorf(wrongHash, key)
	}
	if err != nil && stored {
		return nil, q.broken(ctx, hash, err)
	}
	if err != nil {
		return nil, damaged{err}
	}
	run := &opened{s, map[string]*io.SectionReader{}}
	for _, slot := range s.Slots() {
		if sum := slot.Source.SHA256; slot.Source.Beside() && sum != "" {
			if run.files[slot.Name], err = q.file(ctx, sum); err != nil {
				return nil, err
			}
		}
	}
	return run, nil
}

// stored returns the scenario of a run from the object store.
func (q *Queue) stored(ctx context.Context, hash string) (text []byte, err error) {
	err = retry(ctx, func(ctx context.Context) error {
		info, err := q.inputs.GetInfo(ctx, hash)
		if err == nil && info.Size > scenario.MaxBytes {
			return damagedf(tooLarge, info.Size, scenario.MaxBytes)
		}
		if err == nil {
			text, err = q.inputs.GetBytes(ctx, hash)
		}
		return err
	})
	return text, q.broken(ctx, hash, err)
}

// broken returns the error for a failed read of an input. It deletes a damaged input and marks the
// error as damaged; it passes on the errors of a server that is away.
func (q *Queue) broken(ctx context.Context, name string, err error) error {
	switch {
	case err == nil || ctx.Err() != nil || away(err) || errors.Is(err, ErrLost) || errors.Is(err, nats.ErrConnectionClosed) || errors.As(err, new(damaged)):
		return err
	case errors.Is(err, jetstream.ErrObjectNotFound):
		return damagedf(noInput, name)
	case errors.As(err, new(*jetstream.APIError)), errors.As(err, new(*fs.PathError)): // of the server, or of this machine's disk
		return err
	}
	q.inputs.Delete(ctx, name) // a sweep uploads it again
	return damagedf(wrongInput, name, err)
}

// file downloads a file of the object store, once per process, and checks its bytes. The file has
// no name on this machine, so the system removes it when the process ends.
func (q *Queue) file(ctx context.Context, name string) (*io.SectionReader, error) {
	q.downloads.Lock()
	defer q.downloads.Unlock()
	if file := q.files[name]; file != nil {
		return file, nil
	}
	to, err := os.CreateTemp("", "berth-")
	if err != nil {
		return nil, err
	}
	os.Remove(to.Name())
	file, err := q.download(ctx, name, to)
	if err != nil {
		to.Close()
		return nil, q.broken(ctx, name, err)
	}
	q.files[name] = file
	return file, nil
}

func (q *Queue) download(ctx context.Context, name string, to *os.File) (*io.SectionReader, error) {
	object, err := q.inputs.Get(ctx, name)
	if err != nil {
		return nil, err
	}
	defer object.Close()
	size, err := io.Copy(to, object)
	if err != nil {
		return nil, err
	}
	sum := sha256.New()
	if _, err := io.Copy(sum, packed.NewText(io.NewSectionReader(to, 0, size), size)); err != nil {
		return nil, err
	}
	if got := hex.EncodeToString(sum.Sum(nil)); got != name {
		return nil, fmt.Errorf(wrongSum, got, name)
	}
	return io.NewSectionReader(to, 0, size), nil
}

// carry carries out the run. It fails only if ctx ends.
func (o *opened) carry(ctx context.Context, carry Carry) (*study.Result, error) {
	r, err := carry(ctx, o.scenario, o.open)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case scenario.Lacks(err): // every worker of this version lacks it
		return study.Failed(o.scenario.Kind, err), nil
	}
	return r, err
}

// open opens the file of a slot from its beginning.
func (o *opened) open(slot string) (io.Reader, int64, error) {
	file, ok := o.files[slot]
	if !ok {
		return nil, 0, scenario.ErrNoText
	}
	return io.NewSectionReader(file, 0, file.Size()), file.Size(), nil
}
