package placement

import (
	"cmp"
	"context"
	"fmt"
	"math"

	"berth/engine/assign/exact"
	"berth/engine/parameter"
)

// tree is the branch and bound of package exact, from what anytime finds.
type tree struct{}

var exactPlugin = Plugin{
	Name: "exact", Title: "exact",
	Description: "branch and bound: the cheapest placement with a proof, or why there is none",
	New:         func(parameter.Values) Strategy { return tree{} },
}

// startBudget bounds the heuristic that it all begins with, in expansions.
const startBudget = 2000

// Place implements [Strategy].
func (tree) Place(ctx context.Context, p *Problem, o Options) Solution {
	first := o
	first.Budget = min(startBudget, cmp.Or(o.Budget, DefaultBudget))
	s := anytime{}.Place(ctx, p, first)
	if p.Certify(ctx, &s); s.Status == Cancelled || s.Certificate.Proved != NoProof {
		return s
	}
	var start []int32
	if s.Complete() {
		start = s.Cluster
	}
	var before int64
	if n := len(s.Certificate.Trace); n > 0 {
		before = s.Certificate.Trace[n-1].Steps
	}
	a := p.Assignment()
	jobs := len(s.Order)
	r := exact.Minimize(ctx, a, start, cmp.Or(o.Steps, exactSteps(a.Jobs, a.Clusters)), func(i exact.Improvement) {
		if o.Progress != nil && !math.IsInf(i.Cost, 1) {
			o.Progress(jobs, jobs, i.Steps)
		}
	})
	s.Status, s.Reason = BudgetExhausted, ""
	c := s.Certificate
	for _, i := range r.Trace {
		c.Trace = append(c.Trace, Improvement{before + i.Steps, i.Cost, max(c.Bound, i.Bound)})
	}
	c.Bound = max(c.Bound, r.Bound)
	if r.Cluster != nil {
		s.Cluster = r.Cluster
		s.NodeCost, s.LinkCost = p.Costs(s.Cluster)
	}
	switch {
	case ctx.Err() != nil:
		s.Status, s.Reason = Cancelled, context.Cause(ctx).Error()
	case !r.Proved && r.Cluster != nil:
		s.Reason = fmt.Sprintf("not proved to be the cheapest in %d steps", r.Steps)
	case !r.Proved:
		s.Reason = fmt.Sprintf("neither a placement nor a proof that there is none in %d steps", r.Steps)
	case r.Cluster == nil:
		s.Status, s.Reason, c.Proved = Infeasible, "there is no placement: all were ruled out", ProvedInfeasible
	default:
		s.Status, c.Proved = Placed, ProvedOptimal
	}
	return s
}

// exactSteps suit a problem: they take about a minute natively.
func exactSteps(jobs, clusters int) int64 {
	return max(2000, 4e9/int64(1000+jobs*clusters))
}
