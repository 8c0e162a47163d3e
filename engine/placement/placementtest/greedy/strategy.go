// Package greedy is an example of a strategy outside of package placement, for tests and as a
// template: heavy jobs first, each on the cheapest cluster, without backtracking.
package greedy

import (
	"cmp"
	"context"
	"math"
	"slices"

	"berth/engine/parameter"
	"berth/engine/placement"
	"berth/engine/plugin"
)

// Plugin is the argument for [placement.Register]. In package placement it would be a line in
// strategies.go.
var Plugin = placement.Plugin{
	Name: "greedy", Title: "greedy", Description: "heavy jobs first, each on the cheapest cluster, without backtracking",
	Parameters: []parameter.Parameter{{Name: "scarcity", Title: "price of an excess", Low: 0, High: 1e6, Default: 0.5}},
	Facts:      placement.Facts{Incomplete: true},
	New:        func(v parameter.Values) placement.Strategy { return greedy{v["scarcity"]} },
}

// greedy has the price per unit of [placement.Attempt.Excess].
type greedy struct{ scarcity float64 }

// Place implements [placement.Strategy].
func (g greedy) Place(ctx context.Context, p *placement.Problem, o placement.Options) placement.Solution {
	attempt := p.NewAttempt(heavyFirst(p))
	var own plugin.Own
	solution := func(status placement.Status) placement.Solution {
		s := attempt.Solution(status)
		s.Own = own
		return s
	}
	for n := int64(0); ; n++ {
		_, left := attempt.Job()
		switch {
		case ctx.Err() != nil:
			return solution(placement.Cancelled)
		case left && o.Budget > 0 && n == o.Budget:
			return solution(placement.BudgetExhausted)
		case !left || !attempt.Put(g.cheapest(p, attempt, &own)):
			return solution(placement.Infeasible)
		}
	}
}

func heavyFirst(p *placement.Problem) []int32 {
	order := make([]int32, p.Deployment().Jobs().Len())
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortStableFunc(order, func(a, b int32) int { return cmp.Compare(p.Weight(int(b)), p.Weight(int(a))) })
	return order
}

// cheapest returns the cheapest cluster for the current job, or the first cluster if all refuse the
// job.
func (g greedy) cheapest(p *placement.Problem, attempt *placement.Attempt, own *plugin.Own) int {
	best, least := 0, math.Inf(1)
	for j := range p.Capacity().Federation().Clusters().Len() {
		if _, refused := attempt.Refusal(j); refused {
			continue
		}
		own.Count("prices compared", 1)
		if cost := attempt.Cost(j) + g.scarcity*attempt.Excess(j); cost < least {
			best, least = j, cost
		}
	}
	if math.IsInf(least, 1) {
		own.Note("it ends at the first job that no cluster takes")
	}
	return best
}
