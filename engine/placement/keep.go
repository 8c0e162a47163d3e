package placement

import (
	"context"
	"math"
	"slices"
)

// Keep places a deployment that stood somewhere before with as few moves as it can:
// the least requests that move, in units of a mean cluster, and of those ways the
// one of least cost. It tries every way, the job's old cluster first, and gives up
// a branch that is no better than what it has; when the budget ends before the ways
// do, the best so far is the answer.
type Keep struct {
	Was []int32 // by job: the cluster it stood on, -1 for nowhere
	// Freely counts no moves: cost alone decides, and where the jobs stood is only
	// where to begin.
	Freely bool
	// Fixed jobs must not move, and those that stood nowhere are placed before the
	// others; nil where all may.
	Fixed []bool
}

// keepBudget bounds the expansions. Each of them may pack a cluster.
const keepBudget = 50_000

type keeping struct {
	*Attempt
	was    []int32
	fixed  []bool
	weight []float64 // by job: what moving it counts
	ctx    context.Context
	budget int64
	best   Solution
	moved  float64 // of the best
	cost   float64
	ended  bool
}

// Place implements [Strategy].
func (k Keep) Place(ctx context.Context, p *Problem, o Options) Solution {
	x := &keeping{Attempt: p.NewAttempt(k.order(p)), was: k.Was, fixed: k.Fixed, ctx: ctx, budget: keepBudget, moved: math.Inf(1)}
	if o.Budget > 0 {
		x.budget = min(x.budget, o.Budget)
	}
	for job := range p.deployment.Jobs().Len() {
		size := p.size(job)
		if k.Freely {
			size = 0
		}
		x.weight = append(x.weight, size)
	}
	x.best = Solution{Status: Infeasible, Order: x.order, Cluster: slices.Clone(x.cluster)}
	x.try(0, 0)
	switch {
	case ctx.Err() != nil:
		x.best.Status, x.best.Reason = Cancelled, context.Cause(ctx).Error()
	case x.best.Status == Placed:
	case x.ended || x.unproved:
		x.best.Status, x.best.Reason = BudgetExhausted, "no placement within the budget; there may be one"
	case k.Fixed != nil:
		x.best.Reason = "there is no placement: all ways were tried"
	default: // which job cannot be placed, the heuristic says
		x.best = heuristic{}.Place(ctx, p, o)
	}
	if x.best.Status == Placed {
		x.best.NodeCost, x.best.LinkCost = p.Costs(x.best.Cluster)
		if k.Freely && !x.ended && !x.unproved { // every way was tried
			x.best.Certificate = &Certificate{Bound: x.best.Cost() * (1 - provedOptimalWith), Proved: ProvedOptimal}
		}
	}
	x.best.Expansions, x.best.Backtracks = max(x.best.Expansions, x.expansions), max(x.best.Backtracks, x.backtracks)
	return x.best
}

// order is the heuristic's, except for what is fixed.
func (k Keep) order(p *Problem) []int32 {
	order := heuristic{}.order(p)
	if k.Fixed == nil {
		return order
	}
	turn := func(job int32) int {
		switch {
		case k.Fixed[job]:
			return 0
		case k.Was[job] < 0:
			return 1
		}
		return 2
	}
	slices.SortStableFunc(order, func(a, b int32) int { return turn(a) - turn(b) })
	return order
}

// size is what a job requests, by its largest resource, in parts of a mean cluster.
func (p *Problem) size(job int) float64 {
	var size float64
	for r := range p.demands {
		d := &p.demands[r]
		if mean := d.whole.mean(); mean > 0 {
			size = max(size, d.need[job]/mean)
		}
	}
	return size
}

func (x *keeping) try(moved, cost float64) {
	job, more := x.Job()
	if !more {
		x.best, x.moved, x.cost = x.Solution(Placed), moved, cost
		return
	}
	for _, c := range x.candidates(job) {
		next := moved
		if c.cluster != x.was[job] && x.was[job] >= 0 {
			next += x.weight[job]
		}
		total := cost + c.key
		if next > x.moved || next == x.moved && total >= x.cost {
			continue
		}
		if x.expansions >= x.budget || x.ctx.Err() != nil {
			x.ended = true
			return
		}
		if x.Put(int(c.cluster)) {
			x.try(next, total)
			x.Back()
		}
		if x.ended {
			return
		}
	}
}

// candidates returns the clusters, the old one first and the others by cost.
func (x *keeping) candidates(job int) []candidate {
	var all []candidate
	for j := range x.problem.capacity.federation.Clusters().Len() {
		if x.fixed != nil && x.fixed[job] && x.was[job] != int32(j) {
			continue
		}
		if cost := x.Cost(j); !math.IsInf(cost, 1) {
			all = append(all, candidate{cost, int32(j)})
		}
	}
	slices.SortStableFunc(all, func(a, b candidate) int {
		switch {
		case (a.cluster == x.was[job]) != (b.cluster == x.was[job]):
			if a.cluster == x.was[job] {
				return -1
			}
			return 1
		case a.precedes(b.key, b.cluster):
			return -1
		}
		return 1
	})
	return all
}
