package queue

import (
	"context"
	"io"
	"math"
	"strings"
	"testing"
	"time"

	"berth/engine/scenario"
	"berth/engine/scenario/scenariotest"
	"berth/engine/study"
)

// always has each run repeated.
func always(t *testing.T) {
	scenario.Register(scenariotest.Dice)
	Repeated = 1
	t.Cleanup(func() { Repeated = math.MaxUint64 })
}

// errs is a worker that computes wrongly.
func errs(ctx context.Context, s scenario.Scenario, beside func(string) (io.Reader, int64, error)) (*study.Result, error) {
	r, err := carry(ctx, s, beside)
	r.Metrics["sum"][0]++
	return r, err
}

// answers waits until somebody other than a worker answers.
func answers(t *testing.T, q *Queue, except string) {
	t.Helper()
	for t.Context().Err() == nil {
		if _, err := q.js.Conn().Request(q.subject("workers", "other"), []byte(except), 10*time.Millisecond); err == nil {
			return
		}
	}
}

func TestADifferenceStopsTheSweep(t *testing.T) {
	always(t)
	js := embedded(t)
	q, _ := process(t, js, scenario.Engine, "sweep")
	for name, carry := range map[string]Carry{"sound": carry, "broken": errs} {
		w, _ := process(t, js, scenario.Engine, name)
		worker(t, w, carry)
	}
	answers(t, q, "sound")
	answers(t, q, "broken")
	run := dice(t, 3)
	_, err := sweep(t, q, 0, func(study.Job) Task { return run }, run)
	if err == nil {
		t.Fatal("there is no error")
	}
	for _, want := range []string{"run " + run.Hash + " (seed +0) has result ", " on worker sound", " on worker broken", "berth run", "delete the bucket " + q.results.Bucket()} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("there is no %q in %v", want, err)
		}
	}
	if r, err := q.result(t.Context(), run.Hash); r != nil || err != nil {
		t.Errorf("%v: kept %v", err, r)
	}
}

func TestEqualResultsAreFine(t *testing.T) {
	always(t)
	js := embedded(t)
	q, told := process(t, js, scenario.Engine, "sweep")
	repeated := make(chan int, 10)
	w, _ := process(t, js, scenario.Engine, "other")
	worker(t, w, func(ctx context.Context, s scenario.Scenario, beside func(string) (io.Reader, int64, error)) (*study.Result, error) {
		repeated <- s.Body.(*scenariotest.Throws).Throws
		return carry(ctx, s, beside)
	})
	answers(t, q, "sweep")
	runs := []Task{dice(t, 3), dice(t, 4), dice(t, 5)}
	byKey := map[string]Task{}
	for _, run := range runs {
		byKey[run.Hash] = run
	}
	got, err := sweep(t, q, 1, func(j study.Job) Task { return byKey[j.Key] }, runs...)
	if err != nil || len(got) != 3 || len(told) > 0 || len(repeated) != 3 { // each worker has each run once
		t.Errorf("%v: got %v, %d runs on the other worker, %d notices", err, got, len(repeated), len(told))
	}
}

func TestASweepSaysThatNobodyRepeats(t *testing.T) {
	always(t)
	defer func(before time.Duration) { Answer = before }(Answer)
	Answer = 100 * time.Millisecond
	q, told := process(t, embedded(t), scenario.Engine, "alone")
	run := dice(t, 3)
	got, err := sweep(t, q, 1, func(study.Job) Task { return run }, run)
	if err != nil || len(got) != 1 {
		t.Errorf("%v: got %v", err, got)
	}
	if text := said(told); !strings.HasPrefix(text, "1 of 1 run to repeat on another worker was not repeated") {
		t.Error(text)
	}
}

// One run in a hundred is chosen, always the same ones.
func TestChosen(t *testing.T) {
	Repeated = 100
	defer func() { Repeated = math.MaxUint64 }()
	n := 0
	for i := range 5000 {
		if hash := sumOf([]byte{byte(i), byte(i >> 8)}); chosen(hash) {
			n++
		}
	}
	if n < 25 || n > 75 {
		t.Errorf("%d of 5000", n)
	}
	for _, odd := range []string{"", "x", "0"} {
		chosen(odd)
	}
}
