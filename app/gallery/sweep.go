package gallery

import (
	"context"
	"fmt"
	"sync"
	"time"

	"berth/app/lab"
	"berth/app/ui"
	"berth/engine/scenario"
	"berth/engine/study"
	"berth/wasm/bridge"
)

// sweep is an experiment with the results of its runs. Only the page's goroutine changes it.
type sweep struct {
	experiment scenario.Scenario
	plan       *study.Plan
	sheet      *study.Sheet
	known      *results // results of all experiments

	carrying sync.Mutex         // held during run, so that a stopped run finishes before the next one begins
	cancel   context.CancelFunc // nil while stopped
	begun    time.Time
	took     time.Duration // total duration of the earlier periods
	kept     bool          // the browser has all results
	before   int           // number of runs done at the last begin
}

// newSweep plans an experiment.
func newSweep(s scenario.Scenario, known *results) (*sweep, error) {
	plan, err := study.NewPlan(study.Of(s))
	if err != nil {
		return nil, err
	}
	return &sweep{experiment: s, plan: plan, sheet: plan.NewSheet(), known: known}, nil
}

func (s *sweep) written() bool {
	for cell := range s.plan.Cells() {
		if run := s.plan.Run(cell).Scenario; len(scenario.Texts(&run)) > 0 {
			return true
		}
	}
	return false
}

// begin marks the sweep as running until stop; it returns false if the sweep runs
// already.
func (s *sweep) begin(ctx context.Context) (context.Context, bool) {
	if s.cancel != nil {
		return nil, false
	}
	ctx, s.cancel = context.WithCancel(ctx)
	s.before, _ = s.sheet.Done()
	s.begun, s.kept = time.Now(), false
	return ctx, true
}

// stop stops a sweep and keeps its results so far.
func (s *sweep) stop() {
	if s.cancel != nil {
		s.cancel()
		s.cancel = nil
		s.took += time.Since(s.begun)
	}
}

// atStake reports whether leaving the page would lose runs of more than [ui.LongWork]. Results in
// the browser's storage are not lost, but the visitor's own experiment (own) always counts as lost.
func (s *sweep) atStake(own bool, now time.Time) bool {
	took := s.took
	if s.cancel != nil {
		took += now.Sub(s.begun)
	}
	return took > ui.LongWork && (own || !s.kept)
}

type sweepState struct {
	busy              bool
	all, done, failed int
	before            int // done at the last begin
	elapsed           time.Duration
	states            []study.RunState
}

func (s *sweep) progress() sweepState {
	p := sweepState{busy: s.cancel != nil, all: s.plan.Runs(), before: s.before}
	p.done, p.failed = s.sheet.Done()
	if p.busy {
		p.elapsed = time.Since(s.begun)
	}
	if p.all <= mostSquares {
		p.states = s.sheet.States()
	}
	return p
}

// String describes the progress and, while the sweep runs, the rate and the time left.
func (p sweepState) String() string {
	text := fmt.Sprintf("%s of %s runs", ui.Count(int64(p.done)), ui.Count(int64(p.all)))
	if p.failed > 0 {
		text += fmt.Sprintf(", %s failed", ui.Count(int64(p.failed)))
	}
	if fresh := p.done - p.before; p.busy && fresh > 0 {
		each := p.elapsed / time.Duration(fresh)
		text += fmt.Sprintf(" · %s a second · %s left", ui.Number(float64(time.Second)/float64(max(1, each))), ui.Duration(each*time.Duration(p.all-p.done)))
	}
	return text
}

// run executes the runs without a result, at most workers of them at a time, until all are done or
// ctx ends. It blocks, and returns the error of the engine.
func (s *sweep) run(ctx context.Context, engine *bridge.WorkerPool, workers int) error {
	s.carrying.Lock()
	defer s.carrying.Unlock()
	if err := lab.Carry(ctx, engine, workers, s.sheet, s.known, nil); ctx.Err() == nil {
		return err
	}
	return nil
}
