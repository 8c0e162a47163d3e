package queue

import (
	"context"
	"errors"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"berth/engine/scenario"
	"berth/engine/scenario/scenariotest"
	"berth/engine/study"
)

func init() { AckWait = time.Second }

func embedded(t *testing.T) jetstream.JetStream {
	t.Helper()
	s, err := server.NewServer(&server.Options{DontListen: true, JetStream: true, StoreDir: t.TempDir(), NoSigs: true, NoLog: true})
	if err != nil {
		t.Fatal(err)
	}
	s.Start()
	t.Cleanup(func() { s.Shutdown(); s.WaitForShutdown() })
	if !s.ReadyForConnections(time.Minute) {
		t.Fatal("the server is not ready")
	}
	nc, err := nats.Connect("", nats.InProcessServer(s), silent)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)
	js, err := jetstream.New(nc)
	if err != nil {
		t.Fatal(err)
	}
	return js
}

func carry(ctx context.Context, s scenario.Scenario, _ func(string) (io.Reader, int64, error)) (*study.Result, error) {
	return study.Execute(ctx, s, scenario.Env{})
}

func TestWorkersRefuseRunsOfAnotherVersion(t *testing.T) {
	js := embedded(t)
	theirs, err := open(t.Context(), js, "9_9_9")
	if err != nil {
		t.Fatal(err)
	}
	if err := theirs.Submit(t.Context(), Task{Hash: "1234", Kind: "dice", Scenario: []byte(`{}`)}); err != nil {
		t.Fatal(err)
	}
	ours, err := open(t.Context(), js, "0_1_0")
	if err != nil {
		t.Fatal(err)
	}
	err = ours.Work(t.Context(), t.Context(), carry)
	if err == nil || !strings.Contains(err.Error(), "the runs need engine 9.9.9 and this worker has engine "+scenario.Engine) {
		t.Errorf("the worker says %v", err)
	}
	if r, err := ours.Result(t.Context(), "1234"); r != nil || err != nil {
		t.Errorf("there is a result %v, %v", r, err)
	}
}

// Of a run that is submitted twice there is one message, and of one that is carried
// out twice the first result.
func TestTwiceDoesNoHarm(t *testing.T) {
	scenario.Register(scenariotest.Dice)
	js := embedded(t)
	q, err := open(t.Context(), js, "0_1_0")
	if err != nil {
		t.Fatal(err)
	}
	text := []byte(`{"version": 1, "kind": "dice", "dice": {"throws": 3}}`)
	for range 2 {
		if err := q.Submit(t.Context(), Task{Hash: "a", Kind: "dice", Scenario: text}); err != nil {
			t.Fatal(err)
		}
	}
	if info, err := q.stream.Info(t.Context()); err != nil || info.State.Msgs != 1 {
		t.Errorf("%v: there are %d messages", err, info.State.Msgs)
	}
	for _, message := range []string{"first", "second"} {
		if err := q.Keep(t.Context(), "b", study.Failed("dice", errors.New(message))); err != nil {
			t.Fatal(err)
		}
	}
	var mu sync.Mutex // results come from any goroutine
	got := map[string]*study.Result{}
	e := Executor{Queue: q, Workers: 1, Carry: carry, Task: dice}
	err = e.Execute(t.Context(), jobs("a", "b"), func(j study.Job, r *study.Result) error {
		mu.Lock()
		defer mu.Unlock()
		got[j.Key] = r
		return nil
	})
	if err != nil || len(got) != 2 || got["b"].Error != "first" || got["a"].Metrics["sum"][0] != 9 {
		t.Errorf("%v: got %v", err, got)
	}
	if r, err := (Kept{q}).Get(t.Context(), "a"); err != nil || r == nil {
		t.Errorf("%v: the result is %v", err, r)
	}
}

// dice is what travels of any job.
func dice(_ context.Context, j study.Job) (Task, error) {
	return Task{Hash: j.Key, Kind: "dice", Scenario: []byte(`{"version": 1, "kind": "dice", "dice": {"throws": 3}}`)}, nil
}

// jobs hands out jobs with some keys.
func jobs(keys ...string) func() (study.Job, bool) {
	return func() (study.Job, bool) {
		if len(keys) == 0 {
			return study.Job{}, false
		}
		key := keys[0]
		keys = keys[1:]
		return study.Job{Key: key}, true
	}
}

// A message that no worker will get any more is submitted again.
func TestLostMessageIsSubmittedAgain(t *testing.T) {
	scenario.Register(scenariotest.Dice)
	q, err := open(t.Context(), embedded(t), "0_1_0")
	if err != nil {
		t.Fatal(err)
	}
	job := study.Job{Key: "a"}
	lost, _ := dice(t.Context(), job)
	if err := q.Submit(t.Context(), lost); err != nil {
		t.Fatal(err)
	}
	m, err := q.next(t.Context())
	if err != nil || m == nil {
		t.Fatal(m, err)
	}
	if err := m.Ack(); err != nil { // by a worker that was killed before it kept the result
		t.Fatal(err)
	}
	var r *study.Result
	c := collector{Executor: &Executor{Queue: q, Task: dice}, waiting: map[string]study.Job{"a": job}, done: func(_ study.Job, result *study.Result) error {
		r = result
		return nil
	}}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	for r == nil { // the first look may come before the server knows of the acknowledgement
		if err := c.look(ctx); err != nil {
			t.Fatal(err)
		}
		m, err = q.next(ctx)
		if err != nil {
			t.Fatal(err)
		}
		if m != nil {
			if err := q.handle(ctx, m, carry); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// A worker that is to take no more runs finishes the one that it has begun, so that
// many experiments that end while a run of another waits do not make it a failed one.
func TestWhatWasBegunIsFinished(t *testing.T) {
	scenario.Register(scenariotest.Dice)
	js := embedded(t)
	q, err := open(t.Context(), js, "0_1_0")
	if err != nil {
		t.Fatal(err)
	}
	if err := q.Submit(t.Context(), Task{Hash: "slow", Kind: "dice", Scenario: []byte(`{"version": 1, "kind": "dice", "dice": {"throws": 3}}`)}); err != nil {
		t.Fatal(err)
	}
	taking, stop := context.WithCancel(t.Context())
	err = q.Work(taking, t.Context(), func(ctx context.Context, s scenario.Scenario, beside func(string) (io.Reader, int64, error)) (*study.Result, error) {
		stop()
		return carry(ctx, s, beside)
	})
	if err != nil {
		t.Fatal(err)
	}
	if r, err := q.Result(t.Context(), "slow"); err != nil || r == nil || r.Error != "" {
		t.Errorf("the run that was begun came to %v, %v", r, err)
	}
}
