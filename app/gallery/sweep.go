package gallery

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"berth/app/ui"
	"berth/engine/scenario"
	"berth/engine/study"
	"berth/wasm/bridge"
)

// state is that of a run.
type state byte

const (
	waiting state = iota
	running
	done
	failed
)

// sweep is an experiment with what its runs have come to. Its methods may be called
// from any goroutine.
type sweep struct {
	experiment scenario.Scenario
	plan       *study.Plan

	mu     sync.Mutex
	sheet  *study.Sheet
	states []state
	first  int                // no run before it waits
	known  *results           // of runs, whichever experiment they are of
	own    []string           // hashes of the runs that have a result
	cancel context.CancelFunc // nil while nothing runs
	begun  time.Time
	took   time.Duration // of what was begun before
	kept   bool          // the browser has all results
	before int           // runs that were done when it began
	done   int
	failed int
	broken error // the engine failed
}

// newSweep plans an experiment.
func newSweep(s scenario.Scenario, known *results) (*sweep, error) {
	plan, err := study.NewPlan(study.Of(s))
	if err != nil {
		return nil, err
	}
	return &sweep{
		experiment: s, plan: plan, sheet: plan.NewSheet(),
		states: make([]state, plan.Runs()), known: known,
	}, nil
}

// begin has the runs carried out until stop; it reports false if they are already.
func (s *sweep) begin(ctx context.Context) (context.Context, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.cancel != nil {
		return nil, false
	}
	ctx, s.cancel = context.WithCancel(ctx)
	s.begun, s.before, s.first, s.broken, s.kept = time.Now(), s.done, 0, nil, false
	return ctx, true
}

// stop ends a sweep; what is done stays.
func (s *sweep) stop() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.cancel != nil {
		s.cancel()
		s.cancel = nil
		s.took += time.Since(s.begun)
	}
}

// atStake says that runs of more than [ui.LongWork] would be lost with the page. What
// the browser keeps is not, unless it belongs to an experiment that is kept nowhere.
func (s *sweep) atStake(own bool, now time.Time) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	took := s.took
	if s.cancel != nil {
		took += now.Sub(s.begun)
	}
	return took > ui.LongWork && (own || !s.kept)
}

// keep says that the browser has all results.
func (s *sweep) keep() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.kept = true
}

// progress is how far a sweep is.
type progress struct {
	busy              bool
	all, done, failed int
	before            int // done when it began
	elapsed           time.Duration
	states            []state
	broken            error
}

func (s *sweep) progress() progress {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := progress{busy: s.cancel != nil, all: len(s.states), done: s.done, failed: s.failed, before: s.before, broken: s.broken}
	if p.busy {
		p.elapsed = time.Since(s.begun)
	}
	if p.all <= mostSquares {
		p.states = slices.Clone(s.states)
	}
	return p
}

// String says how far it is, with rate and time left while it goes on.
func (p progress) String() string {
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

// run carries the runs out that have no result yet, so many at a time, until all
// are done or ctx ends. It blocks.
func (s *sweep) run(ctx context.Context, engine *bridge.Pool, workers int) {
	var group sync.WaitGroup
	for range workers {
		group.Go(func() {
			for s.next(ctx, engine) {
			}
		})
	}
	group.Wait()
}

// next carries out the first run that no one has begun, and reports false if there
// is none.
func (s *sweep) next(ctx context.Context, engine *bridge.Pool) bool {
	i, run, hash, ok := s.take(ctx)
	if !ok {
		return false
	}
	result, err := bridge.AskTool(ctx, engine, study.RunQuestion, string(scenario.Encode(run.Scenario)), nil)
	s.mu.Lock()
	defer s.mu.Unlock()
	if err != nil {
		s.states[i], s.first = waiting, min(s.first, i)
		if ctx.Err() == nil {
			s.broken = err
			if s.cancel != nil {
				s.cancel()
			}
		}
		return false
	}
	s.add(i, hash, result)
	return true
}

// take chooses the first run that waits. Those whose result is known are done at
// once.
func (s *sweep) take(ctx context.Context) (i int, run study.Run, hash string, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for ; s.first < len(s.states) && ctx.Err() == nil; s.first++ {
		i := s.first
		if s.states[i] != waiting {
			continue
		}
		run = s.plan.Run(i)
		if run.Err != nil {
			s.add(i, "", study.Failed(study.Name, run.Err))
			continue
		}
		hash = run.Scenario.Hash()
		if known := s.known.of(hash); known != nil && s.plan.Covers(known) {
			s.add(i, hash, known)
			continue
		}
		s.states[i] = running
		return i, run, hash, true
	}
	return 0, run, "", false
}

func (s *sweep) add(i int, hash string, r *study.Result) {
	s.sheet.Add(i, hash, r)
	s.states[i] = done
	s.done++
	if r.Error != "" {
		s.states[i] = failed
		s.failed++
		return
	}
	s.known.keep(hash, r)
	s.own = append(s.own, hash)
}

// report returns what may be concluded from the runs that are done.
func (s *sweep) report() *study.Report {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.sheet.Report()
}

// hashes returns those of the runs that have a result.
func (s *sweep) hashes() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.own)
}

// runOf returns the run of a cell with the first seed.
func (s *sweep) runOf(cell int) study.Run {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.plan.Run(cell)
}

// begunBefore says whether the result of the first run is known, which comes before
// those of the others.
func (s *sweep) begunBefore() bool {
	run := s.runOf(0)
	return run.Err == nil && s.known.of(run.Scenario.Hash()) != nil
}
