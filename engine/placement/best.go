package placement

import (
	"context"
	"math"
	"slices"

	"berth/engine/parameter"
	"berth/engine/solve/exact"
	"berth/engine/solve/improve"
)

// onward improves the heuristic's placement, or its partial attempt, with the local search of
// package improve. With tree it also runs the branch and bound of package exact.
type onward struct{ tree bool }

var bestPlugin = Plugin{
	Name: "best", Was: "anytime", Title: "best", Description: "starts from the heuristic's placement and searches until it is proved optimal, stopped or out of steps; without prices it spreads the load",
	Facts: Facts{Improves: true, Pairs: true},
	New:   func(parameter.Values) Strategy { return onward{} },
}

var exactPlugin = Plugin{
	Name: "exact", Title: "exact", Description: "branch and bound: finds the cheapest placement with a proof, or why none exists",
	Facts: Facts{Improves: true, UpTo: 5000, Pairs: true}, // branch and bound seldom finds a proof with more jobs × clusters
	New:   func(parameter.Values) Strategy { return onward{tree: true} },
}

const (
	firstExpansions = 5000    // limit of the heuristic that provides the start
	smallCells      = 5000    // up to this many jobs × clusters, DefaultSteps includes time for a proof
	treeSteps       = 150e6   // default with a tree: about a minute natively
	turnsOfDefault  = 32      // turns of search and tree within DefaultSteps
	betweenLooks    = 2000    // tree steps between two checks of steps, context and Enough
	endless         = 1 << 60 // more steps than any search takes
)

// DefaultSteps returns the default number of steps of strategy best: one to two seconds natively
// for 200 jobs and 500 clusters.
func (p *Problem) DefaultSteps() int64 {
	form := p.Assignment()
	unit := improve.Unit(form.Jobs, form.Clusters)
	if form.Links.Pair != nil || form.Jobs*form.Clusters <= smallCells {
		return unit + unit/2 + 5e6
	}
	return unit
}

// Place implements [Strategy].
func (w onward) Place(ctx context.Context, p *Problem, o Options) Solution {
	o.log = nil
	if r := o.Paused.resume(o); r != nil {
		return r.place(ctx)
	}
	if !w.tree && !p.Priced() { // all placements cost the same
		if s := spread.Place(ctx, p, o); s.Complete() {
			return s
		}
	}
	first := o
	first.Budget = firstExpansions
	if o.Budget > 0 {
		first.Budget = min(firstExpansions, o.Budget)
	}
	s := heuristic{}.Place(ctx, p, first)
	s.ByPA = false
	if s.Status == Infeasible || s.Status == Cancelled || len(s.Order) == 0 {
		return s
	}
	r := w.begin(p, o, s)
	if o.Paused != nil && !w.tree {
		o.Paused.search = r
	}
	return r.place(ctx)
}

// resume returns the paused search with the new options. It returns nil if there is none, if it has
// a proof, or if o requests no more steps.
func (p *Paused) resume(o Options) *improvement {
	if !p.Begun() || o.Steps <= p.search.steps() || p.search.proved() {
		return nil
	}
	r := p.search
	r.options, r.end = o, o.Steps
	return r
}

func (r *improvement) place(ctx context.Context) Solution {
	r.run(ctx)
	s := r.solution()
	if ctx.Err() != nil {
		return s.cancelled(ctx)
	}
	return s
}

// improvement is a running search. With a tree, a step is one step of the search and one of the
// tree, so the same number of steps finds at least the result of strategy best.
type improvement struct {
	problem *Problem
	options Options
	start   Solution
	search  *improve.Search
	tree    *exact.Tree // nil unless [onward.tree]
	end     int64       // in steps
	trace   []Improvement
}

func (w onward) begin(p *Problem, o Options, start Solution) *improvement {
	r := &improvement{problem: p, options: o, start: start, end: o.Steps}
	switch {
	case r.end > 0:
	case o.Enough != nil:
		r.end = endless
	case w.tree:
		r.end = treeSteps
	default:
		r.end = p.DefaultSteps()
	}
	r.search = improve.New(p.Assignment(), start.Cluster, o.Seed, r.record)
	if w.tree {
		r.tree = exact.NewTree(p.Assignment(), nil)
	}
	r.record()
	return r
}

// run alternates between the search and the tree. Each turn starts from the best placement of both.
// The tree never takes more steps than the search.
func (r *improvement) run(ctx context.Context) {
	mayGoOn := func() bool { return r.options.Enough == nil || !r.options.Enough() }
	if r.tree == nil {
		r.search.Run(ctx, r.end, mayGoOn)
		return
	}
	goOn := func() bool {
		return !r.proved() && r.steps() < r.end && ctx.Err() == nil && mayGoOn()
	}
	turn := r.problem.DefaultSteps() / turnsOfDefault
	for until := turn; goOn(); until += turn {
		r.search.Run(ctx, min(until, 2*r.end-r.tree.Result().Steps), mayGoOn)
		r.tree.Offer(r.search.Best())
		for steps := r.tree.Result().Steps; goOn() && steps+betweenLooks <= r.search.Steps(); steps = r.tree.Result().Steps {
			r.tree.Run(steps + betweenLooks)
			r.record()
		}
	}
}

func (r *improvement) proved() bool {
	return r.search.Ended() || r.tree != nil && r.tree.Result().Proved
}

func (r *improvement) steps() int64 {
	steps := r.search.Steps()
	if r.tree != nil {
		steps = (steps + r.tree.Result().Steps) / 2
	}
	return min(r.end, steps)
}

// reached returns the best placement so far (nil if none), its cost and the bound.
func (r *improvement) reached() ([]int32, Improvement) {
	cluster, cost := r.search.Best()
	now := Improvement{Steps: r.steps(), Cost: cost, Bound: r.search.Bound(), Broken: r.search.Broken()}
	if r.tree != nil {
		t := r.tree.Result()
		if t.Cost < now.Cost {
			cluster, now.Cost = t.Cluster, t.Cost
		}
		now.Bound = max(now.Bound, t.Bound)
	}
	return cluster, now
}

// record adds a point to the trace if the cost or the bound is better than before.
func (r *improvement) record() {
	cluster, now := r.reached()
	if tell := r.options.Reached; tell != nil {
		tell(now, cluster)
	}
	if tell := r.options.Progress; tell != nil {
		jobs := len(r.start.Order)
		tell(int(float64(jobs)*min(1, float64(now.Steps)/float64(r.end))), jobs, r.start.Expansions)
	}
	if n := len(r.trace); n > 0 && r.trace[n-1].Cost == now.Cost && now.Bound-r.trace[n-1].Bound <= 1e-6*now.Bound {
		return
	}
	r.trace = append(r.trace, now)
}

// solution returns the best placement so far with its certificate. With a tree and no proof, the
// status is BudgetExhausted even if a placement was found.
func (r *improvement) solution() Solution {
	s := r.start
	cluster, now := r.reached()
	if cluster != nil {
		if node, link := r.problem.Costs(cluster); s.Status != Placed || node+link < s.Cost() {
			s.Status, s.Reason, s.Cluster, s.NodeCost, s.LinkCost = Placed, nil, slices.Clone(cluster), node, link
		}
	}
	s.Certificate = &Certificate{Bound: now.Bound, Steps: now.Steps, Trace: slices.Clone(r.trace)}
	switch placed := s.Status == Placed; {
	case !placed && math.IsInf(now.Bound, 1):
		s.Status, s.Certificate = Infeasible, noPlacement()
		s.Certificate.Steps = now.Steps
		s.Reason = because(allRuledOut)
		if r.search.Refused() {
			s.Reason = because(jobRefused)
		}
	case r.tree == nil && !placed:
		s.Reason = because(outOfSteps, s.Expansions, now.Steps)
	case r.tree == nil:
	case placed && r.proved():
		s.Certificate.Proved = ProvedOptimal
	case placed:
		s.Status, s.Reason = BudgetExhausted, because(notOptimal, now.Steps)
	default:
		s.Status, s.Reason = BudgetExhausted, because(nothingFound, now.Steps)
	}
	return s
}
