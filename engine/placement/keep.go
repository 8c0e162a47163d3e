package placement

import (
	"cmp"
	"context"
	"math"
	"slices"
)

// Keep places a deployment again with as few moves as possible: it minimizes the requests of the
// jobs that move (see [Problem.Request]), then the cost. It tries each job's old cluster first and
// prunes branches that cannot beat the best placement. If the budget ends first, it returns the
// best placement so far.
type Keep struct {
	Was []int32 // by job: its old cluster, -1 if it had none
	// Freely ignores moves: only cost decides, and the old clusters are merely tried first.
	Freely bool
	// Fixed marks the jobs that must not move. They are placed first, then the jobs without an old
	// cluster, then the others. nil lets all jobs move.
	Fixed []bool
}

// keepBudget limits the expansions. It is low because each may pack the nodes of a cluster.
const keepBudget = 50_000

// keeping is a run of Keep: a branch and bound over all placements that may beat the best.
type keeping struct {
	Keep
	ctx         context.Context
	budget      int64   // largest number of jobs put
	levels      []level // by depth
	best        Solution
	moved, cost float64 // of the best placement
	ended       bool    // stopped by the budget or the context
}

// level is the state of the search at one depth.
type level struct {
	moved, cost float64     // of the jobs above this depth
	left        []candidate // clusters left to try for its job
}

// Place implements [Strategy].
func (k Keep) Place(ctx context.Context, p *Problem, o Options) Solution {
	x := &keeping{Keep: k, ctx: ctx, budget: keepBudget, moved: math.Inf(1)}
	if o.Budget > 0 {
		x.budget = min(x.budget, o.Budget)
	}
	s := newSearch(p, x, Options{Budget: math.MaxInt64})
	x.levels, s.found = make([]level, len(s.order)+1), func() { x.found(s) }
	x.best = Solution{Status: Infeasible, Order: s.order, Cluster: slices.Clone(s.cluster)}
	s.run(ctx)
	complete := !x.ended && !s.unproved
	switch {
	case ctx.Err() != nil:
		x.best.Status, x.best.Reason = Cancelled, Stopped{context.Cause(ctx)}
	case x.best.Status == Placed && k.Freely && complete:
		x.best.Certificate = &Certificate{Bound: x.best.Cost() * (1 - provedOptimalWith), Proved: ProvedOptimal}
	case x.best.Status == Placed:
	case !complete:
		x.best.Status, x.best.Reason = BudgetExhausted, because(outOfBudget)
	case k.Fixed != nil:
		x.best.Reason = because(allTried)
	default: // the heuristic finds which job cannot be placed
		x.best = heuristic{}.Place(ctx, p, o)
	}
	x.best.Expansions, x.best.Backtracks = max(x.best.Expansions, s.puts()), max(x.best.Backtracks, s.backtracks)
	return x.best
}

// order is SJ; with Fixed, fixed jobs come first and new jobs second.
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

// next returns the next cluster for the current job. It skips clusters that cannot beat the best
// placement.
func (x *keeping) next(s *search, after candidate) candidate {
	job, at := int(s.order[s.step]), &x.levels[s.step]
	moves := x.Was[job] >= 0 && !x.Freely
	if after == beforeAll {
		at.left = x.candidates(s, job)
	}
	for len(at.left) > 0 {
		c := at.left[0]
		at.left = at.left[1:]
		moved, cost := at.moved, at.cost+c.key
		if moves && c.cluster != x.Was[job] {
			moved += s.problem.asked(job)
		}
		if moved > x.moved || moved == x.moved && cost >= x.cost {
			continue
		}
		x.ended = x.ended || s.puts() >= x.budget || x.ctx.Err() != nil
		if x.ended {
			break
		}
		x.levels[s.step+1] = level{moved: moved, cost: cost}
		return c
	}
	return noCandidate
}

// found records a placement. It beats the best one, because next skips clusters that cannot.
func (x *keeping) found(s *search) {
	at := x.levels[s.step]
	x.best, x.moved, x.cost = s.Solution(Placed), at.moved, at.cost
}

// puts returns how many jobs were placed so far, including those removed again.
func (m *Attempt) puts() int64 { return int64(m.step) + m.backtracks }

// candidates lists the clusters that may take the current job: the old one first, the others by
// cost.
func (x *keeping) candidates(s *search, job int) []candidate {
	var all []candidate
	for j, cost := range s.able {
		if x.Fixed == nil || !x.Fixed[job] || x.Was[job] == int32(j) {
			all = append(all, candidate{cost, int32(j)})
		}
	}
	slices.SortStableFunc(all, func(a, b candidate) int {
		switch x.Was[job] {
		case a.cluster:
			return -1
		case b.cluster:
			return 1
		}
		return cmp.Compare(a.key, b.key)
	})
	return all
}
