package queue

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"berth/engine/scenario"
	"berth/engine/study"
)

// AckWait is after what time without a word a worker is taken for lost.
var AckWait = 10 * time.Second

const (
	stream = "BERTH"
	// deliveries is how often a run is given to a worker: the last time it is not
	// tried, but taken for one that ends its worker.
	deliveries = 5
	// largeInput is from how many bytes an input lies in the object store.
	largeInput = 256 << 10
	// again is after what time what could not be done is tried again.
	again = 500 * time.Millisecond
	// alreadyQueued is the code of JetStream for a second message of a subject.
	alreadyQueued = 10077
)

// Task is a run as it travels.
type Task struct {
	Hash     string            `json:"hash"`
	Kind     string            `json:"kind"`
	Scenario json.RawMessage   `json:"scenario,omitempty"` // in the object store, if it is left out
	Files    map[string]string `json:"files,omitempty"`    // objects by slot, of texts that are files next to the scenario
}

// Queue is where runs wait and results are kept.
type Queue struct {
	js       jetstream.JetStream
	stream   jetstream.Stream
	consumer jetstream.Consumer
	results  jetstream.KeyValue
	inputs   jetstream.ObjectStore
	lost     <-chan nats.Status // the connection is given up
	subject  string             // of a run, without its hash
	version  string
}

// Open opens the queue of this version of the engine on a server, and makes what is
// not there yet.
func Open(ctx context.Context, nc *nats.Conn) (*Queue, error) {
	js, err := jetstream.New(nc)
	if err != nil {
		return nil, err
	}
	lost := nc.StatusChanged(nats.CLOSED)
	q, err := open(ctx, js, strings.ReplaceAll(scenario.Engine, ".", "_"))
	q.lost = lost
	return q, err
}

// Watch waits until ctx ends, or for the error that the connection is lost: a run may
// take so long that nothing else would find that out.
func (q *Queue) Watch(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return nil
	case <-q.lost:
		return ErrLost
	}
}

func open(ctx context.Context, js jetstream.JetStream, version string) (*Queue, error) {
	q := &Queue{js: js, version: version, subject: "berth.runs." + version + "."}
	return q, retry(ctx, func(ctx context.Context) (err error) {
		q.stream, err = js.CreateOrUpdateStream(ctx, jetstream.StreamConfig{
			Name: stream, Subjects: []string{"berth.runs.>"}, Retention: jetstream.WorkQueuePolicy, Storage: jetstream.FileStorage,
			Discard: jetstream.DiscardNew, MaxMsgsPerSubject: 1, DiscardNewPerSubject: true,
		})
		if err != nil {
			return err
		}
		q.consumer, err = q.stream.CreateOrUpdateConsumer(ctx, jetstream.ConsumerConfig{
			Durable: "workers-" + version, FilterSubject: q.subject + "*", AckPolicy: jetstream.AckExplicitPolicy,
			AckWait: AckWait, MaxDeliver: deliveries, MaxAckPending: -1,
		})
		if err != nil {
			return err
		}
		q.results, err = js.CreateOrUpdateKeyValue(ctx, jetstream.KeyValueConfig{Bucket: "berth-results-" + version, Storage: jetstream.FileStorage})
		if err != nil {
			return err
		}
		q.inputs, err = js.CreateOrUpdateObjectStore(ctx, jetstream.ObjectStoreConfig{Bucket: "berth-inputs", Storage: jetstream.FileStorage})
		return err
	})
}

// retry does something until it is done, fails for good, or ctx ends. A server that
// is away for a while is no failure; one that answers that it cannot is, after a
// while.
func retry(ctx context.Context, do func(context.Context) error) error {
	for refused := 0; ; {
		once, cancel := context.WithTimeout(ctx, 5*time.Second)
		err := do(once)
		cancel()
		api := &jetstream.APIError{}
		isRefused := errors.As(err, &api)
		switch {
		case err == nil || ctx.Err() != nil:
			return err
		case errors.Is(err, nats.ErrConnectionClosed):
			return ErrLost
		case isRefused && (slices.Contains(noRoom, api.ErrorCode) || strings.Contains(api.Description, "no space left")):
			return fmt.Errorf("no space is left for runs and results: %w", err)
		case isRefused && api.Code == 503 && refused < patience:
			refused++
		case isRefused || !away(err):
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(again):
		}
	}
}

// noRoom are JetStream's codes for a store that is as full as it may be.
var noRoom = []jetstream.ErrorCode{10002, 10023, 10047}

// patience is how often a server may refuse what it cannot do as long as it starts.
const patience = 60

// away says whether an error is that of a connection which comes back by itself.
func away(err error) bool {
	return slices.ContainsFunc([]error{
		context.DeadlineExceeded, nats.ErrTimeout, nats.ErrNoResponders, nats.ErrDisconnected, nats.ErrConnectionReconnecting,
		nats.ErrReconnectBufExceeded, nats.ErrStaleConnection, jetstream.ErrNoStreamResponse, jetstream.ErrNoHeartbeat, jetstream.ErrServerShutdown,
	}, func(passing error) bool { return errors.Is(err, passing) })
}

// Result returns the result that is kept of a run, nil if there is none. One that is
// damaged is none: the run is carried out again.
func (q *Queue) Result(ctx context.Context, hash string) (result *study.Result, err error) {
	err = retry(ctx, func(ctx context.Context) (err error) {
		result, err = q.look(ctx, hash)
		return err
	})
	return result, err
}

// look is Result without patience.
func (q *Queue) look(ctx context.Context, hash string) (*study.Result, error) {
	entry, err := q.results.Get(ctx, hash)
	if errors.Is(err, jetstream.ErrKeyNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return readResult(entry), nil
}

// readResult returns nil of a result that is damaged.
func readResult(entry jetstream.KeyValueEntry) *study.Result {
	r, err := study.DecodeResult(entry.Value())
	if err != nil {
		return nil
	}
	return r
}

// Keep keeps the result of a run, unless there is one already. A store with damaged
// files may know a key whose value it cannot read: then the new result takes its place.
func (q *Queue) Keep(ctx context.Context, hash string, r *study.Result) error {
	data, err := json.Marshal(r)
	if err != nil {
		return err
	}
	return retry(ctx, func(ctx context.Context) error {
		_, err := q.results.Create(ctx, hash, data)
		if !errors.Is(err, jetstream.ErrKeyExists) {
			return err
		}
		kept, err := q.look(ctx, hash)
		if kept == nil && err == nil {
			_, err = q.results.Put(ctx, hash, data)
		}
		return err
	})
}

// Submit puts a run into the queue, unless it is there already.
func (q *Queue) Submit(ctx context.Context, t Task) error {
	if len(t.Scenario) > largeInput {
		if err := q.Put(ctx, t.Hash, bytes.NewReader(t.Scenario)); err != nil {
			return err
		}
		t.Scenario = nil
	}
	data, err := json.Marshal(t)
	if err != nil {
		return err
	}
	return retry(ctx, func(ctx context.Context) error {
		_, err := q.js.Publish(ctx, q.subject+t.Hash, data)
		if api := (*jetstream.APIError)(nil); errors.As(err, &api) && api.ErrorCode == alreadyQueued {
			return nil
		}
		return err
	})
}

// Put keeps an input under its hash, unless it is there already.
func (q *Queue) Put(ctx context.Context, hash string, text io.ReadSeeker) error {
	return retry(ctx, func(ctx context.Context) error {
		if _, err := q.inputs.GetInfo(ctx, hash); err == nil {
			return nil
		}
		if _, err := text.Seek(0, io.SeekStart); err != nil {
			return err
		}
		_, err := q.inputs.Put(context.WithoutCancel(ctx), jetstream.ObjectMeta{Name: hash}, text)
		return err
	})
}
