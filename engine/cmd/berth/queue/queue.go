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
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"berth/engine/study"
)

// AckWait is the time without a report after which the server considers a worker lost.
var AckWait = 10 * time.Second

const (
	// protocol is the version of messages and results. In names on the server, the engine follows
	// it.
	protocol = "2-"

	stream  = "BERTH"
	workers = "workers-" // prefix of the names of consumers; the engine follows
	// deliveries is the maximum number of times that a run is delivered. The last delivery does not
	// start the run, but records that it kills every worker.
	deliveries = 5
	// again is the delay before a failed attempt is repeated.
	again = 500 * time.Millisecond
	// largeInput is the size in bytes above which a scenario goes into the object store.
	largeInput = 256 << 10
	// alreadyQueued is JetStream's error code for a second message of a subject.
	alreadyQueued = 10077
)

// Queue is the queue of waiting runs, and the store of results, on the server.
type Queue struct {
	Place    string // URLs of the servers, without credentials
	js       jetstream.JetStream
	stream   jetstream.Stream
	consumer jetstream.Consumer
	results  jetstream.KeyValue
	inputs   jetstream.ObjectStore
	engine   string // protocol and engine, as part of names: other versions share only the stream
	tell     func(string)

	told      sync.Map // engine versions whose waiting runs the queue has reported
	downloads sync.Mutex
	files     map[string]*io.SectionReader // by hash: inputs that were downloaded and checked
}

func newQueue(js jetstream.JetStream, place, engine string, tell func(string)) *Queue {
	return &Queue{Place: place, js: js, engine: engine, tell: tell, files: map[string]*io.SectionReader{}}
}

// Create creates the missing ones of the stream, the consumer and the buckets of this engine
// version.
func (q *Queue) Create(ctx context.Context) error {
	return q.retry(ctx, func(ctx context.Context) (err error) {
		q.stream, err = q.js.CreateOrUpdateStream(ctx, jetstream.StreamConfig{
			Name: stream, Subjects: []string{"berth.runs.>"}, Retention: jetstream.WorkQueuePolicy, Storage: jetstream.FileStorage,
			Discard: jetstream.DiscardNew, MaxMsgsPerSubject: 1, DiscardNewPerSubject: true,
		})
		if err == nil {
			q.consumer, err = q.stream.CreateOrUpdateConsumer(ctx, jetstream.ConsumerConfig{
				Durable: workers + q.engine, FilterSubject: q.subject("*"), AckPolicy: jetstream.AckExplicitPolicy,
				AckWait: AckWait, MaxDeliver: deliveries, MaxAckPending: -1,
			})
		}
		if err == nil {
			q.results, err = q.js.CreateOrUpdateKeyValue(ctx, jetstream.KeyValueConfig{Bucket: "berth-results-" + q.engine, Storage: jetstream.FileStorage})
		}
		if err == nil {
			q.inputs, err = q.js.CreateOrUpdateObjectStore(ctx, jetstream.ObjectStoreConfig{Bucket: "berth-inputs-" + q.engine, Storage: jetstream.FileStorage})
		}
		if err != nil {
			err = fmt.Errorf("%s: %w", q.Place, err)
		}
		return err
	})
}

// Close sends the messages that are still buffered and closes the connection.
func (q *Queue) Close() {
	q.js.Conn().Flush()
	q.js.Conn().Close()
}

func (q *Queue) subject(hash string) string { return "berth.runs." + q.engine + "." + hash }

// lost returns the error about a server that was unreachable for longer than Patience.
func (q *Queue) lost() error {
	return fmt.Errorf("%s: the NATS server disconnected and did not return within %v. Start it and run the same command: it reuses the results on the server", q.Place, Patience)
}

// retry calls do until it succeeds, fails permanently, or ctx ends. While the server is
// unreachable, it keeps trying. If the server refuses a request, it makes a limited number of
// attempts.
func (q *Queue) retry(ctx context.Context, do func(context.Context) error) error {
	for refused := 0; ; {
		once, cancel := context.WithTimeout(ctx, 5*time.Second)
		err := do(once)
		cancel()
		api, isRefused := errors.AsType[*jetstream.APIError](err)
		switch {
		case err == nil || ctx.Err() != nil:
			return err
		case errors.Is(err, nats.ErrConnectionClosed):
			return q.lost()
		case isRefused && (slices.Contains(noRoom, api.ErrorCode) || strings.Contains(api.Description, "no space left")):
			return fmt.Errorf("no space is left for runs and results: %w", err)
		case isRefused && api.Code == 503 && refused < patience:
			refused++
		case isRefused || !away(err):
			return err
		}
		pause(ctx)
	}
}

// pause waits before the next attempt.
func pause(ctx context.Context) {
	select {
	case <-ctx.Done():
	case <-time.After(again):
	}
}

// noRoom lists JetStream's error codes for a full store.
var noRoom = []jetstream.ErrorCode{10002, 10023, 10047}

// patience limits how often a server may refuse a request, as it does while it starts.
const patience = 60

// away reports whether an error comes from a connection that recovers by itself.
func away(err error) bool {
	return slices.ContainsFunc([]error{
		context.DeadlineExceeded, nats.ErrTimeout, nats.ErrNoResponders, nats.ErrDisconnected, nats.ErrConnectionReconnecting,
		nats.ErrReconnectBufExceeded, nats.ErrStaleConnection, jetstream.ErrNoStreamResponse, jetstream.ErrNoHeartbeat, jetstream.ErrServerShutdown,
	}, func(passing error) bool { return errors.Is(err, passing) })
}

// Get returns the stored result of a run, or nil if there is no valid one, so that the run is
// executed again.
func (q *Queue) Get(ctx context.Context, hash string) (r *study.Result, err error) {
	err = q.retry(ctx, func(ctx context.Context) error {
		entry, err := q.results.Get(ctx, hash)
		if errors.Is(err, jetstream.ErrKeyNotFound) {
			return nil
		}
		if err == nil {
			r = q.read(entry)
		}
		return err
	})
	return r, err
}

// read returns the result of an entry; nil if the entry is damaged.
func (q *Queue) read(entry jetstream.KeyValueEntry) *study.Result {
	r := study.OfLine(entry.Key(), entry.Value())
	if r == nil {
		q.tell(fmt.Sprintf("refused a damaged result of run %.200s: the run is carried out again. If you see this often, find out what else writes to the server", entry.Key()))
	}
	return r
}

// Keep stores the result of a run, unless the run already has a valid one.
func (q *Queue) Keep(ctx context.Context, hash string, r *study.Result) error {
	line, err := study.Line(hash, r)
	if err != nil {
		return err
	}
	return q.retry(ctx, func(ctx context.Context) error {
		_, err := q.results.Create(ctx, hash, line)
		if !errors.Is(err, jetstream.ErrKeyExists) {
			return err
		}
		kept, err := q.Get(ctx, hash)
		if kept == nil && err == nil {
			_, err = q.results.Put(ctx, hash, line)
		}
		return err
	})
}

// submit queues a run, unless it is queued already.
func (q *Queue) submit(ctx context.Context, hash string, in study.Inputs) error {
	if len(in.Scenario) > largeInput {
		if err := q.Upload(ctx, hash, bytes.NewReader(in.Scenario)); err != nil {
			return err
		}
		in.Scenario = nil
	}
	data, err := json.Marshal(in)
	if err != nil {
		return err
	}
	return q.retry(ctx, func(ctx context.Context) error {
		_, err := q.js.Publish(ctx, q.subject(hash), data)
		if api, ok := errors.AsType[*jetstream.APIError](err); ok && api.ErrorCode == alreadyQueued {
			return nil
		}
		return err
	})
}

// Upload stores an input under a hash, unless it is there already.
func (q *Queue) Upload(ctx context.Context, hash string, text io.ReadSeeker) error {
	return q.retry(ctx, func(ctx context.Context) error {
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
