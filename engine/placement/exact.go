package placement

import (
	"context"
	"math"

	"berth/engine/assign"
	"berth/engine/assign/exact"
	"berth/engine/parameter"
)

// tree is the branch and bound of package exact, beside the search of best.
type tree struct{}

var exactPlugin = Plugin{
	Name: "exact", Title: "exact",
	Description: "branch and bound: finds the cheapest placement with a proof, or why none exists",
	Improves:    true,
	UpTo:        5000, // its proofs come soon
	Pairs:       true,
	New:         func(parameter.Values) Strategy { return tree{} },
}

// exactSteps take about a minute natively, whatever the problem.
const exactSteps = 150e6

// Place implements [Strategy]. A step is one of the search of best and one of a tree: with
// as many steps it has at least what best has. The tree begins again when the search has
// taken twice as many steps, with twice as many.
func (tree) Place(ctx context.Context, p *Problem, o Options) Solution {
	alone := o
	alone.Course = nil // that would be of another strategy
	if alone.Steps == 0 && o.Enough == nil {
		alone.Steps = exactSteps
	}
	r, s := begin(ctx, p, alone)
	if r == nil {
		return s
	}
	r.trees = &trees{form: p.Assignment(), cost: math.Inf(1)}
	r.alternate(ctx, p.DefaultSteps())
	s = r.solution(ctx)
	if s.Status == Cancelled {
		if s.Until != nil {
			r.judge(s.Until)
		}
		return s
	}
	r.judge(&s)
	return s
}

// trees is what branch and bound has come to beside a search, which knows nothing of it.
type trees struct {
	form        *assign.Problem
	taken       int64 // steps
	best        []int32
	cost, bound float64
	proved      bool
}

// beside adds what the trees have found to what the search has.
func (x *trees) beside(cluster []int32, now Improvement) ([]int32, Improvement) {
	now.Steps = (now.Steps + x.taken) / 2
	now.Bound = max(now.Bound, x.bound)
	if x.cost < now.Cost {
		cluster, now.Cost = x.best, x.cost
	}
	if x.proved {
		now.Steps++ // the last step that it may take ends a tree
	}
	return cluster, now
}

// alternate searches with a number of steps and goes through a tree with half as many,
// again and again with twice as many of both.
func (r *improvement) alternate(ctx context.Context, steps int64) {
	end := 2 * r.end // of both
	for ; ; steps *= 2 {
		r.search.Run(ctx, min(steps, end-r.trees.taken), r.mayGoOn)
		if r.search.Ended() || !r.mayGoOn() || ctx.Err() != nil || r.search.Steps()+r.trees.taken >= end {
			return
		}
		if !r.tree(ctx, steps/2, end-r.search.Steps()-r.trees.taken) {
			return
		}
	}
}

// tree goes through a tree with so many steps, and stops where no more are left. It
// reports whether there is more to do.
func (r *improvement) tree(ctx context.Context, steps, left int64) bool {
	x := r.trees
	stopped, stop := context.WithCancel(ctx)
	defer stop()
	start, _ := r.now()
	before := x.taken
	t := exact.Minimize(stopped, x.form, start, steps, func(i exact.Improvement, best []int32) {
		x.taken = before + i.Steps
		if best != nil && i.Cost < x.cost {
			x.best, x.cost = best, i.Cost
		}
		x.bound = max(x.bound, i.Bound)
		r.record()
		if i.Steps >= left || !r.mayGoOn() {
			stop()
		}
	})
	x.taken = before + max(2, t.Steps)
	if t.Cluster != nil && t.Cost < x.cost {
		x.best, x.cost = t.Cluster, t.Cost
	}
	x.bound = max(x.bound, t.Bound)
	x.proved = t.Proved
	r.record()
	return !t.Proved && stopped.Err() == nil
}

// judge says what is proved of a solution, and what is not.
func (r *improvement) judge(s *Solution) {
	c := s.Certificate
	switch {
	case s.Status == Infeasible:
	case s.Complete() && (r.trees.proved || r.search.Ended()):
		c.Proved = ProvedOptimal
	default:
		s.unproved()
	}
}

// unproved says that the steps were not enough for a proof.
func (s *Solution) unproved() {
	how := NotOptimal
	if !s.Complete() {
		how = NothingFound
	}
	s.Status, s.Reason = BudgetExhausted, Ended{How: how, Steps: s.Certificate.Steps}
}
