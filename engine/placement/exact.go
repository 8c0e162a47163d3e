package placement

import (
	"cmp"
	"context"
	"fmt"
	"math"

	"berth/engine/assign/exact"
	"berth/engine/parameter"
)

// tree is the branch and bound of package exact, from what the heuristic finds.
type tree struct{}

var exactPlugin = Plugin{
	Name: "exact", Title: "exact",
	Description: "branch and bound: the cheapest placement with a proof, or why there is none",
	New:         func(parameter.Values) Strategy { return tree{} },
}

// startBudget bounds the heuristic in expansions.
const startBudget = 2000

// Place implements [Strategy].
func (tree) Place(ctx context.Context, p *Problem, o Options) Solution {
	s := heuristic{}.Place(ctx, p, Options{Phi: o.Phi, Budget: startBudget})
	if s.Status == Cancelled || s.Status == Infeasible {
		return s
	}
	s.ByPA = false
	var start []int32
	if s.Complete() {
		start = s.Cluster
	}
	a := p.Assignment()
	jobs := len(s.Order)
	r := exact.Minimize(ctx, a, start, cmp.Or(o.Steps, exactSteps(a.Jobs, a.Clusters)), func(i exact.Improvement) {
		if o.Progress != nil && !math.IsInf(i.Cost, 1) {
			o.Progress(jobs, jobs, i.Steps)
		}
	})
	s.Status, s.Reason = BudgetExhausted, ""
	s.Certificate = &Certificate{Bound: r.Bound}
	for _, i := range r.Trace {
		s.Certificate.Trace = append(s.Certificate.Trace, Improvement(i))
	}
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
		s.Status, s.Reason, s.Certificate.Proved = Infeasible, "there is no placement: all were ruled out", ProvedInfeasible
	default:
		s.Status, s.Certificate.Proved = Placed, ProvedOptimal
	}
	return s
}

// exactSteps suit a problem: they take about a minute natively.
func exactSteps(jobs, clusters int) int64 {
	return max(2000, 4e9/int64(1000+jobs*clusters))
}
