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

// AckWait is after what time without a word a worker is taken for lost.
var AckWait = 10 * time.Second

const (
	stream = "BERTH"
	// deliveries is how often a run is given to a worker: the last time it is not
	// tried, but taken for one that ends its worker.
	deliveries = 5
	// again is after what time what could not be done is tried again.
	again = 500 * time.Millisecond
	// alreadyQueued is the code of JetStream for a second message of a subject.
	alreadyQueued = 10077
	// changed is its code for a key that has another value meanwhile.
	changed = 10071
)

// Queue is where runs wait and results are kept.
type Queue struct {
	js       jetstream.JetStream
	stream   jetstream.Stream
	consumer jetstream.Consumer
	results  jetstream.KeyValue
	inputs   jetstream.ObjectStore
	lost     <-chan nats.Status // the connection is given up
	engine   string
	version  string // the engine as a part of names: builds share nothing but the stream
	worker   string // this process, as a part of subjects
	tell     func(string)

	sound, told sync.Map // files of inputs whose bytes were checked, and engines that the person knows of
}

// Open opens the queue of this version of the engine on a server, and makes what is
// not there yet. It tells which runs and results it refuses.
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

func open(ctx context.Context, js jetstream.JetStream, engine string, tell func(string)) (*Queue, error) {
	host, _ := os.Hostname()
	q := &Queue{js: js, engine: engine, version: token(engine), worker: token(fmt.Sprintf("%s-%d", host, os.Getpid())), tell: tell}
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

// subject is one of this engine.
func (q *Queue) subject(what, of string) string { return "berth." + what + "." + q.version + "." + of }

// token is a text as a part of subjects and of names of buckets.
func token(text string) string {
	return strings.Map(func(r rune) rune {
		if r == '-' || '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' {
			return r
		}
		return '_'
	}, text)
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

// result returns what is kept of a run, nil if there is nothing sound: the run is carried
// out again.
func (q *Queue) result(ctx context.Context, hash string) (result *sealed, err error) {
	err = retry(ctx, func(ctx context.Context) (err error) {
		result, err = q.look(ctx, hash)
		return err
	})
	return result, err
}

// look is result without patience.
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

// read returns the result of an entry. One that is damaged it deletes, and returns nil.
func (q *Queue) read(ctx context.Context, entry jetstream.KeyValueEntry) (*sealed, error) {
	s, wrong := readResult(q.engine, entry.Key(), entry.Value())
	if wrong == nil {
		return s, nil
	}
	err := q.results.Delete(ctx, entry.Key(), jetstream.LastRevision(entry.Revision()))
	if api := (*jetstream.APIError)(nil); errors.As(err, &api) && api.ErrorCode == changed {
		return nil, nil // somebody else refused it
	}
	if err == nil {
		q.announce(entry.Key(), fmt.Sprintf(refusedResult, entry.Key(), s.Worker, wrong))
	}
	return nil, err
}

// announce says here, and to all who sweep, that a run or its result was refused.
func (q *Queue) announce(hash, text string) {
	text = show.Cut(text, mostNotice)
	q.tell(text)
	q.js.Conn().PublishMsg(&nats.Msg{ // who does not get it finds out as from one who was killed
		Subject: q.subject("refused", "notice"), Data: []byte(text), Header: nats.Header{ofRun: {hash}, byWorker: {q.worker}},
	})
}

// The headers of a notice.
const ofRun, byWorker = "Run", "Worker"

// mostNotice bounds a notice, in characters.
const mostNotice = 1000

// Keep keeps the result of a run that was carried out elsewhere, unless there is one.
func (q *Queue) Keep(ctx context.Context, hash string, r *study.Result) error {
	return q.keep(ctx, hash, "", r)
}

// keep keeps the result of a worker, unless there is one already. A store with damaged
// files may know a key whose value it cannot read: then the new result takes its place.
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

// Submit puts a run into the queue, unless it is there already.
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

// packed returns the message of a run.
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
