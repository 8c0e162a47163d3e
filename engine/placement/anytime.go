package placement

import (
	"context"
	"math"
	"slices"

	"berth/engine/assign"
	"berth/engine/parameter"
)

// anytime improves what the heuristic finds, or repairs what it leaves, as package
// assign does, until the bound proves it or the steps are used up.
type anytime struct{}

var anytimePlugin = Plugin{
	Name: "anytime", Title: "anytime",
	Description: "improves the heuristic's placement step by step, until it is proved optimal, stopped or out of steps",
	Improves:    true,
	Pairs:       true,
	New:         func(parameter.Values) Strategy { return anytime{} },
}

const (
	firstExpansions = 100_000 // of the heuristic that it begins with, at most
	cellsPerStep    = 100     // of a bound: both take about as long
	mostSteps       = 40e6    // by default, unless a first round takes more
	portions        = 64      // of a default run, between which it looks up
)

// DefaultSteps is how many steps anytime does by default: about a second's for 200
// jobs on 500 clusters.
func DefaultSteps(jobs, clusters int) int64 {
	unit := assign.Unit(jobs, clusters)
	return max(unit+unit/4, min(8*unit, mostSteps))
}

// Place implements [Strategy].
func (anytime) Place(ctx context.Context, p *Problem, o Options) Solution {
	if r := o.Course.resumed(o); r != nil {
		r.run(ctx)
		if r.cut {
			o.Course.improvement = nil
		}
		return r.solution(ctx)
	}
	first := o
	first.Budget = min(firstExpansions, DefaultBudget)
	if o.Budget > 0 {
		first.Budget = min(first.Budget, o.Budget)
	}
	s := heuristic{}.Place(ctx, p, first)
	s.ByPA = false
	if s.Status == Infeasible || s.Status == Cancelled || len(s.Order) == 0 {
		return s
	}
	r := newImprovement(p, o, s)
	r.run(ctx)
	if o.Course != nil && !r.cut {
		o.Course.improvement = r
	}
	return r.solution(ctx)
}

// resumed returns what goes on with more steps, nil if nothing does.
func (c *Course) resumed(o Options) *improvement {
	if c == nil || c.improvement == nil {
		return nil
	}
	r := c.improvement
	if o.Steps <= r.steps || r.search == nil || r.proved() {
		return nil
	}
	r.options, r.end = o, o.Steps
	return r
}

// improvement is a run of anytime.
type improvement struct {
	problem  *Problem
	form     *assign.Problem
	options  Options
	start    Solution
	cost     float64 // of the best placement, +Inf without one
	bounder  *assign.Bounder
	search   *assign.Search // nil until the prices are there
	steps    int64          // done
	end      int64
	standard int64 // by default
	tight    bool  // the bound was tightened
	cut      bool  // stopped between checkpoints, or before the prices were known; cannot resume
	trace    []Improvement
}

func newImprovement(p *Problem, o Options, start Solution) *improvement {
	r := &improvement{problem: p, form: p.Assignment(), options: o, start: start, cost: math.Inf(1)}
	r.standard = DefaultSteps(r.form.Jobs, r.form.Clusters)
	r.end = o.Steps
	if r.end == 0 {
		r.end = r.standard
	}
	if start.Status == Placed {
		r.cost = start.Cost()
	}
	r.bounder = assign.NewBounder(r.form)
	return r
}

// run first finds prices, then searches at them.
func (r *improvement) run(ctx context.Context) {
	cells := 1 + int64(r.form.Jobs)*int64(r.form.Clusters)/cellsPerStep
	for r.search == nil && (r.steps == 0 || r.steps < min(r.end, r.standard/4) && !r.bounder.Settled()) {
		r.bounder.Step()
		r.steps += cells
		r.record()
		if r.done(ctx) {
			return
		}
	}
	if math.IsInf(r.bounder.Bound(), 1) {
		return
	}
	if r.search == nil {
		r.cut = r.steps < r.standard/4 && !r.bounder.Settled()
		r.search = assign.NewSearch(r.bounder, r.start.Cluster, r.options.Seed)
	}
	portion := 1 + r.standard/portions
	for r.steps < r.end {
		if !r.tight && r.steps >= r.standard/2 {
			worked, ok := r.bounder.Tighten(r.standard/8*3*cellsPerStep, func() bool { return !r.done(ctx) })
			if !ok {
				return // as if that had not begun
			}
			r.tight = true
			r.steps += worked / cellsPerStep
		}
		now := min(portion, max(0, r.end-r.steps))
		r.cut = now < portion
		r.search.Run(now)
		r.steps += now
		r.record()
		if r.done(ctx) {
			return
		}
	}
}

// record notes the best placement and the best bound, if either is better.
func (r *improvement) record() {
	if r.search != nil {
		if _, cost := r.search.Best(); cost < r.cost {
			r.cost = cost
		}
	}
	now := Improvement{Steps: r.steps, Cost: r.cost, Bound: r.bound()}
	if n := len(r.trace); n > 0 && r.trace[n-1].Cost == now.Cost && now.Bound-r.trace[n-1].Bound <= 1e-6*now.Bound {
		return
	}
	r.trace = append(r.trace, now)
}

// best is the best placement so far, nil without one.
func (r *improvement) best() []int32 {
	if r.search != nil {
		if found, cost := r.search.Best(); cost <= r.cost {
			return found
		}
	}
	if r.start.Status == Placed {
		return r.start.Cluster
	}
	return nil
}

func (r *improvement) bound() float64 { return max(0, r.bounder.Bound()) }

func (r *improvement) done(ctx context.Context) bool {
	if tell := r.options.Reached; tell != nil {
		tell(Improvement{r.steps, r.cost, r.bound()}, r.best())
	}
	if tell := r.options.Progress; tell != nil {
		jobs := r.form.Jobs
		tell(int(float64(jobs)*min(1, float64(r.steps)/float64(r.end))), jobs, r.start.Expansions)
	}
	return ctx.Err() != nil || r.proved()
}

func (r *improvement) proved() bool {
	return !math.IsInf(r.cost, 1) && r.cost-r.bound() <= provedOptimalWith*r.cost
}

func (r *improvement) solution(ctx context.Context) Solution {
	s := r.start
	if r.search != nil {
		if best, _ := r.search.Best(); best != nil && r.form.Check(best) == nil {
			best = slices.Clone(best) // the search may go on
			if node, link := r.problem.Costs(best); s.Status != Placed || node+link < s.Cost() {
				s.Status, s.Reason, s.Cluster, s.NodeCost, s.LinkCost = Placed, nil, best, node, link
			}
		}
	}
	s.Certificate = &Certificate{Bound: r.bound(), Steps: r.steps, Trace: slices.Clone(r.trace)}
	switch {
	case s.Status != Placed && math.IsInf(r.bound(), 1):
		s.Status, s.Certificate = Infeasible, noPlacement()
		s.Reason = Ended{How: JobRefused}
	case s.Status != Placed:
		s.Reason = Ended{OutOfSteps, r.steps, s.Expansions}
	}
	if ctx.Err() != nil {
		return s.cancelled(ctx)
	}
	return s
}
