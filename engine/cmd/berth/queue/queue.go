package queue

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"berth/engine/scenario"
	"berth/engine/show"
	"berth/engine/study"
)

// AckWait is the time without a report after which the server considers a worker lost.
var AckWait = 10 * time.Second

const (
	stream = "BERTH"
	// deliveries is the number of times that a run is delivered. The last delivery does not start
	// the run, but records that it ends every worker.
	deliveries = 5
	// again is the delay before a failed attempt is repeated.
	again = 500 * time.Millisecond
	// alreadyQueued is JetStream's error code for a second message of a subject.
	alreadyQueued = 10077
	// changed is JetStream's error code for a key whose value has changed.
	changed = 10071
)

// Queue holds the waiting runs and the results.
type Queue struct {
	js       jetstream.JetStream
	stream   jetstream.Stream
	consumer jetstream.Consumer
	results  jetstream.KeyValue
	inputs   jetstream.ObjectStore
	lost     <-chan nats.Status // receives when the connection is closed for good
	engine   string
	version  string // the engine as part of names: builds share only the stream
	worker   string // this process, as part of subjects
	tell     func(string)

	told      sync.Map // engines that were reported
	downloads sync.Mutex
	files     map[string]*io.SectionReader // inputs that were downloaded and checked, by hash
}

// Open opens the queue of this engine version on a server, and creates its parts if necessary. It
// passes a message about each refused run or result to the function.
func Open(ctx context.Context, nc *nats.Conn, tell func(string)) (*Queue, error) {
	js, err := jetstream.New(nc)
	if err != nil {
		return nil, err
	}
	lost := nc.StatusChanged(nats.CLOSED)
	q, err := open(ctx, js, scenario.Engine, tell)
	q.lost = lost
	return q, err
}

// Watch waits until ctx ends, or returns ErrLost if the connection is lost. During a long run no
// other call would notice that.
func (q *Queue) Watch(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return nil
	case <-q.lost:
		return ErrLost
	}
}

func open(ctx context.Context, js jetstream.JetStream, engine string, tell func(string)) (*Queue, error) {
	host, _ := os.Hostname()
	q := &Queue{js: js, engine: engine, version: token(engine), worker: token(fmt.Sprintf("%s-%d", host, os.Getpid())), tell: tell, files: map[string]*io.SectionReader{}}
	return q, retry(ctx, func(ctx context.Context) (err error) {
		q.stream, err = js.CreateOrUpdateStream(ctx, jetstream.StreamConfig{
			Name: stream, Subjects: []string{"berth.runs.>"}, Retention: jetstream.WorkQueuePolicy, Storage: jetstream.FileStorage,
			Discard: jetstream.DiscardNew, MaxMsgsPerSubject: 1, DiscardNewPerSubject: true,
		})
		if err != nil {
			return err
		}
		q.consumer, err = q.stream.CreateOrUpdateConsumer(ctx, jetstream.ConsumerConfig{
			Durable: "workers-" + q.version, Description: engine, FilterSubject: q.subject("runs", "*"), AckPolicy: jetstream.AckExplicitPolicy,
			AckWait: AckWait, MaxDeliver: deliveries, MaxAckPending: -1,
		})
		if err != nil {
			return err
		}
		q.results, err = js.CreateOrUpdateKeyValue(ctx, jetstream.KeyValueConfig{Bucket: "berth-results-" + q.version, Storage: jetstream.FileStorage})
		if err != nil {
			return err
		}
		q.inputs, err = js.CreateOrUpdateObjectStore(ctx, jetstream.ObjectStoreConfig{Bucket: "berth-inputs-" + q.version, Storage: jetstream.FileStorage})
		return err
	})
}

// subject returns a subject of this engine version.
func (q *Queue) subject(what, of string) string { return "berth." + what + "." + q.version + "." + of }

// token returns a text with every character replaced that subjects and bucket names do not allow.
func token(text string) string {
	return strings.Map(func(r rune) rune {
		if r == '-' || '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' {
			return r
		}
		return '_'
	}, text)
}

// retry calls do until it succeeds, fails for good, or ctx ends. It waits for a server that is
// away. A server that refuses a request gets a limited number of attempts.
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

// noRoom lists JetStream's error codes for a full store.
var noRoom = []jetstream.ErrorCode{10002, 10023, 10047}

// patience is the number of times that a server may refuse a request while it starts.
const patience = 60

// away reports whether an error comes from a connection that recovers by itself.
func away(err error) bool {
	return slices.ContainsFunc([]error{
		context.DeadlineExceeded, nats.ErrTimeout, nats.ErrNoResponders, nats.ErrDisconnected, nats.ErrConnectionReconnecting,
		nats.ErrReconnectBufExceeded, nats.ErrStaleConnection, jetstream.ErrNoStreamResponse, jetstream.ErrNoHeartbeat, jetstream.ErrServerShutdown,
	}, func(passing error) bool { return errors.Is(err, passing) })
}

// result returns the kept result of a run; nil without a sound one, so that the run is carried out
// again.
func (q *Queue) result(ctx context.Context, hash string) (result *sealed, err error) {
	err = retry(ctx, func(ctx context.Context) (err error) {
		result, err = q.look(ctx, hash)
		return err
	})
	return result, err
}

// look is result without retries.
func (q *Queue) look(ctx context.Context, hash string) (*sealed, error) {
	entry, err := q.results.Get(ctx, hash)
	if errors.Is(err, jetstream.ErrKeyNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return q.read(ctx, entry)
}

// read returns the result of an entry. If it is damaged, read deletes it and returns nil.
func (q *Queue) read(ctx context.Context, entry jetstream.KeyValueEntry) (*sealed, error) {
	s, wrong := readResult(q.engine, entry.Key(), entry.Value())
	if wrong == nil {
		return s, nil
	}
	err := q.results.Delete(ctx, entry.Key(), jetstream.LastRevision(entry.Revision()))
	if api := (*jetstream.APIError)(nil); errors.As(err, &api) && api.ErrorCode == changed {
		return nil, nil // another process deleted it
	}
	if err == nil {
		q.announce(entry.Key(), fmt.Sprintf(refusedResult, entry.Key(), s.Worker, wrong))
	}
	return nil, err
}

// announce reports a refused run or result, on this machine and to all sweeps.
func (q *Queue) announce(hash, text string) {
	text = show.Cut(text, mostNotice)
	q.tell(text)
	q.js.Conn().PublishMsg(&nats.Msg{ // a sweep that misses it notices the missing run as after a killed worker
		Subject: q.subject("refused", "notice"), Data: []byte(text), Header: nats.Header{ofRun: {hash}, byWorker: {q.worker}},
	})
}

// The headers of a notice.
const ofRun, byWorker = "Run", "Worker"

// mostNotice limits the length of a notice, in characters.
const mostNotice = 1000

// Keep stores the result of a run that was carried out elsewhere, unless the run has one.
func (q *Queue) Keep(ctx context.Context, hash string, r *study.Result) error {
	return q.keep(ctx, hash, "", r)
}

// keep stores the result of a worker, unless the run has one. A store with damaged files may list a
// key whose value it cannot read; the new result replaces it.
func (q *Queue) keep(ctx context.Context, hash, worker string, r *study.Result) error {
	data, err := seal(q.engine, hash, worker, r)
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

// Submit queues a run, unless it is queued already.
func (q *Queue) Submit(ctx context.Context, t Task) error {
	data, err := q.packed(ctx, t)
	if err != nil {
		return err
	}
	return retry(ctx, func(ctx context.Context) error {
		_, err := q.js.Publish(ctx, q.subject("runs", t.Hash), data)
		if api := (*jetstream.APIError)(nil); errors.As(err, &api) && api.ErrorCode == alreadyQueued {
			return nil
		}
		return err
	})
}

// packed returns the message of a run. A large scenario goes into the object store.
func (q *Queue) packed(ctx context.Context, t Task) ([]byte, error) {
	t.Engine = q.engine
	if len(t.Scenario) > largeInput {
		if err := q.Put(ctx, t.Hash, bytes.NewReader(t.Scenario)); err != nil {
			return nil, err
		}
		t.Scenario = nil
	}
	return json.Marshal(t)
}

// Put stores an input under its hash, unless it is there already.
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
