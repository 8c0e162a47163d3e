package placement

import (
	"cmp"
	"context"

	"berth/engine/assign/exact"
	"berth/engine/parameter"
)

// tree is the branch and bound of package exact, from what anytime finds.
type tree struct{}

var exactPlugin = Plugin{
	Name: "exact", Title: "exact",
	Description: "branch and bound: finds the cheapest placement with a proof, or why none exists",
	Improves:    true,
	UpTo:        5000, // its proofs come soon
	Pairs:       true,
	New:         func(parameter.Values) Strategy { return tree{} },
}

// startBudget bounds the heuristic that it all begins with, in expansions.
const startBudget = 2000

// Place implements [Strategy].
func (tree) Place(ctx context.Context, p *Problem, o Options) Solution {
	standard := p.DefaultSteps()
	first := o
	first.Course = nil // that would be of another strategy
	first.Budget = min(startBudget, cmp.Or(o.Budget, DefaultBudget))
	first.Steps = min(cmp.Or(o.Steps, standard), standard)
	s := best{}.Place(ctx, p, first)
	if s.Status == Cancelled {
		if s.Until != nil {
			s.Until.unproved()
		}
		return s
	}
	p.Certify(ctx, &s)
	if s.Certificate.Proved != NoProof {
		return s
	}
	steps := int64(exactSteps)
	if o.Steps > 0 {
		steps = o.Steps - s.Certificate.Steps
	}
	return s.further(ctx, p, o, steps)
}

// further goes on from what anytime found, with so many steps.
func (s Solution) further(ctx context.Context, p *Problem, o Options, steps int64) Solution {
	c := s.Certificate
	before, bound, jobs := c.Steps, c.Bound, len(s.Order)
	var start []int32
	if s.Complete() {
		start = s.Cluster
	}
	s.unproved()
	if steps <= 0 {
		return s
	}
	r := exact.Minimize(ctx, p.Assignment(), start, steps, func(i exact.Improvement, best []int32) {
		if o.Reached != nil {
			o.Reached(Improvement{before + i.Steps, i.Cost, max(bound, i.Bound)}, best)
		}
		if o.Progress != nil && best != nil {
			o.Progress(jobs, jobs, i.Steps)
		} else if o.Progress != nil {
			o.Progress(0, jobs, i.Steps)
		}
	})
	for _, i := range r.Trace {
		c.Trace = append(c.Trace, Improvement{before + i.Steps, i.Cost, max(bound, i.Bound)})
	}
	c.Steps, c.Bound = before+r.Steps, max(bound, r.Bound)
	if r.Cluster != nil {
		s.Cluster = r.Cluster
		s.NodeCost, s.LinkCost = p.Costs(s.Cluster)
	}
	s.unproved()
	switch {
	case ctx.Err() != nil && start == nil:
		s.Status, s.Reason = Cancelled, Stopped{context.Cause(ctx)} // how it looks for a first placement depends on all steps
	case ctx.Err() != nil:
		return s.cancelled(ctx)
	case r.Proved:
		c.Steps++ // the last step that it may take ends a search
		s.Status, s.Reason, c.Proved = Placed, nil, ProvedOptimal
		if r.Cluster == nil {
			s.Status, s.Reason, c.Proved = Infeasible, Ended{How: AllRuledOut}, ProvedInfeasible
		}
	}
	return s
}

// unproved says that the steps were not enough for a proof.
func (s *Solution) unproved() {
	how := NotOptimal
	if !s.Complete() {
		how = NothingFound
	}
	s.Status, s.Reason = BudgetExhausted, Ended{How: how, Steps: s.Certificate.Steps}
}

// exactSteps take about a minute natively, whatever the problem.
const exactSteps = 300e6
