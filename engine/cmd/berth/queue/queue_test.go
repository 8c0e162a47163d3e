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

	"berth/engine/must"
	"berth/engine/scenario"
	"berth/engine/scenario/scenariotest"
	"berth/engine/study"
)

func init() {
	AckWait = 300 * time.Millisecond
	scenario.Register(scenariotest.Dice)
}

func embedded(t *testing.T) jetstream.JetStream {
	t.Helper()
	s := must.Get(server.NewServer(&server.Options{DontListen: true, JetStream: true, StoreDir: t.TempDir(), NoSigs: true, NoLog: true}))(t)
	s.Start()
	t.Cleanup(func() { s.Shutdown(); s.WaitForShutdown() })
	if !s.ReadyForConnections(time.Minute) {
		t.Fatal("the server is not ready")
	}
	nc := must.Get(nats.Connect("", nats.InProcessServer(s), silent))(t)
	t.Cleanup(nc.Close)
	return must.Get(jetstream.New(nc))(t)
}

func carry(ctx context.Context, s scenario.Scenario, _ func(string) (io.Reader, int64, error)) (*study.Result, error) {
	return study.Execute(ctx, s, scenario.Env{})
}

// process opens the queue of a process; its messages arrive on the channel.
func process(t *testing.T, js jetstream.JetStream, engine string) (*Queue, chan string) {
	t.Helper()
	told := make(chan string, 100)
	q := newQueue(js, "here", engine, func(text string) { told <- text })
	must.Do(t, q.Create(t.Context()))
	return q, told
}

// task is a run and its message.
type task struct {
	hash string
	study.Inputs
}

// dice returns a run with a number of throws.
func dice(t testing.TB, throws int) task {
	t.Helper()
	plan := must.Get(study.NewPlan(&study.Document{Base: scenario.Scenario{Version: scenario.Version, Kind: "dice", Body: &scenariotest.Throws{Throws: throws}}}))(t)
	inputs := must.Get(plan.Inputs(study.Job{}))(t)
	key := must.Get(plan.Key(0))(t)
	return task{key, inputs}
}

// sweep executes runs with the workers of a queue, and returns their results.
func sweep(t *testing.T, q *Queue, workers int, message func() task, tasks ...task) (map[string]*study.Result, error) {
	t.Helper()
	var mu sync.Mutex // results come from any goroutine
	got := map[string]*study.Result{}
	inputs := func(context.Context, study.Job) (study.Inputs, error) { return message().Inputs, nil }
	err := q.Workers(workers, carry, inputs)(t.Context(), jobs(tasks...), func(j study.Job, r *study.Result) error {
		mu.Lock()
		defer mu.Unlock()
		got[j.Key] = r
		return nil
	})
	return got, err
}

// jobs returns an iterator over the jobs of some runs.
func jobs(tasks ...task) func() (study.Job, bool) {
	return func() (study.Job, bool) {
		if len(tasks) == 0 {
			return study.Job{}, false
		}
		key := tasks[0].hash
		tasks = tasks[1:]
		return study.Job{Key: key, Scenario: scenario.Scenario{Kind: "dice", Name: "seed +0"}}, true
	}
}

// worker works until the test ends. No message may stop it before.
func worker(t *testing.T, q *Queue, carry Carry) {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- q.Work(ctx, ctx, 1, carry) }()
	t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			t.Errorf("the worker ended: %v", err)
		}
	})
}

// Engines do not share runs, inputs and results. A worker reports that runs of another engine wait,
// and waits for its own.
func TestBuildsDoNotMix(t *testing.T) {
	js := embedded(t)
	theirs, _ := process(t, js, "another")
	run := dice(t, 3)
	must.Do(t, theirs.submit(t.Context(), run.hash, run.Inputs))
	must.Do(t, theirs.Upload(t.Context(), "input", strings.NewReader("theirs")))
	must.Do(t, theirs.Keep(t.Context(), "result", study.Failed("dice", errors.New("theirs"))))
	ours, told := process(t, js, scenario.Engine)
	worker(t, ours, carry)
	if text := <-told; !strings.Contains(text, "other runs wait that need engine another, and this worker has engine "+scenario.Engine) {
		t.Error(text)
	}
	if got, err := sweep(t, ours, 0, func() task { return run }, run); err != nil || got[run.hash] == nil || got[run.hash].Error != "" {
		t.Errorf("%v: got %v", err, got)
	}
	if r, err := theirs.Get(t.Context(), run.hash); r != nil || err != nil {
		t.Errorf("they have a result %v, %v", r, err)
	}
	if r, err := ours.Get(t.Context(), "result"); r != nil || err != nil {
		t.Errorf("there is a result %v, %v", r, err)
	}
	if _, err := ours.inputs.GetInfo(t.Context(), "input"); !errors.Is(err, jetstream.ErrObjectNotFound) {
		t.Error(err)
	}
	if len(told) > 0 {
		t.Error(<-told)
	}
}

// A run that is submitted twice has one message, and one that is executed twice has the first
// result.
func TestTwiceDoesNoHarm(t *testing.T) {
	q, _ := process(t, embedded(t), scenario.Engine)
	a, b := dice(t, 3), dice(t, 4)
	for range 2 {
		must.Do(t, q.submit(t.Context(), a.hash, a.Inputs))
	}
	if info, err := q.stream.Info(t.Context()); err != nil || info.State.Msgs != 1 {
		t.Errorf("%v: there are %d messages", err, info.State.Msgs)
	}
	for _, message := range []string{"first", "second"} {
		must.Do(t, q.Keep(t.Context(), b.hash, study.Failed("dice", errors.New(message))))
	}
	got, err := sweep(t, q, 1, func() task { return a }, a, b)
	if err != nil || len(got) != 2 || got[b.hash].Error != "first" || got[a.hash].Metrics["sum"][0] != 9 {
		t.Errorf("%v: got %v", err, got)
	}
	if r, err := (Kept{q}).Get(t.Context(), a.hash); err != nil || r == nil {
		t.Errorf("%v: the result is %v", err, r)
	}
}

// A message that no worker will receive is submitted again.
func TestLostMessageIsSubmittedAgain(t *testing.T) {
	q, _ := process(t, embedded(t), scenario.Engine)
	run := dice(t, 3)
	must.Do(t, q.submit(t.Context(), run.hash, run.Inputs))
	m, err := q.next(t.Context())
	if err != nil || m == nil {
		t.Fatal(m, err)
	}
	must.Do(t, m.Ack()) // as by a worker that was killed before it stored the result
	var r *study.Result
	c := &collector{q, func(context.Context, study.Job) (study.Inputs, error) { return run.Inputs, nil }, func(_ study.Job, result *study.Result) error {
		r = result
		return nil
	}, map[string]*wanted{run.hash: {Job: study.Job{Key: run.hash}}}}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	for r == nil { // the first look may come before the server knows of the acknowledgement
		must.Do(t, c.look(ctx))
		m = must.Get(q.next(ctx))(t)
		if m != nil {
			must.Do(t, q.handle(ctx, m, carry))
		}
	}
}

// A worker that must take no more runs finishes the one that it has begun. So many experiments that
// end while a run of another one waits do not make that run fail.
func TestWhatWasBegunIsFinished(t *testing.T) {
	q, _ := process(t, embedded(t), scenario.Engine)
	run := dice(t, 3)
	must.Do(t, q.submit(t.Context(), run.hash, run.Inputs))
	taking, stop := context.WithCancel(t.Context())
	must.Do(t, q.Work(taking, t.Context(), 1, func(ctx context.Context, s scenario.Scenario, beside func(string) (io.Reader, int64, error)) (*study.Result, error) {
		stop()
		return carry(ctx, s, beside)
	}))
	if r, err := (Kept{q}).Get(t.Context(), run.hash); err != nil || r == nil || r.Error != "" {
		t.Errorf("the run that was begun came to %v, %v", r, err)
	}
}
