package placement

import (
	"context"

	"berth/engine/parameter"
	"berth/engine/solve/exact"
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
// as many steps it has at least what best has.
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
	r.tree = exact.NewTree(p.Assignment(), nil)
	r.alternate(ctx, p.DefaultSteps()/turnsOfDefault)
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

// turnsOfDefault is how many turns are as long as a default run of best.
const turnsOfDefault = 32

// betweenLooks is how many steps a tree takes between two questions whether to go on.
const betweenLooks = 2000

// alternate lets the search and the tree take turns of so many steps, each with the best
// placement of the other. The tree never has more steps than the search.
func (r *improvement) alternate(ctx context.Context, turn int64) {
	goOn := func() bool {
		return !r.search.Ended() && !r.tree.Result().Proved && r.taken() < r.end && ctx.Err() == nil && r.mayGoOn()
	}
	for until := turn; goOn(); until += turn {
		r.search.Turn(ctx, until, 2*r.end-r.tree.Result().Steps, r.mayGoOn)
		r.tree.Offer(r.search.Best())
		for steps := r.tree.Result().Steps; goOn() && steps+betweenLooks <= r.search.Steps(); steps = r.tree.Result().Steps {
			r.tree.Run(steps + betweenLooks)
			r.record()
		}
	}
}

// taken is how many steps were done, of those that may be.
func (r *improvement) taken() int64 {
	if r.tree == nil {
		return r.search.Steps()
	}
	return min(r.end, (r.search.Steps()+r.tree.Result().Steps)/2)
}

// beside adds what a tree has found to what the search has.
func beside(t exact.Result, cluster []int32, now Improvement) ([]int32, Improvement) {
	if t.Cost < now.Cost {
		cluster, now.Cost = t.Cluster, t.Cost
	}
	now.Bound = max(now.Bound, t.Bound)
	return cluster, now
}

// judge says what is proved of a solution, and what is not.
func (r *improvement) judge(s *Solution) {
	c := s.Certificate
	switch {
	case s.Status == Infeasible:
	case s.Complete() && (r.tree.Result().Proved || r.search.Ended()):
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
