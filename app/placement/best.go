package placement

import (
	"context"
	"slices"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"berth/app/lab"
	"berth/engine/placement"
	"berth/engine/placement/placementkind"
	"berth/engine/scenario"
	"berth/wasm/bridge"
)

// bestName is the strategy whose placement is shown with every result.
var bestName = placement.Sought()

const (
	// tellEvery is how often the headline says at most how far the search is.
	tellEvery = 500 * time.Millisecond
	// mostSought is of how many jobs × clusters the best is sought unasked.
	mostSought = 1_000_000
	// mostSoughtBytes is how large inputs may be for that: another worker reads them, too.
	mostSoughtBytes = 16 << 20
)

// seek is the search for the best placement of a result. It runs by itself in another
// worker, changes no inputs, and ends when other inputs run.
type seek struct {
	cancel func()         // nil before it has begun
	over   bool           // it has ended, with a result or without
	run    *bridge.Result // nil without one

	reached placementkind.Reached // as the headline says it
	told    time.Time             // when it was said; zero before anything was
}

// wantsBest reports whether the best placement is sought beside a result: none of its
// strategies searches for it, and there is something to find.
func (v *View) wantsBest(r *result) bool {
	first, o := r.report(0), &r.Inputs.options
	switch {
	case first == nil || r.first.Report.Partial || r.jobs() == 0:
		return false
	case r.jobs()*r.body().Federation.Clusters > mostSought || v.Size(r.Inputs) > mostSoughtBytes:
		return false
	case o.Keep: // the strategies move as few jobs as they can, at any cost
		return !r.priceless()
	case slices.ContainsFunc(o.Strategies, func(s placementkind.StrategyRun) bool { p, _ := placement.Lookup(s.Name); return p.Sought }):
		return false
	case improves(o.Strategies[0].Name) || proved(first):
		return false
	}
	return !r.priceless() || !complete(first)
}

// seekBest begins the search for the best placement of the shown result, once it rests.
func (v *View) seekBest() {
	r := v.result
	if r.best != nil && (r.best.over || r.best.cancel != nil) || !v.wantsBest(r) {
		return
	}
	s := &seek{}
	r.best = s
	rest := v.Rest / 2 // while a slider moves, each result gives way to the next one
	if !v.sought {     // the page waits for it
		rest = 0
	}
	v.sought = true
	v.Page.After(rest, func(app.Context) {
		if v.result == r && r.best == s && !s.over {
			v.search(r, s)
		}
	})
}

// search runs the strategy best on the inputs of a result.
func (v *View) search(r *result, s *seek) {
	in := r.Inputs.Clone()
	in.options.Strategies = []placementkind.StrategyRun{{Name: bestName}}
	in.options.Keep, in.options.Pareto, in.after = false, nil, ""
	input := in.Input()
	input.Joined = true        // its report is shown beside another one
	input.Apart = r.first.Hash // whose worker compares the strategies and answers questions
	input.Asked = []bridge.Asked{bridge.Together(placementkind.SensitivityQuestion, struct{}{})}
	ctx, cancel := context.WithCancel(v.Page)
	s.cancel = cancel
	var run *bridge.Result
	var matters []placementkind.Sensitivity
	var err error
	v.Later(func() {
		run, err = v.Engine.Run(ctx, input, func(at scenario.Progress) {
			v.Later(func() {}, func() { v.hearBest(r, s, at) })
		})
		if err == nil && !run.Report.Partial {
			matters, _ = bridge.Ask(ctx, v.Engine, run, placementkind.SensitivityQuestion, struct{}{}) // without them there are other dials
		}
	}, func() {
		cancel()
		if r.best != s || s.over {
			return
		}
		s.over = true
		if err == nil && !run.Report.Partial {
			s.run = run
			v.sensitive.hear(r.Inputs, matters)
		}
		if v.result == r {
			v.Tell()
		}
	})
}

// hearBest notes how far the search is, at times.
func (v *View) hearBest(r *result, s *seek, at scenario.Progress) {
	var reached placementkind.Reached
	if s.over || v.result != r || at.Interim == nil || time.Since(s.told) < tellEvery || at.Interim.Decode(&reached) != nil {
		return
	}
	s.reached, s.told = reached, time.Now()
}

// leaveBest ends the search of a result that other inputs follow. It may begin again if
// the result is shown once more.
func (v *View) leaveBest() {
	if v.result == nil || v.result.best == nil || v.result.best.over {
		return
	}
	s := v.result.best
	v.result.best, s.over = nil, true
	if s.cancel != nil {
		s.cancel()
	}
}

// foundBefore is the search for the best placement of the result on screen where b repeats
// its run; nil where that search found nothing, or there is none.
func (v *View) foundBefore(b *lab.Batch[*inputs]) *seek {
	if v.result == nil || v.result.found() == nil || !v.result.Inputs.SameWork(b.Inputs) {
		return nil
	}
	return v.result.best
}

// seeks reports whether the best placement is being sought.
func (r *result) seeks() bool { return r.best != nil && !r.best.over }

// found is what the search for the best came to, nil if it has come to nothing yet.
func (r *result) found() *placementkind.StrategyReport {
	if r.best == nil || r.best.run == nil {
		return nil
	}
	return &placementkind.ReportOf(r.best.run.Report).Strategies[0]
}

// strategies are those of the inputs and, behind them, the one that seeks the best.
func (r *result) strategies() []placementkind.StrategyRun {
	all := r.Inputs.options.Strategies
	if r.best != nil {
		all = append(slices.Clip(all), placementkind.StrategyRun{Name: bestName})
	}
	return all
}

// cheapest is the strategy whose first seed placed everything for the lowest cost, or, where
// none placed everything, the one that placed the most jobs; -1 before any has run.
func (r *result) cheapest() int {
	best := -1
	for i := range r.strategies() {
		if s := r.report(i); s != nil && (best < 0 || better(s, r.report(best), r)) {
			best = i
		}
	}
	return best
}

func better(a, b *placementkind.StrategyReport, r *result) bool {
	if x, y := r.placedJobs(a), r.placedJobs(b); x != y {
		return x > y
	}
	return float64(a.Total.Total) < float64(b.Total.Total)
}

// placedJobs is how many jobs a strategy placed with its first seed.
func (r *result) placedJobs(s *placementkind.StrategyReport) int {
	n := 0
	for i := range s.Deployments {
		if s.Deployments[i].Placed() {
			n += r.deployments()[i].Jobs
		}
	}
	return n
}

// refuted is the report that proves that what the shown strategy has not placed cannot be
// placed; the strategy's own if none does.
func (v *View) refuted() *placementkind.StrategyReport {
	s, found := v.result.report(v.shown), v.result.found()
	if s != nil && found != nil && !complete(s) && s.Deployments[0].Proved == placement.NoProof && found.Deployments[0].Proved == placement.ProvedInfeasible {
		return found
	}
	return s
}
