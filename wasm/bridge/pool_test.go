package bridge

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"berth/engine/must"
	"berth/engine/scenario"
)

// stage has workers whose messages the test sends.
type stage struct {
	workers []*actor
}

type actor struct {
	receive    func(Message)
	calls      []Message
	terminated bool
}

func (s *stage) spawn(receive func(Message)) Worker {
	a := &actor{receive: receive}
	s.workers = append(s.workers, a)
	return a
}

func (a *actor) Post(call Message) { a.calls = append(a.calls, call) }
func (a *actor) Terminate()        { a.terminated = true }

// say sends an answer to the last call of an actor.
func (a *actor) say(t *testing.T, kind MessageKind, body any) {
	t.Helper()
	m := must.Get(a.calls[len(a.calls)-1].Reply(kind, body, nil))(t)
	a.receive(m)
}

// outcome is the result of a call in a separate goroutine.
type outcome struct {
	done     bool
	at       time.Time // time of its end
	err      error
	progress []scenario.Progress
}

// call starts a call about a scenario and waits until all goroutines are idle.
func call(ctx context.Context, p *WorkerPool, hash string) *outcome {
	return callBy(ctx, p, Head{Method: MethodRun, Scenario: hash})
}

func callBy(ctx context.Context, p *WorkerPool, head Head) *outcome {
	o := &outcome{}
	go func() {
		_, o.err = p.Call(ctx, Message{Head: head},
			func(at scenario.Progress) { o.progress = append(o.progress, at) })
		o.done, o.at = true, time.Now()
	}()
	synctest.Wait()
	return o
}

// play runs a test with a pool of two workers.
func play(t *testing.T, test func(t *testing.T, s *stage, p *WorkerPool)) {
	synctest.Test(t, func(t *testing.T) {
		s := &stage{}
		test(t, s, NewPool(2, s.spawn))
	})
}

// settle waits until all goroutines are idle and checks how a call ended.
func (o *outcome) settle(t *testing.T, want error) {
	t.Helper()
	synctest.Wait()
	if !o.done {
		t.Fatal("the call is still waiting")
	}
	if !errors.Is(o.err, want) {
		t.Fatalf("the call gave %v, expected %v", o.err, want)
	}
}

func (s *stage) expect(t *testing.T, workers int) {
	t.Helper()
	if len(s.workers) != workers {
		t.Fatalf("%d workers were started, expected %d", len(s.workers), workers)
	}
}

// A call goes to the worker that knows its scenario. If that one is busy, it takes another
// one, unless it waits because reading the inputs again costs more.
func TestACallWaitsForTheWorkerThatKnowsOnlyIfItSaysSo(t *testing.T) {
	play(t, func(t *testing.T, s *stage, p *WorkerPool) {
		first, other := call(t.Context(), p, "known"), call(t.Context(), p, "other")
		s.workers[0].say(t, KindResult, nil)
		s.workers[1].say(t, KindResult, nil)
		first.settle(t, nil)
		other.settle(t, nil)
		calls := func() [2]int { return [2]int{len(s.workers[0].calls), len(s.workers[1].calls)} }
		busy := call(t.Context(), p, "known")
		if calls() != [2]int{2, 1} {
			t.Fatalf("the workers have %v calls: the one that knows the scenario did not get the second one", calls())
		}
		waits := callBy(t.Context(), p, Head{Method: MethodRun, Scenario: "known", Waits: true})
		if calls() != [2]int{2, 1} {
			t.Errorf("the workers have %v calls: a call that waits did not", calls())
		}
		prefers := call(t.Context(), p, "known")
		if calls() != [2]int{2, 2} {
			t.Errorf("the workers have %v calls: a call waits for a busy worker while another is free", calls())
		}
		for _, w := range []int{0, 0, 1} {
			s.workers[w].say(t, KindResult, nil)
			synctest.Wait()
		}
		for _, o := range []*outcome{busy, waits, prefers} {
			o.settle(t, nil)
		}
	})
}

// A call that leaves the worker of a scenario to others starts another one, waits for that
// one, and takes the worker only when all know the scenario.
func TestACallLeavesAWorkerToOthers(t *testing.T) {
	play(t, func(t *testing.T, s *stage, p *WorkerPool) {
		shown := call(t.Context(), p, "shown")
		s.workers[0].say(t, KindResult, nil)
		shown.settle(t, nil)
		apart := Head{Method: MethodRun, Apart: "shown"}
		search := callBy(t.Context(), p, apart)
		s.expect(t, 2)
		waits := callBy(t.Context(), p, apart)
		asked := callBy(t.Context(), p, Head{Method: MethodRun, Scenario: "shown", Waits: true})
		s.workers[0].say(t, KindResult, nil)
		asked.settle(t, nil)
		if got := len(s.workers[0].calls); got != 2 {
			t.Fatalf("the worker that is left to others has %d calls, want 2", got)
		}
		for _, o := range []*outcome{search, waits} {
			s.workers[1].say(t, KindResult, nil)
			o.settle(t, nil)
		}
		busy, again := call(t.Context(), p, "shown"), call(t.Context(), p, "shown")
		for i, o := range []*outcome{busy, again} {
			s.workers[i].say(t, KindResult, nil)
			o.settle(t, nil)
		}
		calls := func() int { return len(s.workers[0].calls) + len(s.workers[1].calls) }
		before := calls()
		callBy(t.Context(), p, apart)
		if got := calls() - before; got != 1 {
			t.Errorf("%d calls were begun where all workers know the scenario, want 1", got)
		}
		s.workers[0].say(t, KindResult, nil)
	})
}

func TestPoolQueuesWhatItsWorkersCannotTake(t *testing.T) {
	play(t, func(t *testing.T, s *stage, p *WorkerPool) {
		first, second := call(t.Context(), p, ""), call(t.Context(), p, "")
		third, fourth := call(t.Context(), p, ""), call(t.Context(), p, "")
		s.expect(t, 2)
		s.workers[1].say(t, KindResult, nil)
		second.settle(t, nil)
		if len(s.workers[1].calls) != 2 {
			t.Fatal("the call that waited longest was not handed on")
		}
		s.workers[1].say(t, KindResult, nil)
		third.settle(t, nil)
		s.workers[0].say(t, KindResult, nil)
		first.settle(t, nil)
		s.workers[1].say(t, KindResult, nil)
		fourth.settle(t, nil)
	})
}

func TestPoolHandsOnProgress(t *testing.T) {
	play(t, func(t *testing.T, s *stage, p *WorkerPool) {
		o := call(t.Context(), p, "")
		for _, fraction := range []float64{0.25, 0.5} {
			s.workers[0].say(t, KindProgress, scenario.Progress{Phase: "reading", Fraction: fraction})
			synctest.Wait()
		}
		s.workers[0].say(t, KindResult, nil)
		o.settle(t, nil)
		if len(o.progress) != 2 || o.progress[1].Fraction != 0.5 || o.progress[1].Phase != "reading" {
			t.Errorf("progress was %+v", o.progress)
		}
	})
}

func TestCancelReplacesTheBusyWorkerAlone(t *testing.T) {
	play(t, func(t *testing.T, s *stage, p *WorkerPool) {
		ctx, cancel := context.WithCancel(t.Context())
		other, doomed := call(t.Context(), p, ""), call(ctx, p, "")
		cancel()
		time.Sleep(patience)
		doomed.settle(t, context.Canceled)
		if !s.workers[1].terminated || s.workers[0].terminated {
			t.Fatal("the wrong worker was terminated")
		}
		s.expect(t, 3)
		s.workers[1].say(t, KindResult, nil) // too late, because no one listens

		next := call(t.Context(), p, "")
		s.workers[2].say(t, KindResult, nil)
		next.settle(t, nil)
		s.workers[0].say(t, KindResult, nil)
		other.settle(t, nil)
	})
}

// A worker that stops by itself returns its result so far, and continues with the next
// call.
func TestCancelAsksTheWorkerToStop(t *testing.T) {
	for _, test := range []struct {
		kind MessageKind
		body any
		want error
	}{
		{KindResult, nil, nil},
		{KindError, Error{Message: "cancelled while placing"}, context.Canceled},
	} {
		play(t, func(t *testing.T, s *stage, p *WorkerPool) {
			ctx, cancel := context.WithCancel(t.Context())
			o := call(ctx, p, "")
			cancel()
			time.Sleep(patience - time.Millisecond)
			synctest.Wait()
			if o.done {
				t.Fatalf("the call ended with %v before the worker said anything", o.err)
			}
			if last := s.workers[0].calls[len(s.workers[0].calls)-1]; last.Kind != KindStop || last.ID != 1 {
				t.Fatalf("the worker was told %+v", last.Head)
			}
			s.workers[0].say(t, KindProgress, scenario.Progress{}) // sent before the request to stop
			s.workers[0].say(t, test.kind, test.body)
			o.settle(t, test.want)

			next := call(t.Context(), p, "")
			s.workers[0].say(t, KindResult, nil)
			next.settle(t, nil)
			s.expect(t, 1)
			if s.workers[0].terminated {
				t.Error("the worker was terminated")
			}
		})
	}
}

// A worker that reacts gets more time for its result, but not unlimited time.
func TestCancelWaitsLongerForAWorkerThatListens(t *testing.T) {
	play(t, func(t *testing.T, s *stage, p *WorkerPool) {
		ctx, cancel := context.WithCancel(t.Context())
		o := call(ctx, p, "")
		cancel()
		synctest.Wait()
		start := time.Now()
		for !o.done {
			s.workers[0].say(t, KindProgress, scenario.Progress{})
			time.Sleep(patience / 2)
			synctest.Wait()
		}
		o.settle(t, context.Canceled)
		if took := time.Since(start); took < conclusion || took > conclusion+patience || !s.workers[0].terminated {
			t.Errorf("it was terminated after %v: %v", took, s.workers[0].terminated)
		}
	})
}

func TestCancelLetsTheNextInTheQueueOnToTheNewWorker(t *testing.T) {
	play(t, func(t *testing.T, s *stage, p *WorkerPool) {
		ctx, cancel := context.WithCancel(t.Context())
		call(t.Context(), p, "")
		call(ctx, p, "")
		waiting := call(t.Context(), p, "")
		cancel()
		time.Sleep(patience)
		synctest.Wait()
		s.expect(t, 3)
		s.workers[2].say(t, KindResult, nil)
		waiting.settle(t, nil)
		s.workers[0].say(t, KindResult, nil)
	})
}

func TestCancelWhileWaitingTouchesNoWorker(t *testing.T) {
	play(t, func(t *testing.T, s *stage, p *WorkerPool) {
		ctx, cancel := context.WithCancel(t.Context())
		first, second := call(t.Context(), p, ""), call(t.Context(), p, "")
		waiting := call(ctx, p, "")
		cancel()
		waiting.settle(t, context.Canceled)
		for i, o := range []*outcome{first, second} {
			if s.workers[i].terminated {
				t.Fatalf("worker %d was terminated", i)
			}
			s.workers[i].say(t, KindResult, nil)
			o.settle(t, nil)
		}
		s.expect(t, 2)
	})
}

func TestCrashIsAnErrorAndTheNextCallGetsANewWorker(t *testing.T) {
	play(t, func(t *testing.T, s *stage, p *WorkerPool) {
		o := call(t.Context(), p, "")
		waiting := []*outcome{call(t.Context(), p, ""), call(t.Context(), p, "")}
		s.workers[0].receive(crash("out of memory"))
		synctest.Wait()
		var e *Error
		if !errors.As(o.err, &e) || e.Kind != Crashed || e.Message != "out of memory" {
			t.Fatalf("the call gave %v", o.err)
		}
		s.expect(t, 3)
		for i, o := range waiting {
			s.workers[i+1].say(t, KindResult, nil)
			o.settle(t, nil)
		}
	})
}

func TestCrashOfAnIdleWorkerIsNoticed(t *testing.T) {
	play(t, func(t *testing.T, s *stage, p *WorkerPool) {
		s.workers[0].receive(crash("the engine could not be loaded"))
		o := call(t.Context(), p, "")
		s.expect(t, 2)
		s.workers[1].say(t, KindResult, nil)
		o.settle(t, nil)
	})
}

func TestErrorsKeepTheWorker(t *testing.T) {
	play(t, func(t *testing.T, s *stage, p *WorkerPool) {
		o := call(t.Context(), p, "")
		s.workers[0].say(t, KindError, Error{Kind: Fault, Message: "index out of range"})
		synctest.Wait()
		var e *Error
		if !errors.As(o.err, &e) || e.Kind != Fault || e.Error() != "index out of range" {
			t.Fatalf("the call gave %v", o.err)
		}
		again := call(t.Context(), p, "")
		s.expect(t, 1)
		s.workers[0].say(t, KindResult, nil)
		again.settle(t, nil)
	})
}

// Policies that the user has not agreed to run have one second in total; then the worker is
// terminated. The clock stops while another subject of the call runs.
func TestAStrangersTextHasASecond(t *testing.T) {
	play(t, func(t *testing.T, s *stage, p *WorkerPool) {
		o := call(t.Context(), p, "a")
		w := s.workers[0]
		w.say(t, KindText, RunningText{Policy: "mine", Careful: true})
		time.Sleep(CarefulTime / 2)
		w.say(t, KindText, RunningText{})
		time.Sleep(time.Hour)
		again := time.Now()
		w.say(t, KindText, RunningText{Policy: "mine", Careful: true})
		time.Sleep(CarefulTime)
		synctest.Wait()
		if took := o.at.Sub(again); took != CarefulTime/2 {
			t.Fatalf("the text was ended %v after its second half began", took)
		}
		if e, ok := errors.AsType[*Error](o.err); !w.terminated || !ok || e.Kind != TooMuch || !strings.Contains(e.Message, "mine") {
			t.Fatalf("terminated %v, %v", w.terminated, o.err)
		}
		other := call(t.Context(), p, "a") // by another worker
		s.workers[len(s.workers)-1].say(t, KindResult, nil)
		other.settle(t, nil)
	})
}

// The worker continues after a policy that ends in time, or that the user has agreed
// to run.
func TestOtherTextsHaveTime(t *testing.T) {
	play(t, func(t *testing.T, s *stage, p *WorkerPool) {
		for _, careful := range []bool{true, false} {
			o := call(t.Context(), p, "a")
			w := s.workers[0]
			w.say(t, KindText, RunningText{Policy: "mine", Careful: careful})
			if !careful {
				time.Sleep(time.Hour)
			}
			w.say(t, KindResult, nil)
			o.settle(t, nil)
			if time.Sleep(time.Hour); w.terminated {
				t.Fatal("the worker was ended")
			}
		}
	})
}

// A worker that runs a text has little time to react to a stop.
func TestCancelEndsATextSoon(t *testing.T) {
	play(t, func(t *testing.T, s *stage, p *WorkerPool) {
		ctx, cancel := context.WithCancel(t.Context())
		o := call(ctx, p, "a")
		s.workers[0].say(t, KindText, RunningText{Policy: "mine"})
		cancel()
		time.Sleep(200 * time.Millisecond)
		o.settle(t, context.Canceled)
		if !s.workers[0].terminated {
			t.Error("the worker goes on")
		}
	})
}

// If a worker ended because of its memory, the error names the policy.
func TestTooMuchMemoryNamesThePolicy(t *testing.T) {
	play(t, func(t *testing.T, s *stage, p *WorkerPool) {
		o := call(t.Context(), p, "a")
		s.workers[0].say(t, KindText, RunningText{Policy: "mine", Careful: true})
		s.workers[0].receive(lost(TooMuch, ""))
		synctest.Wait()
		if e, ok := errors.AsType[*Error](o.err); !ok || e.Kind != TooMuch || e.Message != "The policy mine takes more than 512 MiB of memory." {
			t.Error(o.err)
		}
	})
}
