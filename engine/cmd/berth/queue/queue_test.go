package queue

import (
	"context"
	"errors"
	"io"
	"math"
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

func init() {
	AckWait = time.Second
	Repeated = math.MaxUint64
}

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

// process opens the queue of a process with a name; its messages arrive on the channel.
func process(t *testing.T, js jetstream.JetStream, engine, worker string) (*Queue, chan string) {
	t.Helper()
	told := make(chan string, 100)
	q, err := open(t.Context(), js, engine, func(text string) { told <- text })
	if err != nil {
		t.Fatal(err)
	}
	q.worker = worker
	return q, told
}

// dice returns the task of a run with a number of throws.
func dice(t testing.TB, throws int) Task {
	t.Helper()
	plan, err := study.NewPlan(&study.Document{Base: scenario.Scenario{Version: scenario.Version, Kind: "dice", Body: &scenariotest.Throws{Throws: throws}}})
	if err != nil {
		t.Fatal(err)
	}
	inputs, err := plan.Inputs(0, nil)
	if err != nil {
		t.Fatal(err)
	}
	key, err := plan.Key(0)
	if err != nil {
		t.Fatal(err)
	}
	return Task{Hash: key, Engine: scenario.Engine, Inputs: inputs}
}

// sweep has runs carried out by the workers of a queue, and returns their results.
func sweep(t *testing.T, q *Queue, workers int, task func(study.Job) Task, tasks ...Task) (map[string]*study.Result, error) {
	t.Helper()
	var mu sync.Mutex // results come from any goroutine
	got := map[string]*study.Result{}
	e := Dispatcher{Queue: q, Workers: workers, Carry: carry, Task: func(_ context.Context, j study.Job) (Task, error) { return task(j), nil }}
	err := e.Execute(t.Context(), jobs(tasks...), func(j study.Job, r *study.Result) error {
		mu.Lock()
		defer mu.Unlock()
		got[j.Key] = r
		return nil
	})
	return got, err
}

// jobs hands out the jobs of some runs.
func jobs(tasks ...Task) func() (study.Job, bool) {
	return func() (study.Job, bool) {
		if len(tasks) == 0 {
			return study.Job{}, false
		}
		key := tasks[0].Hash
		tasks = tasks[1:]
		return study.Job{Key: key, Scenario: scenario.Scenario{Kind: "dice", Name: "seed +0"}}, true
	}
}

// worker works until the test ends, which a message must not bring about before.
func worker(t *testing.T, q *Queue, carry Carry) {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- q.Work(ctx, ctx, 1, carry) }()
	t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			t.Errorf("worker %s ended: %v", q.worker, err)
		}
	})
}

// Builds have no runs, inputs and results in common, whatever their names are. A worker
// says that runs of another one wait, and waits for its own.
func TestBuildsDoNotMix(t *testing.T) {
	scenario.Register(scenariotest.Dice)
	js := embedded(t)
	theirs, _ := process(t, js, "9.9.9+x y", "theirs")
	run := dice(t, 3)
	if err := theirs.Submit(t.Context(), run); err != nil {
		t.Fatal(err)
	}
	if err := theirs.Put(t.Context(), "input", strings.NewReader("theirs")); err != nil {
		t.Fatal(err)
	}
	if err := theirs.Keep(t.Context(), "result", study.Failed("dice", errors.New("theirs"))); err != nil {
		t.Fatal(err)
	}
	ours, told := process(t, js, scenario.Engine, "ours")
	worker(t, ours, carry)
	if text := <-told; !strings.Contains(text, "other runs wait that need engine 9.9.9+x y, and this worker has engine "+scenario.Engine) {
		t.Error(text)
	}
	if got, err := sweep(t, ours, 0, func(study.Job) Task { return run }, run); err != nil || got[run.Hash] == nil || got[run.Hash].Error != "" {
		t.Errorf("%v: got %v", err, got)
	}
	if r, err := theirs.result(t.Context(), run.Hash); r != nil || err != nil {
		t.Errorf("they have a result %v, %v", r, err)
	}
	if r, err := ours.result(t.Context(), "result"); r != nil || err != nil {
		t.Errorf("there is a result %v, %v", r, err)
	}
	if _, err := ours.inputs.GetInfo(t.Context(), "input"); !errors.Is(err, jetstream.ErrObjectNotFound) {
		t.Error(err)
	}
	if len(told) > 0 {
		t.Error(<-told)
	}
}

// Of a run that is submitted twice there is one message, and of one that is carried
// out twice the first result.
func TestTwiceDoesNoHarm(t *testing.T) {
	scenario.Register(scenariotest.Dice)
	q, _ := process(t, embedded(t), scenario.Engine, "ours")
	a, b := dice(t, 3), dice(t, 4)
	for range 2 {
		if err := q.Submit(t.Context(), a); err != nil {
			t.Fatal(err)
		}
	}
	if info, err := q.stream.Info(t.Context()); err != nil || info.State.Msgs != 1 {
		t.Errorf("%v: there are %d messages", err, info.State.Msgs)
	}
	for _, message := range []string{"first", "second"} {
		if err := q.Keep(t.Context(), b.Hash, study.Failed("dice", errors.New(message))); err != nil {
			t.Fatal(err)
		}
	}
	got, err := sweep(t, q, 1, func(study.Job) Task { return a }, a, b)
	if err != nil || len(got) != 2 || got[b.Hash].Error != "first" || got[a.Hash].Metrics["sum"][0] != 9 {
		t.Errorf("%v: got %v", err, got)
	}
	if r, err := (Kept{q}).Get(t.Context(), a.Hash); err != nil || r == nil {
		t.Errorf("%v: the result is %v", err, r)
	}
}

// A message that no worker will get any more is submitted again.
func TestLostMessageIsSubmittedAgain(t *testing.T) {
	scenario.Register(scenariotest.Dice)
	q, _ := process(t, embedded(t), scenario.Engine, "ours")
	run := dice(t, 3)
	job := study.Job{Key: run.Hash}
	if err := q.Submit(t.Context(), run); err != nil {
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
	c := newCollector(&Dispatcher{Queue: q, Task: func(context.Context, study.Job) (Task, error) { return run, nil }}, func(_ study.Job, result *study.Result) error {
		r = result
		return nil
	})
	c.waiting[job.Key] = job
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
	q, _ := process(t, embedded(t), scenario.Engine, "ours")
	run := dice(t, 3)
	if err := q.Submit(t.Context(), run); err != nil {
		t.Fatal(err)
	}
	taking, stop := context.WithCancel(t.Context())
	err := q.Work(taking, t.Context(), 1, func(ctx context.Context, s scenario.Scenario, beside func(string) (io.Reader, int64, error)) (*study.Result, error) {
		stop()
		return carry(ctx, s, beside)
	})
	if err != nil {
		t.Fatal(err)
	}
	if r, err := (Kept{q}).Get(t.Context(), run.Hash); err != nil || r == nil || r.Error != "" {
		t.Errorf("the run that was begun came to %v, %v", r, err)
	}
}
